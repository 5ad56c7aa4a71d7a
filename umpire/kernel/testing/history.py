"""Undo, replay and other processes: a ledger gives the same states for ever, whoever reads it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from random import Random
from typing import Any

from umpire.kernel.codec import digest_of, encode, state_digest
from umpire.kernel.ledger import Answered, Begun, Drawn, Entry, Thrown
from umpire.kernel.play import Play
from umpire.kernel.testing.conformance import Broken, Conformance, begin
from umpire.kernel.testing.random_play import do, next_act, settled
from umpire.kernel.testing.serving import served


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
    marks = [(len(play.tree.path()), state_digest(play.state))]
    for _ in range(acts):
        act = next_act(play, random)
        if act is None:
            break
        do(play, act)
        settled(play, random)
        marks.append((len(play.tree.path()), state_digest(play.state)))
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
        if encode(kept.tree.path()[depth:]) != encode(own):
            raise Broken("kept dice reproduce", f"seed {seed}, at {depth}: {begun.kind} of {begun.giver}")
        fresh.rewind(depth, fresh=True)
        _again(fresh, own)
        rolls += 1
        others += _chances(fresh.tree.path()[depth:]) != _chances(own)
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


def digest_of_play(conformance: Conformance, setting: str, seed: int, acts: int = 60) -> str:
    """The digest of a random battle: its ledger, its states and all that its seats are served at the end."""
    play, marks = _played(conformance, setting, seed, acts)
    seats = [name for name, seat in play.seats.items() if seat.role != "umpire"]
    parts = [encode(play.tree.path()), encode(marks), *(encode(served(conformance, play, n, seed)) for n in seats)]
    return digest_of(b"".join(parts))


def same_in_other_processes(conformance: Conformance, setting: str, seed: int, hash_seeds: Sequence[int]) -> None:
    """The same result in processes whose strings hash otherwise."""
    here = digest_of_play(conformance, setting, seed)
    for hash_seed in hash_seeds:
        command = [sys.executable, "-m", __name__, conformance.tells.__module__, setting, str(seed)]
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode or done.stdout.strip() != here:
            said = done.stderr.strip().splitlines()[-1:] or done.stdout.strip()
            raise Broken("the same in other processes", f"hash seed {hash_seed}, {setting}, seed {seed}: {said}")


if __name__ == "__main__":
    module, setting_name, number = sys.argv[1:]
    print(digest_of_play(import_module(module).CONFORMANCE, setting_name, int(number)))
