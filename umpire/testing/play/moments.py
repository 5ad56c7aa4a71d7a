"""A moment of random play, and what checks are asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import Struct

from umpire.kernel.running import Open
from umpire.kernel.states import Contact
from umpire.testing.play.battle import Play

Act = Mapping[str, Any]
"""One thing done in a battle, as plain JSON: {"act": "order", "seat": …, "order": …}, "carry", "answer", "throw",
"correct", "stop", "go_on"."""


class Seen(Struct, frozen=True):
    """What a seat had at one time: its view, the bytes and the tag of it, the number of its news."""

    view: Any
    sent: bytes
    tag: str
    count: int


class Moment(Struct):
    """A battle after one act, with its state and ledger's length before it. `random` is for the checks alone: it does
    not change the play."""

    play: Play[Any]
    act: Act
    number: int
    before: Any
    depth: int
    random: Random
    seen: dict[str, Seen]
    """What each seat had before the act."""
    opened: Open | None = None
    """The order that was open before the act."""
    recognises: Callable[[Contact], bool] = lambda contact: False


Check = Callable[[Moment], None]
