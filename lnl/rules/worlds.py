"""Invariants of a state, and fates for odds. `lnl.testing.twins` has other worlds behind the same slice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from lnl.board.ground import BUNKER
from lnl.board.hexes import Place
from lnl.orders.checks import is_on_map
from lnl.rules.men.heroes import parent_of
from lnl.rules.movement.stacking import room_for
from lnl.rules.works.support_weapons import portage
from lnl.state.battle import Believed, State, Unit, Weapon, place_key
from lnl.state.finding import (
    carried,
    counter_of,
    has_kind,
    has_unit,
    has_weapon,
    melee_at,
    unit,
    units,
    units_at,
    weapon,
    weapons,
    works,
    works_at,
)
from lnl.state.setting import ground_of, setting_of, tables_of
from lnl.words.naming import name_of
from umpire.kernel.pieces.finding import maps_of, part_of
from umpire.kernel.pieces.piece import NOBODY, PUBLIC
from umpire.kernel.pieces.problems import problems
from umpire.kernel.registry import Fate
from umpire.kernel.values.maps import is_ordered


def impossible(state: State) -> Iterator[str]:
    """What no battle can be, in words."""
    yield from _of_ids(state)
    for each in units(state):
        yield from _of_unit(state, each)
    for gun in weapons(state):
        yield from _of_weapon(state, gun)
    for work in works(state):
        if ground_of(state).at(work.at) is None:
            yield f"{work.kind} {work.id} lies off the map at {work.at}"
    for key, melee in state.public.melees.items():
        if key != place_key(melee.at):
            yield f"the melee at {melee.at} stands under {key}"
    yield from _of_contacts(state)


def breaches(state: State) -> Iterator[str]:
    """What no rule allows and the umpire may order, in words that he reads."""
    yield from _of_places(state)
    yield from _of_heroes(state)
    for each in units(state):
        if len(carried(state, each)) > max(portage(state, each), 0):
            yield f"{name_of(state, each.id)} carries more than it may"


def _of_ids(state: State) -> Iterator[str]:
    yield from problems(state)
    for where, pieces in maps_of(state):
        if not is_ordered(pieces):
            yield f"the pieces of {where or 'nobody'} are not in the order of their ids"


def _of_unit(state: State, each: Unit) -> Iterator[str]:
    row = counter_of(state, each)
    if each.is_placed and not is_on_map(state, each.at):
        yield f"{each.id} is off the map at {each.at}"
    if each.is_placed and each.at[2] == BUNKER and not works_at(state, each.at, "bunker"):
        yield f"{each.id} is in a bunker that is not there, at {each.at}"
    if each.is_moving and not each.moved:
        yield f"{each.id} moves without a marker"
    if row.kind == "hero" and each.is_shaken:
        yield f"{each.id} is a hero and Shaken"


def _of_weapon(state: State, gun: Weapon) -> Iterator[str]:
    if not gun.owner:
        if part_of(state, gun.id) not in (PUBLIC, NOBODY):
            yield f"{gun.id} lies somewhere and is in a command's part"
        if not is_on_map(state, gun.at):
            yield f"{gun.id} lies off the map at {gun.at}"
    elif not has_unit(state, gun.owner):
        yield f"{gun.id} belongs to {gun.owner}, which is no unit"


def _of_places(state: State) -> Iterator[str]:
    """Stacking at all times, and enemies in one place only in melee (whose marker is laid after the first round, when
    those who have entered bear one of movement), once they are set up. `core 1.3`, `core 8.0`"""
    there = {(each.at, each.side) for each in units(state) if each.is_placed and is_on_map(state, each.at)}
    for place, side in sorted(there):
        if why := room_for(state, place, side, ()):
            yield f"too many of {setting_of(state).sides[side].name} at {_called(state, place)} ({why.rstrip('.')})"
    sides = Counter(place for place, _ in there)
    is_set_up = state.public.phase != "set_up"
    for place in sorted(place for place, count in sides.items() if count > 1 and is_set_up):
        if melee_at(state, place) is None and not any(each.moved for each in units_at(state, place)):
            yield f"enemies are in one place without melee, at {_called(state, place)}"


def _called(state: State, place: Place) -> str:
    level = {1: " upstairs", BUNKER: " in the bunker"}.get(place[2], "")
    return f"{here.name if (here := ground_of(state).at(place[:2])) is not None else place}{level}"


def _of_heroes(state: State) -> Iterator[str]:
    """Two heroes of a nation at a time. `core 11.2`"""
    heroes = [each for each in units(state) if each.is_placed and has_kind(state, each, "hero")]
    most = tables_of(state).number("heroes_of_a_nation")
    for nation, count in sorted(Counter(counter_of(state, each).nation for each in heroes).items()):
        if count > most:
            yield f"there are more than {most} heroes of {nation} on the board"


def _of_contacts(state: State) -> Iterator[str]:
    for command, known in state.umpire.aliases.items():
        contacts = state.commands[command].contacts
        if len(set(known.values())) != len(known):
            yield f"{command} knows two things under one alias"
        for subject, alias in known.items():
            if alias not in contacts:
                yield f"{command} has an alias {alias} without a contact"
            elif contacts[alias].status == "in_sight" and not _is_there(state, subject):
                yield f"{command} sees {alias}, and nothing is there"


def _is_there(state: State, piece: str) -> bool:
    if has_unit(state, piece):
        return unit(state, piece).is_placed
    return has_weapon(state, piece) or any(each.id == piece for each in works(state))


# Fates


def fates(before: Believed, after: Believed) -> tuple[Fate, ...]:
    """What became of pieces between two beliefs, and of places: spotted, smoke, light."""
    found: list[Fate] = []
    for each in units(before):
        if not has_unit(after, each.id):
            found.append(Fate(piece=each.id, what=_end(before, after, each)))
        else:
            found.extend(Fate(piece=each.id, what=what) for what in _changed(each, unit(after, each.id)))
    for each in units(after):
        if not has_unit(before, each.id) and has_kind(after, each, "hero"):
            found.append(Fate(piece=parent_of(before, each.id) or place_key(each.at), what="hero"))
    for gun in weapons(after):
        if has_weapon(before, gun.id) and gun.is_jammed and not weapon(before, gun.id).is_jammed:
            found.append(Fate(piece=gun.id, what="jammed"))
    found.extend(_of_ground(before, after))
    return tuple(found)


def _changed(old: Unit, new: Unit) -> Iterator[str]:
    if new.counter != old.counter:
        yield "casualties"
    elif new.is_shaken and not old.is_shaken and not new.is_wounded:
        yield "shaken"
    if new.is_wounded and not old.is_wounded:
        yield "wounded"
    if old.is_wounded and not new.is_wounded:
        yield "healed"
    if old.is_shaken and not new.is_shaken:
        yield "rallied"


def _end(before: State, after: State, each: Unit) -> str:
    """How a unit left the battle: as its loss says."""
    lost = [*after.public.losses, *(loss for part in after.commands.values() for loss in part.losses)]
    known = [*before.public.losses, *(loss for part in before.commands.values() for loss in part.losses)]
    return next((loss.how for loss in lost if loss.unit == each.id and loss not in known), "eliminated")


def _of_ground(before: State, after: State) -> Iterator[Fate]:
    for place in sorted(_spotted(after) - _spotted(before)):
        yield Fate(piece=place_key(place), what="spotted")
    for key, stage in after.public.smoke.items():
        if before.public.smoke.get(key) != stage:
            yield Fate(piece=key, what="smoke")
    for at in after.public.star_shells:
        if at not in before.public.star_shells:
            yield Fate(piece=f"{at[0]},{at[1]}", what="lit")


def _spotted(state: State) -> set[Any]:
    return {*state.public.spotted, *(place for part in state.commands.values() for place in part.spotted)}
