"""What chaos does to the database itself, each in a process of its own with the server's environment.

`python -m umpire.chaos.table make N SYSTEM` migrates, makes battles of a system and tells their codes; `… look ID …`
tells what became of battles: orders, messages, what is still to be done, and what is wrong with their ledgers.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import django

from umpire.testing.skirmish.lanes import ENDLESS_LANE

TOY = "skirmish"


def make(count: int, system: str) -> list[dict[str, Any]]:
    """Makes battles, of the toy's lane or of the first scenario of a system, as long as they may be: their ids and the
    code of each seat."""
    from django.core.management import call_command

    from umpire.battles.services.games import battle_of
    from umpire.kernel.registry import package_of

    call_command("migrate", interactive=False, verbosity=0)
    package = package_of(system)
    first = re.sub(r"(?m)^turns = \d+$", "turns = 99", min(package.scenarios().items())[1])
    setting = package.load(ENDLESS_LANE if system == TOY else first, file="chaos", options={})
    made = []
    for number in range(count):
        battle, seats = battle_of(
            owner=None, system=system, scenario="chaos", setting=setting, title=f"Chaos {number + 1}"
        )
        codes = {seat.commands[0] if seat.commands else "umpire": code for seat, code in seats}
        made.append({"battle": battle.id, "system": system, "codes": codes})
    return made


def look(battles: list[str]) -> list[dict[str, Any]]:
    """What has become of battles."""
    from umpire.battles.models import Battle, Message, News, Order, Outbox, Seat
    from umpire.battles.replaying import replay

    found = []
    for battle in Battle.objects.filter(pk__in=battles):
        orders = Order.objects.filter(battle=battle)
        numbers = {
            seat.name: list(News.objects.filter(seat=seat).order_by("number").values_list("number", flat=True))
            for seat in Seat.objects.filter(battle=battle)
        }
        found.append(
            {
                "battle": battle.id,
                "orders": {order.id: order.status for order in orders},
                "places": [[order.line, order.depth] for order in orders if order.depth is not None],
                "messages": list(Message.objects.filter(battle=battle).values_list("text", flat=True)),
                "to_do": Outbox.objects.filter(battle=battle, done=None).count(),
                "carried": Outbox.objects.filter(battle=battle, outcome="carried").count(),
                "numbers": {name: [len(seen), seen[-1] if seen else 0] for name, seen in numbers.items()},
                "faults": [each.fault for each in replay(battle.id) if each.fault],
            }
        )
    return found


if __name__ == "__main__":
    django.setup()
    what, *given = sys.argv[1:]
    print(json.dumps(make(int(given[0]), given[1]) if what == "make" else look(given)))
