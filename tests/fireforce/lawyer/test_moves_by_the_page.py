"""Moves over stretches of ground drawn at random, and close combats, against the page worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from fireforce.happening.fire import CloseCombatFought
from fireforce.state.finding import (
    figure,
)
from tests.fireforce.lawyer import page
from tests.fireforce.rules.from_lines import Table, battle, happened


@pytest.mark.rule("fireforce movement", "fireforce motivation", "fireforce searching")
@pytest.mark.parametrize("seed", range(80))
def test_a_move_over_mixed_ground(seed: int) -> None:
    random = Random(seed)
    manner = random.choice(("tactical", "running"))
    result, laden = random.choice(("good", "fair")), random.random() < 0.3
    stretches: list[tuple[str, int]] = []
    while sum(length for _, length in stretches) < 1200:
        ground = random.choice([each for each in page.MOVES["tactical"] if not stretches or each != stretches[-1][0]])
        stretches.append((ground, random.randint(20, 450)))
    terrain, x = [], 1000
    for ground, length in stretches:
        begin, end = x / 100, (x + length) / 100
        if ground == "marsh":
            terrain.append(f"marsh {begin:g},5 to {end:g},15")
        if ground == "road":
            terrain.append(f"road {begin:g},10 to {end:g},10 width 2")
        x += length
    line = f"regular r1 trained m16 10,10 squad 1, result {result}{', carrying arms 1' if laden else ''}"
    state = battle(f"{line}\nguerrilla g1 trained ak47 60,10 squad 9", phase="movement", terrain="\n".join(terrain))
    share = Fraction(1, 2) ** ((result == "fair") + laden)
    reach = page.farthest(stretches, manner, share)
    table = Table(state)
    assert table.refused("regular", "Move", figures=["r1"], path=[[(1000 + reach + 1) / 100, 10]], manner=manner)
    table.order("regular", "Move", figures=["r1"], path=[[(1000 + reach) / 100, 10]], manner=manner)
    assert figure(table.state, "r1").at == (1000 + reach, 1000)


@pytest.mark.rule("fireforce close-combat")
@pytest.mark.parametrize("seed", range(60))
def test_a_close_combat(seed: int) -> None:
    random = Random(seed)
    added = {"elite": 1, "fierce": 1, "civilian": -2}
    lines, scores, dice = [], {}, []
    for name, side, at in (("r1", "regular", "10,10"), ("g1", "guerrilla", "10.5,10")):
        quality = random.choice(page.LADDER)
        words = [word for word in ("fierce", "civilian") if random.random() < 0.4]
        words += ["elite"] if quality == "elite" and "civilian" not in words else []
        die = random.randint(1, 6)
        scores[name] = die + sum(added[word] for word in words)
        dice.append(f"close combat {name} {die}")
        marks = [word for word in words if word != "elite"]
        lines.append(", ".join([f"{side} {name} {quality} m16 {at} squad {name}", *marks]))
    table = Table(battle("\n".join(lines), "r1 moved", phase="close combat"))
    entries = table.order("regular", "CloseCombat", *dice, figure="r1", target="g1")
    fought = happened(entries, CloseCombatFought)[0]
    result = page.close_combat(scores["r1"], scores["g1"])
    assert (fought.score, fought.target_score, fought.result) == (scores["r1"], scores["g1"], result)
    mover, other = figure(table.state, "r1"), figure(table.state, "g1")
    if result == "draw":
        assert (mover.at, mover.is_pinned, other.is_pinned) == ((700, 1000), True, False)
    else:
        loser = mover if scores["r1"] < scores["g1"] else other
        assert (loser.must_withdraw, loser.is_fit) == (result == "withdrawal", result == "withdrawal")
