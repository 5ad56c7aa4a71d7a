"""The slots of the form by which a plan is drawn, leg by leg. `fireforce umpire`"""

from __future__ import annotations

from collections.abc import Mapping

from fireforce.state.battle import (
    Believed,
    Place,
)
from fireforce.state.finding import (
    cards,
    has_squad,
    members_of,
    squad,
)
from fireforce.state.setting import setting_of
from umpire.kernel.forms import ChoiceSlot, FlagSlot, ListSlot, NumberSlot, Part, PathSlot, PointSlot, Slot, TextSlot
from umpire.kernel.rulings import Choice

LEGS, SIGNAL_LENGTH, RANGE = 20, 40, 6000
"""The most legs of a plan, letters of a signal, and hundredths of an inch at which fire may be opened (house)."""
OFFERED_SIGNALS, OFFERED_HALT = 8, 20
"""The most signals of a plan and turns of a halt that the form has room for (house)."""
USUAL_RANGE = 1500
PACES = {"tactical": "Tactical", "running": "Running"}
ON_CONTACT = {"hold": "Hold", "ambush": "Spring the ambush", "withdraw": "Withdraw", "go_on": "Go on"}
FIRE = {"hold": "Hold fire", "within_range": "Within a range", "free": "Freely"}
TARGETS = {"any": "Anybody", "leaders": "Leaders first", "gunners": "Gunners first"}
ON_SIGNAL = {"go": "Go", "hold": "Hold", "withdraw": "Withdraw"}


def plan_slots(believed: Believed, start: Place) -> tuple[Slot, ...]:
    """The legs, its fire, and the signals it waits for."""
    path = PathSlot(name="path", label="Where", start=start, region=(_table(believed),), unit="inches", preview=False)
    turns = NumberSlot(name="turns", label="How long", low=1, high=OFFERED_HALT, unit="turns", usual=1)
    go = Part(label="Go on", slots=(_choices("pace", "How", PACES), path))
    halt = Part(label="Halt", fixed={"pace": "halt"}, slots=(turns,))
    word = TextSlot(name="signal", label="Signal", most=SIGNAL_LENGTH)
    signal = Part(label="On a signal", slots=(word, _choices("does", "What begins", ON_SIGNAL)))
    return (
        ListSlot(name="legs", label="Legs", parts=(go, halt), most=LEGS, goes_on=True),
        _choices("fire", "Fire", FIRE),
        within(),
        _choices("targets", "At whom", TARGETS),
        FlagSlot(name="is_held", label="Held until a signal"),
        ListSlot(name="on_signal", label="Signals", parts=(signal,), most=OFFERED_SIGNALS, by="signal"),
        TextSlot(name="note", label="Note", least=0),
    )


def on_contact() -> ChoiceSlot:
    """What the force does when it meets somebody."""
    return _choices("on_contact", "On contact", ON_CONTACT)


def withdraw_to(believed: Believed) -> PointSlot:
    """Where it withdraws to."""
    return PointSlot(name="withdraw_to", label="Withdraw to", region=(_table(believed),))


def within() -> NumberSlot:
    """How near an enemy comes before it fires."""
    unit = "hundredths of an inch"
    return NumberSlot(name="fire_range", label="Fire within", low=100, high=RANGE, unit=unit, usual=USUAL_RANGE)


def _choices(name: str, label: str, words: Mapping[str, str]) -> ChoiceSlot:
    choices = tuple(Choice(id=key, label=text) for key, text in words.items())
    return ChoiceSlot(name=name, label=label, choices=choices, usual=choices[0].id)


def start_of(believed: Believed, force: str) -> Place | None:
    """Where a force stands: its first man, or its card; None where nobody of it is fit."""
    if has_squad(believed, force):
        return next((man.at for man in members_of(believed, squad(believed, force))), None)
    return next(each.at for each in cards(believed) if each.id == force)


def _table(believed: Believed) -> tuple[Place, ...]:
    table = setting_of(believed).table
    return ((0, 0), (table.width, 0), (table.width, table.depth), (0, table.depth))
