"""Rules of each kind from the module books, changed at the points of the chapters, where module and trait are in the
book and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.board.hexes import Place
from lnl.rules.fire.target_modifiers import target_modifiers
from lnl.rules.men.heroes import is_possible
from lnl.rules.movement.going import going
from lnl.rules.movement.movement import made
from lnl.rules.movement.reach import reachable
from lnl.state.finding import unit
from tests.lnl.building import CLEAR, Battle, battle
from tests.lnl.fire.firing import firepower
from tests.lnl.modules.proving import FANATICS_FILE, PARTISANS_FILE, PLAIN, RIFLES, WOODS
from umpire.kernel.settings import BadInput
from umpire.kernel.values.modifiers import total

PARTISANS = "su p1 su_partisans B2\nsu p2 su_partisans B2"
FOE = "\nge g squad 1-6-4-5 E3"
WOODED = """
F . . .
F . . .
w . . .
. . . .
. . . .
. . . .
"""


def fought(pieces: str, board: str = CLEAR, *modules: str, **more: Any) -> Battle:
    """A battle with the group's own file, in which the Soviets (or whom `active` names) have the first impulse."""
    return battle(
        board,
        pieces,
        **{"active": "su", "layers": [("partisans.toml", PARTISANS_FILE)], "head": {"modules": list(modules)}, **more},
    )


# One: the rule in the place of the printed one


@pytest.mark.rule("hotm 13.1.1", "core 5.2")
@pytest.mark.parametrize(("more", "leader", "expected"), [("", "none", 1), ("\nsu p3 su_partisans B2", "lt", 3)])
def test_HOM_01_each_further_partisan_squad_adds_one(more: str, leader: str, expected: int) -> None:
    pieces = f"{PARTISANS}{more}\nsu lt su_partisan_leader B2{FOE}"
    fight = fought(pieces, CLEAR, WOODS.name)
    firers = "p1 p2 p3" if more else "p1 p2"
    assert firepower(fight, "su", firers, "E3", leader=leader) == expected


@pytest.mark.rule("hotm 13.1.1", "core 5.2")
@pytest.mark.parametrize(("modules", "own"), [((), PLAIN), ((WOODS.name,), PLAIN)])
def test_without_module_or_trait_the_printed_rule_holds(modules: tuple[str, ...], own: str) -> None:
    fight = fought(PARTISANS + FOE, CLEAR, *modules, layers=[("partisans.toml", own)])
    assert firepower(fight, "su", "p1 p2", "E3") == 0


def path(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


@pytest.mark.rule("hotm 13.1.1", "core 6.0")
def test_HOM_03_the_first_forest_of_a_move_costs_partisans_one() -> None:
    pieces = "su p1 su_partisans A6\nsu p2 su_partisans B6\nge g squad 1-6-4-5 D1"
    fight = fought(pieces, WOODED, WOODS.name)
    ways = fight.play.options("su", "p1")
    (way,) = (slot for form in ways if form.verb == "Move" for slot in form.slots if slot.name == "path")
    region = {point[:3]: point[3] for (point,) in way.region}  # type: ignore[union-attr]
    assert region[fight.at("A2")] == 4
    assert fight.at("A1") not in region
    five = ("A5", "A4", "A3", "A2", "A1")
    assert fight.refused("su", "Move", units=["p1"], path=path(fight, *five))[0].rule == "core 6.0"
    fight.give("su", "Move", units=["p1"], path=path(fight, *five[:4]))
    assert (fight.unit("p1").at, fight.unit("p1").spent) == (fight.at("A2"), 4)


@pytest.mark.rule("hotm 13.1.1", "core 6.2")
def test_HOM_03_at_double_time_they_enter_a_second_forest_for_two() -> None:
    pieces = "su p1 su_partisans A6\nsu lt su_partisan_leader A6\nge g squad 1-6-4-5 D1"
    fight = fought(pieces, WOODED, WOODS.name)
    five = path(fight, "A5", "A4", "A3", "A2", "A1")
    fight.give("su", "Move", units=["p1", "lt"], path=five, double_time=True)
    assert (fight.unit("p1").at, fight.unit("p1").spent) == (fight.at("A1"), 6)


@pytest.mark.rule("hid 13.3.2", "core 6.0")
@pytest.mark.parametrize(("trait", "spent"), [("trait chasseur", 3), ("", 4)])
def test_belgians_enter_light_woods_for_one(trait: str, spent: int) -> None:
    fight = fought(f"su b squad 1-5-4-5 A6 {trait}\nge g squad 1-6-4-5 D1", WOODED, WOODS.name)
    fight.give("su", "Move", units=["b"], path=path(fight, "A5", "A4", "A3"))
    assert fight.unit("b").spent == spent


@pytest.mark.rule("hid 13.1.2", "core 11.2")
def test_some_bring_no_heroes_forth() -> None:
    hero = "su ivan hero 1-4-5-6 J8\n"
    pieces = f"{hero}su a squad 1-4-4-5 A6\nsu b squad 1-4-4-5 B6 trait no_heroes{FOE}"
    fight = fought(pieces, CLEAR, WOODS.name)
    assert is_possible(fight.state, fight.unit("a"))
    assert not is_possible(fight.state, fight.unit("b"))


# Sum: what is added, and what is refused


@pytest.mark.rule("hotm 13.1.1", "core 5.0")
@pytest.mark.parametrize(("at", "partisans", "others"), [("A1", 3, 2), ("A3", 2, 1), ("A5", 0, 0)])
def test_partisans_have_more_cover_in_the_woods(at: str, partisans: int, others: int) -> None:
    fight = fought(f"su p1 su_partisans {at}\nsu a squad 1-4-4-5 {at}\nge g squad 1-6-4-5 D6", WOODED, WOODS.name)
    found = [total(target_modifiers(fight.state, unit(fight.state, each))) for each in ("p1", "a")]
    assert found == [partisans, others]
    cited = [each.rule for each in target_modifiers(fight.state, fight.unit("p1"))]
    assert ("hotm 13.1.1" in cited) == (partisans > others)


@pytest.mark.rule("hotm 13.1.1", "core 1.3")
def test_HOM_01_three_squads_of_partisans_need_a_leader() -> None:
    three = f"{PARTISANS}\nsu p3 su_partisans B2{FOE}"
    with pytest.raises(BadInput, match="Without a leader no more than two squads of partisans"):
        fought(three, CLEAR, WOODS.name)
    assert fought(f"{three}\nsu lt su_partisan_leader B2", CLEAR, WOODS.name).has("p3")
    assert fought(three, CLEAR, layers=[("partisans.toml", PLAIN)]).has("p3")


# Steps: what happens at a moment

SS = "uk a squad 1-7-4-5 B3\nge s ge_ss B2 shaken\nge lt ge_ss_leader B2 shaken\nge far squad 1-6-4-5 J8"


def entered(fight: Battle, *dice: tuple[str, tuple[int, int]]) -> None:
    fight.give("uk", "Move", dice, units=["a"], path=path(fight, "B2"))


@pytest.mark.rule("hid 13.2.1", "hotm 13.2.1", "core 8.1")
def test_HID_08_a_fanatics_who_fail_are_no_more_and_nobody_is_left_to_fight() -> None:
    fight = fought(SS, active="uk", layers=[("fanatics.toml", FANATICS_FILE)])
    entered(fight, ("rally lt", (2, 3)), ("rally s", (3, 4)))
    assert not fight.has("s")
    assert not fight.has("lt")
    assert (fight.unit("a").at, fight.unit("a").is_moving) == (fight.at("B2"), False)
    assert not fight.state.public.melees


@pytest.mark.rule("hid 13.2.1", "hotm 13.2.1", "core 8.0")
def test_HID_08_b_fanatics_who_rally_fight_the_melee() -> None:
    fight = fought(SS, active="uk", layers=[("fanatics.toml", FANATICS_FILE)])
    entered(fight, ("rally lt", (2, 3)), ("rally s", (3, 3)), ("melee uk", (3, 4)), ("melee ge", (3, 4)))
    assert fight.has("s")
    assert not fight.has("a")
    assert not fight.unit("s").is_shaken


@pytest.mark.rule("core 8.1")
def test_where_the_book_does_not_name_the_trait_the_shaken_are_removed() -> None:
    plain = FANATICS_FILE.replace('traits = ["fanatic"]', "traits = []").partition("[traits.fanatic]")[0]
    fight = fought(SS, active="uk", layers=[("fanatics.toml", plain)])
    entered(fight)
    assert not fight.has("s")
    assert not fight.has("lt")


@pytest.mark.rule("hotm 13.1.1", "core 5.1")
def test_HOM_06_partisans_who_lose_their_leader_lose_a_squad_of_their_choice() -> None:
    sniper = "ge sn sniper range=12 fp=1 morale=6 mf=4 G2"
    pieces = f"{PARTISANS}\nsu p3 su_partisans B2\nsu lt su_partisan_leader B2\n{sniper}\nge g squad 1-6-4-5 A4"
    fight = fought(pieces, ". . . . . . .\n. . . . . . F\n. . . . . . .\n. . . . . . .", WOODS.name, active="ge")
    dice = [("attack", (5, 6)), ("defence", 1), ("damage check", 5)]
    order = {"unit": "sn", "at": list(fight.at("G2")), "target": list(fight.at("B2"))}
    fight.give("ge", "PlaceSniper", dice, draws=[("sniper target", "lt")], answers=[("su", ["p2"])], **order)
    assert [key for key in ("lt", "p1", "p2", "p3") if fight.has(key)] == ["p1", "p3"]
    assert [each.how for each in fight.state.public.losses] == ["eliminated", "removed"]


@pytest.mark.rule("hotm 13.1.2", "core 3.0", "core 11.9")
@pytest.mark.parametrize(("rally", "second"), [((6, 3), None), ((6, 4), (6, 4))], ids=["at once", "by Fight or Die"])
def test_HOM_04_all_units_of_one_hex_rally_with_one_more(
    rally: tuple[int, int], second: tuple[int, int] | None
) -> None:
    nation = '[nations.su]\ntraits = ["motherland"]\nsource = "hotm 13.1.2"\nstatus = "printed"\n'
    pieces = "su a squad 1-4-4-5 C3 shaken\nsu k commissar morale=6 lm=1 mf=6 C3\nsu b squad 1-4-4-5 sr F1 shaken"
    board = ". . . . . .\n. . . . . .\n. . F . . ."
    layers = [("nation.toml", nation)]
    fight = fought(f"{pieces}\nge g squad 1-6-4-5 F3", board, WOODS.name, phase="rally", layers=layers)
    fight.give("su", "Rally", [("rally a", rally)], unit="a")
    assert fight.unit("a").is_shaken is (second is not None)
    if second is not None:
        fight.give("su", "FightOrDie", [("fight or die a", second)], commissar="k", unit="a")
        assert not fight.unit("a").is_shaken
    fight.give("su", "Rally", [("rally b", (2, 4))], unit="b")
    assert fight.unit("b").is_shaken


def test_a_module_with_another_one_changes_nothing_of_it() -> None:
    fight = fought(PARTISANS + FOE, CLEAR, RIFLES.name, WOODS.name)
    assert firepower(fight, "su", "p1 p2", "E3") == 1


@pytest.mark.rule("hotm 13.1.1", "core 6.0")
def test_whatever_partisans_can_march_to_is_offered() -> None:
    """Of two ways that cost alike the one without a forest on it may lead farther."""
    board = "F . F .\n. F . F\n. F w F\nF . F ."
    pieces = "su p1 su_partisans B4\nge g squad 1-6-4-5 D1"
    fight = fought(pieces, board, WOODS.name)
    start, mover = fight.at("B4"), (fight.unit("p1"),)
    marched: dict[Place, int] = {}

    def march(at: Place, spent: int, entered: tuple[Place, ...]) -> None:
        for to in going(fight.state).around(at):
            step = made(fight.state, mover, at, to, spent={"p1": spent}, entered=entered)
            if to != start and to not in entered and not step.why:
                marched[to] = min(step.spent["p1"], marched.get(to, 99))
                if to != fight.at("D1"):
                    march(to, step.spent["p1"], (*entered, to))

    march(start, 0, ())
    assert reachable(fight.state, mover) == marched
