"""What the conformance suite has to know of Skirmish. The judgement of `tells` is written anew here, not asked of
`notice`: who may learn what, from where everybody stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from umpire.kernel.events import Event
from umpire.kernel.pieces.events import Boarded, Lent, PutDown
from umpire.kernel.settings import Setting
from umpire.kernel.states import Seat, slice_of
from umpire.kernel.values.maps import ordered
from umpire.testing.conformance.fixture import Attack, Conformance, Perft, Shown, Tells
from umpire.testing.skirmish import PACKAGE
from umpire.testing.skirmish.events import (
    Carried,
    Fired,
    Met,
    PlanEnded,
    PlanGiven,
    Revealed,
    StandingOrdersGiven,
    UnitEvent,
    WindowClosed,
)
from umpire.testing.skirmish.knowledge import another, believed
from umpire.testing.skirmish.state import (
    Believed,
    Lane,
    Plan,
    Secrets,
    Start,
    State,
    Unit,
    Wagon,
    is_open,
    lane_of,
    units,
)

COMMANDS = {"blue_1": "blue", "blue_2": "blue", "red_1": "red", "red_2": "red"}
SEATS = {
    **{command: Seat(name=command, commands=(command,)) for command in COMMANDS},
    "gallery": Seat(name="gallery", role="observer"),
    "umpire": Seat(name="umpire", role="umpire"),
}


def the_lane(*, blind: bool) -> Setting:
    return PACKAGE.load(PACKAGE.scenarios()["the-lane"], file="the-lane", options={"blind": blind})


def the_alley() -> Setting:
    """Woods on both hands of an open stretch, and somebody in each: whoever moves may be shot at by the unseen."""
    starts = (
        Start(key="ash", command="blue_1", at=2, name="Ash's section"),
        Start(key="birch", command="blue_2", at=7, name="Birch's section"),
        Start(key="rowan", command="red_1", at=5, name="Rowan's section"),
        Start(key="thorn", command="red_2", at=0, name="Thorn's band", plan=Plan(goal=4, on_contact="ask")),
    )
    lane = Lane(title="The Alley", length=8, turns=4, blind=True, commands=ordered(COMMANDS), woods=(0, 1, 4, 5))
    return Setting(public=lane, umpire=Secrets(units=starts, events={"6": "A gate that has been forced."}))


def the_convoy() -> Setting:
    """Two wagons of one side with people inside and on top, and one of the other; foot of both beside them."""
    starts = (
        Start(key="cart", command="blue_1", at=1, name="Blue's cart", kind="wagon"),
        Start(key="ash", command="blue_1", at=1, name="Ash's section", aboard="cart"),
        Start(key="birch", command="blue_1", at=1, name="Birch's section", aboard="cart", how="on_top"),
        Start(key="cedar", command="blue_2", at=2, name="Cedar's scouts", steps=1),
        Start(key="dray", command="red_1", at=5, name="Red's dray", kind="wagon", steps=1),
        Start(key="rowan", command="red_1", at=5, name="Rowan's section", aboard="dray", how="in_back"),
        Start(key="thorn", command="red_2", at=6, name="Thorn's band"),
        Start(key="willow", command="red_2", at=8, name="Willow's band", steps=1, plan=Plan(goal=1)),
    )
    lane = Lane(title="The Convoy", length=9, turns=5, blind=True, commands=ordered(COMMANDS), woods=(4,))
    return Setting(public=lane, umpire=Secrets(units=starts))


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
        case WindowClosed():
            return "nothing"
        case Lent(pieces=pieces, to=to):
            return "known" if command in (to, *(units(before)[each].command for each in pieces)) else "nothing"
        case Boarded(pieces=pieces, by=by):
            return _told_of_ride(before, after, command, (*pieces, by))
        case PutDown(pieces=pieces, out_of=wagon):
            return _told_of_ride(before, after, command, (*pieces, wagon))
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


def _told_of_ride(before: State, after: State, command: str, names: tuple[str, ...]) -> Tells:
    """Who boards or gets out in its view, or comes into it, tells it something new, unless all that it sees looks as
    before."""
    if shown(before, command) != shown(after, command):
        return "new"
    everybody = units(before)
    own = (each in everybody and command in (everybody[each].command, everybody[each].home) for each in names)
    return "known" if any(own) or all(is_open(before, each) for each in names) else "nothing"


def _in_view(state: State, command: str) -> Mapping[str, Unit]:
    """The hidden units of others that some unit of a command can see: two hexes far, one into woods."""
    looking = (unit for unit in units(state).values() if unit.hold is None or unit.hold.how == "on_top")
    mine = [unit.hex for unit in looking if unit.command == command]
    woods = lane_of(state).woods
    return {
        name: unit
        for name, unit in units(state).items()
        if unit.command != command
        and unit.hold is None
        and not is_open(state, name)
        and any(abs(unit.hex - at) <= (1 if unit.hex in woods else 2) for at in mine)
    }


def shown(state: State, command: str) -> Shown:
    """A unit shows its side, a wagon also how many ride in its back and who rides on top."""
    return {
        name: (
            "wagon" if isinstance(unit, Wagon) else "unit",
            unit.at,
            ordered({"side": unit.side, **_riders(state, name)}),
        )
        for name, unit in _in_view(state, command).items()
    }


def _riders(state: State, wagon: str) -> dict[str, int]:
    riders = [unit for unit in units(state).values() if unit.hold is not None and unit.hold.by == wagon]
    words = {"in_back": {1: "in the back", 2: "in the back"}, "on_top": {1: "on top, weak", 2: "on top"}}
    return dict(Counter(words[unit.hold.how][unit.steps] for unit in riders if unit.hold and unit.hold.how in words))


def conceded(state: State) -> Any:
    """Whose turn it is, who has ended it, whether the battle is over; in an open battle what standing orders answer."""
    public = state.public
    answers = [] if lane_of(state).blind else [part.fire for part in state.commands.values()]
    return [public.turn, public.side, public.done, public.is_over, public.winner, answers]


def corrections(state: State, random: Random) -> Sequence[Mapping[str, Any]]:
    """Remove any unit, weaken it, or move it to where there is room, or to others of its own though there is none."""
    found: list[Mapping[str, Any]] = []
    taken = {unit.hex for unit in units(state).values()}
    free = [at for at in range(lane_of(state).length) if at not in taken]
    for name in units(state):
        found.append({"verb": "remove", "unit": name})
        found.append({"verb": "set_steps", "unit": name, "steps": random.randint(1, 2)})
        if free:
            found.append({"verb": "place", "unit": name, "at": random.choice(free)})
        own = [unit.hex for unit in units(state).values() if unit.command == units(state)[name].command]
        found.append({"verb": "place", "unit": name, "at": random.choice(own)})
    return found


def plant(state: State, command: str, word: Callable[[], str]) -> State:
    """Unique words as names of all hidden units of other commands, and as their heroes."""
    commands = {}
    for name, part in state.commands.items():
        if name != command:
            named = {key: replace(unit, name=word(), hero=word()) for key, unit in part.pieces.items()}
            part = replace(part, pieces=named)
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
            path = [[unit.hex + step * n, 0] for n in (1, 2, 3)]
            found.extend({"verb": "move", "unit": unit.id, "path": path[:n]} for n in (1, 2, 3))
            found.append({"verb": "assault", "unit": unit.id, "at": path[0]})
        contacts = [alias for command in seat.commands for alias in known.commands[command].contacts]
        found.extend({"verb": "fire", "unit": unit.id, "target": name} for name in (*contacts, "nobody"))
        found.append({"verb": "give_plan", "unit": unit.id, "goal": random.randint(-1, 20), "on_contact": "ask"})
    return found


def hidden_ids(state: State, commands: tuple[str, ...]) -> Iterable[str]:
    """The ids of others' hidden units."""
    return [unit.id for unit in units(state).values() if unit.command not in commands and not is_open(state, unit.id)]


def secret_texts(setting: Setting) -> Iterable[str]:
    """What waits on the lane, and the names of all units."""
    return [*setting.umpire.events.values(), *(start.name for start in setting.umpire.units)]


BLUE, RED = SEATS["blue_1"], SEATS["red_1"]


def _lane(*starts: Start, length: int, turns: int = 1, woods: tuple[int, ...] = ()) -> Setting:
    commands = {start.command: start.command.partition("_")[0] for start in starts}
    lane = Lane(title="A lane", length=length, turns=turns, blind=False, commands=ordered(commands), woods=woods)
    return Setting(public=lane, umpire=Secrets(units=starts))


def _start(key: str, at: int, steps: int = 1) -> Start:
    return Start(key=key, command="red_1" if key in "xyz" else "blue_1", at=at, name=key.upper(), steps=steps)


def attacks() -> Sequence[Attack]:
    """Fire at a pair in woods, where a hero may rise and the enemy says who is hit; a melee; a move that draws fire."""
    near = _lane(_start("a", 2), _start("b", 2), _start("x", 4), _start("y", 4, 2), length=8, woods=(4,))
    beside = _lane(_start("a", 3), _start("x", 4), length=8)
    return [
        Attack(name="fire", believed=_seen(near), seat=BLUE, order={"verb": "fire", "unit": "a", "target": "y"}),
        Attack(name="melee", believed=_seen(beside), seat=BLUE, order={"verb": "assault", "unit": "a", "at": [4, 0]}),
        Attack(name="move", believed=_seen(near), seat=BLUE, order={"verb": "move", "unit": "a", "path": [[3, 0]]}),
    ]


def _seen(setting: Setting) -> Believed:
    return believed(slice_of(PACKAGE.begin(setting, lambda key: key), BLUE.commands))


PERFTS = (
    # Before any order 7 states by standing orders (4 for one side or the other), 1 when blue ends its turn.
    # A moves to 1: missed or not shot at, 2; shot and fallen, 1, or with one of three heroes, 3. On to 0 (shot at by
    # nobody, or missed): 2 more, and back to 1: 2 more; who falls there falls alike. A fires at X: missed 1, hit 1,
    # hit with a hero 3. In all 7 + 1 + 6 + 2 + 2 + 5.
    Perft(
        name="two hexes apart",
        setting=lambda: _lane(_start("a", 0), _start("x", 2), length=3),
        seats={"blue_1": BLUE, "red_1": RED},
        counts=(23,),
    ),
    # One order: standing orders 7, end of turn 1, fire 5, melee won or lost 2. Two orders: both sides' standing orders
    # 16; from the 7 of them the end of turn 7, fire 35, melee 14; in red's turn fire 5, melee 2, the end 1. (Standing
    # orders after fire, or in red's turn, come to what is counted; so does the end of turn after fire.)
    Perft(
        name="side by side",
        setting=lambda: _lane(_start("a", 0), _start("x", 1), length=2),
        seats={"blue_1": BLUE, "red_1": RED},
        counts=(15, 80),
    ),
)


CONFORMANCE = Conformance(
    package=PACKAGE,
    another=another,
    settings={
        "blind": lambda: the_lane(blind=True),
        "open": lambda: the_lane(blind=False),
        "alley": the_alley,
        "convoy": the_convoy,
    },
    seats=SEATS,
    tells=tells,
    shown=shown,
    conceded=conceded,
    ids=hidden_ids,
    corrections=corrections,
    plant=plant,
    probes=probes,
    attacks=attacks,
    secret_texts=secret_texts,
    modules=("umpire.testing.skirmish",),
    steady=("blind", "alley", "convoy"),
    perfts=PERFTS,
    orders=1_500,
)
