"""The files of an image's build, as the one archive that the engine gets.

Only what the build copies is in it, and the same files make the same bytes, so that the engine
finds what it has already built. Nothing is read from the rest of a checkout.
"""

from __future__ import annotations

import importlib.util
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import arena
from arena.errors import HostFault
from arena.sandbox.deployed import deployed, deployed_sdk, sources_of
from arena.sandbox.images import WITH_PYTHON, Language

__all__ = ["archive", "files_for", "sdk_files"]

SDK: Final = "sdk/"
SITE: Final = "site/"
CERTIFICATES: Final = "ca.pem"

_SDK_PACKAGES: Final = ("arena_sdk", "millearena")
_LIBRARIES: Final = {
    Language.JAVASCRIPT: "typescript",
    Language.GO: "go",
    Language.RUST: "rust",
    Language.JAVA: "java",
    Language.CPP: "cpp",
}
"""The folder of each language's SDK."""

_FETCHING: Final = frozenset({Language.JAVASCRIPT, Language.GO, Language.RUST, Language.JAVA})
"""Languages whose tools fetch packages while the image is built."""

_ARENA_PARTS: Final = ("__init__.py", "errors.py", "engine", "referee", "stats")
"""What the SDK imports of the package `arena`; import contracts see to it that it is no more."""


def files_for(
    language: Language, *, wheels: Mapping[str, bytes], certificates: bytes
) -> Mapping[str, bytes]:
    """Everything that the build of the image for `language` copies, by path in the archive.

    `wheels` are files below `site-packages`, for Python. `certificates` is a bundle in PEM that
    downloads are checked with, where the build fetches some; empty: what the base image trusts.

    Raises:
        HostFault: this installation lacks a file.
    """
    folder = deployed(f"images/{language}")
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    files["wrap.c"] = deployed("images/wrap/wrap.c").read_bytes()
    files |= {SDK + name: content for name, content in library_files(language).items()}
    if language in WITH_PYTHON:
        files |= {SITE + name: content for name, content in wheels.items()}
        files |= {SITE + name: content for name, content in sdk_files().items()}
    if language in _FETCHING:
        files[CERTIFICATES] = certificates
    return files


def sdk_files() -> Mapping[str, bytes]:
    """The Python SDK and what it imports, by path below `site-packages`.

    Raises:
        HostFault: the SDK is not installed.
    """
    package = Path(arena.__file__).parent
    sources = [(package / part, f"arena/{part}") for part in _ARENA_PARTS]
    for name in _SDK_PACKAGES:
        found = importlib.util.find_spec(name)
        if found is None or not found.submodule_search_locations:
            raise HostFault(f"the package {name} is missing: install mille-arena again")
        sources.append((Path(found.submodule_search_locations[0]), name))
    files: dict[str, bytes] = {}
    for source, place in sources:
        if source.is_file():
            files[place] = source.read_bytes()
        for path in sorted(source.rglob("*.py")):
            files[f"{place}/{path.relative_to(source).as_posix()}"] = path.read_bytes()
    # `arena.__version__` asks for it.
    files[f"mille_arena-{arena.__version__}.dist-info/METADATA"] = (
        f"Metadata-Version: 2.1\nName: mille-arena\nVersion: {arena.__version__}\n".encode()
    )
    return files


def library_files(language: Language) -> Mapping[str, bytes]:
    """The SDK of a language but Python, by path below `sdk`; nothing where there is none.

    Sources and what they are built with: neither what a build has made nor what was fetched.

    Raises:
        HostFault: this installation lacks it.
    """
    name = _LIBRARIES.get(language)
    if name is None:
        return {}
    home = deployed_sdk(name)
    return {f"{name}/{path}": (home / path).read_bytes() for path in sources_of(home)}


def archive(files: Mapping[str, bytes]) -> bytes:
    """`files` as a tar archive that depends on nothing else: no times, no owners, one order."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            entry.mode = 0o644
            tar.addfile(entry, io.BytesIO(files[name]))
    return buffer.getvalue()
