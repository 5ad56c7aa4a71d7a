"""Settings: what a battle is fought with and never changes: map, book, module, switches, scenario.

A setting has a public half and an umpire's half, each stored once under its digest. A state names its halves by digest;
a slice carries the public digest only, so that nothing that serves a seat can reach the other half.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Meta, Struct

from umpire.kernel.codec import digest_of, encode

T = TypeVar("T")


class Setting(Struct, frozen=True):
    """Both halves of a setting, as structs of the package."""

    public: Any
    umpire: Any


def asked(question: str, *, note: str = "", only_if: Mapping[str, str] | None = None, **choices: str) -> Meta:
    """How an option is asked for when a battle is made: the question, what its values are called, and the values of
    other options without which it is not asked."""
    return Meta(title=question, description=note, extra={"choices": choices, "only_if": dict(only_if or {})})


BY_PLANS = "Hidden forces follow their plans by themselves"
BY_HAND = "Otherwise somebody may also lead them by hand."


class BadInput(ValueError):
    """Input that cannot be used: what is wrong, where (file, key, line), and what would be right."""

    def __init__(self, text: str, *, file: str = "", where: str = "", right: str = "") -> None:
        place = ": ".join(part for part in (file, where) if part)
        super().__init__(". ".join(part for part in (f"{place}: {text}" if place else text, right) if part))
        self.text, self.file, self.where, self.right = text, file, where, right


_halves: dict[str, Any] = {}
_loaders: list[Callable[[str], Any]] = []


def remember(setting: Setting) -> tuple[str, str]:
    """Keeps both halves; gives their digests (public, umpire's)."""
    digests = digest_of(encode(setting.public)), digest_of(encode(setting.umpire))
    _halves[digests[0]], _halves[digests[1]] = setting.public, setting.umpire
    return digests


def remember_half(digest: str, value: Any) -> None:
    """Keeps a half under the digest of the bytes that were stored, which are not its own where it has been upcast."""
    _halves[digest] = value


def half(digest: str) -> Any:
    """The half of a setting with this digest. Raises LookupError where nobody has it."""
    if digest not in _halves:
        for loader in _loaders:
            found = loader(digest)
            if found is not None:
                _halves[digest] = found
                break
        else:
            raise LookupError(f"no setting with digest {digest[:12]} is known here")
    return _halves[digest]


def add_loader(loader: Callable[[str], Any]) -> None:
    """Lets a store (a database) supply halves that this process has not seen."""
    _loaders.append(loader)
