"""Random play through the services, with everything that holds checked as it goes."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from tests.server.conftest import Table, make_table
from umpire.battles import selectors, services
from umpire.battles.errors import Refused
from umpire.battles.heads import believed_by, read_head
from umpire.battles.models import Seat
from umpire.kernel.dice import sample_answer
from umpire.kernel.ledger import is_cut
from umpire.kernel.rulings import Question, Roll
from umpire.kernel.states import Seat as Chair

pytestmark = pytest.mark.postgres

WEIGHTS = {"assault": 40, "fire": 40, "move": 20, "end_turn": 4}
"""Two sides that walk up to each other and fight."""


def play_on(table: Table, random: Random) -> None:
    """One thing that somebody does: an answer, the worker's turn, an order."""
    questions = table.questions("umpire")
    if questions and random.random() < 0.8:
        answer(table, random.choice(questions), random)
        return
    if random.random() < 0.4:
        table.carry()
    side = table.state.public.side
    command = random.choice([command for command in sorted(table.seats) if command.startswith(side)])
    order = some_order(table, command, random)
    if order is not None:
        try:
            services.order_give(battle=table.battle, seat=table.seats[command], order=order, tag=None)
        except Refused:
            # Only an order that waited for the same thing may have come between.
            assert table.now.open_depth is not None


def answer(table: Table, question: dict[str, Any], random: Random) -> None:
    if "roll" in question:
        roll = msgspec.convert(question["roll"], Roll)
        faces = [random.randint(1, roll.sides) for _ in range(roll.count)]
        services.question_answer(
            battle=table.battle, seat=table.seats["umpire"], question_id=question["id"], faces=faces
        )
        return
    asked = msgspec.convert(question["question"], Question)
    seat = table.seats[random.choice(["umpire", question["command"]])]
    services.question_answer(
        battle=table.battle, seat=seat, question_id=question["id"], choices=sample_answer(asked, random)
    )


def some_order(table: Table, command: str, random: Random) -> dict[str, Any] | None:
    head = read_head(table.battle.id)
    chair = Chair(name=command, commands=(command,))
    believed = believed_by(head, (command,))
    units = (None, *head.package.subjects(believed, chair))
    forms = [form for unit in units for form in head.package.options(believed, chair, unit)]
    if not forms:
        return None
    weights = [WEIGHTS.get(form.verb, 1) for form in forms]
    return head.package.sample(believed, chair, random.choices(forms, weights)[0], random)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [{}, {"blind": False}, {"dice": "typed"}, {"blind": False, "dice": "typed"}])
def test_whatever_is_played_holds(db: None, seed: int, options: dict[str, Any]) -> None:
    random = Random(seed)
    table = make_table(**options)
    for _ in range(40):
        play_on(table, random)
        table.check()
    assert table.now.depth > 20


@pytest.mark.parametrize("seed", range(3))
def test_wherever_it_is_taken_back_it_holds(db: None, seed: int) -> None:
    random = Random(seed)
    table = make_table(blind=seed % 2 == 0, dice="typed" if seed == 2 else "server")
    for step in range(40):
        play_on(table, random)
        if step % 3 == 2:
            head = read_head(table.battle.id)
            entries = head.entries(0, head.battle.depth)
            depth = random.choice([depth for depth in range(len(entries) + 1) if is_cut(entries, depth)])
            services.battle_rewind(
                battle=table.battle,
                by=table.seats["umpire"],
                depth=depth,
                dice=random.choice(["keep", "fresh"]),
            )
            table.check()
            if table.now.open_depth is not None and not table.questions("umpire"):
                ways = random.choice(["go_on", "stop", "take_back", "again"])
                services.open_order_resolve(battle=table.battle, by=table.seats["umpire"], do=ways)
        table.check()
    assert selectors.ledger_for(battle=table.battle, limit=500)
    assert Seat.objects.filter(battle=table.battle, news_count__gt=0).exists()
