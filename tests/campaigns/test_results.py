"""The result of a battle goes onto the roster whole or not at all, once, and nobody is lost or made by it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections

from tests.campaigns.conftest import MEN, Fought, kept, man, muster, written
from umpire.battles.errors import BadInput, NotYours, Refused
from umpire.campaigns import services
from umpire.campaigns.models import AppliedBattle, Campaign, CampaignEntry, Manifest
from umpire.campaigns.selectors import campaign_page
from umpire.campaigns.services import Edit, battle_apply, campaign_create, roster_edit, roster_from_battle


def apply(campaign: Campaign, fought: Fought, *edits: Edit) -> AppliedBattle:
    return battle_apply(campaign=campaign, battle=fought.battle, by=fought.umpire, edits=edits)


# Enrolling


def test_the_first_state_joins_the_roster_under_the_keys_of_the_scenario(campaign: Campaign, owner: Any) -> None:
    fought = Fought(owner)
    manifest = roster_from_battle(campaign=campaign, battle=fought.battle, by=fought.umpire)
    assert muster(campaign) == MEN
    leader = man(campaign, "one-leader")
    assert (leader.squad, leader.role, leader.quality, leader.weapons) == ("1 Section", "leader", "trained", ["slr"])
    assert (leader.motivation_rating, leader.status) == (1, "fit")
    assert man(campaign, "village-man-4").quality == "poor"
    assert kept(campaign) == {"cache-store": False, "cache-grove": False}
    assert manifest.sides == {"platoon": "government", "cell": "guerrilla"}
    assert len(manifest.men) == sum(MEN.values())
    assert manifest.men[fought.piece("one-leader")] == leader.pk


def test_no_id_of_a_battle_is_one_of_the_campaign(campaign: Campaign, fought: Fought) -> None:
    manifest = Manifest.objects.get(battle=fought.battle)
    ours = {*campaign.roster.values_list("pk", flat=True), *campaign.caches.values_list("pk", flat=True)}
    pieces = {*manifest.men, *manifest.caches}
    assert len(ours) == len(pieces) == sum(MEN.values()) + 2
    assert not ours & pieces


def test_a_battle_is_enrolled_once(campaign: Campaign, fought: Fought, owner: Any) -> None:
    before = written(campaign)
    roster_from_battle(campaign=campaign, battle=fought.battle, by=fought.umpire)
    assert written(campaign) == before
    with pytest.raises(Refused, match="another campaign"):
        roster_from_battle(
            campaign=campaign_create(owner=owner, title="Another"), battle=fought.battle, by=fought.umpire
        )


def test_the_manifest_is_of_the_first_state_whenever_it_is_made(campaign: Campaign, owner: Any) -> None:
    fought = Fought(owner)
    fought.correct("Kill", figure=fought.piece("one-leader"))
    fought.correct("Remove", piece=fought.piece("two-leader"))
    roster_from_battle(campaign=campaign, battle=fought.battle, by=fought.umpire)
    assert muster(campaign) == MEN
    assert man(campaign, "one-leader").status == "fit"


# Applying


def test_each_man_gets_his_fate_and_nobody_is_left_out(campaign: Campaign, fought: Fought) -> None:
    applied = apply(campaign, fought)
    fates = {
        "one-rifleman-3": "wounded",
        "ford-man-1": "wounded",
        "two-gunner": "missing",
        "scout-1": "captured",
        "three-rifleman-2": "captured",
    }
    assert {entry.key: entry.status for entry in campaign.roster.exclude(status="fit")} == fates
    assert len(applied.result["fates"]) == sum(MEN.values())
    assert applied.result["fates"][man(campaign, "scout-1").pk] == "captured"
    assert applied.result["points"]["government"] >= 0
    assert applied.result["why"] == "nightfall"


def test_what_is_found_is_gone_and_what_is_not_stays(campaign: Campaign, fought: Fought) -> None:
    apply(campaign, fought)
    assert kept(campaign) == {"cache-grove": True, "cache-store": False}


def test_the_sum_of_the_roster_is_kept(campaign: Campaign, fought: Fought) -> None:
    apply(campaign, fought, Edit(man=man(campaign, "ford-man-1").pk, status="killed", reason="class 6"))
    for side, counted in campaign_page(campaign=campaign)["muster"].items():
        assert set(counted) == {"fit", "wounded", "killed", "captured", "missing"}
        assert sum(counted.values()) == MEN[side]
    assert campaign_page(campaign=campaign)["muster"]["guerrilla"] == {
        "fit": 11, "wounded": 0, "killed": 1, "captured": 1, "missing": 0
    }  # fmt: skip


def test_a_roster_that_would_not_balance_is_not_written(
    campaign: Campaign, fought: Fought, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = services._set

    def lose(ledger: Any, entry: Any, status: str, **rest: Any) -> None:
        plain(ledger, entry, status, **rest)
        entry.side = "nobody's"
        entry.save(update_fields=["side"])

    monkeypatch.setattr(services, "_set", lose)
    before = written(campaign)
    with pytest.raises(RuntimeError, match="roster"):
        apply(campaign, fought)
    assert written(campaign) == before


def test_applied_twice_is_applied_once(campaign: Campaign, fought: Fought) -> None:
    first = apply(campaign, fought)
    after = written(campaign)
    again = apply(campaign, fought)
    assert again.pk == first.pk
    assert again.result == first.result
    assert written(campaign) == after


def test_applied_again_with_other_edits_is_refused(campaign: Campaign, fought: Fought) -> None:
    apply(campaign, fought)
    after = written(campaign)
    with pytest.raises(Refused, match="applied already"):
        apply(campaign, fought, Edit(man=man(campaign, "orderly").pk, status="killed", reason="x"))
    assert written(campaign) == after


class Broken(DatabaseError):
    """Thrown into the middle of a transaction, as by a database that fails."""


def test_broken_off_at_any_step_it_changes_nothing(campaign: Campaign, fought: Fought) -> None:
    """Throws at the first statement that reaches the database, then at the second, and so on until it gets through."""
    before = written(campaign)
    edit = Edit(man=man(campaign, "ford-man-1").pk, status="killed", reason="class 6")
    broken = 0
    while True:
        count = 0

        def breaking(execute: Callable[..., Any], sql: str, *rest: Any, at: int = broken) -> Any:
            nonlocal count
            count += 1
            if count == at + 1:  # once: what undoes it gets through
                raise Broken
            return execute(sql, *rest)

        with connection.execute_wrapper(breaking):
            try:
                apply(campaign, fought, edit)
            except Broken:
                pass
            else:
                break
        assert written(campaign) == before, f"after statement {broken}"
        broken += 1
    assert broken > 8, "locks, reads and each row that is written are steps of their own"
    assert man(campaign, "ford-man-1").status == "killed"
    assert AppliedBattle.objects.count() == 1


def test_broken_off_between_its_steps_it_changes_nothing(
    campaign: Campaign, fought: Fought, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Throws after each step that writes: each man, the ledger, the result, and the last check."""
    before = written(campaign)
    places = [
        (services, "_set"),
        (services._Ledger, "write"),
        (services, "_must_balance"),
        (services.idempotency, "keep"),
    ]
    for place, name in places:
        with monkeypatch.context() as patch:
            plain = getattr(place, name)

            def breaking(*args: Any, plain: Callable[..., Any] = plain, **rest: Any) -> Any:
                plain(*args, **rest)
                raise Broken

            patch.setattr(place, name, breaking)
            with pytest.raises(Broken):
                apply(campaign, fought)
        assert written(campaign) == before, name
    apply(campaign, fought)


def test_only_a_finished_battle_of_this_campaign_is_applied(campaign: Campaign, owner: Any) -> None:
    fought = Fought(owner)
    with pytest.raises(Refused, match="not enrolled"):
        apply(campaign, fought)
    roster_from_battle(campaign=campaign, battle=fought.battle, by=fought.umpire)
    before = written(campaign)
    with pytest.raises(Refused, match="not finished"):
        apply(campaign, fought)
    assert written(campaign) == before


def test_only_its_umpire_applies_a_battle_and_only_to_his_own_campaign(
    campaign: Campaign, fought: Fought, django_user_model: Any
) -> None:
    player = next(seat for seat in fought.seats.values() if seat.role == "player")
    other = campaign_create(owner=django_user_model.objects.create_user("other"), title="Another's")
    for call in (
        lambda: battle_apply(campaign=campaign, battle=fought.battle, by=player),
        lambda: roster_from_battle(campaign=campaign, battle=fought.battle, by=player),
        lambda: battle_apply(campaign=other, battle=fought.battle, by=fought.umpire),
        lambda: roster_from_battle(campaign=other, battle=fought.battle, by=fought.umpire),
    ):
        with pytest.raises(NotYours):
            call()


# The umpire's word


def test_the_umpires_edits_win_and_are_on_record(campaign: Campaign, fought: Fought) -> None:
    wounded, unhurt = man(campaign, "one-rifleman-3"), man(campaign, "orderly")
    apply(
        campaign,
        fought,
        Edit(man=wounded.pk, status="fit", reason="only stunned"),
        Edit(man=unhurt.pk, status="missing", reason="lost on the way home"),
    )
    assert man(campaign, "one-rifleman-3").status == "fit"
    assert man(campaign, "orderly").status == "missing"
    lines = {line["man"]: line for line in campaign_page(campaign=campaign)["lines"] if line["note"] and "man" in line}
    assert lines[wounded.pk]["note"] == "only stunned (the battle says: wounded)"
    assert lines[unhurt.pk]["change"] == {"what": "changed", "from": "fit", "to": "missing"}
    assert {line["battle"] for line in lines.values()} == {fought.battle.pk}
    applied = AppliedBattle.objects.get()
    assert applied.result["fates"][wounded.pk] == "wounded", "the result says what the battle said"
    assert [edit["man"] for edit in applied.edits] == [wounded.pk, unhurt.pk]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"man": "nobody"}, "/edits/1/man"),
        ({"status": "resting"}, "/edits/1/status"),
        ({"reason": " "}, "/edits/1/reason"),
        ({}, "/edits/0/man"),
    ],
)
def test_an_edit_that_will_not_do_changes_nothing(
    campaign: Campaign, fought: Fought, change: dict[str, str], pointer: str
) -> None:
    one = {"man": man(campaign, "orderly").pk, "status": "killed", "reason": "mortar"}
    before = written(campaign)
    with pytest.raises(BadInput) as raised:
        apply(campaign, fought, Edit(**one), Edit(**{**one, **change}))
    assert pointer in [fault.pointer for fault in raised.value.faults]
    assert written(campaign) == before


def test_the_roster_is_changed_by_hand_with_a_reason(campaign: Campaign, fought: Fought) -> None:
    apply(campaign, fought)
    hurt = man(campaign, "one-rifleman-3")
    roster_edit(campaign=campaign, edits=[Edit(man=hurt.pk, status="fit", reason="back from hospital")])
    assert man(campaign, "one-rifleman-3").status == "fit"
    last = campaign_page(campaign=campaign)["lines"][-1]
    assert (last["note"], last["battle"], last["side"]) == ("back from hospital", "", "government")


# From battle to battle


def test_the_dead_stay_dead(campaign: Campaign, fought: Fought, owner: Any) -> None:
    dead = man(campaign, "ford-man-1")
    apply(campaign, fought, Edit(man=dead.pk, status="killed", reason="class 6"))
    second = Fought(owner)
    manifest = roster_from_battle(campaign=campaign, battle=second.battle, by=second.umpire)
    assert dead.pk not in manifest.men.values()
    assert len(manifest.men) == sum(MEN.values()) - 5
    second.finish()
    apply(campaign, second)
    assert man(campaign, "ford-man-1").status == "killed"
    assert muster(campaign) == MEN
    assert kept(campaign) == {"cache-grove": True, "cache-store": False}


def test_a_battle_begun_before_a_man_fell_does_not_raise_him(campaign: Campaign, fought: Fought, owner: Any) -> None:
    second = Fought(owner)
    roster_from_battle(campaign=campaign, battle=second.battle, by=second.umpire)
    second.correct("Kill", figure=second.piece("scout-1"))
    second.finish()
    apply(campaign, fought)
    apply(campaign, second)
    assert man(campaign, "scout-1").status == "captured"
    assert man(campaign, "one-rifleman-3").status == "wounded"
    unchanged = [line for line in campaign_page(campaign=campaign)["lines"] if line["change"]["what"] == "unchanged"]
    assert {line["change"]["fate"] for line in unchanged} == {"fit", "wounded"}


# The ledger


def test_the_ledger_is_only_added_to(campaign: Campaign, fought: Fought) -> None:
    lines = list(campaign.entries.order_by("number").values())
    apply(campaign, fought)
    assert list(campaign.entries.order_by("number").values())[: len(lines)] == lines
    assert [line.number for line in campaign.entries.order_by("number")] == list(range(1, campaign.entries.count() + 1))
    line = CampaignEntry.objects.first()
    assert line is not None
    line.note = "otherwise"
    with pytest.raises(TypeError):
        line.save()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_applied_four_times_at_once_is_applied_once(django_user_model: Any) -> None:
    owner = django_user_model.objects.create_user("owner", password="a long password")
    campaign = campaign_create(owner=owner, title="The dry season")
    fought = Fought(owner)
    roster_from_battle(campaign=campaign, battle=fought.battle, by=fought.umpire)
    fought.correct("Kill", figure=fought.piece("one-leader"))
    fought.finish()
    lines, faults = campaign.entries.count(), []
    ready = threading.Barrier(4)

    def run() -> None:
        ready.wait()
        try:
            apply(campaign, fought)
        except Exception as fault:
            faults.append(fault)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    assert AppliedBattle.objects.count() == 1
    assert campaign.entries.count() == lines + 2
