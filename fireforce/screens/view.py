"""What a client draws: the view of a seat from its belief, and the umpire's from the truth.

Objects of objects keyed by id, without nulls. Own pieces stand under their ids, others under the aliases by which the
seat knows them; a face-down card looks the same whatever it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from fireforce.knowledge.belief import in_sight
from fireforce.orders.checks import PHASE_NAMES, active_commands
from fireforce.screens.drawn import View, ViewConditions, ViewFeature, ViewPhase, ViewPiece, ViewPlan
from fireforce.screens.groups import reserve_group, squad_groups
from fireforce.screens.pieces import card_piece, contact_piece, contact_view, counter_piece, figure_piece
from fireforce.state.battle import PLAYED, Believed, Phase, Plan, State
from fireforce.state.finding import cards, counters, figures, has_ended, is_open_command, plans, reserves, squads
from fireforce.state.points import tally
from fireforce.state.setting import PublicSetting, setting_of, turns_of
from umpire.kernel.states import Seat
from umpire.kernel.values.maps import ordered
from umpire.kernel.views import (
    ViewCommand,
    ViewContact,
    ViewGroup,
    ViewLeg,
    ViewOutcome,
    ViewPoints,
    ViewSide,
    ViewYou,
)

PROMPTS: Mapping[Phase, str] = {
    "motivation_movement": "Roll for the motivation of each squad, then move it. End the phase when all have moved.",
    "searching": "Send men who stand on a card to search it, or end the phase.",
    "firing": "Choose who fires at whom, or end the phase.",
    "close_combat": "Fight where enemies are in contact, or end the phase.",
}


def view(believed: Believed, seat: Seat) -> View:
    """The view of a seat, from its belief alone."""
    mine = frozenset(seat.commands)
    seen = in_sight(believed.commands)
    pieces = _pieces(believed, mine, _acting(believed, seat))
    pieces.update({alias: contact_piece(believed, each) for alias, each in seen.items() if each.kind != "figure"})
    contacts = {
        alias: contact_view(believed, each)
        for part in believed.commands.values()
        for alias, each in part.contacts.items()
        if each.status != "in_sight" or alias in seen
    }
    own = {force: plan for part in believed.commands.values() for force, plan in part.plans.items()}
    groups = _groups(believed, mine)
    return _battle(believed, seat, pieces=pieces, groups=groups, contacts=contacts, known=own or UNSET)


def truth(state: State) -> View:
    """What the umpire's desk draws: everything under its true id, with who sees it, and all plans."""
    everyone = tuple(state.commands)
    seat = Seat(name="umpire", role="umpire", commands=everyone)
    known = state.umpire.aliases.items()
    pieces: dict[str, ViewPiece] = {}
    for key, piece in _pieces(state, frozenset(everyone), _acting(state, seat)).items():
        is_open = key in state.public.pieces
        seen_by = everyone if is_open else (command for command, aliases in known if key in aliases)
        pieces[key] = replace(piece, hidden=not is_open, seen_by=tuple(sorted(seen_by)))
    groups = _groups(state, frozenset(everyone))
    return _battle(state, seat, pieces=pieces, groups=groups, contacts={}, known=plans(state))


def _acting(state: State, seat: Seat) -> frozenset[str]:
    return frozenset(active_commands(state, seat)) if state.public.phase in PLAYED else frozenset()


def _pieces(state: State, mine: frozenset[str], acting: frozenset[str]) -> dict[str, ViewPiece]:
    """The pieces that a state holds: of a belief, figures in sight and what is one's own."""
    return {
        **{man.id: figure_piece(state, man, mine, acting) for man in figures(state) if man.is_fit},
        **{each.id: card_piece(state, each, mine, acting) for each in cards(state)},
        **{each.id: counter_piece(state, each, mine, acting) for each in counters(state)},
    }


def _groups(state: State, mine: frozenset[str]) -> Mapping[str, ViewGroup]:
    return {
        **squad_groups(state, (unit for unit in squads(state) if unit.command in mine)),
        **{each.id: reserve_group(state, each) for each in reserves(state) if each.command in mine},
    }


# The battle


def _battle(
    state: State,
    seat: Seat,
    *,
    pieces: Mapping[str, ViewPiece],
    groups: Mapping[str, ViewGroup],
    contacts: Mapping[str, ViewContact],
    known: Mapping[str, Plan] | UnsetType,
) -> View:
    """The view of a seat with these pieces, groups and contacts; of known plans, UNSET leaves them out."""
    setting, public = setting_of(state), state.public
    mine = frozenset(seat.commands)
    own_sides = sorted({setting.commands[name].side for name in mine})
    result, is_acting = public.result, bool(_acting(state, seat))
    return View(
        turn=public.turn,
        turns=turns_of(state),
        phase=ViewPhase(
            key=public.phase,
            label=PHASE_NAMES[public.phase],
            active=public.active,
            mine=is_acting,
            rule="fireforce turn-sequence",
            ended={key: True for key in setting.commands if has_ended(state, key)},
        ),
        you=ViewYou(commands=tuple(sorted(mine)), side=own_sides[0] if len(own_sides) == 1 else ""),
        conditions=ViewConditions(hour=public.hour, weather=public.weather, wind=public.wind),
        sides={
            key: ViewSide(name=side.name, kind=side.kind, colour=side.colour) for key, side in setting.sides.items()
        },
        commands={
            key: ViewCommand(name=command.name, side=command.side, own=key in mine)
            for key, command in setting.commands.items()
            if is_open_command(state, key) or command.side in own_sides
        },
        features=_features(state, setting),
        points=_points(state),
        pieces=ordered(pieces),
        groups=ordered(groups),
        contacts=ordered(contacts),
        plans=UNSET if known is UNSET else {force: plan_view(plan) for force, plan in ordered(known).items()},
        prompts=_prompts(state, is_acting),
        outcome=UNSET if result is None else ViewOutcome(is_over=True, winner=result.winner, why=result.why),
    )


def _points(state: State) -> dict[str, ViewPoints]:
    total = tally(state)
    return {
        side: ViewPoints(total=points, lines=tuple(total.lines.get(side, ()))) for side, points in total.points.items()
    }


def _features(state: State, setting: PublicSetting) -> Mapping[str, ViewFeature]:
    known = {each.zone for each in setting.objectives.values()}  # the others are those of secret objectives
    zones = {
        f"zone {key}": ViewFeature(kind="zone", ring=zone.polygon, label=zone.name)
        for key, zone in setting.zones.items()
        if not isinstance(state, Believed) or key in known
    }
    overlays = {
        f"over {each.key}": ViewFeature(kind=each.kind, ring=each.polygon, label=each.name)
        for each in state.public.overlays
    }
    return ordered({**zones, **overlays})


def _prompts(state: State, is_acting: bool) -> dict[str, str]:
    public, setting = state.public, setting_of(state)
    if public.result is not None:
        return {"now": public.result.why}
    if is_acting:
        return {"now": PROMPTS.get(public.phase, "")}
    side = setting.sides.get(public.active)
    return {"now": f"{side.name}: {PHASE_NAMES[public.phase]}." if side else "The battle has not begun."}


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
        fire=plan.fire,
        fire_range=plan.fire_range,
        targets=plan.targets,
        withdraw_to=UNSET if plan.withdraw_to is None else plan.withdraw_to,
        status=plan.status,
        step=plan.step,
        note=plan.note,
    )
