"""Fire points, the d20 and saving throws of situations drawn at random, against the page worked out by hand."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from fireforce.rules.fire.fire_points import Shot, counts_as, fire_modifiers, fire_points, shot_at
from fireforce.rules.fire.saving_throws import Cause, throw
from fireforce.state.finding import (
    figure,
)
from fireforce.state.setting import tables_of
from tests.fireforce.lawyer import page
from tests.fireforce.rules.from_lines import battle
from umpire.kernel.values.modifiers import total

GROUND = {
    "the open": ("open", "none"),
    "scrub": ("soft", "soft"),
    "paddy": ("soft", "soft"),
    "village": ("soft", "soft"),
}
GROUND |= {"forest": ("jungle", "hard"), "rocks": ("jungle", "hard"), "jungle": ("jungle", "hard")}
"""Ground, the row of the saving throw table, and the cover that halves."""
FROM = {"the open": False, "scrub": False, "jungle": True, "built_up": True, "building": True}
"""Ground under the firers, and whether it is dense."""


@pytest.mark.rule("fireforce small-arms")
def test_every_roll_of_the_fire_table() -> None:
    tables = tables_of(battle("regular r1 m16 10,10"))
    wrong = [
        (points, d20, made, page.hits(points, d20))
        for points, d20 in product(range(1, 21), range(1, 21))
        if (made := tables.hits(points, d20)) != page.hits(points, d20)
    ]
    assert wrong == []


@pytest.mark.rule("fireforce small-arms")
def test_every_mixture_of_doublings_and_halvings() -> None:
    tables = tables_of(battle("regular r1 m16 10,10"))
    doubling = ("target_mounted", "civilians", "ambush", "running", "prophylactic")
    halving = ("dense", "soft_cover", "shooter_mounted", "poor_troops", "on_the_move")
    for base, twos, halves in product((1, 2, 3, 5, 6, 7, 8, 11, 24, 41), range(6), range(6)):
        made = tables.fire_points(base, doubling[:twos], halving[:halves])
        assert made.points == page.fire_points(base, twos, halves), (base, twos, halves)
        assert made.base + total(made.modifiers) == made.points


@pytest.mark.rule("fireforce small-arms", "fireforce firing", "fireforce saving-throws", "fireforce motivation")
@pytest.mark.parametrize("seed", range(120))
def test_a_fire_drawn_at_random(seed: int) -> None:
    random = Random(seed)
    quality, target_quality = random.choice(page.LADDER), random.choice(page.LADDER)
    weapon = random.choice(list(page.WEAPONS))
    reach, has_prophylactic, has_on_the_move, each = page.WEAPONS[weapon]
    levels = random.choice((0, 0, 0, 1, 2))
    now = page.dropped(quality, levels)
    number = random.randint(1, 5)
    under, (ground, (row, cover)) = random.choice(list(FROM)), random.choice(list(GROUND.items()))
    moved, aimed, pinned = random.random() < 0.4, random.random() < 0.6, random.random() < 0.3
    running, civilian, armour = random.random() < 0.3, random.random() < 0.2, random.random() < 0.5
    night, rain, vision = random.random() < 0.4, random.random() < 0.4, random.random() < 0.3
    ambush = random.random() < 0.3 and not moved
    inches = random.choice([gap for gap in (1, 2.5, 5, 9.5, 14.99, 15, 15.01, 25, 29, 39, 49) if gap <= reach])
    # Firers 1/100 apart in depth would differ in distance: one behind the other has the others in the way of nobody.
    marks = [f"in {under}", f"dropped {levels}", *(["moved"] if moved else []), *(["night vision"] if vision else [])]
    marks += ["prepared", "hidden"] if ambush else []
    lines = [
        f"guerrilla f{index} {quality} {weapon} 10,{10 + index / 100} squad 1, {', '.join(marks)}"
        for index in range(number)
    ]
    what = "civilian" if civilian else f"{target_quality} ak47"
    marks = [f"in {ground}", *(["running"] if running else []), *(["pinned"] if pinned else [])]
    marks += ["body armour"] if armour else []
    lines.append(f"regular t {what} {10.5 + inches},10 squad 2, {', '.join(marks)}")
    state = battle(
        "\n".join(lines),
        active="guerrilla",
        hour="night" if night else "day",
        weather="rain" if rain else "clear",
    )
    men = [figure(state, f"f{index}") for index in range(number)]
    target = figure(state, "t")
    shots = [shot_at(state, man, target, aimed) for man in men]
    if (moved and not has_on_the_move) or (not aimed and not has_prophylactic):
        assert all(isinstance(shot, str) for shot in shots)
        return
    made = [shot for shot in shots if isinstance(shot, Shot)]
    assert len(made) == number, shots
    assert {counts_as(state, man) for man in men} == {now}
    dense = FROM[under] and weapon not in page.SHORT
    doublings = sum((civilian, ambush, running, not aimed))
    halvings = sum((dense, cover != "none", now in ("poor", "green"), moved))
    assert fire_points(state, made).points == page.fire_points(number * each, doublings, halvings)
    expected = page.d20_modifier(
        elite=now == "elite", inches=inches, weapon=weapon, night=night, night_vision=vision, rain=rain
    )
    assert total(fire_modifiers(state, made, target)) == expected
    needed = throw(
        state, target, Cause(kinds=(made[0].row.kind,), is_prophylactic=not aimed, firers=tuple(man.id for man in men))
    )
    assert needed.needed == page.save_number(row, target_quality, civilian=civilian)
    assert total(needed.modifiers) == page.save_modifier(
        armour=armour, weapon=weapon, prophylactic=not aimed, pinned=pinned
    )
