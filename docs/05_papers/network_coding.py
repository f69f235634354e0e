#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the results of network_coding.in.md and network_coding_time.in.md, and stores their values and figures:

    docs/05_papers/network_coding.py WEFT DIRECTORY

WEFT: the command, e.g. build/release/weft. DIRECTORY: for results; those that are there are not run again.
This program computes the values in {{braces}}, stored beside these templates, and docs/figures/network_coding_*.json."""

import re
import sys

sys.dont_write_bytecode = True
from network_coding_hops import hops  # noqa: E402
from network_coding_times import times  # noqa: E402
from network_coding_tools import Best, Weft, cycles, grid  # noqa: E402
from paper_tools import Claims, EXAMPLES, store_page, table  # noqa: E402


def wins(weft, values):
    """Cases in which an XOR saves time, and similar cases in which it does not."""
    rows = []
    one_port = weft.directory / "one_port.yaml"
    butterfly = EXAMPLES / "networks" / "butterfly.yaml"
    one_port.write_text(re.sub(r"ports: \[(\w+), \1\]", r"ports: [\1]", butterfly.read_text()))
    for title, network in (("two ports", butterfly), ("one port", one_port)):
        for packets in (1, 4, 32, 128):
            row = [title, packets]
            for algorithm in ("all_at_once", "neighbour_forwarding", "butterfly_uncoded", "butterfly"):
                row.append(
                    cycles(
                        weft.collective(
                            {
                                "collective.algorithm": algorithm,
                                "collective.packets": packets,
                                "network.topology.file": str(network),
                            },
                            file=EXAMPLES / "butterfly.yaml",
                        )
                    )
                )
            rows.append(row + [2 * 8 * packets])
    values["butterfly"] = table(
        [
            "NIC",
            "packets of each source",
            "all at once",
            "neighbour forwarding",
            "through the relays",
            "XOR at the relay",
            "lower bound without XOR",
        ],
        rows,
    )

    rows = []
    for parity, title in (
        (1, "every packet twice"),
        (2, "XOR of every 2"),
        (4, "XOR of every 4"),
        (16, "XOR of all 16"),
    ):
        result = weft.collective({"collective.parity": parity, "collective.lost": [3]}, file=EXAMPLES / "parity.yaml")
        rows.append((title, result["total"]["flits"], cycles(result)))
    values["parity"] = table(["", "flits", "cycles"], rows)

    rows = []
    for k in (4, 8, 16):
        best = Best(weft, k, "network_coding")
        shape, settings = best.shape, {"group": best.shape, "placement": best.placement}
        node = weft.play(k, "network_coding", barriers=True, **settings)
        nic = weft.collective(
            {
                **grid(k, False, "network_coding", barriers=True, **settings),
                "nic.coding.enabled": True,
                "nic.coding.entries": 4096,
            }
        )
        rows.append(
            (
                f"{k}-ary, {shape[0]}x{shape[1]}",
                cycles(node),
                cycles(nic),
                (k * k // (shape[0] * shape[1]) - 1) * (shape[0] * shape[1] - 1),
            )
        )
    values["nic"] = table(
        ["2-mesh, group", "XORs by the nodes", "by the NICs", "XORs that every NIC holds, (G-1)(M-1)"], rows
    )


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    weft = Weft(*sys.argv[1:])
    claims, values = Claims("HNC", "counts"), {}
    hops(weft, claims, values)
    times(weft, claims, values)
    wins(weft, values)
    values["claims"] = claims.table()
    for name in ("network_coding", "network_coding_time"):
        store_page(name, values)


if __name__ == "__main__":
    main()
