"""What writing pieces makes of a state: nobody is torn from his holder, and each stands where he belongs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kernel.pieces.table import A, B, Believed, C, Cart, Gun, Man, Row, State, piece, table
from umpire.kernel.pieces.changing import (
    add,
    closed,
    hold,
    lend,
    opened,
    put_at,
    release,
    take,
    with_piece,
    with_pieces,
)
from umpire.kernel.pieces.events import Boarded, Lent, PutDown, boarded, lent, put_down
from umpire.kernel.pieces.finding import find, has, held, of_kind, part_of
from umpire.kernel.pieces.piece import Hold, Piece
from umpire.kernel.pieces.problems import problems
from umpire.kernel.values.maps import is_ordered

IDS = ("m1", "m2", "m3", "r1", "c1", "c2", "g1", "g2")


@pytest.fixture
def state() -> State:
    """Open: a cart, a man with a gun. Hidden: blue's man in his cart, red's man and red's cart. Nobody's: a gun."""
    return table(
        public=(Row("c1", Cart, at=B), Row("m1", at=A), Row("g1", Gun, at=A, by="m1", how="hands")),
        hidden=(
            Row("m2", at=C, by="m3"),
            Row("m3", Cart, at=C),
            Row("r1", command="red", at=A),
            Row("c2", Cart, command="red", at=C),
        ),
        nobody=(Row("g2", Gun, at=C),),
    )


def names(state: State, by: str) -> list[str]:
    return [each.id for each in held(state, by, deep=True)]


def test_who_moves_takes_along_all_that_he_holds(state: State) -> None:
    state = hold(state, "m1", "c1", "in")
    state = put_at(state, "c1", C, spent=3)
    assert {each: find(state, each).at for each in ("c1", "m1", "g1")} == dict.fromkeys(("c1", "m1", "g1"), C)
    assert find(state, "c1", Man).spent == 3
    assert find(state, "m1", Man).spent == 0


def test_a_held_piece_is_moved_by_nothing_but_its_holder(state: State) -> None:
    with pytest.raises(ValueError, match="held"):
        put_at(state, "g1", C)
    with pytest.raises(ValueError, match="put_at"):
        with_piece(state, "g1", at=C)
    with pytest.raises(ValueError, match="hold and release"):
        with_piece(state, "m1", hold=Hold(by="c1", how="in"))
    with pytest.raises(ValueError, match="lend"):
        with_piece(state, "m1", command="red")
    with pytest.raises(ValueError, match="command"):
        put_at(state, "m1", C, command="red")


def test_who_boards_comes_into_the_part_and_under_the_command_of_his_holder(state: State) -> None:
    state = hold(state, "m1", "c2", "in")
    assert names(state, "c2") == ["m1", "g1"]
    assert {part_of(state, each) for each in ("m1", "g1", "c2")} == {"red"}
    assert {find(state, each).command for each in ("m1", "g1")} == {"red"}
    assert {find(state, each).at for each in ("m1", "g1")} == {C}


def test_who_comes_later_has_the_next_number_also_when_one_has_gone(state: State) -> None:
    state = hold(hold(state, "g2", "m1", "hands"), "m2", "m1", "carried")
    assert [(each.id, each.hold) for each in held(state, "m1")] == [
        ("g1", Hold(by="m1", how="hands", n=1)),
        ("g2", Hold(by="m1", how="hands", n=2)),
        ("m2", Hold(by="m1", how="carried", n=3)),
    ]
    state = hold(release(state, "g1"), "g1", "m1", "hands")
    assert names(state, "m1") == ["g2", "m2", "g1"]


def test_nobody_is_held_by_whom_he_holds(state: State) -> None:
    with pytest.raises(ValueError, match="cannot be held"):
        hold(state, "m1", "g1", "in")
    with pytest.raises(ValueError, match="cannot be held"):
        hold(state, "m1", "m1", "in")


def test_who_is_put_down_stands_where_he_is_put_or_where_his_holder_was(state: State) -> None:
    assert find(release(state, "m2"), "m2").at == C
    state = release(state, "m2", B, spent=2)
    assert (find(state, "m2").at, find(state, "m2", Man).spent, find(state, "m2").hold) == (B, 2, None)
    with pytest.raises(ValueError, match="nobody"):
        release(state, "m2")


def test_what_falls_from_hidden_hands_can_be_nobodys(state: State) -> None:
    state = hold(state, "g2", "r1", "hands")
    assert part_of(state, "g2") == "red"
    assert part_of(release(state, "g2", to=""), "g2") == ""


def test_who_is_set_down_from_a_holder_off_the_board_is_off_it(state: State) -> None:
    state = with_piece(state, "m3", is_off=True)
    assert not find(release(state, "m2"), "m2").stands
    assert find(release(state, "m2", is_off=False), "m2").stands


def test_who_is_lent_gets_home_with_all_he_holds_when_he_is_put_down(state: State) -> None:
    state = closed(state, ["m1"])
    state = hold(lend(state, "m1", "red"), "m1", "c2", "in")
    assert [(each.command, each.home) for each in held(state, "c2", deep=True)] == [("red", "blue")] * 2
    assert {part_of(state, each) for each in ("m1", "g1")} == {"red"}
    state = release(state, "m1", A)
    assert [(each.id, each.command, each.home) for each in of_kind(state, Piece) if each.id in ("m1", "g1")] == [
        ("g1", "blue", ""),
        ("m1", "blue", ""),
    ]
    assert {part_of(state, each) for each in ("m1", "g1")} == {"blue"}


def test_a_prisoner_stays_with_his_captors(state: State) -> None:
    state = hold(lend(closed(state, ["m1"]), "m1", "red"), "m1", "c2", "in")
    state = release(state, "m1", A, is_kept=True)
    assert (part_of(state, "m1"), find(state, "m1").command, find(state, "m1").home) == ("red", "red", "blue")


def test_in_a_belief_that_has_not_his_home_he_stays_in_his_part(state: State) -> None:
    state = hold(lend(closed(state, ["m1"]), "m1", "red"), "m1", "c2", "in")
    believed = Believed(public=state.public, commands={"red": state.commands["red"]}, umpire=state.umpire)
    after = release(believed, "m1", A)
    assert isinstance(after, Believed)
    assert (part_of(after, "m1"), find(after, "m1").command) == ("red", "blue")


def test_a_gun_that_a_lent_man_was_given_aboard_is_his(state: State) -> None:
    state = hold(lend(closed(state, ["m1"]), "m1", "red"), "m1", "c2", "in")
    state = release(hold(state, "g2", "m1", "hands"), "m1", A)
    assert (find(state, "g2").command, find(state, "g2").home, part_of(state, "g2")) == ("blue", "", "blue")


def test_what_is_opened_is_opened_with_its_load_and_its_holders(state: State) -> None:
    state = opened(state, ["m2"])
    assert {part_of(state, each) for each in ("m2", "m3")} == {"public"}
    assert opened(state, ["m3", "m2"]) == state
    state = closed(state, ["m3"])
    assert {part_of(state, each) for each in ("m2", "m3")} == {"blue"}


def test_who_is_taken_away_takes_his_load_or_leaves_it(state: State) -> None:
    assert not has(take(state, "m1"), "g1")
    left = take(state, "m1", load="down")
    assert not has(left, "m1")
    assert find(left, "g1").stands
    assert find(left, "g1").at == A


def test_a_piece_more_stands_where_it_is_said_and_a_held_one_with_its_holder(state: State) -> None:
    assert part_of(add(state, piece(Row("x"))), "x") == "blue"
    assert part_of(add(state, piece(Row("x")), "public"), "x") == "public"
    assert part_of(add(state, piece(Row("x")), ""), "x") == ""
    state = add(state, piece(Row("x", Gun, by="c2", how="on")))
    assert (part_of(state, "x"), find(state, "x").command, find(state, "x").at) == ("red", "red", C)
    with pytest.raises(ValueError, match="already"):
        add(state, piece(Row("x")))


def test_open_men_open_the_hidden_carrier_and_an_open_one_opens_hidden_men(state: State) -> None:
    after = boarded(state, Boarded(pieces=("m1",), by="m3", how="in"))
    assert {part_of(after, each) for each in ("m1", "g1", "m2", "m3")} == {"public"}
    after = boarded(state, Boarded(pieces=("m2",), by="c1", how="in"))
    assert part_of(after, "m2") == "public"


def test_events_lend_board_and_put_down(state: State) -> None:
    state = closed(state, ["m1"])
    state = lent(state, Lent(pieces=("m1",), to="red"))
    state = boarded(state, Boarded(pieces=("m1", "r1"), by="c2", how="in"))
    assert [each.id for each in held(state, "c2")] == ["m1", "r1"]
    state = put_down(state, PutDown(pieces=("r1", "m1"), places=(A, B), out_of="c2", why="unloaded"))
    assert {each: (find(state, each).at, part_of(state, each)) for each in ("r1", "m1", "g1")} == {
        "r1": (A, "red"),
        "m1": (B, "blue"),
        "g1": (B, "blue"),
    }


def test_what_is_not_there_is_an_error(state: State) -> None:
    for function in (
        lambda: put_at(state, "x", A),
        lambda: hold(state, "x", "c1", "in"),
        lambda: hold(state, "m1", "x", "in"),
        lambda: release(state, "x"),
        lambda: take(state, "x"),
        lambda: opened(state, ["x"]),
        lambda: with_pieces(state, [piece(Row("x"))]),
    ):
        with pytest.raises(KeyError):
            function()


def test_problems_name_what_is_wrong() -> None:
    def of(*rows: Row, hidden: tuple[Row, ...] = ()) -> list[str]:
        return list(problems(table(public=rows, hidden=hidden)))

    assert of(Row("c1", Cart), Row("m1", by="c1")) == []
    assert of(Row("m1", by="x")) == ["m1 is held by x, which is not there"]
    assert of(Row("c1", Cart), Row("m1", at=B, by="c1")) == ["m1 is at 2, 1 and its holder c1 at 1, 1"]
    assert of(Row("c1", Cart), hidden=(Row("m1", by="c1"),)) == [
        "m1 in the part of blue is held by c1 in the public part"
    ]
    assert of(Row("c1", Cart, command="red"), Row("m1", by="c1")) == ["m1 of blue is held by c1 of red"]
    assert of(Row("c1", Cart), Row("m1", by="c1"), Row("m2", by="c1")) == ["c1 holds 2 pieces under the number 1"]
    assert of(Row("c1", Cart), hidden=(Row("c1", Cart),)) == ["c1 stands in the public part and in the part of blue"]
    chain = [Row("c0", Cart), *(Row(f"c{n}", Cart, by=f"c{n - 1}") for n in range(1, 6))]
    assert of(*chain) == ["c5 is held 5 deep: at most 4"]
    state = table(public=(Row("c1", Cart),))
    strayed = replace(
        state, commands={**state.commands, "red": replace(state.commands["red"], pieces=state.public.pieces)}
    )
    assert "c1 of blue stands in the part of red" in list(problems(strayed))


Deed = tuple[str, str, str]
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(("hold", "release", "put", "open", "close", "lend", "take", "add", "board", "down")),
        st.sampled_from(IDS),
        st.sampled_from(IDS),
    ),
    max_size=25,
)


def done(state: State, deed: Deed) -> State:
    what, one, other = deed
    match what:
        case "hold":
            return hold(state, one, other, "in")
        case "release":
            return release(state, one, C, is_kept=other > one)
        case "put":
            return put_at(state, one, B)
        case "open":
            return opened(state, [one])
        case "close":
            return closed(state, [one])
        case "lend":
            return lend(state, one, "red" if other > one else "blue")
        case "take":
            return take(state, one, load="too" if other > one else "down")
        case "add":
            return add(state, piece(Row(one, by=other if has(state, other) else "")))
        case "board":
            return boarded(state, Boarded(pieces=(one, other), by="c1", how="on"))
        case _:
            return put_down(state, PutDown(pieces=(one,), places=(A,), why="out"))


@settings(max_examples=300, deadline=None)
@given(DEEDS)
def test_after_whatever_was_done_each_is_where_his_holder_is_and_led_by_the_same(deeds: list[Deed]) -> None:
    """But for the depth, which a sequence of boardings may pass: that is for the rules and the umpire."""
    state = table(
        public=(Row("c1", Cart, at=B), Row("m1"), Row("g1", Gun, by="m1")),
        hidden=(Row("m2"), Row("r1", command="red"), Row("c2", Cart, command="red"), Row("m3", at=C)),
        nobody=(Row("g2", Gun, at=C),),
    )
    for deed in deeds:
        try:
            after = done(state, deed)
        except (KeyError, ValueError):
            continue
        state = after
        assert [each for each in problems(state) if "deep" not in each] == []
        parts = (state.public, *state.commands.values(), state.umpire)
        assert all(is_ordered(part.pieces) for part in parts)
