// SPDX-License-Identifier: Apache-2.0
/// Sits between two sockets and checks whether both sides comply with the base protocol (IEEE 1666-2011, 11, 14
/// and 15).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

class protocol_checker : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<protocol_checker, 64> from{"from"};
  tlm_utils::simple_initiator_socket<protocol_checker, 64> to{"to"};

  explicit protocol_checker(const sc_core::sc_module_name& name);

  /// Descriptions of all violations.
  const std::vector<std::string>& violations() const { return m_violations; }
  std::uint64_t blocking_calls() const { return m_blocking; }
  std::uint64_t non_blocking_transactions() const { return m_non_blocking; }
  std::uint64_t open() const { return m_open.size(); }  ///< transactions that have not ended

 private:
  using transaction = tlm::tlm_generic_payload;
  enum class stage { Blocking, Request, Accepted, Response };
  /// Attributes that must not change, except the address inside the interconnect: pointers, and the data of a write.
  struct attributes {
    explicit attributes(const transaction& t);
    bool operator==(const attributes& other) const;
    tlm::tlm_command command;
    std::uint64_t address;
    unsigned char *data, *enables;
    unsigned length, enables_length, width;
    std::vector<unsigned char> written, enabled;
  };
  struct state {
    stage at;
    attributes seen;
    sc_core::sc_time last;  ///< time of the previous call, including its delay
  };

  void blocking(transaction& t, sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward(transaction& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum backward(transaction& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(transaction& t);
  bool direct_memory(transaction& t, tlm::tlm_dmi& dmi);
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

  void check(bool condition, const std::string& text);
  void check_request(const transaction& t, const std::string& call);
  void check_answer(transaction& t, const std::string& call);
  /// Checks the time of a call, or of its return, for \p t.
  void check_time(const transaction& t, const sc_core::sc_time& delay);
  void check_managed(const transaction& t, const std::string& call);
  void end_request(transaction& t);
  void begin_response(transaction& t);
  void end(transaction& t);

  std::map<const transaction*, state> m_open;
  const transaction* m_requesting = nullptr;
  const transaction* m_responding = nullptr;
  std::vector<std::string> m_violations;
  std::uint64_t m_blocking = 0, m_non_blocking = 0;
};
