"""What changes a campaign. Keyword-only arguments, one transaction each; errors are those of `umpire.battles.errors`.

`once` keeps the reply to an idempotent request in the same transaction (`umpire.battles.idempotency`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.db import transaction

from umpire.battles import idempotency
from umpire.battles.errors import BadInput, Fault, NotYours, Refused
from umpire.battles.heads import Head, read_head
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Seat
from umpire.battles.parsing import must_be_umpire
from umpire.battles.services.games import names_of
from umpire.campaigns.models import AppliedBattle, Cache, Campaign, CampaignEntry, Manifest, RosterEntry
from umpire.kernel.registry import GoesOn, Outcome
from umpire.kernel.settings import Setting, half
from umpire.kernel.values.modifiers import Refusal

Status = RosterEntry.Status


class Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The umpire's word on a man of the roster (by his id there), and why: it goes before whatever a battle says."""

    man: str
    status: str
    reason: str


def campaign_create(*, owner: Any, title: str, once: Once | None = None) -> Campaign:
    """A campaign without anybody in it."""
    with transaction.atomic():
        campaign = Campaign.objects.create(owner=owner, title=title)
        idempotency.keep(once, campaign)
    return campaign


def roster_from_battle(*, campaign: Campaign, battle: Battle, by: Seat, once: Once | None = None) -> Manifest:
    """Enrols a battle: whoever and whatever stands in its first state and is not on the roster joins it, under its key
    in the scenario, and the manifest is frozen. Again it gives the same manifest.

    A man who is not fit on the roster is not in the manifest: the battle decides nothing about him, and the ledger says
    so. Raises NotYours, Refused (of another campaign; a system that carries nobody on).
    """
    must_be_umpire(battle, by)
    with transaction.atomic():
        _lock(campaign, battle)
        manifest = Manifest.objects.filter(battle=battle).first()
        if manifest is not None and manifest.campaign_id != campaign.pk:
            raise Refused((Refusal(reason="The battle belongs to another campaign."),))
        if manifest is None:
            manifest = _enrol(campaign, battle)
        idempotency.keep(once, manifest, battle)
    return manifest


def battle_apply(
    *, campaign: Campaign, battle: Battle, by: Seat, edits: Sequence[Edit] = (), once: Once | None = None
) -> AppliedBattle:
    """Puts the result of a finished battle on the roster, whole or not at all, and once: again it gives what was done.

    `edits` go before what the battle says. Raises NotYours, Refused (not enrolled here; not finished; applied already
    with other edits), BadInput.
    """
    must_be_umpire(battle, by)
    with transaction.atomic():
        _lock(campaign, battle)
        manifest = Manifest.objects.filter(battle=battle, campaign=campaign).first()
        if manifest is None:
            raise Refused((Refusal(reason="The battle is not enrolled in this campaign."),))
        applied = AppliedBattle.objects.filter(battle=battle).first()
        if applied is None:
            applied = _apply(campaign, read_head(battle.pk), manifest, edits)
        elif applied.edits != msgspec.to_builtins(list(edits)):
            reason = "The battle is applied already, with other edits; change the roster itself."
            raise Refused((Refusal(reason=reason),))
        idempotency.keep(once, applied, battle)
    return applied


def roster_edit(*, campaign: Campaign, edits: Sequence[Edit], once: Once | None = None) -> Campaign:
    """The umpire changes the roster by hand. Raises BadInput."""
    with transaction.atomic():
        _lock(campaign)
        ledger = _Ledger(campaign)
        men = {man.id: man for man in campaign.roster.all()}
        _must_fit(edits, men)
        for edit in edits:
            _set(ledger, men[edit.man], edit.status, note=edit.reason)
        ledger.write()
        idempotency.keep(once, campaign)
    return campaign


def _lock(campaign: Campaign, battle: Battle | None = None) -> None:
    """Holds the campaign's row. Raises NotYours where the battle is not its owner's."""
    held = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if battle is not None and battle.owner_id != held.owner_id:
        raise NotYours


class _Ledger:
    """The lines that a change of a campaign adds to its ledger."""

    def __init__(self, campaign: Campaign, battle: Battle | None = None) -> None:
        self.campaign, self.battle = campaign, battle
        self.lines: list[CampaignEntry] = []
        self.next = campaign.entries.count() + 1

    def add(self, what: str, *, side: str = "", man: RosterEntry | None = None, note: str = "", **change: Any) -> None:
        self.lines.append(
            CampaignEntry(
                campaign=self.campaign,
                number=self.next + len(self.lines),
                side=side,
                man=man,
                battle=self.battle,
                change={"what": what, **change},
                note=note,
            )
        )

    def write(self) -> None:
        CampaignEntry.objects.bulk_create(self.lines)


# Enrolling


def _enrol(campaign: Campaign, battle: Battle) -> Manifest:
    head = read_head(battle.pk)
    pieces = _first(head)
    if not pieces:
        raise Refused((Refusal(reason=f"Nobody of a {head.package.title} battle goes on to a campaign."),))
    name = names_of(bytes(battle.secret))
    ledger = _Ledger(campaign, battle)
    ledger.add("enrolled", note=battle.title)
    men = _men_enrolled(campaign, ledger, {key: each for key, each in pieces.items() if each.kind == "man"})
    caches = _caches_enrolled(campaign, ledger, {key: each for key, each in pieces.items() if each.kind == "cache"})
    manifest = Manifest.objects.create(
        battle=battle,
        campaign=campaign,
        sides={piece.command: piece.side for piece in pieces.values()},
        men={name(key): man.id for key, man in men.items()},
        caches={name(key): cache.id for key, cache in caches.items()},
    )
    ledger.write()
    return manifest


def _first(head: Head) -> Mapping[str, GoesOn]:
    """What stood in the first state, by the keys of the scenario."""
    battle = head.battle
    setting = Setting(public=half(battle.public_setting_id), umpire=half(battle.umpire_setting_id))
    outcome: Outcome = head.package.outcome(head.package.begin(setting, lambda key: key))
    return outcome.goes_on


def _men_enrolled(campaign: Campaign, ledger: _Ledger, pieces: Mapping[str, GoesOn]) -> dict[str, RosterEntry]:
    """Those on the roster and those who join it, by key; only they who are fit."""
    known = {(man.side, man.key): man for man in campaign.roster.all()}
    found = {key: known.get((piece.side, key)) for key, piece in pieces.items()}
    new = {
        key: RosterEntry(
            campaign=campaign,
            key=key,
            side=piece.side,
            squad=piece.squad,
            name=piece.name,
            quality=piece.quality,
            role=piece.role,
            motivation_rating=piece.motivation_rating,
            weapons=list(piece.weapons),
        )
        for key, piece in pieces.items()
        if found[key] is None
    }
    RosterEntry.objects.bulk_create(new.values())
    for man in new.values():
        ledger.add("joined", side=man.side, man=man)
    for away in found.values():
        if away is not None and away.status != Status.FIT:
            ledger.add("left_out", side=away.side, man=away, status=away.status)
    joined = {**new, **{key: man for key, man in found.items() if man is not None and man.status == Status.FIT}}
    return dict(sorted(joined.items()))


def _caches_enrolled(campaign: Campaign, ledger: _Ledger, pieces: Mapping[str, GoesOn]) -> dict[str, Cache]:
    """The caches that the campaign has and those that join it, by key; one that was found is gone."""
    known = {(cache.side, cache.key): cache for cache in campaign.caches.all()}
    found = {key: known.get((piece.side, key)) for key, piece in pieces.items()}
    new = {
        key: Cache(campaign=campaign, key=key, side=piece.side) for key, piece in pieces.items() if found[key] is None
    }
    Cache.objects.bulk_create(new.values())
    for cache in new.values():
        ledger.add("cache_laid", side=cache.side, cache=cache.id)
    joined = {**new, **{key: cache for key, cache in found.items() if cache is not None and not cache.is_found}}
    return dict(sorted(joined.items()))


# Applying


def _apply(campaign: Campaign, head: Head, manifest: Manifest, edits: Sequence[Edit]) -> AppliedBattle:
    battle = head.battle
    if battle.status != Battle.Status.FINISHED:
        raise Refused((Refusal(reason="The battle is not finished."),))
    men = {man.id: man for man in campaign.roster.all()}
    before = _muster(men.values())
    _must_fit(edits, men)
    edited = {edit.man: edit for edit in edits}
    outcome: Outcome = head.package.outcome(head.state)
    fates = {man: _fate(outcome, piece) for piece, man in manifest.men.items()}
    ledger = _Ledger(campaign, battle)
    ledger.add("applied", points=dict(outcome.points), winner=outcome.winner, note=battle.title)
    for one, fate in sorted(fates.items()):
        if one in edited:
            continue
        if men[one].status == Status.FIT:
            _set(ledger, men[one], fate)
        elif fate != men[one].status:  # something befell him since the battle began, and a battle raises nobody
            ledger.add("unchanged", man=men[one], status=men[one].status, fate=fate)
    for edit in edits:
        _set(ledger, men[edit.man], edit.status, note=edit.reason, fate=fates.get(edit.man, ""))
    found = [cache for piece, cache in manifest.caches.items() if _is_found(outcome, piece)]
    for cache in campaign.caches.filter(pk__in=found, is_found=False).order_by("side", "key"):
        cache.is_found = True
        cache.save(update_fields=["is_found"])
        ledger.add("cache_found", side=cache.side, cache=cache.id)
    applied = AppliedBattle.objects.create(
        battle=battle,
        campaign=campaign,
        result={
            "fates": fates,
            "caches_found": sorted(found),
            "points": dict(outcome.points),
            "winner": outcome.winner,
            "why": outcome.why,
            "state": battle.digest,
        },
        edits=msgspec.to_builtins(list(edits)),
    )
    ledger.write()
    _must_balance(before, _muster(campaign.roster.all()))
    return applied


def _fate(outcome: Outcome, piece: str) -> str:
    """What became of a man; one whom the umpire has taken off the table is missing."""
    return outcome.goes_on[piece].fate if piece in outcome.goes_on else Status.MISSING


def _is_found(outcome: Outcome, piece: str) -> bool:
    return piece in outcome.goes_on and outcome.goes_on[piece].fate == "found"


def _set(ledger: _Ledger, man: RosterEntry, status: str, *, note: str = "", fate: str = "") -> None:
    """A man's new status and the line that tells of it. The umpire's word (with a note) is on record, for him, also
    where it changes nothing; `fate` is what the battle had said."""
    if man.status == status and not note:
        return
    change = {"from": man.status, "to": status}
    side = man.side if man.status != status else ""
    man.status, man.note = status, note or man.note
    man.save(update_fields=["status", "note"])
    ledger.add("changed", side=side, man=man, note=_reason(note, fate), **change)


def _reason(note: str, fate: str) -> str:
    return f"{note} (the battle says: {fate})" if note and fate else note


def _must_fit(edits: Sequence[Edit], men: Mapping[str, RosterEntry]) -> None:
    """Raises BadInput naming each edit that will not do."""
    faults = []
    times = Counter(edit.man for edit in edits)
    for index, edit in enumerate(edits):
        if edit.man not in men:
            faults.append(Fault(f"/edits/{index}/man", "nobody on the roster has this id"))
        elif times[edit.man] > 1:
            faults.append(Fault(f"/edits/{index}/man", "he is edited twice", "one edit for each man"))
        if edit.status not in Status.values:
            faults.append(Fault(f"/edits/{index}/status", f"{edit.status!r} is no status", ", ".join(Status.values)))
        if not edit.reason.strip():
            faults.append(Fault(f"/edits/{index}/reason", "an edit gives its reason"))
    if faults:
        raise BadInput(faults)


def _muster(men: Any) -> Counter[str]:
    """How many men each side has, whatever their status."""
    return Counter(man.side for man in men)


def _must_balance(before: Counter[str], after: Counter[str]) -> None:
    """Nobody is lost or made by a battle. Raises RuntimeError, which undoes it all."""
    if before != after:
        raise RuntimeError(f"the roster had {dict(before)} and would have {dict(after)}")
