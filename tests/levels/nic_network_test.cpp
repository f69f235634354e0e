// SPDX-License-Identifier: Apache-2.0
/// NICs and terminals in a small network.
#include "levels/bench.h"
#include "levels/node_bench.h"
#include <map>
#include <string>

#include "weft/pin/network.h"
#include "weft/topology/generators/grid.h"

namespace weft::pin {
namespace {

struct network_options {
  unsigned nic_ports = 1;
  unsigned ejection_depth = 3;
  bool gating = true;
};

class network_bench : public bench {
 public:
  network_bench(const std::string& name, const network_options& options, const nic_stages<64>& stages,
                std::uint64_t seed)
      : dut((fill(seed), name.c_str()), mesh(options), router(), nic_of(options), stages, options.gating, source,
            observer) {
    clock(dut);
  }
  listed_packets source;
  memory observer;
  network<64> dut;

 private:
  static topology mesh(const network_options& options) {
    grid_parameters p;
    p.shape = {2, 2};
    p.options.nic_ports = options.nic_ports;
    p.options.node_cycles = 2;
    p.options.vcs = 2;
    return make_grid(p);
  }
  static router_parameters router() {
    router_parameters p;
    p.vcs = 2;
    p.depth = 4;
    return p;
  }
  static nic_parameters nic_of(const network_options& options) {
    nic_parameters p;
    p.ejection_depth = options.ejection_depth;
    return p;
  }
  void fill(std::uint64_t seed) {
    random_stream random(seed, 0, stream_purpose::Injection);
    for (node_id n = 0; n < 4; ++n) {
      cycle_t created = 0;
      for (unsigned i = 0; i < 150; ++i)
        source.add(n, random.below(4), 1 + random.below(6), created += random.below(i % 50 < 40 ? 10 : 60));
    }
  }
};

void random_packets_through(const network_options& options, const nic_stages<64>& stages) {
  random_numbers random;
  network_bench b("network", options, stages, random.next());
  std::map<packet_id, packet> expected;
  for (const auto& list : b.source.packets)
    for (const packet& p : list.second) expected[p.id] = p;
  b.start();
  b.step(15000);
  EXPECT_EQ(b.observer.packets.size(), expected.size());
  EXPECT_EQ(b.observer.arrivals.size(), expected.size());
  EXPECT_EQ(b.observer.in.size(), b.observer.out.size());
  EXPECT_GT(b.observer.out.size(), 1500U);
  for (const memory::arrival& a : b.observer.arrivals) {
    const packet& p = expected.at(a.what.id);
    EXPECT_EQ(a.what.source, p.source) << "packet " << p.id;
    EXPECT_EQ(a.what.destination, p.destination) << "packet " << p.id;
    EXPECT_EQ(a.what.flits, p.flits) << "packet " << p.id;
    EXPECT_EQ(a.what.created, p.created) << "packet " << p.id;
    EXPECT_GT(a.cycle, p.created);
  }
}

TEST(levels_pin_nic, network_restarts_after_reset_during_traffic) {
  random_numbers random;
  network_options options;
  options.nic_ports = 2;
  options.gating = random.chance(0.7);
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0.1)};
  stages.receive = {slices(Mask, 0.1)};
  network_bench b("network", options, stages, random.next());
  b.start();
  b.step(200 + random.below(30));
  b.assert_reset();
  const std::size_t before = b.observer.packets.size();
  EXPECT_GT(before, 40U);
  EXPECT_GT(b.observer.in.size(), b.observer.out.size()) << "some flits are under way";
  b.observer.arrivals.clear();
  b.release_reset();
  b.step(15000);
  // Packets in flight are lost; all that were created since are delivered.
  EXPECT_EQ(b.observer.packets.size(), b.source.count());
  EXPECT_EQ(b.observer.arrivals.size(), b.source.count() - before);
}

TEST(levels_pin_nic, a_network_with_stages_delivers_every_payload) {
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0.1), slices(7, 0)};
  stages.receive = {slices(7, 0.1), slices(Mask, 0)};
  random_packets_through({}, stages);
}

TEST(levels_pin_nic, two_port_nics_with_stages_deliver_every_payload) {
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0.1)};
  stages.receive = {slices(Mask, 0.1)};
  network_options options;
  options.nic_ports = 2;
  random_packets_through(options, stages);
}

TEST(levels_pin_nic, two_port_nics_deliver_every_payload) {
  network_options options;
  options.nic_ports = 2;
  options.ejection_depth = 0;
  random_packets_through(options, {});
}

TEST(levels_pin_nic, ungated_two_port_nics_deliver_every_payload) {
  network_options options;
  options.nic_ports = 2;
  options.ejection_depth = 0;
  options.gating = false;
  random_packets_through(options, {});
}

}  // namespace
}  // namespace weft::pin
