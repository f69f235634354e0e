// SPDX-License-Identifier: Apache-2.0
/// The sections of `workload.traffics`, whose names users choose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/configuration/keys.h"

namespace weft::experiment {

inline constexpr const char* TrafficsSection = "workload.traffics";
/// The key of the file of regulated flows, which replaces generated traffic.
inline constexpr const char* FlowsKey = "workload.flows.file";

/// The section of the traffic called \p name: "workload.traffics.video".
std::string section_of_traffic(const std::string& name);

/// The name of the traffic whose section contains the key or section \p path; nothing for other paths.
std::optional<std::string> traffic_in(const std::string& path);

/// Whether \p name consists of letters, digits and `_`, and begins with a letter.
bool is_traffic_name(const std::string& name);

/// Adds a traffic called \p name to \p c unless it has one. Keys that are bound to \p c become invalid if it has none.
void add_traffic(configuration& c, const std::string& name);

/// A configuration with the defaults of all keys, which has the same traffics as \p c.
configuration defaults_like(const configuration& c);

/// A configuration with the defaults of all keys. If \p path is in the section of a traffic, it has that traffic.
configuration defaults_with(const std::string& path);

/// The sections of the traffic called \p name.
std::vector<section> sections_of_traffic(const std::string& name);

/// Sets workload.injection.load to the sum of the loads of the traffics, unless it was given and no load of a traffic
/// overrides it.
void complete_load(configuration& c);

}  // namespace weft::experiment
