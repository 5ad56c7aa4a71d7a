"""The server as it is hosted: production settings, PostgreSQL, Redis, several processes of each kind."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import redis

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.redis]


@pytest.fixture
def database_url(postgres_url: str) -> Iterator[str]:
    name = f"umpire_hosted_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    yield urlunsplit(urlsplit(postgres_url)._replace(path=f"/{name}"))
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def environ(database_url: str, redis_url: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "umpire.settings.production",
        "SECRET_KEY": uuid.uuid4().hex * 3,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "ALLOWED_HOSTS": "play.example.org",
    }


class Process:
    """A process of the server, its output in a file."""

    def __init__(self, arguments: list[str], environ: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("wb") as file:
            self.running = subprocess.Popen(
                [sys.executable, "-m", *arguments], cwd=ROOT, env=environ, stdout=file, stderr=subprocess.STDOUT
            )

    def said(self) -> str:
        return self.log.read_text()

    def wait_until(self, true: Callable[[], bool], seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while not true():
            assert self.running.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.1)

    def stop(self) -> int:
        self.running.send_signal(signal.SIGTERM)
        try:
            return self.running.wait(30)
        except subprocess.TimeoutExpired:
            self.running.kill()
            self.running.wait()
            raise


class NotFollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: object) -> None:
        return None


def get(port: int, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    wanted = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Host": "play.example.org", **headers})
    try:
        with urllib.request.build_opener(NotFollowed).open(wanted, timeout=10) as answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}
    except urllib.error.HTTPError as answer:
        return answer.code, {name.lower(): value for name, value in answer.headers.items()}
    except urllib.error.URLError:
        return 0, {}


def test_web_and_worker_run_on_postgresql_and_redis(environ: dict[str, str], free_port: int, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--no-input", "-v", "0"], cwd=ROOT, env=environ, check=True, timeout=60
    )
    web = Process(
        ["uvicorn", "umpire.asgi:application", "--port", str(free_port), "--workers", "2", "--no-server-header"],
        environ,
        tmp_path / "web.log",
    )
    worker = Process(
        ["celery", "-A", "umpire.celery", "worker", "--loglevel", "INFO", "--concurrency", "2"],
        environ,
        tmp_path / "worker.log",
    )
    try:
        web.wait_until(lambda: get(free_port, "/healthz")[0] == 200)
        worker.wait_until(lambda: " ready." in worker.said())

        status, headers = get(free_port, "/join/ABCD-EFGH")
        assert (status, headers["location"]) == (301, "https://play.example.org/join/ABCD-EFGH")

        status, headers = get(free_port, "/join/ABCD-EFGH", **{"X-Forwarded-Proto": "https"})
        assert status in (200, 503), "503 where the client is not built"
        assert headers["strict-transport-security"].startswith("max-age=31536000")
        assert "server" not in headers

        assert get(free_port, "/healthz", Host="elsewhere.example.org")[0] == 400
        web.wait_until(lambda: "/join/[redacted]" in web.said())
        assert "ABCD-EFGH" not in web.said()

        assert "Traceback" not in worker.said()
        # What no worker expects of Redis breaks it: it begins anew, by itself and as the same process.
        with redis.Redis.from_url(environ["REDIS_URL"]) as broker:
            broker.delete("celery")
            broker.set("celery", "this is no list")
            worker.wait_until(lambda: "begins anew" in worker.said())
            broker.delete("celery")
        worker.wait_until(lambda: worker.said().count(" ready.") == 2)
    finally:
        ended = (web.stop(), worker.stop())
    assert ended[1] == 0, worker.said()
    assert environ["SECRET_KEY"] not in web.said() + worker.said()
