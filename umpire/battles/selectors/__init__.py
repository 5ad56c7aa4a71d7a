"""What is read. Whatever serves a seat is computed from its slice, or is what was computed so when it changed."""

from umpire.battles.idempotency import reply_for
from umpire.battles.selectors.games import (
    actor_of_token,
    battle_for,
    battles_for,
    devices_for,
    has_umpire,
    is_taken_back,
    messages_for,
    orders_for,
    seat_of,
    seats_for,
)
from umpire.battles.selectors.history import ledger_for, record_for
from umpire.battles.selectors.news import news_for, questions_for, sync_for
from umpire.battles.selectors.views import (
    odds_for,
    options_for,
    preview_for,
    scene_for,
    sightings_for,
    truth_for,
    view_for,
)

__all__ = [
    "actor_of_token",
    "battle_for",
    "battles_for",
    "devices_for",
    "has_umpire",
    "is_taken_back",
    "ledger_for",
    "messages_for",
    "news_for",
    "odds_for",
    "options_for",
    "orders_for",
    "preview_for",
    "questions_for",
    "record_for",
    "reply_for",
    "scene_for",
    "seat_of",
    "seats_for",
    "sightings_for",
    "sync_for",
    "truth_for",
    "view_for",
]
