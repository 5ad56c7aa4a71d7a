"""What the page says, worked out again from its words and numbers alone: nothing here asks the engine or its tables.

Values that the page lost are those of house rules G4 and of readings C21, C22 and C12.
"""

from __future__ import annotations

from fractions import Fraction

MOTIVATION_NUMBER = {"elite": 6, "veteran": 4, "trained": 3, "poor": 2, "green": 0}
LADDER = ("elite", "veteran", "trained", "poor", "green")
WEAPONS = {
    # range, prophylactic fire, fire on the move, fire points
    "bolt_rifle": (30, True, True, 1),
    "m16": (30, True, True, 2),
    "svd": (40, True, True, 2),
    "smg": (10, True, True, 3),
    "car15": (10, True, True, 3),
    "obsolete_carbine": (10, True, True, 2),
    "pistol": (3, True, True, 1),
    "shotgun": (7, True, True, 5),
    "minimi": (40, True, True, 4),
    "m60": (50, True, True, 6),
    "m2": (50, True, False, 7),
    "minigun": (30, False, True, 10),
    "autocannon": (50, False, False, 8),
}
SHORT = ("pistol", "car15", "obsolete_carbine", "smg")
"""What dense jungle and built-up areas do not halve."""
FAR_AS_NEAR = ("svd", "m2", "autocannon")
SAVES = {"jungle": (4, 6, 8), "soft": (5, 7, 9), "open": (7, 8, 9)}
"""Trained or better, poor or worse, civilian."""


def fire_points(base: int, doublings: int, halvings: int) -> int:
    """All of them, fractions dropped once in favour of the defender, no less than 1 and no more than twice the base."""
    exact = Fraction(base) * 2**doublings / 2**halvings
    return max(1, min(2 * base, exact.numerator // exact.denominator))


def d20_modifier(*, elite: bool, inches: float, weapon: str, night: bool, night_vision: bool, rain: bool) -> int:
    """House rules G4, no more than 4 in all."""
    found = 0
    if elite and inches <= 15:
        found += 2
    if inches > 15 and weapon not in FAR_AS_NEAR:
        found -= 2
    if night and not night_vision:
        found -= 2
    if rain:
        found -= 1
    return max(-4, min(4, found))


HIT_TABLE = {
    # fewest hits, and the highest roll of each number from there
    1: (0, 14, 20),
    2: (0, 10, 18, 20),
    3: (0, 7, 16, 19, 20),
    4: (0, 5, 13, 18, 20),
    5: (0, 3, 11, 17, 19, 20),
    6: (0, 2, 8, 15, 19, 20),
    7: (0, 2, 7, 13, 17, 19, 20),
    8: (0, 1, 5, 11, 16, 19, 20),
    9: (0, 1, 4, 9, 15, 18, 19, 20),
    10: (0, 1, 3, 8, 13, 17, 19, 20),
    11: (1, 2, 6, 11, 16, 18, 20),
    12: (1, 2, 5, 10, 14, 18, 19, 20),
    13: (1, 1, 4, 8, 13, 17, 19, 20),
    14: (1, 1, 3, 7, 12, 16, 18, 19, 20),
    15: (1, 1, 3, 6, 10, 14, 17, 19, 20),
    16: (1, 1, 2, 5, 9, 13, 16, 19, 20),
    17: (2, 2, 4, 8, 12, 16, 18, 19, 20),
    18: (2, 1, 3, 7, 11, 14, 17, 19, 20),
    19: (2, 1, 3, 6, 9, 13, 16, 18, 19, 20),
    20: (2, 1, 2, 5, 8, 12, 15, 18, 19, 20),
}


def hits(points: int, d20: int) -> int:
    """A cell of the fire table."""
    fewest, *highest = HIT_TABLE[points]
    return fewest + sum(d20 > each for each in highest)


def save_number(row: str, quality: str, *, civilian: bool = False) -> int:
    if civilian:
        return SAVES[row][2]
    return SAVES[row][0 if quality in ("elite", "veteran", "trained") else 1]


def save_modifier(*, armour: bool, weapon: str, prophylactic: bool, pinned: bool) -> int:
    helps = armour and weapon in ("smg", "shotgun", "pistol")
    return int(helps) + 3 * int(prophylactic) + 2 * int(pinned)


def motivation_score(
    quality: str,
    *,
    die: int,
    casualties: int,
    under_fire: bool,
    in_cover: bool,
    rain: bool,
    hostiles: bool,
    gunfire: bool,
    ratings: int,
) -> int:
    score = MOTIVATION_NUMBER[quality] + die - casualties + ratings
    score -= rain and quality not in ("veteran", "elite")
    score -= under_fire
    score -= in_cover and quality != "elite"
    # Who has been fired at has heard gunfire, however far off it was (C33).
    return score + 4 * (not hostiles and not gunfire and not under_fire)


def motivation_result(score: int, quality: str, *, night: bool) -> str:
    """Veteran and Elite read the day column always."""
    if night and quality not in ("veteran", "elite"):
        lowest = {"good": 8, "fair": 4, "wavering": 2, "faltering": 0, "cracking": -1, "demoralised": -2}
    else:
        lowest = {"good": 6, "fair": 4, "wavering": 2, "faltering": 0, "cracking": -1, "demoralised": -3}
    return next((name for name, least in lowest.items() if score >= least), "broken")


def dropped(quality: str, levels: int) -> str:
    return LADDER[min(LADDER.index(quality) + levels, len(LADDER) - 1)]


MOVES = {
    # inches in good going, in bad going, along a road
    "tactical": {"open": 6, "marsh": 4, "road": 8},
    "running": {"open": 8, "marsh": 6, "road": 10},
}


def farthest(stretches: list[tuple[str, int]], manner: str, share: Fraction) -> int:
    """How far a share of a move leads over stretches of ground, in whole hundredths: each takes its part of it."""
    left, walked = share, 0
    for ground, length in stretches:
        rate = 100 * MOVES[manner][ground]
        if Fraction(length, rate) > left:
            return walked + (left * rate).__floor__()
        left -= Fraction(length, rate)
        walked += length
    return walked


def close_combat(mover: int, other: int) -> str:
    """What follows the two scores."""
    if mover == other:
        return "draw"
    return "withdrawal" if abs(mover - other) <= 2 else "loss"
