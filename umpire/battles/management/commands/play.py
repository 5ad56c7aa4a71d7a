from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from umpire import embedded


class Command(BaseCommand):
    help = "Run everything in one process: server, worker and a demo battle; prints one link per seat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", default="8000", help="the port to listen on (default: 8000)")
        parser.add_argument("--host", default="0.0.0.0", help="the address to listen on (default: all of them)")

    def handle(self, *args: Any, port: str, host: str, **options: Any) -> None:
        embedded.play(port=embedded.port_from(port), host=host)
