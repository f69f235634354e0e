#!/usr/bin/env python3
"""Runs and counts what network_coding.md and network_coding_time.md report, draws their figures and writes both pages:

    docs/05_papers/network_coding.py WEFT DIRECTORY

WEFT: the command, e.g. build/release/weft. DIRECTORY: for results; those that are there are not run again.
Their text is in network_coding.in.md and network_coding_time.in.md; this program computes what is in {{braces}} there."""

import hashlib
import json
import math
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE.parent / "figures"
EXAMPLES = HERE.parent.parent / "examples"
ROUTER = {"network.router.pipeline": 3, "network.router.vcs": 4, "network.router.depth": 8,
          "network.router.flow_control": "virtual_cut_through", "simulation.level": "tlm"}


class Weft:
    """The command, with a memory of what it has said."""

    def __init__(self, command, directory):
        self.command = str(pathlib.Path(command).resolve())
        self.directory = pathlib.Path(directory).resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.empty = self.directory / "empty.yaml"
        self.empty.write_text("# All is said on the command line.\n")

    def collective(self, settings, analyse=False, file=None):
        """Plays a collective and gives its results; or only counts it."""
        settings = settings if file else {**ROUTER, **settings}
        words = [f"{key}={json.dumps(value) if isinstance(value, (list, bool)) else value}"
                 for key, value in sorted(settings.items())]
        name = hashlib.sha1(json.dumps([words, analyse, str(file)]).encode()).hexdigest()[:16]
        result = self.directory / f"{name}.json"
        if not result.exists():
            arguments = [self.command, "collective", str(file or self.empty), "--quiet"]
            if analyse:
                arguments += ["--analyse", "--json", str(result)]
            else:
                words += [f"output.directory={self.directory}", f"output.name={name}", "output.csv=false"]
            for word in words:
                arguments += ["--set", word]
            print(settings["collective.algorithm"] if not file else file.name, *settings.get("network.topology.shape", []), name, file=sys.stderr)
            done = subprocess.run(arguments, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return json.loads(result.read_text())

    def play(self, k, algorithm, barriers=False, **settings):
        return self.collective(grid(k, settings.pop("torus", False), algorithm, barriers=barriers, **settings))

    def count(self, k, algorithm, **settings):
        """Hops by step, and under `total`."""
        answer = self.collective(grid(k, settings.pop("torus", False), algorithm, **settings), analyse=True)
        hops = {step["step"]: step["hops"] for step in answer["algorithms"][0]["steps"]}
        hops["total"] = answer["algorithms"][0]["hops"]
        return hops


def grid(k, torus, algorithm, **settings):
    keys = {"network.topology.kind": "torus" if torus else "mesh", "network.topology.shape": [k, k],
            "collective.algorithm": algorithm}
    keys.update({f"collective.{key}": value for key, value in settings.items() if not (key == "barriers" and not value)})
    return keys


def shapes(k):
    """Group shapes of powers of two, but one node and the whole network; of two that are mirrored, the wide one."""
    sides = [1 << i for i in range(int(math.log2(k)) + 1)]
    return [[a, b] for a in sides for b in sides if b <= a and 1 < a * b < k * k]


def best_shape(weft, k, algorithm, **settings):
    """The shape with the fewest hops, and these."""
    counts = [(weft.count(k, algorithm, group=shape, **settings)["total"], shape) for shape in shapes(k)]
    hops, shape = min(counts)
    return shape, hops


def cycles(result):
    return result["cycles"]["execution"]


def fastest_shape(weft, k, algorithm, **settings):
    """Of the groups that are nearly square, those with which it takes the least time."""
    return min((cycles(weft.play(k, algorithm, group=squarest(1 << e), placement="mirror", **settings)), squarest(1 << e))
               for e in range(1, int(2 * math.log2(k))))[1]


def text(number):
    if isinstance(number, float):
        return f"{number:,.2f}"
    return f"{number:,}" if isinstance(number, int) else str(number)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(text(cell) for cell in row) + " |" for row in rows])


def plot(directory, name, series, xlabel, ylabel, options=""):
    """Draws lines: series is a list of (title, [(x, y), ...])."""
    data = directory / f"{name}.dat"
    data.write_text("\n\n\n".join("\n".join(f"{x} {y}" for x, y in points) for _, points in series) + "\n")
    curves = ", ".join(f"'{data}' index {i} with linespoints pointsize 0.6 title '{title}'"
                       for i, (title, _) in enumerate(series))
    script = f"""set terminal svg size 640,420 font 'sans,11' background rgb 'white'
set output '{FIGURES / (name + ".svg")}'
set grid; set key top left samplen 2; set xlabel '{xlabel}'; set ylabel '{ylabel}'
{options}
plot {curves}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


MESHES = [4, 8, 16, 32]
LARGE = MESHES + [64, 128, 256]
AT_ONCE = {"inner": "all_at_once", "outer": "all_at_once"}
FLOOR = {k: k * k * (k * k - 1) for k in LARGE}  # N (N - 1): every node gets every datum over a channel
PRINTED_BY_GROUP = {2: 398464, 4: 250560, 8: 166656, 16: 137280, 32: 116000, 64: 123536, 128: 118320}


def squarest(size):
    """Group shape of `size` nodes as HNC takes it: as near to a square as can be, wide."""
    exponent = int(math.log2(size))
    return [1 << (exponent + 1) // 2, 1 << exponent // 2]


def spread(sources):
    """So many of 256 nodes, evenly spread by number."""
    return [(2 * i + 1) * 128 // sources for i in range(sources)]


def longest_paths(k, shape):
    """Of a k-ary 2-mesh: inside a group, and between intermediates that face the centre."""
    return sum(side - 1 for side in shape), sum(0 if side == k else k + 1 - 2 * side for side in shape)


class Claims:
    """The table of verdicts."""

    def __init__(self):
        self.rows = []

    def add(self, where, claim, counted, holds, why=""):
        """holds: True, False, or None where it cannot be."""
        verdict = {True: "reproduced", False: "**not reproduced**", None: "**impossible**"}[holds]
        self.rows.append((where, claim, counted, verdict, why))

    def table(self):
        return table(["where", "HNC says", "Weft counts", "verdict", ""], self.rows)


def percent(part, whole):
    return f"{100 * part / whole:.1f} %"


def less(new, old):
    return f"{100 * (1 - new / old):.1f} %"


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
        ["2-mesh", "floor N(N-1)", "tree", "HNC, tree, best group", "the same uncoded, best group", "HNC less than tree"], rows)
    plot(weft.directory, "network_coding_hops", list(lines.items()), "k of the k-ary 2-mesh", "hops / N(N-1)",
         "set logscale x 2; set yrange [0:*]")

    tree32 = weft.count(32, "tree")["total"]
    _, coded32 = best_shape(weft, 32, "network_coding", placement="mirror")
    step_f = weft.count(32, "network_coding", group=[8, 4], placement="mirror")["F"]
    claims.add("Fig. 2", "tree: 2.7 million hops on the 32-ary 2-mesh", f"{tree32:,}", round(tree32 / 1e6, 1) == 2.7)
    claims.add("Fig. 2", "network coding: 0.67 million there, 75 % less", f"{coded32:,}, {less(coded32, tree32)} less",
               None if 670_000 < FLOOR[32] else coded32 < 680_000,
               f"every one of 1,024 nodes must get 1,023 data, each over a channel at least: {FLOOR[32]:,}. "
               f"Step F alone costs {step_f:,} with groups of 32")
    _, coded64 = best_shape(weft, 64, "network_coding", placement="mirror")
    tree64 = weft.count(64, "tree")["total"]
    claims.add("abstract, Fig. 5", "94 % less than the tree with 4,096 switches", f"{less(coded64, tree64)} less",
               None if 0.06 * tree64 < FLOOR[64] else coded64 < 0.07 * tree64,
               f"the floor allows {less(FLOOR[64], tree64)}")
    gains = [1 - best_shape(weft, k, "network_coding", placement="mirror")[1] / weft.count(k, "tree")["total"] for k in LARGE]
    claims.add("Figs. 2, 5", "the gain grows with the network", f"{100 * gains[0]:.0f} % at 4-ary to {100 * gains[-1]:.0f} % at "
               "256-ary", all(a < b for a, b in zip(gains, gains[1:])))

    rows = []
    counted = {}
    for size, printed in PRINTED_BY_GROUP.items():
        shape = squarest(size)
        counts = {p: weft.count(16, "network_coding", group=shape, placement=p)["total"] for p in ("corner", "centre", "mirror")}
        counted[size] = counts["centre"]
        uncoded = weft.count(16, "hierarchy", group=shape, placement="centre")["total"]
        wide, tall = shape
        inside, between = longest_paths(16, shape)
        rows.append((size, f"{wide}x{tall}", counts["corner"], counts["centre"], counts["mirror"], uncoded, inside, between))
    figures["groups"] = table(["M", "shape", "corner", "centre", "mirror", "uncoded, centre", "longest path inside (M-hops)",
                               "between intermediates (G-hops, mirror)"], rows)
    least = min(counted, key=counted.get)
    claims.add("Fig. 6", "16-ary 2-mesh: groups of 32 are best", f"{least}, 8x4, {counted[least]:,} hops", least == 32)
    claims.add("Fig. 6", "groups of 2 are worst", f"{counted[2]:,}", counted[2] == max(counted.values()))
    balanced = [row[0] for row in rows if row[6] == row[7]]
    claims.add("Figs. 15-17", "groups of 32 balance the longest paths inside groups and between intermediates",
               "10 hops each, with intermediates that face the centre", balanced == [32])
    claims.add("Fig. 7", "4-ary 2-mesh: groups of 4 balance them, 2 hops each", "{} and {}".format(*longest_paths(4, [2, 2])),
               longest_paths(4, [2, 2]) == (2, 2))

    rows, lines = [], {"all at once": [], "HNC, all at once": [], "spanning tree": []}
    for k in LARGE:
        plain = weft.count(k, "all_at_once")["total"]
        shape, coded = best_shape(weft, k, "network_coding", placement="mirror", **AT_ONCE)
        for line, value in zip(lines.values(), (plain, coded, FLOOR[k])):
            line.append((k, value / FLOOR[k]))
        rows.append((f"{k}-ary", plain, f"{coded:,} ({shape[0]}x{shape[1]})", plain / coded, plain / FLOOR[k]))
        if k == 256:
            ratio, bound = plain / coded, plain / FLOOR[k]
    figures["hops_at_once"] = table(["2-mesh", "all at once", "HNC, all at once, best group", "ratio", "ratio that the floor allows"], rows)
    plot(weft.directory, "network_coding_hops_at_once", list(lines.items()), "k of the k-ary 2-mesh", "hops / N(N-1)",
         "set logscale xy 2")
    f_alone = weft.count(256, "all_at_once")["total"] / weft.count(256, "network_coding", group=[8, 4], **AT_ONCE)["F"]
    claims.add("Sect. 4.4, Fig. 8", "32 times fewer hops than all at once on the 256-ary 2-mesh", f"{ratio:.1f} times", False,
               f"the floor would allow {bound:.0f}; step F alone, with groups of 32, is {f_alone:.0f} times less")

    rows, lines = [], {"all at once": [], "HNC, all at once": [], "spanning tree": []}
    for k in MESHES + [64]:
        plain = weft.count(k, "all_at_once", torus=True)["total"]
        shape, coded = best_shape(weft, k, "network_coding", torus=True, placement="mirror", **AT_ONCE)
        for line, value in zip(lines.values(), (plain, coded, FLOOR[k])):
            line.append((k, value / FLOOR[k]))
        mesh = best_shape(weft, k, "network_coding", placement="mirror", **AT_ONCE)[1] / weft.count(k, "all_at_once")["total"]
        rows.append((f"{k}-ary", plain, f"{coded:,} ({shape[0]}x{shape[1]})", percent(coded, plain), f"{100 * mesh:.1f} %"))
    plot(weft.directory, "network_coding_hops_torus", list(lines.items()), "k of the k-ary 2-torus", "hops / N(N-1)",
         "set logscale xy 2")
    figures["torus"] = table(["2-torus", "all at once", "HNC, all at once", "share", "share on the mesh"], rows)
    shares = [float(row[3][:-2]) for row in rows]
    claims.add("Fig. 9", "on tori the gain is similar, and grows with the network", f"{shares[0]:.0f} % to {shares[-1]:.0f} % of all at once",
               all(a > b for a, b in zip(shares, shares[1:])))

    rows = []
    for sources in [2, 4, 8, 16, 32, 64, 128, 256]:
        plain = weft.count(16, "all_at_once", sources=spread(sources))["total"]
        coded = weft.count(16, "network_coding", group=[4, 4], placement="mirror", sources=spread(sources), **AT_ONCE)["total"]
        rows.append((sources, plain, coded, percent(coded, plain), percent(sources * 255, plain)))
    figures["sources"] = table(["sources", "all at once", "HNC, all at once, groups of 16", "share", "floor S(N-1)"], rows)
    shares = [float(row[3][:-2]) for row in rows]
    claims.add("Fig. 18", "the more sources, the greater the gain (16-ary 2-mesh)", f"{shares[0]:.0f} % with 2 sources, {shares[-1]:.0f} % with 256",
               all(a > b for a, b in zip(shares, shares[1:])), "sources evenly spread by number")

    rows = []
    for k in MESHES[1:] + [64]:
        plain = weft.count(k, "all_at_once")["total"]
        shape, coded = best_shape(weft, k, "network_coding", placement="mirror", **AT_ONCE)
        inner = [[a, b] for a, b in shapes(k) if a <= shape[0] and b <= shape[1] and a * b < shape[0] * shape[1]]
        twice = min(weft.count(k, "network_coding", group=shape, subgroups=[sub], placement="mirror", **AT_ONCE)["total"]
                    for sub in inner)
        rows.append((f"{k}-ary", f"{shape[0]}x{shape[1]}", percent(coded, plain), percent(twice, plain)))
    figures["recursive"] = table(["2-mesh", "group", "HNC", "recursive HNC"], rows)
    gains = [abs(float(row[2][:-2]) - float(row[3][:-2])) for row in rows]
    claims.add("Fig. 19", "recursion gains little", f"at most {max(gains):.1f} points of all at once's hops", max(gains) < 5)


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
    groups = {title: [fastest_shape(weft, k, algorithm, barriers=True, **extra) for k in MESHES]
              for title, (algorithm, barriers, extra) in contenders.items()
              if barriers and algorithm in ("network_coding", "hierarchy", "spread_intermediates")}
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
            ["cycles, 2-" + ("torus" if torus else "mesh")] + [f"{k}-ary" for k in MESHES], rows)
        shown = ["all at once", "tree, barriers", "tree", "neighbour forwarding", "HNC, tree, barriers", "the same uncoded, barriers",
                 "spread intermediates"]
        plot(weft.directory, "network_coding_time_" + ("torus" if torus else "mesh"),
             [(title, list(zip(MESHES, measured[title]))) for title in shown],
             "k of the k-ary 2-" + ("torus" if torus else "mesh"), "execution, cycles", "set logscale xy 2")
        if torus:
            continue
        tree, coded, at_once = measured["tree, barriers"], measured["HNC, tree, barriers"], measured["all at once"]
        claims.add("abstract, Fig. 10", "32-ary 2-mesh: HNC is three times as fast as the tree (70 % less time)",
                   f"{coded[-1]:,} cycles against {tree[-1]:,}", coded[-1] < 0.35 * tree[-1],
                   "(G-1)(M-1) log2 M packets leave by the intermediate's one port")
        figures["groups_in_time"] = table(["groups", *(f"{k}-ary" for k in MESHES)],
                                          [[title, *(f"{a}x{b}" for a, b in shapes)] for title, shapes in groups.items()])
        claims.add("Fig. 10", "on small networks the tree is faster, on large ones HNC",
                   f"8-ary {tree[1]:,} and {coded[1]:,}, 32-ary {tree[-1]:,} and {coded[-1]:,}", tree[1] < coded[1] and coded[-1] < tree[-1])
        hnc_at_once = measured["HNC, all at once, barriers"]
        claims.add("Fig. 12", "32-ary: three times as fast as all at once", f"{at_once[-1] / hnc_at_once[-1]:.1f} times "
                   f"({at_once[-1]:,} and {hnc_at_once[-1]:,})", at_once[-1] > 2.5 * hnc_at_once[-1])

    rows, curve = [], []
    for size in PRINTED_BY_GROUP:
        shape = squarest(size)
        result = weft.play(16, "network_coding", barriers=True, group=shape, placement="mirror")
        plain = weft.play(16, "hierarchy", barriers=True, group=shape, placement="mirror")
        spread_out = weft.play(16, "spread_intermediates", group=shape)
        curve.append((size, cycles(result)))
        rows.append((size, cycles(result), result["cycles"]["sum_of_step_maxima"], cycles(plain), cycles(spread_out)))
    figures["time_groups"] = table(["M", "HNC, tree, barriers", "sum of the steps' longest latencies", "uncoded", "spread intermediates, no barriers"], rows)
    plot(weft.directory, "network_coding_groups",
         [("HNC, tree, barriers", curve), ("the same uncoded", [(row[0], row[3]) for row in rows]),
          ("spread intermediates, no barriers", [(row[0], row[4]) for row in rows])],
         "nodes of a group", "execution, cycles", "set logscale x 2; set yrange [0:*]")
    best = min(curve, key=lambda point: point[1])[0]
    claims.add("Fig. 11", "16-ary: groups of 32 take the least time", f"groups of {best}", best == 32,
               "; ".join(f"{m}: {c:,}" for m, c in curve))

    rows, series = [], {title: [] for title in ("tree, barriers", "HNC, barriers", "neighbour forwarding", "spread intermediates")}
    for length in (1, 2, 4, 8, 16):
        buffers = {"length": length}
        results = [cycles(weft.collective({**grid(16, False, algorithm, barriers=barriers, **extra, **buffers), "network.router.depth": 16}))
                   for algorithm, barriers, extra in (("tree", True, {}), ("network_coding", True, hnc),
                                                      ("neighbour_forwarding", False, {}), ("spread_intermediates", False, {"group": [8, 4]}))]
        for line, value in zip(series.values(), results):
            line.append((length, value))
        rows.append((length, 255 * length, *results))
    figures["lengths"] = table(["flits", "floor", *series], rows)
    plot(weft.directory, "network_coding_lengths", list(series.items()), "flits of a packet", "execution, cycles", "set logscale xy 2")
    claims.add("Fig. 13", "HNC is faster than the tree at every packet length, 53 % less at 16 flits",
               f"1 flit {rows[0][3] / rows[0][2]:.2f}, 16 flits {rows[-1][3] / rows[-1][2]:.2f} times the tree's time",
               all(row[3] < row[2] for row in rows))

    rows = []
    for classes in (1, 4):
        row = []
        for k, shape in zip(MESHES, groups["HNC, tree, barriers"]):
            settings = {**grid(k, False, "network_coding", group=shape, placement="mirror"), "network.router.classes": classes}
            row.append(cycles(weft.collective(settings)))
        rows.append([f"{classes}", *row])
    figures["classes"] = table(["VC classes, HNC, tree, no barriers", *(f"{k}-ary" for k in MESHES)], rows)

    overheads = (0, 5, 10, 15, 20, 25, 30, 35)
    line = [(o, cycles(weft.play(16, "network_coding", barriers=True, xor_cycles=o, **hnc))) for o in overheads]
    figures["overhead"] = table(["XOR takes"] + [str(o) for o, _ in line], [["cycles"] + [c for _, c in line]])
    plot(weft.directory, "network_coding_overhead", [("HNC, tree, barriers, groups of 32", line)], "cycles that the XOR takes",
         "execution, cycles", "set yrange [0:*]")
    claims.add("Fig. 14", "the XOR's latency hardly matters", f"{line[-1][1] - line[0][1]} cycles more of {line[0][1]:,} with 35 cycles",
               line[-1][1] - line[0][1] <= 0.05 * line[0][1])

    rows, series = [], {"all at once": [], "HNC, all at once, barriers": [], "neighbour forwarding": []}
    for sources in (2, 4, 8, 16, 32, 64, 128, 256):
        who = spread(sources)
        results = [cycles(weft.play(16, "all_at_once", sources=who)),
                   cycles(weft.play(16, "network_coding", barriers=True, sources=who, placement="mirror", group=[4, 4], **AT_ONCE)),
                   cycles(weft.play(16, "neighbour_forwarding", sources=who))]
        for curve, value in zip(series.values(), results):
            curve.append((sources, value))
        rows.append((sources, *results))
    figures["time_sources"] = table(["sources", *series], rows)
    plot(weft.directory, "network_coding_sources", list(series.items()), "sources", "execution, cycles", "set logscale xy 2")

    deep = {"network.router.depth": 32}
    combining = cycles(weft.collective({**grid(16, False, "combining", barriers=True, **hnc), **deep}))
    coded = cycles(weft.collective({**grid(16, False, "network_coding", barriers=True, **hnc), **deep}))
    figures["combining"] = f"{combining:,}"
    figures["not_combining"] = f"{coded:,}"
    claims.add("Sect. 6.5", "HNC takes 1,276 cycles where message combining takes 1,832", f"{coded:,} and {combining:,}", coded < combining)


def wins(weft, figures):
    """Where an XOR saves time, and where it does not though it could be thought to."""
    rows = []
    one_port = weft.directory / "one_port.yaml"
    butterfly = EXAMPLES / "networks" / "butterfly.yaml"
    one_port.write_text(re.sub(r"ports: \[(\w+), \1\]", r"ports: [\1]", butterfly.read_text()))
    for title, network in (("two ports", butterfly), ("one port", one_port)):
        for packets in (1, 4, 32, 128):
            row = [title, packets]
            for algorithm in ("all_at_once", "neighbour_forwarding", "butterfly_uncoded", "butterfly"):
                row.append(cycles(weft.collective({"collective.algorithm": algorithm, "collective.packets": packets,
                                                   "network.topology.file": str(network)},
                                                  file=EXAMPLES / "butterfly.yaml")))
            rows.append(row + [2 * 8 * packets])
    figures["butterfly"] = table(["NIC", "packets of each source", "all at once", "neighbour forwarding", "by way of the relays",
                                  "XOR at the relay", "least without XOR"], rows)

    rows = []
    for parity, title in ((1, "every packet twice"), (2, "XOR of every 2"), (4, "XOR of every 4"), (16, "XOR of all 16")):
        result = weft.collective({"collective.parity": parity, "collective.lost": [3]}, file=EXAMPLES / "parity.yaml")
        rows.append((title, result["total"]["flits"], cycles(result)))
    figures["parity"] = table(["", "flits", "cycles"], rows)

    rows = []
    for k in (4, 8, 16):
        shape = best_shape(weft, k, "network_coding", placement="mirror")[0]
        settings = {"group": shape, "placement": "mirror"}
        node = weft.play(k, "network_coding", barriers=True, **settings)
        nic = weft.collective({**grid(k, False, "network_coding", barriers=True, **settings),
                               "nic.coding.enabled": True, "nic.coding.entries": 4096})
        rows.append((f"{k}-ary, {shape[0]}x{shape[1]}", cycles(node), cycles(nic), (k * k // (shape[0] * shape[1]) - 1) * (shape[0] * shape[1] - 1)))
    figures["nic"] = table(["2-mesh, group", "XORs by the nodes", "by the NICs", "XORs that every NIC holds, (G-1)(M-1)"], rows)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    weft = Weft(*sys.argv[1:])
    claims, figures = Claims(), {}
    hops(weft, claims, figures)
    times(weft, claims, figures)
    wins(weft, figures)
    figures["claims"] = claims.table()
    for name in ("network_coding", "network_coding_time"):
        text = (HERE / f"{name}.in.md").read_text()
        (HERE / f"{name}.md").write_text(re.sub(r"\{\{(\w+)\}\}", lambda match: figures[match.group(1)], text))


if __name__ == "__main__":
    main()
