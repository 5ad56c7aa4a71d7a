"""Taking stores up, destroying them, dropping them. `fireforce searching`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fireforce.happening.blinds import CardRemoved
from fireforce.happening.rulings import tell
from fireforce.happening.searching import DestructionBegan, StoresDestroyed, StoresTaken
from fireforce.orders.checks import not_fit, not_ours, repeated
from fireforce.orders.dispatch import at as at_moment
from fireforce.orders.dispatch import handles
from fireforce.orders.orders import DestroyStores, DropStores, TakeStores
from fireforce.rules.men.conduct import why_not_busy
from fireforce.rules.turn.victory_points import score
from fireforce.rules.works.stores import DESTROYING, RULE, TAKING, carried_off, drop, less, load_of, was_dropped
from fireforce.state.battle import (
    Believed,
    Card,
    Figure,
    Place,
    Squad,
    State,
    Stores,
)
from fireforce.state.finding import (
    by_place,
    card,
    cards,
    figure,
    figures,
    has_ended,
    members_of,
    side_of,
    squads,
    true_id,
)
from fireforce.state.setting import tables_of
from fireforce.words.naming import name_of
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Contact, Seat
from umpire.kernel.values.modifiers import Refusal


def take(state: State, men: Sequence[str], piece: str) -> Ruling[State]:
    """Each of the men takes up a load, as long as there are any. `fireforce searching`"""
    if not any(one.id == piece for one in cards(state)):
        return state
    at = card(state, piece).at
    for each in by_place(state, men):
        left = card(state, piece).stores
        load = load_of(left)
        man = figure(state, each)
        if load.is_empty or busy(state, man) or not stands_on(state, man, card(state, piece).at):
            continue
        state = yield from tell(
            StoresTaken(
                figure=each,
                card=piece,
                left=less(left, load),
                carrying=load,
                taken_from=card(state, piece).taken_from or f"{at[0]},{at[1]}",
            )
        )
    now = card(state, piece)
    if now.stores.is_empty and was_dropped(state, now):
        state = yield from tell(CardRemoved(card=piece))
    return state


def busy(state: State, man: Figure) -> str:
    """Why a figure has no hands free; "" where it has."""
    if not man.is_fit or man.is_civilian:
        return "cannot carry stores"
    if (why := why_not_busy(state, man)) is not None:
        return why[0]
    if not man.carrying.is_empty:
        return "carries stores already"
    if man.is_pinned:
        return "is pinned"
    return "is busy already" if man.searching or man.destroying else ""


def stands_on(state: State, man: Figure, at: Place) -> bool:
    """Whether a figure stands on stores that lie there."""
    half = tables_of(state).distance("card_side") // 2 + man.radius
    return abs(man.at[0] - at[0]) <= half and abs(man.at[1] - at[1]) <= half


# Destroyed


def cannot_destroy(state: State, man: Figure) -> str:
    """Why a figure may not spend its move destroying stores; "" where it may."""
    if not man.is_fit or man.is_civilian:
        return "cannot destroy stores"
    if (why := why_not_busy(state, man)) is not None:
        return why[0]
    if man.moved or man.distance:
        return "has moved in this turn"
    if man.is_pinned:
        return "is pinned"
    return "is busy already" if man.searching or man.destroying else ""


def destroy(state: State, men: Sequence[str], at: Place) -> Ruling[State]:
    """Figures begin to destroy the stores on which they stand: it takes their whole move. `fireforce searching`"""
    able = tuple(each for each in by_place(state, men) if not cannot_destroy(state, figure(state, each)))
    if len(able) < tables_of(state).number("searchers"):
        return state
    # The place, not the card's id: figures of open commands, and what they are busy with, are for all to see.
    return (yield from tell(DestructionBegan(figures=able, card=f"{at[0]},{at[1]}")))


@at_moment("motivation_movement", "ends", order=10)
def destruction_ends(state: State) -> Ruling[State]:
    """When the move is over the stores are destroyed. `fireforce searching`, `fireforce victory-points`"""
    groups: dict[tuple[str, str], list[str]] = {}
    for man in figures(state):
        if man.destroying and man.is_fit and not man.is_pinned and man.side == state.public.active:
            groups.setdefault((man.command, man.destroying), []).append(man.id)
    for (command, where), men in sorted(groups.items()):
        if len(men) < tables_of(state).number("searchers"):
            continue
        for each in tuple(cards(state)):
            is_there = f"{each.at[0]},{each.at[1]}" == where and each.kind == "cache" and each.is_face_up
            if is_there and not each.stores.is_empty:
                state = yield from _is_destroyed(state, command, men, each)
    return state


def _is_destroyed(state: State, command: str, men: Sequence[str], cache: Card) -> Ruling[State]:
    """A cache scores when all of it is destroyed, be it in several places. Where only heavy food was left of what has
    been carried off it stays a captured cache, until what was carried off is destroyed too."""
    side = side_of(state, command)
    was_carried_off = cache.id in carried_off(state, side)
    state = yield from tell(StoresDestroyed(figures=tuple(men), card=cache.id, left=Stores()))
    gone: Card | None = None if was_carried_off else cache
    if was_dropped(state, cache):
        gone = _nothing_is_left(state, cache.taken_from)
        state = yield from tell(CardRemoved(card=cache.id))
    if gone is None:
        return state
    if (owner := side_of(state, gone.command)) != side:
        state = yield from score(state, side, owner, "cache_destroyed")
    return (yield from tell(CardRemoved(card=gone.id)))


def _nothing_is_left(state: State, place: str) -> Card | None:
    """The cache that lies there if there are no stores of it any more, there or elsewhere."""
    of_it = [each for each in cards(state) if each.taken_from == place and not each.stores.is_empty]
    if of_it or any(man.is_fit and man.taken_from == place and not man.carrying.is_empty for man in figures(state)):
        return None
    lying = [each for each in cards(state) if each.kind == "cache" and not was_dropped(state, each)]
    return next((each for each in lying if f"{each.at[0]},{each.at[1]}" == place and each.stores.is_empty), None)


# The orders


def _caches(believed: Believed, seat: Seat) -> dict[str, Contact]:
    """The enemies' stores that a seat sees, by alias."""
    return {
        alias: each
        for name in seat.commands
        for alias, each in believed.commands[name].contacts.items()
        if each.kind == "card" and each.status == "in_sight" and each.looks.get("card") == "cache"
    }


def _stores_of(cache: Contact) -> Stores:
    looks = cache.looks
    return Stores(arms=int(looks.get("arms", 0)), food=int(looks.get("food", 0)), heavy=int(looks.get("heavy", 0)))


def _named(believed: Believed, seat: Seat, order: TakeStores | DestroyStores) -> Iterator[Refusal]:
    """Refusals for figures and stores that cannot be meant."""
    yield from repeated(order.figures, "figures")
    wrong = [*not_ours(believed, seat, order.figures, "figures", RULE), *not_fit(believed, order.figures, "figures")]
    yield from wrong
    cache = _caches(believed, seat).get(order.card)
    if cache is None:
        yield Refusal("No such stores are in sight.", RULE, "card")
    elif not wrong:
        for each in order.figures:
            if not stands_on(believed, figure(believed, each), (cache.at[0], cache.at[1])):
                yield Refusal(f"{name_of(believed, each)} does not stand on the stores.", RULE, "figures")


def check_take(believed: Believed, seat: Seat, order: TakeStores) -> Iterable[Refusal]:
    """A load for each man with free hands; rice and other heavy food is left. `fireforce searching`"""
    found = list(_named(believed, seat, order))
    yield from found
    if found:
        return
    stores = _stores_of(_caches(believed, seat)[order.card])
    if len(order.figures) > stores.arms + stores.food:
        yield Refusal(f"There are {stores.arms + stores.food} loads that can be carried.", RULE, "figures")
    for each in order.figures:
        if why := busy(believed, figure(believed, each)):
            yield Refusal(f"{name_of(believed, each)} {why}.", _rule(believed, each), "figures")


def resolve_take(state: State, seat: Seat, order: TakeStores) -> Ruling[State]:
    """In a belief there is no card behind the alias: nothing that odds are asked of. `fireforce searching`"""
    piece = true_id(state, seat.commands, order.card)
    if piece is None or not any(each.id == piece for each in cards(state)):
        return state
    return (yield from take(state, order.figures, piece))


def check_destroy(believed: Believed, seat: Seat, order: DestroyStores) -> Iterable[Refusal]:
    """Those who search can destroy: as many men, who do nothing else with their move. `fireforce searching`"""
    found = list(_named(believed, seat, order))
    yield from found
    if found:
        return
    if _stores_of(_caches(believed, seat)[order.card]).is_empty:
        yield Refusal("Nothing is left to destroy.", RULE, "card")
    needed = tables_of(believed).number("searchers")
    if len(order.figures) < needed:
        yield Refusal(f"It takes {needed} men to destroy stores.", RULE, "figures")
    for each in order.figures:
        if why := cannot_destroy(believed, figure(believed, each)):
            yield Refusal(f"{name_of(believed, each)} {why}.", _rule(believed, each), "figures")


def _rule(believed: Believed, piece: str) -> str:
    """The rule that keeps a figure from stores: what it is made to do, or their own."""
    why = why_not_busy(believed, figure(believed, piece))
    return RULE if why is None else why[1]


def resolve_destroy(state: State, seat: Seat, order: DestroyStores) -> Ruling[State]:
    """Of the stores the place counts. `fireforce searching`"""
    for name in seat.commands:
        lying = state.commands[name].contacts.get(order.card)
        if lying is not None and true_id(state, seat.commands, order.card) is not None:
            return (yield from destroy(state, order.figures, (lying.at[0], lying.at[1])))
    return state


def check_drop(believed: Believed, seat: Seat, order: DropStores) -> Iterable[Refusal]:
    """Whoever carries stores may put them down. `fireforce searching`"""
    yield from repeated(order.figures, "figures")
    wrong = [*not_ours(believed, seat, order.figures, "figures", RULE), *not_fit(believed, order.figures, "figures")]
    yield from wrong
    for each in order.figures if not wrong else ():
        if figure(believed, each).carrying.is_empty:
            yield Refusal(f"{name_of(believed, each)} carries no stores.", RULE, "figures")


def resolve_drop(state: State, seat: Seat, order: DropStores) -> Ruling[State]:
    """They lie there. `fireforce searching`"""
    for each in by_place(state, order.figures):
        state = yield from drop(state, each)
    return state


def _squad(believed: Believed, seat: Seat, subject: str | None) -> Squad | None:
    mine = (
        unit for unit in squads(believed) if unit.command in seat.commands and not has_ended(believed, unit.command)
    )
    return next((unit for unit in mine if unit.id == subject), None)


def _form(
    believed: Believed,
    verb: str,
    label: str,
    unit: Squad,
    men: Sequence[Figure],
    least: int,
    most: int,
    alias: str = "",
) -> Form:
    choices = tuple(Choice(id=man.id, label=name_of(believed, man.id), pieces=(man.id,), at=man.at) for man in men)
    slot = ChoiceSlot(name="figures", label="Who", choices=choices, many=True, least=least, most=most)
    return Form(
        verb=verb,
        label=label,
        subject=(unit.id, alias) if alias else (unit.id,),
        fixed={"card": alias} if alias else {},
        slots=(slot,),
        rule=RULE,
    )


def take_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a squad the stores on which its men with free hands stand."""
    unit = _squad(believed, seat, subject)
    for alias, cache in sorted(_caches(believed, seat).items()) if unit is not None else ():
        assert unit is not None
        at, stores = (cache.at[0], cache.at[1]), _stores_of(cache)
        men = [man for man in members_of(believed, unit) if not busy(believed, man) and stands_on(believed, man, at)]
        most = min(len(men), stores.arms + stores.food)
        if most:
            yield _form(believed, "TakeStores", "Take up stores", unit, men, 1, most, alias)


def destroy_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a squad the stores on which enough of its men stand."""
    unit = _squad(believed, seat, subject)
    needed = tables_of(believed).number("searchers")
    for alias, cache in sorted(_caches(believed, seat).items()) if unit is not None else ():
        assert unit is not None
        at = (cache.at[0], cache.at[1])
        men = [
            man
            for man in members_of(believed, unit)
            if not cannot_destroy(believed, man) and stands_on(believed, man, at)
        ]
        if len(men) >= needed and not _stores_of(cache).is_empty:
            yield _form(believed, "DestroyStores", "Destroy the stores", unit, men, needed, len(men), alias)


def drop_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a squad its men who carry stores."""
    unit = _squad(believed, seat, subject)
    men = [man for man in members_of(believed, unit) if not man.carrying.is_empty] if unit is not None else []
    if unit is not None and men:
        yield _form(believed, "DropStores", "Put stores down", unit, men, 1, len(men))


handles(TakeStores, check=check_take, resolve=resolve_take, options=take_forms, phases=TAKING, rule=RULE)
handles(
    DestroyStores, check=check_destroy, resolve=resolve_destroy, options=destroy_forms, phases=DESTROYING, rule=RULE
)
handles(
    DropStores, check=check_drop, resolve=resolve_drop, options=drop_forms, phases=DESTROYING, rule=RULE, role="aside"
)
