#!/usr/bin/env bash
# The command line for arm64, and the engine's suite under qemu: cross.sh [BUILD [TEST…]]
# Needs root for the first run, and: apt-get install debootstrap gcc-aarch64-linux-gnu qemu-user-static
# The sysroot, 1.1 GB of Debian's packages, is made once in $HEADLIGHT_SYSROOT; nothing else of the machine changes.
set -euo pipefail
here=$(realpath "$(dirname "$0")") build=${1:-build-arm64}
sysroot=${HEADLIGHT_SYSROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/headlight/arm64-bookworm}
libs=$sysroot/usr/lib/aarch64-linux-gnu

# Downloads and unpacks; no package is configured, as that would run arm64 programs for minutes.
make_sysroot() {
  mkdir -p "$sysroot"
  debootstrap --foreign --arch=arm64 --variant=minbase \
    --include=libc6-dev,libcjson-dev,libopenblas-serial-dev,libpango1.0-dev,libsoup-3.0-dev,libsysprof-4-dev,libutf8proc-dev \
    bookworm "$sysroot" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
  for package in "$sysroot"/var/cache/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$sysroot"
    rm "$package"
  done
  # What points from the root points into the sysroot, and the alternative is chosen.
  find "$libs" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
    ln -sfn "$sysroot$target" "$link"
  done
  ln -sf openblas-serial/libopenblas.so.0 "$libs/libopenblas.so.0"
  touch "$sysroot/complete"
}

[ -e "$sysroot/complete" ] || make_sysroot
if [ ! -e "$build/build.ninja" ]; then
  printf '[constants]\nsysroot = '\''%s'\''\n' "$sysroot" >"$sysroot/sysroot.ini"
  meson setup "$build" "$here/../.." -Dwindow=disabled --cross-file "$sysroot/sysroot.ini" --cross-file "$here/cross.ini"
fi
meson compile -C "$build"
# qemu is about ten times slower than the machine it runs on.
meson test -C "$build" --suite engine -t 10 --print-errorlogs "${@:2}"
