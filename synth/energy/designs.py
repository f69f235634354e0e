# SPDX-License-Identifier: Apache-2.0
"""The netlists: router parameters one at a time around the default, and the parts of the NIC."""

from netlists import KEPT, Design

DEFAULT = {"ports": 5, "vcs": 4, "depth": 8, "words": 2}
DEFAULT_NAME = "router_5_4_8_2"
# By the number of ports: dimensions of the mesh, their sizes, and nodes of a router.
SIZES = {3: (1, "64'h0001_0001_0001_0008", 1), 5: (2, "64'h0001_0001_0008_0008", 1),
         6: (2, "64'h0001_0001_0008_0008", 2), 7: (3, "64'h0001_0008_0008_0008", 1)}


def bits(count):
    """Width of a number below COUNT, at least 1."""
    return max((count - 1).bit_length(), 1)


def data_bits(words, code=0):
    return 102 + 2 + 105 * code + 32 * words


def shape(ports, vcs, depth, words):
    """The parameters of the fit. A flit is valid, head, tail, VC, path id (1 bit) and data."""
    return {"ports": ports, "vcs": vcs, "depth": depth, "payload_bits": 32 * words, "words": words,
            "flit_bits": 3 + bits(vcs) + 1 + data_bits(words)}


def router(**changes):
    values = {**DEFAULT, **changes}
    ports, vcs, depth, words = (values[key] for key in DEFAULT)
    dimensions, sizes, nodes = SIZES[ports]
    return Design(f"router_{ports}_{vcs}_{depth}_{words}", "weft_router",
                  {"Ports": ports, "Vcs": vcs, "Depth": depth, "Words": words, "Pipeline": 4, "Dimensions": dimensions,
                   "Sizes": sizes, "Nodes": nodes}, "router", KEPT, shape(**values))


def _end(part, changes):
    """The injector or the ejector."""
    values = {**DEFAULT, **changes}
    vcs, depth, words = (values[key] for key in ("vcs", "depth", "words"))
    return Design(f"{part}_{vcs}_{depth}_{words}", f"weft_{part}",
                  {"Vcs": vcs, "Depth": depth, "DataBits": data_bits(words)}, part, (), shape(**values))


def injector(**changes):
    return _end("injector", changes)


def ejector(**changes):
    return _end("ejector", changes)


# Memories of the stages are small here, because they become flip-flops: 16 flits, not 512, in the compressor.
STAGES = {"compressor": {"Depth": 16, "Packets": 4}, "decompressor": {}, "xor_encoder": {"Depth": 16, "Overhead": 1},
          "xor_decoder": {"Entries": 4, "Depth": 16}}


def stage(part, words):
    return Design(f"{part}_{words}", f"weft_{part}", {"Words": words, **STAGES[part]}, part, (),
                  {"payload_bits": 32 * words, "words": words})


FITTED = [router(), router(ports=3), router(vcs=2), router(words=4), router(depth=4), router(words=1), router(ports=7),
          router(depth=16), router(vcs=8), router(ports=3, vcs=2, depth=4, words=4)]
HELD_OUT = [router(ports=6, vcs=2), router(ports=5, vcs=2, depth=4, words=1)]
FITTED += [injector(), injector(vcs=2), injector(vcs=8), injector(words=1), injector(words=4), ejector(),
           ejector(vcs=2, depth=4, words=4), ejector(vcs=2), ejector(words=4)]
HELD_OUT += [injector(vcs=2, words=4), ejector(depth=4)]
FITTED += [stage(part, words) for part in STAGES for words in (2, 1, 4)]
ALL = {design.name: design for design in (*FITTED, *HELD_OUT)}


def arguments(design):
    """Arguments of the simulator."""
    values = design.shape
    dimensions, _, nodes = SIZES.get(values.get("ports"), (0, "", 0))
    return [values.get("ports", 0), values.get("vcs", 0), values.get("depth", 0), values["words"], dimensions, nodes]
