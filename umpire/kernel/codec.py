"""Bytes of states, events, orders and entries: JSON with hand-written tags; unknown fields are an error."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Union, get_args

import msgspec

from umpire.kernel import events, ledger
from umpire.kernel.ledger import first_upcast, upcast

if TYPE_CHECKING:
    from umpire.kernel.registry import RulesPackage

_encoder = msgspec.json.Encoder(enc_hook=lambda value: _encode_other(value))


def _encode_other(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} has no place in a state")


def encode(value: Any) -> bytes:
    """The bytes of a value. Maps are in key order already, so equal values have equal bytes."""
    return _encoder.encode(value)


def digest_of(data: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def union_of(kinds: Iterable[type[msgspec.Struct]]) -> Any:
    """The tagged union of some structs, in the order of their tags."""
    return Union[tuple(sorted(kinds, key=lambda kind: str(kind.__struct_config__.tag)))]  # noqa: UP007 - made at run time


class Codec:
    """Decoders of one package."""

    def __init__(self, package: RulesPackage[Any, Any]) -> None:
        event = package.events | events.Knowledge
        happened = msgspec.defstruct(
            "Happened", [("event", event)], bases=(ledger.Happened,), tag="happened", frozen=True, kw_only=True
        )
        corrected = msgspec.defstruct(
            "Corrected", [("event", event)], bases=(ledger.Corrected,), tag="corrected", frozen=True, kw_only=True
        )
        self.package = package
        self._happened, self._corrected = happened, corrected
        plain = ledger.Begun | ledger.Thrown | ledger.Drawn | ledger.Asked | ledger.Answered | ledger.Ended
        self._entry = plain | happened | corrected
        self.state = msgspec.json.Decoder(package.state_type)
        self.entries = msgspec.json.Decoder(list[self._entry])  # type: ignore[name-defined]
        self.entry = msgspec.json.Decoder(self._entry)
        self.event = msgspec.json.Decoder(event)
        orders = get_args(package.orders) or (package.orders,)
        self._orders = {order.__struct_config__.tag: order for order in orders}

    def read_entry(self, data: bytes, version: int) -> Any:
        """One ledger entry, upcast from the version that wrote it. Raises msgspec.ValidationError."""
        if version == self.package.ledger_version:
            return self.entry.decode(data)
        old = upcast(msgspec.json.decode(data), version, self.package.upcasters, self.package.ledger_version)
        return msgspec.convert(old, self._entry)

    def read_first(self, data: bytes, version: int) -> Any:
        """The first state of a battle, upcast from the version of the ledger under which it was stored. Raises
        msgspec.ValidationError."""
        if version == self.package.ledger_version:
            return self.state.decode(data)
        first = msgspec.json.decode(data)
        old = first_upcast(first, version, self.package.first_upcasters, self.package.ledger_version)
        return msgspec.convert(old, self.package.state_type)

    def read_half(self, half: Literal["public", "umpire"], data: bytes, version: int) -> Any:
        """One half of a setting, upcast from the version of the ledger under which it was
        stored. Raises msgspec.ValidationError."""
        kind = self.package.public_setting if half == "public" else self.package.umpire_setting
        if version == self.package.ledger_version:
            return msgspec.json.decode(data, type=kind)
        upcasters = {step: each[half] for step, each in self.package.setting_upcasters.items() if half in each}
        old = first_upcast(msgspec.json.decode(data), version, upcasters, self.package.ledger_version)
        return msgspec.convert(old, kind)

    def order(self, order: Any) -> Any:
        """An order from plain JSON values. Raises msgspec.ValidationError naming the field."""
        # To look through all orders of a package for the one of this verb takes longer than to read it.
        verb = order.get("verb") if isinstance(order, Mapping) else None
        kind = self._orders.get(verb) if isinstance(verb, str) else None
        return msgspec.convert(order, self.package.orders if kind is None else kind)

    def correction(self, correction: Any) -> Any:
        """A correction from plain JSON values. Raises msgspec.ValidationError naming the field."""
        return msgspec.convert(correction, self.package.corrections)


@cache
def codec_of(package: RulesPackage[Any, Any]) -> Codec:
    """The codec of a package, built once."""
    return Codec(package)


def state_digest(state: Any) -> str:
    """The digest by which a state is known in the ledger."""
    return digest_of(encode(state))
