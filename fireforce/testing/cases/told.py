"""What happened in a step of a case file, as one word and a value: `hits = 2`. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from fireforce.book.rows import MotivationResult
from fireforce.happening.fire import CloseCombatFought, HitsScored
from fireforce.happening.men import BecameCasualty, Captured, MotivationRolled
from fireforce.happening.movement import Stopped
from fireforce.state.battle import State
from fireforce.state.setting import tables_of
from fireforce.testing.cases.marks import results
from fireforce.testing.cases.words import plain
from umpire.kernel.ledger import Asked, Corrected, Entry, Happened, Thrown
from umpire.testing.cases.words import unknown

Word = Callable[[State, Sequence[Any], Sequence[Entry]], Any]


def told(state: State, entries: Sequence[Entry], word: str, value: str) -> str:
    """Nothing if the word has this value after a step, else what it is. Raises CaseFault for an unknown word."""
    happened = [entry.event for entry in entries if isinstance(entry, Happened | Corrected)]
    if word not in WORDS:
        unknown("the word", word, (*WORDS, "points SIDE"))
    found = WORDS[word](state, happened, entries)
    if found is None:
        return f"nothing was said of {word}"
    return "" if _simple(found) == _simple(value) else f"{word} is {found}"


def _simple(value: Any) -> str:
    text = plain(value).removesuffix(" phase")
    text = {"motivation and movement": "motivation movement", "motivation": "motivation movement"}.get(text, text)
    text = {"movement": "motivation movement", "true": "yes", "false": "no"}.get(text, text)
    return results().get(text, text)


def _last(kind: type[Any], name: str) -> Word:
    def function(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
        return next((getattr(event, name) for event in reversed(happened) if isinstance(event, kind)), None)

    return function


def _sum(kind: type[Any], name: str) -> Word:
    def function(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
        found = [getattr(event, name) for event in happened if isinstance(event, kind)]
        return sum(found) if found else None

    return function


def _count(kind: type[Any]) -> Word:
    def function(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
        return sum(isinstance(event, kind) for event in happened)

    return function


def _last_result(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    key = _last(MotivationRolled, "result")(state, happened, entries)
    return None if key is None else tables_of(state).book.table("motivation_results", MotivationResult)[key].name


def _public(name: str) -> Word:
    def function(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
        return getattr(state.public, name)

    return function


def _order(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return ", ".join(state.public.order)


def _over(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return "yes" if state.public.result is not None else "no"


def _winner(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return None if state.public.result is None else state.public.result.winner or "nobody"


def _rolls(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return sum(isinstance(entry, Thrown) for entry in entries)


def _questions(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return sum(isinstance(entry, Asked) for entry in entries)


WORDS: Final[Mapping[str, Word]] = {
    "active": _public("active"),
    "captured": _count(Captured),
    "casualties": _count(BecameCasualty),
    "criticals": _last(HitsScored, "criticals"),
    "fire points": _last(HitsScored, "fire_points"),
    "fought": _last(CloseCombatFought, "result"),
    "hits": _sum(HitsScored, "hits"),
    "order": _order,
    "over": _over,
    "phase": _public("phase"),
    "potential critical hits": _last(HitsScored, "criticals"),
    "potential criticals": _last(HitsScored, "criticals"),
    "questions": _questions,
    "result": _last_result,
    "rolls": _rolls,
    "score": _last(MotivationRolled, "score"),
    "stopped": _last(Stopped, "why"),
    "turn": _public("turn"),
    "winner": _winner,
}
