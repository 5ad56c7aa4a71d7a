"""Squads off the table: by the scenario, and by the umpire's hand."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from fireforce.package import PACKAGE
from fireforce.rules.turn.arrivals import is_inside
from fireforce.state.battle import (
    NEVER,
    Card,
    Figure,
    Squad,
)
from fireforce.state.finding import (
    figures,
    has_figure,
    reserves,
)
from fireforce.testing.parts import of
from tests.fireforce.rules import small_battles
from tests.fireforce.rules.small_battles import SEATS, area, men, row, unit
from umpire.kernel.hand.forms import foreseen, hand_forms
from umpire.kernel.registry import Refused
from umpire.kernel.settings import BadInput
from umpire.testing.play.battle import Play
from umpire.testing.play.checks import unruled
from umpire.testing.play.random_play import do, next_act, settled


class Battle(small_battles.Battle):
    """A small battle with the server's dice."""

    def __init__(self, *parts: str, **options: Any) -> None:
        super().__init__(*parts, **options)
        self.play = Play(PACKAGE, self.play.first, SEATS, secret=b"arrivals")


RED = unit("one", "platoon", men("a", row(2, 2, 3)))
GREEN = unit("band", "cell", men("b", row(44, 34, 2), weapon="ak47"))
LATE = unit("late", "platoon", men("c", row(1, 1, 3)), at=(3, 20), extra="arrives = 2")
EDGE = """
[[zone]]
key = "edge"
name = "The eastern edge"
polygon = [[44, 0], [48, 0], [48, 36], [44, 36]]
"""
HIDDEN = unit("raid", "cell", men("d", row(46, 2, 3), weapon="ak47"), at=(46, 4), extra='arrives = 2\nzone = "edge"')


def correct(given: Battle, verb: str, **fields: Any) -> None:
    given.play.correct({"verb": verb, **fields}, "as the umpire says")
    assert list(PACKAGE.problems(given.state)) == []


def refused(given: Battle, verb: str, **fields: Any) -> str:
    with pytest.raises(Refused) as fault:
        given.play.correct({"verb": verb, **fields}, "tried")
    return str(fault.value)


def foreseen_by(given: Battle, correction: dict[str, Any]) -> Any:
    return foreseen(PACKAGE, given.play.position, msgspec.convert(correction, PACKAGE.corrections))


@pytest.mark.rule("fireforce turn-sequence")
def test_a_squad_comes_in_in_the_upkeep_of_its_turn_and_may_move_in_it() -> None:
    given = Battle(RED, GREEN, LATE)
    assert not has_figure(given.state, "c1")
    assert given.play.view("red")["groups"]["late"]["facts"]["arrives"] == "turn 2"
    assert "late" not in str(given.play.view("green"))
    given.to_turn_of("guerrilla")
    assert not has_figure(given.state, "c1")
    given.to_turn_of("government")
    assert given.state.public.turn == 2
    assert given.squad("late").members == ("c1", "c2", "c3")
    assert given.man("c1").at[0] < 600
    assert "Late comes in." in given.lines("red")
    assert "Late comes in." in given.lines("green")  # an open force: everybody sees it
    assert not [*reserves(given.state)]
    given.give("red", "Motivate", squad="late")


@pytest.mark.rule("fireforce turn-sequence")
def test_a_hidden_squad_that_comes_in_moves_nothing_of_who_does_not_see_it() -> None:
    """The enemy's view, news and numbers are those of a battle in which nobody comes."""

    def played(*parts: str) -> tuple[Any, Any, Any]:
        given = Battle(RED, GREEN, EDGE, *parts)
        for side in ("guerrilla", "government", "guerrilla", "government"):
            given.to_turn_of(side)
        return given.play.view("red"), given.lines("red"), given.play.tag("red")

    assert played(HIDDEN) == played()
    given = Battle(RED, GREEN, EDGE, HIDDEN)
    for side in ("guerrilla", "government", "guerrilla"):
        given.to_turn_of(side)
    assert {man.id for man in figures(given.state) if man.squad == "raid"} == {"d1", "d2", "d3"}
    assert not any(given.man(each).is_placed for each in ("d1", "d2", "d3"))
    assert any("comes in" in line for line in given.lines("green"))


@pytest.mark.rule("fireforce visibility")
def test_who_comes_in_in_the_open_in_sight_is_seen_there() -> None:
    watch = unit("watch", "platoon", men("w", row(44, 8, 2)))
    given = Battle(watch, GREEN, EDGE, HIDDEN)
    for side in ("guerrilla", "government", "guerrilla", "government"):
        given.to_turn_of(side)
    assert len(given.contacts("platoon")) >= 3


@pytest.mark.rule("fireforce cards")
def test_with_cards_it_comes_in_under_a_card_among_dummies() -> None:
    given = Battle(
        RED,
        unit("band", "cell", men("b", row(44, 34, 2), weapon="ak47"), extra="placed = true"),
        EDGE,
        HIDDEN,
        hidden="cards",
    )
    for side in ("guerrilla", "government", "guerrilla"):
        given.to_turn_of(side)
    cards = list(of(given.state.commands["cell"], Card).values())
    assert sorted(card.kind for card in cards) == ["dummy"] * (len(cards) - 1) + ["troops"]
    assert len(cards) > 1
    backs = [contact for contact in given.contacts("platoon") if contact.kind == "card"]
    assert len(backs) == len(cards)
    assert len({str(contact.looks) for contact in backs}) == 1


def test_a_zone_is_where_there_is_room_and_nothing_impassable() -> None:
    given = Battle(RED, GREEN, EDGE, area("lake", "water", 42, 0, 48, 12), HIDDEN)
    for side in ("guerrilla", "government", "guerrilla"):
        given.to_turn_of(side)
    assert given.man("d1").at[0] > 4200
    assert given.man("d1").at[1] > 1200
    square = ((0, 0), (10, 0), (10, 10), (0, 10))
    assert is_inside(square, (5, 5))
    assert not is_inside(square, (11, 5))


def test_a_bad_turn_or_zone_is_refused_with_what_would_be_right() -> None:
    with pytest.raises(BadInput, match="no turn"):
        Battle(RED, unit("late", "platoon", men("c", row(1, 1, 1)), extra="arrives = -1"))
    with pytest.raises(BadInput, match="nowhere"):
        Battle(RED, unit("late", "platoon", men("c", row(1, 1, 1)), extra='zone = "nowhere"'))


# By hand

MEN = [{"role": "leader", "weapons": ["ak47"], "rating": 1}, {"weapons": ["ak47"], "count": 3}]

SHOWN = unit("band", "cell", men("b", row(44, 34, 2), weapon="ak47"), extra="placed = true")


@pytest.mark.rule("fireforce cards")
@pytest.mark.parametrize("way", ["added", "brought in"])
def test_whom_the_umpire_brings_in_with_cards_has_his_dummies(way: str) -> None:
    """As one who arrives: so many cards in a row, all alike, of which one is real, and not always the same."""
    real: set[int] = set()
    for x in range(2000, 2400, 37):
        given = Battle(RED, SHOWN, hidden="cards")
        old = set(of(given.state.commands["cell"], Card))
        fields = {"command": "cell", "name": "Raid", "men": MEN, "at": [x, 2000]}
        if way == "added":
            correct(given, "Add", **fields)
        else:
            correct(given, "Add", **fields, waits=True)
            (late,) = [each.id for each in reserves(given.state)]
            correct(given, "MoveTo", piece=late, at=[x, 2000])
        new = [card for key, card in of(given.state.commands["cell"], Card).items() if key not in old]
        new.sort(key=lambda card: card.at)
        assert sorted(card.kind for card in new) == ["dummy", "troops"]
        assert (new[0].at[0] + new[1].at[0]) // 2 == x
        backs = [each for each in given.contacts("platoon") if each.kind == "card" and each.at in [c.at for c in new]]
        assert len({str(each.looks) for each in backs}) == 1
        assert len(backs) == 2
        real.add(next(number for number, card in enumerate(new) if card.kind == "troops"))
    assert real == {0, 1}


LAKE = area("lake", "water", 42, 0, 48, 12)


@pytest.mark.rule("fireforce movement")
def test_the_umpire_puts_men_where_none_may_stand_and_is_told_so_and_they_come_off_again() -> None:
    given = Battle(RED, GREEN, LAKE)
    assert not foreseen_by(given, {"verb": "MoveTo", "piece": "one", "at": [1000, 1000]}).breaches
    correction = {"verb": "MoveTo", "piece": "one", "at": [4400, 600]}
    told = foreseen_by(given, correction)
    assert not told.refusals
    assert told.breaches == ("One on impassable ground",)
    given.play.correct(correction, "a ford")
    random = Random(3)
    for _ in range(40):
        settled(given.play, random)
        assert unruled(given.play) == []
        if (act := next_act(given.play, random)) is None:
            break
        do(given.play, act)
    assert "off the table" in refused(given, "MoveTo", piece="one", at=[99_000, 100])


def test_the_umpire_adds_troops_whom_nobody_sees_who_should_not() -> None:
    given = Battle(RED, GREEN)
    before = given.play.view("red"), given.play.tag("red")
    fields = {"command": "cell", "name": "Third band", "men": MEN, "at": [4500, 3000]}
    told = foreseen_by(given, {"verb": "Add", **fields})
    assert (set(told.seen_by), told.everybody) == ({"cell"}, False)
    correct(given, "Add", **fields)
    assert (given.play.view("red"), given.play.tag("red")) == before
    (band,) = [each for each in of(given.state.commands["cell"], Squad).values() if each.name == "Third band"]
    assert len(band.members) == 4
    assert any("Third band" in line and "4 men" in line for line in given.lines("green"))
    assert foreseen_by(given, {"verb": "Add", **fields, "is_placed": True}).seen_by.keys() == {"cell", "platoon"}
    open_ones = {"command": "platoon", "name": "Relief", "men": MEN, "at": [300, 300]}
    assert foreseen_by(given, {"verb": "Add", **open_ones}).everybody


def test_troops_wait_are_taken_off_and_come_in() -> None:
    given = Battle(RED, GREEN)
    correct(given, "Add", command="cell", name="Later", men=MEN, at=[4500, 3000], arrives=3)
    (later,) = reserves(given.state)
    assert later.arrives == 3
    correct(given, "Change", piece=later.id, field="arrives", value=2)
    assert any("turn 2, not in turn 3" in line for line in given.lines("green"))
    assert not any("Later" in line for line in given.lines("red"))
    for side in ("guerrilla", "government", "guerrilla"):
        given.to_turn_of(side)
    assert given.squad(later.id).name == "Later"
    correct(given, "TakeOff", squad=later.id)
    assert next(reserves(given.state)).arrives == NEVER
    assert not any(man.squad == later.id for man in figures(given.state))
    assert "no figure" in refused(given, "Kill", figure=later.figures[0].id)
    correct(given, "MoveTo", piece=later.id, at=[2000, 2000])
    assert given.man(later.figures[0].id).command == "cell"
    correct(given, "Remove", piece=later.id)
    assert not any(man.name == "Later" or man.squad == later.id for man in figures(given.state))
    assert "turn 2 already" in refused(given, "Add", command="cell", name="Late", men=MEN, at=[4500, 3000], arrives=1)


def test_an_open_squad_is_taken_off_before_all_eyes() -> None:
    given = Battle(RED, GREEN)
    correct(given, "TakeOff", squad="one", arrives=2)
    assert not of(given.state.public, Figure)
    assert "a1" not in given.play.view("green")["pieces"]
    for side in ("guerrilla", "government"):
        given.to_turn_of(side)
    assert {"a1", "a2", "a3"} <= set(of(given.state.public, Figure))


@pytest.mark.rule("fireforce turn-sequence")
def test_the_umpire_changes_the_length_of_the_battle() -> None:
    given = Battle(RED, GREEN, turns=5)
    correct(given, "Change", piece="battle", field="turns", value=1)
    assert given.play.view("green")["turns"] == 1
    assert "The umpire sets the battle: number of turns from 5 to 1." in given.lines("green")
    given.to_turn_of("guerrilla")
    given.play.order("green", {"verb": "EndPhase"})
    while given.state.public.result is None:
        assert given.play.order("green", {"verb": "EndPhase"}) == []
    assert given.state.public.turn == 1


def test_what_the_umpire_has_set_is_said_from_what_to_what_to_who_may_know() -> None:
    given = Battle(RED, GREEN)
    correct(given, "Change", piece="b1", field="body_armour", value=True)
    assert any(line.endswith("body armour from no to yes.") for line in given.lines("green"))
    correct(given, "MoveTo", piece="band", at=[4000, 3000])
    assert any("The umpire moves" in line and "to 40, 30" in line for line in given.lines("green"))
    correct(given, "Change", piece="battle", field="hour", value="night")
    assert [line for line in given.lines("red") if "umpire" in line] == [
        "The umpire sets the battle: hour from day to night."
    ]


def test_the_desk_has_forms_for_a_squad_off_the_table() -> None:
    given = Battle(RED, GREEN, LATE)
    verbs = {form.verb for form in hand_forms(PACKAGE, given.state, "late")}
    assert {"MoveTo", "Remove", "Change"} <= verbs
    assert {"Add", "Change", "EndBattle"} <= {form.verb for form in hand_forms(PACKAGE, given.state, None)}
