#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Mesh, Octagon, torus and fat tree at equal bisection in one picture: examples/explore/networks.sh WEFT [OPTION …]
# Draws results/networks.latency.svg, latency over the load in bits, from the curves of networks.yaml. WEFT: the command, e.g.
# build/release/weft. OPTIONS: those of `weft curve`, except -o.
set -euo pipefail
[ $# -ge 1 ] || { sed -n 3,5p "$0" >&2; exit 2; }
weft=$1
here=$(dirname "$0")
shift
"$weft" curve "$here/networks.yaml" "$@"
"$weft" plot latency-load results/networks.curve.csv --bits --title "Four networks of 16 nodes with a bisection of 512 bits" \
  --label mesh --label Octagon --label torus --label "fat tree" -o results/networks.latency.svg
echo "  wrote results/networks.latency.svg"
