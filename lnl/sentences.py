"""How events read. `perceived` are those that enemies who see all that they name can tell from looking on.

A sentence is made from the state after the event: what is gone is named by what the event carries.
"""

from __future__ import annotations

from collections.abc import Iterable

from lnl import events
from lnl.checks import PHASE_NAMES
from lnl.dispatch import describes
from lnl.finding import has_unit, unit
from lnl.naming import command_name, counter_name, name_of, names_of, place_words, side_name, unit_name
from lnl.setting import setting_of
from lnl.state import State
from umpire.kernel.registry import LogLine

MANNERS = {
    "move": "moves",
    "assault": "assault moves",
    "low_crawl": "crawls",
    "stealth": "moves stealthily",
}
STOPS = {
    "contact": "runs into the enemy",
    "shaken": "is Shaken",
    "wounded": "is wounded",
    "melee": "is in melee",
    "wire": "is held up by wire",
    "stacking": "finds no room",
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


def _line(
    text: str, kind: str, rule: str = "", pieces: Iterable[str] = (), at: tuple[tuple[int, ...], ...] = ()
) -> LogLine:
    return LogLine(text=text, kind=kind, rule=rule, pieces=tuple(pieces), at=at)


# The battle, its turns and impulses


@describes(events.BattleBegan)
def _battle_began(event: events.BattleBegan, state: State) -> LogLine:
    return _line("The battle begins.", "turn", "core 2.0")


@describes(events.SetUp)
def _set_up(event: events.SetUp, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} sets up at {place_words(state, event.at)}."
    return _line(text, "set_up", "core 1.3", (event.unit,), (event.at,))


@describes(events.Ended)
def _ended(event: events.Ended, state: State) -> LogLine:
    return _line(f"{command_name(state, event.command)} is done.", "phase")


@describes(events.TurnBegan)
def _turn_began(event: events.TurnBegan, state: State) -> LogLine:
    return _line(f"Turn {event.turn} of {setting_of(state).turns}.", "turn", "core 2.0")


@describes(events.PhaseBegan)
def _phase_began(event: events.PhaseBegan, state: State) -> LogLine:
    return _line(f"{PHASE_NAMES[event.phase]}.", "phase", "core 2.0")


@describes(events.InitiativeWon)
def _initiative_won(event: events.InitiativeWon, state: State) -> LogLine:
    return _line(f"{side_name(state, event.side)} has the initiative.", "turn", "core 3.0")


@describes(events.RallyPassedOn)
def _rally_passed_on(event: events.RallyPassedOn, state: State) -> LogLine:
    return _line(f"{side_name(state, event.side)} rallies.", "phase", "core 3.0")


@describes(events.ImpulseBegan)
def _impulse_began(event: events.ImpulseBegan, state: State) -> LogLine | None:
    places = event.impulse.places
    if not places:
        return None
    named = ", ".join(place_words(state, place) for place in places)
    return _line(f"{command_name(state, event.impulse.command)} activates {named}.", "impulse", "core 4.0", at=places)


@describes(events.ImpulseEnded)
def _impulse_ended(event: events.ImpulseEnded, state: State) -> LogLine:
    what = "passes" if event.passes else "has ended its impulse"
    return _line(f"{command_name(state, event.command)} {what}.", "impulse", "core 4.0")


@describes(events.MarkersRemoved)
def _markers_removed(event: events.MarkersRemoved, state: State) -> LogLine:
    return _line("Markers come off.", "phase", "core 9.0")


@describes(events.PointsScored)
def _points_scored(event: events.PointsScored, state: State) -> LogLine:
    score = event.score
    text = f"{side_name(state, score.side)}: {score.points:+d} points, {score.reason}."
    return _line(text, "points", score.rule)


@describes(events.ControlChanged)
def _control_changed(event: events.ControlChanged, state: State) -> LogLine:
    text = f"{side_name(state, event.side)} controls {place_words(state, event.at)}."
    return _line(text, "points", at=(event.at,))


@describes(events.BattleEnded)
def _battle_ended(event: events.BattleEnded, state: State) -> LogLine:
    result = event.result
    points = ", ".join(f"{side_name(state, side)} {total}" for side, total in result.points.items())
    winner = f"{side_name(state, result.winner)} has won" if result.winner else "a draw"
    return _line(f"{result.why} The battle is over: {winner}{f' ({points})' if points else ''}.", "end")


# Movement


@describes(events.Started, perceived=True)
def _started(event: events.Started, state: State) -> LogLine:
    double = " at double-time" if event.double_time else ""
    text = f"{names_of(state, event.units)} {MANNERS[event.manner]}{double}."
    return _line(text, "move", "core 6.0", event.units)


@describes(events.Entered, perceived=True)
def _entered(event: events.Entered, state: State) -> LogLine:
    text = f"{names_of(state, event.units)}: into {place_words(state, event.at)}."
    return _line(text, "move", "core 6.0", event.units, (event.at,))


@describes(events.Stopped, perceived=True)
def _stopped(event: events.Stopped, state: State) -> LogLine | None:
    if event.why == "done" or not event.units:
        return None
    return _line(f"{names_of(state, event.units)} {STOPS.get(event.why, 'stops')}.", "move", "core 6.0", event.units)


@describes(events.Faced)
def _faced(event: events.Faced, state: State) -> LogLine:
    return _line(f"{name_of(state, event.unit)} turns.", "move", "core 1.6.3", (event.unit,))


@describes(events.Retreated, perceived=True)
def _retreated(event: events.Retreated, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} falls back to {place_words(state, event.at)}."
    return _line(text, "move", "core 1.6.2", (event.unit,), (event.at,))


@describes(events.Arrived)
def _arrived(event: events.Arrived, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} arrives at {place_words(state, event.at)}."
    return _line(text, "move", "", (event.unit,), (event.at,))


@describes(events.Reinforced)
def _reinforced(event: events.Reinforced, state: State) -> LogLine:
    return _line(f"Coming in turn {event.turn}: {names_of(state, event.units)}.", "move", "core 1.7", event.units)


@describes(events.Exited)
def _exited(event: events.Exited, state: State) -> LogLine:
    return _line(
        "; ".join(f"{counter_name(state, loss.counter)} {LOST['exited']}" for loss in event.losses) + ".", "move"
    )


@describes(events.Revealed)
def _revealed(event: events.Revealed, state: State) -> LogLine:
    places = [unit(state, piece).at for piece in event.pieces if has_unit(state, piece)]
    where = f" at {place_words(state, places[0])}" if places else ""
    text = f"Comes to light{where}: {names_of(state, event.pieces)}."
    return _line(text, "contact", "core 10.1", event.pieces, tuple(places[:1]))


# Markers and states of units


@describes(events.Fired, perceived=True)
def _fired(event: events.Fired, state: State) -> LogLine:
    guns = f" with {names_of(state, event.weapons)}" if event.weapons else ""
    where = f" at {place_words(state, event.at)}" if event.at is not None else ""
    places = (event.at,) if event.at is not None else ()
    return _line(
        f"{names_of(state, event.units)}{guns} {HOW[event.how]}{where}.", "fire", "core 5.0", event.units, places
    )


@describes(events.OpsCompleted)
def _ops_completed(event: events.OpsCompleted, state: State) -> LogLine:
    why = f" ({event.why})" if event.why else ""
    return _line(f"Ops Complete: {names_of(state, event.units)}{why}.", "marker", "core 4.1", event.units)


@describes(events.Shaken, perceived=True)
def _shaken(event: events.Shaken, state: State) -> LogLine:
    return _line(f"{name_of(state, event.unit)} is Shaken.", "damage", "core 5.1", (event.unit,))


@describes(events.Wounded, perceived=True)
def _wounded(event: events.Wounded, state: State) -> LogLine:
    return _line(f"{name_of(state, event.unit)} is wounded.", "damage", "core 5.1", (event.unit,))


@describes(events.Reduced, perceived=True)
def _reduced(event: events.Reduced, state: State) -> LogLine:
    text = f"{counter_name(state, event.loss.counter)} {LOST['reduced']}: {counter_name(state, event.counter)} is left."
    return _line(text, "damage", "core 5.1", (event.unit,))


@describes(events.Eliminated, perceived=True)
def _eliminated(event: events.Eliminated, state: State) -> LogLine:
    text = f"{counter_name(state, event.loss.counter)} {LOST[event.loss.how]}."
    return _line(text, "damage", "core 5.1", (event.unit,))


@describes(events.HeroCreated)
def _hero_created(event: events.HeroCreated, state: State) -> LogLine:
    each = event.unit
    text = f"A hero stands up at {place_words(state, each.at)}: {unit_name(state, each)}."
    return _line(text, "hero", "core 11.2", (each.id,), (each.at,))


@describes(events.SkillUsed)
def _skill_used(event: events.SkillUsed, state: State) -> LogLine:
    row = setting_of(state).book.tables["skills"].get(event.skill)
    name = str(row["name"].value) if row else event.skill
    return _line(f"{name_of(state, event.unit)} uses a skill card: {name}.", "skill", "core 12.0", (event.unit,))


@describes(events.Rallied, perceived=True)
def _rallied(event: events.Rallied, state: State) -> LogLine:
    return _line(f"{name_of(state, event.unit)} is back in Good Order.", "rally", "core 3.0", (event.unit,))


@describes(events.Healed, perceived=True)
def _healed(event: events.Healed, state: State) -> LogLine:
    return _line(f"{name_of(state, event.unit)} is healed.", "rally", "core 11.3", (event.unit,))


@describes(events.Combined)
def _combined(event: events.Combined, state: State) -> LogLine:
    text = f"Two half-squads form {unit_name(state, event.into)}."
    return _line(text, "rally", "core 3.0", (event.into.id,))


@describes(events.Called)
def _called(event: events.Called, state: State) -> LogLine:
    return _line(f"{name_of(state, event.unit)} directs mortar fire.", "fire", "core 18.1", (event.unit,))


# Weapons


@describes(events.WeaponTaken)
def _weapon_taken(event: events.WeaponTaken, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} takes {name_of(state, event.weapon)}."
    return _line(text, "weapon", "core 1.6.1", (event.unit,))


@describes(events.WeaponDropped)
def _weapon_dropped(event: events.WeaponDropped, state: State) -> LogLine:
    text = f"{name_of(state, event.weapon)} lies at {place_words(state, event.at)}."
    return _line(text, "weapon", "core 1.6.1", (), (event.at,))


@describes(events.WeaponFlipped)
def _weapon_flipped(event: events.WeaponFlipped, state: State) -> LogLine:
    what = "is set up" if event.is_set_up else "is made ready to move"
    return _line(f"{name_of(state, event.weapon)} {what}.", "weapon", "core 1.6.1.01")


@describes(events.WeaponJammed)
def _weapon_jammed(event: events.WeaponJammed, state: State) -> LogLine:
    what = "jams" if event.is_jammed else "is cleared"
    return _line(f"{name_of(state, event.weapon)} {what}.", "weapon", "core 1.6.1.1")


@describes(events.WeaponRemoved)
def _weapon_removed(event: events.WeaponRemoved, state: State) -> LogLine:
    return _line("A weapon is used up.", "weapon", "core 1.6.2")


# Ground


@describes(events.SmokePlaced)
def _smoke_placed(event: events.SmokePlaced, state: State) -> LogLine:
    return _line(f"Smoke at {place_words(state, event.at)}.", "smoke", "core 7.0", at=(event.at,))


@describes(events.SmokeFailed)
def _smoke_failed(event: events.SmokeFailed, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} lays no smoke at {place_words(state, event.at)}."
    return _line(text, "smoke", "core 7.0", (event.unit,), (event.at,))


@describes(events.StarShellPlaced)
def _star_shell_placed(event: events.StarShellPlaced, state: State) -> LogLine:
    return _line(f"A star shell burns over {place_words(state, event.at)}.", "light", "core 20.1", at=(event.at,))


@describes(events.BarragePlaced)
def _barrage_placed(event: events.BarragePlaced, state: State) -> LogLine:
    at = event.barrage.at
    return _line(f"Fire For Effect falls on {place_words(state, at)}.", "fire", "core 18.1", at=(at,))


@describes(events.WorkPlaced)
def _work_placed(event: events.WorkPlaced, state: State) -> LogLine:
    work = event.work
    text = f"{name_of(state, work.id)} at {place_words(state, work.at)}."
    return _line(text, "work", "core 21.0", (work.id,), (work.at,))


@describes(events.WorkRemoved)
def _work_removed(event: events.WorkRemoved, state: State) -> LogLine:
    return _line("A work is gone.", "work", "core 21.0")


@describes(events.MeleeMarked)
def _melee_marked(event: events.MeleeMarked, state: State) -> LogLine:
    at = event.melee.at
    return _line(f"Melee at {place_words(state, at)}.", "melee", "core 8.1", at=(at,))


@describes(events.MeleeOver)
def _melee_over(event: events.MeleeOver, state: State) -> LogLine:
    return _line(f"The melee at {place_words(state, event.at)} is over.", "melee", "core 8.1", at=(event.at,))


@describes(events.MeleeFought, perceived=True)
def _melee_fought(event: events.MeleeFought, state: State) -> LogLine:
    what = "the defenders fall" if event.is_won else "no effect"
    text = (
        f"Melee at {place_words(state, event.at)}: {names_of(state, event.attackers)} against "
        f"{names_of(state, event.defenders)} at {event.odds}: {event.total}, {event.needed} needed: {what}."
    )
    return _line(text, "melee", "core 8.0", (*event.attackers, *event.defenders), (event.at,))


# Events of the scenario, plans, standing orders, the umpire


@describes(events.Happened)
def _happened(event: events.Happened, state: State) -> LogLine | None:
    return _line(event.text, "event", "core 1.7") if event.text else None


@describes(events.StandingOrdersGiven)
def _standing_orders_given(event: events.StandingOrdersGiven, state: State) -> LogLine:
    who = name_of(state, event.unit) if event.unit else command_name(state, event.command)
    return _line(f"Standing orders for {who}.", "plan", "core 5.3", (event.unit,) if event.unit else ())


@describes(events.PlanGiven)
def _plan_given(event: events.PlanGiven, state: State) -> LogLine:
    return _line(f"{name_of(state, event.plan.force)} has a plan.", "plan", "", (event.plan.force,))


@describes(events.PlanDropped)
def _plan_dropped(event: events.PlanDropped, state: State) -> LogLine:
    return _line(f"{name_of(state, event.force)} has no plan any more.", "plan", "", (event.force,))


@describes(events.SignalGiven)
def _signal_given(event: events.SignalGiven, state: State) -> LogLine:
    return _line(f"{command_name(state, event.command)} signals {event.signal!r}.", "signal")


@describes(events.Altered)
def _altered(event: events.Altered, state: State) -> LogLine:
    what = "the battle" if event.piece == "battle" else name_of(state, event.piece)
    return _line(f"The umpire sets {event.field} of {what}.", "umpire")


@describes(events.Added)
def _added(event: events.Added, state: State) -> LogLine | None:
    return None if event.unit is None else _line(f"The umpire adds {unit_name(state, event.unit)}.", "umpire")


@describes(events.Concealed)
def _concealed(event: events.Concealed, state: State) -> LogLine:
    return _line(f"The umpire hides {names_of(state, event.units)}.", "umpire", "", event.units)


@describes(events.Removed)
def _removed(event: events.Removed, state: State) -> LogLine:
    return _line("The umpire takes a piece out of the battle.", "umpire")
