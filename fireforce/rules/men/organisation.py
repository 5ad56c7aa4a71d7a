"""Squads and their teams: who keeps together, splitting and joining, gun groups, men dropped off, platoon control."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from fireforce.happening.men import PlatoonControlChanged, Regrouped
from fireforce.happening.rulings import tell
from fireforce.orders.checks import not_fit, not_ours, off_table
from fireforce.orders.dispatch import handles
from fireforce.orders.orders import DropOff, FormGunGroup, Join, SetPlatoonControl, Split
from fireforce.rules.men.squads import quality_of
from fireforce.state.battle import (
    Believed,
    Figure,
    Phase,
    Place,
    Rolled,
    Squad,
    State,
    Team,
)
from fireforce.state.finding import (
    figure,
    figures,
    has_squad,
    is_open_command,
    members_of,
    side_of,
    squad,
)
from fireforce.state.setting import setting_of, tables_of, weapon_kind
from umpire.kernel.forms import ChoiceSlot, Form, PointSlot
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.maps import drop, put
from umpire.kernel.values.modifiers import Refusal

RULE = "fireforce organisation"
WHEN: tuple[Phase, ...] = ("motivation_movement",)


# Splitting and joining


def _own_squad(believed: Believed, seat: Seat, piece: str) -> Iterator[Refusal]:
    yield from not_ours(believed, seat, [piece], "squad", RULE)
    if not has_squad(believed, piece):
        yield Refusal(f"{piece!r} is no squad of yours.", RULE, "squad")


def _named_men(believed: Believed, unit: Squad, men: Sequence[str]) -> Iterator[Refusal]:
    """Refusals for men who are not fit members of one team of this squad."""
    if len(set(men)) != len(men) or not men:
        yield Refusal("Name at least one man, each once.", RULE, "figures")
        return
    for man in men:
        if man not in unit.members:
            yield Refusal(f"{man!r} is no man of {unit.name}.", RULE, "figures")
            return
    yield from not_fit(believed, men, "figures", RULE)


def _may_not_split(believed: Believed, unit: Squad) -> Iterator[Refusal]:
    row = tables_of(believed).quality(quality_of(believed, unit))
    poor = tables_of(believed).quality("poor")
    if not unit.may_split:
        yield Refusal(f"{unit.name} may not split: its nation's doctrine forbids it.", RULE, "squad")
    elif row.rank <= poor.rank:
        yield Refusal(f"{unit.name} counts as {row.name}: such troops may not split.", RULE, "squad")


def check_split(believed: Believed, seat: Seat, order: Split) -> Iterable[Refusal]:
    """A whole squad of better than poor troops splits, if its doctrine allows; each part has a leader while there are
    two. `fireforce organisation`"""
    if found := list(_own_squad(believed, seat, order.squad)):
        return found
    unit = squad(believed, order.squad)
    if found := list(_may_not_split(believed, unit)):
        return found
    if "whole" not in unit.teams:
        return [Refusal(f"{unit.name} has split already.", RULE, "squad")]
    men = members_of(believed, unit, "whole")
    if len(men) < 2:
        return [Refusal("Two men are needed to make two teams.", RULE, "squad")]
    second = order.second or _second(men)
    if found := list(_named_men(believed, unit, second)):
        return [replace(each, field="second") for each in found]
    if not set(second) <= {man.id for man in men}:
        return [Refusal("Who has been detached already is in no fire team.", RULE, "second")]
    if len(second) == len(men):
        return [Refusal("The first team would be empty.", RULE, "second")]
    roles = {man.role for man in men if man.id in second}
    if "leader" in roles:
        return [Refusal("The squad leader leads the first team.", RULE, "second")]
    if "assistant" not in roles and any(man.role == "assistant" for man in men):
        return [Refusal("The assistant squad leader leads the second team.", RULE, "second")]
    return []


def _second(men: Sequence[Figure]) -> tuple[str, ...]:
    """Half of the men for the second team: the assistant, and every other one of the rest."""
    assistant = [man.id for man in men if man.role == "assistant"][:1]
    rest = [man.id for man in men if man.role != "leader" and man.id not in assistant]
    wanted = max(1, len(men) // 2) - len(assistant)
    return (*assistant, *(rest[1::2] + rest[0::2])[: max(wanted, 0)])


def split(state: State, seat: Seat, order: Split) -> Ruling[State]:
    """The squad becomes two fire teams, which keep what the squad has rolled and done. `fireforce organisation`"""
    unit = squad(state, order.squad)
    whole = unit.teams["whole"]
    second = order.second or _second(members_of(state, unit, "whole"))
    first = tuple(each for each in whole.members if each not in second)
    teams = drop(unit.teams, "whole")
    teams = put(teams, "first", _part(whole, first, "fire_team"))
    teams = put(teams, "second", _part(whole, _in_order(unit, second), "fire_team"))
    return (yield from tell(Regrouped(squad=unit.id, teams=teams, how="split")))


def check_join(believed: Believed, seat: Seat, order: Join) -> Iterable[Refusal]:
    """Teams become one again, wherever they are: whoever is out of touch then rejoins as soon as he can.
    `fireforce organisation`"""
    if found := list(_own_squad(believed, seat, order.squad)):
        return found
    unit = squad(believed, order.squad)
    if len(unit.teams) < 2:
        return [Refusal(f"{unit.name} is together.", RULE, "squad")]
    if bool(order.team) != bool(order.into):
        return [Refusal("Name both teams, or neither to join all.", RULE, "team" if order.into else "into")]
    for name, field in ((order.team, "team"), (order.into, "into")):
        if name and name not in unit.teams:
            return [Refusal(f"There is no team {name!r}; there are: {', '.join(unit.teams)}.", RULE, field)]
    if order.team and order.team == order.into:
        return [Refusal("A team cannot join itself.", RULE, "into")]
    if order.into and not _leads(unit, order.into) and _leads(unit, order.team):
        return [Refusal("They are told to rejoin a fire team; a fire team does not join them.", RULE, "into")]
    return []


def _leads(unit: Squad, team: str) -> bool:
    """Whether a team goes where its leader takes it, and keeps no place that it was told to keep."""
    return unit.teams[team].kind in ("whole", "fire_team")


def join(state: State, seat: Seat, order: Join) -> Ruling[State]:
    """The teams are one; what each has rolled and done in this player turn counts for its own men still.
    `fireforce organisation`, `fireforce motivation`"""
    unit = squad(state, order.squad)
    if not order.team:
        teams: Mapping[str, Team] = {"whole": replace(_joined(unit, tuple(unit.teams)), kind="whole")}
    else:
        into = unit.teams[order.into]
        both = replace(_joined(unit, (order.into, order.team)), kind=into.kind, formed=into.formed, place=into.place)
        teams = put(drop(unit.teams, order.team), order.into, both)
        manoeuvring = [name for name, team in teams.items() if team.kind in ("whole", "fire_team")]
        if len(manoeuvring) == 1 and manoeuvring[0] != "whole":
            alone = teams[manoeuvring[0]]
            teams = put(drop(teams, manoeuvring[0]), "whole", replace(alone, kind="whole"))
        elif len(teams) == 1:
            teams = {"whole": replace(next(iter(teams.values())), kind="whole")}
    return (yield from tell(Regrouped(squad=unit.id, teams=teams, how="joined")))


def _joined(unit: Squad, names: Sequence[str]) -> Team:
    """Several teams as one: those who have still to roll do so together; of the others each keeps what it has rolled,
    and whether its move is over. Where nobody has still to roll the first team's roll is the joined one's own.
    """
    teams = [unit.teams[name] for name in names]
    waiting = [team for team in teams if not team.result and not team.has_moved]
    own = waiting or teams[:1]
    apart = [rolled for team in teams if team not in own for rolled in _as_rolled(team)]
    return Team(
        members=_in_order(unit, [man for team in teams for man in team.members]),
        result=own[0].result,
        score=own[0].score,
        has_moved=own[0].has_moved,
        is_under_fire=any(team.is_under_fire for team in teams),
        was_under_fire=any(team.was_under_fire for team in own),
        dropped=max(team.dropped for team in own),
        was_dropped=max(team.was_dropped for team in own),
        heard_fire=max(team.heard_fire for team in teams),
        rolled=tuple(each for each in (*(one for team in own for one in team.rolled), *apart) if each.members),
    )


def _as_rolled(team: Team) -> tuple[Rolled, ...]:
    mine = Rolled(
        members=team.own, result=team.result, score=team.score, has_moved=team.has_moved, dropped=team.dropped
    )
    return (mine, *team.rolled)


def _part(team: Team, members: tuple[str, ...], kind: Literal["fire_team", "gun_group", "dropped_off"]) -> Team:
    """A part of a team as a team: what it has rolled and done goes with each of its men."""
    kept = tuple(
        replace(each, members=mine)
        for each in team.rolled
        if (mine := tuple(man for man in each.members if man in members))
    )
    made = replace(team, members=members, kind=kind, rolled=kept, formed=0, place=None)
    if made.own or not kept:
        return made
    # All of them rolled apart from the rest: what the first of them rolled is the new team's own.
    first = kept[0]
    return replace(
        made,
        result=first.result,
        score=first.score,
        has_moved=first.has_moved,
        dropped=first.dropped,
        rolled=kept[1:],
    )


def _in_order(unit: Squad, men: Iterable[str]) -> tuple[str, ...]:
    named = set(men)
    return tuple(each for each in unit.members if each in named)


def is_gunner(state: State, man: Figure) -> bool:
    """Whether he has a light machine gun or a squad automatic weapon; who serves a heavier one is no gun group's."""
    return any(weapon_kind(setting_of(state), each) in ("lmg", "saw") for each in man.weapons)


def _from(unit: Squad, men: Sequence[str]) -> list[str]:
    """The teams from which these men come."""
    return [name for name, team in unit.teams.items() if any(each in team.members for each in men)]


def check_form_gun_group(believed: Believed, seat: Seat, order: FormGunGroup) -> Iterable[Refusal]:
    """Where doctrine allows it a light machine gunner and his mates stay behind to cover the rest.
    `fireforce organisation`"""
    if found := list(_own_squad(believed, seat, order.squad)):
        return found
    unit = squad(believed, order.squad)
    if not unit.may_form_gun_group:
        return [Refusal(f"The doctrine of {unit.name} knows no gun group.", RULE, "squad")]
    if found := list(_may_not_split(believed, unit)):
        return found
    if "gun" in unit.teams:
        return [Refusal(f"{unit.name} has a gun group.", RULE, "squad")]
    if found := list(_named_men(believed, unit, order.figures)):
        return found
    men = [figure(believed, each) for each in order.figures]
    if not any(is_gunner(believed, man) for man in men):
        return [Refusal("A gun group has a light machine gun or squad automatic weapon.", RULE, "figures")]
    if any(man.role in ("leader", "assistant") for man in men):
        return [Refusal("The leaders stay with the fire teams.", RULE, "figures")]
    if order.at is not None and (found := list(off_table(believed, [order.at], "at"))):
        return found
    return list(_leaves_nobody(believed, unit, order.figures))


def _leaves_nobody(believed: Believed, unit: Squad, men: Sequence[str]) -> Iterator[Refusal]:
    sources = _from(unit, men)
    if len(sources) != 1 or unit.teams[sources[0]].kind not in ("whole", "fire_team"):
        yield Refusal("They must be of one team that is still under its leader.", RULE, "figures")
    elif not any(man.id not in men for man in members_of(believed, unit, sources[0])):
        yield Refusal("Nobody would be left in their team.", RULE, "figures")


def form_gun_group(state: State, seat: Seat, order: FormGunGroup) -> Ruling[State]:
    """The men named are a team of their own from now on; they go to their place, if they are told one, and stay there
    until they are told to rejoin. `fireforce organisation`"""
    return (yield from _detached(state, order.squad, order.figures, "gun", order.at))


def check_drop_off(believed: Believed, seat: Seat, order: DropOff) -> Iterable[Refusal]:
    """Any squad may leave men where they are while a leader takes the rest elsewhere. `fireforce organisation`"""
    if found := list(_own_squad(believed, seat, order.squad)):
        return found
    unit = squad(believed, order.squad)
    if found := list(_named_men(believed, unit, order.figures)):
        return found
    if found := list(_leaves_nobody(believed, unit, order.figures)):
        return found
    rest = members_of(believed, unit, _from(unit, order.figures)[0])
    leaders = [man.id for man in rest if man.role in ("leader", "assistant")]
    if leaders and set(leaders) <= set(order.figures):
        return [Refusal("The squad leader or his assistant takes the rest with him.", RULE, "figures")]
    return []


def drop_off(state: State, seat: Seat, order: DropOff) -> Ruling[State]:
    """The men named stay where they are until they are told to rejoin. `fireforce organisation`"""
    unit = squad(state, order.squad)
    name = next(name for number in range(1, 100) if (name := f"dropped {number}") not in unit.teams)
    return (yield from _detached(state, order.squad, order.figures, name))


def _detached(state: State, piece: str, men: Sequence[str], name: str, place: Place | None = None) -> Ruling[State]:
    unit = squad(state, piece)
    source = _from(unit, men)[0]
    old = unit.teams[source]
    left = _part(old, tuple(each for each in old.members if each not in men), "fire_team")
    teams = put(unit.teams, source, replace(left, kind=old.kind))
    kind: Literal["gun_group", "dropped_off"] = "gun_group" if name == "gun" else "dropped_off"
    made = _part(old, _in_order(unit, men), kind)
    if kind == "gun_group":
        made = replace(made, formed=state.public.player_turn, place=place)
    teams = put(teams, name, made)
    return (yield from tell(Regrouped(squad=unit.id, teams=teams, how=kind)))


# Platoon control


def serves(state: State, man: Figure, command: str) -> bool:
    """Whether a leader may count for the men of a command: its own; of its side also another's, where all see both.
    `fireforce motivation-rating`"""
    if man.command == command:
        return True
    is_ours = man.side == side_of(state, command)
    return is_ours and is_open_command(state, man.command) and is_open_command(state, command)


def platoon_commander(state: State, command: str) -> Figure | None:
    """The fit platoon commander of a command; for one that never had one of its own the only one that its side has.
    `fireforce motivation-rating`"""
    found = [man for man in figures(state) if man.role == "platoon_commander" and serves(state, man, command)]
    own = [man for man in found if man.command == command]
    fit = [man for man in own or found if man.is_fit]
    return fit[0] if fit and (own or len(found) == 1) else None


def check_set_platoon_control(believed: Believed, seat: Seat, order: SetPlatoonControl) -> Iterable[Refusal]:
    """A squad comes under its platoon commander's control, or goes on its own. `fireforce motivation-rating`"""
    if found := list(_own_squad(believed, seat, order.squad)):
        return found
    unit = squad(believed, order.squad)
    if order.under_control == unit.is_under_platoon_control:
        how = "under platoon control" if order.under_control else "independent"
        return [Refusal(f"{unit.name} is {how} already.", "fireforce motivation-rating", "under_control")]
    if order.under_control and platoon_commander(believed, unit.command) is None:
        return [Refusal("There is no platoon commander to control it.", "fireforce motivation-rating", "squad")]
    return []


def set_platoon_control(state: State, seat: Seat, order: SetPlatoonControl) -> Ruling[State]:
    """The platoon commander's rating counts for it from now on, or no more. `fireforce motivation-rating`"""
    changed = PlatoonControlChanged(squad=order.squad, is_under_platoon_control=order.under_control)
    return (yield from tell(changed))


# Forms


def _forms_unit(believed: Believed, seat: Seat, subject: str | None) -> Squad | None:
    if subject is None or not has_squad(believed, subject):
        return None
    unit = squad(believed, subject)
    return unit if unit.command in seat.commands and members_of(believed, unit) else None


def split_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """One split as its leaders would make it. Who else goes with whom an order may name."""
    unit = _forms_unit(believed, seat, subject)
    if unit is not None and not check_split(believed, seat, Split(squad=unit.id)):
        yield Form(verb="Split", label="Split into fire teams", subject=(unit.id,), fixed={"squad": unit.id}, rule=RULE)


def join_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """All teams join; with three or more also one of them to another."""
    unit = _forms_unit(believed, seat, subject)
    if unit is None or len(unit.teams) < 2:
        return
    yield Form(verb="Join", label="Join all teams", subject=(unit.id,), fixed={"squad": unit.id}, rule=RULE)
    if len(unit.teams) > 2:
        for team in unit.teams:
            others = [name for name in unit.teams if name != team and (_leads(unit, name) or not _leads(unit, team))]
            into = tuple(Choice(id=name, label=f"the {name} team") for name in others)
            if not into:
                continue
            yield Form(
                verb="Join",
                label=f"The {team} team joins another",
                subject=(unit.id,),
                fixed={"squad": unit.id, "team": team},
                slots=(ChoiceSlot(name="into", label="Into", choices=into),),
                rule=RULE,
            )


def gun_group_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For each gunner a gun group of him and one mate."""
    unit = _forms_unit(believed, seat, subject)
    if unit is None or not unit.may_form_gun_group or "gun" in unit.teams:
        return
    for name in unit.teams:
        men = members_of(believed, unit, name)
        for gunner in men:
            if not is_gunner(believed, gunner):
                continue
            mates = [man for man in men if man.role == "rifleman"]
            group = (gunner.id, *(man.id for man in mates[:1]))
            if check_form_gun_group(believed, seat, FormGunGroup(squad=unit.id, figures=group)):
                continue
            table = setting_of(believed).table
            ring = ((0, 0), (table.width, 0), (table.width, table.depth), (0, table.depth))
            place = PointSlot(name="at", label="Its place", region=(ring,))
            for label, slots in (("Form a gun group", ()), ("Form a gun group for a place farther off", (place,))):
                yield Form(
                    verb="FormGunGroup",
                    label=label,
                    subject=(unit.id,),
                    fixed={"squad": unit.id, "figures": list(group)},
                    slots=slots,
                    rule=RULE,
                )


def drop_off_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Any of the men without a rank may be dropped off, while one man is left with the leader."""
    unit = _forms_unit(believed, seat, subject)
    if unit is None:
        return
    for name, team in unit.teams.items():
        men = members_of(believed, unit, name)
        free = [man for man in men if man.role not in ("leader", "assistant")]
        if len(free) == len(men):
            free = free[1:]
        if team.kind not in ("whole", "fire_team") or not free:
            continue
        choices = tuple(Choice(id=man.id, label=man.name or man.role, pieces=(man.id,), at=man.at) for man in free)
        yield Form(
            verb="DropOff",
            label="Drop men off here" if name == "whole" else f"Drop men of the {name} team off here",
            subject=(unit.id,),
            fixed={"squad": unit.id},
            slots=(ChoiceSlot(name="figures", label="Who stays", choices=choices, many=True, most=len(choices)),),
            rule=RULE,
        )


def platoon_control_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Under control, or independent: whichever it is not."""
    unit = _forms_unit(believed, seat, subject)
    if unit is None:
        return
    wanted = not unit.is_under_platoon_control
    if not check_set_platoon_control(believed, seat, SetPlatoonControl(squad=unit.id, under_control=wanted)):
        yield Form(
            verb="SetPlatoonControl",
            label="Under platoon control" if wanted else "Act independently",
            subject=(unit.id,),
            fixed={"squad": unit.id, "under_control": wanted},
            rule="fireforce motivation-rating",
        )


handles(Split, check=check_split, resolve=split, options=split_forms, phases=WHEN, rule=RULE, role="aside")
handles(Join, check=check_join, resolve=join, options=join_forms, phases=WHEN, rule=RULE, role="aside")
handles(
    FormGunGroup,
    check=check_form_gun_group,
    resolve=form_gun_group,
    options=gun_group_forms,
    phases=WHEN,
    rule=RULE,
    role="aside",
)
handles(DropOff, check=check_drop_off, resolve=drop_off, options=drop_off_forms, phases=WHEN, rule=RULE, role="aside")
handles(
    SetPlatoonControl,
    check=check_set_platoon_control,
    resolve=set_platoon_control,
    options=platoon_control_forms,
    phases=WHEN,
    rule="fireforce motivation-rating",
    role="aside",
)
