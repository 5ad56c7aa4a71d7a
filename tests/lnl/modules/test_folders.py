"""A module is a folder: its tables are laid over the core where a scenario names it, beside those of other modules."""

from __future__ import annotations

import pytest

from lnl.book.modules import MODULES
from lnl.book.rows import CounterRow, NationRow
from lnl.rules.men.heroes import is_possible
from lnl.rules.movement.movement import double_time_bonus
from lnl.state.finding import traits_of, unit
from lnl.state.setting import setting_of, tables_of
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.book.points import Module
from umpire.kernel.book.shipped import Modules
from umpire.kernel.settings import BadInput

RIVER = MODULES.include("tests.lnl.modules.folders.river").module
SNOW = MODULES.include("tests.lnl.modules.folders.snow").module
GUARD = "ge g guard B2\nus u squad 1-4-4-5 E3"


def played(pieces: str, *modules: Module, board: str = CLEAR) -> Battle:
    return battle(board, pieces, active="ge", head={"modules": [each.name for each in modules]})


def guard(fight: Battle, key: str) -> CounterRow:
    return tables_of(fight.state).counter(key)


def test_a_counter_of_the_only_module_that_has_it_is_named_by_its_bare_key() -> None:
    for module, name, firepower in ((RIVER, "River guard", 2), (SNOW, "Snow guard", 3)):
        found = guard(played(GUARD, module), "guard")
        assert (found.name, found.firepower, found.reduces) == (name, firepower, "guard_half")


def test_each_of_two_modules_keeps_its_own_counter_and_its_own_list_of_reduction() -> None:
    fight = played(GUARD.replace("guard", "snow:guard"), RIVER, SNOW)
    for module, firepower in ((RIVER, 2), (SNOW, 3)):
        found = guard(fight, f"{module.name}:guard")
        assert (found.firepower, found.reduces) == (firepower, f"{module.name}:guard_half")
        assert guard(fight, found.reduces).name.split()[0] == found.name.split()[0]


def test_a_bare_key_that_two_modules_have_is_no_counter() -> None:
    with pytest.raises(BadInput, match="guard"):
        played(GUARD, RIVER, SNOW)


def test_traits_that_two_modules_give_to_a_nation_add_up() -> None:
    pieces = "ge a ge_second_line B2\nus u squad 1-4-4-5 E3"
    for modules in ((RIVER, SNOW), (SNOW, RIVER)):
        fight = played(pieces, *modules)
        found = tables_of(fight.state).book.table("nations", NationRow)["ge"].traits
        assert set(found) == {"boatman", "frozen"}
        man = unit(fight.state, "a")
        assert {"boatman", "frozen"} <= set(traits_of(fight.state, man))
        assert double_time_bonus(setting_of(fight.state).active, traits_of(fight.state, man), fight.state, man) == 1
        assert not is_possible(fight.state, man)
    alone = played(pieces)
    assert is_possible(alone.state, unit(alone.state, "a"))


def test_a_module_that_the_battle_has_not_gives_it_nothing() -> None:
    with pytest.raises(BadInput, match="guard"):
        played(GUARD)


def test_a_scenario_may_be_played_on_a_map_of_a_module() -> None:
    fight = played("ge g ge_second_line B2\nus u squad 1-4-4-5 E3", board="the-ferry")
    assert fight.state.public.turn == 1


def test_a_folder_that_says_no_module_and_a_name_twice_are_refused() -> None:
    with pytest.raises(TypeError, match=r"tests\.lnl\.modules\.folders is no module's folder"):
        Modules().include("tests.lnl.modules.folders")
