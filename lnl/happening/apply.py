"""What each event makes of the state. No rule and no table: events carry the new values.

`applies(EventType)` registers one function an event; `apply` finds it by the event's type. A piece that is not there
raises KeyError.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from lnl.happening import events
from lnl.happening.changing import (
    added_unit,
    added_weapon,
    added_work,
    as_all_see,
    cleared,
    opened,
    with_owner,
    with_part,
    with_plan,
    with_public,
    with_unit,
    with_units,
    with_weapon,
    with_work,
    without_plan,
    without_unit,
    without_weapon,
    without_work,
)
from lnl.state.battle import Impulse, Loss, Public, State, hex_key, place_key
from lnl.state.finding import has_unit, has_weapon, is_open, piece_of, spots_openly, unit, weapon, weapons_of
from umpire.kernel.appliers import Appliers
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import BATTLE, as_field
from umpire.kernel.values.maps import drop, put

_table: Appliers[State] = Appliers()
applies, apply = _table.applies, _table.apply


def applied_types() -> frozenset[type[Event]]:
    """The events that `apply` knows."""
    return _table.types


# The battle, its turns and impulses


@applies(events.BattleBegan)
def _battle_began(state: State, event: events.BattleBegan) -> State:
    return with_public(state, phase=event.phase, turn=0)


@applies(events.SetUp)
def _set_up(state: State, event: events.SetUp) -> State:
    return _placed(state, event.unit, at=event.at, facing=event.facing)


@applies(events.Ended)
def _ended(state: State, event: events.Ended) -> State:
    if event.is_open:
        return with_public(state, ended=(*state.public.ended, event.command))
    return with_part(state, event.command, replace(state.commands[event.command], has_ended=True))


@applies(events.TurnBegan)
def _turn_began(state: State, event: events.TurnBegan) -> State:
    melees = {key: replace(each, fought=False) for key, each in state.public.melees.items()}
    return with_public(state, turn=event.turn, melees=melees)


@applies(events.PhaseBegan)
def _phase_began(state: State, event: events.PhaseBegan) -> State:
    for name, part in state.commands.items():
        if part.has_ended or part.impulse is not None:
            state = with_part(state, name, replace(part, has_ended=False, impulse=None))
    return with_public(state, phase=event.phase, active=event.active, ended=(), passes=0, impulses=0, impulse=None)


@applies(events.InitiativeWon)
def _initiative_won(state: State, event: events.InitiativeWon) -> State:
    return with_public(state, held=event.side)


@applies(events.RallyPassedOn)
def _rally_passed_on(state: State, event: events.RallyPassedOn) -> State:
    return with_public(state, active=event.side)


@applies(events.ImpulseBegan)
def _impulse_began(state: State, event: events.ImpulseBegan) -> State:
    return _with_impulse(state, event.impulse.command, event.impulse)


@applies(events.ImpulseChanged)
def _impulse_changed(state: State, event: events.ImpulseChanged) -> State:
    return _with_impulse(state, event.impulse.command, event.impulse)


@applies(events.ImpulseEnded)
def _impulse_ended(state: State, event: events.ImpulseEnded) -> State:
    state = _with_impulse(state, event.command, None)
    return with_public(state, active=event.active, passes=event.passes, impulses=state.public.impulses + 1)


def _with_impulse(state: State, command: str, impulse: Impulse | None) -> State:
    """What open units do in an impulse is public; where there is more to it its command has the whole as its own."""
    shown = as_all_see(state, impulse) if impulse is not None else None
    own = impulse if impulse != shown else None
    for name, part in state.commands.items():
        kept = own if name == command else None
        if part.impulse != kept:
            state = with_part(state, name, replace(part, impulse=kept))
    return with_public(state, impulse=shown) if state.public.impulse != shown else state


@applies(events.MarkersRemoved)
def _markers_removed(state: State, event: events.MarkersRemoved) -> State:
    state = with_public(
        state,
        units=cleared(state.public.units),
        spotted=(),
        star_shells=(),
        barrages=(),
        smoke=event.smoke,
    )
    for name, part in state.commands.items():
        state = with_part(state, name, replace(part, units=cleared(part.units), spotted=()))
    return state


@applies(events.RallyMarksRemoved)
def _rally_marks_removed(state: State, event: events.RallyMarksRemoved) -> State:
    tried = [each for each in _all(state) if each.attempts]
    return with_units(state, [replace(each, attempts=()) for each in tried])


@applies(events.PointsScored)
def _points_scored(state: State, event: events.PointsScored) -> State:
    if event.known:
        return with_public(state, scores=(*state.public.scores, event.score))
    return replace(state, umpire=replace(state.umpire, scores=(*state.umpire.scores, event.score)))


@applies(events.ControlChanged)
def _control_changed(state: State, event: events.ControlChanged) -> State:
    key = hex_key(event.at)
    if event.known:
        if key in state.umpire.control:
            state = replace(state, umpire=replace(state.umpire, control=drop(state.umpire.control, key)))
        return with_public(state, control=put(state.public.control, key, event.side))
    return replace(state, umpire=replace(state.umpire, control=put(state.umpire.control, key, event.side)))


@applies(events.BattleEnded)
def _battle_ended(state: State, event: events.BattleEnded) -> State:
    return with_public(state, result=event.result)


# Movement


@applies(events.Started)
def _started(state: State, event: events.Started) -> State:
    moved = [replace(unit(state, each), moved=event.manner, is_moving=True, spent=0) for each in event.units]
    return with_units(state, moved)


@applies(events.Entered)
def _entered(state: State, event: events.Entered) -> State:
    for each in event.units:
        state = _placed(state, each, at=event.at, spent=event.spent.get(each, 0))
    return state


@applies(events.Stopped)
def _stopped(state: State, event: events.Stopped) -> State:
    stopping = (unit(state, each) for each in event.units)
    return with_units(state, [replace(each, is_moving=False, moved=event.moved or each.moved) for each in stopping])


@applies(events.Faced)
def _faced(state: State, event: events.Faced) -> State:
    return with_unit(state, event.unit, facing=event.facing)


@applies(events.Retreated)
def _retreated(state: State, event: events.Retreated) -> State:
    return _placed(state, event.unit, at=event.at, moved="move", is_moving=False)


@applies(events.Arrived)
def _arrived(state: State, event: events.Arrived) -> State:
    return _placed(state, event.unit, at=event.at, facing=event.facing, is_placed=True)


@applies(events.Reinforced)
def _reinforced(state: State, event: events.Reinforced) -> State:
    return with_units(state, [replace(unit(state, each), arrives=event.turn) for each in event.units])


@applies(events.Exited)
def _exited(state: State, event: events.Exited) -> State:
    for loss in event.losses:
        gone = unit(state, loss.unit)
        for held in gone.weapons:
            state = without_weapon(state, held)
        state = _lost(without_unit(state, loss.unit), loss, was_open=is_open(state, loss.unit))
    return state


# Being seen


@applies(events.Spotted)
def _spotted(state: State, event: events.Spotted) -> State:
    part = state.commands[event.command]
    if not spots_openly(state, event.command):
        places = tuple(sorted({*part.spotted, event.at}))
        return with_part(state, event.command, replace(part, spotted=places))
    return with_public(state, spotted=tuple(sorted({*state.public.spotted, event.at})))


@applies(events.SpottingFailed)
def _spotting_failed(state: State, event: events.SpottingFailed) -> State:
    return state


@applies(events.SpottedMarkerRemoved)
def _spotted_marker_removed(state: State, event: events.SpottedMarkerRemoved) -> State:
    if event.command:
        part = state.commands[event.command]
        places = tuple(each for each in part.spotted if each != event.at)
        return with_part(state, event.command, replace(part, spotted=places))
    return with_public(state, spotted=tuple(each for each in state.public.spotted if each != event.at))


@applies(events.Looked)
def _looked(state: State, event: events.Looked) -> State:
    return state


@applies(events.Revealed)
def _revealed(state: State, event: events.Revealed) -> State:
    return opened(state, event.pieces)


@applies(events.Disclosed)
def _disclosed(state: State, event: events.Disclosed) -> State:
    return state


@applies(events.Concealed)
def _concealed(state: State, event: events.Concealed) -> State:
    return opened(state, event.units, is_open=False)


# Markers and states of units


@applies(events.Fired)
def _fired(state: State, event: events.Fired) -> State:
    return with_units(state, [replace(unit(state, each), fired=True) for each in event.units])


@applies(events.OpsCompleted)
def _ops_completed(state: State, event: events.OpsCompleted) -> State:
    return with_units(state, [replace(unit(state, each), ops_complete=True) for each in event.units])


@applies(events.Shaken)
def _shaken(state: State, event: events.Shaken) -> State:
    return with_unit(state, event.unit, is_shaken=True)


@applies(events.Wounded)
def _wounded(state: State, event: events.Wounded) -> State:
    each = unit(state, event.unit)
    return with_unit(state, event.unit, is_wounded=True, is_shaken=each.is_shaken or event.is_shaken)


@applies(events.Reduced)
def _reduced(state: State, event: events.Reduced) -> State:
    was_open = is_open(state, event.unit)
    state = with_unit(state, event.unit, counter=event.counter, is_shaken=True)
    return _lost(state, event.loss, was_open=was_open)


@applies(events.Eliminated)
def _eliminated(state: State, event: events.Eliminated) -> State:
    gone = unit(state, event.unit)
    was_open = is_open(state, event.unit)
    for held in weapons_of(state, gone):
        state = with_weapon(with_owner(state, held.id, ""), held.id, at=gone.at)
    return _lost(without_unit(state, event.unit), event.loss, was_open=was_open)


def _lost(state: State, loss: Loss, *, was_open: bool) -> State:
    if was_open:
        return with_public(state, losses=(*state.public.losses, loss))
    part = state.commands[loss.command]
    return with_part(state, loss.command, replace(part, losses=(*part.losses, loss)))


@applies(events.HeroCreated)
def _hero_created(state: State, event: events.HeroCreated) -> State:
    state = added_unit(state, event.unit, is_open=event.is_open)
    if not event.drawn:
        return with_public(state, deck=event.deck)
    part = state.commands[event.unit.command]
    return with_part(state, event.unit.command, replace(part, drawn=(*part.drawn, event.drawn)))


@applies(events.SkillUsed)
def _skill_used(state: State, event: events.SkillUsed) -> State:
    each = unit(state, event.unit)
    state = with_unit(state, event.unit, skills=tuple(skill for skill in each.skills if skill != event.skill))
    part = state.commands[each.command]
    if event.skill in part.drawn:
        at = part.drawn.index(event.skill)
        return with_part(state, each.command, replace(part, drawn=part.drawn[:at] + part.drawn[at + 1 :]))
    if event.is_hidden:
        return with_part(state, each.command, replace(part, returned=(*part.returned, event.skill)))
    return with_public(state, deck=tuple(sorted((*state.public.deck, event.skill))))


@applies(events.Rallied)
def _rallied(state: State, event: events.Rallied) -> State:
    return with_unit(state, event.unit, is_shaken=False)


@applies(events.Healed)
def _healed(state: State, event: events.Healed) -> State:
    return with_unit(state, event.unit, is_wounded=False)


@applies(events.Attempted)
def _attempted(state: State, event: events.Attempted) -> State:
    return with_unit(state, event.unit, attempts=event.attempts)


@applies(events.Combined)
def _combined(state: State, event: events.Combined) -> State:
    was_open = is_open(state, event.units[0])
    held = [gun for each in event.units for gun in unit(state, each).weapons]
    first, second = event.units
    for gun in unit(state, second).weapons:
        state = with_owner(state, gun, first)
    for each in event.units:
        state = without_unit(state, each)
    state = added_unit(state, replace(event.into, weapons=tuple(held)), is_open=was_open)
    for gun in held:
        state = with_weapon(state, gun, owner=event.into.id)
    return state


@applies(events.Called)
def _called(state: State, event: events.Called) -> State:
    return with_unit(state, event.unit, has_called=True)


# Weapons


@applies(events.WeaponTaken)
def _weapon_taken(state: State, event: events.WeaponTaken) -> State:
    return with_owner(state, event.weapon, event.unit)


@applies(events.WeaponDropped)
def _weapon_dropped(state: State, event: events.WeaponDropped) -> State:
    return with_weapon(with_owner(state, event.weapon, ""), event.weapon, at=event.at)


@applies(events.WeaponFlipped)
def _weapon_flipped(state: State, event: events.WeaponFlipped) -> State:
    return with_weapon(state, event.weapon, is_set_up=event.is_set_up)


@applies(events.WeaponJammed)
def _weapon_jammed(state: State, event: events.WeaponJammed) -> State:
    return with_weapon(state, event.weapon, is_jammed=event.is_jammed)


@applies(events.WeaponRemoved)
def _weapon_removed(state: State, event: events.WeaponRemoved) -> State:
    return without_weapon(state, event.weapon)


# Ground


@applies(events.SmokePlaced)
def _smoke_placed(state: State, event: events.SmokePlaced) -> State:
    return with_public(state, smoke=put(state.public.smoke, hex_key(event.at), event.stage))


@applies(events.SmokeFailed)
def _smoke_failed(state: State, event: events.SmokeFailed) -> State:
    return state


@applies(events.StarShellPlaced)
def _star_shell_placed(state: State, event: events.StarShellPlaced) -> State:
    return with_public(state, star_shells=tuple(sorted({*state.public.star_shells, event.at})))


@applies(events.BarragePlaced)
def _barrage_placed(state: State, event: events.BarragePlaced) -> State:
    return with_public(state, barrages=(*state.public.barrages, event.barrage))


@applies(events.WorkPlaced)
def _work_placed(state: State, event: events.WorkPlaced) -> State:
    if event.weapon:
        state = without_weapon(state, event.weapon)
    return added_work(state, event.work, is_open=event.is_open)


@applies(events.WorkRemoved)
def _work_removed(state: State, event: events.WorkRemoved) -> State:
    return without_work(state, event.work)


@applies(events.MeleeMarked)
def _melee_marked(state: State, event: events.MeleeMarked) -> State:
    return with_public(state, melees=put(state.public.melees, place_key(event.melee.at), event.melee))


@applies(events.MeleeOver)
def _melee_over(state: State, event: events.MeleeOver) -> State:
    return with_public(state, melees=drop(state.public.melees, place_key(event.at)))


@applies(events.MeleeFought)
def _melee_fought(state: State, event: events.MeleeFought) -> State:
    return state


# Events of the scenario, plans, standing orders, the umpire


@applies(events.Happened)
def _happened(state: State, event: events.Happened) -> State:
    if event.marker:
        return with_public(state, happened=tuple(sorted({*state.public.happened, event.marker})))
    return replace(state, umpire=replace(state.umpire, happened=tuple(sorted({*state.umpire.happened, event.key}))))


@applies(events.StandingOrdersGiven)
def _standing_orders_given(state: State, event: events.StandingOrdersGiven) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, standing=put(part.standing, event.unit, event.standing)))


@applies(events.PlanGiven)
def _plan_given(state: State, event: events.PlanGiven) -> State:
    return with_plan(without_plan(state, event.plan.force), event.plan)


@applies(events.PlanCarried)
def _plan_carried(state: State, event: events.PlanCarried) -> State:
    return with_plan(state, event.plan)


@applies(events.PlanDropped)
def _plan_dropped(state: State, event: events.PlanDropped) -> State:
    return without_plan(state, event.force)


@applies(events.SignalGiven)
def _signal_given(state: State, event: events.SignalGiven) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, signals=(*part.signals, event.signal)))


@applies(events.PlansOnlySet)
def _plans_only_set(state: State, event: events.PlansOnlySet) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, has_plans_only=event.plans_only))


@applies(events.Altered)
def _altered(state: State, event: events.Altered) -> State:
    """The value is read as the field's own type, so that a field keeps its form whatever JSON made of it."""
    if event.piece == BATTLE:
        value = as_field(Public, event.field, event.value)
        return with_public(state, **{event.field: value})
    piece = piece_of(state, event.piece)
    value = as_field(type(piece), event.field, event.value)
    if has_unit(state, event.piece):
        return _placed(state, event.piece, **{event.field: value})
    if has_weapon(state, event.piece):
        return with_weapon(state, event.piece, **{event.field: value})
    return with_work(state, event.piece, **{event.field: value})


@applies(events.Added)
def _added(state: State, event: events.Added) -> State:
    if event.unit is not None:
        state = added_unit(state, event.unit, is_open=event.is_open)
    if event.weapon is not None:
        state = added_weapon(state, event.weapon, is_open=event.is_open)
        if event.weapon.owner and event.weapon.id not in unit(state, event.weapon.owner).weapons:
            holder = unit(state, event.weapon.owner)
            state = with_unit(state, holder.id, weapons=(*holder.weapons, event.weapon.id))
    return state


@applies(events.Removed)
def _removed(state: State, event: events.Removed) -> State:
    if has_unit(state, event.piece):
        for held in unit(state, event.piece).weapons:
            state = without_weapon(state, held)
        return without_unit(state, event.piece)
    if has_weapon(state, event.piece):
        return without_weapon(state, event.piece)
    return without_work(state, event.piece)


def _placed(state: State, piece: str, **changes: Any) -> State:
    """Some fields of a unit changed; what it possesses is where it is."""
    state = with_unit(state, piece, **changes)
    if "at" in changes:
        for held in unit(state, piece).weapons:
            if weapon(state, held).at != changes["at"]:
                state = with_weapon(state, held, at=changes["at"])
    return state


def _all(state: State) -> list[Any]:
    return [*state.public.units.values(), *(each for part in state.commands.values() for each in part.units.values())]
