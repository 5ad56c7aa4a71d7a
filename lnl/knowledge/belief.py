"""A battle as a seat knows it, built from its slice alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import convert
from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.state.battle import (
    POSSESSED,
    AnyPiece,
    Believed,
    CommandPart,
    Manner,
    UmpirePart,
    Unit,
    Weapon,
    Work,
    WorkKind,
)
from lnl.state.setting import PublicSetting
from umpire.kernel.pieces.piece import Hold
from umpire.kernel.settings import half
from umpire.kernel.states import Contact, Scalar, Slice
from umpire.kernel.values.maps import ordered

Looks = tuple[tuple[str, Scalar], ...]


KEPT = 16
_latest: list[tuple[Slice, Believed]] = []
"""The beliefs asked for last. What is worked out of one is remembered with it: so one slice gives one belief."""


def believed(known: Slice) -> Believed:
    """What a slice gives to believe; the same object for the same parts, while it is remembered."""
    for kept, found in _latest:
        if _is_same(kept, known):
            return found
    made = _believed(known)
    _latest[:] = [(known, made), *_latest[: KEPT - 1]]
    return made


def _is_same(one: Slice, other: Slice) -> bool:
    return (
        one.public is other.public
        and one.commands.keys() == other.commands.keys()
        and all(part is other.commands[name] for name, part in one.commands.items())
    )


def _believed(known: Slice) -> Believed:
    """Public and own parts, and what is in sight as units, weapons and works of `public` under their aliases. A counter
    shows what it is; its skills, and points that it has spent, nobody sees. What is remembered or heard stands in the
    contacts only and binds nothing."""
    seen = in_sight(known.commands)
    public = known.public
    if not seen:
        return Believed(public=public, commands=known.commands, umpire=UmpirePart())
    pieces: dict[str, AnyPiece] = {}
    for alias, contact in seen.items():
        looks = tuple(contact.looks.items())
        if contact.kind == "unit":
            unit, held = _unit(public.setting, alias, _place(contact), looks)
            pieces[alias] = unit
            pieces.update((each.id, each) for each in held)
        elif contact.kind == "weapon":
            pieces[alias] = _weapon(alias, _place(contact), looks)
        elif contact.kind == "work":
            pieces[alias] = _work(alias, _place(contact), looks)
    public = replace(public, pieces=ordered({**public.pieces, **pieces}))
    return Believed(public=public, commands=known.commands, umpire=UmpirePart())


def in_sight(parts: Mapping[str, CommandPart]) -> Mapping[str, Contact]:
    """The contacts in sight of these commands by alias; what several of them see in one place stands there once."""
    found: dict[str, Contact] = {}
    places: set[tuple[str, tuple[int, ...]]] = set()
    for name in sorted(parts):
        mine = {alias: each for alias, each in parts[name].contacts.items() if each.status == "in_sight"}
        found.update({alias: each for alias, each in mine.items() if (each.kind, each.at) not in places})
        places.update((each.kind, each.at) for each in mine.values())
    return dict(sorted(found.items()))


def _place(contact: Contact) -> Place:
    return contact.at[0], contact.at[1], contact.at[2]


@lru_cache(maxsize=20_000)
def _unit(digest: str, alias: str, at: Place, shown: Looks) -> tuple[Unit, tuple[Weapon, ...]]:
    """The unit that a sighting is taken for, with the weapons that it shows; where it shows no counter, the one that
    the scenario lets players assume."""
    looks = dict(shown)
    side = str(looks.get("side", ""))
    setting: PublicSetting = half(digest)
    assumed = setting.assume.get(side)
    held = tuple(
        Weapon(
            id=f"{alias}.{number}",
            command="",
            side=side,
            counter=key,
            at=at,
            hold=Hold(by=alias, how=POSSESSED, n=number),
        )
        for number, key in enumerate(str(looks.get("weapons", "")).split(), 1)
    )
    unit = Unit(
        id=alias,
        command="",
        side=side,
        counter=str(looks.get("counter", "")) or (assumed.counter if assumed is not None else ""),
        at=at,
        is_shaken=bool(looks.get("shaken", False)),
        is_wounded=bool(looks.get("wounded", False)),
        moved=convert(looks["moved"], Manner) if "moved" in looks else "",
        fired=bool(looks.get("fired", False)),
        is_moving=bool(looks.get("moving", False)),
        facing=int(looks.get("facing", 0)),
    )
    return unit, held


def _weapon(alias: str, at: Place, shown: Looks) -> Weapon:
    looks = dict(shown)
    return Weapon(id=alias, command="", side=str(looks.get("side", "")), counter=str(looks["counter"]), at=at)


def _work(alias: str, at: Place, shown: Looks) -> Work:
    looks = dict(shown)
    return Work(
        id=alias,
        command="",
        side=str(looks.get("side", "")),
        kind=convert(looks["work"], WorkKind),
        at=at[:2],
        facing=int(looks.get("facing", 0)),
    )
