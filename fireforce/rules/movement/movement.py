"""Movement on foot: the order to move figures of one team, what it may and may not be, and how it is carried out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from fireforce.book.rows import Manner
from fireforce.happening.movement import TeamMoved
from fireforce.happening.rulings import tell
from fireforce.orders.checks import not_fit, not_ours, off_table, repeated
from fireforce.orders.orders import Move
from fireforce.rules.hidden.ambush import spring
from fireforce.rules.hidden.blinds import until
from fireforce.rules.men.coherency import out_of_touch
from fireforce.rules.men.motivation import has_to_roll
from fireforce.rules.men.surrender import surrender
from fireforce.rules.movement.advance import is_advance, leads_away, share, threats, why_not_to_cover
from fireforce.rules.movement.allowance import RULE, Allowance, allowance, measured
from fireforce.rules.movement.marching import Way, march
from fireforce.rules.movement.withdrawal import break_off, has_withdrawn, manner_of, way_back
from fireforce.state.battle import (
    Believed,
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    card_over,
    counter_over,
    figure,
    has_figure,
    members_of,
    squad_of,
    team_of,
)
from fireforce.state.setting import setting_of, tables_of
from fireforce.table.ranges import distance
from fireforce.words.naming import name_of
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

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
    return list(out_of_touch(believed, men, ends))


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
    if allowed.is_pinned:
        yield from _not_into_cover(believed, man, path, foes)
    full = allowed.full if allowed.is_pinned else share(believed, man, path, manner, allowed, foes)
    if not full:
        yield from _no_advance(believed, man, path, allowed, foes)
        return
    if found := _not_to_its_place(believed, man, path[-1]):
        yield found
    made = measured(believed, whole, manner, full)
    if not made.complete:
        limit = "fireforce motivation" if full < allowed.full else RULE
        yield Refusal(f"{who}: {made.stopped_by} after {inches(made.distance)}.", limit, "path")


def _not_into_cover(believed: Believed, man: Figure, path: Sequence[Place], foes: Sequence[Place]) -> Iterator[Refusal]:
    """Why a pinned figure may not go this way: into cover near by, and nowhere else, and no nearer to the enemy."""
    who, rule = name_of(believed, man.id), "fireforce saving-throws"
    if why := why_not_to_cover(believed, man, path, "pinned_cover", foes):
        limit = inches(tables_of(believed).distance("pinned_cover"))
        far = f"into cover within {limit}, no farther"
        none = far if why == "far" else "he moves into cover only, and there is none"
        yield Refusal(f"{who} is pinned: {none}.", rule, "path")
    elif is_advance(believed, man, path, foes):
        yield Refusal(f"{who} is pinned and goes no nearer to the enemy.", rule, "path")


def _no_advance(
    believed: Believed, man: Figure, path: Sequence[Place], allowed: Allowance, foes: Sequence[Place]
) -> Iterator[Refusal]:
    """In words why a figure may not advance this way."""
    who = name_of(believed, man.id)
    text = f"{who} does not advance; to one side or back he may go."
    if allowed.advance == "cover":
        limit = inches(tables_of(believed).distance("wavering_cover"))
        why = why_not_to_cover(believed, man, path, "wavering_cover", foes)
        none = f"no farther than {limit}" if why == "far" else "there is none"
        text = f"{who} is wavering: he advances into cover only, {none}."
    yield Refusal(text, "fireforce motivation", "path")


def _not_to_its_place(believed: Believed, man: Figure, end: Place) -> Refusal | None:
    """Why a man of a gun group may not go there: he goes to the place it was told to cover from, and stays."""
    unit = squad_of(believed, man)
    team = unit.teams.get(team_of(unit, man.id)) if unit is not None else None
    if team is None or team.kind != "gun_group" or team.place is None:
        return None
    if distance(end, team.place) < distance(man.at, team.place):
        return None
    text = f"{name_of(believed, man.id)} goes nearer to the place of the gun group, or stays."
    return Refusal(text, "fireforce organisation", "path")


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
    if not leads_away(believed, man, until((man.at, *path), made.distance), foes):
        yield Refusal(f"{who} withdraws: the way must lead away from the enemy.", rule, "path")
        return
    table = setting_of(believed).table
    at_edge = made.reached[0] in (0, table.width) or made.reached[1] in (0, table.depth)
    if made.complete and made.spent < allowed.full * NEARLY and not at_edge:
        yield Refusal(f"{who} withdraws a full move; the way is too short.", rule, "path")


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
    state = yield from break_off(state, dictated)
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
    if now.has_moved or has_to_roll(state, unit, name):
        return state
    if any(allowance(state, each).barred is None for each in team):
        return state
    return (yield from tell(TeamMoved(squad=unit.id, team=name)))


def inches(length: int) -> str:
    """A length in inches, as people write it."""
    return f'{length / 100:g}"'
