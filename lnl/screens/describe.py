"""The log line of an event for a seat: of a public one, or of what its command has come to know."""

from __future__ import annotations

from lnl.happening.register import happening
from lnl.orders.dispatch import chapters, tells
from lnl.state.battle import Believed, State
from lnl.words.naming import contact_name, place_words
from umpire.kernel.events import Changed, Event, FoundEmpty, Heard, KnowledgeEvent, Lost, Report, Sighted, Told
from umpire.kernel.registry import LogLine
from umpire.kernel.states import Contact
from umpire.kernel.telling import LINE, MESSAGE, ROLL, line_of, message_line, roll_line


def describe(event: Event, state: Believed) -> LogLine | None:
    """The log line of a public or knowledge event for a seat; None where there is nothing to say."""
    if isinstance(event, KnowledgeEvent):
        return knowledge_line(event, state)
    return happening.line(state, event)


def knowledge_line(event: KnowledgeEvent, state: State) -> LogLine | None:
    """The log line of what one command has come to know."""
    match event:
        case Told(report=report):
            teller = chapters.tellers.get(report.key)
            return teller(report, state) if teller is not None else None
        case Sighted(contact=contact):
            verb = {"told": "Reported", "remembered": "Left behind"}.get(contact.status, "In sight")
            return _contact_line(state, verb, contact)
        case Heard(contact=contact):
            return _contact_line(state, "Heard", contact)
        case Lost(command=command, alias=alias):
            lost = state.commands[command].contacts.get(alias)
            what = f": {contact_name(state, lost)}" if lost is not None else ""
            return LogLine(text=f"Lost from sight{what}.", kind="lost", pieces=(alias,))
        case FoundEmpty() | Changed():
            return None
        case _:
            return None


def _contact_line(state: State, verb: str, contact: Contact) -> LogLine:
    text = f"{verb}: {contact_name(state, contact)} at {place_words(state, contact.at)}."
    return LogLine(text=text, kind="contact", pieces=(contact.alias,), at=(contact.at,))


@tells(LINE)
def _line(report: Report, state: State) -> LogLine:
    return line_of(report)


@tells(ROLL)
def _roll(report: Report, state: State) -> LogLine:
    return roll_line(report)


@tells(MESSAGE)
def _message(report: Report, state: State) -> LogLine:
    return message_line(report)
