"""Where chance and answers come from: server dice drawn by name, scripted, recorded and random ones.

Server dice are drawn by name, not by count: HMAC(secret, dice line, giver and number of his order, digest of the order,
purpose and subject of the roll, n). A hidden roll moves no visible die; the same order computed again gives the same
dice. The secret's hash is published at the start of a battle and the secret at its end.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from msgspec import Struct, field

from umpire.kernel.rulings import Draw, Question, Roll

ANSWERS_TRIED = 20
"""Random answers drawn before the default is taken: some choices may be kept apart."""


class Source(Protocol):
    """What a running ruling asks of the world outside. None means: not yet, the ruling waits."""

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        """The faces of the n-th roll of this purpose and subject in this ruling."""

    def draw(self, draw: Draw, n: int) -> str | None:
        """The thing taken."""

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        """What is answered at once (standing orders, scripts, defaults), or None to wait for somebody."""

    def alias(self, command: str, n: int, subject: str) -> str:
        """The n-th alias of a command. What it is for (`subject`) nobody who reads the alias may be able to tell."""


def commitment(secret: bytes) -> str:
    """What is published at the start: the SHA-256 of the secret, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def faces_by_name(secret: bytes, name: Sequence[str | int], count: int, sides: int) -> tuple[int, ...]:
    """`count` faces of dice with `sides`, from the secret and a name; uniform by rejection. Each face takes as many
    bytes as its sides need."""
    width = max(1, (sides - 1).bit_length() + 7 >> 3)
    limit = 256**width - 256**width % sides
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        data = _digest(secret, (*name, block))
        for at in range(0, len(data) - width + 1, width):
            value = int.from_bytes(data[at : at + width], "big")
            if value < limit and len(faces) < count:
                faces.append(value % sides + 1)
        block += 1
    return tuple(faces)


def index_by_name(secret: bytes, name: Sequence[str | int], among: int) -> int:
    """A whole number below `among`, from the secret and a name."""
    return int.from_bytes(_digest(secret, name), "big") % among


def alias_by_name(secret: bytes, command: str, n: int) -> str:
    """The n-th alias of a command: seven letters and digits that say nothing."""
    return "c" + b32encode(_digest(secret, ("alias", command, n)))[:7].decode().lower()


def _digest(secret: bytes, name: Sequence[str | int]) -> bytes:
    text = "\x1f".join(str(part) for part in name)
    return hmac.new(secret, text.encode(), hashlib.sha256).digest()


def no_answer(command: str, question: Question, state: Any) -> tuple[str, ...] | None:
    """Nobody answers at once."""
    return None


def default_answer(command: str, question: Question, state: Any) -> tuple[str, ...] | None:
    """Every question is answered by its default."""
    return question.default


class ServerDice(Struct, frozen=True):
    """The server's dice for one ruling.

    `line` is the dice line ("fresh" dice after a rewind start a new one); `giver`, `number` and `digest` name the
    order, or the force and step of its plan. `typed` is True where people throw their own dice: then only secret rolls
    are thrown here. `answers` is asked first for every question.
    """

    secret: bytes
    line: int
    giver: str
    number: int
    digest: str
    typed: bool = False
    answers: Callable[[str, Question, Any], tuple[str, ...] | None] = no_answer

    def _name(self, kind: str, purpose: str, subject: str, n: int) -> tuple[str | int, ...]:
        return (kind, self.line, self.giver, self.number, self.digest, purpose, subject, n)

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        if self.typed and not roll.secret:
            return None
        return faces_by_name(self.secret, self._name("roll", roll.purpose, roll.subject, n), roll.count, roll.sides)

    def draw(self, draw: Draw, n: int) -> str | None:
        return draw.among[
            index_by_name(self.secret, self._name("draw", draw.purpose, draw.subject, n), len(draw.among))
        ]

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        return self.answers(command, question, state)

    def alias(self, command: str, n: int, subject: str) -> str:
        return alias_by_name(self.secret, command, n)


class RandomDice(Struct):
    """Dice, draws and answers of a random player; `wait` makes every question wait instead."""

    random: Random
    wait: bool = False

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        return tuple(self.random.randint(1, roll.sides) for _ in range(roll.count))

    def draw(self, draw: Draw, n: int) -> str | None:
        return self.random.choice(draw.among)

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        return None if self.wait else sample_answer(question, self.random)

    def alias(self, command: str, n: int, subject: str) -> str:
        return alias_by_name(b"random play", command, n)


def sample_answer(question: Question, random: Random) -> tuple[str, ...]:
    """A random answer that will do; the default where none is found among some."""
    ids = [choice.id for choice in question.choices]
    for _ in range(ANSWERS_TRIED):
        answer = tuple(random.sample(ids, random.randint(question.least, min(question.most, len(ids)))))
        if not question.faults(answer):
            return answer
    return question.default


class ScriptFault(AssertionError):
    """A script of dice and answers does not fit what was asked for."""


class ScriptedDice:
    """Dice and answers in order of play: ("hits", (12,)) by purpose and subject, answers by command.

    A question for which the script has no answer is put to `otherwise`. Raises ScriptFault when another roll is asked
    for than the next one of the script.
    """

    def __init__(
        self,
        dice: Sequence[tuple[str, tuple[int, ...]]] = (),
        answers: Sequence[tuple[str, tuple[str, ...]]] = (),
        draws: Sequence[tuple[str, str]] = (),
        otherwise: Callable[[str, Question, Any], tuple[str, ...] | None] = default_answer,
    ) -> None:
        self.dice, self.answers, self.draws = list(dice), list(answers), list(draws)
        self.otherwise = otherwise

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        name = f"{roll.purpose} {roll.subject}".strip()
        if not self.dice:
            raise ScriptFault(f"a roll for {name!r} was made and the script has no more dice")
        wanted, faces = self.dice.pop(0)
        if wanted not in (name, roll.purpose):
            raise ScriptFault(f"a roll for {name!r} was made where the script has {wanted!r}")
        return faces

    def draw(self, draw: Draw, n: int) -> str | None:
        name = f"{draw.purpose} {draw.subject}".strip()
        if not self.draws:
            raise ScriptFault(f"{name!r} was drawn and the script has no more draws")
        wanted, taken = self.draws.pop(0)
        if wanted not in (name, draw.purpose):
            raise ScriptFault(f"{name!r} was drawn where the script has {wanted!r}")
        return taken

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        if not self.answers or self.answers[0][0] != command:
            return self.otherwise(command, question, state)
        return self.answers.pop(0)[1]

    def alias(self, command: str, n: int, subject: str) -> str:
        return alias_by_name(b"script", command, n)


class RecordedDice(Struct):
    """The faces and draws of a recorded ruling by purpose and subject; whatever is not recorded comes from `source`."""

    source: Source
    faces: Mapping[tuple[str, str, int], tuple[int, ...]] = field(default_factory=dict)
    taken: Mapping[tuple[str, str, int], str] = field(default_factory=dict)

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        faces = self.faces.get((roll.purpose, roll.subject, n))
        if faces is not None and len(faces) == roll.count and max(faces) <= roll.sides:
            return faces
        return self.source.roll(roll, n)

    def draw(self, draw: Draw, n: int) -> str | None:
        taken = self.taken.get((draw.purpose, draw.subject, n))
        return taken if taken in draw.among else self.source.draw(draw, n)

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        return self.source.answer(command, question, state)

    def alias(self, command: str, n: int, subject: str) -> str:
        return self.source.alias(command, n, subject)
