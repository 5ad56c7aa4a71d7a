"""The base of FireForce: scenarios, first states, turns, events, contacts, views, the umpire's hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from fireforce.happening.blinds import CounterPickedUp, CounterPlaced
from fireforce.happening.fire import Fired, Pinned
from fireforce.happening.men import BecameCasualty, MotivationRolled
from fireforce.happening.movement import Moved
from fireforce.happening.plans import PlansOnlySet
from fireforce.happening.register import apply, happening, publishes
from fireforce.happening.turn import PhaseBegan, PlayerTurnBegan
from fireforce.happening.visibility import NoiseMade
from fireforce.knowledge.belief import in_sight
from fireforce.orders import orders
from fireforce.orders.dispatch import carriers, hand
from fireforce.package import PACKAGE, install
from fireforce.rules.turn.turn_sequence import pin_until
from fireforce.scenarios.parsing import load
from fireforce.state.battle import (
    PHASES,
    PLAYED,
    Believed,
    Counter,
    Figure,
    Squad,
    State,
)
from fireforce.state.finding import (
    cards,
    figure,
    figures,
    plans,
    squad,
    squads,
    true_id,
    visible_enemies,
)
from fireforce.state.setting import secrets_of, setting_of
from fireforce.table.formation import stragglers
from fireforce.testing.parts import of
from fireforce.testing.twins import another
from umpire.kernel.codec import codec_of, encode, state_digest
from umpire.kernel.dice import ScriptedDice, alias_by_name
from umpire.kernel.events import alias_of
from umpire.kernel.news import merged
from umpire.kernel.pieces.finding import find, part_of
from umpire.kernel.registry import Refused, package_of
from umpire.kernel.rulings import Ruling
from umpire.kernel.settings import BadInput
from umpire.kernel.states import Seat, slice_of
from umpire.kernel.telling import translated
from umpire.testing.play.battle import Play

FORD = "patrol-to-the-ford"
SEATS = {
    "red": Seat(name="red", commands=("platoon",)),
    "green": Seat(name="green", commands=("cell",)),
    "visitor": Seat(name="visitor", role="observer"),
    "umpire": Seat(name="umpire", role="umpire", commands=("cell", "platoon")),
}

TWO_REGULARS = """
[scenario]
key = "meeting"
title = "Meeting"
turns = 2
[table]
width = 24
depth = 24
[[side]]
key = "blue"
name = "Blue"
kind = "regular"
[[side]]
key = "red"
name = "Red"
kind = "regular"
[[command]]
key = "b"
side = "blue"
name = "Blue section"
[[command]]
key = "r"
side = "red"
name = "Red section"
[[squad]]
key = "b1"
command = "b"
name = "Blue"
at = [2, 12]
men = [{ key = "bm", weapons = ["m16"], count = 4 }]
[[squad]]
key = "r1"
command = "r"
name = "Red"
at = [22, 12]
men = [{ key = "rm", weapons = ["ak47"], count = 4 }]
"""


def first(hidden: str = "map", **options: Any) -> State:
    setting = load(PACKAGE.scenarios()[FORD], file=FORD, options={"hidden": hidden, **options})
    return PACKAGE.begin(setting, lambda key: key)


def play(state: State) -> Play[State]:
    return Play(PACKAGE, state, SEATS)


def played_by_hand(state: State) -> State:
    """The cell in somebody's hand, so that it ends its phases itself."""
    return apply(state, PlansOnlySet(command="cell", has_plans_only=False))


def end_phase(battle: Play[Any]) -> None:
    for force in PACKAGE.due(battle.state):
        battle.carry(force)
    seat = "red" if battle.state.public.active == "government" else "green"
    assert battle.order(seat, {"verb": "EndPhase"}) == []


# Scenario files


@pytest.mark.parametrize("hidden", ["map", "cards"])
def test_the_bundled_scenario_makes_a_sound_first_state(hidden: str) -> None:
    state = first(hidden)
    assert list(PACKAGE.problems(state)) == []
    assert sum(man.side == "government" for man in figures(state)) == 27
    assert sum(man.side == "guerrilla" for man in figures(state)) == 13
    assert all(man.command == "platoon" for man in of(state.public, Figure).values())
    assert not of(state.commands["platoon"], Figure)
    for unit in squads(state):
        places = [figure(state, man).at for man in unit.members]
        assert stragglers(places) == (), unit.name


@pytest.mark.rule("fireforce cards")
def test_cards_lie_on_the_table_in_one_mode_and_nothing_in_the_other() -> None:
    on_cards = {card.id: card for card in cards(first("cards"))}
    assert all(card.is_on_table and not card.is_face_up for card in on_cards.values())
    kinds = [card.kind for card in on_cards.values()]
    assert kinds.count("dummy") == kinds.count("troops") == 3
    in_map = list(cards(first("map")))
    assert sorted(card.kind for card in in_map) == ["booby_trap", "cache", "cache", "peasants"]
    assert not any(card.is_on_table for card in in_map)
    assert set(plans(first("map"))) == {"ford-group", "scouts", "village-group"}
    assert set(plans(first("cards"))) >= {"dummy-rocks", "dummy-bank"}


@pytest.mark.rule("fireforce cards")
def test_men_lie_beneath_their_card() -> None:
    state = first("cards")
    card = next(card for card in cards(state) if card.squad == "scouts")
    for man in squad(state, "scouts").members:
        at = figure(state, man).at
        assert abs(at[0] - card.at[0]) <= 100
        assert abs(at[1] - card.at[1]) <= 100


@pytest.mark.parametrize(
    ("old", "new", "where", "right"),
    [
        ('hidden = "map"', 'hiden = "map"', "options.hiden", "Did you mean 'hidden'?"),
        ("turns = 10", "turn = 10", "scenario.turn", "Did you mean 'turns'?"),
        ('quality = "poor"\nat', 'quality = "pour"\nat', "squad 'village-group'.quality", "Did you mean 'poor'?"),
        ('["rpk"]', '["rpg"]', "squad 'ford-group'.men 'ford-gunner'.weapons", "Did you mean 'rpk'?"),
        ("at = [24, 9]", "at = [74, 9]", "card 'dummy-wood'.at", "x runs to 72"),
        ('kind = "dummy"\nat = [24, 9]', 'kind = "peasants"\nat = [24, 9]', "card", "Give it 3 dummies"),
        ('kind = "jungle"', 'kind = "jungel"', "north-wood", "Did you mean 'jungle'?"),
        ('squad = "scouts"', 'squad = "scout"', "card 'card-scouts'.squad", "Did you mean 'scouts'?"),
        ("at = [46, 30]\nprepared", "at = [46.123, 30]\nprepared", "squad 'ford-group'.at", "hundredth of an inch"),
        ("[[zone]]", "[[zones]]", "zones", "Did you mean 'zone'?"),
        ("width = 72", "", "table", "needed"),
    ],
)
def test_a_wrong_scenario_says_what_where_and_what_would_be_right(old: str, new: str, where: str, right: str) -> None:
    text = PACKAGE.scenarios()[FORD]
    assert old in text
    with pytest.raises(BadInput) as refused:
        load(text.replace(old, new, 1), file="mine.toml")
    assert refused.value.file == "mine.toml"
    assert refused.value.where == where
    assert right in str(refused.value)


@pytest.mark.rule("fireforce cards")
def test_dummies_must_equal_cards_of_troops() -> None:
    text = PACKAGE.scenarios()[FORD]
    more = '[[card]]\nkey = "one-more"\ncommand = "cell"\nkind = "dummy"\nat = [1, 1]\n'
    with pytest.raises(BadInput, match="4 dummies for 3 cards of troops"):
        load(text + more, file=FORD)


def test_an_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match="hidden"):
        load(PACKAGE.scenarios()[FORD], file=FORD, options={"hiden": "cards"})
    with pytest.raises(BadInput, match=r"options\.hidden"):
        load(PACKAGE.scenarios()[FORD], file=FORD, options={"hidden": "card"})


def test_a_scenario_may_change_the_tables() -> None:
    text = (
        PACKAGE.scenarios()[FORD]
        + '\n[book.weapons.slr]\nname = "SLR"\nrange = 3500\nsource = "the scenario"\nstatus = "house"\n'
    )
    book = load(text, file=FORD).public.book
    assert book.origin("weapons", "slr", "range").value == 3500
    assert book.origin("weapons", "slr", "range").files[-1] == FORD


def test_the_hidden_half_stands_in_the_umpires_setting_only() -> None:
    setting = load(PACKAGE.scenarios()[FORD], file=FORD)
    public = encode(setting.public).decode()
    for key in ("ford-group", "village-leader", "cache-grove", "Scouts", "whistle", "Thirteen"):
        assert key not in public
    assert "ford-group" in encode(setting.umpire).decode()


def test_true_ids_come_from_the_name_given() -> None:
    setting = load(PACKAGE.scenarios()[FORD], file=FORD)
    names = Random(7)
    given: dict[str, str] = {}

    def name(key: str) -> str:
        return given.setdefault(key, f"p{names.getrandbits(48):012x}")

    state = PACKAGE.begin(setting, name)
    assert list(PACKAGE.problems(state)) == []
    assert all(
        key.startswith("p") for key in (*of(state.public, Figure), *of(state.commands["cell"], Squad), *plans(state))
    )


# Bytes


def test_states_and_events_are_read_back_as_they_were() -> None:
    codec = codec_of(PACKAGE)
    for state in (first("map"), first("cards")):
        assert codec.state.decode(encode(state)) == state
        assert encode(codec.state.decode(encode(state))) == encode(state)


def test_every_event_can_be_applied_and_every_correction_carried_out() -> None:
    assert happening.lacking("fireforce") == []
    assert {*happening.kinds} == {*get_args(PACKAGE.events)}
    assert {*hand.deeds} == {*get_args(PACKAGE.corrections)}


# Turns


@pytest.mark.rule("fireforce turn-sequence")
def test_regulars_go_first_against_indigenous_troops_without_a_die() -> None:
    battle = Play(PACKAGE, first(), SEATS, source=lambda begun: ScriptedDice())
    assert battle.state.public.order == ("government", "guerrilla")
    assert battle.state.public.active == "government"
    assert battle.state.public.phase == "motivation_movement"


@pytest.mark.rule("fireforce turn-sequence")
@pytest.mark.parametrize(
    ("dice", "order"),
    [([3, 9], ("red", "blue")), ([9, 3], ("blue", "red")), ([5, 5, 8, 2], ("blue", "red"))],
)
def test_of_two_regular_sides_the_higher_d10_goes_first_and_ties_are_thrown_again(
    dice: list[int], order: tuple[str, ...]
) -> None:
    state = PACKAGE.begin(load(TWO_REGULARS, file="meeting"), lambda key: key)
    script = ScriptedDice(dice=[("first player", (face,)) for face in dice])
    seats = {"b": Seat(name="b", commands=("b",)), "r": Seat(name="r", commands=("r",))}
    battle = Play(PACKAGE, state, seats, source=lambda begun: script)
    assert battle.state.public.order == order
    assert script.dice == []


@pytest.mark.rule("fireforce turn-sequence")
def test_phases_are_passed_to_the_turn_limit() -> None:
    battle = play(played_by_hand(first()))
    seen: list[tuple[int, str, str]] = []
    while battle.state.public.result is None:
        public = battle.state.public
        seen.append((public.turn, public.active, public.phase))
        end_phase(battle)
        assert list(PACKAGE.problems(battle.state)) == []
    expected = [
        (turn, side, phase) for turn in range(1, 11) for side in ("government", "guerrilla") for phase in PLAYED
    ]
    assert seen == expected
    assert battle.state.public.result.why.startswith("Turn 10")
    assert encode(battle.folded()) == encode(battle.state)
    assert battle.order("red", {"verb": "EndPhase"})[0].reason == "The battle is over."


@pytest.mark.rule("fireforce turn-sequence")
def test_a_phase_is_ended_by_its_own_side_once() -> None:
    battle = play(played_by_hand(first()))
    before = state_digest(battle.state)
    refusals = battle.order("green", {"verb": "EndPhase"})
    assert refusals[0].rule == "fireforce turn-sequence"
    assert "Government" in refusals[0].reason
    assert battle.order("visitor", {"verb": "EndPhase"})
    assert battle.order("red", {"verb": "EndPhase", "command": "cell"})
    assert state_digest(battle.state) == before


def test_unplayed_verbs_are_refused_in_words() -> None:
    class Sing(orders.EndPhase, frozen=True, kw_only=True, tag="Sing"):
        pass

    state = play(first()).state
    believed = PACKAGE.believed(slice_of(state, ("platoon",)))
    assert "Sing" in PACKAGE.check(believed, SEATS["red"], Sing())[0].reason


def test_every_option_to_end_a_phase_is_accepted() -> None:
    battle = play(first())
    believed = battle.believed("red")
    forms = [form for form in PACKAGE.options(believed, SEATS["red"], None) if form.verb == "EndPhase"]
    assert len(forms) == 1
    order = PACKAGE.sample(believed, SEATS["red"], forms[0], Random(1))
    assert battle.order("red", order) == []
    assert "one-leader" in PACKAGE.subjects(play(first()).believed("red"), SEATS["red"])
    assert PACKAGE.subjects(believed, SEATS["green"]) == ()


@pytest.mark.rule("fireforce saving-throws")
def test_a_pin_lasts_the_rest_of_the_enemys_turn_and_the_whole_of_the_next_friendly_one() -> None:
    battle = play(played_by_hand(first()))
    while battle.state.public.active != "guerrilla":
        end_phase(battle)
    man = figure(battle.state, "one-leader")
    until = pin_until(battle.state, man)
    assert until == 2
    pinned = apply(battle.state, Pinned(figure=man.id, until=until))
    later = play(pinned)
    while later.state.public.active == "guerrilla":
        end_phase(later)
    assert figure(later.state, man.id).is_pinned
    while later.state.public.phase != "close_combat":
        end_phase(later)
        assert figure(later.state, man.id).is_pinned
    end_phase(later)
    assert later.state.public.active == "guerrilla"
    assert not figure(later.state, man.id).is_pinned


@pytest.mark.rule("fireforce saving-throws")
def test_a_pin_from_the_first_player_turn_ends_in_the_same_game_turn_for_the_second() -> None:
    state = play(first()).state
    assert state.public.active == "government"
    assert pin_until(state, figure(state, "scout-leader")) == 1
    assert pin_until(state, figure(state, "one-leader")) == 2


def test_what_men_did_is_forgotten_when_their_next_player_turn_begins() -> None:
    state = play(first()).state
    state = apply(state, Moved(figure="one-leader", at=(900, 2200), distance=200))
    state = apply(state, Moved(figure="scout-leader", at=(2900, 3600), distance=100))
    state = apply(state, MotivationRolled(squad="one", team="whole", result="good", score=7, dropped=0))
    begun = PlayerTurnBegan(turn=2, player_turn=3, side="government", phase=PHASES[0])
    after = apply(state, begun)
    assert figure(after, "one-leader").moved == ""
    assert figure(after, "one-leader").at == (900, 2200)
    assert figure(after, "scout-leader").moved == "tactical"
    assert squad(after, "one").teams["whole"].result == ""


@pytest.mark.rule("fireforce umpire")
def test_a_side_moved_by_plans_waits_until_all_that_are_due_are_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    carried: list[str] = []

    def quantum(state: State, force: str) -> Ruling[State]:
        carried.append(force)
        return state
        yield

    for phase in PLAYED:
        monkeypatch.delitem(carriers, phase, raising=False)
    monkeypatch.setitem(carriers, "motivation_movement", quantum)
    battle = play(first("map"))
    assert PACKAGE.due(battle.state) == ()
    while battle.state.public.active == "government":
        assert battle.order("red", {"verb": "EndPhase"}) == []
    assert battle.state.public.phase == "motivation_movement"
    assert PACKAGE.due(battle.state) == ("ford-group", "scouts", "cell")
    before = len(battle.news["red"])
    battle.carry("ford-group")
    assert PACKAGE.due(battle.state) == ("scouts", "cell")
    assert len(battle.news["red"]) == before
    state = state_digest(battle.state)
    battle.carry("ford-group")
    assert state_digest(battle.state) == state
    battle.carry("scouts")
    assert PACKAGE.due(battle.state) == ("cell",)
    battle.carry("cell")
    assert carried == ["ford-group", "scouts"]
    assert (battle.state.public.turn, battle.state.public.active) == (2, "government")
    assert plans(battle.state)["scouts"].step == 1
    assert encode(battle.folded()) == encode(battle.state)


# Contacts


@pytest.mark.rule("fireforce cards")
def test_face_down_cards_are_contacts_all_alike() -> None:
    battle = play(first("cards"))
    contacts = battle.state.commands["platoon"].contacts
    assert len(contacts) == 10
    assert {contact.kind for contact in contacts.values()} == {"card"}
    assert {encode(contact.looks) for contact in contacts.values()} == {b'{"side":"guerrilla"}'}
    view = battle.view("red")
    drawn = [{key: value for key, value in view["pieces"][alias].items() if key != "at"} for alias in contacts]
    assert all(each == drawn[0] for each in drawn)
    text = json.dumps(view)
    for word in ("cache", "dummy", "booby", "peasant", "troops", "scout", "ford-group"):
        assert word not in text.lower().replace("patrol-to-the-ford", "")


@pytest.mark.rule("fireforce umpire")
def test_in_map_mode_nothing_hidden_is_in_the_players_view() -> None:
    battle = play(first("map"))
    assert battle.state.commands["platoon"].contacts == {}
    assert all(piece["side"] == "government" for piece in battle.view("red")["pieces"].values())
    own = battle.view("green")
    assert own["pieces"]["ford-leader"]["own"]
    assert own["pieces"]["cache-grove"]["label"] == "Cache"
    assert "plans" not in own


@pytest.mark.rule("fireforce visibility")
def test_a_figure_placed_is_a_contact_of_the_enemy_and_a_believed_figure() -> None:
    battle = play(first("map"))
    battle.correct({"verb": "Reveal", "piece": "ford-leader"}, "test")
    alias = alias_of(battle.state, "platoon", "ford-leader")
    assert alias is not None
    assert alias != "ford-leader"
    believed = battle.believed("red")
    man = of(believed.public, Figure)[alias]
    assert (man.quality, man.weapons, man.side, man.command) == ("poor", ("ak47",), "guerrilla", "")
    assert figure(battle.state, "ford-leader").quality == "trained"
    assert [each.id for each in visible_enemies(battle.state, "platoon")] == ["ford-leader"]
    assert [each.id for each in visible_enemies(believed, "platoon")] == [alias]
    assert true_id(battle.state, ("platoon",), alias) == "ford-leader"
    assert true_id(believed, ("platoon",), alias) == alias
    assert true_id(battle.state, ("platoon",), "scout-leader") is None
    assert part_of(believed, alias) == "public"
    assert find(apply(believed, BecameCasualty(figure=alias)), alias, Figure).status == "casualty"
    assert isinstance(apply(believed, BecameCasualty(figure=alias)), Believed)


@pytest.mark.rule("fireforce visibility")
def test_sight_lost_leaves_a_memory_and_the_next_sighting_has_another_alias() -> None:
    battle = play(first("map"))
    battle.correct({"verb": "Reveal", "piece": "ford-leader"}, "test")
    old = alias_of(battle.state, "platoon", "ford-leader")
    assert old is not None
    battle.correct({"verb": "Conceal", "piece": "ford-leader"}, "test")
    assert battle.state.commands["platoon"].contacts[old].status == "remembered"
    assert old not in of(battle.believed("red").public, Figure)
    battle.correct({"verb": "MoveTo", "piece": "ford-leader", "at": [5000, 3000]}, "test")
    assert battle.state.commands["platoon"].contacts[old].at == figure(first("map"), "ford-leader").at
    battle.correct({"verb": "Reveal", "piece": "ford-leader"}, "test")
    assert alias_of(battle.state, "platoon", "ford-leader") not in (None, old)


def test_a_casualty_in_sight_is_gone_and_a_move_in_sight_is_seen() -> None:
    battle = play(first("map"))
    battle.correct({"verb": "Reveal", "piece": "ford-leader"}, "test")
    alias = alias_of(battle.state, "platoon", "ford-leader")
    assert alias is not None
    battle.correct({"verb": "MoveTo", "piece": "ford-leader", "at": [4000, 3000]}, "test")
    assert battle.state.commands["platoon"].contacts[alias].at == (4000, 3000)
    battle.correct({"verb": "Kill", "figure": "ford-leader"}, "test")
    assert battle.state.commands["platoon"].contacts == {}
    assert squad(battle.state, "ford-group").casualties == 1
    assert list(PACKAGE.problems(battle.state)) == []


@pytest.mark.rule("fireforce cards")
def test_a_card_turned_shows_what_it_is_to_its_enemies() -> None:
    battle = play(first("cards"))
    alias = alias_of(battle.state, "platoon", "cache-grove")
    assert alias is not None
    battle.correct({"verb": "Reveal", "piece": "cache-grove"}, "test")
    assert battle.state.commands["platoon"].contacts[alias].looks["card"] == "cache"
    trooper = alias_of(battle.state, "platoon", "card-scouts")
    battle.correct({"verb": "Reveal", "piece": "card-scouts"}, "test")
    assert trooper not in battle.state.commands["platoon"].contacts


def test_several_commands_of_one_seat_see_a_thing_once() -> None:
    state = play(first("cards")).state
    one = state.commands["platoon"]
    contacts = {f"z{alias}": replace(contact, alias=f"z{alias}") for alias, contact in one.contacts.items()}
    assert len(in_sight({"platoon": one, "second": replace(one, contacts=contacts)})) == 10


@pytest.mark.rule("fireforce visibility")
def test_men_under_a_counter_are_public_no_more_and_come_back() -> None:
    battle = play(first())
    counter = Counter(id="k1", command="platoon", at=(400, 2000), figures=("lieutenant", "orderly", "sergeant"))
    state = apply(battle.state, CounterPlaced(counter=counter))
    assert "lieutenant" not in of(state.public, Figure)
    assert part_of(state, "lieutenant") == "platoon"
    assert list(PACKAGE.problems(state)) == []
    noticed = PACKAGE.notice(battle.state, CounterPlaced(counter=counter), state)
    assert [(each.command, each.contact.kind) for each in noticed if hasattr(each, "contact")] == [("cell", "counter")]
    assert "lieutenant" not in encode([each for each in noticed if each.command == "cell"]).decode().split("subject")[0]
    back = apply(state, CounterPickedUp(counter="k1"))
    assert back == battle.state


# What is told to whom


def test_an_event_that_names_a_hidden_piece_is_not_public() -> None:
    state = play(first()).state
    assert publishes(state, PhaseBegan(side="government", phase="firing"))
    assert publishes(state, Moved(figure="one-leader", at=(900, 2200)))
    assert not publishes(state, Moved(figure="scout-leader", at=(900, 2200)))
    assert not publishes(state, Fired(figures=("one-leader",), target="scout-leader", at=(1, 1)))
    assert not publishes(state, NoiseMade(kind="weapon_fire", at=(1, 1), distance=3000, side="guerrilla"))
    shot = Fired(figures=("one-leader",), target="scout-leader", at=(1, 1))
    assert translated(shot, {"scout-leader": "cabc"}) == replace(shot, target="cabc")


def test_nothing_hidden_makes_news() -> None:
    battle = play(first("map"))
    before = {seat: (battle.tag(seat), len(battle.news[seat])) for seat in ("red", "visitor")}
    battle.correct({"verb": "MoveTo", "piece": "scouts", "at": [3000, 3600]}, "moved unseen")
    battle.correct({"verb": "Change", "piece": "scout-leader", "field": "quality", "value": "elite"}, "better")
    battle.correct({"verb": "Kill", "figure": "village-leader"}, "snake")
    assert {seat: (battle.tag(seat), len(battle.news[seat])) for seat in ("red", "visitor")} == before


def test_view_before_and_news_make_the_view_after() -> None:
    battle = play(first("cards"))
    views: dict[str, Mapping[str, Any]] = {seat: battle.view(seat) for seat in ("red", "green", "visitor")}
    counts = {seat: len(battle.news[seat]) for seat in views}
    for correction in ({"verb": "Reveal", "piece": "cache-grove"}, {"verb": "Kill", "figure": "one-leader"}):
        battle.correct(correction, "test")
    end_phase(battle)
    for seat, view in views.items():
        for news in battle.news[seat][counts[seat] :]:
            view = merged(view, news.patch)
        assert view == battle.view(seat)
        assert "null" not in json.dumps(view)


def test_another_truth_has_the_same_slice() -> None:
    for hidden in ("map", "cards"):
        state = play(first(hidden)).state
        other = another(state, "platoon", Random(3))
        assert other != state
        assert slice_of(other, ("platoon",)) == slice_of(state, ("platoon",))
        assert list(PACKAGE.problems(other)) == []


# The umpire's hand


def test_the_umpire_sets_any_value_and_nonsense_is_refused() -> None:
    battle = play(first())
    battle.correct({"verb": "Change", "piece": "one", "field": "dropped", "value": 1}, "test")
    assert squad(battle.state, "one").dropped == 1
    battle.correct({"verb": "Change", "piece": "battle", "field": "hour", "value": "night"}, "test")
    assert battle.state.public.hour == "night"
    battle.correct({"verb": "AwardPoints", "side": "government", "points": 4, "why": "the well"}, "test")
    assert battle.view("visitor")["points"]["government"]["total"] == 4
    for correction, words in (
        ({"verb": "Change", "piece": "one-leadr", "field": "quality", "value": "poor"}, "one-leader"),
        ({"verb": "Change", "piece": "one-leader", "field": "qualty", "value": "poor"}, "quality"),
        ({"verb": "Change", "piece": "one-leader", "field": "quality", "value": "pour"}, "pour"),
        ({"verb": "MoveTo", "piece": "one-leader", "at": [9000, 0]}, "7200"),
        ({"verb": "SetPhase", "side": "goverment", "phase": "firing"}, "government"),
        ({"verb": "Heal", "figure": "one-leader"}, "casualty"),
    ):
        before = state_digest(battle.state)
        with pytest.raises(Refused, match=words):
            battle.correct(correction, "test")
        assert state_digest(battle.state) == before


def test_a_lie_is_a_contact_like_another() -> None:
    battle = play(first())
    lie = {"verb": "ShowContact", "command": "platoon", "kind": "figure", "at": [100, 100], "looks": {"weapon": "lmg"}}
    battle.correct(lie, "a rumour")
    (alias,) = battle.state.commands["platoon"].contacts
    assert len(alias) == len(alias_by_name(b"x", "platoon", 0))
    assert alias[0] == "c"
    assert battle.view("red")["contacts"][alias]["status"] == "told"
    assert alias not in battle.view("red")["pieces"]
    battle.correct({"verb": "DropContact", "command": "platoon", "alias": alias}, "it was false")
    assert battle.view("red")["contacts"] == {}


def test_the_umpires_map_shows_the_truth_and_who_sees_it() -> None:
    battle = play(first("map"))
    battle.correct({"verb": "Reveal", "piece": "ford-gunner"}, "test")
    drawn = battle.truth()
    assert drawn["pieces"]["ford-gunner"]["seen_by"] == ["platoon"]
    assert drawn["pieces"]["ford-leader"] | {"hidden": True, "seen_by": []} == drawn["pieces"]["ford-leader"]
    assert set(drawn["plans"]) == {"ford-group", "scouts", "village-group"}
    assert drawn["plans"]["scouts"]["legs"][2]["pace"] == "running"
    json.dumps(drawn)


def test_the_scene_is_plain_and_says_which_values_are_our_own() -> None:
    scene = json.loads(encode(PACKAGE.scene(play(first()).believed("visitor"))))
    assert (scene["width"], scene["depth"]) == (7200, 4800)
    assert scene["weapons"]["gpmg"]["fire_points"] == 6
    assert scene["rules"]["fireforce turn-sequence"] == "Turn Sequence"
    assert any(line["key"].startswith("spotting.") for line in scene["house"])


def test_the_umpires_half_is_out_of_reach_of_a_belief() -> None:
    battle = play(first())
    assert setting_of(battle.believed("red")).title == "Patrol to the Ford"
    assert secrets_of(battle.state).units
    with pytest.raises(LookupError):
        secrets_of(battle.believed("red"))


def test_the_chronicle_names_every_entry_of_a_battle() -> None:
    battle = play(played_by_hand(first("cards")))
    for _ in range(9):
        end_phase(battle)
    battle.correct({"verb": "Reveal", "piece": "cache-grove"}, "test")
    for entry in battle.tree.path():
        told = getattr(entry, "event", entry)
        assert PACKAGE.chronicle(told, battle.state).text


def test_the_package_registers_itself() -> None:
    install()
    assert package_of("fireforce") is PACKAGE
    msgspec.json.schema(PACKAGE.orders)
