"""What is seen of Skirmish: views, and the lines of logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from umpire.kernel.events import Changed, Event, FoundEmpty, Heard, KnowledgeEvent, Lost, Sighted, Told
from umpire.kernel.ledger import Drawn, Thrown
from umpire.kernel.pieces.events import Boarded, Lent, PutDown
from umpire.kernel.registry import LogLine, Outcome
from umpire.kernel.states import Contact, Place, Seat
from umpire.kernel.values.maps import ordered
from umpire.kernel.views import (
    ViewCommand,
    ViewContact,
    ViewOutcome,
    ViewPhase,
    ViewPoints,
    ViewSide,
    ViewYou,
    marks_of,
)
from umpire.testing.skirmish.drawn import Scene, SceneWoods, View, ViewPiece, ViewPlan
from umpire.testing.skirmish.events import WindowClosed, happening
from umpire.testing.skirmish.orders import may_act, why_not_now
from umpire.testing.skirmish.state import SOMEBODY, WAYS, Believed, State, Unit, Wagon, is_open, lane_of, place, units


def view(believed: Believed, seat: Seat, outcome: Outcome) -> View:
    """What a seat's client draws."""
    lane, public = lane_of(believed), believed.public
    why_not = {command: why_not_now(believed, command) for command in seat.commands}
    return View(
        turn=public.turn,
        turns=lane.turns,
        phase=ViewPhase(
            key="turn",
            label=f"Turn {public.turn}: {public.side}",
            active=public.side,
            mine=not all(why_not.values()),
            rule="skirmish turn",
        ),
        you=ViewYou(commands=seat.commands, side=lane.commands[seat.commands[0]] if seat.commands else UNSET),
        sides={side: ViewSide(name=side, kind="side", colour=side) for side in lane.sides},
        commands={
            command: ViewCommand(name=command, side=side, own=command in seat.commands)
            for command, side in lane.commands.items()
        },
        pieces={unit.id: _piece(believed, seat, unit) for unit in units(believed).values()},
        contacts=ordered(
            {
                alias: _contact(contact)
                for command in seat.commands
                for alias, contact in believed.commands[command].contacts.items()
            }
        ),
        points={side: ViewPoints(total=total, lines=outcome.lines[side]) for side, total in outcome.points.items()},
        prompts={command: why or "Your turn: move, fire, or end it." for command, why in why_not.items()},
        outcome=ViewOutcome(is_over=True, winner=outcome.winner, why=outcome.why) if outcome.is_over else UNSET,
    )


def _piece(believed: Believed, seat: Seat, unit: Unit) -> ViewPiece:
    is_own, is_known = unit.command in seat.commands, unit.command != SOMEBODY
    marks = {"hero": unit.hero, "fired": "has fired" if unit.fired else ""}
    return ViewPiece(
        kind="wagon" if isinstance(unit, Wagon) else "unit",
        side=unit.side,
        command=unit.command if is_known else "",
        own=is_own,
        at=unit.at,
        label=unit.name,
        marks=marks_of({key: label for key, label in marks.items() if label and is_known}),
        facts=ordered(
            {
                **({"steps": str(unit.steps), "spent": str(unit.spent)} if is_known else {}),
                **({"aboard": WAYS[unit.hold.how].name} if unit.hold is not None else {}),
            }
        ),
        may_act=is_own and may_act(believed, unit),
    )


def _contact(contact: Contact) -> ViewContact:
    return ViewContact(
        kind=contact.kind,
        at=contact.at,
        status=contact.status,
        since=contact.since,
        seen=contact.seen,
        label=f"{contact.kind}, {contact.status.replace('_', ' ')}",
        facts={key: str(value) for key, value in contact.looks.items()},
    )


def truth(everything: Believed, state: State, outcome: Outcome) -> View:
    """What the umpire's desk draws: all units, who has them in sight, and the plans."""
    found = view(everything, Seat(name="umpire", role="umpire", commands=tuple(state.commands)), outcome)
    known = state.umpire.aliases.items()
    return replace(
        found,
        pieces={
            name: replace(
                piece,
                hidden=not is_open(state, name),
                seen_by=tuple(command for command, aliases in known if name in aliases),
            )
            for name, piece in found.pieces.items()
        },
        plans={
            force: ViewPlan(legs=(place(plan.goal),), on_contact=plan.on_contact, carried=plan.turn)
            for force, plan in state.umpire.plans.items()
        },
    )


def scene(believed: Believed, rules: Mapping[str, str]) -> Scene:
    """What does not change: the lane and its woods."""
    lane = lane_of(believed)
    woods = tuple(SceneWoods(key=str(at), kind="woods", at=place(at)) for at in lane.woods)
    return Scene(kind="lane", title=lane.title, length=lane.length, terrain=woods, rules=rules)


def line(event: Event, believed: Believed) -> LogLine | None:
    """The log line of a seat."""
    match event:
        case Told(report=report):
            words = [report.key.capitalize(), *map(str, report.values.values()), _hexes(report.places)]
            return LogLine(
                text=": ".join(word for word in words if word),
                kind=report.key,
                rule=report.rule,
                modifiers=report.modifiers,
                at=report.places,
            )
        case Sighted(contact=contact):
            return LogLine(text=f"A {contact.kind} is seen: {_hexes([contact.at])}", kind="sighted", at=(contact.at,))
        case Heard(contact=contact):
            return LogLine(text=f"Firing is heard: {_hexes([contact.at])}", kind="heard", at=(contact.at,))
        case Changed() | Lost() | FoundEmpty():
            return None
        case _:
            return happening.line(believed, event)


def chronicle(event: Any, state: State) -> LogLine:
    """The umpire's log line."""
    match event:
        case Thrown(roll=roll, faces=faces):
            text = f"{roll.purpose}: {', '.join(map(str, faces))}"
            return LogLine(text=text, kind="roll", rule=roll.rule, modifiers=roll.modifiers, faces=faces)
        case Drawn(draw=draw, taken=taken):
            return LogLine(text=f"{draw.purpose}: {taken}", kind="draw", rule=draw.rule)
        case KnowledgeEvent(command=command):
            return LogLine(text=f"{command}: {type(event).__name__.lower()}", kind="knowledge")
        case _:
            return world_line(state, event)


def world_line(state: State, event: Any) -> LogLine:
    """The line of a world event: who, what, where, and its values."""
    if isinstance(event, Boarded | PutDown | Lent | WindowClosed):
        return _ride_line(state, event)
    told = msgspec.structs.asdict(event)
    unit, at = told.pop("unit", ""), told.pop("at", None)
    kind, hexes = type(event).__name__.lower(), () if at is None else (place(at),)
    who = units(state)[unit].name if unit in units(state) else "a unit" if unit else ""
    words = [who, kind, _hexes(hexes), *map(str, told.values())]
    return LogLine(text=" ".join(word for word in words if word), kind=kind, at=hexes, pieces=(unit,) if unit else ())


def _ride_line(state: State, event: Boarded | PutDown | Lent | WindowClosed) -> LogLine:
    """The line of who gets on or off a wagon, by the names that they have here."""
    kind, known = type(event).__name__.lower(), units(state)
    pieces = () if isinstance(event, WindowClosed) else event.pieces
    who = ", ".join(known[each].name if each in known else "a unit" for each in pieces)
    match event:
        case Boarded(by=by, how=how):
            wagon = known[by].name if by in known else "a wagon"
            text = f"{who} boards {wagon}: {WAYS[how].name}"
        case PutDown(why=why, places=places):
            text = f"{who} is out of the wagon: {_hexes(places)} ({why or 'put down'})"
        case Lent(to=to):
            text = f"{who} goes with {to}"
        case _:
            text = "Nobody fires any more at who got out."
    return LogLine(text=text, kind=kind, pieces=pieces)


for _kind in happening.kinds:
    happening.says(_kind)(world_line)


def _hexes(places: Iterable[Place]) -> str:
    return ", ".join(f"hex {at[0]}" for at in places)
