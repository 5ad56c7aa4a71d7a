"""Signing in and out, and joining by code."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, get_user, login, logout, update_session_auth_hash
from django.middleware.csrf import get_token
from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import addresses, requests, responses, throttles
from umpire.api.authentication import Principal, named_browser, principal_of, token_of
from umpire.api.presenters import battle_card, device_card, picture_of, you
from umpire.api.problems import Problem, not_authenticated, not_found
from umpire.api.resource import Resource, answer
from umpire.api.schema import says
from umpire.api.strict import query, read
from umpire.battles.errors import NotYours
from umpire.battles.models import Seat
from umpire.battles.selectors import devices_for, has_umpire
from umpire.battles.services import (
    Newcomer,
    account_change,
    account_of_token,
    device_create,
    device_revoke,
    seat_join,
)


def account_of(request: Request, principal: Principal) -> responses.Account:
    if principal.seat is not None:
        seat = principal.seat
        return responses.Account(kind="seat", name=seat.name, seat=you(seat), battle=seat.battle_id)
    csrf = "" if principal.device is not None else get_token(request._request)
    return responses.Account(kind="account", name=principal.user.get_username(), csrf=csrf)


def must_be_known(request: Request) -> Principal:
    principal = principal_of(request)
    if principal is None:
        raise not_authenticated()
    return principal


class SessionView(Resource):
    """Who am I; signing in with an account; signing out."""

    throttle_scope = "join"
    open_to_all = True

    def get_throttles(self) -> list[Any]:
        return super().get_throttles() if self.request.method == "POST" else []

    @says("Who am I?", answer=responses.Account)
    def get(self, request: Request) -> Response:
        return answer(account_of(request, must_be_known(request)))

    @says("Sign in with an account", answer=responses.Account, body=requests.SignIn, open_to_all=True,
          problems=["not-authenticated", "throttled"])  # fmt: skip
    def post(self, request: Request) -> Response:
        body = read(request, requests.SignIn)
        throttles.attempt(body.username)
        user = authenticate(request._request, username=body.username, password=body.password)
        if user is None:
            raise Problem("not-authenticated", "No account has this name and this password.")
        login(request._request, user)
        return answer(account_of(request, Principal(user=user, browser=named_browser(request))))

    @says("Change the name or the password of my account", answer=responses.Account, body=requests.AccountChange)
    def patch(self, request: Request) -> Response:
        principal = must_be_known(request)
        body = read(request, requests.AccountChange)
        if principal.user is None:
            raise not_found()
        account = account_change(account=principal.user, name=body.name, password=body.password)
        if principal.device is None:
            request._request.user = account  # REST framework has put our principal in its place
            update_session_auth_hash(request._request, account)
        return answer(account_of(request, principal))

    @says("Sign out; a device gives its token back", status=204)
    def delete(self, request: Request) -> Response:
        principal = must_be_known(request)
        if principal.device is not None:
            device_revoke(device=principal.device)
        else:
            logout(request._request)
        return answer(None, 204)


class SignInView(Resource):
    """A link that signs in once."""

    throttle_scope = "join"
    open_to_all = True
    authentication_classes = ()

    @says("Sign in with a link", answer=responses.Account, body=requests.SignInLink, open_to_all=True,
          problems=["not-authenticated", "throttled"],
          text="Good once; `make play` prints one at each start, `manage.py sign_in_link` at any time.")  # fmt: skip
    def post(self, request: Request) -> Response:
        body = read(request, requests.SignInLink)
        try:
            account = account_of_token(token=body.token, name=body.name)
        except NotYours:
            raise Problem("not-authenticated", "This link has been used, or is too old. Ask for another.") from None
        login(request._request, account, backend=settings.AUTHENTICATION_BACKENDS[0])
        return answer(account_of(request, Principal(user=account, browser=named_browser(request))))


class StartView(Resource):
    """What the start page has to know."""

    open_to_all = True
    authentication_classes = ()

    @says("Has anybody umpired here?", answer=responses.StartAnswer, open_to_all=True)
    def get(self, request: Request) -> Response:
        addresses.note(request)
        return answer(responses.StartAnswer(has_umpire=has_umpire()))


class HostResource(Resource):
    """Something for whoever invites others: accounts and umpires."""

    def locate(self, **kwargs: str) -> None:
        seat = self.principal.seat
        if seat is not None and seat.role != Seat.Role.UMPIRE:
            raise not_found()


class PictureView(HostResource):
    """A link as a picture to be scanned."""

    @says("A QR code", answer=responses.Picture, query=requests.PictureOf)
    def get(self, request: Request) -> Response:
        return answer(responses.Picture(svg=picture_of(query(request, requests.PictureOf).text)))


class AddressesView(HostResource):
    """Where other devices find this server."""

    @says("Where other devices find this server", answer=responses.Address, many=True)
    def get(self, request: Request) -> Response:
        return answer(addresses.known(request))


class DevicesView(Resource):
    """Tokens for an account's other clients; there for accounts alone."""

    def locate(self, **kwargs: str) -> None:
        if self.principal.user is None:
            raise not_found()

    @says("The clients of this account that hold tokens", answer=responses.DeviceCard, many=True)
    def get(self, request: Request) -> Response:
        return answer([device_card(device) for device in devices_for(user=self.principal.user)])

    @says("A token for another client of this account", answer=responses.DeviceToken, status=201,
          body=requests.NewDevice,
          text="Shown this once; given back with `DELETE session` by who holds it, taken away with "
          "`DELETE devices/{id}`.")  # fmt: skip
    def post(self, request: Request) -> Response:
        body = read(request, requests.NewDevice)
        device, token = device_create(user=self.principal.user, label=body.device)
        return answer(responses.DeviceToken(token=token, device=device.label, id=device.pk), 201)


class DeviceView(Resource):
    """One of an account's other clients."""

    def locate(self, **kwargs: str) -> None:
        mine = () if self.principal.user is None else devices_for(user=self.principal.user)
        found = next((device for device in mine if device.pk == kwargs["device_id"]), None)
        if found is None:
            raise not_found()
        self.device = found

    @says("Take the token away from a client of this account", status=204)
    def delete(self, request: Request, device_id: str) -> Response:
        device_revoke(device=self.device)
        return answer(None, 204)


class JoinView(Resource):
    """A code becomes a seat."""

    throttle_scope = "join"
    open_to_all = True
    authentication_classes = ()

    @says("Take a seat with its code", answer=responses.Joined, status=201, body=requests.Join, open_to_all=True,
          problems=["not-found", "refused", "throttled"],
          text="No player's seat for who has seen everything of the battle, unless the umpire allows it.")  # fmt: skip
    def post(self, request: Request) -> Response:
        body = read(request, requests.Join)
        addresses.note(request)
        signed_in = get_user(request._request)  # nobody is asked who he is here, so request.user is nobody
        newcomer = Newcomer(browser=named_browser(request), token=token_of(request) or "", user=signed_in)
        seat, token = seat_join(code=body.code, device=body.device, newcomer=newcomer)
        return answer(responses.Joined(token=token, seat=you(seat), battle=battle_card(seat.battle, seat)), 201)
