"""Small battles for tests of the kernel: the toy game with the ruling under test in place of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from umpire.kernel import running
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.ledger import Answered, Begun, Entry
from umpire.kernel.rulings import Choice, Question, Ruling
from umpire.kernel.settings import Setting
from umpire.testing.play.battle import Play
from umpire.testing.skirmish import Skirmish
from umpire.testing.skirmish.conformance import SEATS
from umpire.testing.skirmish.state import Lane, Secrets, Start, State

Chapter = Callable[[State], Ruling[State]]
ORDER = {"verb": "end_turn", "command": "blue_1"}


def setting(*, blind: bool = False) -> Setting:
    """Ash and Birch of blue in hexes 0 and 1, Rowan of red in hex 5; an open battle."""
    starts = (
        Start(key="ash", command="blue_1", at=0, name="Ash"),
        Start(key="birch", command="blue_1", at=1, name="Birch"),
        Start(key="rowan", command="red_1", at=5, name="Rowan"),
    )
    commands = {"blue_1": "blue", "red_1": "red"}
    lane = Lane(title="A table", length=6, turns=3, blind=blind, commands=commands)
    return Setting(public=lane, umpire=Secrets(units=starts))


class Table(Skirmish):
    """Every order is resolved by `chapter`; nothing follows by itself."""

    def __init__(self, chapter: Chapter) -> None:
        self.chapter = chapter

    def resolve(self, state: State, seat: Any, order: Any) -> Ruling[State]:
        return self.chapter(state)

    def advance(self, state: State) -> Ruling[State]:
        return state
        yield


def play_of(chapter: Chapter, *, blind: bool = False, script: ScriptedDice | None = None, **made: Any) -> Play[State]:
    package = Table(chapter)
    state = package.begin(setting(blind=blind), lambda key: key)
    seats = {name: seat for name, seat in SEATS.items() if set(seat.commands) <= {"blue_1", "red_1"}}
    source = None if script is None else (lambda begun: script)
    return Play(package, state, seats, source=source, **made)


def position_of(state: State) -> running.Position:
    return running.Position(state=state)


def begun() -> Begun:
    return Begun(kind="order", giver="blue_1", commands=("blue_1",), order=ORDER)


def given(command: str, *choices: str) -> Answered:
    return Answered(command=command, choices=choices)


def which(*ids: str, **made: Any) -> Question:
    """A question for one of these."""
    made = {"kind": "which", "prompt": "Which?", "default": ids[:1], **made}
    return Question(choices=tuple(Choice(id=name, label=name) for name in ids), **made)


def names(entries: list[Entry]) -> list[str]:
    """What entries are: the names of their events, or their own."""
    return [type(getattr(entry, "event", entry)).__name__ for entry in entries]
