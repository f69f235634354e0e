// SPDX-License-Identifier: Apache-2.0
/// One transaction at a time: the data that arrive, and their times.
#include "tlm/peers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/tlm/data_type_extension.h"
#include "weft/topology/analysis/zero_load.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::IsEmpty;
using weft::tlm2::timing;

namespace {

/// Sizes at and around all boundaries.
const std::vector<std::size_t> Sizes{1,   2,   3,   4,    7,    8,    9,    15,   16,    17,    31,    32,   33,
                                     63,  64,  65,  127,  128,  255,  256,  257,  495,   496,   497,   504,  505,
                                     511, 512, 513, 1000, 1024, 2000, 4096, 4097, 10000, 32768, 65535, 65536};

void write_and_read_all_sizes(weft::tlm2::noc_parameters p) {
  platform system(std::move(p), 1, 1);
  std::mt19937_64 random(1);
  std::size_t done = 0;
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    for (const std::size_t size : Sizes) {
      const std::uint64_t offset = random() % (platform::MemorySize - size);
      const bytes data = random_bytes(random, size);
      ASSERT_EQ(cpu.write(platform::base(0) + offset, data), tlm::TLM_OK_RESPONSE) << size;
      const auto at = system.memories[0]->content.begin() + static_cast<std::ptrdiff_t>(offset);
      ASSERT_TRUE(std::equal(data.begin(), data.end(), at)) << size;
      bytes back(size);
      ASSERT_EQ(cpu.read(platform::base(0) + offset, back), tlm::TLM_OK_RESPONSE) << size;
      ASSERT_EQ(back, data) << size;
      ++done;
    }
  });
  sc_core::sc_start();
  EXPECT_EQ(done, Sizes.size());
  EXPECT_THAT(system.violations(), IsEmpty());
  EXPECT_EQ(system.network.in_flight(), 0U);
  // The initiator's checker counts 2 calls per size; so does the memory.
  EXPECT_EQ(system.initiator_checkers[0]->blocking_calls(), 2 * Sizes.size());
  EXPECT_EQ(system.memories[0]->served, 2 * Sizes.size());
}

}  // namespace

TEST(tlm_transport, transfers_sizes_from_one_byte_to_64_kib) { write_and_read_all_sizes(mesh(4, 4)); }

TEST(tlm_transport, transfers_all_sizes_with_narrow_flits_and_short_packets) {
  weft::tlm2::noc_parameters p = mesh(2, 1);
  p.payload_bits = 32;
  p.max_packet_flits = 9;  // not a whole number of 64-bit words
  write_and_read_all_sizes(p);
}

TEST(tlm_transport, transfers_all_sizes_with_wide_flits) {
  weft::tlm2::noc_parameters p = mesh(3, 2);
  p.payload_bits = 256;
  p.max_packet_flits = 1;
  write_and_read_all_sizes(p);
}

TEST(tlm_transport, transfers_all_sizes_in_loose_mode) {
  weft::tlm2::noc_parameters p = mesh(4, 4);
  p.mode = timing::Loose;
  write_and_read_all_sizes(p);
}

/// The compressor sends integers in fewer flits, and the bytes arrive unchanged.
TEST(tlm_transport, integers_are_compressed_and_arrive_intact) {
  weft::tlm2::noc_parameters p = mesh(4, 4);
  p.nic.compression.selection.mode = weft::selection_mode::Always;
  platform system(p, 1, 1);
  const std::size_t size = 4096;
  std::uint64_t hops[2] = {};
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    for (const bool declared : {false, true}) {
      bytes data(size);
      for (std::size_t i = 0; i < size; i += 4) data[i] = static_cast<unsigned char>(i / 4);  // small integers
      owned_transaction& t = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, platform::base(0) + 0x1000, data);
      if (declared) t.set_auto_extension(new weft::tlm2::data_type_extension(weft::data_type::Int));
      const auto count = [&] {
        std::uint64_t sum = 0;
        for (const weft::channel_count& c : system.network.request_network()->channel_counts()) sum += c.flits;
        return sum;
      };
      const std::uint64_t before = count();
      sc_time delay;
      cpu.socket->b_transport(t, delay);
      hops[declared] = count() - before;
      EXPECT_TRUE(t.is_response_ok());
      EXPECT_TRUE(std::equal(data.begin(), data.end(), system.memories[0]->content.begin() + 0x1000));
      t.release();
      bytes back(size);
      owned_transaction& r = cpu.pool.acquire(tlm::TLM_READ_COMMAND, platform::base(0) + 0x1000, back);
      if (declared) r.set_auto_extension(new weft::tlm2::data_type_extension(weft::data_type::Int));
      cpu.socket->b_transport(r, delay);
      EXPECT_EQ(r.data, data);
      r.release();
    }
  });
  sc_core::sc_start();
  EXPECT_GT(hops[1], 0U);
  EXPECT_LT(3 * hops[1], 2 * hops[0]);
  EXPECT_THAT(system.violations(), IsEmpty());
}

/// Doubles lose only the bits that LSB-cut drops; addresses and lengths in the same packets are unharmed.
TEST(tlm_transport, doubles_are_truncated_but_addresses_are_not) {
  weft::tlm2::noc_parameters p = mesh(4, 4);
  p.nic.compression.selection.mode = weft::selection_mode::Always;
  p.nic.compression.codec.cut = 20;
  p.max_packet_flits = 16;
  platform system(p, 1, 1);
  std::mt19937_64 random(5);
  std::uint64_t changed = 0;
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    for (int round = 0; round < 50; ++round) {
      std::vector<double> values(1 + random() % 100);
      for (double& v : values) v = static_cast<double>(random()) / 1e9;
      bytes data(8 * values.size());
      std::memcpy(data.data(), values.data(), data.size());
      const std::uint64_t offset = random() % (platform::MemorySize - data.size());
      owned_transaction& t = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, platform::base(0) + offset, data);
      t.set_auto_extension(new weft::tlm2::data_type_extension(weft::data_type::Double));
      sc_time delay;
      cpu.socket->b_transport(t, delay);
      ASSERT_TRUE(t.is_response_ok());
      t.release();
      ASSERT_EQ(system.memories[0]->addresses.back(), offset);
      for (std::size_t i = 0; i < values.size(); ++i) {
        double arrived;
        std::memcpy(&arrived, system.memories[0]->content.data() + offset + 8 * i, 8);
        ASSERT_NEAR(arrived, values[i], values[i] * std::ldexp(1.0, 20 - 52));
        changed += arrived != values[i];
      }
    }
  });
  sc_core::sc_start();
  EXPECT_GT(changed, 0U);
  EXPECT_THAT(system.violations(), IsEmpty());
}

TEST(tlm_transport, byte_enables_and_streaming_reach_the_target) {
  std::vector<bytes> contents;
  for (const timing mode : {timing::Cycle, timing::Loose}) {
    static std::vector<std::unique_ptr<platform>> systems;
    weft::tlm2::noc_parameters p = mesh(2, 2);
    p.mode = mode;
    p.max_packet_flits = 8;
    systems.push_back(std::make_unique<platform>(p, 1, 1, mode == timing::Cycle ? "cycle" : "loose"));
    platform& system = *systems.back();
    system.initiators[0]->run([&system] {
      initiator& cpu = *system.initiators[0];
      std::mt19937_64 random(3);
      bytes model(4096);
      for (int round = 0; round < 300; ++round) {
        const std::size_t size = 1 + random() % 300;
        const std::uint64_t offset = random() % (model.size() - size);
        const bool write = random() % 2 == 0;
        owned_transaction& t = cpu.pool.acquire(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                                platform::base(0) + offset, random_bytes(random, size));
        const unsigned width =
            random() % 2 == 0 ? static_cast<unsigned>(size) : 1 + static_cast<unsigned>(random() % 40);
        t.set_streaming_width(width);
        if (random() % 3 != 0) {
          t.enables.resize(1 + random() % 400);  // also longer than the data
          for (unsigned char& e : t.enables) e = random() % 2 == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
          t.set_byte_enable_ptr(t.enables.data());
          t.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
        }
        bytes expected = t.data;
        for (std::size_t i = 0; i < size; ++i) {
          if (!t.enables.empty() && t.enables[i % t.enables.size()] == TLM_BYTE_DISABLED) continue;
          unsigned char& cell = model[offset + i % width];
          (write ? cell : expected[i]) = write ? t.data[i] : cell;
        }
        sc_time delay;
        cpu.socket->b_transport(t, delay);
        ASSERT_TRUE(t.is_response_ok());
        ASSERT_EQ(t.data, expected) << "round " << round;
        t.release();
      }
      const bytes& content = system.memories[0]->content;
      EXPECT_TRUE(std::equal(model.begin(), model.end(), content.begin()));
    });
  }
  sc_core::sc_start();
}

/// 2 + flight + 2 cycles there and back, plus the latency of the target, as in docs/03_reference/tlm.md.
TEST(tlm_transport, latency_in_an_empty_network_matches_the_reference_page) {
  weft::tlm2::noc_parameters p = mesh(4, 4);
  p.clock_period = sc_time(2, SC_NS);
  platform system(p, 1, 15);
  for (auto& m : system.memories) {
    m->style = answer_style::Completed;
    m->exact_times = true;
    m->latency = sc_time(10, SC_NS);
  }
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    for (unsigned node = 1; node < 16; ++node) {
      for (const std::size_t size : {8U, 64U, 400U}) {
        const auto flight = [&](weft::node_id from, weft::node_id to, std::size_t flits) {
          return weft::zero_load_latency(p.graph, p.router, from, to, static_cast<std::uint32_t>(flits));
        };
        sc_time start = sc_core::sc_time_stamp();
        ASSERT_EQ(start.value() % p.clock_period.value(), 0U);
        ASSERT_EQ(cpu.write(platform::base(node - 1), bytes(size)), tlm::TLM_OK_RESPONSE);
        // Request: header and address, then data; response: one flit.
        EXPECT_EQ(sc_core::sc_time_stamp() - start,
                  p.clock_period * static_cast<double>(flight(0, node, 2 + size / 8) + flight(node, 0, 1) + 4) +
                      sc_time(10, SC_NS))
            << "write of " << size << " to " << node;
        start = sc_core::sc_time_stamp();
        bytes data(size);
        ASSERT_EQ(cpu.read(platform::base(node - 1), data), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(sc_core::sc_time_stamp() - start,
                  p.clock_period * static_cast<double>(flight(0, node, 2) + flight(node, 0, 1 + size / 8) + 4) +
                      sc_time(10, SC_NS))
            << "read of " << size << " from " << node;
      }
    }
  });
  sc_core::sc_start();
  EXPECT_EQ(system.memories[14]->served, 6U);
}

/// A transaction ends at the same time whether its delay is annotated or waited for.
TEST(tlm_transport, annotated_delay_and_wait_end_at_the_same_time) {
  platform system(mesh(4, 4), 1, 1);
  system.memories[0]->style = answer_style::Completed;
  sc_time ends[2];
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    for (const bool annotated : {true, false}) {
      sc_core::sc_time now = sc_core::sc_time_stamp();
      const sc_time ahead(137, SC_NS);
      sc_time delay = ahead;
      if (!annotated) {
        sc_core::wait(ahead);
        delay = sc_core::SC_ZERO_TIME;
      }
      ASSERT_EQ(cpu.write(platform::base(0), bytes(64), delay), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
      ends[annotated] = sc_core::sc_time_stamp() - now;
    }
  });
  sc_core::sc_start();
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_GT(ends[0], sc_time(137, SC_NS));
}

TEST(tlm_transport, network_is_idle_without_transactions) {
  platform system(mesh(4, 4), 1, 1);
  std::uint64_t deltas = 0;
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    ASSERT_EQ(cpu.write(platform::base(0), bytes(8)), tlm::TLM_OK_RESPONSE);
    sc_core::wait(100, SC_NS);
    const std::uint64_t before = sc_core::sc_delta_count();
    sc_core::wait(1, sc_core::SC_MS);  // a million cycles
    deltas = sc_core::sc_delta_count() - before;
    ASSERT_EQ(cpu.write(platform::base(0), bytes(8)), tlm::TLM_OK_RESPONSE);
  });
  sc_core::sc_start();
  EXPECT_LE(deltas, 2U);
  EXPECT_EQ(system.memories[0]->served, 2U);
}

TEST(tlm_transport, addresses_are_unchanged_without_translation) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.translate = false;
  p.map.push_back({0x800, 0x100, 3});
  weft::noc network("noc", p);
  initiator cpu("cpu");
  memory target("memory", 0x1000);
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[3].bind(target.socket);
  cpu.run([&] { EXPECT_EQ(cpu.write(0x810, {1, 2, 3}), tlm::TLM_OK_RESPONSE); });
  sc_core::sc_start();
  EXPECT_THAT(target.addresses, ElementsAre(0x810));
  EXPECT_EQ(target.content[0x812], 3);
}

/// The simulation has two networks. A memory of the first network is reached through the second network.
TEST(tlm_transport, transaction_passes_through_two_networks) {
  weft::tlm2::noc_parameters near = mesh(2, 2), far = mesh(4, 1);
  near.map = {{0x1000, 0x1000, 3}};
  far.map = {{0x100, 0x100, 2}};
  far.clock_period = sc_time(3, SC_NS);
  weft::noc first("first", near), second("second", far);
  initiator cpu("cpu");
  memory target("memory", 0x100);
  cpu.socket.bind(first.from_initiator[0]);
  first.to_target[3].bind(second.from_initiator[0]);
  second.to_target[2].bind(target.socket);
  cpu.run([&] {
    EXPECT_EQ(cpu.write(0x1108, {7, 8, 9}), tlm::TLM_OK_RESPONSE);
    bytes back(3);
    EXPECT_EQ(cpu.read(0x1108, back), tlm::TLM_OK_RESPONSE);
    EXPECT_THAT(back, ElementsAre(7, 8, 9));
    EXPECT_EQ(cpu.read(0x1008, back), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "mapped in the first, not in the second";
  });
  sc_core::sc_start();
  EXPECT_THAT(target.addresses, ElementsAre(8, 8));
  EXPECT_EQ(first.in_flight() + second.in_flight(), 0U);
}
