"""One run of one ruling: fed from the ledger as far as it goes, and then live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from umpire.kernel.checkpoints import checkpoint
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import Source
from umpire.kernel.events import Event, KnowledgeEvent
from umpire.kernel.ledger import (
    Answered,
    Asked,
    Begun,
    Corrected,
    Drawn,
    Ended,
    Entry,
    Happened,
    Thrown,
    applied,
    fold,
)
from umpire.kernel.registry import RulesPackage
from umpire.kernel.rulings import Ask, Draw, Offer, Overtaken, Question, Roll, Ruling, Tell, read
from umpire.kernel.running.noticing import noticed
from umpire.kernel.running.positions import Done, Fault, Open, Position, Step, Waiting, named
from umpire.kernel.states import Seat, State

S = TypeVar("S", bound=State)


class _Diverged(Exception):
    pass


class Run(Generic[S]):
    """One run of one ruling, fed from a tape and then live."""

    def __init__(
        self, package: RulesPackage[S, Any], before: S, begun: Begun, tape: Sequence[Entry], source: Source
    ) -> None:
        self.package, self.begun, self.source = package, begun, source
        self.state, self.tape, self.at = before, tuple(tape), 0
        self.before = before
        self.steps: list[Step] = []
        self.waiting: Waiting | None = None
        self.ended: Ended | None = None
        self.fault: Fault | None = None
        self.counts: dict[tuple[str, str], int] = {}
        self.is_corrected = False

    def go(self) -> None:
        ruling: Ruling[S] | None = None
        answer: Any = None
        try:
            ruling = _ruling_of(self.package, self.before, self.begun)
            while self.waiting is None:
                checkpoint()
                step = ruling.send(answer)
                answer = self._take(step)
        except StopIteration:
            self._end(Ended())
        except Overtaken as overtaken:
            self._end(Ended(how="overtaken", reason=str(overtaken)))
        except _Diverged as diverged:
            self._stop("diverged", str(diverged))
        except Exception as raised:  # a fault of the rules must not block the battle: the umpire decides what to do
            if self.is_corrected and isinstance(raised, KeyError):
                self._end(Ended(how="overtaken", reason=f"{raised} is not there any more"))
            else:
                self._stop("raised", f"{type(raised).__name__}: {raised}")
        finally:
            if ruling is not None:
                ruling.close()

    def _end(self, ended: Ended) -> None:
        self._absorb()
        if self.at < len(self.tape):
            self._stop("diverged", f"the ruling ends where the ledger has {named(self.tape[self.at])}")
        else:
            self.ended = ended

    def _stop(self, how: str, text: str) -> None:
        if how == "diverged" and self.begun.version != self.package.version:
            how = "other rules"
            text = f"begun under version {self.begun.version}, which is {self.package.version} now: {text}"
        self.fault = Fault(how=how, text=text)
        self.state = fold(self.package, self.before, (*self.tape, *(step.entry for step in self.steps)))

    def _recorded(self) -> Entry | None:
        return self.tape[self.at] if self.at < len(self.tape) else None

    def _absorb(self, *, noticed_only: bool = False) -> None:
        """Applies what stands on the tape besides the ruling: knowledge noticed, and the umpire's corrections.

        A correction was made while the ruling waited at its next step, a question or dice to be typed in: it must not
        be in the state that the step before gave, or the ruling would come to another step."""
        while (entry := self._recorded()) is not None:
            if isinstance(entry, Corrected):
                if noticed_only:
                    return
                self.is_corrected = True
            elif not (isinstance(entry, Happened) and isinstance(entry.event, KnowledgeEvent)):
                return
            self.state = applied(self.package, self.state, entry.event)
            self.at += 1

    def _take(self, step: Any) -> Any:
        self._absorb()
        recorded = self._recorded()
        match step:
            case Tell(event=KnowledgeEvent() as event):
                raise TypeError(f"a ruling tells {type(event).__name__}: knowledge is written by `notice` alone")
            case Tell(event=event):
                if recorded is None:
                    self._happen(event)
                else:
                    self._same(recorded, Happened(event=event))
                    self.state = applied(self.package, self.state, event)
                    self._absorb(noticed_only=True)
                return self.state
            case Roll():
                return self._roll(step, recorded)
            case Draw():
                return self._draw(step, recorded)
            case Ask(command=command, question=question):
                return self._ask({command: question}, recorded, offer=False)
            case Offer(questions=questions):
                return self._ask(questions, recorded, offer=True)
            case _:
                raise TypeError(f"a ruling cannot yield {step!r}")

    def _same(self, recorded: Entry, live: Entry) -> None:
        self.at += 1
        if encode(recorded) != encode(live):
            raise _Diverged(f"the ruling now yields {named(live)} where the ledger has {named(recorded)}")

    def _count(self, purpose: str, subject: str) -> int:
        n = self.counts.get((purpose, subject), 0)
        self.counts[purpose, subject] = n + 1
        return n

    def _append(self, entry: Entry, after: S) -> None:
        self.steps.append(Step(entry, self.state, after))
        self.state = after

    def _happen(self, event: Event) -> None:
        before = self.state
        self._append(Happened(event=event), applied(self.package, before, event))
        self._notice(before, event)

    def _notice(self, before: S, cause: Any) -> None:
        for step in noticed(self.package, before, cause, self.state, self.source):
            self.steps.append(step)
            self.state = step.after

    def _roll(self, roll: Roll, recorded: Entry | None) -> Any:
        n = self._count(roll.purpose, roll.subject)
        if recorded is not None:
            if not isinstance(recorded, Thrown):
                raise _Diverged(f"the ruling now rolls for {roll.purpose} where the ledger has {named(recorded)}")
            self._same(recorded, Thrown(roll=roll, faces=recorded.faces, by=recorded.by))
            if self._recorded() is None and not self.steps:  # just typed in: nobody has noticed it yet
                self._notice(self.state, recorded)
            self._absorb(noticed_only=True)
            return replace(read(roll, recorded.faces), state=self.state)
        faces = self.source.roll(roll, n)
        if faces is None:
            self.waiting = Waiting(roll=roll)
            return None
        made = read(roll, faces)
        thrown = Thrown(roll=roll, faces=tuple(faces))
        before = self.state
        self._append(thrown, before)
        self._notice(before, thrown)
        return replace(made, state=self.state)

    def _draw(self, draw: Draw, recorded: Entry | None) -> Any:
        n = self._count(draw.purpose, draw.subject)
        if recorded is not None:
            if not isinstance(recorded, Drawn):
                raise _Diverged(f"the ruling now draws for {draw.purpose} where the ledger has {named(recorded)}")
            self._same(recorded, Drawn(draw=draw, taken=recorded.taken))
            self._absorb(noticed_only=True)
            return recorded.taken
        taken = self.source.draw(draw, n)
        if taken not in draw.among:
            raise ValueError(f"{draw.purpose}: {taken!r} is not among {draw.among}")
        drawn = Drawn(draw=draw, taken=taken)
        before = self.state
        self._append(drawn, before)
        self._notice(before, drawn)
        return taken

    def _ask(self, questions: Mapping[str, Question], recorded: Entry | None, *, offer: bool) -> Any:
        asked = Asked(questions=questions, offer=offer)
        answers: dict[str, tuple[str, ...]] = {}
        if recorded is None:
            self._append(asked, self.state)
        else:
            self._same(recorded, asked)
            while (entry := self._recorded()) is not None:
                if isinstance(entry, Answered):
                    answers[entry.command] = entry.choices
                    self.at += 1
                    if _is_settled(questions, answers, offer=offer):
                        return self._reply(answers, offer=offer)
                elif isinstance(entry, Corrected | Happened):
                    at = self.at
                    self._absorb()
                    if self.at == at:
                        raise _Diverged(f"the ruling asks where the ledger has {named(entry)}")
                else:
                    raise _Diverged(f"the ruling asks where the ledger has {named(entry)}")
        for command, question in questions.items():
            if command in answers:
                continue
            choices = self.source.answer(command, question, self.state)
            if choices is None:
                continue
            if faults := question.faults(choices) if choices or not offer else []:
                raise ValueError(f"the answer of {command} to {question.kind!r} will not do: {'; '.join(faults)}")
            answers[command] = tuple(choices)
            self._append(Answered(command=command, choices=tuple(choices), how="standing"), self.state)
            if _is_settled(questions, answers, offer=offer):
                return self._reply(answers, offer=offer)
        left = {command: question for command, question in questions.items() if command not in answers}
        self.waiting = Waiting(questions=left, offer=offer)
        return None

    def _reply(self, answers: Mapping[str, tuple[str, ...]], *, offer: bool) -> Any:
        if not offer:
            return self.state, next(iter(answers.values()))
        for command, choices in answers.items():
            if choices:
                return self.state, command, choices
        return self.state, None, ()


def _is_settled(questions: Mapping[str, Question], answers: Mapping[str, tuple[str, ...]], *, offer: bool) -> bool:
    return (offer and any(answers.values())) or len(answers) == len(questions)


def _ruling_of(package: RulesPackage[S, Any], state: S, begun: Begun) -> Ruling[S]:
    match begun.kind:
        case "order":
            seat = Seat(name=begun.giver, commands=begun.commands)
            return package.resolve(state, seat, codec_of(package).order(begun.order))
        case "carry":
            return package.carry(state, begun.giver)
        case _:
            return package.advance(state)


def run(
    package: RulesPackage[S, Any],
    before: S,
    begun: Begun,
    tape: Sequence[Entry],
    source: Source,
    prefix: Sequence[Step],
) -> Done:
    """Runs a ruling to its end or to where it waits; the steps of `prefix` come before its own."""
    made = Run(package, before, begun, tape, source)
    made.go()
    steps = [*prefix, *made.steps]
    if made.ended is not None:
        steps.append(Step(made.ended, made.state, made.state))
        return Done(steps=tuple(steps), position=Position(state=made.state))
    entries = (*tape, *(step.entry for step in made.steps))
    opened = Open(before=before, begun=begun, tape=entries, waiting=made.waiting, fault=made.fault)
    return Done(steps=tuple(steps), position=Position(state=made.state, open=opened))
