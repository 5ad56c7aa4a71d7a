"""Cards and counters, and who is under them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field
from msgspec.structs import replace

from fireforce.happening.changing import with_card, with_counter, with_part, with_places, with_public, without_counter
from fireforce.happening.register import happens
from fireforce.state.battle import Card, Counter, Place, State
from fireforce.state.finding import card, counter, figure, part_of
from umpire.kernel.events import Event
from umpire.kernel.values.maps import drop, ordered, put


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
    state = with_card(state, replace(card(state, event.card), at=event.at, has_moved=True))
    return with_places(state, event.figures)


class CardTurned(Event, frozen=True, kw_only=True, tag="card_turned"):
    """A card is turned face up: everybody sees what it is. A card of troops goes: its figures are `Placed` next."""

    card: str
    why: str


@happens(CardTurned, public="where_open")
def _card_turned(state: State, event: CardTurned) -> State:
    turned = card(state, event.card)
    is_gone = turned.kind == "troops"
    return with_card(state, replace(turned, is_face_up=True, is_on_table=not is_gone))


class CardPlaced(Event, frozen=True, kw_only=True, tag="card_placed"):
    """A card is put on the table, or in map mode the thing found; or taken off it."""

    card: str
    is_on_table: bool = True
    is_face_up: bool = False


@happens(CardPlaced, public="never")
def _card_placed(state: State, event: CardPlaced) -> State:
    changed = replace(card(state, event.card), is_on_table=event.is_on_table, is_face_up=event.is_face_up)
    return with_card(state, changed)


class CardRemoved(Event, frozen=True, kw_only=True, tag="card_removed"):
    """A card is used up and out of the battle."""

    card: str


@happens(CardRemoved, public="where_open")
def _card_removed(state: State, event: CardRemoved) -> State:
    where = part_of(state, event.card)
    part = state.commands[where]
    return with_part(state, where, replace(part, cards=drop(part.cards, event.card)))


class CardMade(Event, frozen=True, kw_only=True, tag="card_made"):
    """A new card (troops conceal themselves again)."""

    card: Card


@happens(CardMade, public="never")
def _card_made(state: State, event: CardMade) -> State:
    part = state.commands[event.card.command]
    return with_part(state, event.card.command, replace(part, cards=put(part.cards, event.card.id, event.card)))


class CounterPlaced(Event, frozen=True, kw_only=True, tag="counter_placed"):
    """Open figures out of all enemies' sight are replaced by a counter (or a dummy is placed): they are public no
    more."""

    counter: Counter


@happens(CounterPlaced, public="never")
def _counter_placed(state: State, event: CounterPlaced) -> State:
    made = event.counter
    men = {each: figure(state, each) for each in made.figures}
    public = {key: man for key, man in state.public.figures.items() if key not in men}
    if len(public) + len(men) != len(state.public.figures):
        raise KeyError(", ".join(sorted(men)))
    part = state.commands[made.command]
    state = with_public(state, figures=public)
    state = with_part(state, made.command, replace(part, figures=ordered({**part.figures, **men})))
    return with_counter(state, made)


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
    state = with_counter(state, replace(counter(state, event.counter), at=event.at, has_moved=True))
    return with_places(state, event.figures)


class CounterPickedUp(Event, frozen=True, kw_only=True, tag="counter_picked_up"):
    """A counter goes, and the figures that it stood for stand on the table again."""

    counter: str
    why: str = ""


@happens(CounterPickedUp, public="never")
def _counter_picked_up(state: State, event: CounterPickedUp) -> State:
    gone = counter(state, event.counter)
    part = state.commands[gone.command]
    men = {each: part.figures[each] for each in gone.figures}
    rest = {key: man for key, man in part.figures.items() if key not in men}
    state = with_part(state, gone.command, replace(part, figures=rest))
    state = with_public(state, figures=ordered({**state.public.figures, **men}))
    return without_counter(state, event.counter)
