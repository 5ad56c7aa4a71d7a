"""The one short transaction in which a change of a battle becomes true: ledger, state, news of every seat, questions,
orders, outbox, and the reply to whoever asked for it.

A ruling is computed outside any lock from the head that was read. The transaction begins with `UPDATE battle SET
version = new WHERE version = old`; who comes second reads again, checks again and resolves again with the same dice,
and the third time does so under the lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from umpire.battles import idempotency, outbox
from umpire.battles.heads import Head, chair_of, keep_state, read_head
from umpire.battles.models import Battle, Entry, Line, News, Order, Outbox, Question, Seat, Snapshot
from umpire.battles.moving import orders_move
from umpire.battles.paths import row_of
from umpire.battles.signals import announce
from umpire.battles.sql import Prepared, insert, update, update_many
from umpire.kernel import news as kernel_news
from umpire.kernel import running, states
from umpire.kernel.codec import digest_of, encode
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.hand.corrections import against_rules, fresh
from umpire.kernel.ledger import Asked, Begun, Corrected, Drawn, Ended, Happened, Thrown, applied
from umpire.kernel.registry import LogLine, RulesPackage
from umpire.kernel.running import Position, Step
from umpire.serving import priority

SNAPSHOT_EVERY = 200
OPTIMISTIC = 2
"""How often a change is computed without the lock before it is computed under it."""
PATIENT = 6
"""The same for what nobody waits for: under the lock it would keep everybody's orders waiting."""

TAKEN_BACK = LogLine(text="The umpire has taken the battle back.", kind="rewind")


class Overtaken(Exception):
    """The battle has changed since its head was read."""


@dataclass
class Change:
    """What is to become true.

    `then` makes further rows within the transaction and gives the result of the service. `onto` is the line that a
    rewind begins, and `open_depth` where the order open on it begins. `notes` are log lines for single seats, `strikes`
    the work in the outbox that this does, `columns` more columns of the battle. `is_shown_at_once` shows it to all
    seats even while a hidden ruling is paused; `is_aside` shows the change alone to all seats meanwhile, and the pause
    goes on.
    """

    steps: Sequence[Step]
    position: Position
    then: Callable[[Landed], Any] | None = None
    onto: Line | None = None
    open_depth: int | None = None
    notes: Mapping[str, Sequence[LogLine]] = field(default_factory=dict)
    strikes: str = ""
    columns: Mapping[str, Any] = field(default_factory=dict)
    is_shown_at_once: bool = False
    is_aside: bool = False


@dataclass
class Landed:
    """Where a change came to stand: its entries are those of `line` from `base` to the battle's new depth."""

    head: Head
    battle: Battle
    line: int
    base: int


@dataclass
class _SeatNews:
    seat: Seat
    view: bytes
    body: bytes


@dataclass
class _Prepared:
    """All that can be computed before the transaction."""

    head: Head
    change: Change
    line: int
    base: int
    depth: int
    columns: dict[str, Any]
    rows: list[Entry]
    news: list[_SeatNews]
    is_due: bool


def commit(
    battle_id: str,
    work: Callable[[Head], Change],
    keep: Callable[[Any, Landed], None] | None = None,
    low_priority: priority.LowPriority | None = None,
) -> Any:
    """Lets `work` compute a change from the head and makes it true; gives what the change's `then` gives.

    `work` is called again with the newer head when another change came first; whatever it raises goes through, and
    nothing has changed. `keep` is the last to be called in the transaction (for the reply to be kept). With
    `low_priority` it is done for nobody who waits, and gives way to those who do.
    """
    for _ in range(PATIENT if low_priority else OPTIMISTIC):
        head = read_head(battle_id)
        try:
            prepared = _prepare(head, work(head), low_priority)  # with low_priority `work` may be overtaken too
            with transaction.atomic():
                return _write(prepared, keep)
        except Overtaken:
            continue
    if low_priority:
        low_priority.end()  # who waits now waits for this lock
    with transaction.atomic():
        head = read_head(battle_id, lock=True)
        return _write(_prepare(head, work(head)), keep)


def give_way(head: Head, low_priority: priority.LowPriority | None) -> None:
    """Steps aside for those who wait. Raises Overtaken if the battle has changed meanwhile: what has been computed of a
    change is then for nothing."""
    if low_priority is None:
        return
    low_priority.give_way()
    if low_priority.has_given_way:
        low_priority.has_given_way = False
        if not Battle.objects.filter(pk=head.battle.pk, version=head.battle.version).exists():
            raise Overtaken


def keeper(once: idempotency.Once | None) -> Callable[[Any, Landed], None] | None:
    """What keeps the reply in the transaction, with the place of what it tells of."""
    if once is None:
        return None
    return lambda result, landed: idempotency.keep(once, result, landed.battle, (landed.line, landed.base))


def _prepare(head: Head, change: Change, low_priority: priority.LowPriority | None = None) -> _Prepared:
    battle, package = head.battle, head.package
    line = change.onto.number if change.onto else battle.line
    base = change.onto.fork if change.onto else battle.depth
    rows = [
        row_of(battle.id, line, base + index, step.entry, package.ledger_version, encode(step.entry))
        for index, step in enumerate(change.steps)
    ]
    depth = base + len(rows)
    state = change.position.state
    data = encode(state)
    digest = digest_of(data)
    give_way(head, low_priority)
    keep_state(battle.system, digest, state)
    columns: dict[str, Any] = {"line": line, "depth": depth, "state": data, "digest": digest, **change.columns}
    columns |= _open_columns(head, change, base)
    is_hidden = _is_paused_in_hiding(head, change)
    if is_hidden:
        columns["shown"] = battle.shown if battle.shown is not None else battle.state
        if change.is_aside:
            columns["shown"] = encode(_shown_aside(head, change)[-1].after)
        columns["shown_depth"] = battle.shown_depth if battle.shown is not None else battle.depth
    else:
        columns |= {"shown": None, "shown_depth": None}
    return _Prepared(
        head=head,
        change=change,
        line=line,
        base=base,
        depth=depth,
        columns=columns,
        rows=rows,
        news=_news(head, change, is_hidden, low_priority),
        # Plans carried on without any change would be due for ever.
        is_due=change.position.open is None
        and not (change.strikes and digest == battle.digest)
        and bool(package.due(state)),
    )


def _open_columns(head: Head, change: Change, base: int) -> dict[str, Any]:
    opened = change.position.open
    if opened is None:
        return {"open_depth": None, "open_before": None, "fault": ""}
    begun = [index for index, step in enumerate(change.steps) if isinstance(step.entry, Begun)]
    depth = change.open_depth if change.onto else head.battle.open_depth
    if begun:
        depth = base + begun[-1]
    fault = f"{opened.fault.how}: {opened.fault.text}" if opened.fault else ""
    return {"open_depth": depth, "open_before": encode(opened.before), "fault": fault}


def _is_paused_in_hiding(head: Head, change: Change) -> bool:
    """Whether a hidden force's ruling waits for the umpire alone: then seats are told nothing until it is over."""
    opened = change.position.open
    if opened is None or opened.begun.kind != "carry" or change.is_shown_at_once or change.onto:
        return False
    asked: set[str] = set()
    if opened.waiting:
        asked = set(opened.waiting.questions) | ({opened.waiting.roll.by} if opened.waiting.roll else set())
    if not asked - {""}:
        return True
    played = Seat.objects.filter(
        battle_id=head.battle.id, role=Seat.Role.PLAYER, is_revoked=False, devices__is_revoked=False
    ).distinct()
    return not any(asked & set(seat.commands) for seat in played)


def _news(
    head: Head, change: Change, is_hidden: bool, low_priority: priority.LowPriority | None = None
) -> list[_SeatNews]:
    package, after = head.package, change.position.state
    told = list(change.steps)
    shown = after
    if is_hidden and change.is_aside:
        told = _shown_aside(head, change)
        shown = told[-1].after
    elif head.battle.shown is not None and not is_hidden and not change.onto:
        entries = head.entries(head.battle.shown_depth or 0, head.battle.depth)
        told = [*_steps_again(package, head.seen_state, entries), *told]
    public = kernel_news.are_public(package, told)
    found: list[_SeatNews] = []
    seen: dict[tuple[str, tuple[str, ...]], tuple[bytes | None, tuple[LogLine, ...]]] = {}
    for seat in head.seats:
        is_umpire = seat.role == Seat.Role.UMPIRE
        if is_hidden and not change.is_aside and not is_umpire:
            continue
        who = ("umpire" if is_umpire else seat.role, () if is_umpire else tuple(seat.commands))
        if who not in seen:
            chair = chair_of(seat)
            if is_umpire:
                seen[who] = encode(package.truth(after)), _chronicle(package, change.steps)
            else:
                view = None
                if not states.is_same(head.seen_state, shown, chair.commands):
                    view = encode(kernel_news.view_of(package, shown, chair))
                seen[who] = view, kernel_news.lines_of(package, told, chair, public)
        view, lines = seen[who]
        if view is None:
            view = bytes(seat.last_view)
        news = news_between(bytes(seat.last_view), view, (*lines, *change.notes.get(seat.id, ())))
        if news is not None and change.onto and not is_umpire:
            news = replace(news, lines=(*news.lines, TAKEN_BACK))
        if news is not None:
            found.append(_SeatNews(seat, view, encode(news)))
        give_way(head, low_priority)
    return found


def news_between(before: bytes, after: bytes, lines: tuple[LogLine, ...]) -> kernel_news.News | None:
    """The news that leads from one encoded view to another, with these log lines; None where there is none."""
    patch = kernel_news.encoded_patch(before, after)
    return kernel_news.News(lines=lines, patch=patch) if lines or patch else None


def _shown_aside(head: Head, change: Change) -> list[Step]:
    """The steps of a private order, on the state that seats are served from while a hidden ruling is paused."""
    return _steps_on(head.package, head.seen_state, [step.entry for step in change.steps])


def _steps_again(package: RulesPackage[Any, Any], state: Any, entries: Sequence[Any]) -> list[Step]:
    """The steps of a ruling that was paused in hiding, without those that seats were told meanwhile."""
    told = running.told_aside(entries)
    return [step for step, was in zip(_steps_on(package, state, entries), told, strict=True) if not was]


def _steps_on(package: RulesPackage[Any, Any], state: Any, entries: Sequence[Any]) -> list[Step]:
    steps = []
    for entry in entries:
        after = applied(package, state, entry.event) if isinstance(entry, Happened | Corrected) else state
        steps.append(Step(entry, state, after))
        state = after
    return steps


def _chronicle(package: RulesPackage[Any, Any], steps: Sequence[Step]) -> tuple[LogLine, ...]:
    return tuple(
        line for step in steps if (line := chronicle_line(package, step.entry, step.before, step.after)) is not None
    )


def chronicle_line(package: RulesPackage[Any, Any], entry: Any, before: Any, state: Any) -> LogLine | None:
    """The umpire's log line of an entry, with what he has overruled by it, or None for an entry that only keeps the
    books."""
    if isinstance(entry, Happened | Corrected):
        line = package.chronicle(entry.event, state)
        is_by_hand = isinstance(entry, Corrected) and not isinstance(entry.event, KnowledgeEvent)
        if is_by_hand and (words := against_rules(fresh(package.breaches, before, state))):
            return replace(line, text=f"{line.text} {words}")
        return line
    if isinstance(entry, Thrown | Drawn):
        return package.chronicle(entry, state)
    return None


def _write(prepared: _Prepared, keep: Callable[[Any, Landed], None] | None) -> Any:
    head, change = prepared.head, prepared.change
    old = head.battle
    columns = {"version": old.version + 1, **prepared.columns}
    if not update(Battle, {"pk": old.pk, "version": old.version}, columns):
        raise Overtaken
    if change.onto:
        change.onto.save(force_insert=True)
    insert(prepared.rows)
    if prepared.depth // SNAPSHOT_EVERY > prepared.base // SNAPSHOT_EVERY:
        Snapshot.objects.create(
            battle_id=old.pk,
            line=prepared.line,
            depth=prepared.depth,
            state=prepared.columns["state"],
            digest=prepared.columns["digest"],
        )
    kind = News.Kind.REWIND if change.onto else News.Kind.NEWS
    told = write_news(old.pk, {each.seat.id: (each.view, each.body) for each in prepared.news}, kind=kind)
    battle = copy(old)
    for column, value in columns.items():
        setattr(battle, column, value)
    asked = _write_questions(prepared, battle)
    _close_order(prepared)
    _write_outbox(prepared)
    landed = Landed(head=head, battle=battle, line=prepared.line, base=prepared.base)
    result = change.then(landed) if change.then else battle
    if keep is not None:
        keep(result, landed)
    announce(told, _to_wake(head, asked))
    return result


def _to_wake(head: Head, commands: set[str]) -> set[str]:
    """Whose questions have changed, also where that is no news; and the umpires, whose desk changes with everything."""
    return {seat.id for seat in head.seats if seat.role == Seat.Role.UMPIRE or commands & set(seat.commands)}


def write_news(battle_id: str, news: Mapping[str, tuple[bytes | None, bytes]], *, kind: str) -> dict[str, int]:
    """Gives seats news (by seat id: the new view, or None where it stays, and the body); the last numbers by seat.

    Whoever calls this holds the battle's row.
    """
    if not news:
        return {}
    told = {seat: count + 1 for seat, count in _counts.rows(battle_id) if seat in news}
    changes = {}
    for seat, number in told.items():
        view, _ = news[seat]
        seen = bytes(Seat.objects.values_list("last_view", flat=True).get(pk=seat)) if view is None else view
        tag = kernel_news.tag_of(msgspec.Raw(seen), number)  # type: ignore[arg-type]
        changes[seat] = {"news_count": number, "tag": tag, "last_view": seen}
    update_many(Seat, changes)
    insert([News(seat_id=seat, number=number, kind=kind, body=news[seat][1]) for seat, number in told.items()])
    return told


_counts = Prepared(lambda battle: Seat.objects.filter(battle=battle).values_list("id", "news_count"), str)


def _write_questions(prepared: _Prepared, battle: Battle) -> set[str]:
    """The questions that wait are those of the position; what waited before is answered or void. Gives the commands
    whose questions have changed."""
    opened = prepared.change.position.open
    waiting = opened.waiting if opened else None
    wanted: dict[tuple[int, str], Question] = {}
    if waiting and opened:
        depth = (battle.open_depth or 0) + 1 + _asked_at(opened.tape, is_roll=waiting.roll is not None)
        bodies: Mapping[str, Any] = {waiting.roll.by: waiting.roll} if waiting.roll else waiting.questions
        for command, body in bodies.items():
            wanted[depth, command] = Question(
                battle=battle,
                line=prepared.line,
                depth=depth,
                command=command,
                is_offer=waiting.offer,
                is_roll=waiting.roll is not None,
                body=encode(body),
            )
    was, void = prepared.head.battle, set()
    if was.open_depth is not None:
        for row in Question.objects.filter(battle=battle, status=Question.Status.WAITING):
            if row.line == prepared.line and wanted.pop((row.depth, row.command), None) is not None:
                continue
            row.status = Question.Status.VOID
            row.save(update_fields=["status"])
            void.add(row.command)
    if wanted:
        Question.objects.bulk_create(wanted.values())
    return void | {command for _, command in wanted}


def _asked_at(tape: Sequence[Any], *, is_roll: bool) -> int:
    """Where on the open order's tape the question stands, or where the roll will stand. What the umpire corrects
    meanwhile does not move it, so that the question keeps its id."""
    if not is_roll:
        return max(index for index, entry in enumerate(tape) if isinstance(entry, Asked))
    by_hand = [
        isinstance(entry, Corrected) or (isinstance(entry, Happened) and isinstance(entry.event, KnowledgeEvent))
        for entry in tape
    ]
    return max((index + 1 for index, is_by_hand in enumerate(by_hand) if not is_by_hand), default=0)


def _close_order(prepared: _Prepared) -> None:
    """The order that was open is over where its end is among the steps."""
    if prepared.head.battle.open_depth is None or prepared.change.onto:
        return
    for step in prepared.change.steps:
        if isinstance(step.entry, Begun):
            return
        if isinstance(step.entry, Ended):
            waiting = Order.objects.filter(battle_id=prepared.head.battle.pk, status=Order.Status.WAITING)
            orders_move(waiting, status_of(step.entry))
            return


def status_of(ended: Ended | None) -> str:
    """What has become of an order, from its end in the ledger."""
    if ended is None:
        return Order.Status.WAITING
    return Order.Status.DONE if ended.how == "done" else Order.Status.ENDED


def end_of_first(steps: Sequence[Step]) -> Ended | None:
    """The end of the ruling that the steps begin with, if it is among them."""
    return next((step.entry for step in steps if isinstance(step.entry, Ended)), None)


def _write_outbox(prepared: _Prepared) -> None:
    battle_id = prepared.head.battle.pk
    if prepared.change.strikes:
        struck = Outbox.objects.filter(pk=prepared.change.strikes, done=None).update(
            done=timezone.now(), outcome="carried"
        )
        if not struck:
            raise Overtaken
    if prepared.is_due:
        path = prepared.head.path
        if prepared.change.onto:
            path = path.cut(prepared.line, prepared.base)
        outbox.request(battle_id=battle_id, path=path, line=prepared.line, depth=prepared.depth)
