// SPDX-License-Identifier: Apache-2.0
/// Gate-level simulator without delays: 64 independent runs at once, one in each bit of a word. It counts how often
/// each net changes its value from one cycle to the next, for each run.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace energy {

constexpr int Runs = 64;
constexpr int Planes = 10;  // bits of a counter; a measurement has fewer than 1024 cycles
constexpr int GateWidth = 8;
constexpr int RegisterWidth = 7;

struct run_of_gates {
  int type, first, end;
};

class circuit {
 public:
  explicit circuit(const char* path) {
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr) {
      std::fprintf(stderr, "%s: cannot be opened\n", path);
      std::exit(1);
    }
    std::vector<int32_t> data;
    std::array<int32_t, 4096> buffer;
    for (std::size_t n; (n = std::fread(buffer.data(), 4, buffer.size(), file)) > 0;) {
      data.insert(data.end(), buffer.begin(), buffer.begin() + n);
    }
    std::fclose(file);
    const int32_t* at = data.data();
    m_nets = *at++;
    const int gates = *at++, runs = *at++, registers = *at++, ports = *at++;
    for (int i = 0; i < runs; i++, at += 3) m_runs.push_back({at[0], at[1], at[2]});
    m_gates.assign(at, at + gates * GateWidth);
    at += gates * GateWidth;
    m_registers.assign(at, at + registers * RegisterWidth);
    at += registers * RegisterWidth;
    for (int i = 0; i < ports; i++) {
      std::string name;
      for (int length = *at++; length > 0; length--) name += static_cast<char>(*at++);
      const int width = *at++;
      m_ports[name].assign(at, at + width);
      at += width;
    }
    m_value.assign(m_nets, 0);
    m_value[1] = ~uint64_t(0);
    m_state.assign(registers, 0);
    m_next.assign(registers, 0);
    clear_counts();
  }

  const std::vector<int>& port(const std::string& name) const {
    const auto found = m_ports.find(name);
    if (found == m_ports.end()) {
      std::fprintf(stderr, "the circuit has no port %s\n", name.c_str());
      std::exit(1);
    }
    return found->second;
  }
  bool has(const std::string& name) const { return m_ports.count(name) != 0; }
  uint64_t value(int net) const { return m_value[net]; }
  int nets() const { return m_nets; }

  /// Sets a net in all runs.
  void set(int net, uint64_t value) {
    const uint64_t changed = m_value[net] ^ value;
    if (changed == 0) return;
    m_value[net] = value;
    count(net, changed);
  }
  /// Sets a constant port to a number in all runs.
  void set_constant(const std::string& name, uint64_t number, int first = 0, int width = 64) {
    const auto& nets = port(name);
    for (int i = 0; i < width && first + i < static_cast<int>(nets.size()); i++) {
      set(nets[first + i], (number >> i & 1) != 0 ? ~uint64_t(0) : 0);
    }
  }

  /// Computes all nets from inputs and registers; defined in the file that is generated for the technology.
  void evaluate();
  /// The clock edge; defined there as well.
  void clock();

  void clear_counts() { m_counts.assign(static_cast<std::size_t>(m_nets) * Planes, 0); }
  /// Changes of a net in a run.
  int changes(int net, int run) const {
    int sum = 0;
    for (int plane = 0; plane < Planes; plane++) {
      sum |= static_cast<int>(m_counts[static_cast<std::size_t>(net) * Planes + plane] >> run & 1) << plane;
    }
    return sum;
  }

 private:
  void count(int net, uint64_t changed) {
    uint64_t* plane = &m_counts[static_cast<std::size_t>(net) * Planes];
    for (int i = 0; changed != 0 && i < Planes; i++) {
      const uint64_t carry = plane[i] & changed;
      plane[i] ^= changed;
      changed = carry;
    }
  }

  int m_nets = 0;
  std::vector<run_of_gates> m_runs;
  std::vector<int> m_gates, m_registers;
  std::map<std::string, std::vector<int>> m_ports;
  std::vector<uint64_t> m_value, m_state, m_next, m_counts;
};

}  // namespace energy
