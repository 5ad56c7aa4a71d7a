"""Other truths behind the same slice of a command: what it cannot tell from what is.

A command sees the public part and its own. Of hidden things that it has in sight it knows place and looks. All else may
be otherwise: other ids, units elsewhere or none or more, other counters, skills and names, other plans, memories and
points. A change is kept only where what the command sees would be the same (a truth in which it ought to see something
else would show at the next event), and where the battle goes on as it would: that a side has nobody left is conceded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from msgspec import to_builtins
from msgspec.structs import replace

from lnl.board.ground import GROUND
from lnl.board.hexes import Place, distance
from lnl.knowledge.notice import look
from lnl.rules.hidden import plans
from lnl.rules.movement.stacking import room_for
from lnl.rules.turn import outline_of_play
from lnl.state.battle import AnyPiece, CommandPart, Leg, Score, Standing, State, Unit, Weapon, Work, WorkKind, hex_key
from lnl.state.finding import counter_of, units, units_at, units_in_hex, units_of
from lnl.state.setting import ground_of, setting_of, tables_of, turns_of
from umpire.kernel.events import KnowledgeEvent, learn, needs_alias
from umpire.kernel.parts import with_part
from umpire.kernel.pieces.changing import add, put_at, take, with_pieces
from umpire.kernel.pieces.piece import NOBODY
from umpire.kernel.states import slice_of
from umpire.kernel.values.maps import ordered
from umpire.testing.conformance.renaming import form_words, new_id, renamed, strings

Change = Callable[[State, str, str, Random], State]
"""(state, the command whose slice stays, the command that is changed, random) -> another state."""

TRIES = 8
NEAR = 3
"""Hexes within which something unseen lies in the way of a command's units."""
BURIED: tuple[WorkKind, ...] = ("mines", "mines", "wire", "foxhole", "trench")


def another(state: State, command: str, random: Random) -> State:
    """Another truth with the same slice of a command. Each kind of change is made or not, so that twins may be near or
    far. Raises LookupError where the command knows all that there is."""
    others = [name for name, part in state.commands.items() if name != command and _holds_something(part)]
    if not others:
        raise LookupError(f"{command} knows all that there is")
    before, going = _would_learn(state, command), _goes_on(state)
    for name in others:
        for change in CHANGES:
            if random.random() < 0.6:
                changed = change(state, command, name, random)
                if _would_learn(changed, command) == before and _goes_on(changed) == going:
                    state = changed
    return _renamed(_in_line(state, command, random), command, random)


def _holds_something(part: CommandPart) -> bool:
    return bool(part.pieces or part.contacts or part.standing)


def _known(state: State, command: str) -> Mapping[str, str]:
    """True ids that a command has in sight."""
    return state.umpire.aliases.get(command, {})


def _news(state: State) -> list[KnowledgeEvent]:
    """What commands would come to know if they looked at everything anew."""
    return list(look(None, state))


def _would_learn(state: State, command: str) -> list[KnowledgeEvent]:
    """What a command would come to know if it looked at everything anew; the true ids behind it left out."""
    return [
        replace(event, subject="") if hasattr(event, "subject") else event
        for event in _news(state)
        if event.command == command
    ]


def _goes_on(state: State) -> tuple[bool, str]:
    """Whether plans are due, and what follows by itself."""
    step = next(outline_of_play.advance(state), None)
    return bool(plans.due(state)), repr(step)


def _in_line(state: State, command: str, random: Random) -> State:
    """The others see what there is to be seen in this world."""
    for event in _news(state):
        if event.command == command:
            continue
        if needs_alias(event):
            contact = replace(event.contact, alias=f"other {new_id(random)}")  # type: ignore[attr-defined]
            event = replace(event, contact=contact)
        state = learn(state, event)
    return state


def _unseen(state: State, command: str, part: CommandPart) -> list[Unit]:
    known = _known(state, command)
    return [each for each in units_of(part) if each.is_placed and each.id not in known and not each.is_moving]


def _free_places(state: State, command: str, random: Random) -> Iterator[Place]:
    """Some places where nobody is, as chance has it; more often than not in the way of a command's units."""
    ground = ground_of(state)
    hexes = list(ground.hexes.values())
    eyes = [each.at for each in units(state) if each.command == command and each.is_placed]
    near = [here for here in hexes if eyes and min(distance(here.at, at[:2]) for at in eyes) <= NEAR]
    among = near if near and random.random() < 0.7 else hexes
    for here in random.sample(among, min(TRIES, len(among))):
        place = (*here.at, random.choice(ground.levels(here.at)))
        row = tables_of(state).terrain(here.terrain)
        if row.leg >= 0 and not units_at(state, place):
            yield place


# Changes


def _elsewhere(state: State, command: str, name: str, random: Random) -> State:
    """Units that are unseen stand somewhere else that is unseen."""
    before = _would_learn(state, command)
    for each in _unseen(state, command, state.commands[name]):
        if random.random() < 0.5 or any(other.side != each.side for other in units_at(state, each.at)):
            continue
        for place in _free_places(state, command, random):
            moved = put_at(state, each.id, place)
            if _would_learn(moved, command) == before:
                state = moved
                break
    return state


def _works_of(part: CommandPart) -> list[Work]:
    return [each for each in part.pieces.values() if isinstance(each, Work)]


def _otherwise(state: State, command: str, name: str, random: Random) -> State:
    """Units that are unseen are of other counters of their kind, Shaken or not; all have other skills and names, and
    have done other things that leave no mark; their weapons are jammed or not."""
    part, tables, known = state.commands[name], tables_of(state), _known(state, command)
    counters = tables.book.tables["counters"]
    changed: list[AnyPiece] = []
    for key, each in part.pieces.items():
        if not isinstance(each, Unit):
            continue
        row = counter_of(state, each)
        if key not in known:
            alike = [other for other in counters if _is_alike(tables.counter(other), row)]
            shaken = each.is_shaken if row.kind == "hero" else random.random() < 0.3
            each = replace(each, counter=random.choice(alike), is_shaken=shaken)
        cards = [card for card in tables.book.tables["skills"] if row.kind in tables.skill(card).owners]
        skills = (random.choice(cards),) if cards and random.random() < 0.3 else each.skills
        done, called = each.ops_complete, each.has_called
        if state.public.phase == "operations" and random.random() < 0.3:
            done, called = not done, not called
        changed.append(replace(each, skills=skills, name=f"other {each.name}", ops_complete=done, has_called=called))
    guns = [each for each in part.pieces.values() if isinstance(each, Weapon)]
    return with_pieces(state, [*changed, *(replace(gun, is_jammed=random.random() < 0.3) for gun in guns)])


def _is_alike(row: object, other: object) -> bool:
    same = ("kind", "nation", "facing", "gun_size", "immobile", "use")
    return all(getattr(row, name) == getattr(other, name) for name in same)


def _gone(state: State, command: str, name: str, random: Random) -> State:
    """A unit that is unseen, or all of them, were never there; nor were works that are unseen."""
    found = [
        each
        for each in _unseen(state, command, state.commands[name])
        if all(other.side == each.side for other in units_at(state, each.at))
    ]
    for each in found if random.random() < 0.2 else random.sample(found, min(1, len(found))):
        state = take(state, each.id)
        state = _without_mention(state, name, each.id)
    known = _known(state, command)
    for gun in [each for each in state.umpire.pieces if each not in known and random.random() < 0.5]:
        state = take(state, gun)
    for work in _works_of(state.commands[name]):
        is_held = any(each.at == (*work.at, -1) for each in units(state))
        if work.id not in known and not is_held and random.random() < 0.3:
            state = take(state, work.id)
    return state


def _without_mention(state: State, name: str, piece: str) -> State:
    """Nobody has plans or standing orders for a unit, sees it, or has it in his impulse."""
    part = state.commands[name]
    impulse = part.impulse
    acting = () if impulse is None else (*impulse.acted, *impulse.leaders, *impulse.aids, *impulse.brought_by)
    if impulse is not None and piece in (*acting, impulse.spotter):
        impulse = replace(
            impulse,
            spotter="" if impulse.spotter == piece else impulse.spotter,
            acted=_less(impulse.acted, piece),
            acted_at={key: at for key, at in impulse.acted_at.items() if key != piece},
            leaders=_less(impulse.leaders, piece),
            aids=_less(impulse.aids, piece),
            brought_by=tuple("" if each == piece else each for each in impulse.brought_by),
        )
    part = replace(
        part,
        impulse=impulse,
        plans={key: plan for key, plan in part.plans.items() if key != piece},
        standing={key: each for key, each in part.standing.items() if key != piece},
    )
    plans = {key: plan for key, plan in state.umpire.plans.items() if key != piece}
    return replace(with_part(state, name, part), umpire=replace(state.umpire, plans=plans))


def _less(words: Iterable[str], word: str) -> tuple[str, ...]:
    return tuple(each for each in words if each != word)


def _more(state: State, command: str, name: str, random: Random) -> State:
    """A further unit is somewhere unseen."""
    there = list(units_of(state.commands[name]))
    if not there:
        return state
    like = random.choice(there)
    counters = tables_of(state).book.tables["counters"]
    nation = counter_of(state, like).nation
    rows = {key: tables_of(state).counter(key) for key in counters}
    squads = [key for key, row in rows.items() if row.kind == "squad" and row.nation == nation]
    before = _would_learn(state, command)
    for place in _free_places(state, command, random):
        new = Unit(id=new_id(random), command=name, side=like.side, counter=random.choice(squads), at=place)
        more = add(state, new)
        if _would_learn(more, command) == before and not room_for(more, place, like.side, ()):
            return more
    return state


def _on_the_ground(state: State, command: str, name: str, random: Random) -> State:
    """Mines, wire and the like lie somewhere unseen, and so do weapons that somebody has left; mines that are there
    already are of another strength."""
    part, side = state.commands[name], setting_of(state).commands[name].side
    mines = [work for work in _works_of(part) if work.kind == "mines"]
    state = with_pieces(state, [replace(work, strength=random.randint(1, 3)) for work in mines])
    guns = list(tables_of(state).book.tables["weapons"])
    before = _would_learn(state, command)
    for place in _free_places(state, command, random):
        if random.random() < 0.6 and place[2] == GROUND:
            work = Work(id=new_id(random), command=name, side=side, kind=random.choice(BURIED), at=place[:2])
            more = add(state, work)
        else:
            gun = Weapon(id=new_id(random), command="", side=side, counter=random.choice(guns), at=place)
            more = add(state, gun, NOBODY)
        if _would_learn(more, command) == before:
            state = more
    return state


def _standing_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """A command has given its hidden units other standing orders; in an open battle those for all of it stay, which
    also say whether open units are asked."""
    part, is_blind = state.commands[name], setting_of(state).options.play == "blind"
    standing = {
        key: Standing(fire=random.choice(("hold", "free", "ask")), within=random.randint(1, 12))
        for key in (*("",) * is_blind, *(each.id for each in units_of(part)))
        if random.random() < 0.5
    }
    return with_part(state, name, replace(part, standing=ordered({**part.standing, **standing})))


def _arrivals_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """Reinforcements that are still to come are due in another turn, or not at all; and there is one more."""
    part, turns = state.commands[name], turns_of(state)
    changed = {
        each.id: each if each.is_placed or not each.arrives else replace(each, arrives=random.randint(1, turns + 1))
        for each in units_of(part)
    }
    squads = [each for each in changed.values() if counter_of(state, each).kind == "squad"]
    for place in _free_places(state, command, random) if squads else ():
        like, turn = random.choice(squads), random.randint(state.public.turn + 1, turns + 1)
        new = Unit(id=new_id(random), command=name, side=like.side, counter=like.counter, at=place)
        changed[new.id] = replace(new, is_off=True, arrives=turn)
        break
    return with_part(state, name, replace(part, pieces=ordered({**part.pieces, **changed})))


def _plans_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """Plans lead elsewhere. Those that have been carried in this turn stay carried, those that have not are still
    due."""
    hexes = list(ground_of(state).hexes.values())
    plans = dict(state.umpire.plans)
    for force, plan in plans.items():
        if plan.command == name and random.random() < 0.5:
            legs = (Leg(path=((*random.choice(hexes).at, 0),), pace=random.choice(("move", "low_crawl"))),)
            plans[force] = replace(plan, legs=legs, leg=0, along=0, note="another plan")
    return replace(state, umpire=replace(state.umpire, plans=plans))


def _memories_otherwise(state: State, command: str, name: str, random: Random) -> State:
    """A command remembers less of what it has seen."""
    part = state.commands[name]
    seen = set(_known(state, name).values())
    contacts = {alias: each for alias, each in part.contacts.items() if alias in seen or random.random() < 0.5}
    return with_part(state, name, replace(part, contacts=contacts))


def _umpires_half(state: State, command: str, name: str, random: Random) -> State:
    """Points that only the umpire knows of, and who holds what unseen."""
    setting = setting_of(state)
    side = setting.commands[name].side
    score = Score(side=side, points=random.randint(1, 3), reason="unseen", key="another")
    zones = (each.zone for each in setting.objectives.values() if each.deed == "control")
    held = {at for zone in zones if zone for at in setting.zones[zone].hexes}
    control = dict(state.umpire.control)
    for at in sorted(held):
        if random.random() < 0.3 and not any(each.command == command for each in units_in_hex(state, at)):
            control[hex_key(at)] = side
    scores = (*state.umpire.scores, score)
    return replace(state, umpire=replace(state.umpire, scores=scores, control=ordered(control)))


CHANGES: tuple[Change, ...] = (
    _elsewhere,
    _otherwise,
    _gone,
    _more,
    _on_the_ground,
    _standing_otherwise,
    _arrivals_otherwise,
    _plans_otherwise,
    _memories_otherwise,
    _umpires_half,
)


# Other ids


def _words(state: State) -> set[str]:
    """Words that stand in a state and are no ids. True ids are random and never among them; where a test names pieces
    by the keys of their scenario, one may be called like a side or a counter."""
    setting = setting_of(state)
    found = {*form_words(State), *setting.sides, *setting.commands, *setting.zones, *setting.markers}
    found.update(setting.ground.names)
    found.update(key for rows in setting.book.tables.values() for key in rows)
    for each in units(state):
        found.update((each.name, *each.traits, *each.attempts))
    for part in state.commands.values():
        for contact in part.contacts.values():
            found.update((contact.kind, *contact.looks, *map(str, contact.looks.values())))
    return found


def _renamed(state: State, command: str, random: Random) -> State:
    """The same under other true ids, but for those that the slice names."""
    if random.random() < 0.3:
        return state
    kept = strings(to_builtins(slice_of(state, (command,)))) | _words(state)
    names = {
        key: new_id(random)
        for name, part in state.commands.items()
        if name != command
        for key in (*part.pieces, *state.umpire.pieces)
        if key not in kept
    }
    found: State = renamed(state, names) if names else state
    return found
