"""Peasants: a card that is found becomes civilians on the table. `fireforce cards`"""

from __future__ import annotations

from collections.abc import Sequence

from fireforce.happening.blinds import CardPlaced, CardRemoved
from fireforce.happening.rulings import tell
from fireforce.happening.searching import PeasantsFound
from fireforce.orders.dispatch import at as at_moment
from fireforce.rules.hidden.reveal import stand_in
from fireforce.rules.hidden.spotting import finder_of
from fireforce.state.battle import (
    Figure,
    Place,
    State,
)
from fireforce.state.beginning import SPACING, drawn_up
from fireforce.state.finding import (
    card,
    cards,
    figures,
    side_of,
)
from fireforce.state.setting import setting_of
from fireforce.table.ranges import BASE_RADIUS, base_to_base, distance
from umpire.kernel.rulings import Ruling, roll

RULE = "fireforce cards"
AROUND = 121
"""Places around his own among which a villager finds one where nobody stands (house)."""


def stand_up(state: State, piece: str) -> Ruling[State]:
    """A card of peasants that lies face up is replaced by as many of them as a d6 says (house). `fireforce cards`"""
    each = card(state, piece)
    rolled = yield from roll(
        "1d6", "peasants", subject=f"{piece} turn {state.public.player_turn}", by=each.command, rule=RULE
    )
    table = setting_of(state).table
    places = _free(state, drawn_up(each.at, rolled.total, SPACING, width=table.width, depth=table.depth))
    side = side_of(state, each.command)
    people = tuple(
        Figure(
            id=f"{piece}-{number}",
            command=each.command,
            side=side,
            name="Villager",
            role="civilian",
            quality="green",
            at=at,
            is_placed=True,
        )
        for number, at in enumerate(places, 1)
    )
    state = yield from tell(PeasantsFound(card=piece, figures=people))
    return (yield from tell(CardRemoved(card=piece)))


def _free(state: State, places: Sequence[Place]) -> tuple[Place, ...]:
    """These places, and for those where a model stands (who searches their card) the nearest where none does."""
    table = setting_of(state).table
    taken = [man for man in figures(state) if man.is_fit and (man.is_placed or man.id in state.public.pieces)]
    found: list[Place] = []

    def is_free(at: Place) -> bool:
        return all(base_to_base(at, man.at, BASE_RADIUS, man.radius) > 0 for man in taken) and all(
            base_to_base(at, other) > 0 for other in found
        )

    for wanted in places:
        around = drawn_up(wanted, AROUND, SPACING // 2, width=table.width, depth=table.depth)
        free = [at for at in (wanted, *around) if is_free(at)]
        found.append(min(free, key=lambda at: (distance(wanted, at), at), default=wanted))
    return tuple(found)


@at_moment("visibility", "begins", order=-1)
def come_to_light(state: State) -> Ruling[State]:
    """Peasants whose card has been turned up stand on the table; with the umpire's map, those too who are found as
    indigenous troops would be that do not move. `fireforce visibility`"""
    for each in tuple(cards(state)):
        if each.kind != "peasants":
            continue
        is_found = each.is_face_up
        if not is_found and not each.is_on_table and finder_of(state, stand_in(state, each), moving=False) is not None:
            is_found = True
            state = yield from tell(CardPlaced(card=each.id, is_on_table=True, is_face_up=True))
        if is_found:
            state = yield from stand_up(state, each.id)
    return state
