"""The kernel's words with which a ruling is written, with Lock 'n Load's State as the type."""

from __future__ import annotations

from lnl.state.battle import State
from umpire.kernel.rulings import Words

_words: Words[State] = Words()
tell, ask, offer, fallen = _words.tell, _words.ask, _words.offer, _words.fallen
