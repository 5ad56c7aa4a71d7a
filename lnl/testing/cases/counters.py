"""Counters and weapons of a case file: rows of the book by key or dash string, and rows of the case's own.

What the book prints is taken from it: a dash string that fits one of a nation's counters is that counter. All else is
laid over the book for this case alone. `core 1.1`, `core 1.11`, `docs/cases.md`
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import msgspec

from lnl.book.designations import Designation, designated, designation
from lnl.book.rows import MULTI_MAN, CounterRow, Kind, WeaponRow
from umpire.kernel.book.book import Book
from umpire.testing.cases.words import CaseFault, plain, unknown

KINDS: Final[Mapping[str, str]] = {plain(kind): kind for kind in get_args(Kind)}
SINGLE: Final = ("leader", "hero", "commissar")
DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "squad": {"movement": 4, "morale": 5},
    "half_squad": {"movement": 4, "morale": 5},
    "crew": {"firepower": 0, "range": 2, "movement": 4, "morale": 5},
    "weapon_team": {"movement": 2, "morale": 6, "self_rally": True},
    "leader": {"movement": 6, "morale": 6, "leadership": 1},
    "commissar": {"movement": 6, "morale": 6, "leadership": 1},
    "hero": {"firepower": 1, "range": 4, "movement": 5, "morale": 6, "assault_move": True},
    "medic": {"movement": 5, "morale": 6},
    "sniper": {"firepower": 1, "range": 12, "morale": 6, "self_rally": True},
    "scout": {"movement": 5, "morale": 6, "stealth": True},
    "chaplain": {"movement": 6, "morale": 6, "leadership": 1},
    "advisor": {"movement": 5, "morale": 6},
    "nurse": {"movement": 5, "morale": 6, "leadership": 1, "self_rally": True},
}
"""What a counter of the case's own has where the case does not say it: what the shipped ones of its kind have."""
MORTAR: Final[Mapping[str, Any]] = {"kind": "weapon_team", "use": "mortar", "range": 20, "minimum_range": 3}
NUMBERS: Final[Mapping[str, str]] = {
    r"(?:fp|firepower) ?(\d+)": "firepower",
    r"range (\d+)": "range",
    r"(?:mf|movement) ?(\d+)": "movement",
    r"(?:lm|leadership) ?(\d+)": "leadership",
    r"melee bonus (\d+)": "melee_bonus",
    r"(\d+) ?mm": "gun_size",
}
FLAGS: Final[Mapping[str, str]] = {
    "self rally": "self_rally",
    "may assault move": "assault_move",
    "may use stealth": "stealth",
    "boxed range": "extended_range",
    "red arrow": "facing",
    "immobile": "immobile",
    "recoilless": "recoilless",
}
COLUMN: Final = re.compile(rf"(?:{'|'.join((*NUMBERS, *FLAGS))}|morale \d+|reduces|troop \w+|mortar)(?:\b| )")
"""Markers that say what the counter prints."""
MOST: Final = 30
"""No number of a counter is greater."""
SOURCE: Final[Mapping[str, str]] = {"source": "the case", "status": "house"}


class Rows:
    """The book of a case: the shipped tables, and the rows that the case itself adds."""

    def __init__(self, book: Book, nations: Mapping[str, str]) -> None:
        self.book = book
        self.counters = dict(book.table("counters", CounterRow))
        self.printed = tuple(self.counters.values())
        self.weapons = dict(book.table("weapons", WeaponRow))
        self.nations = set(book.tables["nations"])
        self.of_side = dict(nations)
        self.own: dict[str, dict[str, dict[str, Any]]] = {}

    def nation(self, side: str) -> str:
        """The nation of a side: that of its name, else one of its own, with two heroes."""
        found = self.of_side.get(side, side.lower())
        if found not in self.nations:
            self.nations.add(found)
            row = {"name": side.capitalize(), "colour": "#777777", "smoke": 2, "star_shell": 3}
            self._lay("nations", found, row)
            for number in (1, 2):
                hero = {"name": "Hero", "kind": "hero", "nation": found, **DEFAULTS["hero"]}
                self._add(f"{found}_hero_{number}", hero)
        return found

    # Counters

    def counter(self, side: str, words: str) -> str:
        """The key of a counter that a line describes. Raises CaseFault."""
        columns, rest, dash = _read(words)
        named = [word for word in rest if word in self.nations]
        nation = named[0] if named else self.nation(side)
        rest = [word for word in rest if word not in named]
        joined = "_".join(rest)
        if key := next((key for key in (joined, f"{nation}_{joined}") if joined and key in self.counters), ""):
            return self._with(_as_data(self.counters[key]), columns) if columns else key
        kind = next((word for word in sorted(KINDS, key=len, reverse=True) if f" {word} " in f" {' '.join(rest)} "), "")
        others = f" {' '.join(rest)} ".replace(f" {kind} ", " ").split() if kind else rest
        kind = str(columns.pop("kind", "")) or KINDS.get(kind, "")
        own = [row for row in self.printed if row.nation == nation]
        for word in others:
            if not any(word in _names(row) for row in own):
                unknown("the word", word, (*KINDS, *(row.key for row in own), *FLAGS, "morale 6", "LM1", "2-5-4-6"))
        if not kind and dash is None:
            unknown("the counter", words, (*KINDS, *(row.key for row in own), "2-5-4-6"))
        found = self._fitting(nation, kind, dash, others)
        is_named = dash is not None or others or kind not in MULTI_MAN or columns.get("use") == "mortar"
        if found is not None and is_named:
            return self._with(_as_data(found), columns) if columns else found.key
        if kind in ("squad", "half_squad", "") and dash is None:
            raise CaseFault(f"a {kind.replace('_', '-')} has numbers, such as 2-5-4-6", at=words)
        return self._made(nation, kind or "squad", dash, columns, others)

    def _fitting(self, nation: str, kind: str, dash: Designation | None, others: Sequence[str]) -> CounterRow | None:
        """The counter of the book that fits; a bare dash string means a squad if a squad fits."""
        own = [row for row in self.printed if row.nation == nation and all(word in _names(row) for word in others)]
        for each in (kind,) if kind else MULTI_MAN:
            found = [row for row in own if row.kind == each and (dash is None or dash.fits(row))]
            if not others and ((each in SINGLE and dash is None) or (len(found) > 1 and each not in MULTI_MAN)):
                return None  # the book's are persons; "a leader" is one of the case's own
            if dash is None and each not in MULTI_MAN:
                return found[0] if found else None
            if len(found) > 1 and dash is not None:
                keys = ", ".join(sorted(row.key for row in found))
                raise CaseFault(f"that may be several counters: name one by its key, {keys}", at=designated(found[0]))
            if len(found) == 1:
                return found[0]
        return None

    def _made(
        self, nation: str, kind: str, dash: Designation | None, columns: Mapping[str, Any], others: Sequence[str]
    ) -> str:
        """A counter of the case's own: like the one of the book that differs in morale alone, else of its kind."""
        row: dict[str, Any] = {"kind": kind, "nation": nation, **DEFAULTS[kind]}
        like = [each for each in self.printed if (each.nation, each.kind) == (nation, kind) and each.leads]
        row |= {"troop": like[0].troop, "leads": list(like[0].leads)} if like else {}
        if dash is not None:
            loose = msgspec.structs.replace(dash, morale=None, shaken_morale=None)
            base = self._fitting(nation, kind, loose, others)
            row = _as_data(base) if base is not None else row
            row |= {"firepower": dash.firepower, "range": dash.range, "movement": dash.movement}
            morale = {"morale": dash.morale, "shaken_morale": dash.shaken_morale}
            more = {"traits": list(dash.traits), "melee_bonus": dash.melee_bonus}
            row |= {key: value for key, value in {**morale, **more}.items() if value}
        return self._with(row, columns)

    def _with(self, row: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
        made = {**row, **columns}
        halves: Sequence[Designation] = made.pop("halves", ())
        made["name"] = made.get("name") or plain(made["kind"]).capitalize().replace("Half ", "Half-")
        words = " ".join(map(str, (*made.values(), *halves))).lower()
        key = re.sub(r"[^a-z0-9]+", "_", f"case {words}")
        if key not in self.counters:
            if made["kind"] == "squad" and (halves or made.get("reduces") not in self.counters):
                made |= self._halves(key, made, halves)
            self._add(key, made)
        return key

    def _halves(self, key: str, row: Mapping[str, Any], halves: Sequence[Designation]) -> dict[str, str]:
        """What casualties make of a squad of the case's own: what it says, else half of it."""
        shaken = row.get("shaken_morale")
        own = (row["firepower"] // 2, max(1, row["range"] - 1), row["movement"], row["morale"], shaken)
        said = [
            (half.firepower, half.range, half.movement, half.morale or row["morale"], half.shaken_morale)
            for half in halves
        ]
        columns = ("firepower", "range", "movement", "morale", "shaken_morale")
        rows = [dict(zip(columns, half, strict=True)) for half in said or [own]]
        found = {"reduces": "", "reduces_even": ""}
        for column, half in zip(found, rows, strict=False):
            found[column] = f"{key}_{column}"
            made = {"name": "Half-squad", "kind": "half_squad", "nation": row["nation"], "troop": row.get("troop", "")}
            self._add(found[column], {**made, **half, "combines": key})
        return found

    def _add(self, key: str, row: Mapping[str, Any]) -> None:
        kept = {name: value for name, value in row.items() if value is not None and value != ""}
        self._lay("counters", key, kept)
        self.counters[key] = msgspec.convert({**kept, "key": key}, CounterRow)

    def _lay(self, table: str, key: str, row: Mapping[str, Any]) -> None:
        self.own.setdefault(table, {})[key] = {**row, **SOURCE}

    # Weapons

    def weapon(self, side: str, text: str) -> tuple[str, str]:
        """The key of a support weapon that a line names, perhaps with firepower and range of its own (`zb30 1-8`), and
        how it is called there. Raises CaseFault."""
        nation = self.nation(side)
        body, _, numbers = text.rpartition(" ")
        power, dash, reach = numbers.partition("-")
        is_own = bool(body) and dash == "-" and power.isdigit() and reach.isdigit()
        word = plain(body if is_own else text).replace(" ", "_").replace("_mm", "mm").replace("_charge", "")
        key = self.weapon_key(nation, word)
        if key is None and not is_own:
            unknown("the weapon", text, (*self.weapons, *(row.name.lower() for row in self.weapons.values())))
        if is_own:
            other = {"name": word.upper(), "is_machine_gun": True, "melee": True}
            base = _as_data(self.weapons[key]) if key else other
            row = {"nation": nation, **base, "firepower": int(power), "range": int(reach)}
            key = f"case_{key or word}_{power}_{reach}"
            self._lay("weapons", key, row)
            self.weapons[key] = msgspec.convert({**row, "key": key}, WeaponRow)
        assert key is not None
        return key, word

    def weapon_key(self, nation: str, word: str) -> str | None:
        """A weapon by its key, with its nation or without, or by its name; None for what is none, or several."""
        named = [
            key for key, row in self.weapons.items() if row.nation in (nation, "") and plain(row.name) == plain(word)
        ]
        ending = [key for key in self.weapons if word and key.endswith(f"_{word}")]
        known = (word, f"{nation}_{word}", *named, *(ending if len(ending) == 1 else ()))
        return next((key for key in known if key in self.weapons), None)


def _read(words: str) -> tuple[dict[str, Any], list[str], Designation | None]:
    """The columns that words name (`morale 6`, `LM1`, `88 mm`), the words that are left, and the dash string."""
    text, columns = f" {words} ", dict[str, Any]()
    if found := re.search(r" reduces to ([\d/ -]+)", text):
        columns["halves"] = [each for word in re.split(r" / | ", found[1].strip()) if (each := designation(word))]
        text = text.replace(found[0], " ")
    dash = None
    for word in text.split():
        if (made := designation(word)) is not None:
            if max(made.firepower, made.range, made.movement, made.morale or 0) > MOST:
                raise CaseFault(f"{word!r} is no dash string, such as 2-5-4-6", at=word)
            dash, text = made, text.replace(f" {word} ", " ", 1)
            break
    text = plain(text)
    if found := re.search(r"\bmorale (\d+)(?:/(\d+))?", text):
        columns |= {"morale": int(found[1]), "shaken_morale": int(found[2] or found[1])}
        text = text.replace(found[0], " ")
    for pattern, column in NUMBERS.items():
        if found := re.search(rf"\b{pattern}\b", text):
            columns[column] = int(found[1])
            text = text.replace(found[0], " ")
    for word, column in FLAGS.items():
        if word in text:
            columns[column] = True
            text = text.replace(word, " ")
    if found := re.search(r"\btroop (\w+)", text):
        columns["troop"] = found[1]
        text = text.replace(found[0], " ")
    rest = text.replace(",", " ").split()
    if "mortar" in rest:
        columns = {**MORTAR, **columns}
        rest = [word for word in rest if word not in ("mortar", "team", "weapon")]
    return columns, rest, dash


def _names(row: CounterRow) -> set[str]:
    return {*plain(row.name).split(), *plain(row.troop).split(), *row.traits}


def _as_data(row: Any) -> dict[str, Any]:
    """The columns of a row that it has not by default."""
    data: dict[str, Any] = msgspec.to_builtins(row)
    fields = msgspec.structs.fields(type(row))
    default = {each.name: [] if each.default == () else each.default for each in fields}
    return {name: value for name, value in data.items() if name != "key" and value != default[name]}
