// SPDX-License-Identifier: Apache-2.0
/// The keys of NICs: buffers, compressor, XOR stages.

#include <fmt/format.h>

#include "weft/configuration/key_table.h"
#include "weft/core/codec_kind.h"

namespace weft::experiment {

namespace {

void add_interface_keys(key_table& t) {
  auto& c = t.c;
  t.add("nic.ports", integer(c.nic.ports, 1, MaxPorts - 2), "",
        fmt::format("Number of channels between a node and its router in each direction. They count toward the limit "
                    "of {} ports per router.",
                    MaxPorts),
        {made_network("the ports of each node")});
  t.add("nic.link_cycles", integer(c.nic.link_cycles, 1, 64), "cycles",
        "Latency of the channels between a node and its router, in each direction.",
        {made_network("the cycles of each node")});
  t.add("nic.window", integer(c.nic.window, 1, 1'000'000), "cycles",
        "Window in which the congestion counter N counts received flits.");
  t.add("nic.buckets", integer(c.nic.buckets, 1, 64), "",
        "Number of equal parts of the window. The window slides by one part at a time; with a single part, N changes "
        "once per window.");
  t.add("nic.ejection_depth", integer(c.nic.ejection_depth, 0, MaxBufferFlits), "flits",
        "Size of the buffer of each VC of an ejection channel. Packets leave the buffer one after the other, without "
        "interleaving. With 0, there is no buffer, and the node accepts every flit immediately. A decompressor, an XOR "
        "decoder and nodes with finite queues (`workload.injection.queue`) may stall, so they need a buffer.",
        {}, "0; as `network.router.depth` with a compressor of `rtl` latency, XOR stages or finite queues");
  t.add("nic.ejection_credits", integer(c.nic.ejection_credits, 0, MaxBufferFlits), "flits",
        "Number of credits of a router for each VC to a node without an ejection buffer. The node still accepts every "
        "flit immediately, and then returns its credit. With 0, the router needs no credits.");
  t.add("nic.source_queues",
        choice(c.nic.queues, {{"shared", source_queues::Shared}, {"per_class", source_queues::PerClass}}), "",
        "With `shared`, the packets of a node wait in one queue, so a packet also waits for packets of other message "
        "classes before it. With `per_class`, each message class has a queue of its own, and the node sends the first "
        "packet of a queue whose VCs have room. NICs with a compressor or XOR stages, and NICs as RTL, need `shared`.");
  t.add_implementation("nic", c.nic.whole, "rtl_nodes", "nodes",
                       "Nodes whose NICs are simulated as RTL, with all their stages; the others remain SystemC.", {});
}

void add_compression_keys(key_table& t) {
  auto& c = t.c;
  const condition selective{"nic.compression.mode", "selective"};
  const condition compressing{"nic.compression.mode", "none", true};
  auto& compression = c.nic.compression;
  t.add(
      "nic.compression.mode",
      choice(compression.selection.mode, {{"none", selection_mode::None},
                                          {"always", selection_mode::Always},
                                          {"selective", selection_mode::Selective}}),
      "",
      "With `none`, NICs have no compressors. With `always`, a NIC compresses every packet whose data type has a "
      "codec, provided that the packet becomes shorter. With `selective`, it compresses only those of these packets "
      "that Algorithm 1 of COMPRESS selects, which are long packets and, while the network is congested, all packets.");
  t.add("nic.compression.length_threshold", integer(compression.selection.length_threshold, 0, MaxFlits), "flits",
        "In the mode `selective`, packets of at least this length are always compressed (L_th).", {selective});
  t.add("nic.compression.received_threshold", integer(compression.selection.received_threshold, 0, 0xffff'ffff),
        "flits",
        "In the mode `selective`, shorter packets are compressed if the node received more flits than this in the last "
        "window (N > N_th).",
        {selective});
  t.add("nic.compression.queue_threshold", integer(compression.selection.queue_threshold, 0, 0xffff'ffff), "packets",
        "In the mode `selective`, shorter packets are also compressed while more packets than this wait in the source "
        "queue (Q > Q_th).",
        {selective});
  choices_of<bool> integer_codes;
  std::string codes;
  for (const codec_kind& kind : CodecKinds) {
    if (!kind.integer_code) continue;
    integer_codes.emplace_back(kind.integer_code, kind.how == codec::FpcClassic);
    codes += fmt::format("{}`{}`: {}", codes.empty() ? "" : "; ", kind.integer_code, kind.description);
  }
  t.add("nic.compression.integer_code", choice(compression.codec.classic, integer_codes), "",
        fmt::format("Code of 32-bit integers. {}.", codes), {compressing});
  t.add("nic.compression.table", run_lengths(compression.codec.table), "bits",
        "The six run lengths, in descending order. `weft codec --tune` finds the best ones for recorded payload.",
        {compressing, {"nic.compression.integer_code", "table"}});
  t.add("nic.compression.cut", integer(compression.codec.cut, 0, MaxCut), "bits",
        "Number of bits that LSB-cut removes from a double. This compression is lossy.", {compressing});
  t.add("nic.compression.exact", boolean(compression.codec.exact), "",
        "Whether LSB-cut keeps zeros, denormals, infinities and NaNs unchanged, which costs at least one bit each. If "
        "`false`, LSB-cut has the plain form of the paper, which may change these values.",
        {compressing});
  t.add("nic.compression.latency", or_name(compression.latency, integer_type(1, 1'000'000), "rtl"), "cycles",
        "With `rtl`, compression has the timing of the hardware: a compressed packet leaves 4 cycles after its tail "
        "has arrived, and takes 4 more cycles in the decompressor. A number is the delay of the head caused by "
        "compressor and decompressor together (D of COMPRESS).",
        {compressing});
  t.add("nic.compression.size", or_name(compression.ratio, number_type(1, 64), "actual"), "",
        "With `actual`, compressed packets have the length of their coded bits. A number is an assumed compression "
        "ratio; the NIC then codes no bits, and packets carry no payload. A number is possible only if `latency` is a "
        "number, too.",
        {compressing, {"nic.compression.latency", "rtl", true}});
  t.add("nic.compression.buffer", integer_of(compression.depth, {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}),
        "flits", "Size of each of the two memories of the compressor; longer packets are not compressed.",
        {compressing});
  t.add_implementation("nic.compression", c.nic.compression_stages, "rtl_nodes", "nodes",
                       "Nodes whose compressor and decompressor are simulated as RTL; the others remain SystemC.",
                       {compressing, {"nic.compression.latency", "rtl"}, {"nic.implementation", "rtl", true}});
}

void add_coding_keys(key_table& t) {
  auto& c = t.c;
  const condition coding{"nic.coding.enabled", "true"};
  t.add("nic.coding.enabled", boolean(c.nic.coding.enabled), "",
        "Whether NICs have XOR stages. They require `nic.ports: 1` and, if there is a compressor, "
        "`nic.compression.latency: rtl`.");
  t.add("nic.coding.entries", integer(c.nic.coding.entries, 2, MaxXorEntries), "packets",
        "Number of packets that a decoder stores: received data, and coded packets that wait for a datum. The decoder "
        "passes further packets to the node, marked as overflow.",
        {coding});
  t.add("nic.coding.depth", integer(c.nic.coding.depth, 1, MaxXorFlits), "flits",
        "Length of the longest packet that the encoder and the decoder can store.", {coding});
  t.add("nic.coding.overhead", integer(c.nic.coding.overhead, 0, MaxXorOverhead), "cycles",
        "Time that the encoder takes for an XOR (HNC, Fig. 14).", {coding});
}

}  // namespace

void add_nic_keys(key_table& t) {
  add_interface_keys(t);
  add_compression_keys(t);
  add_coding_keys(t);
}

}  // namespace weft::experiment
