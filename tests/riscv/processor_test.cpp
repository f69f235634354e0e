// SPDX-License-Identifier: Apache-2.0
/// A processor behind its socket: direct pointers into memory, which a target grants and invalidates.
#include "processor.h"

#include "riscv/encodings.h"
#include <cstring>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

using namespace riscv;
using sc_core::SC_NS;
using sc_core::sc_time;

namespace {

/// Counts transactions; grants pointers for reading, or for all accesses.
class dmi_memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<dmi_memory, 32> socket{"socket"};

  explicit dmi_memory(const sc_core::sc_module_name& name, bool grants_write_dmi)
      : sc_module(name), m_grants_write_dmi(grants_write_dmi), content(4096) {
    socket.register_b_transport(this, &dmi_memory::transport);
    socket.register_get_direct_mem_ptr(this, &dmi_memory::grant_dmi);
  }
  void take_back(word first, word last) { socket->invalidate_direct_mem_ptr(first, last); }

 private:
  const bool m_grants_write_dmi;

 public:
  std::vector<unsigned char> content;
  unsigned reads = 0, writes = 0, loans = 0;

 private:
  void transport(tlm::tlm_generic_payload& t, sc_time& delay) {
    const std::uint64_t at = t.get_address() - FirstMemoryAddress;
    if (t.get_address() < FirstMemoryAddress || at + t.get_data_length() > content.size())
      return t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (t.is_write()) {
      std::memcpy(&content[at], t.get_data_ptr(), t.get_data_length());
      ++writes;
    } else {
      std::memcpy(t.get_data_ptr(), &content[at], t.get_data_length());
      ++reads;
    }
    delay += sc_time(10, SC_NS);
    t.set_dmi_allowed(true);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  bool grant_dmi(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    ++loans;
    dmi.set_dmi_ptr(content.data());
    dmi.set_start_address(FirstMemoryAddress);
    dmi.set_end_address(FirstMemoryAddress + content.size() - 1);
    dmi.set_read_latency(sc_time(1, SC_NS));  // per byte
    if (m_grants_write_dmi)
      dmi.allow_read_write();
    else
      dmi.allow_read();
    return true;
  }
};

struct bench {
  explicit bench(const std::vector<word>& program, bool dmi = true, bool grants_write_dmi = true)
      : memory("memory", grants_write_dmi), core("core", 0, sc_time(1, SC_NS), dmi) {
    core.socket.bind(memory.socket);
    core.software_i(wires[0]);
    core.timer_i(wires[1]);
    core.external_i(wires[2]);
    std::memcpy(memory.content.data(), program.data(), 4 * program.size());
    core.start_at(FirstMemoryAddress);
  }
  dmi_memory memory;
  processor core;
  sc_core::sc_vector<sc_core::sc_signal<bool>> wires{"wires", 3};
};

/// Stores 1, 2, … at FirstMemoryAddress + 0x100, forever.
const std::vector<word> Counting = {auipc(1, 0), addi(2, 2, 1), store(2, 2, 1, 0x100), j_type(-8, 0)};

word stored(const bench& b) {
  word value = 0;
  std::memcpy(&value, &b.memory.content[0x100], 4);
  return value;
}

}  // namespace

TEST(riscv_processor, fetches_and_stores_through_dmi_once_granted) {
  bench b(Counting);
  tlm::tlm_global_quantum::instance().set(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  EXPECT_EQ(b.memory.reads, 1U);
  EXPECT_EQ(b.memory.writes, 0U);
  EXPECT_EQ(b.memory.loans, 1U);
  EXPECT_GT(stored(b), 100U);
  // A fetch takes 4 ns by pointer, an instruction 1 ns, a store nothing: 15 ns per iteration.
  EXPECT_NEAR(stored(b), 10000 / 15.0, 8);
}

TEST(riscv_processor, accesses_memory_by_transactions_only_without_dmi) {
  bench b(Counting, false);
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  EXPECT_EQ(b.memory.loans, 0U);
  EXPECT_EQ(b.core.direct_accesses(), 0U);
  EXPECT_NEAR(stored(b), 10000 / 43.0, 2) << "four accesses of 10 ns and three instructions a round";
}

TEST(riscv_processor, writes_by_transaction_with_read_only_dmi) {
  bench b(Counting, true, false);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_GT(b.memory.writes, 10U);
  EXPECT_EQ(b.memory.writes, stored(b));
  EXPECT_EQ(b.memory.reads, 1U);
}

TEST(riscv_processor, requests_dmi_again_after_invalidation) {
  bench b(Counting);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  b.memory.take_back(FirstMemoryAddress + 4096, FirstMemoryAddress + 8191);  // not its range
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(b.memory.loans, 1U);
  b.memory.take_back(FirstMemoryAddress + 0x100, FirstMemoryAddress + 0x103);  // a part of it
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(b.memory.loans, 2U);
  EXPECT_EQ(b.memory.reads + b.memory.writes, 2U);
}

TEST(riscv_processor, interrupt_wire_wakes_it_and_a_fault_traps) {
  bench b({auipc(1, 0), addi(2, 0, 8), csrrw(0, Mie, 2), Wfi, addi(6, 0, 1), load(2, 5, 0, 0x40)});
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(b.core.hart().get(6), 0U);
  b.wires[0].write(true);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(b.core.hart().get(6), 1U);
  EXPECT_EQ(b.core.hart().reason(), "load access fault at pc 0x80000014 (mtval 0x00000040), and mtvec has no handler");
}
