"""A ladder with a bot in each language: uploaded, built, validated, and rated, all by a server."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.cli.demoserver import demo_server
from arena.cli.talking import new_request
from arena.storage.facts import TokenKind, UploadState
from arena.submissions.limits import ArchiveLimits
from arena.submissions.manifest import example_bots
from arena.submissions.packing import pack_folder
from arena.transport.client import Client, OperatorClient
from tests.languages.test_boxed import require_image
from tests.sandbox.conftest import docker_engine, own_state

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["docker_engine", "own_state"]

pytestmark = pytest.mark.slow

BOTS = ("typescript_keeper", "go_keeper", "rust_keeper", "java_keeper", "cpp_keeper", "lua_racer")
UPLOADS, MATCHES = 600.0, 300.0  # seconds for all of them


def test_bots_in_all_languages_are_rated(
    tmp_path: Path, docker_engine: APIClient, own_state: Path
) -> None:
    for bot in BOTS:
        require_image(docker_engine, bot)
    with demo_server(docker=True) as server, contextlib.ExitStack() as stack:
        operator = stack.enter_context(OperatorClient(server.login.server, server.login.token))
        uploads = []
        for number, bot in enumerate(BOTS):
            operator.create_owner(f"owner{number}", request=new_request())
            token, _ = operator.issue_token(TokenKind.OWNER, owner=f"owner{number}")
            client = stack.enter_context(Client(server.login.public, token))
            archive = tmp_path / f"{bot}.zip"
            archive.write_bytes(pack_folder(example_bots()[bot], ArchiveLimits()).content)
            uploads.append((client, client.upload_version(archive, request=new_request())))
        until = time.monotonic() + UPLOADS
        for client, upload in uploads:
            while not upload.is_over:
                assert time.monotonic() < until, upload
                server.require()
                time.sleep(0.5)  # between two looks
                upload = client.upload(upload.number)  # noqa: PLW2901 - the same one, later
            assert upload.state is UploadState.ACCEPTED, upload.why
        client, _ = uploads[0]
        until = time.monotonic() + MATCHES
        while unrated := [one.title for one in client.standings() if not one.matches]:
            assert time.monotonic() < until, unrated
            server.require()
            time.sleep(0.5)  # between two looks
        assert len(list(client.standings())) == len(BOTS)
