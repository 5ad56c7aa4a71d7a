"""Dice and answers of a case file: which roll a name means, which choice the words of an answer. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from lnl.rules.fire.fire_combat import may_fire
from lnl.state.battle import State, place_key
from lnl.state.finding import has_unit, has_weapon, unit, units, weapon
from lnl.testing.cases.ground import is_hex
from lnl.testing.cases.names import piece, place
from lnl.testing.cases.words import plain
from lnl.words.naming import place_words
from umpire.kernel.rulings import Choice, Question, Roll
from umpire.testing.cases.running import CaseFault

DECLINES: Final = (
    "",
    "-",
    "none",
    "no",
    "not",
    "decline",
    "declines",
    "declined",
    "hold",
    "holds",
    "nothing",
    "nobody",
    "pass",
    "passes",
    "forgo",
    "does",
    "do",
    "doesn't",
    "don't",
    "never",
)
ACCEPTS: Final = (
    "yes",
    "fire",
    "fires",
    "take",
    "takes",
    "accept",
    "accepts",
    "shoot",
    "shoots",
    "opportunity",
    "of",
    "detonate",
    "detonates",
    "claymore",
    "all",
)
ATTACKS: Final = ("attack", "mortar attack", "mine attack", "claymore attack")
DEFENCES: Final = ("defence", "mortar defence", "mine defence", "claymore defence")
TOGETHER: Final = (
    ("damage check", "hero", "reduction"),
    ("initiative",),
    ("rally",),
    ("withdraw",),
)
"""Rolls of several pieces that follow each other."""
ROLLS: Final[Mapping[str, tuple[str, ...]]] = {
    "dc": ("damage check",),
    "damage": ("damage check",),
    "defense": DEFENCES,
    "h": ("hero",),
    "hero creation": ("hero",),
    "star shells": ("star shell",),
    "lay smoke": ("smoke",),
    "attack": ATTACKS,
    "attacker": ATTACKS,
    "attack die": ATTACKS,
    "a": ATTACKS,
    "fire": ATTACKS,
    "opportunity fire": ATTACKS,
    "sniper": ATTACKS,
    "snipe": ATTACKS,
    "mortar": ("mortar attack",),
    "mines": ("mine attack",),
    "claymore": ("claymore attack",),
    "defence": DEFENCES,
    "defender": DEFENCES,
    "defence die": DEFENCES,
    "d": DEFENCES,
    "spotting": ("spot",),
    "fod": ("fight or die",),
    "medic": ("heal",),
    "mc": ("morale check",),
    "reduce": ("reduction",),
    "withdrawal": ("withdraw",),
}
"""Names of rolls by the words that a case may use."""


# Dice


def is_roll(wanted: str, roll: Roll) -> bool:
    """Whether a name in `dice` means a roll: the purpose, or some words for it, and the subject or the head of it."""
    text = f"{roll.purpose} {roll.subject}".strip()
    words = re.sub(r" (?:roll|die|dice)$", "", plain(wanted))
    if wanted in (text, roll.purpose) or text.startswith(f"{wanted} "):
        return True
    for word, purposes in _names_of(roll.purpose):
        if words == word or words.startswith(f"{word} "):
            subject = re.sub(r"^(?:of|for|by|from) ", "", words[len(word) :].strip())
            if roll.purpose in purposes and (not subject or _is_about(subject, roll)):
                return True
        if words.endswith(f" {word}") and roll.purpose in purposes and _is_about(words[: -len(word) - 1], roll):
            return True
    # Who has come into play since the case began has an id that nobody knows.
    is_new = re.fullmatch(r"[0-9a-f]{12}", roll.subject) is not None
    return is_new and any(words.startswith(word) for word, purposes in _names_of(roll.purpose))


def _is_about(words: str, roll: Roll) -> bool:
    """Whether words are the subject of a roll, or who throws it; of a defence, which follows its attack, also where the
    target is."""
    if _is_head(words, plain(roll.subject)):
        return True
    is_attack = roll.purpose in (*ATTACKS, *DEFENCES)
    return (is_attack and words == plain(roll.by)) or (roll.purpose in DEFENCES and is_hex(words.split()[0].upper()))


def _is_head(words: str, subject: str) -> bool:
    """Whether words are a subject, or the head of it: "us" of "us turn 2", "sq" of "sq1"."""
    after = subject[len(words) :]
    return subject.startswith(words) and (not after or after[0] == " " or (after.isdigit() and not words[-1].isdigit()))


def _names_of(purpose: str) -> list[tuple[str, tuple[str, ...]]]:
    return [*((word, purposes) for word, purposes in ROLLS.items() if purpose in purposes), (purpose, (purpose,))]


def next_die(names: Sequence[str], roll: Roll) -> int | None:
    """Which of the dice left a roll takes: the first; or, among those with which several are thrown one after the other
    in no order of the book's (Damage Checks of a hex, the initiative), the first that names it."""
    if names and (not names[0] or is_roll(names[0], roll)):
        return 0
    kind = next((kind for kind in TOGETHER if roll.purpose in kind), ())
    for index, name in enumerate(names):
        if not any(is_of(name, purpose) for purpose in kind):
            return None
        if is_roll(name, roll):
            return index
    return None


def is_of(name: str, purpose: str) -> bool:
    """Whether a name in `dice` means rolls of this purpose, whoever's."""
    words = f" {plain(name)} "
    return any(words.startswith(f" {word} ") or words.endswith(f" {word} ") for word, _ in _names_of(purpose))


# Answers


def choices(state: State, question: Question, words: str) -> tuple[str, ...]:
    """The choices that an answer names: by label or id, by pieces or places that they are about; `fire` or `yes` where
    there is one; `none` declines. Raises CaseFault."""
    text = " ".join(words.split())
    by_name = {choice.label.lower(): choice.id for choice in question.choices}
    by_name |= {choice.id.lower(): choice.id for choice in question.choices}
    if text.lower() in by_name:
        return (by_name[text.lower()],)
    first = text.lower().split()[0] if text else "none"
    declines = first in DECLINES and not (first in ("does", "do") and " not" not in text.lower())
    if declines or text.lower().endswith(("holds fire", "hold fire", "not now")):
        return ()
    if question.kind == "opportunity_firers" or question.most > 1:
        return _several(state, question, text)
    named = _named(state, text)
    for choice in question.choices:
        if question.kind == "opportunity_fire":
            _may_fire_all(state, choice, text)
        at = place_key((choice.at[0], choice.at[1], choice.at[2] if len(choice.at) > 2 else 0)) if choice.at else ""
        if any(each in choice.pieces or each == choice.id for each in named) or (at and at in named):
            return (choice.id,)
    if len(question.choices) == 1 and first in ACCEPTS:
        return (question.choices[0].id,)
    part_of = [choice for choice in question.choices if set(plain(text).split()) <= set(plain(choice.label).split())]
    if len(part_of) == 1:
        return (part_of[0].id,)
    known = [choice.label for choice in question.choices]
    raise CaseFault(f"{words!r} is none of the choices: {', '.join(known)}", at=words, known=known)


def _may_fire_all(state: State, choice: Choice, text: str) -> None:
    """Raises CaseFault where an answer names a weapon of theirs that takes no opportunity fire at the movers."""
    at = next((each.at for each in units(state) if each.is_moving), None)
    said = text.partition(" without ")[0]
    for gun in sorted(each for each in _named(state, said) if has_weapon(state, each)):
        owner = weapon(state, gun).owner
        if at is None or owner not in choice.pieces:
            continue
        each = unit(state, owner)
        refused = next(may_fire(state, each, (gun,), at, how="opportunity", holding=True), None)
        if refused is not None:
            raise CaseFault(refused.reason, at=text, known=())


def _several(state: State, question: Question, text: str) -> tuple[str, ...]:
    if text.lower() in ("all", "yes", "both"):
        return tuple(choice.id for choice in question.choices)
    taken: list[str] = []
    for part in re.split(r",| and | with |\+", text):
        word = part.strip()
        if not word:
            continue
        by_name = {choice.label.lower(): choice.id for choice in question.choices}
        by_name |= {choice.id.lower(): choice.id for choice in question.choices}
        for choice in question.choices:
            by_name |= {_guns_word(state, each): choice.id for each in choice.pieces[:1] if has_weapon(state, each)}
        found = by_name.get(word.lower()) or by_name.get(plain(word))
        if found is None:
            named = _named(state, word)
            found = next((each.id for each in question.choices if each.id in named), None)
        if found is None:
            raise CaseFault(f"{word!r} is none of the choices: {', '.join(by_name)}", at=word, known=by_name)
        taken.append(found)
    return tuple(dict.fromkeys(taken))


def _guns_word(state: State, gun: str) -> str:
    return weapon(state, gun).counter.replace("_", " ")


def _named(state: State, text: str) -> set[str]:
    """Pieces and places that words name, by id and by the keys of places."""
    found: set[str] = set()
    words = re.sub(r"[,:]", " ", text).split()
    for size in (1, 2, 3):
        for index in range(len(words) - size + 1):
            phrase = " ".join(words[index : index + size])
            if is_hex(words[index].partition("/")[0]):
                try:
                    at = place(state, phrase)
                except CaseFault:
                    continue
                found |= {place_key(at), place_words(state, at), f"{at[0]},{at[1]}"}
            elif (each := piece(state, phrase)) is not None:
                found.add(each)
                aliases = state.umpire.aliases.values()
                found |= {alias for known in aliases for subject, alias in known.items() if subject == each}
                if has_weapon(state, each) and weapon(state, each).owner:
                    found.add(weapon(state, each).owner)
    return found


def following(state: State, question: Question, words: str) -> tuple[str, ...] | None:
    """Who fires of a place, where the answer that has named the place names them: "sq1 with mg42", "sq1 alone"."""
    if question.kind != "opportunity_firers" or not words:
        return None
    said, without, left_out = words.partition(" without ")
    named = _named(state, said)
    owners = {choice.id for choice in question.choices if choice.id in named and has_unit(state, choice.id)}
    guns = {choice.id for choice in question.choices if choice.id in named and has_weapon(state, choice.id)}
    if without or plain(said).endswith(" alone"):
        unused = {each for each in _named(state, left_out) if has_weapon(state, each)}
        kept = {gun for gun in question.default if has_weapon(state, gun) and gun not in unused} if unused else set()
        firing = owners or {choice.id for choice in question.choices if has_unit(state, choice.id)}
        kept = {gun for gun in kept if weapon(state, gun).owner in firing}
        return tuple(choice.id for choice in question.choices if choice.id in firing | kept)
    if not question.least and not owners and not guns and any(has_unit(state, each) for each in named):
        return ()  # others of the same place, whom this command may join, are named, and none of its own
    if not guns and (not owners or len(owners) == sum(has_unit(state, each.id) for each in question.choices)):
        return None
    only = plain(said).startswith("only") or " only" in plain(said)
    holders = {weapon(state, gun).owner for gun in guns}
    spoken = {each for each in owners if not only or re.search(rf"\b{re.escape(each)}\b", said)}
    if only and guns:
        spoken -= {each for each in holders if not re.search(rf"\b{re.escape(each)}\b", said)}
    return tuple(choice.id for choice in question.choices if choice.id in spoken | guns)
