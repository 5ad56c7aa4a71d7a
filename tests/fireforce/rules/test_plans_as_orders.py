"""Whatever a plan makes of a turn a player could have ordered: the ways that men walk are accepted as moves."""

from __future__ import annotations

from random import Random

import pytest

from fireforce.happening.movement import Moved
from fireforce.orders.orders import Move
from fireforce.rules.movement.allowance import allowance
from fireforce.rules.movement.movement import check_move
from fireforce.state.battle import (
    State,
)
from fireforce.state.finding import (
    members_of,
    squad,
)
from tests.fireforce.rules.from_lines import Table, battle, believed, happened, seat

RESULTS = ("good", "fair", "wavering", "faltering", "cracking", "demoralised")
FORCE = "squad 9"


def drawn(random: Random) -> State:
    """A squad, whole or in two teams, of whom some are pinned or rated, and a few enemies."""
    quality = random.choice(["elite", "veteran", "trained", "poor"])
    count = random.randint(3, 6)
    x, y = random.randint(30, 45), random.randint(10, 30)
    has_split = random.random() < 0.5
    results = [random.choice(RESULTS) for _ in range(2)]
    lines: list[str] = []
    for number in range(count):
        is_second = has_split and number >= count // 2
        marks = [f"team {'second' if is_second else 'first' if has_split else 'whole'}", f"result {results[is_second]}"]
        if number == 0:
            marks.append(f"leader, MR {random.choice([0, 1, 2])}")
        elif has_split and number == count // 2:
            marks.append(f"assistant, MR {random.choice([0, 1])}")
        marks += ["pinned"] if random.random() < 0.15 else []
        marks += ["special forces"] if random.random() < 0.1 else []
        at = f"{x + random.uniform(-2, 2):.2f},{y + number * random.uniform(1, 2.5):.2f}"
        lines.append(f"guerrilla g{number} {quality} ak47 {at} {FORCE}, on the table, {', '.join(marks)}")
    for number in range(random.randint(1, 3)):
        lines.append(f"regular r{number} trained m16 {random.randint(5, 70)},{random.randint(3, 45)} squad 1")
    goal = [random.randint(5, 68), random.randint(3, 45)]
    legs = [{"path": [goal], "pace": random.choice(["tactical", "running"])}]
    plan = [{"force": FORCE, "legs": legs, "on_contact": "go_on"}]
    return battle("\n".join(lines), phase="motivation", active="guerrilla", plans_only="guerrilla", plan=plan)


@pytest.mark.rule("fireforce umpire", "fireforce motivation", "fireforce organisation")
@pytest.mark.parametrize("seed", range(20, 40))
def test_what_a_plan_does_a_player_could_have_ordered(seed: int) -> None:
    table = Table(drawn(Random(seed)))
    before = table.state
    depth = len(table.play.tree.path())
    table.play.carry(FORCE)
    moves: dict[str, list[Moved]] = {}
    for event in happened(table.play.tree.path()[depth:], Moved):
        moves.setdefault(event.figure, []).append(event)
    known = believed(before, "guerrilla")
    unit = squad(before, FORCE)
    for team in unit.teams:
        men = [man for man in members_of(before, unit, team) if man.id in moves]
        men = [man for man in men if not allowance(before, man).is_dictated]
        if not men:
            continue
        paths = {man.id: tuple(place for each in moves[man.id] for place in each.path) for man in men}
        manner = moves[men[0].id][-1].manner
        assert manner
        order = Move(figures=tuple(paths), path=paths[men[0].id], paths=paths, manner=manner)
        assert list(check_move(known, seat("guerrilla"), order)) == []
