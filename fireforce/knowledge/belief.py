"""A battle as a seat knows it, built from its slice alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import replace

from fireforce.state.battle import Believed, CommandPart, Figure, UmpirePart
from fireforce.state.setting import PublicSetting, assumed, weapon_assumed
from umpire.kernel.settings import half
from umpire.kernel.states import Contact, Scalar, Slice
from umpire.kernel.values.maps import ordered
from umpire.kernel.values.memo import Memo


def believed(known: Slice) -> Believed:
    """Public and own parts, and each figure in sight as a figure of `public` under its alias, filled up by what the
    scenario lets players assume. What is remembered or heard stands in the contacts only and binds nothing."""
    public = known.public
    if seen := _seen_figures(public.setting, known.commands):
        public = replace(public, pieces=ordered({**public.pieces, **seen}))
    return Believed(public=public, commands=known.commands, umpire=UmpirePart())


def in_sight(parts: Mapping[str, CommandPart]) -> Mapping[str, Contact]:
    """The contacts in sight of these commands by alias; what several of them see at one place stands there once."""
    if len(parts) == 1:
        [part] = parts.values()
        return _sighted.of(part.contacts).contacts
    found: dict[str, Contact] = {}
    places: set[tuple[str, tuple[int, ...]]] = set()
    for name in sorted(parts):
        mine = _sighted.of(parts[name].contacts).contacts
        new = {alias: each for alias, each in mine.items() if (each.kind, each.at) not in places}
        places.update((each.kind, each.at) for each in mine.values())
        found.update(new)
    return dict(sorted(found.items()))


class _Sighted:
    """What one command has in sight, from all of its contacts, and as figures by the setting's digest."""

    def __init__(self, contacts: Mapping[str, Contact]) -> None:
        self.contacts = {alias: each for alias, each in sorted(contacts.items()) if each.status == "in_sight"}
        self.figures: dict[str, Mapping[str, Figure]] = {}


_sighted: Memo[Mapping[str, Contact], _Sighted] = Memo(_Sighted, kept=8)


def _seen_figures(setting: str, parts: Mapping[str, CommandPart]) -> Mapping[str, Figure]:
    """The enemy figures in sight of these commands by alias, as they are taken to be."""
    if len(parts) != 1:
        return _assumed_figures(setting, in_sight(parts))
    [part] = parts.values()
    known = _sighted.of(part.contacts)
    if setting not in known.figures:
        known.figures[setting] = _assumed_figures(setting, known.contacts)
    return known.figures[setting]


def _assumed_figures(setting: str, contacts: Mapping[str, Contact]) -> Mapping[str, Figure]:
    return {
        alias: _assumed_figure(setting, each.alias, each.at, tuple(each.looks.items()))
        for alias, each in contacts.items()
        if each.kind == "figure"
    }


@lru_cache(maxsize=20_000)
def _assumed_figure(digest: str, alias: str, at: tuple[int, ...], shown: tuple[tuple[str, Scalar], ...]) -> Figure:
    """The figure that a sighting is taken for: the public setting and the sighting say all of it."""
    setting: PublicSetting = half(digest)
    looks = dict(shown)
    side = str(looks.get("side", ""))
    assume = assumed(setting, side)
    weapon = weapon_assumed(setting, side, str(looks.get("weapon", "")))
    is_civilian = bool(looks.get("civilian", False))
    moved = looks.get("moved", "")
    pinned = looks.get("pinned", "")
    return Figure(
        id=alias,
        command="",
        side=side,
        role="civilian" if is_civilian else "rifleman",
        quality=assume.quality,
        weapons=(weapon,) if weapon else (),
        at=(at[0], at[1]),
        body_armour=assume.body_armour,
        moved="running" if moved == "running" else "tactical" if moved == "tactical" else "",
        pinned="he" if pinned == "he" else "fire" if pinned == "fire" else "",
        must_withdraw=bool(looks.get("gives_way", False)),
        traits=("mounted",) if looks.get("mounted") else (),
        is_placed=True,
    )
