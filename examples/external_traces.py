#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes two small traces in external formats: examples/external_traces.py DIR

coherence.tra.bz2, a netrace of 16 nodes: each node requests a line from a directory, the directory forwards the request
to the owner, and the owner replies.
training.0.et to training.3.et, a Chakra trace of 4 ranks: a pipeline of two stages with two copies of each. An
all-reduce in each stage adds up the gradients.

docs/03_reference/external_traces.md describes both formats. This program shares no code with the readers.
"""

import bz2
import struct
import sys
from pathlib import Path

# netrace -------------------------------------------------------------------------------------------------------------

READ_REQUEST, READ_RESPONSE = 1, 2


def netrace_packet(cycle, number, kind, source, destination, dependent):
    head = struct.pack("<QIIBBBBB", cycle, number, 0, kind, source, destination, 0, len(dependent))
    return head + struct.pack(f"<{len(dependent)}I", *dependent)


def netrace(name, nodes, packets, notes=b"made by examples/external_traces.py\0"):
    """A netrace with two regions of half of the packets each. PACKETS are in the order of their cycles."""
    half = len(packets) // 2
    parts = [b"".join(netrace_packet(*p) for p in some) for some in (packets[:half], packets[half:])]
    regions = struct.pack("<3Q", 0, packets[half][0], half)
    regions += struct.pack("<3Q", len(parts[0]), packets[-1][0] - packets[half][0], len(packets) - half)
    header = struct.pack("<If", 0x484A5455, 1.0) + name.encode().ljust(30, b"\0")
    header += struct.pack("<BBQQII8x", nodes, 0, packets[-1][0], len(packets), len(notes), 2)
    return header + notes + regions + b"".join(parts)


def coherence():
    packets = []
    for node in range(16):
        directory, owner, first = (node * 7 + 3) % 16, (node * 5 + 1) % 16, 3 * node
        packets.append((10 * node, first, READ_REQUEST, node, directory, [first + 1]))
        packets.append((10 * node + 20, first + 1, READ_REQUEST, directory, owner, [first + 2]))
        packets.append((10 * node + 40, first + 2, READ_RESPONSE, owner, node, []))
    return netrace("coherence", 16, sorted(packets))


# Chakra: messages of Protocol Buffers by hand ------------------------------------------------------------------------

COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
ALL_REDUCE = 0


def varint(value):
    text = b""
    while value > 0x7F:
        text += bytes([value & 0x7F | 0x80])
        value >>= 7
    return text + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, text):
    return varint(field << 3 | 2) + varint(len(text)) + text


def attribute(name, value):
    return chunk(10, chunk(1, name.encode()) + (chunk(29, value.encode()) if isinstance(value, str) else number(9, value)))


def node(identity, kind, after=(), microseconds=0, **attributes):
    text = number(1, identity) + chunk(2, f"node {identity}".encode()) + number(3, kind)
    if after:
        text += chunk(5, b"".join(varint(a) for a in after))
    text += number(7, microseconds)
    return text + b"".join(attribute(name, value) for name, value in attributes.items())


def chakra(nodes):
    metadata = chunk(1, b"0.0.4")
    return b"".join(varint(len(text)) + text for text in [metadata, *nodes])


def training(rank):
    """Ranks 0 and 1 are the first stage, 2 and 3 the second."""
    steps, first_stage = 2, rank < 2
    peer, group, nodes, last = (rank + 2) % 4, "first" if first_stage else "second", [], ()
    for step in range(steps):
        at = 10 * step
        activations = {"comm_size": 2048, "comm_tag": step}
        gradients = {"comm_size": 2048, "comm_tag": 100 + step}
        if first_stage:
            nodes += [
                node(at, COMPUTE, last, 1),
                node(at + 1, SEND, [at], comm_dst=peer, **activations),
                node(at + 2, RECEIVE, last, comm_src=peer, **gradients),
                node(at + 3, COMPUTE, [at + 1, at + 2], 2),
            ]
        else:
            nodes += [
                node(at, RECEIVE, last, comm_src=peer, **activations),
                node(at + 1, COMPUTE, [at], 3),
                node(at + 2, SEND, [at + 1], comm_dst=peer, **gradients),
                node(at + 3, COMPUTE, [at + 1], 1),
            ]
        nodes.append(node(at + 4, COLLECTIVE, [at + 3], comm_type=ALL_REDUCE, comm_size=4096, pg_name=group))
        last = [at + 4]
    return chakra(nodes)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "coherence.tra.bz2").write_bytes(bz2.compress(coherence()))
    for rank in range(4):
        (folder / f"training.{rank}.et").write_bytes(training(rank))


if __name__ == "__main__":
    main()
