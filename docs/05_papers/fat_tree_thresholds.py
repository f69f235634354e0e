# SPDX-License-Identifier: Apache-2.0
"""The conditions of FATTREE for combining messages, eqs 8, 10 and 12, as functions of the number of nodes. The costs (R, TCO) are
those of the paper's equations; break_even() computes the condition from them, so misprints in a denominator have no effect."""

import math

from paper_tools import panel, store_figure
from schedule_tools import break_even

SIDES = (2, 3, 4, 5, 6, 8, 10, 12, 16)  # square meshes
CUBES = (8, 16, 32, 64, 128, 256, 512, 1024)


def up(n, divisor):
    return -(-n // divisor)


def log2(n):
    return math.ceil(math.log2(n))


def mesh_cost(collective, a, b, e1=1, e2=1):
    """Table III on a x b nodes, with the steps of eq. 11 for the congestions of rows and of columns."""
    steps = e1 * (b - 1) + e2 * (a - 1)
    if collective == "aab":
        return steps, a * b - 1
    if collective == "oas":
        return log2(a) + log2(b), a * (2 ** log2(b) - 1) + 2 ** log2(a) - 1
    return steps, a * b * (a + b - 2) // 2


def cube_cost(collective, nodes):
    """Table IV."""
    return (log2(nodes), nodes // 2 * log2(nodes)) if collective == "aas" else (log2(nodes), nodes - 1)


def on_mesh(collective, a, b, ports):
    """Eq. 8, a <= b. ports: k, for AAB and OAS."""
    steps = up((a * b) ** 2, 4 * a) if collective == "aas" else up(a * b - 1, ports)
    return break_even({(steps, steps)}, {mesh_cost(collective, a, b)})


def on_cube(collective, nodes, parents):
    """Eq. 10. parents: w1."""
    steps = up(nodes - 1, parents)
    return break_even({(steps, steps)}, {cube_cost(collective, nodes)})


def on_embedded_mesh(collective, a, b, parents, e1=1, e2=1):
    """Eq. 12."""
    steps = up(a * b - 1, parents)
    return break_even({(steps, steps)}, {mesh_cost(collective, a, b, e1, e2)})


def curve(title, function, sizes):
    """A line of a figure, without the sizes at which one of the two kinds of schedules is never slower."""
    points = [(nodes, function(size)) for size, nodes in sizes]
    return title, [(nodes, round(y, 4)) for nodes, y in points if 0 < y < math.inf]


def draw(found):
    """Figs 2, 4 and 5. found: (network kind, collective, nodes, break-even) of the schedules that weft schedule found."""
    squares, cubes = [(n, n * n) for n in SIDES], [(n, n) for n in CUBES]

    def of(kind):
        rows = [(nodes, y) for one, c, nodes, y in found if one == kind and c == "aas" and 0 < y < math.inf]
        return "AAS, found", [(nodes, round(y, 4)) for nodes, y in sorted(rows)]

    mesh_lines = [
        curve("AAB, k = 2", lambda n: on_mesh("aab", n, n, 2), squares),
        *(curve(f"OAS, k = {k}", lambda n, k=k: on_mesh("oas", n, n, k), squares) for k in (2, 3, 4)),
        curve("AAS", lambda n: on_mesh("aas", n, n, 2), squares),
        of("mesh"),
    ]
    cube_lines = [
        curve("AAB, OAS, w1 = 2", lambda p: on_cube("aab", p, 2), cubes),
        *(curve(f"AAS, w1 = {w}", lambda p, w=w: on_cube("aas", p, w), cubes) for w in (1, 2)),
        of("tree"),
    ]
    embedded_lines = [
        curve("AAB, w1 = 2", lambda n: on_embedded_mesh("aab", n, n, 2), squares),
        curve("OAS, w1 = 2", lambda n: on_embedded_mesh("oas", n, n, 2), squares),
        *(curve(f"AAS, w1 = {w}", lambda n, w=w: on_embedded_mesh("aas", n, n, w), squares) for w in (1, 2)),
    ]
    options = "set logscale x 2; set yrange [0:1.6]; set key top right"
    titles = ("Meshes, eq. 8, Fig. 2", "Hypercubes in fat trees, eq. 10, Fig. 4", "Meshes in fat trees, eq. 12, Fig. 5")
    panels = [panel(title, lines, "nodes P", "m t1/ts", options)
              for title, lines in zip(titles, (mesh_lines, cube_lines, embedded_lines))]
    store_figure("fat_tree_thresholds", panels, (1200, 420), columns=3)
