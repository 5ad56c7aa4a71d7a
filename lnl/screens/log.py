"""The log of Lock 'n Load in its own words."""

from __future__ import annotations

from lnl.happening.register import happening
from lnl.orders.dispatch import chapters
from lnl.state.battle import State
from lnl.state.setting import setting_of, tables_of
from lnl.words.naming import (
    UNKNOWN,
    command_name,
    contact_name,
    counter_name,
    name_of,
    place_words,
    side_name,
)
from umpire.kernel.log import Log, Words
from umpire.kernel.states import Contact


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


def _sighting(state: State, contact: Contact) -> str:
    return f"{contact_name(state, contact)} at {place_words(state, contact.at)}"


LOG = Log(
    happening,
    chapters.tellers,
    Words(
        command=command_name,
        contact=contact_name,
        place=place_words,
        sighting=_sighting,
        about=_about,
        drawn=_drawn,
        found={"told": "Reported", "remembered": "Left behind"},
    ),
)
