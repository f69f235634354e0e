# SPDX-License-Identifier: Apache-2.0
"""Values of schedules_table.md: all entries of the papers in one table, and networks for which nothing was tuned."""

import statistics

from paper_tools import table
from schedule_fat_tree import MESHES, TREES, submit_formulas, submit_times
from schedule_octagon import ROWS, submit
from schedule_rings import BOUNDS, COMBINED
from schedule_tools import ALL, COLLECTIVES, DETAILS, Network, ONE, details, mesh

LIMIT = 5  # seconds per search on these networks


def of_the_papers(weft, values):
    submitted = [(n.name, c.upper(), weft.submit(n, c)) for n, _ in BOUNDS + TREES for c in COLLECTIVES]
    for network, sources, _, _ in MESHES:
        for c in ("aab", "aas"):
            submitted.append((network.name + ", all ports", c.upper(), weft.submit(network, c)))
        for kind, nodes, _, _ in sources:
            for node in nodes:
                for c in ("oab", "oas"):
                    title = f"{c.upper()} {kind}, node {node}"
                    submitted.append((network.name + ", all ports", title, weft.submit(network, c, root=node)))
    for title, senders, receivers, _, _ in ROWS:
        submitted += [("fat Octagon", f"{c.upper()} {title}", submit(weft, c, senders, receivers)) for c in ("mnb", "mns")]
    combined = combined_of_the_papers(weft)

    def finish():
        singles = [future.result() for _, _, future in submitted]
        joined = [future.result() for _, _, future in combined]
        values["papers"] = table(["network", ""] + DETAILS,
                                 [[name, title] + details(future.result()) for name, title, future in submitted + combined])
        values["papers_all"] = str(len(singles))
        values["papers_met"] = str(sum(a.R <= a.bound for a in singles))
        values["papers_refuted"] = str(sum(a.refuted() for a in singles))
        values["combined_all"] = str(len(joined))
        values["combined_met"] = str(sum(a.R <= a.bound for a in joined))
        values["combined_both"] = str(sum(a.R <= a.bound and a.TCO <= a.least_TCO_of_R for a in joined))

    return finish


def combined_of_the_papers(weft):
    """(network, collective, future answer) of RINGS Table 3, and of FATTREE's Tables III to VI."""
    submitted = [(f"{n.name}, combining", c.upper(), weft.submit_combined(n, c)) for n, _ in COMBINED for c in COLLECTIVES]
    for (_, network, collective), future in submit_formulas(weft).items():
        if (row := (f"{network.name}, combining", collective.upper())) not in [one[:2] for one in submitted]:
            submitted.append((*row, future))
    for (network, collective, kind), future in submit_times(weft).items():
        submitted.append((f"{network}, all ports, combining", f"{collective.upper()} {kind}".strip(), future))
    return submitted


def untuned_networks():
    for seed in range(1, 31):
        degree = 3 + seed % 2
        routers = 8 + 2 * (seed % 5)
        ports = (ONE, ALL)[seed % 3 == 0]
        title = f"random {routers}, degree {degree}, seed {seed}, {ports} port" + "s" * (ports == ALL)
        yield Network(title, ports, kind="random", routers=routers, degree=degree, seed=seed)
    for ports in (ONE, ALL):
        suffix = ", all ports" if ports == ALL else ", one port"
        for network in (
            Network("torus 4x4", ports, kind="torus", shape=[4, 4]),
            mesh(3, 5, ports),
            mesh(5, 5, ports),
            Network("hypercube 16", ports, kind="hypercube", dimensions=4),
        ):
            network.name += suffix
            yield network


def untuned(weft, values):
    networks = list(untuned_networks())
    submitted = {(n.name, c): weft.submit(n, c, limit=LIMIT, keep=False) for n in networks for c in COLLECTIVES}

    def finish():
        answers = {key: future.result() for key, future in submitted.items()}
        rows = []
        for n in networks:
            row = [n.name]
            for c in COLLECTIVES:
                a = answers[n.name, c]
                above = "" if a.R <= a.bound else ", least" if a.refuted() else f", bound {a.bound}"
                row.append(f"{a.R}{above}")
            rows.append(row)
        values["untuned"] = table(["network"] + [c.upper() for c in COLLECTIVES], rows)
        rows = []
        for c in COLLECTIVES:
            gaps = [answers[n.name, c].R / answers[n.name, c].bound - 1 for n in networks]
            open_ = [a for (_, one), a in answers.items() if one == c and a.R > a.bound and not a.refuted()]
            rows.append(
                [c.upper(), len(gaps), sum(gap == 0 for gap in gaps), len(open_)]
                + [f"{100 * statistics.median(gaps):.0f} %", f"{100 * max(gaps):.0f} %"]
            )
        header = ["", "networks", "bound met", "open", "median gap", "worst gap"]
        values["gaps"] = table(header, rows)

    return finish


def page(weft):
    values = {"limit": str(LIMIT)}
    finish = [of_the_papers(weft, values), untuned(weft, values)]
    for one in finish:
        one()
    return values
