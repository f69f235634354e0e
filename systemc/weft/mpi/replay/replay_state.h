// SPDX-License-Identifier: Apache-2.0
/// The state of ranks, messages and requests in replay_traffic.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/mpi/replay/object_pool.h"
#include "weft/mpi/replay/replay_traffic.h"

namespace weft {

/// An event that a rank may wait for: a message has departed or arrived, or a collective is complete.
struct replay_traffic::request {
  cycle_t done = Never;  ///< cycle in which the waiting rank continues
  replay_path path;      ///< how the time until then was spent; for an incomplete receive, until it was posted
  bool sends = false;
  activity* by = nullptr;       ///< activity that posted it
  activity* waiting = nullptr;  ///< activity that waits for it
  // Of a receive:
  const replay_call* call = nullptr;
  std::uint64_t order = 0;  ///< in the order of all actions of the rank
  cycle_t posted = 0;
};

/// There may be one for each sending call, so it must stay small.
struct replay_traffic::message {
  channel_key key;
  std::uint32_t list_number = 0;           ///< for a message list: its number there, from 1
  const replay_call* send_call = nullptr;  ///< null: not sent yet
  std::uint64_t send_order = 0;            ///< in the order of all actions of the rank
  std::uint64_t bytes = 0;
  std::shared_ptr<const std::string> payload;
  std::uint64_t payload_at = 0;  ///< offset of its payload; without recorded payload, offset in the generated one
  data_type type = data_type::Other;
  std::uint8_t cut = ConfiguredCut;
  bool compressed = false;  ///< at least one of its packets was sent compressed
  bool eager = true;
  std::uint32_t to_go = 0;      ///< packets that have not departed
  cycle_t came_at = Never;      ///< arrival of the message if eager, otherwise of its request
  cycle_t began = 0;            ///< start of its time in the network…
  replay_path path;             ///< …which follows this path
  request* sender = nullptr;    ///< null: the sender does not wait
  request* receiver = nullptr;  ///< null: no receive posted yet
  message* next = nullptr;      ///< next message in its channel
};

/// The state of a message of a message list.
struct replay_traffic::list_entry {
  std::uint32_t waits = 0;                              ///< number of dependencies that are not complete
  cycle_t ready = 0;                                    ///< completion of the latest of the others
  replay_path path;                                     ///< how the time until then was spent
  std::vector<std::uint32_t> at_arrival, at_departure;  ///< messages that wait for its arrival, and for its departure
};

/// A sequence of steps in a rank: its calls, or a collective that runs beside them.
struct replay_traffic::activity {
  std::uint32_t rank = 0;
  cycle_t time = 0;
  replay_path path;
  bool main = true;
  std::size_t next_call = 0;

  // The current call.
  const replay_call* call = nullptr;
  std::vector<collective_action> actions;
  std::size_t next_action = 0;
  channel_key key;                                  ///< of a collective, without the partner
  std::vector<request*> own;                        ///< for blocking calls and collectives
  std::vector<request*> awaited;                    ///< waits for all of them
  std::shared_ptr<const std::string> last_payload;  ///< payload of the message received last
  std::uint64_t last_payload_at = 0;
  request* completes = nullptr;  ///< for a collective beside the calls: the request that it completes
};

struct replay_traffic::parts {
  object_pool<activity> activities;
  object_pool<message> messages;
  object_pool<request> requests;
};

}  // namespace weft
