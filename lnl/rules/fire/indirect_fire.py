"""Indirect fire of mortars: who calls it, how it is thrown, what stays in the target hex. `core 18.1`, `core 1.6.22`

A mortar team fires at a hex that a leader, advisor or scout sees; its fire stays there and attacks whoever enters. The
light mortar of a squad fires at a spotted hex that a friend next to its crew sees, and leaves nothing. Both throw two
dice and take the higher one; leadership and degrading terrain do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lnl.board.ground import BUNKER
from lnl.board.hexes import Hex, Place, distance
from lnl.happening.fire import BarragePlaced, Called, Fired, OpsCompleted, StarShellPlaced
from lnl.happening.rulings import tell
from lnl.knowledge.sighting import is_night
from lnl.orders.checks import not_our_units, off_map
from lnl.orders.dispatch import handles
from lnl.orders.orders import FireMortar
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.fire_combat import has_fired, has_just_spotted, resolved
from lnl.rules.fire.night_combat import may_see_at_night
from lnl.rules.fire.support_weapon_fire import fired_row, weapon_refusals
from lnl.rules.fire.volley import Dice, barrage_volley, worked_out
from lnl.rules.hidden.spotting import is_spotted, uncover
from lnl.rules.turn.operations_phase import acted, acts, another_has_it, began, may_act
from lnl.state.battle import Barrage, Believed, State, Unit
from lnl.state.belonging import is_mine
from lnl.state.finding import (
    apart,
    carried,
    counter_of,
    has_kind,
    has_unit,
    has_weapon,
    melee_at,
    perceived_enemies,
    present,
    scouts,
    sees,
    terrain_at,
    unit,
    units,
    units_in_hex,
    weapon,
)
from lnl.state.setting import ground_of, tables_of
from lnl.words.naming import place_words, unit_name
from umpire.kernel.forms import ChoiceSlot, Form, PointSlot
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal

RULE = "core 18.1"
LIGHT = "core 1.6.22"
STAR_SHELLS = "core 20.1"
CALLERS = ("leader", "commissar", "advisor")
"""Who calls the fire of mortar teams beside scouts. `core 18.1`, `core 11.7`, `core 11.9`"""
NEVER_DIRECT = ("medic", "chaplain", "nurse", "weapon_team")
"""Who does not direct a light mortar's fire. `core 1.6.22`, `core 11.10`"""


# Barrages


def barrage_hits(state: State, movers: Sequence[str], at: Hex, *, is_sheltered: bool = False) -> Ruling[State]:
    """Units have entered a hex in which fire for effect lies: each barrage attacks them, a mortar's with the higher of
    two dice and in its own hex only. `is_sheltered`: from trench to trench. `core 18.1`, `core 21.6`"""
    for barrage in state.public.barrages:
        targets = present(state, movers)
        if not targets or distance(barrage.at, at) > barrage.radius:
            continue
        place = targets[0].at
        made = Attack(
            command=barrage.by,
            place=place,
            units=(),
            target=place,
            targets=tuple(each.id for each in targets),
            sheltered=tuple(movers) if is_sheltered else (),
            how="indirect",
        )
        firepower = Modifier(barrage.firepower, "fire for effect", RULE)
        dice: Dice = "1d6" if barrage.radius else "higher"
        state = yield from resolved(state, barrage_volley(state, made, firepower, dice=dice), "mortar ")
    return state


# Callers


def callers(
    state: State, commands: Sequence[str], crew: Unit, target: Place, *, light: bool, star_shell: bool
) -> tuple[Unit, ...]:
    """Who of these commands may call this fire: they see the target, and have nothing else done this turn but to spot
    it. `core 18.1`, `core 1.6.22`"""
    return tuple(
        each
        for each in units(state)
        if each.command in commands
        and each.is_placed
        and not why_not_call(state, each, crew, target, light=light, star_shell=star_shell)
    )


def why_not_call(state: State, each: Unit, crew: Unit, target: Place, *, light: bool, star_shell: bool) -> str:
    """Why somebody may not call fire at a place, "" if he may."""
    if why := _why_no_caller(state, each, crew, light=light):
        return why
    if each.ops_complete and not has_just_spotted(state, each.command, each.at, target, each.id):
        return "has completed its operations this turn."
    if not sees(state, each.at, target) or not (star_shell or may_see_at_night(state, each.at, target)):
        return "does not see the target."
    return ""


def _why_no_caller(state: State, each: Unit, crew: Unit, *, light: bool) -> str:
    """Why somebody may not call this mortar's fire at any place, "" if he may."""
    if not each.is_good_order or melee_at(state, each.at) is not None:
        return "is in no order to call fire."
    if light:
        if each.id == crew.id or has_kind(state, each, *NEVER_DIRECT):
            return "does not direct that mortar."
        if apart(each.at, crew.at) > tables_of(state).number("mortar_caller_range"):
            return "is not adjacent to its crew."
    elif not (has_kind(state, each, *CALLERS) or scouts(state, each)):
        return "does not call mortar fire."
    if each.moved or each.fired or each.has_called:
        return "has moved, fired or called fire this turn."
    return ""


# The order


def _crew(state: State, mortar: str) -> Unit | None:
    """Who mans the mortar that an order names: the team itself, or the owner of a light one."""
    if has_unit(state, mortar):
        each = unit(state, mortar)
        return each if counter_of(state, each).use == "mortar" else None
    if has_weapon(state, mortar):
        gun = weapon(state, mortar)
        if fired_row(state, gun).use == "mortar" and gun.owner and has_unit(state, gun.owner):
            return unit(state, gun.owner)
    return None


def check_mortar(believed: Believed, seat: Seat, order: FireMortar) -> Iterator[Refusal]:
    """A mortar in Good Order hands, not in a wood or building, within its range; a caller who sees the target; for an
    attack no troops of one's own there. `core 18.1`, `core 1.6.22`, `core 20.1`"""
    crew = _crew(believed, order.mortar)
    if crew is None or not is_mine(seat, crew):
        yield Refusal("There is no such mortar of yours.", RULE, "mortar")
        return
    wrong = [
        *off_map(believed, (order.target,), "target", RULE),
        *may_act(believed, seat, (crew.id,), firing=True),
        *not_our_units(believed, seat, (order.caller,), "caller", RULE),
    ]
    if wrong:
        yield from wrong
        return
    light = order.mortar != crew.id
    rule = LIGHT if light else RULE
    yield from _mortar_refusals(believed, crew, order, light)
    caller = unit(believed, order.caller)
    if why := why_not_call(believed, caller, crew, order.target, light=light, star_shell=order.star_shell):
        yield Refusal(f"{unit_name(believed, caller)} {why}", rule, "caller")
    if order.star_shell:
        if light or not is_night(believed):
            yield Refusal("Mortar teams fire star shells, by night.", STAR_SHELLS, "star_shell")
    elif why := _no_target(believed, crew, order.target, light=light):
        yield Refusal(why, LIGHT if light else "core 5.0", "target")


def _no_target(state: State, crew: Unit, target: Place, *, light: bool) -> str:
    """Why a place may not be attacked by a mortar, "" if it may; any may be lit. A light mortar's fire, which does not
    stay, is for enemies who are seen in a spotted hex. `core 5.0`, `core 18.1`, `core 1.6.22`"""
    if units_in_hex(state, (target[0], target[1]), crew.side):
        return "Troops of yours are there."
    if any(melee_at(state, at) is not None for at in places_in(state, target)):
        return "A melee goes on there."
    if light and not is_spotted(state, crew.command, target):
        return "It is not spotted."
    if light and not any(enemy.at[:2] == target[:2] for enemy in perceived_enemies(state, crew.command)):
        return "No enemy is seen there."
    return ""


def places_in(state: State, target: Place) -> tuple[Place, ...]:
    """All places of a hex, which mortars hit together (L76)."""
    at: Hex = (target[0], target[1])
    return tuple((*at, level) for level in (BUNKER, *ground_of(state).levels(at)))


def _mortar_refusals(state: State, crew: Unit, order: FireMortar, light: bool) -> Iterator[Refusal]:
    if not crew.is_good_order:
        yield Refusal("The mortar is in the hands of Shaken men.", "core 5.1", "mortar")
    elif crew.moved or crew.ops_complete:
        yield Refusal("The mortar's crew has acted this turn.", "core 4.1", "mortar")
    if light:
        yield from has_fired(state, crew.command, crew.at, (crew,))
        gun = weapon(state, order.mortar)
        yield from weapon_refusals(state, crew, (gun,), order.target, opportunity=False)
        return
    if terrain_at(state, crew.at).bars_mortars:
        yield Refusal("Mortars are not fired from here.", RULE, "mortar")
    if why := _out_of_range(state, crew, order.target):
        yield Refusal(why, RULE, "target")


def _out_of_range(state: State, crew: Unit, target: Place) -> str:
    row, away = counter_of(state, crew), apart(crew.at, target)
    if away > row.range:
        return f"It reaches {row.range} hexes, the target is {away} away."
    return f"It fires no closer than {row.minimum_range} hexes." if away < row.minimum_range else ""


def _declared(crew: Unit, order: FireMortar, targets: tuple[str, ...]) -> Attack:
    """The attack that an order stands for: of a light mortar alone, its crew's own firepower stays out."""
    light = order.mortar != crew.id
    return Attack(
        command=crew.command,
        place=crew.at,
        units=(crew.id,),
        weapons=(order.mortar,) if light else (),
        holding=(crew.id,) if light else (),
        target=order.target,
        targets=targets,
        how="indirect",
    )


def resolve_mortar(state: State, seat: Seat, order: FireMortar) -> Ruling[State]:
    """The caller is Ops Complete, the mortar fires: a star shell, or an attack on all in the hex whose fire stays there
    (a light mortar's does not). Troops of one's own there of whom the giver did not know stay it. `core 18.1`,
    `core 1.6.22`, `core 20.1`"""
    crew = _crew(state, order.mortar)
    if crew is None or another_has_it(state, seat, crew.command):
        return state
    at: Hex = (order.target[0], order.target[1])
    if units_in_hex(state, at, crew.side) and not order.star_shell:
        return state
    light = order.mortar != crew.id
    targets = tuple(each.id for each in units_in_hex(state, at) if each.side != crew.side)
    made = _declared(crew, order, targets)
    volley = worked_out(state, made)
    state = yield from began(state, seat, (crew.at,), crew.command)
    state = yield from tell(Called(unit=order.caller))
    if not unit(state, order.caller).ops_complete:
        state = yield from tell(OpsCompleted(units=(order.caller,), why="calling fire"))
    state = yield from tell(Fired(units=made.units, weapons=made.weapons, at=order.target, how="indirect"))
    state = yield from uncover(state)
    if order.star_shell:
        state = yield from tell(StarShellPlaced(at=at))
    else:
        if volley.aims:
            state = yield from resolved(state, volley, "mortar ")
        if not light:
            barrage = Barrage(at=at, firepower=counter_of(state, crew).firepower, by=crew.command)
            state = yield from tell(BarragePlaced(barrage=barrage))
    noted = {"fired_from": (made.place, made.target)} if light else {}
    state = yield from acted(state, crew.command, (crew.id,), **noted)
    return (yield from uncover(state))


def preview_mortar(believed: Believed, seat: Seat, order: FireMortar) -> Preview:
    """The firepower with its working. `core 18.1`"""
    refusals = tuple(check_mortar(believed, seat, order))
    crew = _crew(believed, order.mortar)
    if refusals or crew is None:
        return Preview(refusals=refusals)
    if order.star_shell:
        return Preview(cost="a star shell, no die")
    known = perceived_enemies(believed, crew.command)
    made = _declared(crew, order, tuple(each.id for each in known if each.at[:2] == order.target[:2]))
    volley = worked_out(believed, made)
    return Preview(
        cost=f"{sum(each.value for each in volley.attack)} + the higher of 2d6",
        modifiers=(*volley.attack, *(each for aim in volley.aims[:1] for each in (*aim.extra, *aim.defence))),
    )


# Forms


def mortar_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a mortar team, by who may call its fire, all places at which it may be called, and by night all that it may
    light up; for who mans a light mortar the known enemies at whom somebody may direct it. `core 18.1`, `core 20.1`,
    `core 1.6.22`"""
    if subject is None or not has_unit(believed, subject):
        return
    each = unit(believed, subject)
    mortars = [mortar for mortar in (subject, *carried(believed, each)) if _crew(believed, mortar) is not None]
    if not mortars or not is_mine(seat, each) or not acts(believed, seat, subject, firing=True):
        return
    for mortar in mortars:
        if mortar == subject:
            yield from _team_forms(believed, seat, each)
            continue
        for target in sorted({enemy.at for enemy in perceived_enemies(believed, each.command)}):
            yield from _light_forms(believed, seat, each, mortar, target)


def _light_forms(believed: Believed, seat: Seat, crew: Unit, mortar: str, target: Place) -> Iterator[Form]:
    able = [
        caller
        for caller in callers(believed, seat.commands, crew, target, light=True, star_shell=False)
        if not any(check_mortar(believed, seat, FireMortar(mortar=mortar, target=target, caller=caller.id)))
    ]
    if able:
        choices = tuple(
            Choice(id=each.id, label=unit_name(believed, each), pieces=(each.id,), at=each.at) for each in able
        )
        yield Form(
            verb="FireMortar",
            label=f"Mortar fire on {place_words(believed, target)}",
            subject=(crew.id,),
            fixed={"mortar": mortar, "target": list(target)},
            slots=(ChoiceSlot(name="caller", label="Who calls it", choices=choices),),
            rule=LIGHT,
            odds=True,
        )


def _team_forms(believed: Believed, seat: Seat, crew: Unit) -> Iterator[Form]:
    if not crew.is_good_order or crew.moved or crew.ops_complete or terrain_at(believed, crew.at).bars_mortars:
        return
    in_range = [at for at in ground_of(believed).places() if not _out_of_range(believed, crew, at)]
    targets = {False: [at for at in in_range if not _no_target(believed, crew, at, light=False)]}
    if is_night(believed):
        targets[True] = in_range
    for caller in units(believed):
        if not is_mine(seat, caller) or any(not_our_units(believed, seat, (caller.id,), "caller")):
            continue
        if _why_no_caller(believed, caller, crew, light=False):
            continue
        for star_shell, among in targets.items():
            able = tuple(
                at for at in among if not why_not_call(believed, caller, crew, at, light=False, star_shell=star_shell)
            )
            if able:
                what = "Star shell" if star_shell else "Mortar fire"
                fixed = {"mortar": crew.id, "caller": caller.id}
                yield Form(
                    verb="FireMortar",
                    label=f"{what}, called by {unit_name(believed, caller)}",
                    subject=(crew.id,),
                    fixed={**fixed, "star_shell": True} if star_shell else fixed,
                    slots=(PointSlot(name="target", label="Where", places=able),),
                    rule=STAR_SHELLS if star_shell else RULE,
                    odds=not star_shell,
                )


handles(
    FireMortar,
    check=check_mortar,
    resolve=resolve_mortar,
    options=mortar_forms,
    phases=("operations",),
    rule=RULE,
    preview=preview_mortar,
)
