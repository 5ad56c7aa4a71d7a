"""Snipers: they show up anywhere in cover, at any time. How they fire is `fire_combat`'s. `core 11.4`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from lnl.board.ground import place_name
from lnl.board.hexes import Place
from lnl.happening.fire import OpsCompleted
from lnl.happening.movement import Arrived
from lnl.happening.rulings import ask, tell
from lnl.orders.checks import not_ours, off_map
from lnl.orders.dispatch import handles
from lnl.orders.orders import PlaceSniper
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.fire_combat import attack, may_fire, target_refusals
from lnl.rules.fire.target_modifiers import covering_ground
from lnl.rules.fire.volley import struck, targets_at
from lnl.rules.hidden.spotting import uncover
from lnl.rules.movement.stacking import room_beside
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import is_mine
from lnl.state.finding import enemies_at, has_kind, has_unit, melee_at, perceived_enemies, unit, units, units_at
from lnl.state.setting import ground_of, setting_of
from lnl.words.naming import place_words, unit_name
from umpire.kernel.forms import Form, PointSlot
from umpire.kernel.rulings import Choice, Question, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

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
    if not covering_ground(state, place):
        return "That hex gives no cover."
    if melee_at(state, place) is not None or any(
        enemy.at[:2] == place[:2] for enemy in perceived_enemies(state, each.command)
    ):
        return "Enemies are there."
    return room_beside(state, replace(each, at=place, is_off=False))


def _no_target(state: State, each: Unit, place: Place, target: Place) -> Iterator[Refusal]:
    """Why he may not fire at a target from a place: as if he stood there, in a bunker by its front. `core 11.4`,
    `core 5.0`, `core 21.1`"""
    there = replace(each, at=place, is_off=False)
    found = list(may_fire(state, there, (), target)) or list(target_refusals(state, each.command, place, target))
    yield from (replace(refusal, field="unit") if refusal.field == "units" else refusal for refusal in found)


def resolve_place(state: State, seat: Seat, order: PlaceSniper) -> Ruling[State]:
    """He stands where he was placed, unless enemies whom nobody knew of are there: then he does not show up, nor
    anywhere else in this turn (L83). With a target he fires at once. `core 11.4`"""
    return (yield from shows_up(state, order.unit, order.at, order.target))


def shows_up(state: State, piece: str, at: Place, target: Place | None) -> Ruling[State]:
    """A sniper stands in a place from now on, and fires at a target if he has one. `core 11.4`"""
    each = unit(state, piece)
    if any(enemies_at(state, (*at[:2], level), each.side) for level in (-1, 0, 1)):
        return (yield from tell(OpsCompleted(units=(piece,), why=TAKEN)))
    if room_beside(state, replace(each, at=at, is_off=False)):
        return state
    state = yield from tell(Arrived(unit=piece, at=at))
    state = yield from uncover(state)
    if target is None or not has_unit(state, piece):
        return state
    if any(units_at(state, place, each.side) for place in struck(target, at)):
        return state
    made = Attack(
        command=each.command,
        place=at,
        units=(piece,),
        target=target,
        targets=targets_at(state, target, each.side, at),
        how="sniper",
    )
    return (yield from attack(state, made))


# While enemies move


def lying_in_wait(state: State, side: str, target: Place) -> dict[str, tuple[Place, ...]]:
    """The snipers of other sides who have not shown up, and from where each may fire at a place now: they show up at
    any time, so also while somebody moves there (L201). `core 11.4`"""
    if state.public.phase not in PHASES or setting_of(state).options.play == "blind":
        return {}
    found: dict[str, tuple[Place, ...]] = {}
    for each in units(state):
        is_waiting = not each.is_placed and not each.ops_complete and each.side != side
        if is_waiting and has_kind(state, each, "sniper"):
            if places := _from_where(state, each, target):
                found[each.id] = places
    return found


def _from_where(state: State, each: Unit, target: Place) -> tuple[Place, ...]:
    return tuple(
        place
        for place in ground_of(state).places()
        if not _no_place(state, each, place) and not any(_no_target(state, each, place, target))
    )


def fires_at_movers(state: State, piece: str, places: Sequence[Place], target: Place) -> Ruling[State]:
    """His player says where he shows up, and he fires. `core 11.4`"""
    each = unit(state, piece)
    ground = ground_of(state)
    question = Question(
        kind="sniper_place",
        prompt=f"From where does {unit_name(state, each)} fire?",
        choices=tuple(
            Choice(id=place_name(ground, at), label=f"From {place_name(ground, at)}", at=at) for at in places
        ),
        default=(place_name(ground, places[0]),),
        rule=RULE,
    )
    state, taken = yield from ask(each.command, question)
    place = next(at for at in places if place_name(ground, at) in taken)
    return (yield from shows_up(state, piece, place, target)) if has_unit(state, piece) else state


def place_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a sniper who has not shown up where he may, and at whom he may fire from there at once; those of a side whose
    turn it is not stand under no piece. `core 11.4`"""
    if subject is None:
        for each in units(believed):
            if is_mine(seat, each) and not each.is_placed and each.side != believed.public.active:
                yield from place_forms(believed, seat, each.id)
        return
    if not has_unit(believed, subject):
        return
    each = unit(believed, subject)
    is_waiting = has_kind(believed, each, "sniper") and not (each.is_placed or each.ops_complete)
    is_waiting = is_waiting and is_mine(seat, each)
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
