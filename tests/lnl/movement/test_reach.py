"""What is offered of a way is what steps allow: reach against every way that can be walked, on shipped maps."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import pytest

from lnl.board.hexes import Place
from lnl.finding import enemies_at, is_leader, units, units_at
from lnl.package import PACKAGE
from lnl.rules.going import going
from lnl.rules.movement import made, reachable
from lnl.state import Manner, State, Unit
from umpire.kernel.play import Play
from umpire.kernel.testing.random_play import do
from umpire.kernel.testing.selfplay import Player, plot_of

SCENARIOS = ("crossroads-at-saint-aubin", "the-bridge-below-the-hill", "the-farm-by-night")
MANNERS: tuple[tuple[Manner, bool], ...] = (
    ("move", False),
    ("move", True),
    ("assault", False),
    ("assault", True),
    ("stealth", False),
    ("low_crawl", False),
)


def walked(state: State, stack: Sequence[Unit], manner: Manner, hurried: bool) -> set[Place]:
    """Every place in which some way ends, step by step."""
    start = stack[0].at
    first = (start, tuple(0 for _ in stack))
    seen, todo, found = {first}, deque([first]), set()
    while todo:
        at, paid = todo.popleft()
        if at != start and (manner == "low_crawl" or enemies_at(state, at, stack[0].side)):
            continue
        spent = {each.id: points for each, points in zip(stack, paid, strict=True)}
        for to in going(state).around(at):
            entered = () if at == start else (at,)
            step = made(state, stack, at, to, manner=manner, double_time=hurried, spent=spent, entered=entered)
            after = (to, tuple(step.spent.get(each.id, 0) for each in stack))
            if not step.why and to != start and after not in seen:
                seen.add(after)
                todo.append(after)
                found.add(to)
    return found


@pytest.mark.rule("core 6.0", "core 6.1", "core 6.2", "core 6.3", "core 6.4")
@pytest.mark.parametrize("play", ["open", "blind"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_can_be_reached_is_what_can_be_walked(scenario: str, play: str) -> None:
    plot = plot_of(PACKAGE, scenario, {"play": play}, "reach")
    battle = Play(PACKAGE, PACKAGE.begin(plot.setting, lambda key: key), plot.seats, secret=b"reach")
    player = Player("reach")
    for number in range(60):
        act = player.next_act(battle, number, None)
        assert act is not None
        do(battle, act)
        player.note(battle, act)
    compared = 0
    for each in units(battle.state):
        if not each.is_placed:
            continue
        leaders = [other for other in units_at(battle.state, each.at, each.side) if is_leader(battle.state, other)]
        for stack in ([each], [each, *(other for other in leaders[:1] if other != each)]):
            for manner, hurried in MANNERS:
                assert set(reachable(battle.state, stack, manner, hurried)) == walked(
                    battle.state, stack, manner, hurried
                ), f"{[one.id for one in stack]}, {manner}, {hurried}"
                compared += 1
    assert compared > 60
