"""What the conformance suite has to know of a rules package, and how it says that an invariant is broken.

Each package supplies one `Conformance`, as `CONFORMANCE` in a module of its own (`fireforce.testing.conformance`), or
registers it here. `umpire.testing.conformance.suite` runs every invariant on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal

from msgspec import Struct

from umpire.kernel.registry import RulesPackage
from umpire.kernel.settings import Setting
from umpire.kernel.states import Seat
from umpire.testing.modules import module_or_none

Tells = Literal["nothing", "known", "new"]
"""What a world event may tell a command: nothing; what is public, its own or conceded; something hidden so far."""
Shown = Mapping[str, tuple[str, tuple[int, ...], Mapping[str, Any]]]
"""What a command sees of hidden pieces, by true id: kind, place, and looks as a contact has them."""


class Broken(AssertionError):
    """An invariant does not hold: which, and what was seen."""

    def __init__(self, invariant: str, text: str) -> None:
        super().__init__(f"{invariant}: {text}")
        self.invariant, self.text = invariant, text


class Attack(Struct, frozen=True, kw_only=True):
    """An order whose exact odds are compared with many rulings at random: a believed state, who gives it, the order."""

    name: str
    believed: Any
    seat: Seat
    order: Mapping[str, Any]


class Perft(Struct, frozen=True, kw_only=True):
    """A tiny set-up with the number of distinct states after one order, two orders, … counted by hand."""

    name: str
    setting: Callable[[], Setting]
    seats: Mapping[str, Seat]
    counts: tuple[int, ...]


class Conformance(Struct, frozen=True, kw_only=True):
    """One package's part of the suite.

    `another(state, command, random)` makes another true state with the same slice of a command, or raises LookupError.
    `settings` to try; `steady` names those in which results come out at a steady beat (blind battles). `seats` hold a
    player for each command, and an observer. `tells(before, event, after, command)` judges by the rules of secrecy,
    independently of `notice`, what a world event may tell a command; `shown(state, command)` in the same way what of
    hidden pieces it sees when nothing goes on. `conceded` gives what twin worlds must agree on.
    `ids(state, commands)` lists the true ids that those commands must not have. `corrections` are sample corrections:
    remove, kill and move any unit. `plant` puts unique words into every hidden text that `command` must not get;
    `secret_texts` are the texts of the setting that no seat may have before an event tells them. `probes` are odd
    orders that nobody offered: off the map, into what may be hidden, about others' pieces and about ids that do not
    exist. `recognises` says whether looks alone tell that a contact is one seen before. `further(state, seats, random)`
    leads from a first state to one in the thick of battle, which random play would be long in reaching. `orders` is how
    many acts a battle takes at the most. `modules` are the packages or modules whose source must be pure, but for
    `may_read`, which read bundled files.
    """

    package: RulesPackage[Any, Any]
    settings: Mapping[str, Callable[[], Setting]]
    seats: Mapping[str, Seat]
    another: Callable[[Any, str, Random], Any]
    tells: Callable[[Any, Any, Any, str], Tells]
    shown: Callable[[Any, str], Shown]
    conceded: Callable[[Any], Any]
    ids: Callable[[Any, tuple[str, ...]], Iterable[str]]
    corrections: Callable[[Any, Random], Sequence[Mapping[str, Any]]]
    plant: Callable[[Any, str, Callable[[], str]], Any]
    probes: Callable[[Any, Seat, Random], Sequence[Mapping[str, Any]]]
    attacks: Callable[[], Sequence[Attack]]
    secret_texts: Callable[[Setting], Iterable[str]]
    modules: tuple[str, ...]
    steady: tuple[str, ...] = ()
    perfts: tuple[Perft, ...] = ()
    may_read: tuple[str, ...] = ()
    recognises: Callable[[Any], bool] = lambda contact: False
    further: Callable[[Any, Mapping[str, Seat], Random], Any] = lambda state, seats, random: state
    orders: int = 2_000

    @property
    def players(self) -> list[Seat]:
        """The seats that lead exactly one command."""
        return [seat for seat in self.seats.values() if seat.role == "player" and len(seat.commands) == 1]


_registered: dict[str, Conformance] = {}


def register(conformance: Conformance) -> None:
    """Makes the fixture of a package known where it has no module of its own for it."""
    _registered[conformance.package.system] = conformance


def conformance_of(package: RulesPackage[Any, Any]) -> Conformance:
    """The fixture of a package. Raises LookupError where there is none: no package goes without the suite."""
    if package.system in _registered:
        return _registered[package.system]
    module = type(package).__module__
    for name in (f"{module}.conformance", f"{module.partition('.')[0]}.testing.conformance"):
        if (found := module_or_none(name)) is not None:
            conformance: Conformance = found.CONFORMANCE
            return conformance
    raise LookupError(f"{package.system} has no conformance fixture: give it a module {name}")


def begin(conformance: Conformance, setting: str, random: Random) -> Any:
    """A state of a setting from which random play begins, its ids drawn from `random`."""
    state = conformance.package.begin(conformance.settings[setting](), lambda key: new_id(random))
    return conformance.further(state, conformance.seats, random)


def new_id(random: Random) -> str:
    """A random id that says nothing."""
    return f"i{random.getrandbits(48):012x}"
