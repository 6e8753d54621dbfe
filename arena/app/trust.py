"""Whether a server may begin to take programs from others, as it is set up and on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from arena.app.launchers import development_only, require_trusted
from arena.app.temporary import own_folder
from arena.errors import HostFault, InputError
from arena.settings import Settings
from arena.tournament.matches import Sandbox
from arena.transport.tls import is_loopback

if TYPE_CHECKING:
    from arena.sandbox.doctor import Exceptions
    from arena.sandbox.probes.checks import Result

__all__ = ["TRUST", "require_addresses", "require_sandbox"]

TRUST: Final = "--trust-authors"
"""The flag of somebody who knows every author."""

_SHOWN: Final = 5


def require_addresses(settings: Settings) -> None:
    """Refuse an address on which tokens would travel in the clear, or where anybody could listen.

    Raises:
        InputError: with the remedy.
    """
    server = settings.server
    has_tls = bool(server.certificate)
    for name in ("public", "operators"):
        address = getattr(server, name)
        if is_loopback(address) or has_tls:
            continue
        if name == "public" and server.proxied:
            continue
        instead = " or proxied = true behind a proxy that does TLS" if name == "public" else ""
        raise InputError(
            f"{name} {address}: is beyond loopback, and tokens would travel in the clear: "
            f"give [server] certificate and key{instead}"
        )
    if server.metrics and not is_loopback(server.metrics):
        raise InputError(
            f"metrics {server.metrics}: must be on loopback; whoever collects them from elsewhere "
            "does so through a proxy or a tunnel"
        )


def require_sandbox(settings: Settings, *, trusts_authors: bool) -> Sequence[str]:
    """Refuse to run others' programs where they are not kept in; what is to be said at the start.

    Raises:
        HostFault: a check of the doctor fails that nobody has accepted, or cannot be made.
        InputError: the sandbox is for development, and this is more; or there is no such check.
    """
    kind = settings.sandbox.kind
    if kind is Sandbox.DOCKER:
        return _examined(settings)
    beyond = [settings.server.public, settings.server.operators]
    try:
        require_trusted(
            kind,
            listens_beyond_loopback=settings.server.proxied or not all(map(is_loopback, beyond)),
            accepts_uploads=not trusts_authors,
        )
    except InputError as error:
        raise InputError(
            f"{error} ({TRUST}, on loopback only, is for a server whose every author you know)"
        ) from None
    return (
        development_only(kind),
        f"{TRUST}: uploads are accepted all the same; whoever has a token may do here whatever "
        "you may",
    )


def _examined(settings: Settings) -> Sequence[str]:
    from arena.sandbox.doctor import Exceptions, examine, failures  # noqa: PLC0415 - needs Docker

    accepted = Exceptions.of(settings.sandbox.accept)
    with own_folder():
        report = asyncio.run(examine("python", runtime=settings.sandbox.runtime))
    failed = failures(report.results, accepted)
    if failed:
        raise HostFault(_refusal(failed))
    return tuple(_remarks(accepted, report.results))


def _remarks(accepted: Exceptions, results: Sequence[Result]) -> Iterator[str]:
    yield from accepted.remarks(results)


def _refusal(failed: Sequence[Result]) -> str:
    names = ", ".join(one.name for one in failed[:_SHOWN])
    more = f" and {len(failed) - _SHOWN} more" if len(failed) > _SHOWN else ""
    first = failed[0]
    return (
        f"strangers' programs may not run here: {names}{more} (`arena doctor` says what to do; "
        f"{first.name}: {first.seen}). A check that you take on yourself: --accept NAME. For "
        f"development without Docker: --sandbox process {TRUST}"
    )
