"""A battle begins and ends."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from umpire.battles import idempotency
from umpire.battles.errors import BadInput, Fault, Refused
from umpire.battles.heads import Head, read_head
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Line, Order, Seat, Snapshot
from umpire.battles.moving import orders_move
from umpire.battles.parsing import must_be_umpire
from umpire.battles.publishing import Change, Landed, commit, keeper
from umpire.battles.services.seats import seat_made
from umpire.battles.store import store_setting
from umpire.kernel import running, settings
from umpire.kernel.book.layers import BookError, Problem
from umpire.kernel.codec import digest_of, encode
from umpire.kernel.dice import commitment
from umpire.kernel.registry import LogLine, RulesPackage, package_of
from umpire.kernel.values.modifiers import Refusal

UMPIRE = "Umpire"
DICE = ("server", "typed")
OURS = ("dice", "release")
"""Options of the server's own; all others are the scenario's."""


def battle_create(
    *,
    owner: Any,
    system: str,
    scenario: str,
    title: str = "",
    options: Mapping[str, Any] | None = None,
    layers: Sequence[tuple[str, str]] = (),
    is_demo: bool = False,
    made_by: Seat | None = None,
    code_of: Callable[[Battle, str], str] | None = None,
    once: Once | None = None,
) -> tuple[Battle, list[tuple[Seat, str]]]:
    """A battle of a bundled scenario with a seat for each command and one for the umpire, each with its code.

    The server's own options are `dice` ("server", or "typed" for dice thrown at the table) and `release` (True: orders
    wait for the umpire); all others are the scenario's. `made_by` is the umpire's seat of another battle that makes
    this one. The codes are shown this once; `code_of` gives a seat (by its name) another one than a random one. Raises
    BadInput.
    """
    options = dict(options or {})
    package = _package(system)
    texts = package.scenarios()
    if scenario not in texts:
        raise BadInput([Fault("/scenario", f"no scenario is called {scenario!r}", ", ".join(texts))])
    _must_be_ours(options)
    theirs = {name: value for name, value in options.items() if name not in OURS}
    try:
        setting = package.load(texts[scenario], file=scenario, options=theirs, layers=layers)
    except BookError as fault:
        raise BadInput([_of_files(problem, dict(layers)) for problem in fault.problems]) from None
    except settings.BadInput as fault:
        pointer = "/options" if fault.where.partition(".")[0] == "options" else "/scenario"
        raise BadInput([Fault(pointer, str(fault), fault.right)]) from None
    return battle_of(
        owner=owner,
        system=system,
        scenario=scenario,
        setting=setting,
        title=title,
        options=options,
        is_demo=is_demo,
        made_by=made_by,
        code_of=code_of,
        once=once,
    )


def battle_of(
    *,
    owner: Any,
    system: str,
    scenario: str,
    setting: settings.Setting,
    title: str = "",
    options: Mapping[str, Any] | None = None,
    is_demo: bool = False,
    made_by: Seat | None = None,
    code_of: Callable[[Battle, str], str] | None = None,
    seats: Sequence[tuple[str, str, tuple[str, ...]]] = (),
    once: Once | None = None,
) -> tuple[Battle, list[tuple[Seat, str]]]:
    """A battle fought with a setting that has been loaded, and with these `seats` (name, role, commands) where there
    are any; else as `battle_create`."""
    package = package_of(system)
    secret = secrets.token_bytes(32)
    settings.remember(setting)
    state = package.begin(setting, names_of(secret))
    data = encode(state)
    with transaction.atomic():
        public, umpire = store_setting(system, setting)
        battle = Battle.objects.create(
            system=system,
            scenario=scenario,
            title=title or str(getattr(setting.public, "title", "")) or package.title,
            owner=owner,
            options=dict(options or {}),
            is_demo=is_demo,
            made_by=made_by,
            public_setting_id=public,
            umpire_setting_id=umpire,
            secret=secret,
            commitment=commitment(secret),
            state=data,
            digest=digest_of(data),
        )
        Line.objects.create(battle=battle, number=0)
        Snapshot.objects.create(battle=battle, line=0, depth=0, state=data, digest=battle.digest)
        _begin(read_head(battle.id))
        head = read_head(battle.id)
        made = [
            seat_made(head, name=name, role=role, commands=commands, code=code_of(battle, name) if code_of else None)
            for name, role, commands in seats or _seats(package, head)
        ]
        battle = head.battle
        idempotency.keep(once, (battle, made), battle)
    return battle, made


def _package(system: str) -> RulesPackage[Any, Any]:
    try:
        return package_of(system)
    except LookupError as fault:
        raise BadInput([Fault("/system", str(fault))]) from None


def _of_files(problem: Problem, layers: Mapping[str, str]) -> Fault:
    """What is wrong with one of a group's own files, or with those that the scenario brings itself."""
    file = problem.file.replace("~", "~0").replace("/", "~1")
    return Fault(f"/layers/{file}" if problem.file in layers else "/scenario", str(problem), problem.right)


def _must_be_ours(options: Mapping[str, Any]) -> None:
    if options.get("dice", DICE[0]) not in DICE:
        raise BadInput([Fault("/options/dice", f"{options['dice']!r} is not known", " or ".join(DICE))])
    if not isinstance(options.get("release", False), bool):
        raise BadInput([Fault("/options/release", "this is yes or no", "true or false")])


def names_of(secret: bytes) -> Callable[[str], str]:
    """True ids from keys of the scenario: random to whoever does not know the secret, and never counted."""

    def name(key: str) -> str:
        digest = hmac.new(secret, f"id\x1f{key}".encode(), hashlib.sha256).digest()
        return "p" + b32encode(digest)[:9].decode().lower()

    return name


def _begin(head: Head) -> None:
    """What follows by itself from the first state."""
    position = running.Position(state=head.state)

    def work(now: Head) -> Change:
        done = running.advance(now.package, running.Done(steps=(), position=position), now.sources)
        return Change(steps=done.steps, position=done.position)

    commit(head.battle.id, work)


def _seats(package: RulesPackage[Any, Any], head: Head) -> list[tuple[str, str, tuple[str, ...]]]:
    """A seat for each command, called as the scenario calls it, and the umpire's."""
    commands = package.truth(head.state).commands
    seats: list[tuple[str, str, tuple[str, ...]]] = [(UMPIRE, Seat.Role.UMPIRE, ())]
    taken = {UMPIRE}
    for command in head.state.commands:
        name = (commands[command].name if command in commands else command)[:90]
        if name in taken:
            name = f"{name} ({command})"[:100]
        taken.add(name)
        seats.append((name, Seat.Role.PLAYER, (command,)))
    return seats


def battle_finish(*, battle: Battle, by: Seat, is_opened: bool, once: Once | None = None) -> Battle:
    """Ends the battle; with `is_opened` all its seats can read ledger and dice secret. Raises NotYours, Refused."""
    must_be_umpire(battle, by)

    def work(head: Head) -> Change:
        now = head.battle
        if now.status == Battle.Status.FINISHED and (now.is_opened or not is_opened):
            raise Refused((Refusal(reason="The battle is finished already."),))

        def then(landed: Landed) -> Battle:
            waiting = (Order.Status.HELD, Order.Status.SEALED)
            orders_move(Order.objects.filter(battle_id=now.pk, status__in=waiting), Order.Status.WITHDRAWN)
            return landed.battle

        words = "The battle is over." if now.status != Battle.Status.FINISHED else "The record of the battle is open."
        line = (LogLine(text=words, kind="finish"),)
        return Change(
            steps=(),
            position=head.position,
            then=then,
            notes={seat.id: line for seat in head.seats},
            columns={
                "status": Battle.Status.FINISHED,
                "finished_at": now.finished_at or timezone.now(),
                "is_opened": now.is_opened or is_opened,
            },
            is_shown_at_once=True,
        )

    result: Battle = commit(battle.id, work, keeper(once))
    return result
