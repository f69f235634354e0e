#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs fuzz targets: tb/fuzz/run.sh [--seconds N | --runs N] [--seed N] [--slow N] [--build DIR] [--expect-finding] [TARGET ...]
#
#   --seconds N       time for each target (60)
#   --runs N          number of inputs for each target, without a limit of time
#   --seed N          seed of libFuzzer's mutations (random); with --runs and an empty DIR/corpus, the same inputs each time
#   --slow N          seconds after which an input is a finding (600)
#   --build DIR       a build folder with WEFT_FUZZ on (default: build/fuzz, made with preset fuzz if it does not exist)
#   --expect-finding  the targets have a fault that must be found; its input is not minimized
#   TARGET            readers: yaml, network, graphml, dot, lists, recording, ccsched, forwarding, rules, configuration,
#                     trace, netrace, chakra, or `readers` for all of them; datapath: decode, decompressor_k1, _k2, _k4,
#                     compressor_k1, _k2, _k4, planted; default: all except planted
#
# Starts from the seeds of fuzz_corpus and from inputs that earlier runs kept in DIR/corpus. An input with a finding is
# minimized and stored in DIR/findings. Exit status: 0 no finding (or the expected one), 1 otherwise.
set -euo pipefail
home=$(cd "$(dirname "$0")/../.." && pwd)
seconds=60 runs=-1 slow=600 build="$home/build/fuzz" seed=0 expect=false targets=()
texts=(yaml network graphml dot lists recording ccsched forwarding rules configuration) # targets with long inputs
readers=("${texts[@]}" trace netrace chakra)
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) seconds=${2:?} && shift ;;
    --runs) runs=${2:?} seconds=0 && shift ;;
    --seed) seed=${2:?} && shift ;;
    --slow) slow=${2:?} && shift ;;
    --build) build=${2:?} && shift ;;
    --expect-finding) expect=true ;;
    --help)
      sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
      exit 0
      ;;
    -*) printf 'fuzz: unknown option %s (--help shows them)\n' "$1" >&2 && exit 2 ;;
    readers) targets+=("${readers[@]}") ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[ ${#targets[@]} -gt 0 ] ||
  targets=("${readers[@]}" decode decompressor_k1 decompressor_k2 decompressor_k4 compressor_k1 compressor_k2 compressor_k4)

if [ "$build" = "$home/build/fuzz" ]; then
  (cd "$home" && cmake --preset fuzz >/dev/null && cmake --build --preset fuzz --target fuzz_corpus "${targets[@]/#/fuzz_}" >&2)
fi
# SystemC's library does not free its memory.
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 ASAN_OPTIONS=detect_leaks=0

status=0
for target in "${targets[@]}"; do
  program="$build/tb/fuzz/fuzz_$target"
  [ -x "$program" ] || { printf 'fuzz: %s is not built\n' "$program" >&2 && exit 2; }
  kind=${target%%_*}
  [ "$kind" != planted ] || kind=compressor
  length=1024
  case " ${texts[*]} " in *" $kind "*) length=32768 ;; esac
  seeds="$build/corpus/seeds_$kind" kept="$build/corpus/$target" findings="$build/findings/$target"
  ! $expect || kept=$(mktemp -d)  # the number of inputs until the finding counts from the seeds
  mkdir -p "$kept" "$findings"
  "$build/tb/fuzz/fuzz_corpus" "$kind" "$seeds"
  log="$build/$target.log"
  began=$(date +%s)
  found=false
  "$program" -max_total_time="$seconds" -runs="$runs" -seed="$seed" -max_len="$length" -timeout="$slow" -detect_leaks=0 -print_final_stats=1 \
    -artifact_prefix="$findings/" "$kept" "$seeds" >"$log" 2>&1 || found=true
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  printf '%s: %s inputs in %d s, coverage %s\n' "$target" "${executions:-no}" $(($(date +%s) - began)) \
    "$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1)"
  if $found; then
    grep -E '^finding:|ERROR: (Addr|lib)|runtime error' "$log" || tail -n 20 "$log"
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    if [ -n "$input" ] && ! $expect; then
      "$program" -minimize_crash=1 -max_total_time=20 -detect_leaks=0 -exact_artifact_path="$findings/smallest" "$input" \
        >/dev/null 2>&1 || true
      [ -s "$findings/smallest" ] || cp "$input" "$findings/smallest"
      printf 'smallest input, in %s:\n' "$findings/smallest"
      od -An -tx1 "$findings/smallest"
    fi
  fi
  if $expect; then
    rm -r "$kept"
    grep -q '^finding:' "$log" || status=1
  elif $found; then
    status=1
  fi
done
exit $status
