"""Lock 'n Load's words in case files. True ids are the names of the lines, and so are the aliases of all that is in
sight when the case begins. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

from msgspec import convert, to_builtins

from lnl.board.hexes import Place
from lnl.happening.melee import MeleeFought
from lnl.happening.movement import Entered, Started
from lnl.happening.turn import Happened
from lnl.knowledge.sighting import locations
from lnl.orders.dispatch import chapters
from lnl.package import LockNLoad
from lnl.rules.hidden.spotting import is_spotted, is_unit_spotted, visible_places
from lnl.rules.turn import event_markers, operations_phase, rally_phase
from lnl.state.battle import Manner, Standing, State, Unit, Weapon, hex_key
from lnl.state.finding import (
    carried,
    counter_of,
    has_ended,
    has_unit,
    has_weapon,
    impulse_of,
    is_open,
    melee_at,
    piece_of,
    unit,
    units,
    weapon,
    weapon_row,
    weapons,
    works,
)
from lnl.state.setting import secrets_of, setting_of, tables_of
from lnl.testing.cases.answers import choices, chosen_firers
from lnl.testing.cases.facts import FACTS, PATTERNS, is_called
from lnl.testing.cases.given import as_phased, begun, given_with, goes_on, in_sight, ordered_to, peopled, place
from lnl.testing.cases.ground import hexes_of, is_hex
from lnl.testing.cases.pieces import MARKS
from lnl.testing.cases.values import VALUES
from lnl.words.naming import place_words
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Entry
from umpire.kernel.rulings import Draw, Question, Roll, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Modifier, Refusal
from umpire.testing.cases.form import Case
from umpire.testing.cases.language import Language, events_of
from umpire.testing.cases.orders import verb_words
from umpire.testing.cases.words import CaseFault, lines_of, listed, plain, unknown
from umpire.testing.play.battle import Play


class Holding(LockNLoad):
    """Lock 'n Load, but for one thing: a phase does not end because nobody has anything left to do, as it would on the
    small maps of most cases after the first order. Three passes, and who says that he is done, end it as ever."""

    def advance(self, state: State) -> Ruling[State]:
        public = state.public
        if event_markers.due(state) is not None:
            return super().advance(state)
        if public.phase == "operations" and operations_phase.is_over(state):
            if public.passes < tables_of(state).number("passes"):
                return _nothing(state)
        is_untouched = not any(has_ended(state, name) for name in state.commands)
        if public.phase == "rally" and is_untouched and rally_phase.is_over(state):
            return _nothing(state)
        return super().advance(state)


def _nothing(state: State) -> Ruling[State]:
    yield from ()
    return state


PLAYED: Final = LockNLoad()
HOLDING: Final = Holding()


class LANGUAGE(Language[State]):
    """Lock 'n Load's words."""

    package: LockNLoad = HOLDING
    marks = MARKS
    patterns = PATTERNS
    facts = FACTS
    values = VALUES
    readers: ClassVar[Mapping[Any, Callable[[Any, Any], Any]]] = {}
    verbs: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "smoke": {"verb": "LaySmoke"},
        "melee": {"verb": "FightMelee"},
    }
    together = (("damage check", "hero", "reduction"), ("initiative",), ("rally",), ("withdraw",))
    general = ("core 2.0", "core 4.0", "core 6.0", "core 10.3")
    printed_in: ClassVar[Mapping[str, set[str]]] = {
        "It is the turn of": {"core 4.0"},
        "not in one place|fire together": {"core 5.2"},
        "does not reach that far": {"core 5.4"},
        r"reaches \d+ hexes": {"core 5.0"},
        "Troops of yours are there": {"core 18.1"},
        "is Shaken": {"core 5.1"},
        "is not in Good Order": {"core 3.0"},
        "Medic may not spot": {"core 11.3"},
        "Chaplain may not spot": {"core 11.5"},
        "needs him here|could rally it|^Nurse (is|has) ": {"core 11.10"},
        "no way from there to there": {"core 10.2"},
        "locked in melee": {"core 4.0"},
        "neither crawls nor": {"core 6.2"},
        "weapon that is set up": {"core 1.6.22"},
        "completed its operations": {"core 4.1"},
        "may help it to rally": {"core 11.1"},
        "do not enter one alone": {"core 8.1"},
    }
    reasons: ClassVar[Mapping[str, str]] = {
        "moving target": "moved",
        "degrading terrain on the way": "degraded hex hexes",
        "fire out of smoke": "from",
        "sniper in hiding": "doubled",
        "fire for effect": "barrage ffe",
        "lead unit": "squad inherent firepower hero mortar",
        "the attack over the defence": "difference",
    }
    implied = ("wounded",)
    fates: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("eliminated", "surrendered", "removed", "exited"), "gone"),
        **{each: each for each in ("shaken", "wounded", "healed", "rallied", "hero", "unharmed", "spotted", "smoke")},
        "casualties": "reduced",
        "jammed": "jammed",
        "lit": "lit",
    }

    # Setting up

    def set_up(self, case: Case, given: Mapping[str, Any], further: Sequence[str], standing: Sequence[str]) -> State:
        more, reader = given_with(case, given, further)
        self.package = PLAYED if goes_on(more) else HOLDING
        state = peopled(begun(case, more, reader), more, reader.pieces)
        setting = setting_of(state)
        for line in (*lines_of(more.get("standing", ())), *standing):
            who, colon, said = line.partition(":")
            if not colon:
                raise CaseFault(f"{line!r} is not: who, a colon, hold or fire", at=line)
            for name in listed(who):
                is_side = name in (*setting.commands, *setting.sides)
                ids = (
                    []
                    if is_side
                    else self.meaning(state, name)
                    or [unknown("the command or unit", name, (*setting.commands, *self.names(state)))]
                )
                commands = self.commands(state, name) if is_side else ()
                state = ordered_to(state, commands, ids, convert(self.standing(said), Standing))
        return in_sight(as_phased(state, more))

    def setting(self, state: State) -> Any:
        return setting_of(state)

    def standing(self, said: str) -> Mapping[str, Any]:
        """`hold`, `fire at movers`, `fire within 4`, `ask`, `heroes stay`."""
        text = plain(said)
        if text.startswith("heroes"):
            return {"heroes": "along" if "along" in text else "stay"}
        if found := re.fullmatch(r"fire(?: at movers)?(?:,? within (\d+))?", text):
            return {"fire": "free", **({"within": int(found[1])} if found[1] else {})}
        if text not in ("hold", "ask", "free"):
            unknown("the standing order", said.strip(), ("hold", "fire at movers", "fire within 4", "ask"))
        return to_builtins(Standing(fire=text))  # type: ignore[arg-type,no-any-return]

    # Pieces and places

    def names(self, state: State) -> list[str]:
        setting, secret = setting_of(state), secrets_of(state)
        forces = (*setting.forces, *secret.forces, *setting.works, *secret.works, *setting.weapons, *secret.weapons)
        there = (each.id for pieces in (units(state), weapons(state), works(state)) for each in pieces)
        return [name for name in dict.fromkeys((*forces, *there)) if not name.startswith("reserve of ")]

    def meaning(self, state: State, word: str, among: Sequence[str] = ()) -> list[str]:
        """Also a weapon by its word, of those who are named or where there is one such, and one who has come into play
        by his kind (`us hero`)."""
        names = self.names(state)
        if word in names:
            return [word]
        held = [gun for each in among if has_unit(state, each) for gun in carried(state, unit(state, each))]
        mine = [gun for gun in held if is_called(state, gun, word)]
        called = mine[:1] or [each.id for each in weapons(state) if is_called(state, each.id, word)]
        if len(called) == 1:
            return called
        owner, _, gun = word.replace("'s ", " ").partition(" ")
        if gun and has_unit(state, owner):
            return [each for each in carried(state, unit(state, owner)) if is_called(state, each, gun)][:1]
        side, _, kind = word.rpartition(" ")
        forces = {*setting_of(state).forces, *secrets_of(state).forces}
        born = [each.id for each in units(state) if each.id not in forces and side in ("", each.side)]
        born = [each for each in born if plain(counter_of(state, unit(state, each)).kind) == plain(kind)]
        return born if len(born) == 1 else super().meaning(state, word)

    def pieces(self, state: State, name: str) -> list[Any]:
        if not (has_unit(state, name) or has_weapon(state, name) or any(each.id == name for each in works(state))):
            return []
        return [piece_of(state, name)]

    def place(self, state: State, text: Any) -> Place:
        """A place by name, or where a piece stands."""
        if isinstance(text, list | tuple):
            return text[0], text[1], text[2] if len(text) > 2 else 0
        if is_hex(str(text).split(" ")[0]):
            return place(state, str(text))
        found = self.pieces(state, next(iter(self.meaning(state, str(text))), ""))
        if not found:
            unknown("the piece", str(text), self.names(state))
        at: Place = (*found[0].at, 0)[:3]
        return at

    def place_words(self, state: State, at: Any) -> str:
        return place_words(state, (*at, 0)[:3])

    def sees(self, state: State, command: str, name: str) -> Place | None:
        """Where a command sees a piece, or None: in a blind battle what it has in sight, in an open one what is open
        and spotted. `core 10.1`"""
        alias = alias_of(state, command, name)
        found = state.commands[command].contacts.get(alias) if alias else None
        if found is not None and found.status == "in_sight":
            at: Place = (found.at[0], found.at[1], found.at[2])
            return at
        if not is_open(state, name):
            return None
        piece = piece_of(state, name)
        if isinstance(piece, Unit):
            is_dark = state.public.hour == "night" and piece.at not in visible_places(state, command)
            return piece.at if piece.is_placed and is_unit_spotted(state, command, name) and not is_dark else None
        if isinstance(piece, Weapon) and piece.owner:
            return self.sees(state, command, piece.owner)
        return self.place(state, name)

    # Orders, dice, answers

    def rule_of(self, verb: str) -> str:
        return next((each.rule for kind, each in chapters.verbs.items() if kind.__name__ == verb), "")

    def leads_in(self, play: Play[State], seat: Seat, order: Mapping[str, Any]) -> bool:
        """An impulse in which somebody has acted ends as the other side begins its own; to end one that is over already
        says nothing new."""
        state = play.state
        if state.public.phase != "operations" or seat.role == "umpire":
            return False
        sides = {setting_of(state).commands[name].side for name in seat.commands}
        going = operations_phase.declared(state, tuple(state.commands))
        verb = verb_words(str(order.get("verb", "")))
        if going is None:
            return verb == "end impulse" and state.public.active not in sides
        phases = [each.phases for kind, each in chapters.verbs.items() if verb_words(kind.__name__) == verb]
        if state.public.active not in sides and going.acted and any(phases):
            play.order(going.command, {"verb": "EndImpulse"})
        return False

    def adapted(self, state: State, seat: Seat, order: dict[str, Any]) -> dict[str, Any]:
        """To pass in an impulse of one's own is to end it; weapons may stand among the units, and so may a leader who
        aids; a path may go up and down."""
        if order["verb"] == "Pass" and seat.role != "umpire":
            going = impulse_of(state, seat.commands)
            if going is not None and going.places and going.command in seat.commands:
                order["verb"] = "EndImpulse"
        named = [
            name
            for key in ("units", "unit")
            for word in listed(order.get(key, ()))
            for name in self.meaning(state, word) or [word]
        ]
        for key in ("weapons", "weapon", "holding", "exchange", "mortar"):
            if key in order and order[key] not in ("", "none"):
                words = [name for each in listed(order[key]) for name in self.meaning(state, each, named) or [each]]
                order[key] = words if key in ("weapons", "holding") else words[0]
            elif order.get(key) == "none":
                order[key] = []
        if "path" in order:
            start = [each.at for name in named if (each := self._unit(state, name))]
            order["path"] = self._way(state, order["path"], start[0] if start else None)
        for key in ("at", "target"):
            if key in order and isinstance(order[key], str) and order["verb"] != "UseSkill" and seat.role != "umpire":
                order[key] = self._as_known(state, seat, order[key])
        if order["verb"] == "Fire":
            self._sort_out(state, order, named)
        return order

    def _unit(self, state: State, name: str) -> Unit | None:
        return unit(state, name) if has_unit(state, name) else None

    def _as_known(self, state: State, seat: Seat, text: str) -> Any:
        """The place where a seat knows a piece to be; a place as it is."""
        name = "" if is_hex(text.split(" ")[0]) else next(iter(self.meaning(state, text)), "")
        for command in seat.commands if name else ():
            known = state.commands[command].contacts.get(alias_of(state, command, name) or "")
            if known is not None:
                return list(known.at)
        return text

    def _way(self, state: State, value: Any, at: Place | None) -> list[Place]:
        """The places of a path: a list, or names with commas or blanks between them; `up` and `down` are stairs."""
        text = re.sub(r",? (?=\d*[A-Z]{1,2}\d|up$|down$|up,|down,)", "|", value) if isinstance(value, str) else ""
        found: list[Place] = []
        for each in text.split("|") if isinstance(value, str) else value:
            here = found[-1] if found else at
            is_stairs = each in ("up", "down") and here is not None
            found.append((here[0], here[1], int(each == "up")) if is_stairs and here else self.place(state, each))
        return found

    def _sort_out(self, state: State, order: dict[str, Any], named: list[str]) -> None:
        """Weapons among the units go where they belong, alone with those whose they are; a leader who fires nothing and
        comes with others aids."""
        guns = [*order.get("weapons", ()), *(name for name in named if has_weapon(state, name))]
        firing = [name for name in named if name not in guns]
        firing = firing or list(dict.fromkeys(weapon(state, gun).owner for gun in guns if has_weapon(state, gun)))
        found = [each for name in firing if (each := self._unit(state, name)) is not None]
        idle = [
            each
            for each in found
            if counter_of(state, each).kind in ("leader", "commissar") and not set(carried(state, each)) & set(guns)
        ]
        if "leader" not in order and idle and len(idle) < len(firing):
            order["leader"] = idle[0].id
            firing.remove(idle[0].id)
        order["units"] = firing
        if guns:
            order["weapons"] = guns

    def subjects(self, state: State, roll: Roll, chosen: Sequence[str]) -> list[str]:
        """Who throws, his side, and for an attack and its defence each of his pieces; who has come into play by his
        kind."""
        setting = setting_of(state)
        side = setting.commands[roll.by].side if roll.by in setting.commands else ""
        more = [roll.by, side]
        if roll.purpose.endswith(("attack", "defence")):
            more += [each.id for each in (*units(state), *weapons(state)) if each.command == roll.by]
        if re.fullmatch(r"[0-9a-f]{12}", roll.subject):
            more += ["hero", f"{side} hero"]
        return more

    def drawn(self, draw: Draw) -> str | None:
        """Which hero and which card may be left open."""
        return draw.among[0] if draw.purpose in ("hero", "skill") else None

    def refused_in_turn(self, believed: Any, seat: Seat, order: Any) -> Sequence[Refusal]:
        return list(chapters.verbs[type(order)].check(believed, seat, order))

    def choices(self, state: State, question: Question, words: str) -> tuple[tuple[str, ...], str]:
        return choices(state, question, words, lambda word: self.meaning(state, word)), ""

    def following(self, state: State, question: Question, words: str) -> tuple[str, ...] | None:
        if question.kind != "opportunity_firers" or not words:
            return None
        return chosen_firers(state, question, words, lambda word: self.meaning(state, word))

    # What follows

    def read_by_all(self, state: State, entries: Sequence[Entry], command: str) -> list[str]:
        side = self.side(state, command)
        return [each.text for each in events_of(entries, Happened) if each.side in ("", side)]

    def line(self, before: State, state: State, entries: Sequence[Entry], text: str) -> str | None:
        """`smoke 2 at E5`, `no melee at E5`, `E5 spotted`, `control E5 = us`, `us sees E5`, `no hero`."""
        if text == "no hero":
            return "" if not self.meaning(state, "hero") else "a hero has stood up"
        if found := re.fullmatch(r"control (\S+) = (\S+)", text):
            at = hex_key(hexes_of(found[1])[0])
            now = state.public.control.get(at) or state.umpire.control.get(at) or "nobody"
            return "" if now == found[2] else f"{found[1]} is {now}'s"
        if (found := re.fullmatch(r"(\S+) (does not see|sees) (\S+)", text)) and is_hex(found[3]):
            commands = self.commands(state, found[1])
            seen = any(is_spotted(state, each, self.place(state, found[3])) for each in commands)
            return "" if seen == (found[2] == "sees") else f"{found[3]} is {'' if seen else 'not '}spotted"
        if found := re.fullmatch(r"(no )?(smoke ?[12]?|melee|star shell|barrage) (?:at|over) (.+)", text):
            return self._marker(state, found[2], found[3], not found[1])
        if (found := re.fullmatch(r"(\S+(?: upstairs| in the bunker)?) (not )?spotted", text)) and is_hex(
            found[1].split()[0]
        ):
            return self._marker(state, "spotted", found[1], not found[2])
        return None

    def _marker(self, state: State, what: str, text: str, wanted: bool) -> str:
        public, at = state.public, self.place(state, text)
        kind, _, stage = what.partition(" ")
        smoke = public.smoke.get(hex_key(at), 0)
        if kind.startswith("smoke"):
            is_so = smoke == int(stage) if stage else smoke > 0
        elif kind == "melee":
            is_so = melee_at(state, at) is not None
        elif kind == "star":
            is_so = at[:2] in public.star_shells
        elif kind == "barrage":
            is_so = any(each.at == at[:2] for each in public.barrages)
        else:
            marks = {*public.spotted, *(each for part in state.commands.values() for each in part.spotted)}
            there = {each.side for each in units(state) if each.is_placed and each.at in locations(at)}
            eyes = [name for name in state.commands if there - {self.side(state, name)}]
            is_so = any(each in marks for each in locations(at)) or any(is_spotted(state, name, at) for name in eyes)
        now = f"smoke {smoke}" if kind == "smoke" and smoke else f"{'no ' if wanted else ''}{what}"
        return "" if is_so == wanted else f"{text}: {now}"

    def made(self, before: State, entries: Sequence[Entry], purpose: str) -> Sequence[Modifier] | None:
        """The points of the hexes entered."""
        if purpose != "cost":
            return None
        spent: Mapping[str, int] = {}
        found: list[Modifier] = []
        for event in events_of(entries):
            if isinstance(event, Started):
                spent = {}
            if isinstance(event, Entered):
                costs = [points - spent.get(each, 0) for each, points in event.spent.items()]
                spent = event.spent
                found.append(Modifier(max(costs, default=0), place_words(before, event.at), "core 6.0"))
        if not found:
            raise CaseFault("nothing was worked out for 'cost': nobody entered a hex", at="cost")
        return found

    def may_be_said(self, entries: Sequence[Entry], roll: Roll) -> set[str]:
        """The odds of a melee, and what kills at them."""
        fought = [each for each in events_of(entries, MeleeFought) if each.command == roll.by]
        return {f"{each.odds} needs {each.needed}" for each in fought} if roll.purpose == "melee" else set()

    def called(self, state: State, modifier: Modifier) -> set[str]:
        """Leaders by their names, weapons by theirs, terrain by its key."""
        reason = plain(modifier.reason)
        found: set[str] = set()
        for each in units(state):
            row = counter_of(state, each)
            if reason in map(plain, (row.name, each.name, f"led by {each.name or row.name}")) or reason == "leadership":
                found.add(f"{each.id} {row.kind}" + (" leadership" if row.leadership else ""))
        for gun in weapons(state):
            name = plain(weapon_row(state, gun).name)
            if reason.startswith(name):
                found.add(f"{gun.id} {gun.counter} {name}")
        if "without firepower" in reason:
            found.add("zero")
        terrain = tables_of(state).ground.terrain
        return found | {key for key, row in terrain.items() if plain(row.name) == reason}

    def fated(self, state: State, name: str) -> str:
        if re.fullmatch(r"\d+,\d+(,-?\d+)?", name):
            return self.place_words(state, tuple(map(int, name.split(","))))
        return name

    def chances(self, state: State, found: dict[str, Fraction]) -> None:
        for name in sorted({words.rpartition(" ")[0] for words in found} & set(self.names(state))):
            harm = [found.get(f"{name} {what}", Fraction(0)) for what in ("shaken", "casualties", "wounded", "gone")]
            found.setdefault(f"{name} unharmed", Fraction(1) - sum(harm, Fraction(0)))


def _place_of(state: State, text: Any) -> Place:
    return LANGUAGE().place(state, text)


def _units_of(state: State, names: Any) -> tuple[Unit, ...]:
    language = LANGUAGE()
    found = [language.pieces(state, name)[0] for word in listed(names) for name in language.the_names(state, word)]
    return tuple(each for each in found if isinstance(each, Unit))


def _guns_of(state: State, names: Any) -> tuple[Weapon, ...]:
    language = LANGUAGE()
    return tuple(weapon(state, name) for name in language.the_names(state, names))


LANGUAGE.readers = {
    Place: _place_of,
    Unit: lambda state, name: _units_of(state, name)[0],
    tuple[Unit, ...]: _units_of,
    tuple[Weapon, ...]: _guns_of,
    tuple[Place, ...]: lambda state, path: tuple(LANGUAGE()._way(state, path, None)),
    Manner: lambda state, word: {"assault move": "assault", "crawl": "low_crawl"}.get(
        plain(word), plain(word).replace(" ", "_")
    ),
}
