"""The battle of a case of Lock 'n Load: `[given]` made into a state, with its markers and its phase. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from lnl.board.ground import place_named
from lnl.board.hexes import Place
from lnl.book.tables import Tables, core_book
from lnl.happening.turn import BattleBegan
from lnl.package import PACKAGE
from lnl.rules.hidden import spotting
from lnl.scenarios import parsing
from lnl.scenarios.book_check import module_names
from lnl.state.battle import PHASES, Barrage, Melee, Phase, Standing, State, Unit, Weapon, Work, hex_key, place_key
from lnl.state.finding import units, weapons
from lnl.state.setting import ground_of, setting_of, tables_of
from lnl.testing.cases.counters import Rows
from lnl.testing.cases.ground import LEVEL_NAMES, Land, hex_of, is_hex, land, map_text, split_place
from lnl.testing.cases.pieces import Piece, Reader, gun_names, in_cover
from umpire.kernel.events import Sighted
from umpire.kernel.ledger import applied
from umpire.kernel.pieces.changing import with_piece, with_pieces
from umpire.kernel.rulings import Ruling
from umpire.kernel.values.maps import ordered
from umpire.testing.cases.form import Case
from umpire.testing.cases.words import CaseFault, lines_of, one_of, plain, unknown, whole

AS_IN_SCENARIOS: Final = {"objective": "objective", "event": "happening", "event_marker": "marker", "zone": "zone"}
"""Keys whose tables are those of scenario files, and what they are called there."""
OF_PLACES: Final = ("smoke", "star_shells", "spotted", "barrages", "melees")
FURTHER: Final = (
    *("phase", "active", "turn", "turns", "hour", "initiative", "passes", "goes_on", "play", "visibility"),
    *OF_PLACES,
)
"""What further lines may set."""
GIVEN: Final = (
    *(*FURTHER, *AS_IN_SCENARIOS),
    *("terrain", "elevations", "hexsides", "buildings", "roads", "art", "markers", "control", "size", "map"),
    *("sides", "pieces", "standing", "options", "deck", "book"),
)
NOT_BEGUN: Final = "not begun"
RESERVE: Final = "reserve of"
"""A crew of each side that never comes in, so that a battle is not over when a case has nobody else of it."""
NOBODY: Final = "none"


def goes_on(given: Mapping[str, Any]) -> bool:
    """Whether a phase ends also because nobody has anything left to do, as it does in play."""
    return str(given.get("goes_on", "")).lower() == "true"


def given_with(case: Case, given: Mapping[str, Any], further: Sequence[str]) -> tuple[dict[str, Any], Reader]:
    """What is given with the further lines of a step, and its pieces. Raises CaseFault."""
    for key in given:
        if key not in GIVEN:
            unknown("in [given] the key", key, GIVEN)
    if case.module and case.module not in module_names():
        known = ", ".join(module_names()) or "none"
        raise CaseFault(f"the module {case.module!r} is not played; there are: {known}", at=case.module)
    more = dict(given)
    reader = Reader(Rows(core_book(), dict(more.get("sides", {}))))
    for line in lines_of(more.get("pieces", "")):
        reader.add(line)
    sides = {each.side for each in reader.pieces} | set(more.get("sides", {}))
    for line in lines_of(further):
        if not reader.further(line, sides):
            _further(more, reader.pieces, line)
    return more, reader


def _further(more: dict[str, Any], found: Sequence[Piece], line: str) -> None:
    """A further line that is about no piece: `phase rally`, `E5 smoke 1`. Raises CaseFault."""
    key, _, value = line.partition(" ")
    if is_hex(key.partition("-")[0]):
        there = more.get("terrain", {}).get(key, [])
        more["terrain"] = {**more.get("terrain", {}), key: [*(there if isinstance(there, list) else [there]), value]}
    elif key in FURTHER:
        more[key] = value.removeprefix("= ")
    else:
        unknown("the piece", key, (*(piece.name for piece in found), *FURTHER))


# The setting


def _hexes(value: Any) -> Iterator[str]:
    """All hexes that a case names, to measure its map by."""
    if isinstance(value, Mapping):
        for each in (*value.keys(), *value.values()):
            yield from _hexes(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _hexes(each)
    elif isinstance(value, str) and "\n[" not in value:
        yield from re.findall(r"(?<![A-Za-z])\d*[A-Z]{1,2}\d{1,2}(?![A-Za-z\d])", value)


def begun(case: Case, given: Mapping[str, Any], reader: Reader) -> State:
    """The battle as it is set up, before anything of the phase given."""
    rows, found = reader.rows, reader.pieces
    steps = [(step.order, step.umpire, step.ask, step.given, step.then) for step in case.step]
    made = land(given, _hexes((case.given, steps)), Tables(rows.book))
    found = [*found, *in_cover(found), *_laid(made, found)]
    upstairs = [hex_of(each.hex) for each in found if each.at and split_place(each.at)[1] > 0]
    sides = list(dict.fromkeys((*given.get("sides", {}), *(each.side for each in found))))
    sides += [side for side in ("us", "ge") if side not in sides][: max(0, 2 - len(sides))]
    commands = {each.command: each.side for each in found}
    commands |= {side: side for side in sides if side not in commands.values()}
    turn = whole(given.get("turn", 1))
    held = str(given.get("initiative", ""))
    head: dict[str, Any] = {
        "key": case.case.lower(),
        "title": case.title,
        "turns": max(turn, whole(given.get("turns", 10))),
        "map": str(given.get("map", "")) or map_text(made, upstairs),
        "initiative": held if turn == 1 and held != NOBODY else "",
        **({"modules": [case.module]} if case.module else {}),
        **({"deck": list(given["deck"])} if "deck" in given else {}),
    }
    reserves = [] if goes_on(given) else [(side, rows.counter(side, "crew")) for side in sides]
    reserve_at = next((_named(each.at, made.number) for each in found if each.at), "A1")
    options = {
        "play": one_of("the play", given.get("play", "open"), ("open", "blind")),
        "hour": one_of("the hour", given.get("hour", "day"), ("day", "night")),
        **({"visibility": whole(given["visibility"])} if "visibility" in given else {}),
    }
    book = {
        table: {**rows.own.get(table, {}), **given.get("book", {}).get(table, {})}
        for table in {*rows.own, *given.get("book", {})}
    }
    data: dict[str, Any] = {
        "scenario": head,
        "options": {**options, **given.get("options", {})},
        "side": [{"key": side, "name": side.upper(), "nation": rows.nation(side)} for side in sides],
        "command": [{"key": name, "side": side, "name": name} for name, side in commands.items()],
        "force": [
            *(_force(each, made.number) for each in found if each.kind is Unit),
            *(
                {
                    "key": f"{RESERVE} {side}",
                    "command": next(key for key, its in commands.items() if its == side),
                    "counter": counter,
                    "at": reserve_at,
                    "arrives": "never",
                }
                for side, counter in reserves
            ),
        ],
        "weapon": [
            {"key": each.name, "command": each.command, "counter": each.counter, "at": _named(each.at, made.number)}
            | ({"hidden": True} if each.hidden else {})
            for each in found
            if each.kind is Weapon
        ],
        "work": [_work(each, made.number) for each in found if each.kind is Work],
        "terrain": {_named(name, made.number): kind for name, kind in made.markers.items()},
        "book": book,
        **{table: given[key] for key, table in AS_IN_SCENARIOS.items() if key in given},
        **({"control": dict(given["control"])} if "control" in given else {}),
    }
    keys = {
        f"{piece.name}.{number}": name
        for name, (piece, gun) in gun_names(found).items()
        for number, each in enumerate(piece.guns, 1)
        if each is gun
    }
    state = PACKAGE.begin(parsing.read(data, file=case.case), lambda key: keys.get(key, key))
    smoke = {hex_key(hex_of(name)): stage for name, stage in made.smoke.items()}
    spotted = tuple(sorted((*hex_of(name), 0) for name in made.spotted))
    return replace(state, public=replace(state.public, smoke=dict(sorted(smoke.items())), spotted=spotted))


def _laid(made: Land, found: Sequence[Piece]) -> list[Piece]:
    """The works that stand among the terrain, of the first side."""
    side, command = (found[0].side, found[0].command) if found else ("us", "us")
    return [
        Piece(line="", what=kind, side=side, command=command, name=f"{kind} {at}", at=at, kind=Work, counter=kind)
        for kind, at in made.works
    ]


def _named(at: str, number: int) -> str:
    """A place as scenario files name it, with the number of its board."""
    name, level = split_place(at)
    return (f"{number}{name}" if number and name[0].isalpha() else name) + LEVEL_NAMES[level]


def _force(each: Piece, number: int) -> dict[str, Any]:
    said = each.unit
    return {
        "key": each.name,
        "command": each.command,
        "counter": each.counter,
        "at": _named(each.at or "A1", number),
        "hidden": each.hidden,
        "shaken": bool(said.get("is_shaken", False)),
        "facing": said.pop("facing", 0),
        "weapons": [f"{gun.counter} packed" if "packed" in gun.words else gun.counter for gun in each.guns],
        "skills": list(said.pop("skills", ())),
        "traits": list(said.pop("traits", ())),
        "arrives": each.arrives or said.pop("arrives", 0),
        **({"zone": said.pop("zone")} if "zone" in said else {}),
    }


def _work(each: Piece, number: int) -> dict[str, Any]:
    said = {"facing": int(each.counter == "bunker"), "strength": 1, **each.said.get(Work, {})}
    at = _named(each.hex, number)
    return {"key": each.name, "command": each.command, "kind": each.counter, "at": at, "hidden": each.hidden, **said}


# Markers


def peopled(state: State, given: Mapping[str, Any], found: Sequence[Piece]) -> State:
    """The battle with the markers of its pieces."""
    by_name = {each.name: each for each in found}
    changed: list[Unit] = []
    for each in units(state):
        if (piece := by_name.get(each.id)) is not None:
            is_off = piece.unit.pop("is_off", not piece.at or each.arrives != 0)
            changed.append(replace(each, is_off=is_off, **piece.unit))
    state = with_pieces(state, changed)
    sides = tuple(setting_of(state).sides)
    guns = {name: said for name, (_, said) in gun_names(found).items()}
    guns |= {each.name: each.guns[0] for each in found if each.kind is Weapon}
    for gun in list(weapons(state)):
        words = guns[gun.id].words
        own = setting_of(state).commands[gun.command].side
        side = next(other for other in sides if other != own) if "captured" in words else gun.side
        is_set_up = gun.is_set_up or "set up" in words
        state = with_piece(state, gun.id, side=side, is_jammed="jammed" in words, is_set_up=is_set_up)
    return _with_places(state, given, found)


def place(state: State, text: str) -> Place:
    """A place by name. Raises CaseFault."""
    name, level = split_place(text)
    ground = ground_of(state)
    numbers = {found[0] for each in ground.names if (found := re.match(r"\d+", each))}
    for number in ("", *numbers):
        if not number or (len(numbers) == 1 and name[0].isalpha()):
            try:
                return place_named(ground, number + name + LEVEL_NAMES[level])
            except KeyError:
                continue
    raise CaseFault(f"there is no place {text!r} on the map", at=text)


def _with_places(state: State, given: Mapping[str, Any], found: Sequence[Piece]) -> State:
    """The battle with the markers of its places: spotted, melee, barrages, star shells."""
    listed = {key: _lines(given.get(key, ())) for key in OF_PLACES if key != "smoke"}
    spotted = {place(state, each): "" for each in listed["spotted"]} | dict.fromkeys(state.public.spotted, "")
    melees: dict[str, Melee] = {}
    there: dict[Place, set[str]] = {}
    for line in listed["melees"]:
        at = place(state, line.removesuffix(" fought"))
        melees[place_key(at)] = Melee(at=at, fought=line.endswith(" fought"))
    for piece in found:
        if piece.kind is Unit and piece.at:
            at = place(state, piece.at)
            there.setdefault(at, set()).add(piece.side)
            if piece.place == "spotted":
                spotted[at] = piece.side
            elif piece.place:
                melees[place_key(at)] = Melee(at=at, fought=piece.place == "fought")
    for at, sides in there.items():
        if len(sides) > 1:
            melees.setdefault(place_key(at), Melee(at=at, fought=False))
    is_open = setting_of(state).options.play == "open"
    public = replace(
        state.public,
        spotted=tuple(sorted(spotted)) if is_open else (),
        melees=dict(sorted(melees.items())),
        star_shells=tuple(map(hex_of, listed["star_shells"])),
        barrages=tuple(map(_barrage, listed["barrages"])),
    )
    commands = dict(state.commands)
    for name, part in commands.items() if not is_open else ():
        side = setting_of(state).commands[name].side
        commands[name] = replace(part, spotted=tuple(sorted(at for at, owner in spotted.items() if owner != side)))
    return replace(state, public=public, commands=commands)


def _lines(value: Any) -> list[str]:
    return lines_of(re.split(r"[,;]\s*|\n", value) if isinstance(value, str) else value)


def _barrage(line: str) -> Barrage:
    """`E5 firepower 3 by us`, `E9 4 radius 1`."""
    found = re.fullmatch(r"(\S+) (?:firepower )?(\d+)(?: radius (\d+))?(?: by (\S+))?", line)
    if found is None:
        raise CaseFault(f"{line!r} is not: hex, firepower, such as E5 firepower 3 by us", at=line)
    return Barrage(at=hex_of(found[1]), firepower=int(found[2]), radius=int(found[3] or 0), by=found[4] or "")


def as_phased(state: State, given: Mapping[str, Any]) -> State:
    """The battle in the phase given. The Administrative Phase is about to begin: its own steps follow by themselves."""
    sides = tuple(setting_of(state).sides)
    word = plain(given.get("phase", "operations")).removesuffix(" phase")
    if word == NOT_BEGUN:
        return state
    if word not in PHASES:
        unknown("the phase", word, (*PHASES, NOT_BEGUN))
    held = str(given.get("initiative", ""))
    active = str(given.get("active", "" if held == NOBODY else held) or ("us" if "us" in sides else sides[0]))
    held = held or active
    for side in (active, held):
        if side not in (*sides, NOBODY):
            unknown("the side", side, sides)
    is_ending = word == "administrative"
    phase: Phase = "operations" if is_ending else next(each for each in PHASES if each == word)
    public = replace(
        state.public,
        turn=whole(given.get("turn", 1)),
        phase=phase,
        active=active,
        held="" if held == NOBODY else held,
        passes=tables_of(state).number("passes") if is_ending else whole(given.get("passes", 0)),
    )
    return replace(state, public=public)


def ordered_to(state: State, who: Sequence[str], unit_ids: Sequence[str], orders: Standing) -> State:
    """Standing orders of commands or of units."""
    found = [(name, "") for name in who]
    found += [(each.command, each.id) for each in units(state) if each.id in unit_ids]
    commands = dict(state.commands)
    for name, unit in found:
        part = commands[name]
        commands[name] = replace(part, standing=ordered({**part.standing, unit: orders}))
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
