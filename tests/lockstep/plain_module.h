// SPDX-License-Identifier: Apache-2.0
/// Modules that are verilated as plain C++, because they need no time except the clock of their registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <verilated.h>

#include "weft/cosim/verilator_runtime.h"

namespace weft {

/// Bit \p i of a port of a verilated module, whatever its type.
template <typename T>
bool bit_of(const T& port, unsigned i) {
  return port >> i & 1;
}
template <std::size_t Words>
bool bit_of(const VlWide<Words>& port, unsigned i) {
  return port[i / 32] >> i % 32 & 1;
}
template <typename T>
void set_bit(T& port, unsigned i, bool value) {
  port = static_cast<T>((port & ~(T{1} << i)) | (static_cast<T>(value) << i));
}
template <std::size_t Words>
void set_bit(VlWide<Words>& port, unsigned i, bool value) {
  set_bit(port[i / 32], i % 32, value);
}
template <typename T>
void set_bits(T& port, unsigned from, unsigned count, std::uint32_t value) {
  for (unsigned i = 0; i < count; ++i) set_bit(port, from + i, value >> i & 1);
}
template <typename T>
std::uint32_t bits_of(const T& port, unsigned from, unsigned count) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint32_t{bit_of(port, from + i)} << i;
  return value;
}

/// A verilated module with clock and reset.
template <typename Module>
class clocked_module {
 public:
  clocked_module() { reset(); }
  ~clocked_module() {
    m_dut->final();
    tb::write_coverage(m_context);
  }
  Module* operator->() { return m_dut.get(); }
  void reset() {
    m_dut->rst_ni = 1;
    m_dut->clk_i = 0;
    m_dut->eval();
    m_dut->rst_ni = 0;
    m_dut->eval();
    m_dut->rst_ni = 1;
    m_dut->eval();
  }
  void edge() {
    m_dut->clk_i = 1;
    m_dut->eval();
    m_dut->clk_i = 0;
    m_dut->eval();
  }

 private:
  VerilatedContext m_context;
  std::unique_ptr<Module> m_dut = std::make_unique<Module>(&m_context);
};

inline constexpr unsigned Cycles = 20000;
inline constexpr unsigned CyclesBetweenResets = 5000;

}  // namespace weft
