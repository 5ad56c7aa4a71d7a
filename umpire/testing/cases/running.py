"""Case files: what the rules say of one situation, as a file that a rules lawyer can read and write.

`docs/cases.md` describes the form. A case is a TOML file; `load` reads it and names each fault with file and line;
`run` sets its battle up through the vocabulary of the game system and takes its steps with scripted dice.
"""

from __future__ import annotations

import re
import tomllib
import typing
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import ScriptedDice, ScriptFault, Source
from umpire.kernel.odds import fraction_text, odds_of
from umpire.kernel.registry import Refused, packages
from umpire.kernel.settings import BadInput
from umpire.kernel.states import Seat, State
from umpire.kernel.values.spelling import get_close_matches
from umpire.testing.cases.form import Case as Case
from umpire.testing.cases.form import CaseFault as CaseFault
from umpire.testing.cases.form import Step as Step
from umpire.testing.cases.form import Vocabulary as Vocabulary
from umpire.testing.cases.form import plain
from umpire.testing.cases.script import Script
from umpire.testing.modules import module_or_none
from umpire.testing.play.battle import Play

S = TypeVar("S", bound=State)


_vocabularies: dict[str, Vocabulary[Any]] = {}


def register(system: str, vocabulary: Vocabulary[Any]) -> None:
    """Makes the words of a system known."""
    _vocabularies[system] = vocabulary


def _vocabulary_of(system: str) -> Vocabulary[Any] | None:
    """The words of a system: registered, or in the module in which a package has its own."""
    for known, package in packages().items():
        if known not in _vocabularies:
            module_or_none(f"{type(package).__module__.partition('.')[0]}.testing.cases.vocabulary")
    return _vocabularies.get(system)


class Result(Struct, frozen=True, kw_only=True):
    """How a case went: no fault, or what failed where."""

    file: str
    case: str
    title: str
    rules: tuple[str, ...]
    steps: int
    fault: str = ""


def files(paths: Sequence[Path]) -> list[Path]:
    """The case files at these paths: the files named, and all `*.toml` below the folders. Raises BadInput."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found.extend(sorted(path.rglob("*.toml")))
        elif path.is_file():
            found.append(path)
        else:
            raise BadInput("no such file or folder", file=str(path))
    return found


def load(text: str, file: str) -> Case:
    """The case in a file's text. Raises BadInput with line and what would be right."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadInput(f"not TOML: {fault}", file=file) from fault
    steps = raw.get("step")
    for each in steps if isinstance(steps, list) else ():
        _listed(each)
    try:
        case = msgspec.convert(raw, Case)
    except msgspec.ValidationError as fault:
        known = [name.encode_name for name in msgspec.structs.fields(Case)] + [
            name.encode_name for name in msgspec.structs.fields(Step)
        ]
        word = str(fault).split("`")[1] if "`" in str(fault) else ""
        nearest = get_close_matches(word, known, n=1)
        right = f"Did you mean {nearest[0]!r}?" if nearest else f"Known words: {', '.join(sorted(set(known)))}."
        raise BadInput(str(fault), file=file, where=line_of(text, word), right=right) from fault
    if not case.step:
        raise BadInput("a case has at least one [[step]]", file=file)
    for number, step in enumerate(case.step, 1):
        leads_on = step.ask is None and number < len(case.step) and not _is_afresh(case.step[number])
        if step.begins is False:
            raise BadInput("`begins` is true or is not there", file=file, where=f"step {number}")
        if sum(part is not None for part in (step.order, step.umpire, step.ask, step.begins)) != 1:
            raise BadInput("a step has one of `order`, `umpire`, `ask` and `begins`", file=file, where=f"step {number}")
        if not (leads_on or step.then or step.refused or step.odds or step.working or step.is_ is not None):
            right = "Give `then`, `is`, `refused`, `odds` or `working`."
            raise BadInput("the step says nothing that must follow", file=file, where=f"step {number}", right=right)
    return case


_LISTS = ("given", "standing", "dice", "draws", "answers", "then")


def _listed(step: Any) -> None:
    """One line stands for a list of one, dice may stand by name in a table, a face without a name for the next roll."""
    if isinstance(step, dict):
        dice = step.get("dice")
        if isinstance(dice, str):
            step["dice"] = _SEVERAL.split(dice)
        elif isinstance(dice, dict):
            step["dice"] = [f"{name} {_faces(faces)}" for name, faces in dice.items()]
        elif isinstance(dice, list):
            step["dice"] = [each if isinstance(each, str) else _faces(each) for each in dice]
        for key in _LISTS:
            if isinstance(step.get(key), str):
                step[key] = [step[key]]
        working = step.get("working")
        if isinstance(working, dict):
            step["working"] = {key: _working(each) for key, each in working.items()}


_SEVERAL = re.compile(r"(?<=[\d)])\s*[,;]\s*(?=[A-Za-z]|[+-]\d+ [A-Za-z])")
"""Between dice or modifiers that stand in one line: "attack 3, defence 4"."""


def _working(lines: Any) -> Any:
    if isinstance(lines, dict):
        return [f"{reason} {value:+d}" for reason, value in lines.items() if isinstance(value, int)]
    return _SEVERAL.split(lines) if isinstance(lines, str) else lines


def _faces(faces: Any) -> str:
    return "+".join(map(str, faces)) if isinstance(faces, list) else str(faces)


def _is_afresh(step: Step) -> bool:
    """Whether a step begins again from what is given."""
    return bool(step.begins or step.afresh or step.given or step.standing)


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
    """Nothing if every step of the case holds, else the first fault with its step and line.

    Answers of several seats are in order of play. A step that fails so is tried with each seat's in their own order:
    who wrote it may have put all of one seat before those of another.
    """
    vocabulary = _vocabulary_of(case.system)
    if vocabulary is None:
        return f"system {case.system!r} has no vocabulary; there are: {', '.join(sorted(_vocabularies))}"
    fault, at = _run(vocabulary, case, text)
    apart: set[int] = set()
    while fault and at and at not in apart and len({line.partition(":")[0] for line in case.step[at - 1].answers}) > 1:
        apart.add(at)
        again, where = _run(vocabulary, case, text, apart)
        if again and where <= at:
            break
        fault, at = again, where
    return fault


def _run(vocabulary: Vocabulary[Any], case: Case, text: str, apart: Collection[int] = ()) -> tuple[str, int]:
    """The first fault of a case and its step; in the steps `apart` each seat's answers are in their own order."""
    at = 0
    try:
        for rule in (*case.rules, *(step.refused for step in case.step if step.refused)):
            _is_rule(vocabulary, rule)
        play: Play[Any] | None = None
        for step in case.step:
            at += 1
            if step.begins:
                play = _begin(vocabulary, case, step)
                continue
            if play is None or _is_afresh(step):
                play = _set_up(vocabulary, case, step, ScriptedDice())
            _take(vocabulary, play, step, is_apart=at in apart)
    except (CaseFault, ScriptFault, BadInput) as fault:
        place = line_of(text, getattr(fault, "at", ""), at)
        return ": ".join((", ".join(part for part in (f"step {at}" if at else "", place) if part), str(fault))), at
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as fault:
        # A value that the vocabulary does not know how to read: of this file alone, the others go on.
        return f"step {at}: what is said here cannot be read ({type(fault).__name__}: {fault})", at
    return "", at


def _is_rule(vocabulary: Vocabulary[Any], rule: str) -> None:
    known = vocabulary.package.rule_text()
    if rule not in known:
        raise CaseFault(f"there is no rule {rule!r}", at=rule, known=known)


def _set_up(vocabulary: Vocabulary[Any], case: Case, step: Step, source: Source) -> Play[Any]:
    """The battle of `[given]`, and what follows there by itself."""
    state = vocabulary.set_up(case, case.given, step.given, step.standing)
    play = Play(vocabulary.package, state, vocabulary.seats(state), source=lambda begun: source)
    problems = vocabulary.package.problems(play.state)
    if problems:
        raise CaseFault(f"what is given breaks the rules: {'; '.join(problems)}")
    return play


def _begin(vocabulary: Vocabulary[Any], case: Case, step: Step) -> Play[Any]:
    """The battle that begins with this step's dice."""
    script = Script(vocabulary, step)
    play = _set_up(vocabulary, case, step, script)
    if not play.tree.path():
        raise CaseFault("nothing begins here: what is given is in the middle of a battle", at="begins")
    _follows(vocabulary, play, step, script, play.first, 0)
    return play


def _take(vocabulary: Vocabulary[Any], play: Play[Any], step: Step, *, is_apart: bool = False) -> None:
    before = play.state
    depth = len(play.tree.path())
    script = Script(vocabulary, step, is_apart=is_apart)
    play._source = lambda begun: script
    if step.ask is not None:
        value = vocabulary.ask(play.state, step.ask, script)
        script.finish()
        if step.is_ is not None and not vocabulary.agrees(value, step.is_):
            name = str(step.ask.get("value", "the value"))
            raise CaseFault(f"{name} is {plain(value)!r}, not {step.is_!r}", at=name)
    elif step.umpire is not None:
        correction = dict(step.umpire)
        reason = str(correction.pop("reason", "as the case says"))
        if _is_refused(vocabulary, play, step, correction, reason):
            return
    else:
        _order(vocabulary, play, step, script)
        if step.refused and not step.then:
            script.finish()
            return
    _follows(vocabulary, play, step, script, before, depth)


def _is_refused(
    vocabulary: Vocabulary[Any], play: Play[Any], step: Step, correction: Mapping[str, Any], reason: str
) -> bool:
    """Makes the umpire's correction; whether it was refused, as the step says. Raises CaseFault where it says
    otherwise."""
    given = vocabulary.order(play.state, Seat(name="umpire", role="umpire"), correction)
    try:
        play.correct(given, reason)
    except Refused as refused:
        said = "; ".join(f"{each.reason} ({each.rule})" if each.rule else each.reason for each in refused.refusals)
        if not step.refused:
            raise CaseFault(f"the correction was refused: {said}", at=str(correction.get("verb", ""))) from refused
        if not any(vocabulary.is_refused_by(step.refused, each.rule) or not each.rule for each in refused.refusals):
            raise CaseFault(f"refused, but not by {step.refused!r}: {said}", at=step.refused) from refused
        return True
    if step.refused:
        raise CaseFault(f"the correction was accepted; it should be refused by {step.refused!r}", at=step.refused)
    return False


def _follows(
    vocabulary: Vocabulary[Any], play: Play[Any], step: Step, script: Script, before: State, depth: int
) -> None:
    """Raises CaseFault unless all dice were thrown, and what the step says must follow has followed."""
    entries = play.tree.path()[depth:]
    if play.position.open is not None:  # before `finish`: what stopped it says more than the dice that are left
        if script.fault is not None:
            raise script.fault
        fault = play.position.open.fault
        raise CaseFault(f"the ruling cannot go on: {fault.text}" if fault else "the order still waits for an answer")
    script.finish(play.state, entries)
    for purpose, wanted in step.working.items():
        if made := vocabulary.worked(before, play.state, entries, purpose, wanted):
            raise CaseFault(f"the working of {purpose!r} is {made}, not {sorted(wanted)}", at=purpose)
    for line in step.then:
        if instead := vocabulary.holds(before, play.state, entries, line):
            error = CaseFault(f"{line!r} does not hold: {instead}")
            error.at = line
            raise error


def _order(vocabulary: Vocabulary[Any], play: Play[Any], step: Step, script: Script) -> None:
    assert step.order is not None
    order = dict(step.order)
    name = str(order.pop("seat", ""))
    if name not in play.seats:
        raise CaseFault(f"no seat {name!r}; there are {', '.join(play.seats)}", at=name, known=play.seats)
    seat = play.seats[name]
    if not step.refused and vocabulary.leads_in(play, seat, order):
        return
    given = vocabulary.order(play.state, seat, order)
    try:
        typed = codec_of(vocabulary.package).order(given)
    except msgspec.ValidationError as fault:
        verb = str(order.get("verb", ""))
        verbs = {kind.__name__ for kind in typing.get_args(vocabulary.package.orders)}
        at, known = ("", set[str]()) if verb in verbs else (verb, verbs)
        raise CaseFault(f"the order cannot be read: {fault}", at=at, known=known) from fault
    believed = play.believed(name)
    refusals = vocabulary.package.check(believed, seat, typed)
    bytes_before = encode(play.state)
    if step.odds and not refusals:
        _odds(vocabulary, play.state, believed, seat, typed, step)
        if not (step.then or step.dice or step.working):
            return
    found = play.order(name, given)
    if step.refused:
        if not found:
            raise CaseFault(f"the order was accepted; it should be refused by {step.refused!r}")
        if not any(vocabulary.is_refused_by(step.refused, refusal.rule) for refusal in found):
            said = "; ".join(f"{refusal.rule}: {refusal.reason}" for refusal in found)
            raise CaseFault(f"refused, but not by {step.refused!r}: {said}")
        if encode(play.state) != bytes_before or script.rolled:
            raise CaseFault("the refused order changed something")
    elif found:
        said = "; ".join(f"{refusal.reason} ({refusal.rule})" for refusal in found)
        raise CaseFault(f"the order was refused: {said}")


def _odds(vocabulary: Vocabulary[Any], state: Any, believed: Any, seat: Seat, order: Any, step: Step) -> None:
    chances = vocabulary.chances(state, seat, odds_of(vocabulary.package, believed, seat, order))
    for words, text in step.odds.items():
        named = " ".join(words.split())
        if named not in chances:
            vocabulary.fate(state, named)
        chance = chances.get(named, Fraction(0))
        try:
            wanted = Fraction(text)
        except (ValueError, ZeroDivisionError):
            raise CaseFault(f"{text!r} is no chance, such as 2/6", at=text) from None
        if chance != wanted:
            listed = ", ".join(f"{name} {fraction_text(value)}" for name, value in chances.items())
            raise CaseFault(f"the odds of {words!r} are {fraction_text(chance)}, not {text} ({listed})", at=words)
