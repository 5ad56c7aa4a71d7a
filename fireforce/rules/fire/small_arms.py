"""Small arms: fire from the order to the saving throws.

`fire` is the ruling, for a player's order and for the plan of a hidden force alike. `fireforce firing`,
`fireforce small-arms`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fireforce.happening.fire import CameUnderFire, Fired, FireHeld, HitsScored
from fireforce.happening.rulings import fallen, tell
from fireforce.orders.checks import not_fit, not_ours, repeated
from fireforce.orders.dispatch import handles, notices, tells
from fireforce.orders.orders import Fire
from fireforce.rules.fire.fire_points import (
    FIRING,
    RULE,
    Shot,
    are_snipers,
    counts_as,
    fire_modifiers,
    fire_points,
    forbidden,
    group_quality,
    is_hidden,
    is_in_ambush,
    shot_at,
    shots_at,
    side_kind,
    target_area,
)
from fireforce.rules.fire.saving_throws import Cause, save
from fireforce.rules.fire.target_selection import Selector, allocate, potential_criticals
from fireforce.rules.hidden.hearing import gunfire
from fireforce.rules.hidden.reveal import put_on_table
from fireforce.rules.men.motivation import leaders_of
from fireforce.state.battle import (
    Believed,
    Figure,
    Squad,
    State,
)
from fireforce.state.finding import (
    by_place,
    figure,
    figures,
    has_ended,
    has_figure,
    members_of,
    squad,
    squad_of,
    squads,
    team_of,
    true_id,
    visible_enemies,
)
from fireforce.state.setting import tables_of
from fireforce.table.hearing import octant
from fireforce.table.ranges import distance
from fireforce.words.naming import name_of
from umpire.kernel.events import KnowledgeEvent, Report, Told, alias_of
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.registry import LogLine, Preview
from umpire.kernel.rulings import Choice, Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal, total

LOCAL = "local"
"""The trait of local troops, who must bring themselves to fire as poor ones must."""


# The ruling


def fire(state: State, shooters: Sequence[str], target: str, aimed: bool) -> Ruling[State]:
    """Figures fire at a target and those near it; all by true id, in whatever order. Who cannot fire at it is left out;
    a target that is not there is not fired at. `fireforce small-arms`

    Poor troops first bring themselves to fire. Hidden firers are put on the table, the shots are heard, those in the
    target area (a sniper's target alone) come under fire; then hits are rolled for, allocated and saved from.
    """
    shots = _shots(state, by_place(state, shooters), target, aimed)
    state, shots = yield from _opens_fire(state, shots)
    if not shots:
        return state
    made = fire_points(state, shots)
    modifiers = fire_modifiers(state, shots, figure(state, target))
    snipers = are_snipers(state, shots)
    selects: Selector = "sniper" if snipers else group_quality(state, shots)
    firing = tuple(shot.shooter for shot in shots)
    kinds = tuple(sorted({shot.row.kind for shot in shots}))
    ambushers = tuple(each for each in firing if is_in_ambush(state, figure(state, each)))
    state = yield from put_on_table(state, firing, "fired")
    command, side = figure(state, firing[0]).command, figure(state, firing[0]).side
    area = target_area(state, firing, figure(state, target))
    # Snipers do not fire at a group but at one man, and then at whomever they direct a hit.
    shot_at_first = (figure(state, target),) if snipers and aimed else area
    state = yield from _fires(state, firing, ambushers, target, shot_at_first, aimed)
    state = yield from gunfire(state, firing)
    state = yield from _comes_under_fire(state, shot_at_first)
    hits = 0
    for row in tables_of(state).rows_for(made.points):
        rolled = yield from roll(
            "1d20",
            "hits",
            subject=f"row {row}",
            by=command,
            bands=[(low, high, str(score)) for low, high, score in tables_of(state).bands(row, total(modifiers))],
            modifiers=modifiers,
            rule=RULE,
        )
        state = fallen(rolled, state)
        hits += int(rolled.result)
    criticals = potential_criticals(state, hits, selects, aimed)
    state = yield from tell(
        HitsScored(
            figures=firing,
            target=target,
            fire_points=made.points,
            hits=hits,
            criticals=criticals,
            working=made.modifiers,
        )
    )
    if not hits:
        return state
    state, counted = yield from allocate(
        state, command, firing, target, tuple(man.id for man in area), hits, selects, criticals
    )
    state = yield from _comes_under_fire(state, [figure(state, each) for each in counted if has_figure(state, each)])
    cause = Cause(kinds=kinds, by=side, is_prophylactic=not aimed, is_sniper=snipers, firers=firing)
    return (yield from save(state, counted, cause))


_last: tuple[State, tuple[tuple[str, ...], str, bool], tuple[Shot, ...]] | None = None
"""The shots worked out last, with the state they are of: odds run one order on one belief many hundred times."""


def _shots(state: State, shooters: Sequence[str], target: str, aimed: bool) -> tuple[Shot, ...]:
    """The shots of those who can fire at the target, as far as the truth goes."""
    global _last
    key, kept = (tuple(shooters), target, aimed), _last
    if kept is None or kept[0] is not state or kept[1] != key:
        kept = (state, key, _worked_out(state, shooters, target, aimed))
        _last = kept
    return kept[2]


def _worked_out(state: State, shooters: Sequence[str], target: str, aimed: bool) -> tuple[Shot, ...]:
    if not has_figure(state, target) or not figure(state, target).is_fit:
        return ()
    found = (
        shot_at(state, figure(state, each), figure(state, target), aimed)
        for each in shooters
        if has_figure(state, each)
    )
    return tuple(shot for shot in found if isinstance(shot, Shot))


def _opens_fire(state: State, shots: tuple[Shot, ...]) -> Ruling[tuple[State, tuple[Shot, ...]]]:
    """Poorly trained indigenous troops, and local ones, need 3 or more on a d6 with their leaders' ratings to fire, one
    roll for each team and player turn, in however many parts it fires; a team that fails lets the opportunity pass, all
    of it. `fireforce small-arms`"""
    teams: dict[str, list[Shot]] = {}
    for shot in shots:
        man = figure(state, shot.shooter)
        if must_open_fire(state, man):
            unit = squad_of(state, man)
            name = man.id if unit is None else unit.id
            if unit is not None and len(unit.teams) > 1:
                name = f"{unit.id} {team_of(unit, man.id)}"
            teams.setdefault(name, []).append(shot)
    held: list[Shot] = []
    for name, same in teams.items():
        men = team_mates(state, figure(state, same[0].shooter))
        if any(man.fired in ("aimed", "prophylactic") for man in men):
            continue
        modifiers = _ratings(state, men[0])
        natural = min(max(tables_of(state).number("poor_troops_fire") - total(modifiers), 1), 7)
        rolled = yield from roll(
            "1d6",
            "open fire",
            subject=name,
            by=men[0].command,
            bands=[band for band in ((1, natural - 1, "holds"), (natural, 6, "fires")) if band[0] <= band[1]],
            modifiers=modifiers,
            rule=RULE,
            secret=any(is_hidden(state, figure(state, shot.shooter)) for shot in same),
        )
        state = fallen(rolled, state)
        if rolled.result == "holds":
            held.extend(same)
            state = yield from tell(FireHeld(figures=tuple(man.id for man in men if man.is_fit)))
    return state, tuple(shot for shot in shots if shot not in held)


def team_mates(state: State, man: Figure) -> tuple[Figure, ...]:
    """Those of his team who must bring themselves to fire with him, be they still fit or not."""
    unit = squad_of(state, man)
    if unit is None:
        return (man,)
    mates = unit.teams[team_of(unit, man.id)].members
    return tuple(
        mate for each in mates if has_figure(state, each) and must_open_fire(state, mate := figure(state, each))
    )


def must_open_fire(state: State, man: Figure) -> bool:
    """Whether he must bring himself to fire: indigenous, and poorly trained or local. `fireforce small-arms`"""
    if side_kind(state, man.side) != "indigenous":
        return False
    return LOCAL in man.traits or tables_of(state).quality(counts_as(state, man)).halves_fire


def _ratings(state: State, man: Figure) -> tuple[Modifier, ...]:
    """The Motivation Ratings that count for him, as for motivation."""
    unit = squad_of(state, man)
    if unit is None:
        return ()
    leaders = leaders_of(state, unit, team_of(unit, man.id))
    return tuple(Modifier(rating, name, "fireforce motivation-rating") for name, rating in leaders if rating)


def _fires(
    state: State,
    firing: Sequence[str],
    ambushers: Sequence[str],
    target: str,
    area: Sequence[Figure],
    aimed: bool,
) -> Ruling[State]:
    others = tuple(each for each in firing if each not in ambushers)
    at = figure(state, target).at

    def away(man: Figure) -> int:
        return distance(man.at, at)

    for men, from_ambush in ((tuple(ambushers), True), (others, False)):
        if men:
            state = yield from tell(
                Fired(
                    figures=men,
                    target=target,
                    area=tuple(man.id for man in area),
                    mode="aimed" if aimed else "prophylactic",
                    at=min((away(figure(state, each)), figure(state, each).at) for each in men)[1],
                    from_ambush=from_ambush,
                )
            )
    return state


def _comes_under_fire(state: State, area: Sequence[Figure]) -> Ruling[State]:
    """The teams of those fired at are under fire, hit or not. `fireforce motivation`"""
    teams: dict[str, set[str]] = {}
    for man in area:
        if man.squad:
            unit = squad(state, man.squad)
            if name := team_of(unit, man.id):
                teams.setdefault(unit.id, set()).add(name)
    if not teams:
        return state
    return (yield from tell(CameUnderFire(teams={key: tuple(sorted(teams[key])) for key in sorted(teams)})))


# The order


def check_fire(believed: Believed, seat: Seat, order: Fire) -> Iterable[Refusal]:
    """Men of one squad fire at an enemy in sight, each within range and line of sight. `fireforce firing`"""
    yield from repeated(order.figures, "figures")
    wrong = [*not_ours(believed, seat, order.figures, "figures", FIRING), *not_fit(believed, order.figures, "figures")]
    if wrong:
        yield from wrong
        return
    men = [figure(believed, each) for each in order.figures]
    if len({(man.command, man.squad) for man in men}) > 1:
        yield Refusal("Those who fire together are of one squad.", RULE, "figures")
        return
    if not men or not any(man.id == order.target for man in visible_enemies(believed, men[0].command)):
        yield Refusal("No such enemy is in sight.", "fireforce visibility", "target")
        return
    target = figure(believed, order.target)
    for man in men:
        shot = shot_at(believed, man, target, order.aimed)
        if isinstance(shot, str):
            rule = forbidden(believed, man, order.aimed)[1]
            yield Refusal(f"{name_of(believed, man.id)} {shot}.", rule or RULE, "figures")


def resolve_fire(state: State, seat: Seat, order: Fire) -> Ruling[State]:
    """The order's target is an alias of the giver's. `fireforce small-arms`"""
    target = true_id(state, seat.commands, order.target)
    if target is None:
        return state
    return (yield from fire(state, order.figures, target, order.aimed))


def fire_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a figure whom it may fire at, aimed or not; for a squad at each target who of it may."""
    if subject is None:
        return
    if has_figure(believed, subject):
        man = figure(believed, subject)
        if man.command not in seat.commands or not man.is_fit or has_ended(believed, man.command):
            return
        for aimed in (True, False):
            names = [target.id for target, _ in _targets(believed, man, aimed)]
            if names:
                slot = ChoiceSlot(name="target", label="At", choices=tuple(_choice(believed, each) for each in names))
                yield Form(
                    verb="Fire",
                    label=f"{_MANNER[aimed]} fire",
                    subject=(subject,),
                    fixed={"figures": [subject], "aimed": aimed},
                    slots=(slot,),
                    rule=RULE,
                    odds=True,
                )
        return
    unit = next((each for each in _squads(believed, seat) if each.id == subject), None)
    if unit is None:
        return
    for aimed in (True, False):
        at: dict[str, list[str]] = {}
        for man in members_of(believed, unit):
            for target, _ in _targets(believed, man, aimed):
                at.setdefault(target.id, []).append(man.id)
        for name, men in sorted(at.items()):
            slot = ChoiceSlot(
                name="figures",
                label="Who fires",
                choices=tuple(_choice(believed, each) for each in men),
                many=True,
                most=len(men),
            )
            yield Form(
                verb="Fire",
                label=f"{_MANNER[aimed]} fire at {name_of(believed, name)}",
                subject=(subject, name),
                fixed={"target": name, "aimed": aimed},
                slots=(slot,),
                rule=RULE,
                odds=True,
            )


_MANNER: Mapping[bool, str] = {True: "Aimed", False: "Prophylactic"}


def _squads(believed: Believed, seat: Seat) -> Iterable[Squad]:
    return (
        unit for unit in squads(believed) if unit.command in seat.commands and not has_ended(believed, unit.command)
    )


def _targets(believed: Believed, man: Figure, aimed: bool) -> list[tuple[Figure, Shot]]:
    enemies = visible_enemies(believed, man.command)
    found = zip(enemies, shots_at(believed, man, enemies, aimed), strict=True)
    return [(target, shot) for target, shot in found if isinstance(shot, Shot)]


def _choice(believed: Believed, piece: str) -> Choice:
    return Choice(id=piece, label=name_of(believed, piece), pieces=(piece,), at=figure(believed, piece).at)


def preview_fire(believed: Believed, seat: Seat, order: Fire) -> Preview:
    """The fire points with their working, and what is added to the d20."""
    shots = _shots(believed, by_place(believed, order.figures), order.target, order.aimed)
    made = fire_points(believed, shots)
    target = figure(believed, order.target)
    added = fire_modifiers(believed, shots, target)
    rows = ", ".join(map(str, tables_of(believed).rows_for(made.points)))
    area = target_area(believed, order.figures, target)
    notes = [f"row {rows} of the hit table", f"{total(added):+d} on the d20", f"{len(area)} in the target area"]
    if any(must_open_fire(believed, figure(believed, shot.shooter)) for shot in shots):
        notes.append("they must first bring themselves to fire")
    return Preview(cost=f"{made.points} fire points", notes=tuple(notes), modifiers=(*made.modifiers, *added))


handles(
    Fire,
    check=check_fire,
    resolve=resolve_fire,
    options=fire_forms,
    phases=("firing",),
    rule=RULE,
    preview=preview_fire,
)


# What is told of it


@notices(Fired)
def fire_from(before: State, event: Fired, after: State) -> Iterable[KnowledgeEvent]:
    """Those under fire from whom they do not see are told whence it comes: from the nearest of these to the nearest of
    themselves."""
    for name in after.commands:
        if name == figure(after, event.figures[0]).command:
            continue
        hit = [man for man in figures(after) if man.command == name and man.id in event.area]
        unseen = [
            figure(after, each)
            for each in event.figures
            if each not in after.public.pieces and alias_of(after, name, each) is None
        ]
        if hit and unseen:
            _, ear, at = min((distance(man.at, each.at), man.at, each.at) for man in hit for each in unseen)
            where = octant(ear, at)
            text = f"Fire from the {where}." if where else "Fire from close by."
            yield Told(command=name, report=Report(key="fire_from", values={"text": text}, rule=RULE))


@tells("fire_from")
def _fire_from(report: Report, state: State) -> LogLine:
    return LogLine(text=str(report.values["text"]), kind="fire", rule=report.rule)
