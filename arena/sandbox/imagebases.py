"""What language images are made from: public images, or a Debian that is made here.

The same Dockerfile serves both. Its own defaults name public images, by exact version. Where those
cannot be had, `deploy/images/debian-base.sh` makes a small Debian, and everything else comes from
Debian's packages.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.errors import HostFault
from arena.sandbox.deployed import deployed
from arena.sandbox.engine import asking
from arena.sandbox.holding import interruptions_wait
from arena.sandbox.images import Language, find

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["Source", "arguments", "choose_source", "fetch_bases", "python_of"]

DEBIAN_BASE: Final = "mille-arena/base"
DEBIAN_PYTHON: Final = "3.13"
"""The Python of the Debian that `debian-base.sh` makes."""

DEBIAN_PACKAGES: Final[Mapping[Language, Mapping[str, str]]] = {
    Language.PYTHON: {"PACKAGES": "python3 python-is-python3"},
    Language.JAVASCRIPT: {"PACKAGES": "nodejs", "NPM_PACKAGES": "nodejs npm ca-certificates"},
    Language.GO: {"PACKAGES": "golang-go", "FETCH_PACKAGES": "ca-certificates"},
    Language.RUST: {"PACKAGES": "rustc cargo", "FETCH_PACKAGES": "ca-certificates"},
    Language.JAVA: {"PACKAGES": "openjdk-21-jdk-headless maven"},
    Language.CPP: {},  # its Dockerfile begins with a plain Debian anyway
    Language.OTHER: {"PYTHON_PACKAGES": "python3 python-is-python3"},
}

_DEFAULT: Final = re.compile(r"^ARG (BASE|WRAP_BASE)=(\S+)$", re.MULTILINE)


class Source(StrEnum):
    """Where base images come from."""

    REGISTRY = "registry"
    DEBIAN = "debian"


def public_bases(language: Language) -> Mapping[str, str]:
    """The public images that a Dockerfile names, by the argument that replaces them."""
    text = deployed(f"images/{language}/Dockerfile").read_text(encoding="utf-8")
    return dict(_DEFAULT.findall(text))


def choose_source(engine: APIClient, languages: Collection[Language]) -> Source:
    """The registry, if the public images are here or it offers them; else Debian.

    Raises:
        HostFault: neither can be had; the message says what is missing. Or the engine does not
            answer.
    """
    names = {name for language in languages for name in public_bases(language).values()}
    lacking = [one for one in sorted(names) if find(engine, one) is None]
    if all(_is_offered(engine, one) for one in lacking):
        return Source.REGISTRY
    if find(engine, DEBIAN_BASE) is None and (why_not := _why_no_debian()):
        raise HostFault(
            f"no base image: the engine cannot fetch {lacking[0]} from its registry, and {why_not}"
        )
    return Source.DEBIAN


def _is_offered(engine: APIClient, name: str) -> bool:
    from docker.errors import APIError  # noqa: PLC0415 - heavy, and only with the engine

    with asking(f"ask for {name}"):
        try:
            engine.inspect_distribution(name)
        except APIError:
            return False
        return True


def fetch_bases(
    engine: APIClient,
    languages: Collection[Language],
    source: Source,
    say: Callable[[str], None],
    *,
    anew: bool = False,
) -> None:
    """See to it that the engine has the base images; `say` gets a line for each step.

    With `anew` those that it has are fetched or made again.

    Raises:
        HostFault: one cannot be had.
    """
    if source is Source.DEBIAN:
        if anew or find(engine, DEBIAN_BASE) is None:
            _make_debian(engine, say)
        return
    for name in sorted({name for one in languages for name in public_bases(one).values()}):
        if anew or find(engine, name) is None:
            _pull(engine, name, say)


def arguments(language: Language, source: Source) -> Mapping[str, str]:
    """The arguments of a Dockerfile that stand for a source."""
    if source is Source.REGISTRY:
        return {}
    return {"BASE": DEBIAN_BASE, "WRAP_BASE": DEBIAN_BASE, **DEBIAN_PACKAGES[language]}


def python_of(engine: APIClient, source: Source, language: Language = Language.PYTHON) -> str:
    """The version of the base image's Python, such as ``3.13``.

    Raises:
        HostFault: the image does not say it.
    """
    if source is Source.DEBIAN:
        return DEBIAN_PYTHON
    name = public_bases(language)["BASE"]
    facts: Mapping[str, Any] = find(engine, name) or {"Config": {}}
    for variable in facts["Config"].get("Env") or ():
        if found := re.match(r"PYTHON_VERSION=(\d+\.\d+)", variable):
            return found[1]
    raise HostFault(
        f"the image {name} does not say in PYTHON_VERSION which Python it has: "
        f"name an official image of Python in deploy/images/{language}/Dockerfile"
    )


def _pull(engine: APIClient, name: str, say: Callable[[str], None]) -> None:
    from docker.errors import APIError  # noqa: PLC0415 - heavy, and only with the engine

    with asking(f"fetch {name}"):
        try:
            for event in engine.pull(name, stream=True, decode=True):
                if "error" in event:
                    raise HostFault(_unfetched(name, event["error"]))
                say(f"{name}: {event.get('status', '')} {event.get('progress', '')}".rstrip())
        except APIError as error:
            raise HostFault(_unfetched(name, error.explanation or error)) from None


def _unfetched(name: str, why: object) -> str:
    reason = " ".join(str(why).split())
    return f"the engine cannot fetch the base image {name}, `--from debian` needs none: {reason}"


# -- a Debian of our own ------------------------------------------------------------------------


def _why_no_debian() -> str:
    """What keeps us from making a Debian; empty if nothing does."""
    if shutil.which("debootstrap") is None:
        return "making one here needs debootstrap: apt-get install debootstrap"
    if os.geteuid() != 0:
        return "making one here with debootstrap needs root"
    return ""


def _make_debian(engine: APIClient, say: Callable[[str], None]) -> None:
    if why_not := _why_no_debian():
        raise HostFault(f"no base image {DEBIAN_BASE}: {why_not}")
    with tempfile.TemporaryDirectory(prefix="arena-base-") as folder:
        archive = Path(folder, "base.tar")
        _run_script(archive, say)
        with asking(f"import {DEBIAN_BASE}"):
            engine.import_image(src=str(archive), repository=DEBIAN_BASE, tag="latest")
    if find(engine, DEBIAN_BASE) is None:
        raise HostFault(f"the Docker engine did not import {DEBIAN_BASE}: is its disk full?")


def _run_script(archive: Path, say: Callable[[str], None]) -> None:
    command = ["sh", str(deployed("images/debian-base.sh")), str(archive)]
    last = "it said nothing"
    with contextlib.ExitStack() as stack:
        with interruptions_wait():
            process = stack.enter_context(
                subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                    errors="replace",
                    env=os.environ | {"TMPDIR": str(archive.parent), "LC_ALL": "C"},
                    # One group: whoever interrupts us ends debootstrap too, and the script then
                    # cleans up.
                    start_new_session=True,
                )
            )
            stack.push(partial(_end_group, process))
        assert process.stderr is not None
        for line in process.stderr:
            last = line.strip() or last
            say(f"{DEBIAN_BASE}: {last}")
    if process.returncode:
        raise HostFault(f"debootstrap failed: {last}")


def _end_group(
    process: subprocess.Popen[str], kind: type[BaseException] | None, *_: object
) -> None:
    if kind is not None:
        os.killpg(process.pid, signal.SIGTERM)
