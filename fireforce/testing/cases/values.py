"""What a case file may say of a battle after a step: how pieces are, what sides see and are asked. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, get_args

from fireforce.book.rows import MotivationResult, Quality
from fireforce.package import PACKAGE
from fireforce.rules.fire import fire_points
from fireforce.rules.men.organisation import quality_of
from fireforce.state.battle import (
    Card,
    Counter,
    Figure,
    Piece,
    Rolled,
    Squad,
    State,
    Team,
)
from fireforce.state.finding import (
    card,
    cards,
    counter,
    counter_over,
    counters,
    figure,
    figures,
    has_figure,
    squad,
    squads,
    team_of,
)
from fireforce.state.setting import setting_of, tables_of
from fireforce.testing.cases.marks import load, results
from fireforce.testing.cases.told import told
from fireforce.testing.cases.words import heads, length, meaning, named_in, parts_of, place, plain, the_place
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Asked, Entry
from umpire.kernel.states import Contact
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import texts_told, unknown, whole

NOTHING: Final = ("nothing", "nobody")


def holds(state: State, entries: Sequence[Entry], line: str) -> str:
    """Nothing if a line of `then` holds, else what is so instead. Raises CaseFault for words it does not know."""
    text = " ".join(line.split())
    if found := re.fullmatch(r"(?:points|VP) (\S+) (?:= )?(-?\d+)|(\S+) (?:points|VP) = (-?\d+)", text):
        return _points(state, found[1] or found[3], int(found[2] or found[4]))
    if found := re.fullmatch(r"(squad \S+) (score|result|casualties) = (.+)", text):
        return state_of(state, found[1], f"{found[2]} {found[3]}")
    if found := re.fullmatch(r"([\w ]+) = (.+)", text):
        return told(state, entries, plain(found[1]), found[2].strip("\"'"))
    if found := re.fullmatch(r"(\S+) (does not see|sees) (.+?)(?: as (.+?))?(?: at (\S+))?", text):
        return _sees(state, found[1], found[2] == "sees", found[3], found[4], found[5])
    if found := re.fullmatch(r"(\S+) (?:hears nothing|(does not hear|hears) (.+))", text):
        return _hears(state, found[1], found[2] != "does not hear", found[3])
    if found := re.fullmatch(r"(\S+) is (not )?told ?(.*)", text):
        return _told(state, entries, found[1], not found[2], found[3])
    if found := re.fullmatch(r"(\S+) is (not )?asked ?(.*)", text):
        return _asked(state, entries, found[1], not found[2], found[3])
    if found := re.fullmatch(r"(squad \S+|\S+) (?:is )?(not )?gone", text):
        pieces = (*cards(state), *counters(state))
        there = has_figure(state, found[1]) or any(each.id == found[1] for each in pieces)
        return f"{found[1]} is {'still' if there else 'not'} there" if there != bool(found[2]) else ""
    return _is_so(state, text)


def _is_so(state: State, text: str) -> str:
    named, rest = heads(text, _names(state))
    if not named:
        found = re.fullmatch(r"(squad \S+|\S+) (.+)", text)
        if found is None:
            unknown("the line", text, ("NAME pinned", "NAME at X,Y", "SIDE sees NAME", "WORD = VALUE"))
        named, rest = [found[1]], found[2]
    for name in named:
        for what in parts_of(rest):
            if instead := state_of(state, name, what):
                return instead if len(named) == 1 else f"{name}: {instead}"
    return ""


def _names(state: State) -> list[str]:
    """Of all that is there."""
    pieces: tuple[Piece, ...] = (*figures(state), *cards(state), *counters(state))
    return [*(each.id for each in pieces), *(unit.id for unit in squads(state))]


# What sides see, hear, are told and asked


def _commands(state: State, name: str) -> list[str]:
    setting = setting_of(state)
    if name in NOTHING:
        return list(setting.commands)
    mine = [key for key, command in setting.commands.items() if name in (key, command.side)]
    if not mine:
        unknown("the side", name, (*setting.commands, *setting.sides))
    return mine


def _points(state: State, side: str, wanted: int) -> str:
    points = PACKAGE.outcome(state).points
    if side not in points:
        unknown("the side", side, points)
    return "" if points[side] == wanted else f"{side} has {points[side]} points"


def in_sight(state: State, command: str, name: str) -> Contact | None:
    """The contact that a command has in sight of a piece."""
    alias = alias_of(state, command, name)
    found = state.commands[command].contacts.get(alias) if alias else None
    return found if found is not None and found.status == "in_sight" else None


def _sees(state: State, who: str, wanted: bool, names: str, what: str | None, at: str | None) -> str:
    wanted = wanted and who != "nobody"
    if names in NOTHING:
        seen = [each for one in _commands(state, who) for each in _all_seen(state, one)]
        return f"{who} sees {', '.join(seen)}" if seen and wanted else ""
    for name in [each for word in named_in(names) for each in meaning(word, _names(state)) or [word]]:
        if instead := _sees_it(state, who, wanted, name, what, at):
            return instead
    return ""


def _all_seen(state: State, command: str) -> list[str]:
    """The enemies' pieces that a command sees."""
    side = setting_of(state).commands[command].side
    pieces = (*figures(state), *cards(state), *counters(state))
    others = [each for each in pieces if setting_of(state).commands[each.command].side != side]
    return [each.id for each in others if each.id in state.public.figures or in_sight(state, command, each.id)]


def _sees_it(state: State, who: str, wanted: bool, name: str, what: str | None, at: str | None) -> str:
    known: set[str] = {man.id for man in figures(state)} | {each.id for each in (*cards(state), *counters(state))}
    if name not in known:
        unknown("the piece", name, known)
    for command in _commands(state, who):
        contact = in_sight(state, command, name)
        if _is_own(state, command, name):
            if who != "nobody" and not wanted:
                return f"{name} is {command}'s own"
            continue
        if what is not None and contact is not None and not _looks(contact, what):
            if wanted:
                shown = ", ".join(f"{key} {value}" for key, value in contact.looks.items())
                return f"{command} sees {name} as {contact.kind}, {shown}"
            continue
        if (contact is not None or name in state.public.figures) != wanted:
            return f"{command} {'does not see' if wanted else 'sees'} {name}"
        if at is not None:
            seen = contact.at if contact is not None else figure(state, name).at
            if tuple(seen) != place(at):
                return f"{command} sees {name} at {','.join(f'{each / 100:g}' for each in seen)}"
    return ""


def _is_own(state: State, command: str, name: str) -> bool:
    pieces: tuple[Piece, ...] = (*figures(state), *cards(state), *counters(state))
    commands = setting_of(state).commands
    return any(each.id == name and commands[each.command].side == commands[command].side for each in pieces)


def _looks(contact: Contact, what: str) -> bool:
    """Whether a contact shows what a case calls it: its kind, a word of its looks, or a card's back."""
    said = re.sub(r"^(a|an) ", "", plain(what))
    if contact.kind == "card" and "card" not in contact.looks:
        return said in ("card", "face down", "face down card", "card face down", "back")
    shown = {plain(value) for value in contact.looks.values()} | {plain(key) for key in contact.looks}
    return said in ({contact.kind, *shown}) or said.removesuffix(" card") in shown


def _hears(state: State, who: str, wanted: bool, what: str | None) -> str:
    wanted = wanted and who != "nobody"
    for command in _commands(state, who):
        heard = [each for each in state.commands[command].contacts.values() if each.status == "heard"]
        kinds = [str(each.looks.get("noise", "")) for each in heard]
        said = plain(what or "")
        is_heard = any(said in ("", "a noise", "noise", "something", plain(kind)) for kind in kinds)
        if is_heard != (wanted and what is not None):
            return f"{command} hears {', '.join(kinds) or 'nothing'}"
    return ""


def _told(state: State, entries: Sequence[Entry], who: str, wanted: bool, what: str) -> str:
    for command in _commands(state, who):
        said = texts_told(entries, command)
        text = what.strip("\"'").lower()
        if any(text in ("", "anything", "something") or text in each.lower() for each in said) != wanted:
            return f"{command} is told: {' '.join(said) or 'nothing'}"
    return ""


def _asked(state: State, entries: Sequence[Entry], who: str, wanted: bool, what: str) -> str:
    wanted = wanted and who != "nobody"
    commands = _commands(state, who)
    said = [
        f"{question.kind.replace('_', ' ')}: {question.prompt}"
        for entry in entries
        if isinstance(entry, Asked)
        for command, question in entry.questions.items()
        if command in commands
    ]
    text = what.strip("\"'").lower()
    is_so = any(text in each.lower() for each in said)
    return "" if is_so == wanted else f"{who} is asked {' / '.join(said) or 'nothing'}"


# How things stand: NAME pinned


def state_of(state: State, name: str, what: str) -> str:
    """Nothing if a piece is what the words say, else what is so instead. Raises CaseFault for unknown words."""
    words = " ".join(what.split())
    for verb in ("is ", "has been "):
        words = words.removeprefix(verb)
    wanted = not words.startswith("not ")
    word = words.removeprefix("not ")
    if word.startswith("at "):
        return _is_at(state, name, word.removeprefix("at "), wanted)
    if has_figure(state, name):
        return _figure_is(state, figure(state, name), word, wanted)
    if any(unit.id == name for unit in squads(state)):
        return _squad_is(state, name, word, wanted)
    if any(each.id == name for each in cards(state)):
        return _card_is(state, name, word, wanted)
    if any(each.id == name for each in counters(state)):
        return _so(name, word, wanted, _COUNTER_WORDS, counter(state, name))
    return unknown("the piece", name, _names(state))


def _is_at(state: State, name: str, text: str, wanted: bool) -> str:
    goal = the_place(text)
    pieces: tuple[Figure | Card | Counter, ...] = (*figures(state), *cards(state), *counters(state))
    places = {each.id: each.at for each in pieces}
    if name not in places:
        unknown("the piece", name, places)
    at = places[name]
    return "" if (at == goal) == wanted else f"{name} is at {at[0] / 100:g},{at[1] / 100:g}"


def _so(name: str, word: str, wanted: bool, known: Mapping[str, Callable[[Any], bool]], piece: Any) -> str:
    text = plain(word)
    if text not in known:
        unknown("the word", word, known)
    return "" if known[text](piece) == wanted else f"{name} is {'not ' if wanted else ''}{word}"


_FIGURE_WORDS: Final[Mapping[str, Callable[[Figure], bool]]] = {
    "pinned": lambda man: man.is_pinned,
    "pinned by a blast": lambda man: man.pinned == "he",
    "pinned by fire": lambda man: man.pinned == "fire",
    "unpinned": lambda man: not man.is_pinned,
    "fit": lambda man: man.is_fit,
    "unharmed": lambda man: man.is_fit and not man.is_pinned,
    "unhurt": lambda man: man.is_fit and not man.is_pinned,
    "casualty": lambda man: man.status == "casualty",
    "a casualty": lambda man: man.status == "casualty",
    "killed": lambda man: man.status == "casualty",
    "captured": lambda man: man.status == "captured",
    "moved": lambda man: man.moved != "",
    "running": lambda man: man.moved == "running",
    "fired": lambda man: man.fired in ("aimed", "prophylactic"),
    "fired aimed": lambda man: man.fired == "aimed",
    "fired prophylactic": lambda man: man.fired == "prophylactic",
    "held fire": lambda man: man.fired == "held",
    "searching": lambda man: man.searching != "",
    "destroying": lambda man: man.destroying != "",
    "must withdraw": lambda man: man.must_withdraw,
    "prepared": lambda man: man.is_prepared,
    "on the table": lambda man: man.is_placed,
    "carrying": lambda man: not man.carrying.is_empty,
    "carrying nothing": lambda man: man.carrying.is_empty,
    "has gambled": lambda man: man.has_gambled,
    "has fired from ambush": lambda man: man.has_fired_from_ambush,
}


def _figure_is(state: State, man: Figure, word: str, wanted: bool) -> str:
    text = plain(word)
    quality = text.removeprefix("counts as ")
    if quality in get_args(Quality):
        counts = fire_points.counts_as(state, man)
        return "" if (counts == quality) == wanted else f"{man.id} counts as {counts}"
    if text.startswith("pinned until "):
        until = whole(text.rpartition(" ")[2])
        return "" if (man.pinned_until == until) == wanted else f"{man.id} is pinned until {man.pinned_until}"
    if found := re.fullmatch(r'moved ([\d.]+)(?: inch(?:es)?|")?', text):
        # Places are whole hundredths: a slanting way may be one shorter than it is said to be.
        is_so = 0 <= length(found[1]) - man.distance <= 1
        return "" if is_so == wanted else f"he has moved {man.distance / 100:g}"
    if text.startswith(("carrying ", "carries ")) and text not in _FIGURE_WORDS:
        kind, number = load(text.partition(" ")[2])
        return "" if (getattr(man.carrying, kind) == number) == wanted else f"he carries {man.carrying}"
    if text == "hidden":
        is_so = not man.is_placed and man.id not in state.public.figures
        return "" if is_so == wanted else f"{man.id} is {'not ' if wanted else ''}hidden"
    if text == "on the table":
        is_so = man.is_placed or man.id in state.public.figures
        return "" if is_so == wanted else f"{man.id} is {'not ' if wanted else ''}on the table"
    if text == "under a counter":
        is_so = counter_over(state, man.id) is not None
        return "" if is_so == wanted else f"{man.id} is {'not ' if wanted else ''}under a counter"
    if found := re.fullmatch(r"in contact(?: with (\S+))?", " ".join(word.split())):
        touched = [other.id for other in fire_points.in_contact(state, man)]
        is_so = found[1] in touched if found[1] else bool(touched)
        return "" if is_so == wanted else f"{man.id} touches {', '.join(touched) or 'nobody'}"
    if text == "under fire" or text.startswith("team "):
        return _team_is(state, man, text, wanted)
    return _so(man.id, word, wanted, _FIGURE_WORDS, man)


def _team_is(state: State, man: Figure, word: str, wanted: bool) -> str:
    if not man.squad:
        raise CaseFault(f"{man.id} is in no squad", at=man.id)
    name = team_of(squad(state, man.squad), man.id)
    if word == "under fire":
        is_so = squad(state, man.squad).teams[name].is_under_fire
        return "" if is_so == wanted else f"his team is {'not ' if wanted else ''}under fire"
    return "" if (name == word.removeprefix("team ")) == wanted else f"{man.id} is in team {name}"


_TEAM_WORDS: Final[Mapping[str, Callable[[Team], bool]]] = {
    "under fire": lambda team: team.is_under_fire,
    "moved": lambda team: team.has_moved,
    "rolled": lambda team: team.result != "",
}


def _rolls(unit: Squad) -> list[Team | Rolled]:
    """What has been rolled for a squad's teams, and for those who have joined them since."""
    found: list[Team | Rolled] = []
    for team in unit.teams.values():
        found.extend((team, *team.rolled))
    return found


def _squad_is(state: State, name: str, word: str, wanted: bool) -> str:
    unit = squad(state, name)
    text = plain(word)
    quality = text.removeprefix("counts as ")
    if quality in get_args(Quality):
        counts = quality_of(state, unit)
        return "" if (counts == quality) == wanted else f"{name} counts as {counts}"
    if found := re.fullmatch(r"(?:has )?(?:casualties (\d+)|(\d+) casualt(?:y|ies))", text):
        number = int(found[1] or found[2])
        return "" if (unit.casualties == number) == wanted else f"{name} has {unit.casualties} casualties"
    if text.startswith("teams "):
        named = sorted(named_in(text.removeprefix("teams ")))
        return "" if (sorted(unit.teams) == named) == wanted else f"{name} has the teams {', '.join(unit.teams)}"
    if found := re.fullmatch(r"score (-?\d+)", text):
        scores = [each.score for each in _rolls(unit) if each.result]
        return "" if (int(found[1]) in scores) == wanted else f"{name} has scored {scores}"
    if text == "under platoon control":
        return "" if unit.is_under_platoon_control == wanted else f"{name} is otherwise"
    key = results().get(text.removeprefix("result "))
    teams = unit.teams.values()
    if key is not None:
        rows = tables_of(state).book.table("motivation_results", MotivationResult)
        got = [rows[each.result].name for each in _rolls(unit) if each.result]
        is_so = any(each.result == key for each in _rolls(unit))
        return "" if is_so == wanted else f"{name} is {', '.join(got) or 'not rolled for'}"
    if text not in _TEAM_WORDS:
        more = (*results(), *get_args(Quality), "casualties N", "teams A and B")
        unknown("the word", word, (*_TEAM_WORDS, *more))
    is_so = any(_TEAM_WORDS[text](team) for team in teams)
    return "" if is_so == wanted else f"{name} is {'not ' if wanted else ''}{word}"


def _card_is(state: State, name: str, word: str, wanted: bool) -> str:
    if found := re.fullmatch(r"(arms|food|heavy) (\d+)", plain(word)):
        number = getattr(card(state, name).stores, found[1])
        return "" if (number == int(found[2])) == wanted else f"{name} has {found[1]} {number}"
    return _so(name, word, wanted, _CARD_WORDS, card(state, name))


_CARD_WORDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "face up": lambda each: each.is_face_up,
    "face down": lambda each: not each.is_face_up,
    "on the table": lambda each: each.is_on_table,
    "moved": lambda each: each.has_moved,
    "empty": lambda each: each.stores.is_empty,
    "searched": lambda each: bool(each.searched_by),
}
_COUNTER_WORDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "moved": lambda each: each.has_moved,
    "dummy": lambda each: not each.figures,
    "a dummy": lambda each: not each.figures,
}
