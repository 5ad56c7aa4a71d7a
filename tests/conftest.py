"""What the machine must have for some tests, and what tests of several folders share.

A test that needs a browser or a server is skipped where there is none; under CI=true it fails instead.
"""

import os
import shutil
import socket
from collections.abc import Iterator
from functools import cache
from typing import Any

import psycopg
import pytest
import redis

IN_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")
POSTGRES_URL = os.environ.get("DATABASE_URL_TEST", "postgresql://postgres@127.0.0.1:5432/postgres")
# Tests that run side by side have a Redis database each.
REDIS_URL = (
    f"{os.environ.get('REDIS_URL_TEST', 'redis://127.0.0.1:6379')}"
    f"/{8 + int(os.environ.get('PYTEST_XDIST_WORKER', 'gw0').removeprefix('gw')) % 8}"
)
ON_POSTGRES = os.environ.get("UMPIRE_TEST_DATABASE") == "postgres"


@cache
def chromium_path() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


@cache
def has_postgres() -> bool:
    try:
        psycopg.connect(POSTGRES_URL, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


@cache
def has_redis() -> bool:
    try:
        with redis.Redis.from_url(REDIS_URL, socket_connect_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def missing(item: pytest.Item) -> str | None:
    """What the machine lacks for this test, in words."""
    if item.get_closest_marker("browser") and chromium_path() is None:
        return "Chromium is not installed (Debian: apt install chromium)"
    if item.get_closest_marker("postgres") and ON_POSTGRES and not has_postgres():
        return "no PostgreSQL server; DATABASE_URL_TEST says where one is (default: postgres@127.0.0.1:5432)"
    if item.get_closest_marker("redis") and not has_redis():
        return "no Redis server; REDIS_URL_TEST says where one is (default: redis://127.0.0.1:6379)"
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    lacking = missing(item)
    if lacking and IN_CI:
        pytest.fail(lacking, pytrace=False)
    elif lacking:
        pytest.skip(lacking)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser; for tests marked `browser`."""
    path = chromium_path()
    assert path, "mark the test with `browser`"
    return path


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """The address of a PostgreSQL server where databases may be made, whatever the run's own database is."""
    if not has_postgres():
        (pytest.fail if IN_CI else pytest.skip)(f"no PostgreSQL server at {POSTGRES_URL}")
    return POSTGRES_URL


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The address of an empty Redis database, emptied again afterwards; for tests marked `redis`."""
    with redis.Redis.from_url(REDIS_URL) as client:
        client.flushdb()
        yield REDIS_URL
        client.flushdb()


@pytest.fixture
def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def embedded_worker(transactional_db: Any) -> Iterator[None]:
    """A Celery worker in this process, on the broker in memory, while the test lasts."""
    from umpire import embedded  # noqa: PLC0415 - Django is set up after this file is read

    with embedded.worker():
        yield
