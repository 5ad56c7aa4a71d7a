"""Where a long computation may pause."""

import pytest

from umpire.kernel.breathing import breathe, breathing


def test_who_lets_others_by_is_called_wherever_a_computation_may_pause_and_nowhere_else() -> None:
    pauses: list[str] = []
    breathe()
    with breathing(lambda: pauses.append("outer")):
        breathe()
        with breathing(lambda: pauses.append("inner")):
            breathe()
        breathe()
    breathe()
    assert pauses == ["outer", "inner", "outer"]


def test_a_computation_that_fails_is_over() -> None:
    pauses: list[str] = []
    with pytest.raises(ZeroDivisionError), breathing(lambda: pauses.append("paused")):
        raise ZeroDivisionError
    breathe()
    assert not pauses
