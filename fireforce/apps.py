"""Registers FireForce where the server starts."""

from django.apps import AppConfig


class FireForceConfig(AppConfig):
    name = "fireforce"
    verbose_name = "FireForce"

    def ready(self) -> None:
        from fireforce.package import install

        install()
