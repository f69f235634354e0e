// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/chakra_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

#include "weft/core/printable.h"
#include "weft/workload/error.h"

namespace weft {

namespace {

/// Attributes that only describe a node and affect no result; see docs/03_reference/external_traces.md.
constexpr std::array<std::string_view, 15> DescriptiveAttributes = {
    "is_cpu_op", "num_ops", "tensor_size", "tensor_loc", "rf_id",     "seq_id",  "scope",         "tid",
    "fw_tid",    "stream",  "fw_parent",   "op_schema",  "comm_desc", "pg_desc", "kernel_backend"};

/// Attributes that affect a result or a warning.
constexpr std::array<std::string_view, 10> ReadAttributes = {"comm_size", "comm_src",    "comm_dst", "comm_tag",
                                                             "comm_type", "root",        "pg_name",  "runtime",
                                                             "num_ops",   "involved_dim"};

constexpr std::uint32_t LastField = 10;  ///< number of the last field of a node

/// The contents that an attribute may have, as far as they are read.
struct attribute {
  std::string name;
  unsigned values = 0;
  std::optional<std::string> text;
  std::optional<double> real;
  std::optional<std::int64_t> number;  ///< the value if it is a whole number
  std::optional<bool> all_set;         ///< whether all values of a list of booleans are true

  template <typename T>
  void put(T value) {
    ++values;
    constexpr double Whole = 0x1p53;
    real = static_cast<double>(value);
    if (!std::is_floating_point_v<T> || (std::trunc(*real) == *real && std::abs(*real) <= Whole))
      number = static_cast<std::int64_t>(value);
  }
};

/// Identifies a field by its number and wire type, so that other data are not mistaken for the field.
constexpr std::uint32_t number_field(std::uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::varint);
}
constexpr std::uint32_t bytes_field(std::uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::length_delimited);
}
constexpr std::uint32_t eight_byte_field(std::uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::fixed64);
}
constexpr std::uint32_t four_byte_field(std::uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::fixed32);
}

class chakra_file_reader {
 public:
  chakra_file_reader(const std::string& text, const std::string& name, omissions& left_out)
      : m_text(text), m_name(name), m_left_out(left_out) {}

  std::vector<chakra_node> read() {
    if (m_text.empty()) wrong(0, fmt::format("the file is empty; expected a message about the trace; {}", Remedy));
    std::vector<chakra_node> nodes;
    const char* at = m_text.data();
    const char* const end = at + m_text.size();
    try {
      for (bool first = true; at != end; first = false) {
        const protozero::pbf_reader message(next_message(at, end));
        if (first)
          read_about(message);
        else
          nodes.push_back(read_node(message));
      }
    } catch (const protozero::exception&) {
      wrong(m_at,
            fmt::format("the file is not a Chakra trace, or is damaged {}; {}",
                        nodes.empty() ? "at its beginning" : fmt::format("after node {}", nodes.back().id), Remedy));
    }
    return nodes;
  }

 private:
  static constexpr std::string_view Version = "0.0.4", Remedy = "copy or record the trace again";

  [[noreturn]] void wrong(std::uint64_t byte, const std::string& what) const {
    throw workload_error(fmt::format("{}: byte {}: {}", m_name, byte, what));
  }
  void leave_out(std::uint64_t byte, const std::string& what) const {
    m_left_out.add(what, fmt::format("{}: byte {}", m_name, byte));
  }
  std::uint64_t byte_of(const char* at) const { return static_cast<std::uint64_t>(at - m_text.data()); }

  /// Returns the bytes of the message that begins at \p at, and moves \p at behind the message.
  protozero::data_view next_message(const char*& at, const char* end) {
    m_at = m_message = byte_of(at);
    const std::uint64_t length = protozero::decode_varint(&at, end);
    const auto left = static_cast<std::uint64_t>(end - at);
    if (length > left)
      wrong(m_message, fmt::format("a message of {} bytes begins here, but the file has only {} more bytes; {}", length,
                                   left, Remedy));
    const protozero::data_view message(at, length);
    at += length;
    return message;
  }

  bool next_field(protozero::pbf_reader& from) {
    m_at = byte_of(from.data().data());
    return from.next();
  }

  /// Reads GlobalMetadata, which every file has. If there were a node in its place, the node would be lost.
  void read_about(protozero::pbf_reader from) {
    std::vector<protozero::pbf_reader> attributes;
    bool has_version = false;
    while (next_field(from)) switch (from.tag_and_type()) {
        case bytes_field(1):
          if (std::exchange(has_version, true))
            wrong(m_at, fmt::format("the message about the trace has two versions; expected one; {}", Remedy));
          if (const std::string version = from.get_string(); !version.empty()) note_version(version);
          break;
        case bytes_field(2):
          attributes.push_back(from.get_message());
          break;
        default:
          wrong(m_message,
                fmt::format("expected a message about the trace (GlobalMetadata) first, found another message; {}",
                            Remedy));
      }
    for (const protozero::pbf_reader& one : attributes) {
      constexpr std::string_view Mark = "-chakra.";  // in version strings of the converters, such as 1.0.2-chakra.0.0.4
      const attribute a = read_attribute(one);
      if (a.name != "schema" || !a.text) continue;
      if (const std::size_t mark = a.text->find(Mark); mark != std::string::npos)
        note_version(a.text->substr(mark + Mark.size()));
    }
  }

  /// Notes a version other than 0.0.4. Versions are not reliable: version 1.0.0 has the schema of 0.0.4. Therefore the
  /// reader also checks whether the messages have the fields of the schema.
  void note_version(const std::string& found) const {
    if (found != Version)
      leave_out(m_at, fmt::format("the trace names {} of Chakra's schema, and Weft reads it as version {}",
                                  found.empty() ? "no version" : "version " + abridged(found), Version));
  }

  attribute read_attribute(protozero::pbf_reader from) {
    const std::uint64_t begin = m_at;
    attribute a;
    while (next_field(from)) switch (from.tag_and_type()) {
        case bytes_field(1):
          a.name = from.get_string();
          break;
        case eight_byte_field(3):
          a.put(from.get_double());
          break;
        case four_byte_field(5):
          a.put(from.get_float());
          break;
        case number_field(7):
          a.put(from.get_int32());
          break;
        case number_field(9):
          a.put(from.get_int64());
          break;
        case number_field(11):
          a.put(from.get_uint32());
          break;
        case number_field(13):
          a.put(from.get_uint64());
          break;
        case number_field(15):
          a.put(from.get_sint32());
          break;
        case number_field(17):
          a.put(from.get_sint64());
          break;
        case four_byte_field(19):
          a.put(from.get_fixed32());
          break;
        case eight_byte_field(21):
          a.put(from.get_fixed64());
          break;
        case four_byte_field(23):
          a.put(from.get_sfixed32());
          break;
        case eight_byte_field(25):
          a.put(from.get_sfixed64());
          break;
        case bytes_field(28):
          ++a.values;
          a.all_set = all_set(from.get_message());
          break;
        case bytes_field(29):
          ++a.values;
          a.text = from.get_string();
          break;
        default:
          from.skip();
      }
    if (a.values > 1)
      wrong(begin,
            fmt::format("the attribute '{}' has {} values; expected one; {}", abridged(a.name), a.values, Remedy));
    return a;
  }

  /// Whether all values of a BoolList are true.
  bool all_set(protozero::pbf_reader from) {
    bool all = true;
    while (next_field(from)) switch (from.tag_and_type()) {
        case number_field(1):
          all = from.get_bool() && all;
          break;
        case bytes_field(1):
          for (const bool one : from.get_packed_bool()) all = one && all;
          break;
        default:
          from.skip();
      }
    return all;
  }

  chakra_node read_node(protozero::pbf_reader from) {
    chakra_node n;
    n.byte = m_message;
    std::vector<std::pair<std::uint64_t, attribute>> attributes;  // with the byte positions where they begin
    std::array<bool, LastField + 1> has{};                        // whether each non-repeated field has occurred
    const auto expect_first = [&](const char* field) {
      if (std::exchange(has[from.tag()], true))
        wrong(m_at, fmt::format("a node has the field {} twice; expected it once; {}", field, Remedy));
    };
    while (next_field(from)) switch (from.tag_and_type()) {
        case number_field(1):
          expect_first("id");
          n.id = from.get_uint64();
          break;
        case number_field(3):
          expect_first("type");
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
          expect_first("duration_micros");
          n.microseconds = from.get_uint64();
          break;
        case bytes_field(10): {
          const std::uint64_t begin = m_at;
          attributes.emplace_back(begin, read_attribute(from.get_message()));
          break;
        }
        case bytes_field(2):   // name
        case number_field(6):  // begin
        case bytes_field(8):   // inputs
        case bytes_field(9):   // outputs
          from.skip();
          break;
        default:
          skip_later_field(from);
      }
    expect_names_once(attributes, n);
    for (const auto& [byte, a] : attributes) take(a, byte, n);
    for (const auto& [byte, a] : attributes) expect_whole_group(a, byte, n);
    return n;
  }

  /// Rejects an attribute that is given twice, because it is unknown which value is meant. If the attribute is not
  /// read, only warns.
  void expect_names_once(const std::vector<std::pair<std::uint64_t, attribute>>& attributes,
                         const chakra_node& n) const {
    std::set<std::string_view> names;
    for (const auto& [byte, a] : attributes) {
      if (names.insert(a.name).second) continue;
      if (std::count(ReadAttributes.begin(), ReadAttributes.end(), a.name) > 0)
        wrong(byte, fmt::format("node {} has {} twice; expected it once", n.id, a.name));
      const bool is_descriptive = std::count(DescriptiveAttributes.begin(), DescriptiveAttributes.end(), a.name) > 0;
      if (is_descriptive)  // others cause a warning anyway
        leave_out(byte, fmt::format("a node has the attribute '{}' twice; it is not read", abridged(a.name)));
    }
  }

  /// Checks that a collective without a group name involves all dimensions, because it counts as a collective of all
  /// ranks.
  void expect_whole_group(const attribute& a, std::uint64_t byte, const chakra_node& n) const {
    if (a.name != "involved_dim" || !n.is(chakra_node_type::Collective) || !n.group.empty()) return;
    if (!a.all_set.value_or(false))
      wrong(byte, fmt::format("involved_dim of node {} does not set all dimensions, so that some ranks take no part; "
                              "expected all true, or the attribute pg_name, which names a group of ranks",
                              n.id));
  }

  /// Skips a field that a later schema added.
  void skip_later_field(protozero::pbf_reader& from) const {
    if (from.tag() <= LastField)
      wrong(m_at,
            fmt::format("field {} of a node does not have the type that the schema gives it; {}", from.tag(), Remedy));
    leave_out(m_at, fmt::format("field {} of a node, of a later schema, is not read", from.tag()));
    from.skip();
  }

  void take(const attribute& a, std::uint64_t byte, chakra_node& n) const {
    const std::map<std::string_view, std::optional<std::int64_t>*> numbers = {
        {"comm_size", &n.bytes}, {"comm_src", &n.source},     {"comm_dst", &n.destination},
        {"comm_tag", &n.tag},    {"comm_type", &n.operation}, {"root", &n.root}};
    const auto need = [&](bool found, const char* what) {
      if (!found) wrong(byte, fmt::format("{} of node {} is not a {}", a.name, n.id, what));
    };
    if (a.name == "pg_name") {
      need(a.text.has_value(), "text");
      n.group = *a.text;
    } else if (a.name == "runtime") {
      need(a.real.has_value(), "number");
      n.runtime = a.real;
    } else if (const auto found = numbers.find(a.name); found != numbers.end()) {
      need(a.number.has_value(), "whole number");
      *found->second = a.number;
    } else if (a.name == "num_ops") {
      n.counts_operations = a.real.value_or(0) > 0;
    } else if (a.name != "involved_dim" &&
               std::count(DescriptiveAttributes.begin(), DescriptiveAttributes.end(), a.name) == 0) {
      leave_out(byte, fmt::format("the attribute '{}' of a node is not read", abridged(a.name)));
    }
  }

  const std::string& m_text;
  const std::string& m_name;
  omissions& m_left_out;
  std::uint64_t m_message = 0;  ///< byte where the current message begins
  std::uint64_t m_at = 0;       ///< byte where the current field begins
};

}  // namespace

std::vector<chakra_node> read_chakra_nodes(const std::string& text, const std::string& name, omissions& left_out) {
  return chakra_file_reader(text, name, left_out).read();
}

}  // namespace weft
