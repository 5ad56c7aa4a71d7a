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
from lnl.testing.cases.words import NATIONS, plain
from umpire.kernel.book.book import Book
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown, whole

KINDS: Final[tuple[str, ...]] = get_args(Kind)
KIND_WORDS: Final[Mapping[str, str]] = {
    **{kind.replace("_", " "): kind for kind in KINDS},
    "half": "half_squad",
    "halfsquad": "half_squad",
    "hs": "half_squad",
    "wt": "weapon_team",
    "team": "weapon_team",
    "gun team": "weapon_team",
    "mg team": "weapon_team",
    "machine gun team": "weapon_team",
    "ldr": "leader",
    "lt": "leader",
    "sgt": "leader",
    "cpl": "leader",
    "capt": "leader",
}
"""Words for kinds of counters."""
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
    "fp": "firepower",
    "firepower": "firepower",
    "range": "range",
    "minimum range": "minimum_range",
    "mf": "movement",
    "mp": "movement",
    "movement": "movement",
    "lm": "leadership",
    "leadership": "leadership",
    "leadership range": "leadership_range",
    "lr": "leadership_range",
    "melee": "melee_bonus",
    "melee bonus": "melee_bonus",
    "gun": "gun_size",
}
FLAGS: Final[Mapping[str, str]] = {
    "sr": "self_rally",
    "self rally": "self_rally",
    "rallies itself": "self_rally",
    "may assault move": "assault_move",
    "red box": "assault_move",
    "may use stealth": "stealth",
    "yellow square": "stealth",
    "boxed range": "extended_range",
    "black box": "extended_range",
    "extended range": "extended_range",
    "arc": "facing",
    "red arrow": "facing",
    "immobile": "immobile",
    "recoilless": "recoilless",
}
MOST: Final = 30
"""No number of a counter is greater."""
IDLE: Final = ("a", "an", "the", "of", "go", "with", "value", "mmc", "smc", "at", "in", "on")
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
        found = self.of_side.get(side) or NATIONS.get(side.lower(), side.lower())
        if found not in self.nations:
            self.nations.add(found)
            row = {"name": side.capitalize(), "colour": "#777777", "smoke": 2, "star_shell": 3}
            self._lay("nations", found, row)
            for number in (1, 2):
                self._add(
                    f"{found}_hero_{number}", {"name": "Hero", "kind": "hero", "nation": found, **DEFAULTS["hero"]}
                )
        return found

    def _among_allies(self, side: str, words: Sequence[str]) -> tuple[str, Sequence[str]]:
        """The nation of a counter, which may be an ally of its side's ("uk 1-6-4-6"), and the other words."""
        of_words = [NATIONS.get(plain(word), plain(word)) for word in words]
        named = [nation for nation in of_words if nation in self.nations]
        left = [word for word, nation in zip(words, of_words, strict=True) if nation not in self.nations]
        return (named[0], left) if named else (self.nation(side), words)

    # Counters

    def counter(self, side: str, name: str, words: Sequence[str]) -> str:
        """The key of a counter that a line describes. Raises CaseFault."""
        nation, words = self._among_allies(side, words)
        columns, rest, dash = _read(words)
        kind, qualifiers, key = self._sorted_out(nation, rest)
        kind = columns.pop("kind", "") or kind
        if key:
            return self._changed(self.counters[key], columns, name) if columns else key
        if not kind and dash is None:
            kind = _kind_of_name(name)
            if not kind:
                shown = " ".join(words) or name
                unknown("the counter", shown, (*KIND_WORDS, *self._known(nation), "2-5-4-6"))
        found = self._fitting(nation, kind, dash, qualifiers)
        is_named = dash is not None or qualifiers or kind not in MULTI_MAN or columns.get("use") == "mortar"
        if found is not None and is_named:
            return self._changed(found, columns, name) if columns else found.key
        if kind in ("squad", "half_squad", "") and dash is None and "firepower" not in columns:
            squads = sorted({designated(row) for row in self.counters.values() if row.nation == nation})
            raise CaseFault(
                f"{name!r} is a {kind.replace('_', '-')} of no numbers, such as {', '.join(squads[:4]) or '2-5-4-6'}",
                at=name,
            )
        return self._made(nation, kind or "squad", dash, columns, qualifiers)

    def _sorted_out(self, nation: str, words: Sequence[str]) -> tuple[str, list[str], str]:
        """Kind, words that narrow it down (troops, parts of names), and the key of a counter."""
        kind, key = "", ""
        qualifiers: list[str] = []
        text = plain(" ".join(words))
        joined = text.replace(" ", "_")
        for whole_key in (joined, f"{nation}_{joined}"):
            if whole_key in self.counters:
                return "", [], whole_key
        for word in sorted(KIND_WORDS, key=len, reverse=True):
            if re.search(rf"\b{word}\b", text):
                kind = KIND_WORDS[word]
                text = re.sub(rf"\b{word}\b", " ", text, count=1)
                break
        for word in text.split():
            if word in IDLE or word == nation or NATIONS.get(word) == nation:
                continue
            raw = next((each for each in words if plain(each).replace(" ", "_") == word), word)
            if raw in self.counters:
                key = raw
            elif f"{nation}_{raw}" in self.counters:
                key = f"{nation}_{raw}"
            elif any(word in _names(row) for row in self.counters.values() if row.nation == nation):
                qualifiers.append(word)
            else:
                unknown("the word", word, (*KIND_WORDS, *self._known(nation), *NUMBERS, *FLAGS))
        return kind, qualifiers, key

    def _known(self, nation: str) -> list[str]:
        rows = [row for row in self.counters.values() if row.nation == nation]
        return sorted({*(row.key for row in rows), *(word for row in rows for word in _names(row))})

    def _fitting(
        self, nation: str, kind: str, dash: Designation | None, qualifiers: Sequence[str]
    ) -> CounterRow | None:
        """The counter of the book that fits; a bare dash string means a squad if a squad fits."""
        own = [row for row in self.printed if row.nation == nation and all(word in _names(row) for word in qualifiers)]
        kinds = (kind,) if kind else MULTI_MAN
        for each in kinds:
            found = [row for row in own if row.kind == each and (dash is None or dash.fits(row))]
            if each in ("leader", "hero", "commissar") and not qualifiers and dash is None:
                return None  # the book's are persons; "a leader" is one of the case's own
            if dash is None and each not in MULTI_MAN:
                return found[0] if found else None
            if len(found) > 1 and each not in MULTI_MAN and not qualifiers:
                return None  # one of the case's own with the numbers of the book's persons
            if len(found) > 1 and dash is not None:
                keys = ", ".join(sorted(row.key for row in found))
                raise CaseFault(f"that may be several counters: name one by its key, {keys}", at=designated(found[0]))
            if len(found) == 1:
                return found[0]
        return None

    def _made(
        self, nation: str, kind: str, dash: Designation | None, columns: dict[str, Any], qualifiers: Sequence[str]
    ) -> str:
        """A counter of the case's own: like the one of the book that differs in morale alone, else of its kind."""
        base: CounterRow | None = None
        if dash is not None:
            loose = msgspec.structs.replace(dash, morale=None, shaken_morale=None)
            base = self._fitting(nation, kind, loose, qualifiers)
        row: dict[str, Any] = {"kind": kind, "nation": nation, **DEFAULTS[kind]}
        printed = next(
            (each for each in self.printed if (each.nation, each.kind) == (nation, kind) and each.leads), None
        )
        if printed is not None:
            row |= {"troop": printed.troop, "leads": list(printed.leads)}
        if base is not None:
            row = _as_data(base)
        if dash is not None:
            row |= {"firepower": dash.firepower, "range": dash.range, "movement": dash.movement}
            if dash.morale is not None:
                row |= {"morale": dash.morale, "shaken_morale": dash.shaken_morale}
            row |= {"traits": list(dash.traits)} if dash.traits else {}
            row |= {"melee_bonus": dash.melee_bonus} if dash.melee_bonus else {}
        return self._with(row, columns)

    def _changed(self, base: CounterRow, columns: dict[str, Any], name: str) -> str:
        return self._with(_as_data(base), columns)

    def _with(self, row: dict[str, Any], columns: Mapping[str, Any]) -> str:
        more = dict(columns)
        halves: Sequence[str] = more.pop("halves", ())
        row = {**row, **more}
        row["name"] = row.get("name") or str(row["kind"]).replace("half_", "half-").replace("_", " ").capitalize()
        key = re.sub(r"[^a-z0-9]+", "_", "case " + " ".join(f"{value}" for value in (*row.values(), *halves)).lower())
        if key in self.counters:
            return key
        if row["kind"] == "squad":
            row |= self._halves(key, row, halves)
        self._add(key, row)
        return key

    def _halves(self, key: str, row: Mapping[str, Any], halves: Sequence[str]) -> dict[str, str]:
        """What casualties make of a squad of the case's own: what it says, else the book's, else half of it."""
        if not halves and row.get("reduces") in self.counters:
            return {}
        named = ("reduces", "reduces_even")
        found: dict[str, str] = {}
        if not halves:
            half = {"firepower": row["firepower"] // 2, "range": max(1, row["range"] - 1), "movement": row["movement"]}
            rows = [{**half, "morale": row["morale"], "shaken_morale": row.get("shaken_morale")}]
        else:
            rows = []
            for text in halves:
                dash = designation(text)
                if dash is None:
                    raise CaseFault(f"{text!r} is no half-squad, such as 1-4-4-6", at=text)
                rows.append(
                    {
                        "firepower": dash.firepower,
                        "range": dash.range,
                        "movement": dash.movement,
                        "morale": dash.morale if dash.morale is not None else row["morale"],
                        "shaken_morale": dash.shaken_morale,
                    }
                )
        for column, half in zip(named, rows, strict=False):
            half_key = f"{key}_{column}"
            kept = {name: value for name, value in half.items() if value is not None}
            made = {"name": "Half-squad", "kind": "half_squad", "nation": row["nation"], "troop": row.get("troop", "")}
            self._add(half_key, {**made, **kept, "combines": key})
            found[column] = half_key
        return {"reduces": "", "reduces_even": "", **found}

    def _add(self, key: str, row: Mapping[str, Any]) -> None:
        kept = {name: value for name, value in row.items() if value is not None and value != ""}
        self._lay("counters", key, kept)
        self.counters[key] = msgspec.convert({**kept, "key": key}, CounterRow)

    def _lay(self, table: str, key: str, row: Mapping[str, Any]) -> None:
        self.own.setdefault(table, {})[key] = {**row, **SOURCE}

    # Weapons

    def weapon(self, side: str, words: Sequence[str]) -> tuple[str, str]:
        """The key of a support weapon that a line names, and how it is called there. Raises CaseFault."""
        nation = self.nation(side)
        columns, rest, _ = _read([word for word in words if not re.fullmatch(r"\d+-\d+", word)])
        dash = next((word for word in words if re.fullmatch(r"\d+-\d+", word)), "")
        if dash:
            power, _, reach = dash.partition("-")
            columns |= {"firepower": int(power), "range": int(reach)}
        if "gun_size" in columns:
            rest = [f"{columns.pop('gun_size')}mm", *rest]
        word = "_".join(plain(each).replace(" ", "_") for each in rest if each.lower() not in IDLE)
        if "charge" in word:
            word = word.replace("_charges", "").replace("_charge", "")
        key = self._weapon_key(nation, word)
        if key is None and not columns:
            unknown("the weapon", word, (*self.weapons, *(row.name.lower() for row in self.weapons.values())))
        if columns:
            base = _as_data(self.weapons[key]) if key else {"name": word.upper(), "is_machine_gun": True, "melee": True}
            base = {"nation": nation, "firepower": 1, "range": 6, **base, **columns}
            own = f"case_{key or word}_{base['firepower']}_{base['range']}"
            if own not in self.weapons:
                self._lay("weapons", own, base)
                self.weapons[own] = msgspec.convert({**base, "key": own}, WeaponRow)
            key = own
        assert key is not None
        return key, word

    def _weapon_key(self, nation: str, word: str) -> str | None:
        for key in (word, f"{nation}_{word}"):
            if key in self.weapons:
                return key
        for key, row in self.weapons.items():
            if plain(row.name).replace(" ", "_") == word and row.nation in (nation, ""):
                return key
        named = [key for key, row in self.weapons.items() if word and key.endswith(f"_{word}")]
        return named[0] if len(named) == 1 else None

    def is_weapon(self, side: str, word: str) -> bool:
        """Whether a word is the name of a support weapon."""
        return self._weapon_key(self.nation(side), plain(word).replace(" ", "_").replace("_charge", "")) is not None


def _read(words: Sequence[str]) -> tuple[dict[str, Any], list[str], Designation | None]:
    """The columns that words name (`morale 6`, `LM1`, `88 mm`), the dash string, and the words that are left."""
    text = " ".join(words)
    columns: dict[str, Any] = {}
    if found := re.search(r"\breduces\b(?: to| into)? (.+)$", text):
        columns["halves"] = re.findall(r"\d+-\d+-\d+(?:-\d+(?:/\d+(?!-))?)?", found[1])
        after = re.sub(r"\d+-\d+-\d+\S*|\bodd\b|\beven\b", " ", found[1])
        text = f"{text[: found.start()]} {after}"
    dash = None
    for word in text.split():
        if (made := designation(word)) is not None:
            if max(made.firepower, made.range, made.movement, made.morale or 0) > MOST:
                raise CaseFault(f"{word!r} is no dash string, such as 2-5-4-6", at=word)
            dash, text = made, text.replace(word, " ", 1)
            break
    if found := re.search(r"\bmorale ?=? ?(\d+)(?: ?/ ?(\d+))?", text, re.IGNORECASE):
        columns |= {"morale": int(found[1]), "shaken_morale": int(found[2] or found[1])}
        text = text.replace(found[0], " ")
    if found := re.search(r"\b(\d+) ?mm\b", text):
        columns["gun_size"] = int(found[1])
        text = text.replace(found[0], " ")
    for word, column in sorted(NUMBERS.items(), key=lambda each: -len(each[0])):
        if found := re.search(rf"\b{word} ?[=+]? ?(\d+)\b", text, re.IGNORECASE):
            columns[column] = whole(found[1])
            text = text.replace(found[0], " ")
    for word, column in FLAGS.items():
        if found := re.search(rf"\b{word.replace(' ', '[- ]')}\b", text, re.IGNORECASE):
            columns[column] = True
            text = text.replace(found[0], " ")
    if found := re.search(r"\btroops? (\w+)", text):
        columns["troop"] = found[1]
        text = text.replace(found[0], " ")
    rest = text.split()
    if "mortar" in [word.lower() for word in rest] and not any(word.lower().startswith("51") for word in rest):
        if columns.get("gun_size") != 51:
            columns = {**MORTAR, **columns}
            rest = [word for word in rest if word.lower() not in ("mortar", "team", "weapon", "wt")]
    return columns, rest, dash


def _kind_of_name(name: str) -> str:
    """The kind that a piece's own name says: `leader`, `hero2`, `squad`."""
    return KIND_WORDS.get(plain(re.sub(r"\d+$", "", name)), "")


def _names(row: CounterRow) -> set[str]:
    return {*plain(row.name).split(), *plain(row.troop).split(), *row.traits}


def _as_data(row: Any) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(row)
    default = {each.name: each.default for each in msgspec.structs.fields(type(row))}
    kept = {name: value for name, value in data.items() if name != "key" and value != default[name]}
    return {name: value for name, value in kept.items() if value != [] or default[name] != ()}
