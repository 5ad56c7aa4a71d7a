"""Fire, and what falls where: who has fired or called it, smoke, star shells, Fire For Effect."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from lnl.board.hexes import Hex, Place
from lnl.happening.register import happens, says
from lnl.state.battle import Barrage, Believed, State, hex_key
from lnl.state.finding import unit, units
from lnl.words.line import line
from lnl.words.naming import name_of, names_of, place_words
from umpire.kernel.events import Event
from umpire.kernel.parts import with_public
from umpire.kernel.pieces.changing import with_piece, with_pieces
from umpire.kernel.registry import LogLine
from umpire.kernel.values.maps import put

HOW = {
    "direct": "fires",
    "opportunity": "takes opportunity fire",
    "indirect": "fires indirectly",
    "sniper": "snipes",
    "aid": "directs the fire",
    "claymore": "sets off a claymore",
}


class Fired(Event, frozen=True, kw_only=True, tag="fired"):
    """Units have fired (or aided fire): they bear a Fired marker. `weapons` took part. `core 4.0`"""

    units: tuple[str, ...]
    weapons: tuple[str, ...] = ()
    at: Place | None = None
    how: Literal["direct", "opportunity", "indirect", "sniper", "aid", "claymore"] = "direct"


def _as_seen(event: Fired, belief: Believed, is_seen: bool) -> Fired:
    """No target where an onlooker knows of nobody."""
    is_known = event.at is None or any(each.at == event.at for each in units(belief))
    return event if is_known else replace(event, at=None)


@happens(Fired, public="where_open", perceived=_as_seen)
def _fired(state: State, event: Fired) -> State:
    return with_pieces(state, [replace(unit(state, each), fired=True) for each in event.units])


@says(Fired)
def _fired_words(state: State, event: Fired) -> LogLine:
    guns = f" with {names_of(state, event.weapons)}" if event.weapons else ""
    where = f" at {place_words(state, event.at)}" if event.at is not None else ""
    places = (event.at,) if event.at is not None else ()
    return line(
        f"{names_of(state, event.units)}{guns} {HOW[event.how]}{where}.", "fire", "core 5.0", event.units, places
    )


class OpsCompleted(Event, frozen=True, kw_only=True, tag="ops_completed"):
    """Units bear an Ops Complete marker. `core 4.1`"""

    units: tuple[str, ...]
    why: str = ""


@happens(OpsCompleted, public="where_open")
def _ops_completed(state: State, event: OpsCompleted) -> State:
    return with_pieces(state, [replace(unit(state, each), ops_complete=True) for each in event.units])


@says(OpsCompleted)
def _ops_completed_words(state: State, event: OpsCompleted) -> LogLine:
    why = f" ({event.why})" if event.why else ""
    return line(f"Ops Complete: {names_of(state, event.units)}{why}.", "marker", "core 4.1", event.units)


class Called(Event, frozen=True, kw_only=True, tag="called"):
    """A unit has called indirect fire this turn. `core 18.1`"""

    unit: str


@happens(Called, public="where_open")
def _called(state: State, event: Called) -> State:
    return with_piece(state, event.unit, has_called=True)


@says(Called)
def _called_words(state: State, event: Called) -> LogLine:
    return line(f"{name_of(state, event.unit)} directs mortar fire.", "fire", "core 18.1", (event.unit,))


class SmokePlaced(Event, frozen=True, kw_only=True, tag="smoke_placed"):
    """Smoke 1 (or 2) lies in a hex. `core 7.0`"""

    at: Hex
    stage: int = 1


@happens(SmokePlaced, public="where_open")
def _smoke_placed(state: State, event: SmokePlaced) -> State:
    return with_public(state, smoke=put(state.public.smoke, hex_key(event.at), event.stage))


@says(SmokePlaced)
def _smoke_placed_words(state: State, event: SmokePlaced) -> LogLine:
    return line(f"Smoke at {place_words(state, event.at)}.", "smoke", "core 7.0", at=(event.at,))


class SmokeFailed(Event, frozen=True, kw_only=True, tag="smoke_failed"):
    """A unit has tried to lay smoke in vain. `core 7.0`"""

    unit: str
    at: Hex


@happens(SmokeFailed, public="where_open")
def _smoke_failed(state: State, event: SmokeFailed) -> State:
    return state


@says(SmokeFailed)
def _smoke_failed_words(state: State, event: SmokeFailed) -> LogLine:
    text = f"{name_of(state, event.unit)} lays no smoke at {place_words(state, event.at)}."
    return line(text, "smoke", "core 7.0", (event.unit,), (event.at,))


class StarShellPlaced(Event, frozen=True, kw_only=True, tag="star_shell_placed"):
    """A star shell burns over a hex. `core 20.1`"""

    at: Hex


@happens(StarShellPlaced, public="where_open")
def _star_shell_placed(state: State, event: StarShellPlaced) -> State:
    return with_public(state, star_shells=tuple(sorted({*state.public.star_shells, event.at})))


@says(StarShellPlaced)
def _star_shell_placed_words(state: State, event: StarShellPlaced) -> LogLine:
    return line(f"A star shell burns over {place_words(state, event.at)}.", "light", "core 20.1", at=(event.at,))


class BarragePlaced(Event, frozen=True, kw_only=True, tag="barrage_placed"):
    """Fire For Effect stays in a hex. `core 18.1`"""

    barrage: Barrage


@happens(BarragePlaced, public="where_open")
def _barrage_placed(state: State, event: BarragePlaced) -> State:
    return with_public(state, barrages=(*state.public.barrages, event.barrage))


@says(BarragePlaced)
def _barrage_placed_words(state: State, event: BarragePlaced) -> LogLine:
    at = event.barrage.at
    return line(f"Fire For Effect falls on {place_words(state, at)}.", "fire", "core 18.1", at=(at,))
