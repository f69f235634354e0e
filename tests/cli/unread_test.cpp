// SPDX-License-Identifier: Apache-2.0
/// Contents of other tools' files that Weft ignores, as a user sees it: one warning for each kind, or an error.
#include "cli/command.h"
#include <string>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

class cli_unread_input : public command_test {
 protected:
  void write_graph(const std::string& rest) {
    write("graph.graphml", "<graphml>\n" + rest +
                               "<graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' "
                               "target='b'/></graph></graphml>\n");
    write("graph.yaml", "network: {topology: {kind: file, file: graph.graphml}}\n");
  }
};

TEST_F(cli_unread_input, gives_one_warning_and_the_command_continues) {
  write_graph("<key id='w' for='edge' attr.name='bandwidth'><default>3</default></key>\n");
  const command_result r = weft({"topology", "graph.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err,
            "graph.graphml:2: warning: attributes of edges that Weft does not read, with their counts: bandwidth (1); "
            "it reads cycles, latency, phits; ports and direction are the XML attributes sourceport, targetport and "
            "directed\n");
  EXPECT_THAT(r.out, HasSubstr("routers"));
}

TEST_F(cli_unread_input, rejects_unknown_graphml_element) {
  write_graph("<hyperlink/>\n");
  const command_result r = weft({"topology", "graph.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "graph.graphml:2: error: unknown element 'hyperlink' in 'graphml'; expected key, graph, data, desc\n");
}

TEST_F(cli_unread_input, rejects_unknown_link_key) {
  if (lacks("forwarding")) GTEST_SKIP() << "weft forwarding was left out of this build";
  write("links.json",
        "{\"format\": \"weft-links/1\", \"name\": \"a\", \"nodes\": 2,\n \"links\": [{\"from\": 0, \"to\": 1, "
        "\"bandwidth\": 1, \"latency\": 500}]}");
  const command_result r = weft({"forwarding", "--links", "links.json", "--collective", "allgather"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "--links links.json: error: line 2: links[0].latency: unknown key; expected one of from, to, bandwidth, "
            "both\n");
}

TEST_F(cli_unread_input, rejects_keys_that_a_network_file_defines) {
  write_graph("");
  for (const std::string key : {"network.link.cycles", "network.link.width", "nic.link_cycles", "nic.ports"}) {
    const command_result r = weft({"topology", "graph.yaml", "--set", key + "=2"});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(key + " has no effect on a network from a file, which specifies the ")) << r.err;
  }
}

TEST_F(cli_unread_input, warns_about_skipped_chakra_nodes) {
  if (lacks("replay")) GTEST_SKIP() << "weft replay was left out of this build";
  // The version, a node of type 0, and a following node that computes for 5 µs.
  const std::string about = "\x07\x0a\x05"s + "1.0.0", invalid = "\x02\x08\x00"s,
                    computes = "\x08\x08\x01\x18\x04\x38\x05\x20\x00"s;
  write("t.0.et", about + invalid + computes);
  write("small.yaml", "network: {topology: {shape: [2, 2]}}\nsimulation: {level: engine}\n");
  const command_result r = weft({"replay", "small.yaml", "--trace", "t.0.et"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err,
            "t.0.et: byte 1: warning: the trace names version 1.0.0 of Chakra's schema, and Weft reads it as version "
            "0.0.4\nt.0.et: byte 8: warning: a node of type 0 (INVALID_NODE) is skipped: it takes no time\n");
  EXPECT_THAT(r.out, HasSubstr("5,000"));
}

}  // namespace
}  // namespace weft::cli
