"""Umpires' accounts, and links that sign in once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from umpire.battles.errors import BadInput, Fault, NotYours

FIRST = "Umpire"
"""What an account is called that nobody has named yet."""


class _SignIn(PasswordResetTokenGenerator):
    """Tokens that are good until the account signs in, and not longer than PASSWORD_RESET_TIMEOUT."""

    key_salt = "umpire.battles.services.accounts.sign-in"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        # To the microsecond: two sign-ins may fall into one second.
        return f"{user.pk} {user.password} {user.last_login and user.last_login.isoformat()} {timestamp}"


_tokens = _SignIn()


def first_account() -> Any:
    """The account that was made first, or a new one that has no password."""
    accounts = get_user_model().objects.filter(is_active=True).order_by("pk")
    return accounts.first() or account_create(name=FIRST)


def account_create(*, name: str) -> Any:
    """An account without a password: a link signs in to it. Raises BadInput for a name that is taken, or is none."""
    account = get_user_model()(username=name)
    account.set_unusable_password()
    _save(account)
    return account


def sign_in_token(*, account: Any) -> str:
    """What the account can sign in with once: a text without blanks."""
    return f"{account.pk}.{_tokens.make_token(account)}"


def account_of_token(*, token: str, name: str | None = None) -> Any:
    """The account of a sign-in token, which is used up, called by another name where one is given. Raises NotYours for
    a token that is unknown, used, or too old; BadInput for a name that is taken, and the token is good still."""
    number, _, rest = token.partition(".")
    accounts = get_user_model().objects.filter(is_active=True)
    account = accounts.filter(pk=int(number)).first() if number.isascii() and number.isdecimal() else None
    if account is None or not _tokens.check_token(account, rest):
        raise NotYours
    with transaction.atomic():
        # Of two who come with it at the same moment one signs in.
        if not accounts.filter(pk=account.pk, last_login=account.last_login).update(last_login=timezone.now()):
            raise NotYours
        account.refresh_from_db()
        return account if name is None else account_change(account=account, name=name)


def account_change(*, account: Any, name: str | None = None, password: str | None = None) -> Any:
    """Another name, another password. Raises BadInput for a name that is taken and a password that is too weak."""
    if name is not None:
        account.username = name.strip()
    if password is not None:
        try:
            validate_password(password, account)
        except ValidationError as fault:
            raise BadInput([Fault("/password", " ".join(fault.messages))]) from None
        account.set_password(password)
    _save(account)
    return account


def _save(account: Any) -> None:
    try:
        account.full_clean(exclude=["password"])
        with transaction.atomic():
            account.save()
    except ValidationError as fault:
        raise BadInput([Fault("/name", " ".join(fault.messages))]) from None
    except IntegrityError:
        raise BadInput([Fault("/name", f"an account is called {account.username!r} already")]) from None
