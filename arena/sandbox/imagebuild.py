"""Building a language image: its files, its base and its Dockerfile go to the engine."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from arena.errors import HostFault
from arena.sandbox import imagebases
from arena.sandbox.buildfiles import archive, files_for
from arena.sandbox.engine import asking
from arena.sandbox.imagebases import Source
from arena.sandbox.images import WITH_PYTHON, Image, Language, resolve, tag_of
from arena.sandbox.wheels import fetch_wheels

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["Building", "build_image"]

PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")
"""Variables that a build gets as this process has them; the engine keeps them out of the image."""


_LONGEST_SILENCE: Final = 1800
"""Seconds for which a step of a build may say nothing: compilers do not say how far they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """How images are built.

    Attributes:
        source: Where base images come from.
        network: The engine's name of the network that a build has; empty: the engine's default.
        certificates: A bundle in PEM that downloads are checked with; it does not stay in the
            image. Empty: what the base image trusts.
        anew: Build also what the engine remembers to have built.
    """

    source: Source
    network: str = ""
    certificates: bytes = b""
    anew: bool = False


def build_image(
    engine: APIClient, language: Language, how: Building, say: Callable[[str], None]
) -> Image:
    """Build the image for `language`; `say` gets each line of the log.

    Raises:
        HostFault: it could not be built; the message has the reason, `say` had the log.
    """
    imagebases.fetch_bases(engine, [language], how.source, say)
    wheels: Mapping[str, bytes] = {}
    if language in WITH_PYTHON:
        say("fetching gRPC and protobuf")
        wheels = fetch_wheels(
            imagebases.python_of(engine, how.source, language), _architecture(engine)
        )
    files = files_for(language, wheels=wheels, certificates=how.certificates)
    with asking(f"build the image for {language}"):
        events = engine.build(
            fileobj=io.BytesIO(archive(files)),
            custom_context=True,
            decode=True,
            tag=tag_of(language),
            buildargs=_arguments(language, how.source, files["wrap.c"]),
            network_mode=how.network or None,
            nocache=how.anew,
            rm=True,
            forcerm=True,
            timeout=_LONGEST_SILENCE,
        )
        for line in log_lines(language, events):
            say(line)
    return resolve(engine, language)


def _architecture(engine: APIClient) -> str:
    with asking("say its version"):
        return str(engine.version()["Arch"])


def _arguments(language: Language, source: Source, wrap: bytes) -> dict[str, str]:
    passed = {name: os.environ[name] for name in PROXIES if os.environ.get(name)}
    digest = hashlib.sha256(wrap).hexdigest()
    return {**passed, **imagebases.arguments(language, source), "WRAP_DIGEST": digest}


def log_lines(language: str, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of a build's log, from the pieces in which the engine sends it.

    Raises:
        HostFault: the build failed.
    """
    begun = ""
    for event in events:
        begun += str(event.get("stream", ""))
        *whole, begun = begun.split("\n")
        yield from (line.rstrip() for line in whole if line.strip())
        if "error" in event:
            if begun.strip():
                yield begun.rstrip()
            why = " ".join(str(event["error"]).split())
            raise HostFault(f"the image for {language} could not be built: {why}")
