"""The web client knows no rule: it names no verb, phase or question, and kinds of pieces only to draw them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from fireforce.package import PACKAGE as FIREFORCE
from lnl.package import PACKAGE as LNL
from umpire.kernel.chaptered import ChapteredPackage

CLIENT = Path(__file__).resolve().parents[2] / "frontend" / "src"
DRAWINGS = ("map/Pieces.svelte", "map/TableMap.svelte", "map/Terrain.svelte", "map/pennants.ts", "map/hex/counters.ts")
DRAWINGS += ("map/hex/HexFeatures.svelte",)
"""What draws the pieces of a game: here their kinds may be told apart."""
TEXTS = re.compile(r"words(\.\w+)?\.ts$")
"""Texts for people, whose words are those of the language."""
GENERATED = "schema.d.ts"
"""The types that the server's document has."""

MOST_LINES = 500

STRING = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`\n]*)`")
PATTERN = re.compile(r"(?<![\w)\]<])/((?:\\.|\[[^\]\n]*\]|[^/\\\n*])(?:\\.|\[[^\]\n]*\]|[^/\\\n])*)/[a-z]*[.,)]")
TELLS_KINDS = re.compile(r"\bkind\s*[!=]==\s*\"([^\"]+)\"")


def sources() -> Iterator[tuple[str, str]]:
    """All files of the client with their text, but for what only says something to people and what is generated."""
    for path in sorted(CLIENT.rglob("*")):
        if path.suffix in (".ts", ".svelte") and not TEXTS.search(path.name) and path.name != GENERATED:
            yield str(path.relative_to(CLIENT)), path.read_text("utf-8")


def said(text: str) -> set[str]:
    """What stands in a file's strings, and the words of its regular expressions."""
    strings = {part for found in STRING.findall(text) for part in found if part}
    return strings | {word for pattern in PATTERN.findall(text) for word in re.findall(r"[A-Za-z_]+", pattern)}


def verbs(package: ChapteredPackage) -> set[str]:  # type: ignore[type-arg]
    known = (*get_args(package.orders), *get_args(package.corrections))
    return {str(each.__struct_config__.tag) for each in known}


def names(package: ChapteredPackage) -> set[str]:  # type: ignore[type-arg]
    """Phases, and kinds of questions that somebody or something may answer."""
    chapters = package.chapters
    phases = {phase for verb in chapters.verbs.values() for phase in verb.phases}
    return phases | set(chapters.repliers) | set(chapters.answer_words)


@pytest.mark.parametrize("package", [LNL, FIREFORCE], ids=lambda package: package.system)
def test_no_verb_phase_or_question_is_named(package: ChapteredPackage) -> None:  # type: ignore[type-arg]
    known = verbs(package) | names(package)
    assert len(known) > 30
    assert {(path, word) for path, text in sources() if path not in DRAWINGS for word in said(text) & known} == set()


@pytest.mark.parametrize("package", [LNL, FIREFORCE], ids=lambda package: package.system)
def test_kinds_of_pieces_are_told_apart_only_where_they_are_drawn(package: ChapteredPackage) -> None:  # type: ignore[type-arg]
    kinds = set(package.hand.pieces.values()) | set(package.hand.looks)
    named = {(path, kind) for path, text in sources() for kind in TELLS_KINDS.findall(text) if kind in kinds}
    assert {(path, kind) for path, kind in named if path not in DRAWINGS} == set()
    assert named, "the search finds nothing even where it must"


def test_the_search_finds_what_is_named() -> None:
    text = 'if (form.verb === "GiveStandingOrders" || /^End|^Pass$/.test(form.verb)) open(`rally`);'
    assert {"GiveStandingOrders", "Pass", "rally"} <= said(text)


def test_a_file_of_the_client_is_read_in_one_sitting() -> None:
    """But for the types of what the server sends, which follow its document."""
    long = {path: n for path, text in sources() if (n := text.count("\n")) > MOST_LINES}
    assert [path for path in long if not path.startswith("api/")] == []
