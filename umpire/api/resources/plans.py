"""Plans of hidden forces, in the umpire's hand."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.acting import act
from umpire.api.presenters import order_card
from umpire.api.problems import Problem, invalid, not_found
from umpire.api.resource import UmpireResource, answer
from umpire.api.resources.orders import check_order
from umpire.api.schema import says
from umpire.api.strict import read
from umpire.api.words import plan_order_of
from umpire.battles.heads import read_head
from umpire.battles.models import Order
from umpire.battles.selectors import truth_for
from umpire.battles.services import order_give
from umpire.kernel.registry import RulesPackage, package_of
from umpire.kernel.values.modifiers import Refusal


class PlansView(UmpireResource):
    """The plans of a battle's hidden forces. Given, one is an order of the system like any other."""

    @says("The plans of the hidden forces, by force", answer=responses.PlansAnswer)
    def get(self, request: Request, battle_id: str) -> Response:
        plans = truth_for(battle=self.battle).plans
        return answer(responses.PlansAnswer(system=self.battle.system, plans=plans or {}))

    @says("Give a hidden force a plan", answer=responses.OrderCard, status=201, body=requests.NewPlan, key=True,
          problems=["refused"],
          text="Its `plan` has the fields of the system's order `GivePlan`. It is given for the force's command, or "
          "for the one named by `for`.")  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = self.words(requests.NewPlan)
        order = plan_order(package_of(self.battle.system), body)
        check_order(self.battle, order, at="/plan")
        acting_for = self.acted_for(body.acting_for) or self.command_of(body.force)

        def give(once: Any) -> Order:
            return order_give(
                battle=self.battle, seat=self.seat, order=order, tag=None, acting_for=acting_for, once=once
            )

        return act(self, give, lambda order: order_card(order, self.battle.system), status=201)

    def command_of(self, force: str) -> str:
        """The command that a force belongs to. Raises Problem "invalid" where there is no such force."""
        truth = truth_for(battle=self.battle)
        found = truth.groups.get(force) or truth.pieces.get(force)
        if found is not None and found.command:
            return found.command
        raise invalid("/force", f"There is no force {force!r}.", "Name a group or piece of the umpire's view.")


class RouteView(UmpireResource):
    """A way that keeps out of sight."""

    @says("A concealed way of a hidden force to a goal", answer=responses.RouteAnswer, body=requests.AskRoute,
          problems=["refused"],
          text="`weight` is how many percent of the usual being seen counts. Where the system proposes no ways there "
          "is no such resource.")  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = read(request, requests.AskRoute)
        package = package_of(self.battle.system)
        if type(package).route is RulesPackage.route:
            raise not_found()
        try:
            found = package.route(read_head(self.battle.id).state, body.force, body.goal, body.weight)
        except KeyError:
            found = None
        except ValueError as fault:
            raise invalid("/goal", f"{fault}.", "Name a place on the table.") from None
        if found is None:
            said = "There is no way there for this force."
            raise Problem("refused", said, refusals=[Refusal(reason=said, field="goal")])
        return answer(responses.RouteAnswer(path=found.path, note=found.note))


def plan_order(package: RulesPackage[Any, Any], body: requests.NewPlan) -> dict[str, Any]:
    """The order by which a system gives plans. Raises Problem "not-found" where a system knows none."""
    kind = plan_order_of(package)
    if kind is None:
        raise not_found()
    return {**body.plan, "verb": kind.tag, kind.fields[0].encode_name: body.force}
