"""What is seen from a place, for whoever looks along a line before he gives an order. `core 10.0`"""

from __future__ import annotations

from typing import Literal

from lnl.board.ground import BUNKER
from lnl.board.hexes import Place
from lnl.knowledge.sighting import is_night, reaches_at_night
from lnl.state.battle import Believed
from lnl.state.setting import setting_of, sight
from umpire.kernel import registry, states


def sightings(believed: Believed, origin: states.Place, target: states.Place | None) -> registry.Sightings:
    """Of every place but the insides of bunkers whether it is seen, as the ground is known to be now; and the line to
    one of them. Raises KeyError for a place that the map does not have. `core 10.3`, `core 20.0`"""
    start = _place(origin)
    seen, is_dark = sight(believed).field(start), is_night(believed)

    def status(place: Place) -> Literal["open", "degraded", "blocked", "dark"]:
        if not seen.sees(place):
            return "blocked"
        if is_dark and not reaches_at_night(believed, start, place):
            return "dark"
        return "degraded" if seen.degrading(place) else "open"

    field = {",".join(map(str, place)): status(place) for place in sorted(seen.number) if place[2] != BUNKER}
    return registry.Sightings(field=field, line=_line(believed, start, _place(target)) if target is not None else None)


def _line(believed: Believed, origin: Place, target: Place) -> registry.SightLine:
    found = sight(believed).line(origin, target)
    obstacles = [registry.SightObstacle(at=o.at, effect=o.effect, what=o.what, rule=o.rule) for o in found.obstacles]
    why, is_blocked = found.why, found.is_blocked
    if not is_blocked and not reaches_at_night(believed, origin, target):
        far = setting_of(believed).options.visibility
        why, is_blocked = f"In the dark: no farther than {far} hexes, but where it is lit or has fired", True
    return registry.SightLine(
        is_blocked=is_blocked,
        degrading=found.degrading,
        distance=found.distance,
        obstacles=tuple(obstacles),
        why=why,
    )


def _place(at: states.Place) -> Place:
    return at[0], at[1], at[2] if len(at) > 2 else 0
