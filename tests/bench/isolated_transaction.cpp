// SPDX-License-Identifier: Apache-2.0
/// The processor time of an isolated transaction by size of the network: with the fast path, with everything simulated,
/// and in the loose mode without and with contention. One initiator reads eight bytes at a time from memories all over
/// a mesh; the next read begins when the previous one is answered.
///
///     bench_isolated [transactions, 20000 [side [variant]]]
///
/// A side, or a side and a variant, restricts the measurement to them, for example for a profiler. The last line is the
/// time of SystemC for the same events and thread switches without any work.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "weft/tlm/noc.h"
#include "weft/topology/generators/grid.h"

namespace {

struct quick_memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<quick_memory, 64> socket{"socket"};
  explicit quick_memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &quick_memory::access);
    socket.register_nb_transport_fw(this, &quick_memory::forward);
  }
  void access(tlm::tlm_generic_payload& t, sc_core::sc_time&) { t.set_response_status(tlm::TLM_OK_RESPONSE); }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& t, tlm::tlm_phase&, sc_core::sc_time&) {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct variant {
  const char* name;
  weft::tlm2::timing mode;
  bool foresee, contention;
};
constexpr variant Variants[] = {{"fast_path", weft::tlm2::timing::Cycle, true, false},
                                {"simulated", weft::tlm2::timing::Cycle, false, false},
                                {"loose", weft::tlm2::timing::Loose, false, false},
                                {"contended", weft::tlm2::timing::Loose, false, true}};

struct isolated_platform : sc_core::sc_module {
  isolated_platform(const sc_core::sc_module_name& name, unsigned side, const variant& how)
      : sc_module(name), m_side(side) {
    weft::grid_parameters shape;
    shape.shape = {side, side};
    weft::tlm2::noc_parameters p;
    p.graph = weft::make_grid(shape);
    p.mode = how.mode;
    p.foresee = how.foresee;
    p.contention = how.contention;
    for (unsigned n = 0; n < side * side; ++n) p.map.push_back({std::uint64_t{n} << 16, 1 << 16, n});
    network = std::make_unique<weft::noc>("network", p);
    socket.bind(network->from_initiator[0]);
    for (unsigned n = 0; n < side * side; ++n) {
      memories.push_back(std::make_unique<quick_memory>(("memory_" + std::to_string(n)).c_str()));
      network->to_target[n].bind(memories[n]->socket);
    }
    SC_HAS_PROCESS(isolated_platform);
    SC_THREAD(work);
  }

  void work() {
    tlm::tlm_generic_payload t;
    unsigned char data[8] = {};
    t.set_command(tlm::TLM_READ_COMMAND);
    t.set_data_ptr(data);
    t.set_data_length(8);
    t.set_streaming_width(8);
    for (;;) {
      wait(m_start);
      const double begin = processor_seconds();
      for (unsigned i = 0; i < m_transactions; ++i) {
        t.set_address((std::uint64_t{i} * 7919 % (m_side * m_side)) << 16);
        t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay;
        socket->b_transport(t, delay);
        if (t.is_response_error()) std::abort();
      }
      seconds = std::min(seconds, processor_seconds() - begin);
    }
  }
  void start(unsigned transactions) {
    m_transactions = transactions;
    m_start.notify();
  }

  tlm_utils::simple_initiator_socket<isolated_platform, 64> socket{"socket"};
  std::unique_ptr<weft::noc> network;
  std::vector<std::unique_ptr<quick_memory>> memories;
  double seconds = 1e9;

 private:
  const unsigned m_side;
  unsigned m_transactions = 0;
  sc_core::sc_event m_start;
};

/// The minimum of events of a transaction: the request leaves in its own delta cycle, request and response arrive at
/// later times, and the initiator's thread resumes in its own delta cycle.
struct kernel_alone : sc_core::sc_module {
  explicit kernel_alone(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(kernel_alone);
    SC_THREAD(work);
    SC_METHOD(go_on);
    sensitive << m_step;
    dont_initialize();
  }

  void work() {
    for (;;) {
      wait(m_start);
      const double begin = processor_seconds();
      for (unsigned i = 0; i < m_transactions; ++i) {
        m_steps = 0;
        m_step.notify(sc_core::SC_ZERO_TIME);
        wait(m_done);
      }
      seconds = std::min(seconds, processor_seconds() - begin);
    }
  }
  void go_on() {
    if (m_steps++ < 2)
      m_step.notify(1, sc_core::SC_NS);
    else
      m_done.notify(sc_core::SC_ZERO_TIME);
  }
  void start(unsigned transactions) {
    m_transactions = transactions;
    m_start.notify();
  }

  double seconds = 1e9;

 private:
  unsigned m_transactions = 0, m_steps = 0;
  sc_core::sc_event m_start, m_step, m_done;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  const int transactions = argc > 1 ? std::atoi(argv[1]) : 20'000;
  std::vector<unsigned> sides = {2, 4, 8, 16, 32};
  if (argc > 2) sides = {static_cast<unsigned>(std::atoi(argv[2]))};
  std::vector<variant> variants;
  for (const variant& how : Variants)
    if (argc < 4 || how.name == std::string(argv[3])) variants.push_back(how);
  if (argc > 4 || transactions < 1 || sides[0] < 2 || sides[0] > 64 || variants.empty()) {
    std::fprintf(stderr, "usage: %s [transactions, at least 1 [side, 2 to 64 [fast_path|simulated|loose|contended]]]\n",
                 argv[0]);
    return 2;
  }
  std::vector<std::unique_ptr<isolated_platform>> all;
  for (const unsigned side : sides)
    for (const variant& how : variants)
      all.push_back(
          std::make_unique<isolated_platform>(("side_" + std::to_string(side) + "_" + how.name).c_str(), side, how));
  kernel_alone kernel("kernel");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (unsigned round = 0; round < 3; ++round) {  // the minimum of three, because other processes use the machine
    for (const auto& p : all) {
      p->start(static_cast<unsigned>(transactions));
      sc_core::sc_start();
    }
    if (argc == 4) continue;  // one variant alone
    kernel.start(static_cast<unsigned>(transactions));
    sc_core::sc_start();
  }
  std::printf("microseconds of processor time for an isolated transaction\n");
  std::printf("mesh ");
  for (const variant& how : variants) std::printf("%11s", how.name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const unsigned side = sides[i / variants.size()];
    if (i % variants.size() == 0) std::printf("\n%2ux%-2u", side, side);
    std::printf("%11.2f", 1e6 * all[i]->seconds / transactions);
  }
  std::printf("\n");
  if (argc < 4) std::printf("SystemC %8.2f\n", 1e6 * kernel.seconds / transactions);
  return 0;
}
