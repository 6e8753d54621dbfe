"""Every rule for an archive, each with a file that breaks this rule and no other."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator

import pytest

from arena.errors import InputError, SubmissionError
from arena.submissions.archive import Entry, read_archive
from arena.submissions.checking import check_content
from arena.submissions.limits import MIB, ArchiveLimits, CheckBounds, Rule
from tests.submissions.rawzip import (
    GOOD_TOML,
    Raw,
    bomb_of_zeros,
    build,
    deflate,
    good,
    quoted_overlap,
)

LIMITS = ArchiveLimits()
Files = dict[str, tuple[int, bytes]]


def contents(archive: bytes, limits: ArchiveLimits = LIMITS) -> Files:
    """The files of an archive that passes, with their modes."""
    found: Files = {}

    def keep(entry: Entry, pieces: Iterator[bytes]) -> None:
        if not entry.is_folder:
            found[entry.name] = entry.mode, b"".join(pieces)

    submission = check_content(archive, limits, keep)
    assert submission.files == len(found)
    assert submission.unpacked == sum(len(content) for _, content in found.values())
    return found


def refusal(archive: bytes, limits: ArchiveLimits = LIMITS) -> SubmissionError:
    with pytest.raises(SubmissionError) as caught:
        contents(archive, limits)
    message = str(caught.value)
    assert caught.value.rule in message
    assert len(message.splitlines()) == 1
    assert message.isprintable()
    return caught.value


def test_a_plain_archive_passes() -> None:
    found = contents(build(good(Raw(b"data/", mode=0o40755), Raw(b"data/book", b"e4", method=0))))
    assert found == {
        "bot.toml": (0o644, GOOD_TOML),
        "mine.py": (0o644, b"pass\n" * 9),
        "data/book": (0o644, b"e4"),
    }


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        *((mode, 0o644) for mode in (0, 0o100600, 0o100666, 0o100055, 0o100000)),
        *((mode, 0o755) for mode in (0o100755, 0o100711, 0o100777)),
    ],
)
def test_modes_become_two(mode: int, expected: int) -> None:
    assert contents(build(good(Raw(b"x", b"y", mode=mode))))["x"] == (expected, b"y")


def test_descriptors_that_agree_pass_with_and_without_signature() -> None:
    content = b"abc" * 50
    numbers = struct.pack("<3L", zlib.crc32(content), len(deflate(content)), len(content))
    for signature in (b"", b"PK\7\x08"):
        for local in ({"crc": 0, "packed": 0, "size": 0}, {}):
            entry = Raw(
                b"x", content, both={"flags": 8}, local=local, descriptor=signature + numbers
            )
            assert contents(build(good(entry, Raw(b"y", b"z"))))["x"] == (0o644, content)


def test_fields_of_times_and_owners_pass() -> None:
    extra = struct.pack("<2HB", 0x5455, 5, 1) + b"\0" * 4 + struct.pack("<2H", 0x7875, 3) + b"123"
    entry = Raw(b"x", b"y", local_extra=extra, central_extra=extra)
    assert contents(build(good(entry)))["x"] == (0o644, b"y")


# -- names (E1, E5) ---------------------------------------------------------------------------

NAMES = [
    (b"../x", Rule.NAME, "part '..'"),
    (b"a/../../x", Rule.NAME, "part '..'"),
    (b"./x", Rule.NAME, "part '.'"),
    (b"a//x", Rule.NAME, "part ''"),
    (b"/etc/passwd", Rule.NAME, "absolute path"),
    (b"//host/share", Rule.NAME, "absolute path"),
    (b"C:/x", Rule.NAME, "drive letter"),
    (b"c:x", Rule.NAME, "drive letter"),
    (b"a\\..\\x", Rule.NAME, "backslash"),
    (b"..\\x", Rule.NAME, "backslash"),
    (b"a\0.py", Rule.NAME, "zero byte"),
    (b"", Rule.NAME, "no name"),
    (b"/", Rule.NAME, "no name"),
    ("é".encode(), Rule.NAME, "something else than"),
    ("e\u0301".encode(), Rule.NAME, "something else than"),
    ("a\u200bb".encode(), Rule.NAME, "something else than"),
    ("a\u202etxt.exe".encode(), Rule.NAME, "something else than"),
    (b"\xff\xfe", Rule.NAME, "something else than"),
    (b"a b", Rule.NAME, "something else than"),
    (b"a ", Rule.NAME, "something else than"),
    (b"a\n", Rule.NAME, "something else than"),
    (b"a\x1b[31m", Rule.NAME, "something else than"),
    (b"ab:stream", Rule.NAME, "something else than"),
    (b"~", Rule.NAME, "something else than"),
    (b"$(x)", Rule.NAME, "something else than"),
    (b"a.", Rule.NAME, "ends with a dot"),
    (b"a./b", Rule.NAME, "ends with a dot"),
    (b"...", Rule.NAME, "ends with a dot"),
    (b"CON", Rule.NAME, "device on Windows"),
    (b"a/nul.txt", Rule.NAME, "device on Windows"),
    (b"Com1.tar.gz", Rule.NAME, "device on Windows"),
    (b"lpt9/x", Rule.NAME, "device on Windows"),
    (b"x" * 201, Rule.PATH, "201 bytes; at most 200"),
    (b"/".join([b"d"] * 13), Rule.PATH, "13 deep; at most 12"),
]


@pytest.mark.parametrize(("name", "rule", "problem"), NAMES, ids=lambda value: repr(value)[:30])
def test_a_bad_name_is_refused_with_its_reason(name: bytes, rule: Rule, problem: str) -> None:
    error = refusal(build(good(Raw(name, b"x"))))
    assert (error.rule, error.entry) == (rule, name.decode("utf-8", "backslashreplace") or "''")
    assert problem in error.problem


@pytest.mark.parametrize(
    "name", ["x" * 200, "/".join("d" * 12), "console.py", ".hidden", "a..b", "-rf", "_/_._-"]
)
def test_a_name_at_the_limits_passes(name: str) -> None:
    assert name in contents(build(good(Raw(name.encode(), b"x"))))


@pytest.mark.parametrize(
    ("first", "second", "problem"),
    [
        (b"mine.py", b"a/b", "is there twice"),
        (b"Mine.py", b"a/b", "are one name on some machines"),
        (b"a/b", b"A/c", "are one name on some machines"),
        (b"a/b/c", b"a/B/d", "are one name on some machines"),
        (b"a", b"a/b", "'a' is a file and a folder"),
        (b"a/b", b"a", "'a' is a file and a folder"),
        (b"a", b"a/", "'a' is a file and a folder"),
        (b"d/", b"d/", "is there twice"),
    ],
)
def test_names_that_are_in_each_other_s_way_are_refused(
    first: bytes, second: bytes, problem: str
) -> None:
    entries = [
        Raw(name, mode=0o40755 if name.endswith(b"/") else 0o100644, method=0)
        for name in (first, second)
    ]
    error = refusal(build(good(*entries)))
    assert error.rule == Rule.TWICE
    assert problem in error.problem
    assert error.entry


# -- kinds (E2) -------------------------------------------------------------------------------

KINDS = [
    (0o120777, 0, b"odd", "is a symbolic link"),
    (0o010644, 0, b"odd", "is a named pipe"),
    (0o140755, 0, b"odd", "is a socket"),
    (0o020644, 0, b"odd", "is a device"),
    (0o060644, 0, b"odd", "is a device"),
    (0o170000, 0, b"odd", "is something special"),
    (0o104755, 0, b"odd", "setuid, setgid or sticky"),
    (0o102755, 0, b"odd", "setuid, setgid or sticky"),
    (0o101644, 0, b"odd", "setuid, setgid or sticky"),
    (0o004755, 0, b"odd", "setuid, setgid or sticky"),
    (0o042755, 0, b"odd/", "setuid, setgid or sticky"),
    (0o120777, 0, b"odd/", "is a symbolic link"),
    (0o040755, 0, b"odd", "not by both"),
    (0o100644, 0, b"odd/", "not by both"),
    (0o100644, 0x10, b"odd", "not by both"),
    (0, 0x10, b"odd", "not by both"),
    (0, 0x400, b"odd", "is something special"),
    (0, 0x08, b"odd", "is something special"),
]


@pytest.mark.parametrize("host", [0, 3, 10, 19])
@pytest.mark.parametrize(("mode", "attributes", "name", "problem"), KINDS)
def test_what_is_no_file_or_folder_is_refused_whichever_system_wrote_it(
    mode: int, attributes: int, name: bytes, problem: str, host: int
) -> None:
    entry = Raw(name, method=0, mode=mode, attributes=attributes, central={"host": host})
    error = refusal(build(good(entry)))
    assert (error.rule, error.entry) == (Rule.KIND, name.decode())
    assert problem in error.problem


def test_every_mode_passes_as_one_of_two_or_is_refused() -> None:
    for mode in range(0, 1 << 16, 7):
        archive = build(good(Raw(b"x", b"y", mode=mode)))
        if mode & 0o170000 in (0, 0o100000) and not mode & 0o7000:
            assert contents(archive)["x"][0] in (0o644, 0o755)
        else:
            assert refusal(archive).rule == Rule.KIND


def test_a_folder_with_content_is_refused() -> None:
    assert refusal(build(good(Raw(b"d/", b"x", mode=0o40755)))).rule == Rule.KIND
    hidden = Raw(b"d/", b"", packed=deflate(b"x"), mode=0o40755)
    assert refusal(build(good(hidden))).rule == Rule.CONTENT
    assert "d" not in contents(build(good(Raw(b"d/", b"", mode=0o40755))))


# -- the format (E6) --------------------------------------------------------------------------

ZIP64 = struct.pack("<2H2Q", 1, 16, 9, 9)
UNICODE_PATH = struct.pack("<2HBL", 0x7075, 9, 1, 0) + b"evil"
DESCRIBED = struct.pack("<3L", zlib.crc32(b"x"), len(deflate(b"x")), 1)

FORMATS = {
    "nothing": (b"", "is no zip file"),
    "text": (b"hello" * 99, "is no zip file"),
    "a tar": (b"bot.toml".ljust(512, b"\0") * 3, "is no zip file"),
    "cut off": (build(good())[:-1], "does not end with its end record"),
    "something after": (build(good(), after=b"x"), "nothing may follow"),
    "a second zip after": (build(good())[:-22] + build(good()), "does not end where the end"),
    "a zip before": (build(good()) + build(good()), "does not end where the end record begins"),
    "an end record after": (build(good(), after=build([])), "does not end where the end record"),
    "comment": (
        build(good(), comment=3, after=b"abc"),
        "has a comment of 3 bytes at its end; it may have none",
    ),
    "longest comment": (
        build(good(), comment=0xFFFF, after=b"PK\5\6" + bytes(0xFFFB)),
        "has a comment of 65,535 bytes at its end; it may have none",
    ),
    "announced comment": (
        build(good(), comment=3),
        "announces a comment at its end; it may have none",
    ),
    "half a comment": (
        build(good(), comment=3, after=b"ab"),
        "does not end with its end record",
    ),
    "data before": (
        build([Raw(b"bot.toml", GOOD_TOML, before=b"#!/bin/sh\n"), *good()[1:]]),
        "has something before its first entry",
    ),
    "data between": (
        build(good(Raw(b"x", b"y", before=b"gap"))),
        "has something after its content",
    ),
    "data before the directory": (
        build(good(), before_directory=b"gap"),
        "has something after its content",
    ),
    "data before the end": (
        build(good(), before_end=b"gap"),
        "does not end where the end record begins",
    ),
    "zip64 locator": (
        build(good(), before_end=b"PK\6\7" + bytes(16)),
        "does not end where the end record begins",
    ),
    "zip64 count": (build(good(), here=0xFFFF, total=0xFFFF), "is a zip64 file"),
    "zip64 start": (build(good(), start=0xFFFFFFFF), "is a zip64 file"),
    "zip64 extra": (build(good(Raw(b"x", central_extra=ZIP64))), "has zip64 sizes"),
    "zip64 local extra": (build(good(Raw(b"x", local_extra=ZIP64))), "has zip64 sizes"),
    "zip64 size": (build(good(Raw(b"x", both={"size": 0xFFFFFFFF}))), "has zip64 sizes"),
    "several disks": (build(good(), disk=1), "is a part of a zip file"),
    "directory elsewhere": (build(good(), first=1), "is a part of a zip file"),
    "entries elsewhere": (build(good(), here=1), "is a part of a zip file"),
    "entry elsewhere": (build(good(Raw(b"x", central={"disk": 1}))), "in another part of the file"),
    "too few": (build(good(), here=3, total=3), "has too few entries"),
    "too many": (build(good(), here=1, total=1), "has something after its central directory"),
    "entry cut off": (
        build(good(Raw(b"x"))[:2], length=len(build(good())) - 22 - 120),
        "does not end where",
    ),
    "entry comment": (build(good(Raw(b"x", comment=b"hi"))), "has a comment; it may have none"),
    "other local name": (
        build(good(Raw(b"x", b"y", local_name=b"z"))),
        "has another name in its local header",
    ),
    "longer local name": (
        build(good(Raw(b"x", b"y", local_name=b"xx"))),
        "has another name in its local header",
    ),
    "other local method": (build(good(Raw(b"x", b"y", local={"method": 0}))), "contradicts"),
    "other local flags": (build(good(Raw(b"x", b"y", local={"flags": 2}))), "contradicts"),
    "other local size": (build(good(Raw(b"x", b"y", local={"size": 7}))), "contradicts"),
    "other local checksum": (build(good(Raw(b"x", b"y", local={"crc": 7}))), "contradicts"),
    "no local sizes": (
        build(good(Raw(b"x", b"y", local={"crc": 0, "packed": 0, "size": 0}))),
        "contradicts",
    ),
    "no descriptor": (build(good(Raw(b"x", b"x", both={"flags": 8}))), "its descriptor"),
    "other descriptor": (
        build(good(Raw(b"x", b"x", both={"flags": 8}, descriptor=b"\1" * 12))),
        "its descriptor contradicts",
    ),
    "long descriptor": (
        build(good(Raw(b"x", b"x", both={"flags": 8}, descriptor=DESCRIBED + b"\0" * 4))),
        "its descriptor contradicts",
    ),
    "stored descriptor": (
        build(
            good(
                Raw(
                    b"x",
                    b"x",
                    method=0,
                    both={"flags": 8},
                    descriptor=struct.pack("<3L", zlib.crc32(b"x"), 1, 1),
                )
            )
        ),
        "is stored and has a descriptor",
    ),
    "descriptor without flag": (
        build(good(Raw(b"x", b"x", descriptor=DESCRIBED))),
        "has something after its content",
    ),
    "no local header": (
        build(good(Raw(b"x", central={"start": 3}))),
        "its local header is missing",
    ),
    "start outside": (
        build(good(Raw(b"x", central={"start": 10**6}))),
        "something after its content",
    ),
    "the same place": (build(good(Raw(b"x", central={"start": 0}))), "overlaps"),
    "too long": (build(good(Raw(b"x", b"y", both={"packed": 10**6}))), "overlaps"),
    "quoted overlap": (quoted_overlap(20, bytes(50_000)), "overlaps what comes after it"),
    "other path in extra": (
        build(good(Raw(b"x", central_extra=UNICODE_PATH, local_extra=UNICODE_PATH))),
        "extra field that is not allowed: 0x7075",
    ),
    "unix link in extra": (
        build(good(Raw(b"x", local_extra=struct.pack("<2H", 0x756E, 0)))),
        "extra field that is not allowed: 0x756e",
    ),
    "hard link in extra": (
        build(good(Raw(b"x", central_extra=struct.pack("<2H", 0x000D, 12) + b"\0" * 12))),
        "extra field that is not allowed: 0x000d",
    ),
    "broken extra": (build(good(Raw(b"x", central_extra=b"\1\2\3"))), "has a broken extra field"),
    "long extra": (
        build(good(Raw(b"x", local_extra=struct.pack("<2H", 0x5455, 99)))),
        "has a broken extra field",
    ),
}


@pytest.mark.parametrize("case", FORMATS)
def test_what_could_be_read_in_two_ways_is_refused(case: str) -> None:
    archive, problem = FORMATS[case]
    error = refusal(archive)
    assert error.rule == Rule.FORMAT
    assert problem in error.problem


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (Raw(b"x", both={"flags": 1}), "is encrypted"),
        (Raw(b"x", both={"flags": 1 << 6 | 1}), "is encrypted"),
        (Raw(b"x", both={"flags": 1 << 13}), "is encrypted"),
        (Raw(b"x", both={"flags": 1 << 5}), "flags that are not allowed: 0x0020"),
        (Raw(b"x", both={"flags": 1 << 4}), "flags that are not allowed: 0x0010"),
        *[(Raw(b"x", method=one), f"method {one}") for one in (1, 6, 9, 12, 14, 93, 95, 98, 99)],
        (Raw(b"x", both={"version": 45}), "needs version 45"),
        (Raw(b"x", local={"version": 51}), "needs version 51"),
    ],
)
def test_an_exotic_entry_is_refused(entry: Raw, problem: str) -> None:
    error = refusal(build(good(entry)))
    assert (error.rule, error.entry) == (Rule.METHOD, "x")
    assert problem in error.problem


# -- content ----------------------------------------------------------------------------------

CONTENTS = {
    "checksum": (Raw(b"x", b"y", both={"crc": 5}), "its checksum is wrong"),
    "stored checksum": (Raw(b"x", b"y", method=0, both={"crc": 5}), "its checksum is wrong"),
    "longer": (Raw(b"x", b"yy", both={"size": 1}), "more than the 1 bytes that are announced"),
    "shorter": (Raw(b"x", b"yy", both={"size": 3}), "has 2 bytes; 3 are announced"),
    "stored longer": (Raw(b"x", b"yy", method=0, both={"size": 1}), "more than the 1 bytes"),
    "stored shorter": (Raw(b"x", b"yy", method=0, both={"size": 9}), "has 2 bytes; 9 are"),
    "cut off": (Raw(b"x", b"y" * 99, packed=deflate(b"y" * 99)[:-1]), "is cut off"),
    "empty": (Raw(b"x", b"y", packed=b""), "is cut off"),
    "garbage": (Raw(b"x", b"y", packed=b"\xff" * 20), "is broken"),
    "trailing": (Raw(b"x", b"y", packed=deflate(b"y") + b"more"), "something after its packed"),
    "far trailing": (
        Raw(b"x", b"y", packed=deflate(b"y") + bytes(100_000)),
        "something after its packed",
    ),
    "two gigabytes": (
        Raw(b"x", b"y", both={"size": 2**31 - 1}),
        "has 1 bytes; 2147483647 are announced",
    ),
}


@pytest.mark.parametrize("case", CONTENTS)
def test_content_that_is_not_what_was_announced_is_refused(case: str) -> None:
    entry, problem = CONTENTS[case]
    error = refusal(build(good(entry)))
    assert (error.rule, error.entry) == (Rule.CONTENT, "x")
    assert problem in error.problem


def test_what_follows_a_stream_of_just_one_piece_is_seen() -> None:
    content = random.Random(3).randbytes(65_531)
    packed = b"\1" + struct.pack("<2H", 65_531, 65_531 ^ 0xFFFF) + content
    assert len(packed) == 65_536
    assert contents(build(good(Raw(b"x", content, packed=packed))))["x"][1] == content
    error = refusal(build(good(Raw(b"x", content, packed=packed + b"more"))))
    assert (error.rule, error.problem) == (Rule.CONTENT, "has something after its packed content")


def test_output_that_waits_inside_zlib_is_waited_for() -> None:
    """The last packed byte can become more than one piece: it has been eaten, and more comes."""
    rng = random.Random(1)
    for size in (65_535, 65_536, 65_537, 131_072, 1_000_000):
        for content in (bytes(size), rng.randbytes(size)):
            archive = build(good(Raw(b"x", content)))
            assert contents(archive, ArchiveLimits(ratio=2000))["x"][1] == content


# -- limits (E3, E4) --------------------------------------------------------------------------


def test_the_ratio_is_that_of_what_comes_out() -> None:
    archive = build([Raw(b"bot.toml", GOOD_TOML), Raw(b"x", bytes(MIB), packed=bomb_of_zeros(1))])
    most = (len(GOOD_TOML) + MIB) // len(archive)
    error = refusal(archive, ArchiveLimits(ratio=most))
    assert (error.rule, error.entry) == (Rule.RATIO, "x")
    assert contents(archive, ArchiveLimits(ratio=most + 1))["x"][1] == bytes(MIB)


def test_a_bomb_is_refused_at_the_ratio_and_not_at_its_end() -> None:
    error = refusal(build(good(Raw(b"x", packed=bomb_of_zeros(512), both={"size": 2**29}))))
    assert (error.rule, error.entry) == (Rule.RATIO, "x")


def test_what_is_unpacked_is_counted_over_all_files() -> None:
    limits = ArchiveLimits(unpacked=len(GOOD_TOML) + 300)
    files = [Raw(b"bot.toml", GOOD_TOML)] + [Raw(b"f%d" % one, b"x" * 100) for one in range(3)]
    assert len(contents(build(files), limits)) == 4
    error = refusal(build([*files, Raw(b"f3", b"x")]), limits)
    assert (error.rule, error.entry) == (Rule.UNPACKED, "f3")


def test_a_nested_archive_is_a_file_and_no_more() -> None:
    inner = build([Raw(b"../x", b"y")])
    assert contents(build(good(Raw(b"inner.zip", inner, method=0))))["inner.zip"][1] == inner


def test_two_thousand_entries_pass_and_one_per_cent_more_do_not() -> None:
    files = [Raw(b"f%d" % one, method=0) for one in range(LIMITS.entries - 1)]
    archive = build([Raw(b"bot.toml", GOOD_TOML), *files])
    assert len(contents(archive)) == LIMITS.entries
    more = [Raw(b"g%d" % one, method=0) for one in range(LIMITS.entries // 100)]
    error = refusal(build([Raw(b"bot.toml", GOOD_TOML), *files, *more]))
    assert (error.rule, error.problem) == (
        Rule.COUNT,
        "has 2020 entries; at most 2000 are allowed",
    )


def test_the_count_is_refused_before_anything_else_is_looked_at() -> None:
    archive = build([], here=60_000, total=60_000)
    with pytest.raises(SubmissionError) as caught:
        read_archive(archive, LIMITS)
    assert caught.value.rule == Rule.COUNT


def test_headers_need_not_agree_in_what_nobody_looks_at() -> None:
    stamp = struct.pack("<2HBL", 0x5455, 5, 1, 0)
    own = Raw(b"x", b"y", local={"version": 10, "time": 7, "date": 99}, local_extra=stamp)
    assert contents(build(good(own)))["x"] == (0o644, b"y")


def test_an_upload_over_its_limit_is_refused() -> None:
    archive = build(good())
    assert contents(archive, ArchiveLimits(upload=len(archive)))
    error = refusal(archive, ArchiveLimits(upload=len(archive) - 1))
    assert error.rule == Rule.UPLOAD
    assert error.problem == f"has {len(archive)} bytes; at most {len(archive) - 1} are allowed"


@pytest.mark.parametrize("limits", [ArchiveLimits, CheckBounds])
def test_limits_are_checked_at_birth(limits: type[ArchiveLimits | CheckBounds]) -> None:
    for name in limits.__slots__:
        with pytest.raises(InputError, match=f"limit {name}: 0: must be at least 1"):
            limits(**{name: 0})


# -- bot.toml ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ([], "has no bot.toml at its root"),
        ([Raw(b"mine/bot.toml", GOOD_TOML)], "has no bot.toml at its root; there is mine/bot.toml"),
        ([Raw(b"Bot.toml", GOOD_TOML)], "has no bot.toml at its root"),
        ([Raw(b"bot.toml/", method=0, mode=0o40755)], "has no bot.toml at its root"),
        ([Raw(b"bot.toml", b"name = 3\n")], "bot.toml: 'version' is missing"),
        ([Raw(b"bot.toml", GOOD_TOML + b"speed = 3\n")], "bot.toml: line 5: unknown key 'speed'"),
        ([Raw(b"bot.toml", b"#" * 16_385, method=0)], "is larger than 16 KiB"),
    ],
)
def test_bot_toml_must_be_at_the_root_and_right(entries: list[Raw], problem: str) -> None:
    error = refusal(build(entries))
    assert error.rule == Rule.MANIFEST
    assert problem in error.problem
