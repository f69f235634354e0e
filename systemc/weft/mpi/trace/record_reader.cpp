// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/trace/record_reader.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

namespace weft {

namespace {

constexpr std::uint64_t Most32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t Most64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t MostTag = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t MostName = 1024;

const char* noun_of(call_kind kind) {
  switch (kind) {
    case call_kind::Send:
      return "a send";
    case call_kind::Receive:
      return "a receive";
    case call_kind::Completion:
      return "a completion";
    case call_kind::Collective:
      return "a collective";
    case call_kind::Uncovered:
      break;
  }
  return "a call that is not covered";
}

/// Whether a record of this kind may have this function.
bool fits(call_kind kind, mpi_function f) {
  const bool exchange = f == mpi_function::Sendrecv || f == mpi_function::SendrecvReplace;
  const bool start = f == mpi_function::Start || f == mpi_function::Startall;
  switch (kind) {
    case call_kind::Send:
      return exchange || start || is_send(f);
    case call_kind::Receive:
      return exchange || start || is_receive(f) || is_matched_probe(f);
    case call_kind::Completion:
      return has_end(f) || is_completion(f) || f == mpi_function::Mrecv || f == mpi_function::Imrecv;
    case call_kind::Collective:
      return is_collective(f);
    case call_kind::Uncovered:
      break;
  }
  return !is_recorded(f);
}

}  // namespace

void record_reader::fail(const std::string& message) const {
  throw input_error(
      {diagnostic{fmt::format("{}: byte {}", m_name, m_at + m_record), message + "; copy or record the trace again"}});
}

std::uint64_t record_reader::number(std::uint64_t most, const char* what) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (m_next == m_content.size()) fail(fmt::format("the block ends within {}", what));
    const auto byte = static_cast<unsigned char>(m_content[m_next++]);
    const std::uint64_t bits = byte & 0x7fU;
    if (shift == 63 && bits > 1) break;
    value |= bits << shift;
    if (byte < 0x80) {
      if (value > most) fail(fmt::format("{} is {}, expected at most {}", what, value, most));
      return value;
    }
  }
  fail(fmt::format("{} has more than 64 bits", what));
}

std::int64_t record_reader::signed_number(std::int64_t least, std::int64_t most, const char* what) {
  const std::uint64_t raw = number(Most64, what);
  const auto value = static_cast<std::int64_t>((raw >> 1) ^ (~(raw & 1) + 1));
  if (value < least || value > most) fail(fmt::format("{} is {}, expected {} to {}", what, value, least, most));
  return value;
}

std::string_view record_reader::bytes(std::uint64_t count, const char* what) {
  if (count > m_content.size() - m_next) fail(fmt::format("the block ends within {}", what));
  const std::string_view text = m_content.substr(m_next, static_cast<std::size_t>(count));
  m_next += static_cast<std::size_t>(count);
  return text;
}

std::vector<std::uint32_t> record_reader::ranks(const char* what) {
  std::vector<std::uint32_t> all;
  for (std::uint64_t runs = number(Most32, what); runs > 0; --runs) {
    const std::uint64_t first = number(Most32, what), count = number(Most32, what);
    if (count == 0 || first + count > m_header.ranks || all.size() + count > m_header.ranks)
      fail(fmt::format("{} has ranks {} to {}, but the run has {} ranks", what, first, first + count, m_header.ranks));
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(static_cast<std::uint32_t>(first + i));
  }
  return all;
}

std::vector<std::uint64_t> record_reader::list(std::size_t members, const char* what) {
  const std::uint64_t count = number(Most32, what);
  if (count != 0 && count != members) fail(fmt::format("{} has {} numbers, expected none or {}", what, count, members));
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(number(Most64, what));
  return all;
}

std::vector<std::uint32_t> record_reader::rank_list(const char* what) {
  std::vector<std::uint32_t> all;
  for (std::uint64_t left = number(Most32, what); left > 0; --left)
    all.push_back(static_cast<std::uint32_t>(number(m_header.ranks - 1, what)));
  return all;
}

void record_reader::read(std::string_view content, std::uint64_t at) {
  m_content = content;
  m_at = at;
  m_next = 0;
  while (m_next < m_content.size()) {
    m_record = m_next;
    if (m_ended) fail("a record follows the end of its rank");
    read_record();
  }
}

void record_reader::read_record() {
  const auto kind = static_cast<trace_record>(m_content[m_next++]);
  switch (kind) {
    case trace_record::Communicator:
      return read_communicator();
    case trace_record::Element:
      return read_element();
    case trace_record::Send:
    case trace_record::Receive:
    case trace_record::Completion:
    case trace_record::Collective:
    case trace_record::Uncovered:
      return read_call(static_cast<call_kind>(static_cast<unsigned>(kind) - static_cast<unsigned>(trace_record::Send)));
    case trace_record::End: {
      const std::uint64_t calls = number(Most64, "the number of calls");
      if (calls != m_calls) fail(fmt::format("the end record counts {} calls, but the trace has {}", calls, m_calls));
      m_ended = true;
      return;
    }
    case trace_record::Threads:
      return read_threads();
  }
  fail(fmt::format("expected a record of kind 1 to 9, found {}", static_cast<unsigned>(kind)));
}

void record_reader::read_communicator() {
  trace_communicator c;
  c.id = static_cast<std::uint32_t>(number(Most32, "a communicator"));
  c.ordinal = number(m_header.version < 4 ? Most32 : Most64, "the ordinal of a communicator");
  c.members = ranks("the group of a communicator");
  c.peers = ranks("the other group of a communicator");
  if (c.members.empty()) fail("a communicator has no members");
  if (!m_members.emplace(c.id, c.members.size()).second) fail(fmt::format("communicator {} is defined twice", c.id));
  m_visitor.communicator(c);
}

void record_reader::read_element() {
  trace_element e;
  e.id = static_cast<std::uint32_t>(number(Most32, "an element"));
  e.size = static_cast<std::uint32_t>(number(Most32, "the size of an element"));
  e.type = static_cast<data_type>(number(3, "the data type of an element"));
  e.name = bytes(number(MostName, "the name of an element"), "the name of an element");
  if (!m_elements.insert(e.id).second) fail(fmt::format("element {} is defined twice", e.id));
  m_visitor.element(e);
}

void record_reader::need_version(std::uint32_t version, const char* what) const {
  if (m_header.version < version)
    fail(fmt::format("{} does not belong in a trace of version {}", what, m_header.version));
}

void record_reader::read_threads() {
  need_version(3, "a number of threads");
  const std::uint64_t so_far = number(Most32, "the number of threads");
  if (so_far <= m_threads) fail(fmt::format("the number of threads is {}, expected more than {}", so_far, m_threads));
  m_threads = so_far;
  m_visitor.threads(static_cast<std::uint32_t>(so_far));
}

void record_reader::read_call(call_kind kind) {
  trace_call c;
  c.kind = kind;
  c.function = static_cast<mpi_function>(number(MpiFunctionNames.size() - 1, "the function of a call"));
  if (!fits(kind, c.function)) fail(fmt::format("{} is not {}", name_of(c.function), noun_of(kind)));
  const std::uint64_t flags = number(TraceFlags, "the flags of a call");
  c.continues = (flags & TraceContinues) != 0;
  c.any_source = (flags & TraceAnySource) != 0;
  c.any_tag = (flags & TraceAnyTag) != 0;
  c.mode = static_cast<send_mode>(flags >> TraceModeShift);
  if (c.continues && m_calls == 0) fail("the first record continues a previous call, expected the start of a call");
  if (!c.continues) ++m_calls;
  c.computing = number(Most64, "the time before a call");
  c.inside = number(Most64, "the time in a call");
  switch (kind) {
    case call_kind::Send:
    case call_kind::Receive:
      read_message(c);
      break;
    case call_kind::Completion:
      read_completions(c);
      if (has_end(c.function)) {
        need_version(3, "an end of a call that blocks");
        if (!c.continues) fail(fmt::format("{} ends without having begun", name_of(c.function)));
      }
      break;
    case call_kind::Collective:
      read_collective(c);
      break;
    case call_kind::Uncovered:
      break;
  }
  m_visitor.call(c);
}

std::size_t record_reader::members_of(trace_call& c) {
  c.communicator = static_cast<std::uint32_t>(number(Most32, "a communicator"));
  const auto found = m_members.find(c.communicator);
  if (found == m_members.end()) fail(fmt::format("communicator {} is not defined", c.communicator));
  return found->second;
}

void record_reader::read_element_of(trace_call& c) {
  c.element = static_cast<std::uint32_t>(number(Most32, "an element"));
  if (m_elements.count(c.element) == 0) fail(fmt::format("element {} is not defined", c.element));
}

void record_reader::read_request(trace_call& c) {
  c.request = static_cast<std::uint32_t>(number(Most32, "a request"));
  if (c.request == 0) return;
  if (c.request != m_last_request + 1) fail(fmt::format("request {} follows request {}", c.request, m_last_request));
  m_last_request = c.request;
  m_open.emplace(c.request, c.kind == call_kind::Receive);
}

void record_reader::read_message(trace_call& c) {
  members_of(c);
  const bool any = c.kind == call_kind::Receive;
  c.peer = signed_number(any ? AnyRank : 0, std::int64_t{m_header.ranks} - 1, "the rank of a message");
  c.tag = signed_number(any ? AnyTag : 0, MostTag, "the tag of a message");
  read_element_of(c);
  c.bytes = number(Most64 >> 1, "the length of a message");
  read_request(c);
  if (c.request == 0 && (c.peer == AnyRank || c.tag == AnyTag)) fail("a completed receive has no source or tag");
  if (c.kind == call_kind::Send) read_payload(c);
}

void record_reader::read_completions(trace_call& c) {
  for (std::uint64_t left = number(Most32, "the number of completions"); left > 0; --left) {
    trace_completion done;
    done.request = static_cast<std::uint32_t>(number(Most32, "a request"));
    const std::uint64_t flags = number(3, "the flags of a completion");
    const auto open = m_open.find(done.request);
    if (open == m_open.end()) fail(fmt::format("request {} ends but is not open", done.request));
    done.received = (flags & 1) != 0;
    done.cancelled = (flags & 2) != 0;
    if (done.received && !open->second)
      fail(fmt::format("request {} ends as a receive but did not begin as one", done.request));
    m_open.erase(open);
    if (done.received) {
      done.source = signed_number(0, std::int64_t{m_header.ranks} - 1, "the source of a message");
      done.tag = signed_number(0, MostTag, "the tag of a message");
      done.bytes = number(Most64 >> 1, "the length of a message");
    }
    c.completions.push_back(done);
  }
}

void record_reader::read_collective(trace_call& c) {
  const std::size_t members = members_of(c);
  c.root = signed_number(AnyRank, std::int64_t{m_header.ranks} - 1, "the root of a collective");
  c.operation = static_cast<mpi_operation>(number(MpiOperationNames.size() - 1, "the operation of a reduction"));
  read_element_of(c);
  read_request(c);
  c.send_bytes = number(Most64 >> 1, "the length of a collective");
  c.receive_bytes = number(Most64 >> 1, "the length of a collective");
  const bool neighbours = is_neighbourhood(c.function);
  // Lists of a neighborhood have as many elements as the neighbor lists, which follow them.
  const std::size_t at = m_next;
  const auto skip = [this] {
    for (std::uint64_t left = number(Most32, "a list"); left > 0; --left) number(Most64, "a list");
  };
  std::size_t sends = members, receives = members;
  if (neighbours) {
    skip();
    skip();
    c.to = rank_list("the neighbors of a collective");
    c.from = rank_list("the neighbors of a collective");
    sends = c.to.size();
    receives = c.from.size();
    m_next = at;
  }
  c.sends = list(sends, "the lengths sent in a collective");
  c.receives = list(receives, "the lengths received in a collective");
  c.to = rank_list("the neighbors of a collective");
  c.from = rank_list("the neighbors of a collective");
  if (!neighbours && (!c.to.empty() || !c.from.empty())) fail(fmt::format("{} has neighbors", name_of(c.function)));
  read_payload(c);
}

void record_reader::read_payload(trace_call& c) {
  c.payload = bytes(number(MostTraceBlock, "the length of a payload"), "a payload");
}

}  // namespace weft
