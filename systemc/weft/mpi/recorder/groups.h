// SPDX-License-Identifier: Apache-2.0
/// The communicators and data types of the program. The recorder resolves each once and then finds it by its handle.
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

/// The tag for functions that make a communicator without a tag.
inline constexpr int NoTag = -1;

/// A communicator: its members as the trace lists them, and the world ranks to which its ranks refer.
struct group_of {
  trace_communicator communicator;
  bool inter = false;
  bool covered = true;  ///< whether all its processes belong to MPI_COMM_WORLD
  /// The number of communicators that were made from this one, counted separately for each set of members and tag.
  std::unordered_map<std::uint64_t, std::uint64_t> made;

  /// Returns the world rank of \p rank, which is a source, a destination or a root.
  std::int64_t world(int rank) const {
    const std::vector<std::uint32_t>& ranks = inter ? communicator.peers : communicator.members;
    const auto i = static_cast<std::size_t>(rank);
    return rank >= 0 && i < ranks.size() ? std::int64_t{ranks[i]} : AnyRank;
  }
};

/// All communicators by handle. Each has an ordinal, which identifies how it was made. MPI defines the order only of
/// communicators that were made from the same parent with the same members and the same tag.
class known_groups {
 public:
  /// May be used after MPI_Init(). Calls \p add_to_trace with each communicator before the communicator is used.
  explicit known_groups(std::function<void(const trace_communicator&)> add_to_trace)
      : m_add_to_trace(std::move(add_to_trace)) {}

  /// Returns communicator \p c. If it is seen here for the first time, as MPI_COMM_WORLD is, it has no parent.
  group_of& of(MPI_Comm c) {
    const auto found = m_groups.find(c);
    return found != m_groups.end() ? *found->second : enters(c, made_of(m_none, c, NoTag));
  }
  /// Registers a communicator with the members of \p c that was made from \p parent, or is being made. \p parent is
  /// MPI_COMM_NULL if no communicator is the parent for all its ranks. Call enters() when the handle of the new
  /// communicator is known.
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

/// A block: contiguous data within a data type, in bytes.
struct type_block {
  MPI_Aint first = 0;
  MPI_Aint span = 0;
};

/// Returns the blocks of one element of type \p t. Only displacements in bytes divide a type into blocks. They may be
/// addresses, so that memory of other owners lies between the blocks.
std::vector<type_block> blocks_of(MPI_Datatype t);

/// The properties of a data type.
struct type_of {
  std::uint32_t element = 0;  ///< trace_element::id
  std::uint64_t size = 0;     ///< bytes of data in one element
  MPI_Aint extent = 0;        ///< distance from one element to the next
  MPI_Aint first = 0;         ///< first byte of the data of an element
  MPI_Aint span = 0;          ///< bytes from the first to the last byte of the data
  bool contiguous = true;     ///< whether the bytes are consecutive, also from one element to the next
  data_type kind = data_type::Other;
};

class known_types {
 public:
  /// Returns the properties of \p t. Calls \p add_to_trace with each kind of elements before it is used.
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
  std::map<MPI_Datatype, std::uint32_t> m_elements;  ///< element kinds in the trace; MPI_DATATYPE_NULL: mixed
};

}  // namespace weft::recorder
