// SPDX-License-Identifier: Apache-2.0
/// Shared by the tests of compressor and decompressor: messages, their packets, and a bench with a source before the
/// stage and a sink after it.
///
/// Time: cycle() drives the inputs of the current cycle, lets the stage follow, records what moves, and advances to the
/// next cycle.
#pragma once

#include "levels/bench.h"
#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "weft/core/coded_packet.h"
#include "weft/core/flit.h"
#include "weft/pin/nic/packet_stage.h"

namespace weft::pin {

template <unsigned K>
using flit_of = flit<32 * K>;
template <unsigned K>
using packet_of = std::vector<flit_of<K>>;
using message_t = std::vector<std::uint32_t>;

/// The test suite over K. (CTest shows the name of the type.)
template <unsigned K>
struct words_per_flit {
  static constexpr unsigned value = K;
};
using flit_widths = testing::Types<words_per_flit<1>, words_per_flit<2>, words_per_flit<4>, words_per_flit<8>>;

/// The kind of words in a message, which determines how well it compresses.
enum class content { Small, Random, Mixed, Zeros, Doubles };

/// Words of that kind. Small: every word has the shortest code of Table I that is not a run of zeros in the classic
/// one.
inline message_t make_message(random_numbers& random, content kind, std::size_t words) {
  message_t message;
  while (message.size() < words) {
    const std::uint64_t bits = random.next();
    const auto word = static_cast<std::uint32_t>(bits);
    switch (kind) {
      case content::Small:
        message.push_back(1 + word % 100);
        break;
      case content::Random:
        message.push_back(word | 0x40000001);
        break;
      case content::Mixed:
        message.push_back(random.chance(0.3) ? 0 : word >> random.below(32));
        break;
      case content::Zeros:
        message.push_back(random.chance(0.9) ? 0 : word);
        break;
      case content::Doubles: {
        constexpr std::uint64_t Special[] = {0, 1, 0x7ff0000000000000, 0x8000000000000000, 0x7ff8000000000001};
        const std::uint64_t value = random.chance(0.2) ? Special[random.below(5)] : bits;
        message.push_back(static_cast<std::uint32_t>(value));
        message.push_back(static_cast<std::uint32_t>(value >> 32));
        break;
      }
    }
  }
  message.resize(words);
  return message;
}

/// The flits of a packet with header \p head; payload as words, K per flit. \p vc: the VC of all its flits.
template <unsigned K>
packet_of<K> make_packet(packet_id id, const header& head, const std::vector<std::uint32_t>& payload, unsigned vc = 0) {
  packet_of<K> packet(payload.size() / K);
  for (std::size_t i = 0; i < packet.size(); ++i) {
    flit_of<K>& f = packet[i];
    f.valid = true;
    f.head = i == 0;
    f.tail = i + 1 == packet.size();
    f.vc = static_cast<std::uint8_t>(vc);
    if (f.head) put_header(f, head);
    word_row<K> words;
    std::copy_n(payload.begin() + static_cast<std::ptrdiff_t>(i * K), K, words.word);
    put_words(f, words);
    f.tag = flit_tag(static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(i));
  }
  return packet;
}

/// The packet of a message in the code \p how if that is shorter, else raw; always raw with codec::Raw.
template <unsigned K>
packet_of<K> travelling(packet_id id, const message_t& message, data_type type, codec how,
                        const codec_parameters& parameters) {
  travelling_packet p = travelling_form(message, type, how, K, parameters);
  p.header.destination = static_cast<node_id>(id % 1000);
  p.header.source = 7;
  return make_packet<K>(id, p.header, p.payload);
}

/// The packet of a message in the code \p how, even if that is longer.
template <unsigned K>
packet_of<K> coded(packet_id id, const message_t& message, codec how, const codec_parameters& parameters) {
  const std::vector<std::uint32_t> payload = encode(message, how, K, parameters).payload;
  header h;
  h.destination = static_cast<node_id>(id % 1000);
  h.source = 7;
  h.flits = static_cast<std::uint32_t>(payload.size() / K);
  h.words = static_cast<std::uint32_t>(message.size());
  h.codec = how;
  h.cut = how == codec::LsbCut ? static_cast<std::uint8_t>(parameters.cut) : 0;
  return make_packet<K>(id, h, payload);
}

template <unsigned K>
class stage_bench {
 public:
  using flit_t = flit_of<K>;
  struct event {
    cycle_t cycle;
    flit_t flit;
  };

  /// \param stage must not be bound yet
  explicit stage_bench(packet_stage<32 * K>& stage) {
    base.clock(stage);
    stage.flit_i(in);
    stage.ready_o(in_ready);
    stage.flit_o(out);
    stage.ready_i(out_ready);
    stage.received_i(received);
    stage.queue_i(queue);
    stage.busy_o(busy);
  }

  bench base;
  sc_core::sc_signal<flit_t> in{"in"};
  sc_core::sc_signal<bool> in_ready{"in_ready"};
  sc_core::sc_signal<flit_t> out{"out"};
  sc_core::sc_signal<bool> out_ready{"out_ready"};
  sc_core::sc_signal<std::uint32_t> received{"received"};
  sc_core::sc_signal<std::uint32_t> queue{"queue"};
  sc_core::sc_signal<bool> busy{"busy"};

  std::deque<flit_t> waiting;  ///< flits that the source will offer
  std::vector<event> entered;  ///< flits that entered, with their cycles
  std::vector<event> left;     ///< flits that left, with their cycles

  void send(const packet_of<K>& packet) { waiting.insert(waiting.end(), packet.begin(), packet.end()); }

  /// Runs one cycle. \p offer: drives the next flit on flit_i, if any. (Once offered it stays until it is accepted.)
  void cycle(bool offer = true, bool ready = true) {
    present(offer, ready);
    const cycle_t now = base.now();
    if (in.read().valid && in_ready.read()) {
      entered.push_back({now, in.read()});
      waiting.pop_front();
      m_offered = false;
    }
    if (out.read().valid && ready) left.push_back({now, out.read()});
    base.step();
  }

  /// Only drives the inputs of this cycle and lets the stage follow.
  void present(bool offer, bool ready) {
    m_offered = !waiting.empty() && (offer || m_offered);
    in.write(m_offered ? waiting.front() : flit_t());
    out_ready.write(ready);
    base.settle();
  }

  /// Runs until nothing moves any more, for at most \p most cycles.
  void drain(unsigned most = 100000) {
    for (unsigned i = 0; i < most && (!waiting.empty() || busy.read() || i == 0); ++i) cycle();
    EXPECT_TRUE(waiting.empty());
    EXPECT_FALSE(busy.read());
  }

  /// Resets with no input driven; ends in cycle 0.
  void restart() {
    in.write(flit_t());
    m_offered = false;
    waiting.clear();
    entered.clear();
    left.clear();
    base.assert_reset();
    base.release_reset();
  }

  /// Sends \p packets with random gaps and stalls, whose rates change over time. Compares the output
  /// with \p expected.
  void run(const std::vector<packet_of<K>>& packets, const std::vector<packet_of<K>>& expected,
           random_numbers& random) {
    for (const auto& p : packets) send(p);
    double gaps = 0, stalls = 0;
    constexpr double Rates[] = {0, 0, 0.1, 0.5, 0.9};
    while (!waiting.empty()) {
      if (base.now() % 64 == 0) {
        gaps = Rates[random.below(5)];
        stalls = Rates[random.below(5)];
      }
      cycle(!random.chance(gaps), !random.chance(stalls));
    }
    drain();
    compare(expected);
  }

  void compare(const std::vector<packet_of<K>>& expected) const {
    std::size_t at = 0;
    for (std::size_t p = 0; p < expected.size(); ++p) {
      for (const flit_t& due : expected[p]) {
        ASSERT_LT(at, left.size()) << "packet " << p << " is missing, from " << due;
        ASSERT_EQ(left[at].flit, due) << "packet " << p << ", cycle " << left[at].cycle;
        ++at;
      }
    }
    EXPECT_EQ(at, left.size());
  }

  /// Cycle in which flit \p sequence of a packet entered or left.
  static cycle_t cycle_of(const std::vector<event>& events, packet_id id, std::uint32_t sequence) {
    for (const event& e : events)
      if (e.flit.tag.packet() == id && e.flit.tag.sequence() == sequence) return e.cycle;
    ADD_FAILURE() << "flit " << sequence << " of packet " << id << " did not pass";
    return 0;
  }

  /// Cycles without an event between the first and the last one.
  static cycle_t bubbles(const std::vector<event>& events) {
    return events.empty() ? 0 : events.back().cycle - events.front().cycle + 1 - events.size();
  }

 private:
  bool m_offered = false;
};

}  // namespace weft::pin
