"""Names and places of a case file: which piece a name means, which place. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lnl.board.ground import place_named
from lnl.board.hexes import Place
from lnl.state.battle import State
from lnl.state.finding import counter_of, has_unit, has_weapon, unit, units, weapon, weapons, works
from lnl.state.setting import ground_of, secrets_of, setting_of
from lnl.testing.cases.ground import LEVEL_NAMES, split_place
from lnl.testing.cases.words import plain
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown


def names_of(state: State) -> set[str]:
    """Everything that has been called something in this battle, what is gone too."""
    setting, secret = setting_of(state), secrets_of(state)
    forces = (*setting.forces, *secret.forces, *setting.works, *secret.works, *setting.weapons, *secret.weapons)
    there = (each.id for pieces in (units(state), weapons(state), works(state)) for each in pieces)
    return {*forces, *there}


def piece(state: State, name: str, among: Iterable[str] = ()) -> str | None:
    """The true id of what a case calls so: by its name, `squad's mg42`, a weapon of one of `among`, or the one piece of
    a kind that has come into play (`hero`)."""
    text = " ".join(name.split())
    if has_unit(state, text) or has_weapon(state, text) or any(each.id == text for each in works(state)):
        return text
    owner, _, gun = text.replace("'s ", " ").replace(".", " ").partition(" ")
    if gun and has_unit(state, owner):
        found = [held for held in unit(state, owner).weapons if _is_called(state, held, gun)]
        if found:
            return found[0]
    held = [gun for each in among if has_unit(state, each) for gun in unit(state, each).weapons]
    mine = [gun for gun in held if _is_called(state, gun, text)]
    if len(mine) == 1 or (mine and among):
        return mine[0]
    called = [each.id for each in weapons(state) if _is_called(state, each.id, text)]
    if len(called) == 1:
        return called[0]
    setting, secret = setting_of(state), secrets_of(state)
    given = {*setting.forces, *secret.forces}
    if text in given:
        return None
    words = text.split()
    born = [
        each.id
        for each in units(state)
        if each.id not in given
        and counter_of(state, each).kind.replace("_", " ") == words[-1]
        and (len(words) == 1 or each.side == words[0])
    ]
    return born[0] if len(born) == 1 else None


def _is_called(state: State, gun: str, word: str) -> bool:
    if not has_weapon(state, gun):
        return False
    counter = weapon(state, gun).counter
    key = re.sub(r"(\d)_mm\b", r"\1mm", plain(word).replace(" ", "_")).replace("_mm_", "mm_")
    return (
        counter == key or counter.endswith(f"_{key}") or counter.startswith(f"case_{key}_") or gun.endswith(f" {word}")
    )


def the_piece(state: State, name: str, among: Iterable[str] = ()) -> str:
    """As `piece`; raises CaseFault for what is not there."""
    found = piece(state, name, among)
    if found is None:
        if name in names_of(state):
            raise CaseFault(f"{name} is no more", at=name)
        unknown("the piece", name, names_of(state))
    return found


def group(state: State, name: str) -> list[str]:
    """Those whom a name means: the unit of that name, or those of it with a number behind (`sq` for sq1 and sq2)."""
    if has_unit(state, name):
        return [name]
    bare = re.escape(re.sub(r"\*\d*$", "", name))
    return [each.id for each in units(state) if re.fullmatch(rf"{bare}\d+", each.id)]


def place(state: State, text: str) -> Place:
    """A place by name. Raises CaseFault."""
    name, level = split_place(text)
    try:
        return place_named(ground_of(state), name + LEVEL_NAMES[level])
    except KeyError:
        pass
    try:
        return place_named(ground_of(state), _bare(state, name) + LEVEL_NAMES[level])
    except KeyError:
        raise CaseFault(f"there is no place {text!r} on the map", at=text) from None


def _bare(state: State, name: str) -> str:
    """The name of a hex with the number of the one board that there is."""
    numbers = {found[0] for each in ground_of(state).names if (found := re.match(r"\d+", each))}
    return f"{next(iter(numbers))}{name}" if len(numbers) == 1 and name[0].isalpha() else name
