"""What the conformance suite has to know of Lock 'n Load. What an event may tell is judged in
`lnl.testing.judgement`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pkgutil import walk_packages
from random import Random
from typing import Any

from msgspec.structs import replace

import lnl
from lnl.board.hexes import Place
from lnl.package import PACKAGE
from lnl.rules.movement.stacking import room_for
from lnl.state.battle import Believed, State, Unit
from lnl.state.finding import carried, commands_of, melee_at, side_of, units, units_at, works
from lnl.state.setting import ground_of, tables_of
from lnl.testing.judgement import ids, may_tell, seen
from lnl.testing.skirmish import SKIRMISH
from lnl.testing.twins import another
from umpire.kernel.codec import encode
from umpire.kernel.events import Event
from umpire.kernel.running import believed_of
from umpire.kernel.settings import Setting
from umpire.kernel.states import Seat
from umpire.kernel.values.maps import ordered
from umpire.testing.conformance.fixture import Attack, Conformance, Tells
from umpire.testing.play.battle import Play

SEATS = {
    "alpha": Seat(name="alpha", commands=("alpha",)),
    "berta": Seat(name="berta", commands=("berta",)),
    "gallery": Seat(name="gallery", role="observer"),
    "umpire": Seat(name="umpire", role="umpire"),
}


def skirmish(**options: Any) -> Setting:
    """Two small forces about a mill; in an open battle some Germans are hidden."""
    return PACKAGE.load(SKIRMISH, file="skirmish", options=options)


def tells(before: State, event: Event, after: State, command: str) -> Tells:
    """What an event may tell a command."""
    return may_tell(before, event, after, command)


def conceded(state: State) -> Any:
    """Turn, phase, whose impulse it is, passes, what stands high, control, and how the battle has ended; and which of
    several commands of a side has the impulse: the others feel that theirs comes to nothing (L10)."""
    public = state.public
    busy = [name for name, part in state.commands.items() if part.impulse is not None and _has_allies(state, name)]
    course = [public.turn, public.phase, public.active, public.held, public.passes, public.impulses, public.ended]
    return [
        course,
        public.smoke,
        public.star_shells,
        public.barrages,
        public.melees,
        public.control,
        public.result,
        busy,
    ]


def _has_allies(state: State, command: str) -> bool:
    return len(commands_of(state, side_of(state, command))) > 1


def hidden_ids(state: State, commands: tuple[str, ...]) -> list[str]:
    """The true ids of what others have that is not open."""
    return sorted(ids(state, [name for name in state.commands if name not in commands]))


# What the umpire, and odd players, do


def corrections(state: State, random: Random) -> Sequence[Mapping[str, Any]]:
    """Remove, move, show, hide and change any unit, also to where the rules let it not be; remove weapons and works."""
    found: list[Mapping[str, Any]] = []
    there = [each for each in units(state) if each.is_placed]
    for each in random.sample(there, min(5, len(there))):
        found.append({"verb": "Remove", "piece": each.id})
        found.append({"verb": "Change", "piece": each.id, "field": "fired", "value": random.random() < 0.5})
        is_open = each.id in state.public.pieces
        found.append({"verb": "Conceal" if is_open else "Reveal", "piece": each.id})
        place = _free(state, each, random)
        if place is not None and melee_at(state, each.at) is None:
            found.append({"verb": "MoveTo", "piece": each.id, "at": list(place)})
        found.append({"verb": "MoveTo", "piece": each.id, "at": list(random.choice(there).at)})
    found.extend({"verb": "Remove", "piece": work.id} for work in works(state) if work.kind != "bunker")
    found.append({"verb": "Change", "piece": "battle", "field": "hour", "value": random.choice(("day", "night"))})
    return found


def _free(state: State, each: Unit, random: Random) -> Place | None:
    """A place where a unit may be put."""
    hexes = [here for here in ground_of(state).hexes.values() if tables_of(state).terrain(here.terrain).leg >= 0]
    for here in random.sample(hexes, min(4, len(hexes))):
        place = (*here.at, random.choice(ground_of(state).levels(here.at)))
        is_held = any(other.side != each.side for other in units_at(state, place))
        if not is_held and not room_for(state, place, each.side, (each.id,)):
            return place
    return None


def plant(state: State, command: str, word: Callable[[], str]) -> State:
    """Unique words as names of all hidden units of other commands, and as notes of their plans."""
    parts = dict(state.commands)
    for name, part in parts.items():
        if name != command:
            parts[name] = replace(
                part,
                pieces={
                    key: replace(each, name=word()) if isinstance(each, Unit) else each
                    for key, each in part.pieces.items()
                },
                plans={key: replace(plan, note=word()) for key, plan in part.plans.items()},
            )
    plans = {
        key: plan if plan.command == command else replace(plan, note=word()) for key, plan in state.umpire.plans.items()
    }
    return replace(state, commands=ordered(parts), umpire=replace(state.umpire, plans=plans))


def probes(believed: Believed, seat: Seat, random: Random) -> Sequence[Mapping[str, Any]]:
    """Moves to odd places, shots and looks at everything known and unknown, orders about nothing."""
    ground = ground_of(believed)
    anywhere = [list(place) for place in random.sample(ground.places(), 4)]
    contacts = [each.at for name in seat.commands for each in believed.commands[name].contacts.values()]
    enemies = [each.at for each in units(believed) if each.command not in seat.commands]
    targets = [*anywhere, *map(list, random.sample([*contacts, *enemies], min(3, len(contacts) + len(enemies))))]
    found: list[Mapping[str, Any]] = [
        {"verb": "Move", "units": ["nobody"], "path": [[1, 1, 0]]},
        {"verb": "Rally", "unit": "nobody"},
        {"verb": "PickUp", "unit": "nobody", "weapon": "nothing"},
        {"verb": "Activate", "places": [[99, 99, 0]]},
        {"verb": "Fly"},
    ]
    mine = [each for each in units(believed) if each.command in seat.commands and each.is_placed]
    for each in random.sample(mine, min(2, len(mine))):
        # Where there is more to say (weapons, a leader) an order that leaves it out is no instance of its form.
        is_plain = not carried(believed, each) and len(units_at(believed, each.at)) == 1
        for target in targets:
            if is_plain:
                found.append({"verb": "Fire", "units": [each.id], "target": target})
            found.append({"verb": "Spot", "unit": each.id, "target": target})
            found.append({"verb": "Move", "units": [each.id], "path": [target]})
            found.append({"verb": "LaySmoke", "unit": each.id, "at": target[:2]})
        found.append({"verb": "Move", "units": [each.id], "path": [[0, 0, 0]]})
        found.append({"verb": "Heal", "medic": each.id, "unit": "nobody"})
        found.append({"verb": "GivePlan", "force": each.id, "legs": [{"path": [[0, 0, 0]]}]})
    return found


def further(state: State, seats: Mapping[str, Seat], random: Random) -> State:
    """Now and then the first state; else one in an Operations Phase in which the Americans have come near."""
    if random.random() < 0.2:
        return state
    play = Play(PACKAGE, state, seats)
    play.correct({"verb": "SetPhase", "active": "us", "phase": "rally"}, "further on")
    for each in [each for each in units(play.state) if each.command == "alpha"]:
        if random.random() < 0.6 and (place := _free(play.state, each, random)) is not None:
            play.correct({"verb": "MoveTo", "piece": each.id, "at": list(place)}, "further on")
    for each in [each for each in units(play.state) if each.command == "berta"]:
        if random.random() < 0.3:
            play.correct({"verb": "Change", "piece": each.id, "field": "fired", "value": True}, "further on")
    side = random.choice(("us", "ge"))
    phase = random.choice(("rally", "operations", "operations"))
    play.correct({"verb": "SetPhase", "active": side, "phase": phase}, "further on")
    return play.state


def secret_texts(setting: Setting) -> Iterable[str]:
    """The umpire's texts, those of events, the names of hidden forces and the notes of their plans."""
    secret, public = setting.umpire, encode(setting.public).decode()
    texts = [secret.title, secret.description, *secret.notes, *(plan.note for plan in secret.plans.values())]
    texts.extend(force.name for force in secret.forces.values())
    texts.extend(action.text for each in secret.happenings.values() for action in each.actions)
    return [text for text in texts if text and text not in public]


LOCKED = ("lnl.board.sight",)
"""Lines of sight that threads share are guarded by locks there; nothing else in it is impure (a test looks)."""


def pure_modules() -> tuple[str, ...]:
    """The modules that hold rules: all but those that register and prove."""
    found = (each.name for each in walk_packages(lnl.__path__, "lnl.") if not each.ispkg)
    others = (*LOCKED, "lnl.apps")
    return tuple(sorted(name for name in found if name not in others and not name.startswith("lnl.testing.")))


def attacks() -> Sequence[Attack]:
    """Fire of two squads at the mill; an attempt at spotting; rallying."""
    seat = SEATS["alpha"]
    found: list[tuple[str, State, dict[str, Any]]] = []
    state = _met("operations")
    found.append(("fire", state, {"verb": "Fire", "units": ["first-1", "first-2"], "target": [6, 3, 0]}))
    found.append(("spotting", state, {"verb": "Spot", "unit": "scout", "target": [6, 2, 1]}))
    shaken = _met("rally")
    found.append(("rally", shaken, {"verb": "Rally", "unit": "first-1"}))
    return [
        Attack(name=name, believed=believed_of(PACKAGE, state, seat), seat=seat, order=order)
        for name, state, order in found
    ]


def _met(phase: str) -> State:
    """The first section faces the mill, whose grenadiers have fired."""
    play = Play(PACKAGE, PACKAGE.begin(skirmish(), lambda key: key), SEATS)
    for piece in ("first-1", "first-2", "hale"):
        play.correct({"verb": "MoveTo", "piece": piece, "at": [4, 4, 0]}, "they meet")
    if phase == "rally":
        play.correct({"verb": "Change", "piece": "first-1", "field": "is_shaken", "value": True}, "they meet")
        play.correct({"verb": "SetPhase", "active": "us", "phase": "rally"}, "they meet")
        return play.state
    play.correct({"verb": "Reveal", "piece": "upstairs"}, "they meet")
    play.correct({"verb": "SetPhase", "active": "us", "phase": phase}, "they meet")
    for piece in ("grenadiers-1", "grenadiers-2"):
        play.correct({"verb": "Change", "piece": piece, "field": "fired", "value": True}, "they meet")
    return play.state


CONFORMANCE = Conformance(
    package=PACKAGE,
    another=another,
    settings={
        "open": lambda: skirmish(play="open"),
        "blind": lambda: skirmish(play="blind"),
        "blind night": lambda: skirmish(play="blind", hour="night"),
    },
    seats=SEATS,
    tells=tells,
    shown=seen,
    conceded=conceded,
    ids=hidden_ids,
    corrections=corrections,
    plant=plant,
    probes=probes,
    attacks=attacks,
    secret_texts=secret_texts,
    further=further,
    modules=pure_modules(),
    may_read=("lnl.package", "lnl.book.tables", "lnl.data", "lnl.maps", "lnl.scenarios"),
)
