"""Values that a case file may ask of FireForce's fire, saves and motivation, each by a function. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from fireforce.rules.fire import fire_points, saving_throws
from fireforce.rules.men.motivation import leaders_of, motivation_modifiers
from fireforce.rules.men.organisation import has_squad, quality_of, team_named
from fireforce.state.battle import (
    State,
)
from fireforce.state.finding import (
    has_figure,
    squad,
    squads,
)
from fireforce.state.setting import tables_of
from fireforce.testing.cases.measures import the_figure, weapon_key
from fireforce.testing.cases.words import length, named_in, plain
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.rulings import Roll
from umpire.kernel.values.modifiers import total
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

CONDITIONS: Final = {
    "mounted target": "target_mounted",
    "mounted": "target_mounted",
    "shooting at mounted": "target_mounted",
    "mounted shooter": "shooter_mounted",
    "shooting whilst mounted": "shooter_mounted",
    "dense jungle": "dense",
    "bua": "dense",
    "built up area": "dense",
    "poor": "poor_troops",
    "moving": "on_the_move",
    "moved": "on_the_move",
    "firing on the move": "on_the_move",
    "fire on the move": "on_the_move",
    "running troops": "running",
    "running target": "running",
    "firing at running troops": "running",
    "first shot": "ambush",
    "first shot from ambush": "ambush",
    "civilian": "civilians",
    "shooting at civilians": "civilians",
    "prophylactic fire": "prophylactic",
    "cover": "soft_cover",
    "soft": "soft_cover",
    "hard": "hard_cover",
    "target in soft cover": "soft_cover",
    "target in hard cover": "hard_cover",
    "rain": "raining",
    "no hostiles in sight": "no_hostiles",
    "gamble": "desperate_gamble",
}
"""Words for conditions that are not the keys of the tables with spaces."""


def _condition(word: Any) -> str:
    return CONDITIONS.get(plain(word), plain(word).replace(" ", "_"))


def _conditions(value: Any) -> list[str]:
    return [_condition(each) for each in named_in(value)]


# Fire


def _fire_points(
    state: State,
    source: ScriptedDice,
    base: int = 0,
    doubled: Any = (),
    halved: Any = (),
    figures: Any = (),
    to: str = "",
    aimed: bool = True,
    weapon: str = "",
    number: int = 1,
) -> int:
    """From a base (or so many men with a weapon) and conditions, or of figures that would fire at a target."""
    if weapon:
        base = number * tables_of(state).weapon(weapon_key(state, weapon)).fire_points
    if not figures:
        return tables_of(state).fire_points(base, _conditions(doubled), _conditions(halved)).points
    men = [the_figure(state, each) for each in named_in(figures)]
    shots = [fire_points.shot_at(state, man, the_figure(state, to), aimed) for man in men]
    for shot in shots:
        if isinstance(shot, str):
            raise CaseFault(f"he {shot}", at=to)
    return fire_points.fire_points(state, [shot for shot in shots if not isinstance(shot, str)]).points


def _hits(
    state: State, source: ScriptedDice, fire_points: int = 0, modifier: int = 0, row: int = 0, die: int = 0
) -> int:
    """The hits of so many points, or those of one face on one row."""
    tables = tables_of(state)
    if die:
        return sum(tables.hits(each, die, modifier) for each in ([row] if row else tables.rows_for(fire_points)))
    hits = 0
    for each in [row] if row else tables.rows_for(fire_points):
        faces = source.roll(Roll(sides=20, purpose="hits", subject=f"row {each}"), 0)
        assert faces is not None
        hits += tables.hits(each, faces[0], modifier)
    return hits


def _rows(state: State, source: ScriptedDice, fire_points: int) -> list[int]:
    return list(tables_of(state).rows_for(fire_points))


def _fire_modifier(
    state: State,
    source: ScriptedDice,
    quality: Any = "trained",
    weapon: str = "assault_rifle",
    distance: Any = 10,
    conditions: Any = (),
    figures: Any = (),
    to: str = "",
    aimed: bool = True,
) -> int:
    """What is added to the d20."""
    if figures:
        men = [the_figure(state, each) for each in named_in(figures)]
        shots = [fire_points.shot_at(state, man, the_figure(state, to), aimed) for man in men]
        made = [shot for shot in shots if not isinstance(shot, str)]
        return total(fire_points.fire_modifiers(state, made, the_figure(state, to)))
    kind = tables_of(state).weapon(weapon_key(state, weapon)).kind
    said = [{"rain": "haze", "raining": "haze"}.get(each, each) for each in _conditions(conditions)]
    return total(tables_of(state).fire_modifiers(quality, kind, length(distance), conditions=said))


def _criticals(state: State, source: ScriptedDice, hits: int, quality: Any, aimed: bool = True) -> int:
    return tables_of(state).potential_criticals(hits, quality) if aimed and hits else 0


def _critical_number(state: State, source: ScriptedDice, quality: Any) -> int | str:
    """What a critical hit needs on a d10; "none" where it needs no roll."""
    return tables_of(state).critical_number(quality) or "none"


# Saving throws and close combat


def _throw(state: State, figure: str, weapon: str, prophylactic: bool, sniper: bool, firer: str) -> saving_throws.Throw:
    is_blast = plain(weapon) in ("he", "grenade", "artillery", "blast", "mine")
    kind = "he" if is_blast else tables_of(state).weapon(weapon_key(state, weapon)).kind
    cause = saving_throws.Cause(
        kinds=(kind,), is_prophylactic=prophylactic, is_sniper=sniper, firers=(firer,) if firer else ()
    )
    return saving_throws.throw(state, the_figure(state, figure), cause)


def _save(
    state: State,
    source: ScriptedDice,
    figure: str,
    weapon: str = "assault_rifle",
    prophylactic: bool = False,
    sniper: bool = False,
    firer: str = "",
    die: int = 0,
) -> str:
    """ "saved" or "casualty", by one die."""
    needed = _throw(state, figure, weapon, prophylactic, sniper, firer)
    faces = (die,) if die else source.roll(Roll(sides=10, purpose="save", subject=figure), 0)
    assert faces is not None
    return "saved" if tables_of(state).is_saved(needed.needed, faces[0], needed.modifiers) else "casualty"


def _save_number(
    state: State,
    source: ScriptedDice,
    figure: str,
    weapon: str = "assault_rifle",
    prophylactic: bool = False,
    sniper: bool = False,
    firer: str = "",
) -> int:
    """What the row of the table says, without modifiers."""
    return _throw(state, figure, weapon, prophylactic, sniper, firer).needed


def _save_modifier(
    state: State,
    source: ScriptedDice,
    figure: str,
    weapon: str = "assault_rifle",
    prophylactic: bool = False,
    sniper: bool = False,
    firer: str = "",
) -> int:
    return total(_throw(state, figure, weapon, prophylactic, sniper, firer).modifiers)


def _close_combat(state: State, source: ScriptedDice, difference: int) -> str:
    """What follows a difference of the scores: draw, withdrawal, loss."""
    return tables_of(state).close_combat_result(difference).key


# Motivation


def _motivation_result(state: State, source: ScriptedDice, score: int, quality: Any, hour: Any = "") -> str:
    return tables_of(state).motivation_result(score, hour or state.public.hour, quality).name


def _motivation_number(state: State, source: ScriptedDice, quality: Any) -> int:
    return tables_of(state).quality(quality).motivation


def _score(
    state: State,
    source: ScriptedDice,
    die: int,
    quality: Any,
    casualties: int = 0,
    rating: int = 0,
    conditions: Any = (),
) -> int:
    """The score of a die with all that is added to it."""
    added = tables_of(state).motivation_modifiers(
        quality, casualties=casualties, conditions=_conditions(conditions), leaders=[("leader", rating)]
    )
    return die + total(added)


def _motivation_modifier(state: State, source: ScriptedDice, squad: str, team: str = "", gamble: bool = False) -> int:
    """All that would be added to the die of a squad or team now."""
    return total(motivation_modifiers(state, *_team(state, squad, team), is_gamble=gamble))


def _rating(state: State, source: ScriptedDice, squad: str, team: str = "") -> int:
    """The Motivation Ratings that count for a squad or team, together."""
    return sum(rating for _, rating in leaders_of(state, *_team(state, squad, team)))


def _team(state: State, name: str, team: str) -> tuple[Any, str]:
    key = name if has_squad(state, name) else f"squad {name}"
    if not has_squad(state, key):
        unknown("the squad", name, [unit.id for unit in squads(state)])
    unit = squad(state, key)
    found = team_named(unit, team)
    if found is None:
        unknown("the team", team, unit.teams)
    return unit, found


def _counts_as(
    state: State, source: ScriptedDice, quality: Any = "", flakey: bool = False, dropped: int = -1, figure: str = ""
) -> str:
    """What troops count as that have cracked, or a figure or squad now."""
    tables = tables_of(state)
    if figure:
        if has_figure(state, figure):
            return fire_points.counts_as(state, the_figure(state, figure))
        return quality_of(state, _team(state, figure, "")[0])
    return tables.dropped(quality, tables.levels_dropped(flakey=flakey) if dropped < 0 else dropped)


VALUES: Final[Mapping[str, Callable[..., Any]]] = {
    "close_combat": _close_combat,
    "counts_as": _counts_as,
    "critical_number": _critical_number,
    "fire_modifier": _fire_modifier,
    "fire_points": _fire_points,
    "hits": _hits,
    "motivation_modifier": _motivation_modifier,
    "motivation_number": _motivation_number,
    "motivation_result": _motivation_result,
    "potential_criticals": _criticals,
    "rating": _rating,
    "rows": _rows,
    "save": _save,
    "save_modifier": _save_modifier,
    "save_number": _save_number,
    "score": _score,
}
