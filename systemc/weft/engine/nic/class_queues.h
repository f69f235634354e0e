// SPDX-License-Identifier: Apache-2.0
/// The source queues of all nodes if each message class has its own. terminal.h of the pin level specifies how they are
/// served.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/members.h"
#include "weft/core/round_robin.h"
#include "weft/core/types.h"
#include "weft/engine/nic/nic_context.h"

namespace weft::engine {

class class_queues {
 public:
  class_queues(std::size_t nodes, unsigned classes)
      : m_classes(classes), m_queues(nodes * classes), m_waiting(nodes), m_next(nodes) {}

  packet_queue& of(node_id node, unsigned message_class) {
    return m_queues[std::size_t{node} * m_classes + message_class];
  }
  const packet_queue& of(node_id node, unsigned message_class) const {
    return m_queues[std::size_t{node} * m_classes + message_class];
  }
  /// To be called after a packet of this class has entered its queue.
  void note_waiting(node_id node, unsigned message_class) { m_waiting[node] |= 1U << message_class; }
  /// Whether packets of another class wait.
  bool others_wait(node_id node, unsigned message_class) const {
    return (m_waiting[node] & ~(1U << message_class)) != 0;
  }
  /// The next queue in round-robin order that is not empty; null if all are.
  packet_queue* next(node_id node) {
    return m_waiting[node] == 0 ? nullptr : &of(node, round_robin(m_waiting[node], m_next[node]));
  }
  /// To be called when the node offers a packet of this class. The search for the next one starts behind it.
  void note_offered(node_id node, unsigned message_class) {
    m_next[node] = static_cast<std::uint8_t>(next_index(message_class, m_classes));
    if (of(node, message_class).front == NoPacket) m_waiting[node] &= ~(1U << message_class);
  }

 private:
  unsigned m_classes;
  std::vector<packet_queue> m_queues;    ///< by node, then by class
  std::vector<std::uint32_t> m_waiting;  ///< by node: the classes whose queues are not empty
  std::vector<std::uint8_t> m_next;      ///< by node: first candidate for the next packet
};

}  // namespace weft::engine
