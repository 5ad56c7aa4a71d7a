"""Motivation: will they go? A d6 and the squad's Motivation Number against the table; the desperate gamble."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import shapely

from fireforce.book.rows import MotivationResult, Quality
from fireforce.happening.events import GambleUsed, MotivationRolled
from fireforce.happening.rulings import fallen, tell
from fireforce.orders import orders
from fireforce.orders.checks import not_ours
from fireforce.orders.dispatch import at as at_moment
from fireforce.orders.dispatch import describes, handles
from fireforce.rules.hidden.spotting import first_in_sight_of
from fireforce.rules.men.organisation import has_squad, leader_of, platoon_commander, serves, team_named
from fireforce.state.battle import (
    Believed,
    Figure,
    Phase,
    Place,
    Squad,
    State,
)
from fireforce.state.finding import (
    commands_of,
    figures,
    members_of,
    squad,
    squad_of,
    squads,
    team_of,
    visible_enemies,
)
from fireforce.state.setting import ground_of, setting_of, tables_of
from fireforce.table.ground import Ground
from fireforce.table.ranges import BASE_RADIUS, base_to_base, nearest
from fireforce.table.sight import Eye, sights
from fireforce.words.describe import name_of
from umpire.kernel.forms import Form
from umpire.kernel.registry import LogLine, Preview
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal, total

RULE = "fireforce motivation"
WHEN: tuple[Phase, ...] = ("motivation_movement",)

Bands = tuple[tuple[int, int, str], ...]


# Who rolls


def needs_motivation(state: State, man: Figure) -> bool:
    """Whether a figure goes only if motivated: not one with a positive rating, nor special forces, nor those of a squad
    that needs no motivation. `fireforce special-motivation`"""
    unit = squad_of(state, man)
    if unit is None or unit.has_special_motivation or "special_forces" in (*man.traits, *unit.traits):
        return False
    return (man.motivation_rating or 0) <= 0


def rollers(state: State, unit: Squad, team: str) -> tuple[Figure, ...]:
    """The fit figures for whom a team rolls: those who rolled with others, and have joined since, have their own."""
    own = unit.teams[team].own
    return tuple(man for man in members_of(state, unit, team) if man.id in own)


def rolls(state: State, unit: Squad, team: str) -> bool:
    """Whether a team has anybody who must be motivated. `fireforce special-motivation`"""
    return any(needs_motivation(state, man) for man in rollers(state, unit, team))


def has_to_roll(state: State, unit: Squad, team: str) -> bool:
    """Whether a team has still to be rolled for in this player turn. `fireforce motivation`"""
    now = unit.teams[team]
    return not now.result and not now.has_moved and rolls(state, unit, team)


def result_row(state: State, result: str) -> MotivationResult:
    """The row of a result. Raises KeyError."""
    return setting_of(state).book.table("motivation_results", MotivationResult)[result]


# What counts


def conditions_of(state: State, unit: Squad, team: str, *, is_gamble: bool = False) -> tuple[str, ...]:
    """The printed conditions that hold for a team, keys of the table. Enemies are those that one of its men sees,
    gunfire what they have heard since their side's last player turn, and what was fired at them from however far.
    `fireforce motivation`"""
    found: list[str] = []
    if state.public.weather == "rain":
        found.append("raining")
    if unit.teams[team].is_under_fire or (is_gamble and unit.teams[team].was_under_fire):
        found.append("under_fire")
    if is_team_in_cover(state, unit, team):
        found.append("in_cover")
    is_quiet = "under_fire" not in found and not has_heard_gunfire(state, unit, team)
    if is_quiet and not sees_hostiles(state, unit, team):
        found.append("no_hostiles")
    if is_gamble:
        found.append("desperate_gamble")
    return tuple(found)


def hostiles(state: State, command: str) -> tuple[Figure, ...]:
    """The enemies that a command has in sight on the table, civilians aside."""
    return tuple(man for man in visible_enemies(state, command) if not man.is_civilian)


def hostile_nearest_to(state: State, at: Place, men: Sequence[Figure]) -> Figure | None:
    """The enemy nearest to a place of those whom one of these men has in sight: of those that their command knows on
    the table, whoever one of them has a line of sight to. Who stands there, and the ground between, its player sees.
    `fireforce motivation`"""
    foes = hostiles(state, men[0].command) if men else ()
    return first_in_sight_of(state, sorted(foes, key=lambda foe: math.dist(foe.at, at)), men)


def sees_hostiles(state: State, unit: Squad, team: str) -> bool:
    """Whether a team's own men have an enemy in sight. `fireforce motivation`"""
    men = rollers(state, unit, team)
    return bool(men) and hostile_nearest_to(state, men[0].at, men) is not None


def has_heard_gunfire(state: State, unit: Squad, team: str) -> bool:
    """Whether a team has heard gunfire in this player turn or in any since its own side's last."""
    heard = max(unit.teams[team].heard_fire, state.commands[unit.command].heard_fire)
    return heard > 0 and heard > state.public.player_turn - max(len(state.public.order), 1)


def is_team_in_cover(state: State, unit: Squad, team: str) -> bool:
    """Whether at least half of a team's men are in cover (house), of the ground or against whom the team sees."""
    men, ground = rollers(state, unit, team), ground_of(state)
    in_it = [man for man in men if ground.cover_at(man.at) != "none"]
    beside = [man for man in men if man not in in_it and _is_beside_cover(ground, man.at)]
    covered, left = len(in_it), len(beside)
    for man in beside:
        # Whom the team sees is dear to tell: it is asked only for as long as it matters.
        if 2 * covered >= len(men) or 2 * (covered + left) < len(men):
            break
        foe = hostile_nearest_to(state, man.at, men)
        covered, left = covered + (foe is not None and _covers_against(ground, man.at, foe.at)), left - 1
    return bool(men) and 2 * covered >= len(men)


def is_in_cover(ground: Ground, at: Place, foes: Sequence[Place]) -> bool:
    """Whether a place gives cover: of itself, or against the nearest of the enemies in sight."""
    if ground.cover_at(at) != "none":
        return True
    closest = nearest(foes, at)
    return closest is not None and _is_beside_cover(ground, at) and _covers_against(ground, at, foes[closest])


def _covers_against(ground: Ground, at: Place, foe: Place) -> bool:
    return sights(ground, Eye(foe), [Eye(at)])[0].cover != "none"


def _is_beside_cover(ground: Ground, at: Place) -> bool:
    """Whether a wall, a hedge or the edge of cover is near enough to lie behind; remembered."""
    place, reach = shapely.Point(at), ground.cover_reach + BASE_RADIUS + 1
    return ground.places.get(
        ("beside cover", at),
        lambda: bool(
            len(ground.barrier_tree.query(place, predicate="dwithin", distance=reach))
            or len(ground.area_tree.query(place, predicate="dwithin", distance=reach))
        ),
    )


def leaders_of(state: State, unit: Squad, team: str) -> tuple[tuple[str, int], ...]:
    """Names and ratings of those whose Motivation Rating counts: the team's own leader, the platoon commander of a
    squad under his control, and characters attached to it. `fireforce motivation-rating`"""
    found: list[Figure] = []
    leader = leader_of(state, unit, team)
    if leader is not None:
        found.append(leader)
    commander = platoon_commander(state, unit.command)
    if commander is not None and unit.is_under_platoon_control:
        found.append(commander)
    found.extend(attached(state, unit, team))
    counted: dict[str, Figure] = {man.id: man for man in found if man.motivation_rating is not None}
    return tuple((name_of(state, man.id), man.motivation_rating or 0) for man in counted.values())


def attached(state: State, unit: Squad, team: str) -> tuple[Figure, ...]:
    """The characters attached to a team: others with a rating, within reach of one of its men, each attached to one
    squad only. `fireforce motivation-rating`"""
    return tuple(
        man
        for man in figures(state)
        if man.is_fit
        and man.motivation_rating is not None
        and serves(state, man, unit.command)
        and man.role not in ("leader", "assistant", "platoon_commander")
        and attached_to(state, man) == (unit.id, team)
    )


def attached_to(state: State, man: Figure) -> tuple[str, str] | None:
    """The squad and team to which a character is attached: the nearest within reach, his own only where there is no
    other; far from them all he is with nobody but himself. `fireforce motivation-rating`"""
    reach = tables_of(state).distance("attachment")
    best: tuple[bool, int, str, str] | None = None
    for unit in squads(state):
        if not serves(state, man, unit.command):
            continue
        for mate in members_of(state, unit):
            gap = base_to_base(man.at, mate.at, man.radius, mate.radius)
            found = (unit.id == man.squad, gap, unit.id, team_of(unit, mate.id))
            if mate.id != man.id and gap <= reach and (best is None or found < best):
                best = found
    if best is not None:
        return best[2], best[3]
    own = squad_of(state, man)
    team = team_of(own, man.id) if own is not None else ""
    is_alone = own is not None and team and [mate.id for mate in members_of(state, own, team)] == [man.id]
    return (own.id, team) if own is not None and is_alone else None


def rolls_as(state: State, unit: Squad, team: str, *, is_gamble: bool = False) -> Quality:
    """The quality with which a team rolls: a second roll is made as the first was. `fireforce desperate-gamble`"""
    rolling = unit.teams[team]
    return tables_of(state).dropped(unit.quality, rolling.was_dropped if is_gamble else rolling.dropped)


def motivation_modifiers(state: State, unit: Squad, team: str, *, is_gamble: bool = False) -> tuple[Modifier, ...]:
    """All that is added to the d6 of a team, each with its reason: its command could have listed them.
    `fireforce motivation`"""
    return tables_of(state).motivation_modifiers(
        rolls_as(state, unit, team, is_gamble=is_gamble),
        casualties=unit.casualties,
        conditions=conditions_of(state, unit, team, is_gamble=is_gamble),
        leaders=leaders_of(state, unit, team),
    )


def motivation_bands(state: State, quality: Quality, modifier: int) -> Bands:
    """Faces of the d6 that give each result, for exact odds. `fireforce motivation`"""
    found: list[tuple[int, int, str]] = []
    for face in range(1, 7):
        result = tables_of(state).motivation_result(face + modifier, state.public.hour, quality).key
        if found and found[-1][2] == result:
            found[-1] = (found[-1][0], face, result)
        else:
            found.append((face, face, result))
    return tuple(found)


# The roll


def motivate_team(
    state: State, unit: str, team: str, *, is_gamble: bool = False, secret: bool = False, subject: str = ""
) -> Ruling[State]:
    """Rolls for a team: its result, and what it counts as from now on. `fireforce motivation`

    Cracking or worse lowers these troops from their printed quality, once; Faltering or better restores them.
    """
    troops = squad(state, unit)
    modifiers = motivation_modifiers(state, troops, team, is_gamble=is_gamble)
    made = yield from roll(
        "1d6",
        "motivation",
        subject=subject or unit,
        by=troops.command,
        bands=motivation_bands(state, rolls_as(state, troops, team, is_gamble=is_gamble), total(modifiers)),
        modifiers=modifiers,
        rule=RULE,
        secret=secret,
    )
    state = fallen(made, state)
    troops = squad(state, unit)
    dropped = 0
    if result_row(state, made.result).drops_quality:
        before = troops.teams[team].was_dropped if is_gamble else troops.teams[team].dropped
        dropped = max(before, tables_of(state).levels_dropped(flakey=troops.is_flakey))
    return (
        yield from tell(
            MotivationRolled(
                squad=unit,
                team=team,
                result=made.result,
                score=made.total + total(modifiers),
                dropped=dropped,
                is_gamble=is_gamble,
            )
        )
    )


def check_motivate(believed: Believed, seat: Seat, order: orders.Motivate) -> Iterable[Refusal]:
    """Each team rolls once a turn, if anybody in it needs to. `fireforce motivation`"""
    if found := list(_named_team(believed, seat, order.squad, order.team)):
        return found
    unit = squad(believed, order.squad)
    team = team_named(unit, order.team) or ""
    if unit.teams[team].result:
        return [Refusal(f"{unit.name} has been rolled for in this turn.", RULE, "squad")]
    if unit.teams[team].has_moved:
        return [Refusal(f"{unit.name} has moved; its motivation comes first.", RULE, "squad")]
    if not rolls(believed, unit, team):
        return [Refusal(f"{unit.name} needs no motivation.", "fireforce special-motivation", "squad")]
    return []


def _named_team(believed: Believed, seat: Seat, piece: str, name: str) -> Iterator[Refusal]:
    yield from not_ours(believed, seat, [piece], "squad", RULE)
    if not has_squad(believed, piece):
        yield Refusal(f"{piece!r} is no squad of yours.", RULE, "squad")
        return
    unit = squad(believed, piece)
    team = team_named(unit, name)
    if team is None:
        what = f"There is no team {name!r}" if name else f"{unit.name} has split: name the team"
        yield Refusal(f"{what}; there are: {', '.join(unit.teams)}.", RULE, "team")
    elif not members_of(believed, unit, team):
        yield Refusal("None of these men is fit.", RULE, "team")


def motivate(state: State, seat: Seat, order: orders.Motivate) -> Ruling[State]:
    """One squad is rolled for and moved before the next: what another squad has not done by now it does not do, but
    for what its own roll makes it do. `fireforce motivation`"""
    from fireforce.rules.movement.withdrawal import close_moves

    unit = squad(state, order.squad)
    team = team_named(unit, order.team)
    if team is None or not members_of(state, unit, team):
        return state
    state = yield from close_moves(state, unit.command, but=unit.id)
    return (yield from motivate_team(state, unit.id, team))


# The desperate gamble


def gambler(state: State, unit: Squad, team: str) -> Figure | None:
    """The leader who may urge a team on: one with a positive rating who has not done so in this battle.
    `fireforce desperate-gamble`"""
    leader = leader_of(state, unit, team)
    if leader is None or (leader.motivation_rating or 0) <= 0 or leader.has_gambled:
        return None
    return leader if leader.id in unit.teams[team].own else None


def check_gamble(believed: Believed, seat: Seat, order: orders.DesperateGamble) -> Iterable[Refusal]:
    """After the first roll and before anybody has moved, once for each leader and battle.
    `fireforce desperate-gamble`"""
    rule = "fireforce desperate-gamble"
    if not setting_of(believed).options.desperate_gamble:
        return [Refusal("The desperate gamble is not played in this battle.", rule)]
    if found := list(_named_team(believed, seat, order.squad, order.team)):
        return found
    unit = squad(believed, order.squad)
    team = team_named(unit, order.team) or ""
    men = rollers(believed, unit, team)
    if not unit.teams[team].result:
        return [Refusal(f"{unit.name} has not been rolled for yet.", rule, "squad")]
    if unit.teams[team].has_moved or any(man.moved for man in men):
        return [Refusal(f"{unit.name} has moved.", rule, "squad")]
    leader = leader_of(believed, unit, team)
    if leader is None or (leader.motivation_rating or 0) <= 0:
        return [Refusal("Only a leader with a positive rating can urge his men on.", rule, "squad")]
    if leader.id not in unit.teams[team].own:
        return [Refusal("The men for whom he was rolled have joined others since.", rule, "squad")]
    if leader.has_gambled:
        return [Refusal(f"{leader.name or 'The leader'} has had his one gamble.", rule, "squad")]
    return []


def gamble(state: State, seat: Seat, order: orders.DesperateGamble) -> Ruling[State]:
    """A second roll with a modifier of its own; it counts, better or worse. `fireforce desperate-gamble`"""
    unit = squad(state, order.squad)
    team = team_named(unit, order.team)
    leader = gambler(state, unit, team) if team is not None else None
    if team is None or leader is None:
        return state
    state = yield from tell(GambleUsed(figure=leader.id))
    return (yield from motivate_team(state, unit.id, team, is_gamble=True))


# The end of the phase


@at_moment("motivation_movement", "ends")
def roll_for_the_rest(state: State) -> Ruling[State]:
    """Whoever has not been rolled for when the phase ends is rolled for then: each squad rolls.
    `fireforce motivation`"""
    from fireforce.rules.movement.withdrawal import close_moves

    for command in commands_of(state, state.public.active):
        is_hidden = not setting_of(state).commands[command].is_open
        for unit in [each for each in squads(state) if each.command == command]:
            for team in unit.teams:
                if has_to_roll(state, squad(state, unit.id), team):
                    # What follows by itself has no number in the names of its dice: the turn makes them differ.
                    subject = f"{unit.id} {team} turn {state.public.turn}"
                    state = yield from motivate_team(state, unit.id, team, secret=is_hidden, subject=subject)
        state = yield from close_moves(state, command)
    return state


# Forms and words


def _teams(believed: Believed, seat: Seat, subject: str | None) -> Iterator[tuple[Squad, str, str]]:
    if subject is None or not has_squad(believed, subject):
        return
    unit = squad(believed, subject)
    if unit.command not in seat.commands:
        return
    for name in unit.teams:
        yield unit, name, f" ({name})" if len(unit.teams) > 1 else ""


def motivate_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """A roll for each team that has not rolled."""
    for unit, name, which in _teams(believed, seat, subject):
        if not check_motivate(believed, seat, orders.Motivate(squad=unit.id, team=name)):
            yield Form(
                verb="Motivate",
                label=f"Roll for motivation{which}",
                subject=(unit.id,),
                fixed={"squad": unit.id, "team": name},
                rule=RULE,
                odds=True,
            )


def gamble_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """A gamble for each team whose leader has one left."""
    for unit, name, which in _teams(believed, seat, subject):
        if not check_gamble(believed, seat, orders.DesperateGamble(squad=unit.id, team=name)):
            yield Form(
                verb="DesperateGamble",
                label=f"Desperate gamble{which}",
                subject=(unit.id,),
                fixed={"squad": unit.id, "team": name},
                note="The second roll counts, better or worse.",
                rule="fireforce desperate-gamble",
                odds=True,
            )


def preview_motivate(believed: Believed, seat: Seat, order: orders.Motivate | orders.DesperateGamble) -> Preview:
    """What is added to the die, and which faces give which result."""
    unit = squad(believed, order.squad)
    team = team_named(unit, order.team) or ""
    is_gamble = isinstance(order, orders.DesperateGamble)
    modifiers = motivation_modifiers(believed, unit, team, is_gamble=is_gamble)
    notes = [
        f"{low} to {high}: {result_row(believed, result).name}"
        if low != high
        else f"{low}: {result_row(believed, result).name}"
        for low, high, result in motivation_bands(
            believed, rolls_as(believed, unit, team, is_gamble=is_gamble), total(modifiers)
        )
    ]
    return Preview(cost=f"1d6 {total(modifiers):+d}", notes=tuple(notes), modifiers=modifiers)


@describes(MotivationRolled)
def _motivation_rolled(event: MotivationRolled, state: State) -> LogLine:
    unit = squad(state, event.squad)
    which = f" ({event.team})" if len(unit.teams) > 1 else ""
    text = f"{unit.name}{which}: {result_row(state, event.result).name} ({event.score})."
    if event.dropped:
        now = tables_of(state).quality(tables_of(state).dropped(unit.quality, event.dropped)).name
        text = f"{text[:-1]}; counts as {now}."
    return LogLine(text=text, kind="motivation", rule=RULE, pieces=(event.squad,))


@describes(GambleUsed)
def _gamble_used(event: GambleUsed, state: State) -> LogLine:
    text = f"{name_of(state, event.figure)} urges his men on."
    return LogLine(text=text, kind="motivation", rule="fireforce desperate-gamble", pieces=(event.figure,))


handles(
    orders.Motivate,
    check=check_motivate,
    resolve=motivate,
    options=motivate_forms,
    phases=WHEN,
    rule=RULE,
    preview=preview_motivate,
)
handles(
    orders.DesperateGamble,
    check=check_gamble,
    resolve=gamble,
    options=gamble_forms,
    phases=WHEN,
    rule="fireforce desperate-gamble",
    preview=preview_motivate,
)
