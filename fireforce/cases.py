"""The words of FireForce in case files: how a battle is set up, what is ordered and what follows. `docs/cases.md`

True ids are the names of the lines, and so are the aliases of all that is in sight when the case begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, get_args

from msgspec.structs import replace

from fireforce import case_pieces as words
from fireforce import case_values, events
from fireforce.package import PACKAGE
from fireforce.rows import Hour, Side
from fireforce.rules.turn_sequence import pin_until
from fireforce.scenarios import form, reading
from fireforce.setting import setting_of
from fireforce.state import (
    PHASES,
    CommandPart,
    Figure,
    Leg,
    Phase,
    Plan,
    State,
    Weather,
    card,
    cards,
    counters,
    figure,
    figures,
    has_figure,
    squad,
    squads,
    with_part,
    with_public,
)
from fireforce.tables import core_book
from umpire.kernel import cases
from umpire.kernel.cases import Case, CaseFault
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.events import Sighted, Told, alias_of
from umpire.kernel.ledger import Corrected, Entry, Happened, Thrown, applied
from umpire.kernel.maps import ordered
from umpire.kernel.modifiers import Modifier
from umpire.kernel.states import Contact, Seat
from umpire.kernel.written import typed

INDIGENOUS: Final = ("guerrilla", "indigenous")
"""Sides of these names are indigenous where the case does not say so itself."""
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
FURTHER: Final = ("phase", "active", "hour", "weather", "turn")
"""What further lines may set."""
PHASE_WORDS: Final[Mapping[str, Phase]] = {
    **{phase.replace("_", " "): phase for phase in PHASES},
    **{phase: phase for phase in PHASES},
    "motivation": "motivation_movement",
    "movement": "motivation_movement",
}
NOT_BEGUN: Final = "not begun"
"""The phase of a battle in which nobody has thrown for the first turn yet."""


class FireForceWords(cases.Vocabulary[State]):
    """FireForce's words."""

    package = PACKAGE

    # Setting up

    def set_up(self, case: Case, given: Mapping[str, Any], further: Sequence[str], standing: Sequence[str]) -> State:
        for key in given:
            if key not in GIVEN:
                words.unknown("in [given] the key", key, GIVEN)
        kinds = tables_kinds()
        weapons = core_book().tables["weapons"]
        found = words.pieces(words.lines_of(given.get("pieces", "")), tuple(weapons), kinds)
        more = dict(given)
        for line in words.lines_of(further):
            if not words.marked(found, line, kinds):
                key, _, value = line.partition(" ")
                if key == "side":
                    side, _, kind = value.partition(" ")
                    more["sides"] = {**more.get("sides", {}), side: kind}
                    continue
                if key not in FURTHER:
                    words.unknown("the piece", key, (*(piece.name for piece in found), *FURTHER, "side"))
                more[key] = value
        state = self._begun(case, more, found)
        state = self._peopled(state, more, found)
        for who, orders in words.standing((*words.lines_of(given.get("standing", ())), *standing)).items():
            state = self._ordered(state, who, orders)
        return _in_sight(state)

    def _begun(self, case: Case, given: Mapping[str, Any], found: Sequence[words.Piece]) -> State:
        """The battle without its forces."""
        kinds: dict[str, str] = dict(given.get("sides", {}))
        for kind in kinds.values():
            if kind not in get_args(Side):
                words.unknown("the kind of side", kind, get_args(Side))
        for piece in found:
            kinds.setdefault(piece.side, "indigenous" if piece.side in INDIGENOUS else "regular")
        if len(kinds) < 2:
            kinds.setdefault("guerrilla", "indigenous")
            kinds.setdefault("regular", "regular")
        commands = {piece.command: piece.side for piece in found}
        commands.update({side: side for side in kinds if side not in commands.values()})
        is_open = given.get("play", "blind") == "open"
        if given.get("play", "blind") not in ("open", "blind"):
            words.unknown("the play", str(given["play"]), ("open", "blind"))
        width, depth = _table(given.get("table", (72, 48)))
        ground = words.terrain(words.lines_of(given.get("terrain", "")), tables_kinds())
        ground["terrain"] += words.ground_under(found)
        data: dict[str, Any] = {
            "scenario": {
                "key": case.case.lower(),
                "title": case.title,
                "turns": given.get("turns", 20),
                "wind": given.get("wind", 0),
            },
            "options": {"hidden": "cards" if given.get("cards") else "map", **given.get("options", {})},
            "table": {"width": width, "depth": depth},
            **ground,
            "side": [
                {"key": side, "name": side, "kind": kind, "assume": given.get("assume", {}).get(side, {})}
                for side, kind in kinds.items()
            ],
            "command": [
                {"key": name, "side": side, "name": name, "open": is_open or kinds[side] == "regular"}
                for name, side in commands.items()
            ],
            **{key: given[key] for key in ("zone", "objective", "book") if key in given},
        }
        setting = reading.read(data, file=case.case)
        return PACKAGE.begin(setting, lambda key: key)

    def _peopled(self, state: State, given: Mapping[str, Any], found: Sequence[words.Piece]) -> State:
        """The battle with its forces, in the phase given."""
        setting = setting_of(state)
        sides = sorted(setting.sides, key=lambda side: setting.sides[side].kind != "regular")
        active = str(given.get("active", sides[0]))
        if active not in sides:
            words.unknown("the side", active, sides)
        phase = str(given.get("phase", "firing"))
        if phase not in (*PHASE_WORDS, NOT_BEGUN):
            words.unknown("the phase", phase, (*PHASE_WORDS, NOT_BEGUN))
        turn = words.whole(given.get("turn", 1))
        for key, known in (("hour", get_args(Hour)), ("weather", get_args(Weather))):
            if given.get(key, known[0]) not in known:
                words.unknown(f"the {key}", str(given[key]), known)
        for key in ("plans_only", "heard_gunfire"):
            for name in given.get(key, ()):
                if name not in setting.commands:
                    words.unknown("the command", str(name), setting.commands)
        state = with_public(state, hour=given.get("hour", "day"), weather=given.get("weather", "clear"))
        if phase == NOT_BEGUN:
            for key in ("active", "turn"):
                if key in given:
                    raise CaseFault(f"a battle that has not begun has no {key!r} yet", at=NOT_BEGUN)
        else:
            state = with_public(
                state,
                order=tuple(sides),
                active=active,
                phase=PHASE_WORDS[phase],
                turn=turn,
                player_turn=(turn - 1) * len(sides) + sides.index(active) + 1,
            )
        men: dict[str, Figure] = {}
        for piece in found:
            if piece.kind == "figure":
                is_open = setting.commands[piece.command].is_open
                man = words.figure_of(piece, 0, not is_open and not piece.is_hidden)
                until = turn if man.side == active else pin_until(state, man)
                men[man.id] = replace(man, pinned_until=until if man.pinned else 0)
        units = words.squads_of(found, men)
        under_counter = {man for piece in found if piece.kind == "counter" for man in piece.of}
        in_cards = setting.options.hidden == "cards"
        beneath = {piece.squad for piece in found if piece.kind == "card" and piece.squad}
        for man in list(men.values()):
            if man.squad in beneath and next(each for each in found if each.name == man.id).is_hidden is None:
                men[man.id] = replace(man, is_placed=False)
        is_public = {
            name: setting.commands[man.command].is_open and name not in under_counter for name, man in men.items()
        }
        state = with_public(
            state,
            figures=ordered({name: man for name, man in men.items() if is_public[name]}),
            squads=ordered({unit.id: unit for unit in units if setting.commands[unit.command].is_open}),
        )
        for name, command in setting.commands.items():
            mine = [piece for piece in found if piece.command == name]
            part: CommandPart = replace(
                state.commands[name],
                figures=ordered({key: man for key, man in men.items() if man.command == name and not is_public[key]}),
                squads=ordered({unit.id: unit for unit in units if unit.command == name and not command.is_open}),
                cards=ordered({each.name: words.card_of(each, in_cards) for each in mine if each.kind == "card"}),
                counters=ordered({each.name: words.counter_of(each) for each in mine if each.kind == "counter"}),
                has_plans_only=name in given.get("plans_only", ()),
                heard_fire=state.public.player_turn if name in given.get("heard_gunfire", ()) else 0,
            )
            state = with_part(state, name, part)
        return _planned(state, given.get("plan", ()))

    def _ordered(self, state: State, who: str, orders: Any) -> State:
        """Standing orders of a command or a squad."""
        if who in state.commands:
            name, force = who, ""
        else:
            unit = next((unit for unit in squads(state) if unit.id == who), None)
            if unit is None:
                words.unknown("the command or squad", who, (*state.commands, *(each.id for each in squads(state))))
            name, force = unit.command, unit.id
        part = state.commands[name]
        return with_part(state, name, replace(part, standing=ordered({**part.standing, force: orders})))

    def seats(self, state: State) -> Mapping[str, Seat]:
        setting = setting_of(state)
        found = {name: Seat(name=name, commands=(name,)) for name in setting.commands}
        for side in setting.sides:
            mine = tuple(name for name, command in setting.commands.items() if command.side == side)
            found[side] = Seat(name=side, commands=mine)
        return {**found, "umpire": Seat(name="umpire", role="umpire", commands=tuple(setting.commands))}

    # Orders

    def order(self, state: State, seat: Seat, order: Mapping[str, Any]) -> Mapping[str, Any]:
        return {key: self._value(state, seat, key, value) for key, value in order.items()}

    def _value(self, state: State, seat: Seat, key: str, value: Any) -> Any:
        if key in ("at", "withdraw_to") and isinstance(value, list):
            return [words.length(each) for each in value]
        if key == "path":
            return [[words.length(each) for each in point] for point in value]
        if key == "paths":
            return {name: [[words.length(each) for each in point] for point in path] for name, path in value.items()}
        if key == "fire_range":
            return words.length(value)
        if key in ("legs", "standing", "plan"):
            return _lengths(value)
        if isinstance(value, str):
            return self._name(state, seat, value)
        if isinstance(value, list):
            return [self._name(state, seat, each) if isinstance(each, str) else each for each in value]
        return value

    def _name(self, state: State, seat: Seat, name: str) -> str:
        """What the seat calls a piece: by its alias where it is another's and hidden."""
        if seat.role == "umpire":
            return name
        return next((alias for each in seat.commands if (alias := alias_of(state, each, name))), name)

    # What follows

    def holds(self, before: State, state: State, entries: Sequence[Entry], line: str) -> str:
        text = " ".join(line.split())
        if found := re.fullmatch(r"points (\S+) = (-?\d+)", text):
            return self._points(state, found[1], int(found[2]))
        if found := re.fullmatch(r"(\w+) = (.+)", text):
            return case_values.told(state, entries, found[1], found[2])
        if found := re.fullmatch(r"(\S+) (does not see|sees) (\S+|squad \S+)(?: at (\S+))?", text):
            return self._sees(state, found[1], found[2] == "sees", found[3], found[4])
        if found := re.fullmatch(r"(\S+) (hears nothing|hears (.+))", text):
            return self._hears(state, found[1], found[3])
        if found := re.fullmatch(r"(\S+) is (not )?told (.+)", text):
            return self._told(state, entries, found[1], not found[2], found[3])
        if found := re.fullmatch(r"(squad \S+|\S+) gone", text):
            there = has_figure(state, found[1]) or any(
                each.id == found[1] for each in (*cards(state), *counters(state))
            )
            return f"{found[1]} is still there" if there else ""
        return self._is_so(state, text)

    def _is_so(self, state: State, text: str) -> str:
        first, *rest = text.split(", ")
        found = re.fullmatch(r"(squad \S+|\S+) (.+)", first)
        if found is None:
            words.unknown("the line", text, ("NAME pinned", "NAME at X,Y", "SIDE sees NAME", "WORD = VALUE"))
        for what in (found[2], *rest):
            if instead := case_values.state_of(state, found[1], what):
                return instead
        return ""

    def _command(self, state: State, name: str) -> list[str]:
        setting = setting_of(state)
        mine = [key for key, command in setting.commands.items() if name in (key, command.side)]
        if not mine:
            words.unknown("the side", name, (*setting.commands, *setting.sides))
        return mine

    def _points(self, state: State, side: str, wanted: int) -> str:
        points = PACKAGE.outcome(state).points
        if side not in points:
            words.unknown("the side", side, points)
        return "" if points[side] == wanted else f"{side} has {points[side]} points"

    def _sees(self, state: State, who: str, wanted: bool, name: str, at: str | None) -> str:
        known: set[str] = {man.id for man in figures(state)} | {each.id for each in (*cards(state), *counters(state))}
        if name not in known:
            words.unknown("the piece", name, known)
        for command in self._command(state, who):
            contact = _contact(state, command, name)
            is_open = name in state.public.figures
            if (contact is not None or is_open) != wanted:
                return f"{command} {'does not see' if wanted else 'sees'} {name}"
            if at is not None:
                place = words.place(at)
                seen = contact.at if contact is not None else figure(state, name).at
                if place is None or tuple(seen) != place:
                    return f"{command} sees {name} at {_inches(seen)}"
        return ""

    def _hears(self, state: State, who: str, what: str | None) -> str:
        for command in self._command(state, who):
            heard = [each for each in state.commands[command].contacts.values() if each.status == "heard"]
            kinds = [str(each.looks.get("noise", "")) for each in heard]
            if what is None and heard:
                return f"{command} hears {', '.join(kinds)}"
            if what is not None and not any(what in ("a noise", kind, kind.replace("_", " ")) for kind in kinds):
                return f"{command} hears {', '.join(kinds) or 'nothing'}"
        return ""

    def _told(self, state: State, entries: Sequence[Entry], who: str, wanted: bool, what: str) -> str:
        for command in self._command(state, who):
            said = [
                str(entry.event.report.values.get("text", entry.event.report.key))
                for entry in entries
                if isinstance(entry, Happened | Corrected)
                and isinstance(entry.event, Told)
                and entry.event.command == command
            ]
            if any(what.strip("\"'").lower() in each.lower() for each in said) != wanted:
                return f"{command} is told: {' '.join(said) or 'nothing'}"
        return ""

    # Values

    def ask(self, state: State, ask: Mapping[str, Any], source: ScriptedDice) -> Any:
        return case_values.asked(state, ask, source)

    def workings(self, entries: Sequence[Entry]) -> Mapping[str, Sequence[Modifier]]:
        """The modifiers of rolls by purpose, and under `fire_points` the working of the last fire's points."""
        found: dict[str, Sequence[Modifier]] = {
            entry.roll.purpose: entry.roll.modifiers for entry in entries if isinstance(entry, Thrown)
        }
        for entry in entries:
            if isinstance(entry, Happened) and isinstance(entry.event, events.HitsScored):
                found["fire_points"] = entry.event.working
        return found


def _table(size: Any) -> tuple[Any, Any]:
    if not isinstance(size, list | tuple) or len(size) != 2 or not all(isinstance(each, int | float) for each in size):
        raise CaseFault(f"the table is its width and depth in inches, such as [72, 48], not {size!r}", at="table")
    return size[0], size[1]


def tables_kinds() -> Any:
    """The kinds of ground of the shipped book."""
    from fireforce.tables import Tables

    return Tables(core_book()).kinds


def _contact(state: State, command: str, name: str) -> Contact | None:
    alias = alias_of(state, command, name)
    found = state.commands[command].contacts.get(alias) if alias else None
    return found if found is not None and found.status == "in_sight" else None


def _in_sight(state: State) -> State:
    """The state with the contacts of all that is on the table, each under its own name."""
    cause = events.BattleBegan(order=state.public.order)
    for event in PACKAGE.notice(state, cause, state):
        if isinstance(event, Sighted):
            named = replace(event, contact=replace(event.contact, alias=event.subject))
            state = applied(PACKAGE, state, named)
    return state


def _inches(at: Iterable[int]) -> str:
    return ",".join(f"{each / 100:g}" for each in at)


def _lengths(value: Any) -> Any:
    """Places and lengths of plans and standing orders in hundredths."""
    if isinstance(value, Mapping):
        return {
            key: words.length(inner)
            if key == "fire_range"
            else [words.length(each) for each in inner]
            if key == "withdraw_to" and inner is not None
            else [[words.length(each) for each in point] for point in inner]
            if key == "path"
            else _lengths(inner)
            for key, inner in value.items()
        }
    return [_lengths(each) for each in value] if isinstance(value, list) else value


def _planned(state: State, plans: Sequence[Mapping[str, Any]]) -> State:
    """The umpire's plans of `plan` in [given], in the form of scenario files."""
    made: dict[str, Plan] = {}
    for each in plans:
        read = typed(each, form.PlanForm, "plan")
        try:
            owner = squad(state, read.force).command
        except KeyError:
            owner = card(state, read.force).command
        made[read.force] = Plan(
            force=read.force,
            command=owner,
            legs=tuple(
                Leg(
                    path=tuple((words.length(x), words.length(y)) for x, y in leg.path),
                    pace="halt" if leg.halt else leg.pace,
                    turns=leg.halt,
                )
                for leg in read.legs
            ),
            is_held=read.held,
            on_contact=read.on_contact,
            on_signal=dict(sorted(read.on_signal.items())),
            withdraw_to=None
            if read.withdraw_to is None
            else (words.length(read.withdraw_to[0]), words.length(read.withdraw_to[1])),
            fire=read.fire,
            fire_range=words.length(read.range),
            targets=read.targets,
            note=read.note,
        )
    return replace(state, umpire=replace(state.umpire, plans=dict(sorted(made.items()))))


def install() -> None:
    """Makes FireForce's words known to the case runner; may be called again."""
    cases.register("fireforce", FireForceWords())


install()
