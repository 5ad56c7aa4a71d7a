"""The battle of a case file: made of the keys of `[given]` and of its pieces. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from msgspec.structs import replace

from fireforce.book.kinds import Kinds
from fireforce.book.rows import Hour, Side
from fireforce.happening.changing import (
    with_part,
    with_public,
)
from fireforce.happening.turn import BattleBegan
from fireforce.package import PACKAGE
from fireforce.rules.turn.turn_sequence import pin_until
from fireforce.scenarios import form, parsing
from fireforce.state.battle import (
    PHASES,
    CommandPart,
    Figure,
    Leg,
    Phase,
    Plan,
    State,
    Weather,
)
from fireforce.state.finding import (
    card,
    squad,
    squads,
)
from fireforce.state.setting import Unit, setting_of
from fireforce.testing.cases.ground import ground_lines, ground_under, terrain
from fireforce.testing.cases.marks import Piece
from fireforce.testing.cases.pieces import card_of, counter_of, figure_of, squads_of
from fireforce.testing.cases.words import length, named_in, plain
from umpire.kernel.events import Sighted
from umpire.kernel.ledger import applied
from umpire.kernel.settings import Setting
from umpire.kernel.values.maps import ordered
from umpire.kernel.values.written import typed
from umpire.testing.cases.running import Case, CaseFault
from umpire.testing.cases.words import lines_of, unknown, whole

INDIGENOUS: Final = (
    *("guerrilla", "guerrillas", "guerilla", "guerillas", "indigenous", "indig"),
    *("vc", "nva", "rebel", "rebels", "insurgent", "insurgents"),
)
"""Sides of these names are indigenous where the case does not say so itself."""
PHASE_WORDS: Final[Mapping[str, Phase]] = {
    **{phase.replace("_", " "): phase for phase in PHASES},
    "motivation and movement": "motivation_movement",
    "motivation/movement": "motivation_movement",
    "motivation": "motivation_movement",
    "movement": "motivation_movement",
    "search": "searching",
    "fire": "firing",
}
NOT_BEGUN: Final = "not begun"
"""The phase of a battle in which nobody has thrown for the first turn yet."""
WEATHERS: Final[Mapping[str, Weather]] = {
    **{word: word for word in get_args(Weather)},
    "raining": "rain",
    "dry": "clear",
    "fine": "clear",
}


# The setting


def begun(case: Case, given: Mapping[str, Any], found: Sequence[Piece], kinds: Kinds) -> State:
    """The battle without its forces."""
    sides = {str(side): plain(kind) for side, kind in given.get("sides", {}).items()}
    for kind in sides.values():
        if kind not in get_args(Side):
            unknown("the kind of side", kind, get_args(Side))
    for piece in found:
        sides.setdefault(piece.side, "indigenous" if plain(piece.side) in INDIGENOUS else "regular")
    if len(sides) < 2:
        sides.setdefault("guerrilla", "indigenous")
        sides.setdefault("regular", "regular")
    commands = {piece.command: piece.side for piece in found}
    commands.update({side: side for side in sides if side not in commands.values()})
    if plain(given.get("play", "blind")) not in ("open", "blind"):
        unknown("the play", str(given["play"]), ("open", "blind"))
    is_open = plain(given.get("play", "blind")) == "open"
    if not isinstance(given.get("cards", False), bool):
        raise CaseFault(f"cards are true or false, not {given['cards']!r}", at="cards")
    width, depth = _table(given.get("table", (72, 48)))
    secret = {piece.command for piece in found if piece.is_hidden and piece.kind == "figure"}
    ground = terrain(lines_of(ground_lines(given.get("terrain", ""))), kinds)
    ground["terrain"] += ground_under(found)
    data: dict[str, Any] = {
        "scenario": {
            "key": case.case.lower(),
            "title": case.title,
            "turns": whole(given.get("turns", 20)),
            "wind": whole(given.get("wind", 0)),
        },
        "options": {"hidden": "cards" if given.get("cards") else "map", **given.get("options", {})},
        "table": {"width": width, "depth": depth},
        **ground,
        "side": [
            {"key": side, "name": side, "kind": kind, "assume": given.get("assume", {}).get(side, {})}
            for side, kind in sides.items()
        ],
        "command": [
            {
                "key": name,
                "side": side,
                "name": name,
                "open": (is_open or sides[side] == "regular") and name not in secret,
            }
            for name, side in commands.items()
        ],
        **{key: given[key] for key in ("zone", "objective", "book") if key in given},
    }
    setting = parsing.read(data, file=case.case)
    return PACKAGE.begin(_with_units(setting, found), lambda key: key)


def _with_units(setting: Setting, found: Sequence[Piece]) -> Setting:
    """The setting with the squads of open commands where they begin: whence enemies come whom nobody has seen yet."""
    units = {
        piece.squad: Unit(
            key=piece.squad, command=piece.command, name=piece.squad, quality=piece.quality, at=piece.at, men=()
        )
        for piece in reversed(found)
        if piece.kind == "figure" and piece.squad and setting.public.commands[piece.command].is_open
    }
    return replace(setting, public=replace(setting.public, units=dict(sorted(units.items()))))


def _table(size: Any) -> tuple[Any, Any]:
    if isinstance(size, str) and (found := re.fullmatch(r"(\d+) ?x ?(\d+)", size)):
        return int(found[1]), int(found[2])
    if not isinstance(size, list | tuple) or len(size) != 2 or not all(isinstance(each, int | float) for each in size):
        raise CaseFault(f"the table is its width and depth in inches, such as [72, 48], not {size!r}", at="table")
    return size[0], size[1]


# The forces


def peopled(state: State, given: Mapping[str, Any], found: Sequence[Piece]) -> State:
    """The battle with its forces, in the phase given."""
    setting = setting_of(state)
    sides = sorted(setting.sides, key=lambda side: setting.sides[side].kind != "regular")
    active = str(given.get("active", sides[0]))
    if active not in sides:
        unknown("the side", active, sides)
    state = _at_time(state, given, sides, active)
    men: dict[str, Figure] = {}
    for piece in found:
        if piece.kind == "figure":
            is_open = setting.commands[piece.command].is_open
            man = figure_of(piece, 0, not is_open and not piece.is_hidden)
            until = state.public.turn if man.side == active else pin_until(state, man)
            men[man.id] = replace(man, pinned_until=until if man.pinned else 0)
    units = squads_of(found, men)
    under_counter = {man for piece in found if piece.kind == "counter" for man in piece.of}
    in_cards = setting.options.hidden == "cards"
    beneath = {piece.squad for piece in found if piece.kind == "card" and piece.squad}
    for man in list(men.values()):
        if man.squad in beneath and next(each for each in found if each.name == man.id).is_hidden is None:
            men[man.id] = replace(man, is_placed=False)
    is_public = {name: setting.commands[man.command].is_open and name not in under_counter for name, man in men.items()}
    state = with_public(
        state,
        figures=ordered({name: man for name, man in men.items() if is_public[name]}),
        squads=ordered({unit.id: unit for unit in units if setting.commands[unit.command].is_open}),
    )
    alone, heard = (_commands(state, given, key) for key in ("plans_only", "heard_gunfire"))
    for name, command in setting.commands.items():
        mine = [piece for piece in found if piece.command == name]
        part: CommandPart = replace(
            state.commands[name],
            figures=ordered({key: man for key, man in men.items() if man.command == name and not is_public[key]}),
            squads=ordered({unit.id: unit for unit in units if unit.command == name and not command.is_open}),
            cards=ordered({each.name: card_of(each, in_cards) for each in mine if each.kind == "card"}),
            counters=ordered({each.name: counter_of(each) for each in mine if each.kind == "counter"}),
            has_plans_only=name in alone,
            heard_fire=state.public.player_turn if name in heard else 0,
        )
        state = with_part(state, name, part)
    return _planned(state, given.get("plan", ()))


def _at_time(state: State, given: Mapping[str, Any], sides: Sequence[str], active: str) -> State:
    """The battle in its turn and phase, at its hour and in its weather."""
    said = plain(given.get("phase", "firing"))
    phase = said.removesuffix(" phase")
    if phase not in (*PHASE_WORDS, NOT_BEGUN):
        unknown("the phase", str(given["phase"]), (*PHASE_WORDS, NOT_BEGUN))
    turn = whole(given.get("turn", 1))
    hour, weather = plain(given.get("hour", "day")), plain(given.get("weather", "clear"))
    if hour not in get_args(Hour):
        unknown("the hour", str(given["hour"]), get_args(Hour))
    if weather not in WEATHERS:
        unknown("the weather", str(given["weather"]), WEATHERS)
    state = with_public(state, hour=hour, weather=WEATHERS[weather])
    if phase == NOT_BEGUN:
        for key in ("active", "turn"):
            if key in given:
                raise CaseFault(f"a battle that has not begun has no {key!r} yet", at=NOT_BEGUN)
        return state
    return with_public(
        state,
        order=tuple(sides),
        active=active,
        phase=PHASE_WORDS[phase],
        turn=turn,
        player_turn=(turn - 1) * len(sides) + sides.index(active) + 1,
    )


def _commands(state: State, given: Mapping[str, Any], key: str) -> set[str]:
    """The commands that a key names, by themselves or by their side. Raises CaseFault."""
    setting = setting_of(state)
    found: set[str] = set()
    for name in named_in(given.get(key, ())):
        mine = [each for each, command in setting.commands.items() if name in (each, command.side)]
        if not mine:
            unknown("the command", name, setting.commands)
        found.update(mine)
    return found


def in_sight(state: State) -> State:
    """The state with the contacts of all that is on the table, each under its own name."""
    cause = BattleBegan(order=state.public.order)
    for event in PACKAGE.notice(state, cause, state):
        if isinstance(event, Sighted):
            named = replace(event, contact=replace(event.contact, alias=event.subject))
            state = applied(PACKAGE, state, named)
    return state


# Orders that stand


def ordered_to(state: State, who: str, orders: Any) -> State:
    """Standing orders of a command or a squad."""
    if who in state.commands:
        name, force = who, ""
    else:
        unit = next((unit for unit in squads(state) if unit.id == who), None)
        if unit is None:
            unknown("the command or squad", who, (*state.commands, *(each.id for each in squads(state))))
        name, force = unit.command, unit.id
    part = state.commands[name]
    return with_part(state, name, replace(part, standing=ordered({**part.standing, force: orders})))


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
                    path=tuple((length(x), length(y)) for x, y in leg.path),
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
            else (length(read.withdraw_to[0]), length(read.withdraw_to[1])),
            fire=read.fire,
            fire_range=length(read.range),
            targets=read.targets,
            note=read.note,
        )
    return replace(state, umpire=replace(state.umpire, plans=dict(sorted(made.items()))))
