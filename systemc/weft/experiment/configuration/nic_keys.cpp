// SPDX-License-Identifier: Apache-2.0
/// The keys of NICs: buffers, compressor, XOR stages.

#include <fmt/format.h>

#include "weft/core/codec_kind.h"
#include "weft/experiment/configuration/key_table.h"

namespace weft::experiment {

namespace {

void add_interface_keys(key_table& t) {
  auto& c = t.c;
  t.add("nic.ports", integer(c.nic.ports, 1, MaxPorts - 2), "",
        fmt::format("Channels between a node and its router, each way. A router has at most {} ports, these included.",
                    MaxPorts));
  t.add("nic.link_cycles", integer(c.nic.link_cycles, 1, 64), "cycles", "Latency of those channels, each way.");
  t.add("nic.window", integer(c.nic.window, 1, 1'000'000), "cycles",
        "Window in which the congestion counter N counts received flits.");
  t.add("nic.buckets", integer(c.nic.buckets, 1, 64), "",
        "Parts of the window, of equal length, by which it slides. 1: it tumbles, N changes once a window.");
  t.add("nic.ejection_depth", integer(c.nic.ejection_depth, 0, MaxBufferFlits), "flits",
        "Buffer of each VC of an ejection channel; packets then leave it whole, one after the other. 0: the node takes "
        "every flit at once, which a decompressor or a XOR decoder cannot.",
        {}, "0; as `network.router.depth` with a compressor of `rtl` latency or XOR stages");
  t.add_implementation("nic", c.nic.whole, "rtl_nodes", "nodes",
                       "The nodes whose NICs are RTL, with all their stages; the others keep SystemC.", {});
}

void add_compression_keys(key_table& t) {
  auto& c = t.c;
  const condition selective{"nic.compression.mode", "selective"};
  const condition compressing{"nic.compression.mode", "none", true};
  auto& compression = c.nic.compression;
  t.add("nic.compression.mode",
        choice(compression.selection.mode, {{"none", selection_mode::None},
                                            {"always", selection_mode::Always},
                                            {"selective", selection_mode::Selective}}),
        "",
        "`none`: no compressor; `always`: every packet whose data type has a codec and that gets shorter; `selective`: "
        "those that Algorithm 1 of COMPRESS picks: long ones, and all while the network is congested.");
  t.add("nic.compression.length_threshold", integer(compression.selection.length_threshold, 0, MaxFlits), "flits",
        "`selective`: packets from this length on are compressed always (L_th).", {selective});
  t.add(
      "nic.compression.received_threshold", integer(compression.selection.received_threshold, 0, 0xffff'ffff), "flits",
      "`selective`: shorter ones are compressed while the node received more than this in the last window (N > N_th).",
      {selective});
  t.add("nic.compression.queue_threshold", integer(compression.selection.queue_threshold, 0, 0xffff'ffff), "packets",
        "`selective`: or while more than this wait in its source queue (Q > Q_th).", {selective});
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
        "The six run lengths of the table, falling. `weft codec --tune` finds the best ones for recorded payload.",
        {compressing, {"nic.compression.integer_code", "table"}});
  t.add("nic.compression.cut", integer(compression.codec.cut, 0, MaxCut), "bits",
        "Bits that LSB-cut takes off a double. Lossy.", {compressing});
  t.add("nic.compression.exact", boolean(compression.codec.exact), "",
        "LSB-cut keeps zeros, denormals, infinities and NaNs as they are, at the cost of a bit each or more. false: "
        "the paper's plain form.",
        {compressing});
  t.add("nic.compression.latency", or_name(compression.latency, integer_type(1, 1'000'000), "rtl"), "cycles",
        "`rtl`: what the hardware takes: the whole packet is taken in, then 4 cycles; 4 more at the other end. A "
        "number: from the head of a packet to the head of its compressed form, for both ends together (D of COMPRESS).",
        {compressing});
  t.add("nic.compression.size", or_name(compression.ratio, number_type(1, 64), "actual"), "",
        "`actual`: what the bits need. A number: the ratio that the experiment assumes; no bits are coded then, and "
        "payload is not carried. Only with a given latency.",
        {compressing, {"nic.compression.latency", "rtl", true}});
  t.add("nic.compression.buffer", integer_of(compression.depth, {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}),
        "flits", "Each of the two memories of the compressor; longer packets than this are not compressed.",
        {compressing});
  t.add_implementation("nic.compression", c.nic.compression_stages, "rtl_nodes", "nodes",
                       "The nodes whose compressor and decompressor are RTL, the others keep SystemC.",
                       {compressing, {"nic.compression.latency", "rtl"}, {"nic.implementation", "rtl", true}});
}

void add_coding_keys(key_table& t) {
  auto& c = t.c;
  const condition coding{"nic.coding.enabled", "true"};
  t.add("nic.coding.enabled", boolean(c.nic.coding.enabled), "",
        "XOR stages stand in the NICs. They need `nic.ports: 1`, and a compressor, if there is one, of `rtl` latency.");
  t.add("nic.coding.entries", integer(c.nic.coding.entries, 2, MaxXorEntries), "packets",
        "What a decoder keeps: data that it knows, and coded packets that wait for one. More go to the node, marked.",
        {coding});
  t.add("nic.coding.depth", integer(c.nic.coding.depth, 1, MaxXorFlits), "flits",
        "The longest packet that encoder and decoder keep.", {coding});
  t.add("nic.coding.overhead", integer(c.nic.coding.overhead, 0, MaxXorOverhead), "cycles",
        "What a XOR takes in the encoder (HNC, Fig. 14).", {coding});
}

}  // namespace

void add_nic_keys(key_table& t) {
  add_interface_keys(t);
  add_compression_keys(t);
  add_coding_keys(t);
}

}  // namespace weft::experiment
