// SPDX-License-Identifier: Apache-2.0
/// Shared by the tests of the XOR decoder.
#pragma once

#include "levels/xor_packets.h"

#include "weft/pin/nic/xor_decoder.h"

namespace weft::pin {

template <unsigned K>
class xor_decoder_bench {
 public:
  explicit xor_decoder_bench(unsigned entries = 4, unsigned depth = 16)
      : dut("dut", {true, entries, depth, 0}), b(dut) {
    dut.flush_i(flush);
    b.base.start();
  }
  xor_decoder<32 * K> dut;
  stage_bench<K> b;
  sc_core::sc_signal<bool> flush{"flush"};

  cycle_t in(packet_id id, std::uint32_t sequence) const { return b.cycle_of(b.entered, id, sequence); }
  cycle_t out(packet_id id, std::uint32_t sequence) const { return b.cycle_of(b.left, id, sequence); }
  void accept(const packet_of<K>& packet) {
    b.send(packet);
    b.drain();
  }
};

}  // namespace weft::pin
