#!/bin/sh
# Keeps the console running, with the project's own Node first on the path: one that falls is started again, later and later.
# It ends with the console when that was asked to end (0) or could not start (1). What is allocated in large pieces, such as
# what compiling takes once, goes back to the system when it is freed: glibc would hold some 15 MB of it for ever, and some
# 10 MB more in an arena for each of a dozen threads, most of which do nothing.
MALLOC_MMAP_THRESHOLD_=16384
MALLOC_TRIM_THRESHOLD_=131072
MALLOC_ARENA_MAX=2
CONSOLE_KEEPER=$$
CONSOLE_FALLS=0
# What V8 is told, for the room of what is new and of what is old (docs/decisions/046-memory-after-a-load.md).
nodeFlags=$(cat "$(dirname "$0")/node-flags")
export MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_ MALLOC_ARENA_MAX CONSOLE_KEEPER CONSOLE_FALLS
program="$(dirname "$0")/../apps/server/dist/main.js"
asked=''
running=''
forward() {
  asked=yes
  [ -z "$running" ] || kill -s "$1" "$running" 2> /dev/null
}
trap 'forward TERM' TERM
trap 'forward INT' INT
pause=1
while [ -z "$asked" ]; do
  started=$(date +%s)
  # Several words.
  # shellcheck disable=SC2086
  node $nodeFlags "$program" &
  running=$!
  # A signal ends the waiting, not the console.
  while :; do
    wait "$running"
    status=$?
    kill -0 "$running" 2> /dev/null || break
  done
  running=''
  [ -z "$asked" ] || exit "$status"
  case $status in 0 | 1) exit "$status" ;; esac
  [ $(($(date +%s) - started)) -lt 60 ] || pause=1
  CONSOLE_FALLS=$((CONSOLE_FALLS + 1))
  echo "Agency Console fell (status $status) and is started again in $pause s" >&2
  sleep "$pause" &
  running=$!
  wait "$running"
  running=''
  pause=$((pause < 32 ? pause * 2 : 60))
done
