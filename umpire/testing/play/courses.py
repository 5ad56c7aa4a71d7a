"""Courses: what people see and are told in many self-played games, as short marks, so that a rebuilt house can be
shown to behave as the old one.

Kept are the acts of each game and after each act marks (the first hex digits of hashes) of what came of it: previews,
refusals, dice, questions, lines and changed parts of the view of every seat, the umpire's truth and chronicle. No bytes
of states, no ledger entries, no versions: how a battle is represented may change, what it does may not.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from umpire.kernel.registry import RulesPackage
from umpire.testing.play.moments import Act
from umpire.testing.play.watching import Game, Texts, Watch, bytes_of

SEEDS = 40
"""Games of each scenario and variant."""
BY_GENERALS = 3
"""Each so-manieth seed is led by generals, where a package has any; the others by chance."""
ACTS = 100
"""Acts after which a game by chance is left; generals play to the end."""
WHOLE = 10
"""Each so-manieth seed is played by chance and left only after LONG acts."""
LONG = 600


class Kept(Struct, frozen=True, kw_only=True):
    """A game as it was played: `marks` (by what they are of: "alpha: lines", "dice") of its beginning, then after each
    act; without what has not changed or is nothing."""

    name: str
    acts: tuple[Act, ...]
    marks: tuple[Mapping[str, str], ...]


class Recording(Struct, frozen=True, kw_only=True):
    """The games of a system."""

    system: str
    games: tuple[Kept, ...]


class Difference(Struct, frozen=True, kw_only=True):
    """Where a game first comes out otherwise in one kind of thing: at which act (0: before the first), and what it is
    now."""

    number: int
    act: Act
    what: str
    now: Any

    def __str__(self) -> str:
        giver = self.act.get("seat") or self.act.get("command") or self.act.get("force") or ""
        words = ["act", str(self.number), giver, self.act.get("order", self.act).get("verb", "")]
        moment = " ".join(filter(None, words)) if self.number else "the beginning"
        return f"{moment}: {self.what} differs; now {shortened(bytes_of(self.now).decode())}"


def games_of(package: RulesPackage[Any, Any], seeds: int = SEEDS) -> list[Game]:
    """The games that are kept of a package: seeds from 1, scenario by scenario and variant by variant."""
    return [
        _game(package, scenario, options, seed)
        for scenario in package.scenarios()
        for options in package.variants
        for seed in range(1, seeds + 1)
    ]


def _game(package: RulesPackage[Any, Any], scenario: str, options: Mapping[str, Any], seed: int) -> Game:
    generals = "" if seed % BY_GENERALS or seed % WHOLE == 0 else next(iter(package.generals), "")
    acts = LONG if generals or seed % WHOLE == 0 else ACTS
    return Game(scenario=scenario, options=options, generals=generals, seed=seed, acts=acts)


def marked(texts: Texts) -> Mapping[str, str]:
    """The marks of what came of an act."""
    return {what: hashlib.sha256(bytes_of(text)).hexdigest()[:4] for what, text in texts.items()}


def shortened(text: str, most: int = 400) -> str:
    """A text of no more than about `most` characters."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text)} characters)"


def played(package: RulesPackage[Any, Any], game: Game) -> Kept:
    """Plays a game by its seed and keeps it. Raises Broken where it cannot be played."""
    watch = Watch(package, game)
    acts: list[Act] = []
    marks = [marked(watch.beginning())]
    while len(acts) < game.acts and (act := watch.chooser.next_act()) is not None:
        plain: Act = msgspec.json.decode(bytes_of(act))
        acts.append(plain)
        marks.append(marked(watch.done(plain)))
        watch.chooser.note(plain)
    return Kept(name=game.name, acts=tuple(acts), marks=tuple(marks))


def compared(package: RulesPackage[Any, Any], game: Game, kept: Kept, most: int | None = None) -> list[Difference]:
    """Plays the acts kept of a game again (the first `most` of them) and tells where each kind of thing first comes out
    otherwise. Ends where an act cannot be done any more."""
    watch = Watch(package, game)
    found: dict[str, Difference] = {}

    def note(number: int, act: Act, what: str, now: Any) -> None:
        found.setdefault(what, Difference(number=number, act=act, what=what, now=now))

    def look(number: int, act: Act, texts: Texts) -> None:
        marks, were = marked(texts), kept.marks[number]
        for what in dict.fromkeys([*marks, *were]):
            if marks.get(what) != were.get(what):
                note(number, act, what, texts.get(what, "nothing"))

    look(0, {}, watch.beginning())
    for number, act in enumerate(kept.acts[:most], 1):
        chosen = _chosen(watch)
        if chosen != act:
            note(number, act, "what the players choose from what they are offered", chosen)
        try:
            texts = watch.done(act)
        except Exception as fault:  # whatever is raised is what has changed
            note(number, act, "whether it can be done", f"{type(fault).__name__}: {fault}")
            break
        look(number, act, texts)
        watch.chooser.note(act)
    else:
        if len(kept.acts) < (game.acts if most is None else most) and (chosen := _chosen(watch)) is not None:
            note(len(kept.acts), {}, "whether it is over", chosen)
    return sorted(found.values(), key=lambda difference: difference.number)


def _chosen(watch: Watch) -> Any:
    """The act that would be chosen now, or what is raised instead."""
    try:
        return msgspec.json.decode(bytes_of(watch.chooser.next_act()))
    except Exception as fault:  # whatever is raised is what has changed
        return f"{type(fault).__name__}: {fault}"


def written(package: RulesPackage[Any, Any], game: Game, acts: Sequence[Act] | None = None) -> Iterator[str]:
    """The lines of the whole course of a game, to be compared with those of another checkout; by the acts given, or by
    its seed."""
    watch = Watch(package, game)
    texts, number = watch.beginning(), 0
    act: Act = {}
    while True:
        yield f"=== {number} {bytes_of(act).decode()}"
        for what, text in texts.items():
            yield f"--- {what}"
            yield from msgspec.json.format(bytes_of(text), indent=1).decode().splitlines()
        given = acts[number] if acts is not None and number < len(acts) else None
        chosen = given or (watch.chooser.next_act() if acts is None and number < game.acts else None)
        if chosen is None:
            return
        act, number = chosen, number + 1
        texts = watch.done(act)
        watch.chooser.note(act)


def file_of(folder: Path, system: str) -> Path:
    """Where the courses of a system lie."""
    return folder / "courses" / f"{system}.json.xz"


def read(path: Path) -> Recording:
    return msgspec.json.decode(lzma.decompress(path.read_bytes()), type=Recording)


def write(path: Path, recording: Recording) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(msgspec.json.encode(recording), preset=9))
