// SPDX-License-Identifier: Apache-2.0
/// The common part of the fuzz targets of compressor and decompressor. The pin-level module and the verilated RTL run
/// in lockstep (tests/lockstep/lockstep.h). SystemC elaborates once per process, so all inputs run on the same modules,
/// and a reset precedes each input.
///
/// An input has three parts. The first 8 bytes contain when the source may send (4 bytes) and when the sink is ready (4
/// bytes), as patterns that repeat every 32 cycles. Then there are other parameters of the stage, and packets up to the
/// end of the input.
#pragma once

#include "lockstep/lockstep.h"
#include "tb/fuzz/byte_source.h"
#include "tb/fuzz/finding.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <systemc>

#include "weft/core/bits.h"
#include "weft/core/coded_packet.h"
#include "weft/core/flit.h"

// A function of libFuzzer. libFuzzer's main() cannot be linked, because SystemC has one.
extern "C" int LLVMFuzzerRunDriver(int* argc, char*** argv,
                                   int (*one_input)(const std::uint8_t* data, std::size_t size));

namespace weft::fuzz {

/// A packet that leaves a stage, as expected or as observed.
struct result {
  travelling_packet packet;
  codec_error error = codec_error::None;
};

/// A pattern of cycles that repeats every 32 cycles.
class rhythm {
 public:
  explicit rhythm(std::uint32_t pattern) : m_pattern(pattern) {}
  bool next() {
    m_pattern = m_pattern >> 1 | m_pattern << 31;
    return m_pattern >> 31;
  }

 private:
  std::uint32_t m_pattern;
};

template <unsigned K, class Left, class Right>
class stage_fuzzer {
 public:
  using flit_t = flit<32 * K>;
  /// A packet to send, and the values of the congestion inputs while its head is offered.
  struct stimulus {
    travelling_packet packet;
    std::uint32_t received = 0, queue = 0;
  };

  lockstep::lockstep_bench<Left, Right> bench;

  stage_fuzzer(Left& systemc, Right& rtl)
      : bench("bench", systemc, rtl),
        m_flit_in(bench.input(systemc.flit_i, rtl.flit_i)),
        m_ready_in(bench.input(systemc.ready_i, rtl.ready_i)),
        m_received(bench.input(systemc.received_i, rtl.received_i)),
        m_queue(bench.input(systemc.queue_i, rtl.queue_i)),
        m_ready(bench.output(systemc.ready_o, rtl.ready_o)),
        m_flit_out(bench.output(systemc.flit_o, rtl.flit_o)),
        m_busy(bench.output(systemc.busy_o, rtl.busy_o)) {
    bench.on_cycle([this] { drive(); });
  }

  /// Sends the packets through both stages until both are idle. If the stages differ, or if a packet is not the
  /// expected one, reports a finding, which ends the process.
  void play(const std::vector<stimulus>& packets, const std::vector<result>& expected, std::uint32_t pauses,
            std::uint32_t stalls) {
    m_flits.clear();
    std::uint64_t most = 64;  // maximum number of cycles
    for (const stimulus& s : packets) {
      append(s);
      most += 3 * (s.packet.payload.size() + s.packet.header.words / K + 8);
    }
    for (const result& r : expected) most += r.packet.payload.size();
    most *= 9;
    m_at = 0;
    m_received_packets.clear();
    m_source = rhythm(pauses | Beat);
    m_sink = rhythm(stalls | Beat);
    m_idle_cycles = 0;
    m_flit_in.write({});
    m_ready_in.write(false);
    bench.reset();
    for (std::uint64_t cycle = 0; m_idle_cycles < IdleCycles; cycle += Chunk) {
      const std::string report = bench.run(Chunk);
      if (!report.empty()) found(report);
      if (cycle > most) found("the stage does not become empty");
    }
    check(expected);
  }

 private:
  static constexpr unsigned Chunk = 16;              // number of cycles between two checks of the state
  static constexpr std::uint32_t Beat = 0x01010101;  // minimum of a pattern: one cycle in 8
  static constexpr unsigned IdleCycles = 12;         // number of idle cycles at the end, which exceeds the longest
                                                     // latency

  struct offer {
    flit_t flit;
    std::uint32_t received, queue;
  };

  void append(const stimulus& s) {
    const auto& payload = s.packet.payload;
    for (std::size_t i = 0; i < payload.size() / K; ++i) {
      offer o{{}, s.received, s.queue};
      o.flit.valid = true;
      o.flit.head = i == 0;
      o.flit.tail = (i + 1) * K == payload.size();
      if (o.flit.head) put_header(o.flit, s.packet.header);
      word_row<K> words;
      std::copy_n(payload.begin() + static_cast<std::ptrdiff_t>(i * K), K, words.word);
      put_words(o.flit, words);
      o.flit.tag = flit_tag(static_cast<std::uint32_t>(m_next_id), static_cast<std::uint32_t>(i));
      m_flits.push_back(o);
    }
    ++m_next_id;
  }

  void drive() {
    if (m_flit_out.read().valid && m_ready_in.read()) accept(m_flit_out.read());
    const flit_t& offered = m_flit_in.read();
    if (offered.valid && m_ready.read()) ++m_at;
    const bool stalled = offered.valid && !m_ready.read();
    const bool more = m_at < m_flits.size();
    m_idle_cycles = more || m_busy.read() || m_flit_out.read().valid ? 0 : m_idle_cycles + 1;
    const bool offers = more && (stalled || m_source.next());
    if (offers) {
      m_received.write(m_flits[m_at].received);
      m_queue.write(m_flits[m_at].queue);
    }
    m_flit_in.write(offers ? m_flits[m_at].flit : flit_t());
    m_ready_in.write(m_sink.next());
  }

  void accept(const flit_t& f) {
    if (f.head) {
      m_received_packets.emplace_back();
      m_received_packets.back().packet.header = header_of(f);
    }
    if (m_received_packets.empty()) found("body flit before the first head flit");
    result& packet = m_received_packets.back();
    for (const std::uint32_t word : words_of(f).word) packet.packet.payload.push_back(word);
    packet.error = f.error;
  }

  void check(const std::vector<result>& expected) const {
    if (m_received_packets.size() != expected.size())
      found(std::to_string(m_received_packets.size()) + " packets left the stage, expected " +
            std::to_string(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string where = "packet " + std::to_string(i) + " differs from the result of weft/core: ";
      const result &is = m_received_packets[i], &should = expected[i];
      if (!(is.packet.header == should.packet.header)) found(where + "header");
      if (is.packet.payload != should.packet.payload) found(where + "payload");
      if (is.error != should.error) found(where + "error");
    }
  }

  sc_core::sc_signal<flit_t>& m_flit_in;
  sc_core::sc_signal<bool>& m_ready_in;
  sc_core::sc_signal<std::uint32_t>&m_received, &m_queue;
  sc_core::sc_signal<bool>& m_ready;
  sc_core::sc_signal<flit_t>& m_flit_out;
  sc_core::sc_signal<bool>& m_busy;

  std::vector<offer> m_flits;
  std::size_t m_at = 0;  // index of the next packet to offer
  packet_id m_next_id = 0;
  rhythm m_source{1}, m_sink{1};
  unsigned m_idle_cycles = 0;
  std::vector<result> m_received_packets;
};

/// The parameters of the stage, from compile definitions: words per flit (K), the code for integers, and the form of
/// LSB-cut.
inline constexpr unsigned Words = WEFT_FUZZ_WORDS;
inline codec_parameters stage_parameters() {
  codec_parameters parameters;
  parameters.classic = WEFT_FUZZ_CLASSIC;
  parameters.exact = WEFT_FUZZ_EXACT;
  return parameters;
}

/// Reads a message of at most \p most words: one byte with the number of words, then the words.
inline std::vector<std::uint32_t> read_message(byte_source& in, unsigned most) {
  return in.words(in.byte() % (most + 1));
}

}  // namespace weft::fuzz
