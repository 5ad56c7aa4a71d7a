"""Who leads a side in self-play: a plain general, about as good as a club player who thinks of one impulse at a time.

Of all that he is offered he gives the order that is worth most by `lnl.bot.assessment`: he fires where it pays, marches
to what scores by covered ways, falls upon the Shaken, keeps fire for what moves while he holds what he wants, and
passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from lnl.board.hexes import Place
from lnl.bot.assessment import assessed
from lnl.bot.impulses import LEAST, Offered, Operations, place_of
from lnl.orders.checks import active_commands
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.opportunity_fire import WHO, best_weapons
from lnl.rules.fire.volley import targets_at
from lnl.state.battle import Believed, Standing
from lnl.state.finding import apart, has_unit, is_multi_man, unit, units, weapon, weapon_row
from lnl.state.setting import setting_of
from umpire.kernel.forms import ChoiceSlot, Form, NumberSlot, PointSlot, order_of
from umpire.kernel.registry import Wish
from umpire.kernel.rulings import Question
from umpire.kernel.states import Seat

SHOT = 0.1
"""What opportunity fire must be worth."""
ALWAYS = 9.0
"""What is worth more than all that may wait."""
CHARGES = "melee_charges"
"""The question which charges are used up in a melee."""
IN_RALLY = ("RallyAll", "Heal", "PlaceUnit", "Flip", "PickUp", "Combine")
"""What is done in a Rally Phase, in this order."""


class Plain:
    """The plain general. All of it is worked out of a belief anew, order by order: he remembers nothing."""

    def order(self, believed: Believed, seat: Seat, offered: Offered, random: Random) -> Wish | None:
        """What the seat would order now."""
        if believed.public.result is not None:
            return None
        if (standing := _standing(believed, seat, offered)) is not None:
            return standing
        acting = active_commands(believed, seat)
        if not acting:
            return None
        if believed.public.phase == "set_up":
            return Wish(order={"verb": "EndSetUp"})
        if believed.public.phase == "rally":
            return _rally(believed, acting, offered)
        if believed.public.phase != "operations" or not any(each.command in acting for each in units(believed)):
            return None
        return Operations(believed, seat, acting).wish(offered)

    def answer(self, believed: Believed, command: str, question: Question, random: Random) -> tuple[str, ...]:
        """Opportunity fire where the shot is good enough, charges in melee; else what the question proposes."""
        if question.kind == CHARGES:
            return tuple(choice.id for choice in question.choices)[: question.most]
        if question.kind != WHO:
            return question.default
        view = assessed(believed, command)
        movers = [unit(believed, each) for each in question.about if has_unit(believed, each)]
        best, worth = "", SHOT
        for choice in question.choices if movers else ():
            if not all(unit(believed, each).is_placed for each in choice.pieces):
                continue  # a sniper is kept for his own side's impulses
            found = view.fire(_opportunity(believed, command, choice.pieces, movers[0].at))
            if found > worth:
                best, worth = choice.id, found
        return (best,) if best else ()


def _opportunity(believed: Believed, command: str, pieces: Sequence[str], target: Place) -> Attack:
    firing = [unit(believed, each) for each in pieces]
    place = firing[0].at
    return Attack(
        command=command,
        place=place,
        units=tuple(pieces),
        weapons=tuple(gun for each in firing for gun in best_weapons(believed, each, target) or ()),
        target=target,
        targets=targets_at(believed, target, firing[0].side, place),
        how="opportunity",
    )


def _standing(believed: Believed, seat: Seat, offered: Offered) -> Wish | None:
    """In a blind battle nobody is asked: then a command fires at movers by standing orders."""
    if setting_of(believed).options.play != "blind":
        return None
    holding = [name for name in seat.commands if believed.commands[name].standing.get("", Standing()).fire != "free"]
    for form in offered(None) if holding else ():
        if form.verb == "GiveStandingOrders" and form.fixed["standing"]["fire"] == "free":
            if form.fixed["command"] in holding:
                return Wish(order=order_of(form, {}), worth=ALWAYS)
    return None


# The Rally Phase


def _rally(believed: Believed, acting: Sequence[str], offered: Offered) -> Wish:
    own = [each for each in units(believed) if each.command in acting]
    forms = [*offered(None), *(form for each in own for form in offered(each.id))]
    for verb in IN_RALLY:
        for form in forms:
            if form.verb == verb and (values := _in_rally(believed, form)) is not None:
                return Wish(order=order_of(form, values), worth=1.0)
    return Wish(order={"verb": "EndRally"})


def _in_rally(believed: Believed, form: Form) -> dict[str, Any] | None:
    """The values with which an order of the Rally Phase is worth giving, None where it is not."""
    if form.verb == "Heal":
        return {slot.name: slot.choices[0].id for slot in form.slots if isinstance(slot, ChoiceSlot)}
    if form.verb == "PlaceUnit":
        return _place(believed, form)
    if form.verb == "Flip":
        return {} if _is_to_be_flipped(believed, form) else None
    if form.verb == "PickUp":
        return {} if is_multi_man(believed, unit(believed, form.subject[0])) else None
    return {}


def _place(believed: Believed, form: Form) -> dict[str, Any] | None:
    """Where a unit that comes in is nearest to what it is to take, out of fire; None where it is put there already."""
    each = unit(believed, form.subject[0])
    view = assessed(believed, each.command)
    places = [place_of(at) for slot in form.slots if isinstance(slot, PointSlot) for at in slot.places]
    best = min(places, key=lambda at: (view.pull(each, at) + view.exposure(each, (at,), moving=False), at))
    facing = {slot.name: slot.low for slot in form.slots if isinstance(slot, NumberSlot)}
    return None if best == each.at else {"at": list(best), **facing}


def _is_to_be_flipped(believed: Believed, form: Form) -> bool:
    """Whether a tripod is to be set up, where it has something to fire at, or taken down, where it has not and its side
    has somewhere to go."""
    each, gun = unit(believed, form.subject[0]), weapon(believed, form.fixed["weapon"])
    row, view = weapon_row(believed, gun), assessed(believed, each.command)
    near = [at for at in view.foes if apart(each.at, at) <= row.range]
    is_needed = any(row.use == "mortar" or view.hits(row.firepower, each.at, at) > LEAST for at in near)
    return is_needed != gun.is_set_up and (is_needed or not view.defends)


PLAIN = Plain()
