"""Small arms: who may fire at what, fire points in the field, and what firing makes known."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from fireforce.happening.blinds import CardTurned, CounterPickedUp
from fireforce.happening.fire import Fired, HitsAllocated, HitsScored
from fireforce.happening.visibility import GunfireHeard, Placed
from fireforce.orders.orders import Fire
from fireforce.package import PACKAGE
from fireforce.rules.fire.fire_points import Shot, fire_modifiers, fire_points, shot_at, target_area
from fireforce.rules.fire.small_arms import fire
from fireforce.state.battle import (
    Figure,
    State,
)
from fireforce.state.finding import (
    figure,
    figures,
    squad,
    visible_enemies,
)
from fireforce.testing.parts import of
from tests.fireforce.rules.from_lines import WORDS, Table, battle, believed, happened, seat, told
from umpire.kernel.dice import RandomDice
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Thrown
from umpire.kernel.odds import odds_of, play_out
from umpire.kernel.pieces.changing import with_piece
from umpire.kernel.values.modifiers import total
from umpire.testing.play.battle import Play

TWO = """
regular    r1  trained m16   10,20   squad 1
guerrilla  g1  trained ak47  20,20   squad 9
"""


def shot(state: State, shooter: str, target: str, aimed: bool = True) -> Shot | str:
    return shot_at(state, figure(state, shooter), figure(state, target), aimed)


def points(state: State, shooters: str, target: str, aimed: bool = True) -> int:
    shots = [shot(state, each, target, aimed) for each in shooters.split()]
    assert not [each for each in shots if isinstance(each, str)], shots
    return fire_points(state, [each for each in shots if isinstance(each, Shot)]).points


# The weapon table


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(
    ("weapon", "reach", "each"),
    [
        ("bolt_rifle", 30, 1),
        ("m14", 30, 2),
        ("m16", 30, 2),
        ("ak47", 30, 2),
        ("ak74", 30, 2),
        ("slr", 30, 2),
        ("svd", 40, 2),
        ("smg", 10, 3),
        ("car15", 10, 3),
        ("obsolete_carbine", 10, 2),
        ("pistol", 3, 1),
        ("shotgun", 7, 5),
        ("minimi", 40, 4),
        ("m249", 40, 4),
        ("lsw", 40, 4),
        ("m60", 50, 6),
        ("gpmg", 50, 6),
        ("rpk", 50, 6),
        ("m2", 50, 7),
        ("pkm", 50, 7),
    ],
)
def test_each_weapon_reaches_as_far_as_printed_and_no_farther(weapon: str, reach: int, each: int) -> None:
    """Base to base: two bases of a quarter inch lie between the middles beside the range."""
    at = 10 + reach + 0.5
    state = battle(f"regular r1 trained {weapon} 10,20\nguerrilla g1 trained ak47 {at:g},20")
    assert points(state, "r1", "g1") == each
    state = battle(f"regular r1 trained {weapon} 10,20\nguerrilla g1 trained ak47 {at + 0.01:g},20")
    assert isinstance(shot(state, "r1", "g1"), str)


@pytest.mark.rule("fireforce firing", "fireforce small-arms")
@pytest.mark.parametrize(
    ("weapon", "may_on_foot"), [("m16", True), ("m60", True), ("svd", True), ("m2", False), ("pkm", False)]
)
def test_on_the_move_only_weapons_marked_for_it_fire_and_at_half_effect(weapon: str, may_on_foot: bool) -> None:
    state = battle(f"regular r1 trained {weapon} 10,20, moved\nguerrilla g1 trained ak47 20,20")
    if may_on_foot:
        still = battle(f"regular r1 trained {weapon} 10,20\nguerrilla g1 trained ak47 20,20")
        assert points(state, "r1", "g1") * 2 == points(still, "r1", "g1")
    else:
        assert shot(state, "r1", "g1") == "has no weapon that fires on the move"


@pytest.mark.rule("fireforce firing")
def test_weapons_without_prophylactic_fire_fire_aimed_only() -> None:
    state = battle("regular r1 trained autocannon 10,20\nguerrilla g1 trained ak47 20,20")
    assert points(state, "r1", "g1") == 8
    assert shot(state, "r1", "g1", aimed=False) == "has no weapon for prophylactic fire"


@pytest.mark.rule("fireforce firing", "fireforce saving-throws", "fireforce motivation")
@pytest.mark.parametrize(
    ("marker", "aimed", "prophylactic"),
    [
        ("running", False, False),
        ("searching", False, False),
        ("fired", False, False),
        ("pinned", False, True),
        ("pinned by a blast", False, False),
        ("result good", True, True),
        ("result wavering", True, True),
        ("result faltering", False, True),
        ("result cracking", False, True),
        ("result cracking, pinned", False, False),
        ("result demoralised", False, True),
        ("result demoralised, pinned", False, True),
        ("result broken", False, False),
        ("result broken, MR +1", True, True),
    ],
)
def test_who_may_fire_and_how(marker: str, aimed: bool, prophylactic: bool) -> None:
    table = Table(battle(TWO, f"r1 {marker}"))
    for is_aimed, may in ((True, aimed), (False, prophylactic)):
        refusals = table.refused("regular", "Fire", figures=("r1",), target="g1", aimed=is_aimed)
        assert (refusals == []) == may, refusals
        forms = PACKAGE.options(believed(table.state, "regular"), seat("regular"), "r1")
        offered = [form for form in forms if form.verb == "Fire" and form.fixed["aimed"] == is_aimed]
        assert bool(offered) == may


@pytest.mark.rule("fireforce close-combat")
def test_who_touches_an_enemy_does_not_fire() -> None:
    state = battle(TWO, "g1 at 10.5,20")
    assert shot(state, "r1", "g1") == "is in contact with an enemy"


@pytest.mark.rule("fireforce small-arms", "fireforce visibility")
def test_no_fire_through_a_wood() -> None:
    state = battle(TWO, terrain="jungle 13,15 to 17,25 called the thicket")
    found = shot(state, "r1", "g1")
    assert isinstance(found, str)
    assert "the thicket" in found


# What doubles and halves


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(
    ("further", "aimed", "expected"),
    [
        ((), True, 2),
        ((), False, 4),
        (("g1 running",), True, 4),
        (("g1 running",), False, 4),
        (("g1 civilian",), True, 4),
        (("g1 mounted",), True, 4),
        (("g1 in soft cover",), True, 1),
        (("g1 in hard cover",), True, 1),
        (("g1 in soft cover", "g1 running"), True, 2),
        (("r1 in jungle",), True, 1),
        (("r1 in built_up",), True, 1),
        (("r1 in forest",), True, 2),
        (("r1 dropped 1",), True, 1),
        (("r1 moved",), True, 1),
        (("r1 moved", "g1 running"), True, 2),
    ],
)
def test_conditions_found_on_the_table(further: tuple[str, ...], aimed: bool, expected: int) -> None:
    state = battle(TWO, *further)
    assert points(state, "r1", "g1", aimed) == expected


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(("weapon", "expected"), [("smg", 3), ("car15", 3), ("pistol", 1), ("shotgun", 2), ("m16", 1)])
def test_dense_ground_leaves_short_weapons_alone(weapon: str, expected: int) -> None:
    state = battle(f"regular r1 trained {weapon} 10,20, in jungle\nguerrilla g1 trained ak47 13,20")
    assert points(state, "r1", "g1") == expected


@pytest.mark.rule("fireforce small-arms")
def test_a_mixed_group_is_worked_out_by_weapons_and_added() -> None:
    """Two rifles in jungle are halved, 4 to 2; a submachine gun keeps its 3."""
    state = battle(
        """
        regular    r*2  trained m16  10,20  in jungle
        regular    s1   trained smg  11,20  in jungle
        guerrilla  g1   trained ak47 16,20
        """
    )
    shots = [shot(state, each, "g1") for each in ("r1", "r2", "s1")]
    made = fire_points(state, [each for each in shots if isinstance(each, Shot)])
    assert made.points == 5
    assert [(each.reason, each.value) for each in made.modifiers] == [
        ("2 m16", 4),
        ("in dense jungle or a built-up area: halved", -2),
        ("1 smg", 3),
    ]


@pytest.mark.rule("fireforce small-arms")
def test_he_fires_the_best_of_his_weapons_that_reaches() -> None:
    state = battle(
        "regular r1 trained m16 shotgun 10,20\nguerrilla g1 trained ak47 16,20\nguerrilla g2 trained ak47 20,20"
    )
    assert points(state, "r1", "g1") == 5
    assert points(state, "r1", "g2") == 2


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(
    ("quality", "away", "given", "expected"),
    [
        ("elite", 15, {}, 2),
        ("elite", 16, {}, -2),
        ("trained", 15, {}, 0),
        ("trained", 16, {}, -2),
        ("trained", 10, {"hour": "night"}, -2),
        ("trained", 16, {"hour": "night", "weather": "rain"}, -4),
        ("trained", 10, {"weather": "rain"}, -1),
    ],
)
def test_modifiers_of_the_d20(quality: str, away: int, given: dict[str, str], expected: int) -> None:
    """House rules G4: never more than 4 in all."""
    at = 10 + away + 0.5
    state = battle(f"regular r1 {quality} m16 10,20\nguerrilla g1 trained ak47 {at:g},20", **given)
    found = shot(state, "r1", "g1")
    assert isinstance(found, Shot)
    assert total(fire_modifiers(state, [found], figure(state, "g1"))) == expected


# The target area


@pytest.mark.rule("fireforce small-arms")
def test_the_area_is_what_the_firer_sees_within_three_inches_base_to_base() -> None:
    state = battle(
        """
        regular    r1  trained m16   10,20
        guerrilla  g1  trained ak47  20,20
        guerrilla  g2  trained ak47  23.5,20
        guerrilla  g3  trained ak47  23.51,20
        guerrilla  g4  trained ak47  20,21     hidden
        """
    )
    assert [man.id for man in target_area(state, ["r1"], figure(state, "g1"))] == ["g1", "g2"]


@pytest.mark.rule("fireforce small-arms", "fireforce visibility")
def test_whoever_is_not_on_the_table_is_not_hit() -> None:
    """Three hits on one man in sight beside one who is hidden: all are his."""
    table = Table(
        battle("regular r*3 trained m16 10,20\nguerrilla g1 trained ak47 20,20\nguerrilla g2 trained ak47 20,21 hidden")
    )
    entries = table.order(
        "regular",
        "Fire",
        "hits row 6 16",
        "save g1 7",
        "save g1 7",
        "save g1 7",
        figures=("r1", "r2", "r3"),
        target="g1",
    )
    assert happened(entries, HitsAllocated)[0].figures == ("g1", "g1", "g1")
    assert figure(table.state, "g1").is_pinned
    assert not figure(table.state, "g2").is_pinned
    assert not figure(table.state, "g2").is_placed


@pytest.mark.rule("fireforce motivation", "fireforce small-arms")
def test_troops_fired_at_are_under_fire_hit_or_not() -> None:
    table = Table(battle(TWO))
    table.order("regular", "Fire", "hits row 2 1", figures=("r1",), target="g1")
    assert squad(table.state, "squad 9").teams["whole"].is_under_fire
    assert not squad(table.state, "squad 1").teams["whole"].is_under_fire


@pytest.mark.rule("fireforce small-arms")
def test_a_figure_fires_once_in_a_player_turn() -> None:
    table = Table(battle(TWO))
    table.order("regular", "Fire", "hits row 2 1", figures=("r1",), target="g1")
    refusals = table.refused("regular", "Fire", figures=("r1",), target="g1")
    assert refusals[0].reason == "r1, squad 1 has fired in this player turn."


# Poor troops


POOR = """
guerrilla  g*2  poor ak47    20,20   squad 9
guerrilla  b1   poor ak47    20,22   squad 9, leader, MR +1
regular    r1   trained m16  10,20   squad 1
"""


@pytest.mark.rule("fireforce small-arms", "fireforce motivation-rating")
def test_poor_indigenous_troops_must_bring_themselves_to_fire() -> None:
    """3 is needed on a d6, with the leader's rating of 1 a roll of 2 does; 6 points are halved to 3, row 3."""
    table = Table(battle(POOR, active="guerrilla"))
    entries = table.order(
        "guerrilla", "Fire", "open fire squad 9 2", "hits row 3 1", figures=("g1", "g2", "b1"), target="r1"
    )
    roll = next(entry.roll for entry in entries if isinstance(entry, Thrown))
    assert [(band.low, band.high, band.result) for band in roll.bands] == [(1, 1, "holds"), (2, 6, "fires")]
    assert [(each.reason, each.value) for each in roll.modifiers] == [("b1, squad 9", 1)]


@pytest.mark.rule("fireforce small-arms")
def test_who_fails_lets_the_opportunity_pass() -> None:
    table = Table(battle(POOR, "b1 MR 0", active="guerrilla"))
    table.order("guerrilla", "Fire", "open fire squad 9 2", figures=("g1", "g2"), target="r1")
    assert figure(table.state, "g1").fired == "held"
    assert table.refused("guerrilla", "Fire", figures=("g1",), target="r1") != []
    assert not squad(table.state, "squad 1").teams["whole"].is_under_fire


@pytest.mark.rule("fireforce small-arms")
def test_local_troops_must_roll_too_and_poor_regulars_need_not() -> None:
    table = Table(battle(TWO, "g1 local", active="guerrilla"))
    table.order("guerrilla", "Fire", "open fire squad 9 3", "hits row 2 1", figures=("g1",), target="r1")
    table = Table(battle(TWO, "r1 dropped 1"))
    table.order("regular", "Fire", "hits row 1 1", figures=("r1",), target="g1")


@pytest.mark.rule("fireforce small-arms", "fireforce visibility")
def test_hidden_troops_who_do_not_fire_leave_no_trace() -> None:
    table = Table(battle(POOR, "b1 MR 0", "g1 hidden", "g2 hidden", "b1 hidden", active="guerrilla"))
    before = table.play.view("regular")
    entries = table.order("guerrilla", "Fire", "open fire squad 9 2", figures=("g1", "g2", "b1"), target="r1")
    assert next(entry.roll for entry in entries if isinstance(entry, Thrown)).secret
    assert table.play.view("regular") == before
    assert table.play.news["regular"] == []
    assert any("opportunity" in line for line in told(entries, "guerrilla"))


# Ambush, and being seen


AMBUSH = """
guerrilla  g*2  trained ak47  20,20  squad 9, prepared, hidden
guerrilla  g9   trained ak47  20,26  squad 9, prepared, hidden
regular    r*3  trained m16   10,20  squad 1
"""


@pytest.mark.rule("fireforce small-arms", "fireforce visibility")
def test_the_first_shot_from_ambush_is_doubled_and_shows_the_firers() -> None:
    table = Table(battle(AMBUSH, active="guerrilla"))
    entries = table.order("guerrilla", "Fire", "hits row 8 1", figures=("g1", "g2"), target="r1")
    assert happened(entries, HitsScored)[0].fire_points == 8
    assert [(event.figures, event.why) for event in happened(entries, Placed)] == [(("g1", "g2"), "fired")]
    assert [man.id for man in visible_enemies(table.state, "regular")] == ["g1", "g2"]
    assert alias_of(table.state, "regular", "g9") is None
    assert any("from ambush" in line for line in told(entries, "regular"))
    assert not any("fire points" in line for line in told(entries, "regular"))
    second = with_piece(table.state, "g1", fired="")
    assert points(second, "g1", "r1") == 2


@pytest.mark.rule("fireforce cards", "fireforce small-arms")
def test_a_card_whose_troops_fire_is_turned_up_with_all_of_them() -> None:
    table = Table(battle(AMBUSH, "g1 on the table", cards=True, active="guerrilla"))
    state = battle(
        """
        guerrilla  c1   card troops   20,20  squad 9
        guerrilla  g*3  trained ak47  20,20  squad 9
        regular    r1   trained m16   10,20  squad 1
        """,
        cards=True,
        active="guerrilla",
    )
    table = Table(state)
    entries = table.order("guerrilla", "Fire", "hits row 2 1", figures=("g1",), target="r1")
    assert [event.why for event in happened(entries, CardTurned)] == ["fired"]
    assert happened(entries, Placed)[0].figures == ("g1", "g2", "g3")
    assert len(visible_enemies(table.state, "regular")) == 3


@pytest.mark.rule("fireforce visibility", "fireforce small-arms")
def test_regulars_who_fire_from_under_a_counter_take_its_place() -> None:
    pieces = "regular k1 counter 10,20 of r1 and r2\nregular r*2 trained m16 10,20 squad 1\n"
    table = Table(battle(pieces + "guerrilla g1 trained ak47 20,20 squad 9"))
    assert alias_of(table.state, "guerrilla", "k1") is not None
    entries = table.order("regular", "Fire", "hits row 2 1", figures=("r1",), target="g1")
    assert [event.counter for event in happened(entries, CounterPickedUp)] == ["k1"]
    assert {"r1", "r2"} <= set(of(table.state.public, Figure))
    assert happened(entries, Placed) == []


@pytest.mark.rule("fireforce visibility", "fireforce motivation")
def test_gunfire_is_heard_thirty_inches_around() -> None:
    table = Table(battle(TWO + "regular/far f1 trained m16 41,20 squad 7\nregular/near n1 trained m16 40,20 squad 8"))
    entries = table.order("regular", "Fire", "hits row 2 1", figures=("r1",), target="g1")
    assert list(happened(entries, GunfireHeard)[0].teams) == ["squad 1", "squad 8", "squad 9"]


@pytest.mark.rule("fireforce visibility")
def test_fire_from_whom_nobody_sees_is_told_by_direction() -> None:
    """An umpire who leaves the firers off the table: their victims hear from where."""
    state = battle(AMBUSH, active="guerrilla")
    cause = Fired(figures=("g1",), target="r1", area=("r1",), at=(2000, 2000))
    found = [each for each in PACKAGE.notice(state, cause, state) if each.command == "regular"]
    assert [each.report.values["text"] for each in found] == ["Fire from the east."]


# What a command may know


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize("further", [(), ("g1 running",), ("g1 in soft cover",), ("g1 pinned",), ("g1 mounted",)])
def test_a_belief_gives_the_working_that_the_truth_gives(further: tuple[str, ...]) -> None:
    """Whatever the hidden target's quality, armour and ratings really are."""
    pieces = """
    regular    r*3  elite m16    10,20   squad 1
    guerrilla  g*3  elite ak47   20,20   squad 9, body armour, MR +2
    """
    state = battle(pieces, *further, assume={"guerrilla": {"quality": "green"}})
    known = believed(state, "regular")
    for each in ("r1", "r2", "r3"):
        assert shot(known, each, "g1") == shot(state, each, "g1")
    order = Fire(figures=("r1", "r2", "r3"), target="g1")
    preview = PACKAGE.preview(known, seat("regular"), order)
    play = Play(PACKAGE, state, WORDS.seats(state), source=lambda begun: RandomDice(Random(1)))
    assert play.order("regular", {"verb": "Fire", "figures": list(order.figures), "target": "g1"}) == []
    entries = play.tree.path()
    scored = happened(entries, HitsScored)[0]
    rolled = next(entry.roll for entry in entries if isinstance(entry, Thrown))
    assert preview.modifiers == (*scored.working, *rolled.modifiers)


@pytest.mark.rule("fireforce small-arms")
def test_what_is_offered_is_accepted_and_what_is_accepted_is_offered() -> None:
    state = battle(
        """
        regular    r*2  trained m16  10,20  squad 1
        regular    r9   trained smg  10,23  squad 1, moved
        regular    q1   trained m60  12,8   squad 2, pinned
        guerrilla  g*2  trained ak47 20,20  squad 9
        guerrilla  g9   trained ak47 40,20
        """,
        terrain="jungle 13,12 to 15,16",
    )
    known, chair = believed(state, "regular"), seat("regular")
    offered: set[tuple[str, str, bool]] = set()
    for subject in PACKAGE.subjects(known, chair):
        for form in PACKAGE.options(known, chair, subject):
            if form.verb != "Fire":
                continue
            for choice in form.slots[0].choices:  # type: ignore[union-attr]
                values = {
                    **form.fixed,
                    form.slots[0].name: [choice.id] if form.slots[0].name == "figures" else choice.id,
                }
                order = Fire(figures=tuple(values["figures"]), target=values["target"], aimed=values["aimed"])
                assert list(PACKAGE.check(known, chair, order)) == []
                offered.add((order.figures[0], order.target, order.aimed))
    for man in ("r1", "r2", "r9", "q1"):
        for target in ("g1", "g2", "g9"):
            for aimed in (True, False):
                order = Fire(figures=(man,), target=target, aimed=aimed)
                assert (list(PACKAGE.check(known, chair, order)) == []) == ((man, target, aimed) in offered)


@pytest.mark.rule("fireforce small-arms", "fireforce saving-throws")
def test_exact_odds_agree_with_random_rulings() -> None:
    state = battle("regular r*2 trained m16 10,20 squad 1\nguerrilla g*3 trained ak47 20,20 squad 9, in soft cover")
    known, order = believed(state, "regular"), Fire(figures=("r1", "r2"), target="g1")
    odds = odds_of(PACKAGE, known, seat("regular"), order)
    assert odds.exact
    counts: dict[object, int] = {}
    source, runs = RandomDice(Random(3)), 2000
    for _ in range(runs):
        after = play_out(PACKAGE, known, PACKAGE.resolve(known, seat("regular"), order), source, set())
        for fate in PACKAGE.fates(known, after):
            counts[fate] = counts.get(fate, 0) + 1
    for fate, chance in odds.fates.items():
        assert abs(counts.get(fate, 0) / runs - float(chance)) < 0.04


@pytest.mark.rule("fireforce small-arms")
def test_the_chance_of_a_single_rifle() -> None:
    """One man with two points at one in the open: row 2 gives one hit in 8 rolls of 20 and two in 2, of which one may
    be critical and is forgone. Each hit kills a trained man in 6 rolls of 10: 8/20 * 6/10 + 2/20 * (1 - 16/100)."""
    known = believed(battle(TWO), "regular")
    odds = odds_of(PACKAGE, known, seat("regular"), Fire(figures=("r1",), target="g1"))
    assert {f"{fate.piece} {fate.what}": str(chance) for fate, chance in odds.fates.items()} == {
        "g1 casualty": "81/250",
        "g1 pinned": "22/125",
    }


@pytest.mark.rule("fireforce small-arms")
def test_a_target_that_is_gone_is_not_fired_at() -> None:
    state = battle(TWO)
    gone = replace(state, commands={**state.commands, "guerrilla": replace(state.commands["guerrilla"], pieces={})})
    ruling = fire(gone, ["r1"], "g1", True)
    with pytest.raises(StopIteration) as end:
        next(ruling)
    assert end.value.value is gone
    assert all(not man.fired for man in figures(gone))
