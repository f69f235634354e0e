// SPDX-License-Identifier: Apache-2.0
#include "weft/import/converted_configuration.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/core/quote.h"
#include "weft/pin/model.h"

namespace weft::experiment {

void converted_configuration::set(const std::string& path, const std::string& value, sources from) {
  const auto found = std::find_if(m_leaves.begin(), m_leaves.end(), [&](const leaf& l) { return l.path == path; });
  if (found == m_leaves.end())
    m_leaves.push_back({path, value, std::move(from)});
  else
    *found = {path, value, std::move(from)};
}

void converted_configuration::set(const std::string& path, std::uint64_t value, sources from) {
  set(path, std::to_string(value), std::move(from));
}

void converted_configuration::set(const std::string& path, double value, sources from) {
  set(path, fmt::format("{:.12g}", value), std::move(from));
}

void converted_configuration::insert(std::vector<entry>& entries, const leaf& l) {
  std::vector<entry>* members = &entries;
  entry* last = nullptr;
  std::istringstream names(l.path);
  for (std::string name; std::getline(names, name, '.');) {
    auto found = std::find_if(members->begin(), members->end(), [&](const entry& s) { return s.name == name; });
    if (found == members->end()) found = members->insert(members->end(), entry{name, ""});
    last = &*found;
    members = &last->members;
  }
  if (last) last->value = l.value;
}

void converted_configuration::append(std::string& text, const std::vector<entry>& members, std::size_t depth) {
  for (const entry& s : members) {
    text += fmt::format("{:{}}{}:{}{}\n", "", 2 * depth, s.name, s.value.empty() ? "" : " ", s.value);
    append(text, s.members, depth + 1);
  }
}

std::string converted_configuration::text(const std::string& title, const imported_settings& in) const {
  std::string text = fmt::format("# {}\n", printable(title));
  std::vector<entry> entries;
  for (const leaf& l : m_leaves) insert(entries, l);
  append(text, entries, 0);
  const auto append_remarks = [&](const std::string& heading, const std::vector<imported_settings::remark>& remarks) {
    if (!remarks.empty()) text += fmt::format("\n# {}:\n", heading);
    for (const imported_settings::remark& r : remarks)
      text += fmt::format("# {}: {}: {}\n", printable(r.setting.place), assignment(r.setting), printable(r.why));
  };
  append_remarks(fmt::format("Differences from {}", in.simulator()), in.differences());
  append_remarks("Not converted", in.remarks());
  return text;
}

/// A name as a scalar of YAML.
std::string quoted_if_necessary(const std::string& name) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '/'; };
  if (std::all_of(name.begin(), name.end(), is_plain)) return name;
  return quoted(name);
}

void import_payload_bits(imported_settings& in, const std::string& name, converted_configuration& out) {
  const std::uint64_t bits = in.whole(name);
  if (std::find(std::begin(pin::PayloadWidths), std::end(pin::PayloadWidths), bits) != std::end(pin::PayloadWidths))
    out.set("network.flit.payload_bits", bits, {name});
  else
    in.lack(name, "flits have 32, 64, 128 or 256 bits of payload");
}

}  // namespace weft::experiment
