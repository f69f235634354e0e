// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/report/trace_recording.h"

#include <cstdint>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/configuration.h"
#include "weft/mpi/trace/trace_bytes.h"
#include "weft/mpi/trace/trace_reader.h"

namespace weft::experiment {

namespace {

constexpr std::uint32_t HeaderSize = 64;
constexpr std::size_t ApplicationSize = 32, OperationSize = 12;
constexpr std::uint64_t Everyone = 0xffff'ffff;  // -1: a collective has no single destination and no tag

/// \p text truncated or zero-padded to the size of the field.
std::string field(std::string_view text, std::size_t size) {
  std::string bytes(text.substr(0, size));
  bytes.resize(size, '\0');
  return bytes;
}

std::uint32_t class_of(data_type type) {
  switch (type) {
    case data_type::Int:
      return 0;
    case data_type::Double:
      return 1;
    case data_type::DoubleComplex:
      return 2;
    case data_type::Other:
      break;
  }
  return 3;
}

/// Writes the records while the trace is read.
class recording_visitor final : public trace_visitor {
 public:
  explicit recording_visitor(const std::string& type) : m_type(type) {}

  void begin(const trace_header& header) override {
    m_rank = header.rank;
    m_nanoseconds = 0;
    m_elements.clear();
  }
  void element(const trace_element& e) override { m_elements[e.id] = e; }
  void call(const trace_call& c) override {
    m_nanoseconds += c.computing;
    if (!c.payload.empty()) {
      const trace_element& element = m_elements[c.element];
      types.insert(element.name);
      if (m_type.empty() || m_type == element.name) add(c, class_of(element.type));
    }
    m_nanoseconds += c.inside;
  }

  std::string records;
  std::uint32_t messages = 0;
  std::uint32_t first_class = 0;  ///< class of the first message
  std::set<std::string> types;    ///< types of all payload

 private:
  void add(const trace_call& c, std::uint32_t message_class) {
    const bool collective = c.kind == call_kind::Collective;
    if (messages == 0) first_class = message_class;
    std::string_view function = MpiFunctionNames[static_cast<std::size_t>(c.function)];
    function.remove_prefix(std::string_view("MPI_").size());
    records += "MSG1";
    append_fixed(records, messages++, 4);
    append_fixed(records, m_rank, 4);
    append_fixed(records, collective ? Everyone : static_cast<std::uint64_t>(c.peer), 4);
    append_fixed(records, collective ? Everyone : static_cast<std::uint64_t>(c.tag), 4);
    append_fixed(records, message_class, 4);
    records += field(function, OperationSize);
    append_fixed(records, m_nanoseconds / 1000, 8);
    append_fixed(records, c.payload.size(), 8);
    append_fixed(records, 0, 8);
    append_fixed(records, c.payload.size(), 4);
    records += c.payload;
  }

  std::uint32_t m_rank = 0;
  std::uint64_t m_nanoseconds = 0;  ///< time since the rank began
  std::unordered_map<std::uint32_t, trace_element> m_elements;
  std::string m_type;
};

}  // namespace

std::string to_recording(const std::filesystem::path& path, const std::string& type) {
  recording_visitor visitor(type);
  const trace_header about = read_trace(path, visitor).front();
  if (visitor.types.empty())
    throw configuration_error(
        {{"--recording", path.string() + " has no payload; record it again with WEFT_MPI_PAYLOAD=whole"}});
  if (visitor.messages == 0)
    throw configuration_error({{"--type", fmt::format("expected a type with payload ({}), got '{}'",
                                                      fmt::join(visitor.types, " or "), type)}});
  std::string bytes = "MPTRACE1";
  for (const std::uint64_t number :
       {std::uint64_t{1}, std::uint64_t{HeaderSize}, std::uint64_t{about.ranks}, std::uint64_t{visitor.first_class},
        std::uint64_t{visitor.messages}, std::uint64_t{visitor.messages}})
    append_fixed(bytes, number, 4);
  bytes += field(about.program, ApplicationSize);
  return bytes + visitor.records;
}

}  // namespace weft::experiment
