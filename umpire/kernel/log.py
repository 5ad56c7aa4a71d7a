"""The lines of a game's log: for a seat of what is public and of what its command has come to know, for the umpire of
any entry of the ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from umpire.kernel import ledger
from umpire.kernel.events import Changed, Event, FoundEmpty, Heard, KnowledgeEvent, Lost, Report, Sighted, Told
from umpire.kernel.happenings import Happenings
from umpire.kernel.registry import LogLine
from umpire.kernel.states import Contact


class Words(Struct, frozen=True, kw_only=True):
    """A game's words, each from a state, which may be a belief.

    `command` and `contact` name these, `place` says where something is, `sighting` what is seen or heard (a contact,
    and where it is if that is worth saying), `found` how it came to be known, by the status of a contact not seen.
    `changed` is the sentence for a contact that now looks otherwise, if it has one. For the umpire alone: `about` says
    in brackets what a roll is for, `drawn` what was drawn.
    """

    command: Callable[[Any, str], str]
    contact: Callable[[Any, Contact], str]
    place: Callable[[Any, tuple[int, ...]], str]
    sighting: Callable[[Any, Contact], str]
    about: Callable[[Any, str], str]
    drawn: Callable[[Any, str], str]
    found: Mapping[str, str] = field(default_factory=lambda: {"told": "Reported"})
    changed: Callable[[Any, Contact], str] = lambda state, contact: ""


class Log:
    """The log of one game. `happening` has the lines of its events, `tellers` those of its reports by key."""

    def __init__(
        self,
        happening: Happenings[Any],
        tellers: Mapping[str, Callable[[Report, Any], LogLine | None]],
        words: Words,
    ) -> None:
        self.happening, self.tellers, self.words = happening, tellers, words

    def describe(self, event: Event, believed: Any) -> LogLine | None:
        """The line of a public or knowledge event for a seat; None where there is nothing to say."""
        if isinstance(event, KnowledgeEvent):
            return self.known(event, believed)
        return self.happening.line(believed, event)

    def known(self, event: KnowledgeEvent, state: Any) -> LogLine | None:
        """The line of what one command has come to know."""
        match event:
            case Told(report=report):
                teller = self.tellers.get(report.key)
                return teller(report, state) if teller is not None else None
            case Sighted(contact=contact):
                how = self.words.found.get(contact.status, "In sight")
                return _line_of(contact, f"{how}: {self.words.sighting(state, contact)}.")
            case Heard(contact=contact):
                return _line_of(contact, f"Heard: {self.words.sighting(state, contact)}.")
            case Changed(contact=contact):
                text = self.words.changed(state, contact)
                return _line_of(contact, text) if text else None
            case Lost(command=command, alias=alias):
                lost = state.commands[command].contacts.get(alias)
                what = f": {self.words.contact(state, lost)}" if lost is not None else ""
                return LogLine(text=f"Lost from sight{what}.", kind="lost", pieces=(alias,))
            case _:
                return None

    def chronicle(self, entry: Any, state: Any) -> LogLine:
        """The umpire's line of any event, roll or draw. Nothing of it reaches a player."""
        match entry:
            case ledger.Thrown(roll=roll, faces=faces, by=by):
                text = f"{roll.count}d{roll.sides} for {roll.purpose}{self.words.about(state, roll.subject)}"
                text = f"{text}: {', '.join(map(str, faces))}, thrown by {by}."
                return LogLine(text=text, kind="roll", rule=roll.rule, modifiers=roll.modifiers, faces=faces)
            case ledger.Drawn(draw=draw, taken=taken):
                text = f"Drawn for {draw.purpose}: {self.words.drawn(state, taken)}."
                return LogLine(text=text, kind="draw", rule=draw.rule)
            case KnowledgeEvent():
                line = self.known(entry, state) if isinstance(entry, Told) else None
                who = self.words.command(state, entry.command)
                text = f"{who}: {line.text}" if line else f"{who} {self._picture(entry, state)}."
                return LogLine(text=text, kind="knowledge")
            case Event():
                return self.happening.note(state, entry) or LogLine(text=_kind(entry), kind="event")
            case _:
                return LogLine(text=_kind(entry), kind="entry")

    def _picture(self, event: KnowledgeEvent, state: Any) -> str:
        """What has changed in what a command knows."""
        contacts = state.commands[event.command].contacts
        match event:
            case Sighted(contact=contact):
                return f"sees {self.words.sighting(state, contact)}"
            case Changed(contact=contact):
                return f"sees {self._plain(state, contact)} now at {self.words.place(state, contact.at)}"
            case Heard(contact=contact):
                return f"hears {self._plain(state, contact)}"
            case Lost(alias=alias):
                what = self._plain(state, contacts[alias]) if alias in contacts else "a contact"
                return f"has lost {what} from sight"
            case FoundEmpty():
                return "knows that a contact is gone"
            case Told(report=report):
                return f"is told ({report.key})"
            case _:
                return type(event).__name__

    def _plain(self, state: Any, contact: Contact) -> str:
        """A contact's name without the kind before it: one hears gunfire, not "noise: gunfire"."""
        return self.words.contact(state, contact).removeprefix(f"{contact.kind}: ")


def _line_of(contact: Contact, text: str) -> LogLine:
    return LogLine(text=text, kind="contact", pieces=(contact.alias,), at=(contact.at,))


def _kind(entry: Any) -> str:
    """An event's kind in words, for want of anything better."""
    return re.sub("([a-z])([A-Z])", r"\1 \2", type(entry).__name__).capitalize() + "."
