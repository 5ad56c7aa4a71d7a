"""Questions that wait for a seat, dice to be typed in, and their answers."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.acting import act
from umpire.api.problems import Fault, Problem
from umpire.api.resource import BattleResource, answer
from umpire.api.schema import says
from umpire.api.strict import query, read
from umpire.battles.selectors import questions_for
from umpire.battles.services import question_answer


class QuestionsView(BattleResource):
    """What a seat is asked."""

    @says("The questions that wait for me, and dice that I am to throw", answer=responses.QuestionCard, many=True,
          query=requests.AsQuery)  # fmt: skip
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.AsQuery)
        return answer(questions_for(battle=self.battle, seat=self.looked_at(asked.seat)))


class AnswerView(BattleResource):
    """An answer."""

    @says("Answer a question with choices, or dice with their faces", answer=responses.Done,
          body=requests.Answer, key=True,
          problems=["refused"],
          text="An empty list of choices declines an offer. A question answered or void is not there.")  # fmt: skip
    def post(self, request: Request, battle_id: str, question_id: str) -> Response:
        body = read(request, requests.Answer)
        if (body.choices is None) == (body.faces is None):
            right = "Send `choices` for a question, `faces` for dice; one of the two."
            raise Problem(
                "invalid", right, errors=[Fault(pointer="", detail="Both or neither are given.", right=right)]
            )
        return act(
            self,
            lambda once: question_answer(
                battle=self.battle,
                seat=self.seat,
                question_id=question_id,
                choices=body.choices,
                faces=body.faces,
                once=once,
            ),
            lambda _: responses.Done(),
        )
