"""Target selection: who of the target takes the hits, and which of them the firer may choose.

The target's player spreads the other hits evenly; then the firer says whom his potential critical hits are meant for,
whatever the spread, or forgoes them, and the target's player spreads those too. Standing orders answer both where
nobody is to be asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from fireforce.book.rows import Quality
from fireforce.happening.fire import HitsAllocated
from fireforce.happening.rulings import ask, fallen, tell
from fireforce.orders.dispatch import replies
from fireforce.rules.fire.fire_points import covers_from, label_for, name_for, owner_of
from fireforce.state.battle import (
    Believed,
    CommandPart,
    Figure,
    Standing,
    State,
)
from fireforce.state.finding import (
    figure,
    has_figure,
    visible_enemies,
)
from fireforce.state.setting import setting_of, tables_of
from fireforce.words.naming import name_of
from umpire.kernel.rulings import Choice, Question, Ruling, draw, roll
from umpire.kernel.values.modifiers import Modifier, total

RULE = "fireforce target-selection"
SNIPERS = "fireforce snipers"
FORGO = "forgo"

Selector = Quality | Literal["sniper"]
"""Whose row of the table counts: that of the firers' quality, or the snipers'."""

ORDER_OF_LOSS = ("rifleman", "civilian", "gunner", "assistant", "platoon_sergeant", "leader", "platoon_commander")


def potential_criticals(state: State, hits: int, quality: Selector, aimed: bool) -> int:
    """How many hits the firer may try to direct: none of prophylactic fire. `fireforce target-selection`"""
    return tables_of(state).potential_criticals(hits, quality) if aimed and hits else 0


def allocate(
    state: State,
    command: str,
    shooters: Sequence[str],
    target: str,
    area: Sequence[str],
    hits: int,
    quality: Selector,
    criticals: int,
) -> Ruling[tuple[State, Mapping[str, int]]]:
    """Who of the area takes the hits: how many for each figure. `fireforce target-selection`"""
    state, spread = yield from _others(state, target, area, hits - criticals, ())
    state, chosen, lost = yield from _criticals(state, command, shooters, target, area, quality, criticals, spread)
    state, spread = yield from _others(state, target, area, criticals - len(chosen) - lost, spread)
    counted: dict[str, int] = {}
    for man in (*spread, *chosen):
        if has_figure(state, man):
            counted[man] = counted.get(man, 0) + 1
    if counted:
        every = tuple(man for man, times in counted.items() for _ in range(times))
        state = yield from tell(HitsAllocated(target=target, figures=every, criticals=tuple(chosen)))
    return state, counted


# Critical hits


def _criticals(
    state: State,
    command: str,
    shooters: Sequence[str],
    target: str,
    area: Sequence[str],
    quality: Selector,
    criticals: int,
    spread: Sequence[str],
) -> Ruling[tuple[State, list[str], int]]:
    """The figures that critical hits strike, and how many were tried in vain and are lost. A sniper's strike without a
    roll. `fireforce target-selection`, `fireforce snipers`"""
    chosen: list[str] = []
    lost = 0
    for number in range(1, criticals + 1):
        in_sight = {man.id for man in visible_enemies(state, command)}  # the umpire may have hidden one meanwhile
        there = [man for man in _left(state, area) if man.id in in_sight]
        if not there:
            break
        # By the names that its command knows: the order of true ids would tell one unseen again from another.
        names = dict(sorted((name_for(state, command, man.id), man) for man in there))
        numbers = _numbers(state, shooters, there, quality)
        of = f" {number} of {criticals}" if criticals > 1 else ""
        question = Question(
            kind="critical",
            prompt=f"Potential critical hit{of}: at whom?",
            choices=(
                *(
                    _choice(
                        state,
                        command,
                        name,
                        man,
                        numbers[man.id],
                        (*spread, *chosen).count(man.id),
                    )
                    for name, man in names.items()
                ),
                Choice(id=FORGO, label="forgo the critical", note="the target's player allocates the hit"),
            ),
            default=_default(names, target) if quality == "sniper" else (FORGO,),
            about=_about(state, shooters),
            rule=SNIPERS if quality == "sniper" else RULE,
        )
        state, answer = yield from ask(command, question)
        if answer[0] == FORGO:
            continue
        man = names[answer[0]].id
        if not has_figure(state, man):
            continue
        needed, modifiers = numbers[man]
        if needed is None:
            chosen.append(man)
            continue
        natural = needed - total(modifiers)
        made = yield from roll(
            "1d10",
            "critical",
            subject=str(number),
            by=command,
            bands=[band for band in ((1, natural - 1, "lost"), (natural, 10, "hit")) if band[0] <= band[1]],
            modifiers=modifiers,
            rule=RULE,
        )
        state = fallen(made, state)
        if made.result == "hit":
            chosen.append(man)
        else:
            lost += 1
    return state, chosen, lost


def _numbers(
    state: State, shooters: Sequence[str], there: Sequence[Figure], quality: Selector
) -> Mapping[str, tuple[int | None, tuple[Modifier, ...]]]:
    """What a critical hit on each figure needs on a d10, and what bears on it: one more where he is in hard cover and
    others of the target are not, each against the nearest of those who fire. None where it needs no roll."""
    tables = tables_of(state)
    needed = tables.critical_number(quality)
    if needed is None:
        return {man.id: (None, ()) for man in there}
    firers = [figure(state, each) for each in shooters if has_figure(state, each)]
    covers = covers_from(state, firers, there)
    covered = {man.id for man, cover in zip(there, covers, strict=True) if cover == "hard"}
    harder: tuple[Modifier, ...] = ()
    if covered and len(covered) < len(there):
        more = tables.number("critical_hard_cover")
        origin = tables.book.origin("numbers", "critical_hard_cover", "value")
        harder = (Modifier(-more, "in hard cover, others are not", origin.source, origin.status),)
    return {man.id: (needed, harder if man.id in covered else ()) for man in there}


def _default(names: Mapping[str, Figure], target: str) -> tuple[str, ...]:
    """A sniper's hits are for the one at whom he fired, if he is still there."""
    return (next((name for name, man in names.items() if man.id == target), FORGO),)


def _choice(
    state: State, command: str, name: str, man: Figure, number: tuple[int | None, tuple[Modifier, ...]], hits: int
) -> Choice:
    has = f"; {hits} {'hit' if hits == 1 else 'hits'} on him already" if hits else ""
    needed = "no roll" if number[0] is None else f"{number[0] - total(number[1])}+ on a d10, or the hit is lost"
    return Choice(
        id=name,
        label=label_for(state, command, man.id),
        note=f"{needed}{has}",
        pieces=(name,),
        at=man.at,
    )


# The other hits


def _others(
    state: State, target: str, area: Sequence[str], hits: int, before: Sequence[str]
) -> Ruling[tuple[State, list[str]]]:
    """Spreads hits over the area, beside those spread before: nobody takes a second before all have one. The target's
    player chooses, or with the option chance does."""
    taken = list(before)
    number = 0
    while hits > 0:
        left = [man.id for man in _left(state, area)]
        fewest = min((taken.count(man) for man in left), default=0)
        there = [man for man in left if taken.count(man) == fewest]
        if not there:
            break
        if hits >= len(there):
            taken.extend(there)
            hits -= len(there)
        elif setting_of(state).options.random_hits:
            for _ in range(hits):
                number += 1
                by = owner_of(state, target)
                man = yield from draw(there, "hit", subject=str(len(before) + number), by=by, rule=RULE)
                taken.append(man)
                there.remove(man)
            hits = 0
        else:
            state, answer = yield from _ask_for(state, target, there, hits)
            taken.extend(answer)
            hits = 0
    return state, taken


def _ask_for(state: State, target: str, there: Sequence[str], hits: int) -> Ruling[tuple[State, tuple[str, ...]]]:
    men = [figure(state, each) for each in there]
    question = Question(
        kind="losses",
        prompt=f"{hits} {'hit' if hits == 1 else 'hits'}: on whom?",
        choices=tuple(Choice(id=man.id, label=name_of(state, man.id), pieces=(man.id,), at=man.at) for man in men),
        default=riflemen_first(men)[:hits],
        least=hits,
        most=hits,
        about=_about(state, (target,)),
        rule=RULE,
    )
    return (yield from ask(owner_of(state, target), question))


def riflemen_first(men: Sequence[Figure]) -> tuple[str, ...]:
    """Figures in the order in which they are given up: riflemen before gunners before leaders."""
    return tuple(man.id for man in sorted(men, key=lambda man: ORDER_OF_LOSS.index(man.role)))


def _left(state: State, area: Sequence[str]) -> list[Figure]:
    """Those of the area who are still there: the umpire may have taken one away while a question waited."""
    return [man for each in area if has_figure(state, each) and (man := figure(state, each)).is_fit]


def _about(state: State, pieces: Sequence[str]) -> tuple[str, ...]:
    squads = {figure(state, each).squad for each in pieces if has_figure(state, each)}
    return tuple(sorted(squads - {""}))


# Standing orders


@replies("critical")
def reply_critical(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """Takes critical hits at gunners and whoever else has the heaviest weapon, or forgoes them."""
    part, standing = _standing(believed, question)
    if standing is None:
        return question.default if part.has_plans_only else None
    if standing.criticals == "ask":
        return None
    names = [choice.id for choice in question.choices if choice.id != FORGO and has_figure(believed, choice.id)]
    if standing.criticals == "forgo" or not names:
        return (FORGO,)
    tables = tables_of(believed)

    def weight(name: str) -> int:
        return max((tables.weapon(key).fire_points for key in figure(believed, name).weapons), default=0)

    return (max(names, key=weight),)


@replies("losses")
def reply_losses(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """Gives up riflemen first, or whoever stands first in the squad."""
    part, standing = _standing(believed, question)
    if standing is None:
        return question.default if part.has_plans_only else None
    if standing.losses == "ask":
        return None
    men = [figure(believed, choice.id) for choice in question.choices if has_figure(believed, choice.id)]
    ids = riflemen_first(men) if standing.losses == "riflemen_first" else tuple(man.id for man in men)
    return ids[: question.least] if len(ids) >= question.least else question.default


def _standing(believed: Believed, question: Question) -> tuple[CommandPart, Standing | None]:
    """The part of the command that is asked and the standing orders given for what it is about, if any."""
    part = next(iter(believed.commands.values()))
    given = (part.standing[each] for each in (*question.about, "") if each in part.standing)
    return part, next(given, None)
