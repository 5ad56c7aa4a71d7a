"""Random play of any system through the services: orders, answers, plans carried on, a battle taken back."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.server.conftest import Table
from tests.server.test_random_play import answer
from umpire.battles import services
from umpire.battles.errors import Refused
from umpire.battles.heads import believed_by, read_head
from umpire.battles.models import Battle
from umpire.kernel.ledger import is_cut
from umpire.kernel.states import Seat as Chair


def table_of(battle: Battle) -> Table:
    """A stored battle as a table: its players by the commands that they lead."""
    seats = list(battle.seats.order_by("created", "id"))
    table = Table(battle, {(",".join(seat.commands) or "umpire"): seat for seat in seats})
    table.first_views = {seat.id: None for seat in seats}
    return table


def battle_played(system: str, scenario: str, options: Mapping[str, Any], random: Random, steps: int) -> Battle:
    """A new battle in which so many things were done; at two thirds of them it was taken back some way, and at its end
    it waits for an answer if it can."""
    battle, _ = services.battle_create(owner=None, system=system, scenario=scenario, options=dict(options))
    table = table_of(battle)
    for step in range(steps):
        play_on(table, random)
        if step == steps * 2 // 3:
            taken_back(table, random, table.now.depth * 2 // 3)
    for _ in range(steps):
        if table.now.open_depth is not None:
            break
        play_on(table, random)
    return table.now


def taken_back(table: Table, random: Random, depth: int) -> None:
    """The umpire takes a battle back to about that depth."""
    head = read_head(table.battle.id)
    entries = head.entries(0, head.battle.depth)
    cut = next(at for at in range(depth, len(entries) + 1) if is_cut(entries, at))
    dice = random.choice(["keep", "fresh"])
    services.battle_rewind(battle=table.battle, by=table.seats["umpire"], depth=cut, dice=dice)
    if table.now.open_depth is not None and not table.questions("umpire"):
        services.open_order_resolve(battle=table.battle, by=table.seats["umpire"], do="go_on")


def play_on(table: Table, random: Random) -> bool:
    """One thing that somebody does: an answer, the worker's turn, an order. Whether anything was done."""
    if questions := table.questions("umpire"):
        answer(table, random.choice(questions), random)
        return True
    if random.random() < 0.3:
        return "carried" in table.carry()
    order = _order(table, random)
    if order is None:
        return False
    who, fields = order
    try:
        services.order_give(battle=table.battle, seat=table.seats[who], order=fields, tag=None)
    except Refused:
        assert table.now.open_depth is not None, f"what was offered is refused: {fields}"
        return False
    return True


def _order(table: Table, random: Random) -> tuple[str, dict[str, Any]] | None:
    """An order that somebody may give; as likely as not one that rolls dice or needs no choice, for these move a battle
    on."""
    head = read_head(table.battle.id)
    found = []
    for who, seat in table.seats.items():
        if not seat.commands:
            continue
        chair = Chair(name=who, commands=tuple(seat.commands))
        believed = believed_by(head, seat.commands)
        for subject in (None, *head.package.subjects(believed, chair)):
            found += [(who, chair, believed, form) for form in head.package.options(believed, chair, subject)]
    if random.random() < 0.5:
        found = [each for each in found if each[3].odds] or [each for each in found if not each[3].slots] or found
    if not found:
        return None
    verb = random.choice(sorted({each[3].verb for each in found}))
    who, chair, believed, form = random.choice([each for each in found if each[3].verb == verb])
    return who, head.package.sample(believed, chair, form, random)
