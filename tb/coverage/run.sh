#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Coverage of the RTL by the lockstep tests: lines, branches and cover points, by module.
#
#   tb/coverage/run.sh [--no-build] [--build DIR]
#
# Builds the lockstep tests with models that count (build/coverage), runs them as ./test does, and adds up the counts. The
# table is DIR/coverage/table.md. Exit status: 0 all reachable points are reached, 1 some are not, 2 wrong usage.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
. scripts/prepare.sh

build=build/coverage compile=true
while [ $# -gt 0 ]; do
  case "$1" in
    --no-build) compile=false ;;
    --build)
      [ $# -ge 2 ] || { echo "coverage: --build needs a folder" >&2; exit 2; }
      build=$2
      shift
      ;;
    --help)
      sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
      exit 0
      ;;
    *)
      echo "coverage: unknown argument $1 (--help shows them)" >&2
      exit 2
      ;;
  esac
  shift
done

if $compile; then
  require_packages "${build_packages[@]}" "${test_packages[@]}"
  say "building the lockstep tests with models that count ($build)"
  cmake --preset release -B "$build" -DWEFT_TESTS=ON -DWEFT_RTL_COVERAGE=ON >/dev/null
  cmake --build "$build" -- -k 0 tests/lockstep/all weft
fi

rm -rf "$build/coverage"
mkdir -p "$build/coverage"
say "running them"
WEFT_RTL_COVERAGE_FOLDER=$PWD/$build/coverage ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" \
  --label-regex '^lockstep$' --label-exclude '^soak$' >"$build/coverage/ctest.log" ||
  { tail -n 40 "$build/coverage/ctest.log" >&2; exit 1; }
status=0
python3 -B "$here/report.py" "$build/coverage" >"$build/coverage/table.md" || status=$?
cat "$build/coverage/table.md"
exit $status
