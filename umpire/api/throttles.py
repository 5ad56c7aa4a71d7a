"""How often somebody may ask, counted in Redis for all processes together, or in the process where Redis is away.

Counted are addresses (an IPv6 network counts as one: its holder has all of its addresses), names of accounts, and
seats. A count is added in one step and taken back where it was one too many, so that many requests at the same moment
are not more than the limit, and who is turned away is not counted.
"""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import threading
import time
from typing import Any

from django.conf import settings
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from umpire.api.authentication import principal_of

logger = logging.getLogger(__name__)

REDIS_WITHIN = 0.25
"""Seconds that Redis has for a count."""
WITHOUT_REDIS = 10.0
"""Seconds for which it is not asked when it did not answer; then one request asks, and no other waits for it."""
MOST = 20_000
"""Counts kept in a process."""
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def rate_of(name: str) -> tuple[int, int] | None:
    """How many in how many seconds, from the settings; None where there is no limit."""
    said = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"].get(name)
    if not said:
        return None
    count, _, per = said.partition("/")
    return int(count), SECONDS[per[0]]


class Counts:
    """Counts in windows of time. The window before counts for as much of it as still lies within the last span."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.own: dict[str, int] = {}
        self.ends: dict[str, float] = {}
        self.client: Any = None
        self.client_url = ""
        self.is_away = False
        self.again_at = 0.0

    def wait(self, key: str, limit: int, seconds: int) -> float:
        """Counts one more of `key` and gives 0; or counts none, and gives the seconds after which there is room."""
        now = time.time()
        window, gone = divmod(now, seconds)
        names = [f"umpire:count:{key}:{seconds}:{int(window) - back}" for back in (0, 1)]
        share = 1 - gone / seconds
        present, before = self._added(names, 1, 2 * seconds)
        if present + before * share <= limit:
            return 0
        self._added(names, -1, 2 * seconds)
        if present - 1 >= limit or not before:  # there is room when this window has become the one before
            return seconds - gone
        return max(1.0, (share - (limit - present) / before) * seconds)

    def clear(self) -> None:
        """Forgets what this process has counted."""
        with self.lock:
            self.own.clear()
            self.ends.clear()

    def _added(self, names: list[str], count: int, lasts: int) -> tuple[int, int]:
        if settings.REDIS_URL and self._may_ask():
            try:
                found = self._added_in_redis(names, count, lasts)
            except Exception as failure:
                self.is_away, self.again_at = True, time.monotonic() + WITHOUT_REDIS
                logger.warning("Redis is away (%s): this process counts for itself", failure)
            else:
                self.is_away = False
                return found
        with self.lock:
            now = time.monotonic()
            if len(self.own) >= MOST:
                for name in [name for name, end in self.ends.items() if end < now] or list(self.own):
                    del self.own[name], self.ends[name]
            present = self.own[names[0]] = self.own.get(names[0], 0) + count
            self.ends.setdefault(names[0], now + lasts)
            return present, self.own.get(names[1], 0)

    def _may_ask(self) -> bool:
        """Whether Redis is to be asked: of many at the same moment one finds out whether it is there again."""
        if not self.is_away:
            return True
        with self.lock:
            if time.monotonic() < self.again_at:
                return False
            self.again_at = time.monotonic() + WITHOUT_REDIS
            return True

    def _added_in_redis(self, names: list[str], count: int, lasts: int) -> tuple[int, int]:
        with self._client().pipeline(transaction=True) as pipe:
            pipe.incrby(names[0], count).expire(names[0], lasts).get(names[1])
            present, _, before = pipe.execute()
        return int(present), int(before or 0)

    def _client(self) -> Any:
        import redis  # noqa: PLC0415 - ten megabytes that a server without Redis does not need
        from redis.backoff import NoBackoff  # noqa: PLC0415
        from redis.retry import Retry  # noqa: PLC0415

        with self.lock:
            if self.client is None or self.client_url != settings.REDIS_URL:
                self.client = redis.Redis.from_url(
                    settings.REDIS_URL,
                    socket_connect_timeout=REDIS_WITHIN,
                    socket_timeout=REDIS_WITHIN,
                    retry=Retry(NoBackoff(), 0),
                )
                self.client_url = settings.REDIS_URL
            return self.client


counts = Counts()


def place_of(address: str) -> str:
    """What of an address counts as one: an IPv4 address, the first half of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return hashlib.sha256(address.encode()).hexdigest()[:16]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return str(ipaddress.ip_network((found, 64), strict=False))
        found = found.ipv4_mapped
    return str(found)


class Throttle(BaseThrottle):
    """Counts a request against the rate called `name`, and under the name that `key` gives it."""

    name = ""
    left = 0.0

    def key(self, request: Request, view: Any) -> str | None:
        """Whose request it is; None for one that is not counted."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: Any) -> bool:
        rate = rate_of(self.name)
        key = self.key(request, view) if rate else None
        if rate is None or key is None:
            return True
        self.left = counts.wait(f"{self.name}:{key}", *rate)
        return not self.left

    def wait(self) -> float:
        return self.left


class Strangers(Throttle):
    """Requests of whoever is not known, by his address."""

    name = "anon"

    def key(self, request: Request, view: Any) -> str | None:
        return None if principal_of(request) else place_of(self.get_ident(request) or "")


class Doors(Throttle):
    """Attempts to come in, by address: where a view has the scope "join"."""

    name = "join"

    def key(self, request: Request, view: Any) -> str | None:
        return place_of(self.get_ident(request) or "") if getattr(view, "throttle_scope", "") == self.name else None


class Seats(Throttle):
    """What a seat or an account sends that may change something: far more than hands can do."""

    name = "seat"

    def key(self, request: Request, view: Any) -> str | None:
        principal = principal_of(request)
        return principal.actor if principal and request.method not in ("GET", "HEAD") else None


def attempt(account: str) -> None:
    """Counts an attempt to sign in as somebody, wherever it comes from. Raises Throttled."""
    rate = rate_of("account")
    if rate is None:
        return
    name = hashlib.sha256(account.casefold().encode()).hexdigest()[:32]
    if wait := counts.wait(f"account:{name}", *rate):
        raise exceptions.Throttled(wait)
