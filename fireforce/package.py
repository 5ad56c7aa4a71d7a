"""FireForce as a rules package: what the kernel asks, handed on to the chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pkgutil import walk_packages
from random import Random
from typing import Any, ClassVar

from msgspec.structs import replace

from fireforce import happening, rules
from fireforce.book.tables import shipped_book
from fireforce.campaign import goes_on
from fireforce.happening import upcasting
from fireforce.happening.register import happening as happenings
from fireforce.knowledge import notice as noticing
from fireforce.knowledge.belief import believed
from fireforce.orders.checks import active_commands, out_of_turn
from fireforce.orders.dispatch import chapters
from fireforce.orders.orders import GiveStandingOrders
from fireforce.rules import sampling, worlds
from fireforce.scenarios.parsing import load
from fireforce.screens import view as screens
from fireforce.screens.drawn import Scene, View
from fireforce.screens.log import LOG
from fireforce.screens.scene import scene
from fireforce.state import beginning
from fireforce.state.battle import (
    PLAYED,
    Believed,
    State,
)
from fireforce.state.finding import (
    cards,
    counters,
    figures,
    squads,
)
from fireforce.state.points import tally
from fireforce.state.setting import PublicSetting, UmpireSetting
from fireforce.words import sentences
from umpire.kernel.book.book import Book
from umpire.kernel.book.layers import Layer
from umpire.kernel.chaptered import ChapteredPackage
from umpire.kernel.chapters import Chapters, Verb
from umpire.kernel.events import Event, KnowledgeEvent
from umpire.kernel.forms import Form
from umpire.kernel.ledger import Drawn, Thrown
from umpire.kernel.log import Log
from umpire.kernel.registry import Fate, Order, Outcome, Route, register
from umpire.kernel.rulings import Ruling
from umpire.kernel.settings import Setting
from umpire.kernel.states import Place, Seat, Slice
from umpire.kernel.values.modifiers import Refusal

for _room in (happening, sentences, rules):
    for _module in sorted(each.name for each in walk_packages(_room.__path__, f"{_room.__name__}.")):
        import_module(_module)

from fireforce.rules.hidden import plans  # noqa: E402
from fireforce.rules.turn import turn_sequence  # noqa: E402

chapters.arrange(
    (
        "Split",
        "Join",
        "FormGunGroup",
        "DropOff",
        "SetPlatoonControl",
        "Motivate",
        "DesperateGamble",
        "TakeStores",
        "DestroyStores",
        "DropStores",
        "EndPhase",
        "Fire",
        "MoveCard",
        "TurnCard",
        "CloseCombat",
        "PlaceCounter",
        "MoveCounter",
        "PickUpCounter",
        "Move",
        "GivePlan",
        "CancelPlan",
        "Signal",
        "GiveStandingOrders",
        "SetPlansOnly",
        "Search",
    )
)
"""The order in which verbs are offered."""


class FireForce(ChapteredPackage[State, Believed]):
    """Platoon skirmishes on the inch table."""

    system: ClassVar[str] = "fireforce"
    chapters: ClassVar[Chapters[State, Believed]] = chapters
    title: ClassVar[str] = "FireForce"
    version: ClassVar[int] = 3
    ledger_version: ClassVar[int] = 2
    upcasters: ClassVar[Any] = {1: upcasting.entry_of_1}
    first_upcasters: ClassVar[Any] = {1: upcasting.first_of_1}
    state_type: ClassVar[Any] = State
    log: ClassVar[Log] = LOG
    private: ClassVar[tuple[type[Order], ...]] = (GiveStandingOrders,)
    happening: ClassVar[Any] = happenings
    events: ClassVar[Any] = happenings.union()
    orders: ClassVar[Any] = chapters.orders()
    corrections: ClassVar[Any] = chapters.hand.corrections()
    hand: ClassVar[Any] = chapters.hand
    views: ClassVar[Any] = View
    scenes: ClassVar[Any] = Scene
    public_setting: ClassVar[Any] = PublicSetting
    umpire_setting: ClassVar[Any] = UmpireSetting
    variants: ClassVar[Sequence[Mapping[str, Any]]] = ({}, {"hidden": "cards"})
    concedes: ClassVar[tuple[str, ...]] = (
        "which phase it is, and that an open command has ended it",
        "that a phase of a side moved by plans has passed",
        "that a player turn has begun, and that the battle is over and why",
    )

    def shipped_book(self, *layers: Layer) -> Book:
        return shipped_book(*layers)

    def load(
        self, text: str, *, file: str, options: Mapping[str, Any], layers: Sequence[tuple[str, str]] = ()
    ) -> Setting:
        return load(text, file=file, options=options, layers=layers)

    def begin(self, setting: Setting, name: Callable[[str], str]) -> State:
        return beginning.begin(setting, name)

    def believed(self, known: Slice) -> Believed:
        return believed(known)

    def subjects(self, believed: Believed, seat: Seat) -> tuple[str, ...]:
        if believed.public.result is not None or believed.public.phase not in PLAYED:
            return ()
        acting = active_commands(believed, seat)
        pieces = (*figures(believed), *squads(believed), *cards(believed), *counters(believed))
        fit = {man.id for man in figures(believed) if man.is_fit}
        men = {man.id for man in figures(believed)}
        return tuple(
            sorted(each.id for each in pieces if each.command in acting and (each.id not in men or each.id in fit))
        )

    def out_of_turn(self, believed: Believed, seat: Seat, verb: Verb) -> Iterable[Refusal]:
        return out_of_turn(believed, seat, verb)

    def draw(self, form: Form, random: Random) -> dict[str, Any]:
        return sampling.sample(form, random)

    def advance(self, state: State) -> Ruling[State]:
        return turn_sequence.advance(state)

    def due(self, state: State) -> tuple[str, ...]:
        return turn_sequence.due(state)

    def carry(self, state: State, force: str) -> Ruling[State]:
        return turn_sequence.carry(state, force)

    def route(self, state: State, force: str, goal: Place, weight: int) -> Route | None:
        found = plans.propose_route(state, force, (goal[0], goal[1]), round(weight / 25))
        if found is None:
            return None
        note = f"about {found.moves:.1f} moves; {found.seen / 100:.1f} inches in sight of known enemies"
        return Route(path=found.path[1:], note=note)

    def notice(self, before: State, cause: Event | Thrown | Drawn, after: State) -> Sequence[KnowledgeEvent]:
        return noticing.notice(before, cause, after)

    def look(self, before: State | None, after: State) -> Iterable[KnowledgeEvent]:
        return noticing.look(before, after)

    def view(self, believed: Believed, seat: Seat) -> View:
        return screens.view(believed, seat)

    def truth(self, state: State) -> View:
        return screens.truth(state)

    def scene(self, believed: Believed) -> Scene:
        return scene(believed, self.rule_text())

    def fates(self, before: Believed, after: Believed) -> Sequence[Fate]:
        return worlds.fates(before, after)

    def impossible(self, state: State) -> Sequence[str]:
        return list(worlds.impossible(state))

    def breaches(self, state: State) -> Sequence[str]:
        return list(worlds.breaches(state))

    def outcome(self, state: State) -> Outcome:
        return replace(tally(state), goes_on=goes_on(state))


PACKAGE = FireForce()


def install() -> None:
    """Makes FireForce known to the kernel; may be called again."""
    register(PACKAGE)
