# SPDX-License-Identifier: Apache-2.0
"""The time of every scheme with the best choice of its algorithms, groups and barriers, which is the same search for all."""

import itertools
import math
from collections import namedtuple

from network_coding_tools import MESHES, cycles, squarest
from paper_tools import plot, table

XOR = {"xor_cycles": 1}  # value of the paper
ALGORITHMS = ["all_at_once", "tree", "interleaved_tree", "neighbour_forwarding", "ring"]
UNGROUPED = [*ALGORITHMS, "doubling_tree", "rank_tree"]
GROUPED = {
    "HNC": ("network_coding", XOR),
    "the same uncoded": ("hierarchy", {}),
    "spread intermediates": ("spread_intermediates", {}),
}
LARGE_NETWORK = 32  # sides from which on only the best pairs of algorithms of the 16-ary mesh are tried
PAIRS = 5
FIXED = {"inner": "ring", "outer": "interleaved_tree"}  # the choice with which the lines of Fig. 10 cross

Choice = namedtuple("Choice", "cycles inner outer group barriers")


def all_groups(k):
    """The nearly square groups of 2, 4, 8, … nodes, up to half of the network."""
    return [squarest(1 << e) for e in range(1, int(2 * math.log2(k)))]


def play(weft, k, scheme, inner, outer, group, barriers):
    """One choice, with its time."""
    algorithm, extra = GROUPED[scheme]
    settings = {"group": group, "placement": "mirror", "inner": inner, "outer": outer, **extra}
    return Choice(cycles(weft.play(k, algorithm, barriers=barriers, **settings)), inner, outer, group, barriers)


def tried(weft, k, scheme, pairs, barriers):
    """The time of a scheme with each pair of algorithms, inside and between groups, and with each group."""
    return [
        play(weft, k, scheme, inner, outer, group, b)
        for (inner, outer), group, b in itertools.product(pairs, all_groups(k), barriers)
    ]


def best_pairs(choices):
    """The pairs of algorithms with the least times; of pairs with equal times, which are mostly the same messages, one."""
    pairs = {}
    for choice in sorted(choices):
        pairs.setdefault(choice.cycles, (choice.inner, choice.outer))
    return list(dict.fromkeys(pairs.values()))[:PAIRS]


def tuned(weft):
    """The best choice of each scheme on each mesh. On the largest mesh, each scheme also tries the best choices of the other schemes,
    and barriers with all of these."""
    best = {scheme: [] for scheme in GROUPED}
    pairs = {}
    for k in MESHES:
        if k < LARGE_NETWORK:
            for scheme in GROUPED:
                choices = tried(weft, k, scheme, list(itertools.product(ALGORITHMS, ALGORITHMS)), (False, True))
                best[scheme].append(min(choices))
                pairs[scheme] = best_pairs(choices)
            continue
        least = {scheme: min(tried(weft, k, scheme, pairs[scheme], (False,))) for scheme in GROUPED}
        for scheme in GROUPED:
            shared = [play(weft, k, scheme, c.inner, c.outer, c.group, b) for c in least.values() for b in (False, True)]
            best[scheme].append(min(shared))
    return best


def ungrouped(weft):
    """The fastest scheme without groups on each mesh."""
    return [
        min((cycles(weft.play(k, name, barriers=b)), name, b) for name in UNGROUPED for b in (False, True)) for k in MESHES
    ]


def words(k, choice):
    """A choice, as in "4x4: ring inside, tree between", without the algorithms that have no effect."""
    parts = []
    if math.prod(choice.group) > 2:
        parts.append(f"{choice.inner} inside")
    if 2 * math.prod(choice.group) < k * k:
        parts.append(f"{choice.outer} between")
    if choice.barriers:
        parts.append("barriers")
    return f"{choice.group[0]}x{choice.group[1]}: {', '.join(parts)}".replace("_", " ")


def all_tuned(weft, values):
    """Stores the table and the figure of tuned schemes. Returns the cycles of each scheme on each mesh."""
    without_groups = ungrouped(weft)
    lines = {
        "floor: ejection": [k * k - 1 for k in MESHES],
        "the paper's tree, barriers": [cycles(weft.play(k, "tree", barriers=True)) for k in MESHES],
        "the paper's tree, no barriers": [cycles(weft.play(k, "tree")) for k in MESHES],
        "the best scheme without groups": [c for c, _, _ in without_groups],
    }
    choices = {"the best scheme without groups": [name.replace("_", " ") + ", barriers" * b for _, name, b in without_groups]}
    for scheme, best in tuned(weft).items():
        lines[f"{scheme}, tuned"] = [choice.cycles for choice in best]
        choices[f"{scheme}, tuned"] = [words(k, choice) for k, choice in zip(MESHES, best)]
    lines["HNC, 4x4: ring, interleaved tree"] = fixed = [
        cycles(weft.play(k, "network_coding", group=[4, 4] if k > 4 else [2, 2], placement="mirror", **FIXED, **XOR))
        for k in MESHES
    ]
    header = [f"{k}-ary" for k in MESHES]
    values["tuned"] = table(["cycles, 2-mesh", *header], [[title, *line] for title, line in lines.items()])
    values["tuned_choices"] = table(["", *header], [[title, *line] for title, line in choices.items()])
    plot(
        "network_coding_tuned",
        [(title, list(zip(MESHES, line))) for title, line in lines.items()],
        "k of the k-ary 2-mesh",
        "execution, cycles",
        "set logscale xy 2",
    )
    return lines, fixed
