"""Movement: how far, what motivation leaves of it, keeping together, and what ends a move that nobody could know."""

from __future__ import annotations

from random import Random

import pytest

from fireforce.package import PACKAGE
from fireforce.state.battle import Card
from fireforce.state.finding import (
    figures,
)
from fireforce.testing.parts import of
from tests.fireforce.rules.small_battles import SEATS, Battle, area, men, row, unit

ENEMY = unit("foe", "cell", men("f", [(24, 34), (25, 34)], weapon="ak47"), extra="placed = true")
SQUAD = unit("one", "platoon", men("r", row(20, 6, 4)))
ALL = ["r1", "r2", "r3", "r4"]


def motivated(face: int, *parts: str, squad: str = SQUAD, **options: object) -> Battle:
    battle = Battle(squad, *(parts or (ENEMY,)), **options)
    battle.give("red", "Motivate", [("motivation", face)], squad="one")
    return battle


@pytest.mark.rule("fireforce movement", "fireforce motivation")
@pytest.mark.parametrize(("manner", "allowed", "refused"), [("tactical", 300, 301), ("running", 400, 401)])
def test_fair_troops_advance_half_a_move(manner: str, allowed: int, refused: int) -> None:
    battle = motivated(1)  # 3 + 1: fair by day
    path = [[2000, 600 + refused]]
    assert battle.refused("red", "Move", figures=ALL, path=path, manner=manner)[0].rule == "fireforce motivation"
    battle.give("red", "Move", figures=ALL, path=[[2000, 600 + allowed]], manner=manner)
    assert [battle.man(man).at for man in ALL] == [(2000 + 100 * n, 600 + allowed) for n in range(4)]
    assert battle.man("r1").moved == manner
    assert battle.squad("one").teams["whole"].has_moved


@pytest.mark.rule("fireforce motivation")
def test_fair_troops_go_back_or_aside_a_whole_move() -> None:
    battle = motivated(1)
    battle.give("red", "Move", figures=ALL, path=[[2000, 10]])
    assert battle.man("r1").at == (2000, 10)


@pytest.mark.rule("fireforce motivation")
@pytest.mark.parametrize(("edge", "is_accepted"), [(8.25, True), (9.5, False)])
def test_wavering_troops_step_into_cover_within_two_inches(edge: float, is_accepted: bool) -> None:
    one = unit("one", "platoon", men("r", [(20, 6)]))
    battle = Battle(one, ENEMY, area("scrub", "scrub", 10, edge, 30, 20))
    battle.set("one", casualties=2)
    battle.give("red", "Motivate", [("motivation", 1)], squad="one")  # 3 - 2 + 1
    assert battle.squad("one").teams["whole"].result == "wavering"
    assert battle.refused("red", "Move", figures=["r1"], path=[[2000, 801]])[0].rule == "fireforce motivation"
    if is_accepted:  # his base touches the scrub when its middle is a quarter of an inch off
        battle.give("red", "Move", figures=["r1"], path=[[2000, 800]])
    else:
        assert "cover" in battle.refused("red", "Move", figures=["r1"], path=[[2000, 800]])[0].reason


@pytest.mark.rule("fireforce motivation")
def test_faltering_troops_do_not_advance_but_may_go_aside() -> None:
    battle = Battle(SQUAD, ENEMY)
    battle.set("one", casualties=4)
    battle.give("red", "Motivate", [("motivation", 1)], squad="one")
    assert battle.squad("one").teams["whole"].result == "faltering"
    assert battle.refused("red", "Move", figures=ALL, path=[[2000, 700]])[0].rule == "fireforce motivation"
    battle.give("red", "Move", figures=ALL, path=[[2000, 500]])


@pytest.mark.rule("fireforce movement")
def test_going_is_mixed_within_one_move() -> None:
    battle = motivated(6, ENEMY, area("bush", "bush", 0, 9, 48, 30))
    # 3" of good going is half a move; the other half is 2" of bad.
    assert battle.refused("red", "Move", figures=ALL, path=[[2000, 1101]])[0].rule == "fireforce movement"
    battle.give("red", "Move", figures=ALL, path=[[2000, 1100]])


@pytest.mark.rule("fireforce searching", "fireforce movement")
def test_who_carries_stores_moves_at_half_speed() -> None:
    battle = motivated(6, squad=unit("one", "platoon", men("r", [(20, 6)])))
    battle.set("r1", carrying={"arms": 1})
    assert battle.refused("red", "Move", figures=["r1"], path=[[2000, 901]])
    battle.give("red", "Move", figures=["r1"], path=[[2000, 900]])


@pytest.mark.rule("fireforce organisation")
def test_nobody_is_left_more_than_three_inches_behind() -> None:
    battle = motivated(6)
    found = battle.refused("red", "Move", figures=["r4"], path=[[2300, 1100]])
    assert found[0].rule == "fireforce organisation"
    found = battle.refused("red", "Move", figures=ALL[:3], path=[[2000, 1100]])
    assert found[0].rule == "fireforce organisation"
    battle.give("red", "Move", figures=["r4"], path=[[2600, 600]][:0], paths={"r4": [[2500, 600]]})
    assert battle.man("r4").at == (2500, 600)  # 2.5 inches between the bases of r3 and r4


@pytest.mark.rule("fireforce organisation")
def test_a_straggler_rejoins_or_waits() -> None:
    far = unit("one", "platoon", men("r", [(20, 6), (21, 6), (30, 6)]))
    battle = motivated(6, squad=far)
    assert "touch" in battle.refused("red", "Move", figures=["r3"], path=[[3200, 600]])[0].reason
    battle.give("red", "Move", figures=["r1", "r2"], path=[[1800, 600]])  # the body need not wait for him
    battle.give("red", "Move", figures=["r3"], path=[[2500, 600]])


@pytest.mark.rule("fireforce organisation")
def test_men_dropped_off_stay_until_they_are_told_to_rejoin() -> None:
    battle = motivated(6)
    battle.give("red", "DropOff", squad="one", figures=["r3", "r4"])
    battle.give("red", "Move", figures=["r1", "r2"], path=[[2000, 1200]])
    assert battle.refused("red", "Move", figures=["r3"], path=[[2200, 700]])[0].rule == "fireforce organisation"
    battle.give("red", "Join", squad="one")
    assert set(battle.squad("one").teams) == {"whole"}


@pytest.mark.rule("fireforce organisation")
def test_poor_troops_and_those_whose_doctrine_forbids_it_do_not_split() -> None:
    poor = Battle(unit("one", "platoon", men("r", row(20, 6, 4)), quality="poor"), ENEMY)
    assert poor.refused("red", "Split", squad="one")[0].rule == "fireforce organisation"
    bound = Battle(unit("one", "platoon", men("r", row(20, 6, 4)), extra="may_split = false"), ENEMY)
    assert bound.refused("red", "Split", squad="one")[0].rule == "fireforce organisation"


@pytest.mark.rule("fireforce saving-throws", "fireforce movement")
def test_a_pinned_man_only_crawls_into_cover_near_by_and_no_nearer() -> None:
    one = unit("one", "platoon", men("r", [(20, 6)]))
    battle = Battle(one, ENEMY, area("south", "scrub", 18, 3, 22, 4), area("north", "scrub", 18, 7.5, 22, 9))
    battle.set("r1", pinned="fire", pinned_until=1)
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    for path in ([[2000, 760]], [[2100, 600]], [[2000, 299]]):
        assert battle.refused("red", "Move", figures=["r1"], path=path)[0].rule == "fireforce saving-throws"
    (form,) = [form for form in battle.play.options("red", "r1") if form.verb == "Move"]
    battle.give("red", "Move", **form.fixed)
    assert battle.man("r1").at == (2000, 400)


@pytest.mark.rule("fireforce motivation")
def test_demoralised_troops_retreat_a_full_move_pinned_ones_too() -> None:
    battle = Battle(SQUAD, ENEMY)
    battle.set("one", casualties=6)
    battle.set("r1", pinned="fire", pinned_until=1)
    battle.give("red", "Motivate", [("motivation", 1)], squad="one")
    assert battle.squad("one").teams["whole"].result == "demoralised"
    away = [man for man in ALL if man != "r4"]
    assert battle.refused("red", "Move", figures=away, path=[[2000, 700]])[0].rule == "fireforce motivation"
    assert battle.refused("red", "Move", figures=away, path=[[2000, 400]])[0].rule == "fireforce motivation"
    battle.give("red", "Move", figures=away, path=[[2000, 0]])
    assert battle.man("r1").at == (2000, 0)
    battle.end_phase()  # r4 has no orders and goes by himself
    assert battle.man("r4").at[1] < 50
    assert battle.man("r4").distance in range(595, 601)


@pytest.mark.rule("fireforce motivation")
def test_broken_troops_run_and_surrender_to_enemies_within_five_inches() -> None:
    near = unit("foe", "cell", men("f", [(20, 11.5)], weapon="ak47"), extra="placed = true")
    battle = Battle(SQUAD, near)
    battle.set("one", casualties=8)
    battle.set("r4", pinned="fire", pinned_until=1)
    battle.give("red", "Motivate", [("motivation", 1)], squad="one")
    assert battle.squad("one").teams["whole"].result == "broken"
    battle.end_phase()
    assert battle.man("r1").status == "captured"  # 5 inches between the bases
    assert battle.man("r1").captured_by == "cell"
    assert battle.man("r2").status == "fit"
    assert battle.man("r2").moved == "running"
    assert battle.man("r4").at == (2300, 600)  # pinned: stays down
    assert battle.squad("one").casualties == 9


@pytest.mark.rule("fireforce movement", "fireforce visibility")
def test_a_move_stops_at_an_enemy_whom_nobody_could_know() -> None:
    ambush = unit("foe", "cell", men("f", [(20, 8)], weapon="ak47"), extra="prepared = true")
    wood = area("wood", "jungle", 18, 7, 22, 12)
    battle = motivated(6, ambush, wood, squad=unit("one", "platoon", men("r", [(20, 6), (21, 6)])))
    assert battle.contacts("platoon") == []
    battle.set("r1", pinned="")
    battle.give("red", "Move", figures=["r1", "r2"], path=[[2000, 1000]])
    assert battle.man("r1").at == (2000, 750)  # the bases touch
    assert battle.man("r2").at == (2100, 750)  # and the whole order stops
    assert [contact.at for contact in battle.contacts("platoon")] == [(2000, 800)]
    assert any("contact" in line for line in battle.lines("red"))


@pytest.mark.rule("fireforce mines")
@pytest.mark.parametrize(
    ("trap", "save", "fit", "at"),
    [(1, None, True, (2000, 874)), (2, None, True, (2000, 1100)), (3, 7, True, (2000, 774)), (6, 6, False, None)],
)
def test_a_booby_trap_within_an_inch_of_the_way(
    trap: int, save: int | None, fit: bool, at: tuple[int, int] | None
) -> None:
    card = """
[[card]]
key = "trap"
command = "cell"
kind = "booby_trap"
at = [20, 10]
"""
    one = unit("one", "platoon", men("r", [(20, 6)]))
    battle = Battle(one, ENEMY, card)
    dice = [("booby trap", trap), *([("save", save)] if save else [])]
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    battle.give("red", "Move", dice, figures=["r1"], path=[[2000, 1100]])
    assert battle.man("r1").is_fit == fit
    if at is not None:
        x, y = battle.man("r1").at
        assert (x, abs(y - at[1]) <= 1) == (at[0], True)
    cards = of(battle.state.commands["cell"], Card)
    if trap == 1:
        assert cards["trap"].is_face_up
        assert [contact.kind for contact in battle.contacts("platoon") if contact.kind == "card"] == ["card"]
    if trap == 2:
        assert not cards["trap"].is_on_table  # nobody has noticed anything
    if trap >= 3:
        assert "trap" not in cards
    if trap == 3:
        assert battle.man("r1").pinned == "he"


@pytest.mark.rule("fireforce movement")
def test_a_figure_in_contact_may_go_away_and_one_in_the_way_is_touched() -> None:
    touching = unit("foe", "cell", men("f", [(20, 6.5), (20, 0.5)], weapon="ak47"), extra="placed = true")
    battle = motivated(6, touching, squad=unit("one", "platoon", men("r", [(20, 6)])))
    battle.give("red", "Move", figures=["r1"], path=[[2000, 30]])
    assert battle.man("r1").at == (2000, 100)


@pytest.mark.rule("fireforce close-combat")
def test_who_has_lost_a_close_combat_withdraws_a_full_move() -> None:
    battle = Battle(SQUAD, ENEMY)
    battle.set("r1", must_withdraw=True)
    rules = {each.rule for each in battle.refused("red", "Move", figures=["r1"], path=[[2000, 900]])}
    assert rules == {"fireforce close-combat"}
    battle.give("red", "Move", figures=["r1"])
    assert battle.man("r1").at[1] < 20
    assert not battle.man("r1").must_withdraw


@pytest.mark.rule("fireforce movement")
def test_a_preview_says_what_a_move_costs_and_refuses_what_is_too_far() -> None:
    battle = motivated(6)
    preview = battle.play.preview("red", {"verb": "Move", "figures": ALL, "path": [[2000, 900]]})
    assert (preview.cost, preview.path) == ('3", 50% of a move', ((2000, 600), (2000, 900)))
    far = battle.play.preview("red", {"verb": "Move", "figures": ALL, "path": [[2000, 1201]]})
    assert far.refusals[0].rule == "fireforce movement"


@pytest.mark.rule("fireforce movement")
@pytest.mark.parametrize("face", [1, 3, 6])
@pytest.mark.parametrize("casualties", [0, 2, 4, 6, 8])
def test_whatever_is_offered_is_accepted(face: int, casualties: int) -> None:
    random = Random(face * 100 + casualties)
    led = unit("one", "platoon", men("r", row(20, 6, 6), rating=1), extra="may_form_gun_group = true")
    battle = Battle(led, ENEMY, area("scrub", "scrub", 18, 3, 26, 4), area("bush", "bush", 0, 7, 48, 12))
    battle.set("one", casualties=casualties)
    battle.set("r3", pinned="fire", pinned_until=1)
    battle.give("red", "Motivate", [("motivation", face)], squad="one")
    believed = battle.play.believed("red")
    forms = [form for piece in ("one", "r1", "r2", "r3") for form in battle.play.options("red", piece)]
    assert forms
    for form in forms:
        for _ in range(3):
            order = PACKAGE.sample(believed, SEATS["red"], form, random)
            assert battle.play.check("red", order) == [], (form.label, order)
    assert len(list(figures(battle.state))) == 8
