"""The umpire's hand: what events each correction is. Every value can be set; nonsense is refused in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, get_type_hints

import msgspec
from msgspec.structs import replace

from lnl import events, orders
from lnl.board.hexes import Place
from lnl.checks import is_on_map
from lnl.dispatch import chapters, overrules
from lnl.finding import has_unit, has_weapon, impulse_of, is_open, plan_of, unit, units, weapon, weapons, work, works
from lnl.rules.event_markers import events_of, has_happened
from lnl.rules.victory import judged
from lnl.setting import ground_of, secrets_of, setting_of, tables_of
from lnl.state import Public, Score, State, Unit, Weapon, Work
from umpire.kernel.book import UnknownKey
from umpire.kernel.codec import digest_of, encode, state_digest
from umpire.kernel.events import Event, FoundEmpty, Report, Sighted, Told
from umpire.kernel.modifiers import Refusal
from umpire.kernel.registry import Correction, Refused
from umpire.kernel.spelling import get_close_matches
from umpire.kernel.states import Contact

BATTLE_FIELDS = (
    "barrages",
    "control",
    "deck",
    "held",
    "hour",
    "passes",
    "smoke",
    "spotted",
    "star_shells",
    "terrain",
    "turn",
)
"""What of the battle may be set; phase and points have corrections of their own."""
FIXED = ("id", "command", "side", "weapons")
"""What stays as it is: a piece that changes sides is removed and added; a weapon's `owner` is set on the weapon."""


def overrule(state: State, correction: Correction) -> Sequence[Event]:
    """The events of a correction. Raises Refused."""
    return chapters.overrulers[type(correction)](state, correction)


def _refuse(reason: str, field: str = "piece") -> NoReturn:
    raise Refused([Refusal(reason, "", field)])


def _near(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f" Did you mean {near[0]!r}?" if near else ""


def _piece(state: State, piece: str) -> Unit | Weapon | Work:
    """The piece of this id. Raises Refused naming the nearest."""
    if has_unit(state, piece):
        return unit(state, piece)
    if has_weapon(state, piece):
        return weapon(state, piece)
    try:
        return work(state, piece)
    except KeyError:
        known = [each.id for found in (units, weapons, works) for each in found(state)]
        return _refuse(f"There is no piece {piece!r}.{_near(piece, known)}")


def _unit(state: State, piece: str) -> Unit:
    found = _piece(state, piece)
    return found if isinstance(found, Unit) else _refuse("This is no unit.")


def _on_map(state: State, at: Place, field: str = "at") -> None:
    if not is_on_map(state, at):
        _refuse(f"There is no place {list(at)} on the map.", field)


def _command(state: State, command: str) -> None:
    if command not in state.commands:
        _refuse(f"There is no command {command!r}.{_near(command, state.commands)}", "command")


def _side(state: State, side: str, field: str = "side") -> None:
    sides = setting_of(state).sides
    if side not in sides:
        _refuse(f"There is no side {side!r}; there are: {', '.join(sides)}.", field)


# Pieces


@overrules(orders.MoveTo)
def _move_to(state: State, correction: orders.MoveTo) -> Sequence[Event]:
    _on_map(state, correction.at)
    piece = _piece(state, correction.piece)
    if isinstance(piece, Unit):
        return [events.Arrived(unit=piece.id, at=correction.at, facing=piece.facing)]
    if isinstance(piece, Work):
        return [events.Altered(piece=piece.id, field="at", value=list(correction.at[:2]))]
    if piece.owner:
        _refuse("Its owner carries it: move him, or set its owner to nobody.")
    return [events.WeaponDropped(weapon=piece.id, at=correction.at)]


@overrules(orders.Reveal)
def _reveal(state: State, correction: orders.Reveal) -> Sequence[Event]:
    piece = _piece(state, correction.piece)
    if is_open(state, piece.id):
        _refuse("Everybody sees it already.")
    if isinstance(piece, Weapon):
        _refuse("A weapon is as open as who holds it; reveal him.")
    return [events.Revealed(pieces=(piece.id,))]


@overrules(orders.Conceal)
def _conceal(state: State, correction: orders.Conceal) -> Sequence[Event]:
    piece = _unit(state, correction.piece)
    if not is_open(state, piece.id):
        _refuse("It is hidden already.")
    return [events.Concealed(units=(piece.id,))]


@overrules(orders.Change)
def _change(state: State, correction: orders.Change) -> Sequence[Event]:
    if correction.piece == "battle":
        kind: type[Any] = Public
        known: Sequence[str] = BATTLE_FIELDS
    else:
        piece = _piece(state, correction.piece)
        kind = type(piece)
        known = [name for name in kind.__struct_fields__ if name not in FIXED]
    if correction.field not in known:
        right = _near(correction.field, known) or f" There are {', '.join(known)}."
        _refuse(f"There is no value {correction.field!r} to set.{right}", "field")
    try:
        value = msgspec.convert(correction.value, get_type_hints(kind)[correction.field])
    except msgspec.ValidationError as fault:
        _refuse(f"{correction.value!r} will not do: {str(fault).replace('`', '')}.", "value")
    _sensible(state, correction.field, value)
    if correction.field == "owner":
        return _owned(state, correction.piece, str(value))
    plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        plain = dict(sorted(plain.items()))
    return [events.Altered(piece=correction.piece, field=correction.field, value=plain)]


def _owned(state: State, piece: str, owner: str) -> Sequence[Event]:
    if not owner:
        return [events.WeaponDropped(weapon=piece, at=weapon(state, piece).at)]
    return [events.WeaponTaken(weapon=piece, unit=_unit(state, owner).id)]


def _sensible(state: State, field: str, value: Any) -> None:
    """Refuses what names a place, a row of the book or a side that is not there."""
    tables, ground = tables_of(state), ground_of(state)
    if field == "held" and value:
        _side(state, value, "value")
    for at in [value] if field == "at" else value if field in ("spotted", "star_shells") else ():
        if not is_on_map(state, (at[0], at[1], at[2] if len(at) > 2 else 0)):
            _refuse(f"There is no place {list(at)} on the map.", "value")
    if field == "barrages" and any(ground.at(each.at) is None for each in value):
        _refuse("A barrage lies off the map.", "value")
    if field in ("smoke", "terrain", "control"):
        _hexes(state, value)
    rows: Mapping[str, tuple[str, Iterable[str]]] = {
        "counter": ("counters", [value] if field == "counter" else ()),
        "skills": ("skills", value if field == "skills" else ()),
        "deck": ("skills", value if field == "deck" else ()),
        "terrain": ("terrain", value.values() if field == "terrain" else ()),
    }
    table, keys = rows.get(field, ("", ()))
    for key in keys:
        there = {**tables.book.tables.get(table, {}), **(tables.book.tables["weapons"] if field == "counter" else {})}
        if key not in there:
            _refuse(f"The book has no {key!r}.{_near(key, there)}", "value")
    if field == "control":
        for side in value.values():
            _side(state, side, "value")


def _hexes(state: State, value: Mapping[str, Any]) -> None:
    for key in value:
        column, _, row = key.partition(",")
        if not (column.isdecimal() and row.isdecimal() and ground_of(state).at((int(column), int(row)))):
            _refuse(f"{key!r} is no hex of the map: column and row, as in '3,4'.", "value")


@overrules(orders.Add)
def _add(state: State, correction: orders.Add) -> Sequence[Event]:
    _command(state, correction.command)
    _on_map(state, correction.at)
    tables, side = tables_of(state), setting_of(state).commands[correction.command].side
    try:
        tables.counter(correction.counter)
    except UnknownKey as fault:
        _refuse(f"{fault}.", "counter")
    for gun in correction.weapons:
        try:
            tables.weapon(gun)
        except UnknownKey as fault:
            _refuse(f"{fault}.", "weapons")
    # Random for whoever does not know the whole state, and the same whenever it is asked.
    seed = f"{state_digest(state)} {digest_of(encode(correction))}"
    ids = [f"i{digest_of(f'{seed} {n}'.encode())[:12]}" for n in range(1 + len(correction.weapons))]
    new = Unit(
        id=ids[0],
        command=correction.command,
        side=side,
        counter=correction.counter,
        name=correction.name,
        at=correction.at,
    )
    found: list[Event] = [events.Added(unit=new, is_open=correction.is_open)]
    for key, gun in zip(ids[1:], correction.weapons, strict=True):
        held = Weapon(id=key, command=new.command, side=side, counter=gun, owner=new.id, at=new.at)
        found.append(events.Added(weapon=held, is_open=correction.is_open))
    return found


@overrules(orders.Remove)
def _remove(state: State, correction: orders.Remove) -> Sequence[Event]:
    return [events.Removed(piece=_piece(state, correction.piece).id)]


# What commands know


@overrules(orders.Tell)
def _tell(state: State, correction: orders.Tell) -> Sequence[Event]:
    _command(state, correction.command)
    places = () if correction.at is None else (correction.at,)
    report = Report(key="message", values={"text": correction.text}, places=places)
    return [Told(command=correction.command, report=report)]


@overrules(orders.ShowContact)
def _show_contact(state: State, correction: orders.ShowContact) -> Sequence[Event]:
    _command(state, correction.command)
    _on_map(state, correction.at)
    turn = state.public.turn
    contact = Contact(
        kind=correction.kind,
        at=correction.at,
        looks=dict(sorted(correction.looks.items())),
        since=turn,
        seen=turn,
        status="told",
    )
    return [Sighted(command=correction.command, contact=contact)]


@overrules(orders.DropContact)
def _drop_contact(state: State, correction: orders.DropContact) -> Sequence[Event]:
    _command(state, correction.command)
    known = state.commands[correction.command].contacts
    if correction.alias not in known:
        _refuse(f"There is no contact {correction.alias!r}; there are: {', '.join(known) or 'none'}.", "alias")
    if known[correction.alias].status == "in_sight":
        _refuse("It is in sight; move or remove what stands there instead.", "alias")
    return [FoundEmpty(command=correction.command, alias=correction.alias)]


# The battle


@overrules(orders.SetPhase)
def _set_phase(state: State, correction: orders.SetPhase) -> Sequence[Event]:
    if correction.active or correction.phase != "administrative":
        _side(state, correction.active, "active")
    found: list[Event] = []
    for command in state.commands:
        impulse = impulse_of(state, (command,))
        if impulse is not None and impulse.command == command:
            found.append(events.ImpulseEnded(command=command, active=correction.active))
    return [*found, events.PhaseBegan(phase=correction.phase, active=correction.active)]


@overrules(orders.SetPlan)
def _set_plan(state: State, correction: orders.SetPlan) -> Sequence[Event]:
    plan = replace(correction.plan, by="umpire")
    force = _unit(state, plan.force)
    if is_open(state, force.id):
        _refuse("An open force is moved by its player.", "plan.force")
    for leg in plan.legs:
        for at in leg.path:
            _on_map(state, at, "plan.legs")
    return [events.PlanGiven(plan=replace(plan, command=force.command))]


@overrules(orders.DropPlan)
def _drop_plan(state: State, correction: orders.DropPlan) -> Sequence[Event]:
    if plan_of(state, correction.force) is None:
        _refuse("This force follows no plan.", "force")
    return [events.PlanDropped(force=correction.force)]


@overrules(orders.AwardPoints)
def _award_points(state: State, correction: orders.AwardPoints) -> Sequence[Event]:
    _side(state, correction.side)
    score = Score(side=correction.side, points=correction.points, reason=correction.why, key="umpire")
    return [events.PointsScored(score=score, known=correction.known)]


@overrules(orders.SetPlansOnly)
def _set_plans_only(state: State, correction: orders.SetPlansOnly) -> Sequence[Event]:
    _command(state, correction.command)
    return [events.PlansOnlySet(command=correction.command, plans_only=correction.plans_only)]


@overrules(orders.Happen)
def _happen(state: State, correction: orders.Happen) -> Sequence[Event]:
    known = secrets_of(state).happenings
    happening = known.get(correction.key)
    if happening is None:
        _refuse(f"There is no event {correction.key!r}; there are: {', '.join(known) or 'none'}.", "key")
    if has_happened(state, happening):
        _refuse("It has happened.", "key")
    return events_of(state, happening, marker=happening.marker)


@overrules(orders.EndBattle)
def _end_battle(state: State, correction: orders.EndBattle) -> Sequence[Event]:
    if state.public.result is not None:
        _refuse("It is over already.", "")
    return [events.BattleEnded(result=judged(state, correction.why or "The umpire has ended it."))]
