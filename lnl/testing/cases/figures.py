"""The values that a case file may ask of Lock 'n Load, by the names of `case_asked`. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from lnl.board.ground import level_of
from lnl.board.sight import Line
from lnl.knowledge.sighting import is_adjacent
from lnl.rules.fire import damage_checks, smoke
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.target_modifiers import target_modifiers
from lnl.rules.fire.volley import targets_at, worked_out
from lnl.rules.hidden import spotting
from lnl.rules.men.leaders import leadership
from lnl.rules.men.morale import cover_bonus, morale_of
from lnl.rules.movement import movement, reach, stacking
from lnl.rules.turn import activation
from lnl.state.battle import State, Unit
from lnl.state.finding import apart, has_unit, line, side_of, terrain_at, unit, units, units_at
from lnl.state.setting import ground_of, setting_of, sight, tables_of
from lnl.testing.cases.names import place, the_piece
from lnl.testing.cases.orders import path
from lnl.testing.cases.words import plain
from lnl.words.naming import place_words
from umpire.kernel.values.modifiers import total
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

# Sight and ground


def _line(state: State, origin: str, to: str) -> Line:
    return line(state, _place_of(state, origin), _place_of(state, to))


def _place_of(state: State, text: str) -> Any:
    """A place by name, or where a unit stands."""
    return unit(state, text).at if has_unit(state, text) else place(state, text)


def _line_of_sight(state: State, origin: str, to: str) -> str:
    found = _line(state, origin, to)
    if found.is_blocked:
        return "blocked"
    return f"degraded {found.degrading}" if found.degrading else "clear"


def _degrading(state: State, origin: str, to: str) -> int:
    return _line(state, origin, to).degrading


def _obstacles(state: State, origin: str, to: str) -> list[str]:
    """The hexes (or hexsides) that bear on a line."""
    return [each.at for each in _line(state, origin, to).obstacles]


def _asymmetric(state: State) -> int:
    """Of how many pairs of places the lines differ by direction, in what they say and in what bears on them."""
    places = [at for at in ground_of(state).places() if at[2] >= 0]
    lines = sight(state)
    differing = 0
    for number, one in enumerate(places):
        for other in places[number + 1 :]:
            there, back = lines.line(one, other), lines.line(other, one)
            differing += there != back or lines.sees(one, other) != lines.field(other).sees(one)
    return differing


def _range(state: State, origin: str, to: str) -> int:
    return apart(_place_of(state, origin), _place_of(state, to))


def _level(state: State, place: str) -> int:
    """The level of whoever is at a place."""
    return level_of(ground_of(state), _place_of(state, place), tables_of(state).ground.terrain)


def _obstacle_level(state: State, place: str) -> int:
    """The level of the top of what stands in a hex."""
    at = _place_of(state, place)
    here = ground_of(state).at(at[:2])
    assert here is not None
    return here.elevation + terrain_at(state, at).height


def _adjacent(state: State, origin: str, to: str) -> bool:
    return is_adjacent(state, _place_of(state, origin), _place_of(state, to))


def _spotted(state: State, place: str, by: str = "") -> bool:
    """Whether a hex (or the unit that is named) is spotted for a side; for the enemies of who is there, if none is
    named."""
    at = _place_of(state, place)
    sides = {each.side for each in units_at(state, at)}
    commands = _commands(state, by) if by else [each for each in state.commands if side_of(state, each) not in sides]
    if has_unit(state, place):
        return any(spotting.is_unit_spotted(state, each, place) for each in commands)
    return any(spotting.is_spotted(state, each, _place_of(state, place)) for each in commands)


def _commands(state: State, name: str) -> list[str]:
    setting = setting_of(state)
    found = [key for key, command in setting.commands.items() if name in (key, command.side)]
    if not found:
        unknown("the side", name, (*setting.commands, *setting.sides))
    return found


def _spotting(state: State, units: Any, to: str) -> int:
    """The highest die with which a unit spots a place."""
    each = one(state, units)
    at = _place_of(state, to)
    return spotting.needed(state, each.command, at) - total(spotting.working(state, each, at))


# Units


def _unit(state: State, name: str) -> Unit:
    return unit(state, the_piece(state, name))


def many(state: State, names: Any) -> list[Unit]:
    listed = [names] if isinstance(names, str) else list(names)
    return [_unit(state, each) for each in listed if has_unit(state, the_piece(state, each, listed))]


def one(state: State, names: Any) -> Unit:
    return many(state, names)[0]


def guns_of(state: State, units: Any, weapons: Any) -> tuple[str, ...]:
    listed = [units] if isinstance(units, str) else list(units)
    named = [weapons] if isinstance(weapons, str) else list(weapons)
    named += [each for each in listed if not has_unit(state, the_piece(state, each, listed))]
    return tuple(the_piece(state, each, listed) for each in named)


def _attack(
    state: State, units: Any, target: str, weapons: Any, holding: Any, leader: str, how: str, by: str = ""
) -> Attack:
    firing = many(state, units)
    at = _place_of(state, target)
    if not units_at(state, at):
        raise CaseFault(f"nobody is in {target} to be fired at", at=target)
    return Attack(
        command=firing[0].command,
        place=firing[0].at,
        units=tuple(each.id for each in firing),
        weapons=guns_of(state, units, weapons),
        holding=tuple(_unit(state, each).id for each in ([holding] if isinstance(holding, str) else holding)),
        leader=leader,
        target=at,
        targets=targets_at(state, at, firing[0].side, firing[0].at),
        how="opportunity" if how.startswith("opp") else "direct",
    )


def _firepower(
    state: State,
    units: Any,
    target: str,
    weapons: Any = (),
    holding: Any = (),
    leader: str = "",
    how: str = "direct",
) -> int:
    """What is added to the attack die, against the unit named or all that are in the place."""
    volley = worked_out(state, _attack(state, units, target, weapons, holding, leader, how))
    aims = [aim for aim in volley.aims if aim.unit == target] or list(volley.aims)
    return total(volley.attack) + total(aims[0].extra)


def _target_modifier(state: State, units: Any = "", origin: str = "", place: str = "", mortar: bool = False) -> int:
    """What is added to a unit's defence die; of a hex without a unit what its terrain and what lies there give."""
    if units:
        each = one(state, units)
    else:
        at = _place_of(state, place)
        there = units_at(state, at)
        if there:
            each = there[0]
        else:
            some = next(iter(_units(state)))
            each = Unit(id=some.id, command=some.command, side=some.side, counter=some.counter, at=at)
    return total(target_modifiers(state, each, _place_of(state, origin) if origin else None, mortar=mortar))


def _units(state: State) -> Sequence[Unit]:
    found = list(units(state))
    if not found:
        raise CaseFault("there is no unit on the map", at="target modifier")
    return found


def _cost(
    state: State,
    units: Any,
    to: str = "",
    path: Any = (),
    origin: str = "",
    manner: str = "move",
    double_time: bool = False,
) -> int | str:
    """The movement points of a path (or a step); "impossible" where there is no way or they do not suffice."""
    stack = many(state, units)
    at = _place_of(state, origin) if origin else stack[0].at
    way = _path(state, path or to, at)
    spent: Mapping[str, int] = {each.id: 0 for each in stack}
    for number, step in enumerate(way):
        made = movement.made(
            state,
            stack,
            at,
            step,
            manner=_MANNERS.get(plain(manner), "move"),  # type: ignore[arg-type]
            double_time=double_time,
            spent=spent,
            entered=tuple(way[:number]),
        )
        if made.why:
            return "impossible"
        at, spent = step, made.spent
    return max(spent.values())


_MANNERS: Final[Mapping[str, str]] = {
    "assault": "assault",
    "assault move": "assault",
    "am": "assault",
    "low crawl": "low_crawl",
    "crawl": "low_crawl",
    "stealth": "stealth",
    "stealth move": "stealth",
}


def _path(state: State, value: Any, at: Any) -> list[Any]:
    return path(state, value, at)


def _allowance(state: State, units: Any, manner: str = "move", double_time: bool = False) -> int:
    stack = many(state, units)
    way = _MANNERS.get(plain(manner), "move")
    return movement.allowance(state, stack[0], way, double_time, stack)[0]  # type: ignore[arg-type]


def _reach(state: State, units: Any, manner: str = "move", double_time: bool = False) -> list[str]:
    """The places that units can reach together."""
    way = _MANNERS.get(plain(manner), "move")
    found = reach.reachable(state, many(state, units), way, double_time)  # type: ignore[arg-type]
    return [place_words(state, at) for at in sorted(found)]


def _stacking(state: State, units: Any = (), place: str = "", by: str = "") -> str:
    """Whether these units may be in one place, alone, or with those of their side in `at`; those who are there."""
    stack = many(state, units) if units else list(units_at(state, _place_of(state, place), by))
    at = _place_of(state, place) if place else stack[0].at
    ids = [each.id for each in stack]
    if place:
        return "refused" if stacking.room_for(state, at, stack[0].side, ids) else "accepted"
    return "refused" if stacking.too_many(state, at, stack) else "accepted"


def _counts(state: State, units: Any = (), place: str = "", by: str = "") -> list[float]:
    """How many squads and single men units count for: those named, or those of a side in a place."""
    stack = many(state, units) if units else list(units_at(state, _place_of(state, place), by))
    halves, men = stacking.counts(state, stack)
    return [halves // 2 if halves % 2 == 0 else halves / 2, men]


def _activates(state: State, origin: str, by: str = "") -> list[str]:
    """The places that an impulse that begins there can be extended to, the first among them."""
    at = _place_of(state, origin)
    commands = _commands(state, by or units_at(state, at)[0].side)
    return [place_words(state, each) for each in activation.activatable(state, commands, at)]


def _morale(state: State, units: Any) -> int:
    return morale_of(state, one(state, units))[0]


def _cover(state: State, units: Any) -> int:
    """What terrain and works take off a unit's morale check."""
    return total(cover_bonus(state, one(state, units)))


def _damage(state: State, units: Any, total: Any) -> str | list[str]:
    """What a total of a Damage Check does to a unit as it is now; of several totals each."""
    scale = damage_checks.scale_of(state, one(state, units))
    return [scale.damage(each) for each in total] if isinstance(total, list) else scale.damage(total)


def _leadership(state: State, units: Any) -> int:
    return leadership(state, one(state, units))


def _smoke(state: State, units: Any) -> int:
    """The highest die with which a unit lays smoke."""
    return smoke.capability(state, one(state, units))


def _knows(state: State, by: str, units: Any) -> bool:
    """Whether a side has a unit before its eyes."""
    each = one(state, units)
    return any(spotting.is_unit_spotted(state, own, each.id) for own in _commands(state, by))


FIGURES: Final[Mapping[str, Callable[..., Any]]] = {
    "activates": _activates,
    "adjacent": _adjacent,
    "allowance": _allowance,
    "asymmetric lines": _asymmetric,
    "cost": _cost,
    "counts": _counts,
    "cover": _cover,
    "damage": _damage,
    "degrading": _degrading,
    "firepower": _firepower,
    "leadership": _leadership,
    "level": _level,
    "line of sight": _line_of_sight,
    "morale": _morale,
    "obstacle level": _obstacle_level,
    "obstacles": _obstacles,
    "range": _range,
    "reach": _reach,
    "sees": _knows,
    "smoke": _smoke,
    "spotted": _spotted,
    "spotting": _spotting,
    "stacking": _stacking,
    "target modifier": _target_modifier,
}
