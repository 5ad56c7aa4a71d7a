"""Hidden forces carry on their plans.

All plans that are due are carried on in their fixed order and published in one transaction, so that the moment tells
nothing of who moved. Orders given meanwhile go on as ever: whoever commits second computes again.
"""

from __future__ import annotations

import logging

from umpire.battles import outbox
from umpire.battles.errors import NotYours
from umpire.battles.heads import Head
from umpire.battles.models import Battle, Outbox
from umpire.battles.publishing import Change, commit, give_way
from umpire.battles.services.orders import work_at_queue
from umpire.kernel import running
from umpire.kernel.checkpoints import at_checkpoints
from umpire.kernel.ledger import Begun
from umpire.serving import priority

log = logging.getLogger(__name__)


class _Nothing(Exception):
    """There is nothing to do, and why."""


def carry_due(*, battle_id: str, line: int, depth: int) -> str:
    """Carries on all plans that are due because of the ledger entry named, in one transaction that strikes the work out
    of the outbox: "carried", "paused" (a question waits), "waits" (another ruling does), "void" or "done already"."""

    low_priority = priority.LowPriority()

    def work(head: Head) -> Change:
        row = Outbox.objects.filter(battle_id=battle_id, task="carry", line=line, depth=depth, done=None).first()
        if row is None:
            raise _Nothing("done already")
        if head.battle.status != Battle.Status.RUNNING or not head.path.reaches(line, depth):
            outbox.strike(row, "void")
            raise _Nothing("void")
        if head.battle.open_depth is not None:
            raise _Nothing("waits")
        done = carried(head, low_priority)
        if not done.steps:
            outbox.strike(row, "nothing was due")
            raise _Nothing("done already")
        outcome = "paused" if done.position.open else "carried"
        return Change(steps=done.steps, position=done.position, then=lambda landed: outcome, strikes=row.pk)

    try:
        outcome: str = commit(battle_id, work, low_priority=low_priority)
    except _Nothing as nothing:
        return str(nothing)
    except NotYours:
        return "void"
    work_at_queue(battle_id)
    return outcome


def carried(head: Head, low_priority: priority.LowPriority) -> running.Done:
    """Every plan that is due carried on by one quantum, until a question or a fault stops it. Raises Overtaken."""
    steps: list[running.Step] = []
    position = head.position
    due = head.package.due(head.state)
    numbers = head.path.counts_of(due)
    for force in due:
        if position.open is not None:
            break
        if force not in head.package.due(position.state):  # what went before has ended its plan
            continue
        give_way(head, low_priority)
        begun = Begun(kind="carry", giver=force, number=numbers[force], dice=head.line.dice)
        with at_checkpoints(low_priority.give_way):
            done = running.begin(head.package, position, begun, head.sources)
        steps.extend(done.steps)
        position = done.position
    return running.Done(steps=tuple(steps), position=position)
