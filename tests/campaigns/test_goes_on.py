"""What FireForce hands on to a campaign: of the truth all, of a belief what its commands know."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fireforce.package import PACKAGE
from fireforce.state.battle import Figure
from fireforce.testing.parts import of
from tests.campaigns.conftest import MEN, Fought
from umpire.battles.heads import believed_by, read_head
from umpire.kernel.registry import GoesOn


def known(fought: Fought, *commands: str) -> dict[str, GoesOn]:
    return dict(PACKAGE.outcome(believed_by(read_head(fought.battle.pk), commands)).goes_on)


@pytest.mark.rule("fireforce victory-points")
def test_of_the_truth_it_is_everybody(fought: Fought) -> None:
    everybody = PACKAGE.outcome(fought.state).goes_on
    assert sum(one.kind == "man" for one in everybody.values()) == sum(MEN.values())
    assert everybody[fought.piece("two-gunner")].fate == "missing"
    assert everybody[fought.piece("one-rifleman-3")].fate == "wounded"
    assert everybody[fought.piece("cache-grove")] == GoesOn(
        kind="cache", side="guerrilla", command="cell", fate="found"
    )


def test_of_a_belief_it_is_what_its_commands_know(fought: Fought) -> None:
    everybody = PACKAGE.outcome(fought.state).goes_on
    assert known(fought, "cell") == everybody
    open_to_all = {name: one for name, one in everybody.items() if one.side == "government"}
    assert len(open_to_all) == MEN["government"]
    assert known(fought, "platoon") == open_to_all
    assert known(fought) == open_to_all


def test_who_is_in_sight_is_nobody_that_a_roster_knows(fought: Fought) -> None:
    seen = believed_by(read_head(fought.battle.pk), ("platoon",))
    man = next(iter(of(seen.public, Figure).values()))
    alias = Figure(id="alias", command="", side="guerrilla", at=man.at)
    sighted = replace(seen, public=replace(seen.public, pieces={**seen.public.pieces, "alias": alias}))
    assert "alias" not in PACKAGE.outcome(sighted).goes_on
