"""How to find one's way in a state: figures, squads, cards, counters, sides, plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fireforce.state.battle import Card, Counter, Figure, Plan, Reserve, Squad, State
from fireforce.state.setting import setting_of
from umpire.kernel.events import subject_of
from umpire.kernel.states import Belief, Contact


def part_of(state: State, piece: str) -> str:
    """Where a figure, squad, card, counter or reserve stands: "public" or the name of a command. Raises KeyError."""
    if piece in state.public.figures or piece in state.public.squads:
        return "public"
    for name, part in state.commands.items():
        if any(piece in pieces for pieces in (part.figures, part.squads, part.cards, part.counters, part.reserves)):
            return name
    raise KeyError(piece)


def figures(state: State) -> Iterator[Figure]:
    """All figures that the state holds, wherever they stand; the public ones first, then by command."""
    yield from state.public.figures.values()
    for part in state.commands.values():
        yield from part.figures.values()


def squads(state: State) -> Iterator[Squad]:
    """All squads that the state holds."""
    yield from state.public.squads.values()
    for part in state.commands.values():
        yield from part.squads.values()


def cards(state: State) -> Iterator[Card]:
    """All cards that the state holds (in a belief the seat's own: others' are contacts)."""
    for part in state.commands.values():
        yield from part.cards.values()


def counters(state: State) -> Iterator[Counter]:
    """All counters that the state holds."""
    for part in state.commands.values():
        yield from part.counters.values()


def reserves(state: State) -> Iterator[Reserve]:
    """All squads off the table that the state holds."""
    for part in state.commands.values():
        yield from part.reserves.values()


def has_figure(state: State, piece: str) -> bool:
    return piece in state.public.figures or any(piece in part.figures for part in state.commands.values())


def figure(state: State, piece: str) -> Figure:
    """The figure with this id. Raises KeyError."""
    found = state.public.figures.get(piece)
    if found is not None:
        return found
    for part in state.commands.values():
        if piece in part.figures:
            return part.figures[piece]
    raise KeyError(piece)


def squad(state: State, piece: str) -> Squad:
    """The squad with this id. Raises KeyError."""
    if piece in state.public.squads:
        return state.public.squads[piece]
    for part in state.commands.values():
        if piece in part.squads:
            return part.squads[piece]
    raise KeyError(piece)


def card(state: State, piece: str) -> Card:
    """The card with this id. Raises KeyError."""
    for part in state.commands.values():
        if piece in part.cards:
            return part.cards[piece]
    raise KeyError(piece)


def counter(state: State, piece: str) -> Counter:
    """The counter with this id. Raises KeyError."""
    for part in state.commands.values():
        if piece in part.counters:
            return part.counters[piece]
    raise KeyError(piece)


def squad_of(state: State, man: Figure) -> Squad | None:
    """The squad of a figure; None for one without, and for an enemy in a belief, whose squad nobody can tell."""
    return squad(state, man.squad) if man.squad else None


def team_of(unit: Squad, man: str) -> str:
    """The name of the team to which a figure belongs; "" for one of another squad."""
    return next((name for name, team in unit.teams.items() if man in team.members), "")


def members_of(state: State, unit: Squad, team: str = "") -> tuple[Figure, ...]:
    """The fit figures of a squad, or of one of its teams, in printed order."""
    among = unit.teams[team].members if team else unit.members
    found = (figure(state, each) for each in among if has_figure(state, each))
    return tuple(man for man in found if man.is_fit)


def has_members(state: State, unit: Squad) -> bool:
    """Whether any figure of a squad is fit."""
    return any(figure(state, each).is_fit for each in unit.members if has_figure(state, each))


def card_over(state: State, unit: str) -> Card | None:
    """The card under which a squad lies face down, if it does."""
    return next(
        (each for each in cards(state) if each.squad == unit and each.is_on_table and not each.is_face_up), None
    )


def counter_over(state: State, man: str) -> Counter | None:
    """The counter that stands for a figure, if one does."""
    return next((each for each in counters(state) if man in each.figures), None)


def side_of(state: State, command: str) -> str:
    """The side of a command, from the setting. Raises KeyError."""
    return setting_of(state).commands[command].side


def sides(state: State) -> tuple[str, ...]:
    """The sides of the battle, by key."""
    return tuple(setting_of(state).sides)


def is_open_command(state: State, command: str) -> bool:
    """Whether all see what a command has. Of a hidden one its enemies know only that its side is there."""
    return setting_of(state).commands[command].is_open


def has_ended(state: State, command: str) -> bool:
    """Whether a command is done with this phase, as far as the state knows."""
    part = state.commands.get(command)
    return command in state.public.ended or (part is not None and part.has_ended)


def commands_of(state: State, side: str) -> tuple[str, ...]:
    """The commands of a side, by key."""
    return tuple(key for key, command in setting_of(state).commands.items() if command.side == side)


def enemy_commands(state: State, command: str) -> tuple[str, ...]:
    """The commands of all other sides than this command's."""
    side = side_of(state, command)
    return tuple(key for key, other in setting_of(state).commands.items() if other.side != side)


def enemies_of(state: State, command: str) -> tuple[Figure, ...]:
    """The fit figures of other sides that the state holds: in a belief those that the seat sees."""
    side = side_of(state, command)
    return tuple(man for man in figures(state) if man.side != side and man.is_fit)


def visible_enemies(state: State, command: str) -> tuple[Figure, ...]:
    """The fit enemies that a command has in sight: open figures and contacts, in truth as in belief.

    A rule that turns on what troops perceive asks this, never geometry."""
    side = side_of(state, command)
    known = state.umpire.aliases.get(command, {})
    return tuple(
        man
        for man in figures(state)
        if man.side != side and man.is_fit and (man.id in state.public.figures or man.id in known)
    )


def by_place(state: State, pieces: Iterable[str]) -> tuple[str, ...]:
    """Those of these figures that there are, each once, in the order of where they stand: in which order they are named
    makes no difference, and which of them is whose tells nothing."""
    men = (figure(state, piece) for piece in set(pieces) if has_figure(state, piece))
    return tuple(man.id for man in sorted(men, key=lambda man: (man.at, man.id)))


def true_id(state: State, commands: Iterable[str], name: str) -> str | None:
    """What a name in an order stands for, None if nothing does (any more).

    In truth an alias becomes the true id behind it; in a belief names are what they are. The name of a public or own
    thing is itself.
    """
    named = tuple(commands)
    if isinstance(state, Belief):
        return name
    for command in named:
        subject = subject_of(state, command, name)
        if subject is not None:
            return subject
    own = (state.commands[command] for command in named if command in state.commands)
    if name in state.public.figures or name in state.public.squads:
        return name
    if any(
        name in pieces
        for part in own
        for pieces in (part.figures, part.squads, part.cards, part.counters, part.reserves)
    ):
        return name
    return None


def contact(state: State, commands: Iterable[str], alias: str) -> Contact | None:
    """The contact of this alias among those of the commands."""
    for command in commands:
        found = state.commands[command].contacts.get(alias)
        if found is not None:
            return found
    return None


def plan_of(state: State, force: str) -> Plan | None:
    """The plan that a force follows: its player's, or else the umpire's."""
    for part in state.commands.values():
        if force in part.plans:
            return part.plans[force]
    return state.umpire.plans.get(force)


def plans(state: State) -> Mapping[str, Plan]:
    """The plan of every force that has one, by force."""
    found = dict(state.umpire.plans)
    for part in state.commands.values():
        found.update(part.plans)
    return dict(sorted(found.items()))
