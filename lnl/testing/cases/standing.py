"""Standing orders in a case file: who fires at movers by itself. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from lnl.state.battle import Standing
from lnl.testing.cases.words import plain
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import lines_of, unknown

HOLDS: Final = ("hold", "holds", "none", "never", "no", "not", "nothing", "don't")
FIRES: Final = ("free", "fire", "fires", "opportunity", "always", "yes")
ASKS: Final = ("ask", "asks", "asked")


def standing_lines(given: Any) -> list[str]:
    """The lines of a text, a list or a table: `{ near = "hold" }`."""
    if isinstance(given, Mapping):
        return [f"{who}: {orders}" for who, orders in given.items()]
    return lines_of(given)


def standing(lines: Sequence[str]) -> dict[str, Standing]:
    """`near: hold`, `gun: fire at movers`, `ge: fire within 4`, `us: ask`: by unit or command; several with commas."""
    found: dict[str, Standing] = {}
    for line in lines:
        who, colon, orders = line.partition(":")
        if not colon:
            raise CaseFault(f"{line!r} is not: who, a colon, hold or fire", at=line)
        given = _orders(orders)
        found.update({name.strip(): given for name in re.split(r",| and ", who) if name.strip()})
    return found


def _orders(orders: str) -> Standing:
    text = plain(orders)
    if text.startswith("heroes"):
        return Standing(heroes="along" if "along" in text else "ask" if "ask" in text else "stay")
    within = 99
    if near := re.search(r"(?:within|to|beyond|range) (\d+)(?: hex(?:es)?)?", text):
        within = int(near[1])
        text = text.replace(near[0], " free " if "beyond" in near[0] else " ")
    words = text.replace(",", " ").split()
    if "free" in words:
        return Standing(fire="free", within=within)
    if set(words) & set(HOLDS):
        return Standing(fire="hold", within=within)
    if set(words) & set(FIRES):
        return Standing(fire="free", within=within)
    if set(words) & set(ASKS):
        return Standing(fire="ask", within=within)
    return unknown("the standing order", orders.strip(), ("hold", "fire at movers", "fire within 4", "ask"))
