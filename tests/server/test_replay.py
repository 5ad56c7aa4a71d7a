"""A stored battle played again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.server.conftest import Table, make_table
from tests.server.test_questions import opportunity
from tests.server.test_random_play import play_on
from umpire.battles import services
from umpire.battles.heads import read_head
from umpire.battles.models import Battle, Entry, Snapshot
from umpire.battles.replaying import replay
from umpire.testing.skirmish import PACKAGE, rules

pytestmark = pytest.mark.postgres


@pytest.fixture
def played(db: None, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A battle with questions, typed dice, corrections and a second line."""
    monkeypatch.setattr("umpire.battles.publishing.SNAPSHOT_EVERY", 20)
    table, random = make_table(blind=False, dice="typed"), Random(4)
    for _ in range(50):
        play_on(table, random)
    services.battle_rewind(battle=table.battle, by=table.seats["umpire"], depth=0, dice="fresh")
    for _ in range(20):
        play_on(table, random)
    return table


def faults(table: Table) -> list[str]:
    return [each.fault for each in replay(table.battle.id) if each.fault]


def test_what_was_played_is_found_again(played: Table, capsys: Any) -> None:
    assert faults(played) == []
    found = list(replay(played.battle.id))
    assert {each.what for each in found} == {"line", "ruling", "snapshot", "state"}
    assert {each.line for each in found} == {0, 1}
    call_command("replay", played.battle.id)
    assert "all as stored" in capsys.readouterr().out


def test_a_changed_ledger_is_found_out(played: Table) -> None:
    happened = Entry.objects.filter(battle=played.battle, kind="happened").order_by("line", "depth")
    entry = next(row for row in happened if b'"event":"entered"' in bytes(row.body))
    entry.body = bytes(entry.body).replace(b'"spent":1', b'"spent":0').replace(b'"spent":2', b'"spent":0')
    entry.save()
    assert faults(played)
    with pytest.raises(SystemExit) as left:
        call_command("replay", played.battle.id, "--fold-only")
    assert left.value.code == 1


def test_a_changed_snapshot_is_found_out(played: Table) -> None:
    Snapshot.objects.filter(battle=played.battle, depth__gt=0).update(digest="0" * 64)
    assert any("the fold gives" in fault for fault in faults(played))


def test_a_changed_state_is_found_out_whatever_its_digest_says(db: None) -> None:
    table, _ = opportunity()
    kept = Battle.objects.get(pk=table.battle.id)
    for column in ("state", "open_before"):
        changed = bytes(getattr(kept, column)).replace(b'"turn":1', b'"turn":2')
        assert changed != bytes(getattr(kept, column))
        Battle.objects.filter(pk=kept.pk).update(**{column: changed})
        assert any(column in fault for fault in faults(table)), column
        Battle.objects.filter(pk=kept.pk).update(**{column: getattr(kept, column)})
    assert faults(table) == []


def test_rulings_of_another_version_of_the_rules_are_named_and_not_called_diverged(
    db: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    table, _ = opportunity()
    monkeypatch.setattr(type(PACKAGE), "version", PACKAGE.version + 1)
    monkeypatch.setattr(rules, "enter", lambda state, unit, at: rules.tell(rules.PlanEnded(unit=unit)))
    assert faults(table) == []
    call_command("replay", table.battle.id)
    assert f"are of version {PACKAGE.version - 1} of the rules: folded, not run again" in capsys.readouterr().out
    opened = read_head(table.battle.id).position.open
    assert opened is not None
    assert opened.fault is not None
    assert (opened.fault.how, "begun under version 1" in opened.fault.text) == ("other rules", True)


def test_changed_rules_are_found_out(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = opportunity()
    table.answer("red_2")
    assert faults(table) == []
    monkeypatch.setattr(rules, "enter", lambda state, unit, at: rules.tell(rules.PlanEnded(unit=unit)))
    assert any("diverged" in fault for fault in faults(table))


def test_a_battle_that_does_not_exist(db: None) -> None:
    with pytest.raises(CommandError):
        call_command("replay", "nobody")
