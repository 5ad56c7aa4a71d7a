"""From the text of a scenario to its setting. What is wrong is refused with file, place, and what would be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import asdict

from fireforce.book.tables import Tables, shipped_book
from fireforce.scenarios import form
from fireforce.state.battle import NEVER, Leg, Place, Plan, Stores
from fireforce.state.setting import (
    Assume,
    Command,
    Deck,
    Man,
    Objective,
    PublicSetting,
    Side,
    UmpireSetting,
    Unit,
    Zone,
)
from fireforce.table.terrain import Building, Line, Road, Table, Terrain
from fireforce.table.validate import validate
from umpire.kernel.book.book import Book
from umpire.kernel.book.layers import File, Layer, parse_file
from umpire.kernel.settings import Setting
from umpire.kernel.values.written import Reading, parsed, typed


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


class _Reading(Reading):
    """One scenario file on its way to a setting."""

    def __init__(self, data: form.ScenarioFile, file: str, layers: Sequence[tuple[str, str]]) -> None:
        self.data, self.file = data, file
        self.book = self._book(layers)
        self.weapons = self.book.tables["weapons"]
        self.options = data.options
        self._unique()
        self.sides = {each.key: each for each in data.side}
        self.commands = {each.key: each for each in data.command}
        self.zones = {each.key: each for each in data.zone}
        self.is_open = {each.key: each.open for each in data.command}

    def setting(self) -> Setting:
        data, head = self.data, self.data.scenario
        self._check_battle(head.turns, self.sides, {each.key: each.side for each in data.command})
        table = self._table()
        units = {each.key: self._unit(each, table) for each in data.squad}
        cards = self._cards(units, table)
        plans = self._plans(units, cards, table)
        objectives = {each.key: self._objective(each) for each in data.objective}
        secret = {each.key for each in data.objective if each.secret}
        public = PublicSetting(
            scenario=head.key,
            title=head.title,
            description=head.description.strip(),
            author=head.author,
            teaches=head.teaches,
            victory=head.victory.strip(),
            turns=head.turns,
            wind=head.wind,
            options=self.options,
            table=table,
            book=self.book,
            sides={
                key: Side(key=key, name=each.name, kind=each.kind, colour=each.colour)
                for key, each in sorted(self.sides.items())
            },
            commands={
                key: Command(key=key, side=each.side, name=each.name, is_open=each.open)
                for key, each in sorted(self.commands.items())
            },
            zones={
                key: Zone(key=key, name=each.name, polygon=self._places(f"zone {key!r}.polygon", each.polygon))
                for key, each in sorted(self.zones.items())
            },
            objectives={key: each for key, each in sorted(objectives.items()) if key not in secret},
            assume={key: self._assume(each) for key, each in sorted(self.sides.items())},
            units={key: unit for key, unit in sorted(units.items()) if self._is_public(unit)},
        )
        umpire = UmpireSetting(
            title=data.umpire.title,
            description=data.umpire.description.strip(),
            notes=data.umpire.notes,
            units={key: unit for key, unit in sorted(units.items()) if not self._is_public(unit)},
            cards=dict(sorted(cards.items())),
            plans=dict(sorted(plans.items())),
            objectives={key: each for key, each in sorted(objectives.items()) if key in secret},
            plans_only=tuple(
                sorted(
                    each.key for each in data.command if not each.open and (each.plans_only or self.options.plans_only)
                )
            ),
        )
        return Setting(public=public, umpire=umpire)

    def _is_public(self, unit: Unit) -> bool:
        """Whether everybody knows of a squad from the start: of an open command, and not off the table."""
        return self.is_open[unit.command] and not unit.arrives

    def _book(self, layers: Sequence[tuple[str, str]]) -> Book:
        laid = [Layer(name=name, files=(parse_file(name, text),)) for name, text in layers]
        if self.data.book:
            laid.append(Layer(name="scenario", files=(File(name=self.file, tables=self.data.book),)))
        return shipped_book(*laid)

    # The table

    def _table(self) -> Table:
        data = self.data
        table = Table(
            width=self._length("table.width", data.table.width),
            depth=self._length("table.depth", data.table.depth),
            terrain=tuple(
                Terrain(
                    each.key,
                    each.name or each.kind,
                    each.kind,
                    self._places(f"terrain {each.key!r}.polygon", each.polygon),
                    None if each.height is None else self._length(f"terrain {each.key!r}.height", each.height),
                )
                for each in data.terrain
            ),
            roads=tuple(
                Road(
                    each.key,
                    each.name or "road",
                    self._places(f"road {each.key!r}.line", each.line),
                    self._length(f"road {each.key!r}.width", each.width),
                )
                for each in data.road
            ),
            buildings=tuple(
                Building(
                    each.key,
                    each.name or "building",
                    self._places(f"building {each.key!r}.polygon", each.polygon),
                    each.storeys,
                )
                for each in data.building
            ),
            lines=tuple(
                Line(each.key, each.name or each.kind, each.kind, self._places(f"line {each.key!r}.line", each.line))
                for each in data.line
            ),
        )
        faults = validate(table, known=Tables(self.book).kinds)
        if faults:
            first = faults[0]
            self._wrong(first.key, first.what, first.right[:1].upper() + first.right[1:])
        return table

    # Forces

    def _unit(self, each: form.SquadForm, table: Table) -> Unit:
        where = f"squad {each.key!r}"
        self._refers(f"{where}.command", each.command, self.commands)
        if not each.men:
            self._wrong(f"{where}.men", "a squad without men", "Give at least one")
        men: list[Man] = []
        for man in each.men:
            place = f"{where}.men {man.key!r}"
            if man.count < 1:
                self._wrong(f"{place}.count", f"{man.count} men are none", "Give 1 or more")
            if not man.weapons and man.role != "civilian":
                self._wrong(f"{place}.weapons", "he has no weapon", 'Give weapons = ["..."]')
            for weapon in man.weapons:
                self._refers(f"{place}.weapons", weapon, self.weapons)
            at = None if man.at is None else self._on_table(f"{place}.at", man.at, table)
            for number in range(1, man.count + 1):
                men.append(
                    Man(
                        key=man.key if man.count == 1 else f"{man.key}-{number}",
                        name=man.name,
                        role=man.role,
                        quality=man.quality,
                        weapons=man.weapons,
                        rating=man.rating,
                        body_armour=man.body_armour,
                        traits=man.traits,
                        at=at,
                    )
                )
        return Unit(
            key=each.key,
            command=each.command,
            name=each.name,
            quality=each.quality,
            at=self._on_table(f"{where}.at", each.at, table),
            men=tuple(men),
            is_flakey=each.flakey,
            has_special_motivation=each.special_motivation,
            may_split=each.may_split,
            may_form_gun_group=each.may_form_gun_group,
            is_under_platoon_control=each.platoon_control,
            is_prepared=each.prepared,
            is_placed=each.placed,
            traits=each.traits,
            arrives=self._arrives(where, each),
            zone=each.zone,
        )

    def _arrives(self, where: str, each: form.SquadForm) -> int:
        """The turn in which a squad comes in, 0 for one that is there from the start."""
        if each.zone:
            self._refers(f"{where}.zone", each.zone, self.zones)
        if each.arrives == "never":
            return NEVER
        if not 0 <= each.arrives < NEVER:
            self._wrong(f"{where}.arrives", f"{each.arrives} is no turn", "Give a turn, or 'never'")
        if each.arrives and any(card.squad == each.key for card in self.data.card):
            self._wrong(f"{where}.arrives", "a card lies on it", "A squad that comes in later brings its own cards")
        return each.arrives

    def _cards(self, units: Mapping[str, Unit], table: Table) -> dict[str, Deck]:
        cards: dict[str, Deck] = {}
        tables = Tables(self.book)
        for each in self.data.card:
            where = f"card {each.key!r}"
            self._refers(f"{where}.command", each.command, self.commands)
            if self.is_open[each.command]:
                self._wrong(f"{where}.command", "an open command has no cards", "Cards belong to hidden commands")
            if (each.kind == "troops") != bool(each.squad):
                self._wrong(
                    f"{where}.squad",
                    f"a card of {each.kind}",
                    "A card of troops names its squad, and no other card does",
                )
            if each.squad:
                mine = {key for key, unit in units.items() if unit.command == each.command}
                self._refers(f"{where}.squad", each.squad, mine)
            cards[each.key] = Deck(
                key=each.key,
                command=each.command,
                kind=each.kind,
                at=self._on_table(f"{where}.at", each.at, table),
                squad=each.squad,
                stores=Stores(**asdict(each.stores)),
            )
        for name, is_open in self.is_open.items():
            if is_open:
                continue
            mine_cards = [each for each in cards.values() if each.command == name]
            matched = sum(tables.card(each.kind).matched for each in mine_cards)
            dummies = sum(each.kind == "dummy" for each in mine_cards)
            wanted = matched * tables.number("dummies_per_troop_card")
            if dummies != wanted:
                self._wrong(
                    "card", f"{name!r} has {dummies} dummies for {matched} cards of troops", f"Give it {wanted} dummies"
                )
            covered = [each.squad for each in mine_cards if each.squad]
            for key, unit in units.items():
                if (
                    unit.command == name
                    and not (unit.is_placed or unit.arrives)
                    and covered.count(key) != 1
                    and mine_cards
                ):
                    self._wrong(
                        f"squad {key!r}",
                        f"lies under {covered.count(key)} cards",
                        "Each hidden squad lies under one card",
                    )
        return cards

    def _plans(self, units: Mapping[str, Unit], cards: Mapping[str, Deck], table: Table) -> dict[str, Plan]:
        hidden = {key: unit.command for key, unit in units.items() if not self.is_open[unit.command]}
        hidden.update({key: card.command for key, card in cards.items() if card.kind != "troops"})
        found: dict[str, Plan] = {}
        for each in self.data.plan:
            where = f"plan {each.force!r}"
            self._refers(f"{where}.force", each.force, hidden)
            if each.force in found:
                self._wrong(where, "this force has two plans", "Give each force one plan")
            legs: list[Leg] = []
            for index, leg in enumerate(each.legs):
                if bool(leg.path) == bool(leg.halt):
                    self._wrong(f"{where}.legs[{index}]", "a leg has a path or a halt", "Give one of the two")
                path = tuple(self._on_table(f"{where}.legs[{index}].path", at, table) for at in leg.path)
                legs.append(Leg(path=path, pace="halt" if leg.halt else leg.pace, turns=leg.halt))
            back = None if each.withdraw_to is None else self._on_table(f"{where}.withdraw_to", each.withdraw_to, table)
            found[each.force] = Plan(
                force=each.force,
                command=hidden[each.force],
                legs=tuple(legs),
                is_held=each.held,
                on_contact=each.on_contact,
                on_signal=dict(sorted(each.on_signal.items())),
                withdraw_to=back,
                fire=each.fire,
                fire_range=self._length(f"{where}.range", each.range),
                targets=each.targets,
                note=each.note,
            )
        return found

    def _objective(self, each: form.ObjectiveForm) -> Objective:
        where = f"objective {each.key!r}"
        self._refers(f"{where}.side", each.side, self.sides)
        if each.deed != "umpire":
            self._refers(f"{where}.zone", each.zone, self.zones)
        return Objective(
            key=each.key, side=each.side, deed=each.deed, points=each.points, name=each.name, zone=each.zone
        )

    def _assume(self, each: form.SideForm) -> Assume:
        where = f"side {each.key!r}.assume.weapons"
        for weapon in each.assume.weapons.values():
            self._refers(where, weapon, self.weapons)
        weapons = dict(sorted(each.assume.weapons.items()))
        return Assume(quality=each.assume.quality, body_armour=each.assume.body_armour, weapons=weapons)

    # Small things

    def _unique(self) -> None:
        data = self.data
        men = [man for each in data.squad for man in each.men]
        forces = [*(each.key for each in data.squad), *(each.key for each in data.card), *(man.key for man in men)]
        for what, keys in (
            ("side", [each.key for each in data.side]),
            ("command", [each.key for each in data.command]),
            ("zone", [each.key for each in data.zone]),
            ("objective", [each.key for each in data.objective]),
            ("squads, men and cards", forces),
        ):
            self._differ(what, keys)

    def _length(self, where: str, inches: form.Inches) -> int:
        length = Fraction(str(inches)) * 100
        if length.denominator != 1 or length < 0:
            self._wrong(where, f"{inches} inches", "Lengths are zero or more, in steps of a hundredth of an inch")
        return int(length)

    def _places(self, where: str, places: Sequence[form.At]) -> tuple[Place, ...]:
        return tuple((self._length(where, x), self._length(where, y)) for x, y in places)

    def _on_table(self, where: str, at: form.At, table: Table) -> Place:
        place = self._places(where, [at])[0]
        if place[0] > table.width or place[1] > table.depth:
            right = f"x runs to {table.width / 100:g}, y to {table.depth / 100:g} inches"
            self._wrong(where, f"{at[0]:g}, {at[1]:g} lies off the table", right)
        return place
