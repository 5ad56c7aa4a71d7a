"""What a client is offered of movement: previews, ways that can be reached, random moves; and the verbs themselves.
`core 6.0` to `core 6.4`"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from lnl.board.hexes import SPINES, Place, distance
from lnl.orders.dispatch import handles
from lnl.orders.orders import AssaultMove, Face, LowCrawl, Move, StealthMove
from lnl.rules.fire.fire_combat import marked
from lnl.rules.movement.alike import alike
from lnl.rules.movement.cheapest_ways import Reached
from lnl.rules.movement.going import RULE, Walker
from lnl.rules.movement.movement import allowance, can_lead, made
from lnl.rules.movement.orders import (
    Marching,
    check_face,
    check_march,
    is_double_time,
    manner_of,
    resolve_face,
    resolve_march,
)
from lnl.rules.movement.reach import points, reach
from lnl.rules.movement.special_movement import has_moved_from, holds_back, lacks_leader
from lnl.rules.sampling import goal
from lnl.rules.turn.operations_phase import act_together, acts
from lnl.state.battle import Believed, Manner, Unit
from lnl.state.belonging import is_mine
from lnl.state.finding import counter_of, enemies_at, has_unit, perceived_enemies, present, sees, unit, units_at
from lnl.words.naming import place_words, unit_name
from umpire.kernel.forms import ChoiceSlot, Form, PathSlot
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Choice
from umpire.kernel.states import Seat
from umpire.kernel.values.memo import Memo
from umpire.kernel.values.modifiers import Modifier

PHASE = ("operations",)
KINDS: Mapping[Manner, type[Marching]] = {
    "move": Move,
    "assault": AssaultMove,
    "low_crawl": LowCrawl,
    "stealth": StealthMove,
}
LABELS: Mapping[Manner, str] = {
    "move": "Move",
    "assault": "Assault move",
    "low_crawl": "Low crawl",
    "stealth": "Stealth move",
}
RULES: Mapping[Manner, str] = {"move": RULE, "assault": "core 6.1", "low_crawl": "core 6.3", "stealth": "core 6.4"}


def preview_march(believed: Believed, seat: Seat, order: Marching) -> Preview:
    """What the path costs each, step by step, and a melee at its end."""
    stack = present(believed, order.units)
    if not stack:
        return Preview()
    manner, hurried = manner_of(order), is_double_time(order)
    at, spent = stack[0].at, {each.id: 0 for each in stack}
    notes: list[str] = []
    modifiers: list[Modifier] = []
    for number, to in enumerate(order.path):
        step = made(
            believed, stack, at, to, manner=manner, double_time=hurried, spent=spent, entered=order.path[:number]
        )
        if step.why:
            break
        modifiers.extend(Walker(believed, stack[0], stack, hurries=hurried).parts(at, to, order.path[:number]))
        at, spent = to, dict(step.spent)
    for each in stack:
        most = allowance(believed, each, manner, hurried, stack)[0]
        notes.append(f"{unit_name(believed, each)}: {spent[each.id]} of {most} movement points")
    enemies = enemies_at(believed, at, stack[0].side)
    warnings = [f"Melee in {place_words(believed, at)}."] if enemies else []
    if watchers := _watchers(believed, stack[0].command, order.path):
        warnings.append(f"In sight of enemies who have not fired: {', '.join(watchers)}.")
    return Preview(
        cost=f"{max(spent.values())} movement points",
        path=(stack[0].at, *order.path),
        notes=tuple(notes),
        modifiers=tuple(modifiers),
        warnings=tuple(warnings),
    )


def _watchers(believed: Believed, command: str, path: Sequence[Place]) -> list[str]:
    """The known enemies whose markers let them take opportunity fire and who see a place of a way. `core 5.3`"""
    return [
        f"{unit_name(believed, foe)} ({place_words(believed, foe.at)})"
        for foe in perceived_enemies(believed, command)
        if foe.is_good_order
        and any(sees(believed, foe.at, at) and not marked(believed, foe, at, "opportunity") for at in path)
    ]


def march_forms(manner: Manner) -> Callable[[Believed, Seat, str | None], Iterator[Form]]:
    """The forms of one manner of moving: a unit with those of its place who may come along; and at double-time."""

    def forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
        known = _memo.of(believed)
        together = known.together(seat, subject) if subject is not None else ()
        if not together:
            return
        yield from _form(known, seat, together, manner, hurried=False)
        if manner in ("move", "assault") and any(can_lead(believed, each) for each in together):
            yield from _form(known, seat, together, manner, hurried=True)

    return forms


def _form(known: _Known, seat: Seat, together: Sequence[Unit], manner: Manner, *, hurried: bool) -> Iterator[Form]:
    """The form for a unit and those who may join it. What it can reach is worked out for it, with the one mate without
    whom it may not move so (a leader, or whom a leader goes along with) where there must be one."""

    def may(*stack: Unit) -> bool:
        return known.may_go(seat, stack, manner, hurried)

    each, *mates = together
    with_one = ((each, other) for other in mates if may(each, other))
    stack = (each,) if may(each) else next(with_one, None)
    if stack is None:
        return
    reached = reach(known.state, stack, manner, hurried)
    if not reached.spent:
        return
    going_along = (
        *stack,
        *(other for other in mates if other not in stack and known.may_join(seat, stack, other, manner, hurried)),
    )
    most = points(known.state, stack, manner, hurried)
    slots: list[ChoiceSlot | PathSlot] = []
    fixed: dict[str, Any] = {"double_time": True} if hurried else {}
    if len(going_along) > 1:
        choices = tuple(known.choice(one) for one in going_along)
        slots.append(
            ChoiceSlot(name="units", label="Who", choices=choices, many=True, least=len(stack), most=len(choices))
        )
    else:
        fixed["units"] = [each.id]
    slots.append(_way(reached, 1 if manner == "low_crawl" else most))
    yield Form(
        verb=KINDS[manner].__name__,
        label=f"{LABELS[manner]}{' at double-time' if hurried else ''}",
        subject=(each.id,),
        fixed=fixed,
        slots=tuple(slots),
        note=f"{most} movement points",
        rule="core 6.2" if hurried else RULES[manner],
    )


class _Known:
    """What was worked out of a state: who may go with whom; units that are alike in all but their names may alike."""

    def __init__(self, state: Believed) -> None:
        self.state = state
        self._alike = alike(state)
        self._together: dict[tuple[object, ...], tuple[Unit, ...]] = {}
        self._choices: dict[str, Choice] = {}
        self._held: dict[tuple[object, ...], bool] = {}
        self._left: dict[tuple[object, ...], bool] = {}

    def together(self, seat: Seat, subject: str) -> tuple[Unit, ...]:
        """A unit of a seat that may act, and those of its place that may with it; nobody where it may not."""
        key = (seat.commands, subject)
        found = self._together.get(key)
        if found is None:
            found = self._together[key] = tuple(self._acting(seat, subject))
        return found

    def _acting(self, seat: Seat, subject: str) -> Iterator[Unit]:
        state = self.state
        if not has_unit(state, subject) or not is_mine(seat, unit(state, subject)):
            return
        if not acts(state, seat, subject):
            return
        each = unit(state, subject)
        yield each
        for other in units_at(state, each.at, each.side):
            if other.id != each.id and act_together(state, seat, each, other):
                yield other

    def choice(self, each: Unit) -> Choice:
        found = self._choices.get(each.id)
        if found is None:
            label = unit_name(self.state, each)
            found = self._choices[each.id] = Choice(id=each.id, label=label, pieces=(each.id,))
        return found

    def may_go(self, seat: Seat, stack: Sequence[Unit], manner: Manner, hurried: bool) -> bool:
        """Whether units may move together in this manner, wherever they would go."""
        if self._is_left(seat, stack[0].at) or lacks_leader(self.state, stack, double_time=hurried):
            return False
        if manner == "assault":
            return all(self._may(each, stack, manner, hurried) for each in stack)
        return all(self._may(each, (each,), manner, hurried) for each in stack)

    def may_join(self, seat: Seat, stack: Sequence[Unit], other: Unit, manner: Manner, hurried: bool) -> bool:
        """Whether one more may go along with units that may go; in an assault move each depends on all others."""
        if manner == "assault":
            return self.may_go(seat, (*stack, other), manner, hurried)
        return self._may(other, (other,), manner, hurried)

    def _is_left(self, seat: Seat, place: Place) -> bool:
        """Whether a move from a place has ended in this impulse, so that nobody else goes from there."""
        key = (seat.commands, place)
        found = self._left.get(key)
        if found is None:
            found = self._left[key] = any(has_moved_from(self.state, seat, place))
        return found

    def _may(self, each: Unit, stack: Sequence[Unit], manner: Manner, hurried: bool) -> bool:
        key = (manner, hurried, self._alike.of(each), *map(self._alike.of, stack))
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = not any(holds_back(self.state, each, stack, manner, double_time=hurried))
        return found


_memo: Memo[Believed, _Known] = Memo(_Known)


def _way(reached: Reached, most: int) -> PathSlot:
    """The slot of a way: `region` has each place that can be reached, behind it the points spent there and the place
    that one comes from for them, where the price of a step does not depend on who of the stack makes it."""
    return PathSlot(
        name="path", label="Way", start=reached.start, region=reached.region, steps=reached.steps, most=most, unit="MP"
    )


def sample_march(believed: Believed, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
    """A random way that the units chosen can pay for, mostly towards the enemy or what scores."""
    order = next(kind for kind in KINDS.values() if kind.__name__ == form.verb)
    way = next(slot for slot in form.slots if isinstance(slot, PathSlot))
    among = [choice.id for slot in form.slots if isinstance(slot, ChoiceSlot) for choice in slot.choices]
    least = next((slot.least for slot in form.slots if isinstance(slot, ChoiceSlot)), 0)
    extra = {key: value for key, value in form.fixed.items() if key != "units"}
    aim = goal(believed, unit(believed, form.subject[0]).command, random)
    groups = [random.sample(among, random.randint(least, len(among))), among[:least]] if among else []
    for chosen in (*groups, list(form.fixed.get("units", among[:1]))):
        path: list[Place] = []
        for _ in range(random.randint(1, max(1, way.most))):
            at = path[-1] if path else unit(believed, form.subject[0]).at
            steps = way.steps.get(",".join(map(str, at)), ())
            further = [to for to in ((step[0], step[1], step[2]) for step in steps) if to not in path]
            random.shuffle(further)
            if aim is not None:
                further.sort(key=lambda to: distance(to[:2], aim))
            tried = (
                [*path, to]
                for to in further
                if not any(check_march(believed, seat, order(units=tuple(chosen), path=(*path, to), **extra)))
            )
            longer = next(tried, None)
            if longer is None:
                break
            path = longer
        if path:
            return {"verb": form.verb, **extra, "units": chosen, "path": [list(place) for place in path]}
    raise ValueError(f"no way for {form.subject[0]}")


def face_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    """For a weapon team with a facing: each way in which it may turn."""
    if subject is None or not has_unit(believed, subject) or not counter_of(believed, unit(believed, subject)).facing:
        return
    for spine in SPINES:
        if not list(check_face(believed, seat, Face(unit=subject, facing=spine))):
            yield Form(
                verb="Face",
                label=f"Turn to spine {spine}",
                subject=(subject,),
                fixed={"unit": subject, "facing": spine},
                rule="core 1.6.3",
            )


for _manner, _kind in KINDS.items():
    handles(
        _kind,
        check=check_march,
        resolve=resolve_march,
        options=march_forms(_manner),
        phases=PHASE,
        rule=RULES[_manner],
        preview=preview_march,
        sample=sample_march,
    )
handles(Face, check=check_face, resolve=resolve_face, options=face_forms, phases=PHASE, rule="core 1.6.3")
