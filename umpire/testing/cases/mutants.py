"""Whether case files prove what they say: each is changed a little, and must fail then. `docs/cases.md`

Of each kind one mutant is made of a file, where it has something of the kind: a rule that is not the one which refuses,
a number that is another, a die more, a die less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from umpire.testing.cases.form import Case, Step, load
from umpire.testing.cases.running import language_of, run

_NUMBER: Final = re.compile(r"(?<![a-z\d.])\d+(?![\d.]*[a-z])")


class Mutant(Struct, frozen=True, kw_only=True):
    """A changed case, and whether it failed as it should."""

    file: str
    kind: str
    change: str
    is_killed: bool


def _other_rule(step: Step, random: Random, rules: Sequence[str]) -> Iterator[Step]:
    if step.refused:
        yield replace(step, refused=random.choice([rule for rule in rules if rule != step.refused]))


def _one_more(text: str, random: Random) -> str:
    """A text with one of its numbers one greater; "" where it has none."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return ""
    number = random.choice(found)
    return f"{text[: number.start()]}{int(number[0]) + 1}{text[number.end() :]}"


def _other_number(step: Step, random: Random, rules: Sequence[str]) -> Iterator[Step]:
    for index, line in enumerate(step.then):
        if other := _one_more(line, random):
            yield replace(step, then=(*step.then[:index], other, *step.then[index + 1 :]))
    for purpose, lines in step.working.items():
        for index, line in enumerate(lines):
            if other := _one_more(line, random):
                changed = (*lines[:index], other, *lines[index + 1 :])
                yield replace(step, working={**step.working, purpose: changed})
    for words, chance in step.odds.items():
        if other := _one_more(chance, random):
            yield replace(step, odds={**step.odds, words: other})
    if isinstance(step.is_, int | float) and not isinstance(step.is_, bool):
        yield replace(step, is_=step.is_ + 1)
    elif isinstance(step.is_, str) and (other := _one_more(step.is_, random)):
        yield replace(step, is_=other)


def _die_more(step: Step, random: Random, rules: Sequence[str]) -> Iterator[Step]:
    if step.dice:
        yield replace(step, dice=(*step.dice, random.choice(step.dice)))


def _die_less(step: Step, random: Random, rules: Sequence[str]) -> Iterator[Step]:
    for index in range(len(step.dice)):
        yield replace(step, dice=(*step.dice[:index], *step.dice[index + 1 :]))


KINDS: Final[Mapping[str, Callable[[Step, Random, Sequence[str]], Iterator[Step]]]] = {
    "another rule": _other_rule,
    "another number": _other_number,
    "a die more": _die_more,
    "a die less": _die_less,
}


def mutants(path: Path, random: Random) -> Iterator[Mutant]:
    """One mutant of each kind of a case file that passes."""
    text = path.read_text(encoding="utf-8")
    case = load(text, str(path))
    rules = sorted(language_of(case.system).package.rule_text())
    for kind, change in KINDS.items():
        made = [(index, other) for index, step in enumerate(case.step) for other in change(step, random, rules)]
        if made:
            index, other = random.choice(made)
            changed = replace(case, step=(*case.step[:index], other, *case.step[index + 1 :]))
            is_killed = bool(run(changed))
            yield Mutant(file=str(path), kind=kind, change=_said(case, other, index), is_killed=is_killed)


def _said(case: Case, other: Step, index: int) -> str:
    """What a changed step says that the case does not."""
    old: dict[str, Any] = {each: getattr(case.step[index], each) for each in Step.__struct_fields__}
    new = [f"{name} {getattr(other, name)!r}" for name in old if getattr(other, name) != old[name]]
    return f"step {index + 1}: {'; '.join(new)}"


def shares(found: Sequence[Mutant]) -> dict[str, tuple[int, int]]:
    """Of each kind how many were killed, of how many."""
    of_kind = {kind: [each.is_killed for each in found if each.kind == kind] for kind in KINDS}
    return {kind: (sum(killed), len(killed)) for kind, killed in of_kind.items()}
