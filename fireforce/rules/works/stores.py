"""Stores: taken up and carried off at half speed, put down, or destroyed over a whole move. `fireforce searching`"""

from __future__ import annotations

from fireforce.happening.blinds import CardMade
from fireforce.happening.rulings import tell
from fireforce.happening.searching import StoresDropped
from fireforce.state.battle import (
    Card,
    Phase,
    State,
    Stores,
)
from fireforce.state.finding import (
    cards,
    figure,
    figures,
    has_figure,
    side_of,
)
from fireforce.state.setting import setting_of, tables_of
from fireforce.table.ranges import distance
from umpire.kernel.rulings import Ruling

RULE = "fireforce searching"
DROPPED = "-dropped-"
"""In the ids of stores put down, between the figure's id and the player turn."""
TAKING: tuple[Phase, ...] = ("motivation_movement", "searching")
DESTROYING: tuple[Phase, ...] = ("motivation_movement",)


# Put down


def drop(state: State, piece: str) -> Ruling[State]:
    """A figure puts down what it carries: it lies there for all to see, as a cache face up. `fireforce searching`"""
    man = figure(state, piece)
    if man.carrying.is_empty:
        return state
    name = f"{piece}{DROPPED}{state.public.player_turn}"
    holder = keeper(state, piece)
    state = yield from tell(StoresDropped(figure=piece, at=man.at))
    if not holder or name in state.commands[holder].pieces:
        return state
    lying = Card(
        id=name,
        command=holder,
        kind="cache",
        at=man.at,
        stores=man.carrying,
        is_on_table=True,
        is_face_up=True,
        searched_by=tuple(each for each in (man.command,) if each),
        taken_from=man.taken_from,
    )
    return (yield from tell(CardMade(card=lying)))


def was_dropped(state: State, lying: Card) -> bool:
    """Whether stores lie where a figure has put them down, and are no cache of their own."""
    return has_figure(state, lying.id.rpartition(DROPPED)[0])


def can_be_carried(stores: Stores) -> bool:
    """Whether there is anything among stores that men carry. `fireforce searching`"""
    return bool(stores.arms or stores.food)


def carried_off(state: State, side: str) -> frozenset[str]:
    """The enemies' caches of which nothing is left that could be carried, and of which a side has stores in its hands:
    carried by its fit men, or put down where it holds them. Stores of which nobody knows whence they are count for a
    cache that has nothing left at all, else for the nearest. `fireforce victory-points`"""
    caches = [
        each
        for each in cards(state)
        if each.kind == "cache"
        and each.is_face_up
        and side_of(state, each.command) != side
        and not can_be_carried(each.stores)
        and not was_dropped(state, each)
    ]
    carriers = [man for man in figures(state) if man.side == side and man.is_fit and not man.carrying.is_empty]
    piles = [
        each
        for each in cards(state)
        if was_dropped(state, each) and not each.stores.is_empty and is_held(state, each, side)
    ]
    loads = sorted([(man.at, man.taken_from) for man in carriers] + [(each.at, each.taken_from) for each in piles])
    places = {f"{each.at[0]},{each.at[1]}": each.id for each in caches}
    found = {places[whence]: 1 for _, whence in loads if whence in places}
    for at in [at for at, whence in loads if not whence] if caches else ():
        nearest = min(
            caches,
            key=lambda each: (not each.stores.is_empty, found.get(each.id, 0), distance(at, each.at), each.at),
        )
        found[nearest.id] = found.get(nearest.id, 0) + 1
    return frozenset(found)


def is_held(state: State, cache: Card, side: str) -> bool:
    """Whether at the end a side holds a cache: a fit man of it is within 3", and none of any other."""
    reach = tables_of(state).distance("coherency")
    near = {
        man.side
        for man in figures(state)
        if man.is_fit and not man.is_civilian and distance(man.at, cache.at) - man.radius <= reach
    }
    return near == {side}


def keeper(state: State, piece: str) -> str:
    """The command whose part holds stores that lie about: a hidden one, the figure's own or an enemy's, that the state
    has."""
    commands = setting_of(state).commands
    own = figure(state, piece).command
    hidden = [name for name, each in commands.items() if not each.is_open and name in state.commands]
    return own if own in hidden else next(iter(hidden), "")


# Taken up


def load_of(stores: Stores) -> Stores:
    """What one man takes up of stores: a load of arms, else of food; heavy food is never carried."""
    if stores.arms:
        return Stores(arms=1)
    return Stores(food=1) if stores.food else Stores()


def less(stores: Stores, load: Stores) -> Stores:
    return Stores(arms=stores.arms - load.arms, food=stores.food - load.food, heavy=stores.heavy - load.heavy)
