"""Values that a case file may ask of FireForce's table, book and dice, each by a function. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, Literal

from fireforce.book.rows import MotivationResult, Side
from fireforce.rules.movement.allowance import GOINGS
from fireforce.scenarios import parsing
from fireforce.state.battle import (
    Figure,
    State,
)
from fireforce.state.finding import (
    figure,
    figures,
    has_figure,
)
from fireforce.state.setting import ground_of, tables_of
from fireforce.table.going import spend
from fireforce.table.ranges import base_to_base
from fireforce.table.sight import Eye, sights
from fireforce.testing.cases.marks import results, weapons_by_name
from fireforce.testing.cases.words import bare, place, plain, the_place
from umpire.kernel.dice import ScriptedDice, faces_by_name
from umpire.kernel.rulings import Roll
from umpire.kernel.settings import BadInput
from umpire.kernel.values.modifiers import total
from umpire.testing.cases.words import unknown


def weapon_key(state: State, name: str) -> str:
    """The key of a weapon, whatever its letters and blanks."""
    own = {bare(key): key for key in tables_of(state).book.tables["weapons"]}
    return {**dict(weapons_by_name()), **own}.get(bare(name), name)


def the_figure(state: State, name: str) -> Figure:
    if not has_figure(state, name):
        unknown("the figure", name, [man.id for man in figures(state)])
    return figure(state, name)


def _eye(state: State, name: Any) -> Eye:
    """The base of a figure, or one that stands at a place."""
    at = place(name)
    if at is not None:
        return Eye(at)
    man = the_figure(state, str(name))
    return Eye(man.at, man.radius)


# Sight


def _range(state: State, source: ScriptedDice, of: Any = "", to: Any = "", weapon: str = "") -> float:
    """From base to base, in inches; or how far a weapon reaches."""
    if weapon:
        return tables_of(state).weapon(weapon_key(state, weapon)).range / 100
    a, b = _eye(state, of), _eye(state, to)
    return base_to_base(a.point, b.point, a.radius, b.radius) / 100


def _line_of_sight(state: State, source: ScriptedDice, of: Any, to: Any) -> str:
    sight = sights(ground_of(state), _eye(state, of), [_eye(state, to)])[0]
    return "clear" if sight.clear else "blocked"


def _cover(state: State, source: ScriptedDice, of: Any, against: Any) -> str:
    return sights(ground_of(state), _eye(state, against), [_eye(state, of)])[0].cover


# Movement, noises, points


def _move(state: State, source: ScriptedDice, manner: Any, going: Any = "good", result: str = "") -> float:
    """How far infantry may advance in inches, as the result of its motivation allows."""
    tables = tables_of(state)
    farthest = tables.move_rate(manner, going)
    if result:
        if plain(result) not in results():
            unknown("the result", result, results())
        row = tables.book.table("motivation_results", MotivationResult)[results()[plain(result)]]
        cover = tables.distance("wavering_cover")
        farthest = {"full": farthest, "half": tables.half_move(farthest), "cover": cover, "none": 0}[row.advance]
    return farthest / 100


def _cost(state: State, source: ScriptedDice, path: Any, of: str = "", manner: Any = "tactical") -> float:
    """What of a whole move a way takes, in hundredths: of a figure, or from the first of its places."""
    places = [the_place(each) for each in path]
    if of:
        places = [the_figure(state, of).at, *places]
    tables = tables_of(state)
    rates: dict[str, int] = {going: tables.move_rate(manner, going) for going in GOINGS}
    made = spend(ground_of(state), places, rates, Fraction(10))
    return round(float(made.spent) * 100, 2)


def _hearing(state: State, source: ScriptedDice, what: str) -> float:
    """How far a noise is heard, in inches."""
    words = {"regulars": "regular_moving", "indigenous": "indigenous_moving", "fire": "weapon_fire"}
    text = plain(what).replace(" ", "_")
    return tables_of(state).hearing(words.get(text, words.get(text.split("_")[0], text))) / 100


def _spotting(
    state: State, source: ScriptedDice, target: str, place: Any = "open", mode: Any = "map", hour: Any = "day"
) -> float | str:
    """How near an enemy must be, in inches; "sight", or "never"."""
    key = plain(target).replace("regulars", "regular").replace(" ", "_")
    found = tables_of(state).spotting(key, place, mode, hour)
    return "never" if found is None else found if found == "sight" else found / 100


def _victory_points(
    state: State, source: ScriptedDice, side: Side, deeds: Mapping[str, int], enemy: Side | Literal[""] = ""
) -> int:
    """Against the other kind of side if none is named."""
    enemy = enemy or ("indigenous" if side == "regular" else "regular")
    named = {plain(deed).replace(" ", "_"): times for deed, times in deeds.items()}
    return total(tables_of(state).victory_points(side, enemy, named))


def _die(state: State, source: ScriptedDice, sides: int = 0, throws: int = 10_000) -> list[int]:
    """The different faces of the server's dice in many throws; of the unnamed die where `sides` is not given."""
    sides = sides or Roll(purpose="a die").sides
    return sorted(set(faces_by_name(b"a case", ("die", sides), throws, sides)))


def _set_up(
    state: State,
    source: ScriptedDice,
    troops: int = 0,
    dummies: int = 0,
    caches: int = 0,
    booby_traps: int = 0,
    peasants: int = 0,
) -> str:
    """Whether a scenario may give an indigenous command so many face-down cards: "accepted", or "refused"."""
    numbers = {"troops": troops, "dummy": dummies, "cache": caches, "booby_trap": booby_traps, "peasants": peasants}
    kinds = [(kind, f"{kind} {index}", index) for kind, count in numbers.items() for index in range(count)]
    cards = [
        {"key": key, "command": "band", "kind": kind, "at": [4 + 3 * index, 10]}
        | ({"squad": f"squad {index}"} if kind == "troops" else {})
        for kind, key, index in kinds
    ]
    man = {"weapons": ["ak47"]}
    units = [
        {
            "key": f"squad {index}",
            "command": "band",
            "name": "band",
            "at": [10, 10],
            "men": [man | {"key": f"m{index}"}],
        }
        for index in range(troops)
    ]
    data = {
        "scenario": {"key": "set-up", "title": "set-up", "turns": 1},
        "options": {"hidden": "cards"},
        "table": {"width": 72, "depth": 48},
        "side": [{"key": kind, "name": kind, "kind": kind} for kind in ("regular", "indigenous")],
        "command": [
            {"key": "platoon", "side": "regular", "name": "platoon", "open": True},
            {"key": "band", "side": "indigenous", "name": "band", "open": False},
        ],
        "squad": units,
        "card": cards,
    }
    try:
        parsing.read(data, file="set-up")
    except BadInput as fault:
        if fault.where != "card":
            raise
        return "refused"
    return "accepted"


def _table(state: State, source: ScriptedDice, table: str, row: Any, column: str) -> Any:
    """Any cell of the book."""
    return tables_of(state).book.origin(table, str(row), column).value


VALUES: Final[Mapping[str, Callable[..., Any]]] = {
    "cost": _cost,
    "cover": _cover,
    "die": _die,
    "hearing": _hearing,
    "line_of_sight": _line_of_sight,
    "move": _move,
    "range": _range,
    "set_up": _set_up,
    "spotting": _spotting,
    "table": _table,
    "victory_points": _victory_points,
}
