"""Target selection: potential criticals, the even spread of hits, who answers."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from fireforce.happening.fire import HitsAllocated, HitsScored
from fireforce.rules.fire.target_selection import potential_criticals
from fireforce.state.finding import (
    figure,
)
from tests.fireforce.rules.from_lines import Table, battle, happened
from umpire.kernel.ledger import Asked, Drawn, Thrown
from umpire.kernel.pieces.changing import with_piece
from umpire.kernel.values.modifiers import total

MANY = """
regular    r*10  trained m16   10,12   squad 1
guerrilla  g*3   trained ak47  20,17   squad 9
guerrilla  h1    trained rpk   20,20   squad 9, gunner
"""
FIRERS = tuple(f"r{number}" for number in range(1, 11))


@pytest.mark.rule("fireforce target-selection")
@pytest.mark.parametrize(
    ("quality", "hits", "expected"),
    [
        ("elite", 3, 1),
        ("elite", 10, 5),
        ("veteran", 6, 2),
        ("trained", 10, 2),
        ("poor", 10, 2),
        ("green", 3, 1),
        ("green", 10, 1),
        ("sniper", 4, 4),
        ("trained", 0, 0),
    ],
)
def test_potential_criticals(quality: str, hits: int, expected: int) -> None:
    """House rules G5, reading C10: at least one of those that hit, and none where nothing hit."""
    state = battle(MANY)
    assert potential_criticals(state, hits, quality, True) == expected  # type: ignore[arg-type]
    assert potential_criticals(state, hits, quality, False) == 0  # type: ignore[arg-type]


@pytest.mark.rule("fireforce target-selection")
def test_nobody_takes_a_second_hit_before_all_have_one() -> None:
    """Six hits on four men: one each; the target's player names who takes another, and who the critical hit forgone."""
    table = Table(battle(MANY))
    entries = table.order(
        "regular",
        "Fire",
        "hits row 20 10",
        *[f"save {man} 10" for man in ("g1", "g2", "g2", "g3", "h1", "h1")],
        answers=[("guerrilla", ("g2",)), ("regular", ("forgo",)), ("guerrilla", ("h1",))],
        figures=FIRERS,
        target="g1",
    )
    asked = [question for entry in entries if isinstance(entry, Asked) for question in entry.questions.values()]
    assert [each.kind for each in asked] == ["losses", "critical", "losses"]
    assert (asked[-1].least, asked[-1].most) == (1, 1)
    assert [choice.id for choice in asked[-1].choices] == ["g1", "g3", "h1"]
    assert Counter(happened(entries, HitsAllocated)[0].figures) == {"g1": 1, "g2": 2, "g3": 1, "h1": 2}


@pytest.mark.rule("fireforce target-selection")
def test_a_critical_hit_goes_where_the_firer_wants_it() -> None:
    """2 of 10 hits... of 4: one critical; the others are spread over all, and the gunner takes one more."""
    table = Table(battle(MANY))
    entries = table.order(
        "regular",
        "Fire",
        "hits row 20 3",
        "critical 1 6",
        *[f"save {man} 10" for man in ("g1", "g2", "g3", "h1")],
        answers=[("guerrilla", ("g1", "g2", "g3")), ("regular", ("h1",))],
        figures=FIRERS,
        target="g1",
    )
    allocated = happened(entries, HitsAllocated)[0]
    assert allocated.criticals == ("h1",)
    assert Counter(allocated.figures) == {"g1": 1, "g2": 1, "g3": 1, "h1": 1}


@pytest.mark.rule("fireforce target-selection")
def test_a_critical_hit_that_fails_is_lost() -> None:
    """House rules G6: trained men need 6."""
    table = Table(battle("regular r*2 trained m16 10,20 squad 1\nguerrilla g1 trained ak47 20,20"))
    entries = table.order(
        "regular",
        "Fire",
        "hits row 4 6",
        "critical 1 5",
        answers=[("regular", ("g1",))],
        figures=("r1", "r2"),
        target="g1",
    )
    assert happened(entries, HitsScored)[0].hits == 1
    assert happened(entries, HitsAllocated) == []
    assert not figure(table.state, "g1").is_pinned


@pytest.mark.rule("fireforce target-selection")
@pytest.mark.parametrize(
    ("quality", "needed"), [("elite", 4), ("veteran", 5), ("trained", 6), ("poor", 8), ("green", 9)]
)
def test_what_a_critical_needs(quality: str, needed: int) -> None:
    state = battle(f"regular r*2 {quality} m60 10,20 squad 1\nguerrilla g1 trained ak47 20,20")
    table = Table(state)
    row = 12 if quality not in ("poor", "green") else 6
    table.script.otherwise = lambda command, question, state: ("g1",)
    entries = table.order(
        "regular",
        "Fire",
        f"hits row {row} {3 - (2 if quality == 'elite' else 0)}",
        "critical 1 1",
        *(["save g1 10"] if row == 12 else []),
        figures=("r1", "r2"),
        target="g1",
    )
    roll = next(entry.roll for entry in entries if isinstance(entry, Thrown) and entry.roll.purpose == "critical")
    assert [(band.low, band.high, band.result) for band in roll.bands] == [
        (1, needed - 1, "lost"),
        (needed, 10, "hit"),
    ]


@pytest.mark.rule("fireforce target-selection")
def test_one_more_is_needed_where_only_the_chosen_is_in_hard_cover() -> None:
    pieces = "regular r*2 trained m16 10,20 squad 1\nguerrilla g1 trained ak47 20,20\nguerrilla g2 trained ak47 20,22.5"
    for further, needed in (("g1 in hard cover", 7), ("g2 in hard cover", 6)):
        table = Table(battle(pieces, further))
        row, face = (2, 12) if "g1" in further else (4, 7)
        entries = table.order(
            "regular",
            "Fire",
            f"hits row {row} {face}",
            "critical 1 1",
            answers=[("regular", ("g1",))],
            figures=("r1", "r2"),
            target="g1",
        )
        roll = next(entry.roll for entry in entries if isinstance(entry, Thrown) and entry.roll.purpose == "critical")
        assert roll.bands[-1].low == needed
        assert total(roll.modifiers) == 6 - needed


@pytest.mark.rule("fireforce target-selection")
def test_prophylactic_fire_has_no_criticals() -> None:
    table = Table(battle(MANY))
    entries = table.order("regular", "Fire", "hits row 4 6", "save g1 10", figures=("r1",), target="g1", aimed=False)
    assert happened(entries, HitsScored)[0].criticals == 0
    assert [command for command, _ in table.asked] == ["guerrilla"]


@pytest.mark.rule("fireforce target-selection")
def test_standing_orders_give_up_riflemen_first_or_stand_in_order() -> None:
    pieces = """
    regular    r*2  trained m16   10,20   squad 1
    guerrilla  a1   trained ak47  20,20   squad 9, leader
    guerrilla  b1   trained rpk   20,21   squad 9, gunner
    guerrilla  c1   trained ak47  20,22   squad 9
    """
    for standing, hit in (("losses riflemen first", "c1"), ("losses in order", "a1")):
        state = battle(pieces, standing=[f"guerrilla: {standing}", "regular: criticals forgo"])
        table = Table(state)
        table.order("regular", "Fire", "hits row 4 6", f"save {hit} 10", figures=("r1", "r2"), target="a1")
        assert figure(table.state, hit).is_pinned


@pytest.mark.rule("fireforce target-selection")
def test_standing_orders_take_criticals_at_the_heaviest_weapon_in_sight() -> None:
    table = Table(battle(MANY, standing=["squad 1: criticals take"]))
    table.order("regular", "Fire", "hits row 2 11", "critical 1 6", "save h1 10", figures=("r1",), target="g1")
    assert figure(table.state, "h1").is_pinned


@pytest.mark.rule("fireforce target-selection")
def test_with_the_option_chance_spreads_the_hits_and_still_evenly() -> None:
    table = Table(battle(MANY, options={"random_hits": True}, standing=["regular: criticals forgo"]))
    entries = table.order(
        "regular",
        "Fire",
        "hits row 20 6",
        *[f"save {man} 10" for man in ("g1", "g2", "g3", "g3", "h1")],
        draws=[("hit", "g3")],
        figures=FIRERS,
        target="g1",
    )
    assert sum(isinstance(entry, Drawn) for entry in entries) == 1
    assert Counter(happened(entries, HitsAllocated)[0].figures)["g3"] == 2


@pytest.mark.rule("fireforce target-selection")
def test_the_firer_is_asked_in_names_that_he_knows() -> None:
    """The aliases and labels that the question holds are those of his contacts; nothing in it is a true id or name."""
    state = battle(MANY)
    known = state.umpire.aliases["regular"]
    renamed = {**known, "h1": "cxyzxyz"}
    contacts = dict(state.commands["regular"].contacts)
    contact = contacts.pop("h1")

    contacts["cxyzxyz"] = replace(contact, alias="cxyzxyz")
    state = replace(
        state,
        commands={**state.commands, "regular": replace(state.commands["regular"], contacts=contacts)},
        umpire=replace(state.umpire, aliases={**state.umpire.aliases, "regular": renamed}),
    )
    state = with_piece(state, "h1", name="Colonel Secret")
    table = Table(state)
    table.order("regular", "Fire", "hits row 2 11", "save g1 10", figures=("r1",), target="g1")
    command, question = table.asked[0]
    assert command == "regular"
    choice = next(choice for choice in question.choices if choice.id == "cxyzxyz")
    assert choice.label == "enemy with lmg"
    assert not any("Secret" in str(each) or each.id == "h1" for each in question.choices)
