"""The built client is served by the server itself, also where there is nothing else."""

import asyncio
import warnings
from pathlib import Path
from typing import Any

import pytest
from django.test import AsyncClient, Client


@pytest.fixture
def built(tmp_path: Path, settings: Any) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Umpire</title>")
    (tmp_path / "assets" / "index-B3xK9_aZ.js").write_text("console.log('umpire')")
    (tmp_path / "manifest.webmanifest").write_text("{}")
    settings.CLIENT_DIR = settings.WHITENOISE_ROOT = tmp_path
    return tmp_path


@pytest.mark.parametrize("path", ["/", "/join/ABCD-EFGH", "/battle/7", "/battle/7/log", "/desk", "/desk/7"])
def test_every_address_of_the_client_gives_its_page_and_never_an_old_one(built: Path, path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/html")
    assert b"<title>Umpire" in answer.content
    assert answer.headers["Cache-Control"] == "no-cache"


def test_what_has_a_hashed_name_is_kept_by_browsers(built: Path) -> None:
    answer = Client().get("/assets/index-B3xK9_aZ.js")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"]
    assert "immutable" not in Client().get("/manifest.webmanifest").headers["Cache-Control"]


def test_files_are_served_by_the_asynchronous_server_without_complaint(built: Path) -> None:
    async def fetch() -> bytes:
        return (await AsyncClient().get("/assets/index-B3xK9_aZ.js")).content

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert asyncio.run(fetch()) == b"console.log('umpire')"


@pytest.mark.parametrize("path", ["/nowhere", "/assets/missing.js", "/../manage.py", "/assets/../../manage.py"])
def test_other_addresses_are_not_found(built: Path, path: str) -> None:
    assert Client().get(path).status_code == 404


def test_nothing_is_posted_to_a_page(built: Path) -> None:
    assert Client().post("/join/ABCD-EFGH").status_code == 405


def test_a_client_not_built_says_what_to_do(tmp_path: Path, settings: Any) -> None:
    settings.CLIENT_DIR = tmp_path / "dist"
    answer = Client().get("/")
    assert answer.status_code == 503
    assert b"make setup" in answer.content
