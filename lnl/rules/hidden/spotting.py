"""Spotting: what makes a hex spotted, attempts to spot one, and what comes to light by itself.

A rule that turns on what troops perceive asks `is_spotted` or `is_unit_spotted`: both answer from what the command
knows, in truth as in belief. After each step of a ruling that may bring something to light `uncover` is carried out.
`core 10.1`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.board.sight import Line
from lnl.happening.fire import OpsCompleted
from lnl.happening.impulses import ImpulseBegan, ImpulseChanged
from lnl.happening.rulings import fallen, tell
from lnl.happening.seeing import Looked, Revealed, Spotted, SpottedMarkerRemoved, SpottingFailed
from lnl.knowledge.sighting import (
    RULE,
    Watch,
    is_night,
    is_passing,
    knowledge_of,
    locations,
    places_of,
    reaches_at_night,
    seen_lying,
    seen_pieces,
)
from lnl.orders.checks import not_our_units, off_map
from lnl.orders.dispatch import handles
from lnl.orders.orders import Spot
from lnl.rules.men.leaders import leadership
from lnl.rules.turn.operations_phase import another_has_it
from lnl.state.battle import Believed, Impulse, State, Unit, Weapon, Work
from lnl.state.belonging import impulse_of_side, is_mine, is_of_his_force
from lnl.state.finding import (
    enemies_at,
    has_kind,
    is_leader,
    is_locked,
    is_open,
    line,
    perceives,
    scouts,
    sees,
    side_of,
    traits_of,
    unit,
    units,
    units_at,
    units_of,
)
from lnl.state.setting import setting_of, sight, tables_of
from lnl.words.naming import name_of
from umpire.kernel.book.points import Sum
from umpire.kernel.forms import Form, PointSlot
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal, total

NEVER_SPOT = ("medic", "chaplain", "nurse")
"""Who may not attempt to spot. `core 11.3`, `core 11.5`, `core 11.10`"""
FOUND, MISSED = "spotted", "not spotted"

spotting_modifiers: Sum[[State, Unit, Place, Line]] = Sum("spotting roll", rule=RULE)
"""What is added to the die of a spotting attempt."""


# Status


def is_spotted(state: State, command: str, place: Place) -> bool:
    """Whether a place is spotted for a command, from what it knows: it bears a Spotted marker, is open terrain, has a
    Melee or a unit with a Move, Assault Move or Fired marker, or one of its own in Good Order is adjacent (which does
    not show units under Stealth markers). What only passes through at this moment is asked of `is_unit_spotted`.
    `core 10.1`, `core 6.4`, `core 7.0`, `core 21.1`"""
    return knowledge_of(state, command).is_spotted(place)


def is_unit_spotted(state: State, command: str, piece: str) -> bool:
    """Whether an enemy is spotted: its place is, or it is moving (or assault moving) itself at this moment. `core 5.3`,
    `core 10.1`"""
    if not perceives(state, command, piece):
        return False
    each = unit(state, piece)
    return is_passing(each) or is_spotted(state, command, each.at)


def visible_places(state: State, command: str) -> tuple[Place, ...]:
    """The places that the units of a command have a line of sight to now, in order. `core 10.0`, `core 20.0`"""
    watch = Watch(state, command)
    return tuple(place for place in places_of(state.public.setting) if watch.has_line(place))


def uncover(state: State, *, have_arrived: bool = False) -> Ruling[State]:
    """What comes to light now: hidden pieces of an open battle that an enemy sees are revealed. A Spotted marker goes
    when nobody whom all see is left beneath it; a command's own when it sees so. `core 10.1`

    Units on the move spot what is adjacent only once `have_arrived` in a hex, after opportunity fire; in a blind battle
    they then look around. `core 6.0` d
    """
    is_blind = setting_of(state).options.play == "blind"
    for command in setting_of(state).commands:
        found = _coming_to_light(state, command, have_arrived) if have_arrived or not is_blind else []
        if not found:
            continue
        if is_blind:
            movers = tuple(
                sorted(
                    each.id for each in units(state) if each.command == command and each.is_moving and each.is_placed
                )
            )
            state = yield from tell(Looked(units=movers))
        else:
            state = yield from tell(Revealed(pieces=tuple(found)))
    return (yield from _unmark(state))


def _coming_to_light(state: State, command: str, have_arrived: bool) -> list[str]:
    """The hidden pieces of enemies, and weapons that lie somewhere, that a command sees and has no contact with yet, in
    an order that says nothing."""
    side = side_of(state, command)
    hidden = {name: part for name, part in state.commands.items() if part.pieces and side_of(state, name) != side}
    if not (hidden or state.umpire.pieces):
        return []
    watch = Watch(state, command)
    known = state.umpire.aliases.get(command, {})
    settled = None if have_arrived else known
    found: list[Unit | Weapon | Work] = [each for part in hidden.values() for each in seen_pieces(watch, part, settled)]
    open_at = {each.at for each in units_of(state.public) if each.is_placed}
    is_blind = setting_of(state).options.play == "blind"
    found.extend(each for each in seen_lying(watch) if is_blind or each.at in open_at)
    return [piece.id for piece in sorted(found, key=_as_seen) if piece.id not in known]


def _as_seen(piece: Unit | Weapon | Work) -> tuple[tuple[int, ...], str]:
    return piece.at, piece.kind if isinstance(piece, Work) else piece.counter


def _unmark(state: State) -> Ruling[State]:
    is_blind = setting_of(state).options.play == "blind"
    for place in () if is_blind else state.public.spotted:
        there = (each for spot in locations(place) for each in units_at(state, spot))
        if not any(is_open(state, each.id) for each in there):
            state = yield from tell(SpottedMarkerRemoved(at=place))
    for command, part in state.commands.items():
        if not part.spotted:
            continue
        watch = Watch(state, command)
        for place in part.spotted:
            is_left = not any(enemies_at(state, each, watch.side) for each in locations(place))
            if is_left and watch.has_line(place):
                state = yield from tell(SpottedMarkerRemoved(at=place, command=command))
    return state


# Attempts


@spotting_modifiers.printed
def _printed(rule: str, state: State, spotter: Unit, target: Place, seen: Line) -> Iterator[Modifier]:
    tables = tables_of(state)
    if seen.degrading:
        each = tables.number("spot_each_degrading")
        yield Modifier(each * seen.degrading, "degrading terrain on the way", rule)
    led = max((leadership(state, leader) for leader in _who_leads(state, spotter)), default=0)
    if led:
        yield Modifier(-led, "leadership", rule)
    if scouts(state, spotter):
        yield Modifier(tables.number("scout_spotting"), "scout", "core 11.7")
    for skill in spotter.skills:
        row = tables.skill(skill)
        if "keen_eyes" in row.traits:
            status = "house" if tables.is_house("skills", skill, "value") else ""
            yield Modifier(row.value, row.name, "core 12.0", status)


def _who_leads(state: State, spotter: Unit) -> Iterator[Unit]:
    """The leaders whose modifier counts: the spotter himself, or one with him who may still lead and whose force he is.
    `core 4.1`, `core 11.1`, `core 11.11`"""
    for each in (spotter, *units_at(state, spotter.at, spotter.side)):
        may_lead = each.is_good_order and not (each.moved or each.fired or each.ops_complete)
        if is_leader(state, each) and may_lead and is_of_his_force(state, each, spotter):
            yield each


def needed(state: State, command: str, target: Place) -> int:
    """The highest total that spots a place: 2 in blocking terrain, 3 in degrading. `core 10.1`"""
    is_blocking = knowledge_of(state, command).effect(target) == "blocking"
    return tables_of(state).number("spot_blocking" if is_blocking else "spot_degrading")


def working(state: State, spotter: Unit, target: Place) -> tuple[Modifier, ...]:
    """What is added to the die of this attempt."""
    seen = line(state, spotter.at, target)
    active, words = setting_of(state).active, traits_of(state, spotter)
    return spotting_modifiers(active, words, state, spotter, target, seen).modifiers


def why_not(state: State, each: Unit) -> str:
    """Why a unit may not attempt to spot now, "" if it may. `core 10.1`"""
    if not each.is_good_order:
        return "is Shaken"
    if each.moved or each.fired or each.ops_complete:
        return "bears a marker of this turn"
    if has_kind(state, each, *NEVER_SPOT):
        return "may not spot"
    return "is locked in Melee" if is_locked(state, each) else ""


def check_spot(believed: Believed, seat: Seat, order: Spot) -> Iterable[Refusal]:
    """One attempt in an impulse of its side, by a Good Order unit without markers, at a place in its line of sight that
    is not spotted. `core 10.1`, `core 20.0`"""
    wrong = [
        *not_our_units(believed, seat, [order.unit], "unit", RULE),
        *off_map(believed, [order.target], "target", RULE),
    ]
    if wrong:
        yield from wrong
        return
    each = unit(believed, order.unit)
    if why := why_not(believed, each):
        yield Refusal(f"{name_of(believed, each.id)} {why}.", RULE, "unit")
    yield from _no_attempt_left(believed, each)
    yield from _no_target(believed, each, order.target)


def _no_attempt_left(believed: Believed, each: Unit) -> Iterator[Refusal]:
    impulse = impulse_of_side(believed, each.command)
    if impulse is not None and impulse.tried_spotting:
        yield Refusal("One attempt has been made in this impulse.", RULE)


def _no_target(believed: Believed, each: Unit, target: Place) -> Iterator[Refusal]:
    knows = knowledge_of(believed, each.command)
    if not reaches_at_night(believed, each.at, target):
        yield Refusal("It is too dark to see so far.", "core 20.0", "target")
    elif not sees(believed, each.at, target):
        yield out_of_sight(believed, each.at, target)
    elif target == each.at or knows.is_spotted(target):
        yield Refusal("It is spotted already.", RULE, "target")
    elif target not in knows.enemies and setting_of(believed).options.play != "blind":
        yield Refusal("No enemy is there.", RULE, "target")


def out_of_sight(state: State, origin: Place, to: Place) -> Refusal:
    """The refusal of a target to which there is no line of sight. `core 10.3`, between the floors of neighbouring hexes
    `core 10.2`"""
    apart = [each.rule for each in line(state, origin, to).obstacles if each.rule == "core 10.2"]
    return Refusal("There is no line of sight.", apart[0] if apart else "core 10.3", "target")


def resolve_spot(state: State, seat: Seat, order: Spot) -> Ruling[State]:
    """The die against what the terrain needs; the unit is Ops Complete whatever comes of it. Where nobody is there is
    nothing to be spotted. `core 10.1`, `core 4.1`"""
    spotter, command = order.unit, unit(state, order.unit).command
    before = impulse_of_side(state, command)
    if another_has_it(state, seat, command) or (before is not None and before.tried_spotting):
        return state
    state = yield from _with_attempt(state, command, tried_spotting=True, spotter=spotter)
    modifiers = working(state, unit(state, spotter), order.target)
    highest = min(max(needed(state, command, order.target) - total(modifiers), 0), 6)
    bands = [(1, highest, FOUND), (highest + 1, 6, MISSED)]
    made = yield from roll(
        "1d6",
        "spot",
        subject=spotter,
        by=command,
        bands=[band for band in bands if band[0] <= band[1]],
        modifiers=modifiers,
        rule=RULE,
    )
    state = fallen(made, state)
    state = yield from tell(OpsCompleted(units=(spotter,), why="spotting"))
    is_there = any(enemies_at(state, each, side_of(state, command)) for each in locations(order.target))
    if made.result != FOUND or not is_there:
        return (yield from tell(SpottingFailed(unit=spotter, at=order.target)))
    state = yield from tell(Spotted(command=command, at=order.target))
    made_before = impulse_of_side(state, command) or Impulse(command=command)
    state = yield from _with_attempt(state, command, spotted=(*made_before.spotted, (spotter, order.target)))
    return (yield from uncover(state))


def _with_attempt(state: State, command: str, **changes: object) -> Ruling[State]:
    """The impulse with what the attempt changes in it. An attempt alone begins none: it has no place yet, and nobody
    has acted in it. `core 10.1`"""
    impulse = impulse_of_side(state, command)
    if impulse is None:
        return (yield from tell(ImpulseBegan(impulse=replace(Impulse(command=command), **changes))))
    return (yield from tell(ImpulseChanged(impulse=replace(impulse, **changes))))


def preview_spot(believed: Believed, seat: Seat, order: Spot) -> Preview:
    modifiers = working(believed, unit(believed, order.unit), order.target)
    highest = needed(believed, unit(believed, order.unit).command, order.target)
    return Preview(cost=f"{highest} or less after modifiers", modifiers=modifiers)


def spot_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Where a unit may try: places of known enemies that are not spotted, in a blind battle all that may hide some."""
    each = next((each for each in units(believed) if each.id == subject and is_mine(seat, each)), None)
    if each is None or not each.is_placed or why_not(believed, each) or any(_no_attempt_left(believed, each)):
        return
    targets = _targets(believed, each)
    if targets:
        yield Form(
            verb="Spot",
            label="Try to spot",
            subject=(each.id,),
            fixed={"unit": each.id},
            slots=(PointSlot(name="target", label="Where", places=targets),),
            note="One attempt in an impulse; the unit is Ops Complete whatever comes of it.",
            rule=RULE,
            odds=True,
        )


def may_try(state: State, each: Unit) -> bool:
    """Whether a unit may attempt to spot a place now, but for what its side has tried in this impulse. `core 10.1`"""
    return each.is_placed and not why_not(state, each) and bool(_targets(state, each))


def _targets(state: State, each: Unit) -> tuple[Place, ...]:
    """Where a unit may try: the same for all who stand in its place."""
    knows = knowledge_of(state, each.command)
    found = knows.targets.get(each.at)
    if found is None:
        is_blind = setting_of(state).options.play == "blind"
        among = knows.unspotted if is_blind else sorted(at for at in knows.enemies if not knows.is_spotted(at))
        field = sight(state).field(each.at)
        seen = tuple(at for at in among if field.sees(at) and at != each.at)
        if is_night(state):
            seen = tuple(at for at in seen if reaches_at_night(state, each.at, at))
        found = knows.targets[each.at] = seen
    return found


handles(
    Spot,
    check=check_spot,
    resolve=resolve_spot,
    options=spot_forms,
    phases=("operations",),
    rule=RULE,
    preview=preview_spot,
)


# Words
