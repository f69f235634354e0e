// SPDX-License-Identifier: Apache-2.0
/// Scenarios, payloads and flits of the benches.
#pragma once

#include "simulator.h"
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace energy {

enum class payload { zero, random, small, counter, doubles, other_doubles, integers };

/// A kind of traffic. Four of the 64 runs have the same scenario and different seeds.
struct scenario {
  double load;  // flits per cycle and input
  payload kind;
  int length;        // flits of a packet
  bool interleaved;  // packets on different VCs alternate
};

constexpr int Scenarios = 16;
constexpr int RunsOfScenario = Runs / Scenarios;

/// The last four are not used in fits.
inline const std::array<scenario, Scenarios> Kinds = {{
    {0.0, payload::zero, 1, false},
    {0.1, payload::random, 4, false},
    {0.3, payload::random, 4, true},
    {1.0, payload::random, 4, true},
    {0.3, payload::zero, 4, false},
    {0.3, payload::small, 4, true},
    {0.3, payload::doubles, 8, false},
    {0.5, payload::counter, 8, true},
    {0.3, payload::random, 1, false},
    {0.5, payload::random, 16, false},
    {0.1, payload::doubles, 4, true},
    {0.6, payload::zero, 2, true},
    {0.2, payload::other_doubles, 5, true},
    {0.45, payload::integers, 3, false},
    {0.7, payload::random, 8, true},
    {0.05, payload::counter, 2, false},
}};

inline const scenario& scenario_of(int run) { return Kinds[run / RunsOfScenario]; }

/// A small generator of random numbers (xorshift64*).
class rng {
 public:
  explicit rng(uint64_t seed = 1) : m_state(seed * 0x9E3779B97F4A7C15ULL + 0x1234567) {}
  uint64_t next() {
    m_state ^= m_state >> 12;
    m_state ^= m_state << 25;
    m_state ^= m_state >> 27;
    return m_state * 0x2545F4914F6CDD1DULL;
  }
  double unit() { return static_cast<double>(next() >> 11) / 9007199254740992.0; }
  int below(int n) { return static_cast<int>((next() >> 33) % static_cast<uint64_t>(n)); }

 private:
  uint64_t m_state;
};

/// Words of recorded messages, from three files: doubles, other doubles, integers.
inline std::array<std::vector<uint32_t>, 3> recorded;

inline void read_recorded(int which, const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "%s: cannot be opened\n", path);
    std::exit(1);
  }
  uint32_t word;
  while (std::fread(&word, 4, 1, file) == 1) recorded[which].push_back(word);
  std::fclose(file);
}

/// The words of a packet, one after the other.
class word_stream {
 public:
  word_stream() = default;
  word_stream(payload kind, rng& random) : m_kind(kind), m_random(random.next()), m_at(m_random.next() >> 20) {
    if (kind >= payload::doubles) m_at = (m_at % recorded[static_cast<int>(kind) - 4].size()) & ~uint64_t(1);
  }
  uint32_t next() {
    switch (m_kind) {
      case payload::zero:
        return 0;
      case payload::random:
        return static_cast<uint32_t>(m_random.next() >> 32);
      case payload::small:
        return static_cast<uint32_t>(m_random.below(256) - 128);
      case payload::counter:
        return static_cast<uint32_t>(m_at++ & 0xFFFF);
      default: {
        const auto& words = recorded[static_cast<int>(m_kind) - 4];
        return words[m_at++ % words.size()];
      }
    }
  }

 private:
  payload m_kind = payload::zero;
  rng m_random;
  uint64_t m_at = 0;
};

/// Fields of the header, from the lowest: cut, codec, type, words, flits, source, destination.
struct header {
  uint32_t cut = 0, codec = 0, type = 0, words = 0, flits = 0, source = 0, destination = 0;
};
constexpr int HeaderBits = 102;

/// Bits of a bundle in each run; a word has one bit per run.
using bundle = std::vector<uint64_t>;

inline void put(bundle& bits, int first, int width, uint64_t number, uint64_t run) {
  for (int i = 0; i < width; i++) {
    uint64_t& word = bits[first + i];
    word = (number >> i & 1) != 0 ? word | run : word & ~run;
  }
}

inline void put_header(bundle& bits, int first, const header& h, uint64_t run) {
  const std::array<std::pair<uint32_t, int>, 8> fields = {{{h.cut, 6},
                                                           {h.codec, 2},
                                                           {h.type, 2},
                                                           {h.words, 24},
                                                           {h.flits, 24},
                                                           {h.source, 20},
                                                           {h.destination, 20},
                                                           {0, 4}}};
  for (const auto& [number, width] : fields) {
    put(bits, first, width, number, run);
    first += width;
  }
}

/// Flits, heads, and bits of valid flits that differ from those of the flit before, of a channel in each run.
struct channel_counter {
  bundle before;
  std::array<long, Runs> flits{}, heads{}, toggles{};

  /// BITS: the bundle, with valid at its highest bit and head below.
  void observe(const bundle& bits, bool counted) {
    const std::size_t width = bits.size();
    if (before.empty()) before.assign(width, 0);
    const uint64_t valid = bits[width - 1];
    for (std::size_t i = 0; i + 1 < width; i++) {
      uint64_t changed = (bits[i] ^ before[i]) & valid;
      before[i] ^= changed;
      if (counted) {
        for (; changed != 0; changed &= changed - 1) toggles[__builtin_ctzll(changed)]++;
      }
    }
    if (!counted) return;
    for (uint64_t left = valid; left != 0; left &= left - 1) flits[__builtin_ctzll(left)]++;
    for (uint64_t left = valid & bits[width - 2]; left != 0; left &= left - 1) heads[__builtin_ctzll(left)]++;
  }
};

inline void read_bundle(const circuit& gates, const std::vector<int>& nets, int first, bundle& bits) {
  for (std::size_t i = 0; i < bits.size(); i++) bits[i] = gates.value(nets[first + i]);
}

/// Sums of channels over the runs of a scenario.
inline void report(const char* name, const std::vector<channel_counter>& channels, int scenario) {
  long flits = 0, heads = 0, toggles = 0;
  for (const auto& channel : channels) {
    for (int run = scenario * RunsOfScenario; run < (scenario + 1) * RunsOfScenario; run++) {
      flits += channel.flits[run];
      heads += channel.heads[run];
      toggles += channel.toggles[run];
    }
  }
  std::printf(" %s_flit %ld %s_head %ld %s_toggle %ld", name, flits, name, heads, name, toggles);
}

/// A bench drives the inputs of a circuit and observes its outputs, cycle by cycle.
class bench {
 public:
  virtual ~bench() = default;
  virtual void drive(long cycle) = 0;
  virtual void observe(bool counted) = 0;
  virtual void print(int scenario) const = 0;
};

/// Parameters of the command line.
struct shape {
  int ports, vcs, depth, words, dimensions, nodes;
};

bench* make_router_bench(circuit& gates, const shape& s);
bench* make_nic_bench(circuit& gates, const shape& s, const std::string& part);

}  // namespace energy
