"""What a seat sees of its battle, and what it might order: scene, view, options, preview, odds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone
from msgspec.structs import replace
from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import requests, responses
from umpire.api.presenters import iso
from umpire.api.problems import invalid, not_found
from umpire.api.refusals import quoted
from umpire.api.resource import BattleResource, answer
from umpire.api.resources.orders import check_order
from umpire.api.schema import says
from umpire.api.strict import query
from umpire.battles.errors import BadInput
from umpire.battles.selectors import odds_for, options_for, preview_for, scene_for, sightings_for, view_for
from umpire.kernel.registry import RulesPackage, package_of


def tagged(request: Request, tag: str, data: Any) -> Response:
    """The answer with its ETag; without a body where the client has it already."""
    known = {one.strip().removeprefix("W/") for one in request.headers.get("If-None-Match", "").split(",")}
    if quoted(tag) in known:
        return answer(None, 304, {"ETag": quoted(tag)})
    return answer(data, headers={"ETag": quoted(tag)})


class SceneView(BattleResource):
    """What does not change."""

    @says("The map and the tables to show; changes never, known by its `digest`", answer="Scene", etag=True)
    def get(self, request: Request, battle_id: str) -> Response:
        scene = scene_for(battle=self.battle, seat=self.seat)
        return tagged(request, scene.digest, scene)


class ViewView(BattleResource):
    """What the seat sees now."""

    @says("What I see now; the umpire sees the truth, or with `as` what a seat sees", answer=responses.ViewAnswer,
          query=requests.AsQuery, etag=True)  # fmt: skip
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.AsQuery)
        view, number, tag = view_for(battle=self.battle, seat=self.looked_at(asked.seat))
        seen = responses.ViewAnswer(system=self.battle.system, view=view, news=number, now=iso(timezone.now()))
        return tagged(request, tag, seen)


class OptionsView(BattleResource):
    """What may be ordered now."""

    @says("What I may order now, as forms", answer=responses.OptionsAnswer, query=requests.OptionsQuery,
          text="Without `unit`: the forms that need no piece, and the pieces that may be ordered about; with `all` the "
          "forms of each of these too, as `units`. The umpire names a seat or command with `as`.")  # fmt: skip
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.OptionsQuery)
        acting_for = self.acted_for(asked.seat)
        if asked.all and asked.unit is not None:
            raise invalid("?unit", "It stands beside `all`.", "Ask for one piece, or for all.")
        with pointing("/for", "?as"):
            found = options_for(
                battle=self.battle, seat=self.seat, unit=asked.unit, acting_for=acting_for, is_all=asked.all
            )
        return answer(
            responses.OptionsAnswer(forms=tuple(found.forms), why=found.why, subjects=found.subjects, units=found.units)
        )


@contextmanager
def pointing(sent: str, at: str) -> Iterator[None]:
    """Errors that a service has with a field point at where it was sent."""
    try:
        yield
    except BadInput as bad:
        found = [replace(one, pointer=at) if one.pointer == sent else one for one in bad.faults]
        raise BadInput(found) from None


class SightView(BattleResource):
    """What is seen from a place."""

    @says("What is seen from a place, and the line to another, as far as I know the ground",
          answer=responses.SightAnswer,
          query=requests.SightQuery, text="Places are their numbers joined by commas. Where the system does not say "
          "what is seen there is no such resource.")  # fmt: skip
    def get(self, request: Request, battle_id: str) -> Response:
        asked = query(request, requests.SightQuery)
        if type(package_of(self.battle.system)).sightings is RulesPackage.sightings:
            raise not_found()
        origin = _place(asked.origin, "from")
        target = _place(asked.to, "to") if asked.to else None
        for name, place in (("from", None), ("to", target)):
            try:
                found = sightings_for(battle=self.battle, seat=self.seat, origin=origin, target=place)
            except KeyError:
                raise invalid(f"?{name}", "There is no such place.", "Name a place of the map.") from None
        return answer(found)


def _place(text: str, name: str) -> tuple[int, ...]:
    """A place written as its numbers. Raises Problem "invalid"."""
    parts = text.split(",")
    if not 2 <= len(parts) <= 3 or not all(re.fullmatch(r"-?\d{1,6}", part) for part in parts):
        raise invalid(f"?{name}", f"{text!r} is no place.", "Write its numbers joined by commas, as in 8,6,0.")
    return tuple(int(part) for part in parts)


class AskingResource(BattleResource):
    """A question about an order that is not given; the umpire may ask for another."""

    def asked(self, request: Request) -> requests.AskedOrder:
        body = self.words(requests.AskedOrder)
        body = replace(body, acting_for=self.acted_for(body.acting_for))
        check_order(self.battle, body.order)
        return body


class PreviewView(AskingResource):
    """What an order would cost and reach."""

    @says("What an order would cost and reach; changes nothing", answer=responses.Preview, body=requests.AskedOrder)
    def post(self, request: Request, battle_id: str) -> Response:
        body = self.asked(request)
        return answer(preview_for(battle=self.battle, seat=self.seat, order=body.order, acting_for=body.acting_for))


class OddsView(AskingResource):
    """The odds of an order."""

    @says("The exact odds of an order, as far as I can know; changes nothing", answer=responses.OddsAnswer,
          body=requests.AskedOrder)  # fmt: skip
    def post(self, request: Request, battle_id: str) -> Response:
        body = self.asked(request)
        return answer(odds_for(battle=self.battle, seat=self.seat, order=body.order, acting_for=body.acting_for))
