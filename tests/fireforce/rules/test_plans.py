"""Plans of hidden forces: legs, contact, signals, fire, dummies, questions, concealed routes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from fireforce.package import PACKAGE
from fireforce.rules.hidden.plans import propose_route
from fireforce.rules.movement.legs import advanced, stage_of
from fireforce.state.battle import (
    Card,
    Leg,
    Plan,
)
from fireforce.state.finding import (
    plan_of,
)
from fireforce.state.setting import ground_of
from fireforce.table.region import visible_stretches
from fireforce.testing.parts import of
from tests.fireforce.rules.small_battles import Battle, area, men, row, unit

FAR = unit("one", "platoon", men("r", [(2, 2)]))


def plan(force: str, **fields: Any) -> str:
    lines = "\n".join(f"{key} = {value}" for key, value in fields.items())
    return f'[[plan]]\nforce = "{force}"\n{lines}\n'


def guerrillas(*at: tuple[float, float], extra: str = "", rating: int = 0) -> str:
    return unit("foe", "cell", men("f", at, rating=rating, weapon="ak47"), extra=extra)


def carry(battle: Battle, dice: Iterable[tuple[str, int]] = (), force: str = "foe") -> None:
    battle.throw(dice)
    assert force in PACKAGE.due(battle.state)
    battle.play.carry(force)
    while PACKAGE.due(battle.state) == ("cell",):  # moved by plans alone, it ends the phase
        battle.play.carry("cell")
    assert battle.fault == ""
    assert battle.script.dice == []
    assert list(PACKAGE.problems(battle.state)) == []


def their_turn(battle: Battle) -> Battle:
    battle.throw([("motivation", 6)])
    assert battle.play.order("red", {"verb": "EndPhase"}) == []
    while battle.state.public.active == "government":
        assert battle.play.order("red", {"verb": "EndPhase"}) == []
    assert battle.fault == ""
    return battle


def followed(battle: Battle, force: str = "foe") -> Plan:
    found = plan_of(battle.state, force)
    assert found is not None
    return found


@pytest.mark.rule("fireforce umpire", "fireforce motivation")
def test_a_squad_rolls_in_secret_and_walks_its_legs_turn_by_turn() -> None:
    legs = '[{ path = [[30, 34], [40, 34]] }, { halt = 2 }, { path = [[40, 30]], pace = "running" }]'
    scrub = area("scrub", "scrub", 24, 28, 44, 36)
    battle = Battle(FAR, guerrillas(*row(26, 34, 3)), scrub, plan("foe", legs=legs), plans_only=True, turns=9)
    their_turn(battle)
    before = len(battle.play.news["red"])
    carry(battle, [("motivation", 1)])  # 3 - 1 in cover + 1: wavering, but they go away from the enemy
    assert battle.man("f1").at == (3200, 3400)
    assert (battle.man("f3").at, followed(battle).leg, followed(battle).along) == ((3400, 3400), 0, 200)
    assert battle.squad("foe").teams["whole"].has_moved
    told = [line.text for news in battle.play.news["red"][before:] for line in news.lines]
    assert not any("Foe" in text or "1d6" in text for text in told)
    their_turn(battle)
    carry(battle, [("motivation", 1)])
    assert (battle.man("f1").at, followed(battle).along) == ((3800, 3400), 800)
    their_turn(battle)
    carry(battle, [("motivation", 1)])
    assert (battle.man("f1").at, followed(battle).leg) == ((4000, 3400), 1)
    for turns in (1, 2):
        their_turn(battle)
        carry(battle, [("motivation", 1)])
        assert (followed(battle).leg, followed(battle).along) == ((1, 1) if turns == 1 else (2, 0))
    their_turn(battle)
    carry(battle, [("motivation", 6)])
    assert (battle.man("f1").at, battle.man("f1").moved) == ((4000, 3000), "running")
    assert followed(battle).status == "done"
    assert "foe" not in PACKAGE.due(battle.state)


@pytest.mark.rule("fireforce umpire", "fireforce motivation")
def test_motivation_limits_what_a_plan_makes_of_a_turn() -> None:
    seen = unit("one", "platoon", men("r", [(26, 10)]))
    battle = Battle(seen, guerrillas((26, 34)), plan("foe", legs="[{ path = [[26, 24]] }]", on_contact='"go_on"'))
    their_turn(battle)
    carry(battle, [("motivation", 1)])  # an open enemy is in sight: 3 + 1, fair
    assert battle.man("f1").at == (2600, 3100)


@pytest.mark.rule("fireforce umpire", "fireforce cards")
def test_a_dummy_goes_as_far_as_trained_troops_whom_nothing_holds_back() -> None:
    cards = (
        '[[card]]\nkey = "real"\ncommand = "cell"\nkind = "troops"\nsquad = "foe"\nat = [26, 34]\n'
        '[[card]]\nkey = "false"\ncommand = "cell"\nkind = "dummy"\nat = [30, 34]\n'
    )
    wood = area("wood", "scrub", 20, 30, 48, 36)
    both = plan("false", legs="[{ path = [[40, 34]] }]") + plan("foe", legs="[{ path = [[36, 34]] }]")
    battle = Battle(FAR, guerrillas((26, 34), (26, 35)), cards, wood, both, hidden="cards", plans_only=True)
    their_turn(battle)
    assert PACKAGE.due(battle.state) == ("false", "foe", "cell")
    carry(battle, force="false")
    carry(battle, [("motivation", 2)])
    placed = of(battle.state.commands["cell"], Card)
    assert (placed["false"].at, placed["real"].at) == ((3600, 3400), (3200, 3400))


@pytest.mark.rule("fireforce umpire")
@pytest.mark.parametrize(
    ("contact", "at", "status"),
    [("hold", (2600, 2400), "in_contact"), ("go_on", (3200, 2400), "running"), ("withdraw", (2600, 3200), "done")],
)
def test_contact_on_the_way(contact: str, at: tuple[int, int], status: str) -> None:
    near = unit("one", "platoon", men("r", [(26, 12)]))
    given = plan(
        "foe",
        legs="[{ path = [[40, 24]] }]",
        on_contact=f'"{contact}"',
        range=14,
        withdraw_to="[26, 32]",
    )
    battle = Battle(near, guerrillas((26, 24)), given)
    battle.set("foe", has_special_motivation=True)
    their_turn(battle)
    carry(battle)
    assert battle.man("f1").at == at
    assert followed(battle).status == status


@pytest.mark.rule("fireforce umpire", "fireforce firing")
def test_an_ambush_waits_for_enemies_within_its_range_and_fires_together() -> None:
    hidden = guerrillas((26, 24), (27, 24), extra="prepared = true")
    given = plan("foe", on_contact='"ambush"', fire='"within_range"', range=10, targets='"leaders"')
    squad = unit("one", "platoon", men("r", [(26, 10), (28, 10)], rating=1))
    battle = Battle(squad, hidden, given, area("wood", "jungle", 24, 23, 30, 30), plans_only=True)
    battle.throw([("motivation", 6)])
    their_turn(battle)
    assert PACKAGE.due(battle.state) == ("foe", "cell")
    carry(battle, [("motivation", 4)])
    assert battle.state.public.phase == "firing"
    assert PACKAGE.due(battle.state) == ("foe", "cell")
    carry(battle)  # 13.5 inches: not yet
    assert not battle.man("f1").fired
    battle.play.correct({"verb": "MoveTo", "piece": "r1", "at": [2600, 1400]}, "given")
    battle.play.correct({"verb": "MoveTo", "piece": "r2", "at": [2700, 1450]}, "given")
    their_turn(battle)
    carry(battle, [("motivation", 4)])
    carry(battle, [("hits", 1)])
    assert (battle.man("f1").fired, battle.man("f2").has_fired_from_ambush) == ("aimed", True)
    assert battle.man("f1").is_placed
    assert battle.squad("one").teams["whole"].is_under_fire


@pytest.mark.rule("fireforce umpire")
def test_an_ambush_that_is_found_is_a_question() -> None:
    hidden = guerrillas((26, 24), extra="prepared = true")
    given = plan("foe", on_contact='"ambush"', fire='"within_range"', range=10, withdraw_to="[40, 34]")
    battle = Battle(unit("one", "platoon", men("r", [(26, 2)])), hidden, given)
    battle.set("foe", has_special_motivation=True)
    their_turn(battle)
    battle.play.correct({"verb": "Reveal", "piece": "f1"}, "given")
    battle.script.otherwise = lambda command, question, state: None
    battle.play.carry("foe")
    waiting = battle.play.waiting
    assert waiting is not None
    assert waiting.questions["cell"].kind == "plan_ambush_found"
    assert battle.play.answer("cell", ["withdraw"]) == []
    assert battle.man("f1").moved == "running"
    assert followed(battle).legs == (Leg(path=((4000, 3400),), pace="running"),)


@pytest.mark.rule("fireforce communications")
def test_a_signal_sets_plans_going_that_wait_for_it() -> None:
    given = plan("foe", legs="[{ path = [[40, 34]] }]", held="true", on_signal='{ whistle = "go" }')
    battle = Battle(FAR, guerrillas((26, 34)), given)
    their_turn(battle)
    assert PACKAGE.due(battle.state) == ()
    assert battle.refused("red", "Signal", command="platoon", signal="whistle")[0].rule == "fireforce communications"
    battle.give("green", "Signal", command="cell", signal="whistle")
    assert PACKAGE.due(battle.state) == ("foe",)
    assert not any("whistle" in line for line in battle.lines("red"))


@pytest.mark.rule("fireforce umpire")
def test_a_way_that_cannot_be_walked_is_a_question() -> None:
    lake = area("lake", "water", 27, 30, 30, 36)
    given = plan("foe", legs="[{ path = [[34, 34]] }, { path = [[26, 30]] }]")
    battle = Battle(FAR, guerrillas((27, 34)), given, lake)
    battle.set("foe", has_special_motivation=True)
    their_turn(battle)
    battle.script.answers = [("cell", ("skip",))]
    carry(battle)
    assert (followed(battle).leg, battle.man("f1").at) == (1, (2700, 3400))


@pytest.mark.rule("fireforce umpire")
def test_a_player_gives_his_own_hidden_forces_plans() -> None:
    battle = Battle(FAR, guerrillas((26, 34), (26, 33)))
    legs = [{"path": [[3000, 3400]]}]
    assert battle.refused("red", "GivePlan", force="foe", legs=legs)
    assert battle.refused("red", "GivePlan", force="one", legs=legs)[0].rule == "fireforce umpire"
    assert battle.refused("green", "GivePlan", force="foe", legs=[{"path": [[9999, 0]]}])[0].field == "legs"
    battle.give("green", "GivePlan", force="foe", legs=legs)
    their_turn(battle)
    carry(battle, [("motivation", 6)])
    assert battle.man("f1").at == (3000, 3400)
    battle.give("green", "CancelPlan", force="foe")
    assert plan_of(battle.state, "foe") is None


@pytest.mark.rule("fireforce umpire")
def test_a_concealed_route_keeps_out_of_sight_of_known_enemies() -> None:
    watcher = unit("one", "platoon", men("r", [(24, 4)]))
    wood = area("wood", "forest", 10, 22, 38, 30)
    battle = Battle(watcher, guerrillas((6, 20)), wood)
    ground = ground_of(battle.state)
    bold = propose_route(battle.state, "foe", (4200, 2000), weight=0)
    shy = propose_route(battle.state, "foe", (4200, 2000), weight=8)
    assert bold is not None
    assert shy is not None

    def seen(path: tuple[tuple[int, int], ...]) -> int:
        return sum(end - begin for begin, end in visible_stretches(ground, path, [(2400, 400)])[0])

    assert seen(shy.path) < seen(bold.path) / 2


def test_a_leg_is_left_where_it_was() -> None:
    given = Plan(force="x", command="c", legs=(Leg(path=((0, 0), (1000, 0))), Leg(path=((1000, 500),))))
    stage = stage_of(given, (0, 0))
    assert stage is not None
    assert stage.path == ((1000, 0), (1000, 500))
    once = advanced(given, stage, (0, 0), 600)
    assert (once.leg, once.along) == (0, 600)
    again = stage_of(once, (600, 0))
    assert again is not None
    assert again.path == ((1000, 0), (1000, 500))
    twice = advanced(once, again, (600, 0), 600)
    assert (twice.leg, twice.along) == (1, 0)
    last = stage_of(twice, (1000, 200))
    assert last is not None
    assert advanced(twice, last, (1000, 200), 300).status == "done"


@pytest.mark.rule("fireforce turn-sequence", "fireforce firing")
@pytest.mark.parametrize("is_on", [True, False])
def test_an_ambush_interrupts_a_move_only_where_the_scenario_says_so(is_on: bool) -> None:
    hidden = guerrillas((26, 24), (27, 24), extra="prepared = true")
    given = plan("foe", on_contact='"ambush"', fire='"within_range"', range=10)
    squad = unit("one", "platoon", men("r", [(26, 10), (27, 10)], rating=1))
    wood = area("wood", "jungle", 24, 23, 30, 30)
    battle = Battle(squad, hidden, given, wood, plans_only=True, ambush_interrupt=is_on)
    battle.give("red", "Motivate", [("motivation", 6)], squad="one")
    shot = [("hits", 1)] if is_on else []
    battle.give("red", "Move", shot, figures=["r1", "r2"], path=[[2600, 1400]])
    assert bool(battle.man("f1").fired) == is_on
    assert battle.man("f1").is_placed == is_on
    assert battle.squad("one").teams["whole"].is_under_fire == is_on
