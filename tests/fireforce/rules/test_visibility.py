"""Visibility: who is placed on the table and when, who hides again, what is heard and what it tells."""

from __future__ import annotations

from typing import Any

import pytest

from fireforce.happening.register import apply
from fireforce.happening.visibility import GunfireHeard, NoiseMade
from fireforce.orders.orders import Move
from fireforce.package import PACKAGE
from fireforce.rules.hidden.hearing import gunfire
from fireforce.rules.hidden.spotting import open_stretches, seen_on_the_way
from fireforce.scenarios.parsing import load
from fireforce.state.battle import Figure
from fireforce.state.finding import (
    squad,
)
from fireforce.state.setting import ground_of
from fireforce.testing.parts import of
from tests.fireforce.rules import from_lines
from tests.fireforce.rules.small_battles import HEAD, Battle, area, men, row, unit
from umpire.kernel.events import Sighted
from umpire.kernel.ledger import Happened
from umpire.kernel.rulings import Tell

REGULARS = unit("one", "platoon", men("r", [(24, 20)]))


def guerrillas(*at: tuple[float, float], extra: str = "", rating: int | None = 1) -> str:
    """The leader needs no motivation: he goes by himself."""
    return unit("foe", "cell", men("f", at, rating=rating, weapon="ak47"), extra=extra)


def in_their_turn(battle: Battle, dice: int = 1) -> Battle:
    """The guerrillas' movement; the regulars have stayed where they are."""
    battle.to_turn_of("guerrilla", [("motivation", 3)] * dice)
    return battle


def run(battle: Battle, *path: tuple[int, int], manner: str = "running") -> None:
    battle.give("green", "Move", figures=["f1"], path=[list(place) for place in path], manner=manner)


@pytest.mark.rule("fireforce visibility")
def test_who_runs_across_a_gap_is_seen_and_lost_with_news_of_both() -> None:
    # Two woods with a gap of four inches between them, under the eyes of a man sixteen inches to the south.
    woods = area("west", "jungle", 14, 30, 22, 36) + area("east", "jungle", 26, 30, 34, 36)
    battle = in_their_turn(Battle(unit("one", "platoon", men("r", [(24, 14)])), guerrillas((21.5, 33)), woods))
    assert battle.contacts("platoon") == []
    battle.lines("red").clear()
    run(battle, (2780, 3300))
    assert battle.man("f1").at == (2780, 3300)
    assert not battle.man("f1").is_placed
    assert battle.contacts("platoon") == []
    (lost,) = battle.contacts("platoon", "remembered")
    assert lost.at[0] in range(2590, 2611)  # where the eastern wood begins
    told = [line for line in battle.lines("red") if "sight" in line]
    assert told == ["In sight: enemy with rifle.", "Lost from sight: enemy with rifle."]


@pytest.mark.rule("fireforce visibility")
def test_who_ends_in_the_open_stays_on_the_table_from_where_he_was_first_seen() -> None:
    wood = area("west", "jungle", 14, 30, 22, 36)
    battle = in_their_turn(Battle(unit("one", "platoon", men("r", [(24, 14)])), guerrillas((21, 33)), wood))
    run(battle, (2500, 3300))
    (seen,) = battle.contacts("platoon")
    assert seen.at == (2500, 3300)

    begins = [
        entry.event.contact.at
        for entry in battle.play.tree.path()
        if isinstance(entry, Happened) and isinstance(entry.event, Sighted)
    ]
    assert len(begins) == 1
    assert begins[0][0] in range(2190, 2211)


@pytest.mark.rule("fireforce visibility")
@pytest.mark.parametrize(
    ("place", "gap", "hour", "extra", "is_found"),
    [
        ("open", 1500, "day", "", True),
        ("open", 1501, "day", "", False),
        ("scrub", 400, "day", "", True),
        ("scrub", 401, "day", "", False),
        ("jungle", 200, "day", "", True),
        ("jungle", 201, "day", "", False),
        ("open", 200, "day", "prepared = true", True),
        ("open", 201, "day", "prepared = true", False),
        ("open", 750, "night", "", True),
        ("open", 751, "night", "", False),
        ("scrub", 200, "night", "", True),
        ("scrub", 201, "night", "", False),
    ],
)
def test_standing_troops_are_found_within_the_distances_of_the_house_list(
    place: str, gap: int, hour: str, extra: str, is_found: bool
) -> None:
    ground = area("place", place, 22, 21, 26, 36) if place != "open" else ""
    at = (24, round(20 + (gap + 50) / 100, 2))
    battle = Battle(REGULARS, guerrillas(at, extra=extra), *([ground] if ground else []), hour=hour)
    battle.end_phase([("motivation", 3)])
    assert (len(battle.contacts("platoon")) == 1) == is_found


@pytest.mark.rule("fireforce visibility")
def test_a_pinned_man_finds_nobody() -> None:
    battle = Battle(REGULARS, guerrillas((24, 23)))
    battle.set("r1", pinned="fire", pinned_until=1)
    battle.end_phase([("motivation", 3)])
    assert battle.contacts("platoon") == []


@pytest.mark.rule("fireforce visibility")
def test_who_moves_finds_hidden_troops_on_his_way_and_goes_on() -> None:
    scrub = area("scrub", "scrub", 18, 26, 30, 30)
    battle = Battle(unit("one", "platoon", men("r", [(10, 24)])), guerrillas((16, 27)), scrub.replace("18,", "12,"))
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    battle.give("red", "Move", figures=["r1"], path=[[1800, 2400]], manner="running")
    assert battle.man("r1").at == (1800, 2400)
    (found,) = battle.contacts("platoon")
    assert found.at == (1600, 2700)


@pytest.mark.rule("fireforce visibility")
def test_moving_in_soft_cover_is_seen_within_eight_inches_only() -> None:
    scrub = area("scrub", "scrub", 10, 26, 40, 34)
    state = Battle(REGULARS, guerrillas((30, 30)), scrub).state
    man = of(state.commands["cell"], Figure)["f1"]
    path = ((3000, 3000), (2400, 3000))
    (stretch,) = (*seen_on_the_way(state, man, path, 600),) or ((0, 0),)
    assert stretch == (0, 0)  # ten inches off at the nearest
    close = ((3000, 2700), (2400, 2700))
    ((begin, end),) = seen_on_the_way(state, man, close, 600)
    # Bases 8 inches apart, middles 8.5: sqrt(850^2 - 700^2) = 482 to the east of the watcher.
    assert begin in range(3000 - 2400 - 483, 3000 - 2400 - 480)
    assert end == 600


@pytest.mark.rule("fireforce visibility")
def test_with_cards_on_the_table_indigenous_troops_are_not_found_by_distance() -> None:
    battle = Battle(REGULARS, guerrillas((24, 22)), hidden="cards")
    battle.end_phase([("motivation", 3)])
    assert battle.contacts("platoon") == []


@pytest.mark.rule("fireforce visibility")
def test_stretches_of_a_path_by_cover() -> None:
    ground = ground_of(Battle(REGULARS, guerrillas((1, 1)), area("a", "scrub", 10, 0, 12, 5)).state)
    found = open_stretches(ground, ((800, 200), (1600, 200)), 800)
    assert found == {"open": ((0, 199), (401, 800)), "soft": ((200, 400),), "jungle": ()}


@pytest.mark.rule("fireforce visibility")
@pytest.mark.parametrize(("gap", "hears"), [(450, True), (451, False)])
def test_feet_are_heard_within_four_inches_from_base_to_base_and_tell_no_more(gap: int, hears: bool) -> None:
    # A house stands between them: nobody sees anything.
    house = '[[building]]\nkey = "house"\npolygon = [[20, 21], [30, 21], [30, 23], [20, 23]]\n'
    y = round(20 + gap / 100, 2)
    battle = in_their_turn(Battle(REGULARS, guerrillas((25, y), (25.6, y), (26.2, y)), house), 1)
    battle.give("green", "Move", figures=["f1"], path=[[2400, round(y * 100)]])
    noises: list[Any] = battle.contacts("platoon", "heard")
    assert bool(noises) == hears
    assert battle.contacts("platoon") == []
    if hears:
        (noise,) = noises
        assert noise.kind == "noise"
        assert dict(noise.looks) == {"bearing": "north", "noise": "troops moving"}
        assert noise.at == (2400, 2200)  # half the distance along the bearing: a guess from these alone
        assert any("noise: troops moving" in line for line in battle.lines("red"))
        battle.to_turn_of("guerrilla", [("motivation", 3)] * 2)
        battle.to_turn_of("guerrilla", [("motivation", 3)] * 2)
        assert battle.contacts("platoon", "heard") == []


@pytest.mark.rule("fireforce visibility")
def test_hiding_again_takes_a_full_turn_out_of_sight() -> None:
    wood = area("wood", "jungle", 10, 24, 20, 36)
    battle = in_their_turn(Battle(unit("one", "platoon", men("r", [(24, 12)])), guerrillas((24, 30)), wood))
    run(battle, (2000, 3050))  # seen in the open, ends at the edge of the jungle
    assert battle.man("f1").is_placed
    battle.to_turn_of("guerrilla", [("motivation", 3)])
    run(battle, (1450, 3250))  # six inches into the jungle: begins its turn in sight, so this does not count
    assert battle.man("f1").is_placed
    battle.to_turn_of("government")
    assert battle.man("f1").is_placed
    battle.to_turn_of("guerrilla", [("motivation", 3)])
    assert battle.man("f1").hidden_turns == 1
    battle.to_turn_of("government")
    assert not battle.man("f1").is_placed
    (remembered,) = battle.contacts("platoon", "remembered")
    assert remembered.at == (1450, 3250)


@pytest.mark.rule("fireforce visibility")
def test_a_remembered_place_is_found_empty_from_near_by() -> None:
    woods = area("west", "jungle", 14, 30, 22, 36) + area("east", "jungle", 26, 30, 34, 36)
    walker = unit("one", "platoon", men("r", [(24, 28)]))
    battle = in_their_turn(Battle(walker, guerrillas((21.5, 33)), woods))
    run(battle, (2780, 3300))
    assert len(battle.contacts("platoon", "remembered")) == 1
    battle.to_turn_of("government")
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    battle.give("red", "Move", figures=["r1"], path=[[2550, 3150]])
    battle.end_phase()
    assert battle.contacts("platoon", "remembered") == []


@pytest.mark.rule("fireforce visibility")
def test_a_remembered_place_is_found_empty_as_one_comes_near_not_at_the_next_phase() -> None:
    woods = area("west", "jungle", 14, 30, 22, 36) + area("east", "jungle", 26, 30, 34, 36)
    battle = in_their_turn(Battle(unit("one", "platoon", men("r", [(24, 28)])), guerrillas((21.5, 33)), woods))
    run(battle, (2780, 3300))
    battle.to_turn_of("government")
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    battle.give("red", "Move", figures=["r1"], path=[[2480, 3000]])
    assert len(battle.contacts("platoon", "remembered")) == 1  # nearly three inches away: who lies low is missed
    battle.play.correct({"verb": "MoveTo", "piece": "r1", "at": [2550, 3150]}, "further on")
    assert battle.contacts("platoon", "remembered") == []


@pytest.mark.rule("fireforce visibility", "fireforce cards")
@pytest.mark.parametrize("hidden", ["map", "cards"])
@pytest.mark.parametrize(
    ("kind", "looks", "far", "near"),
    [
        ("figure", {"side": "guerrilla"}, 300, 200),
        ("counter", {"side": "guerrilla"}, 300, 200),
        ("card", {"side": "guerrilla"}, 100, 20),
        ("figure", {}, 100, 20),
    ],
)
def test_what_was_told_of_stays_until_its_place_is_seen_empty(
    hidden: str, kind: str, looks: dict[str, str], far: int, near: int
) -> None:
    """The umpire tells of something that is not there, beyond what a man surely sees, and the man goes near."""
    battle = Battle(REGULARS, guerrillas((40, 34)), hidden=hidden)
    lie = {"verb": "ShowContact", "command": "platoon", "kind": kind, "looks": looks}
    battle.play.correct({**lie, "at": [2400, 1500]}, "a rumour")
    battle.play.correct({"verb": "MoveTo", "piece": "r1", "at": [2400, 1500 + far]}, "near")
    assert len(battle.contacts("platoon", "told")) == 1
    battle.play.correct({"verb": "MoveTo", "piece": "r1", "at": [2400, 1500 + near]}, "nearer")
    assert battle.contacts("platoon", "told") == []


@pytest.mark.rule("fireforce visibility")
def test_who_is_there_all_the_same_makes_no_difference_to_what_is_found_empty() -> None:
    """Men who lie there hidden, of whom the watcher knows nothing, change no byte of his."""

    def told(*foes: str) -> Any:
        battle = Battle(REGULARS, guerrillas((40, 34)), *foes)
        at = [2400, 1500]
        lie = {"verb": "ShowContact", "command": "platoon", "kind": "figure", "looks": {"side": "guerrilla"}, "at": at}
        battle.play.correct(lie, "a rumour")
        battle.play.correct({"verb": "MoveTo", "piece": "r1", "at": [2400, 1650]}, "near")
        return battle.play.view("red"), battle.lines("red"), battle.play.tag("red")

    assert told() == told(unit("others", "cell", men("g", [(24, 15)], weapon="ak47"), extra="placed = false"))


@pytest.mark.rule("fireforce visibility", "fireforce motivation")
def test_gunfire_is_heard_within_thirty_inches_and_bears_on_motivation() -> None:
    battle = Battle(REGULARS, guerrillas((24, 34)), turns=2)
    told = []
    ruling = gunfire(battle.state, ["f1"])
    state = battle.state
    answer: Any = None
    try:
        while True:
            step = ruling.send(answer)
            assert isinstance(step, Tell)
            told.append(step.event)
            state = apply(state, step.event)
            answer = state
    except StopIteration:
        pass
    assert [type(event) for event in told] == [NoiseMade, GunfireHeard]
    assert told[0].distance == 3000
    assert len(told[1].teams) == 2
    assert {squad(state, unit).command for unit in told[1].teams} == {"cell", "platoon"}
    assert row(0, 0, 1) == [(0, 0)]


@pytest.mark.rule("fireforce visibility")
def test_whoever_is_seen_on_his_way_begins_to_hide_anew() -> None:
    woods = area("west", "jungle", 10, 27, 22, 36) + area("east", "jungle", 24, 27, 36, 36)
    battle = in_their_turn(Battle(unit("one", "platoon", men("r", [(23, 2)])), guerrillas((13, 35)), woods))
    battle.set("f1", is_placed=True)
    battle.to_turn_of("guerrilla", [("motivation", 3)])
    assert battle.man("f1").hidden_turns == 1  # nine inches of jungle between them
    battle.play.correct({"verb": "MoveTo", "piece": "f1", "at": [2150, 3550]}, "given")
    run(battle, (2600, 3550))  # across the gap
    assert battle.man("f1").hidden_turns == 0
    battle.to_turn_of("government")
    assert battle.man("f1").is_placed


@pytest.mark.rule("fireforce visibility")
def test_regulars_who_would_leave_their_position_are_told_that_they_will_be_seen() -> None:
    sides = {"north": "regular", "south": "regular"}
    pieces = (
        "north r*2 trained m16 30,10 squad 1, hidden, prepared, special motivation\nsouth s1 trained m16 5,10 squad 2"
    )
    state = from_lines.battle(pieces, sides=sides, active="north", phase="movement", terrain="jungle 20,0 to 60,48")
    order = Move(figures=("r1", "r2"), path=((3300, 1000),))
    preview = PACKAGE.preview(from_lines.believed(state, "north"), from_lines.seat("north"), order)
    assert preview.warnings == ("They leave their position: 2 of the figures will stand on the table.",)


@pytest.mark.rule("fireforce visibility")
@pytest.mark.parametrize(("extra", "are_placed"), [("", True), ("prepared = true", False)])
def test_regulars_of_a_hidden_command_begin_on_the_table_but_in_prepared_positions(
    extra: str, are_placed: bool
) -> None:
    head = HEAD.format(turns=5, plans_only="false").replace("indigenous", "regular")
    setting = load(head + REGULARS + guerrillas((24, 33), extra=extra), file="small", options={"hidden": "map"})
    state = PACKAGE.begin(setting, lambda key: key)
    assert [man.is_placed for man in of(state.commands["cell"], Figure).values()] == [are_placed]
