// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/recorder/collective_call.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace weft::recorder {

namespace {

mpi_operation operation_of(MPI_Op op) {
  const std::pair<MPI_Op, mpi_operation> known[] = {
      {MPI_MAX, mpi_operation::Max},        {MPI_MIN, mpi_operation::Min},      {MPI_SUM, mpi_operation::Sum},
      {MPI_PROD, mpi_operation::Product},   {MPI_LAND, mpi_operation::And},     {MPI_BAND, mpi_operation::And},
      {MPI_LOR, mpi_operation::Or},         {MPI_BOR, mpi_operation::Or},       {MPI_LXOR, mpi_operation::Xor},
      {MPI_BXOR, mpi_operation::Xor},       {MPI_MAXLOC, mpi_operation::MaxAt}, {MPI_MINLOC, mpi_operation::MinAt},
      {MPI_REPLACE, mpi_operation::Replace}};
  for (const auto& [handle, operation] : known)
    if (handle == op) return operation;
  return mpi_operation::User;
}

}  // namespace

collective_call::collective_call(recording& r, mpi_function f, MPI_Comm comm) : m_recording(r), m_comm(comm) {
  m_call.kind = call_kind::Collective;
  m_call.function = f;
  PMPI_Comm_rank(comm, &m_rank);
  PMPI_Comm_size(comm, &m_members);
}

void collective_call::set_root(int root) {
  m_root = root;
  m_call.root = m_recording.group(m_comm).world(root);
}

void collective_call::set_operation(MPI_Op op) { m_call.operation = operation_of(op); }

void collective_call::set_bytes(std::uint64_t sent, std::uint64_t received) {
  m_call.send_bytes = sent;
  m_call.receive_bytes = received;
}

buffer collective_call::part(const spread& s, int i) const {
  MPI_Datatype type = s.types != nullptr ? s.types[i] : s.type;
  const int count = s.counts != nullptr ? s.counts[i] : s.count;
  const MPI_Aint extent = m_recording.type(type).extent;
  MPI_Aint at = static_cast<MPI_Aint>(i) * s.count * extent;
  if (s.far_places != nullptr)
    at = s.far_places[i];
  else if (s.places != nullptr)
    at = s.types != nullptr ? s.places[i] : s.places[i] * extent;
  return buffer_of(static_cast<const char*>(s.base) + at, count, type);
}

std::vector<std::pair<buffer, std::int64_t>> collective_call::parts(const spread& s,
                                                                    const std::vector<int>& neighbours) const {
  const bool neighbourhood = is_neighbourhood(m_call.function);
  const int places = neighbourhood ? static_cast<int>(neighbours.size()) : m_members;
  std::vector<std::pair<buffer, std::int64_t>> all;
  for (int i = 0; i < places; ++i) {
    const int rank = neighbourhood ? neighbours[static_cast<std::size_t>(i)] : i;
    if (is_real_rank(rank)) all.emplace_back(part(s, i), m_recording.group(m_comm).world(rank));
  }
  return all;
}

/// Whether the contribution of this rank leaves it.
bool collective_call::goes_to_others() const {
  const mpi_function f = m_call.function;
  if (f == mpi_function::Gather || f == mpi_function::Gatherv || f == mpi_function::Reduce) return !is_root();
  if (is_scan()) return m_rank + 1 < m_members;
  if (!is_neighbourhood(f)) return m_members > 1;
  return std::any_of(m_call.to.begin(), m_call.to.end(),
                     [this](std::uint32_t rank) { return rank != m_recording.rank(); });
}

void collective_call::sends_whole(const buffer& b) {
  contributes_whole(b);
  if (goes_to_others()) m_leaving.push_back(b);
}

void collective_call::sends_vector(const buffer& b, int first, int own) {
  contributes_whole(b);
  const auto before = static_cast<std::uint64_t>(first), until = before + static_cast<std::uint64_t>(own);
  char* const behind = static_cast<char*>(b.base) + static_cast<MPI_Aint>(until) * m_recording.type(b.type).extent;
  m_leaving.push_back({b.base, before, b.type});
  m_leaving.push_back({behind, b.count - until, b.type});
}

void collective_call::contributes_whole(const buffer& b) {
  m_type = b.type;
  m_call.send_bytes = m_recording.bytes(b);
  contributes(b);
}

void collective_call::contributes(const buffer& b) {
  if (m_payload.empty()) return m_payload.push_back(b);
  buffer& last = m_payload.back();
  if (last.count == 0)
    last = b;
  else if (last.type == b.type && m_recording.type(b.type).contiguous && m_recording.reach(last).second == b.base)
    last.count += b.count;
  else if (b.count > 0)
    m_payload.push_back(b);
}

void collective_call::sends(const spread& s) {
  for (const auto& [b, rank] : parts(s, m_to)) {
    m_type = b.type;
    contributes(b);
    if (rank != m_recording.rank()) m_leaving.push_back(b);
    if (s.counts != nullptr) m_call.sends.push_back(m_recording.bytes(b));
  }
  if (s.counts == nullptr) m_call.send_bytes = m_recording.bytes(buffer_of(s.base, s.count, s.type));
}

void collective_call::receives_whole(const buffer& b) {
  m_type = b.type;
  m_call.receive_bytes = m_recording.bytes(b);
  m_coming.push_back(b);
}

void collective_call::receives(const spread& s) {
  for (const auto& [b, rank] : parts(s, m_from)) {
    if (rank != m_recording.rank()) m_coming.push_back(b);
    if (s.counts != nullptr) m_call.receives.push_back(m_recording.bytes(b));
  }
  if (s.counts == nullptr) m_call.receive_bytes = m_recording.bytes(buffer_of(s.base, s.count, s.type));
}

void collective_call::broadcasts(const buffer& b, int root) {
  set_root(root);
  if (is_root())
    sends_whole(b);
  else
    receives_whole(b);
  m_call.send_bytes = m_call.receive_bytes = m_recording.bytes(b);
}

void collective_call::computes(const buffer& b) {
  if (m_call.function == mpi_function::Exscan && m_rank == 0) return;  // this rank receives nothing
  m_call.receive_bytes = m_recording.bytes(b);
  const bool of_others = is_scan() ? m_rank > 0 : m_members > 1;
  if (of_others) m_result.push_back(b);
}

void collective_call::has_counts(const int* counts, MPI_Datatype t) {
  for (int i = 0; i < m_members; ++i) m_call.receives.push_back(m_recording.bytes(buffer_of(nullptr, counts[i], t)));
}

void collective_call::finds_neighbours() {
  int kind = MPI_UNDEFINED;
  PMPI_Topo_test(m_comm, &kind);
  if (kind == MPI_CART) {
    int dimensions = 0;
    PMPI_Cartdim_get(m_comm, &dimensions);
    for (int d = 0; d < dimensions; ++d) {
      int before = 0, behind = 0;
      PMPI_Cart_shift(m_comm, d, 1, &before, &behind);
      m_from.insert(m_from.end(), {before, behind});
    }
    m_to = m_from;
  } else if (kind == MPI_GRAPH) {
    int count = 0;
    PMPI_Graph_neighbors_count(m_comm, m_rank, &count);
    m_from.resize(static_cast<std::size_t>(count));
    PMPI_Graph_neighbors(m_comm, m_rank, count, m_from.data());
    m_to = m_from;
  } else if (kind == MPI_DIST_GRAPH) {
    int in = 0, out = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(m_comm, &in, &out, &weighted);
    std::vector<int> weights(static_cast<std::size_t>(in + out) + 1);
    m_from.resize(static_cast<std::size_t>(in));
    m_to.resize(static_cast<std::size_t>(out));
    PMPI_Dist_graph_neighbors(m_comm, in, m_from.data(), weights.data(), out, m_to.data(), weights.data() + in);
  }
  // Neighbors beyond the edge of a grid are not recorded, because no data go there.
  const auto add_neighbors = [this](const std::vector<int>& ranks, std::vector<std::uint32_t>& recorded) {
    for (const int rank : ranks)
      if (is_real_rank(rank)) recorded.push_back(static_cast<std::uint32_t>(m_recording.group(m_comm).world(rank)));
  };
  add_neighbors(m_from, m_call.from);
  add_neighbors(m_to, m_call.to);
}

void collective_call::truncate(const buffer& b, truncation_point where) {
  const mpi_function f = m_call.function;
  m_recording.truncate(b, f, AnyTag,
                       counts_by_part(f) ? m_recording.bytes(b)
                                         : datum_bytes(f, m_call.send_bytes, m_call.receive_bytes, m_call.sends,
                                                       m_call.receives, where));
}

void collective_call::before() {
  if (m_recording.truncates(truncation_point::Sender))
    for (const buffer& b : m_leaving) truncate(b, truncation_point::Sender);
  m_keeps = !m_payload.empty() && m_recording.keeps_payload();
  if (!m_keeps || !overwrites_payload()) return;
  m_kept = m_recording.packed(m_payload);
  m_payload = {buffer{m_kept.data(), m_kept.size(), MPI_BYTE}};
}

/// Whether MPI overwrites the payload: with MPI_IN_PLACE, and for buffers that overlap although they must not.
bool collective_call::overwrites_payload() const {
  const auto overlaps = [this](const std::vector<buffer>& written, const buffer& read) {
    const auto kept = m_recording.reach(read);
    return std::any_of(written.begin(), written.end(), [&](const buffer& b) {
      const auto [first, end] = m_recording.reach(b);
      return first < kept.second && kept.first < end;
    });
  };
  return std::any_of(m_payload.begin(), m_payload.end(),
                     [&](const buffer& b) { return overlaps(m_coming, b) || overlaps(m_result, b); });
}

void collective_call::truncate_incoming() {
  if (m_recording.truncates(truncation_point::Receiver))
    for (const buffer& b : m_coming) truncate(b, truncation_point::Receiver);
  if (m_recording.truncates_any())
    for (const buffer& b : m_result) truncate(b, truncation_point::Receiver);
}

void collective_call::record(const call_times& times, bool with_request) {
  if (!m_recording.fill_in(m_call, m_comm, m_type, times)) return;
  if (with_request) m_call.request = m_recording.next_request();
  if (m_keeps)
    m_recording.record(m_call, m_payload);
  else
    m_recording.record(m_call);
}

void collective_call::after(const call_times& times, const MPI_Request* request, int status) {
  if (request == nullptr && m_call.request != 0) m_recording.record_completion(end_of(m_call, status), times);
  if (status != MPI_SUCCESS) return;
  if (request == nullptr) return truncate_incoming();
  open_request o;
  o.number = m_call.request;
  o.communicator = m_comm;
  if (m_recording.truncates_any()) {
    const auto self = std::make_shared<collective_call>(*this);
    o.arrived = [self](const MPI_Status&) { self->truncate_incoming(); };
  }
  m_recording.open(*request, std::move(o));
}

}  // namespace weft::recorder
