"""The turn sequence: who goes first, player turns and their phases, when pins end, when the battle does.

Each player turn runs upkeep, motivation and movement, visibility, searching, firing, close combat, end (house; the
printed list is lost). The active side's commands end the phases in which they decide; the others pass by themselves.
A phase passes for a reason that everybody may know: that its commands have ended it, or that they are moved by plans.
Where plans are carried on, a command that is moved by plans ends the phase as the last of what is carried on, also if
no plan was: else how soon the phase passes would tell whether it has any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from fireforce.happening.fire import Unpinned
from fireforce.happening.plans import PlanCarried
from fireforce.happening.rulings import tell
from fireforce.happening.turn import BattleBegan, BattleEnded, PhaseBegan, PhaseEnded, PlayerTurnBegan, PointsScored
from fireforce.orders.checks import PHASE_NAMES, active_commands
from fireforce.orders.dispatch import at as at_moment
from fireforce.orders.dispatch import carriers, endings, final_scores, handles, moments
from fireforce.orders.orders import EndPhase
from fireforce.state.battle import (
    PHASES,
    PLAYED,
    Believed,
    Card,
    Figure,
    Plan,
    Result,
    Squad,
    State,
)
from fireforce.state.finding import (
    commands_of,
    figures,
    has_ended,
    has_members,
    is_open_command,
    plan_of,
    plans,
    side_of,
)
from fireforce.state.points import judged
from fireforce.state.setting import secrets_of, setting_of, tables_of, turns_of
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.rulings import Choice, Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "fireforce turn-sequence"


# What follows by itself


def advance(state: State) -> Ruling[State]:
    """One step of what follows by itself: the battle begins, a phase passes, a player turn begins, the battle ends.
    `fireforce turn-sequence`"""
    public = state.public
    if public.result is not None:
        return state
    if not public.order:
        return (yield from _begin(state))
    if public.phase in PLAYED and not is_phase_over(state):
        return state
    for ruling in moments(public.phase, "ends"):
        state = yield from ruling(state)
    if public.phase == "end":
        return (yield from _next_player_turn(state))
    following = PHASES[PHASES.index(public.phase) + 1]
    state = yield from tell(PhaseBegan(side=public.active, phase=following))
    return (yield from _at_begin(state))


def is_phase_over(state: State) -> bool:
    """Whether all commands of the active side have ended the phase, or are moved by plans, and no plan is due."""
    waits = [
        name
        for name in commands_of(state, state.public.active)
        if not has_ended(state, name) and not state.commands[name].has_plans_only
    ]
    return not waits and next(_due(state), None) is None


def first_sides(state: State) -> Ruling[tuple[State, tuple[str, ...]]]:
    """The sides in their order of play: regulars always before indigenous ones, without a die between them; among those
    of a kind each throws a d10, the highest goes first, ties throw again. `fireforce turn-sequence`"""
    sides = setting_of(state).sides
    state, regular = yield from _ranked(state, tuple(key for key, side in sides.items() if side.kind == "regular"))
    state, others = yield from _ranked(state, tuple(key for key, side in sides.items() if side.kind != "regular"))
    return state, (*regular, *others)


def _ranked(state: State, sides: tuple[str, ...]) -> Ruling[tuple[State, tuple[str, ...]]]:
    """Sides of a kind in the order that their dice give them."""
    tied = sides
    ranked: list[str] = []
    attempt = 0
    while len(tied) > 1:
        attempt += 1
        thrown: dict[str, int] = {}
        for side in tied:
            by = next(iter(commands_of(state, side)), "")
            made = yield from roll("1d10", "first player", subject=f"{side} {attempt}", by=by, rule=RULE)
            thrown[side] = made.total
        best = max(thrown.values())
        if len(highest := tuple(side for side in tied if thrown[side] == best)) > 1:
            tied = highest
            continue
        ranked.append(highest[0])
        tied = tuple(side for side in sides if side not in ranked)
    return state, (*ranked, *tied)


def _begin(state: State) -> Ruling[State]:
    state, order = yield from first_sides(state)
    state = yield from tell(BattleBegan(order=order))
    state = yield from tell(PlayerTurnBegan(turn=1, player_turn=1, side=order[0], phase=PHASES[0]))
    return (yield from _at_begin(state))


def _next_player_turn(state: State) -> Ruling[State]:
    public = state.public
    index = public.order.index(public.active) + 1
    turn = public.turn
    why = next((why for ending in endings if (why := ending(state))), "")
    if index == len(public.order):
        index, turn = 0, turn + 1
        if not why and turn > turns_of(state):
            why = f"Turn {public.turn} was the last."
    if why:
        return (yield from finish(state, why))
    state = yield from tell(
        PlayerTurnBegan(turn=turn, player_turn=public.player_turn + 1, side=public.order[index], phase=PHASES[0])
    )
    return (yield from _at_begin(state))


def _at_begin(state: State) -> Ruling[State]:
    for ruling in moments(state.public.phase, "begins"):
        state = yield from ruling(state)
    return state


def finish(state: State, why: str) -> Ruling[State]:
    """Counts what is counted at the end and ends the battle; the highest score wins. `fireforce victory-points`"""
    for count in final_scores:
        for score in count(state):
            is_known = score.deed not in secrets_of(state).objectives
            state = yield from tell(PointsScored(score=score, known=is_known))
    total = judged(state)
    best = max(total.points.values(), default=0)
    first = [side for side, points in total.points.items() if points == best]
    winner = first[0] if len(first) == 1 else ""
    ended = Result(winner=winner, why=why, points=total.points, lines=total.lines)
    return (yield from tell(BattleEnded(result=ended)))


# Pins


def pin_until(state: State, man: Figure) -> int:
    """The game turn at the end of whose own player turn a figure pinned now is free: the rest of the enemy's turn and
    the whole of the next friendly one. `fireforce saving-throws`"""
    public = state.public
    if man.side not in public.order or public.active not in public.order:
        return public.turn + 1
    is_still_to_play = public.order.index(man.side) > public.order.index(public.active)
    return public.turn if is_still_to_play else public.turn + 1


@at_moment("end", "ends")
def unpin(state: State) -> Ruling[State]:
    """At the end of a player turn the side's figures whose pin has lasted its whole are free.
    `fireforce saving-throws`"""
    public = state.public
    for command in commands_of(state, public.active):
        free = tuple(
            man.id
            for man in figures(state)
            if man.command == command and man.is_pinned and man.pinned_until <= public.turn
        )
        if free:
            state = yield from tell(Unpinned(figures=free))
    return state


# Plans


def stamp(state: State) -> str:
    """Names this phase of this player turn: what a plan carried in it has been marked with."""
    return f"{state.public.player_turn} {state.public.phase}"


def due(state: State) -> tuple[str, ...]:
    """The forces whose plans are to be carried on in this phase, in their fixed order, and after them the commands
    moved by plans alone that end the phase then. `fireforce umpire`"""
    return tuple(_due(state))


def _due(state: State) -> Iterator[str]:
    public = state.public
    if public.result is not None or public.phase not in carriers:
        return
    now = stamp(state)
    for force, plan in plans(state).items():
        if plan.carried != now and side_of(state, plan.command) == public.active and _can_be_carried(state, plan):
            yield force
    yield from _ending(state)


def _ending(state: State) -> Iterator[str]:
    """The commands moved by plans alone that have not ended this phase."""
    public = state.public
    for name in commands_of(state, public.active):
        if state.commands[name].has_plans_only and not has_ended(state, name):
            yield name


def _can_be_carried(state: State, plan: Plan) -> bool:
    match state.commands[plan.command].pieces.get(plan.force):
        case Squad(is_off=False) as unit:
            if not has_members(state, unit):
                return False
            if state.public.phase == "firing":
                return plan.fire != "hold"
        case Card(is_face_up=False, kind=kind):
            if not tables_of(state).card(kind).moves or state.public.phase == "firing":
                return False
        case _:
            return False
    return not plan.is_held and plan.status in ("running", "in_contact")


def carry(state: State, force: str) -> Ruling[State]:
    """One quantum of a force's plan, by the chapter that carries plans in this phase; then it is noted as carried. A
    command moved by plans alone ends the phase."""
    if force not in _due(state):
        return state
    if force in state.commands:
        return (yield from tell(PhaseEnded(command=force, is_open=is_open_command(state, force))))
    now = stamp(state)
    state = yield from carriers[state.public.phase](state, force)
    plan = plan_of(state, force)
    if plan is not None and plan.carried != now:
        state = yield from tell(PlanCarried(plan=replace(plan, carried=now, step=plan.step + 1)))
    return state


# The order


def check_end_phase(believed: Believed, seat: Seat, order: EndPhase) -> Iterable[Refusal]:
    """A command ends its own side's phase, once. `fireforce turn-sequence`"""
    if order.command and order.command not in active_commands(believed, seat):
        yield Refusal(f"{order.command!r} is no command of yours that has this phase to end.", RULE, "command")


def end_phase(state: State, seat: Seat, order: EndPhase) -> Ruling[State]:
    """The commands named are done with the phase. `fireforce turn-sequence`"""
    for command in (order.command,) if order.command else active_commands(state, seat):
        if not has_ended(state, command):
            state = yield from tell(PhaseEnded(command=command, is_open=is_open_command(state, command)))
    return state


def end_phase_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Ending the phase needs no piece; who leads several commands chooses which."""
    mine = active_commands(believed, seat)
    if subject is not None or not mine:
        return
    label = f"End {PHASE_NAMES[believed.public.phase]}"
    yield Form(verb="EndPhase", label=label, rule=RULE)
    if len(mine) > 1:
        commands = setting_of(believed).commands
        choices = tuple(Choice(id=name, label=commands[name].name) for name in mine)
        yield Form(
            verb="EndPhase",
            label=f"{label} for one command",
            slots=(ChoiceSlot(name="command", label="Command", choices=choices),),
            rule=RULE,
        )


handles(
    EndPhase, check=check_end_phase, resolve=end_phase, options=end_phase_forms, phases=PLAYED, rule=RULE, role="ends"
)
