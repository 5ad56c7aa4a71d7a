"""The forces of a scenario: units with their counters and weapons, weapons that lie somewhere, works."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lnl.board.hexes import SPINES, Hex, Place
from lnl.book.designations import designated, designation
from lnl.book.rows import MULTI_MAN, CounterRow
from lnl.book.tables import Tables
from lnl.rules.works.support_weapons import ELIGIBLE
from lnl.scenarios import form
from lnl.scenarios.places import Places
from lnl.state.battle import NEVER, hex_key
from lnl.state.setting import Force, Fortification, Gun, LooseWeapon, Zone
from umpire.kernel.values.written import Reading, near

PACKED = "packed"
"""After a weapon: it is ready to be carried, where it would be set up otherwise. `core 1.6.1.01`"""


class Muster(Reading):
    """Reads the forces of one scenario file."""

    def __init__(
        self,
        data: form.ScenarioFile,
        tables: Tables,
        places: Places,
        zones: Mapping[str, Zone],
        terrain: Mapping[str, str],
        file: str,
    ) -> None:
        self.tables, self.places, self.zones, self.terrain, self.file = tables, places, zones, terrain, file
        self.book = tables.book
        self.counters = self.book.table("counters", CounterRow)
        self.sides = {each.key: each for each in data.side}
        self.commands = {each.key: each for each in data.command}

    def forces(self, each: form.ForceForm) -> list[Force]:
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
            return self.places.place(f"{where}.at", each.at)
        if each.zone:
            return (*self.zones[each.zone].hexes[0], 0)
        if row.kind == "sniper":
            return (*next(iter(self.places.ground.hexes.values())).at, 0)
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

    def loose(self, each: form.WeaponForm) -> LooseWeapon:
        where = f"weapon {each.key!r}"
        self._refers(f"{where}.command", each.command, self.commands)
        counter, is_up = self._weapon(f"{where}.counter", each.counter, self._nation(each.command))
        return LooseWeapon(
            key=each.key,
            command=each.command,
            counter=counter,
            at=self.places.place(f"{where}.at", each.at),
            is_set_up=is_up,
            hidden=each.hidden,
            side=self._side_of_weapon(counter, each.command),
        )

    def works(self, each: form.WorkForm) -> list[Fortification]:
        where = f"work {each.key!r}"
        self._refers(f"{where}.command", each.command, self.commands)
        if each.facing not in (SPINES if each.kind == "bunker" else (0, *SPINES)):
            right = "Give the direction of its arrow, 1 (north) to 6"
            self._wrong(f"{where}.facing", f"{each.facing} is no facing", right)
        hexes = self.places.hexes(f"{where}.at", each.at)
        for at in hexes:
            if each.kind in ("bunker", "mines") and self.tables.terrain(self._terrain_of(at)).is_building:
                self._wrong(
                    f"{where}.at", f"{self.places.ground.name_of(at)} is a building", "Put it outside of buildings"
                )
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
        return self.terrain.get(hex_key(at)) or self.places.ground.hexes[self.places.ground.name_of(at)].terrain

    def _nation(self, command: str) -> str:
        side = self.commands[command].side
        self._refers(f"command {command!r}.side", side, self.sides)
        return self.sides[side].nation


def _some(rows: Iterable[CounterRow]) -> str:
    return ", ".join(sorted(row.key for row in rows))
