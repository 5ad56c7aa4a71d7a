"""How it reads: fire, hits, saves, and close combat."""

from __future__ import annotations

from fireforce.happening.fire import (
    CameUnderFire,
    CloseCombatFought,
    Fired,
    FireHeld,
    HitsAllocated,
    HitsScored,
    Pinned,
    Saved,
    Unpinned,
)
from fireforce.happening.register import noted, says
from fireforce.state.battle import State
from fireforce.state.finding import figure, has_figure
from fireforce.words.naming import name_of, names_of
from umpire.kernel.registry import LogLine

RULE = "fireforce small-arms"
SAVES = "fireforce saving-throws"
RESULTS = {
    "draw": "neither gives way; {mover} falls back and is pinned",
    "withdrawal": "{loser} must withdraw",
    "loss": "{loser} is beaten",
}


@says(Fired)
def _fired(state: State, event: Fired) -> LogLine:
    manner = "Aimed" if event.mode == "aimed" else "Prophylactic"
    ambush = " from ambush" if event.from_ambush else ""
    text = f"{manner} fire{ambush}: {names_of(state, event.figures)} at {name_of(state, event.target)}."
    return LogLine(text=text, kind="fire", rule=RULE, pieces=(*event.figures, event.target), at=(event.at,))


@says(FireHeld)
def _fire_held(state: State, event: FireHeld) -> LogLine:
    text = f"They let the opportunity to fire pass: {names_of(state, event.figures)}."
    return LogLine(text=text, kind="fire", rule=RULE, pieces=event.figures)


@noted(CameUnderFire)
def _came_under_fire(state: State, event: CameUnderFire) -> LogLine:
    return LogLine(text=f"Under fire: {', '.join(name_of(state, each) for each in event.teams)}.", kind="event")


@says(HitsScored)
def _hits_scored(state: State, event: HitsScored) -> LogLine:
    hits = "no hit" if not event.hits else "1 hit" if event.hits == 1 else f"{event.hits} hits"
    is_own = any(has_figure(state, each) and figure(state, each).command for each in event.figures)
    text = f"{event.fire_points} fire points: {hits}" if is_own else hits.capitalize()
    if event.criticals and is_own:
        text += f", {event.criticals} of them may be critical"
    working = event.working if is_own else ()
    return LogLine(
        text=f"{text}.",
        kind="fire",
        rule=RULE,
        modifiers=working,
        pieces=(*event.figures, event.target),
    )


@says(HitsAllocated)
def _hits_allocated(state: State, event: HitsAllocated) -> LogLine:
    counted = {man: event.figures.count(man) for man in dict.fromkeys(event.figures)}
    hit = ", ".join(
        name_of(state, man) if times == 1 else f"{name_of(state, man)} ({times} hits)" for man, times in counted.items()
    )
    return LogLine(text=f"Hit: {hit}.", kind="hit", rule="fireforce target-selection", pieces=tuple(counted))


@says(Saved)
def _saved(state: State, event: Saved) -> LogLine:
    return LogLine(
        text=f"Saved: {name_of(state, event.figure)}.",
        kind="save",
        rule=SAVES,
        pieces=(event.figure,),
    )


@says(Pinned)
def _pinned(state: State, event: Pinned) -> LogLine:
    return LogLine(
        text=f"Pinned: {names_of(state, (event.figure,))}.",
        kind="pin",
        rule=SAVES,
        pieces=(event.figure,),
    )


@says(Unpinned)
def _unpinned(state: State, event: Unpinned) -> LogLine:
    return LogLine(
        text=f"No longer pinned: {names_of(state, event.figures)}.",
        kind="pin",
        rule=SAVES,
        pieces=event.figures,
    )


@says(CloseCombatFought)
def _fought(state: State, event: CloseCombatFought) -> LogLine:
    mover, target = name_of(state, event.figure), name_of(state, event.target)
    loser = target if event.score > event.target_score else mover
    outcome = RESULTS.get(event.result, event.result).format(mover=mover, loser=loser)
    text = f"Close combat: {mover} {event.score}, {target} {event.target_score}: {outcome}."
    return LogLine(text=text, kind="close_combat", rule="fireforce close-combat", pieces=(event.figure, event.target))
