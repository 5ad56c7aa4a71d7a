"""From the text of a scenario to its setting. What is wrong is refused with file, place, and what would be right."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from lnl import beginning
from lnl.board.ground import BUNKER, UPSTAIRS, Ground, place_named
from lnl.board.hexes import SPINES, Hex, Place, distance, neighbours
from lnl.board.reading import read_map
from lnl.designations import designated, designation
from lnl.finding import units, units_at, works_at
from lnl.rows import MULTI_MAN, CounterRow, SkillRow
from lnl.rules.stacking import too_many
from lnl.rules.support_weapons import ELIGIBLE
from lnl.scenarios import form, maps
from lnl.setting import (
    NEVER,
    Action,
    Assume,
    Command,
    EventMarker,
    Force,
    Fortification,
    Gun,
    Happening,
    LooseWeapon,
    Objective,
    PublicSetting,
    Side,
    UmpireSetting,
    Zone,
)
from lnl.state import Leg, Plan, State, Unit, hex_key
from lnl.tables import Tables, shipped_book
from umpire.kernel.book import Book
from umpire.kernel.layers import File, Layer, parse_file
from umpire.kernel.points import Active
from umpire.kernel.settings import BadInput, Setting
from umpire.kernel.written import near, parsed, typed

PACKED = "packed"
"""After a weapon: it is ready to be carried, where it would be set up otherwise. `core 1.6.1.01`"""


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
    data = {**data, "options": {**data.get("options", {}), **(options or {})}}
    return _Reading(typed(data, form.ScenarioFile, file, names=("key", "force")), file, layers).setting()


class _Reading:
    """One scenario file on its way to a setting."""

    def __init__(self, data: form.ScenarioFile, file: str, layers: Sequence[tuple[str, str]]) -> None:
        self.data, self.file = data, file
        self.book = self._book(layers)
        self.tables = Tables(self.book)
        self.counters = self.book.table("counters", CounterRow)
        self.ground = self._ground()
        self._unique()
        self.sides = {each.key: each for each in data.side}
        self.commands = {each.key: each for each in data.command}
        self.zones = {each.key: self._zone(each) for each in data.zone}
        self.bunkers = {at for each in data.work if each.kind == "bunker" for at in self._hexes("work", each.at)}

    def setting(self) -> Setting:
        data, head = self.data, self.data.scenario
        self._head()
        is_blind = data.options.play == "blind"
        forces = [each for given in data.force for each in self._forces(given)]
        works = [each for given in data.work for each in self._works(given)]
        loose = [self._loose(each) for each in data.weapon]
        named = {each.key for each in (*forces, *works)}
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
            terrain=self._terrain(),
            book=self.book,
            active=Active(modules=head.modules),
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
        return found

    def _head(self) -> None:
        head = self.data.scenario
        if head.turns < 1:
            self._wrong("scenario.turns", f"{head.turns} turns are none", "Give 1 turn or more")
        if len(self.sides) < 2:
            self._wrong("side", "a battle has two sides", "Write a [[side]] for each")
        for each in self.data.command:
            self._refers(f"command {each.key!r}.side", each.side, self.sides)
        for side in self.sides:
            if all(each.side != side for each in self.data.command):
                self._wrong(f"side {side!r}", "nobody leads it", "Write a [[command]] for each side")
        for name in ("initiative", "first", "tie"):
            if side := getattr(head, name):
                self._refers(f"scenario.{name}", side, self.sides)

    def _book(self, layers: Sequence[tuple[str, str]]) -> Book:
        laid = [Layer(name=name, files=(parse_file(name, text),)) for name, text in layers]
        if self.data.book:
            laid.append(Layer(name="scenario", files=(File(name=self.file, tables=self.data.book),)))
        return shipped_book(*laid)

    def _ground(self) -> Ground:
        """A shipped map by its name, or the text of one's own."""
        name = self.data.scenario.map
        if "\n" in name:
            return read_map(name, file=f"{self.file}: scenario.map", tables=self.tables.ground)
        key = name.removesuffix(".toml")
        if key not in maps():
            self._wrong("scenario.map", f"there is no map {name!r}", near(key, maps()))
        return read_map(maps()[key], file=f"{key}.toml", tables=self.tables.ground)

    def _deck(self) -> tuple[str, ...]:
        deck = self.data.scenario.deck
        skills = self.book.table("skills", SkillRow)
        if deck is None:
            return tuple(sorted(key for key, row in skills.items() if "hero" in row.owners))
        for key in deck:
            self._refers("scenario.deck", key, skills)
        return tuple(sorted(deck))

    # Places

    def _place(self, where: str, text: str) -> Place:
        try:
            place = place_named(self.ground, text)
        except KeyError:
            self._no_place(where, text)
        if place[2] == BUNKER and (place[0], place[1]) not in self.bunkers:
            self._wrong(where, f"there is no bunker in {text.split()[0]}", "Give it a [[work]] of the kind bunker")
        return place

    def _no_place(self, where: str, text: str) -> NoReturn:
        name = text.split()[0] if text.split() else ""
        if name.upper() in self.ground.names:
            self._wrong(
                where, f"there is no place {text!r}", f"Write {name!r}, or {name + ' upstairs'!r} in a tall house"
            )
        nearest = self.ground.nearest(name)
        right = f"Did you mean {nearest!r}?" if nearest else "Name a hex of the map, such as 'E5'"
        self._wrong(where, f"the map has no hex {name!r}", right)

    def _hexes(self, where: str, text: str) -> tuple[Hex, ...]:
        """Hexes by name, and rectangles by two corners: "A1-C4"."""
        found: list[Hex] = []
        for word in text.replace(",", " ").split():
            first, dash, last = word.partition("-")
            a = self._hex(where, first)
            b = self._hex(where, last) if dash else a
            columns = range(min(a[0], b[0]), max(a[0], b[0]) + 1)
            rows = range(min(a[1], b[1]), max(a[1], b[1]) + 1)
            found.extend((c, r) for c in columns for r in rows if self.ground.at((c, r)) is not None)
        if not found:
            self._wrong(where, "no hex is named", "Name hexes: 'A1 A2', or 'A1-C4' for all between two corners")
        return tuple(dict.fromkeys(found))

    def _hex(self, where: str, name: str) -> Hex:
        try:
            return self.ground.hex_named(name)
        except KeyError:
            self._no_place(where, name)

    def _zone(self, each: form.ZoneForm) -> Zone:
        return Zone(
            key=each.key, name=each.name, hexes=tuple(sorted(self._hexes(f"zone {each.key!r}.hexes", each.hexes)))
        )

    def _terrain(self) -> Mapping[str, str]:
        found = {}
        for names, kind in self.data.terrain.items():
            self._refers(f"terrain.{names!r}", kind, self.book.tables["terrain"])
            found.update({hex_key(at): kind for at in self._hexes(f"terrain.{names!r}", names)})
        return dict(sorted(found.items()))

    def _control(self) -> Mapping[str, str]:
        found = {}
        for side, names in self.data.control.items():
            self._refers("control", side, self.sides)
            found.update({hex_key(at): side for at in self._hexes(f"control.{side}", names)})
        return dict(sorted(found.items()))

    # Forces

    def _forces(self, each: form.ForceForm) -> list[Force]:
        where = f"force {each.key!r}"
        self._refers(f"{where}.command", each.command, self.commands)
        if each.count < 1:
            self._wrong(f"{where}.count", f"{each.count} units are none", "Give 1 or more")
        row = self._counter(f"{where}.counter", each.counter, self._nation(each.command))
        arrives = NEVER if each.arrives == "never" else each.arrives
        if not isinstance(arrives, int) or arrives < 0:
            self._wrong(f"{where}.arrives", f"{each.arrives!r} is no turn", "Give a turn, or 'never'")
        at = self._where(where, each, row)
        if each.facing not in (SPINES if row.facing else (0,)):
            right = "Give a spine from 1 to 6" if row.facing else "It faces everywhere: leave it out"
            self._wrong(f"{where}.facing", f"{each.facing} is no facing of this counter", right)
        self._skills(where, each, row)
        self._portage(where, each, row)
        return [
            Force(
                key=key,
                command=each.command,
                counter=row.key,
                name=each.name if each.count == 1 or not each.name else f"{each.name} {number}",
                at=at,
                facing=each.facing,
                is_shaken=each.shaken,
                hidden=each.hidden,
                arrives=arrives,
                zone=each.zone,
                weapons=tuple(
                    self._gun(where, key, index, spec, each, arrives) for index, spec in enumerate(each.weapons)
                ),
                skills=each.skills,
                traits=each.traits,
            )
            for number in range(1, each.count + 1)
            for key in (each.key if each.count == 1 else f"{each.key}-{number}",)
        ]

    def _where(self, where: str, each: form.ForceForm, row: CounterRow) -> Place:
        if each.zone:
            self._refers(f"{where}.zone", each.zone, self.zones)
        if each.at:
            return self._place(f"{where}.at", each.at)
        if each.zone:
            return (*self.zones[each.zone].hexes[0], 0)
        if row.kind == "sniper":
            return (*next(iter(self.ground.hexes.values())).at, 0)
        raise self._fault(where, "it stands nowhere", "Give it a place: at = 'E5', or a zone")

    def _counter(self, where: str, text: str, nation: str) -> CounterRow:
        """A counter by its key, by its dash string, or by what it is where the nation has one such. `core 1.11`"""
        if text in self.counters:
            return self._with_morale(where, self.counters[text])
        own = [row for row in self.counters.values() if row.nation == nation]
        *kinds, last = text.split() or [""]
        found = designation(last)
        if found is not None:
            fitting = [row for row in own if row.kind in (kinds or MULTI_MAN) and found.fits(row)]
        else:
            fitting = [row for row in own if row.kind == text]
        if len(fitting) == 1:
            return self._with_morale(where, fitting[0])
        if fitting:
            self._wrong(where, f"{text!r} may be several counters", f"Name one by its key: {_some(fitting)}")
        if found is not None:
            squads = sorted({designated(row) for row in own if row.kind in MULTI_MAN})
            self._wrong(where, f"this nation has no counter {text!r}", near(last, squads))
        known = [*(row.key for row in own), *MULTI_MAN]
        raise self._fault(where, f"there is no counter {text!r}", near(text, known))

    def _with_morale(self, where: str, row: CounterRow) -> CounterRow:
        if row.morale is None:
            self._wrong(where, f"the tables give {row.key!r} no morale", "Lay a table with its morale over them")
        return row

    def _skills(self, where: str, each: form.ForceForm, row: CounterRow) -> None:
        for skill in each.skills:
            self._refers(f"{where}.skills", skill, self.book.tables["skills"])
            owners = self.tables.skill(skill).owners
            if row.kind not in owners:
                self._wrong(f"{where}.skills", f"{skill!r} is not for a {row.kind}", f"It is for: {', '.join(owners)}")

    def _portage(self, where: str, each: form.ForceForm, row: CounterRow) -> None:
        """A squad carries two weapons, a half-squad, crew or eligible single man one. `core 1.6.1`"""
        number = self.tables.number
        room = number("squad_portage") if row.kind == "squad" else 0
        if row.kind in ("half_squad", "crew"):
            room = number("half_squad_portage")
        elif row.kind in ELIGIBLE:
            room = number("single_man_portage")
        if len(each.weapons) > room:
            self._wrong(f"{where}.weapons", f"{len(each.weapons)} weapons for a {row.kind}", f"Give it {room} at most")

    def _gun(self, where: str, key: str, index: int, spec: str, each: form.ForceForm, arrives: int) -> Gun:
        """A weapon of a unit: set up where it can be and its unit is there from the start, unless it is packed.
        `core 1.6.1.01`"""
        counter, is_up = self._weapon(f"{where}.weapons", spec, self._nation(each.command))
        return Gun(
            key=f"{key}.{index + 1}",
            counter=counter,
            is_set_up=is_up and arrives == 0,
            side=self._side_of_weapon(counter, each.command),
        )

    def _weapon(self, where: str, spec: str, nation: str) -> tuple[str, bool]:
        word, *rest = spec.split() or [""]
        weapons = self.book.tables["weapons"]
        key = word if word in weapons else f"{nation}_{word}"
        if key not in weapons:
            self._wrong(where, f"there is no weapon {word!r}", near(word, weapons))
        if rest not in ([], [PACKED]):
            self._wrong(where, f"{' '.join(rest)!r} says nothing of a weapon", f"There is {PACKED!r}")
        return key, self.tables.weapon(key).set_up and not rest

    def _side_of_weapon(self, counter: str, command: str) -> str:
        """Whose a weapon was: that of another nation of the battle is captured. `core 1.6.1`"""
        nation = self.tables.weapon(counter).nation
        mine = self.commands[command].side
        if not nation or nation == self.sides[mine].nation:
            return ""
        return next((key for key, side in sorted(self.sides.items()) if side.nation == nation), "")

    def _loose(self, each: form.WeaponForm) -> LooseWeapon:
        where = f"weapon {each.key!r}"
        self._refers(f"{where}.command", each.command, self.commands)
        counter, is_up = self._weapon(f"{where}.counter", each.counter, self._nation(each.command))
        return LooseWeapon(
            key=each.key,
            command=each.command,
            counter=counter,
            at=self._place(f"{where}.at", each.at),
            is_set_up=is_up,
            hidden=each.hidden,
            side=self._side_of_weapon(counter, each.command),
        )

    def _works(self, each: form.WorkForm) -> list[Fortification]:
        where = f"work {each.key!r}"
        self._refers(f"{where}.command", each.command, self.commands)
        if each.facing not in (SPINES if each.kind == "bunker" else (0, *SPINES)):
            right = "Give the direction of its arrow, 1 (north) to 6"
            self._wrong(f"{where}.facing", f"{each.facing} is no facing", right)
        hexes = self._hexes(f"{where}.at", each.at)
        for at in hexes:
            if each.kind in ("bunker", "mines") and self.tables.terrain(self._terrain_of(at)).is_building:
                self._wrong(f"{where}.at", f"{self.ground.name_of(at)} is a building", "Put it outside of buildings")
        return [
            Fortification(
                key=each.key if len(hexes) == 1 else f"{each.key}-{number}",
                command=each.command,
                kind=each.kind,
                at=at,
                facing=each.facing,
                strength=each.strength,
                hidden=each.hidden,
            )
            for number, at in enumerate(hexes, 1)
        ]

    def _terrain_of(self, at: Hex) -> str:
        return self._terrain().get(hex_key(at)) or self.ground.hexes[self.ground.name_of(at)].terrain

    def _nation(self, command: str) -> str:
        side = self.commands[command].side
        self._refers(f"command {command!r}.side", side, self.sides)
        return self.sides[side].nation

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
        return EventMarker(key=each.key, kind=each.kind, at=self._hex(f"{where}.at", each.at), side=each.side)

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
            at=self._place(f"{where}.at", each.at) if each.at else None,
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
                path = self._path(f"{where}.legs[{index}].path", at, leg.path) if leg.path else ()
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

    def _path(self, where: str, at: Place, text: str) -> tuple[Place, ...]:
        """Places in order, separated by commas or, as hexes, by blanks; between two that do not touch the shortest
        way."""
        words = text.split(",") if "," in text else text.split()
        path: list[Place] = []
        for word in words:
            to = self._place(where, word)
            path.extend(self._between(path[-1] if path else at, to))
        return tuple(path)

    def _between(self, at: Place, to: Place) -> list[Place]:
        if at[:2] == to[:2]:
            return [to] if at != to else []
        if distance(at[:2], to[:2]) == 1 and (at[2] == to[2] or UPSTAIRS not in (at[2], to[2])):
            return [to]
        came: dict[Hex, Hex] = {}
        todo = deque([at[:2]])
        while todo and to[:2] not in came:
            here = todo.popleft()
            for beside in neighbours(here):
                known = self.ground.at(beside)
                if known is not None and beside not in came and self.tables.terrain(known.terrain).leg >= 0:
                    came[beside] = here
                    todo.append(beside)
        way = [to[:2]]
        while way[-1] in came and came[way[-1]] != at[:2]:
            way.append(came[way[-1]])
        return [(*here, 0) for here in reversed(way)] + ([to] if to[2] else [])

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
            for key in keys:
                if keys.count(key) > 1:
                    self._wrong(what, f"the key {key!r} is used twice", "Give each its own")

    def _refers(self, where: str, key: str, known: Iterable[str]) -> None:
        known = list(known)
        if key not in known:
            self._wrong(where, f"there is no {key!r}", near(key, known))

    def _wrong(self, where: str, what: str, right: str) -> NoReturn:
        raise self._fault(where, what, right)

    def _fault(self, where: str, what: str, right: str) -> BadInput:
        return BadInput(what, file=self.file, where=where, right=right)


def _standing(state: State) -> list[Unit]:
    return [each for each in units(state) if each.is_placed]


def _some(rows: Iterable[CounterRow]) -> str:
    return ", ".join(sorted(row.key for row in rows))


def _by_key(pieces: Iterable[Any]) -> dict[str, Any]:
    return {each.key: each for each in sorted(pieces, key=lambda each: each.key)}
