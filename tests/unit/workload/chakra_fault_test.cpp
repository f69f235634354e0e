// SPDX-License-Identifier: Apache-2.0
/// Chakra traces that are rejected because they are damaged or inconsistent.
#include "chakra_graph.h"
#include "support/temporary_directory.h"
#include "support/warnings.h"
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <protozero/pbf_writer.hpp>

#include "weft/workload/error.h"

using namespace weft;
using namespace chakra_trace;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

graph collective(const attributes& with, std::uint64_t id = 1) { return graph().add(id, Collective, {}, with); }

TEST(unit_chakra, rejects_unmatched_or_invalid_communication) {
  const attributes to{{"comm_size", 8}, {"comm_dst", 1}}, from{{"comm_src", 0}};
  EXPECT_EQ(graph_fault({graph().add(1, Send, {}, to), graph().add(1, Compute, {})}),
            "t.0.et: node 1 sends to rank 1 with tag 0, but no node of t.1.et receives it; there are 1 such sends "
            "and 0 such receives, expected equal numbers");
  EXPECT_EQ(graph_fault({graph().add(1, Send, {}, to), graph().add(1, Receive, {}, from).add(2, Receive, {}, from)}),
            "t.1.et: node 2 receives from rank 0 with tag 0, but no node of t.0.et sends it; there are 1 such sends "
            "and 2 such receives, expected equal numbers");
  EXPECT_EQ(graph_fault({graph().add(1, Send, {}, to)}), "t.0.et: node 1 has comm_dst 1; expected a rank from 0 to 0");
  EXPECT_EQ(graph_fault({graph().add(1, Send, {}, {{"comm_size", 8}, {"comm_dst", -1}})}),
            "t.0.et: node 1 has comm_dst -1; expected a rank from 0 to 0");
  EXPECT_EQ(graph_fault({graph().add(1, Send, {}, {{"comm_dst", 0}})}),
            "t.0.et: node 1 has comm_size missing; expected 0 to 2^40 bytes");
  EXPECT_EQ(graph_fault({graph().add(1, Send, {}, {{"comm_dst", 0}, {"comm_size", -1}})}),
            "t.0.et: node 1 has comm_size -1; expected 0 to 2^40 bytes");
  const attributes large{{"comm_size", (std::int64_t{1} << 30) + 1}, {"comm_dst", 1}};
  EXPECT_EQ(graph_fault({graph().add(4, Send, {}, large), graph()}),
            "t.0.et: node 4 has a message of 1073741825 bytes; expected at most 2^30; divide the message");
  const attributes broadcast{{"comm_size", large.at("comm_size")}, {"comm_type", 5}};
  EXPECT_THAT(graph_fault({collective(broadcast), collective(broadcast)}), HasSubstr("a message of 1073741825 bytes"));
  const attributes barrier{{"comm_type", 9}};
  EXPECT_EQ(graph_fault({collective(barrier, 7), graph().add(1, Compute, {})}),
            "t.1.et: 0 collectives of all ranks here, but 1 at rank 0; node 7 of rank 0 has no partner");
  EXPECT_EQ(graph_fault({collective(barrier), collective(barrier).add(5, Collective, {}, barrier)}),
            "t.1.et: 2 collectives of all ranks here, but 1 at rank 0; node 5 of rank 1 has no partner");
  EXPECT_EQ(graph_fault({collective({{"comm_type", 10}})}), "t.0.et: node 1 has comm_type 10; expected 0 to 9");
  EXPECT_EQ(graph_fault({collective({{"comm_size", 8}})}), "t.0.et: node 1 has comm_type missing; expected 0 to 9");
  EXPECT_EQ(graph_fault({collective({{"comm_type", 1}, {"comm_size", 8}, {"root", 3}})}),
            "t.0.et: node 1 has root 3; expected a rank that takes part in the collective");
  EXPECT_EQ(graph_fault({graph()}), "t.0.et: the trace has no nodes; expected at least one");
}

TEST(unit_chakra, rejects_missing_repeated_and_cyclic_nodes) {
  EXPECT_EQ(graph_fault({graph().add(1, Compute, {2})}), "t.0.et: node 1 waits for node 2, which does not exist");
  EXPECT_EQ(graph_fault({graph().add(1, Compute, {}).add(1, Compute, {})}),
            "t.0.et: node 1 occurs twice, the second time at byte 21; expected each id once");
  EXPECT_EQ(graph_fault({graph().add(1, Compute, {2}).add(2, Compute, {1})}),
            "t.0.et: node 1 waits for itself; its cycle contains 1 other node");
}

TEST(unit_chakra, rejects_collectives_that_differ_between_ranks) {
  const auto sizes = [](std::int64_t operation, std::int64_t first, std::int64_t second) {
    return graph_fault({collective({{"comm_type", operation}, {"comm_size", first}}, 4),
                        collective({{"comm_type", operation}, {"comm_size", second}}, 9)});
  };
  // Sizes on one side and on both sides of the threshold that selects the algorithm of an all-reduce.
  EXPECT_EQ(sizes(0, 120, 240),
            "t.1.et: node 9 of rank 1 has comm_size 240, but node 4 of rank 0, in the same collective, 120; expected "
            "the same in all ranks");
  for (const std::int64_t operation : {0, 1, 2, 3, 4, 5, 7, 8}) {
    EXPECT_THAT(sizes(operation, 12000, 4000), StartsWith("t.1.et: node 9 of rank 1 has comm_size 4000, but node 4 of "
                                                          "rank 0, in the same collective, 12000"));
    EXPECT_EQ(sizes(operation, 4000, 4000), "none");
  }
  EXPECT_EQ(sizes(9, 0, 8), "none") << "a barrier has no size";
  EXPECT_EQ(sizes(6, 100, 200), "none") << "sizes of an all-to-all may differ between ranks";
  EXPECT_THAT(graph_fault({collective({{"comm_type", 9}}), collective({{"comm_type", 0}, {"comm_size", 8}})}),
              HasSubstr("t.1.et: node 1 of rank 1 has comm_type 0, but node 1 of rank 0, in the same collective, 9"));
  const attributes broadcast{{"comm_type", 5}, {"comm_size", 8}};
  attributes rooted = broadcast, other = broadcast;
  rooted["root"] = 0;
  other["root"] = 1;
  EXPECT_THAT(graph_fault({collective(rooted), collective(other)}),
              HasSubstr("t.1.et: node 1 of rank 1 has root 1, but "));
  EXPECT_THAT(graph_fault({collective(rooted), collective(broadcast)}),
              HasSubstr("node 1 of rank 1 has root missing, "));
}

TEST(unit_chakra, rejects_messages_whose_two_ends_disagree) {
  const auto fault = [](const attributes& send, const attributes& receive) {
    return graph_fault({graph().add(3, Send, {}, send), graph().add(4, Receive, {}, receive)});
  };
  EXPECT_EQ(fault({{"comm_size", 100}, {"comm_dst", 1}}, {{"comm_size", 50}, {"comm_src", 0}}),
            "t.1.et: node 4 of rank 1 receives 50 bytes, but node 3 of rank 0 sends 100 to it; expected the same "
            "comm_size");
  const attributes whole{{"comm_size", 100}, {"comm_src", 0}, {"comm_dst", 1}};
  EXPECT_EQ(fault(whole, whole), "none");
  attributes moved = whole;
  moved["comm_src"] = 1;
  EXPECT_EQ(fault(moved, whole),
            "t.0.et: node 3 has comm_src 1; expected 0, the rank in the file's name; rename the file");
  moved = whole;
  moved["comm_dst"] = 0;
  EXPECT_THAT(fault(whole, moved),
              StartsWith("t.1.et: node 4 has comm_dst 0; expected 1, the rank in the file's name"));
}

/// The warnings about a trace, or its error if it is rejected.
std::string warnings_of(const std::vector<std::string>& ranks) {
  caught_warnings caught;
  const std::string fault = text_fault(ranks);
  return fault == "none" ? caught.text() : fault;
}

TEST(unit_chakra, a_trace_of_another_version_is_read_with_a_warning) {
  const auto warning = [](const std::string& version) {
    const graph rank = graph(version).add(1, Compute, {});
    return warnings_of({rank.text(), rank.text()});
  };
  EXPECT_EQ(warning("0.0.4"), "");
  EXPECT_EQ(warning(""), "") << "as converters write it";
  EXPECT_EQ(warning("1.0.0"),
            "t.0.et: byte 1: warning: the trace names version 1.0.0 of Chakra's schema, and Weft reads it as version "
            "0.0.4 (2 times, first here)\n");
  const auto fault_of_schema = [](const std::string& schema) {
    std::string about;
    protozero::pbf_writer writer(about);
    protozero::pbf_writer attribute(writer, 2);
    attribute.add_string(1, "schema");
    attribute.add_string(29, schema);
    attribute.commit();
    return warnings_of({delimited(about) + graph().add(1, Compute, {}).text().substr(8)});
  };
  EXPECT_EQ(fault_of_schema("1.0.2-chakra.0.0.4"), "");
  EXPECT_EQ(fault_of_schema("1.0.1"), "");
  EXPECT_THAT(fault_of_schema("1.0.2-chakra.0.0.3"), HasSubstr("the trace names version 0.0.3 of Chakra's schema"));
  EXPECT_THAT(fault_of_schema("1.0.2-chakra."), HasSubstr("the trace names no version of Chakra's schema"));
}

TEST(unit_chakra, rejects_a_wrong_structure_whatever_the_version) {
  std::string text = graph("1.0.0").text() + delimited("\x0d\x01\x02\x03\x04");  // an id of four bytes
  EXPECT_EQ(text_fault({text}),
            "t.0.et: byte 9: field 1 of a node does not have the type that the schema gives it; copy or record the "
            "trace again");
}

TEST(unit_chakra, invalid_nodes_are_skipped_with_a_warning) {
  const auto skipped = static_cast<type>(0);
  caught_warnings caught;
  const replay_program p = parse_graphs({graph()
                                             .add(1, Compute, {}, {}, 3)
                                             .add(2, skipped, {1}, {{"runtime", 7}})
                                             .add(3, skipped, {2})
                                             .add(4, Compute, {3}, {}, 5)});
  EXPECT_EQ(caught.text(),
            "t.0.et: byte 21: warning: a node of type 0 (INVALID_NODE) is skipped: it takes no time (2 times, first "
            "here)\n");
  ASSERT_EQ(p.messages.size(), 4U);
  EXPECT_EQ(p.messages[0].computing, 3000U);
  EXPECT_EQ(p.messages[1].computing + p.messages[2].computing, 0U);
  EXPECT_EQ(p.messages[3].after, std::vector<std::uint32_t>{2}) << "dependents inherit their dependencies";
}

TEST(unit_chakra, rejects_a_file_without_leading_metadata) {
  const std::string rest = graph().add(1, Compute, {}).add(2, Compute, {}).text().substr(8);
  EXPECT_EQ(text_fault({rest}),
            "t.0.et: byte 0: expected a message about the trace (GlobalMetadata) first, found "
            "another message; copy or record the trace again");
  EXPECT_THAT(text_fault({graph().add(1, Compute, {}).text(), ""}),
              StartsWith("t.1.et: byte 0: the file is empty; expected a message about the trace; "));
  EXPECT_EQ(graph_fault({graph().add(1, Compute, {}), graph()}), "none") << "a rank that does nothing";
}

std::string with_attribute(const std::string& name, const std::function<void(protozero::pbf_writer&)>& value,
                           int times = 1) {
  std::string text;
  protozero::pbf_writer node(text);
  node.add_uint64(1, 3);
  node.add_enum(3, Compute);
  for (int i = 0; i < times; ++i) {
    protozero::pbf_writer attribute(node, 10);
    attribute.add_string(1, name);
    value(attribute);
  }
  return graph().text() + delimited(text);
}

TEST(unit_chakra, rejects_repeated_fields_of_a_node) {
  for (const auto& [field, name] : {std::pair(1, "id"), {3, "type"}, {7, "duration_micros"}}) {
    std::string text;
    protozero::pbf_writer node(text);
    node.add_uint64(1, 3);
    node.add_enum(3, Compute);
    node.add_uint64(7, 1);
    node.add_uint64(static_cast<protozero::pbf_tag_type>(field), 4);
    EXPECT_EQ(text_fault({graph().text() + delimited(text)}),
              std::string("t.0.et: byte 15: a node has the field ") + name +
                  " twice; expected it once; copy or record the trace again");
  }
}

TEST(unit_chakra, rejects_attributes_of_the_wrong_type) {
  const auto text = [](protozero::pbf_writer& a) { a.add_string(29, "2"); };
  const auto half = [](protozero::pbf_writer& a) { a.add_double(3, 0.5); };
  const auto two = [](protozero::pbf_writer& a) { a.add_fixed32(19, 2); };
  for (const char* const name : {"comm_size", "comm_src", "comm_dst", "comm_tag", "comm_type", "root"}) {
    const std::string fault = std::string("t.0.et: byte 13: ") + name + " of node 3 is not a whole number";
    EXPECT_EQ(text_fault({with_attribute(name, text)}), fault);
    EXPECT_EQ(text_fault({with_attribute(name, half)}), fault);
    EXPECT_EQ(text_fault({with_attribute(name, two)}), "none");
    EXPECT_THAT(text_fault({with_attribute(name, two, 2)}),
                HasSubstr(std::string(": node 3 has ") + name + " twice; expected it once"));
  }
  EXPECT_EQ(text_fault({with_attribute("runtime", text)}), "t.0.et: byte 13: runtime of node 3 is not a number");
  EXPECT_EQ(text_fault({with_attribute("pg_name", two)}), "t.0.et: byte 13: pg_name of node 3 is not a text");
  for (const char* const name : {"pg_name", "runtime", "num_ops", "involved_dim"}) {
    const auto empty = [name](protozero::pbf_writer& a) {
      if (std::string(name) == "pg_name")
        a.add_string(29, "");
      else
        a.add_double(3, 0);
    };
    EXPECT_THAT(text_fault({with_attribute(name, empty, 2)}),
                HasSubstr(std::string(": node 3 has ") + name + " twice; expected it once"));
  }
  const auto both = [](protozero::pbf_writer& a) {
    a.add_fixed32(19, 2);
    a.add_int64(9, 3);
  };
  EXPECT_EQ(text_fault({with_attribute("root", both)}),
            "t.0.et: byte 13: the attribute 'root' has 2 values; expected one; copy or record the trace again");
  {
    const caught_warnings warnings;
    EXPECT_EQ(text_fault({with_attribute("is_cpu_op", two, 2)}), "none");
    EXPECT_THAT(warnings.text(), HasSubstr("a node has the attribute 'is_cpu_op' twice; it is not read"));
  }
  EXPECT_EQ(parse_texts({with_attribute("runtime", half)}).messages.at(0).computing, 500u);
  EXPECT_THAT(text_fault({with_attribute("runtime", [](auto& a) { a.add_double(3, -1); })}),
              HasSubstr("node 3 takes -1 microseconds; expected 0 to 1000000000000"));
  EXPECT_EQ(graph_fault({graph().add(6, static_cast<type>(11), {})}),
            "t.0.et: node 6, at byte 8, has the type 11; expected 1 to 10");
  EXPECT_THAT(graph_fault({graph().add(6, static_cast<type>(-1), {})}), HasSubstr("has the type -1"));
}

TEST(unit_chakra, attributes_that_are_not_read_give_a_warning) {
  const auto text = [](protozero::pbf_writer& a) { a.add_string(29, "2"); };
  const std::string one = with_attribute("comm_group_of_tomorrow", text, 2);
  EXPECT_EQ(warnings_of({one, one}),
            "t.0.et: byte 13: warning: the attribute 'comm_group_of_tomorrow' of a node is not read (4 times, first "
            "here)\n");
  for (const char* const name : {"is_cpu_op", "tensor_size", "rf_id", "op_schema"})
    EXPECT_EQ(warnings_of({with_attribute(name, text)}), "") << name << " describes and changes nothing";
}

TEST(unit_chakra, fields_of_later_schemas_give_a_warning) {
  std::string node;
  protozero::pbf_writer writer(node);
  writer.add_uint64(1, 3);
  writer.add_enum(3, Compute);
  writer.add_string(11, "new");
  EXPECT_EQ(warnings_of({graph().text() + delimited(node)}),
            "t.0.et: byte 13: warning: field 11 of a node, of a later schema, is not read\n");
}

TEST(unit_chakra, computing_without_a_time_gives_a_warning) {
  EXPECT_EQ(warnings_of({graph().add(1, Compute, {}, {{"num_ops", 1000}}).text()}),
            "t.0.et: byte 8: warning: a node gives num_ops but neither duration_micros nor runtime, and takes no "
            "time\n");
  EXPECT_EQ(warnings_of({graph().add(1, Compute, {}, {{"num_ops", 1000}, {"runtime", 2}}).text()}), "");
  EXPECT_EQ(warnings_of({graph().add(1, Compute, {}, {{"runtime", 2}}, 9).text()}),
            "t.0.et: byte 8: warning: a node gives duration_micros and another runtime, which is not read\n");
}

/// A collective with \p dimensions in its involved_dim, and the name of its group if \p group is not empty.
std::string with_dimensions(const std::vector<bool>& dimensions, const std::string& group) {
  std::string text, list;
  protozero::pbf_writer(list).add_packed_bool(1, dimensions.begin(), dimensions.end());
  protozero::pbf_writer node(text);
  node.add_uint64(1, 3);
  node.add_enum(3, Collective);
  const auto attribute = [&node](const std::string& name, const auto& put) {
    protozero::pbf_writer a(node, 10);
    a.add_string(1, name);
    put(a);
  };
  attribute("comm_type", [](auto& a) { a.add_int64(9, 9); });
  attribute("involved_dim", [&list](auto& a) { a.add_message(28, list); });
  if (!group.empty()) attribute("pg_name", [&group](auto& a) { a.add_string(29, group); });
  return graph().text() + delimited(text);
}

TEST(unit_chakra, a_collective_over_some_dimensions_needs_a_group_name) {
  EXPECT_EQ(warnings_of({with_dimensions({true, true}, "")}), "");
  EXPECT_EQ(warnings_of({with_dimensions({true, false}, "0")}), "");
  EXPECT_EQ(warnings_of({with_dimensions({true, false}, "")}),
            "t.0.et: byte 28: involved_dim of node 3 does not set all dimensions, so that some ranks take no part; "
            "expected all true, or the attribute pg_name, which names a group of ranks");
}

TEST(unit_chakra, rejects_truncated_or_damaged_files) {
  const std::string whole = graph().add(1, Compute, {}, {{"runtime", 5}}).add(2, Compute, {1}).text();
  std::size_t rejected = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      const replay_program p = parse_texts({whole.substr(0, length)});
      EXPECT_LT(p.messages.size(), 2u) << length;  // truncated between two nodes: the first node is complete
    } catch (const workload_error& e) {
      ++rejected;
      // Without nodes, the error cannot name a byte.
      EXPECT_THAT(e.what(), StartsWith(length == 8 ? "t.0.et: the trace has no nodes" : "t.0.et: byte ")) << length;
    }
  }
  EXPECT_EQ(rejected, whole.size() - 1);
  EXPECT_EQ(text_fault({whole.substr(0, whole.size() - 1)}),
            "t.0.et: byte 34: a message of 15 bytes begins here, but the file has only 14 more bytes; copy or "
            "record the trace again");
  std::string damaged = whole;
  damaged[11] = '\x0f';  // field 1 with an invalid type
  EXPECT_THAT(text_fault({damaged}),
              StartsWith("t.0.et: byte 11: the file is not a Chakra trace, or is damaged at its beginning; copy"));
  damaged = whole;
  damaged[9] = '\x0d';  // field 1 with four bytes
  EXPECT_EQ(text_fault({damaged}),
            "t.0.et: byte 9: field 1 of a node does not have the type that the schema gives it; copy or record the "
            "trace again");
}

TEST(unit_chakra, rejects_missing_and_misnamed_files_of_a_trace) {
  const temporary_directory directory;
  const auto fault_with = [&](const std::vector<std::string>& files, const std::string& named) -> std::string {
    for (const auto& old : std::filesystem::directory_iterator(directory.path())) std::filesystem::remove(old.path());
    for (const std::string& file : files)
      std::ofstream(directory.path() / file, std::ios::binary) << graph().add(1, Compute, {}).text();
    try {
      return std::to_string(read_chakra(directory.path() / named).ranks.size());
    } catch (const workload_error& e) {
      const std::string before = directory.path().string() + "/";
      return std::string(e.what()).substr(before.size());
    }
  };
  EXPECT_EQ(fault_with({"a.0.et", "a.1.et", "b.0.et", "a.x.et", "a.3.json"}, "a.1.et"), "2");
  EXPECT_EQ(fault_with({"a.b.0.et", "a.0.et", "a.1.et"}, "a.b.0.et"), "1");
  EXPECT_EQ(fault_with({"a.0.et", "a.2.et"}, "a.0.et"),
            "a.0.et: the trace has no file of rank 1; add a.1.et, or remove a.2.et");
  EXPECT_EQ(fault_with({"a.0.et", "a.2.et"}, "a.2.et"),
            "a.2.et: the trace has no file of rank 1; add a.1.et, or remove a.2.et");
  EXPECT_THAT(fault_with({"a.1.et"}, "a.1.et"), HasSubstr("the trace has no file of rank 0"));
  EXPECT_EQ(fault_with({"a.0.et", "a.01.et"}, "a.0.et"),
            "a.01.et: expected a.1.et as the name of the file of rank 1; rename it");
  EXPECT_EQ(fault_with({"a.et"}, "a.et"), "a.et: expected a file of a Chakra trace to be named NAME.RANK.et");
  EXPECT_THAT(fault_with({"a.0.et"}, "a.1.et"), StartsWith("a.1.et: cannot"));
}

TEST(unit_chakra, random_damage_throws_only_workload_errors) {
  const std::string whole = graph()
                                .add(1, Compute, {}, {{"runtime", 5}})
                                .add(2, Collective, {1}, {{"comm_type", 0}, {"comm_size", 64}})
                                .add(3, Compute, {1, 2})
                                .text();
  caught_warnings caught;
  std::mt19937 random(1);
  std::size_t read = 0, rejected = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = whole;
    for (unsigned n = 1 + random() % 4; n > 0; --n) bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      parse_texts({bytes, whole});
      ++read;
    } catch (const workload_error&) {
      ++rejected;
    }
  }
  EXPECT_GT(read, 100u) << "changes of names";
  EXPECT_GT(rejected, 100u);
}

}  // namespace
