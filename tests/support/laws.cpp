// SPDX-License-Identifier: Apache-2.0
#include "support/laws.h"

#include "support/law_checker.h"
#include <numeric>

#include <fmt/format.h>

#include "weft/core/network_model.h"

using namespace weft;

std::string run_under_laws(const network_case& c) {
  law_checker laws(c);
  built_case built(c, laws);
  laws.watch(built.source());
  pin::audited_model& model = built.model();
  std::string broken;
  const auto run = [&](cycle_t cycles) {
    model.run(cycles);
    if (broken.empty() && !laws.broken().empty()) broken = laws.broken();
    const std::string audit = model.audit();
    if (broken.empty() && !audit.empty()) broken = fmt::format("cycle {}: {}", model.now(), audit);
    return broken.empty();
  };

  while (model.now() < c.stop)
    if (!run(model.now() < 300 ? 1 : std::min<cycle_t>(13, c.stop - model.now()))) return broken;
  if (!run(1)) return broken;  // events of the last cycle are reported at its end

  const cycle_t slowest = c.slowest_channel();
  const cycle_t hop = c.router.pipeline + 2 * slowest + 4;       // a flit moves on, its credit comes back
  const cycle_t codec = c.nic.compression.latency.value_or(20);  // of the compressor, and of the decompressor
  const cycle_t deadline = model.now() + hop * (laws.flit_hops_due() + 10) + laws.packets_created() * codec;
  while (laws.packets_delivered() < laws.packets_created()) {
    if (model.now() > deadline)
      return fmt::format("not drained in cycle {}: {} of {} packets delivered, {} input VCs blocked", model.now(),
                         laws.packets_delivered(), laws.packets_created(), model.blocked().size());
    if (!run(model.now() < 300 ? 1 : 13)) return broken;
  }

  if (!run(2 * slowest + 20)) return broken;  // the last credits come home
  broken = model.audit_at_rest();
  if (!broken.empty()) return "at rest: " + broken;
  for (node_id n = 0; n < c.nodes(); ++n)
    if (model.queued(n) != 0) return fmt::format("at rest: {} packets queued at node {}", model.queued(n), n);
  if (!model.blocked().empty()) return "at rest: something is blocked";
  std::uint64_t sent = 0;
  for (const channel_count& count : model.channel_counts()) sent += count.flits;
  if (sent != laws.flit_hops())
    return fmt::format("at rest: routers count {} flits, the packets delivered make it {}", sent, laws.flit_hops());
  if (laws.flits_injected() != laws.flits_ejected())
    return fmt::format("at rest: {} flits injected, {} delivered", laws.flits_injected(), laws.flits_ejected());
  return fmt::format("ok {} {}", laws.packets_delivered(), laws.flits_ejected());
}
