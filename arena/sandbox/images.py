"""Language images: what there are, and which of them a program may run in.

There is one for each language, named `mille-arena/LANGUAGE`; bots are built in it and play in it.
An image is looked up by name once, by `resolve`, and from then on named by its id, which cannot
come to mean another image. What it promises is looked at then:

- It declares no volume: such a folder would be on the host's disk, and writable.
- It runs nothing in the images that are made from it (`ONBUILD`).
- The program that keeps a bot, `/arena/wrap`, is of this version: a label tells of which.

`imagebuild` makes them, from the files in `deploy/images`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from arena.errors import HostFault, quoted
from arena.sandbox.deployed import deployed
from arena.sandbox.engine import asking

if TYPE_CHECKING:
    from docker import APIClient

__all__ = [
    "ALSO_KNOWN_AS",
    "WITH_PYTHON",
    "Image",
    "Language",
    "find",
    "list_images",
    "resolve",
    "tag_of",
    "wrap_digest",
]

LANGUAGE_LABEL: Final = "mille-arena.language"
WRAP_LABEL: Final = "mille-arena.wrap"


class Language(StrEnum):
    """What there is an image for."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    GO = "go"
    RUST = "rust"
    JAVA = "java"
    CPP = "cpp"
    OTHER = "other"


WITH_PYTHON: Final = frozenset({Language.PYTHON, Language.OTHER})
"""Languages whose images have Python with the SDK: by itself, or to speak gRPC for others."""

_NAMES: Final = frozenset(one.value for one in Language)

ALSO_KNOWN_AS: Final = {"typescript": Language.JAVASCRIPT}
"""Languages that share an image with another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image that the engine has.

    Attributes:
        id: ``sha256:...``, what it is named by.
        language: What its label says; empty without one.
        size: Bytes, including what it shares with other images.
        wrap: Digest of the source of its `/arena/wrap`, as its label says; empty without one.
        created: The moment, as RFC 3339 in UTC.
    """

    id: str
    language: str
    size: int
    wrap: str
    created: str

    @property
    def is_current(self) -> bool:
        """Whether its `/arena/wrap` is of this version."""
        return self.wrap == wrap_digest()


def tag_of(language: str) -> str:
    """What the image for a language is called."""
    return f"mille-arena/{ALSO_KNOWN_AS.get(language, language)}:latest"


def wrap_digest() -> str:
    """SHA-256 of the present source of `/arena/wrap`, in hexadecimal digits."""
    return hashlib.sha256(deployed("images/wrap/wrap.c").read_bytes()).hexdigest()


def resolve(engine: APIClient, name: str) -> Image:
    """The image for a language, or the one of that name or id, if a program may run in it.

    Raises:
        HostFault: it is not there, or is refused; the message says why, and what to do. Or the
            engine does not answer.
    """
    is_language = name in _NAMES or name in ALSO_KNOWN_AS
    found = find(engine, tag_of(name) if is_language else name)
    if found is None and is_language:
        raise HostFault(f"there is no image for {name}: {_remedy(name)}")
    if found is None:
        raise HostFault(
            f"there is no image {quoted(name)}: it must be one of the languages "
            f"{', '.join(Language)}, or the name or id of an image that the engine has"
        )
    image = _image(found)
    _check(name, image, found["Config"])
    return image


def list_images(engine: APIClient) -> Mapping[Language, Image]:
    """The images that were built, also those that `resolve` would refuse.

    Raises:
        HostFault: the engine does not answer.
    """
    found = {language: find(engine, tag_of(language)) for language in Language}
    return {language: _image(facts) for language, facts in found.items() if facts is not None}


def find(engine: APIClient, name: str) -> dict[str, Any] | None:
    """What the engine knows about an image; None if it has none of that name or id.

    Raises:
        HostFault: the engine does not answer.
    """
    from docker.errors import ImageNotFound  # noqa: PLC0415 - heavy, and only with the engine

    with asking(f"inspect the image {quoted(name)}"):
        try:
            return dict(engine.inspect_image(name))
        except ImageNotFound:
            return None


def _image(facts: Mapping[str, Any]) -> Image:
    labels = facts["Config"].get("Labels") or {}
    return Image(
        id=facts["Id"],
        language=labels.get(LANGUAGE_LABEL, ""),
        size=facts["Size"],
        wrap=labels.get(WRAP_LABEL, ""),
        created=facts["Created"],
    )


def _check(name: str, image: Image, config: Mapping[str, Any]) -> None:
    if volumes := config.get("Volumes"):
        raise HostFault(
            f"the image {quoted(name)} declares the volume {quoted(min(volumes))}, "
            "a folder that can be written on the host's disk: use an image without VOLUME"
        )
    if hooks := config.get("OnBuild"):
        raise HostFault(
            f"the image {quoted(name)} has the build hook {quoted(hooks[0])}: "
            "use an image without ONBUILD"
        )
    if not image.is_current:
        of = "of another version" if image.wrap else "missing"
        raise HostFault(
            f"the image {quoted(name)}: its /arena/wrap is {of}: {_remedy(image.language or name)}"
        )


def _remedy(language: str) -> str:
    language = ALSO_KNOWN_AS.get(language, language)
    if language in _NAMES:
        return f"build it with `arena images build {language}`"
    return "make it from an image that `arena images build` has built"
