"""Battles as they stood in the database of a landed version: every later one must go on with them.

A sample holds the rows of one battle, table by table, as a version of the ledger wrote them; what stands in one is
never changed. `python -m tests.server.recorded SYSTEM` records one of each variant under the present version, before
anything that is stored changes its form.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.color import no_style
from django.db import connection
from django.db.models import BinaryField, Model, QuerySet

from tests.server.playing import battle_played
from umpire.battles import models
from umpire.kernel.registry import package_of

SAMPLES = Path(__file__).parent / "samples"
TABLES = ("SettingHalf", "Battle", "Line", "Entry", "Snapshot", "Seat", "Order", "Question", "News", "Outbox")
STEPS = 90
"""Things that somebody does in a recorded battle."""

Rows = Mapping[str, list[dict[str, Any]]]


def kept(battle_id: str) -> dict[str, list[dict[str, Any]]]:
    """All rows of a battle, by table, as JSON."""
    return {name: [_plain(row) for row in _rows(name, battle_id)] for name in TABLES}


def _rows(name: str, battle_id: str) -> QuerySet[Model]:
    battle = models.Battle.objects.get(pk=battle_id)
    where: dict[str, Any] = {
        "SettingHalf": {"pk__in": (battle.public_setting_id, battle.umpire_setting_id)},
        "Battle": {"pk": battle_id},
        "News": {"seat__battle_id": battle_id},
    }.get(name, {"battle_id": battle_id})
    table: Any = getattr(models, name)
    found: QuerySet[Model] = table.objects.filter(**where).order_by("pk")
    return found


def _plain(row: Model) -> dict[str, Any]:
    plain = {}
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if isinstance(field, BinaryField):
            value = None if value is None else bytes(value).decode("latin-1")
        plain[field.attname] = value.isoformat() if hasattr(value, "isoformat") else value
    return plain


def loaded(rows: Rows) -> str:
    """Puts the rows of a battle into the database; columns that came later have what their migration gives. The
    battle's id."""
    for name in TABLES:
        table: Any = getattr(models, name)
        made = []
        for row in rows[name]:
            values = {}
            for field in table._meta.concrete_fields:
                if field.attname in row:
                    value = row[field.attname]
                    is_binary = isinstance(field, BinaryField) and value is not None
                    values[field.attname] = value.encode("latin-1") if is_binary else field.to_python(value)
            made.append(table(**values))
        table.objects.bulk_create(made)
    # The rows bring numbers of their own: those to come go on after them.
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [getattr(models, name) for name in TABLES]):
            cursor.execute(statement)
    return str(rows["Battle"][0]["id"])


def samples() -> Iterator[Path]:
    """The recorded battles."""
    yield from sorted(SAMPLES.glob("*.json.xz"))


def read(path: Path) -> Any:
    """`{system, ledger, rows}` of a recorded battle."""
    return json.loads(lzma.decompress(path.read_bytes()))


def record(system: str) -> None:
    """Plays a battle of each variant of a system through the services, with a rewind, and keeps it; in the first people
    throw their own dice."""
    package = package_of(system)
    for number, options in enumerate(package.variants):
        scenario = sorted(package.scenarios())[number % len(package.scenarios())]
        typed, steps = ({"dice": "typed"}, 2 * STEPS) if number == 0 else ({}, STEPS)
        battle = battle_played(system, scenario, {**options, **typed}, Random(f"{system} {number}"), steps)
        name = f"{system}-{package.ledger_version}-{'-'.join(map(str, options.values())) or 'usual'}.json.xz"
        sample = {"system": system, "ledger": package.ledger_version, "rows": kept(battle.id)}
        data = json.dumps(sample, ensure_ascii=False, sort_keys=True).encode()
        (SAMPLES / name).write_bytes(lzma.compress(data, preset=9))
        print(name, scenario, "depth", battle.depth, "line", battle.line, "waits", battle.open_depth is not None)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "umpire.settings.test")
    import django

    django.setup()
    connection.creation.create_test_db(verbosity=0)
    for each in sys.argv[1:]:
        record(each)
