"""The umpire's hand: what events each correction is. Every value can be set; nonsense is refused in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec
from msgspec.structs import replace

from fireforce import events, orders
from fireforce.apply import as_field
from fireforce.checks import off_table
from fireforce.dispatch import overrulers, overrules
from fireforce.points import judged
from fireforce.rules.reveal import surplus
from fireforce.setting import setting_of
from fireforce.state import (
    Figure,
    Place,
    Public,
    Result,
    Score,
    Squad,
    State,
    Team,
    card,
    cards,
    counter,
    counters,
    figure,
    figures,
    plan_of,
    squad,
    squad_of,
    squads,
)
from umpire.kernel.events import Event, FoundEmpty, Report, Sighted, Told
from umpire.kernel.modifiers import Refusal
from umpire.kernel.registry import Correction, Refused
from umpire.kernel.spelling import get_close_matches
from umpire.kernel.states import Contact

BATTLE_FIELDS = ("hour", "weather", "wind", "turn")


def overrule(state: State, correction: Correction) -> Sequence[Event]:
    """The events of a correction. Raises Refused."""
    return overrulers[type(correction)](state, correction)


def _refuse(reason: str, field: str = "piece") -> NoReturn:
    raise Refused([Refusal(reason, "", field)])


def _kind(state: State, piece: str) -> str:
    """What kind of piece this is. Raises Refused naming the nearest id."""
    for kind, found in (("figure", figures), ("squad", squads), ("card", cards), ("counter", counters)):
        if any(each.id == piece for each in found(state)):
            return kind
    known = [each.id for found in (figures, squads, cards, counters) for each in found(state)]
    near = get_close_matches(piece, known, 1)
    return _refuse(f"There is no piece {piece!r}." + (f" Did you mean {near[0]!r}?" if near else ""))


def _on_table(state: State, at: Place) -> None:
    if found := list(off_table(state, [at], "at")):
        raise Refused(found)


def _moved(state: State, men: Sequence[Figure], at: Place) -> list[Event]:
    """The men set down with the first of them at a place, the others as they stood to him."""
    table = setting_of(state).table
    dx, dy = at[0] - men[0].at[0], at[1] - men[0].at[1]
    return [
        events.Moved(
            figure=man.id,
            at=(min(max(man.at[0] + dx, 0), table.width), min(max(man.at[1] + dy, 0), table.depth)),
            manner="",
            why="umpire",
        )
        for man in men
    ]


@overrules(orders.MoveTo)
def _move_to(state: State, correction: orders.MoveTo) -> Sequence[Event]:
    _on_table(state, correction.at)
    kind = _kind(state, correction.piece)
    if kind == "figure":
        return _moved(state, [figure(state, correction.piece)], correction.at)
    if kind == "squad":
        return _moved(state, _fit(state, correction.piece), correction.at)
    if kind == "card":
        moved = card(state, correction.piece)
        men = [man.id for man in figures(state) if moved.squad and man.squad == moved.squad and man.is_fit]
        beneath = _shifted(state, men, moved.at, correction.at)
        return [events.CardMoved(card=moved.id, at=correction.at, figures=beneath)]
    stands = counter(state, correction.piece)
    shifted = _shifted(state, stands.figures, stands.at, correction.at)
    return [events.CounterMoved(counter=stands.id, at=correction.at, figures=shifted)]


def _fit(state: State, unit: str) -> list[Figure]:
    men = [man for man in figures(state) if man.squad == unit and man.is_fit]
    if not men:
        _refuse("None of its men is left.")
    return men


def _shifted(state: State, men: Sequence[str], start: Place, at: Place) -> dict[str, Place]:
    table = setting_of(state).table
    dx, dy = at[0] - start[0], at[1] - start[1]
    return {
        man.id: (min(max(man.at[0] + dx, 0), table.width), min(max(man.at[1] + dy, 0), table.depth))
        for man in (figure(state, each) for each in men)
    }


@overrules(orders.Reveal)
def _reveal(state: State, correction: orders.Reveal) -> Sequence[Event]:
    return _shown(state, correction.piece, True)


@overrules(orders.Conceal)
def _conceal(state: State, correction: orders.Conceal) -> Sequence[Event]:
    return _shown(state, correction.piece, False)


def _shown(state: State, piece: str, is_shown: bool) -> Sequence[Event]:
    kind = _kind(state, piece)
    if kind == "counter":
        _refuse("A counter is always on the table; remove it instead.")
    if kind == "card":
        if is_shown and card(state, piece).is_on_table:
            return [events.CardTurned(card=piece, why="umpire")]
        return [events.CardPlaced(card=piece, is_on_table=is_shown)]
    men = [figure(state, piece)] if kind == "figure" else _fit(state, piece)
    if any(man.id in state.public.figures for man in men):
        _refuse("It belongs to an open force: everybody sees it.")
    ids = tuple(man.id for man in men)
    return [events.Placed(figures=ids, why="umpire") if is_shown else events.Concealed(figures=ids)]


@overrules(orders.Change)
def _change(state: State, correction: orders.Change) -> Sequence[Event]:
    if correction.piece == "battle":
        kind: Any = Public
        known: Sequence[str] = BATTLE_FIELDS
    else:
        kind = {"figure": figure, "squad": squad, "card": card, "counter": counter}[_kind(state, correction.piece)](
            state, correction.piece
        ).__class__
        known = [name for name in kind.__struct_fields__ if name not in ("id", "command", "side")]
        if kind is Squad:
            known.append("dropped")  # of all its teams
    if correction.field not in known:
        near = get_close_matches(correction.field, known, 1)
        right = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(known)}."
        _refuse(f"There is no value {correction.field!r} to set. {right}", "field")
    try:
        as_field(Team if kind is Squad and correction.field == "dropped" else kind, correction.field, correction.value)
    except msgspec.ValidationError as fault:
        _refuse(f"{correction.value!r} will not do: {str(fault).replace('`', '')}.", "value")
    return [events.Altered(piece=correction.piece, field=correction.field, value=correction.value)]


def _loss(state: State, man: Figure, more: int) -> events.Loss | None:
    unit = squad_of(state, man)
    return None if unit is None else events.Loss(squad=unit.id, casualties=max(0, unit.casualties + more))


@overrules(orders.Kill)
def _kill(state: State, correction: orders.Kill) -> Sequence[Event]:
    if _kind(state, correction.figure) != "figure" or not figure(state, correction.figure).is_fit:
        _refuse("Only a figure that is fit can become a casualty.", "figure")
    man = figure(state, correction.figure)
    return [events.BecameCasualty(figure=man.id, loss=_loss(state, man, 1), cause="umpire")]


@overrules(orders.Heal)
def _heal(state: State, correction: orders.Heal) -> Sequence[Event]:
    if _kind(state, correction.figure) != "figure" or figure(state, correction.figure).is_fit:
        _refuse("Only a casualty or a prisoner can be made fit.", "figure")
    man = figure(state, correction.figure)
    return [events.Returned(figure=man.id, loss=_loss(state, man, -1))]


@overrules(orders.Remove)
def _remove(state: State, correction: orders.Remove) -> Sequence[Event]:
    kind = _kind(state, correction.piece)
    if kind == "squad":
        _refuse("Remove its men one by one.")
    if kind == "counter" and counter(state, correction.piece).figures:
        gone = counter(state, correction.piece)
        dummies = [events.CounterPickedUp(counter=each, why="unmatched") for each in surplus(state, gone.command, gone)]
        return [events.CounterPickedUp(counter=gone.id, why="umpire"), *dummies]
    return [events.Removed(piece=correction.piece)]


def _commands(state: State, command: str) -> None:
    if command not in state.commands:
        near = get_close_matches(command, state.commands, 1)
        _refuse(f"There is no command {command!r}." + (f" Did you mean {near[0]!r}?" if near else ""), "command")


@overrules(orders.Tell)
def _tell(state: State, correction: orders.Tell) -> Sequence[Event]:
    _commands(state, correction.command)
    places = () if correction.at is None else (correction.at,)
    report = Report(key="message", values={"text": correction.text}, places=places)
    return [Told(command=correction.command, report=report)]


@overrules(orders.ShowContact)
def _show_contact(state: State, correction: orders.ShowContact) -> Sequence[Event]:
    _commands(state, correction.command)
    _on_table(state, correction.at)
    turn = state.public.turn
    contact = Contact(
        kind=correction.kind,
        at=correction.at,
        looks=dict(sorted(correction.looks.items())),
        since=turn,
        seen=turn,
        status="told",
    )
    return [Sighted(command=correction.command, contact=contact)]


@overrules(orders.DropContact)
def _drop_contact(state: State, correction: orders.DropContact) -> Sequence[Event]:
    _commands(state, correction.command)
    known = state.commands[correction.command].contacts
    if correction.alias not in known:
        _refuse(f"There is no contact {correction.alias!r}; there are: {', '.join(known) or 'none'}.", "alias")
    if known[correction.alias].status == "in_sight":
        _refuse("It is in sight; conceal what stands there instead.", "alias")
    return [FoundEmpty(command=correction.command, alias=correction.alias)]


@overrules(orders.SetPhase)
def _set_phase(state: State, correction: orders.SetPhase) -> Sequence[Event]:
    if correction.side not in state.public.order:
        _refuse(f"There is no side {correction.side!r}; there are: {', '.join(state.public.order)}.", "side")
    return [events.PhaseBegan(side=correction.side, phase=correction.phase)]


@overrules(orders.SetPlan)
def _set_plan(state: State, correction: orders.SetPlan) -> Sequence[Event]:
    plan = replace(correction.plan, by="umpire")
    if _kind(state, plan.force) not in ("squad", "card"):
        _refuse("A plan is for a squad or a card.", "plan.force")
    where = squad(state, plan.force) if _kind(state, plan.force) == "squad" else card(state, plan.force)
    if setting_of(state).commands[where.command].is_open:
        _refuse("An open force is moved by its player.", "plan.force")
    places = [at for leg in plan.legs for at in leg.path]
    if found := list(off_table(state, places, "plan.legs")):
        raise Refused(found)
    return [events.PlanGiven(plan=replace(plan, command=where.command))]


@overrules(orders.DropPlan)
def _drop_plan(state: State, correction: orders.DropPlan) -> Sequence[Event]:
    if plan_of(state, correction.force) is None:
        _refuse("This force follows no plan.", "force")
    return [events.PlanCancelled(force=correction.force)]


@overrules(orders.AwardPoints)
def _award_points(state: State, correction: orders.AwardPoints) -> Sequence[Event]:
    if correction.side not in setting_of(state).sides:
        _refuse(f"There is no side {correction.side!r}; there are: {', '.join(setting_of(state).sides)}.", "side")
    score = Score(
        side=correction.side, deed=f"umpire: {correction.why}", points=correction.points, reason=correction.why
    )
    return [events.PointsScored(score=score, known=correction.known)]


@overrules(orders.EndBattle)
def _end_battle(state: State, correction: orders.EndBattle) -> Sequence[Event]:
    if state.public.result is not None:
        _refuse("It is over already.", "")
    total = judged(state)
    best = max(total.points.values(), default=0)
    first = [side for side, points in total.points.items() if points == best]
    why = correction.why or "The umpire has ended it."
    winner = first[0] if len(first) == 1 else ""
    return [events.BattleEnded(result=Result(winner=winner, why=why, points=total.points, lines=total.lines))]
