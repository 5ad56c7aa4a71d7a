"""The head of a battle: what a change starts from, read without a lock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from umpire.battles.errors import NotYours
from umpire.battles.models import Battle, Line, Order, Seat
from umpire.battles.paths import Path, decoded, first_state, path_of
from umpire.battles.sql import Prepared
from umpire.kernel import running, states
from umpire.kernel.codec import codec_of
from umpire.kernel.dice import ServerDice, Source, no_answer
from umpire.kernel.ledger import Begun, Entry, fold
from umpire.kernel.registry import RulesPackage, package_of
from umpire.kernel.rulings import Question
from umpire.kernel.states import slice_of
from umpire.kernel.values.memo import Recent

_states: Recent[tuple[str, str], Any] = Recent(64)
"""States by system and digest: the next request of a battle finds the one that the last has left, and decodes none."""


def keep_state(system: str, digest: str, state: Any) -> None:
    """Remembers a state by what it holds, so that the next request need not decode it."""
    _states.put((system, digest), state)


def state_from(system: str, digest: str, data: bytes) -> Any:
    """The state with this digest."""
    return _states.of((system, digest), lambda: codec_of(package_of(system)).state.decode(data))


@dataclass
class Head:
    """A battle as it stood when it was read, and what rulings on it need."""

    battle: Battle
    line: Line
    path: Path
    seats: list[Seat]

    @property
    def package(self) -> RulesPackage[Any, Any]:
        return package_of(self.battle.system)

    @cached_property
    def state(self) -> Any:
        return state_from(self.battle.system, self.battle.digest, bytes(self.battle.state))

    @cached_property
    def seen_state(self) -> Any:
        """What seats are served from: the state, but for what a paused hidden ruling has done so far."""
        if self.battle.shown is None:
            return self.state
        return codec_of(self.package).state.decode(bytes(self.battle.shown))

    @cached_property
    def position(self) -> running.Position:
        """The state, and the open order as far as the ledger's line has it."""
        if self.battle.open_depth is None:
            return running.Position(state=self.state)
        before = codec_of(self.package).state.decode(bytes(self.battle.open_before or b""))
        entries = self.entries(self.battle.open_depth, self.battle.depth)
        return running.position_of(self.package, before, entries, self.rerun_sources)

    def entries(self, low: int, high: int) -> list[Entry]:
        return decoded(self.battle.system, self.path.rows(low, high))

    def state_at(self, depth: int) -> Any:
        """The state after `depth` entries of the path: the nearest snapshot and what happened since."""
        if depth == self.battle.depth:
            return self.state
        snapshot = self.path.snapshot(depth)
        if snapshot.depth == 0:
            state = first_state(self.battle.system, self.battle.id)
        else:
            state = state_from(self.battle.system, snapshot.digest, bytes(snapshot.state))
        return fold(self.package, state, self.entries(snapshot.depth, depth))

    def position_at(self, depth: int) -> tuple[running.Position, int | None]:
        """The position after `depth` entries, and where the order open there begins."""
        last = self.path.last(("begun", "ended"), depth)
        start = 0 if last is None else last.depth if last.kind == "begun" else last.depth + 1
        before = self.state_at(start)
        position = running.position_of(self.package, before, self.entries(start, depth), self.rerun_sources)
        return position, start if position.open else None

    def sources(self, begun: Begun) -> Source:
        """The server's dice for a ruling. The dice line is that of the ledger's line, also for what was begun before a
        rewind and for what follows by itself."""
        return self._dice(begun, self.reply)

    def rerun_sources(self, begun: Begun) -> Source:
        """The same for a ruling run again up to where it waits: what nobody had answered is not answered now."""
        return self._dice(begun, no_answer)

    def _dice(self, begun: Begun, answers: Any) -> Source:
        return ServerDice(
            secret=bytes(self.battle.secret),
            line=self.line.dice,
            giver=begun.giver,
            number=begun.number,
            digest=running.digest_of_order(begun.order) if begun.order else "",
            typed=self.battle.options.get("dice") == "typed" and self.package.lets_type(self.state),
            answers=answers,
        )

    def reply(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        """What the standing orders of a command answer, from its slice alone."""
        return self.package.reply(self.package.believed(slice_of(state, (command,))), question)

    @cached_property
    def has_held(self) -> bool:
        """Whether orders stand in the queue."""
        return has_held(self.battle.id)

    def on(self, line: Line, path: Path) -> Head:
        """The same battle about to go on along another line."""
        return Head(battle=self.battle, line=line, path=path, seats=self.seats)


def read_head(battle_id: str, *, lock: bool = False) -> Head:
    """Reads the head. Raises NotYours for a battle that does not exist."""
    battle = (_locked if lock else _battles).first(battle_id)
    if battle is None:
        raise NotYours
    lines = _lines.all(battle_id)
    line = next((each for each in lines if each.number == battle.line), None)
    if line is None:  # the line was begun after its battle's row was read: so was a newer version of the row
        return read_head(battle_id, lock=lock)
    seats = _seats.all(battle_id)
    return Head(battle=battle, line=line, path=path_of(battle_id, battle.line, lines), seats=seats)


_battles = Prepared(lambda battle: Battle.objects.filter(pk=battle), str)
_locked = Prepared(lambda battle: Battle.objects.select_for_update().filter(pk=battle), str)
_lines = Prepared(lambda battle: Line.objects.filter(battle_id=battle), str)
_seats = Prepared(lambda battle: Seat.objects.filter(battle_id=battle).order_by("created", "id"), str)
_held = Prepared(
    lambda battle: Order.objects.filter(battle_id=battle, status=Order.Status.HELD).values_list("pk")[:1], str
)


def has_held(battle_id: str) -> bool:
    """Whether orders of a battle stand in its queue."""
    return bool(_held.rows(battle_id))


def chair_of(seat: Seat) -> states.Seat:
    """A seat as the rules know it."""
    return states.Seat(name=seat.name, role=seat.role, commands=tuple(seat.commands))


def believed_by(head: Head, commands: Sequence[str]) -> Any:
    """What whoever leads these commands believes the battle to be."""
    return head.package.believed(slice_of(head.seen_state, tuple(commands)))
