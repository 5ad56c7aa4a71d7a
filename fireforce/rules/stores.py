"""Stores that figures carry, and what becomes of them when they are put down. `fireforce searching`"""

from __future__ import annotations

from fireforce import events
from fireforce.describe import name_of
from fireforce.dispatch import describes
from fireforce.rulings import tell
from fireforce.setting import setting_of
from fireforce.state import Card, State, figure, has_figure
from umpire.kernel.registry import LogLine
from umpire.kernel.rulings import Ruling

RULE = "fireforce searching"
DROPPED = "-dropped-"
"""In the ids of stores put down, between the figure's id and the player turn."""


def drop(state: State, piece: str) -> Ruling[State]:
    """A figure puts down what it carries: it lies there for all to see, as a cache face up. `fireforce searching`"""
    man = figure(state, piece)
    if man.carrying.is_empty:
        return state
    name = f"{piece}{DROPPED}{state.public.player_turn}"
    holder = keeper(state, piece)
    state = yield from tell(events.StoresDropped(figure=piece, at=man.at))
    if not holder or name in state.commands[holder].cards:
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
    )
    return (yield from tell(events.CardMade(card=lying)))


def was_dropped(state: State, lying: Card) -> bool:
    """Whether stores lie where a figure has put them down, and are no cache of their own."""
    return has_figure(state, lying.id.rpartition(DROPPED)[0])


def keeper(state: State, piece: str) -> str:
    """The command whose part holds stores that lie about: a hidden one, the figure's own or an enemy's, that the state
    has."""
    commands = setting_of(state).commands
    own = figure(state, piece).command
    hidden = [name for name, each in commands.items() if not each.is_open and name in state.commands]
    return own if own in hidden else next(iter(hidden), "")


@describes(events.StoresDropped, perceived=True)
def _stores_dropped(event: events.StoresDropped, state: State) -> LogLine:
    text = f"{name_of(state, event.figure)} puts stores down."
    return LogLine(text=text, kind="stores", rule=RULE, pieces=(event.figure,), at=(event.at,))
