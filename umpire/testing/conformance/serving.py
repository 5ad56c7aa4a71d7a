"""All that a seat can fetch of a battle, as bytes to compare and to search."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from umpire.kernel.codec import encode
from umpire.kernel.odds import Odds
from umpire.kernel.registry import RulesPackage
from umpire.testing.conformance.fixture import Conformance
from umpire.testing.play.battle import Play


def served(conformance: Conformance, play: Play[Any], seat: str, seed: int, *, odds: int = 1) -> dict[str, bytes]:
    """What a seat gets from everything that serves it: view, tag, news with numbers, scene, what is seen from a place,
    subjects, options, the refusals and previews of sample orders and probes, the odds of `odds` orders, its questions.

    Everything random comes from `seed` and from what the seat was served before, so that two worlds with the same slice
    are asked the same."""
    random, package, chair = Random(seed), play.package, play.seats[seat]
    believed = play.believed(seat)
    found: dict[str, Any] = {
        "view": play.view(seat),
        "tag": play.tag(seat),
        "news": play.numbered(seat),
        "scene": package.scene(believed),
        "questions": play.asked(seat),
        "outcome": package.outcome(believed),
        "subjects": play.subjects(seat),
    }
    found["sight"] = _sightings(package, believed, found["view"], random)
    forms = [form for subject in (None, *found["subjects"]) for form in play.options(seat, subject)]
    found["options"] = forms
    orders = [package.sample(believed, chair, form, random) for form in forms]
    chancy = [order for form, order in zip(forms, orders, strict=True) if form.odds]
    orders.extend(dict(probe) for probe in conformance.probes(believed, chair, random))
    found["checks"] = [(order, _tried(play.check, seat, order)) for order in orders]
    found["previews"] = [_tried(play.preview, seat, order) for order in orders]
    random.shuffle(chancy)
    found["odds"] = [(order, plain_odds(play.odds(seat, order))) for order in chancy[:odds]]
    return {name: encode(part) for name, part in found.items()}


def _sightings(package: RulesPackage[Any, Any], believed: Any, view: Any, random: Random) -> Any:
    """What is seen from the place of some piece, and the line to that of another; where the system says so."""
    places = sorted({tuple(piece["at"]) for piece in view["pieces"].values() if "at" in piece})
    if type(package).sightings is RulesPackage.sightings or not places:
        return None
    return package.sightings(believed, random.choice(places), random.choice(places))


def _tried(function: Any, seat: str, order: Any) -> Any:
    """What a function answers, or the words with which it refuses what is no order at all."""
    try:
        return function(seat, order)
    except msgspec.ValidationError as error:
        return str(error)


def plain_odds(odds: Odds) -> Any:
    """Odds as plain values."""
    fates = [(fate.piece, fate.what, str(chance)) for fate, chance in odds.fates.items()]
    return (fates, odds.exact, odds.branches, odds.assumes)


def difference(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> str:
    """Where two servings differ first, in words; empty if they do not."""
    for name in one:
        if one[name] != other[name]:
            at = next((i for i, (a, b) in enumerate(zip(one[name], other[name], strict=False)) if a != b), 0)
            low = max(0, at - 60)
            return f"{name}: {one[name][low : at + 60]!r} is not {other[name][low : at + 60]!r}"
    return ""
