"""The script of a case's step: its dice, draws and answers, of which all must be used. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from umpire.kernel.dice import ScriptedDice, ScriptFault
from umpire.kernel.ledger import Entry
from umpire.kernel.rulings import Draw, Question, Roll
from umpire.kernel.states import slice_of
from umpire.testing.cases.form import Step
from umpire.testing.cases.language import Language
from umpire.testing.cases.words import CaseFault, plain

_FACES = re.compile(r"(?:(.*?)[\s:=]+)?\(?(\d+(?:\s*[+,]\s*\d+)*)\)?")
"""The name of a roll and its faces: "attack 2", "melee 3+3", "melee (3, 3)"; faces alone for the next roll."""


class Script(ScriptedDice):
    """The dice, draws and answers of a step; every one of them must be used. Each seat's answers are in order of
    play."""

    def __init__(self, language: Language[Any], step: Step) -> None:
        draws = [line.rpartition(" ") for line in map(" ".join, (each.split() for each in step.draws))]
        super().__init__(dice=[_die(line) for line in step.dice], draws=[(name, taken) for name, _, taken in draws])
        self._language = language
        self._words = list(step.answers)
        self._said: dict[str, str] = {}
        self._rest: dict[str, str] = {}
        self._chosen: list[str] = []
        self.state: Any = None
        self.rolled = False
        self.fault: CaseFault | None = None
        """What could not be thrown, drawn or answered: the ruling that asked stops at it."""

    # Dice

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        self.rolled = True
        next_name = self.dice[0][0] if self.dice else ""
        taken = self._next(roll)
        try:
            return super().roll(roll, n) if taken is None else self.dice.pop(taken)[1]
        except ScriptFault as fault:
            self.fault = CaseFault(str(fault), at=next_name)
            raise

    def _next(self, roll: Roll) -> int | None:
        """Which of the dice that are left a roll takes, None for none of them: the first, if it has no name or one that
        means this roll; of those that several throw one after the other the first that names it."""
        kind = next((kind for kind in self._language.together if roll.purpose in kind), (roll.purpose,))
        for index, (name, _) in enumerate(self.dice):
            if (not name and index == 0) or (name and self.is_roll(name, roll)):
                return index
            if not any(f"{plain(name)} ".startswith(f"{purpose} ") for purpose in kind):
                return None
        return None

    def is_roll(self, name: str, roll: Roll) -> bool:
        """Whether a name means a roll: its purpose, perhaps with its subject or the beginning of it."""
        return is_named(name, roll, self._language.subjects(self.state, roll, self._chosen))

    def draw(self, draw: Draw, n: int) -> str | None:
        if not self.draws and (taken := self._language.drawn(draw)) is not None:
            return taken
        try:
            words = super().draw(draw, n)
        except ScriptFault as fault:
            self.fault = CaseFault(str(fault))
            raise
        fitting = [each for each in draw.among if words is not None and each.endswith(f"_{words.lower()}")]
        return fitting[0] if len(fitting) == 1 and words not in draw.among else words

    # Answers

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        self.state = state
        try:
            return self._answer(command, question, state)
        except CaseFault as fault:
            self.fault = fault
            raise

    def _answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        language = self._language
        following = language.following(state, question, self._said.pop(command, ""))
        if following is not None:
            return following
        whose: Sequence[str] = (command,)
        words = self._rest.pop(command, "")
        if not words:
            words, whose = self._answer_of(command, state)
        if not words:
            found = language.package.reply(language.package.believed(slice_of(state, (command,))), question)
            return question.default if found is None else found
        taken, rest = language.choices(state, question, words)
        self._chosen = list(taken)
        if rest:
            self._rest[command] = rest
        self._said = dict.fromkeys(whose, words)
        return taken

    def _answer_of(self, command: str, state: Any) -> tuple[str, Sequence[str]]:
        """The words of this command's next answer, with the commands of the seat that says so."""
        seats = self._language.seats(state)
        for number, line in enumerate(self._words):
            who, _, words = line.partition(":")
            if who.strip() not in seats:
                raise CaseFault(f"no seat {who.strip()!r}; there are {', '.join(seats)}", at=who, known=seats)
            if command in seats[who.strip()].commands:
                del self._words[number]
                return words.strip() or "none", seats[who.strip()].commands
        return "", ()

    def finish(self, state: Any = None, entries: Sequence[Entry] = ()) -> None:
        """Raises CaseFault where dice or answers were not used, but for answers that say what went without asking."""
        if self.dice:
            raise CaseFault(f"no roll was made for {', '.join(name for name, _ in self.dice)}", at=self.dice[0][0])
        if self.draws:
            raise CaseFault(f"nothing was drawn for {', '.join(name for name, _ in self.draws)}")
        seats = self._language.seats(state) if state is not None else {}
        for line in (*self._words, *(f"{command}: {words}" for command, words in self._rest.items())):
            who, _, words = line.partition(":")
            seat = seats.get(who.strip())
            if seat is None or not self._language.goes_without_asking(state, entries, seat, words.strip()):
                raise CaseFault(f"nobody was asked for {line!r}", at=line)


def is_named(name: str, roll: Roll, more: Sequence[str] = ()) -> bool:
    """Whether a name means a roll: its purpose, perhaps with its subject or the beginning of it, or one of `more`."""
    words = plain(name)
    if words == roll.purpose:
        return True
    if not words.startswith(f"{roll.purpose} "):
        return False
    for subject in (roll.subject, *more):
        whole = f"{roll.purpose} {plain(subject)} "
        is_half = words.endswith((" row", " squad")) and whole[len(words) + 1 :][:1].isdigit()
        if whole.startswith(f"{words} ") and not is_half:
            return True
    return False


def _die(line: str) -> tuple[str, tuple[int, ...]]:
    found = _FACES.fullmatch(" ".join(line.split()))
    if found is None:
        raise CaseFault(f"{line!r} is not the name of a roll and its faces, such as 'attack 2' or 'melee 3+3'", at=line)
    return found[1] or "", tuple(int(face) for face in re.split(r"\s*[+,]\s*", found[2]))
