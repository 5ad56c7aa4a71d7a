"""Figures, cards, counters and contacts as a client draws them."""

from __future__ import annotations

from functools import lru_cache

from msgspec import UNSET, to_builtins

from fireforce.screens.drawn import ViewPiece
from fireforce.state.battle import Card, Counter, Figure, State
from fireforce.state.finding import squads
from fireforce.state.setting import setting_of, tables_named
from fireforce.words.naming import CARD_NAMES, ROLE_NAMES, contact_name, figure_name
from umpire.kernel.states import Contact
from umpire.kernel.views import ViewContact, marks_of


def figure_piece(state: State, man: Figure, mine: frozenset[str], acting: frozenset[str]) -> ViewPiece:
    """A figure as it is drawn: an enemy in sight as his model looks."""
    label = figure_name(state, man)
    return _drawn_figure(state.public.setting, man, label, man.command in mine, man.command in acting)


@lru_cache(maxsize=20_000)
def _drawn_figure(setting: str, man: Figure, label: str, own: bool, may_act: bool) -> ViewPiece:
    return ViewPiece(
        kind="figure",
        side=man.side,
        command=man.command,
        own=own,
        at=man.at,
        radius=man.radius,
        label=label,
        group=man.squad if man.command else UNSET,
        marks=marks_of(_figure_marks(man)),
        facts=_figure_facts(setting, man),
        may_act=may_act,
    )


def _figure_marks(man: Figure) -> dict[str, str]:
    marks: dict[str, str] = {}
    if man.pinned:
        marks["pinned"] = "Pinned by explosives" if man.pinned == "he" else "Pinned"
    if man.moved:
        marks["moved"] = "Running" if man.moved == "running" else "Moved"
    if man.fired:
        marks["fired"] = "Let the chance pass" if man.fired == "held" else "Fired"
    if man.searching:
        marks["searching"] = "Searching"
    if man.destroying:
        marks["destroying"] = "Destroying stores"
    if not man.carrying.is_empty:
        marks["carrying"] = "Carrying stores"
    if man.must_withdraw:
        marks["withdraws"] = "Must withdraw"
    if man.is_prepared:
        marks["prepared"] = "In a prepared position"
    return marks


def _figure_facts(setting: str, man: Figure) -> dict[str, str]:
    tables = tables_named(setting)
    facts = {"weapon": ", ".join(tables.weapon(key).name for key in man.weapons)} if man.weapons else {}
    quality = tables.quality(man.quality).name
    if not man.command:
        return {**facts, "quality": f"assumed {quality}"}
    facts |= {"quality": quality, "role": ROLE_NAMES[man.role]}
    if man.motivation_rating is not None:
        facts["motivation rating"] = f"{man.motivation_rating:+d}"
    if man.body_armour:
        facts["body armour"] = "yes"
    if not man.carrying.is_empty:
        carried = to_builtins(man.carrying)
        facts["carries"] = ", ".join(f"{count} {what}" for what, count in carried.items())
    return facts


def card_piece(state: State, each: Card, mine: frozenset[str], acting: frozenset[str]) -> ViewPiece:
    """A card of one's own."""
    facts = {"kind": CARD_NAMES[each.kind]}
    if each.squad:
        facts["beneath"] = next((unit.name for unit in squads(state) if unit.id == each.squad), "")
    if not each.stores.is_empty:
        facts["stores"] = ", ".join(f"{count} {what}" for what, count in to_builtins(each.stores).items())
    marks = {} if each.is_on_table else {"off_table": "Not on the table"}
    if each.is_face_up:
        marks["face_up"] = "Face up"
    return ViewPiece(
        kind="card",
        side=setting_of(state).commands[each.command].side,
        command=each.command,
        own=each.command in mine,
        at=each.at,
        label=CARD_NAMES[each.kind],
        marks=marks_of(marks),
        facts=facts,
        may_act=each.command in acting and each.is_on_table,
    )


def counter_piece(state: State, each: Counter, mine: frozenset[str], acting: frozenset[str]) -> ViewPiece:
    """A counter of one's own."""
    return ViewPiece(
        kind="counter",
        side=setting_of(state).commands[each.command].side,
        command=each.command,
        own=each.command in mine,
        at=each.at,
        label=f"Counter: {len(each.figures)} men" if each.figures else "Dummy counter",
        marks=(),
        facts={},
        may_act=each.command in acting,
    )


def contact_piece(state: State, contact: Contact) -> ViewPiece:
    """A card or counter of the enemy in sight."""
    return ViewPiece(
        kind=contact.kind,
        side=str(contact.looks.get("side", "")),
        own=False,
        at=contact.at,
        label=contact_name(state, contact),
        marks=(),
        facts=_contact_facts(contact),
        may_act=False,
    )


def contact_view(state: State, contact: Contact) -> ViewContact:
    """What a seat knows of a thing it has seen, heard or been told of."""
    return ViewContact(
        kind=contact.kind,
        at=contact.at,
        status=contact.status,
        since=contact.since,
        seen=contact.seen,
        label=contact_name(state, contact),
        facts=_contact_facts(contact),
    )


def _contact_facts(contact: Contact) -> dict[str, str]:
    return {key: str(value) for key, value in contact.looks.items() if key != "side"}
