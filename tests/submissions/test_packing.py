"""From a folder to an archive: the right files, the same bytes each time, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from arena.errors import BotError, SubmissionError
from arena.submissions.intake import Intake
from arena.submissions.limits import ArchiveLimits, Rule
from arena.submissions.manifest import example_bots
from arena.submissions.packing import Packed, pack_folder
from tests.submissions.rawzip import GOOD_TOML
from tests.submissions.test_fuzz import tree

LIMITS = ArchiveLimits()


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_bytes(GOOD_TOML)
    (folder / "mine.py").write_text("pass\n" * 100)
    return folder


def add(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"this is {name}\n")


def packed(folder: Path, limits: ArchiveLimits = LIMITS, output: Path | None = None) -> Packed:
    return pack_folder(folder, limits, output)


def left_out(folder: Path) -> dict[str, str]:
    return {one.path: one.why for one in packed(folder).left_out}


def refusal(folder: Path, limits: ArchiveLimits = LIMITS) -> SubmissionError:
    with pytest.raises(SubmissionError) as caught:
        packed(folder, limits)
    return caught.value


def unpacked(archive: bytes, folder: Path) -> dict[str, bytes | None]:
    path = folder.with_suffix(".zip")
    path.write_bytes(archive)
    with path.open("rb") as file:
        Intake().unpack(file.fileno(), folder)
    return tree(folder)


# -- what comes of it -------------------------------------------------------------------------


def test_what_is_packed_is_what_is_unpacked(bot: Path, tmp_path: Path) -> None:
    add(bot, "lib/a.py", "lib/deep/b.py", "data/book.bin")
    (bot / "data" / "zeros").write_bytes(bytes(10**6))  # would shrink more than is allowed
    (bot / "data" / "noise").write_bytes(os.urandom(10_000))
    (bot / "data" / "nothing").write_bytes(b"")
    (bot / "run").write_text("#!/bin/sh\n")
    for path in bot.rglob("*"):
        path.chmod(0o700 if path.is_dir() or path.name == "run" else 0o600)
    found = packed(bot)
    assert found.left_out == ()
    result = unpacked(found.content, tmp_path / "unpacked")
    assert {name: content for name, content in result.items() if content is not None} == {
        str(path.relative_to(bot)): path.read_bytes() for path in bot.rglob("*") if path.is_file()
    }
    assert (tmp_path / "unpacked" / "run").stat().st_mode & 0o777 == 0o755
    assert (
        found.submission.files == len(found.files) == sum(path.is_file() for path in bot.rglob("*"))
    )


@pytest.mark.parametrize("name", example_bots())
def test_every_example_can_be_packed(name: str) -> None:
    assert packed(example_bots()[name]).submission.manifest.name == name


def test_equal_files_make_equal_bytes(bot: Path, tmp_path: Path) -> None:
    """Whatever the times, the modes, the order on the disk and the hash seed are."""
    names = ["z", "a/b", "a.b", "a-b", "C", "b/c/d"]
    add(bot, *names)
    other = tmp_path / "other"
    other.mkdir()
    add(other, *reversed(names))
    for name in ("mine.py", "bot.toml"):
        (other / name).write_bytes((bot / name).read_bytes())
    os.utime(other / "mine.py", (0, 0))
    (other / "mine.py").chmod(0o640)
    first = packed(bot)
    assert packed(other).content == first.content
    code = "import sys; from pathlib import Path; from arena.submissions.packing import *; "
    code += "from arena.submissions.limits import *; "
    code += "print(pack_folder(Path(sys.argv[1]), ArchiveLimits()).submission.digest)"
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code, str(bot)],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": f"UTC{seed}"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == first.submission.digest


def test_other_programs_read_it(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "bot.zip").write_bytes(packed(bot).content)
    with zipfile.ZipFile(tmp_path / "bot.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["bot.toml", "mine.py"]
        assert archive.infolist()[0].date_time == (1980, 1, 1, 0, 0, 0)


# -- what is left out -------------------------------------------------------------------------


def test_what_is_left_out_is_told_with_its_reason(bot: Path) -> None:
    kept = ["node_modules/x/index.js", "vendor/y/z.go", "build/out", "dist/a", "target/b", "envy/c"]
    kept += [".cargo/config.toml", "lib/pyc", "cache/CACHEDIR.TAG"]
    add(bot, *kept)
    add(bot, ".git/HEAD", ".venv/pyvenv.cfg", "lib/.env", "__pycache__/mine.pyc", "lib/old.pyc")
    add(bot, "lib/__pycache__/x.cpython-311.pyc", "env/pyvenv.cfg", "env/bin/python", "mine.py~")
    add(bot, "node_modules/.bin/tool", ".DS_Store")
    (bot / ".git" / "link").symlink_to("HEAD")  # nobody looks into what is left out
    (bot / "env" / "bin" / "python3").symlink_to("python")
    found = packed(bot)
    assert sorted(found.files) == sorted([*kept, "bot.toml", "mine.py"])
    assert {one.path: one.why for one in found.left_out} == {
        ".DS_Store": "hidden",
        ".git/": "hidden",
        ".venv/": "hidden",
        "__pycache__/": "a cache of Python's",
        "env/": "a virtual environment",
        "lib/.env": "hidden",
        "lib/__pycache__/": "a cache of Python's",
        "lib/old.pyc": "a cache of Python's",
        "mine.py~": "a backup of an editor's",
        "node_modules/.bin/": "hidden",
    }


def test_what_a_build_makes_is_left_out_only_if_it_is_built(bot: Path) -> None:
    add(bot, "Cargo.toml", "target/release/bot", "sub/target/data", "cache/x")
    (bot / "cache" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert left_out(bot) == {}
    (bot / "bot.toml").write_bytes(GOOD_TOML + b'build = ["cargo", "build"]\n')
    assert left_out(bot) == {
        "cache/": "a cache, by its CACHEDIR.TAG",
        "target/": "made by the build",
    }


def test_what_npm_fetches_is_left_out_unless_it_is_bundled(bot: Path) -> None:
    add(bot, "node_modules/x/index.js", "package.json")
    (bot / "node_modules" / "@ours").mkdir()
    (bot / "node_modules" / "@ours" / "sdk").symlink_to("../../../sdk")
    why = "fetched by npm; bundleDependencies in package.json packs it"
    for text in ("", "{}", "[]", "[" * 100_000, '{"bundleDependencies": []}'):
        (bot / "package.json").write_text(text)
        assert left_out(bot) == {"node_modules/": why}
    for text in ('{"bundleDependencies": true}', '{"bundledDependencies": ["x"]}'):
        (bot / "package.json").write_text(text)
        assert left_out(bot) == {"node_modules/@ours/sdk": "a link in node_modules"}
        assert "node_modules/x/index.js" in packed(bot).files


def test_what_the_typescript_compiler_makes_is_left_out(bot: Path) -> None:
    add(bot, "package.json", "tsconfig.json", "dist/bot.js")
    assert left_out(bot) == {}
    (bot / "bot.toml").write_bytes(GOOD_TOML + b'build = ["tsc"]\n')
    assert left_out(bot) == {"dist/": "made by the build"}


def test_the_program_that_a_build_makes_is_left_out(bot: Path) -> None:
    toml = GOOD_TOML.replace(b'run = ["python", "mine.py"]', b'run = ["./bin/mine"]')
    assert toml != GOOD_TOML
    (bot / "bin").mkdir()
    (bot / "bin" / "mine").write_bytes(b"\x7fELF and so on")
    (bot / "bot.toml").write_bytes(toml)
    assert left_out(bot) == {}  # nobody else makes it
    (bot / "bot.toml").write_bytes(toml + b'build = ["make"]\n')
    assert left_out(bot) == {"bin/mine": "made by the build"}
    (bot / "bin" / "mine").write_text("#!/bin/sh\n")  # written by hand
    assert left_out(bot) == {}


def test_a_vendored_crate_is_packed_whole(bot: Path) -> None:
    names = [".cargo-checksum.json", ".cargo_vcs_info.json", "src/.hidden", "src/x.pyc"]
    crate = [f"vendor/crate/{name}" for name in names]
    add(bot, *crate, "vendor/crate/.git/HEAD", "vendor/.other")
    assert left_out(bot) == {"vendor/.other": "hidden", "vendor/crate/.git/": "hidden"}
    assert set(crate) < set(packed(bot).files)


def test_the_archive_itself_is_not_packed_by_whatever_name(bot: Path, tmp_path: Path) -> None:
    add(bot, "out/bot.zip", "out/other.zip")
    (tmp_path / "link").symlink_to(bot)
    for folder in (bot, tmp_path / "link", bot / ".." / "bot"):
        found = packed(bot, output=folder / "out" / "bot.zip")
        assert [(one.path, one.why) for one in found.left_out] == [
            ("out/bot.zip", "the archive itself")
        ]
        assert "out/other.zip" in found.files


# -- what is refused --------------------------------------------------------------------------


def test_a_folder_without_a_right_bot_toml_is_refused(bot: Path) -> None:
    (bot / "bot.toml").write_bytes(GOOD_TOML + b"speed = 3\n")
    with pytest.raises(BotError, match=r"bot\.toml: line 5: unknown key 'speed'"):
        packed(bot)
    (bot / "bot.toml").unlink()
    with pytest.raises(BotError, match=r"bot\.toml: No such file"):
        packed(bot)


@pytest.mark.parametrize("target", ["mine.py", "nowhere", "/etc", "."])
def test_a_link_is_refused_and_not_followed(target: str, bot: Path) -> None:
    (bot / "linked").symlink_to(target)
    error = refusal(bot)
    assert (error.rule, error.entry) == (Rule.KIND, "linked")
    assert "is a link: put what it points to in its place" in str(error)


def test_a_pipe_is_refused_and_not_read(bot: Path) -> None:
    os.mkfifo(bot / "pipe")
    assert (refusal(bot).rule, refusal(bot).entry) == (Rule.KIND, "pipe")


@pytest.mark.parametrize(
    "name", ["a b", "é.py", "x:y", "nul.txt", "a\\b", "d" * 201, "@scope/x.js"]
)
def test_a_bad_name_is_refused(name: str, bot: Path) -> None:
    if len(name) > 200:
        name = "/".join(["d" * 100] * 2) + "/x"
    add(bot, name)
    assert refusal(bot).rule in (Rule.NAME, Rule.PATH)


def test_names_that_are_one_elsewhere_are_refused(bot: Path) -> None:
    add(bot, "Mine.py")
    assert refusal(bot).rule == Rule.TWICE


@pytest.mark.parametrize(
    ("limits", "rule"),
    [
        (ArchiveLimits(entries=3), Rule.COUNT),
        (ArchiveLimits(unpacked=2000), Rule.UNPACKED),
        (ArchiveLimits(upload=2000), Rule.UPLOAD),
        (ArchiveLimits(path=5), Rule.PATH),
        (ArchiveLimits(depth=1), Rule.PATH),
    ],
)
def test_what_is_over_a_limit_is_refused(limits: ArchiveLimits, rule: Rule, bot: Path) -> None:
    add(bot, "d/f1", "d/f2")
    (bot / "noise").write_bytes(os.urandom(3000))
    assert refusal(bot, limits).rule == rule


def test_a_file_that_is_gone_meanwhile_is_told(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(bot, "brief")
    opened = os.open

    def late(path: Path, flags: int, *args: int) -> int:
        if str(path).endswith("brief"):
            (bot / "brief").unlink(missing_ok=True)
        return opened(path, flags, *args)

    monkeypatch.setattr(os, "open", late)
    with pytest.raises(BotError, match="brief: No such file or directory"):
        packed(bot)
