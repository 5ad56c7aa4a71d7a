"""Saving throws: who of those that were hit is a casualty, and who is pinned and for how long."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from fireforce.book.kinds import SAVES, Save
from fireforce.book.rows import WeaponKind
from fireforce.happening.fire import Pinned, Saved
from fireforce.happening.rulings import fallen, tell
from fireforce.rules.fire.fire_points import counts_as, covers_from, owner_of
from fireforce.rules.men.losses import casualty
from fireforce.rules.turn.turn_sequence import pin_until
from fireforce.state.battle import (
    Figure,
    State,
)
from fireforce.state.finding import (
    figure,
    has_figure,
)
from fireforce.state.setting import ground_of, tables_of
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.values.modifiers import Modifier, total

RULE = "fireforce saving-throws"


class Cause(Struct, frozen=True, kw_only=True):
    """What figures must be saved from. `kinds` are the weapons' kinds ("he" for a blast); `by` the side that did it, ""
    for an accident; `firers` who stood where the fire came from, for the cover against them. `when` ("turn 3") tells
    apart the dice of saves that follow by themselves."""

    kinds: tuple[WeaponKind, ...]
    by: str = ""
    is_prophylactic: bool = False
    is_sniper: bool = False
    firers: tuple[str, ...] = ()
    cause: str = "fire"
    when: str = ""


class Throw(Struct, frozen=True, kw_only=True):
    """One saving throw: what is needed on the d10, on which row, what is added, and which roll always fails."""

    row: Save
    needed: int
    modifiers: tuple[Modifier, ...]
    failure: int = 1

    @property
    def natural(self) -> int:
        """The lowest roll that saves; 11 where none does."""
        return min(max(self.needed - total(self.modifiers), self.failure + 1), 11)


def save_row(state: State, man: Figure, cause: Cause) -> Save:
    """The row of the table for a figure: the ground under it, or the cover it has from the nearest of the firers if
    that is better. `fireforce saving-throws`"""
    ground = ground_of(state)
    under = ground.save_at(man.at, man.radius)
    firers = [figure(state, each) for each in cause.firers if has_figure(state, each)]
    behind: Mapping[str, Save] = {"hard": "jungle", "soft": "soft", "none": "open"}
    return max(under, behind[covers_from(state, firers, [man])[0]], key=SAVES.index)


def throw(state: State, man: Figure, cause: Cause) -> Throw:
    """What a figure needs to be saved. `fireforce saving-throws`"""
    tables = tables_of(state)
    row = save_row(state, man, cause)
    conditions = [
        word
        for word, holds in (
            ("body_armour", man.body_armour),
            ("pinned", man.is_pinned),
            ("prophylactic", cause.is_prophylactic),
            ("sniper", cause.is_sniper),
        )
        if holds
    ]
    # Of several weapons nobody knows which one hit: armour helps only if it does against each.
    modifiers = min((tables.save_modifiers(kind, conditions) for kind in cause.kinds), key=total)
    target = "civilian" if man.is_civilian else counts_as(state, man)
    failure = tables.number("natural_failure")
    return Throw(row=row, needed=tables.save_number(row, target), modifiers=modifiers, failure=failure)


def save(state: State, hits: Mapping[str, int], cause: Cause) -> Ruling[State]:
    """Each figure hit makes a saving throw for each of its hits, one after the other until it is a casualty; all as it
    was when the fire came, for the hits of one fire fall together. Saved: it is pinned. `fireforce saving-throws`"""
    throws = {man: throw(state, figure(state, man), cause) for man in hits if has_figure(state, man)}
    for man, needed in throws.items():
        for _ in range(hits[man]):
            if not has_figure(state, man) or not figure(state, man).is_fit:
                break
            natural = needed.natural
            made = yield from roll(
                "1d10",
                "save",
                subject=f"{man} {cause.when}".strip(),
                by=owner_of(state, man),
                bands=[band for band in ((1, natural - 1, "casualty"), (natural, 10, "saved")) if band[0] <= band[1]],
                modifiers=needed.modifiers,
                rule=RULE,
            )
            state = fallen(made, state)
            if not has_figure(state, man) or not figure(state, man).is_fit:
                break
            if made.result == "casualty":
                state = yield from casualty(state, man, cause.by, cause.cause)
            else:
                state = yield from tell(Saved(figure=man))
                state = yield from pin(state, man, "he" if "he" in cause.kinds else "fire")
    return state


def pin(state: State, piece: str, by: str = "fire") -> Ruling[State]:
    """A figure is pinned for the rest of the enemy's turn and the whole of its own next one; who is pinned already
    stays so until then, by a blast if either was one. `fireforce saving-throws`"""
    man = figure(state, piece)
    until = max(pin_until(state, man), man.pinned_until)
    is_blast = by == "he" or man.pinned == "he"
    if man.pinned == ("he" if is_blast else "fire") and man.pinned_until == until:
        return state
    return (yield from tell(Pinned(figure=piece, by="he" if is_blast else "fire", until=until)))
