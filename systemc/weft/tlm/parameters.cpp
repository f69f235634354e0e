#include "weft/tlm/parameters.h"

#include <stdexcept>
#include <string>

namespace weft::tlm {

namespace {

void require(bool condition, const std::string& text) {
  if (!condition) throw std::invalid_argument(text);
}

void check_router(const router_parameters& r) {
  require(r.vcs >= 1 && r.vcs <= MaxVcs, "router.vcs must be 1 to 16");
  require(r.depth >= 1 && r.vcs * r.depth <= MaxBufferFlits, "router.vcs * router.depth must be 1 to 512");
  const unsigned s = r.pipeline;
  require(s == 3 || s == 4 || s == 5 || s == 7 || s == 9, "router.pipeline must be 3, 4, 5, 7 or 9");
}

void check_packets(const noc_parameters& p) {
  const unsigned bits = p.payload_bits;
  require(bits == 32 || bits == 64 || bits == 128 || bits == 256, "payload_bits must be 32, 64, 128 or 256");
  const unsigned least = 256 / bits;
  require(p.max_packet_flits >= least, "max_packet_flits must be at least " + std::to_string(least) + " with " +
                                           std::to_string(bits) + " payload_bits: a packet has 32 bytes or more");
  if (p.router.flow == flow_control::VirtualCutThrough)
    require(
        p.max_packet_flits <= p.router.depth && p.max_packet_flits <= p.nic.ejection_depth,
        "max_packet_flits must be at most router.depth and nic.ejection_depth with virtual cut-through, which needs "
        "room for a whole packet");
  const compression_parameters& c = p.nic.compression;
  if (!c.enabled()) return;
  require(!c.ratio, "nic.compression.ratio must be left out: an assumed size has no bits that could be delivered");
  require(c.codec.exact,
          "nic.compression.codec.exact must be true: addresses travel among the data and must not be changed");
  require(p.max_packet_flits <= c.depth, "max_packet_flits must be at most nic.compression.depth");
}

}  // namespace

void check_parameters(const noc_parameters& p) {
  check_router(p.router);
  check_packets(p);
  require(p.router.vcs * p.nic.ejection_depth <= MaxBufferFlits, "nic.ejection_depth * router.vcs must be at most 512");
  require(p.nic.window >= 1, "nic.window must be at least 1");
  require(p.nic.buckets >= 1 && p.nic.window % p.nic.buckets == 0, "nic.buckets must be a divisor of nic.window");
  require(p.queue_depth >= 1, "queue_depth must be at least 1");
  require(p.receive_depth >= 1, "receive_depth must be at least 1");
  require(p.clock_period > sc_core::SC_ZERO_TIME, "clock_period must be above zero");
}

}  // namespace weft::tlm
