"""Points so far: those that everybody knows, and on the truth the umpire's too."""

from __future__ import annotations

from collections.abc import Iterable

from fireforce.setting import setting_of
from fireforce.state import Score, State
from umpire.kernel.modifiers import Modifier
from umpire.kernel.registry import Outcome


def tally(state: State) -> Outcome:
    """Points by side with the lines that make them up; of a finished battle as it was judged.

    `fireforce victory-points`"""
    result = state.public.result
    if result is not None:
        return Outcome(points=result.points, lines=result.lines, is_over=True, winner=result.winner, why=result.why)
    scores = (*state.public.scores, *state.umpire.scores)
    sides = tuple(setting_of(state).sides)
    lines = {side: _lines(score for score in scores if score.side == side) for side in sides}
    return Outcome(points={side: sum(line.value for line in lines[side]) for side in sides}, lines=lines)


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
