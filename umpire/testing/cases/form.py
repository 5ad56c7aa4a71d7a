"""The form of case files: a case, its steps, and how they are read from TOML. `docs/cases.md`"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from umpire.kernel.settings import BadInput
from umpire.kernel.values.spelling import get_close_matches


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: an order, a correction, a question of the rules lawyer or the beginning of the battle, with its dice
    and what must follow."""

    order: Mapping[str, Any] | None = None
    umpire: Mapping[str, Any] | None = None
    ask: Mapping[str, Any] | None = None
    begins: bool | None = None
    afresh: bool = False
    says: str = ""
    given: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    working: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    odds: Mapping[str, str] = field(default_factory=dict)
    then: tuple[str, ...] = ()
    is_: Any = field(default=None, name="is")
    refused: str = ""

    @property
    def is_afresh(self) -> bool:
        """Whether it begins again from what is given."""
        return bool(self.begins or self.afresh or self.given or self.standing)

    @property
    def says_something(self) -> bool:
        return bool(self.then or self.refused or self.odds or self.working or self.is_ is not None)


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A case as its file has it."""

    case: str
    title: str
    system: str
    rules: tuple[str, ...]
    given: Mapping[str, Any]
    step: tuple[Step, ...]
    module: str = ""
    source: str = ""


def files(paths: Sequence[Path]) -> list[Path]:
    """The case files at these paths: the files named, and all `*.toml` below the folders. Raises BadInput."""
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise BadInput("no such file or folder", file=str(path))
        found.extend(sorted(path.rglob("*.toml")) if path.is_dir() else [path])
    return found


def load(text: str, file: str) -> Case:
    """The case in a file's text. Raises BadInput with line and what would be right."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadInput(f"not TOML: {fault}", file=file) from fault
    steps = raw.get("step")
    for each in steps if isinstance(steps, list) else ():
        if isinstance(each, dict):
            _in_lists(each)
    try:
        case = msgspec.convert(raw, Case)
    except msgspec.ValidationError as fault:
        known = sorted({each.encode_name for kind in (Case, Step) for each in msgspec.structs.fields(kind)})
        word = str(fault).split("`")[1] if "`" in str(fault) else ""
        nearest = get_close_matches(word, known, n=1)
        right = f"Did you mean {nearest[0]!r}?" if nearest else f"Known words: {', '.join(known)}."
        raise BadInput(str(fault), file=file, where=line_of(text, word), right=right) from fault
    if not case.step:
        raise BadInput("a case has at least one [[step]]", file=file)
    for number, step in enumerate(case.step, 1):
        where = f"step {number}"
        leads_on = step.ask is None and number < len(case.step) and not case.step[number].is_afresh
        if step.begins is False:
            raise BadInput("`begins` is true or is not there", file=file, where=where)
        if sum(part is not None for part in (step.order, step.umpire, step.ask, step.begins)) != 1:
            raise BadInput("a step has one of `order`, `umpire`, `ask` and `begins`", file=file, where=where)
        if not (leads_on or step.says_something):
            right = "Give `then`, `is`, `refused`, `odds` or `working`."
            raise BadInput("the step says nothing that must follow", file=file, where=where, right=right)
    return case


_SEVERAL = re.compile(r"(?<=[\d)])\s*[,;]\s*(?=[A-Za-z]|[+-]\d+ [A-Za-z])")
"""Between dice or modifiers that stand in one line: "attack 3, defence 4"."""


def _in_lists(step: dict[str, Any]) -> None:
    """One line stands for a list of one, dice and workings may stand by name in a table, a face without a name for the
    next roll."""
    dice = step.get("dice")
    if isinstance(dice, str):
        step["dice"] = _SEVERAL.split(dice)
    elif isinstance(dice, dict):
        step["dice"] = [f"{name} {_faces(faces)}" for name, faces in dice.items()]
    elif isinstance(dice, list):
        step["dice"] = [_faces(each) for each in dice]
    for key in ("given", "standing", "draws", "answers", "then"):
        if isinstance(step.get(key), str):
            step[key] = [step[key]]
    for purpose, lines in step["working"].items() if isinstance(step.get("working"), dict) else ():
        if isinstance(lines, str):
            step["working"][purpose] = _SEVERAL.split(lines)
        elif isinstance(lines, dict):
            step["working"][purpose] = [f"{reason} {value:+d}" for reason, value in lines.items()]


def _faces(faces: Any) -> str:
    return "+".join(map(str, faces)) if isinstance(faces, list) else str(faces)


def line_of(text: str, words: str, step: int = 0) -> str:
    """ "line 12" for the first line that has these words, or nothing: of a step (from 1) if they stand there."""
    lines = text.splitlines()
    begins = [number for number, line in enumerate(lines) if line.strip() == "[[step]]"]
    first = begins[step - 1] if 0 < step <= len(begins) else 0
    after = next((number for number in begins if number > first), len(lines)) if first else len(lines)
    for number in (*range(first, after), *range(first)) if words else ():
        if words in lines[number] or words in " ".join(lines[number].split()):
            return f"line {number + 1}"
    return ""
