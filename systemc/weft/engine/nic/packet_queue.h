// SPDX-License-Identifier: Apache-2.0
/// Source queues: linked lists of the packets that wait in a node.
#pragma once

#include <utility>

#include "weft/engine/base/packet_pool.h"

namespace weft::engine {

/// A linked list of waiting packets, urgent ones first.
struct packet_queue {
  packet_handle front = NoPacket, back = NoPacket;
  packet_handle last_urgent = NoPacket;  ///< last urgent packet; valid only if the first packet of the queue is urgent
};

/// Returns the packet in \p queue behind which a new packet is inserted, or NoPacket if the new packet becomes the
/// first.
inline packet_handle packet_before(const packet_pool& packets, const packet_queue& queue, bool urgent) {
  if (queue.front == NoPacket) return NoPacket;
  if (!urgent) return queue.back;
  return packets[queue.front].what.urgent ? queue.last_urgent : NoPacket;
}

/// Puts \p packet into \p queue behind the packet \p before; NoPacket: at the front.
inline void insert(packet_pool& packets, packet_queue& queue, packet_handle packet, packet_handle before) {
  const bool urgent = packets[packet].what.urgent;
  packet_handle& place = before == NoPacket ? queue.front : packets[before].next;
  packets[packet].next = std::exchange(place, packet);
  if (packets[packet].next == NoPacket) queue.back = packet;
  const bool is_last_urgent =
      urgent && (packets[packet].next == NoPacket || !packets[packets[packet].next].what.urgent);
  if (is_last_urgent) queue.last_urgent = packet;
}

/// Puts \p packet, whose head was not accepted, back into \p queue: to the front, or behind the urgent packets.
inline void put_back(packet_pool& packets, packet_queue& queue, packet_handle packet) {
  packets[packet].what.more = 0;  // the packets that follow are in the queue
  const bool yields = !packets[packet].what.urgent && queue.front != NoPacket && packets[queue.front].what.urgent;
  insert(packets, queue, packet, yields ? queue.last_urgent : NoPacket);
}

/// Replaces the front of \p queue by \p packet.
inline void replace_front(packet_pool& packets, packet_queue& queue, packet_handle packet) {
  packets[packet].next = packets[queue.front].next;
  if (queue.back == queue.front) queue.back = packet;
  if (queue.last_urgent == queue.front) queue.last_urgent = packet;
  queue.front = packet;
}

}  // namespace weft::engine
