"""An attack worked out before its dice: what is added to the attack, what to the defence of each target, and which
faces make a difference. `core 5.0`

Faces that give every target's Damage Check the same results are one result of the roll, so that exact odds walk few
branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from lnl.board.ground import place_name
from lnl.board.hexes import Place
from lnl.book.rows import Damage
from lnl.happening.rulings import fallen
from lnl.knowledge.sighting import is_adjacent, locations
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.damage_checks import aids_at, scale_of
from lnl.rules.fire.multiple_attacking_units import Shares, shares
from lnl.rules.fire.night_combat import fire_at_night
from lnl.rules.fire.target_modifiers import target_modifiers
from lnl.rules.men.leaders import leadership
from lnl.state.battle import State, Unit, hex_key
from lnl.state.finding import counter_of, has_kind, perceives, present, scouts, terrain_at, traits_of, units_at
from lnl.state.setting import ground_of, setting_of, sight, tables_of
from umpire.kernel.book.points import Sum
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.values.modifiers import Modifier, total

RULE = "core 5.0"
Dice = Literal["1d6", "2d6", "higher"]
"""One die; the sum of two (a sniper's); the higher of two (a mortar's). `core 11.4`, `core 18.1`"""
NATURAL: dict[Dice, range] = {"1d6": range(1, 7), "2d6": range(2, 13), "higher": range(1, 7)}
FACES = range(1, 7)
SHOWING = ("move", "assault")
"""The markers that make a better target. `core 6.0`"""

fire_modifier: Sum[[State, Attack]] = Sum("fire modifier", rule=RULE)
"""What is added to an attack on the Direct Fire Table, for all its targets."""
exposure: Sum[[State, Unit, tuple[str, ...]]] = Sum("exposure", rule=RULE)
"""What makes a unit a better or worse target wherever it stands; by id those who go from trench to trench. Riders, men
in boats, dust: `hid 23.0`, `hid 24.0`, `hona 10.8`."""
attack_die_modifier: Sum[[State, Attack, int]] = Sum("attack die", rule=RULE)
"""What the face of the attack die itself adds. The book prints nothing; well-equipped troops: `hona 5.7`."""


class Aim(Struct, frozen=True, kw_only=True):
    """One target of an attack: what is added to the attack against it alone, and to its defence."""

    unit: str
    by: str
    extra: tuple[Modifier, ...]
    defence: tuple[Modifier, ...]

    @property
    def margin(self) -> int:
        return total(self.extra) - total(self.defence)


Key = tuple[tuple[tuple[Damage, ...], ...] | None, ...]
"""What dice come to: for each target the results of its check by face, with and without a leader; None for none."""


Band = tuple[int, int, str]


class Volley(Struct, frozen=True, kw_only=True):
    """An attack worked out. `attack`: what is added for all targets; `by_face`: what each face adds beside its own
    value; `keys`: for natural attack and defence what they come to, `words` how that is called; `attack_bands`, and
    `defence_bands` by the natural attack."""

    made: Attack
    dice: Dice
    shares: Shares
    attack: tuple[Modifier, ...]
    aims: tuple[Aim, ...]
    by_face: dict[int, tuple[Modifier, ...]]
    keys: dict[tuple[int, int], Key]
    words: dict[Key, str] = {}
    attack_bands: tuple[Band, ...] = ()
    defence_bands: dict[int, tuple[Band, ...]] = {}

    def difference(self, aim: Aim, natural: int, defence: int) -> int:
        """By how much the attack beats the defence of a target. `core 5.0`"""
        jam = self.jam(natural, defence)
        added = total(self.attack) + total(self.by_face[natural]) - (jam[1] if jam else 0)
        return natural + added + aim.margin - defence

    def jam(self, natural: int, defence: int) -> tuple[str, int] | None:
        """The weapon that jams, with what it takes from the attack: dice that match jam one. `core 1.6.1.1`"""
        return self.shares.jams if natural == defence else None


_last: tuple[State, Attack, Volley] | None = None
"""The attack worked out last, with the state it is of: odds run one order on one belief many hundred times."""


def worked_out(state: State, made: Attack) -> Volley:
    """The modifiers and what the dice can come to, as the state is before anything of it is told."""
    global _last
    kept = _last
    if kept is None or kept[0] is not state or kept[1] != made:
        kept = (state, made, _worked_out(state, made))
        _last = kept
    return kept[2]


def _worked_out(state: State, made: Attack) -> Volley:
    found = shares(state, made)
    targets = present(state, made.targets)
    added = () if found.thrown_only else _added(state, made)
    aims = tuple(
        Aim(
            unit=each.id,
            by=each.command,
            extra=() if found.thrown_only else exposed(state, each, made.sheltered),
            defence=target_modifiers(
                state,
                each,
                made.place,
                mortar=found.has_mortar,
                barrage=found.is_barrage,
                sniper=is_sniping(state, made),
            ),
        )
        for each in targets
    )
    dice: Dice = "2d6" if is_sniping(state, made) else "higher" if found.has_mortar else "1d6"
    return _with_keys(state, targets, made, dice, found, (*found.modifiers, *_led(state, made), *added), aims)


def barrage_volley(state: State, made: Attack, firepower: Modifier, *, dice: Dice) -> Volley:
    """A barrage that already lies where its targets are: its firepower, with no modifier of the firers. `core 18.1`"""
    targets = present(state, made.targets)
    aims = tuple(
        Aim(
            unit=each.id,
            by=each.command,
            extra=exposed(state, each, made.sheltered),
            defence=target_modifiers(state, each, mortar=True, barrage=True),
        )
        for each in targets
    )
    return _with_keys(state, targets, made, dice, Shares(modifiers=(firepower,), has_mortar=True), (firepower,), aims)


def _with_keys(
    state: State,
    targets: Sequence[Unit],
    made: Attack,
    dice: Dice,
    found: Shares,
    attack: tuple[Modifier, ...],
    aims: tuple[Aim, ...],
) -> Volley:
    by_face = {natural: _die_modifiers(state, made, natural) for natural in NATURAL[dice]}
    volley = Volley(made=made, dice=dice, shares=found, attack=attack, aims=aims, by_face=by_face, keys={})
    checks = [_results(state, each) for each in targets]
    for natural in NATURAL[dice]:
        for defence in FACES:
            volley.keys[natural, defence] = tuple(
                check(volley.difference(aim, natural, defence)) for aim, check in zip(aims, checks, strict=True)
            )
    return _banded(volley)


def _banded(volley: Volley) -> Volley:
    volley = replace(volley, words=_words(volley))
    return replace(
        volley,
        attack_bands=_attack_bands(volley),
        defence_bands={natural: _defence_bands(volley, natural) for natural in NATURAL[volley.dice]},
    )


def at_one(volley: Volley, piece: str) -> Volley:
    """The attack as it is against one of its targets alone (none, where that is not among them). `core 11.4`"""
    index = next((index for index, aim in enumerate(volley.aims) if aim.unit == piece), None)
    chosen = slice(0, 0) if index is None else slice(index, index + 1)
    return _banded(
        replace(
            volley,
            made=replace(volley.made, targets=(piece,)),
            aims=volley.aims[chosen],
            keys={dice: key[chosen] for dice, key in volley.keys.items()},
        )
    )


def _results(state: State, each: Unit) -> Callable[[int], tuple[tuple[Damage, ...], ...] | None]:
    """What a difference does to a unit by the faces of its check, unaided and with the aid of each leader who may be
    the best one left."""
    scale = scale_of(state, each)
    aids = aids_at(state, each)

    def results(difference: int) -> tuple[tuple[Damage, ...], ...] | None:
        return None if difference <= 0 else tuple(scale.outcomes(difference - aid) for aid in aids)

    return results


# What is added


def _added(state: State, made: Attack) -> tuple[Modifier, ...]:
    traits = frozenset(word for each in present(state, made.units) for word in traits_of(state, each))
    return fire_modifier(setting_of(state).active, traits, state, made).modifiers


def _die_modifiers(state: State, made: Attack, natural: int) -> tuple[Modifier, ...]:
    traits = frozenset(word for each in present(state, made.units) for word in traits_of(state, each))
    return attack_die_modifier(setting_of(state).active, traits, state, made, natural).modifiers


def _led(state: State, made: Attack) -> tuple[Modifier, ...]:
    """The leadership of the leader who aids, which satchel charges have too; not for indirect fire. `core 5.01`,
    `core 1.6.2`, `core 18.1`"""
    if made.how == "indirect":
        return ()
    from_whom = present(state, (made.leader,) if made.leader else ())
    return tuple(Modifier(leadership(state, each), counter_of(state, each).name, "core 5.01") for each in from_whom)


def is_sniping(state: State, made: Attack) -> bool:
    """Whether it is a sniper who fires: with two dice, at one target. `core 11.4`"""
    return any(has_kind(state, each, "sniper") for each in present(state, made.units))


@fire_modifier.printed
def _of_the_firers(rule: str, state: State, made: Attack) -> Iterable[Modifier]:
    """Once for the whole stack: Ops Complete in opportunity fire, assault or stealth movement. `core 4.1`, `core 6.1`,
    `core 6.4`"""
    tables = tables_of(state)
    firing = present(state, made.units)
    if made.how == "opportunity" and any(each.ops_complete for each in firing):
        yield tables.fire_modifier("ops_complete")
    if any(each.moved == "assault" for each in firing):
        yield tables.fire_modifier("assault_move")
    elif any(each.moved == "stealth" and not scouts(state, each) for each in firing):
        yield tables.fire_modifier("stealth")


@fire_modifier.printed
def _of_the_way(rule: str, state: State, made: Attack) -> Iterable[Modifier]:
    """An adjacent target, degrading terrain on the way (not for indirect fire), smoke around the firers, darkness.
    `core 1.6.2`, `core 10.3`, `core 7.0`, `core 20.0`"""
    tables = tables_of(state)
    if made.how != "indirect":
        if is_adjacent(state, made.place, made.target):
            yield tables.fire_modifier("adjacent")
        if crossed := sight(state).field(made.place).degrading(made.target):
            yield tables.fire_modifier("degrading", crossed)
        yield from fire_at_night(state, made.place, made.target, present(state, made.targets))[1]
    if hex_key(made.place) in state.public.smoke:
        yield tables.fire_modifier("from_smoke")


def exposed(state: State, each: Unit, sheltered: Sequence[str] = ()) -> tuple[Modifier, ...]:
    """What makes a unit a better or worse target. `core 5.3`"""
    return exposure(setting_of(state).active, traits_of(state, each), state, each, tuple(sheltered)).modifiers


@exposure.printed
def _moving(rule: str, state: State, each: Unit, sheltered: tuple[str, ...]) -> Iterable[Modifier]:
    """It moves now (but crawling), or has a Move or Assault Move marker; not in
    terrain that cancels it, nor while it goes from trench to trench. `core 5.3`, `core 6.0`, `core 6.3`, `core 21.6`"""
    is_seen_moving = each.moved in SHOWING or (each.is_moving and each.moved == "stealth")
    if is_seen_moving and each.id not in sheltered and not terrain_at(state, each.at).cancels_moving:
        yield tables_of(state).fire_modifier("moving")


# The dice


def shown(state: State, volley: Volley) -> tuple[Modifier, ...]:
    """The modifiers of the attack die as its thrower may see them: of the targets those whom he perceives; what counts
    against some of these alone says so. `core 5.3`"""
    seen = [aim for aim in volley.aims if perceives(state, volley.made.command, aim.unit)]
    extras = dict.fromkeys(modifier for aim in seen for modifier in aim.extra)
    everyone = [modifier for modifier in extras if all(modifier in aim.extra for aim in seen)]
    some = [modifier for modifier in extras if modifier not in everyone]
    return (
        *volley.attack,
        *everyone,
        *(Modifier(each.value, f"{each.reason} (against these alone)", each.rule, each.status) for each in some),
    )


def throws(state: State, volley: Volley, kind: str, where: str) -> Ruling[tuple[State, int, int]]:
    """The opposed dice of an attack: the state in which they fell, natural attack, natural defence. `kind` stands
    before the names of the rolls ("mortar "). Of fire at those alone whom its command does not see nobody is told; nor
    is who is hit by called fire told where it comes from. `core 5.0`"""
    made = volley.made
    is_blind = not any(perceives(state, made.command, aim.unit) for aim in volley.aims)
    struck_at = place_name(ground_of(state), made.target) if made.how == "indirect" else where
    attack = yield from roll(
        "1d6" if volley.dice == "1d6" else "2d6",
        f"{kind}attack",
        subject=where,
        by="" if is_blind else made.command,
        secret=is_blind,
        bands=volley.attack_bands,
        highest=volley.dice == "higher",
        modifiers=shown(state, volley),
        rule=RULE,
    )
    natural = max(attack.faces) if volley.dice == "higher" else attack.total
    first = volley.aims[0]
    defence = yield from roll(
        "1d6",
        f"{kind}defence",
        subject=struck_at,
        by=first.by,
        bands=volley.defence_bands[natural],
        modifiers=first.defence,
        rule=RULE,
        forgets=f"{kind}attack",
    )
    return fallen(defence, fallen(attack, state)), natural, defence.total


def _attack_bands(volley: Volley) -> tuple[Band, ...]:
    """Naturals for which every face of the defence comes to the same."""
    naturals = NATURAL[volley.dice]
    same = [tuple(volley.keys[natural, face] for face in FACES) for natural in naturals]
    return tuple((naturals[low], naturals[high], _span(naturals[low], naturals[high])) for low, high in _runs(same))


def _defence_bands(volley: Volley, natural: int) -> tuple[Band, ...]:
    """Faces that come to the same, called alike whatever the attack was: by how much it may have been beaten."""
    same = [volley.keys[natural, face] for face in FACES]
    return tuple((FACES[low], FACES[high], volley.words[same[low]]) for low, high in _runs(same))


def _words(volley: Volley) -> dict[Key, str]:
    """What each outcome of the dice is called: by how much the defence is beaten at most."""
    beaten: dict[Key, list[int]] = {}
    for (natural, face), key in volley.keys.items():
        most = max((volley.difference(aim, natural, face) for aim in volley.aims), default=0)
        beaten.setdefault(key, []).append(most)
    words: dict[Key, str] = {}
    for key, found in beaten.items():
        name = "holds" if not any(key) else f"beaten by {_span(min(found), max(found))}"
        words[key] = f"{name}, matching" if name in words.values() else name
    return words


def _runs(same: Sequence[object]) -> list[tuple[int, int]]:
    """The first and last index of each run of equal things."""
    found: list[tuple[int, int]] = []
    for index, thing in enumerate(same):
        if found and same[found[-1][0]] == thing:
            found[-1] = (found[-1][0], index)
        else:
            found.append((index, index))
    return found


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def targets_at(state: State, place: Place, side: str, origin: Place | None = None) -> tuple[str, ...]:
    """The enemy units that fire at a place hits: all that are there. `core 5.0`"""
    places = struck(place, origin)
    return tuple(each.id for each_place in places for each in units_at(state, each_place) if each.side != side)


def struck(place: Place, origin: Place | None = None) -> tuple[Place, ...]:
    """The places that fire at a place hits: on a bunker and in it alike, but for fire from the hex itself.
    `core 21.1`"""
    return (place,) if origin is not None and origin[:2] == place[:2] else locations(place)
