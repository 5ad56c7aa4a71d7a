"""Case files: what the rules say of one situation, as a file that a rules lawyer can read and write.

`docs/cases.md` describes the form. `run` sets a case's battle up through the language of the game system and takes its
steps with scripted dice, on the engine that plays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import ScriptedDice, ScriptFault, Source
from umpire.kernel.registry import Refused, packages
from umpire.kernel.settings import BadInput
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.cases.asked import agrees, asked
from umpire.testing.cases.follows import Follows
from umpire.testing.cases.form import Case, Step, line_of, load
from umpire.testing.cases.language import Language
from umpire.testing.cases.orders import read
from umpire.testing.cases.script import Script
from umpire.testing.cases.words import CaseFault
from umpire.testing.cases.workings import odds, worked
from umpire.testing.modules import module_or_none
from umpire.testing.play.battle import Play


class Result(Struct, frozen=True, kw_only=True):
    """How a case went: no fault, or what failed where."""

    file: str
    case: str
    title: str
    rules: tuple[str, ...]
    steps: int
    fault: str = ""


def language_of(system: str) -> Language[Any]:
    """The words of a system, a new set of them. Raises BadInput where it has none."""
    known = packages()
    room = type(known[system]).__module__.partition(".")[0] if system in known else system
    found = module_or_none(f"{room}.testing.cases.language")
    if found is None:
        raise BadInput(f"system {system!r} has no case files; there are: {', '.join(sorted(known))}")
    language: Language[Any] = found.LANGUAGE()
    return language


def run_file(path: Path) -> Result:
    """Reads and runs one file."""
    text = path.read_text(encoding="utf-8")
    try:
        case = load(text, str(path))
    except BadInput as bad:
        return Result(file=str(path), case=path.stem, title="", rules=(), steps=0, fault=str(bad))
    fault = run(case, text)
    return Result(file=str(path), case=case.case, title=case.title, rules=case.rules, steps=len(case.step), fault=fault)


def run(case: Case, text: str = "") -> str:
    """Nothing if every step of the case holds, else the first fault with its step and line."""
    at = 0
    try:
        language = language_of(case.system)
        known = language.package.rule_text()
        for rule in (*case.rules, *(step.refused for step in case.step if step.refused)):
            if rule not in known:
                raise CaseFault(f"there is no rule {rule!r}", at=rule, known=known)
        run_ = _Run(language, case)
        for step in case.step:
            at += 1
            run_.take(step)
    except (CaseFault, ScriptFault, BadInput) as fault:
        place = line_of(text, getattr(fault, "at", ""), at)
        return ": ".join((", ".join(part for part in (f"step {at}" if at else "", place) if part), str(fault)))
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as fault:
        # Something that the language does not know how to read: of this file alone, the others go on.
        return f"step {at}: what is said here cannot be read ({type(fault).__name__}: {fault})"
    return ""


class _Run:
    """A case on its way through its steps."""

    def __init__(self, language: Language[Any], case: Case) -> None:
        self.language, self.case = language, case
        self.play: Play[Any] | None = None

    def take(self, step: Step) -> None:
        """Takes one step. Raises CaseFault where it is not as the case says."""
        script = Script(self.language, step)
        if step.begins:
            play = self._set_up(step, script)
            if not play.tree.path():
                raise CaseFault("nothing begins here: what is given is in the middle of a battle", at="begins")
            self._follows(play, step, script, play.first, 0)
            return
        play = self._set_up(step, ScriptedDice()) if self.play is None or step.is_afresh else self.play
        script.state = before = play.state
        depth = len(play.tree.path())
        play._source = lambda begun: script
        if step.ask is not None:
            value = asked(self.language, play.state, step.ask, script)
            script.finish()
            if step.is_ is not None and not agrees(self.language, value, step.is_):
                name = str(step.ask.get("value", "the value"))
                raise CaseFault(f"{name} is {value!r}, not {step.is_!r}", at=name)
            return
        if step.umpire is not None:
            goes_on = self._correct(play, step)
        else:
            goes_on = self._order(play, step, script)
        if goes_on:
            self._follows(play, step, script, before, depth)

    def _set_up(self, step: Step, source: Source) -> Play[Any]:
        """The battle of `[given]`, and what follows there by itself."""
        language = self.language
        state = language.set_up(self.case, self.case.given, step.given, step.standing)
        if isinstance(source, Script):
            source.state = state
        self.play = Play(language.package, state, language.seats(state), source=lambda begun: source)
        if problems := language.package.problems(self.play.state):
            raise CaseFault(f"what is given breaks the rules: {'; '.join(problems)}")
        return self.play

    def _correct(self, play: Play[Any], step: Step) -> bool:
        """Makes the umpire's correction; whether it was made. Raises CaseFault where the step says otherwise."""
        given = dict(step.umpire or {})
        reason = str(given.pop("reason", "as the case says"))
        correction = read(self.language, play.state, play.seats["umpire"], given)
        try:
            play.correct(correction, reason)
        except Refused as refused:
            self._is_refused(step, refused.refusals, given, set())
            return False
        return self._is_refused(step, (), given, set())

    def _order(self, play: Play[Any], step: Step, script: Script) -> bool:
        """Gives the order; whether something may follow. Raises CaseFault where the step says otherwise."""
        order = dict(step.order or {})
        name = str(order.pop("seat", ""))
        if name not in play.seats:
            raise CaseFault(f"no seat {name!r}; there are {', '.join(play.seats)}", at=name, known=play.seats)
        seat = play.seats[name]
        if not step.refused and self.language.leads_in(play, seat, order):
            return True
        given = read(self.language, play.state, seat, order)
        try:
            typed = codec_of(self.language.package).order(given)
        except (msgspec.ValidationError, ValueError) as fault:
            raise CaseFault(f"the order cannot be read: {fault}", at=str(order.get("verb", ""))) from fault
        believed = play.believed(name)
        before = encode(play.state)
        if step.odds and not self.language.package.check(believed, seat, typed):
            odds(self.language, play.state, believed, seat, typed, step)
            if not (step.then or step.dice or step.working):
                return False
        refusals = play.order(name, given)
        if refusals and (encode(play.state) != before or script.rolled):
            raise CaseFault("the refused order changed something")
        own = {self.language.rule_of(given["verb"])}
        if step.refused and {each.rule for each in refusals} & set(self.language.general):
            refusals = [*refusals, *self.language.refused_in_turn(believed, seat, typed)]
        self._is_refused(step, refusals, order, own)
        return True

    def _is_refused(self, step: Step, refusals: Sequence[Refusal], given: Any, own: set[str]) -> bool:
        """Whether what was asked for was done. Raises CaseFault where it was refused and should not be, or the other
        way about, or by another rule: an order that nobody may give now is refused by that rule or by the rule of
        its verb, and what the book prints in several places by each of them."""
        rules = {each.rule for each in refusals if each.rule}
        rules |= own if rules & set(self.language.general) else set()
        for reason, printed in self.language.printed_in.items():
            rules |= printed if any(re.search(reason, each.reason) for each in refusals) else set()
        said = "; ".join(f"{each.reason} ({each.rule})" for each in refusals)
        if step.refused and not refusals:
            raise CaseFault(f"it was accepted; it should be refused by {step.refused!r}", at=str(given.get("verb", "")))
        if step.refused and step.refused not in rules:
            raise CaseFault(f"refused, but not by {step.refused!r}: {said}", at=step.refused)
        if refusals and not step.refused:
            raise CaseFault(f"it was refused: {said}", at=str(given.get("verb", "")))
        return not refusals

    def _follows(self, play: Play[Any], step: Step, script: Script, before: Any, depth: int) -> None:
        """Raises CaseFault unless all dice were thrown, and what the step says must follow has followed."""
        entries = play.tree.path()[depth:]
        if play.position.open is not None:  # before `finish`: what stopped it says more than the dice that are left
            if script.fault is not None:
                raise script.fault
            fault = play.position.open.fault
            raise CaseFault(f"the ruling cannot go on: {fault.text}" if fault else "it still waits for an answer")
        script.finish(play.state, entries)
        worked(self.language, before, play.state, entries, step)
        follows = Follows(self.language, before, play.state, entries)
        for line in step.then:
            if wrong := follows.wrong(line):
                error = CaseFault(f"{line!r} does not hold: {wrong}")
                error.at = line
                raise error
