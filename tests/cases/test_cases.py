"""Every case file, and that a broken one fails with its line and the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

import fireforce.cases  # noqa: F401
from umpire.kernel import cases

HERE = Path(__file__).parent
FILES = cases.files([HERE])


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_case(path: Path) -> None:
    assert cases.run_file(path).fault == ""
