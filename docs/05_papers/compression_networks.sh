#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Figs. 9 and 10 of COMPRESS, which compression.md reports: docs/05_papers/compression_networks.sh WEFT DIRECTORY
# WEFT: the command, e.g. build/release/weft. DIRECTORY: for the tables (CSV); those that are there are not run again.
# A minute or two on two cores.
set -euo pipefail
[ $# -eq 2 ] || { sed -n 2,4p "$0" >&2; exit 2; }
home=$(cd "$(dirname "$0")/../.." && pwd)
weft=$(realpath "$1")
mkdir -p "$2"
cd "$2"

never=1000000 # a threshold that N does not reach
modes=(none always selective)
declare -A settings=(
  [none]='none'
  [always]='{mode: always, latency: 100, size: 2}'
  [selective]="{mode: selective, latency: 100, size: 2, received_threshold: $never}"
)
networks=(mesh64 torus64 random64 mesh16 torus16 random16)
declare -A topologies=(
  [mesh64]='{kind: mesh, shape: [8, 8]}' [torus64]='{kind: torus, shape: [8, 8]}'
  [random64]='{kind: random, routers: 64}'
  [mesh16]='{kind: mesh, shape: [4, 4]}' [torus16]='{kind: torus, shape: [4, 4]}'
  [random16]='{kind: random, routers: 16}'
)
loads='0.02,0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.55,0.6,0.65,0.7,0.75,0.8,0.85,0.9,0.95'

seeds=(1 2 3 4 5)

for network in "${networks[@]}"; do
  for mode in "${modes[@]}"; do
    for seed in "${seeds[@]}"; do
      table="${network}_${mode}_$seed"
      [ -s "$table.sweep.csv" ] && continue
      printf '%s, %s, seed %s\n' "$network" "$mode" "$seed" >&2
      "$weft" sweep "$home/examples/compression.yaml" --over "workload.injection.load=$loads" \
        --set simulation.level=tlm --set simulation.drain=20000 --set "network.topology=${topologies[$network]}" \
        --set "nic.compression=${settings[$mode]}" --set "simulation.seed=$seed" \
        --set output.directory=. --set "output.name=$table" --quiet >/dev/null || [ $? -eq 1 ]
    done
  done
done

column() { head -n 1 "$1" | tr ',' '\n' | grep -n "^$2\$" | cut -d: -f1; }
first=mesh64_none_1.sweep.csv
accepted=$(column $first accepted) latency=$(column $first latency_mean) outcome=$(column $first outcome)
{
  echo "set terminal svg size 1150,720 font 'sans,11' background rgb 'white'"
  echo "set output 'compression_networks.svg'"
  echo "set datafile separator ','; set multiplot layout 2,3; set grid; set yrange [0:2000]"
  echo "set xlabel 'accepted, flits/node/cycle'; set ylabel 'mean latency, cycles'"
  echo "set key top left samplen 2 font ',9'"
  for network in "${networks[@]}"; do
    plots=()
    for mode in "${modes[@]}"; do
      curve="using $accepted:$latency with linespoints pointsize 0.5 title '$mode'"
      plots+=("'${network}_${mode}_1.sweep.csv' every ::1 $curve")
    done
    echo "set title '${network%[16][46]}, ${network: -2} nodes' noenhanced"
    (IFS=,; echo "plot ${plots[*]}")
  done
} >compression_networks.gnuplot
gnuplot compression_networks.gnuplot
printf 'drew %s/compression_networks.svg\n' "$PWD" >&2

# What the page quotes, the median of the seeds.
median() { cut -d' ' -f"$1" seeds.txt | sort -g | sed -n "$(((${#seeds[@]} + 1) / 2))p"; }
for network in "${networks[@]}"; do
  for mode in "${modes[@]}"; do
    for seed in "${seeds[@]}"; do
      awk -F, -v a="$accepted" -v l="$latency" -v o="$outcome" '
        NR == 2 { low = $l }
        NR > 1 && $a > most { most = $a }
        NR > 1 && $o == "complete" { stable = $a }
        END { printf "%.3f %.3f %.0f\n", most, stable, low }' "${network}_${mode}_$seed.sweep.csv"
    done >seeds.txt
    printf '%-20s most %.3f  stable %.3f  latency at the lowest load %.0f  (stable: %s)\n' \
      "$network $mode" "$(median 1)" "$(median 2)" "$(median 3)" "$(cut -d' ' -f2 seeds.txt | xargs)"
  done
done | tee summary.txt
