// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/files/ccsched.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/collectives/schedule/files/json_keys.h"
#include "weft/collectives/schedule/files/json_place.h"
#include "weft/core/printable.h"

namespace weft::schedule {
namespace {

constexpr const char* Format = "ccsched/1";
constexpr const char* Everyone = "*";
constexpr const char* KindNames[] = {"link", "inj", "ej"};                       // by channel_kind
constexpr const char* OperationNames[] = {"broadcast", "scatter"};               // by operation
constexpr std::uint64_t MostNumber = std::numeric_limits<std::uint32_t>::max();  // of ids and capacities

// Writing

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string names_of(const step_network& network, const std::vector<node_id>& nodes) {
  std::vector<std::string> names;
  for (const node_id n : nodes) names.push_back(quoted(network.name(n)));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string to_text(const step_network& network, const transfer& t) {
  std::vector<std::string> payload;
  for (const message& m : t.payload)
    payload.push_back(fmt::format("[{}, {}]", quoted(network.name(m.origin)),
                                  quoted(m.destination == message::Everyone ? Everyone : network.name(m.destination))));
  return fmt::format(R"({{"src": {}, "dst": {}, "payload": [{}], "size": {}, "path": [{}]}})",
                     quoted(network.name(t.from)), quoted(network.name(t.to)), fmt::join(payload, ", "),
                     t.payload.size(), fmt::join(t.path, ", "));
}

/// Returns a list in brackets: the lines, each followed by a comma except the last.
std::string list_of(const std::vector<std::string>& lines, const std::string& indent) {
  if (lines.empty()) return "[]";
  return fmt::format("[\n{0}  {1}\n{0}]", indent, fmt::join(lines, ",\n" + indent + "  "));
}

// Reading

/// Returns the index of the text in \p names.
template <std::size_t N>
std::size_t choice(const json_place& place, const char* const (&names)[N]) {
  const std::string text = place.text();
  const auto at = std::find(std::begin(names), std::end(names), text);
  if (at == std::end(names)) place.fail(fmt::format("one of {}", fmt::join(names, ", ")));
  return static_cast<std::size_t>(at - std::begin(names));
}

struct read_channel {
  json_place place;
  std::uint64_t id;
  std::string from, to;
  channel_kind kind;
  unsigned capacity;
};

/// The network in a text, checked for consistency.
struct read_topology {
  std::string name;
  std::vector<std::string> cores;
  std::vector<read_channel> channels;
};

void check_format(const json_place& root) {
  const json_place format = root.at("format");
  if (format.text() != Format) format.fail(fmt::format("\"{}\"", Format));
}

/// Returns the result of \p read for \p text. Rejects keys that the format does not have.
template <class Read>
auto read_ccsched(const std::string& text, Read read) {
  static const std::vector<object_keys> Known = {
      {"", {"format", "topology", "cores", "collective", "sources", "dests", "R", "TCO", "steps", "comment"}},
      {"topology", {"name", "channels", "comment"}},
      {"topology.channels[]", {"id", "src", "dst", "kind", "cap"}},
      {"steps[]", {"transfers"}},
      {"steps[].transfers[]", {"src", "dst", "payload", "size", "path"}},
  };
  const nlohmann::json document = parse_json(text);
  return with_lines(text, [&] {
    const json_place root(document);
    check_format(root);
    check_keys(text, Known);
    return read(root);
  });
}

read_topology topology_in(const json_place& root) {
  read_topology t;
  const json_place topology = root.at("topology");
  t.name = topology.at("name").text();
  std::set<std::string> cores;
  for (const json_place& core : root.at("cores").elements()) {
    t.cores.push_back(core.text());
    if (t.cores.back() == Everyone) core.fail("another name, because * stands for all nodes");
    if (!cores.insert(t.cores.back()).second) core.fail("each core once");
  }
  if (t.cores.empty()) root.at("cores").fail("at least one core");

  std::set<std::uint64_t> ids;
  for (const json_place& c : topology.at("channels").elements()) {
    const auto kind = static_cast<channel_kind>(choice(c.at("kind"), KindNames));
    t.channels.push_back({c, c.at("id").number(0, MostNumber), c.at("src").text(), c.at("dst").text(), kind,
                          static_cast<unsigned>(c.at("cap").number(1, MostNumber))});
    const read_channel& last = t.channels.back();
    if (!ids.insert(last.id).second) c.at("id").fail("an id that no other channel has");
    if ((cores.count(last.from) > 0) != (kind == channel_kind::Injection))
      c.at("src").fail(kind == channel_kind::Injection ? "a core, since kind is inj"
                                                       : "no core, since kind is not inj");
    if ((cores.count(last.to) > 0) != (kind == channel_kind::Ejection))
      c.at("dst").fail(kind == channel_kind::Ejection ? "a core, since kind is ej" : "no core, since kind is not ej");
    if (last.from == last.to) c.at("dst").fail("an end other than src");
  }
  return t;
}

std::string in_words(const std::string& from, const std::string& to, channel_kind kind, unsigned capacity) {
  return fmt::format("{} -> {} ({}, cap {})", abridged(from), abridged(to), KindNames[static_cast<std::size_t>(kind)],
                     capacity);
}

/// Reads the schedule of a document for a given network.
class schedule_reader {
 public:
  schedule_reader(const json_place& root, const step_network& network) : m_root(root), m_network(network) {}

  recorded_schedule run() {
    recorded_schedule result;
    const read_topology t = topology_in(m_root);
    result.network = t.name;
    match_cores(t);
    match_channels(t);
    read_collective(result.requested);
    read_steps(result.schedule);
    const json_place steps = m_root.at("R"), occupancy = m_root.at("TCO");
    if (steps.number(0, MostNumber) != result.schedule.start_ups())
      steps.fail(fmt::format("{}, the number of steps", result.schedule.start_ups()));
    if (occupancy.number(0, MostNumber) != result.schedule.occupancy())
      occupancy.fail(
          fmt::format("{}, the sum of the sizes of all steps (the size of a step is the number of messages in its "
                      "longest transfer)",
                      result.schedule.occupancy()));
    return result;
  }

 private:
  [[noreturn]] static void another_network(const json_place& place, const std::string& difference) {
    place.reject(difference + "; the file is for another network or for other ports");
  }

  void match_cores(const read_topology& t) {
    for (node_id n = 0; n < m_network.nodes(); ++n) m_nodes[m_network.name(n)] = n;
    const json_place cores = m_root.at("cores");
    for (const json_place& core : cores.elements()) {
      if (m_nodes.count(core.text()) == 0)
        another_network(core, fmt::format("{} is not a node of this network", abridged(core.text())));
    }
    if (t.cores.size() != m_network.nodes())
      another_network(cores, fmt::format("{} nodes in the file, {} in the network", t.cores.size(), m_network.nodes()));
  }

  void match_channels(const read_topology& t) {
    std::map<std::pair<std::string, std::string>, channel_id> free;
    const std::vector<step_channel>& channels = m_network.channels();
    for (channel_id c = 0; c < channels.size(); ++c)
      free[{m_network.name(channels[c].from), m_network.name(channels[c].to)}] = c;
    for (const read_channel& c : t.channels) {
      const std::string there = in_words(c.from, c.to, c.kind, c.capacity);
      const auto at = free.find({c.from, c.to});
      if (at == free.end())
        another_network(c.place, fmt::format("channel {} is {} in the file, but missing or already used in the network",
                                             c.id, there));
      const step_channel& here = channels[at->second];
      if (here.kind != c.kind || here.capacity != c.capacity)
        another_network(c.place, fmt::format("channel {} is {} in the file, {} in the network", c.id, there,
                                             in_words(c.from, c.to, here.kind, here.capacity)));
      m_channels[c.id] = at->second;
      free.erase(at);
    }
    if (free.empty()) return;
    const step_channel& missing = channels[free.begin()->second];
    another_network(m_root.at("topology").at("channels"),
                    fmt::format("the file lacks the channel {} of the network", abridged(m_network.name(missing))));
  }

  node_id node_at(const json_place& place) const {
    const auto at = m_nodes.find(place.text());
    if (at == m_nodes.end()) place.fail("one of `cores`");
    return at->second;
  }

  std::vector<node_id> nodes_at(const json_place& place) const {
    std::set<node_id> nodes;
    for (const json_place& element : place.elements())
      if (!nodes.insert(node_at(element)).second) element.fail("each core once");
    if (nodes.empty()) place.fail("at least one core");
    return {nodes.begin(), nodes.end()};
  }

  void read_collective(collective& requested) {
    requested.what = static_cast<operation>(choice(m_root.at("collective"), OperationNames));
    requested.senders = nodes_at(m_root.at("sources"));
    requested.receivers = nodes_at(m_root.at("dests"));
    requested = m_root.at("sources").attempt([&] { return checked(std::move(requested), m_network); });
  }

  void read_steps(step_schedule& s) {
    for (const json_place& one : m_root.at("steps").elements()) {
      step& made = s.steps.emplace_back();
      for (const json_place& t : one.at("transfers").elements()) made.push_back(transfer_at(t));
    }
  }

  transfer transfer_at(const json_place& place) const {
    transfer t;
    t.from = node_at(place.at("src"));
    t.to = node_at(place.at("dst"));
    for (const json_place& m : place.at("payload").elements()) t.payload.push_back(message_at(m));
    const json_place size = place.at("size");
    if (size.number(0, MostNumber) != t.payload.size())
      size.fail(fmt::format("{}, that of the payload", t.payload.size()));
    for (const json_place& id : place.at("path").elements()) {
      const auto at = m_channels.find(id.number(0, MostNumber));
      if (at == m_channels.end()) id.fail("the id of a channel of the topology");
      t.path.push_back(at->second);
    }
    return t;
  }

  message message_at(const json_place& place) const {
    const std::vector<json_place> ends = place.elements();
    if (ends.size() != 2) place.fail("[origin, destination or \"*\"]");
    return {node_at(ends[0]), ends[1].text() == Everyone ? message::Everyone : node_at(ends[1])};
  }

  const json_place& m_root;
  const step_network& m_network;
  std::map<std::string, node_id> m_nodes;
  std::map<std::uint64_t, channel_id> m_channels;  // by channel id in the file
};

/// Kind and capacity of each channel, by the names of its ends.
using named_channels = std::map<std::pair<std::string, std::string>, std::pair<channel_kind, unsigned>>;

named_channels channels_by_name(const step_network& network) {
  named_channels channels;
  for (const step_channel& c : network.channels())
    channels[{network.name(c.from), network.name(c.to)}] = {c.kind, c.capacity};
  return channels;
}

}  // namespace

std::string to_ccsched(const step_network& network, const recorded_schedule& s) {
  std::vector<std::string> channels, steps;
  for (channel_id c = 0; c < network.channels().size(); ++c) {
    const step_channel& channel = network.channels()[c];
    channels.push_back(fmt::format(R"({{"id": {}, "src": {}, "dst": {}, "kind": "{}", "cap": {}}})", c,
                                   quoted(network.name(channel.from)), quoted(network.name(channel.to)),
                                   KindNames[static_cast<std::size_t>(channel.kind)], channel.capacity));
  }
  for (const step& one : s.schedule.steps) {
    std::vector<std::string> transfers;
    for (const transfer& t : one) transfers.push_back(to_text(network, t));
    steps.push_back(fmt::format("{{\"transfers\": {}}}", list_of(transfers, "    ")));
  }
  std::vector<node_id> cores(network.nodes());
  for (node_id n = 0; n < cores.size(); ++n) cores[n] = n;
  std::string text = fmt::format("{{\n  \"format\": \"{}\",\n", Format);
  text +=
      fmt::format("  \"topology\": {{\"name\": {}, \"channels\": {}}},\n", quoted(s.network), list_of(channels, "  "));
  text += fmt::format("  \"cores\": {},\n", names_of(network, cores));
  text += fmt::format("  \"collective\": \"{}\",\n", OperationNames[static_cast<std::size_t>(s.requested.what)]);
  text += fmt::format("  \"sources\": {},\n", names_of(network, s.requested.senders));
  text += fmt::format("  \"dests\": {},\n", names_of(network, s.requested.receivers));
  text += fmt::format("  \"R\": {},\n  \"TCO\": {},\n", s.schedule.start_ups(), s.schedule.occupancy());
  return text + fmt::format("  \"steps\": {}\n}}\n", list_of(steps, "  "));
}

namespace {

step_network network_at(const json_place& root) {
  const read_topology t = topology_in(root);
  std::vector<std::string> names = t.cores;
  std::map<std::string, vertex_id> vertices;
  for (const std::string& name : t.cores) vertices.emplace(name, static_cast<vertex_id>(vertices.size()));
  const auto vertex = [&](const std::string& name) {
    const auto [at, is_new] = vertices.emplace(name, static_cast<vertex_id>(names.size()));
    if (is_new) names.push_back(name);
    return at->second;
  };
  std::map<std::pair<vertex_id, vertex_id>, bool> seen;
  std::vector<step_channel> channels;
  for (const read_channel& c : t.channels) {
    const vertex_id from = vertex(c.from), to = vertex(c.to);
    if (!seen.emplace(std::make_pair(from, to), true).second)
      c.place.at("dst").fail("one channel from src to dst; count parallel ones in `cap`");
    channels.push_back({c.kind, from, to, c.capacity, {}});
  }
  return root.at("topology").at("channels").attempt([&] {
    return step_network(t.cores.size(), names, std::move(channels));
  });
}

}  // namespace

step_network read_network(const std::string& text) { return read_ccsched(text, network_at); }

port_rule find_ports(const std::string& text, const topology& t, port_rule usual) {
  const step_network there = read_network(text);
  unsigned most = 1;  // a higher limit does not change the ports
  for (node_id n = 0; n < there.nodes(); ++n) most = std::max({most, there.ports_out(n), there.ports_in(n)});
  const named_channels expected = channels_by_name(there);
  using kind = port_rule::kind;
  for (const port_rule rule : {usual, port_rule{kind::AsBuilt}, port_rule{kind::All}, port_rule{kind::Number, most}})
    if (channels_by_name(step_network(t, rule)) == expected) return rule;
  return usual;
}

recorded_schedule read_schedule(const std::string& text, const step_network& network) {
  return read_ccsched(text, [&](const json_place& root) { return schedule_reader(root, network).run(); });
}

}  // namespace weft::schedule
