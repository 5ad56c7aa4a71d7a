"""What follows by itself in the Operations Phase: impulses end, and sides pass, when nothing is left to do.
`core 4.0`, `core 10.1`"""

from __future__ import annotations

from lnl.happening.impulses import ImpulseEnded
from lnl.happening.rulings import tell
from lnl.rules.hidden import spotting
from lnl.rules.turn.operations_phase import can_act, ends, has_work, is_over, next_side
from lnl.state.battle import Impulse, State
from lnl.state.belonging import is_known
from lnl.state.finding import commands_of, impulse_of, side_of, units
from umpire.kernel.rulings import Ruling


def follows(state: State) -> Ruling[State]:
    """What follows by itself in the Operations Phase: an impulse ends that has nothing left to do, a side that has
    nobody left to activate passes. `core 4.0`"""
    for name in state.commands:
        impulse = impulse_of(state, (name,))
        if impulse is not None and impulse.command == name:
            return state if _goes_on(state, impulse) else (yield from ends(state, impulse))
    side = state.public.active
    if is_over(state) or any(each.side == side and has_work(state, each, None) for each in units(state)):
        return state
    passing = commands_of(state, side)
    following = next_side(state, side)
    return (yield from tell(ImpulseEnded(command=passing[0], active=following, passes=state.public.passes + 1)))


def _goes_on(state: State, impulse: Impulse) -> bool:
    """Whether something is left to do in it: by those whom it has activated, or the one attempt at spotting, which any
    unit may make. `core 4.0`, `core 10.1`"""
    side, taking_part = side_of(state, impulse.command), (impulse.command, *impulse.allies)
    ours = [each for each in units(state) if each.side == side]
    known = (each for each in ours if is_known(state, taking_part, each))
    if not impulse.tried_spotting and any(spotting.may_try(state, each) for each in known):
        return True
    if not impulse.places:  # a mere attempt at spotting: nothing is declared yet
        return any(has_work(state, each, impulse) for each in ours)
    return any(
        (each.at in impulse.places or each.id in impulse.acted) and can_act(state, each, impulse)
        for each in ours
        if each.command in taking_part or each.id in impulse.acted
    )
