"""Scenario files: how squads are named, and what is said of a file that is wrong. `core 1.11`"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from lnl import maps
from lnl.book.designations import Designation, designated, designation
from lnl.book.rows import CounterRow
from lnl.book.tables import core_book
from lnl.package import PACKAGE
from lnl.scenarios.parsing import load, read
from lnl.state.finding import units_of, weapon
from umpire.kernel.settings import BadInput

TEACHING = "crossroads-at-saint-aubin"


@pytest.mark.rule("core 1.11")
@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("2-4-4-5", Designation(firepower=2, range=4, movement=4, morale=5, shaken_morale=5)),
        ("3-6-4-6", Designation(firepower=3, range=6, movement=4, morale=6, shaken_morale=6)),
        ("1-4-4-5/4", Designation(firepower=1, range=4, movement=4, morale=5, shaken_morale=4)),
        ("1-4-4-5/5", Designation(firepower=1, range=4, movement=4, morale=5, shaken_morale=5)),
        (
            "1-5-4-*5",
            Designation(firepower=1, range=5, movement=4, morale=5, shaken_morale=5, traits=("unpredictable",)),
        ),
        (
            "A1-6-4-6",
            Designation(firepower=1, range=6, movement=4, morale=6, shaken_morale=6, traits=("superscript_a",)),
        ),
        ("1E-6-4", Designation(firepower=1, range=6, movement=4, traits=("even_bonus",))),
        ("1M-5-4", Designation(firepower=1, range=5, movement=4, melee_bonus=1)),
    ],
)
def test_LNL_001_dash_strings(text: str, means: Designation) -> None:
    assert designation(text) == means


@pytest.mark.parametrize("text", ["", "2-5", "2-5-4-", "x-5-4-6", "2-5-4-6-7", "us_airborne"])
def test_what_is_no_dash_string(text: str) -> None:
    assert designation(text) is None


@pytest.mark.rule("core 1.11")
def test_every_counter_of_the_book_fits_its_own_designation() -> None:
    for row in core_book().table("counters", CounterRow).values():
        found = designation(designated(row))
        assert found is not None
        assert found.fits(row) or row.traits


@pytest.mark.parametrize("key", sorted(PACKAGE.scenarios()))
@pytest.mark.parametrize("options", [{}, {"play": "blind"}, {"set_up": "players"}, {"hour": "night"}])
def test_the_shipped_scenarios_can_be_played(key: str, options: dict[str, Any]) -> None:
    state = PACKAGE.begin(load(PACKAGE.scenarios()[key], file=key, options=options), lambda name: name)
    assert list(PACKAGE.problems(state)) == []


def test_the_teaching_scenario_is_what_it_says() -> None:
    setting = load(PACKAGE.scenarios()[TEACHING], file=TEACHING)
    state = PACKAGE.begin(setting, lambda name: name)
    assert dict(PACKAGE.outcome(state).points) == {"ge": 3, "us": 0}
    assert state.public.pieces["first"].counter == "us_airborne"
    assert not state.public.pieces["relief"].is_placed
    assert not weapon(state, "gunners.1").is_set_up
    assert setting.umpire.happenings.keys() == {"relief-comes", "telephone"}
    assert "Engines" not in str(setting.public)


def test_in_a_blind_battle_everybody_stands_in_his_own_half() -> None:
    setting = load(PACKAGE.scenarios()[TEACHING], file=TEACHING, options={"play": "blind"})
    assert setting.public.forces == {}
    state = PACKAGE.begin(setting, lambda name: name)
    assert state.public.pieces == {}
    assert {each.id for each in units_of(state.commands["platoon"])} == {
        *("hale", "first", "second", "medic", "medrow", "third", "gunners", "hird")
    }


# What is wrong

Change = Callable[[dict[str, Any]], None]


def force(data: dict[str, Any], key: str) -> dict[str, Any]:
    return next(each for each in data["force"] if each["key"] == key)


def _set(key: str, /, **fields: Any) -> Change:
    return lambda data: force(data, key).update(fields)


def _add(table: str, /, **fields: Any) -> Change:
    return lambda data: data.setdefault(table, []).append(fields)


def _head(**fields: Any) -> Change:
    return lambda data: data["scenario"].update(fields)


WRONG: list[tuple[Change, str, str]] = [
    (_head(turns=0), "scenario.turns", "1 turn or more"),
    (_head(map="saint-aubain"), "scenario.map", "'saint-aubin'"),
    (_head(initiative="uss"), "scenario.initiative", "'us'"),
    (_head(tun=3), "scenario.tun", "'turns'"),
    (_head(deck=["luck"]), "scenario.deck", "'lucky'"),
    (_set("first", command="platon"), "force 'first'.command", "'platoon'"),
    (_set("first", counter="2-5-4-5"), "force 'first'.counter", "'2-5-4-6'"),
    (_set("first", counter="us_airborn"), "force 'first'.counter", "'us_airborne'"),
    (_set("gunners", counter="1-4-4"), "force 'gunners'.counter", "us_airborne_half, us_second_line"),
    (_set("koch", counter="leader"), "force 'koch'.counter", "ge_koch"),
    (_set("first", at="B99"), "force 'first'.at", "Did you mean"),
    (_set("first", at="B10 upstairs"), "force 'first'.at", "'B10'"),
    (_set("first", at="B10 in the bunker"), "force 'first'.at", "bunker"),
    (_set("first", at="", zone=""), "force 'first'", "at = 'E5'"),
    (_set("first", zone="wst"), "force 'first'.zone", "'west'"),
    (_set("first", facing=2), "force 'first'.facing", "leave it out"),
    (_set("first", arrives=-1), "force 'first'.arrives", "'never'"),
    (_set("first", arrives="soon"), "force 'first'.arrives", "never"),
    (_set("first", weapons=["bar", "bar", "bar"]), "force 'first'.weapons", "2 at most"),
    (_set("medic", weapons=["bar"]), "force 'medic'.weapons", "0 at most"),
    (_set("first", weapons=["barr"]), "force 'first'.weapons", "'bar'"),
    (_set("first", weapons=["bar ready"]), "force 'first'.weapons", "'packed'"),
    (_set("first", skills=["assaulter"]), "force 'first'.skills", "leader"),
    (_set("third", at="B10", count=2), "force", "squads"),
    (_set("third", count=0), "force 'third'.count", "1 or more"),
    (_set("third", key="first"), "force, weapon and work", "each its own"),
    (_add("command", key="x", side="uk", name="X"), "command 'x'.side", "There are ge, us"),
    (_add("side", key="uk", name="British", nation="uk"), "side 'uk'", "[[command]]"),
    (_add("zone", key="z", name="z", hexes="A1-ZZ9"), "zone 'z'.hexes", "such as 'E5'"),
    (_add("zone", key="z", name="z", hexes=""), "zone 'z'.hexes", "'A1-C4'"),
    (_add("objective", key="o", side="us", deed="control", points=1, name="o"), "objective 'o'.zone", "There are"),
    (_add("objective", key="o", side="us", deed="controls", points=1, name="o"), "objective 'o'.deed", "'control'"),
    (_add("work", key="w", command="garrison", kind="bunker", at="E7"), "work 'w'.facing", "1 (north) to 6"),
    (_add("work", key="w", command="garrison", kind="mines", at="H6"), "work 'w'.at", "outside"),
    (_add("marker", key="m", kind="seen", at="Z1"), "marker 'm'.at", "such as 'E5'"),
    (_add("happening", key="h", actions=[]), "happening 'h'", "one of marker, turn and lost"),
    (_add("happening", key="h", marker="crosroads", actions=[]), "happening 'h'.marker", "'crossroads'"),
    (_add("happening", key="h", turn=2, actions=[{"kind": "text"}]), "happening 'h'.actions[0]", "Write it"),
    (_add("happening", key="h", turn=2, actions=[{"kind": "reinforce"}]), "happening 'h'.actions[0]", "Name"),
    (
        _add("happening", key="h", turn=2, actions=[{"kind": "reveal", "forces": ["kock"]}]),
        "happening 'h'.actions[0].forces",
        "'koch'",
    ),
    (_add("plan", force="first", legs=[]), "plan 'first'.force", "There are none"),
    (_add("weapon", key="gun", command="platoon", counter="mg43", at="B2"), "weapon 'gun'.counter", "mg"),
    (lambda data: data.update(control={"us": "A99"}), "control.us", "Did you mean"),
    (lambda data: data.update(terrain={"A1": "rubbel"}), "terrain.'A1'", "There are"),
    (lambda data: data.update(options={"play": "blindly"}), "options.play", "'blind'"),
    (lambda data: data["side"].pop(), "side", "[[side]]"),
    (lambda data: data.pop("force"), "the file", "needed"),
]


@pytest.mark.parametrize(("change", "where", "right"), WRONG)
def test_what_is_wrong_is_said_with_its_place_and_what_would_be_right(change: Change, where: str, right: str) -> None:
    data = deepcopy(tomllib.loads(PACKAGE.scenarios()[TEACHING]))
    change(data)
    with pytest.raises(BadInput) as raised:
        read(data, file="mine.toml")
    assert raised.value.file == "mine.toml"
    assert raised.value.where.startswith(where)
    assert right in raised.value.right


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(BadInput, match="TOML"):
        load("[scenario\n", file="mine.toml")


def test_a_map_of_ones_own_stands_in_the_file() -> None:
    data = tomllib.loads(PACKAGE.scenarios()[TEACHING])
    data["scenario"]["map"] = maps.bundled()["saint-aubin"].replace("Town hall", "Mairie")
    assert "Mairie" in str(read(data, file="mine.toml").public.ground.buildings)


def test_plans_lead_from_place_to_place() -> None:
    data = tomllib.loads(PACKAGE.scenarios()[TEACHING])
    force(data, "inn").update(hidden=True)
    data["plan"] = [
        {"force": "inn", "legs": [{"path": "K8"}, {"halt": 2}, {"path": "K6, L6"}], "on_signal": {"x": "go"}}
    ]
    (plan,) = read(data, file="mine.toml").umpire.plans.values()
    assert [leg.path for leg in plan.legs] == [((11, 7, 0), (11, 8, 0)), (), ((11, 7, 0), (11, 6, 0), (12, 6, 0))]
    assert [leg.turns for leg in plan.legs] == [0, 2, 0]
