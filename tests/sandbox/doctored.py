"""What the tests of the sandbox's checks share: images, containers, a careless engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from arena.errors import HostFault
from arena.sandbox.docker import DockerLauncher
from arena.sandbox.images import resolve
from arena.sandbox.launcher import CappedLog, Program
from arena.sandbox.probes.checks import Result
from arena.sandbox.probing import run_probe
from arena.sandbox.slots import life


def image_or_skip(engine: Any, language: str) -> str:
    """The id of the image for a language."""
    try:
        return resolve(engine, language).id
    except HostFault as error:
        pytest.skip(f"needs an image: {error}")


def probed(engine: Any, image: str) -> dict[str, Result]:
    """What the checks say in a container of an image, by their names."""
    with life() as owner:
        results = asyncio.run(run_probe(DockerLauncher(engine, owner), image))
    return {one.name: one for one in results}


def run_inside(engine: Any, image: str, folder: Path, *command: str) -> tuple[str, str]:
    """Run a command in a seat's container: how it ended, and what it wrote."""

    async def run() -> tuple[str, str]:
        with life() as owner:
            program = Program(command=command, folder=folder, image=image)
            slot = await DockerLauncher(engine, owner).make_ready(program)
            log = CappedLog()
            try:
                async with asyncio.timeout(120), slot.run({}, log) as running:
                    ended = await running.wait()
            finally:
                await slot.close()
            return ended.how, log.text()

    return asyncio.run(run())


def careless(
    monkeypatch: pytest.MonkeyPatch,
    engine: Any,
    change: Callable[[dict[str, Any]], object],
    **options: object,
) -> None:
    """Let the engine make containers otherwise than it is told.

    `change` gets the host's part of the settings, in the engine's own words; `options` replace
    those of `docker.APIClient.create_container`.
    """
    real = engine.create_container

    def create(**settings: Any) -> Mapping[str, Any]:
        change(settings["host_config"])
        made: Mapping[str, Any] = real(**{**settings, **options})
        return made

    monkeypatch.setattr(engine, "create_container", create)
