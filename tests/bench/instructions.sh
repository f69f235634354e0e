#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Counts the instructions of the engine or the pin level per flit-hop with callgrind. The result is the same on every
# run, however busy the machine.
#
#   tests/bench/instructions.sh [bench_engine [side:load_permille:flits …]]
#   tests/bench/instructions.sh bench_pin side:load_permille:flits …
#
# flits 0: packets of 10…200 flits. Each case runs twice, over n cycles and over 2 n; the difference removes setup and
# teardown.
# WEFT_BENCH_CYCLES sets n (default 5000). Exit status 2: valgrind is not installed.
set -eu

bench=${1:-build/release/tests/bench/bench_engine}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- 8:100:1 8:400:1 8:400:5 8:200:0
cycles=${WEFT_BENCH_CYCLES:-5000}

command -v valgrind >/dev/null || { echo "$0: valgrind is missing; install it to count instructions" >&2; exit 2; }
[ -x "$bench" ] || { echo "$0: no program $bench; build the target bench_engine" >&2; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# count side:load:flits cycles → "instructions flit-hops"
count() {
  filter=$(echo "$1" | sed 's|\(.*\):\(.*\):\(.*\)|^mesh/side:\1/load_permille:\2/flits:\3/(gated:1/rtl:0/)?iterations|')
  if ! WEFT_BENCH_CYCLES=$2 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
      "$bench" --benchmark_filter="$filter" --benchmark_format=json >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
  # bench_pin measures in a subprocess, which has more instructions than the process that waits for it.
  awk '/Collected/ && $NF > instructions { instructions = $NF } /"flit-hops"/ { hops = $2 + 0 } END { printf "%s %.0f", instructions, hops }' "$log"
}

printf '%-24s %14s %14s\n' side:load_permille:flits flit-hops instr/flit-hop
for case in "$@"; do
  once=$(count "$case" "$cycles")
  twice=$(count "$case" $((2 * cycles)))
  echo "$case $once $twice" | awk '
    NF != 5 || $5 <= $3 { printf "%-24s %14s %14s\n", $1, "-", "no such case"; failed = 1; next }
    { printf "%-24s %14.0f %14.1f\n", $1, $5 - $3, ($4 - $2) / ($5 - $3) }
    END { exit failed }'
done
