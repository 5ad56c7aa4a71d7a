"""How it reads: figures move, stop, and give way."""

from __future__ import annotations

from fireforce.happening.movement import FireForgotten, Moved, MustWithdraw, Stopped, TeamMoved
from fireforce.happening.register import noted, says
from fireforce.state.battle import State
from fireforce.state.finding import figure, has_figure, squad
from fireforce.words.naming import inches, name_of, names_of
from umpire.kernel.registry import LogLine


@says(Moved)
def _moved(state: State, event: Moved) -> LogLine | None:
    """A team's move is told as a whole; what a figure is made to do, by itself."""
    words = {
        "withdrawal": "withdraws",
        "booby_trap": "falls back from the booby trap",
        "close_combat": "falls back",
        "to_cover": "crawls into cover",
    }
    if event.start is not None:
        who = name_of(state, event.figure) + (f" with {event.party} men" if event.party else "")
        text = f"The umpire moves {who} from {inches(event.start)} to {inches(event.at)}."
        return LogLine(text=text, kind="umpire", pieces=(event.figure,), at=(event.at,))
    if event.why not in words:
        return None
    text = f"{names_of(state, (event.figure,))} {words[event.why]}."
    return LogLine(text=text, kind="moved", rule="fireforce movement", pieces=(event.figure,), at=(event.at,))


@says(Stopped)
def _stopped(state: State, event: Stopped) -> LogLine:
    why = {"contact": "in contact with the enemy", "booby_trap": "by a booby trap"}.get(event.why, event.why)
    text = f"Stopped {why}: {names_of(state, event.figures)}."
    return LogLine(text=text, kind="stopped", rule="fireforce movement", pieces=event.figures)


@says(TeamMoved)
def _team_moved(state: State, event: TeamMoved) -> LogLine | None:
    unit = squad(state, event.squad)
    moved = [
        man
        for man in unit.teams[event.team].members
        if has_figure(state, man) and figure(state, man).moved and figure(state, man).is_fit
    ]
    if not moved:
        return None
    verb = "runs" if any(figure(state, man).moved == "running" for man in moved) else "moves"
    which = f" ({event.team})" if len(unit.teams) > 1 else ""
    return LogLine(text=f"{unit.name}{which} {verb}.", kind="moved", rule="fireforce movement", pieces=tuple(moved))


@says(MustWithdraw)
def _must_withdraw(state: State, event: MustWithdraw) -> LogLine | None:
    if not event.must_withdraw:
        return None
    text = f"{name_of(state, event.figure)} must withdraw a full move next turn."
    return LogLine(text=text, kind="close_combat", rule="fireforce close-combat", pieces=(event.figure,))


@noted(FireForgotten)
def _fire_forgotten(state: State, event: FireForgotten) -> LogLine:
    return LogLine(text="Fire forgotten.", kind="event")
