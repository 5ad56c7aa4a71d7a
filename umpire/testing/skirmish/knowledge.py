"""Who knows what in Skirmish: `notice` reads the truth and writes knowledge, `believed` reads knowledge alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
from umpire.kernel.pieces.finding import held
from umpire.kernel.pieces.piece import Hold
from umpire.kernel.pieces.ways import shows
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
    ROOM,
    SOMEBODY,
    STACK,
    WAYS,
    Believed,
    Part,
    Plan,
    Secrets,
    State,
    Umpire,
    Unit,
    Wagon,
    at_hex,
    is_open,
    lane_of,
    lookouts,
    place,
    roots,
    units,
)

BACK, TOP = "in the back", {1: "on top, weak", 2: "on top"}
"""Words of a contact for those whom it carries: in the back, and on top by their steps."""

Cause = Event | Thrown | Drawn


def is_in_view(state: State, command: str, at: int) -> bool:
    """Whether a command looks into a hex: two hexes far, into woods only from the next.

    skirmish sight
    """
    far = 1 if at in lane_of(state).woods else RANGE
    return any(abs(unit.hex - at) <= far for unit in lookouts(state, command))


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
    standing, turn = roots(after), after.public.turn
    for subject, alias in after.umpire.aliases.get(command, {}).items():
        contact = after.commands[command].contacts[alias]
        unit = standing.get(subject)
        if unit is None or unit.command == command or is_open(after, subject):
            yield FoundEmpty(command=command, alias=alias)
        elif is_in_view(after, command, unit.hex):
            people, words = aboard(after, unit), (BACK, *TOP.values())
            was = {word: contact.looks[word] for word in words if word in contact.looks}
            if contact.at != unit.at or was != people:
                itself = {word: look for word, look in contact.looks.items() if word not in words}
                with_people: Any = ordered({**itself, **people})
                yield Changed(command=command, contact=replace(contact, at=unit.at, looks=with_people, seen=turn))
        elif is_in_view(after, command, contact.at[0]):
            yield FoundEmpty(command=command, alias=alias)
        else:
            if contact.seen != turn:
                yield Changed(command=command, contact=replace(contact, seen=turn))
            yield Lost(command=command, alias=alias)
    known = after.umpire.aliases.get(command, {}).values()
    away = {unit.name: unit for unit in _lent_by(after, command)}
    for alias, contact in after.commands[command].contacts.items():
        if contact.status == "told":
            if away.pop(str(contact.looks["name"]), None) is None:
                yield FoundEmpty(command=command, alias=alias)
            continue
        is_stale = isinstance(cause, TurnBegun) and contact.status == "heard"
        if alias not in known and (is_stale or is_in_view(after, command, contact.at[0])):
            yield FoundEmpty(command=command, alias=alias)
    for unit in away.values():
        looks = ordered({"name": unit.name, "side": unit.side, "with": unit.command})
        lent = Contact(kind="unit", at=unit.at, looks=looks, since=turn, seen=turn, status="told")
        yield Sighted(command=command, contact=lent)
    others = [unit for unit in standing.values() if unit.command != command and not is_open(after, unit.id)]
    # In the order of what is seen, for that of their ids would tell which of two is which.
    for unit in sorted(others, key=lambda unit: _seen_as(after, unit)):
        if is_in_view(after, command, unit.hex):
            if alias_of(after, command, unit.id) is None:
                yield Sighted(command=command, contact=_contact(after, unit), subject=unit.id)
        elif isinstance(cause, Fired) and cause.unit == unit.id:
            noise = Contact(kind="noise", at=unit.at, since=turn, seen=turn, status="heard")
            yield Heard(command=command, contact=noise)


def _seen_as(state: State, unit: Unit) -> tuple[Any, ...]:
    """Where a unit is and how it looks, to put it in an order."""
    found = _contact(state, unit)
    return (found.at, found.kind, tuple(found.looks.items()))


def _lent_by(state: State, command: str) -> list[Unit]:
    """The hidden units of a command that another one has: it is told with whom they are, not where."""
    return [unit for unit in units(state).values() if unit.home == command and not is_open(state, unit.id)]


def _contact(state: State, unit: Unit) -> Contact:
    turn, kind = state.public.turn, "wagon" if isinstance(unit, Wagon) else "unit"
    looks: dict[str, Any] = {"side": unit.side, **aboard(state, unit)}
    return Contact(kind=kind, at=unit.at, looks=ordered(looks), since=turn, seen=turn)


def aboard(state: State, wagon: Unit) -> dict[str, int]:
    """What is seen of those whom a wagon carries: how many are in the back, and on top those of one step and of two.
    Only what there is has a word; so one who carries nobody looks like one whose people are inside.

    skirmish wagon
    """
    found: Counter[str] = Counter()
    for each in held(state, wagon.id, Unit):
        match shows(WAYS, state, each):
            case "how_many":
                found[BACK] += 1
            case "looks":
                found[TOP[each.steps]] += 1
    return dict(found)


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
    seen: dict[str, Unit] = {}
    for part in known.commands.values():
        for alias, contact in part.contacts.items():
            if contact.status == "in_sight" and "side" in contact.looks and not _is_own(known, contact):
                seen.update({unit.id: unit for unit in _seen(alias, contact)})
    commands[SOMEBODY] = Part(pieces=ordered(seen))
    return Believed(public=known.public, commands=ordered(commands), umpire=Umpire())


def _seen(alias: str, contact: Contact) -> Iterator[Unit]:
    """A contact in sight as a unit, and what is seen of those whom it carries, named by it and their number."""
    side, at = str(contact.looks["side"]), place(contact.at[0])
    kind = Wagon if contact.kind == "wagon" else Unit
    yield kind(id=alias, command=SOMEBODY, side=side, name=f"a {contact.kind}", at=at)
    riders = [("on_top", steps) for steps, look in TOP.items() for _ in range(int(contact.looks.get(look, 0)))]
    riders += [("in_back", 2)] * int(contact.looks.get(BACK, 0))
    for n, (how, steps) in enumerate(riders, 1):
        hold = Hold(by=alias, how=how, n=n)
        yield Unit(id=f"{alias}.{n}", command=SOMEBODY, side=side, name="a unit aboard", at=at, steps=steps, hold=hold)


def _is_own(known: Slice, contact: Contact) -> bool:
    """One command may see another of the same seat."""
    return any(unit.at == contact.at for part in known.commands.values() for unit in part.pieces.values())


def another(state: State, command: str, random: Random) -> State:
    """Other hidden units, plans, standing orders and events; a command has the same slice and sees the same."""
    seen = state.umpire.aliases.get(command, {})
    names = {unit.id: f"w{random.getrandbits(40):010x}" for unit in _hidden_from(state, command)}
    world = replace(state, umpire=replace(state.umpire, plans={}, events=_other_events(state, random)))
    is_same = random.random() < 0.5
    for name, part in state.commands.items():
        if name != command:
            fire = random.choice(("ask", "hold", "near", "any")) if lane_of(state).blind else part.fire
            world = replace(world, commands=put(world.commands, name, replace(part, pieces={}, contacts={}, fire=fire)))
    scattered: dict[str, list[Load]] = {}
    for unit in _hidden_from(state, command):
        if unit.hold is not None:
            continue
        load = _renamed(state, unit, names)
        if unit.id in seen or any(each.home == command for each in load):
            world = _put(world, _otherwise_laden(load, command, random, is_same=is_same))
        else:
            scattered.setdefault(unit.command, []).append(load)
    for name, loads in scattered.items():
        world = _scattered(world, command, name, loads, random)
    aliases = {command: ordered({names.get(subject, subject): alias for subject, alias in seen.items()})}
    world = replace(world, umpire=replace(world.umpire, aliases=aliases if seen else {}))
    return _looked_around(world, command, random)


Load = list[Unit]
"""A unit that stands by itself, and after it whom it carries."""


def _hidden_from(state: State, command: str) -> list[Unit]:
    return [unit for name, part in state.commands.items() if name != command for unit in part.pieces.values()]


def _renamed(state: State, unit: Unit, names: Mapping[str, str]) -> Load:
    load = [unit, *held(state, unit.id, Unit)]
    holds = [each.hold and replace(each.hold, by=names[each.hold.by]) for each in load]
    return [replace(each, id=names[each.id], hold=hold) for each, hold in zip(load, holds, strict=True)]


def _otherwise_laden(load: Load, command: str, random: Random, *, is_same: bool) -> Load:
    """A unit that is seen, with other strength and other people where nothing shows them."""
    unit, *people = load
    kept = []
    for each in people:
        if each.hold is not None and WAYS[each.hold.how].shown == "nothing" and each.home != command:
            if random.random() < 0.5:
                continue
        if each.hold is not None and WAYS[each.hold.how].shown != "looks":
            each = replace(each, steps=random.randint(1, 2))
        kept.append(each)
    if isinstance(unit, Wagon) and len(kept) < ROOM and random.random() < 0.4:
        hold = Hold(by=unit.id, how="inside", n=1 + max((each.hold.n for each in kept if each.hold), default=0))
        kept.append(
            Unit(
                id=f"w{random.getrandbits(40):010x}",
                command=unit.command,
                side=unit.side,
                name="others",
                at=unit.at,
                hold=hold,
            )
        )
    return [unit if is_same else replace(unit, steps=random.randint(1, 2)), *kept]


def _put(state: State, load: Load) -> State:
    """A unit stands in its command's part, with whom it carries."""
    part = state.commands[load[0].command]
    pieces = ordered({**part.pieces, **{each.id: each for each in load}})
    return replace(state, commands=put(state.commands, load[0].command, replace(part, pieces=pieces)))


def _other_events(state: State, random: Random) -> tuple[int, ...]:
    there = sorted(int(at) for at in cast(Secrets, half(state.umpire.setting)).events)
    return tuple(at for at in there if random.random() < 0.7)


def _scattered(state: State, command: str, name: str, there: list[Load], random: Random) -> State:
    """The unseen units of a command of whatever number, each where it fits and `command` does not look; the first of
    them stays in the battle, for all may see a side come to its end."""
    if there and random.random() < 0.3:
        there = there[: max(1, len(there) - 1)]
    elif there and random.random() < 0.3:
        there = [*there, [replace(there[0][0], id=f"w{random.getrandbits(40):010x}", name="others")]]
    for index, load in enumerate(there):
        unit = load[0]
        free = [at for at in range(lane_of(state).length) if _fits(state, unit, at, command)]
        if free:
            at = place(random.choice(free))
            state = _put(state, [replace(each, at=at, steps=random.randint(1, 2)) for each in load])
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
