"""Where a long computation may pause."""

import pytest

from umpire.kernel.checkpoints import at_checkpoints, checkpoint


def test_who_lets_others_by_is_called_wherever_a_computation_may_pause_and_nowhere_else() -> None:
    pauses: list[str] = []
    checkpoint()
    with at_checkpoints(lambda: pauses.append("outer")):
        checkpoint()
        with at_checkpoints(lambda: pauses.append("inner")):
            checkpoint()
        checkpoint()
    checkpoint()
    assert pauses == ["outer", "inner", "outer"]


def test_a_computation_that_fails_is_over() -> None:
    pauses: list[str] = []
    with pytest.raises(ZeroDivisionError), at_checkpoints(lambda: pauses.append("paused")):
        raise ZeroDivisionError
    checkpoint()
    assert not pauses
