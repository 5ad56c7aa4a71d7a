"""Who sends a request: a device by its token, or an account signed in by a cookie."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from msgspec import Struct
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from umpire.api.problems import not_authenticated
from umpire.battles.keys import hash_of_token, new_token
from umpire.battles.models import Device, Seat
from umpire.battles.selectors import actor_of_token

BROWSER_COOKIE = "umpire_browser"
"""Says that it is the same browser, to mark who has seen everything of a battle; it lets nobody in."""
SEEN_EVERY = timedelta(minutes=1)
"""How exactly it is kept when a device was seen last."""


class Principal(Struct, frozen=True):
    """Who sends a request: the holder of a seat, or an account (then `user` is set)."""

    seat: Seat | None = None
    user: Any = None
    device: Device | None = None
    browser: str = ""
    """The hash of its browser's cookie."""

    is_authenticated = True
    """What the throttle for strangers asks."""

    @property
    def pk(self) -> str:
        return self.actor

    @property
    def actor(self) -> str:
        """Whose idempotency keys these are."""
        return f"seat:{self.seat.id}" if self.seat is not None else f"user:{self.user.pk}"


def principal_of(request: Request) -> Principal | None:
    """Who sends this request, or None for a stranger."""
    user: Any = request.user
    return user if isinstance(user, Principal) else None


def browser_of(request: Request) -> str:
    """The hash of the cookie that a browser is known by; "" where it has none."""
    value = request.COOKIES.get(BROWSER_COOKIE, "")
    return hash_of_token(value) if value else ""


def named_browser(request: Request) -> str:
    """As `browser_of`; a browser without the cookie gets one with the answer."""
    if BROWSER_COOKIE not in request.COOKIES:
        plain: Any = request._request
        plain.made_browser = new_token()
        return hash_of_token(plain.made_browser)
    return browser_of(request)


def made_browser_of(request: Request) -> str:
    """The cookie that `named_browser` has made; "" where it made none."""
    return str(getattr(request._request, "made_browser", ""))


def token_of(request: Request) -> str | None:
    """The token in `Authorization: Bearer …`; None without that header, "" where it holds no token."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return None if not scheme else token.strip() if scheme.lower() == "bearer" else ""


class DeviceToken(BaseAuthentication):
    """`Authorization: Bearer …`. A token that is unknown and one that was revoked are the same."""

    def authenticate(self, request: Request) -> tuple[Principal, Device] | None:
        token = token_of(request)
        if token is None:
            return None
        device = actor_of_token(token) if token else None
        if device is None:
            raise not_authenticated()
        if device.user is not None and not device.user.is_active:
            raise not_authenticated()
        now = timezone.now()
        if now - device.last_seen > SEEN_EVERY:
            Device.objects.filter(pk=device.pk).update(last_seen=now)
        return Principal(seat=device.seat, user=device.user, device=device, browser=browser_of(request)), device

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="umpire"'


class Cookie(SessionAuthentication):
    """An account's session, with the token against other sites' pages on every request that is not safe."""

    def enforce_csrf(self, request: Request) -> None:
        plain = request._request
        plain.body  # noqa: B018 -- kept for the resource, before the check looks for a form in it
        super().enforce_csrf(plain)  # type: ignore[arg-type]

    def authenticate(self, request: Request) -> tuple[Principal, None] | None:
        found = super().authenticate(request)
        return None if found is None else (Principal(user=found[0], browser=browser_of(request)), None)
