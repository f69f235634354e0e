# SPDX-License-Identifier: Apache-2.0
"""COMPRESS, Equation 1 and Figs. 1, 2 and 7 to 12: latency and throughput of networks."""

import json

from compression_tools import ALWAYS, GRID, LOW, MESH, MODES, NONE, PRINTED, QUEUE, gain, spread, with_gain
from paper_tools import is_near, panel, store_figure, table

LENGTHS = [16, 32, 64, 128, 192, 200, 208, 256, 384, 512]
PATTERNS = {"uniform": "uniform", "transpose": "transpose", "bit_reversal": "bit reversal"}
NETWORKS = {
    "mesh, 64": MESH,
    "torus, 64": {"kind": "torus", "shape": [8, 8]},
    "random, 64": {"kind": "random", "routers": 64},
    "mesh, 16": {"kind": "mesh", "shape": [4, 4]},
    "torus, 16": {"kind": "torus", "shape": [4, 4]},
    "random, 16": {"kind": "random", "routers": 16},
}
SWITCHES = [4, 5, 7, 9]
MEASURES = {"most": "maximum accepted traffic", "settled": "last load that settles"}
ACCEPTED = "accepted, flits/node/cycle"
LATENCY, SHARE = "mean latency, cycles", "packets compressed"


def curves(study, claims, values):
    short_and_long(study, claims, values, by_length(study, claims, values))
    by_pattern(study, claims, values)
    by_network(study, claims, values)
    by_switch(study, claims, values)


def alone(study, compression, lengths):
    """Latency of an isolated packet of each length that passes four routers of the mesh."""
    name = f"alone_{compression['mode']}_{compression.get('latency', 'rtl')}"
    packets = study.directory / f"{name}.txt"
    packets.write_text("".join(f"{i} {5000 * i} 0 3 {flits} 2\n" for i, flits in enumerate(lengths)))
    config = study.directory / f"{name}.yaml"
    config.write_text(
        json.dumps(
            {
                "network": {"topology": MESH},
                "workload": {"packet_list": packets.name, "payload": "smooth_doubles"},
                "nic": {"compression": compression},
                "simulation": {"level": "engine"},
                "output": {"directory": "."},
            }
        )
    )
    study.invoke("run", config, "-q", "-o", study.directory)
    result = json.loads((study.directory / f"{name}.json").read_text())
    return {row["flits"]: round(row["mean_latency"]) for row in result["by_length"]}


def by_length(study, claims, values):
    """Equation 1, Fig. 1. Returns the drawing."""
    none, always = alone(study, NONE, LENGTHS), alone(study, ALWAYS, LENGTHS)
    hardware = alone(study, {"mode": "always"}, LENGTHS)
    halved = alone(study, NONE, sorted({flits // 2 for flits in LENGTHS}))
    at_once = {flits: halved[flits // 2] + ALWAYS["latency"] for flits in LENGTHS}
    rows = [("none", none), ("always, 100 cycles, ratio 2", always), ("Equation 1: half the length, 100 cycles more", at_once)]
    rows.append(("always, hardware", hardware))
    values["lengths"] = table(
        ["flits", *map(str, LENGTHS)], [[title, *(of[flits] for flits in LENGTHS)] for title, of in rows]
    )
    even = next(flits for flits in LENGTHS if always[flits] <= none[flits])
    before = LENGTHS[LENGTHS.index(even) - 1]
    claims.add(
        "Eq. 1, Fig. 1",
        "compression reduces latency from about 200 flits on (H = 4, D = 100, C = 2)",
        f"{even} flits: {always[even]} cycles (without compression: {none[even]}); "
        f"{before} flits: {always[before]} cycles (without compression: {none[before]})",
        always[even] <= none[even] and always[before] > none[before] and before < 200 <= even,
        "D / (1 - 1/C)",
    )
    longest = LENGTHS[-1]
    claims.add(
        "Fig. 1",
        "the gain grows by half a cycle per flit of length",
        f"{longest} flits: {none[longest] - always[longest]} cycles less (Equation 1: {none[longest] - at_once[longest]} cycles)",
        none[longest] - always[longest] > 0.5 * (none[longest] - at_once[longest]),
        "a packet cannot leave faster than it arrives from its node, which is one flit per cycle",
    )
    values["hardware_factor"] = f"{hardware[longest] / none[longest]:.1f}"
    shown = [("none", none), ("always", always), ("Equation 1", at_once), ("always, hardware", hardware)]
    return panel("a packet alone", [(title, list(of.items())) for title, of in shown], "flits", "latency, cycles")


def short_and_long(study, claims, values, drawn):
    """Fig. 2. drawn: Fig. 1."""
    rows, panels, lower, more = [], [drawn], [], []
    for flits in (32, 512):
        none, always = (study.curve(mode, length={"kind": "fixed", "flits": flits}) for mode in (NONE, ALWAYS))
        loaded = [load for load in GRID if load <= none.settled() and load >= 0.8 * none.settled()]
        lower.append(all(always.latency(load) < none.latency(load) for load in loaded))
        more.append(always.most() > none.most() and always.settled() > none.settled())
        crossing = next(load for load in GRID if always.latency(load) < none.latency(load))
        rows.append(
            (
                flits,
                *(f"{none.latency(load):.0f}, {always.latency(load):.0f}" for load in (0.01, LOW, 0.2)),
                f"{crossing:g}",
                f"{none.settled():.3f}, {with_gain(always.settled(), none.settled())}",
                f"{none.most():.3f}, {with_gain(always.most(), none.most())}",
            )
        )
        series = [(title, of.points("latency_mean")) for title, of in (("none", none), ("always", always))]
        panels.append(panel(f"{flits} flits, uniform, 8x8 mesh", series, ACCEPTED, LATENCY, "set yrange [0:2000]"))
    values["short_and_long"] = table(
        ["flits", "latency at 0.01", "at 0.02", "at 0.2", "always is faster from", "settles", "accepts at most"], rows
    )
    store_figure("compression_length", panels, (1150, 360), columns=3)
    claims.add(
        "Fig. 2",
        "at high load, compression reduces latency, even for short packets",
        f"32 flits: at loads from {rows[0][4]} on; 512 flits: at loads from {rows[1][4]} on",
        all(lower),
    )
    claims.add("Fig. 2", "compression always increases throughput", f"32 flits: {rows[0][6]}; 512: {rows[1][6]}", all(more))


def by_pattern(study, claims, values):
    """Figs. 7 and 8."""
    found = {
        pattern: {title: study.curve(mode, pattern=pattern) for title, mode in MODES.items()} for pattern in PATTERNS
    }
    none = {pattern: of["none"] for pattern, of in found.items()}
    for measure in MEASURES:
        values[f"spread_{measure}"] = spread([curve for of in found.values() for curve in of.values()], measure)
    for measure in MEASURES:
        rows = []
        for title in MODES:
            cells = [getattr(found[pattern][title], measure)() for pattern in PATTERNS]
            base = [getattr(none[pattern], measure)() for pattern in PATTERNS]
            rows.append([title, *(f"{c:.3f}" if title == "none" else with_gain(c, b) for c, b in zip(cells, base))])
        values[measure] = table(["", *PATTERNS.values()], rows)
    columns = [("uniform", LOW), ("uniform", 0.2), ("uniform", 0.26), ("transpose", LOW), ("bit_reversal", LOW)]
    values["latencies"] = table(
        ["mean latency, cycles", *(f"{PATTERNS[pattern]} {load:g}" for pattern, load in columns)],
        [[title, *(round(found[pattern][title].latency(load)) for pattern, load in columns)] for title in MODES],
    )
    shares(found, values)
    draw_patterns(study, found)
    verdicts_by_pattern(claims, found)


def shares(found, values):
    loads = [LOW, 0.1, 0.2, 0.3, 0.42, 0.5, 0.58]
    rows = []
    for title in list(MODES)[2:5]:
        uniform = found["uniform"][title]
        rows.append(
            [
                short(title),
                *(f"{100 * uniform.share(load):.0f} %" for load in loads),
                *(f"{100 * found[pattern][title].share_settled():.0f} %" for pattern in PATTERNS),
            ]
        )
    header = ["packets compressed", *(f"uniform {load:g}" for load in loads)]
    values["shares"] = table([*header, *(f"{title}, last load that settles" for title in PATTERNS.values())], rows)


def short(mode):
    """Name of a mode without its codec, except for the hardware."""
    return mode.removesuffix(", 100 cycles, ratio 2").removesuffix(", real bits")


def draw_patterns(study, found):
    panels = []
    for column, label, limits in (("latency_mean", LATENCY, "[0:2000]"), ("compressed_share", SHARE, "[0:1.05]")):
        for pattern, title in PATTERNS.items():
            series = [(short(mode), of.points(column)) for mode, of in found[pattern].items()]
            here = (column, pattern) == ("latency_mean", "bit_reversal")  # the panel with space for the key
            options = "set key top right samplen 2 font ',9'" if here else "unset key"
            options += f"; set xrange [0:0.7]; set yrange {limits}"
            panels.append(panel(title, series, ACCEPTED, label, options))
    store_figure("compression_study", panels, (1150, 760), columns=3)


def verdicts_by_pattern(claims, found):
    titles = list(MODES)
    curve = {title: {pattern: found[pattern][title] for pattern in PATTERNS} for title in titles}
    none, always, printed, queue = (curve[titles[i]] for i in (0, 1, 2, 4))

    def gains(of):
        return "; ".join(
            f"{PATTERNS[p]} {gain(of[p].most(), none[p].most())} ({gain(of[p].settled(), none[p].settled())})" for p in PATTERNS
        )

    for text, percentage, of in (("selective compression", 38, queue), ("compressing all packets", 26, always)):
        greatest = {m: max(getattr(of[p], m)() / getattr(none[p], m)() - 1 for p in PATTERNS) for m in MEASURES}
        claims.add("Fig. 7", f"{text} gains up to {percentage} % of throughput", gains(of), *up_to(percentage, greatest))
    claims.add(
        "Fig. 7",
        "compressing all packets gains less than selective compression",
        "see the two rows above",
        any(all(getattr(always[p], m)() < getattr(queue[p], m)() / 1.03 for p in PATTERNS) for m in MEASURES),
        "the network carries half as many flits; the codec of the hardware gains less, see below",
    )
    pairs = {m: [(getattr(queue[p], m)(), getattr(always[p], m)()) for p in PATTERNS] for m in MEASURES}
    near = {m: all(abs(one / other - 1) < 0.05 for one, other in pairs[m]) for m in MEASURES}
    claims.add(
        "Sect. I",
        "selective compression has a throughput similar to that of compressing all packets",
        "; ".join(f"{PATTERNS[p]} {a:.3f} and {b:.3f} ({c:.3f} and {d:.3f})" for p, (a, b), (c, d) in zip(PATTERNS, *pairs.values())),
        any(near.values()),
        only("most", near["most"] and not near["settled"]),
    )
    factor = [always[p].latency() / none[p].latency() for p in PATTERNS]
    claims.add(
        "Fig. 7",
        "at low load, compressing all packets leads to 1.3 times the latency",
        f"{min(factor):.2f} to {max(factor):.2f} times the latency, at load {LOW}",
        all(is_near(0.3, f - 1) for f in factor),
    )
    low = [queue[p].latency() / none[p].latency() for p in PATTERNS]
    claims.add(
        "Fig. 7",
        "at low load, selective compression has a latency similar to that without compression, for all patterns",
        f"{min(low):.3f} to {max(low):.3f} times the latency",
        all(f < 1.02 for f in low),
        "with selection by Q alone",
    )
    claims.add(
        "Fig. 8",
        "no packets are compressed at low load, and more packets at higher loads",
        "; ".join(f"{PATTERNS[p]} {100 * queue[p].share(LOW):.1f} % at {LOW}" for p in PATTERNS),
        all(queue[p].share(a) <= queue[p].share(b) + 0.01 for p in PATTERNS for a, b in zip(GRID, GRID[1:]))
        and all(queue[p].share(LOW) < 0.02 for p in PATTERNS),
        "with selection by Q alone; the curve bends upward",
    )
    shares_near = {p: queue[p].share_settled() for p in PATTERNS}
    claims.add(
        "Fig. 8",
        "almost half of the packets are compressed at high load",
        "; ".join(f"{PATTERNS[p]} {100 * share:.0f} %" for p, share in shares_near.items()) + ", at the last load that settles",
        all(is_near(0.5, share) for share in shares_near.values()),
        "for permutations, packets wait at few nodes, and these nodes saturate",
    )
    verdicts_on_the_condition(claims, printed["uniform"], curve[titles[3]]["uniform"])


def verdicts_on_the_condition(claims, printed, reading):
    """Algorithm 1 with its printed thresholds, and with another one for N; both for uniform traffic."""
    claims.add(
        "Algorithm 1",
        "selection by `N > 0 or Q > 0` leads to Fig. 8",
        f"{100 * printed.share(LOW):.0f} % of packets at load {LOW}, {100 * printed.share(0.1):.0f} % at load 0.1",
        printed.share(LOW) < 0.02,
        "one received flit in 1,000 cycles is enough to select packets",
    )
    loads = (LOW, 0.1, 0.2, 0.3)
    claims.add(
        "Algorithm 1",
        "another reading, `N > 250 or Q > 0`, leads to Fig. 8 for uniform traffic",
        ", ".join(f"{100 * reading.share(load):.0f} % of packets at load {load}" for load in loads),
        reading.share(LOW) < 0.02 and is_near(0.5, reading.share(loads[-1])),
        "nearly proportional up to the saturation load without compression; the threshold of 250 is not the paper's",
    )


def up_to(percentage, greatest):
    """Whether the greatest gain is near the printed one by either measure, and a remark. greatest: by measure."""
    if any(is_near(percentage / 100, gained) for gained in greatest.values()):
        return True, ""
    return False, "the greatest gain is higher" if min(greatest.values()) > percentage / 100 else "the greatest gain is lower"


def only(measure, so):
    """The measure by which a claim holds, if it holds by only one."""
    return f"by the {MEASURES[measure]} only" if so else ""


def by_network(study, claims, values):
    """Figs. 9 to 11."""
    modes = {"none": NONE, "always": ALWAYS, "Q > 0": QUEUE, "N > 0 or Q > 0": PRINTED}
    found = {name: {title: study.curve(mode, topology) for title, mode in modes.items()} for name, topology in NETWORKS.items()}
    for measure in MEASURES:
        rows = []
        for name, of in found.items():
            none = getattr(of["none"], measure)()
            rows.append([name, f"{none:.3f}", *(with_gain(getattr(of[title], measure)(), none) for title in list(modes)[1:])])
        values[f"networks_{measure}"] = table(["", *modes], rows)
    values["networks_low"] = table(
        ["", *(f"latency, {title}" for title in modes), "compressed at the last load that settles: Q > 0", "N > 0 or Q > 0"],
        [
            [
                name,
                *(round(of[title].latency()) for title in modes),
                *(f"{100 * of[title].share_settled():.0f} %" for title in list(modes)[2:]),
            ]
            for name, of in found.items()
        ],
    )
    draw_networks(study, found)
    verdicts_by_network(claims, found)


def draw_networks(study, found):
    panels = []
    for names, column, label, options in (
        (found, "latency_mean", LATENCY, "set yrange [0:2000]; set key top left samplen 2 font ',9'"),
        (list(found)[3:], "compressed_share", SHARE, "set yrange [0:1.05]; unset key"),
    ):
        for name in names:
            series = [(title, curve.points(column)) for title, curve in found[name].items()]
            panels.append(panel(f"{name} nodes", series, ACCEPTED, label, options))
    store_figure("compression_networks", panels, (1150, 1080), columns=3)


def verdicts_by_network(claims, found):
    gains = {
        measure: {name: getattr(of["Q > 0"], measure)() / getattr(of["none"], measure)() for name, of in found.items()}
        for measure in MEASURES
    }

    def both(names):
        return "; ".join(
            f"{name.split(',')[0]} {gain(gains['most'][name], 1)} ({gain(gains['settled'][name], 1)})" for name in names
        )

    large, small = list(found)[:3], list(found)[3:]
    slower = [of["Q > 0"].latency() / of["none"].latency() for of in found.values()]
    unlike = {m: max(gains[m][n] for n in large) / min(gains[m][n] for n in large) for m in MEASURES}
    claims.add(
        "Fig. 9",
        "the topology hardly affects the method: low latency and high throughput on all topologies",
        f"at load {LOW}, at most {max(slower):.3f} times the latency without compression; throughput: {both(large)}",
        max(slower) < 1.02 and min(unlike.values()) < 1.15,
        only("most", unlike["settled"] >= 1.15),
    )
    claims.add(
        "Fig. 10",
        "16 nodes: up to 46 % more throughput",
        both(small),
        *up_to(46, {m: max(gains[m][n] for n in small) - 1 for m in MEASURES}),
    )
    more = {m: all(gains[m][b] > gains[m][a] for a, b in zip(large, small)) for m in MEASURES}
    claims.add(
        "Fig. 10",
        "the gain is greater with 16 nodes than with 64",
        "see the two rows above",
        any(more.values()),
        only("settled", more["settled"] and not more["most"]) + "; the maximum is limited by the node, which sends one flit per cycle",
    )
    share = {name: found[name]["Q > 0"].share_settled() for name in small}
    reached = [next(load for load in GRID if found[name]["Q > 0"].share(load) >= 0.6) for name in small]
    claims.add(
        "Fig. 11",
        "16 nodes: 60 % of the packets are compressed just before saturation",
        "; ".join(f"{name.split(',')[0]} {100 * s:.0f} %" for name, s in share.items()),
        all(is_near(0.6, s) for s in share.values()),
        f"60 % is reached at loads of {min(reached):g} to {max(reached):g}, long before saturation",
    )


def by_switch(study, claims, values):
    """Fig. 12."""
    modes = {"none": NONE, "always": ALWAYS, "Q > 0": QUEUE}
    rows, gains, slower = [], {}, {}
    for cycles, depth in [(cycles, 16) for cycles in SWITCHES] + [(9, 8)]:
        of = {title: study.curve(mode, router={"pipeline": cycles, "depth": depth}) for title, mode in modes.items()}
        none = of["none"]
        rows.append(
            [
                cycles,
                depth,
                ", ".join(f"{curve.latency():.0f}" for curve in of.values()),
                f"{none.settled():.3f}",
                *(with_gain(of[title].settled(), none.settled()) for title in ("always", "Q > 0")),
                f"{none.most():.3f}",
                *(with_gain(of[title].most(), none.most()) for title in ("always", "Q > 0")),
            ]
        )
        if depth == 16:
            gains[cycles] = of["Q > 0"].most() / none.most()
            slower[cycles] = of["always"].latency() / none.latency()
    header = ["S", "buffer", f"latency at {LOW}: none, always, Q > 0", "none settles", "always", "Q > 0"]
    values["switches"] = table([*header, "none accepts at most", "always", "Q > 0"], rows)
    claims.add(
        "Fig. 12",
        "the slower the switch, the smaller the relative effect of compression in Equation 1",
        "with *always*, " + ", ".join(f"{slower[s]:.2f}" for s in SWITCHES) + " times the latency without compression for S = 4, 5, 7, 9",
        all(slower[a] > slower[b] for a, b in zip(SWITCHES, SWITCHES[1:])),
    )
    claims.add(
        "Fig. 12",
        "the speed of the switch has a limited effect on selective compression",
        "gain of Q > 0 for these S: " + ", ".join(gain(gains[s], 1) for s in SWITCHES),
        max(gains.values()) - min(gains.values()) < 0.25,
        "with buffers of 16 flits, because 8 flits are fewer than the credit loop needs for S = 9",
    )
