"""Scenario files of Skirmish, the bundled one, and the first state of a battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from umpire.kernel.events import Sighted, learn
from umpire.kernel.pieces.piece import Hold
from umpire.kernel.settings import BadInput, Setting, remember
from umpire.kernel.values.maps import ordered
from umpire.testing.skirmish.events import TurnBegun
from umpire.testing.skirmish.knowledge import notice
from umpire.testing.skirmish.state import (
    WAYS,
    Lane,
    Part,
    Plan,
    Public,
    Secrets,
    Start,
    State,
    Umpire,
    Unit,
    Wagon,
    place,
)


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A scenario file, in TOML."""

    title: str
    length: int
    turns: int
    commands: Mapping[str, str]
    units: tuple[Start, ...]
    blind: bool = True
    woods: tuple[int, ...] = ()
    events: Mapping[str, str] = field(default_factory=dict)


def load(text: str, *, file: str, options: Mapping[str, Any]) -> Setting:
    """Both halves of the setting that a file describes. Raises BadInput."""
    try:
        found = msgspec.toml.decode(text, type=Scenario)
    except msgspec.ValidationError as error:
        right = f"Keys: {', '.join(Scenario.__struct_fields__)}"
        raise BadInput(str(error), file=file, right=right) from error
    except msgspec.DecodeError as error:
        raise BadInput(f"it is not TOML: {error}", file=file) from error
    for name in options:
        if name != "blind":
            raise BadInput(f"there is no option {name!r}", file=file, where="options", right="There is: blind")
    for index, start in enumerate(found.units):
        where = f"units[{index}]"
        if start.command not in found.commands:
            right = f"There are: {', '.join(sorted(found.commands))}"
            raise BadInput(f"there is no command {start.command!r}", file=file, where=where, right=right)
        if not 0 <= start.at < found.length or (start.plan and not 0 <= start.plan.goal < found.length):
            right = f"The lane has hexes 0 to {found.length - 1}"
            raise BadInput("there is no such hex", file=file, where=where, right=right)
        wagons = {each.key: each for each in found.units if each.kind == "wagon" and not each.aboard}
        if start.aboard and (start.aboard not in wagons or start.how not in WAYS):
            right = f"Wagons: {', '.join(wagons) or 'none'}; ways: {', '.join(WAYS)}"
            raise BadInput(f"nothing carries it {start.how!r} in {start.aboard!r}", file=file, where=where, right=right)
        if start.aboard and wagons[start.aboard].at != start.at:
            raise BadInput("its wagon is elsewhere", file=file, where=where, right=f"at = {wagons[start.aboard].at}")
    for at in found.events:
        if at not in {str(number) for number in range(found.length)}:
            raise BadInput(f"there is no hex {at!r}", file=file, where="events", right="Keys are numbers of hexes")
    lane = Lane(
        title=found.title,
        length=found.length,
        turns=found.turns,
        blind=bool(options.get("blind", found.blind)),
        commands=ordered(found.commands),
        woods=found.woods,
    )
    return Setting(public=lane, umpire=Secrets(units=found.units, events=ordered(found.events)))


def begin(setting: Setting, name: Callable[[str], str]) -> State:
    """The first state; who can see somebody from where they start does so at once."""
    lane, secrets = cast(Lane, setting.public), cast(Secrets, setting.umpire)
    public, umpire = remember(setting)
    open_units: dict[str, Unit] = {}
    hidden: dict[str, dict[str, Unit]] = {command: {} for command in lane.commands}
    ids = {start.key: name(start.key) for start in secrets.units}
    aboard: Counter[str] = Counter()
    plans: dict[str, Plan] = {}
    for start in secrets.units:
        aboard[start.aboard] += 1
        hold = Hold(by=ids[start.aboard], how=start.how, n=aboard[start.aboard]) if start.aboard else None
        unit = (Wagon if start.kind == "wagon" else Unit)(
            id=ids[start.key],
            command=start.command,
            side=lane.commands[start.command],
            name=start.name,
            at=place(start.at),
            steps=start.steps,
            hold=hold,
        )
        is_hidden = lane.blind or start.reserve
        (hidden[start.command] if is_hidden else open_units)[unit.id] = unit
        if start.plan is not None and is_hidden:
            plans[unit.id] = start.plan
    state = State(
        public=Public(setting=public, side=lane.sides[0], pieces=ordered(open_units)),
        commands={command: Part(pieces=ordered(mine)) for command, mine in sorted(hidden.items())},
        umpire=Umpire(setting=umpire, plans=ordered(plans), events=tuple(sorted(map(int, secrets.events)))),
    )
    for event in notice(state, TurnBegun(turn=1, side=lane.sides[0]), state):
        assert isinstance(event, Sighted)
        alias = name(f"{event.command} sees {event.subject}")
        state = learn(state, replace(event, contact=replace(event.contact, alias=alias)))
    return state
