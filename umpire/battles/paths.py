"""Ways through the ledger's tree: which stretches of which lines make up a line from the root."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Func, IntegerField, Q
from msgspec import Struct

from umpire.battles import models
from umpire.battles.sql import Prepared
from umpire.kernel.codec import codec_of
from umpire.kernel.ledger import Entry
from umpire.kernel.registry import package_of


class Stretch(Struct, frozen=True):
    """The entries of one line from depth `low` up to, not including, `high` (None: to its end)."""

    line: int
    low: int
    high: int | None


class Path(Struct, frozen=True):
    """A line from the root of a battle, as stretches of lines."""

    battle_id: str
    stretches: tuple[Stretch, ...]

    def has(self, line: int, depth: int) -> bool:
        """Whether the entry at this depth of this line stands on the path."""
        return any(
            each.line == line and each.low <= depth and (each.high is None or depth < each.high)
            for each in self.stretches
        )

    def reaches(self, line: int, depth: int) -> bool:
        """Whether the place after `depth` entries of this line is on the path: the last of them stands on it."""
        if depth == 0:
            return True
        return any(
            each.line == line and each.low <= depth and (each.high is None or depth <= each.high)
            for each in self.stretches
        )

    def cut(self, line: int, depth: int) -> Path:
        """The path of a new line that leaves this one after `depth` entries."""
        kept = [
            Stretch(each.line, each.low, depth if each.high is None else min(each.high, depth))
            for each in self.stretches
            if each.low <= depth
        ]
        return Path(self.battle_id, (*kept, Stretch(line, depth, None)))

    def where(self, low: int = 0, high: int | None = None) -> Q:
        """The condition on line and depth of what stands on the path from `low` up to, not including, `high`."""
        condition = Q(pk__in=[])
        for each in self.stretches:
            top = each.high if high is None else high if each.high is None else min(each.high, high)
            start = max(each.low, low)
            if top is not None and top <= start:
                continue
            part = Q(line=each.line, depth__gte=start)
            condition |= part if top is None else part & Q(depth__lt=top)
        return condition

    def rows(self, low: int = 0, high: int | None = None) -> list[models.Entry]:
        """The rows of the ledger on this stretch of the path, in their order."""
        return list(
            models.Entry.objects.filter(self.where(low, high), battle_id=self.battle_id).order_by("depth").iterator()
        )

    def last(self, kinds: Iterable[str], below: int) -> models.Entry | None:
        """The last entry of some kinds below a depth."""
        return (
            models.Entry.objects.filter(self.where(0, below), battle_id=self.battle_id, kind__in=list(kinds))
            .order_by("-depth")
            .first()
        )

    def count_of(self, giver: str) -> int:
        """How many rulings of a giver have begun on the path."""
        return self.counts_of([giver])[giver]

    def counts_of(self, givers: Sequence[str]) -> dict[str, int]:
        """The same of several givers at once."""
        if len(self.stretches) == len(givers) == 1:  # as each order asks, in a battle that was never taken back
            [[times]] = _begun.rows(self.battle_id, self.stretches[0].line, givers[0])
            return {givers[0]: times}
        begun = models.Entry.objects.filter(self.where(), battle_id=self.battle_id, kind="begun", giver__in=givers)
        found = dict(begun.values_list("giver").annotate(times=Count("pk")).order_by())
        return {giver: found.get(giver, 0) for giver in givers}

    def snapshot(self, depth: int) -> models.Snapshot:
        """The nearest snapshot at or above a depth."""
        at_or_above = Q(line=0, depth=0)
        for each in self.stretches:
            top = depth if each.high is None else min(each.high, depth)
            at_or_above |= Q(line=each.line, depth__gte=each.low, depth__lte=top)
        found = models.Snapshot.objects.filter(at_or_above, battle_id=self.battle_id).order_by("-depth").first()
        if found is None:
            raise LookupError(f"battle {self.battle_id} has lost its first snapshot")
        return found


_begun = Prepared(
    lambda battle, line, giver: models.Entry.objects.filter(
        battle_id=battle, line=line, kind="begun", giver=giver
    ).values_list(Func(template="COUNT(*)", output_field=IntegerField())),
    str,
    int,
    str,
)


def path_of(battle_id: str, line: int, lines: Sequence[models.Line] | None = None) -> Path:
    """The path to the end of a line."""
    known: Mapping[int, models.Line] = {
        each.number: each for each in (lines or models.Line.objects.filter(battle_id=battle_id))
    }
    stretches: list[Stretch] = []
    high: int | None = None
    current = known[line]
    while True:
        low = current.fork if current.parent is not None else 0
        if high is None or low < high or not stretches:
            stretches.append(Stretch(current.number, low, high))
        if current.parent is None:
            break
        high = current.fork if high is None else min(high, current.fork)
        current = known[current.parent]
    return Path(battle_id, tuple(reversed(stretches)))


def decoded(system: str, rows: Iterable[models.Entry]) -> list[Entry]:
    """Rows of the ledger as entries of the kernel, upcast where an older version wrote them."""
    codec = codec_of(package_of(system))
    return [codec.read_entry(bytes(row.body), row.version) for row in rows]


def first_state(system: str, battle_id: str) -> Any:
    """The state from which the whole ledger of a battle is folded: no cache, it stays as it was stored. Its form is
    that of the version of the ledger that wrote the first entry. Raises LookupError where it is lost."""
    first = models.Snapshot.objects.filter(battle_id=battle_id, line=0, depth=0).first()
    if first is None:
        raise LookupError(f"battle {battle_id} has lost its first snapshot")
    codec = codec_of(package_of(system))
    entry = models.Entry.objects.filter(battle_id=battle_id, line=0, depth=0).only("version").first()
    return codec.read_first(bytes(first.state), codec.package.ledger_version if entry is None else entry.version)


def row_of(battle_id: str, line: int, depth: int, entry: Entry, version: int, body: bytes) -> models.Entry:
    """An entry as a row."""
    kind: str = type(entry).__struct_config__.tag  # type: ignore[assignment]
    giver: Any = getattr(entry, "giver", "")
    return models.Entry(battle_id=battle_id, line=line, depth=depth, kind=kind, giver=giver, version=version, body=body)
