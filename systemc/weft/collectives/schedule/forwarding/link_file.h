// SPDX-License-Identifier: Apache-2.0
/// Networks of links as JSON, `weft-links/1`: docs/03_reference/schedule_forwarding.md.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "weft/collectives/schedule/files/json_place.h"
#include "weft/collectives/schedule/forwarding/link_graph.h"

namespace weft::schedule {

std::string links_to_json(const link_graph& graph);

/// Reads \p text in weft-links/1, or the topology of an SCCL topology or algorithm file.
/// \throws std::invalid_argument, which names the line, the place and the expected value
link_graph links_from_json(const std::string& text);

/// Checks that \p text, an SCCL file of \p type (topology or algorithm), has only keys that the SCCL tools use.
/// \throws std::invalid_argument, which names line and key
void check_sccl_keys(const std::string& text, const std::string& type);

/// Checks the `msccl_type` of \p object if there is one. \throws json_fault
void expect_sccl_type(const json_place& object, const std::string& type);

/// Topology in SCCL's format: `links[to][from]`, and switches.
nlohmann::json sccl_topology(const link_graph& graph);
/// \throws json_fault
link_graph links_of_sccl(const nlohmann::json& topology, const std::string& path);

}  // namespace weft::schedule
