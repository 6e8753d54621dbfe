#!/bin/sh
# cargo for bots: without a network, with the SDK and its crates at hand and compiled. After a build
# there is nothing in the target folder but what was built.
#
# Cargo takes what was compiled before as fresh if it lies in the target folder and all is as it was:
# compiler, profile, features, and the paths and versions of crates. So those paths are always the same.
set -eu
PATH=${PATH#/arena/bin:}
crates=/tmp/crates
compiled=/arena/rust/target

# The image's crates, and from the bot's folder those that the image lacks.
offer_crates() {
    mkdir -p "$crates"
    ln -sfn /arena/rust/crates/* "$crates"
    for manifest in vendor/*/Cargo.toml; do
        test -f "$manifest" || continue
        crate=$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)
        version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$manifest" | head -n 1)
        test -e "$crates/$crate-$version" || ln -s "$PWD/$(dirname "$manifest")" "$crates/$crate-$version"
    done
}

# A bot's own copy of the SDK, where `arena new-bot` puts it, is compiled already if it is the image's:
# that is for cargo to see from the times of its files.
date_copy() {
    if cmp -s sdk/Cargo.toml /sdk/rust/Cargo.toml && diff -rq sdk/src /sdk/rust/src >/dev/null 2>&1; then
        find sdk -exec touch -d @0 {} + 2>/dev/null || true
    fi
}

# Away with everything in the target folder that is no program and no library of the bot's.
clean() {
    find "$target" -mindepth 1 -type d \( -name .fingerprint -o -name build -o -name deps \
        -o -name examples -o -name incremental \) -prune -exec rm -rf {} +
    find "$target" \( -name .cargo-lock -o -name .rustc_info.json -o -name CACHEDIR.TAG \
        -o -name '*.d' -o -name '*.rlib' \) -exec rm -f {} +
    find "$target" -mindepth 1 -type d -empty -delete
}

offer_crates
case ${1-} in
    build | b | rustc | install | run | r | test | t) ;;
    *) exec cargo "$@" ;;
esac

manifest=
previous=
for word in "$@"; do
    case $previous in --manifest-path) manifest=$word ;; esac
    case $word in --manifest-path=*) manifest=${word#*=} ;; esac
    previous=$word
done
target=$(cargo metadata --no-deps --format-version 1 ${manifest:+--manifest-path "$manifest"} \
    | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
if test -z "$target"; then
    exec cargo "$@" # it says what is wrong
fi
if test -d "$compiled" && ! test -e "$target/release/.fingerprint"; then
    mkdir -p "$target"
    cp -rs "$compiled/." "$target"
fi
date_copy
cargo "$@"
test -n "${ARENA_KEEP_TARGET-}" || clean
