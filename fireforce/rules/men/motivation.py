"""Motivation: will they go? A d6 and the squad's Motivation Number against the table; the desperate gamble."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely

from fireforce.book.rows import MotivationResult, Quality
from fireforce.happening.men import MotivationRolled
from fireforce.happening.rulings import fallen, tell
from fireforce.rules.hidden.spotting import first_in_sight_of
from fireforce.rules.men.organisation import platoon_commander, serves
from fireforce.rules.men.squads import leader_of
from fireforce.state.battle import (
    Figure,
    Phase,
    Place,
    Squad,
    State,
)
from fireforce.state.finding import (
    figures,
    members_of,
    squad,
    squad_of,
    squads,
    team_of,
    visible_enemies,
)
from fireforce.state.setting import ground_of, setting_of, tables_of
from fireforce.table.ground import Ground
from fireforce.table.ranges import BASE_RADIUS, base_to_base, nearest
from fireforce.table.sight import Eye, sights
from fireforce.words.naming import name_of
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.values.modifiers import Modifier, total

RULE = "fireforce motivation"
WHEN: tuple[Phase, ...] = ("motivation_movement",)

Bands = tuple[tuple[int, int, str], ...]


# Who rolls


def needs_motivation(state: State, man: Figure) -> bool:
    """Whether a figure goes only if motivated: not one with a positive rating, nor special forces, nor those of a squad
    that needs no motivation. `fireforce special-motivation`"""
    unit = squad_of(state, man)
    if unit is None or unit.has_special_motivation or "special_forces" in (*man.traits, *unit.traits):
        return False
    return (man.motivation_rating or 0) <= 0


def rollers(state: State, unit: Squad, team: str) -> tuple[Figure, ...]:
    """The fit figures for whom a team rolls: those who rolled with others, and have joined since, have their own."""
    own = unit.teams[team].own
    return tuple(man for man in members_of(state, unit, team) if man.id in own)


def rolls(state: State, unit: Squad, team: str) -> bool:
    """Whether a team has anybody who must be motivated. `fireforce special-motivation`"""
    return any(needs_motivation(state, man) for man in rollers(state, unit, team))


def has_to_roll(state: State, unit: Squad, team: str) -> bool:
    """Whether a team has still to be rolled for in this player turn. `fireforce motivation`"""
    now = unit.teams[team]
    return not now.result and not now.has_moved and rolls(state, unit, team)


def result_row(state: State, result: str) -> MotivationResult:
    """The row of a result. Raises KeyError."""
    return setting_of(state).book.table("motivation_results", MotivationResult)[result]


# What counts


def conditions_of(state: State, unit: Squad, team: str, *, is_gamble: bool = False) -> tuple[str, ...]:
    """The printed conditions that hold for a team, keys of the table. Enemies are those that one of its men sees,
    gunfire what they have heard since their side's last player turn, and what was fired at them from however far.
    `fireforce motivation`"""
    found: list[str] = []
    if state.public.weather == "rain":
        found.append("raining")
    if unit.teams[team].is_under_fire or (is_gamble and unit.teams[team].was_under_fire):
        found.append("under_fire")
    if is_team_in_cover(state, unit, team):
        found.append("in_cover")
    is_quiet = "under_fire" not in found and not has_heard_gunfire(state, unit, team)
    if is_quiet and not sees_hostiles(state, unit, team):
        found.append("no_hostiles")
    if is_gamble:
        found.append("desperate_gamble")
    return tuple(found)


def hostiles(state: State, command: str) -> tuple[Figure, ...]:
    """The enemies that a command has in sight on the table, civilians aside."""
    return tuple(man for man in visible_enemies(state, command) if not man.is_civilian)


def hostile_nearest_to(state: State, at: Place, men: Sequence[Figure]) -> Figure | None:
    """The enemy nearest to a place of those whom one of these men has in sight: of those that their command knows on
    the table, whoever one of them has a line of sight to. Who stands there, and the ground between, its player sees.
    `fireforce motivation`"""
    foes = hostiles(state, men[0].command) if men else ()
    return first_in_sight_of(state, sorted(foes, key=lambda foe: math.dist(foe.at, at)), men)


def sees_hostiles(state: State, unit: Squad, team: str) -> bool:
    """Whether a team's own men have an enemy in sight. `fireforce motivation`"""
    men = rollers(state, unit, team)
    return bool(men) and hostile_nearest_to(state, men[0].at, men) is not None


def has_heard_gunfire(state: State, unit: Squad, team: str) -> bool:
    """Whether a team has heard gunfire in this player turn or in any since its own side's last."""
    heard = max(unit.teams[team].heard_fire, state.commands[unit.command].heard_fire)
    return heard > 0 and heard > state.public.player_turn - max(len(state.public.order), 1)


def is_team_in_cover(state: State, unit: Squad, team: str) -> bool:
    """Whether at least half of a team's men are in cover (house), of the ground or against whom the team sees."""
    men, ground = rollers(state, unit, team), ground_of(state)
    in_it = [man for man in men if ground.cover_at(man.at) != "none"]
    beside = [man for man in men if man not in in_it and _is_beside_cover(ground, man.at)]
    covered, left = len(in_it), len(beside)
    for man in beside:
        # Whom the team sees is dear to tell: it is asked only for as long as it matters.
        if 2 * covered >= len(men) or 2 * (covered + left) < len(men):
            break
        foe = hostile_nearest_to(state, man.at, men)
        covered, left = covered + (foe is not None and _covers_against(ground, man.at, foe.at)), left - 1
    return bool(men) and 2 * covered >= len(men)


def is_in_cover(ground: Ground, at: Place, foes: Sequence[Place]) -> bool:
    """Whether a place gives cover: of itself, or against the nearest of the enemies in sight."""
    if ground.cover_at(at) != "none":
        return True
    closest = nearest(foes, at)
    return closest is not None and _is_beside_cover(ground, at) and _covers_against(ground, at, foes[closest])


def _covers_against(ground: Ground, at: Place, foe: Place) -> bool:
    return sights(ground, Eye(foe), [Eye(at)])[0].cover != "none"


def _is_beside_cover(ground: Ground, at: Place) -> bool:
    """Whether a wall, a hedge or the edge of cover is near enough to lie behind; remembered."""
    place, reach = shapely.Point(at), ground.cover_reach + BASE_RADIUS + 1
    return ground.places.get(
        ("beside cover", at),
        lambda: bool(
            len(ground.barrier_tree.query(place, predicate="dwithin", distance=reach))
            or len(ground.area_tree.query(place, predicate="dwithin", distance=reach))
        ),
    )


def leaders_of(state: State, unit: Squad, team: str) -> tuple[tuple[str, int], ...]:
    """Names and ratings of those whose Motivation Rating counts: the team's own leader, the platoon commander of a
    squad under his control, and characters attached to it. `fireforce motivation-rating`"""
    found: list[Figure] = []
    leader = leader_of(state, unit, team)
    if leader is not None:
        found.append(leader)
    commander = platoon_commander(state, unit.command)
    if commander is not None and unit.is_under_platoon_control:
        found.append(commander)
    found.extend(attached(state, unit, team))
    counted: dict[str, Figure] = {man.id: man for man in found if man.motivation_rating is not None}
    return tuple((name_of(state, man.id), man.motivation_rating or 0) for man in counted.values())


def attached(state: State, unit: Squad, team: str) -> tuple[Figure, ...]:
    """The characters attached to a team: others with a rating, within reach of one of its men, each attached to one
    squad only. `fireforce motivation-rating`"""
    return tuple(
        man
        for man in figures(state)
        if man.is_fit
        and man.motivation_rating is not None
        and serves(state, man, unit.command)
        and man.role not in ("leader", "assistant", "platoon_commander")
        and attached_to(state, man) == (unit.id, team)
    )


def attached_to(state: State, man: Figure) -> tuple[str, str] | None:
    """The squad and team to which a character is attached: the nearest within reach, his own only where there is no
    other; far from them all he is with nobody but himself. `fireforce motivation-rating`"""
    reach = tables_of(state).distance("attachment")
    best: tuple[bool, int, str, str] | None = None
    for unit in squads(state):
        if not serves(state, man, unit.command):
            continue
        for mate in members_of(state, unit):
            gap = base_to_base(man.at, mate.at, man.radius, mate.radius)
            found = (unit.id == man.squad, gap, unit.id, team_of(unit, mate.id))
            if mate.id != man.id and gap <= reach and (best is None or found < best):
                best = found
    if best is not None:
        return best[2], best[3]
    own = squad_of(state, man)
    team = team_of(own, man.id) if own is not None else ""
    is_alone = own is not None and team and [mate.id for mate in members_of(state, own, team)] == [man.id]
    return (own.id, team) if own is not None and is_alone else None


def rolls_as(state: State, unit: Squad, team: str, *, is_gamble: bool = False) -> Quality:
    """The quality with which a team rolls: a second roll is made as the first was. `fireforce desperate-gamble`"""
    rolling = unit.teams[team]
    return tables_of(state).dropped(unit.quality, rolling.was_dropped if is_gamble else rolling.dropped)


def motivation_modifiers(state: State, unit: Squad, team: str, *, is_gamble: bool = False) -> tuple[Modifier, ...]:
    """All that is added to the d6 of a team, each with its reason: its command could have listed them.
    `fireforce motivation`"""
    return tables_of(state).motivation_modifiers(
        rolls_as(state, unit, team, is_gamble=is_gamble),
        casualties=unit.casualties,
        conditions=conditions_of(state, unit, team, is_gamble=is_gamble),
        leaders=leaders_of(state, unit, team),
    )


def motivation_bands(state: State, quality: Quality, modifier: int) -> Bands:
    """Faces of the d6 that give each result, for exact odds. `fireforce motivation`"""
    found: list[tuple[int, int, str]] = []
    for face in range(1, 7):
        result = tables_of(state).motivation_result(face + modifier, state.public.hour, quality).key
        if found and found[-1][2] == result:
            found[-1] = (found[-1][0], face, result)
        else:
            found.append((face, face, result))
    return tuple(found)


# The roll


def motivate_team(
    state: State, unit: str, team: str, *, is_gamble: bool = False, secret: bool = False, subject: str = ""
) -> Ruling[State]:
    """Rolls for a team: its result, and what it counts as from now on. `fireforce motivation`

    Cracking or worse lowers these troops from their printed quality, once; Faltering or better restores them.
    """
    troops = squad(state, unit)
    modifiers = motivation_modifiers(state, troops, team, is_gamble=is_gamble)
    made = yield from roll(
        "1d6",
        "motivation",
        subject=subject or unit,
        by=troops.command,
        bands=motivation_bands(state, rolls_as(state, troops, team, is_gamble=is_gamble), total(modifiers)),
        modifiers=modifiers,
        rule=RULE,
        secret=secret,
    )
    state = fallen(made, state)
    troops = squad(state, unit)
    dropped = 0
    if result_row(state, made.result).drops_quality:
        before = troops.teams[team].was_dropped if is_gamble else troops.teams[team].dropped
        dropped = max(before, tables_of(state).levels_dropped(flakey=troops.is_flakey))
    return (
        yield from tell(
            MotivationRolled(
                squad=unit,
                team=team,
                result=made.result,
                score=made.total + total(modifiers),
                dropped=dropped,
                is_gamble=is_gamble,
            )
        )
    )
