"""Battles: those of an account or a seat, a new one, its end."""

from __future__ import annotations

from collections.abc import Sequence

from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.acting import act
from umpire.api.presenters import battle_card, invite
from umpire.api.resource import BattleResource, Resource, UmpireResource, answer
from umpire.api.resources.gallery import account_of
from umpire.api.resources.seats import link_to
from umpire.api.schema import says
from umpire.api.strict import read
from umpire.battles.errors import NotYours
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Seat
from umpire.battles.selectors import battles_for, seat_of
from umpire.battles.services import (
    battle_change,
    battle_copy,
    battle_create,
    battle_delete,
    battle_finish,
    battle_reopen,
)


class BattlesView(Resource):
    """All battles of an account, or the one of a seat and those made from it; a new battle."""

    @says("My battles", answer=responses.BattleCard, many=True)
    def get(self, request: Request) -> Response:
        seat = self.principal.seat
        found = battles_for(seat=seat) if seat is not None else battles_for(user=self.principal.user)
        return answer([battle_card(battle, self.own_seat(battle)) for battle in found])

    def own_seat(self, battle: Battle) -> Seat | None:
        """One's own seat, or the umpire's of a battle that one owns or has made; None where it was taken away."""
        seat = self.principal.seat
        if seat is not None and seat.battle_id == battle.pk:
            return seat
        try:
            return seat_of(battle=battle, user=self.principal.user, maker=seat)
        except NotYours:
            return None

    @says("Make a battle", answer=responses.NewBattleMade, status=201, body=requests.NewBattle, key=True,
          text="Its codes are shown this once: the same key sent again gives the seats without them.")  # fmt: skip
    def post(self, request: Request) -> Response:
        owner = account_of(self.principal)
        body = read(request, requests.NewBattle)

        def make(once: Once) -> tuple[Battle, list[tuple[Seat, str]]]:
            return battle_create(
                owner=owner,
                made_by=self.principal.seat,
                system=body.system,
                scenario=body.scenario,
                title=body.title,
                options=body.options,
                layers=tuple(body.layers.items()),
                once=once,
            )

        return act(
            self,
            make,
            lambda made: battle_made(*made),
            status=201,
            once_only=lambda made: battle_made(*made, request=request),
        )


def battle_made(
    battle: Battle, seats: Sequence[tuple[Seat, str]], request: Request | None = None
) -> responses.NewBattleMade:
    """A new battle with its seats; with their codes and links where it is the answer to the `request` that made it."""
    return responses.NewBattleMade(
        battle=battle_card(battle, None),
        seats=tuple(
            invite(seat) if request is None else invite(seat, code=code, link=link_to(request, code))
            for seat, code in seats
        ),
    )


class BattleView(BattleResource):
    """One battle."""

    umpires = frozenset({"PATCH", "DELETE"})

    @says("One battle", answer=responses.BattleCard)
    def get(self, request: Request, battle_id: str) -> Response:
        return answer(battle_card(self.battle, self.seat))

    @says("Change its title; put it away or take it out again", answer=responses.BattleCard,
          body=requests.BattleChange)  # fmt: skip
    def patch(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.BattleChange)
        changed = battle_change(battle=self.battle, by=self.seat, title=body.title, is_archived=body.archived)
        return answer(battle_card(changed, self.seat))

    @says("Throw it away, with its seats and its record", status=204, problems=["refused"])
    def delete(self, request: Request, battle_id: str) -> Response:
        battle_delete(battle=self.battle, by=self.seat)
        return answer(None, 204)


class CopyView(UmpireResource):
    """The same battle once more."""

    @says("The same battle from its beginning, with other dice and the same seats", answer=responses.NewBattleMade,
          status=201, body=requests.BattleCopy, key=True,
          text="Its codes are shown this once: the same key sent again gives the seats without them.")  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.BattleCopy)
        return act(
            self,
            lambda once: battle_copy(battle=self.battle, by=self.seat, title=body.title, once=once),
            lambda made: battle_made(*made),
            status=201,
            once_only=lambda made: battle_made(*made, request=request),
        )


class ReopenView(UmpireResource):
    """A finished battle goes on."""

    @says("Go on with a finished battle", answer=responses.BattleCard, body=requests.Nothing, key=True,
          problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        return act(
            self,
            lambda once: battle_reopen(battle=self.battle, by=self.seat, once=once),
            lambda battle: battle_card(battle, self.seat),
        )


class FinishView(UmpireResource):
    """The end of a battle."""

    @says("End the battle; with `open` its whole record can be read by all seats", answer=responses.BattleCard,
          body=requests.Finish, key=True, problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.Finish)
        return act(
            self,
            lambda once: battle_finish(battle=self.battle, by=self.seat, is_opened=body.open, once=once),
            lambda battle: battle_card(battle, self.seat),
        )
