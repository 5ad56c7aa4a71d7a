"""The Rally Phase: who rallies whom, in which order, and how half-squads combine.

The side with the initiative rallies first, Shaken leaders before others; each unit tries once. What units do with their
weapons in this phase stands in `support_weapons`. `core 3.0`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from lnl.happening.men import Attempted, Rallied
from lnl.happening.rulings import fallen, tell
from lnl.happening.turn import Ended, RallyMarksRemoved
from lnl.orders.checks import active_commands, not_our_units
from lnl.orders.dispatch import at as at_moment
from lnl.orders.dispatch import handles
from lnl.orders.orders import EndRally, Rally, RallyAll
from lnl.rules.men import chaplains, medics, nurses
from lnl.rules.men.leaders import LED, another_has_led, leadership
from lnl.rules.men.morale import bands, cover_bonus, morale_of
from lnl.rules.turn import set_up
from lnl.rules.works import support_weapons
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import is_known, is_mine, is_of_his_force
from lnl.state.finding import (
    apart,
    commands_of,
    counter_of,
    has_ended,
    has_kind,
    has_unit,
    is_leader,
    is_open_command,
    traits_of,
    unit,
    units,
)
from lnl.state.setting import setting_of
from lnl.words.naming import name_of
from umpire.kernel.book.points import One, Steps, Sum
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Choice, Ruling, roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal, total

RULE = "core 3.0"
TRIED = "rally"
"""Among a unit's attempts: it has tried to rally in this phase."""

rally_modifiers: Sum[[State, Unit]] = Sum("rally", rule="core 3.0")
"""What helps a rally attempt beside leadership and cover, or bars it."""
rallies_alone: One[[State, Unit], bool] = One("rally without help", rule="core 3.0")
"""Whether a unit may try to rally where nobody helps it."""
may_be_rallied_by: One[[State, Unit, Unit], bool] = One("who rallies whom", rule="core 3.0")
"""Whether somebody's leadership holds for a unit: unit, then helper."""
rally_test: One[[State, str, int, tuple[Modifier, ...]], Ruling[tuple[State, str, int]]] = One(
    "rally test", rule="core 3.0"
)
"""The dice of an attempt: of a unit, with its morale, and with what changes the dice. Gives what came of it and the
dice."""
after_failed_rally: Steps[State, [str]] = Steps("after a failed rally", rule="core 3.0")
"""What may follow when a unit has failed to rally."""
after_leading: Steps[State, [str, str]] = Steps("after leading a rally", rule="core 3.0")
"""What follows when somebody has helped another to rally, well or in vain: his id, and the other's."""
rally_reach: One[[State, Unit], int] = One("reach of a rally", rule="core 3.0")
"""Within how many hexes somebody's leadership serves to rally. Pipers, `hona 11.7`; charismatic leaders,
`hid 13.2.2`."""


further_decisions: list[Callable[[State, str], bool]] = []
"""What else a command may have to decide in this phase, from chapters that build on this one."""


# Who may try, and who helps


@rallies_alone.printed
def _self_rally(rule: str, state: State, each: Unit) -> bool:
    """Those marked for it, weapon teams, snipers and nurses; leaders rally themselves, and so do chaplains
    (L118). `core 3.0`, `core 5.1`, `core 11.4`, `core 11.5`, `core 11.10`"""
    return (
        counter_of(state, each).self_rally
        or has_kind(state, each, "weapon_team", "sniper", "nurse", "chaplain")
        or is_leader(state, each)
    )


@rally_reach.printed
def _in_his_place(rule: str, state: State, helper: Unit) -> int:
    return 0


@may_be_rallied_by.printed
def _background(rule: str, state: State, each: Unit, helper: Unit) -> bool:
    """Leaders and chaplains rally those with the background of their counter, commissars those whom they lead beside, a
    nurse all of her nation. `core 3.0`, `core 11.5`, `core 11.9`, `core 11.10`"""
    if is_leader(state, helper):
        return is_of_his_force(state, helper, each)
    return chaplains.rallies(state, helper, each) or nurses.rallies(state, helper, each)


def has_leadership(state: State, each: Unit) -> bool:
    """Whether somebody has leadership that may serve to rally. `core 11.0`"""
    return is_leader(state, each) or has_kind(state, each, "chaplain", "nurse")


def helpers(state: State, each: Unit, commands: Sequence[str] = ()) -> tuple[Unit, ...]:
    """Who may help a unit to rally: Good Order men with leadership in its place, of whom one uses it in a phase, best
    first, then heroes; of those of whom these commands know (else its own). `core 3.0`, `core 11.1`, `core 11.2`"""
    active = setting_of(state).active
    there = [other for other in _known_near(state, each, commands or (each.command,)) if other.is_good_order]
    leaders = [
        other
        for other in there
        if has_leadership(state, other)
        and not another_has_led(state, other)
        and may_be_rallied_by(active, traits_of(state, each), state, each, other)
    ]
    leaders.sort(key=lambda other: (-leadership(state, other), other.id))
    return (*leaders, *(other for other in there if other.at == each.at and has_kind(state, other, "hero")))


def _known_near(state: State, each: Unit, commands: Sequence[str]) -> list[Unit]:
    """The others of its side in a unit's place or whose leadership reaches it, as far as these commands see them."""
    found = (
        other
        for other in units(state)
        if other.side == each.side
        and other.id != each.id
        and other.is_placed
        and is_known(state, commands, other)
        and (other.at == each.at or _reaches(state, other, each))
    )
    return sorted(found, key=lambda other: other.id)


def _reaches(state: State, helper: Unit, each: Unit) -> bool:
    """Whether somebody's leadership goes beyond his place: else not to another level of his hex either."""
    if not has_leadership(state, helper):
        return False
    reach = rally_reach(setting_of(state).active, traits_of(state, helper), state, helper)
    return 0 < reach >= apart(helper.at, each.at)


def why_not(state: State, each: Unit, commands: Sequence[str] = ()) -> str:
    """Why a unit may not try to rally now, "" where it may. `core 3.0`"""
    if not each.is_shaken:
        return "is in Good Order"
    if not each.is_placed:
        return "is not on the map"
    if TRIED in each.attempts:
        return "has tried in this phase"
    active, traits = setting_of(state).active, traits_of(state, each)
    if not helpers(state, each, commands) and not rallies_alone(active, traits, state, each):
        return "has nobody in its place who could rally it"
    return next((refusal.reason for refusal in rally_modifiers(active, traits, state, each).refusals), "")


def able(state: State, command: str, commands: Sequence[str] = ()) -> tuple[Unit, ...]:
    """The units of a command that may try to rally now, leaders first. `core 3.0`"""
    found = (each for each in units(state) if each.command == command and not why_not(state, each, commands))
    return tuple(sorted(found, key=lambda each: (not is_leader(state, each), each.id)))


# The attempt


def modifiers_of(state: State, each: Unit, helper: Unit | None) -> tuple[Modifier, ...]:
    """What changes the dice of a rally attempt: leadership and cover. `core 3.0`"""
    found: list[Modifier] = []
    if helper is not None and (value := leadership(state, helper)):
        found.append(Modifier(-value, f"led by {name_of(state, helper.id)}", RULE))
    found.extend(cover_bonus(state, each))
    found.extend(rally_modifiers(setting_of(state).active, traits_of(state, each), state, each).modifiers)
    return tuple(found)


def try_to_rally(
    state: State, piece: str, by: str = "", commands: Sequence[str] = ()
) -> Ruling[tuple[State, tuple[str, int]]]:
    """Two dice, not above the unit's morale on its Shaken side; one attempt in a phase. Gives what came of it
    ("rallied", "failed") and the dice. `core 3.0`"""
    each = unit(state, piece)
    found = helpers(state, each, commands)
    helper = next((other for other in found if other.id == by), found[0] if found and not by else None)
    active, traits = setting_of(state).active, traits_of(state, each)
    state, result, dice = yield from attempt(state, piece, helper)
    each = unit(state, piece)
    state = yield from tell(Attempted(unit=piece, attempts=(*each.attempts, TRIED)))
    if helper is not None and has_unit(state, helper.id) and has_leadership(state, helper):
        led = unit(state, helper.id)
        state = yield from tell(Attempted(unit=helper.id, attempts=(*led.attempts, LED)))
    if result == "rallied":
        state = yield from tell(Rallied(unit=piece))
    else:
        state = yield from after_failed_rally(active, traits, state, piece)
    if helper is not None and has_unit(state, helper.id):
        leading = traits_of(state, helper)
        state = yield from after_leading(active, leading, state, helper.id, piece)
    return state, (result, dice)


def attempt(state: State, piece: str, helper: Unit | None) -> Ruling[tuple[State, str, int]]:
    """The dice of an attempt with somebody's help, of the Rally Phase or of a module at another time, which leave no
    mark. `core 3.0`"""
    each = unit(state, piece)
    level, changed = morale_of(state, each)
    modifiers = modifiers_of(state, each, helper)
    shown = (*modifiers, *(replace_sign(change) for change in changed))
    active, traits = setting_of(state).active, traits_of(state, each)
    return (yield from rally_test(active, traits, state, piece, level - total(changed), shown))


@rally_test.printed
def _two_dice(
    rule: str, state: State, piece: str, morale: int, modifiers: tuple[Modifier, ...]
) -> Ruling[tuple[State, str, int]]:
    """Two dice, with what changes them not above the morale. `core 3.0`"""
    made = yield from roll(
        "2d6",
        "rally",
        subject=piece,
        by=unit(state, piece).command,
        bands=bands(morale - total(modifiers), "rallied", "failed"),
        modifiers=modifiers,
        rule=rule,
    )
    return fallen(made, state), made.result, made.total


def replace_sign(change: Modifier) -> Modifier:
    """What raises morale, as what lowers the dice."""
    return replace(change, value=-change.value)


# The order Rally


def check_rally(believed: Believed, seat: Seat, order: Rally) -> Iterable[Refusal]:
    """A Shaken unit of one's own with somebody to help it, once, after the leaders who may. `core 3.0`"""
    if found := list(not_our_units(believed, seat, (order.unit,), "unit", RULE)):
        return found
    each = unit(believed, order.unit)
    if why := why_not(believed, each, seat.commands):
        return [Refusal(f"{name_of(believed, each.id)} {why}.", RULE, "unit")]
    if order.by and order.by not in [other.id for other in helpers(believed, each, seat.commands)]:
        return [Refusal("Nobody of this name may help it to rally.", RULE, "by")]
    first = able(believed, each.command, seat.commands)[0]
    if is_leader(believed, first) and not is_leader(believed, each):
        return [Refusal(f"Shaken leaders rally first: {name_of(believed, first.id)}.", RULE, "unit")]
    return []


def rally(state: State, seat: Seat, order: Rally) -> Ruling[State]:
    """One unit tries. `core 3.0`"""
    state, _ = yield from try_to_rally(state, order.unit, order.by, seat.commands)
    return state


def rally_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a unit that may try: with the best help there is, or with somebody's."""
    if subject is None or any(check_rally(believed, seat, Rally(unit=subject))):
        return
    yield Form(verb="Rally", label="Rally", subject=(subject,), fixed={"unit": subject}, rule=RULE, odds=True)
    if found := helpers(believed, unit(believed, subject), seat.commands):
        choices = tuple(Choice(id=each.id, label=name_of(believed, each.id), pieces=(each.id,)) for each in found)
        yield Form(
            verb="Rally",
            label="Rally with the help of",
            subject=(subject,),
            fixed={"unit": subject},
            slots=(ChoiceSlot(name="by", label="Who helps", choices=choices),),
            rule=RULE,
            odds=True,
        )


def rally_preview(believed: Believed, seat: Seat, order: Rally) -> Preview:
    """What the dice may show."""
    each = unit(believed, order.unit)
    found = helpers(believed, each, seat.commands)
    helper = next((other for other in found if other.id == order.by), found[0] if found and not order.by else None)
    modifiers = modifiers_of(believed, each, helper)
    level, changed = morale_of(believed, each)
    return Preview(
        cost=f"{level - total(modifiers)} or less on two dice",
        modifiers=(*modifiers, *(replace_sign(change) for change in changed)),
    )


# The order RallyAll


def check_rally_all(believed: Believed, seat: Seat, order: RallyAll) -> Iterable[Refusal]:
    """Somebody of one's own may try. `core 3.0`"""
    if not any(able(believed, command, seat.commands) for command in active_commands(believed, seat)):
        yield Refusal("None of your units may try to rally.", RULE)


def rally_all(state: State, seat: Seat, order: RallyAll) -> Ruling[State]:
    """All who may try do, leaders first, each with the best help there is. `core 3.0`"""
    for command in active_commands(state, seat):
        while found := able(state, command, seat.commands):
            state, _ = yield from try_to_rally(state, found[0].id, "", seat.commands)
    return state


def rally_all_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """In one tap."""
    if subject is None and not any(check_rally_all(believed, seat, RallyAll())):
        count = sum(len(able(believed, command, seat.commands)) for command in active_commands(believed, seat))
        label = "Rally the unit that may try" if count == 1 else f"Rally all {count} units that may try"
        yield Form(verb="RallyAll", label=label, rule=RULE)


def why_no_rally(believed: Believed, seat: Seat, subject: str) -> Iterable[Refusal]:
    """Why a Shaken unit of one's own may not try. `core 3.0`"""
    if has_unit(believed, subject) and is_mine(seat, unit(believed, subject)) and unit(believed, subject).is_shaken:
        yield from check_rally(believed, seat, Rally(unit=subject))


# Its end


def has_decisions(state: State, command: str) -> bool:
    """Whether a command has anything to do in its Rally Phase that is worth waiting for: to rally or tend somebody, to
    combine half-squads, to take, pass or flip a weapon, to choose where somebody comes in. Only to drop one is not.
    `core 3.0`"""
    coming = [each for each in units(state) if each.command == command and not each.is_placed]
    return bool(
        able(state, command)
        or medics.can_help(state, command)
        or support_weapons.has_decisions(state, command)
        or any(decides(state, command) for decides in further_decisions)
        or any(set_up.is_due(state, each) and set_up.places_of_zone(state, each) for each in coming)
    )


def is_over(state: State) -> bool:
    """Whether the side whose turn it is to rally is done: each of its commands has said so, is moved by plans, or has
    nothing to decide, as everybody sees in an open battle, and has not asked to be waited for. `core 3.0`"""
    public = state.public
    return all(
        has_ended(state, name)
        or state.commands[name].has_plans_only
        or (
            setting_of(state).options.play == "open"
            and not _asks_to_wait(state, name)
            and not _is_seen_to_decide(state, name)
        )
        for name in commands_of(state, public.active)
    )


def _asks_to_wait(state: State, command: str) -> bool:
    """Whether its standing orders say that the phase waits for it: for who would but drop a weapon (L50)."""
    given = state.commands[command].standing.get("")
    return given is not None and given.rally == "wait"


def _is_seen_to_decide(state: State, command: str) -> bool:
    """Whether a command has anything to decide with its open units. Hidden ones do not hold up the phase: that would
    tell of them."""
    part = state.commands[command]
    if not part.pieces:
        return has_decisions(state, command)
    bare = replace(part, pieces={})
    return has_decisions(replace(state, commands={**state.commands, command: bare}), command)


def check_end_rally(believed: Believed, seat: Seat, order: EndRally) -> Iterable[Refusal]:
    """Whoever has the turn may end it: phase and side are checked before. `core 3.0`"""
    return ()


def end_rally(state: State, seat: Seat, order: EndRally) -> Ruling[State]:
    """The seat's commands are done with rallying. `core 3.0`"""
    for command in active_commands(state, seat):
        state = yield from tell(Ended(command=command, is_open=is_open_command(state, command)))
    return state


def end_rally_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Ending it needs no piece."""
    if subject is None and active_commands(believed, seat):
        yield Form(verb="EndRally", label="End rallying", rule=RULE)


@at_moment("rally", "ends", order=9)
def marks_off(state: State) -> Ruling[State]:
    """What was tried in this phase no longer counts. `core 3.0`"""
    return (yield from tell(RallyMarksRemoved()))


PHASE = ("rally",)
handles(
    Rally,
    check=check_rally,
    resolve=rally,
    options=rally_forms,
    preview=rally_preview,
    idle=why_no_rally,
    phases=PHASE,
    rule=RULE,
)
handles(RallyAll, check=check_rally_all, resolve=rally_all, options=rally_all_forms, phases=PHASE, rule=RULE)
handles(
    EndRally, check=check_end_rally, resolve=end_rally, options=end_rally_forms, phases=PHASE, rule=RULE, role="ends"
)
