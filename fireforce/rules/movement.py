"""Movement on foot: the order to move figures of one team, what it may and may not be, and how it is carried out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from fireforce.checks import not_fit, not_ours, off_table, repeated
from fireforce.describe import name_of
from fireforce.events import TeamMoved
from fireforce.orders import Move
from fireforce.rows import Manner
from fireforce.rules.allowance import (
    RULE,
    Allowance,
    allowance,
    is_advance,
    measured,
    threats,
    towards,
)
from fireforce.rules.ambush import spring
from fireforce.rules.marching import Way, march
from fireforce.rules.motivation import is_in_cover, rolls
from fireforce.rules.organisation import body_of
from fireforce.rules.withdrawal import has_withdrawn, manner_of, surrender, way_back
from fireforce.rulings import tell
from fireforce.setting import ground_of, setting_of, tables_of
from fireforce.state import (
    Believed,
    Figure,
    Place,
    State,
    card_over,
    counter_over,
    figure,
    has_figure,
    members_of,
    squad_of,
    team_of,
)
from fireforce.table.ranges import distance
from umpire.kernel.modifiers import Refusal
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat

CORNERS = 60
"""The most corners of a path (house)."""
NEARLY = Fraction(11, 12)
"""What of a full move a withdrawal drawn by hand must use: half an inch of six may be wanting (house)."""


# Paths


def length_of(path: Sequence[Place]) -> int:
    """The length of a path, with its start."""
    return round(sum(math.dist(a, b) for a, b in pairwise(path)))


def path_of(state: State, order: Move, man: Figure) -> tuple[Place, ...]:
    """The way of one figure: its own if the order names one; else that of the first, beside him and on the table."""
    if man.id in order.paths:
        return order.paths[man.id]
    first = figure(state, order.figures[0])
    dx, dy = man.at[0] - first.at[0], man.at[1] - first.at[1]
    table = setting_of(state).table
    return tuple((min(max(x + dx, 0), table.width), min(max(y + dy, 0), table.depth)) for x, y in order.path)


# Checking


def check_move(believed: Believed, seat: Seat, order: Move) -> Iterable[Refusal]:
    """Figures of one team move as far as going, manner and motivation let them, and keep together.
    `fireforce movement`, `fireforce motivation`, `fireforce organisation`"""
    if found := list(_not_one_team(believed, seat, order)):
        return found
    men = [figure(believed, piece) for piece in order.figures]
    allowed = {man.id: allowance(believed, man) for man in men}
    if barred := [each.barred for each in allowed.values() if each.barred is not None]:
        return barred
    places = [*order.path, *(place for path in order.paths.values() for place in path)]
    if found := list(off_table(believed, places, "path")):
        return found
    if any(len(path) > CORNERS for path in (order.path, *order.paths.values())):
        return [Refusal(f"A path has {CORNERS} corners at most.", RULE, "path")]
    foes = threats(believed, men[0].command)
    ends: dict[str, Place] = {}
    for man in men:
        path = path_of(believed, order, man)
        if allowed[man.id].is_dictated:
            found = list(_not_away(believed, man, path, order.manner, allowed[man.id], foes))
        else:
            found = list(not_allowed(believed, man, path, order.manner, allowed[man.id], foes))
        if found:
            return found
        if path:
            ends[man.id] = path[-1]
    if any(each.is_dictated or each.is_pinned for each in allowed.values()):
        return []
    return list(_out_of_touch(believed, men, ends))


def _not_one_team(believed: Believed, seat: Seat, order: Move) -> Iterator[Refusal]:
    found = [
        *repeated(order.figures, "figures"),
        *not_ours(believed, seat, order.figures, "figures", RULE),
    ] or list(not_fit(believed, order.figures, "figures", RULE))
    yield from found
    if found:
        return
    men = [figure(believed, piece) for piece in order.figures]
    if len({(man.command, man.squad) for man in men}) > 1:
        yield Refusal("The figures are of different squads: one squad moves at a time.", RULE, "figures")
        return
    unit = squad_of(believed, men[0])
    if unit is not None:
        if len({team_of(unit, man.id) for man in men}) > 1:
            yield Refusal("The figures are of different teams: each team moves by itself.", RULE, "figures")
        if card_over(believed, unit.id) is not None:
            yield Refusal("They lie under a card: move the card.", "fireforce cards", "figures")
    if any(counter_over(believed, man.id) is not None for man in men):
        yield Refusal("A counter stands for them: move the counter.", "fireforce visibility", "figures")
    if strangers := [piece for piece in order.paths if piece not in order.figures]:
        yield Refusal(f"{strangers[0]!r} has a path and is not among the figures.", RULE, "paths")


def not_allowed(
    believed: Believed, man: Figure, path: Sequence[Place], manner: Manner, allowed: Allowance, foes: Sequence[Place]
) -> Iterator[Refusal]:
    """Why a figure may not go this way of its own will."""
    who = name_of(believed, man.id)
    whole = (man.at, *path)
    if not path or length_of(whole) == 0:
        yield Refusal(f"{who}: the path leads nowhere.", RULE, "path")
        return
    end = path[-1]
    advances = is_advance(believed, man, end, foes)
    full = allowed.full
    if allowed.is_pinned:
        yield from _not_into_cover(believed, man, whole, "pinned_cover", advances, foes, "fireforce saving-throws")
    elif advances and allowed.advance == "half":
        full /= tables_of(believed).number("half_move_divisor")
    elif advances and allowed.advance == "cover":
        yield from _not_into_cover(believed, man, whole, "wavering_cover", False, foes, "fireforce motivation")
    elif advances and allowed.advance == "none":
        yield Refusal(f"{who} does not advance; to one side or back he may go.", "fireforce motivation", "path")
        return
    made = measured(believed, whole, manner, full)
    if not made.complete:
        limit = "fireforce motivation" if full < allowed.full else RULE
        yield Refusal(f"{who}: {made.stopped_by} after {inches(made.distance)}.", limit, "path")


def _not_into_cover(
    believed: Believed,
    man: Figure,
    path: Sequence[Place],
    reach: str,
    advances: bool,
    foes: Sequence[Place],
    rule: str,
) -> Iterator[Refusal]:
    who = name_of(believed, man.id)
    limit = tables_of(believed).distance(reach)
    state = "pinned" if man.is_pinned else "wavering"
    if length_of(path) > limit:
        yield Refusal(f"{who} is {state}: into cover within {inches(limit)}, no farther.", rule, "path")
    elif not is_in_cover(ground_of(believed), path[-1], foes):
        yield Refusal(f"{who} is {state}: he moves into cover only, and there is none.", rule, "path")
    elif advances:
        yield Refusal(f"{who} is {state} and goes no nearer to the enemy.", rule, "path")


def _not_away(
    believed: Believed, man: Figure, path: Sequence[Place], manner: Manner, allowed: Allowance, foes: Sequence[Place]
) -> Iterator[Refusal]:
    """Why a way is no withdrawal: it leads a full move (more is cut off) away from the enemy. Without a path figures
    take the straight way."""
    if not path:
        return
    who = name_of(believed, man.id)
    rule = "fireforce close-combat" if man.must_withdraw else "fireforce motivation"
    wanted = manner_of(allowed)
    if manner != wanted:
        how = "runs" if wanted == "running" else "retreats at a walk"
        yield Refusal(f"{who} {how}.", rule, "manner")
        return
    made = measured(believed, (man.at, *path), manner, allowed.full)
    danger = towards(believed, man, foes)
    if danger is not None and distance(made.reached, danger) <= distance(man.at, danger):
        yield Refusal(f"{who} withdraws: the way must lead away from the enemy.", rule, "path")
        return
    table = setting_of(believed).table
    at_edge = made.reached[0] in (0, table.width) or made.reached[1] in (0, table.depth)
    if made.complete and made.spent < allowed.full * NEARLY and not at_edge:
        yield Refusal(f"{who} withdraws a full move; the way is too short.", rule, "path")


def _out_of_touch(believed: Believed, men: Sequence[Figure], ends: Mapping[str, Place]) -> Iterator[Refusal]:
    """Nobody who could come along is left behind, and who has lost touch comes nearer. `fireforce organisation`"""
    unit = squad_of(believed, men[0])
    if unit is None:
        return
    team = members_of(believed, unit, team_of(unit, men[0].id))
    left = {man.id for man in team if man.id not in ends and _may_be_left(believed, man)}
    before = body_of(believed, team, {}, left)
    after = body_of(believed, team, ends, left)
    gap = tables_of(believed).distance("coherency")
    for man in team:
        if man.id in after:
            continue
        who = name_of(believed, man.id)
        if man.id in before:
            if man.id in ends:
                yield Refusal(
                    f"{who} would be more than {inches(gap)} from the others.", "fireforce organisation", "path"
                )
                return
            if man.id not in left:
                yield Refusal(
                    f"{who} would be left more than {inches(gap)} behind: move him too.",
                    "fireforce organisation",
                    "figures",
                )
                return
        elif man.id in ends and not _comes_nearer(man, ends, team, after):
            yield Refusal(f"{who} has lost touch: he rejoins, or waits.", "fireforce organisation", "path")
            return


def _may_be_left(believed: Believed, man: Figure) -> bool:
    """Whether the others may go on without him: he is pinned, or cannot move for another reason than having moved."""
    mine = allowance(believed, man)
    return not man.moved and (mine.is_pinned or mine.barred is not None)


def _comes_nearer(man: Figure, ends: Mapping[str, Place], team: Sequence[Figure], body: Iterable[str]) -> bool:
    others = [mate for mate in team if mate.id in body]
    if not others:
        return True
    here = min(distance(man.at, ends.get(mate.id, mate.at)) for mate in others)
    there = min(distance(ends[man.id], ends.get(mate.id, mate.at)) for mate in others)
    return there < here


# Carrying it out


def move(state: State, seat: Seat, order: Move) -> Ruling[State]:
    """The figures go, each its own way, as far as the truth lets them. `fireforce movement`"""
    named = [piece for piece in order.figures if has_figure(state, piece) and figure(state, piece).is_fit]
    if not named:
        return state
    command = figure(state, named[0]).command
    paths = {piece: path_of(state, order, figure(state, piece)) for piece in named}
    dictated = [piece for piece in named if allowance(state, figure(state, piece)).is_dictated]
    state = yield from surrender(state, dictated)
    foes = threats(state, command)
    ways: list[Way] = []
    for piece in named:
        man = figure(state, piece)
        allowed = allowance(state, man)
        if not man.is_fit or allowed.barred is not None:
            continue
        path, manner = paths[piece], order.manner
        if allowed.is_dictated:
            manner = manner_of(allowed)
            path = path or way_back(state, man, allowed, foes)
        why = "withdrawal" if allowed.is_dictated else "to_cover" if allowed.is_pinned else ""
        if path:
            ways.append(Way(figure=piece, path=path, manner=manner, fraction=allowed.full, why=why))
    state = yield from march(state, ways)
    state = yield from has_withdrawn(state, dictated)
    state = yield from team_is_done(state, figure(state, named[0]))
    return (yield from spring(state, [way.figure for way in ways]))


def team_is_done(state: State, man: Figure) -> Ruling[State]:
    """A team of whose men nobody can move any more has used its move."""
    unit = squad_of(state, man)
    if unit is None:
        return state
    name = team_of(unit, man.id)
    team = members_of(state, unit, name)
    now = unit.teams[name]
    if now.has_moved or (not now.result and rolls(state, unit, name)):
        return state
    if any(allowance(state, each).barred is None for each in team):
        return state
    return (yield from tell(TeamMoved(squad=unit.id, team=name)))


def inches(length: int) -> str:
    """A length in inches, as people write it."""
    return f'{length / 100:g}"'
