"""A FireForce patrol over HTTP in which whatever is hidden carries a canary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.api.chairs import Chair, Table
from umpire.battles.models import Outbox, Seat
from umpire.battles.services import battle_create, seat_create
from umpire.hidden.services import carry_due

SCENARIO = "patrol-to-the-ford"
PLATOON, CELL = "2 Platoon", "the Ford cell"


def with_canaries(text: str) -> str:
    """The scenario with a canary for the name of each hidden squad and man, each note and each word of the umpire's."""
    head, cell = text.split("# The cell")
    hidden, rest = cell.split("[[objective]]")
    objective, umpire = rest.split("[umpire]")
    numbers = iter(range(1000))
    hidden = re.sub(r'\b(name|note) = "[^"]*"', lambda found: f'{found[1]} = "canary-{next(numbers)}-hidden"', hidden)
    umpire = re.sub(r'"[^"\n]+"', lambda _: f'"canary-{next(numbers)}-umpire"', umpire.replace('"""', '"'), count=0)
    umpire = re.sub(r'description = ".*?"\nnotes', 'description = "canary-description"\nnotes', umpire, flags=re.DOTALL)
    return f"{head}# The cell{hidden}[[objective]]{objective}[umpire]{umpire}"


def new_patrol(owner: Any, **options: Any) -> Table:
    battle, seats = battle_create(owner=owner, system="fireforce", scenario=SCENARIO, options=options)
    umpire = next(seat for seat, _ in seats if seat.role == Seat.Role.UMPIRE)
    observer = seat_create(battle=battle, by=umpire, name="observer", role="observer")
    codes = {seat.name if seat.role != "umpire" else "umpire": code for seat, code in [*seats, observer]}
    return Table(battle, codes)


def hidden_pieces(table: Table) -> dict[str, Any]:
    """The cell's pieces as the umpire has them, by true id."""
    pieces: Mapping[str, Any] = table["umpire"].view()["pieces"]
    return {name: piece for name, piece in pieces.items() if piece["command"] == "cell"}


def correct(table: Table, verb: str, **fields: Any) -> None:
    body = {"correction": {"verb": verb, **fields}, "reason": "canary-reason"}
    answer = table["umpire"].act(f"{table.at}/corrections", body)
    assert answer.status_code == 201, answer.content


def worker(table: Table) -> None:
    """What the worker would do, until nothing is due."""
    for _ in range(40):
        rows = list(Outbox.objects.filter(battle=table.battle, done=None))
        if not rows:
            return
        for row in rows:
            carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth)


def end_phases(table: Table, number: int = 4) -> None:
    for _ in range(number):
        table[PLATOON].view()
        answer = table[PLATOON].order({"verb": "EndPhase"})
        assert answer.status_code == 201, answer.content
    worker(table)


READS = ("", "view", "scene", "options", "orders", "questions", "news", "sync?after=0", "messages")


def seen(table: Table, who: str) -> list[tuple[Any, ...]]:
    """All that a seat can read without doing anything: status, headers, body; the server's clock cut out."""
    found = []
    for path in READS:
        answer = table[who].get(f"{table.at}/{path}".rstrip("/"))
        body = re.sub(rb'"now":"[^"]*"', b'"now":""', answer.content)
        found.append((path, answer.status_code, tuple(sorted(answer.headers.items())), body))
    return found


def chair_again(table: Table, who: str) -> Chair:
    """Another device that takes the same seat by its code."""
    return table.joined(table.codes[who])
