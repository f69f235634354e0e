// SPDX-License-Identifier: Apache-2.0
/// What replay_traffic keeps of ranks, messages and requests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/workload/replay/object_pool.h"
#include "weft/workload/replay/replay_traffic.h"

namespace weft {

/// Something that a rank may wait for: that a message has gone, or has come, or that a collective is over.
struct replay_traffic::request {
  cycle_t done = Never;  ///< what waits for it goes on then
  replay_path path;      ///< how the time until then was spent; of a receive that is not done, until it was posted
  bool sends = false;
  activity* by = nullptr;       ///< who posted it
  activity* waiting = nullptr;  ///< who has come to wait for it
  // Of a receive:
  const replay_call* call = nullptr;
  std::uint64_t order = 0;  ///< among all that the rank does
  cycle_t posted = 0;
};

/// There may be one for each call that sends: keep it small.
struct replay_traffic::message {
  channel_key key;
  std::uint32_t listed = 0;                ///< of a list: its number there, from 1
  const replay_call* send_call = nullptr;  ///< null: not sent yet
  std::uint64_t send_order = 0;            ///< among all that the rank does
  std::uint64_t bytes = 0;
  std::shared_ptr<const std::string> payload;
  std::uint64_t payload_at = 0;  ///< where it begins; without payload, where it is made
  data_type type = data_type::Other;
  std::uint8_t cut = ConfiguredCut;
  bool compressed = false;  ///< a packet of it has left in code
  bool eager = true;
  std::uint32_t to_go = 0;      ///< packets that have not left
  cycle_t came_at = Never;      ///< eager: all of it, so that its receiver may go on; else what asks for it
  cycle_t began = 0;            ///< what it took to arrive counts from here…
  replay_path path;             ///< …after this
  request* sender = nullptr;    ///< null: it need not wait
  request* receiver = nullptr;  ///< null: not awaited yet
  message* next = nullptr;      ///< behind it in its channel
};

/// How far a message of a list is.
struct replay_traffic::listed {
  std::uint32_t waits = 0;                              ///< for so many
  cycle_t ready = 0;                                    ///< the last of those that are over
  replay_path path;                                     ///< how the time until then was spent
  std::vector<std::uint32_t> at_arrival, at_departure;  ///< those that wait for it
};

/// A sequence of steps in a rank: its calls, or a collective that goes on beside them.
struct replay_traffic::activity {
  std::uint32_t rank = 0;
  cycle_t time = 0;
  replay_path path;
  bool main = true;
  std::size_t next_call = 0;

  // The call that it is in.
  const replay_call* call = nullptr;
  std::vector<collective_step> steps;
  std::size_t next_step = 0;
  channel_key key;                                  ///< of a collective, without partner
  std::vector<request*> own;                        ///< of blocking calls and collectives
  std::vector<request*> awaited;                    ///< all of them
  std::shared_ptr<const std::string> last_payload;  ///< of what came last
  std::uint64_t last_payload_at = 0;
  request* completes = nullptr;  ///< of one beside the calls
};

struct replay_traffic::parts {
  object_pool<activity> activities;
  object_pool<message> messages;
  object_pool<request> requests;
};

}  // namespace weft
