"""Undo, replay and other processes: a ledger gives the same states for ever, whoever reads it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from umpire.kernel.codec import digest_of, encode, state_digest
from umpire.kernel.ledger import Answered, Begun, Drawn, Entry, Thrown
from umpire.testing.conformance.fixture import Broken, Conformance, begin
from umpire.testing.conformance.serving import served
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import do, next_act, settled


def undone(conformance: Conformance, setting: str, seed: int, acts: int = 25) -> int:
    """From every step of random play, undo back to the start restores each hash; nothing is deleted, and for the seats
    it is news that is numbered on."""
    play, marks = _played(conformance, setting, seed, acts)
    for depth, digest in reversed(marks):
        path, numbers = play.tree.path(), {name: len(news) for name, news in play.news.items()}
        views = {name: encode(play.view(name)) for name in play.news}
        play.rewind(depth)
        if state_digest(play.state) != digest:
            raise Broken("undo restores each hash", f"seed {seed}, at {depth}")
        if play.tree.path(play.tree.lines[play.tree.head].parent) != path:
            raise Broken("a rewind keeps all entries", f"seed {seed}, at {depth}")
        for name, number in numbers.items():
            is_changed = encode(play.view(name)) != views[name]
            if len(play.news[name]) - number != is_changed and play.seats[name].role != "umpire":
                raise Broken("a rewind is news", f"{name}, seed {seed}, at {depth}")
    return len(marks)


def _played(conformance: Conformance, setting: str, seed: int, acts: int) -> tuple[Play[Any], list[tuple[int, str]]]:
    """A battle after some acts, and the depth and hash at each step."""
    random = Random(seed)
    play = Play(
        conformance.package, begin(conformance, setting, random), conformance.seats, secret=f"history {seed}".encode()
    )
    marks = [(play.tree.depth, state_digest(play.state))]
    for _ in range(acts):
        act = next_act(play, random)
        if act is None:
            break
        do(play, act)
        settled(play, random)
        marks.append((play.tree.depth, state_digest(play.state)))
    return play, marks


def same_dice(conformance: Conformance, setting: str, seed: int, acts: int = 40) -> tuple[int, int]:
    """After a rewind "keep" reproduces the dice of the same order, and "fresh" does not. Gives the number of rolls that
    were made again, and how many of them fell otherwise on fresh dice."""
    play, marks = _played(conformance, setting, seed, acts)
    path = play.tree.path()
    rolls = others = 0
    for (depth, _), (end, _) in pairwise(marks):
        own = path[depth:end]
        begun = own[0] if own else None
        if not isinstance(begun, Begun) or not _chances(own):
            continue
        kept, fresh = play.copied(), play.copied()
        kept.rewind(depth)
        _again(kept, own)
        if encode(kept.tree.since(depth)) != encode(own):
            raise Broken("kept dice reproduce", f"seed {seed}, at {depth}: {begun.kind} of {begun.giver}")
        fresh.rewind(depth, fresh=True)
        _again(fresh, own)
        rolls += 1
        others += _chances(fresh.tree.since(depth)) != _chances(own)
    return rolls, others


def _again(play: Play[Any], own: Sequence[Entry]) -> None:
    """Gives an order, or carries on a plan, once more, with the answers that were given."""
    begun = own[0]
    assert isinstance(begun, Begun)
    if begun.kind == "order":
        play.order(begun.giver, begun.order)
    else:
        play.carry(begun.giver)
    answers = [entry for entry in own if isinstance(entry, Answered) and entry.how == "given"]
    while play.waiting is not None:
        if not answers or play.answer(answers[0].command, answers.pop(0).choices):
            settled(play)


def _chances(entries: Sequence[Entry]) -> list[Any]:
    return [
        entry.faces if isinstance(entry, Thrown) else entry.taken
        for entry in entries
        if isinstance(entry, Thrown | Drawn)
    ]


TRIES = 3
"""How often processes are compared while files change."""


def digest_of_play(conformance: Conformance, setting: str, seed: int, acts: int = 60) -> str:
    """The digest of a random battle: its ledger, its states and all that its seats are served at the end."""
    play, marks = _played(conformance, setting, seed, acts)
    seats = [name for name, seat in play.seats.items() if seat.role != "umpire"]
    parts = [encode(play.tree.path()), encode(marks), *(encode(served(conformance, play, n, seed)) for n in seats)]
    return digest_of(b"".join(parts))


def same_in_other_processes(conformance: Conformance, setting: str, seed: int, hash_seeds: Sequence[int]) -> None:
    """The same result in processes whose strings hash otherwise.

    All of them are new ones: this one may have loaded what has been changed on the disk since. What they say while
    files change does not count.
    """
    for _ in range(TRIES):
        files = _files(conformance)
        said = _said(conformance, setting, seed, hash_seeds)
        if not any(fault for _, fault in said) and len({digest for digest, _ in said}) == 1:
            return
        if _files(conformance) == files:
            heard = ", ".join(fault or digest for digest, fault in said)
            raise Broken("the same in other processes", f"hash seeds {hash_seeds}, {setting}, seed {seed}: {heard}")
    raise Broken("the same in other processes", f"files changed each of {TRIES} times that it was tried")


def _said(conformance: Conformance, setting: str, seed: int, hash_seeds: Sequence[int]) -> list[tuple[str, str]]:
    """The digest that each process found, or its last words; they run side by side."""
    command = [sys.executable, "-m", __name__, conformance.tells.__module__, setting, str(seed)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen(
            command,
            env={**environment, "PYTHONHASHSEED": str(hash_seed)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for hash_seed in hash_seeds
    ]
    found = []
    for process in running:
        out, errors = process.communicate()
        words = " ".join(errors.strip().splitlines()[-1:])
        found.append((out.strip(), words or f"exit status {process.returncode}" if process.returncode else ""))
    return found


def _files(conformance: Conformance) -> dict[Path, tuple[int, int]]:
    """When the files of the kernel and of the package were written, and their sizes."""
    found: dict[Path, tuple[int, int]] = {}
    for name in (__name__, conformance.tells.__module__, type(conformance.package).__module__):
        module = import_module(name.partition(".")[0])
        root = Path(str(module.__file__))
        for path in root.parent.rglob("*") if root.name == "__init__.py" else (root,):
            if path.parent.name != "__pycache__":
                with suppress(FileNotFoundError):  # an editor's, gone already
                    stat = path.stat()
                    found[path] = stat.st_mtime_ns, stat.st_size
    return found


if __name__ == "__main__":
    module, setting_name, number = sys.argv[1:]
    print(digest_of_play(import_module(module).CONFORMANCE, setting_name, int(number)))
