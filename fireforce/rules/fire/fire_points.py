"""Fire points: who may fire what at whom, and what each shot adds.

A *shot* is one figure's fire with one weapon at the nominated target, with all that halves or doubles it. Everything
here asks what the firer's command can see, so that a truth and a belief give the same working.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from fireforce.book.kinds import COVERS, Cover
from fireforce.book.rows import Quality, Side, Weapon
from fireforce.book.tables import FirePart, FirePoints
from fireforce.rules.hidden.spotting import in_sight_of
from fireforce.rules.men.conduct import conduct
from fireforce.state.battle import (
    Figure,
    State,
)
from fireforce.state.finding import (
    commands_of,
    figure,
    squad,
    team_of,
    visible_enemies,
)
from fireforce.state.setting import ground_of, setting_of, tables_of
from fireforce.table.ground import Ground
from fireforce.table.ranges import base_to_base
from fireforce.table.sight import Eye, Sight, sights
from fireforce.words.naming import contact_name, name_of
from umpire.kernel.events import alias_of
from umpire.kernel.values.modifiers import Modifier, total

RULE = "fireforce small-arms"
FIRING = "fireforce firing"

MOUNTED, NIGHT_VISION, SNIPER = "mounted", "night vision", "sniper"
"""Traits of figures that bear on fire."""


class Shot(Struct, frozen=True, kw_only=True):
    """One figure's fire: the weapon used (a key of the book), how far off the target is, what doubles and halves it."""

    shooter: str
    weapon: str
    row: Weapon
    distance: int
    doubled: tuple[str, ...] = ()
    halved: tuple[str, ...] = ()


# Who may fire


def counts_as(state: State, man: Figure) -> Quality:
    """What a figure counts as now: its printed quality less the levels that its team has dropped. An enemy's in a
    belief is as assumed. `fireforce motivation`"""
    if not man.squad:
        return man.quality
    unit = squad(state, man.squad)
    team = unit.teams.get(team_of(unit, man.id)) if unit.dropped else None
    return man.quality if team is None else tables_of(state).dropped(man.quality, team.lowered)


def is_hidden(state: State, man: Figure) -> bool:
    """Whether a figure is not on the table for its enemies to see. `fireforce visibility`"""
    return man.id not in state.public.pieces and not man.is_placed


def in_contact(state: State, man: Figure) -> tuple[Figure, ...]:
    """The enemies in sight whose bases touch his. `fireforce close-combat`"""
    return tuple(
        other
        for other in visible_enemies(state, man.command)
        if base_to_base(man.at, other.at, man.radius, other.radius) == 0
    )


def held_by(state: State, man: Figure) -> tuple[Figure, ...]:
    """The enemies who keep him from all else than fighting them: those in contact but for civilians, whom nobody must
    fight. `fireforce close-combat`"""
    return tuple(other for other in in_contact(state, man) if not other.is_civilian)


def forbidden(state: State, man: Figure, aimed: bool) -> tuple[str, str]:
    """Why a figure may not fire in this way at all, whatever the target, and by which rule; "" where he may.
    `fireforce firing`, `fireforce small-arms`, `fireforce motivation`"""
    if not man.is_fit or not man.weapons:
        return "is out of the battle" if not man.is_fit else "has no weapon", FIRING
    if man.fired == "held":
        return "has let the opportunity pass", RULE
    if man.fired:
        return "has fired in this player turn", FIRING
    if man.moved == "running":
        return "has run", FIRING
    if man.searching or man.destroying:
        return "is searching" if man.searching else "is destroying stores", FIRING
    if man.pinned == "he":
        return "is pinned by a blast and cannot fire at all", RULE
    if man.pinned and aimed:
        return "is pinned: prophylactic fire only", RULE
    mine = conduct(state, man)
    if mine.fire == "none" or (mine.fire == "prophylactic" and aimed):
        name = mine.row.name if mine.row is not None else ""
        which = "no fire" if mine.fire == "none" else "prophylactic fire only"
        return f"is {name.lower()}: {which}", "fireforce motivation"
    if held_by(state, man):
        return "is in contact with an enemy", FIRING
    return "", ""


def weapons_for(state: State, man: Figure, aimed: bool) -> dict[str, Weapon]:
    """The weapons that he may use now in this way, by key. `fireforce firing`"""
    tables = tables_of(state)
    found = {key: tables.weapon(key) for key in man.weapons}
    on_the_move = man.moved == "tactical"
    return {
        key: row
        for key, row in found.items()
        if (aimed or row.prophylactic) and (not on_the_move or row.on_the_move == "yes")
    }


def shots_at(state: State, man: Figure, targets: Sequence[Figure], aimed: bool) -> list[Shot | str]:
    """For each target the shot, or in words why he cannot fire at it. `fireforce firing`, `fireforce small-arms`"""
    if why := forbidden(state, man, aimed)[0]:
        return [why] * len(targets)
    usable = weapons_for(state, man, aimed)
    if not usable:
        if man.moved == "tactical":
            return ["has no weapon that fires on the move"] * len(targets)
        return ["has no weapon for prophylactic fire"] * len(targets)
    firer = _firer(state, man, usable, aimed)
    most = max(reach for _, _, reach, _ in firer.weapons)
    away = [base_to_base(man.at, other.at, man.radius, other.radius) for other in targets]
    near = [index for index, distance in enumerate(away) if distance <= most]
    seen = dict(zip(near, lines(ground_of(state), man, [targets[index] for index in near]), strict=True))
    found: list[Shot | str] = []
    for index, target in enumerate(targets):
        if index not in seen:
            found.append(f"is {_inches(away[index])} away, the weapon reaches {_inches(most)}")
        elif not seen[index].clear:
            found.append(f"has no line of sight: {seen[index].reason}")
        else:
            found.append(_shot(firer, target, away[index], seen[index]))
    return found


def shot_at(state: State, man: Figure, target: Figure, aimed: bool) -> Shot | str:
    """The shot at one target, or in words why there is none."""
    return shots_at(state, man, [target], aimed)[0]


class _Firer(Struct, frozen=True, kw_only=True):
    """What of a figure's fire is the same whatever the target: his weapons (key, row, reach, whether dense ground
    halves it), and what else halves and doubles."""

    man: Figure
    weapons: tuple[tuple[str, Weapon, int, bool], ...]
    is_aimed: bool
    is_ambush: bool
    is_mounted: bool
    is_poor: bool


def _firer(state: State, man: Figure, usable: Mapping[str, Weapon], aimed: bool) -> _Firer:
    tables = tables_of(state)
    is_mounted = MOUNTED in man.traits
    is_dense = ground_of(state).is_dense_at(man.at)
    return _Firer(
        man=man,
        weapons=tuple(
            (
                key,
                row,
                min(row.range, tables.distance("mounted_range")) if is_mounted else row.range,
                is_dense and tables.is_concerned("dense", row.kind),
            )
            for key, row in usable.items()
        ),
        is_aimed=aimed,
        is_ambush=is_in_ambush(state, man),
        is_mounted=is_mounted,
        is_poor=tables.quality(counts_as(state, man)).halves_fire,
    )


def _shot(firer: _Firer, target: Figure, away: int, sight: Sight) -> Shot:
    """What a model shows decides of the target; of the firer his command knows all."""
    reaching = [each for each in firer.weapons if away <= each[2]]
    # The best is what most is left of: in dense ground a long weapon may be worse than a short one.
    key, row, _, is_dense = max(reaching, key=lambda each: each[1].fire_points * (1 if each[3] else 2))
    doubled = (
        ("target_mounted", MOUNTED in target.traits),
        ("civilians", target.is_civilian),
        ("ambush", firer.is_ambush),
        ("running", target.moved == "running"),
        ("prophylactic", not firer.is_aimed),
    )
    halved = (
        ("dense", is_dense),
        (f"{sight.cover}_cover", sight.cover != "none"),
        ("shooter_mounted", firer.is_mounted),
        ("poor_troops", firer.is_poor),
        ("on_the_move", firer.man.moved == "tactical"),
    )
    return Shot(
        shooter=firer.man.id,
        weapon=key,
        row=row,
        distance=away,
        doubled=tuple(word for word, holds in doubled if holds),
        halved=tuple(word for word, holds in halved if holds),
    )


def is_in_ambush(state: State, man: Figure) -> bool:
    """Whether his fire would be his first shot from ambush: hidden, in a prepared position. `fireforce small-arms`"""
    return man.is_prepared and not man.has_fired_from_ambush and is_hidden(state, man)


def _inches(length: int) -> str:
    return f'{length / 100:g}"'


# The points


def fire_points(state: State, shots: Sequence[Shot]) -> FirePoints:
    """The fire points of a group. What is halved and doubled alike is worked out together; then the parts are added and
    rounded once. `fireforce small-arms`"""
    parts: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[str, list[int]]] = {}
    for shot in shots:
        parts.setdefault((shot.doubled, shot.halved), {}).setdefault(shot.weapon, []).append(shot.row.fire_points)
    found = [
        FirePart(
            armed=tuple((sum(armed[key]), f"{len(armed[key])} {key.replace('_', ' ')}") for key in sorted(armed)),
            doubled=doubled,
            halved=halved,
        )
        for (doubled, halved), armed in parts.items()
    ]
    # The biggest first, in whatever order its men were named.
    return tables_of(state).added_up(sorted(found, key=lambda part: (-part.base, part.doubled, part.halved)))


def fire_modifiers(state: State, shots: Sequence[Shot], target: Figure) -> tuple[Modifier, ...]:
    """What is added to the d20 of a group: as for the one of them who is worst off. `fireforce small-arms`"""
    tables = tables_of(state)
    found: list[tuple[Modifier, ...]] = []
    for shot in shots:
        man = figure(state, shot.shooter)
        conditions = [
            word
            for word, holds in (
                ("target_mounted", MOUNTED in target.traits),
                ("shooter_mounted", MOUNTED in man.traits),
                ("night", state.public.hour == "night" and NIGHT_VISION not in man.traits),
                ("haze", state.public.weather == "rain"),
            )
            if holds
        ]
        found.append(tables.fire_modifiers(counts_as(state, man), shot.row.kind, shot.distance, conditions=conditions))
    return min(found, key=lambda each: (total(each), [(one.reason, one.value) for one in each]), default=())


def group_quality(state: State, shots: Sequence[Shot]) -> Quality:
    """The quality of a group that fires: that of the worst of them. `fireforce target-selection`"""
    tables = tables_of(state)
    qualities = [counts_as(state, figure(state, shot.shooter)) for shot in shots]
    return min(qualities, key=lambda each: tables.quality(each).rank)


def are_snipers(state: State, shots: Sequence[Shot]) -> bool:
    """Whether all who fire are snipers. `fireforce snipers`"""
    return all(SNIPER in figure(state, shot.shooter).traits for shot in shots)


def target_area(state: State, shooters: Iterable[str], target: Figure) -> tuple[Figure, ...]:
    """Whom fire at a target is directed at: those of its side within 3" of it whom the firers' command has in sight,
    and one of the firers before his eyes. `fireforce small-arms`"""
    reach = tables_of(state).distance("target_area")
    firers = [figure(state, each) for each in shooters]
    near = [
        other
        for other in visible_enemies(state, firers[0].command)
        if other.side == target.side and base_to_base(target.at, other.at, target.radius, other.radius) <= reach
    ]
    seen = in_sight_of(state, near, firers)
    return tuple(other for other in near if other.id in seen)


# Lines of sight


def lines(ground: Ground, man: Figure, targets: Sequence[Figure]) -> list[Sight]:
    """The lines of sight from a figure to others; `cover` is theirs against him."""
    return list(sights(ground, Eye(man.at, man.radius), [Eye(other.at, other.radius) for other in targets]))


def covers_from(state: State, firers: Sequence[Figure], men: Sequence[Figure]) -> list[Cover]:
    """The cover of each of these men against those who fire and see him: against the nearest of them, the best of it
    against several who are as near. `fireforce saving-throws`"""
    found: list[Cover] = []
    for man in men:
        seen = [(each, sight) for each in firers if (sight := lines(ground_of(state), each, [man])[0]).clear]
        away = [(each.at[0] - man.at[0]) ** 2 + (each.at[1] - man.at[1]) ** 2 for each, _ in seen]
        covers = [sight.cover for (_, sight), gap in zip(seen, away, strict=True) if gap == min(away)]
        found.append(max(covers, key=COVERS.index, default="none"))
    return found


# What figures are called, and who decides for them


def name_for(state: State, command: str, piece: str) -> str:
    """The name by which a command knows a figure: its alias, or its id where it is open, its own, or in a belief."""
    return alias_of(state, command, piece) or piece


def label_for(state: State, command: str, piece: str) -> str:
    """What a command calls a figure: of a hidden enemy it knows only what the model shows."""
    alias = alias_of(state, command, piece)
    return contact_name(state, state.commands[command].contacts[alias]) if alias else name_of(state, piece)


def owner_of(state: State, piece: str) -> str:
    """The command that decides for a figure; for an enemy in a belief, where nobody can tell, the first of its side."""
    man = figure(state, piece)
    return man.command or next(iter(commands_of(state, man.side)), "")


def side_kind(state: State, side: str) -> Side:
    """Whether a side is regular or indigenous."""
    return setting_of(state).sides[side].kind
