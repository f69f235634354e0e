// SPDX-License-Identifier: Apache-2.0
/// Transactions longer than a message: several messages in the cycle mode, which only the target can observe.
#include "tlm/peers.h"
#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/tlm/message.h"
#include "weft/topology/analysis/zero_load.h"

using sc_core::sc_time;
using testing::IsEmpty;
using weft::tlm2::MaxLength;
using weft::tlm2::timing;

namespace {

/// A transaction of \p size bytes at \p address, with random streaming width and byte enables.
owned_transaction& draw(std::mt19937_64& random, transaction_pool& pool, std::uint64_t address, std::size_t size) {
  const bool write = random() % 2 == 0;
  owned_transaction& t =
      pool.acquire(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, random_bytes(random, size));
  const std::size_t widths[] = {size, 2 * size, 1 + random() % 300, MaxLength, MaxLength + 1 + random() % 70'000};
  t.set_streaming_width(static_cast<unsigned>(widths[random() % 5]));
  if (random() % 2 == 0) {
    t.enables.resize(random() % 2 == 0 ? 1 + random() % 9 : 1 + random() % (size + 100));
    for (unsigned char& e : t.enables) e = random() % 2 == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    t.set_byte_enable_ptr(t.enables.data());
    t.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
  }
  return t;
}

/// Executes \p t on \p cells, which begin at its address. \return the data that its initiator then has
bytes execute(const owned_transaction& t, unsigned char* cells) {
  bytes data = t.data;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!t.enables.empty() && t.enables[i % t.enables.size()] == TLM_BYTE_DISABLED) continue;
    unsigned char& cell = cells[i % t.get_streaming_width()];
    (t.is_write() ? cell : data[i]) = t.is_write() ? data[i] : cell;
  }
  return data;
}

std::size_t draw_size(std::mt19937_64& random) { return MaxLength - 100 + random() % (4 * MaxLength); }

void as_one(timing mode, bool blocking) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = mode;
  platform system(p, 1, 1);
  initiator& cpu = *system.initiators[0];
  bytes model(platform::MemorySize);
  unsigned done = 0;
  constexpr unsigned Rounds = 24;
  cpu.run([&] {
    std::mt19937_64 random(blocking ? 1 : 2);
    for (unsigned round = 0; round < Rounds; ++round) {
      const std::size_t size = draw_size(random);
      const std::uint64_t offset = random() % (model.size() - size);
      owned_transaction& t = draw(random, cpu.pool, platform::base(0) + offset, size);
      const bytes expected = execute(t, model.data() + offset);
      const auto compare = [&done, expected](owned_transaction& answer) {
        ASSERT_TRUE(answer.is_response_ok());
        ASSERT_TRUE(answer.data == expected);
        ++done;
      };
      if (!blocking) {
        cpu.start(t, compare);
        continue;
      }
      sc_time delay;
      cpu.socket->b_transport(t, delay);
      compare(t);
      t.release();
    }
    cpu.finish();
  });
  sc_core::sc_start();
  EXPECT_EQ(done, Rounds);
  EXPECT_TRUE(model == system.memories[0]->content);
  EXPECT_EQ(system.network.in_flight(), 0U);
  EXPECT_EQ(system.network.refused(), 0U);
  EXPECT_THAT(system.violations(), IsEmpty());
}

}  // namespace

/// The parts of a burst cover it, fit into messages, and have its bytes at its addresses.
TEST(tlm_bursts, parts_access_the_same_addresses_as_the_burst) {
  std::mt19937_64 random(3);
  for (unsigned round = 0; round < 3000; ++round) {
    const auto most = static_cast<std::uint32_t>(1 + random() % 40);
    const auto total = static_cast<std::uint32_t>(1 + random() % 300);
    const auto width = static_cast<std::uint32_t>(1 + random() % (2 * total));
    std::uint32_t offset = 0;
    for (bool last = false; !last;) {
      const weft::tlm2::burst_part part = weft::tlm2::next_part(total, width, offset, most);
      ASSERT_EQ(part.offset, offset);
      ASSERT_GE(part.length, 1U);
      ASSERT_LE(part.length, most);
      for (std::uint32_t i = 0; i < part.length; ++i)
        ASSERT_EQ(part.address + i % part.streaming_width, (offset + i) % width);
      offset += part.length;
      last = part.is_last;
      ASSERT_EQ(last, offset == total);
    }
  }
  EXPECT_TRUE(weft::tlm2::next_part(0, 0, 0, 10).is_last);
  EXPECT_EQ(weft::tlm2::next_part(100, 100, 0, 100).length, 100U) << "a burst that fits is not divided";
}

TEST(tlm_bursts, blocking_bursts_access_all_their_bytes) { as_one(timing::Cycle, true); }
TEST(tlm_bursts, non_blocking_bursts_access_all_their_bytes) { as_one(timing::Cycle, false); }
TEST(tlm_bursts, blocking_bursts_access_all_their_bytes_in_loose_mode) { as_one(timing::Loose, true); }
TEST(tlm_bursts, non_blocking_bursts_access_all_their_bytes_in_loose_mode) { as_one(timing::Loose, false); }

/// In an empty network the parts follow each other without a gap. A write ends when the last part is answered; the
/// response to a read begins when its first part has been requested. The loose mode has the same times.
TEST(tlm_bursts, parts_follow_without_a_gap_in_an_empty_network) {
  platform system(mesh(4, 4), 1, 15);
  for (auto& m : system.memories) m->style = answer_style::Completed;
  weft::tlm2::noc_parameters loose_parameters = mesh(4, 4);
  loose_parameters.mode = timing::Loose;
  platform loose(loose_parameters, 1, 15, "loose");
  const weft::tlm2::noc_parameters& p = system.network.parameters();
  unsigned measured = 0;
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    for (const weft::node_id node : {1U, 6U, 15U}) {
      for (const std::uint32_t size : {MaxLength + 8, 3 * MaxLength, 5 * MaxLength + 4096}) {
        const auto flight = [&](weft::node_id from, weft::node_id to, std::uint32_t flits) {
          return static_cast<double>(weft::zero_load_latency(p.graph, p.router, from, to, flits));
        };
        // A packet of 64 flits has 63 words of the message, whose first one is the address.
        const auto flits_of = [&](std::uint32_t words_before) {
          std::uint32_t flits = 0;
          for (std::uint32_t left = size; left > 0;) {
            const std::uint32_t part = std::min(left, MaxLength), words = words_before + part / 8;
            flits += words + (words + 62) / 63;
            left -= part;
          }
          return flits;
        };
        const std::uint64_t address = platform::base(node - 1);
        bytes data(size);
        sc_time delay, start = sc_core::sc_time_stamp();
        ASSERT_EQ(cpu.write(address, data), tlm::TLM_OK_RESPONSE);
        const sc_time write = p.clock_period * (flight(0, node, flits_of(1)) + flight(node, 0, 1) + 4);
        EXPECT_EQ(sc_core::sc_time_stamp() - start, write) << size << " bytes to " << node;
        ASSERT_EQ(loose.initiators[0]->write(address, data, delay), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(delay, write) << size << " bytes to " << node;

        start = sc_core::sc_time_stamp();
        delay = sc_core::SC_ZERO_TIME;
        ASSERT_EQ(cpu.read(address, data), tlm::TLM_OK_RESPONSE);
        const sc_time read = p.clock_period * (flight(0, node, 2) + flight(node, 0, flits_of(0)) + 4);
        EXPECT_EQ(sc_core::sc_time_stamp() - start, read) << size << " bytes from " << node;
        ASSERT_EQ(loose.initiators[0]->read(address, data, delay), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(delay, read) << size << " bytes from " << node;
        ++measured;
      }
    }
  });
  sc_core::sc_start();
  EXPECT_EQ(measured, 9U);
}

/// The first error of a part is the status of the whole burst, and no part is lost.
TEST(tlm_bursts, first_error_of_a_part_is_returned_for_the_burst) {
  platform system(mesh(2, 2), 1, 1);
  initiator& cpu = *system.initiators[0];
  bool done = false;
  cpu.run([&] {
    system.memories[0]->forced = tlm::TLM_COMMAND_ERROR_RESPONSE;
    EXPECT_EQ(cpu.write(platform::base(0), bytes(3 * MaxLength)), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(system.memories[0]->served, 3U);
    system.memories[0]->forced = tlm::TLM_OK_RESPONSE;
    EXPECT_EQ(cpu.write(platform::base(0), bytes(3 * MaxLength)), tlm::TLM_OK_RESPONSE);
    done = true;
  });
  sc_core::sc_start();
  EXPECT_TRUE(done);
  EXPECT_THAT(system.violations(), IsEmpty());
}
