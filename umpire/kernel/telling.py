"""Telling commands of what happened: an event in other names, a sentence or a roll as a report.

What a package's `notice` needs beside its own rules of who perceives what. `reported` and `line_of` are each other's
inverse but for the words' order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from umpire.kernel.events import Event, Report
from umpire.kernel.ledger import Thrown
from umpire.kernel.registry import LogLine
from umpire.kernel.states import Scalar
from umpire.kernel.values.modifiers import total

E = TypeVar("E", bound=Event)

LINE, ROLL, MESSAGE = "line", "roll", "message"


def words(value: Any) -> Iterator[str]:
    """Every word of a value of builtins, the keys of mappings too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from words(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from words(inner)


def named(event: Event, ids: Collection[str]) -> tuple[str, ...]:
    """Those of the ids that an event names anywhere, in order."""
    return tuple(sorted(set(words(msgspec.to_builtins(event))).intersection(ids))) if ids else ()


def translated(event: E, names: Mapping[str, str]) -> E:
    """The event with other names for pieces. Where several stand together of whom one has another name they come in
    the order of their new names: in whatever order they stood, it is nothing that these names say."""
    if not names:
        return event
    plain = _renamed(msgspec.to_builtins(event), lambda word: names.get(word, word))
    return msgspec.convert(plain, type(event))


def reported(line: LogLine) -> Report:
    """A log line as the report that carries it to one command."""
    values: dict[str, Scalar] = {"text": line.text}
    if line.kind:
        values["kind"] = line.kind
    if line.pieces:
        values["pieces"] = " ".join(line.pieces)
    if line.faces:
        values["faces"] = " ".join(map(str, line.faces))
    return Report(
        key=LINE, values=dict(sorted(values.items())), places=line.at, modifiers=line.modifiers, rule=line.rule
    )


def line_of(report: Report) -> LogLine:
    """The log line that a report carries."""
    values = report.values
    return LogLine(
        text=str(values.get("text", "")),
        kind=str(values.get("kind", "")),
        rule=report.rule,
        modifiers=report.modifiers,
        faces=tuple(int(face) for face in str(values.get("faces", "")).split()),
        pieces=tuple(str(values.get("pieces", "")).split()),
        at=report.places,
    )


def thrown(cause: Thrown, subject: str = "") -> Report:
    """A roll as the report of it; `subject` in the words of whoever is told."""
    roll = cause.roll
    values: dict[str, Scalar] = {
        "purpose": roll.purpose,
        "dice": f"{roll.count}d{roll.sides}",
        "faces": " ".join(map(str, cause.faces)),
    }
    if roll.highest:
        values["highest"] = True
    if subject:
        values["subject"] = subject
    return Report(key=ROLL, values=dict(sorted(values.items())), modifiers=roll.modifiers, rule=roll.rule)


def roll_line(report: Report) -> LogLine:
    """The log line of a roll: what it was for, the faces, and what they come to with the modifiers."""
    values = report.values
    faces = tuple(int(face) for face in str(values["faces"]).split())
    subject = f" ({values['subject']})" if "subject" in values else ""
    is_highest = bool(values.get("highest"))
    natural = max(faces) if is_highest else sum(faces)
    shown = f"the higher of {' and '.join(map(str, faces))}" if is_highest else " + ".join(map(str, faces))
    added = total(report.modifiers)
    worked = f"{shown} {'+' if added > 0 else '-'} {abs(added)} = {natural + added}" if added else shown
    return LogLine(
        text=f"{str(values['purpose']).capitalize()}{subject}: {worked}.",
        kind="roll",
        rule=report.rule,
        modifiers=report.modifiers,
        faces=faces,
    )


def message_line(report: Report) -> LogLine:
    """The log line of the umpire's words."""
    return LogLine(text=str(report.values["text"]), kind="message", at=report.places)


TELLERS: Mapping[str, Callable[[Report], LogLine]] = {LINE: line_of, ROLL: roll_line, MESSAGE: message_line}
"""The lines of reports that every game has, by their keys."""


def _renamed(value: Any, name: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return name(value)
    if isinstance(value, dict):
        return {name(key): _renamed(inner, name) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        found = [_renamed(inner, name) for inner in value]
        are_words = all(isinstance(each, str) for each in found)
        return sorted(found) if are_words and found != list(value) else found
    return value
