"""Melee: odds, dice, who counts with what, who is removed, reinforcing and withdrawing."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.board.hexes import Place
from lnl.book.rows import WeaponRow
from lnl.rules.melee.strength import ambush, attack_of, firepower, weapons_used
from lnl.state.battle import Melee, State, Unit
from lnl.state.setting import tables_of
from tests.lnl.building import Battle, battle
from tests.lnl.fire.firing import OTHERS
from umpire.kernel.book.points import Module
from umpire.kernel.values.modifiers import total

US, GE = "squad 2-5-4-6", "squad 1-6-4-5"


def enters(fight: Battle, seat: str, units: str, to: str, dice: Any = (), **fields: Any) -> None:
    fight.give(seat, "Move", dice, units=units.split(), path=[list(fight.at(to))], **fields)


def melee(fight: Battle) -> Melee | None:
    return next(iter(fight.state.public.melees.values()), None)


FAILED = [("melee us", (1, 1)), ("melee ge", (1, 1))]


def locked(us: str = US, ge: str = f"ge x {GE} B3", who: str = "a", **fields: Any) -> Battle:
    """Turn 2: `a` (or `who`) has gone from B2 into B3 in turn 1, and nobody was killed."""
    fight = battle(pieces=f"us a {us} B2\n{ge}" + OTHERS, **fields)
    enters(fight, "us", who, "B3", FAILED)
    for _ in range(9):
        public = fight.state.public
        if (public.turn, public.phase, public.active) == (2, "operations", "us"):
            return fight
        fight.throw([("initiative", 6), ("initiative", 1)])
        seat, verbs = public.active, {"operations": ("Pass", "EndImpulse"), "rally": ("EndRally",)}[public.phase]
        assert any(fight.play.order(seat, {"verb": verb}) == [] for verb in verbs)
    raise AssertionError("turn 2 does not come")


def strength(fight: Battle, *keys: str, charges: tuple[str, ...] = ()) -> int:
    units = [fight.unit(key) for key in keys]
    return sum(total(firepower(fight.state, each, weapons_used(fight.state, each, charges))) for each in units)


def column(fight: Battle, attackers: str, defenders: str) -> tuple[str, int, bool]:
    made = attack_of(fight.state, attackers.split(), defenders.split(), {})
    return made.odds, made.needed - total(made.modifiers), made.is_too_weak


# Firepower


@pytest.mark.rule("core 8.0", "core 1.6.1")
def test_firepower_in_melee_is_not_halved_and_weapons_count_as_in_fire() -> None:
    """LNL-023: 4; 5; two machine guns 4, one of them beside the squad's own 3."""
    fight = battle(
        pieces=f"us a {US} B2\nus b {US} B2\nge c {GE} E5\nge d {GE} E5 mg42\nge e {GE} E5\nge f {GE} F6 mg34, mg34"
    )
    assert strength(fight, "a", "b") == 4
    assert strength(fight, "c", "d", "e") == 5
    assert strength(fight, "f") == 4
    one = fight.guns("f")[:1]
    assert total(firepower(fight.state, fight.unit("f"), one)) == 3


@pytest.mark.rule("core 8.0", "core 8.3", "core 1.6.2")
def test_single_men_fight_with_half_a_weapon_and_a_whole_charge() -> None:
    fight = battle(
        pieces=(
            f"us lt leader morale=6 lm=1 B2 m1919a4\nus n leader morale=6 D2 satchel\n"
            f"us h hero 1-4-5-6 F2\nge g {GE} E5"
        )
    )
    assert strength(fight, "lt") == 1
    assert strength(fight, "n") == 0
    assert strength(fight, "n", charges=fight.guns("n")) == 6
    assert strength(fight, "h") == 1


@pytest.mark.rule("core 8.0")
def test_two_leaders_who_crew_one_weapon_use_all_of_it() -> None:
    fight = battle(pieces=f"us lt leader morale=6 lm=1 B2 m1919a4\nus sg leader morale=6 lm=1 B2\nge g {GE} E5")
    assert strength(fight, "lt") == 2


@pytest.mark.rule("core 8.2")
def test_the_m_adds_one_and_without_firepower_one_fights_with_one() -> None:
    fight = battle(pieces=f"us a squad 1-5-4-5 melee=1 B2\nus b squad 0-5-4-5 D2\nge g {GE} E5")
    assert strength(fight, "a") == 2
    assert strength(fight, "b") == 1


@pytest.mark.rule("core 1.6.1", "core 8.0")
def test_a_captured_weapon_counts_half() -> None:
    fight = battle(pieces=f"us a {US} B2 mg42\nge g {GE} E5")
    assert strength(fight, "a") == 3


# Odds


@pytest.mark.rule("core 8.0", "core 8.2")
def test_odds_drop_fractions_and_stop_at_the_ends_of_the_table() -> None:
    """E6, E7, E8, E9 for the numbers."""
    fight = battle(
        pieces=(
            f"us a {US} B2\nus b {US} B2\nus c squad 5-5-4-6 B2\n"
            f"ge x {GE} C2\nge y squad 1-4-4-5 C2\nge z squad 2-4-4-5 C2\nge w squad 9-4-4-5 D3"
        )
    )
    assert column(fight, "a b", "x")[:2] == ("4-1", 4)
    assert column(fight, "a b", "x y")[:2] == ("2-1", 6)
    assert column(fight, "x y", "a")[:2] == ("1-1", 8)
    assert column(fight, "c", "z")[0] == "2-1"
    assert column(fight, "z", "c")[0] == "1-3"
    assert column(fight, "x", "w") == ("1-3", 11, True)
    assert column(fight, "z", "c")[2] is False
    assert column(fight, "c b a", "x")[0] == "5-1"


@pytest.mark.rule("core 8.2")
def test_units_without_firepower_take_from_their_dice_and_give_to_their_enemys() -> None:
    """E6: two 0-5-4 on a 2-5-4 need a 10, it needs a 6 against them."""
    fight = battle(pieces="us a squad 2-5-4-6 B2\nge x half_squad 0-5-4-5 C2\nge y half_squad 0-5-4-5 C2")
    assert column(fight, "x y", "a")[:2] == ("1-1", 10)
    assert column(fight, "a", "x y")[:2] == ("1-1", 6)


@pytest.mark.rule("core 13.0", "core 8.0")
def test_mixed_nations_shift_the_odds_left_and_heroes_once_to_the_right() -> None:
    fight = battle(
        pieces=(
            "us a squad 1-5-4-6 B2\nus h hero 1-4-5-6 B2\nus i hero 1-4-5-6 B2\n"
            "ge x squad 1-4-4-5 C2\nge y squad 1-4-4-5 C2\nuk b squad 1-5-4-6 B2"
        )
    )
    assert column(fight, "a", "x")[0] == "1-1"
    assert column(fight, "a b", "x y")[0] == "1-2"
    assert column(fight, "h", "x")[0] == "2-1"
    assert column(fight, "h i", "x y")[0] == "2-1"
    assert column(fight, "x", "h")[0] == "1-1"


@pytest.mark.rule("core 8.0", "core 11.1")
def test_the_best_leader_who_fires_nothing_adds_to_the_dice() -> None:
    fight = battle(pieces=f"us a {US} B2\nus lt leader morale=6 lm=2 B2\nge g squad 2-6-4-5 C2")
    assert column(fight, "a", "g")[:2] == ("1-1", 6)


# A round


@pytest.mark.rule("core 8.0", "core 8.1")
def test_the_killed_strike_back_before_they_are_removed() -> None:
    """REAL-01."""
    fight = battle(pieces=f"us a {US} B2\nus b {US} B2\nge x squad 1-4-4-5 B3\nge y squad 1-6-4-5 B3" + OTHERS)
    enters(
        fight,
        "us",
        "a b",
        "B3",
        [("melee us", (5, 3)), ("melee ge", (4, 4))],
        answers=[("us", ["x"]), ("ge", ["a"])],
    )
    assert [fight.has(key) for key in ("a", "b", "x", "y")] == [False, True, False, True]
    assert melee(fight) == Melee(at=fight.at("B3"), fought=True)
    assert fight.unit("b").moved == "move"
    assert {(loss.unit, loss.by) for loss in fight.state.public.losses} == {("x", "us"), ("a", "ge")}


@pytest.mark.rule("core 8.1", "core 5.1")
def test_shaken_enemies_alone_surrender_and_no_die_is_thrown() -> None:
    """ERR-07 a."""
    fight = battle(pieces=f"us a squad 1-4-4-5 B2\nge x {GE} B3 shaken" + OTHERS)
    enters(fight, "us", "a", "B3")
    assert not fight.has("x")
    assert melee(fight) is None
    assert (fight.unit("a").at, fight.unit("a").moved) == (fight.at("B3"), "move")
    assert [loss.how for loss in fight.state.public.losses] == ["surrendered"]


@pytest.mark.rule("core 8.1", "core 5.1")
def test_a_shaken_squad_beside_a_good_one_is_no_target_and_stays() -> None:
    """ERR-07 b: 1-1, both fail."""
    fight = battle(pieces=f"us a squad 1-4-4-5 B2\nge x {GE} B3 shaken\nge y {GE} B3" + OTHERS)
    enters(fight, "us", "a", "B3", [("melee us", (2, 2)), ("melee ge", (2, 2))])
    assert [fight.has(key) for key in ("a", "x", "y")] == [True, True, True]
    assert melee(fight) is not None


@pytest.mark.rule("core 8.1")
def test_who_cannot_fight_is_removed_with_the_last_who_could() -> None:
    fight = battle(
        pieces=(f"us a {US} B2\nge y {GE} B3\nge x {GE} B3 shaken\nge m medic morale=6 B3\nge lt leader morale=6 B3")
        + OTHERS
    )
    enters(fight, "us", "a", "B3", [("melee us", (6, 6)), ("melee ge", (1, 1))])
    assert not any(fight.has(key) for key in ("x", "y", "m", "lt"))
    assert {loss.unit: loss.how for loss in fight.state.public.losses} == {
        "y": "eliminated",
        "x": "surrendered",
        "m": "removed",
        "lt": "removed",
    }
    assert melee(fight) is not None


@pytest.mark.rule("core 1.6.3", "core 8.0")
def test_a_weapon_team_defends_with_one_and_never_attacks() -> None:
    """ERR-11: 2-1 needs 6, 5 fails, no reply."""
    fight = battle(pieces=f"us a {US} B2\nge g weapon_team 4-20-0-6 B3" + OTHERS)
    enters(fight, "us", "a", "B3", [("melee us", (2, 3))])
    assert fight.has("a")
    assert fight.has("g")
    assert melee(fight) is not None


@pytest.mark.rule("core 11.2", "core 8.0", "core 8.1")
def test_a_hero_keeps_a_shaken_squad_alive_and_shifts_his_own_attack_alone() -> None:
    """REAL-23."""
    fight = battle(
        pieces=f"us s {US} B3 shaken\nus h hero 1-4-5-6 B3\nge x {GE} B2\nge y {GE} B2" + OTHERS, active="ge"
    )
    enters(
        fight,
        "ge",
        "x y",
        "B3",
        [("melee ge", (2, 2)), ("melee us", (6, 6))],
        answers=[("us", ["x"])],
    )
    assert [fight.has(key) for key in ("s", "h", "x", "y")] == [True, True, False, True]
    assert melee(fight) is not None


@pytest.mark.rule("core 11.1", "core 8.1")
@pytest.mark.parametrize(("what", "stays"), [("", False), ("m1919a4", True)])
def test_a_solitary_leader_is_eliminated_unless_he_has_a_weapon_to_fight_with(what: str, stays: bool) -> None:
    fight = battle(pieces=f"us lt leader morale=6 B3 {what}\nge x {GE} B2" + OTHERS, active="ge")
    dice = [("melee ge", (1, 1)), ("melee us", (1, 1))] if stays else []
    enters(fight, "ge", "x", "B3", dice)
    assert fight.has("lt") is stays


@pytest.mark.rule("core 8.0", "core 8.3")
def test_a_charge_is_used_when_its_owner_says_so_and_is_gone() -> None:
    fight = battle(pieces=f"us a {US} B2 satchel\nge g {GE} B3" + OTHERS)
    charge = fight.guns("a")[0]
    dice = [("melee us", (1, 2)), ("melee ge", (1, 1))]
    enters(fight, "us", "a", "B3", dice, answers=[("us", [charge])])
    assert not fight.has(charge)
    assert not fight.has("g")


@pytest.mark.rule("core 8.3")
def test_weapons_that_are_no_melee_weapons_do_not_count() -> None:
    fight = battle(pieces="uk a squad 1-6-4-6 B2 51mm_mortar\nge g squad 1-6-4-5 E5", active="uk")
    assert strength(fight, "a") == 1


# Turns


@pytest.mark.rule("core 8.1")
def test_locked_units_neither_move_nor_fire_and_fight_once_a_turn() -> None:
    fight = locked(ge=f"ge x {GE} B3\nge y {GE} B6")
    refused = fight.refused("us", "Fire", units=["a"], target=list(fight.at("B6")))
    assert refused
    assert fight.refused("us", "Move", units=["a"], path=[list(fight.at("B2"))])
    fight.give("us", "FightMelee", [("melee us", (1, 1)), ("melee ge", (1, 1))], at=list(fight.at("B3")))
    assert melee(fight) == Melee(at=fight.at("B3"), fought=True)
    assert fight.state.public.active == "ge"
    assert fight.refused("ge", "FightMelee", at=list(fight.at("B3")))


@pytest.mark.rule("core 8.1.1")
def test_who_reinforces_before_the_round_fights_at_once_with_those_who_are_there() -> None:
    """DIG-10 a: 4 against 1."""
    fight = locked(ge=f"us b {US} B2\nge x {GE} B3")
    enters(fight, "us", "b", "B3", [("melee us", (2, 2)), ("melee ge", (1, 1))])
    assert not fight.has("x")
    assert fight.unit("b").moved == "move"


@pytest.mark.rule("core 8.1.1")
def test_who_comes_after_the_round_waits_for_the_next_turn() -> None:
    """DIG-10 b."""
    fight = battle(pieces=f"us a {US} B2\nus b {US} C3\nge x {GE} B3" + OTHERS)
    enters(fight, "us", "a", "B3", FAILED)
    fight.give("ge", "Pass")
    enters(fight, "us", "b", "B3")
    assert fight.unit("b").at == fight.at("B3")
    assert fight.has("x")


@pytest.mark.rule("core 8.1")
def test_withdrawing_after_a_morale_check_ends_the_melee_and_draws_fire() -> None:
    """7 less leadership 1 against morale 6."""
    fight = locked(ge=f"us lt leader morale=6 lm=1 mf=6 B2\nge x {GE} B3", who="a lt", standing="free")
    dice = [("withdraw a", (3, 4)), ("withdraw lt", (1, 1)), ("attack", 1), ("defence", 6)]
    fight.give("us", "Withdraw", dice, units=["a", "lt"], path=[list(fight.at("B2"))])
    assert fight.unit("a").at == fight.unit("lt").at == fight.at("B2")
    assert melee(fight) is None
    assert fight.unit("x").fired


@pytest.mark.rule("core 8.1")
def test_who_fails_to_withdraw_fights_at_once() -> None:
    fight = locked()
    dice = [("withdraw a", (4, 3)), ("melee us", (1, 1)), ("melee ge", (1, 1))]
    fight.give("us", "Withdraw", dice, units=["a"], path=[list(fight.at("B2"))])
    assert fight.unit("a").at == fight.at("B3")
    assert melee(fight) == Melee(at=fight.at("B3"), fought=True)


@pytest.mark.rule("core 8.1", "core 6.0")
def test_no_way_of_withdrawing_leads_back_into_the_melee_or_on_through_enemies() -> None:
    fight = locked(ge=f"ge x {GE} B3\nge y {GE} D3")
    back = [list(fight.at(each)) for each in ("B2", "B3")]
    assert [each.rule for each in fight.refused("us", "Withdraw", units=["a"], path=back)] == ["core 8.1"]
    through = [list(fight.at(each)) for each in ("C2", "D3", "D4")]
    assert [each.rule for each in fight.refused("us", "Withdraw", units=["a"], path=through)] == ["core 6.0"]


@pytest.mark.rule("core 8.0")
def test_at_hopeless_odds_no_more_than_one_is_attacked() -> None:
    fight = locked("squad 1-5-4-6", "ge x squad 4-6-4-5 B3\nge y squad 4-6-4-5 B3")
    found = fight.refused("us", "FightMelee", at=list(fight.at("B3")), targets=["x", "y"])
    assert [each.rule for each in found] == ["core 8.0"]
    dice = [("melee us", (5, 6)), ("melee ge", (1, 1))]
    fight.give("us", "FightMelee", dice, at=list(fight.at("B3")), targets=["x"])
    assert [fight.has(key) for key in ("x", "y")] == [False, True]


@pytest.mark.rule("core 8.3")
def test_all_machine_guns_flamethrowers_and_charges_are_melee_weapons_and_nothing_else_is() -> None:
    fight = battle(pieces=f"us a {US} B2\nge g {GE} E5")
    rows = tables_of(fight.state).book.table("weapons", WeaponRow).values()
    assert {row.key: row.melee for row in rows} == {
        row.key: row.is_machine_gun or row.use in ("flamethrower", "satchel") for row in rows
    }


AMBUSH = Module("a module whose men lie in ambush")


@ambush.change(AMBUSH, trait="lies_in_wait", rule="hotm 13.1.1")
def _three_times(rule: str, state: State, each: Unit, place: Place) -> int:
    return 3


@pytest.mark.rule("core 8.0", "core 8.1.1")
@pytest.mark.parametrize("reinforces", [False, True])
def test_who_ambushes_strikes_first_with_his_multiple_but_together_with_the_enemy_where_he_reinforces(
    reinforces: bool,
) -> None:
    """3 times 1 against 2, and with the squad's 2 against 2; the dead do not strike back at who comes alone."""
    pieces = "us a squad 1-5-4-6 trait=lies_in_wait B2\nge x squad 2-6-4-5 B3"
    more = f"\nus b {US} B3" if reinforces else ""
    fight = battle(
        pieces=pieces + more + OTHERS, head={"modules": [AMBUSH.name]}, **({"melees": ["B3"]} if reinforces else {})
    )
    dice = [("melee us", (4, 4)), *([("melee ge", (1, 1))] if reinforces else [])]
    enters(fight, "us", "a", "B3", dice, answers=[("ge", ["a"])] if reinforces else [])
    assert not fight.has("x")
    assert fight.has("a")
