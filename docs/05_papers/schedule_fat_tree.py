# SPDX-License-Identifier: Apache-2.0
"""Values of fat_tree.md and fat_tree_combining.md: the tables and equations of FATTREE in its order."""

import fat_tree_thresholds
from fat_tree_claims import conclusions
from paper_tools import table
from schedule_tools import ALL, COLLECTIVES, DETAILS, FT32, FT8, FT8_2, GFT16, GFT9, Network, XGFT12, break_even, break_even_text, costs_text
from schedule_tools import details, mesh, number, simulation_table, compare_with_printed, compare_cost_with_printed

# Table II: R of OAB, AAB, OAS, AAS.
TREES = [
    (FT8, (3, 7, 7, 7)),
    (GFT9, (2, 3, 3, 3)),
    (XGFT12, (4, 12, 11, 15)),
    (GFT16, (3, 8, 8, 8)),
    (FT32, (6, 33, 31, 33)),
    (FT8_2, (6, 33, 31, 33)),
]
# The same for meshes with all ports. For OAB and OAS by source: its name, nodes of that kind that no symmetry maps onto
# each other, and both R.
MESHES = [
    (mesh(2, 4, ALL), [("edge", [1], 3, 4), ("corner", [0], 3, 4)], 4, 8),
    (mesh(3, 3, ALL), [("inner", [4], 2, 2), ("edge", [1], 2, 3), ("corner", [0], 2, 4)], 4, 6),
    (mesh(3, 4, ALL), [("inner", [5], 2, 3), ("edge", [1, 4], 2, 4), ("corner", [0], 3, 6)], 6, 12),
    (mesh(4, 4, ALL), [("inner", [5], 2, 4), ("edge", [1], 2, 6), ("corner", [0], 3, 8)], 8, 17),
    (mesh(4, 8, ALL), [("inner", [9, 10, 11], 3, 8), ("edge", [1, 2, 3, 8], 3, 11), ("corner", [0], 4, 16)], 16, 64),
]
# Tables V and VI, ns: AAB, OAS, AAS with messages of 8 and of 64 bytes; ts = 10 ns, t1 = 1 ns per byte.
TIMES = [
    (MESHES[0][0], ((72, 72, 144), (296, 296, 592))),
    (MESHES[1][0], ((72, 36, 108), (296, 148, 444))),
    (MESHES[2][0], ((108, 108, 216), (444, 444, 888))),
    (MESHES[3][0], ((144, 72, 306), (592, 296, 1258))),
    (MESHES[4][0], ((288, 144, 1152), (1184, 592, 4736))),
    (FT8, ((86, 86, 126), (478, 478, 518))),
    (GFT9, ((54, 54, 54), (222, 222, 222))),
    (XGFT12, ((138, 136, 270), (754, 808, 1110))),
    (GFT16, ((144, 144, 144), (592, 592, 592))),
    (FT32, ((298, 298, 594), (2034, 2034, 2442))),
]
LENGTHS = (8, 64)
# Table V: OAS starts at the kind of node whose number of steps leads to the printed times.
OAS_SOURCES = {"mesh 2x4": ("edge", 1), "mesh 3x3": ("inner", 4), "mesh 3x4": ("corner", 0), "mesh 4x4": ("inner", 5), "mesh 4x8": ("inner", 9)}
CUBES = [Network(f"hypercube {2**n}", "one", kind="hypercube", dimensions=n) for n in (3, 4, 5)]
ONE_PORT = [mesh(3, 3), mesh(3, 4), mesh(4, 4), mesh(4, 8)]


def submit_single(weft):
    """[(node, answer)] by network, collective and, for meshes, kind of source."""
    submitted = {}
    for network, _ in TREES:
        for collective in COLLECTIVES:
            submitted[network.name, collective, ""] = [(0, weft.submit(network, collective))]
    for network, sources, _, _ in MESHES:
        for collective in ("aab", "aas"):
            submitted[network.name, collective, ""] = [(0, weft.submit(network, collective))]
        for kind, nodes, _, _ in sources:
            for collective in ("oab", "oas"):
                submitted[network.name, collective, kind] = [(n, weft.submit(network, collective, root=n)) for n in nodes]
    return submitted


def best(answers):
    return min((answer for _, answer in answers), key=lambda answer: answer.cost)


def others(answers):
    if len(answers) == 1:
        return ""
    return ", ".join(f"node {node}: {answer.R}" for node, answer in answers)


def table_two(single, values):
    rows = []

    def row(network, collective, kind, printed):
        answers = single[network.name, collective, kind]
        answer = best(answers)
        title = f"{collective.upper()} {kind}".strip()
        rows.append([network.name, title, printed, compare_with_printed(printed, answer)] + details(answer) + [others(answers)])

    for network, printed in TREES:
        for collective, steps in zip(COLLECTIVES, printed):
            row(network, collective, "", steps)
    for network, sources, gossip, exchange in MESHES:
        for kind, _, oab, _ in sources:
            row(network, "oab", kind, oab)
        row(network, "aab", "", gossip)
        for kind, _, _, oas in sources:
            row(network, "oas", kind, oas)
        row(network, "aas", "", exchange)
    values["table_two"] = table(["network, all ports", "", "printed", "result"] + DETAILS + ["by source"], rows)


def table_one(single, values):
    """The printed lower bounds that are not valid, and those that a valid bound exceeds."""
    rows = []
    for (network, collective, kind), answers in single.items():
        answer = best(answers)
        for f in answer.content["printed"]:
            if f["claim"] != "lower_bound" or not f["remark"] or f["R"] == answer.bound:
                continue
            holds = "weak" if f["R"] < answer.bound else "**no bound**"
            title = f"{collective.upper()} {kind}".strip()
            rows.append([network, title, f["text"], f["R"], holds, answer.bound, answer.R, f["remark"]])
    values["table_one"] = table(["network", "", "formula", "value", "state", "valid bound", "found", "reason"], rows)


def submit_formulas(weft):
    """Tables III and IV by source, network and collective, with one port as in the paper."""
    return {
        (source, network, collective): weft.submit_combined(network, collective)
        for source, networks in (("FATTREE Table III", ONE_PORT), ("FATTREE Table IV", CUBES))
        for network in networks
        for collective in COLLECTIVES
    }


def combining_formulas(weft):
    submitted = submit_formulas(weft)

    def finish(values):
        rows = []
        for (source, network, collective), future in submitted.items():
            answer = future.result()
            for f in answer.content["printed"]:
                if f["source"] != source:
                    continue
                pair = (f["R"], f["TCO"])
                rows.append(
                    [network.name, collective.upper(), f["text"], f"{pair[0]}/{pair[1]}"]
                    + [compare_cost_with_printed(pair, answer)]
                    + details(answer)
                )
        values["combining"] = table(["network, one port", "", "printed", "value", "result"] + DETAILS, rows)

    return finish


def thresholds(single, values):
    """Equations 8 and 10."""
    rows = []
    for (network, collective, kind), answers in single.items():
        for t in answers[0][1].content["thresholds"]:
            title = f"{collective.upper()} {kind}".strip()
            row = [t["source"], network, title, number(t["printed"]), number(t["holds"]), t["remark"]]
            if row not in rows:
                rows.append(row)
    values["thresholds"] = table(["", "network", "", "printed m t1/ts", "the formulas' costs give", "remark"], rows)


def submit_times(weft):
    """Combined messages on the networks of Tables V and VI, with all ports."""
    submitted = {}
    for network, _ in TIMES:
        for collective in ("aab", "oas", "aas"):
            kind, node = source_of(network, collective)
            root = {"root": node} if kind else {}
            submitted[network.name, collective, kind] = weft.submit_combined(network, collective, **root)
    return submitted


def source_of(network, collective):
    """Kind and number of the source in Tables V and VI; no kind if the source does not matter."""
    return OAS_SOURCES.get(network.name, ("", 0)) if collective == "oas" else ("", 0)


def time_cells(paper, length, direct, combined):
    """The printed time, the time found, and the result of the comparison."""
    time = min(direct.time(length), combined.time(length))
    how = "direct" if direct.time(length) <= combined.time(length) else "combined"
    # No schedule is faster than the bounds of R and TCO together.
    if paper < 10 * combined.bound + length * combined.least_TCO:
        return [paper, f"{time}, {how}", "**impossible**"]
    says = "reproduced" if time == paper else "**beaten**" if time < paper else "**not reproduced**"
    return [paper, f"{time}, {how}", says]


def times(single, combined, values):
    rows = []
    for network, printed in TIMES:
        for i, collective in enumerate(("aab", "oas", "aas")):
            kind, _ = source_of(network, collective)
            direct, joined = best(single[network.name, collective, kind]), combined[network.name, collective, kind]
            row = [network.name, f"{collective.upper()} {kind}".strip()]
            for j, length in enumerate(LENGTHS):
                row += time_cells(printed[j][i], length, direct, joined)
            rows.append(row)
    header = ["network", ""]
    for length in LENGTHS:
        header += [f"printed, {length} bytes", "ns", "result"]
    values["times"] = table(header, rows)


def break_evens(single, combined):
    """Break-even by network, collective and kind of source."""
    return {key: break_even(best(single[key]).costs, answer.costs) for key, answer in combined.items()}


def break_even_table(single, combined, evens, values):
    rows = []
    for (network, collective, kind), answer in combined.items():
        direct = best(single[network, collective, kind])
        rows.append(
            [network, f"{collective.upper()} {kind}".strip(), costs_text(direct.pareto()), costs_text(answer.pareto())]
            + [answer.bounds(), break_even_text(evens[network, collective, kind])]
        )
    values["break_even"] = table(["network", "", "direct", "combined", "bound", "break-even m t1/ts"], rows)


def draw(evens):
    nodes = {network.name: network.keys["shape"][0] * network.keys["shape"][1] for network, *_ in MESHES}
    trees = {"FT-8": 8, "XGFT-12": 12, "GFT-16": 16, "FT-32": 32}
    found = [("mesh" if name in nodes else "tree", c, {**nodes, **trees}[name], even)
             for (name, c, _), even in evens.items() if name in nodes or name in trees]
    fat_tree_thresholds.draw(found)


def congestion(combined, values):
    """Equations 11 and 12 on the embedded meshes of the paper: rows A, columns B, w1, and both congestions."""
    rows = []
    for network, a, b, w1, e1, e2 in ((GFT9, 3, 3, 3, 1, 1), (GFT16, 4, 4, 2, 1, 2), (XGFT12, 4, 3, 1, 1, 2)):
        for collective in ("aab", "aas"):
            answer = combined[network.name, collective, ""]
            steps, occupancy = fat_tree_thresholds.mesh_cost(collective, a, b, e1, e2)
            even = fat_tree_thresholds.on_embedded_mesh(collective, a, b, w1, e1, e2)
            rows.append(
                [network.name, collective.upper(), f"{a}x{b}", f"{e1}, {e2}", f"{steps}/{occupancy}", break_even_text(even)]
                + [costs_text(answer.pareto()), answer.bounds()]
            )
    header = ["network", "", "mesh", "ε1, ε2", "eq. 11", "eq. 12, m t1/ts", "found", "bound"]
    values["congestion"] = table(header, rows)


def replays(weft):
    def title(network, collective, *more):
        return ", ".join([f"{network.name} {collective.upper()}", *filter(None, more)])

    submitted = []
    networks = {network.name: network for network, *_ in TREES + MESHES}
    for (name, collective, kind), answers in submit_single(weft).items():
        network = networks[name]
        for node, future in answers:
            submitted.append((title(network, collective, f"{kind} {node}" if kind else ""), network, future))
    for (source, network, collective), merged in submit_formulas(weft).items():
        submitted.append((title(network, collective, "one port", "combining"), network, merged.own))
    for (name, collective, kind), merged in submit_times(weft).items():
        submitted.append((title(networks[name], collective, kind, "combining"), networks[name], merged.own))
    return simulation_table(weft, submitted)


def results(weft):
    """The answers with single messages, by network, collective and kind of source, and those with combined messages."""
    submitted, submitted_times = submit_single(weft), submit_times(weft)
    single = {key: [(node, future.result()) for node, future in list_] for key, list_ in submitted.items()}
    return single, {key: future.result() for key, future in submitted_times.items()}


def page(weft):
    """Values of fat_tree.md."""
    values = {}
    single, combined = results(weft)
    table_one(single, values)
    table_two(single, values)
    times(single, combined, values)
    return values


def combining_page(weft):
    """Values of fat_tree_combining.md."""
    values = {}
    finish_combining = combining_formulas(weft)
    single, combined = results(weft)
    finish_combining(values)
    thresholds(single, values)
    evens = break_evens(single, combined)
    break_even_table(single, combined, evens, values)
    draw(evens)
    congestion(combined, values)
    conclusions({key: best(answers) for key, answers in single.items()}, combined, evens, values)
    return values
