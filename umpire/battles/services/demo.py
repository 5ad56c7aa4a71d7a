"""A battle to begin with: made on first use, the same ever after."""

from __future__ import annotations

from umpire.battles.keys import derived_code, hash_of_code
from umpire.battles.models import Battle, Seat
from umpire.battles.services.games import battle_create
from umpire.battles.services.seats import seat_new_code
from umpire.kernel.registry import packages

FIRST = "fireforce"
"""The system whose first scenario is shown; where it is not registered, the first that is."""


def prepare_demo() -> list[tuple[str, str]]:
    """The seats of the demo battle: name, and the path of the link that takes one to it."""
    return [(name, f"/join/{code}") for name, _role, code in demo_seats()]


def demo_seats() -> list[tuple[str, str, str]]:
    """The seats of the demo battle: name, role and code. Raises LookupError where no game system is registered."""
    battle = Battle.objects.filter(is_demo=True).exclude(status=Battle.Status.FINISHED).order_by("-created").first()
    if battle is None:
        system, scenario = _first_scenario()
        battle, _ = battle_create(
            owner=None, system=system, scenario=scenario, is_demo=True, code_of=lambda made, name: _code(made, name)
        )
    return [(seat.name, seat.role, _code_now(seat)) for seat in battle.seats.order_by("created", "id")]


def _first_scenario() -> tuple[str, str]:
    known = packages()
    if not known:
        raise LookupError("no rules package is registered")
    package = known.get(FIRST) or next(iter(known.values()))
    return package.system, next(iter(package.scenarios()))


def _code(battle: Battle, name: str) -> str:
    """The same code at each start, so that a link once opened stays good; whoever has not the server's key cannot know
    it."""
    return derived_code(f"{battle.id}\x1f{name}")


def _code_now(seat: Seat) -> str:
    """The seat's code, or a new one where the umpire has changed it or taken the seat away."""
    code = _code(seat.battle, seat.name)
    if seat.code_hash == hash_of_code(code) and not seat.is_revoked:
        return code
    return seat_new_code(seat=seat)
