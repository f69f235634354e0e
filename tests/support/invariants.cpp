// SPDX-License-Identifier: Apache-2.0
#include "support/invariants.h"

#include "support/invariant_checker.h"
#include <numeric>

#include <fmt/format.h>

#include "weft/core/network_model.h"

using namespace weft;

std::string run_checking_invariants(const network_case& c) {
  invariant_checker checker(c);
  built_case built(c, checker);
  checker.watch(built.source());
  pin::audited_model& model = built.model();
  std::string broken;
  const auto run = [&](cycle_t cycles) {
    model.run(cycles);
    if (broken.empty() && !checker.broken().empty()) broken = checker.broken();
    const std::string audit = model.audit();
    if (broken.empty() && !audit.empty()) broken = fmt::format("cycle {}: {}", model.now(), audit);
    return broken.empty();
  };

  while (model.now() < c.stop)
    if (!run(model.now() < 300 ? 1 : std::min<cycle_t>(13, c.stop - model.now()))) return broken;
  if (!run(1)) return broken;  // the network reports the events of a cycle at its end

  const cycle_t slowest = c.slowest_channel();
  const cycle_t hop = c.router.pipeline + 2 * slowest + 4;       // one flit advances, and its credit returns
  const cycle_t codec = c.nic.compression.latency.value_or(20);  // latency of the compressor and of the decompressor
  const cycle_t deadline = model.now() + hop * (checker.flit_hops_due() + 10) + checker.packets_created() * codec;
  while (checker.packets_delivered() < checker.packets_created()) {
    if (model.now() > deadline)
      return fmt::format("not drained in cycle {}: {} of {} packets delivered, {} input VCs blocked", model.now(),
                         checker.packets_delivered(), checker.packets_created(), model.blocked().size());
    if (!run(model.now() < 300 ? 1 : 13)) return broken;
  }

  if (!run(2 * slowest + 20)) return broken;  // until the last credits have returned
  broken = model.audit_at_rest();
  if (!broken.empty()) return "at rest: " + broken;
  for (node_id n = 0; n < c.nodes(); ++n)
    if (model.queued(n) != 0) return fmt::format("at rest: {} packets queued at node {}", model.queued(n), n);
  if (!model.blocked().empty()) return "at rest: a packet is blocked";
  std::uint64_t sent = 0;
  for (const channel_count& count : model.channel_counts()) sent += count.flits;
  if (sent != checker.flit_hops())
    return fmt::format("at rest: routers counted {} flits, expected {} from the packets delivered", sent,
                       checker.flit_hops());
  if (checker.flits_injected() != checker.flits_ejected())
    return fmt::format("at rest: {} flits injected, {} delivered", checker.flits_injected(), checker.flits_ejected());
  return fmt::format("ok {} {}", checker.packets_delivered(), checker.flits_ejected());
}
