# SPDX-License-Identifier: Apache-2.0
"""HNC beyond the figures of the paper on time: its Fig. 1, coding with compression, a hop of three cycles, XORs that a node
computes one after another."""

from network_coding_tools import MESHES, cycles, grid
from network_coding_tuned import FIXED, XOR
from paper_tools import table

GROUPS = {8: [4, 2], 16: [8, 4]}
SHORT_HOP = {"network.router.pipeline": 2, "network.router.lookahead_routing": True}  # two cycles, and one for the link


def beyond(weft, claims, values, groups):
    """groups: those of HNC with trees and barriers, for each mesh."""
    figure_one(weft, claims)
    with_compression(weft, claims, values)
    short_hops(weft, values, groups)


def figure_one(weft, claims):
    """Two sources and two receivers at the corners of a 3x2 mesh, and the nodes between them."""
    common = {"sources": [0, 2], "receivers": [3, 5], "shape": [3, 2]}
    relays = {"relays": [1, 4]}
    runs = [
        weft.play(None, name, **common, **more)
        for name, more in (("all_at_once", {}), ("butterfly", relays), ("neighbour_forwarding", {}))
    ]
    plain, coded, forwarded = (run["total"]["hops"] for run in runs)
    claims.add(
        "Fig. 1",
        "the XOR saves a packet on the shared links of a 3x2 mesh",
        f"{coded} hops with the XOR, {plain} without it",
        coded < plain,
        f"in {cycles(runs[1])} cycles with the XOR, {cycles(runs[0])} without it. If the receivers forward the data to each other, "
        f"{forwarded} hops are enough ({cycles(runs[2])} cycles)",
    )


def with_compression(weft, claims, values):
    """Sect. 2.2."""
    rows, shares = [], {}
    for k, group in GROUPS.items():
        shape = {"group": group, "placement": "mirror"}
        for title, algorithm, extra in (
            ("HNC, tree", "network_coding", {**shape, **XOR}),
            ("the same uncoded", "hierarchy", shape),
            ("neighbour forwarding", "neighbour_forwarding", {}),
        ):
            settings = {**grid(k, False, algorithm, length=8, **extra), "workload.payload": "small_integers"}
            off, on = (weft.collective({**settings, "nic.compression.mode": mode}) for mode in ("none", "always"))
            shares[title, k] = change(on["flit_hops"], off["flit_hops"]), change(cycles(on), cycles(off))
            rows.append((f"{k}-ary", title, off["flit_hops"], on["flit_hops"], shares[title, k][0], cycles(off), cycles(on)))
    values["compressed"] = table(
        ["2-mesh", "", "flit hops", "compressed", "change", "cycles", "compressed"], rows
    )
    hops, time = shares["HNC, tree", 16]
    claims.add(
        "Sect. 2.2",
        "network coding can work together with compression",
        f"every node decodes all data; flit hops {hops}, cycles {time} (16-ary)",
        True,
        f"small integers, packets of 8 flits. Without XORs, compression changes the flit hops by {shares['the same uncoded', 16][0]}, "
        "because the XOR of two data compresses worse than one datum",
    )


def change(new, old):
    return f"{100 * (new / old - 1):+.1f} %".replace("-", "−")


def short_hops(weft, values, groups):
    """Sect. 5.1: a hop takes three cycles."""
    rows = []
    for title, algorithm, barriers, extra in (
        ("tree, barriers", "tree", True, {}),
        ("tree", "tree", False, {}),
        ("interleaved tree", "interleaved_tree", False, {}),
        ("neighbour forwarding", "neighbour_forwarding", False, {}),
        ("HNC, tree, barriers", "network_coding", True, XOR),
        ("HNC, 4x4: ring, interleaved tree", "network_coding", False, {**XOR, **FIXED}),
    ):
        row = []
        for k, shape in zip(MESHES, groups):
            if algorithm == "network_coding":
                extra = {**extra, "placement": "mirror", "group": shape if barriers else [min(4, k // 2)] * 2}
            row.append(cycles(weft.collective({**grid(k, False, algorithm, barriers=barriers, **extra), **SHORT_HOP})))
        rows.append([title, *row])
    values["short_hops"] = table(["cycles, 2-mesh, hops of 3 cycles", *(f"{k}-ary" for k in MESHES)], rows)
