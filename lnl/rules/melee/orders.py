"""A melee that goes on from an earlier turn: fighting its round, or withdrawing from it. `core 8.1`"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from lnl.board.hexes import Place
from lnl.orders.checks import not_our_units, off_map, repeated
from lnl.orders.dispatch import handles
from lnl.orders.orders import FightMelee, Withdraw
from lnl.rules.melee.melee import TOO_WEAK, fight
from lnl.rules.melee.strength import RULE, MeleeAttack, attack_of, attackers_at, is_eligible, weapons_used
from lnl.rules.men.leaders import good_order_leaders, lent
from lnl.rules.men.morale import check_morale
from lnl.rules.movement.going import going as going_on
from lnl.rules.movement.marching import march
from lnl.rules.movement.movement import allowance, made, refusal
from lnl.rules.movement.reach import reachable
from lnl.rules.movement.special_movement import has_moved_from
from lnl.rules.turn.operations_phase import acted, another_has_it, began
from lnl.rules.works.support_weapons import bars_moving
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import is_known, is_mine, mine_at
from lnl.state.finding import (
    carried,
    counter_of,
    enemies_at,
    has_unit,
    impulse_of,
    melee_at,
    present,
    side_of,
    true_id,
    unit,
    units_at,
)
from lnl.words.naming import name_of
from umpire.kernel.forms import ChoiceSlot, Form, PathSlot
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal, total

LOCKED = "core 8.1"


def _commanding(state: State, seat: Seat, place: Place) -> str:
    """The seat's command that has troops in a place, "" for none."""
    there = mine_at(state, seat.commands, place)
    return next((each.command for each in there if each.side == state.public.active), "")


def _not_now(state: State, seat: Seat, place: Place, rule: str) -> Iterator[Refusal]:
    """Why nothing can be done about a melee now: none is there, its round is over (by this rule), another impulse goes
    on."""
    marker = melee_at(state, place)
    command = _commanding(state, seat, place)
    if marker is None or not command:
        yield Refusal("No troops of yours are locked in melee there.", LOCKED, "at")
    elif marker.fought:
        yield Refusal("This melee has had its round in this turn.", rule, "at")
    else:
        impulse = impulse_of(state, seat.commands)
        if impulse is not None and impulse.places and place not in impulse.places:
            yield Refusal("This impulse has not activated that place.", "core 4.0", "at")


# Fighting


def check_fight(believed: Believed, seat: Seat, order: FightMelee) -> Iterator[Refusal]:
    """Own troops that can fight are locked there, the round of this turn is to come; targets are enemies there who may
    be attacked. `core 8.1`"""
    wrong = list(off_map(believed, (order.at,), "at")) or list(_not_now(believed, seat, order.at, RULE))
    if wrong:
        yield from wrong
        return
    side = side_of(believed, _commanding(believed, seat, order.at))
    if not attackers_at(believed, order.at, side):
        yield Refusal("Nobody of yours there can attack.", LOCKED, "at")
        return
    able = _able(believed, order.at, side)
    if not set(order.targets) <= set(able) or len(set(order.targets)) != len(order.targets):
        yield Refusal("That is nobody who can be attacked there, or is named twice.", LOCKED, "targets")
    elif len(order.targets) > 1 and _is_too_weak(believed, order.at, side, order.targets):
        yield Refusal(TOO_WEAK, RULE, "targets")


def _able(state: State, place: Place, side: str) -> tuple[str, ...]:
    return tuple(each.id for each in enemies_at(state, place, side) if is_eligible(state, each))


def _attack(state: State, place: Place, side: str, targets: Sequence[str], *, charged: bool = False) -> MeleeAttack:
    striking = attackers_at(state, place, side)
    used = {each.id: weapons_used(state, each, carried(state, each) if charged else ()) for each in striking}
    used.update({each.id: weapons_used(state, each) for each in present(state, targets)})
    return attack_of(state, [each.id for each in striking], targets, used)


def _is_too_weak(state: State, place: Place, side: str, targets: Sequence[str]) -> bool:
    """Whether so many may not be attacked, even with all charges that are at hand. `core 8.0`"""
    return all(_attack(state, place, side, targets, charged=charged).is_too_weak for charged in (False, True))


def resolve_fight(state: State, seat: Seat, order: FightMelee) -> Ruling[State]:
    """An impulse is spent on the round. `core 8.1`"""
    command = _commanding(state, seat, order.at)
    if another_has_it(state, seat, command):
        return state
    named = (true_id(state, seat.commands, each) for each in order.targets)
    targets = tuple(each for each in named if each is not None)
    there = units_at(state, order.at, side_of(state, command))
    own = tuple(each.id for each in there if is_known(state, seat.commands, each))
    state = yield from began(state, seat, (order.at,), command)
    state = yield from fight(state, order.at, command, targets)
    return (yield from acted(state, command, own))


def preview_fight(believed: Believed, seat: Seat, order: FightMelee) -> Preview:
    """The odds with their working, and the number that kills. `core 8.0`"""
    side = side_of(believed, _commanding(believed, seat, order.at))
    made = _attack(believed, order.at, side, order.targets or _able(believed, order.at, side))
    return Preview(
        cost=f"{made.odds}: {made.needed} or more",
        notes=(f"{total(made.attack)} against {total(made.defence)}",),
        modifiers=(*made.attack, *made.modifiers),
    )


def fight_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    """For a unit that is locked in a melee whose round is to come: whom its side attacks. `core 8.1`"""
    if subject is None or not has_unit(believed, subject) or not is_mine(seat, unit(believed, subject)):
        return
    each = unit(believed, subject)
    if not each.is_placed or any(check_fight(believed, seat, FightMelee(at=each.at))):
        return
    able = _able(believed, each.at, each.side)
    slots: tuple[ChoiceSlot, ...] = ()
    if able:
        choices = tuple(Choice(id=one, label=name_of(believed, one), pieces=(one,), at=each.at) for one in able)
        slots = (ChoiceSlot(name="targets", label="Whom", choices=choices, many=True, most=len(able)),)
    yield Form(
        verb="FightMelee",
        label="Fight the melee",
        subject=(subject,),
        fixed={"at": list(each.at)},
        slots=slots,
        rule=LOCKED,
        odds=True,
    )


# Withdrawing


def check_withdraw(believed: Believed, seat: Seat, order: Withdraw) -> Iterator[Refusal]:
    """Units locked in a melee whose round is to come, along a way that they can go; all who withdraw from a place in an
    impulse go together. `core 8.1`, `core 4.0`"""
    wrong = [*repeated(order.units, "units")] or [*not_our_units(believed, seat, order.units, "units", LOCKED)]
    if wrong:
        yield from wrong
        return
    stack = [unit(believed, each) for each in order.units]
    if len({(each.at, each.side) for each in stack}) > 1:
        yield Refusal("They are not in one place.", LOCKED, "units")
        return
    if refused := list(_not_now(believed, seat, stack[0].at, LOCKED)):
        yield from refused
        return
    yield from has_moved_from(believed, seat, stack[0].at)
    if any(_is_kept(believed, each) for each in stack):
        yield Refusal("A weapon keeps them where they are.", "core 1.6.1.01", "units")
    yield from _no_way(believed, stack, order.path)


def _no_way(believed: Believed, stack: Sequence[Unit], path: Sequence[Place]) -> Iterator[Refusal]:
    if not path:
        yield Refusal("Say where to.", LOCKED, "path")
        return
    if stack[0].at in path:
        yield Refusal("That leads back into the melee.", LOCKED, "path")
        return
    at, spent = stack[0].at, {each.id: 0 for each in stack}
    for number, to in enumerate(path):
        if number and enemies_at(believed, at, stack[0].side):
            yield Refusal("Who enters a place with enemies stops there and fights.", "core 6.0", "path")
            return
        step = made(believed, stack, at, to, spent=spent, entered=path[:number])
        if step.why:
            yield refusal(step)
            return
        at, spent = to, dict(step.spent)


def resolve_withdraw(state: State, seat: Seat, order: Withdraw) -> Ruling[State]:
    """Each checks its morale with a leader's help; who passes goes, the others fight a round at once. Where the last of
    a side go the melee is over, and those who stay may fire at them. `core 8.1`"""
    stack = present(state, order.units)
    if not stack or another_has_it(state, seat, stack[0].command):
        return state
    command, place = stack[0].command, stack[0].at
    state = yield from began(state, seat, (place,), command)
    going: list[str] = []
    for piece in order.units:
        if has_unit(state, piece):
            state, passed = yield from check_morale(state, piece, "withdraw", _led(state, unit(state, piece)))
            if passed:
                going.append(piece)
    state = yield from acted(state, command, order.units, moved_from=place)
    if going:
        state = yield from march(state, going, order.path)
    staying = [each.id for each in present(state, order.units) if each.id not in going and each.at == place]
    if staying and enemies_at(state, place, unit(state, staying[0]).side):
        state = yield from fight(state, place, command)
    return state


def _led(state: State, each: Unit) -> tuple[Modifier, ...]:
    led = max((lent(state, leader) for leader in good_order_leaders(state, each)), default=0)
    return (Modifier(-led, "leadership", LOCKED),) if led else ()


def withdraw_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    """For a unit that is locked in a melee: the ways by which it may withdraw, with those beside it. `core 8.1`"""
    if subject is None or not has_unit(believed, subject) or not is_mine(seat, unit(believed, subject)):
        return
    each = unit(believed, subject)
    if (
        not each.is_placed
        or any(_not_now(believed, seat, each.at, LOCKED))
        or any(has_moved_from(believed, seat, each.at))
    ):
        return
    able = [
        other
        for other in mine_at(believed, seat.commands, each.at)
        if other.side == each.side and not _is_kept(believed, other) and allowance(believed, other)[0] > 0
    ]
    if each not in able:
        return
    reached = reachable(believed, (each,))
    if not reached:
        return
    steps = {
        ",".join(map(str, at)): tuple(to for to in going_on(believed).around(at) if to in reached)
        for at in sorted({each.at, *reached})
    }
    points, _ = allowance(believed, each)
    yield Form(
        verb="Withdraw",
        label="Withdraw from the melee",
        subject=(subject,),
        fixed={"units": [subject]} if len(able) == 1 else {},
        slots=(
            *_who(believed, each, able),
            PathSlot(
                name="path",
                label="Way",
                start=each.at,
                region=tuple(((*at, spent),) for at, spent in sorted(reached.items())),
                steps=steps,
                most=points,
                unit="MP",
            ),
        ),
        rule=LOCKED,
    )


def _is_kept(state: State, each: Unit) -> bool:
    """Whether a unit, or a weapon of its that is set up, cannot be moved. `core 1.6.1.01`"""
    return bars_moving(state, each) is not None or counter_of(state, each).immobile


def _who(believed: Believed, each: Unit, able: Sequence[Unit]) -> Iterator[ChoiceSlot]:
    """Who withdraws together, the one asked about first."""
    if len(able) > 1:
        going = (each, *(other for other in able if other.id != each.id))
        choices = tuple(Choice(id=one.id, label=name_of(believed, one.id), pieces=(one.id,)) for one in going)
        yield ChoiceSlot(name="units", label="Who", choices=choices, many=True, most=len(choices))


def sample_withdraw(believed: Believed, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
    """A random way that the unit can pay for, alone or with others."""
    way = next(slot for slot in form.slots if isinstance(slot, PathSlot))
    among = [choice.id for slot in form.slots if isinstance(slot, ChoiceSlot) for choice in slot.choices]
    others = random.sample(among[1:], random.randint(0, len(among[1:]))) if among else []
    for named in ((form.subject[0], *others), (form.subject[0],)):
        if path := _sampled_way(believed, seat, way, named, random):
            return {"verb": "Withdraw", "units": list(named), "path": [list(place) for place in path]}
    return {"verb": "Withdraw", "units": [form.subject[0]], "path": []}


def _sampled_way(believed: Believed, seat: Seat, way: PathSlot, named: tuple[str, ...], random: Random) -> list[Place]:
    path: list[Place] = []
    while len(path) < way.most:
        at = path[-1] if path else unit(believed, named[0]).at
        further = [to for to in going_on(believed).around(at) if to not in path]
        random.shuffle(further)
        tried = (Withdraw(units=named, path=(*path, to)) for to in further)
        longer = next((order.path for order in tried if not any(check_withdraw(believed, seat, order))), None)
        if longer is None:
            break
        path = list(longer)
        if random.random() < 0.5:
            break
    return path


handles(
    FightMelee,
    check=check_fight,
    resolve=resolve_fight,
    options=fight_forms,
    phases=("operations",),
    rule=LOCKED,
    preview=preview_fight,
)
handles(
    Withdraw,
    check=check_withdraw,
    resolve=resolve_withdraw,
    options=withdraw_forms,
    phases=("operations",),
    rule=LOCKED,
    sample=sample_withdraw,
)
