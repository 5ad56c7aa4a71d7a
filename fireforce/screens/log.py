"""The log of FireForce in its own words."""

from __future__ import annotations

from fireforce.happening.register import happening
from fireforce.orders.dispatch import chapters
from fireforce.state.battle import State
from fireforce.words.naming import command_name, contact_name, inches, name_of
from umpire.kernel.log import Log, Words
from umpire.kernel.states import Contact


def _about(state: State, subject: str) -> str:
    """What a roll is about: pieces by their names, words that tell rolls apart as they are."""
    named = " ".join(name_of(state, word) for word in subject.split())
    return f" ({named})" if named else ""


def _changed(state: State, contact: Contact) -> str:
    is_turned_up = contact.status == "in_sight" and "card" in contact.looks
    return f"The card is turned up: {contact_name(state, contact)}." if is_turned_up else ""


LOG = Log(
    happening,
    chapters.tellers,
    Words(
        command=command_name,
        contact=contact_name,
        place=lambda state, at: inches(at),
        sighting=contact_name,
        about=_about,
        drawn=name_of,
        changed=_changed,
    ),
)
