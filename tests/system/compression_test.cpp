// SPDX-License-Identifier: Apache-2.0
/// The effect of a codec of given latency D and ratio C on a network, by Equation 1 of COMPRESS: it speeds up packets
/// of D / (1 - 1/C) flits or more, delays the others by D - L (1 - 1/C) cycles, and nearly multiplies throughput by C.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/packet_list.h"
#include "weft/workload/workload.h"

namespace weft {
namespace {

/// Latency and uncompressed length (flits) of the packets that are delivered from a given cycle on.
class delivery_meter final : public network_observer {
 public:
  explicit delivery_meter(cycle_t from = 0) : m_from(from) {}
  void delivered(const packet& p, cycle_t cycle, std::uint32_t) override {
    if (cycle < m_from) return;
    latency_of[p.id] = cycle - p.created;
    cycles += static_cast<double>(cycle - p.created);
    ++packets;
    flits += p.flits;
  }
  double mean() const { return cycles / static_cast<double>(packets); }

  std::map<packet_id, cycle_t> latency_of;
  double cycles = 0;
  std::uint64_t packets = 0, flits = 0;

 private:
  cycle_t m_from;
};

struct assumed_codec {
  cycle_t latency;
  double ratio;
};

nic_parameters always(const assumed_codec& codec) {
  nic_parameters nic;
  nic.compression.selection.mode = selection_mode::Always;
  nic.compression.latency = codec.latency;
  nic.compression.ratio = codec.ratio;
  return nic;
}

constexpr assumed_codec OfThePaper{100, 2};

/// The codec makes an isolated packet faster where Equation 1 predicts a gain. Elsewhere the packet loses the predicted
/// number of cycles.
TEST(system_compression, isolated_packet_breaks_even_as_in_equation_1) {
  const topology graph = make_grid({{8, 8}});
  const router_parameters router;
  for (const assumed_codec& codec : {OfThePaper, assumed_codec{60, 4}, assumed_codec{40, 1.5}}) {
    const auto even = static_cast<std::uint32_t>(std::lround(codec.latency / (1 - 1 / codec.ratio)));
    std::vector<packet> packets;
    for (const std::uint32_t flits : {2u, 10u, 32u, even - 4, even, even + 4, 2 * even})
      for (const node_id to : {1u, 7u, 63u})
        packets.push_back({packets.size(), 0, to, flits, packets.size() * 2000, data_type::Int});
    packet_list_source source(packets, 64, {}, 1);
    delivery_meter meter;
    const auto model = engine::make_model(graph, router, always(codec), 64, source, meter);
    model->run(packets.size() * 2000 + 2000);
    ASSERT_EQ(meter.packets, packets.size());
    for (const packet& p : packets) {
      const auto coded = static_cast<std::uint32_t>(std::ceil(p.flits / codec.ratio));
      const cycle_t raw = zero_load_latency(graph, router, p.source, p.destination, p.flits);
      const cycle_t latency = meter.latency_of[p.id];
      const std::string where = fmt::format("D {}, C {}, {} flits to node {}: {} cycles, raw {}", codec.latency,
                                            codec.ratio, p.flits, p.destination, latency, raw);
      EXPECT_EQ(latency <= raw, p.flits >= even) << where;
      if (p.flits <= even) {
        EXPECT_EQ(latency, raw - p.flits + coded + codec.latency) << where;
      } else {
        // A packet cannot leave before it has arrived. The possible gain is the lead of a head over its tail in
        // routers.
        EXPECT_GE(latency + router.pipeline * 16, raw) << where;
      }
    }
  }
}

/// Runs uniform traffic on an 8x8 mesh at \p load flits per node and cycle, in packets of \p flits flits.
delivery_meter under_load(double load, std::uint32_t flits, const nic_parameters& nic, cycle_t cycles) {
  workload_parameters traffic;
  traffic.injection.load = load;
  traffic.length.flits = flits;
  traffic.payload.type = declared_type::Int;
  const std::unique_ptr<packet_source> source = make_workload(traffic, {64, {{8, 8}, 1}, 1});
  delivery_meter meter(cycles / 4);
  engine::make_model(make_grid({{8, 8}}), {}, nic, 64, *source, meter)->run(cycles);
  return meter;
}

TEST(system_compression, low_load_slows_short_packets_and_speeds_up_long_ones) {
  for (const std::uint32_t flits : {32u, 512u}) {
    const delivery_meter none = under_load(0.01, flits, {}, 400'000),
                         coded = under_load(0.01, flits, always(OfThePaper), 400'000);
    ASSERT_GT(none.packets, 200u);
    const double more = coded.mean() - none.mean();
    if (flits == 32)
      EXPECT_NEAR(more, 100 - 16, 3);  // D minus half the length
    else
      EXPECT_LT(more, -10);
  }
}

TEST(system_compression, a_saturated_network_delivers_nearly_twice_as_much) {
  for (const std::uint32_t flits : {32u, 200u}) {
    const delivery_meter none = under_load(0.9, flits, {}, 12'000),
                         coded = under_load(0.9, flits, always(OfThePaper), 12'000);
    const double gain = static_cast<double>(coded.flits) / static_cast<double>(none.flits);
    EXPECT_GT(gain, 1.6) << flits;
    EXPECT_LT(gain, 2.2) << flits;
  }
}

}  // namespace
}  // namespace weft
