#!/bin/sh
# prepared.sh install|build COMMAND…: installs what is missing (and builds the web app), then becomes the command. `node` is
# then the project's own; npm's signals reach the command itself, and no shell stays in memory.
cd "$(dirname "$0")/.." || exit 1
if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
  echo 'Agency Console needs Node.js 20.19 or newer and npm: https://nodejs.org' >&2
  exit 1
fi
# In the background, because a shell that waits for a child hears of a signal only when the child has ended.
node scripts/prepare.mjs "$1" &
preparing=$!
trap 'kill "$preparing" 2> /dev/null; wait "$preparing"; exit 143' TERM INT
wait "$preparing" || exit $?
trap - TERM INT
PATH="$PWD/node_modules/.bin:$PATH"
export PATH
shift
exec "$@"
