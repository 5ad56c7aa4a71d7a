"""The Operations Phase: impulses, what they activate, passes, and when the phase is over. `core 4.0`, `core 4.1`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.happening.fire import OpsCompleted
from lnl.happening.impulses import ImpulseBegan, ImpulseChanged, ImpulseEnded
from lnl.happening.rulings import tell
from lnl.orders.checks import not_our_units, repeated
from lnl.orders.dispatch import handles
from lnl.orders.orders import EndImpulse, Pass
from lnl.rules.movement.leaving import exit_zone, has_come
from lnl.state.battle import Believed, Impulse, State, Unit
from lnl.state.belonging import allied, impulse_of_side, is_known, is_mine, nation_of
from lnl.state.finding import (
    counter_of,
    has_unit,
    impulse_of,
    melee_at,
    plan_of,
    present,
    side_of,
    unit,
    units,
    units_at,
)
from lnl.state.setting import setting_of, tables_of
from lnl.words.naming import unit_name
from umpire.kernel.forms import Form
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.memo import Memo
from umpire.kernel.values.modifiers import Refusal

RULE = "core 4.0"
PHASE = ("operations",)
READY_TO_FIRE = ("", "assault", "stealth")
"""The markers of movement under which one may fire afterwards. `core 6.1`, `core 6.4`"""


# Who may act


def may_act(believed: Believed, seat: Seat, unit_ids: Sequence[str], *, firing: bool = False) -> Iterator[Refusal]:
    """Why these units may not do something together in this impulse: whose they are, their markers, a melee that holds
    them, the places that the impulse has declared, and other nationalities. With `firing` an earlier assault or stealth
    move, or a spotting attempt that has succeeded, is no hindrance. `core 4.0`, `core 13.0`"""
    found = [*repeated(unit_ids, "units", RULE)] or [*not_our_units(believed, seat, unit_ids, "units", RULE)]
    yield from found
    if found:
        return
    stack = [unit(believed, each) for each in unit_ids]
    first = stack[0]
    if any(each.at != first.at or each.side != first.side for each in stack):
        yield Refusal("They are not in one place.", RULE, "units")
        return
    impulse = impulse_of(believed, seat.commands)
    for each in stack:
        if why := _held(believed, each, impulse, firing=firing):
            rule = "core 8.1" if melee_at(believed, each.at) is not None else RULE
            yield Refusal(f"{unit_name(believed, each)} {why}", rule, "units")
            return
    if impulse is not None and impulse.places:
        yield from _out_of_impulse(believed, seat, impulse, stack)
    if len({nation_of(believed, each) for each in stack}) > 1:
        yield Refusal("Troops of different nations act in different impulses.", "core 13.0", "units")


def acts(believed: Believed, seat: Seat, piece: str, *, firing: bool = False) -> bool:
    """Whether a unit may do something in this impulse: what `may_act` says of it alone, asked once of a belief."""
    known, key = _memo.of(believed), (seat.commands, piece, firing)
    found = known.get(key)
    if found is None:
        found = known[key] = not any(may_act(believed, seat, (piece,), firing=firing))
    return found


def act_together(believed: Believed, seat: Seat, one: Unit, other: Unit, *, firing: bool = False) -> bool:
    """Whether two units of a place may do something together: each may alone, and they are of one nation."""
    return (
        acts(believed, seat, one.id, firing=firing)
        and acts(believed, seat, other.id, firing=firing)
        and nation_of(believed, one) == nation_of(believed, other)
    )


_memo: Memo[Believed, dict[tuple[tuple[str, ...], str, bool], bool]] = Memo(lambda believed: {})


def _held(state: State, each: Unit, impulse: Impulse | None, *, firing: bool) -> str:
    if melee_at(state, each.at) is not None:
        return "is locked in melee."
    if each.fired:
        return "has fired this turn."
    if each.moved and not (firing and each.moved in READY_TO_FIRE):
        return "has moved this turn."
    if each.ops_complete and not (firing and has_spotted(state, impulse, each.at)):
        return "has completed its operations this turn."
    return ""


def _out_of_impulse(believed: Believed, seat: Seat, impulse: Impulse, stack: Sequence[Unit]) -> Iterator[Refusal]:
    at = stack[0].at
    if any(each.id not in impulse.acted for each in stack) and at not in impulse.places:
        whose = "This impulse" if impulse.command in seat.commands else "The impulse of another command of your side"
        yield Refusal(f"{whose} has not activated that place.", RULE, "units")
        return
    nation = nation_of(believed, stack[0])
    if any(nation_of(believed, each) != nation for each in _active_at(believed, impulse, at)):
        yield Refusal("Allies of another nation act from there in this impulse.", "core 13.0", "units")


def _active_at(state: State, impulse: Impulse, place: Place) -> Iterator[Unit]:
    """Who has acted from a place in an impulse, and whose leadership has brought other places in from there: all of one
    nation. `core 13.0`, `core 4.0`"""
    for piece in dict.fromkeys((*impulse.acted_at, *impulse.leaders)):
        if has_unit(state, piece):
            each = unit(state, piece)
            if impulse.acted_at.get(piece, each.at) == place:
                yield each


def has_spotted(state: State, impulse: Impulse | None, place: Place) -> bool:
    """Whether one of the units in a place has spotted something in this impulse: all there may fire at it.
    `core 4.1`"""
    spotters = impulse.spotted if impulse is not None else ()
    return any(has_unit(state, who) and unit(state, who).at == place for who, _ in spotters)


def can_act(state: State, each: Unit, impulse: Impulse | None = None) -> bool:
    """Whether a unit has anything left to do in this phase by an impulse of its own. `core 4.0`"""
    if not each.is_placed or each.fired:
        return False
    melee = melee_at(state, each.at)
    if melee is not None:
        return not melee.fought and each.is_good_order
    if each.is_shaken:
        return not each.moved and not each.ops_complete and counter_of(state, each).movement > 0
    if each.ops_complete:
        return has_spotted(state, impulse, each.at)
    return each.moved in READY_TO_FIRE or bool(exit_zone(state, each) and has_come(state, each, impulse))


# Beginning and ending an impulse


def began(state: State, seat: Seat, places: Sequence[Place], command: str = "") -> Ruling[State]:
    """An impulse begins with these places where none has begun yet. `core 4.0`"""
    name = command or commanding(state, seat, places)
    if declared(state, allied(state, name)) is not None:
        return state
    return (yield from declare(state, seat, name, tuple(places), ("",) * len(places)))


def declared(state: State, commands: Sequence[str]) -> Impulse | None:
    """The impulse of one of these commands that has declared its places; a mere attempt at spotting has not.
    `core 4.0`, `core 10.1`"""
    found = impulse_of(state, commands)
    return found if found is not None and found.places else None


def declare(
    state: State, seat: Seat, command: str, places: tuple[Place, ...], brought: tuple[str, ...]
) -> Ruling[State]:
    """An impulse declares its places, and who brings each in; an attempt at spotting before it is part of it, whoever
    of the side has made it. Men of other commands there whom the seat knows may act in it too. `core 4.0`"""
    leaders = tuple(dict.fromkeys(each for each in brought if each))
    before = impulse_of_side(state, command)
    there = (each for place in places for each in units_at(state, place, side_of(state, command)))
    allies = {each.command for each in there if each.command != command and is_known(state, seat.commands, each)}
    made = replace(
        before or Impulse(command=command),
        command=command,
        places=places,
        brought_by=brought,
        leaders=leaders,
        allies=tuple(sorted(allies)),
    )
    is_first = before is None or before.command != command
    return (yield from tell(ImpulseBegan(impulse=made) if is_first else ImpulseChanged(impulse=made)))


def acted(state: State, command: str, unit_ids: Iterable[str], **changes: Any) -> Ruling[State]:
    """What was done in an impulse is noted: who has acted, and more (`moved_from=place`, `fired_from=(from, target)`
    are added to what there is, all else takes its place)."""
    impulse = impulse_of_side(state, command)
    if impulse is None:
        return state
    for name in ("moved_from", "fired_from", "spotted"):
        if name in changes:
            there = getattr(impulse, name)
            changes[name] = there if changes[name] in there else (*there, changes[name])
    new = [each for each in present(state, unit_ids) if each.id not in impulse.acted]
    who = (*impulse.acted, *(each.id for each in new))
    where = dict(sorted({**impulse.acted_at, **{each.id: each.at for each in new}}.items()))
    return (yield from tell(ImpulseChanged(impulse=replace(impulse, acted=who, acted_at=where, **changes))))


def joins(state: State, newcomer: Unit, parent: Unit) -> Ruling[State]:
    """A unit that has come forth from another is activated as that one is: it may do in this impulse what that one
    may. `core 5.1`, `core 11.2`"""
    impulse = impulse_of_side(state, parent.command)
    if impulse is None:
        return state
    is_of_it = parent.at in impulse.places and newcomer.at not in impulse.places
    if parent.id not in impulse.acted and not is_of_it:
        return state
    where = {**impulse.acted_at, newcomer.id: impulse.acted_at.get(parent.id, parent.at)}
    made = replace(impulse, acted=(*impulse.acted, newcomer.id), acted_at=dict(sorted(where.items())))
    return (yield from tell(ImpulseChanged(impulse=made)))


def another_has_it(state: State, seat: Seat, command: str) -> bool:
    """Whether a command of the side that is none of this seat's has an impulse of which the seat knows nothing, as it
    need not in a blind battle: its order comes to nothing (L10). An attempt at spotting alone keeps nobody."""
    found = declared(state, allied(state, command))
    return found is not None and found.command not in seat.commands and declared(state, seat.commands) is None


def commanding(state: State, seat: Seat, places: Sequence[Place]) -> str:
    """Which of a seat's commands an impulse in these places is."""
    there = [each.command for place in places for each in units_at(state, place) if is_mine(seat, each)]
    return there[0] if there else seat.commands[0]


def ends(state: State, impulse: Impulse) -> Ruling[State]:
    """Leaders who brought others in and did nothing else are Ops Complete; one in which nobody acted was a pass.
    `core 4.0`"""
    if complete := _only_activated(state, impulse):
        state = yield from tell(OpsCompleted(units=complete, why="activation"))
    passes = 0 if impulse.acted else state.public.passes + 1
    following = next_side(state, side_of(state, impulse.command))
    return (yield from tell(ImpulseEnded(command=impulse.command, active=following, passes=passes)))


def _only_activated(state: State, impulse: Impulse) -> tuple[str, ...]:
    """The leaders who have done nothing but activate a place from which somebody has acted, in a chain too."""
    used = set(impulse.acted_at.values())
    found: list[str] = []
    for place, leader in reversed(list(zip(impulse.places, impulse.brought_by, strict=False))):
        if not leader or place not in used or leader in impulse.acted or not has_unit(state, leader):
            continue
        each = unit(state, leader)
        used.add(each.at)
        if leader not in found and not (each.moved or each.fired or each.ops_complete):
            found.append(leader)
    return tuple(reversed(found))


def next_side(state: State, side: str) -> str:
    """Whose impulse comes after one of this side's. `core 4.0`"""
    sides = tuple(setting_of(state).sides)
    return sides[(sides.index(side) + 1) % len(sides)]


def is_over(state: State) -> bool:
    """Whether the Operations Phase is over: three passes in a row, or nobody has anything left to do. `core 4.0`"""
    if impulse_of(state) is not None:
        return False
    if state.public.passes >= tables_of(state).number("passes"):
        return True
    return not any(has_work(state, each, None) for each in units(state))


def has_work(state: State, each: Unit, impulse: Impulse | None) -> bool:
    """Whether a unit keeps the phase going: those that only plans move do not."""
    if not can_act(state, each, impulse):
        return False
    part = state.commands.get(each.command)
    plan = plan_of(state, each.id)
    return not (part is not None and part.has_plans_only) and (plan is None or plan.status in ("done", "stopped"))


# EndImpulse and Pass


def check_end_impulse(believed: Believed, seat: Seat, order: EndImpulse) -> Iterator[Refusal]:
    """An own impulse goes on. `core 4.0`"""
    impulse = declared(believed, seat.commands)
    if impulse is None or impulse.command not in seat.commands:
        yield Refusal("No impulse of yours has begun; to do nothing, pass.", RULE)


def resolve_end_impulse(state: State, seat: Seat, order: EndImpulse) -> Ruling[State]:
    """The impulse is over. `core 4.0`"""
    impulse = impulse_of(state, seat.commands)
    return state if impulse is None else (yield from ends(state, impulse))


def end_impulse_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    if subject is None and not any(check_end_impulse(believed, seat, EndImpulse())):
        yield Form(verb="EndImpulse", label="End the impulse", rule=RULE)


def check_pass(believed: Believed, seat: Seat, order: Pass) -> Iterator[Refusal]:
    """Nothing has been declared in this impulse. `core 4.0`"""
    if declared(believed, seat.commands) is not None:
        yield Refusal("An impulse has begun: end it.", RULE)


def resolve_pass(state: State, seat: Seat, order: Pass) -> Ruling[State]:
    """The side passes; three passes in a row end the phase. `core 4.0`"""
    side = state.public.active
    command = next(name for name in seat.commands if side_of(state, name) == side)
    if another_has_it(state, seat, command):
        return state
    if (impulse := impulse_of_side(state, command)) is not None:
        return (yield from ends(state, impulse))
    following = next_side(state, side)
    return (yield from tell(ImpulseEnded(command=command, active=following, passes=state.public.passes + 1)))


def pass_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    if subject is None and not any(check_pass(believed, seat, Pass())):
        yield Form(verb="Pass", label="Pass", rule=RULE)


handles(
    EndImpulse,
    check=check_end_impulse,
    resolve=resolve_end_impulse,
    options=end_impulse_forms,
    phases=PHASE,
    rule=RULE,
    role="ends",
)
handles(Pass, check=check_pass, resolve=resolve_pass, options=pass_forms, phases=PHASE, rule=RULE, role="ends")
