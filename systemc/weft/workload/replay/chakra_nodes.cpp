// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/replay/chakra_nodes.h"

#include <map>
#include <string_view>

#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

namespace weft {

namespace {

/// What an attribute may be of those that are read.
struct attribute {
  std::string name, text;
  std::optional<std::uint64_t> number;
};

/// Fields are told apart by number and by how they are written, so that no other bytes are taken for them.
constexpr std::uint32_t number_field(std::uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::varint);
}
constexpr std::uint32_t bytes_field(std::uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::length_delimited);
}
constexpr std::uint32_t double_field(std::uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::fixed64);
}
constexpr std::uint32_t float_field(std::uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::fixed32);
}

attribute read_attribute(protozero::pbf_reader from) {
  attribute a;
  const auto put = [&a](auto value) { a.number = static_cast<std::uint64_t>(value); };
  const auto put_real = [&a](double value) {
    if (value >= 0 && value < 0x1p63) a.number = static_cast<std::uint64_t>(value);
  };
  while (from.next()) switch (from.tag_and_type()) {
      case bytes_field(1):
        a.name = from.get_string();
        break;
      case double_field(3):
        put_real(from.get_double());
        break;
      case float_field(5):
        put_real(from.get_float());
        break;
      case number_field(7):
        put(from.get_int32());
        break;
      case number_field(9):
        put(from.get_int64());
        break;
      case number_field(11):
        put(from.get_uint32());
        break;
      case number_field(13):
        put(from.get_uint64());
        break;
      case number_field(15):
        put(from.get_sint32());
        break;
      case number_field(17):
        put(from.get_sint64());
        break;
      case bytes_field(29):
        a.text = from.get_string();
        break;
      default:
        from.skip();
    }
  return a;
}

chakra_node read_node(protozero::pbf_reader from) {
  chakra_node n;
  const std::map<std::string_view, std::optional<std::uint64_t>*> known = {
      {"comm_size", &n.bytes},     {"comm_src", &n.source}, {"comm_dst", &n.destination}, {"comm_tag", &n.tag},
      {"comm_type", &n.operation}, {"root", &n.root},       {"runtime", &n.runtime}};
  while (from.next()) switch (from.tag_and_type()) {
      case number_field(1):
        n.id = from.get_uint64();
        break;
      case number_field(3):
        n.type = from.get_enum();
        break;
      case number_field(4):
      case number_field(5):
        n.after.push_back(from.get_uint64());
        break;
      case bytes_field(4):
      case bytes_field(5):
        for (const std::uint64_t id : from.get_packed_uint64()) n.after.push_back(id);
        break;
      case number_field(7):
        n.microseconds = from.get_uint64();
        break;
      case bytes_field(10): {
        const attribute a = read_attribute(from.get_message());
        if (a.name == "pg_name") n.group = a.text;
        if (const auto found = known.find(a.name); found != known.end()) *found->second = a.number;
        break;
      }
      default:
        from.skip();
    }
  return n;
}

}  // namespace

std::vector<chakra_node> read_chakra_nodes(const std::string& text) {
  std::vector<chakra_node> nodes;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (bool first = true; at != end; first = false) {
    const std::uint64_t length = protozero::decode_varint(&at, end);
    if (length > static_cast<std::uint64_t>(end - at)) throw protozero::end_of_buffer_exception();
    const protozero::data_view message(at, length);
    at += length;
    if (!first) nodes.push_back(read_node(protozero::pbf_reader(message)));  // the first one is about the trace
  }
  return nodes;
}

}  // namespace weft
