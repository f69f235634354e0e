// SPDX-License-Identifier: Apache-2.0
/// Runs a verilated model inside a SystemC module. All wrappers of verilated modules use this class.
#pragma once

#include <memory>
#include <string>

#include <systemc>

#include "weft/cosim/verilator_runtime.h"

namespace weft::tb {

/// Owns the model of one instance, and reports its errors to SystemC. Only one process may write a signal, so a module
/// has one process for both clock edges and all inputs.
template <class Model>
class verilated {
 public:
  /// \param name name of the instance, for messages of the RTL
  /// \param seed seed of the random initial bits of registers without reset; 0: these registers start as 0
  verilated(const char* name, int seed) : m_context(make_context(seed)), m_model(new Model(m_context.get(), name)) {
    // The model also needs the falling edge of the reset, because a gated clock may have no edge during reset.
    if constexpr (has_clock<Model>(nullptr)) {
      m_model->clk_i = 1;
      m_model->rst_ni = 1;
    }
    evaluate();
  }
  ~verilated() {
    m_model->final();
    write_coverage(*m_context);
    // The destructor of a model uses the context of the thread, which another model that has been deleted may have set.
    Verilated::threadContextp(m_context.get());
    m_model.reset();
  }
  verilated(const verilated&) = delete;
  verilated& operator=(const verilated&) = delete;

  Model* operator->() { return m_model.get(); }
  const Model* operator->() const { return m_model.get(); }
  Model& operator*() { return *m_model; }
  const Model& operator*() const { return *m_model; }

  /// Evaluates the combinational logic.
  void settle() {
    if constexpr (has_clock<Model>(nullptr)) m_model->clk_i = 0;  // a falling edge has no effect
    evaluate();
  }

  /// Asserts the reset and clocks the model once. Registers without reset need this edge, and a gated clock does not
  /// give it.
  void reset() {
    m_model->rst_ni = 0;
    settle();
    edge();
  }

  /// Simulates a rising edge of the clock.
  void edge() {
    if (m_model->clk_i != 0) settle();
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
