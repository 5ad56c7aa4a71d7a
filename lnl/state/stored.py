"""Stored forms of a battle, as they are read now. Values are plain JSON; what is given is changed, and given back.

Version 2: units, weapons and works stand in one map of pieces; a weapon says who holds it, where units listed theirs;
`is_off` stands for `is_placed`.
"""

from __future__ import annotations

from lnl.state.battle import POSSESSED
from umpire.kernel.pieces.joining import Raw, joined_maps, joined_piece

MAPS = {"units": "unit", "weapons": "weapon", "works": "work"}
"""The former maps, and the tags of their pieces."""
HAS = {
    "added": {"unit": "unit", "weapon": "weapon"},
    "hero_created": {"unit": "unit"},
    "combined": {"into": "unit"},
    "work_placed": {"work": "work"},
}
"""The fields of events that carry a piece, by the event's tag: the tags of the pieces."""


def first_with_pieces(first: Raw) -> Raw:
    """A first state of version 1."""
    joined_maps(first, MAPS, how=POSSESSED)
    for part in (first["public"], *first["commands"].values(), first["umpire"]):
        part["pieces"] = {key: _on_or_off(piece) for key, piece in part["pieces"].items()}
    return first


def entry_with_pieces(entry: Raw) -> Raw:
    """An entry of version 1."""
    event = entry.get("event")
    if not isinstance(event, dict):
        return entry
    for name, tag in HAS.get(event["event"], {}).items():
        if event.get(name) is not None:
            event[name] = _on_or_off(joined_piece(event[name], tag, how=POSSESSED, lists=("weapons",)))
    if event["event"] == "altered" and event["field"] == "is_placed":
        event.update(field="is_off", value=not event["value"], was=not event["was"])
    return entry


def _on_or_off(piece: Raw) -> Raw:
    if not piece.pop("is_placed", True):
        piece["is_off"] = True
    return piece
