// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/recorder/groups.h"

#include <set>
#include <string>

#include "weft/core/random.h"

namespace weft::recorder {

namespace {

/// How a type was made. For a named type, this is only the combiner.
class making {
 public:
  explicit making(MPI_Datatype t) {
    int numbers = 0, places = 0, inner = 0;
    PMPI_Type_get_envelope(t, &numbers, &places, &inner, &combiner);
    if (combiner == MPI_COMBINER_NAMED || inner == 0) return;
    integers.resize(static_cast<std::size_t>(numbers) + 1);
    addresses.resize(static_cast<std::size_t>(places) + 1);
    types.resize(static_cast<std::size_t>(inner));
    PMPI_Type_get_contents(t, numbers, places, inner, integers.data(), addresses.data(), types.data());
  }
  making(const making&) = delete;
  making& operator=(const making&) = delete;
  ~making() {
    for (MPI_Datatype& part : types) {
      int numbers = 0, places = 0, inner = 0, of_part = 0;
      PMPI_Type_get_envelope(part, &numbers, &places, &inner, &of_part);
      if (of_part != MPI_COMBINER_NAMED) PMPI_Type_free(&part);
    }
  }

  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

/// Collects in \p parts the named types of which \p t is made.
void find_named(MPI_Datatype t, std::set<MPI_Datatype>& parts) {
  const making made(t);
  if (made.types.empty()) parts.insert(t);
  for (MPI_Datatype part : made.types) find_named(part, parts);
}

/// Appends the blocks of \p count consecutive elements of type \p t, which begin at \p at.
void find_blocks(MPI_Datatype t, int count, MPI_Aint at, std::vector<type_block>& blocks) {
  if (count == 0) return;
  const making made(t);
  const bool listed = made.combiner == MPI_COMBINER_HINDEXED || made.combiner == MPI_COMBINER_STRUCT;
  if (count == 1 && (listed || made.combiner == MPI_COMBINER_HINDEXED_BLOCK)) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(made.integers[0]); ++i)
      find_blocks(made.types[made.combiner == MPI_COMBINER_STRUCT ? i : 0], made.integers[listed ? 1 + i : 1],
                  at + made.addresses[i], blocks);
    return;
  }
  if (count == 1 && made.combiner == MPI_COMBINER_HVECTOR) {
    for (int i = 0; i < made.integers[0]; ++i)
      find_blocks(made.types[0], made.integers[1], at + i * made.addresses[0], blocks);
    return;
  }
  if (count == 1 && (made.combiner == MPI_COMBINER_DUP || made.combiner == MPI_COMBINER_RESIZED))
    return find_blocks(made.types[0], 1, at, blocks);
  MPI_Aint low = 0, extent = 0, first = 0, span = 0;
  PMPI_Type_get_extent(t, &low, &extent);
  PMPI_Type_get_true_extent(t, &first, &span);
  blocks.push_back({at + first, (count - 1) * extent + span});
}

data_type kind_of_named(MPI_Datatype t) {
  for (MPI_Datatype i : {MPI_INT, MPI_UNSIGNED, MPI_INT32_T, MPI_UINT32_T, MPI_INTEGER, MPI_2INT})
    if (t == i) return data_type::Int;
  for (MPI_Datatype d : {MPI_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL8})
    if (t == d) return data_type::Double;
  for (MPI_Datatype c : {MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX16})
    if (t == c) return data_type::DoubleComplex;
  return data_type::Other;
}

/// Returns a number for communicators with these members that are made with \p tag. Both groups of an intercommunicator
/// yield the same number.
std::uint64_t what_is_made(const trace_communicator& c, int tag) {
  const bool turned = !c.peers.empty() && c.peers < c.members;
  std::uint64_t mixed = splitmix64(0, static_cast<std::uint64_t>(tag));
  for (const auto* const ranks : {turned ? &c.peers : &c.members, turned ? &c.members : &c.peers}) {
    mixed = splitmix64(mixed, ranks->size());
    for (const std::uint32_t r : *ranks) mixed = splitmix64(mixed, r);
  }
  return mixed;
}

}  // namespace

std::vector<type_block> blocks_of(MPI_Datatype t) {
  std::vector<type_block> blocks;
  find_blocks(t, 1, 0, blocks);
  return blocks;
}

std::vector<std::uint32_t> known_groups::world_ranks(MPI_Group group, bool& covered) const {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> own(static_cast<std::size_t>(size)), world(own.size());
  for (int i = 0; i < size; ++i) own[static_cast<std::size_t>(i)] = i;
  MPI_Group all = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  if (size > 0) PMPI_Group_translate_ranks(group, size, own.data(), all, world.data());
  PMPI_Group_free(&all);
  std::vector<std::uint32_t> ranks;
  for (const int r : world) {
    if (r == MPI_UNDEFINED) covered = false;
    ranks.push_back(r == MPI_UNDEFINED ? 0 : static_cast<std::uint32_t>(r));
  }
  return ranks;
}

std::shared_ptr<group_of> known_groups::made_of(group_of& parent, MPI_Comm c, int tag) {
  auto g = std::make_shared<group_of>();
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(c, &group);
  g->communicator.members = world_ranks(group, g->covered);
  PMPI_Group_free(&group);
  int inter = 0;
  PMPI_Comm_test_inter(c, &inter);
  g->inter = inter != 0;
  if (g->inter) {
    PMPI_Comm_remote_group(c, &group);
    g->communicator.peers = world_ranks(group, g->covered);
    PMPI_Group_free(&group);
  }
  const std::uint64_t what = what_is_made(g->communicator, tag);
  g->communicator.ordinal = splitmix64(splitmix64(parent.communicator.ordinal, what), parent.made[what]++);
  g->communicator.id = m_count++;
  if (!g->covered) {  // the trace contains no other processes, so its calls are not recorded
    g->communicator.members = {0};
    g->communicator.peers.clear();
  }
  m_add_to_trace(g->communicator);
  return g;
}

type_of known_types::resolve(MPI_Datatype t, trace_element& fresh) {
  type_of type;
  MPI_Count size = 0;
  PMPI_Type_size_x(t, &size);
  MPI_Aint low = 0;
  PMPI_Type_get_extent(t, &low, &type.extent);
  PMPI_Type_get_true_extent(t, &type.first, &type.span);
  type.size = size < 0 ? 0 : static_cast<std::uint64_t>(size);
  type.contiguous = type.first == 0 && type.span == static_cast<MPI_Aint>(type.size) && type.extent == type.span;

  std::set<MPI_Datatype> parts;
  find_named(t, parts);
  const bool mixed = parts.size() != 1;
  MPI_Datatype named = mixed ? MPI_DATATYPE_NULL : *parts.begin();
  const data_type kind = mixed ? data_type::Other : kind_of_named(named);
  type.kind = kind;
  const auto known = m_elements.find(named);
  if (known != m_elements.end()) {
    type.element = known->second;
    return type;
  }
  type.element = static_cast<std::uint32_t>(m_elements.size());
  m_elements.emplace(named, type.element);
  fresh.id = type.element;
  fresh.type = kind;
  fresh.name = "mixed";
  if (!mixed) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0, bytes = 0;
    PMPI_Type_get_name(named, name, &length);
    PMPI_Type_size(named, &bytes);
    fresh.name = length > 0 ? std::string(name, static_cast<std::size_t>(length)) : "unnamed";
    fresh.size = static_cast<std::uint32_t>(bytes > 0 ? bytes : 1);
  }
  return type;
}

}  // namespace weft::recorder
