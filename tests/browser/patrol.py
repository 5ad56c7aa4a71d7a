"""Patrol to the Ford, set up so that within three turns everything meets: the umpire's hand moves the pieces together.

Dice are typed in, so a battle goes the same way each time; hidden squads need no motivation, so their secret dice
decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from typing import Any
from urllib.parse import urlencode

from tests.browser.conftest import Table

REASON = "The platoon has come farther than its orders say."
"""Of each correction: an umpire's text, which no player may read."""

ONE, TWO = (2360, 2150), (1780, 1820)
"""Where the first of 1 Section and of 2 Section stand: on the road, and south of it."""
BESIDE = ((0, 0), (0, -120), (360, 0), (240, 0), (-120, 0), (-120, -120), (-240, 0), (120, 0))
"""Where eight men stand beside their leader: two riflemen lead, near enough to be ambushed; three are well behind."""
SCOUTS = (3300, 3700)
"""In the jungle, where nobody sees them."""


class Patrol:
    """The battle's true ids, as the umpire knows them."""

    def __init__(self, table: Table) -> None:
        self.hand = table.umpire
        truth = self.hand.truth()
        self.groups: dict[str, str] = {group["name"]: name for name, group in truth["groups"].items()}
        self.cards: dict[str, str] = {
            f"{piece['label']} {piece['at'][0]}": name
            for name, piece in truth["pieces"].items()
            if piece["kind"] == "card"
        }
        self.store = self.cards["Cache 6050"]
        self.hidden: set[str] = {name for name, piece in truth["pieces"].items() if piece.get("command") == "cell"}
        self.hidden |= {name for name, group in truth["groups"].items() if group["command"] == "cell"}

    def correct(self, verb: str, **values: Any) -> None:
        self.hand.correct(verb, reason=REASON, **values)

    def place_of(self, piece: str) -> tuple[int, int]:
        x, y = self.hand.truth()["pieces"][piece]["at"]
        return x, y

    def first_of(self, squad: str) -> str:
        """The leader of a squad."""
        return self.men_of(squad)[0]

    def men_of(self, squad: str) -> list[str]:
        """The men of a squad, its leader first, then by what they are: a view lists them in an order that says nothing.
        Of those who are alike it does not matter who is who."""
        truth = self.hand.truth()
        men: list[str] = truth["groups"][self.groups[squad]]["pieces"]
        labels = {man: truth["pieces"][man]["label"] for man in men}
        return sorted(men, key=lambda man: ("leader" not in labels[man].lower(), labels[man]))

    def put(self, squad: str, at: tuple[int, int]) -> None:
        """A squad as it stands, with its leader at a place."""
        leader = self.first_of(squad)
        self.correct("MoveTo", piece=self.groups[squad], at=at)
        x, y = self.place_of(leader)
        if (x, y) != at:
            # The hand takes hold of whichever man it names first.
            self.correct("MoveTo", piece=self.groups[squad], at=(2 * at[0] - x, 2 * at[1] - y))
        assert self.place_of(leader) == at

    def stand(self, squad: str, places: Sequence[tuple[int, int]]) -> None:
        """Puts each man of a squad in his place, its leader in the first: who stands where is drawn otherwise."""
        for man, at in zip(self.men_of(squad), places, strict=True):
            self.correct("MoveTo", piece=man, at=at)

    def firers_at(self, squad: str, at: tuple[int, int]) -> list[tuple[int, float, str]]:
        """Who of a squad is offered to fire at whom the platoon sees at a place: the how-manieth he is in the list, how
        far from there in inches, and what he is called."""
        seen = self.hand.get("view?as=2 Platoon")["view"]["pieces"]
        [target] = [name for name, piece in seen.items() if tuple(piece.get("at") or ()) == at and not piece.get("own")]
        asked = urlencode({"unit": self.groups[squad], "as": "2 Platoon"})
        for form in self.hand.get(f"options?{asked}")["forms"]:
            if target in form["subject"] and form["slots"][0].get("many"):
                men = [choice["id"] for choice in form["slots"][0]["choices"]]
                return [(n, dist(seen[man]["at"], at) / 100, seen[man]["label"]) for n, man in enumerate(men)]
        raise AssertionError(f"{squad} may not fire at {at}")

    def plan(self, squad: str, **plan: Any) -> None:
        self.hand.act(f"{self.hand.at}/plans", {"force": self.groups[squad], "plan": plan})


def arrange(table: Table) -> Patrol:
    """1 Section short of the ford, 2 Section on a card that lies face down, the Scouts about to run for it."""
    patrol = Patrol(table)
    for squad in ("Ford group", "Village group", "Scouts"):
        patrol.correct("Change", piece=patrol.groups[squad], field="has_special_motivation", value=True)
    patrol.stand("1 Section", [(ONE[0] + x, ONE[1] + y) for x, y in BESIDE])
    patrol.stand("2 Section", [(TWO[0] + x, TWO[1] + y) for x, y in BESIDE])
    patrol.correct("MoveTo", piece=patrol.store, at=(TWO[0] + 100, TWO[1] - 100))
    patrol.correct("Reveal", piece=patrol.store)
    patrol.stand("Scouts", [(SCOUTS[0] + x, SCOUTS[1] + y) for x, y in ((0, 0), (-150, 150), (0, 200))])
    for squad in ("Ford group", "Village group"):
        patrol.stand(squad, sorted(patrol.place_of(man) for man in patrol.men_of(squad)))
    patrol.plan(
        "Scouts",
        legs=[{"path": [[3800, 3000], [4500, 2950]], "pace": "running"}],
        on_contact="go_on",
        fire="hold",
        note="They run for it while the patrol looks the other way.",
    )
    patrol.plan("Village group", legs=[{"pace": "halt", "turns": 10}], on_contact="ambush", fire="hold")
    return patrol
