"""What all resources share: who may come in, the one answer for what is not his, headers, and the form of answers."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import msgspec
from django.conf import settings
from django.db.models import Q
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from umpire.api import requests
from umpire.api.authentication import (
    BROWSER_COOKIE,
    Cookie,
    DeviceToken,
    Principal,
    made_browser_of,
    principal_of,
)
from umpire.api.problems import invalid, not_authenticated, not_found
from umpire.api.strict import query, read
from umpire.battles.keys import new_token
from umpire.battles.models import Battle, Seat
from umpire.battles.services import witness_note

W = TypeVar("W", bound=requests.Spoken)
PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Authorization, Cookie"}


class Json(BaseRenderer):
    """Structs and plain values as JSON, with equal bytes for equal values."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        if data is None:
            return b""
        return data if isinstance(data, bytes) else encode(data)


def encode(data: Any) -> bytes:
    return msgspec.json.encode(data)


class AlwaysJson(BaseContentNegotiation):
    """There is one form of answer; whatever a client accepts, it gets that."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return None

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> tuple[Any, str]:
        return renderers[0], renderers[0].media_type


class Resource(APIView):
    """A resource for whoever is known to the server; `open_to_all` lets strangers in too."""

    authentication_classes: Any = (DeviceToken, Cookie)
    permission_classes = ()
    renderer_classes = (Json,)
    parser_classes = ()
    content_negotiation_class = AlwaysJson
    metadata_class = None
    http_method_names = ["get", "head", "post", "patch", "delete"]  # noqa: RUF012 -- declared by Django as a list
    open_to_all = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not self.open_to_all and principal_of(request) is None:
            raise not_authenticated()
        self.locate(**kwargs)
        self._take_nothing_unknown(request)

    def _take_nothing_unknown(self, request: Request) -> None:
        """Raises Problem for parameters or a body sent to an operation that has none."""
        takes = getattr(getattr(self, (request.method or "").lower(), None), "takes", None)
        if takes is None:
            return
        if not takes.query:
            query(request, requests.Nothing)
        if not takes.body and request.method in ("POST", "PATCH", "DELETE") and request.body:
            read(request, requests.Nothing)

    def locate(self, **kwargs: str) -> None:
        """Finds what the address names. Raises Problem "not-found" before any method is looked at."""

    @property
    def principal(self) -> Principal:
        """Who sends this request; for resources that strangers do not reach."""
        principal: Any = self.request.user
        assert isinstance(principal, Principal)
        return principal

    @property
    def default_response_headers(self) -> dict[str, str]:
        return dict(PRIVATE)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        finalized = super().finalize_response(request, response, *args, **kwargs)
        _name_browser(request, finalized)
        if finalized.status_code == 405:
            finalized["Allow"] = ", ".join(self.allowed_methods)
        return finalized


def _name_browser(request: Request, response: Any) -> None:
    """Gives a browser the cookie by which it is known again: one that joins or signs in, and an umpire's."""
    made = made_browser_of(request)
    principal = principal_of(request) if response.status_code < 400 else None
    if principal is not None and (principal.seat is None or principal.seat.role == Seat.Role.UMPIRE):
        made = made or ("" if BROWSER_COOKIE in request.COOKIES else new_token())
    if made:
        response.set_cookie(
            BROWSER_COOKIE,
            made,
            max_age=365 * 24 * 3600,
            path="/api/",
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


class Nowhere(Resource):
    """Every address that no resource has."""

    def locate(self, **kwargs: str) -> None:
        raise not_found()


class BattleResource(Resource):
    """Something of a battle, for those who sit at it. An account sits on the umpire's seat of its own battles.

    `umpires` names the methods that are the umpire's alone; for others they are not there.
    """

    umpires: ClassVar[frozenset[str]] = frozenset()
    battle: Battle
    seat: Seat

    def locate(self, **kwargs: str) -> None:
        self.sit(kwargs["battle_id"])

    def sit(self, battle_id: str) -> None:
        """Sits down at a battle. Raises Problem "not-found"."""
        battle, seat = seated(self.principal, battle_id)
        if seat.role != Seat.Role.UMPIRE and self.request.method in self.umpires:
            raise not_found()
        self.battle, self.seat = battle, seat

    def words(self, kind: type[W]) -> W:
        """The body as a struct in the words of the battle's system. Raises Problem as `read` does, and "invalid" where
        it says that it is in another's."""
        body = read(self.request, kind)
        if body.system not in ("", self.battle.system):
            right = f"Leave it out, or say {self.battle.system!r}."
            raise invalid("/system", "The battle is of another system.", right)
        return body

    @property
    def is_umpire(self) -> bool:
        return self.seat.role == Seat.Role.UMPIRE

    def seat_named(self, named: str) -> Seat | None:
        """The seat of this id or name: any for the umpire, one's own for all others."""
        if not self.is_umpire:
            return self.seat if named in (self.seat.id, self.seat.name) else None
        seats = self.battle.seats
        return seats.filter(pk=named).first() or seats.filter(name=named).first()

    def looked_at(self, named: str | None) -> Seat:
        """The seat that something is asked `as`. Raises Problem "not-found" for who may not, "invalid" for nobody."""
        found = self.seat if named is None else self.seat_named(named)
        if found is None and self.is_umpire:
            known = ", ".join(self.battle.seats.order_by("created", "id").values_list("name", flat=True))
            raise invalid("?as", "There is no such seat.", f"The id of a seat, or one of: {known}.")
        if found is None:
            raise not_found()
        return found

    def acted_for(self, named: str | None) -> str | None:
        """For whom an umpire acts or asks, as the services know him: a seat by its name, or a command. Raises Problem
        "not-found" for who may not."""
        found = None if named is None else self.seat_named(named)
        if not self.is_umpire:
            if named is not None and found is None:
                raise not_found()
            return None
        return named if found is None else found.name


ALL_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE"})


class UmpireResource(BattleResource):
    """Something that only the umpire has."""

    umpires = ALL_METHODS


def seated(principal: Principal, battle_id: str) -> tuple[Battle, Seat]:
    """The battle and the seat that somebody has there. Raises Problem "not-found"."""
    seat = principal.seat
    if seat is not None and seat.battle_id == battle_id:
        battle = seat.battle
    else:
        seats = Seat.objects.select_related("battle").filter(battle=battle_id, role=Seat.Role.UMPIRE)
        mine = Q(battle__owner=principal.user) if seat is None else Q(battle__made_by=seat)
        seat = seats.filter(mine).order_by("created", "id").first()
        if seat is None:
            raise not_found()
        battle = seat.battle
    if seat.role == Seat.Role.UMPIRE and principal.browser:
        witness_note(battle_id, principal.browser)
    return battle, seat


def answer(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(data, status=status, headers=headers)
