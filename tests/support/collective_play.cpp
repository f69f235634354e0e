// SPDX-License-Identifier: Apache-2.0
#include "support/collective_play.h"

#include "support/event_log.h"
#include <memory>

#include "weft/core/network_model.h"
#include "weft/core/observers.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"

using namespace weft;

collective_network collective_case::network() const {
  std::uint32_t nodes = 1;
  for (const std::uint32_t side : grid.shape) nodes *= side;
  return {nodes, grid.shape, grid.rings, {}};
}

collective_outcome play(const collective& c, const collective_case& where, played_at level) {
  collective_case used = where;
  used.grid.options.vcs = used.router.vcs;
  if (used.options.coding == xor_unit::Nic) {
    used.options.stages.enabled = true;
    used.nic.coding = used.options.stages;
    used.nic.ejection_depth = used.router.depth;
  }
  const topology graph = used.graph ? *used.graph : make_grid(used.grid);
  collective_traffic traffic(c, used.options);
  event_log log((used.options.payload_bits + 63) / 64, event_log::detail::Everything);
  observers observer{&traffic, &log};
  std::unique_ptr<network_model> model;
  if (level == played_at::Engine) {
    model = engine::make_model(graph, used.router, used.nic, used.options.payload_bits, traffic, observer);
  } else {
    pin::model_options options;
    options.payload_bits = used.options.payload_bits;
    model = pin::make_model(graph, used.router, used.nic, options, traffic, observer);
  }
  traffic.attach(*model);

  constexpr cycle_t Patience = 1000;
  std::uint64_t moves = 0;
  for (cycle_t moved = 0; !traffic.finished() && !traffic.at_rest() && model->now() - moved < Patience;) {
    model->run(50);
    if (traffic.moves() != moves) moved = model->now();
    moves = traffic.moves();
  }
  return {traffic.finished(), traffic.verify(), traffic.error(), traffic.steps(), traffic.total(),
          traffic.xors(),     traffic.end(),    traffic.lost(),  log.text()};
}
