"""The seats of a battle: codes, links, devices; the umpire's alone."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import addresses, requests, responses
from umpire.api.acting import act
from umpire.api.presenters import invite
from umpire.api.problems import not_found
from umpire.api.resource import Resource, UmpireResource, answer, seated
from umpire.api.schema import says
from umpire.api.strict import read
from umpire.battles.models import Seat
from umpire.battles.selectors import seats_for
from umpire.battles.services import seat_create, seat_new_code, seat_rename, seat_revoke


def link_to(request: Request, code: str) -> str:
    """The address that a seat's code is scanned or typed as."""
    return addresses.outside(request, f"/join/{code}")


class SeatsView(UmpireResource):
    """Who sits where, and on which devices; a further seat."""

    @says("The seats and their devices", answer=responses.Invite, many=True)
    def get(self, request: Request, battle_id: str) -> Response:
        return answer([invite(seat, devices=seat.joined) for seat in seats_for(battle=self.battle)])

    @says("A further seat", answer=responses.Invite, status=201, body=requests.NewSeat, key=True, problems=["refused"],
          text="Its code is shown this once: the same key sent again gives the seat without it.")  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.NewSeat)
        return act(
            self,
            lambda once: seat_create(
                battle=self.battle, by=self.seat, name=body.name, role=body.role, commands=body.commands, once=once
            ),
            lambda made: invite(made[0]),
            status=201,
            once_only=lambda made: invite(made[0], code=made[1], link=link_to(request, made[1])),
        )


class SeatResource(Resource):
    """One seat, named by its own id; there for the umpire of its battle alone."""

    seat: Seat
    umpire: Seat

    def locate(self, **kwargs: str) -> None:
        seat = Seat.objects.select_related("battle").filter(pk=kwargs["seat_id"]).first()
        if seat is None:
            raise not_found()
        _, self.umpire = seated(self.principal, seat.battle_id)
        if self.umpire.role != Seat.Role.UMPIRE:
            raise not_found()
        self.seat = seat


class SeatView(SeatResource):
    """A seat's name."""

    @says("Rename a seat", answer=responses.Invite, body=requests.SeatChange)
    def patch(self, request: Request, seat_id: str) -> Response:
        body = read(request, requests.SeatChange)
        return answer(invite(seat_rename(seat=self.seat, by=self.umpire, name=body.name)))


class SeatCodeView(SeatResource):
    """A new code for a seat."""

    @says("A new code; the old one is good no longer, devices stay", answer=responses.Invite, status=201,
          body=requests.NewCode, text="Without an Idempotency-Key: sent again it gives yet another code.")  # fmt: skip
    def post(self, request: Request, seat_id: str) -> Response:
        body = read(request, requests.NewCode) if request.body else requests.NewCode()
        code = seat_new_code(
            seat=self.seat, admits_witnesses=body.admits_witnesses, hands_over=body.hands_over, by=self.umpire
        )
        self.seat.refresh_from_db()
        return answer(invite(self.seat, code=code, link=link_to(request, code)), 201)


class SeatRevokeView(SeatResource):
    """Takes a seat from whoever sits there."""

    @says("Take the seat from all its devices", answer=responses.Invite, key=True)
    def post(self, request: Request, seat_id: str) -> Response:
        def show(_: None) -> responses.Invite:
            self.seat.refresh_from_db()
            return invite(self.seat)

        return act(self, lambda once: seat_revoke(seat=self.seat, by=self.umpire, once=once), show)
