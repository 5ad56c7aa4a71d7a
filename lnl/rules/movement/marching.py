"""The march: units go step by step, and what happens on the way happens in its order. `core 6.0`, `core 5.3`"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from lnl.board.ground import GROUND
from lnl.board.hexes import Place
from lnl.happening.melee import MeleeOver
from lnl.happening.movement import Entered, Faced, Started, Stopped
from lnl.happening.rulings import ask, tell
from lnl.happening.seeing import Revealed
from lnl.orders.dispatch import replies
from lnl.rules.fire import indirect_fire, opportunity_fire
from lnl.rules.hidden import spotting
from lnl.rules.melee import melee
from lnl.rules.movement.movement import Step, made
from lnl.rules.movement.special_movement import holds_back
from lnl.rules.turn import event_markers
from lnl.rules.works import claymores, mines
from lnl.state.battle import Believed, Manner, State, Unit
from lnl.state.finding import (
    counter_of,
    enemies_at,
    is_open,
    melee_at,
    perceived_enemies,
    present,
    standing_of,
    traits_of,
    units,
    units_at,
    works_at,
)
from lnl.state.setting import setting_of
from lnl.words.naming import place_words, unit_name
from umpire.kernel.book.points import Steps
from umpire.kernel.rulings import Choice, Question, Ruling

ALONG = "hero_along"
"""The question whether those who have stood up on the way go along."""

on_entering: Steps[State, [tuple[str, ...], Place, Place]] = Steps("on entering a place", rule="core 6.0")
"""What else happens to units (by id) that have come from one place to another, before melee and opportunity fire."""


def moving(state: State, side: str, at: Place | None = None) -> tuple[Unit, ...]:
    """The units of a side whose move is not over, of whichever of its commands: with heroes whom they have brought
    forth. `core 6.0`, `core 11.2`"""
    found = (each for each in units(state) if each.side == side and each.is_moving and each.is_placed)
    return tuple(sorted((each for each in found if at is None or each.at == at), key=lambda each: each.id))


def march(
    state: State,
    unit_ids: Sequence[str],
    path: Sequence[Place],
    manner: Manner = "move",
    double_time: bool = False,
    facing: int = 0,
) -> Ruling[State]:
    """Units of one place go along a path: each step as the truth allows it, what happens where they enter, opportunity
    fire, what they come to see; in that order. What cannot be done ends the move uncharged. `core 6.0`, `core 5.3`"""
    starting = present(state, unit_ids)
    if not starting:
        return state
    ordered, side, at = tuple(each.id for each in starting), starting[0].side, starting[0].at
    state = yield from tell(Started(units=ordered, manner=manner, double_time=double_time))
    why = "done"
    entered: tuple[Place, ...] = ()
    along: tuple[str, ...] = ()
    for to in path:
        going = _Going(to=to, manner=manner, double_time=double_time, entered=entered)
        stack = tuple(each for each in moving(state, side, at) if each.id in ordered)
        step = going.made(state, stack) if stack else None
        state = yield from _runs_into_wire(state, side, at, to)
        if step is not None and step.why:
            why = step.why
            break
        newborn = [each for each in moving(state, side, at) if each.id not in ordered]
        if newborn:
            state, along = yield from _taken_along(state, going, stack, newborn, along)
            ids = (*(each.id for each in stack), *along)
            stack = tuple(each for each in moving(state, side, at) if each.id in ids)
            step = going.made(state, stack) if stack else None
        if step is None or step.why:
            break
        origin, at, entered = at, to, (*entered, to)
        ids = tuple(each.id for each in stack)
        state = yield from tell(Entered(units=ids, at=at, spent=step.spent))
        state = yield from left(state, origin, side)
        state = yield from arrived(state, ids, origin, step.points)
        if enemies_at(state, at, side):
            why = "melee"
            break
    state = yield from _turned(state, side, at, facing if entered else 0)
    if on_the_way := moving(state, side):
        state = yield from tell(Stopped(units=tuple(each.id for each in on_the_way), why=why))
    return (yield from spotting.uncover(state))


class _Going(Struct, frozen=True, kw_only=True):
    """A step that is about to be made, and how."""

    to: Place
    manner: Manner
    double_time: bool
    entered: tuple[Place, ...]

    def made(self, state: State, stack: Sequence[Unit]) -> Step:
        return made(
            state,
            stack,
            stack[0].at,
            self.to,
            manner=self.manner,
            double_time=self.double_time,
            spent={each.id: each.spent for each in stack},
            entered=self.entered,
        )


def _taken_along(
    state: State, going: _Going, stack: Sequence[Unit], newborn: Sequence[Unit], before: Sequence[str]
) -> Ruling[tuple[State, tuple[str, ...]]]:
    """Which heroes who have stood up on the way go on with those who were ordered to: those of them who can and whom
    their player takes along, or has taken along `before`; into a melee he is asked again. The others stay where they
    are, and hinder nobody. `core 11.2`, `core 1.3` (L200)"""
    able: list[Unit] = []
    for each in newborn:
        together = (*stack, *able, each)
        if not any(holds_back(state, each, together, going.manner, double_time=going.double_time)):
            if not going.made(state, together).why:
                able.append(each)
    is_melee = bool(able) and any(each.at == going.to for each in perceived_enemies(state, able[0].command))
    taken = () if is_melee else tuple(each.id for each in able if each.id in before)
    asked = [each for each in able if each.id not in taken]
    for command in dict.fromkeys(each.command for each in asked):
        own = [each for each in asked if each.command == command]
        state, chosen = yield from ask(command, _whether_along(state, going.to, own, is_melee=is_melee))
        taken = (*taken, *chosen)
    staying = [each.id for each in present(state, [each.id for each in newborn]) if each.id not in taken]
    if staying:
        state = yield from tell(Stopped(units=tuple(staying), why="stays"))
    return state, taken


def _whether_along(state: State, to: Place, able: Sequence[Unit], *, is_melee: bool) -> Question:
    """By default they go along, but not into a melee."""
    ids = tuple(each.id for each in able)
    return Question(
        kind=ALONG,
        prompt=f"Who has just stood up: does he go along to {place_words(state, to)}?",
        choices=tuple(Choice(id=each.id, label=unit_name(state, each), pieces=(each.id,), at=each.at) for each in able),
        default=() if is_melee else ids,
        least=0,
        most=len(able),
        about=ids,
        rule="core 11.2",
    )


@replies(ALONG)
def _by_standing_orders(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """Standing orders say that heroes go along, or that they stay. `core 11.2`"""
    given = {standing_of(believed, each).heroes for each in present(believed, question.about)}
    if given == {"stay"}:
        return ()
    return tuple(choice.id for choice in question.choices) if given == {"along"} else None


def _runs_into_wire(state: State, side: str, origin: Place, to: Place) -> Ruling[State]:
    """Wire that nobody knew of is known when somebody comes to it, whether he gets into it or not (L22); in a blind
    battle it is his contact, and its owner does not learn of it. `core 21.3`"""
    if to[2] != GROUND or origin[:2] == to[:2] or setting_of(state).options.play == "blind":
        return state
    hidden = [wire.id for wire in works_at(state, to, "wire") if wire.side != side and not is_open(state, wire.id)]
    return (yield from tell(Revealed(pieces=tuple(hidden)))) if hidden else state


def left(state: State, origin: Place, side: str) -> Ruling[State]:
    """What follows when units have left a place: the last to withdraw from a melee take its marker along, a claymore
    that nobody guards is gone. `core 8.1`, `core 21.5`"""
    if melee_at(state, origin) is not None and not units_at(state, origin, side):
        state = yield from tell(MeleeOver(at=origin))
    return (yield from claymores.unguarded(state))


def arrived(state: State, ids: Sequence[str], origin: Place, points: int) -> Ruling[State]:
    """What happens where units have entered: events, mines, a barrage; melee, or else (also where enemies were who
    could not fight and are gone, L165) claymores, opportunity fire and what they see. `core 6.0`, `core 1.7`,
    `core 21.4`, `core 18.1`, `core 8.0`, `core 8.1`, `core 21.5`, `core 5.3`"""
    first = present(state, ids)[0]
    at, side = first.at, first.side
    here = (at[0], at[1])
    is_sheltered = goes_by_trench(state, origin, at)
    state = yield from event_markers.entered(state, at)
    if origin[:2] != here:
        if at[2] == GROUND:
            state = yield from mines.entered(state, _there(state, side, ids, at), here)
        movers = _there(state, side, ids, at)
        state = yield from indirect_fire.barrage_hits(state, movers, here, is_sheltered=is_sheltered)
    movers = _there(state, side, ids, at)
    traits = frozenset(word for each in present(state, movers) for word in traits_of(state, each))
    state = yield from on_entering(setting_of(state).active, traits, state, movers, origin, at)
    movers = _there(state, side, ids, at)
    if not movers:
        return state
    if enemies_at(state, at, side):
        state = yield from spotting.uncover(state)  # whoever fights in it sees with whom
        state = yield from melee.enter(state, movers, at)
        movers = _there(state, side, ids, at)
        if not movers or enemies_at(state, at, side) or melee_at(state, at) is not None:
            return state
    state = yield from claymores.window(state, movers, at, is_sheltered=is_sheltered)
    movers = _there(state, side, ids, at)
    state = yield from opportunity_fire.window(state, movers, points, is_sheltered=is_sheltered)
    return (yield from spotting.uncover(state, have_arrived=True))


def goes_by_trench(state: State, origin: Place, at: Place) -> bool:
    """Whether a step leads from one trench into another one: who takes it is no better target while he does.
    `core 21.6`"""
    is_in_both = all(place[2] == GROUND and works_at(state, place, "trench") for place in (origin, at))
    return is_in_both and origin[:2] != at[:2]


def _there(state: State, side: str, ids: Sequence[str], at: Place) -> tuple[str, ...]:
    """Those who have entered, stopped or not, and heroes who have stood up among them."""
    named = [*ids, *(each.id for each in moving(state, side, at) if each.id not in ids)]
    return tuple(each.id for each in present(state, named) if each.at == at)


def _turned(state: State, side: str, at: Place, facing: int) -> Ruling[State]:
    """Weapon teams may face anywhere after entering a hex. `core 1.6.3`"""
    for each in moving(state, side, at):
        if facing and facing != each.facing and counter_of(state, each).facing:
            state = yield from tell(Faced(unit=each.id, facing=facing))
    return state
