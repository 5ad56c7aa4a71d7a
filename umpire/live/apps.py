from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "umpire.live"
    label = "live"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from umpire.battles.signals import published
        from umpire.live.wakes import heard

        published.connect(heard, dispatch_uid="umpire.live")
