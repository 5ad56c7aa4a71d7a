"""Workings and odds of a case file: what rolls and values consist of, and what becomes of pieces. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from umpire.kernel.ledger import Entry, Thrown
from umpire.kernel.odds import fraction_text, odds_of
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier
from umpire.testing.cases.form import Step
from umpire.testing.cases.language import Language
from umpire.testing.cases.script import is_named
from umpire.testing.cases.words import CaseFault, plain, unknown

_LINE = re.compile(r"(.+?)(?: ?([+-]?\d+))?(?: ?[\[(]((?:\w+ )?[\w. -]+)[\])])?")
"""A line of a working: "under fire -1", perhaps with its rule behind it, "under fire -1 (fireforce motivation)"."""

_MAY_BE_BARE = (": doubled", ": halved")
"""Ends of modifiers whose values may be left out: what each doubling makes of the points hangs on their order."""


def worked(language: Language[Any], before: Any, state: Any, entries: Sequence[Entry], step: Step) -> None:
    """Raises CaseFault where the workings of a step are not what it says, in any order; of several rolls of a purpose
    the working of one of them."""
    for purpose, wanted in step.working.items():
        said: set[str] = set()
        own = language.made(before, entries, plain(purpose))
        if own is not None:
            found = [(own, said)]
        else:
            thrown = [entry.roll for entry in entries if isinstance(entry, Thrown)]
            found = [
                (roll.modifiers, language.may_be_said(entries, roll))
                for roll in thrown
                if is_named(purpose, roll, language.subjects(state, roll, ()))
            ]
        if not found:
            rolls = [entry.roll for entry in entries if isinstance(entry, Thrown)]
            known = [name for roll in rolls for name in (roll.purpose, f"{roll.purpose} {roll.subject}")]
            raise CaseFault(f"nothing was worked out for {purpose!r}", at=purpose, known=known)
        if not any(_agrees(language, before, state, made, wanted, free) for made, free in found):
            shown = " or ".join(
                str(sorted(f"{each.reason} {each.value:+d}" for each in made if each.value)) for made, _ in found
            )
            raise CaseFault(f"the working of {purpose!r} is {shown}, not {sorted(wanted)}", at=purpose)


def _agrees(
    language: Language[Any], before: Any, state: Any, made: Sequence[Modifier], wanted: Sequence[str], free: set[str]
) -> bool:
    """Whether the lines are the modifiers, each once. Exact names are taken first."""
    left = [each for each in made if each.value]
    lines = [line for line in map(" ".join, (each.split() for each in wanted)) if plain(line) not in free]
    for is_exact in (True, False):
        for line in list(lines):
            match = next((each for each in left if _fits(language, before, state, line, each, is_exact)), None)
            if match is not None:
                left.remove(match)
                lines.remove(line)
    return not lines and all(each.reason in language.implied for each in left)


def _fits(language: Language[Any], before: Any, state: Any, line: str, made: Modifier, is_exact: bool) -> bool:
    found = _LINE.fullmatch(line)
    if found is None or (int(found[2]) != made.value if found[2] else not made.reason.endswith(_MAY_BE_BARE)):
        return False
    if found[3] and found[3] not in (made.rule, made.rule.partition(" ")[2], made.status):
        return False
    said = _words(found[1])
    if is_exact:
        return plain(found[1]) == plain(made.reason)
    reason = _words(made.reason) | _words(language.reasons.get(plain(made.reason), ""))
    return bool(said) and said <= reason | _words(
        " ".join((*language.called(before, made), *language.called(state, made)))
    )


def _words(text: str) -> set[str]:
    """The words of a phrase without those that say nothing."""
    words = {re.sub(r"(d|s)$", "", word) if len(word) > 4 else word for word in re.findall(r"[a-z0-9]+", text.lower())}
    return words - {"a", "an", "the", "of", "in", "is", "at", "for", "from", "by", "or"}


def odds(language: Language[Any], state: Any, believed: Any, seat: Seat, order: Any, step: Step) -> None:
    """Raises CaseFault where the chances of what becomes of pieces are not what the step says."""
    names = language.true_names(state, seat.commands)
    found: dict[str, Fraction] = {}
    for fate, chance in odds_of(language.package, believed, seat, order).fates.items():
        what = plain(fate.what)
        name = language.fated(state, names.get(fate.piece, fate.piece))
        for word in {what, language.fates.get(what, what)}:
            found[f"{name} {word}"] = found.get(f"{name} {word}", Fraction(0)) + chance
    language.chances(state, found)
    known = {*language.fates, *language.fates.values()}
    for words, text in step.odds.items():
        name, _, what = " ".join(words.split()).rpartition(" ")
        key = next((each for each in found if plain(each) == plain(words)), f"{name} {plain(what)}")
        if key not in found and plain(what) not in known and not any(each.endswith(plain(what)) for each in found):
            unknown("of odds the word", what, known)
        chance = found.get(key, Fraction(0))
        try:
            wanted = Fraction(text)
        except (ValueError, ZeroDivisionError):
            raise CaseFault(f"{text!r} is no chance, such as 2/6", at=text) from None
        if chance != wanted:
            shown = ", ".join(f"{each} {fraction_text(value)}" for each, value in found.items())
            raise CaseFault(f"the odds of {words!r} are {fraction_text(chance)}, not {text} ({shown})", at=words)
