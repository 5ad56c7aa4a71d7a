"""The words of Lock 'n Load in case files: how a battle is set up, what is ordered and what follows. `docs/cases.md`

True ids are the names of the lines, and so are the aliases of all that is in sight when the case begins.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from msgspec.structs import replace

from lnl.book.tables import core_book
from lnl.orders.checks import out_of_turn
from lnl.orders.dispatch import chapters
from lnl.package import LockNLoad
from lnl.rules.turn import event_markers, operations_phase, rally_phase
from lnl.scenarios.book_check import module_names
from lnl.state.battle import Believed, State
from lnl.state.finding import has_ended
from lnl.state.setting import setting_of, tables_of
from lnl.testing.cases import (
    answers as case_answers,
)
from lnl.testing.cases import (
    asked as case_asked,
)
from lnl.testing.cases import (
    orders as case_orders,
)
from lnl.testing.cases import (
    values as case_values,
)
from lnl.testing.cases import (
    workings as case_workings,
)
from lnl.testing.cases.battle import as_phased, begun, goes_on, in_sight, nations, ordered, peopled
from lnl.testing.cases.counters import Rows
from lnl.testing.cases.ground import is_hex
from lnl.testing.cases.pieces import Piece, lines_of, marked, pieces
from lnl.testing.cases.standing import standing, standing_lines
from lnl.testing.cases.words import plain
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.ledger import Entry
from umpire.kernel.odds import Odds
from umpire.kernel.rulings import Draw, Question, Roll, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.cases import running as cases
from umpire.testing.cases.running import Case, CaseFault
from umpire.testing.cases.words import unknown
from umpire.testing.play.battle import Play

GIVEN: Final = (
    "phase",
    "active",
    "play",
    "turn",
    "turns",
    "hour",
    "initiative",
    "visibility",
    "passes",
    "goes_on",
    "terrain",
    "elevations",
    "hexsides",
    "buildings",
    "roads",
    "art",
    "markers",
    "smoke",
    "star_shells",
    "spotted",
    "barrages",
    "control",
    "size",
    "map",
    "sides",
    "pieces",
    "standing",
    "melees",
    "options",
    "objective",
    "event",
    "event_marker",
    "zone",
    "deck",
    "book",
)
OTHERWISE: Final[Mapping[str, str]] = {
    "elevation": "elevations",
    "level": "elevations",
    "levels": "elevations",
    "hexside": "hexsides",
    "building": "buildings",
    "road": "roads",
    "marker": "markers",
    "star_shell": "star_shells",
    "barrage": "barrages",
    "ffe": "barrages",
    "melee": "melees",
    "side": "sides",
    "units": "pieces",
    "standing_orders": "standing",
    "time": "hour",
    "mode": "play",
    "events": "event",
    "event_markers": "event_marker",
    "objectives": "objective",
    "zones": "zone",
    "pass": "passes",
}
"""Keys of `[given]` by other words."""
FURTHER: Final = (
    "phase",
    "active",
    "turn",
    "turns",
    "hour",
    "initiative",
    "passes",
    "goes_on",
    "play",
    "visibility",
    "spotted",
    "star_shells",
    "barrages",
    "melees",
    "smoke",
)
"""What further lines may set."""


ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "core 1": ("core 3", "core 5", "core 6"),
    "core 3": ("core 1", "core 8", "core 11"),
    "core 4": ("core 2", "core 5", "core 6", "core 7", "core 8", "core 10"),
    "core 5": ("core 1", "core 3", "core 4", "core 6", "core 8", "core 10"),
    "core 6": ("core 1", "core 8", "core 10", "core 11", "core 21"),
    "core 8": ("core 3", "core 5", "core 6", "core 11"),
    "core 10": ("core 5", "core 11"),
    "core 11": ("core 1", "core 3", "core 5", "core 8"),
    "core 20": ("core 5", "core 10"),
}
"""In which other chapters the book says what one refuses something for: markers (4) are laid by nearly all."""


class Citing(LockNLoad):
    """Lock 'n Load with all that an order is refused for: out of turn also what it would be refused for in turn, and
    the section of the verb itself."""

    def check(self, believed: Believed, seat: Seat, order: Any) -> Sequence[Refusal]:
        found = list(super().check(believed, seat, order))
        verb = chapters.verbs.get(type(order))
        if not found or verb is None:
            return found
        if any(out_of_turn(believed, seat, verb)):
            more = verb.check(believed, seat, order)
            found += [each if each.rule else replace(each, rule=verb.rule) for each in more]
        if verb.rule not in {each.rule for each in found}:
            found.append(replace(found[0], rule=verb.rule))
        return found


class Holding(Citing):
    """Lock 'n Load, but for one thing: a phase does not end because nobody has anything left to do, as it would on the
    small maps of most cases after the first order. Three passes, and who says that he is done, end it as ever."""

    def advance(self, state: State) -> Ruling[State]:
        public = state.public
        if event_markers.due(state) is not None:
            return super().advance(state)
        if public.phase == "operations" and operations_phase.is_over(state):
            if public.passes < tables_of(state).number("passes"):
                return _nothing(state)
        is_untouched = not any(has_ended(state, name) for name in state.commands)
        if public.phase == "rally" and is_untouched and rally_phase.is_over(state):
            return _nothing(state)
        return super().advance(state)


def _nothing(state: State) -> Ruling[State]:
    yield from ()
    return state


CITING: Final = Citing()
HOLDING: Final = Holding()


class LockNLoadWords(cases.Vocabulary[State]):
    """Lock 'n Load's words."""

    package: Citing = HOLDING
    command_of: Mapping[str, str] = {}
    """Whose the pieces of the case are."""
    several: Collection[str] = ()
    """The sides of the case whose commands have other names."""

    # Setting up

    def set_up(self, case: Case, given: Mapping[str, Any], further: Sequence[str], extra: Sequence[str]) -> State:
        more = self._keys(given)
        if case.module and case.module not in module_names():
            known = ", ".join(module_names()) or "none"
            raise CaseFault(f"the module {case.module!r} is not played; there are: {known}", at=case.module)
        rows = Rows(core_book(), nations(more))
        found = pieces(lines_of(more.get("pieces", "")), rows)
        sides = {each.side for each in found} | set(nations(more))
        for line in lines_of(further):
            if not marked(found, line, rows, sides):
                self._further(more, found, line)
        self.package = CITING if goes_on(more) else HOLDING
        self.command_of = {each.name: each.command for each in found}
        self.several = sides - {each.command for each in found}
        state = begun(case, more, found, rows)
        state = peopled(state, more, found)
        for who, orders in standing((*standing_lines(more.get("standing", ())), *extra)).items():
            state = ordered(state, who, orders)
        return in_sight(as_phased(state, more))

    def _keys(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What is given, by the names of its keys; `night = true` is an hour. Raises CaseFault."""
        more: dict[str, Any] = {}
        for key, value in given.items():
            name = OTHERWISE.get(key.lower(), key.lower())
            if name in ("night", "day") and isinstance(value, bool):
                name, value = "hour", name if value else "day"
            if name not in GIVEN:
                unknown("in [given] the key", key, GIVEN)
            more[name] = value
        return more

    def _further(self, more: dict[str, Any], found: Sequence[Piece], line: str) -> None:
        """A further line that is about no piece: `phase rally`, `E5 smoke 1`. Raises CaseFault."""
        key, _, value = line.partition(" ")
        value = value.removeprefix("= ")
        name = OTHERWISE.get(key, key)
        if is_hex(key.partition("-")[0]):
            ground = more.get("terrain", {})
            if isinstance(ground, Mapping):
                there = ground.get(key, ())
                more["terrain"] = {
                    **ground,
                    key: [*(there if isinstance(there, list) else [there] * bool(there)), value],
                }
            else:
                more["terrain"] = [*lines_of(ground), line]
        elif name in FURTHER:
            more[name] = value
        else:
            unknown("the piece", key, (*(piece.name for piece in found), *FURTHER))

    def seats(self, state: State) -> Mapping[str, Seat]:
        setting = setting_of(state)
        found = {name: Seat(name=name, commands=(name,)) for name in setting.commands}
        for side in setting.sides:
            mine = tuple(name for name, command in setting.commands.items() if command.side == side)
            found[side] = Seat(name=side, commands=mine)
        return {**found, "umpire": Seat(name="umpire", role="umpire", commands=tuple(setting.commands))}

    # Orders, dice, answers

    def leads_in(self, play: Play[State], seat: Seat, order: Mapping[str, Any]) -> bool:
        """An impulse in which somebody has acted ends as the other side begins its own; to end one that is over already
        says nothing new."""
        state = play.state
        if state.public.phase != "operations" or seat.role == "umpire":
            return False
        sides = {setting_of(state).commands[name].side for name in seat.commands}
        going = operations_phase.declared(state, tuple(state.commands))
        verb = case_orders.verb_named(order)
        if going is None:
            return verb == "EndImpulse" and state.public.active not in sides
        phased = chapters.verb_named(verb)
        if state.public.active in sides or not going.acted or phased is None or not phased.phases:
            return False
        play.order(going.command, {"verb": "EndImpulse"})
        return False

    def order(self, state: State, seat: Seat, order: Mapping[str, Any]) -> Mapping[str, Any]:
        return case_orders.order(state, seat, order)

    def is_roll(self, wanted: str, roll: Roll) -> bool:
        return case_answers.is_roll(self._by_command(wanted), roll)

    def next_die(self, names: Sequence[str], roll: Roll) -> int | None:
        return case_answers.next_die([self._by_command(name) for name in names], roll)

    def _by_command(self, name: str) -> str:
        """The name of an attack or a defence that names a piece, by its command: "attack gun" is "attack ge"; one that
        names a side with other commands, by its purpose."""
        purpose, _, piece = name.rpartition(" ")
        is_fire = plain(purpose) in (*case_answers.ATTACKS, *case_answers.DEFENCES)
        if is_fire and piece in self.several:
            return purpose
        return f"{purpose} {self.command_of[piece]}" if is_fire and piece in self.command_of else name

    def drawn(self, draw: Draw) -> str | None:
        """Which hero and which card may be left open."""
        return draw.among[0] if draw.purpose in ("hero", "skill") else None

    def meant(self, draw: Draw, words: str | None) -> str | None:
        """By the word of the book's key that is not the nation's: `vogt` for `ge_vogt`."""
        fitting = [each for each in draw.among if words is not None and each.endswith(f"_{words.lower()}")]
        return fitting[0] if len(fitting) == 1 and words not in draw.among else words

    def choices(self, state: State, question: Question, words: str) -> tuple[str, ...]:
        return case_answers.choices(state, question, words)

    def following(self, state: State, question: Question, words: str) -> tuple[str, ...] | None:
        return case_answers.following(state, question, words)

    # What follows

    def holds(self, before: State, state: State, entries: Sequence[Entry], line: str) -> str:
        return case_values.holds(before, state, entries, line)

    def ask(self, state: State, ask: Mapping[str, Any], source: ScriptedDice) -> Any:
        return case_asked.asked(state, ask, self.seats(state), self.package)

    def is_refused_by(self, wanted: str, rule: str) -> bool:
        """By the same section, another one of its chapter (`core 4.1` where the refusal names `core 4.0`), or one of
        those chapters that say the same."""
        chapter = rule.split(".")[0]
        return wanted.split(".")[0] in (chapter, *ELSEWHERE.get(chapter, ()))

    def agrees(self, value: Any, wanted: Any) -> bool:
        return case_asked.agrees(value, wanted)

    def worked(self, before: State, state: State, entries: Sequence[Entry], purpose: str, wanted: Sequence[str]) -> str:
        return case_workings.worked(before, state, entries, purpose, wanted)

    def fate(self, state: State, words: str) -> None:
        case_workings.known_fate(state, words)

    def chances(self, state: State, seat: Seat, odds: Odds) -> Mapping[str, Fraction]:
        return case_workings.chances(state, seat, odds)


def install() -> None:
    """Makes Lock 'n Load's words known to the case runner; may be called again."""
    cases.register("lnl", LockNLoadWords())


install()
