"""From the text of a scenario to its setting. What is wrong is refused with file, place, and what would be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lnl import maps
from lnl.board.ground import UPSTAIRS, Ground
from lnl.board.hexes import Hex
from lnl.board.parsing import read_map
from lnl.book.modules import MODULES
from lnl.book.rows import CounterRow, SkillRow
from lnl.book.tables import Tables, shipped_book
from lnl.rules.movement.stacking import too_many
from lnl.scenarios import form
from lnl.scenarios.book_check import active_in, faults_of, module_names, problems
from lnl.scenarios.forces import Muster
from lnl.scenarios.places import Places
from lnl.state import beginning
from lnl.state.battle import Leg, Plan, State, Unit, hex_key
from lnl.state.finding import units, units_at, works_at
from lnl.state.setting import (
    Action,
    Assume,
    Command,
    EventMarker,
    Force,
    Fortification,
    Happening,
    Objective,
    PublicSetting,
    Side,
    UmpireSetting,
    Zone,
)
from umpire.kernel.book.book import Book
from umpire.kernel.book.layers import BookError, File, Layer, parse_file
from umpire.kernel.book.points import Active
from umpire.kernel.settings import Setting
from umpire.kernel.values.written import Reading, near, parsed, typed


def load(
    text: str, *, file: str, options: Mapping[str, Any] | None = None, layers: Sequence[tuple[str, str]] = ()
) -> Setting:
    """The setting of a scenario file. `options` are laid over the file's own, `layers` (name, text) over the shipped
    tables. Raises BadInput."""
    return read(parsed(text, file), file=file, options=options, layers=layers)


def read(
    data: Mapping[str, Any],
    *,
    file: str,
    options: Mapping[str, Any] | None = None,
    layers: Sequence[tuple[str, str]] = (),
) -> Setting:
    """As `load`, from data that have the form of the file. Raises BadInput."""
    chosen = {**data.get("options", {}), **(options or {})}
    found = typed({**data, "options": chosen}, form.ScenarioFile, file, names=("key", "force"))
    reading = _Reading(found, file, layers)
    return reading.setting() if "visibility" in chosen else reading.with_visibility().setting()


class _Reading(Reading):
    """One scenario file on its way to a setting."""

    def __init__(self, data: form.ScenarioFile, file: str, layers: Sequence[tuple[str, str]]) -> None:
        self.data, self.file = data, file
        self.book = self._book(layers)
        self.tables = Tables(self.book)
        self.counters = self.book.table("counters", CounterRow)
        self.ground = self._ground()
        self.places = Places(self.ground, self.tables, file)
        self._unique()
        self.sides = {each.key: each for each in data.side}
        self.commands = {each.key: each for each in data.command}
        self.zones = {each.key: self._zone(each) for each in data.zone}
        bunkers = [each for each in data.work if each.kind == "bunker"]
        self.places.bunkers = frozenset(at for each in bunkers for at in self._hexes_of(each))

    def with_visibility(self) -> _Reading:
        """With how far one sees by night as the book has it, where the scenario says nothing. `core 20.0`"""
        options = replace(self.data.options, visibility=self.tables.number("night_sight"))
        self.data = replace(self.data, options=options)
        return self

    def setting(self) -> Setting:
        data, head = self.data, self.data.scenario
        self._head()
        is_blind = data.options.play == "blind"
        terrain = self._terrain()
        muster = Muster(data, self.tables, self.places, self.zones, terrain, self.file)
        forces = [each for given in data.force for each in muster.forces(given)]
        active = self._active(forces)
        works = [each for given in data.work for each in muster.works(given)]
        loose = [muster.loose(each) for each in data.weapon]
        named = {*(each.key for each in forces), *(each.key for each in works)}
        objectives = {each.key: self._objective(each) for each in data.objective}
        secret = {each.key for each in data.objective if each.secret}
        for side in data.side:
            self._refers(f"side {side.key!r}.nation", side.nation, self.book.tables["nations"])
            if side.assume:
                self._refers(f"side {side.key!r}.assume", side.assume, self.counters)
        public = PublicSetting(
            scenario=head.key,
            title=head.title,
            description=head.description.strip(),
            author=head.author,
            teaches=head.teaches,
            victory=head.victory.strip(),
            special_rules=head.special_rules,
            turns=head.turns,
            initiative=head.initiative,
            first=head.first,
            tie=head.tie,
            options=data.options,
            ground=self.ground,
            terrain=terrain,
            book=self.book,
            active=active,
            sides={
                key: Side(key=key, name=each.name, nation=each.nation, colour=each.colour)
                for key, each in sorted(self.sides.items())
            },
            commands={
                key: Command(key=key, side=each.side, name=each.name) for key, each in sorted(self.commands.items())
            },
            zones=dict(sorted(self.zones.items())),
            objectives={key: each for key, each in sorted(objectives.items()) if key not in secret},
            control=self._control(),
            markers={each.key: self._marker(each) for each in sorted(data.marker, key=lambda each: each.key)},
            assume={each.key: Assume(counter=each.assume) for each in sorted(data.side, key=lambda each: each.key)},
            forces=_by_key(each for each in forces if not (is_blind or each.hidden)),
            works=_by_key(each for each in works if not (is_blind or each.hidden)),
            weapons=_by_key(each for each in loose if not (is_blind or each.hidden)),
            deck=self._deck(),
        )
        umpire = UmpireSetting(
            title=data.umpire.title,
            description=data.umpire.description.strip(),
            notes=data.umpire.notes,
            forces=_by_key(each for each in forces if is_blind or each.hidden),
            works=_by_key(each for each in works if is_blind or each.hidden),
            weapons=_by_key(each for each in loose if is_blind or each.hidden),
            happenings={
                each.key: self._happening(each, named) for each in sorted(data.happening, key=lambda each: each.key)
            },
            plans=self._plans(forces),
            objectives={key: each for key, each in sorted(objectives.items()) if key in secret},
            plans_only=tuple(
                sorted(each.key for each in data.command if each.plans_only or (is_blind and data.options.plans_only))
            ),
        )
        found = Setting(public=public, umpire=umpire)
        self._stacks(found)
        self._buried(works)
        return found

    def _head(self) -> None:
        head = self.data.scenario
        self._check_battle(head.turns, self.sides, {each.key: each.side for each in self.data.command})
        for side in self.sides:
            if all(each.side != side for each in self.data.command):
                self._wrong(f"side {side!r}", "nobody leads it", "Write a [[command]] for each side")
        for name in ("initiative", "first", "tie"):
            if side := getattr(head, name):
                self._refers(f"scenario.{name}", side, self.sides)

    def _book(self, layers: Sequence[tuple[str, str]]) -> Book:
        laid = [*MODULES.layers(self.data.scenario.modules)]
        laid += [Layer(name=name, files=(parse_file(name, text),)) for name, text in layers]
        if self.data.book:
            laid.append(Layer(name="scenario", files=(File(name=self.file, tables=self.data.book),)))
        return shipped_book(*laid)

    def _active(self, forces: Iterable[Force]) -> Active:
        """The modules of the battle, once it is certain that its book and its forces can be played with them."""
        modules = self.data.scenario.modules
        for name in modules:
            self._refers("scenario.modules", name, module_names())
        active = active_in(self.book, modules)
        for what, _ in faults_of(active, ()):
            self._wrong("scenario.modules", what, "Leave one of the two modules out")
        if found := problems(self.book, active):
            raise BookError(found)
        for each in forces:
            for what, right in faults_of(active, self._traits(each), own=each.traits) if each.traits else ():
                self._wrong(f"force {each.key!r}.traits", what, right)
        return active

    def _traits(self, each: Force) -> tuple[str, ...]:
        row = self.counters[each.counter]
        skills = (word for skill in each.skills for word in self.tables.skill(skill).traits)
        return (*row.traits, *self.tables.nation(row.nation).traits, *each.traits, *skills)

    def _ground(self) -> Ground:
        """A shipped map by its name, or the text of one's own."""
        name = self.data.scenario.map
        if "\n" in name:
            return read_map(name, file=f"{self.file}: scenario.map", tables=self.tables.ground)
        key = name.removesuffix(".toml")
        shipped = {**maps.bundled(), **{key: text for each in MODULES.all() for key, text in each.maps.items()}}
        if key not in shipped:
            self._wrong("scenario.map", f"there is no map {name!r}", near(key, shipped))
        return read_map(shipped[key], file=f"{key}.toml", tables=self.tables.ground)

    def _deck(self) -> tuple[str, ...]:
        deck = self.data.scenario.deck
        skills = self.book.table("skills", SkillRow)
        if deck is None:
            return tuple(sorted(key for key, row in skills.items() if "hero" in row.owners))
        for key in deck:
            self._refers("scenario.deck", key, skills)
        return tuple(sorted(deck))

    # Places

    def _hexes_of(self, work: form.WorkForm) -> tuple[Hex, ...]:
        return self.places.hexes(f"work {work.key!r}.at", work.at)

    def _zone(self, each: form.ZoneForm) -> Zone:
        return Zone(
            key=each.key, name=each.name, hexes=tuple(sorted(self.places.hexes(f"zone {each.key!r}.hexes", each.hexes)))
        )

    def _terrain(self) -> Mapping[str, str]:
        found = {}
        for names, kind in self.data.terrain.items():
            self._refers(f"terrain.{names!r}", kind, self.book.tables["terrain"])
            found.update({hex_key(at): kind for at in self.places.hexes(f"terrain.{names!r}", names)})
        return dict(sorted(found.items()))

    def _control(self) -> Mapping[str, str]:
        found = {}
        for side, names in self.data.control.items():
            self._refers("control", side, self.sides)
            found.update({hex_key(at): side for at in self.places.hexes(f"control.{side}", names)})
        return dict(sorted(found.items()))

    # What scores and happens

    def _objective(self, each: form.ObjectiveForm) -> Objective:
        where = f"objective {each.key!r}"
        self._refers(f"{where}.side", each.side, self.sides)
        if each.deed == "control" or each.zone:
            self._refers(f"{where}.zone", each.zone, self.zones)
        return Objective(
            key=each.key,
            side=each.side,
            deed=each.deed,
            points=each.points,
            name=each.name,
            zone=each.zone,
            needed=each.needed,
        )

    def _marker(self, each: form.MarkerForm) -> EventMarker:
        where = f"marker {each.key!r}"
        if each.side:
            self._refers(f"{where}.side", each.side, self.sides)
        return EventMarker(key=each.key, kind=each.kind, at=self.places.hex(f"{where}.at", each.at), side=each.side)

    def _happening(self, each: form.HappeningForm, named: Collection[str]) -> Happening:
        """What sets it off: a marker, a turn, or losses of a side; one of them. `core 1.7`"""
        where = f"happening {each.key!r}"
        if sum((bool(each.marker), each.turn > 0, each.lost > 0)) != 1:
            self._wrong(where, "what sets it off is not clear", "Give it one of marker, turn and lost")
        if each.marker:
            markers = {marker.key: marker.kind for marker in self.data.marker}
            self._refers(f"{where}.marker", each.marker, markers)
        if each.lost:
            self._refers(f"{where}.side", each.side, self.sides)
        return Happening(
            key=each.key,
            trigger=markers[each.marker] if each.marker else "turn" if each.turn else "loss",
            marker=each.marker,
            turn=each.turn,
            side=each.side,
            count=each.lost,
            actions=tuple(
                self._action(f"{where}.actions[{index}]", action, named) for index, action in enumerate(each.actions)
            ),
        )

    def _action(self, where: str, each: form.ActionForm, named: Collection[str]) -> Action:
        for key in each.forces:
            self._refers(f"{where}.forces", key, named)
        if each.kind in ("place", "reinforce", "reveal") and not each.forces:
            self._wrong(where, f"to {each.kind} nobody does nothing", "Name the forces")
        if each.kind == "points" or (each.kind == "rally" and not each.forces) or each.side:
            self._refers(f"{where}.side", each.side, self.sides)
        if each.kind in ("text", "umpire") and not each.text.strip():
            self._wrong(where, "the text is empty", "Write it")
        return Action(
            kind=each.kind,
            forces=each.forces,
            side=each.side,
            points=each.points,
            text=each.text.strip(),
            at=self.places.place(f"{where}.at", each.at) if each.at else None,
        )

    # Plans

    def _plans(self, forces: Sequence[Force]) -> Mapping[str, Plan]:
        is_blind = self.data.options.play == "blind"
        hidden = {each.key: each for each in forces if is_blind or each.hidden}
        found: dict[str, Plan] = {}
        for each in self.data.plan:
            where = f"plan {each.force!r}"
            self._refers(f"{where}.force", each.force, hidden)
            if each.force in found:
                self._wrong(where, "this force has two plans", "Give each force one plan")
            at = hidden[each.force].at
            legs: list[Leg] = []
            for index, leg in enumerate(each.legs):
                if bool(leg.path) == bool(leg.halt):
                    self._wrong(f"{where}.legs[{index}]", "a leg has a path or a halt", "Give one of the two")
                path = self.places.path(f"{where}.legs[{index}].path", at, leg.path) if leg.path else ()
                at = path[-1] if path else at
                legs.append(Leg(path=path, pace="halt" if leg.halt else leg.pace, turns=leg.halt))
            found[each.force] = Plan(
                force=each.force,
                command=hidden[each.force].command,
                legs=tuple(legs),
                is_held=each.held,
                on_contact=each.on_contact,
                on_signal=dict(sorted(each.on_signal.items())),
                note=each.note,
            )
        return dict(sorted(found.items()))

    # The whole

    def _stacks(self, setting: Setting) -> None:
        """No place holds more than it may. `core 1.3`"""
        state = beginning.begin(setting, lambda key: key)
        where = {(each.at, each.side) for each in _standing(state)}
        for at, side in sorted(where):
            here = units_at(state, at, side)
            if works_at(state, at, "bunker") and at[2] != UPSTAIRS:
                here = tuple(each for each in _standing(state) if each.at[:2] == at[:2] and each.side == side)
            if why := too_many(state, at, here):
                keys = ", ".join(each.id for each in here)
                self._wrong(f"force {here[0].id!r}.at", f"{keys} stand in {self.ground.name_of(at[:2])}", why)

    def _buried(self, works: Sequence[Fortification]) -> None:
        """No more mine markers of a side in a hex, nor claymores, than there may be. `core 21.4`, `core 21.5`"""
        for kind, number in (("mines", "mines_in_a_hex"), ("claymore", "claymores_in_a_hex")):
            most = self.tables.number(number)
            lying = Counter((each.at, self.commands[each.command].side) for each in works if each.kind == kind)
            for (at, _), count in lying.items():
                if count > most:
                    name = self.ground.name_of(at)
                    self._wrong("work", f"{count} markers of {kind} lie in {name}", f"Put {most} there at most")

    def _unique(self) -> None:
        data = self.data
        forces = [
            *(each.key for each in data.force),
            *(each.key for each in data.weapon),
            *(each.key for each in data.work),
        ]
        for what, keys in (
            ("side", [each.key for each in data.side]),
            ("command", [each.key for each in data.command]),
            ("zone", [each.key for each in data.zone]),
            ("objective", [each.key for each in data.objective]),
            ("marker", [each.key for each in data.marker]),
            ("happening", [each.key for each in data.happening]),
            ("force, weapon and work", forces),
        ):
            self._differ(what, keys)


def _standing(state: State) -> list[Unit]:
    return [each for each in units(state) if each.is_placed]


def _by_key(pieces: Iterable[Any]) -> dict[str, Any]:
    return {each.key: each for each in sorted(pieces, key=lambda each: each.key)}
