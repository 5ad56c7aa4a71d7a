"""Small battles for tests: a map drawn in a few lines, pieces in words, dice in the order in which they are thrown.

    fight = battle(
        '''
        . . . . .
        . . F . .
        ''',
        '''
        us a    squad 2-5-4-6                 B1   mg42
        us lt   leader morale=6 lm=1 mf=6     B1
        ge g    ge_grenadier                  D2   shaken
        ge w    foxhole                       D2
        ''',
    )
    fight.give("us", "Fire", [("attack", 5), ("defence", 2)], units=["a"], target=place("D2"))

Ids are the keys. Sides are us (United States), ge (Germany), uk, su; each has one command of its name, `us/alpha` is
another one of it. A piece is `side key what place marker, marker`; what it is: a key of the tables, or `squad 2-5-4-6`
and the like, which makes a counter of its own with further columns after it: `reduces=1-4-4-6`, `lm=1`, `sr`, `am`,
`stealth`, `mf=6`, `morale=5/4`, `troop=ss`, `facing`, `gun=75`, `trait=word`. Works are foxhole, trench, bunker, wire,
mines, claymore; weapons of the tables that stand alone lie there.

Markers: the weapons of a unit (`mg42`, `m1919a4 packed`), and shaken, wounded, hidden, moved, `assault moved`, `low
crawl`, `stealth moved`, fired, `ops complete`, `facing 2`, `skill assaulter`, `arrives 3`, `zone edge`, `strength 2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lnl.board.ground import place_named
from lnl.board.hexes import Place
from lnl.book.tables import core_book
from lnl.happening.changing import placed
from lnl.happening.melee import MeleeMarked
from lnl.happening.register import apply
from lnl.orders.checks import active_commands
from lnl.package import PACKAGE, install
from lnl.scenarios.parsing import read
from lnl.state.battle import Melee, State, Unit, Weapon
from lnl.state.finding import carried, has_unit, has_weapon, is_open, unit, weapon, works
from lnl.state.setting import ground_of
from umpire.kernel.dice import ScriptedDice, default_answer
from umpire.kernel.rulings import Question
from umpire.kernel.states import Seat, slice_of
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.play.battle import Play

install()

WORKS = ("foxhole", "trench", "bunker", "wire", "mines", "claymore")
KINDS = [
    "squad",
    "half_squad",
    "crew",
    "weapon_team",
    "leader",
    "hero",
    "medic",
    "sniper",
    "chaplain",
    "advisor",
    "scout",
    "commissar",
    "nurse",
]
LEGEND = {
    ".": "clear",
    "F": "forest",
    "w": "light_woods",
    "b": "brush",
    "W": "wheat_field",
    "H": "wooden_building",
    "S": "stone_building",
    "r": "road",
    "c": "low_crops",
    "g": "high_grass",
}
NAMES = {"us": "United States", "ge": "Germany", "uk": "Great Britain", "su": "Soviet Union"}
MARKS: Mapping[str, Mapping[str, Any]] = {
    "wounded": {"is_wounded": True},
    "moved": {"moved": "move"},
    "assault moved": {"moved": "assault"},
    "low crawl": {"moved": "low_crawl"},
    "stealth moved": {"moved": "stealth"},
    "fired": {"fired": True},
    "ops complete": {"ops_complete": True},
}
COLUMNS = {"lm": "leadership", "mf": "movement", "fp": "firepower", "gun": "gun_size", "melee": "melee_bonus"}
FLAGS = {
    "sr": "self_rally",
    "am": "assault_move",
    "stealth": "stealth",
    "facing": "facing",
    "immobile": "immobile",
    "extended": "extended_range",
    "rr": "recoilless",
}
CLEAR = "\n".join([". " * 10] * 8)
"""A plain of ten columns and eight rows."""


class Battle:
    """A battle whose ids are the keys of its pieces, with dice in the order in which they are thrown."""

    def __init__(
        self,
        data: Mapping[str, Any],
        seats: Mapping[str, Seat],
        options: Mapping[str, Any],
        marks: Mapping[str, Mapping[str, Any]],
        melees: Sequence[str] = (),
        layers: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.setting = read(data, file="small", options=options, layers=layers)
        self.script = ScriptedDice(otherwise=self._unscripted)
        state = PACKAGE.begin(self.setting, lambda key: key)
        for piece, fields in marks.items():
            state = placed(state, piece, **fields)
        for where in melees:
            at = place_named(ground_of(state), where)
            state = apply(state, MeleeMarked(melee=Melee(at=at)))
        self.play: Play[State] = Play(PACKAGE, state, seats, source=lambda begun: self.script)

    def _unscripted(self, command: str, question: Question, state: State) -> tuple[str, ...] | None:
        """What standing orders answer, or else the default."""
        answer = PACKAGE.reply(PACKAGE.believed(slice_of(state, (command,))), question)
        return default_answer(command, question, state) if answer is None else answer

    @property
    def state(self) -> State:
        return self.play.state

    def throw(self, dice: Iterable[tuple[str, int | tuple[int, ...]]]) -> None:
        """The dice to come: name of the roll and its face, or faces."""
        self.script.dice = [(name, (face,) if isinstance(face, int) else face) for name, face in dice]

    def give(
        self,
        seat: str,
        verb: str,
        dice: Iterable[tuple[str, int | tuple[int, ...]]] = (),
        *,
        draws: Iterable[tuple[str, str]] = (),
        answers: Iterable[tuple[str, Sequence[str]]] = (),
        **fields: Any,
    ) -> None:
        """Gives an order that is accepted and uses all of its dice, draws and answers."""
        self.throw(dice)
        self.script.draws = list(draws)
        self.script.answers = [(command, tuple(choices)) for command, choices in answers]
        assert self.play.order(seat, {"verb": verb, **fields}) == []
        assert self.fault == ""
        assert self.script.dice == []
        assert self.script.draws == []
        assert self.script.answers == []
        assert list(PACKAGE.problems(self.state)) == []

    def refused(self, seat: str, verb: str, **fields: Any) -> list[Refusal]:
        """The refusals of an order; nothing has changed and no die was thrown."""
        before = self.state
        self.throw(())
        found = self.play.order(seat, {"verb": verb, **fields})
        assert found, f"{verb} was accepted"
        assert self.state is before
        return found

    def idle(self, seat: str, subject: str) -> list[Refusal]:
        """Why a seat is offered no order for a piece, as far as the rules say it."""
        return list(PACKAGE.idle(self.play.believed(seat), self.play.seats[seat], subject))

    def carry(self, force: str, dice: Iterable[tuple[str, int | tuple[int, ...]]] = ()) -> None:
        """Carries on a plan."""
        self.throw(dice)
        self.play.carry(force)
        assert self.fault == ""
        assert self.script.dice == []

    @property
    def fault(self) -> str:
        opened = self.play.position.open
        return opened.fault.text if opened is not None and opened.fault is not None else ""

    def set(self, piece: str, **fields: Any) -> None:
        """Sets fields of a piece, or of "battle", by the umpire's hand."""
        for name, value in fields.items():
            self.play.correct({"verb": "Change", "piece": piece, "field": name, "value": value}, "given")

    def unit(self, key: str) -> Unit:
        return unit(self.state, key)

    def guns(self, key: str) -> tuple[str, ...]:
        """What a unit possesses, by id, in the order in which it came."""
        return carried(self.state, self.unit(key))

    @property
    def open_works(self) -> set[str]:
        """The works that everybody sees, by id."""
        return {each.id for each in works(self.state) if is_open(self.state, each.id)}

    def has(self, key: str) -> bool:
        return has_unit(self.state, key) or has_weapon(self.state, key)

    def weapon(self, key: str) -> Weapon:
        return weapon(self.state, key)

    def at(self, text: str) -> Place:
        return place_named(ground_of(self.state), text)

    def lines(self, seat: str) -> list[str]:
        """All sentences of a seat's news."""
        return [line.text for news in self.play.news[seat] for line in news.lines]

    def phase(self, phase: str, active: str) -> None:
        """Goes on to a phase by orders in which nobody does anything."""
        for _ in range(60):
            public = self.state.public
            if public.phase == phase and public.active == active:
                return
            if public.phase == "administrative" or self.fault:
                break
            players = (each for each in self.play.seats.values() if each.role == "player")
            seat = next(each.name for each in players if active_commands(self.state, each))
            verb = {"set_up": "EndSetUp", "rally": "EndRally", "operations": "Pass"}[public.phase]
            self.throw([("initiative", 6), ("initiative", 1)])
            assert self.play.order(seat, {"verb": verb}) == []
            self.script.dice = []
        raise AssertionError(f"the {phase} of {active} does not come")


def battle(
    board: str = CLEAR,
    pieces: str = "",
    *,
    phase: str = "operations",
    active: str = "us",
    turns: int = 6,
    legend: Mapping[str, str] | None = None,
    map_extra: str = "",
    book: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    head: Mapping[str, Any] | None = None,
    standing: str = "hold",
    melees: Sequence[str] = (),
    layers: Sequence[tuple[str, str]] = (),
    **tables: Any,
) -> Battle:
    """A battle at the beginning of a phase of turn 1, in which `active` has the initiative. `board`: the rows of a
    map, or the name of a shipped one; `map_extra`: more lines of its file. `tables`: zone, objective, marker,
    happening, plan and so on, as in a scenario file; `melees`: places with a Melee marker; `layers`: a group's own
    files (name, text). Nobody is asked about opportunity fire where `standing` is hold or free."""
    lines = [line.split(None, 2) for line in pieces.splitlines() if line.strip()]
    commands = list(dict.fromkeys(side for side, *_ in lines))
    sides = [side for side in ("us", "ge", "uk", "su") if any(each.split("/")[0] == side for each in commands)]
    sides += [side for side in ("us", "ge") if side not in sides][: max(0, 2 - len(sides))]
    commands += [side for side in sides if all(each.split("/")[0] != side for each in commands)]
    maker = _Maker(book or {})
    found = [maker.piece(*line) for line in lines]
    data: dict[str, Any] = {
        "scenario": {
            "key": "small",
            "title": "Small",
            "turns": turns,
            "map": _map(board, legend or {}, map_extra),
            "initiative": active,
            **(head or {}),
        },
        "side": [{"key": side, "name": NAMES[side], "nation": side} for side in sides],
        "command": [{"key": _name(each), "side": each.split("/")[0], "name": _name(each)} for each in commands],
        "force": [each.data for each in found if each.table == "force"],
        "weapon": [each.data for each in found if each.table == "weapon"],
        "work": [each.data for each in found if each.table == "work"],
        "book": maker.book,
        **tables,
    }
    seats = {_name(each): Seat(name=_name(each), commands=(_name(each),)) for each in commands}
    seats["umpire"] = Seat(name="umpire", role="umpire", commands=tuple(sorted(seats)))
    marks = {each.data["key"]: each.marks for each in found if each.marks}
    made = Battle(data, seats, options or {}, marks, melees, layers)
    if standing != "ask":
        for each in commands:
            name = _name(each)
            made.play.order(
                name, {"verb": "GiveStandingOrders", "command": name, "unit": "", "standing": {"fire": standing}}
            )
    if phase != "set_up":
        made.phase(phase, active)
    return made


class _Piece:
    def __init__(self, table: str, data: dict[str, Any], marks: dict[str, Any]) -> None:
        self.table, self.data, self.marks = table, data, marks


class _Maker:
    """Makes pieces of their lines, and rows of the tables for counters that are not in the book."""

    def __init__(self, book: Mapping[str, Any]) -> None:
        self.book: dict[str, Any] = {name: dict(rows) for name, rows in book.items()}
        shipped = core_book().tables
        self.counters = {*shipped["counters"], *self.book.get("counters", {})}
        self.weapons = {*shipped["weapons"], *self.book.get("weapons", {})}

    def piece(self, whose: str, key: str, rest: str) -> _Piece:
        side, command = whose.split("/")[0], _name(whose)
        what, at, markers = self._split(side, rest)
        data: dict[str, Any] = {"key": key, "command": command, "at": at}
        marks: dict[str, Any] = {}
        table = "force"
        if what in WORKS:
            table, data["kind"] = "work", what
        elif what in self.weapons or f"{side}_{what}" in self.weapons:
            table, data["counter"] = "weapon", what
        else:
            data["counter"] = what
        for marker in markers:
            self._mark(side, marker, data, marks)
        return _Piece(table, data, marks)

    def _split(self, side: str, rest: str) -> tuple[str, str, list[str]]:
        """What it is, its place, its markers."""
        words = rest.split()
        index = next(n for n, word in enumerate(words) if re.fullmatch(r"[0-9]*[A-Z]{1,2}[0-9]{1,2}", word))
        what, at, left = words[:index], words[index], " ".join(words[index + 1 :])
        for level in ("upstairs", "in the bunker"):
            if left.startswith(level):
                at, left = f"{at} {level}", left.removeprefix(level)
        named = what[0]
        if named in KINDS:
            named = self._counter(side, what)
        return named, at, [each.strip() for each in left.split(",") if each.strip()]

    def _counter(self, side: str, what: Sequence[str]) -> str:
        key = re.sub(r"[^a-z0-9]+", "_", "_".join((side, "test", *what)).lower())
        row: dict[str, Any] = {
            "name": what[0].replace("_", " ").capitalize(),
            "kind": what[0],
            "nation": side,
            "movement": 4,
            "source": "test",
            "status": "house",
        }
        if what[0] == "commissar":
            row["leads"] = ["guards", "line"]
        for word in what[1:]:
            self._column(side, word, row)
        self.book.setdefault("counters", {}).setdefault(key, row)
        self.counters.add(key)
        return key

    def _column(self, side: str, word: str, row: dict[str, Any]) -> None:
        name, is_set, value = word.partition("=")
        if re.match(r"\d+-\d+-\d+", word):
            row["firepower"], row["range"], row["movement"] = (int(each) for each in word.split("-")[:3])
            self._morale(word.split("-")[3] if word.count("-") > 2 else "", row)
        elif name == "morale":
            self._morale(value, row)
        elif name in ("reduces", "reduces_even", "combines"):
            kind = "squad" if name == "combines" else "half_squad"
            row[name] = self._counter(side, (kind, *value.split("+")))
        elif name == "trait":
            row["traits"] = [*row.get("traits", ()), value]
        elif word in FLAGS:
            row[FLAGS[word]] = True
        elif is_set:
            row[COLUMNS.get(name, name)] = int(value) if value.lstrip("-").isdigit() else value
        else:
            raise ValueError(f"{word!r} is no column of a counter")

    @staticmethod
    def _morale(text: str, row: dict[str, Any]) -> None:
        if text:
            good, _, shaken = text.partition("/")
            row["morale"] = int(good)
            if shaken:
                row["shaken_morale"] = int(shaken)

    def _mark(self, side: str, marker: str, data: dict[str, Any], marks: dict[str, Any]) -> None:
        word, _, value = marker.partition(" ")
        if marker in ("shaken", "hidden"):
            data[marker] = True
        elif marker in MARKS:
            marks.update(MARKS[marker])
        elif word in ("facing", "arrives", "strength"):
            data[word] = int(value) if value.isdigit() else value
        elif word in ("zone", "name"):
            data[word] = value
        elif word in ("skill", "trait"):
            data[f"{word}s"] = [*data.get(f"{word}s", ()), value]
        elif word in self.weapons or f"{side}_{word}" in self.weapons:
            data["weapons"] = [*data.get("weapons", ()), marker]
        else:
            raise ValueError(f"{marker!r} is no marker")


def _name(whose: str) -> str:
    return whose.split("/")[-1]


def _map(board: str, legend: Mapping[str, str], extra: str) -> str:
    if "\n" not in board:
        return board
    tokens = {**LEGEND, **legend}
    used = {token: tokens[token] for token in board.split() if token in tokens}
    words = "\n".join(f'"{token}" = "{kind}"' for token, kind in sorted(used.items()))
    return f"grid = '''\n{board}\n'''\n{extra}\n[legend]\n{words}\n"
