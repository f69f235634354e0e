// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/event_log.h"

#include <utility>

namespace weft::experiment {

void event_log::end_writing() {
  if (m_writing.valid()) m_writing.get();
}

void event_log::write_heard() {
  end_writing();
  std::swap(m_heard, m_in_writing);
  m_heard.clear();
  // Where no thread is to be had, the next end_writing() writes them.
  m_writing = std::async(std::launch::async | std::launch::deferred, [this] {
    for (const passage& p : m_in_writing) m_lines.add(p.what, p.event);
  });
}

void event_log::finish() {
  end_writing();
  for (const passage& p : m_heard) m_lines.add(p.what, p.event);
  m_lines.finish();
}

}  // namespace weft::experiment
