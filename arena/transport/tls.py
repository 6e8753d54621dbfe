"""TLS by configuration, and the rule that nothing is plain beyond loopback."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc

from arena.errors import InputError, quoted

__all__ = ["Tls", "channel_credentials", "is_loopback", "require_tls", "server_credentials"]


@dataclass(frozen=True, slots=True)
class Tls:
    """Two PEM files: the certificate with whoever has signed it, and its key."""

    certificate: Path
    key: Path


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach HOST:PORT, or a `unix:` address."""
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_tls(address: str, tls: Tls | None, *, is_proxied: bool = False) -> None:
    """Refuse an address beyond loopback without TLS, unless a proxy in front does that.

    Raises:
        InputError: with the remedy.
    """
    if tls is None and not is_proxied and not is_loopback(address):
        raise InputError(
            f"address {address}: is beyond loopback, and tokens would travel in the clear: "
            "give a certificate and its key"
        )


def server_credentials(tls: Tls) -> grpc.ServerCredentials:
    """What a server proves itself with.

    Raises:
        InputError: a file cannot be read, or is no PEM.
    """
    certificate, key = _pem(tls.certificate, "CERTIFICATE"), _pem(tls.key, "PRIVATE KEY")
    return grpc.ssl_server_credentials([(key, certificate)])


def channel_credentials(ca: Path | None) -> grpc.ChannelCredentials:
    """How a client checks a server: by `ca`, or by whom the system trusts.

    Raises:
        InputError: the file cannot be read, or is no PEM, or what is in it is no certificate.
    """
    if ca is None:
        return grpc.ssl_channel_credentials()
    content = _pem(ca, "CERTIFICATE")
    # gRPC would take it, and then say of every server that it cannot be reached.
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(
            cadata=content.decode("ascii", errors="ignore")
        )
    except ssl.SSLError:
        raise InputError(
            f"{ca}: its CERTIFICATE cannot be read; must be a PEM file, whole"
        ) from None
    return grpc.ssl_channel_credentials(content)


def _pem(path: Path, what: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if f"{what}-----".encode() not in content:
        raise InputError(f"{path}: {quoted(content[:20])}...: must be a PEM file with a {what}")
    return content
