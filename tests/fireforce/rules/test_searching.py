"""Searching: who may, what comes of it at the end of the turn, and what becomes of the stores."""

from __future__ import annotations

from typing import Any

import pytest

from fireforce.happening.blinds import CardTurned
from fireforce.happening.searching import Searched, StoresDestroyed
from fireforce.package import PACKAGE
from fireforce.state.finding import (
    card,
    cards,
    figure,
    figures,
    visible_enemies,
)
from tests.fireforce.rules.from_lines import Table, battle, believed, happened, seat, told

ON_A_CARD = """
regular    r*2  trained m16   10,20   squad 1
regular    r9   trained m16   13.5,20   squad 1
"""
"""Of these r1 and r2 stand on a card that lies at 10,20.5; r9 does not."""


def searched(line: str, *dice: str, further: str = "", cards: bool = True, **given: Any) -> tuple[Table, list[Any]]:
    """r1 and r2 search the card of this line (or in map mode the ground) through to the end of the turn."""
    state = battle(ON_A_CARD + line + "\n" + further, phase="searching", cards=cards, **given)
    table = Table(state)
    name = line.split()[1]
    order = {"card": name} if cards else {}
    entries = table.order("regular", "Search", figures=("r1", "r2"), **order)
    for _ in range(2):
        entries += table.order("regular", "EndPhase")
    entries += table.order("regular", "EndPhase", *dice)
    return table, entries


@pytest.mark.rule("fireforce searching")
@pytest.mark.parametrize(
    ("further", "figures", "refused"),
    [
        ((), ("r1", "r2"), False),
        ((), ("r1",), True),
        ((), ("r1", "r9"), True),
        (("r1 pinned",), ("r1", "r2"), True),
        (("r1 running",), ("r1", "r2"), True),
        (("r1 moved",), ("r1", "r2"), False),
        (("r1 searching",), ("r1", "r2"), True),
        (("r1 result demoralised",), ("r1", "r2"), True),
    ],
)
def test_two_men_on_the_card_search_it(further: tuple[str, ...], figures: tuple[str, ...], refused: bool) -> None:
    state = battle(ON_A_CARD + "guerrilla c1 card cache 10,20.5", *further, phase="searching", cards=True)
    table = Table(state)
    assert bool(table.refused("regular", "Search", figures=figures, card="c1")) == refused
    forms = PACKAGE.options(believed(state, "regular"), seat("regular"), "squad 1")
    offered = [form for form in forms if form.verb == "Search" and form.fixed["card"] == "c1"]
    can = {choice.id for form in offered for choice in form.slots[0].choices}  # type: ignore[union-attr]
    assert (len(figures) > 1 and set(figures) <= can) == (not refused)


@pytest.mark.rule("fireforce searching", "fireforce firing")
def test_who_searches_does_not_fire_and_no_id_of_the_card_shows() -> None:
    state = battle(
        ON_A_CARD + "guerrilla c1 card cache 10,20.5\nguerrilla g1 trained ak47 20,20", phase="searching", cards=True
    )
    table = Table(state)
    table.order("regular", "Search", figures=("r1", "r2"), card="c1")
    assert figure(table.state, "r1").searching == "1000,2050"
    table.order("regular", "EndPhase")
    assert table.refused("regular", "Fire", figures=("r1",), target="g1") != []
    assert table.refused("regular", "Fire", figures=("r9",), target="g1") == []


@pytest.mark.rule("fireforce searching", "fireforce cards")
def test_a_cache_is_found_at_the_end_of_the_turn_and_not_before() -> None:
    state = battle(ON_A_CARD + "guerrilla c1 card cache 10,20.5, arms 2, heavy 1", phase="searching", cards=True)
    table = Table(state)
    table.order("regular", "Search", figures=("r1", "r2"), card="c1")
    table.order("regular", "EndPhase")
    assert not card(table.state, "c1").is_face_up
    table.order("regular", "EndPhase")
    entries = table.order("regular", "EndPhase")
    assert card(table.state, "c1").is_face_up
    assert card(table.state, "c1").searched_by == ("regular",)
    assert [event.why for event in happened(entries, CardTurned)] == ["searched"]
    looks = table.state.commands["regular"].contacts["c1"].looks
    assert (looks["card"], looks["arms"], looks["heavy"]) == ("cache", 2, 1)
    assert figure(table.state, "r1").searching == ""


@pytest.mark.rule("fireforce searching", "fireforce cards")
def test_troops_under_the_card_stand_on_the_table() -> None:
    table, _ = searched(
        "guerrilla c1 card troops 10,20.5, over squad 9", further="guerrilla g*3 trained ak47 10,20.5 squad 9"
    )
    assert [man.id for man in visible_enemies(table.state, "regular")] == ["g1", "g2", "g3"]


@pytest.mark.rule("fireforce searching", "fireforce cards")
def test_a_dummy_is_taken_away() -> None:
    table, _ = searched("guerrilla c1 card dummy 10,20.5")
    assert list(cards(table.state)) == []
    assert not table.state.commands["regular"].contacts


@pytest.mark.rule("fireforce searching", "fireforce mines")
@pytest.mark.parametrize(
    ("dice", "pinned", "casualty", "left"),
    [
        (("booby trap r1 turn 1 1",), False, False, True),
        (("booby trap r1 turn 1 2", "booby trap r2 turn 1 2"), False, False, True),
        (("booby trap r1 turn 1 3", "save r1 turn 1 7"), True, False, False),
        (("booby trap r1 turn 1 6", "save r1 turn 1 6"), False, True, False),
    ],
)
def test_a_booby_trap_goes_off_under_a_searcher_on_three_or_more(
    dice: tuple[str, ...], pinned: bool, casualty: bool, left: bool
) -> None:
    table, _ = searched("guerrilla c1 card booby trap 10,20.5", *dice)
    assert (figure(table.state, "r1").pinned == "he") == pinned
    assert (figure(table.state, "r1").status == "casualty") == casualty
    assert bool(list(cards(table.state))) == left
    assert PACKAGE.outcome(table.state).points["guerrilla"] == (2 if casualty else 0)


@pytest.mark.rule("fireforce searching", "fireforce cards")
def test_peasants_stand_up_as_many_as_a_die_says() -> None:
    table, _ = searched("guerrilla c1 card peasants 10,20.5", "peasants c1 turn 1 3")
    people = [man for man in figures(table.state) if man.is_civilian]
    assert len(people) == 3
    assert all(man.side == "guerrilla" and man.is_placed for man in people)
    assert list(cards(table.state)) == []
    assert len(visible_enemies(table.state, "regular")) == 3


@pytest.mark.rule("fireforce umpire", "fireforce searching")
@pytest.mark.parametrize(("at", "is_found"), [("12.1,20.5", True), ("12.3,20.5", False)])
def test_with_the_umpires_map_the_ground_is_searched(at: str, is_found: bool) -> None:
    """As far as the size of a card from two of the men."""
    table, entries = searched(f"guerrilla c1 card cache {at}, arms 1", cards=False)
    assert card(table.state, "c1").is_face_up == is_found
    known = believed(table.state, "regular")
    lines = [PACKAGE.describe(event, known) for event in happened(entries, Searched) if not event.card]
    assert any(line is not None and "nothing is found" in line.text for line in lines) != is_found


@pytest.mark.rule("fireforce umpire", "fireforce searching")
def test_who_searches_inside_a_building_searches_all_of_it() -> None:
    table, _ = searched("guerrilla c1 card cache 14,23, arms 1", cards=False, terrain="building 9,19 to 15,24")
    assert card(table.state, "c1").is_face_up


@pytest.mark.rule("fireforce umpire", "fireforce visibility")
@pytest.mark.parametrize(("at", "are_seen"), [("25.5,20", True), ("25.51,20", False)])
def test_with_the_umpires_map_peasants_come_to_light_as_indigenous_troops_do(at: str, are_seen: bool) -> None:
    """In the open within 15 inches of an enemy who can see them."""
    pieces = f"regular r1 trained m16 10,20 squad 1, special motivation\nguerrilla p card peasants {at}"
    table = Table(battle(pieces, phase="movement"))
    table.order("regular", "EndPhase", *(["peasants p turn 1 4"] if are_seen else []))
    assert sum(man.is_civilian for man in visible_enemies(table.state, "regular")) == (4 if are_seen else 0)


# Stores


STORES = ON_A_CARD + "guerrilla c1 card cache 10,20.5, face up, searched by regular, arms 1, food 1, heavy 2"


@pytest.mark.rule("fireforce searching")
def test_stores_are_taken_up_load_by_load_and_heavy_food_is_left() -> None:
    table = Table(battle(STORES, phase="movement", cards=True))
    assert table.refused("regular", "TakeStores", figures=("r9",), card="c1") != []
    table.order("regular", "TakeStores", figures=("r1", "r2"), card="c1")
    assert (figure(table.state, "r1").carrying.arms, figure(table.state, "r2").carrying.food) == (1, 1)
    left = card(table.state, "c1").stores
    assert (left.arms, left.food, left.heavy) == (0, 0, 2)
    refusals = table.refused("regular", "TakeStores", figures=("r1",), card="c1")
    assert "0 loads" in refusals[0].reason


@pytest.mark.rule("fireforce searching", "fireforce movement")
def test_who_carries_stores_moves_at_half_speed() -> None:
    table = Table(battle(STORES, "squad 1 special motivation", phase="movement", cards=True))
    table.order("regular", "TakeStores", figures=("r1", "r2"), card="c1")
    assert table.refused("regular", "Move", figures=("r1", "r2", "r9"), path=[[13, 20]]) == []
    assert table.refused("regular", "Move", figures=("r1", "r2", "r9"), path=[[13.1, 20]]) != []


@pytest.mark.rule("fireforce searching", "fireforce victory-points")
def test_destroying_takes_a_whole_move_and_scores_fifteen() -> None:
    table = Table(battle(STORES, "squad 1 special motivation", phase="movement", cards=True))
    table.order("regular", "DestroyStores", figures=("r1", "r2"), card="c1")
    assert "c1" not in figure(table.state, "r1").destroying
    assert table.refused("regular", "Move", figures=("r1",), path=[[11, 20]]) != []
    assert card(table.state, "c1").stores.heavy == 2
    entries = table.order("regular", "EndPhase")
    assert happened(entries, StoresDestroyed)[0].left.is_empty
    assert list(cards(table.state)) == []
    assert PACKAGE.outcome(table.state).points["regular"] == 15
    assert any("Stores destroyed" in line for line in told(entries, "regular"))


@pytest.mark.rule("fireforce searching")
def test_who_has_moved_cannot_destroy_and_one_man_cannot() -> None:
    table = Table(battle(STORES, "r1 moved", phase="movement", cards=True))
    assert table.refused("regular", "DestroyStores", figures=("r1", "r2"), card="c1") != []
    assert table.refused("regular", "DestroyStores", figures=("r2",), card="c1") != []


@pytest.mark.rule("fireforce searching")
def test_stores_put_down_lie_there_to_be_taken_up_again() -> None:
    table = Table(battle(STORES, "r9 carrying arms 1", phase="movement", cards=True))
    table.order("regular", "DropStores", figures=("r9",))
    lying = next(each for each in cards(table.state) if each.id != "c1")
    assert (lying.at, lying.stores.arms) == ((1350, 2000), 1)
    table.order("regular", "TakeStores", figures=("r9",), card=lying.id)
    assert figure(table.state, "r9").carrying.arms == 1
    assert [each.id for each in cards(table.state)] == ["c1"]
