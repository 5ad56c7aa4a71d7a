"""What commands come to know of what happens: contacts kept in line with what each sees, and sentences.

In a blind battle whatever of an enemy a command sees by `core 10.1` is a contact of its own: a unit as its counter
looks, a weapon that lies where own units are, a work. In an open battle what is hidden is revealed when it is seen, and
makes no contacts. Everything here depends on the state alone; nothing is rolled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from lnl.board.ground import place_named
from lnl.happening.impulses import ImpulseBegan
from lnl.happening.register import happening, hidden_ids, publishes
from lnl.happening.seeing import Disclosed, Looked
from lnl.happening.turn import BattleBegan
from lnl.knowledge.belief import believed
from lnl.knowledge.sighting import NEVER_SEEN, Knowledge, Watch, seen_lying, seen_pieces
from lnl.orders.dispatch import chapters
from lnl.state.battle import CommandPart, Loss, Piece, State, Unit, Weapon, Work
from lnl.state.finding import has_weapon, piece_of, side_of, unit, units_of, weapon, weapons_of
from lnl.state.setting import setting_of
from lnl.words.naming import UNKNOWN, counter_name, name_of
from umpire.kernel.events import Changed, Event, FoundEmpty, KnowledgeEvent, Lost, Sighted, Told
from umpire.kernel.ledger import Thrown
from umpire.kernel.pieces.finding import has, part_of
from umpire.kernel.states import Contact, Scalar, slice_of
from umpire.kernel.telling import named, reported, thrown, translated


def notice(before: State, cause: Any, after: State) -> tuple[KnowledgeEvent, ...]:
    """The knowledge events of a world event, a roll or a draw, for all commands at once."""
    found: list[KnowledgeEvent] = []
    if isinstance(cause, Event):
        is_anew = isinstance(cause, BattleBegan)
        found.extend(look(None if is_anew else before, after, settles=isinstance(cause, Looked)))
        found.extend(_told(before, cause, after, _out_of_eyes(found)))
        if isinstance(cause, Disclosed):
            found.extend(_disclosed(cause, after))
    elif isinstance(cause, Thrown):
        found.extend(_rolled(cause, after))
    for function in chapters.noticers.get(type(cause), ()):
        found.extend(function(before, cause, after))
    return tuple(found)


# Contacts


def look(before: State | None, after: State, *, settles: bool = False) -> Iterator[KnowledgeEvent]:
    """What brings the contacts of each command in line with what it sees now, given that they were in line before; of
    no state before, everything is looked at. Movers who have only just entered do not spot by adjacency before
    opportunity fire is over (`settles`); whom they have in sight already they do not lose. While sides set up nobody
    sees anything (L99): who is set up last would look around from every place of his zone. `core 6.0` d"""
    setting = setting_of(after)
    if setting.options.play != "blind" or after.public.phase == "set_up":
        return
    is_for_all = before is None or _matters(before, after)
    for command in setting.commands:
        # What it takes a place for, and so what it remembers there, turns on what it has before its eyes.
        if not is_for_all and before is not None and before.commands[command] is after.commands[command]:
            continue
        side = side_of(after, command)
        hostile = {name: part for name, part in after.commands.items() if side_of(after, name) != side}
        aliases, contacts = after.umpire.aliases.get(command, {}), after.commands[command].contacts
        is_somebody = any(part.pieces for part in hostile.values())
        if not (is_somebody or contacts or after.umpire.pieces):
            continue
        watch = Watch(after, command)
        seen: dict[str, Contact] = {}
        for part in hostile.values():
            for piece in seen_pieces(watch, part, None if settles else aliases):
                seen[piece.id] = contact_of(after, piece)
        seen.update((gun.id, contact_of(after, gun)) for gun in seen_lying(watch))
        # In the order of what is seen: that of true ids would tell who of them has been seen before.
        for subject, contact in sorted(seen.items(), key=_as_seen):
            alias = aliases.get(subject)
            if alias is None:
                yield Sighted(command=command, contact=contact, subject=subject)
                continue
            old = contacts[alias]
            if (old.at, old.looks, old.status) != (contact.at, contact.looks, "in_sight"):
                yield Changed(command=command, contact=replace(contact, alias=alias, since=old.since))
        for gun in after.umpire.pieces.values():
            if before is not None and gun.id not in seen and gun.id in before.commands[command].pieces:
                yield Sighted(command=command, contact=replace(contact_of(after, gun), status="remembered"))
        lost = {alias: subject for subject, alias in aliases.items() if subject not in seen}
        yield from _out_of_sight(after, command, watch, lost)


def _matters(before: State, after: State) -> bool:
    """Whether anything has changed that bears on who sees whom."""
    old, new = before.public, after.public
    if not (
        old.pieces is new.pieces
        and old.smoke is new.smoke
        and old.star_shells is new.star_shells
        and old.spotted is new.spotted
        and old.melees is new.melees
        and old.terrain is new.terrain
        and old.hour == new.hour
        and old.phase != "set_up"
    ):
        return True
    if before.umpire.pieces is not after.umpire.pieces:
        return True
    return any(_differs(before.commands.get(name), part) for name, part in after.commands.items())


def _differs(old: CommandPart | None, new: CommandPart) -> bool:
    return old is None or not (old.pieces is new.pieces and old.spotted is new.spotted)


def _as_seen(found: tuple[str, Contact]) -> tuple[str, tuple[int, ...], list[str]]:
    contact = found[1]
    return contact.kind, contact.at, [f"{key} {value}" for key, value in contact.looks.items()]


def _out_of_sight(after: State, command: str, watch: Watch, lost: Mapping[str, str]) -> Iterator[KnowledgeEvent]:
    """What is no longer seen is remembered where it was; what is gone for good goes, and so does what is remembered in
    a place into which the command can see now (what still is there it sees anew)."""
    contacts = after.commands[command].contacts
    gone = {alias for alias, subject in lost.items() if not _is_somewhere(after, subject)}
    for alias in sorted(lost):
        yield FoundEmpty(command=command, alias=alias) if alias in gone else Lost(command=command, alias=alias)
    knows = Knowledge(after, command)
    for alias, contact in contacts.items():
        is_remembered = contact.status in ("remembered", "told") or (alias in lost and alias not in gone)
        if is_remembered and _is_to_be_seen(contact) and _sees_into(watch, knows, contact):
            yield FoundEmpty(command=command, alias=alias)


def _is_somewhere(state: State, piece: str) -> bool:
    """Whether a piece is still in the battle, hidden, and of the kind that it was seen as."""
    try:
        is_hidden = part_of(state, piece) != "public"
    except KeyError:
        return False
    if has_weapon(state, piece):
        return is_hidden and not weapon(state, piece).owner
    return is_hidden


def _is_to_be_seen(contact: Contact) -> bool:
    """Whether a thing would be seen by who sees its place: mines would not, nor what the umpire tells of beside what
    there is."""
    return contact.kind in ("unit", "weapon", "work") and contact.looks.get("work") not in NEVER_SEEN


def _sees_into(watch: Watch, knows: Knowledge, contact: Contact) -> bool:
    """Whether a command would see what stands in the place of a contact."""
    place = (contact.at[0], contact.at[1], contact.at[2])
    if place in watch.eyes:
        return True
    if contact.kind == "weapon" or not knows.is_spotted(place):
        return False
    return watch.has_line(place) or watch.is_next_to(place, settled=False)


def _disclosed(cause: Disclosed, after: State) -> Iterator[KnowledgeEvent]:
    """The commands of the side are told what lies where: what they have and what they see they know already."""
    for command in after.commands:
        if side_of(after, command) != cause.side:
            continue
        found = [contact_of(after, piece) for each in cause.pieces if (piece := _unknown(after, command, each))]
        for contact in sorted(found, key=lambda each: _as_seen(("", each))):
            yield Sighted(command=command, contact=replace(contact, status="told"))


def _unknown(state: State, command: str, piece: str) -> Piece | None:
    if _holds(state, command, piece) or _alias(state, command, piece) is not None or not _is_somewhere(state, piece):
        return None
    return piece_of(state, piece)


def contact_of(state: State, piece: Piece) -> Contact:
    """A piece as an enemy who sees it has it."""
    if isinstance(piece, Unit):
        return _seen(state, "unit", piece.at, unit_looks(state, piece))
    if isinstance(piece, Weapon):
        return _seen(state, "weapon", piece.at, {"counter": piece.counter, "side": piece.side})
    assert isinstance(piece, Work)
    looks: dict[str, Scalar] = {"work": piece.kind, "side": piece.side}
    if piece.facing:
        looks["facing"] = piece.facing
    return _seen(state, "work", (*piece.at, 0), looks)


def unit_looks(state: State, each: Unit) -> Mapping[str, Scalar]:
    """What a unit shows: counter and side, the weapons that it carries, whether it is Shaken or wounded, its markers of
    movement and fire, and where a gun points."""
    looks: dict[str, Scalar] = {"counter": each.counter, "side": each.side}
    if held := sorted(gun.counter for gun in weapons_of(state, each)):
        looks["weapons"] = " ".join(held)
    if each.moved:
        looks["moved"] = each.moved
    if each.facing:
        looks["facing"] = each.facing
    marks = {
        "shaken": each.is_shaken,
        "wounded": each.is_wounded,
        "fired": each.fired,
        "moving": each.is_moving,
    }
    looks.update({key: True for key, is_so in marks.items() if is_so})
    return looks


def _seen(state: State, kind: str, at: tuple[int, ...], looks: Mapping[str, Scalar]) -> Contact:
    turn = state.public.turn
    return Contact(kind=kind, at=at, looks=dict(sorted(looks.items())), since=turn, seen=turn)


# Sentences


def _out_of_eyes(found: Iterable[KnowledgeEvent]) -> frozenset[tuple[str, str]]:
    """The aliases that are no longer in sight, each with its command."""
    return frozenset((each.command, each.alias) for each in found if isinstance(each, Lost | FoundEmpty))


def _told(
    before: State, cause: Event, after: State, lost: Collection[tuple[str, str]] = ()
) -> Iterator[KnowledgeEvent]:
    """Tells an event that is not public to the commands whose own it is, and to those who perceive it."""
    if type(cause) not in happening.lines or publishes(before, cause):
        return
    if isinstance(cause, ImpulseBegan):
        yield from _told_of_impulse(cause, after)
        return
    hidden = named(cause, hidden_ids(before) | hidden_ids(after))
    owners = _owners(before, cause, after, hidden)
    perceived = happening.kinds[type(cause)].perceived
    for command in after.commands:
        if command not in owners and not (perceived and hidden):
            continue
        aliases: dict[str, str] = {}
        for piece in hidden:
            if _holds(before, command, piece) or _holds(after, command, piece):
                continue
            alias = _alias(before, command, piece) or _alias(after, command, piece) or _gun(after, command, piece)
            if alias is None:
                break
            aliases[piece] = alias
        else:
            contacts = after.commands[command].contacts
            view = after if all(alias.partition(".")[0] in contacts for alias in aliases.values()) else before
            belief = believed(slice_of(view, (command,)))
            event: Event | None = translated(cause, aliases)
            if command not in owners and callable(perceived):
                event = perceived(event, belief, all((command, alias) not in lost for alias in aliases.values()))
            line = None if event is None else happening.line(belief, event)
            if line is not None:
                yield Told(command=command, report=reported(line))


def _told_of_impulse(cause: ImpulseBegan, after: State) -> Iterator[KnowledgeEvent]:
    """Its own command is told of an impulse, the others of what all see of it."""
    for command in after.commands:
        impulse = cause.impulse if command == cause.impulse.command else after.public.impulse
        if impulse is not None:
            line = happening.line(believed(slice_of(after, (command,))), ImpulseBegan(impulse=impulse))
            if line is not None:
                yield Told(command=command, report=reported(line))


def _owners(before: State, cause: Event, after: State, hidden: tuple[str, ...]) -> Collection[str]:
    """The commands whose own an event is: of the hidden pieces that it names, or of what it sets."""
    told = happening.kinds[type(cause)].told
    if told is not None:
        return told(before, cause, after)
    among = ((name, state) for state in (before, after) for name in after.commands)
    return {name for name, state in among for piece in hidden if _holds(state, name, piece)}


def _holds(state: State, command: str, piece: str) -> bool:
    return piece in state.commands[command].pieces


def _alias(state: State, command: str, piece: str) -> str | None:
    return state.umpire.aliases.get(command, {}).get(piece)


def _gun(state: State, command: str, piece: str) -> str | None:
    """What a belief calls a weapon in the hands of somebody whom a command has before its eyes."""
    if not has_weapon(state, piece) or not (owner := weapon(state, piece).owner):
        return None
    alias = _alias(state, command, owner)
    held = sorted(weapons_of(state, unit(state, owner)), key=lambda gun: gun.counter)
    return f"{alias}.{[gun.id for gun in held].index(piece) + 1}" if alias is not None else None


def _rolled(cause: Thrown, after: State) -> Iterator[KnowledgeEvent]:
    """A command is told its own roll with the modifiers that went into it; in an open battle everybody is, unless
    something hidden is rolled for."""
    roll = cause.roll
    if roll.secret:
        return
    is_for_all = roll.purpose == "initiative" or _is_open_roll(after, roll.subject)
    for command in after.commands:
        if command == roll.by or is_for_all:
            yield Told(command=command, report=thrown(cause, _subject(after, command, roll.subject)))


def _is_open_roll(state: State, subject: str) -> bool:
    """Whether everybody sees dice thrown that are not for the initiative: in an open battle for open pieces, and for
    places where open units are."""
    setting = setting_of(state)
    if setting.options.play != "open" or _is_hidden_piece(state, subject):
        return False
    try:
        place = place_named(setting.ground, subject)
    except KeyError:
        return True
    return any(each.at == place and each.is_placed for each in units_of(state.public))


def _is_hidden_piece(state: State, subject: str) -> bool:
    """Whether a subject names what is hidden, or was when it was lost."""
    words = subject.split()
    return any(
        _holds(state, name, word) or (not has(state, word) and any(loss.unit == word for loss in part.losses))
        for name, part in state.commands.items()
        for word in words
    )


def _subject(state: State, command: str, subject: str) -> str:
    """What a roll is about in the words of one command: pieces as it knows them, what is lost by its counter, a place
    or a side by its name; nothing where it does not know one of them."""
    setting = setting_of(state)
    said: list[str] = []
    for word in subject.split():
        if word in setting.sides:
            said.append(setting.sides[word].name)
        elif _is_hidden_piece(state, word) and not _is_own(state, command, word):
            if _alias(state, command, word) is None:
                return ""
            said.append(name_of(state, word))
        elif (name := name_of(state, word)) != UNKNOWN:
            said.append(name)
        elif lost := [loss for loss in _losses(state, command) if loss.unit == word]:
            said.append(counter_name(state, lost[0].counter))
        elif word == "turn" or word.isdigit():
            said.append(word)
        else:
            return subject if _is_place(state, subject) else ""
    return " ".join(said)


def _is_own(state: State, command: str, piece: str) -> bool:
    return _holds(state, command, piece) or any(loss.unit == piece for loss in state.commands[command].losses)


def _losses(state: State, command: str) -> Iterator[Loss]:
    """The losses of which a command knows."""
    yield from state.public.losses
    yield from state.commands[command].losses


def _is_place(state: State, words: str) -> bool:
    try:
        place_named(setting_of(state).ground, words)
    except KeyError:
        return False
    return True
