"""A module for tests, with rules of each kind as the module books print them, and the group's own files that use it.

It is registered here and nowhere else; a battle has it where its scenario names it.
"""

from __future__ import annotations

from collections.abc import Iterable

from lnl.board.hexes import Place
from lnl.book.tables import Tables
from lnl.happening.men import Attempted, Rallied
from lnl.happening.rulings import ask, tell
from lnl.rules.fire.damage_checks import eliminate, unit_lost
from lnl.rules.fire.multiple_attacking_units import QUARTERS, supporting_firepower
from lnl.rules.fire.target_modifiers import target_modifier
from lnl.rules.melee.melee import before_melee
from lnl.rules.men.heroes import brings_heroes
from lnl.rules.movement.stacking import stacking_limit
from lnl.rules.movement.step_costs import StepContext, terrain_cost, way_cost
from lnl.rules.turn import rally_phase
from lnl.rules.turn.outline_of_play import before_rallying
from lnl.state.battle import State, Unit
from lnl.state.finding import enemies_at, has_unit, is_leader, terrain_at, traits_of, unit, units, units_at
from lnl.words.naming import place_words, unit_name
from umpire.kernel.book.points import Module
from umpire.kernel.rulings import Choice, Question, Ruling
from umpire.kernel.values.modifiers import Modifier, Refusal

WOODS = Module("proving ground: the woods")
RIFLES = Module("proving ground: the rifles")
THICK = ("forest", "marsh")

PARTISANS_FILE = """
[_file]
title = "Counters of a club that owns the cards"

[counters.su_partisans]
name = "Partisans"
kind = "squad"
nation = "su"
troop = "partisans"
firepower = 0
range = 3
movement = 4
morale = 4
traits = ["partisan"]
source = "hotm 13.1.3"
status = "printed"
status_of = { morale = "house" }
source_of = { morale = "our proposal" }

[counters.su_partisan_leader]
like = "su_partisans"
name = "Partisan leader"
kind = "leader"
movement = 6
morale = 5
leadership = 1
leadership_range = 1
source = "our proposal"
status = "house"
"""
"""Counters with the trait that the module's rules ask for."""
PLAIN = PARTISANS_FILE.replace('traits = ["partisan"]', "traits = []")
"""The same without the trait."""
FANATICS_FILE = """
[counters.ge_ss]
name = "SS squad"
kind = "squad"
nation = "ge"
troop = "ss"
firepower = 1
range = 4
movement = 4
morale = 5
traits = ["fanatic"]
source = "hid 13.2.3"
status = "printed"
status_of = { morale = "house" }
source_of = { morale = "our proposal" }

[counters.ge_ss_leader]
like = "ge_ss"
name = "SS leader"
kind = "leader"
movement = 6
morale = 6
leadership = 1
leadership_range = 1
source = "our proposal"
status = "house"

[traits.fanatic]
name = "Fanaticism"
rule = "hotm 13.2.1"
source = "hotm 13.2.1"
status = "printed"
"""
"""Counters with a trait that modules print alike, and the key under which this book has it."""


# One: the rule in the place of the printed one


@supporting_firepower.change(WOODS, trait="partisan", rule="hotm 13.1.1")
def each_adds_one(rule: str, quarters: int) -> int:
    """A further squad of partisans adds 1, whatever its own firepower."""
    return QUARTERS


@supporting_firepower.change(RIFLES, trait="volley", rule="hona 13.5.1")
def all_of_it(rule: str, quarters: int) -> int:
    """Squads with automatic rifles add all of theirs."""
    return quarters


@terrain_cost.change(WOODS, trait="partisan", rule="hotm 13.1.1")
def woodsmen(rule: str, tables: Tables, context: StepContext) -> int:
    """Light woods cost 1."""
    return 1 if context.terrain == "light_woods" else tables.terrain(context.terrain).leg


@way_cost.change(WOODS, trait="partisan", rule="hotm 13.1.1")
def at_home(rule: str, tables: Tables, context: StepContext) -> Iterable[Modifier]:
    """The first forest or marsh of a move costs 1."""
    if context.terrain in THICK and not any(key in THICK for key in context.entered):
        yield Modifier(1 - tables.terrain(context.terrain).leg, "at home in the woods", rule)


@terrain_cost.change(WOODS, trait="chasseur", rule="hid 13.3.2")
def in_light_woods(rule: str, tables: Tables, context: StepContext) -> int:
    return 1 if context.terrain == "light_woods" else tables.terrain(context.terrain).leg


@brings_heroes.change(WOODS, trait="no_heroes", rule="hid 13.1.2")
def never(rule: str, state: State, parent: Unit) -> bool:
    return False


# Sum: what is added, and what is refused


@target_modifier.change(WOODS, trait="partisan", rule="hotm 13.1.1")
def hidden_in_the_woods(rule: str, state: State, each: Unit, mortar: bool) -> Iterable[Modifier]:
    """In forest and light woods they have one more."""
    if terrain_at(state, each.at).key in ("forest", "light_woods"):
        yield Modifier(1, "partisans in the woods", rule)


@stacking_limit.change(WOODS, trait="partisan", rule="hotm 13.1.1")
def two_without_a_leader(rule: str, state: State, place: Place, stack: tuple[Unit, ...]) -> Iterable[Refusal]:
    squads = [each for each in stack if "partisan" in traits_of(state, each) and not is_leader(state, each)]
    if len(squads) > 2 and not any(is_leader(state, each) for each in stack):
        yield Refusal("Without a leader no more than two squads of partisans stand in one place.", rule)


@rally_phase.rally_modifiers.change(WOODS, trait="motherland", rule="hotm 13.1.2")
def for_the_motherland(rule: str, state: State, each: Unit) -> Iterable[Modifier]:
    if "motherland" in each.attempts:
        yield Modifier(-1, "for the Motherland", rule)


# Steps: what happens at a moment


@before_melee.change(trait="fanatic", rule="hid 13.2.1")
def fanatics_rally(rule: str, state: State, movers: tuple[str, ...], place: Place) -> Ruling[State]:
    """Shaken fanatics into whose hex enemies have come try to rally, leaders first; who fails is no more."""
    entering = unit(state, movers[0])
    shaken = [
        each
        for each in enemies_at(state, place, entering.side)
        if each.is_shaken and "fanatic" in traits_of(state, each)
    ]
    for piece in (each.id for each in sorted(shaken, key=lambda each: (not is_leader(state, each), each.id))):
        helper = next(iter(rally_phase.helpers(state, unit(state, piece))), None)
        state, result, _ = yield from rally_phase.attempt(state, piece, helper)
        if not has_unit(state, piece):
            continue
        if result == "rallied":
            state = yield from tell(Rallied(unit=piece))
        else:
            state = yield from eliminate(state, piece, by=entering.command)
    return state


@unit_lost.change(WOODS, trait="partisan", rule="hotm 13.1.1")
def without_their_leader(rule: str, state: State, lost: Unit) -> Ruling[State]:
    """Three squads that have lost their leader lose one of them, as their player says."""
    left = [each for each in units_at(state, lost.at, lost.side) if "partisan" in traits_of(state, each)]
    squads = [each for each in left if not is_leader(state, each)]
    if not is_leader(state, lost) or len(squads) < len(left) or len(squads) < 3:
        return state
    question = Question(
        kind="remove",
        prompt=f"Which squad is lost with its leader in {place_words(state, lost.at)}?",
        choices=tuple(Choice(id=each.id, label=unit_name(state, each), pieces=(each.id,)) for each in squads),
        default=(squads[0].id,),
        rule=rule,
    )
    state, taken = yield from ask(lost.command, question)
    return (yield from eliminate(state, taken[0], "removed"))


@before_rallying.change(WOODS, trait="motherland", rule="hotm 13.1.2")
def one_hex_for_the_motherland(rule: str, state: State, side: str) -> Ruling[State]:
    """In one hex, which their player names, all have one more."""
    mine = [each for each in units(state) if each.side == side and each.is_placed and each.is_shaken]
    places = sorted({each.at for each in mine})
    if not places:
        return state
    question = Question(
        kind="motherland",
        prompt="Which hex fights for the Motherland?",
        choices=tuple(Choice(id=place_words(state, at), label=place_words(state, at), at=at) for at in places),
        default=(place_words(state, places[0]),),
        rule=rule,
    )
    command = next(each.command for each in mine)
    state, taken = yield from ask(command, question)
    for each in units(state):
        if each.side == side and each.is_placed and place_words(state, each.at) in taken:
            state = yield from tell(Attempted(unit=each.id, attempts=(*each.attempts, "motherland")))
    return state
