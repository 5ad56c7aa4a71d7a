"""Claymore mines: deployed, fired at who comes within a hex, and gone when nobody guards them. `core 21.5`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lnl.board.ground import GROUND
from lnl.board.hexes import Place, distance
from lnl.happening.fire import OpsCompleted
from lnl.happening.rulings import offer, tell
from lnl.happening.works import WorkPlaced, WorkRemoved
from lnl.knowledge.sighting import is_adjacent
from lnl.orders.dispatch import handles, replies
from lnl.orders.orders import DeployClaymore
from lnl.rules.fire.damage_checks import check_damage, unit_lost
from lnl.rules.fire.target_modifiers import target_modifiers
from lnl.rules.fire.volley import exposed
from lnl.rules.hidden.spotting import is_unit_spotted
from lnl.rules.men.leaders import lent
from lnl.rules.movement.opposed import opposed
from lnl.rules.turn.operations_phase import acted, another_has_it, began, may_act
from lnl.rules.works.support_weapons import ELIGIBLE
from lnl.state.battle import Believed, State, Unit, Work
from lnl.state.finding import (
    carried,
    counter_of,
    has_kind,
    has_unit,
    has_weapon,
    is_locked,
    is_multi_man,
    is_open,
    present,
    standing_of,
    unit,
    units_in_hex,
    weapon,
    weapon_row,
    work,
    works,
    works_at,
)
from lnl.state.setting import tables_of
from lnl.words.naming import place_words
from umpire.kernel.forms import Form
from umpire.kernel.rulings import Choice, Question, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal

RULE = "core 21.5"
QUESTION = "claymore"
MAY_FIRE = ("leader", "commissar", "hero", "sniper", "advisor")
"""Single men who can set one off. `core 21.5`"""


# Setting one off


def window(state: State, movers: Sequence[str], at: Place, *, is_sheltered: bool = False) -> Ruling[State]:
    """Enemies have moved to where claymores reach: their owners may set them off, one after the other, before any
    opportunity fire. `is_sheltered`: from trench to trench. `core 21.5`, `core 21.6`"""
    declined: set[str] = set()
    while True:
        ready = [mine for mine in _within(state, movers, at) if mine.id not in declined]
        if not ready:
            return state
        standing = [mine for mine in ready if not _is_asked(state, mine)]
        if standing:
            chosen: str | None = standing[0].id
            if not _fires_by_itself(state, standing[0], at):
                declined.add(standing[0].id)
                continue
        else:
            state, chosen = yield from _offered(state, ready, at)
            if chosen is None:
                return state
        if chosen in {mine.id for mine in _within(state, movers, at)}:
            state = yield from _goes_off(state, chosen, movers, at, movers if is_sheltered else ())


def _within(state: State, movers: Sequence[str], at: Place) -> list[Work]:
    """The claymores that reach these movers, with somebody there who perceives them and can set it off."""
    there = present(state, movers)
    if not there:
        return []
    found = [
        mine
        for mine in works(state)
        if mine.kind == "claymore"
        and mine.side != there[0].side
        and distance(mine.at, (at[0], at[1])) == 1
        and is_adjacent(state, (*mine.at, GROUND), at)
        and guards(state, mine)
        and any(is_unit_spotted(state, mine.command, each.id) for each in there)
    ]
    return sorted(found, key=lambda mine: mine.id)


def guards(state: State, mine: Work) -> tuple[Unit, ...]:
    """Who in its hex can set a claymore off: Good Order MMCs, leaders, heroes, snipers, advisors, none of them
    locked in melee (L265). `core 21.5`, `core 8.1`"""
    there = (each for each in units_in_hex(state, mine.at, mine.side) if each.is_good_order)
    there = (each for each in there if not is_locked(state, each))
    return tuple(each for each in there if is_multi_man(state, each) or has_kind(state, each, *MAY_FIRE))


def _is_asked(state: State, mine: Work) -> bool:
    """Players are asked for what is open; standing orders answer for the hidden."""
    return is_open(state, mine.id) and all(is_open(state, each.id) for each in guards(state, mine))


def _fires_by_itself(state: State, mine: Work, at: Place) -> bool:
    orders = [standing_of(state, each) for each in guards(state, mine)]
    return any(each.fire == "free" and each.within >= 1 for each in orders)


def _offered(state: State, ready: Sequence[Work], at: Place) -> Ruling[tuple[State, str | None]]:
    questions: dict[str, Question] = {}
    for command in dict.fromkeys(mine.command for mine in ready):
        own = [mine for mine in ready if mine.command == command]
        questions[command] = Question(
            kind=QUESTION,
            prompt=f"Enemies enter {place_words(state, at)}. Set off a claymore?",
            choices=tuple(
                Choice(id=mine.id, label=f"Claymore in {place_words(state, mine.at)}", pieces=(mine.id,), at=mine.at)
                for mine in own
            ),
            rule=RULE,
        )
    state, taker, chosen = yield from offer(questions)
    return state, chosen[0] if taker is not None and chosen else None


def _goes_off(state: State, mine: str, movers: Sequence[str], at: Place, sheltered: Sequence[str]) -> Ruling[State]:
    """Firepower 0, with a leader's leadership if one is there, movement and Target Modifiers; then it is gone. It marks
    nobody. `core 21.5`, `core 4.1`"""
    found = work(state, mine)
    origin = (*found.at, GROUND)
    led = max((lent(state, each) for each in guards(state, found)), default=0)
    adds = [Modifier(0, "claymore", RULE)]
    if led:
        adds.append(Modifier(led, "leadership", RULE))
    adds.extend(exposed(state, present(state, movers)[0], sheltered))
    targets = {each.id: target_modifiers(state, each, origin) for each in present(state, movers)}
    state, differences = yield from opposed(state, "claymore", found.command, at, tuple(adds), targets, rule=RULE)
    state = yield from tell(WorkRemoved(work=mine))
    return (yield from check_damage(state, differences, by=found.command, cause="claymore"))


def unguarded(state: State) -> Ruling[State]:
    """Claymores in whose hex no friend is left are gone. `core 21.5`"""
    for mine in [each for each in works(state) if each.kind == "claymore"]:
        if not units_in_hex(state, mine.at, mine.side):
            state = yield from tell(WorkRemoved(work=mine.id))
    return state


@unit_lost.printed
def _guards_lost(rule: str, state: State, lost: Unit) -> Ruling[State]:
    return (yield from unguarded(state))


@replies(QUESTION)
def _reply(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """Standing orders: free to fire sets them off, hold does not, else the player is asked."""
    answers = []
    for choice in question.choices:
        orders = [standing_of(believed, each).fire for each in guards(believed, work(believed, choice.id))]
        if "free" in orders:
            return (choice.id,)
        answers.append(all(each == "hold" for each in orders))
    return () if answers and all(answers) else None


# Deploying one


def check_deploy(believed: Believed, seat: Seat, order: DeployClaymore) -> Iterable[Refusal]:
    """An MMC, or two single men together, deploys a claymore that one of them carries where none is yet. `core 21.5`"""
    if found := list(may_act(believed, seat, order.units)):
        yield from found
        return
    stack = [unit(believed, each) for each in order.units]
    held = {gun for each in stack for gun in carried(believed, each)}
    if order.weapon not in held or not has_weapon(believed, order.weapon):
        yield Refusal("None of them carries that.", RULE, "weapon")
        return
    if weapon_row(believed, weapon(believed, order.weapon)).use != "claymore":
        yield Refusal("That is no claymore.", RULE, "weapon")
    if any(each.is_shaken for each in stack):
        yield Refusal("Shaken units deploy nothing.", RULE, "units")
    is_team = len(stack) == 1 and is_multi_man(believed, stack[0])
    is_pair = len(stack) == 2 and all(_may_deploy_in_pair(believed, each) for each in stack)
    if not (is_team or is_pair):
        yield Refusal("One MMC or two single men deploy a claymore.", RULE, "units")
    there = [mine for mine in works_at(believed, stack[0].at, "claymore") if mine.side == stack[0].side]
    if len(there) >= tables_of(believed).number("claymores_in_a_hex"):
        yield Refusal("There is one in this hex already.", RULE, "units")


def _may_deploy_in_pair(state: State, each: Unit) -> bool:
    """Whether a man is one of two who deploy one: those who may crew a weapon, but no medic, chaplain, nurse or sniper.
    `core 21.5`, `core 1.6.2`"""
    return has_kind(state, each, *ELIGIBLE)


def deploy(state: State, seat: Seat, order: DeployClaymore) -> Ruling[State]:
    """The claymore stands in the hex; who deployed it is Ops Complete. `core 21.5`"""
    stack = present(state, order.units)
    if not stack or not has_weapon(state, order.weapon) or another_has_it(state, seat, stack[0].command):
        return state
    first = stack[0]
    ids = tuple(each.id for each in stack)
    gun = weapon(state, order.weapon)
    state = yield from began(state, seat, (first.at,), first.command)
    state = yield from acted(state, first.command, ids)
    placed = Work(
        id=gun.id, command=first.command, side=first.side, kind="claymore", at=(first.at[0], first.at[1]), strength=0
    )
    state = yield from tell(WorkPlaced(work=placed, is_open=is_open(state, first.id), weapon=gun.id))
    return (yield from tell(OpsCompleted(units=ids, why="claymore")))


def deploy_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    """For a unit that carries one: by itself, or with another man in its place."""
    if subject is None or not has_unit(believed, subject) or not carried(believed, unit(believed, subject)):
        return
    each = unit(believed, subject)
    for gun in carried(believed, each):
        if not has_weapon(believed, gun) or weapon_row(believed, weapon(believed, gun)).use != "claymore":
            continue
        mates = [other for other in units_in_hex(believed, each.at[:2], each.side) if other.id != each.id]
        teams = [(each.id,)] if is_multi_man(believed, each) else [(each.id, other.id) for other in mates]
        for team in teams:
            order = DeployClaymore(units=team, weapon=gun)
            if not any(check_deploy(believed, seat, order)):
                yield Form(
                    verb="DeployClaymore",
                    label="Deploy the claymore",
                    subject=(subject,),
                    fixed={"units": list(team), "weapon": gun},
                    note=" and ".join(counter_of(believed, unit(believed, mate)).name for mate in team),
                    rule=RULE,
                )


handles(
    DeployClaymore,
    check=check_deploy,
    resolve=deploy,
    options=deploy_forms,
    phases=("operations",),
    rule=RULE,
)
