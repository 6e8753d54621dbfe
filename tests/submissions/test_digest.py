"""The digest of a bot: what it consists of, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.submissions.manifest import Manifest, digest_of, find_bot, read_manifest


def bot(folder: Path) -> Manifest:
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "x"\nversion = "1"\nlanguage = "python"\nrun = ["python", "x.py"]\n'
    )
    (folder / "x.py").write_text("pass\n")
    return read_manifest(folder)


def test_the_same_files_elsewhere_have_the_same_digest(tmp_path: Path) -> None:
    assert digest_of(bot(tmp_path / "one")) == digest_of(bot(tmp_path / "two"))


def test_whatever_changes_a_bot_changes_its_digest(tmp_path: Path) -> None:
    manifest = bot(tmp_path / "one")
    seen = {digest_of(manifest)}
    (manifest.folder / "x.py").write_text("pass \n")
    seen.add(digest_of(manifest))
    (manifest.folder / "data").mkdir()
    (manifest.folder / "data" / "book").write_bytes(b"")
    seen.add(digest_of(manifest))
    (manifest.folder / "data" / "book").rename(manifest.folder / "book")
    seen.add(digest_of(manifest))
    seen.add(digest_of(replace(manifest, run=("python", "-O", "x.py"))))
    assert len(seen) == 5


def test_caches_hidden_files_and_links_do_not_count(tmp_path: Path) -> None:
    manifest = bot(tmp_path / "one")
    before = digest_of(manifest)
    (manifest.folder / "__pycache__").mkdir()
    (manifest.folder / "__pycache__" / "x.pyc").write_bytes(b"cache")
    (manifest.folder / ".notes").write_text("hidden")
    (manifest.folder / "link").symlink_to("/etc/passwd")
    assert digest_of(manifest) == before


def test_a_folder_without_a_bot_toml_counts_for_nothing(tmp_path: Path) -> None:
    manifest = bot(tmp_path / "one")
    (manifest.folder / "bot.toml").unlink()
    (manifest.folder / "bot.toml").mkdir()
    assert digest_of(replace(manifest, folder=tmp_path / "gone")) == digest_of(manifest)


def test_a_command_is_told_by_how_it_is_run() -> None:
    one, other = find_bot("-- ./a --fast"), find_bot("-- ./a --slow")
    assert digest_of(one) != digest_of(other)
