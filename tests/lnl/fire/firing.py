"""What tests of fire ask again and again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.lnl.building import Battle

OTHERS = "\nus us_idle squad 1-1-4-5 J1 shaken\nge ge_idle squad 1-1-4-5 J8 shaken"
"""Troops far off that do nothing: the Operations Phase goes on while they might."""
Dice = Sequence[tuple[str, int | tuple[int, ...]]]


def fire(fight: Battle, seat: str, units: str, target: str, dice: Dice = (), weapons: str = "", **fields: Any) -> None:
    """Units (keys, parted by spaces) fire at a hex, with these weapons; the order uses all dice."""
    more = {"draws": fields.pop("draws", ()), "answers": fields.pop("answers", ())}
    fight.give(seat, "Fire", dice, **more, **ordered(fight, units, target, weapons, **fields))


def refused(fight: Battle, seat: str, units: str, target: str, weapons: str = "", **fields: Any) -> list[str]:
    """The rules for which an order to fire is refused."""
    return [each.rule for each in fight.refused(seat, "Fire", **ordered(fight, units, target, weapons, **fields))]


def firepower(fight: Battle, seat: str, units: str, target: str, weapons: str = "", **fields: Any) -> int:
    """What is added to the attack die for all targets, as the preview of an accepted order says it."""
    order = {"verb": "Fire", **ordered(fight, units, target, weapons, **fields)}
    found = fight.play.preview(seat, order)
    assert found.refusals == ()
    return int(found.cost.split()[0])


def ordered(fight: Battle, units: str, target: str, weapons: str, **fields: Any) -> dict[str, Any]:
    guns = [gun_of(fight, each) for each in weapons.split()]
    return {"units": units.split(), "target": list(fight.at(target)), "weapons": guns, **fields}


def gun_of(fight: Battle, words: str) -> str:
    """The id of a weapon: "a/mg42" is the MG42 that a possesses, "a/0" its first weapon."""
    owner, _, which = words.partition("/")
    held = fight.guns(owner)
    if which.isdigit():
        return held[int(which)]
    return next(each for each in held if which in fight.weapon(each).counter)


def totals(fight: Battle, seat: str, roll: str) -> list[int]:
    """The totals of the rolls of a name that a seat has read: of "Attack (B2): 5 + 3 = 8." it is 8, of "Defence (B2):
    2." 2."""
    lines = (line for line in fight.lines(seat) if line.startswith(f"{roll} ("))
    return [int(re.findall(r"-?\d+", line)[-1]) for line in lines]
