"""Fire combat: who may fire at what, and an attack on the Direct Fire Table from its declaration to the Damage Checks.

`attack` is the ruling of all of it, for orders, opportunity fire and plans alike. `core 5.0`, `core 5.2`, `core 4.1`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from lnl.board.ground import BUNKER, place_name
from lnl.board.hexes import Place
from lnl.happening.fire import BarragePlaced, Fired
from lnl.happening.rulings import tell
from lnl.happening.weapons import WeaponJammed, WeaponRemoved
from lnl.knowledge.sighting import locations
from lnl.rules.fire.attacks import Attack as Attack
from lnl.rules.fire.damage_checks import check_damage
from lnl.rules.fire.multiple_attacking_units import inherent
from lnl.rules.fire.night_combat import fire_at_night
from lnl.rules.fire.support_weapon_fire import forfeits, weapon_refusals
from lnl.rules.fire.volley import RULE as RULE
from lnl.rules.fire.volley import Volley, at_one, is_sniping, struck, throws, worked_out
from lnl.rules.hidden.spotting import is_spotted, out_of_sight, uncover
from lnl.rules.men.leaders import leadership
from lnl.rules.works.weapon_teams import out_of_arc
from lnl.state.battle import Barrage, State, Unit
from lnl.state.belonging import impulse_of_side, is_of_his_force, mine_at
from lnl.state.finding import (
    apart,
    counter_of,
    has_kind,
    has_unit,
    has_weapon,
    is_leader,
    is_multi_man,
    melee_at,
    perceived_enemies,
    perceives,
    present,
    sees,
    side_of,
    terrain_at,
    traits_of,
    unit,
    units_at,
    weapon,
    weapon_row,
)
from lnl.state.setting import ground_of, setting_of
from lnl.words.naming import unit_name
from umpire.kernel.book.points import Steps, Sum
from umpire.kernel.rulings import Ruling, draw
from umpire.kernel.values.modifiers import Refusal

How = Literal["direct", "opportunity"]
READY = ("", "assault", "stealth")
"""The markers of movement under which a unit fires in its own impulse. `core 6.1`, `core 6.4`"""
READY_FOR_OPPORTUNITY = ("", "assault")
"""Those under which it takes opportunity fire. `core 5.3`, `core 6.1`"""

after_attack: Steps[State, [Attack, int, bool, tuple[str, ...]]] = Steps("after an attack", rule=RULE)
"""What follows when the Damage Checks of an attack are over, with the traits of the firers: its die as it fell, whether
a weapon took part that drives units out of their hex, and the units that it has Shaken. Who is short of ammunition may
run out of it, `hona 13.1.5`."""
what_may_be_fired: Sum[[State, Unit, tuple[str, ...], Place, How]] = Sum("what may be fired", rule=RULE)
"""What else forbids a unit to fire, or to fire these of its weapons (by id), at a place; with its traits and theirs.
Some mortars are not fired out of bunkers, `hona 1.6.4`; riders fire no weapons, `hid 23.1`."""


# The ruling


def attack(state: State, made: Attack, volley: Volley | None = None) -> Ruling[State]:
    """Units fire: they (and the leader who aids) are marked, the dice are thrown against each other, and every target
    whose defence is beaten checks for damage. A sniper hits one of those whom he sees at the target, taken at random
    before the dice. Where nobody is there no die is thrown. `core 5.0`, `core 11.4`

    `volley`: the attack worked out already on the state at hand.
    """
    found = volley or worked_out(state, made)
    if len(found.aims) > 1 and is_sniping(state, made):
        seen = tuple(aim.unit for aim in found.aims if perceives(state, made.command, aim.unit))
        one = (seen or made.targets)[0]
        if len(seen) > 1:
            one = yield from draw(seen, "sniper target", subject=made.units[0], by=made.command, rule="core 11.4")
        found = at_one(found, one)
        made = found.made
    state = yield from tell(Fired(units=made.units, weapons=made.weapons, at=made.target, how=made.how))
    if made.leader and has_unit(state, made.leader) and not unit(state, made.leader).fired:
        state = yield from tell(Fired(units=(made.leader,), at=made.target, how="aid"))
    state = yield from uncover(state)
    if found.aims:
        state = yield from resolved(state, found, "")
    for each in made.weapons:
        if has_weapon(state, each) and weapon_row(state, weapon(state, each)).once:
            state = yield from tell(WeaponRemoved(weapon=each))
    state = yield from _keeps_falling(state, made)
    return (yield from uncover(state))


def resolved(state: State, volley: Volley, kind: str) -> Ruling[State]:
    """The dice of an attack that is worked out, and what they do. `kind` stands before the names of the rolls.
    `core 5.0`"""
    made = volley.made
    words = frozenset(word for each in present(state, made.units) for word in traits_of(state, each))
    before = {each.id for each in present(state, made.targets) if each.is_good_order}
    state, natural, defence = yield from throws(state, volley, kind, place_name(ground_of(state), made.place))
    jam = volley.jam(natural, defence)
    if jam is not None and has_weapon(state, jam[0]):
        state = yield from tell(WeaponJammed(weapon=jam[0]))
    differences = {aim.unit: volley.difference(aim, natural, defence) for aim in volley.aims}
    drives_out = volley.shares.has_flamethrower
    apart = made.how != "opportunity" and not drives_out
    state = yield from check_damage(state, differences, by=made.command, apart=apart)
    shaken = tuple(each.id for each in present(state, made.targets) if each.id in before and each.is_shaken)
    return (yield from after_attack(setting_of(state).active, words, state, made, natural, drives_out, shaken))


def _keeps_falling(state: State, made: Attack) -> Ruling[State]:
    """The fire of a mortar team stays in the target hex; that of a light mortar does not. `core 18.1`, `core 1.6.22`"""
    for each in present(state, made.units):
        row = counter_of(state, each)
        if row.use == "mortar":
            column, line, _ = made.target
            barrage = Barrage(at=(column, line), firepower=row.firepower, by=made.command)
            state = yield from tell(BarragePlaced(barrage=barrage))
    return state


# Who may fire at what


def may_fire(
    state: State,
    each: Unit,
    weapons: Sequence[str],
    target: Place,
    *,
    how: How = "direct",
    holding: bool = False,
) -> Iterator[Refusal]:
    """Why a unit may not fire (or fire these weapons of its) at a place, as far as it itself is concerned: its order,
    markers, weapons, range and arc. `core 5.0`, `core 5.1`, `core 4.1`, `core 1.6.1`"""
    if not each.is_good_order:
        yield Refusal(f"{unit_name(state, each)} is Shaken.", "core 5.1", "units")
        return
    if melee_at(state, each.at) is not None:
        yield Refusal(f"{unit_name(state, each)} is locked in melee.", "core 8.1", "units")
        return
    if why := marked(state, each, target, how):
        yield Refusal(f"{unit_name(state, each)} {why}", "core 4.1" if how == "direct" else "core 5.3", "units")
        return
    guns = [weapon(state, held) for held in weapons if has_weapon(state, held)]
    yield from weapon_refusals(state, each, guns, target, opportunity=how == "opportunity")
    if not guns or not (holding or forfeits(state, each, len(guns))):
        yield from _own_firepower(state, each, target, how, armed=bool(guns))
    if why := out_of_arc(state, each, target):
        yield Refusal(f"{unit_name(state, each)} {why}", "core 1.6.3" if each.at[2] != BUNKER else "core 21.1", "units")
    words = (*traits_of(state, each), *(word for gun in guns for word in weapon_row(state, gun).traits))
    active = setting_of(state).active
    yield from what_may_be_fired(active, words, state, each, tuple(weapons), target, how).refusals


def _own_firepower(state: State, each: Unit, target: Place, how: How, *, armed: bool) -> Iterator[Refusal]:
    """Why a unit without another weapon has nothing to fire at this range."""
    row = counter_of(state, each)
    if row.use == "mortar" and how == "opportunity":
        yield Refusal(f"{unit_name(state, each)} takes no opportunity fire.", "core 18.1", "units")
    elif row.use == "mortar" and terrain_at(state, each.at).bars_mortars:
        yield Refusal(f"{unit_name(state, each)} cannot be fired from here.", "core 18.1", "units")
    elif not armed and inherent(state, each, apart(each.at, target)) is None:
        if is_multi_man(state, each) or row.firepower:
            yield Refusal(f"{unit_name(state, each)} does not reach that far, or fires no closer.", RULE, "units")
        else:
            yield Refusal(f"{unit_name(state, each)} has nothing to fire.", "core 11.1", "units")


def marked(state: State, each: Unit, target: Place, how: How) -> str:
    """Why its markers keep a unit from firing at a place, "" if they do not. `core 4.1`, `core 5.3`, `core 6.1`

    Who is Ops Complete fires in his own impulse only at a hex that somebody of his place has spotted in it; in
    opportunity fire only MMCs do."""
    if each.fired:
        return "has fired this turn."
    if each.moved not in (READY if how == "direct" else READY_FOR_OPPORTUNITY):
        return "has moved this turn."
    if each.ops_complete:
        if how == "opportunity":
            return "" if is_multi_man(state, each) else "has completed its operations this turn."
        if not has_just_spotted(state, each.command, each.at, target):
            return "has completed its operations this turn."
    return ""


def has_just_spotted(state: State, command: str, place: Place, target: Place, who: str = "") -> bool:
    """Whether one of a place (or this one) has spotted a target in this impulse. `core 4.1`"""
    impulse = impulse_of_side(state, command)
    spotters = impulse.spotted if impulse is not None else ()
    return any(
        target in locations(at)
        and has_unit(state, piece)
        and unit(state, piece).at == place
        and piece == (who or piece)
        for piece, at in spotters
    )


def target_refusals(state: State, command: str, place: Place, target: Place) -> Iterator[Refusal]:
    """Why nobody of a command may fire from one place at another: own troops or a melee where it hits, nobody known
    there, no line of sight, not spotted, too dark. `core 5.0`, `core 10.1`, `core 20.0`, `core 21.1`"""
    side = side_of(state, command)
    hit = struck(target, place)
    if target == place:
        yield Refusal("They are there themselves.", RULE, "target")
    elif any(melee_at(state, at) is not None for at in hit):
        yield Refusal("A melee goes on there.", RULE, "target")
    elif any(units_at(state, at, side) for at in hit):
        yield Refusal("Troops of yours are there.", RULE, "target")
    elif place[2] == BUNKER and place[:2] == target[:2]:
        yield Refusal("From the inside of a bunker nobody fires at who is on top.", "core 21.1", "target")
    elif not sees(state, place, target):
        yield out_of_sight(state, place, target)
    else:
        there = [each for each in perceived_enemies(state, command) if each.at == target]
        dark, _ = fire_at_night(state, place, target, there)
        if dark is not None:
            yield dark
        elif not is_spotted(state, command, target):
            yield Refusal("It is not spotted.", "core 10.1", "target")
        elif not there:
            yield Refusal("No enemy is seen there.", RULE, "target")


# Leaders


def aiding_leaders(
    state: State, commands: Sequence[str], place: Place, firing: Sequence[str], target: Place
) -> tuple[Unit, ...]:
    """The leaders of these commands who may aid this fire, the best first: in Good Order, with all who fire of their
    force, without a Move, Low Crawl, Fired or Ops Complete marker, not firing themselves; only one of a place in an
    impulse. `core 5.01`, `core 11.1`, `core 11.11`"""
    firers = present(state, firing)
    impulse = impulse_of_side(state, firers[0].command) if firers else None
    aids = impulse.aids if impulse is not None else ()
    found = [
        each
        for each in mine_at(state, commands, place)
        if is_leader(state, each)
        and each.is_good_order
        and each.id not in firing
        and all(is_of_his_force(state, each, one) for one in firers)
        and leadership(state, each) > 0
        and _is_free(state, each, target, aids)
    ]
    led = [each for each in found if each.id in aids]
    busy = any(has_unit(state, piece) and unit(state, piece).at == place for piece in aids)
    among = led if busy else found
    return tuple(sorted(among, key=lambda each: (-leadership(state, each), each.id)))


def _is_free(state: State, each: Unit, target: Place, aids: Sequence[str]) -> bool:
    if each.id in aids:
        return True
    if each.fired or each.has_called or each.moved not in READY:
        return False
    return not each.ops_complete or has_just_spotted(state, each.command, each.at, target, each.id)


def fires_alone(state: State, each: Unit) -> bool:
    """Whether a unit always fires by itself: weapon teams and snipers. `core 5.2`, `core 11.4`"""
    return has_kind(state, each, "weapon_team", "sniper")


def has_fired(state: State, command: str, place: Place, firing: Sequence[Unit]) -> Iterator[Refusal]:
    """All that fire from a place in an impulse fire together. `core 4.0`"""
    impulse = impulse_of_side(state, command)
    if impulse is None or all(fires_alone(state, each) for each in firing):
        return
    if any(origin == place for origin, _ in impulse.fired_from):
        yield Refusal("Those who fire from a place in an impulse fire together.", "core 4.0", "units")
