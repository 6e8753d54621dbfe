"""What the README of the statistics shows is true. What it says was measured: `test_coverage`."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.stats.readme import README


def test_program_of_the_readme_runs() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        cwd=README.parents[2],
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        r"0\.667 \[0\.\d{3}, 1\.000\]\n3 boards, LLR 0\.\d{3}: continue\n", done.stdout
    )


def test_every_file_is_in_the_readme() -> None:
    files = {path.name for path in README.parent.glob("*.py")} - {"__init__.py"}
    assert files == set(re.findall(r"`(\w+\.py)`", README.read_text().partition("```")[0]))
