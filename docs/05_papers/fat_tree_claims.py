# SPDX-License-Identifier: Apache-2.0
"""The conclusions of FATTREE, compared with the paper's own formulas and with the schedules that weft schedule found."""

import math

from fat_tree_thresholds import CUBES, SIDES, on_cube, on_embedded_mesh, on_mesh
from paper_tools import table
from schedule_tools import break_even_text

MESHES = ((2, 4), (3, 4), (4, 8), *((n, n) for n in SIDES))  # of eq. 8
SHORT, START_UP = 8, 10  # bytes and ns of Tables V and VI, at 1 ns per byte
PRINTED_GAIN = 1 - 298 / (33 * (START_UP + SHORT))  # AAB on FT-32: combined in Table VI, 33 direct steps in Table II


def listed(values):
    """Values of m t1 / ts by network, from the least to the greatest."""
    least, most = min(values, key=values.get), max(values, key=values.get)
    if values[least] == values[most]:
        return break_even_text(values[least])
    return f"{break_even_text(values[least])} ({least}) to {break_even_text(values[most])} ({most})"


def outcome(by_formulas, by_schedules):
    if by_formulas and by_schedules:
        return "holds"
    if by_formulas:
        return "**only with the paper's schedules**"
    return "**only with the schedules found**" if by_schedules else "**does not hold**"


def claim(where, text, by_formulas, by_schedules, holds):
    """A row: the values of formulas and schedules by name, and what must hold for all of them."""
    results = [all(map(holds, values.values())) for values in (by_formulas, by_schedules)]
    return [where, text, listed(by_formulas), listed(by_schedules), outcome(*results)]


def mesh_values():
    values = {f"{c.upper()} {a}x{b}, k = {k}": on_mesh(c, a, b, k) for a, b in MESHES for c, k in (("aab", 2), ("oas", 2), ("oas", 3), ("oas", 4))}
    return values | {f"AAS {a}x{b}": on_mesh("aas", a, b, 2) for a, b in MESHES}


def cube_values(collectives, parents):
    return {f"{c.upper()} P = {p}, w1 = {w}": on_cube(c, p, w) for c in collectives for p in CUBES for w in parents}


def embedded_values(collectives, parents):
    sizes = ((3, 4), *((n, n) for n in SIDES if n > 2))
    return {f"{c.upper()} {a}x{b}, w1 = {w}": on_embedded_mesh(c, a, b, w) for c in collectives for a, b in sizes for w in parents}


def found(evens, networks, collectives=("aab", "oas", "aas")):
    return {f"{c.upper()} {name}": even for (name, c, _), even in evens.items() if c in collectives and name.startswith(networks)}


def rising(evens):
    """Conclusion 1, second sentence: for which collectives no break-even decreases with the number of nodes."""
    def rises(values):
        return all(a <= b for a, b in zip(values, values[1:]))

    sides = SIDES[2:]
    formulas = {c: [on_mesh(c, n, n, 2) for n in sides] for c in ("aab", "oas", "aas")}
    schedules = {c: [even for (name, one, _), even in evens.items() if one == c and name.startswith("mesh")] for c in formulas}
    cells, counts = [], []
    for values, sizes in ((formulas, f"4x4 to {sides[-1]}x{sides[-1]}"), (schedules, "2x4 to 4x8")):
        up = [c.upper() for c, list_ in values.items() if rises(list_)]
        counts.append(len(up))
        cells.append(f"{sizes}: {'only for ' + ', '.join(up) if up else 'for no collective'}")
    result = "**holds in part**" if any(counts) and min(counts) < len(formulas) else outcome(*counts)
    return ["conclusion 1", "this length grows with the number of nodes", *cells, result]


def gain(direct, combined):
    """By which part combined messages of 8 bytes reduce the time."""
    single = direct.time(SHORT)
    return max(0, 1 - combined.time(SHORT) / single)


def gains(single, combined):
    """The two statements on Tables V and VI."""
    parts = {key: gain(single[key], answer) for key, answer in combined.items()}
    titles = {key: " ".join(filter(None, (key[1].upper(), key[0], key[2]))) for key in parts}
    little = {key: part for key, part in parts.items() if key[0].startswith("mesh") or key[1] == "aas"}
    much = {key: part for key, part in parts.items() if key[0] in ("FT-8", "XGFT-12", "FT-32") and key[1] != "aas"}
    rows = []
    most = max(little, key=little.get)
    rows.append(["section V", "8 bytes: combining hardly improves AAS on trees and any collective on meshes",
                 "none of these entries of Tables V and VI is combined", f"up to {100 * little[most]:.0f} % ({titles[most]})",
                 outcome(True, little[most] <= 0.1)])
    most = max(much, key=much.get)
    parts_of_time = (PRINTED_GAIN, much[most])
    cells = [f"{100 * part:.1f} % less time, {1 / (1 - part):.2f} times as fast" for part in parts_of_time]
    in_time, in_speed = (all(part > least for part in parts_of_time) for least in (1 / 2, 1 / 3))
    holds = "holds" if in_time else "**holds for the speed, not for the time**" if in_speed else "**does not hold**"
    rows.append(["section V", "8 bytes: with w1 = 1, AAB and OAS improve even by more than 50 %", f"{cells[0]} (AAB FT-32, Tables II and VI)",
                 f"{cells[1]} ({titles[most]})", holds])
    return rows


def conclusions(single, combined, evens, values):
    single_parent, two_parents = ("FT-8", "XGFT-12", "FT-32"), ("GFT-16",)
    short, always, below = (lambda v: 0 < v), (lambda v: v == math.inf), (lambda v: v < 0.1)
    both = ("aab", "oas")
    rows = [
        claim("conclusion 1", "on meshes, combining helps only if m t1 < ts", mesh_values(), found(evens, "mesh"), lambda v: v < 1),
        rising(evens),
        claim("conclusion 2", "hypercube, w1 = 1: combined AAB and OAS are always faster", cube_values(both, (1,)),
              found(evens, single_parent, both), always),
        claim("conclusion 2", "hypercube, w1 = 2: short combined messages are faster", cube_values(both, (2,)),
              found(evens, two_parents, both), short),
        claim("conclusion 2", "hypercube: AAS helps only if m t1/ts < 0.1", cube_values(("aas",), (1, 2)),
              found(evens, (*single_parent, *two_parents), ("aas",)), below),
        claim("conclusion 3", "mesh, w1 = 1: combined AAB and OAS are always faster", embedded_values(both, (1,)),
              found(evens, single_parent, both), always),
        claim("conclusion 3", "mesh, w1 = 2: AAB and OAS are faster only if m t1 < ts", embedded_values(both, (2,)),
              found(evens, two_parents, both), lambda v: v < 1),
        claim("conclusion 3", "mesh: AAS helps only if m t1/ts < 0.1", embedded_values(("aas",), (1, 2)),
              found(evens, (*single_parent, *two_parents), ("aas",)), below),
        *gains(single, combined),
    ]
    values["conclusions"] = table(["where", "FATTREE states", "m t1/ts by its formulas", "by the schedules found", "result"], rows)
