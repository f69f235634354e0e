/// Compressor: the stage in the send path of a NIC that sends the payload of a packet in the shorter of its two forms.
///
/// Purpose    Algorithm 1 (compression_selector) chooses for each packet whether to try and with which codec. A packet
///            that is tried goes to the raw memory and, through encoder and packer, to the packed memory; with its tail
///            it is known which form is shorter, and that one leaves. docs/03_reference/compression.md has the formats.
///
///                        +-> fpc_compressor ------+
///            flit_i -+---|                        |-> bit_packer -> packed memory -+
///                    |   +-> lsb_cut_compressor --+                                +-> output register -> flit_o
///                    +----> raw memory --------------------------------------------+                       ^
///                    +----> bypass ------------------------------------------------------------------------+
///
/// Latency    Bypass (raw, and nothing within): 0. A stored head (raw, behind others): 2. Encoded: its tail taken in
///            cycle t, its head is on flit_o in t+4 if nothing is before it. One flit a cycle in and out.
/// Handshake  flit_i/ready_o and flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and the receiver
///            ready. In bypass both streams are one, combinationally. ready_o depends on the head that is offered; where
///            none is offered between packets it is 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <systemc>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/pin/check.h"
#include "weft/pin/codec/bit_packer.h"
#include "weft/pin/codec/fpc_compressor.h"
#include "weft/pin/codec/lsb_cut_compressor.h"
#include "weft/pin/nic/compression_selector.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/signals.h"

namespace weft::pin {

inline constexpr unsigned MaxCompressorPackets = 64;  ///< within a compressor

struct compressor_parameters {
  unsigned depth = 512;   ///< flits of each of the two memories: a power of two, 8…MaxCompressorFlits
  unsigned packets = 16;  ///< packets within: a power of two, 2…MaxCompressorPackets
  fpc_table table;
  bool classic = false;  ///< integers take the classic code in place of the table
  bool exact = true;     ///< LSB-cut keeps zeros, denormals, infinities and NaNs
};

template <unsigned PayloadBits>
class compressor : public packet_stage<PayloadBits> {
  using base = packet_stage<PayloadBits>;

 public:
  static constexpr unsigned Words = PayloadBits / 32;  ///< K
  static_assert(Words == 1 || Words == 2 || Words == 4 || Words == 8, "a flit of 1, 2, 4 or 8 words");
  using flit_t = typename base::flit_t;
  using base::busy_o;
  using base::clk_i;
  using base::flit_i;
  using base::flit_o;
  using base::name;
  using base::queue_i;
  using base::ready_i;
  using base::ready_o;
  using base::received_i;
  using base::rst_ni;

  in_port<std::uint8_t> mode_i{"mode_i"};  ///< a selection_mode
  in_port<std::uint32_t> length_threshold_i{"length_threshold_i"};
  in_port<std::uint32_t> received_threshold_i{"received_threshold_i"};
  in_port<std::uint32_t> queue_threshold_i{"queue_threshold_i"};
  in_port<std::uint8_t> cut_i{"cut_i"};  ///< bits that LSB-cut cuts off, 0…MaxCut; constant while busy

  compressor(sc_core::sc_module_name module_name, const compressor_parameters& parameters)
      : base(module_name),
        m_depth(parameters.depth),
        m_packets(parameters.packets),
        m_classic(parameters.classic),
        m_selector("compression_selector", Words, parameters.classic, parameters.depth),
        m_fpc("fpc_compressor", parameters.table, parameters.classic),
        m_lsb_cut("lsb_cut_compressor", parameters.exact),
        m_packer("bit_packer") {
    SC_HAS_PROCESS(compressor);
    WEFT_ASSERT(is_power_of_two(m_depth) && m_depth >= 8 && m_depth <= MaxCompressorFlits, "depth " << m_depth);
    WEFT_ASSERT(is_power_of_two(m_packets) && m_packets >= 2 && m_packets <= MaxCompressorPackets,
                m_packets << " packets");
    connect();
    SC_METHOD(present_head);
    this->sensitive << flit_i;
    SC_METHOD(join_chunks);
    this->sensitive << m_fpc_chunk.valid << m_fpc_chunk.bits << m_fpc_chunk.last << m_lsb_cut_chunk.valid
                    << m_lsb_cut_chunk.bits << m_lsb_cut_chunk.last;
    SC_METHOD(combinational);
    this->sensitive << flit_i << ready_i << m_selected << m_changed_q;
    SC_METHOD(clocked);
    this->sensitive << clk_i.pos() << rst_ni.neg();
  }

#ifndef WEFT_SYNTHESIS
  /// Packets that left coded, since reset.
  std::uint64_t packets_compressed() const { return m_packets_compressed; }
  /// Packets that were encoded and left raw, as that was not longer.
  std::uint64_t packets_lost() const { return m_packets_lost; }
  /// Of the packets that left coded: the words of their messages, and the words that they travel in.
  std::uint64_t words_in() const { return m_words_in; }
  std::uint64_t words_out() const { return m_words_out; }
#endif

 private:
  /// Which way the flits of a packet go.
  enum class way : std::uint8_t {
    None,    // no packet
    Bypass,  // combinationally to flit_o
    Store,   // to the raw memory
    Encode,  // to the raw memory and the encoder
  };

  struct descriptor {
    weft::header header;          // as it leaves, once done
    std::uint32_t raw_flits = 0;  // length of the raw form
    bool coded = false;           // leaves from the packed memory
    bool done = false;            // it is known which form leaves
    std::uint8_t vc = 0;
#ifndef WEFT_SYNTHESIS
    flit_tag tag;
#endif
  };

  using payload_t = flit_payload<Words>;

  /// A chunk between encoder and packer.
  struct chunk_wires {
    explicit chunk_wires(const std::string& name)
        : valid((name + "_valid").c_str()), bits((name + "_chunk").c_str()), last((name + "_last").c_str()) {}
    sc_core::sc_signal<bool> valid;
    sc_core::sc_signal<chunk<Words>> bits;
    sc_core::sc_signal<bool> last;
  };

  static constexpr bool is_power_of_two(unsigned n) { return n != 0 && (n & (n - 1)) == 0; }

  void connect() {
    m_selector.mode_i(mode_i);
    m_selector.type_i(m_head_type);
    m_selector.flits_i(m_head_flits);
    m_selector.words_i(m_head_words);
    m_selector.codec_i(m_head_codec);
    m_selector.received_i(received_i);
    m_selector.queue_i(queue_i);
    m_selector.length_threshold_i(length_threshold_i);
    m_selector.received_threshold_i(received_threshold_i);
    m_selector.queue_threshold_i(queue_threshold_i);
    m_selector.codec_o(m_selected);

    const auto encode = [this](auto& encoder, sc_core::sc_signal<bool>& valid, chunk_wires& out) {
      encoder.clk_i(clk_i);
      encoder.rst_ni(rst_ni);
      encoder.valid_i(valid);
      encoder.words_i(m_encode_words);
      encoder.count_i(m_encode_count);
      encoder.last_i(m_encode_last);
      encoder.valid_o(out.valid);
      encoder.chunk_o(out.bits);
      encoder.last_o(out.last);
    };
    encode(m_fpc, m_encode_fpc, m_fpc_chunk);
    encode(m_lsb_cut, m_encode_lsb_cut, m_lsb_cut_chunk);
    m_lsb_cut.cut_i(cut_i);

    m_packer.clk_i(clk_i);
    m_packer.rst_ni(rst_ni);
    m_packer.valid_i(m_chunk.valid);
    m_packer.chunk_i(m_chunk.bits);
    m_packer.last_i(m_chunk.last);
    m_packer.valid_o(m_packed_valid);
    m_packer.flits_o(m_packed_flits);
    m_packer.count_o(m_packed_count);
    m_packer.last_o(m_packed_last);
  }

  /// The header on flit_i goes to the selector.
  void present_head() {
    const header& h = flit_i.read().header;
    m_head_type.write(static_cast<std::uint8_t>(h.type));
    m_head_flits.write(h.flits);
    m_head_words.write(h.words);
    m_head_codec.write(static_cast<std::uint8_t>(h.codec));
  }

  /// One encoder has a chunk, or none; the other's outputs are 0.
  void join_chunks() {
    const chunk_wires& from = m_lsb_cut_chunk.valid.read() ? m_lsb_cut_chunk : m_fpc_chunk;
    m_chunk.valid.write(from.valid.read());
    m_chunk.bits.write(from.bits.read());
    m_chunk.last.write(from.last.read());
  }

  bool empty() const { return m_count_q == 0 && !m_out_q.valid; }

  /// The codec to try for the packet whose flit is on flit_i. The selector's choice holds from the cycle in which the head
  /// is offered first.
  codec choice() const {
    return m_chosen_q || m_way_q != way::None ? m_choice_q : static_cast<codec>(m_selected.read());
  }

  way way_of(const flit_t& in) const {
    if (m_way_q != way::None) return m_way_q;
    if (!in.valid || !in.head) return way::None;
    if (choice() != codec::Raw) return way::Encode;
    return empty() ? way::Bypass : way::Store;
  }

  bool accepts(const flit_t& in, way w) const {
    if (w == way::Bypass) return ready_i.read();
    if (m_way_q != way::None) return true;  // the head reserved room for all
    const std::uint32_t flits = in.header.flits;
    return w != way::None && m_count_q < m_packets && m_raw_used_q + flits <= m_depth &&
           (w == way::Store || m_packed_used_q + flits <= m_depth);
  }

  /// Words of the message that are left with the flit on flit_i.
  std::uint32_t words_left(const flit_t& in) const { return in.head ? in.header.words : m_words_left_q; }

  void combinational() {
    const flit_t& in = flit_i.read();
    const way w = way_of(in);
    const bool ready = accepts(in, w);
    ready_o.write(ready);
    flit_o.write(w == way::Bypass ? in : m_out_q);

    const bool encode = in.valid && ready && w == way::Encode;
    const bool doubles = choice() == codec::LsbCut;
    m_encode_fpc.write(encode && !doubles);
    m_encode_lsb_cut.write(encode && doubles);
    word_row<Words> words;
    if (encode) words.word = weft::words_of<Words>(in.payload);
    m_encode_words.write(words);
    m_encode_count.write(encode ? static_cast<std::uint8_t>(std::min(words_left(in), Words)) : 0);
    m_encode_last.write(encode && in.tail);
  }

  /// All parts look at the registers as they were in the cycle that ends: fetch() before what it must not see yet.
  void clocked() {
    if (!rst_ni.read()) {
      reset();
    } else {
      const flit_t& in = flit_i.read();
      const way w = way_of(in);
      const bool taken = in.valid && accepts(in, w);
      WEFT_ASSERT(!in.valid || in.head == (m_way_q == way::None), "the send path broke a packet: " << in);
      if (in.valid && in.head) {
        m_choice_q = choice();
        m_chosen_q = !taken;
      }
      if (!m_out_q.valid || ready_i.read()) fetch();
      if (m_packed_valid.read()) collect();
      if (taken) take(in, w);
    }
    busy_o.write(!empty());
    m_changed_q.write(!m_changed_q.read());
  }

  void reset() {
    m_way_q = way::None;
    m_choice_q = codec::Raw;
    m_chosen_q = false;
    m_words_left_q = 0;
    m_oldest_q = m_count_q = m_fetched_q = 0;
    m_raw_write_q = m_raw_read_q = m_raw_used_q = m_raw_held_q = 0;
    m_packed_write_q = m_packed_read_q = m_packed_used_q = m_packed_q = 0;
    m_out_q = flit_t();
#ifndef WEFT_SYNTHESIS
    m_packets_compressed = m_packets_lost = m_words_in = m_words_out = 0;
#endif
  }

  descriptor& nth(unsigned n) { return m_descriptor_q[(m_oldest_q + n) % m_packets]; }

  /// A flit comes in at the end of this cycle.
  void take(const flit_t& in, way w) {
    m_way_q = in.tail ? way::None : w;
    m_words_left_q = words_left(in) - std::min(words_left(in), Words);
    if (w == way::Bypass) return;
    if (in.head) {
      descriptor& d = nth(m_count_q++);
      d = descriptor();
      d.header = in.header;
      d.raw_flits = in.header.flits;
      d.done = w == way::Store;
      d.vc = in.vc;
#ifndef WEFT_SYNTHESIS
      d.tag = in.tag;
#endif
      m_raw_used_q += d.raw_flits;
      if (w == way::Encode) m_packed_used_q += d.raw_flits;
    }
    check_length(in);
    m_raw[m_raw_write_q] = in.payload;
    m_raw_write_q = (m_raw_write_q + 1) % m_depth;
    m_raw_held_q++;
  }

  /// The packer's flits go to the packed memory as long as they make the packet shorter; with the last of a packet it is
  /// known which form leaves.
  void collect() {
    unsigned n = 0;
    while (nth(n).done) ++n;
    descriptor& d = nth(n);
    const word_row<MaxPacked* Words>& flits = m_packed_flits.read();
    for (unsigned j = 0; j < m_packed_count.read() && m_packed_q + j + 1 < d.raw_flits; ++j) {
      flit_words<Words> words;
      std::copy_n(flits.word.begin() + j * Words, Words, words.begin());
      m_packed[(m_packed_write_q + m_packed_q + j) % m_depth] = weft::payload_of<Words>(words);
    }
    m_packed_q += m_packed_count.read();
    if (m_packed_last.read()) decide(d);
  }

  void decide(descriptor& d) {
    const std::uint32_t total = m_packed_q;
    d.done = true;
    d.coded = total < d.raw_flits;
    if (d.coded) {
      d.header.flits = total;
      d.header.codec = codec_for(d.header.type, m_classic);
      d.header.cut = d.header.codec == codec::LsbCut ? cut_i.read() : 0;
      m_packed_used_q -= d.raw_flits - total;
      m_packed_write_q = (m_packed_write_q + total) % m_depth;
    } else {
      m_packed_used_q -= d.raw_flits;
    }
    m_packed_q = 0;
#ifndef WEFT_SYNTHESIS
    (d.coded ? m_packets_compressed : m_packets_lost)++;
    if (d.coded) m_words_in += d.header.words;
    if (d.coded) m_words_out += std::uint64_t{total} * Words;
#endif
  }

  /// The next flit of the oldest packet, if there is one, goes to the output register.
  void fetch() {
    m_out_q = flit_t();
    if (m_count_q == 0) return;
    const descriptor& d = nth(0);
    if (!d.done || (!d.coded && m_raw_held_q == 0)) return;

    m_out_q.valid = true;
    m_out_q.head = m_fetched_q == 0;
    m_out_q.tail = m_fetched_q + 1 == d.header.flits;
    m_out_q.vc = d.vc;
    if (m_out_q.head) m_out_q.header = d.header;
#ifndef WEFT_SYNTHESIS
    m_out_q.tag = d.tag;
    m_out_q.tag.sequence = m_fetched_q;
#endif
    if (d.coded) {
      m_out_q.payload = m_packed[m_packed_read_q];
      m_packed_read_q = (m_packed_read_q + 1) % m_depth;
      m_packed_used_q--;
      if (m_out_q.head) release_raw(d.raw_flits);
    } else {
      m_out_q.payload = m_raw[m_raw_read_q];
      release_raw(1);
    }
    m_fetched_q++;
    if (!m_out_q.tail) return;
    m_fetched_q = 0;
    m_oldest_q = (m_oldest_q + 1) % m_packets;
    m_count_q--;
  }

  void release_raw(std::uint32_t flits) {
    m_raw_read_q = (m_raw_read_q + flits) % m_depth;
    m_raw_used_q -= flits;
    m_raw_held_q -= flits;
  }

#ifndef WEFT_SYNTHESIS
  /// Room was reserved by the header, so it must tell the truth.
  void check_length(const flit_t& in) {
    m_flits_left = in.head ? in.header.flits : m_flits_left;
    m_flits_left--;
    WEFT_ASSERT(in.tail == (m_flits_left == 0), "the header gives another length than the packet has: " << in);
  }
  std::uint32_t m_flits_left = 0;
#else
  void check_length(const flit_t&) {}
#endif

  static constexpr unsigned MaxPacked = bit_packer<Words>::MaxFlits;

  const unsigned m_depth;
  const unsigned m_packets;
  const bool m_classic;

  compression_selector m_selector;
  fpc_compressor<Words> m_fpc;
  lsb_cut_compressor<Words> m_lsb_cut;
  bit_packer<Words> m_packer;

  // The head to the selector, and its answer
  sc_core::sc_signal<std::uint8_t> m_head_type{"head_type"};
  sc_core::sc_signal<std::uint32_t> m_head_flits{"head_flits"};
  sc_core::sc_signal<std::uint32_t> m_head_words{"head_words"};
  sc_core::sc_signal<std::uint8_t> m_head_codec{"head_codec"};
  sc_core::sc_signal<std::uint8_t> m_selected{"selected"};
  // A flit to the encoders
  sc_core::sc_signal<bool> m_encode_fpc{"encode_fpc"};
  sc_core::sc_signal<bool> m_encode_lsb_cut{"encode_lsb_cut"};
  sc_core::sc_signal<word_row<Words>> m_encode_words{"encode_words"};
  sc_core::sc_signal<std::uint8_t> m_encode_count{"encode_count"};
  sc_core::sc_signal<bool> m_encode_last{"encode_last"};
  // Chunks from the encoders and to the packer, flits from the packer
  chunk_wires m_fpc_chunk{"fpc"};
  chunk_wires m_lsb_cut_chunk{"lsb_cut"};
  chunk_wires m_chunk{"packer"};
  sc_core::sc_signal<bool> m_packed_valid{"packed_valid"};
  sc_core::sc_signal<word_row<MaxPacked * Words>> m_packed_flits{"packed_flits"};
  sc_core::sc_signal<std::uint8_t> m_packed_count{"packed_count"};
  sc_core::sc_signal<bool> m_packed_last{"packed_last"};

  // The packet that comes in
  way m_way_q = way::None;        // of its flits after the head; None between packets
  codec m_choice_q = codec::Raw;  // its codec…
  bool m_chosen_q = false;        // …while its head is offered and not taken
  std::uint32_t m_words_left_q = 0;
  // Packets within
  std::array<descriptor, MaxCompressorPackets> m_descriptor_q;  // a ring of m_packets…
  unsigned m_oldest_q = 0;                                      // …that begins here…
  unsigned m_count_q = 0;                                       // …and has so many
  std::uint32_t m_fetched_q = 0;                                // flits of the oldest that have been fetched
  // Memories, without initial contents: nothing is read that was not written. A ring of m_depth flits each.
  std::array<payload_t, MaxCompressorFlits> m_raw;
  std::array<payload_t, MaxCompressorFlits> m_packed;
  unsigned m_raw_write_q = 0;
  unsigned m_raw_read_q = 0;
  unsigned m_raw_used_q = 0;      // flits reserved…
  unsigned m_raw_held_q = 0;      // …and of these written
  unsigned m_packed_write_q = 0;  // where the packet that is being encoded begins
  unsigned m_packed_read_q = 0;
  unsigned m_packed_used_q = 0;  // flits reserved
  std::uint32_t m_packed_q = 0;  // flits that the packer has made of this packet
  flit_t m_out_q;
  register_signal<bool> m_changed_q{"changed_q"};  // toggles with the registers, for combinational()
#ifndef WEFT_SYNTHESIS
  std::uint64_t m_packets_compressed = 0, m_packets_lost = 0, m_words_in = 0, m_words_out = 0;
#endif
};

}  // namespace weft::pin
