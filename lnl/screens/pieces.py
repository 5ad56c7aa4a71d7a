"""Units, weapons, works and contacts as a client draws them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, Generic, ParamSpec, TypeVar

from msgspec import UNSET

from lnl.book.rows import SINGLE_MAN, CounterRow
from lnl.screens.drawn import ViewPiece
from lnl.state.battle import State, Unit, Weapon, Work
from lnl.state.setting import tables_of
from lnl.words.naming import WORK_NAMES, contact_name
from umpire.kernel.states import Contact
from umpire.kernel.views import ViewContact, marks_of

USE_NAMES = {"mortar": "mortar", "ordnance": "ordnance", "satchel": "satchel charge", "flamethrower": "flamethrower"}
MOVED_NAMES = {"move": "Moved", "assault": "Assault moved", "low_crawl": "Low crawl", "stealth": "Stealth"}
KEPT = 20_000

T = TypeVar("T", bound=Unit | Weapon | Work | Contact)
P = ParamSpec("P")
D = TypeVar("D")


class DrawnOnce(Generic[T, P, D]):
    """Draws things that never change, each once for as long as it is remembered. They are told apart as objects: to
    compare units takes as long as to draw them. Of the state what is drawn depends on the setting alone."""

    def __init__(self, draw: Callable[Concatenate[State, T, P], D]) -> None:
        self._draw = draw
        # With the thing itself: what has its name may be another by now.
        self._kept: dict[tuple[object, ...], tuple[T, D]] = {}

    def __call__(self, state: State, each: T, *how: P.args, **named: P.kwargs) -> D:
        name = each.alias if isinstance(each, Contact) else each.id
        key = (state.public.setting, name, *how, *named.values())
        found = self._kept.get(key)
        if found is None or found[0] is not each:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            found = self._kept[key] = (each, self._draw(state, each, *how, **named))
        return found[1]


@DrawnOnce
def drawn_unit(state: State, each: Unit, own: bool, may_act: bool, waits: str) -> ViewPiece:
    """A unit as it is drawn."""
    row = tables_of(state).counter(each.counter)
    return ViewPiece(
        kind="unit",
        side=each.side,
        command=each.command,
        own=own,
        at=each.at if each.is_placed else (),
        label=each.name or row.name,
        marks=marks_of(_unit_marks(each, waits)),
        facts=_unit_facts(state, each, row),
        may_act=may_act,
    )


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


def _unit_facts(state: State, each: Unit, row: CounterRow) -> dict[str, str]:
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
        facts["skills"] = ", ".join(tables_of(state).skill(key).name for key in each.skills)
    able = {"assault move": row.assault_move, "stealth": row.stealth, "rallies itself": row.self_rally}
    if words := [word for word, is_so in able.items() if is_so]:
        facts["able"] = ", ".join(words)
    return facts


@DrawnOnce
def drawn_weapon(state: State, each: Weapon, own: bool) -> ViewPiece:
    """A support weapon, grouped under its owner."""
    row = tables_of(state).weapon(each.counter)
    marks = {}
    if each.is_set_up:
        marks["set_up"] = "Set up"
    if each.is_jammed:
        marks["jammed"] = "Jammed"
    facts = {"factors": f"{row.firepower}-{row.range}", "kind": USE_NAMES.get(row.use, "weapon")}
    if row.minimum_range:
        facts["minimum range"] = str(row.minimum_range)
    return ViewPiece(
        kind="weapon",
        side=each.side,
        command=each.command,
        own=own,
        at=each.at,
        label=row.name,
        group=each.owner or UNSET,
        marks=marks_of(marks),
        facts=facts,
        may_act=False,
    )


@DrawnOnce
def drawn_work(state: State, each: Work, own: bool) -> ViewPiece:
    """A fortification or a mine."""
    facts: dict[str, str] = {"kind": each.kind}
    if each.facing:
        facts["facing"] = str(each.facing)
    if each.kind in ("mines", "claymore"):
        facts["firepower"] = str(each.strength)
    return ViewPiece(
        kind="work",
        side=each.side,
        command=each.command,
        own=own,
        at=(*each.at, 0),
        label=WORK_NAMES[each.kind],
        marks=(),
        facts=facts,
        may_act=False,
    )


@DrawnOnce
def drawn_contact(state: State, contact: Contact) -> ViewContact:
    """What a seat knows of a thing it has seen, heard or been told of."""
    facts = {key: str(value) for key, value in contact.looks.items()}
    counter = tables_of(state).book.tables["counters"].get(str(contact.looks.get("counter", "")))
    if contact.kind == "unit" and counter is not None:
        row = tables_of(state).counter(str(contact.looks["counter"]))
        facts.update(kind=row.kind, factors=factors(row))
    return ViewContact(
        kind=contact.kind,
        at=contact.at,
        status=contact.status,
        since=contact.since,
        seen=contact.seen,
        label=contact_name(state, contact),
        facts=dict(sorted(facts.items())),
    )
