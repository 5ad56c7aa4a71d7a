"""Where other devices find this server, and whether one has.

A laptop of an evening has whatever addresses its network gave it, and its umpire opens "localhost"; so the addresses of
the machine are offered, with the port that he came by. A hosted server has the one address that it was asked at.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from rest_framework.request import Request

from umpire.api.responses import Address
from umpire.serving.network import addresses

_opened: set[str] = set()
"""Hosts of this machine at which another device has come, as this process has seen."""


def known(request: Request) -> list[Address]:
    """The addresses that other devices may open, the likeliest first; empty where there is none."""
    here = urlsplit(request.build_absolute_uri("/"))
    if not settings.IS_ONE_EVENING:
        return [Address(address=f"{here.scheme}://{here.netloc}")]
    port = "" if here.port in (None, 80) else f":{here.port}"
    return [Address(address=f"http://{host}{port}", opened=host in _opened) for host in addresses()]


def outside(request: Request, path: str) -> str:
    """A path of this server as other devices open it: who asks at "localhost" names it to nobody else."""
    here = request.build_absolute_uri(path)
    if urlsplit(here).hostname not in ("localhost", "127.0.0.1", "::1"):
        return here
    return next((f"{each.address}{path}" for each in known(request)), here)


def note(request: Request) -> None:
    """Keeps that another device has come at one of this machine's addresses."""
    if not settings.IS_ONE_EVENING:
        return
    own = addresses()
    host = request.get_host().partition(":")[0]
    came_from = str(request.META.get("REMOTE_ADDR", ""))
    if host in own and came_from not in own and not came_from.startswith("127."):
        _opened.add(host)
