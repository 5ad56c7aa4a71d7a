"""Where FireForce's chapters plug in: the kernel's tables, and two of its own, for plans carried and final scores.

`fireforce.rules` says what each is for, `umpire.kernel.chapters` how it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fireforce.state.battle import Believed, Phase, Score, State
from umpire.kernel.chapters import Chapters, Verb
from umpire.kernel.rulings import Ruling

__all__ = ["Verb"]

Carrier = Callable[[State, str], Ruling[State]]

chapters: Chapters[State, Believed] = Chapters()

handles, at, tells = chapters.handles, chapters.at, chapters.tells
notices, replies, ends_battle, hand = chapters.notices, chapters.replies, chapters.ends_battle, chapters.hand
moments = chapters.moments
tellers, noticers = chapters.tellers, chapters.noticers
endings = chapters.endings

carriers: dict[Phase, Carrier] = {}
final_scores: list[Callable[[State], Iterable[Score]]] = []


def carries(phase: Phase) -> Callable[[Carrier], Carrier]:
    """Registers the ruling of one quantum of a plan in a phase."""

    def register(ruling: Carrier) -> Carrier:
        if phase in carriers:
            raise ValueError(f"{phase} is registered twice")
        carriers[phase] = ruling
        return ruling

    return register


def scores(function: Callable[[State], Iterable[Score]]) -> Callable[[State], Iterable[Score]]:
    """Registers points that are counted when the battle is over."""
    final_scores.append(function)
    return function
