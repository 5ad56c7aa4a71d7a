"""What a case may ask of FireForce, each a function whose parameters are read by their types. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, NewType

from fireforce.book.rows import Hour, Manner, Mode, MotivationResult, Quality, Side
from fireforce.rules.fire import fire_points as firing
from fireforce.rules.fire import saving_throws
from fireforce.rules.men.motivation import leaders_of, motivation_modifiers
from fireforce.rules.men.squads import quality_of, team_named
from fireforce.rules.movement.allowance import GOINGS
from fireforce.scenarios import parsing
from fireforce.state.battle import Figure, Place, Squad, State
from fireforce.state.finding import figure, figures, has_figure, squad, squads
from fireforce.state.setting import ground_of, tables_of
from fireforce.table.going import spend
from fireforce.table.ranges import base_to_base
from fireforce.table.sight import Eye, sights
from fireforce.testing.cases.pieces import PLACE, bare, place, results, weapons_named
from umpire.kernel.dice import faces_by_name
from umpire.kernel.rulings import Roll
from umpire.kernel.settings import BadInput
from umpire.kernel.values.modifiers import total
from umpire.testing.cases.asked import Inches
from umpire.testing.cases.script import Script
from umpire.testing.cases.words import CaseFault, listed, plain, unknown

Weapon = NewType("Weapon", str)
"""The key of a weapon."""
Keys = NewType("Keys", tuple[str, ...])
"""Conditions by their keys in the tables."""
Shooters = Literal["elite", "veteran", "trained", "green", "poor", "sniper"]
Going = Literal["good", "bad", "road"]


# Reading


def weapon_named(state: State, name: Any) -> str:
    """The key of a weapon, whatever its letters and blanks; "he" for a blast."""
    word = bare(str(name))
    return "he" if word == "he" else weapons_named(tuple(tables_of(state).book.tables["weapons"])).get(word, str(name))


def figure_named(state: State, name: Any) -> Figure:
    return (
        figure(state, name) if has_figure(state, name) else unknown("the figure", name, [m.id for m in figures(state)])
    )


def squad_named(state: State, name: Any) -> Squad:
    ids = [unit.id for unit in squads(state)]
    found = next((each for each in (str(name), f"squad {name}") if each in ids), None)
    return squad(state, found) if found else unknown("the squad", str(name), ids)


def eye(state: State, name: Any) -> Eye:
    """The base of a figure, or one that stands at a place."""
    if isinstance(name, list) or PLACE.fullmatch(str(name)):
        return Eye(place(name))
    man = figure_named(state, name)
    return Eye(man.at, man.radius)


def keys(state: State, value: Any) -> Sequence[str]:
    words = [plain(each).replace(" ", "_") for each in listed(value)]
    return ["target_mounted" if word == "mounted" else word for word in words]


READERS: Final[Mapping[Any, Callable[[State, Any], Any]]] = {
    Weapon: weapon_named,
    Figure: figure_named,
    Squad: squad_named,
    Eye: eye,
    Keys: keys,
    Place: lambda state, value: place(value),
}


# Fire


def _shots(state: State, figures: tuple[Figure, ...], target: Figure | None, aimed: bool) -> list[firing.Shot]:
    assert target is not None
    made = [firing.shot_at(state, man, target, aimed) for man in figures]
    for shot in made:
        if isinstance(shot, str):
            raise CaseFault(f"he {shot}", at=target.id)
    return [shot for shot in made if not isinstance(shot, str)]


def fire_points(
    state: State,
    base: int = 0,
    doubled: Keys = Keys(()),
    halved: Keys = Keys(()),
    figures: tuple[Figure, ...] = (),
    target: Figure = None,  # type: ignore[assignment]
    aimed: bool = True,
    weapon: Weapon = Weapon(""),
    number: int = 1,
) -> int:
    """From a base (or so many men with a weapon) and conditions, or of figures that would fire at a target."""
    if figures:
        return firing.fire_points(state, _shots(state, figures, target, aimed)).points
    base = number * tables_of(state).weapon(weapon).fire_points if weapon else base
    return tables_of(state).fire_points(base, doubled, halved).points


def rows(state: State, fire_points: int) -> Sequence[int]:
    return tables_of(state).rows_for(fire_points)


def hits(state: State, script: Script, fire_points: int = 0, modifier: int = 0, row: int = 0, die: int = 0) -> int:
    """The hits of so many points, or on one row, with the dice of the step or with one face."""
    tables = tables_of(state)
    found = 0
    for each in [row] if row else tables.rows_for(fire_points):
        faces = (die,) if die else script.roll(Roll(sides=20, purpose="hits", subject=f"row {each}"), 0)
        assert faces is not None
        found += tables.hits(each, faces[0], modifier)
    return found


def fire_modifier(
    state: State,
    quality: Quality = "trained",
    weapon: Weapon = Weapon("assault_rifle"),
    distance: Inches = 1000,  # type: ignore[assignment]
    conditions: Keys = Keys(()),
    figures: tuple[Figure, ...] = (),
    target: Figure = None,  # type: ignore[assignment]
    aimed: bool = True,
) -> int:
    """What is added to the d20."""
    if figures:
        return total(firing.fire_modifiers(state, _shots(state, figures, target, aimed), target))
    tables = tables_of(state)
    return total(tables.fire_modifiers(quality, tables.weapon(weapon).kind, distance, conditions=conditions))  # type: ignore[arg-type]


def potential_criticals(state: State, hits: int, quality: Shooters, aimed: bool = True) -> int:
    return tables_of(state).potential_criticals(hits, quality) if aimed and hits else 0


def critical_number(state: State, quality: Shooters) -> int | str:
    """What a critical hit needs on a d10; "none" where it needs no roll."""
    return tables_of(state).critical_number(quality) or "none"


# Saving throws and close combat


def _throw(state: State, man: Figure, weapon: str, prophylactic: bool, sniper: bool, firer: str) -> saving_throws.Throw:
    kind = "he" if weapon == "he" else tables_of(state).weapon(weapon).kind
    firers = (firer,) if firer else ()
    cause = saving_throws.Cause(kinds=(kind,), is_prophylactic=prophylactic, is_sniper=sniper, firers=firers)
    return saving_throws.throw(state, man, cause)


def save(
    state: State,
    script: Script,
    figure: Figure,
    weapon: Weapon = Weapon("assault_rifle"),
    prophylactic: bool = False,
    sniper: bool = False,
    firer: str = "",
    die: int = 0,
) -> str:
    """ "saved" or "casualty", by one die."""
    needed = _throw(state, figure, weapon, prophylactic, sniper, firer)
    faces = (die,) if die else script.roll(Roll(sides=10, purpose="save", subject=figure.id), 0)
    assert faces is not None
    return "saved" if tables_of(state).is_saved(needed.needed, faces[0], needed.modifiers) else "casualty"


def save_number(
    state: State,
    figure: Figure,
    weapon: Weapon = Weapon("assault_rifle"),
    prophylactic: bool = False,
    sniper: bool = False,
    firer: str = "",
) -> int:
    """What the row of the table says, without modifiers."""
    return _throw(state, figure, weapon, prophylactic, sniper, firer).needed


def save_modifier(
    state: State,
    figure: Figure,
    weapon: Weapon = Weapon("assault_rifle"),
    prophylactic: bool = False,
    sniper: bool = False,
    firer: str = "",
) -> int:
    return total(_throw(state, figure, weapon, prophylactic, sniper, firer).modifiers)


def close_combat(state: State, difference: int) -> str:
    """What follows a difference of the scores: draw, withdrawal, loss."""
    return tables_of(state).close_combat_result(difference).key


# Motivation


def motivation_result(state: State, score: int, quality: Quality, hour: Hour | Literal[""] = "") -> str:
    return tables_of(state).motivation_result(score, hour or state.public.hour, quality).name


def motivation_number(state: State, quality: Quality) -> int:
    return tables_of(state).quality(quality).motivation


def score(
    state: State, die: int, quality: Quality, casualties: int = 0, rating: int = 0, conditions: Keys = Keys(())
) -> int:
    """The score of a die with all that is added to it."""
    leaders = [("leader", rating)]
    tables = tables_of(state)
    return die + total(
        tables.motivation_modifiers(quality, casualties=casualties, conditions=conditions, leaders=leaders)
    )


def _team(unit: Squad, team: str) -> str:
    return team_named(unit, team) or unknown("the team", team, unit.teams)


def motivation_modifier(state: State, squad: Squad, team: str = "", gamble: bool = False) -> int:
    """All that would be added to the die of a squad or team now."""
    return total(motivation_modifiers(state, squad, _team(squad, team), is_gamble=gamble))


def rating(state: State, squad: Squad, team: str = "") -> int:
    """The Motivation Ratings that count for a squad or team, together."""
    return sum(rating for _, rating in leaders_of(state, squad, _team(squad, team)))


def counts_as(state: State, quality: Quality = "trained", flakey: bool = False, figure: str = "") -> str:
    """What troops count as that have cracked, or a figure or squad now."""
    if figure and has_figure(state, figure):
        return firing.counts_as(state, figure_named(state, figure))
    if figure:
        return quality_of(state, squad_named(state, figure))
    tables = tables_of(state)
    return tables.dropped(quality, tables.levels_dropped(flakey=flakey))


# Sight, movement, noises, points


def range_(state: State, of: Eye = None, to: Eye = None, weapon: Weapon = Weapon("")) -> float:  # type: ignore[assignment]
    """From base to base, in inches; or how far a weapon reaches."""
    if weapon:
        return tables_of(state).weapon(weapon).range / 100
    return base_to_base(of.point, to.point, of.radius, to.radius) / 100


def line_of_sight(state: State, from_: Eye, to: Eye) -> str:
    return "clear" if sights(ground_of(state), from_, [to])[0].clear else "blocked"


def cover(state: State, of: Eye, against: Eye) -> str:
    return sights(ground_of(state), against, [of])[0].cover


def move(state: State, manner: Manner, going: Going = "good", result: str = "") -> float:
    """How far infantry may advance in inches, as the result of its motivation allows."""
    tables = tables_of(state)
    farthest = tables.move_rate(manner, going)
    if result:
        key = results().get(plain(result)) or unknown("the result", result, results())
        row = tables.book.table("motivation_results", MotivationResult)[key]
        cover = tables.distance("wavering_cover")
        farthest = {"full": farthest, "half": tables.half_move(farthest), "cover": cover, "none": 0}[row.advance]
    return farthest / 100


def cost(state: State, path: tuple[Place, ...], of: Figure = None, manner: Manner = "tactical") -> float:  # type: ignore[assignment]
    """What of a whole move a way takes, in hundredths: of a figure, or from the first of its places."""
    places = [of.at, *path] if of else list(path)
    rates: dict[str, int] = {going: tables_of(state).move_rate(manner, going) for going in GOINGS}
    return round(float(spend(ground_of(state), places, rates, Fraction(10)).spent) * 100, 2)


def hearing(state: State, what: str) -> float:
    """How far a noise is heard, in inches."""
    key = re.sub(r"^regulars", "regular", plain(what)).replace(" ", "_")
    return tables_of(state).hearing(key) / 100


def spotting(state: State, target: str, place: str = "open", mode: Mode = "map", hour: Hour = "day") -> float | str:
    """How near an enemy must be, in inches; "sight", or "never"."""
    key = plain(target).replace("regulars", "regular").replace(" ", "_")
    found = tables_of(state).spotting(key, place, mode, hour)  # type: ignore[arg-type]
    return "never" if found is None else found if found == "sight" else found / 100


def victory_points(state: State, side: Side, deeds: Mapping[str, int], enemy: Side | Literal[""] = "") -> int:
    """Against the other kind of side if none is named."""
    enemy = enemy or ("indigenous" if side == "regular" else "regular")
    named = {plain(deed).replace(" ", "_"): times for deed, times in deeds.items()}
    return total(tables_of(state).victory_points(side, enemy, named))


def die(state: State, sides: int = 0, throws: int = 10_000) -> list[int]:
    """The different faces of the server's dice in many throws; of the unnamed die where `sides` is not given."""
    sides = sides or Roll(purpose="a die").sides
    return sorted(set(faces_by_name(b"a case", ("die", sides), throws, sides)))


def set_up(state: State, troops: int = 0, dummies: int = 0, caches: int = 0) -> str:
    """Whether a scenario may give an indigenous command so many face-down cards: "accepted", or "refused"."""
    kinds = ["troops"] * troops + ["dummy"] * dummies + ["cache"] * caches
    cards = [
        {"key": f"card {number}", "command": "band", "kind": kind, "at": [4 + 3 * number, 10]}
        | ({"squad": f"squad {number}"} if kind == "troops" else {})
        for number, kind in enumerate(kinds)
    ]
    men = [{"weapons": ["ak47"]}]
    data = {
        "scenario": {"key": "set-up", "title": "set-up", "turns": 1},
        "options": {"hidden": "cards"},
        "table": {"width": 72, "depth": 48},
        "side": [{"key": kind, "name": kind, "kind": kind} for kind in ("regular", "indigenous")],
        "command": [
            {"key": "platoon", "side": "regular", "name": "platoon", "open": True},
            {"key": "band", "side": "indigenous", "name": "band", "open": False},
        ],
        "squad": [
            {
                "key": f"squad {number}",
                "command": "band",
                "name": "band",
                "at": [10, 10],
                "men": [each | {"key": f"m{number}"} for each in men],
            }
            for number in range(troops)
        ],
        "card": cards,
    }
    try:
        parsing.read(data, file="set-up")
    except BadInput as fault:
        if fault.where != "card":
            raise
        return "refused"
    return "accepted"


def table(state: State, table: str, row: str, column: str) -> Any:
    """Any cell of the book."""
    return tables_of(state).book.origin(table, str(row), column).value


VALUES: Final[Mapping[str, Callable[..., Any]]] = {
    plain(each.__name__.rstrip("_")): each
    for each in (
        *(fire_points, rows, hits, fire_modifier, potential_criticals, critical_number),
        *(save, save_number, save_modifier, close_combat),
        *(motivation_result, motivation_number, score, motivation_modifier, rating, counts_as),
        *(range_, line_of_sight, cover, move, cost, hearing, spotting, victory_points, die, set_up, table),
    )
}
