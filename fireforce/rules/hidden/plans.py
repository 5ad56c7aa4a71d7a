"""Plans of hidden forces, one quantum in each player turn: they roll, they walk their legs, they react to contact, they
fire; what a plan does not answer is asked.

The umpire gives plans by his own hand, an indigenous player by `GivePlan`. `fireforce umpire`
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from fireforce.happening.movement import TeamMoved
from fireforce.happening.plans import PlanCarried, PlanChanged
from fireforce.happening.rulings import ask, tell
from fireforce.orders.dispatch import carries
from fireforce.rules.fire import small_arms
from fireforce.rules.fire.fire_points import Shot, shots_at
from fireforce.rules.hidden.ambush import spring
from fireforce.rules.hidden.blinds import march_card
from fireforce.rules.hidden.cards import card_share, leave_of
from fireforce.rules.hidden.reveal import beneath, stand_in
from fireforce.rules.hidden.spotting import may_be_off_table
from fireforce.rules.men.motivation import has_to_roll, hostiles, motivate_team
from fireforce.rules.men.organisation import is_gunner
from fireforce.rules.men.squads import leader_of
from fireforce.rules.men.surrender import surrender
from fireforce.rules.movement.advance import share, threats
from fireforce.rules.movement.allowance import Allowance, allowance, measured, rates
from fireforce.rules.movement.following import in_touch, on_table, ways_of
from fireforce.rules.movement.legs import Stage, advanced, at_leg, ended, halted, stage_of, withdrawing
from fireforce.rules.movement.marching import march
from fireforce.rules.movement.withdrawal import way_back, withdraw
from fireforce.rules.turn.turn_sequence import stamp
from fireforce.state.battle import (
    Card,
    Figure,
    Place,
    Plan,
    Squad,
    State,
)
from fireforce.state.finding import (
    card_over,
    cards,
    figure,
    has_squad,
    members_of,
    plan_of,
    squad,
    team_of,
)
from fireforce.state.setting import ground_of
from fireforce.table.ranges import base_to_base, distance
from fireforce.table.route import Route, route
from fireforce.table.sight import Eye, can_see
from fireforce.words.naming import name_of
from umpire.kernel.rulings import Choice, Question, Ruling

RULE = "fireforce umpire"
LEADING = ("platoon_commander", "platoon_sergeant", "leader", "assistant")


# Movement


@carries("motivation_movement")
def carry_movement(state: State, force: str) -> Ruling[State]:
    """One quantum of movement. Real squads roll for motivation as any others do, with dice that nobody sees; cards
    without men go as far as a squad that nothing holds back. `fireforce umpire`, `fireforce motivation`"""
    plan = plan_of(state, force)
    if plan is None:
        return state
    if not has_squad(state, force):
        each = next((each for each in cards(state) if each.id == force), None)
        if each is None:
            return state
        plan = _as_if_troops(state, plan, each)
        return (yield from _card_walks(state, plan, each) if plan.status == "running" else _carried(state, plan))
    unit = squad(state, force)
    for team in unit.teams:
        if has_to_roll(state, squad(state, force), team):
            state = yield from motivate_team(state, force, team, secret=True)
    men = [man.id for man in members_of(state, squad(state, force))]
    state = yield from surrender(state, men)
    dictated = [man for man in men if allowance(state, figure(state, man)).is_dictated]
    state = yield from withdraw(state, dictated)
    if dictated and _guide(state, plan, squad(state, force), threats(state, plan.command)) is None:
        state = yield from _carried(state, replace(plan, status="in_contact"))
        return (yield from _have_moved(state, force))
    state, plan = yield from _on_contact(state, plan, squad(state, force))
    if plan.status == "running":
        covered = card_over(state, force)
        if covered is not None:
            return (yield from _card_walks(state, plan, covered))
        state = yield from _gun_group_walks(state, plan, squad(state, force))
        state = yield from _squad_walks(state, plan, squad(state, force))
    else:
        state = yield from _carried(state, plan)
    return (yield from _have_moved(state, force))


def _carried(state: State, plan: Plan) -> Ruling[State]:
    """The plan as it stands after this quantum."""
    return (yield from tell(PlanCarried(plan=replace(plan, carried=stamp(state), step=plan.step + 1))))


def _have_moved(state: State, force: str) -> Ruling[State]:
    unit = squad(state, force)
    for team in unit.teams:
        if not squad(state, force).teams[team].has_moved and members_of(state, unit, team):
            state = yield from tell(TeamMoved(squad=force, team=team))
    return state


# Contact


def is_in_contact(state: State, plan: Plan, unit: Squad) -> bool:
    """Whether a force has been found or fired at, or an enemy whom its command has in sight stands in its line of sight
    within the range at which it would fire."""
    men = members_of(state, unit)
    if any(man.is_placed and may_be_off_table(state, man) for man in men) or any(
        team.is_under_fire or team.was_under_fire for team in unit.teams.values()
    ):
        return True
    return _faces_enemy(state, plan, men)


def _faces_enemy(state: State, plan: Plan, men: Sequence[Figure]) -> bool:
    foes = hostiles(state, plan.command)
    ground = ground_of(state)
    for man in men:
        near = [foe for foe in foes if base_to_base(man.at, foe.at, man.radius, foe.radius) <= plan.fire_range]
        if any(can_see(ground, Eye(man.at, man.radius), [Eye(foe.at, foe.radius) for foe in near])):
            return True
    return False


def _as_if_troops(state: State, plan: Plan, each: Card) -> Plan:
    """The plan of a card without men at contact: it does what troops beneath it would, or it could be told from
    theirs. `fireforce cards`"""
    ghost = stand_in(state, each)
    if plan.on_contact == "go_on" or not _faces_enemy(state, plan, (ghost,)):
        return replace(plan, status="running")
    if plan.on_contact == "withdraw":
        foes = threats(state, plan.command)
        back = plan.withdraw_to
        path = (back,) if back is not None else way_back(state, ghost, Allowance(withdraws="run"), foes)
        return replace(withdrawing(plan, path), status="running")
    return replace(plan, status="in_contact")


def _on_contact(state: State, plan: Plan, unit: Squad) -> Ruling[tuple[State, Plan]]:
    """What the plan says of contact: it holds while there is any, lies in ambush, withdraws, or goes on. An ambush that
    has been found before it was sprung is a question that no plan answers."""
    if not is_in_contact(state, plan, unit):
        return state, replace(plan, status="running")
    if plan.on_contact == "go_on":
        return state, replace(plan, status="running")
    if plan.on_contact == "withdraw":
        return state, replace(withdrawing(plan, _way_out(state, plan, unit)), status="running")
    men = members_of(state, unit)
    if (
        plan.on_contact == "ambush"
        and any(man.is_placed for man in men)
        and not any(man.has_fired_from_ambush for man in men)
    ):
        return (yield from _ambush_found(state, plan, unit))
    return state, replace(plan, status="in_contact")


def _ambush_found(state: State, plan: Plan, unit: Squad) -> Ruling[tuple[State, Plan]]:
    choices = (
        Choice(id="hold", label="Hold where they are"),
        Choice(id="withdraw", label="Withdraw"),
        Choice(id="go_on", label="Go on with the plan"),
    )
    question = Question(
        kind="plan_ambush_found",
        prompt=f"The ambush of {unit.name} has been found before it was sprung. What do they do?",
        choices=choices,
        default=("withdraw" if plan.withdraw_to is not None else "hold",),
        about=(unit.id,),
        rule=RULE,
    )
    state, answer = yield from ask(plan.command, question)
    now = plan_of(state, plan.force)
    if now is None:
        return state, replace(plan, status="stopped")
    if answer == ("withdraw",):
        changed = withdrawing(now, _way_out(state, now, unit))
    elif answer == ("go_on",):
        changed = replace(now, on_contact="go_on", status="running")
    else:
        changed = replace(now, on_contact="hold", status="in_contact")
    state = yield from tell(PlanChanged(plan=changed, why=f"ambush found: {answer[0]}"))
    return state, changed


def _way_out(state: State, plan: Plan, unit: Squad) -> tuple[Place, ...]:
    if plan.withdraw_to is not None:
        return (plan.withdraw_to,)
    men = members_of(state, unit)
    return way_back(state, men[0], Allowance(withdraws="run"), threats(state, plan.command)) if men else ()


# Legs


def _squad_walks(state: State, plan: Plan, unit: Squad) -> Ruling[State]:
    if plan.leg >= len(plan.legs):
        return (yield from _carried(state, ended(plan)))
    if plan.legs[plan.leg].pace == "halt":
        return (yield from _carried(state, halted(plan)))
    foes = threats(state, plan.command)
    guide = _guide(state, plan, unit, foes)
    if guide is None:
        return (yield from _carried(state, plan))
    stage = stage_of(plan, guide.at)
    if stage is None or not stage.path:
        return (yield from _carried(state, at_leg(plan, plan.leg + 1, 0)))
    length, blocked = _reach(state, guide, stage, foes)
    if blocked and length == 0:
        return (yield from _blocked(state, plan, unit.name))
    start = guide.at
    ways = ways_of(state, unit, _led(state, unit), guide, stage, length, foes)
    state = yield from march(state, ways)
    now = figure(state, guide.id)
    walked = now.distance - guide.distance if now.is_fit else 0
    state = yield from spring(state, [way.figure for way in ways])
    return (yield from _carried(state, advanced(plan, stage, start, walked)))


def _gun_group_walks(state: State, plan: Plan, unit: Squad) -> Ruling[State]:
    """A gun group that has been told a place goes there, whatever way the plan leads the others, and stays.
    `fireforce organisation`"""
    for name, team in unit.teams.items():
        if team.kind != "gun_group" or team.place is None:
            continue
        men = [man for man in members_of(state, unit, name) if _is_able(allowance(state, man))]
        gunner = next((man for man in men if is_gunner(state, man)), men[0] if men else None)
        if gunner is not None and gunner.at != team.place:
            stage, foes = Stage("tactical", (team.place,), ()), threats(state, plan.command)
            length, _ = _reach(state, gunner, stage, foes)
            ways = ways_of(state, unit, men, gunner, stage, length, foes)
            state = yield from march(state, ways)
            state = yield from spring(state, [way.figure for way in ways])
    return state


def _led(state: State, unit: Squad) -> list[Figure]:
    """Who goes where a plan leads: all who may go but the gun group, which has a place of its own."""
    return [
        man
        for man in members_of(state, unit)
        if unit.teams[team_of(unit, man.id)].kind != "gun_group" and _is_able(allowance(state, man))
    ]


def _guide(state: State, plan: Plan, unit: Squad, foes: Sequence[Place]) -> Figure | None:
    """Who leads the way: of the leaders of its teams, and then of all, the first who may go on; nobody who has lost
    touch. A team that stays does not keep the others. `fireforce motivation`"""
    led = _led(state, unit)
    body = in_touch(state, unit, led)
    able = [man for man in led if man.id in body]
    leaders = [man for name in unit.teams if (man := leader_of(state, unit, name)) is not None and man in able]
    for man in (*leaders, *able):
        stage = stage_of(plan, man.at)
        mates = [each for each in able if team_of(unit, each.id) == team_of(unit, man.id)]
        if stage is None or all(_may_go(state, each, man, stage, foes) for each in mates):
            return man
    return next(iter((*leaders, *able)), None)


def _may_go(state: State, man: Figure, guide: Figure, stage: Stage, foes: Sequence[Place]) -> bool:
    """Whether a man may go beside this guide at all."""
    allowed = allowance(state, man)
    if allowed.advance in ("full", "half"):
        return True
    dx, dy = man.at[0] - guide.at[0], man.at[1] - guide.at[1]
    beside = tuple(on_table(state, (x + dx, y + dy)) for x, y in stage.path)
    return share(state, man, beside, stage.manner, allowed, foes) > 0


def _is_able(allowed: Allowance) -> bool:
    return allowed.barred is None and not allowed.is_pinned and not allowed.is_dictated


def _reach(state: State, guide: Figure, stage: Stage, foes: Sequence[Place]) -> tuple[int, bool]:
    """How far the guide comes, and whether what ends his move is the ground and not the move."""
    limit = share(state, guide, stage.path, stage.manner, allowance(state, guide), foes)
    made = measured(state, (guide.at, *stage.path), stage.manner, limit)
    return made.distance, bool(limit) and not made.complete and made.spent < limit


def _blocked(state: State, plan: Plan, name: str) -> Ruling[State]:
    """The way ahead cannot be walked: a question that no plan answers."""
    question = Question(
        kind="plan_blocked",
        prompt=f"The way of {name} cannot be walked from here. What do they do?",
        choices=(
            Choice(id="hold", label="Stay where they are"),
            Choice(id="skip", label="Leave this leg out"),
        ),
        default=("hold",),
        about=(plan.force,),
        rule=RULE,
    )
    state, answer = yield from ask(plan.command, question)
    now = plan_of(state, plan.force)
    if now is None:
        return state
    if answer == ("skip",):
        return (yield from _carried(state, at_leg(now, plan.leg + 1, 0)))
    return (yield from _carried(state, replace(now, status="stopped")))


# Cards


def _card_walks(state: State, plan: Plan, each: Card) -> Ruling[State]:
    """A card goes along its legs; a dummy as far as troops whom nothing holds back. `fireforce cards`"""
    if plan.leg >= len(plan.legs):
        return (yield from _carried(state, ended(plan)))
    if plan.legs[plan.leg].pace == "halt":
        return (yield from _carried(state, halted(plan)))
    leave = leave_of(state, each)
    stage = stage_of(plan, each.at)
    if leave.barred is not None:
        return (yield from _carried(state, plan))
    if stage is None or not stage.path:
        return (yield from _carried(state, at_leg(plan, plan.leg + 1, 0)))
    fraction = card_share(state, each, stage.path, stage.manner, leave)
    if not fraction:
        return (yield from _carried(state, plan))
    made = measured(state, (each.at, *stage.path), stage.manner, fraction)
    if made.distance == 0:
        return (yield from _blocked(state, plan, name_of(state, each.id)))
    start = each.at
    men = [man.id for man in beneath(state, each)]
    state = yield from march_card(state, each.id, stage.path, stage.manner, fraction)
    state = yield from spring(state, men)
    after = next((one for one in cards(state) if one.id == each.id), None)
    if after is None:
        return (yield from _carried(state, replace(plan, status="done")))
    walked = made.distance if after.at == made.reached else distance(start, after.at)
    return (yield from _carried(state, advanced(plan, stage, start, walked)))


# Fire


@carries("firing")
def carry_fire(state: State, force: str) -> Ruling[State]:
    """A force fires as its plan says: at an enemy within its range, the kind it is told to choose first, those who can
    see him all together. An ambush holds its fire until then. `fireforce umpire`, `fireforce firing`"""
    plan = plan_of(state, force)
    if plan is None or not has_squad(state, force):
        return state
    men = members_of(state, squad(state, force))
    foes = [
        foe
        for foe in hostiles(state, plan.command)
        if plan.fire == "free"
        or any(base_to_base(man.at, foe.at, man.radius, foe.radius) <= plan.fire_range for man in men)
    ]
    if foes:
        for aimed in (True, False):
            chosen = _target(state, plan, men, foes, aimed)
            if chosen is not None:
                target, shooters = chosen
                return (yield from small_arms.fire(state, shooters, target, aimed))
    return state


def _target(
    state: State, plan: Plan, men: Sequence[Figure], foes: Sequence[Figure], aimed: bool
) -> tuple[str, tuple[str, ...]] | None:
    """At whom they fire and who does: of those wanted the one whom most of them can hit, the nearest first."""
    able: dict[str, list[str]] = {}
    for man in men:
        for foe, shot in zip(foes, shots_at(state, man, foes, aimed), strict=True):
            if isinstance(shot, Shot):
                able.setdefault(foe.id, []).append(man.id)
    if not able:
        return None
    by_id = {foe.id: foe for foe in foes}

    def worth(piece: str) -> tuple[int, int, int, str]:
        foe = by_id[piece]
        wanted = (plan.targets == "leaders" and foe.role in LEADING) or (
            plan.targets == "gunners" and foe.role == "gunner"
        )
        near = min(distance(man.at, foe.at) for man in men)
        return (0 if wanted else 1, -len(able[piece]), near, piece)

    best = min(able, key=worth)
    return best, tuple(able[best])


# Routes


def propose_route(state: State, force: str, goal: Place, weight: int = 4) -> Route | None:
    """A concealed way for a force to a goal: the cheapest going, where a stretch in sight of a known enemy counts
    `weight` times more for each. None where there is no way. `fireforce umpire`

    A proposal for whoever plans: its enemies are those that the force's command has in sight.
    """
    if has_squad(state, force):
        unit = squad(state, force)
        covered = card_over(state, force)
        men = members_of(state, unit)
        if covered is None and not men:
            return None
        start = covered.at if covered is not None else men[0].at
        command = unit.command
    else:
        each = next((each for each in cards(state) if each.id == force), None)
        if each is None:
            return None
        start, command = each.at, each.command
    lookers = sorted({foe.at for foe in hostiles(state, command)})
    return route(ground_of(state), start, goal, rates(state, "tactical"), observers=lookers, exposure=weight)
