"""What of a campaign is read: all of it by its owner, and by a side its own roster, caches and lines alone.

A side's page is built from the rows of that side and counts its own lines: what befalls the others moves nothing in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from umpire.battles.errors import NotYours
from umpire.battles.models import Battle, Seat
from umpire.battles.moments import iso
from umpire.campaigns.models import Campaign, CampaignEntry, Manifest, RosterEntry


def campaigns_for(*, user: Any = None, seat: Seat | None = None) -> list[Campaign]:
    """The campaigns of an account, or the one in which a seat's battle is fought, if the seat has a part in it."""
    if seat is None:
        return list(Campaign.objects.filter(owner=user).order_by("-created", "id"))
    try:
        return [_of_seat(seat)[0].campaign]
    except NotYours:
        return []


def campaign_for(*, campaign_id: str, user: Any = None, seat: Seat | None = None) -> Campaign:
    """A campaign as a whole: for the account that owns it, and the umpire's seats of its battles. Raises NotYours."""
    if seat is not None:
        manifest, sides = _of_seat(seat)
        if manifest.campaign_id != campaign_id or sides:
            raise NotYours
        return manifest.campaign
    campaign = Campaign.objects.filter(pk=campaign_id, owner=user).first()
    if campaign is None:
        raise NotYours
    return campaign


def side_for(*, campaign_id: str, seat: Seat | None) -> tuple[Campaign, tuple[str, ...]]:
    """The campaign of a player, and the sides that he leads there. Raises NotYours for everybody else."""
    if seat is None:
        raise NotYours
    manifest, sides = _of_seat(seat)
    if manifest.campaign_id != campaign_id or not sides:
        raise NotYours
    return manifest.campaign, sides


def _of_seat(seat: Seat) -> tuple[Manifest, tuple[str, ...]]:
    """The manifest of a seat's battle and the sides that it leads; an umpire's seat leads none. Raises NotYours."""
    manifest = Manifest.objects.select_related("campaign").filter(battle=seat.battle_id).first()
    if manifest is None or seat.is_revoked:
        raise NotYours
    if seat.role == Seat.Role.UMPIRE:
        return manifest, ()
    sides = sorted({manifest.sides[command] for command in seat.commands if command in manifest.sides})
    if not sides:
        raise NotYours
    return manifest, tuple(sides)


def side_page(*, campaign: Campaign, sides: tuple[str, ...]) -> dict[str, Any]:
    """What a side reads: `{id, title, sides, roster, muster, caches, lines}`."""
    men = list(campaign.roster.filter(side__in=sides).order_by("side", "key"))
    lines = campaign.entries.filter(side__in=sides).select_related("man").order_by("number")
    return {
        "id": campaign.pk,
        "title": campaign.title,
        "sides": sides,
        "roster": [_man(man) for man in men],
        "muster": muster_of(men),
        "caches": [
            {"id": cache.pk, "side": cache.side, "found": cache.is_found}
            for cache in campaign.caches.filter(side__in=sides).order_by("side", "key")
        ],
        "lines": [_line(line, number) for number, line in enumerate(lines, 1)],
    }


def campaign_page(*, campaign: Campaign) -> dict[str, Any]:
    """The whole campaign, for the umpire: the same with every side's, scenario keys, notes, battles and results."""
    men = list(campaign.roster.order_by("side", "key"))
    battles = Battle.objects.filter(manifest__campaign=campaign).select_related("applied").order_by("manifest__created")
    return {
        "id": campaign.pk,
        "title": campaign.title,
        "roster": [{**_man(man), "key": man.key, "note": man.note} for man in men],
        "muster": {
            side: muster_of(man for man in men if man.side == side) for side in sorted({man.side for man in men})
        },
        "caches": [
            {"id": cache.pk, "side": cache.side, "found": cache.is_found, "key": cache.key}
            for cache in campaign.caches.order_by("side", "key")
        ],
        "battles": [
            {
                "battle": battle.pk,
                "title": battle.title,
                **({"result": battle.applied.result} if hasattr(battle, "applied") else {}),
            }
            for battle in battles
        ],
        "lines": [
            {**_line(line, line.number), "side": line.side, "note": line.note, "battle": line.battle_id or ""}
            for line in campaign.entries.select_related("man").order_by("number")
        ],
    }


def muster_of(men: Iterable[RosterEntry]) -> dict[str, int]:
    """How many men there are of each status; together they are all who ever joined."""
    counted = Counter(man.status for man in men)
    return {str(status): counted.get(status, 0) for status in RosterEntry.Status.values}


def _man(man: RosterEntry) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": man.pk,
        "side": man.side,
        "squad": man.squad,
        "name": man.name,
        "quality": man.quality,
        "role": man.role,
        "weapons": man.weapons,
        "status": man.status,
    }
    if man.motivation_rating is not None:
        told["motivation_rating"] = man.motivation_rating
    return told


def _line(line: CampaignEntry, number: int) -> dict[str, Any]:
    """A line with its number among those that are read together."""
    told: dict[str, Any] = {"number": number, "at": iso(line.at), "change": line.change}
    if line.man is not None:
        told["man"] = line.man.pk
    return told
