"""Sentences of the log. `describe` speaks from a belief; `fireforce.words.chronicle` from the truth, with the same
lines.

The chapters register the lines of their events; here stand those of turns, points, contacts and the umpire's hand.
"""

from __future__ import annotations

from fireforce.happening import events
from fireforce.orders.checks import PHASE_NAMES
from fireforce.orders.dispatch import describers, describes, hand, tellers, tells
from fireforce.state.battle import (
    Believed,
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    card,
    counter,
    figure,
    has_figure,
    squad,
)
from fireforce.state.setting import setting_of, turns_of
from fireforce.table.hearing import octant
from umpire.kernel.events import Changed, Event, FoundEmpty, Heard, KnowledgeEvent, Lost, Sighted, Told
from umpire.kernel.hand.corrections import BATTLE
from umpire.kernel.registry import LogLine
from umpire.kernel.states import Contact
from umpire.kernel.telling import LINE, MESSAGE, ROLL, line_of, message_line, roll_line

ROLE_NAMES = {
    "platoon_commander": "Platoon commander",
    "platoon_sergeant": "Platoon sergeant",
    "leader": "Leader",
    "assistant": "Assistant leader",
    "gunner": "Gunner",
    "rifleman": "Rifleman",
    "civilian": "Villager",
}
CARD_NAMES = {
    "troops": "Troops",
    "cache": "Cache",
    "booby_trap": "Booby trap",
    "dummy": "Dummy",
    "peasants": "Peasants",
}


def describe(event: Event, state: Believed) -> LogLine | None:
    """The log line of a public or knowledge event for a seat; None where there is nothing to say."""
    if isinstance(event, KnowledgeEvent):
        return knowledge_line(event, state)
    found = describers.get(type(event))
    return found.line(event, state) if found is not None else None


def name_of(state: State, piece: str) -> str:
    """What a piece is called: for an enemy in sight what his model shows."""
    if has_figure(state, piece):
        return figure_name(state, figure(state, piece))
    try:
        return squad(state, piece).name
    except KeyError:
        pass
    try:
        return f"{CARD_NAMES[card(state, piece).kind]} card"
    except KeyError:
        pass
    try:
        return "counter" if counter(state, piece) else ""
    except KeyError:
        pass
    for part in state.commands.values():
        if piece in part.contacts:
            return contact_name(state, part.contacts[piece])
    return piece


def names_of(state: State, pieces: tuple[str, ...]) -> str:
    """The names of some pieces, like ones counted and each squad named once: "Gunner, 3 × Rifleman (1 Section)"."""
    if len(pieces) == 1:
        return name_of(state, pieces[0])
    squads: dict[str, dict[str, int]] = {}
    for piece in pieces:
        name, unit = _name_and_squad(state, figure(state, piece)) if has_figure(state, piece) else ("", "")
        counted = squads.setdefault(unit, {})
        name = name or name_of(state, piece)
        counted[name] = counted.get(name, 0) + 1
    parts = []
    for unit, counted in squads.items():
        names = ", ".join(name if times == 1 else f"{times} × {name}" for name, times in counted.items())
        parts.append(f"{names} ({unit})" if unit else names)
    return "; ".join(parts)


def figure_name(state: State, man: Figure) -> str:
    """A figure's own name, or his role; with his squad's where the state knows it."""
    name, unit = _name_and_squad(state, man)
    return f"{name}, {unit}" if unit else name


def _name_and_squad(state: State, man: Figure) -> tuple[str, str]:
    if not man.command:
        return (f"enemy with {weapon_name(state, man.weapons[0])}" if man.weapons else "civilian"), ""
    name = man.name or ROLE_NAMES[man.role]
    try:
        return name, squad(state, man.squad).name if man.squad else ""
    except KeyError:
        return name, ""


def contact_name(state: State, contact: Contact) -> str:
    """What a contact is called."""
    looks = contact.looks
    if contact.kind == "figure":
        if looks.get("civilian"):
            return "civilian"
        return f"enemy with {looks['weapon']}" if looks.get("weapon") else "enemy"
    if contact.kind == "card":
        return f"{CARD_NAMES[str(looks['card'])]} card" if "card" in looks else "face-down card"
    if contact.kind == "noise":
        return f"noise: {looks.get('noise', 'something')}"
    return str(looks.get("label", contact.kind))


def weapon_name(state: State, key: str) -> str:
    """The name of a weapon of the book."""
    return str(setting_of(state).book.tables["weapons"][key]["name"].value)


def command_name(state: State, command: str) -> str:
    found = setting_of(state).commands.get(command)
    return found.name if found else command


def side_name(state: State, side: str) -> str:
    found = setting_of(state).sides.get(side)
    return found.name if found else side


def direction(origin: tuple[int, int], to: tuple[int, int]) -> str:
    """Where something lies from somewhere, in words."""
    return octant(origin, to) or "here"


def knowledge_line(event: KnowledgeEvent, state: State) -> LogLine | None:
    match event:
        case Told(report=report):
            teller = tellers.get(report.key)
            return teller(report, state) if teller is not None else None
        case Sighted(contact=contact):
            verb = "Reported" if contact.status == "told" else "In sight"
            return _contact_line(f"{verb}: {contact_name(state, contact)}.", contact)
        case Heard(contact=contact):
            return _contact_line(f"Heard: {contact_name(state, contact)}.", contact)
        case Changed(contact=contact) if contact.status == "in_sight" and "card" in contact.looks:
            return _contact_line(f"The card is turned up: {contact_name(state, contact)}.", contact)
        case Lost(command=command, alias=alias):
            lost = state.commands[command].contacts.get(alias)
            what = f": {contact_name(state, lost)}" if lost is not None else ""
            return LogLine(text=f"Lost from sight{what}.", kind="lost", pieces=(alias,))
        case FoundEmpty() | Changed():
            return None
        case _:
            return None


def _contact_line(text: str, contact: Contact) -> LogLine:
    return LogLine(text=text, kind="contact", pieces=(contact.alias,), at=(contact.at,))


for _key, _line in ((LINE, line_of), (ROLL, roll_line), (MESSAGE, message_line)):
    tells(_key)(lambda report, state, line=_line: line(report))


@describes(events.BattleBegan)
def _battle_began(event: events.BattleBegan, state: State) -> LogLine:
    return LogLine(
        text=f"The battle begins; {side_name(state, event.order[0])} goes first.",
        kind="turn",
        rule="fireforce turn-sequence",
    )


@describes(events.PlayerTurnBegan)
def _player_turn_began(event: events.PlayerTurnBegan, state: State) -> LogLine:
    turns = turns_of(state)
    return LogLine(text=f"Turn {event.turn} of {turns}: {side_name(state, event.side)}.", kind="turn")


@describes(events.PhaseBegan)
def _phase_began(event: events.PhaseBegan, state: State) -> LogLine:
    return LogLine(text=f"{side_name(state, event.side)}: {PHASE_NAMES[event.phase]}.", kind="phase")


@describes(events.PhaseEnded)
def _phase_ended(event: events.PhaseEnded, state: State) -> LogLine:
    return LogLine(text=f"{command_name(state, event.command)} ends the phase.", kind="phase")


@describes(events.WeatherChanged)
def _weather_changed(event: events.WeatherChanged, state: State) -> LogLine:
    return LogLine(text=f"It is {event.hour}, the weather is {event.weather}.", kind="weather")


@describes(events.PointsScored)
def _points_scored(event: events.PointsScored, state: State) -> LogLine:
    score = event.score
    return LogLine(
        text=f"{side_name(state, score.side)}: {score.points * score.times:+d} points, {score.reason or score.deed}.",
        kind="points",
        rule=score.rule,
    )


@describes(events.BattleEnded)
def _battle_ended(event: events.BattleEnded, state: State) -> LogLine:
    result = event.result
    points = ", ".join(f"{side_name(state, side)} {total}" for side, total in result.points.items())
    winner = f"{side_name(state, result.winner)} has won" if result.winner else "a draw"
    return LogLine(text=f"{result.why} The battle is over: {winner} ({points}).", kind="end")


@describes(events.Unpinned)
def _unpinned(event: events.Unpinned, state: State) -> LogLine:
    return LogLine(
        text=f"No longer pinned: {names_of(state, event.figures)}.",
        kind="pin",
        rule="fireforce saving-throws",
        pieces=event.figures,
    )


@describes(events.Altered)
def _altered(event: events.Altered, state: State) -> LogLine:
    what = "the battle" if event.piece == BATTLE else name_of(state, event.piece)
    pieces = () if event.piece == BATTLE else (event.piece,)
    return LogLine(text=hand.altered(state, event, what), kind="umpire", pieces=pieces)


@describes(events.Removed)
def _removed(event: events.Removed, state: State) -> LogLine:
    return LogLine(text=f"The umpire takes {event.what or 'a man'} out of the battle.", kind="umpire")


@describes(events.Added)
def _added(event: events.Added, state: State) -> LogLine:
    names = ", ".join(unit.name for unit in event.squads) or names_of(state, tuple(man.id for man in event.figures))
    at = tuple(man.at for man in event.figures[:1])
    where = f" at {inches(at[0])}" if at else ""
    return LogLine(text=f"The umpire adds {names}: {len(event.figures)} men{where}.", kind="umpire", at=at)


@describes(events.CardMoved)
def _card_moved(event: events.CardMoved, state: State) -> LogLine | None:
    return _put(state, event.card, event.start, event.at)


@describes(events.CounterMoved)
def _counter_moved(event: events.CounterMoved, state: State) -> LogLine | None:
    return _put(state, event.counter, event.start, event.at)


def _put(state: State, piece: str, start: Place | None, at: Place) -> LogLine | None:
    """What the umpire has put elsewhere; of what moves by itself nothing is said."""
    if start is None:
        return None
    text = f"The umpire moves {name_of(state, piece)} from {inches(start)} to {inches(at)}."
    return LogLine(text=text, kind="umpire", pieces=(piece,), at=(at,))


def inches(at: tuple[int, ...]) -> str:
    """A place in inches from the lower left corner."""
    return ", ".join(f"{value / 100:g}" for value in at)


@describes(events.Returned)
def _returned(event: events.Returned, state: State) -> LogLine:
    text = f"{name_of(state, event.figure)} is fit again."
    return LogLine(text=text, kind="umpire", pieces=(event.figure,))


@describes(events.SignalGiven)
def _signal_given(event: events.SignalGiven, state: State) -> LogLine:
    return LogLine(text=f"{command_name(state, event.command)} signals {event.signal!r}.", kind="signal")


@describes(events.PlanGiven)
def _plan_given(event: events.PlanGiven, state: State) -> LogLine:
    text = f"{name_of(state, event.plan.force)} has a plan."
    return LogLine(text=text, kind="plan", pieces=(event.plan.force,))
