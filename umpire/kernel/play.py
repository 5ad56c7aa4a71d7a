"""A battle in memory: the ledger's tree, its position, the seats' news. For tests, self-play and cases.

The server keeps the same things in a database and calls the same functions of `running` and `news`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from umpire.kernel import running
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import ServerDice, Source
from umpire.kernel.events import Event
from umpire.kernel.ledger import Answered, Begun, Tree, fold, is_cut
from umpire.kernel.modifiers import Refusal
from umpire.kernel.news import News, news_of, tag_of, view_of
from umpire.kernel.registry import RulesPackage, View
from umpire.kernel.rulings import Question
from umpire.kernel.running import Done, Position, believed_of
from umpire.kernel.states import Seat, State, slice_of

S = TypeVar("S", bound=State)


class Play(Generic[S]):
    """One battle of one package. `seats` by name; `source` makes the dice of a ruling (server dice by default)."""

    def __init__(
        self,
        package: RulesPackage[S, Any],
        state: S,
        seats: Mapping[str, Seat],
        *,
        secret: bytes = b"in memory",
        source: Callable[[Begun], Source] | None = None,
        standing: bool = True,
    ) -> None:
        self.package = package
        self.first = state
        self.seats = dict(seats)
        self.secret = secret
        self.tree = Tree()
        self.position = Position(state=state)
        self.news: dict[str, list[News]] = {name: [] for name in seats}
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

    def sources(self, begun: Begun) -> Source:
        if self._source is not None:
            return self._source(begun)
        digest = running.digest_of_order(begun.order) if begun.order else ""
        return ServerDice(self.secret, begun.dice, begun.giver, begun.number, digest, False, self.reply)

    def reply(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        """What the standing orders of a command answer."""
        return (
            self.package.reply(self.package.believed(slice_of(state, (command,))), question) if self._standing else None
        )

    def believed(self, seat: str) -> Any:
        return believed_of(self.package, self.state, self.seats[seat])

    def view(self, seat: str) -> View:
        return view_of(self.package, self.state, self.seats[seat])

    def tag(self, seat: str) -> str:
        return tag_of(self.view(seat), len(self.news[seat]))

    def order(self, seat: str, order: Mapping[str, Any]) -> list[Refusal]:
        """Gives an order: refusals (then nothing has changed), or none and it is carried out as far as it goes."""
        chair = self.seats[seat]
        typed = codec_of(self.package).order(order)
        if self.position.open is not None:
            return [Refusal(reason="Another order is being carried out.")]
        refusals = list(self.package.check(self.believed(seat), chair, typed))
        if refusals:
            return refusals
        begun = Begun(
            kind="order",
            giver=seat,
            commands=chair.commands,
            number=self.count(seat),
            order=dict(order),
            dice=self.tree.lines[self.tree.head].dice,
        )
        self._keep(running.begin(self.package, self.position, begun, self.sources))
        return []

    def carry(self, force: str) -> None:
        """Carries on the plan of one force."""
        begun = Begun(kind="carry", giver=force, number=self.count(force), dice=self.tree.lines[self.tree.head].dice)
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
        events: Sequence[Event] = self.package.overrule(self.state, codec_of(self.package).correction(correction))
        source = self.sources(Begun(kind="order", giver=by, number=len(self.tree.path())))
        self._keep(running.correct(self.package, self.position, events, by, reason, source, self.sources))

    def stop(self, reason: str) -> None:
        self._keep(running.stop(self.package, self.position, reason, self.sources))

    def go_on(self) -> None:
        """Goes on with an order that was cut in its middle by a rewind."""
        self._keep(running.resume(self.package, self.position, (), self.sources))

    def count(self, giver: str) -> int:
        """How many rulings of a giver stand on the line."""
        return sum(1 for entry in self.tree.path() if isinstance(entry, Begun) and entry.giver == giver)

    def cuts(self) -> list[int]:
        """The depths to which the line may be rewound."""
        path = self.tree.path()
        return [depth for depth in range(len(path) + 1) if is_cut(path, depth)]

    def rewind(self, depth: int, *, fresh: bool = False) -> None:
        before = self.state
        self.tree.rewind(depth, fresh=fresh)
        self.position = running.position_of(self.package, self.first, self.tree.path(), self.sources)
        self._publish(before, Done(steps=(), position=self.position))

    def folded(self) -> S:
        """The state as the ledger gives it."""
        return fold(self.package, self.first, self.tree.path())

    def restarted(self) -> Play[S]:
        """The same battle as another process would read it from the stored ledger."""
        codec = codec_of(self.package)
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.tree = Tree(
            lines=dict(self.tree.lines),
            own={number: [codec.entry.decode(encode(entry)) for entry in own] for number, own in self.tree.own.items()},
            head=self.tree.head,
        )
        other.news = {seat: list(news) for seat, news in self.news.items()}
        other.first = codec.state.decode(encode(self.first))
        other.position = running.position_of(self.package, other.first, other.tree.path(), other.sources)
        return other

    def seat(self, name: str, seat: Seat) -> None:
        """Seats somebody."""
        self.seats[name] = replace(seat, name=name)
        self.news.setdefault(name, [])

    def _keep(self, done: Done) -> None:
        before = self.state
        self.tree.append(done.entries)
        self.position = done.position
        self._publish(before, done)

    def _publish(self, before: S, done: Done) -> None:
        for name, seat in self.seats.items():
            if seat.role == "umpire":
                continue
            news = news_of(self.package, before, done.steps, self.state, seat)
            if news is not None:
                self.news[name].append(news)
