"""What the conformance suite has to know of FireForce.

The judgement of `tells` is written anew here, not asked of `notice`: whatever of a hidden command is on the table every
enemy sees, as it looks; shots are heard by all; noises by whom they reach; all else of a hidden command is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pkgutil import walk_packages
from random import Random
from typing import Any

import msgspec
import shapely
from msgspec.structs import replace

import fireforce
from fireforce.happening.blinds import CardTurned, CounterPickedUp
from fireforce.happening.changing import with_team
from fireforce.happening.fire import CloseCombatFought, Fired, FireHeld, HitsAllocated, HitsScored, Saved
from fireforce.happening.men import BecameCasualty, Captured, Returned
from fireforce.happening.movement import Stopped
from fireforce.happening.plans import (
    PlanCarried,
    PlanChanged,
    PlanDropped,
    PlanGiven,
    PlansOnlySet,
    SignalGiven,
    StandingOrdersGiven,
)
from fireforce.happening.searching import (
    DestructionBegan,
    SearchBegan,
    Searched,
    StoresDestroyed,
    StoresDropped,
    StoresTaken,
)
from fireforce.happening.turn import (
    BattleBegan,
    BattleEnded,
    PhaseBegan,
    PhaseEnded,
    PlayerTurnBegan,
    PointsScored,
    WeatherChanged,
)
from fireforce.happening.visibility import GunfireHeard, NoiseMade
from fireforce.package import PACKAGE
from fireforce.state.battle import (
    PLAYED,
    Believed,
    Card,
    Counter,
    Figure,
    Phase,
    Squad,
    State,
)
from fireforce.state.finding import (
    cards,
    figure,
    figures,
    squad,
    squads,
)
from fireforce.state.setting import setting_of, weapon_kind
from fireforce.testing.parts import having, having_figure, of, waiting
from fireforce.testing.twins import another
from umpire.kernel.codec import encode
from umpire.kernel.events import Event
from umpire.kernel.parts import with_public
from umpire.kernel.pieces.changing import with_pieces
from umpire.kernel.running import believed_of
from umpire.kernel.settings import Setting
from umpire.kernel.states import Seat
from umpire.kernel.telling import words
from umpire.kernel.values.maps import ordered
from umpire.testing.conformance.fixture import Attack, Conformance, Shown, Tells
from umpire.testing.play.battle import Play

SCENARIO = "patrol-to-the-ford"
TURNS = 4
"""Random play of the suite need not last an evening."""
SEATS = {
    "platoon": Seat(name="platoon", commands=("platoon",)),
    "cell": Seat(name="cell", commands=("cell",)),
    "gallery": Seat(name="gallery", role="observer"),
    "umpire": Seat(name="umpire", role="umpire"),
}


LATE = """
[[squad]]
key = "late-band"
command = "cell"
name = "Late band"
quality = "poor"
at = [68, 30]
arrives = 2
men = [{ key = "late-man", weapons = ["ak47"], count = 3 }]
"""
"""A hidden squad that comes in while random play goes on."""


def patrol(*, hidden: str, by_hand: bool = False) -> Setting:
    """Patrol to the Ford with few turns; `by_hand`: the cell is played like the platoon, plans or no plans."""
    text = PACKAGE.scenarios()[SCENARIO].replace("turns = 10\n", f"turns = {TURNS}\n") + LATE
    if by_hand:
        text = text.replace("plans_only = true\n", "")
    return PACKAGE.load(text, file=SCENARIO, options={"hidden": hidden})


# What an event may tell

CONCEDED = (
    BattleBegan,
    PlayerTurnBegan,
    PhaseBegan,
    WeatherChanged,
    BattleEnded,
)
PLANS = (PlanGiven, PlanCarried, PlanChanged)


def tells(before: State, event: Event, after: State, command: str) -> Tells:
    """What an event may tell a command."""
    if isinstance(event, CONCEDED):
        return "known"
    if isinstance(event, PLANS):
        return "known" if event.plan.command == command else "nothing"
    match event:
        case PhaseEnded(command=name):
            is_open = setting_of(before).commands[name].is_open
            return "known" if name == command or is_open else "nothing"
        case PlanDropped(force=force):
            return "known" if force in _own(before, command) else "nothing"
        case SignalGiven() | StandingOrdersGiven() | PlansOnlySet():
            return "known" if event.command == command else "nothing"
        case NoiseMade(distance=distance, ways=ways):
            made = shapely.union_all([shapely.LineString([way[0], *way]) for way in ways])
            ears = [man for man in figures(after) if man.command == command and man.is_fit and not man.is_civilian]
            is_heard = any(made.distance(shapely.Point(man.at)) <= distance + 2 * man.radius + 1 for man in ears)
            return "new" if is_heard else "nothing"
        case GunfireHeard(commands=commands):
            return "new" if command in commands else "nothing"
        case PointsScored(known=known):
            return "known" if known else "nothing"
        case Fired():
            return "new"
    if _is_contact(event):
        return "new"
    if shown(before, command) != shown(after, command):
        return "new"
    named = _named(event)
    hidden = named & _hidden(before, after, command)
    if not hidden:
        return "known"
    if named & (_own(before, command) | _own(after, command) | _open(before)):
        return "new"
    gone = _ids(before, before.commands) - _ids(after, after.commands)
    visible = set(shown(after, command)) | (set(shown(before, command)) & gone)
    return "new" if hidden <= visible and _is_perceived(event) else "nothing"


def _is_contact(event: Event) -> bool:
    """Whether a move of one's own was stopped by what its giver could not know: he ran into somebody."""
    match event:
        case Stopped(why="contact") | CounterPickedUp(why="contacted" | "set_off"):
            return True
        case _:
            return False


def _is_perceived(event: Event) -> bool:
    """Whether what an enemy in sight does can be seen beyond his looks: he searches, destroys, is hit, is saved."""
    return isinstance(
        event,
        SearchBegan
        | Searched
        | DestructionBegan
        | StoresTaken
        | StoresDropped
        | StoresDestroyed
        | HitsScored
        | HitsAllocated
        | Saved
        | Stopped
        | CloseCombatFought
        | FireHeld
        | CardTurned
        | Captured
        | BecameCasualty
        | Returned,
    )


def shown(state: State, command: str) -> Shown:
    """What a command sees of the hidden things of its enemies: men as their models look, cards by their backs or, face
    up, with what lies there, counters as counters."""
    setting = setting_of(state)
    side = setting.commands[command].side
    found: dict[str, tuple[str, tuple[int, ...], Mapping[str, Any]]] = {}
    for name, part in state.commands.items():
        whose = setting.commands[name].side
        if whose == side:
            continue
        for man in of(part, Figure).values():
            if man.is_placed and man.is_fit:
                looks = {
                    "weapon": weapon_kind(setting, man.weapons[0]) if man.weapons else "",
                    "moved": man.moved,
                    "pinned": man.pinned,
                    "gives_way": man.must_withdraw,
                    "civilian": man.is_civilian,
                    "mounted": "mounted" in man.traits,
                }
                found[man.id] = ("figure", man.at, _marked(whose, looks))
        for card in of(part, Card).values():
            if card.is_on_table:
                stores = msgspec.to_builtins(card.stores)
                face = {"card": card.kind, **{what: stores.get(what, 0) for what in ("arms", "food", "heavy")}}
                if not any(stores.values()):
                    face = {"card": card.kind}
                found[card.id] = ("card", card.at, {"side": whose, **(face if card.is_face_up else {})})
        for counter in of(part, Counter).values():
            found[counter.id] = ("counter", counter.at, {"side": whose})
    return {key: (kind, at, ordered(looks)) for key, (kind, at, looks) in found.items()}


def _marked(side: str, looks: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"side": side, **{key: value for key, value in looks.items() if value}}


def _ids(state: State, names: Iterable[str]) -> set[str]:
    return {key for name in names for key in state.commands[name].pieces}


def _hidden(before: State, after: State, command: str) -> set[str]:
    """The ids of what other commands have that is not open."""
    others = [name for name in before.commands if name != command]
    return _ids(before, others) | _ids(after, others)


def _own(state: State, command: str) -> set[str]:
    open_ones = {man.id for man in figures(state) if man.command == command}
    return _ids(state, [command]) | open_ones | {unit.id for unit in squads(state) if unit.command == command}


def _open(state: State) -> set[str]:
    return {*state.public.pieces}


def _named(event: Event) -> set[str]:
    """All words of an event: ids are among them."""
    return set(words(msgspec.to_builtins(event)))


def conceded(state: State) -> Any:
    """Turn, phase, which open commands have ended it, and whether the battle is over and why."""
    public = state.public
    result = public.result and (public.result.winner, public.result.why)
    return [public.turn, public.player_turn, public.order, public.active, public.phase, public.ended, result]


def hidden_ids(state: State, commands: tuple[str, ...]) -> list[str]:
    """The true ids of what others have that is not open."""
    return sorted(_ids(state, [name for name in state.commands if name not in commands]))


# What the umpire, and odd players, do


def corrections(state: State, random: Random) -> Sequence[Mapping[str, Any]]:
    """Kill, remove, move, show and hide any man; move and remove cards; move squads."""
    table = setting_of(state).table
    place = [random.randint(0, table.width), random.randint(0, table.depth)]
    found: list[Mapping[str, Any]] = []
    men = [man for man in figures(state) if man.is_fit]
    for man in random.sample(men, min(6, len(men))):
        found.append({"verb": "Kill", "figure": man.id})
        found.append({"verb": "Remove", "piece": man.id})
        found.append({"verb": "MoveTo", "piece": man.id, "at": place})
        if man.id not in state.public.pieces:
            found.append({"verb": "Conceal" if man.is_placed else "Reveal", "piece": man.id})
    for card in cards(state):
        found.append({"verb": "MoveTo", "piece": card.id, "at": place})
        found.append({"verb": "Remove", "piece": card.id})
    units = [unit.id for unit in squads(state) if _has_fit(state, unit.id)]
    found.extend({"verb": "MoveTo", "piece": unit, "at": place} for unit in units)
    found.extend({"verb": "Heal", "figure": man.id} for man in figures(state) if not man.is_fit)
    return found


def _has_fit(state: State, unit: str) -> bool:
    return any(man.squad == unit and man.is_fit for man in figures(state))


def plant(state: State, command: str, word: Callable[[], str]) -> State:
    """Unique words as names of all hidden men and squads of other commands, and as notes of their plans."""
    parts = dict(state.commands)
    for name, part in parts.items():
        if name != command:
            named = {
                key: replace(each, name=word()) for kind in (Figure, Squad) for key, each in of(part, kind).items()
            }
            off = {key: replace(each, name=word()) for key, each in waiting(part).items() if isinstance(each, Squad)}
            parts[name] = replace(
                having(part, named, off), plans={key: replace(plan, note=word()) for key, plan in part.plans.items()}
            )
    plans = {
        key: plan if plan.command == command else replace(plan, note=word()) for key, plan in state.umpire.plans.items()
    }
    return replace(state, commands=ordered(parts), umpire=replace(state.umpire, plans=plans))


def probes(believed: Believed, seat: Seat, random: Random) -> Sequence[Mapping[str, Any]]:
    """Moves to odd places, shots at everything known and unknown, searches of every contact, orders about nothing."""
    table = setting_of(believed).table
    contacts = [alias for name in seat.commands for alias in believed.commands[name].contacts]
    enemies = [man.id for man in figures(believed) if man.command not in seat.commands]
    targets = [*random.sample(contacts, min(3, len(contacts))), *enemies[:2], "nobody"]
    found: list[Mapping[str, Any]] = [
        {"verb": "EndPhase", "command": "nobody"},
        {"verb": "Motivate", "squad": "nobody"},
        {"verb": "Move", "figures": ["nobody"], "path": [[100, 100]]},
        {"verb": "MoveCard", "card": "nobody", "path": [[100, 100]]},
        {"verb": "Fly"},
    ]
    mine = [man for man in figures(believed) if man.command in seat.commands]
    for man in random.sample(mine, min(2, len(mine))):
        place = [random.randint(-100, table.width + 100), random.randint(-100, table.depth + 100)]
        near = [man.at[0] + random.randint(-400, 400), man.at[1] + random.randint(-400, 400)]
        found.extend({"verb": "Move", "figures": [man.id], "path": [to], "manner": "tactical"} for to in (place, near))
        for target in targets:
            found.append({"verb": "Fire", "figures": [man.id], "target": target, "aimed": True})
            found.append({"verb": "CloseCombat", "figure": man.id, "target": target})
            found.append({"verb": "Search", "figures": [man.id], "card": target})
        found.append({"verb": "Search", "figures": [man.id]})
        if man.squad:
            found.append({"verb": "Motivate", "squad": man.squad, "team": "nobody"})
            found.append({"verb": "Split", "squad": man.squad})
    for unit in [*squads(believed)][:2]:
        found.append({"verb": "GivePlan", "force": unit.id, "legs": [{"path": [[200, 200]]}]})
    return found


def further(state: State, seats: Mapping[str, Seat], random: Random) -> State:
    """Now and then the first state; else one in which squads have come near each other, some hidden ones are seen, and
    a phase of either side is on, of good or other heart."""
    if random.random() < 0.2:
        return state
    play = Play(PACKAGE, state, seats)
    table, mine = setting_of(state).table, [unit for unit in squads(state) if unit.command == "platoon"]
    for unit in [unit for unit in squads(state) if unit.command == "cell"]:
        near = figure(play.state, unit.members[0]).at
        for other in random.sample(mine, random.randint(0, 2)):
            at = [
                min(max(place + random.choice((-1, 1)) * random.randint(150, 900), 0), most)
                for place, most in zip(near, (table.width, table.depth), strict=True)
            ]
            play.correct({"verb": "MoveTo", "piece": other.id, "at": at}, "further on")
        if random.random() < 0.3:
            play.correct({"verb": "Reveal", "piece": unit.id}, "further on")
    side = random.choice(("government", "guerrilla"))
    play.correct({"verb": "SetPhase", "side": side, "phase": random.choice(PLAYED)}, "further on")
    state = play.state
    results = list(setting_of(state).book.tables["motivation_results"])
    for unit in squads(state):
        if _has_fit(state, unit.id) and random.random() < 0.7:
            state = with_team(state, unit.id, "whole", result=random.choice((results[0], random.choice(results))))
    return state


def secret_texts(setting: Setting) -> Iterable[str]:
    """The umpire's texts, the names of hidden squads and the notes of their plans."""
    secret, public = setting.umpire, encode(setting.public).decode()
    texts = [secret.title, secret.description, *secret.notes, *(plan.note for plan in secret.plans.values())]
    texts.extend(unit.name for unit in secret.units.values())
    return [text for text in texts if text and text not in public]


LOCKED = ("fireforce.table.ground",)
"""Geometry that threads share is guarded by locks there; nothing else in them is impure (a test looks)."""


def pure_modules() -> tuple[str, ...]:
    """The modules that hold rules: all but those that register and prove."""
    found = (each.name for each in walk_packages(fireforce.__path__, "fireforce.") if not each.ispkg)
    others = (*LOCKED, "fireforce.apps")
    return tuple(sorted(name for name in found if name not in others and not name.startswith("fireforce.testing.")))


def attacks() -> Sequence[Attack]:
    """A motivation roll; a section's aimed fire and one man's prophylactic fire at men in scrub; a close combat."""
    seat = SEATS["platoon"]
    rolling = _met("motivation_movement")
    shaken = replace(squad(rolling, "one"), casualties=3)
    rolling = with_team(with_pieces(rolling, [shaken]), "one", "whole", is_under_fire=True, dropped=2)
    fighting = _met("close_combat")
    enemy = figure(fighting, "ford-leader")
    fighting = having_figure(fighting, "one-leader", at=(enemy.at[0] - 2 * enemy.radius, enemy.at[1]))
    found: list[tuple[str, State, dict[str, Any]]] = [
        ("motivation", rolling, {"verb": "Motivate", "squad": "one"}),
        ("aimed fire", _met("firing"), {"figures": ["one-leader", "one-assistant"], "target": "ford-leader"}),
        ("prophylactic", _met("firing"), {"figures": ["one-gunner"], "target": "ford-man-1", "aimed": False}),
        ("close combat", fighting, {"verb": "CloseCombat", "figure": "one-leader", "target": "ford-leader"}),
    ]
    return [
        Attack(
            name=name,
            believed=believed_of(PACKAGE, state, seat),
            seat=seat,
            order={"verb": "Fire", **order, **_aliased(state, order)},
        )
        for name, state, order in found
    ]


def _met(phase: Phase) -> State:
    """The first section, of good heart, with the Ford group in sight two inches away."""
    state = PACKAGE.begin(patrol(hidden="map"), lambda key: key)
    play = Play(PACKAGE, state, SEATS)
    play.correct({"verb": "Reveal", "piece": "ford-group"}, "they meet")
    play.correct({"verb": "MoveTo", "piece": "one", "at": [4300, 2900]}, "they meet")
    state = with_public(play.state, phase=phase, turn=1, active="government", ended=())
    return with_team(state, "one", "whole", result="" if phase == "motivation_movement" else "good")


def _aliased(state: State, order: Mapping[str, Any]) -> Mapping[str, Any]:
    """The target under the name by which the platoon knows it."""
    return {"target": state.umpire.aliases["platoon"][order["target"]]} if "target" in order else {}


CONFORMANCE = Conformance(
    package=PACKAGE,
    another=another,
    settings={
        "map": lambda: patrol(hidden="map"),
        "cards": lambda: patrol(hidden="cards"),
        "cards, by hand": lambda: patrol(hidden="cards", by_hand=True),
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
    further=further,
    modules=pure_modules(),
    may_read=("fireforce.package", "fireforce.book.tables", "fireforce.book.kinds"),
)
