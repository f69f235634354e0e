// SPDX-License-Identifier: Apache-2.0
/// The event log, with a line for every flit that enters or leaves the network. If two runs behave alike, their logs
/// are equal.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <string_view>
#include <utility>

#include "weft/core/network_observer.h"
#include "weft/simulation/event_lines.h"

namespace weft::experiment {

/// Observes flits and writes their event_lines. A separate thread writes tens of thousands of events at a time, which
/// reduces the elapsed time if a core is idle.
class event_log final : public network_observer {
 public:
  /// \p write receives blocks of text as in event_lines. Only one thread at a time calls it. If it throws an exception,
  /// nothing more is written, and finish() rethrows the exception, because exceptions from add() could not pass through
  /// the SystemC kernel.
  explicit event_log(std::function<void(std::string_view)> write) : m_lines(std::move(write)) {}

  void add(flit_passage what, const flit_event& event) {
    if (event.cycle != m_cycle) begin_cycle(event.cycle);
    m_events.add(what, event);
  }

  network_events event_interest() const override { return {network_event::Injected, network_event::Ejected}; }
  bool needs_payload() const override { return false; }
  void injected(const flit_event& event, const header& /*head*/) override { add(flit_passage::Inject, event); }
  void ejected(const flit_event& event, const std::uint64_t* /*payload*/) override { add(flit_passage::Eject, event); }

  /// Whether writing has failed, so that the run can end.
  bool has_failed() const { return m_failure != nullptr; }

  /// Writes the remaining events. Nothing may be added afterwards. \throws the exception of a failed write
  void finish();

 private:
  static constexpr std::size_t Batch = 32768;
  void begin_cycle(cycle_t cycle);
  void write_events();
  void end_writing();

  event_lines m_lines;
  cycle_t m_cycle = Never;
  std::exception_ptr m_failure;
  flit_passages m_events, m_in_writing;
  std::future<void> m_writing;  ///< writes m_in_writing to m_lines; the last member, because its destructor waits
};

}  // namespace weft::experiment
