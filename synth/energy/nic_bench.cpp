// SPDX-License-Identifier: Apache-2.0
/// Benches of the parts of a NIC: injector, ejector, and the stages with streams of packets.
#include "sender.h"
#include "traffic.h"
#include <memory>

namespace energy {

namespace {

constexpr int CodeBits = 105;
constexpr double Accept = 0.9;  // probability that the receiver of a stream is ready

/// The injector: offered packets from the node, flits and credits of the router.
class injector_bench final : public bench {
 public:
  injector_bench(circuit& gates, const shape& s) : m_gates(gates), m_shape(s), m_vc_bits(bits_of(s.vcs)) {
    m_offer.assign(3 + HeaderBits + 2 + 32 * s.words, 0);
    m_credit.assign(1 + m_vc_bits, 0);
    m_flit.assign(m_offer.size() + m_vc_bits + 1, 0);
    for (int run = 0; run < Runs; run++) {
      m_random[run] = rng(run + 1);
      m_ports.emplace_back(s.vcs, s.depth);
    }
  }

  void drive(long cycle) override {
    const int width = static_cast<int>(m_offer.size());
    for (int run = 0; run < Runs; run++) {
      const scenario& kind = scenario_of(run);
      const uint64_t bit = uint64_t(1) << run;
      auto& waiting = m_ports[run].waiting;
      if (m_random[run].unit() < kind.load / kind.length && waiting.size() < 64) {
        waiting.push_back(make_packet(kind, m_shape.words, 9, m_random[run].below(64), m_random[run]));
      }
      m_ports[run].free_slot(m_credit, cycle, m_random[run], bit);
      if ((m_stalled >> run & 1) != 0) continue;
      put(m_offer, width - 1, 1, waiting.empty() ? 0 : 1, bit);
      if (waiting.empty()) continue;
      packet& p = waiting.front();
      put_data(m_offer, p, m_shape.words, bit);
      put(m_offer, width - 3, 2, (p.head ? 2 : 0) | (p.left == 1 ? 1 : 0), bit);
      p.head = false;
      if (--p.left == 0) waiting.pop_front();
    }
    const auto& flit = m_gates.port("flit_i");
    const auto& credit = m_gates.port("credit_i");
    for (int i = 0; i < width; i++) m_gates.set(flit[i], m_offer[i]);
    for (int i = 0; i <= m_vc_bits; i++) m_gates.set(credit[i], m_credit[i]);
    m_cycle = cycle;
  }

  void observe(bool counted) override {
    m_stalled = m_offer.back() & ~m_gates.value(m_gates.port("ready_o")[0]);
    read_bundle(m_gates, m_gates.port("flit_o"), 0, m_flit);
    m_channel[0].observe(m_flit, counted);
    const int width = static_cast<int>(m_flit.size());
    for (uint64_t left = m_flit.back(); left != 0; left &= left - 1) {
      const int run = __builtin_ctzll(left);
      m_ports[run].held.emplace_back(m_cycle + Return, number(m_flit, width - 3 - m_vc_bits, m_vc_bits, run));
    }
  }

  void print(int scenario) const override { report("out", m_channel, scenario); }

 private:
  circuit& m_gates;
  shape m_shape;
  int m_vc_bits;
  long m_cycle = 0;
  uint64_t m_stalled = 0;
  bundle m_offer, m_credit, m_flit;
  std::vector<channel_counter> m_channel = std::vector<channel_counter>(1);
  std::array<rng, Runs> m_random;
  std::vector<port_state> m_ports;
};

/// The ejector: flits and credits of the router, and a receiver that is ready in most cycles.
class ejector_bench final : public bench {
 public:
  ejector_bench(circuit& gates, const shape& s) : m_gates(gates), m_shape(s), m_vc_bits(bits_of(s.vcs)) {
    m_flit.assign(3 + m_vc_bits + 1 + HeaderBits + 2 + 32 * s.words, 0);
    for (int run = 0; run < Runs; run++) {
      m_random[run] = rng(run + 1);
      m_ports.emplace_back(s.vcs, s.depth);
    }
  }

  void drive(long) override {
    uint64_t ready = 0;
    for (int run = 0; run < Runs; run++) {
      const scenario& kind = scenario_of(run);
      const uint64_t bit = uint64_t(1) << run;
      if (m_random[run].unit() < kind.load / kind.length && m_ports[run].waiting.size() < 64) {
        m_ports[run].waiting.push_back(make_packet(kind, m_shape.words, m_random[run].below(64), 9, m_random[run]));
      }
      m_ports[run].send(m_flit, kind, m_shape.words, bit);
      if (m_random[run].unit() < Accept) ready |= bit;
    }
    const auto& flit = m_gates.port("flit_i");
    for (std::size_t i = 0; i < m_flit.size(); i++) m_gates.set(flit[i], m_flit[i]);
    m_gates.set(m_gates.port("ready_i")[0], ready);
  }

  void observe(bool counted) override {
    m_channel[0].observe(m_flit, counted);
    bundle credit(1 + m_vc_bits);
    read_bundle(m_gates, m_gates.port("credit_o"), 0, credit);
    for (uint64_t left = credit.back(); left != 0; left &= left - 1) {
      const int run = __builtin_ctzll(left);
      m_ports[run].credits[number(credit, 0, m_vc_bits, run)]++;
    }
  }

  void print(int scenario) const override { report("out", m_channel, scenario); }

 private:
  circuit& m_gates;
  shape m_shape;
  int m_vc_bits;
  bundle m_flit;
  std::vector<channel_counter> m_channel = std::vector<channel_counter>(1);
  std::array<rng, Runs> m_random;
  std::vector<port_state> m_ports;
};

/// A flit of a stream: as the wires of a stage.
struct stream_flit {
  bool head, tail;
  header fields;
  std::array<uint32_t, 6> code;  // role, name, words, uses of the first and name, words of the second datum
  std::vector<uint32_t> words;
};

/// A stage: a stream of packets in, a stream of packets out.
class stage_bench final : public bench {
 public:
  stage_bench(circuit& gates, const shape& s, std::string part) : m_gates(gates), m_shape(s), m_part(std::move(part)) {
    for (int run = 0; run < Runs; run++) m_random[run] = rng(run + 1);
    if (m_part == "compressor") {
      m_gates.set_constant("mode_i", 1);
      m_gates.set_constant("cut_i", 20);
    }
    if (m_part == "decompressor") read_coded();
  }
  ~stage_bench() override {
    if (m_part == "compressor") write_coded();
  }

  void drive(long) override {
    uint64_t ready = 0;
    for (int run = 0; run < Runs; run++) {
      if (m_random[run].unit() < Accept) ready |= uint64_t(1) << run;
      if ((m_stalled >> run & 1) == 0) offer(run);
    }
    m_gates.set(m_gates.port("flit_valid_i")[0], m_valid);
    m_gates.set(m_gates.port("flit_head_i")[0], m_head);
    m_gates.set(m_gates.port("flit_tail_i")[0], m_tail);
    set("flit_header_i", m_header);
    set("flit_payload_i", m_payload);
    if (m_gates.has("flit_code_i")) set("flit_code_i", m_code);
    m_gates.set(m_gates.port("ready_i")[0], ready);
    m_ready = ready;
  }

  void observe(bool counted) override {
    const uint64_t accepted = m_valid & m_gates.value(m_gates.port("ready_o")[0]);
    m_stalled = m_valid & ~accepted;
    const uint64_t sent = m_ready & m_gates.value(m_gates.port("flit_valid_o")[0]);
    for (int run = 0; run < Runs; run++) {
      const uint64_t bit = uint64_t(1) << run;
      const bool tail = (accepted & m_tail & bit) != 0;
      if (counted && (accepted & bit) != 0) {
        m_words[run] += m_shape.words;
        m_packets[run] += tail ? 1 : 0;
      }
      if (m_part == "decompressor" && (accepted & m_head & bit) != 0) {
        m_raw[run].push_back(number(m_header, 6, 2, run) == 0);
      }
      if ((sent & bit) == 0) continue;
      if (m_part == "decompressor") {
        if (counted) (m_raw[run].front() ? m_raw_words : m_out_words)[run] += m_shape.words;
        if ((m_gates.value(m_gates.port("flit_tail_o")[0]) & bit) != 0) m_raw[run].pop_front();
      }
      if (m_part == "compressor") keep(run);
    }
  }

  /// `word`: words that arrive, or that the decompressor has decoded; `raw`: those that pass it unchanged.
  void print(int scenario) const override {
    long words = 0, packets = 0, raw = 0;
    for (int run = scenario * RunsOfScenario; run < (scenario + 1) * RunsOfScenario; run++) {
      words += m_part == "decompressor" ? m_out_words[run] : m_words[run];
      packets += m_packets[run];
      raw += m_raw_words[run];
    }
    std::printf(" word %ld packet %ld raw %ld", words, packets, raw);
  }

 private:
  void set(const char* port, const bundle& bits) {
    const auto& nets = m_gates.port(port);
    for (std::size_t i = 0; i < nets.size() && i < bits.size(); i++) m_gates.set(nets[i], bits[i]);
  }

  /// The packets of a scenario; to the XOR stages also their roles and names.
  void make(int run) {
    const scenario& kind = scenario_of(run);
    scenario longer = kind;
    longer.length = std::max(kind.length, 2);
    packet p = make_packet(longer, m_shape.words, 9, m_random[run].below(64), m_random[run]);
    const uint32_t turn = m_turn[run]++, name = turn & 0xFFFFF;
    std::array<uint32_t, 6> code = {0, name, p.fields.words, 0, 0, 0};
    if (m_part == "xor_encoder") code[0] = turn % 4 == 0 ? 2 : 3;
    if (m_part == "xor_decoder") {
      code[0] = turn % 2;  // a plain datum with one use, then a coded packet that contains it
      code[3] = turn % 2 == 0 ? 1 : 0;
      code[1] = turn % 2 == 0 ? name : name - 1;
      code[4] = turn % 2 == 0 ? 0 : name;
      code[5] = p.fields.words;
      if (turn % 2 == 1) code[3] = 1;
    }
    for (; p.left > 0; p.left--, p.head = false) {
      stream_flit flit{p.head, p.left == 1, p.fields, code, {}};
      for (int w = 0; w < m_shape.words; w++) flit.words.push_back(p.words.next());
      m_waiting[run].push_back(flit);
    }
  }

  void offer(int run) {
    const scenario& kind = scenario_of(run);
    auto& waiting = m_waiting[run];
    const uint64_t bit = uint64_t(1) << run;
    if (m_part == "decompressor") {
      if (waiting.empty() && m_next[run] < m_coded[run].size() && m_random[run].unit() < std::max(kind.load, 0.05)) {
        do waiting.push_back(m_coded[run][m_next[run]++]);
        while (!waiting.back().tail && m_next[run] < m_coded[run].size());
      }
    } else if (m_random[run].unit() < kind.load / kind.length && waiting.size() < 64) {
      make(run);
    }
    m_valid = waiting.empty() ? m_valid & ~bit : m_valid | bit;
    if (waiting.empty()) return;
    const stream_flit& flit = waiting.front();
    m_head = flit.head ? m_head | bit : m_head & ~bit;
    m_tail = flit.tail ? m_tail | bit : m_tail & ~bit;
    put_header(m_header, 0, flit.head ? flit.fields : header(), bit);
    for (int w = 0; w < m_shape.words; w++) put(m_payload, 32 * w, 32, flit.words[w], bit);
    const uint32_t present = flit.head ? ~0U : 0;
    put(m_code, 102, 3, flit.code[0] & present, bit);
    put(m_code, 80, 20, flit.code[1] & present, bit);
    put(m_code, 56, 24, flit.code[2] & present, bit);
    put(m_code, 52, 4, flit.code[3] & present, bit);
    put(m_code, 30, 20, flit.code[4] & present, bit);
    put(m_code, 6, 24, flit.code[5] & present, bit);
    waiting.pop_front();
  }

  uint32_t field(const char* port, int first, int width, int run) const {
    const auto& nets = m_gates.port(port);
    uint32_t found = 0;
    for (int i = 0; i < width; i++) found |= static_cast<uint32_t>(m_gates.value(nets[first + i]) >> run & 1) << i;
    return found;
  }

  /// Keeps a flit that the compressor sends, for the decompressor.
  void keep(int run) {
    stream_flit flit{field("flit_head_o", 0, 1, run) != 0, field("flit_tail_o", 0, 1, run) != 0, {}, {}, {}};
    flit.fields = {field("flit_header_o", 0, 6, run),   field("flit_header_o", 6, 2, run),
                   field("flit_header_o", 8, 2, run),   field("flit_header_o", 10, 24, run),
                   field("flit_header_o", 34, 24, run), field("flit_header_o", 58, 20, run),
                   field("flit_header_o", 78, 20, run)};
    for (int w = 0; w < m_shape.words; w++) flit.words.push_back(field("flit_payload_o", 32 * w, 32, run));
    m_coded[run].push_back(flit);
  }

  std::string coded_path() const { return "coded_" + std::to_string(m_shape.words); }

  void write_coded() const {
    std::FILE* file = std::fopen(coded_path().c_str(), "wb");
    for (const auto& flits : m_coded) {
      const uint32_t count = flits.size();
      std::fwrite(&count, 4, 1, file);
      for (const auto& flit : flits) {
        const uint32_t marks = (flit.head ? 2 : 0) | (flit.tail ? 1 : 0);
        std::fwrite(&marks, 4, 1, file);
        std::fwrite(&flit.fields, sizeof flit.fields, 1, file);
        std::fwrite(flit.words.data(), 4, m_shape.words, file);
      }
    }
    std::fclose(file);
  }

  void read_coded() {
    std::FILE* file = std::fopen(coded_path().c_str(), "rb");
    if (file == nullptr) {
      std::fprintf(stderr, "%s does not exist: simulate the compressor first\n", coded_path().c_str());
      std::exit(1);
    }
    for (auto& flits : m_coded) {
      uint32_t count = 0, marks = 0;
      if (std::fread(&count, 4, 1, file) != 1) break;
      for (uint32_t i = 0; i < count && std::fread(&marks, 4, 1, file) == 1; i++) {
        stream_flit flit{(marks & 2) != 0, (marks & 1) != 0, {}, {}, std::vector<uint32_t>(m_shape.words)};
        if (std::fread(&flit.fields, sizeof flit.fields, 1, file) != 1) break;
        if (std::fread(flit.words.data(), 4, m_shape.words, file) != static_cast<std::size_t>(m_shape.words)) break;
        flits.push_back(flit);
      }
    }
    std::fclose(file);
  }

  circuit& m_gates;
  shape m_shape;
  std::string m_part;
  uint64_t m_valid = 0, m_head = 0, m_tail = 0, m_ready = 0, m_stalled = 0;
  bundle m_header = bundle(HeaderBits, 0), m_payload = bundle(32 * 8, 0), m_code = bundle(CodeBits, 0);
  std::array<rng, Runs> m_random;
  std::array<std::deque<stream_flit>, Runs> m_waiting;
  std::array<std::vector<stream_flit>, Runs> m_coded;
  std::array<std::size_t, Runs> m_next{};
  std::array<uint32_t, Runs> m_turn{};
  std::array<long, Runs> m_words{}, m_out_words{}, m_raw_words{}, m_packets{};
  std::array<std::deque<bool>, Runs> m_raw;  // of the packets inside: whether they are not coded
};

}  // namespace

bench* make_nic_bench(circuit& gates, const shape& s, const std::string& part) {
  if (part == "injector") return new injector_bench(gates, s);
  if (part == "ejector") return new ejector_bench(gates, s);
  return new stage_bench(gates, s, part);
}

}  // namespace energy
