"""The management commands: help, exit status, the shape of what they print, and what they say to bad input."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command, load_command_class
from django.test import override_settings

from tests.server.conftest import make_table
from umpire.battles.models import Battle, Entry
from umpire.testing import audit, benching, coverage
from umpire.testing.play import selfplay as games
from umpire.testing.skirmish import PACKAGE, Skirmish

COMMANDS = ("bench", "cases", "data", "play", "refold", "replay", "rules", "selfplay")


def run(*words: str, status: int = 0) -> tuple[str, str]:
    """What a command writes to its two outputs; fails unless it ends with the exit status."""
    out, err = io.StringIO(), io.StringIO()
    ended = 0
    try:
        call_command(*words, stdout=out, stderr=err)
    except SystemExit as stop:
        ended = int(stop.code or 0)
    assert ended == status, (out.getvalue(), err.getvalue())
    return out.getvalue(), err.getvalue()


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself(command: str) -> None:
    parser = load_command_class("umpire.battles", command).create_parser("manage.py", command)
    text = parser.format_help()
    own = [action for action in parser._actions if action.dest not in DJANGOS]
    assert parser.description
    assert own
    for action in own:
        assert action.help or action.choices, f"{action.dest} is not explained"
        assert any(word in text for word in (action.dest, action.dest.replace("_", "-"), *(action.choices or ())))


DJANGOS = {
    "help", "version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks",
}  # fmt: skip


# cases


def test_cases_prints_a_list_of_objects() -> None:
    folder = Path(__file__).parents[1] / "cases" / "fireforce"
    file = sorted(folder.rglob("*.toml"))[0]
    out, _ = run("cases", str(file), "--json")
    [found] = json.loads(out)
    assert {"file", "case", "title", "fault"} <= set(found)
    assert not found["fault"]
    out, _ = run("cases", str(file))
    assert "1 passed, 0 failed" in out


def test_cases_that_fail_end_with_one(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text("case = 3\n")
    out, _ = run("cases", str(file), "--json", status=1)
    [found] = json.loads(out)
    assert found["fault"]


def test_cases_says_when_there_are_none(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no case files"):
        call_command("cases", str(tmp_path))
    with pytest.raises(CommandError):
        call_command("cases", str(tmp_path / "nowhere.toml"))


# rules coverage


def test_rules_coverage_is_a_list_of_keys_with_tests_or_reasons() -> None:
    out, _ = run("rules", "coverage", "--book", "fireforce", "--json")
    found = json.loads(out)
    assert len(found) >= 40
    for section in found:
        assert set(section) <= {"key", "title", "status", "tests", "reason", "statements"}
        assert section["key"].startswith("fireforce ")
        assert section["status"] in ("covered", "open", "no_rule")
        assert section.get("tests") or section["status"] != "covered"
        assert section.get("reason") or section["status"] != "open" or not section.get("tests")
        assert section["status"] != "no_rule" or section["reason"]
    covered = {section["key"] for section in found if section["status"] == "covered"}
    assert "fireforce motivation" in covered
    out, _ = run("rules", "coverage", "--book", "fireforce")
    assert f"{len(covered)} covered" in out


def test_every_row_of_the_audit_names_what_exists() -> None:
    counted = coverage.count(Path(settings.BASE_DIR))
    assert not counted.faults, "\n".join(counted.faults)


def test_rows_of_an_audit_that_name_nothing_are_faults(tmp_path: Path) -> None:
    (tmp_path / "docs" / "audit").mkdir(parents=True)
    (tmp_path / "rules.py").write_text("def rally(): ...\nclass Test:\n    def test_once(self): ...\n")
    good = (
        "| section | statement | held by | proved by |\n|---|---|---|---|\n"
        "| core 3.0 | Once. | `rules.rally` | `A-1`, `rules.py::test_once` |\n"
        "| core 3.0 | The back. | | needs none: a fact |\n"
        "| core 3.0 | Vehicles. | | open: `A-1` with vehicles |\n"
    )
    page = tmp_path / "docs" / "audit" / "page.md"

    def read(text: str) -> audit.Audit:
        page.write_text(text)
        return audit.read(tmp_path, {"core 3.0": "Rally"}, frozenset({"A-1"}))

    assert read(good).faults == ()
    assert [said.status for said in read(good).statements] == ["proved", "needs_none", "open"]
    assert read(good).share() == (1, 2)
    for right, wrong in (
        ("core 3.0 | Once", "core 3 | Once"),
        ("`rules.rally`", "`rules.nobody`"),
        ("`rules.rally`", ""),
        ("`A-1`,", "`A-2`,"),
        ("::test_once", "::test_twice"),
        ("Once.", ""),
        ("needs none: a fact", "needs none:"),
        ("needs none: a fact", ""),
        ("needs none: a fact", "clear"),
        ("Once. | ", "Once. | more | "),
    ):
        assert len(read(good.replace(right, wrong)).faults) == 1, (right, wrong)


def test_rules_knows_one_thing_only() -> None:
    with pytest.raises(CommandError, match="coverage"):
        call_command("rules", "knowledge")


# data


def test_data_prints_value_status_and_origin() -> None:
    out, _ = run("data", "weapons.slr", "--system", "fireforce")
    assert "fire_points" in out
    assert "printed" in out or "house" in out or "read" in out
    every, _ = run("data")
    assert "house" in every


def test_data_names_what_is_near(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="slr"):
        call_command("data", "weapons.slrr")
    layer = tmp_path / "club.toml"
    layer.write_text("[[[")
    with pytest.raises(CommandError, match="club"):
        call_command("data", "weapons.slr", "--layer", str(layer))


# bench


def test_bench_measures_against_a_yardstick(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        benching.row("tool: quick", 5.0, "ms", 10.0, 0.03),
        benching.row("tool: many", 200.0, "orders/s", 100.0, 0.03, is_floor=True),
    ]
    monkeypatch.setitem(benching._benches, "tool", lambda: rows)
    out, _ = run("bench", "tool", "--json")
    found = json.loads(out)
    assert [each["name"] for each in found] == ["tool: quick", "tool: many"]
    for each in found:
        assert {"name", "value", "unit", "budget", "yardstick", "ratio"} <= set(each)
        assert each["ratio"] == 0.5


def test_bench_over_budget_ends_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = benching.row("tool: slow", 30.0, "ms", 10.0, 0.03)
    monkeypatch.setitem(benching._benches, "tool", lambda: [slow])
    out, _ = run("bench", "tool", status=1)
    assert "OVER BUDGET" in out
    assert slow.ratio == 3.0


def test_a_slow_machine_is_not_a_slow_program() -> None:
    assert benching.row("x", 30.0, "ms", 10.0, 0.09).ratio == 1.0
    assert benching.row("x", 50.0, "orders/s", 100.0, 0.06, is_floor=True).ratio == 1.0
    assert benching.row("x", 10.0, "ms", 10.0, 0.003).ratio == 1.0


def test_bench_names_the_benchmarks_there_are() -> None:
    with pytest.raises(CommandError, match="fireforce"):
        call_command("bench", "nothing of the kind")


# selfplay


def test_selfplay_plays_to_the_end(tmp_path: Path) -> None:
    with override_settings(VAR_DIR=tmp_path):
        out, _ = run("selfplay", "skirmish", "the-lane", "--games", "2", "--seed", "7", "--json")
    found = json.loads(out)
    assert found["games"] == 2
    assert found["failed"] == 0
    assert found["failures"] == []
    assert found["orders"] == sum(found["verbs"].values())
    assert sum(found["winners"].values()) == 2
    assert 0 < found["average_turns"] <= 8
    assert found["orders_per_second"] > 0
    assert found["bare_orders_per_second"] > 0
    assert set(found["average_points"]) == {"blue", "red"}
    assert not (tmp_path / "selfplay").exists()


def test_the_same_seed_gives_the_same_games() -> None:
    told = [
        json.loads(run("selfplay", "skirmish", "the-lane", "--games", "2", "--seed", seed, "--json")[0])
        for seed in ("3", "3", "4")
    ]
    kept = [{key: each[key] for key in ("orders", "verbs", "winners", "average_points")} for each in told]
    assert kept[0] == kept[1]
    assert kept[0] != kept[2]


def test_two_processes_play_the_same_games() -> None:
    one = json.loads(run("selfplay", "skirmish", "the-lane", "--games", "3", "--json")[0])
    two = json.loads(run("selfplay", "skirmish", "the-lane", "--games", "3", "--jobs", "2", "--json")[0])
    assert one["failures"] == two["failures"] == []
    assert one["verbs"] == two["verbs"]


def test_selfplay_in_words() -> None:
    out, _ = run("selfplay", "skirmish", "the-lane", "--games", "1", "--check", "none", "--option", "blind=false")
    assert "1 games of the-lane (skirmish), 0 failed" in out
    assert "orders/s" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "SYSTEM"),
        (("chess", "the-lane"), "skirmish"),
        (("skirmish", "the-hill"), "the-lane"),
        (("skirmish", "the-lane", "--option", "blind"), "NAME=VALUE"),
        (("skirmish", "the-lane", "--option", "blimd=true"), "blind"),
        (("fireforce", "patrol-to-the-ford", "--option", "hidden=somewhere"), "cards"),
        (("skirmish", "the-lane", "--games", "0"), "1 or more"),
        (("skirmish", "the-lane", "--generals", "plain"), "has no generals 'plain'"),
        (("--replay", "nowhere.json"), "nowhere.json"),
    ],
)
def test_selfplay_says_what_would_be_right(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("selfplay", *words)


def test_a_failure_is_written_down_and_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that finds something wrong in turn 2: the file plays up to there, and to no fault once it is mended."""
    real = Skirmish.problems

    def problems(self: Skirmish, state: Any) -> list[str]:
        return [*real(self, state), *(["a planted fault"] if state.public.turn == 2 else [])]

    monkeypatch.setattr(Skirmish, "problems", problems)
    with override_settings(VAR_DIR=tmp_path):
        out, err = run("selfplay", "skirmish", "the-lane", "--games", "1", "--json", status=1)
    [failure] = json.loads(out)["failures"]
    assert "a planted fault" in failure["fault"]
    assert failure["file"] in err
    dump = json.loads(Path(failure["file"]).read_text())
    assert {"system", "setting", "seats", "seed", "acts", "dice", "fault"} <= set(dump)
    assert len(dump["acts"]) == failure["acts"]
    out, _ = run("selfplay", "--replay", failure["file"], "--json", status=1)
    again = json.loads(out)
    assert again["fault"] == again["was"] == failure["fault"]
    assert again["acts"] == failure["acts"]
    monkeypatch.undo()
    out, _ = run("selfplay", "--replay", failure["file"])
    assert "nothing is broken" in out


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text('{"system": "skirmish"}')
    with pytest.raises(CommandError, match="no file of selfplay"):
        call_command("selfplay", "--replay", str(file))


# What self-play finds


def plot(seed: str = "a seed", **more: Any) -> games.Plot:
    return games.plot_of(PACKAGE, "the-lane", {}, seed, **more)


def test_a_fault_in_choosing_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Skirmish, "sample", lambda *_: 1 / 0)
    game = games.play_game(PACKAGE, plot(level="none"))
    assert "ZeroDivisionError" in game.fault
    assert game.dump["doing"] == "chooses"
    assert games.replay(PACKAGE, game.dump).fault == game.fault
    monkeypatch.undo()
    assert games.replay(PACKAGE, game.dump).fault == ""


def test_a_battle_without_end_is_a_fault() -> None:
    game = games.play_game(PACKAGE, plot(level="none", most=5))
    assert "every battle ends" in game.fault
    assert game.acts == 5


def test_a_ruling_that_raises_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Skirmish, "resolve", lambda *_: _raising())
    game = games.play_game(PACKAGE, plot(level="none"))
    assert "no ruling raises" in game.fault
    assert "planted" in game.fault


def _raising() -> Any:
    raise ValueError("planted")
    yield


def test_a_turn_beyond_the_last_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_turn", lambda battle: 99)
    game = games.play_game(PACKAGE, plot(level="none"))
    assert "the scenario has 8" in game.fault


def test_corrections_are_made_where_they_are_asked_for() -> None:
    """Both games are cut off before their end, so that there is a dump of what was done."""
    kinds = [
        [
            act["act"]
            for act in games.play_game(PACKAGE, plot("b", level="none", most=14, corrections=share)).dump["acts"]
        ]
        for share in (0.4, 0.0)
    ]
    assert kinds[0].count("correct") >= 3
    assert "correct" not in kinds[1]


# refold


def begun() -> Battle:
    """A battle in which an order has been given."""
    table = make_table()
    table.end_turn("blue_1")
    return table.now


def test_refold_says_of_each_battle_what_became_of_it(db: None) -> None:
    good, bad = begun(), begun()
    Battle.objects.filter(pk=good.pk).update(state=b'{"form": "of long ago"}')
    Entry.objects.filter(battle=bad, depth=0).update(body=b"{}")

    out, _ = run("refold", "--all", "--dry-run", status=1)
    assert f"{good.id} A lane for the server: would change state" in out
    assert f"{bad.id} A lane for the server: cannot be folded, left as it was: line 0, depth 0 (begun" in out
    assert "2 looked at, 1 cannot be folded" in out
    assert bytes(Battle.objects.get(pk=good.pk).state) == b'{"form": "of long ago"}'

    out, _ = run("refold", "--all", "--json", status=1)
    found = {each["battle"]: each for each in json.loads(out)}
    assert found[good.id]["changed"] == ["state"]
    assert not found[good.id]["fault"]
    assert found[bad.id]["fault"]
    assert bytes(Battle.objects.get(pk=good.pk).state) == bytes(good.state)

    out, _ = run("refold", good.id)
    assert f"{good.id} A lane for the server: as stored" in out
    run("refold", bad.id, status=1)


def test_refold_tells_how_far_it_has_come(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpire.battles.management.commands.refold.EVERY", -1.0)
    battle = begun()
    _, err = run("refold", battle.id)
    assert f"battle 1 of 1 ({battle.id}): line 0, depth 0 …" in err


@pytest.mark.parametrize(("words", "says"), [((), "name one"), (("x", "--all"), "name one"), (("x",), "no battle has")])
def test_refold_says_what_is_wrong_with_its_words(db: None, words: tuple[str, ...], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        call_command("refold", *words)
