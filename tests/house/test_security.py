"""Headers of every answer, and logs without what lets somebody in."""

import io
import logging
import logging.config

import pytest
from django.conf import settings
from django.test import Client

from umpire.security import RedactingFormatter, redacted
from umpire.serving.log_limit import RateLimit


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/", "/join/ABCD-EFGH", "/nowhere"])
def test_every_answer_says_what_a_page_may_load_and_who_may_frame_it(path: str) -> None:
    answer = Client().get(path)
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src" not in policy, "scripts come from here alone, by default-src"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("GET /join/ABCD-EFGH HTTP/1.1", "ABCD-EFGH"),
        ("POST /api/v1/invites/K7QX2M/accept", "K7QX2M"),
        ("GET /live/battles/5?ticket=t0psecret&last=3", "t0psecret"),
        ("headers: {'Authorization': 'Bearer abc.def-ghi'}", "abc.def-ghi"),
        ("(b'authorization', b'Bearer abcdefgh12345')", "abcdefgh12345"),
        ("Authorization: Token 0123456789", "0123456789"),
        ('body {"token": "s3cr3t-value", "name": "Anna"}', "s3cr3t-value"),
    ],
)
def test_what_lets_somebody_in_is_redacted(line: str, secret: str) -> None:
    assert secret not in redacted(line)
    assert "[redacted]" in redacted(line)


@pytest.mark.parametrize("line", ["GET /battle/5 200", "joined the battle", "3 units in /desk/units?kind=cards"])
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert redacted(line) == line


def test_arguments_and_tracebacks_are_redacted_too() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(RedactingFormatter("%(message)s"))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    logger.warning("Not Found: %s", "/join/ABCD-EFGH")
    try:
        raise LookupError("no seat for /join/ZZZZ-YYYY")
    except LookupError:
        logger.exception("failed")
    written = stream.getvalue()
    assert "ABCD-EFGH" not in written
    assert "ZZZZ-YYYY" not in written
    assert "Traceback" in written


def test_what_is_said_again_and_again_is_said_a_few_times() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    limit = RateLimit(seconds=60, times=3)
    handler.addFilter(limit)
    logger = logging.Logger("test")
    logger.addHandler(handler)
    for number in range(1000):
        logger.warning("Redis is away for the %dth time", number)
        logger.info("served")
    logger.warning("something else")
    written = stream.getvalue()
    assert written.count("Redis is away") == 3
    assert written.count("served") == 1000, "what is no warning is not counted"
    assert written.count("something else") == 1
    limit.seconds = 0
    logger.warning("Redis is away for the %dth time", 1000)
    assert stream.getvalue().endswith("1000th time (and 997 more of this kind)\n")


def test_every_handler_of_the_server_redacts_and_is_not_flooded() -> None:
    formatters = settings.LOGGING["formatters"]
    for handler in settings.LOGGING["handlers"].values():
        assert formatters[handler["formatter"]]["()"] == "umpire.security.RedactingFormatter"
        assert handler["filters"] == ["rate_limit"]
    for logger in settings.LOGGING["loggers"].values():
        assert logger["handlers"] == []
        assert logger["propagate"]
