// SPDX-License-Identifier: Apache-2.0
/// Reads networks of links from JSON in the format `weft-links/1`, which docs/03_reference/schedule_forwarding.md
/// describes, and in the formats of SCCL.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "weft/collectives/schedule/files/json_place.h"
#include "weft/collectives/schedule/forwarding/link_graph.h"

namespace weft::schedule {

std::string links_to_json(const link_graph& graph);

/// Reads a network from \p text. The text must be in the format weft-links/1, or an SCCL topology or algorithm file,
/// from which only the topology is read.
/// \throws std::invalid_argument, which names the line, the place in the document and the expected value
link_graph links_from_json(const std::string& text);

/// Checks that \p text, an SCCL file of \p type (topology or algorithm), contains only keys that the SCCL tools use.
/// \throws std::invalid_argument, which names the line and the key
void check_sccl_keys(const std::string& text, const std::string& type);

/// Checks that `msccl_type` of \p object, if present, is \p type. \throws json_fault
void expect_sccl_type(const json_place& object, const std::string& type);

/// Returns the topology in SCCL's format: the matrix `links[to][from]`, and switches.
nlohmann::json sccl_topology(const link_graph& graph);
/// Reads a topology in SCCL's format. \p path is its place in the document, for messages. \throws json_fault
link_graph links_of_sccl(const nlohmann::json& topology, const std::string& path);

}  // namespace weft::schedule
