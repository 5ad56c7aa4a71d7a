"""Special movement: who may assault move, crawl, move by stealth, or go at double-time. `core 6.1` to `core 6.4`"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnl.board.hexes import Place
from lnl.rules.movement.movement import allowance, can_lead
from lnl.rules.works.support_weapons import bars_moving
from lnl.state.battle import Believed, Manner, State, Unit
from lnl.state.finding import counter_of, has_kind, impulse_of, is_leader, scouts, traits_of
from lnl.state.setting import setting_of
from lnl.words.naming import unit_name
from umpire.kernel.book.points import One, Sum
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 6.0"
ASSAULT_LEADER = "assault_leader"
"""The trait of a leader whose men may assault move. `core 12.0`"""

may_assault_move: One[[State, Unit, tuple[Unit, ...]], bool] = One("assault movement", rule="core 6.1")
"""Whether a unit may assault move with these in its place."""
may_use_stealth: One[[State, Unit], bool] = One("stealth movement", rule="core 6.4")
"""Whether a unit may move by stealth."""
manner_of_moving: Sum[[State, Unit, Manner, bool]] = Sum("manner of moving", rule=RULE)
"""What else forbids a unit to move in a manner; True: at double-time. Pipers do not go at it, `hona 11.7`."""


@may_assault_move.printed
def _assault(rule: str, state: State, each: Unit, stack: tuple[Unit, ...]) -> bool:
    """Whose movement is boxed in red, and heroes; leaders together with such units; whoever is with a leader whose card
    says so. `core 6.1`, `core 11.2`, `core 12.0`"""
    if _is_boxed(state, each) or any(
        ASSAULT_LEADER in traits_of(state, other) for other in stack if can_lead(state, other)
    ):
        return True
    return is_leader(state, each) and any(_is_boxed(state, other) for other in stack)


def _is_boxed(state: State, each: Unit) -> bool:
    return counter_of(state, each).assault_move or has_kind(state, each, "hero")


@may_use_stealth.printed
def _stealth(rule: str, state: State, each: Unit) -> bool:
    """Whose counter says so, and scouts, who cannot while they carry a weapon. `core 6.4`, `core 11.7`"""
    return scouts(state, each) if has_kind(state, each, "scout") else counter_of(state, each).stealth


def not_going(
    believed: Believed, seat: Seat, stack: Sequence[Unit], manner: Manner, *, double_time: bool
) -> Iterator[Refusal]:
    """Why these units may not move in this manner, wherever they would go."""
    yield from has_moved_from(believed, seat, stack[0].at)
    yield from cannot_go(believed, stack, manner, double_time=double_time)


def has_moved_from(believed: Believed, seat: Seat, place: Place) -> Iterator[Refusal]:
    """All that move from a place in an impulse go together. `core 4.0`"""
    impulse = impulse_of(believed, seat.commands)
    if impulse is not None and place in impulse.moved_from:
        yield Refusal("Units have moved from there in this impulse: all go together.", "core 4.0", "units")


def cannot_go(state: State, stack: Sequence[Unit], manner: Manner, *, double_time: bool = False) -> Iterator[Refusal]:
    """Why these units may not move in this manner, in any impulse. `core 6.0` to `core 6.4`, `core 1.6.1.01`"""
    for each in stack:
        yield from holds_back(state, each, stack, manner, double_time=double_time)
    if lacks_leader(state, stack, double_time=double_time):
        yield Refusal("Double-time needs a Good Order leader who goes along.", "core 6.2", "double_time")


def lacks_leader(state: State, stack: Sequence[Unit], *, double_time: bool) -> bool:
    """Whether these units would go at double-time, and nobody of them leads. `core 6.2`"""
    return double_time and not any(can_lead(state, each) for each in stack)


def holds_back(
    state: State, each: Unit, stack: Sequence[Unit], manner: Manner, *, double_time: bool
) -> Iterator[Refusal]:
    """Why one of these units may not move in this manner. Who goes with it matters only for assault moves. `core 6.0`
    to `core 6.4`, `core 1.6.1.01`"""
    if counter_of(state, each).immobile or allowance(state, each)[0] < 1:
        rule = "core 11.4" if has_kind(state, each, "sniper") else "core 6.0"
        yield Refusal(f"{unit_name(state, each)} cannot move.", rule, "units")
    elif bars_moving(state, each) is not None:
        yield Refusal(f"{unit_name(state, each)} does not move a weapon that is set up.", "core 1.6.1.01", "units")
    elif has_kind(state, each, "weapon_team") and (double_time or manner == "low_crawl"):
        yield Refusal(f"{unit_name(state, each)} neither crawls nor goes at double-time.", "core 6.3.1", "units")
    elif manner == "assault" and not _may_assault(state, each, stack):
        yield Refusal(f"{unit_name(state, each)} may not assault move.", "core 6.1", "units")
    elif manner == "stealth" and not may_use_stealth(setting_of(state).active, traits_of(state, each), state, each):
        yield Refusal(f"{unit_name(state, each)} may not move by stealth.", "core 6.4", "units")
    else:
        active, words = setting_of(state).active, traits_of(state, each)
        yield from manner_of_moving(active, words, state, each, manner, double_time).refusals


def _may_assault(state: State, each: Unit, stack: Sequence[Unit]) -> bool:
    return may_assault_move(setting_of(state).active, traits_of(state, each), state, each, tuple(stack))
