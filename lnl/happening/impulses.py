"""Impulses: what a command activates, what was done so far, and its end."""

from __future__ import annotations

from msgspec.structs import replace

from lnl.happening.register import happens, noted, says
from lnl.state.battle import Impulse, State
from lnl.state.finding import units_of
from lnl.state.setting import setting_of
from lnl.words.line import line, note
from lnl.words.naming import command_name, place_words, side_name
from umpire.kernel.events import Event
from umpire.kernel.parts import with_part, with_public
from umpire.kernel.registry import LogLine


class ImpulseBegan(Event, frozen=True, kw_only=True, tag="impulse_began"):
    """A command declares what it activates. The passes in a row are over. `core 4.0`"""

    impulse: Impulse


@happens(ImpulseBegan, public="never")
def _impulse_began(state: State, event: ImpulseBegan) -> State:
    return _with_impulse(state, event.impulse.command, event.impulse)


@says(ImpulseBegan)
def _impulse_began_words(state: State, event: ImpulseBegan) -> LogLine | None:
    places = event.impulse.places
    if not places:
        return None
    named = ", ".join(place_words(state, place) for place in places)
    return line(f"{command_name(state, event.impulse.command)} activates {named}.", "impulse", "core 4.0", at=places)


@noted(ImpulseBegan)
def _impulse_began_noted(state: State, event: ImpulseBegan) -> LogLine:
    return note(f"The impulse of {command_name(state, event.impulse.command)} goes on.")


class ImpulseChanged(Event, frozen=True, kw_only=True, tag="impulse_changed"):
    """What was done in an impulse so far."""

    impulse: Impulse


@happens(ImpulseChanged, public="never")
def _impulse_changed(state: State, event: ImpulseChanged) -> State:
    return _with_impulse(state, event.impulse.command, event.impulse)


@noted(ImpulseChanged)
def _impulse_changed_noted(state: State, event: ImpulseChanged) -> LogLine:
    return note(f"The impulse of {command_name(state, event.impulse.command)} goes on.")


class ImpulseEnded(Event, frozen=True, kw_only=True, tag="impulse_ended"):
    """An impulse is over; `active` is whose turn it is now, `passes` how many in a row were passes. `core 4.0`"""

    command: str
    active: str
    passes: int = 0


@happens(ImpulseEnded, public="where_open")
def _impulse_ended(state: State, event: ImpulseEnded) -> State:
    state = _with_impulse(state, event.command, None)
    return with_public(state, active=event.active, passes=event.passes, impulses=state.public.impulses + 1)


@says(ImpulseEnded)
def _impulse_ended_words(state: State, event: ImpulseEnded) -> LogLine:
    what = "passes" if event.passes else "has ended its impulse"
    setting = setting_of(state)
    is_blind = setting.options.play == "blind"  # that troops of one more command are about is nobody's to know
    who = side_name(state, setting.commands[event.command].side) if is_blind else command_name(state, event.command)
    return line(f"{who} {what}.", "impulse", "core 4.0")


def _with_impulse(state: State, command: str, impulse: Impulse | None) -> State:
    """What open units do in an impulse is public; where there is more to it its command has the whole as its own."""
    shown = _as_all_see(state, impulse) if impulse is not None else None
    own = impulse if impulse != shown else None
    for name, part in state.commands.items():
        kept = own if name == command else None
        if part.impulse != kept:
            state = with_part(state, name, replace(part, impulse=kept))
    return with_public(state, impulse=shown) if state.public.impulse != shown else state


def _as_all_see(state: State, impulse: Impulse) -> Impulse | None:
    """What all see of an impulse: the places where open units of its command stood when they were declared, those that
    were brought in for open units of its allies, and what open units did; None where that is nothing."""
    part = state.commands.get(impulse.command)  # a belief has not the part of an ally
    shown, own = state.public.impulse, part.impulse if part is not None else None
    if shown is not None and shown.command != impulse.command:
        shown = None
    declared = own or shown
    if declared is not None and declared.places == impulse.places:
        places, allies = (shown.places, shown.allies) if shown is not None else ((), ())
    else:
        there = {each.at for each in units_of(state.public) if each.command == impulse.command and each.is_placed}
        beside = {each.at for each in units_of(state.public) if each.command in impulse.allies and each.is_placed}
        brought_in = {at for at, who in zip(impulse.places, impulse.brought_by, strict=False) if who}
        places = tuple(at for at in impulse.places if at in there or at in beside & brought_in)
        open_there = {each.command for each in units_of(state.public) if each.is_placed and each.at in places}
        allies = tuple(name for name in impulse.allies if name in open_there)
    known = {"", *state.public.pieces, *((*shown.acted, shown.spotter) if shown is not None else ())}
    brought = zip(impulse.places, impulse.brought_by, strict=False)
    found = replace(
        impulse,
        places=places,
        allies=allies,
        brought_by=tuple(who if who in known else "" for at, who in brought if at in places),
        leaders=tuple(each for each in impulse.leaders if each in known),
        moved_from=tuple(at for at in impulse.moved_from if at in places),
        fired_from=tuple(each for each in impulse.fired_from if each[0] in places),
        tried_spotting=impulse.tried_spotting and impulse.spotter in known,
        spotter=impulse.spotter if impulse.spotter in known else "",
        spotted=tuple(each for each in impulse.spotted if each[0] in known),
        aids=tuple(each for each in impulse.aids if each in known),
        acted=tuple(each for each in impulse.acted if each in known),
        acted_at={who: at for who, at in impulse.acted_at.items() if who in known},
    )
    return found if found.places or found.tried_spotting else None
