"""The next state, piece by piece: for appliers alone. Raises KeyError for a piece that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from lnl.state.battle import CommandPart, Loss, Plan, State, Unit, Weapon, Work
from lnl.state.finding import has_weapon, part_of, unit, weapon, work
from umpire.kernel.values.maps import drop, put


def with_public(state: State, **changes: Any) -> State:
    return replace(state, public=replace(state.public, **changes))


def with_part(state: State, name: str, part: CommandPart) -> State:
    return replace(state, commands=put(state.commands, name, part))


def with_units(state: State, changed: Iterable[Unit]) -> State:
    """These units in the place of those of their ids, each where it stands."""
    public: dict[str, Unit] = {}
    parts: dict[str, dict[str, Unit]] = {}
    for each in changed:
        where = part_of(state, each.id)
        (public if where == "public" else parts.setdefault(where, {}))[each.id] = each
    if public:
        state = with_public(state, units={**state.public.units, **public})
    for name, found in parts.items():
        part = state.commands[name]
        state = with_part(state, name, replace(part, units={**part.units, **found}))
    return state


def with_unit(state: State, piece: str, **changes: Any) -> State:
    """Some fields of a unit changed."""
    return with_units(state, [replace(unit(state, piece), **changes)])


def placed(state: State, piece: str, **changes: Any) -> State:
    """Some fields of a unit changed; what it possesses is where it is."""
    state = with_unit(state, piece, **changes)
    if "at" in changes:
        for held in unit(state, piece).weapons:
            if weapon(state, held).at != changes["at"]:
                state = with_weapon(state, held, at=changes["at"])
    return state


def with_weapon(state: State, piece: str, **changes: Any) -> State:
    """Some fields of a weapon changed, where it stands."""
    changed = replace(weapon(state, piece), **changes)
    where = part_of(state, piece)
    if where == "public":
        return with_public(state, weapons=put(state.public.weapons, piece, changed))
    if not where:
        return _with_lying(state, put(state.umpire.weapons, piece, changed))
    part = state.commands[where]
    return with_part(state, where, replace(part, weapons=put(part.weapons, piece, changed)))


def with_work(state: State, piece: str, **changes: Any) -> State:
    """Some fields of a work changed, where it stands."""
    changed = replace(work(state, piece), **changes)
    return added_work(without_work(state, piece), changed, is_open=part_of(state, piece) == "public")


def added_unit(state: State, new: Unit, *, is_open: bool) -> State:
    """A unit more, open or in the part of its command."""
    if is_open:
        return with_public(state, units=put(state.public.units, new.id, new))
    part = state.commands[new.command]
    return with_part(state, new.command, replace(part, units=put(part.units, new.id, new)))


def added_weapon(state: State, new: Weapon, *, is_open: bool) -> State:
    """A weapon more, open or in the part of its command; one that lies hidden is nobody's."""
    if is_open:
        return with_public(state, weapons=put(state.public.weapons, new.id, new))
    if not new.owner:
        return _with_lying(state, put(state.umpire.weapons, new.id, new))
    part = state.commands[new.command]
    return with_part(state, new.command, replace(part, weapons=put(part.weapons, new.id, new)))


def added_work(state: State, new: Work, *, is_open: bool) -> State:
    """A work more, open or in the part of its command."""
    if is_open:
        return with_public(state, works=put(state.public.works, new.id, new))
    part = state.commands[new.command]
    return with_part(state, new.command, replace(part, works=put(part.works, new.id, new)))


def without_unit(state: State, piece: str) -> State:
    """A unit less; what it possessed stays as it is."""
    where = part_of(state, piece)
    if where == "public":
        return with_public(state, units=drop(state.public.units, piece))
    part = state.commands[where]
    return with_part(state, where, replace(part, units=drop(part.units, piece)))


def without_weapon(state: State, piece: str) -> State:
    """A weapon less, also with the unit that possesses it."""
    gone = weapon(state, piece)
    if gone.owner:
        holder = unit(state, gone.owner)
        state = with_unit(state, holder.id, weapons=tuple(each for each in holder.weapons if each != piece))
    return _taken_out(state, piece)


def without_work(state: State, piece: str) -> State:
    """A work less."""
    where = part_of(state, piece)
    if where == "public":
        return with_public(state, works=drop(state.public.works, piece))
    part = state.commands[where]
    return with_part(state, where, replace(part, works=drop(part.works, piece)))


def with_owner(state: State, piece: str, owner: str) -> State:
    """A weapon in the hands of a unit ("" : of none), standing where its owner stands (a loose one where it stood)."""
    moved = weapon(state, piece)
    is_public = part_of(state, piece) == "public"
    if moved.owner:
        holder = unit(state, moved.owner)
        state = with_unit(state, holder.id, weapons=tuple(each for each in holder.weapons if each != piece))
    state = _taken_out(state, piece)
    if not owner:
        return added_weapon(state, replace(moved, owner=""), is_open=is_public)
    taker = unit(state, owner)
    state = with_unit(state, owner, weapons=(*taker.weapons, piece))
    taken = replace(moved, owner=owner, command=taker.command, at=taker.at)
    return added_weapon(state, taken, is_open=part_of(state, owner) == "public")


def opened(state: State, pieces: Iterable[str], *, is_open: bool = True) -> State:
    """These pieces (units with what they possess, weapons that lie somewhere, works) among what everybody sees, or back
    in their commands' parts."""
    for piece in pieces:
        if (part_of(state, piece) == "public") == is_open:
            continue
        if any(piece in works for works in (state.public.works, *(part.works for part in state.commands.values()))):
            found = work(state, piece)
            state = added_work(without_work(state, piece), found, is_open=is_open)
            continue
        if has_weapon(state, piece):
            state = added_weapon(_taken_out(state, piece), weapon(state, piece), is_open=is_open)
            continue
        each = unit(state, piece)
        for held in each.weapons:
            gun = weapon(state, held)
            state = added_weapon(_taken_out(state, held), gun, is_open=is_open)
        state = added_unit(without_unit(state, piece), each, is_open=is_open)
    return state


def with_loss(state: State, loss: Loss, *, was_open: bool) -> State:
    """A loss more, among what everybody knows or what its command does."""
    if was_open:
        return with_public(state, losses=(*state.public.losses, loss))
    part = state.commands[loss.command]
    return with_part(state, loss.command, replace(part, losses=(*part.losses, loss)))


def with_plan(state: State, plan: Plan) -> State:
    """A plan where those of its giver stand."""
    if plan.by == "umpire":
        return replace(state, umpire=replace(state.umpire, plans=put(state.umpire.plans, plan.force, plan)))
    part = state.commands[plan.command]
    return with_part(state, plan.command, replace(part, plans=put(part.plans, plan.force, plan)))


def without_plan(state: State, force: str) -> State:
    """A force that follows no plan: neither its player's nor the umpire's."""
    for name, part in state.commands.items():
        if force in part.plans:
            state = with_part(state, name, replace(part, plans=drop(part.plans, force)))
    if force in state.umpire.plans:
        state = replace(state, umpire=replace(state.umpire, plans=drop(state.umpire.plans, force)))
    return state


def cleared(units: Mapping[str, Unit]) -> Mapping[str, Unit]:
    """Units without the markers that the Administrative Phase removes."""
    return {
        key: replace(each, moved="", fired=False, ops_complete=False, is_moving=False, spent=0, has_called=False)
        if each.moved or each.fired or each.ops_complete or each.is_moving or each.spent or each.has_called
        else each
        for key, each in units.items()
    }


def _with_lying(state: State, weapons: Mapping[str, Weapon]) -> State:
    return replace(state, umpire=replace(state.umpire, weapons=weapons))


def _taken_out(state: State, piece: str) -> State:
    where = part_of(state, piece)
    if where == "public":
        return with_public(state, weapons=drop(state.public.weapons, piece))
    if not where:
        return _with_lying(state, drop(state.umpire.weapons, piece))
    part = state.commands[where]
    return with_part(state, where, replace(part, weapons=drop(part.weapons, piece)))
