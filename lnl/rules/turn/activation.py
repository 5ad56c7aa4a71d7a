"""Activation: what a leader brings into an impulse beside his own place, leader after leader. `core 4.0`"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnl.board.ground import BUNKER, place_name
from lnl.board.hexes import Place, hexes_within
from lnl.orders.checks import repeated
from lnl.orders.dispatch import handles
from lnl.orders.orders import Activate
from lnl.rules.men.leaders import leadership_range
from lnl.rules.turn.operations_phase import PHASE, RULE, another_has_it, can_act, commanding, declare, declared
from lnl.state.battle import Believed, State, Unit, place_key
from lnl.state.belonging import is_known, is_mine, mine_at, nation_of
from lnl.state.finding import has_unit, is_leader, melee_at, side_of, unit, units, units_at, works_at
from lnl.state.setting import ground_of
from lnl.words.naming import unit_name
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.memo import Memo
from umpire.kernel.values.modifiers import Refusal

# What a leader brings in


def reach_of(state: State, leader: Unit) -> tuple[Place, ...]:
    """The places that a leader's activation brings in beside his own: his own level of the hexes around, and the levels
    above and below in his own hex; a bunker's inside is a level too. A wounded one brings in only the latter (L11).
    `core 4.0`, `core 5.1`, `core 6.0`, `core 10.2`, `core 21.1`"""
    column, row, level = leader.at
    around = leadership_range(state, leader)
    ground = ground_of(state)
    found: list[Place] = []
    for at in hexes_within((column, row), around):
        if ground.at(at) is None:
            continue
        for other in (*ground.levels(at), *((BUNKER,) if works_at(state, at, "bunker") else ())):
            if other == level if at != (column, row) else abs(other - level) == 1:
                found.append((*at, other))
    return tuple(found)


def may_bring(state: State, each: Unit) -> bool:
    """Whether a unit is a leader who can activate places beside his own; not when he has been in a round of melee in
    this turn, by which he was activated himself. `core 4.0`, `core 8.0`"""
    melee = melee_at(state, each.at)
    return (
        is_leader(state, each)
        and each.is_placed
        and each.is_good_order
        and not (each.moved or each.fired or each.ops_complete)
        and not (melee is not None and melee.fought)
    )


def activatable(state: State, commands: Sequence[str], first: Place, nation: str = "") -> tuple[Place, ...]:
    """All places with units of the side, as far as these commands know of them, to which an impulse that begins in
    `first` can be extended, leader after leader of theirs, the first before them. `nation`: of those who are to act in
    the first place, whom no ally's leader serves. `core 4.0`, `core 13.0`"""
    side = side_of(state, commands[0])
    standing: dict[Place, list[Unit]] = {}
    for each in units(state):
        if each.side == side and each.is_placed and is_known(state, commands, each):
            standing.setdefault(each.at, []).append(each)
    places = [first]
    for place in places:
        for leader in sorted(standing.get(place, []), key=lambda each: each.id):
            if leader.command not in commands or not may_bring(state, leader):
                continue
            if nation and place == first and nation_of(state, leader) != nation:
                continue
            for other in reach_of(state, leader):
                if other in standing and other not in places:
                    places.append(other)
    return tuple(places)


def _chain(
    state: State, commands: Sequence[str], places: Sequence[Place], leaders: Sequence[str] = ()
) -> tuple[str, ...]:
    """Who (of these leaders, where some are named) brings each of these places in, in their order, up to the first that
    nobody does."""
    bringing: list[tuple[str, tuple[Place, ...]]] = []
    brought: list[str] = []
    for place in places:
        leader = next((who for who, reach in bringing if place in reach), None) if brought else ""
        if leader is None:
            break
        brought.append(leader)
        own = [each for each in mine_at(state, commands, place) if may_bring(state, each)]
        bringing.extend((each.id, reach_of(state, each)) for each in own if not leaders or each.id in leaders)
    return tuple(brought)


# Activate


def check_activate(believed: Believed, seat: Seat, order: Activate) -> Iterator[Refusal]:
    """A place of the seat's own, others with men of its side whom its leaders bring in, all declared before anything is
    done. `core 4.0`"""
    yield from repeated([str(place) for place in order.places], "places", RULE)
    if declared(believed, seat.commands) is not None:
        yield Refusal("An impulse has begun: what it activates is declared at its start.", RULE)
        return
    side = believed.public.active
    for number, place in enumerate(order.places):
        there = [each for each in units_at(believed, place, side) if number or is_mine(seat, each)]
        if not any(can_act(believed, each) for each in there):
            yield Refusal("Nobody of yours there can act.", RULE, "places")
            return
    if order.leaders:
        yield from repeated(order.leaders, "leaders", RULE)
        yield from _no_leaders(believed, seat, order)
    found = _chain(believed, seat.commands, order.places, order.leaders)
    if len(found) < len(order.places):
        where = place_name(ground_of(believed), order.places[len(found)])
        yield Refusal(f"No leader brings {where} in: adjacent on his level, or above or below him.", RULE, "places")


def _no_leaders(believed: Believed, seat: Seat, order: Activate) -> Iterator[Refusal]:
    for each in order.leaders:
        leader = unit(believed, each) if has_unit(believed, each) else None
        if leader is None or not is_mine(seat, leader):
            yield Refusal(f"No leader {each!r} of yours is there.", RULE, "leaders")
        elif not may_bring(believed, leader) or leader.at not in order.places:
            yield Refusal(f"{unit_name(believed, leader)} activates nobody in this impulse.", RULE, "leaders")


def resolve_activate(state: State, seat: Seat, order: Activate) -> Ruling[State]:
    """The impulse begins with what is declared. `core 4.0`"""
    command = commanding(state, seat, order.places)
    if declared(state, seat.commands) is not None or another_has_it(state, seat, command):
        return state
    brought = _chain(state, seat.commands, order.places, order.leaders)
    return (yield from declare(state, seat, command, order.places, brought))


def activate_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    """For a unit: its place, alone or with others that leaders bring in."""
    if subject is None or not has_unit(believed, subject) or declared(believed, seat.commands) is not None:
        return
    each = unit(believed, subject)
    if not is_mine(seat, each) or not can_act(believed, each):
        return
    commands = tuple(name for name in seat.commands if side_of(believed, name) == each.side)
    able, bringing = _brought_in(believed, commands, each.at, each.side, nation_of(believed, each))
    if not able:
        return
    ground = ground_of(believed)
    choices = tuple(
        Choice(id=other.id, label=unit_name(believed, other), pieces=(other.id,), at=other.at) for other in bringing
    )
    by = ChoiceSlot(name="leaders", label="Who activates", choices=choices, many=True, least=0, most=len(choices))
    yield Form(
        verb="Activate",
        label="Activate with leaders",
        subject=(subject,),
        fixed={"places": [list(place) for place in able]},
        slots=(by,) if len(choices) > 1 else (),
        note=", ".join(place_name(ground, place) for place in able),
        rule=RULE,
        more=(_some_of(believed, seat, able),),
    )
    yield from _by_one_alone(believed, seat, each, able, bringing)


def _brought_in(
    believed: Believed, commands: tuple[str, ...], first: Place, side: str, nation: str
) -> tuple[Sequence[Place], Sequence[Unit]]:
    """The places with men who can act that leaders bring in, the first before them, and those leaders; none where that
    is the first alone. Worked out once of a belief for all who stand there."""
    known, key = _memo.of(believed), (commands, first, side, nation)
    found = known.get(key)
    if found is None:
        places = activatable(believed, commands, first, nation)
        able = [place for place in places if any(can_act(believed, one) for one in units_at(believed, place, side))]
        if len(able) < 2 or len(_chain(believed, commands, able)) < len(able):
            able = []
        among = set(able)
        found = known[key] = (
            able,
            [
                one
                for place in able
                for one in mine_at(believed, commands, place)
                if may_bring(believed, one) and not among.isdisjoint(reach_of(believed, one))
            ],
        )
    return found


_memo: Memo[Believed, dict[tuple[object, ...], tuple[Sequence[Place], Sequence[Unit]]]] = Memo(lambda believed: {})


def _by_one_alone(
    believed: Believed, seat: Seat, each: Unit, able: Sequence[Place], bringing: Sequence[Unit]
) -> Iterator[Form]:
    """What a leader beside a unit brings in by himself, where others whom he would reach bring in more: they are not
    Ops Complete then. `core 4.0`"""
    ground = ground_of(believed)
    for leader in bringing:
        if leader.at != each.at or nation_of(believed, leader) != nation_of(believed, each):
            continue
        places = [each.at, *(place for place in able if place in reach_of(believed, leader))]
        if 1 < len(places) < len(able):
            yield Form(
                verb="Activate",
                label=f"Activate with {unit_name(believed, leader)} alone",
                subject=(each.id,),
                fixed={"places": [list(place) for place in places], "leaders": [leader.id]},
                note=", ".join(place_name(ground, place) for place in places),
                rule=RULE,
                more=(_some_of(believed, seat, places),),
            )


def _some_of(believed: Believed, seat: Seat, places: Sequence[Place]) -> ChoiceSlot:
    """Fewer of the places: the first stays. Whether those that are left still reach each other, the order is asked."""
    ground = ground_of(believed)
    choices = []
    for place in places:
        there = mine_at(believed, seat.commands, place)
        names = ", ".join(unit_name(believed, each) for each in there)
        pieces = tuple(each.id for each in there)
        choices.append(
            Choice(id=place_key(place), label=place_name(ground, place), note=names, pieces=pieces, at=place)
        )
    return ChoiceSlot(
        name="places",
        label="What is brought in",
        choices=tuple(choices),
        many=True,
        most=len(choices),
        starts_full=True,
        must=(choices[0].id,),
        of_places=True,
    )


handles(Activate, check=check_activate, resolve=resolve_activate, options=activate_forms, phases=PHASE, rule=RULE)
