# SPDX-License-Identifier: Apache-2.0
"""The ghost signals in the proofs of compressor and decompressor: pairs of a name in the proof and a signal of the RTL."""


def registers(*names):
    """Returns ghost signals for registers. NAMES are the names of the registers without _q."""
    return {name: f"{name}_q" for name in names}


# Signals of the compressor: SOUND for compressor_sound, KEPT for compressor_always, which follows a flit.
SOUND = {**registers("state", "chosen", "choice", "raw_free", "packed_free", "first", "next", "begun", "remaining", "done", "coded",
                     "codec", "cut", "left", "encoded_first", "encoded_index", "packed_index", "encoded_flits",
                     "packed_reserved", "spare", "packed_begin", "packed_write", "packed_read", "raw_write", "raw_read"),
         **{f"out_{name}": f"flit_{name}_q" for name in ("valid", "head", "tail", "coded", "total")},
         **{name: name for name in ("fpc_valid", "fpc_last", "fpc_chunk", "fpc_length", "cut_valid", "cut_last", "cut_chunk",
                                    "cut_length")},
         **{f"packer_{name}": f"packed_{name}" for name in ("valid", "last", "count")},
         "packed_flits": "packed_q", "out_header": "flit_header", "out_codec": "flit_codec", "offset": "u_packer.offset_q",
         "rest": "u_packer.rest"}
KEPT = {**registers("begun", "first", "encoded_index", "packed_index", "raw_read", "coded", "packed_read", "packed_begin",
                    "packed_reserved"),
        **{f"out_{name}": f"flit_{name}_q" for name in ("valid", "coded", "bank")},
        **{f"packer_{name}": f"packed_{name}" for name in ("valid", "last", "count", "flits")},
        "raw_data": "raw_read_data", "packed_data": "packed_read_data", "out_cut": "flit_cut", "out_header": "flit_header",
        "fetch": "fetch", "fpc_valid": "fpc_valid", "cut_valid": "cut_valid"}


def entries(name, memory, bits, count):
    """Returns ghost signals for the entries of a memory, as a vector NAME of COUNT entries with BITS bits."""
    return {f"{name}[{bits*i+bits-1}:{bits*i}]": f"{memory}[{i}]" for i in range(count)}


def sound(out):
    """Returns the ghost signals of compressor_sound. `out` is the packet_watch at the output of the compressor."""
    watches = {f"u_sound.{end}_{name}": f"{watch}.{name}_q" for end, watch in (("in", "u_in"), ("out", out))
               for name in ("within", "left", "index", "packet", "waits", "head", "header")
               if end == "in" or name in ("within", "left", "index", "packet")}
    return {**{f"u_sound.{name}": f"u_compressor.{signal}" for name, signal in SOUND.items()}, **watches,
            **entries("u_sound.flits", "u_compressor.flits_q", 4, 2), **entries("u_sound.total", "u_compressor.total_q", 4, 2),
            **entries("u_sound.entries", "u_compressor.u_header_memory.memory_q", 110, 2)}


def kept():
    """Returns the ghost signals of compressor_always: the places in which the stage stores a flit."""
    return {**{name: f"u_compressor.{signal}" for name, signal in KEPT.items()},
            **entries("flits", "u_compressor.flits_q", 4, 2), **entries("total", "u_compressor.total_q", 4, 2),
            **entries("entries", "u_compressor.u_header_memory.memory_q", 110, 2),
            **entries("raw_memory", "u_compressor.u_raw_memory.memory_q", 32, 8),
            **{f"packed_memory[{32*i+31}:{32*i}]": f"u_compressor.gen_bank[{i % 4}].u_packed_memory.memory_q[{i // 4}]"
               for i in range(8)}}


DECOMPRESSOR_SOUND = {
    **registers("bypass", "front_valid", "front_head", "front_tail", "front_header", "second_valid", "second_head",
                "second_tail", "second_header", "state", "header", "left", "tail_seen", "begun", "raw", "is_cut", "last_flit",
                "last_group", "count", "is_double", "is_single", "may_be_special", "exponents", "flags", "sizes", "base", "cuts",
                "group_valid", "group_head", "group_tail", "group_two", "group_second", "group_kind", "group_header"),
    **{f"out_{name}": f"flit_{name}_q" for name in ("valid", "head", "tail", "header", "error")},
    "window": "window", "available": "available", "offset": "u_window.offset_q", "size": "fpc_size", "corrupt": "fpc_corrupt",
    "measured_size": "measured_size", "measured_corrupt": "measured_corrupt"}


def decompressor_sound(instance, into):
    """Returns the ghost signals of decompressor_sound. `into` is the packet_watch at the input of the decompressor."""
    watches = {f"{instance}.{end}_{name}": f"{watch}.{name}_q" for end, watch in (("in", into), ("out", "u_out"))
               for name in ("within", "left", "index", "packet", "waits") if end == "in" or name != "waits"}
    return {**{f"{instance}.{name}": f"u_decompressor.{signal}" for name, signal in DECOMPRESSOR_SOUND.items()}, **watches}
