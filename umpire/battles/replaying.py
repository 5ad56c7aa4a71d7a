"""Plays a stored battle again: the ledger folds to the stored state, and rulings run again tell what stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from umpire.battles.heads import Head, read_head
from umpire.battles.models import Battle, Line, Snapshot
from umpire.battles.paths import decoded, first_state, path_of
from umpire.battles.refolding import columns_otherwise, kept_depths
from umpire.kernel import running
from umpire.kernel.codec import digest_of, state_digest
from umpire.kernel.ledger import Begun, Ended, Entry, fold


class Found(Struct, frozen=True):
    """One thing that was looked at: "line", "snapshot", "state" (what the battle's row keeps) or "ruling", where, and
    what is wrong with it, if anything. `rules` is the version that made a ruling, where it is another one: that is not
    run again."""

    what: str
    line: int
    depth: int
    fault: str = ""
    rules: int | None = None


def replay(battle_id: str, *, rulings: bool = True) -> Iterator[Found]:
    """Looks at all lines of a battle, each from the root. Raises NotYours for a battle that does not exist."""
    head = read_head(battle_id)
    lines = list(Line.objects.filter(battle_id=battle_id).order_by("number"))
    for line in lines:
        along = Head(battle=head.battle, line=line, path=path_of(battle_id, line.number, lines), seats=head.seats)
        yield from _replay_line(along, head.battle, rulings=rulings)


def _replay_line(head: Head, battle: Battle, *, rulings: bool) -> Iterator[Found]:
    number = head.line.number
    rows = head.path.rows()
    entries = decoded(battle.system, rows)
    if [row.depth for row in rows] != list(range(len(rows))):
        yield Found("line", number, len(rows), "the depths of its entries have gaps")
        return
    own = head.line.fork if head.line.parent is not None else 0
    stored = Snapshot.objects.filter(battle_id=battle.id, line=number, depth__gt=0)
    snapshots = {row.depth: row for row in stored}
    state = first_state(battle.system, battle.id)
    kept = {0: state}
    wanted = kept_depths(battle) if number == battle.line else set()
    for depth, entry in enumerate(entries):
        if depth in wanted:
            kept[depth] = state
        if depth in snapshots and depth >= own:
            row = snapshots[depth]
            folded = state_digest(state)
            fault = _differs(folded, row.digest) or _differs(folded, digest_of(bytes(row.state)))
            yield Found("snapshot", number, depth, fault)
        if isinstance(entry, Begun) and depth >= own:
            # A ruling holds for the version of the rules that made it, a hash also for the version of the ledger.
            is_ours = entry.version == head.package.version
            is_same_form = is_ours and rows[depth].version == head.package.ledger_version
            fault = _differs(state_digest(state), entry.before) if is_same_form else ""
            if not fault and rulings and is_ours:
                fault = _run_again(head, state, entries[depth:])
            yield Found("ruling", number, depth, fault, None if is_ours else entry.version)
        state = fold(head.package, state, (entry,))
    fault = ""
    if number == battle.line:
        fault = _differs(state_digest(state), battle.digest)
        if not fault and len(entries) != battle.depth:
            fault = f"it has {len(entries)} entries where the battle has {battle.depth}"
    yield Found("line", number, len(entries), fault)
    if number == battle.line and not fault:
        kept[len(entries)] = state
        changed = ", ".join(columns_otherwise(head, kept))
        yield Found("state", number, len(entries), changed and f"the fold gives another {changed} than is stored")


def _differs(folded: str, stored: str) -> str:
    return "" if folded == stored else f"the fold gives {folded[:12]} where {stored[:12]} is stored"


def _run_again(head: Head, before: object, entries: Sequence[Entry]) -> str:
    """What is wrong with a ruling run again, fed with its recorded dice and answers; empty if nothing is."""
    end = next((index for index, entry in enumerate(entries) if isinstance(entry, Ended)), None)
    tape = entries if end is None else entries[:end]
    ended = None if end is None else entries[end]
    position = running.position_of(head.package, before, tape, head.rerun_sources)
    if position.open is not None and position.open.fault is not None:
        return f"{position.open.fault.how}: {position.open.fault.text}"
    if isinstance(ended, Ended) and ended.how == "done" and position.open is not None:
        done = running.resume(head.package, position, (), head.rerun_sources)
        if not done.entries or done.entries[0] != ended:
            return "it does not end where the ledger has its end"
    return ""
