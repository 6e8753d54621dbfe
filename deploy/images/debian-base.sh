#!/bin/sh
# Write the files of a small Debian as one tar archive, the base image of a machine without a
# registry. As root:
#
#     deploy/images/debian-base.sh base.tar && docker import base.tar mille-arena/base
#
# SUITE and MIRROR may be set in the environment. debootstrap checks the signatures of what it
# fetches with the keys of the package debian-archive-keyring.
set -eu

archive="${1:?usage: debian-base.sh ARCHIVE}"
suite="${SUITE:-trixie}"
mirror="${MIRROR:-}" # empty: the one that debootstrap has by default

root="$(mktemp -d "${TMPDIR:-/tmp}/arena-base.XXXXXXXX")"
clean_up() {
    # An interrupted debootstrap may leave these mounted, and what is mounted is not ours to remove.
    for name in proc sys dev; do
        if mountpoint -q "$root/$name"; then umount -l "$root/$name"; fi
    done
    rm -rf --one-file-system "$root"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

# On the host's standard error, so that a build shows what it is doing.
debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"} >&2

# A bot reads no manuals; what is installed into the image later leaves them out as well. And an
# image that a crash cuts short is built again: nothing has to reach the disk at once.
cat >"$root/etc/dpkg/dpkg.cfg.d/arena" <<'END'
force-unsafe-io
path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/info/*
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/man/*
END
find "$root/usr/share/doc" "$root/usr/share/info" "$root/usr/share/locale" "$root/usr/share/man" \
    ! -type d ! -name copyright -delete 2>/dev/null || true
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/cache/apt/*.bin \
    "$root"/var/lib/apt/lists/* "$root"/var/log/*.log "$root"/var/log/apt "$root"/dev/*
: >"$root/etc/machine-id"
# Those of this machine say how *it* reaches the network.
rm -f "$root/etc/resolv.conf" "$root/etc/hostname"

tar -C "$root" --sort=name --numeric-owner -cf "$archive" .
