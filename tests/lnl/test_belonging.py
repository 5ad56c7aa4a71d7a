"""Whose a piece is, is asked of `lnl.state.belonging`; and what several commands of a side do beside each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import lnl.rules
from lnl.package import PACKAGE
from lnl.state.finding import impulse_of
from tests.lnl.building import Battle, battle
from umpire.kernel.states import Seat, slice_of

RULES = Path(lnl.rules.__file__).parent
SQUAD = "squad 2-5-4-6"
BOTH = Seat(name="both", commands=("alpha", "beta"))


def compared(text: str) -> Iterator[str]:
    """Where code compares the commands, nations or troops of two pieces with each other."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            names = [side.attr for side in sides if isinstance(side, ast.Attribute)]
            if len(names) == len(sides) and names[0] in ("command", "nation", "troop") and len(set(names)) == 1:
                yield f"line {node.lineno}: {ast.unparse(node)}"


KNOWN = {
    "set_up.py": ("work.command == each.command",),  # a bunker of one's own, or an open one of the side
    "plans.py": ("plan.command == order.command",),
    "standing_orders.py": ("unit(believed, order.unit).command == order.command",),
}
"""Comparisons of commands that ask for nothing else."""


def test_no_chapter_asks_by_itself_whose_a_piece_is() -> None:
    found = {
        f"{path.name} {each}"
        for path in sorted(RULES.glob("*/*.py"))
        for each in compared(path.read_text("utf-8"))
        if not any(each.endswith(known) for known in KNOWN.get(path.name, ()))
    }
    assert found == set()


def test_such_a_comparison_is_found() -> None:
    assert list(compared("if medic.command == each.command: pass")) == ["line 1: medic.command == each.command"]


def side_by_side(**more: str) -> Battle:
    return battle(
        pieces=f"us/alpha lt leader morale=6 lm=1 mf=6 B2\nus/alpha a {SQUAD} B2\nus/beta b {SQUAD} B2\n"
        f"us/beta c {SQUAD} B3\nge g squad 1-6-4-5 B5\nge h squad 1-6-4-5 H7",
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.rule("core 4.0", "core 5.0", "core 6.0")
def test_forms_of_a_seat_offer_the_men_of_all_its_commands_together() -> None:
    fight = side_by_side()
    believed = PACKAGE.believed(slice_of(fight.state, BOTH.commands))
    forms = [form for form in PACKAGE.options(believed, BOTH, "a") if form.verb in ("Fire", "Move", "Activate")]
    assert {form.verb for form in forms} == {"Fire", "Move", "Activate"}
    for form in forms:
        choices = {choice.id for slot in form.slots for choice in getattr(slot, "choices", ())}
        assert form.verb == "Activate" or "b" in choices
    [bringing] = [form for form in forms if form.verb == "Activate"]
    assert bringing.fixed["places"] == [list(fight.at("B2")), list(fight.at("B3"))]


@pytest.mark.rule("core 4.0")
def test_an_impulse_is_the_sides_and_waits_for_all_who_take_part() -> None:
    fight = side_by_side()
    fight.give("alpha", "Activate", places=[list(fight.at("B2")), list(fight.at("B3"))])
    found = impulse_of(fight.state)
    assert found is not None
    assert (found.command, found.allies) == ("alpha", ("beta",))
    order = {"verb": "Fire", "units": ["c"], "target": list(fight.at("B5"))}
    assert fight.play.check("beta", order) == []
    assert fight.play.odds("beta", order).fates
    for piece in ("lt", "a"):
        fight.set(piece, fired=True)
    fight.give("beta", "Move", units=["c"], path=[list(fight.at("C3"))])
    assert fight.state.public.active == "us"
    assert "core 4.0" in [each.rule for each in fight.refused("beta", "EndImpulse")]
    fight.give("alpha", "EndImpulse")
    assert fight.state.public.active == "ge"


@pytest.mark.rule("core 10.1", "core 4.0")
def test_another_commands_attempt_at_spotting_keeps_nobody_from_beginning() -> None:
    board = "\n".join([". . . . . . . . . ."] * 4 + [". F . . . . . . . ."] + [". . . . . . . . . ."] * 3)
    fight = battle(
        board,
        pieces=f"us/alpha a {SQUAD} B2\nus/beta b {SQUAD} D2\nus/beta c {SQUAD} D2\n"
        "ge g squad 1-6-4-5 B5\nge h squad 1-6-4-5 H7",
    )
    fight.give("alpha", "Spot", [("spot", 6)], unit="a", target=list(fight.at("B5")))
    assert fight.state.public.active == "us"
    fight.give("beta", "Move", units=["b"], path=[list(fight.at("D3"))])
    found = fight.refused("beta", "Spot", unit="c", target=list(fight.at("B5")))
    assert {each.rule for each in found} & {"core 10.1"}
