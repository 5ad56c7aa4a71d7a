"""Workings and odds of a case file: what rolls and fire points consist of, in words that a case may use.
`docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from fireforce.happening.fire import HitsScored
from fireforce.state.battle import (
    State,
)
from fireforce.state.finding import (
    cards,
    counters,
    figures,
)
from fireforce.testing.cases.answers import ROLLS
from fireforce.testing.cases.marks import results
from fireforce.testing.cases.words import plain
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Entry, Happened, Thrown
from umpire.kernel.odds import Odds
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier
from umpire.testing.cases.running import CaseFault

LEADERS: Final = frozenset(
    {"mr", "motivation", "rating", "leader", "squad", "assistant", "sl", "asl", "platoon", "commander", "sergeant"}
)
"""What a case may call a leader whose rating counts, beside his name."""
WORDS: Final[Mapping[str, frozenset[str]]] = {
    "raining": frozenset({"rain"}),
    "heavy rain or haze": frozenset({"raining"}),
    "first shot from ambush: doubled": frozenset({"double"}),
    "prophylactic fire": frozenset({"proph"}),
    "target is pinned": frozenset({"figure", "pin"}),
    "elite shooters, target near": frozenset({"within", "15"}),
    "target far": frozenset({"beyond", "15", "over", "range", "long", "distance"}),
    "fierce at close quarters": frozenset({"combat"}),
    "night without night vision": frozenset({"no"}),
}
"""Further words that may stand in what a modifier is called."""


def workings(entries: Sequence[Entry]) -> dict[str, list[Sequence[Modifier]]]:
    """The modifiers of all rolls of a step, by purpose and by purpose with subject, and of fire points."""
    found: dict[str, list[Sequence[Modifier]]] = {}
    for entry in entries:
        if isinstance(entry, Thrown):
            roll = entry.roll
            for name in dict.fromkeys((roll.purpose, f"{roll.purpose} {roll.subject}".strip())):
                found.setdefault(plain(name), []).append(roll.modifiers)
        if isinstance(entry, Happened) and isinstance(entry.event, HitsScored):
            found.setdefault("fire points", []).append(entry.event.working)
    return found


def worked(entries: Sequence[Entry], purpose: str, wanted: Sequence[str]) -> str:
    """Nothing if the working of a purpose is what these lines say, in any order; of several rolls of a purpose the
    working of one of them. Else what it is. Raises CaseFault for a purpose for which nothing was worked out."""
    found = workings(entries)
    words = plain(purpose)
    name = words if words in found else ROLLS.get(words, words)
    if name not in found:
        name = next((each for each in found if each.startswith(f"{words} ")), name)
    if name not in found:
        raise CaseFault(f"nothing was worked out for {purpose!r}", at=purpose, known=found)
    if any(_agrees(made, wanted) for made in found[name]):
        return ""
    if name == "fire points" and any(_is_made_of(made, wanted) for made in found[name]):
        return ""
    return " or ".join(str(_lines(made)) for made in found[name])


def _lines(made: Sequence[Modifier]) -> list[str]:
    return sorted(f"{each.reason} {each.value:+d}" for each in made if each.value)


def _agrees(made: Sequence[Modifier], wanted: Sequence[str]) -> bool:
    """Whether the lines are the modifiers, each once. Exact names are taken first."""
    left = [each for each in made if each.value]
    lines = [" ".join(line.split()) for line in wanted if not re.search(r"(?<!\d)[+-]?0( [\[(].*)?$", line)]
    for is_exact in (True, False):
        for line in list(lines):
            match = next((each for each in left if _fits(line, each, is_exact)), None)
            if match is not None:
                left.remove(match)
                lines.remove(line)
    return not left and not lines


def _is_made_of(made: Sequence[Modifier], wanted: Sequence[str]) -> bool:
    """Whether the lines of fire points name the same parts with the same sum: what each doubling and halving by itself
    makes of the points hangs on the order in which they are taken, and may be left out (`poor troops: halved`)."""
    sums, bases = [0, 0], []
    left = [each for each in made if each.reason.endswith((": doubled", ": halved"))]
    limits = sum(each.value for each in made if each.reason.startswith(("no more than", "no less than")))
    for line in wanted:
        found = re.fullmatch(r"(.+?)(?: ([+-]\d+))?", " ".join(line.split()))
        assert found is not None
        part = next((each for each in left if _tokens(found[1]) <= _tokens(each.reason)), None)
        if part is None:
            bases.append(line)
            continue
        left.remove(part)
        sums[0] += part.value
        sums[1] += int(found[2]) if found[2] else part.value
    rest = [each for each in made if not each.reason.endswith((": doubled", ": halved"))]
    plain_rest = [each for each in rest if not each.reason.startswith(("no more than", "no less than"))]
    is_sum = sums[1] in (sums[0], sums[0] + limits)
    return not left and is_sum and (_agrees(rest, bases) or _agrees(plain_rest, bases))


def _fits(line: str, made: Modifier, is_exact: bool) -> bool:
    """Whether a line is a modifier: `under fire -1`, perhaps with its rule behind it, `under fire -1 (fireforce
    motivation)`."""
    found = re.fullmatch(r"(.+?) ?([+-]?\d+)(?: ?[\[(](.+)[\])])?", line)
    if found is None or int(found[2]) != made.value:
        return False
    if found[3] and not _is_rule(found[3], made):
        return False
    if is_exact:
        return found[1] == made.reason
    said = _tokens(found[1])
    reason = _tokens(made.reason) | _tokens(" ".join(WORDS.get(made.reason, ())))
    if made.rule == "fireforce motivation-rating":
        reason |= LEADERS
    if made.reason.startswith("casualties "):
        reason |= {"casualty"}
    if made.rule == "fireforce motivation" and made.value >= 0:
        reason |= {"mn", "number", "motivation"}
    return bool(said) and said <= reason


def _is_rule(said: str, made: Modifier) -> bool:
    text = plain(said)
    return text in (plain(made.rule), plain(made.rule).removeprefix("fireforce "), made.status)


def _tokens(text: str) -> set[str]:
    """The words of a phrase without those that say nothing."""
    words = {re.sub(r"(d|s)$", "", word) if len(word) > 4 else word for word in re.findall(r"[a-z0-9]+", text.lower())}
    return words - {"a", "an", "the", "of", "in", "is", "at", "for", "from", "by", "or"}


# Odds


def chances(state: State, seat: Seat, odds: Odds) -> dict[str, Fraction]:
    """Chances by the names of the case, also of what the seat knows by an alias only."""
    names: dict[str, str] = {}
    for command in seat.commands:
        for each in (*figures(state), *cards(state), *counters(state)):
            if alias := alias_of(state, command, each.id):
                names[alias] = each.id
    found: dict[str, Fraction] = {}
    for fate, chance in odds.fates.items():
        found[f"{names.get(fate.piece, fate.piece)} {fate.what}"] = chance
    for man in figures(state):
        # A figure has one fate, or none.
        mine = (chance for words, chance in found.items() if words.rpartition(" ")[0] == man.id)
        found[f"{man.id} unharmed"] = 1 - sum(mine, Fraction(0))
    others: dict[str, str] = {"killed": "casualty", "must withdraw": "withdraws", "unhurt": "unharmed"}
    others |= {name: key for name, key in results().items() if name != key}
    for words, chance in list(found.items()):
        for other, what in others.items():
            if words.endswith(f" {what}"):
                found[f"{words.removesuffix(what)}{other}"] = chance
    return found
