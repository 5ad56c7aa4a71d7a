"""What commands come to know in a blind battle: contacts, what is remembered, what they read."""

from __future__ import annotations

from time import perf_counter

import msgspec
import pytest

from lnl.happening.movement import Entered
from lnl.package import PACKAGE
from lnl.rules.hidden.spotting import is_spotted
from lnl.state.finding import perceived_enemies, perceives, units_of, weapons_of
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.events import Sighted
from umpire.kernel.ledger import Happened
from umpire.kernel.running import believed_of
from umpire.kernel.states import Contact, Seat, slice_of

BLIND = {"play": "blind"}
WOODS = """
. . . . . . .
. . . F . . .
. . . . . . .
. . . . . . .
"""


def blind(board: str, pieces: str, **more: object) -> Battle:
    return battle(board, pieces, options={**BLIND, **more})


def contacts(fight: Battle, command: str = "us") -> list[Contact]:
    return list(fight.state.commands[command].contacts.values())


def in_sight(fight: Battle, command: str = "us") -> set[str]:
    """True ids of what a command has before its eyes."""
    return set(fight.state.umpire.aliases.get(command, {}))


def end_turns(fight: Battle) -> None:
    fight.phase("rally", "us")
    fight.phase("operations", "us")


@pytest.mark.rule("core 10.1")
def test_who_stands_in_the_open_is_seen_and_who_is_in_the_woods_is_not() -> None:
    fight = blind(WOODS, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2\nge h squad 1-6-4-5 F2")
    assert in_sight(fight) == set()
    fight = blind(WOODS, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2\nge h squad 1-6-4-5 D4")
    assert in_sight(fight) == {"h"}
    assert in_sight(fight, "ge") == {"a"}


@pytest.mark.rule("core 10.1")
def test_a_contact_has_looks_and_nothing_else() -> None:
    fight = blind(CLEAR, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2 mg42, moved")
    (seen,) = contacts(fight)
    assert (seen.kind, seen.at, seen.status) == ("unit", fight.at("D2"), "in_sight")
    (held,) = fight.guns("g")
    counter, gun = fight.unit("g").counter, fight.weapon(held).counter
    assert seen.looks == {"counter": counter, "moved": "move", "side": "ge", "weapons": gun}
    assert "g" not in msgspec.json.encode(slice_of(fight.state, ("us",))).decode().split('"')


@pytest.mark.rule("core 10.1")
def test_who_moves_is_seen_while_he_is_in_a_line_of_sight() -> None:
    board = "\n. . . . . . .\n. . F . F . .\n. . F . F . .\n. . . . . . .\n"
    fight = blind(board, "us a squad 2-5-4-6 D1\nge g squad 1-6-4-5 B4\nge x squad 1-6-4-5 A3")
    fight.give("us", "Pass")
    assert "g" not in in_sight(fight)
    fight.give("ge", "Move", units=["g"], path=[fight.at(to) for to in ("C4", "D4")])
    assert "g" in in_sight(fight)
    assert any(line == "In sight: Squad at D4." for line in fight.lines("us"))


@pytest.mark.rule("core 10.1", "core 9.0")
def test_markers_that_come_off_end_the_sighting_and_the_place_is_remembered() -> None:
    fight = blind(WOODS, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2 fired\nge h squad 1-6-4-5 F2")
    assert in_sight(fight) == {"g"}
    (alias,) = fight.state.umpire.aliases["us"].values()
    end_turns(fight)
    assert in_sight(fight) == set()
    (kept,) = contacts(fight)
    assert (kept.alias, kept.status, kept.at) == (alias, "remembered", fight.at("D2"))
    assert any("Lost from sight" in line for line in fight.lines("us"))
    believed = fight.play.believed("us")
    assert [each.side for each in units_of(believed.public)] == []


@pytest.mark.rule("core 10.1")
def test_what_is_remembered_goes_when_its_place_is_seen_empty_and_the_next_sighting_has_another_name() -> None:
    fight = blind(WOODS, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2 fired\nge h squad 1-6-4-5 F2")
    (first,) = fight.state.umpire.aliases["us"].values()
    end_turns(fight)
    fight.play.correct({"verb": "MoveTo", "piece": "g", "at": list(fight.at("G4"))}, "away")
    assert [each.status for each in contacts(fight) if each.alias == first] == ["remembered"]
    fight.play.correct({"verb": "MoveTo", "piece": "a", "at": list(fight.at("D1"))}, "closer")
    assert first not in fight.state.commands["us"].contacts
    assert first not in fight.state.umpire.aliases["us"].values()


@pytest.mark.rule("core 10.1")
def test_a_spotting_attempt_shows_who_is_there_until_markers_come_off() -> None:
    fight = blind(WOODS, "us a squad 2-5-4-6 A2\nus b squad 2-5-4-6 A3\nge g squad 1-6-4-5 D2\nge h squad 1-6-4-5 D2")
    fight.give("us", "Spot", [("spot", 2)], unit="a", target=fight.at("D2"))
    assert in_sight(fight) == {"g", "h"}
    assert fight.state.commands["us"].spotted == (fight.at("D2"),)
    assert not fight.state.public.spotted
    assert is_spotted(fight.play.believed("us"), "us", fight.at("D2"))
    assert not any("spot" in line.lower() for line in fight.lines("ge"))


@pytest.mark.rule("core 10.1")
def test_an_attempt_at_an_empty_place_finds_nobody_whatever_the_die() -> None:
    fight = blind(WOODS, "us a squad 2-5-4-6 A2\nus b squad 2-5-4-6 A3\nge g squad 1-6-4-5 G4 shaken")
    fight.give("us", "Spot", [("spot", 1)], unit="a", target=fight.at("D2"))
    assert fight.state.commands["us"].spotted == ()
    assert fight.unit("a").ops_complete


@pytest.mark.rule("core 10.1")
def test_what_is_perceived_is_the_same_in_truth_and_in_belief() -> None:
    fight = blind(
        WOODS, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2 fired\nge h squad 1-6-4-5 F1\nge i squad 1-6-4-5 G4"
    )
    believed = fight.play.believed("us")
    alias = fight.state.umpire.aliases["us"]
    truly = {alias[each.id] for each in perceived_enemies(fight.state, "us")}
    assert truly == {each.id for each in perceived_enemies(believed, "us")}
    assert perceives(fight.state, "us", "g")
    for column in range(1, 8):
        for row in range(1, 5):
            place = (column, row, 0)
            assert is_spotted(fight.state, "us", place) == is_spotted(believed, "us", place)


@pytest.mark.rule("core 6.0")
def test_who_is_next_to_a_mover_is_seen_only_when_opportunity_fire_is_over() -> None:
    """LNL-051 in a blind battle: the mover is shaken in the hex that he enters."""
    board = "\n. . . . . . . . . . . . .\n. . . . . . . . . . . . .\n. . . . H . . . . . . . .\n"
    pieces = "us a squad 2-5-4-6 E1\nge h squad 1-6-4-5 E3\nge g squad 1-6-4-5 M2 mg42"
    for dice, is_seen in (
        ([("attack", 3), ("defence", 3), ("damage check", 4)], False),
        ([("attack", 3), ("defence", 6)], True),
    ):
        fight = battle(board, pieces, options=BLIND, standing="hold")
        fight.play.order(
            "ge", {"verb": "GiveStandingOrders", "command": "ge", "unit": "g", "standing": {"fire": "free"}}
        )
        fight.give("us", "Move", dice, units=["a"], path=[fight.at("E2")])
        assert ("h" in in_sight(fight)) is is_seen


def test_sightings_come_in_the_order_of_looks_whatever_the_ids() -> None:
    """The order of ids would tell who has been seen before."""
    squad, half = "squad 1-6-4-5", "squad 0-3-4-5"
    seen = []
    for first, second in ((squad, half), (half, squad)):
        fight = blind(CLEAR, f"us a squad 2-5-4-6 A2\nge b {first} D2\nge z {second} D2")
        entries = [entry.event for entry in fight.play.tree.path() if isinstance(entry, Happened)]
        mine = [each for each in entries if isinstance(each, Sighted) and each.command == "us"]
        seen.append([each.contact.looks["counter"] for each in mine])
    assert seen[0] == seen[1]
    assert len(seen[0]) == 2


@pytest.mark.rule("core 21.4")
def test_mines_are_not_seen_and_other_works_in_the_open_are() -> None:
    fight = blind(CLEAR, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 G6\nge m mines D2 hidden\nge w wire D3 hidden")
    assert {"w", "g"} <= in_sight(fight)
    assert "m" not in in_sight(fight)
    assert [each.looks["work"] for each in contacts(fight) if each.kind == "work"] == ["wire"]


@pytest.mark.rule("core 10.1")
def test_others_read_nothing_of_what_is_out_of_sight() -> None:
    board = "\n. . . F . . .\n. . . F . . .\n. . . F . . .\n. . . F . . .\n"
    fight = blind(board, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 G2\nge h squad 1-6-4-5 G3")
    fight.give("us", "Pass")
    said = len(fight.lines("us"))
    fight.give("ge", "Move", units=["g"], path=[fight.at("G1")])
    fight.give("ge", "EndImpulse")
    assert fight.lines("us")[said:] == ["Germany has ended its impulse."]
    assert any("into G1" in line for line in fight.lines("ge"))


@pytest.mark.rule("core 20.0")
def test_by_night_contacts_end_after_two_hexes_but_for_who_has_fired() -> None:
    fight = blind(CLEAR, "us a squad 2-5-4-6 A4\nge g squad 1-6-4-5 C5\nge h squad 1-6-4-5 D4", hour="night")
    assert in_sight(fight) == {"g"}
    fight.set("h", fired=True)
    assert in_sight(fight) == {"g", "h"}


@pytest.mark.rule("core 10.1")
def test_a_stack_moves_under_thirty_eyes_within_its_budget() -> None:
    """20 ms for what commands come to know of a step."""
    eyes = [f"us a{n} squad 2-5-4-6 {'ABCDEFGHIJ'[n % 10]}{1 + n // 10}" for n in range(30)]
    movers = [f"ge g{n} squad 1-6-4-5 E7" for n in range(3)]
    fight = blind(CLEAR, "\n".join([*eyes, *movers]))
    step = Entered(units=("g0", "g1", "g2"), at=fight.at("E6"), spent={"g0": 1, "g1": 1, "g2": 1})
    after = PACKAGE.apply(fight.state, step)
    PACKAGE.notice(fight.state, step, after)
    begun = perf_counter()
    PACKAGE.notice(fight.state, step, after)
    assert perf_counter() - begun < 0.02


@pytest.mark.rule("core 10.1")
def test_a_belief_takes_a_contact_for_the_unit_that_it_shows() -> None:
    fight = blind(CLEAR, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2 mg42, shaken, moved")
    believed = fight.play.believed("us")
    (enemy,) = [each for each in units_of(believed.public) if each.side == "ge"]
    assert (enemy.command, enemy.counter, enemy.is_shaken, enemy.moved) == ("", fight.unit("g").counter, True, "move")
    assert [(gun.counter, gun.owner) for gun in weapons_of(believed, enemy)] == [
        (fight.weapon("g.1").counter, enemy.id)
    ]
    nobody = believed_of(PACKAGE, fight.state, Seat(name="gallery", role="observer"))
    assert not nobody.public.pieces


@pytest.mark.rule("core 10.1")
def test_what_is_seen_anew_takes_what_is_remembered_of_its_place_with_it_at_once() -> None:
    """Otherwise the memories would go at the next event, also of somebody whom nobody sees."""
    board = WOODS.replace(". . . . . . .\n. . . F", ". . . . . . .\nF . . F", 1).replace(
        "F . . F . . .", ". . . F . . F", 1
    )
    fight = blind(board, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2 fired\nge h squad 1-6-4-5 D2")
    end_turns(fight)
    assert [each.status for each in contacts(fight)] == ["remembered", "remembered"]
    fight.play.correct({"verb": "MoveTo", "piece": "g", "at": list(fight.at("G2"))}, "away, in the next wood")
    assert [each.status for each in contacts(fight)] == ["remembered", "remembered"]
    fight.play.correct({"verb": "Change", "piece": "h", "field": "fired", "value": True}, "it fires")
    assert [each.status for each in contacts(fight)] == ["in_sight"]
    assert not list(PACKAGE.look(None, fight.state))
