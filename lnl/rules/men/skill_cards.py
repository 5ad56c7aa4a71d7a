"""Skill cards: the words on them, and the deck that heroes draw from. `core 12.0`

What a card does is a word in its row, which the chapter concerned asks for; a card that its owner plays by an order
registers what it does with `plays`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lnl.book.rows import Kind, SkillRow
from lnl.happening.men import SkillUsed
from lnl.happening.rulings import tell
from lnl.orders.checks import not_our_units
from lnl.orders.dispatch import handles
from lnl.orders.orders import UseSkill
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import is_mine
from lnl.state.finding import has_unit, is_open, unit
from lnl.state.setting import tables_of
from umpire.kernel.forms import Form
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal

RULE = "core 12.0"

Played = Callable[[State, Unit, UseSkill], Ruling[State]]
_played: dict[str, Played] = {}


def plays(word: str) -> Callable[[Played], Played]:
    """Registers what a card with this word does when its owner plays it."""

    def register(function: Played) -> Played:
        if word in _played:
            raise ValueError(f"two functions play {word!r}")
        _played[word] = function
        return function

    return register


def cards_with(state: State, each: Unit, word: str) -> tuple[SkillRow, ...]:
    """The cards of a unit that bear a word."""
    tables = tables_of(state)
    return tuple(row for row in map(tables.skill, each.skills) if word in row.traits)


def has_skill_trait(state: State, each: Unit, word: str) -> bool:
    """Whether a card of a unit bears a word. `core 12.0`"""
    return bool(each.skills) and bool(cards_with(state, each, word))


def skill_modifiers(state: State, each: Unit, word: str) -> tuple[Modifier, ...]:
    """What the cards of a unit that bear a word add. `core 12.0`"""
    if not each.skills:
        return ()
    tables = tables_of(state)
    return tuple(
        Modifier(row.value, row.name, RULE, "house" if tables.is_house("skills", row.key, "value") else "")
        for row in cards_with(state, each, word)
    )


def deck_of(state: State) -> tuple[str, ...]:
    """The deck of skill cards: as all know it, and what hidden men have taken out and given back; in belief one's own
    alone. `core 12.0`"""
    parts = state.commands.values()
    left = sorted((*state.public.deck, *(card for part in parts for card in part.returned)))
    for card in (card for part in parts for card in part.drawn):
        if card in left:
            left.remove(card)
    return tuple(left)


def usable_cards(state: State, kind: Kind) -> tuple[str, ...]:
    """The cards of the deck that this kind of man may own. `core 11.2`"""
    tables = tables_of(state)
    return tuple(key for key in deck_of(state) if kind in tables.skill(key).owners)


def deck_without(deck: tuple[str, ...], card: str) -> tuple[str, ...]:
    """A deck from which one card of this name has been drawn: as all know it, if it is there. `core 12.0`"""
    if card not in deck:
        return deck
    at = deck.index(card)
    return deck[:at] + deck[at + 1 :]


def used(state: State, piece: str, word: str) -> Ruling[State]:
    """A card with this word is used: one that is used up goes back into the deck. `core 12.0`"""
    card = next(iter(cards_with(state, unit(state, piece), word)), None)
    if card is None or not card.once:
        return state
    return (yield from _used_up(state, piece, card.key))


def _used_up(state: State, piece: str, card: str) -> Ruling[State]:
    return (yield from tell(SkillUsed(unit=piece, skill=card, is_hidden=not is_open(state, piece))))


def check_use(believed: Believed, seat: Seat, order: UseSkill) -> Iterable[Refusal]:
    """Whoever owns a card may play it, if it is one that is played. `core 12.0`"""
    if found := list(not_our_units(believed, seat, (order.unit,), "unit", RULE)):
        yield from found
        return
    if order.skill not in unit(believed, order.unit).skills:
        yield Refusal("It does not own that card.", RULE, "skill")
    elif not _ways(believed, order.skill):
        yield Refusal("That card works by itself when its moment comes.", RULE, "skill")


def resolve_use(state: State, seat: Seat, order: UseSkill) -> Ruling[State]:
    """What the card does, then it goes back into the deck if it is used up. `core 12.0`"""
    for word in _ways(state, order.skill):
        if has_unit(state, order.unit):
            state = yield from _played[word](state, unit(state, order.unit), order)
    if has_unit(state, order.unit) and tables_of(state).skill(order.skill).once:
        state = yield from _used_up(state, order.unit, order.skill)
    return state


def use_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """The cards of a unit that are played by an order. `core 12.0`"""
    if subject is None or not has_unit(believed, subject) or not is_mine(seat, unit(believed, subject)):
        return
    for skill in unit(believed, subject).skills:
        if _ways(believed, skill):
            name = tables_of(believed).skill(skill).name
            yield Form(
                verb="UseSkill",
                label=f"Play {name}",
                subject=(subject,),
                fixed={"unit": subject, "skill": skill},
                rule=RULE,
            )


def _ways(state: State, skill: str) -> tuple[str, ...]:
    return tuple(word for word in tables_of(state).skill(skill).traits if word in _played)


def played_words() -> Mapping[str, Played]:
    """The words of cards that are played by an order."""
    return dict(_played)


handles(UseSkill, check=check_use, resolve=resolve_use, options=use_forms, phases=("operations",), rule=RULE)
