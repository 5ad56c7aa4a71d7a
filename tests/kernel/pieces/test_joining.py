"""Old states with several maps and owners are read as states with pieces and holds."""

from __future__ import annotations

from typing import Any

from umpire.kernel.pieces.joining import joined_maps, joined_piece


def old() -> dict[str, Any]:
    unit = {"id": "u1", "command": "blue", "weapons": ["w9", "w1"]}
    return {
        "public": {
            "turn": 2,
            "units": {"u1": unit},
            "weapons": {"w1": {"id": "w1", "owner": "u1"}, "w9": {"id": "w9", "owner": "u1"}},
        },
        "commands": {
            "red": {
                "units": {"u0": {"id": "u0", "command": "red"}},
                "weapons": {"b": {"id": "b", "owner": "u0"}, "a": {"id": "a", "owner": "u0"}},
                "contacts": {},
            }
        },
        "umpire": {"weapons": {"w5": {"id": "w5", "owner": ""}}},
    }


def test_maps_become_one_owners_hold_and_lists_are_their_order() -> None:
    found = joined_maps(old(), {"units": "unit", "weapons": "weapon"})
    assert found["public"] == {
        "turn": 2,
        "pieces": {
            "u1": {"piece": "unit", "id": "u1", "command": "blue"},
            "w1": {"piece": "weapon", "id": "w1", "hold": {"by": "u1", "how": "possessed", "n": 2}},
            "w9": {"piece": "weapon", "id": "w9", "hold": {"by": "u1", "how": "possessed", "n": 1}},
        },
    }
    assert list(found["public"]["pieces"]) == ["u1", "w1", "w9"]
    red = found["commands"]["red"]
    assert red["contacts"] == {}
    assert {key: each.get("hold") for key, each in red["pieces"].items()} == {
        "a": {"by": "u0", "how": "possessed", "n": 1},
        "b": {"by": "u0", "how": "possessed", "n": 2},
        "u0": None,
    }
    assert found["umpire"] == {"pieces": {"w5": {"piece": "weapon", "id": "w5"}}}


def test_a_piece_in_an_entry_is_read_alike() -> None:
    assert joined_piece({"id": "w", "owner": "u"}, "weapon", n=3) == {
        "piece": "weapon",
        "id": "w",
        "hold": {"by": "u", "how": "possessed", "n": 3},
    }
    assert joined_piece({"id": "w", "owner": "", "at": [1]}, "weapon") == {"piece": "weapon", "id": "w", "at": [1]}
    unit = joined_piece({"id": "u", "weapons": ["w"]}, "unit", lists=("weapons",))
    assert unit == {"piece": "unit", "id": "u"}
