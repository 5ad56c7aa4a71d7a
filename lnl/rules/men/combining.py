"""Combining: two half-squads beside a leader form a squad in the Rally Phase. `core 3.0`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lnl.happening.men import Combined
from lnl.happening.rulings import tell
from lnl.orders.checks import not_our_units, repeated
from lnl.orders.dispatch import handles
from lnl.orders.orders import Combine
from lnl.rules.men.leaders import good_order_leaders
from lnl.rules.turn.rally_phase import PHASE, RULE, further_decisions
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import allied, mine_at
from lnl.state.finding import counter_of, has_kind, is_locked, unit, units
from lnl.words.naming import name_of
from umpire.kernel.forms import Form
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal


def may_combine(state: State, first: Unit, second: Unit) -> str:
    """Why two units may not form a squad, "" where they may: Good Order half-squads of one nation and type beside a
    Good Order leader, not in Melee. `core 3.0`"""
    if not all(has_kind(state, each, "half_squad") for each in (first, second)):
        return "Two half-squads form a squad."
    if first.at != second.at:
        return "They are not in the same place."
    if first.is_shaken or second.is_shaken:
        return "Both must be in Good Order."
    one, other = counter_of(state, first), counter_of(state, second)
    if not one.combines or one.combines != other.combines or first.side != second.side:
        return "They are not of the same nation and type."
    if not good_order_leaders(state, first):
        return "There is no Good Order leader with them."
    return "They are locked in Melee." if is_locked(state, first) else ""


def check_combine(believed: Believed, seat: Seat, order: Combine) -> Iterable[Refusal]:
    """Two half-squads of one's own. `core 3.0`"""
    wrong = [*repeated(order.units, "units", RULE), *not_our_units(believed, seat, order.units, "units", RULE)]
    if wrong:
        return wrong
    why = may_combine(believed, unit(believed, order.units[0]), unit(believed, order.units[1]))
    return [Refusal(why, RULE, "units")] if why else []


def combine(state: State, seat: Seat, order: Combine) -> Ruling[State]:
    """The squad has what both had. `core 3.0`"""
    first, second = (unit(state, each) for each in order.units)
    into = Unit(
        id=first.id,
        command=first.command,
        side=first.side,
        counter=counter_of(state, first).combines,
        name=first.name,
        at=first.at,
        attempts=tuple(sorted({*first.attempts, *second.attempts})),
        skills=tuple(sorted({*first.skills, *second.skills})),
        traits=tuple(sorted({*first.traits, *second.traits})),
    )
    return (yield from tell(Combined(units=order.units, into=into)))


def combine_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a half-squad the others with which it forms a squad."""
    if subject is None or any(not_our_units(believed, seat, (subject,), "units", RULE)):
        return
    each = unit(believed, subject)
    for other in _partners(believed, seat.commands, each):
        yield Form(
            verb="Combine",
            label=f"Form a squad with {name_of(believed, other.id)}",
            subject=(subject, other.id),
            fixed={"units": [subject, other.id]},
            rule=RULE,
        )


def _partners(state: State, commands: Sequence[str], each: Unit) -> Iterator[Unit]:
    if not has_kind(state, each, "half_squad"):
        return
    for other in mine_at(state, commands, each.at):
        if other.id != each.id and not may_combine(state, each, other):
            yield other


def has_decisions(state: State, command: str) -> bool:
    """Whether two half-squads of a command may form a squad."""
    mine = (each for each in units(state) if each.command == command and each.is_placed)
    return any(next(_partners(state, allied(state, command), each), None) is not None for each in mine)


further_decisions.append(has_decisions)
handles(Combine, check=check_combine, resolve=combine, options=combine_forms, phases=PHASE, rule=RULE)
