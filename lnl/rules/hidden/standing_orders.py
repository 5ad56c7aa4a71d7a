"""Standing orders: what answers for a unit, or a whole command, when it may take opportunity fire and nobody is asked.

In a blind battle players are not asked: standing orders answer always. Of all else that hidden units would have to
decide in the middle of another's order the default is done: a pause would tell of them. `core 5.3`
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import to_builtins
from msgspec.structs import replace

from lnl.happening.plans import StandingOrdersGiven
from lnl.happening.rulings import tell
from lnl.orders.dispatch import handles
from lnl.orders.orders import GiveStandingOrders
from lnl.state.battle import Believed, Standing, State
from lnl.state.belonging import is_mine
from lnl.state.finding import has_unit, is_open, unit
from lnl.state.setting import setting_of
from lnl.words.naming import command_name
from umpire.kernel.forms import Form, NumberSlot
from umpire.kernel.rulings import Question, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 5.3"
REACH = 99
HEROES: Final[tuple[tuple[Literal["along", "stay", "ask"], str], ...]] = (
    ("along", "heroes who stand up on the way go along"),
    ("stay", "heroes who stand up on the way stay there"),
    ("ask", "ask whether heroes go along"),
)


def is_for_the_hidden(believed: Believed, question: Question) -> bool:
    """Whether a question is about units that others do not see: then nobody waits for it (L24)."""
    if setting_of(believed).options.play == "blind":
        return True
    return any(has_unit(believed, each) and not is_open(believed, each) for each in question.about)


def check_standing_orders(believed: Believed, seat: Seat, order: GiveStandingOrders) -> Iterable[Refusal]:
    """For a unit of the command, or for all of it. `core 5.3`"""
    if order.command not in seat.commands:
        return [Refusal(f"{order.command!r} is no command of yours.", RULE, "command")]
    if order.unit and not (has_unit(believed, order.unit) and unit(believed, order.unit).command == order.command):
        return [Refusal(f"{order.unit!r} is no unit of this command.", RULE, "unit")]
    if not 0 <= order.standing.within <= REACH:
        return [Refusal(f"Fire is opened within 0 to {REACH} hexes.", RULE, "standing.within")]
    return []


def give_standing_orders(state: State, seat: Seat, order: GiveStandingOrders) -> Ruling[State]:
    """They answer when nobody is asked. `core 5.3`"""
    return (yield from tell(StandingOrdersGiven(command=order.command, unit=order.unit, standing=order.standing)))


def standing_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """To hold fire, to fire freely or to be asked, for a command or one of its units; for a command, whether heroes who
    stand up on the way go along."""
    if subject is None:
        whose = [(command, "", f"{command_name(believed, command)}: ") for command in seat.commands]
    elif has_unit(believed, subject) and is_mine(seat, unit(believed, subject)):
        whose = [(unit(believed, subject).command, subject, "")]
    else:
        return
    is_blind = setting_of(believed).options.play == "blind"
    for command, piece, who in whose:
        now = believed.commands[command].standing.get(piece, Standing())
        for fire, words in (("hold", "hold fire"), ("free", "fire at movers"), ("ask", "ask before firing at movers")):
            if now.fire != fire and not (is_blind and fire == "ask"):
                yield Form(
                    verb="GiveStandingOrders",
                    label=f"{who}{words}" if who else words.capitalize(),
                    subject=(piece,) if piece else (),
                    fixed={"command": command, "unit": piece, "standing": to_builtins(replace(now, fire=fire))},
                    rule=RULE,
                    note=_now(now),
                    more=(
                        NumberSlot(
                            name="standing.within",
                            label="No farther than",
                            low=0,
                            high=REACH,
                            unit="hexes",
                            usual=now.within,
                        ),
                    ),
                )
        for heroes, words in () if piece else HEROES:
            if now.heroes != heroes and not (is_blind and heroes == "ask"):
                yield Form(
                    verb="GiveStandingOrders",
                    label=f"{who}{words}",
                    fixed={"command": command, "unit": "", "standing": to_builtins(replace(now, heroes=heroes))},
                    rule="core 11.2",
                )
        if not (piece or is_blind):
            waits: Literal["", "wait"] = "" if now.rally else "wait"
            words = "the Rally Phase waits for us" if waits else "the Rally Phase goes on without us"
            yield Form(
                verb="GiveStandingOrders",
                label=f"{who}{words}",
                fixed={"command": command, "unit": "", "standing": to_builtins(replace(now, rally=waits))},
                rule="core 3.0",
            )


def _now(now: Standing) -> str:
    """What answers now: "Now: fire at movers, within 4 hexes"."""
    fire = {"hold": "hold fire", "free": "fire at movers", "ask": "ask"}[now.fire]
    return f"Now: {fire}" + (f", within {now.within} hexes" if now.within < REACH else "")


handles(
    GiveStandingOrders,
    check=check_standing_orders,
    resolve=give_standing_orders,
    options=standing_forms,
    rule=RULE,
    role="aside",
)
