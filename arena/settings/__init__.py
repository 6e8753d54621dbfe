"""The settings of a server: read once, frozen, checked; every key has a default."""

from arena.settings.printing import as_toml
from arena.settings.reading import FILE_NAME, read_settings, settings_from
from arena.settings.values import (
    MatchSettings,
    ProbationSettings,
    QuotaSettings,
    SandboxSettings,
    ServerSettings,
    Settings,
    TableSettings,
)

__all__ = [
    "FILE_NAME",
    "MatchSettings",
    "ProbationSettings",
    "QuotaSettings",
    "SandboxSettings",
    "ServerSettings",
    "Settings",
    "TableSettings",
    "as_toml",
    "read_settings",
    "settings_from",
]
