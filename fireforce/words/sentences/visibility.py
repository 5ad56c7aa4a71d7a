"""How it reads: who is seen and heard: figures on and off the table, prepared positions, noises."""

from __future__ import annotations

from fireforce.happening.register import noted, says
from fireforce.happening.visibility import Concealed, GunfireHeard, NoiseMade, Placed, Prepared, Spotted
from fireforce.state.battle import State
from fireforce.words.naming import command_name, inches, name_of, names_of
from umpire.kernel.registry import LogLine

NOISES = {
    "regular_moving": "regulars on the move",
    "indigenous_moving": "indigenous troops on the move",
    "weapon_fire": "gunfire",
    "vehicle": "a vehicle",
}
"""Noises as the umpire reads of them."""


@says(Placed)
def _placed_line(state: State, event: Placed) -> LogLine:
    why = {
        "fired": "by their fire",
        "seen_in_open": "moving in the open",
        "spotted": "from near by",
        "searched": "by a search",
        "contacted": "by contact",
        "left_position": "leaving their position",
        "umpire": "by the umpire's word",
    }.get(event.why, event.why)
    return LogLine(
        text=f"The enemy sees {names_of(state, event.figures)}: given away {why}.",
        kind="placed",
        rule="fireforce visibility",
        pieces=event.figures,
    )


@says(Concealed)
def _concealed_line(state: State, event: Concealed) -> LogLine:
    return LogLine(
        text=f"The enemy has lost {names_of(state, event.figures)} from sight.",
        kind="concealed",
        rule="fireforce visibility",
        pieces=event.figures,
    )


@noted(Prepared)
def _prepared(state: State, event: Prepared) -> LogLine | None:
    men = names_of(state, event.figures)
    if event.is_prepared:
        return LogLine(text=f"In a prepared position: {men}.", kind="event")
    if not event.hidden_turns:
        return None
    return LogLine(text=f"Out of sight for {event.hidden_turns} own turns: {men}.", kind="event")


@noted(Spotted)
def _spotted(state: State, event: Spotted) -> LogLine:
    return LogLine(text=f"{name_of(state, event.observer)} finds {name_of(state, event.target)}.", kind="event")


@noted(NoiseMade)
def _noise_made(state: State, event: NoiseMade) -> LogLine:
    what, at = NOISES.get(event.kind, event.kind), inches(event.at)
    return LogLine(text=f'Noise of {what} at {at}, heard within {event.distance // 100}".', kind="event")


@noted(GunfireHeard)
def _gunfire_heard(state: State, event: GunfireHeard) -> LogLine:
    who = ", ".join(command_name(state, each) for each in event.commands)
    return LogLine(text=f"Gunfire is heard by {who}.", kind="event")
