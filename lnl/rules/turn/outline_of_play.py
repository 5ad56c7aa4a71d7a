"""The outline of play: set-up, then turns of a Rally, an Operations and an Administrative Phase, until the battle is
over.

What follows by itself is one step at a time, so that each is a ruling of its own. `core 2.0`
"""

from __future__ import annotations

from collections.abc import Mapping

from lnl.happening.rulings import tell
from lnl.happening.turn import BattleBegan, BattleEnded, InitiativeWon, PhaseBegan, RallyPassedOn, TurnBegan
from lnl.orders.dispatch import chapters
from lnl.rules.hidden import plans, spotting
from lnl.rules.turn import ends_of_impulses, event_markers, operations_phase, rally_phase, set_up, victory
from lnl.state.battle import Phase, State
from lnl.state.finding import commands_of, traits_of, units
from lnl.state.setting import setting_of, turns_of
from umpire.kernel.book.points import Steps
from umpire.kernel.rulings import Ruling, roll

INITIATIVE = "core 3.0"

after_initiative: Steps[State, [Mapping[str, int]]] = Steps("after the initiative", rule=INITIATIVE)
"""What follows from the dice for the initiative, by side (none where nobody threw). Unpredictable troops,
`hona 13.1.1`."""
before_rallying: Steps[State, [str]] = Steps("before a side rallies", rule=INITIATIVE)
"""What follows when it is a side's turn to rally, with the traits of its units. For the Motherland, `hotm 13.1.2`."""


def advance(state: State) -> Ruling[State]:
    """One step of what follows by itself: the battle begins, a phase or a turn passes, the battle ends. `core 2.0`"""
    public = state.public
    if public.result is not None:
        return state
    if public.phase == "set_up":
        return (yield from _setting_up(state))
    if victory.has_unsettled(state):
        return (yield from victory.settle_control(state))
    if event_markers.due(state) is not None:
        return (yield from event_markers.triggered(state))
    if happening := event_markers.loss_due(state):
        return (yield from event_markers.happen(state, happening))
    if why := next((why for ending in chapters.endings if (why := ending(state))), ""):
        return (yield from finish(state, why))
    if public.phase == "rally":
        return (yield from _rallying(state)) if rally_phase.is_over(state) else state
    if public.phase == "operations":
        if not operations_phase.is_over(state):
            return (yield from ends_of_impulses.follows(state))
        if plans.due(state):
            return state
        state = yield from _ends(state)
        return (yield from _begins(state, "administrative"))
    state = yield from _ends(state)
    if public.turn >= turns_of(state):
        return (yield from finish(state, f"Turn {public.turn} was the last."))
    return (yield from _turn_begins(state, public.turn + 1))


# Set-up


def _setting_up(state: State) -> Ruling[State]:
    """The sides set up one after the other, where players do it; then turn 1 begins."""
    public = state.public
    order = set_up.order(state)
    if not public.active:
        if not order:
            state = yield from tell(BattleBegan(phase="rally"))
            return (yield from _turn_begins(state, 1))
        state = yield from tell(BattleBegan(phase="set_up"))
        return (yield from tell(PhaseBegan(phase="set_up", active=order[0])))
    if not set_up.is_over(state):
        return state
    following = order[order.index(public.active) + 1 :]
    if following:
        return (yield from tell(PhaseBegan(phase="set_up", active=following[0])))
    return (yield from _turn_begins(state, 1))


# Turns and phases


def _turn_begins(state: State, turn: int) -> Ruling[State]:
    """The turn marker is advanced, what the scenario has for this turn happens, and the sides roll for the initiative.
    `core 2.0`, `core 3.0`"""
    state = yield from tell(TurnBegan(turn=turn))
    state = yield from event_markers.turn_began(state)
    setting = setting_of(state)
    side = setting.initiative if turn == 1 else ""
    thrown: Mapping[str, int] = {}
    if not side:
        side, thrown = yield from initiative(state)
    state = yield from tell(InitiativeWon(side=side))
    state = yield from after_initiative(setting.active, _traits(state), state, thrown)
    state = yield from _begins(state, "rally")
    return (yield from _begins_to_rally(state, state.public.held))


def _begins_to_rally(state: State, side: str) -> Ruling[State]:
    return (yield from before_rallying(setting_of(state).active, _traits(state, side), state, side))


def _traits(state: State, side: str = "") -> frozenset[str]:
    """The words in the data of all units on the map, or of those of a side."""
    found = (each for each in units(state) if each.is_placed and side in ("", each.side))
    return frozenset(word for each in found for word in traits_of(state, each))


def initiative(state: State) -> Ruling[tuple[str, Mapping[str, int]]]:
    """Who has the initiative, and what each side has thrown last: the highest of a die each. A tie keeps it where it
    was; where nobody had it, those who tie roll again. `core 3.0`"""
    public = state.public
    tied = tuple(setting_of(state).sides)
    last: dict[str, int] = {}
    while True:
        thrown: dict[str, int] = {}
        for side in tied:
            by = next(iter(commands_of(state, side)), "")
            made = yield from roll("1d6", "initiative", subject=f"{side} turn {public.turn}", by=by, rule=INITIATIVE)
            last[side] = thrown[side] = made.total
        tied = tuple(side for side in tied if thrown[side] == max(thrown.values()))
        if len(tied) == 1:
            return tied[0], last
        if public.held in tied:
            return public.held, last


def _begins(state: State, phase: Phase) -> Ruling[State]:
    """A phase begins, with all that happens then; what stands where the enemy sees it comes to light. `core 10.1`"""
    state = yield from tell(PhaseBegan(phase=phase, active="" if phase == "administrative" else state.public.held))
    for ruling in chapters.moments(phase, "begins"):
        state = yield from ruling(state)
    return (yield from spotting.uncover(state))


def _ends(state: State) -> Ruling[State]:
    for ruling in chapters.moments(state.public.phase, "ends"):
        state = yield from ruling(state)
    return state


def _rallying(state: State) -> Ruling[State]:
    """The side with the initiative rallies first, then the other, then the Operations Phase begins. `core 3.0`"""
    order = sides_in_order(state)
    following = order[order.index(state.public.active) + 1 :]
    if following:
        state = yield from tell(RallyPassedOn(side=following[0]))
        return (yield from _begins_to_rally(state, following[0]))
    state = yield from _ends(state)
    return (yield from _begins(state, "operations"))


def sides_in_order(state: State) -> tuple[str, ...]:
    """The sides from the one with the initiative on, in their order. `core 3.0`, `core 4.0`"""
    sides = tuple(setting_of(state).sides)
    first = sides.index(state.public.held) if state.public.held in sides else 0
    return (*sides[first:], *sides[:first])


def finish(state: State, why: str) -> Ruling[State]:
    """What is counted at the end is counted, and the battle is over."""
    state = yield from victory.settle_control(state)
    return (yield from tell(BattleEnded(result=victory.judged(state, why))))
