"""What commands come to know of what happens: contacts kept in line with the table, and sentences.

Whatever of a hidden command is on the table is seen by every enemy command, as a contact: a figure as its model looks,
a card as a card, all face-down ones alike, a counter as a counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from fireforce.happening.register import happening
from fireforce.happening.turn import (
    BattleBegan,
)
from fireforce.knowledge.belief import believed
from fireforce.orders.checks import command_of
from fireforce.orders.dispatch import noticers
from fireforce.state.battle import (
    Card,
    CommandPart,
    Counter,
    Figure,
    Squad,
    State,
)
from fireforce.state.finding import (
    figures,
)
from fireforce.state.setting import PublicSetting, ground_of, kind_of_side, setting_of, tables_of, weapon_kind
from fireforce.table.ranges import base_to_base
from fireforce.table.sight import Eye, can_see
from umpire.kernel.events import Changed, Event, FoundEmpty, KnowledgeEvent, Lost, Sighted, Told
from umpire.kernel.ledger import Drawn, Thrown
from umpire.kernel.states import Contact, Scalar, slice_of
from umpire.kernel.telling import named, reported, thrown, translated


def notice(before: State, cause: Any, after: State) -> tuple[KnowledgeEvent, ...]:
    """The knowledge events of a world event, a roll or a draw, for all commands at once."""
    found: list[KnowledgeEvent] = []
    if type(cause) in happening.kinds:
        found.extend(look(None if isinstance(cause, BattleBegan) else before, after))
        found.extend(_told(before, cause, after))
    elif isinstance(cause, Thrown):
        found.extend(_rolled(cause, after))
    elif isinstance(cause, Drawn):
        pass
    for function in noticers.get(type(cause), ()):
        found.extend(function(before, cause, after))
    return tuple(found)


# Contacts


def on_table(state: State, command: str, among: frozenset[str] | None = None) -> Mapping[str, Contact]:
    """What a hidden command has on the table, as its enemies see it, by true id; with `among` of these pieces only."""
    setting = setting_of(state)
    pieces = state.commands[command].pieces
    found: dict[str, Contact] = {}
    for key in pieces if among is None else sorted(among):
        match pieces.get(key):
            case Figure(is_placed=True, is_fit=True, is_off=False) as man:
                found[key] = _seen(state, "figure", man.at, figure_looks(setting, man))
            case Card(is_on_table=True) as card:
                found[key] = _seen(state, "card", card.at, card_looks(state, card))
            case Counter(at=at):
                found[key] = _seen(state, "counter", at, {"side": setting.commands[command].side})
    return found


def figure_looks(setting: PublicSetting, man: Figure) -> Mapping[str, Scalar]:
    """What a model shows: the kind of weapon, whose side, whether it moves, lies pinned, gives way, is a civilian or
    mounted."""
    looks: dict[str, Scalar] = {"side": man.side}
    if man.weapons:
        looks["weapon"] = weapon_kind(setting, man.weapons[0])
    if man.moved:
        looks["moved"] = man.moved
    if man.pinned:
        looks["pinned"] = man.pinned
    if man.must_withdraw:
        looks["gives_way"] = True
    if man.is_civilian:
        looks["civilian"] = True
    if "mounted" in man.traits:
        looks["mounted"] = True
    return looks


def card_looks(state: State, card: Card) -> Mapping[str, Scalar]:
    """A face-down card shows whose it is and nothing else; face up what it is and what lies there."""
    looks: dict[str, Scalar] = {"side": setting_of(state).commands[card.command].side}
    if card.is_face_up:
        looks["card"] = card.kind
        if not card.stores.is_empty:
            looks.update(arms=card.stores.arms, food=card.stores.food, heavy=card.stores.heavy)
    return looks


def _seen(state: State, kind: str, at: tuple[int, ...], looks: Mapping[str, Scalar]) -> Contact:
    turn = state.public.turn
    return Contact(kind=kind, at=at, looks=dict(sorted(looks.items())), since=turn, seen=turn)


def look(before: State | None, after: State) -> Iterator[KnowledgeEvent]:
    """What brings the contacts of each command in line with what its enemies have on the table now, given that they
    were in line before; of no state before, everything is looked at. Contacts of pieces that are as they were are in
    line already."""
    yield from _seen_empty(before, after)
    changed = {
        name: pieces
        for name, part in after.commands.items()
        if (pieces := _changed(None if before is None else before.commands.get(name), part))
    }
    if not changed:
        return
    setting = setting_of(after)
    table = {name: on_table(after, name, pieces) for name, pieces in changed.items()}
    for watcher, command in setting.commands.items():
        known = after.umpire.aliases.get(watcher, {})
        contacts = after.commands[watcher].contacts
        for name in changed:
            if setting.commands[name].side == command.side:
                continue
            # In the order of what is seen: that of true ids would tell who of them has been seen before.
            for subject, contact in sorted(table[name].items(), key=_as_seen):
                alias = known.get(subject)
                if alias is None:
                    yield Sighted(command=watcher, contact=contact, subject=subject)
                    continue
                old = contacts[alias]
                if (old.at, old.looks, old.status) != (contact.at, contact.looks, "in_sight"):
                    new = replace(contact, alias=alias, since=old.since)
                    yield Changed(command=watcher, contact=new)
            for subject, alias in known.items():
                if subject in changed[name] and subject not in table[name]:
                    yield _out_of_sight(after, watcher, name, subject, alias)


def _as_seen(found: tuple[str, Contact]) -> tuple[str, tuple[int, ...], list[str]]:
    contact = found[1]
    return contact.kind, contact.at, [f"{key} {value}" for key, value in contact.looks.items()]


def _out_of_sight(after: State, watcher: str, name: str, subject: str, alias: str) -> KnowledgeEvent:
    """A figure that is still somewhere is remembered; what has left the table for good goes."""
    match after.commands[name].pieces.get(subject):
        case Figure(is_fit=True, is_off=False) | Card(is_face_up=False):
            return Lost(command=watcher, alias=alias)
    return FoundEmpty(command=watcher, alias=alias)


def _seen_empty(before: State | None, after: State) -> Iterator[KnowledgeEvent]:
    """What a command remembers, or was told of, goes where one of its men could not miss whoever is there, and finds
    nobody: within the distance at which even a prepared position is found, with a line of sight. With cards on the
    table it is the same distance, for who is hidden lies under a card that everybody sees. It turns on what the command
    knows alone; who is there all the same is sighted anew. A card, which need not be troops, goes where he stands on
    its place (C120). `fireforce visibility`"""
    for command, part in after.commands.items():
        if before is not None and before.public is after.public and before.commands.get(command) is part:
            continue
        past = {
            alias: each
            for alias, each in part.contacts.items()
            if each.status in ("remembered", "told") and each.kind in ("figure", "card", "counter")
        }
        if not past:
            continue
        own = [
            man
            for man in figures(after)
            if man.command == command and man.is_fit and not man.is_pinned and not man.is_civilian
        ]
        for alias, each in past.items():
            place = (each.at[0], each.at[1])
            reach = 0 if each.kind == "card" else _surely_found(after, str(each.looks.get("side", "")))
            near = [Eye(man.at, man.radius) for man in own if base_to_base(man.at, place) <= reach]
            if near and any(can_see(ground_of(after), Eye(place), near)):
                yield FoundEmpty(command=command, alias=alias)


def _surely_found(state: State, side: str) -> int:
    """The distance at which troops of a side are found wherever they lie; of no side, where one touches them."""
    if side not in setting_of(state).sides:
        return 0
    found = tables_of(state).spotting(f"{kind_of_side(state, side)}_stationary", "prepared", "map", state.public.hour)
    return found if isinstance(found, int) else 0


def _changed(before: CommandPart | None, after: CommandPart) -> frozenset[str]:
    """The figures, cards and counters of a command that are other than before, new, or gone."""
    new = after.pieces
    if before is None:
        return frozenset(new)
    old = before.pieces
    if old is new:
        return frozenset()
    found = [key for key, piece in new.items() if old.get(key) is not piece and not isinstance(piece, Squad)]
    return frozenset((*found, *(key for key in old if key not in new)))


# Sentences


def _told(before: State, cause: Event, after: State) -> Iterator[KnowledgeEvent]:
    """Tells an event that is not public to the commands whose own it is, and to those who perceive it."""
    kind = happening.kinds[type(cause)]
    if type(cause) not in happening.lines or happening.publishes(before, cause):
        return
    hidden = happening.named_hidden(before, cause) or happening.named_hidden(after, cause)
    if kind.told is not None:
        owners = {*kind.told(before, cause, after)}
    else:
        owners = {owner for piece in hidden if (owner := command_of(after, piece) or command_of(before, piece))}
    for command in after.commands:
        if command not in owners and not (kind.perceived and hidden):
            continue
        seen = cause
        if command not in owners and callable(kind.perceived):
            seen = kind.perceived(cause, believed(slice_of(after, (command,))), True)
        about = hidden if seen is cause else named(seen, hidden)
        foreign = [piece for piece in about if not _holds(before, after, command, piece)]
        aliases: dict[str, str] = {}
        for piece in foreign:
            alias = _alias(before, after, command, piece)
            if alias is None:
                break
            aliases[piece] = alias
        else:
            event = translated(seen, aliases)
            view = after if _names_known(after, command, aliases) else before
            line = happening.line(believed(slice_of(view, (command,))), event)
            if line is not None:
                yield Told(command=command, report=reported(line))


def _holds(before: State, after: State, command: str, piece: str) -> bool:
    return command_of(after, piece) == command or command_of(before, piece) == command


def _alias(before: State, after: State, command: str, piece: str) -> str | None:
    known = before.umpire.aliases.get(command, {}).get(piece)
    return known or after.umpire.aliases.get(command, {}).get(piece)


def _names_known(after: State, command: str, aliases: Mapping[str, str]) -> bool:
    contacts = after.commands[command].contacts
    return all(alias in contacts for alias in aliases.values())


def _rolled(cause: Thrown, after: State) -> Iterator[KnowledgeEvent]:
    """A command is told its own roll with the modifiers that went into it."""
    roll = cause.roll
    if roll.secret or roll.by not in after.commands:
        return
    yield Told(command=roll.by, report=thrown(cause))
