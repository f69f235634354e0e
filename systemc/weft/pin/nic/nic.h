// SPDX-License-Identifier: Apache-2.0
/// NIC: the network interface between a node and its router. Its two paths are
///
///     send     packets -> stages (XOR encoder, compressor, …) -> injector -> router
///     receive  packets <- stages (XOR decoder, decompressor, …) <- ejector <- router
///
/// Purpose    Sends packets of the node as flits over VCs with credits, passes received packets to the node, and
///            measures congestion. It has one port for each channel between node and router.
/// Latency    1 cycle to send and 1 cycle to receive, plus the latency of the plugged-in stages.
/// Handshake  Both ends of both paths are streams of flits with valid and ready; a flit moves at the end of a cycle in
///            which it is valid and the receiver is ready.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/network_observer.h"
#include "weft/core/parameters.h"
#include "weft/core/wait_accounts.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/nic/congestion_counter.h"
#include "weft/pin/nic/ejector.h"
#include "weft/pin/nic/injector.h"
#include "weft/pin/nic/nic_interface.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/ports.h"
#include "weft/pin/waits_on_channel.h"
#include "weft/pin/wire.h"

namespace weft::pin {

template <unsigned PayloadBits>
class nic : public nic_interface<PayloadBits> {
  using base = nic_interface<PayloadBits>;

 public:
  using flit_t = flit<PayloadBits>;
  using base::accept_i;
  using base::credit_i;
  using base::credit_o;
  using base::flit_i;
  using base::flit_o;
  using base::queue_i;
  using base::receive_o;
  using base::receive_ready_i;
  using base::received_o;
  using base::rst_ni;
  using base::send_i;
  using base::send_ready_o;
  using base::tick_i;

  nic(sc_core::sc_module_name name, node_id node, unsigned ports, const path_selector& path_ids,
      const router_parameters& router, const nic_parameters& parameters, const nic_stages<PayloadBits>& stages,
      clock_gate& clocks)
      : base(name, ports, parameters.accepts_by_class),
        m_node(node),
        m_counter("congestion_counter", ports, parameters.buckets),
        m_counter_clock(this->make_gate(clocks)) {
    for (unsigned port = 0; port < ports; ++port) {
      make_send_path(node, port, ports, path_ids, router, stages.send, clocks);
      make_receive_path(node, port, router, parameters, stages.receive, clocks);
      m_counter.flit_i[port](flit_i[port]);
    }
    drive(m_counter, m_counter_clock);
    m_counter.rst_ni(rst_ni);
    m_counter.tick_i(tick_i);
    m_counter.received_o(received_o);
  }

  void bind_router(unsigned port, wire<flit_t>& injected, wire<credit>& injected_credit, wire<flit_t>& ejected,
                   wire<credit>& ejected_credit) override {
    flit_o[port](injected);
    credit_i[port](injected_credit);
    flit_i[port](ejected);
    credit_o[port](ejected_credit);
    injected.enables_clock(*m_injector_clocks[port]);
    injected_credit.enables_clock(*m_injector_clocks[port]);
    ejected.enables_clock(*m_ejector_clocks[port]);
    ejected.enables_clock(m_counter_clock);
    ejected_credit.enables_clock(*m_ejector_clocks[port]);
  }

  void bind_node(unsigned port, wire<flit_t>& sent, wire<bool>& sent_ready, wire<flit_t>& received,
                 wire<bool>& received_ready) override {
    send_i[port](sent);
    send_ready_o[port](sent_ready);
    receive_o[port](received);
    receive_ready_i[port](received_ready);
    sent.enables_clock(*m_send_clocks[port]);
    received.enables_clock(*m_receive_clocks[port]);
  }

  void bind_tick(wire<bool>& tick) override {
    tick_i(tick);
    tick.enables_clock(m_counter_clock);
  }

#ifndef WEFT_SYNTHESIS
  void attach(network_observer& observer, const clock_gate& clocks, const packet_table& packets,
              const std::vector<waits_on_channel*>& waits) override {
    auto event_of = [&clocks, &packets, node = m_node,
                     due = std::array<std::uint32_t, MaxVcs>()](const flit_t& f) mutable {
      if (f.head) due[f.vc] = 0;
      return flit_event{clocks.beginning() - 1, node, f.vc, packets.of(f.tag).id, due[f.vc]++};
    };
    for (std::size_t port = 0; port < m_injectors.size(); ++port) {
      injector<PayloadBits>& from = *m_injectors[port];
      if (waits.empty()) {
        from.attach([&observer, event_of](const flit_t& f) mutable { observer.injected(event_of(f), header_of(f)); });
        continue;
      }
      from.attach(
          [&, event_of, &to = *waits[port], nic = waits_in_nic(), seen = from.stalled()](const flit_t& f) mutable {
            observer.injected(event_of(f), header_of(f));
            nic.leave(f.head, clocks.beginning() - 1, from.stalled() - std::exchange(seen, from.stalled()));
            to.push_back(nic.waits());
          });
    }
    for (auto& e : m_ejectors)
      e->attach([&observer, event_of](const flit_t& f) mutable { observer.ejected(event_of(f), f.payload); });
  }
  const injector<PayloadBits>& injector_of(unsigned port) const { return *m_injectors[port]; }
  unsigned credits(unsigned port, unsigned vc) const override { return m_injectors[port]->credits(vc); }
  std::uint64_t sent(unsigned port) const override { return m_injectors[port]->sent(); }
  unsigned buffered(unsigned port, unsigned vc) const override { return m_ejectors[port]->buffered(vc); }
  std::uint64_t received(unsigned port) const override { return m_ejectors[port]->received(); }
  vc_set awaited_vcs(unsigned port, unsigned message_class) const override {
    return m_injectors[port]->awaited_vcs(message_class);
  }
  std::vector<flit_t> rejected(unsigned port) const override { return m_ejectors[port]->rejected(); }
#endif

 private:
  using stage_list = std::vector<stage_factory<PayloadBits>>;

  /// A stream between two modules of a path.
  struct stream {
    wire<flit_t>& flit;
    wire<bool>& ready;
  };

  void make_send_path(node_id node, unsigned port, unsigned ports, const path_selector& path_ids,
                      const router_parameters& router, const stage_list& stages, clock_gate& clocks) {
    m_injectors.push_back(
        make_injector<PayloadBits>(numbered("injector", port).c_str(), router, path_ids, port, ports));
    injector<PayloadBits>& last = *m_injectors.back();
    m_injector_clocks.push_back(&this->make_gate(clocks));
    last.bind_clock(*m_injector_clocks.back());
    last.rst_ni(rst_ni);
    last.flit_o(flit_o[port]);
    last.credit_i(credit_i[port]);

    // The path starts at the node: the first stage is bound to the node's stream.
    gated_clock* upstream_clock = nullptr;
    packet_stage<PayloadBits>* upstream = nullptr;
    const auto connect_next = [&](in_port<flit_t>& flit, out_port<bool>& ready, gated_clock& clock) {
      if (upstream == nullptr) {
        flit(send_i[port]);
        ready(send_ready_o[port]);
        m_send_clocks.push_back(&clock);
      } else {
        const stream between = connect(upstream->flit_o, upstream->ready_i, *upstream_clock, clock);
        flit(between.flit);
        ready(between.ready);
      }
    };
    for (const auto& make_stage : stages) {
      gated_clock& clock = this->make_gate(clocks);
      packet_stage<PayloadBits>& stage = add_stage(make_stage, node, clock);
      connect_next(stage.flit_i, stage.ready_o, clock);
      upstream = &stage;
      upstream_clock = &clock;
    }
    connect_next(last.flit_i, last.ready_o, *m_injector_clocks.back());
  }

  void make_receive_path(node_id node, unsigned port, const router_parameters& router, const nic_parameters& parameters,
                         const stage_list& stages, clock_gate& clocks) {
    m_ejectors.push_back(
        std::make_unique<ejector<PayloadBits>>(numbered("ejector", port).c_str(), router.vcs, parameters.ejection_depth,
                                               parameters.ejection_credits != 0, parameters.accepts_by_class));
    ejector<PayloadBits>& first = *m_ejectors.back();
    m_ejector_clocks.push_back(&this->make_gate(clocks));
    drive(first, *m_ejector_clocks.back());
    first.rst_ni(rst_ni);
    first.flit_i(flit_i[port]);
    first.credit_o(credit_o[port]);
    first.busy_o(busy(*m_ejector_clocks.back()));
    if (parameters.accepts_by_class) first.accept_i[0](accept_i[0]);

    out_port<flit_t>* flit = &first.flit_o;
    in_port<bool>* ready = &first.ready_i;
    m_receive_clocks.push_back(m_ejector_clocks.back());
    for (const auto& make_stage : stages) {
      gated_clock& clock = this->make_gate(clocks);
      packet_stage<PayloadBits>& stage = add_stage(make_stage, node, clock);
      const stream between = connect(*flit, *ready, *m_receive_clocks.back(), clock);
      stage.flit_i(between.flit);
      stage.ready_o(between.ready);
      flit = &stage.flit_o;
      ready = &stage.ready_i;
      m_receive_clocks.back() = &clock;
    }
    (*flit)(receive_o[port]);
    (*ready)(receive_ready_i[port]);
  }

  packet_stage<PayloadBits>& add_stage(const stage_factory<PayloadBits>& make, node_id node, gated_clock& clock) {
    m_stages.push_back(make(numbered("stage", m_stages.size()).c_str(), node));
    packet_stage<PayloadBits>& stage = *m_stages.back();
    stage.clk_i(clock);
    stage.rst_ni(rst_ni);
    stage.received_i(received_o);
    stage.queue_i(queue_i);
    stage.busy_o(busy(clock));
    return stage;
  }

  /// Makes a stream, binds its upstream end, and lets its strobes enable the clocks of the modules at both ends.
  stream connect(out_port<flit_t>& flit, in_port<bool>& ready, gated_clock& from, gated_clock& to) {
    const std::string name = numbered("stream", m_flits.size());
    m_flits.push_back(std::make_unique<wire<flit_t>>(name.c_str()));
    m_ready.push_back(std::make_unique<wire<bool>>((name + "_ready").c_str()));
    flit(*m_flits.back());
    ready(*m_ready.back());
    m_flits.back()->enables_clock(from);
    m_flits.back()->enables_clock(to);
    return {*m_flits.back(), *m_ready.back()};
  }

  /// Makes a wire by which a module requests its clock.
  wire<bool>& busy(gated_clock& clock) {
    m_busy.push_back(std::make_unique<wire<bool>>(numbered("busy", m_busy.size()).c_str()));
    m_busy.back()->enables_clock(clock);
    return *m_busy.back();
  }

  const node_id m_node;
  std::vector<std::unique_ptr<injector<PayloadBits>>> m_injectors;
  std::vector<std::unique_ptr<ejector<PayloadBits>>> m_ejectors;
  std::vector<std::unique_ptr<packet_stage<PayloadBits>>> m_stages;
  std::vector<std::unique_ptr<wire<flit_t>>> m_flits;  // the streams between stages: their flits
  std::vector<std::unique_ptr<wire<bool>>> m_ready;    // the streams between stages: their ready wires
  std::vector<std::unique_ptr<wire<bool>>> m_busy;
  std::vector<gated_clock*> m_injector_clocks;
  std::vector<gated_clock*> m_ejector_clocks;
  std::vector<gated_clock*> m_send_clocks;     // per port, clock of the module that accepts the node's stream
  std::vector<gated_clock*> m_receive_clocks;  // per port, clock of the module that sends to the node
  congestion_counter<PayloadBits> m_counter;
  gated_clock& m_counter_clock;
};

}  // namespace weft::pin
