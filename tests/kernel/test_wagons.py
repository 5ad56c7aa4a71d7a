"""Wagons of the toy game: who rides is not there for others, but for what is shown of him, until he gets out."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from umpire.kernel.codec import encode
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.odds import odds_of
from umpire.kernel.pieces.finding import find, held, part_of
from umpire.kernel.settings import Setting
from umpire.kernel.values.maps import ordered
from umpire.testing.play.battle import Play
from umpire.testing.skirmish import PACKAGE
from umpire.testing.skirmish.conformance import COMMANDS, SEATS
from umpire.testing.skirmish.rules import Fire
from umpire.testing.skirmish.state import Lane, Secrets, Start, State, Unit, units

ASH = Start(key="ash", command="blue_1", at=2, name="Ash", aboard="cart")
BIRCH = Start(key="birch", command="blue_1", at=2, name="Birch", aboard="cart", how="in_back")
CEDAR = Start(key="cedar", command="blue_1", at=2, name="Cedar", aboard="cart", how="on_top", steps=1)


def convoy(*riders: Start, blind: bool = True, script: ScriptedDice | None = None, steps: int = 2) -> Play[State]:
    """Blue's cart in hex 2 with its riders, Elm of another command of blue beside it; red's Rowan in hex 6, two hexes
    from the cart's next but one."""
    starts = (
        Start(key="cart", command="blue_1", at=2, name="The cart", kind="wagon", steps=steps),
        *riders,
        Start(key="elm", command="blue_2", at=1, name="Elm"),
        Start(key="rowan", command="red_1", at=6, name="Rowan"),
        Start(key="thorn", command="red_2", at=11, name="Thorn"),
    )
    lane = Lane(title="A convoy", length=12, turns=4, blind=blind, commands=ordered(COMMANDS))
    state = PACKAGE.begin(Setting(public=lane, umpire=Secrets(units=starts)), lambda key: key)
    return Play(PACKAGE, state, SEATS, source=None if script is None else (lambda begun: script))


def give(play: Play[State], seat: str, verb: str, **fields: Any) -> None:
    assert play.order(seat, {"verb": verb, **fields}) == []


def contact(play: Play[State], command: str, kind: str) -> Any:
    return next(each for each in play.state.commands[command].contacts.values() if each.kind == kind)


def test_a_wagon_takes_its_people_along_and_they_do_nothing_of_their_own() -> None:
    play = convoy(ASH, BIRCH)
    give(play, "blue_1", "move", unit="cart", path=[[3, 0]])
    assert [(each.id, each.hex) for each in held(play.state, "cart", Unit)] == [("ash", 3), ("birch", 3)]
    refusals = play.order("blue_1", {"verb": "move", "unit": "ash", "path": [[2, 0]]})
    assert [each.rule for each in refusals] == ["skirmish wagon"]
    assert {form.verb for form in play.options("blue_1", "ash")} == {"get_off"}


@pytest.mark.parametrize(
    ("riders", "looks"),
    [
        ((), {"side": "blue"}),
        ((ASH,), {"side": "blue"}),
        ((BIRCH,), {"in the back": 1, "side": "blue"}),
        ((CEDAR,), {"on top, weak": 1, "side": "blue"}),
        ((ASH, CEDAR), {"on top, weak": 1, "side": "blue"}),
    ],
)
def test_an_enemy_sees_of_riders_what_their_way_of_riding_shows(riders: tuple[Start, ...], looks: Any) -> None:
    play = convoy(*riders)
    give(play, "blue_1", "move", unit="cart", path=[[3, 0], [4, 0]])
    seen = contact(play, "red_1", "wagon")
    assert (seen.at, seen.looks) == ((4, 0), looks)
    assert list(looks) == sorted(looks)
    known = units(play.believed("red_1"))
    shown = [each for each in known.values() if each.hold is not None]
    assert [(each.id, each.steps) for each in shown] == [
        (f"{seen.alias}.1", each.steps) for each in riders if each.how != "inside"
    ]


def news(play: Play[State], seat: str) -> bytes:
    return encode([each for _, each in play.numbered(seat)])


def test_twins_with_and_without_people_inside_are_alike_until_they_get_out() -> None:
    full, empty = convoy(ASH), convoy()
    for play in (full, empty):
        give(play, "blue_1", "move", unit="cart", path=[[3, 0], [4, 0]])
        give(play, "blue_1", "end_turn", command="blue_1")
        give(play, "blue_2", "end_turn", command="blue_2")
    assert encode(full.view("red_1")) == encode(empty.view("red_1"))
    assert news(full, "red_1") == news(empty, "red_1")
    for play in (full, empty):
        for command in ("red_1", "red_2"):
            give(play, command, "end_turn", command=command)
    before = dict(full.state.commands["red_1"].contacts)
    give(full, "blue_1", "get_off", unit="ash", at=[5, 0])
    assert news(full, "red_1") != news(empty, "red_1")
    now = full.state.commands["red_1"].contacts
    [ash] = [each for alias, each in now.items() if alias not in before]
    assert (ash.kind, ash.at) == ("unit", (5, 0))


def test_who_gets_out_of_the_back_is_one_fewer_there() -> None:
    play = convoy(BIRCH)
    give(play, "blue_1", "move", unit="cart", path=[[3, 0], [4, 0]])
    alias = contact(play, "red_1", "wagon").alias
    give(play, "blue_1", "get_off", unit="birch", at=[4, 0])
    wagon, unit = contact(play, "red_1", "wagon"), contact(play, "red_1", "unit")
    assert (wagon.alias, wagon.looks) == (alias, {"side": "blue"})
    assert unit.at == (4, 0)


def test_who_boards_before_the_eyes_of_an_enemy_is_gone_from_them() -> None:
    play = convoy(BIRCH)
    give(play, "blue_1", "move", unit="cart", path=[[3, 0], [4, 0]])
    give(play, "blue_1", "get_off", unit="birch", at=[4, 0])
    for command in ("blue_1", "blue_2", "red_1", "red_2"):
        give(play, command, "end_turn", command=command)
    give(play, "blue_1", "board", unit="birch", wagon="cart", how="in_back")
    kinds = [each.kind for each in play.state.commands["red_1"].contacts.values()]
    assert kinds == ["wagon"]
    assert contact(play, "red_1", "wagon").looks == {"in the back": 1, "side": "blue"}


def test_men_of_another_command_are_lent_in_a_hidden_wagon_and_get_home() -> None:
    play = convoy()
    alias = play.state.umpire.aliases["blue_2"]["cart"]
    give(play, "blue_2", "board", unit="elm", wagon=alias, how="inside")
    elm = find(play.state, "elm")
    assert (elm.command, elm.home, part_of(play.state, "elm")) == ("blue_1", "blue_2", "blue_1")
    told = next(each for each in play.state.commands["blue_2"].contacts.values() if each.status == "told")
    assert told.looks == {"name": "Elm", "side": "blue", "with": "blue_1"}
    assert "elm" not in units(play.believed("blue_2"))
    assert "elm" in units(play.believed("blue_1"))
    assert PACKAGE.problems(play.state) == []
    give(play, "blue_1", "move", unit="cart", path=[[3, 0]])
    give(play, "blue_1", "get_off", unit="elm", at=[4, 0])
    elm = find(play.state, "elm")
    assert (elm.command, elm.home, elm.at, part_of(play.state, "elm")) == ("blue_2", "", (4, 0), "blue_2")
    assert all(each.status != "told" for each in play.state.commands["blue_2"].contacts.values())


def test_odds_say_nothing_of_who_is_not_shown() -> None:
    """Of a wagon with people inside an enemy's odds name the wagon alone; of riders on top they name what is shown."""
    for riders, named in (((ASH,), set()), ((CEDAR,), {"{}.1"})):
        play = convoy(*riders, steps=1)
        give(play, "blue_1", "move", unit="cart", path=[[3, 0], [4, 0]])
        for command in ("blue_1", "blue_2"):
            give(play, command, "end_turn", command=command)
        alias = contact(play, "red_1", "wagon").alias
        known = play.believed("red_1")
        weak = replace(find(known, alias, Unit), steps=1)
        part = known.commands[weak.command]
        pieces = {**part.pieces, alias: weak}
        known = replace(known, commands={**known.commands, weak.command: replace(part, pieces=pieces)})
        found = odds_of(PACKAGE, known, SEATS["red_1"], Fire(unit="rowan", target=alias))
        fates = {fate.piece for fate in found.fates} - {"rowan"}
        assert fates == {alias, *(each.format(alias) for each in named)}


SORREL = Start(key="sorrel", command="red_1", at=6, name="Sorrel")


def shot(*, bails_out: int, second: bool = True) -> tuple[Play[State], ScriptedDice]:
    """Rowan hits the weak cart as it comes into range, Ash throws for his life, Sorrel fires if anybody is there."""
    dice = [("opportunity fire rowan", (5,)), ("bail out ash", (bails_out,))]
    answers = [("red_1", ("rowan",))]
    if second:
        dice.append(("opportunity fire sorrel", (5,)))
        answers.append(("red_1", ("sorrel",)))
    script = ScriptedDice(dice, answers)
    play = convoy(ASH, SORREL, script=script, steps=1)
    give(play, "blue_1", "move", unit="cart", path=[[3, 0], [4, 0]])
    return play, script


def test_who_gets_out_of_a_shot_wagon_is_offered_anew() -> None:
    play, script = shot(bails_out=3)
    assert (script.dice, script.answers) == ([], [])
    ash = find(play.state, "ash", Unit)
    assert (ash.hex, ash.steps, ash.spent, ash.hold, ash.exposed) == (4, 1, 3, None, "")
    assert "cart" not in units(play.state)


def test_who_is_lost_with_his_wagon_is_no_target() -> None:
    play, script = shot(bails_out=2, second=False)
    assert script.dice == []
    assert {"cart", "ash"}.isdisjoint(units(play.state))
    assert not find(play.state, "sorrel", Unit).fired


def test_his_throw_is_told_to_nobody_else() -> None:
    """The enemy learns that the wagon fell; that somebody threw for his life only from who stands there then."""
    play, _ = shot(bails_out=2, second=False)
    lines = [line.text for _, each in play.numbered("red_1") for line in each.lines]
    assert not any("bail" in text for text in lines)
    own = [line.text for _, each in play.numbered("blue_1") for line in each.lines]
    assert any("bail" in text for text in own)


def test_what_was_begun_ends_with_a_state_that_holds() -> None:
    for bails_out in (2, 3):
        play, _ = shot(bails_out=bails_out, second=bails_out > 2)
        assert PACKAGE.problems(play.state) == []
