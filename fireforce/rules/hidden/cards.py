"""The cards of indigenous forces: which may be moved and how far, and turning one's own up.

How many dummies there are is settled when the scenario is read: as many as cards of troops.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from msgspec.structs import replace

from fireforce.book.rows import Manner
from fireforce.orders.checks import not_ours, off_table
from fireforce.orders.dispatch import handles
from fireforce.orders.orders import MoveCard, TurnCard
from fireforce.rules.hidden.ambush import spring
from fireforce.rules.hidden.blinds import RULE, manner_for, march_card
from fireforce.rules.hidden.reveal import beneath, turn_up
from fireforce.rules.movement.advance import share, threats
from fireforce.rules.movement.allowance import Allowance, allowance, measured, rates, reached, worst
from fireforce.rules.movement.movement import CORNERS, inches, team_is_done
from fireforce.state.battle import (
    Believed,
    Card,
    Figure,
    Phase,
    Place,
    State,
)
from fireforce.state.finding import (
    card,
    cards,
)
from fireforce.state.setting import setting_of, tables_of
from umpire.kernel.forms import Form, PathSlot
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

MOVING: tuple[Phase, ...] = ("motivation_movement",)
TURNING: tuple[Phase, ...] = ("motivation_movement", "searching", "firing")


def leave_of(state: State, each: Card) -> Allowance:
    """A card moves as the worst of the men beneath it may; one without men as troops whom nothing holds back.
    `fireforce cards`, `fireforce motivation`"""
    if each.is_face_up or not each.is_on_table:
        return Allowance(barred=Refusal("Only a face-down card on the table is moved.", RULE, "card"))
    if not tables_of(state).card(each.kind).moves:
        name = tables_of(state).card(each.kind).name
        return Allowance(barred=Refusal(f"A card of this kind ({name}) is never moved.", RULE, "card"))
    if each.has_moved:
        return Allowance(barred=Refusal("The card has moved in this turn.", RULE, "card"))
    for man in beneath(state, each):
        allowed = allowance(state, man)
        if allowed.barred is not None:
            return Allowance(barred=replace(allowed.barred, field="card"))
        if allowed.is_dictated:
            why = "The men beneath it withdraw by themselves when the phase ends."
            return Allowance(barred=Refusal(why, "fireforce motivation", "card"))
        if allowed.is_pinned:
            return Allowance(barred=Refusal("A man beneath it is pinned.", "fireforce saving-throws", "card"))
    return worst(state, beneath(state, each))


def in_its_place(state: State, each: Card) -> Figure | None:
    """One of the men beneath a card, as if he stood in its middle."""
    men = beneath(state, each)
    return replace(men[0], at=each.at) if men else None


def card_share(state: State, each: Card, path: Sequence[Place], manner: Manner, leave: Allowance) -> Fraction:
    """How much of a move a card may use on a way: as a man beneath it may who stands in its middle."""
    man = in_its_place(state, each)
    return leave.full if man is None else share(state, man, path, manner, leave, threats(state, each.command))


def manner_of_card(state: State, each: Card, path: Sequence[Place], leave: Allowance) -> Manner:
    """A card goes at a walk as far as its men may go at one, else at a run. `fireforce cards`"""
    return manner_for(state, each.at, path, card_share(state, each, path, "tactical", leave))


def check_move_card(believed: Believed, seat: Seat, order: MoveCard) -> Iterable[Refusal]:
    """Troops, dummies and peasants are moved as figures are; caches and booby traps never. `fireforce cards`"""
    if found := list(_own_card(believed, seat, order.card)):
        return found
    each = card(believed, order.card)
    leave = leave_of(believed, each)
    if leave.barred is not None:
        return [leave.barred]
    if found := list(off_table(believed, order.path, "path")):
        return found
    if not order.path or len(order.path) > CORNERS or order.path == (each.at,):
        return [Refusal(f"A path leads somewhere and has {CORNERS} corners at most.", RULE, "path")]
    return list(_too_far(believed, each, order.path, leave))


def _own_card(believed: Believed, seat: Seat, piece: str) -> Iterator[Refusal]:
    yield from not_ours(believed, seat, [piece], "card", RULE)
    if not any(each.id == piece for each in cards(believed)):
        yield Refusal(f"{piece!r} is no card of yours.", RULE, "card")


def _too_far(believed: Believed, each: Card, path: Sequence[Place], leave: Allowance) -> Iterator[Refusal]:
    fraction = card_share(believed, each, path, "running", leave)
    if not fraction:
        yield Refusal("The men beneath it do not advance.", "fireforce motivation", "path")
        return
    made = measured(believed, (each.at, *path), "running", fraction)
    if not made.complete:
        yield Refusal(f"The card: {made.stopped_by} after {inches(made.distance)}.", "fireforce movement", "path")


def move_card(state: State, seat: Seat, order: MoveCard) -> Ruling[State]:
    """The card goes at a walk if that is enough, else at a run, until it is seen in the open. `fireforce cards`"""
    each = next((each for each in cards(state) if each.id == order.card), None)
    if each is None:
        return state
    leave = leave_of(state, each)
    if leave.barred is not None:
        return state
    men = beneath(state, each)
    manner = manner_of_card(state, each, order.path, leave)
    state = yield from march_card(state, each.id, order.path, manner, leave.full)
    if not men:
        return state
    state = yield from team_is_done(state, men[0])
    return (yield from spring(state, [man.id for man in men]))


def check_turn_card(believed: Believed, seat: Seat, order: TurnCard) -> Iterable[Refusal]:
    """A face-down card on the table may be turned up by its owner. `fireforce cards`"""
    if found := list(_own_card(believed, seat, order.card)):
        return found
    each = card(believed, order.card)
    if each.is_face_up or not each.is_on_table:
        return [Refusal("It does not lie face down on the table.", RULE, "card")]
    return []


def turn_card(state: State, seat: Seat, order: TurnCard) -> Ruling[State]:
    """The card is turned up, for all to see. `fireforce cards`"""
    if any(each.id == order.card for each in cards(state)):
        state = yield from turn_up(state, order.card, "turned")
    return state


def preview_card(believed: Believed, seat: Seat, order: MoveCard) -> Preview:
    """How far the path is."""
    each = card(believed, order.card)
    leave = leave_of(believed, each)
    manner = manner_of_card(believed, each, order.path, leave)
    made = measured(believed, (each.at, *order.path), manner, leave.full)
    return Preview(cost=f"{inches(made.distance)}, {float(made.spent):.0%} of a move", path=(each.at, *order.path))


def card_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Where a card may be moved."""
    each = next((each for each in cards(believed) if each.id == subject), None)
    if each is None or each.command not in seat.commands or leave_of(believed, each).barred is not None:
        return
    region = reached(believed, each.at, "running", leave_of(believed, each).full)
    if set(region) <= {each.at}:
        return  # the umpire has put it where nobody gets away from
    slot = PathSlot(name="path", label="Where", start=each.at, region=(region,), unit="inches")
    yield Form(
        verb="MoveCard", label="Move the card", subject=(each.id,), fixed={"card": each.id}, slots=(slot,), rule=RULE
    )


def turn_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """A card that lies face down."""
    each = next((each for each in cards(believed) if each.id == subject), None)
    if each is not None and not any(check_turn_card(believed, seat, TurnCard(card=each.id))):
        yield Form(verb="TurnCard", label="Turn the card up", subject=(each.id,), fixed={"card": each.id}, rule=RULE)


def sample_card(believed: Believed, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
    """A random straight move of a card that is accepted."""
    each = card(believed, form.fixed["card"])
    table = setting_of(believed).table
    for attempt in range(40):
        reach = random.randint(20, max(rates(believed, "running").values())) if attempt < 24 else 10
        angle = random.random() * 2 * math.pi
        x = min(max(each.at[0] + round(reach * math.cos(angle)), 0), table.width)
        y = min(max(each.at[1] + round(reach * math.sin(angle)), 0), table.depth)
        if not list(check_move_card(believed, seat, MoveCard(card=each.id, path=((x, y),)))):
            return {"verb": "MoveCard", **form.fixed, "path": [[x, y]]}
    raise ValueError("no move of the card is accepted where one is offered")


handles(
    MoveCard,
    check=check_move_card,
    resolve=move_card,
    options=card_forms,
    phases=MOVING,
    rule=RULE,
    preview=preview_card,
    sample=sample_card,
)
handles(TurnCard, check=check_turn_card, resolve=turn_card, options=turn_forms, phases=TURNING, rule=RULE)
