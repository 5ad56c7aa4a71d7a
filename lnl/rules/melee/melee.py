"""Melee: entering a hex with enemies, a round from both sides' attacks to who is left. `core 8.0`, `core 8.1`

Both sides attack whom they choose, and only then the killed are taken away; those who cannot fight go with the last of
their side who could. There is one round a turn in a place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from lnl.board.hexes import Place
from lnl.happening.melee import MeleeFought, MeleeMarked
from lnl.happening.movement import Stopped
from lnl.happening.rulings import ask, fallen, tell
from lnl.happening.weapons import WeaponRemoved
from lnl.orders.dispatch import at as at_moment
from lnl.rules.fire.damage_checks import eliminate
from lnl.rules.fire.support_weapon_fire import fired_row, is_ready
from lnl.rules.melee.strength import (
    RULE,
    MeleeAttack,
    ambush,
    attack_of,
    attackers_at,
    eligible_at,
    is_eligible,
    mates,
    strength,
    weapons_used,
)
from lnl.rules.men.leaders import lent
from lnl.state.battle import Melee, State, Unit
from lnl.state.finding import (
    enemies_at,
    has_unit,
    has_weapon,
    is_leader,
    is_open,
    melee_at,
    present,
    traits_of,
    unit,
    units,
    units_at,
    weapon,
    weapons_of,
)
from lnl.state.setting import setting_of
from lnl.words.naming import place_words, unit_name
from umpire.kernel.book.points import Steps
from umpire.kernel.rulings import Bar, Choice, Question, Ruling, roll
from umpire.kernel.values.modifiers import total

TOO_WEAK = "At such odds no more than one unit may be attacked."
"""Why units may not be attacked together: the odds are worse than the table's. `core 8.0`"""

before_melee: Steps[State, [tuple[str, ...], Place]] = Steps("before a melee", rule=RULE)
"""What happens when units (by id) have entered a hex with enemies, before anybody fights or is removed: fanatics rally,
`hid 13.2.1`."""


@at_moment("rally", "begins", order=-5)
def lock(state: State) -> Ruling[State]:
    """Who stands in one place with enemies is locked in melee however he came there: by the scenario, by set-up, by an
    event, by the umpire's hand. Its round is to come. `core 8.1`"""
    sides: dict[Place, set[str]] = {}
    for each in units(state):
        if each.is_placed:
            sides.setdefault(each.at, set()).add(each.side)
    for place, found in sorted(sides.items()):
        if len(found) > 1 and melee_at(state, place) is None:
            state = yield from tell(MeleeMarked(melee=Melee(at=place, fought=False)))
    return state


def enter(state: State, movers: Sequence[str], place: Place) -> Ruling[State]:
    """Units have entered a place with enemies: they stop, bear a Move marker in whichever manner they came, and fight
    at once. Where none of the enemies can fight all are removed, where none of their own side can (mines have Shaken
    them) they are; where the round of this turn is over the movers wait for the next. `core 8.0`, `core 8.1`,
    `core 8.1.1`, `core 5.1`"""
    there = present(state, movers)
    if not there:
        return state
    side, command = there[0].side, there[0].command
    ids = tuple(each.id for each in there)
    if stopping := tuple(each.id for each in there if each.is_moving):
        state = yield from tell(Stopped(units=stopping, why="melee", moved="move"))
    marker = melee_at(state, place)
    if marker is not None and marker.fought:
        return state
    traits = frozenset(word for each in units_at(state, place) for word in traits_of(state, each))
    state = yield from before_melee(setting_of(state).active, traits, state, ids, place)
    enemies = enemies_at(state, place, side)
    if not enemies or not present(state, ids):
        return state
    if not any(is_eligible(state, each) for each in enemies):
        return (yield from _removed(state, enemies, command))
    own = units_at(state, place, side)
    if not any(is_eligible(state, each) for each in own):
        return (yield from _removed(state, own, enemies[0].command))
    is_reinforcing = marker is not None or any(each.id not in ids for each in units_at(state, place, side))
    return (yield from fight(state, place, command, entering=ids, is_simultaneous=is_reinforcing))


def fight(
    state: State,
    place: Place,
    command: str,
    targets: Sequence[str] = (),
    *,
    entering: Sequence[str] = (),
    is_simultaneous: bool = False,
) -> Ruling[State]:
    """One round of melee: this command's side attacks, then the other one. Who uses what is settled for both before any
    dice are thrown, and the killed are removed after both: each unit attacks and defends with the same. Before the
    reply only where those who have entered ambush (and no melee went on that they reinforce). `core 8.0`, `core 8.1.1`

    `targets`: whom the command attacks; with none named it is asked, or attacks all it may. A side of which nobody
    can fight (those who were left behind, or failed to withdraw) is removed first.
    """
    side = setting_of(state).commands[command].side if command in setting_of(state).commands else ""
    sides = (side, *dict.fromkeys(each.side for each in enemies_at(state, place, side)))
    if eligible_at(state, place, sides):
        for each_side in sides:
            if not eligible_at(state, place, (each_side,)):
                left = units_at(state, place, each_side)
                state = yield from _removed(state, left, _enemy_command(state, place, each_side, command))
    fighters = {each: eligible_at(state, place, (each,)) for each in sides}
    times = {each.id: _ambushes(state, each, place) for each in present(state, entering)}
    is_ambush = any(factor > 1 for factor in times.values()) and not is_simultaneous
    killed: dict[str, str] = {}
    spent: list[str] = []
    means = Means()
    for each_side in sides[:1] if is_ambush else sides:
        state, means = yield from _means(state, place, each_side, command, means)
    state = yield from _strikes(state, place, side, command, targets, times, means, killed, spent)
    if is_ambush:
        state = yield from _taken_away(state, killed, [])
        for each_side in sides[1:]:
            state, means = yield from _means(state, place, each_side, command, means)
    for other in sides[1:]:
        fighting = attackers_at(state, place, other)
        if fighting:
            replying = fighting[0].command
            state = yield from _strikes(state, place, other, replying, (), {}, means, killed, spent)
    state = yield from _taken_away(state, killed, spent)
    for each_side in sides:
        # Whose charge is used up has not been eliminated: he stays, and can fight no more.
        fought = fighters[each_side]
        if fought and not any(has_unit(state, each.id) for each in fought):
            left = units_at(state, place, each_side)
            state = yield from _removed(state, left, _enemy_command(state, place, each_side, command))
    return (yield from tell(MeleeMarked(melee=Melee(at=place, fought=True))))


def _enemy_command(state: State, place: Place, side: str, otherwise: str) -> str:
    enemies = enemies_at(state, place, side)
    return enemies[0].command if enemies else otherwise


def _ambushes(state: State, each: Unit, place: Place) -> int:
    return ambush(setting_of(state).active, traits_of(state, each), state, each, place)


def _removed(state: State, left: Sequence[Unit], by: str) -> Ruling[State]:
    """Who cannot fight is removed: the Shaken surrender. `core 5.1`, `core 8.1`"""
    for each in left:
        if has_unit(state, each.id):
            state = yield from eliminate(state, each.id, "surrendered" if each.is_shaken else "removed", by)
    return state


def _taken_away(state: State, killed: dict[str, str], spent: list[str]) -> Ruling[State]:
    for piece, by in killed.items():
        if has_unit(state, piece):
            state = yield from eliminate(state, piece, by=by)
    for gun in spent:
        if has_weapon(state, gun):
            state = yield from tell(WeaponRemoved(weapon=gun))
    killed.clear()
    spent.clear()
    return state


# With what


class Means(Struct, frozen=True):
    """What is used in a round, by id: charges that are used up, and leaders who lead instead of firing a weapon."""

    charges: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()


def _means(state: State, place: Place, side: str, first: str, before: Means) -> Ruling[tuple[State, Means]]:
    """What a side uses in this round, with what others do; each of its commands says so for its own men. It counts in
    attack and in defence. `core 8.0`, `core 1.6.2`"""
    if not attackers_at(state, place, side) or not _targets(state, place, side):
        return state, before
    there = dict.fromkeys(each.command for each in units_at(state, place, side))
    commands = sorted(there, key=lambda command: command != first)
    charges: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    for command in commands:
        state, used = yield from _charges(state, place, side, command)
        charges = (*charges, *used)
    for command in commands:
        state, led = yield from _leading(state, place, side, command, charges)
        leading = (*leading, *led)
    return state, Means(charges=(*before.charges, *charges), leading=(*before.leading, *leading))


def _charges(state: State, place: Place, side: str, command: str) -> Ruling[tuple[State, tuple[str, ...]]]:
    """The charges that are used up in this round: those without which their owners have nothing to fight with, and
    what the command says beside. `core 8.0`, `core 1.6.2`"""
    held = [
        (each, gun)
        for each in attackers_at(state, place, side)
        for gun in weapons_of(state, each)
        if each.command == command
        and fired_row(state, gun).once
        and fired_row(state, gun).melee
        and is_ready(state, gun)
    ]
    if not held:
        return state, ()
    needed = tuple(gun.id for each, gun in held if strength(state, each, weapons_used(state, each)) == 0)
    if not all(is_open(state, each.id) for each, _ in held):
        return state, needed
    question = Question(
        kind="melee_charges",
        prompt=f"Which charges are used in the melee in {place_words(state, place)}?",
        choices=tuple(
            Choice(
                id=gun.id, label=f"{fired_row(state, gun).name} of {unit_name(state, each)}", pieces=(each.id, gun.id)
            )
            for each, gun in held
        ),
        default=needed,
        least=0,
        most=len(held),
        rule=RULE,
    )
    state, taken = yield from ask(command, question)
    return state, tuple(gun for gun in taken if has_weapon(state, gun) and weapon(state, gun).owner)


def _leading(
    state: State, place: Place, side: str, command: str, charges: Sequence[str]
) -> Ruling[tuple[State, tuple[str, ...]]]:
    """Which leaders who could fire a weapon, or help with one, lead instead: by default none, and none where nobody
    else attacks. Who has said that he uses a charge leads nobody (L275). `core 1.6.1`, `core 1.6.2`, `core 11.1`"""
    striking = attackers_at(state, place, side)
    used = {each.id: weapons_used(state, each, charges) for each in striking}
    firing = {each.id for each in striking if used[each.id]}
    firing |= {mate.id for each in striking for mate in mates(state, each, used[each.id])}
    able = [
        each
        for each in units_at(state, place, side)
        if each.id in firing
        and not set(used.get(each.id, ())) & set(charges)
        and each.command == command
        and is_leader(state, each)
        and lent(state, each)
        and any(other.id != each.id and not is_leader(state, other) for other in striking)
    ]
    if not able or not all(is_open(state, each.id) for each in able):
        return state, ()
    question = Question(
        kind="melee_leaders",
        prompt=f"Who leads in the melee in {place_words(state, place)}, and fires no weapon?",
        choices=tuple(
            Choice(id=each.id, label=f"{unit_name(state, each)} leads", pieces=(each.id,), at=place) for each in able
        ),
        least=0,
        most=len(able),
        rule="core 1.6.1",
    )
    return (yield from ask(command, question))


# An attack


def _strikes(
    state: State,
    place: Place,
    side: str,
    command: str,
    named: Sequence[str],
    times: Mapping[str, int],
    means: Means,
    killed: dict[str, str],
    spent: list[str],
) -> Ruling[State]:
    """One side's attack: whom, with what, at what odds; two dice kill all attacked or nobody. `core 8.0`"""
    if not attackers_at(state, place, side) or not _targets(state, place, side):
        return state
    state, chosen = yield from _chosen(state, place, side, command, named, means, times)
    striking = attackers_at(state, place, side)
    struck = tuple(each for each in chosen if has_unit(state, each))
    if not striking or not struck:
        return state
    made = _worked_out(state, place, side, struck, means, times)
    if total(made.attack) < 1:  # a man who keeps the charge that is all he could fight with, or who leads alone
        return state
    needed = made.needed - total(made.modifiers)
    bands = [(2, min(12, needed - 1), "fails"), (max(2, needed), 12, "kills")]
    rolled = yield from roll(
        "2d6",
        "melee",
        subject=side,
        by=command,
        bands=[band for band in bands if band[0] <= band[1]],
        modifiers=made.modifiers,
        rule=RULE,
    )
    state = fallen(rolled, state)
    is_won = rolled.result == "kills"
    if is_won:
        killed.update((each, command) for each in made.defenders if each not in killed)
    used = {gun for each in striking for gun in _used(state, each, means)}
    spent.extend(gun for gun in means.charges if gun in used)
    return (
        yield from tell(
            MeleeFought(
                command=command,
                at=place,
                attackers=made.attackers,
                defenders=made.defenders,
                odds=made.odds,
                needed=made.needed,
                total=rolled.total + total(made.modifiers),
                is_won=is_won,
            )
        )
    )


def _targets(state: State, place: Place, side: str) -> tuple[Unit, ...]:
    return tuple(each for each in enemies_at(state, place, side) if is_eligible(state, each))


def _used(state: State, each: Unit, means: Means) -> tuple[str, ...]:
    """The weapons with which a unit attacks; who leads fires none."""
    return () if each.id in means.leading else weapons_used(state, each, means.charges, means.leading)


def _worked_out(
    state: State, place: Place, side: str, struck: Sequence[str], means: Means, times: Mapping[str, int]
) -> MeleeAttack:
    """The attack with what both sides use in this round; a leader who leads defends with the weapon that he carries."""
    striking = attackers_at(state, place, side)
    used = {each.id: _used(state, each, means) for each in striking}
    used.update({each.id: weapons_used(state, each, means.charges) for each in present(state, struck)})
    return attack_of(state, [each.id for each in striking], struck, used, times=times, leading=means.leading)


def _chosen(
    state: State,
    place: Place,
    side: str,
    command: str,
    named: Sequence[str],
    means: Means,
    times: Mapping[str, int],
) -> Ruling[tuple[State, tuple[str, ...]]]:
    """Whom a side attacks: those named, or what its command says; all it may by default. No more than one of those at
    whom it would be worse than the table's odds together: then its command says again. `core 8.0`"""
    able = tuple(each.id for each in _targets(state, place, side))

    def is_too_weak(targets: Sequence[str]) -> bool:
        return len(targets) > 1 and _worked_out(state, place, side, targets, means, times).is_too_weak

    wanted = tuple(each for each in named if each in able)
    if wanted and not is_too_weak(wanted):
        return state, wanted
    default = able[:1] if is_too_weak(able) else able
    if len(able) == 1 or not all(is_open(state, each.id) for each in attackers_at(state, place, side)):
        return state, default
    question = Question(
        kind="melee_targets",
        prompt=f"Whom do you attack in {place_words(state, place)}?",
        choices=tuple(
            Choice(id=each, label=unit_name(state, unit(state, each)), pieces=(each,), at=place) for each in able
        ),
        default=default,
        most=len(able),
        rule=RULE,
        bars=tuple(Bar(choices=each, reason=TOO_WEAK) for each in _barred(able, is_too_weak)),
    )
    return (yield from ask(command, question))


def _barred(able: Sequence[str], is_too_weak: Callable[[Sequence[str]], bool]) -> list[tuple[str, ...]]:
    """The smallest groups that may not be attacked together: whoever joins them makes the odds worse."""
    found: list[tuple[str, ...]] = []
    for count in range(2, len(able) + 1) if is_too_weak(able) else ():
        for group in combinations(able, count):
            if not any(set(each) <= set(group) for each in found) and is_too_weak(group):
                found.append(group)
    return found
