// SPDX-License-Identifier: Apache-2.0
/// Compares the SystemC and the RTL implementation of the XOR decoder, with gaps and stalls on both sides, and a reset
/// between the parts of a run.
#include "weft/pin/nic/xor_decoder.h"

#include "lockstep/xor_bench.h"
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "weft/cosim/verilated_xor.h"

namespace weft::lockstep {
namespace {

/// Data joined in pairs, for one receiver: some come plain, and the joined ones in any order among them.
struct coded_batch {
  std::vector<travelling_packet> packets;
  std::map<std::uint32_t, known_datum> data;
};

/// \param sound the decoder gets one plain datum and then everything that the uses announce, and has room for it
coded_batch any_batch(rng& random, names& free_names, const variant& v, bool sound) {
  const unsigned k = v.words;
  coded_batch batch;
  std::vector<known_datum> data(random.between(1, sound ? (v.entries + 1) / 2 : 6));
  for (known_datum& d : data)
    d = any_datum(random, free_names.next(), k, sound || random.chance(0.8) ? v.depth : any_length(random, v.depth));
  // A tree of packets, so that all data follow from one, plus further packets, which are redundant.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 1; i < data.size(); ++i)
    pairs.push_back({random.between(0, static_cast<std::uint32_t>(i) - 1), i});
  while (data.size() > 1 && random.chance(0.3) && data.size() + pairs.size() < (sound ? v.entries : 15))
    pairs.push_back(pairs[random.between(0, static_cast<std::uint32_t>(pairs.size()) - 1)]);
  for (const auto& [a, b] : pairs) {
    ++data[a].datum.uses;
    ++data[b].datum.uses;
  }
  if (!sound && random.chance(0.2))  // wrong announcement
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

/// A packet of two data, one of any length, usually after one of them alone. For a part of a run of \p cycles cycles.
coded_batch long_pair(rng& random, names& free_names, const variant& v, std::uint32_t cycles) {
  known_datum data[] = {long_datum(random, free_names.next(), v.words, cycles),
                        any_datum(random, free_names.next(), v.words, v.depth)};
  for (known_datum& d : data) d.datum.uses = static_cast<std::uint8_t>(random.between(0, 15));
  const unsigned first = random.between(0, 1);
  coded_batch batch;
  batch.packets.push_back(joined(data[first], packet_of(data[1 - first], v.words, random), v.words));
  batch.packets.back().header.relay = random.chance(0.1);
  if (random.chance(0.9)) batch.packets.push_back(packet_of(data[random.chance(0.8)], v.words, random));
  for (known_datum& d : data) batch.data[d.datum.name] = std::move(d);
  return batch;
}

/// Reads the packets that leave a decoder.
template <unsigned PayloadBits>
class node {
  static constexpr unsigned K = PayloadBits / 32;

 public:
  std::map<std::uint32_t, known_datum> data;     ///< expected data
  std::map<std::uint32_t, unsigned> deliveries;  ///< plain packets of each, by name
  std::uint64_t redundant = 0, relayed = 0, overflows = 0;
  std::uint64_t packets = 0, decoded = 0;
  std::string wrong;  ///< the first error

  void accept(const flit<PayloadBits>& f) {
    if (f.head) {
      m_header = header_of(f);
      m_payload.clear();
    }
    for (unsigned i = 0; i < K; ++i)
      m_payload.push_back(static_cast<std::uint32_t>(f.payload[i / 2] >> (32 * (i % 2))));
    if (f.tail) check_packet();
  }

 private:
  void check_packet() {
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
      if (wrong.empty()) wrong = "a packet of " + std::to_string(code.first.name) + " differs from what was sent";
  }

  header m_header;
  std::vector<std::uint32_t> m_payload;
};

/// The decoder in SystemC and in RTL, with a stream of packets in and one out.
template <unsigned K>
struct decoder_streams {
  static constexpr unsigned PayloadBits = 32 * K;

  decoder_streams(const variant& v, rng& test_rng, int register_seed)
      : systemc("systemc", parameters_of(v)),
        rtl(v.make_as<tb::xor_decoder_pins<PayloadBits>>("rtl", register_seed)),
        wires(systemc, *rtl),
        flush(wires.bench.input(systemc.flush_i, rtl->flush_i)),
        random(test_rng),
        sink(random) {}

  /// From now on \p next supplies the packets, \p receiver accepts the output, with gaps and stalls on both sides, and
  /// \p is_flushed determines in which cycles the decoder is flushed.
  template <class Next, class Flush>
  void drive(Next next, node<PayloadBits>& receiver, Flush is_flushed) {
    source.emplace(random, next);
    wires.bench.on_cycle([this, &receiver, is_flushed] {
      const flit<PayloadBits> out = wires.flit_out.read();
      if (out.valid && wires.ready_in.read()) receiver.accept(out);
      if (random.chance(0.005)) {
        source->pause = pauses::any(random, 40);
        sink.pause = pauses::any(random, 40);
      }
      wires.flit_in.write(source->drive(wires.flit_in.read(), wires.ready.read(), true));
      wires.ready_in.write(sink.drive(out, wires.ready_in.read()));
      flush.write(is_flushed());
    });
  }

  void reset() {
    wires.flit_in.write({});
    flush.write(false);
    source->drop_packet();
    wires.bench.reset();
  }

  static xor_parameters parameters_of(const variant& v) {
    xor_parameters parameters;
    parameters.entries = v.entries;
    parameters.depth = v.depth;
    return parameters;
  }

  pin::xor_decoder<PayloadBits> systemc;
  std::unique_ptr<tb::xor_decoder_pins<PayloadBits>> rtl;
  xor_wires<PayloadBits, pin::xor_decoder, tb::xor_decoder_pins<PayloadBits>> wires;
  sc_core::sc_signal<bool>& flush;
  rng& random;
  std::optional<stream_source<PayloadBits>> source;
  stream_sink<PayloadBits> sink;
};

class lockstep_xor_decoder : public lockstep_xor {
 protected:
  template <unsigned K>
  void shows_the_same_in_every_cycle();
  template <unsigned K>
  void shows_the_same_where_names_come_again();
};

template <unsigned K>
void lockstep_xor_decoder::shows_the_same_in_every_cycle() {
  using flit_t = flit<32 * K>;
  const variant& v = GetParam();
  decoder_streams<K> decoder(v, random, register_seed());
  auto &flit_in = decoder.wires.flit_in, &flit_out = decoder.wires.flit_out;
  auto& busy = decoder.wires.busy;

  // A sound part has one batch at a time, of which every datum arrives once and nothing remains. The others are short,
  // because entries that no packet needs any more stay occupied. The last parts are shorter still: a reset cuts them
  // off within a packet of any length.
  constexpr unsigned Parts = 400, ResetParts = 800, ResetCycles = 50;
  bool sound = true, ends_in_reset = false;
  node<32 * K> receiver;
  std::vector<travelling_packet> waiting;
  std::map<std::uint32_t, known_datum> batch_data;
  std::uint64_t batches = 0, coded = 0, overflows = 0, redundant = 0, plain = 0, delivered = 0;
  packet_id id = 0;
  const auto check_batch = [&] {
    if (receiver.overflows != 0 && receiver.wrong.empty()) receiver.wrong = "an overflow, though there is room";
    for (const auto& [name, d] : batch_data)
      if (receiver.deliveries[name] != 1 && receiver.wrong.empty())
        receiver.wrong =
            "datum " + std::to_string(name) + " was delivered " + std::to_string(receiver.deliveries[name]) + " times";
  };
  const auto next = [&]() -> std::vector<flit_t> {
    if (waiting.empty()) {
      if (random.chance(0.1)) {  // not a datum of a batch
        const known_datum d = any_datum(random, m_names.next(), K, v.depth + v.depth / 2);
        receiver.data[d.datum.name] = d;
        return flits_of<32 * K>(packet_of(d, K, random), ++id);
      }
      if (sound) {
        if (busy.read() || flit_in.read().valid || flit_out.read().valid) return {};
        check_batch();
      }
      coded_batch batch =
          ends_in_reset ? long_pair(random, m_names, v, ResetCycles) : any_batch(random, m_names, v, sound);
      waiting = std::move(batch.packets);
      batch_data = batch.data;
      receiver.data.insert(batch.data.begin(), batch.data.end());
      ++batches;
    }
    travelling_packet packet = std::move(waiting.back());
    waiting.pop_back();
    ++(packet.header.role == xor_role::Coded ? coded : plain);
    auto flits = flits_of<32 * K>(packet, ++id);
    flits.back().error = static_cast<codec_error>(random.between(0, 3));
    return flits;
  };
  decoder.drive(next, receiver, [&] { return !sound && random.chance(0.005); });

  for (unsigned part = 0; part < Parts + ResetParts; ++part) {
    ends_in_reset = part >= Parts;
    sound = !ends_in_reset && part % 100 == 0;
    const std::uint64_t brief = sound ? StageCycles / 8 : StageCycles / 2 / Parts;
    ASSERT_EQ(decoder.wires.bench.run(ends_in_reset ? ResetCycles : cycles(brief)), "") << seed_note();
    ASSERT_EQ(receiver.wrong, "") << seed_note();
    overflows += receiver.overflows;
    redundant += receiver.redundant;
    for (const auto& [name, times] : receiver.deliveries) delivered += times;
    waiting.clear();
    batch_data.clear();
    receiver = {};
    decoder.reset();
  }
  std::cout << batches << " batches: " << plain << " plain and " << coded << " coded packets in, " << delivered
            << " plain out; " << redundant << " redundant or marked, " << overflows
            << " overflows; stalls: " << decoder.source->stalls << " in, " << decoder.sink.stalls << " out"
            << std::endl;
  EXPECT_GT(batches, cycles(StageCycles) / 100 / v.depth);
  EXPECT_GT(coded, StageCycles / 100 / v.depth);
  EXPECT_GT(delivered, plain);
  EXPECT_GT(overflows, StageCycles / 1000 / v.depth);
  EXPECT_GT(decoder.source->stalls, StageCycles / 100);
  EXPECT_GT(decoder.sink.stalls, StageCycles / 100);
}

TEST_P(lockstep_xor_decoder, outputs_match_in_every_cycle) {
  with_words(GetParam().words, [this](auto k) { shows_the_same_in_every_cycle<k>(); });
}

/// Few names, each reused for another datum as soon as the decoder has released it, so that leftovers in
/// entries and comparisons would show. Packets are random, but no datum comes plain while it is held, or may be
/// soon.
template <unsigned K>
void lockstep_xor_decoder::shows_the_same_where_names_come_again() {
  using flit_t = flit<32 * K>;
  const variant& v = GetParam();
  decoder_streams<K> decoder(v, random, register_seed());
  const auto& systemc = decoder.systemc;
  auto& flit_in = decoder.wires.flit_in;
  auto& busy = decoder.wires.busy;

  const std::uint32_t first_name = m_names.next() & 0xf'fff0, count = random.between(4, 8);
  node<32 * K> receiver;
  std::vector<std::uint32_t> last;  // names in the last packet, which may not have an entry yet
  std::uint64_t drawn = 0, coded = 0, decoded = 0, resolved = 0, overflows = 0;
  packet_id id = 0;
  const auto is_known = [&](std::uint32_t name) { return systemc.known(name) != systemc.none(); };
  const auto is_to_come = [&](std::uint32_t name) {
    return systemc.lowest_waiting_for(name) != systemc.none() ||
           std::find(last.begin(), last.end(), name) != last.end();
  };
  const auto any_name = [&] { return first_name + random.between(0, count - 1); };
  const auto datum_named = [&](std::uint32_t name) {
    known_datum& d = receiver.data[name];
    if (d.payload.empty() || (!is_known(name) && !is_to_come(name))) {
      d = any_datum(random, name, K, random.chance(0.9) ? v.depth : any_length(random, v.depth));
      d.datum.uses = static_cast<std::uint8_t>(random.between(0, random.chance(0.9) ? 3 : 15));
      ++drawn;
    }
    return d;
  };
  const auto next = [&]() -> std::vector<flit_t> {
    travelling_packet packet;
    const std::uint32_t name = any_name();
    const bool at_rest = !busy.read() && !flit_in.read().valid;
    const bool comes_decoded = is_to_come(name) && !at_rest;
    const known_datum datum = datum_named(name);
    if (random.chance(0.4)) {
      if (datum.datum.uses != 0 && (is_known(name) || comes_decoded)) return {};
      packet = packet_of(datum, K, random);
      last = {name};
    } else {
      const std::uint32_t other = any_name();
      if (other == name) return {};
      packet = joined(datum_named(other), packet_of(datum, K, random), K);
      packet.header.relay = random.chance(0.25);
      last = {name, other};
      ++coded;
    }
    auto flits = flits_of<32 * K>(packet, ++id);
    flits.back().error = static_cast<codec_error>(random.between(0, 3));
    return flits;
  };
  decoder.drive(next, receiver, [&] { return random.chance(systemc.lowest_free() == systemc.none() ? 0.1 : 0.001); });

  constexpr unsigned Parts = 20;
  for (unsigned part = 0; part < Parts; ++part) {
    ASSERT_EQ(decoder.wires.bench.run(cycles(StageCycles / 2 / Parts)), "") << seed_note();
    ASSERT_EQ(receiver.wrong, "") << seed_note();
    decoded += systemc.packets_decoded();
    resolved += systemc.packets_resolved();
    overflows += receiver.overflows;
    last.clear();
    receiver = {};
    decoder.reset();
  }
  std::cout << drawn << " data under " << count << " names, " << coded << " coded packets in; " << decoded
            << " decoded, " << resolved << " resolved, " << overflows << " overflows" << std::endl;
  EXPECT_GT(drawn, StageCycles / 100 / v.depth);
  EXPECT_GT(coded, StageCycles / 100 / v.depth);
  EXPECT_GT(decoded + resolved, StageCycles / 1000 / v.depth);
}

TEST_P(lockstep_xor_decoder, outputs_match_when_names_are_reused) {
  with_words(GetParam().words, [this](auto k) { shows_the_same_where_names_come_again<k>(); });
}

INSTANTIATE_TEST_SUITE_P(all, lockstep_xor_decoder, testing::ValuesIn(xor_decoders()));

/// Errors that assertions of the RTL detect; netlists with mutations have no assertions.
class lockstep_xor_decoder_names : public lockstep_xor {
 protected:
  /// Sends a datum, which is held, and then the packet that \p make makes of it.
  template <unsigned K, class Make>
  void rejects(Make make);
};

template <unsigned K, class Make>
void lockstep_xor_decoder_names::rejects(Make make) {
  constexpr unsigned PayloadBits = 32 * K;
  const variant& v = GetParam();
  const auto one = v.make_as<tb::xor_decoder_pins<PayloadBits>>("one", register_seed());
  const auto other = v.make_as<tb::xor_decoder_pins<PayloadBits>>("other", register_seed());
  xor_wires<PayloadBits, tb::xor_decoder_pins, tb::xor_decoder_pins<PayloadBits>> wires(*one, *other);
  wires.bench.input(one->flush_i, other->flush_i);
  known_datum datum = any_datum(random, m_names.next(), K, v.depth);
  datum.datum.uses = 2;
  std::vector<travelling_packet> packets = {make(datum), packet_of(datum, K, random)};
  stream_source<PayloadBits> source(random, [&]() -> std::vector<flit<PayloadBits>> {
    if (packets.empty()) return {};
    const travelling_packet packet = packets.back();
    packets.pop_back();
    return flits_of<PayloadBits>(packet, 0);
  });
  wires.ready_in.write(true);
  wires.bench.on_cycle([&] { wires.flit_in.write(source.drive(wires.flit_in.read(), wires.ready.read(), true)); });
  EXPECT_EQ(wires.bench.run(datum.payload.size() / K), "") << seed_note();
  EXPECT_THAT(wires.bench.run(v.depth + 2), testing::HasSubstr("failed assertion")) << seed_note();
}

TEST_P(lockstep_xor_decoder_names, rejects_two_data_with_the_same_name) {
  with_words(GetParam().words, [this](auto k) {
    rejects<k>([this, k](const known_datum& datum) { return packet_of(datum, k, random); });
  });
}

TEST_P(lockstep_xor_decoder_names, rejects_xor_of_a_datum_with_itself) {
  with_words(GetParam().words, [this](auto k) {
    rejects<k>([this, k](const known_datum& datum) { return joined(datum, packet_of(datum, k, random), k); });
  });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_xor_decoder_names, testing::ValuesIn(xor_decoders()));

}  // namespace
}  // namespace weft::lockstep
