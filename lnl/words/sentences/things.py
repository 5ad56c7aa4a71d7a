"""Weapons, and what lies and burns on the ground, in sentences."""

from __future__ import annotations

from lnl.happening import events
from lnl.orders.dispatch import describes
from lnl.state.battle import State
from lnl.words.naming import name_of, names_of, place_words
from lnl.words.sentences.line import line
from umpire.kernel.registry import LogLine

# Weapons


@describes(events.WeaponTaken)
def _weapon_taken(event: events.WeaponTaken, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} takes {name_of(state, event.weapon)}."
    return line(text, "weapon", "core 1.6.1", (event.unit,))


@describes(events.WeaponDropped)
def _weapon_dropped(event: events.WeaponDropped, state: State) -> LogLine:
    where = place_words(state, event.at)
    if event.start is not None:
        text = f"The umpire moves {name_of(state, event.weapon)} from {place_words(state, event.start)} to {where}."
        return line(text, "umpire", "", (), (event.at,))
    return line(f"{name_of(state, event.weapon)} lies at {where}.", "weapon", "core 1.6.1", (), (event.at,))


@describes(events.WeaponFlipped)
def _weapon_flipped(event: events.WeaponFlipped, state: State) -> LogLine:
    what = "is set up" if event.is_set_up else "is made ready to move"
    return line(f"{name_of(state, event.weapon)} {what}.", "weapon", "core 1.6.1.01")


@describes(events.WeaponJammed)
def _weapon_jammed(event: events.WeaponJammed, state: State) -> LogLine:
    what = "jams" if event.is_jammed else "is cleared"
    return line(f"{name_of(state, event.weapon)} {what}.", "weapon", "core 1.6.1.1")


@describes(events.WeaponRemoved)
def _weapon_removed(event: events.WeaponRemoved, state: State) -> LogLine:
    return line("A weapon is used up.", "weapon", "core 1.6.2")


# Ground


@describes(events.SmokePlaced)
def _smoke_placed(event: events.SmokePlaced, state: State) -> LogLine:
    return line(f"Smoke at {place_words(state, event.at)}.", "smoke", "core 7.0", at=(event.at,))


@describes(events.SmokeFailed)
def _smoke_failed(event: events.SmokeFailed, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} lays no smoke at {place_words(state, event.at)}."
    return line(text, "smoke", "core 7.0", (event.unit,), (event.at,))


@describes(events.StarShellPlaced)
def _star_shell_placed(event: events.StarShellPlaced, state: State) -> LogLine:
    return line(f"A star shell burns over {place_words(state, event.at)}.", "light", "core 20.1", at=(event.at,))


@describes(events.BarragePlaced)
def _barrage_placed(event: events.BarragePlaced, state: State) -> LogLine:
    at = event.barrage.at
    return line(f"Fire For Effect falls on {place_words(state, at)}.", "fire", "core 18.1", at=(at,))


@describes(events.WorkPlaced)
def _work_placed(event: events.WorkPlaced, state: State) -> LogLine:
    work = event.work
    text = f"{name_of(state, work.id)} at {place_words(state, work.at)}."
    return line(text, "work", "core 21.0", (work.id,), (work.at,))


@describes(events.WorkRemoved)
def _work_removed(event: events.WorkRemoved, state: State) -> LogLine:
    return line("A work is gone.", "work", "core 21.0")


@describes(events.MeleeMarked)
def _melee_marked(event: events.MeleeMarked, state: State) -> LogLine:
    at = event.melee.at
    return line(f"Melee at {place_words(state, at)}.", "melee", "core 8.1", at=(at,))


@describes(events.MeleeOver)
def _melee_over(event: events.MeleeOver, state: State) -> LogLine:
    return line(f"The melee at {place_words(state, event.at)} is over.", "melee", "core 8.1", at=(event.at,))


@describes(events.MeleeFought, perceived=True)
def _melee_fought(event: events.MeleeFought, state: State) -> LogLine:
    what = "the defenders fall" if event.is_won else "no effect"
    text = (
        f"Melee at {place_words(state, event.at)}: {names_of(state, event.attackers)} against "
        f"{names_of(state, event.defenders)} at {event.odds}: {event.total}, {event.needed} needed: {what}."
    )
    return line(text, "melee", "core 8.0", (*event.attackers, *event.defenders), (event.at,))
