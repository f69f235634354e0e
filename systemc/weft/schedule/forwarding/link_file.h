// SPDX-License-Identifier: Apache-2.0
/// Networks of links as JSON, `weft-links/1`: docs/03_reference/schedule_forwarding.md.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "weft/schedule/forwarding/link_graph.h"

namespace weft::schedule {

std::string links_to_json(const link_graph& graph);

/// \p text in weft-links/1, or a topology or an algorithm of SCCL, of which the topology is taken.
/// \throws std::invalid_argument that names the place and what is expected there
link_graph links_from_json(const std::string& text);

/// SCCL's topology: `links[to][from]`, and switches.
nlohmann::json sccl_topology(const link_graph& graph);
link_graph links_of_sccl(const nlohmann::json& topology, const std::string& path);

}  // namespace weft::schedule
