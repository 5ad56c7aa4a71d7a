"""Words of case files that are read the same in every game: lines, whole numbers, faults, messages. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from umpire.kernel.events import Told
from umpire.kernel.ledger import Corrected, Entry, Happened
from umpire.kernel.values.spelling import get_close_matches
from umpire.testing.cases.form import CaseFault


def unknown(what: str, word: str, known: Iterable[str]) -> NoReturn:
    """Raises the fault of a word that the vocabulary lacks, with the nearest that it has."""
    nearest = get_close_matches(word, list(known), 1, 0.0)
    raise CaseFault(f"{what} {word!r} is not known" + (f"; did you mean {nearest[0]!r}?" if nearest else ""), at=word)


def lines_of(text: Any) -> list[str]:
    """The lines of a text or list, without comments and blank ones."""
    lines = text.splitlines() if isinstance(text, str) else [str(each) for each in text]
    return [line for each in lines if (line := " ".join(each.partition("#")[0].split()))]


def whole(text: Any) -> int:
    """A whole number of a line. Raises CaseFault."""
    try:
        return int(str(text))
    except ValueError:
        raise CaseFault(f"{text!r} is no whole number", at=str(text)) from None


def texts_told(entries: Sequence[Entry], command: str) -> list[str]:
    """The texts of what a command is told among these entries; of a report without a text its key."""
    return [
        str(entry.event.report.values.get("text", entry.event.report.key))
        for entry in entries
        if isinstance(entry, Happened | Corrected) and isinstance(entry.event, Told) and entry.event.command == command
    ]
