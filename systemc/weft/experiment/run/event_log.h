// SPDX-License-Identifier: Apache-2.0
/// The event log: a line for every flit that enters or leaves the network. Two runs agree if their logs do.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <string_view>
#include <utility>

#include "weft/core/network_observer.h"
#include "weft/experiment/run/event_lines.h"

namespace weft::experiment {

/// Hears of flits, and writes event_lines of them behind the simulation's back: in a thread of its own, some ten
/// thousand events at a time. Where a core is free, a log takes less time on the clock.
class event_log final : public network_observer {
 public:
  /// \p write as of event_lines, called by one thread at a time. What it throws comes out of finish(), not of
  /// add(): the kernel of SystemC would not pass it on. Nothing more is written then.
  explicit event_log(std::function<void(std::string_view)> write) : m_lines(std::move(write)) {}

  void add(flit_passage what, const flit_event& event) {
    if (event.cycle != m_cycle) begin_cycle(event.cycle);
    m_heard.add(what, event);
  }

  network_events wanted() const override { return {network_event::Injected, network_event::Ejected}; }
  bool wants_payload() const override { return false; }
  void injected(const flit_event& event, const header& /*head*/) override { add(flit_passage::Inject, event); }
  void ejected(const flit_event& event, const std::uint64_t* /*payload*/) override { add(flit_passage::Eject, event); }

  /// Whether it cannot be written, so that the run can end.
  bool has_failed() const { return m_failure != nullptr; }

  /// Writes what is still held back. Nothing may be added after it. \throws what writing threw
  void finish();

 private:
  static constexpr std::size_t Batch = 32768;
  void begin_cycle(cycle_t cycle);
  void write_heard();
  void end_writing();

  event_lines m_lines;
  cycle_t m_cycle = Never;
  std::exception_ptr m_failure;
  flit_passages m_heard, m_in_writing;
  std::future<void> m_writing;  ///< of m_in_writing into m_lines; the last member, as its end is waited for
};

}  // namespace weft::experiment
