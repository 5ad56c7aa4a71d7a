"""States kept as caches are dropped and folded again from the ledger."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from tests.server.conftest import Table, make_table
from tests.server.test_hidden import step_out
from tests.server.test_random_play import play_on
from umpire.battles import heads, services
from umpire.battles.heads import read_head
from umpire.battles.models import Battle, Entry, News, Snapshot
from umpire.battles.refolding import refold
from umpire.battles.replaying import replay
from umpire.kernel.codec import digest_of, encode
from umpire.testing.skirmish import Skirmish
from umpire.testing.skirmish.rules import StandingOrders

pytestmark = pytest.mark.postgres

CACHES = ("state", "digest", "open_before", "shown")


def aged(data: bytes) -> bytes:
    """A state in a form that nobody reads any more: `side` of its public part was called `whose`."""
    state = msgspec.json.decode(data)
    state["public"]["whose"] = state["public"].pop("side")
    return encode(state)


def renewed(state: dict[str, Any]) -> dict[str, Any]:
    public = dict(state["public"])
    public["side"] = public.pop("whose")
    return {**state, "public": public}


def age(table: Table, *, first: bool = False) -> None:
    """Puts everything that is kept as a state into the old form; the first state, which is no cache, only if asked."""
    battle = table.now
    for name in ("state", "open_before", "shown"):
        if (data := getattr(battle, name)) is not None:
            setattr(battle, name, aged(bytes(data)))
    battle.digest = digest_of(bytes(battle.state))
    battle.save()
    for row in Snapshot.objects.filter(battle=battle) if first else Snapshot.objects.filter(battle=battle, depth__gt=0):
        row.state = aged(bytes(row.state))
        row.digest = digest_of(row.state)
        row.save()


def kept(table: Table) -> dict[str, Any]:
    """All that is kept as states."""
    rows = Snapshot.objects.filter(battle=table.battle).order_by("line", "depth")
    columns = Battle.objects.values_list(*CACHES).get(pk=table.battle.pk)
    return {
        "battle": [bytes(value) if isinstance(value, memoryview) else value for value in columns],
        "snapshots": [(row.line, row.depth, bytes(row.state), row.digest) for row in rows],
    }


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """No state is remembered in the process: an upgrade restarts it. Snapshots stand close together."""
    monkeypatch.setattr(heads, "keep_state", lambda *_: None)
    heads._states.clear()
    monkeypatch.setattr("umpire.battles.publishing.SNAPSHOT_EVERY", 20)


@pytest.fixture
def played(db: None) -> Table:
    """A battle that waits for typed dice on its second line."""
    table, random = make_table(blind=False, dice="typed"), Random(4)
    for _ in range(40):
        play_on(table, random)
    services.battle_rewind(battle=table.battle, by=table.seats["umpire"], depth=0, dice="fresh")
    while table.now.open_depth is None or table.now.depth < 40:
        play_on(table, random)
    return table


def test_whatever_was_played_is_kept_as_the_fold_gives_it(db: None) -> None:
    for blind in (True, False):
        table, random = make_table(blind=blind), Random(7)
        for _ in range(30):
            play_on(table, random)
            found = refold(table.battle.id, dry_run=True)
            assert (found.changed, found.fault) == ((), "")
        assert found.entries == table.now.depth > 20


def test_states_of_a_form_that_nobody_reads_are_folded_again(played: Table) -> None:
    before, version, news = kept(played), played.now.version, News.objects.count()
    assert before["battle"][2] is not None
    assert {line for line, depth, *_ in before["snapshots"] if depth} == {0, 1}
    age(played)
    with pytest.raises(msgspec.ValidationError, match="whose"):
        _ = read_head(played.battle.id).state
    aged_now = kept(played)

    dry = refold(played.battle.id, dry_run=True)
    assert kept(played) == aged_now
    assert {"state", "digest", "open_before"} <= set(dry.changed)

    assert refold(played.battle.id) == dry
    assert kept(played) == before
    assert played.now.version == version + 1
    assert News.objects.count() == news
    assert refold(played.battle.id).changed == ()
    assert [each.fault for each in replay(played.battle.id) if each.fault] == []
    random = Random(5)
    for _ in range(5):
        play_on(played, random)
    played.check()


def test_what_seats_are_served_from_while_a_hidden_ruling_waits(db: None, monkeypatch: Any) -> None:
    """With a private order that was given meanwhile, which they were told."""
    monkeypatch.setattr(Skirmish, "is_private", lambda self, order: isinstance(order, StandingOrders))
    table = make_table()
    step_out(table)
    assert table.carry() == ["paused"]
    table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    before = kept(table)
    assert before["battle"][3] not in (None, before["battle"][0])
    age(table)
    assert "shown" in refold(table.battle.id).changed
    assert kept(table) == before
    table.answer("umpire", "halt")
    table.check()


def test_the_first_state_is_upcast_and_stays_as_it_was_stored(played: Table, monkeypatch: Any) -> None:
    before = kept(played)
    age(played, first=True)
    first = Snapshot.objects.get(battle=played.battle, line=0, depth=0)
    found = refold(played.battle.id)
    assert "the first state: ValidationError" in found.fault

    monkeypatch.setattr(Skirmish, "ledger_version", 3)
    monkeypatch.setattr(Skirmish, "upcasters", {2: lambda entry: entry})
    monkeypatch.setattr(Skirmish, "first_upcasters", {2: renewed})
    assert refold(played.battle.id).fault == ""
    assert kept(played)["battle"] == before["battle"]
    assert kept(played)["snapshots"][1:] == before["snapshots"][1:]
    assert bytes(Snapshot.objects.get(pk=first.pk).state) == bytes(first.state)
    assert [each.fault for each in replay(played.battle.id) if each.fault] == []
    services.battle_rewind(battle=played.battle, by=played.seats["umpire"], depth=0, dice="fresh")
    assert read_head(played.battle.id).state.public.side == "blue"


@pytest.mark.parametrize("what", ["an entry nobody reads", "an entry is lost", "a piece that is not there"])
def test_a_battle_that_cannot_be_folded_is_left_as_it_was(played: Table, what: str) -> None:
    age(played)
    rows = Entry.objects.filter(battle=played.battle, line=1, kind="happened").order_by("depth")
    row = next(row for row in rows if b'"event":"entered"' in bytes(row.body))
    if what == "an entry is lost":
        row.delete()
        words = "line 1 has lost entries"
    else:
        old, new = (b'"spent"', b'"cost"') if what == "an entry nobody reads" else (b'"unit":"', b'"unit":"no')
        row.body = bytes(row.body).replace(old, new)
        row.save()
        words = f"line 1, depth {row.depth} (happened, version 2): "
        words += "ValidationError" if what == "an entry nobody reads" else "KeyError"
    before, version = kept(played), played.now.version
    found = refold(played.battle.id)
    assert words in found.fault
    assert (kept(played), played.now.version) == (before, version)


def test_a_battle_that_changes_meanwhile_is_folded_from_where_it_stands(played: Table, monkeypatch: Any) -> None:
    before = kept(played)
    age(played)
    stored, times = refold.__globals__["_stored"], list[int]()

    def late(battle: Battle, folded: Any) -> bool:
        if not times:
            times.append(Battle.objects.filter(pk=battle.pk).update(version=battle.version + 1))
        return bool(stored(battle, folded))

    monkeypatch.setattr("umpire.battles.refolding._stored", late)
    assert refold(played.battle.id).fault == ""
    assert times == [1]
    assert kept(played) == before
