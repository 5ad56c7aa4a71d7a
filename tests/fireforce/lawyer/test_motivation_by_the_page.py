"""Motivation of squads drawn at random, against the page worked out by hand: the score, the result, the quality."""

from __future__ import annotations

from random import Random

import pytest

from fireforce.happening.men import MotivationRolled
from fireforce.rules.men.squads import quality_of
from fireforce.state.finding import (
    squad,
)
from tests.fireforce.lawyer import page
from tests.fireforce.rules.from_lines import Table, battle, happened

pytestmark = pytest.mark.rule("fireforce motivation", "fireforce motivation-rating")


@pytest.mark.parametrize("seed", range(120))
def test_a_squad_drawn_at_random(seed: int) -> None:
    random = Random(seed)
    quality = random.choice(page.LADDER)
    levels, flakey = random.choice((0, 0, 1, 2)), random.random() < 0.3
    now = page.dropped(quality, levels)
    casualties, die = random.randint(0, 7), random.randint(1, 6)
    under_fire, in_cover, rain, night, hostiles, gunfire = (random.random() < 0.5 for _ in range(6))
    leader, commander, sergeant = (random.choice((-1, 0, 1, 2)) for _ in range(3))
    independent, near = random.random() < 0.3, random.random() < 0.5
    marks = [f"casualties {casualties}", f"dropped {levels}", f"in {'village' if in_cover else 'the open'}"]
    marks += ["under fire"] if under_fire else []
    marks += ["flakey"] if flakey else []
    marks += ["acting independently"] if independent else []
    lines = [
        f"regular l1 {quality} m16 10,10 squad 1, leader, MR {leader}, {', '.join(marks)}",
        f"regular r*4 {quality} m16 11,10 squad 1, {', '.join(marks)}",
        f"regular co trained m16 40,40 platoon commander, MR {commander}",
        f"regular sgt trained m16 {'11,16.5' if near else '11,16.51'} platoon sergeant, MR {sergeant}",
        f"guerrilla g1 trained ak47 60,30 squad 9{'' if hostiles else ', hidden'}",
    ]
    state = battle(
        "\n".join(lines),
        phase="motivation",
        hour="night" if night else "day",
        weather="rain" if rain else "clear",
        heard_gunfire=["regular"] if gunfire else [],
    )
    table = Table(state)
    entries = table.order("regular", "Motivate", f"motivation squad 1 {die}", squad="squad 1")
    rolled = happened(entries, MotivationRolled)[0]
    score = page.motivation_score(
        now,
        die=die,
        casualties=casualties,
        under_fire=under_fire,
        in_cover=in_cover,
        rain=rain,
        hostiles=hostiles,
        gunfire=gunfire,
        ratings=leader + (0 if independent else commander) + (sergeant if near else 0),
    )
    result = page.motivation_result(score, now, night=night)
    assert (rolled.score, rolled.result) == (score, result)
    cracks = result in ("cracking", "demoralised", "broken")
    after = page.dropped(quality, max(levels, 2 if flakey else 1)) if cracks else quality
    assert quality_of(table.state, squad(table.state, "squad 1")) == after
