"""Small battles for tests of single rules: regulars against a hidden command on a table of 48 by 36 inches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from fireforce.package import PACKAGE, install
from fireforce.scenarios.parsing import load
from fireforce.state.battle import (
    Figure,
    Squad,
    State,
)
from fireforce.state.finding import (
    figure,
    squad,
)
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.states import Contact, Seat
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.play.battle import Play

install()

SEATS = {
    "red": Seat(name="red", commands=("platoon",)),
    "green": Seat(name="green", commands=("cell",)),
    "umpire": Seat(name="umpire", role="umpire", commands=("cell", "platoon")),
}

HEAD = """
[scenario]
key = "small"
title = "Small"
turns = {turns}
[table]
width = 48
depth = 36
[[side]]
key = "government"
name = "Government"
kind = "regular"
[[side]]
key = "guerrilla"
name = "Guerrillas"
kind = "indigenous"
[[command]]
key = "platoon"
side = "government"
name = "Platoon"
[[command]]
key = "cell"
side = "guerrilla"
name = "Cell"
open = false
plans_only = {plans_only}
"""


def men(prefix: str, at: Sequence[Sequence[float]], rating: int | None = None, weapon: str = "m16") -> str:
    """Men in these places, the first the leader if a rating is given."""
    lines = []
    for index, place in enumerate(at, 1):
        leads = f', role = "leader", rating = {rating}' if index == 1 and rating is not None else ""
        lines.append(f'{{ key = "{prefix}{index}", weapons = ["{weapon}"], at = {list(place)}{leads} }}')
    return f"[{', '.join(lines)}]"


def row(x: float, y: float, count: int, step: float = 1.0) -> list[tuple[float, float]]:
    """Places in a line from west to east."""
    return [(x + step * index, y) for index in range(count)]


def unit(
    key: str, command: str, who: str, *, at: Sequence[float] = (1, 1), quality: str = "trained", extra: str = ""
) -> str:
    return f"""
[[squad]]
key = "{key}"
command = "{command}"
name = "{key.capitalize()}"
quality = "{quality}"
at = {list(at)}
men = {who}
{extra}
"""


def area(key: str, kind: str, west: float, south: float, east: float, north: float) -> str:
    return f"""
[[terrain]]
key = "{key}"
kind = "{kind}"
polygon = [[{west}, {south}], [{east}, {south}], [{east}, {north}], [{west}, {north}]]
"""


class Battle:
    """A battle whose ids are the keys of the scenario, with dice in the order in which they are thrown."""

    def __init__(
        self, *parts: str, hidden: str = "map", plans_only: bool = False, turns: int = 5, **options: Any
    ) -> None:
        text = HEAD.format(turns=turns, plans_only=str(plans_only).lower()) + "".join(parts)
        setting = load(text, file="small", options={"hidden": hidden, **options})
        self.script = ScriptedDice()
        state = PACKAGE.begin(setting, lambda key: key)
        self.play: Play[State] = Play(PACKAGE, state, SEATS, source=lambda begun: self.script)

    @property
    def state(self) -> State:
        return self.play.state

    def throw(self, dice: Iterable[tuple[str, int]]) -> None:
        self.script.dice = [(name, (face,)) for name, face in dice]

    def give(self, seat: str, verb: str, dice: Iterable[tuple[str, int]] = (), **fields: Any) -> None:
        """Gives an order that is accepted and uses all of its dice."""
        self.throw(dice)
        assert self.play.order(seat, {"verb": verb, **fields}) == []
        assert self.fault == ""
        assert self.script.dice == []
        assert list(PACKAGE.problems(self.state)) == []

    def refused(self, seat: str, verb: str, **fields: Any) -> list[Refusal]:
        """The refusals of an order; nothing has changed and no die was thrown."""
        before = self.state
        self.throw(())
        found = self.play.order(seat, {"verb": verb, **fields})
        assert found, f"{verb} was accepted"
        assert self.state is before
        return found

    @property
    def fault(self) -> str:
        opened = self.play.position.open
        return opened.fault.text if opened is not None and opened.fault is not None else ""

    def set(self, piece: str, **fields: Any) -> None:
        for name, value in fields.items():
            self.play.correct({"verb": "Change", "piece": piece, "field": name, "value": value}, "given")

    def team(self, key: str, **fields: Any) -> None:
        """Sets fields of the one team of a squad."""
        ((name, team),) = squad(self.state, key).teams.items()
        plain: Mapping[str, Any] = {**msgspec.to_builtins(team), **fields}
        self.set(key, teams={name: plain})

    def man(self, key: str) -> Figure:
        return figure(self.state, key)

    def squad(self, key: str) -> Squad:
        return squad(self.state, key)

    def contacts(self, command: str, status: str = "in_sight") -> list[Contact]:
        return [each for each in self.state.commands[command].contacts.values() if each.status == status]

    def lines(self, seat: str) -> list[str]:
        """All sentences of a seat's news."""
        return [line.text for news in self.play.news[seat] for line in news.lines]

    def end_phase(self, dice: Iterable[tuple[str, int]] = ()) -> None:
        side = self.state.public.active
        self.give("red" if side == "government" else "green", "EndPhase", dice)

    def to_turn_of(self, side: str, dice: Iterable[tuple[str, int]] = ()) -> None:
        """Ends phases until this side's next player turn; the dice are those of the whole way."""
        self.throw(dice)
        begun = self.state.public.player_turn
        while self.state.public.player_turn == begun or self.state.public.active != side:
            seat = "red" if self.state.public.active == "government" else "green"
            assert self.play.order(seat, {"verb": "EndPhase"}) == []
            assert self.fault == ""
        assert self.script.dice == []
