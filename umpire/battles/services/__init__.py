"""What changes a battle. Keyword-only arguments, one transaction each; errors are those of `umpire.battles.errors`.

`by` is always a seat with the role umpire, else `NotYours`. `once` keeps the reply to an idempotent request in the
same transaction (`umpire.battles.idempotency`).
"""

from umpire.battles.services.accounts import (
    account_change,
    account_create,
    account_of_token,
    first_account,
    sign_in_token,
)
from umpire.battles.services.corrections import battle_correct, open_order_resolve
from umpire.battles.services.games import battle_create, battle_finish
from umpire.battles.services.orders import order_give, order_withdraw, orders_release, orders_take
from umpire.battles.services.questions import question_answer
from umpire.battles.services.rewinds import battle_rewind
from umpire.battles.services.seats import (
    device_create,
    device_revoke,
    seat_create,
    seat_join,
    seat_new_code,
    seat_rename,
    seat_revoke,
)
from umpire.battles.services.upkeep import battle_change, battle_copy, battle_delete, battle_reopen
from umpire.battles.services.witnesses import Newcomer, witness_note

__all__ = [
    "Newcomer",
    "account_change",
    "account_create",
    "account_of_token",
    "battle_change",
    "battle_copy",
    "battle_correct",
    "battle_create",
    "battle_delete",
    "battle_finish",
    "battle_reopen",
    "battle_rewind",
    "device_create",
    "device_revoke",
    "first_account",
    "open_order_resolve",
    "order_give",
    "order_withdraw",
    "orders_release",
    "orders_take",
    "question_answer",
    "seat_create",
    "seat_join",
    "seat_new_code",
    "seat_rename",
    "seat_revoke",
    "sign_in_token",
    "witness_note",
]
