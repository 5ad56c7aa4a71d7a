"""Which game systems people are offered."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from umpire.kernel.registry import RulesPackage, packages


def played_here() -> dict[str, RulesPackage[Any, Any]]:
    """The packages that people are offered: the example of the documentation only where the settings say so."""
    return {
        system: package for system, package in packages().items() if settings.OFFER_EXAMPLES or not package.is_example
    }
