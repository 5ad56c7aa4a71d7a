"""Searches, stores, and villagers found."""

from __future__ import annotations

from fireforce.happening.changing import with_men
from fireforce.happening.register import happens
from fireforce.state.battle import Figure, Place, State, Stores
from fireforce.state.finding import card, figure
from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import add, with_piece


class SearchBegan(Event, frozen=True, kw_only=True, tag="search_began"):
    """Figures search a card, or a place: they cannot fire this turn."""

    figures: tuple[str, ...]
    card: str = ""
    at: Place


@happens(SearchBegan, public="where_open")
def _search_began(state: State, event: SearchBegan) -> State:
    return with_men(state, event.figures, searching=event.card or ",".join(map(str, event.at)))


class Searched(Event, frozen=True, kw_only=True, tag="searched"):
    """A search is over: `card` is what lay there ("" for nothing)."""

    figures: tuple[str, ...]
    card: str = ""
    at: Place


@happens(Searched, public="where_open", perceived=True)
def _searched(state: State, event: Searched) -> State:
    state = with_men(state, event.figures, searching="")
    if not event.card:
        return state
    found = card(state, event.card)
    by = sorted({*found.searched_by, *(figure(state, each).command for each in event.figures)})
    return with_piece(state, event.card, searched_by=tuple(by))


class StoresTaken(Event, frozen=True, kw_only=True, tag="stores_taken"):
    """Stores are taken up from a card: what it has left, what the figure now carries, and where the cache lies of which
    they are ("x,y")."""

    figure: str
    card: str
    left: Stores
    carrying: Stores
    taken_from: str = ""


@happens(StoresTaken, public="where_open", perceived=True)
def _stores_taken(state: State, event: StoresTaken) -> State:
    state = with_piece(state, event.figure, carrying=event.carrying, taken_from=event.taken_from)
    return with_piece(state, event.card, stores=event.left)


class StoresDropped(Event, frozen=True, kw_only=True, tag="stores_dropped"):
    """A figure has put down what it carried."""

    figure: str
    at: Place


@happens(StoresDropped, public="where_open", perceived=True)
def _stores_dropped(state: State, event: StoresDropped) -> State:
    return with_piece(state, event.figure, carrying=Stores(), taken_from="")


class DestructionBegan(Event, frozen=True, kw_only=True, tag="destruction_began"):
    """Figures spend their move destroying stores."""

    figures: tuple[str, ...]
    card: str


@happens(DestructionBegan, public="where_open")
def _destruction_began(state: State, event: DestructionBegan) -> State:
    return with_men(state, event.figures, destroying=event.card)


class BrokeOff(Event, frozen=True, kw_only=True, tag="broke_off"):
    """Figures leave undone what they were busy with: they are made to go."""

    figures: tuple[str, ...]


@happens(BrokeOff, public="where_open")
def _broke_off(state: State, event: BrokeOff) -> State:
    return with_men(state, event.figures, searching="", destroying="")


class StoresDestroyed(Event, frozen=True, kw_only=True, tag="stores_destroyed"):
    """Stores are destroyed: what is left of them."""

    figures: tuple[str, ...]
    card: str
    left: Stores


@happens(StoresDestroyed, public="where_open", perceived=True)
def _stores_destroyed(state: State, event: StoresDestroyed) -> State:
    state = with_men(state, event.figures, destroying="")
    return with_piece(state, event.card, stores=event.left)


class PeasantsFound(Event, frozen=True, kw_only=True, tag="peasants_found"):
    """Civilians stand on the table now: new figures of the card's command."""

    card: str
    figures: tuple[Figure, ...]


@happens(PeasantsFound, public="never")
def _peasants_found(state: State, event: PeasantsFound) -> State:
    for man in event.figures:
        state = add(state, man)
    return state
