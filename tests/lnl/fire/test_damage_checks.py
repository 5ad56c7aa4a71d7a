"""Damage Checks: bands, leaders first, what each result does, what is dropped and left behind."""

from __future__ import annotations

import pytest

from lnl.package import PACKAGE
from lnl.rules.fire.damage_checks import scale_of
from lnl.state.battle import State
from lnl.state.finding import works
from tests.lnl.building import Battle, battle
from tests.lnl.fire.firing import OTHERS, fire, totals
from umpire.kernel.rulings import Question

US = "squad 2-5-4-6"
GE = "squad 1-6-4-5"


def result(fight: Battle, key: str, total: int) -> str:
    return scale_of(fight.state, fight.unit(key)).damage(total)


@pytest.mark.rule("core 5.1")
@pytest.mark.parametrize(
    ("total", "expected"),
    [(5, "none"), (6, "shaken"), (9, "shaken"), (10, "casualties"), (14, "casualties"), (15, "eliminated")],
)
def test_the_bands_are_multiples_of_morale(total: int, expected: str) -> None:
    """REAL-19, and E13."""
    assert result(battle(pieces=f"us a {GE} B2" + OTHERS), "a", total) == expected


@pytest.mark.rule("core 5.1")
@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("hero 1-4-5-6", ["none", "wounded", "wounded", "eliminated"]),
        ("leader morale=6", ["none", "shaken", "wounded", "eliminated"]),
        ("squad 1-6-4-6 B2 shaken", ["none", "casualties", "casualties", "eliminated"]),
        ("medic morale=6 B2 shaken", ["none", "wounded", "wounded", "eliminated"]),
    ],
)
def test_the_rows_of_the_table(what: str, expected: list[str]) -> None:
    """REAL-20 for heroes; the other rows are ours."""
    pieces = f"us a {what}" if "B2" in what else f"us a {what} B2"
    fight = battle(pieces=pieces + OTHERS)
    assert [result(fight, "a", total) for total in (6, 7, 12, 18)] == expected


@pytest.mark.rule("core 5.0", "core 5.1")
@pytest.mark.parametrize(("leader", "first", "is_shaken"), [(2, 3, False), (4, 3, True)])
def test_the_leader_checks_first_and_helps_only_if_he_is_then_in_good_order(
    leader: int, first: int, is_shaken: bool
) -> None:
    """REAL-30: the attack beats the defence by 3."""
    fight = battle(
        pieces="ge a squad 3-6-4-6 B2\nus x squad 1-5-4-5 B5\nus y squad 1-5-4-5 B5\nus lt leader morale=6 lm=1 B5",
        active="ge",
    )
    dice = [
        ("attack", 2),
        ("defence", 2),
        ("damage check lt", leader),
        ("damage check x", first),
        ("damage check y", 2),
    ]
    fire(fight, "ge", "a", "B5", dice)
    assert fight.unit("lt").is_shaken is is_shaken
    assert fight.unit("x").is_shaken is is_shaken
    assert not fight.unit("y").is_shaken
    assert totals(fight, "us", "Damage check")[:3] == [leader + 3, first + 3 - (not is_shaken), 5 - (not is_shaken)]


@pytest.mark.rule("core 4.1", "core 5.0")
@pytest.mark.parametrize(("marks", "taken_off"), [("", 1), ("fired", 1), ("ops complete", 0)])
def test_a_leader_who_is_ops_complete_does_not_help(marks: str, taken_off: int) -> None:
    """L71. The attack beats the defence by 3."""
    fight = battle(
        pieces=f"ge a squad 3-6-4-6 B2\nus x squad 1-5-4-5 B5\nus lt leader morale=6 lm=1 B5 {marks}",
        active="ge",
    )
    dice = [("attack", 2), ("defence", 2), ("damage check lt", 2), ("damage check x", 2)]
    fire(fight, "ge", "a", "B5", dice)
    assert totals(fight, "us", "Damage check") == [2 + 3, 2 + 3 - taken_off]


@pytest.mark.rule("core 5.0", "core 11.1")
def test_of_two_leaders_the_better_one_checks_first_and_helps_the_other_if_he_stands() -> None:
    """L117. The attack beats the defence by 3."""
    fight = battle(
        pieces=(
            "ge a squad 3-6-4-6 B2\nus x squad 1-5-4-5 B5\nus lt leader morale=6 lm=1 B5\nus mj leader morale=6 lm=2 B5"
        ),
        active="ge",
    )
    dice = [("attack", 2), ("defence", 2), ("damage check mj", 4), ("damage check lt", 2), ("damage check x", 3)]
    fire(fight, "ge", "a", "B5", dice)
    assert [fight.unit(key).is_shaken for key in ("mj", "lt", "x")] == [True, False, False]
    assert totals(fight, "us", "Damage check") == [7, 5, 3 + 3 - 1]


@pytest.mark.rule("core 5.0")
def test_fire_that_does_not_beat_the_defence_has_no_effect() -> None:
    fight = battle(pieces=f"us a {US} B2\nge g {GE} B5")
    fire(fight, "us", "a", "B5", [("attack", 3), ("defence", 5)])
    assert totals(fight, "us", "Attack") == [5]
    assert not fight.unit("g").is_shaken


@pytest.mark.rule("core 5.1", "core 1.11")
@pytest.mark.parametrize(("die", "counter"), [(3, "ge_grenadier_odd"), (4, "ge_grenadier_even")])
def test_casualties_make_a_shaken_half_squad_of_a_squad_by_the_die(die: int, counter: str) -> None:
    fight = battle(pieces="us a squad 9-5-4-6 B2\nge g ge_grenadier B5")
    dice = [("attack", 2), ("defence", 6), ("damage check g", 5), ("reduction g", die)]
    fire(fight, "us", "a", "B5", dice)
    assert (fight.unit("g").counter, fight.unit("g").is_shaken) == (counter, True)
    assert [(loss.unit, loss.how, loss.by) for loss in fight.state.public.losses] == [("g", "reduced", "us")]


@pytest.mark.rule("core 5.1")
@pytest.mark.parametrize("what", ["half_squad 1-5-4-5", "crew 0-2-4-5", "weapon_team 1-9-2-5", f"{GE} B5 shaken"])
def test_casualties_eliminate_every_other_mmc_and_a_shaken_half_squad(what: str) -> None:
    """A Shaken squad without a half-squad counter is eliminated as well."""
    fight = battle(pieces=f"us a squad 9-5-4-6 B2\nge g {what if 'B5' in what else what + ' B5'}")
    fire(fight, "us", "a", "B5", [("attack", 2), ("defence", 6), ("damage check g", 5)])
    assert not fight.has("g")
    assert [(loss.unit, loss.how) for loss in fight.state.public.losses] == [("g", "eliminated")]


@pytest.mark.rule("core 5.1", "core 21.1")
def test_fire_at_a_bunker_checks_who_is_on_it_and_in_it_though_the_first_are_eliminated() -> None:
    pieces = "us a squad 9-5-4-6 B5\nge w bunker B3 facing 4\nge n half_squad 1-5-4-5 B3\n"
    fight = battle(pieces=f"{pieces}ge m half_squad 1-5-4-5 B3 in the bunker{OTHERS}")
    fire(fight, "us", "a", "B3", [("attack", 6), ("defence", 1), ("damage check n", 6), ("damage check m", 6)])
    assert not fight.has("m")
    assert not fight.has("n")


@pytest.mark.rule("core 1.6.1", "core 5.1")
def test_a_reduced_squad_drops_one_of_two_weapons_as_its_owner_says() -> None:
    fight = battle(pieces="us a squad 9-5-4-6 B2\nge g ge_second_line B5 mg42, satchel")
    first, second = fight.guns("g")
    fire(
        fight,
        "us",
        "a",
        "B5",
        [("attack", 2), ("defence", 6), ("damage check g", 5)],
        answers=[("ge", [second])],
    )
    assert fight.guns("g") == (first,)
    assert (fight.weapon(second).owner, fight.weapon(second).at) == ("", fight.at("B5"))


@pytest.mark.rule("core 1.6.1")
def test_while_its_owner_is_asked_nobody_carries_too_much() -> None:
    fight = battle(pieces="us a squad 9-5-4-6 B2\nge g ge_second_line B5 mg42, satchel")
    asked: dict[str, list[str]] = {}

    def answer(command: str, question: Question, state: State) -> tuple[str, ...]:
        asked[question.kind] = list(PACKAGE.problems(state))
        return question.default

    fight.script.otherwise = answer
    fire(fight, "us", "a", "B5", [("attack", 2), ("defence", 6), ("damage check g", 5)])
    assert asked == {"drop": []}


@pytest.mark.rule("core 1.6.1")
def test_the_weapons_of_the_eliminated_lie_in_their_hex() -> None:
    fight = battle(pieces="us a squad 9-5-4-6 B2\nge g crew 0-2-4-5 B5 mg42")
    gun = fight.guns("g")[0]
    fire(fight, "us", "a", "B5", [("attack", 6), ("defence", 6), ("damage check g", 6)])
    assert not fight.has("g")
    assert (fight.weapon(gun).owner, fight.weapon(gun).at) == ("", fight.at("B5"))


@pytest.mark.rule("core 5.1", "core 1.5")
def test_a_wound_shakes_lowers_morale_and_the_second_one_kills() -> None:
    fight = battle(pieces="us a squad 9-5-4-6 B2\nus c squad 9-5-4-6 D2\nge lt leader morale=6 lm=2 B5" + OTHERS)
    fire(fight, "us", "a", "B5", [("attack", 2), ("defence", 3), ("damage check lt", 4)])
    assert (fight.unit("lt").is_wounded, fight.unit("lt").is_shaken) == (True, True)
    assert scale_of(fight.state, fight.unit("lt")).morale == 5
    fight.give("ge", "Pass")
    fire(fight, "us", "c", "B5", [("attack", 1), ("defence", 6), ("damage check lt", 2)])
    assert not fight.has("lt")


@pytest.mark.rule("core 5.1", "core 11.2")
def test_a_hero_is_wounded_but_never_shaken_and_dies_of_the_second_wound() -> None:
    """REAL-20: wounded, then 7 against morale 6."""
    fight = battle(pieces="us a squad 9-5-4-6 B2\nus b squad 9-5-4-6 D2\nge h hero 1-4-5-6 B5" + OTHERS)
    fire(fight, "us", "a", "B5", [("attack", 1), ("defence", 6), ("damage check h", 3)])
    assert (fight.unit("h").is_wounded, fight.unit("h").is_shaken) == (True, False)
    fight.give("ge", "Pass")
    fire(fight, "us", "b", "B5", [("attack", 1), ("defence", 6), ("damage check h", 3)])
    assert not fight.has("h")


@pytest.mark.rule("core 5.3")
def test_mixed_targets_share_the_dice_and_the_stationary_one_stays_unspotted() -> None:
    """LNL-016, and E4: 3 + 1 + 1 against the mover, 3 + 1 against the idle squad, in a forest."""
    board = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . F . . . .
. . . . . . . .
"""
    fight = battle(
        board,
        "us a squad 3-6-4-6 D1\nus b squad 3-6-4-6 B2\n"
        "ge m squad 0-3-4-5 D6\nge i squad 1-3-4-5 D5\nge k squad 1-1-1-5 H6 shaken",
        active="ge",
        options={"play": "open"},
        standing="hold",
    )
    fight.play.order(
        "us",
        {"verb": "GiveStandingOrders", "command": "us", "unit": "a", "standing": {"fire": "free"}},
    )
    fight.give(
        "ge",
        "Move",
        [("attack", 1), ("defence", 1), ("damage check", 3), ("damage check", 2)],
        units=["m"],
        path=[list(fight.at("D5")), list(fight.at("C5"))],
    )
    assert [fight.unit(key).is_shaken for key in ("m", "i")] == [False, False]
    assert fight.unit("a").fired
    found = fight.refused("us", "Fire", units=["b"], target=list(fight.at("D5")))
    assert [each.rule for each in found] == ["core 10.1"]


@pytest.mark.rule("core 12.0")
@pytest.mark.parametrize(("answer", "dice", "is_shaken"), [("yes", [5, 1], False), ("no", [5], True)])
def test_a_lucky_card_lets_one_check_be_thrown_again(answer: str, dice: list[int], is_shaken: bool) -> None:
    """The card is our proposal. Used, it is in the deck again."""
    pieces = "us a squad 3-5-4-6 B2\nge lt leader morale=6 B5 skill lucky"
    fight = battle(pieces=pieces, head={"deck": []})
    thrown = [("attack", 2), ("defence", 2), *(("damage check lt", die) for die in dice)]
    fire(fight, "us", "a", "B5", thrown, answers=[("ge", [answer])])
    assert fight.unit("lt").is_shaken is is_shaken
    assert ("lucky" in fight.unit("lt").skills) is (answer == "no")
    assert fight.state.public.deck == (("lucky",) if answer == "yes" else ())


@pytest.mark.rule("core 5.3", "core 10.1")
@pytest.mark.parametrize("idle", ["", "\nge i squad 1-3-4-5 D5"])
def test_in_a_blind_battle_the_firer_does_not_read_that_somebody_else_is_there(idle: str) -> None:
    """A squad that nobody has spotted is hit with the mover; the working of the firer's die says nothing of it."""
    board = "\n".join([*[". . . . . . . . . ."] * 4, ". . . F . . . . . .", *[". . . . . . . . . ."] * 3])
    pieces = f"us a squad 3-6-4-6 D1\nge m squad 0-3-4-5 D6{idle}" + OTHERS
    fight = battle(board, pieces, active="ge", options={"play": "blind"}, standing="free")
    fight.throw([("attack", 1), ("defence", 6)])
    assert fight.play.order("ge", {"verb": "Move", "units": ["m"], "path": [list(fight.at("D5"))]}) == []
    (line,) = (line for news in fight.play.news["us"] for line in news.lines if line.text.startswith("Attack"))
    assert [(each.reason, each.value) for each in line.modifiers] == [("lead unit", 3), ("moving target", 1)]


@pytest.mark.rule("core 21.5", "core 5.1")
def test_a_claymore_goes_with_the_last_who_guarded_it() -> None:
    fight = battle(pieces="us a squad 9-5-4-6 B2\nge g crew 0-2-4-5 B5\nge c claymore B5" + OTHERS)
    fire(fight, "us", "a", "B5", [("attack", 6), ("defence", 6), ("damage check g", 6)])
    assert not any(work.kind == "claymore" for work in works(fight.state))
