"""Morale: what a unit's is now, and how it is checked. `core 1.5`"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lnl.happening.rulings import fallen
from lnl.rules.fire.target_modifiers import covering_ground
from lnl.rules.men.skill_cards import skill_modifiers
from lnl.state.battle import State, Unit
from lnl.state.finding import counter_of, has_kind, is_multi_man, traits_of, unit, works_at
from lnl.state.setting import setting_of, tables_of
from umpire.kernel.book.points import Sum
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.values.modifiers import Modifier, total

RULE = "core 1.5"

morale: Sum[[State, Unit]] = Sum("morale", rule="core 1.5")
"""What raises or lowers the morale that a unit's counter prints."""


@morale.printed
def _wounded(rule: str, state: State, each: Unit) -> Iterable[Modifier]:
    """One less for a wounded single man who is no hero. `core 5.1`"""
    if each.is_wounded and not is_multi_man(state, each) and not has_kind(state, each, "hero"):
        yield Modifier(tables_of(state).number("wounded_morale"), "wounded", "core 5.1")


@morale.printed
def _skills(rule: str, state: State, each: Unit) -> Iterable[Modifier]:
    """A skill card that steadies its owner. `core 12.0`"""
    return skill_modifiers(state, each, "iron_nerve")


def morale_of(state: State, each: Unit) -> tuple[int, tuple[Modifier, ...]]:
    """A unit's morale on the side that its counter shows now, and what has changed it. `core 1.5`

    A counter that prints one number has it on both sides. `core 1.11`"""
    row = counter_of(state, each)
    printed = row.shaken_morale if each.is_shaken and row.shaken_morale is not None else row.morale
    if printed is None:
        raise ValueError(f"the book gives {row.key} no morale")
    changed = morale(setting_of(state).active, traits_of(state, each), state, each).modifiers
    return printed + total(changed), changed


def cover_bonus(state: State, each: Unit) -> tuple[Modifier, ...]:
    """Two off a check in terrain with a positive target modifier, smoke too, in a foxhole or inside a bunker.
    `core 1.5`, `core 7.0`, `core 21.1`, `core 21.2`"""
    tables = tables_of(state)
    if ground := covering_ground(state, each.at):
        return (Modifier(tables.number("morale_in_cover"), f"in {ground}", RULE),)
    for work in works_at(state, each.at):
        is_in = each.at[2] == (-1 if work.kind == "bunker" else 0)
        if is_in and work.kind in ("foxhole", "trench", "bunker") and tables.marker(work.kind).rallies:
            return (Modifier(tables.number("morale_in_cover"), f"in a {work.kind}", RULE),)
    return ()


def bands(needed: int, passed: str, failed: str) -> tuple[tuple[int, int, str], ...]:
    """Two dice: totals up to `needed` pass. `core 1.5`"""
    found = ((2, min(12, needed), passed), (max(2, needed + 1), 12, failed))
    return tuple(band for band in found if band[0] <= band[1])


def check_morale(
    state: State, piece: str, purpose: str = "morale check", extra: Sequence[Modifier] = ()
) -> Ruling[tuple[State, bool]]:
    """A morale check: two dice, with what changes them, not above the unit's morale. Leadership stands in `extra` where
    it applies; cover is added here. `core 1.5`"""
    each = unit(state, piece)
    level, changed = morale_of(state, each)
    modifiers = (*extra, *cover_bonus(state, each))
    made = yield from roll(
        "2d6",
        purpose,
        subject=piece,
        by=each.command,
        bands=bands(level - total(modifiers), "passed", "failed"),
        modifiers=(
            *modifiers,
            *(Modifier(-change.value, change.reason, change.rule, change.status) for change in changed),
        ),
        rule=RULE,
    )
    return fallen(made, state), made.result == "passed"
