"""The register of events: an applier each, who may read it, its words, and a union that no order of loading moves."""

from __future__ import annotations

from typing import get_args

import pytest

from umpire.kernel.events import Event
from umpire.kernel.happenings import Happenings
from umpire.kernel.registry import LogLine
from umpire.testing.skirmish.state import Part, Public, State, Umpire, Unit

STATE = State(
    public=Public(setting="", side="red"),
    commands={"red": Part(pieces={"oak": Unit(id="oak", command="red", side="red", name="Oak", at=(1, 0))})},
    umpire=Umpire(),
)


class Rested(Event, frozen=True, kw_only=True, tag="rested"):
    unit: str


class Ate(Event, frozen=True, kw_only=True, tag="ate"):
    unit: str


def register() -> Happenings[State]:
    return Happenings(lambda state: {unit for part in state.commands.values() for unit in part.pieces})


def as_it_was(state: State, event: Event) -> State:
    return state


def test_an_event_is_registered_once() -> None:
    happening = register()
    happening.happens(Rested, public="never")(as_it_was)
    happening.says(Rested)(lambda state, event: None)
    with pytest.raises(ValueError, match="Rested is registered twice"):
        happening.happens(Rested, public="always")(as_it_was)
    with pytest.raises(ValueError, match="Rested is registered twice"):
        happening.says(Rested)(lambda state, event: None)


def test_who_may_read_an_event() -> None:
    for public, hidden, open_ in (("never", False, False), ("where_open", False, True), ("always", True, True)):
        happening = register()
        happening.happens(Rested, public=public)(as_it_was)  # type: ignore[arg-type]
        assert happening.publishes(STATE, Rested(unit="oak")) is hidden
        assert happening.publishes(STATE, Rested(unit="elm")) is open_
    happening = register()
    happening.happens(Rested, public=lambda state, event: event.unit == "oak")(as_it_was)
    assert happening.publishes(STATE, Rested(unit="oak"))
    assert not happening.publishes(STATE, Rested(unit="elm"))
    assert happening.named_hidden(STATE, Rested(unit="oak")) == ("oak",)


def test_the_umpire_reads_what_no_seat_is_told() -> None:
    happening = register()
    happening.says(Rested)(lambda state, event: LogLine(text="rests") if event.unit == "oak" else None)
    happening.noted(Rested)(lambda state, event: LogLine(text="noted"))
    assert (
        happening.line(STATE, Rested(unit="oak")) == happening.note(STATE, Rested(unit="oak")) == LogLine(text="rests")
    )
    assert happening.line(STATE, Rested(unit="elm")) is None
    assert happening.note(STATE, Rested(unit="elm")) == LogLine(text="noted")
    assert happening.line(STATE, Ate(unit="oak")) is None


def test_the_union_is_in_the_order_of_tags() -> None:
    for kinds in ((Rested, Ate), (Ate, Rested)):
        happening = register()
        for kind in kinds:
            happening.happens(kind, public="never")(as_it_was)
        assert get_args(happening.union()) == (Ate, Rested)


def test_what_an_event_lacks_is_said() -> None:
    happening = register()
    assert happening.lacking(__name__) == [f"{name} has no applier and no publicity" for name in ("Ate", "Rested")]
    happening.happens(Ate, public="never")(as_it_was)
    happening.noted(Rested)(lambda state, event: None)
    assert happening.lacking(__name__) == [
        "Ate has no words",
        "Rested has no applier and no publicity",
        "Rested has words and no applier",
    ]
