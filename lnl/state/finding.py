"""How to find one's way in a state: units, weapons, places, what a unit's counter says now.

Everything here works on the truth and on a belief alike. A rule that turns on what troops perceive asks `perceives` and
`lnl.rules.hidden.spotting`, never geometry alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import cast

from lnl.board.hexes import Hex, Place, distance
from lnl.board.sight import Line
from lnl.book.rows import MULTI_MAN, SINGLE_MAN, CounterRow, TerrainRow, WeaponRow
from lnl.state.battle import (
    CommandPart,
    Impulse,
    Melee,
    Piece,
    Plan,
    Public,
    Standing,
    State,
    Unit,
    Weapon,
    Work,
    hex_key,
    place_key,
)
from lnl.state.setting import ground_of, setting_of, sight, tables_named, tables_of
from umpire.kernel.events import subject_of
from umpire.kernel.pieces.finding import by_place, find, has, held, of_kind, part_of, standing_at
from umpire.kernel.pieces.piece import PUBLIC
from umpire.kernel.states import Belief
from umpire.kernel.values.memo import Memo

# Pieces


def units(state: State) -> Sequence[Unit]:
    """All units that the state holds; the public ones first, then by command."""
    return of_kind(state, Unit)


def weapons(state: State) -> Sequence[Weapon]:
    """All support weapons that the state holds."""
    return of_kind(state, Weapon)


def works(state: State) -> Sequence[Work]:
    """All works that the state holds."""
    return of_kind(state, Work)


def units_of(part: Public | CommandPart) -> Iterator[Unit]:
    """The units that stand in one part of a state."""
    return (each for each in part.pieces.values() if isinstance(each, Unit))


def has_unit(state: State, piece: str) -> bool:
    return has(state, piece, Unit)


def has_weapon(state: State, piece: str) -> bool:
    return has(state, piece, Weapon)


def unit(state: State, piece: str) -> Unit:
    """The unit with this id. Raises KeyError."""
    return find(state, piece, Unit)


def weapon(state: State, piece: str) -> Weapon:
    """The weapon with this id. Raises KeyError."""
    return find(state, piece, Weapon)


def work(state: State, piece: str) -> Work:
    """The work with this id. Raises KeyError."""
    return find(state, piece, Work)


def piece_of(state: State, piece: str) -> Piece:
    """The unit, weapon or work with this id. Raises KeyError."""
    return find(state, piece, Piece)


def present(state: State, pieces: Iterable[str]) -> tuple[Unit, ...]:
    """Those of these units that are still there and on the board, in the order given."""
    found = (unit(state, piece) for piece in pieces if has_unit(state, piece))
    return tuple(each for each in found if each.is_placed)


class _Standing:
    """Who stands in which hex of a state, whom of the enemy commands perceive, and what works lie where."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.perceived: dict[str, tuple[Unit, ...]] = {}

    @cached_property
    def hexes(self) -> Mapping[Hex, Sequence[Unit]]:
        found: dict[Hex, list[Unit]] = {}
        for place, there in standing(self.state).items():
            found.setdefault(place[:2], []).extend(there)
        return {at: sorted(there, key=_id) for at, there in found.items()}

    @cached_property
    def works(self) -> Mapping[Hex, Sequence[Work]]:
        found: dict[Hex, list[Work]] = {}
        for each in works(self.state):
            found.setdefault(each.at, []).append(each)
        return found


_standing: Memo[State, _Standing] = Memo(_Standing)


def standing(state: State) -> Mapping[Place, Sequence[Unit]]:
    """The units on the board by place."""
    return cast(Mapping[Place, Sequence[Unit]], by_place(state, Unit))


def units_at(state: State, place: Place, side: str = "") -> tuple[Unit, ...]:
    """The units in a place, of one side or of all, by id."""
    found = standing_at(state, place, Unit)
    return tuple([each for each in found if each.side == side]) if side else found


def _id(each: Unit) -> str:
    return each.id


def units_in_hex(state: State, at: Hex, side: str = "") -> tuple[Unit, ...]:
    """The units on all levels of a hex."""
    found = _standing.of(state).hexes.get((at[0], at[1]), ())
    return tuple([each for each in found if each.side == side] if side else found)


def enemies_at(state: State, place: Place, side: str) -> tuple[Unit, ...]:
    """The units of other sides in a place."""
    return tuple(each for each in units_at(state, place) if each.side != side)


def weapons_of(state: State, owner: Unit) -> tuple[Weapon, ...]:
    """What a unit possesses (in a belief of an enemy: what is seen of it), in the order in which it came."""
    return held(state, owner.id, Weapon)


def carried(state: State, owner: Unit) -> tuple[str, ...]:
    """The ids of the same."""
    return tuple([each.id for each in held(state, owner.id, Weapon)])


def works_at(state: State, at: Hex | Place, *kinds: str) -> tuple[Work, ...]:
    """The works in a hex, of these kinds or of all."""
    found = _standing.of(state).works.get((at[0], at[1]), ())
    return tuple([each for each in found if each.kind in kinds] if kinds else found)


# Sides and commands


def side_of(state: State, command: str) -> str:
    """The side of a command. Raises KeyError."""
    return setting_of(state).commands[command].side


def is_open_command(state: State, command: str) -> bool:
    """Whether all see what a command has. In a blind battle its enemies know only that its side is there."""
    return setting_of(state).options.play == "open"


def has_ended(state: State, command: str) -> bool:
    """Whether a command is done with set-up or rally, as far as the state knows."""
    part = state.commands.get(command)
    return command in state.public.ended or (part is not None and part.has_ended)


def commands_of(state: State, side: str) -> tuple[str, ...]:
    """The commands of a side, by key."""
    return tuple(key for key, command in setting_of(state).commands.items() if command.side == side)


def other_sides(state: State, side: str) -> tuple[str, ...]:
    """The sides that this one fights."""
    return tuple(key for key in setting_of(state).sides if key != side)


def enemy_commands(state: State, command: str) -> tuple[str, ...]:
    """The commands of all other sides."""
    side = side_of(state, command)
    return tuple(key for key, other in setting_of(state).commands.items() if other.side != side)


def is_open(state: State, piece: str) -> bool:
    """Whether everybody sees a piece (or the state is a belief that sees it)."""
    return part_of(state, piece) == PUBLIC


def perceives(state: State, command: str, piece: str) -> bool:
    """Whether a command has a unit of others before its eyes: an open one, or a contact in sight.

    The same in truth and in belief. Whether its hex is spotted is `lnl.rules.hidden.spotting`'s.
    """
    return piece in state.public.pieces or piece in state.umpire.aliases.get(command, {})


def perceived_enemies(state: State, command: str) -> tuple[Unit, ...]:
    """The enemy units on the board that a command has before its eyes, in truth as in belief, by id."""
    known = _standing.of(state).perceived
    found = known.get(command)
    if found is None:
        side = side_of(state, command)
        among = (each for each in units(state) if each.side != side and each.is_placed)
        found = known[command] = tuple(sorted((each for each in among if perceives(state, command, each.id)), key=_id))
    return found


def enemies_perceived_by(state: State, each: Unit) -> tuple[Unit, ...]:
    """The same for the command of a unit. In a belief that of a contact is not known: odds assume that it sees all."""
    if each.command:
        return perceived_enemies(state, each.command)
    found = (other for other in units(state) if other.side != each.side and other.is_placed)
    return tuple(sorted(found, key=lambda other: other.id))


def true_id(state: State, commands: Iterable[str], name: str) -> str | None:
    """What a name in an order stands for, None if nothing does (any more). In a belief names are what they are."""
    if isinstance(state, Belief):
        return name
    named = tuple(commands)
    for command in named:
        subject = subject_of(state, command, name)
        if subject is not None:
            return subject
    own = (state.commands[command].pieces for command in named if command in state.commands)
    return name if any(name in pieces for pieces in (state.public.pieces, *own)) else None


def plan_of(state: State, force: str) -> Plan | None:
    """The plan that a force follows: its player's, or else the umpire's."""
    for part in state.commands.values():
        if force in part.plans:
            return part.plans[force]
    return state.umpire.plans.get(force)


def plans(state: State) -> Mapping[str, Plan]:
    """The plan of every force that has one, by force."""
    found = dict(state.umpire.plans)
    for part in state.commands.values():
        found.update(part.plans)
    return dict(sorted(found.items()))


def standing_of(state: State, each: Unit) -> Standing:
    """What answers for a unit: its own standing orders, or its command's."""
    given = state.commands[each.command].standing if each.command in state.commands else {}
    return given.get(each.id) or given.get("") or Standing()


def impulse_of(state: State, commands: Iterable[str] = ()) -> Impulse | None:
    """The impulse that goes on: that of one of these commands (of any, where none is named), or what all see of one."""
    named = tuple(commands) or tuple(state.commands)
    return next(
        (part.impulse for name in named if (part := state.commands.get(name)) is not None and part.impulse is not None),
        state.public.impulse,
    )


def spots_openly(state: State, command: str) -> bool:
    """Whether all see who makes the attempt at spotting in a command's impulse, and what comes of it."""
    impulse = impulse_of(state, (command,))
    return impulse is not None and impulse.spotter in state.public.pieces


# Counters


def counter_of(state: State, each: Unit) -> CounterRow:
    """The counter of a unit as its book has it. `core 1.1`"""
    return _counter(state.public.setting, each.counter)


@lru_cache(maxsize=4096)
def _counter(setting: str, counter: str) -> CounterRow:
    return tables_named(setting).counter(counter)


def weapon_row(state: State, each: Weapon) -> WeaponRow:
    """The row of a weapon. `core 1.6.1`"""
    return tables_of(state).weapon(each.counter)


def is_multi_man(state: State, each: Unit) -> bool:
    """Whether a unit is an MMC: squad, half-squad, crew or weapon team. `core 1.1`"""
    return counter_of(state, each).kind in MULTI_MAN


def is_single_man(state: State, each: Unit) -> bool:
    """Whether a unit is an SMC. `core 11.0`"""
    return counter_of(state, each).kind in SINGLE_MAN


def has_kind(state: State, each: Unit, *kinds: str) -> bool:
    """Whether a unit is one of these kinds."""
    return counter_of(state, each).kind in kinds


def is_leader(state: State, each: Unit) -> bool:
    """Whether a unit acts as a Leader: Leaders, and Commissars for all purposes. `core 11.1`, `core 11.9`"""
    return has_kind(state, each, "leader", "commissar")


def scouts(state: State, each: Unit) -> bool:
    """Whether a unit has the abilities of a scout: he loses all while he crews a weapon. `core 11.7`"""
    return has_kind(state, each, "scout") and not carried(state, each)


def is_captured(each: Weapon, holder: Unit) -> bool:
    """Whether a weapon was the enemy's. `core 1.6.1`"""
    return each.side != holder.side


def traits_of(state: State, each: Unit) -> frozenset[str]:
    """The words in the data of a unit: of its counter, its nation, its skill cards and the scenario."""
    return _traits(state.public.setting, each.counter, each.skills, each.traits)


@lru_cache(maxsize=4096)
def _traits(setting: str, counter: str, skills: tuple[str, ...], own: tuple[str, ...]) -> frozenset[str]:
    tables = tables_named(setting)
    row = tables.counter(counter)
    learnt = [word for skill in skills for word in tables.skill(skill).traits]
    return frozenset((*row.traits, *tables.nation(row.nation).traits, *own, *learnt))


# Ground


def terrain_at(state: State, at: Hex | Place) -> TerrainRow:
    """The terrain of a hex: that around its centre dot, or a terrain marker's. `core 10.4`, `core 10.5`"""
    placed = state.public.terrain.get(hex_key(at))
    if placed is not None:
        return tables_of(state).terrain(placed)
    found = ground_of(state).at((at[0], at[1]))
    if found is None:
        raise KeyError(at)
    return tables_of(state).terrain(found.terrain)


def line(state: State, origin: Place, to: Place) -> Line:
    """The line of sight between two places as the ground is now. `core 10.3`"""
    return sight(state).line(origin, to)


def sees(state: State, origin: Place, to: Place) -> bool:
    """Whether there is a line of sight. `core 10.0`"""
    return sight(state).sees(origin, to)


def apart(origin: Place, to: Place) -> int:
    """The range from one place to another in hexes. `core 5.0`"""
    return distance((origin[0], origin[1]), (to[0], to[1]))


def melee_at(state: State, place: Place) -> Melee | None:
    """The Melee marker of a place. `core 8.1`"""
    return state.public.melees.get(place_key(place))


def is_locked(state: State, each: Unit) -> bool:
    """Whether a unit is locked in Melee. `core 8.1`"""
    return each.is_placed and melee_at(state, each.at) is not None
