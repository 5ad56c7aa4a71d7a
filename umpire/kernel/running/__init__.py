"""Runs rulings: live, and again from the ledger up to where they wait.

Everything here is pure. A `Position` is what a battle is between two requests: its state, and the open order if a
ruling waits. Each operation gives the entries to append to the ledger and the next position; the caller keeps them.
"""

from umpire.kernel.running.again import position_of, recorded
from umpire.kernel.running.asides import ASIDE, take_aside, told_aside
from umpire.kernel.running.engine import run
from umpire.kernel.running.noticing import noticed
from umpire.kernel.running.operations import (
    advance,
    answer,
    begin,
    believed_of,
    correct,
    digest_of_order,
    resume,
    stop,
    throw,
)
from umpire.kernel.running.positions import Done, Fault, Open, Position, Sources, Step, Waiting, named

__all__ = [
    "ASIDE",
    "Done",
    "Fault",
    "Open",
    "Position",
    "Sources",
    "Step",
    "Waiting",
    "advance",
    "answer",
    "begin",
    "believed_of",
    "correct",
    "digest_of_order",
    "named",
    "noticed",
    "position_of",
    "recorded",
    "resume",
    "run",
    "stop",
    "take_aside",
    "throw",
    "told_aside",
]
