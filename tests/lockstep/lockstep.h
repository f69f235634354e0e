// SPDX-License-Identifier: Apache-2.0
/// A bench that runs two implementations of a module side by side: the pin-level SystemC module, and the verilated RTL
/// with the same pins. Both get the same inputs. The bench compares every output in every cycle, and the first
/// difference ends the run.
///
/// The bench is a template with the types of the two modules, so it can drive any module with any ports.
///
/// A cycle begins at the rising edge of the clock. Then the driver of the test reads the outputs of the previous cycle
/// and writes the inputs of the new cycle. The bench compares the outputs in the middle of the cycle, when all
/// combinational logic has settled.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/pin/signals.h"

namespace weft::lockstep {

/// A difference between two values: the name of the part that differs (empty if it is the whole value), and the text of
/// this part in both values.
struct difference {
  std::string part, left, right;
};

template <typename T>
std::string text_of(const T& value) {
  std::ostringstream out;
  if constexpr (std::is_integral_v<T>)
    out << "0x" << std::hex << static_cast<std::uint64_t>(value);
  else
    out << value;
  return out.str();
}

template <typename T>
std::optional<difference> first_difference(const T& left, const T& right) {
  if (left == right) return std::nullopt;
  return difference{"", text_of(left), text_of(right)};
}

/// Compares two flits field by field. If they are not valid, the other fields have no meaning.
template <unsigned PayloadBits>
std::optional<difference> first_difference(const flit<PayloadBits>& left, const flit<PayloadBits>& right) {
  if (left == right) return std::nullopt;
  std::optional<difference> found;
  const auto field = [&found](const std::string& name, auto a, auto b) {
    if (!found && a != b)
      found = {"." + name, text_of(static_cast<std::uint64_t>(a)), text_of(static_cast<std::uint64_t>(b))};
  };
  field("valid", left.valid, right.valid);
  if (found || !left.valid) return found;
  field("head", left.head, right.head);
  field("tail", left.tail, right.tail);
  field("error", left.error, right.error);
  field("destination", left.destination, right.destination);
  field("source", left.source, right.source);
  field("flits", left.flits, right.flits);
  field("words", left.words, right.words);
  field("type", left.type, right.type);
  field("codec", left.codec, right.codec);
  field("cut", left.cut, right.cut);
  field("message_class", left.message_class, right.message_class);
  field("role", left.role, right.role);
  field("relay", left.relay, right.relay);
  field("overflow", left.overflow, right.overflow);
  const auto datum = [&field](const std::string& name, const xor_datum& a, const xor_datum& b) {
    field(name + ".name", a.name, b.name);
    field(name + ".words", a.words, b.words);
    field(name + ".uses", a.uses, b.uses);
    field(name + ".type", a.type, b.type);
  };
  datum("first", datum_of(left.first), datum_of(right.first));
  datum("second", datum_of(left.second), datum_of(right.second));
  for (unsigned i = 0; i < std::size(left.payload); ++i)
    field("payload[" + std::to_string(i) + "]", left.payload[i], right.payload[i]);
  field("vc", left.vc, right.vc);
  field("way", left.path_id, right.path_id);
  field("tag.packet", left.tag.packet(), right.tag.packet());
  field("tag.sequence", left.tag.sequence(), right.tag.sequence());
  if (!found) found = {" (a field without a name here)", text_of(left), text_of(right)};
  return found;
}

struct identity {
  template <typename T>
  const T& operator()(const T& value) const {
    return value;
  }
};

/// \tparam Left, Right the two modules; the test constructs and owns them
template <typename Left, typename Right>
class lockstep_bench : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(lockstep_bench);

  lockstep_bench(sc_core::sc_module_name module_name, Left& left, Right& right)
      : sc_module(module_name), m_left(left), m_right(right) {
    if constexpr (has_clock<Left>(nullptr)) {
      left.clk_i(m_clk);
      right.clk_i(m_clk);
      left.rst_ni(m_rst_n);
      right.rst_ni(m_rst_n);
    }
    SC_METHOD(drive);
    sensitive << m_clk.posedge_event();
    dont_initialize();
    SC_METHOD(compare);
    sensitive << m_clk.negedge_event();
    dont_initialize();
  }

  /// Binds an input of both modules to one new signal, which the driver writes.
  template <typename LeftPort, typename RightPort>
  auto& input(LeftPort& left, RightPort& right) {
    using value_t = std::decay_t<decltype(left.read())>;
    auto& signal = make_signal<value_t>(left);
    left(signal);
    right(signal);
    return signal;
  }

  /// Binds an output of each module to a signal of its own. The bench compares \p shown of both signals in every cycle
  /// in which \p meaningful returns true.
  /// \return the signal of the left module, for the driver
  template <typename LeftPort, typename RightPort, typename Shown = identity>
  auto& output(LeftPort& left, RightPort& right, std::function<bool()> meaningful = nullptr, Shown shown = {}) {
    using value_t = std::decay_t<decltype(left.read())>;
    auto& a = make_signal<value_t>(left);
    auto& b = make_signal<value_t>(right);
    left(a);
    right(b);
    m_compared.push_back(
        [&a, &b, name = std::string(left.basename()), meaningful, shown]() -> std::optional<difference> {
          if (meaningful && !meaningful()) return std::nullopt;
          auto found = first_difference(shown(a.read()), shown(b.read()));
          if (found) found->part = name + found->part;
          return found;
        });
    return a;
  }

  /// Sets the driver, which is called at the beginning of every cycle.
  void on_cycle(std::function<void()> driver) { m_driver = std::move(driver); }

  /// Runs \p cycles cycles; the first run begins with a reset. After a failure the simulation cannot continue.
  /// \return the first difference or violated assertion, or an empty string
  std::string run(std::uint64_t cycles) {
    try {
      if (m_in_reset) {
        // All runs begin and end a quarter period after an edge.
        sc_core::sc_start((sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME ? 2.25 : 2) * m_period);
        m_rst_n.write(true);
        m_in_reset = false;
      }
      sc_core::sc_start(static_cast<double>(cycles) * m_period);
    } catch (const sc_core::sc_report& report) {
      return where() + report.get_msg();
    }
    return m_report;
  }

  /// Holds the modules in reset from now to the next run(). The driver is not called during reset, so it must have set
  /// the inputs before.
  void reset() {
    m_rst_n.write(false);
    m_in_reset = true;
  }

  /// The number of the cycle that began last.
  std::uint64_t cycle() const { return m_cycle; }

 private:
  template <typename Module>
  static constexpr auto has_clock(const Module* m) -> decltype(m->clk_i, true) {
    return true;
  }
  template <typename Module>
  static constexpr bool has_clock(...) {
    return false;
  }

  template <typename T>
  sc_core::sc_signal<T>& make_signal(const sc_core::sc_object& port) {
    std::string name = port.name();
    for (char& c : name)
      if (c == '.') c = '_';
    auto signal = std::make_shared<sc_core::sc_signal<T>>(name.c_str());
    auto& made = *signal;
    m_signals.push_back(std::move(signal));
    return made;
  }

  void drive() {
    if (!m_rst_n.read() || !m_report.empty()) return;
    ++m_cycle;
    if (m_driver) m_driver();
  }

  void compare() {
    if (!m_rst_n.read() || !m_report.empty()) return;
    for (const auto& find : m_compared) {
      if (const auto found = find()) {
        m_report = where() + found->part + ": " + m_left.name() + " has " + found->left + ", " + m_right.name() +
                   " has " + found->right;
        sc_core::sc_stop();
        return;
      }
    }
  }

  std::string where() const { return "cycle " + std::to_string(m_cycle) + ": "; }

  Left& m_left;
  Right& m_right;
  const sc_core::sc_time m_period{1, sc_core::SC_NS};
  sc_core::sc_clock m_clk{"clk", m_period, 0.5, sc_core::SC_ZERO_TIME, true};
  sc_core::sc_signal<bool> m_rst_n{"rst_n"};
  std::vector<std::shared_ptr<void>> m_signals;
  std::vector<std::function<std::optional<difference>()>> m_compared;
  std::function<void()> m_driver;
  std::uint64_t m_cycle = ~std::uint64_t{0};  // before the first cycle
  bool m_in_reset = true;                     // or about to be in reset: the signal follows when time advances
  std::string m_report;
};

}  // namespace weft::lockstep
