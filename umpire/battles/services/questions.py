"""Answers to questions, and dice typed in."""

from __future__ import annotations

from collections.abc import Sequence

from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Question, Seat


def question_answer(
    *,
    battle: Battle,
    seat: Seat,
    question_id: str,
    choices: Sequence[str] | None = None,
    faces: Sequence[int] | None = None,
    once: Once | None = None,
) -> Question:
    """Answers a question (`choices`; empty declines an offer) or types in the dice of a roll (`faces`).

    The umpire may answer for everybody. Raises NotYours (also for a question that is void or answered), BadInput,
    Refused.
    """
    raise NotImplementedError
