"""To its enemies a hidden side is one: who of it is there, and who of it is done with a phase, is not told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fireforce.package import PACKAGE as FIREFORCE
from fireforce.scenarios.parsing import load
from tests.fireforce.rules.small_battles import HEAD, men, row, unit
from tests.lnl.building import battle
from umpire.kernel.codec import encode
from umpire.kernel.states import Seat
from umpire.testing.play.battle import Play

OTHER = """
[[command]]
key = "camp"
side = "guerrilla"
name = "Camp"
open = false
plans_only = false
"""


def fireforce(hidden: str = "false") -> Play[Any]:
    """A platoon against two commands of guerrillas, both played."""
    text = HEAD.format(turns=3, plans_only="false") + OTHER
    text = text.replace("open = false", f"open = {hidden}") if hidden == "true" else text
    text += unit("first", "platoon", men("f", row(3, 3, 3), 0)) + unit("band", "cell", men("b", row(40, 30, 3), 0))
    text += unit("guard", "camp", men("g", row(40, 20, 3), 0))
    seats = {name: Seat(name=name, commands=(name,)) for name in ("platoon", "cell", "camp")}
    seats["watcher"] = Seat(name="watcher", role="observer")
    return Play(FIREFORCE, FIREFORCE.begin(load(text, file="small", options={"hidden": "map"}), lambda key: key), seats)


def lnl() -> Play[Any]:
    """In a Rally Phase of the Germans, who have two commands."""
    pieces = "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 J8 shaken\nge/west h squad 1-6-4-5 I8 shaken"
    fight = battle(
        "\n".join(["F F F F F F F F F F"] * 8), pieces, options={"play": "blind"}, phase="rally", active="ge"
    )
    return fight.play


def bytes_of(play: Play[Any], seats: Iterable[str]) -> list[bytes]:
    return [encode([play.view(seat), play.tag(seat), play.numbered(seat)]) for seat in seats]


def test_views_of_fireforce_name_nobody_of_a_hidden_side() -> None:
    play = fireforce()
    assert sorted(play.view("platoon")["commands"]) == ["platoon"]
    assert sorted(play.view("watcher")["commands"]) == ["platoon"]
    assert sorted(play.view("cell")["commands"]) == ["camp", "cell", "platoon"]
    assert b"Camp" not in encode(play.view("platoon"))
    assert sorted(fireforce("true").view("platoon")["commands"]) == ["camp", "cell", "platoon"]


def test_a_hidden_side_of_fireforce_ends_a_phase_once() -> None:
    play = fireforce()
    while play.state.public.active != "guerrilla":
        assert not play.order("platoon", {"verb": "EndPhase"})
    before = bytes_of(play, ("platoon", "watcher"))
    assert not play.order("cell", {"verb": "EndPhase"})
    assert bytes_of(play, ("platoon", "watcher")) == before
    assert play.order("cell", {"verb": "EndPhase"})
    assert any("Cell ends the phase." in line.text for news in play.news["cell"] for line in news.lines)
    phase = play.state.public.phase
    assert not play.order("camp", {"verb": "EndPhase"})
    assert play.state.public.phase != phase
    assert bytes_of(play, ("platoon", "watcher")) != before
    assert play.subjects("cell")


def test_a_hidden_side_of_lock_n_load_ends_its_rally_once() -> None:
    play = lnl()
    us, ge, west = (next(name for name in play.seats if name.startswith(start)) for start in ("us", "ge", "west"))
    assert sorted(play.view(us)["commands"]) == ["us"]
    before = bytes_of(play, (us,))
    assert not play.order(ge, {"verb": "EndRally"})
    assert bytes_of(play, (us,)) == before
    assert play.order(ge, {"verb": "EndRally"})
    assert not play.order(west, {"verb": "EndRally"})
    assert bytes_of(play, (us,)) != before
