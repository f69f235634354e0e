// SPDX-License-Identifier: Apache-2.0
/// Communicators and data types in the recorder: resolved once, then found by handle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpi.h>

#include "weft/mpi/trace/trace.h"

namespace weft::recorder {

/// Tag of functions that make a communicator without a tag.
inline constexpr int NoTag = -1;

/// A communicator: its members as in the trace, and the ranks that its ranks address.
struct group_of {
  trace_communicator communicator;
  bool inter = false;
  bool covered = true;  ///< whether all its processes belong to MPI_COMM_WORLD
  /// The number of communicators made from it so far; those with equal members and equal tags share a count.
  std::unordered_map<std::uint64_t, std::uint64_t> made;

  /// World rank of \p rank as a source, a destination or a root.
  std::int64_t world(int rank) const {
    const std::vector<std::uint32_t>& ranks = inter ? communicator.peers : communicator.members;
    const auto i = static_cast<std::size_t>(rank);
    return rank >= 0 && i < ranks.size() ? std::int64_t{ranks[i]} : AnyRank;
  }
};

/// Communicators by handle. Their ordinals identify their origin: MPI orders only the communicators made from the same
/// parent with equal members and equal tags.
class known_groups {
 public:
  /// Use after MPI_Init(). Calls \p add_to_trace with each communicator before it is used.
  explicit known_groups(std::function<void(const trace_communicator&)> add_to_trace)
      : m_add_to_trace(std::move(add_to_trace)) {}

  /// A communicator first seen here, such as MPI_COMM_WORLD, has no parent.
  group_of& of(MPI_Comm c) {
    const auto found = m_groups.find(c);
    return found != m_groups.end() ? *found->second : enters(c, made_of(m_none, c, NoTag));
  }
  /// Registers a communicator with the members of \p c, made, or about to be made, from \p parent; MPI_COMM_NULL if
  /// there is no parent that all its ranks share. Call enters() when its handle is known.
  std::shared_ptr<group_of> made_of(MPI_Comm parent, MPI_Comm c, int tag) {
    return made_of(parent == MPI_COMM_NULL ? m_none : of(parent), c, tag);
  }
  group_of& enters(MPI_Comm c, std::shared_ptr<group_of> g) { return *(m_groups[c] = std::move(g)); }
  void remove(MPI_Comm c) { m_groups.erase(c); }

 private:
  std::shared_ptr<group_of> made_of(group_of& parent, MPI_Comm c, int tag);
  std::vector<std::uint32_t> world_ranks(MPI_Group group, bool& covered) const;

  std::function<void(const trace_communicator&)> m_add_to_trace;
  std::unordered_map<MPI_Comm, std::shared_ptr<group_of>> m_groups;
  group_of m_none;            ///< parent of communicators without a parent
  std::uint32_t m_count = 0;  ///< number of communicators so far
};

/// The position of some data of a type, in bytes.
struct type_block {
  MPI_Aint first = 0;
  MPI_Aint span = 0;
};

/// The blocks of one \p t. Only displacements in bytes separate blocks: these may be addresses, with memory of other
/// owners between them.
std::vector<type_block> blocks_of(MPI_Datatype t);

/// A data type.
struct type_of {
  std::uint32_t element = 0;  ///< trace_element::id
  std::uint64_t size = 0;     ///< bytes of one
  MPI_Aint extent = 0;        ///< from one to the next
  MPI_Aint first = 0;         ///< where the data of one begin…
  MPI_Aint span = 0;          ///< …and their extent
  bool contiguous = true;     ///< its bytes are consecutive, also from one item to the next
  data_type kind = data_type::Other;
};

class known_types {
 public:
  /// Calls \p add_to_trace with each element before it is used.
  template <typename AddToTrace>
  const type_of& of(MPI_Datatype t, AddToTrace add_to_trace) {
    const auto found = m_types.find(t);
    if (found != m_types.end()) return found->second;
    trace_element fresh;
    const type_of type = resolve(t, fresh);
    if (fresh.id == type.element && !fresh.name.empty()) add_to_trace(fresh);
    return m_types.emplace(t, type).first->second;
  }
  void remove(MPI_Datatype t) { m_types.erase(t); }

 private:
  type_of resolve(MPI_Datatype t, trace_element& fresh);

  std::unordered_map<MPI_Datatype, type_of> m_types;
  std::map<MPI_Datatype, std::uint32_t> m_elements;  ///< elements in the trace; MPI_DATATYPE_NULL: mixed
};

}  // namespace weft::recorder
