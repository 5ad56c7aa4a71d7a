"""Lanes to play Skirmish on: the bundled one, and longer ones that are made of it for what proves a server."""

from __future__ import annotations

import re

THE_LANE = """
title = "The Lane"
length = 10
turns = 8
blind = true
woods = [2, 4, 5, 7]

[commands]
red_1 = "red"
red_2 = "red"
blue_1 = "blue"
blue_2 = "blue"

[events]
3 = "A dead mule, and flies."
6 = "An old woman with a basket; she has seen nobody."

[[units]]
key = "ash"
command = "blue_1"
at = 0
name = "Ash's section"

[[units]]
key = "birch"
command = "blue_1"
at = 1
name = "Birch's section"

[[units]]
key = "cedar"
command = "blue_2"
at = 2
name = "Cedar's scouts"
steps = 1

[[units]]
key = "rowan"
command = "red_1"
at = 9
name = "Rowan's section"

[[units]]
key = "sorrel"
command = "red_1"
at = 8
name = "Sorrel's section"
steps = 1

[[units]]
key = "thorn"
command = "red_2"
at = 7
name = "Thorn's band"

[[units]]
key = "willow"
command = "red_2"
at = 5
name = "Willow's band"
reserve = true
plan = { goal = 1, on_contact = "ask" }
"""


def changed(text: str, *changes: tuple[str, str]) -> str:
    """A scenario with some of its lines written otherwise. Raises ValueError for what stands in it not exactly once."""
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in the scenario")
        text = text.replace(old, new)
    return text


def without(text: str, *keys: str) -> str:
    """A scenario without these units."""
    return re.sub(rf'\n\[\[units\]\]\nkey = "(?:{"|".join(keys)})"\n(?:.+\n)*', "", text)


LONG_LANE = changed(
    THE_LANE,
    ("length = 10", "length = 12"),
    ("woods = [2, 4, 5, 7]", "woods = [4, 5, 9]"),
    ("at = 9", "at = 11"),
    ("at = 8", "at = 10"),
    ("at = 7", "at = 8"),
)
"""Longer, so that there is room to hide."""
QUIET_LANE = changed(
    LONG_LANE, ('title = "The Lane"', 'title = "A lane for the server"'), ('3 = "A dead mule, and flies."\n', "")
)
"""Willow's band goes by plan towards Cedar's scouts, and asks what to do as soon as it sees them, from the woods."""
SECRET_LANE = changed(
    LONG_LANE, ("\n6 = ", "\n9 = "), ('goal = 1, on_contact = "ask"', 'goal = 6, on_contact = "halt"')
)
"""In which nobody reaches what happens last, and the plan is carried on without a question."""
ENDLESS_LANE = without(
    changed(
        QUIET_LANE,
        ("turns = 8", "turns = 1000000"),
        ('red_2 = "red"\n', ""),
        ('6 = "An old woman with a basket; she has seen nobody."\n', ""),
        ("Cedar's scouts\"\nsteps = 1", "Cedar's scouts\""),
        ('command = "red_2"\nat = 5', 'command = "red_1"\nat = 8'),
        ('plan = { goal = 1, on_contact = "ask" }\n', ""),
    ),
    "birch",
    "sorrel",
    "thorn",
)
"""Few units, and no end."""
