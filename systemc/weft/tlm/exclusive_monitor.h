// SPDX-License-Identifier: Apache-2.0
/// Exclusive access over a network: a read that makes a reservation, and a write that succeeds only if no other write
/// to the same bytes has occurred since (load-reserved and store-conditional, ARM's LDREX and STREX, AXI's exclusive
/// accesses). The monitor is placed in front of the target, where all requests arrive. An extension marks a request as
/// exclusive.
///
/// `network.to_target[5].bind(monitor.from_network); monitor.to_target.bind(memory.socket);`
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tlm>

#include <systemc>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace weft::tlm2 {

/// Marks a read or write as exclusive. The extension travels with the request, and back with the response.
class exclusive_extension : public ::tlm::tlm_extension<exclusive_extension> {
 public:
  explicit exclusive_extension(std::uint32_t of) : owner(of) {}

  ::tlm::tlm_extension_base* clone() const override { return new exclusive_extension(*this); }
  void copy_from(const ::tlm::tlm_extension_base& from) override {
    *this = static_cast<const exclusive_extension&>(from);
  }

  /// Holder of the reservation: a core, or a thread of a core. It has at most one reservation at each target.
  std::uint32_t owner;
  /// In the response to a write: whether the write was performed. If not, the memory is unchanged and the status is OK.
  bool succeeded = false;
};

/// Forwards all transactions except exclusive writes without a reservation, which it answers immediately. A reservation
/// covers the bytes that were read. It ends when a write to one of these bytes is requested and when such a write is
/// answered, at the owner's next exclusive access, and at a write by transport_dbg(). The monitor grants DMI pointers
/// only for reading, because a write through a pointer would bypass it.
template <unsigned BusWidth>
class basic_exclusive_monitor final : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<basic_exclusive_monitor, BusWidth> from_network{"from_network"};
  tlm_utils::simple_initiator_socket<basic_exclusive_monitor, BusWidth> to_target{"to_target"};

  explicit basic_exclusive_monitor(const sc_core::sc_module_name& name) : sc_module(name) {
    from_network.register_b_transport(this, &basic_exclusive_monitor::blocking);
    from_network.register_nb_transport_fw(this, &basic_exclusive_monitor::forward);
    from_network.register_transport_dbg(this, &basic_exclusive_monitor::debug);
    from_network.register_get_direct_mem_ptr(this, &basic_exclusive_monitor::direct_memory);
    to_target.register_nb_transport_bw(this, &basic_exclusive_monitor::backward);
    to_target.register_invalidate_direct_mem_ptr(this, &basic_exclusive_monitor::invalidate);
  }

  std::size_t reservations() const { return m_reserved.size(); }

 private:
  using transaction = ::tlm::tlm_generic_payload;
  struct range {
    std::uint64_t first, last;
    bool overlaps(const range& other) const { return first <= other.last && other.first <= last; }
    bool covers(const range& other) const { return first <= other.first && other.last <= last; }
  };

  static range range_of(const transaction& t, std::uint32_t width) {
    const std::uint32_t bytes = width == 0 ? t.get_data_length() : std::min(t.get_data_length(), width);
    return {t.get_address(), t.get_address() + (bytes == 0 ? 0 : bytes - 1)};
  }
  static range range_of(const transaction& t) { return range_of(t, t.get_streaming_width()); }

  /// Handles a request. Returns false for an exclusive write without a reservation, which it has answered itself.
  bool admit(transaction& t) {
    if (t.get_command() == ::tlm::TLM_IGNORE_COMMAND) return true;
    auto* const exclusive = t.get_extension<exclusive_extension>();
    const range touched = range_of(t);
    if (exclusive != nullptr) {
      const auto at = m_reserved.find(exclusive->owner);
      exclusive->succeeded = t.is_write() && at != m_reserved.end() && at->second.covers(touched);
      if (at != m_reserved.end()) m_reserved.erase(at);
      if (t.is_read()) m_reserved.emplace(exclusive->owner, touched);
      if (t.is_write() && !exclusive->succeeded) {
        t.set_response_status(::tlm::TLM_OK_RESPONSE);
        return false;
      }
    }
    if (t.is_write()) end_reservations(touched);
    return true;
  }

  void end_reservations(const range& written) {
    for (auto at = m_reserved.begin(); at != m_reserved.end();)
      at = at->second.overlaps(written) ? m_reserved.erase(at) : std::next(at);
  }

  /// Ends reservations once more when a write is answered, because a target may write long after the request, and reads
  /// in between return the old data.
  void answered(const transaction& t) {
    if (t.is_write()) end_reservations(range_of(t));
  }

  void blocking(transaction& t, sc_core::sc_time& delay) {
    if (!admit(t)) return;
    try {
      to_target->b_transport(t, delay);
    } catch (...) {  // the target throws, or the thread is reset or killed: it is unknown what has been written
      answered(t);
      if (auto* const exclusive = t.get_extension<exclusive_extension>()) exclusive->succeeded = false;
      throw;
    }
    answered(t);
  }
  ::tlm::tlm_sync_enum forward(transaction& t, ::tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const bool begins = phase == ::tlm::BEGIN_REQ;
    if (begins && !admit(t)) return ::tlm::TLM_COMPLETED;
    const ::tlm::tlm_sync_enum answer = to_target->nb_transport_fw(t, phase, delay);
    if (begins && (answer == ::tlm::TLM_COMPLETED || phase == ::tlm::BEGIN_RESP)) answered(t);
    return answer;
  }
  ::tlm::tlm_sync_enum backward(transaction& t, ::tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == ::tlm::BEGIN_RESP) answered(t);
    return from_network->nb_transport_bw(t, phase, delay);
  }
  unsigned debug(transaction& t) {
    if (t.is_write()) end_reservations(range_of(t, 0));  // it has no streaming width
    return to_target->transport_dbg(t);
  }
  bool direct_memory(transaction& t, ::tlm::tlm_dmi& dmi) {
    if (t.is_read() && to_target->get_direct_mem_ptr(t, dmi) && dmi.is_read_allowed()) {
      dmi.allow_read();
      return true;
    }
    dmi.init();
    dmi.set_start_address(0);
    dmi.set_end_address(~std::uint64_t{0});
    if (t.is_read())
      dmi.allow_read_write();
    else
      dmi.allow_write();  // for a denied request, the access that is denied
    return false;
  }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { from_network->invalidate_direct_mem_ptr(first, last); }

  std::map<std::uint32_t, range> m_reserved;  ///< by owner
};

using exclusive_monitor = basic_exclusive_monitor<64>;
using exclusive_monitor_32 = basic_exclusive_monitor<32>;

}  // namespace weft::tlm2
