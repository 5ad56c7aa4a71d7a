"""What lets somebody in: codes of seats and tokens of devices. Only their hashes are stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from django.conf import settings

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that nobody takes for another: no I, O, 0, 1."""
LENGTH = 10


def new_code() -> str:
    """A seat's code, to be read aloud or typed: "ABCDE-FGHJK"."""
    return _grouped("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)))


def derived_code(name: str) -> str:
    """The code that this server gives a thing of this name, the same each time."""
    digest = hmac.new(settings.SECRET_KEY.encode(), f"code\x1f{name}".encode(), hashlib.sha256).digest()
    return _grouped("".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:LENGTH]))


def _grouped(code: str) -> str:
    return f"{code[:5]}-{code[5:]}"


def hash_of_code(code: str) -> str:
    """The hash of a code, however it was typed. Keyed, for a code is short enough to be tried out."""
    plain = "".join(code.split()).replace("-", "").upper()
    return hmac.new(settings.SECRET_KEY.encode(), f"seat\x1f{plain}".encode(), hashlib.sha256).hexdigest()


def new_token() -> str:
    """A device's token: 256 random bits."""
    return secrets.token_urlsafe(32)


def hash_of_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
