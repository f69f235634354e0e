# SPDX-License-Identifier: Apache-2.0
"""The modules to synthesize, their parameters, and their latency as in compression.md, network_coding.md and the pages of
the router's modules in docs/03_reference."""

from dataclasses import dataclass, field

WORDS = (1, 2, 4, 8)


@dataclass(frozen=True)
class Case:
    """A module with its parameters. `words`: K, or 0 if the module has none."""
    module: str
    variant: str = ""
    words: int = 0
    parameters: dict = field(default_factory=dict)
    latency: str = ""

    @property
    def name(self):
        parts = [self.module.removeprefix("weft_"), self.variant.replace(" ", "_"), f"k{self.words}" if self.words else ""]
        return "-".join(part for part in parts if part)


def _of_words(module, latency, variants=(("", {}),)):
    return [Case(module, variant, words, {"Words": words, **parameters}, latency)
            for variant, parameters in variants for words in WORDS]


def _xor_stages():
    depth = 16
    return [Case("weft_xor_encoder", f"depth {depth}", 2, {"Words": 2, "Depth": depth, "Overhead": 1}, "0 pass, 1 joined"),
            *(Case("weft_xor_decoder", f"{entries} entries of {depth}", 2, {"Words": 2, "Entries": entries, "Depth": depth},
                   "0 pass, 1 decoded") for entries in (4, 8, 16))]


FPC = (("table", {"Classic": 0}), ("classic", {"Classic": 1}))

# The reference for clocks: the allocators of a router with 5 ports and 4 virtual channels.
ALLOCATORS = [
    Case("weft_separable_vc_allocator", "5 ports of 4 VCs", 0, {"Ports": 5, "Vcs": 4}, "0"),
    Case("weft_separable_switch_allocator", "5 ports of 4 VCs", 0, {"Ports": 5, "Vcs": 4}, "0"),
]

# All kinds of allocator and arbiter that have RTL, as parameters of weft_matching_allocator: weft_pkg has the numbers. The
# modules of ALLOCATORS are the default kind.
KINDS = {
    "input-first": {"Kind": 0},
    "input-first, matrix": {"Kind": 0, "Arbiter": 1},
    "output-first": {"Kind": 1},
    "output-first, matrix": {"Kind": 1, "Arbiter": 1},
    "islip 1": {"Kind": 2, "Iterations": 1},
    "islip 2": {"Kind": 2, "Iterations": 2},
    "islip 4": {"Kind": 2, "Iterations": 4},
    "wavefront": {"Kind": 3},
    "wavefront, fair": {"Kind": 4},
}


def matching(part, kind, ports=5, vcs=4):
    """The VC allocator or the switch allocator (PART: "vc", "switch") of a kind."""
    return Case(f"weft_matching_{part}_allocator", f"{kind}, {ports} ports of {vcs} VCs", 0,
                {"Ports": ports, "Vcs": vcs, **KINDS[kind]}, "0")


MATCHING = [matching(part, kind) for part in ("switch", "vc") for kind in KINDS]

# The whole router: flits of two words, buffers of 8 flits per VC, dimension order in an 8x8 mesh.
_SHAPE = {"Ports": 5, "Vcs": 4}
_MESH = {"Sizes": "64'h0001_0001_0008_0008"}

# Other rules, each to 64 nodes. In a 4-ary 3-tree, the routers of level 2 have the most complex decision.
ROUTES = (
    ("table, 8 ports", {"Ports": 8, "Rule": 1, "Destinations": 64}),
    ("fat tree, 8 ports", {"Ports": 8, "Rule": 3, "Destinations": 64, "Span": 4, "Parents": 4, "Divisor": 4}),
    ("table, 7 ports", {"Ports": 7, "Rule": 1, "Destinations": 64}),
    ("hypercube, 7 ports", {"Ports": 7, "Rule": 4, "Dimensions": 6}),
)
ROUTER = [
    Case("weft_switch_allocator", "5 ports of 4 VCs", 0, _SHAPE, "0"),
    Case("weft_vc_allocator", "5 ports of 4 VCs", 0, _SHAPE, "1"),
    Case("weft_vc_allocator", "5 ports of 4 VCs with cut-through", 0, {**_SHAPE, "LengthBits": 4}, "1"),
    Case("weft_output_unit", "5 ports of 4 VCs", 0, _SHAPE, "1"),
    Case("weft_route_computation", "8x8 mesh", 0, {**_SHAPE, **_MESH}, "1"),
    *(Case("weft_route_computation", variant, 0, {"Vcs": 4, **rule}, "1") for variant, rule in ROUTES),
    Case("weft_crossbar", "5 ports", 2, _SHAPE, "1"),
    Case("weft_input_unit", "5 ports of 4 VCs of 8", 2, _SHAPE, "1"),
    Case("weft_link", "1 stage", 2, {"Stages": 1}, "1"),
    *(Case("weft_router", f"S={stages}", 2, {**_SHAPE, **_MESH, "Words": 2, "Pipeline": stages}, str(stages))
      for stages in (4, 5)),
]

# Its NIC: without stages, with compression, and with all stages.
_COMPRESSING = {"Vcs": 4, "Words": 2, "EjectionDepth": 8, "Compression": 1}
NIC = [
    Case("weft_injector", "4 VCs", 0, {"Vcs": 4}, "1"),
    Case("weft_ejector", "4 VCs of 8", 0, {"Vcs": 4, "Depth": 8}, "1"),
    Case("weft_nic", "4 VCs", 2, {"Vcs": 4, "Words": 2, "EjectionDepth": 8}, "1, 1"),
    Case("weft_nic", "4 VCs with compression", 2, _COMPRESSING, "those of its stages"),
    Case("weft_nic", "4 VCs with compression and coding", 2, {**_COMPRESSING, "Code": 1}, "those of its stages"),
    Case("weft_axi_stream_nic", "4 VCs with spill registers", 2, {"Vcs": 4, "Words": 2, "EjectionDepth": 8}, "2, 2"),
    Case("weft_spill_register", "64 bits", 0, {"Width": 64}, "1"),
    Case("weft_side_queue", "16 of 105 bits", 0, {}, "0"),
    Case("weft_async_fifo_source", "8 of 64 bits", 0, {"Width": 64, "Depth": 8}, "0"),
    Case("weft_async_fifo_sink", "8 of 64 bits", 0, {"Width": 64, "Depth": 8}, "2"),
]

CASES = [
    *ALLOCATORS,
    *MATCHING,
    *ROUTER,
    *NIC,
    *_of_words("weft_fpc_compressor", "1", FPC),
    *_of_words("weft_lsb_cut_compressor", "1"),
    *_of_words("weft_bit_packer", "1"),
    *_of_words("weft_bit_unpacker", "1"),
    *_of_words("weft_fpc_decompressor", "0 measure, 1 words", FPC),
    *_of_words("weft_lsb_cut_decompressor", "0 measure, 1 words"),
    *_of_words("weft_compression_selector", "0"),
    *_of_words("weft_compressor", "0 bypass, 4 coded", FPC),
    *_of_words("weft_decompressor", "0 bypass, 4 coded", FPC),
    *_xor_stages(),
    Case("weft_congestion_counter", "tumbling", 0, {"Ports": 1, "Buckets": 1}, "1"),
    Case("weft_congestion_counter", "sliding", 0, {"Ports": 1, "Buckets": 8}, "1"),
    Case("weft_queue_counter", "", 0, {}, "1"),
    Case("weft_window_timer", "", 0, {}, "0"),
]
