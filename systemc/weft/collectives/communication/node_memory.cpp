// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/node_memory.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weft {

namespace {

/// Returns the sums of the two 32-bit halves, each modulo 2^32.
std::uint64_t sum_of_halves(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t Low = 0xffff'ffff;
  return (((a & Low) + (b & Low)) & Low) | ((a >> 32) + (b >> 32)) << 32;
}

}  // namespace

const std::uint64_t* word_pool::keep(const std::uint64_t* words, std::size_t count) {
  constexpr std::size_t Chunk = 1 << 14;
  if (m_free < count) {
    m_free = std::max(Chunk, count);
    m_chunks.push_back(std::make_unique<std::uint64_t[]>(m_free));
    m_next = m_chunks.back().get();
  }
  std::uint64_t* const kept = m_next;
  std::copy_n(words, count, kept);
  m_next += count;
  m_free -= count;
  return kept;
}

void xor_into(std::vector<std::uint64_t>& to, const std::uint64_t* words, std::size_t count) {
  if (to.size() < count) to.resize(count);
  for (std::size_t i = 0; i < count; ++i) to[i] ^= words[i];
}

void add_into(std::vector<std::uint64_t>& to, const std::uint64_t* words, std::size_t count) {
  if (to.size() < count) to.resize(count);
  std::transform(words, words + count, to.begin(), to.begin(), sum_of_halves);
}

const std::uint64_t* node_memory::find(datum_id d) const {
  const auto at = m_data.find(d);
  return at == m_data.end() ? nullptr : at->second;
}

bool node_memory::store(datum_id d, const std::uint64_t* words) {
  return peel({{d, std::vector<std::uint64_t>(words, words + words_of(d)), false}});
}

bool node_memory::store_xor(message_id m, std::vector<std::uint64_t> words) {
  coded_packet c{{}, std::move(words), false};
  for (const datum_id* d = m_of->operands_begin(m); d != m_of->operands_end(m); ++d) {
    if (const std::uint64_t* const known = find(*d))
      xor_into(c.words, known, words_of(*d));
    else
      c.unknown.push_back(*d);
  }
  if (c.unknown.size() <= 1) {
    std::vector<new_datum> fresh;
    return resolve(c, fresh) && peel(std::move(fresh));
  }
  for (const datum_id d : c.unknown) m_waiting[d].push_back(m_coded.size());
  m_coded.push_back(std::move(c));
  m_most_waiting = std::max(m_most_waiting, ++m_unresolved);
  return true;
}

bool node_memory::peel(std::vector<new_datum> fresh) {
  bool good = true;
  while (!fresh.empty()) {
    const new_datum l = std::move(fresh.back());
    fresh.pop_back();
    if (const std::uint64_t* const known = find(l.datum)) {
      good &= std::equal(l.words.begin(), l.words.end(), known);
      m_redundant += l.from_code;
      continue;
    }
    m_decoded += l.from_code;
    m_data[l.datum] = m_pool->keep(l.words.data(), l.words.size());
    const auto waiting = m_waiting.find(l.datum);
    if (waiting == m_waiting.end()) continue;
    for (const std::size_t i : waiting->second) {
      coded_packet& c = m_coded[i];
      if (c.done) continue;
      xor_into(c.words, l.words.data(), l.words.size());
      c.unknown.erase(std::find(c.unknown.begin(), c.unknown.end(), l.datum));
      m_unresolved -= c.unknown.size() == 1;
      if (c.unknown.size() <= 1) good &= resolve(c, fresh);
    }
    m_waiting.erase(waiting);
  }
  return good;
}

bool node_memory::resolve(coded_packet& c, std::vector<new_datum>& fresh) {
  const std::size_t length = c.unknown.empty() ? 0 : words_of(c.unknown.front());
  const bool good =
      length <= c.words.size() && std::all_of(c.words.begin() + static_cast<std::ptrdiff_t>(length), c.words.end(),
                                              [](std::uint64_t word) { return word == 0; });
  if (c.unknown.empty()) {
    ++m_redundant;
  } else if (good) {
    c.words.resize(length);
    fresh.push_back({c.unknown.front(), std::move(c.words), true});
  }
  c = {{}, {}, true};
  return good;
}

void node_memory::store_sum(message_id m, std::vector<std::uint64_t> words) {
  partial_sum s{{m_of->operands_begin(m), m_of->operands_end(m)}, std::move(words)};
  std::sort(s.data.begin(), s.data.end());
  const auto longer = [](const partial_sum& a, const partial_sum& b) { return a.data.size() > b.data.size(); };
  m_sums.insert(std::upper_bound(m_sums.begin(), m_sums.end(), s, longer), std::move(s));
}

void node_memory::keep(message_id m, const std::vector<std::uint64_t>& words) {
  m_kept[m] = m_pool->keep(words.data(), words.size());
}

const std::uint64_t* node_memory::sent_on(message_id m) const {
  const auto at = m_kept.find(m);
  return at == m_kept.end() ? nullptr : at->second;
}

node_memory::sum node_memory::sum_of(const std::vector<datum_id>& data) const {
  std::vector<datum_id> rest = data;
  std::sort(rest.begin(), rest.end());
  sum made;
  for (const partial_sum& s : m_sums) {
    if (!std::includes(rest.begin(), rest.end(), s.data.begin(), s.data.end())) continue;
    std::vector<datum_id> left;
    std::set_difference(rest.begin(), rest.end(), s.data.begin(), s.data.end(), std::back_inserter(left));
    rest = std::move(left);
    add_into(made.words, s.words.data(), s.words.size());
  }
  for (const datum_id d : rest) {
    if (const std::uint64_t* const known = find(d))
      add_into(made.words, known, words_of(d));
    else
      made.missing.push_back(d);
  }
  return made;
}

}  // namespace weft
