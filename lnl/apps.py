"""Registers Lock 'n Load where the server starts."""

from django.apps import AppConfig


class LnlConfig(AppConfig):
    name = "lnl"
    verbose_name = "Lock 'n Load"

    def ready(self) -> None:
        from lnl.package import install

        install()
