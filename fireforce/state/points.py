"""Points so far: those that everybody knows, and on the truth the umpire's too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fireforce.state.battle import Score, State
from fireforce.state.setting import setting_of
from umpire.kernel.registry import Outcome
from umpire.kernel.values.modifiers import Modifier

RULE = "fireforce victory-points"


def tally(state: State) -> Outcome:
    """Points by side with the lines that make them up; of a finished battle as it was judged.

    `fireforce victory-points`"""
    result = state.public.result
    if result is not None:
        return Outcome(points=result.points, lines=result.lines, is_over=True, winner=result.winner, why=result.why)
    lines = _by_side(state, (*state.public.scores, *state.umpire.scores))
    return Outcome(points={side: sum(line.value for line in mine) for side, mine in lines.items()}, lines=lines)


def judged(state: State) -> Outcome:
    """All points, with the lines that everybody may read: what was scored unseen is one nameless line.

    `fireforce victory-points`"""
    total = tally(state)
    known = _by_side(state, state.public.scores)
    lines = {
        side: (*mine, *_unseen(total.points[side] - sum(line.value for line in mine))) for side, mine in known.items()
    }
    return Outcome(points=total.points, lines=lines)


def _unseen(points: int) -> tuple[Modifier, ...]:
    return (Modifier(points, "what only the umpire knows", RULE),) if points else ()


def _by_side(state: State, scores: Sequence[Score]) -> Mapping[str, tuple[Modifier, ...]]:
    return {side: _lines(score for score in scores if score.side == side) for side in setting_of(state).sides}


def _lines(scores: Iterable[Score]) -> tuple[Modifier, ...]:
    """One line for each deed."""
    found: dict[str, list[Score]] = {}
    for score in scores:
        found.setdefault(score.deed, []).append(score)
    return tuple(
        Modifier(
            sum(each.points * each.times for each in same),
            f"{sum(each.times for each in same)} × {same[0].reason or deed}",
            same[0].rule,
            same[0].status,
        )
        for deed, same in found.items()
    )
