"""A FireForce battle in a campaign, and what an umpire does with it."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps

from umpire.battles.heads import read_head
from umpire.battles.models import Battle, Seat
from umpire.battles.services import battle_correct, battle_create, battle_finish
from umpire.battles.services.games import names_of
from umpire.campaigns.models import Cache, Campaign, RosterEntry
from umpire.campaigns.services import campaign_create, roster_from_battle

MEN = {"government": 3 + 3 * 8, "guerrilla": 5 + 5 + 3}
"""The men of the scenario, counted in its file."""


class Fought:
    """A battle of the bundled patrol and the umpire who directs it."""

    def __init__(self, owner: Any) -> None:
        self.battle, seats = battle_create(owner=owner, system="fireforce", scenario="patrol-to-the-ford")
        self.seats = {seat.name: seat for seat, _ in seats}
        self.umpire = next(seat for seat, _ in seats if seat.role == Seat.Role.UMPIRE)

    @property
    def now(self) -> Battle:
        return Battle.objects.get(pk=self.battle.pk)

    @property
    def state(self) -> Any:
        return read_head(self.battle.pk).state

    def piece(self, key: str) -> str:
        """The id in this battle of what the scenario calls so."""
        return names_of(bytes(self.now.secret))(key)

    def correct(self, verb: str, **fields: Any) -> None:
        battle_correct(
            battle=self.battle, by=self.umpire, correction={"verb": verb, **fields}, reason="as it was at the table"
        )

    def finish(self) -> None:
        self.correct("EndBattle", why="nightfall")
        battle_finish(battle=self.battle, by=self.umpire, is_opened=False)

    def capture(self, key: str, by: str) -> None:
        piece = self.piece(key)
        self.correct("Change", piece=piece, field="status", value="captured")
        self.correct("Change", piece=piece, field="captured_by", value=by)

    def find(self, key: str) -> None:
        """The platoon has searched a cache."""
        piece = self.piece(key)
        self.correct("Change", piece=piece, field="is_face_up", value=True)
        self.correct("Change", piece=piece, field="searched_by", value=["platoon"])


@pytest.fixture
def owner(django_user_model: Any, db: None) -> Any:
    return django_user_model.objects.create_user("owner", password="a long password")


@pytest.fixture
def campaign(owner: Any) -> Campaign:
    return campaign_create(owner=owner, title="The dry season")


@pytest.fixture
def fought(owner: Any, campaign: Campaign) -> Fought:
    """An enrolled battle with one loss of each kind on either side, finished."""
    fought = Fought(owner)
    roster_from_battle(campaign=campaign, battle=fought.battle, by=fought.umpire)
    for key in ("one-rifleman-3", "ford-man-1"):
        fought.correct("Kill", figure=fought.piece(key))
    # Far from his own: nobody is left to carry him.
    fought.correct("MoveTo", piece=fought.piece("two-gunner"), at=[7000, 4500])
    fought.correct("Kill", figure=fought.piece("two-gunner"))
    fought.capture("scout-1", "platoon")
    fought.capture("three-rifleman-2", "cell")
    fought.find("cache-grove")
    fought.finish()
    return fought


def man(campaign: Campaign, key: str) -> RosterEntry:
    return RosterEntry.objects.get(campaign=campaign, key=key)


def written(campaign: Campaign) -> list[Any]:
    """All that the database holds of campaigns, to be compared."""
    models = apps.get_app_config("campaigns").get_models()
    return [(model.__name__, list(model.objects.order_by("pk").values())) for model in models]


def muster(campaign: Campaign) -> dict[str, int]:
    counted: dict[str, int] = {}
    for entry in campaign.roster.all():
        counted[entry.side] = counted.get(entry.side, 0) + 1
    return counted


def kept(campaign: Campaign) -> dict[str, bool]:
    return dict(Cache.objects.filter(campaign=campaign).values_list("key", "is_found"))
