"""Skirmish, a toy game: the worked example of a rules package, on which the kernel is proved.

A lane of hexes, two sides of two commands each, hidden units and contacts. `state` has the values, `events` what
happens to them, `rules` the orders and their rulings, `knowledge` who comes to know what, `orders` and `screens` what
serves a seat, `scenario` and `lanes` the files; here stands the package itself. `PACKAGE` is the object to register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from umpire.kernel import forms
from umpire.kernel.events import Event, KnowledgeEvent
from umpire.kernel.forms import Form
from umpire.kernel.ledger import Drawn, Thrown, Upcaster
from umpire.kernel.pieces.problems import problems
from umpire.kernel.registry import Fate, LogLine, Outcome, Preview, RulesPackage
from umpire.kernel.rulings import Question, Ruling
from umpire.kernel.settings import BadInput, Setting
from umpire.kernel.states import Seat, Slice
from umpire.kernel.values.modifiers import Modifier, Refusal
from umpire.testing.skirmish import events, firing, knowledge, lanes, orders, riding, rules, scenario, screens
from umpire.testing.skirmish.drawn import Scene, View
from umpire.testing.skirmish.hand import HAND
from umpire.testing.skirmish.state import (
    ALLOWANCE,
    STACK,
    Believed,
    Lane,
    Secrets,
    State,
    Umpire,
    Unit,
    at_hex,
    is_open,
    lane_of,
    of_one_map,
    units,
)


class Skirmish(RulesPackage[State, Believed]):
    system = "skirmish"
    title = "Skirmish"
    is_example = True
    ledger_version = 2
    state_type = State
    happening = events.happening
    events = events.happening.union()
    orders = rules.Orders
    corrections = HAND.corrections()
    hand = HAND
    views = View
    scenes = Scene
    public_setting = Lane
    umpire_setting = Secrets
    upcasters: ClassVar[Mapping[int, Upcaster]] = {1: lambda entry: entry}
    first_upcasters: ClassVar[Mapping[int, Upcaster]] = {1: of_one_map}
    concedes = (
        "that a command has ended its turn",
        "that a turn begins",
        "that the battle is over, and who has won",
        "in an open battle, that standing orders answer at once",
    )

    # Scenarios

    def scenarios(self) -> Mapping[str, str]:
        return {"the-lane": lanes.THE_LANE}

    def load(
        self, text: str, *, file: str, options: Mapping[str, Any], layers: Sequence[tuple[str, str]] = ()
    ) -> Setting:
        if layers:
            raise BadInput("Skirmish has no tables", file=layers[0][0], right="Leave the file out")
        return scenario.load(text, file=file, options=options)

    def begin(self, setting: Setting, name: Callable[[str], str]) -> State:
        return scenario.begin(setting, name)

    # What a seat may do

    def believed(self, known: Slice) -> Believed:
        return knowledge.believed(known)

    def subjects(self, believed: Believed, seat: Seat) -> tuple[str, ...]:
        mine = [unit for unit in units(believed).values() if unit.command in seat.commands]
        return tuple(unit.id for unit in mine if any(orders.unit_forms(believed, unit)))

    def options(self, believed: Believed, seat: Seat, subject: str | None) -> Sequence[Form]:
        if subject is None:
            return [form for command in seat.commands for form in orders.command_forms(believed, command)]
        unit = units(believed).get(subject)
        if unit is None or unit.command not in seat.commands:
            return []
        return list(orders.unit_forms(believed, unit))

    def sample(self, believed: Believed, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
        return forms.order_of(form, {slot.name: forms.sample(slot, random) for slot in form.slots})

    def check(self, believed: Believed, seat: Seat, order: Any) -> Sequence[Refusal]:
        return list(orders.refusals(believed, seat, order))

    def preview(self, believed: Believed, seat: Seat, order: Any) -> Preview:
        refusals = tuple(self.check(believed, seat, order))
        match order:
            case _ if refusals:
                return Preview(refusals=refusals)
            case rules.Move(unit=unit, path=path):
                left = ALLOWANCE - units(believed)[unit].spent
                return Preview(cost=f"{len(path)} of {left} hexes", path=path)
            case rules.Fire(unit=unit, target=target):
                known = units(believed)
                modifiers = tuple(firing.fire_modifiers(believed, known[unit], known[target].hex))
                notes = () if is_open(believed, target) else ("assuming a unit of two steps",)
                return Preview(modifiers=modifiers, notes=notes)
            case _:
                return Preview()

    def reply(self, believed: Believed, question: Question) -> tuple[str, ...] | None:
        """What nobody may be seen to wait for is answered always: an ambush, and in a blind battle who takes a hit."""
        match question.kind:
            case "hit" if lane_of(believed).blind:
                return question.default
            case "opportunity_fire" | "ambush":
                return firing.standing_answer(believed, question)
            case _:
                return None

    # Rulings

    def resolve(self, state: State, seat: Seat, order: Any) -> Ruling[State]:
        match order:
            case rules.Move():
                return rules.move(state, order)
            case rules.Fire():
                return rules.fire(state, order)
            case rules.Assault():
                return rules.assault(state, order)
            case riding.Board():
                return riding.board(state, order)
            case riding.GetOff():
                return riding.get_off(state, order)
            case rules.EndTurn(command=command):
                return firing.tell(events.TurnEnded(command=command))
            case rules.StandingOrders(command=command, fire=fire):
                return firing.tell(events.StandingOrdersGiven(command=command, fire=fire))
            case rules.GivePlan():
                return rules.give_plan(state, order)
            case _:
                raise TypeError(f"Skirmish has no order {type(order).__name__}")

    def advance(self, state: State) -> Ruling[State]:
        return rules.advance(state)

    def due(self, state: State) -> tuple[str, ...]:
        if state.public.is_over:
            return ()
        return tuple(name for name, plan in state.umpire.plans.items() if plan.turn < state.public.turn)

    def carry(self, state: State, force: str) -> Ruling[State]:
        return rules.carry(state, force)

    def notice(self, before: State, cause: Event | Thrown | Drawn, after: State) -> Sequence[KnowledgeEvent]:
        return knowledge.notice(before, cause, after)

    def look(self, before: State | None, after: State) -> Iterable[KnowledgeEvent]:
        return knowledge.look(before, after)

    def overrule(self, state: State, correction: Any) -> Sequence[Event]:
        return HAND.deeds[type(correction)].events(state, correction)

    # What seats and umpire see

    def view(self, believed: Believed, seat: Seat) -> View:
        return screens.view(believed, seat, self.outcome(believed))

    def truth(self, state: State) -> View:
        everything = Believed(public=state.public, commands=state.commands, umpire=Umpire())
        return screens.truth(everything, state, self.outcome(state))

    def scene(self, believed: Believed) -> Scene:
        return screens.scene(believed, rules.TITLES)

    def describe(self, event: Event, believed: Believed) -> LogLine | None:
        return screens.line(event, believed)

    def chronicle(self, event: Any, state: State) -> LogLine:
        return screens.chronicle(event, state)

    def fates(self, before: Believed, after: Believed) -> Sequence[Fate]:
        now = units(after)
        fates = []
        for name, unit in units(before).items():
            if name not in now:
                fates.append(Fate(piece=name, what="out"))
                continue
            if now[name].steps < unit.steps:
                fates.append(Fate(piece=name, what="hit"))
            if now[name].hex != unit.hex:
                fates.append(Fate(piece=name, what=f"comes to hex {now[name].hex}"))
        return fates

    def impossible(self, state: State) -> Sequence[str]:
        everybody, found = units(state), list(problems(state))
        for name, unit in everybody.items():
            if unit.id != name or not 1 <= unit.steps <= 2 or not 0 <= unit.spent <= ALLOWANCE + 1:
                found.append(f"{name} is no proper unit: {unit}")
            if not 0 <= unit.hex < lane_of(state).length:
                found.append(f"{name} stands off the lane")
        found.extend(f"a plan is left of {name}" for name in state.umpire.plans if name not in everybody)
        return found

    def breaches(self, state: State) -> Sequence[str]:
        found = []
        for at in range(lane_of(state).length):
            there = list(at_hex(state, at))
            if len(there) > STACK:
                found.append(f"more than {STACK} units are in hex {at}")
            if len({unit.command for unit in there}) > 1:
                found.append(f"units of two commands are in hex {at}")
        return found

    def outcome(self, state: State) -> Outcome:
        """A step in the enemy's half of the lane is a point.

        skirmish points
        """
        lane, lines = lane_of(state), {}
        for number, side in enumerate(lane.sides):
            theirs = [unit for unit in units(state).values() if unit.side == side]
            beyond = [unit for unit in theirs if (unit.hex * 2 >= lane.length) is (number == 0)]
            lines[side] = tuple(_point(unit) for unit in beyond)
        return Outcome(
            points={side: sum(line.value for line in mine) for side, mine in lines.items()},
            lines=lines,
            is_over=state.public.is_over,
            winner=state.public.winner,
            why="it has more units left" if state.public.winner else "",
        )

    def rule_text(self) -> Mapping[str, str]:
        return rules.TITLES


def _point(unit: Unit) -> Modifier:
    return Modifier(unit.steps, f"{unit.name} in hex {unit.hex}", "skirmish points")


PACKAGE = Skirmish()
