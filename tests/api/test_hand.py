"""The umpire's hand over HTTP: whatever is sent is answered in words, in each game; and the forms are for him alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from fireforce.testing.conformance import CONFORMANCE as FIREFORCE
from lnl.testing.conformance import CONFORMANCE as LOCK_N_LOAD
from tests.api.chairs import Table
from umpire.battles.heads import read_head
from umpire.battles.selectors import truth_for
from umpire.battles.services import battle_create
from umpire.testing.conformance.odd_hands import Odd
from umpire.testing.skirmish.conformance import CONFORMANCE as SKIRMISH

SCENARIOS = {
    "skirmish": (SKIRMISH, "the-lane"),
    "lnl": (LOCK_N_LOAD, "the-crossroads"),
    "fireforce": (FIREFORCE, "patrol-to-the-ford"),
}


@pytest.fixture(params=sorted(SCENARIOS))
def table(request: Any, owner: Any) -> Table:
    fixture, scenario = SCENARIOS[request.param]
    known = fixture.package.scenarios()
    scenario = scenario if scenario in known else sorted(known)[0]
    battle, seats = battle_create(owner=owner, system=request.param, scenario=scenario)
    return Table(battle, {seat.name if seat.role != "umpire" else "umpire": code for seat, code in seats})


def test_what_cannot_be_is_answered_in_words(table: Table) -> None:
    package = SCENARIOS[table.battle.system][0].package
    state = read_head(table.battle.id).state
    pieces = truth_for(battle=table.battle).pieces.values()
    odd = Odd(package.hand, package.corrections, state, [list(each.at) for each in pieces if each.at], Random(1))
    umpire = table["umpire"]
    corrections = list(odd.all())
    for number, correction in enumerate(Random(2).sample(corrections, 60)):
        if correction["verb"] == "EndBattle":
            continue
        body = {"correction": correction, "reason": "tried"}
        told = umpire.post(f"{table.at}/corrections/preview", {"correction": correction})
        answer = umpire.act(f"{table.at}/corrections", body) if number % 3 == 0 else told
        assert told.status_code in (200, 422), told.content
        assert answer.status_code in (200, 201, 409, 422), answer.content
        if answer.status_code >= 400:
            assert answer.json()["detail"].strip()
        elif told.json().get("refusals"):
            assert told.json()["refusals"][0]["reason"].strip()


def test_the_forms_are_the_umpires_and_say_what_is_so(table: Table) -> None:
    umpire = table["umpire"]
    for unit in ("", *list(truth_for(battle=table.battle).pieces)[:2]):
        answer = umpire.get(f"{table.at}/corrections" + (f"?unit={unit}" if unit else ""))
        assert answer.status_code == 200, answer.content
        assert answer.json()["forms"] or not unit
    assert umpire.get(f"{table.at}/corrections?unit=ghost").status_code == 422
    player = next(name for name in table.codes if name != "umpire")
    assert table[player].get(f"{table.at}/corrections").status_code == 404
    assert table[player].post(f"{table.at}/corrections/preview", {"correction": {"verb": "x"}}).status_code == 404


@pytest.mark.parametrize("table", ["skirmish"], indirect=True)
def test_what_is_against_the_rules_is_said_beforehand_and_in_the_ledger(table: Table) -> None:
    umpire = table["umpire"]
    pieces = truth_for(battle=table.battle).pieces
    by_command: dict[str, list[str]] = {}
    for key, piece in sorted(pieces.items()):
        by_command.setdefault(piece.command, []).append(key)
    crowd = max(by_command.values(), key=len) + [each for each in pieces if pieces[each].command]
    at = pieces[crowd[0]].at[0]
    correction = {}
    for piece in dict.fromkeys(crowd[1:]):
        correction = {"verb": "place", "unit": piece, "at": at}
        told = umpire.post(f"{table.at}/corrections/preview", {"correction": correction}).json()
        answer = umpire.act(f"{table.at}/corrections", {"correction": correction, "reason": "a crowd"})
        assert answer.status_code == 201, answer.content
        texts = [
            each["text"] for each in umpire.get(f"{table.at}/ledger").json()["entries"] if each["kind"] == "corrected"
        ]
        if told.get("breaches"):
            assert f"Against the rules: {'; '.join(told['breaches'])}." in texts[-1]
            return
        assert "Against the rules" not in texts[-1]
    raise AssertionError("nobody was too many")
