"""Entries and first states of older versions of the ledger, as the present one reads them. Plain JSON; what is given is
changed, and given back.

Version 1 had figures, squads, cards, counters and squads off the table in maps of their own; such a squad held its
men.
"""

from __future__ import annotations

from typing import Any

from umpire.kernel.pieces.joining import Raw, joined_maps, joined_piece

TAGS = {"figures": "figure", "squads": "squad", "cards": "card", "counters": "counter"}


def entry_of_1(entry: Raw) -> Raw:
    """An entry of version 1: the pieces that its event carries have their tags, and who waits is off the table."""
    event: Raw = entry.get("event") or {}
    match event.get("event"):
        case "reserve_added":
            unit, men = _waiting(event.pop("reserve"))
            event.update(squad=unit, figures=men)
        case "arrived":
            del event["reserve"]
            event["squad"] = joined_piece(event["squad"], "squad")
    if event.get("event") in ("added", "arrived", "peasants_found"):
        event["figures"] = [joined_piece(man, "figure") for man in event["figures"]]
    if "squads" in event:
        event["squads"] = [joined_piece(unit, "squad") for unit in event["squads"]]
    for name in ("card", "counter"):
        if isinstance(event.get(name), dict):
            event[name] = joined_piece(event[name], name)
    return entry


def first_of_1(first: Raw) -> Raw:
    """A first state of version 1: one map of pieces in each part, and who waits is off the table."""
    waiting: dict[str, list[tuple[Raw, list[Raw]]]] = {}
    for name, part in first["commands"].items():
        waiting[name] = [_waiting(each) for each in part.pop("reserves", {}).values()]
    joined_maps(first, TAGS)
    for name, found in waiting.items():
        part = first["commands"][name]
        pieces = {each["id"]: each for unit, men in found for each in (unit, *men)}
        part["pieces"] = dict(sorted({**part["pieces"], **pieces}.items()))
    return first


def _waiting(reserve: Raw) -> tuple[Raw, list[Raw]]:
    """A squad off the table and its men."""
    when: dict[str, Any] = {key: reserve[key] for key in ("at", "arrives", "zone") if key in reserve}
    unit = joined_piece({**reserve["squad"], **when, "is_off": True}, "squad")
    return unit, [joined_piece({**man, "is_off": True}, "figure") for man in reserve["figures"]]
