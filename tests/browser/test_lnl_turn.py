"""Both sides play a turn at Saint-Aubin on their screens: rally, opportunity fire, spotting, fire with
a leader, melee. The dice are typed, so that everything comes as it must."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from tests.browser.conftest import DESK, TABLET
from tests.browser.hexes import HexTablet, Table
from tests.browser.playing import Hand, House
from tests.browser.screens import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def crossroads(demo: Hand, house: House) -> Iterator[Table]:
    """The battle with typed dice, brought nearer by the umpire's hand: nobody need walk for three turns to fight."""
    table = Table(house.base, demo, dice="typed")
    table.put(Hale="J6", st_Squad="J6", nd_Squad="F9", Medrow="I7", rd_Squad="I7", Gunners="I7")
    table.set("1st Squad", "is_shaken", True)
    yield table
    table.hand.close()


def test_a_turn(sit: Callable[..., Screen], crossroads: Table) -> None:
    us, ge = HexTablet(sit(TABLET)), HexTablet(sit(DESK))
    us.join(crossroads.codes["The platoon"])
    ge.join(crossroads.codes["The garrison"])
    us.screen.shoot("lnl-tablet")

    rally(us, ge, crossroads)
    break_a_move(us, ge, crossroads)
    spot_and_fire(us, ge, crossroads)
    fight(us, ge, crossroads)
    end_the_turn(us, ge)


def rally(us: HexTablet, ge: HexTablet, table: Table) -> None:
    """A squad is rallied by the leader beside it. `core 3.0`"""
    us.choose_in("J6", "1st Squad")
    us.verb("Rally")
    us.screen.sees(re.compile(r"%"), ".draft .counts")
    us.screen.shoot("lnl-rally")
    us.confirm()
    us.throw("rally", 2, 2)
    us.log_says("1st Squad is back in Good Order.")
    assert "shaken" not in table.marks("1st Squad")
    us.end("End rallying")
    us.screen.sees("Operations Phase", "header")


def break_a_move(us: HexTablet, ge: HexTablet, table: Table) -> None:
    """A squad in the open is shot to pieces on its way. `core 5.3`"""
    us.choose_in("F9", "2nd Squad")
    us.verb("Move")
    us.tap_hex("H8")
    us.screen.sees("of 4 movement points", ".draft")
    us.screen.shoot("lnl-move")
    us.screen.tap("Review", ".draft")
    us.confirm()
    ge.screen.sees("Enemies move in G8. Opportunity fire?", ".question")
    ge.screen.sees("Firepower 3, MG42, 3 hexes", ".question")
    ge.screen.shoot("lnl-opportunity-fire")
    ge.answers("Enemies move in G8", "H6 upstairs")
    ge.throw("attack", 6)
    us.throw("defence", 1)
    us.throw("damage check", 1)
    us.throw("hero", 1)
    us.log_says("2nd Squad is Shaken")
    ge.declines("Enemies move in G8")  # the sniper might show up and take the second shot
    assert table.piece("2nd Squad")["at"] == [7, 8, 0], "it has gone on"
    assert "shaken" in table.marks("2nd Squad")
    us.end("End the impulse")  # somebody is left to be spotted, so it does not end by itself
    ge.end("Pass")


def spot_and_fire(us: HexTablet, ge: HexTablet, table: Table) -> None:
    """The gunners spot an officer in the town hall; the others fire at him, a leader aids. `core 10.1`, `core 5.0`"""
    us.screen.sees("your move", "header")
    us.choose_in("I7", "Gunners")
    us.verb("Try to spot")
    us.tap_hex("H6")
    us.screen.tap("Review", ".draft")
    us.screen.sees("%", ".draft .counts")
    us.screen.shoot("lnl-spot")
    us.confirm()
    us.throw("spot", 3)
    us.log_says("H6 is spotted")
    us.choose_in("I7", "3rd Squad")
    us.verb("Fire")
    us.tap_hex("H6", low=True)
    us.screen.sees(re.compile("^Fire at H6$"), ".draft h2")
    us.screen.sees("Cpl Medrow", ".draft .said")
    us.screen.sees("BAR", ".draft .said")
    us.screen.sees("Leader's Influence on Combat", ".draft .counts")
    us.screen.sees(re.compile(r"Lt Koch.*%", re.DOTALL), ".draft .counts")
    us.screen.shoot("lnl-fire")
    us.confirm()
    us.throw("attack", 6)
    ge.throw("defence", 1)
    ge.throw("damage check", 2)
    us.log_says("Lt Koch is Shaken")
    us.end("End the impulse")
    ge.end("Pass")


def fight(us: HexTablet, ge: HexTablet, table: Table) -> None:
    """A squad with its leader enters the inn and fights for it. `core 8.0`"""
    us.screen.sees("your move", "header")
    us.choose_in("J6", "1st Squad", "Lt Hale")
    us.verb(re.compile("^Move(?! at)"))
    us.tap_hex("K6")
    us.screen.sees("Melee in K6", ".draft")
    us.screen.tap("Review", ".draft")
    us.confirm()
    us.screen.shoot("lnl-melee")
    us.throw("melee", 6, 6)
    ge.throw("melee", 1, 1)
    us.log_says("the defenders fall")
    assert table.piece("Squad Inn") == {}, "nobody is left in the inn"
    assert table.piece("1st Squad")["at"] == [11, 6, 0]
    us.screen.shoot("lnl-inn-taken")


def end_the_turn(us: HexTablet, ge: HexTablet) -> None:
    """Three passes in a row end the phase; what is left to do comes by itself. `core 4.0`, `core 2.0`"""
    ge.end("Pass")
    us.end("Pass")
    ge.end("Pass")
    ge.throw("initiative", 1)
    us.throw("initiative", 6)
    us.screen.sees("Turn 2 of 7", "header")
    us.log_says("The initiative: Americans")
    us.screen.tap("Whole table")
    us.screen.shoot("lnl-turn-2")
