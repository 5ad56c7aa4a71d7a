"""News of a seat: after a number, all that a tablet lacks, and the ticket of an event stream."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.acting import plain_tag
from umpire.api.authentication import Principal
from umpire.api.presenters import iso
from umpire.api.refusals import quoted
from umpire.api.resource import BattleResource, answer
from umpire.api.resources.orders import listed
from umpire.api.schema import says
from umpire.api.strict import query
from umpire.battles.models import Seat
from umpire.battles.selectors import news_for, sync_for
from umpire.live.grants import Grant
from umpire.live.tickets import ticket_issue


class NewsView(BattleResource):
    """What was new."""

    @says("My news after a number", answer=responses.NewsAnswer, query=requests.NewsQuery)
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.NewsQuery)
        seat = self.looked_at(asked.seat)
        items = [item for item in news_for(seat=seat, after=asked.after) if item["number"] <= seat.news_count]
        return answer({"news": items, "last": seat.news_count, "etag": seat.tag})


class SyncView(BattleResource):
    """One call for a tablet that was away."""

    @says("All that I lack since a number of my news, and of the changes of my orders", answer=responses.SyncAnswer,
          query=requests.SyncQuery, text="Without `after` the whole view, without `orders` the last ones.")  # fmt: skip
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.SyncQuery)
        seat = self.looked_at(asked.seat)
        tag = plain_tag(asked.tag)
        found = sync_for(battle=self.battle, seat=seat, after=asked.after, tag=tag, orders_after=asked.orders)
        # Never "not modified": a question or an order may have changed where the view has not.
        found["orders"] = [listed(order, seat, self.battle.system) for order in found["orders"]]
        told = {"system": self.battle.system, **found, "now": iso(timezone.now())}
        return answer(told, headers={"ETag": quoted(found["etag"])})


def grant_of(request: Request, principal: Principal, seat: Seat) -> Grant:
    """By what right somebody reads a seat's stream: that of the request which gets the ticket."""
    if principal.device is not None:
        return Grant(seat=seat.pk, device=principal.device.pk)
    session, user = request._request.session, principal.user
    return Grant(seat=seat.pk, user=user.pk, session=session.session_key or "", proof=user.get_session_auth_hash())


class TicketView(BattleResource):
    """Lets an event stream be opened."""

    @says("A ticket for one event stream, good once and for a minute", answer=responses.TicketAnswer, status=201)
    def post(self, request: Request, battle_id: str) -> Response:
        ticket, expires = ticket_issue(grant=grant_of(self.request, self.principal, self.seat))
        return answer(responses.TicketAnswer(ticket=ticket, expires=iso(expires), url=f"/live/?ticket={ticket}"), 201)
