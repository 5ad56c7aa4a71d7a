"""The register of Lock 'n Load's events. `umpire.kernel.happenings`

An event says what happened and carries the new values, so that its applier needs no rule and no table. It names pieces
by their true ids, each in a field of its own, never inside a sentence; units in a list are in the order in which they
were named. A piece that is not there raises KeyError. A sentence is made from the state after the event: what is gone
is named by what the event carries.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from lnl.state.battle import State
from umpire.kernel.happenings import Happenings


def hidden_ids(state: State) -> set[str]:
    """The ids of all that is hidden."""
    return {*state.umpire.pieces, *(key for part in state.commands.values() for key in part.pieces)}


happening: Happenings[State] = Happenings(hidden_ids)
happens, says, noted = happening.happens, happening.says, happening.noted
apply, publishes = happening.apply, happening.publishes


def its_command(before: State, event: Any, after: State) -> Collection[str]:
    """The command that an event is about is told of it where it is not public."""
    return (event.command,)


def nobody(before: State, event: Any, after: State) -> Collection[str]:
    """Where it is not public nobody is told of an event."""
    return ()
