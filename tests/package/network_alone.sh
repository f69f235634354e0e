#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# network_alone.sh SOURCE BUILD [CMAKE_OPTION…]: builds the command without collectives and MPI, runs an experiment with
# it, and expects that a command which was left out names the option that builds it.
set -euo pipefail
source=$1 build=$2
shift 2
cd "$source"
cmake --preset network -B "$build" -DWEFT_TESTS=OFF -DWEFT_BENCH=OFF -DWEFT_RTL=OFF "$@"
cmake --build "$build" --target weft
cd "$build"
./weft run "$source/examples/quickstart.yaml" --set simulation.measure=1000 -o results
for line in 'collective WEFT_COLLECTIVES' 'replay WEFT_MPI'; do
  read -r command option <<<"$line"
  if ./weft "$command" "$source/examples/quickstart.yaml" 2>left_out; then
    echo "weft $command ended with status 0" >&2
    exit 1
  fi
  grep -F "build it with -D$option=ON" left_out
done
