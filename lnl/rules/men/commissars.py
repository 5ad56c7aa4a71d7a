"""Commissars: leaders for all purposes, and "Fight or Die". `core 11.9`"""

from __future__ import annotations

from collections.abc import Iterable

from lnl.happening.men import Attempted, Rallied
from lnl.happening.rulings import fallen, tell
from lnl.orders.checks import not_our_units
from lnl.orders.dispatch import handles
from lnl.orders.orders import FightOrDie
from lnl.rules.fire.damage_checks import eliminate, suffer
from lnl.rules.men.leaders import LED, OUTLIVED, another_has_led
from lnl.rules.men.morale import morale_of
from lnl.rules.turn.rally_phase import (
    TRIED,
    further_decisions,
    has_leadership,
    may_be_rallied_by,
    modifiers_of,
    replace_sign,
)
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import is_known
from lnl.state.finding import has_kind, has_unit, is_multi_man, traits_of, unit, units, units_at
from lnl.state.setting import setting_of, tables_of
from lnl.words.naming import name_of
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.rulings import Choice, Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal, total

RULE = "core 11.9"
SECOND = "second"
"""Among a unit's attempts: a commissar has made it try a second time."""
KILLED = 12
"""The dice at which the commissar himself is killed. `core 11.9`"""


def may_be_made(state: State, commissar: Unit, each: Unit) -> str:
    """Why a commissar may not make a unit try again, "" where he may: it stands with him and is one that he may rally,
    has failed to rally in this phase, and has not tried a second time. `core 11.9`, `core 3.0`"""
    if not has_kind(state, commissar, "commissar") or not commissar.is_good_order:
        return "He is no commissar in Good Order."
    if each.id == commissar.id or each.at != commissar.at or each.side != commissar.side or not each.is_shaken:
        return "He can do so with Shaken units beside him."
    if not may_be_rallied_by(setting_of(state).active, traits_of(state, each), state, each, commissar):
        return "He does not rally such troops."
    if TRIED not in each.attempts:
        return "It has not failed to rally in this phase."
    if SECOND in each.attempts:
        return "It has tried a second time already."
    return "Another leader has rallied somebody here in this phase." if another_has_led(state, commissar) else ""


def check_fight_or_die(believed: Believed, seat: Seat, order: FightOrDie) -> Iterable[Refusal]:
    """A commissar of one's own, and one's own unit that has failed. `core 11.9`"""
    if found := list(not_our_units(believed, seat, (order.commissar,), "commissar", RULE)):
        return found
    if not _may_be_named(believed, seat, order.unit):
        return [Refusal(f"There is no piece {order.unit!r} of your side.", RULE, "unit")]
    why = may_be_made(believed, unit(believed, order.commissar), unit(believed, order.unit))
    return [Refusal(why, RULE, "unit")] if why else []


def _may_be_named(state: State, seat: Seat, piece: str) -> bool:
    return has_unit(state, piece) and is_known(state, seat.commands, unit(state, piece))


def fight_or_die(state: State, seat: Seat, order: FightOrDie) -> Ruling[State]:
    """A second attempt with one more morale: those who fail take casualties, and at a natural twelve the commissar is
    killed. `core 11.9`"""
    each, commissar = unit(state, order.unit), unit(state, order.commissar)
    level, changed = morale_of(state, each)
    more = Modifier(-tables_of(state).number("fight_or_die_morale"), "Fight or Die", RULE)
    modifiers = (*modifiers_of(state, each, commissar), more)
    needed = level - total(modifiers)
    bands = [
        (2, min(KILLED - 1, needed), "rallied"),
        (max(2, needed + 1), KILLED - 1, "failed"),
        (KILLED, KILLED, "rallied, commissar killed" if needed >= KILLED else "failed, commissar killed"),
    ]
    made = yield from roll(
        "2d6",
        "fight or die",
        subject=each.id,
        by=each.command,
        bands=[band for band in bands if band[0] <= band[1]],
        modifiers=(*modifiers, *(replace_sign(change) for change in changed)),
        rule=RULE,
    )
    state = fallen(made, state)
    each = unit(state, order.unit)
    state = yield from tell(Attempted(unit=each.id, attempts=(*each.attempts, SECOND)))
    commissar = unit(state, order.commissar)
    state = yield from tell(Attempted(unit=commissar.id, attempts=(*commissar.attempts, LED)))
    if made.result.startswith("rallied"):
        state = yield from tell(Rallied(unit=each.id))
    else:
        damage = "casualties" if is_multi_man(state, each) else "wounded"
        state = yield from suffer(state, each.id, damage)
    if made.result.endswith("killed") and has_unit(state, order.commissar):
        for other in units_at(state, commissar.at, commissar.side):
            if other.id != commissar.id and has_leadership(state, other):
                state = yield from tell(Attempted(unit=other.id, attempts=(*other.attempts, OUTLIVED)))
        state = yield from eliminate(state, order.commissar)
    return state


def fight_or_die_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a commissar those whom he may make try again."""
    if (
        subject is None
        or not has_unit(believed, subject)
        or not has_kind(believed, unit(believed, subject), "commissar")
    ):
        return
    commissar = unit(believed, subject)
    found = [
        each
        for each in units_at(believed, commissar.at, commissar.side)
        if not any(check_fight_or_die(believed, seat, FightOrDie(commissar=subject, unit=each.id)))
    ]
    if found:
        choices = tuple(Choice(id=each.id, label=name_of(believed, each.id), pieces=(each.id,)) for each in found)
        yield Form(
            verb="FightOrDie",
            label="Fight or Die!",
            subject=(subject,),
            fixed={"commissar": subject},
            slots=(ChoiceSlot(name="unit", label="Who tries again", choices=choices),),
            rule=RULE,
            odds=True,
        )


def has_decisions(state: State, command: str) -> bool:
    """Whether a commissar of a command may make somebody try again."""
    ours = [each for each in units(state) if each.is_placed and is_known(state, (command,), each)]
    commissars = [each for each in ours if each.command == command and has_kind(state, each, "commissar")]
    return any(not may_be_made(state, commissar, each) for commissar in commissars for each in ours)


further_decisions.append(has_decisions)
handles(
    FightOrDie, check=check_fight_or_die, resolve=fight_or_die, options=fight_or_die_forms, phases=("rally",), rule=RULE
)
