#include "cli/command.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class cli_topology : public command_test {
 protected:
  cli_topology() { write("mesh.yaml", "network: {topology: {shape: [4, 2]}}\n"); }
};

TEST_F(cli_topology, prints_figures) {
  const command_result r = weft({"topology", "mesh.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, StartsWith("mesh: 4x2 mesh, dimension_order routing\n"));
  EXPECT_THAT(r.out, HasSubstr("  routers                      8\n"));
  EXPECT_THAT(r.out, HasSubstr("  diameter                     4  hops\n"));
  EXPECT_THAT(r.out, HasSubstr("deadlock-free"));
  EXPECT_EQ(r.err, "");
}

TEST_F(cli_topology, writes_json) {
  EXPECT_EQ(weft({"topology", "mesh.yaml", "--json", "net/mesh.json"}).status, 0);
  EXPECT_THAT(files_in("net"), ElementsAre("mesh.json"));
  const auto from_file = nlohmann::json::parse(read("net/mesh.json"));
  EXPECT_EQ(from_file["routers"].size(), 8u);
  EXPECT_EQ(nlohmann::json::parse(weft({"topology", "mesh.yaml", "--json", "-"}).out), from_file);
}

TEST_F(cli_topology, writes_graphviz) {
  const command_result r = weft({"topology", "mesh.yaml", "--graphviz", "-", "--set", "network.topology.shape=[2,2]"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("graph"));
  EXPECT_THAT(r.out, HasSubstr("}"));
}

TEST_F(cli_topology, says_what_limits) {
  const command_result r = weft({"topology", "mesh.yaml", "--set", "network.topology.shape=[8,8]"});
  EXPECT_THAT(
      r.out,
      HasSubstr("  ideal throughput        0.4922  flits/node/cycle of uniform traffic: load of the busiest link\n"));
  EXPECT_THAT(r.out, HasSubstr("  bisection                    8  links each way: axis cut x < 4: 32 | 32 nodes\n"));
  EXPECT_THAT(r.out, HasSubstr("  VCs needed                   1  of "));
}

TEST_F(cli_topology, draws) {
  EXPECT_EQ(weft({"topology", "mesh.yaml", "--svg", "mesh.svg"}).status, 0);
  EXPECT_THAT(read("mesh.svg"), StartsWith("<svg xmlns="));
  EXPECT_EQ(weft({"topology", "mesh.yaml", "--svg", "-"}).out, read("mesh.svg"));
}

TEST_F(cli_topology, a_file_that_cannot_be_written_is_an_error) {
  const command_result r = weft({"topology", "mesh.yaml", "--json", "mesh.yaml/x.json"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "--json mesh.yaml/x.json: error: cannot make directory mesh.yaml: Not a directory\n");
}

TEST_F(cli_topology, the_example_of_the_help) {
  const command_result r =
      weft({"topology", WEFT_SOURCE_DIR "/examples/quickstart.yaml", "--set", "network.topology.shape=[4, 4, 4]"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("4x4x4 mesh"));
}

}  // namespace
}  // namespace weft::cli
