// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/event_log.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "weft/core/network_observer.h"

namespace weft::experiment {

event_log::event_log(std::function<void(std::string_view)> write)
    : m_write(std::move(write)), m_text("cycle kind node vc packet sequence\n") {}

void event_log::add(kind what, const flit_event& event) {
  if (!m_cycle.empty() && m_cycle.front().event.cycle != event.cycle) end_cycle();
  m_cycle.push_back({what, event});
}

void event_log::finish() {
  end_cycle();
  m_write(std::exchange(m_text, {}));
}

void event_log::end_cycle() {
  std::sort(m_cycle.begin(), m_cycle.end(), [](const entry& a, const entry& b) {
    return std::tie(a.what, a.event.node, a.event.vc, a.event.id, a.event.sequence) <
           std::tie(b.what, b.event.node, b.event.vc, b.event.id, b.event.sequence);
  });
  for (const entry& e : m_cycle)
    fmt::format_to(std::back_inserter(m_text), "{} {} {} {} {} {}\n", e.event.cycle,
                   e.what == kind::Inject ? "inject" : "eject", e.event.node, e.event.vc, e.event.id, e.event.sequence);
  m_cycle.clear();
  constexpr std::size_t Block = 1 << 16;
  if (m_text.size() < Block) return;
  m_write(m_text);
  m_text.clear();
}

}  // namespace weft::experiment
