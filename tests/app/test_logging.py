"""No secret is in any log, whoever logs and however it is written."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from arena.app.logging import bound, log_to
from arena.storage.facts import Lease, MatchKind, Moment, NewMatch

SECRET = "CANARYcanary0123456789-_CANARYcanary0123456"
CANARY = "CANARYcanary"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture(params=[io.StringIO, Terminal])
def stream(request: pytest.FixtureRequest) -> io.StringIO:
    made: io.StringIO = request.param()
    log_to(made)
    return made


def lease() -> Lease:
    new = NewMatch(kind=MatchKind.RATED, table="t", seats=(), teams=(), terms={})
    return Lease(
        match=1,
        attempt=1,
        token=SECRET,
        seed=SECRET.encode(),
        commitment="c0ffee",
        ends=Moment(1),
        new=new,
    )


@pytest.mark.parametrize(
    "value",
    [
        f"arena_owner_a1b2_{SECRET}",
        f"a token arena_admin_zz9_{SECRET}, in the middle",
        f"authorization: Bearer {SECRET}",
        f"postgresql+psycopg://arena:{SECRET}@db/arena",
        f'{{"seed": "{SECRET}"}}',
        f"seed={SECRET} token={SECRET}",
        SECRET.encode(),
        {"token": SECRET, "deep": [{"password": SECRET}]},
        [f"arena_worker_x_{SECRET}"],
        ("authorization", f"Bearer arena_owner_a1b2_{SECRET}"),
        lease(),
    ],
)
def test_a_secret_is_written_by_nobody(stream: io.StringIO, value: object) -> None:
    log = structlog.get_logger()
    log.info("as a field", what=value)
    log.info(str(value))
    logging.getLogger("a.library").warning("it says %s", value)
    try:
        raise RuntimeError(str(value))  # what a traceback quotes
    except RuntimeError:
        log.exception("failed")
        logging.getLogger("a.library").exception("failed")
    with bound(request=value):
        log.warning("inside")
    written = stream.getvalue()
    assert written.count("failed") == 2
    assert CANARY not in written


@pytest.mark.parametrize("name", ["token", "seed", "secret", "password", "Authorization"])
def test_a_field_of_that_name_is_not_written(stream: io.StringIO, name: str) -> None:
    structlog.get_logger().info("told", **{name: SECRET})
    assert "told" in stream.getvalue()
    assert CANARY not in stream.getvalue()


def test_what_is_no_secret_is_written(stream: io.StringIO) -> None:
    structlog.get_logger().info("match began", commitment="c0ffee", token_id="a1b2", boards=10)
    for part in ("match began", "c0ffee", "a1b2", "10"):
        assert part in stream.getvalue()


def test_a_token_is_still_known_by_its_public_part(stream: io.StringIO) -> None:
    structlog.get_logger().info("used", by=f"arena_owner_a1b2_{SECRET}")
    assert "arena_owner_a1b2_[redacted]" in stream.getvalue()


def test_a_line_is_one_json_object_with_its_ids() -> None:
    stream = io.StringIO()
    log_to(stream)
    with bound(match=7, request="r1"):
        structlog.get_logger().info("two\nlines", why="\x1b[31mred")
    (line,) = stream.getvalue().splitlines()
    told = json.loads(line)
    assert list(told)[:3] == ["timestamp", "level", "event"]
    assert (told["level"], told["match"], told["request"]) == ("info", 7, "r1")
    assert told["why"] == "\x1b[31mred"
    assert "\x1b" not in line


def test_a_strangers_text_does_nothing_to_a_terminal() -> None:
    stream = Terminal()
    log_to(stream)
    structlog.get_logger().info("named", bot="\x1b]0;title\x07\x1b[2J")
    assert "\x1b[2J" not in stream.getvalue()
    assert "\x07" not in stream.getvalue()
    assert "x1b[2J" in stream.getvalue()


def test_libraries_are_heard_from_warnings_on(stream: io.StringIO) -> None:
    logging.getLogger("sqlalchemy.engine").info("SELECT")
    logging.getLogger("sqlalchemy.engine").warning("careful")
    assert "SELECT" not in stream.getvalue()
    assert "careful" in stream.getvalue()
