// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/flows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/core/types.h"
#include "weft/workload/error.h"
#include "weft/workload/rates.h"
#include "weft/workload/text_lines.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

constexpr std::array<const char*, 8> FlowColumns{"name", "source", "destination", "flits",
                                                 "rate", "burst",  "class",       "start"};
constexpr std::size_t FewestColumns = 6;

class flow_reader {
 public:
  flow_reader(std::string_view text, const std::string& name, const flow_context& context)
      : m_lines(text, name, "lines 'name source destination flits rate burst [class [start]]'"),
        m_name(name),
        m_context(context) {}

  std::vector<regulated_flow> read() {
    std::string_view line;
    while (m_lines.next(line)) {
      std::vector<std::string_view> tokens;
      for (auto token = take_token(line); !token.empty(); token = take_token(line)) tokens.push_back(token);
      if (!tokens.empty() && read_flow(tokens)) m_lines.accept();
    }
    m_lines.throw_if_any();
    if (m_flows.empty()) throw workload_error(fmt::format("{}: the file has no flow; expected at least one", m_name));
    return std::move(m_flows);
  }

 private:
  bool read_flow(const std::vector<std::string_view>& tokens) {
    if (tokens.size() < FewestColumns || tokens.size() > FlowColumns.size())
      return wrong(
          fmt::format("expected {} to {} columns (name source destination flits rate burst [class [start]]), "
                      "found {}",
                      FewestColumns, FlowColumns.size(), tokens.size()));
    m_tokens = tokens;
    regulated_flow f;
    if (!read_name(f) || !read_nodes(f) || !read_rate(f) || !read_options(f)) return false;
    if (m_flows.size() == MaxFlows) m_lines.fail(fmt::format("expected at most {} flows", MaxFlows));
    m_flows.push_back(f);
    return true;
  }

  bool read_name(regulated_flow& f) {
    f.name = std::string(m_tokens[0]);
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto is_allowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (!is_letter(f.name.front()) || !std::all_of(f.name.begin(), f.name.end(), is_allowed))
      return wrong_column(0, "a name of letters, digits and '_' that begins with a letter");
    const auto [earlier, is_new] = m_line_of.emplace(f.name, m_lines.line());
    return is_new || wrong(fmt::format("flow {} is already in line {}; every flow needs its own name",
                                       in_quotes(f.name), earlier->second));
  }

  bool read_nodes(regulated_flow& f) {
    const auto source = whole(1, 0, m_context.nodes - 1, "node"),
               destination = whole(2, 0, m_context.nodes - 1, "node");
    if (!source || !destination) return false;
    f.source = static_cast<node_id>(*source);
    f.destination = static_cast<node_id>(*destination);
    if (f.source != f.destination) return true;
    return wrong(
        fmt::format("flow {} leads from node {} to itself; expected two different nodes", in_quotes(f.name), f.source));
  }

  bool read_rate(regulated_flow& f) {
    const auto flits = whole(3, 1, MaxFlowFlits, "length");
    if (!flits) return false;
    f.flits = static_cast<std::uint32_t>(*flits);
    const std::optional<double> rate = number_in<double>(m_tokens[4]);
    if (!rate || !(*rate >= LeastRate && *rate <= 1))
      return wrong_column(4, fmt::format("a rate from {:g} to 1 in flits per cycle", LeastRate));
    f.rate = *rate;
    const auto burst = whole(5, 1, MaxBurst, "burst");
    if (!burst) return false;
    f.burst = static_cast<std::uint32_t>(*burst);
    if (f.burst >= f.flits) return true;
    return wrong_column(5, fmt::format("a burst of at least one packet, which has {} flits", f.flits));
  }

  bool read_options(regulated_flow& f) {
    if (m_tokens.size() > 6) {
      const auto of_class = whole(6, 0, m_context.classes - 1, "class (network.router.classes)");
      if (!of_class) return false;
      f.message_class = static_cast<unsigned>(*of_class);
    }
    if (m_tokens.size() > 7) {
      const auto start = whole(7, 0, LatestStart, "cycle");
      if (!start) return false;
      f.start = *start;
    }
    return true;
  }

  std::optional<std::uint64_t> whole(std::size_t column, std::uint64_t least, std::uint64_t most, const char* what) {
    const std::optional<std::uint64_t> value = number_in<std::uint64_t>(m_tokens[column]);
    if (value && *value >= least && *value <= most) return value;
    wrong_column(column, fmt::format("a {} from {} to {}", what, least, most));
    return std::nullopt;
  }

  bool wrong_column(std::size_t column, const std::string& expected) {
    return wrong(fmt::format("column {} ({}): expected {}, found {}", column + 1, FlowColumns[column], expected,
                             in_quotes(std::string(m_tokens[column]))));
  }
  bool wrong(const std::string& message) {
    m_lines.wrong(message);
    return false;
  }

  static constexpr double LeastRate = 1e-6;
  static constexpr cycle_t LatestStart = 1'000'000'000;

  text_lines m_lines;
  const std::string m_name;
  const flow_context m_context;
  std::vector<std::string_view> m_tokens;
  std::map<std::string, std::size_t> m_line_of;
  std::vector<regulated_flow> m_flows;
};

std::uint32_t longest_of(const std::vector<regulated_flow>& flows) {
  std::uint32_t longest = 1;
  for (const regulated_flow& f : flows) longest = std::max(longest, f.flits);
  return longest;
}

/// Chance of a packet in a cycle. \param share of its rate that the flow uses
double packet_chance(const regulated_flow& f, double share) { return f.rate * share / f.flits; }

}  // namespace

std::vector<regulated_flow> parse_flows(std::string_view text, const std::string& name, const flow_context& context) {
  return flow_reader(text, name, context).read();
}

std::vector<regulated_flow> read_flows(const std::filesystem::path& file, const flow_context& context) {
  return parse_flows(read_file(file), file.string(), context);
}

double longest_cycle(const std::vector<regulated_flow>& flows) {
  double longest = 0;
  for (const regulated_flow& f : flows) longest = std::max(longest, f.burst / f.rate);
  return longest;
}

// A bucket gains less than a token per packet and cycle, and at most MaxBurst tokens fit, so that no product overflows:
// the cycles between two releases are limited before they are multiplied.
token_bucket::token_bucket(const regulated_flow& f)
    : m_rate(static_cast<std::uint64_t>(std::floor(std::ldexp(f.rate, FractionBits)))),
      m_burst(std::uint64_t{f.burst} << FractionBits),
      m_packet(std::uint64_t{f.flits} << FractionBits),
      m_tokens(m_burst),
      m_known(f.start) {}

std::uint64_t token_bucket::tokens_in(cycle_t cycle) const {
  const std::uint64_t missing = m_burst - m_tokens, waited = cycle - m_known;
  return waited > missing / m_rate ? m_burst : m_tokens + waited * m_rate;
}

cycle_t token_bucket::next_release(cycle_t from) const {
  const cycle_t first = std::max(from, m_known);
  const std::uint64_t tokens = tokens_in(first);
  return tokens >= m_packet ? first : first + (m_packet - tokens + m_rate - 1) / m_rate;
}

void token_bucket::release(cycle_t cycle) {
  m_tokens = tokens_in(cycle) - m_packet;
  m_known = cycle;
}

flow_source::flow_source(const std::vector<regulated_flow>& flows, const flow_parameters& parameters,
                         std::uint32_t nodes, const payload_parameters& payload, std::uint64_t seed)
    : m_nodes(nodes), m_next(nodes), m_payload(payload, seed, nodes, longest_of(flows)) {
  m_flows.reserve(flows.size());
  for (const regulated_flow& f : flows) {
    const auto number = static_cast<std::uint32_t>(m_flows.size());
    m_flows.push_back({f, token_bucket(f), random_stream(seed, number, stream_purpose::Injection)});
    flow_state& state = m_flows.back();
    state.arrived = f.start;
    if (parameters.release == flow_release::Random) {
      state.gap = std::make_unique<const geometric_distribution>(packet_chance(f, parameters.share));
      state.arrived += (*state.gap)(state.random);
    }
    state.next = state.bucket.next_release(state.arrived);
    m_next[f.source].push_back({state.next, number});
  }
  for (std::vector<release_time>& heap : m_next) std::make_heap(heap.begin(), heap.end());
}

cycle_t flow_source::next_creation(node_id node) const {
  return m_next[node].empty() ? Never : m_next[node].front().cycle;
}

packet flow_source::pop(node_id node) {
  std::vector<release_time>& heap = m_next[node];
  std::pop_heap(heap.begin(), heap.end());
  release_time& first = heap.back();
  flow_state& state = m_flows[first.flow];
  packet p;
  p.id = (state.count++ * m_flows.size() + first.flow) * m_nodes + node;
  p.source = node;
  p.destination = state.what.destination;
  p.flits = state.what.flits;
  p.created = state.next;
  p.type = m_payload.type();
  p.message_class = static_cast<std::uint8_t>(state.what.message_class);
  state.bucket.release(state.next);
  if (state.gap) state.arrived += 1 + (*state.gap)(state.random);
  state.next = state.bucket.next_release(std::max(state.arrived, state.next));
  first.cycle = state.next;
  std::push_heap(heap.begin(), heap.end());
  return p;
}

}  // namespace weft
