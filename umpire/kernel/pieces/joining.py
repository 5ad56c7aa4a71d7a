"""Stored forms of before there was one map of pieces, as they are read now: for upcasters of first states and entries.

Values are plain JSON; what is given is changed, and given back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Raw = dict[str, Any]


def joined_piece(
    piece: Raw, tag: str, *, owner: str = "owner", how: str = "possessed", n: int = 1, lists: tuple[str, ...] = ()
) -> Raw:
    """A piece with its tag; who stands in its field `owner` holds it in this way, as the n-th. Fields of `lists`, in
    which a holder named what it held, go."""
    by = piece.pop(owner, "")
    if by:
        piece["hold"] = {"by": by, "how": how, "n": n}
    for name in lists:
        piece.pop(name, None)
    return {"piece": tag, **piece}


def joined_maps(
    first: Raw,
    tags: Mapping[str, str],
    *,
    owner: str = "owner",
    how: str = "possessed",
    lists: tuple[str, ...] = ("weapons",),
) -> Raw:
    """A state whose parts have one map `pieces` in the place of several: `tags` has the tag of the pieces of each.

    Who stands in the field `owner` of a piece holds it, in this way; its number is its place in the lists (fields of
    the holder) that name it, after them the others by id.
    """
    parts = [first["public"], *first["commands"].values(), first["umpire"]]
    old = [each for part in parts for name in tags for each in part.get(name, {}).values()]
    numbers: dict[str, int] = {}
    for holder in old:
        listed = [each for name in lists for each in holder.get(name, ())]
        others = sorted(each["id"] for each in old if each.get(owner) == holder["id"] and each["id"] not in listed)
        numbers.update({each: n for n, each in enumerate((*listed, *others), 1)})
    for part in parts:
        pieces = dict(_joined(part, tags, numbers, owner, how, lists))
        part["pieces"] = dict(sorted(pieces.items()))
    return first


def _joined(
    part: Raw, tags: Mapping[str, str], numbers: Mapping[str, int], owner: str, how: str, lists: tuple[str, ...]
) -> Iterator[tuple[str, Raw]]:
    for name, tag in tags.items():
        for key, each in part.pop(name, {}).items():
            yield key, joined_piece(each, tag, owner=owner, how=how, n=numbers.get(key, 1), lists=lists)
