"""What a client is offered of movement: previews, forms, random moves; and the verb itself."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import shapely
from msgspec.structs import replace
from shapely.ops import nearest_points

from fireforce.book.rows import Manner
from fireforce.orders.dispatch import handles
from fireforce.orders.orders import Move
from fireforce.rules.hidden.spotting import is_hidden, may_be_off_table, seen_on_the_way
from fireforce.rules.men.motivation import is_in_cover
from fireforce.rules.movement.advance import share, threats
from fireforce.rules.movement.allowance import RULE, Allowance, allowance, measured, rates, reached
from fireforce.rules.movement.movement import check_move, inches, length_of, move, not_allowed, path_of
from fireforce.rules.movement.withdrawal import manner_of, way_back
from fireforce.state.battle import (
    Believed,
    Figure,
    Place,
    Squad,
)
from fireforce.state.finding import (
    card_over,
    counter_over,
    figure,
    has_figure,
    has_squad,
    members_of,
    squad,
    squad_of,
    team_of,
)
from fireforce.state.setting import ground_of, setting_of, tables_of
from fireforce.table.going import Progress
from fireforce.table.ranges import base_to_base, distance
from fireforce.words.naming import name_of
from umpire.kernel.forms import ChoiceSlot, Form, ListSlot, Part, PathSlot
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Choice
from umpire.kernel.states import Seat

MANNERS: tuple[Manner, ...] = ("tactical", "running")


# Preview


def preview_move(believed: Believed, seat: Seat, order: Move) -> Preview:
    """The path of the first figure with its cost and going; who is seen on the way by the enemies known; contact."""
    first = figure(believed, order.figures[0])
    allowed = allowance(believed, first)
    foes = threats(believed, first.command)
    path = path_of(believed, order, first) or way_back(believed, first, allowed, foes)
    is_free = not (allowed.is_dictated or allowed.is_pinned)
    limit = share(believed, first, path, order.manner, allowed, foes) if is_free else allowed.full
    made = measured(believed, (first.at, *path), order.manner, limit)
    spent = float(made.spent)
    notes = tuple(
        f"{inches(leg.length)} {'along a road' if leg.going == 'road' else f'{leg.going} going'}" for leg in made.legs
    )
    return Preview(
        cost=f"{inches(made.distance)}, {spent:.0%} of a move",
        path=(first.at, *path),
        notes=notes,
        warnings=tuple(_warnings(believed, order, foes)),
    )


def _warnings(believed: Believed, order: Move, foes: Sequence[Place]) -> Iterator[str]:
    seen = leaving = 0
    for piece in order.figures:
        man = figure(believed, piece)
        path = path_of(believed, order, man)
        if not path:
            continue
        whole = (man.at, *path)
        if is_hidden(believed, man) and not may_be_off_table(believed, replace(man, is_prepared=False)):
            leaving += 1
        elif is_hidden(believed, man) and seen_on_the_way(believed, man, whole, length_of(whole)):
            seen += 1
        if any(base_to_base(path[-1], foe) == 0 for foe in foes):
            yield f"{name_of(believed, piece)} comes into contact with an enemy."
    if leaving:
        yield f"They leave their position: {leaving} of the figures will stand on the table."
    if seen:
        yield f"Enemies in sight would see {seen} of the figures on the way."


# Forms


def move_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a squad a move of each team, a withdrawal it is made to do, and cover near its pinned men; for a figure a
    move of its own."""
    if subject is None:
        return
    if has_squad(believed, subject):
        unit = squad(believed, subject)
        if unit.command in seat.commands and card_over(believed, unit.id) is None:
            for name in unit.teams:
                yield from _team_forms(believed, seat, unit, name)
    elif has_figure(believed, subject):
        man = figure(believed, subject)
        if man.command in seat.commands and counter_over(believed, man.id) is None:
            own = squad_of(believed, man)
            if own is None or card_over(believed, own.id) is None:
                yield from _figure_forms(believed, seat, man)


def _team_forms(believed: Believed, seat: Seat, unit: Squad, name: str) -> Iterator[Form]:
    men = [man for man in members_of(believed, unit, name) if counter_over(believed, man.id) is None]
    allowed = {man.id: allowance(believed, man) for man in men}
    which = f" ({name})" if len(unit.teams) > 1 else ""
    if away := [man for man in men if allowed[man.id].is_dictated]:
        yield _withdrawal_form(unit.id, away, allowed[away[0].id], which)
    free = [man for man in men if _is_free(allowed[man.id])]
    if any(_can_step(believed, seat, man, allowed[man.id]) for man in free):
        free.sort(key=lambda man: man.role != "leader")
        choices = tuple(Choice(id=man.id, label=man.name or man.role, pieces=(man.id,), at=man.at) for man in free)
        who = ChoiceSlot(name="figures", label="Who", choices=choices, many=True, most=len(choices))
        own = _own_ways(believed, free[0], allowed[free[0].id], choices)
        yield _move_form(believed, unit.id, free[0], allowed[free[0].id], f"Move{which}", (who,), {}, own)
    for man in men:
        if allowed[man.id].barred is None and allowed[man.id].is_pinned:
            yield from _cover_forms(believed, unit.id, man)


def _is_free(allowed: Allowance) -> bool:
    return allowed.barred is None and not allowed.is_dictated and not allowed.is_pinned


def _can_step(believed: Believed, seat: Seat, man: Figure, allowed: Allowance) -> bool:
    """Whether there is a move for him at all: who may not advance has none where enemies are on all sides, nor has a
    man of a gun group who has come to its place, nor whom the umpire has put on impassable ground."""
    unit = squad_of(believed, man)
    is_bound = unit is not None and unit.teams[team_of(unit, man.id)].place is not None
    is_out = ground_of(believed).going_at(man.at) == "impassable"
    return (allowed.advance in ("full", "half") and not is_bound and not is_out) or short_step(
        believed, seat, man
    ) is not None


def short_step(believed: Believed, seat: Seat, man: Figure) -> Place | None:
    """A place next to him, or cover near by, where he may go by himself; None where there is none."""
    steps = ((10, 0), (-10, 0), (0, 10), (0, -10), (7, 7), (-7, 7), (7, -7), (-7, -7))
    places: list[Place] = [(man.at[0] + dx, man.at[1] + dy) for dx, dy in steps]
    if (cover := cover_near(believed, man)) is not None:
        places.append(cover)
    for place in places:
        if not list(check_move(believed, seat, Move(figures=(man.id,), path=(place,)))):
            return place
    return None


def _figure_forms(believed: Believed, seat: Seat, man: Figure) -> Iterator[Form]:
    allowed = allowance(believed, man)
    if allowed.barred is not None:
        return
    if allowed.is_dictated:
        yield _withdrawal_form(man.id, [man], allowed, "")
    elif allowed.is_pinned:
        yield from _cover_forms(believed, man.id, man)
    elif _can_step(believed, seat, man, allowed):
        yield _move_form(believed, man.id, man, allowed, "Move", (), {"figures": [man.id]})


def _move_form(
    believed: Believed,
    subject: str,
    first: Figure,
    allowed: Allowance,
    label: str,
    slots: tuple[ChoiceSlot, ...],
    fixed: Mapping[str, Any],
    more: tuple[ListSlot, ...] = (),
) -> Form:
    notes = {
        "full": "",
        "half": "Fair: an advance is half a move at most.",
        "cover": "Wavering: no advance but into cover near by.",
        "none": "No advance.",
    }
    region = reached(believed, first.at, "running", allowed.full)
    manners = tuple(Choice(id=manner, label=manner.capitalize()) for manner in MANNERS)
    return Form(
        verb="Move",
        label=label,
        subject=(subject,),
        fixed=fixed,
        slots=(
            *slots,
            ChoiceSlot(name="manner", label="How", choices=manners),
            PathSlot(name="path", label="Where", start=first.at, region=(region,), unit="inches"),
            *more,
        ),
        note=notes[allowed.advance],
        rule=RULE,
    )


def _own_ways(
    believed: Believed, first: Figure, allowed: Allowance, choices: tuple[Choice, ...]
) -> tuple[ListSlot, ...]:
    """Where several go, a way of his own for each who does not keep beside the first."""
    if len(choices) < 2:
        return ()
    region = reached(believed, first.at, "running", allowed.full)
    path = PathSlot(name="path", label="Where", start=first.at, region=(region,), unit="inches", preview=False)
    part = Part(label="A way of his own", slots=(ChoiceSlot(name="figure", label="Who", choices=choices), path))
    return (ListSlot(name="paths", label="Not beside the first", parts=(part,), most=len(choices), by="figure"),)


def _withdrawal_form(subject: str, men: Sequence[Figure], allowed: Allowance, which: str) -> Form:
    label = "Run away" if allowed.withdraws == "run" else "Retreat"
    return Form(
        verb="Move",
        label=f"{label}{which}",
        subject=(subject,),
        fixed={"figures": [man.id for man in men], "manner": manner_of(allowed), "path": []},
        note="A full move, straight away from the enemy; another way may be ordered.",
        rule="fireforce motivation",
    )


def _cover_forms(believed: Believed, subject: str, man: Figure) -> Iterator[Form]:
    """The nearest cover that a pinned figure may crawl into."""
    place = cover_near(believed, man)
    if place is not None:
        yield Form(
            verb="Move",
            label=f"{man.name or 'Pinned man'} into cover",
            subject=(subject,),
            fixed={"figures": [man.id], "manner": "tactical", "path": [list(place)]},
            rule="fireforce saving-throws",
        )


def cover_near(believed: Believed, man: Figure) -> Place | None:
    """The nearest place in cover where a pinned figure may go; None where there is none, or he is in cover."""
    ground = ground_of(believed)
    foes = threats(believed, man.command)
    if is_in_cover(ground, man.at, foes):
        return None
    allowed = allowance(believed, man)
    here = shapely.Point(man.at)
    reach = tables_of(believed).distance("pinned_cover")
    found: list[tuple[int, Place]] = []
    for index in ground.area_tree.query(here, predicate="dwithin", distance=reach + man.radius):
        if ground.areas[index].kind.cover == "none":
            continue
        edge = nearest_points(ground.shapes[index], here)[0]
        place = (round(edge.x), round(edge.y))
        if place != man.at:
            found.append((distance(man.at, place), place))
    for _, place in sorted(found):
        if not any(not_allowed(believed, man, (place,), "tactical", allowed, foes)):
            return place
    return None


def sample_move(believed: Believed, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
    """A random move that is accepted: straight, in a random direction, as far as a random share of what is allowed."""
    order: dict[str, Any] = {"verb": "Move", **form.fixed}
    if "path" in order:
        return order
    if any(slot.name == "paths" for slot in form.slots):
        order["paths"] = {}
    slot = next((slot for slot in form.slots if slot.name == "figures"), None)
    men = [choice.id for choice in slot.choices] if isinstance(slot, ChoiceSlot) else list(order["figures"])
    order["figures"] = men
    first = figure(believed, men[0])
    table = setting_of(believed).table
    for attempt in range(24):
        manner: Manner = random.choice(MANNERS)
        reach = random.randint(50, max(rates(believed, manner).values()))
        if attempt >= 16:
            reach = 10
        angle = random.random() * 2 * math.pi
        x = min(max(first.at[0] + round(reach * math.cos(angle)), 0), table.width)
        y = min(max(first.at[1] + round(reach * math.sin(angle)), 0), table.depth)
        made: Progress = measured(believed, (first.at, (x, y)), manner, allowance(believed, first).full)
        made_order = Move(figures=tuple(men), path=(made.reached,), manner=manner)
        if not list(check_move(believed, seat, made_order)):
            return {**order, "manner": manner, "path": [list(made.reached)]}
    return {**order, **_stay_near(believed, seat, men)}


def _stay_near(believed: Believed, seat: Seat, men: Sequence[str]) -> dict[str, Any]:
    """The shortest of moves, one of the figures alone: some such is allowed wherever a move is offered at all."""
    for man in (figure(believed, piece) for piece in men):
        if (place := short_step(believed, seat, man)) is not None:
            return {"figures": [man.id], "manner": "tactical", "path": [list(place)]}
    raise ValueError("no move is accepted where one is offered")


handles(
    Move,
    check=check_move,
    resolve=move,
    options=move_forms,
    phases=("motivation_movement",),
    rule=RULE,
    preview=preview_move,
    sample=sample_move,
)
