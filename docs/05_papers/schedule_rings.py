# SPDX-License-Identifier: Apache-2.0
"""Values of rings.md: the tables of RINGS in its order."""

from paper_tools import table
from schedule_tools import COLLECTIVES, DETAILS, Network, break_even, break_even_text, costs_text, details, mesh, ring, rings
from schedule_tools import compare_with_printed, compare_cost_with_printed, simulation_table

# Printed values: Table 2 (the first), lower bounds of OAB, AAB, OAS, AAS.
BOUNDS = [
    (ring(4, "one_way"), (2, 3, 3, 5)),
    (ring(4), (2, 3, 3, 3)),
    (ring(8, "one_way"), (3, 7, 7, 16)),
    (ring(8), (3, 7, 7, 8)),
    (rings(2), (4, 15, 15, 32)),
    (rings(3), (6, 63, 63, 512)),
    (rings(3, "corner"), (6, 63, 63, 512)),
    (mesh(4, 4), (4, 15, 15, 16)),
    (mesh(6, 6), (6, 35, 35, 54)),
    (mesh(8, 8), (6, 63, 63, 128)),
]
# Table 3, R/TCO, schedules called non-combining:
SINGLE = [
    (rings(2), ((4, 4), (15, 24), (15, 15), (51, 51))),
    (rings(3), ((6, 6), (99, 252), (63, 63), (819, 819))),
]
COMBINED = [
    (rings(2), ((4, 4), (7, 47), (4, 15), (7, 138))),
    (rings(3), ((6, 6), (11, 319), (6, 63), (11, 2658))),
    (mesh(4, 4), ((4, 4), (6, 15), (4, 15), (6, 48))),
    (mesh(8, 8), ((6, 6), (14, 63), (6, 63), (14, 448))),
]
# Table 4, ns: messages of 4 bytes, ts = 10 ns, t1 = 1 ns per byte.
TIMES = {
    "mesh 4x4": (56, 120, 100, 252),
    "mesh 8x8": (84, 392, 312, 1932),
    "H-rings 16": (56, 246, 100, 622),
    "H-rings 64": (84, 1386, 312, 10742),
}


def text_of(pair):
    return f"{pair[0]}/{pair[1]}"


def single_messages(single, values):
    rows = []
    for network, printed in BOUNDS:
        for collective, bound in zip(COLLECTIVES, printed):
            answer = single[network.name, collective]
            says = "holds" if bound == answer.bound else "weak" if bound < answer.bound else "**no bound**"
            reached = "" if answer.R > bound else "reached" if answer.R == bound else "**passed**"
            rows.append([network.name, collective.upper(), bound, f"{says}, {reached}".strip(", ")] + details(answer))
    values["bounds"] = table(["network", "", "printed bound", "it"] + DETAILS, rows)

    rows = []
    for network, printed in SINGLE:
        for collective, pair in zip(COLLECTIVES, printed):
            answer = single[network.name, collective]
            says = compare_cost_with_printed(pair, answer)
            if pair[1] > pair[0]:
                says += "; as printed it joins messages"
            rows.append([network.name, collective.upper(), text_of(pair), f"{answer.R}/{answer.TCO}", says])
    values["single"] = table(["network", "", "printed R/TCO", "found", "result"], rows)


def formulas(combined, values):
    """Table 2 (the second): rings of P, meshes of sqrt(P) x sqrt(P)."""
    rows = []
    for network in (ring(8), ring(16), mesh(4, 4), mesh(8, 8)):
        for collective in COLLECTIVES:
            answer = combined[network.name, collective]
            for printed in answer.content["printed"]:
                if printed["source"] != "RINGS Table 2 (the second)":
                    continue
                pair = (printed["R"], printed["TCO"])
                rows.append(
                    [network.name, collective.upper(), printed["text"], text_of(pair)]
                    + [answer.found(), answer.bounds(), compare_cost_with_printed(pair, answer)]
                )
    header = ["network", "", "printed", "value", "found", "bound", "result"]
    values["formulas"] = table(header, rows)


def combined_messages(combined, values):
    rows = []
    for network, printed in COMBINED:
        for collective, pair in zip(COLLECTIVES, printed):
            answer = combined[network.name, collective]
            row = [network.name, collective.upper(), text_of(pair), compare_cost_with_printed(pair, answer)]
            rows.append(row + details(answer))
    values["combined"] = table(["network", "", "printed R/TCO", "result"] + DETAILS, rows)


def times(single, combined, values):
    rows, kinds = [], []
    for network, printed in COMBINED:
        for i, collective in enumerate(COLLECTIVES):
            one, other = single[network.name, collective], combined[network.name, collective]
            best, paper = other.time(4), TIMES[network.name][i]
            kinds.append("combined" if best < one.time(4) else "same" if one.cost == other.cost else "single")
            outcome = "reproduced" if best == paper else "**beaten**" if best < paper else "**not reproduced**"
            rows.append(
                [network.name, collective.upper(), paper, best, f"{kinds[-1]}, {text_of(other.fastest(4))}", outcome]
                + [costs_text(one.pareto()), costs_text(other.pareto()), break_even_text(break_even(one.costs, other.costs))]
            )
    header = ["network", "", "printed ns", "ns", "faster", "result", "single", "combined", "break-even m t1/ts"]
    values["times"] = table(header, rows)
    values["faster"] = f"faster in {kinds.count('combined')}, equal in {kinds.count('same')} of {len(kinds)} rows"
    values["always_faster"] = "**not reproduced**" if "single" in kinds else "reproduced"


def exception(single, combined, values):
    """The exception that the conclusions make: AAB on H-rings 16."""
    one, other = single["H-rings 16", "aab"], combined["H-rings 16", "aab"]
    is_slower = one.time(4) <= other.time(4)
    printed = "**only with the printed schedules** (246 and 258 ns): of the best schedules, the combined one is faster"
    values["exception"] = f"single {one.time(4)} ns, combined {other.time(4)} ns"
    values["exception_result"] = "reproduced" if is_slower else printed


def deadlock(weft, values):
    """Section 2: which networks need VCs against deadlock."""
    torus = Network("torus 4x4", kind="torus", shape=[4, 4])
    needed = {network.name: weft.vcs_needed(network) for network in (ring(8), rings(2), mesh(4, 4), torus)}

    def texts(*names):
        return ", ".join(f"{name}: {needed[name]} VC" + "s" * (needed[name] > 1) for name in names)

    on_rings, on_grids = ("two-way ring 8", "H-rings 16"), ("mesh 4x4", "torus 4x4")
    values["rings_vcs"], values["grids_vcs"] = texts(*on_rings), texts(*on_grids)
    values["rings_deadlock"] = "reproduced" if all(needed[name] > 1 for name in on_rings) else "**not reproduced**"
    free = [name for name in on_grids if needed[name] == 1]
    values["grids_deadlock"] = "reproduced" if len(free) == 2 else f"**only for {', '.join(free)}**, if there is one VC"


def sources(weft, values):
    """Fig. 3: broadcasts in four steps from any kind of source."""
    submitted = [(root, weft.submit(rings(2), "oab", root=root)) for root in (0, 1, 2)]
    values["sources"] = table(
        ["source", "printed", "found", "result"],
        [[f"node {root}", 4, a.result().found(), compare_with_printed(4, a.result())] for root, a in submitted],
    )


def replays(weft):
    submitted = [(f"{n.name} {c.upper()}", n, weft.submit(n, c)) for n, _ in BOUNDS for c in COLLECTIVES]
    submitted += [
        (f"{n.name} {c.upper()}, combining", n, weft.submit(n, c, combining=True)) for n, _ in COMBINED for c in COLLECTIVES
    ]
    return simulation_table(weft, submitted)


def compare_with_meshes(single, combined, values):
    """16 and 64 nodes, messages of 4 bytes."""
    pairs = [("H-rings 16", "mesh 4x4"), ("H-rings 64", "mesh 8x8")]
    slower, equal = [], []
    for c in COLLECTIVES:
        times = [tuple(min(answers[name, c].time(4) for answers in (single, combined)) for name in pair) for pair in pairs]
        values[f"{c}_times"] = ", ".join(f"{rings:,} and {mesh:,}" for rings, mesh in times)
        if c in ("aab", "aas"):
            slower += [rings > 1.5 * mesh for rings, mesh in times]
        else:
            equal += [rings == mesh for rings, mesh in times]
    values["equal"] = "reproduced" if all(equal) else "**not reproduced**"
    values["slower"] = "reproduced" if all(slower) else "**in part**" if any(slower) else "**not reproduced**"


def page(weft):
    values = {}
    single = {(n.name, c): weft.submit(n, c) for n, _ in BOUNDS for c in COLLECTIVES}
    networks = [n for n, _ in COMBINED] + [ring(8), ring(16)]
    combined = {(n.name, c): weft.submit_combined(n, c) for n in networks for c in COLLECTIVES}
    sources(weft, values)
    deadlock(weft, values)
    single = {key: value.result() for key, value in single.items()}
    combined = {key: value.result() for key, value in combined.items()}
    single_messages(single, values)
    formulas(combined, values)
    combined_messages(combined, values)
    times(single, combined, values)
    exception(single, combined, values)
    values["aas_16"], values["aas_64"] = single["H-rings 16", "aas"].found(), single["H-rings 64", "aas"].found()
    compare_with_meshes(single, combined, values)
    values["example_single"] = str(single[ring(8).name, "aas"].time(100))
    values["example_result"] = "reproduced" if values["example_single"] == "880" else "**not reproduced**"
    return values
