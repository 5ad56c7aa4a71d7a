"""What each event makes of the state. No rule and no table: events carry the new values.

`applies(EventType)` registers one function an event; `apply` finds it by the event's type. A piece that is not there
raises KeyError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from fireforce.happening import events
from fireforce.happening.changing import (
    with_card,
    with_counter,
    with_figure,
    with_figures,
    with_part,
    with_plan,
    with_public,
    with_squad,
    with_team,
    without_counter,
    without_plan,
)
from fireforce.state.battle import (
    Card,
    CommandPart,
    Counter,
    Figure,
    Place,
    Public,
    Squad,
    State,
    Stores,
    Team,
)
from fireforce.state.finding import (
    card,
    counter,
    figure,
    figures,
    part_of,
    squad,
)
from umpire.kernel.appliers import Appliers
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import BATTLE, as_field
from umpire.kernel.values.maps import drop, ordered, put

H = TypeVar("H", Public, CommandPart)
P = TypeVar("P")
KINDS = ("figures", "squads", "cards", "counters", "reserves")
_table: Appliers[State] = Appliers()
applies, apply = _table.applies, _table.apply


def applied_types() -> frozenset[type[Event]]:
    """The events that `apply` knows."""
    return _table.types


def _men(state: State, ids: Iterable[str], **changes: Any) -> State:
    return with_figures(state, [replace(figure(state, each), **changes) for each in ids])


def _at(state: State, places: Mapping[str, Place]) -> State:
    return with_figures(state, [replace(figure(state, each), at=at) for each, at in places.items()])


def _lost(state: State, loss: events.Loss | None) -> State:
    if loss is None:
        return state
    return with_squad(state, replace(squad(state, loss.squad), casualties=loss.casualties))


def _unchanged(state: State, event: Event) -> State:
    """It is told for what commands learn of it, and changes nothing."""
    return state


for _kind in (
    events.Stopped,
    events.Spotted,
    events.NoiseMade,
    events.HitsScored,
    events.HitsAllocated,
    events.Saved,
    events.CloseCombatFought,
):
    applies(_kind)(_unchanged)


# The battle and its turns


@applies(events.BattleBegan)
def _battle_began(state: State, event: events.BattleBegan) -> State:
    return with_public(state, order=event.order)


@applies(events.PlayerTurnBegan)
def _player_turn_began(state: State, event: events.PlayerTurnBegan) -> State:
    state = with_figures(
        state,
        [
            replace(man, moved="", distance=0, fired="", searching="", destroying="", in_combat=False)
            for man in figures(state)
            if man.side == event.side
        ],
    )

    def fresh(units: Mapping[str, Squad]) -> Mapping[str, Squad]:
        return {
            key: replace(
                unit,
                teams={
                    name: replace(team, result="", score=0, has_moved=False, dropped=team.lowered, rolled=())
                    for name, team in unit.teams.items()
                },
            )
            if unit.side == event.side
            else unit
            for key, unit in units.items()
        }

    state = with_public(
        state,
        squads=fresh(state.public.squads),
        turn=event.turn,
        player_turn=event.player_turn,
        active=event.side,
        phase=event.phase,
        ended=(),
    )
    for name, part in state.commands.items():
        state = with_part(
            state,
            name,
            replace(
                part,
                squads=fresh(part.squads),
                cards={key: replace(each, has_moved=False) for key, each in part.cards.items()},
                counters={key: replace(each, has_moved=False) for key, each in part.counters.items()},
                has_ended=False,
            ),
        )
    return state


@applies(events.PhaseBegan)
def _phase_began(state: State, event: events.PhaseBegan) -> State:
    for name, part in state.commands.items():
        if part.has_ended:
            state = with_part(state, name, replace(part, has_ended=False))
    return with_public(state, active=event.side, phase=event.phase, ended=())


@applies(events.PhaseEnded)
def _phase_ended(state: State, event: events.PhaseEnded) -> State:
    if event.is_open:
        return with_public(state, ended=tuple(sorted({*state.public.ended, event.command})))
    return with_part(state, event.command, replace(state.commands[event.command], has_ended=True))


@applies(events.WeatherChanged)
def _weather_changed(state: State, event: events.WeatherChanged) -> State:
    return with_public(state, hour=event.hour, weather=event.weather, wind=event.wind)


@applies(events.PointsScored)
def _points_scored(state: State, event: events.PointsScored) -> State:
    if event.known:
        return with_public(state, scores=(*state.public.scores, event.score))
    return replace(state, umpire=replace(state.umpire, scores=(*state.umpire.scores, event.score)))


@applies(events.BattleEnded)
def _battle_ended(state: State, event: events.BattleEnded) -> State:
    return with_public(state, result=event.result)


# Motivation and organisation


@applies(events.MotivationRolled)
def _motivation_rolled(state: State, event: events.MotivationRolled) -> State:
    team = squad(state, event.squad).teams[event.team]
    return with_team(
        state,
        event.squad,
        event.team,
        result=event.result,
        score=event.score,
        is_under_fire=False,
        was_under_fire=team.is_under_fire or (event.is_gamble and team.was_under_fire),
        dropped=event.dropped,
        was_dropped=team.was_dropped if event.is_gamble else team.dropped,
    )


@applies(events.GambleUsed)
def _gamble_used(state: State, event: events.GambleUsed) -> State:
    return with_figure(state, event.figure, has_gambled=True)


@applies(events.Regrouped)
def _regrouped(state: State, event: events.Regrouped) -> State:
    return with_squad(state, replace(squad(state, event.squad), teams=ordered(event.teams)))


@applies(events.PlatoonControlChanged)
def _platoon_control_changed(state: State, event: events.PlatoonControlChanged) -> State:
    changed = replace(squad(state, event.squad), is_under_platoon_control=event.is_under_platoon_control)
    return with_squad(state, changed)


# Movement and being seen


@applies(events.Moved)
def _moved(state: State, event: events.Moved) -> State:
    man = figure(state, event.figure)
    return with_figures(
        state, [replace(man, at=event.at, moved=event.manner or man.moved, distance=event.distance or man.distance)]
    )


@applies(events.TeamMoved)
def _team_moved(state: State, event: events.TeamMoved) -> State:
    team = squad(state, event.squad).teams[event.team]
    rolled = tuple(replace(each, has_moved=True) for each in team.rolled)
    return with_team(state, event.squad, event.team, has_moved=team.has_moved or not event.only_rolled, rolled=rolled)


@applies(events.FireForgotten)
def _fire_forgotten(state: State, event: events.FireForgotten) -> State:
    return with_team(state, event.squad, event.team, is_under_fire=False, was_under_fire=False)


@applies(events.Placed)
def _placed(state: State, event: events.Placed) -> State:
    return _men(state, event.figures, is_placed=True, hidden_turns=0)


@applies(events.Concealed)
def _concealed(state: State, event: events.Concealed) -> State:
    return _men(state, event.figures, is_placed=False)


@applies(events.Prepared)
def _prepared(state: State, event: events.Prepared) -> State:
    return _men(state, event.figures, is_prepared=event.is_prepared, hidden_turns=event.hidden_turns)


@applies(events.GunfireHeard)
def _gunfire_heard(state: State, event: events.GunfireHeard) -> State:
    for name in event.commands:
        state = with_part(state, name, replace(state.commands[name], heard_fire=event.player_turn))
    for unit, teams in event.teams.items():
        for team in teams:
            state = with_team(state, unit, team, heard_fire=event.player_turn)
    return state


# Cards and counters


@applies(events.CardMoved)
def _card_moved(state: State, event: events.CardMoved) -> State:
    state = with_card(state, replace(card(state, event.card), at=event.at, has_moved=True))
    return _at(state, event.figures)


@applies(events.CardTurned)
def _card_turned(state: State, event: events.CardTurned) -> State:
    turned = card(state, event.card)
    is_gone = turned.kind == "troops"
    return with_card(state, replace(turned, is_face_up=True, is_on_table=not is_gone))


@applies(events.CardPlaced)
def _card_placed(state: State, event: events.CardPlaced) -> State:
    changed = replace(card(state, event.card), is_on_table=event.is_on_table, is_face_up=event.is_face_up)
    return with_card(state, changed)


@applies(events.CardRemoved)
def _card_removed(state: State, event: events.CardRemoved) -> State:
    where = part_of(state, event.card)
    part = state.commands[where]
    return with_part(state, where, replace(part, cards=drop(part.cards, event.card)))


@applies(events.CardMade)
def _card_made(state: State, event: events.CardMade) -> State:
    part = state.commands[event.card.command]
    return with_part(state, event.card.command, replace(part, cards=put(part.cards, event.card.id, event.card)))


@applies(events.CounterPlaced)
def _counter_placed(state: State, event: events.CounterPlaced) -> State:
    made = event.counter
    men = {each: figure(state, each) for each in made.figures}
    public = {key: man for key, man in state.public.figures.items() if key not in men}
    if len(public) + len(men) != len(state.public.figures):
        raise KeyError(", ".join(sorted(men)))
    part = state.commands[made.command]
    state = with_public(state, figures=public)
    state = with_part(state, made.command, replace(part, figures=ordered({**part.figures, **men})))
    return with_counter(state, made)


@applies(events.CounterMoved)
def _counter_moved(state: State, event: events.CounterMoved) -> State:
    state = with_counter(state, replace(counter(state, event.counter), at=event.at, has_moved=True))
    return _at(state, event.figures)


@applies(events.CounterPickedUp)
def _counter_picked_up(state: State, event: events.CounterPickedUp) -> State:
    gone = counter(state, event.counter)
    part = state.commands[gone.command]
    men = {each: part.figures[each] for each in gone.figures}
    rest = {key: man for key, man in part.figures.items() if key not in men}
    state = with_part(state, gone.command, replace(part, figures=rest))
    state = with_public(state, figures=ordered({**state.public.figures, **men}))
    return without_counter(state, event.counter)


# Searching and stores


@applies(events.SearchBegan)
def _search_began(state: State, event: events.SearchBegan) -> State:
    return _men(state, event.figures, searching=event.card or ",".join(map(str, event.at)))


@applies(events.Searched)
def _searched(state: State, event: events.Searched) -> State:
    state = _men(state, event.figures, searching="")
    if not event.card:
        return state
    found = card(state, event.card)
    by = sorted({*found.searched_by, *(figure(state, each).command for each in event.figures)})
    return with_card(state, replace(found, searched_by=tuple(by)))


@applies(events.BrokeOff)
def _broke_off(state: State, event: events.BrokeOff) -> State:
    return _men(state, event.figures, searching="", destroying="")


@applies(events.StoresTaken)
def _stores_taken(state: State, event: events.StoresTaken) -> State:
    state = with_figure(state, event.figure, carrying=event.carrying, taken_from=event.taken_from)
    return with_card(state, replace(card(state, event.card), stores=event.left))


@applies(events.StoresDropped)
def _stores_dropped(state: State, event: events.StoresDropped) -> State:
    return with_figure(state, event.figure, carrying=Stores(), taken_from="")


@applies(events.DestructionBegan)
def _destruction_began(state: State, event: events.DestructionBegan) -> State:
    return _men(state, event.figures, destroying=event.card)


@applies(events.StoresDestroyed)
def _stores_destroyed(state: State, event: events.StoresDestroyed) -> State:
    state = _men(state, event.figures, destroying="")
    return with_card(state, replace(card(state, event.card), stores=event.left))


@applies(events.PeasantsFound)
def _peasants_found(state: State, event: events.PeasantsFound) -> State:
    name = card(state, event.card).command
    part = state.commands[name]
    new = {man.id: man for man in event.figures}
    return with_part(state, name, replace(part, figures=ordered({**part.figures, **new})))


# Fire


@applies(events.Fired)
def _fired(state: State, event: events.Fired) -> State:
    changes: dict[str, Any] = {"fired": event.mode}
    if event.from_ambush:
        changes["has_fired_from_ambush"] = True
    return _men(state, event.figures, **changes)


@applies(events.FireHeld)
def _fire_held(state: State, event: events.FireHeld) -> State:
    return _men(state, event.figures, fired="held")


@applies(events.CameUnderFire)
def _came_under_fire(state: State, event: events.CameUnderFire) -> State:
    for unit, teams in event.teams.items():
        for team in teams:
            state = with_team(state, unit, team, is_under_fire=True)
    return state


@applies(events.Pinned)
def _pinned(state: State, event: events.Pinned) -> State:
    return with_figure(state, event.figure, pinned=event.by, pinned_until=event.until)


@applies(events.Unpinned)
def _unpinned(state: State, event: events.Unpinned) -> State:
    return _men(state, event.figures, pinned="", pinned_until=0)


def _out(state: State, man: Figure, **changes: Any) -> State:
    return with_figures(
        state, [replace(man, pinned="", pinned_until=0, searching="", destroying="", must_withdraw=False, **changes)]
    )


@applies(events.BecameCasualty)
def _became_casualty(state: State, event: events.BecameCasualty) -> State:
    return _lost(_out(state, figure(state, event.figure), status="casualty"), event.loss)


@applies(events.Captured)
def _captured(state: State, event: events.Captured) -> State:
    man = figure(state, event.figure)
    return _lost(_out(state, man, status="captured", captured_by=event.by), event.loss)


@applies(events.Returned)
def _returned(state: State, event: events.Returned) -> State:
    return _lost(with_figure(state, event.figure, status="fit", captured_by=""), event.loss)


@applies(events.MustWithdraw)
def _must_withdraw(state: State, event: events.MustWithdraw) -> State:
    return with_figure(state, event.figure, must_withdraw=event.must_withdraw)


# Plans and standing orders


@applies(events.PlanGiven)
def _plan_given(state: State, event: events.PlanGiven) -> State:
    return with_plan(without_plan(state, event.plan.force), event.plan)


@applies(events.PlanCarried)
def _plan_carried(state: State, event: events.PlanCarried) -> State:
    return with_plan(state, event.plan)


@applies(events.PlanChanged)
def _plan_changed(state: State, event: events.PlanChanged) -> State:
    return with_plan(state, event.plan)


@applies(events.PlanCancelled)
def _plan_cancelled(state: State, event: events.PlanCancelled) -> State:
    return without_plan(state, event.force)


@applies(events.SignalGiven)
def _signal_given(state: State, event: events.SignalGiven) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, signals=(*part.signals, event.signal)))


@applies(events.StandingOrdersGiven)
def _standing_orders_given(state: State, event: events.StandingOrdersGiven) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, standing=put(part.standing, event.force, event.standing)))


@applies(events.PlansOnlySet)
def _plans_only_set(state: State, event: events.PlansOnlySet) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, has_plans_only=event.has_plans_only))


# The umpire's hand


@applies(events.Altered)
def _altered(state: State, event: events.Altered) -> State:
    if event.piece == BATTLE:
        return with_public(state, **{event.field: as_field(type(state.public), event.field, event.value)})
    where = part_of(state, event.piece)
    holder: Any = state.public if where == "public" else state.commands[where]
    for kind in KINDS:
        pieces = getattr(holder, kind, {})
        if event.piece in pieces:
            old = pieces[event.piece]
            changed = replace(holder, **{kind: put(pieces, event.piece, _with_field(old, event.field, event.value))})
            return replace(state, public=changed) if where == "public" else with_part(state, where, changed)
    raise KeyError(event.piece)


def _with_field(old: Any, name: str, value: Any) -> Any:
    if isinstance(old, Squad) and name == "dropped":
        levels = as_field(Team, name, value)
        return replace(old, teams=ordered({key: replace(team, dropped=levels) for key, team in old.teams.items()}))
    return replace(old, **{name: as_field(type(old), name, value)})


@applies(events.Added)
def _added(state: State, event: events.Added) -> State:
    for unit in event.squads:
        if event.is_open:
            state = with_public(state, squads=put(state.public.squads, unit.id, unit))
        else:
            part = state.commands[unit.command]
            state = with_part(state, unit.command, replace(part, squads=put(part.squads, unit.id, unit)))
    for man in event.figures:
        if event.is_open:
            state = with_public(state, figures=put(state.public.figures, man.id, man))
        else:
            part = state.commands[man.command]
            state = with_part(state, man.command, replace(part, figures=put(part.figures, man.id, man)))
    return state


@applies(events.ReserveAdded)
def _reserve_added(state: State, event: events.ReserveAdded) -> State:
    """Its squad and men wait there alone, whether they stood on the table or not."""
    new = event.reserve
    gone = {new.id, *(man.id for man in new.figures)}
    state = with_public(state, figures=_less(state.public.figures, gone), squads=_less(state.public.squads, gone))
    part = state.commands[new.command]
    return with_part(
        state,
        new.command,
        replace(
            part,
            figures=_less(part.figures, gone),
            squads=_less(part.squads, gone),
            reserves=put(part.reserves, new.id, new),
        ),
    )


def _less(pieces: Mapping[str, P], gone: set[str]) -> Mapping[str, P]:
    return {key: piece for key, piece in pieces.items() if key not in gone} if gone & pieces.keys() else pieces


@applies(events.Arrived)
def _arrived(state: State, event: events.Arrived) -> State:
    part = state.commands[event.squad.command]
    part = replace(part, reserves=drop(part.reserves, event.reserve))
    if event.card is not None:
        part = replace(part, cards=put(part.cards, event.card.id, event.card))
    state = with_part(state, event.squad.command, part)
    return _added(state, events.Added(figures=event.figures, squads=(event.squad,), is_open=event.is_open))


@applies(events.Removed)
def _removed(state: State, event: events.Removed) -> State:
    part_of(state, event.piece)
    state = replace(state, public=_without(state.public, event.piece))
    for name, part in state.commands.items():
        state = with_part(state, name, _without(part, event.piece))
    return state


def _without(holder: H, piece: str) -> H:
    """A part of the state in which nothing speaks of a piece."""
    changes: dict[str, Any] = {}
    for kind in KINDS:
        pieces = getattr(holder, kind, {})
        if pieces:
            changes[kind] = {key: _forgetting(each, piece) for key, each in pieces.items() if key != piece}
    return replace(holder, **changes)


def _forgetting(each: Any, piece: str) -> Any:
    if isinstance(each, Squad) and piece in each.members:
        teams = {name: replace(team, members=_but(team.members, piece)) for name, team in each.teams.items()}
        return replace(each, members=_but(each.members, piece), teams=teams)
    if isinstance(each, Counter) and piece in each.figures:
        return replace(each, figures=_but(each.figures, piece))
    if isinstance(each, Card) and each.squad == piece:
        return replace(each, squad="")
    return each


def _but(ids: tuple[str, ...], piece: str) -> tuple[str, ...]:
    return tuple(each for each in ids if each != piece)
