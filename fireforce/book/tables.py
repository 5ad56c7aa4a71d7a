"""FireForce's tables as functions: typed answers from the book, each number with its reason.

`shipped_book(*layers)` puts a book together and refuses one that cannot be played; `Tables(book)` answers from it.
Lengths in hundredths of an inch.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import Literal, TypeVar

import msgspec

from fireforce.book import rows
from fireforce.book.kinds import Barrier, Kind, Kinds, Measure, Save
from fireforce.book.rows import SCHEMA, Hour, Manner, Mode, MoveGoing, Quality, Side, WeaponKind
from fireforce.data import core
from umpire.kernel.book.book import Book, UnknownKey
from umpire.kernel.book.layers import BookError, Layer, Problem
from umpire.kernel.book.laying import put_together
from umpire.kernel.values.modifiers import Modifier, total

R = TypeVar("R", bound=msgspec.Struct)

QUALITIES: tuple[Quality, ...] = ("elite", "veteran", "trained", "poor", "green")
"""From best to worst."""


class FirePart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Those of a group that fires of whose fire all is doubled and halved alike: what they fire, each kind with its
    fire points as printed, and the conditions, keys of `fire_conditions`."""

    armed: tuple[tuple[int, str], ...]
    doubled: tuple[str, ...] = ()
    halved: tuple[str, ...] = ()

    @property
    def base(self) -> int:
        return sum(points for points, _ in self.armed)


class FirePoints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fire points that are rolled for, and how the base became them: base + total(modifiers) = points."""

    points: int
    base: int
    modifiers: tuple[Modifier, ...]


def shipped_book(*layers: Layer) -> Book:
    """The shipped tables with these layers laid over them. Raises `BookError` where they cannot be played."""
    book = put_together(SCHEMA, (core(), *layers))
    if found := problems(book):
        raise BookError(found)
    return book


@cache
def core_book() -> Book:
    """The shipped tables alone."""
    return shipped_book()


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Answers from one book. Keys that the book does not have raise `UnknownKey` with the nearest."""

    book: Book

    # -- rows ----------------------------------------------------------------------------------------------------

    def weapon(self, key: str) -> rows.Weapon:
        """The row of a weapon, by its class or its own name. `fireforce small-arms`"""
        return self._row("weapons", key, rows.Weapon)

    def quality(self, quality: str) -> rows.QualityRow:
        """The row of a quality. `fireforce motivation`"""
        return self._row("qualities", quality, rows.QualityRow)

    def card(self, key: str) -> rows.Card:
        """What a kind of card may do. `fireforce cards`"""
        return self._row("cards", key, rows.Card)

    def number(self, key: str) -> int:
        """A number that stands alone."""
        return self._row("numbers", key, rows.Number).value

    def distance(self, key: str) -> int:
        """A distance that stands alone."""
        return self._row("distances", key, rows.Distance).length

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of ground and barriers of this book, for the geometry of the table."""
        table = self.book.table
        return Kinds(
            ground=tuple(table("ground", Kind).values()),
            barrier=tuple(table("barrier", Barrier).values()),
            measure=tuple(table("measure", Measure).values()),
        )

    # -- motivation ----------------------------------------------------------------------------------------------

    def motivation_modifiers(
        self,
        quality: Quality,
        *,
        casualties: int = 0,
        conditions: Collection[str] = (),
        leaders: Sequence[tuple[str, int]] = (),
    ) -> tuple[Modifier, ...]:
        """What is added to the d6: the Motivation Number, then what applies of the printed list, then the leaders.

        `quality` is the one that the squad counts as; `conditions` are keys of the table (`raining`, `under_fire`,
        `in_cover`, `no_hostiles`, `desperate_gamble`); `leaders` are names with their Motivation Ratings.
        `fireforce motivation`, `fireforce motivation-rating`
        """
        row = self.quality(quality)
        found = [self._modifier("qualities", quality, "motivation", row.motivation, row.name)]
        counts = {**dict.fromkeys(conditions, 1), **({"casualties": casualties} if casualties else {})}
        for key in sorted(counts):
            each = self._row("motivation_modifiers", key, rows.MotivationModifier)
            if quality not in each.exempt:
                reason = f"{each.name} {counts[key]}" if each.each else each.name
                value = each.value * (counts[key] if each.each else 1)
                found.append(self._modifier("motivation_modifiers", key, "value", value, reason))
        found.extend(Modifier(rating, name, "fireforce motivation-rating") for name, rating in leaders if rating)
        return tuple(found)

    def motivation_result(self, score: int, hour: Hour, quality: Quality) -> rows.MotivationResult:
        """The result of a score; Elite and Veteran read the day column by night too. `fireforce motivation`"""
        column: Hour = "day" if self.quality(quality).always_day else hour
        for result in self._results:
            start = result.starts(column)
            if start is None or score >= start:
                return result
        raise AssertionError("a book's worst motivation result has no lowest score")

    @cached_property
    def _results(self) -> tuple[rows.MotivationResult, ...]:
        table = self.book.table("motivation_results", rows.MotivationResult)
        return tuple(sorted(table.values(), key=lambda row: row.severity))

    def levels_dropped(self, *, flakey: bool) -> int:
        """Levels of quality that troops lose who crack. `fireforce motivation`"""
        return self.number("levels_dropped_flakey" if flakey else "levels_dropped")

    def dropped(self, quality: Quality, levels: int) -> Quality:
        """The quality so many levels below the printed one, never below the lowest. `fireforce motivation`"""
        ladder = sorted(QUALITIES, key=lambda each: -self.quality(each).rank)
        return ladder[min(ladder.index(quality) + levels, len(ladder) - 1)]

    # -- movement and sight --------------------------------------------------------------------------------------

    def move_rate(self, manner: Manner, going: MoveGoing) -> int:
        """The farthest a figure moves in a turn in this manner on this going. `fireforce movement`"""
        row = self._row("movement", manner, rows.Movement)
        rates: Mapping[MoveGoing, int] = {"good": row.good, "bad": row.bad, "road": row.road}
        return rates[going]

    def half_move(self, length: int) -> int:
        """What of a move troops may advance who are fair. `fireforce motivation`"""
        return length // self.number("half_move_divisor")

    def hearing(self, noise: str) -> int:
        """How far off a noise is heard. `fireforce visibility`"""
        return self._row("hearing", noise, rows.Hearing).distance

    def spotting(
        self, target: str, place: Save | Literal["prepared"], mode: Mode, hour: Hour = "day"
    ) -> int | Literal["sight"] | None:
        """How near an unpinned enemy finds a concealed unit: a distance, as far as sight, or not at all.

        `place` is where the unit is. With cards on the table indigenous troops are not found by distance. At night
        distances are halved, but not below the least. Troops that move are in no prepared position: then the answer
        is as in the thickest cover. `fireforce visibility`
        """
        row = self._row("spotting", target, rows.Spotting)
        if mode not in row.modes:
            return None
        prepared = row.jungle if row.prepared is None else row.prepared
        places: Mapping[str, int | Literal["sight"]] = {
            "open": row.open,
            "soft": row.soft,
            "jungle": row.jungle,
            "prepared": prepared,
        }
        found = places[place]
        if found == "sight" or hour == "day":
            return found
        return max(found // 2, min(found, self.distance("night_spotting_least")))

    # -- fire ----------------------------------------------------------------------------------------------------

    def is_concerned(self, key: str, kind: WeaponKind) -> bool:
        """Does a halving or doubling concern weapons of this kind? `fireforce small-arms`"""
        return kind not in self._row("fire_conditions", key, rows.FireCondition).kinds_exempt

    def fire_points(self, base: int, doubled: Sequence[str] = (), halved: Sequence[str] = ()) -> FirePoints:
        """The fire points of a group of whom all is doubled and halved alike: see `added_up`."""
        made = self.added_up([FirePart(armed=((base, ""),), doubled=tuple(doubled), halved=tuple(halved))])
        return msgspec.structs.replace(made, modifiers=made.modifiers[1:])

    def added_up(self, parts: Sequence[FirePart]) -> FirePoints:
        """The fire points left of the parts of a group after all their doublings and halvings, keys of the table
        `fire_conditions`.

        All are applied to each part, which comes to no more than twice its base, so that a doubling that is lost to
        the limit may still make up for a halving. The parts are added as they are; then fractions are dropped, once,
        and no less than 1 is left. The working begins each part with its base. Raises `ValueError` for a base below 1
        and for a condition given on the wrong side. `fireforce small-arms`
        """
        whole, shown = Fraction(), 0
        found: list[Modifier] = []

        def comes_to(exact: Fraction) -> int:
            nonlocal shown
            before, shown = shown, int(whole + exact)
            return shown - before

        for part in parts:
            if part.base < 1:
                raise ValueError(f"a fire has at least 1 fire point, not {part.base}")
            exact = Fraction(part.base)
            found.extend(Modifier(points, what, "fireforce small-arms") for points, what in part.armed)
            comes_to(exact)
            for effect, keys in (("double", part.doubled), ("halve", part.halved)):
                for key in keys:
                    row = self._row("fire_conditions", key, rows.FireCondition)
                    if row.effect != effect:
                        raise ValueError(f"{row.name} does not {effect} the fire points: it makes them {row.effect}")
                    exact = exact * 2 if effect == "double" else exact / 2
                    value = comes_to(exact)
                    found.append(self._modifier("fire_conditions", key, "effect", value, f"{row.name}: {effect}d"))
            most = part.base * self.number("fire_points_most")
            if exact > most:
                exact = Fraction(most)
                value = comes_to(exact)
                found.append(self._modifier("numbers", "fire_points_most", "value", value, f"no more than {most}"))
            whole += exact
        least = self.number("fire_points_least")
        if shown < least:
            value = least - shown
            found.append(self._modifier("numbers", "fire_points_least", "value", value, f"no less than {least}"))
        base = sum(part.base for part in parts)
        return FirePoints(points=max(shown, least), base=base, modifiers=tuple(found))

    def rows_for(self, points: int) -> tuple[int, ...]:
        """The rows of the hit table: one for each full 20 points, and one for the rest. `fireforce small-arms`"""
        full, rest = divmod(points, self.number("fire_points_per_roll"))
        return (*[self.number("fire_points_per_roll")] * full, *([rest] if rest else []))

    def fire_modifiers(
        self,
        quality: Quality,
        kind: WeaponKind,
        distance: int,
        *,
        vehicle_mounted: bool = False,
        conditions: Collection[str] = (),
    ) -> tuple[Modifier, ...]:
        """What is added to the d20, limited as a sum. `conditions` are keys of `fire_modifiers` that only the
        situation tells (`night`, `haze`, `target_mounted`, `shooter_mounted`). House rules but for those about
        mounted troops. `fireforce small-arms`, `fireforce mounted`
        """
        keys = sorted({*conditions, "far", *(("elite",) if quality == "elite" else ())})
        found = []
        for key in keys:
            row = self._row("fire_modifiers", key, rows.FireModifier)
            near_enough = row.within is None or distance <= row.within
            far_enough = row.beyond is None or distance > row.beyond
            exempt = kind in row.kinds_exempt or (vehicle_mounted and row.beyond is not None)
            if near_enough and far_enough and not exempt:
                found.append(self._modifier("fire_modifiers", key, "value", row.value, row.name))
        limit, added = self.number("fire_modifier_limit"), total(found)
        if abs(added) > limit:
            back = (limit if added > 0 else -limit) - added
            found.append(
                self._modifier("numbers", "fire_modifier_limit", "value", back, f"no more than {limit} in all")
            )
        return tuple(found)

    def bands(self, row: int, modifier: int = 0) -> tuple[tuple[int, int, int], ...]:
        """Lowest natural d20, highest, hits: every roll of 1 to 20 once, in order; for exact odds.

        The modifier is added to the roll, and the sum taken as no less than 1 and no more than 20.
        """
        printed = self._row("hit_table", str(row), rows.HitRow).bands()
        found = []
        for low, high, hits in printed:
            natural_low = 1 if low == 1 else low - modifier
            natural_high = 20 if high == 20 else high - modifier
            if max(natural_low, 1) <= min(natural_high, 20):
                found.append((max(natural_low, 1), min(natural_high, 20), hits))
        return tuple(found)

    def hits(self, row: int, d20: int, modifier: int = 0) -> int:
        """The hits that a d20 scores on a row of the hit table. `fireforce small-arms`"""
        for low, high, hits in self.bands(row, modifier):
            if low <= d20 <= high:
                return hits
        raise ValueError(f"{d20} is no roll of a d20")

    def divisor(self, shooter: Quality | Literal["sniper"]) -> int:
        """Hits are divided by this for potential critical hits. `fireforce target-selection`"""
        return self._row("target_selection", shooter, rows.TargetSelection).divisor

    def critical_number(self, shooter: Quality | Literal["sniper"]) -> int | None:
        """What a critical hit needs on a d10; none for a sniper's. `fireforce target-selection`"""
        return self._row("target_selection", shooter, rows.TargetSelection).critical_number

    def potential_criticals(self, hits: int, shooter: Quality | Literal["sniper"]) -> int:
        """How many hits may be critical: at least one of those that hit, if any. `fireforce target-selection`"""
        return min(hits, max(1, hits // self.divisor(shooter)))

    # -- saving throws, close combat, points ---------------------------------------------------------------------

    def save_number(self, row: Save, target: Quality | Literal["civilian"]) -> int:
        """What a figure that was hit needs on a d10, by the ground where it is. `fireforce saving-throws`"""
        numbers = self._row("saving_throws", row, rows.SavingThrow)
        if target == "civilian":
            return numbers.civilian
        return numbers.trained if self.quality(target).save_as == "trained" else numbers.poor

    def save_modifiers(self, kind: WeaponKind, conditions: Collection[str]) -> tuple[Modifier, ...]:
        """What is added to the saving throw: of `body_armour`, `pinned`, `prophylactic`, `sniper` those that are so.

        Body armour counts against some kinds of weapon only. `fireforce saving-throws`
        """
        found = []
        for key in sorted(set(conditions)):
            row = self._row("saving_throw_modifiers", key, rows.SavingThrowModifier)
            if not row.kinds or kind in row.kinds:
                found.append(self._modifier("saving_throw_modifiers", key, "value", row.value, row.name))
        return tuple(found)

    def is_saved(self, needed: int, d10: int, modifiers: Sequence[Modifier] = ()) -> bool:
        """Is the figure saved? A natural 1 never is. `fireforce saving-throws`"""
        return d10 > self.number("natural_failure") and d10 + total(modifiers) >= needed

    def close_combat_modifiers(self, words: Collection[str]) -> tuple[Modifier, ...]:
        """What is added to a figure's d6; the words are `elite`, `fierce`, `civilian`. `fireforce close-combat`"""
        table = "close_combat_modifiers"
        found = ((key, self._row(table, key, rows.CloseCombatModifier)) for key in sorted(set(words)))
        return tuple(self._modifier(table, key, "value", row.value, row.name) for key, row in found)

    def close_combat_result(self, difference: int) -> rows.CloseCombatResult:
        """What follows from the difference of the two scores, its sign aside. `fireforce close-combat`"""
        table = self.book.table("close_combat_results", rows.CloseCombatResult).values()
        return max(
            (row for row in table if row.difference_from <= abs(difference)), key=lambda row: row.difference_from
        )

    def victory_points(self, scorer: Side, enemy: Side, deeds: Mapping[str, int]) -> tuple[Modifier, ...]:
        """What a side scores: for each deed and how often it was done a number; `total` is the score.

        Deeds that score nothing for this side against this enemy are left out; a deed that no row knows raises
        `UnknownKey`. `fireforce victory-points`
        """
        table = self.book.table("victory_points", rows.VictoryPoints)
        known = {row.deed for row in table.values()}
        if unknown := sorted(set(deeds) - known):
            raise UnknownKey(f"no points are given for {unknown[0]!r}; there are {', '.join(sorted(known))}")
        return tuple(
            self._modifier(
                "victory_points", key, "points", row.points * deeds[row.deed], f"{deeds[row.deed]} {row.name}"
            )
            for key, row in table.items()
            if row.scorer == scorer and row.enemy in (None, enemy) and deeds.get(row.deed)
        )

    def _row(self, table: str, key: str, row: type[R]) -> R:
        found = self.book.table(table, row)
        if key not in found:
            self.book.origin(table, key, "")
        return found[key]

    def _modifier(self, table: str, key: str, column: str, value: int, reason: str) -> Modifier:
        origin = self.book.origin(table, key, column)
        return Modifier(value, reason, origin.source, "house" if origin.status == "house" else "")


_FREE = ("barrier", "ground", "hit_table", "victory_points", "weapons")
"""Tables from which rows may be dropped: the rules do not ask for theirs by name."""


def problems(book: Book) -> tuple[Problem, ...]:
    """What keeps a book from being played though each row is sound; empty when it can be."""
    found: list[Problem] = []

    def wrong(table: str, key: str, what: str, right: str) -> None:
        found.append(Problem(file="the tables laid over each other", table=table, key=key, what=what, right=right))

    for table in SCHEMA:
        shipped = () if table in _FREE else [key for file in core().files for key in file.tables.get(table, ())]
        for key in shipped:
            if key not in book.tables[table]:
                wrong(table, key, "is missing", "the rules ask for this row")
    if found:
        return tuple(found)
    hit_table = book.table("hit_table", rows.HitRow)
    for points in range(1, Tables(book).number("fire_points_per_roll") + 1):
        row = hit_table.get(str(points))
        if row is None:
            wrong("hit_table", str(points), "is missing", "there is a row for each number of points up to a full roll")
        elif [face for low, high, _ in row.bands() for face in range(low, high + 1)] != list(range(1, 21)):
            wrong("hit_table", str(points), "its cells are not 1 to 20 once each", "each roll gives one number of hits")
    results = sorted(
        book.table("motivation_results", rows.MotivationResult).values(), key=lambda result: result.severity
    )
    columns: tuple[Hour, ...] = ("day", "night")
    for column in columns:
        starts = [result.starts(column) for result in results]
        scores = [start for start in starts if start is not None]
        if starts[-1] is not None or len(scores) != len(starts) - 1 or scores != sorted(set(scores), reverse=True):
            right = "scores fall with severity, and the worst result alone has no lowest score"
            wrong("motivation_results", results[-1].key, f"the {column} column has gaps", right)
    return tuple(found)
