"""Where a long computation may pause: whoever has it made may let others by between two of its pieces.

Pausing changes nothing of what is computed; rules call `checkpoint` before a piece that takes milliseconds, and the
runner between the steps of a ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_between: ContextVar[Callable[[], object] | None] = ContextVar("between", default=None)


def checkpoint() -> None:
    """Between two pieces of a computation."""
    between = _between.get()
    if between is not None:
        between()


@contextmanager
def at_checkpoints(between: Callable[[], object]) -> Iterator[None]:
    """What is computed within calls `between` wherever it may pause. It must not raise."""
    token = _between.set(between)
    try:
        yield
    finally:
        _between.reset(token)
