// SPDX-License-Identifier: Apache-2.0
/// A protocol_checker between an initiator and a target that a test scripts.
#pragma once

#include "tlm/peers.h"
#include <functional>

struct protocol_bench : sc_core::sc_module {
  using transaction = tlm::tlm_generic_payload;
  using phase_t = tlm::tlm_phase;

  tlm_utils::simple_initiator_socket<protocol_bench, 64> source{"source"};
  protocol_checker checker{"checker"};
  tlm_utils::passthrough_target_socket<protocol_bench, 64> sink{"sink"};

  std::function<void(transaction&, sc_core::sc_time&)> b = [](transaction& t, sc_core::sc_time&) {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  std::function<tlm::tlm_sync_enum(transaction&, phase_t&, sc_core::sc_time&)> fw =
      [](transaction&, phase_t&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; };
  std::function<tlm::tlm_sync_enum(transaction&, phase_t&, sc_core::sc_time&)> bw = fw;
  std::function<unsigned(transaction&)> debug = [](transaction& t) { return t.get_data_length(); };
  std::function<bool(transaction&, tlm::tlm_dmi&)> dmi = [this](transaction&, tlm::tlm_dmi& d) {
    d.set_end_address(100);
    d.set_dmi_ptr(data);
    d.allow_read_write();
    return true;
  };

  transaction_pool pool;
  unsigned char data[128] = {};

  explicit protocol_bench(const sc_core::sc_module_name& name) : sc_module(name) {
    source.bind(checker.from);
    checker.to.bind(sink);
    source.register_nb_transport_bw(this, &protocol_bench::call_bw);
    sink.register_b_transport(this, &protocol_bench::call_b);
    sink.register_nb_transport_fw(this, &protocol_bench::call_fw);
    sink.register_transport_dbg(this, &protocol_bench::call_debug);
    sink.register_get_direct_mem_ptr(this, &protocol_bench::call_dmi);
  }

  owned_transaction& write() { return pool.acquire(tlm::TLM_WRITE_COMMAND, 8, bytes(8)); }
  owned_transaction& read() { return pool.acquire(tlm::TLM_READ_COMMAND, 8, bytes(8)); }
  void block(transaction& t, double ns = 0) {
    sc_core::sc_time delay(ns, sc_core::SC_NS);
    source->b_transport(t, delay);
  }
  tlm::tlm_sync_enum forward(transaction& t, phase_t phase, double ns = 0) {
    sc_core::sc_time delay(ns, sc_core::SC_NS);
    return source->nb_transport_fw(t, phase, delay);
  }
  tlm::tlm_sync_enum backward(transaction& t, phase_t phase, double ns = 0) {
    sc_core::sc_time delay(ns, sc_core::SC_NS);
    return sink->nb_transport_bw(t, phase, delay);
  }
  /// A write from BEGIN_REQ to BEGIN_RESP.
  owned_transaction& answered() {
    owned_transaction& t = write();
    forward(t, tlm::BEGIN_REQ);
    backward(t, tlm::END_REQ);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    backward(t, tlm::BEGIN_RESP);
    return t;
  }
  bool request_dmi(tlm::tlm_dmi& d) {
    d.init();
    return source->get_direct_mem_ptr(read(), d);
  }

 private:
  void call_b(transaction& t, sc_core::sc_time& delay) { b(t, delay); }
  tlm::tlm_sync_enum call_fw(transaction& t, phase_t& phase, sc_core::sc_time& delay) { return fw(t, phase, delay); }
  tlm::tlm_sync_enum call_bw(transaction& t, phase_t& phase, sc_core::sc_time& delay) { return bw(t, phase, delay); }
  unsigned call_debug(transaction& t) { return debug(t); }
  bool call_dmi(transaction& t, tlm::tlm_dmi& d) { return dmi(t, d); }
};
