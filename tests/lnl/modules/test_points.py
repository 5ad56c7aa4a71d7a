"""The other points at which the module books differ: each is asked in play, with the traits of whom it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from lnl.board.hexes import Place
from lnl.book.rows import Sight
from lnl.book.tables import Tables
from lnl.happening.men import Attempted
from lnl.happening.rulings import tell
from lnl.knowledge.sighting import spotting_terrain
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.fire_combat import after_attack, what_may_be_fired
from lnl.rules.fire.multiple_attacking_units import own_firepower
from lnl.rules.fire.night_combat import star_shell_capability
from lnl.rules.fire.opportunity_fire import enemy_may_interrupt
from lnl.rules.fire.smoke import capability, smoke_capability
from lnl.rules.fire.volley import exposed, exposure
from lnl.rules.hidden.spotting import is_spotted
from lnl.rules.melee.strength import own_firepower as own_in_melee
from lnl.rules.melee.strength import strength
from lnl.rules.men.heroes import hero_troop
from lnl.rules.movement.going import cost_of
from lnl.rules.movement.marching import on_entering
from lnl.rules.movement.movement import allowance, double_time_bonus
from lnl.rules.movement.reach import reachable
from lnl.rules.movement.special_movement import manner_of_moving
from lnl.rules.movement.step_costs import StepContext, lying_cost, slope_cost, way_cost
from lnl.rules.turn import rally_phase
from lnl.rules.turn.outline_of_play import after_initiative
from lnl.rules.works.support_weapons import carrying
from lnl.state.battle import Manner, State, Unit, Weapon
from lnl.state.finding import traits_of, units
from tests.lnl.building import CLEAR, Battle, battle
from tests.lnl.fire.firing import firepower, gun_of, refused
from umpire.kernel.book.points import Module
from umpire.kernel.rulings import Ruling
from umpire.kernel.values.modifiers import Modifier, Refusal, total

MIXED = Module("points: of all books")
PLAIN = "squad 1-6-4-5"


def fought(pieces: str, board: str = CLEAR, *, own: str = "", **more: Any) -> Battle:
    layers = [("ours.toml", own)] if own else []
    if "\nge " not in pieces:
        pieces += f"\nge g {PLAIN} B1"
    return battle(board, pieces, head={"modules": [MIXED.name]}, layers=layers, **more)


def noted(state: State, each: Unit, word: str) -> Ruling[State]:
    return (yield from tell(Attempted(unit=each.id, attempts=(*each.attempts, word))))


# Movement


@double_time_bonus.change(MIXED, trait="encumbered", rule="hid 13.1.1")
def encumbered(rule: str, state: State, each: Unit) -> int:
    return 1


@slope_cost.change(MIXED, trait="alpine", rule="hona 13.1.3")
def alpine(rule: str, tables: Tables, context: StepContext) -> int:
    return 0 if context.rise in (1, -2) else max(0, context.rise)


@lying_cost.change(MIXED, trait="cratered", rule="hid 10.5.6")
def craters(rule: str, tables: Tables, context: StepContext) -> Iterable[Modifier]:
    yield Modifier(1, "craters", rule)


@way_cost.change(MIXED, trait="desert", rule="hona 10.7")
def sand(rule: str, tables: Tables, context: StepContext) -> Iterable[Modifier]:
    if context.mover.is_hurried and context.terrain == "sand" and "sand" not in context.entered:
        yield Modifier(1, "sand", rule)


@manner_of_moving.change(MIXED, trait="piper", rule="hona 11.7")
def pipers(rule: str, state: State, each: Unit, manner: Manner, double_time: bool) -> Iterable[Refusal]:
    if double_time:
        yield Refusal("A piper does not go at double-time.", rule, "double_time")


@on_entering.change(MIXED, trait="afraid_of_water", rule="hid 24.0")
def wet(rule: str, state: State, movers: tuple[str, ...], origin: Place, at: Place) -> Ruling[State]:
    for each in units(state):
        if each.id in movers:
            state = yield from noted(state, each, f"{origin[1]} to {at[1]}")
    return state


@enemy_may_interrupt.change(MIXED, trait="rider", rule="hid 6.7")
def riders(rule: str, state: State, movers: tuple[str, ...], points: int) -> Ruling[State]:
    for each in units(state):
        if "rider" in traits_of(state, each):
            state = yield from noted(state, each, f"{movers[0]} {points}")
    return state


def step(fight: Battle, who: str, origin: str, to: str) -> int | None:
    return cost_of(fight.state, fight.unit(who), fight.at(origin), fight.at(to))[0]


@pytest.mark.rule("hid 13.1.1", "core 6.2")
def test_who_is_encumbered_gains_one_at_double_time() -> None:
    fight = fought(f"us a {PLAIN} B2 trait encumbered\nus b {PLAIN} B2\nus lt leader morale=6 mf=9 B2")
    stack = [fight.unit(each) for each in ("a", "b", "lt")]
    assert [allowance(fight.state, each, "move", True, stack)[0] for each in stack] == [5, 6, 9]


@pytest.mark.rule("hona 13.1.3", "hid 10.5.2")
def test_alpine_troops_climb_a_level_for_nothing() -> None:
    fight = fought(
        f"us a {PLAIN} A3 trait alpine\nus b {PLAIN} A3", ". .\n. .\n. .", map_extra="[elevations]\n1 = 'A2'"
    )
    assert [step(fight, who, "A3", "A2") for who in ("a", "b")] == [1, 2]


@pytest.mark.rule("hid 10.5.6", "core 10.4")
def test_what_lies_in_a_hex_costs_more() -> None:
    own = '[terrain.field]\nlike = "clear"\nname = "Cratered"\ntraits = ["cratered"]\nsource = "hid"\nstatus = "read"\n'
    fight = fought(f"us a {PLAIN} A3", ". .\nx .\n. .", own=own, legend={"x": "field"})
    assert [step(fight, "a", "A3", to) for to in ("A2", "B3")] == [2, 1]


@pytest.mark.rule("hona 10.7", "core 6.2")
def test_sand_takes_back_a_point_of_double_time_once() -> None:
    own = (
        '[terrain.sand]\nlike = "clear"\nname = "Sand"\nsource = "hona"\nstatus = "read"\n'
        '[nations.us]\ntraits = ["desert"]\nsource = "hona"\nstatus = "read"\n'
    )
    board = "\n".join(["x ."] * 8)
    pieces = f"us a {PLAIN} A8\nus lt leader morale=6 mf=6 A8"
    fight = fought(pieces, board, own=own, legend={"x": "sand"})
    stack = [fight.unit(each) for each in ("a", "lt")]
    reached = reachable(fight.state, stack, "move", True)
    assert (reached[fight.at("A3")], fight.at("A2") in reached) == (6, False)
    path = [list(fight.at(f"A{row}")) for row in (7, 6, 5, 4, 3)]
    fight.give("us", "Move", units=["a", "lt"], path=path, double_time=True)
    assert fight.unit("a").spent == 6


@pytest.mark.rule("hona 11.7", "core 6.2")
def test_a_manner_of_moving_may_be_forbidden() -> None:
    fight = fought(f"us p {PLAIN} B4 trait piper\nus a {PLAIN} B4\nus lt leader morale=6 mf=6 B4")
    path = [list(fight.at("B3"))]
    found = fight.refused("us", "Move", units=["p", "lt"], path=path, double_time=True)
    assert [each.rule for each in found] == ["hona 11.7"]
    fight.give("us", "Move", units=["a", "lt"], path=path, double_time=True)


@pytest.mark.rule("core 6.0", "hid 6.7")
def test_each_step_is_a_moment_for_movers_and_for_enemies() -> None:
    fight = fought(f"us a {PLAIN} B4 trait afraid_of_water\nge r {PLAIN} H4 trait rider\nge h {PLAIN} H8")
    fight.give("us", "Move", units=["a"], path=[list(fight.at("B3")), list(fight.at("B2"))])
    assert fight.unit("a").attempts == ("4 to 3", "3 to 2")
    assert fight.unit("r").attempts == ("a 1", "a 1")
    assert fight.unit("h").attempts == ()


# Fire and melee


@exposure.change(MIXED, trait="rider", rule="hid 23.0")
def mounted(rule: str, state: State, each: Unit, sheltered: tuple[str, ...]) -> Iterable[Modifier]:
    yield Modifier(-2 if each.moved else 1, "mounted", rule)


@what_may_be_fired.change(MIXED, trait="not_in_bunkers", rule="hona 1.6.4")
def outside(
    rule: str, state: State, each: Unit, weapons: tuple[str, ...], target: Place, how: str
) -> Iterable[Refusal]:
    if each.at[2] < 0:
        yield Refusal("It cannot be fired out of a bunker.", rule, "weapons")


@own_firepower.change(MIXED, trait="low_on_ammo", rule="hona 13.1.5")
def low_on_ammo(rule: str, state: State, each: Unit, distance: int) -> int | None:
    return 0


@own_in_melee.change(MIXED, trait="strong", rule="hid 23.1")
def strong(rule: str, state: State, each: Unit) -> int:
    return 5


@after_attack.change(MIXED, trait="short_of_ammo", rule="hona 13.1.5")
def runs_out(
    rule: str, state: State, made: Attack, natural: int, drives_out: bool, shaken: tuple[str, ...]
) -> Ruling[State]:
    for each in units(state):
        if natural == 6 and each.id in made.units:
            state = yield from noted(state, each, "runs out")
    return state


@hero_troop.change(MIXED, trait="of_the_line", rule="hotm 13.1.1")
def of_the_line(rule: str, state: State, parent: Unit) -> str:
    return "wehrmacht"


@pytest.mark.rule("hid 23.0", "core 5.3")
@pytest.mark.parametrize(("marker", "expected"), [("", 1), (", moved", -1)])
def test_riders_are_better_targets_where_they_stand_and_worse_where_they_move(marker: str, expected: int) -> None:
    fight = fought(f"us a {PLAIN} B2 trait rider{marker}\nus b {PLAIN} J8")
    assert total(exposed(fight.state, fight.unit("a"))) == expected


@pytest.mark.rule("hona 1.6.4", "core 5.0")
def test_a_weapon_may_not_be_fired_from_some_places() -> None:
    own = '[weapons.bar]\ntraits = ["not_in_bunkers"]\nsource = "hona 1.6.4"\nstatus = "read"\n'
    pieces = f"us x bunker B4 facing 1\nus a {PLAIN} B4 in the bunker, bar\nus b {PLAIN} C4 bar\nge g {PLAIN} B2"
    fight = fought(pieces, own=own)
    assert refused(fight, "us", "a", "B2", "a/bar") == ["hona 1.6.4"]
    assert firepower(fight, "us", "a", "B2") == 1
    assert firepower(fight, "us", "b", "B2", "b/bar") == 2


@pytest.mark.rule("hona 13.1.5", "core 5.2")
def test_who_is_low_on_ammunition_adds_nothing() -> None:
    fight = fought(f"us a {PLAIN} B4 trait low_on_ammo\nus b {PLAIN} C4\nge g {PLAIN} B1")
    assert [firepower(fight, "us", who, "B1") for who in ("a", "b")] == [0, 1]


@pytest.mark.rule("hid 23.1", "core 8.0")
def test_own_firepower_in_melee_may_be_another() -> None:
    fight = fought(f"us a {PLAIN} B4 trait strong\nus b {PLAIN} C4")
    assert [strength(fight.state, fight.unit(who), ()) for who in ("a", "b")] == [5, 1]


@pytest.mark.rule("hona 13.1.5", "core 5.0")
@pytest.mark.parametrize(("die", "attempts"), [(6, ("runs out",)), (5, ())])
def test_what_the_die_of_an_attack_shows_may_have_consequences(die: int, attempts: tuple[str, ...]) -> None:
    fight = fought(f"us a {PLAIN} B4 trait short_of_ammo\nus b {PLAIN} C4\nge g squad 1-6-4-9 B1\nge h {PLAIN} J8")
    fight.give("us", "Fire", [("attack", die), ("defence", 6), *_check(die)], units=["a"], target=list(fight.at("B1")))
    assert fight.unit("a").attempts == attempts


def _check(die: int) -> list[tuple[str, int]]:
    return [("damage check", 2)] if die == 6 else []


@pytest.mark.rule("hotm 13.1.1", "core 11.2")
def test_heroes_are_of_the_troop_that_a_module_says() -> None:
    own = '[counters.ge_reiter]\ntroop = "mountain"\nsource = "ours"\nstatus = "house"\n'
    pieces = f"us a squad 6-6-4-5 B4\nge g {PLAIN} troop=mountain B1 trait of_the_line\nge h {PLAIN} J8"
    fight = fought(pieces, own=own)
    dice = [("attack", 5), ("defence", 1), ("damage check g", 1), ("hero g", 2)]
    draws = [("hero g", "ge_vogt"), ("skill g", "marksman")]
    fight.give("us", "Fire", dice, draws=draws, units=["a"], target=list(fight.at("B1")))
    assert [each.counter for each in units(fight.state) if "vogt" in each.counter] == ["ge_vogt"]
    fight = fought(pieces.replace(" trait of_the_line", ""), own=own)
    fight.throw(dice)
    fight.script.draws = draws
    fight.play.order("us", {"verb": "Fire", "units": ["a"], "target": list(fight.at("B1"))})
    assert "ge_vogt" in fight.fault


# The turn, smoke and light, spotting


@after_initiative.change(MIXED, trait="unpredictable", rule="hona 13.1.1")
def unpredictable(rule: str, state: State, thrown: Mapping[str, int]) -> Ruling[State]:
    for each in units(state):
        if thrown.get(each.side) == 6 and "unpredictable" in traits_of(state, each):
            state = yield from noted(state, each, "bold")
    return state


@rally_phase.rally_reach.change(MIXED, trait="piper", rule="hona 11.7")
def heard_afar(rule: str, state: State, helper: Unit) -> int:
    return 1


@rally_phase.after_leading.change(MIXED, trait="piper", rule="hona 11.7")
def heard(rule: str, state: State, helper: str, piece: str) -> Ruling[State]:
    for each in units(state):
        if each.id == helper:
            state = yield from noted(state, each, f"heard by {piece}")
    return state


@carrying.change(MIXED, trait="heavy", rule="hona 1.6.6")
def heavy(rule: str, state: State, each: Unit, gun: Weapon) -> Iterable[Refusal]:
    if "leader" in each.counter:
        yield Refusal("cannot carry it alone", rule)


@smoke_capability.change(MIXED, trait="no_smoke", rule="hotm 7.1")
def no_smoke(rule: str, state: State, each: Unit) -> int:
    return 0


@star_shell_capability.change(MIXED, trait="few_star_shells", rule="hotm 20.2.1")
def few_star_shells(rule: str, state: State, each: Unit) -> int:
    return 1


@spotting_terrain.change(MIXED, trait="cratered", rule="hid 10.5.6")
def degrading(rule: str, state: State, place: Place, terrain: Sight, in_trench: bool) -> Sight:
    return "degrading"


@pytest.mark.rule("hona 13.1.1", "core 3.0")
@pytest.mark.parametrize(("die", "attempts"), [(6, ("bold",)), (5, ())])
def test_the_dice_for_the_initiative_may_have_consequences(die: int, attempts: tuple[str, ...]) -> None:
    fight = fought(f"us a {PLAIN} B4 trait unpredictable\nus b {PLAIN} sr C4 shaken\nge g {PLAIN} J1")
    fight.give("us", "Pass")
    fight.give("ge", "Pass")
    fight.give("us", "Pass", [("initiative ge turn 2", 1), ("initiative us turn 2", die)])
    assert (fight.state.public.turn, fight.state.public.phase) == (2, "rally")
    assert [fight.unit(who).attempts for who in ("a", "b")] == [attempts, ()]


@pytest.mark.rule("hona 11.7", "core 3.0")
def test_leadership_may_serve_to_rally_beyond_its_place_and_leave_a_mark() -> None:
    own = '[counters.us_piper]\nlike = "us_medrow"\nname = "Piper"\ntraits = ["piper"]\nleadership = 2\nmorale = 6\n'
    own += 'source = "ours"\nstatus = "house"\n'
    pieces = (
        f"us p us_piper B3\nus a {PLAIN} B2 shaken\nus b {PLAIN} B6 shaken\nus c {PLAIN} sr H8 shaken\nge g {PLAIN} J8"
    )
    fight = fought(pieces, own=own, phase="rally")
    assert fight.refused("us", "Rally", unit="b")
    fight.give("us", "Rally", [("rally a", (3, 4))], unit="a")
    assert not fight.unit("a").is_shaken
    assert fight.unit("p").attempts == ("led", "heard by a")


@pytest.mark.rule("hona 1.6.6", "core 1.6.1")
def test_a_weapon_may_be_too_heavy_for_one_man() -> None:
    own = '[weapons.bar]\ntraits = ["heavy"]\nsource = "hona 1.6.6"\nstatus = "read"\n'
    pieces = f"us lt leader morale=6 B2\nus a {PLAIN} B2\nus gun bar B2\nge g {PLAIN} J8"
    fight = fought(pieces, own=own, phase="rally")
    (refusal,) = fight.refused("us", "PickUp", unit="lt", weapon="gun")
    assert "cannot carry it alone" in refusal.reason
    fight.give("us", "PickUp", unit="a", weapon="gun")
    assert gun_of(fight, "a/0") == "gun"


@pytest.mark.rule("hotm 7.1", "hotm 20.2.1", "core 20.1")
def test_smoke_and_star_shells_are_as_the_module_says() -> None:
    pieces = f"us a {PLAIN} B2 trait no_smoke\nus lt leader morale=6 B4 trait few_star_shells\nge g {PLAIN} J8"
    fight = fought(pieces, options={"hour": "night"})
    assert capability(fight.state, fight.unit("a")) == 0
    order = {"verb": "FireStarShell", "unit": "lt", "at": [3, 3]}
    assert fight.play.preview("us", order).cost == "1 or less after modifiers"


@pytest.mark.rule("hid 10.5.6", "core 10.1")
def test_as_which_terrain_a_hex_is_spotted_may_be_another() -> None:
    own = '[terrain.field]\nlike = "clear"\nname = "Cratered"\ntraits = ["cratered"]\nsource = "hid"\nstatus = "read"\n'
    pieces = f"us a {PLAIN} A5\nge g {PLAIN} A1\nge h {PLAIN} B1"
    fight = fought(pieces, "x .\n. .\n. .\n. .\n. .", own=own, legend={"x": "field"})
    assert [is_spotted(fight.state, "us", fight.at(name)) for name in ("A1", "B1")] == [False, True]
