"""Messages between commands and umpire."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.acting import act
from umpire.api.problems import not_found
from umpire.api.resource import BattleResource, Resource, answer, seated
from umpire.api.schema import says
from umpire.api.strict import query, read
from umpire.battles.models import Message, Seat
from umpire.battles.selectors import messages_for
from umpire.battles.selectors.games import message_card
from umpire.desk.services import message_delay, message_deliver, message_lose, message_send


class MessagesView(BattleResource):
    """The messages of a seat."""

    @says("What I sent and what reached me; the umpire sees all, with route and state", answer=responses.MessageCard,
          many=True, query=requests.MessagesQuery,
          text="The last of them, oldest first; or the last before a message's id.")  # fmt: skip
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.MessagesQuery)
        seat = self.looked_at(asked.seat)
        return answer(messages_for(battle=self.battle, seat=seat, before=asked.before, limit=asked.limit))

    @says("Send a message", answer=responses.MessageCard, status=201, body=requests.NewMessage, key=True,
          problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.NewMessage)
        return act(
            self,
            lambda once: message_send(battle=self.battle, seat=self.seat, to=body.to, text=body.text, once=once),
            lambda message: message_card(message, is_umpire=self.is_umpire),
            status=201,
        )


class MessageResource(Resource):
    """One message on the umpire's desk."""

    message: Message
    seat: Seat

    def locate(self, **kwargs: str) -> None:
        message = Message.objects.select_related("battle", "sender").filter(pk=kwargs["message_id"]).first()
        if message is None:
            raise not_found()
        _, self.seat = seated(self.principal, message.battle_id)
        if self.seat.role != Seat.Role.UMPIRE:
            raise not_found()
        self.message = message


class DeliverView(MessageResource):
    """Lets a message arrive."""

    @says("Deliver a message, in other words where `text` is given", answer=responses.MessageCard,
          body=requests.Delivery,
          key=True, problems=["refused"])  # fmt: skip
    def post(self, request: Request, message_id: str) -> Response:
        body = read(request, requests.Delivery)
        return act(
            self,
            lambda once: message_deliver(message=self.message, by=self.seat, text=body.text, once=once),
            lambda message: message_card(message, is_umpire=True),
        )


class LoseView(MessageResource):
    """Lets a message get lost."""

    @says(
        "Let a message get lost; its sender is not told", answer=responses.MessageCard, key=True, problems=["refused"]
    )
    def post(self, request: Request, message_id: str) -> Response:
        return act(
            self,
            lambda once: message_lose(message=self.message, by=self.seat, once=once),
            lambda message: message_card(message, is_umpire=True),
        )


class DelayView(MessageResource):
    """Lets a message be late."""

    @says("Let a message be due in a later turn", answer=responses.MessageCard, body=requests.Delay, key=True,
          problems=["refused"])  # fmt: skip
    def post(self, request: Request, message_id: str) -> Response:
        body = read(request, requests.Delay)
        return act(
            self,
            lambda once: message_delay(message=self.message, by=self.seat, due_turn=body.due, once=once),
            lambda message: message_card(message, is_umpire=True),
        )
