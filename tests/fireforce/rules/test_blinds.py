"""Cards and counters: what moves, what is turned up and where, what a dummy gives away."""

from __future__ import annotations

import pytest

from fireforce.happening.blinds import CounterMoved
from fireforce.package import PACKAGE
from fireforce.state.battle import Card, Counter, Figure
from fireforce.testing.parts import of
from tests.fireforce.rules.small_battles import Battle, area, men, row, unit
from umpire.kernel.ledger import Happened

REGULARS = unit("one", "platoon", men("r", [(24, 12)]))
GROUP = unit("foe", "cell", men("f", row(20, 33, 3), rating=1, weapon="ak47"), at=(20, 33))
WOOD = area("wood", "jungle", 14, 30, 22, 36)


def card(key: str, kind: str, x: float, y: float, squad: str = "") -> str:
    beneath = f'squad = "{squad}"\n' if squad else ""
    return f'[[card]]\nkey = "{key}"\ncommand = "cell"\nkind = "{kind}"\nat = [{x}, {y}]\n{beneath}'


CARDS = card("real", "troops", 20, 33, "foe") + card("false", "dummy", 18, 33) + card("store", "cache", 16, 33)


def cards() -> Battle:
    battle = Battle(REGULARS, GROUP, WOOD, CARDS, hidden="cards")
    battle.to_turn_of("guerrilla", [("motivation", 3)])
    return battle


@pytest.mark.rule("fireforce cards")
def test_a_face_down_card_shows_its_back_and_place_and_nothing_else() -> None:
    battle = cards()
    seen = battle.contacts("platoon")
    assert len(seen) == 3
    assert {tuple(contact.looks.items()) for contact in seen} == {(("side", "guerrilla"),)}
    drawn = [piece for piece in battle.play.view("red")["pieces"].values() if piece["kind"] == "card"]
    assert len({str({**piece, "at": None}) for piece in drawn}) == 1


@pytest.mark.rule("fireforce cards")
def test_caches_and_traps_never_move_and_troops_roll_first() -> None:
    battle = cards()
    assert battle.refused("green", "MoveCard", card="store", path=[[1600, 3400]])[0].rule == "fireforce cards"
    assert battle.refused("green", "MoveCard", card="real", path=[[2000, 3200]])[0].rule == "fireforce motivation"
    assert battle.refused("green", "Move", figures=["f1"], path=[[2000, 3200]])[0].rule == "fireforce cards"
    battle.give("green", "Motivate", [("motivation", 6)], squad="foe")
    battle.give("green", "MoveCard", card="real", path=[[2000, 3200]])
    moved = [contact.at for contact in battle.contacts("platoon") if contact.at == (2000, 3200)]
    assert len(moved) == 1
    assert battle.man("f2").moved == "tactical"
    assert battle.refused("green", "MoveCard", card="real", path=[[2000, 3300]])


@pytest.mark.rule("fireforce cards", "fireforce visibility")
def test_troops_seen_moving_in_the_open_are_turned_up_where_they_are_seen_first() -> None:
    battle = cards()
    battle.give("green", "Motivate", [("motivation", 6)], squad="foe")
    battle.give("green", "MoveCard", card="real", path=[[2400, 3300]])
    each = of(battle.state.commands["cell"], Card)["real"]
    assert each.is_face_up
    assert each.at[0] in range(2199, 2202)  # at the edge of the wood
    assert battle.man("f1").is_placed
    kinds = sorted(contact.kind for contact in battle.contacts("platoon"))
    assert kinds == ["card", "card", "figure", "figure", "figure"]
    # Two inches of jungle are a third of a run; half of what is left is not needed for two inches in the open.
    middle = sum(battle.man(f"f{n}").at[0] for n in (1, 2, 3)) / 3
    assert middle > 2300


@pytest.mark.rule("fireforce cards", "fireforce visibility")
def test_a_dummy_seen_moving_in_the_open_is_shown_and_goes() -> None:
    battle = cards()
    battle.give("green", "MoveCard", card="false", path=[[1800, 2900]])
    assert "false" not in of(battle.state.commands["cell"], Card)
    assert len(battle.contacts("platoon")) == 2
    assert any("Dummy card" in line for line in battle.lines("red"))


@pytest.mark.rule("fireforce cards")
def test_a_card_that_nobody_sees_in_the_open_stays_face_down() -> None:
    hidden = Battle(unit("one", "platoon", men("r", [(24, 1)])), GROUP, WOOD, CARDS, hidden="cards")
    hidden.to_turn_of("guerrilla", [("motivation", 3)])
    hidden.give("green", "MoveCard", card="false", path=[[1800, 3500]])
    assert not of(hidden.state.commands["cell"], Card)["false"].is_face_up


@pytest.mark.rule("fireforce visibility")
def test_a_counter_stands_for_ten_men_at_most_whom_no_enemy_sees() -> None:
    squad = unit("one", "platoon", men("r", row(20, 2, 4)))
    foe = unit("foe", "cell", men("f", [(22, 30)], weapon="ak47"), extra="placed = true")
    house = '[[building]]\nkey = "house"\npolygon = [[10, 10], [40, 10], [40, 14], [10, 14]]\n'
    seen = Battle(squad, foe)
    ids = ["r1", "r2", "r3", "r4"]
    assert seen.refused("red", "PlaceCounter", command="platoon", figures=ids)[0].rule == "fireforce visibility"
    battle = Battle(squad, foe, house)
    assert battle.refused("red", "PlaceCounter", command="platoon", at=[2000, 200])  # no dummy without a real one
    battle.give("red", "PlaceCounter", command="platoon", figures=ids)
    assert "r1" not in of(battle.state.public, Figure)
    (contact,) = battle.contacts("cell")
    assert (contact.kind, contact.at) == ("counter", (2150, 200))
    battle.give("red", "PlaceCounter", command="platoon", at=[2000, 200])
    assert battle.refused("red", "PlaceCounter", command="platoon", at=[2000, 200])
    looks = {tuple(contact.looks.items()) for contact in battle.contacts("cell")}
    assert len(looks) == 1
    real, dummy = sorted(of(battle.state.commands["platoon"], Counter), key=lambda key: key[-1])
    assert battle.refused("red", "MoveCounter", counter=real, path=[[2150, 400]])[0].rule == "fireforce motivation"
    battle.give("red", "MoveCounter", counter=dummy, path=[[2000, 600]])
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    battle.give("red", "MoveCounter", counter=real, path=[[2150, 700]])
    assert battle.man("r1").at == (2000, 700)
    assert battle.man("r1").moved == "tactical"
    battle.give("red", "PickUpCounter", counter=real)
    assert "r1" in of(battle.state.public, Figure)
    assert battle.contacts("cell") == []  # its dummy has gone with it


@pytest.mark.rule("fireforce visibility")
def test_a_counter_that_comes_into_sight_is_taken_up() -> None:
    squad = unit("one", "platoon", men("r", row(20, 8, 2)))
    foe = unit("foe", "cell", men("f", [(20, 30)], weapon="ak47"), extra="placed = true")
    house = '[[building]]\nkey = "house"\npolygon = [[18, 10], [26, 10], [26, 14], [18, 14]]\n'
    battle = Battle(squad, foe, house)
    battle.give("red", "PlaceCounter", command="platoon", figures=["r1", "r2"])
    (counter,) = of(battle.state.commands["platoon"], Counter)
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    battle.give("red", "MoveCounter", counter=counter, path=[[1500, 800]])
    assert of(battle.state.commands["platoon"], Counter) == {}
    # The corner of the house at 18,14 hides from 20,30 what is east of 17.25 at y 8.
    # From there they go on as themselves.
    (came,) = [
        entry.event
        for entry in battle.play.tree.path()
        if isinstance(entry, Happened) and isinstance(entry.event, CounterMoved)
    ]
    assert abs(came.at[0] - 1725) <= 2
    assert battle.man("r1").at == (1450, 800)


@pytest.mark.rule("fireforce cards")
def test_men_under_a_card_who_are_demoralised_withdraw_with_it() -> None:
    battle = cards()
    battle.set("foe", casualties=7)
    battle.give("green", "Motivate", [("motivation", 1)], squad="foe")
    # The leader needs no motivation and stays; the others withdraw, and the card with them.
    assert battle.squad("foe").teams["whole"].result in ("demoralised", "broken")
    battle.end_phase()
    assert of(battle.state.commands["cell"], Card)["real"].at != (2000, 3300)
    assert list(PACKAGE.problems(battle.state)) == []


@pytest.mark.rule("fireforce visibility", "fireforce movement")
def test_men_under_a_counter_meet_what_nobody_could_know_as_any_others() -> None:
    squad = unit("one", "platoon", men("r", row(20, 2, 2)))
    foe = unit("foe", "cell", men("f", [(20, 5)], weapon="ak47"), extra="prepared = true")
    battle = Battle(squad, foe, area("wood", "jungle", 18, 4.5, 23, 12))
    battle.give("red", "PlaceCounter", command="platoon", figures=["r1", "r2"])
    (counter,) = of(battle.state.commands["platoon"], Counter)
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    battle.give("red", "MoveCounter", counter=counter, path=[[2050, 600]])
    assert of(battle.state.commands["platoon"], Counter) == {}
    assert battle.man("r1").at == (2000, 450)  # in contact, and the other stops beside him
    assert battle.man("r2").at == (2100, 450)
    assert [contact.at for contact in battle.contacts("platoon")] == [(2000, 500)]
