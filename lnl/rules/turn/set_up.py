"""Set-up by the players: units that have a zone are put somewhere in it, side after side, within the stacking
limits; and likewise those that come in in a later turn, in the Rally Phase of that turn.

`core 1.3`
"""

from __future__ import annotations

from collections.abc import Iterable

from lnl.board.ground import BUNKER
from lnl.board.hexes import SPINES, Hex, Place
from lnl.happening.rulings import tell
from lnl.happening.turn import Ended, SetUp
from lnl.orders.checks import active_commands, not_ours
from lnl.orders.dispatch import handles
from lnl.orders.orders import EndSetUp, PlaceUnit
from lnl.rules.movement.going import is_big_gun
from lnl.rules.movement.stacking import room_for
from lnl.state.battle import Believed, State, Unit
from lnl.state.finding import (
    commands_of,
    counter_of,
    has_ended,
    has_kind,
    has_unit,
    is_open,
    is_open_command,
    perceived_enemies,
    terrain_at,
    unit,
    works_at,
)
from lnl.state.setting import ground_of, setting_of
from lnl.words.naming import name_of
from umpire.kernel.forms import Form, NumberSlot, PointSlot
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 1.3"
PHASE = ("set_up",)


def order(state: State) -> tuple[str, ...]:
    """The sides that set up, the first of the scenario first; none where it is done as printed."""
    setting = setting_of(state)
    if setting.options.set_up == "printed":
        return ()
    sides = tuple(setting.sides)
    first = sides.index(setting.first) if setting.first in sides else 0
    return (*sides[first:], *sides[:first])


def is_over(state: State) -> bool:
    """Whether the side that sets up now is done: each of its commands has said so, or is moved by plans."""
    public = state.public
    return all(
        has_ended(state, name) or state.commands[name].has_plans_only for name in commands_of(state, public.active)
    )


def places_of_zone(state: State, each: Unit) -> tuple[Place, ...]:
    """Every place of the zone of a unit that it may be set up in, none where it has none. `core 1.6.3`"""
    zones = setting_of(state).zones
    if each.zone not in zones:
        return ()
    ground = ground_of(state)
    found: list[Place] = []
    for column, row in zones[each.zone].hexes:
        if _is_barred(state, each, (column, row)):
            continue
        found.extend((column, row, level) for level in ground.levels((column, row)))
        if _has_bunker(state, (column, row), each):
            found.append((column, row, BUNKER))
    return tuple(sorted(found))


def _is_barred(state: State, each: Unit, at: Hex) -> bool:
    """Whether a big gun may not be set up there: in a building. `core 1.6.3`"""
    return is_big_gun(state, each) and terrain_at(state, at).is_building


def _has_bunker(state: State, at: Hex, each: Unit) -> bool:
    """Whether a bunker of a unit's side of which its command knows is there."""
    bunkers = (work for work in works_at(state, at, "bunker") if work.side == each.side)
    return any(work.command == each.command or is_open(state, work.id) for work in bunkers)


# PlaceUnit


def why_not(state: State, each: Unit) -> str:
    """Why nobody may choose where a unit is set up or comes in, "" where one may: at set-up that of those on the
    map, in the Rally Phase that of those who arrive in this turn."""
    if not places_of_zone(state, each):
        return "stands where the scenario puts it"
    if state.public.phase == "set_up":
        return "" if each.is_placed else "is not on the map yet"
    return "" if is_due(state, each) else "does not come in in this turn"


def is_due(state: State, each: Unit) -> bool:
    """Whether a unit comes in in this turn (or could not in an earlier one); snipers are placed in play. `core 11.4`"""
    return not each.is_placed and 0 < each.arrives <= state.public.turn and not has_kind(state, each, "sniper")


def check_place(believed: Believed, seat: Seat, order: PlaceUnit) -> Iterable[Refusal]:
    """A unit of one's own that has a zone, within it, with room for it there and no enemies. `core 1.3`"""
    if found := list(not_ours(believed, seat, (order.unit,), "unit", RULE)):
        return found
    if not has_unit(believed, order.unit):
        return [Refusal("It is no unit.", RULE, "unit")]
    each = unit(believed, order.unit)
    if why := why_not(believed, each):
        return [Refusal(f"{name_of(believed, each.id)} {why}.", RULE, "unit")]
    if ground_of(believed).at((order.at[0], order.at[1])) is not None and _is_barred(believed, each, order.at[:2]):
        return [Refusal("A big gun is not set up in a building.", "core 1.6.3", "at")]
    if order.at not in places_of_zone(believed, each):
        name = setting_of(believed).zones[each.zone].name
        return [Refusal(f"{name_of(believed, each.id)} is set up within {name}.", RULE, "at")]
    if order.facing not in ((0, *SPINES) if counter_of(believed, each).facing else (0,)):
        return [Refusal("It faces a spine from 1 to 6, where it has a facing at all.", "core 1.6.3", "facing")]
    if _has_enemies(believed, each, order.at):
        return [Refusal("Enemies are there.", RULE, "at")]
    why = room_for(believed, order.at, each.side, (each.id,))
    return [Refusal(why, RULE, "at")] if why else []


def _has_enemies(state: State, each: Unit, at: Place) -> bool:
    return any(enemy.at == at for enemy in perceived_enemies(state, each.command))


def place(state: State, seat: Seat, order: PlaceUnit) -> Ruling[State]:
    """It stands there, unless allies whom its command does not see leave no room. `core 1.3`"""
    each = unit(state, order.unit)
    if room_for(state, order.at, each.side, (each.id,)):
        return state
    return (yield from tell(SetUp(unit=each.id, at=order.at, facing=order.facing or each.facing)))


def place_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a unit the places of its zone with room for it."""
    if subject is None or not has_unit(believed, subject) or any(not_ours(believed, seat, (subject,), "unit")):
        return
    each = unit(believed, subject)
    if why_not(believed, each):
        return
    places = tuple(
        at
        for at in places_of_zone(believed, each)
        if not _has_enemies(believed, each, at) and not room_for(believed, at, each.side, (subject,))
    )
    if not places:
        return
    slots: list[PointSlot | NumberSlot] = [PointSlot(name="at", label="Where", places=places)]
    if counter_of(believed, each).facing:
        slots.append(NumberSlot(name="facing", label="Facing", low=SPINES[0], high=SPINES[-1], unit="spine"))
    yield Form(
        verb="PlaceUnit", label="Set up", subject=(subject,), fixed={"unit": subject}, slots=tuple(slots), rule=RULE
    )


# EndSetUp


def check_end(believed: Believed, seat: Seat, order: EndSetUp) -> Iterable[Refusal]:
    """Whoever sets up now may end it: phase and side are checked before."""
    return ()


def end(state: State, seat: Seat, order: EndSetUp) -> Ruling[State]:
    """The seat's commands are set up."""
    for command in active_commands(state, seat):
        state = yield from tell(Ended(command=command, is_open=is_open_command(state, command)))
    return state


def end_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Ending it needs no piece."""
    if subject is None and active_commands(believed, seat):
        yield Form(verb="EndSetUp", label="Set up, ready", rule=RULE)


handles(
    PlaceUnit, check=check_place, resolve=place, options=place_forms, phases=(*PHASE, "rally"), rule=RULE, role="aside"
)
handles(EndSetUp, check=check_end, resolve=end, options=end_forms, phases=PHASE, rule=RULE, role="ends")
