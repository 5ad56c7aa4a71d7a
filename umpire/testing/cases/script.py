"""The script of a case's step: its dice, draws and answers, of which all must be used. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from umpire.kernel.dice import ScriptedDice, ScriptFault
from umpire.kernel.ledger import Entry
from umpire.kernel.rulings import Draw, Question, Roll
from umpire.kernel.states import slice_of
from umpire.testing.cases.form import CaseFault, Step, Vocabulary


class Script(ScriptedDice):
    """The dice, draws and answers of a step; every one of them must be used. Answers are in order of play, or with
    `is_apart` each seat's are."""

    def __init__(self, vocabulary: Vocabulary[Any], step: Step, *, is_apart: bool = False) -> None:
        super().__init__(dice=[_die(line) for line in step.dice], draws=[_drawn(line) for line in step.draws])
        self._vocabulary = vocabulary
        self._words = list(step.answers)
        self._said: dict[str, str] = {}
        self._rest: dict[str, str] = {}
        self._is_apart = is_apart
        self.rolled = False
        self.fault: CaseFault | None = None
        """What could not be thrown, drawn or answered: the ruling that asked stops at it."""

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        self.rolled = True
        next_name = self.dice[0][0] if self.dice else ""
        taken = self._vocabulary.next_die([name for name, _ in self.dice], roll)
        try:
            return super().roll(roll, n) if taken is None else self.dice.pop(taken)[1]
        except ScriptFault as fault:
            self.fault = CaseFault(str(fault), at=next_name)
            raise

    def draw(self, draw: Draw, n: int) -> str | None:
        if not self.draws and (taken := self._vocabulary.drawn(draw)) is not None:
            return taken
        try:
            return self._vocabulary.meant(draw, super().draw(draw, n))
        except ScriptFault as fault:
            self.fault = CaseFault(str(fault))
            raise

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        try:
            return self._answer(command, question, state)
        except CaseFault as fault:
            self.fault = fault
            raise

    def _answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        following = self._vocabulary.following(state, question, self._said.pop(command, ""))
        if following is not None:
            return following
        whose: tuple[str, ...] = (command,)
        words = self._rest.pop(command, "")
        if not words:
            words, whose = self._next(command, state)
        if not words:
            return self._reply(command, question, state)
        choices = self._vocabulary.choices(state, question, words)
        if rest := self._vocabulary.rest(question, words, choices):
            self._rest[command] = rest
        self._said = dict.fromkeys(whose, words)
        return choices

    def _next(self, command: str, state: Any) -> tuple[str, tuple[str, ...]]:
        """The words of the next answer if it is this command's; of its own next one where each seat's are apart. With
        the commands of the seat that says so."""
        seats = self._vocabulary.seats(state)
        for number, line in enumerate(self._words if self._is_apart else self._words[:1]):
            who, _, words = line.partition(":")
            if who.strip() not in seats:
                raise CaseFault(f"no seat {who.strip()!r}; there are {', '.join(seats)}", at=who, known=seats)
            if command in seats[who.strip()].commands:
                del self._words[number]
                return words.strip() or "none", tuple(seats[who.strip()].commands)
        return "", ()

    def _reply(self, command: str, question: Question, state: Any) -> tuple[str, ...]:
        """What standing orders answer, or the default."""
        package = self._vocabulary.package
        found = package.reply(package.believed(slice_of(state, (command,))), question)
        return question.default if found is None else found

    def finish(self, state: Any = None, entries: Sequence[Entry] = ()) -> None:
        """Raises CaseFault where dice or answers were not used, but for answers that say what went without asking in
        what has followed, with the state to which it has led."""
        if self.dice:
            raise CaseFault(f"no roll was made for {', '.join(name for name, _ in self.dice)}", at=self.dice[0][0])
        if self.draws:
            raise CaseFault(f"nothing was drawn for {', '.join(name for name, _ in self.draws)}")
        said = [*self._words, *(f"{command}: {words}" for command, words in self._rest.items())]
        if left := [line for line in said if not self._vocabulary.goes_without_asking(state, entries, line)]:
            raise CaseFault(f"nobody was asked for {left[0]!r}", at=left[0])


_FACES = re.compile(r"(?:(.*?)[\s:=]+)?\(?(\d+(?:\s*[+,]\s*\d+)*)\)?")
"""The name of a roll and its faces: "attack 2", "melee 3+3", "melee (3, 3)"; faces alone for the next roll."""


def _die(line: str) -> tuple[str, tuple[int, ...]]:
    found = _FACES.fullmatch(" ".join(line.split()))
    if found is None:
        raise CaseFault(f"{line!r} is not the name of a roll and its faces, such as 'attack 2' or 'melee 3+3'", at=line)
    return found[1] or "", tuple(int(face) for face in re.split(r"\s*[+,]\s*", found[2]))


def _drawn(line: str) -> tuple[str, str]:
    name, _, taken = " ".join(line.split()).rpartition(" ")
    return name, taken
