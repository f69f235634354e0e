# SPDX-License-Identifier: Apache-2.0
"""What is synthesised: modules, their parameters, and their latency as compression.md and network_coding.md in
docs/03_reference have it."""

from dataclasses import dataclass, field

WORDS = (1, 2, 4, 8)


@dataclass(frozen=True)
class Case:
    """A module with its parameters. `words`: K, 0 where a module has none."""
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

# The yardstick: a router of 5 ports and 4 virtual channels.
ALLOCATORS = [
    Case("weft_separable_vc_allocator", "5 ports of 4 VCs", 0, {"Ports": 5, "Vcs": 4}, "0"),
    Case("weft_separable_switch_allocator", "5 ports of 4 VCs", 0, {"Ports": 5, "Vcs": 4}, "0"),
]

CASES = [
    *ALLOCATORS,
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
