"""Words of the log: who did it, said so that one can read it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fireforce.state.battle import Figure
from fireforce.testing.parts import of
from fireforce.words.naming import names_of
from tests.fireforce.rules.from_lines import battle

LINES = """
regular    a*4  trained m16   10,20   squad 1
regular    b*2  trained m16   10,22   squad 2
guerrilla  e1   trained ak47  30,20
"""


@pytest.mark.parametrize(
    ("men", "said"),
    [
        ((), ""),
        (("a1",), "a1, squad 1"),
        (("a1", "a2"), "a1, a2 (squad 1)"),
        (("a1", "b1", "a2", "b2"), "a1, a2 (squad 1); b1, b2 (squad 2)"),
        (("a1", "e1"), "a1 (squad 1); e1"),
    ],
)
def test_each_squad_is_named_once(men: tuple[str, ...], said: str) -> None:
    assert names_of(battle(LINES), men) == said


def test_men_without_a_name_of_their_own_are_counted() -> None:
    state = battle(LINES)
    nameless = {
        key: replace(man, name="", role="gunner" if key == "a1" else "rifleman")
        for key, man in of(state.public, Figure).items()
    }
    state = replace(state, public=replace(state.public, pieces={**state.public.pieces, **nameless}))
    assert names_of(state, ("a1", "a2", "a3", "a4")) == "Gunner, 3 × Rifleman (squad 1)"
    assert names_of(state, ("a2", "a3", "b1")) == "2 × Rifleman (squad 1); Rifleman (squad 2)"
