// SPDX-License-Identifier: Apache-2.0
/// The lines of an event log, as text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "weft/core/network_observer.h"

namespace weft::experiment {

enum class flit_passage : std::uint8_t { Inject, Eject };

/// Lines `cycle kind node vc packet sequence`, kind `inject` or `eject`, after a header line that says so.
/// Ordered by these columns, inject before eject, in whatever order a cycle's events come.
class event_lines {
 public:
  /// \p write takes a text at a time: whole pages of memory, but for the last one.
  explicit event_lines(std::function<void(std::string_view)> write);
  ~event_lines();

  void add(flit_passage what, const flit_event& event) {
    if (event.cycle != m_cycle) {
      end_cycle();
      m_cycle = event.cycle;
    }
    m_events[static_cast<std::size_t>(what)].push_back(
        {std::uint64_t{event.node} << 32 | event.vc, event.id, event.sequence});
  }

  /// Writes what is still held back. Nothing may be added after it.
  void finish();

 private:
  struct entry {
    std::uint64_t node_and_vc;
    packet_id id;
    std::uint32_t sequence;
  };
  struct line_middle;
  void end_cycle();
  void write_lines(flit_passage what, const std::vector<entry>& entries);
  void write_block();

  std::function<void(std::string_view)> m_write;
  cycle_t m_cycle = 0;                         ///< which may not be over
  std::array<std::vector<entry>, 2> m_events;  ///< of this cycle, by kind
  std::vector<line_middle> m_middles;          ///< the last ones, by kind, node and VC, as far as there is room
  std::vector<char> m_text;
  std::size_t m_length = 0;  ///< of what is in there
};

}  // namespace weft::experiment
