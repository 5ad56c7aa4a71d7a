"""Fire in Skirmish: who may fire at whom, shots, hits, and the window in which a journey is shot at."""

from __future__ import annotations

from collections.abc import Mapping

from umpire.kernel.events import Event
from umpire.kernel.pieces.events import PutDown
from umpire.kernel.pieces.finding import held
from umpire.kernel.rulings import Choice, Overtaken, Question, Ruling, ask, draw, offer, roll
from umpire.kernel.rulings import tell as kernel_tell
from umpire.kernel.values.modifiers import Modifier, total
from umpire.testing.skirmish.events import (
    Fell,
    Fired,
    Hit,
    Revealed,
    Rose,
    WindowClosed,
)
from umpire.testing.skirmish.ground import knows, name_of
from umpire.testing.skirmish.state import (
    HEROES,
    RANGE,
    Believed,
    State,
    Unit,
    at_hex,
    is_open,
    lane_of,
    roots,
    unit_of,
    units,
)


def may_fire(state: State, mover: Unit) -> Mapping[str, list[Unit]]:
    """Who may fire at a unit that has entered a hex, by command: enemies in range who know of it and have not fired.

    skirmish opportunity-fire
    """
    firers: dict[str, list[Unit]] = {}
    for unit in roots(state).values():
        if unit.side != mover.side and not unit.fired and abs(unit.hex - mover.hex) <= RANGE:
            if knows(state, unit.command, mover):
                firers.setdefault(unit.command, []).append(unit)
    return firers


def fire_modifiers(state: State, unit: Unit, at: int) -> list[Modifier]:
    """What helps and hinders a shot at a hex: all of it known to the firer's command.

    skirmish fire
    """
    found = []
    if abs(unit.hex - at) <= 1:
        found.append(Modifier(1, "the target is near", "skirmish fire"))
    if at in lane_of(state).woods:
        found.append(Modifier(-1, "the target is in woods", "skirmish fire"))
    if unit.hero:
        found.append(Modifier(1, "a hero", "skirmish hero"))
    if any(other.id != unit.id and other.command == unit.command for other in at_hex(state, unit.hex)):
        found.append(Modifier(1, "another unit of the command in the hex", "skirmish fire"))
    return found


def tell(event: Event) -> Ruling[State]:
    return kernel_tell(event)


def window(state: State, lead: str) -> Ruling[State]:
    """As long as anybody stands exposed by a journey (the unit that moves, or who got out of it), whoever may fire at
    one of them now is asked, again after each shot.

    skirmish opportunity-fire
    """
    while firers := _firers(state, lead):
        state, command, taken = yield from offer(_opportunities(state, lead, firers))
        if command is None:
            break
        if not exposed(state, lead):
            raise Overtaken("the unit that moved is not there any more")
        if any(firer.id == taken[0] for firer in _firers(state, lead).get(command, [])):
            state = yield from shoot(state, taken[0], exposed(state, lead)[0].hex, "opportunity fire")
    if any(unit.exposed == lead for unit in units(state).values()):
        state = yield from tell(WindowClosed(lead=lead))
    return state


def exposed(state: State, lead: str) -> list[Unit]:
    """Who stands exposed by the journey of a unit: itself, and those who got out of it on the way. All in one hex."""
    return [unit for unit in roots(state).values() if unit.id == lead or unit.exposed == lead]


def _firers(state: State, lead: str) -> Mapping[str, list[Unit]]:
    """Who may fire at anybody who stands exposed by a journey, by command, each once."""
    found: dict[str, dict[str, Unit]] = {}
    for target in exposed(state, lead):
        for command, mine in may_fire(state, target).items():
            found.setdefault(command, {}).update({unit.id: unit for unit in mine})
    return {command: list(mine.values()) for command, mine in found.items()}


def _opportunities(state: State, lead: str, firers: Mapping[str, list[Unit]]) -> Mapping[str, Question]:
    """A question to a command all of whose firers are hidden would tell the mover that somebody is there: it is of the
    kind `ambush`, which standing orders answer always."""
    questions = {}
    for command, mine in firers.items():
        targets = [name for unit in exposed(state, lead) if (name := name_of(state, command, unit))]
        questions[command] = Question(
            kind="opportunity_fire" if any(is_open(state, firer.id) for firer in mine) else "ambush",
            prompt=f"An enemy has entered hex {exposed(state, lead)[0].hex}. Who fires?",
            choices=tuple(Choice(id=firer.id, label=firer.name, pieces=(firer.id,), at=firer.at) for firer in mine),
            about=tuple(sorted(targets)),
            least=0,
            rule="skirmish opportunity-fire",
        )
    return questions


def standing_answer(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """What the standing orders of a command answer to who may fire; hidden units that are to ask hold their fire.

    skirmish opportunity-fire
    """
    known = units(believed)
    match believed.commands[known[question.choices[0].id].command].fire:
        case "any":
            return (question.choices[0].id,)
        case "near":
            moved = [known[alias].hex for alias in question.about if alias in known]
            near = [c.id for c in question.choices if any(abs(known[c.id].hex - at) <= 1 for at in moved)]
            return tuple(near[:1])
        case "ask" if question.kind == "opportunity_fire":
            return None
        case _:
            return ()


def show(state: State, unit: str) -> Ruling[State]:
    """In an open battle a unit that moves, fires or fights is hidden no longer.

    skirmish reserve
    """
    if not lane_of(state).blind and not is_open(state, unit):
        state = yield from tell(Revealed(unit=unit))
    return state


def closed(state: State, lead: str) -> Ruling[State]:
    """Who got out in a melee is shot at by nobody.

    skirmish wagon
    """
    if any(unit.exposed == lead for unit in units(state).values()):
        state = yield from tell(WindowClosed(lead=lead))
    return state


def shoot(state: State, unit: str, at: int, purpose: str) -> Ruling[State]:
    """One die, 5 or more with all modifiers hits; a natural 6 always does, and makes a hero.

    skirmish fire, skirmish hero
    """
    state = yield from show(state, unit)
    firer = unit_of(state, unit)
    modifiers = fire_modifiers(state, firer, at)
    needed = min(6, max(2, 5 - total(modifiers)))
    bands = [(1, needed - 1, "miss"), (needed, 5, "hit"), (6, 6, "hero")]
    rolled = yield from roll(
        "1d6",
        purpose,
        subject=unit,
        by=firer.command,
        bands=[band for band in bands if band[0] <= band[1]],
        modifiers=modifiers,
        rule="skirmish fire",
    )
    state = yield from tell(Fired(unit=unit, at=at, result=rolled.result))
    if rolled.result == "miss":
        return state
    if rolled.result == "hero":
        hero = yield from draw(HEROES, "hero", subject=unit, by=firer.command, rule="skirmish hero", aside=True)
        state = yield from tell(Rose(unit=unit, hero=hero))
    return (yield from take_hit(state, firer, at))


def falls(state: State, unit: str) -> Ruling[State]:
    """A unit is out of the battle. Whoever it carried throws a die first, in the order in which they boarded: on 3 or
    more he gets out where it stands, else he is lost with it.

    skirmish wagon
    """
    bands = [(1, 2, "lost"), (3, 6, "out")]
    fates: dict[str, str] = {}
    for each in held(state, unit, Unit):
        rolled = yield from roll(
            "1d6", "bail out", subject=each.id, by=each.command, bands=bands, rule="skirmish wagon"
        )
        fates[each.id] = rolled.result
    for lost in (each for each, fate in fates.items() if fate == "lost"):
        state = yield from tell(Fell(unit=lost))
    if out := tuple(each for each, fate in fates.items() if fate == "out"):
        at = unit_of(state, unit).at
        state = yield from tell(PutDown(pieces=out, places=(at,) * len(out), out_of=unit, why="bailed out"))
    return (yield from tell(Fell(unit=unit)))


def take_hit(state: State, firer: Unit, at: int) -> Ruling[State]:
    """A hit costs a step; where the firer sees several units in the hex, their command says whose. What he does not see
    is not hit: the question would tell him of it.

    skirmish fire
    """
    targets = [unit for unit in at_hex(state, at) if unit.side != firer.side and knows(state, firer.command, unit)]
    if not targets:
        return state
    victim = targets[0].id
    if len(targets) > 1:
        weakest = min(targets, key=lambda unit: (unit.steps, unit.id))
        question = Question(
            kind="hit",
            prompt="Which unit takes the hit?",
            choices=tuple(Choice(id=unit.id, label=unit.name, pieces=(unit.id,)) for unit in targets),
            default=(weakest.id,),
            rule="skirmish fire",
        )
        state, taken = yield from ask(targets[0].command, question)
        victim = taken[0]
    if victim not in units(state):
        raise Overtaken("the unit that was hit is not there any more")
    steps = unit_of(state, victim).steps - 1
    if not steps:
        return (yield from falls(state, victim))
    return (yield from tell(Hit(unit=victim, steps=steps)))
