from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.battles.services import account_create, first_account, sign_in_token


class Command(BaseCommand):
    help = "Prints a link that signs an umpire in, once, within three days. It goes to nobody else."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help="the account; by default the one that was made first")
        parser.add_argument("--new", action="store_true", help="make the account")
        parser.add_argument("--address", default="http://localhost:8000", help="where the server is found")

    def handle(self, *args: Any, name: str | None, new: bool, address: str, **options: Any) -> None:
        self.stdout.write(f"{address.rstrip('/')}/sign-in#{sign_in_token(account=self._account(name, new))}")

    def _account(self, name: str | None, new: bool) -> Any:
        if name is None:
            return first_account()
        accounts = get_user_model().objects
        found = accounts.filter(username=name, is_active=True).first()
        if found is None and not new:
            known = ", ".join(accounts.filter(is_active=True).values_list("username", flat=True)) or "none yet"
            raise CommandError(f"no account is called {name!r} (there are: {known}); --new makes it")
        return found or account_create(name=name)
