"""Squads, their teams, and squads off the table, as a client draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fireforce.state.battle import NEVER, Reserve, Rolled, Squad, State, Team
from fireforce.state.finding import figure, has_figure
from fireforce.state.setting import setting_of, tables_of
from fireforce.words.naming import ROLE_NAMES, figure_name
from umpire.kernel.views import ViewGroup, marks_of


def squad_groups(state: State, units: Iterable[Squad]) -> dict[str, ViewGroup]:
    """Squads, and the teams of those that have split."""
    found: dict[str, ViewGroup] = {}
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
) -> ViewGroup:
    here = tuple(man for man in members if has_figure(state, man))
    return ViewGroup(name=name, command=unit.command, pieces=here, marks=marks_of(marks), facts=facts)


def reserve_group(state: State, each: Reserve) -> ViewGroup:
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
    return ViewGroup(
        name=each.squad.name,
        command=each.command,
        pieces=(),
        marks=marks_of({"off_table": "Off the table"}),
        facts=facts,
    )


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
