"""Sample ledgers of FireForce, one of each version of its ledger: whatever becomes of the code reads and folds them.

A sample is a battle as it was stored (first state, entries, and the state after them) and one entry of every kind of
event. What stands in one is never changed; a new kind of event is added to the `kinds` of the newest.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from fireforce.package import PACKAGE
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.ledger import Corrected, Ended, Happened, fold

SAMPLES = Path(__file__).parent / "samples"
VERSIONS = range(1, PACKAGE.ledger_version + 1)


def sample(version: int) -> Any:
    return json.loads((SAMPLES / f"fireforce-{version}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_ledger_of_each_version_folds_to_what_it_did(version: int) -> None:
    found, codec = sample(version), codec_of(PACKAGE)
    first = codec.read_first(encode(found["first"]), version)
    entries = [codec.read_entry(encode(entry), version) for entry in found["entries"]]
    assert len(entries) > 400
    assert isinstance(entries[-1], Ended)
    after = fold(PACKAGE, first, entries)
    assert after != first
    assert after == codec.read_first(encode(found["after"]), version)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_kind_of_event_of_each_version_is_read(version: int) -> None:
    codec = codec_of(PACKAGE)
    entries = [codec.read_entry(encode(entry), version) for entry in sample(version)["kinds"]]
    assert all(isinstance(entry, Happened | Corrected) for entry in entries)
    read = {type(entry.event) for entry in entries}
    if version == PACKAGE.ledger_version:
        assert set(get_args(PACKAGE.events)) <= read
