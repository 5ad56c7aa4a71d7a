from importlib import import_module

from django.apps import AppConfig
from django.conf import settings


class BattlesConfig(AppConfig):
    name = "umpire.battles"
    label = "battles"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Whoever has Django up sends tasks through our Celery application, not through Celery's fallback.
        import umpire.celery  # noqa: F401
        from umpire.battles.store import load_half
        from umpire.kernel.registry import register
        from umpire.kernel.settings import add_loader

        add_loader(load_half)
        if settings.OFFER_EXAMPLES:
            # The toy game, on which the server is proved; other packages register themselves.
            register(import_module("umpire.testing.skirmish").PACKAGE)
