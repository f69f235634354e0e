// SPDX-License-Identifier: Apache-2.0
/// What noc_base keeps of a transaction: at its initiator, and as the payload of its own that the target gets.
#pragma once

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <tlm>
#include <vector>

#include "weft/tlm/noc.h"

namespace weft::tlm2 {

struct noc_base::request {
  request* next = nullptr;  ///< behind it in a queue
  node_id node = 0;
  transaction* t = nullptr;
  const region* where = nullptr;
  sc_core::sc_event* done = nullptr;  ///< of a blocking call; null: non-blocking
  std::uint32_t sent = 0;             ///< bytes that messages have left with
  unsigned open = 0;                  ///< messages without an answer
  std::uint8_t status = 0;            ///< of the first answer with an error, as message::status
  bool dmi_allowed = true;            ///< by all answers
  bool ended = false;                 ///< the initiator has seen the last of it
};

/// What of a transaction a message carries.
struct noc_base::request_part {
  request* whole = nullptr;
  std::uint32_t offset = 0;  ///< bytes of the transaction before it
};

struct noc_base::delivery final : ::tlm::tlm_generic_payload {
  using tlm_generic_payload::tlm_generic_payload;
  delivery* next = nullptr;  ///< behind it in a queue
  node_id source = 0;
  node_id destination = 0;
  message what;
  const noc_base* at_target_of = nullptr;  ///< the network whose target has it
  bool request_ended = false;              ///< the target has said END_REQ
  bool responded = false;                  ///< the target has said BEGIN_RESP
  bool completed = false;                  ///< the target wants no END_RESP
  sc_core::sc_time response_began;
};

class noc_base::delivery_pool final : public ::tlm::tlm_mm_interface {
 public:
  delivery* take() {
    if (m_free.empty()) {
      m_all.push_back(std::make_unique<delivery>(this));
      m_free.push_back(m_all.back().get());
    }
    delivery* const d = m_free.back();
    m_free.pop_back();
    d->request_ended = d->responded = d->completed = false;
    d->set_data_ptr(nullptr);  // those of the transaction before
    d->set_byte_enable_ptr(nullptr);
    d->acquire();
    return d;
  }

  void free(::tlm::tlm_generic_payload* t) override {
    t->reset();
    m_free.push_back(static_cast<delivery*>(t));
  }

 private:
  std::vector<std::unique_ptr<delivery>> m_all;
  std::vector<delivery*> m_free;
};

inline std::string name_of(const ::tlm::tlm_phase& phase) {
  std::ostringstream text;
  text << phase;
  return text.str();
}

}  // namespace weft::tlm2
