"""The forms of what the umpire may do, made from the types of its fields; and who would see what of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

from msgspec import NODEFAULT, Struct, field, to_builtins
from msgspec.structs import fields as struct_fields

from umpire.kernel.forms import ChoiceSlot, FlagSlot, Form, ListSlot, NumberSlot, Part, PointSlot, Slot, TextSlot
from umpire.kernel.hand.corrections import (
    BATTLE,
    SCRATCH,
    Change,
    Deed,
    DropContact,
    Hand,
    ShowContact,
    Variant,
    fresh,
    overruled,
)
from umpire.kernel.hand.fields import Between, Key, Words, arms_of, bare, hints_of, label_of, plain
from umpire.kernel.news import lines_of, view_of
from umpire.kernel.registry import Refused, RulesPackage
from umpire.kernel.rulings import Choice
from umpire.kernel.running import Position, correct
from umpire.kernel.states import Seat, State
from umpire.kernel.values.modifiers import Refusal

S = TypeVar("S", bound=State)

LOOKS = "looks."
"""Before the name of a slot for what a contact shows: left out where nothing is said of it."""
MOST_PARTS = 12


def hand_forms(package: RulesPackage[S, Any], state: S, piece: str | None) -> list[Form]:
    """What the umpire may do with a piece, or with the battle (None). Raises KeyError for a piece that is not there."""
    hand: Hand[S] = package.hand
    kind = "" if piece is None else hand.pieces[type(hand.find(state, piece))]
    found: list[Form] = []
    for correction, deed in hand.deeds.items():
        if correction is Change:
            found.extend(_values(hand, state, BATTLE if piece is None else piece))
        elif correction is DropContact:
            found.extend(_contacts_to_drop(hand, state, deed) if piece is None else ())
        elif correction is ShowContact:
            found.extend(_contacts_to_show(hand, state, deed) if piece is None else ())
        elif piece is None and not deed.on:
            found.extend(_forms(hand, state, correction, deed, {}))
        elif piece is not None and kind in deed.on and (deed.may is None or deed.may(state, piece)):
            if "." not in deed.subject:
                found.extend(_forms(hand, state, correction, deed, {deed.subject: piece}))
    return found


def correction_of(form: Form, values: Mapping[str, Any]) -> dict[str, Any]:
    """The correction that a form becomes with these slot values."""
    made: dict[str, Any] = {"verb": form.verb, **form.fixed}
    for name, value in values.items():
        if not name.startswith(LOOKS):
            made[name] = value
        elif value not in ("", False):
            made.setdefault("looks", {})[name.removeprefix(LOOKS)] = value
    return made


def _verb(correction: type[Any]) -> str:
    return str(correction.__struct_config__.tag)


def _forms(hand: Hand[Any], state: Any, correction: type[Any], deed: Deed, fixed: Mapping[str, Any]) -> Iterator[Form]:
    for variant in deed.variants or (Variant(deed.label, {}, deed.note),):
        given = {**fixed, **variant.fixed}
        slots = _slots(hand, state, correction, given)
        if slots is not None:
            subject = tuple(str(value) for name, value in fixed.items() if name == deed.subject)
            note = variant.note or deed.note
            yield Form(
                verb=_verb(correction),
                label=variant.label,
                subject=subject,
                fixed=given,
                slots=slots,
                note=note,
                role="harm" if deed.is_harm else "",
            )


def _slots(hand: Hand[Any], state: Any, struct: type[Any], given: Mapping[str, Any]) -> tuple[Slot, ...] | None:
    """A slot for each field that is not given; None where one that must be given cannot be put into a slot."""
    found: list[Slot] = []
    hints = hints_of(struct)
    for each in struct_fields(struct):
        if each.name in given:
            continue
        usual = None if each.default is NODEFAULT else each.default
        slot = slot_of(hand, state, hints[each.name], each.name, hand.label(each.name), usual)
        if slot is not None:
            found.append(slot)
        elif each.required:
            return None
    return tuple(found)


def slot_of(hand: Hand[Any], state: Any, hint: Any, name: str, label: str, usual: Any = None) -> Slot | None:
    """The slot for a value of this type; None where there is none for it."""
    kind, marks = bare(hint)
    arms = arms_of(kind)
    if len(arms) == 1 and arms[0] is not kind:
        return slot_of(hand, state, arms[0], name, label) if usual is not None or name == "value" else None
    if kind is bool:
        return FlagSlot(name=name, label=label, usual=bool(usual))
    if get_origin(kind) is Literal:
        words = [str(each) for each in get_args(kind)]
        return _choice(name, label, {word: plain(word).capitalize() for word in words}, usual)
    for mark in marks:
        match mark:
            case Between(low=low, high=high, unit=unit):
                first = usual if isinstance(usual, int) and low <= usual <= high else None
                return NumberSlot(name=name, label=label, low=low, high=high, unit=unit, usual=first)
            case Words(most=most, least=least):
                return TextSlot(name=name, label=label, least=least, most=most)
            case Key(kind=what, is_optional=is_optional):
                return _of_kind(hand, state, what, is_optional, name, label, usual)
    if get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis:
        return _many(hand, state, get_args(kind)[0], name, label)
    return None


def _of_kind(
    hand: Hand[Any], state: Any, what: str, is_optional: bool, name: str, label: str, usual: Any
) -> Slot | None:
    known = hand.kinds[what].known
    if known is None:
        return PointSlot(name=name, label=label) if what == "place" else None
    there = {**({"": "none"} if is_optional else {}), **known(state)}
    return _choice(name, label, there, usual) if there else None


def _choice(name: str, label: str, there: Mapping[str, str], usual: Any) -> ChoiceSlot:
    choices = tuple(Choice(id=key, label=words or plain(key)) for key, words in there.items())
    return ChoiceSlot(name=name, label=label, choices=choices, usual=usual if usual in there else "")


def _many(hand: Hand[Any], state: Any, inner: Any, name: str, label: str) -> Slot | None:
    kind, marks = bare(inner)
    if isinstance(kind, type) and issubclass(kind, Struct):
        slots = _slots(hand, state, kind, {})
        parts = (Part(label=label, slots=slots or ()),)
        return ListSlot(name=name, label=label, parts=parts, least=1, most=MOST_PARTS) if slots else None
    for mark in marks:
        if isinstance(mark, Key) and (known := hand.kinds[mark.kind].known) is not None:
            choices = tuple(Choice(id=key, label=words) for key, words in known(state).items())
            if choices:
                return ChoiceSlot(
                    name=name, label=label, choices=choices, many=True, least=0, most=min(8, len(choices))
                )
    return None


def _values(hand: Hand[Any], state: Any, piece: str) -> Iterator[Form]:
    """A form for each value that may be set and has a slot; `note` is what it is now."""
    holder = hand.find(state, piece)
    kind = type(holder)
    for name, hint in hand.settable(kind).items():
        setter = hand.setters.get((kind, name))
        if setter is not None and setter.may is not None and not setter.may(holder):
            continue
        now = setter.now(state, holder) if setter is not None else getattr(holder, name)
        slot = slot_of(hand, state, hint, "value", hand.label(name), now)
        if slot is not None:
            yield Form(
                verb=_verb(Change),
                label=hand.label(name),
                subject=() if piece == BATTLE else (piece,),
                fixed={"piece": piece, "field": name},
                slots=(slot,),
                note=label_of(hand.kinds, state, hint, to_builtins(now)),
                role="value",
            )


def _contacts_to_show(hand: Hand[Any], state: Any, deed: Deed) -> Iterator[Form]:
    for kind, looks in hand.looks.items():
        slots = _slots(hand, state, ShowContact, {"kind": kind, "looks": {}}) or ()
        shown = (_look(hand, state, hint, name) for name, hint in looks.items())
        yield Form(
            verb=_verb(ShowContact),
            label=f"{deed.label}: {plain(kind)}",
            fixed={"kind": kind},
            slots=(*slots, *(slot for slot in shown if slot is not None)),
            note="Only this command sees it.",
        )


def _look(hand: Hand[Any], state: Any, hint: Any, name: str) -> Slot | None:
    slot = slot_of(hand, state, hint, f"{LOOKS}{name}", hand.label(name))
    match slot:
        case ChoiceSlot(choices=choices) if not any(choice.id == "" for choice in choices):
            return _choice(slot.name, slot.label, {"": "not said", **{each.id: each.label for each in choices}}, "")
        case TextSlot():
            return TextSlot(name=slot.name, label=slot.label, least=0, most=slot.most)
        case NumberSlot():
            return None
    return slot


def _contacts_to_drop(hand: Hand[Any], state: Any, deed: Deed) -> Iterator[Form]:
    names = hand.kinds["command"].known
    labels = names(state) if names is not None else {}
    for command, part in state.commands.items():
        there = {
            alias: f"{plain(contact.kind)}, {plain(contact.status)}"
            for alias, contact in part.contacts.items()
            if contact.status != "in_sight"
        }
        if there:
            yield Form(
                verb=_verb(DropContact),
                label=f"{deed.label}: {labels.get(command, command)}",
                fixed={"command": command},
                slots=(_choice("alias", "Which", there, None),),
                note="Only this command sees that it is gone.",
            )


# What would come of it


class Foreseen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a correction would be refused for; else who would see anything of it, by command with the lines that it
    would read, and `everybody` where those who lead nobody would too. `breaches`: what the rules would not allow."""

    breaches: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    seen_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    everybody: bool = False


def foreseen(package: RulesPackage[S, Any], position: Position, correction: Any) -> Foreseen:
    """Who would see what of a correction that is not made."""
    state: S = position.state
    try:
        events = overruled(package, state, correction)
    except Refused as refused:
        return Foreseen(refusals=refused.refusals)
    done = correct(package, position, events, "", "", SCRATCH)
    after: S = done.position.state
    seen: dict[str, tuple[str, ...]] = {}
    for name, seat in _seats(state):
        lines = tuple(line.text for line in lines_of(package, done.steps, seat))
        if lines or view_of(package, state, seat) != view_of(package, after, seat):
            seen[name] = lines
    return Foreseen(
        breaches=fresh(package.breaches, state, after),
        seen_by={name: lines for name, lines in seen.items() if name},
        everybody="" in seen,
    )


def _seats(state: State) -> Iterable[tuple[str, Seat]]:
    yield "", Seat(name="", role="observer")
    for command in state.commands:
        yield command, Seat(name=command, commands=(command,))
