#!/usr/bin/env bash
# Installs into a folder, moves it and uses what was moved, with nothing else of ours in reach:
# install.sh BUILD SOURCES PREFIX BINDIR DATADIR MESON [DBUS-RUN-SESSION XVFB-RUN]
# With the last two the window is started as well.
set -euo pipefail
build=$1 sources=$2 prefix=$3 bindir=$4 datadir=$5 meson=$6
shift 6
within() { case $1 in /*) echo "$1" ;; *) echo "$prefix/$1" ;; esac; }
bin=$(within "$bindir") data=$(within "$datadir")/headlight

scratch=$(realpath "$(mktemp -d)")
log=$build/meson-logs/install-log.txt
[ ! -e "$log" ] || cp -p "$log" "$scratch/log"
tidy() {
  # What a person installed is uninstalled by this log.
  if [ -e "$scratch/log" ]; then cp -p "$scratch/log" "$log"; else rm -f "$log"; fi
  rm -rf "$scratch"
}
trap tidy EXIT

fail() { echo "install: $*" >&2; exit 1; }

install_to() { # FOLDER [OPTION]...
  DESTDIR=$1 "$meson" install -C "$build" --no-rebuild --quiet "${@:2}" >"$scratch/install.txt" 2>&1 ||
    { cat "$scratch/install.txt" >&2; fail "meson install failed"; }
}

install_to "$scratch/first"
mv "$scratch/first" "$scratch/moved here"
root="$scratch/moved here"
diff -r "$sources/resources/models" "$root/$data/models" || fail "other models are installed"
diff -r "$sources/resources/lessons" "$root/$data/lessons" || fail "other lessons are installed"

for program in "$root/$bin"/headlight*; do
  for path in "$build" "$sources"; do
    ! grep -aqF -- "$path" "$program" || fail "$(basename "$program") holds $path"
  done
done

# A home where nothing is, and a display of its own.
mkdir -p "$scratch/home/run"
chmod 700 "$scratch/home/run"
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/config XDG_DATA_HOME=$scratch/home/data \
  XDG_STATE_HOME=$scratch/home/state XDG_CACHE_HOME=$scratch/home/cache XDG_RUNTIME_DIR=$scratch/home/run \
  HF_HUB_OFFLINE=1
unset HF_HOME HF_HUB_CACHE HUGGINGFACE_HUB_CACHE GSETTINGS_SCHEMA_DIR
cd "$scratch/home"

"$root/$bin/headlight" models --json >models.json
grep -qF "$root" models.json || fail "the models are not those beside the program: $(cat models.json)"
"$root/$bin/headlight" render -o figure.svg "The cat sat on the mat" "The cat lay on the rug"
grep -q '</svg>' figure.svg || fail "no figure"
"$root/$bin/headlight" lesson check "$root/$data"/lessons/*.md >lessons.txt || fail "lessons are false: $(cat lessons.txt)"

keeps_settings() { # PROGRAM DBUS-RUN-SESSION XVFB-RUN: which is seen when it is ended
  export G_MESSAGES_DEBUG=headlight GSETTINGS_BACKEND=keyfile ADW_DISABLE_PORTAL=1 GDK_BACKEND=x11 GTK_A11Y=none
  local keyfile=$XDG_CONFIG_HOME/glib-2.0/settings/keyfile
  rm -f "$keyfile" window.txt ended.txt
  # By a file, for xvfb-run may fail behind a program that did not.
  # shellcheck disable=SC2016 # expanded in there
  "$2" -- "$3" -a -s '-screen 0 1280x800x24' bash -c '
    "$1" >window.txt 2>&1 & window=$!
    until grep -q "ms since the start" window.txt; do
      kill -0 $window || break
      sleep 0.1
    done
    kill $window
    wait $window
    echo $? >ended.txt' bash "$1" || echo "xvfb-run: status $?" >&2
  [ "$(cat ended.txt)" = 0 ] || { cat window.txt ended.txt >&2; fail "the window does not start and end"; }
  [ -e "$keyfile" ] || { cat window.txt >&2; fail "the window keeps no settings"; }
}

# The window takes its schema from beside itself.
[ $# -ne 2 ] || keeps_settings "$root/$bin/headlight" "$@"

install_to "$scratch/runtime" --tags runtime
diff -rq "$root" "$scratch/runtime" || fail "--tags runtime installs something else"

# Into a prefix of this machine, with no more than what a user of it needs: what the desktop knows of schemas is made
# anew. The programs are those that were built.
if [ $# -eq 2 ] && [[ $bindir != /* && $datadir != /* ]]; then
  "$meson" setup "$scratch/build" "$sources" --prefix "$scratch/prefix" --bindir "$bindir" --datadir "$datadir" \
    -Dwindow=enabled >"$scratch/setup.txt" 2>&1 || { cat "$scratch/setup.txt" >&2; fail "meson setup failed"; }
  cp -p "$build"/app/headlight "$build"/app/headlight-window "$scratch/build/app"
  cp -p "$build"/resources/gschemas.compiled "$scratch/build/resources"
  build=$scratch/build DESTDIR='' install_to '' --tags runtime
  rm "$scratch/prefix/$datadir/headlight/gschemas.compiled"
  export XDG_DATA_DIRS=$scratch/prefix/$datadir:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}
  keeps_settings "$scratch/prefix/$bindir/headlight" "$@"
fi
