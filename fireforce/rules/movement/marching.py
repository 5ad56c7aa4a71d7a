"""A move step by step on the truth: along the paths in exact stretches, until something ends it that nobody could know.

All figures of one order walk side by side. What happens on the way comes in the order of the distance walked: a hidden
figure comes into sight and vanishes again, hidden enemies are found, a booby trap is set off or detected, an enemy is
touched. Traps stop the whole order where it is, and so do enemies, but for whoever has come to the end of his way there
(house). What was not walked is not charged.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from fireforce.book.rows import Manner
from fireforce.happening.movement import Moved, Stopped
from fireforce.happening.rulings import tell
from fireforce.happening.visibility import Concealed, Placed, Prepared, Spotted
from fireforce.rules.hidden.hearing import noise_of_movement
from fireforce.rules.hidden.reveal import put_on_table
from fireforce.rules.hidden.spotting import (
    found_on_the_way,
    in_sight_on_the_way,
    is_hidden,
    may_be_off_table,
    observers,
    seen_on_the_way,
    to_be_found,
)
from fireforce.rules.men.surrender import surrender_to_movers
from fireforce.rules.movement.allowance import measured
from fireforce.rules.works.traps import springs, tested, uncover, withdraws_from
from fireforce.state.battle import (
    Card,
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    by_place,
    card_over,
    cards,
    enemies_of,
    figure,
)
from fireforce.state.setting import tables_of
from fireforce.table.going import Progress, point_along
from fireforce.table.ranges import distance
from umpire.kernel.rulings import Ruling

RULE = "fireforce movement"
Kind = Literal["seen", "found", "vanishes", "trap", "contact"]
ORDER: tuple[Kind, ...] = ("seen", "found", "vanishes", "trap", "contact")
"""What comes first of things that happen at the same distance."""


class Way(Struct, frozen=True, kw_only=True):
    """The way of one figure: the places after its start, its manner ("" where it is no move of its own and is not
    charged), and how much of a move it has."""

    figure: str
    path: tuple[Place, ...]
    manner: Manner | Literal[""] = "tactical"
    fraction: Fraction = Fraction(1)
    why: str = ""
    made: Progress | None = None
    """How far the way leads, where its giver has measured it already."""


class _Walker:
    """A figure on its way: how far it can come, and how far it has been told to have come."""

    def __init__(self, state: State, way: Way) -> None:
        self.man = figure(state, way.figure)
        self.way = way
        self.path: tuple[Place, ...] = (self.man.at, *way.path)
        made = way.made or measured(state, self.path, way.manner or "tactical", way.fraction)
        self.length = made.distance
        self.full = made.distance if made.complete else -1
        self.told = 0
        self.is_out = False

    def at(self, length: int) -> Place:
        return self.man.at if length <= 0 else point_along(self.path, length)


class _Happening(Struct, frozen=True, order=True):
    """What happens after so much of a way; at the same moment in an order that no name and no number decides."""

    length: int
    rank: int
    walker: int
    at: Place = (0, 0)
    subject: str = ""

    @property
    def kind(self) -> Kind:
        return ORDER[self.rank]


def march(state: State, ways: Sequence[Way]) -> Ruling[State]:
    """Moves figures along their ways as far as the truth lets them. `fireforce movement`, `fireforce visibility`,
    `fireforce mines`"""
    by_figure = {way.figure: way for way in ways}
    walkers = [_Walker(state, by_figure[piece]) for piece in by_place(state, by_figure)]
    state = yield from _set_out(state, walkers)
    stop: int | None = None
    stopped_by = ""
    for each in sorted(_happenings(state, walkers)):
        walker = walkers[each.walker]
        if (stop is not None and each.length > stop) or walker.is_out:
            continue
        match each.kind:
            case "seen":
                state = yield from _seen(state, walker, each.length)
            case "vanishes":
                if figure(state, walker.man.id).is_placed:
                    state = yield from _go(state, walker, each.length)
                    state = yield from tell(Concealed(figures=(walker.man.id,)))
            case "found":
                if is_hidden(state, figure(state, each.subject)):
                    state = yield from _go(state, walker, each.length)
                    state = yield from tell(Spotted(observer=walker.man.id, target=each.subject, why="spotted"))
                    state = yield from tell(Placed(figures=(each.subject,), why="spotted"))
            case "trap":
                state, is_over = yield from _trap(state, walker, each)
                if is_over:
                    stop, stopped_by = each.length, "booby_trap"
            case "contact":
                state = yield from _go(state, walker, each.length)
                state = yield from put_on_table(state, [each.subject], "contacted")
                if _is_his_end(state, walker, each.subject):
                    walker.length = each.length
                else:
                    stop, stopped_by = each.length, "contact"
    return (yield from _arrive(state, walkers, stop, stopped_by))


def _is_his_end(state: State, walker: _Walker, foe: str) -> bool:
    """Whether his way ends at this enemy: he has gone where he wanted, and those beside him go on."""
    other = figure(state, foe)
    return walker.length == walker.full and distance(walker.path[-1], other.at) <= walker.man.radius + other.radius


def first_met(state: State, ways: Sequence[Way]) -> int | None:
    """After how much of their ways the first of the figures meets somebody: an enemy, or one to be found."""
    walkers = [_Walker(state, way) for way in ways]
    return min((each.length for each in _happenings(state, walkers) if each.kind != "trap"), default=None)


def leave_positions(state: State, men: Iterable[Figure]) -> Ruling[State]:
    """Troops that move, on their feet or beneath a card or counter, are in no prepared position any more.
    `fireforce visibility`"""
    prepared = tuple(man.id for man in men if man.is_prepared)
    if prepared:
        state = yield from tell(Prepared(figures=prepared, is_prepared=False))
    return state


def _set_out(state: State, walkers: Sequence[_Walker]) -> Ruling[State]:
    """Troops that move are in no prepared position any more, and if they are not indigenous they stand on the table
    from then on. `fireforce visibility`"""
    going = [each for each in walkers if each.length > 0]
    state = yield from leave_positions(state, [each.man for each in going])
    men = [figure(state, each.man.id) for each in going]
    if out := tuple(man.id for man in men if is_hidden(state, man) and not may_be_off_table(state, man)):
        state = yield from tell(Placed(figures=out, why="left_position"))
    for each in going:
        each.man = figure(state, each.man.id)
    return state


def _go(state: State, walker: _Walker, length: int) -> Ruling[State]:
    """The figure comes to this distance of its way, if it is not there already."""
    length = min(length, walker.length)
    if length <= walker.told or walker.is_out:
        return state
    charged = walker.man.distance + (length if walker.way.manner else 0)
    places = _between(walker.path, walker.told, length)
    at = walker.at(length)
    walker.told = length
    return (
        yield from tell(
            Moved(
                figure=walker.man.id,
                at=at,
                path=(*places, at),
                manner=walker.way.manner,
                distance=charged,
                why=walker.way.why,
            )
        )
    )


def _arrive(state: State, walkers: Sequence[_Walker], stop: int | None, why: str) -> Ruling[State]:
    short: list[str] = []
    for walker in walkers:
        end = walker.length if stop is None else min(stop, walker.length)
        state = yield from _go(state, walker, end)
        if stop is not None and not walker.is_out and stop < walker.length:
            short.append(walker.man.id)
    if stop is not None and (short or why):
        named = tuple(short) or tuple(walker.man.id for walker in walkers if not walker.is_out)
        if named:
            state = yield from tell(Stopped(figures=named, why=why))
    state = yield from noise_of_movement(state, [(each.man.id, walked(each)) for each in walkers])
    return (yield from surrender_to_movers(state, [each.man.id for each in walkers if each.told]))


def walked(walker: _Walker) -> tuple[Place, ...]:
    """What a figure has walked of its way, with its start."""
    return (walker.man.at, *_between(walker.path, 0, walker.told), *((walker.at(walker.told),) if walker.told else ()))


# What may happen


def _seen(state: State, walker: _Walker, length: int) -> Ruling[State]:
    """A hidden figure comes into sight; the time out of sight of one that is on the table begins anew."""
    man = figure(state, walker.man.id)
    if is_hidden(state, man):
        state = yield from _go(state, walker, length)
        state = yield from tell(Placed(figures=(man.id,), why="seen_in_open"))
    elif man.hidden_turns:
        state = yield from tell(Prepared(figures=(man.id,), is_prepared=man.is_prepared, hidden_turns=0))
    return state


def _happenings(state: State, walkers: Sequence[_Walker]) -> Iterator[_Happening]:
    commands = sorted({each.man.command for each in walkers})
    hidden = {command: to_be_found(state, command) for command in commands}
    foes = {command: _touchable(state, command) for command in commands}
    lookers = {command: observers(state, command) for command in commands}
    for index, walker in enumerate(walkers):
        if walker.length <= 0:
            continue
        for length, foe in _contacts(walker, foes[walker.man.command]):
            yield _Happening(length, ORDER.index("contact"), index, figure(state, foe).at, foe)
        for length, trap in traps_on_the_way(state, walker.man, walker.path, walker.length):
            yield _Happening(length, ORDER.index("trap"), index, trap.at, trap.id)
        for length, foe in found_on_the_way(state, walker.man, walker.path, walker.length, hidden[walker.man.command]):
            yield _Happening(length, ORDER.index("found"), index, figure(state, foe).at, foe)
        watching = lookers[walker.man.command]
        if walker.man.is_placed and walker.man.hidden_turns:
            for begin, _ in in_sight_on_the_way(state, walker.path, walker.length, watching)[:1]:
                yield _Happening(begin, ORDER.index("seen"), index)
        elif is_hidden(state, walker.man):
            for begin, end in seen_on_the_way(state, walker.man, walker.path, walker.length, watching):
                yield _Happening(begin, ORDER.index("seen"), index)
                if end < walker.length:
                    yield _Happening(end, ORDER.index("vanishes"), index)


def _touchable(state: State, command: str) -> tuple[Figure, ...]:
    """The enemies whom a man can run into: those beneath a face-down card are not met but searched for."""
    return tuple(
        foe
        for foe in enemies_of(state, command)
        if not foe.squad or foe.is_placed or foe.id in state.public.pieces or card_over(state, foe.squad) is None
    )


def _contacts(walker: _Walker, foes: Sequence[Figure]) -> Iterator[tuple[int, str]]:
    """The first enemy whose base the figure touches, and after how much of the way. From one whom he touches already a
    figure may go away; past civilians he goes, if his way does not end at them."""
    first: tuple[int, Place, str] | None = None
    for foe in foes:
        reach = walker.man.radius + foe.radius
        away = distance(walker.man.at, foe.at)
        if away <= reach or away > reach + walker.length + 1:
            continue
        if foe.is_civilian and distance(walker.path[-1], foe.at) > reach:
            continue
        length = first_within(walker.path, foe.at, reach, walker.length)
        if length is not None and (first is None or (length, foe.at, foe.id) < first):
            first = (length, foe.at, foe.id)
    if first is not None:
        yield first[0], first[2]


def traps_on_the_way(state: State, man: Figure, path: Sequence[Place], length: int) -> Iterator[tuple[int, Card]]:
    """The booby traps that a figure comes near to on so much of a path (with its start), whoever laid them, each with
    the distance walked. Who stands near one already does if he goes nearer. `fireforce mines`"""
    reach = tables_of(state).distance("booby_trap") + man.radius
    for trap in cards(state):
        if trap.kind == "booby_trap":
            away = distance(man.at, trap.at)
            near = first_within(path, trap.at, min(reach, away - 1), length)
            if near is not None:
                yield 0 if away <= reach else near, trap


def first_within(path: Sequence[Place], centre: Place, reach: int, length: int) -> int | None:
    """The shortest whole distance along a path, up to `length`, at which it is no farther than `reach` from a place."""
    start = 0.0
    for a, b in pairwise(path):
        run = math.dist(a, b)
        if start > length:
            return None
        if run:
            dx, dy = (b[0] - a[0]) / run, (b[1] - a[1]) / run
            along = (centre[0] - a[0]) * dx + (centre[1] - a[1]) * dy
            off = (centre[0] - a[0]) ** 2 + (centre[1] - a[1]) ** 2 - along**2
            # Half a hundredth more: distances are compared as whole hundredths.
            chord = (reach + 0.5) ** 2 - off
            if chord >= 0:
                enters = along - math.sqrt(chord)
                leaves = along + math.sqrt(chord)
                if enters <= run and leaves >= 0:
                    begin, end = math.ceil(start + max(enters, 0.0)), math.ceil(start + min(leaves, run))
                    found = _touching(path, centre, reach, begin, min(end, length))
                    if found is not None:
                        return found
        start += run
    return None


def _touching(path: Sequence[Place], centre: Place, reach: int, begin: int, end: int) -> int | None:
    """The first distance at which it is near enough: points are rounded towards the start of the path, so that who
    comes in at an angle is there only some hundredths later, or not before its end."""
    for length in range(begin, end + 1):
        if distance(point_along(path, length), centre) <= reach:
            return length
    return None


def _between(path: Sequence[Place], begin: int, end: int) -> tuple[Place, ...]:
    """The corners of a path between two distances along it."""
    found: list[Place] = []
    walked = 0.0
    for a, b in pairwise(path):
        walked += math.dist(a, b)
        if begin < walked < end and b != path[-1]:
            found.append(b)
    return tuple(found)


# What happens


def _trap(state: State, walker: _Walker, each: _Happening) -> Ruling[tuple[State, bool]]:
    """A figure has come near to a booby trap. Gives the state, and whether this ends the move. `fireforce mines`"""
    trap = next((one for one in cards(state) if one.id == each.subject), None)
    if trap is None:
        return state, False
    piece = walker.man.id
    state, outcome = yield from tested(state, piece, trap, f"{piece} {trap.id}", secret=True)
    if outcome == "passed":
        return state, False
    state = yield from _go(state, walker, each.length)
    if outcome == "detected":
        return (yield from uncover(state, trap, "detected")), True
    state = yield from springs(state, piece, trap)
    state = yield from withdraws_from(state, piece, trap, walked(walker), walker.way.manner)
    walker.length = walker.told
    walker.is_out = not figure(state, piece).is_fit
    return state, True
