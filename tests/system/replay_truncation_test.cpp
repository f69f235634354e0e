// SPDX-License-Identifier: Apache-2.0
/// Truncation rules that apply by message: what each packet carries, what arrives, and the reported savings of ranks.
/// At both levels, with the hardware compressor and with one of given latency.
#include "system/replay_support.h"
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/lsb_cut.h"

using namespace weft;
using namespace weft::replay_support;

namespace {

/// The headers of packets as they leave the NICs.
class heads final : public network_observer {
 public:
  network_events event_interest() const override { return {network_event::Injected}; }
  void injected(const flit_event& event, const header& head) override {
    if (event.sequence == 0) all.push_back(head);
  }

  std::vector<header> all;
};

/// Checks that the doubles that arrive are truncated by the number of bits given for their source.
class arrivals final : public network_observer {
 public:
  explicit arrivals(std::map<node_id, unsigned> cuts) : m_cuts(std::move(cuts)) {}
  network_events event_interest() const override { return {network_event::Received, network_event::Delivered}; }
  void received(const flit_event& event, const std::uint64_t* payload) override {
    m_words[event.id].push_back(payload[0]);
  }
  void delivered(const packet& p, cycle_t, std::uint32_t) override {
    for (const std::uint64_t word : m_words[p.id]) {
      ++words;
      const unsigned cut = m_cuts.at(p.source);
      // Truncating a word twice by the same number of bits changes nothing.
      if (after_cut(word, cut, true) != word) ++wrong;
      if (cut == 0 && after_cut(word, 28, true) == word) ++wrong;  // raw: no trace of the NIC's own truncation
    }
  }

  std::uint64_t words = 0, wrong = 0;

 private:
  const std::map<node_id, unsigned> m_cuts;
  std::map<packet_id, std::vector<std::uint64_t>> m_words;
};

nic_parameters compressing(std::optional<cycle_t> latency) {
  nic_parameters nic;
  nic.ejection_depth = 8;
  nic.compression.selection.mode = selection_mode::Always;
  nic.compression.latency = latency;
  return nic;
}

/// Ranks 1 to 4 send 64 doubles each to rank 0, with tags 1 to 4.
replay_program four_messages() {
  program_writer w(5);
  for (std::uint32_t r = 1; r < 5; ++r) {
    w.send(r, 0, 512, static_cast<int>(r)).type = data_type::Double;
    w.receive(0, r, static_cast<int>(r));
  }
  return w.program();
}

replay_options options_with(const replay_program& program, const std::vector<std::string>& rules) {
  replay_options o = options_for(program);
  o.compresses = true;
  for (const std::string& rule : rules) o.truncation_rules.push_back(parse_truncation_rule(rule));
  return o;
}

void expect_truncation_by_message(std::optional<cycle_t> latency) {
  const replay_program program = four_messages();
  const replay_options o =
      options_with(program, {"raw tag 1", "40 bits tag 2 from 512", "4 bits tag 3", "9 bits from 513"});
  const std::map<node_id, unsigned> cuts{{o.nodes[1], 0}, {o.nodes[2], 40}, {o.nodes[3], 4}, {o.nodes[4], 28}};
  heads observed;
  const played fast = play(program, o, false, compressing(latency), &observed);
  ASSERT_TRUE(fast.finished);
  EXPECT_EQ(observed.all.size(), 16u);
  for (const header& h : observed.all) {
    const unsigned cut = cuts.at(h.source);
    EXPECT_EQ(h.codec, cut == 0 ? codec::Raw : codec::LsbCut) << h.source;
    EXPECT_EQ(h.cut, cut) << h.source;
  }
  // A packet of 16 doubles has 64 - n bits of each, and flags for special values; there are none here.
  const auto saved = [](unsigned cut) { return 4 * (16 - (16 * (64 - cut) + 63) / 64); };
  EXPECT_EQ(fast.ranks[1].compressed, 0u);
  EXPECT_EQ(fast.ranks[1].flits_saved, 0u);
  EXPECT_EQ(fast.ranks[2].compressed, 1u);
  EXPECT_EQ(fast.ranks[2].flits_saved, saved(40));
  EXPECT_EQ(fast.ranks[3].flits_saved, saved(4));
  EXPECT_EQ(fast.ranks[4].flits_saved, saved(28));
  EXPECT_EQ(fast.ranks[4].flits, 64u);
  EXPECT_EQ(fast.changed, 3u * 64);

  arrivals came(cuts);
  const played pins = play(program, o, true, compressing(latency), &came);
  EXPECT_EQ(fast.events, pins.events);
  EXPECT_EQ(came.words, 256u);
  EXPECT_EQ(came.wrong, 0u);
}

TEST(system_replay_truncation, applies_per_message_with_hardware_codecs) { expect_truncation_by_message({}); }

TEST(system_replay_truncation, applies_per_message_with_codecs_of_fixed_latency) { expect_truncation_by_message(40); }

TEST(system_replay_truncation, defaults_to_nic_setting_when_no_rule_matches) {
  const replay_program program = four_messages();
  const played without = play(program, options_with(program, {}), false, compressing({}));
  const played with = play(program, options_with(program, {"28 bits"}), false, compressing({}));
  EXPECT_EQ(without.events, with.events);
  const played strange = play(program, options_with(program, {"3 bits in MPI_Allreduce"}), false, compressing({}));
  EXPECT_EQ(without.events, strange.events);
}

TEST(system_replay_truncation, rules_apply_to_collectives_and_lists) {
  program_writer w(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    replay_collective c;
    c.root = 0;
    c.send_bytes = c.receive_bytes = 256;
    replay_call& call = w.collective(r, mpi_function::Bcast, c);
    call.type = data_type::Double;
    call.bytes = 0;
    if (r == 0) call.payload = std::make_shared<std::string>(256, 'A');
  }
  heads observed;
  play(w.program(), options_with(w.program(), {"30 bits in MPI_Bcast from 256", "raw"}), false, compressing({}),
       &observed);
  ASSERT_EQ(observed.all.size(), 6u);  // three messages of 32 flits
  for (const header& h : observed.all) EXPECT_EQ(h.cut, 30u);

  replay_program list;
  list.ranks.resize(2);
  for (const std::uint32_t from : {0, 1}) {
    listed_message m;
    m.id = from;
    m.source = from;
    m.destination = 1 - from;
    m.bytes = from == 0 ? 128 : 1024;
    m.type = data_type::Double;
    list.messages.push_back(m);
  }
  heads of_list;
  play(list, options_with(list, {"20 bits from 1000"}), false, compressing({}), &of_list);
  ASSERT_FALSE(of_list.all.empty());
  for (const header& h : of_list.all) EXPECT_EQ(h.cut, h.source == 0 ? 28u : 20u);
}

/// Doubles whose low 28 bits are already truncated: truncating by 28 bits does not change them.
std::shared_ptr<std::string> truncated_doubles(std::size_t count) {
  auto bytes = std::make_shared<std::string>(8 * count, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t word = after_cut(0x3ff0'0000'0000'0000 + i * 0x9e37'79b9'7f4a, 28, true);
    std::memcpy(bytes->data() + 8 * i, &word, 8);
  }
  return bytes;
}

// Each packet is coded by itself. Where flits have one word, a packet with an odd number of words would end within a
// double.
TEST(system_replay_truncation, packets_do_not_split_doubles) {
  for (const std::uint32_t longest : {1u, 3u, 5u, 6u, 17u}) {
    program_writer w(2);
    replay_call& call = w.send(0, 1, 800);
    call.type = data_type::Double;
    call.payload = truncated_doubles(100);
    w.receive(1, 0);
    replay_options o = options_with(w.program(), {});
    o.payload_bits = 32;
    o.packet_flits = longest;
    const played fast = play(w.program(), o, false, compressing({}));
    EXPECT_TRUE(fast.finished);
    EXPECT_EQ(fast.changed, 0u) << longest;
    EXPECT_EQ(fast.ranks[0].flits_saved > 0, longest > 3) << longest;
    // One process simulates one network of pins.
    if (longest == 5) {
      EXPECT_EQ(fast.events, play(w.program(), o, true, compressing({})).events);
    }
  }
}

// The vectors have about 1,500 doubles. A part that began within a double would be truncated in its upper half.
TEST(system_replay_truncation, all_reduce_divides_its_vector_between_doubles) {
  for (const std::size_t doubles : {1501u, 1502u, 1503u}) {
    program_writer w(4);
    for (std::uint32_t r = 0; r < 4; ++r) {
      replay_collective c;
      c.send_bytes = c.receive_bytes = 8 * doubles;
      c.element = 8;
      replay_call& call = w.collective(r, mpi_function::Allreduce, c);
      call.type = data_type::Double;
      call.payload = truncated_doubles(doubles);
    }
    const played fast = play(w.program(), options_with(w.program(), {}), false, compressing({}));
    EXPECT_TRUE(fast.finished);
    EXPECT_EQ(fast.changed, 0u) << doubles;
  }
}

// Rank 1 sends or receives parts of 60 doubles, and rank 2 parts of 140 doubles.
TEST(system_replay_truncation, rules_match_parts_by_their_own_size) {
  for (const mpi_function f : {mpi_function::NeighborAlltoallv, mpi_function::Gatherv, mpi_function::Scatterv}) {
    program_writer w(3);
    for (std::uint32_t r = 0; r < 3; ++r) {
      replay_collective c;
      const bool gathers = f == mpi_function::Gatherv;
      if (gathers ? r > 0 : r == 0) c.send_bytes = r == 1 ? 480 : 1120;
      if (!gathers && r == 0) c.sends = {480, 1120};
      if (gathers && r == 0) c.receives = {0, 480, 1120};
      if (f == mpi_function::NeighborAlltoallv) {
        c.to = r == 0 ? std::vector<std::uint32_t>{1, 2} : std::vector<std::uint32_t>{};
        c.from = r == 0 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{0};
        if (r > 0) c.receives = {r == 1 ? 480U : 1120U};
      } else {
        c.root = 0;
        if (!gathers && r == 0) c.sends = {0, 480, 1120};
      }
      replay_call& call = w.collective(r, f, c);
      call.type = data_type::Double;
      call.payload = truncated_doubles(200);
    }
    heads observed;
    const replay_options o = options_with(w.program(), {"20 bits from 600", "raw"});
    EXPECT_TRUE(play(w.program(), o, false, compressing({}), &observed).finished);
    unsigned cut = 0, raw = 0;
    for (const header& h : observed.all) {
      const bool is_long = h.source == o.nodes[2] || h.destination == o.nodes[2];
      (h.codec == codec::LsbCut ? cut : raw) += 1;
      EXPECT_EQ(h.codec == codec::LsbCut, is_long) << name_of(f) << ": " << h;
    }
    EXPECT_EQ(cut, 9u) << name_of(f);  // 140 flits in packets of 16
    EXPECT_EQ(raw, 4u) << name_of(f);
  }
}

}  // namespace
