"""Answers of a case of Lock 'n Load: which choices the words of one name. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from lnl.rules.fire.fire_combat import may_fire
from lnl.state.battle import State
from lnl.state.finding import has_unit, has_weapon, unit, units, weapon
from lnl.testing.cases.given import place
from lnl.testing.cases.ground import is_hex, place_at
from umpire.kernel.rulings import Choice, Question
from umpire.testing.cases.words import CaseFault, plain

Meaning = Callable[[str], Sequence[str]]
"""The names that a word means."""
ACCEPTS: Final = ("yes", "fire", "detonate", "all")


def choices(state: State, question: Question, words: str, meaning: Meaning) -> tuple[str, ...]:
    """The choices that an answer names: by label or id, by pieces or places that they are about; `fire` or `yes` where
    there is one; `none` declines. Raises CaseFault."""
    text = " ".join(words.split())
    by_name = {word.lower(): choice.id for choice in question.choices for word in (choice.label, choice.id)}
    if text.lower() in by_name:
        return (by_name[text.lower()],)
    if text.lower() == "none":
        return ()
    if question.kind == "opportunity_firers" or question.most > 1:
        return _several(state, question, text, meaning)
    pieces, places = _named(state, text, meaning)
    for choice in question.choices:
        if question.kind == "opportunity_fire":
            _may_fire_all(state, choice, text, meaning)
        at = (*choice.at, 0)[:3] if choice.at else None
        if choice.id in pieces or pieces & set(choice.pieces) or at in places:
            return (choice.id,)
    if len(question.choices) == 1 and text in ACCEPTS:
        return (question.choices[0].id,)
    part_of = [choice for choice in question.choices if set(plain(text).split()) <= set(plain(choice.label).split())]
    if len(part_of) == 1:
        return (part_of[0].id,)
    known = [choice.label for choice in question.choices]
    raise CaseFault(f"{words!r} is none of the choices: {', '.join(known)}", at=words, known=known)


def _several(state: State, question: Question, text: str, meaning: Meaning) -> tuple[str, ...]:
    if text in ("all", "yes"):
        return tuple(choice.id for choice in question.choices)
    taken: list[str] = []
    for word in filter(None, map(str.strip, re.split(r",| and | with ", text))):
        by_name = {plain(name): choice.id for choice in question.choices for name in (choice.label, choice.id)}
        for choice in question.choices:
            if choice.pieces and has_weapon(state, choice.pieces[0]):
                by_name[plain(weapon(state, choice.pieces[0]).counter)] = choice.id
        named = _named(state, word, meaning)[0]
        found = by_name.get(plain(word)) or next((each.id for each in question.choices if each.id in named), None)
        if found is None:
            raise CaseFault(f"{word!r} is none of the choices: {', '.join(by_name)}", at=word, known=by_name)
        taken.append(found)
    return tuple(dict.fromkeys(taken))


def _named(state: State, text: str, meaning: Meaning) -> tuple[set[str], set[tuple[int, ...]]]:
    """Pieces that words name, with their aliases and owners, and places."""
    pieces: set[str] = set()
    places: set[tuple[int, ...]] = set()
    words = re.sub(r"[,:]", " ", text).split()
    for index in range(len(words)):
        if is_hex(words[index]) and (size := place_at(words[index:])):
            places.add(place(state, " ".join(words[index : index + size])))
        for size in (1, 2, 3):
            for each in meaning(" ".join(words[index : index + size])):
                pieces.add(each)
                known = state.umpire.aliases.values()
                pieces |= {alias for names in known for subject, alias in names.items() if subject == each}
                if has_weapon(state, each) and weapon(state, each).owner:
                    pieces.add(weapon(state, each).owner)
    return pieces, places


def _may_fire_all(state: State, choice: Choice, text: str, meaning: Meaning) -> None:
    """Raises CaseFault where an answer names a weapon of theirs that takes no opportunity fire at the movers."""
    at = next((each.at for each in units(state) if each.is_moving), None)
    pieces, _ = _named(state, text.partition(" without ")[0], meaning)
    for gun in sorted(each for each in pieces if has_weapon(state, each)):
        owner = weapon(state, gun).owner
        if at is not None and owner in choice.pieces:
            refused = next(may_fire(state, unit(state, owner), (gun,), at, how="opportunity", holding=True), None)
            if refused is not None:
                raise CaseFault(refused.reason, at=text)


def chosen_firers(state: State, question: Question, words: str, meaning: Meaning) -> tuple[str, ...] | None:
    """Who fires of a place, where the answer that has named the place names them: "sq1 with mg42", "only sq1", "sq1
    without mg42"; None where it leaves it open."""
    said, without, left_out = words.partition(" without ")
    ids = [choice.id for choice in question.choices]
    named, _ = _named(state, said, meaning)
    there = {each for each in ids if has_unit(state, each)}
    owners, guns = named & there, {each for each in named & set(ids) if has_weapon(state, each)}
    if without:
        unused, _ = _named(state, left_out, meaning)
        kept = {gun for gun in question.default if has_weapon(state, gun) and gun not in unused}
        kept = {gun for gun in kept if weapon(state, gun).owner in (owners or there)}
        return tuple(each for each in ids if each in (owners or there) | kept)
    if not question.least and not owners and not guns and any(has_unit(state, each) for each in named):
        return ()  # others of the same place, whom this command may join, are named, and none of its own
    if not guns and (not owners or owners == there):
        return None
    if plain(said).startswith("only"):
        spoken = set(re.findall(r"\w+", said))
        owners = {each for each in owners if each in spoken}
    return tuple(each for each in ids if each in owners | guns)
