"""What all tests share."""

from __future__ import annotations

import os
import signal

import hypothesis
import pytest

# `dev` looks for new examples at every run. `ci` is the same run every time: a change that did not
# cause a failure should not be stopped by one. Neither has deadlines, which measure the machine.
hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")


# Whoever starts us in the background may have had Ctrl-C ignored, which children would inherit: the
# programs that are tested are those of somebody at a terminal.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(
            number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL
        )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what is fast first: most mistakes show in the first seconds."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)
