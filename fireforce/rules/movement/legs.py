"""The legs of a plan: what of them lies ahead, and where a plan stands when some of it has been walked.

A leg is the line through its places, its distance counted from the first of them, wherever the force came from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from fireforce.book.rows import Manner
from fireforce.state.battle import Leg, Place, Plan


class Stage(Struct, frozen=True):
    """What of a plan is walked in one quantum: the places ahead, and for each its leg, how far along that it lies, and
    whether it ends there."""

    manner: Manner
    path: tuple[Place, ...]
    marks: tuple[tuple[int, int, bool], ...]


def stage_of(plan: Plan, at: Place) -> Stage | None:
    """The legs ahead at one pace, from where the force stands; None where it halts or is done.

    A leg is the line through its places, its distance counted from the first of them.
    """
    if plan.leg >= len(plan.legs) or plan.legs[plan.leg].pace == "halt":
        return None
    pace = plan.legs[plan.leg].pace
    path: list[Place] = []
    marks: list[tuple[int, int, bool]] = []
    for index in range(plan.leg, len(plan.legs)):
        leg = plan.legs[index]
        if leg.pace != pace:
            break
        along = 0
        done = plan.along if index == plan.leg else 0
        for number, place in enumerate(leg.path):
            along += round(math.dist(leg.path[number - 1], place)) if number else 0
            is_last = number == len(leg.path) - 1
            if (along > done or (number == 0 and done == 0) or is_last) and place != (path[-1] if path else at):
                path.append(place)
                marks.append((index, along, is_last))
            elif is_last and path:
                marks[-1] = (index, along, True)
    manner: Manner = "running" if pace == "running" else "tactical"
    return Stage(manner, tuple(path), tuple(marks))


def advanced(plan: Plan, stage: Stage, start: Place, walked: int) -> Plan:
    """The plan after so much of a stage has been walked from `start`."""
    leg, along = plan.leg, plan.along
    left = walked
    at = start
    for place, mark in zip(stage.path, stage.marks, strict=True):
        length = round(math.dist(at, place))
        if left + 1 < length:  # a hundredth is lost by rounding where a path has corners
            if mark[0] == leg:
                along = max(along, mark[1] - length + left)
            break
        left -= length
        leg, along = (mark[0] + 1, 0) if mark[2] else mark[:2]
        at = place
    return at_leg(plan, leg, along)


def at_leg(plan: Plan, leg: int, along: int) -> Plan:
    return ended(replace(plan, leg=leg, along=along))


def ended(plan: Plan) -> Plan:
    """A plan whose legs are walked is done, unless it still has an answer to contact."""
    is_done = plan.leg >= len(plan.legs) and plan.on_contact not in ("ambush", "withdraw")
    return replace(plan, status="done") if is_done else plan


def halted(plan: Plan) -> Plan:
    """A turn of a halt is over."""
    turns = plan.along + 1
    if turns >= plan.legs[plan.leg].turns:
        return at_leg(plan, plan.leg + 1, 0)
    return replace(plan, along=turns)


def withdrawing(plan: Plan, path: Sequence[Place]) -> Plan:
    """The plan of a force that withdraws: its legs are the way out, at a run, and nothing stops it."""
    legs = (Leg(path=tuple(path), pace="running"),) if path else ()
    return replace(
        plan, legs=legs, leg=0, along=0, is_held=False, on_contact="go_on", status="running" if legs else "done"
    )
