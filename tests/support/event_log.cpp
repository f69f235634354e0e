#include "support/event_log.h"

#include <algorithm>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

using weft::flit_event;

void event_log::injected(const flit_event& e, const weft::header&) {
  m_entries.push_back({e.cycle, kind::Inject, e.node, e.vc, e.id, e.sequence, {}});
}

void event_log::ejected(const flit_event& e, const std::uint64_t* payload) {
  std::string words;
  for (unsigned i = 0; i < m_words; ++i) words += fmt::format(" {:016x}", payload[i]);
  m_entries.push_back({e.cycle, kind::Eject, e.node, e.vc, e.id, e.sequence, std::move(words)});
}

void event_log::delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) {
  m_entries.push_back({cycle, kind::Deliver, p.destination, 0, p.id, 0,
                       fmt::format(" {} {} {} {}", p.source, p.flits, p.created, routers)});
}

std::string event_log::text(weft::cycle_t end) const {
  std::vector<const entry*> ordered;
  for (const entry& e : m_entries)
    if (e.cycle < end) ordered.push_back(&e);
  const auto key = [](const entry& e) { return std::tie(e.cycle, e.what, e.node, e.vc, e.id, e.sequence); };
  std::stable_sort(ordered.begin(), ordered.end(), [&](const entry* a, const entry* b) { return key(*a) < key(*b); });
  std::string text;
  for (const entry* e : ordered) {
    if (e->what == kind::Deliver)
      text += fmt::format("{} deliver {} {}{}\n", e->cycle, e->node, e->id, e->rest);
    else
      text += fmt::format("{} {} {} {} {} {}{}\n", e->cycle, e->what == kind::Inject ? "inject" : "eject", e->node,
                          e->vc, e->id, e->sequence, e->rest);
  }
  return text;
}

std::string first_difference(const std::string& a, const std::string& b) {
  if (a == b) return {};
  std::istringstream in_a(a), in_b(b);
  std::string line_a, line_b;
  for (std::size_t line = 1;; ++line) {
    const bool more_a = static_cast<bool>(std::getline(in_a, line_a));
    const bool more_b = static_cast<bool>(std::getline(in_b, line_b));
    if (more_a && more_b && line_a == line_b) continue;
    return fmt::format("line {}: `{}` against `{}`", line, more_a ? line_a : "the end", more_b ? line_b : "the end");
  }
}
