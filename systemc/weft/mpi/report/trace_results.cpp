// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/report/trace_results.h"

#include <algorithm>
#include <unordered_map>

#include "weft/configuration/configuration.h"
#include "weft/core/coded_packet.h"
#include "weft/core/fpc_tuning.h"
#include "weft/mpi/trace/trace_reader.h"

namespace weft::experiment {

namespace {

/// The size class of a message of \p bytes bytes: the bit length of this number.
unsigned size_class(std::uint64_t bytes) {
  unsigned bits = 0;
  for (; bytes > 0; bytes >>= 1) ++bits;
  return bits;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& list) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : list) sum += n;
  return sum;
}

std::uint32_t word_at(const std::string& bytes, std::size_t word) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(bytes[4 * word + i])} << (8 * i);
  return value;
}

/// Sums up a trace while it is read, so memory does not grow with the number of calls.
class summing_visitor final : public trace_visitor {
 public:
  explicit summing_visitor(trace_summary& to) : m_summary(to) {}

  void begin(const trace_header& header) override {
    m_summary.ranks.resize(header.ranks);
    m_rank = header.rank;
    m_elements.clear();
    m_members.clear();
  }
  void communicator(const trace_communicator& c) override { m_members[c.id] = c.members.size(); }
  void element(const trace_element& e) override { m_elements[e.id] = e; }
  void threads(std::uint32_t so_far) override { metrics().threads = so_far; }
  void end(trace_ending how, std::uint64_t lost_bytes) override {
    metrics().ending = how;
    metrics().lost_bytes = lost_bytes;
  }
  void call(const trace_call& c) override {
    rank_metrics& rank = metrics();
    rank.computing += c.computing;
    rank.inside += c.inside;
    if (!c.continues) {
      ++rank.calls;
      ++m_summary.calls[static_cast<std::size_t>(c.function)];
    }
    if (c.kind == call_kind::Send) add_message(c);
    if (c.kind == call_kind::Collective) add_collective(c);
    if (!c.payload.empty()) add_payload(c);
  }

  void finish() {
    for (auto& [name, metrics] : m_summary.payload) {
      const zeros_histogram& zeros = m_zeros.at(name);
      metrics.best = best_fpc_table(zeros);
      metrics.tuned = fpc_bits(zeros, metrics.best);
    }
  }

 private:
  rank_metrics& metrics() { return m_summary.ranks[m_rank]; }

  void add_message(const trace_call& c) {
    const auto to = static_cast<std::uint32_t>(c.peer);
    m_summary.sent[static_cast<std::size_t>(c.function)] += c.bytes;
    m_summary.pairs[{m_rank, to}].add(c.bytes);
    m_summary.sizes[size_class(c.bytes)].add(c.bytes);
    m_summary.elements[m_elements[c.element].name].add(c.bytes);
    if (to != m_rank) metrics().sent.add(c.bytes);
  }

  /// Bytes that the rank contributes to a collective, counted once for each receiving member.
  std::uint64_t put_into(const trace_call& c) const {
    if (!c.sends.empty()) return sum_of(c.sends);
    const bool is_root = c.root == m_rank;
    switch (c.function) {
      case mpi_function::Bcast:
        return is_root ? c.send_bytes : 0;
      case mpi_function::Scatter:
      case mpi_function::Alltoall:
        return c.send_bytes * m_members.at(c.communicator);
      case mpi_function::NeighborAlltoall:
        return c.send_bytes * c.to.size();
      default:
        return c.send_bytes;
    }
  }

  void add_collective(const trace_call& c) {
    const std::uint64_t bytes = put_into(c);
    m_summary.sent[static_cast<std::size_t>(c.function)] += bytes;
    metrics().contributed.add(bytes);
    if (bytes > 0) m_summary.elements[m_elements[c.element].name].add(bytes);
  }

  void add_payload(const trace_call& c) {
    const trace_element& element = m_elements[c.element];
    payload_metrics& sum = m_summary.payload[element.name];
    zeros_histogram& zeros = m_zeros[element.name];
    codec_parameters with_cut;
    with_cut.cut = m_summary.cut;
    coded_length table(codec::Fpc, {}), classic(codec::FpcClassic, {}), cut(codec::LsbCut, with_cut);
    const bool doubles = element.type == data_type::Double || element.type == data_type::DoubleComplex;
    const std::size_t words = c.payload.size() / 4;
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint32_t word = word_at(c.payload, i);
      table.add(word);
      classic.add(word);
      if (doubles) cut.add(word);
      ++zeros[leading_zeros(word)];
    }
    sum.messages.add(c.payload.size());
    sum.words += words;
    sum.table += table.bits();
    sum.classic += classic.bits();
    if (doubles) sum.lsb_cut += cut.bits();
  }

  trace_summary& m_summary;
  std::uint32_t m_rank = 0;
  std::unordered_map<std::uint32_t, trace_element> m_elements;
  std::unordered_map<std::uint32_t, std::size_t> m_members;
  std::map<std::string, zeros_histogram> m_zeros;
};

}  // namespace

rank_metrics trace_summary::total() const {
  rank_metrics all;
  for (const rank_metrics& r : ranks) {
    all.calls += r.calls;
    all.computing += r.computing;
    all.inside += r.inside;
    all.sent.number += r.sent.number;
    all.sent.bytes += r.sent.bytes;
    all.contributed.number += r.contributed.number;
    all.contributed.bytes += r.contributed.bytes;
  }
  return all;
}

trace_summary examine_trace(const std::filesystem::path& path, unsigned cut) {
  trace_summary r;
  r.path = path.string();
  r.cut = cut;
  summing_visitor visitor(r);
  r.about = read_trace(path, visitor).front();
  visitor.finish();
  return r;
}

}  // namespace weft::experiment
