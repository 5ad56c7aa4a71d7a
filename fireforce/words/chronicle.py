"""The umpire's words for what no seat is told in a sentence of its own: noises, plans, cards and counters moved, what a
command's picture has gained and lost. Nothing here reaches a player.
"""

from __future__ import annotations

import re
from typing import Any

from fireforce.happening.register import happening
from fireforce.state.battle import State
from fireforce.words.describe import knowledge_line
from fireforce.words.naming import command_name, contact_name, inches, name_of
from umpire.kernel import ledger
from umpire.kernel.events import Changed, Event, FoundEmpty, Heard, KnowledgeEvent, Lost, Sighted, Told
from umpire.kernel.registry import LogLine
from umpire.kernel.states import Contact


def chronicle(entry: Any, state: State) -> LogLine:
    """The umpire's log line of any event, roll or draw."""
    match entry:
        case ledger.Thrown(roll=roll, faces=faces, by=by):
            # Subjects are pieces, and words that tell their rolls apart.
            subject = " ".join(name_of(state, word) for word in roll.subject.split())
            subject = f" ({subject})" if subject else ""
            text = f"{roll.count}d{roll.sides} for {roll.purpose}{subject}: {', '.join(map(str, faces))}"
            return LogLine(
                text=f"{text}, thrown by {by}.", kind="roll", rule=roll.rule, modifiers=roll.modifiers, faces=faces
            )
        case ledger.Drawn(draw=draw, taken=taken):
            return LogLine(text=f"Drawn for {draw.purpose}: {name_of(state, taken)}.", kind="draw", rule=draw.rule)
        case KnowledgeEvent():
            line = knowledge_line(entry, state) if isinstance(entry, Told) else None
            who = command_name(state, entry.command)
            text = f"{who}: {line.text}" if line else f"{who} {knowledge_words(entry, state)}."
            return LogLine(text=text, kind="knowledge")
        case Event():
            return happening.note(state, entry) or LogLine(text=_kind(entry), kind="event")
        case _:
            return LogLine(text=_kind(entry), kind="entry")


def knowledge_words(event: KnowledgeEvent, state: State) -> str:
    """What has changed in what a command knows."""
    contacts = state.commands[event.command].contacts
    match event:
        case Sighted(contact=contact):
            return f"sees {_contact(state, contact)}"
        case Changed(contact=contact):
            return f"sees {_contact(state, contact)} now at {inches(contact.at)}"
        case Heard(contact=contact):
            return f"hears {_contact(state, contact)}"
        case Lost(alias=alias):
            what = _contact(state, contacts[alias]) if alias in contacts else "a contact"
            return f"has lost {what} from sight"
        case FoundEmpty():
            return "knows that a contact is gone"
        case Told(report=report):
            return f"is told ({report.key})"
        case _:
            return type(event).__name__


def _contact(state: State, contact: Contact) -> str:
    name = contact_name(state, contact)
    return name.removeprefix("noise: ") if contact.kind == "noise" else name


def _kind(entry: Any) -> str:
    """An event's kind in words: "has moved" for want of anything better."""
    return re.sub("([a-z])([A-Z])", r"\1 \2", type(entry).__name__).capitalize() + "."
