"""What becomes of men: damage, losses, heroes, skill cards, rallying, healing."""

from __future__ import annotations

from msgspec.structs import replace

from lnl.happening.changing import left_behind, with_loss
from lnl.happening.register import happens, noted, says
from lnl.state.battle import POSSESSED, Loss, State, Unit, Weapon
from lnl.state.finding import is_open, unit
from lnl.state.setting import setting_of
from lnl.words.line import line, note
from lnl.words.naming import counter_name, name_of, place_words, unit_name
from umpire.kernel.events import Event
from umpire.kernel.parts import with_part, with_public
from umpire.kernel.pieces.changing import add, hold, take, with_piece, with_pieces
from umpire.kernel.pieces.finding import held
from umpire.kernel.pieces.piece import PUBLIC
from umpire.kernel.registry import LogLine

LOST = {
    "eliminated": "is eliminated",
    "surrendered": "surrenders",
    "removed": "is removed",
}


class Shaken(Event, frozen=True, kw_only=True, tag="shaken"):
    """A unit is flipped to its Shaken side. `core 5.1`"""

    unit: str


@happens(Shaken, public="where_open", perceived=True)
def _shaken(state: State, event: Shaken) -> State:
    return with_piece(state, event.unit, is_shaken=True)


@says(Shaken)
def _shaken_words(state: State, event: Shaken) -> LogLine:
    return line(f"{name_of(state, event.unit)} is Shaken.", "damage", "core 5.1", (event.unit,))


class Wounded(Event, frozen=True, kw_only=True, tag="wounded"):
    """A single man is wounded; `is_shaken`: he is flipped too (a Hero is not). `core 5.1`"""

    unit: str
    is_shaken: bool = True


@happens(Wounded, public="where_open", perceived=True)
def _wounded(state: State, event: Wounded) -> State:
    each = unit(state, event.unit)
    return with_piece(state, event.unit, is_wounded=True, is_shaken=each.is_shaken or event.is_shaken)


@says(Wounded)
def _wounded_words(state: State, event: Wounded) -> LogLine:
    return line(f"{name_of(state, event.unit)} is wounded.", "damage", "core 5.1", (event.unit,))


class Reduced(Event, frozen=True, kw_only=True, tag="reduced"):
    """A squad is now a Shaken half-squad of this counter. `core 5.1`"""

    unit: str
    counter: str
    loss: Loss


@happens(Reduced, public="where_open", perceived=True)
def _reduced(state: State, event: Reduced) -> State:
    was_open = is_open(state, event.unit)
    state = with_piece(state, event.unit, counter=event.counter, is_shaken=True)
    return with_loss(state, event.loss, was_open=was_open)


@says(Reduced)
def _reduced_words(state: State, event: Reduced) -> LogLine:
    text = (
        f"{counter_name(state, event.loss.counter)} suffers casualties: {counter_name(state, event.counter)} is left."
    )
    return line(text, "damage", "core 5.1", (event.unit,))


class Eliminated(Event, frozen=True, kw_only=True, tag="eliminated"):
    """A unit is no more. Its weapons lie in its hex. `core 1.6.1`"""

    unit: str
    loss: Loss


@happens(Eliminated, public="where_open", perceived=True)
def _eliminated(state: State, event: Eliminated) -> State:
    was_open = is_open(state, event.unit)
    return with_loss(left_behind(state, event.unit), event.loss, was_open=was_open)


@says(Eliminated)
def _eliminated_words(state: State, event: Eliminated) -> LogLine:
    text = f"{counter_name(state, event.loss.counter)} {LOST[event.loss.how]}."
    return line(text, "damage", "core 5.1", (event.unit,))


class HeroCreated(Event, frozen=True, kw_only=True, tag="hero_created"):
    """A hero stands up, open or hidden as his parent was; `deck` is what is left of the skill cards as all know them.
    `drawn`: the card of a hidden one, of which his command alone knows that it is gone. `core 11.2`"""

    unit: Unit
    parent: str = ""
    deck: tuple[str, ...] = ()
    is_open: bool = True
    drawn: str = ""


@happens(HeroCreated, public=lambda before, event: event.is_open)
def _hero_created(state: State, event: HeroCreated) -> State:
    state = add(state, event.unit, PUBLIC if event.is_open else None)
    if not event.drawn:
        return with_public(state, deck=event.deck)
    part = state.commands[event.unit.command]
    return with_part(state, event.unit.command, replace(part, drawn=(*part.drawn, event.drawn)))


@says(HeroCreated)
def _hero_created_words(state: State, event: HeroCreated) -> LogLine:
    each = event.unit
    text = f"A hero stands up at {place_words(state, each.at)}: {unit_name(state, each)}."
    return line(text, "hero", "core 11.2", (each.id,), (each.at,))


class SkillUsed(Event, frozen=True, kw_only=True, tag="skill_used"):
    """A skill card that is used up goes back into the deck; of a hidden unit's its command alone knows. `core 12.0`"""

    unit: str
    skill: str
    is_hidden: bool = False


@happens(SkillUsed, public="where_open")
def _skill_used(state: State, event: SkillUsed) -> State:
    each = unit(state, event.unit)
    state = with_piece(state, event.unit, skills=tuple(skill for skill in each.skills if skill != event.skill))
    part = state.commands[each.command]
    if event.skill in part.drawn:
        at = part.drawn.index(event.skill)
        return with_part(state, each.command, replace(part, drawn=part.drawn[:at] + part.drawn[at + 1 :]))
    if event.is_hidden:
        return with_part(state, each.command, replace(part, returned=(*part.returned, event.skill)))
    return with_public(state, deck=tuple(sorted((*state.public.deck, event.skill))))


@says(SkillUsed)
def _skill_used_words(state: State, event: SkillUsed) -> LogLine:
    row = setting_of(state).book.tables["skills"].get(event.skill)
    name = str(row["name"].value) if row else event.skill
    return line(f"{name_of(state, event.unit)} uses a skill card: {name}.", "skill", "core 12.0", (event.unit,))


class Rallied(Event, frozen=True, kw_only=True, tag="rallied"):
    """A unit is back in Good Order. `core 3.0`"""

    unit: str


@happens(Rallied, public="where_open", perceived=True)
def _rallied(state: State, event: Rallied) -> State:
    return with_piece(state, event.unit, is_shaken=False)


@says(Rallied)
def _rallied_words(state: State, event: Rallied) -> LogLine:
    return line(f"{name_of(state, event.unit)} is back in Good Order.", "rally", "core 3.0", (event.unit,))


class Healed(Event, frozen=True, kw_only=True, tag="healed"):
    """A wound is healed. `core 11.3`"""

    unit: str


@happens(Healed, public="where_open", perceived=True)
def _healed(state: State, event: Healed) -> State:
    return with_piece(state, event.unit, is_wounded=False)


@says(Healed)
def _healed_words(state: State, event: Healed) -> LogLine:
    return line(f"{name_of(state, event.unit)} is healed.", "rally", "core 11.3", (event.unit,))


class Attempted(Event, frozen=True, kw_only=True, tag="attempted"):
    """What a unit has tried in this Rally Phase. `core 3.0`"""

    unit: str
    attempts: tuple[str, ...]


@happens(Attempted, public="never")
def _attempted(state: State, event: Attempted) -> State:
    return with_piece(state, event.unit, attempts=event.attempts)


@noted(Attempted)
def _attempted_noted(state: State, event: Attempted) -> LogLine:
    tried = ", ".join(event.attempts) or "nothing"
    return note(f"{name_of(state, event.unit)} has tried in this Rally Phase: {tried}.")


class Combined(Event, frozen=True, kw_only=True, tag="combined"):
    """Two half-squads are one squad now: `into` takes the place of `units`. `core 3.0`"""

    units: tuple[str, str]
    into: Unit


@happens(Combined, public="where_open")
def _combined(state: State, event: Combined) -> State:
    """The first of them becomes the squad, and has what both had."""
    first, second = event.units
    for gun in held(state, second, Weapon):
        state = hold(state, gun.id, first, POSSESSED)
    return with_pieces(take(state, second), [event.into])


@says(Combined)
def _combined_words(state: State, event: Combined) -> LogLine:
    text = f"Two half-squads form {unit_name(state, event.into)}."
    return line(text, "rally", "core 3.0", (event.into.id,))
