// SPDX-License-Identifier: Apache-2.0
/// Compressor: the stage in the send path of a NIC that sends the payload of a packet raw or coded, whichever is
/// shorter.
///
/// Purpose    Algorithm 1 (compression_selector) decides for each packet whether to encode it, and with which codec. A
///            packet to encode goes to the raw memory and, through encoder and packer, to the packed memory. When its
///            tail has been encoded, the packet leaves from the memory with the shorter form. Formats:
///            docs/03_reference/compression.md.
///
///                        +-> fpc_compressor ------+
///            flit_i -+---|                        |-> bit_packer -> packed memory -+
///                    |   +-> lsb_cut_compressor --+                                +-> output register -> flit_o
///                    +----> raw memory --------------------------------------------+                       ^
///                    +----> bypass ------------------------------------------------------------------------+
///
/// Latency    A raw packet bypasses an empty compressor in 0 cycles; behind other packets it is stored and takes at
///            least 2 cycles. If the tail of an encoded packet is accepted in cycle t, its head is on flit_o in t+4 if
///            no packet is ahead. Throughput: one flit per cycle in and out.
/// Handshake  flit_i/ready_o and flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and the
///            receiver is ready. During a bypass both streams are connected combinationally. ready_o depends on the
///            offered head; between packets it is 0 if no head is offered.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/core/selection.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/codec/bit_packer.h"
#include "weft/pin/codec/fpc_compressor.h"
#include "weft/pin/codec/lsb_cut_compressor.h"
#include "weft/pin/nic/compression_selector.h"
#include "weft/pin/nic/compressor_store.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"
#include "weft/pin/wire.h"

namespace weft::pin {

struct compressor_parameters {
  unsigned depth = 512;   ///< flits of each of the two memories: a power of two, 8…MaxCompressorFlits
  unsigned packets = 16;  ///< maximum number of packets inside: a power of two, 2…MaxCompressorPackets
  fpc_table table;
  bool classic = false;  ///< whether integers use the classic code instead of the table-based one
  bool exact = true;     ///< whether LSB-cut preserves zeros, denormals, infinities and NaNs
};

template <unsigned PayloadBits>
class compressor : public compressor_store<PayloadBits> {
  using base = compressor_store<PayloadBits>;

 public:
  using base::Words;
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
  in_port<std::uint8_t> cut_i{"cut_i"};  ///< bits that LSB-cut removes from each double, 0…MaxCut; sampled with the
                                         ///< head of each packet

  compressor(sc_core::sc_module_name module_name, const compressor_parameters& parameters)
      : base(module_name, parameters.depth, parameters.packets, parameters.classic),
        m_selector("compression_selector", Words, parameters.classic, parameters.depth),
        m_fpc("fpc_compressor", parameters.table, parameters.classic),
        m_lsb_cut("lsb_cut_compressor", parameters.exact),
        m_packer("bit_packer") {
    SC_HAS_PROCESS(compressor);
    WEFT_ASSERT(is_power_of_two(parameters.depth) && parameters.depth >= 8 && parameters.depth <= MaxCompressorFlits,
                "depth " << parameters.depth);
    WEFT_ASSERT(
        is_power_of_two(parameters.packets) && parameters.packets >= 2 && parameters.packets <= MaxCompressorPackets,
        parameters.packets << " packets");
    connect();
    SC_METHOD(present_head);
    this->sensitive << flit_i;
    SC_METHOD(join_chunks);
    this->sensitive << m_fpc_valid << m_fpc_chunk << m_fpc_last << m_lsb_cut_valid << m_lsb_cut_chunk << m_lsb_cut_last;
    SC_METHOD(combinational);
    this->sensitive << flit_i << ready_i << cut_i << m_selected << m_changed_q << m_path_q << m_choice_q << m_chosen_q
                    << m_cut_q << m_words_left_q << m_room_q << m_out_q;
    WEFT_START_CLOCKED_PROCESS;
    m_room_q.write(this->room());
  }

 private:
  WEFT_CLOCKED_PROCESS;

  using path = compressor_path;

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

    const auto encode = [this](auto& encoder, auto& valid) {
      encoder.clk_i(clk_i);
      encoder.rst_ni(rst_ni);
      encoder.valid_i(valid);
      encoder.words_i(m_encode_words);
      encoder.count_i(m_encode_count);
      encoder.last_i(m_encode_last);
    };
    encode(m_fpc, m_encode_fpc);
    m_fpc.valid_o(m_fpc_valid);
    m_fpc.chunk_o(m_fpc_chunk);
    m_fpc.last_o(m_fpc_last);
    encode(m_lsb_cut, m_encode_lsb_cut);
    m_lsb_cut.cut_i(m_encode_cut);
    m_lsb_cut.valid_o(m_lsb_cut_valid);
    m_lsb_cut.chunk_o(m_lsb_cut_chunk);
    m_lsb_cut.last_o(m_lsb_cut_last);

    m_packer.clk_i(clk_i);
    m_packer.rst_ni(rst_ni);
    m_packer.valid_i(m_packer_valid);
    m_packer.chunk_i(m_packer_chunk);
    m_packer.last_i(m_packer_last);
    m_packer.valid_o(m_packed_valid);
    m_packer.flits_o(m_packed_flits);
    m_packer.count_o(m_packed_count);
    m_packer.last_o(m_packed_last);
  }

  /// Connects the header on flit_i to the selector.
  void present_head() {
    const flit_t& in = flit_i.read();
    m_head_type.write(static_cast<std::uint8_t>(in.type));
    m_head_flits.write(in.flits);
    m_head_words.write(in.words);
    m_head_codec.write(static_cast<std::uint8_t>(in.codec));
  }

  /// Merges the chunks of the two encoders into one stream. At most one encoder has a chunk; the outputs of the other
  /// are 0.
  void join_chunks() {
    const bool from_lsb_cut = m_lsb_cut_valid.read();
    m_packer_valid.write(from_lsb_cut || m_fpc_valid.read());
    if (from_lsb_cut)
      m_packer_chunk.write(m_lsb_cut_chunk.read());
    else
      m_packer_chunk.write(m_fpc_chunk.read());
    m_packer_last.write(from_lsb_cut ? m_lsb_cut_last.read() : m_fpc_last.read());
  }

  bool empty() const {
    const compressor_room room = m_room_q.read();
    WEFT_VALUE(flit_t, out, m_out_q.read());
    return room.empty && !out.valid;
  }
  /// The path of the arriving packet, which its remaining flits follow; None between packets.
  path current_path() const { return static_cast<path>(m_path_q.read()); }

  /// The codec selected for the packet on flit_i. The selection is fixed in the first cycle in which the head is
  /// offered.
  codec choice() const {
    return static_cast<codec>(m_chosen_q.read() || current_path() != path::None ? m_choice_q.read()
                                                                                : m_selected.read());
  }

  path path_of(const flit_t& in) const {
    return current_path() != path::None ? current_path()
           : in.valid && in.head        ? path_for(choice(), empty())
                                        : path::None;
  }

  bool accepts(const flit_t& in, path p) const {
    const compressor_room room = m_room_q.read();
    // Body and tail flits need no check, because the head has reserved room for the whole packet.
    return p == path::Bypass
               ? ready_i.read()
               : current_path() != path::None || (p != path::None && room.is_for(in.flits, p == path::Encode));
  }

  /// Remaining words of the message, including the words in the flit on flit_i.
  std::uint32_t words_left(const flit_t& in) const { return in.head ? in.words : m_words_left_q.read(); }
  /// Number of words of the message in the flit on flit_i.
  std::uint32_t words_of_flit(const flit_t& in) const { return words_left(in) < Words ? words_left(in) : Words; }

  void combinational() {
    const flit_t& in = flit_i.read();
    const path p = path_of(in);
    const bool ready = accepts(in, p);
    ready_o.write(ready);
    if (p == path::Bypass)
      flit_o.write(in);
    else
      flit_o.write(m_out_q.read());

    const bool encode = in.valid && ready && p == path::Encode;
    const bool doubles = choice() == codec::LsbCut;
    m_encode_fpc.write(encode && !doubles);
    m_encode_lsb_cut.write(encode && doubles);
    word_row<Words> words;
    if (encode) words = words_of(in);
    m_encode_words.write(words);
    m_encode_count.write(encode ? static_cast<std::uint8_t>(words_of_flit(in)) : 0);
    m_encode_last.write(encode && in.tail);
    m_encode_cut.write(current_path() == path::None ? cut_i.read() : m_cut_q.read());
  }

  /// All parts read the registers of the ending cycle. Therefore the store outputs a flit before it stores the data of
  /// this cycle, which must not be visible yet.
  void step() {
    const flit_t& in = flit_i.read();
    const path p = path_of(in);
    const bool accepted = in.valid && accepts(in, p);
    WEFT_ASSERT(!in.valid || in.head == (current_path() == path::None),
                "head flit inside a packet, or body flit outside one: " << in);
    if (in.valid && in.head) {
      m_choice_q.write(static_cast<std::uint8_t>(choice()));
      m_chosen_q.write(!accepted);
    }
    flit_t out = m_out_q.read();
    if (!out.valid || ready_i.read()) out = this->fetch();
    if (m_packed_valid.read()) this->collect(m_packed_flits.read(), m_packed_count.read(), m_packed_last.read());
    if (accepted) accept(in, p);
    show(out, this->room());
  }

  void show(const flit_t& out, const compressor_room& room) {
    busy_o.write(!room.empty || out.valid);
    m_out_q.write(out);
    m_room_q.write(room);
    m_changed_q.toggle();
  }

  void reset() {
    m_path_q.write(static_cast<std::uint8_t>(path::None));
    m_choice_q.write(static_cast<std::uint8_t>(codec::Raw));
    m_chosen_q.write(false);
    m_cut_q.write(0);
    m_words_left_q.write(0);
    this->clear_packets();
    flit_t none;
    show(none, this->all_room());
  }

  /// Accepts a flit at the end of this cycle.
  void accept(const flit_t& in, path p) {
    m_path_q.write(static_cast<std::uint8_t>(in.tail ? path::None : p));
    m_words_left_q.write(words_left(in) - words_of_flit(in));
    if (p != path::Bypass) {
      if (in.head) {
        m_cut_q.write(cut_i.read());
        this->begin(in, p == path::Encode, cut_i.read());
      }
      check_length(in);
      this->store(in);
    }
  }

#ifndef WEFT_SYNTHESIS
  /// Checks the length in the header, from which the head has reserved room, against the number of flits.
  void check_length(const flit_t& in) {
    m_flits_left = in.head ? in.flits : m_flits_left;
    m_flits_left--;
    WEFT_ASSERT(in.tail == (m_flits_left == 0),
                "the length in the header differs from the length of the packet: " << in);
  }
  std::uint32_t m_flits_left = 0;
#else
  void check_length([[maybe_unused]] const flit_t& in) {}
#endif

  compression_selector m_selector;
  fpc_compressor<Words> m_fpc;
  lsb_cut_compressor<Words> m_lsb_cut;
  bit_packer<Words> m_packer;

  // The head at the selector, and the codec selected for it
  wire<std::uint8_t> m_head_type{"head_type"};
  wire<std::uint32_t> m_head_flits{"head_flits"};
  wire<std::uint32_t> m_head_words{"head_words"};
  wire<std::uint8_t> m_head_codec{"head_codec"};
  wire<std::uint8_t> m_selected{"selected"};
  // The flit at the inputs of the encoders
  wire<bool> m_encode_fpc{"encode_fpc"};
  wire<bool> m_encode_lsb_cut{"encode_lsb_cut"};
  wire<word_row<Words>> m_encode_words{"encode_words"};
  wire<std::uint8_t> m_encode_count{"encode_count"};
  wire<bool> m_encode_last{"encode_last"};
  wire<std::uint8_t> m_encode_cut{"encode_cut"};
  // Chunks from the encoders to the packer, and flits from the packer
  wire<bool> m_fpc_valid{"fpc_valid"};
  wire<chunk<Words>> m_fpc_chunk{"fpc_chunk"};
  wire<bool> m_fpc_last{"fpc_last"};
  wire<bool> m_lsb_cut_valid{"lsb_cut_valid"};
  wire<chunk<Words>> m_lsb_cut_chunk{"lsb_cut_chunk"};
  wire<bool> m_lsb_cut_last{"lsb_cut_last"};
  wire<bool> m_packer_valid{"packer_valid"};
  wire<chunk<Words>> m_packer_chunk{"packer_chunk"};
  wire<bool> m_packer_last{"packer_last"};
  wire<bool> m_packed_valid{"packed_valid"};
  wire<typename base::packed_flits> m_packed_flits{"packed_flits"};
  wire<std::uint8_t> m_packed_count{"packed_count"};
  wire<bool> m_packed_last{"packed_last"};

  // The arriving packet
  untraced_register<std::uint8_t> m_path_q{"path_q"};      // a compressor_path, see current_path()
  untraced_register<std::uint8_t> m_choice_q{"choice_q"};  // the codec selected for it
  untraced_register<bool> m_chosen_q{"chosen_q"};          // the codec is selected, but the head has not been accepted
                                                           // yet
  untraced_register<std::uint8_t> m_cut_q{"cut_q"};
  untraced_register<std::uint32_t> m_words_left_q{"words_left_q"};
  untraced_register<compressor_room> m_room_q{"room_q"};  // room in the store
  untraced_register<flit_t> m_out_q{"out_q"};
  untraced_change m_changed_q{"changed_q"};  // toggles with the registers; combinational() is sensitive to it
};

}  // namespace weft::pin
