#!/usr/bin/env bash
# Makes every picture of this folder from the real window: screenshots/make.sh [BUILD FOLDER]
# Needs xvfb, dbus, xdotool and imagemagick. The window is started anew for each picture, driven with
# keys and the pointer as a person would, and the whole screen is taken.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
export window="$build/app/headlight-window" folder="$PWD/screenshots"

pair_a='The cat sat on the mat'
pair_b='The cat lay on the rug'
long_a='The keeper of the lighthouse wakes before the sun and climbs the narrow stairs to put out the lamp. From the window he can see the boats come back from the sea, one after the other, and he counts them as he drinks his coffee. When they are home he goes down to the harbour and buys some fish.'
long_b='Every evening his daughter rings him from the city and asks what he has seen. He tells her about the birds and the old ship on the rocks, and she says that she will come to see him in the summer, when the days are long and the sea is warm.'

# picture NAME WIDTHxHEIGHT light|dark A B COMMANDS: the commands run once the window shows, with $id its window.
picture() {
  local dark=
  [ "$3" = dark ] && dark=prefer-dark
  export picture_file="$folder/$1.png" commands="$6"
  ADW_DEBUG_COLOR_SCHEME=$dark GSETTINGS_BACKEND=memory ADW_DISABLE_PORTAL=1 HEADLIGHT_MODEL= \
    xvfb-run -a -s "-screen 0 $2x24" dbus-run-session -- bash -c '
      "$window" --model headlight-mini -- "$1" "$2" & program=$!
      id=$(timeout 20 xdotool search --sync --onlyvisible --name Headlight | head -n 1)
      xdotool mousemove 400 28 windowmove "$id" 0 0 windowsize "$id" '"${2%x*} ${2#*x}"' windowfocus "$id"
      sleep 1.5
      eval "$commands"
      sleep 1
      import -window root -strip "$picture_file"
      kill $program' bash "$4" "$5" 2>/dev/null || true
  [ -s "$picture_file" ] || { echo "no picture $1" >&2; exit 1; }
  # A palette keeps the repository small; the colours of a drawing survive it.
  convert "$picture_file" -dither None -colors 256 -define png:compression-level=9 "PNG8:$picture_file"
  echo "$1"
}

layer() { printf 'xdotool key --repeat %s alt+Right; ' "$1"; }
pin='xdotool mousemove 300 348 click 1 mousemove 400 28; '
pin_neuron='xdotool mousemove 70 283 click 1 mousemove 400 28; '

for theme in light dark; do
  picture heads-pair-$theme 1280x800 $theme "$pair_a" "$pair_b" "$(layer 3)"
  picture heads-pinned-$theme 1280x800 $theme "$pair_a" "$pair_b" "$(layer 3) $pin"
  picture neurons-pair-$theme 1280x800 $theme "$pair_a" "$pair_b" "$(layer 3) xdotool key ctrl+2; sleep 0.3; xdotool key alt+8; sleep 0.3; $pin_neuron"
  picture heads-128-$theme 1280x800 $theme "$long_a" "$long_b" "$(layer 1)"
  picture neurons-128-$theme 1280x800 $theme "$long_a" "$long_b" "xdotool key ctrl+2; sleep 0.3; $pin_neuron"
done
