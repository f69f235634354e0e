#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Latency and throughput of routers over area and clock: examples/explore/routers/run.sh WEFT [OPTION …]
# Simulates the routers of allocators.yaml, pipelines.yaml and buffers.yaml in an 8x8 mesh under uniform and transpose traffic, from low
# loads to far beyond saturation. Draws results/routers_PART_PATTERN.throughput.svg and .latency.svg: throughput, and latency at a medium
# load, over area, with the Pareto front. WEFT: the command, e.g. build/release/weft. OPTIONS: those of `weft sweep`, except -o. Some five
# minutes on two cores. docs/03_reference/routers_compared.py makes the page of these results.
set -euo pipefail
[ $# -ge 1 ] || { sed -n 3,7p "$0" >&2; exit 2; }
weft=$1
here=$(dirname "$0")
shift

full=0.7
for pattern in uniform transpose; do
  loads=0.01,0.1,0.15,0.2,0.25,0.3,0.32,0.34,0.35,0.36,0.38,0.4,0.42 medium=0.2
  [ $pattern = uniform ] || loads=0.01,0.05,0.1,0.12,0.13,0.14,0.15,0.16 medium=0.1
  for part in allocators pipelines buffers; do
    name=routers_${part}_$pattern
    "$weft" sweep "$here/$part.yaml" --set "workload.pattern=$pattern" --set "output.name=$name" \
      --over "workload.injection.load=$loads,$full" "$@"
    draw=("$weft" plot pareto "results/$name.sweep.csv" --join "$here/area_of_$part.csv" --x area_mm2)
    "${draw[@]}" --where "workload.injection.load=$full" --y accepted --larger y \
      --title "Throughput of an 8x8 mesh over area of a router, $pattern traffic" -o "results/$name.throughput.svg"
    "${draw[@]}" --where "workload.injection.load=$medium" --y latency_mean \
      --title "Latency at load $medium over area of a router, $pattern traffic" -o "results/$name.latency.svg"
    echo "  wrote results/$name.throughput.svg, results/$name.latency.svg"
  done
done
