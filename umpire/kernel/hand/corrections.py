"""The umpire's hand: what he may do in a battle beside the rules, the same for all games as far as they are alike.

A package makes one `Hand` and registers with it the kinds of things that fields may name, its pieces, and its
corrections. `overruled` is the gate: it checks each field of a correction by the field's own type, and takes nothing
that leaves a battle as no battle can be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, NoReturn, TypeVar

import msgspec
from msgspec import Struct, field

from umpire.kernel.codec import digest_of, encode, state_digest, union_of
from umpire.kernel.dice import ServerDice
from umpire.kernel.events import Event, FoundEmpty, Report, Sighted, Told
from umpire.kernel.hand.fields import (
    Between,
    Fixed,
    Key,
    Kind,
    Words,
    bare,
    faults_of,
    hints_of,
    label_of,
    near,
    quoted,
)
from umpire.kernel.registry import Correction, Refused, RulesPackage
from umpire.kernel.running import Position, correct
from umpire.kernel.states import Contact, Place, Scalar, State
from umpire.kernel.values.modifiers import Refusal

S = TypeVar("S", bound=State)
F = TypeVar("F", bound=Callable[..., Any])

BATTLE = "battle"
"""What a correction names that sets a value of the battle itself."""
PIECE, ANYTHING, COMMAND, SIDE, PLACE, CONTACT = "piece", "piece or the battle", "command", "side", "place", "contact"
"""Kinds that every hand has."""

Side = Annotated[str, Key(SIDE)]
Command = Annotated[str, Key(COMMAND)]
AnyPiece = Annotated[str, Key(PIECE)]
At = Annotated[Place, Key(PLACE)]
Text = Annotated[str, Words(2000, 1)]
Why = Annotated[str, Words(500)]


# Corrections that all games have


class Change(Correction, frozen=True, kw_only=True, tag="Change"):
    """Set a field of a piece, or of "battle"."""

    piece: Annotated[str, Key(ANYTHING)]
    field: Annotated[str, Words(60, 1)]
    value: Any


class Tell(Correction, frozen=True, kw_only=True, tag="Tell"):
    """Tell a command something, true or not."""

    command: Command
    text: Text
    at: At | None = None


class ShowContact(Correction, frozen=True, kw_only=True, tag="ShowContact"):
    """A command believes that something is there: a report or a lie, drawn as told."""

    command: Command
    kind: Annotated[str, Key(CONTACT)]
    at: At
    looks: Mapping[Annotated[str, Words(40, 1)], Scalar] = field(default_factory=dict)


class DropContact(Correction, frozen=True, kw_only=True, tag="DropContact"):
    """A command's contact goes."""

    command: Command
    alias: Annotated[str, Words(60, 1)]


class AwardPoints(Correction, frozen=True, kw_only=True, tag="AwardPoints"):
    """Give a side points, for everybody to see or for the umpire's account alone."""

    side: Side
    points: Annotated[int, Between(-999, 999)]
    why: Why
    known: bool = True


class EndBattle(Correction, frozen=True, kw_only=True, tag="EndBattle"):
    """The battle is over now."""

    why: Why = ""


class Altered(Event, frozen=True, kw_only=True, tag="altered"):
    """The umpire sets a field of a piece, or of "battle", to a value in plain JSON; `was`: what it was before."""

    piece: str
    field: str
    value: Any
    was: Any = None


def as_field(kind: type[Any], name: str, value: Any) -> Any:
    """Plain JSON as the value of a struct's field. Raises KeyError, msgspec.ValidationError."""
    return msgspec.convert(value, hints_of(kind)[name], strict=True)


# What a package registers


class Variant(Struct, frozen=True):
    """A form of its own for some values of a correction: what it is called, the values, and who will see it."""

    label: str
    fixed: Mapping[str, Any]
    note: str = ""


class Deed(Struct, frozen=True, kw_only=True):
    """A correction as a package carries it out. `label`: what the umpire reads; `on`: the kinds of pieces of which one
    stands in the field `subject`, none for what is done to the battle; `may`: whether it makes sense of it now; `note`:
    who will see it; `is_harm`: whether it takes a piece out of the battle."""

    events: Callable[[Any, Any], Sequence[Event]]
    label: str
    on: tuple[str, ...] = ()
    subject: str = ""
    may: Callable[[Any, str], bool] | None = None
    note: str = ""
    variants: tuple[Variant, ...] = ()
    is_harm: bool = False


class Setter(Struct, frozen=True, kw_only=True):
    """How a value is set that is more than a field: its type, what it is now, and the events that set it; `may`: of
    which pieces it is offered, where not of all."""

    hint: Any
    now: Callable[[Any, Any], Any]
    events: Callable[[Any, Any, Any], Sequence[Event]]
    may: Callable[[Any], bool] | None = None


class Hand(Generic[S]):
    """What one package's umpire may do. `pieces` names the structs of pieces, `battle` the fields of the public part
    that may be set, `looks` what a contact of each kind may show, `labels` what fields are called where their names do
    not say it well."""

    def __init__(self) -> None:
        self.pieces: dict[type[Any], str] = {}
        self.battle: tuple[str, ...] = ()
        self.looks: dict[str, Mapping[str, Any]] = {}
        self.labels: dict[str, str] = {}
        self.deeds: dict[type[Correction], Deed] = {}
        self.setters: dict[tuple[type[Any], str], Setter] = {}
        self._find: Callable[[S, str], Any] | None = None
        self.kinds: dict[str, Kind] = {
            CONTACT: Kind(noun="kind of contact", known=lambda state: {key: key for key in self.looks}),
            ANYTHING: Kind(noun=PIECE, known=lambda state: {BATTLE: "The battle", **self._known(PIECE, state)}),
        }

    def _known(self, kind: str, state: S) -> Mapping[str, str]:
        known = self.kinds[kind].known
        return known(state) if known is not None else {}

    def finds(self, function: Callable[[S, str], Any]) -> Callable[[S, str], Any]:
        """Registers how a piece is found by its id."""
        self._find = function
        return function

    def find(self, state: S, piece: str) -> Any:
        """A piece, or the public part for the battle."""
        assert self._find is not None
        return state.public if piece == BATTLE else self._find(state, piece)

    def kind(self, name: str, noun: str = "") -> Callable[[F], F]:
        """Registers what there is of a kind, or (of places) what is wrong with a value."""

        def register(function: F) -> F:
            if name in self.kinds:
                raise ValueError(f"the kind {name} is registered twice")
            is_listed = function.__code__.co_argcount == 1
            self.kinds[name] = Kind(
                noun=noun or name, known=function if is_listed else None, why_not=None if is_listed else function
            )
            return function

        return register

    def does(
        self,
        kind: type[Correction],
        label: str,
        *,
        on: Sequence[str] = (),
        subject: str = "piece",
        may: Callable[[S, str], bool] | None = None,
        note: str = "",
        variants: Sequence[Variant] = (),
        is_harm: bool = False,
    ) -> Callable[[F], F]:
        """Registers the events of a correction. Twice is a fault."""

        def register(function: F) -> F:
            if kind in self.deeds:
                raise ValueError(f"{kind.__name__} is registered twice")
            self.deeds[kind] = Deed(
                events=function,
                label=label,
                on=tuple(on),
                subject=subject if on else "",
                may=may,
                note=note,
                variants=tuple(variants),
                is_harm=is_harm,
            )
            return function

        return register

    def corrections(self) -> Any:
        """The tagged union of all corrections, in whatever order they were registered."""
        return union_of(self.deeds)

    def sets(
        self,
        kind: type[Any],
        name: str,
        hint: Any,
        now: Callable[[S, Any], Any],
        *,
        may: Callable[[Any], bool] | None = None,
    ) -> Callable[[F], F]:
        """Registers how a value of a piece is set that takes more than the field."""

        def register(function: F) -> F:
            self.setters[kind, name] = Setter(hint=hint, now=now, events=function, may=may)
            return function

        return register

    def settable(self, kind: type[Any]) -> Mapping[str, Any]:
        """The fields of a piece, or of the public part, that may be set, with their types."""
        hints = hints_of(kind)
        if kind not in self.pieces:
            return {name: hints[name] for name in self.battle}
        found = {
            name: hint for name, hint in hints.items() if not any(isinstance(mark, Fixed) for mark in bare(hint)[1])
        }
        found.update({name: setter.hint for (owner, name), setter in self.setters.items() if owner is kind})
        return found

    def hint(self, kind: type[Any], name: str) -> Any:
        """The type of a piece's field with all that is said of it."""
        return hints_of(kind)[name]

    def label(self, name: str) -> str:
        """A field's name as people read it."""
        words = name.removeprefix("is_").removeprefix("has_").replace("_", " ")
        return self.labels.get(name) or words[:1].upper() + words[1:]

    def altered(self, state: S, event: Altered, name: str) -> str:
        """What the umpire has set, of what to what: "The umpire sets Sgt. Hale: shaken from no to yes."."""
        try:
            kind = type(self.find(state, event.piece))
            hint = self.settable(kind).get(event.field) or hints_of(kind).get(event.field, Any)
        except KeyError:
            hint = Any
        before, after = (label_of(self.kinds, state, hint, value) for value in (event.was, event.value))
        what = self.label(event.field)
        return f"The umpire sets {name}: {what[:1].lower()}{what[1:]} from {before} to {after}."

    def common(self) -> None:
        """Registers what is done alike in all games."""
        self.does(Change, "Set")(self._change)
        self.does(Tell, "Tell a command")(_tell)
        self.does(ShowContact, "Show a contact")(self._show_contact)
        self.does(DropContact, "Drop a contact")(_drop_contact)

    def _change(self, state: S, correction: Change) -> Sequence[Event]:
        holder: Any = self.find(state, correction.piece)
        kind, name = type(holder), correction.field
        known = self.settable(kind)
        if name not in known:
            marks = bare(hints_of(kind)[name])[1] if kind in self.pieces and name in hints_of(kind) else ()
            fixed = next((f" {mark.why}" for mark in marks if isinstance(mark, Fixed)), "")
            right = fixed or near(name, known) or f" There are {', '.join(known)}."
            refuse(f"There is no value {quoted(name)} to set.{right}", "field")
        try:
            value = msgspec.convert(correction.value, known[name], strict=True)
        except (msgspec.ValidationError, OverflowError) as fault:
            refuse(f"{quoted(correction.value)} will not do: {str(fault).replace('`', '')}.", "value")
        must_fit(self, state, known[name], value, "value")
        setter = self.setters.get((kind, name))
        if setter is not None:
            return setter.events(state, holder, value)
        was = msgspec.to_builtins(getattr(holder, name))
        return [Altered(piece=correction.piece, field=name, value=_ordered(msgspec.to_builtins(value)), was=was)]

    def _show_contact(self, state: S, correction: ShowContact) -> Sequence[Event]:
        known = self.looks[correction.kind]
        for name, value in correction.looks.items():
            if name not in known:
                there = near(name, known) or f" There are {', '.join(known) or 'none'}."
                refuse(f"A {correction.kind} does not show {quoted(name)}.{there}", "looks")
            try:
                must_fit(self, state, known[name], msgspec.convert(value, known[name]), f"looks.{name}")
            except msgspec.ValidationError as fault:
                refuse(f"{quoted(value)} will not do: {str(fault).replace('`', '')}.", f"looks.{name}")
        turn = int(getattr(state.public, "turn", 0))
        contact = Contact(
            kind=correction.kind,
            at=correction.at,
            looks=dict(sorted(correction.looks.items())),
            since=turn,
            seen=turn,
            status="told",
        )
        return [Sighted(command=correction.command, contact=contact)]


def refuse(reason: str, at: str = PIECE) -> NoReturn:
    """Raises Refused with one reason."""
    raise Refused([Refusal(reason, "", at)])


def must_fit(hand: Hand[Any], state: Any, hint: Any, value: Any, at: str) -> None:
    """Raises Refused where a value names what is not there, or lies beyond its limits."""
    if found := list(faults_of(hand.kinds, state, hint, value, at)):
        raise Refused(found[:20])


def new_ids(state: State, correction: Correction, count: int) -> list[str]:
    """Ids for new pieces: random for whoever does not know the whole state, and the same whenever it is asked."""
    seed = f"{state_digest(state)} {digest_of(encode(correction))}"
    return [f"i{digest_of(f'{seed} {number}'.encode())[:12]}" for number in range(count)]


def _ordered(plain: Any) -> Any:
    return dict(sorted(plain.items())) if isinstance(plain, dict) else plain


def _tell(state: State, correction: Tell) -> Sequence[Event]:
    places = () if correction.at is None else (correction.at,)
    report = Report(key="message", values={"text": correction.text}, places=places)
    return [Told(command=correction.command, report=report)]


def _drop_contact(state: State, correction: DropContact) -> Sequence[Event]:
    known = state.commands[correction.command].contacts
    if correction.alias not in known:
        there = f"{', '.join(known) or 'none'}"
        refuse(f"There is no contact {quoted(correction.alias)}; there are: {there}.", "alias")
    if known[correction.alias].status == "in_sight":
        refuse("It is in sight; move or remove what stands there instead.", "alias")
    return [FoundEmpty(command=correction.command, alias=correction.alias)]


# The gate

SCRATCH = ServerDice(b"", 0, "umpire", 0, "")


def overruled(package: RulesPackage[S, Any], state: S, correction: Any) -> tuple[Event, ...]:
    """The events of a correction. Raises Refused where a field names what is not there or is out of range, and where
    the battle would be as none can be: he may do what no rule allows, but not what no rule could go on from."""
    must_fit(package.hand, state, type(correction), correction, "")
    events = tuple(package.overrule(state, correction))
    after = correct(package, Position(state=state), events, "", "", SCRATCH).position.state
    if new := fresh(package.impossible, state, after):
        refuse(f"That cannot be: {'; '.join(new[:3])}.", "")
    return events


def fresh(broken: Callable[[S], Sequence[str]], before: S, after: S) -> tuple[str, ...]:
    """What is broken now and was not before: what was, a battle may keep."""
    if not (found := broken(after)):
        return ()
    known = set(broken(before))
    return tuple(dict.fromkeys(problem for problem in found if problem not in known))


def against_rules(breaches: Sequence[str]) -> str:
    """What the umpire reads of what he overrules; "" where the rules allow it."""
    return f"Against the rules: {'; '.join(breaches)}." if breaches else ""
