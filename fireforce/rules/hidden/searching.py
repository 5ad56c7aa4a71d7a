"""Searching: men spend the rest of their turn on a card, or on the ground where they stand, and know at its end.

`fireforce searching`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fireforce.happening.blinds import CardPlaced
from fireforce.happening.rulings import tell
from fireforce.happening.searching import SearchBegan, Searched
from fireforce.happening.visibility import Placed
from fireforce.orders.checks import not_fit, not_ours, repeated
from fireforce.orders.dispatch import at as at_moment
from fireforce.orders.dispatch import handles
from fireforce.orders.orders import Search
from fireforce.rules.fire.fire_points import held_by, is_hidden
from fireforce.rules.hidden.reveal import turn_up
from fireforce.rules.men.conduct import conduct
from fireforce.rules.men.peasants import stand_up
from fireforce.rules.works.traps import springs, tested, withdraws_from
from fireforce.state.battle import (
    Believed,
    Figure,
    Place,
    Squad,
    State,
)
from fireforce.state.finding import (
    by_place,
    card,
    cards,
    enemies_of,
    figure,
    figures,
    has_ended,
    members_of,
    side_of,
    squads,
    true_id,
)
from fireforce.state.setting import ground_of, tables_of
from fireforce.table.ranges import distance
from fireforce.words.naming import name_of
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.parts import contact
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Contact, Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "fireforce searching"


# Where


def is_on(state: State, man: Figure, at: Place) -> bool:
    """Whether a figure stands on a card that lies there: its base touches the card. `fireforce searching`"""
    half = tables_of(state).distance("card_side") // 2 + man.radius
    return abs(man.at[0] - at[0]) <= half and abs(man.at[1] - at[1]) <= half


def reaches(state: State, man: Figure, at: Place) -> bool:
    """Whether who searches the ground where he stands would find what lies there: within the size of a card, or in the
    same building. `fireforce searching`, `fireforce umpire`"""
    if distance(man.at, at) - man.radius <= tables_of(state).distance("card_side"):
        return True
    ground = ground_of(state)
    here = {area.key for area in ground.under(man.at) if area.kind.key == "building"}
    return any(area.key in here for area in ground.under(at))


def why_not(state: State, man: Figure) -> str:
    """Why a figure may not search now; "" where it may. `fireforce searching`"""
    if not man.is_fit or man.is_civilian:
        return "cannot search"
    if man.searching or man.destroying:
        return "is busy already"
    if man.is_pinned:
        return "is pinned"
    if man.moved == "running":
        return "has run"
    row = conduct(state, man).row
    if row is not None and row.withdraws != "no":
        return f"is {row.name.lower()}"
    if is_hidden(state, man):
        return "is hidden"
    return "is in contact with an enemy" if held_by(state, man) else ""


# The search


def search(state: State, men: Sequence[str], at: Place) -> Ruling[State]:
    """Figures begin to search; what they find they know at the end of the player turn. `fireforce searching`"""
    able = tuple(each for each in by_place(state, men) if not why_not(state, figure(state, each)))
    if len(able) < tables_of(state).number("searchers"):
        return state
    # The card's id is not told: figures of open commands, and what they are busy with, are for all to see.
    return (yield from tell(SearchBegan(figures=able, at=at)))


@at_moment("end", "begins")
def searches_end(state: State) -> Ruling[State]:
    """At the end of the player turn its searches come to their results. `fireforce searching`"""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for man in figures(state):
        if man.searching and man.side == state.public.active:
            groups.setdefault((man.command, man.squad, man.searching), []).append(man.id)
    for (command, _, where), men in sorted(groups.items()):
        x, _, y = where.partition(",")
        is_place = x.lstrip("-").isdigit() and y.lstrip("-").isdigit()
        at = (int(x), int(y)) if is_place else figure(state, men[0]).at
        state = yield from _ends(state, command, men, at)
    return state


def _ends(state: State, command: str, men: Sequence[str], at: Place) -> Ruling[State]:
    busy = [each for each in men if figure(state, each).is_fit and not figure(state, each).is_pinned]
    found = _found(state, command, busy, at)
    hidden = _hidden(state, command, busy)
    if not found:
        state = yield from tell(Searched(figures=tuple(men), at=at))
    for piece in found:
        now = card(state, piece)
        state = yield from tell(Searched(figures=tuple(men), card=piece, at=now.at))
        state = yield from _brings_to_light(state, piece)
        if now.kind == "booby_trap":
            state = yield from _goes_off(state, piece, busy)
        elif now.kind == "peasants":
            state = yield from stand_up(state, piece)
    left = tuple(each for each in hidden if is_hidden(state, figure(state, each)))
    if left:
        state = yield from tell(Placed(figures=left, why="searched"))
    return state


def _found(state: State, command: str, men: Sequence[str], at: Place) -> list[str]:
    """The enemy's cards that these men find: the one on the table on which enough of them stand, or what is not on it
    and lies in reach of enough of them."""
    needed = tables_of(state).number("searchers")
    found: list[str] = []
    for each in cards(state):
        if side_of(state, each.command) == side_of(state, command) or each.is_face_up:
            continue
        if each.is_on_table:
            near = [man for man in men if each.at == at and is_on(state, figure(state, man), at)]
        else:
            near = [man for man in men if reaches(state, figure(state, man), each.at)]
        if len(near) >= needed:
            found.append(each.id)
    return found


def _hidden(state: State, command: str, men: Sequence[str]) -> list[str]:
    """The hidden enemies in reach of enough of these men."""
    needed = tables_of(state).number("searchers")
    on_cards = {each.squad for each in cards(state) if each.is_on_table and each.squad}
    return [
        foe.id
        for foe in enemies_of(state, command)
        if is_hidden(state, foe)
        and foe.squad not in on_cards
        and sum(reaches(state, figure(state, man), foe.at) for man in men) >= needed
    ]


def _brings_to_light(state: State, piece: str) -> Ruling[State]:
    now = card(state, piece)
    if now.is_on_table:
        return (yield from turn_up(state, piece, "searched"))
    return (yield from tell(CardPlaced(card=piece, is_on_table=True, is_face_up=True)))


def _goes_off(state: State, piece: str, men: Sequence[str]) -> Ruling[State]:
    """Each of the searchers may set the booby trap off, as if he came near it, until it has gone off or is detected.
    `fireforce mines`"""
    when = f"turn {state.public.player_turn}"
    for man in by_place(state, men):
        if not figure(state, man).is_fit:
            continue
        trap = card(state, piece)
        state, outcome = yield from tested(state, man, trap, f"{man} {when}", secret=False)
        if outcome == "goes off":
            state = yield from springs(state, man, trap, when)
            return (yield from withdraws_from(state, man, trap, (figure(state, man).at,), ""))
        if outcome == "detected":
            return state
    return state


# The order


def check_search(believed: Believed, seat: Seat, order: Search) -> Iterable[Refusal]:
    """Two men or more of one squad, all of them on the card, who do nothing else. `fireforce searching`"""
    yield from repeated(order.figures, "figures")
    wrong = [*not_ours(believed, seat, order.figures, "figures", RULE), *not_fit(believed, order.figures, "figures")]
    if wrong:
        yield from wrong
        return
    men = [figure(believed, each) for each in order.figures]
    if len({(man.command, man.squad) for man in men}) > 1 or any(not man.squad for man in men):
        yield Refusal("Those who search together are of one squad.", RULE, "figures")
    needed = tables_of(believed).number("searchers")
    if len(set(order.figures)) < needed:
        yield Refusal(f"It takes {needed} men to search.", RULE, "figures")
    for man in men:
        if why := why_not(believed, man):
            yield Refusal(f"{name_of(believed, man.id)} {why}.", RULE, "figures")
    if order.card:
        lying = _face_down(believed, seat).get(order.card)
        if lying is None:
            yield Refusal("No such face-down card is in sight.", RULE, "card")
            return
        for man in men:
            if not is_on(believed, man, (lying.at[0], lying.at[1])):
                yield Refusal(f"{name_of(believed, man.id)} does not stand on the card.", RULE, "figures")


def _face_down(believed: Believed, seat: Seat) -> dict[str, Contact]:
    """The enemies' face-down cards that a seat sees, by alias."""
    return {
        alias: each
        for name in seat.commands
        for alias, each in believed.commands[name].contacts.items()
        if each.kind == "card" and each.status == "in_sight" and "card" not in each.looks
    }


def resolve_search(state: State, seat: Seat, order: Search) -> Ruling[State]:
    """Of a card the place counts: a belief has no card behind its alias. `fireforce searching`"""
    if not order.card:
        men = by_place(state, order.figures)
        return (yield from search(state, men, figure(state, men[0]).at)) if men else state
    lying = contact(state, seat.commands, order.card)
    if lying is None or true_id(state, seat.commands, order.card) is None:
        return state
    return (yield from search(state, order.figures, (lying.at[0], lying.at[1])))


def search_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a squad the cards on which enough of its men stand, and the ground."""
    unit = next((each for each in _squads(believed, seat) if each.id == subject), None)
    if unit is None:
        return
    able = [man for man in members_of(believed, unit) if not why_not(believed, man)]
    needed = tables_of(believed).number("searchers")
    for alias, lying in sorted(_face_down(believed, seat).items()):
        there = [man for man in able if is_on(believed, man, (lying.at[0], lying.at[1]))]
        if len(there) >= needed:
            yield _form(believed, unit, there, alias, "Search the card")
    if len(able) >= needed:
        yield _form(believed, unit, able, "", "Search the ground where they stand")


def _form(believed: Believed, unit: Squad, men: Sequence[Figure], alias: str, label: str) -> Form:
    choices = tuple(Choice(id=man.id, label=name_of(believed, man.id), pieces=(man.id,), at=man.at) for man in men)
    needed = tables_of(believed).number("searchers")
    slot = ChoiceSlot(name="figures", label="Who searches", choices=choices, many=True, least=needed, most=len(men))
    return Form(
        verb="Search",
        label=label,
        subject=(unit.id, alias) if alias else (unit.id,),
        fixed={"card": alias},
        slots=(slot,),
        note="They cannot fire; what they find is known at the end of the turn.",
        rule=RULE,
    )


def _squads(believed: Believed, seat: Seat) -> Iterator[Squad]:
    return (
        unit for unit in squads(believed) if unit.command in seat.commands and not has_ended(believed, unit.command)
    )


handles(Search, check=check_search, resolve=resolve_search, options=search_forms, phases=("searching",), rule=RULE)
