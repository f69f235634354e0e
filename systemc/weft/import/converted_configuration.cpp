// SPDX-License-Identifier: Apache-2.0
#include "weft/import/converted_configuration.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/pin/model.h"

namespace weft::experiment {

void converted_configuration::set(const std::string& path, const std::string& value) {
  std::vector<entry>* members = &m_entries;
  entry* last = nullptr;
  std::istringstream names(path);
  for (std::string name; std::getline(names, name, '.');) {
    auto found = std::find_if(members->begin(), members->end(), [&](const entry& s) { return s.name == name; });
    if (found == members->end()) found = members->insert(members->end(), entry{name, ""});
    last = &*found;
    members = &last->members;
  }
  if (last) last->value = value;
}

void converted_configuration::set(const std::string& path, double value) { set(path, fmt::format("{:.12g}", value)); }

void converted_configuration::append(std::string& text, const std::vector<entry>& members, std::size_t depth) {
  for (const entry& s : members) {
    text += fmt::format("{:{}}{}:{}{}\n", "", 2 * depth, s.name, s.value.empty() ? "" : " ", s.value);
    append(text, s.members, depth + 1);
  }
}

std::string converted_configuration::text(const std::string& title,
                                          const std::vector<imported_settings::remark>& remarks) const {
  std::string text = fmt::format("# {}\n", printable(title));
  append(text, m_entries, 0);
  if (!remarks.empty()) text += "\n# Not converted:\n";
  for (const imported_settings::remark& r : remarks)
    text += fmt::format("# {}: {} = {}: {}\n", printable(r.setting.place), printable(r.setting.name),
                        abridged(r.setting.value), printable(r.why));
  return text;
}

void import_payload_bits(imported_settings& in, const std::string& name, converted_configuration& out) {
  const unsigned bits = in.whole(name);
  if (std::find(std::begin(pin::PayloadWidths), std::end(pin::PayloadWidths), bits) != std::end(pin::PayloadWidths))
    out.set("network.flit.payload_bits", bits);
  else
    in.lack(name, "flits have 32, 64, 128 or 256 bits of payload");
}

}  // namespace weft::experiment
