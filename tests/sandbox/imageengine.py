"""A Docker engine that only knows images: what `arena.sandbox.images` and its kin ask of one."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from docker.errors import APIError, ImageNotFound

from arena.sandbox.images import LANGUAGE_LABEL, WRAP_LABEL, wrap_digest

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["FakeEngine", "image"]

BUILT = ({"stream": "Step 1/1 : FROM base\n"}, {"stream": "Successfully built 0123\n"})


def image(language: str = "go", **config: object) -> dict[str, Any]:
    """What an engine says about an image that `resolve` accepts, but for changes in its config."""
    labels = {LANGUAGE_LABEL: language, WRAP_LABEL: wrap_digest()}
    return {
        "Id": "sha256:" + language.encode().hex().ljust(64, "0"),
        "Size": 332_234_516,
        "Created": "2026-11-30T09:46:39.794067847Z",
        "Config": {"Labels": labels, "Volumes": None, "OnBuild": None, "Env": []} | config,
    }


class FakeEngine:
    """It has `images`, by name, may fetch those in `offered`, and builds with the given `events`.

    `built` are the arguments of each build, `fetched` the names of what was fetched, `imported` the
    files of what was imported.
    """

    def __init__(
        self,
        images: Mapping[str, dict[str, Any]] | None = None,
        *,
        offered: Sequence[str] = (),
        events: Sequence[Mapping[str, Any]] = BUILT,
    ) -> None:
        self.images = dict(images or {})
        self.offered = offered
        self.events = events
        self.built: list[dict[str, Any]] = []
        self.fetched: list[str] = []
        self.imported: list[str] = []
        self.is_closed = False

    @property
    def client(self) -> APIClient:
        return cast("APIClient", self)

    def inspect_image(self, name: str) -> dict[str, Any]:
        for known, facts in self.images.items():
            if name in (known, known.removesuffix(":latest"), facts["Id"]):
                return facts
        raise ImageNotFound(f"no such image: {name}")

    def inspect_distribution(self, name: str) -> dict[str, Any]:
        if name not in self.offered:
            raise APIError("500", explanation="no such host")
        return {}

    def pull(self, name: str, *, stream: bool, decode: bool) -> Iterator[dict[str, Any]]:
        assert stream
        assert decode
        self.inspect_distribution(name)
        yield {"status": "Downloading", "progress": "[=>  ] 1MB/3MB"}
        self.fetched.append(name)
        self.images[name] = image("", Labels=None)

    def import_image(self, *, src: str, repository: str, tag: str) -> None:
        with tarfile.open(src) as archive:
            self.imported = archive.getnames()
        self.images[f"{repository}:{tag}"] = image("", Labels=None)

    def version(self) -> dict[str, Any]:
        return {"Arch": "amd64"}

    def build(self, **arguments: Any) -> Iterator[Mapping[str, Any]]:
        content = arguments.pop("fileobj").read()
        self.built.append(arguments | {"content": content})
        yield from self.events
        language = arguments["tag"].removeprefix("mille-arena/").removesuffix(":latest")
        self.images[arguments["tag"]] = image(language)

    def close(self) -> None:
        self.is_closed = True
