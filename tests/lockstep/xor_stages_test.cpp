// SPDX-License-Identifier: Apache-2.0
/// The XOR stages: SystemC against RTL, with gaps and stalls on both sides and a reset between the parts of a run. What
/// comes out is judged by whole packets too, so that two equal mistakes show.
#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/stimuli.h"
#include "lockstep/streams.h"
#include "lockstep/variants.h"
#include "tb/verilated_xor.h"
#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "weft/pin/nic/xor_decoder.h"
#include "weft/pin/nic/xor_encoder.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t StageCycles = 300'000;

/// A datum as the senders of a test know it.
struct known_datum {
  xor_datum datum;
  std::vector<std::uint32_t> payload;  // whole flits, zeros behind the last word
};

known_datum any_datum(dice& random, std::uint32_t name, unsigned k, std::uint32_t most_flits) {
  known_datum d;
  const std::uint32_t flits = random.between(1, most_flits);
  d.datum.name = name;
  d.datum.words = flits == 1 && random.chance(0.1) ? 0 : k * flits - random.between(0, k - 1);
  d.datum.type = random.one_of({data_type::Int, data_type::Int, data_type::Double, data_type::Other});
  d.payload.resize(std::size_t{k} * flits);
  for (std::uint32_t i = 0; i < d.datum.words; ++i) d.payload[i] = static_cast<std::uint32_t>(random.bits());
  return d;
}

/// Most flits of a packet that need not fit in: now and then very many.
std::uint32_t any_length(dice& random, unsigned depth) { return random.chance(0.05) ? 16 * depth : depth + depth / 2; }

/// The packet of one datum, with any addresses.
travelling_packet packet_of(const known_datum& d, unsigned k, dice& random) {
  travelling_packet packet;
  packet.payload = d.payload;
  packet.header = {random.between(0, 0xf'ffff),
                   random.between(0, 0xf'ffff),
                   static_cast<std::uint32_t>(d.payload.size() / k),
                   d.datum.words,
                   d.datum.type,
                   codec::Raw,
                   0};
  packet.header.message_class = static_cast<std::uint8_t>(random.between(0, MaxVcs - 1));
  packet.header.first = datum_bits(d.datum);
  return packet;
}

/// \p packet, of the second datum, with the first one joined to it.
travelling_packet joined(const known_datum& first, travelling_packet packet, unsigned k) {
  const xor_datum second = datum_of(packet.header.first);
  packet.payload.resize(std::max(first.payload.size(), packet.payload.size()));
  for (std::size_t i = 0; i < first.payload.size(); ++i) packet.payload[i] ^= first.payload[i];
  packet.header.flits = static_cast<std::uint32_t>(packet.payload.size() / k);
  packet.header.words = std::max(first.datum.words, second.words);
  packet.header.type = xor_type(first.datum.type, second.type);
  packet.header.role = xor_role::Coded;
  packet.header.first = datum_bits(first.datum);
  packet.header.second = datum_bits(second);
  return packet;
}

template <unsigned PayloadBits>
flit<PayloadBits> without_tag(flit<PayloadBits> f) {
  f.tag = {};
  return f;
}

/// Names that do not come again within a part of a run.
class names {
 public:
  explicit names(dice& random) : m_next(random.between(0, 0xf'ffff)) {}
  std::uint32_t next() { return m_next = (m_next + 0x6'5432 + 1) & 0xf'ffff; }  // odd: all names in turn

 private:
  std::uint32_t m_next;
};

/// A bench with a XOR stage in both descriptions, and the wires of its pins.
template <unsigned PayloadBits, template <unsigned> class Stage, class Pins>
struct xor_wires {
  xor_wires(Stage<PayloadBits>& systemc, Pins& rtl)
      : bench("bench", systemc, rtl),
        flit_in(bench.input(systemc.flit_i, rtl.flit_i)),
        ready_in(bench.input(systemc.ready_i, rtl.ready_i)),
        ready(bench.output(systemc.ready_o, rtl.ready_o, [this] { return flit_in.read().valid; })),
        flit_out(bench.output(systemc.flit_o, rtl.flit_o, nullptr, without_tag<PayloadBits>)),
        busy(bench.output(systemc.busy_o, rtl.busy_o)) {
    bench.input(systemc.received_i, rtl.received_i);
    bench.input(systemc.queue_i, rtl.queue_i);
  }

  lockstep_bench<Stage<PayloadBits>, Pins> bench;
  sc_core::sc_signal<flit<PayloadBits>>& flit_in;
  sc_core::sc_signal<bool>& ready_in;
  sc_core::sc_signal<bool>& ready;
  sc_core::sc_signal<flit<PayloadBits>>& flit_out;
  sc_core::sc_signal<bool>& busy;
};

class lockstep_xor : public variant_test {
 protected:
  lockstep_xor() : m_names(random) {}
  names m_names;
};

//----------------------------------------------------------------------------------------------------------------------
// Encoder
//----------------------------------------------------------------------------------------------------------------------

class lockstep_xor_encoder : public lockstep_xor {
 protected:
  template <unsigned K>
  void shows_the_same_in_every_cycle();
};

template <unsigned K>
void lockstep_xor_encoder::shows_the_same_in_every_cycle() {
  constexpr unsigned PayloadBits = 32 * K;
  using flit_t = flit<PayloadBits>;
  const variant& v = GetParam();
  xor_parameters parameters;
  parameters.depth = v.depth;
  parameters.overhead = v.overhead;
  pin::xor_encoder<PayloadBits> systemc("systemc", parameters);
  const auto device = v.make_as<tb::xor_pins<PayloadBits>>("rtl", register_seed());
  auto& rtl = *device;
  xor_wires wires(systemc, rtl);
  auto& bench = wires.bench;
  auto &flit_in = wires.flit_in, &flit_out = wires.flit_out;
  auto &ready_in = wires.ready_in, &ready = wires.ready;

  std::deque<flit_t> expected;
  const known_datum* held = nullptr;
  known_datum of_held;
  std::map<xor_role, std::uint64_t> packets_of;
  std::uint64_t followed = 0;
  packet_id id = 0;
  const auto next = [&] {
    const auto roles = {xor_role::Plain,   xor_role::Plain,   xor_role::Coded, xor_role::Hold, xor_role::Combine,
                        xor_role::Combine, xor_role::Combine, xor_role::Chain, xor_role::Chain};
    const xor_role role = held == nullptr ? random.one_of({xor_role::Plain, xor_role::Hold}) : random.one_of(roles);
    const bool is_held = role == xor_role::Hold || role == xor_role::Chain;
    known_datum d = any_datum(random, m_names.next(), K, is_held ? v.depth : any_length(random, v.depth));
    d.datum.uses = static_cast<std::uint8_t>(random.between(0, 15));
    travelling_packet packet = packet_of(d, K, random);
    packet.header.role = role;
    packet.header.relay = random.chance(0.3);
    xor_datum second;
    if (role == xor_role::Coded) second = any_datum(random, m_names.next(), K, v.depth).datum;
    if ((role == xor_role::Plain || role == xor_role::Coded) && random.chance(0.2)) {  // passes, whatever it says
      packet.header.codec = codec::Fpc;
      packet.header.cut = static_cast<std::uint8_t>(random.between(0, 51));
      packet.header.flits = random.between(0, 0xff'ffff);
      packet.header.words = d.datum.words = random.between(0, 0xff'ffff);
      packet.header.first = datum_bits(d.datum);
      second.words = random.between(0, 0xff'ffff);
      second.uses = static_cast<std::uint8_t>(random.between(0, 15));
    }
    packet.header.second = datum_bits(second);
    ++packets_of[role];
    auto flits = flits_of<PayloadBits>(packet, ++id);
    if (role == xor_role::Combine || role == xor_role::Chain) {
      followed += of_held.payload.size() > d.payload.size();
      for (flit_t& f : flits_of<PayloadBits>(joined(of_held, packet, K), id)) expected.push_back(without_tag(f));
    } else if (role != xor_role::Hold) {
      for (flit_t& f : flits) expected.push_back(without_tag(f));
    }
    if (is_held) {
      of_held = d;
      held = &of_held;
    }
    return flits;
  };
  stream_source<PayloadBits> source(random, next);
  stream_sink<PayloadBits> sink(random);
  std::uint64_t wrong = 0;
  bench.on_cycle([&] {
    const flit_t out = flit_out.read();
    if (out.valid && ready_in.read()) {
      wrong += expected.empty() || !(without_tag(out) == expected.front());
      if (!expected.empty()) expected.pop_front();
    }
    if (random.chance(0.005)) {
      source.pause = pauses::any(random, 40);
      sink.pause = pauses::any(random, 40);
    }
    flit_in.write(source.drive(flit_in.read(), ready.read(), true));
    ready_in.write(sink.drive(out, ready_in.read()));
  });

  constexpr unsigned Parts = 6;
  for (unsigned part = 0; part < Parts; ++part) {
    ASSERT_EQ(bench.run(cycles(StageCycles / Parts)), "") << seed_note();
    ASSERT_EQ(wrong, 0U) << "flits that are not the XOR of the packets that came; " << seed_note();
    flit_in.write({});
    source.forget_packet();
    expected.clear();
    held = nullptr;
    bench.reset();
  }
  std::cout << sink.flits << " flits out; " << packets_of[xor_role::Combine] << " combined, "
            << packets_of[xor_role::Chain] << " chained, " << followed
            << " with flits of the held one behind; stalls: " << source.stalls << " in, " << sink.stalls << " out"
            << std::endl;
  EXPECT_GT(sink.flits, cycles(StageCycles) / 8);
  for (const xor_role role : {xor_role::Plain, xor_role::Coded, xor_role::Hold, xor_role::Combine, xor_role::Chain})
    EXPECT_GT(packets_of[role], StageCycles / 100 / v.depth) << "role " << static_cast<unsigned>(role);
  EXPECT_GT(followed, StageCycles / 100 / v.depth);
  EXPECT_GT(source.stalls, StageCycles / 100);
  EXPECT_GT(sink.stalls, StageCycles / 100);
}

TEST_P(lockstep_xor_encoder, shows_the_same_in_every_cycle) {
  with_words(GetParam().words, [this](auto k) { shows_the_same_in_every_cycle<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_xor_encoder, testing::ValuesIn(xor_encoders()));

//----------------------------------------------------------------------------------------------------------------------
// Decoder
//----------------------------------------------------------------------------------------------------------------------

/// Data that were joined in pairs, for one receiver: some come plain, and the joined ones in any order among them.
struct coded_batch {
  std::vector<travelling_packet> packets;
  std::map<std::uint32_t, known_datum> data;
};

/// \param sound the decoder gets one plain datum and then all that the uses announce, and has room for it
coded_batch any_batch(dice& random, names& free_names, const variant& v, bool sound) {
  const unsigned k = v.words;
  coded_batch batch;
  std::vector<known_datum> data(random.between(1, sound ? (v.entries + 1) / 2 : 6));
  for (known_datum& d : data)
    d = any_datum(random, free_names.next(), k, sound || random.chance(0.8) ? v.depth : any_length(random, v.depth));
  // A tree of packets, so that from one datum all others follow, and more packets, which will be redundant.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 1; i < data.size(); ++i)
    pairs.push_back({random.between(0, static_cast<std::uint32_t>(i) - 1), i});
  while (data.size() > 1 && random.chance(0.3) && data.size() + pairs.size() < (sound ? v.entries : 15))
    pairs.push_back(pairs[random.between(0, static_cast<std::uint32_t>(pairs.size()) - 1)]);
  for (const auto& [a, b] : pairs) {
    ++data[a].datum.uses;
    ++data[b].datum.uses;
  }
  if (!sound && random.chance(0.2))  // announced wrongly
    data[0].datum.uses = static_cast<std::uint8_t>(random.between(0, 15));
  for (auto [a, b] : pairs) {
    if (random.chance(0.5)) std::swap(a, b);
    travelling_packet packet = joined(data[a], packet_of(data[b], k, random), k);
    packet.header.relay = random.chance(0.25);
    batch.packets.push_back(std::move(packet));
  }
  if (sound || batch.packets.empty() || random.chance(0.8))
    batch.packets.push_back(packet_of(data[random.between(0, static_cast<std::uint32_t>(data.size()) - 1)], k, random));
  for (std::size_t i = batch.packets.size(); i > 1; --i)
    std::swap(batch.packets[i - 1], batch.packets[random.between(0, static_cast<std::uint32_t>(i) - 1)]);
  for (known_datum& d : data) batch.data[d.datum.name] = std::move(d);
  return batch;
}

/// Reads the packets that leave a decoder.
template <unsigned PayloadBits>
class node {
  static constexpr unsigned K = PayloadBits / 32;

 public:
  std::map<std::uint32_t, known_datum> data;     ///< what may come
  std::map<std::uint32_t, unsigned> deliveries;  ///< plain packets of each, by name
  std::uint64_t redundant = 0, relayed = 0, overflows = 0;
  std::uint64_t packets = 0, decoded = 0;
  std::string wrong;  ///< what was wrong first

  void takes(const flit<PayloadBits>& f) {
    if (f.head) {
      m_header = header_of(f);
      m_payload.clear();
    }
    for (unsigned i = 0; i < K; ++i)
      m_payload.push_back(static_cast<std::uint32_t>(f.payload[i / 2] >> (32 * (i % 2))));
    if (f.tail) judge();
  }

 private:
  void judge() {
    ++packets;
    const xor_code code = code_of(m_header);
    overflows += code.overflow;
    const known_datum& first = data[code.first.name];
    std::vector<std::uint32_t> payload = first.payload;
    if (code.role == xor_role::Coded) {
      ++(code.relay ? relayed : redundant);
      const known_datum& second = data[code.second.name];
      payload.resize(std::max(payload.size(), second.payload.size()));
      for (std::size_t i = 0; i < second.payload.size(); ++i) payload[i] ^= second.payload[i];
    } else {
      ++deliveries[code.first.name];
    }
    if (m_header.flits * K != payload.size() || m_payload != payload)
      if (wrong.empty()) wrong = "a packet of " + std::to_string(code.first.name) + " is not what was sent";
  }

  header m_header;
  std::vector<std::uint32_t> m_payload;
};

class lockstep_xor_decoder : public lockstep_xor {
 protected:
  template <unsigned K>
  void shows_the_same_in_every_cycle();
};

template <unsigned K>
void lockstep_xor_decoder::shows_the_same_in_every_cycle() {
  constexpr unsigned PayloadBits = 32 * K;
  using flit_t = flit<PayloadBits>;
  const variant& v = GetParam();
  xor_parameters parameters;
  parameters.entries = v.entries;
  parameters.depth = v.depth;
  pin::xor_decoder<PayloadBits> systemc("systemc", parameters);
  const auto device = v.make_as<tb::xor_decoder_pins<PayloadBits>>("rtl", register_seed());
  auto& rtl = *device;
  xor_wires wires(systemc, rtl);
  auto& bench = wires.bench;
  auto &flit_in = wires.flit_in, &flit_out = wires.flit_out;
  auto &ready_in = wires.ready_in, &ready = wires.ready;
  auto& busy = wires.busy;
  auto& flush = bench.input(systemc.flush_i, rtl.flush_i);

  // A sound part has one batch at a time, of which every datum comes once and nothing stays.
  bool sound = true;
  node<PayloadBits> receiver;
  std::vector<travelling_packet> waiting;
  std::map<std::uint32_t, known_datum> batch_data;
  std::uint64_t batches = 0, coded = 0, overflows = 0, redundant = 0, plain = 0, delivered = 0;
  packet_id id = 0;
  const auto judge_batch = [&] {
    if (receiver.overflows != 0 && receiver.wrong.empty()) receiver.wrong = "an overflow, though there is room";
    for (const auto& [name, d] : batch_data)
      if (receiver.deliveries[name] != 1 && receiver.wrong.empty())
        receiver.wrong =
            "datum " + std::to_string(name) + " came " + std::to_string(receiver.deliveries[name]) + " times";
  };
  const auto next = [&]() -> std::vector<flit_t> {
    if (waiting.empty()) {
      if (random.chance(0.1)) {  // no datum of a batch
        const known_datum d = any_datum(random, m_names.next(), K, v.depth + v.depth / 2);
        receiver.data[d.datum.name] = d;
        return flits_of<PayloadBits>(packet_of(d, K, random), ++id);
      }
      if (sound) {
        if (busy.read() || flit_in.read().valid || flit_out.read().valid) return {};
        judge_batch();
      }
      coded_batch batch = any_batch(random, m_names, v, sound);
      waiting = std::move(batch.packets);
      batch_data = batch.data;
      receiver.data.insert(batch.data.begin(), batch.data.end());
      ++batches;
    }
    travelling_packet packet = std::move(waiting.back());
    waiting.pop_back();
    ++(packet.header.role == xor_role::Coded ? coded : plain);
    auto flits = flits_of<PayloadBits>(packet, ++id);
    flits.back().error = static_cast<codec_error>(random.between(0, 3));
    return flits;
  };
  stream_source<PayloadBits> source(random, next);
  stream_sink<PayloadBits> sink(random);
  bench.on_cycle([&] {
    const flit_t out = flit_out.read();
    if (out.valid && ready_in.read()) receiver.takes(out);
    if (random.chance(0.005)) {
      source.pause = pauses::any(random, 40);
      sink.pause = pauses::any(random, 40);
    }
    flit_in.write(source.drive(flit_in.read(), ready.read(), true));
    ready_in.write(sink.drive(out, ready_in.read()));
    flush.write(!sound && random.chance(0.005));
  });

  // Entries that no packet needs any more stay taken, so parts that are not sound are short.
  constexpr unsigned Parts = 400;
  for (unsigned part = 0; part < Parts; ++part) {
    sound = part % 100 == 0;
    ASSERT_EQ(bench.run(cycles(sound ? StageCycles / 8 : StageCycles / 2 / Parts)), "") << seed_note();
    ASSERT_EQ(receiver.wrong, "") << seed_note();
    overflows += receiver.overflows;
    redundant += receiver.redundant;
    for (const auto& [name, times] : receiver.deliveries) delivered += times;
    flit_in.write({});
    flush.write(false);
    source.forget_packet();
    waiting.clear();
    batch_data.clear();
    receiver = {};
    bench.reset();
  }
  std::cout << batches << " batches: " << plain << " plain and " << coded << " coded packets in, " << delivered
            << " plain out; " << redundant << " redundant or marked, " << overflows
            << " overflows; stalls: " << source.stalls << " in, " << sink.stalls << " out" << std::endl;
  EXPECT_GT(batches, cycles(StageCycles) / 100 / v.depth);
  EXPECT_GT(coded, StageCycles / 100 / v.depth);
  EXPECT_GT(delivered, plain);
  EXPECT_GT(overflows, StageCycles / 1000 / v.depth);
  EXPECT_GT(source.stalls, StageCycles / 100);
  EXPECT_GT(sink.stalls, StageCycles / 100);
}

TEST_P(lockstep_xor_decoder, shows_the_same_in_every_cycle) {
  with_words(GetParam().words, [this](auto k) { shows_the_same_in_every_cycle<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_xor_decoder, testing::ValuesIn(xor_decoders()));

}  // namespace
}  // namespace weft::lockstep
