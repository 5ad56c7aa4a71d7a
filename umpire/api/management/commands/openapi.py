"""Writes the OpenAPI document, from which clients are generated."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from umpire.api.offered import played_here
from umpire.api.schema import document


class Command(BaseCommand):
    """`manage.py openapi` prints the document of the systems that are played here."""

    help = "print the OpenAPI document of the systems that are played here"

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(document(tuple(played_here())).decode())
