"""Which system calls a stranger's program may make: the seccomp profile, in the engine's format.

An allowlist: what is not named here fails with EPERM. Three calls are allowed only with certain
arguments, because the rest of what they do is what a sandbox is for:

    socket, socketpair   only AF_UNIX, the one family that the referee's socket needs
    clone                only without a flag that makes a namespace
    mknod, mknodat       only named pipes
    personality          only to ask, or to be what one is anyway
    prlimit64, sched_set*, setpriority   only of oneself
    mmap, madvise        not with the order to fill the memory at once: nobody who does that can be
                         held still, and it takes seconds
    fadvise64            not to throw away what is cached of a file: others may read the same one

`clone3` passes its flags in memory, where a filter cannot look. It does not exist (ENOSYS), and
every C library then takes `clone`.

`python -m arena.sandbox.seccomp` prints the profile; deploy/seccomp/ keeps it for whoever wants to
read it or to start a container by hand. LEFT_OUT says why the others are not here, and a test sees
to it that no call of the kernel is in neither list.
"""

from __future__ import annotations

import errno
import json
import stat
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

__all__ = ["ALLOWED", "CONDITIONAL", "LEFT_OUT", "profile", "profile_text"]

ALLOWED: Final[Mapping[str, str]] = {
    "open and close": """
        open openat openat2 creat close close_range dup dup2 dup3 fcntl flock pipe pipe2
        memfd_create""",
    "read and write": """
        read pread64 readv preadv write pwrite64 writev pwritev lseek
        sendfile splice tee copy_file_range fallocate truncate ftruncate fsync fdatasync
        sync_file_range ioctl""",
    "look at files": """
        stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink
        readlinkat getdents getdents64 getcwd getxattr lgetxattr fgetxattr getxattrat listxattr
        llistxattr flistxattr listxattrat file_getattr inotify_init inotify_init1 inotify_add_watch
        inotify_rm_watch""",
    "arrange files": """
        chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat
        symlink symlinkat chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat umask utime
        utimes utimensat futimesat""",
    "memory": """
        brk munmap mprotect mremap msync mincore mlock mlock2 mlockall munlock
        munlockall membarrier mseal map_shadow_stack pkey_alloc pkey_free pkey_mprotect""",
    "processes and threads": """
        fork vfork execve execveat exit exit_group wait4 waitid kill tkill tgkill getpid getppid
        gettid getpgid getpgrp setpgid getsid setsid
        set_tid_address set_robust_list get_robust_list set_thread_area get_thread_area arch_prctl
        prctl rseq restart_syscall getcpu""",
    "who one is": """
        getuid geteuid getgid getegid getgroups getresuid getresgid setuid setgid setreuid setregid
        setresuid setresgid setgroups setfsuid setfsgid capget capset
        landlock_create_ruleset landlock_add_rule landlock_restrict_self""",
    "locks": """
        futex futex_wait futex_wake futex_requeue futex_waitv""",
    "signals": """
        rt_sigaction rt_sigprocmask rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo
        rt_sigsuspend rt_sigreturn sigaltstack signalfd signalfd4 pause""",
    "time": """
        time gettimeofday clock_gettime clock_getres nanosleep clock_nanosleep alarm getitimer
        setitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete
        timerfd_create timerfd_settime timerfd_gettime times""",
    "wait for what happens": """
        poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
        epoll_pwait2 eventfd eventfd2""",
    "use a socket": """
        bind connect listen accept accept4 getsockname getpeername getsockopt setsockopt shutdown
        sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg""",
    "limits and the scheduler": """
        getrlimit setrlimit getrusage sysinfo uname getrandom getpriority
        sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_getattr
        sched_rr_get_interval
        sched_get_priority_max sched_get_priority_min""",
}
"""Allowed with any arguments, by what they are for. Most run-time systems need most of them."""

CONDITIONAL: Final = (
    *("clone", "clone3", "mknod", "mknodat", "personality", "socket", "socketpair"),
    *("prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler"),
    *("setpriority", "mmap", "madvise", "fadvise64"),
)
"""Allowed with some arguments, or refused with an answer of their own."""

LEFT_OUT: Final[Mapping[str, str]] = {
    "other processes' memory and descriptors": """
        pidfd_open pidfd_send_signal ptrace process_vm_readv process_vm_writev process_madvise
        process_mrelease kcmp pidfd_getfd
        move_pages migrate_pages""",
    "namespaces, mounts and roots": """
        unshare setns mount umount2 pivot_root chroot open_tree open_tree_attr move_mount fsopen
        fsconfig fsmount fspick mount_setattr statmount listmount listns""",
    "files without a path, and what watches or measures everybody's": """
        name_to_handle_at open_by_handle_at fanotify_init fanotify_mark lookup_dcookie cachestat
        preadv2 pwritev2 readahead quotactl quotactl_fd sync syncfs ustat sysfs""",
    "attributes of files that no size limit counts": """
        setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat
        file_setattr""",
    "keys and secrets of the kernel": """
        add_key request_key keyctl memfd_secret""",
    "what outlives a process or is shared by name": """
        mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
        shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl""",
    "large and often broken parts of the kernel": """
        io_uring_setup io_uring_enter io_uring_register io_setup io_destroy io_getevents
        io_pgetevents io_submit io_cancel userfaultfd bpf perf_event_open vmsplice
        remap_file_pages modify_ldt seccomp uprobe uretprobe rseq_slice_yield""",
    "where memory lies on a machine of several nodes": """
        mbind get_mempolicy set_mempolicy set_mempolicy_home_node""",
    "the machine itself": """
        reboot kexec_load kexec_file_load init_module finit_module delete_module create_module
        query_module get_kernel_syms iopl ioperm swapon swapoff acct syslog vhangup sethostname
        setdomainname settimeofday clock_settime clock_adjtime adjtimex ioprio_get ioprio_set
        lsm_get_self_attr lsm_set_self_attr lsm_list_modules""",
    "nothing, on any kernel of today": """
        uselib _sysctl nfsservctl getpmsg putpmsg afs_syscall tuxcall security vserver
        epoll_ctl_old epoll_wait_old socketcall""",
}
"""Not allowed, by what they reach."""

_UNIX: Final = 1
"""AF_UNIX, as the kernel numbers address families."""

_NAMESPACES: Final = (
    0x00020000  # CLONE_NEWNS, mounts
    | 0x02000000  # CLONE_NEWCGROUP
    | 0x04000000  # CLONE_NEWUTS, the host's name
    | 0x08000000  # CLONE_NEWIPC
    | 0x10000000  # CLONE_NEWUSER
    | 0x20000000  # CLONE_NEWPID
    | 0x40000000  # CLONE_NEWNET
    | 0x00001000  # CLONE_PIDFD: its number counts the processes of the whole machine
)
"""CLONE_NEWTIME is missing: `clone` has no bit for it, only `clone3`."""

_FILE_KIND: Final = 0o170000
"""The bits of a file's mode that say what kind of file it is."""

_OF_A_PROCESS: Final = (
    "prlimit64",
    "sched_setaffinity",
    "sched_setparam",
    "sched_setscheduler",
    "sched_setattr",
)
"""What changes the process of a number; 0 is the one that calls."""

_PRIO_PROCESS: Final = 0

_FILLED_AT_ONCE: Final = 0x2000 | 0x8000
"""MAP_LOCKED and MAP_POPULATE."""

_MADV_POPULATE_READ: Final = 22
"""It and MADV_POPULATE_WRITE, 23; of the advice above them nobody needs any."""

_POSIX_FADV_DONTNEED: Final = 4

_PERSONALITIES: Final = (
    0x00000000,  # Linux, as it is
    0xFFFFFFFF,  # only asks
)


def profile() -> dict[str, Any]:
    """The profile, as the engine's `seccomp=` option takes it once it is JSON."""
    allowed = sorted(name for names in ALLOWED.values() for name in names.split())
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": errno.EPERM,
        # The engine takes the entry of its own machine. No second architecture: programs of 32 bits
        # (i386, x32) would come in by other numbers, and by `socketcall`.
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [
            _rule(allowed),
            _rule(["socket", "socketpair"], _equal(0, _UNIX)),
            _rule(["clone"], _masked(0, _NAMESPACES, 0)),
            _rule(["clone3"], action="SCMP_ACT_ERRNO", errnoRet=errno.ENOSYS),
            _rule(["mknod"], _masked(1, _FILE_KIND, stat.S_IFIFO)),
            _rule(["mknodat"], _masked(2, _FILE_KIND, stat.S_IFIFO)),
            # Of others one may ask, but the keeper of the sandbox has the same user: who could take
            # its processor or its descriptors away could make it fail.
            _rule(_OF_A_PROCESS, _equal(0, 0)),
            _rule(["setpriority"], _equal(0, _PRIO_PROCESS), _equal(1, 0)),
            _rule(["mmap"], _masked(3, _FILLED_AT_ONCE, 0)),
            _rule(["madvise"], _below(2, _MADV_POPULATE_READ)),
            _rule(["fadvise64"], _below(3, _POSIX_FADV_DONTNEED)),
            *(_rule(["personality"], _equal(0, value)) for value in _PERSONALITIES),
        ],
    }


def profile_text() -> str:
    """The profile as the text of a file."""
    return json.dumps(profile(), indent=2) + "\n"


def _rule(
    names: Sequence[str],
    *conditions: Mapping[str, object],
    action: str = "SCMP_ACT_ALLOW",
    **more: object,
) -> dict[str, object]:
    """One rule; all its conditions have to hold."""
    return {"names": list(names), "action": action, "args": list(conditions), **more}


def _equal(argument: int, value: int) -> dict[str, object]:
    return {"index": argument, "value": value, "op": "SCMP_CMP_EQ"}


def _below(argument: int, value: int) -> dict[str, object]:
    return {"index": argument, "value": value, "op": "SCMP_CMP_LT"}


def _masked(argument: int, mask: int, value: int) -> dict[str, object]:
    """The argument's bits under `mask` are `value`."""
    return {"index": argument, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}


if __name__ == "__main__":
    sys.stdout.write(profile_text())
