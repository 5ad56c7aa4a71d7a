"""How to find one's way in a state: figures, squads, cards, counters, sides, plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fireforce.state.battle import Card, Counter, Figure, Plan, Reserve, Squad, State
from fireforce.state.setting import setting_of
from umpire.kernel.events import subject_of
from umpire.kernel.pieces.finding import find, has, of_kind, standing
from umpire.kernel.states import Belief


def figures(state: State) -> tuple[Figure, ...]:
    """All figures on the table, wherever they stand; the public ones first, then by command."""
    return standing(state, Figure)


def squads(state: State) -> tuple[Squad, ...]:
    """All squads on the table."""
    return tuple([unit for unit in of_kind(state, Squad) if not unit.is_off])


def cards(state: State) -> tuple[Card, ...]:
    """All cards that the state holds (in a belief the seat's own: others' are contacts)."""
    return of_kind(state, Card)


def counters(state: State) -> tuple[Counter, ...]:
    """All counters that the state holds."""
    return of_kind(state, Counter)


def reserves(state: State) -> Iterator[Reserve]:
    """All squads off the table that the state holds, each with its men in printed order."""
    for unit in of_kind(state, Squad):
        if unit.is_off:
            yield reserve_of(state, unit)


def reserve_of(state: State, unit: Squad) -> Reserve:
    """A squad off the table with its men. Raises KeyError."""
    return Reserve(
        id=unit.id,
        command=unit.command,
        squad=unit,
        figures=tuple(find(state, man, Figure) for man in unit.members),
        arrives=unit.arrives,
        zone=unit.zone,
        at=(unit.at[0], unit.at[1]),
    )


def has_figure(state: State, piece: str) -> bool:
    """Whether a figure with this id is on the table."""
    try:
        return not find(state, piece, Figure).is_off
    except KeyError:
        return False


def figure(state: State, piece: str) -> Figure:
    """The figure on the table with this id. Raises KeyError."""
    found = find(state, piece, Figure)
    if found.is_off:
        raise KeyError(piece)
    return found


def has_squad(state: State, piece: str) -> bool:
    """Whether a squad with this id is on the table."""
    return has(state, piece, Squad) and not find(state, piece, Squad).is_off


def squad(state: State, piece: str) -> Squad:
    """The squad on the table with this id. Raises KeyError."""
    found = find(state, piece, Squad)
    if found.is_off:
        raise KeyError(piece)
    return found


def card(state: State, piece: str) -> Card:
    """The card with this id. Raises KeyError."""
    return find(state, piece, Card)


def counter(state: State, piece: str) -> Counter:
    """The counter with this id. Raises KeyError."""
    return find(state, piece, Counter)


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
        if man.side != side and man.is_fit and (man.id in state.public.pieces or man.id in known)
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
    parts = (state.commands[command].pieces for command in named if command in state.commands)
    for pieces in (state.public.pieces, *parts):
        found = pieces.get(name)
        if found is not None:
            return None if isinstance(found, Figure) and found.is_off else name
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
