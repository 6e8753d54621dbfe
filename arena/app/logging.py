"""The server's log: a line for each event, JSON unless a terminal reads it, without secrets.

Everything goes through `redact` just before it is written: what this project logs, what libraries
log, and tracebacks. Tokens, seeds and passwords are known by the name of their field or by their
look; bytes are never written out.
"""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, Processor

__all__ = ["bound", "log_to", "redact"]

_FIRST: Final = ("timestamp", "level", "event")
_GONE: Final = "[redacted]"
_SECRET_NAMES: Final = frozenset(
    {"authorization", "lease_token", "password", "secret", "secret_key", "seed", "token"}
)
_LOOKS: Final = (
    # A token keeps its public part: an operator can find it by that, and revoke it.
    (re.compile(r"\b(arena_[a-z]+_[A-Za-z0-9]+)_[A-Za-z0-9_=-]+"), rf"\1_{_GONE}"),
    (re.compile(r"""\bb(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""), "[bytes]"),
    (re.compile(r"(?i)\b(bearer\s+)(?!arena_)\S+"), rf"\1{_GONE}"),
    (re.compile(r"(://[^/\s:@]+:)[^/\s@]+@"), rf"\1{_GONE}@"),
    (
        re.compile(
            r"""(?ix)\b(seed|token|password|secret)(['"]?\s*[=:]\s*)
            (?: b?'(?:\\.|[^'\\])*' | b?"(?:\\.|[^"\\])*" | [^\s'",)]+ )"""
        ),
        rf"\1\2{_GONE}",
    ),
)


def redact(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Take all secrets out of what is going to be written; a processor of structlog."""
    cleaned = {key: _clean(key, value) for key, value in event.items()}
    ordered: EventDict = {key: cleaned[key] for key in _FIRST if key in cleaned}
    return {**ordered, **cleaned}


def _clean(key: str, value: Any) -> Any:
    if key.lower() in _SECRET_NAMES and value not in (None, ""):
        return _GONE
    if isinstance(value, bytes | bytearray | memoryview):
        return f"[{len(value)} bytes]"
    if isinstance(value, Mapping):
        return {str(name): _clean(str(name), one) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean("", one) for one in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return _clean_text(str(value))


def _clean_text(text: str) -> str:
    for look, instead in _LOOKS:
        text = look.sub(instead, text)
    return text


def _harmless(_logger: object, _method: str, event: EventDict) -> EventDict:
    """For a terminal: a stranger's text moves no cursor and changes no colour."""
    return {key: _printable(value) for key, value in event.items()}


def _printable(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return "".join(one if one.isprintable() or one == "\n" else repr(one)[1:-1] for one in value)


def log_to(stream: TextIO, *, level: int = logging.INFO) -> None:
    """Have everything that is logged written to a stream; called once, by whoever runs a server."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    is_terminal = stream.isatty()
    last: list[Processor] = (
        [
            _harmless,
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ]
        if is_terminal
        else [structlog.processors.JSONRenderer(sort_keys=False, ensure_ascii=True)]
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, redact, *last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))


_TALKATIVE: Final = ("alembic", "docker", "grpc", "sqlalchemy", "urllib3")


@contextlib.contextmanager
def bound(**values: object) -> Iterator[None]:
    """Have every event inside say what it is about: a match, a request."""
    with structlog.contextvars.bound_contextvars(**values):
        yield
