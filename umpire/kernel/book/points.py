"""The named points at which a module may change the rules.

A chapter of the rules declares a point at module level, where the books differ:

    target_modifier: Sum[[State, Unit]] = Sum("target modifier", rule="core 5.0")

and a module registers what it changes:

    motherland = Module("motherland")

    @target_modifier.change(motherland, trait="partisan", rule="hotm 13.1.1")
    def partisans(rule: str, state: State, unit: Unit) -> Iterable[Modifier]:
        yield Modifier(1, "partisan", rule)

There are three kinds. `Sum`: all changes that apply add modifiers or refusals. `One`: the printed
rule, or the single change that stands in its place. `Steps`: rulings carried out at a moment, one
after the other.

A change takes effect where its module is in the battle's book (`Active`) and its trait is a word in
the data of what it is about. A change without a module stands for what several modules print alike:
it takes effect where the book names its trait, and cites the key that the book gives. Each change
gets the rule key to cite as its first argument. Which changes there are is fixed once the packages
are imported; which are active is a value that is passed in, never a global.

The order is fixed and does not depend on the order of imports: the printed rule first, then by
`order`, module, trait and name of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from types import ModuleType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import msgspec

from umpire.kernel.values.modifiers import Modifier, Refusal
from umpire.kernel.values.spelling import get_close_matches

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class Module(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What changes rules when it is part of a book: a module, or an optional rule switched on."""

    name: str


class Active(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in force in one battle: read from its book and switches.

    `modules` are the names of modules and of the optional rules switched on; `rules` gives, for each
    trait that several modules print alike, the key under which this book's module prints it.
    """

    modules: tuple[str, ...] = ()
    rules: Mapping[str, str] = {}


class Change(msgspec.Struct, frozen=True):
    """One registered change of a point."""

    function: Callable[..., Any]
    rule: str
    module: str | None
    trait: str | None
    order: int

    def applies(self, active: Active, traits: Collection[str]) -> bool:
        if self.module is not None and self.module not in active.modules:
            return False
        if self.module is None and self.trait not in active.rules:
            return False
        return self.trait is None or self.trait in traits

    def cites(self, active: Active) -> str:
        """The rule key: what the book names for the trait, or else what stands in the code."""
        if self.trait is None:
            return self.rule
        return active.rules.get(self.trait, self.rule)

    @property
    def where(self) -> tuple[int, str, str, str]:
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        return (self.order, self.module or "", self.trait or "", name)

    def __str__(self) -> str:
        return f"{self.where[3]} (module {self.module or 'any'}, trait {self.trait or 'none'}, {self.rule})"


class Point:
    """What the three kinds share: a name, a rule key, the changes registered."""

    def __init__(self, name: str, *, rule: str) -> None:
        self.name = name
        self.rule = rule
        self._changes: list[Change] = []

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(self._changes)

    def applying(self, active: Active, traits: Collection[str]) -> tuple[Change, ...]:
        """The changes that take effect for a subject with these traits, in their fixed order."""
        return tuple([change for change in self._changes if change.applies(active, traits)]) if self._changes else ()

    def is_changed(self, active: Active) -> bool:
        """Whether a change can take effect where this is in force, whatever the traits of its subjects are."""
        return any(each.applies(active, () if each.trait is None else (each.trait,)) for each in self._changes)

    def _register(self, module: Module | None, trait: str | None, rule: str, order: int) -> Callable[[F], F]:
        if module is None and trait is None:
            raise TypeError(f"{self.name}: a change needs a module or a trait; this one has neither")

        def register(function: F) -> F:
            change = Change(
                function=function,
                rule=rule,
                module=module.name if module else None,
                trait=trait,
                order=order,
            )
            if any(other.where == change.where for other in self._changes):
                raise ValueError(f"{self.name}: {change} is registered twice")
            self._changes.append(change)
            self._changes.sort(key=lambda each: each.where)
            return function

        return register


class Gathered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a `Sum` found: the modifiers to add, and the reasons why it may not be done at all."""

    modifiers: tuple[Modifier, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    @property
    def total(self) -> int:
        return sum(modifier.value for modifier in self.modifiers)


NOTHING = Gathered()
"""What a `Sum` finds most of the time."""


class Sum(Point, Generic[P]):
    """A point where everything that applies adds modifiers or refusals.

    The chapter's own additions are registered with `printed`; there may be several.
    """

    def __init__(self, name: str, *, rule: str) -> None:
        super().__init__(name, rule=rule)
        self._printed: list[Callable[Concatenate[str, P], Iterable[Modifier | Refusal]]] = []

    def printed(
        self, function: Callable[Concatenate[str, P], Iterable[Modifier | Refusal]]
    ) -> Callable[Concatenate[str, P], Iterable[Modifier | Refusal]]:
        self._printed.append(function)
        return function

    def change(
        self, module: Module | None = None, *, trait: str | None = None, rule: str, order: int = 0
    ) -> Callable[
        [Callable[Concatenate[str, P], Iterable[Modifier | Refusal]]],
        Callable[Concatenate[str, P], Iterable[Modifier | Refusal]],
    ]:
        return self._register(module, trait, rule, order)

    def __call__(self, active: Active, traits: Collection[str], /, *args: P.args, **kwargs: P.kwargs) -> Gathered:
        found: list[Modifier | Refusal] = []
        for function in self._printed:
            found.extend(function(self.rule, *args, **kwargs))
        for change in self.applying(active, traits):
            found.extend(change.function(change.cites(active), *args, **kwargs))
        if not found:
            return NOTHING
        return Gathered(
            modifiers=tuple(each for each in found if isinstance(each, Modifier)),
            refusals=tuple(each for each in found if isinstance(each, Refusal)),
        )


class One(Point, Generic[P, T]):
    """A point with exactly one rule: the printed one, or the change that stands in its place."""

    def __init__(self, name: str, *, rule: str) -> None:
        super().__init__(name, rule=rule)
        self._printed: Callable[Concatenate[str, P], T] | None = None

    def printed(self, function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        if self._printed is not None:
            raise ValueError(f"{self.name}: a printed rule is registered already")
        self._printed = function
        return function

    def change(
        self, module: Module | None = None, *, trait: str | None = None, rule: str
    ) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
        return self._register(module, trait, rule, 0)

    def __call__(self, active: Active, traits: Collection[str], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Carries out the rule in force. Two claims at once raise `ValueError`.

        `check_book` finds such claims when the book is put together, so that no battle meets them.
        """
        claims = self.applying(active, traits)
        if len(claims) > 1:
            raise ValueError(f"{self.name}: claimed by {' and by '.join(map(str, claims))}")
        if claims:
            result: T = claims[0].function(claims[0].cites(active), *args, **kwargs)
            return result
        if self._printed is None:
            raise ValueError(f"{self.name}: no printed rule is registered")
        return self._printed(self.rule, *args, **kwargs)


class Steps(Point, Generic[T, P]):
    """A point at a moment of a ruling: every ruling that applies is run, in a fixed order.

    Each takes the state and returns the state it leaves, which the next one starts from:
    `state = yield from before_melee(active, traits, state, hex)`.
    """

    def __init__(self, name: str, *, rule: str) -> None:
        super().__init__(name, rule=rule)
        self._printed: list[Callable[Concatenate[str, T, P], Generator[Any, Any, T]]] = []

    def printed(
        self, function: Callable[Concatenate[str, T, P], Generator[Any, Any, T]]
    ) -> Callable[Concatenate[str, T, P], Generator[Any, Any, T]]:
        self._printed.append(function)
        return function

    def change(
        self, module: Module | None = None, *, trait: str | None = None, rule: str, order: int = 0
    ) -> Callable[
        [Callable[Concatenate[str, T, P], Generator[Any, Any, T]]],
        Callable[Concatenate[str, T, P], Generator[Any, Any, T]],
    ]:
        return self._register(module, trait, rule, order)

    def __call__(
        self, active: Active, traits: Collection[str], state: T, /, *args: P.args, **kwargs: P.kwargs
    ) -> Generator[Any, Any, T]:
        for function in self._printed:
            state = yield from function(self.rule, state, *args, **kwargs)
        for change in self.applying(active, traits):
            state = yield from change.function(change.cites(active), state, *args, **kwargs)
        return state


def points_in(*chapters: ModuleType) -> tuple[Point, ...]:
    """All points declared at module level in these chapters, by name."""
    found = {id(value): value for chapter in chapters for value in vars(chapter).values() if isinstance(value, Point)}
    return tuple(sorted(found.values(), key=lambda point: point.name))


def check_book(
    points: Iterable[Point],
    active: Active,
    subjects: Mapping[str, Collection[str]],
    *,
    traits_in_chapters: Collection[str] | None = None,
) -> tuple[str, ...]:
    """What is wrong with a book, in words; empty when it can be played.

    `subjects` gives the traits of everything that the book describes, by name (a counter, a terrain,
    a nation). A `One` claimed twice for one subject is a problem. Where `traits_in_chapters` is given
    (the traits that chapters ask for themselves), so is a trait that nothing in this book knows:
    a misspelt word would otherwise do nothing, silently.
    """
    points = tuple(points)
    problems = []
    names: set[str] = set()
    for point in points:
        if point.name in names:
            problems.append(f"two points are called {point.name!r}")
        names.add(point.name)
    for subject, traits in subjects.items():
        for point in points:
            if isinstance(point, One):
                claims = point.applying(active, traits)
                if len(claims) > 1:
                    problems.append(f"{subject}: {point.name} is claimed by {' and by '.join(map(str, claims))}")
        if traits_in_chapters is not None:
            problems.extend(_unknown_traits(points, active, subject, traits, traits_in_chapters))
    return tuple(problems)


def _unknown_traits(
    points: tuple[Point, ...],
    active: Active,
    subject: str,
    traits: Collection[str],
    known: Collection[str],
) -> list[str]:
    changes = [change for point in points for change in point.changes if change.trait]
    problems = []
    for trait in traits:
        mine = [change for change in changes if change.trait == trait]
        if trait in known or any(change.applies(active, (trait,)) for change in mine):
            continue
        elsewhere = sorted({change.module or "a trait that no module here names" for change in mine})
        if elsewhere:
            problems.append(
                f"{subject}: trait {trait!r} belongs to {', '.join(elsewhere)}, which is not part of this book"
            )
            continue
        near = get_close_matches(trait, {*known, *(str(change.trait) for change in changes)}, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        problems.append(f"{subject}: no rule knows the trait {trait!r}{hint}")
    return problems
