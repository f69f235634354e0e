# SPDX-License-Identifier: Apache-2.0
"""The time of HNC, from simulations."""

from network_coding_beyond import beyond
from network_coding_tools import (
    AT_ONCE,
    MESHES,
    PRINTED_BY_GROUP,
    cycles,
    fastest_shape,
    grid,
    latency,
    lattice,
    maxima,
    squarest,
)
from network_coding_tuned import XOR, all_tuned
from paper_tools import plot, table

LARGE_GROUPS = {"placement": "mirror", "group": [8, 4]}  # the paper's groups of 32
HNC = {**LARGE_GROUPS, **XOR}
HALVES = {"inner": "neighbour_forwarding", "group": [16, 8], "placement": "mirror", **XOR}  # the fastest on the 16-ary mesh


def times(weft, claims, values):
    """Figs. 10-14 and the text."""
    lines, fixed = all_tuned(weft, values)
    groups = all_to_all(weft, claims, values, lines, fixed)
    by_groups(weft, claims, values)
    by_length(weft, claims, values)
    by_classes(weft, values, groups)
    by_overhead(weft, claims, values)
    by_sources(weft, values)
    beside_combining(weft, claims, values)
    beyond(weft, claims, values, groups["HNC, tree, barriers"])


def all_to_all(weft, claims, values, lines, fixed):
    """Figs. 10 and 12. lines, fixed: the tuned schemes. Returns the fastest groups of each scheme with groups."""
    contenders = {
        "all at once": ("all_at_once", False, {}),
        "tree, barriers": ("tree", True, {}),
        "tree": ("tree", False, {}),
        "interleaved tree": ("interleaved_tree", False, {}),
        "neighbour forwarding": ("neighbour_forwarding", False, {}),
        "HNC, all at once, barriers": ("network_coding", True, {**AT_ONCE, **XOR}),
        "HNC, tree, barriers": ("network_coding", True, XOR),
        "HNC, tree": ("network_coding", False, XOR),
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
        rows, measured, own, by_paper = [], {}, [], {}
        for title, (algorithm, barriers, extra) in contenders.items():
            row = []
            for i, k in enumerate(MESHES):
                settings = dict(extra, torus=torus)
                with_barriers = title if barriers else title + ", barriers"
                if with_barriers in groups:
                    settings.update(placement="mirror", group=groups[with_barriers][i])
                row.append(weft.play(k, algorithm, barriers=barriers, **settings))
            if barriers or title == "all at once":
                own.append([title, *(cell for r in row for cell in (maxima(r), latency(r)))])
                by_paper[title] = [maxima(r) for r in row]
            row = [cycles(r) for r in row]
            measured[title] = row
            rows.append([title] + row)
        rows.insert(0, ["floor: ejection"] + [k * k - 1 for k in MESHES])
        values["time_torus" if torus else "time_mesh"] = table(
            ["cycles, 2-" + ("torus" if torus else "mesh")] + [f"{k}-ary" for k in MESHES], rows
        )
        values["own_torus" if torus else "own_mesh"] = table(
            ["2-" + ("torus" if torus else "mesh"), *(f"{k}-ary: {what}" for k in MESHES for what in ("time", "latency"))],
            own,
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
            "network_coding_time_" + ("torus" if torus else "mesh"),
            [(title, list(zip(MESHES, measured[title]))) for title in shown],
            "k of the k-ary 2-" + ("torus" if torus else "mesh"),
            "execution, cycles",
            "set logscale xy 2",
        )
        if torus:
            continue
        verdicts(claims, measured, by_paper, lines, fixed)
        values["groups_in_time"] = table(
            ["groups", *(f"{k}-ary" for k in MESHES)],
            [[title, *(f"{a}x{b}" for a, b in shapes)] for title, shapes in groups.items()],
        )
    return groups


def with_less_gain(share):
    """share: the time of tuned HNC, as a part of the time of the tree."""
    if share < 0.35:
        return True
    return f"with other algorithms inside and between groups, and with {100 * (1 - share):.0f} % less time" if share < 1 else False


def condition(ratios, tuned):
    """Whether HNC is about three times as fast as all at once: with all at once inside groups, or only tuned."""
    if any(r > 2.5 for r in ratios):
        return True
    return "with other algorithms inside and between groups" if tuned > 2.5 else False


def both(one, other):
    """A time in simulated cycles, and by the paper's measure."""
    return f"{one} ({other})"


def verdicts(claims, measured, by_paper, lines, fixed):
    """Claims of Figs. 10 and 12, by Weft's time and by the paper's; a claim that holds by only one of them is marked."""
    ours, theirs = ({k: m[k] for k in by_paper} for m in (measured, by_paper))
    tree, coded, at_once = ([m[name] for m in (ours, theirs)] for name in (
        "tree, barriers", "HNC, tree, barriers", "all at once"))
    coded_at_once = [m["HNC, all at once, barriers"] for m in (ours, theirs)]

    def pair(of, i):
        return both(*(f"{of[m][i]:,}" for m in (0, 1)))

    best, alone, trees = (
        lines[name] for name in ("HNC, tuned", "the best scheme without groups", "the paper's tree, no barriers")
    )
    claims.add(
        "abstract, Fig. 10",
        "32-ary 2-mesh: HNC is three times as fast as the tree (70 % less time)",
        f"tuned: HNC {best[-1]:,} cycles, tree {min(tree[0][-1], trees[-1]):,}; with the tree inside groups: HNC {pair(coded, -1)}",
        with_less_gain(best[-1] / min(tree[0][-1], trees[-1])),
        f"(G-1)(M-1) packets enter each group through the port of one node. The best scheme without groups takes {alone[-1]:,} cycles",
    )
    small = all(tree[0][i] < fixed[i] for i in (0, 1, 2))
    claims.add(
        "Fig. 10",
        "the tree is faster on small networks, HNC on large networks",
        "; ".join(f"{k}-ary: tree {t:,}, HNC {h:,}" for k, t, h in zip(MESHES, tree[0], fixed)),
        "with the ring inside groups of 4x4, the interleaved tree between them, and no barriers"
        if small and fixed[-1] < tree[0][-1]
        else False,
        "against the paper's tree with barriers; tuned, against the tree without barriers: "
        + ", ".join(f"{k}-ary {t:,} and {h:,}" for k, t, h in zip(MESHES, trees, best))
        + f". With trees inside groups, HNC takes {coded[0][-1]:,} cycles on the 32-ary mesh; the interleaved tree alone takes {alone[-1]:,}",
    )
    barriers_of_tree(claims, tree[0], trees)
    ratios = [at_once[m][-1] / coded_at_once[m][-1] for m in (0, 1)]
    claims.add(
        "Sect. 5.4, Fig. 12",
        "on the 32-ary 2-mesh, HNC is three times as fast as all at once",
        f"tuned: {at_once[0][-1] / best[-1]:.1f} times; all at once inside groups: {ratios[0]:.1f} ({ratios[1]:.1f}) times",
        condition(ratios, at_once[0][-1] / best[-1]),
        f"all at once {pair(at_once, -1)} cycles, HNC with it {pair(coded_at_once, -1)}, tuned HNC {best[-1]:,}; "
        f"the same hierarchy without XORs, tuned, {lines['the same uncoded, tuned'][-1]:,}",
    )
    claims.add(
        "Sect. 5.4",
        "up to the 8-ary 2-mesh, HNC is slightly faster than all at once",
        f"4-ary: all at once {pair(at_once, 0)}, HNC {pair(coded_at_once, 0)}; "
        f"8-ary: all at once {pair(at_once, 1)}, HNC {pair(coded_at_once, 1)}",
        any(all(coded_at_once[m][i] < at_once[m][i] for i in (0, 1)) for m in (0, 1)),
    )


def barriers_of_tree(claims, with_barriers, without):
    """The paper's explanation of Fig. 10."""
    slower = [k for k, slow, fast in zip(MESHES, with_barriers, without) if slow > fast]
    claims.add(
        "Sect. 5.2",
        "barriers slow the tree down, above all on large networks",
        "cycles with and without barriers: "
        + ", ".join(f"{k}-ary {slow:,} and {fast:,}" for k, slow, fast in zip(MESHES, with_barriers, without)),
        True if slower == MESHES else f"up to the {max(slower)}-ary 2-mesh" if slower else False,
    )


def by_groups(weft, claims, values):
    """Fig. 11."""
    rows, curve, theirs = [], [], []
    for size in PRINTED_BY_GROUP:
        shape = squarest(size)
        result = weft.play(16, "network_coding", barriers=True, group=shape, placement="mirror", **XOR)
        plain = weft.play(16, "hierarchy", barriers=True, group=shape, placement="mirror")
        spread_out = weft.play(16, "spread_intermediates", group=shape)
        curve.append((size, cycles(result)))
        theirs.append((size, maxima(result)))
        rows.append((size, cycles(result), maxima(result), latency(result), cycles(plain), cycles(spread_out)))
    values["time_groups"] = table(
        [
            "M",
            "HNC, tree, barriers",
            "sum of the steps' longest latencies",
            "mean latency",
            "uncoded",
            "spread intermediates, no barriers",
        ],
        rows,
    )
    plot(
        "network_coding_groups",
        [
            ("HNC, tree, barriers", curve),
            ("the same uncoded", [(row[0], row[4]) for row in rows]),
            ("spread intermediates, no barriers", [(row[0], row[5]) for row in rows]),
        ],
        "nodes of a group",
        "execution, cycles",
        "set logscale x 2; set yrange [0:*]",
    )
    best, least = (min(points, key=lambda point: point[1])[0] for points in (curve, theirs))
    claims.add(
        "Fig. 11",
        "on the 16-ary 2-mesh, groups of 32 take the least time",
        f"groups of {both(best, least)}",
        32 in (best, least),
        "cycles by group size: " + "; ".join(f"{m}: {both(f'{c:,}', f'{t:,}')}" for (m, c), (_, t) in zip(curve, theirs)),
    )


def by_length(weft, claims, values):
    """Fig. 13."""
    rows, series = [], {
        title: []
        for title in ("tree, barriers", "HNC, barriers", "HNC, two halves", "neighbour forwarding", "spread intermediates")
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
                ("network_coding", True, HNC),
                ("network_coding", False, HALVES),
                ("neighbour_forwarding", False, {}),
                ("spread_intermediates", False, {"group": [8, 4]}),
            )
        ]
        for line, value in zip(series.values(), results):
            line.append((length, value))
        rows.append((length, 255 * length, *results))
    values["lengths"] = table(["flits", "floor", *series], rows)
    plot(
        "network_coding_lengths",
        list(series.items()),
        "flits of a packet",
        "execution, cycles",
        "set logscale xy 2",
    )
    claims.add(
        "Fig. 13",
        "HNC is faster than the tree at every packet length, and takes 53 % less time with 16 flits",
        f"{rows[0][3] / rows[0][2]:.2f} times the time of the tree with 1 flit, {rows[-1][3] / rows[-1][2]:.2f} times with 16 flits; "
        f"with two halves as groups, {rows[0][4] / rows[0][2]:.2f} and {rows[-1][4] / rows[-1][2]:.2f} times",
        all(row[3] < row[2] for row in rows)
        or all(row[4] < row[2] for row in rows)
        and "with the two halves as groups and neighbour forwarding inside, and with less gain",
    )


def by_classes(weft, values, groups):
    """Sect. 3: a class of VCs for each step."""
    rows = []
    for classes in (1, 4):
        row = []
        for k, shape in zip(MESHES, groups["HNC, tree, barriers"]):
            settings = {
                **grid(k, False, "network_coding", group=shape, placement="mirror", **XOR),
                "network.router.classes": classes,
            }
            row.append(cycles(weft.collective(settings)))
        rows.append([f"{classes}", *row])
    values["classes"] = table(["VC classes, HNC, tree, no barriers", *(f"{k}-ary" for k in MESHES)], rows)


def by_overhead(weft, claims, values):
    """Fig. 14."""
    overheads = (0, 1, 5, 10, 15, 20, 25, 30, 35, 100, 300)
    line = [(o, cycles(weft.play(16, "network_coding", barriers=True, **{**HNC, "xor_cycles": o}))) for o in overheads]
    at = dict(line)
    values["overhead"] = table(["XOR takes"] + [str(o) for o, _ in line], [["cycles"] + [c for _, c in line]])
    plot(
        "network_coding_overhead",
        [("HNC, tree, barriers, groups of 32", line)],
        "cycles that the XOR takes",
        "execution, cycles",
        "set yrange [0:*]",
    )
    claims.add(
        "Fig. 14",
        "the latency of an XOR hardly affects the time",
        f"{at[35] - at[0]} cycles more than {at[0]:,} cycles if an XOR takes 35 cycles",
        "if a node computes XORs in a pipeline" if at[35] - at[0] <= 0.05 * at[0] else False,
        f"one after another, the 31 XORs of an intermediate alone take 31 x 35 = {31 * 35:,} cycles",
    )
    claims.add(
        "Sect. 6.2",
        "an XOR may take some microseconds, with hops of 100 ns",
        f"{100 * at[100] / at[0] - 100:.0f} % more time for 3 µs (100 cycles), {100 * at[300] / at[0] - 100:.0f} % for 10 µs",
        "if a node computes XORs in a pipeline" if at[100] - at[0] <= 0.1 * at[0] else False,
        "a hop has three cycles, so a cycle is 33 ns",
    )


def by_sources(weft, values):
    """Fig. 18, in time."""
    rows, series = [], {
        title: []
        for title in ("all at once", "HNC, groups of 16, barriers", "HNC, groups of 32, barriers", "neighbour forwarding")
    }
    for sources in (2, 4, 8, 16, 32, 64, 128, 256):
        who = lattice(sources)
        results = [
            cycles(weft.play(16, "all_at_once", sources=who)),
            *(
                cycles(
                    weft.play(
                        16,
                        "network_coding",
                        barriers=True,
                        sources=who,
                        placement="mirror",
                        group=group,
                        **AT_ONCE,
                        **XOR,
                    )
                )
                for group in ([4, 4], [8, 4])
            ),
            cycles(weft.play(16, "neighbour_forwarding", sources=who)),
        ]
        for curve, value in zip(series.values(), results):
            curve.append((sources, value))
        rows.append((sources, *results))
    values["time_sources"] = table(["sources", *series], rows)
    plot(
        "network_coding_sources",
        list(series.items()),
        "sources",
        "execution, cycles",
        "set logscale xy 2",
    )


def beside_combining(weft, claims, values):
    """Sect. 6.5."""
    deep = {"network.router.depth": 32}
    combining = weft.collective({**grid(16, False, "combining", barriers=True, **LARGE_GROUPS), **deep})
    coded = weft.collective({**grid(16, False, "network_coding", barriers=True, **HNC), **deep})
    values["combining"] = both(f"{cycles(combining):,}", f"{maxima(combining):,}")
    values["not_combining"] = both(f"{cycles(coded):,}", f"{maxima(coded):,}")
    claims.add(
        "Sect. 6.5",
        "HNC takes 1,276 cycles, and message combining takes 1,832",
        f"HNC {values['not_combining']}, message combining {values['combining']}",
        any(measure(coded) < measure(combining) for measure in (cycles, maxima)),
    )
