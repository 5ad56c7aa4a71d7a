"""How it reads: searches, stores, and villagers found."""

from __future__ import annotations

from fireforce.happening.register import says
from fireforce.happening.searching import (
    BrokeOff,
    DestructionBegan,
    PeasantsFound,
    SearchBegan,
    Searched,
    StoresDestroyed,
    StoresDropped,
    StoresTaken,
)
from fireforce.state.battle import State
from fireforce.words.naming import name_of, names_of
from umpire.kernel.registry import LogLine


@says(SearchBegan)
def _search_began(state: State, event: SearchBegan) -> LogLine:
    text = f"Searching: {names_of(state, event.figures)}."
    return LogLine(text=text, kind="search", rule="fireforce searching", pieces=event.figures, at=(event.at,))


@says(Searched)
def _searched(state: State, event: Searched) -> LogLine:
    what = "something is found" if event.card else "nothing is found"
    text = f"{names_of(state, event.figures)} have searched: {what}."
    return LogLine(text=text, kind="search", rule="fireforce searching", pieces=event.figures, at=(event.at,))


@says(StoresTaken)
def _stores_taken(state: State, event: StoresTaken) -> LogLine:
    what = "arms" if event.carrying.arms else "food"
    text = f"{name_of(state, event.figure)} takes up a load of {what}."
    return LogLine(text=text, kind="stores", rule="fireforce searching", pieces=(event.figure, event.card))


@says(StoresDropped)
def _stores_dropped(state: State, event: StoresDropped) -> LogLine:
    text = f"{name_of(state, event.figure)} puts stores down."
    return LogLine(text=text, kind="stores", rule="fireforce searching", pieces=(event.figure,), at=(event.at,))


@says(DestructionBegan)
def _destruction_began(state: State, event: DestructionBegan) -> LogLine:
    text = f"Destroying stores: {names_of(state, event.figures)}."
    return LogLine(text=text, kind="stores", rule="fireforce searching", pieces=event.figures)


@says(BrokeOff)
def _broke_off(state: State, event: BrokeOff) -> LogLine:
    text = f"{names_of(state, event.figures)} leave the stores: they are made to go."
    return LogLine(text=text, kind="stores", rule="fireforce motivation", pieces=event.figures)


@says(StoresDestroyed)
def _stores_destroyed(state: State, event: StoresDestroyed) -> LogLine:
    text = f"Stores destroyed: {names_of(state, event.figures)}."
    return LogLine(text=text, kind="stores", rule="fireforce searching", pieces=(*event.figures, event.card))


@says(PeasantsFound)
def _peasants_found(state: State, event: PeasantsFound) -> LogLine:
    men = tuple(man.id for man in event.figures)
    return LogLine(text=f"Peasants: {names_of(state, men)}.", kind="card", rule="fireforce cards", pieces=men)
