"""Settings are stored once under their digest, and found again by whichever process needs them."""

from __future__ import annotations

from typing import Any

from umpire.battles.models import SettingHalf
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.registry import package_of
from umpire.kernel.settings import Setting, remember


def store_setting(system: str, setting: Setting) -> tuple[str, str]:
    """Stores both halves, where they are not stored yet; their digests (public, umpire's)."""
    public, umpire = remember(setting)
    for digest, half, value in (
        (public, SettingHalf.Half.PUBLIC, setting.public),
        (umpire, SettingHalf.Half.UMPIRE, setting.umpire),
    ):
        SettingHalf.objects.get_or_create(
            digest=digest,
            defaults={
                "system": system,
                "half": half,
                "version": package_of(system).ledger_version,
                "data": encode(value),
            },
        )
    return public, umpire


def load_half(digest: str) -> Any:
    """The half of a setting with this digest from the database, or None. For `umpire.kernel.settings.add_loader`."""
    row = SettingHalf.objects.filter(pk=digest).first()
    if row is None:
        return None
    return codec_of(package_of(row.system)).read_half(row.half, bytes(row.data), row.version)
