"""The Docker engine: connecting to it, and telling its failures apart from everybody else's.

Only here and in the modules that call it is the package `docker` needed, which is in the extra
`server`.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from arena.errors import HostFault, quoted

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["asking", "connect"]

_PATIENCE: Final = 30  # seconds: for any one answer
_USUAL: Final = "unix:///var/run/docker.sock"


def connect(timeout: float = _PATIENCE) -> APIClient:
    """A connection to the engine that `DOCKER_HOST` names, or to this machine's own.

    Raises:
        HostFault: there is none that answers, or the package `docker` is missing.
    """
    try:
        import docker  # noqa: PLC0415 - heavy, and not everybody has it
    except ImportError:
        raise HostFault(
            "the Python package docker is missing: pip install 'mille-arena[server]'"
        ) from None

    class Patient(docker.APIClient):
        def send(self, request: Any, **options: Any) -> Any:
            # Some of its calls have no limit of their own: an engine that hangs would hang us.
            if options.get("timeout") is None:
                options["timeout"] = self.timeout
            return super().send(request, **options)

    with asking("answer"):
        _knock()
        return Patient(
            base_url=os.environ.get("DOCKER_HOST"), version="auto", timeout=round(timeout)
        )


def _knock() -> None:
    """Fail as the package would where nobody listens; it would leave its socket open."""
    where = os.environ.get("DOCKER_HOST") or _USUAL
    if where.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as trial:
            trial.settimeout(_PATIENCE)
            trial.connect("/" + where.removeprefix("unix://").lstrip("/"))


@contextlib.contextmanager
def asking(what: str) -> Iterator[None]:
    """Call the engine inside; whatever goes wrong with it is the host's fault.

    Raises:
        HostFault: the engine cannot do `what`; the message says why, and where the engine is.
    """
    from docker.errors import APIError, DockerException  # noqa: PLC0415
    from requests.exceptions import RequestException  # noqa: PLC0415
    from urllib3.exceptions import HTTPError  # noqa: PLC0415 - what a stream that breaks off raises

    try:
        yield
    except (DockerException, RequestException, HTTPError, OSError) as error:
        where = os.environ.get("DOCKER_HOST") or _USUAL
        if isinstance(error, APIError):
            lines = quoted(" ".join(str(error.explanation or error).split()), 300)[1:-1]
        else:
            lines = _why_not(error)
        raise HostFault(f"the Docker engine at {where} cannot {what}: {lines}") from None


def _why_not(error: BaseException) -> str:
    """Why there was no answer, and what to do."""
    cause: BaseException | None = error
    reason = ""
    while cause is not None:
        for one in (cause, *cause.args):
            if isinstance(one, PermissionError):
                return (
                    "this user may not talk to it; run as root, or as a member of the group that "
                    "its socket belongs to"
                )
            if isinstance(one, OSError) and one.strerror:
                reason = one.strerror
            elif isinstance(one, TimeoutError):
                reason = "no answer in time"
        cause = cause.__cause__ or cause.__context__
    reason = reason or quoted(" ".join(str(error).split()), 200)[1:-1]
    return f"{reason}; start it, or name another in DOCKER_HOST"
