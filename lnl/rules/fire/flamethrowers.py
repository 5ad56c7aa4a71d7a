"""Flamethrowers: units that their fire shakes leave their hex, or are no more if they cannot. `core 1.6.2`"""

from __future__ import annotations

from lnl.board.ground import place_name
from lnl.board.hexes import Place
from lnl.happening.movement import Retreated
from lnl.happening.rulings import ask, tell
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.damage_checks import eliminate
from lnl.rules.fire.fire_combat import after_attack
from lnl.rules.movement.going import cost_of, going
from lnl.rules.movement.marching import arrived, left
from lnl.rules.movement.stacking import room_for
from lnl.rules.works.support_weapons import bars_moving
from lnl.state.battle import State, Unit
from lnl.state.finding import apart, counter_of, enemies_perceived_by, has_unit, unit
from lnl.state.setting import ground_of
from lnl.words.naming import unit_name
from umpire.kernel.rulings import Choice, Question, Ruling

RULE = "core 1.6.2"


@after_attack.printed
def _driven_out(
    rule: str, state: State, made: Attack, natural: int, drives_out: bool, shaken: tuple[str, ...]
) -> Ruling[State]:
    if not drives_out:
        return state
    for piece in shaken:
        if has_unit(state, piece):
            state = yield from retreat(state, piece, made.place, by=made.command)
    return state


def retreat(state: State, piece: str, away_from: Place, *, by: str) -> Ruling[State]:
    """A unit retreats one hex away from a place, where its owner says; it bears a Move marker, and what meets those who
    move meets it. Without a hex to go to it is eliminated. `core 1.6.2`, `core 21.4`, `core 21.5`"""
    each = unit(state, piece)
    places = retreats(state, each, away_from)
    if not places:
        return (yield from eliminate(state, piece, by=by))
    ground = ground_of(state)
    place = places[0]
    if len(places) > 1:
        choices = tuple(Choice(id=place_name(ground, at), label=f"To {place_name(ground, at)}", at=at) for at in places)
        question = Question(
            kind="retreat",
            prompt=f"{unit_name(state, each)} must retreat one hex.",
            choices=choices,
            default=(choices[0].id,),
            about=(piece,),
            rule=RULE,
        )
        state, taken = yield from ask(each.command, question)
        place = next(at for at, choice in zip(places, choices, strict=True) if choice.id in taken)
    if not has_unit(state, piece):
        return state
    cost, _ = cost_of(state, unit(state, piece), each.at, place)
    state = yield from tell(Retreated(unit=piece, at=place))
    state = yield from left(state, each.at, each.side)
    return (yield from arrived(state, (piece,), each.at, cost or 1))


def retreats(state: State, each: Unit, away_from: Place) -> tuple[Place, ...]:
    """Where a unit may retreat to, on its level: farther from the fire, no nearer to any other enemy whom its
    command sees in its line of sight, open to it, without known enemies and with room; nowhere, where it cannot move.
    `core 1.6.2`, `core 1.3`, `core 1.6.1.01`"""
    row = counter_of(state, each)
    if row.immobile or row.movement < 1 or bars_moving(state, each) is not None:
        return ()
    known = {other.at for other in enemies_perceived_by(state, each)}
    seen = [at for at in going(state).seen_enemies(each, each.at) if at != away_from]
    now = apart(each.at, away_from)
    found: list[Place] = []
    for place in going(state).around(each.at):
        if apart(place, away_from) <= now:
            continue
        if any(apart(place, enemy) < apart(each.at, enemy) for enemy in seen):
            continue
        cost, _ = cost_of(state, each, each.at, place)
        if cost is not None and place not in known and not room_for(state, place, each.side, (each.id,)):
            found.append(place)
    return tuple(found)
