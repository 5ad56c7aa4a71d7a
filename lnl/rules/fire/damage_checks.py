"""Damage Checks: what an attack that beats the defence does to each unit in its target. `core 5.1`

Every unit throws a die, adds by how much the attack beat its defence, and compares the total with its morale: not above
it nothing happens; above, from twice and from three times the morale the damage table says what does. Leaders check
first, the best of them before the others; one who is then in Good Order lends his leadership to all who check after
him. `core 5.0`
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from lnl.board.hexes import Place
from lnl.book.rows import Damage, DamageRow
from lnl.happening.men import Eliminated, Reduced, Shaken, Wounded
from lnl.happening.movement import Stopped
from lnl.happening.rulings import ask, fallen, tell
from lnl.happening.weapons import WeaponDropped
from lnl.knowledge.sighting import locations
from lnl.rules.men import heroes
from lnl.rules.men.leaders import lent
from lnl.rules.men.morale import morale_of
from lnl.rules.men.skill_cards import has_skill_trait, used
from lnl.state.battle import Loss, State, Unit
from lnl.state.finding import (
    counter_of,
    has_kind,
    has_unit,
    is_leader,
    is_multi_man,
    is_open,
    side_of,
    traits_of,
    unit,
    units_at,
    weapon_row,
    weapons_of,
)
from lnl.state.setting import setting_of, tables_of
from umpire.kernel.book.points import Steps
from umpire.kernel.rulings import Choice, Question, Ruling, roll
from umpire.kernel.values.modifiers import Modifier

RULE = "core 5.1"
How = Literal["eliminated", "reduced", "surrendered", "removed"]
"""How a unit was lost."""
FACES = (1, 2, 3, 4, 5, 6)
FROM_FIRE = ("fire", "claymore")
"""What brings heroes forth: checks that enemy fire caused. `core 5.1`"""
ON_A_ONE = "on a 1"
"""How the result of a natural 1 is told from the same result of other faces, where a hero may stand up."""

unit_lost: Steps[State, [Unit]] = Steps("unit lost", rule=RULE)
"""What follows when a unit is no more: the unit as it was. Partisans who lose their leader, `hotm 13.1.1`."""


def check_damage(
    state: State, differences: Mapping[str, int], *, by: str, cause: str = "fire", apart: bool = False
) -> Ruling[State]:
    """Damage Checks of these units by how much the attack beat the defence of each (no more than 0: no check).

    `by` is the command whose attack it is. `apart`: nothing follows in this ruling that turns on what becomes of them,
    so that odds may walk them one at a time. `core 5.0`, `core 5.1`
    """
    hit = [piece for piece, difference in differences.items() if difference > 0 and has_unit(state, piece)]
    together: dict[Place, list[str]] = {}
    for piece in hit:
        together.setdefault(locations(unit(state, piece).at)[0], []).append(piece)
    for here in together.values():
        leading = [piece for piece in here if _may_lead(state, unit(state, piece))]
        leading.sort(key=lambda piece: -lent(state, unit(state, piece)))
        order = (*leading, *(piece for piece in here if piece not in leading))
        for number, piece in enumerate(order):
            if has_unit(state, piece):
                aid = aid_at(state, unit(state, piece), leading[number:])
                alone = apart and (piece not in leading or number == len(order) - 1)
                state = yield from _check(state, piece, differences[piece], aid, by, cause, apart=alone)
    return state


def aid_at(state: State, each: Unit, yet_to_check: Collection[str] = ()) -> tuple[Modifier, ...]:
    """What the best Good Order leader in its hex, of those who have not their own check before them, takes off a unit's
    Damage Check. `core 5.0`, `core 11.1`"""
    able = (other for other in _aiding(state, each) if other.id not in yet_to_check)
    best = max(able, key=lambda other: lent(state, other), default=None)
    if best is None or lent(state, best) == 0:
        return ()
    return (Modifier(-lent(state, best), counter_of(state, best).name, "core 5.0"),)


def aids_at(state: State, each: Unit) -> tuple[int, ...]:
    """What may come off a unit's Damage Check, by who of the leaders in its hex is left after his own. `core 5.0`"""
    return tuple(sorted({0, *(lent(state, other) for other in _aiding(state, each))}))


def _aiding(state: State, each: Unit) -> Iterator[Unit]:
    """The other Good Order leaders in a unit's place; of a bunker in it and on it, for fire hits both (L245).
    `core 5.0`, `core 21.1`"""
    there = (other for place in locations(each.at) for other in units_at(state, place, each.side))
    return (other for other in there if other.id != each.id and _may_lead(state, other))


def _may_lead(state: State, each: Unit) -> bool:
    return each.is_good_order and is_leader(state, each)


# One check


def damage_row(state: State, each: Unit) -> DamageRow:
    """The row of the damage table for a unit as it is now. `core 5.1`"""
    if has_kind(state, each, "hero"):
        return tables_of(state).damage("hero")
    kind = "mmc" if is_multi_man(state, each) else "smc"
    return tables_of(state).damage(f"{kind}_shaken" if each.is_shaken else kind)


class Scale(Struct, frozen=True):
    """What a unit's Damage Checks are read against: its morale, the totals from which the second and third column
    count, its row of the table."""

    morale: int
    twice: int
    thrice: int
    row: DamageRow

    def outcomes(self, added: int) -> tuple[Damage, ...]:
        """What the faces 1 to 6 do with this much added. `core 5.1`"""
        return tuple(self.damage(face + added) for face in FACES)

    def damage(self, total: int) -> Damage:
        if total <= self.morale:
            return "none"
        if total >= self.thrice:
            return self.row.thrice
        return self.row.twice if total >= self.twice else self.row.above


def scale_of(state: State, each: Unit) -> Scale:
    """What a unit's checks are read against now. `core 5.1`"""
    tables = tables_of(state)
    morale, _ = morale_of(state, each)
    twice, thrice = tables.number("casualty_band") * morale, tables.number("elimination_band") * morale
    return Scale(morale=morale, twice=twice, thrice=thrice, row=damage_row(state, each))


def _bands(found: Sequence[Damage], *, one_apart: bool) -> Iterator[tuple[int, int, str]]:
    """Faces of a like result together; a natural 1 apart where it may bring a hero forth."""
    if one_apart:
        yield 1, 1, f"{found[0]} {ON_A_ONE}"
    low = 2 if one_apart else 1
    for face in range(low, 7):
        if face == 6 or found[face] != found[face - 1]:
            yield low, face, found[face - 1]
            low = face + 1


def _check(
    state: State,
    piece: str,
    difference: int,
    aid: tuple[Modifier, ...],
    by: str,
    cause: str,
    *,
    apart: bool,
) -> Ruling[State]:
    each = unit(state, piece)
    added = difference + sum(modifier.value for modifier in aid)
    found = scale_of(state, each).outcomes(added)
    may_rise = cause in FROM_FIRE and _is_enemys(state, by, each) and heroes.is_possible(state, each)
    modifiers = (Modifier(difference, "the attack over the defence", "core 5.0"), *aid)
    while True:
        rolled = yield from roll(
            "1d6",
            "damage check",
            subject=piece,
            by=each.command,
            bands=tuple(_bands(found, one_apart=may_rise)),
            modifiers=modifiers,
            rule=RULE,
            apart=piece if apart else "",
        )
        state = fallen(rolled, state)
        if not has_unit(state, piece):
            return state
        state, again = yield from _tries_again(state, piece, rolled.result)
        if not again:
            break
    stands = False
    if rolled.result.endswith(ON_A_ONE):
        state, stands = yield from heroes.stands_up(state, piece, each.command, apart=apart)
    if not has_unit(state, piece):
        return state
    damage = rolled.result.partition(" ")[0]
    was_open = is_open(state, piece)
    state = yield from suffer(state, piece, damage, by)
    if stands:
        parent = unit(state, piece) if has_unit(state, piece) else each
        state = yield from heroes.create(state, parent, stops=damage != "none" or each.is_shaken, is_open=was_open)
    return state


def _is_enemys(state: State, by: str, each: Unit) -> bool:
    """Whether an attack was an enemy's: one's own fire for effect brings no heroes forth. `core 5.1`"""
    return by not in setting_of(state).commands or side_of(state, by) != each.side


def _tries_again(state: State, piece: str, result: str) -> Ruling[tuple[State, bool]]:
    """The owner of a lucky card may throw a check again that went ill, once. `core 12.0`"""
    each = unit(state, piece)
    if result.startswith("none") or not has_skill_trait(state, each, "lucky"):
        return state, False
    question = Question(
        kind="lucky",
        prompt=f"{counter_of(state, each).name} would be {result.partition(' ')[0]}. Throw again?",
        choices=(Choice(id="yes", label="Throw again"), Choice(id="no", label="Leave it")),
        default=("yes",),
        about=(piece,),
        rule="core 12.0",
    )
    state, taken = yield from ask(each.command, question)
    if "yes" not in taken or not has_unit(state, piece):
        return state, False
    state = yield from used(state, piece, "lucky")
    return state, True


# What damage does


def suffer(state: State, piece: str, damage: str, by: str = "") -> Ruling[State]:
    """A unit suffers a result of the damage table. `core 5.1`"""
    if damage == "shaken":
        return (yield from shake(state, piece))
    if damage == "casualties":
        return (yield from reduce(state, piece, by))
    if damage == "wounded":
        return (yield from wound(state, piece, by))
    if damage == "eliminated":
        return (yield from eliminate(state, piece, by=by))
    return state


def shake(state: State, piece: str) -> Ruling[State]:
    """A unit is flipped to its Shaken side and ends its movement; heroes never are. `core 5.1`, `core 5.3`"""
    if has_kind(state, unit(state, piece), "hero"):
        return state
    if not unit(state, piece).is_shaken:
        state = yield from tell(Shaken(unit=piece))
    return (yield from _stops(state, piece, "shaken"))


def wound(state: State, piece: str, by: str = "") -> Ruling[State]:
    """A single man is wounded, and Shaken unless he is a hero; he stops at once. The second wound kills. `core 5.1`"""
    each = unit(state, piece)
    if each.is_wounded:
        return (yield from eliminate(state, piece, by=by))
    state = yield from tell(Wounded(unit=piece, is_shaken=not has_kind(state, each, "hero")))
    return (yield from _stops(state, piece, "wounded"))


def reduce(state: State, piece: str, by: str = "") -> Ruling[State]:
    """Casualties: a squad becomes a Shaken half-squad, by the die where there are two; every other MMC is eliminated.
    Of two support weapons a half-squad drops one. `core 5.1`, `core 1.6.1`"""
    each = unit(state, piece)
    row = counter_of(state, each)
    if row.kind != "squad" or not row.reduces:
        return (yield from eliminate(state, piece, by=by))
    counter = row.reduces
    if row.reduces_even:
        rolled = yield from roll(
            "1d6",
            "reduction",
            subject=piece,
            by=each.command,
            bands=[(face, face, "odd" if face % 2 else "even") for face in FACES],
            rule=RULE,
            aside=True,
        )
        state = fallen(rolled, state)
        if not has_unit(state, piece):
            return state
        counter = row.reduces if rolled.result == "odd" else row.reduces_even
    # What it drops is asked before: a state in which a half-squad carries too much is never one to wait in.
    state = yield from _drops(state, piece)
    if not has_unit(state, piece):
        return state
    loss = _loss(state, unit(state, piece), how="reduced", by=by)
    state = yield from tell(Reduced(unit=piece, counter=counter, loss=loss))
    return (yield from _stops(state, piece, "shaken"))


def _drops(state: State, piece: str) -> Ruling[State]:
    """A squad that is about to be reduced drops what a half-squad cannot carry, as its owner chooses. `core 1.6.1`"""
    may_carry = tables_of(state).number("half_squad_portage")
    while has_unit(state, piece) and len(weapons_of(state, unit(state, piece))) > may_carry:
        each = unit(state, piece)
        held = sorted(weapons_of(state, each), key=lambda gun: (weapon_row(state, gun).firepower, gun.id))
        choices = tuple(
            Choice(id=gun.id, label=weapon_row(state, gun).name, pieces=(gun.id,), at=each.at) for gun in held
        )
        question = Question(
            kind="drop",
            prompt=f"{counter_of(state, each).name} is reduced, and keeps {may_carry}. Which weapon is dropped?",
            choices=choices,
            default=(held[0].id,),
            about=(piece,),
            rule="core 1.6.1",
        )
        state, taken = yield from ask(each.command, question)
        if has_unit(state, piece):
            state = yield from tell(WeaponDropped(weapon=taken[0], at=unit(state, piece).at))
    return state


def eliminate(state: State, piece: str, how: How = "eliminated", by: str = "") -> Ruling[State]:
    """A unit is no more; what it possessed lies in its hex. `core 5.1`, `core 1.6.1`"""
    each = unit(state, piece)
    state = yield from tell(Eliminated(unit=piece, loss=_loss(state, each, how=how, by=by)))
    return (yield from unit_lost(setting_of(state).active, traits_of(state, each), state, each))


def _loss(state: State, each: Unit, *, how: How, by: str) -> Loss:
    return Loss(
        unit=each.id,
        side=each.side,
        command=each.command,
        counter=each.counter,
        turn=state.public.turn,
        how=how,
        by=by,
    )


def _stops(state: State, piece: str, why: str) -> Ruling[State]:
    """Who is Shaken or wounded ends his movement. `core 5.1`, `core 5.3`"""
    if has_unit(state, piece) and unit(state, piece).is_moving:
        state = yield from tell(Stopped(units=(piece,), why=why))
    return state
