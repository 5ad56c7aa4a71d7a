"""Problem documents (RFC 9457): what is wrong, where, and what would be right; the same for all who may not know more.

Whatever a text says comes from the request itself or from what its seat believes. A thing that is not yours and a thing
that does not exist are one and the same problem, byte for byte.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import msgspec
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import Http404
from msgspec import Struct
from rest_framework import exceptions
from rest_framework.response import Response

from umpire.battles.errors import LONGEST_REASON, MOST_REASONS, bounded, cut
from umpire.kernel.values.modifiers import Refusal
from umpire.serving.problem_responses import AGAIN
from umpire.serving.wait_budget import is_unavailable

logger = logging.getLogger(__name__)

FAULT = "The server's log says more. Look whether this request was done before it is sent anew."
CONTENT_TYPE = "application/problem+json"


class Fault(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing wrong with the input. `pointer` is a JSON pointer into the body, or "?name" for the address."""

    pointer: str
    detail: str
    right: str = ""


class ProblemDocument(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an error looks like, whatever the error. `refusals` say why an order is not accepted, `errors` what is wrong
    with the input; `etag` is the tag that the seat's view has now."""

    type: str
    title: str
    status: int
    detail: str = ""
    refusals: tuple[Refusal, ...] = ()
    errors: tuple[Fault, ...] = ()
    etag: str = ""


TITLES: Mapping[str, tuple[int, str]] = {
    "malformed": (400, "This cannot be read."),
    "invalid": (422, "This can be read, but will not do."),
    "not-authenticated": (401, "Who are you?"),
    "not-found": (404, "There is nothing here."),
    "method-not-allowed": (405, "This cannot be done here."),
    "refused": (409, "This is not allowed now."),
    "conflict": (409, "This key was used for something else."),
    "waiting": (409, "Something else is still being done."),
    "stale": (412, "What you see is not up to date."),
    "too-large": (413, "This is too large."),
    "precondition-required": (428, "Say which view this is about."),
    "throttled": (429, "Too many attempts."),
    "fault": (500, "Something went wrong here."),
    "unavailable": (503, "This cannot be done at the moment."),
}
"""Each type with its status and its title."""


class Problem(Exception):
    """Ends a request with a problem document. Raises KeyError for a type that is not in `TITLES`."""

    def __init__(
        self,
        kind: str,
        detail: str = "",
        *,
        errors: Sequence[Fault] = (),
        refusals: Sequence[Refusal] = (),
        etag: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        status, title = TITLES[kind]
        super().__init__(detail or title)
        self.headers = dict(headers or {})
        self.document = ProblemDocument(
            type=f"/problems/{kind}",
            title=title,
            status=status,
            detail=cut(detail, 4 * LONGEST_REASON),
            errors=tuple(
                Fault(pointer=cut(one.pointer), detail=cut(one.detail), right=cut(one.right))
                for one in errors[:MOST_REASONS]
            ),
            refusals=bounded(refusals),
            etag=etag,
        )

    def response(self) -> Response:
        response = Response(
            msgspec.to_builtins(self.document),
            status=self.document.status,
            headers=self.headers,
            content_type=CONTENT_TYPE,
        )
        # Why it is unavailable is in the log already; Django would add a line to each.
        response._has_been_logged = self.document.status == 503
        return response


def not_found() -> Problem:
    """The one answer to whatever does not exist or is not yours."""
    return Problem("not-found", "It does not exist, or it is not yours.")


def not_authenticated() -> Problem:
    return Problem(
        "not-authenticated",
        "Send the token of your device as `Authorization: Bearer …`, or sign in.",
        headers={"WWW-Authenticate": 'Bearer realm="umpire"'},
    )


def invalid(pointer: str, detail: str, right: str = "") -> Problem:
    """One field that will not do."""
    return Problem("invalid", detail, errors=(Fault(pointer=pointer, detail=detail, right=right),))


def unavailable(raised: BaseException, *, is_known: bool = False) -> Problem:
    """The database is away, or does not answer. `is_known` says that nothing can have been done of the request."""
    known = "Nothing of this request was done." if is_known else "It is not known whether this request was done."
    again = "Send it again in a moment, with the same Idempotency-Key where it has one."
    logger.warning("The database cannot be used: %s", str(raised).partition("\n")[0])
    return Problem("unavailable", f"The database does not answer. {known} {again}", headers={"Retry-After": str(AGAIN)})


def problem_of(raised: BaseException) -> Problem | None:
    """The problem that an exception stands for, or None for a fault of ours."""
    match raised:
        case Problem():
            return raised
        case Http404() | exceptions.NotFound():
            return not_found()
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return not_authenticated()
        case exceptions.PermissionDenied():
            # Raised by nothing but the check of the token that guards cookies against other sites' pages.
            return Problem("not-authenticated", f"{raised.detail} Send the cookie's token as X-CSRFToken.")
        case exceptions.MethodNotAllowed():
            return Problem("method-not-allowed", "This address does not take that method.")
        case exceptions.Throttled():
            wait = int(raised.wait or 1) + 1
            return Problem("throttled", f"Try again in {wait} seconds.", headers={"Retry-After": str(wait)})
        case _ if is_unavailable(raised):
            return unavailable(raised)
        case TooManyFieldsSent():
            return Problem("malformed", "There are too many parameters.")
        case RequestDataTooBig():
            return Problem("too-large", "The body is larger than this server takes.")
        case _:
            return None


def problem_of_fault(raised: BaseException | None, method: str | None) -> Problem:
    """The problem of what was raised outside any view."""
    if raised is not None and is_unavailable(raised):
        return unavailable(raised, is_known=method in ("GET", "HEAD"))
    return (None if raised is None else problem_of(raised)) or Problem("fault", FAULT)
