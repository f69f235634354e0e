// SPDX-License-Identifier: Apache-2.0
/// Modules of the platforms in this folder: memories, and generators that write blocks and read them back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "weft/core/types.h"

inline constexpr unsigned Generators = 4, Memories = 4;
inline constexpr weft::node_id GeneratorNodes[Generators] = {0, 3, 12, 15};
inline constexpr weft::node_id MemoryNodes[Memories] = {5, 6, 9, 10};
inline constexpr std::uint64_t MemorySize = 1 << 20;

inline std::uint64_t base_of(unsigned memory) { return 0x8000'0000 + memory * MemorySize; }

/// A memory. Every access takes 20 ns.
class memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<memory, 64> socket{"socket"};

  explicit memory(const sc_core::sc_module_name& name) : sc_module(name), m_content(MemorySize) {
    socket.register_b_transport(this, &memory::access);
  }

  std::uint64_t accesses() const { return m_accesses; }

 private:
  void access(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    unsigned char* const here = m_content.data() + t.get_address();
    if (t.is_write())
      std::copy_n(t.get_data_ptr(), t.get_data_length(), here);
    else
      std::copy_n(here, t.get_data_length(), t.get_data_ptr());
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(20, sc_core::SC_NS);
    ++m_accesses;
  }

  std::vector<unsigned char> m_content;
  std::uint64_t m_accesses = 0;
};

/// Writes blocks and reads each one back.
class generator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<generator, 64> socket{"socket"};

  generator(const sc_core::sc_module_name& name, unsigned number, unsigned transactions)
      : sc_module(name), m_number(number), m_transactions(transactions), m_random(number + 1) {
    SC_HAS_PROCESS(generator);
    SC_THREAD(run);
  }

  std::uint64_t errors = 0, bytes = 0;
  sc_core::sc_time in_writes, in_reads, end;

 private:
  void run() {
    const std::uint64_t slice = MemorySize / Generators;
    for (unsigned i = 0; i < m_transactions / 2; ++i) {
      std::vector<unsigned char> block(8U << m_random() % 6);
      for (unsigned char& b : block) b = static_cast<unsigned char>(m_random());
      const std::uint64_t address =
          base_of(m_random() % Memories) + m_number * slice + m_random() % (slice - block.size());
      in_writes += transport(tlm::TLM_WRITE_COMMAND, address, block);
      std::vector<unsigned char> back(block.size());
      in_reads += transport(tlm::TLM_READ_COMMAND, address, back);
      errors += back != block;
      bytes += 2 * block.size();
      sc_core::wait(sc_core::sc_time(static_cast<double>(m_random() % 100), sc_core::SC_NS));
    }
    end = sc_core::sc_time_stamp();
  }

  sc_core::sc_time transport(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data) {
    tlm::tlm_generic_payload t;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(data.data());
    t.set_data_length(static_cast<unsigned>(data.size()));
    t.set_streaming_width(t.get_data_length());
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_time delay;
    socket->b_transport(t, delay);
    sc_core::wait(delay);
    errors += t.is_response_error();
    return sc_core::sc_time_stamp() - start;
  }

  const unsigned m_number, m_transactions;
  std::mt19937_64 m_random;
};
