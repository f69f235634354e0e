// SPDX-License-Identifier: Apache-2.0
/// The interface of traffic that reacts to deliveries, such as replies to requests.
#pragma once

#include <cstddef>
#include <functional>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"

namespace weft {

class reacting_source : public packet_source, public network_observer {
 public:
  /// Called for each request with the number of its traffic (0 if there is only one), the cycle of its creation and the
  /// cycle of the delivery of its reply.
  using answer_callback = std::function<void(std::size_t traffic, cycle_t requested, cycle_t answered)>;

  /// Connects the source to \p model, which must use it as its source, and as an observer of the events of
  /// event_interest(). To be called before the first cycle.
  virtual void attach(network_model& model) = 0;
  virtual void set_on_answered(answer_callback on_answered) = 0;

  /// Called when accepted() has changed for a node.
  using acceptance_callback = std::function<void(node_id)>;

  /// The message classes whose packets \p node accepts now. Unless there is an acceptance_callback, the source passes
  /// them to network_model::set_accepted().
  virtual class_set accepted(node_id node) const = 0;
  virtual void set_on_acceptance(acceptance_callback on_acceptance) = 0;
  /// The cycle in which the next packet is created that is planned because another packet has arrived, at any node;
  /// Never if there is none.
  virtual cycle_t next_reaction() const = 0;
  /// The classes of the packets that must leave a node before it accepts further packets of \p message_class. Empty
  /// if a node always accepts this class.
  virtual class_set answers_to(unsigned message_class) const = 0;

  network_events event_interest() const override { return {network_event::Delivered}; }
  bool needs_payload() const override { return false; }
};

}  // namespace weft
