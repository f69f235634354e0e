// SPDX-License-Identifier: Apache-2.0
/// Networks of links as JSON, `weft-links/1`: docs/03_reference/schedule_forwarding.md.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "weft/schedule/files/json_place.h"
#include "weft/schedule/forwarding/link_graph.h"

namespace weft::schedule {

std::string links_to_json(const link_graph& graph);

/// \p text in weft-links/1, or a topology or an algorithm of SCCL, of which the topology is taken.
/// \throws std::invalid_argument that names the line, the place and what is expected there
link_graph links_from_json(const std::string& text);

/// Checks that \p text, a topology or an algorithm of SCCL as \p type says, has no keys but those of its tools.
/// \throws std::invalid_argument that names line and key
void check_sccl_keys(const std::string& text, const std::string& type);

/// Checks the `msccl_type` of \p object, where it has one. \throws json_fault
void expect_sccl_type(const json_place& object, const std::string& type);

/// SCCL's topology: `links[to][from]`, and switches.
nlohmann::json sccl_topology(const link_graph& graph);
/// \throws json_fault
link_graph links_of_sccl(const nlohmann::json& topology, const std::string& path);

}  // namespace weft::schedule
