"""The umpire's hand: every correction, nonsense refused in words, and what seats learn of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lnl.package import PACKAGE
from lnl.state.finding import units_of, work
from tests.lnl.building import Battle, battle
from umpire.kernel.hand.forms import foreseen
from umpire.kernel.registry import Refused

WOODS = """
. . . . . .
. . . . . .
. . . . . .
. . . . . .
. . . . F .
"""
PIECES = """
us a squad 2-5-4-6 A2 bar
us b squad 2-5-4-6 B3
ge g squad 1-6-4-5 D2
ge h squad 1-6-4-5 E5 hidden
ge w wire          E4
"""
HAPPENING = [
    {"key": "relief", "turn": 6, "actions": [{"kind": "points", "side": "ge", "points": 3, "text": "Relief comes."}]}
]


def fight(**more: Any) -> Battle:
    return battle(WOODS, PIECES, happening=HAPPENING, **more)


def refused(given: Battle, verb: str, **fields: Any) -> str:
    """The words in which a correction is refused; nothing has changed."""
    before = given.state
    with pytest.raises(Refused) as fault:
        given.play.correct({"verb": verb, **fields}, "tried")
    assert given.state is before
    return str(fault.value)


def correct(given: Battle, verb: str, **fields: Any) -> Battle:
    given.play.correct({"verb": verb, **fields}, "as the umpire says")
    assert list(PACKAGE.problems(given.state)) == []
    return given


CROWDED = """
us a squad 2-5-4-6 A2
us b squad 2-5-4-6 A2
us c squad 2-5-4-6 A2
us d squad 2-5-4-6 B3
us x hero  1-5-6-6 B3
us y hero  1-5-6-6 C3
ge g squad 1-6-4-5 D2
"""
AGAINST: dict[str, tuple[dict[str, Any], str]] = {
    "stacking": ({"verb": "MoveTo", "piece": "d", "at": [1, 2, 0]}, "too many of United States at A2"),
    "heroes": ({"verb": "Add", "command": "us", "counter": "us_hird", "at": [1, 5, 0]}, "more than 2 heroes"),
    "portage": (
        {"verb": "Add", "command": "us", "counter": "us_airborne", "weapons": ["m1919a4"] * 3, "at": [1, 5, 0]},
        "carries more than it may",
    ),
}


@pytest.mark.rule("core 1.3", "core 11.2", "core 1.6.1")
@pytest.mark.parametrize("what", AGAINST)
def test_the_umpire_overrules_limits_and_is_told_so_beforehand(what: str) -> None:
    given = battle(WOODS, CROWDED)
    correction, words = AGAINST[what]
    told = foreseen(PACKAGE, given.play.position, msgspec.convert(correction, PACKAGE.corrections))
    assert not told.refusals
    assert any(words in breach for breach in told.breaches), told.breaches
    given.play.correct(correction, "as the umpire says")
    assert tuple(PACKAGE.problems(given.state)) == told.breaches
    # What the rules allow is against nothing, also where something else already is.
    lawful = msgspec.convert({"verb": "MoveTo", "piece": "g", "at": [4, 4, 0]}, PACKAGE.corrections)
    assert foreseen(PACKAGE, given.play.position, lawful).breaches == ()
    assert "no place" in refused(given, "MoveTo", piece="d", at=[30, 30, 0])


@pytest.mark.rule("core 8.1")
def test_whom_the_umpire_puts_among_enemies_is_locked_in_melee() -> None:
    given = battle(WOODS, CROWDED)
    correct(given, "MoveTo", piece="d", at=[4, 2, 0])
    assert [(melee.at, melee.fought) for melee in given.state.public.melees.values()] == [((4, 2, 0), False)]


def test_units_works_and_weapons_are_put_elsewhere() -> None:
    given = fight()
    correct(given, "MoveTo", piece="a", at=[3, 3, 0])
    (gun,) = given.guns("a")
    assert (given.unit("a").at, given.weapon(gun).at) == ((3, 3, 0), (3, 3, 0))
    correct(given, "MoveTo", piece="w", at=[2, 2, 0])
    assert work(given.state, "w").at == (2, 2)
    assert "carries it" in refused(given, "MoveTo", piece=gun, at=[1, 1, 0])
    correct(given, "Change", piece=gun, field="owner", value="")
    correct(given, "MoveTo", piece=gun, at=[1, 1, 0])
    assert (given.weapon(gun).owner, given.weapon(gun).at) == ("", (1, 1, 0))
    assert given.guns("a") == ()
    correct(given, "Change", piece=gun, field="owner", value="b")
    assert given.guns("b") == (gun,)


def test_hidden_is_revealed_and_open_hidden_again() -> None:
    given = fight()
    correct(given, "Reveal", piece="h")
    assert "h" in given.state.public.pieces
    assert "already" in refused(given, "Reveal", piece="h")
    correct(given, "Conceal", piece="h")
    assert "h" in given.state.commands["ge"].pieces
    assert "already" in refused(given, "Conceal", piece="h")


@pytest.mark.parametrize("field", ["is_shaken", "fired", "ops_complete", "is_wounded"])
def test_any_marker_is_set(field: str) -> None:
    given = correct(fight(), "Change", piece="a", field=field, value=True)
    assert getattr(given.unit("a"), field) is True


def test_values_of_the_battle_are_set() -> None:
    given = fight()
    correct(given, "Change", piece="battle", field="smoke", value={"4,4": 1, "3,3": 2})
    assert list(given.state.public.smoke.items()) == [("3,3", 2), ("4,4", 1)]
    correct(given, "Change", piece="battle", field="hour", value="night")
    correct(given, "Change", piece="battle", field="star_shells", value=[[4, 4]])
    correct(given, "Change", piece="battle", field="terrain", value={"4,4": "forest"})
    correct(given, "Change", piece="battle", field="spotted", value=[[4, 2, 0]])
    public = given.state.public
    assert (public.hour, public.star_shells, public.terrain) == ("night", ((4, 4),), {"4,4": "forest"})


@pytest.mark.parametrize(
    ("piece", "field", "value", "words"),
    [
        ("nobody", "fired", True, "There is no piece 'nobody'"),
        ("a", "fird", True, "Did you mean 'fired'?"),
        ("a", "fired", "perhaps", "will not do"),
        ("a", "counter", "us_airborn", "Did you mean 'us_airborne'?"),
        ("a", "at", [77, 1, 0], "no place [77, 1, 0]"),
        ("a", "skills", ["luky"], "Did you mean 'lucky'?"),
        ("a", "id", "z", "There is no value 'id'"),
        ("battle", "phase", "rally", "There is no value 'phase'"),
        ("battle", "smoke", {"99,1": 1}, "no hex of the map"),
        ("battle", "terrain", {"4,4": "forrest"}, "Did you mean 'forest'?"),
        ("battle", "control", {"4,4": "fr"}, "There is no side 'fr'"),
        ("battle", "hour", "noon", "will not do"),
    ],
)
def test_nonsense_is_refused_with_what_would_be_right(piece: str, field: str, value: Any, words: str) -> None:
    assert words in refused(fight(), "Change", piece=piece, field=field, value=value)


def test_pieces_are_added_and_removed() -> None:
    given = fight()
    correct(given, "Add", command="us", counter="us_airborne", at=[1, 5, 0], name="Late", weapons=["bar"])
    (late,) = [each for each in units_of(given.state.public) if each.name == "Late"]
    (bar,) = given.guns(late.id)
    assert given.weapon(bar).counter == "bar"
    correct(given, "Remove", piece=late.id)
    assert not given.has(late.id)
    assert not given.has(bar)
    assert "no command 'uss'" in refused(given, "Add", command="uss", counter="us_airborne", at=[1, 5, 0])
    assert "us_airborne" in refused(given, "Add", command="us", counter="us_airborn", at=[1, 5, 0])


def test_a_command_is_told_things_true_or_not() -> None:
    given = fight()
    correct(given, "Tell", command="us", text="Engines in the north.", at=[3, 1, 0])
    assert "Engines in the north." in given.lines("us")
    assert "Engines in the north." not in given.lines("ge")
    correct(
        given, "ShowContact", command="us", kind="unit", at=[3, 1, 0], looks={"counter": "ge_grenadier", "side": "ge"}
    )
    (told,) = given.state.commands["us"].contacts.values()
    assert (told.status, told.at) == ("told", (3, 1, 0))
    assert "There is no contact" in refused(given, "DropContact", command="us", alias="nothing")
    correct(given, "DropContact", command="us", alias=told.alias)
    assert not given.state.commands["us"].contacts


def test_phases_points_plans_and_the_end() -> None:
    given = fight()
    correct(given, "SetPlan", plan={"force": "h", "command": "ge", "legs": [{"path": [[5, 4, 0]]}]})
    assert given.state.umpire.plans["h"].by == "umpire"
    assert "moved by its player" in refused(given, "SetPlan", plan={"force": "a", "command": "us"})
    correct(given, "DropPlan", force="h")
    assert "no plan" in refused(given, "DropPlan", force="h")
    correct(given, "AwardPoints", side="us", points=2, why="a bold stroke")
    assert PACKAGE.outcome(given.state).points["us"] == 2
    assert any("a bold stroke" in line for line in given.lines("ge"))
    correct(given, "AwardPoints", side="ge", points=1, why="unseen", known=False)
    assert not any("unseen" in line for line in given.lines("us"))
    correct(given, "Happen", key="relief")
    assert PACKAGE.outcome(given.state).points["ge"] == 4
    assert "has happened" in refused(given, "Happen", key="relief")
    assert "There is no event" in refused(given, "Happen", key="nothing")
    correct(given, "SetPhase", active="ge", phase="operations")
    assert given.state.public.active == "ge"
    correct(given, "EndBattle", why="It is late.")
    assert given.state.public.result is not None
    assert "over already" in refused(given, "EndBattle")


def add(given: Battle, **more: Any) -> dict[str, Any]:
    return {"verb": "Add", "command": "ge", "counter": "ge_grenadier", "weapons": ["mg42"], **more}


def seen_by(given: Battle, correction: dict[str, Any]) -> set[str]:
    """Who would see anything of it, as the form says beforehand; then it is done, and nobody else has seen it."""
    found = foreseen(PACKAGE, given.play.position, msgspec.convert(correction, PACKAGE.corrections))
    assert not found.refusals
    before = {seat: (given.play.view(seat), given.play.tag(seat)) for seat in ("us", "ge")}
    given.play.correct(correction, "as the umpire says")
    after = {seat: (given.play.view(seat), given.play.tag(seat)) for seat in ("us", "ge")}
    assert {seat for seat in before if before[seat] != after[seat]} == set(found.seen_by)
    return set(found.seen_by)


@pytest.mark.rule("core 10.1")
def test_in_a_blind_battle_what_the_umpire_brings_in_is_hidden_but_for_who_sees_it_there() -> None:
    given = fight(options={"play": "blind"})
    # In the woods, far from everybody: nobody but its own command sees it, whatever it is.
    assert seen_by(given, add(given, at=[5, 5, 0])) == {"ge"}
    assert all(line.find("MG42") < 0 for line in given.lines("us"))
    # In the open, in sight: the enemy sees it as he sees any other.
    assert seen_by(given, add(given, at=[4, 4, 0])) == {"ge", "us"}
    # Before all eyes, because the umpire says so.
    assert seen_by(given, add(given, at=[5, 5, 0], is_open=True)) == {"ge", "us"}
    # What is moved where nobody sees it, and what is set of it, stays hidden too.
    (late,) = [each for each in units_of(given.state.commands["ge"]) if each.at == (5, 5, 0) and given.guns(each.id)]
    assert seen_by(given, {"verb": "Change", "piece": late.id, "field": "skills", "value": ["lucky"]}) == {"ge"}


@pytest.mark.rule("core 10.1")
def test_in_an_open_battle_hidden_men_whom_the_umpire_puts_into_sight_are_revealed() -> None:
    given = fight()
    assert "h" in given.state.commands["ge"].pieces
    correct(given, "MoveTo", piece="h", at=[4, 3, 0])
    assert "h" in given.state.public.pieces


def test_what_is_set_is_said_from_what_to_what_to_those_who_may_know_it() -> None:
    given = fight(options={"play": "blind"})
    correct(given, "Change", piece="a", field="is_shaken", value=True)
    assert any(line.endswith("shaken from no to yes.") for line in given.lines("us"))
    assert not any("shaken" in line for line in given.lines("ge"))
    correct(given, "MoveTo", piece="b", at=[3, 5, 0])
    assert any("The umpire moves" in line and "from B3 to C5" in line for line in given.lines("us"))
    correct(given, "Change", piece="battle", field="hour", value="night")
    assert "The umpire sets the battle: hour from day to night." in given.lines("ge")
    correct(given, "Change", piece="battle", field="turns", value=9)
    assert given.play.view("us")["turns"] == 9
    assert "The umpire sets the battle: number of turns from 6 to 9." in given.lines("us")
