"""Units, weapons and works as a client draws them. The drawn ones are shared: not to be changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from lnl.naming import WORK_NAMES
from lnl.rows import SINGLE_MAN, CounterRow
from lnl.setting import tables_named
from lnl.state import Unit, Weapon, Work

USE_NAMES = {"mortar": "mortar", "ordnance": "ordnance", "satchel": "satchel charge", "flamethrower": "flamethrower"}
MOVED_NAMES = {"move": "Moved", "assault": "Assault moved", "low_crawl": "Low crawl", "stealth": "Stealth"}


@lru_cache(maxsize=20_000)
def drawn_unit(setting: str, each: Unit, own: bool, may_act: bool, waits: str) -> dict[str, Any]:
    """A unit as it is drawn. Not to be changed: it is drawn once and shared."""
    row = tables_named(setting).counter(each.counter)
    piece: dict[str, Any] = {
        "kind": "unit",
        "side": each.side,
        "own": own,
        "label": each.name or row.name,
        "marks": _marks(_unit_marks(each, waits)),
        "facts": _unit_facts(setting, each, row),
        "may_act": may_act,
    }
    if each.is_placed:
        piece["at"] = list(each.at)
    if each.command:
        piece["command"] = each.command
    return piece


def _unit_marks(each: Unit, waits: str) -> dict[str, str]:
    marks: dict[str, str] = {}
    if each.is_shaken:
        marks["shaken"] = "Shaken"
    if each.is_wounded:
        marks["wounded"] = "Wounded"
    if each.is_moving:
        marks["moving"] = f"Moving: {each.spent} points spent" if each.command else "Moving"
    if each.moved:
        marks[each.moved] = MOVED_NAMES[each.moved]
    if each.fired:
        marks["fired"] = "Fired"
    if each.ops_complete:
        marks["ops_complete"] = "Ops Complete"
    if each.has_called:
        marks["calls"] = "Has called mortar fire"
    if waits:
        marks["waits"] = waits
    return marks


def factors(row: CounterRow) -> str:
    """As a counter is printed: firepower, range, movement, morale; of a man who leads his leadership first.
    `core 1.1`"""
    morale = "" if row.morale is None else f"-{row.morale}"
    if row.kind in SINGLE_MAN and not row.firepower:
        return f"{row.leadership}-{row.movement}{morale}"
    return f"{row.firepower}-{row.range}-{row.movement}{morale}"


def _unit_facts(setting: str, each: Unit, row: CounterRow) -> dict[str, str]:
    facts = {
        "kind": row.kind,
        "factors": factors(row),
        "counter": row.name,
        "firepower": str(row.firepower),
        "range": f"{row.range}, to {2 * row.range} by half" if row.extended_range else str(row.range),
        "movement": str(row.movement),
    }
    if row.morale is not None:
        facts["morale"] = str(row.morale)
    if row.shaken_morale is not None:
        facts["shaken morale"] = str(row.shaken_morale)
    if row.leadership:
        facts["leadership"] = str(row.leadership)
    if each.facing:
        facts["facing"] = str(each.facing)
    if each.skills:
        facts["skills"] = ", ".join(tables_named(setting).skill(key).name for key in each.skills)
    able = {"assault move": row.assault_move, "stealth": row.stealth, "rallies itself": row.self_rally}
    if words := [word for word, is_so in able.items() if is_so]:
        facts["able"] = ", ".join(words)
    return facts


@lru_cache(maxsize=20_000)
def drawn_weapon(setting: str, each: Weapon, own: bool) -> dict[str, Any]:
    """A support weapon, grouped under its owner. Not to be changed."""
    row = tables_named(setting).weapon(each.counter)
    marks = {}
    if each.is_set_up:
        marks["set_up"] = "Set up"
    if each.is_jammed:
        marks["jammed"] = "Jammed"
    facts = {"factors": f"{row.firepower}-{row.range}", "kind": USE_NAMES.get(row.use, "weapon")}
    if row.minimum_range:
        facts["minimum range"] = str(row.minimum_range)
    piece: dict[str, Any] = {
        "kind": "weapon",
        "side": each.side,
        "own": own,
        "at": list(each.at),
        "label": row.name,
        "marks": _marks(marks),
        "facts": facts,
        "may_act": False,
    }
    if each.owner:
        piece["group"] = each.owner
    if each.command:
        piece["command"] = each.command
    return piece


def drawn_work(each: Work, own: bool) -> dict[str, Any]:
    """A fortification or a mine."""
    facts: dict[str, str] = {"kind": each.kind}
    if each.facing:
        facts["facing"] = str(each.facing)
    if each.kind in ("mines", "claymore"):
        facts["firepower"] = str(each.strength)
    piece: dict[str, Any] = {
        "kind": "work",
        "side": each.side,
        "own": own,
        "at": [*each.at, 0],
        "label": WORK_NAMES[each.kind],
        "marks": [],
        "facts": facts,
        "may_act": False,
    }
    if each.command:
        piece["command"] = each.command
    return piece


def _marks(marks: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"key": key, "label": label} for key, label in marks.items()]
