"""How it reads: cards and counters, and who is under them."""

from __future__ import annotations

from fireforce.happening.blinds import (
    CardMade,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    CounterMoved,
    CounterPickedUp,
    CounterPlaced,
)
from fireforce.happening.register import noted, says
from fireforce.state.battle import Place, State
from fireforce.words.naming import inches, name_of, names_of
from umpire.kernel.registry import LogLine


@says(CardMoved)
def _card_moved(state: State, event: CardMoved) -> LogLine | None:
    return _put(state, event.card, event.start, event.at)


@noted(CardMoved)
def _card_moved_by_itself(state: State, event: CardMoved) -> LogLine:
    return LogLine(text=f"The {name_of(state, event.card)} has moved to {inches(event.at)}.", kind="event")


@says(CardTurned)
def _card_turned(state: State, event: CardTurned) -> LogLine:
    why = {
        "fired": "its men have fired",
        "seen_in_open": "seen moving in the open",
        "contacted": "touched by an enemy",
        "searched": "searched",
        "set_off": "set off",
        "detected": "detected",
        "surrendered": "its men surrender",
        "turned": "as ordered",
        "umpire": "by the umpire",
    }.get(event.why, event.why)
    text = f"Turned up ({why}): {name_of(state, event.card)}."
    return LogLine(text=text, kind="card", rule="fireforce cards", pieces=(event.card,))


@noted(CardPlaced)
def _card_placed(state: State, event: CardPlaced) -> LogLine:
    where = "put on" if event.is_on_table else "taken off"
    return LogLine(text=f"The {name_of(state, event.card)} is {where} the table.", kind="event")


@noted(CardRemoved)
def _card_removed(state: State, event: CardRemoved) -> LogLine:
    return LogLine(text="A card is removed.", kind="event")


@noted(CardMade)
def _card_made(state: State, event: CardMade) -> LogLine:
    card = event.card
    return LogLine(text=f"A {card.kind.replace('_', ' ')} card is laid at {inches(card.at)}.", kind="event")


@noted(CounterPlaced)
def _counter_placed(state: State, event: CounterPlaced) -> LogLine:
    counter = event.counter
    what = names_of(state, counter.figures) or "a dummy"
    return LogLine(text=f"A counter is laid at {inches(counter.at)}: {what}.", kind="event")


@says(CounterMoved)
def _counter_moved(state: State, event: CounterMoved) -> LogLine | None:
    return _put(state, event.counter, event.start, event.at)


@noted(CounterMoved)
def _counter_moved_by_itself(state: State, event: CounterMoved) -> LogLine:
    return LogLine(text=f"A counter has moved to {inches(event.at)}.", kind="event")


def _put(state: State, piece: str, start: Place | None, at: Place) -> LogLine | None:
    """What the umpire has put elsewhere; of what moves by itself nothing is said."""
    if start is None:
        return None
    text = f"The umpire moves {name_of(state, piece)} from {inches(start)} to {inches(at)}."
    return LogLine(text=text, kind="umpire", pieces=(piece,), at=(at,))


@says(CounterPickedUp)
def _counter_picked_up(state: State, event: CounterPickedUp) -> LogLine | None:
    why = {
        "contacted": "touched by an enemy",
        "fired": "its men have fired",
        "set_off": "a booby trap has gone off",
        "unmatched": "a dummy for which no real one is left",
    }.get(event.why, "the enemy sees it")
    if not event.why:
        return None
    return LogLine(text=f"A counter is taken up: {why}.", kind="counter", rule="fireforce visibility")
