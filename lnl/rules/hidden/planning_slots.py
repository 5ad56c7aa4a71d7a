"""The slots of the form by which a plan is drawn, leg by leg. `core 4.0`"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from lnl.board.hexes import Place, neighbours
from lnl.rules.movement.special_movement import cannot_go
from lnl.state.battle import Believed, Manner, Unit
from lnl.state.setting import PublicSetting
from umpire.kernel.forms import ChoiceSlot, FlagSlot, ListSlot, NumberSlot, Part, PathSlot, Slot, TextSlot
from umpire.kernel.rulings import Choice
from umpire.kernel.settings import half

LEGS, STEPS, SIGNAL_LENGTH = 20, 60, 40
"""The most legs of a plan, places of a leg, and letters of a signal (house)."""
OFFERED_SIGNALS, OFFERED_HALT = 8, 12
"""The most signals of a plan and turns of a halt that the form has room for (house)."""
PACES: Mapping[Manner, str] = {
    "move": "Move",
    "assault": "Assault move",
    "low_crawl": "Low crawl",
    "stealth": "Stealth move",
}
ON_CONTACT = {"hold": "Hold", "go_on": "Go on"}
ON_SIGNAL = {"go": "Go", "hold": "Hold"}


def plan_slots(believed: Believed, each: Unit) -> tuple[Slot, ...]:
    """The legs of a unit's plan at the paces that it has, what it does when it meets an enemy, and the signals it waits
    for."""
    steps = steps_of(believed.public.setting)
    path = PathSlot(name="path", label="Where", start=each.at, steps=steps, most=STEPS, preview=False)
    turns = NumberSlot(name="turns", label="How long", low=1, high=OFFERED_HALT, unit="turns", usual=1)
    paces: dict[str, str] = {
        pace: label for pace, label in PACES.items() if not any(cannot_go(believed, (each,), pace))
    }
    go = (Part(label="Go on", slots=(_choices("pace", "How", paces), path)),) if paces else ()
    halt = Part(label="Halt", fixed={"pace": "halt"}, slots=(turns,))
    word = TextSlot(name="signal", label="Signal", most=SIGNAL_LENGTH)
    signal = Part(label="On a signal", slots=(word, _choices("does", "What begins", ON_SIGNAL)))
    return (
        ListSlot(name="legs", label="Legs", parts=(*go, halt), most=LEGS, goes_on=True),
        _choices("on_contact", "On contact", ON_CONTACT),
        FlagSlot(name="is_held", label="Held until a signal"),
        ListSlot(name="on_signal", label="Signals", parts=(signal,), most=OFFERED_SIGNALS, by="signal"),
    )


@lru_cache(maxsize=16)
def steps_of(digest: str) -> Mapping[str, tuple[Place, ...]]:
    """Of every place of a map the places next to it: in neighbouring hexes, and above or below."""
    public: PublicSetting = half(digest)
    places = public.ground.places()
    there = set(places)
    found: dict[str, tuple[Place, ...]] = {}
    for column, row, level in places:
        around = [(*to, floor) for to in neighbours((column, row)) for floor in (level, 0)]
        around += [(column, row, level - 1), (column, row, level + 1)]
        found[f"{column},{row},{level}"] = tuple(dict.fromkeys(place for place in around if place in there))
    return found


def _choices(name: str, label: str, words: Mapping[str, str]) -> ChoiceSlot:
    choices = tuple(Choice(id=key, label=text) for key, text in words.items())
    return ChoiceSlot(name=name, label=label, choices=choices, usual=choices[0].id)
