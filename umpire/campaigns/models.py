"""What a campaign keeps: its roster and caches, the battles fought in it, and an append-only ledger of every change.

Ids are the campaign's own and random; none is that of a piece in a battle. Nothing here is served to a side as it
stands: `umpire.campaigns.selectors` names what a side reads.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from umpire.battles.models import Battle, public_id


class Campaign(models.Model):
    """A campaign; players read its title. Whoever changes it locks its row first."""

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    title = models.CharField(max_length=120)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="campaigns")
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.title} ({self.id})"


class RosterEntry(models.Model):
    """A man. `key` is what scenarios call him; `note` is the umpire's own."""

    class Status(models.TextChoices):
        FIT = "fit"
        WOUNDED = "wounded"
        KILLED = "killed"
        CAPTURED = "captured"
        MISSING = "missing"

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="roster")
    key = models.CharField(max_length=100)
    side = models.CharField(max_length=100)
    squad = models.CharField(max_length=200, default="", blank=True)
    name = models.CharField(max_length=200, default="", blank=True)
    quality = models.CharField(max_length=40, default="", blank=True)
    role = models.CharField(max_length=40, default="", blank=True)
    motivation_rating = models.IntegerField(null=True)
    weapons = models.JSONField(default=list)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.FIT)
    note = models.TextField(default="", blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "side", "key"], name="roster_entry_once")]

    def __str__(self) -> str:
        return f"{self.name or self.key} ({self.status})"


class Cache(models.Model):
    """A cache of a side; one that an enemy has found is no longer the campaign's, but stays on record."""

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="caches")
    key = models.CharField(max_length=100)
    side = models.CharField(max_length=100)
    is_found = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "side", "key"], name="cache_once")]

    def __str__(self) -> str:
        return f"cache {self.key}"


class Manifest(models.Model):
    """Who and what goes into a battle, frozen when it is enrolled: a battle belongs to one campaign, once.

    `men` and `caches` lead from the pieces of the battle to the ids of the campaign; `sides` from its commands to their
    sides. Men who are not fit have no piece.
    """

    battle = models.OneToOneField(Battle, primary_key=True, on_delete=models.PROTECT, related_name="manifest")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="manifests")
    sides = models.JSONField()
    men = models.JSONField()
    caches = models.JSONField()
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"manifest of {self.battle_id}"


class AppliedBattle(models.Model):
    """A battle whose result is on the roster: its key is the battle's, so it is there once. `result` is the document:
    fates by the campaign's ids, points and winner; `edits` the umpire's changes to it."""

    battle = models.OneToOneField(Battle, primary_key=True, on_delete=models.PROTECT, related_name="applied")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="applied")
    result = models.JSONField()
    edits = models.JSONField(default=list)
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"result of {self.battle_id}"


class CampaignEntry(models.Model):
    """A line of the campaign's ledger. `side` may read it ("" for the umpire alone), but not `note`, his reason.

    `change` is what was changed, in words and from what to what; the cause is a battle, or the umpire's note.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="entries")
    number = models.IntegerField()
    side = models.CharField(max_length=100, default="", blank=True)
    man = models.ForeignKey(RosterEntry, null=True, on_delete=models.PROTECT, related_name="entries")
    battle = models.ForeignKey(Battle, null=True, on_delete=models.PROTECT, related_name="+")
    change = models.JSONField()
    note = models.TextField(default="", blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="campaign_entry_once")]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.campaign_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Writes a new line. Raises TypeError for one that stands: the ledger is only added to."""
        if self.pk is not None:
            raise TypeError("the ledger of a campaign is only added to")
        super().save(*args, **kwargs)
