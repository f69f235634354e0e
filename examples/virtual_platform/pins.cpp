// SPDX-License-Identifier: Apache-2.0
/// The platform of main.cpp with one of its generators at pin level: wires, a clock, and an adapter to the socket.
///
///     virtual_platform_pins [words that the generator with wires writes, 2000 [WAVES]]
///
/// With WAVES the wires are in WAVES.vcd, for a viewer such as GTKWave.
/// Exit status 0 if all data came back as written.
#include "modules.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "weft/tlm/noc.h"
#include "weft/tlm/pin_adapter.h"
#include "weft/topology/generators/grid.h"

using sc_core::SC_NS;
using sc_core::sc_time;

namespace {

/// Writes words to all memories, then reads all of them. Written as a hardware module: every output has a register.
class wired_generator : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_out<bool> req_valid_o{"req_valid_o"}, req_write_o{"req_write_o"}, rsp_ready_o{"rsp_ready_o"};
  sc_core::sc_in<bool> req_ready_i{"req_ready_i"}, rsp_valid_i{"rsp_valid_i"}, rsp_error_i{"rsp_error_i"};
  sc_core::sc_out<sc_dt::uint64> req_address_o{"req_address_o"}, req_data_o{"req_data_o"};
  sc_core::sc_out<sc_dt::sc_uint<8>> req_enables_o{"req_enables_o"};
  sc_core::sc_in<sc_dt::uint64> rsp_data_i{"rsp_data_i"};
  sc_core::sc_out<bool> done_o{"done_o"};

  wired_generator(const sc_core::sc_module_name& name, unsigned number, unsigned words)
      : sc_module(name), m_number(number), m_words(words) {
    SC_HAS_PROCESS(wired_generator);
    SC_METHOD(step);
    sensitive << clk_i.pos();
    dont_initialize();
  }

  unsigned errors = 0;
  std::uint64_t cycles = 0;

 private:
  void step() {
    if (!rst_ni.read()) {
      m_request = m_response = 0;
      req_valid_o.write(false);
      rsp_ready_o.write(false);
      done_o.write(false);
      return;
    }
    ++cycles;
    if (rsp_valid_i.read() && rsp_ready_o.read()) {
      const bool is_read = m_response >= m_words;
      errors += rsp_error_i.read() || (is_read && rsp_data_i.read() != word(m_response - m_words));
      ++m_response;
    }
    rsp_ready_o.write(true);
    if (req_valid_o.read() && req_ready_i.read()) ++m_request;
    // Reads begin after the responses of all writes.
    const bool more = m_request < m_words || (m_request < 2 * m_words && m_response >= m_words);
    const unsigned at = m_request % m_words;
    req_valid_o.write(more);
    req_write_o.write(m_request < m_words);
    req_address_o.write(address(at));
    req_data_o.write(word(at));
    req_enables_o.write(0xff);
    done_o.write(m_response == 2 * m_words);
  }

  static std::uint64_t word(unsigned i) { return 0x9e37'79b9'7f4a'7c15 * (i + 1); }
  std::uint64_t address(unsigned i) const {
    const std::uint64_t slice = MemorySize / Generators;
    return base_of(i % Memories) + m_number * slice + std::uint64_t{i / Memories} * 8 % slice;
  }

  const unsigned m_number, m_words;
  unsigned m_request = 0, m_response = 0;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  const int words = argc > 1 ? std::atoi(argv[1]) : 2000;
  constexpr int Most = static_cast<int>(MemorySize / Generators / 8 * Memories);
  if (argc > 3 || words < 1 || words > Most) {
    std::fprintf(stderr, "usage: %s [words to write, 1 to %d [waves]]\n", argv[0], Most);
    return 2;
  }

  weft::grid_parameters shape;
  shape.shape = {4, 4};
  weft::tlm2::noc_parameters parameters;
  parameters.graph = weft::make_grid(shape);
  for (unsigned m = 0; m < Memories; ++m) parameters.map.push_back({base_of(m), MemorySize, MemoryNodes[m]});
  weft::noc network("network", parameters);

  std::vector<std::unique_ptr<memory>> memories;
  for (unsigned m = 0; m < Memories; ++m) {
    memories.push_back(std::make_unique<memory>(("memory_" + std::to_string(m)).c_str()));
    network.to_target[MemoryNodes[m]].bind(memories[m]->socket);
  }
  std::vector<std::unique_ptr<generator>> generators;
  for (unsigned g = 1; g < Generators; ++g) {
    generators.push_back(std::make_unique<generator>(("generator_" + std::to_string(g)).c_str(), g, 2000));
    generators.back()->socket.bind(network.from_initiator[GeneratorNodes[g]]);
  }

  sc_core::sc_clock clock("clock", sc_time(1, SC_NS));
  sc_core::sc_signal<bool> rst_n("rst_n"), req_valid("req_valid"), req_ready("req_ready"), req_write("req_write");
  sc_core::sc_signal<bool> rsp_valid("rsp_valid"), rsp_ready("rsp_ready"), rsp_error("rsp_error"), done("done");
  sc_core::sc_signal<sc_dt::uint64> req_address("req_address"), req_data("req_data"), rsp_data("rsp_data");
  sc_core::sc_signal<sc_dt::sc_uint<8>> req_enables("req_enables");

  wired_generator wired("generator_0", 0, static_cast<unsigned>(words));
  weft::tlm2::pin_adapter adapter("adapter");
  const auto connect = [](auto& out, auto& in, auto& wire) {
    out(wire);
    in(wire);
  };
  wired.clk_i(clock);
  wired.rst_ni(rst_n);
  wired.done_o(done);
  adapter.clk_i(clock);
  adapter.rst_ni(rst_n);
  connect(wired.req_valid_o, adapter.req_valid_i, req_valid);
  connect(adapter.req_ready_o, wired.req_ready_i, req_ready);
  connect(wired.req_write_o, adapter.req_write_i, req_write);
  connect(wired.req_address_o, adapter.req_address_i, req_address);
  connect(wired.req_data_o, adapter.req_data_i, req_data);
  connect(wired.req_enables_o, adapter.req_enables_i, req_enables);
  connect(adapter.rsp_valid_o, wired.rsp_valid_i, rsp_valid);
  connect(wired.rsp_ready_o, adapter.rsp_ready_i, rsp_ready);
  connect(adapter.rsp_data_o, wired.rsp_data_i, rsp_data);
  connect(adapter.rsp_error_o, wired.rsp_error_i, rsp_error);
  adapter.socket.bind(network.from_initiator[GeneratorNodes[0]]);

  sc_core::sc_trace_file* waves = argc > 2 ? sc_core::sc_create_vcd_trace_file(argv[2]) : nullptr;
  if (waves != nullptr) {
    sc_core::sc_trace(waves, rst_n, "platform.rst_n");
    sc_core::sc_trace(waves, req_valid, "platform.req.valid");
    sc_core::sc_trace(waves, req_ready, "platform.req_ready");
    sc_core::sc_trace(waves, req_write, "platform.req.write");
    sc_core::sc_trace(waves, req_address, "platform.req.address");
    sc_core::sc_trace(waves, req_data, "platform.req.data");
    sc_core::sc_trace(waves, req_enables, "platform.req.enables");
    sc_core::sc_trace(waves, rsp_valid, "platform.rsp.valid");
    sc_core::sc_trace(waves, rsp_ready, "platform.rsp_ready");
    sc_core::sc_trace(waves, rsp_data, "platform.rsp.data");
    sc_core::sc_trace(waves, rsp_error, "platform.rsp.error");
  }

  sc_core::sc_start(sc_time(3, SC_NS));
  rst_n.write(true);
  while (!done.read() && wired.cycles < 1'000'000) sc_core::sc_start(sc_time(1, sc_core::SC_US));
  if (waves != nullptr) sc_core::sc_close_vcd_trace_file(waves);
  // The generators with sockets do not use the clock.
  const auto finished = [&] {
    for (const auto& g : generators)
      if (g->end == sc_core::SC_ZERO_TIME) return false;
    return true;
  };
  while (!finished() && sc_core::sc_time_stamp() < sc_time(10, sc_core::SC_MS))
    sc_core::sc_start(sc_time(1, sc_core::SC_US));

  std::uint64_t errors = wired.errors;
  for (const auto& g : generators) errors += g->errors;
  std::printf("wires at node 0: %d words written and read\n", words);
  std::printf("memory     node   accesses\n");
  for (unsigned m = 0; m < Memories; ++m)
    std::printf("%6u     %4u  %9llu\n", m, MemoryNodes[m], static_cast<unsigned long long>(memories[m]->accesses()));
  const bool good = errors == 0 && done.read() && finished();
  std::printf("%s\n", good ? "all data as written" : "errors, or not finished");
  return good ? 0 : 1;
}
