"""Laying smoke in one's own or an adjacent hex. `core 7.0`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lnl.board.hexes import Hex, distance, hexes_within
from lnl.happening.fire import OpsCompleted, SmokeFailed, SmokePlaced
from lnl.happening.rulings import fallen, tell
from lnl.orders.dispatch import handles
from lnl.orders.orders import LaySmoke
from lnl.rules.turn.operations_phase import acted, another_has_it, began, may_act
from lnl.state.battle import Believed, State, Unit, hex_key
from lnl.state.finding import counter_of, has_unit, is_multi_man, present, traits_of, unit
from lnl.state.setting import ground_of, setting_of, tables_of
from umpire.kernel.book.points import One
from umpire.kernel.forms import Form, PointSlot
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 7.0"
LAID, FAILED = "smoke", "none"

smoke_capability: One[[State, Unit], int] = One("smoke capability", rule=RULE)
"""The highest roll with which a unit lays smoke."""


@smoke_capability.printed
def _of_its_force(rule: str, state: State, each: Unit) -> int:
    row = counter_of(state, each)
    return tables_of(state).force(row.nation, row.troop).smoke


def capability(state: State, each: Unit) -> int:
    """The highest roll with which a unit lays smoke. `core 7.0`"""
    return smoke_capability(setting_of(state).active, traits_of(state, each), state, each)


def check_smoke(believed: Believed, seat: Seat, order: LaySmoke) -> Iterable[Refusal]:
    """A Good Order MMC without a Move, Low Crawl, Fired or Ops Complete marker (after an assault or stealth move it
    may, L15), in its own hex or an adjacent one. `core 7.0`"""
    if found := [*may_act(believed, seat, (order.unit,), firing=True)]:
        yield from found
        return
    each = unit(believed, order.unit)
    if each.ops_complete:
        yield Refusal("It has completed its operations this turn.", RULE, "unit")
    if not is_multi_man(believed, each) or each.is_shaken:
        yield Refusal("Only Good Order MMCs lay smoke.", RULE, "unit")
    elif not capability(believed, each):
        yield Refusal("It has no smoke.", RULE, "unit")
    if ground_of(believed).at(order.at) is None or distance((each.at[0], each.at[1]), order.at) > 1:
        yield Refusal("Smoke is laid in the own hex or an adjacent one.", RULE, "at")


def lay_smoke(state: State, seat: Seat, order: LaySmoke) -> Ruling[State]:
    """A die of no more than what the unit can: smoke. It is Ops Complete either way. `core 7.0`"""
    there = present(state, (order.unit,))
    if not there or another_has_it(state, seat, there[0].command):
        return state
    each = there[0]
    state = yield from began(state, seat, (each.at,), each.command)
    state = yield from acted(state, each.command, (each.id,))
    highest = min(capability(state, each), 6)
    bands = [(1, highest, LAID), (highest + 1, 6, FAILED)]
    made = yield from roll(
        "1d6",
        "smoke",
        subject=each.id,
        by=each.command,
        bands=[band for band in bands if band[0] <= band[1]],
        rule=RULE,
    )
    state = fallen(made, state)
    if not has_unit(state, each.id):
        return state
    if made.result == LAID:
        state = yield from tell(SmokePlaced(at=order.at))
    else:
        state = yield from tell(SmokeFailed(unit=each.id, at=order.at))
    return (yield from tell(OpsCompleted(units=(each.id,), why="smoke")))


def preview_smoke(believed: Believed, seat: Seat, order: LaySmoke) -> Preview:
    return Preview(cost=f"a roll of {capability(believed, unit(believed, order.unit))} or less")


def smoke_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    """For an MMC: the hexes where it may lay smoke and none lies fresh."""
    if subject is None or not has_unit(believed, subject):
        return
    each = unit(believed, subject)
    here: Hex = (each.at[0], each.at[1])
    if any(check_smoke(believed, seat, LaySmoke(unit=subject, at=here))):
        return
    ground = ground_of(believed)
    around = [at for at in hexes_within(here, 1) if ground.at(at) is not None]
    places = tuple(at for at in around if believed.public.smoke.get(hex_key(at)) != 1)
    if places:
        yield Form(
            verb="LaySmoke",
            label="Lay smoke",
            subject=(subject,),
            fixed={"unit": subject},
            slots=(PointSlot(name="at", label="Where", places=places),),
            note=f"{capability(believed, each)} or less on a die; Ops Complete either way.",
            rule=RULE,
            odds=True,
        )


handles(
    LaySmoke,
    check=check_smoke,
    resolve=lay_smoke,
    options=smoke_forms,
    phases=("operations",),
    rule=RULE,
    preview=preview_smoke,
)
