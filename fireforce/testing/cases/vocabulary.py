"""The words of FireForce in case files: how a battle is set up, what is ordered and what follows. `docs/cases.md`

True ids are the names of the lines, and so are the aliases of all that is in sight when the case begins.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from fireforce.book.kinds import Kinds
from fireforce.book.tables import Tables, core_book
from fireforce.orders.dispatch import chapters
from fireforce.package import PACKAGE
from fireforce.rules.turn.turn_sequence import due
from fireforce.state.battle import State
from fireforce.state.setting import setting_of
from fireforce.testing.cases import (
    answers as case_answers,
)
from fireforce.testing.cases import (
    asked as case_asked,
)
from fireforce.testing.cases import (
    orders as case_orders,
)
from fireforce.testing.cases import (
    values as case_values,
)
from fireforce.testing.cases import (
    workings as case_workings,
)
from fireforce.testing.cases.battle import NOT_BEGUN, begun, in_sight, ordered_to, peopled
from fireforce.testing.cases.ground import ground_lines, kind_of_line
from fireforce.testing.cases.pieces import is_marking, marked, one_each, piece_line, pieces, place_in, weapons_known
from fireforce.testing.cases.words import named_in, plain
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.ledger import Entry
from umpire.kernel.odds import Odds
from umpire.kernel.rulings import Question, Roll
from umpire.kernel.states import Seat
from umpire.testing.cases import running as cases
from umpire.testing.cases.running import Case, CaseFault
from umpire.testing.cases.words import lines_of, unknown
from umpire.testing.play.battle import Play

GIVEN: Final = (
    "phase",
    "active",
    "play",
    "cards",
    "turn",
    "turns",
    "table",
    "terrain",
    "sides",
    "pieces",
    "standing",
    "hour",
    "weather",
    "wind",
    "options",
    "assume",
    "plans_only",
    "heard_gunfire",
    "zone",
    "objective",
    "plan",
    "book",
)
KEYS: Final = {"time": "hour", "light": "hour", "ground": "terrain"}
"""Keys of [given] by other words."""
FURTHER: Final = ("phase", "active", "hour", "weather", "turn", "turns", "wind", "play")
"""What further lines may set."""
ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "fireforce motivation": ("movement", "firing", "special-motivation", "motivation-rating", "desperate-gamble"),
    "fireforce movement": ("motivation", "organisation", "searching"),
    "fireforce firing": ("small-arms", "motivation", "searching", "saving-throws"),
    "fireforce small-arms": ("firing", "saving-throws", "motivation"),
    "fireforce saving-throws": ("small-arms", "firing", "movement", "motivation"),
    "fireforce special-motivation": ("motivation",),
    "fireforce desperate-gamble": ("motivation",),
    "fireforce cards": ("visibility", "movement", "searching"),
    "fireforce searching": ("cards", "firing", "movement"),
    "fireforce visibility": ("cards", "small-arms", "firing"),
    "fireforce close-combat": ("motivation", "movement"),
    "fireforce organisation": ("movement", "motivation-rating"),
}
"""Chapters of the page that a case may name as well for a refusal by this one: they print the same condition."""


GENERAL: Final = ("fireforce conventions", "fireforce turn-sequence", "fireforce movement")
"""Chapters that refuse orders of others: every order, or cards and counters that go too far."""


class FireForceWords(cases.Vocabulary[State]):
    """FireForce's words. `chapter` is that of the last order, `critical` what he is called for whom the last critical
    hit was."""

    package = PACKAGE
    chapter = ""
    critical: Collection[str] = ()

    # Setting up

    def set_up(self, case: Case, given: Mapping[str, Any], further: Sequence[str], standing: Sequence[str]) -> State:
        given = {KEYS.get(key, key): value for key, value in given.items()}
        for key in given:
            if key not in GIVEN:
                unknown("in [given] the key", key, GIVEN)
        kinds = Tables(core_book()).kinds
        weapons = weapons_known(given.get("book", {}))
        found = pieces(lines_of(given.get("pieces", "")), weapons, kinds)
        more = dict(given)
        for line in lines_of(further):
            if is_marking(found, line):
                marked(found, line, kinds)
            elif (place_in(line.split()) or 0) >= 2 and kind_of_line(line, kinds) is None:
                found += piece_line(line, weapons, kinds)
            else:
                more |= _further(line, more, kinds, [each for piece in found for each in (piece.name, piece.squad)])
        one_each(found)
        more = {**_told_by_steps(case, more), **more}
        state = peopled(begun(case, more, found, kinds), more, found)
        orders = case_orders.standing((*lines_of(given.get("standing", ())), *standing))
        for who, each in orders.items():
            state = ordered_to(state, who, each)
        return in_sight(state)

    def seats(self, state: State) -> Mapping[str, Seat]:
        setting = setting_of(state)
        found = {name: Seat(name=name, commands=(name,)) for name in setting.commands}
        for side in setting.sides:
            mine = tuple(name for name, command in setting.commands.items() if command.side == side)
            found[side] = Seat(name=side, commands=mine)
        return {**found, "umpire": Seat(name="umpire", role="umpire", commands=tuple(setting.commands))}

    # Orders, dice, answers

    def leads_in(self, play: Play[State], seat: Seat, order: Mapping[str, Any]) -> bool:
        """Plans that are due in a phase are carried on before it ends."""
        if case_orders.verb_of(order) == "EndPhase":
            while play.position.open is None:
                force = next((each for each in due(play.state) if each not in play.state.commands), None)
                if force is None:
                    break
                play.carry(force)
        return False

    def order(self, state: State, seat: Seat, order: Mapping[str, Any]) -> Mapping[str, Any]:
        made = case_orders.order(state, seat, order)
        verb = chapters.verb_named(str(made["verb"]))
        self.chapter = verb.rule if verb is not None else ""
        return made

    def is_roll(self, wanted: str, roll: Roll) -> bool:
        return case_answers.is_roll(wanted, roll)

    def next_die(self, names: Sequence[str], roll: Roll) -> int | None:
        return case_answers.next_die([case_answers.critical_on(self.critical, name) for name in names], roll)

    def goes_without_asking(self, state: State, entries: Sequence[Entry], answer: str) -> bool:
        who, _, words = answer.partition(":")
        seat = self.seats(state).get(who.strip()) if entries else None
        return seat is not None and case_answers.goes_without_asking(state, entries, seat, words)

    def choices(self, state: State, question: Question, words: str) -> tuple[str, ...]:
        taken = case_answers.choices(state, question, words)
        if question.kind == "critical":
            self.critical = case_answers.called(state, taken[0])
        return taken

    def rest(self, question: Question, words: str, taken: Sequence[str]) -> str:
        return case_answers.rest(question, words, taken)

    # What follows

    def holds(self, before: State, state: State, entries: Sequence[Entry], line: str) -> str:
        return case_values.holds(state, entries, line)

    def ask(self, state: State, ask: Mapping[str, Any], source: ScriptedDice) -> Any:
        return case_asked.asked(state, ask, source, self.seats(state))

    def agrees(self, value: Any, wanted: Any) -> bool:
        return case_asked.agrees(value, wanted)

    def is_refused_by(self, wanted: str, rule: str) -> bool:
        """By the chapter named, or by one that prints the same condition; by the order's own chapter where it is given
        out of its phase or names what is not there."""
        rules = (rule, self.chapter) if rule in GENERAL else (rule,)
        return wanted in rules or any(wanted == f"fireforce {each}" for one in rules for each in ALSO.get(one, ()))

    def worked(self, before: State, state: State, entries: Sequence[Entry], purpose: str, wanted: Sequence[str]) -> str:
        return case_workings.worked(entries, purpose, wanted)

    def chances(self, state: State, seat: Seat, odds: Odds) -> Mapping[str, Fraction]:
        return case_workings.chances(state, seat, odds)


def _told_by_steps(case: Case, given: Mapping[str, Any]) -> dict[str, Any]:
    """The phase and the side whose player turn it is as the first step has them that begins the battle, or gives an
    order that is not refused: where the case does not say so itself."""
    first = next((step for step in case.step if step.begins or (step.order and not step.refused)), None)
    if first is None or plain(given.get("phase", "")) == NOT_BEGUN:
        return {}
    if first.order is None:
        return {"phase": NOT_BEGUN}
    verb = chapters.verb_named(case_orders.verb_of(first.order))
    phases = verb.phases if verb is not None else ()
    found = {"phase": phases[0]} if phases and "firing" not in phases else {}
    seat = str(first.order.get("seat", ""))
    owners = [line.split()[0].partition("/") for line in lines_of(given.get("pieces", ""))]
    side = next((side for side, _, command in owners if seat in (side, command)), "")
    return found | ({"active": side} if side else {})


def _further(line: str, given: Mapping[str, Any], kinds: Kinds, names: Sequence[str]) -> dict[str, Any]:
    """What a further line sets that names no piece: `hour night`, `side north regular`, `regular heard gunfire`, or
    ground. Raises CaseFault."""
    key, _, value = line.partition(" ")
    if key == "side":
        side, _, kind = value.partition(" ")
        return {"sides": {**given.get("sides", {}), side: kind}}
    if value == "heard gunfire":
        return {"heard_gunfire": [*named_in(given.get("heard_gunfire", ())), key]}
    if kind_of_line(line, kinds) is not None:
        return {"terrain": [*lines_of(ground_lines(given.get("terrain", ()))), line]}
    if line in names:
        raise CaseFault(f"{line!r} says nothing of it, such as '{line} pinned'", at=line)
    if key not in FURTHER:
        piece = " ".join(line.split()[:2]) if key == "squad" else key
        unknown("the piece", piece, (*names, *FURTHER, "side"))
    return {key: value.removeprefix("= ")}


def install() -> None:
    """Makes FireForce's words known to the case runner; may be called again."""
    cases.register("fireforce", FireForceWords())


install()
