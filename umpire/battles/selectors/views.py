"""What a seat sees and may do, from its slice alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from umpire.battles.errors import NotYours, bounded
from umpire.battles.heads import Head, believed_by, read_head
from umpire.battles.models import Battle, Seat
from umpire.battles.parsing import order_from
from umpire.battles.services.orders import chair_for
from umpire.battles.sql import Prepared
from umpire.kernel import states
from umpire.kernel.codec import digest_of, encode
from umpire.kernel.forms import Form
from umpire.kernel.odds import fraction_text
from umpire.kernel.odds import odds_of as kernel_odds
from umpire.kernel.registry import Preview, Sightings
from umpire.kernel.values.modifiers import Refusal
from umpire.kernel.views import Scene, View


def view_for(*, battle: Battle, seat: Seat) -> tuple[dict[str, Any], int, str]:
    """The seat's view (the truth for an umpire) as it was last sent, the number of its last news, and its ETag."""
    for view, number, tag in _views.rows(seat.pk, battle.pk):
        return msgspec.json.decode(bytes(view)), number, tag
    raise NotYours


_views = Prepared(
    lambda seat, battle: Seat.objects.filter(pk=seat, battle=battle).values_list("last_view", "news_count", "tag"),
    str,
    str,
)


def truth_for(*, battle: Battle) -> View:
    """The umpire's view."""
    head = read_head(battle.id)
    return head.package.truth(head.state)


def _asking(battle: Battle, seat: Seat, acting_for: str | None) -> tuple[Head, states.Seat]:
    head = read_head(battle.id)
    present = next((each for each in head.seats if each.id == seat.id), None)
    if present is None or present.is_revoked:
        raise NotYours
    if present.role == Seat.Role.OBSERVER:
        return head, states.Seat(name=present.name, role="observer")
    return head, chair_for(head, present, acting_for)


class Options(Struct, frozen=True, kw_only=True):
    """What may be ordered, or why a piece is offered no order; `subjects` are the pieces that may be ordered about,
    `units` the forms of each."""

    forms: Sequence[Form] = ()
    why: tuple[Refusal, ...] = ()
    subjects: tuple[str, ...] = ()
    units: Mapping[str, tuple[Form, ...]] = {}


def options_for(
    *, battle: Battle, seat: Seat, unit: str | None = None, acting_for: str | None = None, is_all: bool = False
) -> Options:
    """The forms for a piece; without one, the forms that need none, and the pieces that may be ordered about, with
    `is_all` also the forms of each of these."""
    head, chair = _asking(battle, seat, acting_for)
    if not chair.commands or head.battle.status != Battle.Status.RUNNING:
        return Options()
    package, believed = head.package, believed_by(head, chair.commands)
    forms = package.options(believed, chair, unit)
    if unit is not None:
        is_idle = all(form.role for form in forms)
        return Options(forms=forms, why=tuple(package.idle(believed, chair, unit)) if is_idle else ())
    subjects = package.subjects(believed, chair)
    asked = subjects if is_all else ()
    units = {subject: tuple(package.options(believed, chair, subject)) for subject in asked}
    return Options(forms=forms, subjects=subjects, units=units)


def preview_for(*, battle: Battle, seat: Seat, order: Mapping[str, Any], acting_for: str | None = None) -> Preview:
    """What an order would cost and reach. Raises BadInput."""
    head, chair = _asking(battle, seat, acting_for)
    typed = order_from(head.package, order)
    found = head.package.preview(believed_by(head, chair.commands), chair, typed)
    return replace(found, refusals=bounded(found.refusals))


def odds_for(*, battle: Battle, seat: Seat, order: Mapping[str, Any], acting_for: str | None = None) -> dict[str, Any]:
    """`{"fates": [{"piece", "what", "chance"}], "exact", "branches", "assumes", "refusals"}`. Raises BadInput."""
    head, chair = _asking(battle, seat, acting_for)
    typed = order_from(head.package, order)
    believed = believed_by(head, chair.commands)
    refusals = bounded(head.package.check(believed, chair, typed))
    if refusals:
        return {"fates": [], "exact": True, "branches": 0, "assumes": [], "refusals": msgspec.to_builtins(refusals)}
    odds = kernel_odds(head.package, believed, chair, typed)
    return {
        "fates": [
            {"piece": fate.piece, "what": fate.what, "chance": fraction_text(chance)}
            for fate, chance in odds.fates.items()
        ],
        "exact": odds.exact,
        "branches": odds.branches,
        "assumes": list(odds.assumes),
        "refusals": [],
    }


def scene_for(*, battle: Battle, seat: Seat) -> Scene:
    """What does not change: map, tables to show; with `digest`."""
    head = read_head(battle.id)
    commands = {Seat.Role.PLAYER: seat.commands, Seat.Role.UMPIRE: list(head.state.commands)}.get(seat.role, [])
    scene = head.package.scene(believed_by(head, commands))
    return replace(scene, system=battle.system, digest=digest_of(encode(scene))[:20])


def sightings_for(
    *, battle: Battle, seat: Seat, origin: tuple[int, ...], target: tuple[int, ...] | None = None
) -> Sightings:
    """What is seen from a place, as far as the seat knows the ground. Raises KeyError for no such place."""
    head = read_head(battle.id)
    believed = believed_by(head, seat.commands if seat.role == Seat.Role.PLAYER else ())
    return head.package.sightings(believed, origin, target)
