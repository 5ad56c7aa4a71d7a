"""A battle in memory: the ledger's tree, its position, the seats' news. For tests, self-play and cases.

The server keeps the same things in a database and calls the same functions of `running` and `news`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from umpire.kernel import running
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import ServerDice, Source
from umpire.kernel.forms import Form
from umpire.kernel.hand.corrections import overruled
from umpire.kernel.ledger import Answered, Begun, Tree, fold, is_cut
from umpire.kernel.news import News, news_of, tag_of, view_of
from umpire.kernel.odds import Odds, odds_of
from umpire.kernel.registry import LogLine, Preview, RulesPackage
from umpire.kernel.rulings import Question
from umpire.kernel.running import Done, Position, believed_of
from umpire.kernel.states import Seat, State, slice_of
from umpire.kernel.values.modifiers import Refusal

S = TypeVar("S", bound=State)
Json = dict[str, Any]


class Play(Generic[S]):
    """One battle of one package. `seats` by name; `source` makes the dice of a ruling (server dice by default).

    Orders given while a ruling waits are held and taken after it, and their giver is told the same. In a `steady`
    battle seats are shown nothing before `release`, so that waiting tells nothing. `typed` dice wait to be thrown.
    """

    def __init__(
        self,
        package: RulesPackage[S, Any],
        state: S,
        seats: Mapping[str, Seat],
        *,
        secret: bytes = b"in memory",
        source: Callable[[Begun], Source] | None = None,
        standing: bool = True,
        steady: bool = False,
        typed: bool = False,
    ) -> None:
        self.package = package
        self.first = state
        self.shown = state
        self.seats = dict(seats)
        self.secret = secret
        self.tree = Tree()
        self.position = Position(state=state)
        self.news: dict[str, list[News]] = {name: [] for name in seats}
        self.held: list[tuple[str, Mapping[str, Any]]] = []
        self.steady, self.typed = steady, typed and package.lets_type(state)
        self._unsaid: list[running.Step] = []
        self._notes: dict[str, list[LogLine]] = {}
        self._drawn: dict[str, tuple[S, Json]] = {}
        self._sent: dict[str, tuple[Json, bytes]] = {}
        self._source = source
        self._standing = standing
        self._keep(running.advance(package, Done(steps=(), position=self.position), self.sources))

    @property
    def state(self) -> S:
        state: S = self.position.state
        return state

    @property
    def waiting(self) -> running.Waiting | None:
        return self.position.open.waiting if self.position.open else None

    @property
    def dice_line(self) -> int:
        return self.tree.lines[self.tree.head].dice

    def sources(self, begun: Begun) -> Source:
        """The dice of a ruling, on the dice line of the ledger's line also for what was begun before a rewind."""
        if self._source is not None:
            return self._source(begun)
        digest = running.digest_of_order(begun.order) if begun.order else ""
        return ServerDice(self.secret, self.dice_line, begun.giver, begun.number, digest, self.typed, self.reply)

    def reply(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        """What the standing orders of a command answer."""
        return (
            self.package.reply(self.package.believed(slice_of(state, (command,))), question) if self._standing else None
        )

    # What serves a seat: all of it from what has been shown

    def believed(self, seat: str) -> Any:
        return believed_of(self.package, self.shown, self.seats[seat])

    def view(self, seat: str) -> Json:
        """The view of a seat as its client has it."""
        drawn = self._drawn.get(seat)
        if drawn is None or drawn[0] is not self.shown:
            drawn = (self.shown, self._view_in(self.shown, self.seats[seat]))
            self._drawn[seat] = drawn
        return drawn[1]

    def truth(self) -> Json:
        """What the umpire's client has of the present state."""
        truth: Json = msgspec.json.decode(encode(self.package.truth(self.state)))
        return truth

    def scene(self, seat: str) -> Json:
        """What does not change, as a seat's client has it."""
        scene: Json = msgspec.json.decode(encode(self.package.scene(self.believed(seat))))
        return scene

    def _view_in(self, state: S, seat: Seat) -> Json:
        view: Json = msgspec.json.decode(encode(view_of(self.package, state, seat)))
        return view

    def sent(self, seat: str) -> bytes:
        """The view of a seat as it was when its bytes were first asked for."""
        view = self.view(seat)
        sent = self._sent.get(seat)
        if sent is None or sent[0] is not view:
            sent = self._sent[seat] = (view, encode(view))
        return sent[1]

    def tag(self, seat: str) -> str:
        return tag_of(Raw(self.sent(seat)), len(self.news[seat]))

    def numbered(self, seat: str) -> list[tuple[int, News]]:
        """The news of a seat with its numbers."""
        return list(enumerate(self.news[seat], 1))

    def subjects(self, seat: str) -> tuple[str, ...]:
        return self.package.subjects(self.believed(seat), self.seats[seat])

    def options(self, seat: str, subject: str | None) -> Sequence[Form]:
        return self.package.options(self.believed(seat), self.seats[seat], subject)

    def check(self, seat: str, order: Mapping[str, Any]) -> Sequence[Refusal]:
        return self.package.check(self.believed(seat), self.seats[seat], codec_of(self.package).order(order))

    def preview(self, seat: str, order: Mapping[str, Any]) -> Preview:
        return self.package.preview(self.believed(seat), self.seats[seat], codec_of(self.package).order(order))

    def odds(self, seat: str, order: Mapping[str, Any]) -> Odds:
        return odds_of(self.package, self.believed(seat), self.seats[seat], codec_of(self.package).order(order))

    def asked(self, seat: str) -> Mapping[str, Question]:
        """The questions that wait for a seat's commands."""
        questions = self.waiting.questions if self.waiting else {}
        return {name: asked for name, asked in questions.items() if name in self.seats[seat].commands}

    # What happens

    def order(self, seat: str, order: Mapping[str, Any]) -> list[Refusal]:
        """Gives an order: refusals (then nothing has changed), or none and it is carried out as far as it goes, at once
        or after what waits. Raises msgspec.ValidationError for what is no order."""
        refusals = list(self.check(seat, order))
        if not refusals:
            self.held.append((seat, dict(order)))
            self._take_held()
        return refusals

    def _take_held(self) -> None:
        """Takes the orders held, as long as none of them waits; each is checked again."""
        while self.held and self.position.open is None:
            seat, order = self.held.pop(0)
            chair = self.seats[seat]
            now = believed_of(self.package, self.state, chair)
            if refusals := self.package.check(now, chair, codec_of(self.package).order(order)):
                text = " ".join(refusal.reason for refusal in refusals)
                self._notes.setdefault(seat, []).append(LogLine(text=text, kind="refused", rule=refusals[0].rule))
                self._keep(Done(steps=(), position=self.position))
                continue
            begun = Begun(
                kind="order",
                giver=seat,
                commands=chair.commands,
                number=self.count(seat),
                order=dict(order),
                dice=self.dice_line,
            )
            self._keep(running.begin(self.package, self.position, begun, self.sources))

    def carry(self, force: str) -> None:
        """Carries on the plan of one force. Raises ValueError while another ruling waits."""
        begun = Begun(kind="carry", giver=force, number=self.count(force), dice=self.dice_line)
        self._keep(running.begin(self.package, self.position, begun, self.sources))

    def answer(self, command: str, choices: Sequence[str], by: str = "") -> list[Refusal]:
        answered = Answered(command=command, choices=tuple(choices), by=by)
        refusals, done = running.answer(self.package, self.position, answered, self.sources)
        if done is not None:
            self._keep(done)
        return list(refusals)

    def throw(self, faces: Sequence[int], by: str = "") -> list[Refusal]:
        refusals, done = running.throw(self.package, self.position, faces, by, self.sources)
        if done is not None:
            self._keep(done)
        return list(refusals)

    def correct(self, correction: Mapping[str, Any], reason: str, by: str = "umpire") -> None:
        """The umpire's hand. Raises Refused."""
        events = overruled(self.package, self.state, codec_of(self.package).correction(correction))
        source = self.sources(Begun(kind="order", giver=by, number=self.tree.depth))
        sources = self.sources
        self._keep(
            running.correct(self.package, self.position, events, by, reason, source, sources, dice=self.dice_line)
        )

    def stop(self, reason: str) -> None:
        self._keep(running.stop(self.package, self.position, reason, self.sources))

    def go_on(self) -> None:
        """Goes on with an order that was cut in its middle by a rewind, or whose fault is mended."""
        self._keep(running.resume(self.package, self.position, (), self.sources))

    def release(self) -> None:
        """Shows all seats, at one moment, what has happened since the last time."""
        for name, seat in self.seats.items():
            if seat.role != "umpire":
                before = self._drawn.get(name)
                after = self._view_in(self.state, seat)
                was = before[1] if before and before[0] is self.shown else self._view_in(self.shown, seat)
                news = news_of(self.package, was, self._unsaid, after, seat)
                self._drawn[name] = (self.state, after)
                if notes := self._notes.get(name):
                    news = replace(news or News(), lines=((news.lines if news else ()) + tuple(notes)))
                if news is not None:
                    self.news[name].append(news)
        self.shown, self._unsaid, self._notes = self.state, [], {}

    def count(self, giver: str) -> int:
        """How many rulings of a giver stand on the line."""
        return self.tree.rulings(giver)

    def cuts(self) -> list[int]:
        """The depths to which the line may be rewound."""
        path = self.tree.path()
        return [depth for depth in range(len(path) + 1) if is_cut(path, depth)]

    def rewind(self, depth: int, *, fresh: bool = False) -> None:
        """Goes on from `depth` on a new line; between two orders what follows by itself follows. Orders held are void.
        Raises ValueError where the ledger cannot be cut."""
        self.tree.rewind(depth, fresh=fresh)
        self.held = []
        self.position = running.position_of(self.package, self.first, self.tree.path(), self.sources)
        self._unsaid = []
        done = Done(steps=(), position=self.position)
        self._keep(running.advance(self.package, done, self.sources, dice=self.dice_line))

    def folded(self) -> S:
        """The state as the ledger gives it."""
        return fold(self.package, self.first, self.tree.path())

    def copied(self) -> Play[S]:
        """The same battle, to try something."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        own = {number: list(entries) for number, entries in self.tree.own.items()}
        other.tree = Tree(lines=dict(self.tree.lines), own=own, head=self.tree.head)
        other.news = {seat: list(news) for seat, news in self.news.items()}
        other.held, other._unsaid = list(self.held), list(self._unsaid)
        other._drawn, other._sent = dict(self._drawn), dict(self._sent)
        other._notes = {seat: list(notes) for seat, notes in self._notes.items()}
        return other

    def restarted(self) -> Play[S]:
        """The same battle as another process would read it from the stored ledger."""
        codec = codec_of(self.package)
        other = self.copied()
        for number, entries in other.tree.own.items():
            other.tree.own[number] = codec.entries.decode(encode(entries))
        other.first = codec.state.decode(encode(self.first))
        other.shown = codec.state.decode(encode(self.shown))
        other.position = running.position_of(self.package, other.first, other.tree.path(), other.sources)
        return other

    def seat(self, name: str, seat: Seat) -> None:
        """Seats somebody."""
        self.seats[name] = replace(seat, name=name)
        self._drawn.pop(name, None)
        self.news.setdefault(name, [])

    def _keep(self, done: Done) -> None:
        self.tree.append(done.entries)
        self.position = done.position
        self._unsaid.extend(done.steps)
        if not self.steady:
            self.release()
        self._take_held()
