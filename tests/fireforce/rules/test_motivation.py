"""Motivation: the table by day and night, what is added, quality lost, the gamble, who needs none."""

from __future__ import annotations

import pytest

from fireforce.happening.register import apply
from fireforce.happening.turn import PlayerTurnBegan
from fireforce.happening.visibility import GunfireHeard
from fireforce.orders.orders import Motivate
from fireforce.package import PACKAGE
from fireforce.rules.men.motivation import has_heard_gunfire, has_to_roll, motivation_modifiers
from fireforce.state.battle import (
    State,
)
from fireforce.state.finding import (
    members_of,
    squad,
)
from fireforce.state.setting import tables_of
from tests.fireforce.rules.from_lines import Table, battle, believed, seat
from tests.fireforce.rules.small_battles import Battle, area, men, row, unit
from umpire.kernel.ledger import Thrown
from umpire.kernel.registry import Fate

ENEMY = unit("foe", "cell", men("f", row(30, 30, 2), weapon="ak47"), extra="placed = true")


def veterans(rating: int = 0, quality: str = "trained", extra: str = "", count: int = 8) -> str:
    return unit("one", "platoon", men("r", row(5, 5, count), rating=rating), quality=quality, extra=extra)


def working(battle: Battle) -> dict[str, int]:
    """What was added to the last motivation roll, by reason."""
    thrown = [entry for entry in battle.play.tree.path() if isinstance(entry, Thrown)]
    return {modifier.reason: modifier.value for modifier in thrown[-1].roll.modifiers}


def rolled(battle: Battle) -> tuple[str, int]:
    team = battle.squad("one").teams["whole"]
    return team.result, team.score


@pytest.mark.rule("fireforce motivation")
def test_first_example_of_the_book_with_the_rain_not_counted_against_veterans() -> None:
    battle = Battle(veterans(2, "veteran"), ENEMY, weather="rain")
    battle.set("one", casualties=2)
    battle.team("one", is_under_fire=True)
    battle.give("red", "Motivate", [("motivation", 4)], squad="one")
    assert rolled(battle) == ("good", 7)  # printed as 6: the list of modifiers spares veterans the rain (C1)
    assert sorted(working(battle).values()) == [-2, -1, 2, 4]


@pytest.mark.rule("fireforce motivation")
@pytest.mark.parametrize(
    ("hour", "rating", "result", "score"),
    [
        ("day", 0, "demoralised", -2),
        ("night", 0, "demoralised", -2),
        ("day", -1, "demoralised", -3),
        ("night", -1, "broken", -3),
    ],
)
def test_second_example_with_its_die_added(hour: str, rating: int, result: str, score: int) -> None:
    battle = Battle(veterans(rating), ENEMY, hour=hour)
    battle.set("one", casualties=5)
    battle.team("one", is_under_fire=True)
    battle.give("red", "Motivate", [("motivation", 1)], squad="one")
    assert rolled(battle) == (result, score)
    assert battle.squad("one").dropped == 1  # counts as Poor from now on


@pytest.mark.rule("fireforce motivation")
def test_no_enemy_in_sight_and_no_gunfire_heard_gives_four() -> None:
    battle = Battle(veterans(), unit("foe", "cell", men("f", row(30, 30, 2))))
    battle.give("red", "Motivate", [("motivation", 1)], squad="one")
    assert rolled(battle) == ("good", 3 + 4 + 1)  # two guerrillas are there, but nobody has seen them


@pytest.mark.rule("fireforce motivation")
def test_gunfire_heard_since_ones_own_last_turn_takes_the_four_away() -> None:
    battle = Battle(veterans(), unit("foe", "cell", men("f", row(30, 30, 2))))
    battle.to_turn_of("guerrilla", [("motivation", 3)])
    part = battle.state.commands["platoon"]
    assert part.heard_fire == 0

    def has_heard(state: State) -> bool:
        return has_heard_gunfire(state, squad(state, "one"), "whole")

    now = battle.state.public.player_turn
    heard = apply(battle.state, GunfireHeard(commands=(), teams={"one": ("whole",)}, player_turn=now))
    assert has_heard(heard)
    assert not has_heard(battle.state)

    own = apply(heard, PlayerTurnBegan(turn=2, player_turn=3, side="government", phase="upkeep"))
    assert has_heard(own)
    later = apply(own, PlayerTurnBegan(turn=3, player_turn=5, side="government", phase="upkeep"))
    assert not has_heard(later)


@pytest.mark.rule("fireforce motivation")
@pytest.mark.parametrize(("quality", "counted"), [("trained", -1), ("elite", 0)])
def test_cover_holds_back_all_but_elite(quality: str, counted: int) -> None:
    battle = Battle(veterans(quality=quality), ENEMY, area("scrub", "scrub", 4, 4, 14, 6))
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    assert working(battle).get("in cover", 0) == counted


@pytest.mark.rule("fireforce motivation")
@pytest.mark.parametrize(("flakey", "second", "quality"), [(False, 3, "trained"), (True, 4, "poor")])
def test_cracking_lowers_the_squad_until_it_falters_or_better(flakey: bool, second: int, quality: str) -> None:
    extra = "flakey = true" if flakey else ""
    battle = Battle(veterans(0, "veteran", extra), ENEMY)
    battle.set("one", casualties=5)
    battle.team("one", is_under_fire=True)
    battle.give("red", "Motivate", [("motivation", 1)], squad="one")
    assert rolled(battle) == ("cracking", -1)
    unit_ = battle.squad("one")
    assert tables_of(battle.state).dropped(unit_.quality, unit_.dropped) == quality
    battle.to_turn_of("government", [("motivation", 3)])
    battle.team("one", is_under_fire=True)
    battle.give("red", "Motivate", [("motivation", second)], squad="one")
    assert rolled(battle) == ("faltering", 0)
    assert battle.squad("one").dropped == 0


@pytest.mark.rule("fireforce desperate-gamble")
def test_the_gamble_counts_though_it_is_worse_and_is_had_once() -> None:
    other = unit("two", "platoon", men("q", row(5, 10, 4), rating=0))
    battle = Battle(veterans(1), other, ENEMY)
    battle.set("one", casualties=4)
    battle.give("red", "Motivate", [("motivation", 4)], squad="one")
    assert rolled(battle) == ("fair", 4)
    battle.give("red", "DesperateGamble", [("motivation", 1)], squad="one")
    assert rolled(battle) == ("wavering", 3)
    assert battle.refused("red", "DesperateGamble", squad="one")[0].rule == "fireforce desperate-gamble"
    battle.give("red", "Motivate", [("motivation", 4)], squad="two")
    assert battle.refused("red", "DesperateGamble", squad="two")[0].rule == "fireforce desperate-gamble"


@pytest.mark.rule("fireforce desperate-gamble")
def test_the_second_roll_counts_the_same_fire_as_the_first() -> None:
    battle = Battle(veterans(1), ENEMY)
    battle.team("one", is_under_fire=True)
    battle.give("red", "Motivate", [("motivation", 1)], squad="one")
    assert rolled(battle) == ("fair", 3 + 1 - 1 + 1)
    battle.give("red", "DesperateGamble", [("motivation", 1)], squad="one")
    assert rolled(battle) == ("good", 3 + 1 - 1 + 2 + 1)


@pytest.mark.rule("fireforce motivation-rating")
def test_whose_rating_counts() -> None:
    head = """
[[squad]]
key = "hq"
command = "platoon"
name = "Hq"
at = [20, 20]
men = [
    { key = "lt", weapons = ["m16"], name = "Lt", role = "platoon_commander", rating = -1, at = [20, 20] },
    { key = "sgt", weapons = ["m16"], name = "Sarge", role = "platoon_sergeant", rating = 3, at = [12, 8] },
    { key = "orderly", weapons = ["m16"], at = [20, 21] },
]
"""
    near = unit("one", "platoon", men("r", row(5, 5, 8), rating=1))
    battle = Battle(head, near, ENEMY)  # r8 stands at 12,5: his base is 2.5" from the sergeant's
    battle.give("red", "Motivate", [("motivation", 3)], squad="one")
    assert rolled(battle)[1] == 3 + 1 - 1 + 3 + 3
    alone = Battle(head.replace("[12, 8]", "[12, 9]"), near + "platoon_control = false\n", ENEMY)
    alone.give("red", "Motivate", [("motivation", 3)], squad="one")
    assert rolled(alone)[1] == 3 + 1 + 3  # no commander over it, and the sergeant 3.5" away


@pytest.mark.rule("fireforce motivation-rating", "fireforce organisation")
def test_the_assistant_leads_the_second_team_or_for_a_fallen_leader() -> None:
    who = """[
    { key = "l", weapons = ["m16"], role = "leader", rating = 2, at = [5, 5] },
    { key = "a", weapons = ["m16"], role = "assistant", rating = 1, at = [6, 5] },
    { key = "x", weapons = ["m16"], at = [7, 5] },
    { key = "y", weapons = ["m16"], at = [8, 5] },
]"""
    battle = Battle(unit("one", "platoon", who), ENEMY)
    battle.give("red", "Split", squad="one")
    assert set(battle.squad("one").teams) == {"first", "second"}
    battle.give("red", "Motivate", [("motivation", 1)], squad="one", team="first")
    battle.give("red", "Motivate", [("motivation", 1)], squad="one", team="second")
    teams = battle.squad("one").teams
    assert (teams["first"].score, teams["second"].score) == (3 + 2 + 1, 3 + 1 + 1)
    fallen = Battle(unit("one", "platoon", who), ENEMY)
    fallen.play.correct({"verb": "Kill", "figure": "l"}, "given")
    fallen.give("red", "Motivate", [("motivation", 1)], squad="one")
    assert rolled(fallen)[1] == 3 - 1 + 1 + 1  # a casualty, and the assistant's rating


@pytest.mark.rule("fireforce special-motivation")
def test_who_needs_no_motivation() -> None:
    zombies = unit("one", "platoon", men("r", row(5, 5, 3)), extra="special_motivation = true")
    battle = Battle(zombies, ENEMY)
    assert battle.refused("red", "Motivate", squad="one")[0].rule == "fireforce special-motivation"
    battle.give("red", "Move", figures=["r1", "r2", "r3"], path=[[1100, 500]])
    assert battle.man("r1").at == (1100, 500)
    led = Battle(veterans(1), ENEMY)
    led.give("red", "Move", figures=["r1"], path=[[500, 700]])  # a positive rating goes by itself
    assert led.refused("red", "Move", figures=["r2"], path=[[600, 700]])[0].rule == "fireforce motivation"


@pytest.mark.rule("fireforce motivation", "fireforce turn-sequence")
def test_the_next_squad_ends_the_chance_of_the_one_before() -> None:
    other = unit("two", "platoon", men("q", row(5, 10, 4)))
    battle = Battle(veterans(), other, ENEMY)
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    battle.give("red", "Motivate", [("motivation", 6)], squad="two")
    assert battle.refused("red", "Move", figures=["r1"], path=[[500, 600]])[0].rule == "fireforce motivation"
    battle.give("red", "Move", figures=["q1", "q2", "q3", "q4"], path=[[500, 1200]])


@pytest.mark.rule("fireforce motivation")
def test_who_has_not_been_rolled_for_is_when_the_phase_ends() -> None:
    battle = Battle(veterans(), ENEMY)
    battle.end_phase([("motivation", 5)])
    assert rolled(battle) == ("good", 8)
    assert len(members_of(battle.state, battle.squad("one"))) == 8


@pytest.mark.rule("fireforce motivation")
def test_odds_of_a_roll_are_exact() -> None:
    battle = Battle(veterans(), ENEMY)
    battle.set("one", casualties=2)
    odds = battle.play.odds("red", {"verb": "Motivate", "squad": "one"})
    assert odds.exact
    # 3 - 2 = 1 and the die: 2 and 3 waver, 4 and 5 are fair, 6 and 7 good.
    chances = {fate: str(chance) for fate, chance in odds.fates.items()}
    assert chances == {
        Fate(piece="one", what="wavering"): "1/3",
        Fate(piece="one", what="fair"): "1/3",
        Fate(piece="one", what="good"): "1/3",
    }


@pytest.mark.rule("fireforce motivation", "fireforce visibility")
@pytest.mark.parametrize("hidden", ["", ", hidden"])
@pytest.mark.parametrize(("wall", "counts"), [("20,0 to 22,20", 4), ("20,30 to 22,48", 0)])
def test_hostiles_in_sight_are_asked_of_what_the_command_knows(hidden: str, wall: str, counts: int) -> None:
    """Who lies hidden in a line of sight neither counts, nor is told by the list of modifiers."""
    state = battle(
        f"""
        regular    r*2  trained m16   10,10   squad 1
        guerrilla  g1   trained ak47  40,10   squad 9, on the table
        guerrilla  h1   trained ak47  10,40   squad 8{hidden}, in jungle
        """,
        terrain=f"building {wall}",
        phase="movement",
        active="regular",
    )
    order = Motivate(squad="squad 1")
    truth = motivation_modifiers(state, squad(state, "squad 1"), "whole")
    assert PACKAGE.preview(believed(state, "regular"), seat("regular"), order).modifiers == truth
    sees = hidden == "" and counts == 4
    assert next((each.value for each in truth if "no hostiles" in each.reason), 0) == (0 if sees else counts)


@pytest.mark.rule("fireforce motivation", "fireforce organisation")
def test_what_was_rolled_stays_with_the_men_however_teams_regroup() -> None:
    """Joined and split anew, whatever the order of it: nobody has another result than the one rolled for him."""
    pieces = """
    regular    r*3  trained m16   20,20   squad 1, team first, casualties 4
    regular    s*3  trained m16   20,23.5 squad 1, team second
    guerrilla  g1   trained ak47  40,20   squad 9
    """
    for team, mine in (("first", "r"), ("second", "s")):
        table = Table(battle(pieces, phase="movement", active="regular"))
        table.order("regular", "Motivate", "motivation 1", squad="squad 1", team=team)
        table.order("regular", "Join", squad="squad 1")
        table.order("regular", "Split", squad="squad 1", second=("r1", "s1"))
        table.order("regular", "Join", squad="squad 1", team="second", into="first")
        unit = squad(table.state, "squad 1")
        results = {man: unit.teams["whole"].roll_of(man).result for man in unit.members}
        assert results == {man: "faltering" if man.startswith(mine) else "" for man in unit.members}
        assert has_to_roll(table.state, unit, "whole")
