"""Sentences of the log. `describe` speaks from a belief; `fireforce.words.chronicle` from the truth, with the same
lines.

`fireforce.words.sentences` has the lines of events; here stand those of what a command has come to know.
"""

from __future__ import annotations

from fireforce.happening.register import happening
from fireforce.orders.dispatch import tellers, tells
from fireforce.state.battle import (
    Believed,
    State,
)
from fireforce.words.naming import contact_name
from umpire.kernel.events import Changed, Event, FoundEmpty, Heard, KnowledgeEvent, Lost, Sighted, Told
from umpire.kernel.registry import LogLine
from umpire.kernel.states import Contact
from umpire.kernel.telling import LINE, MESSAGE, ROLL, line_of, message_line, roll_line


def describe(event: Event, state: Believed) -> LogLine | None:
    """The log line of a public or knowledge event for a seat; None where there is nothing to say."""
    if isinstance(event, KnowledgeEvent):
        return knowledge_line(event, state)
    return happening.line(state, event)


def knowledge_line(event: KnowledgeEvent, state: State) -> LogLine | None:
    match event:
        case Told(report=report):
            teller = tellers.get(report.key)
            return teller(report, state) if teller is not None else None
        case Sighted(contact=contact):
            verb = "Reported" if contact.status == "told" else "In sight"
            return _contact_line(f"{verb}: {contact_name(state, contact)}.", contact)
        case Heard(contact=contact):
            return _contact_line(f"Heard: {contact_name(state, contact)}.", contact)
        case Changed(contact=contact) if contact.status == "in_sight" and "card" in contact.looks:
            return _contact_line(f"The card is turned up: {contact_name(state, contact)}.", contact)
        case Lost(command=command, alias=alias):
            lost = state.commands[command].contacts.get(alias)
            what = f": {contact_name(state, lost)}" if lost is not None else ""
            return LogLine(text=f"Lost from sight{what}.", kind="lost", pieces=(alias,))
        case FoundEmpty() | Changed():
            return None
        case _:
            return None


def _contact_line(text: str, contact: Contact) -> LogLine:
    return LogLine(text=text, kind="contact", pieces=(contact.alias,), at=(contact.at,))


for _key, _line in ((LINE, line_of), (ROLL, roll_line), (MESSAGE, message_line)):
    tells(_key)(lambda report, state, line=_line: line(report))
