"""The umpire's hand: what events each correction is. Every value can be set that a battle can have.

Each field is checked by its own type (`umpire.kernel.hand.corrections`); here stands what else a correction asks of the
battle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.happening.hand import Added, Concealed, Removed
from lnl.happening.movement import Arrived
from lnl.happening.plans import PlanDropped, PlanGiven, PlansOnlySet
from lnl.happening.register import apply, says
from lnl.happening.seeing import Revealed
from lnl.happening.turn import BattleEnded, PhaseBegan, PointsScored
from lnl.happening.weapons import WeaponDropped, WeaponTaken
from lnl.orders import orders
from lnl.orders.checks import is_on_map
from lnl.orders.dispatch import hand
from lnl.rules.hidden.plans import DOES, off_course
from lnl.rules.hidden.spotting import uncover
from lnl.rules.melee.melee import lock
from lnl.rules.turn import set_up
from lnl.rules.turn.event_markers import events_of, has_happened
from lnl.rules.turn.victory import judged
from lnl.state.battle import POSSESSED, Facing, Public, Score, State, Unit, Weapon, Work, WorkKind, hex_of
from lnl.state.finding import has_weapon, is_open, piece_of, plan_of, unit, units, weapon, weapons, works
from lnl.state.setting import ground_of, secrets_of, setting_of, tables_of, turns_of
from lnl.words.line import line
from lnl.words.naming import PHASE_NAMES, name_of
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import (
    BATTLE,
    PIECE,
    SIDE,
    Altered,
    AwardPoints,
    EndBattle,
    Variant,
    new_ids,
    refuse,
)
from umpire.kernel.hand.fields import Key, Words
from umpire.kernel.pieces.piece import Hold
from umpire.kernel.registry import Correction, LogLine
from umpire.kernel.rulings import Ruling, Tell

UNITS, PIECES = ("unit",), ("unit", "weapon", "work")

hand.pieces.update({Unit: "unit", Weapon: "weapon", Work: "work"})
hand.battle = (
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
    "turns",
)
CARRIED = "Its owner carries it: move him, or set its owner to nobody."
_seen_as: Mapping[str, Any] = {"side": Annotated[str, Key(SIDE)], "label": Annotated[str, Words(60)]}
hand.looks.update(
    {
        "unit": {
            **_seen_as,
            "counter": Annotated[str, Key("counter")],
            "moved": hand.hint(Unit, "moved"),
            "facing": Facing,
            **dict.fromkeys(("shaken", "wounded", "fired", "moving"), bool),
        },
        "weapon": {**_seen_as, "counter": Annotated[str, Key("support weapon")]},
        "work": {**_seen_as, "work": WorkKind, "facing": Facing},
        "report": {"label": Annotated[str, Words(60)]},
    }
)
hand.labels.update({"ops_complete": "Ops Complete", "held": "Initiative", "turns": "Number of turns", "at": "Where"})
hand.labels.update(
    {"is_off": "Off the board", "arrives": "Comes in in turn (0: at once)", "known": "Everybody sees it"}
)


# What there is


@hand.finds
def _find(state: State, piece: str) -> Any:
    return piece_of(state, piece)


@hand.kind(PIECE)
def _pieces(state: State) -> Mapping[str, str]:
    return {each.id: name_of(state, each.id) for found in (units, weapons, works) for each in found(state)}


@hand.kind("unit")
def _units(state: State) -> Mapping[str, str]:
    return {each.id: name_of(state, each.id) for each in units(state)}


@hand.kind("command")
def _commands(state: State) -> Mapping[str, str]:
    return {key: command.name for key, command in setting_of(state).commands.items()}


@hand.kind("side")
def _sides(state: State) -> Mapping[str, str]:
    return {key: side.name for key, side in setting_of(state).sides.items()}


@hand.kind("zone")
def _zones(state: State) -> Mapping[str, str]:
    return {key: zone.name for key, zone in setting_of(state).zones.items()}


@hand.kind("place")
def _no_place(state: State, at: Place) -> str:
    is_there = len(at) == 3 and is_on_map(state, at)
    return "" if is_there else f"There is no place {list(at)} on the map."


@hand.kind("hex")
def _no_hex(state: State, at: tuple[int, int]) -> str:
    return "" if ground_of(state).at(at) is not None else f"There is no hex {list(at)} on the map."


@hand.kind("hex by key")
def _no_key(state: State, key: str) -> str:
    column, _, row = key.partition(",")
    is_key = all(part.isdecimal() and part.isascii() and len(part) < 4 for part in (column, row))
    if is_key and key == f"{int(column)},{int(row)}" and ground_of(state).at(hex_of(key)) is not None:
        return ""
    return f"{key[:20]!r} is no hex of the map: column and row, as in '3,4'."


def _rows(table: str, noun: str) -> None:
    @hand.kind(noun)
    def known(state: State) -> Mapping[str, str]:
        rows = tables_of(state).book.tables.get(table, {})
        return {key: str(row["name"].value) if "name" in row else key for key, row in rows.items()}


_rows("counters", "counter")
_rows("weapons", "support weapon")
_rows("skills", "skill card")
_rows("terrain", "terrain")


@hand.kind("attempt")
def _attempts(state: State) -> Mapping[str, str]:
    return {each: each for each in ("rally", "second", "heal")}


@hand.kind("thing to do on a signal")
def _does(state: State) -> Mapping[str, str]:
    return {each: each for each in DOES}


@hand.kind("event")
def _happenings(state: State) -> Mapping[str, str]:
    return {key: key for key in secrets_of(state).happenings}


# Pieces


def overrule(state: State, correction: Correction) -> Sequence[Event]:
    """The events of a correction, and what comes of them: in an open battle whom an enemy sees is open, and who stands
    among enemies is locked in melee. Raises Refused. `core 10.1`, `core 8.1`"""
    found = list(hand.deeds[type(correction)].events(state, correction))
    if state.public.phase == "set_up" or not isinstance(correction, orders.MoveTo | orders.Add):
        return found
    for event in found:
        state = apply(state, event)
    for follows in (uncover, lock):
        ruling = follows(state)
        step = next(ruling, None)
        while isinstance(step, Tell):
            found.append(step.event)
            state = apply(state, step.event)
            step = _sent(ruling, state)
    return found


def _sent(ruling: Ruling[State], state: State) -> Any:
    try:
        return ruling.send(state)
    except StopIteration:
        return None


def _is_movable(state: State, piece: str) -> bool:
    return not (has_weapon(state, piece) and weapon(state, piece).owner)


@hand.does(orders.MoveTo, "Move", on=PIECES, may=_is_movable, note="Hidden stays hidden, but for who sees it there.")
def _move_to(state: State, correction: orders.MoveTo) -> Sequence[Event]:
    piece = piece_of(state, correction.piece)
    if isinstance(piece, Unit):
        start = piece.at if piece.is_placed else None
        return [Arrived(unit=piece.id, at=correction.at, facing=piece.facing, start=start)]
    if isinstance(piece, Work):
        here = list(correction.at[:2])
        return [Altered(piece=piece.id, field="at", value=here, was=list(piece.at))]
    assert isinstance(piece, Weapon)
    if piece.owner:
        refuse(CARRIED)
    return [WeaponDropped(weapon=piece.id, at=correction.at, start=piece.at)]


def _may_be_revealed(state: State, piece: str) -> bool:
    return not is_open(state, piece) and not has_weapon(state, piece)


@hand.does(orders.Reveal, "Reveal to all", on=("unit", "work"), may=_may_be_revealed, note="Everybody sees it.")
def _reveal(state: State, correction: orders.Reveal) -> Sequence[Event]:
    if has_weapon(state, correction.piece):
        refuse("A weapon is as open as who holds it; reveal him.")
    if is_open(state, correction.piece):
        refuse("Everybody sees it already.")
    return [Revealed(pieces=(correction.piece,))]


@hand.does(orders.Conceal, "Hide", on=UNITS, may=is_open, note="It is seen where the rules let the enemy see it.")
def _conceal(state: State, correction: orders.Conceal) -> Sequence[Event]:
    if not isinstance(piece_of(state, correction.piece), Unit):
        refuse("This is no unit.")
    if not is_open(state, correction.piece):
        refuse("It is hidden already.")
    return [Concealed(units=(correction.piece,))]


@hand.sets(Public, "turns", hand.hint(Public, "turns"), lambda state, public: turns_of(state))
def _set_turns(state: State, public: Public, turns: int) -> Sequence[Event]:
    return [Altered(piece=BATTLE, field="turns", value=turns, was=turns_of(state))]


@hand.sets(Unit, "is_placed", bool, lambda state, each: each.is_placed)
def _set_placed(state: State, each: Unit, is_placed: bool) -> Sequence[Event]:
    return [Altered(piece=each.id, field="is_off", value=not is_placed, was=each.is_off)]


@hand.sets(Weapon, "at", hand.hint(Weapon, "at"), lambda state, gun: gun.at, may=lambda gun: not gun.owner)
def _put(state: State, gun: Weapon, at: Place) -> Sequence[Event]:
    if gun.owner:
        refuse(CARRIED, "field")
    return [Altered(piece=gun.id, field="at", value=list(at), was=list(gun.at))]


@hand.sets(Weapon, "owner", Annotated[str, Key("unit", True)], lambda state, gun: gun.owner)
def _owned(state: State, gun: Weapon, owner: str) -> Sequence[Event]:
    if not owner:
        return [WeaponDropped(weapon=gun.id, at=gun.at)] if gun.owner else []
    return [WeaponTaken(weapon=gun.id, unit=owner)]


@hand.does(
    orders.Add,
    "Add a unit",
    variants=(
        Variant(
            "Add a unit", {}, "In an open battle all see it; in a blind one it is hidden, but for who sees it there."
        ),
        Variant("Add a unit, hidden", {"is_open": False}, "Only who sees it there by the rules."),
        Variant("Add a unit for all to see", {"is_open": True}, "Everybody sees it."),
    ),
)
def _add(state: State, correction: orders.Add) -> Sequence[Event]:
    setting = setting_of(state)
    side = setting.commands[correction.command].side
    is_shown = setting.options.play == "open" if correction.is_open is None else correction.is_open
    if correction.arrives and correction.arrives <= state.public.turn:
        refuse(f"It is turn {state.public.turn} already.", "arrives")
    ids = new_ids(state, correction, 1 + len(correction.weapons))
    new = Unit(
        id=ids[0],
        command=correction.command,
        side=side,
        counter=correction.counter,
        name=correction.name,
        at=correction.at,
        is_off=bool(correction.arrives),
        arrives=correction.arrives,
        zone=correction.zone,
    )
    found: list[Event] = [Added(unit=new, is_open=is_shown)]
    for key, gun in zip(ids[1:], correction.weapons, strict=True):
        held = Weapon(
            id=key, command=new.command, side=side, counter=gun, at=new.at, hold=Hold(by=new.id, how=POSSESSED)
        )
        found.append(Added(weapon=held, is_open=is_shown))
    return found


@hand.does(orders.Remove, "Remove", on=PIECES, is_harm=True)
def _remove(state: State, correction: orders.Remove) -> Sequence[Event]:
    gone = Removed(piece=correction.piece, what=name_of(state, correction.piece))
    return [*([PlanDropped(force=gone.piece)] if plan_of(state, gone.piece) else []), gone]


# The battle


@hand.does(orders.SetPhase, "Set the phase", note="Everybody sees it.")
def _set_phase(state: State, correction: orders.SetPhase) -> Sequence[Event]:
    if not correction.active and correction.phase != "administrative":
        refuse(f"Whose {PHASE_NAMES[correction.phase]} is it? Name a side.", "active")
    if correction.phase == "set_up" and not set_up.order(state):
        refuse("Nobody sets up in this battle: it is set up as printed.", "phase")
    return [PhaseBegan(phase=correction.phase, active=correction.active)]


@hand.does(orders.SetPlan, "Give a plan", on=UNITS, subject="plan.force")
def _set_plan(state: State, correction: orders.SetPlan) -> Sequence[Event]:
    plan = replace(correction.plan, by="umpire", on_signal=dict(sorted(correction.plan.on_signal.items())))
    force = unit(state, plan.force)
    if is_open(state, force.id):
        refuse("An open force is moved by its player.", "plan.force")
    for wrong in off_course(state, force.id, plan.legs):
        refuse(wrong.reason, f"plan.{wrong.field}")
    return [PlanGiven(plan=replace(plan, command=force.command))]


def _has_plan(state: State, force: str) -> bool:
    return plan_of(state, force) is not None


@hand.does(orders.DropPlan, "Drop its plan", on=UNITS, subject="force", may=_has_plan)
def _drop_plan(state: State, correction: orders.DropPlan) -> Sequence[Event]:
    if not _has_plan(state, correction.force):
        refuse("This force follows no plan.", "force")
    return [PlanDropped(force=correction.force)]


@hand.does(AwardPoints, "Award points")
def _award_points(state: State, correction: AwardPoints) -> Sequence[Event]:
    score = Score(side=correction.side, points=correction.points, reason=correction.why, key="umpire")
    return [PointsScored(score=score, known=correction.known)]


@hand.does(orders.SetPlansOnly, "Leave to its plans")
def _set_plans_only(state: State, correction: orders.SetPlansOnly) -> Sequence[Event]:
    return [PlansOnlySet(command=correction.command, plans_only=correction.plans_only)]


@hand.does(orders.Happen, "Let an event happen")
def _happen(state: State, correction: orders.Happen) -> Sequence[Event]:
    happening = secrets_of(state).happenings[correction.key]
    if has_happened(state, happening):
        refuse("It has happened.", "key")
    return events_of(state, happening, marker=happening.marker)


@hand.does(EndBattle, "End the battle", note="Everybody sees it.")
def _end_battle(state: State, correction: EndBattle) -> Sequence[Event]:
    if state.public.result is not None:
        refuse("It is over already.", "")
    return [BattleEnded(result=judged(state, correction.why or "The umpire has ended it."))]


hand.common()


@says(Altered)
def _altered_words(state: State, event: Altered) -> LogLine:
    what = "the battle" if event.piece == BATTLE else name_of(state, event.piece)
    return line(hand.altered(state, event, what), "umpire", "", () if event.piece == BATTLE else (event.piece,))
