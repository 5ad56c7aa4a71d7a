"""What may be played here: systems, and the gallery of scenarios, which is the umpire's alone (a title may tell)."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from msgspec import inspect
from msgspec.structs import replace
from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import responses
from umpire.api.authentication import Principal
from umpire.api.offered import played_here
from umpire.api.problems import not_found
from umpire.api.resource import Resource, answer
from umpire.api.schema import says
from umpire.battles.models import Seat
from umpire.kernel.registry import RulesPackage
from umpire.kernel.rulings import Choice
from umpire.kernel.states import slice_of


def account_of(principal: Principal) -> Any:
    """The account in whose name somebody makes battles; whoever has an umpire's seat does so for the battle's owner.

    Raises Problem "not-found" for all others."""
    seat = principal.seat
    if seat is None:
        return principal.user
    if seat.role != Seat.Role.UMPIRE:
        raise not_found()
    return seat.battle.owner


class SystemsView(Resource):
    """The game systems."""

    @says("The game systems that are played here", answer=responses.SystemCard, many=True)
    def get(self, request: Request) -> Response:
        return answer(
            [
                responses.SystemCard(system=system, title=package.title, version=package.version)
                for system, package in played_here().items()
            ]
        )


class ScenariosView(Resource):
    """The gallery."""

    def locate(self, **kwargs: str) -> None:
        account_of(self.principal)

    @says("The gallery of scenarios, for umpires", answer=responses.ScenarioCard, many=True)
    def get(self, request: Request) -> Response:
        return answer([_card(package, key) for package in played_here().values() for key in package.scenarios()])


class ScenarioView(Resource):
    """One scenario."""

    def locate(self, **kwargs: str) -> None:
        account_of(self.principal)
        package = played_here().get(kwargs["system"])
        if package is None or kwargs["scenario"] not in package.scenarios():
            raise not_found()
        self.package = package

    @says("A scenario with its options and the picture of its map", answer=responses.Scenario)
    def get(self, request: Request, system: str, scenario: str) -> Response:
        return answer(_whole(self.package, scenario))


@cache
def _card(package: RulesPackage[Any, Any], key: str) -> responses.ScenarioCard:
    return responses.ScenarioCard(**_told(package, key))


@cache
def _whole(package: RulesPackage[Any, Any], key: str) -> responses.Scenario:
    setting = package.load(package.scenarios()[key], file=key, options={})
    state = package.begin(setting, lambda name: name)
    return responses.Scenario(
        **_told(package, key),
        options=tuple(options_of(package, getattr(setting.public, "options", None))),
        picture=replace(package.scene(package.believed(slice_of(state, ()))), system=package.system),
    )


def _told(package: RulesPackage[Any, Any], key: str) -> dict[str, Any]:
    """What a scenario file says of itself: at its top, or in its table [scenario]."""
    data = tomllib.loads(package.scenarios()[key])
    head = data.get("scenario", data)
    sides = data.get("side") or [{"name": name} for name in dict.fromkeys(data.get("commands", {}).values())]
    turns = head.get("turns")
    return {
        "system": package.system,
        "key": key,
        "title": head.get("title", key),
        "description": " ".join(head.get("description", "").split()),
        "victory": " ".join(head.get("victory", "").split()),
        "teaches": head.get("teaches", ""),
        "author": head.get("author", ""),
        "sides": tuple(side["name"] for side in sides),
        "length": f"{turns} turns" if turns else "",
    }


SERVER_OPTIONS: tuple[responses.ScenarioOption, ...] = (
    responses.ChoiceOption(
        name="dice",
        label="Who rolls the dice?",
        choices=(Choice(id="server", label="The server"), Choice(id="typed", label="We do, and type them in")),
        default="server",
    ),
    responses.FlagOption(name="release", label="Orders wait until the umpire lets them go", default=False),
)
"""What may be chosen for a battle of any system."""


def options_of(package: RulesPackage[Any, Any], defaults: Any) -> list[responses.ScenarioOption]:
    """What may be chosen when a battle of a package is made, with the scenario's own defaults."""
    found = {option.name: option for option in SERVER_OPTIONS}
    setting = inspect.type_info(package.public_setting)
    assert isinstance(setting, inspect.StructType)
    kinds = [item.type for item in setting.fields if item.name == "options"]
    if kinds and isinstance(kinds[0], inspect.StructType):
        for item in kinds[0].fields:
            if item.name not in found:
                found[item.name] = _option(item, getattr(defaults, item.name, item.default))
    return list(found.values())


def _option(item: inspect.Field, default: Any) -> responses.ScenarioOption:
    """An option as its type and what is said with it (`umpire.kernel.settings.asked`) describe it."""
    kind, title, note, extra = item.type, "", "", {}
    if isinstance(kind, inspect.Metadata):
        said = kind.extra_json_schema or {}
        kind, title, note, extra = kind.type, said.get("title", ""), said.get("description", ""), kind.extra or {}
    names = extra.get("choices", {})
    common: dict[str, Any] = {
        "name": item.name,
        "label": title or item.name.replace("_", " ").capitalize(),
        "note": note,
        "only_if": extra.get("only_if", {}),
        "default": default,
    }
    match kind:
        case inspect.LiteralType(values=values):
            words = {str(value): str(value).replace("_", " ").capitalize() for value in values} | names
            choices = tuple(Choice(id=value, label=label) for value, label in words.items())
            return responses.ChoiceOption(choices=choices, **common)
        case inspect.IntType(ge=low, le=high):
            return responses.NumberOption(low=low, high=high, **common)
        case inspect.BoolType():
            return responses.FlagOption(**common)
        case _:
            return responses.TextOption(**common)
