from django.apps import AppConfig


class HiddenConfig(AppConfig):
    name = "umpire.hidden"
    label = "hidden"
    default_auto_field = "django.db.models.BigAutoField"
