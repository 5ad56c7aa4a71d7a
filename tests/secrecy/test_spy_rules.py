"""What a spy at a player's tablet might read out of FireForce's rules: aliases, orders of things, points, dummies."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from typing import Any

import pytest

from fireforce.package import PACKAGE
from fireforce.scenarios.parsing import load
from fireforce.state.battle import Card
from fireforce.state.finding import (
    plan_of,
)
from fireforce.testing.parts import of
from tests.fireforce.rules.small_battles import SEATS, Battle, area, men, row, unit
from umpire.kernel.codec import encode
from umpire.kernel.settings import remember
from umpire.testing.play.battle import Play

FORD = "patrol-to-the-ford"
PLATOON = unit("one", "platoon", men("r", [(20, 10), (21, 10), (22, 10)]))


def lie(secret: bytes) -> str:
    """The alias of a contact that the umpire has made up."""
    setting = load(PACKAGE.scenarios()[FORD], file=FORD, options={})
    play: Play[Any] = Play(PACKAGE, PACKAGE.begin(setting, lambda key: f"p-{key}"), SEATS, secret=secret)
    play.correct({"verb": "ShowContact", "command": "platoon", "at": [1000, 1000], "kind": "figure", "looks": {}}, "x")
    [alias] = play.state.commands["platoon"].contacts
    return alias


def test_who_has_the_scenario_file_cannot_tell_the_umpires_lies() -> None:
    """A player may have the file and all of this program: only the battle's secret is not his."""
    digest = remember(load(PACKAGE.scenarios()[FORD], file=FORD, options={}))[1]
    guessed = {
        "c" + b32encode(hashlib.sha256(f"{digest} platoon {n}".encode()).digest())[:7].decode().lower()
        for n in range(9)
    }
    one, other = lie(b"one secret"), lie(b"another")
    assert one != other
    assert not {one, other} & guessed
    assert len(one) == 8


def shown(places: dict[str, tuple[float, float]]) -> bytes:
    """What the platoon gets when two riflemen come to light, who are at these places."""
    foes = unit("foe", "cell", men("f", [places["f1"], places["f2"]], weapon="ak47"))
    battle = Battle(PLATOON, foes)
    for piece in ("f1", "f2"):
        battle.play.correct({"verb": "Conceal", "piece": piece}, "x")
    battle.play.correct({"verb": "Reveal", "piece": "foe"}, "x")
    return encode([battle.play.news["red"], battle.play.view("red"), battle.play.options("red", "one")])


def test_who_is_who_of_those_that_look_alike_is_not_told_by_an_order() -> None:
    west, east = (20.0, 20.0), (23.0, 20.0)
    assert shown({"f1": west, "f2": east}) == shown({"f1": east, "f2": west})


def test_the_choices_of_a_critical_hit_are_of_those_in_sight_by_alias() -> None:
    foes = unit("foe", "cell", men("f", [(21, 14), (20, 14), (22, 14)], weapon="ak47"))
    battle = Battle(PLATOON, foes)
    for squad in ("one", "foe"):
        battle.set(squad, has_special_motivation=True, quality="elite")
    for man in ("r1", "r2", "r3"):
        battle.set(man, quality="elite", weapons=["gpmg"])
    battle.play.correct({"verb": "Reveal", "piece": "foe"}, "x")
    while battle.state.public.phase != "firing":
        battle.end_phase()
    battle.script.otherwise = lambda command, question, state: question.default if command == "cell" else None
    aliases = battle.state.umpire.aliases["platoon"]
    battle.throw([("hits", 20)] * 4)
    order = {"verb": "Fire", "figures": ["r1", "r2", "r3"], "target": aliases["f2"], "aimed": True}
    assert battle.play.order("red", order) == []
    question = battle.play.asked("red")["platoon"]
    assert question.kind == "critical"
    names = [choice.id for choice in question.choices[:-1]]
    assert names == sorted(aliases.values())

    battle.play.correct({"verb": "Conceal", "piece": "f2"}, "x")
    battle.script.otherwise = lambda command, question, state: question.default if command == "cell" else None
    assert battle.play.answer("platoon", ["forgo"]) == []
    again = battle.play.asked("red").get("platoon")
    assert again is not None
    assert "f2" not in encode(again).decode()
    assert len(again.choices) == len(question.choices) - 1


def test_what_only_the_umpire_knows_is_one_nameless_line_at_the_end() -> None:
    zone = '[[zone]]\nkey = "well"\nname = "the well"\npolygon = [[30, 20], [40, 20], [40, 30], [30, 30]]\n'
    objective = (
        '[[objective]]\nkey = "canary-aim"\nside = "guerrilla"\ndeed = "figures_in_zone"\npoints = 7\n'
        'name = "canary men at the well"\nzone = "well"\nsecret = true\n'
    )
    foes = unit("foe", "cell", men("f", row(32, 24, 3), weapon="ak47"))
    battle = Battle(PLATOON, foes, zone, objective, turns=1, plans_only=True)
    for squad in ("one", "foe"):
        battle.set(squad, has_special_motivation=True)
    while battle.state.public.active == "government":
        battle.end_phase()
    while due := PACKAGE.due(battle.state):
        battle.play.carry(due[0])
    assert battle.state.public.result is not None
    seen = encode([battle.play.view("red"), battle.play.news["red"]]).decode()
    assert "canary" not in seen
    points = battle.play.view("red")["points"]["guerrilla"]
    assert points["total"] == 21
    assert [line["reason"] for line in points["lines"]] == ["what only the umpire knows"]


@pytest.mark.rule("fireforce cards", "fireforce umpire")
@pytest.mark.parametrize(
    ("contact", "moves"), [("hold", False), ("ambush", False), ("go_on", True), ("withdraw", True)]
)
def test_a_dummy_does_at_contact_what_troops_do(contact: str, moves: bool) -> None:
    """Side by side before the eyes of a platoon in range: both cards stop, or both go the same way."""
    cards = (
        '[[card]]\nkey = "real"\ncommand = "cell"\nkind = "troops"\nsquad = "foe"\nat = [21, 20]\n'
        '[[card]]\nkey = "false"\ncommand = "cell"\nkind = "dummy"\nat = [24, 20]\n'
    )
    plans = "".join(
        f'[[plan]]\nforce = "{force}"\non_contact = "{contact}"\nwithdraw_to = [{x}, 26]\n'
        f"legs = [{{ path = [[{x}, 26]] }}]\n"
        for force, x in (("foe", 21), ("false", 24))
    )
    scrub = area("scrub", "scrub", 16, 19, 30, 30)
    foes = unit("foe", "cell", men("f", [(21, 20), (21.2, 20)], weapon="ak47"), extra="special_motivation = true")
    battle = Battle(PLATOON, foes, cards, scrub, plans, hidden="cards", plans_only=True)
    battle.set("one", has_special_motivation=True)
    while battle.state.public.active == "government":
        battle.end_phase()
    for force in ("false", "foe"):
        battle.play.carry(force)
    placed = of(battle.state.commands["cell"], Card)
    gone = {key: (placed[key].at[0] - x, placed[key].at[1] - 2000) for key, x in (("real", 2100), ("false", 2400))}
    assert gone["real"] == gone["false"]
    assert (gone["real"] != (0, 0)) is moves
    statuses = {plan.status for force in ("foe", "false") if (plan := plan_of(battle.state, force)) is not None}
    assert len(statuses) == 1
