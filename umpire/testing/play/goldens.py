"""Goldens: battles played by the rules of a landed version and kept as ledgers, so that a ruling that changes without a
change of `RulesPackage.version` is found out.

A golden holds all that its battle needs: both halves of the setting, the first state, the secret of its dice and the
entries. It is played again by giving its orders, plans and answers once more; dice, aliases and standing answers follow
from the secret and the rules, so whatever comes out otherwise is a change of the rules. A golden of an older version is
folded only: folding is promised for ever, ruling again only for the same version.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from umpire.kernel.codec import codec_of, digest_of, encode
from umpire.kernel.ledger import Answered, Begun, Entry, Thrown, fold
from umpire.kernel.registry import RulesPackage
from umpire.kernel.running import named
from umpire.kernel.settings import remember_half
from umpire.kernel.states import Seat
from umpire.testing.play import selfplay
from umpire.testing.play.battle import Play
from umpire.testing.play.choosing import Chooser
from umpire.testing.play.random_play import do


class Golden(Struct, frozen=True, kw_only=True):
    """A battle as it was played; `after` is the state that its entries lead to."""

    scenario: str
    options: Mapping[str, Any]
    generals: str
    secret: str
    seats: Mapping[str, Seat]
    public: Raw
    umpire: Raw
    first: Raw
    entries: tuple[Raw, ...]
    after: Raw

    @property
    def name(self) -> str:
        chosen = [f"{key}={value}" for key, value in self.options.items()]
        return " ".join([self.scenario, *chosen, f"by {self.generals or 'chance'}"])


class Goldens(Struct, frozen=True, kw_only=True):
    """The goldens of one version of a package's rules; `ledger` is the version of the ledger that wrote them."""

    system: str
    rules: int
    ledger: int
    battles: tuple[Golden, ...]


class Course(Struct, frozen=True, kw_only=True):
    """A way to play a scenario for a golden: with which options, and by whom."""

    options: Mapping[str, Any] = {}
    generals: str = ""


ENTRIES = 1000
"""How long a golden's ledger grows before its battle is left."""


def courses(package: RulesPackage[Any, Any]) -> list[Course]:
    """How each scenario is played for its goldens: at random with each variant of the package, and by generals."""
    by_chance = [Course(options=options) for options in package.variants]
    return [*by_chance, *(Course(generals=generals) for generals in package.generals)]


class _Unseen(Play[Any]):
    """A battle in memory whose seats are drawn nothing: only its ledger is wanted."""

    def release(self) -> None:
        self.shown, self._unsaid, self._notes = self.state, [], {}


def file_of(folder: Path, system: str, rules: int) -> Path:
    """Where the goldens of a version lie."""
    return folder / f"{system}-{rules}.json.xz"


def landed(folder: Path, system: str) -> int:
    """The newest version of which goldens are kept; 0 where there are none."""
    found = [path.name.removesuffix(".json.xz").rpartition("-") for path in folder.glob(f"{system}-*.json.xz")]
    return max((int(version) for name, _, version in found if name == system and version.isdecimal()), default=0)


def read(path: Path) -> Goldens:
    return msgspec.json.decode(lzma.decompress(path.read_bytes()), type=Goldens)


def write(path: Path, goldens: Goldens) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(encode(goldens), preset=9))


def played(package: RulesPackage[Any, Any], scenario: str, course: Course) -> Golden:
    """Plays a scenario for a golden. Raises Broken where it cannot be played."""
    seed = f"golden of {scenario}"
    plot = selfplay.plot_of(package, scenario, course.options, seed, level="none", generals=course.generals)
    battle = selfplay.battle_of(package, plot, play=_Unseen)
    chooser = Chooser(battle, seed, course.generals, ENTRIES)
    while battle.tree.depth < ENTRIES and (act := chooser.next_act()) is not None:
        do(battle, act)
        chooser.note(act)
    return Golden(
        scenario=scenario,
        options=course.options,
        generals=course.generals,
        secret=battle.secret.decode(),
        seats=battle.seats,
        public=Raw(encode(plot.setting.public)),
        umpire=Raw(encode(plot.setting.umpire)),
        first=Raw(encode(battle.first)),
        entries=tuple(Raw(encode(entry)) for entry in battle.tree.path()),
        after=Raw(encode(battle.state)),
    )


def none_yet(package: RulesPackage[Any, Any]) -> Goldens:
    """The goldens of the present version before any is recorded."""
    return Goldens(system=package.system, rules=package.version, ledger=package.ledger_version, battles=())


def joined(kept: Goldens, more: Sequence[Golden]) -> Goldens:
    return replace(kept, battles=(*kept.battles, *more))


def missing(package: RulesPackage[Any, Any], kept: Goldens) -> list[tuple[str, Course]]:
    """The courses of shipped scenarios that goldens of this version lack."""
    there = {(golden.scenario, encode(golden.options), golden.generals) for golden in kept.battles}
    return [
        (scenario, course)
        for scenario in package.scenarios()
        for course in courses(package)
        if (scenario, encode(course.options), course.generals) not in there
    ]


def _opened(package: RulesPackage[Any, Any], goldens: Goldens, golden: Golden) -> tuple[Any, list[Entry]]:
    """The first state of a golden and its entries, upcast from the version that wrote them. Remembers its setting."""
    codec = codec_of(package)
    public, umpire = bytes(golden.public), bytes(golden.umpire)
    remember_half(digest_of(public), codec.read_half("public", public, goldens.ledger))
    remember_half(digest_of(umpire), codec.read_half("umpire", umpire, goldens.ledger))
    first = codec.read_first(bytes(golden.first), goldens.ledger)
    return first, [codec.read_entry(bytes(entry), goldens.ledger) for entry in golden.entries]


def folds_otherwise(package: RulesPackage[Any, Any], goldens: Goldens, golden: Golden) -> str:
    """What is wrong with the fold of a golden of any version; empty if nothing is."""
    first, entries = _opened(package, goldens, golden)
    after = codec_of(package).read_first(bytes(golden.after), goldens.ledger)
    return "" if fold(package, first, entries) == after else "its ledger folds to another state than it did"


def plays_otherwise(package: RulesPackage[Any, Any], goldens: Goldens, golden: Golden) -> str:
    """Where a golden of the present version comes out otherwise when it is played again; empty if it does not. Of one
    that an older version of the ledger wrote the digests of states are of another form, and are not compared."""
    first, recorded = _opened(package, goldens, golden)
    is_old = goldens.ledger != package.ledger_version
    battle = _Unseen(package, first, golden.seats, secret=golden.secret.encode())
    own, at, ruling = battle.tree.own[0], 0, "what follows by itself at the start"
    while True:
        for depth in range(at, min(len(own), len(recorded))):
            if _compared(own[depth], is_old) != _compared(recorded[depth], is_old):
                return f"{ruling}, entry {depth}: {_apart(own[depth], recorded[depth])}"
        if len(own) > len(recorded):
            return f"{ruling}: now {named(own[len(recorded)])} at its end, where nothing more is kept"
        if len(own) == len(recorded):
            break
        if at and len(own) == at:
            return f"{ruling}, entry {at}: now nothing where {named(recorded[at])} is kept"
        at = len(own)
        match recorded[at]:
            case Begun(kind="order", giver=giver, order=order):
                ruling = f"{giver}'s {order.get('verb')}"
                if refusals := battle.order(giver, order):
                    return f"{ruling}, entry {at}: now refused ({'; '.join(each.reason for each in refusals)})"
            case Begun(kind="carry", giver=force) if battle.position.open is None:
                ruling = f"the plan of {force}"
                battle.carry(force)
            case Answered(command=command, choices=choices, by=by):
                if refusals := battle.answer(command, choices, by):
                    return f"{ruling}, entry {at}: now the answer of {command} is refused ({refusals[0].reason})"
            case Thrown(faces=faces, by=by):
                if refusals := battle.throw(faces, by):
                    return f"{ruling}, entry {at}: now the dice are refused ({refusals[0].reason})"
            case other:
                return f"{ruling}, entry {at}: now it stops where {named(other)} is kept"
    after = codec_of(package).read_first(bytes(golden.after), goldens.ledger)
    return "" if encode(battle.state) == encode(after) else f"{ruling}: the state's bytes differ"


def _compared(entry: Entry, is_old: bool) -> bytes:
    """The bytes of an entry; of an old one without the digest of a state."""
    return encode(replace(entry, before="") if is_old and isinstance(entry, Begun) else entry)


def _apart(now: Entry, was: Entry) -> str:
    """How an entry differs from the one that is kept, in words."""
    if named(now) != named(was):
        return f"now {named(now)} where {named(was)} is kept"
    one, other = (msgspec.json.decode(encode(entry)) for entry in (now, was))
    if "event" in one:
        one, other = one["event"], other["event"]
    fields = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    return f"{named(now)} differs in {', '.join(fields)}"
