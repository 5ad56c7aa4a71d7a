"""The tables of FireForce: what the page prints, what follows from it, and what a group may change."""

from __future__ import annotations

import re
from math import comb
from pathlib import Path
from typing import Any

import pytest

from fireforce.book.rows import SCHEMA
from fireforce.book.tables import QUALITIES, Tables, core_book, shipped_book
from fireforce.data import core
from umpire.kernel.book.book import UnknownKey
from umpire.kernel.book.layers import BookError, Layer, parse_file
from umpire.kernel.values.modifiers import Modifier, total

T = Tables(core_book())
ROWS = range(1, 21)


def group(text: str) -> Layer:
    return Layer(name="group", files=(parse_file("club.toml", text),))


# -- the hit table


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize("row", ROWS)
def test_each_row_covers_the_twenty_rolls_once(row: int) -> None:
    faces = [face for low, high, _ in T.bands(row) for face in range(low, high + 1)]
    assert faces == list(range(1, 21))


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize("row", ROWS)
def test_a_row_scores_about_three_hits_in_ten_points(row: int) -> None:
    scored = sum((high - low + 1) * hits for low, high, hits in T.bands(row))
    assert abs(scored - 6 * row) <= 1  # in twentieths: the mean is within 0.05 of 0.3 n


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize("row", ROWS)
def test_each_edge_is_the_rounded_binomial_that_the_table_was_made_from(row: int) -> None:
    for _, high, hits in T.bands(row)[:-1]:
        chance = sum(comb(row, k) * 0.3**k * 0.7 ** (row - k) for k in range(hits + 1))
        assert abs(high - 20 * chance) <= 0.51


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(
    ("row", "roll", "hits"),
    [
        (8, 12, 3),
        (8, 10, 2),
        (1, 14, 0),
        (1, 15, 1),
        (4, 19, 3),
        (6, 1, 0),
        (7, 2, 0),
        (11, 1, 1),
        (16, 2, 2),
        (17, 1, 2),
        (20, 20, 10),
        (19, 19, 9),
    ],
)
def test_cells_as_printed_or_repaired(row: int, roll: int, hits: int) -> None:
    assert T.hits(row, roll) == hits


@pytest.mark.rule("fireforce small-arms")
def test_the_repaired_cells_are_marked_as_derived() -> None:
    def status(row: int, hits: int) -> str:
        return core_book().origin("hit_table", str(row), f"hits_{hits}").status

    assert [status(4, 3), status(6, 0), status(7, 0), status(11, 1), status(20, 10)] == ["derived"] * 5
    assert [status(4, 2), status(6, 1), status(10, 6)] == ["printed"] * 3


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(
    ("points", "rolls", "rows", "hits"),
    [
        (26, (10, 10), (20, 6), 8),
        (40, (10, 10), (20, 20), 12),
        (20, (10,), (20,), 6),
        (41, (10, 10, 20), (20, 20, 1), 13),
    ],
)
def test_a_roll_for_each_twenty_points_or_part(
    points: int, rolls: tuple[int, ...], rows: tuple[int, ...], hits: int
) -> None:
    assert T.rows_for(points) == rows
    assert sum(T.hits(row, roll) for row, roll in zip(rows, rolls, strict=True)) == hits


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("modifier", range(-4, 5))
def test_the_bands_with_a_modifier_are_those_of_the_clamped_sum(row: int, modifier: int) -> None:
    plain = {face: hits for low, high, hits in T.bands(row) for face in range(low, high + 1)}
    changed = {face: hits for low, high, hits in T.bands(row, modifier) for face in range(low, high + 1)}
    assert changed == {roll: plain[min(max(roll + modifier, 1), 20)] for roll in range(1, 21)}


def test_no_roll_of_a_d20_is_no_hit() -> None:
    with pytest.raises(ValueError, match="21 is no roll of a d20"):
        T.hits(8, 21)


# -- fire points


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(
    ("base", "doubled", "halved", "points"),
    [
        (6, ("ambush", "civilians"), (), 12),
        (6, ("ambush", "running"), ("soft_cover",), 12),
        (6, ("ambush", "running", "prophylactic"), ("soft_cover",), 12),
        (8, ("ambush",), ("soft_cover", "poor_troops"), 4),
        (6, ("ambush",), ("soft_cover",), 6),
        (5, (), ("soft_cover",), 2),
        (1, (), ("soft_cover",), 1),
        (3, (), ("soft_cover", "poor_troops"), 1),
        (5, ("ambush",), ("soft_cover", "poor_troops"), 2),
        (8, (), (), 8),
    ],
)
def test_doublings_and_halvings_and_their_limits(
    base: int, doubled: tuple[str, ...], halved: tuple[str, ...], points: int
) -> None:
    result = T.fire_points(base, doubled, halved)
    assert result.points == points
    assert base + total(result.modifiers) == points


@pytest.mark.rule("fireforce small-arms")
def test_fire_points_are_explained() -> None:
    assert T.fire_points(6, ("ambush", "civilians")).modifiers == (
        Modifier(6, "first shot from ambush: doubled", "fireforce small-arms"),
        Modifier(12, "shooting at civilians: doubled", "fireforce small-arms"),
        Modifier(-12, "no more than 12", "fireforce small-arms"),
    )


def test_a_condition_on_the_wrong_side_or_misspelt_is_refused() -> None:
    with pytest.raises(ValueError, match="first shot from ambush does not halve"):
        T.fire_points(6, (), ("ambush",))
    with pytest.raises(UnknownKey, match="did you mean 'ambush'"):
        T.fire_points(6, ("ambushed",))
    with pytest.raises(ValueError, match="at least 1 fire point"):
        T.fire_points(0)


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(
    ("key", "length", "points", "moving", "prophylactic"),
    [
        ("bolt_rifle", 3000, 1, "yes", True),
        ("galil", 3000, 2, "yes", True),
        ("m16", 3000, 2, "yes", True),
        ("ak47", 3000, 2, "yes", True),
        ("svd", 4000, 2, "yes", True),
        ("smg", 1000, 3, "yes", True),
        ("car15", 1000, 3, "yes", True),
        ("obsolete_carbine", 1000, 2, "yes", True),
        ("pistol", 300, 1, "yes", True),
        ("shotgun", 700, 5, "yes", True),
        ("minimi", 4000, 4, "yes", True),
        ("gpmg", 5000, 6, "yes", True),
        ("rpk", 5000, 6, "yes", True),
        ("pkm", 5000, 7, "mounted", True),
        ("minigun", 3000, 10, "yes", False),
        ("autocannon", 5000, 8, "mounted", False),
    ],
)
def test_the_printed_small_arms(key: str, length: int, points: int, moving: str, prophylactic: bool) -> None:
    weapon = T.weapon(key)
    assert (weapon.range, weapon.fire_points, weapon.on_the_move) == (length, points, moving)
    assert weapon.prophylactic is prophylactic


@pytest.mark.rule("fireforce small-arms")
def test_four_galils_have_eight_fire_points() -> None:
    assert 4 * T.weapon("galil").fire_points == 8


@pytest.mark.rule("fireforce small-arms")
def test_short_weapons_are_not_hampered_in_close_country() -> None:
    assert [T.is_concerned("dense", kind) for kind in ("rifle", "lmg", "shotgun")] == [True] * 3
    assert [T.is_concerned("dense", kind) for kind in ("smg", "carbine", "pistol")] == [False] * 3
    assert T.is_concerned("soft_cover", "smg")


@pytest.mark.rule("fireforce small-arms")
@pytest.mark.parametrize(
    ("quality", "kind", "distance", "more", "added"),
    [
        ("trained", "rifle", 1500, {}, 0),
        ("trained", "rifle", 1501, {}, -2),
        ("trained", "hmg", 4000, {}, 0),
        ("trained", "lmg", 4000, {"vehicle_mounted": True}, 0),
        ("elite", "rifle", 1500, {}, 2),
        ("elite", "rifle", 1501, {}, -2),
        ("trained", "rifle", 2000, {"conditions": ("night", "haze")}, -4),
        ("elite", "rifle", 1000, {"conditions": ("night", "haze", "target_mounted")}, 0),
    ],
)
def test_the_house_modifiers_of_the_d20(quality: Any, kind: Any, distance: int, more: Any, added: int) -> None:
    assert total(T.fire_modifiers(quality, kind, distance, **more)) == added


@pytest.mark.rule("fireforce small-arms")
def test_house_modifiers_are_marked_and_limited_in_sum() -> None:
    found = T.fire_modifiers("trained", "rifle", 2000, conditions=("night", "haze"))
    assert found[:3] == (
        Modifier(-2, "target far", "house rules G4", "house"),
        Modifier(-1, "heavy rain or haze", "house rules G4", "house"),
        Modifier(-2, "night without night vision", "house rules G4", "house"),
    )
    assert found[3] == Modifier(1, "no more than 4 in all", "house rules G4", "house")
    (mounted,) = T.fire_modifiers("trained", "rifle", 1000, conditions=("target_mounted",))
    assert mounted == Modifier(1, "shooting at mounted", "fireforce mounted", "")


# -- motivation


def score(die: int, quality: Any, **what: Any) -> int:
    return die + total(T.motivation_modifiers(quality, **what))


@pytest.mark.rule("fireforce motivation")
def test_the_first_worked_example_by_the_printed_list() -> None:
    """Veterans do not mind the rain, whatever the example says (reading C1); good morale either way."""
    scored = score(4, "veteran", casualties=2, conditions=("under_fire", "raining"), leaders=(("squad leader", 2),))
    assert scored == 7
    assert T.motivation_result(scored, "day", "veteran").key == "good"
    assert T.motivation_result(6, "day", "veteran").key == "good"


@pytest.mark.rule("fireforce motivation")
def test_the_second_worked_example_with_its_die() -> None:
    assert score(1, "trained", casualties=5, conditions=("under_fire",)) == -2
    worse = score(1, "trained", casualties=5, conditions=("under_fire",), leaders=(("squad leader", -1),))
    assert worse == -3
    assert [T.motivation_result(-2, hour, "trained").key for hour in ("day", "night")] == ["demoralised"] * 2
    assert [T.motivation_result(-3, hour, "trained").key for hour in ("day", "night")] == ["demoralised", "broken"]
    assert T.dropped("trained", T.levels_dropped(flakey=False)) == "poor"


@pytest.mark.rule("fireforce motivation")
@pytest.mark.parametrize(
    ("scored", "hour", "quality", "result"),
    [
        (6, "night", "trained", "fair"),
        (6, "night", "veteran", "good"),
        (7, "night", "poor", "fair"),
        (8, "night", "green", "good"),
        (-2, "night", "trained", "demoralised"),
        (-3, "night", "green", "broken"),
        (-3, "night", "elite", "demoralised"),
        (-3, "day", "poor", "demoralised"),
        (-4, "day", "poor", "broken"),
        (5, "day", "trained", "fair"),
        (4, "day", "trained", "fair"),
        (3, "day", "trained", "wavering"),
        (2, "night", "trained", "wavering"),
        (1, "day", "trained", "faltering"),
        (0, "night", "trained", "faltering"),
        (-1, "day", "trained", "cracking"),
        (-1, "night", "trained", "cracking"),
        (-20, "day", "elite", "broken"),
        (20, "night", "green", "good"),
    ],
)
def test_day_and_night_columns(scored: int, hour: Any, quality: Any, result: str) -> None:
    assert T.motivation_result(scored, hour, quality).key == result


@pytest.mark.rule("fireforce motivation")
def test_what_each_result_allows() -> None:
    def row(scored: int) -> Any:
        return T.motivation_result(scored, "day", "trained")

    assert [row(s).advance for s in (6, 4, 2, 0, -1, -2, -4)] == ["full", "half", "cover"] + ["none"] * 4
    assert [row(s).withdraws for s in (-1, -2, -4)] == ["no", "retreat", "run"]
    assert [row(s).fire for s in (6, 4, 2, 0, -1, -2, -4)] == ["normal"] * 3 + ["prophylactic"] * 3 + ["none"]
    assert [row(s).pinned_fire for s in (0, -1, -2, -4)] == ["prophylactic", "none", "prophylactic", "none"]
    assert [row(s).pinned_withdraws for s in (-2, -4)] == [True, False]
    assert [row(s).drops_quality for s in (0, -1, -2, -4)] == [False, True, True, True]
    assert [row(s).surrenders for s in (-2, -4)] == [False, True]
    assert T.distance("surrender") == 500
    assert T.distance("wavering_cover") == 200


@pytest.mark.rule("fireforce motivation")
def test_motivation_numbers_and_who_is_exempt() -> None:
    assert [T.quality(each).motivation for each in QUALITIES] == [6, 4, 3, 2, 0]
    assert [score(0, each, conditions=("raining",)) for each in QUALITIES] == [6, 4, 2, 1, -1]
    assert [score(0, each, conditions=("in_cover",)) for each in QUALITIES] == [6, 3, 2, 1, -1]
    assert score(0, "poor", conditions=("no_hostiles",)) == 6


@pytest.mark.rule("fireforce desperate-gamble")
def test_a_desperate_gamble_adds_two() -> None:
    squad: Any = {"casualties": 4, "leaders": (("squad leader", 1),)}
    assert score(4, "trained", **squad) == 4
    assert score(1, "trained", conditions=("desperate_gamble",), **squad) == 3


@pytest.mark.rule("fireforce motivation")
def test_cracking_troops_drop_and_flakey_ones_drop_twice() -> None:
    assert score(1, "veteran", casualties=5, conditions=("under_fire",)) == -1
    assert T.dropped("veteran", T.levels_dropped(flakey=False)) == "trained"
    assert T.dropped("veteran", T.levels_dropped(flakey=True)) == "poor"
    assert score(3, "trained", casualties=5, conditions=("under_fire",)) == 0
    assert score(4, "poor", casualties=5, conditions=("under_fire",)) == 0
    assert [T.dropped(each, 2) for each in QUALITIES] == ["trained", "poor", "green", "green", "green"]


@pytest.mark.rule("fireforce motivation")
def test_motivation_is_explained() -> None:
    assert T.motivation_modifiers("trained", casualties=5, conditions=("under_fire",), leaders=(("Sarge", 2),)) == (
        Modifier(3, "Trained", "fireforce motivation"),
        Modifier(-5, "casualties 5", "fireforce motivation"),
        Modifier(-1, "under fire", "fireforce motivation"),
        Modifier(2, "Sarge", "fireforce motivation-rating"),
    )


# -- movement, sight, cards


@pytest.mark.rule("fireforce movement")
def test_rates_of_movement_and_half_of_them() -> None:
    rates = {
        manner: [T.move_rate(manner, going) for going in ("good", "bad", "road")] for manner in ("tactical", "running")
    }
    assert rates == {"tactical": [600, 400, 800], "running": [800, 600, 1000]}
    assert (T.half_move(600), T.half_move(800)) == (300, 400)


@pytest.mark.rule("fireforce visibility")
def test_hearing_distances() -> None:
    noises = ("vehicle", "regular_moving", "indigenous_moving", "weapon_fire", "helicopter")
    assert [T.hearing(noise) for noise in noises] == [1500, 800, 400, 3000, 6000]


@pytest.mark.rule("fireforce visibility")
@pytest.mark.parametrize(
    ("target", "place", "mode", "hour", "found"),
    [
        ("regular_moving", "open", "map", "day", "sight"),
        ("regular_moving", "jungle", "map", "day", 800),
        ("indigenous_moving", "jungle", "map", "day", 400),
        ("indigenous_moving", "jungle", "cards", "day", None),
        ("indigenous_stationary", "open", "cards", "day", None),
        ("indigenous_stationary", "open", "map", "day", 1500),
        ("indigenous_stationary", "prepared", "map", "day", 200),
        ("regular_stationary", "soft", "cards", "day", 600),
        ("regular_stationary", "open", "map", "night", 1500),
        ("regular_stationary", "jungle", "map", "night", 200),
        ("indigenous_stationary", "jungle", "map", "night", 200),
        ("indigenous_moving", "prepared", "map", "day", 400),
    ],
)
def test_spotting_distances_in_both_modes(target: str, place: Any, mode: Any, hour: Any, found: object) -> None:
    assert T.spotting(target, place, mode, hour) == found


@pytest.mark.rule("fireforce cards", "fireforce searching")
def test_cards_and_searches() -> None:
    assert {key for key in core_book().tables["cards"] if not T.card(key).moves} == {"cache", "booby_trap"}
    assert {key for key in core_book().tables["cards"] if T.card(key).matched} == {"troops"}
    assert T.number("dummies_per_troop_card") == 1
    assert T.distance("card_side") == 200
    assert (T.number("searchers"), T.number("carrying_divisor")) == (2, 2)
    assert (T.number("troops_per_counter"), T.number("dummies_per_counter")) == (10, 1)
    assert (T.distance("coherency"), T.distance("attachment")) == (300, 300)


# -- hits, saving throws, close combat


@pytest.mark.rule("fireforce target-selection")
def test_potential_criticals() -> None:
    shooters: tuple[Any, ...] = ("sniper", *QUALITIES)
    assert [T.divisor(each) for each in shooters] == [1, 2, 3, 4, 5, 6]
    assert T.potential_criticals(3, "elite") == 1
    assert T.potential_criticals(3, "green") == 1
    assert T.potential_criticals(2, "trained") == 1
    assert T.potential_criticals(10, "elite") == 5
    assert T.potential_criticals(0, "elite") == 0
    assert T.potential_criticals(4, "sniper") == 4
    assert [T.critical_number(each) for each in shooters] == [None, 4, 5, 6, 8, 9]


@pytest.mark.rule("fireforce saving-throws")
def test_saving_throws_as_printed() -> None:
    targets: tuple[Any, ...] = ("trained", "poor", "civilian")
    printed = {row: [T.save_number(row, target) for target in targets] for row in ("jungle", "soft", "open")}
    assert printed == {"jungle": [4, 6, 8], "soft": [5, 7, 9], "open": [7, 8, 9]}
    assert [T.save_number("open", each) for each in QUALITIES] == [7, 7, 7, 8, 8]


@pytest.mark.rule("fireforce saving-throws")
def test_saving_throws_with_modifiers_and_the_natural_one() -> None:
    forest = T.save_number("jungle", "trained")
    pinned = T.save_modifiers("rifle", ("pinned", "prophylactic"))
    assert total(pinned) == 5
    assert not T.is_saved(forest, 1, pinned)
    assert T.is_saved(forest, 2, pinned)
    sniper = T.save_modifiers("sniper rifle", ("sniper",))
    assert not T.is_saved(T.save_number("open", "trained"), 8, sniper)
    assert T.is_saved(T.save_number("open", "trained"), 9, sniper)
    assert not T.is_saved(T.save_number("open", "trained"), 6)
    assert T.is_saved(T.save_number("open", "trained"), 7)


@pytest.mark.rule("fireforce saving-throws")
def test_body_armour_counts_against_some_weapons_only() -> None:
    kinds: tuple[Any, ...] = ("he", "smg", "shotgun", "pistol", "rifle", "carbine", "lmg", "hmg")
    helped = {kind for kind in kinds if T.save_modifiers(kind, ("body_armour",))}
    assert helped == {"he", "smg", "shotgun", "pistol"}


@pytest.mark.rule("fireforce close-combat")
def test_close_combat() -> None:
    assert total(T.close_combat_modifiers(("elite", "fierce"))) == 2
    assert total(T.close_combat_modifiers(("civilian",))) == -2
    results = [T.close_combat_result(difference).key for difference in (0, 1, -2, 3, 7)]
    assert results == ["draw", "withdrawal", "withdrawal", "loss", "loss"]
    assert T.distance("close_combat_retreat") == 300


# -- victory points


@pytest.mark.rule("fireforce victory-points")
def test_victory_points_of_both_sides() -> None:
    deeds = {"fire_mission": 2, "indigenous_killed": 3, "cache_captured": 1, "regular_captured": 1}
    regular = T.victory_points("regular", "indigenous", deeds)
    assert total(regular) == -20 + 6 + 20
    assert total(T.victory_points("indigenous", "regular", deeds)) == 3
    assert Modifier(-20, "2 fire mission or airstrike called", "fireforce victory-points") in regular


@pytest.mark.rule("fireforce victory-points")
def test_captured_regulars_score_for_regulars_only_where_the_enemy_is_regular() -> None:
    assert total(T.victory_points("regular", "regular", {"regular_captured": 2})) == 6
    assert total(T.victory_points("regular", "indigenous", {"regular_captured": 2})) == 0


@pytest.mark.rule("fireforce victory-points")
@pytest.mark.parametrize(
    ("scorer", "deed", "points"),
    [
        ("regular", "cache_destroyed", 15),
        ("regular", "cache_captured", 20),
        ("regular", "fire_mission", -10),
        ("regular", "indigenous_captured", 3),
        ("regular", "indigenous_killed", 2),
        ("regular", "casualty_abandoned", -2),
        ("regular", "friendly_fire", -3),
        ("regular", "afv_destroyed", 15),
        ("regular", "helicopter_destroyed", 20),
        ("indigenous", "regular_killed", 2),
        ("indigenous", "regular_captured", 3),
        ("indigenous", "peasant_killed", 2),
        ("indigenous", "afv_destroyed", 15),
        ("indigenous", "helicopter_destroyed", 20),
    ],
)
def test_points_as_printed(scorer: Any, deed: str, points: int) -> None:
    enemy: Any = "regular" if scorer == "indigenous" else "indigenous"
    assert total(T.victory_points(scorer, enemy, {deed: 1})) == points


def test_a_deed_that_nobody_knows_is_refused() -> None:
    with pytest.raises(UnknownKey, match="no points are given for 'bridge_blown'"):
        T.victory_points("regular", "indigenous", {"bridge_blown": 1})


# -- what a group may change


def test_a_group_that_owns_the_lost_card_lays_it_over_the_house_values() -> None:
    laid = shipped_book(
        group('[fire_modifiers.night]\nvalue = -3\nsource = "our photocopy of the card"\nstatus = "printed"')
    )
    (night,) = Tables(laid).fire_modifiers("trained", "rifle", 500, conditions=("night",))
    assert night == Modifier(-3, "night without night vision", "our photocopy of the card")
    assert laid.origin("fire_modifiers", "night", "value").files == ("fire.toml", "club.toml")
    assert laid.digest != core_book().digest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[hit_table.8]\nhits_0 = [1, 2]\nsource = "a typing error"\nstatus = "house"',
            "hit_table.8: its cells are not 1 to 20 once each",
        ),
        (
            '[hit_table.8]\ndrop = true\nsource = "not liked"',
            "hit_table.8: is missing; there is a row for each number of points up to a full roll",
        ),
        ('[qualities.green]\ndrop = true\nsource = "not liked"', "qualities.green: is missing"),
        (
            '[motivation_results.fair]\nday_from = 7\nsource = "a typing error"\nstatus = "house"',
            "motivation_results.broken: the day column has gaps",
        ),
        (
            '[weapons.galil]\nkind = "rifel"\nsource = "a typing error"\nstatus = "house"',
            'club.toml: weapons.galil.kind: "rifel" does not fit',
        ),
        (
            '[saving_throws.open]\ntrained = 11\nsource = "a typing error"\nstatus = "house"',
            "club.toml: saving_throws.open.trained: 11 does not fit; expected int <= 10",
        ),
    ],
)
def test_a_book_that_cannot_be_played_is_refused(text: str, said: str) -> None:
    with pytest.raises(BookError) as refused:
        shipped_book(group(text))
    assert said in str(refused.value)


def test_values_whose_printed_list_is_lost_are_house_values() -> None:
    lost = {
        "target_selection.elite.divisor",
        "target_selection.green.critical_number",
        "fire_modifiers.far.value",
        "spotting.indigenous_stationary.open",
        "numbers.fire_modifier_limit.value",
        "qualities.green.halves_fire",
        "victory_points.regular_regular_captured.enemy",
    }
    assert lost <= {line.key for line in core_book().house_values()}


def test_every_source_is_a_rule_key_or_a_house_rule() -> None:
    """Ground is described by the table's own file, whose house values give their reasons in words."""
    allowed = ("fireforce ", "house rules ")
    for table in SCHEMA:
        if table not in ("ground", "barrier", "measure"):
            for line in core_book().describe(table):
                assert line.origin.source.startswith(allowed), line


def test_the_shipped_files_are_one_layer() -> None:
    assert {file.name for file in core().files} >= {"weapons.toml", "hit_table.toml", "kinds.toml"}
    assert T.kinds.grounds["jungle"].save == "jungle"


def test_every_house_rule_that_a_table_cites_stands_in_the_rulings() -> None:
    rulings = (Path(__file__).parents[2] / "docs" / "rulings.md").read_text("utf-8")
    written = set(re.findall(r"^(?:\| |\*\*)([CG]\d+)\b", rulings, re.MULTILINE))
    lines = [line for table in SCHEMA for line in core_book().describe(table)]
    sources = [line.origin.source for line in lines if line.origin.source.startswith("house rules")]
    cited = {key for source in sources for key in source.removeprefix("house rules ").split(", ")}
    assert cited >= {"C7", "G3", "G4", "G5", "G6", "G11"}
    assert cited <= written
