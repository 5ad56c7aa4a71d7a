"""Who controls what, points, and how the battle is judged. What scores stands in the scenario.

Control is a Good Order MMC's or a hero's, or the last side's to pass one through. (core 2.0 leaves it to the
scenarios.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lnl.board.hexes import Hex, Place
from lnl.book.rows import MULTI_MAN
from lnl.happening.rulings import tell
from lnl.happening.turn import ControlChanged
from lnl.orders.dispatch import ends_battle
from lnl.state.battle import Loss, Result, State, Unit, hex_key
from lnl.state.finding import has_kind, is_multi_man, is_open, units, units_in_hex
from lnl.state.setting import Objective, secrets_of, setting_of, tables_of
from lnl.words.naming import side_name
from umpire.kernel.registry import Outcome
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Belief
from umpire.kernel.values.modifiers import Modifier

RULE = "core 2.0"
GONE = ("eliminated", "surrendered")


# Objectives


def objectives(state: State) -> tuple[Objective, ...]:
    """What scores: what everybody may know, and on the truth the umpire's too."""
    known = setting_of(state).objectives
    secret: Mapping[str, Objective] = {} if isinstance(state, Belief) else secrets_of(state).objectives
    return tuple({**known, **secret}[key] for key in sorted({**known, **secret}))


def _zone(state: State, objective: Objective) -> tuple[Hex, ...]:
    return setting_of(state).zones[objective.zone].hexes if objective.zone else ()


# Control


def controller(state: State, at: Hex) -> str:
    """The side that controls a hex, "" for none; a belief knows what everybody does."""
    key = hex_key(at)
    return state.umpire.control.get(key) or state.public.control.get(key, "")


def passed_through(state: State, place: Place) -> Ruling[State]:
    """Who enters an objective alone in it controls it from then on, also when he goes on."""
    if place[:2] in _contested(state):
        state = yield from _settle(state, (place[:2],))
    return state


def settle_control(state: State) -> Ruling[State]:
    """Objectives that one side alone holds now are its own."""
    return (yield from _settle(state, sorted(_contested(state))))


def has_unsettled(state: State) -> bool:
    """Whether control has changed and nobody has said so."""
    return any(_holder(state, at) not in ("", controller(state, at)) for at in _contested(state))


def _contested(state: State) -> set[Hex]:
    return {at for each in objectives(state) if each.deed == "control" for at in _zone(state, each)}


def _settle(state: State, hexes: Iterable[Hex]) -> Ruling[State]:
    for at in hexes:
        side = _holder(state, at)
        if side and side != controller(state, at):
            holding = [each for each in units_in_hex(state, at, side) if _can_hold(state, each)]
            known = any(is_open(state, each.id) for each in holding)
            state = yield from tell(ControlChanged(at=at, side=side, known=known))
    return state


def _holder(state: State, at: Hex) -> str:
    """The only side with somebody in a hex who can hold it."""
    sides = {each.side for each in units_in_hex(state, at) if _can_hold(state, each)}
    return sides.pop() if len(sides) == 1 else ""


def _can_hold(state: State, each: Unit) -> bool:
    return each.is_good_order and (is_multi_man(state, each) or has_kind(state, each, "hero"))


# Points


def tally(state: State) -> Outcome:
    """Points by side with the lines that make them up, as far as the state knows; of a finished battle as it was
    judged."""
    result = state.public.result
    if result is not None:
        return Outcome(points=result.points, lines=result.lines, is_over=True, winner=result.winner, why=result.why)
    lines = _lines(state)
    return Outcome(points=_points(lines), lines=lines)


def judged(state: State, why: str) -> Result:
    """How a battle ended: the highest score wins; where it is equal, the side that the scenario names, or nobody. What
    nobody saw scored is one nameless line."""
    lines = _lines(state)
    points = _points(lines)
    secret = {score.reason for score in state.umpire.scores}
    secret |= {each.name for each in secrets_of(state).objectives.values()}
    public_lines = {side: _without(mine, secret) for side, mine in lines.items()}
    best = max(points.values(), default=0)
    first = [side for side, mine in points.items() if mine == best]
    winner = first[0] if len(first) == 1 else setting_of(state).tie
    at_once = _at_once(state)
    return Result(winner=at_once[0].side if at_once else winner, why=why, points=points, lines=public_lines)


def _points(lines: Mapping[str, Sequence[Modifier]]) -> dict[str, int]:
    return {side: sum(line.value for line in mine) for side, mine in lines.items()}


def _without(lines: Sequence[Modifier], secret: set[str]) -> tuple[Modifier, ...]:
    hidden = sum(line.value for line in lines if line.reason in secret)
    shown = tuple(line for line in lines if line.reason not in secret)
    return (*shown, Modifier(hidden, "what only the umpire knows", RULE)) if hidden else shown


def _lines(state: State) -> dict[str, tuple[Modifier, ...]]:
    found: dict[str, list[Modifier]] = {side: [] for side in setting_of(state).sides}
    for each in objectives(state):
        if value := worth(state, each):
            found[each.side].append(Modifier(value, each.name, RULE))
    for score in (*state.public.scores, *state.umpire.scores):
        found[score.side].append(Modifier(score.points, score.reason, score.rule or RULE))
    return {side: tuple(lines) for side, lines in sorted(found.items())}


def worth(state: State, objective: Objective) -> int:
    """What an objective brings its side as things stand; one that is the umpire's to award nothing by itself."""
    if objective.deed == "control":
        held = sum(controller(state, at) == objective.side for at in _zone(state, objective))
        return objective.points * held
    if objective.deed == "handicap":
        return objective.points
    if objective.deed == "umpire":
        return 0
    return objective.points * sum(_halves(state, objective, loss) for loss in losses(state)) // 2


def _halves(state: State, objective: Objective, loss: Loss) -> int:
    """What a loss counts for an objective, in halves: a squad or weapon team two, a half-squad, a crew, and a squad
    that is now a half-squad one; a single man two."""
    kind = tables_of(state).counter(loss.counter).kind
    if objective.deed == "exit":
        is_his = loss.side == objective.side and loss.how == "exited" and loss.by in ("", objective.zone)
        return 2 if is_his and kind in MULTI_MAN else 0
    if loss.side == objective.side or (kind in MULTI_MAN) != (objective.deed == "loss_mmc"):
        return 0
    if loss.how == "reduced":
        return 1
    if loss.how not in GONE:
        return 0
    return 1 if kind in ("half_squad", "crew") else 2


def losses(state: State) -> Iterator[Loss]:
    """All losses that the state knows."""
    yield from state.public.losses
    for part in state.commands.values():
        yield from part.losses


# The end


def _at_once(state: State) -> list[Objective]:
    """The objectives with which their side wins at once now."""
    return [each for each in objectives(state) if each.needed and worth(state, each) >= each.needed]


@ends_battle
def won_at_once(state: State) -> str:
    """A side has what the scenario lets it win with."""
    found = _at_once(state)
    return f"{side_name(state, found[0].side)}: {found[0].name}." if found else ""


@ends_battle
def nobody_left(state: State) -> str:
    """A side has nobody left, on the map or still to come (house)."""
    left = {each.side for each in units(state)}
    gone = [side for side in setting_of(state).sides if side not in left]
    return f"{side_name(state, gone[0])} has nobody left." if gone else ""
