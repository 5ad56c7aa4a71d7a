"""A form that changes what is drawn calls its values as the view does, in both games: a client fills the one in from
the other, and what it does not find there would be lost."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from fireforce.testing.conformance import CONFORMANCE as FIREFORCE
from lnl.testing.conformance import CONFORMANCE as LOCK_N_LOAD
from umpire.kernel.codec import encode
from umpire.kernel.forms import Form, ListSlot
from umpire.kernel.hand.forms import hand_forms
from umpire.testing.conformance.fixture import Conformance
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import do, forms_of, next_act, settled

GAMES = {"lnl": LOCK_N_LOAD, "fireforce": FIREFORCE}


def begun(game: Conformance, which: str) -> Play[Any]:
    random = Random(2)
    names = iter(range(10_000))
    state = game.package.begin(game.settings[which](), lambda key: f"n{next(names):04d}")
    play: Play[Any] = Play(game.package, state, game.seats, secret=b"forms")
    for _ in range(6):
        if (act := next_act(play, random)) is not None:
            do(play, act)
    settled(play, random)
    return play


def named(form: Form) -> set[str]:
    """The values that a form speaks of, those of the entries of its lists too."""
    found = {*form.fixed, *(slot.name for slot in form.slots)}
    for slot in form.slots:
        if isinstance(slot, ListSlot):
            found.update(name for part in slot.parts for name in (*part.fixed, *(inner.name for inner in part.slots)))
    return found | ({str(form.fixed["field"])} if "field" in form.fixed else set())


def keys(drawn: Any) -> set[str]:
    """All names under which a view holds something, but for ids."""
    found: set[str] = set()
    for name in ("pieces", "groups", "contacts", "plans", "commands"):
        for each in drawn.get(name, {}).values():
            found.update(each)
            found.update(key for leg in each.get("legs", ()) for key in leg)
    return found


def stem(name: str) -> str:
    return name.removeprefix("is_").removeprefix("has_")


@pytest.mark.parametrize("game", GAMES)
def test_all_forms_and_views_call_one_thing_by_one_name(game: str) -> None:
    fixture = GAMES[game]
    for which in fixture.settings:
        play = begun(fixture, which)
        truth = play.truth()
        forms = [form for seat in ("umpire", *fixture.seats) for form in forms_of(play, seat)]
        for piece in truth["pieces"]:
            forms.extend(hand_forms(fixture.package, play.state, piece))
        said = {name for form in forms for name in named(form)}
        drawn = keys(truth).union(*(keys(play.view(seat)) for seat in fixture.seats if seat != "umpire"))
        by_stem = {stem(name): name for name in drawn}
        differing = {name: by_stem[stem(name)] for name in said if by_stem.get(stem(name), name) != name}
        assert differing == {}


@pytest.mark.parametrize("game", GAMES)
def test_a_plan_given_by_a_form_is_drawn_with_all_that_the_form_said(game: str) -> None:
    """A held plan that is opened and sent again stays held."""
    fixture = GAMES[game]
    given = 0
    for which in fixture.settings:
        play = begun(fixture, which)
        random = Random(9)
        for seat in fixture.seats:
            mine = {**play.view(seat)["groups"], **play.view(seat)["pieces"]} if seat != "umpire" else {}
            forms = [form for piece in mine for form in play.options(seat, piece)]
            offered = [form for form in forms if form.verb == "GivePlan"]
            for form in offered[:12]:
                order = fixture.package.sample(play.believed(seat), play.seats[seat], form, random)
                if "is_held" in order:
                    order["is_held"] = True
                tried = play.copied()
                assert tried.order(seat, order) == []
                settled(tried, random)
                plan = msgspec.json.decode(encode(tried.view(seat)["plans"][order["force"]]))
                for name in named_here(form):
                    assert plan.get(name) == drawn(order[name]), name
                given += 1
    assert given > 5


def named_here(form: Form) -> list[str]:
    return [name for name in (*form.fixed, *(slot.name for slot in form.slots)) if name != "force"]


def drawn(value: Any) -> Any:
    """A value of an order as a view has it: plain JSON, legs with all their fields."""
    plain = msgspec.json.decode(encode(value))
    if isinstance(plain, list) and plain and isinstance(plain[0], dict):
        return [{"path": [], "pace": "move", "turns": 0, **leg} for leg in plain]
    return plain
