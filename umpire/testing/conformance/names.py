"""Secrecy: no name and no word of a hidden thing reaches a seat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import ServerDice, Source, alias_by_name
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.ledger import Begun
from umpire.kernel.rulings import Draw, Question, Roll
from umpire.kernel.running import digest_of_order
from umpire.kernel.settings import Setting, half
from umpire.kernel.states import Seat, slice_of
from umpire.testing.conformance.courses import states_since
from umpire.testing.conformance.fixture import Broken, Conformance
from umpire.testing.conformance.serving import served
from umpire.testing.conformance.twins import SECRET, Pair, Plays, some_player, somewhere
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import answer_act, do, next_act, settled


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
    """The dice of the world whose names were changed: asked for by the names of the other. A thing has the same aliases
    in both worlds, in whatever order things are met; `counts` says how often each command has met it."""

    def __init__(
        self, source: Source, back: Mapping[str, str], forth: Mapping[str, str], counts: Counter[tuple[str, str]]
    ) -> None:
        self.source, self.back, self.forth, self.counts = source, back, forth, counts

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        return self.source.roll(msgspec.structs.replace(roll, subject=self._back(roll.subject)), n)

    def draw(self, draw: Draw, n: int) -> str | None:
        among = tuple(sorted(self.back.get(each, each) for each in draw.among))
        taken = self.source.draw(msgspec.structs.replace(draw, among=among, subject=self._back(draw.subject)), n)
        return None if taken is None else self.forth.get(taken, taken)

    def _back(self, subject: str) -> str:
        """A subject may name several pieces, one word each."""
        return " ".join(self.back.get(word, word) for word in subject.split(" "))

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        return self.source.answer(command, question, state)

    def alias(self, command: str, n: int, subject: str) -> str:
        if not subject:
            return self.source.alias(command, n, subject)
        subject = self._back(subject)
        self.counts[command, subject] += 1
        return alias_by_name(SECRET, f"{command} {subject}", self.counts[command, subject])


def other_names(conformance: Conformance, setting: str, seed: int, *, play: Plays = Play, steps: int = 25) -> int:
    """Aliases and order: a world in which all that is hidden has other true ids, in another order, is the same to a
    seat for ever, before and after contact: whatever it is told of several comes in an order that does not depend on
    them. No true id of a hidden thing occurs in what it gets."""
    random = Random(seed)
    package = conformance.package
    start = somewhere(conformance, setting, random)
    seat = some_player(conformance, start, random)
    hidden = sorted(conformance.ids(start, seat.commands))
    forth = {name: f"h{random.getrandbits(48):012x}" for name in hidden}

    def reply(command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        answer: tuple[str, ...] | None = package.reply(package.believed(slice_of(state, (command,))), question)
        return answer

    def same_dice(forth: Mapping[str, str]) -> Callable[[Begun], Source]:
        back = {new: name for name, new in forth.items()}
        counts: Counter[tuple[str, str]] = Counter()

        def source(begun: Begun) -> Source:
            giver, order = back.get(begun.giver, begun.giver), _plain_swapped(begun.order, back)
            digest = digest_of_order(order) if order else ""
            dice = ServerDice(SECRET, 0, giver, begun.number, digest, False, reply)
            return _SameDice(dice, back, forth, counts)

        return source

    one = play(package, start, conformance.seats, source=same_dice({}))
    twin = renamed(start, package, forth)
    other = play(package, twin, conformance.seats, source=same_dice(forth))
    pair = Pair(conformance, seat, one, other, seed)
    pair.compare("under other names, at the start")
    for _ in range(steps):
        if one.waiting is not None:
            act = answer_act(one, random)
        elif (following := next_act(one, random)) is not None:
            act = following
        else:
            break
        before, depth = one.state, one.tree.depth
        do(one, act)
        do(other, _plain_swapped(act, forth))
        public = [encode(after.public).decode() for _, _, after in states_since(one, before, depth)]
        if any(name in known for known in public for name in hidden):
            break  # a hidden thing has come into the open, with its name
        pair.compare(f"under other names, after {act}")
        for name in pair.watchers:
            for part, data in served(conformance, one, name, seed).items():
                for true_id in hidden:
                    if true_id.encode() in data:
                        raise Broken("no true id of a hidden thing", f"{name} gets {true_id} in {part} after {act}")
    return pair.compared


def strangers(conformance: Conformance, setting: str, seed: int, *, play: Plays = Play) -> int:
    """Ids cannot be tried out: an order about a hidden thing is refused in the same words as one about a thing that
    does not exist. Gives how many orders were tried."""
    random = Random(seed)
    start = somewhere(conformance, setting, random)
    seat = random.choice(conformance.players)
    battle = play(conformance.package, start, conformance.seats, secret=SECRET)
    believed = battle.believed(seat.name)
    hidden = sorted(conformance.ids(start, seat.commands))
    tried = 0
    for subject in (None, *battle.subjects(seat.name)):
        for form in battle.options(seat.name, subject):
            order = conformance.package.sample(believed, seat, form, random)
            for key, value in order.items():
                if key == "verb" or not isinstance(value, str) or not hidden:
                    continue
                true, none = random.choice(hidden), f"n{random.getrandbits(48):012x}"
                said = [encode(refused(battle, seat.name, {**order, key: name})) for name in (true, none)]
                tried += 1
                if swapped(said[0], {true: none}) != said[1]:
                    raise Broken("ids cannot be tried out", f"{order} with {key} {true} or {none}: {said}")
    return tried


def refused(play: Play[Any], seat: str, order: Mapping[str, Any]) -> Any:
    """The refusals of an order, or the words that say it is none."""
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
    setting_halves = Setting(public=half(state.public.setting), umpire=half(state.umpire.setting))
    words.extend(conformance.secret_texts(setting_halves))
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
        before, depth = battle.state, battle.tree.depth
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
