"""The umpire's hand: what events each correction is. Every value can be set that a battle can have.

Each field is checked by its own type (`umpire.kernel.hand.corrections`); here stands what else a correction asks of the
battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from fireforce.happening.blinds import CardMoved, CardPlaced, CardRemoved, CardTurned, CounterMoved, CounterPickedUp
from fireforce.happening.fire import Pinned, Unpinned
from fireforce.happening.hand import Added, Removed
from fireforce.happening.men import BecameCasualty, Captured, Loss, Returned
from fireforce.happening.movement import Moved
from fireforce.happening.plans import PlanDropped, PlanGiven
from fireforce.happening.turn import BattleEnded, PhaseBegan, PointsScored
from fireforce.happening.visibility import Concealed, Placed
from fireforce.orders import orders
from fireforce.orders.dispatch import hand
from fireforce.rules.hidden.planning import off_course
from fireforce.rules.hidden.reveal import surplus
from fireforce.rules.movement.legs import at_leg
from fireforce.rules.things import find_piece
from fireforce.rules.turn.arrivals import arrival, cards_for_one, has_cards, reserve_added, under_cards, waiting
from fireforce.rules.turn.turn_sequence import pin_until
from fireforce.state.battle import (
    NEVER,
    Card,
    Counter,
    Figure,
    Place,
    Public,
    Reserve,
    Result,
    Score,
    Squad,
    State,
    Team,
)
from fireforce.state.beginning import SPACING, drawn_up
from fireforce.state.finding import (
    card_over,
    counter_over,
    enemy_commands,
    figure,
    figures,
    has_figure,
    plan_of,
    squad,
    squad_of,
)
from fireforce.state.points import judged
from fireforce.state.setting import setting_of, turns_of
from fireforce.words.naming import name_of
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import BATTLE, Altered, AwardPoints, EndBattle, new_ids, refuse
from umpire.kernel.hand.fields import Between
from umpire.kernel.registry import Correction

# Places


def _within(state: State, at: Place) -> Place:
    table = setting_of(state).table
    return min(max(at[0], 0), table.width), min(max(at[1], 0), table.depth)


def _moved(state: State, men: Sequence[Figure], at: Place) -> list[Event]:
    """The men set down with the first of them at a place, the others as they stood to him; told once for all."""
    dx, dy = at[0] - men[0].at[0], at[1] - men[0].at[1]
    return [
        Moved(
            figure=man.id,
            at=_within(state, (man.at[0] + dx, man.at[1] + dy)),
            manner="",
            why="umpire",
            start=man.at if number == 0 else None,
            party=len(men) - 1 if number == 0 else 0,
        )
        for number, man in enumerate(men)
    ]


NOTE = "Of a hidden command it stays hidden, but for who sees it there."


@hand.does(orders.MoveTo, "Move", on=("figure", "squad", "card", "counter", "reserve"), note=NOTE)
def _move_to(state: State, correction: orders.MoveTo) -> Sequence[Event]:
    moved: Any = find_piece(state, correction.piece)
    at = correction.at
    match moved:
        case Figure():
            return _moved(state, [moved], at)
        case Squad():
            return _moved(state, _fit(state, moved.id), at)
        case Card():
            men = [man.id for man in figures(state) if moved.squad and man.squad == moved.squad and man.is_fit]
            beneath = _shifted(state, men, moved.at, at)
            return [CardMoved(card=moved.id, at=at, figures=beneath, start=moved.at)]
        case Reserve():
            return _brought_in(state, correction, moved, at)
    shifted = _shifted(state, moved.figures, moved.at, at)
    return [CounterMoved(counter=moved.id, at=at, figures=shifted, start=moved.at)]


def _brought_in(state: State, correction: Correction, each: Reserve, at: Place) -> list[Event]:
    """A squad comes in around a place: as one that arrives, with cards on the table under one among dummies, and nobody
    who does not know all of the battle can tell which."""
    if not has_cards(state, each.command):
        return [arrival(state, each, at)]
    chance = new_ids(state, correction, 1)[0]
    return list(under_cards(state, each, at, int(chance[1:], 16) % cards_for_one(state)))


def _fit(state: State, unit: str) -> list[Figure]:
    men = [man for man in figures(state) if man.squad == unit and man.is_fit]
    return men or refuse("None of its men is left.")


def _shifted(state: State, men: Sequence[str], start: Place, at: Place) -> dict[str, Place]:
    dx, dy = at[0] - start[0], at[1] - start[1]
    return {man.id: _within(state, (man.at[0] + dx, man.at[1] + dy)) for man in (figure(state, each) for each in men)}


# Being seen


def _is_hidden(state: State, piece: str) -> bool:
    """Whether it is of a hidden command, and not a counter, which always lies there."""
    each = find_piece(state, piece)
    return not isinstance(each, Counter | Reserve) and not setting_of(state).commands[each.command].is_open


@hand.does(
    orders.Reveal, "Put on the table", on=("figure", "squad", "card"), may=_is_hidden, note="Every enemy sees it."
)
def _reveal(state: State, correction: orders.Reveal) -> Sequence[Event]:
    return _shown(state, correction.piece, True)


@hand.does(
    orders.Conceal, "Take off the table, hidden", on=("figure", "squad", "card"), may=_is_hidden, note="It is hidden."
)
def _conceal(state: State, correction: orders.Conceal) -> Sequence[Event]:
    return _shown(state, correction.piece, False)


def _shown(state: State, piece: str, is_shown: bool) -> Sequence[Event]:
    each = find_piece(state, piece)
    if isinstance(each, Counter):
        refuse("A counter is always on the table; remove it instead.")
    if isinstance(each, Reserve):
        refuse("It is off the table: move it to where it is to come in.")
    if isinstance(each, Card):
        if is_shown and each.is_on_table:
            return [CardTurned(card=piece, why="umpire")]
        return [CardPlaced(card=piece, is_on_table=is_shown)]
    men = [each] if isinstance(each, Figure) else _fit(state, piece)
    if any(man.id in state.public.pieces for man in men):
        refuse("It belongs to an open force: everybody sees it.")
    ids = tuple(man.id for man in men)
    return [Placed(figures=ids, why="umpire") if is_shown else Concealed(figures=ids)]


# Values that are more than a field


@hand.sets(Squad, "dropped", Annotated[int, Between(0, 4, "levels")], lambda state, unit: unit.dropped)
def _set_dropped(state: State, unit: Squad, levels: int) -> Sequence[Event]:
    """Of all its teams."""
    return [Altered(piece=unit.id, field="dropped", value=levels, was=unit.dropped)]


@hand.sets(Public, "turns", hand.hint(Public, "turns"), lambda state, public: turns_of(state))
def _set_turns(state: State, public: Public, turns: int) -> Sequence[Event]:
    return [Altered(piece=BATTLE, field="turns", value=turns, was=turns_of(state))]


@hand.sets(Figure, "status", hand.hint(Figure, "status"), lambda state, man: man.status)
def _set_status(state: State, man: Figure, status: str) -> Sequence[Event]:
    if status == man.status:
        return []
    if status == "fit":
        return [Returned(figure=man.id, loss=_loss(state, man, -1))]
    if not man.is_fit:
        return [Altered(piece=man.id, field="status", value=status, was=man.status)]
    loss = _loss(state, man, 1)
    if status == "captured":
        by = next(iter(enemy_commands(state, man.command)), "")
        return [Captured(figure=man.id, by=by, loss=loss)]
    return [BecameCasualty(figure=man.id, loss=loss, cause="umpire")]


@hand.sets(Figure, "pinned", hand.hint(Figure, "pinned"), lambda state, man: man.pinned)
def _set_pinned(state: State, man: Figure, by: Any) -> Sequence[Event]:
    if not by:
        return [Unpinned(figures=(man.id,))] if man.pinned else []
    return [Pinned(figure=man.id, by=by, until=pin_until(state, man))]


@hand.sets(Figure, "pinned_until", hand.hint(Figure, "pinned_until"), lambda state, man: man.pinned_until)
def _set_pinned_until(state: State, man: Figure, turn: int) -> Sequence[Event]:
    """Until no turn: he is pinned no more."""
    if not turn:
        return [Unpinned(figures=(man.id,))] if man.pinned else []
    return [Pinned(figure=man.id, by=man.pinned or "fire", until=turn)]


@hand.sets(Reserve, "arrives", hand.hint(Reserve, "arrives"), lambda state, each: each.arrives)
def _set_arrives(state: State, each: Reserve, turn: int) -> Sequence[Event]:
    return [reserve_added(waiting(each.squad, each.figures, turn, each.at, each.zone), each.arrives)]


def _loss(state: State, man: Figure, more: int) -> Loss | None:
    unit = squad_of(state, man)
    return None if unit is None else Loss(squad=unit.id, casualties=max(0, unit.casualties + more))


def _is_fit(state: State, piece: str) -> bool:
    return has_figure(state, piece) and figure(state, piece).is_fit


def _is_out(state: State, piece: str) -> bool:
    return has_figure(state, piece) and not figure(state, piece).is_fit


@hand.does(orders.Kill, "Out of action", on=("figure",), subject="figure", may=_is_fit, is_harm=True)
def _kill(state: State, correction: orders.Kill) -> Sequence[Event]:
    if not _is_fit(state, correction.figure):
        refuse("Only a figure that is fit can become a casualty.", "figure")
    man = figure(state, correction.figure)
    return [BecameCasualty(figure=man.id, loss=_loss(state, man, 1), cause="umpire")]


@hand.does(orders.Heal, "Fit again", on=("figure",), subject="figure", may=_is_out)
def _heal(state: State, correction: orders.Heal) -> Sequence[Event]:
    if not _is_out(state, correction.figure):
        refuse("Only a casualty or a prisoner can be made fit.", "figure")
    man = figure(state, correction.figure)
    return [Returned(figure=man.id, loss=_loss(state, man, -1))]


# Bringing in and taking off


@hand.does(
    orders.Add, "Add a squad", note="Of a hidden command it is hidden, but for who sees it there; else all see it."
)
def _add(state: State, correction: orders.Add) -> Sequence[Event]:
    setting = setting_of(state)
    command, count = setting.commands[correction.command], sum(men.count for men in correction.men)
    if not 1 <= count <= 30:
        refuse(f"A squad has 1 to 30 men, not {count}.", "men")
    if next((men for men in correction.men if not men.weapons and men.role != "civilian"), None):
        refuse("Each man but a villager has a weapon.", "men")
    if correction.is_placed and command.is_open:
        refuse("It belongs to an open force: everybody sees it.", "is_placed")
    _must_come(state, correction.arrives)
    ids = new_ids(state, correction, count + 1)
    table = setting.table
    places = iter(drawn_up(correction.at, count, SPACING, width=table.width, depth=table.depth))
    names = iter(ids[1:])
    men = tuple(
        Figure(
            id=next(names),
            command=correction.command,
            side=command.side,
            squad=ids[0],
            name=each.name,
            role=each.role,
            quality=each.quality or correction.quality,
            weapons=each.weapons,
            at=next(places),
            motivation_rating=each.rating,
            body_armour=each.body_armour,
            traits=tuple(sorted(set(each.traits))),
            is_placed=correction.is_placed,
        )
        for each in correction.men
        for _ in range(each.count)
    )
    members = tuple(man.id for man in men)
    unit = Squad(
        id=ids[0],
        command=correction.command,
        side=command.side,
        name=correction.name,
        quality=correction.quality,
        members=members,
        teams={"whole": Team(members=members)},
    )
    later = waiting(unit, men, correction.arrives or NEVER, correction.at, correction.zone)
    if correction.arrives or correction.waits:
        return [reserve_added(later)]
    if has_cards(state, correction.command) and not correction.is_placed:
        return [reserve_added(later), *_brought_in(state, correction, later, correction.at)]
    return [Added(figures=men, squads=(unit,), is_open=command.is_open)]


def _must_come(state: State, turn: int) -> None:
    if turn and turn < state.public.turn:
        refuse(f"It is turn {state.public.turn} already.", "arrives")


@hand.does(
    orders.TakeOff, "Take off, to come in later", on=("squad",), subject="squad", note="Nobody sees it any more."
)
def _take_off(state: State, correction: orders.TakeOff) -> Sequence[Event]:
    unit = squad(state, correction.squad)
    _must_come(state, correction.arrives)
    men = _fit(state, unit.id)
    if len(men) < len([man for man in figures(state) if man.squad == unit.id]):
        refuse("Some of its men are casualties or prisoners: remove them first.", "squad")
    if any(counter_over(state, man.id) for man in men):
        refuse("A counter stands for its men: remove the counter first.", "squad")
    found: list[Event] = []
    if (over := card_over(state, unit.id)) is not None:
        found.append(CardRemoved(card=over.id))
    rested = {
        team: Team(members=each.members, kind=each.kind, dropped=each.dropped) for team, each in unit.teams.items()
    }
    resting = [_rested(man) for man in men]
    later = waiting(replace(unit, teams=rested), resting, correction.arrives or NEVER, men[0].at)
    return [*found, reserve_added(later)]


def _rested(man: Figure) -> Figure:
    """A man who has done nothing in this turn and to whom nothing is done."""
    return replace(
        man,
        pinned="",
        pinned_until=0,
        moved="",
        distance=0,
        fired="",
        searching="",
        destroying="",
        in_combat=False,
        must_withdraw=False,
        is_placed=False,
        is_prepared=False,
        hidden_turns=0,
    )


@hand.does(orders.Remove, "Remove", on=("figure", "squad", "card", "counter", "reserve"), is_harm=True)
def _remove(state: State, correction: orders.Remove) -> Sequence[Event]:
    gone = find_piece(state, correction.piece)
    if isinstance(gone, Counter) and gone.figures:
        dummies = [CounterPickedUp(counter=each, why="unmatched") for each in surplus(state, gone.command, gone)]
        return [CounterPickedUp(counter=gone.id, why="umpire"), *dummies]
    what = gone.squad.name if isinstance(gone, Reserve) else name_of(state, gone.id)
    found: list[Event] = [PlanDropped(force=gone.id)] if plan_of(state, gone.id) else []
    if isinstance(gone, Squad):
        if any(counter_over(state, man) for man in gone.members):
            refuse("A counter stands for some of its men: remove the counter first.")
        if (over := card_over(state, gone.id)) is not None:
            found.append(CardRemoved(card=over.id))
        found.extend(Removed(piece=man) for man in gone.members if has_figure(state, man))
    return [*found, Removed(piece=gone.id, what=what)]


# The battle


@hand.does(orders.SetPhase, "Set the phase", note="Everybody sees it.")
def _set_phase(state: State, correction: orders.SetPhase) -> Sequence[Event]:
    return [PhaseBegan(side=correction.side, phase=correction.phase)]


@hand.does(orders.SetPlan, "Give a plan", on=("squad", "card"), subject="plan.force")
def _set_plan(state: State, correction: orders.SetPlan) -> Sequence[Event]:
    given = correction.plan
    force = find_piece(state, given.force)
    if setting_of(state).commands[force.command].is_open:
        refuse("An open force is moved by its player.", "plan.force")
    for wrong in off_course(state, given.legs):
        refuse(wrong.reason, f"plan.{wrong.field}")
    signals = dict(sorted(given.on_signal.items()))
    plan = replace(given, by="umpire", command=force.command, on_signal=signals)
    return [PlanGiven(plan=at_leg(plan, plan.leg, plan.along))]


def _has_plan(state: State, force: str) -> bool:
    return plan_of(state, force) is not None


@hand.does(orders.DropPlan, "Drop its plan", on=("squad", "card"), subject="force", may=_has_plan)
def _drop_plan(state: State, correction: orders.DropPlan) -> Sequence[Event]:
    if not _has_plan(state, correction.force):
        refuse("This force follows no plan.", "force")
    return [PlanDropped(force=correction.force)]


@hand.does(AwardPoints, "Award points")
def _award_points(state: State, correction: AwardPoints) -> Sequence[Event]:
    score = Score(
        side=correction.side, deed=f"umpire: {correction.why}", points=correction.points, reason=correction.why
    )
    return [PointsScored(score=score, known=correction.known)]


@hand.does(EndBattle, "End the battle", note="Everybody sees it.")
def _end_battle(state: State, correction: EndBattle) -> Sequence[Event]:
    if state.public.result is not None:
        refuse("It is over already.", "")
    total = judged(state)
    best = max(total.points.values(), default=0)
    first = [side for side, points in total.points.items() if points == best]
    why = correction.why or "The umpire has ended it."
    winner = first[0] if len(first) == 1 else ""
    return [BattleEnded(result=Result(winner=winner, why=why, points=total.points, lines=total.lines))]


hand.common()
