#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the C++ that Verilator generates from the widest and the narrowest modules, with and without assertions, with
# no options except the parameters, as a user would. Lint alone does not detect C++ that does not compile.
# rtl/lint/compile.sh [--quick]    --quick: the widest router and NIC with assertions
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
runs=0

# compile ASSERTIONS MODULE [-GNAME=VALUE ...]
compile() {
  local assertions=$1 output
  shift
  runs=$((runs + 1))
  if ! output=$(verilator --cc --build "$assertions" -CFLAGS -O0 -Mdir "$work/$runs" lint/verilator.vlt -F files.f \
    --top-module "$@" 2>&1); then
    failed=$((failed + 1))
    printf 'FAILED verilator --cc --build %s --top-module %s\n%s\n' "$assertions" "$*" "$(grep -E 'rror' <<<"$output" | head -n 5)" >&2
  fi
  rm -rf "${work:?}/$runs"
}

# One module and its parameters per line.
widest() {
  printf '%s\n' "weft_router -GWords=8 -GCode=1 -GPathIdBits=64" "weft_nic -GPorts=8 -GWords=8 -GEjectionDepth=8 -GVcs=2"
}
others() {
  local words
  for words in 1 2 4 8; do
    printf '%s\n' "weft_router -GWords=$words" "weft_router -GWords=$words -GPorts=3 -GVcs=2 -GCutThrough=1 -GRule=1" \
      "weft_nic -GWords=$words" "weft_nic -GPorts=4 -GWords=$words -GCompression=1 -GCode=1 -GEjectionDepth=8 -GVcs=2" \
      "weft_axi_stream_nic -GWords=$words -GEjectionDepth=4 -GCompression=1" "weft_link -GDataBits=$((168 * words))" \
      "weft_input_unit -GPorts=9 -GDataBits=$((168 * words))" "weft_compressor -GWords=$words" \
      "weft_decompressor -GWords=$words" "weft_xor_encoder -GWords=$words" "weft_xor_decoder -GWords=$words" \
      "weft_ejector -GDataBits=$((168 * words))" "weft_async_fifo -GWidth=$((168 * words))"
  done
  printf '%s\n' "weft_router -GPorts=16 -GVcs=2" "weft_router -GPorts=5 -GVcs=8 -GPipeline=9" "weft_router -GUserBits=600"
}

while read -r -a set; do
  compile --assert "${set[@]}"
done < <(widest)
if [ "${1:-}" != --quick ]; then
  while read -r -a set; do
    compile --no-assert "${set[@]}"
  done < <(widest)
  while read -r -a set; do
    compile --assert "${set[@]}"
    compile --no-assert "${set[@]}"
  done < <(others)
fi
printf 'rtl/lint/compile.sh: %d runs, %d failed\n' "$runs" "$failed"
[ "$failed" -eq 0 ]
