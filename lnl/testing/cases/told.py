"""What a step of a case file has come to: WORD = VALUE. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from lnl.happening.fire import Fired
from lnl.happening.melee import MeleeFought
from lnl.happening.movement import Stopped
from lnl.happening.turn import Happened
from lnl.state.battle import State, hex_key
from lnl.testing.cases.answers import is_roll
from lnl.testing.cases.ground import hexes_of
from lnl.testing.cases.words import plain
from lnl.testing.cases.workings import events_of
from umpire.kernel.ledger import Asked, Entry, Thrown
from umpire.kernel.values.modifiers import total
from umpire.testing.cases.words import unknown


def _last(kind: type[Any], name: str) -> Callable[[State, Sequence[Entry]], Any]:
    def function(state: State, entries: Sequence[Entry]) -> Any:
        return next(
            (getattr(event, name) for event in reversed(list(events_of(entries))) if isinstance(event, kind)), None
        )

    return function


def _rolled(purpose: str, *, modifiers: bool = True, faces: bool = True) -> Callable[[State, Sequence[Entry]], Any]:
    def function(state: State, entries: Sequence[Entry]) -> Any:
        for entry in reversed(entries):
            if isinstance(entry, Thrown) and entry.roll.purpose.endswith(purpose):
                dice = max(entry.faces) if entry.roll.highest else sum(entry.faces)
                return (dice if faces else 0) + (total(entry.roll.modifiers) if modifiers else 0)
        return None

    return function


def _difference(state: State, entries: Sequence[Entry]) -> Any:
    attack, defence = _rolled("attack")(state, entries), _rolled("defence")(state, entries)
    return None if attack is None or defence is None else attack - defence


def _offers(state: State, entries: Sequence[Entry]) -> Any:
    asked = [entry for entry in entries if isinstance(entry, Asked)]
    return sum(any(each.kind == "opportunity_fire" for each in entry.questions.values()) for entry in asked)


def _each_attack(name: str) -> Callable[[State, Sequence[Entry]], Any]:
    """Of the melee attacks of a step: both sides strike, and one of their attacks must be so."""

    def function(state: State, entries: Sequence[Entry]) -> Any:
        found = [getattr(event, name) for event in events_of(entries) if isinstance(event, MeleeFought)]
        return " and ".join(map(str, found)) or None

    return function


def _shots(state: State, entries: Sequence[Entry]) -> Any:
    return sum(isinstance(event, Fired) and event.how == "opportunity" for event in events_of(entries))


def _questions(state: State, entries: Sequence[Entry]) -> Any:
    """What was asked, in order; a number says how many they were."""
    asked = (each for entry in entries if isinstance(entry, Asked) for each in entry.questions.values())
    return ", ".join(each.kind.replace("_", " ") for each in asked) or "none"


def _public(name: str) -> Callable[[State, Sequence[Entry]], Any]:
    return lambda state, entries: getattr(state.public, name) or ("none" if name in ("held", "active") else 0)


def _over(state: State, entries: Sequence[Entry]) -> Any:
    return "yes" if state.public.result is not None else "no"


def _winner(state: State, entries: Sequence[Entry]) -> Any:
    return None if state.public.result is None else state.public.result.winner or "nobody"


def _impulse(state: State, entries: Sequence[Entry]) -> Any:
    going = [state.public.impulse, *(part.impulse for part in state.commands.values())]
    return next((each.command for each in going if each is not None and each.places), "none")


def _happened(state: State, entries: Sequence[Entry]) -> Any:
    keys = [event.key for event in events_of(entries) if isinstance(event, Happened)]
    return ", ".join(dict.fromkeys(keys)) or "nothing"


def _rolls(state: State, entries: Sequence[Entry]) -> Any:
    return sum(isinstance(entry, Thrown) for entry in entries)


_WORDS: Final[Mapping[str, Callable[[State, Sequence[Entry]], Any]]] = {
    "active": _public("active"),
    "attack": _rolled("attack"),
    "attack total": _rolled("attack"),
    "defence": _rolled("defence"),
    "defence total": _rolled("defence"),
    "defense": _rolled("defence"),
    "difference": _difference,
    "firepower": _rolled("attack", faces=False),
    "damage check": _rolled("damage check"),
    "happened": _happened,
    "held": _public("held"),
    "hour": _public("hour"),
    "impulse": _impulse,
    "initiative": _public("held"),
    "kill number": _each_attack("needed"),
    "needed": _each_attack("needed"),
    "odds": _each_attack("odds"),
    "offers": _offers,
    "windows": _offers,
    "opportunity fires": _shots,
    "over": _over,
    "passes": _public("passes"),
    "phase": _public("phase"),
    "questions": _questions,
    "rolls": _rolls,
    "dice": _rolls,
    "stopped": _last(Stopped, "why"),
    "turn": _public("turn"),
    "winner": _winner,
}


NOUGHT: Final = frozenset({"0", "none", "no", "nothing", "nobody"})
"""Words for none of something."""
STANDING: Final = ("active", "held", "hour", "impulse", "initiative", "over", "passes", "phase", "turn", "winner")
"""What can be asked for as well: it is so whatever has been done."""


def is_told(word: str) -> bool:
    """Whether a word has a value after a step."""
    return word in _WORDS


def told_now(state: State, word: str) -> Any:
    """What one of those words is now."""
    return _WORDS[word](state, ())


def told(state: State, entries: Sequence[Entry], word: str, value: str) -> str:
    """Nothing if the word has this value after a step, else what it is. Raises CaseFault for an unknown word."""
    if found := re.fullmatch(r"control (\S+)", word):
        at = hexes_of(found[1].upper())[0]
        is_now: Any = state.public.control.get(hex_key(at)) or state.umpire.control.get(hex_key(at)) or "nobody"
    elif word in _WORDS:
        is_now = _WORDS[word](state, entries)
    elif thrown := [entry for entry in entries if isinstance(entry, Thrown) and is_roll(word, entry.roll)]:
        faces = thrown[-1].faces
        is_now = (max(faces) if thrown[-1].roll.highest else sum(faces)) + total(thrown[-1].roll.modifiers)
    else:
        unknown("the word", word, (*_WORDS, "points SIDE", "control HEX"))
    if is_now is None:
        return f"nothing was said of {word}"
    if word == "questions" and value.isdigit() and is_now != "none":
        return "" if int(value) == is_now.count(",") + 1 else f"{word} is {is_now}"
    if word in ("odds", "needed", "kill number"):
        return "" if plain(value) in map(plain, is_now.split(" and ")) else f"{word} is {is_now}"
    is_so = plain(str(is_now)) == plain(value) or {plain(str(is_now)), plain(value)} <= NOUGHT
    return "" if is_so else f"{word} is {is_now}"
