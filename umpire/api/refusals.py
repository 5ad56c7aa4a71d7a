"""The problems that the services' refusals become."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from rest_framework.response import Response

from umpire.api.problems import FAULT, Fault, Problem, not_found, problem_of, unavailable
from umpire.battles import errors
from umpire.kernel.settings import BadInput
from umpire.serving.wait_budget import is_unavailable

logger = logging.getLogger(__name__)


def problem_of_service(raised: BaseException) -> Problem | None:
    """The problem that an exception of a service stands for, or None for a fault of ours."""
    match raised:
        case errors.NotYours():
            return not_found()
        case errors.Refused():
            said = " ".join(refusal.reason for refusal in raised.refusals)
            return Problem("refused", said, refusals=raised.refusals)
        case errors.Stale():
            return stale(raised.tag)
        case errors.Busy():
            return Problem("waiting", str(raised))
        case errors.Mismatch():
            return Problem("conflict", "The Idempotency-Key was sent before with another request; take a new key.")
        case errors.BadInput():
            found = [Fault(pointer=one.pointer, detail=one.detail, right=one.right) for one in raised.faults]
            return Problem("invalid", str(raised), errors=found)
        case BadInput():
            return Problem("invalid", str(raised), errors=[_fault_of(raised)])
        case _:
            return None


def stale(tag: str) -> Problem:
    """The view has changed since the act was decided on; the tag of the present one goes along."""
    return Problem("stale", "Look again, then decide.", etag=tag, headers={"ETag": quoted(tag)})


def quoted(tag: str) -> str:
    return f'"{tag}"'


def _fault_of(raised: BadInput) -> Fault:
    """A fault of a scenario or data file: its place is the file's key, line or option."""
    place = "/".join(part for part in (raised.file, raised.where.replace(".", "/")) if part)
    return Fault(pointer=f"/{place}" if place else "", detail=raised.text, right=raised.right)


def exception_handler(raised: Exception, context: Mapping[str, Any]) -> Response:
    """What Django REST framework asks for the answer to an exception."""
    is_reading = getattr(context.get("request"), "method", "") in ("GET", "HEAD")
    if is_unavailable(raised):
        return unavailable(raised, is_known=is_reading).response()
    problem = problem_of(raised) or problem_of_service(raised)
    if problem is None:
        logger.exception("A request to %s failed", type(context.get("view")).__name__, exc_info=raised)
        problem = Problem("fault", FAULT)
    return problem.response()
