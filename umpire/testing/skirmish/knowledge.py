"""Who knows what in Skirmish: `notice` reads the truth and writes knowledge, `believed` reads knowledge alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, cast

from msgspec.structs import replace

from umpire.kernel.events import (
    Changed,
    Event,
    FoundEmpty,
    Heard,
    KnowledgeEvent,
    Lost,
    Report,
    Sighted,
    Told,
    alias_of,
    learn,
)
from umpire.kernel.ledger import Drawn, Thrown
from umpire.kernel.pieces.changing import add
from umpire.kernel.settings import half
from umpire.kernel.states import Contact, Slice
from umpire.kernel.values.maps import ordered, put
from umpire.testing.skirmish.events import (
    Fell,
    Fired,
    Hit,
    Met,
    Stopped,
    TurnBegun,
)
from umpire.testing.skirmish.state import (
    RANGE,
    SOMEBODY,
    STACK,
    Believed,
    Part,
    Plan,
    Secrets,
    State,
    Umpire,
    Unit,
    at_hex,
    is_open,
    lane_of,
    place,
    units,
)

Cause = Event | Thrown | Drawn


def is_in_view(state: State, command: str, at: int) -> bool:
    """Whether a command looks into a hex: two hexes far, into woods only from the next.

    skirmish sight
    """
    far = 1 if at in lane_of(state).woods else RANGE
    return any(unit.command == command and abs(unit.hex - at) <= far for unit in units(state).values())


def notice(before: State, cause: Cause, after: State) -> Sequence[KnowledgeEvent]:
    """What each command comes to know: what it is told first, for the words are about what it saw until then."""
    found: list[KnowledgeEvent] = []
    for command in after.commands:
        found.extend(Told(command=command, report=report) for report in _reports(before, cause, after, command))
        if not isinstance(cause, Thrown | Drawn):
            found.extend(_sightings(cause, after, command))
    return found


def look(before: State | None, after: State) -> Iterator[KnowledgeEvent]:
    """Contacts of all commands, or of those who know something else than before, against the truth."""
    for command in after.commands:
        if before is None or before.commands[command] is not after.commands[command]:
            yield from _sightings(None, after, command)


def _sightings(cause: Event | None, after: State, command: str) -> Iterator[KnowledgeEvent]:
    """Contacts of one command against the truth. An alias lasts while sight lasts; a remembered contact or a noise goes
    when its place is seen, and a noise with the turn."""
    everybody, turn = units(after), after.public.turn
    for subject, alias in after.umpire.aliases.get(command, {}).items():
        contact = after.commands[command].contacts[alias]
        unit = everybody.get(subject)
        if unit is None or is_open(after, subject):
            yield FoundEmpty(command=command, alias=alias)
        elif is_in_view(after, command, unit.hex):
            if contact.at != unit.at:
                yield Changed(command=command, contact=replace(contact, at=unit.at, seen=turn))
        elif is_in_view(after, command, contact.at[0]):
            yield FoundEmpty(command=command, alias=alias)
        else:
            if contact.seen != turn:
                yield Changed(command=command, contact=replace(contact, seen=turn))
            yield Lost(command=command, alias=alias)
    known = after.umpire.aliases.get(command, {}).values()
    for alias, contact in after.commands[command].contacts.items():
        is_stale = isinstance(cause, TurnBegun) and contact.status == "heard"
        if alias not in known and (is_stale or is_in_view(after, command, contact.at[0])):
            yield FoundEmpty(command=command, alias=alias)
    for unit in everybody.values():
        if unit.command != command and not is_open(after, unit.id):
            if is_in_view(after, command, unit.hex):
                if alias_of(after, command, unit.id) is None:
                    yield Sighted(command=command, contact=_contact(after, unit), subject=unit.id)
            elif isinstance(cause, Fired) and cause.unit == unit.id:
                noise = Contact(kind="noise", at=unit.at, since=turn, seen=turn, status="heard")
                yield Heard(command=command, contact=noise)


def _contact(state: State, unit: Unit) -> Contact:
    turn = state.public.turn
    return Contact(kind="unit", at=unit.at, looks={"side": unit.side}, since=turn, seen=turn)


def _reports(before: State, cause: Cause, after: State, command: str) -> Iterator[Report]:
    """What a command is told besides: its own rolls with their modifiers, those of open units without, what its units
    met, and the end of what it sees."""
    match cause:
        case Thrown(roll=roll, faces=faces):
            values = {"purpose": roll.purpose, "faces": ", ".join(map(str, faces))}
            if roll.by == command:
                yield Report(key="rolled", values=values, modifiers=roll.modifiers, rule=roll.rule)
            elif is_open(after, roll.subject) and not roll.secret:
                yield Report(key="rolled", values=values, rule=roll.rule)
        case Met(unit=unit, at=at, text=text) if not is_open(before, unit) and _own(before, unit, command):
            yield Report(key="met", values={"text": text}, places=(place(at),), rule="skirmish event")
        case Stopped(unit=unit, at=at, why=why) if not is_open(before, unit) and _own(before, unit, command):
            yield Report(key="stopped", values={"why": why}, places=(place(at),), rule="skirmish move")
        case Hit(unit=unit) | Fell(unit=unit) if not is_open(before, unit):
            if _own(before, unit, command) or alias_of(before, command, unit) is not None:
                key = "hit" if isinstance(cause, Hit) else "fell"
                yield Report(key=key, places=(units(before)[unit].at,), rule="skirmish fire")


def _own(state: State, unit: str, command: str) -> bool:
    return units(state)[unit].command == command


def believed(known: Slice) -> Believed:
    """Own and open units, and what is in sight now as units of two steps; what is remembered or heard binds no rule."""
    commands = dict(known.commands)
    seen = {}
    for part in known.commands.values():
        for alias, contact in part.contacts.items():
            if contact.status == "in_sight" and "side" in contact.looks and not _is_own(known, contact):
                side = str(contact.looks["side"])
                seen[alias] = Unit(id=alias, command=SOMEBODY, side=side, name="a unit", at=place(contact.at[0]))
    commands[SOMEBODY] = Part(pieces=ordered(seen))
    return Believed(public=known.public, commands=ordered(commands), umpire=Umpire())


def _is_own(known: Slice, contact: Contact) -> bool:
    """One command may see another of the same seat."""
    return any(unit.at == contact.at for part in known.commands.values() for unit in part.pieces.values())


def another(state: State, command: str, random: Random) -> State:
    """Other hidden units, plans, standing orders and events; a command has the same slice and sees the same."""
    seen = state.umpire.aliases.get(command, {})
    names: dict[str, str] = {}
    world = replace(state, umpire=replace(state.umpire, plans={}, events=_other_events(state, random)))
    is_same = random.random() < 0.5
    for name, part in state.commands.items():
        if name == command:
            continue
        others: dict[str, Unit] = {}
        for unit in part.pieces.values():
            names[unit.id] = f"w{random.getrandbits(40):010x}"
            if unit.id in seen:
                steps = unit.steps if is_same else random.randint(1, 2)
                others[names[unit.id]] = replace(unit, id=names[unit.id], steps=steps)
        fire = random.choice(("ask", "hold", "near", "any")) if lane_of(state).blind else part.fire
        part = replace(part, pieces=ordered(others), contacts={}, fire=fire)
        world = replace(world, commands=put(world.commands, name, part))
    for name, part in state.commands.items():
        if name != command:
            unseen = [unit for unit in part.pieces.values() if unit.id not in seen]
            world = _scattered(world, command, name, [replace(unit, id=names[unit.id]) for unit in unseen], random)
    aliases = {command: ordered({names.get(subject, subject): alias for subject, alias in seen.items()})}
    world = replace(world, umpire=replace(world.umpire, aliases=aliases if seen else {}))
    return _looked_around(world, command, random)


def _other_events(state: State, random: Random) -> tuple[int, ...]:
    there = sorted(int(at) for at in cast(Secrets, half(state.umpire.setting)).events)
    return tuple(at for at in there if random.random() < 0.7)


def _scattered(state: State, command: str, name: str, there: list[Unit], random: Random) -> State:
    """The unseen units of a command of whatever number, each where it fits and `command` does not look; the first of
    them stays in the battle, for all may see a side come to its end."""
    if there and random.random() < 0.3:
        there = there[: max(1, len(there) - 1)]
    elif there and random.random() < 0.3:
        there = [*there, replace(there[0], id=f"w{random.getrandbits(40):010x}", name="others")]
    for index, unit in enumerate(there):
        free = [at for at in range(lane_of(state).length) if _fits(state, unit, at, command)]
        if free:
            unit = replace(unit, at=place(random.choice(free)), steps=random.randint(1, 2))
            state = add(state, unit)
            if random.random() < 0.4:
                plan = Plan(goal=random.randrange(lane_of(state).length), on_contact=random.choice(("halt", "ask")))
                state = replace(state, umpire=replace(state.umpire, plans=put(state.umpire.plans, unit.id, plan)))
        elif index == 0:
            raise LookupError(f"no hex is left for a unit that {command} does not see")
    return state


def _fits(state: State, unit: Unit, at: int, command: str) -> bool:
    others = list(at_hex(state, at))
    return (
        not is_in_view(state, command, at)
        and len(others) < STACK
        and all(other.command == unit.command for other in others)
    )


def _looked_around(state: State, command: str, random: Random) -> State:
    """Every command but one sees what is there to be seen, under new aliases."""
    for name in state.commands:
        if name != command:
            for event in _sightings(TurnBegun(turn=0, side=""), state, name):
                assert isinstance(event, Sighted)
                contact: Any = replace(event.contact, alias=f"w{random.getrandbits(40):010x}")
                state = learn(state, replace(event, contact=contact))
    return state
