"""Answers to questions, and dice typed in."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from umpire.battles.errors import BadInput, Fault, NotYours, Refused
from umpire.battles.heads import Head
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Question, Seat
from umpire.battles.parsing import must_be_running
from umpire.battles.publishing import Change, Landed, commit, keeper
from umpire.battles.services.orders import work_at_queue
from umpire.kernel import running
from umpire.kernel.ledger import Answered
from umpire.kernel.values.modifiers import Refusal


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

    def work(head: Head) -> Change:
        must_be_running(head.battle)
        question = _waiting(head, seat, question_id)
        if question.is_roll != (faces is not None) or (choices is None) == (faces is None):
            wanted = ("faces", "a list of faces") if question.is_roll else ("choices", "a list of ids of choices")
            raise BadInput([Fault(f"/{wanted[0]}", f"this wants {wanted[1]}")])
        if faces is not None:
            refusals, done = running.throw(head.package, head.position, faces, seat.name, head.sources)
        else:
            is_own = question.command in seat.commands
            answered = Answered(
                command=question.command,
                choices=tuple(choices or ()),
                by=seat.name,
                how="given" if is_own else "umpire",
            )
            refusals, done = running.answer(head.package, head.position, answered, head.sources)
        if done is None:
            raise Refused(refusals or (Refusal(reason="Nothing waits for this."),))

        def then(landed: Landed) -> Question:
            question.status, question.answered = Question.Status.ANSWERED, timezone.now()
            question.save(update_fields=["status", "answered"])
            return question

        return Change(steps=done.steps, position=done.position, then=then)

    question: Question = commit(battle.id, work, keeper(once))
    work_at_queue(battle.id)
    return question


def _waiting(head: Head, seat: Seat, question_id: str) -> Question:
    """The question, if it waits and this seat may answer it. Raises NotYours."""
    present = next((each for each in head.seats if each.id == seat.id), None)
    question = Question.objects.filter(pk=question_id, battle_id=head.battle.id, status=Question.Status.WAITING).first()
    if present is None or present.is_revoked or question is None:
        raise NotYours
    if present.role != Seat.Role.UMPIRE and (not question.command or question.command not in present.commands):
        raise NotYours
    return question
