// SPDX-License-Identifier: Apache-2.0
#include "support/coded_traffic.h"

#include "support/random.h"
#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "weft/core/network_observer.h"
#include "weft/core/xor_stages.h"

using namespace weft;

namespace {

using block_t = std::vector<packet>;  // packets that leave a node one after the other

/// Makes random data and packets that carry them.
class group_maker {
 public:
  group_maker(const coded_traffic_parameters& p, rng& d) : m_parameters(p), m_rng(d) {}

  /// Packets that carry \p count data, and some others, from several sources to one node.
  std::vector<block_t> make() {
    m_blocks.clear();
    m_receiver = node();
    m_sender = other_than(m_receiver);
    switch (m_rng.between(0, 5)) {
      case 0:
        fan();
        break;
      case 1:
      case 2:
        chain(m_rng.between(2, 8));
        break;
      case 3:
        made_by_the_node(m_rng.between(2, 6));
        break;
      case 4:
        to_several();
        break;
      default:
        for (unsigned i = m_rng.between(1, 4); i > 0; --i) alone(datum(m_parameters.longest, 0), node());
        break;
    }
    return std::move(m_blocks);
  }

 private:
  node_id node() { return m_rng.between(0, m_parameters.nodes - 1); }
  node_id other_than(node_id n) { return (n + m_rng.between(1, m_parameters.nodes - 1)) % m_parameters.nodes; }

  /// Returns a new datum of at most \p flits flits.
  xor_datum datum(std::uint32_t flits, unsigned uses) {
    xor_datum d;
    d.name = m_name++;
    d.words = m_rng.between(0, flits * m_parameters.words_per_flit);
    d.uses = static_cast<std::uint8_t>(uses);
    d.type = m_rng.chance(0.7) ? data_type::Int : data_type::Other;
    return d;
  }
  std::uint32_t short_enough() const { return std::min(m_parameters.longest, m_parameters.depth); }

  packet carrying(const xor_datum& d, node_id from, node_id to, xor_role role) {
    packet p;
    p.source = from;
    p.destination = to;
    p.flits = flits_of_words(d.words, m_parameters.words_per_flit);
    p.type = d.type;
    p.code.role = role;
    p.code.first = d;
    return p;
  }

  void alone(const xor_datum& d, node_id to) { m_blocks.push_back({carrying(d, other_than(to), to, xor_role::Plain)}); }

  /// Makes the packets d1 ⊕ d2, d1 ⊕ d3 and so on. The decoder needs one datum: d1 decodes all of these packets, and
  /// any other datum decodes d1.
  void fan() {
    const unsigned others = m_rng.between(1, 4);
    const xor_datum held = datum(short_enough(), others);
    block_t block{carrying(held, m_sender, m_receiver, xor_role::Hold)};
    const unsigned known = m_rng.between(0, others);  // 0: the held one
    if (known == 0) alone(held, m_receiver);
    for (unsigned i = 1; i <= others; ++i) {
      const xor_datum d = datum(m_parameters.longest, 1);
      block.push_back(carrying(d, m_sender, m_receiver, xor_role::Combine));
      block.back().code.relay = m_rng.chance(0.2);
      if (known == i) alone(d, m_receiver);
    }
    if (m_rng.chance(0.2)) alone(datum(m_parameters.longest, 0), m_receiver);
    m_blocks.push_back(std::move(block));
  }

  /// Makes the packets d1 ⊕ d2, d2 ⊕ d3 and so on. In addition one of the data is sent plain, or none, or the first and
  /// the last.
  void chain(unsigned count) {
    block_t block;
    const unsigned known = m_rng.between(0, count);  // count: none
    const bool both_ends = m_rng.chance(0.1);
    for (unsigned i = 0; i < count; ++i) {
      const bool end = i == 0 || i + 1 == count;
      const xor_datum d = datum(short_enough(), end ? 1 : 2);
      block.push_back(carrying(d, m_sender, m_receiver, i == 0 ? xor_role::Hold : xor_role::Chain));
      block.back().code.relay = i != 0 && m_rng.chance(0.1);
      if (both_ends ? end : i == known) alone(d, m_receiver);
    }
    m_blocks.push_back(std::move(block));
  }

  /// Makes a chain too, but a random node sends each packet already coded.
  void made_by_the_node(unsigned count) {
    const unsigned known = m_rng.between(0, count - 1);
    xor_datum before = datum(m_parameters.longest, 1);
    if (known == 0) alone(before, m_receiver);
    for (unsigned i = 1; i < count; ++i) {
      const xor_datum d = datum(m_parameters.longest, i + 1 == count ? 1 : 2);
      packet p = carrying(before.words > d.words ? before : d, other_than(m_receiver), m_receiver, xor_role::Coded);
      p.type = xor_type(before.type, d.type);
      p.code.first = before;
      p.code.second = d;
      p.code.relay = m_rng.chance(0.3);
      m_blocks.push_back({p});
      if (known == i) alone(d, m_receiver);
      before = d;
    }
  }

  /// Sends the same combined packet to several nodes.
  void to_several() {
    const xor_datum held = datum(short_enough(), 1), d = datum(m_parameters.longest, 1);
    block_t block{carrying(held, m_sender, m_sender, xor_role::Hold)};
    const std::uint32_t receivers = m_rng.between(1, std::min<std::uint32_t>(3, m_parameters.nodes - 1));
    for (std::uint32_t i = 1; i <= receivers; ++i) {
      const node_id to = (m_sender + i) % m_parameters.nodes;
      block.push_back(carrying(d, m_sender, to, xor_role::Combine));
      alone(m_rng.chance(0.5) ? held : d, to);
    }
    m_blocks.push_back(std::move(block));
  }

  const coded_traffic_parameters& m_parameters;
  rng& m_rng;
  std::uint32_t m_name = 1;
  node_id m_receiver = 0, m_sender = 0;
  std::vector<block_t> m_blocks;
};

/// Returns word \p i of a datum. Most words are small numbers, but there are some that no codec shortens.
std::uint32_t word_of(const xor_datum& d, std::uint32_t i) {
  if (i >= d.words) return 0;
  std::uint64_t x = (std::uint64_t{d.name} << 32 | i) * 0x9e3779b97f4a7c15;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9;
  const auto word = static_cast<std::uint32_t>(x >> 32);
  return d.name % 3 == 0 ? word : word % 200;
}

}  // namespace

coded_traffic::coded_traffic(const coded_traffic_parameters& p) : m_queues(p.nodes), m_next(p.nodes) {
  rng d(p.seed);
  group_maker maker(p, d);
  std::vector<block_t> blocks;
  for (std::uint32_t group = 0; group < p.groups; ++group)
    for (block_t& block : maker.make()) {
      // Blocks of a group are close to each other, so that most of the group meets in the decoder.
      const std::size_t least = blocks.size() < 12 ? 0 : blocks.size() - 12;
      const std::size_t at = d.between(static_cast<std::uint32_t>(least), static_cast<std::uint32_t>(blocks.size()));
      blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(at), std::move(block));
    }
  std::vector<cycle_t> time(p.nodes);
  for (const block_t& block : blocks)
    for (packet each : block) {
      cycle_t& now = time[each.source];
      now += d.between(0, static_cast<std::uint32_t>(2 * p.spread));
      each.id = m_packets++;
      each.message_class = static_cast<std::uint8_t>(each.id % p.classes);
      each.created = now;
      m_queues[each.source].push_back(each);
    }
}

cycle_t coded_traffic::next_creation(node_id node) const {
  return m_next[node] < m_queues[node].size() ? m_queues[node][m_next[node]].created : Never;
}

packet coded_traffic::pop(node_id node) { return m_queues[node][m_next[node]++]; }

void coded_traffic::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits,
                            std::uint64_t* words) const {
  const unsigned words_per_flit = payload_bits / 32;
  std::fill_n(words, (payload_bits + 63) / 64, 0);
  for (unsigned i = 0; i < words_per_flit; ++i) {
    std::uint32_t word = word_of(p.code.first, sequence * words_per_flit + i);
    if (p.code.role == xor_role::Coded) word ^= word_of(p.code.second, sequence * words_per_flit + i);
    words[i / 2] |= std::uint64_t{word} << 32 * (i % 2);
  }
}

// ---------------------------------------------------------------------------------------------------------------

void coding_checker::created(const packet& p) { m_fates[p.id].what = p; }

void coding_checker::ejected(const flit_event& e, const std::uint64_t*) { m_fates[e.id].arrived = true; }

void coding_checker::received(const flit_event& e, const std::uint64_t* payload) {
  std::vector<std::uint64_t>& words = m_payload[e.node];
  words.insert(words.end(), payload, payload + m_words);
}

void coding_checker::delivered(const packet& p, cycle_t cycle, std::uint32_t) {
  const auto require = [&](bool condition, const char* violation) {
    if (!condition && m_broken.empty()) m_broken = fmt::format("cycle {}, packet {}: {}", cycle, p.id, violation);
  };
  ++m_delivered;
  m_overflows += p.code.overflow;
  fate& f = m_fates[p.id];
  const xor_role role = f.what.code.role;
  const bool went_coded = role != xor_role::Plain;
  const bool comes_coded = p.code.role == xor_role::Coded;
  require(f.arrived, "it was not delivered");
  require(role != xor_role::Hold, "it should be held, not delivered");
  require(comes_coded || p.code.role == xor_role::Plain, "its role is that of a packet before the encoder");
  require(p.source == f.what.source && p.destination == f.what.destination && p.created == f.what.created,
          "it differs from the packet that was sent");
  require(went_coded || !comes_coded, "it is coded, but was sent plain");
  unsigned& count = comes_coded || !went_coded ? f.as_it_was : f.decoded;
  require(++count == 1, "it is delivered twice");
  require(f.as_it_was + f.decoded == 1 || f.what.code.relay, "it is delivered both unchanged and decoded");
  m_decoded += went_coded && !comes_coded;

  std::vector<std::uint64_t>& words = m_payload[p.destination];
  std::vector<std::uint64_t> expected(words.size());
  require(words.size() == std::size_t{p.flits} * m_words, "its length differs from that in its header");
  for (std::uint32_t i = 0; i * m_words < expected.size(); ++i)
    m_source.payload(p, i, m_payload_bits, expected.data() + i * m_words);
  require(words == expected, "its payload differs from its data");
  words.clear();
}
