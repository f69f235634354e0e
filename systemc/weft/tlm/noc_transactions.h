// SPDX-License-Identifier: Apache-2.0
/// The state of a transaction in noc_base: at its initiator, and as a separate payload at its target.
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

/// A copy of the data that the rest of an access needs, for use after the initiator's transaction has ended.
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

/// A transaction, at its initiator. It is never allocated on the stack of the initiator's thread, which may be reset or
/// killed while the transaction is outstanding.
struct noc_base::request {
  request* next = nullptr;  ///< next in a queue
  node_id node = 0;
  transaction* t = nullptr;
  const mapped_range* where = nullptr;
  std::uint32_t sent = 0;     ///< bytes for which messages have been sent
  unsigned open = 0;          ///< messages without an answer
  std::uint8_t status = 0;    ///< of the first answer with an error, as message::status
  bool blocking = false;      ///< a b_transport() waits for it
  bool dmi_allowed = true;    ///< by all answers
  bool begun = false;         ///< its annotated delay is over
  bool answered = false;      ///< all answers have arrived
  bool ended = false;         ///< the last call to the initiator has been made
  bool abandoned = false;     ///< no thread waits for it: see abandon()
  std::exception_ptr thrown;  ///< by the b_transport() of its target
  /// For blocking requests: notified when the request is answered. The next request that reuses this object reuses it
  /// too.
  std::unique_ptr<sc_core::sc_event> done;
  std::unique_ptr<kept_transaction> kept;  ///< of an abandoned request: the target of `t`

  bool has_left() const { return open > 0 || sent > 0; }
};

class noc_base::request_pool final {
 public:
  request& acquire(node_id node, transaction& t, const mapped_range& where) {
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

  void release(request& r) {
    r.thrown = nullptr;
    r.kept.reset();
    m_free.push_back(&r);
  }

 private:
  std::vector<std::unique_ptr<request>> m_all;
  std::vector<request*> m_free;
};

/// The part of a transaction that a message carries.
struct noc_base::request_part {
  request* whole = nullptr;
  std::uint32_t offset = 0;  ///< bytes of the transaction before this part
};

struct noc_base::delivery final : ::tlm::tlm_generic_payload {
  using tlm_generic_payload::tlm_generic_payload;
  delivery* next = nullptr;  ///< next in a queue
  node_id source = 0;
  node_id destination = 0;
  message what;
  const noc_base* at_target_of = nullptr;  ///< the network whose target has it
  bool request_ended = false;              ///< the target has sent END_REQ
  bool responded = false;                  ///< the target has sent BEGIN_RESP
  bool completed = false;                  ///< the target needs no END_RESP
  bool is_bare = false;                    ///< it has no extensions and gets none
  unsigned extension_kinds = 0;            ///< number of kinds when it was sent
  sc_core::sc_time response_began;
};

class noc_base::delivery_pool final : public ::tlm::tlm_mm_interface {
 public:
  delivery* acquire() {
    if (m_free.empty()) {
      m_all.push_back(std::make_unique<delivery>(this));
      m_free.push_back(m_all.back().get());
    }
    delivery* const d = m_free.back();
    m_free.pop_back();
    d->request_ended = d->responded = d->completed = d->is_bare = false;
    d->set_data_ptr(nullptr);  // clears pointers of the previous transaction
    d->set_byte_enable_ptr(nullptr);
    d->acquire();
    return d;
  }

  void free(::tlm::tlm_generic_payload* t) override {
    auto* const d = static_cast<delivery*>(t);
    t->reset();
    // An extension that its target has set without automatic deletion would appear in the next transaction.
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
