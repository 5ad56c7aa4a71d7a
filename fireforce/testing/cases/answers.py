"""Dice and answers of a case file: which roll a name means, which choices the words of an answer. `docs/cases.md`"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from fireforce.happening.fire import HitsAllocated
from fireforce.state.battle import (
    State,
)
from fireforce.state.finding import (
    figures,
)
from fireforce.testing.cases.words import plain
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Answered, Asked, Entry, Happened
from umpire.kernel.rulings import Question, Roll
from umpire.kernel.states import Seat
from umpire.testing.cases.form import CaseFault, choices_named

ROLLS: Final[Mapping[str, str]] = {
    "hit": "hits",
    "saving throw": "save",
    "saves": "save",
    "criticals": "critical",
    "critical hit": "critical",
    "fire": "open fire",
    "motivate": "motivation",
    "gamble": "motivation",
    "desperate gamble": "motivation",
    "melee": "close combat",
    "first roll": "first player",
    "initiative": "first player",
    "mine": "booby trap",
    "trap": "booby trap",
}
"""Purposes of rolls by other words."""
FORGOES: Final = re.compile(
    r"(?:for(?:e)?go(?:es)?|declines?|none|no)(?: (?:the|a|all|both))*(?: critical(?:s| hits?)?)?"
)
TEAM: Final = re.compile(r" (?:the )?(?:whole|first|second|gun|dropped \d+)(?: team| group)?$")
"""A team behind its squad: a roll that an order names a team for is called by the squad alone."""
LISTS: Final = ("losses", "critical")
"""Questions that answers of one line may answer several of: whom hits fall on, whom criticals are for."""


def is_roll(wanted: str, roll: Roll) -> bool:
    """Whether a name in `dice` means a roll: its purpose, or a word for it, and its subject, the head of it or nothing;
    of a row or squad its number alone; or the kind of die."""
    words = plain(wanted)
    if words in (f"d{roll.sides}", f"1d{roll.sides}"):
        return True
    subject = plain(roll.subject)
    heads = [subject, *(subject.removeprefix(f"{word} ") for word in ("row", "squad"))]
    for purpose in (roll.purpose, *(word for word, meant in ROLLS.items() if meant == roll.purpose)):
        if words == purpose:
            return True
        if words.startswith(f"{purpose} "):
            said = words.removeprefix(f"{purpose} ")
            if said not in ("row", "squad") and any(f"{head} ".startswith(f"{said} ") for head in heads):
                return True
            if (unit := TEAM.sub("", said)) != said and unit in heads:
                return True
    return False


def next_die(names: Sequence[str], roll: Roll) -> int | None:
    """Which of the dice left a roll takes: the first of those of its purpose at the head of the list that names it.
    Dice that are thrown one after the other for several figures or squads stand in any order, each by its name."""
    if names and not names[0]:
        return 0
    for index, name in enumerate(names):
        if not _is_of(name, roll.purpose):
            return 0 if index == 0 and is_roll(name, roll) else None
        if is_roll(name, roll):
            return index
    return None


def called(state: State, choice: str) -> set[str]:
    """What a figure is called by whom it may be known: its id and its aliases."""
    return {
        choice,
        *(man.id for man in figures(state) for each in state.commands if alias_of(state, each, man.id) == choice),
    }


def critical_on(who: Collection[str], name: str) -> str:
    """The name of a roll without him for whom the critical hit is that it decides: `critical g2`."""
    purpose, _, said = name.rpartition(" ")
    return purpose.removesuffix(" on") if said in who and _is_of(purpose.removesuffix(" on"), "critical") else name


def _is_of(name: str, purpose: str) -> bool:
    """Whether a name in `dice` means rolls of this purpose, whoever's."""
    words = plain(name)
    said = (purpose, *(word for word, meant in ROLLS.items() if meant == purpose))
    return any(words == each or words.startswith(f"{each} ") for each in said)


def goes_without_asking(state: State, entries: Sequence[Entry], seat: Seat, words: str) -> bool:
    """Whether an answer names men of the seat who took hits that nobody was asked for: there was nobody else to take
    them."""
    taken: Counter[str] = Counter()
    kinds: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, Happened) and isinstance(entry.event, HitsAllocated):
            taken.update(entry.event.figures)
            taken.subtract(entry.event.criticals)
        elif isinstance(entry, Asked):
            kinds.update({command: question.kind for command, question in entry.questions.items()})
        elif isinstance(entry, Answered) and kinds.get(entry.command) == "losses":
            taken.subtract(entry.choices)
    mine = Counter({man.id: taken[man.id] for man in figures(state) if man.command in seat.commands})
    said = Counter(_named(words))
    return bool(said) and said <= mine


def choices(state: State, question: Question, words: str) -> tuple[str, ...]:
    """The choices that an answer names, no more than the question wants. Raises CaseFault."""
    text = " ".join(words.split())
    first = plain(text).split(" ")[0]
    if question.kind == "critical" and FORGOES.fullmatch(plain(text)):
        return ("forgo",)
    if question.kind == "killed_or_captured":
        word = "captured" if first.startswith(("captur", "prison")) or "prisoner" in text else first
        return choices_named(question, "killed" if word.startswith("kill") else word)
    if question.kind in LISTS:
        return tuple(_taken(state, question, name) for name in _named(text)[: question.most])
    return choices_named(question, text)


def rest(question: Question, words: str, taken: Sequence[str]) -> str:
    """What of a list is left for the next question of its kind."""
    named = _named(words) if question.kind in LISTS and tuple(taken) != ("forgo",) else []
    left = named[question.most :]
    return f"on {', '.join(left)}" if left else ""


def _named(words: str) -> list[str]:
    """The names of "hits on g1, g2", "critical on g3 and g4", or of a bare list."""
    listed = re.sub(r"^.*\bon ", "", " ".join(words.split()))
    return [name for each in re.split(r",| and ", listed) if (name := each.strip())]


def _taken(state: State, question: Question, name: str) -> str:
    """The choice that is called so, also where its command knows it by an alias."""
    aliases = (alias_of(state, command, name) for command in state.commands)
    names = {name.lower(), *(alias.lower() for alias in aliases if alias)}
    for choice in question.choices:
        if names & {choice.id.lower(), choice.label.lower(), *(piece.lower() for piece in choice.pieces)}:
            return choice.id
    known = [choice.id for choice in question.choices]
    raise CaseFault(f"{name!r} is none of the choices: {', '.join(known)}", at=name, known=known)
