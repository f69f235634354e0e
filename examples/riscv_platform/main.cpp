// SPDX-License-Identifier: Apache-2.0
/// A platform of RISC-V cores that boots a program, over a bus or a network of Weft: README.md.
///
/// Speed is instructions per processor time. Exit status: that of the program; 1 if it did not end (a core stopped,
/// no event is left, Ctrl-C), 2 for wrong options or a wrong program.
#include "bus.h"
#include "options.h"
#include "platform.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>

#include <systemc>

#include "weft/pin/model.h"
#include "weft/tlm/noc.h"
#include "weft/topology/generators/grid.h"

using sc_core::sc_time;

namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Makes the network from modules of the pin level.
std::unique_ptr<weft::network_model> make_wires(const weft::tlm2::noc_parameters& p, weft::packet_source& source,
                                                weft::network_observer& observer) {
  weft::pin::model_options o;
  o.payload_bits = p.payload_bits;
  o.clock_period = p.clock_period.value();
  return weft::pin::make_model(p.graph, p.router, p.nic, o, source, observer);
}

weft::tlm2::noc_parameters network_parameters(const options& o, const platform& system) {
  weft::grid_parameters shape;
  shape.shape = {3, 3};
  weft::tlm2::noc_parameters p;
  p.graph = weft::make_grid(shape);
  p.clock_period = ClockPeriod;
  p.map = system.map();
  for (const weft::tlm2::mapped_range& r : p.map) p.blocking_targets.push_back(r.node);  // they have only b_transport()
  p.allow_dmi = o.platform.dmi;
  p.contention = o.network == network_kind::Contended;
  if (o.network == network_kind::Loose || p.contention) p.mode = weft::tlm2::timing::Loose;
  if (o.network == network_kind::Pin) p.make_network = make_wires;
  return p;
}

/// Simulates in slices of 20 us and checks for Ctrl-C after each.
void run(const platform& system, const sc_time& limit) {
  const sc_time slice(20, sc_core::SC_US);
  const auto has_stopped = [](const std::unique_ptr<processor>& c) { return !c->hart().reason().empty(); };
  while (!system.controller().has_finished() && interrupted == 0 && sc_core::sc_time_stamp() < limit) {
    sc_core::sc_start(slice);
    if (std::any_of(system.cores().begin(), system.cores().end(), has_stopped)) return;
    if (!sc_core::sc_pending_activity()) return;
  }
}

/// The reason why the program did not end.
std::string what_happened(const platform& system, const sc_time& limit) {
  if (interrupted != 0) return "interrupted";
  for (std::size_t c = 0; c < system.cores().size(); ++c)
    if (const std::string& why = system.cores()[c]->hart().reason(); !why.empty())
      return "core " + std::to_string(c) + " has stopped: " + why;
  if (sc_core::sc_time_stamp() >= limit)
    return "the program has not ended after " + limit.to_string() + "; see --limit";
  return "all cores wait for interrupts, and none can come";
}

void print_results(const platform& system, double seconds) {
  std::uint64_t all = 0;
  std::fprintf(stderr, "core  instructions  transactions  direct accesses\n");
  for (std::size_t c = 0; c < system.cores().size(); ++c) {
    const processor& core = *system.cores()[c];
    all += core.hart().instructions();
    std::fprintf(
        stderr, "%4zu  %12llu  %12llu  %15llu\n", c, static_cast<unsigned long long>(core.hart().instructions()),
        static_cast<unsigned long long>(core.transactions()), static_cast<unsigned long long>(core.direct_accesses()));
  }
  std::fprintf(stderr, "simulated %.3f us, %llu instructions in %.3f s: %.3f MIPS\n",
               sc_core::sc_time_stamp() / sc_time(1, sc_core::SC_US), static_cast<unsigned long long>(all), seconds,
               static_cast<double>(all) / seconds / 1e6);
}

int simulate(const options& o) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);  // by sc_stop()
  tlm::tlm_global_quantum::instance().set(o.quantum);
  platform system(o.platform, std::cout);
  system.load(read_elf(o.program, LocalSize), o.program);
  std::unique_ptr<bus> plain;
  std::unique_ptr<weft::noc_32> network;
  if (o.network == network_kind::Bus) {
    plain = std::make_unique<bus>("bus", Nodes, system.map(), ClockPeriod);
    system.connect(*plain);
  } else {
    network = std::make_unique<weft::noc_32>("network", network_parameters(o, system));
    system.connect(*network);
  }

  std::signal(SIGINT, [](int) { interrupted = 1; });
  const std::clock_t begin = std::clock();
  run(system, o.limit);
  const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::cout.flush();
  print_results(system, taken);
  system.finish_traffic();
  if (system.controller().has_finished()) return static_cast<int>(system.controller().exit_status());
  std::fprintf(stderr, "riscv_platform: %s\n", what_happened(system, o.limit).c_str());
  return 1;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  try {
    const options o = read_options(argc, argv);
    return o.help ? (std::fputs(Usage, stdout), 0) : simulate(o);
  } catch (const usage_error& e) {
    std::fprintf(stderr, "riscv_platform: %s\n%s", e.what(), Usage);
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "riscv_platform: %s\n", e.what());
    return 2;
  }
}
