"""The first state of a battle: true ids for the keys of the scenario, figures in their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from fireforce.state.battle import (
    AnyPiece,
    Card,
    CommandPart,
    Figure,
    Place,
    Plan,
    Public,
    Squad,
    State,
    Team,
    UmpirePart,
)
from fireforce.state.setting import Deck, PublicSetting, UmpireSetting, Unit
from umpire.kernel.settings import Setting, remember

Name = Callable[[str], str]

SPACING = 120
"""Between the middles of men of a squad drawn up: well within coherency."""
UNDER_CARD = 50
"""Between the middles of men beneath a card: bases touch, and sixteen find room on its two inches."""


def begin(setting: Setting, name: Name) -> State:
    """The first state; `name` gives a key of the scenario its true id, and is asked once for each.

    In map mode nothing lies on the table: there are no dummies and no cards of troops, other cards are the things
    themselves. `fireforce cards`, `fireforce umpire`
    """
    name = cache(name)
    public: PublicSetting = setting.public
    secret: UmpireSetting = setting.umpire
    digests = remember(setting)
    in_cards = public.options.hidden == "cards"
    units = [*public.units.values(), *secret.units.values()]
    decks = [each for each in secret.cards.values() if in_cards or each.kind not in ("troops", "dummy")]
    card_of = {each.squad: each for each in secret.cards.values() if each.squad}
    pieces: list[AnyPiece] = [_card(each, name, in_cards) for each in decks]
    for unit in units:
        card = card_of.get(unit.key) if in_cards and not unit.arrives else None
        pieces += [_squad(public, unit, name), *_men(public, unit, card, name)]
    # What waits stands with its command, an open one's too.
    seen = {each.id for each in pieces if public.commands[each.command].is_open and _is_seen(each)}
    there = {unit.key for unit in units} | {each.key for each in decks}
    plans = [
        replace(plan, force=name(plan.force), command=plan.command)
        for plan in secret.plans.values()
        if plan.force in there
    ]
    parts = {
        key: CommandPart(
            pieces=_by_id(each for each in pieces if each.command == key and each.id not in seen),
            has_plans_only=key in secret.plans_only,
        )
        for key in sorted(public.commands)
    }
    return State(
        public=Public(
            setting=digests[0],
            hour=public.options.hour,
            weather=public.options.weather,
            wind=public.wind,
            pieces=_by_id(each for each in pieces if each.id in seen),
        ),
        commands=parts,
        umpire=UmpirePart(setting=digests[1], plans=_plans(plans)),
    )


def drawn_up(at: Place, count: int, spacing: int, *, width: int, depth: int) -> tuple[Place, ...]:
    """Places for so many men around a middle, in a block nearly square, moved onto the table where it lies over the
    edge."""
    columns = max(1, next(side for side in range(1, count + 1) if side * side >= count)) if count else 1
    rows = -(-count // columns)
    left = at[0] - (columns - 1) * spacing // 2
    top = at[1] + (rows - 1) * spacing // 2
    left = max(0, min(left, width - (columns - 1) * spacing))
    top = min(depth, max(top, (rows - 1) * spacing))
    return tuple((left + index % columns * spacing, top - index // columns * spacing) for index in range(count))


def _by_chance(places: Sequence[Place], ids: Sequence[str]) -> tuple[Place, ...]:
    """The places in the order of ids, which are random: else a leader, who stands first in the roster, would always
    have the same corner."""
    found = dict(zip(sorted(ids), places, strict=True))
    return tuple(found[each] for each in ids)


def under_card(setting: PublicSetting, at: Place, men: Iterable[str]) -> Mapping[str, Place]:
    """Where men lie beneath a card, by chance: their ids are random."""
    ids = sorted(men)
    table = setting.table
    return dict(zip(ids, drawn_up(at, len(ids), UNDER_CARD, width=table.width, depth=table.depth), strict=True))


def _is_seen(each: AnyPiece) -> bool:
    """Whether all see it of an open command: not its cards, nor what waits off the table."""
    return isinstance(each, Figure | Squad) and not each.is_off


def _by_id(pieces: Iterable[AnyPiece]) -> Mapping[str, AnyPiece]:
    return {piece.id: piece for piece in sorted(pieces, key=lambda piece: piece.id)}


def _plans(plans: Iterable[Plan]) -> Mapping[str, Plan]:
    return {plan.force: plan for plan in sorted(plans, key=lambda plan: plan.force)}


def _men(setting: PublicSetting, unit: Unit, card: Deck | None, name: Name) -> list[Figure]:
    table = setting.table
    at, spacing = (unit.at, SPACING) if card is None else (card.at, UNDER_CARD)
    places = drawn_up(at, len(unit.men), spacing, width=table.width, depth=table.depth)
    if not setting.commands[unit.command].is_open:  # who stands where, the roster does not say
        places = _by_chance(places, [name(man.key) for man in unit.men])
    side = setting.commands[unit.command].side
    # Whoever is not indigenous is off the table in a prepared position only. `fireforce visibility`
    is_kept_on = setting.sides[side].kind == "regular" and not unit.is_prepared
    return [
        Figure(
            id=name(man.key),
            command=unit.command,
            side=side,
            squad=name(unit.key),
            name=man.name,
            role=man.role,
            quality=man.quality or unit.quality,
            weapons=man.weapons,
            at=man.at if man.at is not None and card is None else place,
            motivation_rating=man.rating,
            body_armour=man.body_armour,
            traits=tuple(sorted({*unit.traits, *man.traits})),
            is_placed=unit.is_placed or (is_kept_on and not setting.commands[unit.command].is_open),
            is_prepared=unit.is_prepared,
            is_off=bool(unit.arrives),
        )
        for man, place in zip(unit.men, places, strict=True)
    ]


def _squad(setting: PublicSetting, unit: Unit, name: Name) -> Squad:
    members = tuple(name(man.key) for man in unit.men)
    return Squad(
        id=name(unit.key),
        command=unit.command,
        side=setting.commands[unit.command].side,
        name=unit.name,
        is_off=bool(unit.arrives),
        at=unit.at if unit.arrives else (),
        arrives=unit.arrives,
        zone=unit.zone if unit.arrives else "",
        quality=unit.quality,
        members=members,
        teams={"whole": Team(members=members)},
        is_flakey=unit.is_flakey,
        has_special_motivation=unit.has_special_motivation,
        may_split=unit.may_split,
        may_form_gun_group=unit.may_form_gun_group,
        is_under_platoon_control=unit.is_under_platoon_control,
        traits=unit.traits,
    )


def _card(each: Deck, name: Name, in_cards: bool) -> Card:
    return Card(
        id=name(each.key),
        command=each.command,
        kind=each.kind,
        at=each.at,
        squad=name(each.squad) if each.squad else "",
        stores=each.stores,
        is_on_table=in_cards,
    )
