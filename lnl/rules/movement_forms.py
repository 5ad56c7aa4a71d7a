"""What a client is offered of movement: previews, ways that can be reached, random moves; and the verbs themselves.
`core 6.0` to `core 6.4`"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from lnl.board.hexes import SPINES, Place, distance
from lnl.dispatch import handles
from lnl.finding import enemies_at, has_unit, perceived_enemies, present, sees, unit, units_at, weapons_of
from lnl.naming import place_words, unit_name
from lnl.orders import AssaultMove, Face, LowCrawl, Move, StealthMove
from lnl.rules.fire_combat import marked
from lnl.rules.going import RULE, Walker, going
from lnl.rules.movement import allowance, can_lead, made, reachable
from lnl.rules.movement_orders import (
    Marching,
    check_face,
    check_march,
    is_double_time,
    manner_of,
    resolve_face,
    resolve_march,
)
from lnl.rules.operations_phase import may_act
from lnl.rules.special_movement import not_going
from lnl.sampling import goal
from lnl.state import Believed, Manner, Unit, place_key
from umpire.kernel.forms import ChoiceSlot, Form, PathSlot
from umpire.kernel.latest import Latest
from umpire.kernel.modifiers import Modifier
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Choice
from umpire.kernel.states import Seat

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
        points = allowance(believed, each, manner, hurried, stack)[0]
        notes.append(f"{unit_name(believed, each)}: {spent[each.id]} of {points} movement points")
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
        and any(sees(believed, foe.at, at) and not marked(believed, foe.command, foe, at, "opportunity") for at in path)
    ]


def march_forms(manner: Manner) -> Callable[[Believed, Seat, str | None], Iterator[Form]]:
    """The forms of one manner of moving: a unit with those of its place who may come along; and at double-time."""

    def forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
        if subject is None or not has_unit(believed, subject) or unit(believed, subject).command not in seat.commands:
            return
        each = unit(believed, subject)
        if any(may_act(believed, seat, (subject,))):
            return
        mates = [
            other
            for other in units_at(believed, each.at, each.side)
            if other.id != each.id and not any(may_act(believed, seat, (each.id, other.id)))
        ]
        yield from _form(believed, seat, each, mates, manner, hurried=False)
        if manner in ("move", "assault") and any(can_lead(believed, other) for other in (each, *mates)):
            yield from _form(believed, seat, each, mates, manner, hurried=True)

    return forms


def _form(
    believed: Believed, seat: Seat, each: Unit, mates: Sequence[Unit], manner: Manner, *, hurried: bool
) -> Iterator[Form]:
    """The form for a unit and those who may join it. What it can reach is worked out for it, with the one mate without
    whom it may not move so (a leader, or whom a leader goes along with) where there must be one."""

    known = _latest.of(believed)

    def may(*stack: Unit) -> bool:
        return known.may_go(seat, stack, manner, hurried)

    with_one = ((each, other) for other in mates if may(each, other))
    stack = (each,) if may(each) else next(with_one, None)
    if stack is None:
        return
    way = known.way(stack, manner, hurried)
    if way is None:
        return
    together = (*stack, *(other for other in mates if other not in stack and may(*stack, other)))
    points = allowance(believed, each, manner, hurried, stack)[0]
    slots: list[ChoiceSlot | PathSlot] = []
    fixed: dict[str, Any] = {"double_time": True} if hurried else {}
    if len(together) > 1:
        choices = tuple(Choice(id=one.id, label=unit_name(believed, one), pieces=(one.id,)) for one in together)
        slots.append(
            ChoiceSlot(name="units", label="Who", choices=choices, many=True, least=len(stack), most=len(choices))
        )
    else:
        fixed["units"] = [each.id]
    slots.append(way)
    yield Form(
        verb=KINDS[manner].__name__,
        label=f"{LABELS[manner]}{' at double-time' if hurried else ''}",
        subject=(each.id,),
        fixed=fixed,
        slots=tuple(slots),
        note=f"{points} movement points",
        rule="core 6.2" if hurried else RULES[manner],
    )


class _Known:
    """What was worked out of a state: units that are alike in all but their names, in one place, may go alike."""

    def __init__(self, state: Believed) -> None:
        self.state = state
        self._alike: dict[str, _Alike] = {}
        self._may: dict[tuple[object, ...], bool] = {}
        self._ways: dict[tuple[object, ...], PathSlot | None] = {}

    def alike(self, each: Unit) -> _Alike:
        """What decides about where a unit may go: all that is to be said of it but its name, and what it carries."""
        found = self._alike.get(each.id)
        if found is None:
            guns = tuple((gun.counter, gun.is_set_up) for gun in weapons_of(self.state, each))
            found = self._alike[each.id] = (replace(each, id="", name="", weapons=()), guns)
        return found

    def may_go(self, seat: Seat, stack: Sequence[Unit], manner: Manner, hurried: bool) -> bool:
        """Whether units may move together in this manner, wherever they would go."""
        key = (seat.commands, manner, hurried, *map(self.alike, stack))
        found = self._may.get(key)
        if found is None:
            refused = any(not_going(self.state, seat, stack, manner, double_time=hurried))
            found = self._may[key] = not refused
        return found

    def way(self, stack: Sequence[Unit], manner: Manner, hurried: bool) -> PathSlot | None:
        """The slot of their way, None where they can go nowhere."""
        key = (manner, hurried, *map(self.alike, stack))
        if key not in self._ways:
            reached = reachable(self.state, stack, manner, hurried)
            points = allowance(self.state, stack[0], manner, hurried, stack)[0]
            most = 1 if manner == "low_crawl" else points
            self._ways[key] = _way(self.state, stack, hurried, reached, most) if reached else None
        return self._ways[key]


_Alike = tuple[Unit, tuple[tuple[str, bool], ...]]
_latest: Latest[Believed, _Known] = Latest(_Known)


def _way(believed: Believed, stack: Sequence[Unit], hurried: bool, reached: Mapping[Place, int], most: int) -> PathSlot:
    """The slot of a way: `region` has each place that can be reached, behind it the points spent there and the place
    that one comes from for them, where the price of a step does not depend on who of the stack makes it."""
    ground, start = going(believed), stack[0].at
    origins = _origins(believed, stack, hurried, reached)
    return PathSlot(
        name="path",
        label="Way",
        start=start,
        region=tuple(((*place, spent, *origins.get(place, ())),) for place, spent in sorted(reached.items())),
        steps={
            place_key(place): tuple(to for to in ground.around(place) if to in reached)
            for place in sorted({start, *reached})
        },
        most=most,
        unit="MP",
    )


def _origins(
    believed: Believed, stack: Sequence[Unit], hurried: bool, reached: Mapping[Place, int]
) -> Mapping[Place, Place]:
    """From where the first of a stack comes to each place for the points that are spent there."""
    ground, first = going(believed), stack[0]
    walker = Walker(believed, first, stack, hurries=hurried)
    found: dict[Place, Place] = {}
    for place, spent in sorted({first.at: 0, **reached}.items(), key=lambda item: (item[1], item[0])):
        if place != first.at and ground.enemies(place, first.side):
            continue
        for to, price in zip(ground.around(place), ground.prices(walker, place, ()), strict=True):
            if price is not None and reached.get(to) == spent + price:
                found.setdefault(to, place)
    return found


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
    if subject is None or not has_unit(believed, subject):
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
