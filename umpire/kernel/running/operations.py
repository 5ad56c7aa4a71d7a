"""What may be done with a battle: begin a ruling, answer and throw for it, correct it, stop it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from umpire.kernel.codec import digest_of, encode, state_digest
from umpire.kernel.dice import Source
from umpire.kernel.events import Event, KnowledgeEvent
from umpire.kernel.ledger import Answered, Begun, Corrected, Ended, Entry, Thrown, applied
from umpire.kernel.registry import RulesPackage
from umpire.kernel.rulings import read
from umpire.kernel.running.engine import run
from umpire.kernel.running.noticing import noticed, to_rest, with_alias
from umpire.kernel.running.positions import Done, Position, Sources, Step
from umpire.kernel.states import Seat, State, slice_of
from umpire.kernel.values.modifiers import Refusal

S = TypeVar("S", bound=State)

ADVANCES = 200
"""More rulings than this that follow by themselves from one order are a fault of the package."""


def begin(package: RulesPackage[S, Any], position: Position, begun: Begun, sources: Sources) -> Done:
    """Runs a ruling from a position that waits for nothing, and then what follows by itself.

    Raises ValueError if something is waited for: one ruling at a time in a battle."""
    if position.open is not None:
        raise ValueError("another ruling waits")
    begun = replace(begun, before=state_digest(position.state), version=package.version)
    first = Step(begun, position.state, position.state)
    done = run(package, position.state, begun, (), sources(begun), (first,))
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
        more = run(package, position.state, begun, (), sources(begun), (first,))
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
    done = run(package, opened.before, opened.begun, tape, sources(opened.begun), prefix)
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
        event = with_alias(each, state, source)
        after = applied(package, state, event)
        steps.append(Step(Corrected(event=event, by=by, reason=reason), state, after))
        before, state = state, after
        if isinstance(event, KnowledgeEvent):
            more = to_rest(package, package.look(before, state), state, source)
        else:
            more = noticed(package, before, event, state, source)
        steps.extend(more)
        state = more[-1].after if more else state
    opened = position.open
    if opened is not None:
        opened = replace(opened, tape=(*opened.tape, *(step.entry for step in steps)))
    done = Done(steps=tuple(steps), position=Position(state=state, open=opened))
    return advance(package, done, sources, dice=dice) if sources and opened is None else done


def stop(package: RulesPackage[S, Any], position: Position, reason: str, sources: Sources) -> Done:
    """The umpire ends the open order here: what it told stands."""
    if position.open is None:
        raise ValueError("nothing is waited for")
    ended = Step(Ended(how="stopped", reason=reason), position.state, position.state)
    done = Done(steps=(ended,), position=Position(state=position.state))
    return advance(package, done, sources, dice=position.open.begun.dice)


def believed_of(package: RulesPackage[S, Any], state: S, seat: Seat) -> Any:
    """What a seat believes, from its slice alone."""
    return package.believed(slice_of(state, seat.commands))


def digest_of_order(order: Mapping[str, Any]) -> str:
    """The digest of an order as given, for the name of its dice."""
    return digest_of(encode(dict(sorted(order.items()))))
