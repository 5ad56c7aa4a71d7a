"""Secrecy: worlds that are equal in a seat's slice are equal in every byte that the seat can fetch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import ServerDice, Source
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.ledger import Begun, Corrected, Happened, applied
from umpire.kernel.play import Play
from umpire.kernel.rulings import Draw, Question, Roll
from umpire.kernel.running import digest_of_order
from umpire.kernel.settings import half
from umpire.kernel.states import Seat, slice_of
from umpire.kernel.testing.conformance import Broken, Conformance, Tells, begin
from umpire.kernel.testing.random_play import Act, answer_act, do, next_act, order_act, settled
from umpire.kernel.testing.serving import difference, served

Plays = Callable[..., Play[Any]]
SECRET = b"twin worlds"


def somewhere(conformance: Conformance, setting: str, random: Random, play: Plays = Play, most: int = 40) -> Any:
    """A state reached by some random play, in which nothing waits and the battle goes on."""
    state = begin(conformance, setting, random)
    battle = play(conformance.package, state, conformance.seats, secret=SECRET)
    for _ in range(random.randrange(most)):
        settled(battle, random)
        was = battle.state
        act = next_act(battle, random)
        if act is None:
            return was
        do(battle, act)
        settled(battle, random)
        if conformance.package.outcome(battle.state).is_over:
            return was
    return battle.state


def states_since(play: Play[Any], before: Any, depth: int) -> Iterator[tuple[Any, Any, Any]]:
    """Each event since `depth` with the states before and after it."""
    state = before
    for entry in play.tree.path()[depth:]:
        if isinstance(entry, Happened | Corrected):
            after = applied(play.package, state, entry.event)
            yield state, entry.event, after
            state = after


def told(conformance: Conformance, play: Play[Any], before: Any, depth: int, command: str) -> list[Tells]:
    """What the world events since `depth` may tell a command, by the package's own judgement."""
    return [
        conformance.tells(state, event, after, command)
        for state, event, after in states_since(play, before, depth)
        if not isinstance(event, KnowledgeEvent)
    ]


class _Pair:
    """Two worlds with the same slice of one seat, and the observers beside it."""

    def __init__(self, conformance: Conformance, seat: Seat, one: Play[Any], other: Play[Any], seed: int) -> None:
        self.conformance, self.seat, self.one, self.other, self.seed = conformance, seat, one, other, seed
        self.command = seat.commands[0]
        self.watchers = [seat.name, *(name for name, each in one.seats.items() if each.role == "observer")]
        self.compared = 0

    def compare(self, when: str) -> None:
        """Everything that the seat and the observers can fetch is the same."""
        self.compared += 1
        for name in self.watchers:
            seed = self.seed + self.compared
            first = served(self.conformance, self.one, name, seed)
            second = served(self.conformance, self.other, name, seed)
            if text := difference(first, second):
                raise Broken("twin worlds", f"{name} can tell them apart {when}: {text}")

    def both(self, do_it: Callable[[Play[Any]], Any], when: str) -> bool:
        """Does the same in both worlds and compares. False when the worlds may part from here on."""
        befores = [(play.state, len(play.tree.path())) for play in (self.one, self.other)]
        answers = [do_it(play) for play in (self.one, self.other)]
        if encode(answers[0]) != encode(answers[1]):
            raise Broken("twin worlds", f"{self.seat.name} is answered {answers[0]!r} or {answers[1]!r} {when}")
        for play, (state, depth) in zip((self.one, self.other), befores, strict=True):
            if "new" in told(self.conformance, play, state, depth, self.command):
                return False
        if encode(self.conformance.conceded(self.one.state)) != encode(self.conformance.conceded(self.other.state)):
            return False
        self.compare(when)
        return True

    def wait_alike(self, when: str) -> None:
        """Nobody notices that he waits in one world and not in the other."""
        if (self.one.position.open is None) is not (self.other.position.open is None):
            raise Broken("twin worlds", f"an order of {self.seat.name} waits in one world {when}")


def twin_worlds(
    conformance: Conformance, setting: str, seed: int, *, play: Plays = Play, steps: int = 8, steady: bool = False
) -> int:
    """Non-interference: for two states that are equal in a seat's slice, hidden activity in one of them leaves every
    byte that the seat can fetch equal until something hidden is rightly met. `steady` battles hold results back until
    nothing waits; in others nothing that waits may tell. Gives how often the worlds were compared."""
    random = Random(seed)
    package = conformance.package
    start = somewhere(conformance, setting, random)
    seat = random.choice(conformance.players)
    command = seat.commands[0]
    try:
        twin = package.another(start, command, random)
    except LookupError:
        return 0
    if encode(slice_of(start, (command,))) != encode(slice_of(twin, (command,))):
        raise Broken("another world has the same slice", f"{command}, seed {seed}")
    if problems := package.problems(twin):
        raise Broken("another world is a proper one", "; ".join(problems))
    plays = [play(package, state, conformance.seats, secret=SECRET, steady=steady) for state in (start, twin)]
    pair = _Pair(conformance, seat, plays[0], plays[1], seed)
    pair.compare("at the start")
    for _ in range(steps):
        if package.outcome(pair.one.state).is_over or not _step(pair, random):
            break
    return pair.compared


def _step(pair: _Pair, random: Random) -> bool:
    """One more thing happens: something hidden in one world, or the same in both. False when the worlds may part."""
    kind = random.choice(("hidden", "hidden", "own", "own", "public"))
    if kind == "hidden":
        return _hidden(pair, random)
    names = [pair.seat.name]
    if kind == "public":
        names = [seat.name for seat in pair.conformance.players if seat.name != pair.seat.name]
    act = _order_act(pair.one, random, names)
    if act is None:
        return True
    name, order = act["seat"], act["order"]
    copies = [play.copied() for play in (pair.one, pair.other)]
    if kind == "public":
        try:
            if any(play.check(name, order) for play in copies):
                return True
        except (LookupError, msgspec.ValidationError):
            return True
    if not pair.both(lambda play: play.order(name, order), f"after the order {order} of {name}"):
        return False
    if kind == "own":
        pair.wait_alike(f"after its order {order}")
    if not _answered(pair, random):
        return False
    if pair.one.steady:
        pair.one.release()
        pair.other.release()
        pair.compare(f"at the release after {order} of {name}")
    return True


def _answered(pair: _Pair, random: Random) -> bool:
    """What waits openly is answered in both worlds alike, as long as both wait for the same."""
    for _ in range(20):
        if pair.one.position.open is None and pair.other.position.open is None:
            return True
        if pair.one.waiting is None or pair.other.waiting is None:
            return False
        if set(pair.one.waiting.questions) != set(pair.other.waiting.questions):
            return False
        act = answer_act(pair.one, random)
        question = pair.other.waiting.questions.get(act.get("command", ""))
        if question is None or (act["choices"] and question.faults(act["choices"])):
            return False
        if not pair.both(lambda play, act=act: do(play, act), f"after the answer {act}"):  # type: ignore[misc]
            return False
    return False


def _hidden(pair: _Pair, random: Random) -> bool:
    """Something happens in one world only, of which the seat may learn nothing; it learns nothing."""
    trial = pair.one.copied()
    depth = len(trial.tree.path())
    before = trial.state
    what = _activity(pair, trial, random)
    conceded = pair.conformance.conceded
    if what is None:
        return True
    if not pair.one.steady:
        settled(trial, random)
    trial_told = told(pair.conformance, trial, before, depth, pair.command)
    if set(trial_told) - {"nothing"} or encode(conceded(trial.state)) != encode(conceded(before)):
        return True  # not hidden after all: it is left out
    pair.one = trial
    pair.compare(f"after {what} in one world only")
    if trial.position.open is not None:
        return _while_waiting(pair, what, random)
    if pair.one.steady:
        pair.one.release()
        pair.other.release()
        pair.compare(f"at the release after {what} in one world only")
    return True


def _while_waiting(pair: _Pair, what: str, random: Random) -> bool:
    """A question waits in one world only: an order of the seat gets the same answer in both, and after it all is
    the same at the release."""
    act = _order_act(pair.one, random, [pair.seat.name])
    if act is None:
        return False
    order = act["order"]
    worlds = (pair.one, pair.other)
    befores = [(play.state, len(play.tree.path())) for play in worlds]
    answers = [play.order(pair.seat.name, order) for play in worlds]
    when = f"after its order {order} while {what} waits in one world only"
    if encode(answers[0]) != encode(answers[1]):
        raise Broken("twin worlds", f"{pair.seat.name} is answered {answers[0]!r} or {answers[1]!r} {when}")
    pair.compare(when)
    learnt = []
    for play, (state, depth) in zip(worlds, befores, strict=True):
        settled(play, random)
        found = told(pair.conformance, play, state, depth, pair.command)
        learnt.append([each for each in found if each != "nothing"])
    if learnt[0] != learnt[1] or "new" in learnt[0]:
        return False  # what waited was not hidden after all
    if encode(pair.conformance.conceded(pair.one.state)) != encode(pair.conformance.conceded(pair.other.state)):
        return False
    pair.one.release()
    pair.other.release()
    pair.compare(f"at the release {when}")
    return True


def _activity(pair: _Pair, trial: Play[Any], random: Random) -> str | None:
    """Does something that may be hidden, on a copy; gives it in words."""
    conformance = pair.conformance
    kind = random.choice(("order", "order", "carry", "correct"))
    if kind == "carry":
        due = conformance.package.due(trial.state)
        if not due:
            return None
        trial.carry(due[0])
        return f"the plan of {due[0]}"
    if kind == "correct":
        corrections = conformance.corrections(trial.state, random)
        if not corrections:
            return None
        correction = random.choice(list(corrections))
        trial.correct(correction, "hidden")
        return f"the correction {correction}"
    others = [seat.name for seat in conformance.players if seat.name != pair.seat.name]
    act = _order_act(trial, random, others)
    if act is None:
        return None
    do(trial, act)
    return f"the order {act['order']}"


def _order_act(play: Play[Any], random: Random, seats: Sequence[str]) -> Act | None:
    """A random order of one of these seats; None where it is not for them to act."""
    if not any(play.options(seat, subject) for seat in seats for subject in (None, *play.subjects(seat))):
        return None
    return order_act(play, random, seats)


# Other names


def renamed(state: Any, package: Any, names: Mapping[str, str]) -> Any:
    """The same state under other true ids."""
    return codec_of(package).state.decode(swapped(encode(state), names))


def swapped(data: bytes, names: Mapping[str, str]) -> bytes:
    """Bytes in which each of some ids is replaced by another."""
    if not names:
        return data
    pattern = re.compile("|".join(sorted(map(re.escape, names), key=len, reverse=True)).encode())
    return pattern.sub(lambda match: names[match.group().decode()].encode(), data)


def _plain_swapped(value: Any, names: Mapping[str, str]) -> Any:
    return msgspec.json.decode(swapped(msgspec.json.encode(value), names))


class _SameDice:
    """The dice of the world whose names were changed: asked for by the names of the other."""

    def __init__(self, source: Source, back: Mapping[str, str], forth: Mapping[str, str]) -> None:
        self.source, self.back, self.forth = source, back, forth

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        subject = self.back.get(roll.subject, roll.subject)
        return self.source.roll(msgspec.structs.replace(roll, subject=subject), n)

    def draw(self, draw: Draw, n: int) -> str | None:
        among = tuple(self.back.get(each, each) for each in draw.among)
        subject = self.back.get(draw.subject, draw.subject)
        taken = self.source.draw(msgspec.structs.replace(draw, among=among, subject=subject), n)
        return None if taken is None else self.forth.get(taken, taken)

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        return self.source.answer(command, question, state)

    def alias(self, command: str, n: int) -> str:
        return self.source.alias(command, n)


def other_names(conformance: Conformance, setting: str, seed: int, *, play: Plays = Play, steps: int = 25) -> int:
    """Aliases: a world in which all that is hidden has other true ids, in the same order, is the same to a seat for
    ever, before and after contact, and no true id of a hidden thing occurs in what it gets."""
    random = Random(seed)
    package = conformance.package
    start = somewhere(conformance, setting, random)
    seat = random.choice(conformance.players)
    hidden = sorted(_hidden_ids(conformance, start, seat))
    forth = {name: f"h{index:04d}{random.getrandbits(32):08x}" for index, name in enumerate(hidden)}
    back = {new: name for name, new in forth.items()}

    def same_dice(begun: Begun) -> Source:
        giver, order = back.get(begun.giver, begun.giver), _plain_swapped(begun.order, back)
        digest = digest_of_order(order) if order else ""
        return _SameDice(ServerDice(SECRET, 0, giver, begun.number, digest, False, one.reply), back, forth)

    one = play(package, start, conformance.seats, secret=SECRET)
    twin = renamed(start, package, forth)
    other = play(package, twin, conformance.seats, source=same_dice)
    pair = _Pair(conformance, seat, one, other, seed)
    pair.compare("under other names, at the start")
    for _ in range(steps):
        if one.waiting is not None:
            act = answer_act(one, random)
        elif (following := next_act(one, random)) is not None:
            act = following
        else:
            break
        before, depth = one.state, len(one.tree.path())
        do(one, act)
        do(other, _plain_swapped(act, forth))
        slices = [encode(slice_of(after, seat.commands)).decode() for _, _, after in states_since(one, before, depth)]
        if any(name in known for known in slices for name in hidden):
            break  # a hidden thing has come into the open, with its name
        pair.compare(f"under other names, after {act}")
        for name in pair.watchers:
            for part, data in served(conformance, one, name, seed).items():
                for true_id in hidden:
                    if true_id.encode() in data:
                        raise Broken("no true id of a hidden thing", f"{name} gets {true_id} in {part} after {act}")
    return pair.compared


def _hidden_ids(conformance: Conformance, state: Any, seat: Seat) -> Iterator[str]:
    known = encode(slice_of(state, seat.commands)).decode()
    return (name for name in conformance.ids(state) if name not in known)


def strangers(conformance: Conformance, setting: str, seed: int, *, play: Plays = Play) -> int:
    """Ids cannot be tried out: an order about a hidden thing is refused in the same words as one about a thing that
    does not exist. Gives how many orders were tried."""
    random = Random(seed)
    start = somewhere(conformance, setting, random)
    seat = random.choice(conformance.players)
    battle = play(conformance.package, start, conformance.seats, secret=SECRET)
    believed = battle.believed(seat.name)
    hidden = sorted(_hidden_ids(conformance, start, seat))
    tried = 0
    for subject in (None, *battle.subjects(seat.name)):
        for form in battle.options(seat.name, subject):
            order = conformance.package.sample(believed, seat, form, random)
            for key, value in order.items():
                if key == "verb" or not isinstance(value, str) or not hidden:
                    continue
                true, none = random.choice(hidden), f"n{random.getrandbits(48):012x}"
                said = [encode(_refused(battle, seat.name, {**order, key: name})) for name in (true, none)]
                tried += 1
                if swapped(said[0], {true: none}) != said[1]:
                    raise Broken("ids cannot be tried out", f"{order} with {key} {true} or {none}: {said}")
    return tried


def _refused(play: Play[Any], seat: str, order: Mapping[str, Any]) -> Any:
    try:
        return play.check(seat, order)
    except msgspec.ValidationError as error:
        return str(error)


def canaries(conformance: Conformance, setting: str, seed: int, *, play: Plays = Play, steps: int = 12) -> int:
    """Canary: unique words in every hidden text, and those of the umpire's half of the setting, reach no seat but by
    an event that rightly tells it of them. Gives how many words were looked for."""
    random = Random(seed)
    package = conformance.package
    state = somewhere(conformance, setting, random)
    seat = random.choice(conformance.players)
    command = seat.commands[0]
    words: list[str] = []

    def word() -> str:
        words.append(f"canary{random.getrandbits(40):010x}")
        return words[-1]

    state = conformance.plant(state, command, word)
    words.extend(_secret_words(state))
    battle = play(package, state, conformance.seats, secret=SECRET)
    excused: set[str] = set()
    for number in range(steps):
        known = encode(slice_of(battle.state, seat.commands)).decode()
        excused.update(word for word in words if word in known)
        left = [each for each in words if each not in excused]
        for name in (seat.name, *(name for name, each in battle.seats.items() if each.role == "observer")):
            for part, data in served(conformance, battle, name, seed + number).items():
                for each in left:
                    if _as_json(each) in data:
                        raise Broken("canary", f"{name} gets {each!r} in {part}, step {number}")
        before, depth = battle.state, len(battle.tree.path())
        act = next_act(battle, random)
        if act is None:
            break
        do(battle, act)
        settled(battle, random)
        excused.update(_rightly_told(conformance, battle, before, depth, seat, words))
    return len(words)


def _rightly_told(
    conformance: Conformance, play: Play[Any], before: Any, depth: int, seat: Seat, words: Sequence[str]
) -> Iterator[str]:
    for state, event, after in states_since(play, before, depth):
        if not isinstance(event, KnowledgeEvent):
            if conformance.tells(state, event, after, seat.commands[0]) != "nothing":
                data = encode([event, slice_of(after, seat.commands)])
                yield from (word for word in words if _as_json(word) in data)


def _as_json(word: str) -> bytes:
    return msgspec.json.encode(word)[1:-1]


def _secret_words(state: Any) -> list[str]:
    """The texts of the umpire's half of the setting that do not stand in the public half."""
    public = encode(half(state.public.setting)).decode()
    return [text for text in _texts(msgspec.to_builtins(half(state.umpire.setting))) if text not in public]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str) and len(value) >= 12:
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
