// SPDX-License-Identifier: Apache-2.0
/// XOR decoder: random traffic compared with a model of whole packets.
#include "levels/xor_decoder_bench.h"
#include <map>
#include <set>
#include <vector>

#include "weft/core/shuffle.h"

namespace weft::pin {
namespace {

/// Packets to one node, as an encoder sends them, in any order.
struct arrivals {
  std::vector<packet> packets;
  std::set<std::uint32_t> data;  ///< the names of the data that the packets determine
};

arrivals random_arrivals(coded_traffic& source, node_id nodes, node_id receiver, random_numbers& random) {
  arrivals a;
  for (node_id n = 0; n < nodes; ++n) {
    packet held;
    while (source.next_creation(n) != Never) {
      const packet last = source.pop(n);
      const xor_role role = last.code.role;
      packet p = last;
      if (role == xor_role::Combine || role == xor_role::Chain) {
        p.flits = std::max(held.flits, last.flits);
        p.type = xor_type(held.type, last.type);
        p.code = {xor_role::Coded, last.code.relay, false, held.code.first, last.code.first};
      }
      if (role == xor_role::Hold || role == xor_role::Chain) held = last;
      if (role != xor_role::Hold && p.destination == receiver) a.packets.push_back(p);
    }
  }
  shuffle(a.packets.begin(), a.packets.end(), random);
  for (std::size_t before = ~std::size_t{0}; before != a.data.size();) {
    before = a.data.size();
    for (const packet& p : a.packets) {
      const std::uint32_t first = p.code.first.name, second = p.code.second.name;
      if (p.code.role == xor_role::Plain) a.data.insert(first);
      if (p.code.role == xor_role::Coded && (a.data.count(first) || a.data.count(second)))
        a.data.insert({first, second});
    }
  }
  return a;
}

/// Sends random packets in random order through a decoder of \p entries entries, with random gaps and stalls.
/// \return the number of marked packets
template <unsigned K>
std::uint64_t decode_random_packets(unsigned entries, unsigned depth, random_numbers& random) {
  constexpr node_id Nodes = 4;
  xor_decoder_bench<K> d(entries, depth);
  coded_traffic source({Nodes, K, 6, 6, 120, 0, 1, random.next()});
  coded_traffic same = source;
  const arrivals in = random_arrivals(same, Nodes, 1, random);
  coding_checker checker(source, 32 * K);
  std::map<packet_id, packet> by_id;
  for (const packet& p : in.packets) {
    checker.created(p);
    by_id[p.id] = p;
    d.b.send(flits_of<K>(source, p));
  }
  while (!d.b.waiting.empty()) d.b.cycle(random.chance(0.8), random.chance(0.8));
  d.b.drain();

  std::set<std::uint32_t> data;
  std::uint64_t as_it_was = 0, coded = 0;
  for (const packet& p : in.packets) coded += p.code.role == xor_role::Coded;
  header head;
  for (const auto& e : d.b.left) {
    const flit_of<K>& f = e.flit;
    if (f.head) head = header_of(f);
    if (f.head) checker.ejected({e.cycle, 1, 0, f.tag.packet(), 0}, nullptr);
    checker.received({e.cycle, 1, 0, f.tag.packet(), f.tag.sequence()}, f.payload);
    if (!f.tail) continue;
    checker.delivered({f.tag.packet(), head.source, head.destination, head.flits, 0, head.type, 0, code_of(head)},
                      e.cycle, 0);
    if (head.role == xor_role::Plain)
      data.insert(datum_of(head.first).name);
    else
      as_it_was += !by_id[f.tag.packet()].code.relay;
  }
  EXPECT_EQ(checker.broken(), "");
  EXPECT_EQ(checker.decoded(), d.dut.packets_decoded() + d.dut.packets_resolved());
  EXPECT_EQ(checker.overflows(), d.dut.overflows());
  EXPECT_LE(d.dut.most_entries(), entries);
  std::uint64_t relays = 0;
  for (const packet& p : in.packets) relays += p.code.relay;
  EXPECT_GE(as_it_was + checker.decoded() + d.dut.packets_dropped() + d.dut.entries_used() + relays, coded)
      << "each packet was delivered, waits or was dropped";
  if (checker.overflows() == 0) {
    EXPECT_EQ(data, in.data) << "the data that can be decoded";
  }
  return checker.overflows();
}

template <typename Width>
class levels_pin_xor_decoder_traffic : public testing::Test {
 public:
  static constexpr unsigned Words = Width::value;
  random_numbers random;
};
TYPED_TEST_SUITE(levels_pin_xor_decoder_traffic, flit_widths);

TYPED_TEST(levels_pin_xor_decoder_traffic, decodes_every_decodable_packet) {
  EXPECT_EQ(decode_random_packets<TypeParam::value>(512, 6, this->random), 0u);
}

TYPED_TEST(levels_pin_xor_decoder_traffic, decodes_nothing_wrongly_if_entries_run_out) {
  EXPECT_GT(decode_random_packets<TypeParam::value>(3, 4, this->random), 0u);
}

}  // namespace
}  // namespace weft::pin
