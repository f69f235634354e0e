// SPDX-License-Identifier: Apache-2.0
/// Initiators and targets for tests of the TLM-2.0 component.
#pragma once

#include "tlm/protocol_checker.h"
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "weft/tlm/noc.h"

using bytes = std::vector<unsigned char>;

/// The 64-bit word at the start of \p data, low byte first, and its inverse.
std::uint64_t value_of(const bytes& data);
bytes bytes_of(std::uint64_t value);

/// A managed transaction with its own memory.
struct owned_transaction : tlm::tlm_generic_payload {
  using tlm_generic_payload::tlm_generic_payload;
  bytes data, enables;
};

/// Keeps transactions for reuse.
class transaction_pool : public tlm::tlm_mm_interface {
 public:
  /// Returns a transaction acquired once; release() returns it to the pool.
  owned_transaction& acquire(tlm::tlm_command command, std::uint64_t address, bytes data);
  void free(tlm::tlm_generic_payload* t) override;
  std::size_t in_use() const { return m_all.size() - m_free.size(); }

 private:
  std::vector<std::unique_ptr<owned_transaction>> m_all;
  std::vector<owned_transaction*> m_free;
};

/// How a memory answers nb_transport_fw().
enum class answer_style { Accepted, EndRequest, BeginResponse, Completed, Any };

/// A memory that implements all four entry points. Data move when the request begins, so in the order of requests;
/// responses leave in the order of their due times. Simultaneous calls may arrive in any order.
class memory : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<memory, 64> socket{"socket"};

  memory(const sc_core::sc_module_name& name, std::size_t size);

  bytes content;
  answer_style style = answer_style::Any;
  sc_core::sc_time accept_time, latency;  ///< from BEGIN_REQ to END_REQ, from there to BEGIN_RESP: upper bounds of
                                          ///< random times
  bool exact_times = false;               ///< the times are exact instead
  bool stalled = false;                   ///< BEGIN_REQ is not answered until resume()
  bool allows_dmi = false;
  std::uint64_t served = 0;
  std::vector<std::uint64_t> addresses;  ///< of all requests, in order of arrival
  std::vector<bytes> enables_seen;
  std::vector<unsigned> widths_seen;
  tlm::tlm_response_status forced = tlm::TLM_OK_RESPONSE;  ///< in place of OK
  bool leaves_status_unset = false;

  void resume();

 private:
  void blocking(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& t);
  bool direct_memory(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi);
  void execute(tlm::tlm_generic_payload& t);
  void serve(tlm::tlm_generic_payload& t, bool end_request);
  /// True during a response, of which there is one at a time. A response that begins or ends at the present time
  /// counts, whether or not its call has been received.
  bool is_responding() const;
  sc_core::sc_time some(const sc_core::sc_time& most);

  std::mt19937_64 m_random{7};
  bool m_responding = false;
  sc_core::sc_time m_last_end = sc_core::sc_max_time();              ///< of the last response
  std::multimap<sc_core::sc_time, tlm::tlm_generic_payload*> m_due;  ///< responses that wait for their due time or for
                                                                     ///< the previous response
  sc_core::sc_event m_response_ended, m_resumed;
};

/// An initiator whose threads the test supplies.
class initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<initiator, 64> socket{"socket"};

  explicit initiator(const sc_core::sc_module_name& name);

  /// Adds a thread. Must be called before the simulation starts.
  void run(std::function<void()> thread);

  // For threads. \p delay is in and out; returns the status.
  tlm::tlm_response_status write(std::uint64_t address, const bytes& data, sc_core::sc_time& delay);
  tlm::tlm_response_status read(std::uint64_t address, bytes& data, sc_core::sc_time& delay);
  tlm::tlm_response_status write(std::uint64_t address, const bytes& data);
  tlm::tlm_response_status read(std::uint64_t address, bytes& data);

  /// Sends a request by nb_transport_fw() and waits for the end of the request. \p t is released with its response,
  /// after \p answered was called.
  void start(owned_transaction& t, std::function<void(owned_transaction&)> answered);
  /// Waits until all started requests are answered.
  void finish();

  transaction_pool pool;
  answer_style style = answer_style::Any;  ///< how it answers BEGIN_RESP; BeginResponse is TLM_UPDATED
  sc_core::sc_time response_time;          ///< from BEGIN_RESP to END_RESP
  std::vector<weft::tlm2::address_range> invalidated;
  std::uint64_t end_requests = 0, early_completions = 0;
  sc_core::sc_time last_response;

 private:
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);
  void answered(tlm::tlm_generic_payload& t);

  std::map<tlm::tlm_generic_payload*, std::function<void(owned_transaction&)>> m_open;
  tlm::tlm_generic_payload* m_requesting = nullptr;
  sc_core::sc_event m_request_ended, m_one_answered;
  std::mt19937_64 m_random{11};
};

/// Nodes 0…initiators-1 have initiators, the following nodes memories. A protocol checker is between every pair of
/// sockets.
struct platform {
  /// Fills \p p.map: memory i has 0x10000·16 bytes at (i + 1) << 32.
  platform(weft::tlm2::noc_parameters p, unsigned initiators, unsigned memories, const std::string& name = "noc");

  static constexpr std::size_t MemorySize = 1 << 20;
  static std::uint64_t base(unsigned memory) { return (std::uint64_t{memory} + 1) << 32; }
  std::vector<std::string> violations() const;

  weft::tlm2::noc network;
  std::vector<std::unique_ptr<initiator>> initiators;
  std::vector<std::unique_ptr<memory>> memories;
  std::vector<std::unique_ptr<protocol_checker>> initiator_checkers, memory_checkers;
};

/// A mesh of \p x by \p y nodes.
weft::tlm2::noc_parameters mesh(unsigned x, unsigned y, unsigned vcs = 4);

bytes random_bytes(std::mt19937_64& random, std::size_t count);
