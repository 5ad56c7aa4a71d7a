"""Campaigns: the umpire's whole, what goes into a battle and comes out of it, and the page that each side reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.acting import act
from umpire.api.problems import not_found
from umpire.api.resource import Resource, UmpireResource, answer
from umpire.api.resources.gallery import account_of
from umpire.api.schema import says
from umpire.api.strict import read
from umpire.campaigns import selectors, services
from umpire.campaigns.models import AppliedBattle, Campaign, Manifest

Status = Literal["fit", "wounded", "killed", "captured", "missing"]
Id = Annotated[str, Meta(min_length=1, max_length=40)]


class NewCampaign(requests.Body, frozen=True, kw_only=True):
    """A campaign; players read its title."""

    title: requests.Name


class Enrol(requests.Body, frozen=True, kw_only=True):
    """Which campaign the battle belongs to."""

    campaign: Id


class RosterEdit(requests.Body, frozen=True, kw_only=True):
    """The umpire's word on a man of the roster, and why."""

    man: Id
    status: Status
    reason: requests.Reason


class Edits(requests.Body, frozen=True, kw_only=True):
    """Changes of the roster by the umpire's hand."""

    edits: tuple[RosterEdit, ...]


class Apply(requests.Body, frozen=True, kw_only=True):
    """Which campaign gets the battle's result, and what the umpire says otherwise."""

    campaign: Id
    edits: tuple[RosterEdit, ...] = ()


class CampaignCard(responses.Body, frozen=True, kw_only=True):
    id: str
    title: str


class ManOfSide(responses.Optional, frozen=True, kw_only=True):
    """A man as his side's roster has him."""

    id: str
    side: str
    status: Status
    squad: str = ""
    name: str = ""
    quality: str = ""
    role: str = ""
    weapons: tuple[str, ...] = ()
    motivation_rating: int | None = None


class CacheOfSide(responses.Body, frozen=True, kw_only=True):
    """A cache of a side; `found` by an enemy it is no longer there."""

    id: str
    side: str
    found: bool


class LineOfSide(responses.Optional, frozen=True, kw_only=True):
    """A line of the ledger, numbered for its reader; `change` says what, and from what to what."""

    number: int
    at: str
    change: Mapping[str, Any]
    man: str = ""


class SidePage(responses.Body, frozen=True, kw_only=True):
    """What a side reads of a campaign: its own; `muster` counts its men by status."""

    id: str
    title: str
    sides: tuple[str, ...]
    roster: tuple[ManOfSide, ...]
    muster: Mapping[str, int]
    caches: tuple[CacheOfSide, ...]
    lines: tuple[LineOfSide, ...]


class ManOfCampaign(ManOfSide, frozen=True, kw_only=True):
    """A man with his key in scenarios and the umpire's last note on him."""

    key: str
    note: str = ""


class CacheOfCampaign(CacheOfSide, frozen=True, kw_only=True):
    key: str


class BattleOfCampaign(responses.Optional, frozen=True, kw_only=True):
    """A battle that was enrolled, and its result once that is applied."""

    battle: str
    title: str
    result: Mapping[str, Any] | None = None


class LineOfCampaign(LineOfSide, frozen=True, kw_only=True):
    """A line with the side that may read it ("" for none) and its cause."""

    side: str = ""
    note: str = ""
    battle: str = ""


class CampaignPage(responses.Body, frozen=True, kw_only=True):
    """A campaign as the umpire has it."""

    id: str
    title: str
    roster: tuple[ManOfCampaign, ...]
    muster: Mapping[str, Mapping[str, int]]
    caches: tuple[CacheOfCampaign, ...]
    battles: tuple[BattleOfCampaign, ...]
    lines: tuple[LineOfCampaign, ...]


class ManifestCard(responses.Body, frozen=True, kw_only=True):
    """What goes into a battle: pieces of the battle to men and caches of the campaign."""

    campaign: str
    men: Mapping[str, str]
    caches: Mapping[str, str]


class ResultCard(responses.Body, frozen=True, kw_only=True):
    """What was applied: the result of the battle and the umpire's edits."""

    campaign: str
    result: Mapping[str, Any]
    edits: tuple[RosterEdit, ...]


def card(campaign: Campaign) -> CampaignCard:
    return CampaignCard(id=campaign.pk, title=campaign.title)


class CampaignsView(Resource):
    """The campaigns of an account, the one of a seat; a new one."""

    @says("My campaigns", answer=CampaignCard, many=True)
    def get(self, request: Request) -> Response:
        seat = self.principal.seat
        found = selectors.campaigns_for(user=self.principal.user, seat=seat)
        return answer([card(campaign) for campaign in found])

    @says("Make a campaign", answer=CampaignCard, status=201, body=NewCampaign, key=True)
    def post(self, request: Request) -> Response:
        owner = account_of(self.principal)
        if owner is None:  # the battle of an umpire's seat may be nobody's
            raise not_found()
        body = read(request, NewCampaign)
        return act(
            self, lambda once: services.campaign_create(owner=owner, title=body.title, once=once), card, status=201
        )


class CampaignResource(Resource):
    """A campaign for the account that owns it and the umpires of its battles."""

    campaign: Campaign

    def locate(self, **kwargs: str) -> None:
        self.campaign = selectors.campaign_for(
            campaign_id=kwargs["campaign_id"], user=self.principal.user, seat=self.principal.seat
        )


class CampaignView(CampaignResource):
    """One campaign."""

    @says("A campaign as the umpire has it", answer=CampaignPage)
    def get(self, request: Request, campaign_id: str) -> Response:
        return answer(selectors.campaign_page(campaign=self.campaign))


class CampaignEditsView(CampaignResource):
    """The umpire's hand on the roster."""

    @says("Change the roster by hand", answer=CampaignPage, body=Edits, key=True)
    def post(self, request: Request, campaign_id: str) -> Response:
        body = read(request, Edits)
        return act(
            self,
            lambda once: services.roster_edit(campaign=self.campaign, edits=edits_of(body.edits), once=once),
            lambda campaign: selectors.campaign_page(campaign=campaign),
        )


class CampaignSideView(Resource):
    """The page of the sides that a player leads; for nobody else there is one."""

    def locate(self, **kwargs: str) -> None:
        self.campaign, self.sides = selectors.side_for(campaign_id=kwargs["campaign_id"], seat=self.principal.seat)

    @says("My own side's page of a campaign", answer=SidePage)
    def get(self, request: Request, campaign_id: str) -> Response:
        return answer(selectors.side_page(campaign=self.campaign, sides=self.sides))


class CampaignOfBattle(UmpireResource):
    """What ties a battle to a campaign."""

    def owned(self, campaign_id: str) -> Campaign:
        """A campaign of the battle's owner. Raises NotYours."""
        return selectors.campaign_for(campaign_id=campaign_id, user=self.battle.owner)


class EnrolView(CampaignOfBattle):
    """A battle is enrolled."""

    @says("Enrol the battle in a campaign: its men and caches join the roster, the manifest is frozen",
          answer=ManifestCard, status=201, body=Enrol, key=True, problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, Enrol)
        campaign = self.owned(body.campaign)

        def show(manifest: Manifest) -> ManifestCard:
            return ManifestCard(campaign=manifest.campaign_id, men=manifest.men, caches=manifest.caches)

        return act(
            self,
            lambda once: services.roster_from_battle(campaign=campaign, battle=self.battle, by=self.seat, once=once),
            show,
            status=201,
        )


class ApplyView(CampaignOfBattle):
    """The result of a battle goes into its campaign."""

    @says("Apply the result of the finished battle to its campaign, once; the umpire's edits go before it",
          answer=ResultCard, status=201, body=Apply, key=True, problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, Apply)
        campaign = self.owned(body.campaign)

        def show(applied: AppliedBattle) -> ResultCard:
            edits = tuple(RosterEdit(**edit) for edit in applied.edits)
            return ResultCard(campaign=applied.campaign_id, result=applied.result, edits=edits)

        return act(
            self,
            lambda once: services.battle_apply(
                campaign=campaign, battle=self.battle, by=self.seat, edits=edits_of(body.edits), once=once
            ),
            show,
            status=201,
        )


def edits_of(given: tuple[RosterEdit, ...]) -> list[services.Edit]:
    return [services.Edit(man=edit.man, status=edit.status, reason=edit.reason) for edit in given]
