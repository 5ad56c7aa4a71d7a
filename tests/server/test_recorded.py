"""A battle that a landed version has stored goes on under the present one, whatever has changed its form meanwhile."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.server import recorded
from tests.server.conftest import Table, make_table
from tests.server.playing import play_on, table_of, taken_back
from umpire.battles import heads, selectors, services
from umpire.battles.models import Battle, Seat, SettingHalf
from umpire.battles.refolding import refold
from umpire.battles.replaying import replay
from umpire.kernel import settings
from umpire.kernel.codec import encode
from umpire.kernel.registry import package_of
from umpire.testing.skirmish import Skirmish

SAMPLES = list(recorded.samples())

pytestmark = pytest.mark.postgres


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process knows nothing of what another one has read: an upgrade restarts it."""
    monkeypatch.setattr(settings, "_halves", {})
    heads._states.clear()


def done(table: Table, random: Random, count: int) -> None:
    """So many things are done; whoever waits for something gets it."""
    for _ in range(20 * count):
        if play_on(table, random):
            count -= 1
        if not count:
            return
    raise AssertionError("nothing more can be done")


def looked_at(table: Table) -> None:
    """All seats see something, players are offered something, and the umpire reads the ledger."""
    for seat in Seat.objects.filter(battle=table.battle):
        if seat.role == Seat.Role.PLAYER:
            view, *_ = selectors.view_for(battle=table.battle, seat=seat)
            assert view
            assert selectors.scene_for(battle=table.battle, seat=seat)
            selectors.options_for(battle=table.battle, seat=seat)
    assert selectors.truth_for(battle=table.battle)
    assert all(entry["kind"] for entry in selectors.ledger_for(battle=table.battle, limit=selectors.history.MOST))


def exported(table: Table) -> None:
    """The battle is finished and opened; its record has every entry."""
    services.battle_finish(battle=table.battle, by=table.seats["umpire"], is_opened=True)
    record = selectors.record_for(battle=table.now)
    assert len(record["entries"]) >= record["head"]["depth"]
    assert record["chronicle"]


def test_each_system_has_samples_of_what_it_stores() -> None:
    """Of the present version of the ledger too, once it has landed."""
    there = {(sample["system"], sample["ledger"]) for sample in map(recorded.read, SAMPLES)}
    assert {("lnl", 1), ("lnl", 2), ("fireforce", 1), ("skirmish", 1)} <= there


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.removesuffix(".json.xz"))
def test_a_stored_battle_goes_on(db: None, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "keep_state", lambda *_: None)
    sample, random = recorded.read(path), Random(path.name)
    forget(monkeypatch)
    battle_id = recorded.loaded(sample["rows"])
    folded = refold(battle_id)
    assert folded.fault == ""
    if sample["ledger"] == package_of(sample["system"]).ledger_version:
        assert folded.changed == ()
    assert [each for each in replay(battle_id) if each.fault] == []

    table = table_of(Battle.objects.get(pk=battle_id))
    depth, waits = table.now.depth, table.now.open_depth is not None
    looked_at(table)
    orders = table.battle.orders.count()
    done(table, random, 6)
    assert table.now.depth > depth
    assert table.battle.orders.count() > orders or waits
    for back in (depth // 2, 0):
        taken_back(table, random, back)
        table.check()
        looked_at(table)
        done(table, random, 4)
    assert [each for each in replay(battle_id) if each.fault] == []
    exported(table)


def test_a_setting_is_read_in_the_form_in_which_it_was_stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its halves as they were before: a book without a table, and a field that had another name."""
    table, random = make_table(blind=False), Random(3)
    done(table, random, 10)
    before = {row.half: bytes(row.data) for row in _halves(table)}
    for row in _halves(table):
        old = settings.half(row.digest)
        plain: dict[str, Any] = msgspec.json.decode(encode(old))
        if row.half == "public":
            del plain["woods"]
        else:
            plain["men"] = plain.pop("units")
        row.data = encode(plain)
        row.save()
    stored = {row.half: bytes(row.data) for row in _halves(table)}
    forget(monkeypatch)
    with pytest.raises(msgspec.ValidationError, match="men"):
        settings.half(table.battle.umpire_setting_id)

    def with_woods(half: dict[str, Any]) -> dict[str, Any]:
        return {**half, "woods": [4, 5, 9]}

    def with_units(half: dict[str, Any]) -> dict[str, Any]:
        return {"units": half.pop("men"), **half}

    monkeypatch.setattr(Skirmish, "ledger_version", 3)
    monkeypatch.setattr(Skirmish, "upcasters", {2: lambda entry: entry})
    monkeypatch.setattr(Skirmish, "setting_upcasters", {2: {"public": with_woods, "umpire": with_units}})
    for row in _halves(table):
        assert encode(settings.half(row.digest)) == before[row.half]
    assert refold(table.battle.id).fault == ""
    looked_at(table)
    done(table, random, 5)
    taken_back(table, random, 0)
    done(table, random, 5)
    assert {row.half: bytes(row.data) for row in _halves(table)} == stored
    assert SettingHalf.objects.get(pk=make_table(blind=True).battle.public_setting_id).version == 3
    exported(table)


def _halves(table: Table) -> list[SettingHalf]:
    return list(SettingHalf.objects.filter(pk__in=(table.battle.public_setting_id, table.battle.umpire_setting_id)))
