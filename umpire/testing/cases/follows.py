"""What must follow a step: the lines of `then`. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from umpire.kernel.events import Told
from umpire.kernel.ledger import Asked, Entry, Thrown
from umpire.testing.cases.language import Language, events_of, rolled
from umpire.testing.cases.marks import holds as is_marked
from umpire.testing.cases.marks import values_of, words_of
from umpire.testing.cases.script import is_named
from umpire.testing.cases.words import listed, plain, unknown

NONE = ("0", "none", "nothing", "nobody", "")
"""Words for none of something."""
_LINES = (
    (r"(?:points|VP) (?P<side>\S+) (?:= )?(?P<points>-?\d+)", "_points"),
    (r"(?P<side>\S+) (?:points|VP) = (?P<points>-?\d+)", "_points"),
    (r"(?P<word>[\w-]+(?: [\w-]+)*) = (?P<value>.+)", "_fact"),
    (r"(?P<who>\S+) (?P<not>does not see|sees) (?P<what>.+?)(?: as (?P<looks>.+?))?(?: at (?P<at>.+))?", "_sees"),
    (r"(?P<who>\S+) (?P<not>does not hear|hears) (?P<what>.+)", "_hears"),
    (r"(?P<who>\S+) (?:is )?(?P<not>not )?told (?P<what>.+)", "_told"),
    (r"(?P<who>\S+) is (?P<not>not )?asked ?(?P<what>.*)", "_asked"),
    (r"(?P<names>.+?) (?:is )?(?P<not>not )?gone", "_gone"),
)


class Follows:
    """What has followed a step: the states before and after it, and its entries."""

    def __init__(self, language: Language[Any], before: Any, state: Any, entries: Sequence[Entry]) -> None:
        self.language, self.before, self.state, self.entries = language, before, state, entries

    def wrong(self, line: str) -> str:
        """Nothing if a line holds, else what is so instead. Raises CaseFault for words that are not known."""
        text = " ".join(line.split())
        if (own := self.language.line(self.before, self.state, self.entries, text)) is not None:
            return own
        for pattern, name in _LINES:
            if found := re.fullmatch(pattern, text):
                wrong: str = getattr(self, name)(**found.groupdict())
                return wrong
        return self._is_so(text)

    # WORD = VALUE

    def fact(self, word: str) -> Any:
        """What a word stands for after the step. Raises CaseFault."""
        facts = {**self.language.common, **self.language.facts}
        thrown = [each for each in self.entries if isinstance(each, Thrown) and is_named(word, each.roll)]
        if plain(word) in facts:
            return facts[plain(word)](self.state, self.entries)
        if plain(word).replace(" ", "_") in self.state.public.__struct_fields__:
            return getattr(self.state.public, plain(word).replace(" ", "_"))
        if thrown:
            return rolled(thrown[-1])
        return unknown("the word", word, (*facts, *self.state.public.__struct_fields__, "points SIDE"))

    def _fact(self, word: str, value: str) -> str:
        if self.language.pieces(self.state, word.rpartition(" ")[0]):  # squad 9 score = 3
            return self._is_so(f"{word} {value}")
        now = self.fact(word)
        if isinstance(now, list):
            return "" if value in map(str, now) else f"{word} is {' and '.join(map(str, now))}"
        words = ", ".join(now) if isinstance(now, tuple) else "" if now is None else str(now)
        same = [plain(self.language.same(plain(each.strip("\"'")))) for each in (words, value)]
        if same[0] == same[1] or (now is not None and set(same) <= set(NONE)):
            return ""
        return f"{word} is {words}" if now is not None else f"nothing was said of {word}"

    def _points(self, side: str, points: str) -> str:
        all_points = self.language.package.outcome(self.state).points
        if side not in all_points:
            unknown("the side", side, all_points)
        return "" if all_points[side] == int(points) else f"{side} has {all_points[side]} points"

    # What sides see, hear, are told and asked

    def _sees(self, who: str, what: str, looks: str | None, at: str | None, **negated: str) -> str:
        wanted = negated["not"] == "sees" and who != "nobody"
        language, state = self.language, self.state
        if what in ("nothing", "nobody"):
            seen = [name for each in language.commands(state, who) for name in self._others(each)]
            return f"{who} sees {', '.join(seen)}" if seen else ""
        for name in self._named(what):
            for command in language.commands(state, who):
                if name not in self._others(command, all_=True):
                    if not wanted and who != "nobody":
                        return f"{name} is {command}'s own"
                    continue
                seen_at = language.sees(state, command, name)
                shows = language.looks(state, command, name)
                if looks is not None and seen_at is not None and plain(re.sub(r"^an? ", "", looks)) not in shows:
                    if wanted:
                        return f"{command} sees {name} as {', '.join(sorted(shows))}"
                    continue
                if (seen_at is not None) != wanted:
                    return f"{command} {'does not see' if wanted else 'sees'} {name}"
                if at is not None and tuple(seen_at) != tuple(language.place(state, at)):
                    return f"{command} sees {name} at {language.place_words(state, seen_at)}"
        return ""

    def _others(self, command: str, all_: bool = False) -> list[str]:
        """The pieces of other sides that a command sees, or all."""
        side = self.language.side(self.state, command)
        found = []
        for name in self.language.names(self.state):
            there = self.language.pieces(self.state, name)
            if there and self.language.side(self.state, there[0].command) != side:
                if all_ or self.language.sees(self.state, command, name) is not None:
                    found.append(name)
        return found

    def _hears(self, who: str, what: str, **negated: str) -> str:
        wanted = negated["not"] == "hears" and who != "nobody" and what != "nothing"
        for command in self.language.commands(self.state, who):
            heard = [each for each in self.state.commands[command].contacts.values() if each.status == "heard"]
            kinds = [plain(each.looks.get("noise", "")) for each in heard]
            if (bool(kinds) if plain(what) in ("a noise", "nothing") else plain(what) in kinds) != wanted:
                return f"{command} hears {', '.join(kinds) or 'nothing'}"
        return ""

    def _told(self, who: str, what: str, **negated: str | None) -> str:
        text = what.strip("\"'").lower()
        for command in self.language.commands(self.state, who):
            said = [
                str(each.report.values.get("text", each.report.key))
                for each in events_of(self.entries, Told)
                if each.command == command
            ] + self.language.read_by_all(self.state, self.entries, command)
            if any(text == "anything" or text in each.lower() for each in said) == bool(negated["not"]):
                return f"{command} is told: {' '.join(said) or 'nothing'}"
        return ""

    def _asked(self, who: str, what: str, **negated: str | None) -> str:
        commands = self.language.commands(self.state, who)
        asked = [each.questions for each in self.entries if isinstance(each, Asked)]
        said = [
            f"{plain(question.kind)}: {question.prompt}"
            for questions in asked
            for command, question in questions.items()
            if command in commands
        ]
        wanted = not negated["not"] and who != "nobody"
        is_so = any(what.strip("\"'").lower() in each.lower() for each in said)
        return "" if is_so == wanted else f"{who} is asked {' / '.join(said) or 'nothing'}"

    # How pieces are

    def _named(self, words: str) -> list[str]:
        return [name for each in listed(words) for name in self._name(each)]

    def _name(self, word: str) -> list[str]:
        known = {*self.language.names(self.before), *self.language.names(self.state)}
        found = self.language.meaning(self.state, word) or self.language.meaning(self.before, word)
        return found or [word if word in known else unknown("the piece", word, known)]

    def _gone(self, names: str, **negated: str | None) -> str:
        for name in self._named(names):
            if bool(self.language.pieces(self.state, name)) != bool(negated["not"]):
                return f"{name} is {'not ' if negated['not'] else 'still '}there"
        return ""

    def _is_so(self, text: str) -> str:
        """`r1 and r2 pinned`, `squad at E6, shaken, moved`, `a shaken, b gone`: of the names at the head of a part, or
        else of those before."""
        named: list[str] = []
        waiting: list[str] = []
        for part in re.split(r",(?!\d)\s*|,\s+", text):
            more, what = self._heads(part)
            if more and not what:  # r1, r2 not pinned
                waiting += more
                continue
            named = [*waiting, *more] or named
            waiting = []
            if not named:
                known = {*self.language.names(self.before), *self.language.names(self.state)}
                unknown("the line", text, [f"{name} {text.partition(' ')[2]}" for name in known])
            for name in named:
                if wrong := self._gone(name) if what == "gone" else self.one_is(name, what):
                    return wrong
        return ""

    def _heads(self, text: str) -> tuple[list[str], str]:
        """The names at the head of a phrase, with `and` between them, and the rest of it."""
        words = text.split()
        for size in range(min(3, len(words)), 0, -1):
            found = self.language.meaning(self.state, " ".join(words[:size]))
            if found:
                rest = " ".join(words[size:])
                if rest.startswith("and "):
                    more, after = self._heads(rest.removeprefix("and "))
                    return ([*found, *more], after) if more else (found, rest)
                return found, rest
        return [], text

    def one_is(self, name: str, text: str) -> str:
        """Nothing if a piece is what a phrase says, else what is so instead. Raises CaseFault for unknown words."""
        pieces = self.language.pieces(self.state, name)
        if not pieces:
            return f"{name} is gone"
        text = text.removeprefix("is ")
        wanted = not text.startswith("not ")
        phrase = text.removeprefix("not ")
        if phrase.startswith("at "):
            at = pieces[0].at
            goal = self.language.place(self.state, phrase.removeprefix("at "))
            is_so: Any = tuple(at) == tuple(goal)[: len(at)]
            now = self.language.place_words(self.state, at)
            return "" if is_so == wanted else f"{name} is at {now}"
        known: set[str] = set()
        kinds: list[Any] = list(dict.fromkeys(map(type, pieces)))
        for kind in kinds:
            found = [self._holds(each, phrase) for each in pieces if isinstance(each, kind)]
            if any(each is not None for each in found):
                return "" if any(found) == wanted else f"{name} is {'not ' if wanted else ''}{phrase}"
            known |= {*self.language.marks.get(kind, ()), *words_of(kind), *self.language.patterns.get(kind, ())}
            known |= {f"{word} 2" for word in values_of(kind)}
        return unknown("the word", phrase, known)

    def _holds(self, piece: Any, phrase: str) -> bool | None:
        """Whether a piece is so by a word of its own game, or of its fields."""
        for pattern, function in self.language.patterns.get(type(piece), {}).items():
            if found := re.fullmatch(pattern, plain(phrase)):
                return bool(function(self.state, piece, *found.groups()))
        return is_marked(piece, phrase, self.language.marks.get(type(piece), {}))
