"""A playthrough to read: orders and answers, rolls with what shaped them, what each seat was told and saw change, the
umpire's log and truth, in the games' own words. A changed rule shows as a difference that a reviewer understands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from umpire.kernel.registry import LogLine, RulesPackage
from umpire.kernel.values.modifiers import Modifier
from umpire.testing.play.battle import Json
from umpire.testing.play.courses import games_of
from umpire.testing.play.moments import Act
from umpire.testing.play.watching import Game, Texts, Watch, bytes_of

LINES = 700
"""Lines after which a playthrough is left."""
SEED = 3
"""Led by generals, where a package has any."""
PARTS = ("commands", "conditions", "features", "points", "groups", "pieces", "contacts", "plans")
"""The parts of views whose changes are shown; the others say again whose turn it is."""
UNSAID = ("may_act", "own", "mine")
_id = re.compile(r"\bi[0-9a-f]{12}\b")


def playthroughs(package: RulesPackage[Any, Any]) -> Iterator[Game]:
    """One of each scenario and variant."""
    return (game for game in games_of(package, SEED) if game.seed == SEED)


def file_of(folder: Path, package: RulesPackage[Any, Any], game: Game) -> Path:
    """Where the playthrough of a game is kept."""
    words = [package.system, game.scenario, *map(str, game.options.values())]
    return folder / "read" / f"{'-'.join(words)}.txt"


def text_of(package: RulesPackage[Any, Any], game: Game) -> str:
    """The whole playthrough."""
    return "".join(f"{line}\n" for line in _Reader(package, game).lines())


class _Reader:
    def __init__(self, package: RulesPackage[Any, Any], game: Game) -> None:
        self.package, self.game = package, game
        self.watch = Watch(package, game)
        self.battle = self.watch.battle
        self.views: dict[str, Json] = {}
        self.names: dict[str, str] = {}

    def lines(self) -> Iterator[str]:
        """The lines of the playthrough, up to about LINES."""
        yield f"{self.package.title}: {self.game.name}"
        texts, number, written, moment = self.watch.beginning(), 0, 0, ""
        acts: Iterator[Act | None] = iter(self.watch.chooser.next_act, None)
        act: Act | None = None
        while True:
            now = self._moment()
            block = [*self._act(number, act), *self._came_of(texts)]
            if now != moment:
                block.insert(0, f"== {now}")
            moment = now
            yield from ("", *block)
            written += len(block) + 1
            act = next(acts, None)
            if act is None or written > LINES:
                return
            number += 1
            texts = self.watch.done(act)
            self.watch.chooser.note(act)

    def _moment(self) -> str:
        truth = self.battle.truth()
        return f"Turn {truth.get('turn')}, {truth.get('phase', {}).get('label', '')}"

    def _act(self, number: int, act: Act | None) -> Iterator[str]:
        self._know()
        if act is None:
            yield "The beginning"
            return
        match act["act"]:
            case "order":
                order = {key: value for key, value in act["order"].items() if key != "verb"}
                yield f"{number}. {act['seat']} orders {act['order']['verb']}{self._words(order)}"
            case "answer":
                yield f"{number}. {act['command']} answers {self._said(act['choices']) if act['choices'] else 'no'}"
            case "carry":
                yield f"{number}. The plan of {self._said(act['force'])} is carried on"

    def _words(self, order: Mapping[str, Any]) -> str:
        return "".join(f"; {key} {self._said(value)}" for key, value in order.items())

    def _know(self) -> None:
        """Names for ids: labels of pieces, numbered where several are alike; whoever has gone keeps his name."""
        truth = _plain(self.battle.truth())
        labels = {
            key: str(thing.get("label") or thing.get("name"))
            for part in ("pieces", "groups")
            for key, thing in truth.get(part, {}).items()
            if key not in self.names
        }
        count = Counter(name.partition(" #")[0] for name in self.names.values())
        alike = Counter(labels.values())
        for key, label in labels.items():
            count[label] += 1
            self.names[key] = f"{label} #{count[label]}" if alike[label] > 1 or count[label] > 1 else label

    def _said(self, value: Any) -> str:
        """A value in few words, with names for ids."""
        if isinstance(value, Mapping):
            if {"key", "label"} <= value.keys():
                return str(value["label"])
            return ", ".join(f"{key} {self._said(each)}" for key, each in value.items())
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list | tuple):
            if value and all(isinstance(each, int) for each in value):
                return ",".join(map(str, value))
            between = " " if value and isinstance(value[0], list | tuple) else " / "
            return between.join(self._said(each) for each in value) or "-"
        return _id.sub(lambda found: self.names.get(found[0], "?"), str(value)) or "-"

    # What came of an act

    def _came_of(self, texts: Texts) -> Iterator[str]:
        preview = _plain(texts.get("preview")) or {}
        if said := [preview.get("cost", ""), *preview.get("notes", ()), *preview.get("warnings", ())]:
            if words := "; ".join(filter(None, said)):
                yield f"   foreseen: {words}"
        for asked in texts.get("questions", ()):
            yield from self._question(asked)
        log = [line for line in texts.get("umpire: chronicle", ()) if line.kind != "knowledge"]
        if log:
            yield "   the umpire's log"
            yield from (f"      {self._line(line)}" for line in log)
        told = {
            what.partition(":")[0]: [self._line(line) for lines in text for line in lines]
            for what, text in texts.items()
            if what.endswith(": lines")
        }
        yield from _together(told, "told")
        views = {
            name: _plain(self.battle.view(name)) for name, seat in self.battle.seats.items() if seat.role != "umpire"
        }
        views["umpire"] = _plain(self.battle.truth())
        changes = {name: list(self._changes(self.views.get(name), view)) for name, view in views.items()}
        yield from _together(changes, "sees")
        self.views = views

    def _question(self, asked: Any) -> Iterator[str]:
        if not isinstance(asked, Mapping):
            command, choices, how = asked
            if how != "given":
                yield f"   {command} answers {self._said(choices) if choices else 'no'} ({how})"
            return
        for command, question in asked.items():
            choices = "; ".join(
                choice.label + (f" ({choice.note})" if choice.note else "") for choice in question.choices
            )
            yield f"   {command} is asked: {question.prompt} [{self._said(choices)}]{_rule(question.rule)}"

    def _line(self, line: LogLine) -> str:
        shaped = "; ".join(_modifier(modifier) for modifier in line.modifiers)
        return f"{self._said(line.text)}{f' [{shaped}]' if shaped else ''}{_rule(line.rule)}"

    def _changes(self, before: Json | None, after: Json) -> Iterator[str]:
        """What has changed in a view, a line for each thing; of the first view how much there is of what."""
        for part in PARTS:
            now = after.get(part) or {}
            if before is None:
                if now and part in ("pieces", "contacts", "plans", "groups"):
                    yield f"{len(now)} {part}"
                continue
            was = before.get(part) or {}
            for key in sorted(was.keys() | now.keys(), key=lambda key: (self.names.get(key, key), key)):
                if said := self._change(was.get(key), now.get(key)):
                    yield f"{part[:-1]} {self.names.get(key, key)}{said}"

    def _change(self, was: Any, now: Any) -> str:
        """What has become of a thing, to be said after its name; nothing where only who may act has changed."""
        if now is None:
            return " is gone"
        if was is None:
            said = {key: each for key, each in now.items() if key not in UNSAID} if isinstance(now, Mapping) else now
            return f" is new: {self._said(said)}"
        parts = "; ".join(self._parts("", was, now))
        return f": {parts}" if parts else ""

    def _parts(self, path: str, was: Any, now: Any) -> Iterator[str]:
        """The values that have changed in a thing."""
        if not (isinstance(was, Mapping) and isinstance(now, Mapping)):
            if was != now:
                yield f"{path}{self._said(was)} → {self._said(now)}"
            return
        for key in sorted(was.keys() | now.keys()):
            if key not in UNSAID:
                named = "" if key == "facts" else f"{key} "
                yield from self._parts(path + named, was.get(key, ""), now.get(key, ""))


def _plain(value: Any) -> Any:
    return msgspec.json.decode(bytes_of(value))


def _modifier(modifier: Modifier) -> str:
    return f"{modifier.value:+d} {modifier.reason}{_rule(modifier.rule)}"


def _rule(rule: str) -> str:
    return f" ({rule})" if rule else ""


def _together(said: Mapping[str, Sequence[str]], what: str) -> Iterator[str]:
    """What is said to several alike is said once; of what only some are told or see, to whom."""
    seats_of: dict[str, list[str]] = {}
    for name, lines in said.items():
        for line in dict.fromkeys(lines):
            seats_of.setdefault(line, []).append(name)
    alike: dict[tuple[str, ...], list[str]] = {}
    for line, names in seats_of.items():
        alike.setdefault(tuple(names), []).append(line)
    for these, lines in alike.items():
        yield f"   {'all' if len(these) == len(said) > 1 else ', '.join(these)}: {what}"
        yield from (f"      {line}" for line in lines)
