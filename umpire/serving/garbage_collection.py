"""Python's garbage collector, told not to pause a request for what will never be garbage.

With its defaults it looked at everything that lives (a hundred thousand objects: code, tables, maps) every few dozen
orders, for 80 to 100 ms; every other order took 20. Measured with `manage.py bench server`.
"""

import gc

YOUNG, MIDDLE, OLD = 4_000, 100, 50
"""How many new objects, young collections and middle ones come before the next collection. A young one takes 2 ms now,
of five times as many new objects it took 10 to 20."""


def tune() -> None:
    """For a process that has loaded what it serves with: what lives now is never looked at again, the rest seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
