"""Rolling for motivation, and the gamble of rolling again. `fireforce motivation`, `fireforce desperate-gamble`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fireforce.happening.men import GambleUsed
from fireforce.happening.rulings import tell
from fireforce.orders import orders
from fireforce.orders.checks import not_ours
from fireforce.orders.dispatch import at as at_moment
from fireforce.orders.dispatch import handles
from fireforce.rules.men.motivation import (
    RULE,
    WHEN,
    has_to_roll,
    motivate_team,
    motivation_bands,
    motivation_modifiers,
    result_row,
    rollers,
    rolls,
    rolls_as,
)
from fireforce.rules.men.squads import leader_of, team_named
from fireforce.rules.movement.withdrawal import close_moves
from fireforce.state.battle import (
    Believed,
    Figure,
    Squad,
    State,
)
from fireforce.state.finding import (
    commands_of,
    has_squad,
    members_of,
    squad,
    squads,
)
from fireforce.state.setting import setting_of
from umpire.kernel.forms import Form
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal, total


def check_motivate(believed: Believed, seat: Seat, order: orders.Motivate) -> Iterable[Refusal]:
    """Each team rolls once a turn, if anybody in it needs to. `fireforce motivation`"""
    if found := list(_named_team(believed, seat, order.squad, order.team)):
        return found
    unit = squad(believed, order.squad)
    team = team_named(unit, order.team) or ""
    if unit.teams[team].result:
        return [Refusal(f"{unit.name} has been rolled for in this turn.", RULE, "squad")]
    if unit.teams[team].has_moved:
        return [Refusal(f"{unit.name} has moved; its motivation comes first.", RULE, "squad")]
    if not rolls(believed, unit, team):
        return [Refusal(f"{unit.name} needs no motivation.", "fireforce special-motivation", "squad")]
    return []


def _named_team(believed: Believed, seat: Seat, piece: str, name: str) -> Iterator[Refusal]:
    yield from not_ours(believed, seat, [piece], "squad", RULE)
    if not has_squad(believed, piece):
        yield Refusal(f"{piece!r} is no squad of yours.", RULE, "squad")
        return
    unit = squad(believed, piece)
    team = team_named(unit, name)
    if team is None:
        what = f"There is no team {name!r}" if name else f"{unit.name} has split: name the team"
        yield Refusal(f"{what}; there are: {', '.join(unit.teams)}.", RULE, "team")
    elif not members_of(believed, unit, team):
        yield Refusal("None of these men is fit.", RULE, "team")


def motivate(state: State, seat: Seat, order: orders.Motivate) -> Ruling[State]:
    """One squad is rolled for and moved before the next: what another squad has not done by now it does not do, but
    for what its own roll makes it do. `fireforce motivation`"""
    unit = squad(state, order.squad)
    team = team_named(unit, order.team)
    if team is None or not members_of(state, unit, team):
        return state
    state = yield from close_moves(state, unit.command, but=unit.id)
    return (yield from motivate_team(state, unit.id, team))


# The desperate gamble


def gambler(state: State, unit: Squad, team: str) -> Figure | None:
    """The leader who may urge a team on: one with a positive rating who has not done so in this battle.
    `fireforce desperate-gamble`"""
    leader = leader_of(state, unit, team)
    if leader is None or (leader.motivation_rating or 0) <= 0 or leader.has_gambled:
        return None
    return leader if leader.id in unit.teams[team].own else None


def check_gamble(believed: Believed, seat: Seat, order: orders.DesperateGamble) -> Iterable[Refusal]:
    """After the first roll and before anybody has moved, once for each leader and battle.
    `fireforce desperate-gamble`"""
    rule = "fireforce desperate-gamble"
    if not setting_of(believed).options.desperate_gamble:
        return [Refusal("The desperate gamble is not played in this battle.", rule)]
    if found := list(_named_team(believed, seat, order.squad, order.team)):
        return found
    unit = squad(believed, order.squad)
    team = team_named(unit, order.team) or ""
    men = rollers(believed, unit, team)
    if not unit.teams[team].result:
        return [Refusal(f"{unit.name} has not been rolled for yet.", rule, "squad")]
    if unit.teams[team].has_moved or any(man.moved for man in men):
        return [Refusal(f"{unit.name} has moved.", rule, "squad")]
    leader = leader_of(believed, unit, team)
    if leader is None or (leader.motivation_rating or 0) <= 0:
        return [Refusal("Only a leader with a positive rating can urge his men on.", rule, "squad")]
    if leader.id not in unit.teams[team].own:
        return [Refusal("The men for whom he was rolled have joined others since.", rule, "squad")]
    if leader.has_gambled:
        return [Refusal(f"{leader.name or 'The leader'} has had his one gamble.", rule, "squad")]
    return []


def gamble(state: State, seat: Seat, order: orders.DesperateGamble) -> Ruling[State]:
    """A second roll with a modifier of its own; it counts, better or worse. `fireforce desperate-gamble`"""
    unit = squad(state, order.squad)
    team = team_named(unit, order.team)
    leader = gambler(state, unit, team) if team is not None else None
    if team is None or leader is None:
        return state
    state = yield from tell(GambleUsed(figure=leader.id))
    return (yield from motivate_team(state, unit.id, team, is_gamble=True))


# The end of the phase


@at_moment("motivation_movement", "ends")
def roll_for_the_rest(state: State) -> Ruling[State]:
    """Whoever has not been rolled for when the phase ends is rolled for then: each squad rolls.
    `fireforce motivation`"""
    for command in commands_of(state, state.public.active):
        is_hidden = not setting_of(state).commands[command].is_open
        for unit in [each for each in squads(state) if each.command == command]:
            for team in unit.teams:
                if has_to_roll(state, squad(state, unit.id), team):
                    # What follows by itself has no number in the names of its dice: the turn makes them differ.
                    subject = f"{unit.id} {team} turn {state.public.turn}"
                    state = yield from motivate_team(state, unit.id, team, secret=is_hidden, subject=subject)
        state = yield from close_moves(state, command)
    return state


# Forms and words


def _teams(believed: Believed, seat: Seat, subject: str | None) -> Iterator[tuple[Squad, str, str]]:
    if subject is None or not has_squad(believed, subject):
        return
    unit = squad(believed, subject)
    if unit.command not in seat.commands:
        return
    for name in unit.teams:
        yield unit, name, f" ({name})" if len(unit.teams) > 1 else ""


def motivate_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """A roll for each team that has not rolled."""
    for unit, name, which in _teams(believed, seat, subject):
        if not check_motivate(believed, seat, orders.Motivate(squad=unit.id, team=name)):
            yield Form(
                verb="Motivate",
                label=f"Roll for motivation{which}",
                subject=(unit.id,),
                fixed={"squad": unit.id, "team": name},
                rule=RULE,
                odds=True,
            )


def gamble_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """A gamble for each team whose leader has one left."""
    for unit, name, which in _teams(believed, seat, subject):
        if not check_gamble(believed, seat, orders.DesperateGamble(squad=unit.id, team=name)):
            yield Form(
                verb="DesperateGamble",
                label=f"Desperate gamble{which}",
                subject=(unit.id,),
                fixed={"squad": unit.id, "team": name},
                note="The second roll counts, better or worse.",
                rule="fireforce desperate-gamble",
                odds=True,
            )


def preview_motivate(believed: Believed, seat: Seat, order: orders.Motivate | orders.DesperateGamble) -> Preview:
    """What is added to the die, and which faces give which result."""
    unit = squad(believed, order.squad)
    team = team_named(unit, order.team) or ""
    is_gamble = isinstance(order, orders.DesperateGamble)
    modifiers = motivation_modifiers(believed, unit, team, is_gamble=is_gamble)
    notes = [
        f"{low} to {high}: {result_row(believed, result).name}"
        if low != high
        else f"{low}: {result_row(believed, result).name}"
        for low, high, result in motivation_bands(
            believed, rolls_as(believed, unit, team, is_gamble=is_gamble), total(modifiers)
        )
    ]
    return Preview(cost=f"1d6 {total(modifiers):+d}", notes=tuple(notes), modifiers=modifiers)


handles(
    orders.Motivate,
    check=check_motivate,
    resolve=motivate,
    options=motivate_forms,
    phases=WHEN,
    rule=RULE,
    preview=preview_motivate,
)
handles(
    orders.DesperateGamble,
    check=check_gamble,
    resolve=gamble,
    options=gamble_forms,
    phases=WHEN,
    rule="fireforce desperate-gamble",
    preview=preview_motivate,
)
