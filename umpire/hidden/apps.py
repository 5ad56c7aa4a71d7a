import sys

from django.apps import AppConfig

SWITCH = 0.0005
"""Seconds after which a thread that computes lets another one go on."""


class HiddenConfig(AppConfig):
    name = "umpire.hidden"
    label = "hidden"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Where the worker is a thread beside the web server, plans are carried on for some tenths of a second. An order
        # given meanwhile waits for the interpreter after each of its statements; with Python's five milliseconds that
        # adds up to more than the order itself.
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH))
