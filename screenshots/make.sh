#!/usr/bin/env bash
# Makes every picture of this folder from the real window: screenshots/make.sh [BUILD FOLDER]
# Needs xvfb, dbus, xdotool and imagemagick; chromium for the web page, ../shared for a model of two stacks: what is
# not there keeps the pictures it has. The window is started anew for each picture, with a session that says what it
# shows, and the whole screen is taken.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
export window="$build/app/headlight-window" folder="$PWD/screenshots"
translation=$(realpath -m "${HEADLIGHT_SHARED:-../shared}/data/traces/opus-mt-en-de.elephant.safetensors")

pair_a='The cat sat on the mat'
pair_b='The cat lay on the rug'
masked='The cat [MASK] on the mat'
long_a='The keeper of the lighthouse wakes before the sun and climbs the narrow stairs to put out the lamp. From the window he can see the boats come back from the sea, one after the other, and he counts them as he drinks his coffee. When they are home he goes down to the harbour and buys some fish.'
long_b='Every evening his daughter rings him from the city and asks what he has seen. He tells her about the birds and the old ship on the rocks, and she says that she will come to see him in the summer, when the days are long and the sea is warm.'

sessions=$(mktemp -d)
trap 'rm -rf "$sessions"' EXIT

# picture NAME light|dark A B FIELDS [COMMANDS]: the window opens a session of the two texts and the fields, each as
# "name": "value"; the commands run once it shows.
picture() {
  local dark=
  [ "$2" = dark ] && dark=prefer-dark
  export picture_file="$folder/$1.png" session="$sessions/$1.headlight" commands="${6:-}"
  printf '{"format": "headlight-session", "version": 1, "document": {"text_a": "%s", "text_b": "%s", %s}}\n' \
    "$3" "$4" "$5" > "$session"
  ADW_DEBUG_COLOR_SCHEME=$dark GSETTINGS_BACKEND=memory ADW_DISABLE_PORTAL=1 XDG_STATE_HOME="$sessions/state-$1" \
    xvfb-run -a -s "-screen 0 1280x800x24" dbus-run-session -- bash -c '
      "$window" --open "$session" & program=$!
      id=$(timeout 20 xdotool search --sync --onlyvisible --class headlight | head -n 1)
      xdotool mousemove 860 28 windowmove "$id" 0 0 windowsize "$id" 1280 800 windowfocus "$id"
      sleep 2.5
      eval "$commands"
      sleep 1
      import -window root -strip "$picture_file"
      kill $program' 2>/dev/null || true
  finish "$1"
}

# page NAME light|dark: a web page of the pair in a browser, a token under the pointer.
page() {
  export picture_file="$folder/$1.png" page="$sessions/$1.html"
  "$build/app/headlight" render --theme "$2" --layer 3 --width 24cm --font-size 12pt -o "$page" "$pair_a" "$pair_b"
  xvfb-run -a -s "-screen 0 1280x800x24" bash -c '
    chromium --no-sandbox --test-type --no-first-run --user-data-dir="$0" --window-position=0,0 \
      --window-size=1280,800 --app="file://$page" & program=$!
    sleep 5
    xdotool mousemove 180 150
    sleep 1
    import -window root -strip "$picture_file"
    kill $program' "$sessions/browser" 2>/dev/null || true
  finish "$1"
}

# training light|dark: a preset that is trained, at its start, in the middle and at its end.
training() {
  export theme=$1
  local dark=
  [ "$1" = dark ] && dark=prefer-dark
  ADW_DEBUG_COLOR_SCHEME=$dark GSETTINGS_BACKEND=memory ADW_DISABLE_PORTAL=1 XDG_STATE_HOME="$sessions/state-training-$1" \
    XDG_DATA_HOME="$sessions/data-training-$1" xvfb-run -a -s "-screen 0 1280x800x24" dbus-run-session -- bash -c '
      "$window" & program=$!
      id=$(timeout 20 xdotool search --sync --onlyvisible --class headlight | head -n 1)
      xdotool mousemove 860 28 windowmove "$id" 0 0 windowsize "$id" 1280 800 windowfocus "$id"
      sleep 4
      xdotool key ctrl+alt+m
      dialog=$(timeout 30 xdotool search --sync --onlyvisible --name "Train a Model" | head -n 1)
      sleep 2
      xdotool windowfocus "$dialog"
      sleep 1
      xdotool key alt+t
      for _ in $(seq 600); do
        xdotool search --onlyvisible --name "Train a Model" >/dev/null 2>&1 || break
        sleep 0.2
      done
      sleep 3
      import -window root -strip "$folder/training-start-$theme.png"
      xdotool windowfocus "$id" key ctrl+2
      for _ in $(seq 900); do
        case "$(xdotool getwindowname "$id")" in *"step "[2-9][0-9][0-9]* | *"step "*,*) break ;; *) sleep 0.5 ;; esac
      done
      import -window root -strip "$folder/training-middle-$theme.png"
      for _ in $(seq 900); do
        case "$(xdotool getwindowname "$id")" in *training*) sleep 1 ;; *) break ;; esac
      done
      sleep 4
      import -window root -strip "$folder/training-end-$theme.png"
      kill $program' 2>/dev/null || true
  for moment in start middle end; do
    export picture_file="$folder/training-$moment-$1.png"
    finish "training-$moment-$1"
  done
}

finish() {
  [ -s "$picture_file" ] || { echo "no picture $1" >&2; exit 1; }
  # A palette keeps the repository small; the colours of a drawing survive it.
  convert "$picture_file" -dither None -colors 256 -define png:compression-level=9 "PNG8:$picture_file"
  echo "$1"
}

for theme in light dark; do
  for length in pair 128; do
    a=$pair_a b=$pair_b pin=2
    [ $length = 128 ] && a=$long_a b=$long_b pin=5
    picture heads-$length-$theme $theme "$a" "$b" '"layer": "3", "heads": "11"'
    picture neurons-$length-$theme $theme "$a" "$b" '"view": "neuron", "layer": "3", "heads": "8", "pin": "'$pin'"'
    picture model-$length-$theme $theme "$a" "$b" '"view": "model", "layer": "2", "heads": "9"'
    picture matrix-$length-$theme $theme "$a" "$b" '"view": "matrix", "layer": "1", "heads": "1"'
  done
  picture heads-pinned-$theme $theme "$pair_a" "$pair_b" '"layer": "3", "pin": "2"'
  picture neurons-collapsed-$theme $theme "$pair_a" "$pair_b" \
    '"view": "neuron", "layer": "3", "heads": "8", "pin": "2", "collapsed": "true"'
  picture search-$theme $theme "$pair_a" "$pair_b" '"layer": "3"' \
    'xdotool key ctrl+f; sleep 0.5; xdotool type "cat rug"; sleep 0.5; xdotool key Return; sleep 1'
  picture steps-$theme $theme "$pair_a" "$pair_b" '"view": "steps", "layer": "3", "heads": "11", "pin": "2", "step": "7"'
  picture lesson-$theme $theme "$pair_a" "$pair_b" '"layer": "3"' \
    'xdotool key F2; sleep 1.5; xdotool key Down Return; sleep 3; xdotool key F4; sleep 2'
  [ ! -f "$translation" ] || picture two-stacks-$theme $theme "" "" '"trace": "'"$translation"'", "kind": "cross", "layer": "4"'
  ! command -v chromium >/dev/null || page page-$theme $theme
  training $theme
  picture edited-$theme $theme "$masked" '' '"layer": "1", "heads": "2,7", "edit": "knock-out 6; off zero 1.2; skip-attention 4"'
  picture sides-$theme $theme "$pair_a" "$pair_b" '"layer": "3", "heads": "8,9", "edit": "zero 1.2; uniform 2.4", "compare": "sides", "compare-edit": "none"' \
    'xdotool mousemove 300 470'
  picture difference-$theme $theme "$pair_a" "$pair_b" '"view": "matrix", "layer": "3", "heads": "8", "compare": "difference", "compare-layer": "5"'
done
