"""Medics, and nurses in their stead: in the Rally Phase they heal a wounded man or bring Shaken soldiers round.

`core 11.3`, `core 11.10`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lnl.happening.men import Attempted, Healed, Rallied
from lnl.happening.rulings import tell
from lnl.orders.checks import not_our_units
from lnl.orders.dispatch import handles
from lnl.orders.orders import Heal
from lnl.rules.men import nurses
from lnl.rules.men.morale import check_morale
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import is_known
from lnl.state.finding import has_kind, has_unit, is_single_man, unit, units, units_at
from lnl.words.naming import name_of
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 11.3"
TREATS = ("squad", "half_squad", "crew")
"""The Shaken men whom a medic brings round (L51)."""


def why_not(state: State, medic: Unit) -> str:
    """Why somebody may not tend anybody now, "" where he may: a medic or nurse in Good Order, wounded or not, once in a
    Rally Phase. `core 11.3`, `core 11.10`"""
    if not has_kind(state, medic, "medic", "nurse"):
        return "is no medic"
    if not medic.is_good_order:
        return "is Shaken"
    if nurses.HEALED in medic.attempts:
        return "has tended somebody in this phase"
    return "" if nurses.may_heal(state, medic) else "has rallied somebody in this phase"


def patients(state: State, commands: Sequence[str], medic: Unit) -> Iterator[Unit]:
    """Whom he could help, of those of his side of whom these commands know: in his place the wounded single men,
    himself among them, and Shaken squads; a nurse those of her nation. `core 11.3`, `core 11.10`"""
    for each in units_at(state, medic.at, medic.side):
        if is_known(state, commands, each) and _needs_help(state, each) and nurses.may_treat(state, medic, each):
            yield each


def _needs_help(state: State, each: Unit) -> bool:
    if is_single_man(state, each):
        return each.is_wounded
    return each.is_shaken and has_kind(state, each, *TREATS)


def can_help(state: State, command: str) -> bool:
    """Whether a medic of a command has anybody to tend."""
    return any(
        each.command == command
        and each.is_placed
        and not why_not(state, each)
        and any(True for _ in patients(state, (command,), each))
        for each in units(state)
        if has_kind(state, each, "medic", "nurse")
    )


def check_heal(believed: Believed, seat: Seat, order: Heal) -> Iterable[Refusal]:
    """A medic of one's own and somebody in his place who needs him. It is no rally attempt: who has failed one may be
    helped all the same. `core 11.3`, `core 3.0`"""
    if found := list(not_our_units(believed, seat, (order.medic,), "medic", RULE)):
        return found
    medic = unit(believed, order.medic)
    if why := why_not(believed, medic):
        return [Refusal(f"{name_of(believed, medic.id)} {why}.", RULE, "medic")]
    if order.unit not in [each.id for each in patients(believed, seat.commands, medic)]:
        return [Refusal("Nobody of this name needs him here.", RULE, "unit")]
    return []


def heal(state: State, seat: Seat, order: Heal) -> Ruling[State]:
    """He first passes a morale check, which nothing but cover helps; then the wound is healed, or the soldiers are
    in Good Order. `core 11.3`"""
    state, passed = yield from check_morale(state, order.medic, "heal")
    medic = unit(state, order.medic)
    state = yield from tell(Attempted(unit=medic.id, attempts=(*medic.attempts, nurses.HEALED)))
    if not passed or not has_unit(state, order.unit):
        return state
    if unit(state, order.unit).is_wounded:
        return (yield from tell(Healed(unit=order.unit)))
    return (yield from tell(Rallied(unit=order.unit)))


def heal_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a medic whom he may tend."""
    if subject is None or any(not_our_units(believed, seat, (subject,), "medic", RULE)):
        return
    medic = unit(believed, subject)
    found = [] if why_not(believed, medic) else list(patients(believed, seat.commands, medic))
    if found:
        choices = tuple(Choice(id=each.id, label=name_of(believed, each.id), pieces=(each.id,)) for each in found)
        yield Form(
            verb="Heal",
            label="Tend",
            subject=(subject,),
            fixed={"medic": subject},
            slots=(ChoiceSlot(name="unit", label="Whom", choices=choices),),
            rule=RULE,
            odds=True,
        )


handles(Heal, check=check_heal, resolve=heal, options=heal_forms, phases=("rally",), rule=RULE)
