# SPDX-License-Identifier: Apache-2.0
"""The hops of HNC: what is counted without simulating."""

from network_coding_tools import (
    AT_ONCE,
    FLOOR,
    LARGE,
    MESHES,
    PRINTED_BY_GROUP,
    best_shape,
    less,
    longest_paths,
    percent,
    plot,
    shapes,
    spread,
    squarest,
    table,
)


def hops(weft, claims, figures):
    """Figs. 2, 5, 6, 8, 9, 15-19: what is counted without simulating."""
    rows, lines = [], {"tree": [], "HNC, tree": [], "hierarchy uncoded": [], "spanning tree": []}
    best = {}
    for k in LARGE:
        tree = weft.count(k, "tree")["total"]
        best[k], coded = best_shape(weft, k, "network_coding", placement="mirror")
        _, uncoded = best_shape(weft, k, "hierarchy", placement="mirror")
        for line, value in zip(lines.values(), (tree, coded, uncoded, FLOOR[k])):
            line.append((k, value / FLOOR[k]))
        rows.append((f"{k}-ary", FLOOR[k], tree, f"{coded:,} ({best[k][0]}x{best[k][1]})", uncoded, less(coded, tree)))
    figures["hops_tree"] = table(
        [
            "2-mesh",
            "floor N(N-1)",
            "tree",
            "HNC, tree, best group",
            "the same uncoded, best group",
            "HNC less than tree",
        ],
        rows,
    )
    plot(
        weft.directory,
        "network_coding_hops",
        list(lines.items()),
        "k of the k-ary 2-mesh",
        "hops / N(N-1)",
        "set logscale x 2; set yrange [0:*]",
    )

    tree32 = weft.count(32, "tree")["total"]
    _, coded32 = best_shape(weft, 32, "network_coding", placement="mirror")
    step_f = weft.count(32, "network_coding", group=[8, 4], placement="mirror")["F"]
    claims.add("Fig. 2", "tree: 2.7 million hops on the 32-ary 2-mesh", f"{tree32:,}", round(tree32 / 1e6, 1) == 2.7)
    claims.add(
        "Fig. 2",
        "network coding: 0.67 million there, 75 % less",
        f"{coded32:,}, {less(coded32, tree32)} less",
        None if 670_000 < FLOOR[32] else coded32 < 680_000,
        f"every one of 1,024 nodes must get 1,023 data, each over a channel at least: {FLOOR[32]:,}. "
        f"Step F alone costs {step_f:,} with groups of 32",
    )
    _, coded64 = best_shape(weft, 64, "network_coding", placement="mirror")
    tree64 = weft.count(64, "tree")["total"]
    claims.add(
        "abstract, Fig. 5",
        "94 % less than the tree with 4,096 switches",
        f"{less(coded64, tree64)} less",
        None if 0.06 * tree64 < FLOOR[64] else coded64 < 0.07 * tree64,
        f"the floor allows {less(FLOOR[64], tree64)}",
    )
    gains = [
        1 - best_shape(weft, k, "network_coding", placement="mirror")[1] / weft.count(k, "tree")["total"] for k in LARGE
    ]
    claims.add(
        "Figs. 2, 5",
        "the gain grows with the network",
        f"{100 * gains[0]:.0f} % at 4-ary to {100 * gains[-1]:.0f} % at " "256-ary",
        all(a < b for a, b in zip(gains, gains[1:])),
    )

    rows = []
    counted = {}
    for size, printed in PRINTED_BY_GROUP.items():
        shape = squarest(size)
        counts = {
            p: weft.count(16, "network_coding", group=shape, placement=p)["total"]
            for p in ("corner", "centre", "mirror")
        }
        counted[size] = counts["centre"]
        uncoded = weft.count(16, "hierarchy", group=shape, placement="centre")["total"]
        wide, tall = shape
        inside, between = longest_paths(16, shape)
        rows.append(
            (size, f"{wide}x{tall}", counts["corner"], counts["centre"], counts["mirror"], uncoded, inside, between)
        )
    figures["groups"] = table(
        [
            "M",
            "shape",
            "corner",
            "centre",
            "mirror",
            "uncoded, centre",
            "longest path inside (M-hops)",
            "between intermediates (G-hops, mirror)",
        ],
        rows,
    )
    least = min(counted, key=counted.get)
    claims.add("Fig. 6", "16-ary 2-mesh: groups of 32 are best", f"{least}, 8x4, {counted[least]:,} hops", least == 32)
    claims.add("Fig. 6", "groups of 2 are worst", f"{counted[2]:,}", counted[2] == max(counted.values()))
    balanced = [row[0] for row in rows if row[6] == row[7]]
    claims.add(
        "Figs. 15-17",
        "groups of 32 balance the longest paths inside groups and between intermediates",
        "10 hops each, with intermediates that face the centre",
        balanced == [32],
    )
    claims.add(
        "Fig. 7",
        "4-ary 2-mesh: groups of 4 balance them, 2 hops each",
        "{} and {}".format(*longest_paths(4, [2, 2])),
        longest_paths(4, [2, 2]) == (2, 2),
    )

    rows, lines = [], {"all at once": [], "HNC, all at once": [], "spanning tree": []}
    for k in LARGE:
        plain = weft.count(k, "all_at_once")["total"]
        shape, coded = best_shape(weft, k, "network_coding", placement="mirror", **AT_ONCE)
        for line, value in zip(lines.values(), (plain, coded, FLOOR[k])):
            line.append((k, value / FLOOR[k]))
        rows.append((f"{k}-ary", plain, f"{coded:,} ({shape[0]}x{shape[1]})", plain / coded, plain / FLOOR[k]))
        if k == 256:
            ratio, bound = plain / coded, plain / FLOOR[k]
    figures["hops_at_once"] = table(
        ["2-mesh", "all at once", "HNC, all at once, best group", "ratio", "ratio that the floor allows"], rows
    )
    plot(
        weft.directory,
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
        f"{ratio:.1f} times",
        False,
        f"the floor would allow {bound:.0f}; step F alone, with groups of 32, is {f_alone:.0f} times less",
    )

    rows, lines = [], {"all at once": [], "HNC, all at once": [], "spanning tree": []}
    for k in MESHES + [64]:
        plain = weft.count(k, "all_at_once", torus=True)["total"]
        shape, coded = best_shape(weft, k, "network_coding", torus=True, placement="mirror", **AT_ONCE)
        for line, value in zip(lines.values(), (plain, coded, FLOOR[k])):
            line.append((k, value / FLOOR[k]))
        mesh = (
            best_shape(weft, k, "network_coding", placement="mirror", **AT_ONCE)[1]
            / weft.count(k, "all_at_once")["total"]
        )
        rows.append(
            (f"{k}-ary", plain, f"{coded:,} ({shape[0]}x{shape[1]})", percent(coded, plain), f"{100 * mesh:.1f} %")
        )
    plot(
        weft.directory,
        "network_coding_hops_torus",
        list(lines.items()),
        "k of the k-ary 2-torus",
        "hops / N(N-1)",
        "set logscale xy 2",
    )
    figures["torus"] = table(["2-torus", "all at once", "HNC, all at once", "share", "share on the mesh"], rows)
    shares = [float(row[3][:-2]) for row in rows]
    claims.add(
        "Fig. 9",
        "on tori the gain is similar, and grows with the network",
        f"{shares[0]:.0f} % to {shares[-1]:.0f} % of all at once",
        all(a > b for a, b in zip(shares, shares[1:])),
    )

    rows = []
    for sources in [2, 4, 8, 16, 32, 64, 128, 256]:
        plain = weft.count(16, "all_at_once", sources=spread(sources))["total"]
        coded = weft.count(16, "network_coding", group=[4, 4], placement="mirror", sources=spread(sources), **AT_ONCE)[
            "total"
        ]
        rows.append((sources, plain, coded, percent(coded, plain), percent(sources * 255, plain)))
    figures["sources"] = table(
        ["sources", "all at once", "HNC, all at once, groups of 16", "share", "floor S(N-1)"], rows
    )
    shares = [float(row[3][:-2]) for row in rows]
    claims.add(
        "Fig. 18",
        "the more sources, the greater the gain (16-ary 2-mesh)",
        f"{shares[0]:.0f} % with 2 sources, {shares[-1]:.0f} % with 256",
        all(a > b for a, b in zip(shares, shares[1:])),
        "sources evenly spread by number",
    )

    rows = []
    for k in MESHES[1:] + [64]:
        plain = weft.count(k, "all_at_once")["total"]
        shape, coded = best_shape(weft, k, "network_coding", placement="mirror", **AT_ONCE)
        inner = [[a, b] for a, b in shapes(k) if a <= shape[0] and b <= shape[1] and a * b < shape[0] * shape[1]]
        twice = min(
            weft.count(k, "network_coding", group=shape, subgroups=[sub], placement="mirror", **AT_ONCE)["total"]
            for sub in inner
        )
        rows.append((f"{k}-ary", f"{shape[0]}x{shape[1]}", percent(coded, plain), percent(twice, plain)))
    figures["recursive"] = table(["2-mesh", "group", "HNC", "recursive HNC"], rows)
    gains = [abs(float(row[2][:-2]) - float(row[3][:-2])) for row in rows]
    claims.add(
        "Fig. 19", "recursion gains little", f"at most {max(gains):.1f} points of all at once's hops", max(gains) < 5
    )
