// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/nic/xor_entries.h"

#include <algorithm>
#include <utility>

namespace weft::engine {

void xor_entries::occupy(unsigned entry, xor_entry content, bool fresh) {
  const xor_code& code = content.what.what.code;
  if (content.waiting) {
    m_waiting.emplace(code.first.name, entry);
    m_waiting.emplace(code.second.name, entry);
  } else {
    m_known[code.first.name] = entry;
  }
  if (entry == m_entries.size()) m_entries.emplace_back();
  m_free.erase(entry);
  if (fresh) m_fresh.insert(entry);
  m_entries[entry] = std::move(content);
}

void xor_entries::release(unsigned entry) {
  if (is_waiting(entry)) {
    for (const std::uint32_t name : {code(entry).first.name, code(entry).second.name}) {
      const auto waiting = m_waiting.equal_range(name);
      m_waiting.erase(
          std::find_if(waiting.first, waiting.second, [entry](const auto& each) { return each.second == entry; }));
    }
  } else {
    m_known.erase(code(entry).first.name);
  }
  m_free.insert(entry);
  m_fresh.erase(entry);
}

void xor_entries::use(unsigned entry) {
  if (--m_entries[entry].what.what.code.first.uses == 0) release(entry);
}

unsigned xor_entries::lowest_free() const {
  const unsigned used_before = m_free.lowest();
  if (used_before != none()) return used_before;
  return m_entries.size() < m_count ? static_cast<unsigned>(m_entries.size()) : none();
}

unsigned xor_entries::known(std::uint32_t name) const {
  const auto found = m_known.find(name);
  return found == m_known.end() ? none() : found->second;
}

unsigned xor_entries::lowest_waiting_for(std::uint32_t name) const {
  unsigned lowest = none();
  const auto waiting = m_waiting.equal_range(name);
  for (auto i = waiting.first; i != waiting.second; ++i) lowest = std::min(lowest, i->second);
  return lowest;
}

}  // namespace weft::engine
