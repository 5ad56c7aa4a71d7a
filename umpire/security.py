"""What keeps browsers and logs from giving away what they should not."""

import logging
import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

POLICY_HEADER = "Content-Security-Policy"


class ContentSecurityPolicy(MiddlewareMixin):
    """Sends settings.CONTENT_SECURITY_POLICY with every answer that has no policy of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.policy = "; ".join(f"{name} {value}" for name, value in settings.CONTENT_SECURITY_POLICY.items())

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response.headers.setdefault(POLICY_HEADER, self.policy)
        return response


# What lets somebody in: invite codes in paths, tokens and tickets in queries, headers and bodies.
SECRETS = [
    (re.compile(r"(/(?:join|invites?|tickets?)/)[^/\s?\"']+", re.IGNORECASE), r"\1[redacted]"),
    (re.compile(r"([?&](?:ticket|token|code|invite|key|password)=)[^&\s\"']+", re.IGNORECASE), r"\1[redacted]"),
    (
        re.compile(r"(authorization[\"']?\s*[:=,]\s*b?[\"']?)(?:(bearer|token|basic)\s+)?[^\s\"',)]+", re.IGNORECASE),
        r"\1[redacted]",
    ),
    (re.compile(r"\b(bearer\s+)[\w.~+/=-]{8,}", re.IGNORECASE), r"\1[redacted]"),
    (
        re.compile(r"([\"'](?:ticket|token|code|invite|password|secret)[\"']\s*:\s*[\"'])[^\"']+", re.IGNORECASE),
        r"\1[redacted]",
    ),
]


def redacted(text: str) -> str:
    """The text with everything that lets somebody in replaced."""
    for pattern, replacement in SECRETS:
        text = pattern.sub(replacement, text)
    return text


class RedactingFormatter(logging.Formatter):
    """Formats a record, traceback included, without what lets somebody in.

    A filter sees a record before its arguments and its traceback are put together; a formatter has the last word.
    """

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))
