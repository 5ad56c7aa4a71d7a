"""What units do and what becomes of them, in sentences."""

from __future__ import annotations

from lnl.happening import events
from lnl.orders.dispatch import describes
from lnl.state.battle import State
from lnl.state.finding import has_unit, unit
from lnl.state.setting import setting_of
from lnl.words.naming import counter_name, name_of, names_of, place_words, side_name, unit_name
from lnl.words.sentences.line import line
from umpire.kernel.registry import LogLine

MANNERS = {
    "move": "moves",
    "assault": "assault moves",
    "low_crawl": "crawls",
    "stealth": "moves stealthily",
}
STOPS = {
    "contact": "runs into the enemy",
    "shaken": "goes no farther",
    "wounded": "goes no farther",
    "melee": "is in melee",
    "wire": "is held up by wire",
    "stacking": "finds no room",
    "stays": "stays there",
}
LOST = {
    "eliminated": "is eliminated",
    "surrendered": "surrenders",
    "removed": "is removed",
    "exited": "has left the board",
    "reduced": "suffers casualties",
}
HOW = {
    "direct": "fires",
    "opportunity": "takes opportunity fire",
    "indirect": "fires indirectly",
    "sniper": "snipes",
    "aid": "directs the fire",
    "claymore": "sets off a claymore",
}


# Movement


@describes(events.Started, perceived=True)
def _started(event: events.Started, state: State) -> LogLine:
    double = " at double-time" if event.double_time else ""
    text = f"{names_of(state, event.units)} {MANNERS[event.manner]}{double}."
    return line(text, "move", "core 6.0", event.units)


@describes(events.Entered, perceived=True)
def _entered(event: events.Entered, state: State) -> LogLine:
    text = f"{names_of(state, event.units)}: into {place_words(state, event.at)}."
    return line(text, "move", "core 6.0", event.units, (event.at,))


@describes(events.Stopped, perceived=True)
def _stopped(event: events.Stopped, state: State) -> LogLine | None:
    if event.why == "done" or not event.units:
        return None
    return line(f"{names_of(state, event.units)} {STOPS.get(event.why, 'stops')}.", "move", "core 6.0", event.units)


@describes(events.Faced)
def _faced(event: events.Faced, state: State) -> LogLine:
    return line(f"{name_of(state, event.unit)} turns.", "move", "core 1.6.3", (event.unit,))


@describes(events.Retreated, perceived=True)
def _retreated(event: events.Retreated, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} falls back to {place_words(state, event.at)}."
    return line(text, "move", "core 1.6.2", (event.unit,), (event.at,))


@describes(events.Arrived)
def _arrived(event: events.Arrived, state: State) -> LogLine:
    where = place_words(state, event.at)
    if event.start is not None:
        text = f"The umpire moves {name_of(state, event.unit)} from {place_words(state, event.start)} to {where}."
    else:
        text = f"{name_of(state, event.unit)} arrives at {where}."
    return line(text, "move", "", (event.unit,), (event.at,))


@describes(events.Reinforced)
def _reinforced(event: events.Reinforced, state: State) -> LogLine:
    return line(f"Coming in turn {event.turn}: {names_of(state, event.units)}.", "move", "core 1.7", event.units)


@describes(events.Exited)
def _exited(event: events.Exited, state: State) -> LogLine:
    return line(
        "; ".join(f"{counter_name(state, loss.counter)} {LOST['exited']}" for loss in event.losses) + ".", "move"
    )


@describes(events.Revealed)
def _revealed(event: events.Revealed, state: State) -> LogLine:
    places = [unit(state, piece).at for piece in event.pieces if has_unit(state, piece)]
    where = f" at {place_words(state, places[0])}" if places else ""
    text = f"Comes to light{where}: {names_of(state, event.pieces)}."
    return line(text, "contact", "core 10.1", event.pieces, tuple(places[:1]))


@describes(events.Disclosed)
def _disclosed(event: events.Disclosed, state: State) -> LogLine:
    text = f"{side_name(state, event.side)} is told of {names_of(state, event.pieces)}."
    return line(text, "contact", "core 1.7", event.pieces)


# Markers and states of units


@describes(events.Fired, perceived=True)
def _fired(event: events.Fired, state: State) -> LogLine:
    guns = f" with {names_of(state, event.weapons)}" if event.weapons else ""
    where = f" at {place_words(state, event.at)}" if event.at is not None else ""
    places = (event.at,) if event.at is not None else ()
    return line(
        f"{names_of(state, event.units)}{guns} {HOW[event.how]}{where}.", "fire", "core 5.0", event.units, places
    )


@describes(events.OpsCompleted)
def _ops_completed(event: events.OpsCompleted, state: State) -> LogLine:
    why = f" ({event.why})" if event.why else ""
    return line(f"Ops Complete: {names_of(state, event.units)}{why}.", "marker", "core 4.1", event.units)


@describes(events.Shaken, perceived=True)
def _shaken(event: events.Shaken, state: State) -> LogLine:
    return line(f"{name_of(state, event.unit)} is Shaken.", "damage", "core 5.1", (event.unit,))


@describes(events.Wounded, perceived=True)
def _wounded(event: events.Wounded, state: State) -> LogLine:
    return line(f"{name_of(state, event.unit)} is wounded.", "damage", "core 5.1", (event.unit,))


@describes(events.Reduced, perceived=True)
def _reduced(event: events.Reduced, state: State) -> LogLine:
    text = f"{counter_name(state, event.loss.counter)} {LOST['reduced']}: {counter_name(state, event.counter)} is left."
    return line(text, "damage", "core 5.1", (event.unit,))


@describes(events.Eliminated, perceived=True)
def _eliminated(event: events.Eliminated, state: State) -> LogLine:
    text = f"{counter_name(state, event.loss.counter)} {LOST[event.loss.how]}."
    return line(text, "damage", "core 5.1", (event.unit,))


@describes(events.HeroCreated)
def _hero_created(event: events.HeroCreated, state: State) -> LogLine:
    each = event.unit
    text = f"A hero stands up at {place_words(state, each.at)}: {unit_name(state, each)}."
    return line(text, "hero", "core 11.2", (each.id,), (each.at,))


@describes(events.SkillUsed)
def _skill_used(event: events.SkillUsed, state: State) -> LogLine:
    row = setting_of(state).book.tables["skills"].get(event.skill)
    name = str(row["name"].value) if row else event.skill
    return line(f"{name_of(state, event.unit)} uses a skill card: {name}.", "skill", "core 12.0", (event.unit,))


@describes(events.Rallied, perceived=True)
def _rallied(event: events.Rallied, state: State) -> LogLine:
    return line(f"{name_of(state, event.unit)} is back in Good Order.", "rally", "core 3.0", (event.unit,))


@describes(events.Healed, perceived=True)
def _healed(event: events.Healed, state: State) -> LogLine:
    return line(f"{name_of(state, event.unit)} is healed.", "rally", "core 11.3", (event.unit,))


@describes(events.Combined)
def _combined(event: events.Combined, state: State) -> LogLine:
    text = f"Two half-squads form {unit_name(state, event.into)}."
    return line(text, "rally", "core 3.0", (event.into.id,))


@describes(events.Called)
def _called(event: events.Called, state: State) -> LogLine:
    return line(f"{name_of(state, event.unit)} directs mortar fire.", "fire", "core 18.1", (event.unit,))
