"""What a stretch of a battle may tell a command, by the package's own judgement of its secrets, and what a command's
contacts may say. Not asked of `notice`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from umpire.kernel.codec import encode
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.ledger import Corrected, Happened, Thrown, applied
from umpire.kernel.states import slice_of
from umpire.kernel.values.maps import ordered
from umpire.testing.conformance.fixture import Broken, Conformance, Tells
from umpire.testing.conformance.renaming import strings, with_names
from umpire.testing.play.battle import Play
from umpire.testing.play.moments import Check, Moment

NOBODY = "?"


def states_since(play: Play[Any], before: Any, depth: int) -> Iterator[tuple[Any, Any, Any]]:
    """Each event since `depth` with the states before and after it."""
    state = before
    for entry in play.tree.since(depth):
        if isinstance(entry, Happened | Corrected):
            after = applied(play.package, state, entry.event)
            yield state, entry.event, after
            state = after


def told(conformance: Conformance, play: Play[Any], before: Any, depth: int, command: str) -> list[Tells]:
    """What the world events since `depth` may tell a command, by the package's own judgement."""
    return [
        conformance.tells(state, event, after, command)
        for state, event, after in states_since(play, before, depth)
        if not isinstance(event, KnowledgeEvent)
    ]


def course(conformance: Conformance, play: Play[Any], before: Any, depth: int, command: str) -> list[bytes]:
    """All that the entries since `depth` may tell a command, one item for each: dice for what is not hidden; of events
    that may tell it something the kind, what is open and its own after it, what it sees; of those that tell something
    new the whole with hidden pieces as they look. What it knows already (its contacts) is no part of it: two worlds in
    which the course is the same are to be known alike."""
    found: list[bytes] = []
    state = before
    for entry in play.tree.since(depth):
        if isinstance(entry, Thrown) and _may_be_seen(conformance, entry, state, command):
            found.append(encode([entry.roll.purpose, entry.faces]))
        if not isinstance(entry, Happened | Corrected):
            continue
        was, state = state, applied(play.package, state, entry.event)
        if isinstance(entry.event, KnowledgeEvent):
            continue
        tells = conformance.tells(was, entry.event, state, command)
        if tells == "nothing":
            continue
        item = [type(entry.event).__name__, _own(state, command), sorted(_shown(conformance, state, command).values())]
        if tells == "new" and not _is_lost(conformance, was, entry.event, state, command):
            item.append(_as_known(conformance, was, entry.event, state, command))
        found.append(encode(item))
    return found


def _may_be_seen(conformance: Conformance, thrown: Thrown, state: Any, command: str) -> bool:
    """Whether dice are a command's own, or for nothing that is hidden: in an open battle it sees those of others."""
    return thrown.roll.by == command or not {*thrown.roll.subject.split()}.intersection(
        conformance.ids(state, (command,))
    )


def _own(state: Any, command: str) -> Any:
    """A command's slice without what it knows of others."""
    known = slice_of(state, (command,))
    return [known.public, replace(known.commands[command], contacts={})]


def _shown(conformance: Conformance, state: Any, command: str) -> dict[str, str]:
    """What a command sees of hidden pieces, by true id, each in one word, with the alias that it has for it already."""
    known = state.umpire.aliases.get(command, {})
    return {
        piece: encode([known.get(piece, ""), look]).decode()
        for piece, look in conformance.shown(state, command).items()
    }


def _is_lost(conformance: Conformance, before: Any, event: Any, after: Any, command: str) -> bool:
    """Whether a thing that an event names goes out of a command's sight by it: that is all the command learns, whatever
    else the event says."""
    lost = {*conformance.shown(before, command)} - {*conformance.shown(after, command)}
    lost &= {*conformance.ids(after, (command,))}
    return bool(lost) and not lost.isdisjoint(strings(msgspec.to_builtins(event)))


def _as_known(conformance: Conformance, before: Any, event: Any, after: Any, command: str) -> Any:
    hidden = {*conformance.ids(before, (command,)), *conformance.ids(after, (command,))}
    looks = {**_shown(conformance, before, command), **_shown(conformance, after, command)}
    return with_names(msgspec.to_builtins(event), {piece: looks.get(piece, NOBODY) for piece in hidden})


def knows_what_it_sees(conformance: Conformance) -> Check:
    """Knowledge: when nothing goes on, what a command has in sight are the hidden pieces that it sees, each in its
    place, with all that it shows and nothing else."""

    def check(moment: Moment) -> None:
        play = moment.play
        if play.position.open is not None:
            return
        for command, part in play.state.commands.items():
            seen = Counter(encode(list(look)) for look in conformance.shown(play.state, command).values())
            known = Counter(
                encode([each.kind, each.at, ordered(each.looks)])
                for alias, each in part.contacts.items()
                if alias in play.state.umpire.aliases.get(command, {}).values()
            )
            if seen != known:
                lacks, has = [*(seen - known)], [*(known - seen)]
                raise Broken("contacts are what is seen", f"{command} lacks {lacks} and has {has}")

    return check
