// SPDX-License-Identifier: Apache-2.0
/// What noc_base keeps of a transaction: at its initiator, and as the payload of its own that the target gets.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <tlm>
#include <vector>

#include "weft/tlm/noc.h"

namespace weft::tlm2 {

/// What the rest of an access needs when the initiator's transaction may end: a copy in memory of its own.
struct kept_transaction {
  explicit kept_transaction(const ::tlm::tlm_generic_payload& of) {
    if (of.is_write()) data.resize(of.get_data_length());
    if (of.get_byte_enable_ptr() != nullptr) enables.resize(of.get_byte_enable_length());
    payload.set_data_ptr(data.empty() ? nullptr : data.data());
    payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
    payload.deep_copy_from(of);
  }
  std::vector<unsigned char> data, enables;
  ::tlm::tlm_generic_payload payload;
};

/// It never lies on the stack of an initiator's thread, which may be reset or killed while it is under way.
struct noc_base::request {
  request* next = nullptr;  ///< behind it in a queue
  node_id node = 0;
  transaction* t = nullptr;
  const region* where = nullptr;
  std::uint32_t sent = 0;                   ///< bytes that messages have left with
  unsigned open = 0;                        ///< messages without an answer
  std::uint8_t status = 0;                  ///< of the first answer with an error, as message::status
  bool blocking = false;                    ///< a b_transport() waits for it
  bool dmi_allowed = true;                  ///< by all answers
  bool begun = false;                       ///< its annotated delay is over
  bool answered = false;                    ///< all answers have arrived
  bool ended = false;                       ///< the initiator has seen the last of it
  bool abandoned = false;                   ///< nobody waits for it: see abandon()
  std::exception_ptr thrown;                ///< by the b_transport() of its target
  std::unique_ptr<sc_core::sc_event> done;  ///< it is answered: of blocking ones. The next in its place uses it again
  std::unique_ptr<kept_transaction> kept;   ///< of an abandoned one: what `t` points to

  bool has_left() const { return open > 0 || sent > 0; }
};

class noc_base::request_pool final {
 public:
  request& take(node_id node, transaction& t, const region& where) {
    if (m_free.empty()) {
      m_all.push_back(std::make_unique<request>());
      m_free.push_back(m_all.back().get());
    }
    request& r = *m_free.back();
    m_free.pop_back();
    r.node = node;
    r.t = &t;
    r.where = &where;
    r.sent = r.open = 0;
    r.status = 0;
    r.dmi_allowed = true;
    r.blocking = r.begun = r.answered = r.ended = r.abandoned = false;
    return r;
  }

  void give_back(request& r) {
    r.thrown = nullptr;
    r.kept.reset();
    m_free.push_back(&r);
  }

 private:
  std::vector<std::unique_ptr<request>> m_all;
  std::vector<request*> m_free;
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
  bool is_bare = false;                    ///< it has no extensions, and gets none
  unsigned extension_kinds = 0;            ///< that there were when it was sent
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
    d->request_ended = d->responded = d->completed = d->is_bare = false;
    d->set_data_ptr(nullptr);  // those of the transaction before
    d->set_byte_enable_ptr(nullptr);
    d->acquire();
    return d;
  }

  void free(::tlm::tlm_generic_payload* t) override {
    auto* const d = static_cast<delivery*>(t);
    t->reset();
    // An extension that its target has set without automatic deletion would meet the next transaction.
    for (unsigned i = 0; !d->is_bare && i < d->extension_kinds; ++i)
      if (t->get_extension(i) != nullptr) t->set_extension(i, nullptr);
    m_free.push_back(d);
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
