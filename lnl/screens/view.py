"""What a client draws: the view of a seat from its belief, and the umpire's from the truth. `lnl.screens.scene` is what
stays.

Objects of objects keyed by id, without nulls. Own pieces stand under their ids, others under the aliases by which the
seat knows them. Places are [column, row, level].
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from lnl.knowledge.belief import in_sight
from lnl.orders.checks import active_commands
from lnl.rules.turn.victory import controller, tally
from lnl.screens.drawn import View, ViewConditions, ViewFeature, ViewImpulse, ViewPhase, ViewPiece, ViewPlan
from lnl.screens.pieces import drawn_contact, drawn_unit, drawn_weapon, drawn_work
from lnl.state.battle import Believed, Phase, Plan, Public, State, UmpirePart, Unit
from lnl.state.finding import has_ended, impulse_of, is_open_command, plans, units, weapons, works
from lnl.state.setting import PublicSetting, setting_of, tables_of, turns_of
from lnl.words.naming import PHASE_NAMES, side_name
from umpire.kernel.states import Seat
from umpire.kernel.values.maps import ordered
from umpire.kernel.values.memo import Memo
from umpire.kernel.views import ViewCommand, ViewContact, ViewLeg, ViewOutcome, ViewPoints, ViewSide, ViewYou

KEPT = 16
"""As many beliefs as views are remembered of: those of all seats of a battle, so that who sees nothing new is not drawn
anew."""
PROMPTS: Mapping[Phase, str] = {
    "set_up": "Set your units up in their zones, then end set-up.",
    "rally": "Rally your Shaken units, see to weapons, then end the rally.",
    "operations": "Choose a unit to activate its hex, or pass.",
    "administrative": "Markers come off.",
}
IN_IMPULSE = "Act with what you have activated, then end the impulse."


def view(believed: Believed, seat: Seat) -> View:
    """The view of a seat, from its belief alone."""
    drawn = _memo.of(believed)
    if seat not in drawn:
        drawn[seat] = _view(believed, seat)
    return drawn[seat]


_memo: Memo[Believed, dict[Seat, View]] = Memo(lambda believed: {}, kept=KEPT)


def _view(believed: Believed, seat: Seat) -> View:
    seen = in_sight(believed.commands)
    contacts = {
        alias: drawn_contact(believed, each)
        for part in believed.commands.values()
        for alias, each in part.contacts.items()
        if each.status != "in_sight" or alias in seen
    }
    own = {force: plan for part in believed.commands.values() for force, plan in part.plans.items()}
    return _battle(
        believed,
        seat,
        pieces=_pieces(believed, frozenset(seat.commands), _acting(believed, seat)),
        contacts=contacts,
        known=own or UNSET,
    )


def truth(state: State) -> View:
    """What the umpire's desk draws: everything under its true id, with who sees it, and all plans."""
    everyone = tuple(state.commands)
    seat = Seat(name="umpire", role="umpire", commands=everyone)
    public, known = state.public, state.umpire.aliases.items()
    pieces: dict[str, ViewPiece] = {}
    for key, piece in _pieces(state, frozenset(everyone), _acting(state, seat)).items():
        is_open = key in public.pieces
        seen_by = everyone if is_open else tuple(sorted(name for name, seen in known if key in seen))
        pieces[key] = replace(piece, hidden=not is_open, seen_by=seen_by)
    return _battle(state, seat, pieces=pieces, contacts={}, known=plans(state))


def _acting(state: State, seat: Seat) -> frozenset[str]:
    if state.public.result is not None:
        return frozenset()
    return frozenset(active_commands(state, seat))


class _Open:
    """What whoever leads nobody is shown of a public part: what all others see of it too, drawn once for all."""

    def __init__(self, public: Public) -> None:
        self.belief = Believed(public=public, commands={}, umpire=UmpirePart())

    @cached_property
    def pieces(self) -> Mapping[str, ViewPiece]:
        return _pieces(self.belief, frozenset(), frozenset())

    @cached_property
    def features(self) -> Mapping[str, ViewFeature]:
        return _features(self.belief, setting_of(self.belief))

    @cached_property
    def points(self) -> Mapping[str, ViewPoints]:
        return _points(self.belief)


_open: Memo[Public, _Open] = Memo(_Open)


# The battle


def _battle(
    state: State,
    seat: Seat,
    *,
    pieces: Mapping[str, ViewPiece],
    contacts: Mapping[str, ViewContact],
    known: Mapping[str, Plan] | UnsetType,
) -> View:
    """The view of a seat with these pieces and contacts; of known plans, UNSET leaves them out."""
    setting, public = setting_of(state), state.public
    mine = frozenset(seat.commands)
    open_part = _open.of(public)
    # Beside what all see, markers and losses are all that features and points of a belief are made of.
    knows_no_more = isinstance(state, Believed) and not any(
        part.spotted or part.losses for part in state.commands.values()
    )
    own_sides = sorted({setting.commands[name].side for name in mine})
    result = public.result
    return View(
        turn=public.turn,
        turns=turns_of(state),
        phase=ViewPhase(
            key=public.phase,
            label=PHASE_NAMES[public.phase],
            active=public.active,
            held=public.held,
            passes=public.passes,
            mine=bool(_acting(state, seat)),
            rule="core 2.0",
            ended={key: True for key in setting.commands if has_ended(state, key)},
        ),
        you=ViewYou(commands=tuple(sorted(mine)), side=own_sides[0] if len(own_sides) == 1 else ""),
        conditions=ViewConditions(hour=public.hour),
        sides={
            key: ViewSide(name=side.name, kind=side.nation, colour=side.colour or _colour(state, side.nation))
            for key, side in setting.sides.items()
        },
        commands={
            key: ViewCommand(name=command.name, side=command.side, own=key in mine)
            for key, command in setting.commands.items()
            if is_open_command(state, key) or command.side in own_sides
        },
        features=open_part.features if knows_no_more else _features(state, setting),
        points=open_part.points if knows_no_more else _points(state),
        groups={},
        pieces=pieces,
        contacts=ordered(contacts),
        plans=UNSET if known is UNSET else {force: plan_view(plan) for force, plan in ordered(known).items()},
        prompts=_prompts(state, seat),
        impulse=_impulse(state, seat),
        outcome=UNSET if result is None else ViewOutcome(is_over=True, winner=result.winner, why=result.why),
    )


def _colour(state: State, nation: str) -> str:
    return tables_of(state).nation(nation).colour


def _impulse(state: State, seat: Seat) -> ViewImpulse | UnsetType:
    """The impulse that goes on, as far as the seat knows of one: an open one, or its own."""
    found = impulse_of(state, seat.commands)
    if found is None or not (state.public.impulse is not None or found.command in seat.commands):
        return UNSET
    return ViewImpulse(
        command=found.command, places=found.places, acted=found.acted, tried_spotting=found.tried_spotting
    )


def _points(state: State) -> dict[str, ViewPoints]:
    total = tally(state)
    return {
        side: ViewPoints(total=points, lines=tuple(total.lines.get(side, ()))) for side, points in total.points.items()
    }


def _prompts(state: State, seat: Seat) -> dict[str, str]:
    public = state.public
    if public.result is not None:
        return {"now": public.result.why}
    if not _acting(state, seat):
        words = f"{side_name(state, public.active)}: {PHASE_NAMES[public.phase]}."
        return {"now": words if public.active else f"{PHASE_NAMES[public.phase]}."}
    impulse = impulse_of(state, seat.commands)
    if public.phase == "operations" and impulse is not None and impulse.places:
        return {"now": IN_IMPULSE}
    return {"now": PROMPTS[public.phase]}


# What lies on the map


def _features(state: State, setting: PublicSetting) -> Mapping[str, ViewFeature]:
    public = state.public
    found: dict[str, ViewFeature] = {}
    for key, stage in public.smoke.items():
        found[f"smoke {key}"] = ViewFeature(kind="smoke", at=_hex(key), label=f"Smoke {stage}", stage=stage)
    for key, kind in public.terrain.items():
        name = tables_of(state).terrain(kind).name
        found[f"terrain {key}"] = ViewFeature(kind="terrain", at=_hex(key), label=name, terrain=kind)
    for at in public.star_shells:
        radius = tables_of(state).number("star_shell_radius")
        found[f"star shell {at[0]},{at[1]}"] = ViewFeature(kind="star_shell", at=at, label="Star shell", radius=radius)
    for number, barrage in enumerate(public.barrages):
        found[f"barrage {number}"] = ViewFeature(
            kind="barrage",
            at=barrage.at,
            label="Fire For Effect",
            firepower=barrage.firepower,
            radius=barrage.radius,
        )
    for key, melee in public.melees.items():
        label = "Melee, fought this turn" if melee.fought else "Melee"
        found[f"melee {key}"] = ViewFeature(kind="melee", at=melee.at, label=label)
    spotted = {*public.spotted, *(each for part in state.commands.values() for each in part.spotted)}
    for place in sorted(spotted):
        key = ",".join(map(str, place))
        found[f"spotted {key}"] = ViewFeature(kind="spotted", at=place, label="Spotted")
    found.update(_objectives(state, setting))
    for key, marker in setting.markers.items():
        if key not in public.happened:
            found[f"event {key}"] = ViewFeature(kind="event_marker", at=marker.at, label=f"Event: {marker.kind}")
    return ordered(found)


def _objectives(state: State, setting: PublicSetting) -> dict[str, ViewFeature]:
    found: dict[str, ViewFeature] = {}
    for key, objective in setting.objectives.items():
        if not objective.zone:
            continue
        zone = setting.zones[objective.zone]
        for at in zone.hexes:
            held = controller(state, at) if objective.deed == "control" else ""
            label = f"{objective.name} ({side_name(state, held)})" if held else objective.name
            found[f"objective {key} {at[0]},{at[1]}"] = ViewFeature(
                kind="objective" if objective.deed == "control" else "exit",
                at=at,
                label=label,
                side=objective.side,
                held=held,
                points=objective.points,
            )
    return found


def _hex(key: str) -> tuple[int, ...]:
    return tuple(int(part) for part in key.split(","))


# Pieces


def _pieces(state: State, mine: frozenset[str], acting: frozenset[str]) -> Mapping[str, ViewPiece]:
    found = dict(_open.of(state.public).pieces) if mine else {}
    for each in units(state):
        own = each.command in mine
        if own or (each.is_placed and each.id not in found):
            found[each.id] = drawn_unit(state, each, own, _may_act(state, each, acting), _waits(state, each))
    for gun in weapons(state):
        own = gun.command in mine
        if (own or gun.id not in found) and (not gun.owner or gun.owner in found):
            found[gun.id] = drawn_weapon(state, gun, own)
    for work in works(state):
        own = work.command in mine
        if own or work.id not in found:
            found[work.id] = drawn_work(state, work, own)
    return ordered(found)


def _may_act(state: State, each: Unit, acting: frozenset[str]) -> bool:
    if each.command not in acting or not each.is_placed:
        return False
    return state.public.phase != "operations" or (not each.fired and not each.ops_complete and each.moved != "move")


def _waits(state: State, each: Unit) -> str:
    """Why a unit is not on the map."""
    if each.is_placed:
        return ""
    return f"Arrives in turn {each.arrives}" if 0 < each.arrives <= turns_of(state) else "Not on the map"


def plan_view(plan: Plan) -> ViewPlan:
    """A plan as the desk draws it; the pace of a leg with it."""
    return ViewPlan(
        command=plan.command,
        by=plan.by,
        legs=tuple(ViewLeg(path=leg.path, pace=leg.pace, turns=leg.turns) for leg in plan.legs),
        leg=plan.leg,
        along=plan.along,
        is_held=plan.is_held,
        on_contact=plan.on_contact,
        on_signal=plan.on_signal,
        status=plan.status,
        step=plan.step,
        note=plan.note,
    )
