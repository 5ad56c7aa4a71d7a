"""The umpire's words for any entry of the ledger: what no seat is told in a sentence of its own, what each command's
picture has gained and lost. Nothing here reaches a player.
"""

from __future__ import annotations

import re
from typing import Any

from lnl.happening.register import happening
from lnl.screens.describe import knowledge_line
from lnl.state.battle import State
from lnl.state.setting import setting_of, tables_of
from lnl.words.line import note
from lnl.words.naming import (
    UNKNOWN,
    command_name,
    contact_name,
    counter_name,
    name_of,
    place_words,
    side_name,
)
from umpire.kernel import ledger
from umpire.kernel.events import Changed, Event, FoundEmpty, Heard, KnowledgeEvent, Lost, Sighted, Told
from umpire.kernel.registry import LogLine


def chronicle(entry: Any, state: State) -> LogLine:
    """The umpire's log line of any event, roll or draw."""
    match entry:
        case ledger.Thrown(roll=roll, faces=faces, by=by):
            text = f"{roll.count}d{roll.sides} for {roll.purpose}{_about(state, roll.subject)}"
            return LogLine(
                text=f"{text}: {', '.join(map(str, faces))}, thrown by {by}.",
                kind="roll",
                rule=roll.rule,
                modifiers=roll.modifiers,
                faces=faces,
            )
        case ledger.Drawn(draw=draw, taken=taken):
            return LogLine(text=f"Drawn for {draw.purpose}: {_drawn(state, taken)}.", kind="draw", rule=draw.rule)
        case KnowledgeEvent():
            line = knowledge_line(entry, state) if isinstance(entry, Told) else None
            who = command_name(state, entry.command)
            text = f"{who}: {line.text}" if line else f"{who} {knowledge_words(entry, state)}."
            return LogLine(text=text, kind="knowledge")
        case Event():
            return happening.note(state, entry) or note(_kind(entry))
        case _:
            return LogLine(text=_kind(entry), kind="entry")


def _about(state: State, subject: str) -> str:
    """What a roll is about: pieces by their names, words that tell rolls apart as they are."""
    known = (name_of(state, word) for word in subject.split())
    named = " ".join(name if name != UNKNOWN else word for word, name in zip(subject.split(), known, strict=True))
    return f" ({side_name(state, named)})" if named else ""


def _drawn(state: State, taken: str) -> str:
    name = name_of(state, taken)
    if name != UNKNOWN:
        return name
    skills = setting_of(state).book.tables["skills"]
    return tables_of(state).skill(taken).name if taken in skills else counter_name(state, taken)


def knowledge_words(event: KnowledgeEvent, state: State) -> str:
    """What has changed in what a command knows."""
    contacts = state.commands[event.command].contacts
    match event:
        case Sighted(contact=contact):
            return f"sees {contact_name(state, contact)} at {place_words(state, contact.at)}"
        case Changed(contact=contact):
            return f"sees {contact_name(state, contact)} now at {place_words(state, contact.at)}"
        case Heard(contact=contact):
            return f"hears {contact_name(state, contact)}"
        case Lost(alias=alias):
            what = contact_name(state, contacts[alias]) if alias in contacts else "a contact"
            return f"has lost {what} from sight"
        case FoundEmpty():
            return "knows that a contact is gone"
        case Told(report=report):
            return f"is told ({report.key})"
        case _:
            return type(event).__name__


def _kind(entry: Any) -> str:
    """An event's kind in words, for want of anything better."""
    return re.sub("([a-z])([A-Z])", r"\1 \2", type(entry).__name__).capitalize() + "."
