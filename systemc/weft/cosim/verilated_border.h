// SPDX-License-Identifier: Apache-2.0
/// Wrappers of the verilated modules at the border of the network, weft_injector and weft_ejector, with the pins of
/// weft::pin (verilated_block.h). The packet number of the simulation tag passes through the RTL as user bits, as far
/// as it fits.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/flit.h"
#include "weft/cosim/router_wires.h"
#include "weft/cosim/verilated_block.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::tb {

/// The pins of weft_injector
template <unsigned PayloadBits>
class injector_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<flit<PayloadBits>> flit_i{"flit_i"};
  sc_core::sc_out<bool> ready_o{"ready_o"};
  sc_core::sc_out<flit<PayloadBits>> flit_o{"flit_o"};
  pin::in_port<pin::credit> credit_i{"credit_i"};

 protected:
  explicit injector_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

/// \tparam Model verilated weft_injector with the widths of \p layout
template <unsigned PayloadBits, class Model>
class verilated_injector : public verilated_block<injector_pins<PayloadBits>, Model> {
 public:
  /// \param path_ids path id for each node, if the model has a table of path ids
  verilated_injector(sc_core::sc_module_name name, int seed, const flit_layout& layout,
                     const std::vector<std::uint64_t>& path_ids = {})
      : verilated_block<injector_pins<PayloadBits>, Model>(name, seed), m_layout(layout), m_path_ids(path_ids) {
    this->sensitive_to(this->rst_ni, this->flit_i, this->credit_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    flit_layout offered = m_layout;
    offered.path_id_bits = offered.vc_bits = 0;
    for (unsigned n = 0; n < m_path_ids.size(); ++n)
      put_bits(rtl.path_ids_i, n * m_layout.path_id_bits, m_layout.path_id_bits, m_path_ids[n]);
    rtl.rst_ni = this->rst_ni.read();
    put_flit(rtl.flit_i, offered, 0, this->flit_i.read(), this->flit_i.read().tag.packet());
    put_credit(rtl.credit_i, m_layout.vc_bits, 0, this->credit_i.read());
  }
  void get_outputs(const Model& rtl) override {
    this->ready_o.write(rtl.ready_o);
    std::uint64_t user = 0;
    flit<PayloadBits> out = get_flit<PayloadBits>(rtl.flit_o, m_layout, 0, user);
    if (out.valid) out.tag = flit_tag(static_cast<std::uint32_t>(user));
    this->flit_o.write(out);
  }

  const flit_layout m_layout;  // layout of flit_o
  const std::vector<std::uint64_t> m_path_ids;
};

/// The pins of weft_ejector
template <unsigned PayloadBits>
class ejector_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<flit<PayloadBits>> flit_i{"flit_i"};
  sc_core::sc_out<pin::credit> credit_o{"credit_o"};
  sc_core::sc_out<flit<PayloadBits>> flit_o{"flit_o"};
  pin::in_port<bool> ready_i{"ready_i"};
  sc_core::sc_out<bool> busy_o{"busy_o"};

 protected:
  explicit ejector_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

/// \tparam Model verilated weft_ejector with the widths of \p layout
template <unsigned PayloadBits, class Model>
class verilated_ejector : public verilated_block<ejector_pins<PayloadBits>, Model> {
 public:
  verilated_ejector(sc_core::sc_module_name name, int seed, const flit_layout& layout)
      : verilated_block<ejector_pins<PayloadBits>, Model>(name, seed), m_layout(layout) {
    this->sensitive_to(this->rst_ni, this->flit_i, this->ready_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    put_flit(rtl.flit_i, m_layout, 0, this->flit_i.read(), this->flit_i.read().tag.packet());
    rtl.ready_i = this->ready_i.read();
  }
  void get_outputs(const Model& rtl) override {
    flit_layout received = m_layout;
    received.path_id_bits = 0;
    std::uint64_t user = 0;
    flit<PayloadBits> out = get_flit<PayloadBits>(rtl.flit_o, received, 0, user);
    if (out.valid) out.tag = flit_tag(static_cast<std::uint32_t>(user));
    this->flit_o.write(out);
    this->credit_o.write(get_credit(rtl.credit_o, m_layout.vc_bits, 0));
    this->busy_o.write(rtl.busy_o);
  }

  const flit_layout m_layout;  // layout of flit_i
};

}  // namespace weft::tb
