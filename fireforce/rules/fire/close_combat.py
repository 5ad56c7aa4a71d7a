"""Close combat: figures whose bases touch fight, man against man."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from fireforce.happening.fire import CloseCombatFought
from fireforce.happening.movement import MustWithdraw
from fireforce.happening.rulings import ask, fallen, tell
from fireforce.orders.checks import not_fit, not_ours
from fireforce.orders.dispatch import handles, replies
from fireforce.orders.orders import CloseCombat
from fireforce.rules.fire.fire_points import counts_as, in_contact, label_for, name_for, owner_of
from fireforce.rules.fire.saving_throws import pin
from fireforce.rules.men.losses import captured, casualty
from fireforce.rules.movement.marching import Way, first_within, march
from fireforce.state.battle import (
    Believed,
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    figure,
    figures,
    has_ended,
    has_figure,
    true_id,
    visible_enemies,
)
from fireforce.state.setting import ground_of, tables_of
from fireforce.table.going import Progress, spend
from fireforce.table.ranges import distance
from fireforce.words.naming import name_of
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Choice, Question, Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal, total

RULE = "fireforce close-combat"
KILLED, CAPTURED = "killed", "captured"
FIERCE = "fierce"
"""The trait of troops with a name for fierce fighting at close quarters."""
TURNS = (0, 45, -45, 90, -90, 135, -135)
"""Degrees by which a way back is tried to either side of the straight one."""


# The ruling


def close_combat(state: State, mover: str, target: str) -> Ruling[State]:
    """A figure of the side whose turn it is fights an enemy whose base it touches; both by true id. Several against one
    are fought one after the other, pair by pair. `fireforce close-combat`"""
    if not _can_fight(state, mover, target):
        return state
    scores: list[int] = []
    for piece in (mover, target):
        modifiers = fight_modifiers(state, figure(state, piece))
        made = yield from roll(
            "1d6", "close combat", subject=piece, by=owner_of(state, piece), modifiers=modifiers, rule=RULE
        )
        state = fallen(made, state)
        scores.append(made.total + total(modifiers))
    if not _can_fight(state, mover, target):
        return state
    row = tables_of(state).close_combat_result(scores[0] - scores[1])
    state = yield from tell(
        CloseCombatFought(figure=mover, target=target, score=scores[0], target_score=scores[1], result=row.key)
    )
    winner, loser = (mover, target) if scores[0] > scores[1] else (target, mover)
    if row.key == "draw":
        return (yield from _falls_back(state, mover, target))
    if row.key == "withdrawal":
        return (yield from tell(MustWithdraw(figure=loser)))
    return (yield from _is_beaten(state, winner, loser))


def _can_fight(state: State, mover: str, target: str) -> bool:
    """Both are there, fit, in contact, and neither has lost already: who must withdraw fights no more."""
    if not has_figure(state, mover) or not has_figure(state, target):
        return False
    man, other = figure(state, mover), figure(state, target)
    return not why_not(state, man) and not other.must_withdraw and other in in_contact(state, man)


def why_not(state: State, man: Figure) -> str:
    """Why a figure may not begin a close combat; "" where it may."""
    if not man.is_fit:
        return "is out of the battle"
    if man.must_withdraw:
        return "has lost a close combat and must withdraw"
    return "is pinned" if man.is_pinned else ""


def fight_modifiers(state: State, man: Figure) -> tuple[Modifier, ...]:
    """What is added to his d6. `fireforce close-combat`"""
    words = [
        word
        for word, holds in (
            ("elite", counts_as(state, man) == "elite" and not man.is_civilian),
            (FIERCE, FIERCE in man.traits),
            ("civilian", man.is_civilian),
        )
        if holds
    ]
    return tables_of(state).close_combat_modifiers(words)


def _falls_back(state: State, mover: str, target: str) -> Ruling[State]:
    """Even scores: the figure that moved falls back 3" and is pinned. What it meets on its way it meets as any mover
    does. `fireforce close-combat`, `fireforce mines`"""
    man = figure(state, mover)
    path = _way_back(state, man, figure(state, target).at)
    if path:
        made = Progress(path[-1], distance(man.at, path[-1]), Fraction(), (), complete=True)
        state = yield from march(state, [Way(figure=mover, path=path, manner="", why="close_combat", made=made)])
    if not figure(state, mover).is_fit:
        return state
    return (yield from pin(state, mover))


def _way_back(state: State, man: Figure, danger: Place) -> tuple[Place, ...]:
    """Straight away from the enemy, or as near to that as the ground and those whom its command sees there allow;
    nowhere where he cannot go."""
    ground = ground_of(state)
    back = tables_of(state).distance("close_combat_retreat")
    reach = back + 2  # the goal is rounded to whole hundredths, so the way may be a little longer
    away = math.atan2(man.at[1] - danger[1], man.at[0] - danger[0])
    foes = visible_enemies(state, man.command)
    friends = [
        other
        for other in figures(state)
        if other.is_fit
        and other.side == man.side
        and other.id != man.id
        and (other.command == man.command or other.is_placed or other.id in state.public.pieces)
    ]
    for turn in TURNS:
        angle = away + math.radians(turn)
        goal = (man.at[0] + round(back * math.cos(angle)), man.at[1] + round(back * math.sin(angle)))
        if not ground.is_on_table(goal):
            continue
        if spend(ground, (man.at, goal), {"good": reach, "bad": reach, "road": reach}).reached != goal:
            continue
        if any(distance(goal, other.at) < man.radius + other.radius for other in friends):
            continue
        if not any(_runs_into(man, goal, foe) for foe in foes):
            return (goal,)
    return ()


def _runs_into(man: Figure, goal: Place, foe: Figure) -> bool:
    """Whether the straight way to a place leads him into contact with an enemy, or leaves him in it."""
    reach = man.radius + foe.radius
    if distance(man.at, foe.at) <= reach:
        return distance(goal, foe.at) <= reach
    return first_within((man.at, goal), foe.at, reach, distance(man.at, goal)) is not None


def _is_beaten(state: State, winner: str, loser: str) -> Ruling[State]:
    """A loser by three or more is killed or captured, as the winner chooses."""
    command = owner_of(state, winner)
    name = name_for(state, command, loser)
    question = Question(
        kind="killed_or_captured",
        prompt=f"{label_for(state, command, loser)} is beaten: killed or captured?",
        choices=(Choice(id=CAPTURED, label=CAPTURED, pieces=(name,)), Choice(id=KILLED, label=KILLED, pieces=(name,))),
        default=(CAPTURED,),
        about=tuple(each for each in (figure(state, winner).squad,) if each),
        rule=RULE,
    )
    state, answer = yield from ask(command, question)
    if not has_figure(state, loser) or not figure(state, loser).is_fit:
        return state
    if answer[0] == CAPTURED:
        return (yield from captured(state, loser, command))
    return (yield from casualty(state, loser, figure(state, winner).side, "close_combat"))


@replies("killed_or_captured")
def reply_killed_or_captured(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """Troops moved by plans alone take prisoners; else the winner is asked."""
    part = next(iter(believed.commands.values()))
    return question.default if part.has_plans_only else None


# The order


def check_close_combat(believed: Believed, seat: Seat, order: CloseCombat) -> Iterable[Refusal]:
    """An own figure that is free to fight, and an enemy in sight whose base it touches. `fireforce close-combat`"""
    wrong = [*not_ours(believed, seat, [order.figure], "figure", RULE), *not_fit(believed, [order.figure], "figure")]
    if wrong:
        yield from wrong
        return
    man = figure(believed, order.figure)
    if why := why_not(believed, man):
        yield Refusal(f"{name_of(believed, man.id)} {why}.", RULE, "figure")
    others = {other.id: other for other in in_contact(believed, man)}
    if order.target not in others:
        yield Refusal("He touches no such enemy.", RULE, "target")
    elif others[order.target].must_withdraw:
        yield Refusal("This enemy has lost already and must withdraw.", RULE, "target")


def resolve_close_combat(state: State, seat: Seat, order: CloseCombat) -> Ruling[State]:
    """The order's target is an alias of the giver's. `fireforce close-combat`"""
    target = true_id(state, seat.commands, order.target)
    if target is None:
        return state
    return (yield from close_combat(state, order.figure, target))


def close_combat_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a figure the enemies whom it touches."""
    if subject is None or not has_figure(believed, subject):
        return
    man = figure(believed, subject)
    if man.command not in seat.commands or has_ended(believed, man.command) or why_not(believed, man):
        return
    others = [other for other in in_contact(believed, man) if not other.must_withdraw]
    if others:
        choices = tuple(
            Choice(id=other.id, label=name_of(believed, other.id), pieces=(other.id,), at=other.at) for other in others
        )
        yield Form(
            verb="CloseCombat",
            label="Fight",
            subject=(subject,),
            fixed={"figure": subject},
            slots=(ChoiceSlot(name="target", label="Against", choices=choices),),
            rule=RULE,
            odds=True,
        )


def preview_close_combat(believed: Believed, seat: Seat, order: CloseCombat) -> Preview:
    """What is added to both dice, as far as is known."""
    other = total(fight_modifiers(believed, figure(believed, order.target)))
    notes = (f"{other:+d} on the enemy's die, as far as you can tell",)
    return Preview(notes=notes, modifiers=fight_modifiers(believed, figure(believed, order.figure)))


handles(
    CloseCombat,
    check=check_close_combat,
    resolve=resolve_close_combat,
    options=close_combat_forms,
    phases=("close_combat",),
    rule=RULE,
    preview=preview_close_combat,
)
