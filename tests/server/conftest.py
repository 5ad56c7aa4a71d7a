"""A battle of the toy game on the server, and what tests do with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from umpire.battles import selectors, services
from umpire.battles.heads import Head, chair_of, read_head
from umpire.battles.models import Battle, News, Order, Outbox, Question, Seat, Snapshot
from umpire.battles.paths import first_state
from umpire.battles.services.games import OURS, battle_of
from umpire.hidden.services import carry_due
from umpire.kernel.codec import encode, state_digest
from umpire.kernel.ledger import Begun, fold, open_order
from umpire.kernel.news import merged, tag_of, view_of
from umpire.kernel.pieces.finding import of_kind
from umpire.kernel.registry import package_of
from umpire.kernel.rulings import Roll
from umpire.testing.skirmish.lanes import QUIET_LANE
from umpire.testing.skirmish.state import Unit


class Table:
    """A battle with its seats, by command; "umpire" is the umpire's."""

    def __init__(self, battle: Battle, seats: Mapping[str, Seat]) -> None:
        self.battle, self.seats = battle, dict(seats)
        self.first_views: dict[str, Any] = {
            seat.id: msgspec.json.decode(bytes(seat.last_view)) for seat in seats.values()
        }

    @property
    def now(self) -> Battle:
        return Battle.objects.get(pk=self.battle.pk)

    @property
    def state(self) -> Any:
        return read_head(self.battle.id).state

    def seat(self, who: str) -> Seat:
        return Seat.objects.get(pk=self.seats[who].pk)

    def unit(self, name: str) -> str:
        """The true id of a unit by the beginning of its name."""
        return next(unit.id for unit in of_kind(self.state, Unit) if unit.name.startswith(name))

    def give(self, who: str, verb: str, *, acting_for: str | None = None, once: Any = None, **fields: Any) -> Order:
        return services.order_give(
            battle=self.battle,
            seat=self.seats[who],
            order={"verb": verb, **fields},
            tag=None,
            acting_for=acting_for,
            once=once,
        )

    def news(self, who: str) -> list[dict[str, Any]]:
        return selectors.news_for(seat=self.seats[who])

    def questions(self, who: str) -> list[dict[str, Any]]:
        return selectors.questions_for(battle=self.battle, seat=self.seats[who])

    def answer(self, who: str, *choices: str) -> Any:
        [question] = self.questions(who)
        return services.question_answer(
            battle=self.battle, seat=self.seats[who], question_id=question["id"], choices=choices
        )

    def end_turn(self, *commands: str) -> None:
        for command in commands:
            self.give(command, "end_turn", command=command)

    def carry(self) -> list[str]:
        """What the worker does with the outbox, and what came of each piece of work."""
        rows = Outbox.objects.filter(battle=self.battle, done=None).order_by("line", "depth")
        return [carry_due(battle_id=row.battle_id, line=row.line, depth=row.depth) for row in rows]

    def check(self) -> None:
        """What holds whatever has happened: the fold is the state, it has no problems, news are numbered densely
        and lead to the view, and what waits in the ledger is what the rows say."""
        head = read_head(self.battle.id)
        entries = head.entries(0, head.battle.depth)
        assert len(entries) == head.battle.depth
        folded = fold(head.package, first_state(head.battle.system, self.battle.id), entries)
        assert state_digest(folded) == head.battle.digest
        assert encode(folded) == bytes(head.battle.state)
        assert head.package.problems(folded) == []
        begun = open_order(entries)
        assert begun == head.battle.open_depth
        self._check_snapshots(head)
        self._check_seats(head)
        waiting = Question.objects.filter(battle=self.battle, status=Question.Status.WAITING)
        position = head.position
        assert encode(position.state) == bytes(head.battle.state)
        asked: set[str] = set()
        if position.open is not None and position.open.waiting is not None:
            roll = position.open.waiting.roll
            asked = {roll.by} if roll else set(position.open.waiting.questions)
        assert {row.command for row in waiting} == asked
        taken = Order.objects.filter(battle=self.battle, depth__isnull=False).exclude(status="taken_back")
        for order in taken:
            assert head.path.has(order.line, order.depth)
            is_open = order.depth == head.battle.open_depth
            assert (order.status == Order.Status.WAITING) == is_open

    def _check_snapshots(self, head: Head) -> None:
        for snapshot in Snapshot.objects.filter(battle=self.battle):
            if head.path.reaches(snapshot.line, snapshot.depth):
                start = first_state(head.battle.system, self.battle.id)
                folded = fold(head.package, start, head.entries(0, snapshot.depth))
                assert snapshot.depth == 0 or state_digest(folded) == snapshot.digest

    def _check_seats(self, head: Head) -> None:
        for seat in head.seats:
            rows = list(News.objects.filter(seat=seat).order_by("number"))
            assert [row.number for row in rows] == list(range(1, seat.news_count + 1))
            view = msgspec.json.decode(bytes(seat.last_view))
            assert seat.tag == tag_of(view, seat.news_count)
            if seat.role == Seat.Role.PLAYER:
                assert view == plain(view_of(head.package, head.seen_state, chair_of(seat)))
            elif seat.role == Seat.Role.UMPIRE:
                assert view == plain(head.package.truth(head.state))
            start = self.first_views.setdefault(seat.id, None)
            if start is not None:
                for row in rows:
                    start = merged(start, msgspec.json.decode(bytes(row.body)).get("patch", {}))
                assert start == view


def plain(value: Any) -> Any:
    return msgspec.json.decode(encode(value))


def make_table(**options: Any) -> Table:
    """A battle in which no band loses its way when its plan is carried on for the first times."""
    while True:
        package = package_of("skirmish")
        theirs = {name: value for name, value in options.items() if name not in OURS}
        setting = package.load(QUIET_LANE, file="lane", options=theirs)
        battle, seats = battle_of(owner=None, system="skirmish", scenario="lane", setting=setting, options=options)
        table = Table(battle, {(seat.commands[0] if seat.commands else "umpire"): seat for seat, _ in seats})
        if _finds_its_way(table):
            return table
        battle.delete()


def _finds_its_way(table: Table) -> bool:
    head = read_head(table.battle.id)
    for name in ("Rowan", "Thorn", "Willow"):
        unit = table.unit(name)
        roll = Roll(purpose="way", subject=unit, secret=True)
        for number in range(2):
            source = head.sources(Begun(kind="carry", giver=unit, number=number))
            if source.roll(roll, 0) == (1,):
                return False
    return True


@pytest.fixture
def table(db: None) -> Table:
    """A blind battle of the toy game."""
    return make_table()


@pytest.fixture
def open_table(db: None) -> Table:
    """An open battle of the toy game: only its reserve is hidden."""
    return make_table(blind=False)
