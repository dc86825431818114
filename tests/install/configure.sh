#!/usr/bin/env bash
# Configures as on machines that lack something: configure.sh SOURCES MESON COMPILER [WINDOW]
# WINDOW: whatever; here it can be built.
set -euo pipefail
sources=$1 meson=$2 compiler=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C.UTF-8 CC=$compiler

fail() { cat "$scratch/log" >&2; echo "configure: $*" >&2; exit 1; }

without() { # PROGRAM...
  { echo '[binaries]'; printf "%s = 'no-such-program'\n" "$@"; } >"$scratch/lacks.ini"
}

configure() { # NAME [OPTION]...
  "$meson" setup "$scratch/$1" "$sources" --native-file "$scratch/lacks.ini" "${@:2}" >"$scratch/log" 2>&1
}

made() { # NAME TARGET
  "$meson" introspect --targets "$scratch/$1" | grep -qF "\"name\": \"$2\""
}

if [ $# -eq 4 ]; then
  without gtk4-update-icon-cache gtk-update-icon-cache update-desktop-database update-mime-database \
    desktop-file-validate appstreamcli xmllint
  configure desktop -Dwindow=enabled || fail "stops where the desktop's tools are missing"
  made desktop headlight-window || fail "leaves the window out where the desktop's tools are missing"

  without glib-compile-resources
  configure resources -Dwindow=auto || fail "stops where glib-compile-resources is missing"
  grep -q 'headlight-window is left out' "$scratch/log" || fail "does not say that the window is left out"
  ! made resources headlight-window || fail "does not leave the window out"
  ! configure enabled -Dwindow=enabled || fail "builds a window without glib-compile-resources"
fi

without nothing
printf '#!/bin/sh\nexec %s -D__builtin_shufflevector=no_such_function -Werror=implicit-function-declaration "$@"\n' \
  "$compiler" >"$scratch/old-cc"
chmod +x "$scratch/old-cc"
! CC="$scratch/old-cc" configure old -Dwindow=disabled || fail "takes a compiler that cannot build it"
grep -q 'ERROR: .*gcc 12' "$scratch/log" || fail "does not say what is wrong with the compiler"
