"""Support weapons in the Rally Phase: who may carry how many, and what changes hands. `core 1.6.1`, `core 3.0`"""

from __future__ import annotations

import pytest

from lnl.rules.works.support_weapons import bars_moving, portage
from tests.lnl.building import CLEAR, Battle, battle

SQUAD = "squad 1-6-4-5"
HALF = "half_squad 1-5-4-5"
FOE = f"\nus g {SQUAD} F3"
WAITS = f"\nge late {SQUAD} sr A1 shaken"
"""Somebody for whom the phase waits."""


def rallying(pieces: str, **more: object) -> Battle:
    return battle(CLEAR, pieces + FOE + WAITS, phase="rally", active="ge", **more)  # type: ignore[arg-type]


@pytest.mark.rule("core 1.6.1", "core 1.6.3", "core 11.3", "core 11.5", "core 11.6", "core 11.7")
@pytest.mark.parametrize(
    ("what", "room"),
    [
        (SQUAD, 2),
        (HALF, 1),
        ("crew 0-2-4-5", 1),
        ("leader morale=6", 1),
        ("hero 1-4-5-6", 1),
        ("scout morale=6", 1),
        ("advisor morale=6", 1),
        ("medic morale=6", 0),
        ("chaplain morale=6", 0),
        ("weapon_team 2-20-2-6", 0),
    ],
)
def test_how_many_weapons_each_carries(what: str, room: int) -> None:
    fight = rallying(f"ge a {what} B2")
    assert portage(fight.state, fight.unit("a")) == room


@pytest.mark.rule("core 1.6.1", "core 3.0")
def test_a_weapon_lying_in_its_place_is_picked_up_up_to_what_a_unit_carries() -> None:
    fight = rallying(f"ge a {SQUAD} B2 mg34\nge b {HALF} B2 mg34\nge one mg42 B2\nge two mg42 B2")
    fight.give("ge", "PickUp", unit="a", weapon="one")
    assert fight.guns("a") == ("a.1", "one")
    assert fight.weapon("one").owner == "a"
    assert fight.refused("ge", "PickUp", unit="a", weapon="two")
    assert fight.refused("ge", "PickUp", unit="b", weapon="two")


@pytest.mark.rule("core 1.6.1")
def test_neither_medics_nor_shaken_units_nor_those_elsewhere_pick_up() -> None:
    fight = rallying(f"ge m medic morale=6 B2\nge s {SQUAD} B2 shaken\nge e {SQUAD} C2\nge gun mg42 B2")
    for piece in ("m", "s", "e"):
        assert fight.refused("ge", "PickUp", unit=piece, weapon="gun")


@pytest.mark.rule("core 1.6.1")
def test_what_an_enemy_has_left_may_be_captured() -> None:
    fight = rallying(f"ge a {SQUAD} B2\nus gun bar B2")
    fight.give("ge", "PickUp", unit="a", weapon="gun")
    assert (fight.weapon("gun").owner, fight.weapon("gun").side, fight.weapon("gun").command) == ("a", "us", "ge")


@pytest.mark.rule("core 3.0")
def test_good_order_units_of_one_place_pass_weapons_on_or_exchange_them() -> None:
    fight = rallying(f"ge a {SQUAD} B2 mg34\nge b {HALF} B2 mg42\nge c {SQUAD} C2\nge s {SQUAD} B2 shaken")
    assert fight.refused("ge", "HandOver", weapon="a.1", unit="b")
    assert fight.refused("ge", "HandOver", weapon="a.1", unit="c")
    assert fight.refused("ge", "HandOver", weapon="a.1", unit="s")
    fight.give("ge", "HandOver", weapon="a.1", unit="b", exchange="b.1")
    assert fight.guns("a") == ("b.1",)
    assert fight.guns("b") == ("a.1",)
    fight.give("ge", "HandOver", weapon="a.1", unit="a")
    assert fight.guns("a") == ("b.1", "a.1")


@pytest.mark.rule("core 3.0")
def test_only_a_good_order_squad_drops_a_weapon() -> None:
    fight = rallying(f"ge a {SQUAD} B2 mg34\nge b {HALF} B2 mg42\nge s {SQUAD} C2 shaken, mg42")
    assert fight.refused("ge", "Drop", weapon="b.1")
    assert fight.refused("ge", "Drop", weapon="s.1")
    fight.give("ge", "Drop", weapon="a.1")
    assert (fight.weapon("a.1").owner, fight.weapon("a.1").at) == ("", (2, 2, 0))
    assert fight.guns("a") == ()


@pytest.mark.rule("core 1.6.1.01")
def test_a_tripod_gun_is_flipped_by_squads_and_half_squads_and_holds_its_owner_while_set_up() -> None:
    fight = rallying(f"ge a {SQUAD} B2 mg42_tripod\nge lt leader morale=6 B2 mg42_tripod\nge b {SQUAD} C2 mg34")
    assert bars_moving(fight.state, fight.unit("a")) is not None
    fight.give("ge", "Flip", weapon="a.1")
    assert not fight.weapon("a.1").is_set_up
    assert bars_moving(fight.state, fight.unit("a")) is None
    assert fight.refused("ge", "Flip", weapon="lt.1")
    assert fight.refused("ge", "Flip", weapon="b.1")


@pytest.mark.rule("core 1.6.1.01")
def test_who_comes_in_later_has_his_tripod_gun_packed() -> None:
    fight = rallying(f"ge a {SQUAD} B2 mg42_tripod, arrives 2\nge b {SQUAD} B2 mg42_tripod packed")
    assert not fight.weapon("a.1").is_set_up
    assert not fight.weapon("b.1").is_set_up


@pytest.mark.rule("core 1.6.1.1")
def test_a_jam_is_cleared_in_the_rally_phase_by_those_in_good_order() -> None:
    fight = rallying(f"ge a {SQUAD} B2 mg34\nge s {SQUAD} C2 shaken, mg34")
    for gun in ("a.1", "s.1"):
        fight.set(gun, is_jammed=True)
    fight.give("ge", "EndRally")
    assert fight.state.public.phase == "operations"
    assert not fight.weapon("a.1").is_jammed
    assert fight.weapon("s.1").is_jammed


@pytest.mark.rule("core 3.0", "core 8.1")
def test_in_melee_no_weapon_changes_hands() -> None:
    fight = rallying(f"ge a {SQUAD} C2 mg42_tripod\nge b {SQUAD} C2\nus u {SQUAD} C2", melees=["C2"])
    for verb, fields in (("HandOver", {"unit": "b"}), ("Drop", {}), ("Flip", {})):
        assert fight.refused("ge", verb, weapon="a.1", **fields)
