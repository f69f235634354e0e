#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Saturation load of routers over their area: examples/explore/router.sh WEFT [OPTION …]
# Draws results/router.front.svg: the saturation load of an 8x8 mesh for each router of router.yaml, over the router's area in router_area.csv,
# with the Pareto front. WEFT: the command, e.g. build/release/weft. OPTIONS: those of `weft saturation`, except -o.
set -euo pipefail
[ $# -ge 1 ] || { sed -n 3,5p "$0" >&2; exit 2; }
weft=$1
here=$(dirname "$0")
shift
"$weft" saturation "$here/router.yaml" "$@"
"$weft" plot pareto results/router.saturation.csv --join "$here/router_area.csv" --x area_mm2 --y saturation_low --larger y \
  --title "Saturation load of an 8x8 mesh over area of a router" -o results/router.front.svg
echo "  wrote results/router.front.svg"
