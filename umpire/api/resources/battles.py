"""Battles: those of an account or a seat, a new one, its end."""

from __future__ import annotations

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
from umpire.battles.services import battle_create, battle_finish


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

        def show(made: tuple[Battle, list[tuple[Seat, str]]]) -> responses.NewBattleMade:
            battle, seats = made
            return responses.NewBattleMade(
                battle=battle_card(battle, None), seats=tuple(invite(seat) for seat, _ in seats)
            )

        def show_codes(made: tuple[Battle, list[tuple[Seat, str]]]) -> responses.NewBattleMade:
            battle, seats = made
            invites = tuple(invite(seat, code=code, link=link_to(request, code)) for seat, code in seats)
            return responses.NewBattleMade(battle=battle_card(battle, None), seats=invites)

        return act(self, make, show, status=201, once_only=show_codes)


class BattleView(BattleResource):
    """One battle."""

    @says("One battle", answer=responses.BattleCard)
    def get(self, request: Request, battle_id: str) -> Response:
        return answer(battle_card(self.battle, self.seat))


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
