"""Entries and first states of before there was one map of pieces are read as they would be written now."""

from __future__ import annotations

import json
from typing import Any

from lnl.package import PACKAGE
from lnl.state.battle import Piece, Public, Unit, Weapon, Work
from lnl.state.finding import carried, unit, weapon, work
from tests.lnl.building import CLEAR, battle
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.pieces.piece import Hold

SQUAD = {"id": "s", "command": "us", "side": "us", "counter": "us_airborne", "at": [2, 3, 0]}
GUN = {"id": "w", "command": "us", "side": "us", "counter": "bar", "at": [2, 3, 0]}
WIRE = {"id": "x", "command": "us", "side": "us", "kind": "wire", "at": [4, 4]}


def read(event: dict[str, Any]) -> Any:
    """An event as version 1 of the ledger had it, as it is read now."""
    entry = {"entry": "happened", "event": event}
    return codec_of(PACKAGE).read_entry(json.dumps(entry).encode(), 1).event


def test_events_carry_pieces() -> None:
    added = read({"event": "added", "unit": {**SQUAD, "is_placed": False, "weapons": ["w"], "arrives": 3}})
    assert added.unit == Unit(
        id="s", command="us", side="us", counter="us_airborne", at=(2, 3, 0), is_off=True, arrives=3
    )
    assert read({"event": "hero_created", "unit": SQUAD}).unit.is_placed
    assert isinstance(read({"event": "combined", "units": ["s", "t"], "into": SQUAD}).into, Unit)
    assert read({"event": "work_placed", "work": WIRE}).work == Work(
        id="x", command="us", side="us", kind="wire", at=(4, 4)
    )


def test_a_weapon_says_who_holds_it() -> None:
    assert read({"event": "added", "weapon": {**GUN, "owner": "s"}}).weapon.hold == Hold(by="s", how="possessed", n=1)
    assert read({"event": "added", "weapon": GUN}).weapon.hold is None


def test_what_was_placed_by_hand_is_not_off_the_board() -> None:
    placed = {"event": "altered", "piece": "s", "field": "is_placed", "value": True, "was": False}
    found = read(placed)
    assert (found.field, found.value, found.was) == ("is_off", False, True)
    other = {"event": "altered", "piece": "s", "field": "is_shaken", "value": True, "was": False}
    assert (read(other).field, read(other).value, read(other).was) == ("is_shaken", True, False)


def test_three_maps_are_one() -> None:
    """Two guns of a squad, in the order in which it had them; one that nobody has; a work; a unit off the board."""
    state = battle(CLEAR, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 J8").state
    first = json.loads(encode(state))
    public, part = first["public"], first["commands"]["us"]
    public["units"] = {
        "a": {**SQUAD, "id": "a", "weapons": ["w", "v"]},
        "b": {**SQUAD, "id": "b", "is_placed": False},
    }
    public["weapons"] = {"v": {**GUN, "id": "v", "owner": "a"}, "w": {**GUN, "owner": "a"}}
    public["works"] = {"x": WIRE}
    part["units"], part["weapons"], part["works"] = {"h": {**SQUAD, "id": "h"}}, {}, {}
    first["umpire"]["weapons"] = {"l": {**GUN, "id": "l"}}
    for each in (public, *first["commands"].values(), first["umpire"]):
        del each["pieces"]
    found = codec_of(PACKAGE).read_first(json.dumps(first).encode(), 1)
    assert sorted(found.public.pieces) == ["a", "b", "v", "w", "x"]
    assert carried(found, unit(found, "a")) == ("w", "v")
    assert (weapon(found, "v").owner, weapon(found, "l").owner) == ("a", "")
    assert (unit(found, "a").is_placed, unit(found, "b").is_placed) == (True, False)
    assert work(found, "x").at == (4, 4)
    assert [list(each.pieces) for each in (found.commands["us"], found.umpire)] == [["h"], ["l"]]


def test_what_the_umpire_may_set_of_a_piece() -> None:
    """By hand the same is set as before pieces had one form: who holds a weapon, and whether a unit is placed."""
    hand = PACKAGE.hand
    shared = {"at", "counter", "traits"}
    assert {*hand.settable(Weapon)} == {*shared, "owner", "is_set_up", "is_jammed"}
    assert {*hand.settable(Work)} == {"at", "kind", "facing", "strength"}
    assert {"is_placed", "is_shaken", "arrives"} < {*hand.settable(Unit)}
    assert not {"is_off", "hold", "home", "id", "command", "side"} & {*hand.settable(Unit)}
    assert "is_off" in Piece.__struct_fields__
    assert "pieces" not in hand.settable(Public)
