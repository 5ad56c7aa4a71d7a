"""What is offered of a way is what steps allow: reach against every way that can be walked, on shipped maps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.package import PACKAGE
from lnl.rules.movement import going as ground_rules
from lnl.rules.movement.forms import KINDS
from lnl.rules.movement.going import Walker, going, unknown_ground
from lnl.rules.movement.movement import allowance, made
from lnl.rules.movement.reach import reach, reachable
from lnl.state.battle import Manner, State, Unit, Work, WorkKind, hex_key
from lnl.state.finding import enemies_at, is_leader, units, units_at
from lnl.state.setting import ground_of
from tests.lnl.fighting import SCENARIOS, fighting, fought
from umpire.kernel import running
from umpire.kernel.codec import codec_of
from umpire.kernel.forms import ChoiceSlot, Form, PathSlot
from umpire.kernel.values.maps import ordered

MANNERS: tuple[tuple[Manner, bool], ...] = (
    ("move", False),
    ("move", True),
    ("assault", False),
    ("assault", True),
    ("stealth", False),
    ("low_crawl", False),
)


def stacks(state: State) -> Iterator[tuple[Unit, ...]]:
    """Every unit on the map, alone and with a leader of its place."""
    for each in units(state):
        if each.is_placed:
            leaders = [other for other in units_at(state, each.at, each.side) if is_leader(state, other)]
            yield (each,)
            yield from ((each, other) for other in leaders[:1] if other != each)


def walked(state: State, stack: Sequence[Unit], manner: Manner, hurried: bool) -> dict[Place, int]:
    """Every place in which some way ends, step by step, with the least that the one with the fewest points spends."""
    tightest = min(stack, key=lambda each: allowance(state, each, manner, hurried, stack)[0])
    start = stack[0].at
    first = (start, tuple(0 for _ in stack))
    seen, todo = {first}, deque([first])
    found: dict[Place, int] = {}
    while todo:
        at, paid = todo.popleft()
        if at != start and (manner == "low_crawl" or enemies_at(state, at, stack[0].side)):
            continue
        spent = {each.id: points for each, points in zip(stack, paid, strict=True)}
        for to in going(state).around(at):
            entered = () if at == start else (at,)
            step = made(state, stack, at, to, manner=manner, double_time=hurried, spent=spent, entered=entered)
            after = (to, tuple(step.spent.get(each.id, 0) for each in stack))
            if not step.why and to != start and after not in seen:
                seen.add(after)
                todo.append(after)
                found[to] = min(step.spent[tightest.id], found.get(to, 99))
    return found


@pytest.mark.rule("core 6.0", "core 6.1", "core 6.2", "core 6.3", "core 6.4")
@pytest.mark.parametrize("play", ["open", "blind"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_can_be_reached_is_what_can_be_walked(scenario: str, play: str) -> None:
    state = fought(scenario, play, 60, "reach").state
    compared = 0
    for stack in stacks(state):
        for manner, hurried in MANNERS:
            found = reachable(state, stack, manner, hurried)
            assert found == walked(state, stack, manner, hurried), f"{[each.id for each in stack]}, {manner}, {hurried}"
            assert list(found) == sorted(found)
            compared += 1
    assert compared > 60


def way_to(place: Place, before: Mapping[Place, Place], start: Place) -> list[Place]:
    path = [place]
    while path[0] in before and before[path[0]] != start:
        path.insert(0, before[path[0]])
    return path


@pytest.mark.rule("core 6.0", "core 6.1", "core 6.2", "core 6.3", "core 6.4")
@pytest.mark.parametrize("play", ["open", "blind"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_way_to_each_place_costs_what_is_said(scenario: str, play: str) -> None:
    """From place to place as they are said to come one before the other, every step can be made, and all cost that."""
    state, random = fought(scenario, play, 100, "ways").state, Random(scenario + play)
    walked_to = 0
    for stack in stacks(state):
        for manner, hurried in MANNERS:
            found = reach(state, stack, manner, hurried)
            tightest = min(stack, key=lambda each: allowance(state, each, manner, hurried, stack)[0])
            for place in random.sample(sorted(found.before), min(3, len(found.before))):
                spent = dict.fromkeys((each.id for each in stack), 0)
                path, at = way_to(place, found.before, stack[0].at), stack[0].at
                for number, to in enumerate(path):
                    given: dict[str, Any] = {"spent": spent, "entered": path[:number]}
                    step = made(state, stack, at, to, manner=manner, double_time=hurried, **given)
                    assert not step.why, f"{[each.id for each in stack]}, {manner}, {hurried}: {path}"
                    assert step.spent[tightest.id] == found.spent[to]
                    at, spent = to, dict(step.spent)
                walked_to += 1
    assert walked_to > 100


@pytest.mark.rule("core 6.0", "core 6.1", "core 6.2", "core 6.3", "core 6.4")
@pytest.mark.parametrize("play", ["open", "blind"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_offered_is_accepted_and_what_is_not_is_refused(scenario: str, play: str) -> None:
    """Of every form some places, on the way that it says; and steps from there to places that it does not have."""
    random = Random(scenario + play)
    accepted = refused = 0
    for battle in islice(fighting(scenario, play, 150, "offered"), 5, None, 12):
        for seat in battle.seats.values():
            believed = running.believed_of(PACKAGE, battle.state, seat)
            subjects = PACKAGE.subjects(believed, seat)
            for form in (form for each in subjects for form in PACKAGE.options(believed, seat, each)):
                if form.verb not in {kind.__name__ for kind in KINDS.values()}:
                    continue
                way = next(slot for slot in form.slots if isinstance(slot, PathSlot))
                reached = {_place(at): _place(at[4:]) if at[4:] else None for (at,) in way.region}
                start = _place(way.start)
                before = {place: last for place, last in reached.items() if last is not None}
                for place in random.sample(sorted(before), min(4, len(before))):
                    path = way_to(place, before, start)
                    assert not PACKAGE.check(believed, seat, order(form, path)), f"{form.subject}, {form.label}: {path}"
                    accepted += 1
                    for to in going(believed).around(path[-1]):
                        if to not in reached and to != start:
                            assert PACKAGE.check(believed, seat, order(form, [*path, to])), f"{form.subject}: {path}"
                            refused += 1
                for to in going(believed).around(start):
                    if to not in reached or reached[to] in (None, start):
                        assert bool(PACKAGE.check(believed, seat, order(form, [to]))) == (to not in reached)
    assert accepted > 120
    assert refused > 150


def _place(at: Sequence[int]) -> Place:
    return at[0], at[1], at[2]


def order(form: Form, path: Sequence[Place]) -> Any:
    """The order of a form for those who must go along at least."""
    choices = next((slot for slot in form.slots if isinstance(slot, ChoiceSlot)), None)
    chosen = form.fixed["units"] if choices is None else [each.id for each in choices.choices[: choices.least]]
    values = {**form.fixed, "verb": form.verb, "units": chosen, "path": [list(place) for place in path]}
    return codec_of(PACKAGE).order(values)


# What lies on the map


KINDS_OF_WORKS: tuple[WorkKind, ...] = ("foxhole", "trench", "bunker", "wire", "mines")


def strewn(state: State, random: Random) -> State:
    """The state with other smoke, works and terrain lying about."""
    hexes = sorted(here.at for here in ground_of(state).hexes.values())
    sides = {part: next(iter(commands)) for part, commands in _commands(state).items()}
    laid = [(random.choice(hexes), random.choice(KINDS_OF_WORKS), random.choice(sorted(sides))) for _ in range(8)]
    works = {
        f"w{n}": Work(id=f"w{n}", command=sides[side], side=side, kind=kind, at=at, facing=1)
        for n, (at, kind, side) in enumerate(laid)
    }
    smoke = {hex_key(at): 1 for at in random.sample(hexes, 4)}
    terrain = {hex_key(at): random.choice(("rough", "brush", "light_woods", "water")) for at in random.sample(hexes, 3)}
    others = {key: each for key, each in state.public.pieces.items() if not isinstance(each, Work)}
    public = replace(state.public, pieces=ordered({**others, **works}), smoke=smoke, terrain=terrain)
    return replace(state, public=public)


def _commands(state: State) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in units(state):
        found.setdefault(each.side, []).append(each.command)
    return found


@pytest.mark.rule("core 6.0", "core 10.4", "core 21.0")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_remembered_of_ground_is_what_it_costs(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps and their prices are the same as for a state of which nothing is known, whatever lay there before."""
    state, random = fought(scenario, "open", 1, "reach").state, Random(scenario)
    movers = {each.side: each for each in units(state) if each.is_placed}
    for _ in range(6):
        strewn_now = strewn(state, random)
        found = _prices(strewn_now, list(movers.values()))
        with monkeypatch.context() as afresh:
            afresh.setattr(ground_rules, "_known_ground", lambda state, _: unknown_ground(state.public.setting))
            assert found == _prices(replace(strewn_now), list(movers.values()))


def _prices(state: State, movers: Sequence[Unit]) -> dict[tuple[str, Place], dict[Place, int]]:
    ground = going(state)
    places = ground.layout.places
    return {
        (each.id, place): {places[to]: price for to, price in ground.steps(Walker(state, each), number)}
        for each in movers
        for number, place in enumerate(places)
    }
