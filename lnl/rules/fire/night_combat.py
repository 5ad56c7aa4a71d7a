"""Night combat: how far troops see in the dark, fire at who has given himself away, star shells. `core 20.0`,
`core 20.1`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lnl.board.hexes import Hex, Place, distance, hexes_within
from lnl.happening.fire import OpsCompleted, StarShellPlaced
from lnl.happening.rulings import fallen, tell
from lnl.knowledge.sighting import is_lit as is_lit
from lnl.knowledge.sighting import is_night, reaches_at_night
from lnl.orders.checks import not_our_units
from lnl.orders.dispatch import handles
from lnl.orders.orders import FireStarShell
from lnl.rules.hidden.spotting import uncover
from lnl.rules.men.leaders import leadership
from lnl.rules.turn.operations_phase import acted, another_has_it, began, may_act
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import is_mine
from lnl.state.finding import counter_of, has_kind, scouts, traits_of, units
from lnl.state.finding import unit as unit_of
from lnl.state.setting import ground_of, setting_of, tables_of
from lnl.words.naming import name_of
from umpire.kernel.book.points import One
from umpire.kernel.forms import Form, PointSlot
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal, total

RULE = "core 20.1"
DARK = "core 20.0"
MAY_FIRE = ("leader", "commissar", "advisor", "hero")
"""Who may fire a star shell beside scouts; commissars act as leaders. `core 20.1`, `core 11.9`"""
LIT, FAILED = "lit", "failed"

star_shell_capability: One[[State, Unit], int] = One("star shell capability", rule=RULE)
"""The highest roll with which a man fires a star shell."""


def may_see_at_night(state: State, origin: Place, place: Place) -> bool:
    """Whether darkness lets one see from here to there: by day always, by night two hexes far, or into a hex that a
    star shell lights. `core 20.0`, `core 20.1`"""
    return reaches_at_night(state, origin, place)


def fire_at_night(
    state: State, firers_place: Place, target_place: Place, targets: Iterable[Unit]
) -> tuple[Refusal | None, tuple[Modifier, ...]]:
    """Why darkness forbids to fire at these units, or what it costs: beyond two hexes one may only fire at who bears a
    Fired marker, and at less. Nothing of both by day, within two hexes, and into light. `core 20.0`"""
    if reaches_at_night(state, firers_place, target_place):
        return None, ()
    if any(each.fired for each in targets):
        return None, (tables_of(state).fire_modifier("night"),)
    return Refusal("It is too dark to fire so far at who has not fired.", DARK, "target"), ()


# Star shells


def _may_fire(state: State, each: Unit) -> bool:
    return has_kind(state, each, *MAY_FIRE) or scouts(state, each)


def working(state: State, each: Unit) -> tuple[Modifier, ...]:
    """What is added to the die: a leader's leadership counts against it. `core 20.1`"""
    led = leadership(state, each)
    return (Modifier(-led, "leadership", RULE),) if led else ()


def check_star_shell(believed: Believed, seat: Seat, order: FireStarShell) -> Iterator[Refusal]:
    """By night, by a leader, advisor, scout or hero in Good Order without a Move, Low Crawl, Fired or Ops Complete
    marker (after an assault or stealth move he may, L15), into a hex within three. `core 20.1`"""
    if not is_night(believed):
        yield Refusal("It is day.", RULE)
    own = [*not_our_units(believed, seat, [order.unit], "unit", RULE)]
    found = own or [*may_act(believed, seat, [order.unit], firing=True)]
    yield from found
    if found:
        return
    each = unit_of(believed, order.unit)
    if each.ops_complete:
        yield Refusal("He has completed his operations this turn.", RULE, "unit")
    if not _may_fire(believed, each) or not each.is_good_order:
        yield Refusal(f"{name_of(believed, each.id)} cannot fire a star shell.", RULE, "unit")
    if ground_of(believed).at(order.at) is None:
        yield Refusal(f"There is no hex {list(order.at)} on the map.", RULE, "at")
    elif distance(each.at[:2], order.at) > tables_of(believed).number("star_shell_range"):
        yield Refusal("It is too far.", RULE, "at")


def resolve_star_shell(state: State, seat: Seat, order: FireStarShell) -> Ruling[State]:
    """The die against the nation's capability; he is Ops Complete whatever comes of it. `core 20.1`"""
    each = unit_of(state, order.unit)
    if another_has_it(state, seat, each.command):
        return state
    state = yield from began(state, seat, [each.at], each.command)
    each = unit_of(state, order.unit)
    modifiers = working(state, each)
    highest = min(max(_capability(state, each) - total(modifiers), 0), 6)
    bands = [(1, highest, LIT), (highest + 1, 6, FAILED)]
    made = yield from roll(
        "1d6",
        "star shell",
        subject=each.id,
        by=each.command,
        bands=[band for band in bands if band[0] <= band[1]],
        modifiers=modifiers,
        rule=RULE,
    )
    state = fallen(made, state)
    if made.result == LIT:
        state = yield from tell(StarShellPlaced(at=order.at))
    state = yield from tell(OpsCompleted(units=(each.id,), why="star shell"))
    state = yield from acted(state, each.command, [each.id])
    return (yield from uncover(state))


@star_shell_capability.printed
def _of_its_force(rule: str, state: State, each: Unit) -> int:
    row = counter_of(state, each)
    return tables_of(state).force(row.nation, row.troop).star_shell


def _capability(state: State, each: Unit) -> int:
    return star_shell_capability(setting_of(state).active, traits_of(state, each), state, each)


def preview_star_shell(believed: Believed, seat: Seat, order: FireStarShell) -> Preview:
    each = unit_of(believed, order.unit)
    return Preview(cost=f"{_capability(believed, each)} or less after modifiers", modifiers=working(believed, each))


def star_shell_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    """The hexes within three."""
    each = next((each for each in units(believed) if each.id == subject and is_mine(seat, each)), None)
    if each is None or not is_night(believed) or not _may_fire(believed, each) or not each.is_placed:
        return
    hexes = tuple(at for at in _hexes_in_range(believed, each) if ground_of(believed).at(at) is not None)
    if hexes and not any(check_star_shell(believed, seat, FireStarShell(unit=each.id, at=hexes[0]))):
        yield Form(
            verb="FireStarShell",
            label="Fire a star shell",
            subject=(each.id,),
            fixed={"unit": each.id},
            slots=(PointSlot(name="at", label="Over which hex", places=hexes),),
            rule=RULE,
        )


def _hexes_in_range(state: State, each: Unit) -> tuple[Hex, ...]:
    return hexes_within((each.at[0], each.at[1]), tables_of(state).number("star_shell_range"))


handles(
    FireStarShell,
    check=check_star_shell,
    resolve=resolve_star_shell,
    options=star_shell_forms,
    phases=("operations",),
    rule=RULE,
    preview=preview_star_shell,
)
