# SPDX-License-Identifier: Apache-2.0
"""Values of octagon.md: OCTAGON."""

import itertools
import re

from paper_tools import table
from schedule_tools import ALL, DETAILS, FAT_OCTAGON, Network, details, mesh, simulation_table, compare_with_printed

# OCTAGON does not state which eight cores send. These, with (1, 2, 2, 2, 1, 0, 0, 0) senders on routers 0 to 7, agree
# with its three rows of scatter.
SENDERS = "0,r1,r2,r3,8"
OTHERS = "1,9,r5,r6,r7"
SETS = [
    ("one core of each router", "0,2,4,6,8,10,12,14", "1,3,5,7,9,11,13,15"),
    ("routers 0 to 3", "r0,r1,r2,r3", "r4,r5,r6,r7"),
    ("every other router", "r0,r2,r4,r6", "r1,r3,r5,r7"),
    ("routers 0, 1, 4, 5", "r0,r1,r4,r5", "r2,r3,r6,r7"),
    ("two pairs and four single cores", "r0,r1,4,6,8,10", "5,7,9,11,r6,r7"),
]
# Table 2: row, senders, receivers, printed bounds and results of MNB and MNS.
ROWS = [
    ("8 to the same 8", SENDERS, SENDERS, (7, 7), (7, 10)),
    ("8 to other 8", SENDERS, OTHERS, (8, 10), (8, 10)),
    ("8 to all 16", SENDERS, None, (8, 15), (8, 15)),
    ("all 16 to all 16", None, None, (15, 15), (15, 17)),
]


# Section 5 and the conclusion: searches scale to 64 to 128 nodes.
SIZES = [
    (8, Network("Octagon", kind="octagon")),
    (16, FAT_OCTAGON),
    *(
        (2 * routers, Network(f"extended fat Octagon of {routers}", kind="octagon", routers=routers, nodes_per_router=2))
        for routers in (16, 32, 64)
    ),
]
CLOSE = 0.1  # part of the bound up to which a number of steps is close to it
KINDS_LIMIT = 5  # seconds for each kind of senders
METHODS = ["hgsa", "estimation", "annealing", "tabu", "sat"]
EXACT_NODES = 16


def submit(weft, collective, senders, receivers, **options):
    if senders:
        options["senders"] = senders
    if receivers:
        options["receivers"] = receivers
    return weft.submit(FAT_OCTAGON, collective, **options)


def table_two(weft, values):
    submitted = []
    others = {
        (title, c): [submit(weft, c, senders, receivers) for _, senders, row, receivers in other_rows() if row == title]
        for title, *_ in ROWS
        for c in ("mnb", "mns")
    }

    def compare(title, collective, printed, answer):
        """The result, which depends on the senders if other ones lead to the printed number."""
        result = compare_with_printed(printed, answer)
        if printed < answer.bound and any(other.result().R <= printed for other in others[title, collective]):
            result += " with these senders"
        return result

    for title, senders, receivers, bounds, reached in ROWS:
        for i, collective in enumerate(("mnb", "mns")):
            submitted.append((title, collective, bounds[i], reached[i], submit(weft, collective, senders, receivers)))

    def finish():
        rows = []
        for title, collective, bound, reached, future in submitted:
            answer = future.result()
            says = "holds" if bound == answer.bound else "weak" if bound < answer.bound else "**no bound**"
            rows.append(
                [title, collective.upper(), f"{bound}, {says}", reached, compare(title, collective, reached, answer)] + details(answer)
            )
        values["table_two"] = table(["", "", "printed bound", "printed", "result"] + DETAILS, rows)

    return finish


def minimal_paths(weft, values):
    """Eight to the same eight by shortest paths only."""
    answer = weft.run(FAT_OCTAGON, "mns", "minimal", weft.seconds, senders=SENDERS, receivers=SENDERS)
    row = ["shortest", 10, compare_with_printed(10, answer)] + details(answer)
    values["minimal"] = table(["paths", "printed", "result"] + DETAILS, [row])


def other_rows():
    """(set, senders, row, receivers) of other senders, with the names of the rows of Table 2."""
    for title, senders, others in SETS:
        for row, receivers in (("8 to the same 8", senders), ("8 to other 8", others), ("8 to all 16", None)):
            yield title, senders, row, receivers


def kinds_of_senders():
    """Eight of the 16 cores, one for each class of the symmetries of the Octagon: (senders, others)."""
    seen = set()
    for counts in itertools.product(range(3), repeat=8):
        turned = [counts[i:] + counts[:i] for i in range(8)]
        least = min(turned + [one[::-1] for one in turned])
        if sum(counts) != 8 or least in seen:
            continue
        seen.add(least)
        cores = [(2 * router + core, core < n) for router, n in enumerate(least) for core in (0, 1)]
        yield [",".join(str(core) for core, sends in cores if sends == side) for side in (True, False)]


def count_kinds(weft, values):
    """For how many kinds of senders the printed 8 steps of broadcast to the other eight are possible."""
    submitted = [submit(weft, "mnb", senders, others, paths="any", limit=KINDS_LIMIT) for senders, others in kinds_of_senders()]

    def finish():
        answers = [future.result() for future in submitted]
        values["kinds"] = str(len(answers))
        values["kinds_possible"] = str(sum(answer.R == 8 for answer in answers))
        values["kinds_impossible"] = str(sum(answer.bound > 8 for answer in answers))

    return finish


def other_sets(weft, values):
    submitted = [
        (title, row.removeprefix("8 "), c, submit(weft, c, senders, receivers))
        for title, senders, row, receivers in other_rows()
        for c in ("mnb", "mns")
    ]

    def finish():
        rows = [[title, row, c.upper()] + details(future.result()) for title, row, c, future in submitted]
        values["sets"] = table(["senders", "", ""] + DETAILS, rows)

    return finish


def searches(weft, values):
    """The paper's kinds of search and others, all to all, 8 to 128 nodes."""
    submitted = []
    for nodes, network in SIZES:
        for collective in ("aab", "aas") if nodes <= EXACT_NODES else ("aas",):
            by = {
                method: weft.submit(network, collective, method=method, paths="minimal")
                for method in METHODS
                if method != "sat" or nodes <= EXACT_NODES
            }
            submitted.append((nodes, network, collective, weft.submit(network, collective), by))

    def cell(future):
        if future is None:
            return "–"
        answer = future.result()
        return f"{answer.R} in {answer.time_class()} s" if answer else "none"

    def finish():
        rows = []
        for nodes, network, collective, best, by in submitted:
            answer = best.result()
            row = [nodes, network.name, collective.upper(), answer.bound]
            rows.append(row + [cell(by.get(method)) for method in METHODS] + [f"{answer.R}, {answer.by}"])
        values["searches"] = table(["nodes", "network", "", "bound"] + [f"`{m}`" for m in METHODS] + ["auto"], rows)
        values["closeness"] = closeness(rows)

    return finish


def closeness(rows):
    """For how many problems of the table of searches a method met the bound or came close to it."""
    lines = []
    for i, method in enumerate(METHODS + ["auto"]):
        cells = [(row[3], row[4 + i]) for row in rows if row[4 + i] != "–"]
        found = [int(re.match(r"\d+", cell)[0]) / bound for bound, cell in cells if cell != "none"]
        met, close = sum(gap == 1 for gap in found), sum(1 < gap <= 1 + CLOSE for gap in found)
        lines.append([f"`{method}`" if method != "auto" else method, len(cells), met, close, len(found) - met - close, len(cells) - len(found)])
    return table(["", "problems", "bound met", "at most 10 % above", "further above", "none"], lines)


def scatter_of_an_edge(weft, values):
    """Fig. 3: five steps with paths that are not shortest."""
    network = mesh(4, 4, ALL)
    answers = [weft.run(network, "oas", paths, weft.seconds, root=1) for paths in ("minimal", "any")]
    rows = [
        [paths, printed, compare_with_printed(printed, answer)] + details(answer)
        for paths, printed, answer in zip(("shortest", "any"), (6, 5), answers)
    ]
    values["fig_three"] = table(["paths", "printed", "result"] + DETAILS, rows)


def example(values):
    """Section 3: nine senders, eleven receivers, four nodes are both; b1 = 5, b2 = 6, b0 = 1."""
    m, n, q, b1, b2, b0 = 9, 11, 4, 5, 6, 1
    up = lambda a, b: -(-a // b)  # noqa: E731
    first = max(up((m - q) * q, b1), up(q * (n - q), b2))
    apart = up((m - q) * (n - q), min(b1, b2))
    rows = []
    for text, pairs in (("Q²/(2 b0), as in eq. 8", q * q), ("Q(Q−1)/(2 b0), the example", q * (q - 1))):
        both = up(pairs, 2 * b0)
        rows.append([text, first, f"max({apart}, {both}) = {max(apart, both)}", first + max(apart, both)])
    values["example"] = table(["second part by", "T1", "T2", "T1 + T2"], rows)


def replays(weft):
    return simulation_table(
        weft,
        [
            (f"{title} {c.upper()}", FAT_OCTAGON, submit(weft, c, senders, receivers))
            for title, senders, receivers, _, _ in ROWS
            for c in ("mnb", "mns")
        ],
    )


def page(weft):
    values = {}
    finish = [table_two(weft, values), other_sets(weft, values), count_kinds(weft, values), searches(weft, values)]
    minimal_paths(weft, values)
    scatter_of_an_edge(weft, values)
    example(values)
    for one in finish:
        one()
    return values
