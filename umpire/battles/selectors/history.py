"""The ledger, for the umpire; the whole record once a battle is finished and opened."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from umpire.battles.errors import NotYours
from umpire.battles.heads import Head, read_head
from umpire.battles.models import Battle, Entry, Line
from umpire.battles.moments import iso
from umpire.battles.paths import decoded
from umpire.battles.publishing import chronicle_line
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.ledger import Answered, Asked, Begun, Corrected, Ended, Happened, applied

MOST = 500


def ledger_for(*, battle: Battle, before: int | None = None, limit: int = 50) -> list[dict[str, Any]]:
    """The last entries below depth `before`, oldest first: `{depth, line, kind, text, rule?, working?, cut, at}`.

    `cut` says that the battle can be taken back to before this entry.
    """
    head = read_head(battle.id)
    high = head.battle.depth if before is None else max(0, min(before, head.battle.depth))
    low = max(0, high - max(1, min(limit, MOST)))
    rows = head.path.rows(low, high)
    return _told(head, rows, head.state_at(low))


def _told(head: Head, rows: list[Entry], state: Any) -> list[dict[str, Any]]:
    told = []
    names = _names(head)
    for row, entry in zip(rows, decoded(head.battle.system, rows), strict=True):
        before = state
        if isinstance(entry, Happened | Corrected):
            state = applied(head.package, state, entry.event)
        noticed = isinstance(entry, Happened) and isinstance(entry.event, KnowledgeEvent)
        told.append(
            {
                "depth": row.depth,
                "line": row.line,
                "kind": row.kind,
                "at": iso(row.at),
                "cut": not noticed,
                **_in_words(head, entry, before, state, names),
            }
        )
        if isinstance(entry, Asked):
            for question in entry.questions.values():
                names |= {choice.id: choice.label for choice in question.choices}
    return told


def _names(head: Head) -> dict[str, str]:
    """What commands, groups and pieces are called, by id, for the umpire."""
    truth = head.package.truth(head.state)
    labels = {key: piece.label for key, piece in truth.pieces.items()}
    named = {**truth.groups, **truth.commands}
    return {**labels, **{key: each.name for key, each in named.items()}}


def _verb(verb: str) -> str:
    """A verb as people write it: "GivePlan" and "give_plan" are "give plan"."""
    return re.sub("([a-z])([A-Z])", r"\1 \2", verb).replace("_", " ").lower()


def _in_words(head: Head, entry: Any, before: Any, state: Any, names: Mapping[str, str]) -> dict[str, Any]:
    line = chronicle_line(head.package, entry, before, state)
    if line is not None:
        told = msgspec.to_builtins(line)
        text, rule = told.pop("text"), told.pop("rule", "")
        if isinstance(entry, Corrected):
            text = f"{entry.by}: {text} ({entry.reason})"
        return {"text": text, **({"rule": rule} if rule else {}), **({"working": told} if told else {})}
    match entry:
        case Begun(kind="order"):
            return {"text": f"{entry.giver}: {_verb(entry.order.get('verb', 'order'))}", "working": dict(entry.order)}
        case Begun(kind="carry"):
            return {"text": f"The plan of {names.get(entry.giver, entry.giver)} is carried on."}
        case Begun():
            return {"text": "What follows by itself."}
        case Asked():
            asked = entry.questions.items()
            prompts = "; ".join(
                f"{names.get(command, command)} is asked: {question.prompt}" for command, question in asked
            )
            return {"text": prompts, "working": msgspec.to_builtins(entry.questions)}
        case Answered():
            taken = ", ".join(names.get(choice, choice) for choice in entry.choices) or "declined"
            return {"text": f"{names.get(entry.command, entry.command)} answers ({entry.how}): {taken}"}
        case Ended(how="done"):
            return {"text": "Done."}
        case Ended():
            return {"text": f"{entry.how.capitalize()}. {entry.reason}".strip()}
        case _:
            return {"text": ""}


def record_for(*, battle: Battle) -> dict[str, Any]:
    """Ledger, lines and dice secret of a battle that is finished and opened. Raises NotYours before.

    `chronicle` is the line that was played to the end, in words: `{depth, at, line}`; without what was noticed.
    """
    head = read_head(battle.id)
    if head.battle.status != Battle.Status.FINISHED or not head.battle.is_opened:
        raise NotYours
    lines: Mapping[int, Line] = {line.number: line for line in Line.objects.filter(battle_id=battle.id)}
    rows = Entry.objects.filter(battle_id=battle.id).order_by("line", "depth")
    return {
        "battle": head.battle.id,
        "system": head.battle.system,
        "scenario": head.battle.scenario,
        "head": {"line": head.battle.line, "depth": head.battle.depth, "digest": head.battle.digest},
        "commitment": head.battle.commitment,
        "secret": bytes(head.battle.secret).hex(),
        "lines": [
            {
                "number": line.number,
                "fork": line.fork,
                "dice": line.dice,
                "reason": line.reason,
                **({} if line.parent is None else {"parent": line.parent}),
            }
            for line in sorted(lines.values(), key=lambda line: line.number)
        ],
        "entries": [
            {
                "line": row.line,
                "depth": row.depth,
                "at": iso(row.at),
                "version": row.version,
                "entry": msgspec.json.decode(bytes(row.body)),
            }
            for row in rows
        ],
        "chronicle": _chronicle(head),
    }


def _chronicle(head: Head) -> list[dict[str, Any]]:
    rows, state = head.path.rows(0, head.battle.depth), head.state_at(0)
    told = []
    for row, entry in zip(rows, decoded(head.battle.system, rows), strict=True):
        before = state
        if isinstance(entry, Happened | Corrected):
            state = applied(head.package, state, entry.event)
            if isinstance(entry.event, KnowledgeEvent):
                continue
        line = chronicle_line(head.package, entry, before, state)
        if line is not None:
            told.append({"depth": row.depth, "at": iso(row.at), "line": msgspec.to_builtins(line)})
    return told
