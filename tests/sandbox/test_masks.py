from __future__ import annotations

import os
from pathlib import Path

from arena.sandbox.masks import masked_paths, still_stat


def test_what_is_not_known_to_be_harmless_is_covered(tmp_path: Path) -> None:
    for name in (
        "proc/self/status",
        "proc/17/status",
        "proc/sys/fs/file-nr",
        "proc/sys/fs/file-max",
        "proc/meminfo",
        "proc/new-in-this-kernel",
        "proc/bus/devices",
        "sys/fs/cgroup/memory.max",
        "sys/fs/ext4/disk/written",
        "sys/block/disk/stat",
        "sys/devices/system/cpu/online",
        "sys/devices/system/cpu/cpu0/cpufreq/now",
        "sys/kernel/mm/transparent_hugepage/enabled",
        "sys/kernel/mm/ksm/pages",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "proc" / "mounts").symlink_to("self/mounts")
    (tmp_path / "proc" / "asound").symlink_to("bus")
    assert masked_paths(tmp_path) == (
        "/proc/bus",
        "/proc/meminfo",
        "/proc/new-in-this-kernel",
        "/sys/block",
        "/sys/devices/system/cpu/cpu0",
        "/sys/fs/ext4",
        "/sys/kernel/mm/ksm",
        "/proc/sys/fs/file-nr",
    )


def test_on_this_machine_what_counts_is_covered_and_what_is_needed_is_not() -> None:
    covered = masked_paths()
    for path in ("/proc/meminfo", "/proc/vmstat", "/proc/locks", "/proc/interrupts", "/sys/block"):
        assert path in covered or not Path(path).exists()
    for path in ("/proc/self", "/proc/sys", "/proc/cgroups", "/sys/fs/cgroup"):
        assert path not in covered
    assert all(Path(path).exists() or Path(path).is_symlink() for path in covered)


def test_a_still_stat_has_a_line_for_each_processor() -> None:
    lines = still_stat().splitlines()
    processors = [line for line in lines if line.startswith("cpu") and line[3] != " "]
    assert len(processors) == os.cpu_count()
    assert lines[0] == "cpu  0 0 0 0 0 0 0 0 0 0"
