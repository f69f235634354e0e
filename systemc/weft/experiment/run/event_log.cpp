// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/event_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <utility>

#include "weft/core/network_observer.h"

namespace weft::experiment {

namespace {

/// A line put together number by number: a format string takes as long to read as the rest of a run.
class line_writer {
 public:
  /// \p cycle is that of all its lines.
  explicit line_writer(cycle_t cycle) : m_begin(put(m_text.data(), cycle)) {}

  std::string_view line(const char* kind, const flit_event& e) {
    char* at = m_begin;
    *at++ = ' ';
    while (*kind != 0) *at++ = *kind++;
    for (const std::uint64_t number :
         {std::uint64_t{e.node}, std::uint64_t{e.vc}, std::uint64_t{e.id}, std::uint64_t{e.sequence}}) {
      *at++ = ' ';
      at = put(at, number);
    }
    *at++ = '\n';
    return {m_text.data(), static_cast<std::size_t>(at - m_text.data())};
  }

 private:
  static constexpr std::size_t MostDigits = 20;
  static char* put(char* at, std::uint64_t number) { return std::to_chars(at, at + MostDigits, number).ptr; }

  std::array<char, 5 * (MostDigits + 1) + sizeof " inject\n"> m_text;
  char* m_begin;  ///< behind the cycle
};

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
  line_writer writer(m_cycle.front().event.cycle);
  for (const entry& e : m_cycle) m_text += writer.line(e.what == kind::Inject ? "inject" : "eject", e.event);
  m_cycle.clear();
  constexpr std::size_t Block = 1 << 16;
  if (m_text.size() < Block) return;
  m_write(m_text);
  m_text.clear();
}

}  // namespace weft::experiment
