"""Squads that come in later: in the upkeep of their side's player turn, from the turn in which they are due.

They stand around the place where they come in, or in their zone as near to it as there is room, and act in that player
turn like all others. Of a hidden command nothing is told to who does not see it: with the umpire's map its men are
hidden; with cards on the table it lies under a card of its own, with dummies beside it, and nobody can tell which is
which (house, C95). `fireforce turn-sequence`, `fireforce cards`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from fireforce.happening.blinds import CardMade
from fireforce.happening.hand import Arrived, ReserveAdded
from fireforce.happening.rulings import tell
from fireforce.orders.dispatch import at as at_moment
from fireforce.state.battle import (
    Card,
    Figure,
    Place,
    Reserve,
    Squad,
    State,
)
from fireforce.state.beginning import SPACING, UNDER_CARD, drawn_up
from fireforce.state.finding import (
    figures,
    reserves,
    side_of,
    visible_enemies,
)
from fireforce.state.setting import ground_of, setting_of, tables_of
from fireforce.table.ranges import distance
from umpire.kernel.rulings import Ruling, draw

RULE = "fireforce turn-sequence"
APART = 600
"""Between the middles of a card that comes in and its dummies (house)."""
STEP = 200
"""Between the places that are tried in a zone (house)."""


@at_moment("upkeep", "begins", order=-5)
def arrive(state: State) -> Ruling[State]:
    """Whoever of the side is due comes in where there is room; else he waits for its next player turn."""
    for each in [each for each in reserves(state) if is_due(state, each)]:
        at = entry(state, each)
        if at is None:
            continue
        if has_cards(state, each.command):
            state = yield from _under_cards(state, each, at)
        else:
            state = yield from tell(arrival(state, each, at))
    return state


def is_due(state: State, each: Reserve) -> bool:
    """Whether a squad off the table comes in in this player turn."""
    return side_of(state, each.command) == state.public.active and each.arrives <= state.public.turn


def entry(state: State, each: Reserve) -> Place | None:
    """Where it comes in: at its place or, with a zone, at the nearest in it where there is room as far as it knows."""
    taken = _known(state, each.command)
    spacing = UNDER_CARD if has_cards(state, each.command) else SPACING
    for at in (each.at, *_in_zone(state, each)):
        if is_room(state, each.figures, drawn(state, at, len(each.figures), spacing), taken):
            return at
    return None


def drawn(state: State, at: Place, count: int, spacing: int = SPACING) -> tuple[Place, ...]:
    """The places of so many men around one."""
    table = setting_of(state).table
    return drawn_up(at, count, spacing, width=table.width, depth=table.depth)


def is_room(state: State, men: Sequence[Figure], places: Sequence[Place], taken: Sequence[Figure]) -> bool:
    """Whether men can stand in these places: nobody is there, and nothing impassable."""
    ground = ground_of(state)
    return all(
        ground.going_at(place) != "impassable"
        and all(distance(place, other.at) >= man.radius + other.radius for other in taken)
        for man, place in zip(men, places, strict=True)
    )


def _known(state: State, command: str) -> list[Figure]:
    """The men of whom a command knows that they stand somewhere: its side's and those in sight."""
    side = side_of(state, command)
    own = (man for man in figures(state) if man.is_fit and man.side == side)
    return [*own, *visible_enemies(state, command)]


def _in_zone(state: State, each: Reserve) -> Iterator[Place]:
    zone = setting_of(state).zones.get(each.zone)
    if zone is None:
        return
    xs, ys = [at[0] for at in zone.polygon], [at[1] for at in zone.polygon]
    found = (
        (x, y)
        for x in range(min(xs), max(xs) + 1, STEP)
        for y in range(min(ys), max(ys) + 1, STEP)
        if is_inside(zone.polygon, (x, y))
    )
    yield from sorted(found, key=lambda at: (distance(at, each.at), at))


def is_inside(polygon: Sequence[Place], at: Place) -> bool:
    """Whether a place lies in a polygon, in whole numbers: how often a ray to the right crosses its edge."""
    crossings = False
    for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (ay > at[1]) != (by > at[1]):
            turn = (bx - ax) * (at[1] - ay) - (at[0] - ax) * (by - ay)
            crossings ^= (turn > 0) == (by > ay)
    return crossings


def has_cards(state: State, command: str) -> bool:
    """Whether a command's troops lie under cards on the table."""
    setting = setting_of(state)
    return setting.options.hidden == "cards" and not setting.commands[command].is_open


def arrival(state: State, each: Reserve, at: Place, card: Card | None = None) -> Arrived:
    """What tells that a squad comes in around a place."""
    spacing = SPACING if card is None else UNDER_CARD
    places = drawn(state, at, len(each.figures), spacing)
    men = zip(each.figures, places, strict=True)
    return Arrived(
        squad=replace(each.squad, is_off=False, at=(), arrives=0, zone=""),
        figures=tuple(replace(man, at=place, is_off=False) for man, place in men),
        card=card,
        is_open=setting_of(state).commands[each.command].is_open,
    )


def waiting(unit: Squad, men: Sequence[Figure], arrives: int, at: Place, zone: str = "") -> Reserve:
    """A squad and its men off the table, to come in in a turn at a place or in a zone."""
    return Reserve(
        id=unit.id,
        command=unit.command,
        squad=replace(unit, is_off=True, arrives=arrives, at=at, zone=zone),
        figures=tuple(replace(man, is_off=True) for man in men),
        arrives=arrives,
        zone=zone,
        at=at,
    )


def reserve_added(each: Reserve, was_to_arrive: int = 0) -> ReserveAdded:
    """What tells that a squad waits off the table, or waits otherwise."""
    return ReserveAdded(squad=each.squad, figures=each.figures, was_to_arrive=was_to_arrive)


def _under_cards(state: State, each: Reserve, at: Place) -> Ruling[State]:
    """It comes in under a card among its dummies; which it is lies with the dice."""
    names = [str(number) for number in range(cards_for_one(state))]
    real = yield from draw(names, "which card", subject=each.id, by=each.command, rule=RULE, secret=True)
    for event in under_cards(state, each, at, int(real)):
        state = yield from tell(event)
    return state


def cards_for_one(state: State) -> int:
    """How many cards lie there for a squad that comes in: its own and the dummies."""
    return 1 + tables_of(state).number("dummies_per_troop_card")


def under_cards(state: State, each: Reserve, at: Place, real: int) -> Iterator[Arrived | CardMade]:
    """What tells that a squad comes in around a place under a card, the one of this number, among its dummies."""
    table, count = setting_of(state).table, cards_for_one(state)
    start = min(max(at[0] - (count - 1) * APART // 2, 0), max(0, table.width - (count - 1) * APART))
    for number in range(count):
        place = min(start + number * APART, table.width), at[1]
        card = card_of(state, each, place, number)
        if number == real:
            yield arrival(state, each, place, card)
        else:
            yield CardMade(card=replace(card, kind="dummy", squad=""))


def card_of(state: State, each: Reserve, at: Place, number: int = 0) -> Card:
    """The card under which a squad comes in."""
    key = f"{each.id}-came-{state.public.player_turn}-{number}"
    return Card(id=key, command=each.command, kind="troops", at=at, squad=each.id, is_on_table=True)
