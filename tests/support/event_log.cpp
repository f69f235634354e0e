// SPDX-License-Identifier: Apache-2.0
#include "support/event_log.h"

#include <algorithm>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

#include "weft/core/network_observer.h"

using weft::flit_event;

namespace {

/// Returns the data that a header names, as text; empty if there are none.
std::string code_text(const weft::xor_code& code) {
  if (code == weft::xor_code()) return {};
  const auto datum = [](const weft::xor_datum& d) {
    return fmt::format("{}/{}/{}/{}", d.name, d.words, d.uses, static_cast<int>(d.type));
  };
  return fmt::format(" [{}{}{} {} {}]", static_cast<int>(code.role), code.relay ? " relay" : "",
                     code.overflow ? " overflow" : "", datum(code.first), datum(code.second));
}

}  // namespace

void event_log::created(const weft::packet& p) {
  if (m_detail == detail::Network) return;
  m_entries.push_back({p.created, kind::Create, p.source, 0, p.id, 0, fmt::format(" {} {}", p.destination, p.flits)});
}

void event_log::sent(weft::packet_id id, weft::node_id node, weft::cycle_t cycle) {
  if (m_detail != detail::Network) m_entries.push_back({cycle, kind::Send, node, 0, id, 0, {}});
}

void event_log::injected(const flit_event& e, const weft::header& head) {
  std::string form;
  if (m_detail != detail::Network && e.sequence == 0)
    form = fmt::format(" {} {} {} {} {}", head.destination, head.flits, head.words, static_cast<int>(head.codec),
                       head.cut) +
           code_text(code_of(head));
  m_entries.push_back({e.cycle, kind::Inject, e.node, e.vc, e.id, e.sequence, std::move(form)});
}

std::string event_log::words(const std::uint64_t* payload) const {
  std::string text;
  for (unsigned i = 0; i < m_words; ++i) text += fmt::format(" {:016x}", payload[i]);
  return text;
}

void event_log::ejected(const flit_event& e, const std::uint64_t* payload) {
  m_entries.push_back({e.cycle, kind::Eject, e.node, e.vc, e.id, e.sequence, words(payload)});
}

void event_log::received(const flit_event& e, const std::uint64_t* payload) {
  if (m_detail != detail::Network)
    m_entries.push_back({e.cycle, kind::Receive, e.node, e.vc, e.id, e.sequence, words(payload)});
}

void event_log::waited(weft::packet_id id, const weft::router_waits& waits, weft::cycle_t left) {
  m_waits[id] = fmt::format(" waits {} {} {} {} until {}", waits.vc_allocation, waits.switch_allocation, waits.credit,
                            waits.nic, left);
}

void event_log::delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) {
  std::string fate = fmt::format(" {} {} {} {}", p.source, p.flits, p.created, routers);
  if (m_detail != detail::Network) {
    fate += fmt::format(" {}", static_cast<int>(p.type)) + code_text(p.code) + m_waits[p.id];
    m_waits.erase(p.id);
  }
  m_entries.push_back({cycle, kind::Deliver, p.destination, 0, p.id, 0, std::move(fate)});
}

std::string event_log::text(weft::cycle_t end) const {
  std::vector<const entry*> ordered;
  for (const entry& e : m_entries)
    if (e.cycle < end) ordered.push_back(&e);
  const auto key = [](const entry& e) { return std::tie(e.cycle, e.what, e.node, e.vc, e.id, e.sequence); };
  std::stable_sort(ordered.begin(), ordered.end(), [&](const entry* a, const entry* b) { return key(*a) < key(*b); });
  std::string text;
  for (const entry* e : ordered) {
    static constexpr const char* Names[] = {"inject", "eject", "deliver", "create", "send", "receive"};
    const char* const name = Names[static_cast<int>(e->what)];
    if (e->what == kind::Inject || e->what == kind::Eject || e->what == kind::Receive)
      text += fmt::format("{} {} {} {} {} {}{}\n", e->cycle, name, e->node, e->vc, e->id, e->sequence, e->rest);
    else
      text += fmt::format("{} {} {} {}{}\n", e->cycle, name, e->node, e->id, e->rest);
  }
  return text;
}

std::string event_log::pop(weft::cycle_t end) {
  std::string taken = text(end);
  const auto later =
      std::stable_partition(m_entries.begin(), m_entries.end(), [end](const entry& e) { return e.cycle < end; });
  m_removed += static_cast<std::size_t>(later - m_entries.begin());
  m_entries.erase(m_entries.begin(), later);
  return taken;
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
