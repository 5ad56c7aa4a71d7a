"""The umpire's desk: what waits, his hand, the ledger, and the way back."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.acting import act
from umpire.api.presenters import battle_card
from umpire.api.problems import invalid
from umpire.api.resource import BattleResource, UmpireResource, answer
from umpire.api.resources.orders import must_be_short
from umpire.api.schema import says
from umpire.api.strict import convert, query, read
from umpire.battles.selectors import ledger_for, record_for
from umpire.battles.services import battle_correct, battle_rewind, open_order_resolve
from umpire.desk.selectors import desk_for, foreseen_for, hand_for
from umpire.kernel.hand.forms import Foreseen
from umpire.kernel.registry import package_of


class DeskView(UmpireResource):
    """What lies on the desk."""

    @says("What waits for me, what each seat believes, the last of the ledger", answer=responses.DeskAnswer)
    def get(self, request: Request, battle_id: str) -> Response:
        return answer({"system": self.battle.system, **desk_for(battle=self.battle)})


class CorrectionsView(UmpireResource):
    """The umpire's hand."""

    @says("What I may do by hand, as forms", answer=responses.HandAnswer, query=requests.HandQuery,
          text="Without `unit`: with the battle. A form is filled in as one of options, and sent as a correction; what"
          " a slot called `looks.side` holds goes into `looks`.")  # fmt: skip
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.HandQuery)
        try:
            return answer(responses.HandAnswer(forms=tuple(hand_for(battle=self.battle, piece=asked.unit))))
        except KeyError:
            raise invalid("?unit", "There is no such piece.", "Name a piece of the view.") from None

    @says("Change something by hand, with a reason", answer=responses.BattleCard, status=201,
          body=requests.CorrectionBody,
          key=True, problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = self.words(requests.CorrectionBody)
        must_be_short(body.correction, "/correction")
        convert(body.correction, package_of(self.battle.system).corrections, "/correction")
        return act(
            self,
            lambda once: battle_correct(
                battle=self.battle, by=self.seat, correction=body.correction, reason=body.reason, once=once
            ),
            lambda battle: battle_card(battle, self.seat),
            status=201,
        )


class ForeseenView(UmpireResource):
    """A correction that is not made."""

    @says("Who would see what of a correction; changes nothing", answer=Foreseen, body=requests.AskedCorrection)
    def post(self, request: Request, battle_id: str) -> Response:
        body = self.words(requests.AskedCorrection)
        convert(body.correction, package_of(self.battle.system).corrections, "/correction")
        return answer(foreseen_for(battle=self.battle, correction=body.correction))


class LedgerView(UmpireResource):
    """The ledger."""

    @says("The ledger below a depth, oldest first", answer=responses.LedgerAnswer, query=requests.LedgerQuery)
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.LedgerQuery)
        entries = ledger_for(battle=self.battle, before=asked.before, limit=asked.limit)
        return answer({"entries": entries, "depth": self.battle.depth})


class RewindView(UmpireResource):
    """The way back; nothing is deleted."""

    @says("Go back to the first `depth` entries of the ledger", answer=responses.BattleCard, body=requests.Rewind,
          key=True, problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.Rewind)
        return act(
            self,
            lambda once: battle_rewind(
                battle=self.battle, by=self.seat, depth=body.depth, dice=body.dice, reason=body.reason, once=once
            ),
            lambda battle: battle_card(battle, self.seat),
        )


class OpenOrderView(UmpireResource):
    """What becomes of an order that cannot go on."""

    @says("End the open order here, take it back, play it again, or let it go on", answer=responses.BattleCard,
          body=requests.OpenOrder, key=True, problems=["refused"])  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.OpenOrder)
        return act(
            self,
            lambda once: open_order_resolve(
                battle=self.battle, by=self.seat, do=body.do, reason=body.reason, once=once
            ),
            lambda battle: battle_card(battle, self.seat),
        )


class RecordView(BattleResource):
    """The whole record of a battle that is finished and opened."""

    @says("Ledger and dice secret of a battle that is finished and opened", answer=responses.RecordAnswer)
    def get(self, request: Request, battle_id: str) -> Response:
        return answer(record_for(battle=self.battle))
