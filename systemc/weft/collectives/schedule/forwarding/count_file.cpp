// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/count_file.h"

#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "weft/collectives/schedule/files/json_place.h"
#include "weft/core/warning.h"

namespace weft::schedule {

namespace {

std::vector<std::vector<unsigned>> counts_at(const json_place& root, std::size_t nodes, const std::string& place) {
  constexpr unsigned Most = 1 << 20;
  const auto rows = root.elements();
  if (rows.size() != nodes) root.fail(fmt::format("{} rows, one for each node that sends", nodes));
  std::vector<std::vector<unsigned>> counts;
  omissions left_out;
  for (const json_place& row : rows) {
    const auto numbers = row.elements();
    if (numbers.size() != nodes) row.fail(fmt::format("{} numbers, one for each node that receives", nodes));
    std::vector<unsigned>& count = counts.emplace_back();
    for (const json_place& number : numbers) count.push_back(static_cast<unsigned>(number.number(0, Most)));
    const std::size_t node = counts.size() - 1;
    if (count[node] > 0) left_out.add("chunks of a node for itself are left out", place + ": " + numbers[node].path());
  }
  left_out.warn_all("they cross no link; give 0");
  return counts;
}

}  // namespace

std::vector<std::vector<unsigned>> counts_from_json(const std::string& text, std::size_t nodes,
                                                    const std::string& place) {
  const nlohmann::json document = parse_json(text);
  return with_lines(text, [&] { return counts_at(json_place(document), nodes, place); });
}

}  // namespace weft::schedule
