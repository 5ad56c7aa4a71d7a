"""World events change the truth, knowledge events change what one command knows.

A package's own events subclass `Event` with a hand-written tag. The knowledge events below are the kernel's; they are
written by `notice` and by the umpire's hand, and applied here for every package alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from umpire.kernel.states import CommandPart, Contact, Scalar, State, UmpirePart
from umpire.kernel.values.maps import drop, put
from umpire.kernel.values.modifiers import Modifier

S = TypeVar("S", bound=State)


class Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", omit_defaults=True):
    """Something that happened. It carries the new values, so that applying it needs no rule and no table."""


class KnowledgeEvent(Event, frozen=True, kw_only=True):
    """A change in what one command knows."""

    command: str


class Sighted(KnowledgeEvent, frozen=True, kw_only=True, tag="sighted"):
    """A sighting begins. `subject` is what stands behind it (umpire's knowledge only; "" for a lie or a noise)."""

    contact: Contact
    subject: str = ""


class Changed(KnowledgeEvent, frozen=True, kw_only=True, tag="changed"):
    """What is known of a contact is now this: it moved in sight, changed its looks, or is only remembered."""

    contact: Contact


class Heard(KnowledgeEvent, frozen=True, kw_only=True, tag="heard"):
    """A noise: a place or a bearing, a class of sound, no identity and no count."""

    contact: Contact


class Lost(KnowledgeEvent, frozen=True, kw_only=True, tag="lost"):
    """Sight of a contact ended: it is remembered where it was seen last, and its alias is not used again."""

    alias: str


class FoundEmpty(KnowledgeEvent, frozen=True, kw_only=True, tag="found_empty"):
    """The place of a contact is seen empty, or the contact is used up: it goes."""

    alias: str


class Report(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a command is told of a thing that leaves no trace in its state: a roll of its own, fire from the unseen.

    `key` names the kind of report in the package; `values` fill its sentence; `modifiers` are those that this command
    could have listed itself.
    """

    key: str
    values: Mapping[str, Scalar] = field(default_factory=dict)
    places: tuple[tuple[int, ...], ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    rule: str = ""


class Told(KnowledgeEvent, frozen=True, kw_only=True, tag="told"):
    """A command is told something. It changes nothing in the state: it is news."""

    report: Report


Knowledge = Sighted | Changed | Heard | Lost | FoundEmpty | Told


def learn(state: S, event: KnowledgeEvent) -> S:
    """The state after a knowledge event. Raises KeyError where the event speaks of an alias that is not there."""
    part = state.commands[event.command]
    umpire = state.umpire
    match event:
        case Sighted(contact=contact, subject=subject):
            umpire = _alias_drawn(umpire, event.command, subject, contact.alias)
            part = _with(part, put(part.contacts, contact.alias, contact))
        case Heard(contact=contact):
            umpire = _alias_drawn(umpire, event.command, "", contact.alias)
            part = _with(part, put(part.contacts, contact.alias, contact))
        case Changed(contact=contact):
            if contact.alias not in part.contacts:
                raise KeyError(contact.alias)
            part = _with(part, put(part.contacts, contact.alias, contact))
        case Lost(alias=alias):
            part = _with(part, put(part.contacts, alias, replace(part.contacts[alias], status="remembered")))
            umpire = _alias_ended(umpire, event.command, alias)
        case FoundEmpty(alias=alias):
            part = _with(part, drop(part.contacts, alias))
            umpire = _alias_ended(umpire, event.command, alias)
        case _:
            return state
    return replace(state, commands=put(state.commands, event.command, part), umpire=umpire)


def alias_of(state: State, command: str, subject: str) -> str | None:
    """The alias under which a command has `subject` in sight now, or None."""
    return state.umpire.aliases.get(command, {}).get(subject)


def subject_of(state: State, command: str, alias: str) -> str | None:
    """What stands behind an alias that is in sight, or None. For rulings; no seat may ask."""
    for subject, known in state.umpire.aliases.get(command, {}).items():
        if known == alias:
            return subject
    return None


def needs_alias(event: Any) -> bool:
    """Whether the kernel has yet to draw the alias of the contact in this event."""
    return isinstance(event, Sighted | Heard) and not event.contact.alias


def _with(part: CommandPart, contacts: Mapping[str, Contact]) -> CommandPart:
    return replace(part, contacts=contacts)


def _alias_drawn(umpire: UmpirePart, command: str, subject: str, alias: str) -> UmpirePart:
    sightings = put(umpire.sightings, command, umpire.sightings.get(command, 0) + 1)
    if not subject:
        return replace(umpire, sightings=sightings)
    known = put(umpire.aliases.get(command, {}), subject, alias)
    return replace(umpire, sightings=sightings, aliases=put(umpire.aliases, command, known))


def _alias_ended(umpire: UmpirePart, command: str, alias: str) -> UmpirePart:
    known = umpire.aliases.get(command, {})
    rest = {subject: name for subject, name in known.items() if name != alias}
    if len(rest) == len(known):
        return umpire
    return replace(umpire, aliases=put(umpire.aliases, command, rest))
