"""The faults of other games that must not be ours, tried on FireForce over HTTP; `docs/secrecy.md` lists them all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from django.db import connection, models

from fireforce.package import PACKAGE
from tests.api.chairs import Chair, Table
from tests.secrecy.crawling import crawl, found_in, must_be_private, pool_of
from tests.secrecy.patrols import (
    CELL,
    PLATOON,
    READS,
    SCENARIO,
    chair_again,
    correct,
    end_phases,
    hidden_pieces,
    new_patrol,
    seen,
    with_canaries,
)
from umpire.api import presenters
from umpire.api.throttles import counts
from umpire.battles import sql
from umpire.battles.models import Battle, Entry, Message, News, Order, Question, Seat
from umpire.campaigns.services import campaign_create
from umpire.kernel.codec import codec_of


@pytest.fixture(autouse=True)
def _no_throttle_left() -> Iterator[None]:
    yield
    counts.clear()


@pytest.fixture
def owner(django_user_model: Any, db: None) -> Any:
    return django_user_model.objects.create_user("canary-owner", password="a long password")


@pytest.fixture
def canaries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The scenario is one full of canaries."""
    plain = PACKAGE.scenarios()
    text = with_canaries(plain[SCENARIO])
    monkeypatch.setattr(type(PACKAGE), "scenarios", lambda self: {**plain, SCENARIO: text})
    assert text.count("canary-") > 15
    return ["canary-"]


@pytest.fixture
def same_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles whose pieces and dice have the same names."""
    drawn = SimpleNamespace(token_bytes=lambda count: b"\x07" * count)
    monkeypatch.setattr("umpire.battles.services.games.secrets", drawn)


@pytest.fixture
def patrol(owner: Any) -> Table:
    return new_patrol(owner)


def secrets_of(table: Table) -> list[str]:
    """What nobody but the cell and the umpire may get: true ids of hidden pieces, and what opens the truth."""
    battle = Battle.objects.get(pk=table.battle.pk)
    hidden = hidden_pieces(table)
    assert len(hidden) > 13
    return [*hidden, bytes(battle.secret).hex(), battle.digest, battle.umpire_setting_id]


# L1: everything that there is, walked as a player, holds nothing of the others


@pytest.mark.parametrize("hidden", ["map", "cards"])
def test_a_walk_through_everything_finds_no_canary(owner: Any, canaries: list[str], hidden: str) -> None:
    table = new_patrol(owner, hidden=hidden)
    correct(table, "Change", piece="battle", field="wind", value=900)
    end_phases(table)
    campaign_create(owner=owner, title="canary-campaign")
    schema = Chair().get("schema").json()
    listed = [*canaries, *secrets_of(table)]
    for who in (PLATOON, "observer"):
        chair = table[who]
        chair.view()
        pool = {**pool_of([table]), "system": ["fireforce"], "unit": ["", *list(hidden_pieces(table))[:6]]}
        hits, answered = crawl(chair, schema, pool, listed)
        assert [hit for hit in hits if hit.canary not in hit.path] == [], who
        assert ("GET", "/api/v1/battles/{battle_id}/sync") in answered


def test_the_walk_finds_a_canary_that_is_there(owner: Any, canaries: list[str]) -> None:
    table = new_patrol(owner)
    assert found_in(table["umpire"].get(f"{table.at}/view").content.decode(), canaries)
    assert found_in(table[CELL].get(f"{table.at}/view").content.decode(), canaries)


def test_the_truth_is_only_what_is_ones_own_and_what_one_sights(patrol: Table) -> None:
    end_phases(patrol)
    view = patrol[PLATOON].view()
    truth = patrol["umpire"].view()["pieces"]
    own = {name for name, piece in truth.items() if piece["command"] == "platoon"}
    assert own
    assert set(view["pieces"]) - own == {name for name in view["pieces"] if name in view["contacts"]}
    assert own <= set(view["pieces"])


# L3: what goes out is named; a field that is new does not


def add_field(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    field: models.Field[Any, Any] = models.CharField(max_length=40, default="canary-of-a-new-field")
    field.contribute_to_class(model, name)
    with connection.schema_editor() as editor:
        editor.add_field(model, field)
    return field


def drop_field(model: type[models.Model], field: models.Field[Any, Any]) -> None:
    with connection.schema_editor() as editor:
        editor.remove_field(model, field)
    model._meta.local_fields.remove(field)  # type: ignore[arg-type]
    model._meta._expire_cache()  # type: ignore[attr-defined]
    delattr(model, field.attname)


@pytest.fixture
def new_fields(transactional_db: None) -> Iterator[None]:
    """Every model that has to do with a seat has one field more, with a canary in each row."""
    added = [(model, add_field(model, "secret_of_late")) for model in (Battle, Seat, Order, Question, News, Message)]
    sql.forget()
    yield
    for model, field in reversed(added):
        drop_field(model, field)
    sql.forget()


def filled(table: Table) -> None:
    """Something of every kind that a seat can be told of."""
    table[PLATOON].act(f"{table.at}/messages", {"to": "umpire", "text": "All quiet."})
    end_phases(table, 2)


def test_a_new_field_is_in_no_answer(new_fields: None, owner: Any) -> None:
    table = new_patrol(owner)
    filled(table)
    assert Order.objects.filter(secret_of_late="canary-of-a-new-field").count() == 2
    for who in (PLATOON, "observer"):
        told = repr(seen(table, who))
        assert "canary-of-a-new-field" not in told
        assert "secret_of_late" not in told


def test_a_serializer_that_hands_everything_on_is_found(
    new_fields: None, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = presenters.you
    monkeypatch.setattr(presenters, "you", lambda seat: {**msgspec.to_builtins(plain(seat)), **all_of(seat)})
    with pytest.raises(AssertionError, match=r"secret_of_late|join"):
        seen(new_patrol(owner), PLATOON)


def all_of(row: models.Model) -> dict[str, str]:
    return {field.attname: str(getattr(row, field.attname)) for field in row._meta.fields}


KEYS = {
    "turn", "turns", "phase", "you", "conditions", "sides", "commands", "features", "points", "pieces", "groups",
    "contacts", "prompts",
}  # fmt: skip
OTHERS_PIECE = {"kind", "side", "own", "at", "label", "marks", "facts", "may_act", "radius"}
CONTACT = {"kind", "at", "status", "since", "seen", "label", "facts", "radius"}


@pytest.mark.parametrize("hidden", ["map", "cards"])
def test_a_view_has_these_fields_and_no_others(owner: Any, hidden: str) -> None:
    table = new_patrol(owner, hidden=hidden)
    scouts = [name for name, piece in hidden_pieces(table).items() if "Scout" in piece["label"]]
    if hidden == "map":
        correct(table, "Reveal", piece=scouts[0])
    for who in (PLATOON, "observer"):
        view = table[who].view()
        assert set(view) - {"plans"} <= KEYS
        assert not view.get("plans")
        enemy = [piece for piece in view["pieces"].values() if piece["side"] == "guerrilla"]
        assert bool(enemy) == (who == PLATOON)
        assert all(set(piece) <= OTHERS_PIECE for piece in enemy), enemy
        assert all(set(contact) <= CONTACT for contact in view["contacts"].values())


# L5: no list of related things by OPTIONS; another's piece as a target is as one that does not exist


def test_options_lists_nothing(patrol: Table) -> None:
    chair = patrol[PLATOON]
    hidden = secrets_of(patrol)
    for path in Chair().get("schema").json()["paths"]:
        address = path.removeprefix("/api/v1/").replace("{battle_id}", patrol.battle.id)
        for name in ("order_id", "message_id", "question_id", "campaign_id", "system", "scenario"):
            address = address.replace(f"{{{name}}}", "nothing")
        address = address.replace("{seat_id}", patrol.seats[CELL].id)
        answer = chair.send("OPTIONS", address)
        assert answer.status_code in (404, 405), path
        assert len(answer.content) < 250, path
        assert found_in(answer.content.decode(), hidden) == []


def orders_about(target: str, figure: str) -> list[dict[str, Any]]:
    return [
        {"verb": "Move", "figures": [target], "path": [[1000, 1000]]},
        {"verb": "Fire", "figures": [figure], "target": target},
        {"verb": "Fire", "figures": [target], "target": figure},
        {"verb": "CloseCombat", "figure": figure, "target": target},
        {"verb": "Motivate", "squad": target},
        {"verb": "Search", "figures": [figure], "card": target},
        {"verb": "GivePlan", "force": target},
        {"verb": "MoveCard", "card": target, "at": [1000, 1000]},
        {"verb": "TurnCard", "card": target},
    ]


def test_anothers_piece_is_as_one_that_does_not_exist_whatever_is_asked(patrol: Table) -> None:
    chair = patrol[PLATOON]
    own = next(name for name, piece in chair.view()["pieces"].items() if piece["kind"] == "figure")
    hidden = hidden_pieces(patrol)
    figure = next(name for name, piece in hidden.items() if piece["kind"] == "figure")
    card = next(name for name, piece in hidden.items() if piece["kind"] == "card")
    groups = patrol["umpire"].view()["groups"]
    squad = next(name for name, group in groups.items() if name not in chair.view()["groups"] and group)
    said: dict[int, set[tuple[int, bytes]]] = {}
    for target in ("pnobodyxx2", figure, card, squad):
        answers = [chair.get(f"{patrol.at}/options?unit={target}")]
        for order in orders_about(target, own):
            chair.view()
            answers += [chair.post(f"{patrol.at}/{what}", {"order": order}) for what in ("preview", "odds")]
            answers.append(chair.order(order))
        for number, answer in enumerate(answers):
            assert answer.status_code < 500
            said.setdefault(number, set()).add((answer.status_code, answer.content.replace(target.encode(), b"IT")))
    assert len(said) > 20
    assert {number: found for number, found in said.items() if len(found) > 1} == {}


# L7: what one seat got is given to no other


class Proxy:
    """A cache between clients and server: it keeps what it may, and gives it to whoever asks for the same address."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}

    def get(self, chair: Chair, path: str) -> Any:
        if path not in self.kept:
            answer = chair.get(path)
            control = {part.strip() for part in answer.headers.get("Cache-Control", "").split(",")}
            if control & {"no-store", "private"}:
                return answer
            self.kept[path] = answer
        return self.kept[path]


def test_a_cache_between_gives_nobody_anothers_answer(owner: Any, canaries: list[str]) -> None:
    table = new_patrol(owner)
    proxy = Proxy()
    for path in READS:
        address = f"{table.at}/{path}".rstrip("/")
        first, second = proxy.get(table[CELL], address), proxy.get(table[PLATOON], address)
        assert second is not first
        assert found_in(second.content.decode(), canaries) == []
        for answer in (first, second):
            must_be_private(answer, address)
    assert proxy.kept == {}


def test_a_tag_is_of_one_seat(patrol: Table) -> None:
    address = f"{patrol.at}/view"
    tags = {who: patrol[who].get(address).headers["ETag"] for who in (CELL, PLATOON, "observer", "umpire")}
    assert len(set(tags.values())) == 4
    for who, tag in tags.items():
        for chair in (PLATOON, "observer"):
            answer = patrol[chair].get(address, If_None_Match=tag)
            assert answer.status_code == (304 if who == chair else 200)


# L8: what the other side makes, changes and loses moves nothing here


def test_units_made_changed_and_taken_away_in_hiding_move_nothing(patrol: Table) -> None:
    before = {who: seen(patrol, who) for who in (PLATOON, "observer")}
    numbers = dict(News.objects.filter(seat__in=[patrol.seats[who].id for who in before]).values_list("id", "number"))
    hidden = hidden_pieces(patrol)
    for number, (name, piece) in enumerate(hidden.items()):
        if piece["kind"] == "figure" and number % 2:
            correct(patrol, "Change", piece=name, field="quality", value="veteran")
        else:
            correct(patrol, "Remove", piece=name)
    for force in patrol["umpire"].get(f"{patrol.at}/plans").json()["plans"]:
        correct(patrol, "DropPlan", force=force)
    correct(patrol, "AwardPoints", side="guerrilla", points=7, why="canary", known=False)
    assert len(hidden_pieces(patrol)) < len(hidden)
    assert {who: seen(patrol, who) for who in before} == before
    after = dict(News.objects.filter(seat__in=[patrol.seats[who].id for who in before]).values_list("id", "number"))
    assert after == numbers


# L10: a preview knows what its giver knows


def test_a_hidden_band_and_a_mine_on_the_path_change_no_preview(owner: Any, same_names: None) -> None:
    """One world has a band, a mine and a cache in the wood on the path, the other has them far away."""
    told = []
    for mine, band in (([2250, 2900], [2300, 3500]), ([7000, 4500], [7000, 4300])):
        table = new_patrol(owner)
        chair = table[PLATOON]
        pieces = chair.view()["pieces"]
        section = [name for name, piece in pieces.items() if piece["label"].endswith("1 Section")]
        assert len(section) == 8
        rolled = chair.order({"verb": "Motivate", "squad": pieces[section[0]]["group"]})
        assert rolled.status_code == 201, rolled.content
        for number, man in enumerate(section):
            correct(table, "MoveTo", piece=man, at=[2200 + 60 * number, 2850])
        for name, piece in hidden_pieces(table).items():
            if piece["label"] in ("Booby trap", "Cache"):
                correct(table, "MoveTo", piece=name, at=mine)
            elif "Scout" in piece["label"]:
                correct(table, "MoveTo", piece=name, at=band)
        assert chair.view()["contacts"] == {}, "they are out of sight"
        short, through = [[2250, 2900], [2300, 2980]], [[2250, 2900], [2300, 3500], [2300, 3700]]
        got = [("view", 200, msgspec.json.encode(chair.view()))]
        for man in section:
            for path, manner in ((short, "tactical"), (through, "tactical"), (through, "running")):
                order = {"verb": "Move", "figures": [man], "path": path, "manner": manner}
                for what in ("preview", "odds"):
                    answer = chair.post(f"{table.at}/{what}", {"order": order})
                    got.append((what, answer.status_code, answer.content))
            answer = chair.get(f"{table.at}/options?unit={man}")
            got.append(("options", answer.status_code, answer.content))
        refused = chair.order({"verb": "Move", "figures": section[:1], "path": through})
        got.append(("refused", refused.status_code, refused.content))
        accepted = chair.order({"verb": "Move", "figures": section[:1], "path": short})
        assert accepted.status_code == 201, accepted.content
        got.append(("accepted", accepted.status_code, json.dumps(accepted.json()["order"]).encode()))
        told.append(got)
    assert {name for name, *_ in told[0]} == {"view", "preview", "odds", "options", "refused", "accepted"}
    assert told[0] == told[1]


# L12: dice that are thrown unseen are nobody's


def test_dice_of_the_hidden_are_not_told_and_leave_no_gap(patrol: Table) -> None:
    """The platoon rolls for its motivation, then the umpire for a band of the cell that nobody has seen."""
    chair, umpire = patrol[PLATOON], patrol["umpire"]
    assert chair.order({"verb": "Motivate", "squad": next(iter(chair.view()["groups"]))}).status_code == 201
    ours = set(chair.view()["groups"])
    scouts = next(name for name in umpire.view()["groups"] if name not in ours)
    correct(patrol, "SetPhase", side="guerrilla", phase="motivation_movement")
    before = seen(patrol, PLATOON)
    umpire.view()
    body = {"order": {"verb": "Motivate", "squad": scouts}, "for": "cell"}
    thrown = umpire.act(f"{patrol.at}/orders", body, If_Match=umpire.tag)
    assert thrown.status_code == 201, thrown.content
    assert seen(patrol, PLATOON) == before
    package = codec_of(PACKAGE)
    rows = Entry.objects.filter(battle=patrol.battle, kind="thrown")
    rolls = [package.read_entry(bytes(row.body), row.version).roll for row in rows]
    own = set(patrol[PLATOON].view()["groups"]) | set(patrol[PLATOON].view()["pieces"])
    mine = [roll for roll in rolls if roll.subject in own]
    assert len(rolls) > len(mine) > 0, "the cell throws dice too"
    for who, count in ((PLATOON, len(mine)), ("observer", None)):
        news = patrol[who].get(f"{patrol.at}/news").json()
        assert [item["number"] for item in news["news"]] == list(range(1, news["last"] + 1))
        lines = [line for item in news["news"] for line in item.get("lines", ()) if line.get("faces")]
        assert not {piece for line in lines for piece in line.get("pieces", ())} - own
        assert count is None or len(lines) == count


# L15: a card face down is a card face down


def test_cards_face_down_differ_in_place_and_handle_alone(owner: Any) -> None:
    table = new_patrol(owner, hidden="cards")
    kinds = {piece["facts"]["kind"] for piece in hidden_pieces(table).values() if piece["kind"] == "card"}
    assert len(kinds) == 5, "troops, cache, booby trap, dummy, peasants"
    chair = table[PLATOON]
    view = chair.view()
    cards_seen = {name: piece for name, piece in view["pieces"].items() if piece["kind"] == "card"}
    assert len(cards_seen) == 10
    assert {len(name) for name in cards_seen} == {8}
    for name in cards_seen:
        assert name not in hidden_pieces(table)
    for of in (view["pieces"], view["contacts"]):
        assert len({json.dumps({**of[name], "at": None}) for name in cards_seen}) == 1
    figure = next(name for name, piece in view["pieces"].items() if piece["kind"] == "figure")
    for what in (
        lambda name: chair.get(f"{table.at}/options?unit={name}"),
        lambda name: chair.post(
            f"{table.at}/preview", {"order": {"verb": "Fire", "figures": [figure], "target": name}}
        ),
        lambda name: chair.post(
            f"{table.at}/preview", {"order": {"verb": "Search", "figures": [figure], "card": name}}
        ),
    ):
        answers = {what(name).content.replace(name.encode(), b"IT") for name in cards_seen}
        assert len(answers) == 1


def test_a_card_that_goes_out_of_sight_comes_back_with_another_handle(owner: Any) -> None:
    table = new_patrol(owner, hidden="cards")
    before = table[PLATOON].view()["contacts"]
    lying = next(name for name, piece in hidden_pieces(table).items() if piece["label"] == "Cache")
    place = hidden_pieces(table)[lying]["at"]
    [handle] = [name for name, contact in before.items() if contact["at"] == place]
    correct(table, "Conceal", piece=lying)
    correct(table, "Reveal", piece=lying)
    after = table[PLATOON].view()["pieces"]
    [again] = [name for name, piece in after.items() if piece["at"] == place and piece["kind"] == "card"]
    assert again != handle


def test_a_dummy_may_lie_still_like_a_cache(owner: Any) -> None:
    """Caches never move; so a dummy needs no plan that moves it."""
    table = new_patrol(owner, hidden="cards")
    still = [
        piece["at"] for piece in hidden_pieces(table).values() if piece["label"] == "Dummy" and piece["at"][0] == 2400
    ]
    end_phases(table)
    assert [piece["at"] for piece in hidden_pieces(table).values() if piece["at"] == [2400, 900]] == still != []


# L16: hidden moves leave no mark


def told_to_all(table: Table) -> dict[str, Any]:
    """What player and observer can read, and how much news they have had."""
    numbers = dict(Seat.objects.filter(battle=table.battle).values_list("name", "news_count"))
    return {who: (seen(table, who), numbers[who]) for who in (PLATOON, "observer")}


def test_a_hidden_march_moves_no_number(patrol: Table) -> None:
    before = {
        who: (seen(patrol, who), Seat.objects.get(pk=patrol.seats[who].pk).news_count) for who in (PLATOON, "observer")
    }
    moved = [name for name, piece in hidden_pieces(patrol).items() if "Village" in piece["label"]]
    assert moved
    version = Battle.objects.get(pk=patrol.battle.pk).version
    for number, name in enumerate(moved):
        correct(patrol, "MoveTo", piece=name, at=[6500 + 60 * number, 1000])
    assert Battle.objects.get(pk=patrol.battle.pk).version > version
    after = {
        who: (seen(patrol, who), Seat.objects.get(pk=patrol.seats[who].pk).news_count) for who in (PLATOON, "observer")
    }
    assert after == before


# L20: taken back, with the same dice, and what was learned stays on record


def test_a_rewind_gives_the_same_dice_and_keeps_what_was_learned(patrol: Table) -> None:
    chair, umpire = patrol[PLATOON], patrol["umpire"]
    squad = next(iter(chair.view()["groups"]))
    view = chair.view()
    depth = Battle.objects.get(pk=patrol.battle.pk).depth
    first = chair.order({"verb": "Motivate", "squad": squad})
    assert first.status_code == 201, first.content
    faces = [line["faces"] for line in first.json()["lines"] if line.get("faces")]
    assert faces
    kept = list(Entry.objects.filter(battle=patrol.battle, depth__gte=depth).values_list("pk", flat=True))
    taken = umpire.act(f"{patrol.at}/rewind", {"depth": depth, "dice": "keep", "reason": "the wrong squad"})
    assert taken.status_code == 200, taken.content
    assert chair.view() == view
    last = chair.get(f"{patrol.at}/news").json()["news"][-1]
    assert (last["kind"], last["lines"][0]["kind"]) == ("rewind", "rewind")
    assert Entry.objects.filter(pk__in=kept).count() == len(kept), "what it had been told stays in the ledger"
    assert chair.get(f"{patrol.at}/orders").json()[0]["status"] == "taken_back"
    again = chair.order({"verb": "Motivate", "squad": squad})
    assert [line["faces"] for line in again.json()["lines"] if line.get("faces")] == faces


def test_no_player_takes_anything_back(patrol: Table) -> None:
    chair = patrol[PLATOON]
    squad = next(iter(chair.view()["groups"]))
    order = chair.order({"verb": "Motivate", "squad": squad}).json()["id"]
    assert chair.act(f"orders/{order}/withdraw").status_code == 409
    nothing = chair.post("nothing", {})
    answer = chair.act(f"{patrol.at}/rewind", {"depth": 0, "reason": "x"})
    assert (answer.status_code, answer.content) == (404, nothing.content)


# L21: another device, the same seat with all that it knows


def test_another_device_has_the_same_seat_and_what_came_meanwhile(patrol: Table) -> None:
    first = patrol[PLATOON]
    squad = next(iter(first.view()["groups"]))
    given = first.order({"verb": "Motivate", "squad": squad})
    assert given.status_code == 201
    scout = next(name for name, piece in hidden_pieces(patrol).items() if "Scout" in piece["label"])
    correct(patrol, "Reveal", piece=scout)
    told = patrol["umpire"].act(f"{patrol.at}/messages", {"to": "platoon", "text": "Look to your left."})
    assert told.status_code == 201, told.content
    second = chair_again(patrol, PLATOON)
    assert second.view()["contacts"], "what was revealed while nobody looked"
    assert second.view() == first.view()
    whole = second.get(f"{patrol.at}/sync?after=0").json()
    assert [order["id"] for order in whole["orders"]] == [given.json()["id"]]
    assert [message["text"] for message in whole["messages"]] == ["Look to your left."]
    assert second.get(f"{patrol.at}").json()["you"] == first.get(f"{patrol.at}").json()["you"]
    assert Seat.objects.filter(battle=patrol.battle).count() == len(patrol.seats)


# L23: sent twice, done once


def test_dice_sent_for_twice_are_thrown_once(patrol: Table) -> None:
    chair = patrol[PLATOON]
    squad = next(iter(chair.view()["groups"]))
    tag = chair.tag
    answers = [chair.order({"verb": "Motivate", "squad": squad}, "one-key", If_Match=tag) for _ in range(3)]
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert Entry.objects.filter(battle=patrol.battle, kind="thrown").count() == 1
    assert Order.objects.filter(battle=patrol.battle).count() == 1


def test_a_phase_is_ended_once_and_only_in_its_time(patrol: Table) -> None:
    chair = patrol[PLATOON]
    chair.view()
    tag = chair.tag
    answers = [chair.order({"verb": "EndPhase"}, "one-key", If_Match=tag) for _ in range(2)]
    assert {answer.content for answer in answers} == {answers[0].content}
    assert chair.order({"verb": "EndPhase"}, "another-key", If_Match=tag).status_code == 412
    depth = Battle.objects.get(pk=patrol.battle.pk).depth
    patrol[CELL].view()
    early = patrol[CELL].order({"verb": "EndPhase"})
    assert (early.status_code, early.json()["type"]) == (409, "/problems/refused")
    assert Battle.objects.get(pk=patrol.battle.pk).depth == depth


# L25: nothing of the game is in a browser's session


def test_a_session_says_only_who_has_signed_in(patrol: Table) -> None:
    chair = Chair(battle=patrol.battle.id)
    assert chair.post("session", {"username": "canary-owner", "password": "a long password"}).status_code == 200
    chair.view()
    answer = chair.act(
        f"{patrol.at}/corrections", {"correction": {"verb": "Change", "piece": "battle", "field": "wind", "value": 5},
                                     "reason": "x"},
    )  # fmt: skip
    assert answer.status_code == 201, answer.content
    assert set(chair.client.session.keys()) == {"_auth_user_id", "_auth_user_backend", "_auth_user_hash"}


def test_two_tabs_of_one_seat_do_not_overwrite_each_other(patrol: Table) -> None:
    tabs = [patrol[PLATOON], chair_again(patrol, PLATOON)]
    groups = list(tabs[0].view()["groups"])[:2]
    for tab in tabs:
        tab.view()
    first = tabs[0].order({"verb": "Motivate", "squad": groups[0]})
    stale = tabs[1].order({"verb": "Motivate", "squad": groups[1]})
    assert (first.status_code, stale.status_code) == (201, 412)
    tabs[1].view()
    assert tabs[1].order({"verb": "Motivate", "squad": groups[1]}).status_code == 201
    told = tabs[0].get(f"{patrol.at}/orders").json()
    assert [order["order"]["squad"] for order in told] == groups
