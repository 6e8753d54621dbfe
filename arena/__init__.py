"""Mille Arena: a tournament server for bots that play Mille Bornes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        # The installed distribution is the only place that knows the version. It is read when
        # somebody asks: a bot that imports the engine should not wait for package metadata.
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415 - see above

            return version("mille-arena")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
