"""Orders and corrections from plain JSON values, with errors that say what is wrong and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from umpire.battles.errors import BadInput, Fault, NotYours, Refused
from umpire.battles.models import Battle, Seat
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.registry import RulesPackage
from umpire.kernel.values.modifiers import Refusal

OVER = Refusal(reason="The battle is over.")

_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `(?P<at>\$[^`]*)`)?$", re.DOTALL)


def order_from(package: RulesPackage[Any, Any], order: Any) -> Any:
    """An order as the package's struct. Raises BadInput naming the field."""
    return _read(codec_of(package).order, order, "an order")


def correction_from(package: RulesPackage[Any, Any], correction: Any) -> Any:
    """A correction as the package's struct. Raises BadInput naming the field."""
    return _read(codec_of(package).correction, correction, "a correction")


MOST_BYTES = 32 * 1024
"""An order is kept as it was given, in its row, in the ledger and in the answer; the longest plans have a tenth."""


def _read(convert: Callable[[Any], Any], value: Any, what: str) -> Any:
    if not isinstance(value, Mapping):
        raise BadInput([Fault("", f"{what} is a JSON object", '{"verb": …}')])
    if len(encode(value)) > MOST_BYTES:
        raise BadInput([Fault("", f"{what} has at most {MOST_BYTES} bytes")])
    if not isinstance(value.get("verb"), str):
        raise BadInput([Fault("/verb", f"{what} names its verb")])
    try:
        return convert(value)
    except (msgspec.ValidationError, ValueError, TypeError) as fault:
        found = _PLACE.match(str(fault))
        text, at = (found["what"], found["at"]) if found else (str(fault), None)
        raise BadInput([Fault(pointer_of(at or "$"), text)]) from None


def pointer_of(at: str) -> str:
    """The place that msgspec names ("$.path[0].x") as a JSON pointer ("/path/0/x")."""
    return "".join(f"/{name or index}" for name, index in re.findall(r"\.([^.\[\]]+)|\[([^\]]*)\]", at))


def must_be_umpire(battle: Battle, by: Seat) -> None:
    """Raises NotYours for anybody but an umpire of this battle."""
    if by.role != Seat.Role.UMPIRE or by.battle_id != battle.id or by.is_revoked:
        raise NotYours


def must_be_running(battle: Battle) -> None:
    """Raises Refused for a battle that is over."""
    if battle.status != Battle.Status.RUNNING:
        raise Refused((OVER,))
