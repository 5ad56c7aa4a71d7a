"""The tables in which the chapters of Lock 'n Load register. `umpire.kernel.chapters`"""

from __future__ import annotations

from lnl.state.battle import Believed, State
from umpire.kernel.chapters import Chapters

chapters: Chapters[State, Believed] = Chapters()

handles = chapters.handles
at = chapters.at
tells = chapters.tells
notices = chapters.notices
hand = chapters.hand
replies = chapters.replies
words = chapters.words
ends_battle = chapters.ends_battle
