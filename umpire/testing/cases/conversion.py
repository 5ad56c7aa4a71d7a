"""Case files of the former language in today's words, line by line. `former.toml` of each game's cases says what was
called otherwise: verbs, fields of orders, keys of [given], values and entries of `ask`, and phrases in lines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from inspect import signature
from typing import Any

from umpire.kernel.states import Seat
from umpire.testing.cases.language import Language
from umpire.testing.cases.orders import kinds_of, types_of, verb_words
from umpire.testing.cases.running import language_of
from umpire.testing.cases.words import plain

_ENTRY = re.compile(r'(?<=[{,])(\s*)("?)([\w ]+)\2(\s*=)')
_LINES = re.compile(r"^\s*(dice|answers|draws|then|given|working|standing|pieces|terrain)\s*=")


def converted(text: str) -> str:
    """The text of a case file in today's words. Raises BadInput for a system that has no case files."""
    language = language_of(str(tomllib.loads(text).get("system", "")))
    room = type(language).__module__.rpartition(".")[0]
    former = tomllib.loads((files(room) / "former.toml").read_text(encoding="utf-8"))
    made: list[str] = []
    is_in_lines = False
    for line in text.split("\n"):
        key = line.partition("=")[0].strip()
        if key in ("order", "umpire"):
            line = _order(language, former, line, key)
        elif key == "ask":
            line = _ask(language, former, line)
        elif key == "is" or _LINES.match(line) or is_in_lines:
            line = _phrases(former["phrases"], line)
        if (new := former["given"].get(key)) and made and "[[step]]" not in made:
            line = line.replace(key, new, 1)
        is_in_lines = is_in_lines != (line.count('"""') == 1)
        made.append(line)
    return "\n".join(made)


def _phrases(phrases: Mapping[str, str], line: str) -> str:
    for old, new in phrases.items():
        line = re.sub(rf"(?<![\w-]){old}(?![\w-])", new, line, flags=re.IGNORECASE)
    return line


def _order(language: Language[Any], former: Mapping[str, Any], line: str, key: str) -> str:
    found = re.search(r'verb\s*=\s*"([^"]+)"', line)
    if found is None:
        return line
    word = verb_words(found[1])
    new = former["verbs"].get(word, found[1])
    line = line.replace(found[0], f'verb = "{new}"')
    known = kinds_of(language, Seat(name="", role="umpire") if key == "umpire" else Seat(name="", role="player"))
    word = verb_words(str(language.verbs.get(verb_words(new), {}).get("verb", new)))
    types = types_of(known[word]) if word in known else {}

    def field(entry: re.Match[str]) -> str:
        name = entry[3].strip()
        better = [each for each in (*former["fields"].get(plain(name), ()), f"{name}s") if each in types]
        is_known = not types or name in (*types, "seat", "verb", "reason", "prophylactic", "mode")
        return entry[0] if is_known or not better else f"{entry[1]}{better[0]} {entry[4].strip()}"

    return _ENTRY.sub(field, line)


def _ask(language: Language[Any], former: Mapping[str, Any], line: str) -> str:
    found = re.search(r'value\s*=\s*"([^"]+)"', line)
    if found is None:
        return line
    if plain(found[1]) in ("check", "legal", "order", "allowed"):
        return _order(language, former, line.replace(found[0], 'value = "check"'), "order")
    name = former["values"].get(plain(found[1]), found[1])
    line = line.replace(found[0], f'value = "{name}"')
    function = language.values.get(plain(name))
    known = [each.rstrip("_") for each in signature(function).parameters] if function is not None else []

    def entry_of(entry: re.Match[str]) -> str:
        word = plain(entry[3]).replace(" ", "_")
        near = (word, f"{word}s", word.removesuffix("s"), {"from": "of", "of": "from"}.get(word, ""))
        better = [each for each in former["entries"].get(plain(word), ()) if each in known]
        is_known = not known or word == "value" or any(each in known for each in near)
        return entry[0] if is_known or not better else f"{entry[1]}{better[0]} {entry[4].strip()}"

    return _ENTRY.sub(entry_of, line)
