// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/event_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <tuple>
#include <utility>

#include "weft/core/network_observer.h"

namespace weft::experiment {

namespace {

/// A number, then \p after; a log has millions of them.
char* put(char* at, std::uint64_t number, char after) {
  constexpr std::ptrdiff_t MostDigits = 20;
  at = std::to_chars(at, at + MostDigits, number).ptr;
  *at = after;
  return at + 1;
}

char* put(char* at, std::string_view word) { return std::copy(word.begin(), word.end(), at); }

}  // namespace

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
  if (m_cycle.empty()) return;
  std::array<char, 128> line;
  char* const behind_cycle = put(line.data(), m_cycle.front().event.cycle, ' ');
  for (const entry& e : m_cycle) {
    char* end = put(behind_cycle, e.what == kind::Inject ? "inject " : "eject ");
    end = put(end, e.event.node, ' ');
    end = put(end, e.event.vc, ' ');
    end = put(end, e.event.id, ' ');
    end = put(end, e.event.sequence, '\n');
    m_text.append(line.data(), end);
  }
  m_cycle.clear();
  constexpr std::size_t Block = 1 << 16;
  if (m_text.size() < Block) return;
  m_write(m_text);
  m_text.clear();
}

}  // namespace weft::experiment
