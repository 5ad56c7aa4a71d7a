"""Which events everybody may read as they stand."""

from __future__ import annotations

from lnl.happening import events
from lnl.state.battle import State, hex_key
from lnl.state.finding import spots_openly
from umpire.kernel.events import Event
from umpire.kernel.telling import named

MAY_BE_PUBLIC: frozenset[type[Event]] = frozenset(
    {
        events.BattleBegan,
        events.SetUp,
        events.Ended,
        events.TurnBegan,
        events.PhaseBegan,
        events.InitiativeWon,
        events.RallyPassedOn,
        events.ImpulseBegan,
        events.ImpulseChanged,
        events.ImpulseEnded,
        events.MarkersRemoved,
        events.PointsScored,
        events.ControlChanged,
        events.BattleEnded,
        events.Started,
        events.Entered,
        events.Stopped,
        events.Faced,
        events.Retreated,
        events.Arrived,
        events.Reinforced,
        events.Exited,
        events.Spotted,
        events.SpottingFailed,
        events.SpottedMarkerRemoved,
        events.Revealed,
        events.Fired,
        events.OpsCompleted,
        events.Shaken,
        events.Wounded,
        events.Reduced,
        events.Eliminated,
        events.HeroCreated,
        events.SkillUsed,
        events.Rallied,
        events.Healed,
        events.Combined,
        events.Called,
        events.WeaponTaken,
        events.WeaponDropped,
        events.WeaponFlipped,
        events.WeaponJammed,
        events.WeaponRemoved,
        events.SmokePlaced,
        events.SmokeFailed,
        events.StarShellPlaced,
        events.BarragePlaced,
        events.WorkPlaced,
        events.WorkRemoved,
        events.MeleeMarked,
        events.MeleeOver,
        events.MeleeFought,
        events.Happened,
        events.Altered,
        events.Added,
        events.Removed,
    }
)
"""Events that everybody may read when they name nothing hidden. A kind that is not listed is never public: one that is
forgotten here is missing from a log, and tells nobody anything."""


def publishes(before: State, event: Event) -> bool:
    """Whether everybody may read an event as it stands: it happened to open pieces and names nothing hidden, or makes
    them open."""
    if type(event) not in MAY_BE_PUBLIC:
        return False
    match event:
        case events.PointsScored(known=known):
            return known
        case events.ControlChanged(at=at, side=side, known=known):
            # To whom everybody thinks that it belongs it comes back from a hidden enemy: that is not told.
            return known and before.public.control.get(hex_key(at)) != side
        case events.Revealed():
            return True
        case events.ImpulseBegan() | events.ImpulseChanged():
            return False  # each command is told what it may know of it
        case events.Spotted(command=command):
            return spots_openly(before, command)
        case events.SpottedMarkerRemoved(command=command):
            return not command
        case events.Added(is_open=is_open) | events.Ended(is_open=is_open):
            return is_open
        case events.WorkPlaced(is_open=False):
            return False
        case events.HeroCreated(is_open=is_open):
            return is_open
        case events.Happened(side=side, text=text):
            return not side and bool(text)
        case _:
            return not named_hidden(before, event)


def hidden_ids(state: State) -> set[str]:
    """The ids of all that is hidden."""
    parts = state.commands.values()
    return {*state.umpire.weapons, *(key for part in parts for key in (*part.units, *part.weapons, *part.works))}


def named_hidden(state: State, event: Event) -> tuple[str, ...]:
    """The hidden pieces that an event names."""
    return named(event, hidden_ids(state))
