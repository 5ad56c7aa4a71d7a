"""What stands for troops, and how they come on the table from beneath it: cards turned up, counters taken up.

Everybody who puts troops on the table whom no enemy saw goes through here, whatever the cause.
"""

from __future__ import annotations

from collections.abc import Iterable

from fireforce.happening.blinds import CardRemoved, CardTurned, CounterPickedUp
from fireforce.happening.rulings import tell
from fireforce.happening.visibility import Placed
from fireforce.state.battle import (
    Card,
    Counter,
    Figure,
    State,
)
from fireforce.state.finding import (
    card,
    card_over,
    counter,
    counter_over,
    counters,
    figure,
    has_figure,
    members_of,
    side_of,
    squad,
)
from fireforce.state.setting import tables_of
from fireforce.table.ranges import distance
from umpire.kernel.rulings import Ruling


def beneath(state: State, each: Card) -> tuple[Figure, ...]:
    """The fit men under a card."""
    return members_of(state, squad(state, each.squad)) if each.squad else ()


def under(state: State, each: Counter) -> tuple[Figure, ...]:
    """The fit men for whom a counter stands."""
    men = (figure(state, piece) for piece in each.figures if has_figure(state, piece))
    return tuple(man for man in men if man.is_fit)


def stand_in(state: State, piece: Card | Counter) -> Figure:
    """A figure in the middle of a card or counter, of which can be asked what is asked of figures."""
    return Figure(id=piece.id, command=piece.command, side=side_of(state, piece.command), at=piece.at)


# Put on the table


def turn_up(state: State, piece: str, why: str) -> Ruling[State]:
    """A card is turned face up: its troops stand on the table, a dummy is taken away. `fireforce cards`"""
    each = card(state, piece)
    if each.is_face_up or not each.is_on_table:
        return state
    men = tuple(man.id for man in beneath(state, each) if not man.is_placed)
    state = yield from tell(CardTurned(card=piece, why=why))
    if men:
        state = yield from tell(Placed(figures=men, why=why))
    if each.kind == "dummy":
        state = yield from tell(CardRemoved(card=piece))
    return state


def take_up(state: State, piece: str, why: str = "") -> Ruling[State]:
    """A counter is taken up: its men stand on the table again. A dummy for which no real one is left goes with it.
    `fireforce visibility`"""
    gone = counter(state, piece)
    state = yield from tell(CounterPickedUp(counter=piece, why=why))
    for dummy in surplus(state, gone.command, gone):
        state = yield from tell(CounterPickedUp(counter=dummy, why="unmatched"))
    return state


def surplus(state: State, command: str, near: Counter) -> tuple[str, ...]:
    """The dummy counters of a command that are more than one for each real one, those nearest to a place first (house);
    the counter there is counted no more. `fireforce visibility`"""
    mine = [each for each in counters(state) if each.command == command and each.id != near.id]
    real = sum(bool(each.figures) for each in mine)
    dummies = sorted(
        (each for each in mine if not each.figures), key=lambda each: (distance(each.at, near.at), each.at, each.id)
    )
    most = real * tables_of(state).number("dummies_per_counter")
    return tuple(each.id for each in dummies[: max(0, len(dummies) - most)])


def put_on_table(state: State, men: Iterable[str], why: str) -> Ruling[State]:
    """Puts figures on the table that no enemy saw: from under their counter, from under their card with all of its
    squad, or where they lie. `fireforce visibility`, `fireforce cards`"""
    named = tuple(men)
    for each in named:
        over = counter_over(state, each)
        if over is not None:
            state = yield from take_up(state, over.id, why)
    for each in named:
        man = figure(state, each)
        covered = card_over(state, man.squad) if man.squad and _is_off(state, man) else None
        if covered is not None:
            state = yield from turn_up(state, covered.id, why)
    left = tuple(each for each in named if _is_off(state, figure(state, each)))
    if left:
        state = yield from tell(Placed(figures=left, why=why))
    return state


def _is_off(state: State, man: Figure) -> bool:
    return man.is_fit and not man.is_placed and man.id not in state.public.pieces
