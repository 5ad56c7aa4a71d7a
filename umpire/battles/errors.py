"""Why a service or selector does not do what it was asked for. Texts come from believed states alone."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from umpire.kernel.values.modifiers import Refusal

LONGEST_REASON = 600
"""Characters of a reason: one that repeats what was sent could be as long as that."""
MOST_REASONS = 20


def cut(text: str, longest: int = LONGEST_REASON) -> str:
    """A text as far as it is told."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def bounded(refusals: Sequence[Refusal]) -> tuple[Refusal, ...]:
    """Refusals as they are told and kept."""
    return tuple(
        replace(refusal, reason=cut(refusal.reason), field=cut(refusal.field)) for refusal in refusals[:MOST_REASONS]
    )


class BattleError(Exception):
    """What the services raise. Nothing has been changed."""


class NotYours(BattleError):
    """It is not this seat's, or it does not exist: nobody is told which."""


class Refused(BattleError):
    """The rules do not accept it, for reasons that its giver could know."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        self.refusals = bounded(refusals)
        super().__init__("; ".join(refusal.reason for refusal in self.refusals))


class Stale(BattleError):
    """It was decided on an older view; `tag` is the ETag of the present one."""

    def __init__(self, tag: str) -> None:
        super().__init__("the view has changed meanwhile")
        self.tag = tag


class Busy(BattleError):
    """The battle waits for something, and this cannot be done until that is settled."""


class Fault(Struct, frozen=True):
    """One thing wrong with some input: where (a JSON pointer), what, and what would be right."""

    pointer: str
    detail: str
    right: str = ""


class BadInput(BattleError):
    """Input that cannot be used."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(
            Fault(cut(fault.pointer), cut(fault.detail), cut(fault.right)) for fault in faults[:MOST_REASONS]
        )
        super().__init__("; ".join(f"{fault.pointer or '/'}: {fault.detail}" for fault in self.faults))


class Repeated(BattleError):
    """Another request with the same idempotency key was quicker; its reply is kept."""


class Mismatch(BattleError):
    """An idempotency key was used before for another request."""
