"""How events read. `perceived` are those that enemies who see all that they name can tell from looking on.

A sentence is made from the state after the event: what is gone is named by what the event carries.
"""

from lnl.words.sentences import course, things, units

__all__ = ["course", "things", "units"]
