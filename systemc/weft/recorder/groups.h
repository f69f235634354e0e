// SPDX-License-Identifier: Apache-2.0
/// Communicators and data types as the recorder knows them: resolved once, found by handle.
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

#include "weft/trace/trace.h"

namespace weft::recorder {

/// The tag of what makes a communicator, where that has none.
inline constexpr int NoTag = -1;

/// A communicator. Its members, told in the trace, and whom its ranks address.
struct group_of {
  trace_communicator told;
  bool inter = false;
  bool covered = true;  ///< all its processes belong to MPI_COMM_WORLD
  /// How many communicators were made of it so far; those of equal members, by equal tags, have one number.
  std::unordered_map<std::uint64_t, std::uint64_t> made;

  /// World rank of rank \p rank as a source, a destination or a root.
  std::int64_t world(int rank) const {
    const std::vector<std::uint32_t>& ranks = inter ? told.peers : told.members;
    const auto i = static_cast<std::size_t>(rank);
    return rank >= 0 && i < ranks.size() ? std::int64_t{ranks[i]} : AnyRank;
  }
};

/// Communicators by handle. Their ordinals say what they descend from: MPI orders those that are made of one
/// communicator, with equal members and by equal tags, and no others.
class known_groups {
 public:
  /// From MPI_Init() on. \p add_to_trace is called with each communicator before it is used.
  explicit known_groups(std::function<void(const trace_communicator&)> add_to_trace)
      : m_add_to_trace(std::move(add_to_trace)) {}

  /// One that is met here first, such as that of the world, is made of none.
  group_of& of(MPI_Comm c) {
    const auto found = m_groups.find(c);
    return found != m_groups.end() ? *found->second : enters(c, made_of(m_none, c, NoTag));
  }
  /// One with the members of \p c has been made of \p parent, or of none that all its ranks know, MPI_COMM_NULL; or it
  /// begins to be made. With its handle it enters().
  std::shared_ptr<group_of> made_of(MPI_Comm parent, MPI_Comm c, int tag) {
    return made_of(parent == MPI_COMM_NULL ? m_none : of(parent), c, tag);
  }
  group_of& enters(MPI_Comm c, std::shared_ptr<group_of> g) { return *(m_groups[c] = std::move(g)); }
  void forget(MPI_Comm c) { m_groups.erase(c); }

 private:
  std::shared_ptr<group_of> made_of(group_of& parent, MPI_Comm c, int tag);
  std::vector<std::uint32_t> world_ranks(MPI_Group group, bool& covered) const;

  std::function<void(const trace_communicator&)> m_add_to_trace;
  std::unordered_map<MPI_Comm, std::shared_ptr<group_of>> m_groups;
  group_of m_none;            ///< of which is made what has no parent
  std::uint32_t m_count = 0;  ///< so far
};

/// Where some data of a type lie, in bytes.
struct type_block {
  MPI_Aint first = 0;
  MPI_Aint span = 0;
};

/// Those of one \p t. Only displacements in bytes part them: those may be addresses, with memory between them that is
/// not the program's.
std::vector<type_block> blocks_of(MPI_Datatype t);

/// A data type.
struct type_of {
  std::uint32_t element = 0;  ///< trace_element::id
  std::uint64_t size = 0;     ///< bytes of one
  MPI_Aint extent = 0;        ///< from one to the next
  MPI_Aint first = 0;         ///< where the data of one begin…
  MPI_Aint span = 0;          ///< …and how far they reach
  bool contiguous = true;     ///< its bytes lie behind each other, and those of the next one behind them
  data_type kind = data_type::Other;
};

class known_types {
 public:
  /// \p add_to_trace is called with each element before it is used.
  template <typename AddToTrace>
  const type_of& of(MPI_Datatype t, AddToTrace add_to_trace) {
    const auto found = m_types.find(t);
    if (found != m_types.end()) return found->second;
    trace_element fresh;
    const type_of type = resolve(t, fresh);
    if (fresh.id == type.element && !fresh.name.empty()) add_to_trace(fresh);
    return m_types.emplace(t, type).first->second;
  }
  void forget(MPI_Datatype t) { m_types.erase(t); }

 private:
  type_of resolve(MPI_Datatype t, trace_element& fresh);

  std::unordered_map<MPI_Datatype, type_of> m_types;
  std::map<MPI_Datatype, std::uint32_t> m_elements;  ///< of those in the trace; MPI_DATATYPE_NULL: mixed
};

}  // namespace weft::recorder
