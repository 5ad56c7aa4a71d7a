"""An attack by a die against a die that nobody aims: mines and claymores. `core 21.4`, `core 21.5`"""

from __future__ import annotations

from collections.abc import Mapping

from lnl.board.hexes import Place
from lnl.happening.rulings import fallen
from lnl.state.battle import State
from lnl.state.finding import has_unit, perceives, unit
from lnl.words.naming import place_words
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.values.modifiers import Modifier, total


def opposed(
    state: State,
    what: str,
    by: str,
    place: Place,
    adds: tuple[Modifier, ...],
    targets: Mapping[str, tuple[Modifier, ...]],
    *,
    rule: str,
) -> Ruling[tuple[State, Mapping[str, int]]]:
    """One die with what the attack adds, one for all targets with what each adds: by how much the attack beats each
    that is still there. Whose attack it is throws it only where he sees one of them, else nobody is told: somebody
    whom he does not see has set it off. `core 5.0`"""
    subject = place_words(state, place)
    is_blind = not any(perceives(state, by, each) for each in targets)
    attack = yield from roll(
        "1d6",
        f"{what} attack",
        subject=subject,
        by="" if is_blind else by,
        secret=is_blind,
        modifiers=adds,
        rule=rule,
    )
    state = fallen(attack, state)
    there = [each for each in targets if has_unit(state, each)]
    if not there:
        return state, {}
    command = unit(state, there[0]).command
    shared = targets[there[0]] if all(targets[each] == targets[there[0]] for each in there) else ()
    defence = yield from roll("1d6", f"{what} defence", subject=subject, by=command, modifiers=shared, rule=rule)
    state = fallen(defence, state)
    beaten = attack.total + total(adds) - defence.total
    return state, {each: beaten - total(targets[each]) for each in there if has_unit(state, each)}
