"""A client that a generator made of the OpenAPI document plays a turn of each game, with nothing else at hand."""

from __future__ import annotations

import importlib
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest
from django.test import Client

from umpire.api.offered import played_here
from umpire.api.schema import document
from umpire.battles.models import Outbox
from umpire.battles.services import battle_create
from umpire.hidden.services import carry_due

SCENARIOS = {"skirmish": "the-lane", "lnl": "crossroads-at-saint-aubin", "fireforce": "patrol-to-the-ford"}
MOST_ACTS = 300
NAME = "generated_umpire_client"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: Any) -> Iterator[Any]:
    """The package that the generator makes of the document, in which nothing may be missing."""
    at = tmp_path_factory.mktemp("generated")
    (at / "schema.json").write_bytes(document(tuple(played_here())))
    (at / "config.yaml").write_text("post_hooks: []\n")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    options = {"path": at / "schema.json", "output-path": at / NAME, "config": at / "config.yaml"}
    made = subprocess.run(
        [*command, "--fail-on-warning", *(part for name, value in options.items() for part in (f"--{name}", value))],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "arning" not in made.stdout + made.stderr
    sys.path.insert(0, str(at))
    yield importlib.import_module(NAME)
    sys.path.remove(str(at))
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


def through_django(request: httpx.Request) -> httpx.Response:
    """Answers the generated client's requests without a port."""
    headers = {name: value for name, value in request.headers.items() if name not in ("host", "content-length")}
    kind = headers.pop("content-type", "application/json")
    path = request.url.raw_path.decode("ascii")
    answer = Client().generic(request.method, path, request.content, content_type=kind, headers=headers)
    return httpx.Response(answer.status_code, headers=dict(answer.headers), content=answer.content)


class Player:
    """A seat played at random from its forms, through the generated functions and types alone."""

    def __init__(self, generated: Any, code: str, random: Random) -> None:
        self.models, self.unset = (
            importlib.import_module(f"{NAME}.models"),
            importlib.import_module(f"{NAME}.types").UNSET,
        )
        self.random = random
        sent = {"base_url": "http://testserver", "httpx_args": {"transport": httpx.MockTransport(through_django)}}
        stranger = generated.Client(**sent)
        joined = self.parsed("join.post_join", client=stranger, body=self.models.Join(code=code, device="a bot"))
        self.battle, self.system = joined.battle.id, joined.battle.system
        self.client = generated.AuthenticatedClient(token=joined.token, **sent)
        self.given: set[str] = set()
        self.refused: Counter[str] = Counter()

    def asked(self, name: str, *args: Any, **told: Any) -> Any:
        return importlib.import_module(f"{NAME}.api.{name}").sync_detailed(*args, **told)

    def parsed(self, name: str, *args: Any, **told: Any) -> Any:
        answer = self.asked(name, *args, **told)
        assert answer.status_code < 300, (name, answer.content)
        return answer.parsed

    def seen(self) -> tuple[Any, str]:
        """The view, in the types of the game, and its tag."""
        answer = self.asked("battles.get_view", self.battle, client=self.client)
        kind = getattr(self.models, f"{self.system.capitalize()}ViewAnswer")
        assert isinstance(answer.parsed, kind)
        return answer.parsed.view, answer.headers["ETag"]

    def answer(self) -> bool:
        """Answers the first question that waits, or throws the dice asked for; False where nothing waits."""
        waiting = self.parsed("battles.get_questions", self.battle, client=self.client)
        if not waiting:
            return False
        question = waiting[0].question
        choices = list(question.default or []) or [each.id for each in question.choices[: question.least or 1]]
        body = self.models.Answer(choices=[] if waiting[0].offer else choices)
        self.parsed(
            "battles.post_answer", self.battle, waiting[0].id, client=self.client, body=body, idempotency_key=new_key()
        )
        return True

    def forms(self) -> list[Any]:
        options = self.parsed("battles.get_options", self.battle, client=self.client, all_=True)
        of_units = options.units.additional_properties if options.units else {}
        return [*options.forms, *(form for unit in sorted(of_units) for form in of_units[unit])]

    def order(self, form: Any) -> Any:
        """The order that a form becomes, as the game's own type; the form comes out of its type as it went in."""
        assert type(form).from_dict(form.to_dict()).to_dict() == form.to_dict()
        values = {slot.name: self.value(slot) for slot in form.slots or []}
        fixed = form.fixed.to_dict() if form.fixed else {}
        kind = getattr(self.models, f"{self.system.capitalize()}OrderBody")
        order = {"verb": form.verb, **fixed, **values}
        body = kind.from_dict({"system": self.system, "order": order})
        assert type(body.order).__name__ == f"{self.system.capitalize()}{camel(form.verb)}"
        assert order.items() <= body.order.to_dict().items()
        return body

    def value(self, slot: Any) -> Any:
        """A value for a slot, by its generated type."""
        match type(slot).__name__:
            case "ChoiceSlot":
                ids = [choice.id for choice in slot.choices]
                least = 1 if slot.least is self.unset else slot.least
                return self.random.sample(ids, least) if slot.many else self.random.choice(ids)
            case "NumberSlot":
                return self.random.randint(slot.low, min(slot.high, slot.low + 3))
            case "PointSlot":
                return list(self.random.choice(slot.places or slot.region[0]))
            case "PathSlot":
                steps = slot.steps.additional_properties if slot.steps else {}
                nearby = steps.get(",".join(map(str, slot.start)))
                return [list(self.random.choice(nearby))] if nearby else [[slot.start[0] + 50, slot.start[1] + 50]]
            case "TextSlot":
                return "as ordered"
            case "FlagSlot":
                return bool(slot.usual)
            case "ListSlot":
                if slot.by:
                    assert not slot.least
                    return {}
                part = slot.parts[0]
                entry = {
                    **(part.fixed.to_dict() if part.fixed else {}),
                    **{one.name: self.value(one) for one in part.slots},
                }
                return [entry] * (slot.least or 0)
            case unknown:
                raise AssertionError(unknown)

    def act(self) -> bool:
        """Gives one order: as often as not what ends the phase, else any but those that stand behind the others."""
        forms = [form for form in self.forms() if form.role != "aside"]
        ending = [form for form in forms if form.role == "ends"]
        chosen = ending if ending and self.random.random() < 0.5 else forms
        if not chosen:
            return False
        body = self.order(self.random.choice(chosen))
        _, tag = self.seen()
        told = {"client": self.client, "body": body, "idempotency_key": new_key(), "if_match": tag}
        answer = self.asked("battles.post_orders", self.battle, **told)
        assert answer.status_code in (201, 409), answer.content
        if answer.status_code == 409:
            self.refused[f"{body.order.verb}: {answer.parsed.detail}"] += 1
        else:
            assert type(answer.parsed.order) is type(body.order)
            assert answer.parsed.system == self.system
            self.given.add(body.order.verb)
        return answer.status_code == 201


def new_key() -> str:
    return uuid.uuid4().hex


def camel(verb: str) -> str:
    """A verb as the struct of its order is called: "give_plan" is GivePlan."""
    return "".join(part[:1].upper() + part[1:] for part in verb.split("_"))


@pytest.mark.parametrize("system", sorted(SCENARIOS))
def test_the_generated_client_plays_a_turn(generated: Any, django_user_model: Any, db: None, system: str) -> None:
    owner = django_user_model.objects.create_user("owner", password="a long password")
    battle, seats = battle_create(owner=owner, system=system, scenario=SCENARIOS[system])
    random = Random(7)
    players = [Player(generated, code, random) for seat, code in seats if seat.role == "player"]
    begun = players[0].seen()[0].turn
    for _ in range(MOST_ACTS):
        if players[0].seen()[0].turn > begun:
            break
        if not any(player.answer() for player in players):
            for row in Outbox.objects.filter(battle=battle, done=None):  # as the server's own worker does
                carry_due(battle_id=battle.pk, line=row.line, depth=row.depth)
            active = [player for player in players if player.seen()[0].phase.mine]
            random.choice(active or players).act()
    else:
        refused = [player.refused.most_common(5) for player in players]
        raise AssertionError(f"{MOST_ACTS} acts, and no turn is over: {refused}")
    given = set().union(*(player.given for player in players))
    assert len(given) >= 2, given


def test_the_umpire_speaks_the_games_words_too(generated: Any, django_user_model: Any, db: None) -> None:
    """Corrections, plans, the desk, the gallery and the record of a game come in its own types."""
    owner = django_user_model.objects.create_user("owner", password="a long password")
    _, seats = battle_create(owner=owner, system="lnl", scenario=SCENARIOS["lnl"])
    umpire = Player(generated, next(code for seat, code in seats if seat.role == "umpire"), Random(1))
    view, _ = umpire.seen()
    unit = next(name for name, piece in view.pieces.additional_properties.items() if piece.kind == "unit")
    forms = umpire.parsed("battles.get_corrections", umpire.battle, client=umpire.client, unit=unit).forms
    assert {form.verb for form in forms} >= {"MoveTo", "Change"}
    correction = {"verb": "Reveal", "piece": unit}
    body = umpire.models.LnlAskedCorrection.from_dict({"system": "lnl", "correction": correction})
    assert type(body.correction).__name__ == "LnlReveal"
    told = umpire.parsed("battles.post_foreseen", umpire.battle, client=umpire.client, body=body)
    assert told.to_dict().keys() & {"seen_by", "refusals", "breaches", "everybody"}
    desk = umpire.parsed("battles.get_desk", umpire.battle, client=umpire.client)
    assert type(desk).__name__ == "LnlDeskAnswer"
    plans = umpire.parsed("battles.get_plans", umpire.battle, client=umpire.client)
    assert type(plans).__name__ == "LnlPlansAnswer"
    scene = umpire.parsed("battles.get_scene", umpire.battle, client=umpire.client)
    assert (type(scene).__name__, scene.kind) == ("LnlScene", "hexes")
    shown = umpire.parsed("scenarios.get_scenario", "lnl", SCENARIOS["lnl"], client=umpire.client)
    assert (type(shown).__name__, type(shown.picture).__name__) == ("LnlScenario", "LnlScene")
    assert {type(option).__name__ for option in shown.options} >= {"ChoiceOption", "FlagOption"}
