"""How scenarios name squads: firepower-range-movement-morale/morale when Shaken, with the marks of the modules.
`core 1.11`"""

from __future__ import annotations

import re

from msgspec import Struct

from lnl.book.rows import CounterRow

_FORM = re.compile(r"(A?)(\d+)([EM]?)-(\d+)-(\d+)(?:-(\*?)(\d+)(?:/(\d+))?)?")

UNPREDICTABLE, EVEN_BONUS, ALPINE = "unpredictable", "even_bonus", "superscript_a"
"""Traits that marks in a designation stand for: `*5`, `1E`, `A1`."""


class Designation(Struct, frozen=True, kw_only=True):
    """What a dash string says. Without a fourth part morale is not said; one number holds for both sides. `core
    1.11`"""

    firepower: int
    range: int
    movement: int
    morale: int | None = None
    shaken_morale: int | None = None
    melee_bonus: int = 0
    traits: tuple[str, ...] = ()

    def fits(self, row: CounterRow) -> bool:
        """Whether a counter is one that it names."""
        shaken = row.morale if row.shaken_morale is None else row.shaken_morale
        return (
            (self.firepower, self.range, self.movement) == (row.firepower, row.range, row.movement)
            and self.melee_bonus == row.melee_bonus
            and all(word in row.traits for word in self.traits)
            and (self.morale is None or (self.morale, self.shaken_morale) == (row.morale, shaken))
        )


def designation(text: str) -> Designation | None:
    """A dash string read; None where it is none. `core 1.11`"""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        return None
    alpine, firepower, mark, reach, movement, star, morale, shaken = found.groups()
    marks = ((alpine == "A", ALPINE), (mark == "E", EVEN_BONUS), (star == "*", UNPREDICTABLE))
    return Designation(
        firepower=int(firepower),
        range=int(reach),
        movement=int(movement),
        morale=int(morale) if morale else None,
        shaken_morale=int(shaken or morale) if morale else None,
        melee_bonus=1 if mark == "M" else 0,
        traits=tuple(word for is_there, word in marks if is_there),
    )


def designated(row: CounterRow) -> str:
    """A counter as it is named. `core 1.11`"""
    parts = [str(row.firepower) + ("M" if row.melee_bonus else ""), str(row.range), str(row.movement)]
    if row.morale is not None:
        shaken = row.shaken_morale
        parts.append(str(row.morale) if shaken in (None, row.morale) else f"{row.morale}/{shaken}")
    return "-".join(parts)
