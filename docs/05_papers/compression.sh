#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the experiments of compression.md and draws its figures: docs/05_papers/compression.sh WEFT DIRECTORY
# WEFT: the command, e.g. build/release/weft. DIRECTORY: for the tables (CSV); those that are there are not run again.
# A few minutes on two cores.
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
halves='0.01,0.03,0.05,0.07,0.09,0.11,0.13,0.15,0.17,0.19,0.21,0.23,0.25,0.27,0.3,0.33,0.36,0.4'
declare -A loads=(
  [uniform]='0.02,0.05,0.1,0.15,0.2,0.25,0.28,0.31,0.34,0.37,0.4,0.44,0.48,0.52,0.56,0.6,0.66,0.72'
  [transpose]="$halves"
  [bit_reversal]="$halves"
)
patterns=(uniform transpose bit_reversal)
seeds=(1 2 3 4 5)

for pattern in "${patterns[@]}"; do
  for name in "${names[@]}"; do
    for seed in "${seeds[@]}"; do
      table="${pattern}_${name}_$seed"
      [ -s "$table.sweep.csv" ] && continue
      printf '%s, %s, seed %s\n' "$pattern" "$name" "$seed" >&2
      "$weft" sweep "$home/examples/compression.yaml" --over "workload.injection.load=${loads[$pattern]}" \
        --set simulation.level=tlm --set "workload.pattern=$pattern" --set "nic.compression=${settings[$name]}" \
        --set "simulation.seed=$seed" --set output.directory=. --set "output.name=$table" --quiet >/dev/null ||
        [ $? -eq 1 ]
    done
  done
done

# Latency and share of compressed packets over accepted traffic, as Figs. 7 and 8 of COMPRESS: the first seed.
column() { head -n 1 "$1" | tr ',' '\n' | grep -n "^$2\$" | cut -d: -f1; }
titles=('none' 'always, 100 cycles, ratio 2' 'N > 0 or Q > 0, 100 cycles' 'Q > 0, 100 cycles'
  'N > 250 or Q > 0, 100 cycles'
  'always, rtl' 'Q > 0, rtl')
first=uniform_none_1.sweep.csv
accepted=$(column $first accepted) latency=$(column $first latency_mean) share=$(column $first compressed_share)
{
  echo "set terminal svg size 1150,760 font 'sans,11' background rgb 'white'"
  echo "set output 'compression.svg'"
  echo "set datafile separator ','; set multiplot layout 2,3; set grid; set yrange [0:*]"
  for y in latency share; do
    for pattern in "${patterns[@]}"; do
      echo "set title '$pattern' noenhanced; set xlabel 'accepted, flits/node/cycle'"
      if [ $y = latency ]; then
        echo "set ylabel 'mean latency, cycles'; set yrange [0:2000]; set key top left samplen 2 font ',9'"
      else
        echo "set ylabel 'packets compressed'; set yrange [0:1.05]; unset key"
      fi
      plots=()
      for i in "${!names[@]}"; do
        curve="using $accepted:${!y} with linespoints pointsize 0.5 title '${titles[$i]}'"
        plots+=("'${pattern}_${names[$i]}_1.sweep.csv' every ::1 $curve")
      done
      (IFS=,; echo "plot ${plots[*]}")
    done
  done
} >compression.gnuplot
gnuplot compression.gnuplot
printf 'drew %s/compression.svg\n' "$PWD" >&2

# What the page quotes, the median of the seeds: highest accepted traffic, that of the highest load the network still
# settles
# at, the share of packets compressed there, latency at the lowest load and at 0.25.
median() { cut -d' ' -f"$1" seeds.txt | sort -g | sed -n "$(((${#seeds[@]} + 1) / 2))p"; }
outcome=$(column $first outcome)
for pattern in "${patterns[@]}"; do
  for name in "${names[@]}"; do
    for seed in "${seeds[@]}"; do
      awk -F, -v a="$accepted" -v l="$latency" -v s="$share" -v o="$outcome" '
        NR == 2 { low = $l }
        NR > 1 && $a > most { most = $a }
        NR > 1 && $o == "complete" { stable = $a; at = $s }
        $1 == 0.25 { quarter = $l }
        END { printf "%.3f %.3f %.0f %.0f %.0f\n", most, stable, 100 * at, low, quarter }' \
        "${pattern}_${name}_$seed.sweep.csv"
    done >seeds.txt
    printf '%-32s most %.3f  stable %.3f  compressed there %3.0f %%  ' \
      "$pattern $name" "$(median 1)" "$(median 2)" "$(median 3)"
    printf 'latency at the lowest load %.0f, at 0.25 %.0f  (stable: %s)\n' \
      "$(median 4)" "$(median 5)" "$(cut -d' ' -f2 seeds.txt | xargs)"
  done
done | tee summary.txt
