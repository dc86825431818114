# shellcheck shell=bash
# To be sourced in the project's folder: runs the two commands that the README gives, to the letter, and counts
# what passed and what failed in $passed and $failed; $failures is a file with what is to be told of them.
export DEBIAN_FRONTEND=noninteractive
passed=0 failed=0 failures=$(mktemp)

say() { printf '\n== %s\n' "$*"; }

# What the commands need and a bare Debian has not: sudo, which a container's root has none of and needs none of,
# and a display with somebody before it. PACKAGES are installed as well.
prepare_machine() { # PACKAGES
  local shim
  if ! command -v sudo >/dev/null; then
    shim=$(mktemp -d)
    printf '#!/bin/sh\nexec "$@"\n' >"$shim/sudo"
    chmod +x "$shim/sudo"
    export PATH="$shim:$PATH"
  fi
  sudo apt-get update -q >/dev/null
  sudo apt-get install -y -q --no-install-recommends xvfb xauth xdotool "$@" >/dev/null
}

# The indented command lines of the README's section «Build and run», in order.
readme_command() { awk '/^## Build and run/ {on=1} on && /^    / {n++; if (n == want) {sub(/^    /, ""); print}}' want="$1" README.md; }

# Kept for the end: of a long run one may see the last lines only.
note_failure() { # NAME LOG
  {
    say "$1: failed"
    grep -E ' (FAIL|TIMEOUT|ERROR) ' "$2"
    tail -n 80 "$2"
  } >>"$failures"
}

# Adds the counts of a meson test run to the totals; a run that printed none counts as one failure.
count() { # NAME LOG STATUS
  local ok fail timeout
  ok=$(sed -n 's/^Ok: *\([0-9]*\).*/\1/p' "$2" | tail -n 1)
  fail=$(sed -n 's/^Fail: *\([0-9]*\).*/\1/p' "$2" | tail -n 1)
  timeout=$(sed -n 's/^Timeout: *\([0-9]*\).*/\1/p' "$2" | tail -n 1)
  passed=$((passed + ${ok:-0}))
  failed=$((failed + ${fail:-0} + ${timeout:-0}))
  if [ "$3" -ne 0 ] && [ $((${fail:-0} + ${timeout:-0})) -eq 0 ]; then failed=$((failed + 1)); fi
  say "$1: ${ok:-0} ok, $((${fail:-0} + ${timeout:-0})) failed"
}

test_run() { # NAME COMMAND
  local log status
  log=$(mktemp)
  bash -c "$2" >"$log" 2>&1
  status=$?
  grep -E ' (OK|SKIP|FAIL|TIMEOUT|ERROR) ' "$log"
  if [ $status -ne 0 ]; then note_failure "$1" "$log"; fi
  count "$1" "$log" $status
  rm -f "$log"
}

# Passes when the window opened and closed at Ctrl+Q.
build_and_open() { # COMMAND
  local log
  log=$(mktemp)
  # shellcheck disable=SC2016 # expanded in there
  if first=$1 timeout -k 10 3600 xvfb-run -a -s '-screen 0 1280x800x24' bash -c '
       bash -c "$first" & job=$!
       # The window is up when X knows it by name.
       while kill -0 $job 2>/dev/null; do
         if window=$(xdotool search --onlyvisible --name "Headlight" 2>/dev/null | head -n 1) && [ -n "$window" ]; then
           echo "the window is open"; sleep 2
           xdotool windowfocus "$window" key ctrl+q
           sleep 1; wait $job; exit $?
         fi
         sleep 0.2
       done
       wait $job; exit 1' >"$log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    note_failure "first command of the README" "$log"
  fi
  # With what compiler and window warned of: nothing.
  grep -E 'the window is open|warning: .*\[-W|-(WARNING|CRITICAL) \*\*' "$log"
  rm -f "$log"
}

run_readme() {
  local first second
  first=$(readme_command 1)
  second=$(readme_command 2)
  if [ -z "$first" ] || [ -z "$second" ]; then echo "README.md names no two commands"; exit 1; fi

  say "first command of the README"
  echo "$first"
  build_and_open "$first"
  say "second command of the README"
  echo "$second"
  test_run "tests" "$second"
}

# What failed, and the last line; fails when something failed.
tell_counts() {
  cat "$failures"
  printf '\n%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
