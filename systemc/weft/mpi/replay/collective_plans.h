// SPDX-License-Identifier: Apache-2.0
/// Carries out MPI collectives by the algorithms of `weft collective`: the choice of the algorithm, and the actions of
/// each rank.
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

#include "weft/collectives/communication/collective.h"
#include "weft/collectives/communication/collective_network.h"
#include "weft/core/types.h"
#include "weft/mpi/replay/collective_actions.h"
#include "weft/mpi/replay/replay_program.h"
#include "weft/workload/collective_parameters.h"
#include "weft/workload/parameters.h"

namespace weft {

/// The algorithm for data of at least `from` bytes. Without an algorithm, the usual messages of actions_of() are used.
struct collective_choice {
  std::uint64_t from = 0;
  std::optional<collective_algorithm> algorithm;
};

/// Parses a text such as "usual", "ring" or "recursive_doubling, ring from 4096". It contains choices by increasing
/// size, the first of which applies from 0 bytes on.
/// \throws std::invalid_argument for any other text
std::vector<collective_choice> parse_choices(const std::string& text);

/// Returns the kind of collective of \p f for which an algorithm can be chosen; nothing for other functions.
std::optional<replayed_collective> collective_of(mpi_function f);

/// The position of the datum for member number \p receiver in the payload of \p call. If all members get the same data,
/// \p receiver is ignored.
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

/// For each collective of a program, the actions of each rank and the contents of their messages.
class collective_plans {
 public:
  /// Makes the plans of all collectives.
  /// \param program must outlive this object
  /// \param nodes the node of each rank on \p network
  /// \param scheduled the schedule to use, if any; may be null
  /// \throws std::invalid_argument as parse_choices(), and if a chosen algorithm cannot carry out a call
  collective_plans(const replay_program& program, const replay_parameters& parameters, collective_network network,
                   std::vector<node_id> nodes, const replayed_schedule* scheduled);
  ~collective_plans();
  collective_plans(const collective_plans&) = delete;
  collective_plans& operator=(const collective_plans&) = delete;

  /// Returns the actions of \p rank in its collective number \p number (counted from 1) on a communicator. Null means
  /// the usual actions.
  const std::vector<collective_action>* actions(std::uint32_t rank, std::uint32_t communicator,
                                                std::uint32_t number) const;

  /// The contents of a message that \p rank sends in such a collective.
  struct content {
    std::uint64_t bytes = 0;
    std::shared_ptr<const std::string> payload;  ///< null if the trace does not contain the payload
    std::uint64_t payload_at = 0;
  };
  content content_of(const planned_message& m, std::uint32_t rank, std::uint32_t communicator,
                     std::uint32_t number) const;

 private:
  struct plan;
  /// Key of a plan: kind of collective, algorithm, communicator and root.
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
  std::vector<std::vector<collective_choice>> m_choices;  ///< choices for each replayed_collective
  /// The collectives of each rank on each communicator, in order.
  std::vector<std::unordered_map<std::uint32_t, std::vector<const replay_call*>>> m_calls;
  std::map<plan_key, plan> m_plans;
};

}  // namespace weft
