"""Lock 'n Load as a rules package: what the kernel asks, handed on to the chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pkgutil import walk_packages
from random import Random
from typing import Any, ClassVar

from msgspec.structs import replace

from lnl import rules
from lnl.book.modules import MODULES
from lnl.book.tables import shipped_book
from lnl.campaign import goes_on
from lnl.happening.register import happening
from lnl.knowledge import looking
from lnl.knowledge import notice as noticing
from lnl.knowledge.belief import believed
from lnl.orders.checks import active_commands, out_of_turn
from lnl.orders.dispatch import chapters
from lnl.orders.orders import GiveStandingOrders
from lnl.rules import sampling
from lnl.scenarios.parsing import load
from lnl.state import beginning
from lnl.state.battle import Believed, State
from lnl.state.finding import units, weapons
from lnl.state.setting import PublicSetting, UmpireSetting, setting_of
from lnl.state.stored import entry_with_pieces, first_with_pieces
from umpire.kernel.book.book import Book
from umpire.kernel.book.layers import Layer
from umpire.kernel.chaptered import ChapteredPackage
from umpire.kernel.chapters import Chapters, Verb
from umpire.kernel.events import Event, KnowledgeEvent
from umpire.kernel.forms import Form
from umpire.kernel.ledger import Drawn, Thrown, Upcaster
from umpire.kernel.log import Log
from umpire.kernel.registry import Fate, General, Order, Outcome, Route, Sightings, register
from umpire.kernel.rulings import Question, Ruling
from umpire.kernel.settings import Setting
from umpire.kernel.states import Place, Seat, Slice
from umpire.kernel.values.modifiers import Refusal

for _chapter in sorted(module.name for module in walk_packages(rules.__path__, f"{rules.__name__}.")):
    import_module(_chapter)

from lnl.bot.generals import PLAIN  # noqa: E402
from lnl.rules import corrections, worlds  # noqa: E402
from lnl.rules.hidden import plans, standing_orders  # noqa: E402
from lnl.rules.turn import outline_of_play, victory  # noqa: E402
from lnl.screens import view as screens  # noqa: E402
from lnl.screens.drawn import View  # noqa: E402
from lnl.screens.log import LOG  # noqa: E402
from lnl.screens.scene import Scene, scene  # noqa: E402

MODULES.include_all("lnl.modules")

chapters.arrange(
    (
        "UseSkill",
        "PickUp",
        "HandOver",
        "Drop",
        "Flip",
        "EndImpulse",
        "Pass",
        "Activate",
        "PlaceUnit",
        "EndSetUp",
        "Spot",
        "FireStarShell",
        "DeployClaymore",
        "Heal",
        "Rally",
        "RallyAll",
        "EndRally",
        "Combine",
        "FightOrDie",
        "ExitBoard",
        "Fire",
        "FireMortar",
        "PlaceSniper",
        "FightMelee",
        "Withdraw",
        "Move",
        "AssaultMove",
        "LowCrawl",
        "StealthMove",
        "Face",
        "GivePlan",
        "CancelPlan",
        "Signal",
        "LaySmoke",
        "GiveStandingOrders",
    )
)
"""The order in which verbs are offered."""


class LockNLoad(ChapteredPackage[State, Believed]):
    """Squad battles on the hex map."""

    system: ClassVar[str] = "lnl"
    chapters: ClassVar[Chapters[State, Believed]] = chapters
    title: ClassVar[str] = "Lock 'n Load"
    version: ClassVar[int] = 2
    ledger_version: ClassVar[int] = 2
    upcasters: ClassVar[Mapping[int, Upcaster]] = {1: entry_with_pieces}
    first_upcasters: ClassVar[Mapping[int, Upcaster]] = {1: first_with_pieces}
    state_type: ClassVar[Any] = State
    log: ClassVar[Log] = LOG
    private: ClassVar[tuple[type[Order], ...]] = (GiveStandingOrders,)
    happening: ClassVar[Any] = happening
    events: ClassVar[Any] = happening.union()
    orders: ClassVar[Any] = chapters.orders()
    corrections: ClassVar[Any] = chapters.hand.corrections()
    hand: ClassVar[Any] = chapters.hand
    views: ClassVar[Any] = View
    scenes: ClassVar[Any] = Scene
    public_setting: ClassVar[Any] = PublicSetting
    umpire_setting: ClassVar[Any] = UmpireSetting
    generals: ClassVar[Mapping[str, General[Any]]] = {"plain": PLAIN}
    variants: ClassVar[Sequence[Mapping[str, Any]]] = ({}, {"play": "blind"})
    concedes: ClassVar[tuple[str, ...]] = (
        "whose impulse or rally it is, that one has ended, and whether it was a pass",
        "that a phase or a turn has begun, and who has the initiative",
        "that a side has nobody left to activate, for then it passes by itself",
        "smoke, star shells and barrages, Melee markers, and that the battle is over and why",
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
        if believed.public.result is not None:
            return ()
        acting = active_commands(believed, seat)
        pieces = (*units(believed), *weapons(believed))
        return tuple(sorted(each.id for each in pieces if each.command in acting))

    def out_of_turn(self, believed: Believed, seat: Seat, verb: Verb) -> Iterable[Refusal]:
        return out_of_turn(believed, seat, verb)

    def draw(self, form: Form, random: Random) -> dict[str, Any]:
        return sampling.sample(form, random)

    def lets_type(self, state: State) -> bool:
        return setting_of(state).options.play == "open"

    def advance(self, state: State) -> Ruling[State]:
        return outline_of_play.advance(state)

    def due(self, state: State) -> tuple[str, ...]:
        return plans.due(state)

    def carry(self, state: State, force: str) -> Ruling[State]:
        return plans.carry(state, force)

    def route(self, state: State, force: str, goal: Place, weight: int) -> Route | None:
        return plans.propose_route(state, force, (goal[0], goal[1], goal[2] if len(goal) > 2 else 0), weight)

    def notice(self, before: State, cause: Event | Thrown | Drawn, after: State) -> Sequence[KnowledgeEvent]:
        return noticing.notice(before, cause, after)

    def look(self, before: State | None, after: State) -> Iterable[KnowledgeEvent]:
        return noticing.look(before, after)

    def reply(self, believed: Believed, question: Question) -> tuple[str, ...] | None:
        found = super().reply(believed, question)
        return question.default if found is None and standing_orders.is_for_the_hidden(believed, question) else found

    def overrule(self, state: State, correction: Any) -> Sequence[Event]:
        return corrections.overrule(state, correction)

    def view(self, believed: Believed, seat: Seat) -> View:
        return screens.view(believed, seat)

    def truth(self, state: State) -> View:
        return screens.truth(state)

    def scene(self, believed: Believed) -> Scene:
        return scene(believed, self.rule_text())

    def sightings(self, believed: Believed, origin: Place, target: Place | None) -> Sightings:
        return looking.sightings(believed, origin, target)

    def fates(self, before: Believed, after: Believed) -> Sequence[Fate]:
        return worlds.fates(before, after)

    def impossible(self, state: State) -> Sequence[str]:
        return list(worlds.impossible(state))

    def breaches(self, state: State) -> Sequence[str]:
        return list(worlds.breaches(state))

    def outcome(self, state: State) -> Outcome:
        return replace(victory.tally(state), goes_on=goes_on(state))


PACKAGE = LockNLoad()


def install() -> None:
    """Makes Lock 'n Load known to the kernel; may be called again."""
    register(PACKAGE)
