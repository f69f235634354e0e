// SPDX-License-Identifier: Apache-2.0
#include "chakra_graph.h"

#include <protozero/pbf_writer.hpp>

#include "weft/workload/error.h"

namespace chakra_trace {

namespace {

std::vector<std::string> texts_of(const std::vector<graph>& ranks) {
  std::vector<std::string> texts;
  for (const graph& g : ranks) texts.push_back(g.text());
  return texts;
}

}  // namespace

std::string delimited(const std::string& message) {
  std::string all;
  protozero::add_varint_to_buffer(&all, message.size());
  return all + message;
}

graph::graph(const std::string& version) {
  std::string about;
  if (!version.empty()) protozero::pbf_writer(about).add_string(1, version);
  m_text = delimited(about);
}

graph& graph::add(std::uint64_t id, type kind, const std::vector<std::uint64_t>& after, const attributes& with,
                  std::uint64_t microseconds, const std::string& group) {
  std::string text;
  protozero::pbf_writer node(text);
  node.add_uint64(1, id);
  node.add_string(2, "name");
  node.add_enum(3, kind);
  if (id % 2 == 0)
    node.add_packed_uint64(5, after.begin(), after.end());
  else  // the format allows both forms
    for (const std::uint64_t one : after) node.add_uint64(4, one);
  node.add_uint64(7, microseconds);
  for (const auto& [name, value] : with) {
    protozero::pbf_writer a(node, 10);
    a.add_string(1, name);
    a.add_int64(9, value);
  }
  if (!group.empty()) {
    protozero::pbf_writer a(node, 10);
    a.add_string(1, "pg_name");
    a.add_string(29, group);
  }
  m_text += delimited(text);
  return *this;
}

weft::replay_program parse_texts(const std::vector<std::string>& ranks) {
  std::vector<std::string> names;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) names.push_back("t." + std::to_string(rank) + ".et");
  return weft::parse_chakra(ranks, names);
}

weft::replay_program parse_graphs(const std::vector<graph>& ranks) { return parse_texts(texts_of(ranks)); }

std::string text_fault(const std::vector<std::string>& ranks) {
  try {
    parse_texts(ranks);
  } catch (const weft::workload_error& e) {
    return e.what();
  }
  return "none";
}

std::string graph_fault(const std::vector<graph>& ranks) { return text_fault(texts_of(ranks)); }

}  // namespace chakra_trace
