"""FireForce's words in case files. True ids are the names of the lines, and so are the aliases of all that is in sight
when the case begins. `docs/cases.md`"""

from __future__ import annotations

import re
from collections import Counter as Count
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, get_args

from msgspec import convert, inspect

from fireforce.book.rows import Quality
from fireforce.happening.fire import CloseCombatFought, HitsAllocated, HitsScored
from fireforce.happening.men import BecameCasualty, Captured, MotivationRolled
from fireforce.happening.movement import Stopped
from fireforce.orders.dispatch import chapters
from fireforce.package import PACKAGE
from fireforce.rules.fire import fire_points
from fireforce.rules.men.squads import quality_of
from fireforce.rules.turn.turn_sequence import due
from fireforce.state.battle import Card, Counter, Figure, Place, Rolled, Squad, Standing, State, Team
from fireforce.state.finding import (
    cards,
    counter_over,
    counters,
    figure,
    figures,
    has_figure,
    members_of,
    squad,
    squads,
    team_of,
)
from fireforce.state.setting import setting_of
from fireforce.testing.cases.given import NOT_BEGUN, begun, given_with, in_sight, ordered_to, peopled
from fireforce.testing.cases.pieces import MARKS, TEAMS, place, results
from fireforce.testing.cases.values import READERS, VALUES
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Answered, Asked, Entry
from umpire.kernel.pieces.finding import part_of
from umpire.kernel.rulings import Question, Roll
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier
from umpire.testing.cases.form import Case
from umpire.testing.cases.language import Fact, Language, chosen, events_of, last, number_of
from umpire.testing.cases.orders import length, types_of, verb_words
from umpire.testing.cases.words import CaseFault, lines_of, listed, one_of, plain, unknown
from umpire.testing.play.battle import Play

QUALITY: Final = rf"(?:counts as )?({'|'.join(get_args(Quality))})"
RESULT: Final = rf"(?:result )?({'|'.join(results())})"
LISTS: Final = ("losses", "critical")
"""Questions that answers of one line may answer several of: whom hits fall on, whom criticals are for."""


def _is_in_contact(state: State, man: Figure, other: str | None) -> bool:
    touched = [each.id for each in fire_points.in_contact(state, man)]
    return other in touched if other else bool(touched)


def _is_on_table(state: State, man: Figure) -> bool:
    return man.is_placed or part_of(state, man.id) == "public"


def _hits(state: State, entries: Sequence[Entry]) -> int | None:
    found = [event.hits for event in events_of(entries, HitsScored)]
    return sum(found) if found else None


class LANGUAGE(Language[State]):
    """FireForce's words."""

    package = PACKAGE
    marks = MARKS
    patterns: ClassVar[Mapping[type[Any], Mapping[str, Callable[..., Any]]]] = {
        Figure: {
            QUALITY: lambda state, man, quality: fire_points.counts_as(state, man) == quality,
            "unharmed": lambda state, man: man.is_fit and not man.is_pinned,
            "fired": lambda state, man: man.fired in ("aimed", "prophylactic"),
            # Places are whole hundredths: a slanting way may be one shorter than it is said to be.
            r"moved ([\d.]+)(?: inch(?:es)?)?": lambda state, man, far: 0 <= length(far) - man.distance <= 1,
            "carrying": lambda state, man: not man.carrying.is_empty,
            "carrying nothing": lambda state, man: man.carrying.is_empty,
            r"carrying (arms|food|heavy) (\d+)": lambda state, man, kind, n: getattr(man.carrying, kind) == int(n),
            "hidden": lambda state, man: not _is_on_table(state, man),
            "on the table": _is_on_table,
            "under a counter": lambda state, man: counter_over(state, man.id) is not None,
            r"in contact(?: with (\S+))?": _is_in_contact,
            "team (.+)": lambda state, man, team: team_of(squad(state, man.squad), man.id) == team,
        },
        Squad: {
            QUALITY: lambda state, unit, quality: quality_of(state, unit) == quality,
            "teams (.+)": lambda state, unit, teams: sorted(unit.teams) == sorted(listed(teams)),
        },
        **{kind: {RESULT: lambda state, team, result: team.result == results()[result]} for kind in (Team, Rolled)},
        Card: {"empty": lambda state, each: each.stores.is_empty},
        Counter: {"dummy": lambda state, each: not each.figures},
    }
    facts: Mapping[str, Fact] = {
        "captured": number_of(Captured),
        "casualties": number_of(BecameCasualty),
        "criticals": last(HitsScored, "criticals"),
        "fire points": last(HitsScored, "fire_points"),
        "fought": last(CloseCombatFought, "result"),
        "hits": _hits,
        "result": last(MotivationRolled, "result"),
        "score": last(MotivationRolled, "score"),
        "stopped": last(Stopped, "why"),
    }
    values = VALUES
    readers = READERS
    verbs: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "prophylactic fire": {"verb": "Fire", "aimed": False},
        "run": {"verb": "Move", "manner": "running"},
        "walk": {"verb": "Move"},
    }
    inches = ("fire_range",)
    general = ("fireforce conventions", "fireforce turn-sequence")
    printed_in: ClassVar[Mapping[str, set[str]]] = {
        "is pinned": {"fireforce small-arms", "fireforce firing", "fireforce saving-throws"},
        "opportunity pass": {"fireforce small-arms", "fireforce firing"},
        "(?<!pinned): (no|prophylactic) fire": {"fireforce motivation", "fireforce firing", "fireforce small-arms"},
    }
    reasons: ClassVar[Mapping[str, str]] = {
        "heavy rain or haze": "raining",
        "first shot from ambush: doubled": "double",
        "target is pinned": "figure pin",
        "elite shooters, target near": "within 15",
        "target far": "beyond 15 over range long distance",
        "no hostiles in sight, no gunfire heard": "hostile",
        "night without night vision": "no",
    }
    fates: ClassVar[Mapping[str, str]] = {
        "must withdraw": "withdraws",
        **results(),
        **{word: word for word in ("casualty", "pinned", "captured", "unharmed")},
    }

    # Setting up

    def set_up(self, case: Case, given: Mapping[str, Any], further: Sequence[str], standing: Sequence[str]) -> State:
        more, found, reader = given_with(given, further, self._told_by_steps(case, given))
        state = peopled(begun(case, more, found, reader), more, found)
        for line in (*lines_of(given.get("standing", ())), *standing):
            who, colon, said = line.partition(":")
            if not colon:
                raise CaseFault(f"{line!r} is not: who, a colon, standing orders", at=line)
            state = ordered_to(state, who.strip(), convert(self.standing(said), Standing))
        return in_sight(state)

    def _told_by_steps(self, case: Case, given: Mapping[str, Any]) -> dict[str, Any]:
        """The phase and the side whose player turn it is as the first step has them that begins the battle, or gives an
        order that is not refused: where the case does not say so itself."""
        first = next((step for step in case.step if step.begins or (step.order and not step.refused)), None)
        if first is None:
            return {}
        if first.order is None:
            return {"phase": NOT_BEGUN}
        word = verb_words(str(first.order.get("verb", "")))
        word = verb_words(str(self.verbs.get(word, {}).get("verb", word)))
        phases = next((verb.phases for kind, verb in chapters.verbs.items() if verb_words(kind.__name__) == word), ())
        seat = str(first.order.get("seat", ""))
        owners = [line.split()[0].partition("/") for line in lines_of(given.get("pieces", ""))]
        active = [side for side, _, command in owners if seat in (side, command)][:1]
        return ({"phase": phases[0]} if phases and "firing" not in phases else {}) | dict.fromkeys(
            ("active",)[: len(active)], *active
        )

    def setting(self, state: State) -> Any:
        return setting_of(state)

    def standing(self, said: str) -> Mapping[str, Any]:
        """`losses in order, criticals forgo`, `fire free, range 10`, `hold`."""
        fields = types_of(Standing)
        made: dict[str, Any] = {}
        for each in map(plain, said.split(",")):
            if found := re.fullmatch(r"(?:fire )?(?:within|range) (\S+)", each):
                made |= {"fire_range": length(found[1])} | ({"fire": "free"} if "within" in each else {})
                continue
            key, _, value = each.partition(" ")
            key, value = ("fire", key) if key == "hold" else (key, value)
            of = fields.get(key)
            if not isinstance(of, inspect.LiteralType):
                unknown("the standing order", key, (*fields, "range", "hold"))
            made[key] = one_of(f"the order to {key}", value, map(str, of.values))
        return made

    # Pieces and places

    def names(self, state: State) -> list[str]:
        pieces = (*figures(state), *cards(state), *counters(state), *squads(state))
        return [each.id for each in pieces]

    def meaning(self, state: State, word: str) -> list[str]:
        found = super().meaning(state, word)
        return [
            name for name in found if not has_figure(state, name) or name == word or figure(state, name).is_fit
        ] or found

    def pieces(self, state: State, name: str) -> list[Any]:
        if has_figure(state, name):
            man = figure(state, name)
            unit = squad(state, man.squad) if man.squad else None
            return [man] if unit is None else [man, unit.teams[team_of(unit, name)], unit]
        for each in (*cards(state), *counters(state)):
            if each.id == name:
                return [each, each.stores] if isinstance(each, Card) else [each]
        unit = next((unit for unit in squads(state) if unit.id == name), None)
        teams = unit.teams.values() if unit is not None else ()
        return [] if unit is None else [unit, *teams, *(each for team in teams for each in team.rolled)]

    def place(self, state: State, text: Any) -> Place:
        return place(text)

    def place_words(self, state: State, at: Place) -> str:
        return f"{at[0] / 100:g},{at[1] / 100:g}"

    def sees(self, state: State, command: str, name: str) -> Place | None:
        alias = alias_of(state, command, name)
        found = state.commands[command].contacts.get(alias) if alias else None
        if found is not None and found.status == "in_sight":
            return found.at[0], found.at[1]
        return figure(state, name).at if has_figure(state, name) and part_of(state, name) == "public" else None

    def looks(self, state: State, command: str, name: str) -> set[str]:
        found = state.commands[command].contacts.get(alias_of(state, command, name) or "")
        if found is None:
            return set()
        if found.kind == "card" and "card" not in found.looks:
            return {"face down"}
        return {found.kind, *map(plain, found.looks.values()), *map(plain, found.looks)}

    # Orders, dice, answers

    def rule_of(self, verb: str) -> str:
        return next((each.rule for kind, each in chapters.verbs.items() if kind.__name__ == verb), "")

    def leads_in(self, play: Play[State], seat: Seat, order: Mapping[str, Any]) -> bool:
        """Plans that are due in a phase are carried on before it ends."""
        if verb_words(str(order.get("verb", ""))) == "end phase":
            while play.position.open is None:
                force = next((each for each in due(play.state) if each not in play.state.commands), None)
                if force is None:
                    break
                play.carry(force)
        return False

    def adapted(self, state: State, seat: Seat, order: dict[str, Any]) -> dict[str, Any]:
        """Fire that is not aimed in words; `squad = "1"`; a squad among figures means its fit men."""
        if order["verb"] == "Fire":
            said = plain(order.pop("mode", "prophylactic" if order.pop("prophylactic", False) else ""))
            if said:
                order["aimed"] = one_of("the mode", said, ("aimed", "prophylactic")) == "aimed"
        ids = [unit.id for unit in squads(state)]
        if f"squad {order.get('squad')}" in ids:
            order["squad"] = f"squad {order['squad']}"
        for key in ("figures", "second"):
            if key in order and order["verb"] != "Change":
                words = [name for word in listed(order[key]) for name in self.meaning(state, word) or [word]]
                units = {word: squad(state, word) for word in words if word in ids}
                order[key] = [
                    name
                    for word in words
                    for name in ([m.id for m in members_of(state, units[word])] if word in units else [word])
                ]
        return order

    def subjects(self, state: State, roll: Roll, chosen: Sequence[str]) -> list[str]:
        """A critical hit is called by him for whom it is, a squad's roll also by its team."""
        if roll.purpose == "critical":
            names = self.true_names(state, tuple(state.commands)) if state is not None else {}
            return [*chosen, *(names.get(each, each) for each in chosen)]
        return [f"{roll.subject} {team}" for team in ("whole", *TEAMS)] if roll.purpose == "motivation" else []

    def choices(self, state: State, question: Question, words: str) -> tuple[tuple[str, ...], str]:
        if question.kind == "critical" and re.fullmatch("(forgo|none)( (the )?critical( hit)?s?)?", plain(words)):
            return ("forgo",), ""
        if question.kind not in LISTS:
            return chosen(question, words), ""
        named = listed(re.sub(r"^.*\bon ", "", " ".join(words.split())))
        left = named[question.most :]
        names = self.true_names(state, tuple(state.commands))
        known = {name: choice.id for choice in question.choices for name in (choice.id, choice.label, *choice.pieces)}
        known |= {names[name]: choice for name, choice in list(known.items()) if name in names}
        for name in named[: question.most]:
            if name not in known:
                raise CaseFault(f"{name!r} is none of the choices: {', '.join(known)}", at=name, known=known)
        return tuple(known[name] for name in named[: question.most]), f"on {', '.join(left)}" if left else ""

    def goes_without_asking(self, state: State, entries: Sequence[Entry], seat: Seat, words: str) -> bool:
        """Whether an answer names men of the seat who took hits that nobody was asked for: there was nobody else."""
        taken: Count[str] = Count()
        kinds: dict[str, str] = {}
        for event in events_of(entries, HitsAllocated):
            taken.update(event.figures)
            taken.subtract(event.criticals)
        for entry in entries:
            if isinstance(entry, Asked):
                kinds.update({command: question.kind for command, question in entry.questions.items()})
            elif isinstance(entry, Answered) and kinds.get(entry.command) == "losses":
                taken.subtract(entry.choices)
        mine = Count({man.id: taken[man.id] for man in figures(state) if man.command in seat.commands})
        said = Count(listed(re.sub(r"^.*\bon ", "", words)))
        return bool(said) and said <= mine

    # What follows

    def made(self, before: State, entries: Sequence[Entry], purpose: str) -> Sequence[Modifier] | None:
        found = [event.working for event in events_of(entries, HitsScored)]
        return found[-1] if purpose == "fire points" and found else None

    def called(self, state: State, modifier: Modifier) -> set[str]:
        if modifier.rule == "fireforce motivation-rating":
            return {"MR leader squad platoon commander sergeant"}
        if modifier.reason.startswith("casualties "):
            return {"casualty"}
        return (
            {"MN"} if modifier.rule == "fireforce motivation" and plain(modifier.reason) in get_args(Quality) else set()
        )

    def chances(self, state: State, found: dict[str, Fraction]) -> None:
        for man in figures(state):
            mine = [chance for words, chance in found.items() if words.rpartition(" ")[0] == man.id]
            found[f"{man.id} unharmed"] = 1 - sum(mine, Fraction(0))
        for words, chance in list(found.items()):
            for name, key in results().items():
                if words.endswith(f" {key}"):
                    found[f"{words.removesuffix(key)}{name}"] = chance

    def same(self, word: str) -> str:
        text = word.removesuffix(" phase")
        text = "motivation movement" if text in ("motivation", "movement", "motivation and movement") else text
        return results().get(text, text)
