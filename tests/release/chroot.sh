#!/usr/bin/env bash
# Builds and tests what is committed here on another Debian, with the two commands of the README:
#   tests/release/chroot.sh bookworm|trixie [CACHE]
# As root, with debootstrap. CACHE keeps the bare system and the packages for the next time, and the tree of the last
# run to look at: CACHE/RELEASE-run. Last line: N passed, N failed.
set -euo pipefail

release=${1:-} cache=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/headlight-chroot}
case $release in
bookworm | trixie) ;;
*) sed -n '2,5s/^# \?//p' "$0" >&2 && exit 2 ;;
esac

# Mounts and processes of its own: all of them end with this script, however it ends.
if [ -z "${HEADLIGHT_CHROOT:-}" ]; then
  HEADLIGHT_CHROOT=yes exec unshare --mount --propagation private --pid --fork --kill-child "$0" "$@"
fi

source=$(cd "$(dirname "$0")/../.." && pwd)
shared=${HEADLIGHT_SHARED:-$source/../shared}
mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 || true)
mirror=${mirror:-http://deb.debian.org/debian}

mkdir -p "$cache/archives"
cache=$(realpath "$cache")
root=$cache/$release-run
case $cache/ in "$source"/*) echo "$cache lies in the project" >&2 && exit 2 ;; esac

exec 9>"$cache/$release.lock"
flock -n 9 || { echo "another run has $cache/$release" >&2 && exit 1; }
if [ ! -d "$cache/$release" ]; then
  rm -rf "$cache/$release.new"
  debootstrap --variant=minbase "$release" "$cache/$release.new" "$mirror"
  mv "$cache/$release.new" "$cache/$release"
fi
rm -rf --one-file-system "$root"
cp -a "$cache/$release" "$root"

mkdir "$root/src" "$root/src/shared"
git clone --quiet --no-hardlinks "$source" "$root/src/headlight"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# No service starts, no package is thrown away.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod +x "$root/usr/sbin/policy-rc.d"
rm -f "$root/etc/apt/apt.conf.d/docker-clean"
echo 'Binary::apt-get::APT::Keep-Downloaded-Packages "true";' >"$root/etc/apt/apt.conf.d/keep"

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$cache/archives" "$root/var/cache/apt/archives"
if [ -d "$shared" ]; then
  mount --bind "$shared" "$root/src/shared"
  mount -o remount,bind,ro "$root/src/shared"
fi

exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
  chroot "$root" bash -c 'cd /src/headlight && . tests/release/readme.sh && prepare_machine && run_readme && tell_counts'
