"""Opportunity fire at units that move: who may take it, how often, and how they are asked. `core 5.3`, `core 4.1`

Players are asked for what is open; for hidden units standing orders answer, so that waiting gives nobody away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from lnl.board.ground import BUNKER
from lnl.board.hexes import Place
from lnl.happening.rulings import ask, offer
from lnl.orders.dispatch import replies, words
from lnl.rules.fire.fire_combat import Attack, attack, fires_alone, marked, may_fire
from lnl.rules.fire.multiple_attacking_units import shares
from lnl.rules.fire.night_combat import fire_at_night
from lnl.rules.fire.support_weapon_fire import fired_row, most_weapons
from lnl.rules.fire.volley import struck, targets_at
from lnl.rules.hidden.spotting import is_unit_spotted
from lnl.rules.men import snipers
from lnl.state.battle import Believed, State, Unit, place_key
from lnl.state.finding import (
    apart,
    carried,
    has_kind,
    has_unit,
    is_open,
    melee_at,
    present,
    sees,
    side_of,
    standing_of,
    traits_of,
    unit,
    units,
    units_at,
    weapon,
)
from lnl.state.setting import setting_of
from lnl.words.naming import place_words, unit_name
from umpire.kernel.book.points import Steps
from umpire.kernel.events import alias_of
from umpire.kernel.rulings import Bar, Choice, Question, Ruling
from umpire.kernel.values.modifiers import total

RULE = "core 5.3"
WHO = "opportunity_fire"
"""The question which place fires."""
WHAT = "opportunity_firers"
"""The question who of it, with what."""


enemy_may_interrupt: Steps[State, [tuple[str, ...], int]] = Steps("when the enemy may interrupt", rule=RULE)
"""What enemies do while units (by id) move, before they fire: so many points were spent in the place where these are.
Riders may move themselves, `hid 6.7`."""


class Group(Struct, frozen=True, kw_only=True):
    """Units of a side in one place that would fire together, each with the weapons that serve it best: those of all
    `commands` that see each other there. A weapon team or a sniper is a group of its own. `core 5.2`, `core 5.3`"""

    key: str
    commands: tuple[str, ...]
    place: Place
    units: tuple[str, ...]
    weapons: Mapping[str, tuple[str, ...]]
    alone: bool = False


class Taken(Struct, frozen=True):
    """The attacks made on this step: those that count, and the places and groups that they came from."""

    counted: int = 0
    places: tuple[Place, ...] = ()
    groups: tuple[str, ...] = ()


def window(state: State, movers: Sequence[str], points: int, *, is_sheltered: bool = False) -> Ruling[State]:
    """Enemies may fire at units that have spent so many movement points in the place where they are now: one attack for
    each point, and weapon teams stacked with those who have fired beside. Declining costs nothing. Who is driven out of
    the place meanwhile is no target there any more. Snipers who show up do so beside. `core 5.3`, `core 1.6.2`,
    `core 11.4`"""
    side = next((each.side for each in present(state, movers)), "")
    traits = frozenset(word for each in units(state) if each.side != side for word in traits_of(state, each))
    state = yield from enemy_may_interrupt(setting_of(state).active, traits, state, tuple(movers), points)
    taken = Taken()
    at = next((each.at for each in present(state, movers)), None)
    while at is not None and any(each.at == at for each in present(state, movers)):
        movers = tuple(each.id for each in present(state, movers) if each.at == at)
        ready = [each for each in groups(state, movers) if _is_left(state, each, taken, points)]
        waiting = snipers.lying_in_wait(state, side, at)
        by_orders = next((each for each in ready if not _is_asked(state, each)), None)
        if by_orders is not None:
            firing: Group | str | None = by_orders
        elif ready or any(is_open(state, each) for each in waiting):
            state, firing = yield from _offered(state, ready, waiting, movers, at)
        else:
            return state
        if firing is None:
            return state
        if isinstance(firing, str):
            places = snipers.lying_in_wait(state, side, at).get(firing, ())
            if places:
                state = yield from snipers.fires_at_movers(state, firing, places, at)
            continue
        still = {each.key: each for each in groups(state, movers)}
        if firing.key in still:
            state = yield from _fires(state, firing, movers, at, is_sheltered=is_sheltered)
        taken = Taken(
            taken.counted + (0 if _is_beside(state, firing, taken) else 1),
            (*taken.places, firing.place),
            (*taken.groups, firing.key),
        )
    return state


def _is_left(state: State, group: Group, taken: Taken, points: int) -> bool:
    if group.key in taken.groups:
        return False
    return taken.counted < points or _is_beside(state, group, taken)


def _is_beside(state: State, group: Group, taken: Taken) -> bool:
    """Whether a group's fire does not count: a weapon team where others have fired from. `core 5.3`"""
    there = present(state, group.units)
    return group.place in taken.places and all(has_kind(state, each, "weapon_team") for each in there)


# Who may


def groups(state: State, movers: Sequence[str]) -> tuple[Group, ...]:
    """All who may fire at units that move: the nearest first. Not where fire would hit friends or a melee too, in a
    bunker below the movers, and not from the inside of a bunker at who is on top. `core 5.3`, `core 4.1`, `core 5.0`,
    `core 21.1`"""
    there = present(state, movers)
    if not there:
        return ()
    side, at = there[0].side, there[0].at
    by_place: dict[tuple[int, Place, str, str], dict[str, tuple[str, ...]]] = {}
    spotted: dict[str, bool] = {}
    clear: dict[tuple[Place, str], bool] = {}
    for each in units(state):
        if each.side == side or not each.is_placed or each.command not in state.commands:
            continue
        if not each.is_good_order or marked(state, each, at, "opportunity") or not sees(state, each.at, at):
            continue
        if not _decides(state, each, at):
            continue
        if each.command not in spotted:
            spotted[each.command] = any(is_unit_spotted(state, each.command, mover.id) for mover in there)
        if not spotted[each.command] or fire_at_night(state, each.at, at, there)[0] is not None:
            continue
        if (each.at, each.side) not in clear:
            clear[each.at, each.side] = _may_be_hit(state, each, at)
        if not clear[each.at, each.side]:
            continue
        weapons = best_weapons(state, each, at, charges=is_open(state, each.id))
        if weapons is None:
            continue
        alone = each.id if fires_alone(state, each) else ""
        key = (apart(each.at, at), each.at, each.command, alone)
        by_place.setdefault(key, {})[each.id] = weapons
    return tuple(_together(state, by_place))


def _may_be_hit(state: State, each: Unit, at: Place) -> bool:
    """Whether fire of a unit at a place would hit nobody of its own side, and no melee; not out of a bunker at who is
    on top. `core 5.0`, `core 21.1`"""
    if each.at[:2] == at[:2] and each.at[2] == BUNKER:
        return False
    hit = struck(at, each.at)
    return not any(units_at(state, spot, each.side) or melee_at(state, spot) is not None for spot in hit)


def _together(
    state: State, by_place: Mapping[tuple[int, Place, str, str], Mapping[str, tuple[str, ...]]]
) -> Iterator[Group]:
    """Who fires together: all of a side in one place, but commands whose men there are all hidden, which do not know of
    the others, each by itself. `core 5.3` (L170)"""
    joined: dict[tuple[int, Place, str, str], dict[str, Mapping[str, tuple[str, ...]]]] = {}
    for (far, place, command, alone), firing in sorted(by_place.items()):
        whose = side_of(state, command) if any(is_open(state, each) for each in firing) else command
        joined.setdefault((far, place, whose, alone), {})[command] = firing
    for (_, place, whose, alone), of_commands in joined.items():
        weapons = {each: guns for firing in of_commands.values() for each, guns in sorted(firing.items())}
        yield Group(
            key=alone or f"{place_key(place)} {whose}",
            commands=tuple(of_commands),
            place=place,
            units=tuple(weapons),
            weapons=weapons,
            alone=bool(alone),
        )


def _decides(state: State, each: Unit, at: Place) -> bool:
    """Whether a unit comes into question: hidden ones only where their standing orders let them fire."""
    if is_open(state, each.id):
        return True
    given = standing_of(state, each)
    return given.fire == "free" and apart(each.at, at) <= given.within


def best_weapons(state: State, each: Unit, target: Place, *, charges: bool = False) -> tuple[str, ...] | None:
    """The weapons with which a unit brings most firepower to bear in opportunity fire, those kept that are used up, but
    with `charges` of a unit that has nothing else; None where it may not fire at all. `core 1.6.1`, `core 1.6.2`,
    `core 5.3`"""
    lasting = [gun for gun in carried(state, each) if not fired_row(state, weapon(state, gun)).once]
    found = _best_of(state, each, target, lasting)
    return _best_of(state, each, target, carried(state, each)) if found is None and charges else found


def _best_of(state: State, each: Unit, target: Place, held: Sequence[str]) -> tuple[str, ...] | None:
    found: tuple[str, ...] | None = None
    most: int | None = None
    for count in range(most_weapons(state, each) + 1):
        for chosen in combinations(held, count):
            if any(may_fire(state, each, chosen, target, how="opportunity")):
                continue
            made = Attack(command=each.command, place=each.at, units=(each.id,), weapons=chosen, target=target)
            worth = total(shares(state, made).modifiers)
            if most is None or worth > most:
                found, most = chosen, worth
    return found


# Asking


def _is_asked(state: State, group: Group) -> bool:
    return any(is_open(state, each) for each in group.units)


def _offered(
    state: State, ready: Sequence[Group], waiting: Collection[str], movers: Sequence[str], at: Place
) -> Ruling[tuple[State, Group | str | None]]:
    """The offer to all commands that may fire, or whose sniper may show up; the first that takes it: which group, or
    which sniper. `core 5.3`, `core 11.4`"""
    choices: dict[str, list[Choice]] = {}
    for each in ready:
        if _is_asked(state, each):
            for command in each.commands:
                choices.setdefault(command, []).append(_choice(state, each, command, at))
    for piece in waiting:
        sniper = unit(state, piece)
        if not (is_open(state, piece) or sniper.command in choices):
            continue
        label = f"{unit_name(state, sniper)} shows up and fires"
        choices.setdefault(sniper.command, []).append(Choice(id=piece, label=label, pieces=(piece,)))
    questions: dict[str, Question] = {}
    for command, offered in choices.items():
        questions[command] = Question(
            kind=WHO,
            prompt=f"Enemies move in {place_words(state, at)}. Opportunity fire?",
            choices=tuple(offered),
            about=tuple(alias_of(state, command, each.id) or each.id for each in present(state, movers)),
            rule=RULE,
        )
    state, taker, chosen = yield from offer(questions)
    if taker is None or not chosen:
        return state, None
    if chosen[0] in waiting:
        return state, chosen[0]
    group = next(
        (each for each in groups(state, movers) if taker in each.commands and each.key == chosen[0]),
        None,
    )
    return (yield from _who_of_it(state, group, taker, at)) if group is not None else (state, None)


def _of(state: State, group: Group, command: str) -> tuple[str, ...]:
    """The units of a group that one of its commands leads."""
    return tuple(each for each in group.units if unit(state, each).command == command)


def _choice(state: State, group: Group, command: str, at: Place) -> Choice:
    """Who of a command would fire, with what firepower and how far: what it knows of itself."""
    firing = _of(state, group, command)
    names = ", ".join(unit_name(state, unit(state, each)) for each in firing)
    guns = tuple(gun for each in firing for gun in group.weapons[each])
    made = Attack(command=command, place=group.place, units=firing, weapons=guns, target=at)
    far = apart(group.place, at)
    with_what = "".join(f", {fired_row(state, weapon(state, gun)).name}" for gun in guns)
    return Choice(
        id=group.key,
        label=f"{place_words(state, group.place)}: {names}",
        note=f"Firepower {total(shares(state, made).modifiers)}{with_what}, {far} {'hex' if far == 1 else 'hexes'}",
        pieces=tuple(each for each in group.units if each in firing or is_open(state, each)),
        at=group.place,
    )


def _who_of_it(state: State, group: Group, taker: str, at: Place) -> Ruling[tuple[State, Group | None]]:
    """Who of a place fires, and with what: asked where there is anything to choose. Other commands with men there are
    asked whether they join, for all fire at once or not at the same movers. `core 5.3`, `core 1.6.1`"""
    firing: dict[str, tuple[str, ...]] = {}
    for command in (taker, *(other for other in group.commands if other != taker)):
        own = tuple(each for each in _of(state, group, command) if has_unit(state, each))
        if own:
            state, found = yield from _who_of_command(state, group, command, own, at, joins=command != taker)
            firing.update(found)
    if not firing:
        return state, None
    return state, Group(
        key=group.key,
        commands=tuple(dict.fromkeys(unit(state, each.id).command for each in present(state, firing))),
        place=group.place,
        units=tuple(firing),
        weapons=firing,
        alone=group.alone,
    )


def _who_of_command(
    state: State, group: Group, command: str, own: Sequence[str], at: Place, *, joins: bool
) -> Ruling[tuple[State, Mapping[str, tuple[str, ...]]]]:
    owners: dict[str, str] = {}
    for each in own:
        for gun in carried(state, unit(state, each)):
            if not any(may_fire(state, unit(state, each), (gun,), at, how="opportunity")):
                owners[gun] = each
    proposed = _proposed(state, group, own, at)
    if len(group.commands) == 1 and set(proposed) == {*own, *owners} and len(own) == 1:
        return state, {each: group.weapons[each] for each in own}
    where = place_words(state, group.place)
    question = Question(
        kind=WHAT,
        prompt=f"Others of your side fire from {where}. Who joins?" if joins else "Who fires, and with which weapons?",
        choices=(
            *(Choice(id=each, label=unit_name(state, unit(state, each)), pieces=(each,)) for each in own),
            *(
                Choice(id=gun, label=fired_row(state, weapon(state, gun)).name, pieces=(gun, owner))
                for gun, owner in owners.items()
            ),
        ),
        default=proposed,
        least=0 if len(group.commands) > 1 else 1,
        most=len(own) + len(owners),
        rule=RULE,
        bars=tuple(bar for mate in present(state, own) for bar in _bars(state, mate, owners, at)),
    )
    state, answer = yield from ask(command, question)
    firing: dict[str, tuple[str, ...]] = {}
    for mate in present(state, own):
        guns = tuple(gun for gun in answer if owners.get(gun) == mate.id)
        if (mate.id in answer or guns) and not any(may_fire(state, mate, guns, at, how="opportunity")):
            firing[mate.id] = guns
    return state, firing


def _proposed(state: State, group: Group, own: Sequence[str], at: Place) -> tuple[str, ...]:
    """Who fires with what unless his player says otherwise: nobody throws a charge who has nothing else, where others
    can fire."""
    lasting = tuple(each for each in own if best_weapons(state, unit(state, each), at) is not None)
    firing = lasting or tuple(own)
    return (*firing, *(gun for each in firing for gun in group.weapons[each]))


def _bars(state: State, each: Unit, owners: Mapping[str, str], at: Place) -> Iterator[Bar]:
    """What a unit may not fire together, and that it may not fire without a weapon where its own fire does not reach.
    `core 1.6.1`, `core 5.0`"""
    held = [gun for gun, owner in owners.items() if owner == each.id]
    for count in range(len(held) + 1):
        for guns in combinations(held, count):
            refused = next(may_fire(state, each, guns, at, how="opportunity"), None)
            if refused is not None:
                others = tuple(gun for gun in held if gun not in guns)
                yield Bar(choices=guns or (each.id,), reason=refused.reason, without=others)


def _fires(state: State, group: Group, movers: Sequence[str], at: Place, *, is_sheltered: bool) -> Ruling[State]:
    firing = [each for each in present(state, group.units) if each.at == group.place]
    if not firing:
        return state
    made = Attack(
        command=firing[0].command,
        place=group.place,
        units=tuple(each.id for each in firing),
        weapons=tuple(gun for each in firing for gun in group.weapons[each.id]),
        target=at,
        targets=targets_at(state, at, firing[0].side, group.place),
        sheltered=tuple(movers) if is_sheltered else (),
        how="opportunity",
    )
    return (yield from attack(state, made))


words(WHO, answer="Fire", decline="Not now")


@replies(WHO)
def _reply_who(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """Free: the first group of which somebody is free to fire so far; where a sniper shows up his player alone says.
    Hold: nobody. Otherwise the player is asked."""
    about = [unit(believed, each).at for each in question.about if has_unit(believed, each)]
    for choice in question.choices:
        if choice.at is not None and any(_is_free(believed, each, about) for each in choice.pieces):
            return (choice.id,)
    own = (each for choice in question.choices for each in choice.pieces if _is_own(believed, each))
    asks = [standing_of(believed, unit(believed, each)).fire for each in own]
    return None if "ask" in asks else ()


def _is_own(believed: Believed, piece: str) -> bool:
    """Whether a piece is of the command that is asked, not of another one in the same place."""
    return has_unit(believed, piece) and unit(believed, piece).command in believed.commands


def _is_free(believed: Believed, piece: str, about: Sequence[Place]) -> bool:
    if not _is_own(believed, piece):
        return False
    each = unit(believed, piece)
    given = standing_of(believed, each)
    return (
        each.is_placed
        and given.fire == "free"
        and any(apart(each.at, at) <= given.within and best_weapons(believed, each, at) is not None for at in about)
    )


@replies(WHAT)
def _reply_what(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """What is proposed, of those who are free to fire; asked where nobody is. Nobody joins others who is to hold."""
    owner = {choice.id: choice.pieces[-1] for choice in question.choices}
    given = {each: standing_of(believed, unit(believed, each)).fire for each in owner.values()}
    firing = tuple(each for each in question.default if given[owner[each]] == "free")
    return firing or (() if not question.least and "ask" not in given.values() else None)
