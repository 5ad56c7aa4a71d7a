"""This machine on its network."""

from __future__ import annotations

import ipaddress
import socket

import ifaddr


def addresses() -> tuple[str, ...]:
    """The IPv4 addresses at which others may reach this machine, the one that it goes out by first. Nothing is sent."""
    own = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)]
    reached = [
        each for each in own if not (found := ipaddress.ip_address(each)).is_loopback and not found.is_link_local
    ]
    first = _outgoing()
    return tuple(sorted(dict.fromkeys(reached), key=lambda each: each != first))


def _outgoing() -> str:
    """The address of the interface that the system would go out by; "" where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address
        except OSError:
            return ""
        return str(probe.getsockname()[0])
