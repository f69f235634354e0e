# SPDX-License-Identifier: Apache-2.0
"""The time of HNC: what is simulated."""

from network_coding_tools import (
    AT_ONCE,
    MESHES,
    PRINTED_BY_GROUP,
    cycles,
    fastest_shape,
    grid,
    plot,
    spread,
    squarest,
    table,
)


def times(weft, claims, figures):
    """Figs. 10-14 and the text: what is simulated."""
    hnc = {"placement": "mirror", "group": [8, 4]}
    contenders = {
        "all at once": ("all_at_once", False, {}),
        "tree, barriers": ("tree", True, {}),
        "tree": ("tree", False, {}),
        "interleaved tree": ("interleaved_tree", False, {}),
        "neighbour forwarding": ("neighbour_forwarding", False, {}),
        "HNC, all at once, barriers": ("network_coding", True, AT_ONCE),
        "HNC, tree, barriers": ("network_coding", True, {}),
        "HNC, tree": ("network_coding", False, {}),
        "the same uncoded, barriers": ("hierarchy", True, {}),
        "the same uncoded": ("hierarchy", False, {}),
        "spread intermediates, barriers": ("spread_intermediates", True, {}),
        "spread intermediates": ("spread_intermediates", False, {}),
    }
    groups = {
        title: [fastest_shape(weft, k, algorithm, barriers=True, **extra) for k in MESHES]
        for title, (algorithm, barriers, extra) in contenders.items()
        if barriers and algorithm in ("network_coding", "hierarchy", "spread_intermediates")
    }
    for torus in (False, True):
        rows, measured = [], {}
        for title, (algorithm, barriers, extra) in contenders.items():
            row = []
            for i, k in enumerate(MESHES):
                settings = dict(extra, torus=torus)
                with_barriers = title if barriers else title + ", barriers"
                if with_barriers in groups:
                    settings.update(placement="mirror", group=groups[with_barriers][i])
                row.append(cycles(weft.play(k, algorithm, barriers=barriers, **settings)))
            measured[title] = row
            rows.append([title] + row)
        rows.insert(0, ["floor: ejection"] + [k * k - 1 for k in MESHES])
        figures["time_torus" if torus else "time_mesh"] = table(
            ["cycles, 2-" + ("torus" if torus else "mesh")] + [f"{k}-ary" for k in MESHES], rows
        )
        shown = [
            "all at once",
            "tree, barriers",
            "tree",
            "neighbour forwarding",
            "HNC, tree, barriers",
            "the same uncoded, barriers",
            "spread intermediates",
        ]
        plot(
            weft.directory,
            "network_coding_time_" + ("torus" if torus else "mesh"),
            [(title, list(zip(MESHES, measured[title]))) for title in shown],
            "k of the k-ary 2-" + ("torus" if torus else "mesh"),
            "execution, cycles",
            "set logscale xy 2",
        )
        if torus:
            continue
        tree, coded, at_once = measured["tree, barriers"], measured["HNC, tree, barriers"], measured["all at once"]
        claims.add(
            "abstract, Fig. 10",
            "32-ary 2-mesh: HNC is three times as fast as the tree (70 % less time)",
            f"{coded[-1]:,} cycles against {tree[-1]:,}",
            coded[-1] < 0.35 * tree[-1],
            "(G-1)(M-1) log2 M packets leave by the intermediate's one port",
        )
        figures["groups_in_time"] = table(
            ["groups", *(f"{k}-ary" for k in MESHES)],
            [[title, *(f"{a}x{b}" for a, b in shapes)] for title, shapes in groups.items()],
        )
        claims.add(
            "Fig. 10",
            "on small networks the tree is faster, on large ones HNC",
            f"8-ary {tree[1]:,} and {coded[1]:,}, 32-ary {tree[-1]:,} and {coded[-1]:,}",
            tree[1] < coded[1] and coded[-1] < tree[-1],
        )
        hnc_at_once = measured["HNC, all at once, barriers"]
        claims.add(
            "Fig. 12",
            "32-ary: three times as fast as all at once",
            f"{at_once[-1] / hnc_at_once[-1]:.1f} times " f"({at_once[-1]:,} and {hnc_at_once[-1]:,})",
            at_once[-1] > 2.5 * hnc_at_once[-1],
        )

    rows, curve = [], []
    for size in PRINTED_BY_GROUP:
        shape = squarest(size)
        result = weft.play(16, "network_coding", barriers=True, group=shape, placement="mirror")
        plain = weft.play(16, "hierarchy", barriers=True, group=shape, placement="mirror")
        spread_out = weft.play(16, "spread_intermediates", group=shape)
        curve.append((size, cycles(result)))
        rows.append((size, cycles(result), result["cycles"]["sum_of_step_maxima"], cycles(plain), cycles(spread_out)))
    figures["time_groups"] = table(
        [
            "M",
            "HNC, tree, barriers",
            "sum of the steps' longest latencies",
            "uncoded",
            "spread intermediates, no barriers",
        ],
        rows,
    )
    plot(
        weft.directory,
        "network_coding_groups",
        [
            ("HNC, tree, barriers", curve),
            ("the same uncoded", [(row[0], row[3]) for row in rows]),
            ("spread intermediates, no barriers", [(row[0], row[4]) for row in rows]),
        ],
        "nodes of a group",
        "execution, cycles",
        "set logscale x 2; set yrange [0:*]",
    )
    best = min(curve, key=lambda point: point[1])[0]
    claims.add(
        "Fig. 11",
        "16-ary: groups of 32 take the least time",
        f"groups of {best}",
        best == 32,
        "; ".join(f"{m}: {c:,}" for m, c in curve),
    )

    rows, series = [], {
        title: [] for title in ("tree, barriers", "HNC, barriers", "neighbour forwarding", "spread intermediates")
    }
    for length in (1, 2, 4, 8, 16):
        buffers = {"length": length}
        results = [
            cycles(
                weft.collective(
                    {**grid(16, False, algorithm, barriers=barriers, **extra, **buffers), "network.router.depth": 16}
                )
            )
            for algorithm, barriers, extra in (
                ("tree", True, {}),
                ("network_coding", True, hnc),
                ("neighbour_forwarding", False, {}),
                ("spread_intermediates", False, {"group": [8, 4]}),
            )
        ]
        for line, value in zip(series.values(), results):
            line.append((length, value))
        rows.append((length, 255 * length, *results))
    figures["lengths"] = table(["flits", "floor", *series], rows)
    plot(
        weft.directory,
        "network_coding_lengths",
        list(series.items()),
        "flits of a packet",
        "execution, cycles",
        "set logscale xy 2",
    )
    claims.add(
        "Fig. 13",
        "HNC is faster than the tree at every packet length, 53 % less at 16 flits",
        f"1 flit {rows[0][3] / rows[0][2]:.2f}, 16 flits {rows[-1][3] / rows[-1][2]:.2f} times the tree's time",
        all(row[3] < row[2] for row in rows),
    )

    rows = []
    for classes in (1, 4):
        row = []
        for k, shape in zip(MESHES, groups["HNC, tree, barriers"]):
            settings = {
                **grid(k, False, "network_coding", group=shape, placement="mirror"),
                "network.router.classes": classes,
            }
            row.append(cycles(weft.collective(settings)))
        rows.append([f"{classes}", *row])
    figures["classes"] = table(["VC classes, HNC, tree, no barriers", *(f"{k}-ary" for k in MESHES)], rows)

    overheads = (0, 5, 10, 15, 20, 25, 30, 35)
    line = [(o, cycles(weft.play(16, "network_coding", barriers=True, xor_cycles=o, **hnc))) for o in overheads]
    figures["overhead"] = table(["XOR takes"] + [str(o) for o, _ in line], [["cycles"] + [c for _, c in line]])
    plot(
        weft.directory,
        "network_coding_overhead",
        [("HNC, tree, barriers, groups of 32", line)],
        "cycles that the XOR takes",
        "execution, cycles",
        "set yrange [0:*]",
    )
    claims.add(
        "Fig. 14",
        "the XOR's latency hardly matters",
        f"{line[-1][1] - line[0][1]} cycles more of {line[0][1]:,} with 35 cycles",
        line[-1][1] - line[0][1] <= 0.05 * line[0][1],
    )

    rows, series = [], {"all at once": [], "HNC, all at once, barriers": [], "neighbour forwarding": []}
    for sources in (2, 4, 8, 16, 32, 64, 128, 256):
        who = spread(sources)
        results = [
            cycles(weft.play(16, "all_at_once", sources=who)),
            cycles(
                weft.play(16, "network_coding", barriers=True, sources=who, placement="mirror", group=[4, 4], **AT_ONCE)
            ),
            cycles(weft.play(16, "neighbour_forwarding", sources=who)),
        ]
        for curve, value in zip(series.values(), results):
            curve.append((sources, value))
        rows.append((sources, *results))
    figures["time_sources"] = table(["sources", *series], rows)
    plot(
        weft.directory,
        "network_coding_sources",
        list(series.items()),
        "sources",
        "execution, cycles",
        "set logscale xy 2",
    )

    deep = {"network.router.depth": 32}
    combining = cycles(weft.collective({**grid(16, False, "combining", barriers=True, **hnc), **deep}))
    coded = cycles(weft.collective({**grid(16, False, "network_coding", barriers=True, **hnc), **deep}))
    figures["combining"] = f"{combining:,}"
    figures["not_combining"] = f"{coded:,}"
    claims.add(
        "Sect. 6.5",
        "HNC takes 1,276 cycles where message combining takes 1,832",
        f"{coded:,} and {combining:,}",
        coded < combining,
    )
