"""Snipers: they show up anywhere in cover, at any time. How they fire is `fire_combat`'s. `core 11.4`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.checks import not_ours, off_map
from lnl.dispatch import handles
from lnl.events import Arrived, OpsCompleted
from lnl.finding import (
    apart,
    counter_of,
    enemies_at,
    has_kind,
    has_unit,
    melee_at,
    perceived_enemies,
    terrain_at,
    unit,
    units,
    units_at,
)
from lnl.naming import place_words
from lnl.orders import PlaceSniper
from lnl.rules.attacks import Attack
from lnl.rules.fire_combat import attack, target_refusals
from lnl.rules.spotting import uncover
from lnl.rules.stacking import room_beside
from lnl.rules.volley import struck, targets_at
from lnl.rulings import tell
from lnl.setting import ground_of
from lnl.state import Believed, State, Unit
from umpire.kernel.forms import Form, PointSlot
from umpire.kernel.modifiers import Refusal
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat

RULE = "core 11.4"
PHASES = ("rally", "operations")
TAKEN = "his place is taken"
"""Why a sniper who has not shown up is Ops Complete."""


# Showing up


def check_place(believed: Believed, seat: Seat, order: PlaceSniper) -> Iterator[Refusal]:
    """A sniper who has not shown up yet is placed in a hex with a positive target modifier and no enemies, at any time
    once the battle has begun; he may fire at once at a spotted enemy hex in his line of sight. `core 11.4`"""
    wrong = [
        *not_ours(believed, seat, (order.unit,), "unit", RULE),
        *off_map(believed, (order.at,), "at", RULE),
        *(off_map(believed, (order.target,), "target", RULE) if order.target is not None else ()),
    ]
    if wrong:
        yield from wrong
        return
    if believed.public.result is not None or believed.public.phase not in PHASES:
        yield Refusal("Snipers show up while the battle goes on.", RULE)
        return
    if not has_unit(believed, order.unit) or not has_kind(believed, unit(believed, order.unit), "sniper"):
        yield Refusal("That is no sniper.", RULE, "unit")
        return
    each = unit(believed, order.unit)
    if each.is_placed:
        yield Refusal("He has shown up already.", RULE, "unit")
        return
    if each.ops_complete:
        yield Refusal("He has found his place taken, and tries no other in this turn.", RULE, "unit")
        return
    if why := _no_place(believed, each, order.at):
        yield Refusal(why, RULE, "at")
    if order.target is not None:
        yield from _no_target(believed, each, order.at, order.target)


def _no_place(state: State, each: Unit, place: Place) -> str:
    if terrain_at(state, place).target_modifier <= 0:
        return "That hex gives no cover."
    if melee_at(state, place) is not None or any(
        enemy.at[:2] == place[:2] for enemy in perceived_enemies(state, each.command)
    ):
        return "Enemies are there."
    return room_beside(state, replace(each, at=place, is_placed=True))


def _no_target(state: State, each: Unit, place: Place, target: Place) -> Iterator[Refusal]:
    if each.is_shaken:
        yield Refusal("He is Shaken.", "core 5.1", "unit")
    elif apart(place, target) > counter_of(state, each).range:
        yield Refusal("He does not reach that far.", RULE, "target")
    else:
        yield from target_refusals(state, each.command, place, target)


def resolve_place(state: State, seat: Seat, order: PlaceSniper) -> Ruling[State]:
    """He stands where he was placed, unless enemies whom nobody knew of are there: then he does not show up, nor
    anywhere else in this turn (L83). With a target he fires at once. `core 11.4`"""
    each = unit(state, order.unit)
    if any(enemies_at(state, (*order.at[:2], level), each.side) for level in (-1, 0, 1)):
        return (yield from tell(OpsCompleted(units=(order.unit,), why=TAKEN)))
    if room_beside(state, replace(each, at=order.at, is_placed=True)):
        return state
    state = yield from tell(Arrived(unit=order.unit, at=order.at))
    state = yield from uncover(state)
    if order.target is None or not has_unit(state, order.unit):
        return state
    if any(units_at(state, at, each.side) for at in struck(order.target, order.at)):
        return state
    made = Attack(
        command=each.command,
        place=order.at,
        units=(order.unit,),
        target=order.target,
        targets=targets_at(state, order.target, each.side, order.at),
        how="sniper",
    )
    return (yield from attack(state, made))


def place_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a sniper who has not shown up where he may, and at whom he may fire from there at once; those of a side whose
    turn it is not stand under no piece. `core 11.4`"""
    if subject is None:
        for each in units(believed):
            if each.command in seat.commands and not each.is_placed and each.side != believed.public.active:
                yield from place_forms(believed, seat, each.id)
        return
    if not has_unit(believed, subject):
        return
    each = unit(believed, subject)
    is_waiting = has_kind(believed, each, "sniper") and not (each.is_placed or each.ops_complete)
    is_waiting = is_waiting and each.command in seat.commands
    if not is_waiting or believed.public.phase not in PHASES or believed.public.result is not None:
        return
    places = [place for place in ground_of(believed).places() if not _no_place(believed, each, place)]
    if not places:
        return
    yield Form(
        verb="PlaceSniper",
        label="Show up",
        subject=(subject,),
        fixed={"unit": subject},
        slots=(PointSlot(name="at", label="Where", places=tuple(places)),),
        rule=RULE,
    )
    targets = sorted({enemy.at for enemy in perceived_enemies(believed, each.command)})
    for target in targets:
        able = tuple(place for place in places if not any(_no_target(believed, each, place, target)))
        if able:
            yield Form(
                verb="PlaceSniper",
                label=f"Show up and fire at {place_words(believed, target)}",
                subject=(subject,),
                fixed={"unit": subject, "target": list(target)},
                slots=(PointSlot(name="at", label="From where", places=able),),
                rule=RULE,
                odds=True,
            )


handles(PlaceSniper, check=check_place, resolve=resolve_place, options=place_forms, rule=RULE)
