"""What a program's log says of its end: the lines that tell what went wrong, and where.

The last line seldom does. Node ends with its version, Rust with advice on backtraces, Go and Java
with frames of their own libraries. Each language has a shape in which it reports an error, and here
is one reader for each. A reader gets the lines of a log from some place on; if an error of its kind
begins there, it tells the message, the place in the author's own files, and where the error ends.
What no reader knows is judged by its last line that is no mere frame, note or bracket.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.sandbox.launcher import REMARK, last_lines

__all__ = ["BRIDGE", "excerpt", "what_happened"]

BRIDGE: Final = "arena_sdk.bridge: "
"""How a line begins that the bridge adds to a program's log."""

_LONGEST: Final = 200
_LONGEST_READ: Final = 1000
_MOST_READ: Final = 2000
"""A bot may write lines without end, in any number, and patterns take their time with those."""
_END_KEPT: Final = 60
"""Of a line that is too long the end is kept as well: Perl says there where it was."""
_LOOK_AHEAD: Final = 12
"""Lines of a message before its frames, at most."""

_Place = tuple[str, str]
"""A file, and the number of a line."""


@dataclass(frozen=True, slots=True)
class _Error:
    """An error in a log: the numbers of its first line and of the one after it, and its message."""

    begin: int
    end: int
    message: str
    place: _Place | None = None

    @property
    def text(self) -> str:
        """The message, and where: `ValueError: no table (/home/me/bot.py, line 4)`."""
        where = "" if self.place is None else " ({}, line {})".format(*self.place)
        return self.message + where


_Reader = Callable[[Sequence[str], int], _Error | None]


def what_happened(log: str) -> tuple[str, ...]:
    """What the end of a log says: a line or two, printable; nothing if there is nothing.

    The first is the last error in it, with the place in the author's files where that is told. A
    second one is what the program has said after that.
    """
    lines = _lines(log)
    error = _last_error(lines)
    if error is not None:
        after = _last_plain(lines[error.end :])
        return tuple(_short(one) for one in (error.text, after) if one)
    last = _last_plain(lines) or next((one for one in reversed(lines) if one.strip()), "")
    return (_short(last),) if last else ()


def excerpt(log: str, count: int) -> list[str]:
    """The last `count` lines of a log, printable; up to twice as many where an error needs them.

    Then its beginning is there as well as the end of the log, and a line in between says how many
    are left out. An excerpt of an excerpt is the same.
    """
    lines = [one for one in _lines(log) if one.strip()]
    most = max(2 * count, 4)
    if len(lines) <= most and any(map(_GAP.fullmatch, lines)):
        return _shown(lines)
    error = _last_error(lines)
    end = max(0, len(lines) - count)
    chosen = lines[end if error is None else min(error.begin, end) :]
    if len(chosen) > most:
        tail = (most - 1) // 2
        head = most - 1 - tail
        gap = f"[... {len(chosen) - head - tail} lines ...]"
        chosen = [*chosen[:head], gap, *chosen[-tail:]]
    return _shown(chosen)


def _shown(lines: Sequence[str]) -> list[str]:
    text = "\n".join(_bounded(one, _LONGEST) for one in lines)
    return last_lines(text, len(lines), longest=_LONGEST)


_GAP: Final = re.compile(r"\[\.\.\. \d+ lines \.\.\.\]")


def _lines(log: str) -> list[str]:
    lines = [one for one in log.splitlines() if not one.startswith(REMARK)]
    return [_bare(_bounded(one, _LONGEST_READ)) for one in lines[-_MOST_READ:]]


def _bounded(line: str, longest: int) -> str:
    """A line without its middle, if it is too long."""
    if len(line) <= longest:
        return line
    return f"{line[: longest - _END_KEPT - 5]} ... {line[-_END_KEPT:]}"


_GROUPED: Final = re.compile(r"^ *\| |^ *\+ (?=Exception Group Traceback)")


def _bare(line: str) -> str:
    """A line without the bars that Python draws before the exceptions of a group."""
    return _GROUPED.sub("", line.rstrip())


def _short(line: str) -> str:
    (line,) = last_lines(_bounded(" ".join(line.split()), _LONGEST), 1, longest=_LONGEST)
    return line


def _last_error(lines: Sequence[str]) -> _Error | None:
    """The last error that a reader knows."""
    found = None
    at = 0
    while at < len(lines):
        error = next((one for read in _READERS if (one := read(lines, at)) is not None), None)
        if error is None:
            at += 1
        else:
            found, at = error, max(error.end, at + 1)
    return found


_EMPTY_WORDS: Final = re.compile(
    r"\s|\W*$|Node\.js v\d|\(Use `node |note: |goroutine \d|exit status \d|\[signal |npm "
    r"|stack (traceback|backtrace):|Require stack:|- /|The above exception was|During handling of"
    r"|BEGIN failed--|Compilation failed in require|.* aborted due to compilation errors"
    r"|Error: Could not create the Java V|Error: A fatal exception has occ|Aborted|Core dumped"
    r"|\[\.\.\. \d+ (bytes|lines) |arena_sdk\.bridge: right is "
)
"""How lines begin that say neither what nor where, the indented ones among them."""


def _last_plain(lines: Sequence[str]) -> str:
    """The last line that may say something by itself; empty: none does."""
    return next((one for one in reversed(lines) if one and not _EMPTY_WORDS.match(one)), "")


# -- places -----------------------------------------------------------------------------------

_FOREIGN: Final = re.compile(
    r"node:|<|/rustc/|/\.cargo/registry/|/node_modules/|/lib/python3|/site-packages/|/arena_sdk/"
    r"|/go/src/|/golang/src/|/pkg/mod/|(^|/)sdk/|/usr/(lib|include)/|\.\./sysdeps/"
)
"""What is in the name of a file that is not the author's own."""


def _own(file: str, line: str) -> _Place | None:
    return None if _FOREIGN.search(file) else (file, line)


def _first_own(frame: re.Pattern[str], lines: Sequence[str]) -> _Place | None:
    """The place of the first frame in a file of the author's: its groups are file and line."""
    for found in filter(None, map(frame.match, lines)):
        if (place := _own(found[1], found[2])) is not None:
            return place
    return None


def _while(lines: Sequence[str], at: int, goes_on: re.Pattern[str]) -> int:
    """The number of the first line from `at` on that does not match."""
    while at < len(lines) and goes_on.match(lines[at]):
        at += 1
    return at


# -- Python -----------------------------------------------------------------------------------

_PYTHON_FRAME: Final = re.compile(r'\s+File "(.+)", line (\d+)')
_PYTHON_HEAD: Final = re.compile(r"(Exception Group )?Traceback \(most recent call last\):")
_INDENTED: Final = re.compile(r"\s+\S")


def _python(lines: Sequence[str], at: int) -> _Error | None:
    """`Traceback`, frames of which the last is nearest to the error, and the exception."""
    if not (_PYTHON_HEAD.match(lines[at]) or _PYTHON_FRAME.match(lines[at])):
        return None
    end = _while(lines, at + 1, _INDENTED)
    place = _first_own(_PYTHON_FRAME, lines[at:end][::-1])
    if end == len(lines) or not lines[end]:  # the log breaks off
        return _Error(at, end, lines[end - 1].strip(), place)
    return _Error(at, end + 1, lines[end], place)


# -- JavaScript, TypeScript, Java -------------------------------------------------------------

_THROWN_AT: Final = re.compile(r"(?:file://)?(/.+|node:\S+):(\d+)$")
_CARET: Final = re.compile(r"\s*\^+\s*$")
_FRAME: Final = re.compile(r"\s+at \S|\s+\.\.\. \d+ more$")
_JS_FRAME: Final = re.compile(r"\s+at (?:.* \()?(?:file://)?(/[^()]+|node:[^()]+):(\d+):\d+\)?")
_JAVA_FRAME: Final = re.compile(
    r"\s+at (?!(?:\S+/)?(?:java|javax|jdk|sun|io\.grpc|com\.google|millearena)\.)"
    r"[^()]*\((\w+\.\w+):(\d+)\)"
)
_THROWN: Final = re.compile(
    r'(?:Exception in thread "[^"]*" |Uncaught )?[\w.$]*(Error|Exception|Throwable)\b'
)
_CAUSE: Final = re.compile(r"\s*(?:Caused by|\[cause\]): (.+)")


def _javascript(lines: Sequence[str], at: int) -> _Error | None:
    """What Node says of what nobody has caught: the place, the line with a caret, the error."""
    head = _THROWN_AT.match(lines[at])
    near = range(at + 1, min(at + 5, len(lines)))
    caret = next((one for one in near if _CARET.match(lines[one])), None)
    if head is None or caret is None:
        return None
    said = caret + 1
    while said < len(lines) and not lines[said]:
        said += 1
    if said == len(lines):
        return None
    found = _with_frames(lines, said)
    place = _own(head[1], head[2]) or found.place
    return _Error(at, found.end, found.message, place)


def _thrown(lines: Sequence[str], at: int) -> _Error | None:
    """An exception of Java or JavaScript with its frames, or with what caused it."""
    if not _THROWN.match(lines[at]):
        return None
    for line in lines[at + 1 : at + _LOOK_AHEAD]:
        if _FRAME.match(line) or _CAUSE.match(line):
            return _with_frames(lines, at)
        if not line:
            return None
    return None


_OF_FRAMES: Final = re.compile(r"\s+\S|Caused by: |\}$")


def _with_frames(lines: Sequence[str], at: int) -> _Error:
    """A message, its frames if there are any, and those of its causes."""
    frames = at + 1
    while frames < min(len(lines), at + _LOOK_AHEAD) and lines[frames]:
        if _OF_FRAMES.match(lines[frames]):
            break
        frames += 1
    if frames == len(lines) or not _OF_FRAMES.match(lines[frames]):
        return _Error(at, at + 1, lines[at])
    end = _while(lines, frames, _OF_FRAMES)
    causes = [number for number in range(frames, end) if _CAUSE.match(lines[number])]
    inner = lines[causes[-1] if causes else frames : end]
    parts = [lines[at]]
    if causes and (cause := _CAUSE.match(lines[causes[-1]])) is not None:
        parts.append(f"caused by {cause[1]}")
    place = _first_own(_JS_FRAME, inner) or _first_own(_JAVA_FRAME, inner)
    place = place or _first_own(_JS_FRAME, lines[frames:end])
    return _Error(at, end, "; ".join(parts), place or _first_own(_JAVA_FRAME, lines[frames:end]))


# -- Go, Rust, C++, Lua -----------------------------------------------------------------------

_GO_HEAD: Final = re.compile(r"(panic|fatal error): ")
_GO_FRAME: Final = re.compile(r"\t(\S.*\.go):(\d+)")
_GO_REST: Final = re.compile(r"$|\s|\[signal |goroutine \d|created by |\S+\(.*\)$|exit status ")


def _go(lines: Sequence[str], at: int) -> _Error | None:
    """`panic: ` and the stacks of goroutines."""
    if not _GO_HEAD.match(lines[at]):
        return None
    end = _while(lines, at + 1, _GO_REST)
    return _Error(at, end, lines[at], _first_own(_GO_FRAME, lines[at:end]))


_RUST_HEAD: Final = re.compile(r"thread '[^']*'.* panicked at (.+?):(\d+)(?::\d+)?:?$")
_RUST_OLD: Final = re.compile(r"thread '[^']*'.* panicked at '(.*)', (.+):(\d+):\d+$")
_RUST_FRAME: Final = re.compile(r"\s+at (\S.*?):(\d+)(?::\d+)?$")
_RUST_MESSAGE_ENDS: Final = re.compile(r"$|stack backtrace:|note: ")
_RUST_REST: Final = re.compile(r"stack backtrace:|note: |\s+\S")


def _rust(lines: Sequence[str], at: int) -> _Error | None:
    """Where a thread panicked, and below it why."""
    said = lines[at]
    if old := _RUST_OLD.match(lines[at]):
        message, file, line, end = f"panicked: {old[1]}", old[2], old[3], at + 1
    elif head := _RUST_HEAD.match(lines[at]):
        end = at + 1
        while end < len(lines) and not _RUST_MESSAGE_ENDS.match(lines[end]):
            end += 1
        said = lines[at + 1] if end > at + 1 else "it gives no reason"
        message, file, line = f"panicked: {said}", head[1], head[2]
    else:
        return None
    rest = _while(lines, end, _RUST_REST)
    place = _own(file, line) or _first_own(_RUST_FRAME, lines[end:rest])
    return _Error(at, rest, message, place)


_CPP_HEAD: Final = re.compile(r"terminate called after throwing an instance of '(.+)'")
_CPP_WHAT: Final = re.compile(r"\s+what\(\):\s+(.*)")


def _cpp(lines: Sequence[str], at: int) -> _Error | None:
    """The type of an exception that nobody has caught, and what it says."""
    head = _CPP_HEAD.match(lines[at])
    if head is None:
        return None
    what = _CPP_WHAT.match(lines[at + 1]) if at + 1 < len(lines) else None
    said = "" if what is None else f": {what[1]}"
    return _Error(at, at + 1 + (what is not None), f"uncaught {head[1]}{said}")


_SANITIZER: Final = re.compile(r"==\d+==\s*(ERROR: \w+Sanitizer: .*)")
_SANITIZED: Final = re.compile(r"\s+#\d+ .* (/\S+?):(\d+)(?::\d+)?$")


def _sanitizer(lines: Sequence[str], at: int) -> _Error | None:
    """What a program says that was compiled with a sanitizer; it says a lot."""
    head = _SANITIZER.match(lines[at])
    if head is None:
        return None
    aborting = (one for one in range(at, len(lines)) if lines[one].endswith("ABORTING"))
    end = next(aborting, len(lines) - 1) + 1
    return _Error(at, end, head[1], _first_own(_SANITIZED, lines[at:end]))


_LUA_HEAD: Final = re.compile(r"lua(jit|[\d.]*): ")
_LUA_REST: Final = re.compile(r"\s+\S|stack traceback:")


def _lua(lines: Sequence[str], at: int) -> _Error | None:
    """The interpreter's name, the file, the line, and what is wrong; then the stack."""
    if not _LUA_HEAD.match(lines[at]):
        return None
    end = at + 1
    while end < len(lines) and lines[end] and not _LUA_REST.match(lines[end]):
        end += 1  # a message of several lines
    return _Error(at, _while(lines, end, _LUA_REST), lines[at].removesuffix(":"))


# -- the bridge -------------------------------------------------------------------------------


def _bridge(lines: Sequence[str], at: int) -> _Error | None:
    """What the bridge says; how it would be right stands below, and the referee's word for it."""
    if not lines[at].startswith(BRIDGE):
        return None
    end = at
    while end < len(lines) and lines[end].startswith(BRIDGE):
        end += 1
    return _Error(at, end, lines[at].removeprefix(BRIDGE))


_READERS: Final[Sequence[_Reader]] = (
    _python,
    _javascript,
    _thrown,
    _go,
    _rust,
    _cpp,
    _sanitizer,
    _lua,
    _bridge,
)
