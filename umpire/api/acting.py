"""Acting requests: one effect and one answer for each key, and the view that an act is about."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api.problems import CONTENT_TYPE, Problem, unavailable
from umpire.api.refusals import problem_of_service
from umpire.api.resource import Resource, encode
from umpire.battles.errors import BattleError, Refused, Repeated
from umpire.battles.idempotency import Once, Rendered, reply_for, reply_keep
from umpire.battles.models import Reply
from umpire.battles.selectors import is_taken_back
from umpire.serving.wait_budget import is_unavailable

T = TypeVar("T")

logger = logging.getLogger(__name__)

LONGEST_KEY = 200
LONGEST_ADDRESS = 300


def key_of(request: Request) -> str:
    """The Idempotency-Key. Raises Problem "malformed" where there is none that will do."""
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        raise Problem("malformed", "Send an Idempotency-Key with this request: a text of your own, new for each act.")
    if len(key) > LONGEST_KEY or not all("!" <= character <= "~" for character in key):
        raise Problem("malformed", f"An Idempotency-Key has 1 to {LONGEST_KEY} visible ASCII characters.")
    return key


def tag_of(request: Request) -> str:
    """The view's tag in If-Match. Raises Problem "precondition-required" without one, and for `*`."""
    given = request.headers.get("If-Match", "").strip()
    if not given:
        raise Problem("precondition-required", "Send the ETag of the view that you decided on as If-Match.")
    if given == "*":
        raise Problem("precondition-required", "If-Match: * will not do; send the ETag of the view you decided on.")
    tag = plain_tag(given)
    if not tag or '"' in tag or "," in tag:
        raise Problem("malformed", "If-Match is one ETag, as it was received.")
    return tag


def plain_tag(given: str) -> str:
    """A tag however it was received: in a header (in quotation marks, perhaps made weak by a proxy), or in a body."""
    given = given.strip().removeprefix("W/")
    is_quoted = len(given) > 1 and given[0] == given[-1] == '"'
    return given[1:-1] if is_quoted else given


def act(
    resource: Resource,
    service: Callable[[Once], T],
    show: Callable[[T], Any],
    *,
    status: int = 200,
    headers: Callable[[T], Mapping[str, str]] | None = None,
    once_only: Callable[[T], Any] | None = None,
) -> Response:
    """Lets a service act once for this request's key; the answer is what `show` makes of its result.

    `show` runs inside the service's transaction. After its commit nothing fails the answer any more: what goes wrong
    then (whoever should be woken is not) is put right by others. Where the commit itself fails nobody knows what was
    done, and the answer says so. `once_only` shows what must not be kept (a code): it is answered instead the first
    time, and a repeated request gets what `show` makes.
    """
    request = resource.request
    shown_once: list[bytes] = []

    def render(result: T) -> Rendered:
        if once_only is not None:
            shown_once[:] = [encode(once_only(result))]
        rendered = Rendered(status, encode(show(result)), dict(headers(result)) if headers else {})
        fresh[:] = [rendered]
        transaction.on_commit(lambda: committed.append(rendered))
        return rendered

    if len(address := request.get_full_path()) > LONGEST_ADDRESS:
        raise Problem("malformed", f"An address to act at has at most {LONGEST_ADDRESS} characters.")
    fresh: list[Rendered] = []
    committed: list[Rendered] = []
    once = Once(
        actor=resource.principal.actor,
        key=key_of(request),
        method=request.method or "",
        path=address,
        body_hash=hashlib.sha256(request.body).hexdigest(),
        render=render,
    )
    if (reply := reply_for(once)) is not None:
        return _again(reply)
    try:
        service(once)
    except BattleError as error:
        # The same request may have been quicker elsewhere: then its answer is this one's, whatever this one met.
        if (reply := reply_for(once)) is not None:
            return _again(reply)
        if isinstance(error, Repeated):  # the quicker one was undone in the end: whoever sends again acts
            raise Problem("waiting", "The same request is still being done; send it again.") from None
        if isinstance(error, Refused):
            return _refused(once, error)
        raise
    except Exception as error:
        if not committed and is_unavailable(error):
            raise unavailable(error, is_known=not fresh) from error
        if not committed:
            raise
        logger.exception("A request was done, but what follows its commit failed")
    [rendered] = committed or fresh
    return Response(shown_once[0] if shown_once else rendered.body, status=status, headers=dict(rendered.headers))


def _refused(once: Once, error: Refused) -> Response:
    """The problem of a refusal, kept so that the same key gives it again."""
    problem = problem_of_service(error)
    assert problem is not None
    body = encode(problem.document)
    reply = reply_keep(once, Rendered(problem.document.status, body, problem.headers))
    if bytes(reply.body) != body:
        return _again(reply)
    raise problem


def _again(reply: Reply) -> Response:
    """A kept answer, byte for byte; marked where a rewind has taken back what it tells of."""
    body = bytes(reply.body)
    if is_taken_back(reply):
        told = msgspec.json.decode(body)
        body = encode({**told, "taken_back": True}) if isinstance(told, dict) else body
    return Response(
        body,
        status=reply.status,
        headers={**reply.headers, "Idempotent-Replayed": "true"},
        content_type=CONTENT_TYPE if reply.status >= 400 else None,
    )
