"""Counters for troops whom the enemy cannot see, ten at most for each, and a dummy for every real one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from fireforce.book.rows import Manner
from fireforce.happening.blinds import CounterPlaced
from fireforce.happening.rulings import tell
from fireforce.orders.checks import active_commands, not_fit, not_ours, off_table, repeated
from fireforce.orders.dispatch import at as at_moment
from fireforce.orders.dispatch import handles
from fireforce.orders.orders import MoveCounter, PickUpCounter, PlaceCounter
from fireforce.rules.hidden.ambush import spring
from fireforce.rules.hidden.blinds import march_counter, shifted
from fireforce.rules.hidden.reveal import stand_in, take_up, under
from fireforce.rules.hidden.spotting import is_in_sight_of
from fireforce.rules.men.coherency import out_of_touch
from fireforce.rules.men.motivation import hostiles
from fireforce.rules.men.squads import body_of
from fireforce.rules.movement.advance import share, threats
from fireforce.rules.movement.allowance import Allowance, allowance, measured, rates, reached, worst
from fireforce.rules.movement.movement import CORNERS, inches, team_is_done
from fireforce.state.battle import (
    Believed,
    Counter,
    Figure,
    Phase,
    Place,
    State,
)
from fireforce.state.finding import (
    counter,
    counter_over,
    counters,
    figure,
    has_figure,
    has_squad,
    members_of,
    squad,
    squad_of,
    team_of,
)
from fireforce.state.setting import setting_of, tables_of
from fireforce.table.ranges import base_to_base, distance
from umpire.kernel.forms import ChoiceSlot, Form, PathSlot, PointSlot
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "fireforce visibility"
MOVING: tuple[Phase, ...] = ("motivation_movement",)


# Placing


def check_place_counter(believed: Believed, seat: Seat, order: PlaceCounter) -> Iterable[Refusal]:
    """Men of one team whom no enemy in sight can see are replaced by a counter; a dummy stands where none can see it.
    Whether somebody unseen watches them makes no difference: nobody could know. `fireforce visibility`"""
    commands = setting_of(believed).commands
    if order.command not in seat.commands or not commands[order.command].is_open:
        return [Refusal("Only an open command of your own has counters.", RULE, "command")]
    if order.command not in active_commands(believed, seat):
        return [Refusal("Its command is done with this phase.", "fireforce turn-sequence", "command")]
    return list(_no_dummy(believed, order)) if not order.figures else list(_no_real(believed, seat, order))


def _no_dummy(believed: Believed, order: PlaceCounter) -> Iterator[Refusal]:
    if order.at is None:
        yield Refusal("A dummy needs a place; a real counter names its figures.", RULE, "at")
        return
    yield from off_table(believed, [order.at], "at")
    mine = [each for each in counters(believed) if each.command == order.command]
    real = sum(bool(each.figures) for each in mine)
    if len(mine) - real >= real * tables_of(believed).number("dummies_per_counter"):
        yield Refusal("There is one dummy for every real counter, no more.", RULE, "command")
    elif _beside(believed, order.command, order.at) is None:
        yield Refusal("A dummy is put down beside a real counter of its command.", RULE, "at")
    elif _is_seen(believed, order.command, order.at):
        yield Refusal("An enemy sees that place.", RULE, "at")


def _beside(state: State, command: str, at: Place) -> Counter | None:
    """The real counter of a command that is nearest to a place, near enough to keep together. `fireforce visibility`"""
    reach = tables_of(state).distance("coherency")
    real = [each for each in counters(state) if each.command == command and each.figures]
    near = [each for each in real if base_to_base(at, each.at) <= reach]
    return min(near, key=lambda each: (distance(at, each.at), each.at, each.id), default=None)


def _no_real(believed: Believed, seat: Seat, order: PlaceCounter) -> Iterator[Refusal]:
    found = [
        *repeated(order.figures, "figures"),
        *not_ours(believed, seat, order.figures, "figures", RULE),
    ] or list(not_fit(believed, order.figures, "figures", RULE))
    yield from found
    if found:
        return
    men = [figure(believed, piece) for piece in order.figures]
    most = tables_of(believed).number("troops_per_counter")
    unit = squad_of(believed, men[0])
    if order.at is not None:
        yield Refusal("The counter stands in the middle of its men.", RULE, "at")
    elif len(men) > most:
        yield Refusal(f"A counter stands for {most} men at most.", RULE, "figures")
    elif any(man.command != order.command or counter_over(believed, man.id) is not None for man in men):
        yield Refusal("They are not of this command, or a counter stands for one of them already.", RULE, "figures")
    elif unit is None or {(man.squad, team_of(unit, man.id)) for man in men} != {(unit.id, team_of(unit, men[0].id))}:
        yield Refusal("A counter stands for men of one team.", RULE, "figures")
    elif len(body_of(believed, men, {})) != len(men):
        yield Refusal("They do not keep together.", "fireforce organisation", "figures")
    elif any(is_in_sight_of(believed, man, hostiles(believed, order.command)) for man in men):
        yield Refusal("An enemy sees one of them.", RULE, "figures")


def _is_seen(state: State, command: str, at: Place) -> bool:
    ghost = stand_in(state, Counter(id="", command=command, at=at))
    return is_in_sight_of(state, ghost, hostiles(state, command))


def place_counter(state: State, seat: Seat, order: PlaceCounter) -> Ruling[State]:
    """The counter stands there instead. `fireforce visibility`"""
    men = [figure(state, piece) for piece in order.figures if piece in state.public.pieces and has_figure(state, piece)]
    if order.figures and not men:
        return state
    at = order.at or (sum(man.at[0] for man in men) // len(men), sum(man.at[1] for man in men) // len(men))
    known = {each.id for each in counters(state)}
    turn = state.public.player_turn
    name = next(name for number in range(1, 1000) if (name := f"{order.command}-counter-{turn}-{number}") not in known)
    beside = _beside(state, order.command, at) if not men else None
    # A dummy comes from where the real one stands, and has gone as far as that has.
    has_moved = beside is not None and (beside.has_moved or any(man.moved for man in under(state, beside)))
    new = Counter(
        id=name, command=order.command, at=at, figures=tuple(sorted(man.id for man in men)), has_moved=has_moved
    )
    return (yield from tell(CounterPlaced(counter=new)))


# Moving and taking up


def leave_of(state: State, each: Counter) -> tuple[Allowance, Figure | None]:
    """What a counter may do: as the worst of its men, of whom one is given as if he stood in its middle."""
    if each.has_moved:
        return Allowance(barred=Refusal("The counter has moved in this turn.", RULE, "counter")), None
    men = under(state, each)
    for allowed in (allowance(state, one) for one in men):
        if allowed.barred is not None:
            return Allowance(barred=replace(allowed.barred, field="counter")), None
        if allowed.is_dictated or allowed.is_pinned:
            why = "One of its men is pinned, or withdraws: take the counter up."
            return Allowance(barred=Refusal(why, "fireforce motivation", "counter")), None
    return worst(state, men), replace(men[0], at=each.at) if men else None


def _own_counter(believed: Believed, seat: Seat, piece: str) -> Iterator[Refusal]:
    yield from not_ours(believed, seat, [piece], "counter", RULE)
    if not any(each.id == piece for each in counters(believed)):
        yield Refusal(f"{piece!r} is no counter of yours.", RULE, "counter")


def check_move_counter(believed: Believed, seat: Seat, order: MoveCounter) -> Iterable[Refusal]:
    """A counter moves as its men may, a dummy as troops whom nothing holds back. `fireforce visibility`"""
    if found := list(_own_counter(believed, seat, order.counter)):
        return found
    each = counter(believed, order.counter)
    allowed, man = leave_of(believed, each)
    if allowed.barred is not None:
        return [allowed.barred]
    if found := list(off_table(believed, order.path, "path")):
        return found
    if not order.path or len(order.path) > CORNERS or order.path == (each.at,):
        return [Refusal(f"A path leads somewhere and has {CORNERS} corners at most.", RULE, "path")]
    fraction = allowed.full
    if man is not None:
        fraction = share(believed, man, order.path, order.manner, allowed, threats(believed, each.command))
    if not fraction:
        return [Refusal("Its men do not advance.", "fireforce motivation", "path")]
    made = measured(believed, (each.at, *order.path), order.manner, fraction)
    if not made.complete:
        return [Refusal(f"The counter: {made.stopped_by} after {inches(made.distance)}.", "fireforce movement", "path")]
    men = under(believed, each)
    return list(out_of_touch(believed, men, shifted(believed, men, each.at, made.reached))) if men else []


def move_counter(state: State, seat: Seat, order: MoveCounter) -> Ruling[State]:
    """The counter goes its way until an enemy in sight sees it. `fireforce visibility`"""
    each = next((each for each in counters(state) if each.id == order.counter), None)
    if each is None:
        return state
    men = under(state, each)
    state = yield from march_counter(state, each, order.path, order.manner, leave_of(state, each)[0].full)
    if not men:
        return state
    state = yield from team_is_done(state, figure(state, men[0].id))
    return (yield from spring(state, [man.id for man in men]))


def check_pick_up_counter(believed: Believed, seat: Seat, order: PickUpCounter) -> Iterable[Refusal]:
    """One's own counter may be taken up at any time of one's turn. `fireforce visibility`"""
    return list(_own_counter(believed, seat, order.counter))


def pick_up_counter(state: State, seat: Seat, order: PickUpCounter) -> Ruling[State]:
    """Its men stand on the table again; a dummy goes. `fireforce visibility`"""
    if any(each.id == order.counter for each in counters(state)):
        state = yield from take_up(state, order.counter)
    return state


@at_moment("visibility", "begins", order=1)
def found_out(state: State) -> Ruling[State]:
    """Counters that an enemy whom their command has in sight can see are taken up: their troops are not definitely out
    of sight any more. So are those that stand for nobody any more. `fireforce visibility`"""
    for each in list(counters(state)):
        if not any(one.id == each.id for one in counters(state)):
            continue  # a dummy that has gone with a real one
        foes = hostiles(state, each.command)
        men = under(state, each)
        is_seen = bool(foes) and any(is_in_sight_of(state, man, foes) for man in [*men, stand_in(state, each)])
        if is_seen or (each.figures and not men):
            state = yield from take_up(state, each.id, "spotted" if is_seen else "")
    return state


# Forms


def place_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """A counter for each team that no enemy in sight sees, and a dummy for a command that may have one."""
    if subject is None:
        for command in active_commands(believed, seat):
            yield from _dummy_form(believed, seat, command)
        return
    if not has_squad(believed, subject):
        return
    unit = squad(believed, subject)
    if unit.command not in seat.commands:
        return
    for name in unit.teams:
        men = [man.id for man in members_of(believed, unit, name) if counter_over(believed, man.id) is None]
        order = PlaceCounter(command=unit.command, figures=tuple(men))
        if men and not any(check_place_counter(believed, seat, order)):
            which = f" ({name})" if len(unit.teams) > 1 else ""
            yield Form(
                verb="PlaceCounter",
                label=f"Replace by a counter{which}",
                subject=(unit.id,),
                fixed={"command": unit.command, "figures": men},
                rule=RULE,
            )


def _dummy_form(believed: Believed, seat: Seat, command: str) -> Iterator[Form]:
    mine = [each for each in counters(believed) if each.command == command and each.figures]
    places = tuple(each.at for each in mine)
    free = [at for at in places if not any(_no_dummy(believed, PlaceCounter(command=command, at=at)))]
    if free and setting_of(believed).commands[command].is_open:
        choices = PointSlot(name="at", label="Where", places=tuple(free))
        yield Form(
            verb="PlaceCounter", label="Place a dummy counter", fixed={"command": command}, slots=(choices,), rule=RULE
        )


def move_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Where a counter may be moved."""
    each = next((each for each in counters(believed) if each.id == subject), None)
    if each is None or each.command not in seat.commands:
        return
    allowed, _ = leave_of(believed, each)
    if allowed.barred is not None:
        return
    region = reached(believed, each.at, "running", allowed.full)
    if set(region) <= {each.at}:
        return  # the umpire has put it where nobody gets away from
    manners = tuple(Choice(id=manner, label=manner.capitalize()) for manner in ("tactical", "running"))
    yield Form(
        verb="MoveCounter",
        label="Move the counter",
        subject=(each.id,),
        fixed={"counter": each.id},
        slots=(
            ChoiceSlot(name="manner", label="How", choices=manners),
            PathSlot(name="path", label="Where", start=each.at, region=(region,), unit="inches"),
        ),
        rule=RULE,
    )


def pick_up_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Taking a counter up."""
    each = next((each for each in counters(believed) if each.id == subject), None)
    if each is not None and each.command in seat.commands:
        yield Form(
            verb="PickUpCounter", label="Take the counter up", subject=(each.id,), fixed={"counter": each.id}, rule=RULE
        )


def sample_move(believed: Believed, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
    """A random straight move of a counter that is accepted."""
    each = counter(believed, form.fixed["counter"])
    table = setting_of(believed).table
    for attempt in range(40):
        manner: Manner = random.choice(("tactical", "running"))
        reach = random.randint(20, max(rates(believed, manner).values())) if attempt < 24 else 10
        angle = random.random() * 2 * math.pi
        x = min(max(each.at[0] + round(reach * math.cos(angle)), 0), table.width)
        y = min(max(each.at[1] + round(reach * math.sin(angle)), 0), table.depth)
        order = MoveCounter(counter=each.id, path=((x, y),), manner=manner)
        if not list(check_move_counter(believed, seat, order)):
            return {"verb": "MoveCounter", **form.fixed, "manner": manner, "path": [[x, y]]}
    raise ValueError("no move of the counter is accepted where one is offered")


handles(
    PlaceCounter,
    check=check_place_counter,
    resolve=place_counter,
    options=place_forms,
    phases=MOVING,
    rule=RULE,
    role="aside",
)
handles(
    MoveCounter,
    check=check_move_counter,
    resolve=move_counter,
    options=move_forms,
    phases=MOVING,
    rule=RULE,
    sample=sample_move,
)
handles(
    PickUpCounter,
    check=check_pick_up_counter,
    resolve=pick_up_counter,
    options=pick_up_forms,
    phases=("motivation_movement", "searching", "firing", "close_combat"),
    rule=RULE,
    role="aside",
)
