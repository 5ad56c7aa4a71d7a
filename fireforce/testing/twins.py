"""Other truths behind the same slice of a command: what it cannot tell from what is.

A command sees the public part and its own. Of a hidden command's things it has in sight it knows place and looks, of a
face-down card that it lies there. All else may be otherwise: other ids, men elsewhere or none, other qualities and
weapons of the same kind, other cards, other plans, other memories.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from fireforce.rules.turn.turn_sequence import due
from fireforce.state.battle import (
    Card,
    CommandPart,
    Counter,
    Figure,
    Leg,
    Place,
    Score,
    Squad,
    State,
    Stores,
    Team,
)
from fireforce.state.finding import (
    figures,
    squads,
)
from fireforce.state.setting import setting_of, weapon_kind
from fireforce.testing.parts import having, lacking, of, waiting
from umpire.kernel.parts import with_part
from umpire.kernel.states import slice_of
from umpire.testing.conformance.renaming import form_words, new_id, renamed, strings

Change = Callable[[State, str, str, Random], State]
"""(state, the command whose slice stays, the command that is changed, random) -> another state."""

REACH = 1200
QUALITIES = ("elite", "veteran", "trained", "poor", "green")
STORES = (Stores(), Stores(arms=1), Stores(food=2), Stores(arms=1, heavy=2))


def another(state: State, command: str, random: Random) -> State:
    """Another truth with the same slice of a command. Each kind of change is made or not, so that twins may be near or
    far. Raises LookupError where the command knows all that there is."""
    others = [name for name, part in state.commands.items() if name != command and _holds_something(part)]
    if not others:
        raise LookupError(f"{command} knows all that there is")
    for name in others:
        for change in CHANGES:
            if random.random() < 0.6:
                changed = change(state, command, name, random)
                # When a phase passes that plans move is conceded: the twin passes it at the same time.
                if bool(due(changed)) == bool(due(state)):
                    state = changed
    return _renamed(state, command, random)


def _holds_something(part: CommandPart) -> bool:
    return any((part.pieces, part.contacts, part.standing))


def _known(state: State, command: str) -> Mapping[str, str]:
    """True ids that a command has in sight."""
    return state.umpire.aliases.get(command, {})


def _unseen(state: State, command: str, part: CommandPart, unit: Squad) -> bool:
    """Whether nothing of a squad can be seen: no man of it stands on the table or is out of the battle."""
    known = _known(state, command)
    men = [of(part, Figure).get(man) for man in unit.members]
    return all(man is not None and not man.is_placed and man.is_fit and man.id not in known for man in men)


def _under(part: CommandPart) -> Mapping[str, Card]:
    """The cards on the table by the squad that lies beneath."""
    return {card.squad: card for card in of(part, Card).values() if card.is_on_table and card.squad}


def _is_back(card: Card, command: str) -> bool:
    """Whether a command sees the back of a card, and has not searched it."""
    return card.is_on_table and not card.is_face_up and command not in card.searched_by


def _moved(state: State, part: CommandPart, unit: Squad, dx: int, dy: int) -> dict[str, Figure]:
    table = setting_of(state).table
    men = of(part, Figure)
    for man in unit.members:
        x, y = men[man].at[0] + dx, men[man].at[1] + dy
        men[man] = replace(men[man], at=(min(max(x, 0), table.width), min(max(y, 0), table.depth)))
    return men


# Changes


def _elsewhere(state: State, command: str, name: str, random: Random) -> State:
    """Squads that are unseen, and lie under no card on the table, stand somewhere else; hidden things lie elsewhere."""
    part = state.commands[name]
    under = _under(part)
    counted = {man for counter in of(part, Counter).values() for man in counter.figures}
    for unit in of(part, Squad).values():
        if unit.id in under or not _unseen(state, command, part, unit) or counted & set(unit.members):
            continue
        dx, dy = random.randint(-REACH, REACH), random.randint(-REACH, REACH)
        part = having(part, _moved(state, part, unit, dx, dy))
    table = setting_of(state).table
    cards = of(part, Card)
    for key, card in cards.items():
        if not card.is_on_table and not card.squad and not card.searched_by and not card.is_face_up:
            at = (random.randint(0, table.width), random.randint(0, table.depth))
            cards[key] = replace(card, at=at)
    return with_part(state, name, having(part, cards))


def _cards_exchanged(state: State, command: str, name: str, random: Random) -> State:
    """Face-down cards on the table change what they are, and the squads beneath go with them."""
    part = state.commands[name]
    cards, units = of(part, Card), of(part, Squad)
    backs = [key for key, card in cards.items() if _is_back(card, command)]
    faces = [cards[key] for key in backs]
    if any(face.squad and not _unseen(state, command, part, units[face.squad]) for face in faces):
        return state
    random.shuffle(faces)
    for key, face in zip(backs, faces, strict=True):
        lies = cards[key]
        cards[key] = replace(lies, kind=face.kind, squad=face.squad, stores=face.stores)
        if face.squad:
            unit = units[face.squad]
            men = _moved(state, part, unit, lies.at[0] - face.at[0], lies.at[1] - face.at[1])
            part = having(part, men)
    return with_part(state, name, having(part, cards))


def _cards_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """Face-down cards without a squad, and what lies hidden off the table, are of other kinds and hold other stores."""
    cards = of(state.commands[name], Card)
    for key, card in cards.items():
        if card.squad or card.is_face_up or card.searched_by or card.kind == "troops":
            continue
        kinds = ("cache", "booby_trap", "peasants", *(("dummy",) if card.is_on_table else ()))
        kind = random.choice(kinds)
        stores = random.choice(STORES[1:]) if kind == "cache" else Stores()
        cards[key] = replace(card, kind=kind, stores=stores)
    return with_part(state, name, having(state.commands[name], cards))


def _men_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """Squads and men are of other qualities, ratings and names, and carry other weapons of the same kind."""
    part, setting = state.commands[name], setting_of(state)
    rows: Mapping[str, Any] = setting.book.tables["weapons"]
    men = of(part, Figure)
    for key, man in men.items():
        weapons = man.weapons
        if weapons:
            kind = weapon_kind(setting, weapons[0])
            alike = sorted(row for row in rows if weapon_kind(setting, row) == kind)
            weapons = (random.choice(alike), *weapons[1:])
        rating = None if man.motivation_rating is None else random.randint(-2, 3)
        men[key] = replace(
            man,
            quality=random.choice(QUALITIES),
            weapons=weapons,
            motivation_rating=rating,
            name=f"other {man.name}",
            is_prepared=random.random() < 0.5,
            carrying=random.choice(STORES) if random.random() < 0.3 else man.carrying,
        )
    units = {
        key: replace(
            unit, quality=random.choice(QUALITIES), name=f"other {unit.name}", teams=_moods(state, unit, random)
        )
        for key, unit in of(part, Squad).items()
    }
    return with_part(state, name, having(part, men, units))


def _moods(state: State, unit: Squad, random: Random) -> Mapping[str, Team]:
    """Teams are of other heart: what they have rolled for motivation, how much of their quality is lost."""
    results = list(setting_of(state).book.tables["motivation_results"])
    return {
        name: replace(team, result=random.choice(results), dropped=random.randint(0, 2)) if team.result else team
        for name, team in unit.teams.items()
    }


def _standing_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """A command has given its squads other standing orders. Whether it says by itself who takes hits stays: who has
    fired openly at men in sight knows that this is to be said, and may notice that he waits for it."""
    part = state.commands[name]
    standing = {
        key: replace(each, fire=random.choice(("hold", "free")), fire_range=random.randint(1, 3000))
        for key, each in part.standing.items()
    }
    return with_part(state, name, replace(part, standing=standing))


def _umpires_half(state: State, command: str, name: str, random: Random) -> State:
    """Points that only the umpire knows of."""
    score = Score(side=setting_of(state).commands[name].side, deed="another", points=random.randint(1, 9))
    return replace(state, umpire=replace(state.umpire, scores=(*state.umpire.scores, score)))


def _squads_gone(state: State, command: str, name: str, random: Random) -> State:
    """A squad that is unseen, or all of them, were never there; a card on the table that one lay beneath is a dummy."""
    part = state.commands[name]
    counted = {man for counter in of(part, Counter).values() for man in counter.figures}
    gone = [
        unit
        for unit in of(part, Squad).values()
        if _unseen(state, command, part, unit) and not unit.casualties and not counted & set(unit.members)
    ]
    if not gone:
        return state
    for unit in gone if random.random() < 0.2 else [random.choice(gone)]:
        part = _without(part, unit)
    state = with_part(state, name, part)
    plans = {key: plan for key, plan in state.umpire.plans.items() if plan.command != name or _is_there(part, key)}
    return replace(state, umpire=replace(state.umpire, plans=plans))


def _without(part: CommandPart, unit: Squad) -> CommandPart:
    cards = [card for card in of(part, Card).values() if card.squad == unit.id]
    dummies = {card.id: replace(card, kind="dummy", squad="") for card in cards if card.is_on_table}
    gone = {unit.id, *unit.members, *(card.id for card in cards if not card.is_on_table)}
    return replace(
        lacking(having(part, dummies), gone),
        plans={key: plan for key, plan in part.plans.items() if key != unit.id},
        standing={key: each for key, each in part.standing.items() if key != unit.id},
    )


def _is_there(part: CommandPart, force: str) -> bool:
    return isinstance(part.pieces.get(force), Squad | Card)


def _squad_more(state: State, command: str, name: str, random: Random) -> State:
    """A further squad stands somewhere unseen."""
    part, setting = state.commands[name], setting_of(state)
    known = setting.commands[name]
    if known.is_open:
        return state
    at = (random.randint(300, setting.table.width - 300), random.randint(300, setting.table.depth - 300))
    weapons = sorted(setting.book.tables["weapons"])
    ids = [new_id(random) for _ in range(4)]
    men = [
        Figure(
            id=each,
            command=name,
            side=known.side,
            squad=ids[0],
            role="rifleman" if index else "leader",
            weapons=(random.choice(weapons),),
            motivation_rating=None if index else 1,
            at=(at[0] + 100 * index, at[1]),
        )
        for index, each in enumerate(ids[1:])
    ]
    unit = Squad(
        id=ids[0],
        command=name,
        side=known.side,
        name="a further band",
        members=tuple(ids[1:]),
        teams={"whole": Team(members=tuple(ids[1:]))},
    )
    return with_part(state, name, having(part, {man.id: man for man in men}, {unit.id: unit}))


def _plans_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """Plans lead elsewhere, at another pace, or are held; or there is none. Those that have been carried in this phase
    stay carried, and those that have not are still due: when a phase passes may tell nothing."""
    table = setting_of(state).table

    def other(plans: Mapping[str, Any]) -> Mapping[str, Any]:
        found = {}
        for force, plan in plans.items():
            if plan.command != name or random.random() < 0.5:
                found[force] = plan
            elif random.random() < 0.7:
                place: Place = (random.randint(0, table.width), random.randint(0, table.depth))
                legs = (Leg(path=(place,), pace=random.choice(("tactical", "running"))),)
                found[force] = replace(
                    plan, legs=legs, leg=0, along=0, note="another plan", on_contact=random.choice(("hold", "go_on"))
                )
        return found

    part = state.commands[name]
    state = with_part(state, name, replace(part, plans=other(part.plans)))
    return replace(state, umpire=replace(state.umpire, plans=other(state.umpire.plans)))


def _memories_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """A command remembers less of what it has seen and heard."""
    part = state.commands[name]
    seen = set(_known(state, name).values())
    contacts = {alias: each for alias, each in part.contacts.items() if alias in seen or random.random() < 0.5}
    return with_part(state, name, replace(part, contacts=contacts))


def _counters_exchanged(state: State, command: str, name: str, random: Random) -> State:
    """Counters on the table stand for each other's men."""
    part = state.commands[name]
    if len(of(part, Counter)) < 2:
        return state
    stands = list(of(part, Counter).values())
    men_of = [each.figures for each in stands]
    random.shuffle(men_of)
    counters: dict[str, Counter] = {}
    men = of(part, Figure)
    for each, under in zip(stands, men_of, strict=True):
        counters[each.id] = replace(each, figures=under)
        for man in under:
            men[man] = replace(men[man], at=each.at)
    return with_part(state, name, having(part, men, counters))


def _reserves_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """Squads off the table come in later or never, or there are none."""
    part = state.commands[name]
    off = waiting(part)
    if random.random() >= 0.7:
        return with_part(state, name, lacking(part, off))
    squads = [each for each in off.values() if isinstance(each, Squad)]
    later = {each.id: replace(each, arrives=each.arrives + random.randint(0, 3)) for each in squads}
    return with_part(state, name, having(part, later))


CHANGES: tuple[Change, ...] = (
    _cards_exchanged,
    _cards_otherwise,
    _elsewhere,
    _men_otherwise,
    _plans_otherwise,
    _squads_gone,
    _squad_more,
    _memories_otherwise,
    _standing_otherwise,
    _umpires_half,
    _counters_exchanged,
    _reserves_otherwise,
)


# Other ids


def _words(state: State) -> set[str]:
    """Words that stand in a state and are no ids. True ids are random and never among them; where a test names pieces
    by the keys of their scenario, one may be called like a kind of card, a weapon or a side."""
    setting = setting_of(state)
    found = {*form_words(State), *setting.sides, *setting.commands}
    found.update(key for rows in setting.book.tables.values() for key in rows)
    for man in figures(state):
        found.update((man.name, *man.weapons, *man.traits))
    for unit in squads(state):
        found.update((unit.name, *unit.teams, *unit.traits))
    for part in state.commands.values():
        for contact in part.contacts.values():
            found.update((contact.kind, *contact.looks, *map(str, contact.looks.values())))
    return found


def _renamed(state: State, command: str, random: Random) -> State:
    """The same under other true ids, but for those that the slice names."""
    kept = strings(msgspec.to_builtins(slice_of(state, (command,)))) | _words(state)
    names = {
        key: new_id(random)
        for name, part in state.commands.items()
        if name != command
        for key in part.pieces
        if key not in kept
    }
    if not names or random.random() < 0.3:
        return state
    found: State = renamed(state, names)
    return found
