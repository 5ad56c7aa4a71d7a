"""The battle of a case of FireForce: made of the keys of `[given]` and of its pieces. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from msgspec.structs import replace

from fireforce.book.rows import Hour, Side
from fireforce.book.tables import Tables, core_book
from fireforce.happening.turn import BattleBegan
from fireforce.package import PACKAGE
from fireforce.rules.turn.turn_sequence import pin_until
from fireforce.scenarios import form, parsing
from fireforce.state.battle import (
    PHASES,
    AnyPiece,
    Card,
    Counter,
    Figure,
    Leg,
    Phase,
    Plan,
    Squad,
    Standing,
    State,
    Weather,
)
from fireforce.state.finding import card, squad, squads
from fireforce.state.setting import Unit, setting_of
from fireforce.testing.cases.ground import ground_lines, terrain
from fireforce.testing.cases.pieces import Piece, Reader, card_of, figure_of, squads_of
from umpire.kernel.events import Sighted
from umpire.kernel.ledger import applied
from umpire.kernel.parts import with_part, with_plan, with_public
from umpire.kernel.values.maps import ordered
from umpire.kernel.values.written import typed
from umpire.testing.cases.form import Case
from umpire.testing.cases.orders import length
from umpire.testing.cases.words import CaseFault, lines_of, listed, one_of, plain, unknown, whole

AS_IN_SCENARIOS: Final = ("zone", "objective", "book")
FURTHER: Final = ("phase", "active", "hour", "weather", "turn", "turns", "wind", "play")
"""What further lines may set."""
GIVEN: Final = (
    *FURTHER,
    *AS_IN_SCENARIOS,
    *("cards", "table", "terrain", "sides", "pieces", "standing", "options", "assume", "plans_only", "heard_gunfire"),
    "plan",
)
INDIGENOUS: Final = ("guerrilla", "indigenous", "vc", "nva", "rebels", "insurgents")
"""Sides of these names are indigenous where the case does not say so itself."""
PHASE_WORDS: Final[Mapping[str, Phase]] = {
    **{plain(phase): phase for phase in PHASES},
    **dict.fromkeys(("motivation", "movement", "motivation and movement"), "motivation_movement"),
}
NOT_BEGUN: Final = "not begun"
"""The phase of a battle in which nobody has thrown for the first turn yet."""


def given_with(
    given: Mapping[str, Any], further: Sequence[str], first: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Piece], Reader]:
    """What is given with the further lines of a step, and what the first step says of phase and side where the case
    does not; its pieces. Raises CaseFault."""
    for key in given:
        if key not in GIVEN:
            unknown("in [given] the key", key, GIVEN)
    reader = Reader(Tables(core_book()).kinds, tuple(given.get("book", {}).get("weapons", ())))
    for line in lines_of(given.get("pieces", "")):
        reader.add(line)
    more = dict(given)
    for line in lines_of(further):
        if not reader.further(line):
            more |= _further(reader, line, more)
    is_begun = plain(more.get("phase", "")) != NOT_BEGUN
    return {**(first if is_begun else {}), **more}, reader.done(), reader


def _further(reader: Reader, line: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a further line sets that names no piece: `hour night`, `side north regular`, `regular heard gunfire`, or
    ground. Raises CaseFault."""
    key, _, value = line.partition(" ")
    if key == "side":
        side, _, kind = value.partition(" ")
        return {"sides": {**given.get("sides", {}), side: kind}}
    if value == "heard gunfire":
        return {"heard_gunfire": [*listed(given.get("heard_gunfire", ())), key]}
    if reader.is_ground(line):
        return {"terrain": [*ground_lines(given.get("terrain", ())), line]}
    if key not in FURTHER:
        names = [name for piece in reader.pieces for name in (piece.name, piece.squad) if name]
        unknown("the piece", " ".join(line.split()[:2]) if key == "squad" else key, (*names, *FURTHER, "side"))
    return {key: value.removeprefix("= ")}


def begun(case: Case, given: Mapping[str, Any], found: Sequence[Piece], reader: Reader) -> State:
    """The battle without its forces."""
    sides = {
        str(side): one_of("the kind of side", kind, get_args(Side)) for side, kind in given.get("sides", {}).items()
    }
    for piece in found:
        sides.setdefault(piece.side, "indigenous" if plain(piece.side) in INDIGENOUS else "regular")
    if len(sides) < 2:
        sides = {"guerrilla": "indigenous", "regular": "regular"} | sides
    commands = {piece.command: piece.side for piece in found}
    commands.update({side: side for side in sides if side not in commands.values()})
    is_open = one_of("the play", given.get("play", "blind"), ("open", "blind")) == "open"
    size = given.get("table", [72, 48])
    if not isinstance(size, list) or len(size) != 2 or not all(isinstance(each, int | float) for each in size):
        raise CaseFault(f"the table is its width and depth in inches, such as [72, 48], not {size!r}", at="table")
    if not isinstance(given.get("cards", False), bool):
        raise CaseFault(f"cards are true or false, not {given['cards']!r}", at="cards")
    secret = {piece.command for piece in found if piece.is_hidden and piece.kind is Figure}
    data: dict[str, Any] = {
        "scenario": {
            "key": case.case.lower(),
            "title": case.title,
            "turns": whole(given.get("turns", 20)),
            "wind": whole(given.get("wind", 0)),
        },
        "options": {"hidden": "cards" if given.get("cards") else "map", **given.get("options", {})},
        "table": {"width": size[0], "depth": size[1]},
        **terrain(reader, ground_lines(given.get("terrain", "")), found),
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
        **{key: given[key] for key in AS_IN_SCENARIOS if key in given},
    }
    setting = parsing.read(data, file=case.case)
    # Whence enemies come whom nobody has seen yet: from where the squads of open commands begin.
    units = {
        piece.squad: Unit(
            key=piece.squad,
            command=piece.command,
            name=piece.squad,
            quality=piece.man.get("quality", "trained"),
            at=piece.at,
            men=(),
        )
        for piece in reversed(found)
        if piece.kind is Figure and piece.squad and setting.public.commands[piece.command].is_open
    }
    public = replace(setting.public, units=dict(sorted(units.items())))
    return PACKAGE.begin(replace(setting, public=public), lambda key: key)


def peopled(state: State, given: Mapping[str, Any], found: Sequence[Piece]) -> State:
    """The battle with its forces, in the phase given."""
    setting = setting_of(state)
    sides = sorted(setting.sides, key=lambda side: setting.sides[side].kind != "regular")
    active = one_of("the side", given.get("active", sides[0]), sides)
    state = _at_time(state, given, sides, active)
    in_cards = setting.options.hidden == "cards"
    beneath = {piece.squad for piece in found if piece.kind is Card and piece.squad}
    men: dict[str, Figure] = {}
    for piece in found:
        if piece.kind is Figure:
            is_placed = not setting.commands[piece.command].is_open and not piece.is_hidden
            is_beneath = piece.squad in beneath and piece.is_hidden is None
            man = figure_of(piece, 0, is_placed and not is_beneath)
            until = state.public.turn if man.side == active else pin_until(state, man)
            men[man.id] = replace(man, pinned_until=man.pinned_until or until) if man.pinned else man
    pieces: list[AnyPiece] = [*men.values(), *squads_of(found, men)]
    for piece in found:
        if piece.kind is Card:
            pieces.append(card_of(piece, in_cards))
        elif piece.kind is Counter:
            pieces.append(Counter(id=piece.name, command=piece.command, at=piece.at, figures=piece.of))
    under_counter = {man for each in pieces if isinstance(each, Counter) for man in each.figures}
    public = {
        each.id: each
        for each in pieces
        if isinstance(each, Figure | Squad) and setting.commands[each.command].is_open and each.id not in under_counter
    }
    state = with_public(state, pieces=ordered(public))
    alone, heard = (_commands(state, given, key) for key in ("plans_only", "heard_gunfire"))
    for name in setting.commands:
        part = replace(
            state.commands[name],
            pieces=ordered({each.id: each for each in pieces if each.command == name and each.id not in public}),
            has_plans_only=name in alone,
            heard_fire=state.public.player_turn if name in heard else 0,
        )
        state = with_part(state, name, part)
    return _planned(state, given.get("plan", ()))


def _at_time(state: State, given: Mapping[str, Any], sides: Sequence[str], active: str) -> State:
    """The battle in its turn and phase, at its hour and in its weather."""
    hour = one_of("the hour", given.get("hour", "day"), get_args(Hour))
    state = with_public(
        state, hour=hour, weather=one_of("the weather", given.get("weather", "clear"), get_args(Weather))
    )
    said = plain(given.get("phase", "firing")).removesuffix(" phase")
    turn = whole(given.get("turn", 1))
    if said == NOT_BEGUN:
        for key in ("active", "turn"):
            if key in given:
                raise CaseFault(f"a battle that has not begun has no {key!r} yet", at=NOT_BEGUN)
        return state
    if said not in PHASE_WORDS:
        unknown("the phase", str(given["phase"]), (*PHASE_WORDS, NOT_BEGUN))
    number = (turn - 1) * len(sides) + sides.index(active) + 1
    phase = PHASE_WORDS[said]
    return with_public(state, order=tuple(sides), active=active, phase=phase, turn=turn, player_turn=number)


def _commands(state: State, given: Mapping[str, Any], key: str) -> set[str]:
    """The commands that a key names, by themselves or by their side. Raises CaseFault."""
    setting = setting_of(state)
    found: set[str] = set()
    for name in listed(given.get(key, ())):
        mine = [each for each, command in setting.commands.items() if name in (each, command.side)]
        found.update(mine or unknown("the command", name, setting.commands))
    return found


def _planned(state: State, plans: Sequence[Mapping[str, Any]]) -> State:
    """The umpire's plans of `plan` in [given], in the form of scenario files."""
    for each in plans:
        read = typed(each, form.PlanForm, "plan")
        is_squad = any(unit.id == read.force for unit in squads(state))
        owner = (squad if is_squad else card)(state, read.force).command
        plan = Plan(
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
            withdraw_to=read.withdraw_to and (length(read.withdraw_to[0]), length(read.withdraw_to[1])),
            fire=read.fire,
            fire_range=length(read.range),
            targets=read.targets,
            note=read.note,
        )
        state = with_plan(state, plan)
    return state


def in_sight(state: State) -> State:
    """The state with the contacts of all that is on the table, each under its own name."""
    for event in PACKAGE.notice(state, BattleBegan(order=state.public.order), state):
        if isinstance(event, Sighted):
            named = replace(event, contact=replace(event.contact, alias=event.subject))
            state = applied(PACKAGE, state, named)
    return state


def ordered_to(state: State, who: str, orders: Standing) -> State:
    """Standing orders of a command or a squad."""
    unit = next((unit for unit in squads(state) if unit.id == who), None)
    if who not in state.commands and unit is None:
        unknown("the command or squad", who, (*state.commands, *(each.id for each in squads(state))))
    name, force = (who, "") if unit is None else (unit.command, unit.id)
    part = state.commands[name]
    return with_part(state, name, replace(part, standing=ordered({**part.standing, force: orders})))
