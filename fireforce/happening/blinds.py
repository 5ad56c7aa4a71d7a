"""Cards and counters, and who is under them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from fireforce.happening.changing import with_places
from fireforce.happening.register import happens
from fireforce.state.battle import Card, Counter, Place, State
from fireforce.state.finding import card, counter
from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import add, closed, opened, put_at, take, with_piece
from umpire.kernel.pieces.finding import part_of
from umpire.kernel.pieces.piece import PUBLIC


class CardMoved(Event, frozen=True, kw_only=True, tag="card_moved"):
    """A card has moved, and the figures beneath it with it (id to place)."""

    card: str
    at: Place
    path: tuple[Place, ...] = ()
    figures: Mapping[str, Place] = field(default_factory=dict)
    distance: int = 0
    start: Place | None = None


@happens(CardMoved, public="where_open")
def _card_moved(state: State, event: CardMoved) -> State:
    return with_places(put_at(state, event.card, event.at, has_moved=True), event.figures)


class CardTurned(Event, frozen=True, kw_only=True, tag="card_turned"):
    """A card is turned face up: everybody sees what it is. A card of troops goes: its figures are `Placed` next."""

    card: str
    why: str


@happens(CardTurned, public="where_open")
def _card_turned(state: State, event: CardTurned) -> State:
    is_gone = card(state, event.card).kind == "troops"
    return with_piece(state, event.card, is_face_up=True, is_on_table=not is_gone)


class CardPlaced(Event, frozen=True, kw_only=True, tag="card_placed"):
    """A card is put on the table, or in map mode the thing found; or taken off it."""

    card: str
    is_on_table: bool = True
    is_face_up: bool = False


@happens(CardPlaced, public="never")
def _card_placed(state: State, event: CardPlaced) -> State:
    return with_piece(state, event.card, is_on_table=event.is_on_table, is_face_up=event.is_face_up)


class CardRemoved(Event, frozen=True, kw_only=True, tag="card_removed"):
    """A card is used up and out of the battle."""

    card: str


@happens(CardRemoved, public="where_open")
def _card_removed(state: State, event: CardRemoved) -> State:
    return take(state, event.card)


class CardMade(Event, frozen=True, kw_only=True, tag="card_made"):
    """A new card (troops conceal themselves again)."""

    card: Card


@happens(CardMade, public="never")
def _card_made(state: State, event: CardMade) -> State:
    return add(state, event.card)


class CounterPlaced(Event, frozen=True, kw_only=True, tag="counter_placed"):
    """Open figures out of all enemies' sight are replaced by a counter (or a dummy is placed): they are public no
    more."""

    counter: Counter


@happens(CounterPlaced, public="never")
def _counter_placed(state: State, event: CounterPlaced) -> State:
    made = event.counter
    if any(part_of(state, each) != PUBLIC for each in made.figures):
        raise KeyError(", ".join(made.figures))
    return add(closed(state, made.figures), made)


class CounterMoved(Event, frozen=True, kw_only=True, tag="counter_moved"):
    """A counter has moved, and the figures that it stands for with it."""

    counter: str
    at: Place
    path: tuple[Place, ...] = ()
    figures: Mapping[str, Place] = field(default_factory=dict)
    distance: int = 0
    start: Place | None = None


@happens(CounterMoved, public="never")
def _counter_moved(state: State, event: CounterMoved) -> State:
    return with_places(put_at(state, event.counter, event.at, has_moved=True), event.figures)


class CounterPickedUp(Event, frozen=True, kw_only=True, tag="counter_picked_up"):
    """A counter goes, and the figures that it stood for stand on the table again."""

    counter: str
    why: str = ""


@happens(CounterPickedUp, public="never")
def _counter_picked_up(state: State, event: CounterPickedUp) -> State:
    return take(opened(state, counter(state, event.counter).figures), event.counter)
