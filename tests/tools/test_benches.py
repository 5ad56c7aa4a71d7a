"""What the benchmarks measure is a battle that its rules still take."""

from fireforce.package import PACKAGE as FIREFORCE
from fireforce.state.battle import Squad
from fireforce.testing import bench
from fireforce.testing.parts import of
from lnl.state.finding import units_of
from lnl.testing import bench_battle
from umpire.benches.orders import scenario
from umpire.kernel.registry import package_of


def test_the_crowded_table_of_fireforce_is_a_scenario() -> None:
    state = FIREFORCE.begin(bench.crowded(2), lambda key: key)
    assert len(of(state.commands["platoon"], Squad)) + len(of(state.public, Squad)) == 8
    assert set(state.umpire.plans) == {"b0", "b1"}


def test_the_crowded_map_of_lock_n_load_is_a_scenario() -> None:
    play = bench_battle.begun(bench_battle.crowded("blind", 8, 6))
    assert {name: len(list(units_of(part))) for name, part in play.state.commands.items()} == {"us": 8, "ge": 6}


def test_the_lane_with_hidden_bands_is_a_scenario() -> None:
    setting = package_of("skirmish").load(scenario(2), file="bench", options={})
    assert len(setting.public.commands) == 4
