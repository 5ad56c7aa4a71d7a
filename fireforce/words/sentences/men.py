"""How it reads: what squads and their teams roll, how they part and join; who is out of the battle."""

from __future__ import annotations

from fireforce.book.rows import MotivationResult
from fireforce.happening.men import (
    BecameCasualty,
    Captured,
    GambleUsed,
    MotivationRolled,
    PlatoonControlChanged,
    Regrouped,
    Returned,
)
from fireforce.happening.register import says
from fireforce.state.battle import State
from fireforce.state.finding import has_figure, squad
from fireforce.state.setting import setting_of, tables_of
from fireforce.words.naming import command_name, name_of
from umpire.kernel.registry import LogLine


@says(MotivationRolled)
def _motivation_rolled(state: State, event: MotivationRolled) -> LogLine:
    unit = squad(state, event.squad)
    which = f" ({event.team})" if len(unit.teams) > 1 else ""
    result = setting_of(state).book.table("motivation_results", MotivationResult)[event.result]
    text = f"{unit.name}{which}: {result.name} ({event.score})."
    if event.dropped:
        now = tables_of(state).quality(tables_of(state).dropped(unit.quality, event.dropped)).name
        text = f"{text[:-1]}; counts as {now}."
    return LogLine(text=text, kind="motivation", rule="fireforce motivation", pieces=(event.squad,))


@says(GambleUsed)
def _gamble_used(state: State, event: GambleUsed) -> LogLine:
    text = f"{name_of(state, event.figure)} urges his men on."
    return LogLine(text=text, kind="motivation", rule="fireforce desperate-gamble", pieces=(event.figure,))


@says(Regrouped)
def _regrouped(state: State, event: Regrouped) -> LogLine:
    unit = squad(state, event.squad)
    how = {
        "split": "splits into fire teams",
        "joined": "joins its teams",
        "gun_group": "forms a gun group",
        "dropped_off": "drops men off",
    }[event.how]
    men = tuple(man for team in event.teams.values() for man in team.members if has_figure(state, man))
    return LogLine(text=f"{unit.name} {how}.", kind="organisation", rule="fireforce organisation", pieces=men)


@says(PlatoonControlChanged)
def _platoon_control_changed(state: State, event: PlatoonControlChanged) -> LogLine:
    how = "is under platoon control" if event.is_under_platoon_control else "acts independently"
    text = f"{squad(state, event.squad).name} {how}."
    return LogLine(text=text, kind="organisation", rule="fireforce motivation-rating")


@says(BecameCasualty)
def _became_casualty(state: State, event: BecameCasualty) -> LogLine:
    text = f"Casualty: {name_of(state, event.figure)}."
    return LogLine(text=text, kind="casualty", rule="fireforce saving-throws", pieces=(event.figure,))


@says(Captured)
def _captured(state: State, event: Captured) -> LogLine:
    text = f"Captured by {command_name(state, event.by)}: {name_of(state, event.figure)}."
    return LogLine(text=text, kind="captured", rule="fireforce close-combat", pieces=(event.figure,))


@says(Returned)
def _returned(state: State, event: Returned) -> LogLine:
    text = f"{name_of(state, event.figure)} is fit again."
    return LogLine(text=text, kind="umpire", pieces=(event.figure,))
