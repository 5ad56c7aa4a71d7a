"""What a case file may ask of FireForce, and what it may say of pieces and events. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, Final, get_args

from fireforce import case_pieces as words
from fireforce import events
from fireforce.rows import Hour, Manner, Mode, MotivationResult, MoveGoing, Quality, Side
from fireforce.rules import fire_points, saving_throws
from fireforce.rules.organisation import quality_of
from fireforce.scenarios import reading
from fireforce.setting import ground_of, tables_of
from fireforce.state import (
    Figure,
    State,
    Team,
    card,
    cards,
    counters,
    figure,
    figures,
    has_figure,
    squad,
    squads,
    team_of,
)
from fireforce.table.kinds import Save
from fireforce.table.ranges import base_to_base
from umpire.kernel.book import UnknownKey
from umpire.kernel.cases import CaseFault
from umpire.kernel.dice import ScriptedDice, faces_by_name
from umpire.kernel.ledger import Corrected, Entry, Happened, Thrown
from umpire.kernel.modifiers import total
from umpire.kernel.rulings import Roll
from umpire.kernel.settings import BadInput

CONDITIONS: Final = {
    "mounted target": "target_mounted",
    "mounted": "target_mounted",
    "mounted shooter": "shooter_mounted",
    "dense jungle": "dense",
    "poor": "poor_troops",
}
"""Words for conditions of fire that are not the keys of the table with spaces."""


_WORDS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "side": get_args(Side),
    "enemy": get_args(Side),
    "quality": (*get_args(Quality), "sniper"),
    "hour": get_args(Hour),
    "manner": get_args(Manner),
    "going": get_args(MoveGoing),
    "mode": get_args(Mode),
    "place": (*get_args(Save), "prepared"),
}
"""What the words of an `ask` may be."""


# What is asked


def asked(state: State, ask: Mapping[str, Any], source: ScriptedDice) -> Any:
    """The value of an `ask`. Raises CaseFault for one that is not known, or asked for with other words."""
    values = dict(ask)
    name = str(values.pop("value", ""))
    if name not in _VALUES:
        words.unknown("the value", name, _VALUES)
    known = list(signature(_VALUES[name]).parameters)[2:]
    for key, value in values.items():
        if key not in known:
            words.unknown(f"of the value {name!r} the word", key, known)
        if key in _WORDS_OF and value not in _WORDS_OF[key]:
            words.unknown(f"the {key}", str(value), _WORDS_OF[key])
    try:
        return _VALUES[name](state, source, **values)
    except (TypeError, ValueError) as fault:
        raise CaseFault(f"the value {name!r} is asked for otherwise: {fault}", at=name) from fault
    except UnknownKey as fault:
        raise CaseFault(str(fault), at=name) from fault


def _condition(word: str) -> str:
    return CONDITIONS.get(word, word.replace(" ", "_"))


def _fire_points(
    state: State,
    source: ScriptedDice,
    base: int = 0,
    doubled: Sequence[str] = (),
    halved: Sequence[str] = (),
    figures: Sequence[str] = (),
    target: str = "",
    aimed: bool = True,
) -> int:
    """From a base and conditions, or of figures that would fire at a target."""
    if not figures:
        made = tables_of(state).fire_points(base, [*map(_condition, doubled)], [*map(_condition, halved)])
        return made.points
    shots = [fire_points.shot_at(state, _figure(state, each), _figure(state, target), aimed) for each in figures]
    for shot in shots:
        if isinstance(shot, str):
            raise CaseFault(f"he {shot}", at=target)
    return fire_points.fire_points(state, [shot for shot in shots if not isinstance(shot, str)]).points


def _hits(state: State, source: ScriptedDice, fire_points: int, modifier: int = 0) -> int:
    tables = tables_of(state)
    hits = 0
    for row in tables.rows_for(fire_points):
        faces = source.roll(Roll(sides=20, purpose="hits", subject=f"row {row}"), 0)
        assert faces is not None
        hits += tables.hits(row, faces[0], modifier)
    return hits


def _rows(state: State, source: ScriptedDice, fire_points: int) -> list[int]:
    return list(tables_of(state).rows_for(fire_points))


def _criticals(state: State, source: ScriptedDice, hits: int, quality: Any, aimed: bool = True) -> int:
    return tables_of(state).potential_criticals(hits, quality) if aimed and hits else 0


def _throw(state: State, figure: str, weapon: str, prophylactic: bool, sniper: bool, firer: str) -> saving_throws.Throw:
    kind = "he" if weapon == "he" else tables_of(state).weapon(weapon).kind
    cause = saving_throws.Cause(
        kinds=(kind,), is_prophylactic=prophylactic, is_sniper=sniper, firers=(firer,) if firer else ()
    )
    return saving_throws.throw(state, _figure(state, figure), cause)


def _save(
    state: State,
    source: ScriptedDice,
    figure: str,
    weapon: str = "assault_rifle",
    prophylactic: bool = False,
    sniper: bool = False,
    firer: str = "",
) -> str:
    """ "saved" or "casualty", by one die."""
    needed = _throw(state, figure, weapon, prophylactic, sniper, firer)
    faces = source.roll(Roll(sides=10, purpose="save", subject=figure), 0)
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


def _motivation_result(state: State, source: ScriptedDice, score: int, quality: Any, hour: Any = "") -> str:
    return tables_of(state).motivation_result(score, hour or state.public.hour, quality).name


def _move(state: State, source: ScriptedDice, manner: Any, going: Any = "good", result: str = "") -> float:
    """How far infantry may advance in inches, as the result of its motivation allows."""
    tables = tables_of(state)
    length = tables.move_rate(manner, going)
    row = _result(state, result) if result else None
    if row is not None:
        cover = tables.distance("wavering_cover")
        length = {"full": length, "half": tables.half_move(length), "cover": cover, "none": 0}[row.advance]
    return length / 100


def _victory_points(state: State, source: ScriptedDice, side: Any, enemy: Any, deeds: Mapping[str, int]) -> int:
    return total(tables_of(state).victory_points(side, enemy, deeds))


def _die(state: State, source: ScriptedDice, sides: int = 0, throws: int = 10_000) -> list[int]:
    """The different faces of the server's dice in many throws; of the unnamed die where `sides` is not given."""
    sides = sides or Roll(purpose="a die").sides
    return sorted(set(faces_by_name(b"a case", ("die", sides), throws, sides)))


def _range(state: State, source: ScriptedDice, of: str, to: str) -> float:
    """From base to base, in inches."""
    a, b = _figure(state, of), _figure(state, to)
    return base_to_base(a.at, b.at, a.radius, b.radius) / 100


def _line_of_sight(state: State, source: ScriptedDice, of: str, to: str) -> str:
    sight = fire_points.lines(ground_of(state), _figure(state, of), [_figure(state, to)])[0]
    return "clear" if sight.clear else "blocked"


def _cover(state: State, source: ScriptedDice, of: str, against: str) -> str:
    return fire_points.lines(ground_of(state), _figure(state, against), [_figure(state, of)])[0].cover


def _spotting(
    state: State, source: ScriptedDice, target: str, place: Any = "open", mode: Any = "map", hour: Any = "day"
) -> float | str:
    """How near an enemy must be, in inches; "sight", or "never"."""
    found = tables_of(state).spotting(target.replace(" ", "_"), place, mode, hour)
    return "never" if found is None else found if found == "sight" else found / 100


def _set_up(state: State, source: ScriptedDice, troops: int = 0, dummies: int = 0, caches: int = 0) -> str:
    """Whether a scenario may give an indigenous command so many face-down cards: "accepted", or "refused"."""
    numbers = {"troops": troops, "dummy": dummies, "cache": caches}
    kinds = [(kind, f"{kind} {index}", index) for kind, count in numbers.items() for index in range(count)]
    cards = [
        {"key": key, "command": "band", "kind": kind, "at": [4 + 3 * index, 10]}
        | ({"squad": f"squad {index}"} if kind == "troops" else {})
        for kind, key, index in kinds
    ]
    man = {"weapons": ["ak47"]}
    squads = [
        {
            "key": f"squad {index}",
            "command": "band",
            "name": "band",
            "at": [10, 10],
            "men": [man | {"key": f"man {index}"}],
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
        "squad": squads,
        "card": cards,
    }
    try:
        reading.read(data, file="set-up")
    except BadInput as fault:
        if fault.where != "card":
            raise
        return "refused"
    return "accepted"


def _table(state: State, source: ScriptedDice, table: str, row: str, column: str) -> Any:
    """Any cell of the book."""
    return tables_of(state).book.origin(table, row, column).value


_VALUES: Final[Mapping[str, Callable[..., Any]]] = {
    "cover": _cover,
    "die": _die,
    "fire_points": _fire_points,
    "hits": _hits,
    "line_of_sight": _line_of_sight,
    "motivation_result": _motivation_result,
    "move": _move,
    "potential_criticals": _criticals,
    "range": _range,
    "rows": _rows,
    "save": _save,
    "save_modifier": _save_modifier,
    "save_number": _save_number,
    "set_up": _set_up,
    "spotting": _spotting,
    "table": _table,
    "victory_points": _victory_points,
}


def _figure(state: State, name: str) -> Figure:
    if not has_figure(state, name):
        words.unknown("the figure", name, [man.id for man in figures(state)])
    return figure(state, name)


def _result(state: State, word: str) -> MotivationResult:
    table = tables_of(state).book.table("motivation_results", MotivationResult)
    key = word.lower().replace(" ", "_")
    if key not in table:
        words.unknown("the result", word, table)
    return table[key]


# What happened: WORD = VALUE


def told(state: State, entries: Sequence[Entry], word: str, value: str) -> str:
    """Nothing if the word has this value after a step, else what it is. Raises CaseFault for an unknown word."""
    happened = [entry.event for entry in entries if isinstance(entry, Happened | Corrected)]
    if word not in _WORDS:
        words.unknown("the word", word, (*_WORDS, "points SIDE"))
    found = _WORDS[word](state, happened, entries)
    if found is None:
        return f"nothing was said of {word}"
    return "" if str(found).lower() == value.lower() else f"{word} is {found}"


def _last(kind: type[Any], name: str) -> Callable[[State, Sequence[Any], Sequence[Entry]], Any]:
    def function(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
        return next((getattr(event, name) for event in reversed(happened) if isinstance(event, kind)), None)

    return function


def _sum_of_hits(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    hits = [event.hits for event in happened if isinstance(event, events.HitsScored)]
    return sum(hits) if hits else None


def _last_result(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    key = _last(events.MotivationRolled, "result")(state, happened, entries)
    return None if key is None else _result(state, key).name


def _public(name: str) -> Callable[[State, Sequence[Any], Sequence[Entry]], Any]:
    def function(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
        return getattr(state.public, name)

    return function


def _order(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return ", ".join(state.public.order)


def _over(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return "yes" if state.public.result is not None else "no"


def _winner(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return None if state.public.result is None else state.public.result.winner or "nobody"


def _rolls(state: State, happened: Sequence[Any], entries: Sequence[Entry]) -> Any:
    return sum(isinstance(entry, Thrown) for entry in entries)


_WORDS: Final[Mapping[str, Callable[[State, Sequence[Any], Sequence[Entry]], Any]]] = {
    "active": _public("active"),
    "criticals": _last(events.HitsScored, "criticals"),
    "fire_points": _last(events.HitsScored, "fire_points"),
    "fought": _last(events.CloseCombatFought, "result"),
    "hits": _sum_of_hits,
    "order": _order,
    "over": _over,
    "phase": _public("phase"),
    "result": _last_result,
    "rolls": _rolls,
    "score": _last(events.MotivationRolled, "score"),
    "stopped": _last(events.Stopped, "why"),
    "turn": _public("turn"),
    "winner": _winner,
}


# How things stand: NAME pinned


def state_of(state: State, name: str, what: str) -> str:
    """Nothing if a piece is what the words say, else what is so instead. Raises CaseFault for unknown words."""
    wanted = not what.startswith("not ")
    word = what.removeprefix("not ")
    if word.startswith("at "):
        return _is_at(state, name, word.removeprefix("at "))
    if has_figure(state, name):
        return _figure_is(state, figure(state, name), word, wanted)
    if any(unit.id == name for unit in squads(state)):
        return _squad_is(state, name, word, wanted)
    if any(each.id == name for each in cards(state)):
        return _so(name, word, wanted, _CARD_WORDS, card(state, name))
    known = (
        *(man.id for man in figures(state)),
        *(unit.id for unit in squads(state)),
        *(each.id for each in cards(state)),
        *(each.id for each in counters(state)),
    )
    return words.unknown("the piece", name, known)


def _is_at(state: State, name: str, text: str) -> str:
    wanted = words.place(text)
    if wanted is None:
        raise CaseFault(f"{text!r} is no place in inches, such as 10,10", at=text)
    places = {
        **{man.id: man.at for man in figures(state)},
        **{each.id: each.at for each in cards(state)},
        **{each.id: each.at for each in counters(state)},
    }
    if name not in places:
        words.unknown("the piece", name, places)
    at = places[name]
    return "" if at == wanted else f"{name} is at {at[0] / 100:g},{at[1] / 100:g}"


def _so(name: str, word: str, wanted: bool, known: Mapping[str, Callable[[Any], bool]], piece: Any) -> str:
    if word not in known:
        words.unknown("the word", word, known)
    is_so = known[word](piece)
    return "" if is_so == wanted else f"{name} is {'not ' if wanted else ''}{word}"


_FIGURE_WORDS: Final[Mapping[str, Callable[[Figure], bool]]] = {
    "pinned": lambda man: man.is_pinned,
    "pinned by a blast": lambda man: man.pinned == "he",
    "fit": lambda man: man.is_fit,
    "casualty": lambda man: man.status == "casualty",
    "captured": lambda man: man.status == "captured",
    "moved": lambda man: man.moved != "",
    "running": lambda man: man.moved == "running",
    "fired": lambda man: man.fired in ("aimed", "prophylactic"),
    "held fire": lambda man: man.fired == "held",
    "searching": lambda man: man.searching != "",
    "destroying": lambda man: man.destroying != "",
    "must withdraw": lambda man: man.must_withdraw,
    "prepared": lambda man: man.is_prepared,
    "on the table": lambda man: man.is_placed,
    "carrying": lambda man: not man.carrying.is_empty,
    "has gambled": lambda man: man.has_gambled,
    "has fired from ambush": lambda man: man.has_fired_from_ambush,
}


def _figure_is(state: State, man: Figure, word: str, wanted: bool) -> str:
    if word in get_args(Quality):
        counts = fire_points.counts_as(state, man)
        return "" if (counts == word) == wanted else f"{man.id} counts as {counts}"
    if word.startswith("pinned until "):
        until = words.whole(word.rpartition(" ")[2])
        return "" if (man.pinned_until == until) == wanted else f"{man.id} is pinned until {man.pinned_until}"
    if word.startswith("moved ") and word.endswith(" inches"):
        return (
            "" if (man.distance == words.length(word.split()[1])) == wanted else f"he has moved {man.distance / 100:g}"
        )
    if word.startswith("carrying "):
        kind, _, number = word.removeprefix("carrying ").partition(" ")
        if kind not in words.STORES:
            words.unknown("the stores", kind, words.STORES)
        return (
            "" if (getattr(man.carrying, kind) == words.whole(number or 1)) == wanted else f"he carries {man.carrying}"
        )
    if word == "under fire" or word.startswith("team "):
        if not man.squad:
            raise CaseFault(f"{man.id} is in no squad", at=man.id)
        name = team_of(squad(state, man.squad), man.id)
        if word == "under fire":
            is_so = squad(state, man.squad).teams[name].is_under_fire
            return "" if is_so == wanted else f"his team is {'not ' if wanted else ''}under fire"
        return "" if (name == word.removeprefix("team ")) == wanted else f"{man.id} is in team {name}"
    return _so(man.id, word, wanted, _FIGURE_WORDS, man)


_TEAM_WORDS: Final[Mapping[str, Callable[[Team], bool]]] = {
    "under fire": lambda team: team.is_under_fire,
    "moved": lambda team: team.has_moved,
    "rolled": lambda team: team.result != "",
}


def _squad_is(state: State, name: str, word: str, wanted: bool) -> str:
    unit = squad(state, name)
    if word in get_args(Quality):
        counts = quality_of(state, unit)
        return "" if (counts == word) == wanted else f"{name} counts as {counts}"
    if word.startswith("casualties "):
        number = words.whole(word.rpartition(" ")[2])
        return "" if (unit.casualties == number) == wanted else f"{name} has {unit.casualties} casualties"
    if word.startswith("teams "):
        named = sorted(each.strip() for each in word.removeprefix("teams ").split(" and "))
        return "" if (sorted(unit.teams) == named) == wanted else f"{name} has the teams {', '.join(unit.teams)}"
    if word == "under platoon control":
        return "" if unit.is_under_platoon_control == wanted else f"{name} is otherwise"
    results = tables_of(state).book.table("motivation_results", MotivationResult)
    key = word.lower().replace(" ", "_")
    teams = unit.teams.values()
    if key in results or word.lower() in [row.name.lower() for row in results.values()]:
        got = [results[team.result].name for team in teams if team.result]
        is_so = any(word.lower() in (team.result, results[team.result].name.lower()) for team in teams if team.result)
        return "" if is_so == wanted else f"{name} is {', '.join(got) or 'not rolled for'}"
    if word not in _TEAM_WORDS:
        words.unknown("the word", word, (*_TEAM_WORDS, *results, *get_args(Quality), "casualties N", "teams A and B"))
    is_so = any(_TEAM_WORDS[word](team) for team in teams)
    return "" if is_so == wanted else f"{name} is {'not ' if wanted else ''}{word}"


_CARD_WORDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "face up": lambda each: each.is_face_up,
    "on the table": lambda each: each.is_on_table,
    "moved": lambda each: each.has_moved,
    "empty": lambda each: each.stores.is_empty,
    "searched": lambda each: bool(each.searched_by),
}
