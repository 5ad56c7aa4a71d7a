"""The order to fire: after spotting, by night, its forms, previews and exact odds."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from lnl.package import PACKAGE
from lnl.state.battle import State
from tests.lnl.building import Battle, battle
from tests.lnl.fire.firing import OTHERS, fire, firepower, refused, totals
from umpire.kernel.codec import codec_of
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.odds import odds_of, walk
from umpire.kernel.rulings import Roll, Ruling

US, GE = "squad 2-5-4-6", "squad 1-6-4-5"
WOODEN = "\n".join([". . . . . . . . . .", ". H . . . . . . . .", *[". . . . . . . . . ."] * 6])


def odds(fight: Battle, seat: str, units: str, target: str) -> dict[tuple[str, str], Fraction]:
    found = fight.play.odds(seat, {"verb": "Fire", "units": units.split(), "target": list(fight.at(target))})
    assert found.exact
    return {(fate.piece, fate.what): chance for fate, chance in found.fates.items()}


def forms(fight: Battle, seat: str, subject: str) -> list[Form]:
    return [form for form in fight.play.options(seat, subject) if form.verb == "Fire"]


@pytest.mark.rule("core 4.1", "core 10.1")
def test_who_has_spotted_a_hex_fires_at_it_with_all_his_power_and_at_no_other() -> None:
    """LNL-025: 6 against 3 + 3, no effect."""
    pieces = f"us a {US} B4\nus b {US} B4\nge g squad 1-6-4-6 B2\nge x squad 1-6-4-6 B7"
    fight = battle(WOODEN, pieces + OTHERS)
    assert refused(fight, "us", "a", "B2") == ["core 10.1"]
    fight.give("us", "Spot", [("spot", 2)], unit="a", target=list(fight.at("B2")))
    assert fight.unit("a").ops_complete
    assert refused(fight, "us", "a", "B7") == ["core 4.1"]
    assert firepower(fight, "us", "a b", "B2") == 3
    fire(fight, "us", "a", "B2", [("attack", 4), ("defence", 3)])
    assert (totals(fight, "us", "Attack"), totals(fight, "ge", "Defence")) == ([6], [6])
    assert fight.unit("a").fired


@pytest.mark.rule("core 4.1", "core 5.01")
def test_a_leader_who_has_spotted_the_target_aids_fire_at_it_and_no_other_leader_does() -> None:
    """Needs 2 after his leadership of 1: a 3."""
    pieces = f"us a {US} B4\nus lt leader morale=6 lm=1 B4\nge g squad 1-6-4-6 B2\nge x squad 1-6-4-6 B7"
    fight = battle(WOODEN, pieces + OTHERS)
    fight.give("us", "Spot", [("spot", 3)], unit="lt", target=list(fight.at("B2")))
    assert fight.unit("lt").ops_complete
    assert firepower(fight, "us", "a", "B7") == 2
    assert firepower(fight, "us", "a", "B2") == 3


@pytest.mark.rule("core 20.0")
def test_by_night_fire_beyond_two_hexes_at_who_has_fired_only_and_at_two_less() -> None:
    fight = battle(
        pieces=f"us a {US} B2\nge g {GE} B5 fired\nge x {GE} D4\nge y {GE} B4" + OTHERS, options={"hour": "night"}
    )
    assert firepower(fight, "us", "a", "B5") == 0
    assert firepower(fight, "us", "a", "B4") == 2
    fight.set("g", fired=False)
    assert refused(fight, "us", "a", "B5") == ["core 20.0"]


@pytest.mark.rule("core 5.1")
def test_shaken_units_do_not_fire_and_fire_is_not_taken_back() -> None:
    fight = battle(pieces=f"us a {US} B2 shaken\nus b {US} D2\nge g {GE} B5" + OTHERS)
    assert refused(fight, "us", "a", "B5") == ["core 5.1"]
    fire(fight, "us", "b", "B5", [("attack", 1), ("defence", 6)])
    fight.give("ge", "Pass")
    assert "core 4.0" in refused(fight, "us", "b", "B5")


@pytest.mark.rule("core 12.0")
def test_a_marksman_adds_to_his_own_fire() -> None:
    """The card is our proposal."""
    fight = battle(pieces=f"us h hero 1-4-5-6 B2 skill marksman\nge g {GE} B5")
    assert firepower(fight, "us", "h", "B5") == 2


@pytest.mark.rule("core 12.0")
def test_a_card_that_works_by_itself_is_not_played_by_an_order() -> None:
    fight = battle(pieces=f"us h hero 1-4-5-6 B2 skill marksman\nge g {GE} B5")
    assert [each.rule for each in fight.refused("us", "UseSkill", unit="h", skill="marksman")] == ["core 12.0"]
    assert [each.rule for each in fight.refused("us", "UseSkill", unit="h", skill="lucky")] == ["core 12.0"]


@pytest.mark.rule("core 5.0", "core 5.1")
def test_the_odds_are_exact() -> None:
    """2 + die against die. A crew of morale 5 is Shaken by totals of 6 to 9 and gone from 10. The attack beats the
    defence by 7 in 1 of 36 ways, by 6 in 2, and so on; the faces of the check are counted by hand."""
    fight = battle(pieces="us a squad 2-5-4-6 B2\nge g crew 0-2-4-5 B5")
    ways = {7: 1, 6: 2, 5: 3, 4: 4, 3: 5, 2: 6, 1: 5}
    gone = {4: 1, 5: 2, 6: 3, 7: 4}
    shaken = {1: 2, 2: 3, 3: 4, 4: 4, 5: 4, 6: 3, 7: 2}
    expected = {
        ("g", "shaken"): sum(Fraction(n * shaken[d], 216) for d, n in ways.items()),
        ("g", "eliminated"): sum(Fraction(n * gone.get(d, 0), 216) for d, n in ways.items()),
    }
    assert odds(fight, "us", "a", "B5") == expected


@pytest.mark.rule("core 5.1", "core 11.2")
def test_odds_of_a_squad_name_the_hero_it_may_bring_forth() -> None:
    """A hero: the attack hits in 26 of 36, then a 1 and an even die: 1/12."""
    fight = battle(pieces="us a squad 2-5-4-6 B2\nge g squad 1-6-4-5 B5")
    assert odds(fight, "us", "a", "B5")["g", "hero"] == Fraction(26, 36) / 12


@pytest.mark.rule("core 5.0")
def test_forms_offer_who_may_fire_what_at_whom() -> None:
    pieces = f"us a {US} B2 bar\nus b {US} B2\nus lt leader morale=6 lm=1 B2\nge x {GE} B5\nge y {GE} B8" + OTHERS
    fight = battle(pieces=pieces)
    found = {form.label: form for form in forms(fight, "us", "a")}
    assert list(found) == ["Fire at B5", "Fire at B8"]
    slots = {
        slot.name: {choice.id for choice in slot.choices}
        for slot in found["Fire at B5"].slots
        if isinstance(slot, ChoiceSlot)
    }
    gun = fight.guns("a")[0]
    assert slots == {"units": {"a", "b"}, "weapons": {gun}, "leader": {"lt", "none"}}
    far = {
        slot.name: {choice.id for choice in slot.choices}
        for slot in found["Fire at B8"].slots
        if isinstance(slot, ChoiceSlot)
    }
    assert far["units"] == {"a"}
    assert forms(fight, "us", "lt") == []


@pytest.mark.rule("core 5.0")
def test_orders_drawn_from_forms_are_accepted() -> None:
    fight = battle(pieces=f"us a {US} B2 bar, satchel\nus b {US} B2\nge x {GE} B3\nge y {GE} B7" + OTHERS)
    believed, seat = fight.play.believed("us"), fight.play.seats["us"]
    for number in range(30):
        for form in forms(fight, "us", "a"):
            order = PACKAGE.sample(believed, seat, form, Random(number))
            assert list(PACKAGE.check(believed, seat, codec_of(PACKAGE).order(order))) == []


@pytest.mark.rule("core 5.0", "core 5.1", "core 11.1", "core 11.2", "core 21.1")
@pytest.mark.parametrize(
    ("targets", "spared"),
    [
        ("ge x ge_grenadier B5\nge y ge_second_line B5\nge lt leader morale=6 lm=1 B5", 4),
        ("ge x crew 0-2-4-5 B5\nge lt leader morale=6 lm=1 B5\nge mj leader morale=6 lm=2 B5", 2),
        ("ge w bunker B5 facing 4\nge x ge_grenadier B5 in the bunker\nge lt leader morale=6 lm=1 B5", 1),
    ],
)
def test_odds_that_walk_units_one_at_a_time_are_those_of_the_whole_tree(targets: str, spared: int) -> None:
    """Two squads and a leader, whose leadership turns on his own check; squads may bring forth a hero. Two leaders, of
    whom one may help the other; one on top of a bunker."""
    fight = battle(pieces=f"us a squad 2-5-4-6 B2\n{targets}")
    believed, seat = fight.play.believed("us"), fight.play.seats["us"]
    order = codec_of(PACKAGE).order({"verb": "Fire", "units": ["a"], "target": list(fight.at("B5"))})

    def without_promises() -> Ruling[State]:
        ruling = PACKAGE.resolve(believed, seat, order)
        answer = None
        while True:
            try:
                step = ruling.send(answer)
            except StopIteration as end:
                state: State = end.value
                return state
            answer = yield replace(step, apart="", forgets="") if isinstance(step, Roll) else step

    whole = walk(PACKAGE, believed, without_promises, name=b"", most=20_000)
    found = odds_of(PACKAGE, believed, seat, order)
    assert whole.exact
    assert dict(found.fates) == dict(whole.fates)
    assert found.branches * spared <= whole.branches
