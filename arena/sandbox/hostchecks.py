"""What has to be true of a machine on which strangers' programs run, judged from facts alone."""

from __future__ import annotations

import functools
from typing import Final

from arena.sandbox import hostchecks_engine, hostchecks_machine
from arena.sandbox.hostfacts import Facts
from arena.sandbox.hostjudging import HOST_CHECKS
from arena.sandbox.probes.checks import Check, Result

__all__ = ["host_names", "host_results"]

MODULES: Final = (hostchecks_engine, hostchecks_machine)
"""Importing them has registered their checks."""


def host_names() -> list[str]:
    """The names of all checks of the host."""
    return [one.name for one in HOST_CHECKS]


def host_results(facts: Facts) -> list[Result]:
    """What the checks say of these facts."""
    return [
        Check(
            name=one.name,
            threat=one.threat,
            promise=one.promise,
            remedy=one.remedy,
            needed=one.needed,
            look=functools.partial(one.look, facts),
        ).result()
        for one in HOST_CHECKS
    ]
