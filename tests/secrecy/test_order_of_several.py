"""What is told of several comes in an order that says nothing: another roster and other true ids, the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from fireforce.package import PACKAGE as FIREFORCE
from fireforce.scenarios.parsing import load
from fireforce.state.battle import Figure
from fireforce.testing.parts import of
from lnl.package import PACKAGE as LNL
from tests.fireforce.rules.small_battles import HEAD, men, row, unit
from tests.lnl.building import battle
from umpire.kernel.codec import encode
from umpire.kernel.dice import alias_by_name
from umpire.kernel.rulings import Draw, Question, Roll
from umpire.kernel.states import Seat
from umpire.testing.play.battle import Play


class LikeDice:
    """All dice show the same face, and of several the one is drawn that `key` puts first: the worlds stay alike."""

    def __init__(self, face: int, key: Mapping[str, Any]) -> None:
        self.face, self.key = face, key

    def roll(self, roll: Roll, n: int) -> tuple[int, ...]:
        return (min(self.face, roll.sides),) * roll.count

    def draw(self, draw: Draw, n: int) -> str:
        return min(draw.among, key=lambda each: str(self.key.get(each, each)))

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...]:
        among = sorted((each.id for each in question.choices), key=lambda each: str(self.key.get(each, each)))
        return question.default if question.kind == "critical" else tuple(among[: question.least])

    def alias(self, command: str, n: int, subject: str) -> str:
        return alias_by_name(b"order", command, n)


def bytes_of(play: Play[Any], seat: str) -> list[bytes]:
    shown = [play.view(seat), play.tag(seat), play.numbered(seat)]
    return [*map(encode, shown), *(encode(play.options(seat, each)) for each in (None, *play.subjects(seat)))]


# FireForce: a leader, a gunner and riflemen, first in this order in the roster and then the other way round

BAND = (("leader", "ak47", (14, 3)), ("gunner", "rpk", (15, 4)), ("one", "ak47", (16, 3)), ("two", "ak47", (14, 5)))


def fireforce(names: Mapping[str, str], face: int) -> Play[Any]:
    """The band is in sight and has opened fire. `names`: the keys of its men, in the order of the roster."""
    of_band = {who: (weapon, at) for who, weapon, at in BAND}
    lines = []
    for who, key in names.items():
        weapon, at = of_band[who]
        leads = ', role = "leader", rating = 2' if who == "leader" else ""
        lines.append(f'{{ key = "{key}", weapons = ["{weapon}"], at = {list(at)}{leads} }}')
    text = HEAD.format(turns=3, plans_only="false")
    text += unit("first", "platoon", men("f", row(3, 3, 4), 0)) + unit("band", "cell", f"[{', '.join(lines)}]")
    setting = load(text, file="small", options={"hidden": "map"})
    seats = {"red": Seat(name="red", commands=("platoon",)), "green": Seat(name="green", commands=("cell",))}
    dice = LikeDice(face, {key: of_band[who][1] for who, key in names.items()})
    state = FIREFORCE.begin(setting, lambda key: key)
    play: Play[Any] = Play(FIREFORCE, state, seats, source=lambda begun: dice)
    for key in (names[who] for who, _, _ in BAND):
        play.correct({"verb": "Reveal", "piece": key}, "they are there")
    return play


def to(play: Play[Any], side: str, phase: str) -> None:
    while (play.state.public.active, play.state.public.phase) != (side, phase):
        seat = "red" if play.state.public.active == "government" else "green"
        assert play.order(seat, {"verb": "EndPhase"}) == []


@pytest.mark.parametrize("face", [1, 6, 10])
def test_a_roster_and_ids_of_fireforce_in_another_order_are_not_noticed(face: int) -> None:
    told = []
    for names in (
        {"leader": "a", "gunner": "b", "one": "c", "two": "d"},
        {"two": "b", "one": "d", "gunner": "a", "leader": "c"},
    ):
        play = fireforce(names, face)
        keys: Sequence[str] = list(names.values())
        assert play.order("red", {"verb": "EndPhase"}) == []
        to(play, "government", "firing")
        at_gunner = next(
            alias for alias, each in play.state.commands["platoon"].contacts.items() if each.at == (1500, 400)
        )
        assert play.order("red", {"verb": "Fire", "figures": ["f1", "f2", "f3"], "target": at_gunner}) == []
        to(play, "guerrilla", "firing")
        able = [key for key in keys if of(play.state.commands["cell"], Figure)[key].is_fit]
        able = [key for key in able if not of(play.state.commands["cell"], Figure)[key].pinned]
        if able:
            assert play.order("green", {"verb": "Fire", "figures": able, "target": "f1"}) == []
        to(play, "government", "motivation_movement")
        told.append(bytes_of(play, "red"))
    for one, other in zip(*told, strict=True):
        assert one == other


# Lock 'n Load: a leader, a squad with a machine gun and a squad in one place


def lnl(names: Mapping[str, str], face: int) -> list[bytes]:
    pieces = f"""
        us a squad 2-5-4-6 B2
        us b squad 2-5-4-6 B2
        ge {names["leader"]} leader morale=6 lm=1 mf=6 D2
        ge {names["gun"]} squad 1-6-4-5 D2 mg42
        ge {names["one"]} squad 1-6-4-5 D2
        ge {names["far"]} squad 1-6-4-5 E3
        ge {names["away"]} squad 1-6-4-5 J8
    """
    fight = battle("\n".join([". . . . . . . . . ."] * 8), pieces, options={"play": "blind"})
    dice = LikeDice(face, {key: who for who, key in names.items()})
    fight.play._source = lambda begun: dice
    assert fight.play.order("us", {"verb": "Fire", "units": ["a", "b"], "target": list(fight.at("D2"))}) == []
    if fight.state.public.active == "us":
        assert fight.play.order("us", {"verb": "EndImpulse"}) == []
    there = [names[who] for who in ("leader", "gun", "one") if fight.has(names[who])]
    able = sorted(each for each in there if fight.unit(each).is_good_order)
    leader = names["leader"] if names["leader"] in able else ""
    firing = [each for each in able if each != leader]
    guns = [gun for each in firing for gun in fight.guns(each)]
    order = {"verb": "Fire", "units": firing, "weapons": guns, "leader": leader, "target": list(fight.at("B2"))}
    if firing:
        assert fight.play.order("ge", order) == []
    return bytes_of(fight.play, "us")


@pytest.mark.parametrize("face", [1, 4, 6])
def test_ids_of_lock_n_load_in_another_order_are_not_noticed(face: int) -> None:
    assert LNL.system == "lnl"
    first = lnl({"leader": "k1", "gun": "k2", "one": "k3", "far": "k4", "away": "k5"}, face)
    assert first == lnl({"leader": "k5", "gun": "k4", "one": "k1", "far": "k3", "away": "k2"}, face)
    assert first == lnl({"leader": "k3", "gun": "k1", "one": "k2", "far": "k5", "away": "k4"}, face)
