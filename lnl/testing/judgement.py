"""What an event may tell a command, judged anew by the rules and not asked of `notice`: a command sees whom `core 10.1`
shows it, and all else of what is hidden belongs to its own command. For the conformance suite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from lnl.board.hexes import Place, distance
from lnl.happening.fire import BarragePlaced, Called, Fired, OpsCompleted, SmokePlaced, StarShellPlaced
from lnl.happening.hand import Added, Removed
from lnl.happening.impulses import ImpulseBegan, ImpulseChanged, ImpulseEnded
from lnl.happening.melee import MeleeMarked, MeleeOver
from lnl.happening.men import Attempted, SkillUsed
from lnl.happening.movement import Faced, Stopped
from lnl.happening.plans import PlanCarried, PlanDropped, PlanGiven, PlansOnlySet, SignalGiven, StandingOrdersGiven
from lnl.happening.seeing import Looked, Revealed, Spotted, SpottedMarkerRemoved, SpottingFailed
from lnl.happening.turn import (
    BattleBegan,
    BattleEnded,
    ControlChanged,
    Ended,
    Happened,
    InitiativeWon,
    MarkersRemoved,
    PhaseBegan,
    PointsScored,
    RallyMarksRemoved,
    RallyPassedOn,
    TurnBegan,
)
from lnl.happening.weapons import WeaponFlipped, WeaponTaken
from lnl.state.battle import State, Unit, Weapon, Work, hex_key
from lnl.state.finding import melee_at, sees, side_of, terrain_at, units, units_of, weapons_of, works
from lnl.state.setting import ground_of, setting_of
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import Altered
from umpire.testing.conformance.fixture import Shown, Tells

CONCEDED = (
    BattleBegan,
    TurnBegan,
    PhaseBegan,
    InitiativeWon,
    RallyPassedOn,
    ImpulseEnded,
    MarkersRemoved,
    RallyMarksRemoved,
    BattleEnded,
)
HIGH = (
    SmokePlaced,
    StarShellPlaced,
    BarragePlaced,
    MeleeMarked,
    MeleeOver,
    ControlChanged,
    Happened,
)
"""What stands high or is heard by all, whoever has caused it."""


def may_tell(before: State, event: Event, after: State, command: str) -> Tells:
    """What an event may tell a command."""
    if isinstance(event, HIGH) or before.public.phase == "set_up" != after.public.phase:
        return "new"
    if seen(before, command) != seen(after, command):
        return "new"
    if isinstance(event, CONCEDED):
        return "known"
    match event:
        case Fired(how="opportunity" | "claymore", units=firers) if not set(firers) & _own(before, command):
            return "new"  # whether they would was theirs to decide
        case PlanGiven(plan=plan) | PlanCarried(plan=plan):
            return "known" if plan.command == command and plan.by == "command" else "nothing"
        case Ended(command=name):
            return "known" if name == command or setting_of(before).options.play == "open" else "nothing"
        case PlanDropped(force=force):
            return "known" if force in before.commands[command].plans else "nothing"
        case SignalGiven() | StandingOrdersGiven() | PlansOnlySet():
            return "known" if event.command == command else "nothing"
        case Spotted() | SpottedMarkerRemoved():
            is_for_all = before.public is not after.public
            return "new" if event.command in ("", command) or is_for_all else "nothing"
        case SpottingFailed(unit=unit):
            return "new" if unit in _own(before, command) else "nothing"
        case ImpulseBegan(impulse=impulse) | ImpulseChanged(impulse=impulse):
            doing = (each for each in units_of(after.public) if each.command == impulse.command)
            is_seen = any(each.id in impulse.acted or each.at in impulse.places for each in doing)
            return "known" if impulse.command == command or is_seen else "nothing"
        case PointsScored(known=known):
            return "known" if known else "nothing"
    return _of_pieces(before, event, after, command)


def _of_pieces(before: State, event: Event, after: State, command: str) -> Tells:
    named = _named(event)
    hidden = named & _hidden(before, after, command)
    mine = named & (_own(before, command) | _own(after, command))
    is_watched = bool(mine or named & {each.id for each in units_of(before.public)})
    if is_watched and isinstance(event, Stopped | Looked) and getattr(event, "why", "contact") != "done":
        return "new"
    if mine and isinstance(event, OpsCompleted) and event.why == "his place is taken":
        return "new"
    if not hidden:
        return "known"
    if mine or named & {*before.public.pieces}:
        return "new"
    if isinstance(event, OPENING) or _is_conceded(before, after):
        return "new"
    gone = _ids_of_all(before) - _ids_of_all(after)
    visible = set(seen(after, command)) | (set(seen(before, command)) & gone)
    return "new" if hidden <= visible and not isinstance(event, UNSEEN) else "nothing"


OPENING = (Revealed, Added, Removed, Altered)
"""What may bring hidden things into the open, or into what all see of the battle."""
CONCEDED_PARTS = ("smoke", "star_shells", "barrages", "melees", "control", "result", "active", "passes", "impulses")
"""The parts of what all see that hidden troops cannot help changing."""


def _is_conceded(before: State, after: State) -> bool:
    """Whether an event has changed what all see, and nothing of it but what is conceded."""
    old, new = before.public, after.public
    changed = {name for name in new.__struct_fields__ if getattr(old, name) is not getattr(new, name)}
    return bool(changed) and changed <= {*CONCEDED_PARTS}


def _ids_of_all(state: State) -> set[str]:
    return ids(state, state.commands) | {*state.umpire.pieces}


UNSEEN = (
    OpsCompleted,
    Attempted,
    Called,
    SkillUsed,
    Faced,
    WeaponTaken,
    WeaponFlipped,
    Looked,
)
"""What one cannot tell of an enemy from looking on."""


def seen(state: State, command: str) -> Shown:
    """What a command sees of the hidden things of its enemies, by true id: where it is and how it looks. `core 10.1`"""
    if setting_of(state).options.play == "open" or state.public.phase == "set_up":
        return {}
    side = side_of(state, command)
    eyes = [each for each in units(state) if each.command == command and each.is_placed]
    found: dict[str, tuple[str, tuple[int, ...], Mapping[str, Any]]] = {}
    for name, part in state.commands.items():
        if side_of(state, name) == side:
            continue
        for each in units_of(part):
            if each.is_placed and _is_seen(state, eyes, each, command):
                found[each.id] = ("unit", each.at, _looks(each, [gun.counter for gun in weapons_of(state, each)]))
        for work in (each for each in part.pieces.values() if isinstance(each, Work)):
            if work.kind not in ("mines", "claymore") and _is_work_seen(state, eyes, (*work.at, 0), command):
                found[work.id] = ("work", (*work.at, 0), _shown(work=work.kind, side=work.side, facing=work.facing))
    for gun in state.umpire.pieces.values():
        if isinstance(gun, Weapon) and any(other.at == gun.at for other in eyes):
            found[gun.id] = ("weapon", gun.at, _shown(counter=gun.counter, side=gun.side))
    return found


def _looks(each: Unit, weapons: Iterable[str]) -> Mapping[str, Any]:
    """The counter itself with its Shaken side and its markers, and the weapons beneath it; no skill, no points."""
    return _shown(
        counter=each.counter,
        side=each.side,
        weapons=" ".join(sorted(weapons)),
        moved=each.moved,
        fired=each.fired,
        shaken=each.is_shaken,
        wounded=each.is_wounded,
        moving=each.is_moving,
        facing=each.facing,
    )


def _shown(**looks: Any) -> Mapping[str, Any]:
    return {key: value for key, value in sorted(looks.items()) if value}


def _is_seen(state: State, eyes: Sequence[Unit], each: Unit, command: str) -> bool:
    here = [other for other in units(state) if _is_together(other.at, each.at) and other.side == each.side]
    if any(other.at == each.at for other in eyes):
        return True
    if any(other.moved != "stealth" for other in here) and any(_is_next(state, other, each.at) for other in eyes):
        return True
    if not _is_looked_at(state, eyes, each.at, fired=each.fired):
        return False
    if each.is_moving and each.moved in ("move", "assault"):
        return True
    if any(other.fired or other.moved in ("move", "assault") for other in here if not other.is_moving):
        return True
    if _is_marked(state, each.at, command) or any(melee_at(state, other.at) for other in here):
        return True
    if not _is_open(state, each.at, with_trench=True):
        return False
    sharp = [other for other in eyes if other.is_good_order]
    return each.moved not in ("stealth", "low_crawl") or _is_looked_at(state, sharp, each.at)


def _is_work_seen(state: State, eyes: Sequence[Unit], place: Place, command: str) -> bool:
    if any(_is_together(other.at, place) or _is_next(state, other, place) for other in eyes):
        return True
    if not _is_looked_at(state, eyes, place):
        return False
    side = side_of(state, command)
    here = [other for other in units(state) if _is_together(other.at, place) and other.side != side]
    is_given_away = any(other.fired or other.moved in ("move", "assault") for other in here if not other.is_moving)
    is_melee = melee_at(state, place) is not None or melee_at(state, (*place[:2], -1)) is not None
    return is_given_away or is_melee or _is_marked(state, place, command) or _is_open(state, place, with_trench=False)


def _is_together(a: Place, b: Place) -> bool:
    """One floor of a building, or the inside of a bunker with its hex. `core 10.1`, `core 21.1`"""
    return a[:2] == b[:2] and (a[2] == 1) == (b[2] == 1)


def _is_next(state: State, eye: Unit, place: Place) -> bool:
    if not eye.is_good_order:
        return False
    if eye.at[:2] == place[:2]:
        return True
    is_tall = all(1 in ground_of(state).levels(at) for at in (eye.at[:2], place[:2]))
    return distance(eye.at[:2], place[:2]) == 1 and ((eye.at[2] == 1) == (place[2] == 1) or not is_tall)


def _is_looked_at(state: State, eyes: Iterable[Unit], place: Place, *, fired: bool = False) -> bool:
    options = setting_of(state).options
    is_lit = any(distance(shell, place[:2]) <= 1 for shell in state.public.star_shells)
    reach = 99 if state.public.hour == "day" or is_lit or fired else options.visibility
    return any(distance(eye.at[:2], place[:2]) <= reach and sees(state, eye.at, place) for eye in eyes)


def _is_marked(state: State, place: Place, command: str) -> bool:
    marked = (*state.public.spotted, *state.commands[command].spotted)
    return any(_is_together(place, each) for each in marked)


def _is_open(state: State, place: Place, *, with_trench: bool) -> bool:
    if hex_key(place) in state.public.smoke:
        return False
    if with_trench and any(work.kind == "trench" and work.at == place[:2] for work in works(state)):
        return False
    return terrain_at(state, place).sight == "open"


def ids(state: State, names: Iterable[str]) -> set[str]:
    parts = [state.commands[name] for name in names]
    return {key for part in parts for key in part.pieces}


def _hidden(before: State, after: State, command: str) -> set[str]:
    """The ids of what other commands have that is not open."""
    others = [name for name in before.commands if name != command]
    lying = {*before.umpire.pieces, *after.umpire.pieces}
    return ids(before, others) | ids(after, others) | lying


def _own(state: State, command: str) -> set[str]:
    return ids(state, [command]) | {each.id for each in units(state) if each.command == command}


def _named(event: Event) -> set[str]:
    """All words of an event: ids are among them."""
    return set(_words(msgspec.to_builtins(event)))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _words(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _words(item)
