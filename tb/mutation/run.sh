#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Mutation testing of the RTL: counts the deliberate faults that the lockstep tests find.
#
#   tb/mutation/run.sh [--number N] [--seed N] [--module NAME] [--every N] [--jobs N] [--build DIR] [--no-build]
#                      [--no-proof] [--report NAME]
#
#   --number N     total number of mutations, distributed over the modules by size (1000)
#   --seed N       seed of the mutations and of the tests (1)
#   --module NAME  only this module, e.g. bit_packer
#   --every N      only every N-th mutation: a sample (1)
#   --jobs N       number of parallel processes (number of processors)
#   --build DIR    the build folder (build/release)
#   --no-build     run the existing build, with its number and seed of mutations
#   --no-proof     no proofs: only mutations of the same netlist that an earlier run has proved count as equal
#   --report NAME  name of the results (report)
#
# Every mutation runs under the lockstep tests of its module, as long as in ./test. If they do not find it, prove.sh compares
# it with the original module. A mutation that is neither found nor proved equal is a survivor: a stimulus is missing, unless
# argued.tsv has an argument. Results: DIR/mutation/NAME.md and NAME.json. Exit status: 0 no survivor, 1 survivors, 2 wrong
# usage or tests that fail without any mutation.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$here/../.." && pwd)

number=1000 seed=1 only="" every=1 report=report jobs=$(nproc) build="$home/build/release" compile=true prove=true
fail() {
  printf 'mutation: %s\n' "$*" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case "$1" in
    --no-build) compile=false ;;
    --no-proof) prove=false ;;
    --help)
      sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
      exit 0
      ;;
    --number | --seed | --module | --every | --jobs | --build | --report)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case "$1" in
        --number) number=$2 ;;
        --seed) seed=$2 ;;
        --module) only=$2 ;;
        --every) every=$2 ;;
        --jobs) jobs=$2 ;;
        --build) build=$2 ;;
        --report) report=$2 ;;
      esac
      shift
      ;;
    *) fail "unknown argument $1 (--help shows them)" ;;
  esac
  shift
done
for value in "$number" "$seed" "$every" "$jobs"; do
  [[ $value =~ ^[1-9][0-9]*$ ]] || fail "expected a positive number, got '$value'"
done

if $compile; then
  cmake -S "$home" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_TESTS=ON \
    -DWEFT_MUTATION_NUMBER="$number" -DWEFT_MUTATION_SEED="$seed" >/dev/null
  cmake --build "$build" --target weft_mutants >&2
fi
made="$build/tb/mutation"
program="$made/weft_mutants"
[ -x "$program" ] || fail "$program is not built (is yosys installed?)"
out="$build/mutation"
mkdir -p "$out"
work=$(mktemp -d "$out/run.XXXXXX")
trap 'rm -rf "$work"' EXIT
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 WEFT_SEED=$seed
export program made work here prove

# tests_of SUITE NAME: the tests of the suite for this variant, with all of its draws, one per line. SystemC elaborates
# once per process, so each test runs in a separate process.
tests_of() {
  "$program" --gtest_filter="*$1.*" --gtest_list_tests |
    awk -v name="$2" '/^[^ ]/ { suite = $1 } /^ / && ($1 == name || index($1, name "/") == 1 || $NF == name) { print suite $1 }'
}

# try_mutant VARIANT NUMBER: writes the result (caught, hung, equal, argued or survived) and its reason to a separate file.
try_mutant() {
  local variant=$1 number=$2 test status verdict=survived first=""
  while read -r test; do
    status=0
    # 120 s of processor time, so that the result does not depend on the load of the machine.
    (ulimit -c 0 && ulimit -S -t 120 && WEFT_MUTANT=$number exec "$program" --gtest_filter="$test") \
      >"$work/$variant.$number.log" 2>&1 || status=$?
    if [ $status -ne 0 ]; then
      verdict=caught
      [ $status -ne 152 ] || verdict=hung  # 128 + SIGXCPU
      first=$(grep -m1 -oE 'cycle [0-9]+: .*' "$work/$variant.$number.log" | cut -c 1-160 || true)
      break
    fi
  done <"$work/$variant.tests"
  # A proof is valid until the netlist is made again.
  local equal="$made/$variant.$number.equal" proof="$work/$variant.$number.proof"
  if [ $verdict = survived ] && [ -e "$made/$variant.il" ] && { [ "$equal" -nt "$made/$variant.il" ] || {
    $prove && "$here/prove.sh" "$made/$variant" "$number" >"$proof" 2>&1 && cp "$proof" "$equal"
  }; }; then
    verdict=equal
    first=$(tail -n 1 "$equal")
  fi
  if [ $verdict = survived ]; then
    first=$(python3 -B "$here/argued.py" "$made/$variant.list" "$number" "${variant%%_k[0-9]*}")
    [ -z "$first" ] || verdict=argued
  fi
  printf '%s\t%s\t%s\t%s\n' "$variant" "$number" "$verdict" "$first" >"$work/$variant.$number.result"
  rm "$work/$variant.$number.log"
}
export -f try_mutant

# What is argued of a line means nothing once the line has changed.
python3 -B "$here/argued.py" --check || exit 2

# The tests must pass without a mutation; else finding one means nothing.
variants=0
while IFS=$'\t' read -r variant module suite name _; do
  [ -z "$only" ] || [ "$only" = "$module" ] || continue
  variants=$((variants + 1))
  tests_of "$suite" "$name" >"$work/$variant.tests"
  [ -s "$work/$variant.tests" ] || fail "$suite has no test of $name"
  while read -r test; do
    "$program" --gtest_filter="$test" >"$work/log" 2>&1 || {
      cat "$work/log" >&2
      fail "$test fails without a mutation"
    }
  done <"$work/$variant.tests"
  awk -v name="$variant" '{ print name, $1 }' "$made/$variant.list" >>"$work/all"
done <"$made/variants.tsv"
[ $variants -gt 0 ] || fail "unknown module '$only'; expected one of: $(cut -f 2 "$made/variants.tsv" | sort -u | xargs)"

# Of a sample of every 40th, those that no test finds are proved in seconds.
awk -v every="$every" 'NR % every == 16 % every' "$work/all" >"$work/todo"
total=$(wc -l <"$work/todo")
xargs -P "$jobs" -L 1 bash -c 'try_mutant "$@"' try <"$work/todo" &
runner=$!
if [ -t 2 ]; then
  while kill -0 $runner 2>/dev/null; do
    printf '\r%d of %d mutations' "$(find "$work" -name '*.result' | wc -l)" "$total" >&2
    sleep 1
  done
  printf '\r\033[K' >&2
fi
wait $runner || fail "a mutation could not be run"
cat "$work"/*.result >"$work/results"
[ "$(wc -l <"$work/results")" -eq "$total" ] || fail "results are missing"

# The report: a table of the modules, then every mutation that was not caught.
awk -F '\t' -v seed="$seed" -v report="$out/$report.md" -v json="$out/$report.json" -v made="$made" '
  function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
  FILENAME ~ /variants.tsv$/ { module_of[$1] = $2; parameters[$1] = $5; order[++variants] = $1; next }
  { ++count[$1, $3]; ++all[$1]; ++sum[$3]; ++sums; verdict[++results] = $3; variant[results] = $1; number[results] = $2; note[results] = $4 }
  END {
    print "| module | parameters | mutations | caught | of them hung | equal by proof | argued | survivors |" >report
    print "|---|---|---|---|---|---|---|---|" >report
    printf "{\n  \"seed\": %d,\n  \"modules\": [", seed >json
    for (i = 1; i <= variants; ++i) {
      v = order[i]
      if (!(v in all)) continue
      printf "| %s | %s | %d | %d | %d | %d | %d | %d |\n", module_of[v], parameters[v], all[v],
        count[v, "caught"] + count[v, "hung"], count[v, "hung"], count[v, "equal"], count[v, "argued"],
        count[v, "survived"] >report
      printf "%s\n    {\"module\": %s, \"parameters\": %s, \"mutations\": %d, \"caught\": %d, \"hung\": %d, \"equal\": %d, \"argued\": %d, \"survived\": %d}",
        comma++ ? "," : "", quoted(module_of[v]), quoted(parameters[v]), all[v], count[v, "caught"] + count[v, "hung"],
        count[v, "hung"], count[v, "equal"], count[v, "argued"], count[v, "survived"] >json
    }
    printf "| all | | %d | %d | %d | %d | %d | %d |\n", sums, sum["caught"] + sum["hung"], sum["hung"], sum["equal"],
      sum["argued"], sum["survived"] >report
    printf "\n  ],\n  \"not caught\": [" >json
    comma = 0
    for (r = 1; r <= results; ++r) {
      if (verdict[r] == "caught") continue
      while ((getline line < (made "/" variant[r] ".list")) > 0) {
        split(line, field, "\t")
        if (field[1] == number[r]) break
      }
      close(made "/" variant[r] ".list")
      if (!listed++) print "\nMutations that no test saw, or that made it hang:\n" >report
      printf "- %s: %s %d, %s of %s bit %s at %s%s\n", verdict[r], variant[r], number[r], field[2], field[4], field[5], field[6],
        note[r] == "" ? "" : " (" note[r] ")" >report
      printf "%s\n    {\"verdict\": %s, \"variant\": %s, \"number\": %d, \"kind\": %s, \"port\": %s, \"bit\": %s, \"source\": %s, \"how\": %s}",
        comma++ ? "," : "", quoted(verdict[r]), quoted(variant[r]), number[r], quoted(field[2]), quoted(field[4]), quoted(field[5]),
        quoted(field[6]), quoted(note[r]) >json
    }
    printf "\n  ]\n}\n" >json
  }' "$made/variants.tsv" "$work/results"
cat "$out/$report.md"
! grep -q $'\tsurvived\t' "$work/results"
