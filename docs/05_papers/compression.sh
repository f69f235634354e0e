#!/usr/bin/env bash
# Runs the experiments of compression.md and draws its figures: docs/05_papers/compression.sh WEFT DIRECTORY
# WEFT: the command, e.g. build/release/weft. DIRECTORY: for the tables (CSV); those that are there are not run again.
# About half an hour on two cores.
set -euo pipefail
[ $# -eq 2 ] || { sed -n 2,4p "$0" >&2; exit 2; }
home=$(cd "$(dirname "$0")/../.." && pwd)
weft=$(realpath "$1")
mkdir -p "$2"
cd "$2"

never=1000000 # a threshold that N does not reach
names=(none always selective_literal selective_queue selective_both rtl_always rtl_selective)
declare -A settings=(
  [none]='none'
  [always]='{mode: always, latency: 100, size: 2}'
  [selective_literal]='{mode: selective, latency: 100, size: 2, received_threshold: 0}'
  [selective_queue]="{mode: selective, latency: 100, size: 2, received_threshold: $never}"
  [selective_both]='{mode: selective, latency: 100, size: 2, received_threshold: 250}'
  [rtl_always]='{mode: always}'
  [rtl_selective]="{mode: selective, received_threshold: $never}"
)
declare -A loads=(
  [uniform]='0.02,0.05,0.1,0.15,0.2,0.25,0.28,0.31,0.34,0.37,0.4,0.44,0.48,0.52,0.56'
  [transpose]='0.01,0.03,0.05,0.07,0.09,0.11,0.13,0.15,0.17,0.19,0.21,0.23,0.25,0.27'
  [bit_reversal]='0.01,0.03,0.05,0.07,0.09,0.11,0.13,0.15,0.17,0.19,0.21,0.23,0.25,0.27'
)
patterns=(uniform transpose bit_reversal)

for pattern in "${patterns[@]}"; do
  for name in "${names[@]}"; do
    table="${pattern}_$name.sweep.csv"
    [ -s "$table" ] && continue
    printf '%s, %s\n' "$pattern" "$name" >&2
    "$weft" sweep "$home/examples/compression.yaml" --over "workload.injection.load=${loads[$pattern]}" \
      --set "workload.pattern=$pattern" --set "nic.compression=${settings[$name]}" \
      --set output.directory=. --set "output.name=${pattern}_$name" --quiet >/dev/null || [ $? -eq 1 ]
  done
done
