"""FireForce over HTTP: what the platoon gets is the same whatever plans the hidden cell has."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.api.chairs import Table
from umpire.battles.models import Outbox
from umpire.battles.services import battle_create
from umpire.hidden.services import carry_due

Hidden = Callable[[Table], None]
PLATOON = "2 Platoon"


@pytest.fixture
def patrol(db: None, django_user_model: Any, monkeypatch: Any) -> Callable[..., Table]:
    """Battles whose pieces and dice have the same names."""
    owner = django_user_model.objects.create_user("owner", password="a long password")
    drawn = SimpleNamespace(token_bytes=lambda count: b"\x07" * count)
    monkeypatch.setattr("umpire.battles.services.games.secrets", drawn)

    def make(**options: Any) -> Table:
        battle, seats = battle_create(
            owner=owner, system="fireforce", scenario="patrol-to-the-ford", options=options or None
        )
        return Table(battle, {seat.name if seat.role != "umpire" else "umpire": code for seat, code in seats})

    return make


def correct(table: Table, correction: dict[str, Any]) -> None:
    answer = table["umpire"].act(f"{table.at}/corrections", {"correction": correction, "reason": "x"})
    assert answer.status_code == 201, answer.content


def as_it_is(table: Table) -> None:
    """The plans of the scenario."""


def no_plan(table: Table) -> None:
    """Nobody moves and nobody would fire."""
    for force in table["umpire"].get(f"{table.at}/plans").json():
        correct(table, {"verb": "DropPlan", "force": force})


def nobody(table: Table) -> None:
    """There is nobody at all."""
    no_plan(table)
    for key, piece in table["umpire"].view()["pieces"].items():
        if piece["command"] == "cell":
            correct(table, {"verb": "Remove", "piece": key})


def worker(table: Table) -> int:
    """One look of the worker at the outbox: what it did."""
    rows = list(Outbox.objects.filter(battle=table.battle, done=None))
    for row in rows:
        assert carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth) == "carried"
    return len(rows)


def transcript(table: Table, hidden: Hidden) -> str:
    """All that the platoon gets in a turn in which it does nothing, and a turn of the cell that it does not see."""
    hidden(table)
    platoon = table[PLATOON]
    got: list[Any] = []

    def look() -> None:
        for path in ("view", "options", "news", "sync?after=0", "orders"):
            answer = platoon.get(f"{table.at}/{path}")
            got.append((path, answer.status_code, sorted(answer.headers.items()), answer.content))

    look()
    for number in range(4):
        platoon.view()
        answer = platoon.order({"verb": "EndPhase"}, key=f"key-{number}")
        got.append((answer.status_code, answer.content))
        look()
    for _ in range(4):
        if not worker(table):
            break
        look()
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "A MOMENT", repr(got))
    ids = {table.battle.id, *(seat.id for seat in table.seats.values())}
    ids |= set(table.battle.orders.values_list("id", flat=True))
    met: dict[str, str] = {}
    return re.sub("|".join(map(re.escape, sorted(ids))), lambda found: met.setdefault(found[0], f"ID {len(met)}"), text)


def first_difference(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 300) : at + 100]}\n\n---\n\n…{other[max(0, at - 300) : at + 100]}"


@pytest.mark.parametrize("hidden", [no_plan, nobody])
def test_when_and_in_how_many_pieces_news_come_says_nothing_of_plans(
    patrol: Callable[..., Table], hidden: Hidden
) -> None:
    plain, other = transcript(patrol(), as_it_is), transcript(patrol(), hidden)
    assert plain == other, first_difference(plain, other)
