"""The umpire's words for what no seat is told in a sentence of its own: noises, plans, cards and counters moved, what a
command's picture has gained and lost. Nothing here reaches a player.
"""

from __future__ import annotations

import re
from typing import Any

from fireforce.happening import events
from fireforce.orders.dispatch import describers
from fireforce.state.battle import State
from fireforce.words.describe import command_name, contact_name, inches, knowledge_line, name_of, names_of
from umpire.kernel import ledger
from umpire.kernel.events import Changed, Event, FoundEmpty, Heard, KnowledgeEvent, Lost, Sighted, Told
from umpire.kernel.registry import LogLine
from umpire.kernel.states import Contact

LABELS: dict[str, str] = {
    "regular_moving": "regulars on the move",
    "indigenous_moving": "indigenous troops on the move",
    "weapon_fire": "gunfire",
    "vehicle": "a vehicle",
}


def chronicle(entry: Any, state: State) -> LogLine:
    """The umpire's log line of any event, roll or draw."""
    match entry:
        case ledger.Thrown(roll=roll, faces=faces, by=by):
            # Subjects are pieces, and words that tell their rolls apart.
            subject = " ".join(name_of(state, word) for word in roll.subject.split())
            subject = f" ({subject})" if subject else ""
            text = f"{roll.count}d{roll.sides} for {roll.purpose}{subject}: {', '.join(map(str, faces))}"
            return LogLine(
                text=f"{text}, thrown by {by}.", kind="roll", rule=roll.rule, modifiers=roll.modifiers, faces=faces
            )
        case ledger.Drawn(draw=draw, taken=taken):
            return LogLine(text=f"Drawn for {draw.purpose}: {name_of(state, taken)}.", kind="draw", rule=draw.rule)
        case KnowledgeEvent():
            line = knowledge_line(entry, state) if isinstance(entry, Told) else None
            who = command_name(state, entry.command)
            text = f"{who}: {line.text}" if line else f"{who} {knowledge_words(entry, state)}."
            return LogLine(text=text, kind="knowledge")
        case Event():
            found = describers.get(type(entry))
            line = found.line(entry, state) if found is not None else None
            return line or LogLine(text=event_words(entry, state) or _kind(entry), kind="event")
        case _:
            return LogLine(text=_kind(entry), kind="entry")


def knowledge_words(event: KnowledgeEvent, state: State) -> str:
    """What has changed in what a command knows."""
    contacts = state.commands[event.command].contacts
    match event:
        case Sighted(contact=contact):
            return f"sees {_contact(state, contact)}"
        case Changed(contact=contact):
            return f"sees {_contact(state, contact)} now at {inches(contact.at)}"
        case Heard(contact=contact):
            return f"hears {_contact(state, contact)}"
        case Lost(alias=alias):
            what = _contact(state, contacts[alias]) if alias in contacts else "a contact"
            return f"has lost {what} from sight"
        case FoundEmpty():
            return "knows that a contact is gone"
        case Told(report=report):
            return f"is told ({report.key})"
        case _:
            return type(event).__name__


def event_words(event: Any, state: State) -> str | None:
    """A sentence for an event that has no other, or None."""
    match event:
        case events.Prepared(figures=men, is_prepared=is_prepared, hidden_turns=turns):
            if is_prepared:
                return f"In a prepared position: {names_of(state, men)}."
            return f"Out of sight for {turns} own turns: {names_of(state, men)}." if turns else None
        case events.Spotted(observer=observer, target=target):
            return f"{name_of(state, observer)} finds {name_of(state, target)}."
        case events.NoiseMade(kind=kind, at=at, distance=distance):
            return f'Noise of {LABELS.get(kind, kind)} at {inches(at)}, heard within {distance // 100}".'
        case events.GunfireHeard(commands=commands):
            return f"Gunfire is heard by {', '.join(command_name(state, each) for each in commands)}."
        case events.CardMoved(card=card, at=at):
            return f"The {name_of(state, card)} has moved to {inches(at)}."
        case events.CardPlaced(card=card, is_on_table=is_on_table):
            return f"The {name_of(state, card)} is {'put on' if is_on_table else 'taken off'} the table."
        case events.CardRemoved():
            return "A card is removed."
        case events.CardMade(card=card):
            return f"A {card.kind.replace('_', ' ')} card is laid at {inches(card.at)}."
        case events.CounterPlaced(counter=counter):
            return f"A counter is laid at {inches(counter.at)}: {names_of(state, counter.figures) or 'a dummy'}."
        case events.CounterMoved(at=at):
            return f"A counter has moved to {inches(at)}."
        case events.CameUnderFire(teams=teams):
            return f"Under fire: {', '.join(name_of(state, each) for each in teams)}."
        case events.PlanCarried(plan=plan):
            return f"The plan of {name_of(state, plan.force)} is carried on, step {plan.step}."
        case events.PlanChanged(plan=plan, why=why):
            reason = f": {why.replace('_', ' ')}" if why else ""
            return f"The plan of {name_of(state, plan.force)} is now {plan.status.replace('_', ' ')}{reason}."
        case _:
            return None


def _contact(state: State, contact: Contact) -> str:
    name = contact_name(state, contact)
    return name.removeprefix("noise: ") if contact.kind == "noise" else name


def _kind(entry: Any) -> str:
    """An event's kind in words: "has moved" for want of anything better."""
    return re.sub("([a-z])([A-Z])", r"\1 \2", type(entry).__name__).capitalize() + "."
