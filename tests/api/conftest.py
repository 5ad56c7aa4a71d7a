"""A battle of the toy game over REST, with a client for each seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.chairs import Chair, Table, new_table
from umpire.api.throttles import counts


@pytest.fixture(autouse=True)
def _no_throttle_left() -> Iterator[None]:
    yield
    counts.clear()


@pytest.fixture
def owner(django_user_model: Any, db: None) -> Any:
    return django_user_model.objects.create_user("owner", password="a long password")


@pytest.fixture
def table(owner: Any) -> Table:
    """A blind battle of the toy game: red moves first."""
    return new_table(owner)


@pytest.fixture
def stranger() -> Chair:
    return Chair()
