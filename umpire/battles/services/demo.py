"""Battles to begin with, one of each game system: made on first use, the same ever after."""

from __future__ import annotations

from typing import Any

from umpire.battles.keys import derived_code, hash_of_code
from umpire.battles.models import Battle, Seat
from umpire.battles.services.games import battle_create
from umpire.battles.services.seats import seat_new_code
from umpire.kernel.registry import packages

FIRST = "fireforce"
"""The system whose demo battle is named first."""


def prepare_demos(owner: Any = None) -> list[tuple[str, list[tuple[str, str]]]]:
    """The demo battles: title, and for each seat its name and the path of the link that takes one to it. They are the
    account's `owner`, where they are nobody's yet."""
    systems = [system for system, package in packages().items() if not package.is_example]
    return [
        (f"{packages()[system].title}: {battle.title}", [(name, f"/join/{code}") for name, _role, code in seats])
        for system in sorted(systems, key=lambda each: (each != FIRST, each))
        for battle, seats in [demo_of(system, owner)]
    ]


def demo_of(system: str, owner: Any = None) -> tuple[Battle, list[tuple[str, str, str]]]:
    """The demo battle of a system and its seats: name, role and code. It fights the first scenario of the system's.
    Raises LookupError for a system that is not registered."""
    scenario = next(iter(packages()[system].scenarios()))
    running = Battle.objects.filter(is_demo=True, system=system).exclude(status=Battle.Status.FINISHED)
    battle = running.order_by("-created").first()
    if battle is None:
        battle, _ = battle_create(
            owner=owner, system=system, scenario=scenario, is_demo=True, code_of=lambda made, name: _code(made, name)
        )
    elif battle.owner_id is None and owner is not None:
        Battle.objects.filter(pk=battle.pk).update(owner=owner)
    return battle, [(seat.name, seat.role, _code_now(seat)) for seat in battle.seats.order_by("created", "id")]


def _code(battle: Battle, name: str) -> str:
    """The same code at each start, so that a link once opened stays good; whoever has not the server's key cannot know
    it."""
    return derived_code(f"{battle.id}\x1f{name}")


def _code_now(seat: Seat) -> str:
    """The seat's code, or a new one where the umpire has changed it or taken the seat away."""
    code = _code(seat.battle, seat.name)
    if seat.code_hash == hash_of_code(code) and not seat.is_revoked:
        return code
    return seat_new_code(seat=seat, admits_witnesses=True)
