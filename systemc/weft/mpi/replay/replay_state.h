// SPDX-License-Identifier: Apache-2.0
/// The state of the ranks, messages and requests in replay_traffic.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/mpi/replay/object_pool.h"
#include "weft/mpi/replay/replay_traffic.h"

namespace weft {

/// A request: an event for which a rank may wait. Such events are the departure or arrival of a message, and the
/// completion of a collective.
struct replay_traffic::request {
  cycle_t done = Never;  ///< cycle in which the waiting rank continues
  replay_path path;      ///< how the time until `done` was spent; for an incomplete receive, until it was posted
  bool sends = false;
  activity* by = nullptr;       ///< activity that posted it
  activity* waiting = nullptr;  ///< activity that waits for it
  // Only for a receive:
  const replay_call* call = nullptr;
  std::uint64_t order = 0;  ///< position in the order of all actions of the rank
  cycle_t posted = 0;
};

/// A message. There may be one for each sending call, so the structure must stay small.
struct replay_traffic::message {
  channel_key key;
  std::uint32_t list_number = 0;           ///< number in a message list, from 1
  const replay_call* send_call = nullptr;  ///< null if it is not sent yet
  std::uint64_t send_order = 0;            ///< position in the order of all actions of the rank
  std::uint64_t bytes = 0;
  std::shared_ptr<const std::string> payload;
  std::uint64_t payload_at = 0;  ///< offset in `payload` or, if there is none, in the generated payload
  data_type type = data_type::Other;
  std::uint8_t cut = ConfiguredCut;
  bool compressed = false;  ///< whether at least one of its packets was sent compressed
  bool eager = true;
  std::uint32_t to_go = 0;      ///< number of packets that have not departed
  cycle_t came_at = Never;      ///< arrival of the message if it is eager, otherwise of its request
  cycle_t began = 0;            ///< start of its time in the network
  replay_path path;             ///< path of the time before `began`
  request* sender = nullptr;    ///< null if the sender does not wait
  request* receiver = nullptr;  ///< null if no receive is posted yet
  message* next = nullptr;      ///< next message in the same channel
};

/// The state of a message of a message list.
struct replay_traffic::list_entry {
  std::uint32_t waits = 0;                              ///< number of dependencies that are not complete
  cycle_t ready = 0;                                    ///< latest completion of the other dependencies
  replay_path path;                                     ///< how the time until `ready` was spent
  std::vector<std::uint32_t> at_arrival, at_departure;  ///< messages that wait for its arrival, and for its departure
};

/// An activity: a sequence of steps in a rank. It is either the calls of the rank or a collective that runs at the same
/// time.
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
  channel_key key;                                  ///< channel of a collective, without the partner
  std::vector<request*> own;                        ///< requests of blocking calls and collectives
  std::vector<request*> awaited;                    ///< requests for which the activity waits
  std::shared_ptr<const std::string> last_payload;  ///< payload of the message received last
  std::uint64_t last_payload_at = 0;
  request* completes = nullptr;  ///< request that a collective completes if it runs beside the calls
};

struct replay_traffic::parts {
  object_pool<activity> activities;
  object_pool<message> messages;
  object_pool<request> requests;
};

}  // namespace weft
