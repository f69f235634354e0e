// SPDX-License-Identifier: Apache-2.0
/// Converts a traffic table of Noxim into a traffic matrix.
#pragma once

#include <cstdint>
#include <string>

#include "weft/import/imported_settings.h"

namespace weft::experiment {

/// Converts the table \p text: lines `source destination [pir [por [t_on [t_off [t_period]]]]]`. Several lines of a
/// pair add up. The result has a line `source destination rate` for each pair, with the mean rate in flits per cycle.
/// The function notes in \p in where the traffic differs over time. In Noxim, a node that created no packet in the
/// previous cycle creates one to destination d with the probability pir(d), and a node that did, with the probability
/// por(d). `pir` has the default packet_injection_rate, and `por` the default `pir`. A line applies in the cycles c
/// with t_on < c mod t_period < t_off.
/// \par Source: Noxim's GlobalTrafficTable.cpp and ProcessingElement.cpp.
/// \param file the name of the table in messages
/// \param nodes number of nodes
/// \param length mean length of a packet in flits
/// \throws input_error with all errors
std::string import_noxim_table(imported_settings& in, const std::string& text, const std::string& file,
                               std::uint64_t nodes, double length);

}  // namespace weft::experiment
