// SPDX-License-Identifier: Apache-2.0
/// Resets, kills, interrupts and suspends threads within accesses at random times, resets a non-blocking initiator, and
/// compares every read with the values that may have been written. WEFT_SEED repeats a run.
#include "support/random.h"
#include "tlm/resettable.h"
#include <deque>
#include <map>
#include <memory>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using sc_core::sc_time;
using weft::tlm2::timing;

namespace {

struct stress_interruption {};

sc_time some_time(rng& d, unsigned most_ns) {
  // Half of the times are at clock edges.
  return d.chance(0.5) ? sc_time(d.between(1, most_ns), sc_core::SC_NS)
                       : sc_time(d.between(1, 1000 * most_ns), sc_core::SC_PS);
}

/// Bytes of one value, written and read as a whole. A write that no thread waited for may have happened or not, or may
/// still happen before the next access.
struct checked_block {
  std::uint64_t address = 0;
  unsigned size = 0;
  std::set<unsigned char> values{0};

  bytes begin_write(unsigned char value) {
    values.insert(value);
    return bytes(size, value);
  }
  void wrote(unsigned char value) { values = {value}; }
  void read(const bytes& data) {
    ASSERT_EQ(data.size(), size);
    ASSERT_THAT(data, testing::Each(data[0]));
    ASSERT_EQ(values.count(data[0]), 1U) << "at " << address << " " << int{data[0]};
    values = {data[0]};
  }
};

/// Owns a few blocks in each memory.
struct block_owner {
  block_owner(rng random, unsigned number, const std::vector<std::uint64_t>& bases, bool has_bursts) : d(random) {
    for (const std::uint64_t base : bases)
      for (unsigned i = 0; i < 4; ++i) blocks.push_back({base + 1024 * number + 256 * i, 1 + 61 * i, {0}});
    if (has_bursts) blocks.push_back({bases[number % bases.size()] + 0x20000 + 0x12000 * (number % 7), 70'000, {0}});
  }
  checked_block& any() {
    if (blocks.back().size > 1000 && d.chance(0.97))
      return blocks[d.between(0, static_cast<unsigned>(blocks.size()) - 2)];
    return blocks[d.between(0, static_cast<unsigned>(blocks.size()) - 1)];
  }
  unsigned char next_value() { return value = static_cast<unsigned char>(value % 250 + 1); }

  rng d;
  std::vector<checked_block> blocks;
  unsigned char value = 0;
};

/// A thread that accesses its blocks by b_transport().
struct stressed_thread : block_owner {
  stressed_thread(resettable_initiator& i, const bool& s, const block_owner& owner)
      : block_owner(owner), cpu(i), stop(s) {}

  void start() {
    handle = sc_core::sc_spawn([this] { work(); });
  }
  void work() {
    for (is_done = false; !is_done;) {
      try {
        while (!stop) access();
        is_done = true;
      } catch (const stress_interruption&) {
      }
    }
  }
  void access() {
    checked_block& b = any();
    if (d.chance(0.3)) sc_core::wait(some_time(d, 60));
    if (d.chance(0.5)) {
      const unsigned char v = next_value();
      const sc_time delay = d.chance(0.3) ? some_time(d, 20) : sc_time();
      ASSERT_EQ(cpu.write(b.address, b.begin_write(v), delay), tlm::TLM_OK_RESPONSE);
      b.wrote(v);
    } else {
      b.read(cpu.read(b.address, b.size));
    }
    ++accesses;
  }

  resettable_initiator& cpu;
  const bool& stop;
  sc_core::sc_process_handle handle;
  bool is_done = false, is_suspended = false;
  unsigned accesses = 0;
};

/// The same by nb_transport_fw(), several at a time, but no two to the same block.
struct stressed_non_blocking : sc_core::sc_module, block_owner {
  tlm_utils::simple_initiator_socket<stressed_non_blocking, 64> socket{"socket"};
  stressed_non_blocking(const sc_core::sc_module_name& name, const bool& s, const block_owner& owner)
      : sc_module(name), block_owner(owner), stop(s) {
    socket.register_nb_transport_bw(this, &stressed_non_blocking::backward);
  }

  void start() {
    handle = sc_core::sc_spawn([this] { work(); });
  }
  /// Call it when the network has released the transactions.
  void clear() {
    handle.kill();
    for (const auto& [t, b] : open) t->release();
    for (tlm::tlm_generic_payload* const t : to_end) t->release();
    open.clear();
    to_end.clear();
    requesting = nullptr;
    EXPECT_EQ(pool.in_use(), 0U);
  }

 private:
  bool is_used(const checked_block& b) const {
    return std::any_of(open.begin(), open.end(), [&](const auto& entry) { return entry.second == &b; });
  }
  void work() {
    while (!stop || !open.empty() || !to_end.empty()) {
      while (!to_end.empty()) {
        sc_core::wait(some_time(d, 10));
        tlm::tlm_generic_payload& t = *to_end.front();
        to_end.pop_front();
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_time delay;
        socket->nb_transport_fw(t, phase, delay);
        t.release();
      }
      checked_block& b = any();
      if (stop || requesting != nullptr || open.size() > 3 || is_used(b))
        sc_core::wait(sc_time(7, sc_core::SC_NS), changed);
      else
        begin(b);
    }
  }
  void begin(checked_block& b) {
    const bool write = d.chance(0.5);
    owned_transaction& t = pool.acquire(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, b.address,
                                        write ? b.begin_write(next_value()) : bytes(b.size, 0xdd));
    open.emplace(&t, &b);
    requesting = &t;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = d.chance(0.3) ? some_time(d, 20) : sc_time();
    ASSERT_EQ(socket->nb_transport_fw(t, phase, delay), tlm::TLM_ACCEPTED);
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time&) {
    auto& t = static_cast<owned_transaction&>(payload);
    const auto at = open.find(&t);
    EXPECT_NE(at, open.end());
    if (requesting == &t) requesting = nullptr;
    changed.notify(sc_core::SC_ZERO_TIME);
    if (phase != tlm::BEGIN_RESP || at == open.end()) return tlm::TLM_ACCEPTED;
    EXPECT_TRUE(t.is_response_ok());
    t.is_write() ? at->second->wrote(t.data[0]) : at->second->read(t.data);
    open.erase(at);
    ++accesses;
    if (d.chance(0.5)) {
      to_end.push_back(&t);
      return tlm::TLM_ACCEPTED;
    }
    t.release();
    return tlm::TLM_COMPLETED;
  }

 public:
  const bool& stop;
  sc_core::sc_process_handle handle;
  transaction_pool pool;
  std::map<owned_transaction*, checked_block*> open;
  std::deque<tlm::tlm_generic_payload*> to_end;
  owned_transaction* requesting = nullptr;
  sc_core::sc_event changed;
  unsigned accesses = 0;
};

/// Initiators at nodes 0 to 2 (threads) and 3 (non-blocking), memories of each kind at nodes 1, 4 and 5.
struct stressed_platform {
  static constexpr unsigned Threads = 6;
  static std::vector<std::uint64_t> bases() { return {0x1000000, 0x2000000, 0x3000000}; }

  static weft::tlm2::noc_parameters parameters(rng& d, timing mode) {
    weft::tlm2::noc_parameters p = mesh(3, 2);
    p.mode = mode;
    p.contention = mode == timing::Loose && d.chance(0.5);
    p.foresee = d.chance(0.5);
    p.queue_depth = d.between(1, 3);
    p.receive_depth = d.between(1, 3);
    p.max_packet_flits = d.chance(0.5) ? 64 : 8;
    p.blocking_targets = {5};
    p.map = {{bases()[0], 1 << 20, 1}, {bases()[1], 1 << 20, 4}, {bases()[2], 1 << 20, 5}};
    return p;
  }

  stressed_platform(rng& random, timing mode) : d(random), network("network", parameters(random, mode)) {
    network.to_target[1].bind(any.socket);
    network.to_target[4].bind(simple.socket);
    network.to_target[5].bind(plain.socket);
    any.latency = any.accept_time = sc_time(9, sc_core::SC_NS);
    for (unsigned i = 0; i < 3; ++i) {
      cpus.push_back(std::make_unique<resettable_initiator>(("cpu" + std::to_string(i)).c_str()));
      cpus[i]->socket.bind(network.from_initiator[i]);
    }
    for (unsigned i = 0; i < Threads; ++i) {
      const block_owner owner(rng(d.between(1, 1'000'000)), i, bases(), i % 2 == 0);
      threads.push_back(std::make_unique<stressed_thread>(*cpus[i / 2], stop, owner));
      threads[i]->start();
    }
    other = std::make_unique<stressed_non_blocking>(
        "other", stop, block_owner(rng(d.between(1, 1'000'000)), Threads, bases(), mode == timing::Cycle));
    other->socket.bind(network.from_initiator[3]);
    other->start();
  }

  /// True when enough accesses are done; a run with many bursts takes longer.
  bool has_done(unsigned actions) const {
    const auto is_busy = [&](const auto& t) { return t->accesses > actions / 40; };
    return waiting > actions / 4 && is_busy(other) && std::all_of(threads.begin(), threads.end(), is_busy);
  }

  void disturb(unsigned actions) {
    for (unsigned i = 0; i < actions || !has_done(actions); ++i) {
      sc_core::wait(some_time(d, 60));
      if (d.chance(0.1)) {
        network.reset_initiator(3);
        other->clear();
        other->start();
        continue;
      }
      act_on(*threads[d.between(0, Threads - 1)]);
    }
    for (const auto& t : threads)
      if (t->is_suspended) t->handle.resume();
    stop = true;
  }

  void act_on(stressed_thread& t) {
    if (t.is_suspended) {
      t.handle.resume();
      t.is_suspended = false;
      return;
    }
    waiting += network.in_flight() > 0;
    switch (d.between(0, 3)) {
      case 0:
        t.handle.kill();
        return t.start();
      case 1:
        return t.handle.reset();
      case 2:
        return t.handle.throw_it(stress_interruption());
      default:
        t.handle.suspend();
        t.is_suspended = true;
    }
  }

  /// Compares the final contents of the memories.
  void check_blocks(block_owner& owner) {
    for (checked_block& b : owner.blocks) {
      tlm::tlm_generic_payload t;
      bytes data(b.size);
      t.set_command(tlm::TLM_READ_COMMAND);
      t.set_address(b.address);
      t.set_data_ptr(data.data());
      t.set_data_length(b.size);
      ASSERT_EQ(cpus[0]->socket->transport_dbg(t), b.size);
      b.read(data);
    }
  }

  rng d;
  bool stop = false;
  unsigned waiting = 0;
  weft::noc network;
  memory any{"any", 1 << 20};
  simple_memory simple{"simple"};
  plain_memory plain{"plain"};
  std::vector<std::unique_ptr<resettable_initiator>> cpus;
  std::vector<std::unique_ptr<stressed_thread>> threads;
  std::unique_ptr<stressed_non_blocking> other;
};

void stress(timing mode, unsigned actions) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
  rng d(seed);
  stressed_platform system(d, mode);
  sc_core::sc_spawn([&] { system.disturb(actions); });
  sc_core::sc_start();
  EXPECT_TRUE(system.stop);
  EXPECT_EQ(system.network.in_flight(), 0U);
  for (weft::node_id n = 0; n < system.network.nodes(); ++n) {
    EXPECT_EQ(system.network.requests_waiting(n), 0U);
    EXPECT_EQ(system.network.requests_arrived(n), 0U);
    EXPECT_EQ(system.network.responses_waiting(n), 0U);
  }
  for (const auto& t : system.threads) {
    EXPECT_TRUE(t->is_done);
    system.check_blocks(*t);
  }
  EXPECT_TRUE(system.has_done(actions));
  EXPECT_EQ(system.other->pool.in_use(), 0U);
  system.check_blocks(*system.other);
}

}  // namespace

TEST(tlm_resets, random_resets_leave_no_error_in_cycle_mode) { stress(timing::Cycle, 4000); }

TEST(tlm_resets, random_resets_leave_no_error_in_loose_mode) { stress(timing::Loose, 4000); }
