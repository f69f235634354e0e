// SPDX-License-Identifier: Apache-2.0
/// Modules with the same name have the same ports in SystemC (systemc/weft/pin) and SystemVerilog (rtl).
#include "sources/module_ports.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::sources {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::filesystem::path SourceRoot = WEFT_SOURCE_DIR;

struct pair_of_modules {
  std::string name;
  std::filesystem::path systemc, rtl;
};

/// Every module of rtl/ that has a header with its name in systemc/weft/pin.
std::vector<pair_of_modules> pairs() {
  std::vector<pair_of_modules> found;
  for (const auto& rtl : std::filesystem::recursive_directory_iterator(SourceRoot / "rtl")) {
    const std::string stem = rtl.path().stem().string();
    if (rtl.path().extension() != ".sv" || stem.rfind("weft_", 0) != 0) continue;
    const std::string name = stem.substr(5);
    for (const auto& header : std::filesystem::recursive_directory_iterator(SourceRoot / "systemc/weft/pin"))
      if (header.path().filename() == name + ".h") found.push_back({name, header.path(), rtl.path()});
  }
  return found;
}

/// The module \p name in \p file, with the ports that its base classes have, up to sc_module.
module_interface whole_systemc_module(const std::filesystem::path& file, const std::string& name) {
  module_interface m = systemc_module(source_of(file), name);
  const std::filesystem::path header = file.parent_path() / (m.base + ".h");
  if (!std::filesystem::exists(header)) return m;
  const module_interface base = whole_systemc_module(header, m.base);
  m.ports.insert(m.ports.end(), base.ports.begin(), base.ports.end());
  return m;
}

/// Every stage of a NIC has inputs for N and Q in SystemC. Stages that do not use them have no such ports in RTL. Ports
/// for priorities, speculation, held switches, shared buffers, busy VCs and the acceptance of single classes exist in
/// SystemC only with these choices, which the RTL does not have. Its output unit has no clock gate, so no busy output.
std::vector<std::string> optional_ports(const std::string& name) {
  if (name == "input_unit") return {"backlog_o"};
  if (name == "switch_allocator") return {"priority_i", "speculative_i", "backlog_i"};
  if (name == "vc_allocator") return {"priority_i", "speculative_o", "status_i", "held_o"};
  if (name == "output_unit") return {"held_i", "busy_o"};
  if (name == "ejector" || name == "nic") return {"accept_i"};
  if (name == "decompressor" || name == "xor_encoder" || name == "xor_decoder") return {"received_i", "queue_i"};
  return {};
}

/// Ports that are constructor arguments in SystemC. Routers and NICs derive the clocks of their parts from the root of
/// the clock tree, so a NIC has no busy output; a NIC makes its stages with their settings.
std::vector<std::string> constructed_ports(const std::string& name) {
  if (name == "route_computation") return {"rule_i"};
  if (name == "output_unit") return {"depth_i", "phits_i"};
  if (name == "router") return {"rule_i", "depth_i", "phits_i", "clk_i"};
  if (name == "injector") return {"path_ids_i"};
  if (name == "nic")
    return {"path_ids_i", "clk_i",   "mode_i", "length_threshold_i", "received_threshold_i", "queue_threshold_i",
            "cut_i",      "flush_i", "busy_o"};
  return {};
}

TEST(sources_module_ports, match_between_systemc_and_systemverilog) {
  std::vector<std::string> names;
  for (const pair_of_modules& pair : pairs()) {
    names.push_back(pair.name);
    const module_interface systemc = whole_systemc_module(pair.systemc, pair.name);
    const module_interface rtl = systemverilog_module(source_of(pair.rtl), pair.name);
    EXPECT_GE(systemc.ports.size(), 3U) << pair.name;
    EXPECT_THAT(differences(systemc, rtl, optional_ports(pair.name), constructed_ports(pair.name)), IsEmpty())
        << pair.name;
  }
  std::sort(names.begin(), names.end());
  EXPECT_THAT(names,
              ElementsAre("bit_packer", "bit_unpacker", "compression_selector", "compressor", "congestion_counter",
                          "crossbar", "decompressor", "ejector", "fpc_compressor", "fpc_decompressor", "injector",
                          "input_unit", "link", "lsb_cut_compressor", "lsb_cut_decompressor", "nic", "output_unit",
                          "queue_counter", "route_computation", "router", "switch_allocator", "vc_allocator",
                          "window_timer", "xor_decoder", "xor_encoder"));
}

// Planted differences, which the test above must detect.

const char* const Systemc = R"(
template <unsigned Words>
class example : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<chunk<Words>> chunk_i{"chunk_i"};
  in_ports<flit<PayloadBits>> flit_i;
  in_port<switch_grants> grant_i{"grant_i"};
  out_port<std::uint8_t> count_o{"count_o"};
};
)";

const char* const Rtl = R"(
module weft_example #(
  parameter int unsigned Words = 2,
  localparam int unsigned Bits = $clog2(Words)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [Bits-1:0] chunk_i,
  input  logic [5:0] length_i,
  input  logic [Words-1:0] flit_valid_i,
  input  wire logic [Words-1:0] grant_input_i,
  output logic [weft_pkg::SizeBits-1:0] count_o
);
)";

std::vector<std::string> planted(const std::string& what, const std::string& instead) {
  std::string rtl = Rtl;
  rtl.replace(rtl.find(what), what.size(), instead);
  return differences(systemc_module(Systemc, "example"), systemverilog_module(rtl, "example"), {});
}

TEST(sources_module_ports, agree_in_the_example) {
  EXPECT_THAT(differences(systemc_module(Systemc, "example"), systemverilog_module(Rtl, "example"), {}), IsEmpty());
  EXPECT_EQ(systemc_module(Systemc, "example").ports.size(), 6U);
  EXPECT_EQ(systemverilog_module(Rtl, "example").ports.size(), 7U);
}

TEST(sources_module_ports, detects_a_different_name) {
  EXPECT_THAT(planted("count_o", "number_o"), ElementsAre("RTL has no count_o", "SystemC has no number_o"));
}

TEST(sources_module_ports, detects_a_different_direction) {
  EXPECT_THAT(planted("output logic", "input  logic"), ElementsAre("count_o has another direction in RTL"));
}

TEST(sources_module_ports, detects_a_different_width) {
  EXPECT_THAT(planted("[weft_pkg::SizeBits-1:0] ", ""), Contains(HasSubstr("count_o is std::uint8_t in SystemC")));
  EXPECT_THAT(planted("logic rst_ni", "logic [1:0] rst_ni"), Contains(HasSubstr("rst_ni is bool in SystemC")));
}

TEST(sources_module_ports, detects_a_missing_length_port_of_a_bit_string) {
  EXPECT_THAT(planted("  input  logic [5:0] length_i,\n", ""), ElementsAre("RTL has no length_i"));
}

TEST(sources_module_ports, accepts_flits_as_one_wire_and_records_by_field) {
  EXPECT_THAT(planted("flit_valid_i", "flit_i"), IsEmpty());
  EXPECT_THAT(planted("  input  wire logic [Words-1:0] grant_input_i,\n", ""),
              ElementsAre("RTL has no field of grant_i"));
  EXPECT_THAT(planted("grant_input_i", "grant_row_i"),
              ElementsAre("RTL has no field of grant_i", "SystemC has no grant_row_i"));
}

TEST(sources_module_ports, detects_an_extra_port) {
  EXPECT_THAT(planted("input  logic rst_ni,", "input  logic rst_ni,\n  input  logic clear_i,"),
              ElementsAre("SystemC has no clear_i"));
}

TEST(sources_module_ports, detects_a_different_parameter) {
  EXPECT_THAT(planted("parameter int unsigned Words", "parameter int unsigned K"),
              ElementsAre("RTL does not take Words"));
}

}  // namespace
}  // namespace weft::sources
