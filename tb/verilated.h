// SPDX-License-Identifier: Apache-2.0
/// A verilated model inside a SystemC module: what all wrappers share.
#pragma once

#include "tb/verilator_runtime.h"
#include <memory>
#include <string>

#include <systemc>

namespace weft::tb {

/// Has the model of one instance, and tells SystemC what goes wrong in it. A module has one process for both edges and
/// inputs, as only one process may write a signal.
template <class Model>
class verilated {
 public:
  /// \param name of the instance, for messages of the RTL
  /// \param seed of the bits with which registers without reset start; 0: zeros
  verilated(const char* name, int seed) : m_context(make_context(seed)), m_model(new Model(m_context.get(), name)) {
    // A reset is seen when it falls, since a gated clock may give no edge during reset.
    if constexpr (has_clock<Model>(nullptr)) {
      m_model->clk_i = 1;
      m_model->rst_ni = 1;
    }
    evaluate();
  }
  ~verilated() {
    m_model->final();
    write_coverage(*m_context);
    // A model takes leave of the thread's context, which may be that of another model, gone already.
    Verilated::threadContextp(m_context.get());
    m_model.reset();
  }
  verilated(const verilated&) = delete;
  verilated& operator=(const verilated&) = delete;

  Model* operator->() { return m_model.get(); }
  const Model* operator->() const { return m_model.get(); }
  Model& operator*() { return *m_model; }
  const Model& operator*() const { return *m_model; }

  /// Lets what is combinational follow the inputs.
  void follow() {
    if constexpr (has_clock<Model>(nullptr)) m_model->clk_i = 0;  // no edge that counts, and none to make later
    evaluate();
  }

  /// A reset that has come: registers without one want an edge meanwhile, which gated clocks do not give.
  void reset() {
    m_model->rst_ni = 0;
    follow();
    edge();
  }

  /// A rising edge of the clock.
  void edge() {
    if (m_model->clk_i != 0) follow();
    m_model->clk_i = 1;
    evaluate();
  }

 private:
  template <class M>
  static constexpr auto has_clock(const M* m) -> decltype(m->clk_i, true) {
    return true;
  }
  template <class M>
  static constexpr bool has_clock(...) {
    return false;
  }

  void evaluate() {
    try {
      m_model->eval();
    } catch (const rtl_failure& failure) {
      SC_REPORT_ERROR("/weft/rtl", (std::string(m_model->name()) + ": " + failure.what()).c_str());
    }
  }

  std::unique_ptr<VerilatedContext> m_context;
  std::unique_ptr<Model> m_model;
};

}  // namespace weft::tb
