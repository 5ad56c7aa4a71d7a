"""Folds a battle's ledger again into all that is kept of it as states, after the form of a state has changed.

States on the battle's row and snapshots are caches of the ledger. The first state is none: it stays as it was stored,
and is upcast where it is read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from msgspec import Struct

from umpire.battles.heads import Head, read_head
from umpire.battles.models import Battle, Line, Snapshot
from umpire.battles.paths import decoded, first_state, path_of
from umpire.kernel.codec import digest_of, encode
from umpire.kernel.ledger import fold
from umpire.kernel.running import told_aside

ATTEMPTS = 5
"""How often a battle is folded that somebody changes meanwhile."""

Progress = Callable[[int, int], None]
"""Told now and then at which line and depth of the ledger the fold has come."""


class Refolded(Struct, frozen=True):
    """What became of a battle: which of its states the fold gives otherwise than they were stored, or why it cannot be
    folded; then it is as it was."""

    battle: str
    title: str
    entries: int = 0
    changed: tuple[str, ...] = ()
    fault: str = ""


class _CannotFold(Exception):
    pass


@dataclass
class _Folded:
    """New columns of the battle's row, and new bytes of snapshots by their rows' ids; only what differs."""

    entries: int = 0
    columns: dict[str, Any] = field(default_factory=dict)
    snapshots: dict[int, bytes] = field(default_factory=dict)

    @property
    def changed(self) -> tuple[str, ...]:
        return (*self.columns, *([f"{len(self.snapshots)} snapshots"] if self.snapshots else []))


def refold(battle_id: str, *, dry_run: bool = False, progress: Progress | None = None) -> Refolded:
    """Folds one battle again and stores what differs; with `dry_run` only says what would. Nothing that a seat sees
    changes, and no news is made. Raises NotYours for a battle that does not exist."""
    for _ in range(ATTEMPTS):
        head = read_head(battle_id)
        battle = head.battle
        try:
            folded = _fold(head, progress or (lambda line, depth: None))
        except _CannotFold as fault:
            return Refolded(battle.id, battle.title, fault=str(fault))
        if dry_run or not folded.changed or _stored(battle, folded):
            return Refolded(battle.id, battle.title, folded.entries, folded.changed)
    return Refolded(battle.id, battle.title, fault="it changes faster than it can be folded: stop the server first")


def _stored(battle: Battle, folded: _Folded) -> bool:
    """Stores it, unless the battle has changed since it was read."""
    with transaction.atomic():
        columns = {"version": battle.version + 1, **folded.columns}
        if not Battle.objects.filter(pk=battle.pk, version=battle.version).update(**columns):
            return False
        for pk, data in folded.snapshots.items():
            Snapshot.objects.filter(pk=pk).update(state=data, digest=digest_of(data))
    return True


def _fold(head: Head, progress: Progress) -> _Folded:
    battle = head.battle
    made = _Folded()
    lines = list(Line.objects.filter(battle_id=battle.id).order_by("number"))
    snapshots = list(Snapshot.objects.filter(battle_id=battle.id, depth__gt=0))
    for line in lines:
        along = Head(battle=battle, line=line, path=path_of(battle.id, line.number, lines), seats=head.seats)
        own = [row for row in snapshots if row.line == line.number]
        wanted = {row.depth for row in own}
        is_head = line.number == battle.line
        if is_head:
            wanted |= kept_depths(battle)
        if not wanted:
            continue
        states = _states(along, wanted, progress)
        for row in own:
            data = encode(states[row.depth])
            if data != bytes(row.state) or digest_of(data) != row.digest:
                made.snapshots[row.pk] = data
        if is_head:
            made.entries = battle.depth
            made.columns = columns_otherwise(along, states)
    return made


def _states(head: Head, wanted: set[int], progress: Progress) -> dict[int, Any]:
    """The states at these depths of a line. Raises _CannotFold with the place and the reason."""
    system, number = head.battle.system, head.line.number
    rows = head.path.rows(0, max(wanted))
    if [row.depth for row in rows] != list(range(max(wanted))):
        raise _CannotFold(f"line {number} has lost entries of its ledger")
    at = "the first state"
    # Whatever an old state or entry makes the package raise is the reason why this battle, and no other, is left.
    try:
        state = first_state(system, head.battle.id)
        found = {0: state}
        for depth, row in enumerate(rows):
            at = f"line {row.line}, depth {depth} ({row.kind}, version {row.version})"
            state = fold(head.package, state, decoded(system, [row]))
            if depth + 1 in wanted:
                found[depth + 1] = state
            progress(number, depth)
        return found
    except Exception as fault:
        raise _CannotFold(f"{at}: {type(fault).__name__}: {fault}") from fault


def kept_depths(battle: Battle) -> set[int]:
    """The depths of its line whose states stand on a battle's row."""
    return {battle.depth, battle.open_depth or 0, battle.shown_depth or 0}


def columns_otherwise(head: Head, states: dict[int, Any]) -> dict[str, Any]:
    """The columns of the battle's row that the fold gives otherwise, from the states at `kept_depths`."""
    battle = head.battle
    state = encode(states[battle.depth])
    wanted: dict[str, Any] = {"state": state, "digest": digest_of(state)}
    if battle.open_depth is not None:
        wanted["open_before"] = encode(states[battle.open_depth])
    if battle.shown_depth is not None:
        entries = head.entries(battle.shown_depth, battle.depth)
        aside = [entry for entry, is_told in zip(entries, told_aside(entries), strict=True) if is_told]
        wanted["shown"] = encode(fold(head.package, states[battle.shown_depth], aside))
    now = {name: getattr(battle, name) for name in wanted}
    stored = {name: value if isinstance(value, str) else bytes(value) for name, value in now.items()}
    return {name: value for name, value in wanted.items() if stored[name] != value}
