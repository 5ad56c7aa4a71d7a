"""The battle of a case file: `[given]` made into a state, with its markers and its phase. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from lnl.book.tables import Tables
from lnl.happening.turn import BattleBegan
from lnl.package import PACKAGE
from lnl.rules.hidden import spotting
from lnl.scenarios import parsing
from lnl.state.battle import (
    PHASES,
    Barrage,
    CommandPart,
    Melee,
    Phase,
    Standing,
    State,
    Unit,
    Weapon,
    hex_key,
    place_key,
)
from lnl.state.finding import units
from lnl.state.setting import setting_of, tables_of
from lnl.testing.cases import names as case_names
from lnl.testing.cases.counters import Rows
from lnl.testing.cases.ground import Land, hex_of, land, map_text, split_place
from lnl.testing.cases.pieces import Piece, gun_names, in_cover, lines_of
from lnl.testing.cases.standing import standing_lines
from lnl.testing.cases.words import plain
from umpire.kernel.events import Sighted
from umpire.kernel.ledger import applied
from umpire.kernel.rulings import Ruling
from umpire.kernel.values.maps import ordered as in_order
from umpire.testing.cases.running import Case, CaseFault
from umpire.testing.cases.words import unknown, whole

NOT_BEGUN: Final = "not begun"
RESERVE: Final = "reserve of"
"""A crew of each side that never comes in, so that a battle is not over when a case has nobody else of it."""
NOBODY: Final = ("none", "nobody", "no one")
PHASE_WORDS: Final[Mapping[str, Phase]] = {
    **{phase: phase for phase in PHASES},
    "ops": "operations",
    "operation": "operations",
    "admin": "administrative",
    "administration": "administrative",
    "set up": "set_up",
    "setup": "set_up",
}


def goes_on(given: Mapping[str, Any]) -> bool:
    """Whether a phase ends also because nobody has anything left to do, as it does in play."""
    return str(given.get("goes_on", "")).lower() in ("true", "yes")


def nations(given: Mapping[str, Any]) -> dict[str, str]:
    """The nations of sides, as `sides` has them: `{ reds = "su" }`."""
    return {side: str(nation) for side, nation in dict(given.get("sides", {})).items()}


def _words(value: Any) -> Iterator[str]:
    """All words of a case, to measure its map by."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _words(key)
            yield from _words(inner)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)
    elif isinstance(value, str) and "\n[" not in value:
        yield from re.findall(r"(?<![A-Za-z])\d*[A-Z]{1,2}\d{1,2}(?![A-Za-z\d])", value)


def begun(case: Case, given: Mapping[str, Any], found: Sequence[Piece], rows: Rows) -> State:
    """The battle as it is set up, before anything of the phase given."""
    mentioned = [word for part in (case.given, *(_parts(step) for step in case.step)) for word in _words(part)]
    made = land(given, mentioned, Tables(rows.book))
    found = [*found, *in_cover(found), *_laid(made, found)]
    upstairs = [hex_of(split_place(each.at)[0]) for each in found if each.at and split_place(each.at)[1] > 0]
    sides = list(dict.fromkeys((*nations(given), *(each.side for each in found))))
    sides += [side for side in ("us", "ge") if side not in sides][: max(0, 2 - len(sides))]
    commands = {each.command: each.side for each in found}
    commands |= {side: side for side in sides if side not in commands.values()}
    play = str(given.get("play", "open"))
    if play not in ("open", "blind"):
        unknown("the play", play, ("open", "blind"))
    reserves = {side: rows.counter(side, RESERVE, ["crew"]) for side in sides} if not goes_on(given) else {}
    book: dict[str, Any] = {table: dict(own) for table, own in rows.own.items()}
    for table, own in dict(given.get("book", {})).items():
        book[table] = {**book.get(table, {}), **own}
    hour = str(given.get("hour", "day")).lower()
    if hour not in ("day", "night"):
        unknown("the hour", hour, ("day", "night"))
    turn = whole(given.get("turn", 1))
    head: dict[str, Any] = {
        "key": case.case.lower(),
        "title": case.title,
        "turns": max(turn, whole(given.get("turns", 10))),
        "map": str(given.get("map", "")) or map_text(made, upstairs),
        "initiative": _holder(given) if turn == 1 else "",
    }
    if case.module:
        head["modules"] = [case.module]
    if "deck" in given:
        head["deck"] = list(given["deck"])
    data: dict[str, Any] = {
        "scenario": head,
        "options": {"play": play, "hour": hour, **given.get("options", {})},
        "side": [{"key": side, "name": side.upper(), "nation": rows.nation(side)} for side in sides],
        "command": [{"key": name, "side": side, "name": name} for name, side in commands.items()],
        "force": [
            *(_force(each, made.number) for each in found if each.kind == "unit"),
            *(
                {
                    "key": f"{RESERVE} {side}",
                    "command": next(key for key, its in commands.items() if its == side),
                    "counter": counter,
                    "at": next((_named(each.at, made.number) for each in found if each.at), "A1"),
                    "arrives": "never",
                }
                for side, counter in reserves.items()
            ),
        ],
        "weapon": [
            {"key": each.name, "command": each.command, "counter": each.counter, "at": _named(each.at, made.number)}
            | ({"hidden": True} if each.hidden else {})
            for each in found
            if each.kind == "weapon"
        ],
        "work": [_work(each, made.number) for each in found if each.kind == "work"],
        "terrain": {_named(name, made.number): kind for name, kind in made.markers.items()},
        "book": book,
    }
    if "visibility" in given:
        data["options"]["visibility"] = whole(given["visibility"])
    for key, table in (
        ("objective", "objective"),
        ("event", "happening"),
        ("event_marker", "marker"),
        ("zone", "zone"),
    ):
        if key in given:
            data[table] = given[key]
    if "control" in given:
        data["control"] = dict(given["control"])
    names = gun_names(found)
    keys = {f"{name}.{number + 1}": called for (name, number), called in names.items()}
    state = PACKAGE.begin(parsing.read(data, file=case.case), lambda key: keys.get(key, key))
    smoke = {hex_key(hex_of(name)): stage for name, stage in made.smoke.items()}
    spotted = tuple(sorted((*hex_of(name), 0) for name in made.spotted))
    return replace(state, public=replace(state.public, smoke=dict(sorted(smoke.items())), spotted=spotted))


def _holder(given: Mapping[str, Any]) -> str:
    """The side that holds the initiative in turn 1, "" for none."""
    word = str(given.get("initiative", ""))
    return "" if word.lower() in NOBODY else word


def _laid(made: Land, found: Sequence[Piece]) -> list[Piece]:
    """The works that stand among the terrain, of the first side."""
    first = next(iter(found), None)
    side, command = (first.side, first.command) if first is not None else ("us", "us")
    return [
        Piece(line=kind, side=side, command=command, name=f"{kind} {at}", at=at, kind="work", counter=kind)
        for kind, at in made.works
    ]


def _parts(step: Any) -> list[Any]:
    return [step.order, step.umpire, step.ask, step.given, step.then]


def _named(at: str, number: int = 0) -> str:
    """A place as scenario files name it, with the number of its board."""
    name, level = split_place(at)
    name = f"{number}{name}" if number and name[0].isalpha() else name
    return name + {1: " upstairs", 0: "", -1: " in the bunker"}[level]


def _force(each: Piece, number: int) -> dict[str, Any]:
    data: dict[str, Any] = {
        "key": each.name,
        "command": each.command,
        "counter": each.counter,
        "at": _named(each.at or "A1", number),
        "hidden": each.hidden,
        "shaken": bool(each.unit.get("is_shaken", False)),
        "facing": each.facing,
        "weapons": [f"{gun.counter} packed" if gun.is_packed else gun.counter for gun in each.guns],
        "skills": list(each.skills),
        "traits": list(each.traits),
        "arrives": each.arrives,
    }
    return data | ({"zone": each.zone} if each.zone else {})


def _work(each: Piece, number: int) -> dict[str, Any]:
    facing = each.facing or (1 if each.counter == "bunker" else 0)
    data = {"key": each.name, "command": each.command, "kind": each.counter, "at": _named(each.at, number).split()[0]}
    return {**data, "facing": facing, "strength": each.strength, "hidden": each.hidden}


def peopled(state: State, given: Mapping[str, Any], found: Sequence[Piece]) -> State:
    """The battle with the markers of its pieces."""
    by_name = {each.name: each for each in found}
    sides = tuple(setting_of(state).sides)

    def unit(each: Unit) -> Unit:
        piece = by_name.get(each.id)
        if piece is None:
            return each
        if not piece.is_placed:
            return replace(each, **{**piece.unit, "is_placed": False})
        return replace(each, **{"is_placed": each.arrives == 0, **piece.unit})

    guns = {called: by_name[name].guns[number] for (name, number), called in gun_names(found).items()}
    guns |= {each.name: each.guns[0] for each in found if each.kind == "weapon"}

    def gun(each: Weapon) -> Weapon:
        said = guns[each.id]
        side = each.side
        if said.is_captured and side == setting_of(state).commands[each.command].side:
            side = next(other for other in sides if other != side)
        return replace(each, side=side, is_jammed=said.is_jammed, is_set_up=each.is_set_up or said.is_set_up)

    public = replace(
        state.public,
        units={key: unit(each) for key, each in state.public.units.items()},
        weapons={key: gun(each) for key, each in state.public.weapons.items()},
    )
    parts: dict[str, CommandPart] = {
        name: replace(
            part,
            units={key: unit(each) for key, each in part.units.items()},
            weapons={key: gun(each) for key, each in part.weapons.items()},
        )
        for name, part in state.commands.items()
    }
    return _with_places(replace(state, public=public, commands=parts), given, found)


def _with_places(state: State, given: Mapping[str, Any], found: Sequence[Piece]) -> State:
    """The battle with the markers of its places: spotted, melee, barrages, star shells."""

    def place(text: str) -> Any:
        return case_names.place(state, text)

    public = state.public
    spotted = {place(each): ("",) for each in lines_of(_listed(given.get("spotted", ())))}
    spotted |= dict.fromkeys(public.spotted, ("",))
    melees: dict[str, Melee] = {}
    for each in standing_lines(_listed(given.get("melees", ()))):
        words = each.replace(":", " ").split()
        fought = words[-1] == "fought"
        at = place(" ".join(words[:-1] if fought else words))
        melees[place_key(at)] = Melee(at=at, fought=fought)
    there: dict[Any, set[str]] = {}
    for piece in found:
        if piece.kind != "unit" or not piece.at:
            continue
        at = place(piece.at)
        there.setdefault(at, set()).add(piece.side)
        if "spotted" in piece.place:
            spotted[at] = (piece.side,)
        if "melee" in piece.place or "melee fought" in piece.place:
            melees[place_key(at)] = Melee(at=at, fought="melee fought" in piece.place)
    for at, sides in there.items():
        if len(sides) > 1:
            melees.setdefault(place_key(at), Melee(at=at, fought=False))
    shells = tuple(hex_of(each) for each in lines_of(_listed(given.get("star_shells", ()))))
    public = replace(
        public,
        spotted=(),
        melees=dict(sorted(melees.items())),
        star_shells=shells,
        barrages=tuple(_barrage(line) for line in lines_of(given.get("barrages", ()))),
    )
    state = replace(state, public=public)
    if setting_of(state).options.play == "open":
        return replace(state, public=replace(public, spotted=tuple(sorted(spotted))))
    commands = {
        name: replace(
            part,
            spotted=tuple(
                sorted(at for at, owner in spotted.items() if setting_of(state).commands[name].side not in owner)
            ),
        )
        for name, part in state.commands.items()
    }
    return replace(state, commands=commands)


def _listed(value: Any) -> Any:
    return re.split(r"[,;]\s*", value) if isinstance(value, str) and "\n" not in value else value


def _barrage(line: str) -> Barrage:
    """`E5 3`, `E9 4 radius 1 by us`."""
    words = re.sub(r"\b(?:fp|firepower|strength)\b", " ", line, flags=re.IGNORECASE).split()
    values = {key: words[index + 1] for index, key in enumerate(words[:-1]) if key in ("radius", "by")}
    if len(words) < 2:
        raise CaseFault(f"{line!r} is not: hex, firepower", at=line)
    return Barrage(
        at=hex_of(words[0]), firepower=whole(words[1]), radius=whole(values.get("radius", 0)), by=values.get("by", "")
    )


def as_phased(state: State, given: Mapping[str, Any]) -> State:
    """The battle in the phase given. The Administrative Phase is about to begin: its own steps follow by themselves."""
    setting = setting_of(state)
    sides = tuple(setting.sides)
    word = plain(str(given.get("phase", "operations"))).removesuffix(" phase")
    if word not in (*PHASE_WORDS, NOT_BEGUN):
        unknown("the phase", word, (*PHASE_WORDS, NOT_BEGUN))
    if word == NOT_BEGUN:
        return state
    active = str(given.get("active", _holder(given) or ("us" if "us" in sides else sides[0])))
    held = str(given.get("initiative", active))
    for side in (active, held):
        if side not in sides and side.lower() not in (*NOBODY, ""):
            unknown("the side", side, sides)
    phase = PHASE_WORDS[word]
    passes = whole(given.get("passes", 0))
    if phase == "administrative":
        phase, passes = "operations", tables_of(state).number("passes")
    public = replace(
        state.public,
        turn=whole(given.get("turn", 1)),
        phase=phase,
        active=active,
        held="" if held.lower() in NOBODY else held,
        passes=passes,
    )
    return replace(state, public=public)


def ordered(state: State, who: str, orders: Standing) -> State:
    """Standing orders of a command, a side or a unit."""
    setting = setting_of(state)
    found = [(name, "") for name, command in setting.commands.items() if who in (name, command.side)]
    found = found or [(each.command, each.id) for each in units(state) if each.id in case_names.group(state, who)]
    if not found:
        unknown("the command or unit", who, (*setting.commands, *(each.id for each in units(state))))
    commands = dict(state.commands)
    for name, unit in found:
        part = commands[name]
        commands[name] = replace(part, standing=in_order({**part.standing, unit: orders}))
    return replace(state, commands=commands)


def in_sight(state: State) -> State:
    """The state with the contacts of all that is seen, each under its own name; what is hidden in an open battle and
    seen is open."""
    if setting_of(state).options.play == "open":
        return _driven(state, spotting.uncover(state))
    for event in PACKAGE.notice(state, BattleBegan(phase="operations"), state):
        if isinstance(event, Sighted):
            named = replace(event, contact=replace(event.contact, alias=event.subject))
            state = applied(PACKAGE, state, named)
    return state


def _driven(state: State, ruling: Ruling[State]) -> State:
    """The state after a ruling that only tells."""
    try:
        step = next(ruling)
        while True:
            state = applied(PACKAGE, state, getattr(step, "event"))  # noqa: B009
            step = ruling.send(state)
    except StopIteration as done:
        result: State = done.value
        return result
