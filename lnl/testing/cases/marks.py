"""What markers a unit or a place may bear in a case file, by the words for them. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from lnl.testing.cases.words import plain

NOWHERE: Final = ("off", "off-map", "offmap", "off-board", "offboard", "reserve", "nowhere", "unplaced")
"""Words in the place of a hex: not on the map."""
MARKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "good order": {"is_shaken": False},
    "go": {"is_shaken": False},
    "unshaken": {"is_shaken": False},
    "shaken": {"is_shaken": True},
    "wounded": {"is_wounded": True},
    "moved": {"moved": "move"},
    "move": {"moved": "move"},
    "assault moved": {"moved": "assault"},
    "assault move": {"moved": "assault"},
    "am": {"moved": "assault"},
    "crawled": {"moved": "low_crawl"},
    "low crawl": {"moved": "low_crawl"},
    "low crawled": {"moved": "low_crawl"},
    "stealth": {"moved": "stealth"},
    "stealth move": {"moved": "stealth"},
    "stealth moved": {"moved": "stealth"},
    "moving": {"moved": "move", "is_moving": True},
    "fired": {"fired": True},
    "fire": {"fired": True},
    "ops complete": {"ops_complete": True},
    "operations complete": {"ops_complete": True},
    "oc": {"ops_complete": True},
    "called": {"has_called": True},
    "tried to rally": {"attempts": ("rally",)},
    "failed to rally": {"attempts": ("rally",)},
    "off map": {"is_placed": False},
    "off the map": {"is_placed": False},
    "off board": {"is_placed": False},
    "unmarked": {"moved": "", "is_moving": False, "fired": False, "ops_complete": False},
    "unwounded": {"is_wounded": False},
}
"""What a marker sets on a unit."""
NOT: Final[Mapping[str, Mapping[str, Any]]] = {
    "shaken": {"is_shaken": False},
    "wounded": {"is_wounded": False},
    "moved": {"moved": ""},
    "fired": {"fired": False},
    "ops complete": {"ops_complete": False},
    "activated": MARKS["unmarked"],
}
"""What its absence sets, where a further line says `not` of it."""
NOTHING: Final = ("stationary", "standing", "idle", "full")
"""Words for the reader, which set nothing."""
HIDDEN: Final = ("concealed", "hidden")
OPEN: Final = ("open", "visible", "not hidden", "not concealed")
PLACE_MARKS: Final[Mapping[str, str]] = {
    "spotted": "spotted",
    "unspotted": "",
    "not spotted": "",
    "melee": "melee",
    "locked in melee": "melee",
    "melee not fought": "melee",
    "melee fought": "melee fought",
    "melee round fought": "melee fought",
}
"""What a marker says of a unit's place; "": no Spotted marker lies there."""
COVER: Final = re.compile(r"^(?:in )?(?:a |an |the |his |its |their )?(foxhole|trench)(?:e?s)?$")
"""Words of a unit that stands in a work which needs no line of its own."""
COLUMNS: Final = re.compile(
    r"^(?:morale|lm|mf|mp|fp|firepower|range|movement|leadership|reduces|troops?|self[- ]rally|sr|may assault move|"
    r"red box|may use stealth|yellow square|boxed range|black box|extended range|red arrow|arc|immobile|recoilless|"
    r"gun|melee bonus|minimum range)(?=\b|\d) ?",
    re.IGNORECASE,
)
"""Markers that say what the counter prints."""
COUNTS: Final[Mapping[str, int]] = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "his": 1, "its": 1}
KNOWN: Final = (
    *MARKS,
    *NOTHING,
    *HIDDEN,
    *PLACE_MARKS,
    "facing 2",
    "spent 2",
    "skill assaulter",
    "has mg42",
    "morale 5",
    "LM1",
)
"""Markers to choose the nearest from."""


def marker_word(text: str) -> str:
    """A marker without what a sentence puts around it: "under a Move marker" is "move", "has fired" is "fired"."""
    word = plain(text)
    word = re.sub(r"^(?:is |are |was |still |now |remains |stays |becomes )+", "", word)
    word = re.sub(
        r"^(?:(?:under|marked|beneath|bears|with|gets|receives)\b(?: with| as)?(?: an?\b| the\b)?) ", "", word
    )
    word = re.sub(r"(?<!\w) ?markers?$", "", word).strip()
    bare = re.sub(r"^(?:has |have |had |in )", "", word)
    return bare if bare in MARKS or bare in PLACE_MARKS or bare in NOTHING else word
