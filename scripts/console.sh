#!/bin/sh
# Becomes the console, with the project's own Node first on the path. What is allocated in large pieces, such as what compiling takes
# once, goes back to the system when it is freed: glibc would hold some 15 MB of it for ever.
MALLOC_MMAP_THRESHOLD_=65536
MALLOC_TRIM_THRESHOLD_=131072
export MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_
exec node "$(dirname "$0")/../apps/server/dist/main.js"
