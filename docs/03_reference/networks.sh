#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures what networks.md lists: docs/03_reference/networks.sh WEFT DIRECTORY
# WEFT: the command, e.g. build/release/weft. DIRECTORY: for the tables (CSV); those that are there are not run again.
# Prints the table of the page. Some five minutes on two cores.
set -euo pipefail
[ $# -eq 2 ] || { sed -n 2,4p "$0" >&2; exit 2; }
home=$(cd "$(dirname "$0")/../.." && pwd)
weft=$(realpath "$1")
mkdir -p "$2"
cd "$2"

# A row: name; topology; routing; VCs at least (the generator's documentation; the run uses 4, or more where it must).
tree='{kind: fat_tree, children: [4, 4, 4], parents: [1, 4, 4]}'
rows=(
  'mesh 8x8;{kind: mesh, shape: [8, 8]};dimension_order;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};o1turn;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};valiant;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};romm;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};minimal_adaptive;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};west_first;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};north_last;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};negative_first;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};odd_even;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};planar_adaptive;4'
  'mesh 8x8;{kind: mesh, shape: [8, 8]};up_down;4'
  'mesh 4x4x4;{kind: mesh, shape: [4, 4, 4]};dimension_order;4'
  'concentrated mesh 4x4, 4 nodes;{kind: mesh, shape: [4, 4], nodes_per_router: 4};dimension_order;4'
  'torus 8x8;{kind: torus, shape: [8, 8]};dimension_order;4'
  'torus 8x8;{kind: torus, shape: [8, 8]};o1turn;4'
  'torus 8x8;{kind: torus, shape: [8, 8]};valiant;4'
  'torus 8x8;{kind: torus, shape: [8, 8]};romm;4'
  'torus 8x8;{kind: torus, shape: [8, 8]};minimal_adaptive;4'
  'torus 8x8;{kind: torus, shape: [8, 8]};up_down;4'
  'torus 4x4x4;{kind: torus, shape: [4, 4, 4]};dimension_order;4'
  'ring 16;{kind: ring, shape: [16]};dimension_order;4'
  'ring 16, one-way;{kind: ring, shape: [16], direction: one_way};dimension_order;4'
  'hypercube 6;{kind: hypercube, dimensions: 6};dimension_order;4'
  'hypercube 6;{kind: hypercube, dimensions: 6};minimal_adaptive;4'
  "4-ary 3-tree;$tree;{algorithm: nearest_common_ancestor, ascent: destination_modulo};4"
  "4-ary 3-tree;$tree;{algorithm: nearest_common_ancestor, ascent: random};4"
  "4-ary 3-tree;$tree;{algorithm: nearest_common_ancestor, ascent: least_loaded};4"
  'FT(4, 2);{kind: fat_tree, children: [2, 4], parents: [1, 2]};nearest_common_ancestor;4'
  'GFT(2, 3, 3);{kind: fat_tree, children: [3, 3], parents: [3, 3]};nearest_common_ancestor;4'
  'GFT(2, 4, 2);{kind: fat_tree, children: [4, 4], parents: [2, 2]};nearest_common_ancestor;4'
  'XGFT(2; 3, 4; 1, 2);{kind: fat_tree, children: [3, 4], parents: [1, 2]};nearest_common_ancestor;4'
  'rings 4, 4;{kind: hierarchical_ring, rings: [4, 4]};shortest;4'
  'rings 4, 4, 4;{kind: hierarchical_ring, rings: [4, 4, 4]};shortest;4'
  'rings 4, 4, 4, corners;{kind: hierarchical_ring, rings: [4, 4, 4], representative: corner};shortest;4'
  'Octagon;{kind: octagon};shortest;4'
  'fat Octagon, 2 nodes;{kind: octagon, nodes_per_router: 2};shortest;4'
  'extended Octagon 16;{kind: octagon, routers: 16};shortest;4'
  'two Octagons;{kind: octagon, octagons: 2};shortest;4'
  'random 16, degree 4;{kind: random, routers: 16};up_down;4'
  'random 64, degree 4;{kind: random, routers: 64};up_down;4'
  'random 64, degree 4;{kind: random, routers: 64};shortest;4'
  'random 64, degree 4;{kind: random, routers: 64};minimal_adaptive;4'
  'flattened butterfly 8x8;{kind: flattened_butterfly, shape: [8, 8]};dimension_order;4'
  'flattened butterfly 8x8;{kind: flattened_butterfly, shape: [8, 8]};minimal_adaptive;4'
  'flattened butterfly 4x4, 4 nodes;{kind: flattened_butterfly, shape: [4, 4], nodes_per_router: 4};dimension_order;4'
  'flattened butterfly 4x4, 4 nodes;{kind: flattened_butterfly, shape: [4, 4], nodes_per_router: 4};ugal;4'
  'dragonfly, 72 nodes;{kind: dragonfly};minimal;4'
  'dragonfly, 72 nodes;{kind: dragonfly};minimal_adaptive;4'
  'dragonfly, 72 nodes;{kind: dragonfly};valiant;4'
  'dragonfly, 72 nodes;{kind: dragonfly};ugal;4'
  'Slim Fly 5;{kind: slim_fly};shortest;4'
  'Slim Fly 5;{kind: slim_fly};minimal_adaptive;4'
  'concentrated mesh 4x4, 4 nodes, express channels;{kind: express_mesh, shape: [4, 4]};express_order;4'
  'mesh 4x4x4, 4 columns of TSVs;{kind: tsv_mesh, shape: [4, 4, 4]};elevator_first;4'
  'mesh 4x4x4, 4 columns of TSVs;{kind: tsv_mesh, shape: [4, 4, 4]};minimal_adaptive;4'
  '4-ary 3-fly;{kind: k_ary_n_fly, arity: 4};destination_tag;4'
  '2-ary 6-fly;{kind: k_ary_n_fly, stages: 6};destination_tag;4'
  '4 dies of 4x4, 4 links a side;{kind: chiplets, shape: [4, 4]};die_by_die;4'
  '4 dies of 4x4, 2 links a side;{kind: chiplets, shape: [4, 4], links_per_side: 2};die_by_die;4'
  '4 dies of 4x4, 2 links a side;{kind: chiplets, shape: [4, 4], links_per_side: 2};minimal_adaptive;4'
  '4 dies of 4x4, 2 links a side;{kind: chiplets, shape: [4, 4], links_per_side: 2};up_down;4'
  '4 dies of 4x4, interposer 2x2;{kind: chiplets, shape: [4, 4], interposer: [2, 2]};die_by_die;4'
  '4 dies of 4x4, interposer 4x4;{kind: chiplets, shape: [4, 4], interposer: [4, 4]};die_by_die;4'
)
loads='0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.55,0.6,0.65,0.7,0.75,0.8,0.85,0.9,0.95,1'

column() { head -n 1 "$1" | tr ',' '\n' | grep -n "^$2\$" | cut -d: -f1; }
echo '| network | routing | VCs needed | ideal | bound | measured | of the bound | latency at 0.05 |'
echo '|---|---|---|---|---|---|---|---|'
for i in "${!rows[@]}"; do
  IFS=';' read -r name topology routing vcs <<<"$(sed 's/XGFT(2; /XGFT(2, /;s/; 1, 2)/, 1, 2)/' <<<"${rows[$i]}")"
  set=(--set simulation.level=engine --set "network.topology=$topology" --set "network.routing=$routing"
    --set "network.router.vcs=$vcs" --set workload.pattern=uniform --set workload.length=1)
  [ -s "$i.sweep.csv" ] ||
    "$weft" sweep "$home/examples/quickstart.yaml" --over "workload.injection.load=$loads" "${set[@]}" \
      --set simulation.warmup=2000 --set simulation.measure=6000 --set simulation.drain=20000 \
      --set output.directory=. --set "output.name=$i" --quiet >/dev/null || [ $? -eq 1 ]
  "$weft" topology "$home/examples/quickstart.yaml" "${set[@]}" >"$i.txt"
  figure() { sed -n "s/^  $1  *\([0-9.]*\).*/\1/p" "$i.txt" | head -n 1; }
  # shellcheck disable=SC2001  # it takes a part out
  awk -F, -v name="$name" -v routing="$(sed 's/.*ascent: \(.*\)}/\1/' <<<"$routing")" \
    -v needed="$(figure 'VCs needed')" \
    -v ideal="$(figure 'ideal throughput')" -v bound="$(figure 'accepted, at most')" \
    -v a="$(column "$i.sweep.csv" accepted)" -v l="$(column "$i.sweep.csv" latency_mean)" '
    NR == 2 { low = $l }
    NR > 1 && $a > most { most = $a }
    END {
      if (bound == "") bound = ideal
      printf "| %s | `%s` | %s | %s | %s | %.3f | %.0f %% | %.1f |\n",
        name, routing, needed, ideal, bound, most, 100 * most / bound, low
    }' "$i.sweep.csv"
done
