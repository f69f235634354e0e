# SPDX-License-Identifier: Apache-2.0
"""The hops of HNC, which are counted without simulation."""

import itertools
import math

from network_coding_tools import (
    AT_ONCE,
    Best,
    FLOOR,
    LARGE,
    MESHES,
    PRINTED_BY_GROUP,
    lattice,
    less,
    longest_paths,
    shapes,
    squarest,
)
from paper_tools import percent, plot, table

INTERLEAVED = {"inner": "interleaved_tree", "outer": "interleaved_tree"}


def hops(weft, claims, values):
    """Figs. 2, 4 to 9, 15 to 19."""
    by_trees(weft, claims, values)
    by_groups(weft, claims, values)
    at_once(weft, claims, values)
    tori(weft, claims, values)
    few_sources(weft, claims, values)
    recursion(weft, claims, values)
    beyond(weft, values)


def by_trees(weft, claims, values):
    """Figs. 2 and 5."""
    rows, lines = [], {"tree": [], "HNC, tree": [], "hierarchy uncoded": [], "spanning tree": []}
    interleaved, gains, no_gains = [], [], []
    for k in LARGE:
        tree = weft.count(k, "tree")["total"]
        coded, uncoded = Best(weft, k, "network_coding"), Best(weft, k, "hierarchy")
        for line, value in zip(lines.values(), (tree, coded.hops, uncoded.hops, FLOOR[k])):
            line.append((k, value / FLOOR[k]))
        rows.append((f"{k}-ary", FLOOR[k], tree, coded.text(), uncoded.text(), less(coded.hops, tree)))
        gains.append(1 - coded.hops / tree)

        plain = weft.count(k, "interleaved_tree")["total"]
        coded, uncoded = Best(weft, k, "network_coding", **INTERLEAVED), Best(weft, k, "hierarchy", **INTERLEAVED)
        interleaved.append((f"{k}-ary", plain, coded.text(), uncoded.text(), less(coded.hops, plain)))
        no_gains.append(1 - coded.hops / plain)
    values["hops_tree"] = table(
        ["2-mesh", "floor N(N-1)", "tree", "HNC, tree, best group", "hierarchy without XORs", "HNC less than tree"], rows
    )
    values["hops_interleaved"] = table(
        ["2-mesh", "interleaved tree", "HNC with this tree, best group", "hierarchy without XORs", "HNC less than the tree"],
        interleaved,
    )
    plot(
        "network_coding_hops",
        list(lines.items()),
        "k of the k-ary 2-mesh",
        "hops / N(N-1)",
        "set logscale x 2; set yrange [0:*]",
    )

    tree32, coded32 = weft.count(32, "tree")["total"], Best(weft, 32, "network_coding").hops
    step_f = weft.count(32, "network_coding", group=[8, 4])["F"]
    claims.add("Fig. 2", "tree: 2.7 million hops on the 32-ary 2-mesh", f"{tree32:,}", round(tree32 / 1e6, 1) == 2.7)
    claims.add(
        "Fig. 2",
        "network coding: 0.67 million hops on the same network, 75 % fewer",
        f"{coded32:,} hops, {less(coded32, tree32)} fewer",
        None if 670_000 < FLOOR[32] else coded32 < 680_000,
        f"each of 1,024 nodes must receive 1,023 data, each over at least one channel: {FLOOR[32]:,} hops. "
        f"Step F alone takes {step_f:,} hops with groups of 32",
    )
    coded64, tree64 = Best(weft, 64, "network_coding").hops, weft.count(64, "tree")["total"]
    claims.add(
        "abstract, Fig. 5",
        "94 % fewer hops than the tree with 4,096 switches",
        f"{less(coded64, tree64)} fewer",
        None if 0.06 * tree64 < FLOOR[64] else coded64 < 0.07 * tree64,
        f"the floor allows at most {less(FLOOR[64], tree64)}",
    )
    claims.add(
        "Figs. 2, 5",
        "the gain grows with the size of the network",
        f"{100 * gains[0]:.0f} % at 4-ary to {100 * gains[-1]:.0f} % at 256-ary",
        all(a < b for a, b in zip(gains, gains[1:])),
        "compared with the paper's tree, which follows rows first. With the interleaved tree in both schemes, it is "
        f"{100 * no_gains[0]:.0f} % to {100 * no_gains[-1]:.0f} %",
    )


def by_groups(weft, claims, values):
    """Figs. 4, 6, 7, 15 to 17."""
    rows, counted = [], {}
    for size in PRINTED_BY_GROUP:
        shape = squarest(size)
        counts = {
            p: weft.count(16, "network_coding", group=shape, placement=p)["total"]
            for p in ("corner", "centre", "mirror", "optimum")
        }
        counted[size] = counts["centre"]
        uncoded = Best(weft, 16, "hierarchy", candidates=[shape]).hops
        direct = weft.count(16, "network_coding_direct", group=shape)["total"]
        rows.append((size, "x".join(map(str, shape)), *counts.values(), uncoded, direct, *longest_paths(16, shape)))
    values["groups"] = table(
        [
            "M",
            "shape",
            "corner",
            "centre",
            "mirror",
            "optimum",
            "uncoded, best placement",
            "every node sends XORs",
            "longest path inside (M-hops)",
            "between intermediates (G-hops, mirror)",
        ],
        rows,
    )
    least = min(counted, key=counted.get)
    powers, any_shape = Best(weft, 16, "network_coding"), Best(weft, 16, "network_coding", candidates=all_shapes(16))
    values["any_shape"] = any_shape.text()
    values["any_shape_uncoded"] = Best(weft, 16, "hierarchy", candidates=all_shapes(16)).text()
    claims.add(
        "Fig. 6",
        "16-ary 2-mesh: groups of 32 are best",
        f"groups of {least} (8x4): {counted[least]:,} hops",
        least == 32,
        f"among nearly square groups with the intermediate in the center. Best of all shapes of powers of two: {powers.text()}",
    )
    claims.add("Fig. 6", "groups of 2 are worst", f"{counted[2]:,} hops", counted[2] == max(counted.values()))
    direct = weft.count(16, "network_coding_direct", group=[8, 4])["total"]
    claims.add(
        "Sect. 3, Fig. 4",
        "the variant in which every node sends the XORs to its counterparts, without step E, has more hops in most cases",
        f"{direct:,} hops; with step E, {counted[32]:,} hops (groups of 32)",
        all(row[7] > row[3] for row in rows),
    )
    balanced = [row[0] for row in rows if row[-2] == row[-1]]
    claims.add(
        "Figs. 15-17",
        "groups of 32 balance the longest paths inside groups and between intermediates",
        "10 hops each, if the intermediates face the center",
        balanced == [32],
    )
    claims.add(
        "Fig. 7",
        "4-ary 2-mesh: groups of 4 balance these paths, with 2 hops each",
        "{} and {} hops".format(*longest_paths(4, [2, 2])),
        longest_paths(4, [2, 2]) == (2, 2),
    )
    balance(weft, claims, values)


def balance(weft, claims, values):
    """Sect. 6.1: the group size for which the longest paths inside groups and between intermediates are most equal."""
    rows, agree, fours = [], [], {}
    for k in (4, 8, 16, 64):
        sizes = [1 << e for e in range(1, int(2 * math.log2(k)))]
        paths = {m: longest_paths(k, squarest(m)) for m in sizes}
        counts = {m: weft.count(k, "network_coding", group=squarest(m), placement="mirror")["total"] for m in sizes}
        even = min(sizes, key=lambda m: abs(paths[m][0] - paths[m][1]))
        least = min(sizes, key=counts.get)
        agree.append(even == least)
        rows.append((f"{k}-ary", even, "{} and {}".format(*paths[even]), counts[even], least, counts[least]))
        fours = fours or counts
    values["balance"] = table(
        ["2-mesh", "most balanced groups", "longest paths inside and between", "hops", "groups with the fewest hops", "hops"], rows
    )
    claims.add(
        "Sect. 6.1",
        "4-ary 2-mesh: groups of 4 are best",
        f"groups of 4: {fours[4]} hops, groups of 8: {fours[8]}",
        min(fours, key=fours.get) == 4,
    )
    claims.add(
        "Sect. 6.1",
        "the balance of these paths gives the best group size of other networks, too",
        "; ".join(f"{row[0]}: balanced {row[1]}, best {row[4]}" for row in rows),
        True if all(agree) else "on the 16-ary 2-mesh" if agree == [False, False, True, False] else False,
    )


def all_shapes(k):
    """Groups with any sides; if a side does not divide the row, the last group is smaller."""
    return [[a, b] for a in range(1, k + 1) for b in range(1, a + 1) if 1 < a * b < k * k]


def at_once(weft, claims, values):
    """Fig. 8."""
    rows, lines = [], {"all at once": [], "HNC, all at once": [], "spanning tree": []}
    for k in LARGE:
        plain, coded = weft.count(k, "all_at_once")["total"], Best(weft, k, "network_coding", **AT_ONCE)
        for line, value in zip(lines.values(), (plain, coded.hops, FLOOR[k])):
            line.append((k, value / FLOOR[k]))
        ratio, bound = plain / coded.hops, plain / FLOOR[k]
        rows.append((f"{k}-ary", plain, coded.text(), ratio, bound))
    values["hops_at_once"] = table(
        ["2-mesh", "all at once", "HNC, all at once, best group", "ratio", "ratio that the floor allows"], rows
    )
    plot(
        "network_coding_hops_at_once",
        list(lines.items()),
        "k of the k-ary 2-mesh",
        "hops / N(N-1)",
        "set logscale xy 2",
    )
    f_alone = weft.count(256, "all_at_once")["total"] / weft.count(256, "network_coding", group=[8, 4], **AT_ONCE)["F"]
    claims.add(
        "Sect. 4.4, Fig. 8",
        "32 times fewer hops than all at once on the 256-ary 2-mesh",
        f"{ratio:.1f} times fewer",
        ratio >= 31.5,
        f"the floor would allow {bound:.0f} times; step F alone, with groups of 32, takes {f_alone:.0f} times fewer hops",
    )


def tori(weft, claims, values):
    """Fig. 9."""
    rows, shares, lines = [], [], {"all at once": [], "HNC, all at once": [], "spanning tree": []}
    for k in MESHES + [64]:
        plain = weft.count(k, "all_at_once", torus=True)["total"]
        coded = Best(weft, k, "network_coding", torus=True, **AT_ONCE)
        for line, value in zip(lines.values(), (plain, coded.hops, FLOOR[k])):
            line.append((k, value / FLOOR[k]))
        mesh = percent(Best(weft, k, "network_coding", **AT_ONCE).hops, weft.count(k, "all_at_once")["total"])
        shares.append(coded.hops / plain)
        rows.append((f"{k}-ary", plain, coded.text(), percent(coded.hops, plain), mesh))
    plot(
        "network_coding_hops_torus",
        list(lines.items()),
        "k of the k-ary 2-torus",
        "hops / N(N-1)",
        "set logscale xy 2",
    )
    values["torus"] = table(["2-torus", "all at once", "HNC, all at once", "share", "share on the mesh"], rows)
    claims.add(
        "Fig. 9",
        "on tori the gain is similar, and grows with the network",
        f"{100 * shares[0]:.0f} % to {100 * shares[-1]:.0f} % of the hops of all at once",
        all(a > b for a, b in zip(shares, shares[1:])),
    )


def few_sources(weft, claims, values):
    """Fig. 18."""
    rows, shares = [], {16: [], 32: []}
    for sources in (2, 4, 8, 16, 32, 64, 128, 256):
        who = lattice(sources)
        plain = weft.count(16, "all_at_once", sources=who)["total"]
        row = [sources, plain]
        for size, shape in ((16, [4, 4]), (32, [8, 4])):
            coded = Best(weft, 16, "network_coding", candidates=[shape], sources=who, **AT_ONCE).hops
            shares[size].append(coded / plain)
            row += [coded, percent(coded, plain)]
        rows.append((*row, percent(sources * 255, plain)))
    values["sources"] = table(
        ["sources", "all at once", "HNC, groups of 16", "share", "HNC, groups of 32", "share", "floor S(N-1)"], rows
    )
    grows = all(a > b - 0.01 for a, b in zip(shares[32], shares[32][1:]))
    claims.add(
        "Fig. 18",
        "the more sources, the greater the gain (16-ary 2-mesh)",
        "; ".join(
            f"groups of {size}: {100 * list_[0]:.0f} % with 2 sources, {100 * min(list_[1:-1]):.0f} to "
            f"{100 * max(list_[1:-1]):.0f} % between, {100 * list_[-1]:.0f} % with 256"
            for size, list_ in shares.items()
        ),
        grows,
        "sources on a lattice. From 2 to 4 sources, the gain decreases by less than a percentage point. If no group "
        "contains two sources, nothing can be combined",
    )


def recursion(weft, claims, values):
    """Fig. 19."""
    rows, gains = [], []
    for k in MESHES[1:] + [64]:
        plain, coded = weft.count(k, "all_at_once")["total"], Best(weft, k, "network_coding", **AT_ONCE)
        once = least_recursive(weft, k, 1)
        twice = least_recursive(weft, k, 2)
        gains.append(100 * (coded.hops - min(once[0], twice[0])) / plain)
        rows.append(
            (
                f"{k}-ary",
                f"{percent(coded.hops, plain)} ({'x'.join(map(str, coded.shape))})",
                *(f"{percent(best, plain)} ({in_words(levels)})" for best, levels in (once, twice)),
            )
        )
    values["recursive"] = table(["2-mesh", "HNC", "HNC inside groups", "HNC inside groups of groups"], rows)
    claims.add(
        "Fig. 19", "recursion gains little", f"at most {max(gains):.1f} percentage points of the hops of all at once", max(gains) < 5
    )


def least_recursive(weft, k, depth):
    """The fewest hops of HNC inside the groups of HNC, nested `depth` times, and the groups from the outside in."""
    sides = shapes(k)
    chains = [[shape] for shape in sides]
    for _ in range(depth):
        chains = [
            [*chain, sub]
            for chain in chains
            for sub in sides
            if sub[0] <= chain[-1][0] and sub[1] <= chain[-1][1] and sub != chain[-1]
        ]
    return min(
        (
            weft.count(k, "network_coding", group=c[0], subgroups=c[1:], placement=placement, **AT_ONCE)["total"],
            c,
        )
        for c in chains
        # Large outer groups are never best, and large networks have many chains.
        if math.prod(c[0]) <= 4 * k
        for placement in ("mirror", "optimum")
    )


def in_words(levels):
    return ", ".join("x".join(map(str, shape)) for shape in levels)


def beyond(weft, values):
    """Three dimensions, which the paper does not cover."""
    for torus in (False, True):
        cube(weft, values, torus)


def cube(weft, values, torus):
    rows = []
    for k in (4, 8, 16):
        shape, n = [k, k, k], k**3
        sides = [1 << i for i in range(int(math.log2(k)) + 1)]
        groups = [list(g) for g in itertools.product(sides, repeat=3) if g[0] >= g[1] >= g[2] and 1 < math.prod(g) < n]
        tree = weft.count(k, "tree", shape=shape, torus=torus)["total"]
        interleaved = weft.count(k, "interleaved_tree", shape=shape, torus=torus)["total"]
        coded, uncoded = (
            Best(weft, k, algorithm, candidates=groups, shape=shape, torus=torus) for algorithm in ("network_coding", "hierarchy")
        )
        plain = weft.count(k, "all_at_once", shape=shape, torus=torus)["total"]
        spread = Best(weft, k, "network_coding", candidates=groups, shape=shape, torus=torus, **AT_ONCE)
        rows.append(
            (
                f"{k}-ary",
                n * (n - 1),
                tree,
                interleaved,
                coded.text(),
                uncoded.text(),
                less(coded.hops, tree),
                plain,
                spread.text(),
            )
        )
    values["cube_torus" if torus else "cube"] = table(
        [
            "3-torus" if torus else "3-mesh",
            "floor N(N-1)",
            "tree",
            "interleaved tree",
            "HNC, tree, best group",
            "hierarchy without XORs",
            "HNC less than tree",
            "all at once",
            "HNC, all at once",
        ],
        rows,
    )
