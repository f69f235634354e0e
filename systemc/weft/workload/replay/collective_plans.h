// SPDX-License-Identifier: Apache-2.0
/// Collectives of MPI by the algorithms of `weft collective`: which one is taken, and what each rank does then.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/core/types.h"
#include "weft/workload/collective/collective.h"
#include "weft/workload/collective/collective_network.h"
#include "weft/workload/collective/collective_parameters.h"
#include "weft/workload/parameters.h"
#include "weft/workload/replay/collective_steps.h"
#include "weft/workload/replay/replay_program.h"

namespace weft {

/// From so many bytes of a datum on, an algorithm; none: the usual messages, of steps_of().
struct collective_choice {
  std::uint64_t from = 0;
  std::optional<collective_algorithm> algorithm;
};

/// "usual", "ring", "recursive_doubling, ring from 4096": by increasing size, the first from 0 on.
/// \throws std::invalid_argument for anything else
std::vector<collective_choice> parse_choices(const std::string& text);

/// What \p f is among the collectives that have a choice; none of others.
std::optional<replayed_collective> collective_of(mpi_function f);

/// Where in the payload of \p call the datum for member number \p receiver is; for all, where they get the same.
struct datum_place {
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
};
datum_place datum_of(const replay_call& call, const replay_collective& more, std::size_t receiver);

/// A schedule of `weft schedule`, as messages between nodes of the network.
struct replayed_schedule {
  collective_operation operation = collective_operation::Broadcast;
  std::vector<node_id> sources, receivers;
  collective messages;
};

/// What each rank does in each collective of a program, and what its messages carry.
class collective_plans {
 public:
  /// \param program outlives it
  /// \param nodes of the ranks on \p network
  /// \param scheduled may be null
  /// \throws std::invalid_argument as parse_choices(), and if an algorithm that is chosen cannot do a call
  collective_plans(const replay_program& program, const replay_parameters& asked, collective_network network,
                   std::vector<node_id> nodes, const replayed_schedule* scheduled);
  ~collective_plans();
  collective_plans(const collective_plans&) = delete;
  collective_plans& operator=(const collective_plans&) = delete;

  /// What \p rank does in its collective number \p number, from 1, on a communicator; null: the usual.
  const std::vector<collective_step>* steps(std::uint32_t rank, std::uint32_t communicator, std::uint32_t number) const;

  /// What a message carries, that belongs to that collective and is sent by \p rank.
  struct content {
    std::uint64_t bytes = 0;
    std::shared_ptr<const std::string> payload;  ///< null: not recorded
    std::uint64_t payload_at = 0;
  };
  content content_of(const planned_message& m, std::uint32_t rank, std::uint32_t communicator,
                     std::uint32_t number) const;

 private:
  struct plan;
  /// What is chosen by: kind, algorithm, communicator and root.
  using plan_key = std::tuple<replayed_collective, collective_algorithm, std::uint32_t, std::int64_t>;

  const replay_call* call_of(std::uint32_t rank, std::uint32_t communicator, std::uint32_t number) const;
  const replay_collective& more_of(std::uint32_t rank, const replay_call& call) const;
  std::optional<plan_key> key_of(std::uint32_t rank, std::uint32_t communicator, std::uint32_t number) const;
  plan make(const plan_key& key) const;
  plan planned(const collective& made, const std::vector<std::uint32_t>& rank_at,
               const std::vector<std::uint32_t>& members, bool personal) const;
  void check_scheduled(const plan_key& key) const;

  const replay_program& m_program;
  const std::vector<std::uint32_t> m_group;
  const collective_network m_network;
  const std::vector<node_id> m_nodes;
  const replayed_schedule* m_scheduled;
  std::vector<std::vector<collective_choice>> m_choices;  ///< by replayed_collective
  /// Collectives by rank and communicator, in order.
  std::vector<std::unordered_map<std::uint32_t, std::vector<const replay_call*>>> m_calls;
  std::map<plan_key, plan> m_plans;
};

}  // namespace weft
