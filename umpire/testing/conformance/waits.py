"""Rulings that wait: whatever happens at a question, nothing hangs, `problems` is empty and the ledger folds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from umpire.kernel import running
from umpire.kernel.codec import encode
from umpire.kernel.ledger import Ended, open_order
from umpire.kernel.registry import Refused, RulesPackage
from umpire.kernel.rulings import Roll, Ruling
from umpire.testing.conformance.fixture import Broken, Conformance, begin
from umpire.testing.play.battle import Play
from umpire.testing.play.checks import unruled
from umpire.testing.play.random_play import Quiet, answer_act, do, next_act, settled

Trial = Callable[[Conformance, Play[Any], Random], None]


def every_wait(
    conformance: Conformance, setting: str, seed: int, *, typed: bool = False, acts: int = 60, most: int = 6
) -> int:
    """Random play in which nobody has standing orders, with typed dice or without; at `most` of the questions and rolls
    that wait all of `TRIALS` are made on copies. Gives how many times they were."""
    random = Random(seed)
    state = begin(conformance, setting, random)
    play = Quiet(
        conformance.package,
        state,
        conformance.seats,
        secret=f"waits {seed}".encode(),
        standing=False,
        typed=typed,
    )
    waits = 0
    for _ in range(acts):
        if play.position.open is not None and waits < most and random.random() < 0.7:
            waits += 1
            for trial in TRIALS:
                try:
                    trial(conformance, play, random)
                except Broken as broken:
                    raise Broken(broken.invariant, f"{trial.__name__}, seed {seed}: {broken.text}") from broken
        act = next_act(play, random)
        if act is None:
            break
        do(play, act)
        _is_sound(play)
    return waits


def restart(conformance: Conformance, play: Play[Any], random: Random) -> None:
    """Another process that reads the ledger waits for the same, and goes on to the same end."""
    other = play.restarted()
    if encode(other.state) != encode(play.state) or encode(other.waiting) != encode(play.waiting):
        raise Broken("a restart changes nothing", f"{other.waiting} is waited for instead of {play.waiting}")
    seed, here = random.getrandbits(32), play.copied()
    settled(here, Random(seed))
    settled(other, Random(seed))
    if encode(here.tree.path()) != encode(other.tree.path()):
        raise Broken("a restart changes nothing", "the ruling goes on otherwise")
    _is_sound(other)


def override(conformance: Conformance, play: Play[Any], random: Random) -> None:
    """The umpire removes, kills or moves something at the question; the ruling goes on or is overtaken."""
    corrections = list(conformance.corrections(play.state, random))
    for correction in random.sample(corrections, min(4, len(corrections))):
        copy = play.copied()
        try:
            copy.correct(correction, "at a question")
        except Refused:
            continue
        _is_sound(copy)
        restart(conformance, copy, random)
        settled(copy, random)
        _is_sound(copy, f"after {correction} and the end of the order")


def rewind(conformance: Conformance, play: Play[Any], random: Random) -> None:
    """A rewind into the open order, and before it; nothing is deleted, and the battle goes on."""
    path = play.tree.path()
    start = open_order(path)
    assert start is not None
    inside = [depth for depth in play.cuts() if start < depth <= len(path)]
    for depth in [start, *random.sample(inside, min(3, len(inside)))]:
        copy = play.copied()
        copy.rewind(depth, fresh=random.random() < 0.5)
        parent = copy.tree.lines[copy.tree.head].parent
        if copy.tree.path(parent) != path:
            raise Broken("a rewind keeps all entries", f"cut at {depth} of {len(path)}")
        settled(copy, random)
        _is_sound(copy, f"after a rewind to {depth} of {len(path)}")
        follow = next_act(copy, random)
        if follow is not None:
            do(copy, follow)
            _is_sound(copy)


def changed_code(conformance: Conformance, play: Play[Any], random: Random) -> None:
    """The rules have changed in the middle, or raise: what was told stands, and the umpire can end the order, take it
    back, or go on when the code is mended."""
    opened = play.position.open
    assert opened is not None
    for what in ("roll", "raise"):
        changed = _changed(type(conformance.package))
        changed.at, changed.what = random.randrange(len(opened.tape) + 2), what
        copy = under(play, changed)
        told = encode(copy.tree.path())
        act = answer_act(copy, random) if copy.waiting is not None else {"act": "go_on"}
        do(copy, act)
        if not encode(copy.tree.path()).startswith(told[:-1]):
            raise Broken("what was told stands", f"{what} at {changed.at}")
        _is_sound(copy)
        if copy.position.open is not None and copy.position.open.fault is not None:
            for end in (_stopped, _taken_back, _mended):
                other = copy.copied()
                end(conformance, other, random)
                if other.position.open is not None and other.position.open.fault is not None:
                    raise Broken("nothing hangs", f"{end.__name__}: {other.position.open.fault}")
                _is_sound(other, end.__name__)


def _stopped(conformance: Conformance, play: Play[Any], random: Random) -> None:
    play.package = conformance.package
    play.stop("it cannot go on")
    last = [entry for entry in play.tree.path() if isinstance(entry, Ended)][-1]
    if play.position.open is None and last.how not in ("stopped", "done"):
        raise Broken("an order that cannot go on can be ended", str(last))
    settled(play, random)


def _taken_back(conformance: Conformance, play: Play[Any], random: Random) -> None:
    play.package = conformance.package
    depth = open_order(play.tree.path())
    assert depth is not None
    play.rewind(depth)
    settled(play, random)


def _mended(conformance: Conformance, play: Play[Any], random: Random) -> None:
    """The code is mended: what was told under the changed code may have been another thing, and then it is stopped."""
    mended = under(play, conformance.package)
    play.package, play.position = mended.package, mended.position
    if play.position.open is not None and play.position.open.fault is None and play.position.open.waiting is None:
        play.go_on()
    if play.position.open is not None and play.position.open.fault is not None:
        play.stop("it was played under other rules")
    settled(play, random)


def typed_dice(conformance: Conformance, play: Play[Any], random: Random) -> None:
    """Dice that cannot be are refused and change nothing, and so are answers that were not asked for."""
    copy = play.copied()
    before = (copy.position, copy.tree.depth)
    roll = copy.waiting.roll if copy.waiting is not None else None
    wrong: list[list[int]] = [[0], [1] * 99, []]
    if roll is not None:
        wrong.append([roll.sides + 1] * roll.count)
    for faces in wrong:
        if not copy.throw(faces):
            raise Broken("dice that cannot be are refused", f"{faces} for {roll}")
    if not copy.answer("nobody", ["nothing"]):
        raise Broken("a refused answer changes nothing", "nobody may answer")
    for command, question in copy.waiting.questions.items() if copy.waiting else ():
        if not copy.answer(command, ["no such choice"]) or not question.faults(["no such choice"]):
            raise Broken("a refused answer changes nothing", f"{command} may choose what is not there")
    if (copy.position, copy.tree.depth) != before:
        raise Broken("a refused answer changes nothing", "it does")


TRIALS: tuple[Trial, ...] = (restart, override, rewind, changed_code, typed_dice)


def under(play: Play[Any], package: RulesPackage[Any, Any]) -> Play[Any]:
    """The same battle as a process with other rules would read it."""
    other = play.copied()
    other.package = package
    other.position = running.position_of(package, other.first, other.tree.path(), other.sources)
    return other


def _is_sound(play: Play[Any], when: str = "") -> None:
    if encode(play.folded()) != encode(play.state):
        raise Broken("the ledger folds", f"to another state {when}")
    if problems := unruled(play):
        raise Broken("problems is empty", f"{'; '.join(problems)} {when}")


@cache
def _changed(kind: type[RulesPackage[Any, Any]]) -> Any:
    """A package whose rulings have one step more, or raise, at the step `at`."""

    class Changed(kind):  # type: ignore[misc, valid-type]
        at = 0
        what = "roll"

        def resolve(self, state: Any, seat: Any, order: Any) -> Ruling[Any]:
            return _with_more(super().resolve(state, seat, order), self.at, self.what)

        def carry(self, state: Any, force: str) -> Ruling[Any]:
            return _with_more(super().carry(state, force), self.at, self.what)

    return Changed()


def _with_more(ruling: Ruling[Any], at: int, what: str) -> Ruling[Any]:
    answer: Any = None
    number = 0
    try:
        while True:
            if number == at and what == "raise":
                raise RuntimeError("a fault of the rules")
            if number == at:
                yield Roll(purpose="a roll that was not there before")
            step = ruling.send(answer)
            answer = yield step
            number += 1
    except StopIteration as stop:
        return stop.value
