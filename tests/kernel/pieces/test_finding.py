"""Who is found in a state by id, by kind, by place and by his holder."""

from __future__ import annotations

import pytest
from msgspec import json
from msgspec.structs import replace

from tests.kernel.pieces.table import A, B, Believed, C, Cart, Gun, Man, Row, Squad, State, table
from umpire.kernel.pieces.finding import by_place, find, has, held, of_kind, part_of, root, standing, standing_at
from umpire.kernel.pieces.piece import Piece
from umpire.kernel.pieces.problems import problems


def ids(pieces: tuple[Piece, ...]) -> list[str]:
    return [each.id for each in pieces]


@pytest.fixture
def state() -> State:
    """In the open a cart with two men, of whom one has a gun; hidden a red man with two guns and a reserve; a gun that
    nobody has."""
    return table(
        public=(
            Row("m2", at=B, by="cart", n=1),
            Row("m1", at=B, by="cart", n=2),
            Row("cart", Cart, at=B),
            Row("g1", Gun, at=B, by="m1", how="hands"),
            Row("m3", at=B),
        ),
        hidden=(
            Row("r1", command="red", at=B),
            Row("a1", Gun, command="red", at=B, by="r1", how="hands", n=2),
            Row("z1", Gun, command="red", at=B, by="r1", how="back", n=1),
            Row("r0", command="red", at=B, is_off=True),
        ),
        nobody=(Row("lost", Gun, at=C),),
    )


def test_a_piece_is_found_in_whatever_part_it_stands(state: State) -> None:
    assert {part_of(state, each): find(state, each).id for each in ("cart", "r1", "lost")} == {
        "public": "cart",
        "red": "r1",
        "": "lost",
    }
    with pytest.raises(KeyError):
        part_of(state, "nobody")
    with pytest.raises(KeyError):
        find(state, "nobody")


def test_a_piece_of_another_kind_is_not_the_one_asked_for(state: State) -> None:
    assert find(state, "cart", Man) is find(state, "cart", Cart)
    assert has(state, "m1", Man)
    assert not has(state, "m1", Cart)
    with pytest.raises(KeyError):
        find(state, "m1", Gun)


def test_by_place_roots_alone_are_found(state: State) -> None:
    assert ids(standing_at(state, B, Man)) == ["cart", "m3", "r1"]
    assert ids(standing_at(state, B, Gun)) == []
    assert ids(standing_at(state, C, Gun)) == ["lost"]
    assert standing_at(state, A, Man) == ()
    assert {place: [each.id for each in there] for place, there in by_place(state, Man).items()} == {
        B: ["cart", "m3", "r1"]
    }


def test_everybody_of_a_kind_is_another_question_than_who_stands(state: State) -> None:
    assert ids(of_kind(state, Man)) == ["cart", "m1", "m2", "m3", "r0", "r1"]
    assert ids(standing(state, Man)) == ["cart", "m3", "r1"]
    assert ids(of_kind(state, Cart)) == ["cart"]
    assert ids(of_kind(state, Gun)) == ["g1", "a1", "z1", "lost"]


def test_who_is_held_comes_in_the_order_in_which_he_came(state: State) -> None:
    assert ids(held(state, "cart")) == ["m2", "m1"]
    assert ids(held(state, "cart", deep=True)) == ["m2", "m1", "g1"]
    assert ids(held(state, "cart", Gun, deep=True)) == ["g1"]
    assert ids(held(state, "r1")) == ["z1", "a1"]
    assert ids(held(state, "r1", how="hands")) == ["a1"]
    assert held(state, "nobody") == ()


def test_the_root_of_a_gun_in_the_hands_of_a_man_in_a_cart_is_the_cart(state: State) -> None:
    assert root(state, "g1").id == "cart"
    assert root(state, "m3").id == "m3"


def test_who_is_nowhere_stands_nowhere() -> None:
    state = table()
    squad = Squad(id="s", command="blue", side="blue")
    state = replace(state, public=replace(state.public, pieces={"s": squad}))
    assert of_kind(state, Squad) == (squad,)
    assert standing(state, Squad) == ()


def test_a_circle_is_an_error_and_no_endless_search() -> None:
    state = table(public=(Row("m1", by="m2"), Row("m2", by="m1")))
    with pytest.raises(ValueError, match="circle"):
        root(state, "m1")
    with pytest.raises(ValueError, match="circle"):
        held(state, "m1", deep=True)
    assert any("circle" in each for each in problems(state))


def test_a_belief_is_searched_alike(state: State) -> None:
    believed = Believed(public=state.public, commands={}, umpire=replace(state.umpire, pieces={}))
    assert ids(standing_at(believed, B, Man)) == ["cart", "m3"]
    assert ids(held(believed, "cart", deep=True)) == ["m2", "m1", "g1"]


def test_what_was_found_in_one_state_is_not_what_is_there_in_the_next(state: State) -> None:
    assert ids(standing_at(state, B, Man)) == ["cart", "m3", "r1"]
    less = replace(state, commands={**state.commands, "red": replace(state.commands["red"], pieces={})})
    assert ids(standing_at(less, B, Man)) == ["cart", "m3"]
    assert ids(of_kind(less, Gun)) == ["g1", "lost"]
    assert ids(standing_at(state, B, Man)) == ["cart", "m3", "r1"]


def test_pieces_keep_their_kind_through_their_bytes(state: State) -> None:
    again = json.decode(json.encode(state), type=State)
    assert again == state
    assert {type(each) for each in of_kind(again, Piece)} == {Man, Cart, Gun}
