"""What the conformance suite has to know of Skirmish. The judgement of `tells` is written anew here, not asked of
`notice`: who may learn what, from where everybody stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from umpire.kernel.events import Event
from umpire.kernel.maps import ordered
from umpire.kernel.settings import Setting
from umpire.kernel.states import Seat, slice_of
from umpire.kernel.testing.conformance import Attack, Conformance, Tells
from umpire.kernel.testing.skirmish import PACKAGE
from umpire.kernel.testing.skirmish.events import (
    Carried,
    Fired,
    Met,
    PlanEnded,
    PlanGiven,
    Revealed,
    StandingOrdersGiven,
    UnitEvent,
)
from umpire.kernel.testing.skirmish.knowledge import believed
from umpire.kernel.testing.skirmish.state import Believed, Lane, Secrets, Start, State, Unit, is_open, lane_of, units

COMMANDS = {"blue_1": "blue", "blue_2": "blue", "red_1": "red", "red_2": "red"}
SEATS = {
    **{command: Seat(name=command, commands=(command,)) for command in COMMANDS},
    "gallery": Seat(name="gallery", role="observer"),
    "umpire": Seat(name="umpire", role="umpire"),
}


def the_lane(*, blind: bool) -> Setting:
    return PACKAGE.load(PACKAGE.scenarios()["the-lane"], file="the-lane", options={"blind": blind})


def tells(before: State, event: Event, after: State, command: str) -> Tells:
    """What an event may tell a command.

    What happens to open and to its own units, and the passing of turns, it knows. It learns something new of hidden
    units when they come into its view, act in its view, are revealed, fire (it hears that) or bar its way, and when its
    unit meets what waited on the lane."""
    match event:
        case StandingOrdersGiven(command=giver):
            return "known" if giver == command else "nothing"
        case PlanGiven(unit=name) | PlanEnded(unit=name) | Carried(unit=name):
            return "known" if units(before)[name].command == command else "nothing"
        case Revealed():
            return "new"
        case UnitEvent(unit=name):
            return _told_of_unit(before, event, after, command, name)
        case _:
            return "known"


def _told_of_unit(before: State, event: UnitEvent, after: State, command: str, name: str) -> Tells:
    unit = units(before)[name]
    was, now = _in_view(before, command), _in_view(after, command)
    is_known = unit.command == command or is_open(before, name)
    if set(now) - set(was):
        return "new"
    if isinstance(event, Met) and is_known:
        return "new"
    if is_known:
        return "known"
    return "new" if isinstance(event, Fired) or name in was else "nothing"


def _in_view(state: State, command: str) -> Mapping[str, Unit]:
    """The hidden units of others that some unit of a command can see: two hexes far, one into woods."""
    mine = [unit.at for unit in units(state).values() if unit.command == command]
    woods = lane_of(state).woods
    return {
        name: unit
        for name, unit in units(state).items()
        if unit.command != command
        and not is_open(state, name)
        and any(abs(unit.at - at) <= (1 if unit.at in woods else 2) for at in mine)
    }


def conceded(state: State) -> Any:
    """Whose turn it is, who has ended it, and whether the battle is over."""
    public = state.public
    return [public.turn, public.side, public.done, public.is_over, public.winner]


def corrections(state: State, random: Random) -> Sequence[Mapping[str, Any]]:
    """Remove any unit, weaken it, or move it to where there is room."""
    found: list[Mapping[str, Any]] = []
    taken = {unit.at for unit in units(state).values()}
    free = [at for at in range(lane_of(state).length) if at not in taken]
    for name in units(state):
        found.append({"verb": "remove", "unit": name})
        found.append({"verb": "set_steps", "unit": name, "steps": random.randint(1, 2)})
        if free:
            found.append({"verb": "place", "unit": name, "at": random.choice(free)})
    return found


def plant(state: State, command: str, word: Callable[[], str]) -> State:
    """Unique words as names of all hidden units of other commands, and as their heroes."""
    commands = {}
    for name, part in state.commands.items():
        if name != command:
            named = {key: replace(unit, name=word(), hero=word()) for key, unit in part.units.items()}
            part = replace(part, units=named)
        commands[name] = part
    return replace(state, commands=commands)


def probes(known: Believed, seat: Seat, random: Random) -> Sequence[Mapping[str, Any]]:
    """Moves to every hex, fire at what is remembered, assaults of empty hexes, and orders about nothing at all."""
    found: list[Mapping[str, Any]] = [
        {"verb": "end_turn", "command": "nobody"},
        {"verb": "move", "unit": "nobody", "path": [[1, 0]]},
        {"verb": "fly"},
    ]
    mine = [unit for unit in units(known).values() if unit.command in seat.commands]
    for unit in mine[:2]:
        for step in (-1, 1):
            path = [[unit.at + step * n, 0] for n in (1, 2, 3)]
            found.extend({"verb": "move", "unit": unit.id, "path": path[:n]} for n in (1, 2, 3))
            found.append({"verb": "assault", "unit": unit.id, "at": path[0]})
        contacts = [alias for command in seat.commands for alias in known.commands[command].contacts]
        found.extend({"verb": "fire", "unit": unit.id, "target": name} for name in (*contacts, "nobody"))
        found.append({"verb": "give_plan", "unit": unit.id, "goal": random.randint(-1, 20)})
    return found


def _a_lane(
    *starts: Start, length: int = 8, turns: int = 3, blind: bool = False, woods: tuple[int, ...] = ()
) -> Setting:
    commands = {start.command: start.command.partition("_")[0] for start in starts}
    lane = Lane(title="A lane", length=length, turns=turns, blind=blind, commands=ordered(commands), woods=woods)
    return Setting(public=lane, umpire=Secrets(units=starts))


def _believed(setting: Setting, seat: Seat) -> Believed:
    return believed(slice_of(PACKAGE.begin(setting, lambda key: key), seat.commands))


def attacks() -> Sequence[Attack]:
    """Fire at one unit and at a pair; a move under opportunity fire that may all be declined; a melee."""
    blue = Seat(name="blue_1", commands=("blue_1",))
    near = _a_lane(
        Start(key="a", command="blue_1", at=2, name="A"),
        Start(key="b", command="blue_1", at=2, name="B"),
        Start(key="x", command="red_1", at=4, name="X", steps=1),
        Start(key="y", command="red_1", at=4, name="Y"),
        woods=(4,),
    )
    beside = _a_lane(
        Start(key="a", command="blue_1", at=3, name="A"), Start(key="x", command="red_1", at=4, name="X", steps=1)
    )
    near, beside = _known(near), _known(beside)
    return [
        Attack(
            name="fire", believed=_believed(near, blue), seat=blue, order={"verb": "fire", "unit": "a", "target": "y"}
        ),
        Attack(
            name="melee",
            believed=_believed(beside, blue),
            seat=blue,
            order={"verb": "assault", "unit": "a", "at": [4, 0]},
        ),
        Attack(
            name="move",
            believed=_believed(near, blue),
            seat=blue,
            order={"verb": "move", "unit": "a", "path": [[3, 0]]},
        ),
    ]


def _known(setting: Setting) -> Setting:
    from umpire.kernel.settings import remember

    remember(setting)
    return setting


def perft_small() -> Setting:
    """Three hexes, one open unit of each side at the ends; one turn."""
    return _a_lane(
        Start(key="a", command="blue_1", at=0, name="A", steps=1),
        Start(key="x", command="red_1", at=2, name="X", steps=1),
        length=3,
        turns=1,
    )


CONFORMANCE = Conformance(
    package=PACKAGE,
    settings={"blind": lambda: the_lane(blind=True), "open": lambda: the_lane(blind=False)},
    seats=SEATS,
    tells=tells,
    conceded=conceded,
    ids=lambda state: list(units(state)),
    corrections=corrections,
    plant=plant,
    probes=probes,
    attacks=attacks,
    modules=("umpire.kernel.testing.skirmish",),
    steady=("blind",),
    orders=1_500,
)
