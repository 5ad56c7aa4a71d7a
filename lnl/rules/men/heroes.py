"""Heroes: when one stands up, who he is, what he can do. `core 11.2`"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from msgspec.structs import replace

from lnl.board.ground import GROUND, place_name
from lnl.board.hexes import Place, neighbours
from lnl.book.rows import PROHIBITED, CounterRow
from lnl.happening.men import HeroCreated
from lnl.happening.rulings import ask, fallen, tell
from lnl.knowledge.sighting import is_adjacent
from lnl.orders.checks import is_on_map
from lnl.rules.men.skill_cards import deck_without, usable_cards
from lnl.rules.movement.stacking import room_beside
from lnl.rules.turn.operations_phase import joins
from lnl.state.battle import State, Unit
from lnl.state.finding import counter_of, enemies_at, enemies_perceived_by, has_unit, terrain_at, traits_of, units
from lnl.state.setting import ground_of, setting_of, tables_named, tables_of
from umpire.kernel.book.points import One
from umpire.kernel.codec import digest_of
from umpire.kernel.rulings import Choice, Question, Ruling, draw, roll

RULE = "core 11.2"
PARENTS = ("squad", "half_squad")
"""Whose Damage Checks may bring a hero forth. `core 5.1`"""
ID_LENGTH = 12

brings_heroes: One[[State, Unit], bool] = One("heroes", rule=RULE)
"""Whether a unit's Damage Checks may bring a hero forth."""
hero_troop: One[[State, Unit], str] = One("troop of heroes", rule=RULE)
"""Of which troop the heroes are that a unit brings forth: partisans bring forth those of the line, `hotm 13.1.1`."""


@brings_heroes.printed
def _of_squads(rule: str, state: State, parent: Unit) -> bool:
    return counter_of(state, parent).kind in PARENTS


@hero_troop.printed
def _of_its_own(rule: str, state: State, parent: Unit) -> str:
    return counter_of(state, parent).troop


def is_possible(state: State, parent: Unit) -> bool:
    """Whether a hero may stand up from a unit: no more than two of a nation are on the board. `core 11.2`"""
    able = brings_heroes(setting_of(state).active, traits_of(state, parent), state, parent)
    return able and bool(_free_counters(state, parent))


def stands_up(state: State, parent: str, by: str, *, apart: bool = False) -> Ruling[tuple[State, bool]]:
    """The die that follows a 1 on a Damage Check: on an even number a hero is created. `core 5.1`, `core 11.2`

    Where odds walk the units `apart` they give the chance of each as if no other one brought a hero forth."""
    rolled = yield from roll(
        "1d6",
        "hero",
        subject=parent,
        by=by,
        bands=[(face, face, "no hero" if face % 2 else "hero") for face in range(1, 7)],
        rule=RULE,
        apart=parent if apart else "",
    )
    return fallen(rolled, state), rolled.result == "hero"


def create(state: State, parent: Unit, *, stops: bool, is_open: bool) -> Ruling[State]:
    """A hero stands up in the hex of a unit, with its markers and the points that it has spent. `core 11.2`

    Hero and skill card are drawn at random. `stops`: his parent is Shaken (or no more), so he stops as well. `is_open`:
    everybody sees him, as they saw his parent. Where he would stand too many his owner puts him next to it; nobody
    stands up where there is no room at all.
    """
    free = _free_counters(state, parent)
    if not free:
        return state
    counter = yield from draw(free, "hero", subject=parent.id, by=parent.command, rule=RULE, aside=True)
    skills: tuple[str, ...] = ()
    if cards := usable_cards(state, "hero"):
        card = yield from draw(cards, "skill", subject=parent.id, by=parent.command, rule=RULE, aside=True)
        skills = (card,)
    hero = Unit(
        id=_new_id(state, parent),
        command=parent.command,
        side=parent.side,
        counter=counter,
        at=parent.at,
        moved=parent.moved,
        fired=parent.fired,
        ops_complete=parent.ops_complete,
        is_moving=parent.is_moving and not stops,
        spent=parent.spent,
        skills=skills,
    )
    state, place = yield from _placed(state, hero)
    if place is None:
        return state
    drawn = "" if is_open else "".join(skills)
    deck = deck_without(state.public.deck, skills[0]) if skills and not drawn else state.public.deck
    hero = replace(hero, at=place)
    state = yield from tell(HeroCreated(unit=hero, parent=parent.id, deck=deck, is_open=is_open, drawn=drawn))
    return (yield from joins(state, hero, parent))


def _placed(state: State, hero: Unit) -> Ruling[tuple[State, Place | None]]:
    """Where a new hero stands: with his parent, or where his owner says among the hexes next to it. Where enemies turn
    out to be whom his command did not know of it is the next of those hexes. `core 11.2`"""
    if _has_room(state, hero, hero.at):
        return state, hero.at
    ground = ground_of(state)
    places = [place for place in _around(state, hero.at) if _may_stand(state, hero, place)]
    if not places:
        return state, None
    choices = tuple(
        Choice(id=place_name(ground, place), label=f"In {place_name(ground, place)}", at=place) for place in places
    )
    question = Question(
        kind="hero_place",
        prompt="There is no room for the hero. Where does he stand?",
        choices=choices,
        default=(choices[0].id,),
        rule=RULE,
    )
    state, taken = yield from ask(hero.command, question)
    chosen = next(place for place, choice in zip(places, choices, strict=True) if choice.id in taken)
    free = (place for place in (chosen, *places) if not enemies_at(state, place, hero.side))
    return state, next(free, None)


def _around(state: State, at: Place) -> list[Place]:
    """The places on the hexes around that are adjacent to one. `core 10.2`"""
    levels = dict.fromkeys((max(at[2], GROUND), GROUND))
    found = [(*each, level) for each in neighbours((at[0], at[1])) for level in levels]
    return [place for place in found if is_on_map(state, place) and is_adjacent(state, at, place)]


def _may_stand(state: State, hero: Unit, place: Place) -> bool:
    if terrain_at(state, place).leg == PROHIBITED:
        return False
    if any(each.at == place for each in enemies_perceived_by(state, hero)):
        return False
    return _has_room(state, hero, place)


def _has_room(state: State, hero: Unit, place: Place) -> bool:
    return not room_beside(state, replace(hero, at=place))


def _new_id(state: State, parent: Unit) -> str:
    """A true id: drawn from that of the parent, which is random."""
    number = 0
    while has_unit(state, _numbered(state, parent, number)):
        number += 1
    return _numbered(state, parent, number)


def _numbered(state: State, parent: Unit, number: int) -> str:
    text = f"hero of {parent.id} in turn {state.public.turn}: {number}"
    return digest_of(text.encode())[:ID_LENGTH]


def parent_of(before: State, hero: str) -> str:
    """Whose check has brought a hero forth who was not there before, "" where nobody's has."""
    return next((each.id for each in units(before) if _new_id(before, each) == hero), "")


def _free_counters(state: State, parent: Unit) -> tuple[str, ...]:
    """The hero counters of the parent's troops that are not in the battle, nor still to come; none where his nation has
    its two heroes on the board."""
    nation = counter_of(state, parent).nation
    if not is_room_for_one(state, nation):
        return ()
    known = heroes_of(state.public.setting, nation)
    taken = {each.counter for each in units(state)}
    free = [key for key in known if key not in taken]
    troop = hero_troop(setting_of(state).active, traits_of(state, parent), state, parent)
    same = [key for key in free if known[key].troop == troop]
    return tuple(same or free)


def is_room_for_one(state: State, nation: str, coming: Collection[str] = ()) -> bool:
    """Whether a nation has fewer heroes on the board, with units that are `coming`, than it may have at a time.
    `core 11.2`"""
    known = heroes_of(state.public.setting, nation)
    there = sum((each.is_placed or each.id in coming) and each.counter in known for each in units(state))
    return there < tables_of(state).number("heroes_of_a_nation")


def waits_for_a_hero(state: State, each: Unit, coming: Collection[str] = ()) -> bool:
    """Whether a unit is a hero who cannot come in: his nation has its two on the board. `core 11.2`"""
    row = counter_of(state, each)
    return row.kind == "hero" and not is_room_for_one(state, row.nation, coming)


@lru_cache(maxsize=256)
def heroes_of(setting: str, nation: str) -> dict[str, CounterRow]:
    """The hero counters of a nation in the book of the battles with this public setting. `core 11.2`"""
    table = tables_named(setting).book.table("counters", CounterRow)
    return {key: row for key, row in table.items() if row.kind == "hero" and row.nation == nation}
