"""The number of this engine: what a record was played by."""

from __future__ import annotations

from typing import Final

__all__ = ["ENGINE_VERSION"]

ENGINE_VERSION: Final = 1
"""Raised with every change after which the same actions on the same board may bring something else.

A record of another number is not replayed: what it says could be misread.
"""
