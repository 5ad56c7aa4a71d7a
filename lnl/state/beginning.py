"""The first state of a battle: true ids for the keys of the scenario, units in their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.book.tables import Tables
from lnl.state.battle import POSSESSED, AnyPiece, CommandPart, Public, State, UmpirePart, Unit, Weapon, Work
from lnl.state.setting import Force, Fortification, Gun, LooseWeapon, PublicSetting, UmpireSetting
from umpire.kernel.pieces.piece import Hold
from umpire.kernel.settings import Setting, remember
from umpire.kernel.states import Contact

Name = Callable[[str], str]


def begin(setting: Setting, name: Name) -> State:
    """The first state; `name` gives a key of the scenario its true id, and is asked once for each."""
    name = cache(name)
    public: PublicSetting = setting.public
    secret: UmpireSetting = setting.umpire
    digests = remember(setting)
    tables = Tables(public.book)
    parts = {key: _part(public, secret, key, tables, name) for key in sorted(public.commands)}
    return State(
        public=Public(
            setting=digests[0],
            hour=public.options.hour,
            pieces=_by_id(
                *_forces(public, public.forces.values(), tables, name),
                *_loose(public, public.weapons.values(), name),
                *_works(public, public.works.values(), name),
            ),
            terrain=public.terrain,
            control=public.control,
            deck=tuple(sorted(public.deck)),
        ),
        commands={key: replace(part, has_plans_only=key in secret.plans_only) for key, part in parts.items()},
        umpire=UmpirePart(
            setting=digests[1],
            pieces=_by_id(*_loose(public, secret.weapons.values(), name)),
            names={key: name(key) for key in sorted(_spoken_of(secret))},
            plans={
                plan.force: plan
                for plan in sorted(
                    (replace(plan, force=name(plan.force)) for plan in secret.plans.values()),
                    key=lambda plan: plan.force,
                )
            },
        ),
    )


def _spoken_of(secret: UmpireSetting) -> set[str]:
    """The forces that events name."""
    return {key for each in secret.happenings.values() for action in each.actions for key in action.forces}


def _part(public: PublicSetting, secret: UmpireSetting, command: str, tables: Tables, name: Name) -> CommandPart:
    forces = [each for each in secret.forces.values() if each.command == command]
    lying = [each for each in secret.weapons.values() if each.command == command]
    works = [each for each in secret.works.values() if each.command == command]
    return CommandPart(
        contacts=_remembered(public, lying, name),
        pieces=_by_id(
            *_forces(public, forces, tables, name),
            *_works(public, works, name),
        ),
    )


def _forces(setting: PublicSetting, forces: Iterable[Force], tables: Tables, name: Name) -> Iterator[Unit | Weapon]:
    """Units as they begin, each with its weapons: those that arrive later, and snipers, are not on the map yet.
    `core 11.4`"""
    for each in forces:
        yield (
            unit := Unit(
                id=name(each.key),
                command=each.command,
                side=setting.commands[each.command].side,
                counter=each.counter,
                name=each.name,
                at=each.at,
                is_off=each.arrives != 0 or tables.counter(each.counter).kind == "sniper",
                is_shaken=each.is_shaken,
                facing=each.facing,
                skills=each.skills,
                traits=each.traits,
                arrives=each.arrives,
                zone=each.zone,
            )
        )
        for number, gun in enumerate(each.weapons, 1):
            hold = Hold(by=unit.id, how=POSSESSED, n=number)
            yield _weapon(setting, gun, each.command, each.at, name, hold)


def _loose(setting: PublicSetting, weapons: Iterable[LooseWeapon], name: Name) -> Iterator[Weapon]:
    return (_weapon(setting, each, each.command, each.at, name) for each in weapons)


def _remembered(setting: PublicSetting, lying: Iterable[LooseWeapon], name: Name) -> Mapping[str, Contact]:
    """Where a command has left weapons hidden; whether they are still there it sees when it comes there."""
    found = [
        Contact(
            alias=name(f"{each.key} left behind"),
            kind="weapon",
            at=each.at,
            looks={"counter": each.counter, "side": each.side or setting.commands[each.command].side},
            status="remembered",
        )
        for each in lying
    ]
    return {each.alias: each for each in sorted(found, key=lambda each: each.alias)}


def _weapon(setting: PublicSetting, gun: Gun, command: str, at: Place, name: Name, hold: Hold | None = None) -> Weapon:
    return Weapon(
        id=name(gun.key),
        command=command,
        side=gun.side or setting.commands[command].side,
        counter=gun.counter,
        hold=hold,
        at=at,
        is_set_up=gun.is_set_up,
    )


def _works(setting: PublicSetting, works: Iterable[Fortification], name: Name) -> Iterator[Work]:
    return (
        Work(
            id=name(each.key),
            command=each.command,
            side=setting.commands[each.command].side,
            kind=each.kind,
            at=each.at,
            facing=each.facing,
            strength=each.strength,
        )
        for each in works
    )


def _by_id(*pieces: AnyPiece) -> Mapping[str, AnyPiece]:
    return {piece.id: piece for piece in sorted(pieces, key=lambda piece: piece.id)}
