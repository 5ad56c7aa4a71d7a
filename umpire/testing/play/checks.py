"""The invariants that are checked after each act of random play. Each check names the one it holds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter, ne
from typing import Any

import msgspec

from umpire.kernel import running, settings
from umpire.kernel.codec import codec_of, encode, state_digest
from umpire.kernel.dice import RecordedDice
from umpire.kernel.events import KnowledgeEvent, Sighted
from umpire.kernel.ledger import Asked, Begun, Corrected, Drawn, Ended, Entry, Happened, Thrown, applied, fold
from umpire.kernel.news import merged
from umpire.kernel.rulings import Question
from umpire.kernel.states import Contact, gate
from umpire.kernel.values.maps import is_ordered
from umpire.testing.conformance.fixture import Broken
from umpire.testing.conformance.instances import matches
from umpire.testing.play.battle import Play
from umpire.testing.play.moments import Check, Moment


def is_legal(moment: Moment) -> None:
    """Legality: `problems` is empty after every order; but what the umpire has ordered against the rules may stay."""
    if problems := unruled(moment.play):
        raise Broken("problems is empty", "; ".join(problems))


def unruled(play: Play[Any]) -> list[str]:
    """The problems of a battle, without those breaches of the rules that its umpire has made by his hand."""
    problems = play.package.problems(play.state)
    if not problems:
        return []
    state, ordered = play.first, set[str]()
    for entry in play.tree.path():
        if isinstance(entry, Happened | Corrected):
            state = applied(play.package, state, entry.event)
        if isinstance(entry, Corrected):
            ordered.update(play.package.breaches(state))
    return [problem for problem in problems if problem not in ordered]


def folds(moment: Moment) -> None:
    """Determinism: folding what was told, from the state before, gives the state; without setting, book or table."""
    entries = _new(moment)
    if _is_rewound(moment):
        return
    with forgotten():
        after = fold(moment.play.package, moment.before, entries)
    if encode(after) != encode(moment.play.state):
        raise Broken("the ledger folds", f"{_kinds(entries)} fold to another state")
    for entry in entries:
        if isinstance(entry, Begun):
            break
    else:
        return
    state = moment.before
    for entry in entries:
        if isinstance(entry, Begun) and entry.before != state_digest(state):
            raise Broken("the ledger folds", f"a ruling began from {entry.before[:12]}, which the fold does not give")
        state = fold(moment.play.package, state, (entry,))


@contextmanager
def forgotten() -> Iterator[None]:
    """No half of a setting can be had: `apply` reads no table."""
    halves, loaders = dict(settings._halves), list(settings._loaders)
    settings._halves.clear()
    settings._loaders.clear()
    try:
        yield
    finally:
        settings._halves.update(halves)
        settings._loaders.extend(loaders)


def is_encoded(moment: Moment) -> None:
    """Determinism: encoding and decoding is the identity for states and entries, and maps are in key order."""
    play = moment.play
    codec = codec_of(play.package)
    data = encode(play.state)
    decoded = codec.state.decode(data)
    if decoded != play.state or encode(decoded) != data:
        raise Broken("decoding is the inverse of encoding", "the state comes back as another")
    for entry in _new(moment):
        data = encode(entry)
        if encode(codec.entry.decode(data)) != data:
            raise Broken("decoding is the inverse of encoding", f"{data[:200]!r} comes back as another")
    _in_order(play.state, "state")


def _in_order(value: Any, where: str) -> None:
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            _in_order(getattr(value, name), f"{where}.{name}")
    elif isinstance(value, Mapping):
        if not is_ordered(value):
            raise Broken("maps are in key order", f"{where} has {list(value)}")
        for key, item in value.items():
            _in_order(item, f"{where}[{key}]")
    elif isinstance(value, set | frozenset):
        raise Broken("maps are in key order", f"{where} is a set")
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            _in_order(item, f"{where}[{index}]")


def is_told_rightly(moment: Moment) -> None:
    """Knowledge: the package's `apply` writes none, each sighting has a new alias, and contacts are consistent."""
    play = moment.play
    state = moment.before
    used: dict[str, dict[str, Contact]] | None = None
    for entry in _new(moment):
        if not isinstance(entry, Happened | Corrected):
            continue
        before, state = state, applied(play.package, state, entry.event)
        if not isinstance(entry.event, KnowledgeEvent):
            if _knowledge(before) != _knowledge(state):
                raise Broken("only knowledge events write knowledge", f"{type(entry.event).__name__} does")
        elif isinstance(entry.event, Sighted):
            command, contact = entry.event.command, entry.event.contact
            used = _aliases(play, moment.depth) if used is None else used
            known = used[command]
            if contact.alias in known and not moment.recognises(contact):
                raise Broken("a sighting has its own alias", f"{command} has seen {contact.alias} before")
            known[contact.alias] = contact
    _are_consistent(play.state)


def is_at_rest(moment: Moment) -> None:
    """Knowledge: on a settled state whoever looks around finds nothing that is not known; else the next event, also a
    hidden one, would tell it."""
    play = moment.play
    if play.position.open is not None:
        return
    if found := list(play.package.look(None, play.state)):
        raise Broken("what is noticed is at rest", f"there is still {found[0]!r} to be noticed")


def _aliases(play: Play[Any], depth: int) -> dict[str, dict[str, Contact]]:
    used: dict[str, dict[str, Contact]] = {
        command: dict(part.contacts) for command, part in play.first.commands.items()
    }
    for entry in play.tree.path()[:depth]:
        if isinstance(entry, Happened | Corrected) and isinstance(entry.event, Sighted):
            used[entry.event.command][entry.event.contact.alias] = entry.event.contact
    return used


def _knowledge(state: Any) -> Any:
    contacts = {command: part.contacts for command, part in state.commands.items()}
    return (contacts, state.umpire.aliases, state.umpire.sightings)


def _are_consistent(state: Any) -> None:
    for command, part in state.commands.items():
        known = state.umpire.aliases.get(command, {})
        for alias, contact in part.contacts.items():
            if contact.alias != alias:
                raise Broken("contacts are consistent", f"{command} has {contact.alias} under {alias}")
        for subject, alias in known.items():
            contact = part.contacts.get(alias)
            if contact is None or contact.status != "in_sight":
                raise Broken("contacts are consistent", f"{command} has no contact {alias} of {subject} in sight")
        if len(set(known.values())) != len(known):
            raise Broken("contacts are consistent", f"{command} has one alias for two things")


def is_news(moment: Moment) -> None:
    """Dense numbering: news is numbered 1..n; the tag changes exactly with view or news; view before and news is the
    view after; the news of one run is one piece."""
    play = moment.play
    rulings = sum(isinstance(entry, Begun) and entry.kind != "advance" for entry in _new(moment))
    for name, seen in moment.seen.items():
        view, tag, count = seen.view, seen.tag, seen.count
        numbered = play.numbered(name)
        if any(map(ne, map(itemgetter(0), numbered), range(1, len(numbered) + 1))):
            raise Broken("news is numbered without gaps", f"{name} has {[number for number, _ in numbered]}")
        fresh = [news for _, news in numbered[count:]]
        after = play.view(name)
        told = view
        for news in fresh:
            told = merged(told, news.patch)
            if not news.lines and not news.patch:
                raise Broken("news says something", f"{name} got an empty piece of news")
        was, now = seen.sent, encode(after)
        # Equal bytes are equal in whatever order, and mostly these are.
        if told is not after and encode(told) != now and _canonical(told) != _canonical(after):
            raise Broken("view before and news is view after", f"{name}: {_first(told, after)}")
        is_other = bool(fresh) or was != now
        if (play.tag(name) != tag) is not is_other:
            raise Broken("the tag changes exactly with view or news", f"{name}: news {len(fresh)}, {moment.act}")
        if len(fresh) > max(1, rulings):
            raise Broken("news of one run comes at one moment", f"{name} got {len(fresh)} pieces")
        if b"null" in now and any(null in now for null in (b":null", b"[null", b",null")):
            _has_no_null(after, name)


def _canonical(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def _first(one: Any, other: Any) -> str:
    for key in sorted({*one, *other}):
        if _canonical(one.get(key)) != _canonical(other.get(key)):
            return f"{key}: {one.get(key)!r} is not {other.get(key)!r}"
    return "they differ"


def _has_no_null(value: Any, where: str) -> None:
    if value is None:
        raise Broken("views hold no nulls", where)
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, item in items:
        _has_no_null(item, f"{where}.{key}")


def is_playable(moment: Moment) -> None:
    """Flow: every offered option is accepted, and somebody can always act until the battle is finished."""
    play = moment.play
    if play.position.open is not None:
        _asks_properly(play)
        return
    is_offered = False
    for name, seat in play.seats.items():
        if seat.role != "player":
            continue
        believed = play.believed(name)
        gate(believed)
        for subject in (None, *play.subjects(name)):
            forms = play.options(name, subject)
            for form in forms:
                is_offered = True
                order = play.package.sample(believed, seat, form, moment.random)
                if refusals := play.check(name, order):
                    raise Broken("what is offered is accepted", f"{name} is refused {order}: {refusals}")
                if not matches(form, order):
                    raise Broken("what is accepted is offered", f"the sample {order} is no instance of {form}")
    if not is_offered and not play.package.outcome(play.state).is_over and not play.package.due(play.state):
        raise Broken("somebody can always act", "no seat is offered anything")


def _asks_properly(play: Play[Any]) -> None:
    """Each question has a default, and the default will do."""
    waiting = play.waiting
    if waiting is None:
        return
    for command, question in waiting.questions.items():
        faults = question.faults(question.default) if question.default or not waiting.offer else []
        if faults:
            raise Broken("a question has a default that will do", f"{command}, {question.kind}: {'; '.join(faults)}")


def is_rerun(moment: Moment) -> None:
    """Determinism: each ruling run again tells the same, from the live state and from the decoded one, with the
    ledger as its tape and with the recorded dice alone."""
    play, entries = moment.play, _new(moment)
    if _is_rewound(moment):
        return
    package, codec = play.package, codec_of(play.package)
    state = moment.before
    if moment.opened is not None:
        state, entries = moment.opened.before, [moment.opened.begun, *moment.opened.tape, *entries]
    for begun, own in _rulings(entries):
        after = fold(package, state, own)
        last = own[-1]
        if begun is not None and isinstance(last, Ended) and last.how == "done":
            decoded = codec.state.decode(encode(state))
            position = running.position_of(package, decoded, [begun, *own[:-1]], play.sources)
            if position.open is None or position.open.fault is not None:
                raise Broken("a ruling run again tells the same", f"{begun.kind} of {begun.giver}: {position.open}")
            if not any(isinstance(entry, Asked | Corrected) for entry in own):
                again = _run_alone(play, decoded, begun, own)
                if [encode(entry) for entry in again] != [encode(entry) for entry in own]:
                    raise Broken("a ruling run again tells the same", f"{begun.kind} of {begun.giver}, decoded state")
        state = after


def _run_alone(play: Play[Any], state: Any, begun: Begun, own: Sequence[Entry]) -> list[Entry]:
    """The entries of one ruling from a state, with the dice of the ledger and nothing else."""

    def sources(_: Begun) -> RecordedDice:
        return running.recorded(own, _NoDice(play.sources(begun)))

    done = running.run(play.package, state, begun, (), sources(begun), ())
    return done.entries


class _NoDice:
    """Gives aliases; whatever else is asked for is missing in the ledger."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def roll(self, roll: Any, n: int) -> Any:
        raise Broken("a ruling run again tells the same", f"it rolls for {roll.purpose} anew")

    def draw(self, draw: Any, n: int) -> Any:
        raise Broken("a ruling run again tells the same", f"it draws for {draw.purpose} anew")

    def answer(self, command: str, question: Any, state: Any) -> Any:
        raise Broken("a ruling run again tells the same", f"it asks {command} anew")

    def alias(self, command: str, n: int, subject: str) -> str:
        alias: str = self.source.alias(command, n, subject)
        return alias


def _rulings(entries: Sequence[Entry]) -> Iterator[tuple[Begun | None, list[Entry]]]:
    """Entries by ruling; what stands between rulings comes with None."""
    begun: Begun | None = None
    own: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Begun):
            if own:
                yield begun, own
            begun, own = entry, []
        else:
            own.append(entry)
            if isinstance(entry, Ended):
                yield begun, own
                begun, own = None, []
    if own:
        yield begun, own


def refuses_cleanly(moment: Moment) -> None:
    """Legality: a refused order changes nothing, draws no dice, and names its rule. The order of one seat is tried as
    the order of each other."""
    play = moment.play
    if moment.act["act"] != "order" or play.position.open is not None:
        return
    for name in play.seats:
        if name == moment.act["seat"]:
            continue
        copy = play.copied()
        refusals = copy.check(name, moment.act["order"])
        if refusals:
            before = (copy.position, copy.tree.depth, {seat: len(news) for seat, news in copy.news.items()})
            if copy.order(name, moment.act["order"]) != list(refusals):
                raise Broken("a refusal is the same each time", f"{name}: {refusals}")
            after = (copy.position, copy.tree.depth, {seat: len(news) for seat, news in copy.news.items()})
            if before != after:
                raise Broken("a refused order changes nothing", f"{moment.act} of {name}")
            if not all(refusal.rule and refusal.reason for refusal in refusals):
                raise Broken("a refusal names its rule", f"{name}: {refusals}")


_ID = re.compile(r"\bi[0-9a-f]{12}\b")
"""A true id as random play gives them (`new_id`)."""


def says_no_ids(moment: Moment) -> None:
    """Words: no line, roll, report or question says the id or the alias of a piece, be it there or gone, and no refusal
    one that its giver has not written himself. Names are for people."""
    play = moment.play
    parts = [part for state in (moment.before, play.state) for part in state.commands.values()]
    aliases = {alias for part in parts for alias in part.contacts}
    order = encode(moment.act.get("order")).decode()
    for name in play.seats:
        count = moment.seen[name].count if name in moment.seen else 0
        lines = [line for number, news in play.numbered(name) if number > count for line in news.lines]
        said = [text for line in lines for text in (line.text, *(each.reason for each in line.modifiers))]
        said += [text for asked in play.asked(name).values() for text in _asked(asked)]
        if order != "null":
            refusals = [refusal.reason for refusal in play.check(name, moment.act["order"])]
            said += [text for text in refusals if not any(raw in order for raw in _raw(text, aliases))]
        for text in said:
            if raw := _raw(text, aliases):
                raise Broken("names are for people", f"{name} reads {', '.join(raw)} in {text!r} after {moment.act}")


def _raw(text: str, aliases: Collection[str]) -> list[str]:
    """The ids and aliases in some words."""
    return [*_ID.findall(text), *(word for word in re.findall(r"\w+", text) if word in aliases)]


def _asked(question: Question) -> Iterator[str]:
    yield question.prompt
    yield from (choice.label for choice in question.choices)
    yield from (bar.reason for bar in question.bars)


def rolls_have_names(moment: Moment) -> None:
    """Dice by name: in what follows by itself, which has no number, no roll has a name that was there before."""
    play = moment.play
    fresh = _advance_names(play.tree.since(moment.depth))
    if not fresh:
        return
    old = set(_advance_names(play.tree.path()[: moment.depth]))
    for name in fresh:
        if name in old or fresh.count(name) > 1:
            raise Broken("what follows by itself names each roll once", f"{name} is rolled again")


def _advance_names(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    names: list[tuple[str, str]] = []
    for begun, own in _rulings(entries):
        if begun is not None and begun.kind == "advance":
            counted: set[tuple[str, str]] = set()
            for entry in own:
                if isinstance(entry, Thrown):
                    counted.add((entry.roll.purpose, entry.roll.subject))
                elif isinstance(entry, Drawn):
                    counted.add((entry.draw.purpose, entry.draw.subject))
            names.extend(sorted(counted))
    return names


def serves_and_tells(moment: Moment) -> None:
    """The umpire: truth and chronicle can always be written."""
    play = moment.play
    encode(play.package.truth(play.state))
    state = moment.before
    for entry in _new(moment):
        event = entry.event if isinstance(entry, Happened | Corrected) else entry
        if isinstance(entry, Happened | Corrected | Thrown | Drawn):
            line = play.package.chronicle(event, state)
            if not line.text:
                raise Broken("every entry has a line in the chronicle", _kinds([entry]))
        state = fold(play.package, state, (entry,))


def _new(moment: Moment) -> list[Entry]:
    return moment.play.tree.since(moment.depth)


def _is_rewound(moment: Moment) -> bool:
    return bool(moment.act["act"] == "rewind")


def _kinds(entries: Sequence[Entry]) -> str:
    return ", ".join(
        type(entry.event).__name__ if isinstance(entry, Happened | Corrected) else type(entry).__name__
        for entry in entries
    )


def now_and_then(check: Check, share: float) -> Check:
    """The same check, made at a random share of the moments."""

    def sometimes(moment: Moment) -> None:
        if moment.random.random() < share:
            check(moment)

    sometimes.__doc__ = check.__doc__
    return sometimes


CHECKS: tuple[Check, ...] = (
    is_legal,
    folds,
    is_encoded,
    is_told_rightly,
    is_at_rest,
    is_news,
    is_playable,
    is_rerun,
    refuses_cleanly,
    says_no_ids,
    rolls_have_names,
    serves_and_tells,
)
"""All of them; `now_and_then` makes the dear ones cheaper in long runs."""
