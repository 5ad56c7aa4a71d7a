"""No value of the tables is dead: each number, laid over, changes what it says it is for, and somebody reads every
numeric column."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import lnl
from lnl.book.rows import SCHEMA, NumberRow
from lnl.book.tables import core_book
from lnl.knowledge.sighting import is_lit
from lnl.orders.orders import FightOrDie
from lnl.rules.men import commissars, heroes, nurses
from lnl.rules.turn import operations_phase
from lnl.state.battle import State
from lnl.state.finding import unit
from lnl.state.setting import setting_of
from lnl.testing.cases.language import LANGUAGE
from umpire.kernel.settings import BadInput
from umpire.kernel.states import Seat
from umpire.testing.cases.asked import asked
from umpire.testing.cases.form import Case, Step
from umpire.testing.cases.script import Script

CLEAR: Mapping[str, Any] = {"terrain": {"other": "clear"}}
FOE = "\nge foe 1-6-4-5 E3"
NUMBERS = core_book().table("numbers", NumberRow)


def battle(given: Mapping[str, Any], overlay: Mapping[str, int]) -> State:
    case = Case(case="x", title="x", system="lnl", rules=(), given={}, step=())
    book = {"numbers": {key: {"value": value, "source": "test", "status": "house"} for key, value in overlay.items()}}
    return LANGUAGE().set_up(case, {"active": "us", **CLEAR, **given, "book": book}, (), ())


def asking(pieces: str, value: str, **more: Any) -> Callable[[Mapping[str, int]], Any]:
    """What a case would ask; `given_…` lays more over the situation."""
    given = {key.removeprefix("given_"): each for key, each in more.items() if key.startswith("given_")}
    ask = {key.removesuffix("_"): each for key, each in more.items() if not key.startswith("given_")}

    def found(overlay: Mapping[str, int]) -> Any:
        words = LANGUAGE()
        state = battle({"pieces": pieces + FOE, **given}, overlay)
        return asked(words, state, {"value": value, **ask}, Script(words, Step()))

    return found


def of(pieces: str, function: Callable[[State], Any], **given: Any) -> Callable[[Mapping[str, int]], Any]:
    return lambda overlay: function(battle({"pieces": pieces + FOE, **given}, overlay))


def refuses(pieces: str) -> Callable[[Mapping[str, int]], Any]:
    """Whether a scenario with these is refused."""

    def found(overlay: Mapping[str, int]) -> Any:
        try:
            battle({"pieces": pieces + FOE}, overlay)
        except BadInput:
            return True
        return False

    return found


SOVIETS = Seat(name="su", commands=("su",))
HILLS = {"other": "clear", "E5": "level 1", "E4": "level 2", "F6": "level 3"}
PROBES: Mapping[str, tuple[int, Callable[[Mapping[str, int]], Any]]] = {
    "squads_in_a_hex": (4, asking("us a*4 2-5-4-6 E5 E6 E7 E8", "stacking", units=["a1", "a2", "a3", "a4"], at="E9")),
    "single_men_in_a_hex": (3, asking("us a*3 leader E5 E6 E7", "stacking", units=["a1", "a2", "a3"], at="E9")),
    "half_squads_to_a_squad": (
        3,
        asking(
            "us a*2 2-5-4-6 E5 E6\nus h*3 half-squad 1-4-4-6 E7 E8 E9",
            "stacking",
            units=["a1", "a2", "h1", "h2", "h3"],
            at="E10",
        ),
    ),
    "squad_portage": (
        3,
        asking(
            "us a 2-5-4-6 E5 has two bar\nus loose bar E5",
            "check",
            given_phase="rally",
            seat="us",
            verb="PickUp",
            unit="a",
            weapon="loose",
        ),
    ),
    "half_squad_portage": (
        2,
        asking(
            "us a half-squad 1-4-4-6 E5 has bar\nus loose bar E5",
            "check",
            given_phase="rally",
            seat="us",
            verb="PickUp",
            unit="a",
            weapon="loose",
        ),
    ),
    "single_man_portage": (
        2,
        asking(
            "us a leader E5 has bar\nus loose bar E5",
            "check",
            given_phase="rally",
            seat="us",
            verb="PickUp",
            unit="a",
            weapon="loose",
        ),
    ),
    "single_man_portage_cost": (3, asking("us a leader E5 has bar", "allowance", units="a")),
    "squad_weapons_fired": (
        1,
        asking(
            "us a 2-5-4-6 E5 has two bar",
            "check",
            seat="us",
            verb="Fire",
            units=["a"],
            weapons=["a bar 1", "a bar 2"],
            target="E3",
        ),
    ),
    "morale_in_cover": (
        -3,
        asking("us a 2-5-4-6 E5", "cover", units="a", given_terrain={"other": "clear", "E5": "forest"}),
    ),
    "captured_divisor": (
        4,
        asking(
            "us a 0-5-4-6 E5 has captured mg42_tripod", "firepower", units=["a"], weapons=["mg42_tripod"], target="E3"
        ),
    ),
    "double_time": (
        3,
        asking("us a 2-5-4-6 E5\nus lt leader MF 9 E5", "allowance", units=["a", "lt"], double_time=True),
    ),
    "assault_move_divisor": (4, asking("us a 2-5-4-6 E5", "allowance", units="a", manner="assault")),
    "stealth_divisor": (4, asking("us a 2-5-4-6 E5 may use stealth", "allowance", units="a", manner="stealth")),
    "floor_cost": (
        3,
        asking(
            "us a 2-5-4-6 E5",
            "cost",
            units="a",
            path=["E5 upstairs"],
            given_terrain={"other": "clear", "E5": "stone building, 2 storeys"},
        ),
    ),
    "scout_terrain_cost": (
        2,
        asking("us a scout E5", "cost", units="a", path=["E6"], given_terrain={"other": "clear", "E6": "forest"}),
    ),
    "up_one": (2, asking("us a 2-5-4-6 E6", "cost", units="a", path=["E5"], given_terrain=HILLS)),
    "up_two": (3, asking("us a 2-5-6-6 D4", "cost", units="a", path=["E4"], given_terrain=HILLS)),
    "down_one": (1, asking("us a 2-5-4-6 E5", "cost", units="a", path=["E6"], given_terrain=HILLS)),
    "down_two": (2, asking("us a 2-5-4-6 E4", "cost", units="a", path=["D4"], given_terrain=HILLS)),
    "levels_at_once": (4, asking("us a 2-5-6-6 F7", "cost", units="a", path=["F6"], given_terrain=HILLS)),
    "pivot_sides": (
        1,
        asking("us a weapon team 37 mm MF 2 E5 facing 1", "check", seat="us", verb="Face", unit="a", facing=4),
    ),
    "spot_blocking": (
        3,
        asking("us a 2-5-4-6 E6", "spotting", units="a", to="E3", given_terrain={"other": "clear", "E3": "forest"}),
    ),
    "spot_degrading": (
        4,
        asking("us a 2-5-4-6 E6", "spotting", units="a", to="E3", given_terrain={"other": "clear", "E3": "brush"}),
    ),
    "spot_each_degrading": (
        2,
        asking(
            "us a 2-5-4-6 E6",
            "spotting",
            units="a",
            to="E3",
            given_terrain={"other": "clear", "E3": "forest", "E5": "brush"},
        ),
    ),
    "scout_spotting": (
        -3,
        asking("us a scout E6", "spotting", units="a", to="E3", given_terrain={"other": "clear", "E3": "forest"}),
    ),
    "degrading_limit": (
        3,
        asking(
            "us a 2-5-4-6 E9",
            "line of sight",
            from_="E9",
            to="E3",
            given_terrain={"other": "clear", "E5 E6 E7": "brush"},
        ),
    ),
    "passes": (4, of("us a 2-5-4-6 E5", operations_phase.is_over, passes=3)),
    "heroes_of_a_nation": (3, of("us a hero E5\nus b hero E6", lambda state: heroes.is_room_for_one(state, "us"))),
    "activation_range": (2, asking("us lt leader E8\nus a 2-5-4-6 E6", "activates", from_="E8")),
    "casualty_band": (3, asking("us a 2-5-4-6 E5", "damage", units="a", total=12)),
    "elimination_band": (4, asking("us a 2-5-4-6 E5", "damage", units="a", total=18)),
    "melee_zero_firepower": (2, asking("us a 0-5-4-5 E5", "melee firepower", units=["a"])),
    "melee_weapon_team": (2, asking("us a weapon team 1-9-2-5 E5", "melee firepower", units=["a"])),
    "hero_shift": (2, asking("us a hero E3", "odds", attackers=["a"], defenders=["foe"])),
    "mixed_nations_shift": (
        -2,
        asking("us a 4-5-4-6 E3\nus b uk 4-6-4-6 E3", "odds", attackers=["a", "b"], defenders=["foe"]),
    ),
    "night_sight": (3, of("us a 2-5-4-6 E5", lambda state: setting_of(state).options.visibility)),
    "star_shell_range": (
        4,
        asking("us lt leader E9", "check", given_hour="night", seat="us", verb="FireStarShell", unit="lt", at="E5"),
    ),
    "star_shell_radius": (
        2,
        of("us a 2-5-4-6 E5", lambda state: is_lit(state, (5, 7)), hour="night", star_shells="E5"),
    ),
    "mortar_caller_range": (
        2,
        asking(
            "uk a 1-6-4-6 E9 has uk_51mm_mortar set up\nuk b 1-6-4-6 E7",
            "check",
            given_active="uk",
            seat="uk",
            verb="FireMortar",
            mortar="uk_51mm_mortar",
            target="E3",
            caller="b",
        ),
    ),
    "mines_in_a_hex": (3, refuses("us a 2-5-4-6 E5\nus m*3 mines E7")),
    "claymores_in_a_hex": (2, refuses("us a 2-5-4-6 E5\nus m*2 claymore E7")),
    "fight_or_die_morale": (
        2,
        of(
            "su c su_commissar E5\nsu a su_line E5 shaken",
            lambda state: next(commissars.fight_or_die(state, SOVIETS, FightOrDie(commissar="c", unit="a"))).modifiers,
            active="su",
        ),
    ),
    "wounded_morale": (-2, asking("us a leader E5 wounded", "morale", units="a")),
    "wounded_leadership": (-2, asking("us a leader LM3 E5 wounded", "leadership", units="a")),
    "nurse_rallies": (
        0,
        of("us n nurse E5\nus a 2-5-4-6 E5", lambda state: nurses.rallies(state, unit(state, "n"), unit(state, "a"))),
    ),
    "advisor_morale": (2, asking("us n advisor E5\nus a 2-5-4-6 E5 trait advised", "morale", units="a")),
    "gun_size_limit": (
        40,
        asking(
            "us a weapon team 37 mm MF 4 E5",
            "cost",
            units="a",
            path=["E6"],
            given_terrain={"other": "clear", "E6": "wooden building"},
        ),
    ),
}


def test_every_number_is_probed() -> None:
    assert set(PROBES) == set(NUMBERS)


@pytest.mark.parametrize("key", sorted(PROBES))
def test_a_number_that_is_laid_over_is_read(key: str) -> None:
    value, found = PROBES[key]
    assert NUMBERS[key].value != value
    assert found({key: value}) != found({}), f"numbers.{key} = {value} changes nothing"


NOT_PLAYED = frozenset({"tracked", "off_road", "road"})
"""Columns of what is not played yet: vehicles, `core 15.0`."""


def test_every_numeric_column_is_read_and_every_fire_modifier_is_asked_for() -> None:
    """By whatever attribute of that name the package reads outside the tables themselves and the words of cases."""
    folder = Path(next(iter(lnl.__path__)))
    source = "".join(
        path.read_text("utf-8")
        for path in folder.rglob("*.py")
        if path.name not in ("rows.py", "tables.py") and not path.name.startswith("case_")
    )
    read, words = set(re.findall(r"\.(\w+)", source)), set(re.findall(r'"(\w+)"', source))
    for table, row in SCHEMA.items():
        numeric = {name for name, kind in get_type_hints(row).items() if int in (kind, *get_args(kind))}
        assert numeric - read <= NOT_PLAYED, table
    assert set(core_book().tables["fire_modifiers"]) <= words


@pytest.mark.parametrize(
    ("table", "key", "column", "status", "source"),
    [
        ("weapons", "m1919a4", "firepower", "house", "our proposal"),
        ("weapons", "mg34", "firepower", "printed", "hid 1.6.6"),
        ("fire_modifiers", "adjacent", "value", "printed", "core 1.6.2"),
        ("counters", "us_hird", "morale", "read", "Core rules 5.1"),
        ("counters", "ge_grenadier", "reduces", "printed", "hotm 13.2.3"),
        ("counters", "ge_grenadier", "reduces_even", "printed", "hotm 13.2.3"),
        ("counters", "su_line", "morale", "printed", "hotm 13.1.3"),
        ("counters", "su_guards", "reduces", "printed", "hotm 13.1.3"),
        ("markers", "trench", "leg", "printed", "hotm 21.5"),
        ("nations", "us", "star_shell", "printed", "hona 20.2.1"),
        ("nations", "su_line", "smoke", "printed", "hotm 7.1"),
    ],
)
def test_values_say_where_they_come_from(table: str, key: str, column: str, status: str, source: str) -> None:
    origin = core_book().origin(table, key, column)
    assert (origin.status, origin.source[: len(source)]) == (status, source)
