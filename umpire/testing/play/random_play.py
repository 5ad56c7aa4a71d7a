"""Random legal play of all seats, with every invariant checked at each step; a failure is written down and replayed.

`manage.py selfplay` is `random_play` in a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from umpire.kernel.codec import encode
from umpire.kernel.dice import sample_answer
from umpire.kernel.forms import Form
from umpire.kernel.ledger import Begun
from umpire.kernel.registry import RulesPackage
from umpire.kernel.settings import Setting
from umpire.kernel.states import Contact, Seat
from umpire.testing.conformance.fixture import Broken, new_id
from umpire.testing.play.battle import Play
from umpire.testing.play.checks import CHECKS
from umpire.testing.play.moments import Act, Check, Moment, Seen


class Failed(AssertionError):
    """Random play met a broken invariant or an error. `dump` is plain JSON for `replay`."""

    def __init__(self, text: str, dump: dict[str, Any]) -> None:
        super().__init__(text)
        self.dump = dump


class Quiet(Play[Any]):
    """A battle that writes no news, where nobody looks at it."""

    def release(self) -> None:
        self.shown, self._unsaid = self.state, []


def random_play(
    package: RulesPackage[Any, Any],
    setting: Setting,
    seats: Mapping[str, Seat],
    random: Random,
    steps: int,
    *,
    checks: Sequence[Check] = CHECKS,
    play: Callable[..., Play[Any]] = Play,
    source: Callable[[Begun], Any] | None = None,
    correct: Callable[[Any, Random], Sequence[Mapping[str, Any]]] | None = None,
    recognises: Callable[[Contact], bool] = lambda contact: False,
    standing: bool = True,
) -> Iterator[Moment]:
    """Plays `steps` acts at random, or to the end of the battle, and yields the battle after each act.

    `checks` are run at each step (all by default); `correct` lets an umpire correct
    something now and then; `recognises` says of which contacts looks alone tell that they were seen before. The same
    `random` gives the same play. Raises Failed, whose dump `replay` plays again."""
    seed = random.getrandbits(64)
    secret = f"{random.getrandbits(64):016x}"
    acts: list[Act] = []
    try:
        battle = _battle(package, setting, seats, seed, secret, play=play, source=source, standing=standing)
        asides = Random(seed)
        for number in range(steps):
            act = next_act(battle, random, correct)
            if act is None:
                return
            moment = before_act(battle, act, number, asides)
            moment.recognises = recognises
            acts.append(act)
            do(battle, act)
            for check in checks:
                check(moment)
            yield moment
    except GeneratorExit:
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        dump = {
            "system": package.system,
            "setting": {"public": _plain(setting.public), "umpire": _plain(setting.umpire)},
            "seats": _plain(dict(seats)),
            "seed": seed,
            "secret": secret,
            "standing": standing,
            "acts": list(acts),
            "broken": text,
        }
        raise Failed(f"after {len(acts)} acts: {text}", dump) from error


def replay(
    package: RulesPackage[Any, Any],
    dump: Mapping[str, Any],
    *,
    checks: Sequence[Check] = (),
    play: Callable[..., Play[Any]] = Play,
) -> Play[Any]:
    """Plays a dump again, act by act; raises what was raised."""
    setting = Setting(
        public=msgspec.convert(dump["setting"]["public"], package.public_setting),
        umpire=msgspec.convert(dump["setting"]["umpire"], package.umpire_setting),
    )
    seats = {name: msgspec.convert(seat, Seat) for name, seat in dump["seats"].items()}
    seed = dump["seed"]
    battle = _battle(package, setting, seats, seed, dump["secret"], play=play, standing=dump["standing"])
    asides = Random(seed)
    for number, act in enumerate(dump["acts"]):
        moment = before_act(battle, act, number, asides)
        do(battle, act)
        for check in checks:
            check(moment)
    return battle


def _battle(
    package: RulesPackage[Any, Any],
    setting: Setting,
    seats: Mapping[str, Seat],
    seed: int,
    secret: str,
    *,
    play: Callable[..., Play[Any]],
    standing: bool,
    source: Callable[[Begun], Any] | None = None,
) -> Play[Any]:
    names = Random(seed)
    state = package.begin(setting, lambda key: new_id(names))
    return play(package, state, seats, secret=secret.encode(), source=source, standing=standing)


def _plain(value: Any) -> Any:
    return msgspec.json.decode(encode(value))


def before_act(play: Play[Any], act: Act, number: int, random: Random) -> Moment:
    """What the checks need to know of a battle before an act."""
    seen = {
        name: Seen(play.view(name), play.sent(name), play.tag(name), len(play.news[name]))
        for name, seat in play.seats.items()
        if seat.role != "umpire"
    }
    return Moment(play, act, number, play.state, play.tree.depth, random, seen, play.position.open)


def next_act(
    play: Play[Any],
    random: Random,
    correct: Callable[[Any, Random], Sequence[Mapping[str, Any]]] | None = None,
) -> Act | None:
    """Something that may be done now; None when the battle is over. Raises Broken where nobody can do anything."""
    if play.waiting is not None:
        return answer_act(play, random)
    if play.position.open is not None:
        fault = play.position.open.fault
        raise Broken("nothing hangs", f"a ruling cannot go on: {fault}")
    if play.package.outcome(play.state).is_over:
        return None
    if correct is not None and random.random() < 0.05:
        if corrections := correct(play.state, random):
            return {"act": "correct", "correction": random.choice(corrections)}
    if due := play.package.due(play.state):
        return {"act": "carry", "force": due[0]}
    return order_act(play, random, [name for name, seat in play.seats.items() if seat.role == "player"], chancy=0.5)


def answer_act(play: Play[Any], random: Random) -> Act:
    """A random answer to what is waited for."""
    waiting = play.waiting
    assert waiting is not None
    if waiting.roll is not None:
        faces = [random.randint(1, waiting.roll.sides) for _ in range(waiting.roll.count)]
        return {"act": "throw", "faces": faces}
    command = random.choice(list(waiting.questions))
    return {"act": "answer", "command": command, "choices": sample_answer(waiting.questions[command], random)}


def order_act(play: Play[Any], random: Random, seats: Sequence[str], *, chancy: float = 0.0) -> Act:
    """A random order of one of these seats, from what it is offered, each verb alike likely; with the probability
    `chancy` one that has odds if any seat has such, or else one that needs no choice, for these move a battle on.
    Raises Broken where nothing is offered."""
    offered = {seat: forms for seat in seats if (forms := forms_of(play, seat))}
    if random.random() < chancy:
        offered = _those(offered, lambda form: form.odds) or _those(offered, lambda form: not form.slots) or offered
    if not offered:
        raise Broken("somebody can always act", f"none of {', '.join(seats)} is offered anything, and nothing is due")
    seat = random.choice(list(offered))
    verb = random.choice(sorted({form.verb for form in offered[seat]}))
    form = random.choice([form for form in offered[seat] if form.verb == verb])
    order = play.package.sample(play.believed(seat), play.seats[seat], form, random)
    return {"act": "order", "seat": seat, "order": order}


def _those(offered: Mapping[str, list[Form]], will_do: Callable[[Form], bool]) -> dict[str, list[Form]]:
    found = {seat: [form for form in forms if will_do(form)] for seat, forms in offered.items()}
    return {seat: forms for seat, forms in found.items() if forms}


def forms_of(play: Play[Any], seat: str) -> list[Form]:
    """All that a seat is offered now."""
    return [form for subject in (None, *play.subjects(seat)) for form in play.options(seat, subject)]


def do(play: Play[Any], act: Act) -> None:
    """Does one act. Raises Broken where what was offered is not accepted."""
    match act:
        case {"act": "order", "seat": seat, "order": order}:
            if refusals := play.order(seat, order):
                raise Broken("what is offered is accepted", f"{seat} is refused {order}: {refusals}")
        case {"act": "answer", "command": command, "choices": choices}:
            if refusals := play.answer(command, choices):
                raise Broken("what is offered is accepted", f"{command} may not answer {choices}: {refusals}")
        case {"act": "throw", "faces": faces}:
            if refusals := play.throw(faces):
                raise Broken("what is offered is accepted", f"{faces} may not be thrown: {refusals}")
        case {"act": "carry", "force": force}:
            play.carry(force)
        case {"act": "correct", "correction": correction}:
            play.correct(correction, "random play")
        case {"act": "stop"}:
            play.stop("random play")
        case {"act": "go_on"}:
            play.go_on()
        case _:
            raise ValueError(f"there is no act {act!r}")


def settled(play: Play[Any], random: Random | None = None, most: int = 200) -> None:
    """Answers whatever a battle waits for, at random or by the defaults, until it waits for nothing.

    Raises Broken where that never ends."""
    for _ in range(most):
        opened = play.position.open
        if opened is None:
            return
        if opened.fault is not None:
            raise Broken("nothing hangs", f"a ruling cannot go on: {opened.fault}")
        if opened.waiting is None:
            play.go_on()
        elif random is not None or opened.waiting.roll is not None:
            do(play, answer_act(play, random or Random(0)))
        else:
            command, question = next(iter(opened.waiting.questions.items()))
            do(play, {"act": "answer", "command": command, "choices": question.default})
    raise Broken("nothing hangs", f"the ruling still waits after {most} answers")
