// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/files/ccsched.h"

#include "unit/schedule/networks.h"
#include "unit/schedule/sent_straight.h"
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "weft/collectives/schedule/check.h"

namespace weft::schedule {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

recorded_schedule example(const step_network& network) {
  const collective requested = all_to_all(operation::Scatter, network.nodes());
  return {"example", requested, sent_straight({network, requested})};
}

void expect_equal(const recorded_schedule& a, const recorded_schedule& b) {
  EXPECT_EQ(a.network, b.network);
  EXPECT_EQ(a.requested.what, b.requested.what);
  EXPECT_EQ(a.requested.senders, b.requested.senders);
  EXPECT_EQ(a.requested.receivers, b.requested.receivers);
  ASSERT_EQ(a.schedule.steps.size(), b.schedule.steps.size());
  for (std::size_t s = 0; s < a.schedule.steps.size(); ++s)
    EXPECT_TRUE(std::equal(a.schedule.steps[s].begin(), a.schedule.steps[s].end(), b.schedule.steps[s].begin(),
                           b.schedule.steps[s].end(),
                           [](const transfer& x, const transfer& y) {
                             return x.from == y.from && x.to == y.to && x.payload == y.payload && x.path == y.path;
                           }))
        << s;
}

/// The text of a schedule for a ring of four nodes.
json ring_file() {
  const topology t = ring(4);
  const step_network network(t);
  return json::parse(to_ccsched(network, example(network)));
}

/// The error message for \p text, or "none".
std::string rejection_of_text(const std::string& text, const step_network* given = nullptr) {
  try {
    const step_network own = given ? *given : read_network(text);
    read_schedule(text, own);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

std::string rejection(const json& file, const step_network* given = nullptr) {
  return rejection_of_text(file.dump(), given);
}

TEST(unit_schedule_ccsched, written_schedule_reads_back_unchanged) {
  for (const topology& t : {ring(4), ring(4, true), mesh({3, 2}), ft8(), gft9(), h_rings({4, 4}), octagon(8, 2)}) {
    for (const port_rule ports : {port_rule{}, OnePort, AllPorts}) {
      const step_network network(t, ports);
      const recorded_schedule written = example(network);
      const std::string text = to_ccsched(network, written);
      expect_equal(read_schedule(text, network), written);
      const step_network own = read_network(text);
      const recorded_schedule again = read_schedule(text, own);
      expect_equal(again, written);
      EXPECT_TRUE(check({own, again.requested}, again.schedule).empty());
      EXPECT_EQ(to_ccsched(own, again), text);
    }
  }
}

TEST(unit_schedule_ccsched, writes_one_transfer_per_line) {
  const topology t = ring(4);
  const step_network network(t);
  const std::string text = to_ccsched(network, example(network));
  EXPECT_THAT(text, HasSubstr("\n  \"collective\": \"scatter\",\n"));
  EXPECT_THAT(text, HasSubstr(R"(
      {"src": "n0", "dst": "n1", "payload": [["n0", "n1"]], "size": 1, "path": [)"));
}

TEST(unit_schedule_ccsched, accepts_any_ids_and_ignores_comments) {
  json file = ring_file();
  for (json& channel : file["topology"]["channels"]) channel["id"] = 1000 - channel["id"].get<int>();
  for (json& step : file["steps"])
    for (json& t : step["transfers"])
      for (json& id : t["path"]) id = 1000 - id.get<int>();
  file["comment"] = file["topology"]["comment"] = "by hand";
  EXPECT_EQ(rejection(file), "none");
}

TEST(unit_schedule_ccsched, rejects_unknown_keys_with_line_and_path) {
  for (const auto& [place, message] : std::vector<std::pair<std::string, std::string>>{
           {"/start",
            "start: unknown key; expected one of format, topology, cores, collective, sources, dests, R, TCO, "
            "steps, comment"},
           {"/topology/latency", "topology.latency: unknown key; expected one of name, channels, comment"},
           {"/topology/channels/2/latency",
            "topology.channels[2].latency: unknown key; expected one of id, src, dst, kind, cap"},
           {"/steps/1/after", "steps[1].after: unknown key; expected one of transfers"},
           {"/steps/2/transfers/1/sise", "steps[2].transfers[1].sise: unknown key; did you mean 'size'?"}}) {
    json file = ring_file();
    file[json::json_pointer(place)] = 7;
    EXPECT_EQ(rejection(file), "line 1: " + message);
  }
  EXPECT_THAT(rejection_of_text("{\"format\": \"ccsched/1\",\n \"topology\": {\n\"width\": 2}}"),
              HasSubstr("line 3: topology.width: unknown key"));
}

TEST(unit_schedule_ccsched, rejects_invalid_json) {
  EXPECT_THROW(read_network(""), std::invalid_argument);
  EXPECT_THROW(read_network("{"), std::invalid_argument);
  EXPECT_THROW(read_network("[]"), std::invalid_argument);
  EXPECT_THROW(read_network("\xff"), std::invalid_argument);
  try {
    read_network(R"({"format": "ccsched/1", "format": "ccsched/1"})");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "line 1: format: the key is given twice; give it once");
  }
}

struct wrong_value {
  const char* pointer;
  json value;  ///< `discarded` removes the key
  const char* message;
};

TEST(unit_schedule_ccsched, errors_name_the_faulty_key) {
  const json gone = json(json::value_t::discarded);
  const wrong_value cases[] = {
      {"/format", "ccsched/2", R"(format: "ccsched/2", expected "ccsched/1")"},
      {"/format", gone, "format is missing"},
      {"/topology", 7, "topology: 7, expected an object with name"},
      {"/topology/name", "", R"(topology.name: "", expected a text)"},
      {"/topology/channels", gone, "topology.channels is missing"},
      {"/topology/channels", "all", R"(topology.channels: "all", expected a list)"},
      {"/topology/channels/3/id", 2, "topology.channels[3].id: 2, expected an id that no other channel has"},
      {"/topology/channels/3/id", -1, "topology.channels[3].id: -1, expected a whole number from 0 to 4294967295"},
      {"/topology/channels/3/kind", "wire", R"(topology.channels[3].kind: "wire", expected one of link, inj, ej)"},
      {"/topology/channels/3/kind", "inj", R"(topology.channels[3].src: "r1", expected a core, since kind is inj)"},
      {"/topology/channels/3/dst", "n1", R"(topology.channels[3].dst: "n1", expected no core, since kind is not ej)"},
      {"/topology/channels/3/dst", "r1", R"(topology.channels[3].dst: "r1", expected an end other than src)"},
      {"/topology/channels/3/dst", "r0",
       R"(topology.channels[3].dst: "r0", expected one channel from src to dst; count parallel ones in `cap`)"},
      {"/topology/channels/3/cap", 0, "topology.channels[3].cap: 0, expected a whole number from 1 to 4294967295"},
      {"/cores", json::array(), "cores: a list of 0, expected at least one core"},
      {"/cores/1", "n0", R"(cores[1]: "n0", expected each core once)"},
      {"/cores/1", "*", R"(cores[1]: "*", expected another name, because * stands for all nodes)"},
      {"/collective", "gather", R"(collective: "gather", expected one of broadcast, scatter)"},
      {"/sources", json::array(), "sources: a list of 0, expected at least one core"},
      {"/sources/1", "n9", R"(sources[1]: "n9", expected one of `cores`)"},
      {"/dests/1", "n0", R"(dests[1]: "n0", expected each core once)"},
      {"/R", 2, "R: 2, expected 3, the number of steps"},
      {"/TCO", 9,
       "TCO: 9, expected 3, the sum of the sizes of all steps (the size of a step is the number of messages in its "
       "longest transfer)"},
      {"/steps", json::object(), "steps: an object, expected a list"},
      {"/steps/1/transfers", gone, "steps[1].transfers is missing"},
      {"/steps/1/transfers/0/src", "r0", R"(steps[1].transfers[0].src: "r0", expected one of `cores`)"},
      {"/steps/1/transfers/0/payload/0", json::array({"n0"}),
       R"(steps[1].transfers[0].payload[0]: a list of 1, expected [origin, destination or "*"])"},
      {"/steps/1/transfers/0/payload/0/1", "n7",
       R"(steps[1].transfers[0].payload[0][1]: "n7", expected one of `cores`)"},
      {"/steps/1/transfers/0/size", 2, "steps[1].transfers[0].size: 2, expected 1, that of the payload"},
      {"/steps/1/transfers/0/path/1", 77,
       "steps[1].transfers[0].path[1]: 77, expected the id of a channel of the topology"},
      {"/steps/1/transfers/0/path/1", "r0",
       R"(steps[1].transfers[0].path[1]: "r0", expected a whole number from 0 to 4294967295)"},
  };
  for (const wrong_value& wrong : cases) {
    json file = ring_file();
    const json::json_pointer at(wrong.pointer);
    if (wrong.value.is_discarded())
      file[at.parent_pointer()].erase(at.back());
    else
      file[at] = wrong.value;
    EXPECT_EQ(rejection(file), std::string("line 1: ") + wrong.message) << wrong.pointer;
  }
}

TEST(unit_schedule_ccsched, value_errors_have_line_numbers) {
  const topology t = ring(4);
  const step_network network(t);
  const auto error_with = [&](const std::string& before, const std::string& after) {
    std::string text = to_ccsched(network, example(network));
    const std::size_t at = text.find(before);
    text.replace(at, before.size(), after);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::string said = rejection_of_text(text), begin = "line " + std::to_string(line) + ": ";
    return said.rfind(begin, 0) == 0 ? said.substr(begin.size()) : said;
  };
  EXPECT_EQ(error_with("\"R\": 3", "\"R\": 2"), "R: 2, expected 3, the number of steps");
  EXPECT_EQ(error_with("\"size\": 1", "\"size\": 2"), "steps[0].transfers[0].size: 2, expected 1, that of the payload");
  EXPECT_EQ(error_with("\"kind\": \"ej\"", "\"kind\": \"x\""),
            "topology.channels[9].kind: \"x\", expected one of link, inj, ej");
}

/// Expects that the inferred port rule gives the channels of the rule with which the file was written.
void expect_ports_found(const topology& t) {
  using kind = port_rule::kind;
  for (const port_rule made : {port_rule{kind::AsBuilt}, AllPorts, port_rule{kind::Number, 1},
                               port_rule{kind::Number, 2}, port_rule{kind::Number, 3}, port_rule{kind::Number, 99}}) {
    const step_network network(t, made);
    const std::string text = to_ccsched(network, example(network));
    const step_network found(t, find_ports(text, t, {}));
    EXPECT_EQ(to_ccsched(found, example(found)), text) << static_cast<int>(made.rule) << " " << made.number;
  }
}

TEST(unit_schedule_ccsched, infers_the_port_rule_from_the_channels) {
  expect_ports_found(mesh({3, 3}));
  grid_parameters four_ports;
  four_ports.shape = {3, 3};
  four_ports.options.nic_ports = 4;
  expect_ports_found(make_grid(four_ports));
  expect_ports_found(gft16());
  const topology square = mesh({2, 2}), t = ring(4);
  const port_rule usual = find_ports(ring_file().dump(), square, AllPorts);
  EXPECT_EQ(usual.rule, port_rule::kind::All);  // no port rule turns a mesh into a ring
  EXPECT_THROW(find_ports("{}", t, {}), std::invalid_argument);
}

TEST(unit_schedule_ccsched, rejects_file_of_another_network) {
  const topology one_way = ring(4, true), large = ring(5), two_ports = mesh({2, 2});
  const step_network other(one_way), larger(large), mesh_network(two_ports, AllPorts);
  EXPECT_EQ(rejection(ring_file(), &other),
            "line 1: topology.channels[1]: channel 1 is r0 -> r3 (link, cap 1) in the file, but missing or already "
            "used in the network; the file is for another network or for other ports");
  EXPECT_EQ(rejection(ring_file(), &larger),
            "line 1: cores: 4 nodes in the file, 5 in the network; the file is for another network or for other ports");
  EXPECT_THAT(rejection(ring_file(), &mesh_network), HasSubstr("the file is for another network or for other ports"));
  json file = ring_file();
  file["topology"]["channels"][9]["cap"] = 2;
  const topology t = ring(4);
  const step_network same(t);
  EXPECT_EQ(rejection(file, &same),
            "line 1: topology.channels[9]: channel 9 is r0 -> n0 (ej, cap 2) in the file, r0 -> n0 (ej, cap 1) in the "
            "network; the file is for another network or for other ports");
  file = ring_file();
  file["topology"]["channels"].erase(7);
  EXPECT_EQ(rejection(file, &same),
            "line 1: topology.channels: the file lacks the channel r3 -> r2 of the network; the file is for another "
            "network or for other ports");
}

}  // namespace
}  // namespace weft::schedule
