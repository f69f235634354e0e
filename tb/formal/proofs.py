# SPDX-License-Identifier: Apache-2.0
"""The list of proofs. A proof has a module, a property, a method, and a planted bug for which it must fail."""

import dataclasses

from allocator_proofs import ALLOCATORS
from stage_signals import decompressor_sound, kept, registers, sound

QUICK_LIMIT = 600  # limit of a solver's processor time for a proof in ./test, in seconds
LONG_LIMIT = 7200  # the same for other proofs

# Proofs in ./test: the smallest one of every kind that takes at most 20 s, and a planted bug for every method. The soak run
# has all others.
QUICK = ("table_round_trip.one.k1", "classic_words", "classic_encoder.k2", "classic_decoder.k2",
         "lsb_cut_round_trip.exact.k1", "packer.k1", "unpacker.k1", "congestion_counter.p1b1", "congestion_counter.p1b2",
         "queue_counter", "window_timer.3", "compression_selector.k1", "xor_decoder_entries.2", "xor_loop.overhead1",
         "word_functions.one", "word_functions.classic", "word_functions.plain", "injector_credits.1", "ejector_fifo",
         "spill_register", "output_credits", "narrow_link.s2k3", "vc_holders.wormhole", "vc_holders.wormhole.s3", "allocators", "switch_wait",
         "router_loop.s3", "matching.input_first.matrix", "matching.islip.maximal", "matching.wavefront_fair",
         "unknown.stages", "unknown.nic", "unknown.router", "xor_decoder_batch.short", "async_fifo.2")
QUICK_PLANTED = ("table_round_trip.one.k1", "packer.k1", "congestion_counter.p1b2", "queue_counter", "word_functions.one",
                 "allocators", "switch_wait", "unknown.router")


def packed(*runs):
    """Returns the value of the parameter `Table` for six run lengths."""
    return f"36'h{sum(run << (6 * i) for i, run in enumerate(runs)):x}"


@dataclasses.dataclass(frozen=True)
class Proof:
    """A proof. `plant` is the planted bug: a file of the RTL, a text that occurs once in it, and the replacement."""
    name: str
    top: str           # module of the proof, in the file of that name
    method: str        # bmc (ABC, `depth` cycles), pdr (ABC, unbounded), sat (Yosys, induction, unbounded),
                       # ind (ABC, the same), step (ABC, the same, in small problems), induct (SMT, the same),
                       # words (z3, see word_functions.cpp),
                       # unknown (Icarus Verilog on Yosys' netlists, a simulation)
    statement: str
    reach: str         # reach of the result: all, or a number of cycles
    plant: tuple
    depth: int = 0
    parameters: dict = dataclasses.field(default_factory=dict)
    ghosts: dict = dataclasses.field(default_factory=dict)     # a wire of the proof: a signal of the RTL
    cutpoints: tuple = ()                                      # cells that are replaced by free outputs
    solver: str = "z3"
    more_sources: tuple = ()
    memories: bool = False                                     # entries of memories are signals NAME[i], for ghosts
    trusted: bool = False                                      # other proofs cover the RTL's own assertions
    clocks: bool = False                                       # several clocks; a step is a moment at which edges are possible
    netlists: dict = dataclasses.field(default_factory=dict)   # unknown: modules, and the parameters of each
    arguments: tuple = ()                                      # words: arguments of weft_formal_words, without the model

    @property
    def quick(self):
        return self.name in QUICK

    @property
    def quick_plant(self):
        return self.name in QUICK_PLANTED

    @property
    def sources(self):
        return (self.top, *self.more_sources)

    def how(self):
        return {"bmc": f"BMC (ABC), {self.depth} cycles", "pdr": "PDR (ABC)", "words": "z3",
                "sat": "induction (Yosys sat)", "unknown": "simulation (Icarus Verilog)", "ind": "induction (ABC)", "step": "induction (ABC)",
                "induct": f"{self.depth}-induction ({self.solver})"}[self.method]


RUNS = {
    "one": (18, 17, 16, 15, 14, 13),  # Table I of COMPRESS
    "tuned": (32, 28, 25, 23, 22, 21),
    "least": (6, 5, 4, 3, 2, 1),
    "most": (32, 31, 30, 29, 28, 27),
}
TABLES = {name: packed(*runs) for name, runs in RUNS.items()}

ALL = []


def add(**fields):
    ALL.append(Proof(**fields))


for table, runs in TABLES.items():
    for words in (1, 2, 4, 8):
        if words in (1, 2) or table == "one":
            add(name=f"table_round_trip.{table}.k{words}", top="table_round_trip", method="bmc", depth=6,
                parameters={"Words": words, "Table": runs},
                statement=f"FPC by table, {table}, K = {words}: the decoder reads the words from which a group was made",
                reach="all groups",
                plant=("codec/weft_fpc_compressor.sv", "{~zeros[5], zeros & ~{zeros[4:0], 1'b0}}",
                       "{~zeros[5], zeros & ~{zeros[3:0], 2'b0}}"))

add(name="classic_words", top="classic_words", method="bmc", depth=14,
    ghosts={"zeros": "u_encoder.gen_classic.zeros_q", "owed": "u_decoder.gen_classic.zeros_q"},
    statement="classic FPC, K = 1: the decoder reads every word, with the run before it, as it was encoded, and so every packet",
    reach="all packets, by induction over the words",
    plant=("codec/weft_fpc_decompressor.sv", "weft_pkg::TokenTwoBytes: word = {{8{data[15]}}",
           "weft_pkg::TokenTwoBytes: word = {{8{data[14]}}"))


def chain(name, words, after):
    """Returns the ghost signals for the states of the modules with K = 1 before and after each word."""
    return {f"{name}_{when}[{3 * j + 2}:{3 * j}]": f"gen_one[{j}].u_one.gen_classic.{signal}"
            for j in range(words) for when, signal in (("before", "zeros_q"), ("after", after))}


for words in (2, 4, 8):
    add(name=f"classic_encoder.k{words}", top="classic_encoder", method="bmc", depth=4,
        parameters={"Words": words},
        ghosts={"zeros": "u_encoder.gen_classic.zeros_q",
                **chain("zeros", words, "zeros_d")},
        statement=f"classic FPC, K = {words}: the encoder makes the same bits from a flit as {words} encoders of K = 1 in sequence",
        reach="all states and flits",
        plant=("codec/weft_fpc_compressor.sv", "zeros[3*j +: 3] = 3'(j - k - 1)", "zeros[3*j +: 3] = 3'(j - k)"))
    add(name=f"classic_decoder.k{words}", top="classic_decoder", method="bmc", depth=4,
        parameters={"Words": words},
        ghosts={"owed": "u_decoder.gen_classic.zeros_q",
                **chain("owed", words, "owed")},
        statement=f"classic FPC, K = {words}: the decoder reads the same words from any string as {words} decoders of K = 1 in sequence",
        reach="all states and strings",
        plant=("codec/weft_fpc_decompressor.sv", "if (left_i <= weft_pkg::SizeBits'(j) + weft_pkg", "if (left_i <= weft_pkg"))

for words in (1, 2, 4, 8):
    for exact in (1, 0):
        if exact == 1 or words in (1, 2):
            add(name=f"lsb_cut_round_trip.{'exact' if exact else 'plain'}.k{words}", top="lsb_cut_round_trip", method="bmc",
                depth=5, parameters={"Words": words, "Exact": exact},
                ghosts={"held": "u_encoder.gen_pair.held_q", "lower": "u_encoder.gen_pair.lower_q"} if words == 1 else {},
                statement=f"LSB-cut{'' if exact else ', plain'}, K = {words}, cut 0 to 51: the decoder reads every group; every double arrives as the format "
                          "defines, with its sign and exponent and within the error bound; a received double that is sent again does not change",
                reach="all groups",
                plant=("codec/weft_lsb_cut_reader.sv", "low_mask ^ (low_mask >> 1)", "low_mask & ~(low_mask >> 2)"))

for words in (1, 2, 4, 8):
    add(name=f"packer.k{words}", top="packer", method="step", depth=4, parameters={"Words": words},
        ghosts={"offset": "u_packer.offset_q", "rest": "u_packer.rest"},
        statement=f"bit packer, K = {words}: every bit of a packet leaves once, at its offset, and no other bit leaves",
        reach="unbounded",
        plant=("codec/weft_bit_packer.sv", "if (whole == 2'(j)) begin", "if (whole == 2'(j) && j != 2) begin"))
    add(name=f"unpacker.k{words}", top="unpacker", method="step", depth=5, parameters={"Words": words},
        ghosts={"offset": "u_unpacker.u_window.offset_q"},
        statement=f"bit unpacker, K = {words}: the window contains the bits that were pushed and not popped, in order",
        reach="unbounded",
        plant=("codec/weft_bit_window.sv", "available_q <= AvailableBits'(ChunkBits)",
               "available_q <= AvailableBits'(ChunkBits + 1)"))

for ports, buckets in ((1, 1), (4, 1), (1, 2), (3, 2), (1, 4), (1, 8)):
    add(name=f"congestion_counter.p{ports}b{buckets}", top="congestion_counter", method="induct", depth=5,
        parameters={"Ports": ports, "Buckets": buckets},
        ghosts={"count": "u_counter.count_q",
                **({"buckets": "u_counter.gen_sliding.buckets_q"} if buckets > 1 else {"buckets": "32'd0"})},
        statement=f"congestion counter, {ports} port{'s' * (ports > 1)}, "
                  f"{'tumbling' if buckets == 1 else f'sliding over {buckets} sub-windows'}: N equals the number that a reference counts",
        reach="unbounded",
        plant=("nic/weft_congestion_counter.sv", "count_q    <= '0;\n      received_q <= (Buckets",
               "count_q    <= 32'(arrived);\n      received_q <= (Buckets"))

add(name="queue_counter", top="queue_counter", method="sat", depth=4, statement="queue counter: Q equals the number that a reference counts",
    reach="unbounded",
    plant=("nic/weft_queue_counter.sv", "leave_i && !join_i", "leave_i"))

for window in (1, 2, 3, 1000):
    add(name=f"window_timer.{window}", top="window_timer", method="sat", depth=4, parameters={"Window": window},
        ghosts={"count": "u_timer.count_q"},
        statement=f"window timer, {window} cycles: the tick is set in the last cycle of every window, and in no other cycle",
        reach="unbounded",
        plant=("nic/weft_window_timer.sv", "tick_q  <= last;", "tick_q  <= 1'b0;") if window == 1 else
              ("nic/weft_window_timer.sv", "count_q + CountBits'(1)", "count_q + CountBits'(2)"))

for words, depth, classic in ((1, 8, 0), (2, 512, 0), (4, 512, 1), (8, 4096, 1)):
    add(name=f"compression_selector.k{words}", top="compression_selector", method="sat", depth=2,
        parameters={"Words": words, "Depth": depth, "Classic": classic},
        statement=f"selection unit, K = {words}, Depth {depth}: the selected codec is that of Algorithm 1",
        reach="all inputs",
        plant=("nic/weft_compression_selector.sv", "received_i > received_threshold_i",
               "received_i >= received_threshold_i"))

COMPRESSOR = "nic/weft_compressor.sv"

# The bugs: flits go to the wrong bank; the memory has one flit less; a packet that did not become shorter stays forever.
for label, code, depth, parameters, old, new in (
        ("", "", 9, {}, "2'(b) - packed_write_q[1:0]", "2'(b) ^ packed_write_q[1:0]"),
        (".most", ", longest table", 3, {"Table": TABLES["most"]}, "packed_free_q <= UsedBits'(Depth);",
         "packed_free_q <= UsedBits'(Depth - 1);"),
        (".classic", ", classic code", 7, {"Classic": 1}, "done_q[packed_index_q]  <= 1'b1", "done_q[packed_index_q]  <= wins")):
    add(name=f"compressor_always{label}", top="compressor_always", more_sources=("packet_watch", "compressor_sound"), method="ind",
        depth=depth, parameters=parameters, memories=True,
        ghosts={**sound("u_out"), **kept()},
        statement=f"compressor{code}, K = 1, Depth 8, 2 descriptors: every reachable state is sound; packets leave complete and in "
                  "order, with their headers and with their raw payload or the packer's flits; none stays inside; an empty stage accepts a head",
        reach="unbounded", plant=(COMPRESSOR, old, new))

# Runs of up to 32 zeros: words with 3 coded bits, so that the last word of a short packet is in two flits.
add(name="compressor_payload", top="compressor_payload", more_sources=("packet_watch", "compressor_sound"), method="bmc", depth=10,
    parameters={"Table": TABLES["most"]}, memories=True, trusted=True, ghosts=sound("u_out"),
    statement="compressor, K = 1, the longest table, from any sound state in which it is idle: the coded payload of integers equals "
              "that of a reference, for packets of up to four words",
    reach="10 cycles",
    plant=("codec/weft_fpc_compressor.sv", "code[6] | code[0] | code[2] | code[4]", "code[6] | code[0] | code[2]"))

for label, classic, old, new in (
        ("", 0, "raw_flits = header_q.words >> WordIndexBits", "raw_flits = header_q.flits"),
        (".classic", 1, "assign front_raw   = front_valid_q && (front_head_q ?", "assign front_raw   = front_valid_q && (front_tail_q ?")):
    add(name=f"decompressor_always{label}", top="decompressor_always", more_sources=("packet_watch", "decompressor_sound"), method="ind",
        depth=7, parameters={"Classic": classic},
        ghosts={**decompressor_sound("u_sound", "u_in"), **{name: f"u_decompressor.{name}" for name in ("pop", "load", "fill", "found")},
                **{name: f"u_decompressor.{signal}" for name, signal in registers(
                    "front_valid", "front_head", "front_header", "front_payload", "second_valid", "second_head",
                    "second_header", "second_payload", "raw", "state", "group_valid", "group_head", "group_second",
                    "group_kind", "group_header", "group_payload").items()},
                "worked_header": "u_decompressor.header_q",
                **{f"out_{name}": f"u_decompressor.flit_{name}_q" for name in ("valid", "head", "error", "header", "payload")}},
        statement=f"decompressor{', classic code' * classic}, K = 1, any strings: every reachable state is sound; packets leave complete, in "
                  "order and with their headers, raw ones unchanged; none stays inside",
        reach="unbounded", plant=("nic/weft_decompressor.sv", old, new))

# Bugs that leave every state sound; compressor_always and decompressor_always refute the others.
for label, idle, depth, plant in (
        ("idle", 1, 12, ("codec/weft_fpc_compressor.sv", "code[6] | code[0] | code[2] | code[4]", "code[6] | code[0] | code[2]")),
        ("any", 0, 10, ("nic/weft_decompressor.sv", "front_payload_q <= second_valid_q ? second_payload_q : flit_payload_i;",
                        "front_payload_q <= flit_payload_i;"))):
    add(name=f"stage_loop.{label}", top="stage_loop", more_sources=("packet_watch", "compressor_sound", "decompressor_sound"),
        method="bmc", depth=depth, parameters={"Type": 1, "Idle": idle}, memories=True, trusted=True,
        ghosts={**sound("u_link"), **decompressor_sound("u_sound_decompressor", "u_link")},
        statement="compressor followed by decompressor, K = 1, table, integers, from any sound states"
                  f"{' in which both are idle' if idle else ''}: every packet that arrives is restored",
        reach=f"{depth} cycles", plant=plant)

FILLING = "group_cut_q ? cut_filling : fpc_filling"
for label, codec, classic, depth, old, new in (
        ("table.short", 1, 0, 8, FILLING, "group_cut_q && cut_filling"),
        ("table", 1, 0, 10, FILLING, "group_cut_q && cut_filling"),
        ("classic", 2, 1, 10, "if (fits && corrupt)", "if (fits && corrupt && begun_q)"),
        ("lsb_cut", 3, 0, 10, FILLING, "!group_cut_q && fpc_filling"),
        ("other_codec", 2, 0, 14, "((Classic != 0) ? weft_pkg::CodecTable : weft_pkg::CodecClassic)", "weft_pkg::CodecRaw")):
    add(name=f"decompressor_strings.{label}", top="decompressor_strings", more_sources=("packet_watch",), method="bmc",
        depth=depth, parameters={"Codec": codec, "Classic": classic},
        statement=f"decompressor, K = 1, {label}: from any string of up to 4 flits and 3 words, the packet leaves with the words "
                  "and the error of a reference",
        reach=f"{depth} cycles",
        plant=("nic/weft_decompressor.sv", old, new))

for entries in (2, 3, 4):
    add(name=f"xor_decoder_entries.{entries}", top="xor_decoder_entries", method="ind", depth=6,
        parameters={"Entries": entries},
        ghosts={"state": "u_decoder.state_q", "known": "u_decoder.known_q", "waiting": "u_decoder.waiting_q",
                "fresh": "u_decoder.fresh_q", "using_entries": "u_decoder.using_q", "entry": "u_decoder.entry_q",
                "names": "u_decoder.u_names.first_q", "seconds": "u_decoder.u_names.second_q",
                "first_is": "u_decoder.first_is", "second_is": "u_decoder.second_is", "uses": "u_decoder.uses_q", "coded": "u_decoder.coded_q",
                "stays": "u_decoder.stays_q", "begun": "u_decoder.begun_q", "other": "u_decoder.other_q",
                "left": "u_decoder.left", "flush": "u_decoder.flush", "to_come": "u_decoder.flush_q"},
        statement=f"XOR decoder, K = 1, {entries} entries: each entry is free, waiting, or known as long as it has uses; a used or "
                  "resolved entry does not change before the end of the packet; a flush empties all entries",
        reach="unbounded",
        plant={2: ("nic/weft_xor_names.sv", "second_is_q[Entries*i+j] <= is_second[i];", "second_is_q[Entries*i+j] <= is_first[i];"),
               3: ("nic/weft_xor_decoder.sv", "flush_q <= (flush_q || flush_i) && !quiet;", "flush_q <= flush_i && !quiet;"),
               4: ("nic/weft_xor_decoder.sv", "assign gone            = used & last_use;", "assign gone            = '0;")}[entries])

for label, depth in ((".short", 8), ("", 12)):
    add(name=f"xor_decoder_batch{label}", top="xor_decoder_batch", method="bmc", depth=depth,
        ghosts={"known": "u_decoder.known_q", "waiting": "u_decoder.waiting_q"},
        statement="XOR decoder, K = 1, Depth 2, 4 entries: one of three data is sent plain, and two pairs of them combined, in any "
                  "order; each datum leaves once, as it was sent, and at the end every entry is free",
        reach=f"{depth} cycles",
        plant=("nic/weft_xor_decoder.sv", "stays_q    <= other_stays && !overflow;", "stays_q    <= 1'b0;"))

for overhead, depth in ((0, 7), (1, 7)):
    add(name=f"xor_loop.overhead{overhead}", top="xor_loop", more_sources=("packet_watch",), method="bmc", depth=depth,
        parameters={"Overhead": overhead, "Entries": 2},
        ghosts={"known": "u_decoder.known_q", "known_names": "u_decoder.first"},
        statement=f"XOR encoder (overhead {overhead}) followed by decoder, K = 1, Depth 2, 2 entries, three data of up to 2 words: "
                  "the payload at the output is the XOR that its code names, and passing takes no cycle",
        reach=f"{depth} cycles",
        plant=("nic/weft_xor_decoder.sv", "datum = solved_by_first_q ? kept_second : kept_first", "datum = kept_second")
              if overhead == 0 else
              ("nic/weft_xor_encoder.sv", "(left == '0) ? '0 : held_flit", "held_flit"))

for table, runs in RUNS.items():
    add(name=f"word_functions.{table}", top="word_fpc", method="words", parameters={"Table": TABLES[table]},
        ghosts={"zeros": "3'd0", "owed": "3'd0"}, arguments=("table", *runs),
        statement=f"FPC by table, {table}: the word functions of the model equal the RTL", reach="all words, all strings",
        plant=("codec/weft_fpc_compressor.sv", "code[6] | code[0] | code[2] | code[4]", "code[6] | code[0] | code[2]"))
add(name="word_functions.classic", top="word_fpc", method="words", parameters={"Classic": 1},
    ghosts={"zeros": "u_encoder.gen_classic.zeros_q", "owed": "u_decoder.gen_classic.zeros_q"}, arguments=("classic",),
    statement="classic FPC: the word functions of the model equal the RTL", reach="all words, all strings",
    plant=("codec/weft_fpc_compressor.sv", "word[31:15] == {17{word[31]}}", "word[31:14] == {18{word[31]}}"))
for exact in (1, 0):
    add(name=f"word_functions.{'exact' if exact else 'plain'}", top="word_lsb_cut", method="words",
        parameters={"Exact": exact}, arguments=("exact" if exact else "plain",),
        statement=f"LSB-cut{'' if exact else ', plain'}: the word functions of the model equal the RTL",
        reach="all doubles, all cuts",
        plant=("codec/weft_lsb_cut_reader.sv", "low_mask ^ (low_mask >> 1)", "low_mask & ~(low_mask >> 2)"))

# The network.
add(name="output_credits", top="output_credits", method="ind", depth=8,
    statement="output unit, 2 ports of 2 VCs, depth up to 3 or none: the credits of a VC are the depth minus the flits without a returned "
              "credit; a channel that cuts flits into up to 3 parts is busy until the last part has left",
    reach="unbounded",
    plant=("router/weft_output_unit.sv", " - DepthBits'(returns[VcIndex]);", " - DepthBits'(returns[VcIndex] && !sends[VcIndex]);"))
add(name="input_fifo", top="input_fifo", method="pdr",
    statement="input port, 2 VCs of 2 flits: FIFOs never overflow or underflow, every slot returns as a credit, and flits leave in order",
    reach="unbounded",
    plant=("router/weft_input_port.sv", "CountBits'(push[v]) - CountBits'(1)", "CountBits'(push[v]) - CountBits'(!push[v])"))
for stages, phits in ((0, 2), (0, 3), (1, 2), (2, 3)):
    add(name=f"narrow_link.s{stages}k{phits}", top="narrow_link", method="pdr",
        parameters={"Stages": stages, "Phits": phits},
        statement=f"link, {stages or 'no'} repeater{'' if stages == 1 else 's'}, flits in {phits} parts: every flit arrives Stages + Phits - 1 "
                  "cycles later with all its bits",
        reach="unbounded",
        plant=("router/weft_link.sv", "left_q <= CountBits'(Phits - 1);", "left_q <= CountBits'(Phits);"))
add(name="switch_matching", top="switch_matching", method="ind", depth=4,
    statement="switch allocator, 3 ports of 2 VCs: at most one flit leaves an input or goes to an output, and only from VCs with "
              "a flit, an output VC, a credit and a channel that is not busy; if a flit can be sent, one is sent",
    reach="unbounded",
    plant=("router/weft_switch_allocator.sv", " & credit_available_i[out*Vcs+:Vcs]", ""))

for label, cut_through, same_cycle in (("wormhole", 0, 0), ("wormhole.s3", 0, 1), ("cut_through", 1, 0),
                                       ("cut_through.s3", 1, 1)):
    add(name=f"vc_holders.{label}", top="vc_holders", method="pdr",
        parameters={"CutThrough": cut_through, "SameCycle": same_cycle},
        statement=f"VC allocator, 2 ports of 2 VCs, {label.split('.')[0].replace('_', '-')}, S {'=' if same_cycle else '>'} 3: an "
                  "output VC has one holder from head to tail; the route of the holder allows this VC, and the holder keeps it",
        reach="unbounded",
        plant=("router/weft_vc_allocator.sv", "(free_q[out] && !claimed[out]) || returned[out]", "free_q[out] && !claimed[out] || |returned"))

add(name="vc_wait", top="vc_holders", method="pdr", parameters={"Hold": 3, "Bound": 12},
    statement="VC allocator, 2 ports of 2 VCs, wormhole: if a packet holds an output VC for at most 3 cycles, a head waits for "
              "at most 12 cycles",
    reach="unbounded",
    plant=("router/weft_separable_vc_allocator.sv", "end else if (|picked[out*RouterVcs+:RouterVcs]) begin", "end else if (1'b0) begin"))

for fields in ALLOCATORS:
    add(**fields)

for label, pipeline, cut_through in (("s3", 3, 0), ("s4", 4, 0), ("cut_through", 3, 1)):
    add(name=f"router_loop.{label}", top="router_loop", method="bmc", depth=10,
        parameters={"Pipeline": pipeline, "CutThrough": cut_through},
        ghosts={"active": "u_router.active", "assigned_port": "u_router.assigned_port",
                "assigned_vc": "u_router.assigned_vc", "available": "u_router.available"},
        statement=f"router, S = {pipeline}, 2 ports of 2 VCs of 2 flits, {'cut-through' if cut_through else 'wormhole'}, any table: flits "
                  "of an input VC leave in order; a packet leaves complete, on a VC that it holds up to its tail; no buffer overflows"
                  + (", no packet stalls on its way" if cut_through else ""),
        reach="10 cycles",
        plant=("router/weft_vc_allocator.sv", "length <= count", "LengthBits'(1) <= count") if cut_through else
              ("router/weft_vc_allocator.sv", "assign usable = free_q;", "assign usable = '1;"))

# The border of the network.
for classes in (1, 2):
    add(name=f"injector_credits.{classes}", top="injector_credits", method="pdr", parameters={"Classes": classes},
        ghosts={"available": "u_injector.available_q"},
        statement=f"injector, 4 VCs of 2 flits, {classes} class{'es' * (classes > 1)}: credits and flits at the router add up to the "
                  "depth; a packet is on one VC of its class from head to tail",
        reach="unbounded",
        plant=("nic/weft_injector.sv", " - CountBits'(returns[v]);", " - CountBits'(returns[v] && !sends[v]);"))
add(name="ejector_fifo", top="ejector_fifo", method="pdr",
    statement="ejector, 2 VCs of 2 flits: FIFOs never overflow or underflow, every slot returns as a credit, packets leave complete and in "
              "order, and an offered flit does not change until it is accepted",
    reach="unbounded",
    plant=("nic/weft_ejector.sv", "(held | push) & (within_q ? current_q : '1)", "held | push"))

for depth in (2, 4):
    add(name=f"async_fifo.{depth}", top="async_fifo", method="pdr", parameters={"Depth": depth}, clocks=True,
        statement=f"asynchronous FIFO, Depth {depth}: FIFOs never overflow or underflow, no word is lost, duplicated or reordered, and pointers "
                  "change one bit at a time, for any clocks, and if a changing bit of a pointer is sampled as its old or its new value",
        reach="unbounded",
        plant=("nic/weft_async_fifo_source.sv", "PointerBits'(3) << (PointerBits - 2)", "PointerBits'(2) << (PointerBits - 2)")
              if depth == 2 else
              ("nic/weft_async_fifo_source.sv", "write_gray_q <= write_d ^ (write_d >> 1);", "write_gray_q <= write_d;"))

add(name="spill_register", top="spill_register", method="pdr",
    statement="spill register, at the ends of AXI4-Streams: an offered word does not change until it is accepted; none is lost, "
              "duplicated or reordered, for any input",
    reach="unbounded",
    plant=("nic/weft_spill_register.sv", "if (load) shown_data_q <=", "if (load || valid_i) shown_data_q <="))

# Simulations of X values. They run and are planted like proofs.
UNKNOWN = "no X reaches a meaningful output if all inputs without a meaning are X"
add(name="unknown.stages", top="unknown_stages", more_sources=("unknown_source", "unknown_watch"), method="unknown",
    netlists={"weft_xor_encoder": {"Words": 2, "Depth": 4}, "weft_xor_decoder": {"Words": 2, "Entries": 4, "Depth": 4},
              "weft_compressor": {"Words": 1, "Depth": 16, "Packets": 4}, "weft_decompressor": {"Words": 1}},
    statement=f"XOR encoder and decoder, compressor and decompressor, as netlists: {UNKNOWN}", reach="400 cycles",
    plant=("nic/weft_xor_decoder.sv", "known_q   <= '0;", ""))
add(name="unknown.nic", top="unknown_nic", more_sources=("unknown_source", "unknown_watch"), method="unknown",
    netlists={"weft_nic": {"Vcs": 2, "Depth": 2, "EjectionDepth": 2, "Words": 1, "Code": 1, "CodingDepth": 4, "Entries": 4,
                           "Compression": 1, "CompressorDepth": 8, "Packets": 2}},
    statement=f"NIC with all its stages, as a netlist: {UNKNOWN}", reach="100 cycles",
    plant=("nic/weft_injector.sv", "out_q          <= '0;", ""))
add(name="unknown.router", top="unknown_router", more_sources=("unknown_source", "unknown_watch"), method="unknown",
    netlists={"weft_router": {"Ports": 3, "Vcs": 2, "Depth": 2, "Words": 1, "Rule": 1, "Destinations": 3}},
    statement=f"router, S = 4, 3 ports of 2 VCs, as a netlist: {UNKNOWN}", reach="300 cycles",
    plant=("router/weft_vc_allocator.sv", "active_q[vc_index]  <= 1'b0;", ""))

assert {*QUICK, *QUICK_PLANTED} <= {proof.name for proof in ALL}
