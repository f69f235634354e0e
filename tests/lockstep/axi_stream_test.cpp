// SPDX-License-Identifier: Apache-2.0
/// The NIC with AXI4-Stream to its node, with and without spill registers. A delaying network returns what the NIC
/// injects. Every packet arrives as it was sent, and both streams comply with the protocol, whatever the other side
/// does.
#include "Vaxi_stream_nic_direct.h"
#include "Vaxi_stream_nic_spilled.h"
#include "lockstep/fixture.h"
#include "lockstep/stimuli.h"
#include "lockstep/streams.h"
#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "weft/core/members.h"
#include "weft/core/selection.h"
#include "weft/cosim/router_wires.h"
#include "weft/cosim/verilated.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t AxiCycles = 60'000;
constexpr unsigned AxiVcs = 4, AxiDepth = 8;  // of the channels in both directions
constexpr unsigned AxiMemory = 32;            // flits of the longest packet that is compressed

class lockstep_axi_stream : public lockstep_test {
 protected:
  using flit_t = flit<64>;
  using flit_wires = VlWide<6>;  // a flit between node and NIC: 3 bits, TUSER of 104, TDATA of 64

  static constexpr unsigned UserBits = tb::HeaderBits + tb::flit_layout::ErrorBits;

  /// A packet of integers with the number \p id as its source.
  std::vector<flit_t> any_packet(std::uint32_t id) {
    const std::uint32_t words = random.between(1, 30);
    std::vector<flit_t> flits((words + 1) / 2);
    for (std::uint32_t word = 0; word < words; ++word)
      flits[word / 2].payload[0] |=
          std::uint64_t{random.chance(0.8) ? random.between(0, 15) : static_cast<std::uint32_t>(random.bits())}
          << 32 * (word % 2);
    for (flit_t& f : flits) f.valid = true;
    flits.front().head = true;
    flits.back().tail = true;
    flit_t& h = flits.front();
    h.destination = random.between(0, 0xf'ffff);
    h.source = id;
    h.flits = static_cast<std::uint32_t>(flits.size());
    h.words = words;
    h.type = data_type::Int;
    return flits;
  }

  /// A packet with an inconsistent header, which no compressor accepts, or one that is coded but not decodable.
  travelling_packet odd_packet(std::uint32_t id) {
    travelling_packet packet;
    header& h = packet.header;
    h.destination = random.between(0, 0xf'ffff);
    h.source = id;
    h.type = static_cast<data_type>(random.between(0, 3));
    h.cut = static_cast<std::uint8_t>(random.between(0, MaxCut));
    h.flits = random.between(AxiMemory + 1, 0xff'ffff);
    h.codec = random.one_of({codec::Raw, codec::Fpc, codec::LsbCut});
    h.words = random.between(1, h.codec == codec::Raw ? 0xff'ffff : 60);  // words after decoding
    for (std::uint32_t word = 2 * random.between(1, 15); word > 0; --word)
      packet.payload.push_back(static_cast<std::uint32_t>(random.bits()));
    return packet;
  }

  /// The flits that the node receives for \p packet.
  static std::vector<flit_t> received(travelling_packet packet) {
    codec_error error = codec_error::None;
    if (packet.header.codec != codec::Raw) {
      decoded_message message = decode(packet.header, packet.payload, 2, codec_parameters());
      error = message.error;
      packet.payload = std::move(message.words);
      packet.payload.resize(packet.payload.size() + packet.payload.size() % 2);
      packet.header.flits = static_cast<std::uint32_t>(packet.payload.size() / 2);
      packet.header.codec = codec::Raw;
      packet.header.cut = 0;
    }
    std::vector<flit_t> flits = untagged(packet);
    flits.back().error = error;
    return flits;
  }

  static std::vector<flit_t> untagged(const travelling_packet& packet) {
    std::vector<flit_t> flits = flits_of<64>(packet, 0);
    for (flit_t& f : flits) f.tag = {};
    return flits;
  }

  template <class Model>
  void every_packet_arrives() {
    tb::verilated<Model> rtl("rtl", register_seed());
    rtl->mode_i = static_cast<unsigned>(selection_mode::Selective);
    rtl->length_threshold_i = 4;
    rtl->received_threshold_i = 0;
    rtl->queue_threshold_i = 0;
    rtl->cut_i = 0;
    rtl->flush_i = 0;
    const tb::flit_layout wires{2, false, 0, 1, 2};
    tb::flit_layout node_wires = wires;
    node_wires.path_id_bits = node_wires.vc_bits = 0;

    std::uint32_t next_id = 0;
    std::map<std::uint32_t, std::vector<flit_t>> under_way;
    stream_source<64> source(random, [&] {
      const std::uint32_t id = next_id++;
      if (random.chance(0.1)) {
        const travelling_packet packet = odd_packet(id);
        under_way[id] = received(packet);
        return untagged(packet);
      }
      return under_way[id] = any_packet(id);
    });
    stream_sink<64> sink(random);
    std::array<std::deque<flit_t>, AxiVcs> within;  // in the network
    std::array<unsigned, AxiVcs> credits{};
    credits.fill(AxiDepth);
    std::vector<flit_t> arriving;
    flit_t offered, shown, shown_before;
    std::array<bool, AxiVcs> open{};       // a packet is being injected there
    std::uint64_t accepted = 0, sent = 0;  // packets accepted from the node, and packets injected
    bool ready = false, was_accepted = false, stays = false, more = true;
    std::uint64_t arrived = 0, compressed = 0, wrong = 0;

    rtl->s_axis_tvalid_i = 0;
    tb::put_flit(rtl->flit_i, wires, 0, flit_t(), 0);
    tb::put_credit(rtl->credit_i, wires.vc_bits, 0, pin::credit());
    rtl->rst_ni = 0;
    rtl.settle();
    rtl.edge();
    rtl->rst_ni = 1;
    rtl.settle();
    for (std::uint64_t cycle = 0; more || !under_way.empty(); ++cycle) {
      ASSERT_LT(cycle, cycles(2 * AxiCycles)) << under_way.size() << " packets never arrive, " << seed_note();
      more = cycle < cycles(AxiCycles);
      if (random.chance(0.01)) {
        source.pause = pauses::any(random, 20);
        sink.pause = pauses::any(random, 60);
      }
      // Node.
      accepted += offered.valid && offered.tail && was_accepted;
      offered = source.drive(offered, was_accepted, more);
      ready = sink.drive(shown, ready) && (more || rtl->m_axis_tvalid_o != 0);  // at the end, ready only for valid
                                                                                // flits
      flit_wires bits;
      tb::put_flit(bits, node_wires, 0, offered, 0);
      rtl->s_axis_tvalid_i = offered.valid;
      rtl->s_axis_tlast_i = offered.tail;
      rtl->s_axis_tdata_i = tb::get_bits(bits, 0, 64);
      tb::put_bits(rtl->s_axis_tuser_i, 0, 64, tb::get_bits(bits, 64, 64));
      tb::put_bits(rtl->s_axis_tuser_i, 64, UserBits - 64, tb::get_bits(bits, 128, UserBits - 64));
      rtl->m_axis_tready_i = ready;
      // Network.
      std::uint64_t user = 0;
      const flit_t injected = tb::get_flit<64>(rtl->flit_o, wires, 0, user);
      if (injected.valid) {
        within[injected.vc].push_back(injected);
        ASSERT_NE(injected.head, open[injected.vc]) << "cycle " << cycle << ": not framed, " << seed_note();
        open[injected.vc] = !injected.tail;
        sent += injected.tail;
        compressed += injected.head && injected.codec != codec::Raw;
      }
      const pin::credit returned = tb::get_credit(rtl->credit_o, wires.vc_bits, 0);
      for_each_member(returned.vcs, [&](unsigned v) { ++credits[v]; });
      const unsigned vc = random.between(0, AxiVcs - 1);
      flit_t out;
      pin::credit back;
      if (!within[vc].empty() && credits[vc] != 0) {
        out = within[vc].front();
        within[vc].pop_front();
        --credits[vc];
        back = {1U << vc};
      }
      tb::put_flit(rtl->flit_i, wires, 0, out, 0);
      tb::put_credit(rtl->credit_i, wires.vc_bits, 0, back);
      rtl->tick_i = random.chance(0.01);
      rtl.settle();

      // Checks the node's output stream.
      tb::put_bits(bits, 0, 64, rtl->m_axis_tdata_o);
      tb::put_bits(bits, 64, 64, tb::get_bits(rtl->m_axis_tuser_o, 0, 64));
      tb::put_bits(bits, 128, UserBits - 64, tb::get_bits(rtl->m_axis_tuser_o, 64, UserBits - 64));
      tb::put_bits(bits, 64 + UserBits, 1, rtl->m_axis_tlast_o);
      tb::put_bits(bits, 64 + UserBits + 1, 1, arriving.empty());
      tb::put_bits(bits, 64 + UserBits + 2, 1, rtl->m_axis_tvalid_o);
      shown = tb::get_flit<64>(bits, node_wires, 0, user);
      if (stays) {
        ASSERT_EQ(shown, shown_before) << "cycle " << cycle << ": a transfer changed, " << seed_note();
      }
      ASSERT_TRUE(rtl->busy_o != 0 || (accepted == sent && !shown.valid)) << "cycle " << cycle << ", " << seed_note();
      was_accepted = rtl->s_axis_tready_o != 0;  // at the next edge
      stays = shown.valid && !ready;
      shown_before = shown;
      if (shown.valid && ready) {
        arriving.push_back(shown);
        if (shown.tail) {
          const std::uint32_t id = arriving.front().source;
          ASSERT_EQ(under_way.count(id), 1U) << "cycle " << cycle << ": packet " << id << ", " << seed_note();
          ASSERT_EQ(arriving, under_way[id]) << "cycle " << cycle << ": packet " << id << ", " << seed_note();
          under_way.erase(id);
          arriving.clear();
          ++arrived;
          wrong += shown.error != codec_error::None;
        }
      }
      rtl.edge();
    }
    EXPECT_GT(arrived, AxiCycles / 50);
    EXPECT_GT(compressed, arrived / 10);
    EXPECT_GT(wrong, arrived / 100);
    EXPECT_EQ(rtl->busy_o, 0U);
    EXPECT_GT(source.stalls, AxiCycles / 20);
    EXPECT_GT(sink.stalls, AxiCycles / 20);
  }
};

TEST_F(lockstep_axi_stream, delivers_every_packet_with_spill_registers) {
  every_packet_arrives<Vaxi_stream_nic_spilled>();
}
TEST_F(lockstep_axi_stream, delivers_every_packet_without_spill_registers) {
  every_packet_arrives<Vaxi_stream_nic_direct>();
}

}  // namespace
}  // namespace weft::lockstep
