"""What a client draws: the view of a seat from its belief, the umpire's from the truth, and the scene, which stays.

Objects of objects keyed by id, without nulls. Own pieces stand under their ids, others under the aliases by which the
seat knows them; a face-down card looks the same whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import to_builtins

from fireforce.knowledge.belief import in_sight
from fireforce.orders.checks import PHASE_NAMES, active_commands
from fireforce.state.battle import (
    NEVER,
    PLAYED,
    Believed,
    Card,
    Counter,
    Figure,
    Phase,
    Plan,
    Reserve,
    Rolled,
    Squad,
    State,
    Team,
)
from fireforce.state.finding import (
    cards,
    counters,
    figure,
    figures,
    has_ended,
    has_figure,
    is_open_command,
    plans,
    reserves,
    squads,
)
from fireforce.state.points import tally
from fireforce.state.setting import PublicSetting, setting_of, tables_named, tables_of, turns_of
from fireforce.words.naming import CARD_NAMES, ROLE_NAMES, contact_name, figure_name
from umpire.kernel.registry import View
from umpire.kernel.states import Contact, Seat

PROMPTS: Mapping[Phase, str] = {
    "motivation_movement": "Roll for the motivation of each squad, then move it. End the phase when all have moved.",
    "searching": "Send men who stand on a card to search it, or end the phase.",
    "firing": "Choose who fires at whom, or end the phase.",
    "close_combat": "Fight where enemies are in contact, or end the phase.",
}


def view(believed: Believed, seat: Seat) -> View:
    """The view of a seat, from its belief alone."""
    mine = frozenset(seat.commands)
    acting = frozenset(active_commands(believed, seat)) if believed.public.phase in PLAYED else frozenset()
    drawn = _battle(believed, seat)
    pieces = {man.id: figure_piece(believed, man, mine, acting) for man in figures(believed) if man.is_fit}
    pieces.update({each.id: card_piece(believed, each, mine, acting) for each in cards(believed)})
    pieces.update({each.id: counter_piece(believed, each, mine, acting) for each in counters(believed)})
    seen = in_sight(believed.commands)
    pieces.update({alias: contact_piece(believed, each) for alias, each in seen.items() if each.kind != "figure"})
    drawn["pieces"] = _ordered(pieces)
    drawn["groups"] = _ordered(
        {
            **_groups(believed, (unit for unit in squads(believed) if unit.command in mine)),
            **{each.id: _reserve(believed, each) for each in reserves(believed) if each.command in mine},
        }
    )
    drawn["contacts"] = _ordered(
        {
            alias: contact_view(believed, each)
            for part in believed.commands.values()
            for alias, each in part.contacts.items()
            if each.status != "in_sight" or alias in seen
        }
    )
    own = {force: plan for part in believed.commands.values() for force, plan in part.plans.items()}
    if own:
        drawn["plans"] = _ordered({force: plan_view(plan) for force, plan in own.items()})
    drawn["prompts"] = _prompts(believed, seat, bool(acting))
    return drawn


def truth(state: State) -> View:
    """What the umpire's desk draws: everything under its true id, with who sees it, and all plans."""
    everyone = tuple(state.commands)
    seat = Seat(name="umpire", role="umpire", commands=everyone)
    acting = frozenset(active_commands(state, seat)) if state.public.phase in PLAYED else frozenset()
    mine = frozenset(everyone)
    drawn = _battle(state, seat)
    pieces: dict[str, dict[str, Any]] = {}
    for man in figures(state):
        if man.is_fit:
            pieces[man.id] = dict(figure_piece(state, man, mine, acting))
    for each in cards(state):
        pieces[each.id] = card_piece(state, each, mine, acting)
    for stands in counters(state):
        pieces[stands.id] = counter_piece(state, stands, mine, acting)
    for key, piece in pieces.items():
        seen_by = sorted(command for command, known in state.umpire.aliases.items() if key in known)
        is_open = key in state.public.pieces
        piece["hidden"] = not is_open
        piece["seen_by"] = sorted(everyone) if is_open else seen_by
    drawn["pieces"] = _ordered(pieces)
    waiting = {each.id: _reserve(state, each) for each in reserves(state)}
    drawn["groups"] = _ordered({**_groups(state, squads(state)), **waiting})
    drawn["contacts"] = {}
    drawn["plans"] = _ordered({force: plan_view(plan) for force, plan in plans(state).items()})
    drawn["prompts"] = _prompts(state, seat, bool(acting))
    return drawn


def scene(state: State) -> dict[str, Any]:
    """What does not change: the table, the kinds of ground, weapons, zones and house values of the book."""
    setting = setting_of(state)
    tables = tables_of(state)
    table = setting.table
    kinds: dict[str, dict[str, Any]] = {
        kind.key: {"label": kind.name, "going": kind.going, "cover": kind.cover, "save": kind.save}
        for kind in tables.kinds.ground
    }
    kinds.update({kind.key: {"label": kind.name, "cover": kind.cover} for kind in tables.kinds.barrier})
    storey = tables.kinds.length("storey")
    terrain = [
        {
            "key": each.key,
            "name": each.name,
            "kind": each.kind,
            "ring": to_builtins(each.polygon),
            "height": tables.kinds.grounds[each.kind].height if each.height is None else each.height,
        }
        for each in table.terrain
    ]
    terrain += [
        {
            "key": each.key,
            "name": each.name,
            "kind": "building",
            "ring": to_builtins(each.polygon),
            "height": each.storeys * storey,
            "storeys": each.storeys,
        }
        for each in table.buildings
    ]
    return {
        "kind": "inches",
        "width": table.width,
        "depth": table.depth,
        "unit": 100,
        "title": setting.title,
        "description": setting.description,
        "victory": setting.victory,
        "terrain": terrain,
        "roads": [
            {"key": each.key, "name": each.name, "line": to_builtins(each.line), "width": each.width}
            for each in table.roads
        ],
        "lines": [
            {"key": each.key, "name": each.name, "kind": each.kind, "line": to_builtins(each.line)}
            for each in table.lines
        ],
        "kinds": kinds,
        "weapons": _weapons(setting),
        "house": [
            {"key": line.key, "what": line.origin.source, "value": to_builtins(line.origin.value)}
            for line in setting.book.house_values()
        ],
        "digest": state.public.setting,
    }


def _weapons(setting: PublicSetting) -> dict[str, Any]:
    rows = setting.book.tables["weapons"]
    shown = ("name", "kind", "range", "fire_points", "prophylactic", "on_the_move")
    return {key: {name: row[name].value for name in shown if name in row} for key, row in rows.items()}


# Parts


def _battle(state: State, seat: Seat) -> View:
    setting, public = setting_of(state), state.public
    mine = frozenset(seat.commands)
    own_sides = sorted({setting.commands[name].side for name in mine})
    drawn: View = {
        "turn": public.turn,
        "turns": turns_of(state),
        "phase": {
            "key": public.phase,
            "label": PHASE_NAMES[public.phase],
            "active": public.active,
            "mine": bool(active_commands(state, seat)) and public.phase in PLAYED,
            "rule": "fireforce turn-sequence",
            "ended": {key: True for key in setting.commands if has_ended(state, key)},
        },
        "you": {"commands": sorted(mine), "side": own_sides[0] if len(own_sides) == 1 else ""},
        "conditions": {"hour": public.hour, "weather": public.weather, "wind": public.wind},
        "sides": {
            key: {"name": side.name, "kind": side.kind, "colour": side.colour} for key, side in setting.sides.items()
        },
        "commands": {
            key: {"name": command.name, "side": command.side, "own": key in mine}
            for key, command in setting.commands.items()
            if is_open_command(state, key) or command.side in own_sides
        },
        "features": _features(state, setting),
        "points": _points(state),
    }
    if public.result is not None:
        drawn["outcome"] = {"is_over": True, "winner": public.result.winner, "why": public.result.why}
    return drawn


def _points(state: State) -> dict[str, Any]:
    total = tally(state)
    return {
        side: {"total": points, "lines": [to_builtins(line) for line in total.lines.get(side, ())]}
        for side, points in total.points.items()
    }


def _features(state: State, setting: PublicSetting) -> dict[str, Any]:
    known = {each.zone for each in setting.objectives.values()}  # the others are those of secret objectives
    found: dict[str, Any] = {
        f"zone {key}": {"kind": "zone", "ring": to_builtins(zone.polygon), "label": zone.name}
        for key, zone in setting.zones.items()
        if not isinstance(state, Believed) or key in known
    }
    found.update(
        {
            f"over {each.key}": {"kind": each.kind, "ring": to_builtins(each.polygon), "label": each.name}
            for each in state.public.overlays
        }
    )
    return _ordered(found)


def _prompts(state: State, seat: Seat, is_acting: bool) -> dict[str, str]:
    public, setting = state.public, setting_of(state)
    if public.result is not None:
        return {"now": public.result.why}
    if is_acting:
        return {"now": PROMPTS.get(public.phase, "")}
    side = setting.sides.get(public.active)
    return {"now": f"{side.name}: {PHASE_NAMES[public.phase]}." if side else "The battle has not begun."}


def _groups(state: State, units: Iterable[Squad]) -> dict[str, Any]:
    """Squads, and the teams of those that have split."""
    found: dict[str, Any] = {}
    for unit in units:
        found[unit.id] = _group(state, unit, unit.name, unit.members, _squad_marks(unit), _squad_facts(state, unit))
        for name, team in unit.teams.items():
            if len(unit.teams) > 1:
                label = f"{unit.name}, {name} {team.kind.replace('_', ' ')}"
                found[f"{unit.id} {name}"] = _group(
                    state, unit, label, team.members, {}, _team_facts(state, unit, name)
                )
    return found


def _group(
    state: State,
    unit: Squad,
    name: str,
    members: Iterable[str],
    marks: Mapping[str, str],
    facts: Mapping[str, str],
) -> dict[str, Any]:
    here = [man for man in members if has_figure(state, man)]
    return {"name": name, "command": unit.command, "pieces": here, "marks": _marks(marks), "facts": dict(facts)}


def _reserve(state: State, each: Reserve) -> dict[str, Any]:
    """A squad off the table: a group none of whose men is drawn."""
    roles: dict[str, int] = {}
    for man in each.figures:
        roles[ROLE_NAMES[man.role]] = roles.get(ROLE_NAMES[man.role], 0) + 1
    facts = {
        "arrives": "when it is brought in" if each.arrives == NEVER else f"turn {each.arrives}",
        "men": ", ".join(f"{count} × {role}" for role, count in roles.items()),
        "quality": tables_of(state).quality(each.squad.quality).name,
    }
    if each.zone:
        facts["zone"] = setting_of(state).zones[each.zone].name
    return {
        "name": each.squad.name,
        "command": each.command,
        "pieces": [],
        "marks": _marks({"off_table": "Off the table"}),
        "facts": facts,
    }


def _squad_marks(unit: Squad) -> dict[str, str]:
    marks: dict[str, str] = {}
    if unit.dropped:
        marks["dropped"] = f"Quality down {unit.dropped}"
    if any(team.is_under_fire for team in unit.teams.values()):
        marks["under_fire"] = "Under fire"
    return marks


def _squad_facts(state: State, unit: Squad) -> dict[str, str]:
    facts = {"quality": tables_of(state).quality(unit.quality).name, "casualties": str(unit.casualties)}
    if unit.dropped:
        now = tables_of(state).dropped(unit.quality, unit.dropped)
        facts["counts as"] = tables_of(state).quality(now).name
    if len(unit.teams) == 1:
        facts.update(_team_facts(state, unit, next(iter(unit.teams))))
    return facts


def _team_facts(state: State, unit: Squad, name: str) -> dict[str, str]:
    team = unit.teams[name]
    facts = {"motivation": _result_of(state, team)}
    if team.result and team.has_moved:
        facts["movement"] = "has moved"
    for each in team.rolled:
        who = ", ".join(figure_name(state, figure(state, man)) for man in each.members if has_figure(state, man))
        facts[f"motivation of {who}"] = _result_of(state, each)
    return facts


def _result_of(state: State, rolled: Team | Rolled) -> str:
    if not rolled.result:
        return "not rolled yet"
    result = setting_of(state).book.tables["motivation_results"][rolled.result]["name"].value
    return f"{result} ({rolled.score})"


def figure_piece(state: State, man: Figure, mine: frozenset[str], acting: frozenset[str]) -> dict[str, Any]:
    """A figure as it is drawn: an enemy in sight as his model looks. Not to be changed: it is drawn once and shared."""
    label = figure_name(state, man)
    return _drawn_figure(state.public.setting, man, label, man.command in mine, man.command in acting)


@lru_cache(maxsize=20_000)
def _drawn_figure(setting: str, man: Figure, label: str, own: bool, may_act: bool) -> dict[str, Any]:
    piece: dict[str, Any] = {
        "kind": "figure",
        "side": man.side,
        "own": own,
        "at": list(man.at),
        "radius": man.radius,
        "label": label,
        "marks": _marks(_figure_marks(man)),
        "facts": _figure_facts(setting, man),
        "may_act": may_act,
    }
    if man.command:
        piece["command"] = man.command
        piece["group"] = man.squad
    return piece


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


def card_piece(state: State, each: Card, mine: frozenset[str], acting: frozenset[str]) -> dict[str, Any]:
    """A card of one's own."""
    facts = {"kind": CARD_NAMES[each.kind]}
    if each.squad:
        facts["beneath"] = next((unit.name for unit in squads(state) if unit.id == each.squad), "")
    if not each.stores.is_empty:
        facts["stores"] = ", ".join(f"{count} {what}" for what, count in to_builtins(each.stores).items())
    marks = {} if each.is_on_table else {"off_table": "Not on the table"}
    if each.is_face_up:
        marks["face_up"] = "Face up"
    return {
        "kind": "card",
        "side": setting_of(state).commands[each.command].side,
        "command": each.command,
        "own": each.command in mine,
        "at": list(each.at),
        "label": CARD_NAMES[each.kind],
        "marks": _marks(marks),
        "facts": facts,
        "may_act": each.command in acting and each.is_on_table,
    }


def counter_piece(state: State, each: Counter, mine: frozenset[str], acting: frozenset[str]) -> dict[str, Any]:
    """A counter of one's own."""
    return {
        "kind": "counter",
        "side": setting_of(state).commands[each.command].side,
        "command": each.command,
        "own": each.command in mine,
        "at": list(each.at),
        "label": f"Counter: {len(each.figures)} men" if each.figures else "Dummy counter",
        "marks": [],
        "facts": {},
        "may_act": each.command in acting,
    }


def contact_piece(state: State, contact: Contact) -> dict[str, Any]:
    """A card or counter of the enemy in sight."""
    return {
        "kind": contact.kind,
        "side": str(contact.looks.get("side", "")),
        "own": False,
        "at": list(contact.at),
        "label": contact_name(state, contact),
        "marks": [],
        "facts": _contact_facts(contact),
        "may_act": False,
    }


def contact_view(state: State, contact: Contact) -> dict[str, Any]:
    """What a seat knows of a thing it has seen, heard or been told of."""
    return {
        "kind": contact.kind,
        "at": list(contact.at),
        "status": contact.status,
        "since": contact.since,
        "seen": contact.seen,
        "label": contact_name(state, contact),
        "facts": _contact_facts(contact),
    }


def _contact_facts(contact: Contact) -> dict[str, str]:
    return {key: str(value) for key, value in contact.looks.items() if key != "side"}


def plan_view(plan: Plan) -> dict[str, Any]:
    """A plan as the desk draws it; the pace of a leg with it."""
    drawn: dict[str, Any] = {
        "command": plan.command,
        "by": plan.by,
        "legs": [{"path": to_builtins(leg.path), "pace": leg.pace, "turns": leg.turns} for leg in plan.legs],
        "leg": plan.leg,
        "along": plan.along,
        "is_held": plan.is_held,
        "on_contact": plan.on_contact,
        "on_signal": dict(plan.on_signal),
        "fire": plan.fire,
        "fire_range": plan.fire_range,
        "targets": plan.targets,
        "status": plan.status,
        "step": plan.step,
        "note": plan.note,
    }
    if plan.withdraw_to is not None:
        drawn["withdraw_to"] = list(plan.withdraw_to)
    return drawn


def _marks(marks: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"key": key, "label": label} for key, label in marks.items()]


def _ordered(items: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(items.items()))
