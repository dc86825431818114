#!/usr/bin/env bash
# The real window in random hands, on a display and in a home of its own: monkey.sh BUILD [SECONDS] [SEED]
# Needs xvfb, dbus and xdotool. Writes BUILD/monkey-acts.log, what was done, and BUILD/monkey.log, what
# was found; exit 1 when something was.
set -euo pipefail
build=$(realpath "$1") seconds=${2:-3600} seed=${3:-1}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

# Models of ../shared are found as downloaded ones are.
shared=${HEADLIGHT_SHARED:-$(dirname "$0")/../../../shared}
mkdir -p "$home/data/headlight/models" "$home/state" "$home/run"
chmod 700 "$home/run"
for folder in "$shared"/data/checkpoints/*/; do
  [ ! -d "$folder" ] || ln -s "$(realpath "$folder")" "$home/data/headlight/models/"
done

export HOME=$home XDG_DATA_HOME=$home/data XDG_STATE_HOME=$home/state XDG_CACHE_HOME=$home/cache \
  XDG_CONFIG_HOME=$home/config XDG_RUNTIME_DIR=$home/run HF_HUB_OFFLINE=1 HEADLIGHT_SHARED=$shared \
  GSETTINGS_BACKEND=memory ADW_DISABLE_PORTAL=1 GDK_BACKEND=x11 GSK_RENDERER=cairo
if pkg-config --atleast-version=4.16 gtk4; then export GDK_DISABLE=gl; else export GDK_DEBUG=gl-disable; fi
# Nor is the disk under test: a font that is shown first may lie on it, cold.
fc-list --format '%{file}\n' | sort -u | xargs -d '\n' cat >/dev/null
unset HF_HOME HF_HUB_CACHE HUGGINGFACE_HUB_CACHE
cd "$home"
echo "seed $seed, $seconds s"
dbus-run-session -- xvfb-run -a -s '-screen 0 1280x800x24' \
  "$build/tests/monkey/monkey-window" "$seconds" "$seed" "$build/monkey-acts.log" 2>"$build/monkey.log" | tee -a "$build/monkey.log"
