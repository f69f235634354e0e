// SPDX-License-Identifier: Apache-2.0
/// A sender of packets on the virtual channels of a router port, with credits, and a receiver that returns credits.
#pragma once

#include "traffic.h"
#include <deque>

namespace energy {

constexpr int Return = 3;      // cycles from a flit to its credit
constexpr double Drain = 0.9;  // probability that a receiver frees a slot in a cycle

inline int bits_of(int count) {
  int bits = 1;
  while ((1 << bits) < count) bits++;
  return bits;
}

inline int number(const bundle& bits, int first, int width, int run) {
  int found = 0;
  for (int i = 0; i < width; i++) found |= static_cast<int>(bits[first + i] >> run & 1) << i;
  return found;
}

struct packet {
  header fields;
  int left = 0;
  bool head = true;
  word_stream words;
};

/// A packet of a scenario.
inline packet make_packet(const scenario& kind, int words, uint32_t source, uint32_t destination, rng& random) {
  packet p;
  p.left = kind.length;
  p.fields.flits = kind.length;
  p.fields.words = kind.length * words;
  p.fields.type = kind.kind == payload::doubles || kind.kind == payload::other_doubles ? 2 : 1;
  p.fields.source = source;
  p.fields.destination = destination;
  p.words = word_stream(kind.kind, random);
  return p;
}

/// The data of the next flit of a packet: header, error and payload, from the lowest bit.
inline void put_data(bundle& bits, packet& p, int words, uint64_t run) {
  for (int w = 0; w < words; w++) put(bits, 32 * w, 32, p.words.next(), run);
  put(bits, 32 * words, 2, 0, run);
  put_header(bits, 32 * words + 2, p.head ? p.fields : header(), run);
}

/// A port in one run.
struct port_state {
  std::deque<packet> waiting;
  std::vector<packet> open;  // packet of each VC; none if left is 0
  std::vector<int> credits;
  int turn = 0;
  std::deque<std::pair<long, int>> held;  // flits at the receiver: cycle from which they may leave, VC

  port_state(int vcs, int depth) : open(vcs), credits(vcs, depth) {}

  void open_packet(const scenario& kind) {
    if (waiting.empty()) return;
    const int vcs = static_cast<int>(open.size());
    int free = -1;
    bool any = false;
    for (int i = 0; i < vcs; i++) {
      const int vc = (turn + i) % vcs;
      any = any || open[vc].left != 0;
      if (free < 0 && open[vc].left == 0 && credits[vc] > 0) free = vc;
    }
    if (free < 0 || (any && !kind.interleaved)) return;
    open[free] = waiting.front();
    waiting.pop_front();
  }

  /// The flit of this cycle on a flit bundle.
  void send(bundle& bits, const scenario& kind, int words, uint64_t run) {
    const int vcs = static_cast<int>(open.size()), vc_bits = bits_of(vcs), width = static_cast<int>(bits.size());
    put(bits, width - 1, 1, 0, run);
    open_packet(kind);
    for (int i = 0; i < vcs; i++) {
      const int vc = (turn + i) % vcs;
      packet& p = open[vc];
      if (p.left == 0 || credits[vc] == 0) continue;
      const bool tail = p.left == 1;
      put_data(bits, p, words, run);
      put(bits, width - 4 - vc_bits, 1, 0, run);
      put(bits, width - 3 - vc_bits, vc_bits, vc, run);
      put(bits, width - 3, 3, 4 | (p.head ? 2 : 0) | (tail ? 1 : 0), run);
      p.head = false;
      p.left--;
      credits[vc]--;
      turn = kind.interleaved || tail ? (vc + 1) % vcs : vc;
      return;
    }
  }

  /// The credit of this cycle on a credit bundle.
  void free_slot(bundle& bits, long cycle, rng& random, uint64_t run) {
    const int vc_bits = static_cast<int>(bits.size()) - 1;
    const bool frees = !held.empty() && held.front().first <= cycle && random.unit() < Drain;
    put(bits, vc_bits, 1, frees ? 1 : 0, run);
    if (!frees) return;
    put(bits, 0, vc_bits, held.front().second, run);
    held.pop_front();
  }
};

}  // namespace energy
