"""Runs rulings: live, and again from the ledger up to where they wait.

Everything here is pure. A `Position` is what a battle is between two requests: its state, and the open order if a
ruling waits. Each operation gives the entries to append to the ledger and the next position; the caller keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from umpire.kernel.checkpoints import checkpoint
from umpire.kernel.codec import codec_of, digest_of, encode, state_digest
from umpire.kernel.dice import RecordedDice, Source
from umpire.kernel.events import Event, KnowledgeEvent, Sighted, needs_alias
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
from umpire.kernel.states import Seat, State, slice_of
from umpire.kernel.values.modifiers import Refusal

S = TypeVar("S", bound=State)

ADVANCES = 200
"""More rulings than this that follow by themselves from one order are a fault of the package."""
LOOKS = 100
"""So many looks after one event bring what is known to rest, or the package is at fault."""


class Waiting(Struct, frozen=True, kw_only=True):
    """What a battle waits for: dice to be typed in, or answers. `offer`: the first taker ends it."""

    roll: Roll | None = None
    questions: Mapping[str, Question] = field(default_factory=dict)
    offer: bool = False


class Fault(Struct, frozen=True, kw_only=True):
    """A ruling that cannot go on: "diverged" (it yields something else than the ledger has), "other rules" (the same,
    but it was begun under another version of the rules) or "raised"."""

    how: str
    text: str


class Open(Struct, frozen=True, kw_only=True):
    """An order without its end: the state before it and its entries so far."""

    before: Any
    begun: Begun
    tape: tuple[Entry, ...] = ()
    waiting: Waiting | None = None
    fault: Fault | None = None


class Position(Struct, frozen=True, kw_only=True):
    """What a battle is between two requests."""

    state: Any
    open: Open | None = None


class Step(Struct, frozen=True):
    """One new entry with the states before and after it."""

    entry: Entry
    before: Any
    after: Any


class Done(Struct, frozen=True, kw_only=True):
    """What came of an operation: the steps to append, and the next position."""

    steps: tuple[Step, ...]
    position: Position

    @property
    def entries(self) -> list[Entry]:
        return [step.entry for step in self.steps]


Sources = Callable[[Begun], Source]


class _Diverged(Exception):
    pass


class _Run(Generic[S]):
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


def named(entry: Entry) -> str:
    """An entry as a report of what differs calls it."""
    match entry:
        case Happened(event=event):
            return f"the event {type(event).__name__}"
        case Thrown(roll=roll):
            return f"a roll for {roll.purpose} {roll.subject}".strip()
        case Drawn(draw=draw):
            return f"a draw for {draw.purpose}"
        case Asked(questions=questions):
            return f"a question to {', '.join(questions)}"
        case _:
            return f"the entry {type(entry).__name__}"


def _ruling_of(package: RulesPackage[S, Any], state: S, begun: Begun) -> Ruling[S]:
    match begun.kind:
        case "order":
            seat = Seat(name=begun.giver, commands=begun.commands)
            return package.resolve(state, seat, codec_of(package).order(begun.order))
        case "carry":
            return package.carry(state, begun.giver)
        case _:
            return package.advance(state)


def noticed(package: RulesPackage[S, Any], before: S, cause: Any, after: S, source: Source) -> list[Step]:
    """The knowledge events of one cause as steps, with their aliases drawn, and what follows from them: whoever knows
    something new is looked around for again, until there is nothing more to be noticed."""
    return _to_rest(package, package.notice(before, cause, after), after, source)


def _to_rest(package: RulesPackage[S, Any], found: Iterable[KnowledgeEvent], after: S, source: Source) -> list[Step]:
    steps: list[Step] = []
    state = after
    for _ in range(LOOKS):
        earlier = state
        for each in found:
            event: KnowledgeEvent = _with_alias(each, state, source)
            following = applied(package, state, event)
            steps.append(Step(Happened(event=event), state, following))
            state = following
        if state is earlier:
            return steps
        found = tuple(package.look(earlier, state))
    raise RuntimeError(f"{package.system}: after {LOOKS} looks there is still something to be noticed")


def _with_alias(event: Any, state: State, source: Source) -> Any:
    """The event with an alias drawn where it lacks one. The umpire's lies have theirs from here too: nothing tells them
    from sightings."""
    if not needs_alias(event):
        return event
    subject = event.subject if isinstance(event, Sighted) else ""
    alias = source.alias(event.command, state.umpire.sightings.get(event.command, 0), subject)
    return replace(event, contact=replace(event.contact, alias=alias))


def _run(
    package: RulesPackage[S, Any],
    before: S,
    begun: Begun,
    tape: Sequence[Entry],
    source: Source,
    prefix: Sequence[Step],
) -> Done:
    run = _Run(package, before, begun, tape, source)
    run.go()
    steps = [*prefix, *run.steps]
    if run.ended is not None:
        steps.append(Step(run.ended, run.state, run.state))
        return Done(steps=tuple(steps), position=Position(state=run.state))
    entries = (*tape, *(step.entry for step in run.steps))
    opened = Open(before=before, begun=begun, tape=entries, waiting=run.waiting, fault=run.fault)
    return Done(steps=tuple(steps), position=Position(state=run.state, open=opened))


def begin(package: RulesPackage[S, Any], position: Position, begun: Begun, sources: Sources) -> Done:
    """Runs a ruling from a position that waits for nothing, and then what follows by itself.

    Raises ValueError if something is waited for: one ruling at a time in a battle."""
    if position.open is not None:
        raise ValueError("another ruling waits")
    begun = replace(begun, before=state_digest(position.state), version=package.version)
    first = Step(begun, position.state, position.state)
    done = _run(package, position.state, begun, (), sources(begun), (first,))
    return advance(package, done, sources, dice=begun.dice)


def advance(package: RulesPackage[S, Any], done: Done, sources: Sources, *, dice: int = 0) -> Done:
    """Adds what follows by itself, until nothing does or something is waited for. `dice` names the dice line.

    Its dice have no number in their names (hidden activity would shift it): the package gives each such roll a subject
    that occurs once in a battle, such as the turn."""
    steps, position = list(done.steps), done.position
    for _ in range(ADVANCES):
        if position.open is not None:
            break
        begun = Begun(kind="advance", giver="rules", version=package.version, dice=dice)
        first = Step(begun, position.state, position.state)
        more = _run(package, position.state, begun, (), sources(begun), (first,))
        if more.position.open is None and len(more.steps) == 2:
            break
        # Mostly nothing follows, and the digest of a state is dear: it is taken only now.
        begun = replace(begun, before=state_digest(position.state))
        steps.extend((Step(begun, position.state, position.state), *more.steps[1:]))
        position = more.position
        if position.open is not None:
            position = replace(position, open=replace(position.open, begun=begun))
    else:
        raise RuntimeError(f"{package.system}: more than {ADVANCES} rulings followed from one order")
    return Done(steps=tuple(steps), position=position)


def resume(package: RulesPackage[S, Any], position: Position, entries: Sequence[Entry], sources: Sources) -> Done:
    """Goes on with the open order after these entries (an answer, typed dice). Raises ValueError if nothing is open."""
    opened = position.open
    if opened is None:
        raise ValueError("nothing is waited for")
    prefix = [Step(entry, position.state, position.state) for entry in entries]
    tape = (*opened.tape, *entries)
    done = _run(package, opened.before, opened.begun, tape, sources(opened.begun), prefix)
    return advance(package, done, sources, dice=opened.begun.dice)


def answer(
    package: RulesPackage[S, Any],
    position: Position,
    answered: Answered,
    sources: Sources,
) -> tuple[Sequence[Refusal], Done | None]:
    """Answers a question that is waited for. Refusals say what is wrong with the answer."""
    waiting = position.open.waiting if position.open else None
    question = waiting.questions.get(answered.command) if waiting else None
    if waiting is None or question is None:
        return [Refusal(reason="No such question is waiting for an answer.", field="command")], None
    if (answered.choices or not waiting.offer) and (faults := question.faults(answered.choices)):
        return [
            Refusal(reason=f"This answer will not do: {'; '.join(faults)}.", rule=question.rule, field="choices")
        ], None
    return [], resume(package, position, (answered,), sources)


def throw(
    package: RulesPackage[S, Any], position: Position, faces: Sequence[int], by: str, sources: Sources
) -> tuple[Sequence[Refusal], Done | None]:
    """Takes dice typed in for the roll that is waited for."""
    waiting = position.open.waiting if position.open else None
    if waiting is None or waiting.roll is None:
        return [Refusal(reason="No dice are waited for.", field="faces")], None
    try:
        read(waiting.roll, faces)
    except ValueError as fault:
        return [Refusal(reason=f"{fault}.", rule=waiting.roll.rule, field="faces")], None
    return [], resume(package, position, (Thrown(roll=waiting.roll, faces=tuple(faces), by=by),), sources)


def correct(
    package: RulesPackage[S, Any],
    position: Position,
    events: Sequence[Event],
    by: str,
    reason: str,
    source: Source,
    sources: Sources | None = None,
    *,
    dice: int = 0,
) -> Done:
    """Lets the umpire's events happen, also while a ruling waits (they stand in the ledger at that question).

    With `sources`, what follows by itself follows, where nothing waits; `dice` names its dice line."""
    steps: list[Step] = []
    state = position.state
    for each in events:
        event = _with_alias(each, state, source)
        after = applied(package, state, event)
        steps.append(Step(Corrected(event=event, by=by, reason=reason), state, after))
        before, state = state, after
        if isinstance(event, KnowledgeEvent):
            more = _to_rest(package, package.look(before, state), state, source)
        else:
            more = noticed(package, before, event, state, source)
        steps.extend(more)
        state = more[-1].after if more else state
    opened = position.open
    if opened is not None:
        opened = replace(opened, tape=(*opened.tape, *(step.entry for step in steps)))
    done = Done(steps=tuple(steps), position=Position(state=state, open=opened))
    return advance(package, done, sources, dice=dice) if sources and opened is None else done


ASIDE = "given while another ruling waited"
"""The reason under which a private order stands in the ledger, at the question of the ruling that waits."""


def take_aside(package: RulesPackage[S, Any], position: Position, seat: Seat, order: Any, source: Source) -> Done:
    """Takes a private order (`RulesPackage.is_private`) while another ruling waits. Raises TypeError where its ruling
    does more than tell events."""
    events: list[Event] = []
    state: S = position.state
    ruling = package.resolve(state, seat, order)
    try:
        step = next(ruling)
        while isinstance(step, Tell):
            events.append(step.event)
            state = applied(package, state, step.event)
            step = ruling.send(state)
        raise TypeError(f"a private order does more than tell events: {step!r}")
    except StopIteration:
        return correct(package, position, events, seat.name, ASIDE, source)
    finally:
        ruling.close()


def told_aside(entries: Sequence[Entry]) -> list[bool]:
    """Which entries of a ruling that is paused in hiding are private orders that seats were told of meanwhile, with
    what was noticed of them."""
    found, is_told = [], False
    for entry in entries:
        if isinstance(entry, Corrected):
            is_told = entry.reason == ASIDE
        elif not (isinstance(entry, Happened) and isinstance(entry.event, KnowledgeEvent)):
            is_told = False
        found.append(is_told)
    return found


def stop(package: RulesPackage[S, Any], position: Position, reason: str, sources: Sources) -> Done:
    """The umpire ends the open order here: what it told stands."""
    if position.open is None:
        raise ValueError("nothing is waited for")
    ended = Step(Ended(how="stopped", reason=reason), position.state, position.state)
    done = Done(steps=(ended,), position=Position(state=position.state))
    return advance(package, done, sources, dice=position.open.begun.dice)


def position_of(package: RulesPackage[S, Any], before: S, entries: Sequence[Entry], sources: Sources) -> Position:
    """The position at the end of some entries that begin between two orders: folds the closed ones, and runs the open
    one again up to where it waits (after a restart, or a rewind into the middle of an order).

    A ruling cut in its middle goes on live here only as far as `Done` of `resume` would; the caller that wants the new
    entries calls `resume(…, (), …)`."""
    depth = 0
    for index, entry in enumerate(entries):
        if isinstance(entry, Ended):
            depth = index + 1
    state = fold(package, before, entries[:depth])
    rest = list(entries[depth:])
    while rest and not isinstance(rest[0], Begun):
        entry = rest.pop(0)
        state = fold(package, state, (entry,))
    if not rest:
        return Position(state=state)
    begun = rest[0]
    assert isinstance(begun, Begun)
    tape = tuple(rest[1:])
    run = _Run(package, state, begun, tape, sources(begun))
    run.go()
    if run.steps or run.ended is not None:  # there is more to come than the ledger has: it waits to be resumed
        opened = Open(before=state, begun=begun, tape=tape)
        return Position(state=fold(package, state, tape), open=opened)
    opened = Open(before=state, begun=begun, tape=tape, waiting=run.waiting, fault=run.fault)
    return Position(state=run.state, open=opened)


def recorded(entries: Sequence[Entry], source: Source) -> RecordedDice:
    """The dice of a recorded order, to play it again from its start."""
    faces: dict[tuple[str, str, int], tuple[int, ...]] = {}
    taken: dict[tuple[str, str, int], str] = {}
    counts: dict[tuple[str, str], int] = {}
    for entry in entries:
        if isinstance(entry, Thrown):
            key = (entry.roll.purpose, entry.roll.subject)
            faces[(*key, counts.get(key, 0))] = entry.faces
        elif isinstance(entry, Drawn):
            key = (entry.draw.purpose, entry.draw.subject)
            taken[(*key, counts.get(key, 0))] = entry.taken
        else:
            continue
        counts[key] = counts.get(key, 0) + 1
    return RecordedDice(source=source, faces=faces, taken=taken)


def believed_of(package: RulesPackage[S, Any], state: S, seat: Seat) -> Any:
    """What a seat believes, from its slice alone."""
    return package.believed(slice_of(state, seat.commands))


def digest_of_order(order: Mapping[str, Any]) -> str:
    """The digest of an order as given, for the name of its dice."""
    return digest_of(encode(dict(sorted(order.items()))))
