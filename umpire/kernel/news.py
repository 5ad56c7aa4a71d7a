"""What a seat gets: its view, its news (a patch of the view and log lines, numbered for this seat alone), its tag.

Everything is computed from slices. If nothing changed for a seat and nothing is to be said to it, it gets no news and
none of its numbers move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from umpire.kernel.codec import digest_of, encode
from umpire.kernel.events import Event, KnowledgeEvent
from umpire.kernel.ledger import Begun, Corrected, Happened
from umpire.kernel.registry import LogLine, RulesPackage
from umpire.kernel.running import Step, believed_of
from umpire.kernel.states import Seat, State, gate
from umpire.kernel.views import View

S = TypeVar("S", bound=State)


class News(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One piece of news: log lines, and a JSON merge patch (RFC 7396) that leads from the last view to this one."""

    lines: tuple[LogLine, ...] = ()
    patch: dict[str, Any] = {}


def view_of(package: RulesPackage[S, Any], state: S, seat: Seat) -> View:
    """The view of a seat, from its slice alone."""
    believed = believed_of(package, state, seat)
    gate(believed)
    return package.view(believed, seat)


def tag_of(view: Any, number: int) -> str:
    """The ETag of a seat's view: the hash of the view and the number of its last news, and nothing of the truth."""
    return digest_of(encode([view, number]))[:20]


def merge_patch(before: Any, after: Any) -> Any:
    """The JSON merge patch from one view to another, empty when they are equal. Views hold no nulls, and no value that
    is a number in one and true or false in the next (Python holds 1 and True for equal)."""
    patch: dict[str, Any] = {}
    for key in before:
        if key not in after:
            patch[key] = None
    for key, value in after.items():
        if key not in before:
            patch[key] = value
        elif before[key] != value:
            both = isinstance(before[key], dict) and isinstance(value, dict)
            patch[key] = merge_patch(before[key], value) if both else value
    return patch


_parts = msgspec.json.Decoder(dict[str, Raw])
OPENING = ord("{")


def encoded_patch(before: bytes | memoryview, after: bytes | memoryview) -> Any:
    """`merge_patch` from one encoded view to another. What has the same bytes in both is equal and is not decoded: of a
    large view mostly little has changed."""
    if before == after:
        return {}
    old, new = _parts.decode(before), _parts.decode(after)
    patch: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        was = old.get(key)
        if was is None:
            patch[key] = msgspec.json.decode(value)
            continue
        one, other = memoryview(was), memoryview(value)
        if one == other:
            continue
        if one[0] == other[0] == OPENING:
            if inner := encoded_patch(one, other):
                patch[key] = inner
        elif msgspec.json.decode(one) != (there := msgspec.json.decode(other)):
            patch[key] = there
    return patch


def merged(before: Any, patch: Any) -> Any:
    """What a client does with a merge patch."""
    if not isinstance(patch, dict):
        return patch
    result = dict(before) if isinstance(before, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def are_public(package: RulesPackage[S, Any], steps: Sequence[Step]) -> tuple[bool, ...]:
    """For each step whether everybody may read what happened."""
    return tuple(
        isinstance(entry := step.entry, Happened | Corrected)
        and not isinstance(entry.event, KnowledgeEvent)
        and package.publishes(step.before, entry.event)
        for step in steps
    )


def lines_of(
    package: RulesPackage[S, Any], steps: Sequence[Step], seat: Seat, public: Sequence[bool] | None = None
) -> tuple[LogLine, ...]:
    """The log lines of a run for a seat: of public events, and of what its own commands came to know. Those of
    plans that were carried on one after the other are of one moment, and come in an order of their own. `public` is
    what `are_public` says of the steps, where it has been asked already."""
    blocks: list[list[_Said]] = [[]]
    carried: set[int] = set()
    for step, is_public in zip(steps, are_public(package, steps) if public is None else public, strict=True):
        entry = step.entry
        if isinstance(entry, Begun) and (entry.kind == "carry" or len(blocks) - 1 in carried):
            blocks.append([])
            if entry.kind == "carry":
                carried.add(len(blocks) - 1)
        if not isinstance(entry, Happened | Corrected):
            continue
        event: Event = entry.event
        if not is_public and not (isinstance(event, KnowledgeEvent) and event.command in seat.commands):
            continue
        line = package.describe(event, believed_of(package, step.after, seat))
        if line is not None:
            blocks[-1].append((line, not is_public and _is_of_others(line, step, seat)))
    lines: list[LogLine] = []
    for is_carried, numbers in groupby(range(len(blocks)), key=lambda number: number in carried):
        found = [tuple(_in_no_order(blocks[number])) for number in numbers]
        if is_carried:
            found.sort(key=lambda block: [(each.kind, each.text) for each in block])
        lines.extend(line for block in found for line in block)
    return tuple(lines)


DEEDS = {"move": "move", "fire": "fire"}
"""Kinds of lines whose order with others is part of what they tell."""
_Said = tuple[LogLine, bool]
"""A line, and whether it is about others whom the seat knows by aliases."""


def _is_of_others(line: LogLine, step: Step, seat: Seat) -> bool:
    """Whether all pieces of a line are contacts of a seat; what they carry is named after them."""
    states = (step.before, step.after)
    known = [state.commands[name].contacts for state in states for name in seat.commands]
    named = {piece.partition(".")[0] for piece in line.pieces}
    return bool(named) and all(any(piece in contacts for contacts in known) for piece in named)


def _in_no_order(block: Sequence[_Said]) -> Iterator[LogLine]:
    """Lines one after the other about several others (what they do by its kind, what becomes of them of any kind) by
    the aliases of these: rulings go through pieces in the order of a roster or of their true ids, of which the reader
    knows nothing."""
    for (_, is_of_others), said in groupby(block, key=lambda each: (DEEDS.get(each[0].kind, ""), each[1])):
        lines = [line for line, _ in said]
        yield from sorted(lines, key=lambda line: min(line.pieces)) if is_of_others else lines


def news_of(package: RulesPackage[S, Any], before: Any, steps: Sequence[Step], after: Any, seat: Seat) -> News | None:
    """The news of a run for a seat, from its views before and after as plain JSON; None where there is none."""
    patch = merge_patch(before, after)
    lines = lines_of(package, steps, seat)
    return News(lines=lines, patch=patch) if lines or patch else None
