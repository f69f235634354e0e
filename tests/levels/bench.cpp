// SPDX-License-Identifier: Apache-2.0
#include "levels/bench.h"

#include "support/random.h"
#include <iostream>

namespace weft::pin {

namespace {
const sc_core::sc_time Cycle(1, sc_core::SC_NS);
}

void bench::start() {
  rst_n.write(false);
  sc_core::sc_start(2.5 * Cycle);
  rst_n.write(true);
  sc_core::sc_start(Cycle);
  m_now = 0;
}

void bench::step(unsigned cycles) {
  sc_core::sc_start(cycles * Cycle);
  m_now += cycles;
}

void bench::settle() {
  do sc_core::sc_start(sc_core::SC_ZERO_TIME);
  while (sc_core::sc_pending_activity_at_current_time());
}

void bench::assert_reset() {
  rst_n.write(false);
  settle();
}

void bench::release_reset() {
  sc_core::sc_start(Cycle);
  rst_n.write(true);
  sc_core::sc_start(Cycle);
  m_now = 0;
}

std::uint64_t payload_of(packet_id id, std::uint32_t sequence) { return splitmix64(id, sequence); }

flit_t make_flit(packet_id id, std::uint32_t sequence, std::uint32_t flits, unsigned vc, node_id destination) {
  flit_t f;
  f.valid = true;
  f.head = sequence == 0;
  f.tail = sequence + 1 == flits;
  f.vc = static_cast<std::uint8_t>(vc);
  if (f.head) {
    f.destination = destination;
    f.flits = flits;
    f.words = 2 * flits;
  }
  f.payload[0] = payload_of(id, sequence);
  f.tag = flit_tag(static_cast<std::uint32_t>(id), sequence);
  return f;
}

void announce(head_announcement& heads, unsigned slot, unsigned vc, node_id destination, std::uint32_t flits,
              std::uint64_t path_id) {
  heads.valid[slot] = true;
  heads.vc[slot] = static_cast<std::uint8_t>(vc);
  heads.destination[slot] = destination;
  heads.flits[slot] = flits;
  heads.path_id[slot] = path_id;
}

void answer(route_announcement& routes, unsigned slot, unsigned vc, const route& requested_route, std::uint32_t flits) {
  routes.valid[slot] = true;
  routes.vc[slot] = static_cast<std::uint8_t>(vc);
  set_route(routes, slot, requested_route);
  routes.flits[slot] = flits;
}

void add_grant(switch_grants& grants, unsigned in_port, unsigned in_vc, unsigned out_port, unsigned out_vc, bool tail) {
  grants.inputs |= port_set{1} << in_port;
  grants.outputs |= port_set{1} << out_port;
  if (tail) grants.tails |= port_set{1} << in_port;
  grants.vc[in_port] = static_cast<std::uint8_t>(in_vc);
  grants.out_port[in_port] = static_cast<std::uint8_t>(out_port);
  grants.out_vc[in_port] = static_cast<std::uint8_t>(out_vc);
}

std::string broken_rule(const std::function<void()>& action) {
  try {
    action();
  } catch (const sc_core::sc_report& report) {
    EXPECT_EQ(report.get_severity(), sc_core::SC_ERROR);
    EXPECT_STREQ(report.get_msg_type(), "/weft/pin");
    return report.get_msg();
  }
  return {};
}

random_numbers::random_numbers() : m_stream(seed(), 0, stream_purpose::Injection) {}

std::uint64_t random_numbers::seed() {
  std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
  return test_seed();
}

unsigned random_numbers::member(std::uint32_t set) {
  for (unsigned skip = below(static_cast<unsigned>(__builtin_popcount(set))); skip > 0; --skip) set &= set - 1;
  return lowest(set);
}

}  // namespace weft::pin
