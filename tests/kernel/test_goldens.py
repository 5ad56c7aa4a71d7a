"""Rules do not change without a change of their version: recorded battles come out as they did."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from umpire.battles.management.commands.goldens import FOLDER
from umpire.kernel.registry import RulesPackage, packages
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.play import goldens
from umpire.testing.skirmish import PACKAGE as TOY
from umpire.testing.skirmish import rules

PACKAGES = [package for package in packages().values() if not package.is_example]
KEPT = sorted(FOLDER.glob("*.json.xz"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name.removesuffix(".json.xz"))
def test_recorded_battles_fold_as_they_did_and_play_as_they_did_under_the_same_version(path: Path) -> None:
    kept = goldens.read(path)
    package = packages()[kept.system]
    assert kept.rules <= package.version
    for golden in kept.battles:
        assert goldens.folds_otherwise(package, kept, golden) == "", golden.name
        if kept.rules == package.version:
            fault = goldens.plays_otherwise(package, kept, golden)
            assert fault == "", f"{golden.name}: {fault}: a ruling has changed, so the rules need another `version`"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.system)
def test_the_present_rules_have_goldens_of_every_scenario(package: RulesPackage[Any, Any]) -> None:
    newest = goldens.landed(FOLDER, package.system)
    if newest < package.version:
        assert newest == package.version - 1, "a version has been left without goldens"
        pytest.skip(
            f"rules {package.version} of {package.system} are in the making; when they are done, record their goldens: "
            f"manage.py goldens {package.system} --record"
        )
    kept = goldens.read(goldens.file_of(FOLDER, package.system, package.version))
    assert goldens.missing(package, kept) == []


def test_a_changed_ruling_is_found_and_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = goldens.joined(goldens.none_yet(TOY), [goldens.played(TOY, "the-lane", goldens.Course())])
    [golden] = kept.battles
    assert (goldens.folds_otherwise(TOY, kept, golden), goldens.plays_otherwise(TOY, kept, golden)) == ("", "")
    monkeypatch.setattr(rules, "enter", lambda state, unit, at: rules.tell(rules.PlanEnded(unit=unit)))
    assert goldens.folds_otherwise(TOY, kept, golden) == ""
    fault = goldens.plays_otherwise(TOY, kept, golden)
    assert re.search(r", entry \d+: now the event PlanEnded where .* is kept", fault)


def test_an_order_that_is_now_refused_is_a_changed_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = goldens.joined(goldens.none_yet(TOY), [goldens.played(TOY, "the-lane", goldens.Course())])
    refusal = Refusal(reason="No more.")
    monkeypatch.setattr(type(TOY), "check", lambda self, believed, seat, order: [refusal])
    assert "now refused (No more.)" in goldens.plays_otherwise(TOY, kept, kept.battles[0])
