"""Campaigns over REST: the umpire has all of it, each side its own page, and for others there is nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.chairs import Chair, Table
from tests.campaigns.conftest import MEN, Fought, man
from umpire.api.throttles import counts
from umpire.battles.models import Seat
from umpire.battles.services import seat_create, seat_new_code
from umpire.campaigns.models import Campaign

PLATOON, CELL = "2 Platoon", "the Ford cell"


@pytest.fixture(autouse=True)
def _no_throttle_left() -> Any:
    yield
    counts.clear()


def sit(fought: Fought) -> Table:
    """A client on every seat of a battle, an observer too."""
    seat_create(battle=fought.battle, by=fought.umpire, name="observer", role="observer")
    seats = Seat.objects.filter(battle=fought.battle)
    codes = {
        seat.name if seat.role != "umpire" else "umpire": seat_new_code(seat=seat, by=fought.umpire) for seat in seats
    }
    return Table(fought.battle, codes)


@pytest.fixture
def table(fought: Fought) -> Table:
    return sit(fought)


def apply(table: Table, campaign: Campaign, *edits: dict[str, str], key: str = "") -> Any:
    return table["umpire"].act(f"{table.at}/campaign/apply", {"campaign": campaign.pk, "edits": list(edits)}, key)


def page(chair: Chair, campaign: Campaign) -> dict[str, Any]:
    answer = chair.get(f"campaigns/{campaign.pk}/side")
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def bytes_of(answer: Any) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    return answer.status_code, answer.content, tuple(sorted(answer.headers.items()))


def test_an_umpire_makes_a_campaign_enrols_and_applies(owner: Any) -> None:
    fought = Fought(owner)
    table = sit(fought)
    umpire = table["umpire"]
    made = umpire.act("campaigns", {"title": "The dry season"})
    assert made.status_code == 201, made.content
    campaign = made.json()["id"]
    enrolled = umpire.act(f"{table.at}/campaign", {"campaign": campaign})
    assert enrolled.status_code == 201, enrolled.content
    assert len(enrolled.json()["men"]) == sum(MEN.values())
    early = umpire.act(f"{table.at}/campaign/apply", {"campaign": campaign})
    assert (early.status_code, early.json()["type"]) == (409, "/problems/refused")
    fought.correct("Kill", figure=fought.piece("one-leader"))
    fought.finish()
    applied = umpire.act(f"{table.at}/campaign/apply", {"campaign": campaign})
    assert applied.status_code == 201, applied.content
    whole = umpire.get(f"campaigns/{campaign}").json()
    assert whole["muster"]["government"] == {"fit": 26, "wounded": 1, "killed": 0, "captured": 0, "missing": 0}
    assert whole["battles"][0]["result"] == applied.json()["result"]
    [hurt] = [one for one in whole["roster"] if one["status"] == "wounded"]
    back = umpire.act(
        f"campaigns/{campaign}/edits", {"edits": [{"man": hurt["id"], "status": "fit", "reason": "six weeks later"}]}
    )
    assert back.status_code == 200, back.content
    assert back.json()["muster"]["government"]["fit"] == 27


def test_the_same_key_and_another_one_apply_a_battle_once(table: Table, campaign: Campaign) -> None:
    answers = [apply(table, campaign, key=key) for key in ("one", "one", "two")]
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    whole = table["umpire"].get(f"campaigns/{campaign.pk}").json()
    assert [line["change"]["what"] for line in whole["lines"]].count("applied") == 1


def test_an_edit_that_will_not_do_is_named(table: Table, campaign: Campaign) -> None:
    answer = apply(table, campaign, {"man": "nobody", "status": "fit", "reason": "x"})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/edits/0/man")


@pytest.mark.parametrize(
    ("who", "side", "enemy"), [(PLATOON, "government", "guerrilla"), (CELL, "guerrilla", "government")]
)
def test_a_side_reads_its_own_page_alone(table: Table, campaign: Campaign, who: str, side: str, enemy: str) -> None:
    for entry in campaign.roster.all():  # canaries of the enemy and of the umpire
        entry.name, entry.note = f"name-{entry.side}-{entry.pk}", f"note-{entry.pk}"
        entry.save()
    hurt = man(campaign, "one-rifleman-3")
    apply(table, campaign, {"man": hurt.pk, "status": "killed", "reason": "reason-canary"})
    told = page(table[who], campaign)
    assert set(told) == {"id", "title", "sides", "roster", "muster", "caches", "lines"}
    assert told["sides"] == [side]
    assert len(told["roster"]) == sum(told["muster"].values()) == MEN[side]
    text = json.dumps(told)
    assert f"name-{side}-" in text
    assert enemy not in text
    assert "note-" not in text
    assert "reason-canary" not in text
    ours = {entry.pk for entry in campaign.roster.filter(side=side)}
    theirs = {*campaign.roster.exclude(side=side).values_list("pk", flat=True)}
    theirs |= {*campaign.caches.exclude(side=side).values_list("pk", flat=True)}
    assert {one["id"] for one in told["roster"]} == ours
    assert not [one for one in theirs if one in text]
    fields = {"id", "side", "squad", "name", "quality", "role", "weapons", "status"}
    assert all(fields <= {*one} <= fields | {"motivation_rating"} for one in told["roster"])
    assert all({*line} <= {"number", "at", "change", "man"} for line in told["lines"])
    assert all({*line["change"]} <= {"what", "from", "to", "status", "cache"} for line in told["lines"])
    assert [line["number"] for line in told["lines"]] == list(range(1, len(told["lines"]) + 1))


def test_what_befalls_the_enemy_changes_no_byte_of_a_sides_page(table: Table, campaign: Campaign) -> None:
    before = bytes_of(table[PLATOON].get(f"campaigns/{campaign.pk}/side"))
    theirs = campaign.roster.filter(side="guerrilla")[:4]
    edits = [{"man": entry.pk, "status": "killed", "reason": "fever"} for entry in theirs]
    assert table["umpire"].act(f"campaigns/{campaign.pk}/edits", {"edits": edits}).status_code == 200
    assert bytes_of(table[PLATOON].get(f"campaigns/{campaign.pk}/side")) == before
    assert page(table[CELL], campaign)["muster"]["killed"] == 4


def test_for_others_there_is_no_campaign(
    table: Table, campaign: Campaign, fought: Fought, owner: Any, django_user_model: Any
) -> None:
    elsewhere = sit(Fought(owner))  # a battle of the same umpire that is in no campaign
    foreign = sit(Fought(django_user_model.objects.create_user("other", password="a long password")))
    edits = {"edits": []}
    for chair in (
        table[PLATOON], table["observer"], elsewhere[PLATOON], elsewhere["umpire"], foreign["umpire"], foreign[CELL]
    ):  # fmt: skip
        nothing = [bytes_of(chair.get("nothing")), bytes_of(chair.post("nothing", edits))]
        for name in (campaign.pk, "nothing"):
            assert bytes_of(chair.get(f"campaigns/{name}")) == nothing[0]
            assert bytes_of(chair.act(f"campaigns/{name}/edits", edits)) == nothing[1]
    for chair in (table["observer"], table["umpire"], elsewhere[PLATOON], foreign["umpire"], foreign[CELL]):
        assert bytes_of(chair.get(f"campaigns/{campaign.pk}/side")) == bytes_of(chair.get("nothing"))
    for chair in (foreign["umpire"],):
        absent = bytes_of(chair.act(f"{foreign.at}/campaign", {"campaign": "nothing"}))
        assert absent[0] == 404
        assert bytes_of(chair.act(f"{foreign.at}/campaign", {"campaign": campaign.pk})) == absent
    for who in (PLATOON, "observer"):
        answer = table[who].act(f"{table.at}/campaign/apply", {"campaign": campaign.pk})
        assert bytes_of(answer) == bytes_of(table[who].post("nothing", {}))
    assert table[PLATOON].act("campaigns", {"title": "Mine"}).status_code == 404


def test_the_list_of_campaigns_is_each_ones_own(table: Table, campaign: Campaign, owner: Any) -> None:
    elsewhere = sit(Fought(owner))
    for who in (PLATOON, CELL, "umpire"):
        assert table[who].get("campaigns").json() == [{"id": campaign.pk, "title": "The dry season"}]
    for chair in (table["observer"], elsewhere[PLATOON], elsewhere["umpire"]):
        assert chair.get("campaigns").json() == []
