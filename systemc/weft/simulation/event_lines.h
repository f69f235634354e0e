// SPDX-License-Identifier: Apache-2.0
/// Formats the lines of an event log.
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

/// Stores flit passages, which are injections and ejections of flits, for some complete cycles.
class flit_passages {
 public:
  struct passage {
    std::uint64_t node_and_vc;
    packet_id id;
    std::uint32_t sequence;
  };

  /// Adds \p event, which must be in the cycle of the last begin_cycle().
  void add(flit_passage what, const flit_event& event) {
    m_events[static_cast<std::size_t>(what)].push_back(
        {std::uint64_t{event.node} << 32 | event.vc, event.id, event.sequence});
  }
  void begin_cycle(cycle_t cycle) { m_cycles.push_back({cycle, {m_events[0].size(), m_events[1].size()}}); }
  std::size_t size() const { return m_events[0].size() + m_events[1].size(); }
  void clear() {
    for (auto& events : m_events) events.clear();
    m_cycles.clear();
  }

  /// Calls \p f(cycle, kind, first, last) for each cycle and kind. The passages of this kind in this cycle are in
  /// [first, last).
  template <typename F>
  void for_each_cycle(F f) {
    for (std::size_t i = 0; i < m_cycles.size(); ++i)
      for (const flit_passage what : {flit_passage::Inject, flit_passage::Eject}) {
        const auto kind = static_cast<std::size_t>(what);
        passage* const all = m_events[kind].data();
        const std::size_t end = i + 1 < m_cycles.size() ? m_cycles[i + 1].begin[kind] : m_events[kind].size();
        f(m_cycles[i].cycle, what, all + m_cycles[i].begin[kind], all + end);
      }
  }

 private:
  struct marked_cycle {
    cycle_t cycle;
    std::array<std::size_t, 2> begin;  ///< index of its first passage, by kind
  };
  std::array<std::vector<passage>, 2> m_events;  ///< by kind
  std::vector<marked_cycle> m_cycles;
};

/// Writes a header line and then a line `cycle kind node vc packet sequence` for each flit passage. The kind is
/// `inject` or `eject`. Lines are sorted by these columns, with `inject` before `eject`. The order in which the
/// passages of a cycle are given does not matter.
class event_lines {
 public:
  /// \p write receives blocks of text; all except the last are whole memory pages.
  explicit event_lines(std::function<void(std::string_view)> write);
  ~event_lines();

  /// Adds the lines of \p passages. Their cycles must be later than those of earlier calls. Sorts \p passages.
  void add(flit_passages& passages);
  /// Writes the remaining text. Nothing may be added afterwards.
  void finish();

 private:
  using passage = flit_passages::passage;
  struct line_middle;
  void write_lines(cycle_t cycle, flit_passage what, const passage* first, const passage* last);
  void write_block();

  std::function<void(std::string_view)> m_write;
  std::vector<line_middle> m_middles;  ///< cache of recent ones, by kind, node and VC
  std::vector<char> m_text;
  std::size_t m_length = 0;  ///< number of characters in m_text
};

}  // namespace weft::experiment
