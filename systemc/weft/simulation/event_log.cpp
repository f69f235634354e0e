// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/event_log.h"

#include <utility>

namespace weft::experiment {

void event_log::end_writing() {
  try {
    if (m_writing.valid()) m_writing.get();
  } catch (...) {
    m_failure = std::current_exception();
  }
}

void event_log::begin_cycle(cycle_t cycle) {
  if (m_events.size() >= Batch) write_events();
  m_events.begin_cycle(cycle);
  m_cycle = cycle;
}

void event_log::write_events() {
  end_writing();
  std::swap(m_events, m_in_writing);
  m_events.clear();
  if (m_failure) return;
  // If no thread is available, the next end_writing() writes the events.
  m_writing = std::async(std::launch::async | std::launch::deferred, [this] { m_lines.add(m_in_writing); });
}

void event_log::finish() {
  end_writing();
  if (m_failure) std::rethrow_exception(m_failure);
  m_lines.add(m_events);
  m_lines.finish();
}

}  // namespace weft::experiment
