"""FireForce over HTTP: what the platoon gets is the same whatever the hidden cell has and plans."""

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
    for force in table["umpire"].get(f"{table.at}/plans").json()["plans"]:
        correct(table, {"verb": "DropPlan", "force": force})


def nobody(table: Table) -> None:
    """There is nobody at all."""
    no_plan(table)
    for key, piece in table["umpire"].view()["pieces"].items():
        if piece["command"] == "cell":
            correct(table, {"verb": "Remove", "piece": key})


def other_things(table: Table) -> None:
    """Others stand elsewhere, with other weapons, other points and more to do; nobody runs before anybody's eyes."""
    no_plan(table)
    found = table["umpire"].view()
    for key, piece in found["pieces"].items():
        if piece["command"] == "cell":
            correct(table, {"verb": "MoveTo", "piece": key, "at": [6600, piece["at"][1]]})
    for key, group in found["groups"].items():
        if group["command"] == "cell":
            correct(table, {"verb": "Change", "piece": key, "field": "quality", "value": "elite"})
    correct(table, {"verb": "AwardPoints", "side": "guerrilla", "points": 9, "why": "canary", "known": False})
    cell = table["the Ford cell"]
    cell.view()
    standing = {"verb": "GiveStandingOrders", "command": "cell", "force": "", "standing": {"fire": "free"}}
    assert cell.order(standing).status_code == 201


def worker(table: Table) -> int:
    """One look of the worker at the outbox: what it did."""
    rows = list(Outbox.objects.filter(battle=table.battle, done=None))
    for row in rows:
        assert carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth) == "carried"
    return len(rows)


def transcript(table: Table, hidden: Hidden) -> str:
    """All that the platoon gets in a turn of its own, far from everybody, and in a turn of the cell that it does not
    see."""
    hidden(table)
    platoon = table[PLATOON]
    got: list[Any] = []

    def look() -> None:
        for path in ("view", "options", "news", "sync?after=0", "orders"):
            answer = platoon.get(f"{table.at}/{path}")
            got.append((path, answer.status_code, sorted(answer.headers.items()), answer.content))

    def give(order: dict[str, Any]) -> None:
        platoon.view()
        for asking in ("preview", "odds"):
            answer = platoon.post(f"{table.at}/{asking}", {"order": order})
            got.append((asking, answer.status_code, answer.content))
        answer = platoon.order(order, key=f"key-{len(got)}")
        got.append((order, answer.status_code, answer.content))
        while rolls := platoon.get(f"{table.at}/questions").json():
            faces = {"faces": [4] * rolls[0]["roll"].get("count", 1)}
            got.append(platoon.act(f"{table.at}/questions/{rolls[0]['id']}/answer", faces, key=f"{len(got)}").content)

    look()
    groups = {group["name"]: key for key, group in platoon.view()["groups"].items()}
    section = groups["1 Section"]
    men = platoon.view()["groups"][section]["pieces"]
    give({"verb": "GiveStandingOrders", "command": "platoon", "force": section, "standing": {"criticals": "forgo"}})
    give({"verb": "Motivate", "squad": section})
    got.append(platoon.get(f"{table.at}/options?unit={section}").content)
    give({"verb": "Move", "figures": men, "path": [[1300, 2200]]})
    give({"verb": "Move", "figures": ["pnobodyxx2"], "path": [[1300, 2200]]})
    give({"verb": "EndPhase"})
    give({"verb": "Search", "figures": men[:2]})
    for _ in range(3):
        give({"verb": "EndPhase"})
        got.append(platoon.get(f"{table.at}/options?unit={section}").content)
        look()
    for _ in range(4):
        if not worker(table):
            break
        look()
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "A MOMENT", repr(got))
    ids = {table.battle.id, *(seat.id for seat in table.seats.values())}
    ids |= {*table.battle.orders.values_list("id", flat=True), *table.battle.questions.values_list("id", flat=True)}
    met: dict[str, str] = {}
    return re.sub("|".join(map(re.escape, sorted(ids))), lambda found: met.setdefault(found[0], f"ID {len(met)}"), text)


def first_difference(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 300) : at + 100]}\n\n---\n\n…{other[max(0, at - 300) : at + 100]}"


@pytest.mark.parametrize(("hidden", "dice"), [(no_plan, "server"), (nobody, "server"), (other_things, "typed")])
def test_bytes_and_the_pieces_in_which_news_come_say_nothing_of_the_cell(
    patrol: Callable[..., Table], hidden: Hidden, dice: str
) -> None:
    plain, other = transcript(patrol(dice=dice), as_it_is), transcript(patrol(dice=dice), hidden)
    assert plain == other, first_difference(plain, other)
