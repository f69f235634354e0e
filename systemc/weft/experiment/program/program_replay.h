// SPDX-License-Identifier: Apache-2.0
/// Replays an MPI program on the network of a configuration, and measures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/run/run.h"
#include "weft/workload/replay/replay_traffic.h"

namespace weft::experiment {

/// What a user chooses about a replay.
struct replay_choices {
  std::string map = "linear";  ///< linear, optimised, or nodes as in "0,5,10"
  double computing = 1;        ///< how much of the time between calls is replayed: 0 none, 1 all
  double gigahertz = 1;        ///< clock of the network
  std::uint64_t eager = 4096;  ///< bytes of the longest message that does not ask first
  std::uint32_t packet = 16;   ///< flits of the longest packet
};

struct program_figures {
  outcome how = outcome::Complete;
  std::vector<std::string> explanation;  ///< of any other outcome, line by line
  std::vector<node_id> nodes;            ///< of the ranks
  std::uint64_t mapping_cost = 0;        ///< bytes times hops
  cycle_t makespan = 0;
  replay_path path;  ///< the critical one
  std::vector<replay_rank_figures> ranks;
  std::uint64_t packets = 0;
  std::uint64_t flits = 0;          ///< of all packets as they were created
  std::uint64_t flit_hops = 0;      ///< flits on channels between routers and to nodes, as they travelled
  std::uint64_t bytes = 0;          ///< of messages that arrived
  std::uint64_t changed_flits = 0;  ///< that arrived otherwise than they were sent: LSB-cut
};

/// \throws configuration_error, also for choices that do not fit program or network
program_figures replay_program_on(const configuration& c, const replay_program& program, const replay_choices& choices,
                                  const rtl_provider& rtl, const run_hooks& hooks);

}  // namespace weft::experiment
