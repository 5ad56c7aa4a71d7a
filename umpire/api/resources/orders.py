"""Orders: given, listed, withdrawn, released."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.acting import act, tag_of
from umpire.api.presenters import order_card
from umpire.api.problems import invalid, not_found
from umpire.api.resource import BattleResource, Resource, UmpireResource, answer, seated
from umpire.api.schema import says
from umpire.api.strict import convert, query, read
from umpire.battles.models import Battle, News, Order, Seat
from umpire.battles.parsing import MOST_BYTES
from umpire.battles.selectors import orders_for
from umpire.battles.services import order_give, order_withdraw, orders_release
from umpire.battles.sql import Prepared
from umpire.kernel.codec import encode
from umpire.kernel.news import News as SeatNews
from umpire.kernel.registry import LogLine, package_of


def check_order(battle: Battle, order: Mapping[str, Any], at: str = "/order") -> None:
    """Raises Problem "invalid" for what is no order of the battle's system, with a pointer to each fault."""
    must_be_short(order, at)
    convert(order, package_of(battle.system).orders, at)


def must_be_short(value: Mapping[str, Any], at: str) -> None:
    """Raises Problem "invalid" for an order or a correction that is larger than the server keeps."""
    if len(encode(value)) > MOST_BYTES:
        raise invalid(at, f"It has more than {MOST_BYTES} bytes.", "Say it in several.")


def listed(order: Order, seat: Seat, system: str) -> responses.OrderCard:
    """An order in a seat's list, with the number of its last change there."""
    if seat.role == Seat.Role.UMPIRE:
        return order_card(order, system, seat=order.seat.name, changed=order.changed_in_battle)
    return order_card(order, system, changed=order.changed)


def lines_since(seat: Seat, number: int) -> tuple[LogLine, ...]:
    """The log lines that a seat got after a number of its news."""
    return tuple(
        line
        for [body] in _bodies.rows(seat.pk, number)
        for line in msgspec.json.decode(bytes(body), type=SeatNews, strict=False).lines
    )


_tags = Prepared(lambda seat: Seat.objects.filter(pk=seat).values_list("tag", "news_count"), str)
_bodies = Prepared(
    lambda seat, number: News.objects.filter(seat=seat, number__gt=number).order_by("number").values_list("body"),
    str,
    int,
)


class OrdersView(BattleResource):
    """The orders of a seat."""

    @says("My orders in the order of their last changes; the umpire sees all", answer=responses.OrderCard, many=True,
          query=requests.OrdersQuery,
          text="The newest of them, or with `after` those changed after that number (their `changed`), at most "
          "`limit`.")  # fmt: skip
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.OrdersQuery)
        seat = self.looked_at(asked.seat)
        found = orders_for(battle=self.battle, seat=seat, after=asked.after, limit=asked.limit)
        return answer([listed(order, seat, self.battle.system) for order in found])

    @says("Give an order", answer=responses.OrderCard, status=201, body=requests.OrderBody, key=True, match=True,
          problems=["refused"],
          text="The umpire acts for a seat or command with `for`, and then may leave If-Match out.")  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = self.words(requests.OrderBody)
        acting_for = self.acted_for(body.acting_for)
        is_for_another = acting_for is not None and "If-Match" not in request.headers
        tag = None if is_for_another else tag_of(request)
        check_order(self.battle, body.order)
        before = self.seat.news_count
        return act(
            self,
            lambda once: order_give(
                battle=self.battle, seat=self.seat, order=body.order, tag=tag, acting_for=acting_for, once=once
            ),
            lambda order: self.given(order, before),
            status=201,
            headers=lambda order: {"Location": f"/api/v1/orders/{order.id}"},
        )

    def given(self, order: Order, before: int) -> responses.OrderCard:
        [[tag, last]] = _tags.rows(self.seat.pk)
        return order_card(order, self.battle.system, lines=lines_since(self.seat, before), etag=tag, last=last)


class OrderResource(Resource):
    """One order, named by its own id; there for its seat and for the umpire."""

    order: Order
    seat: Seat

    def locate(self, **kwargs: str) -> None:
        order = Order.objects.select_related("seat", "battle").filter(pk=kwargs["order_id"]).first()
        if order is None:
            raise not_found()
        _, self.seat = seated(self.principal, order.battle_id)
        if self.seat.role != Seat.Role.UMPIRE and order.seat_id != self.seat.pk:
            raise not_found()
        self.order = order

    def shown(self, order: Order) -> responses.OrderCard:
        return order_card(order, self.order.battle.system)


class OrderView(OrderResource):
    """One order."""

    @says("What has become of my order", answer=responses.OrderCard)
    def get(self, request: Request, order_id: str) -> Response:
        return answer(self.shown(self.order))


class WithdrawView(OrderResource):
    """Withdraws an order that is not yet taken."""

    @says("Withdraw an order that is not yet taken", answer=responses.OrderCard, key=True, problems=["refused"])
    def post(self, request: Request, order_id: str) -> Response:
        return act(self, lambda once: order_withdraw(order=self.order, seat=self.seat, once=once), self.shown)


class ReleaseView(UmpireResource):
    """Lets orders go that wait for the umpire."""

    @says("Release the orders that wait for me, or one of them", answer=responses.Released,
          body=requests.Release, key=True,
          problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.Release)
        order = None
        if body.order is not None:
            order = self.battle.orders.filter(pk=body.order).first()
            if order is None:
                raise not_found()
        return act(
            self,
            lambda once: orders_release(battle=self.battle, by=self.seat, order=order, once=once),
            lambda count: responses.Released(released=count),
        )
