// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;

/// The schema of the key or section \p path; searches both forms of sections that have a short form.
const json* find(const json& schema, const std::string& path) {
  const json* at = &schema;
  for (std::string rest = path; !rest.empty();) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    if (at->contains("anyOf")) at = &(*at)["anyOf"][0];
    if (!at->contains("properties") || !(*at)["properties"].contains(rest.substr(0, dot))) return nullptr;
    at = &(*at)["properties"][rest.substr(0, dot)];
    rest = rest.substr(std::min(dot + 1, rest.size()));
  }
  return at;
}

TEST(unit_experiment_schema, contains_every_key_with_type_and_description) {
  const json schema = json_schema();
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  configuration c;
  for (const key& k : keys(c)) {
    const json* const found = find(schema, k.path);
    ASSERT_NE(found, nullptr) << k.path;
    EXPECT_TRUE(found->contains("type") || found->contains("enum") || found->contains("anyOf")) << k.path;
    EXPECT_TRUE(found->contains("description")) << k.path;
  }
}

TEST(unit_experiment_schema, rejects_unknown_keys) {
  const json schema = json_schema();
  for (const section& s : sections()) {
    const json* found = find(schema, s.path);
    ASSERT_NE(found, nullptr) << s.path;
    if (found->contains("anyOf")) found = &(*found)["anyOf"][0];
    EXPECT_EQ((*found)["additionalProperties"], false) << s.path;
  }
}

TEST(unit_experiment_schema, contains_ranges_defaults_and_short_forms) {
  const json schema = json_schema();
  EXPECT_EQ((*find(schema, "network.router.vcs"))["maximum"], 16);
  EXPECT_EQ((*find(schema, "network.router.vcs"))["default"], 4);
  EXPECT_EQ((*find(schema, "network.topology.shape"))["items"]["minimum"], 1);
  EXPECT_EQ((*find(schema, "workload.length"))["anyOf"][1]["type"], "integer");
  EXPECT_EQ((*find(schema, "workload.pattern"))["anyOf"][1]["enum"][1], "transpose");
}

TEST(unit_experiment_schema, the_page_has_every_key_and_section) {
  const std::string page = markdown_page();
  configuration c;
  for (const key& k : keys(c)) EXPECT_THAT(page, HasSubstr("| `" + name_of(k.path) + "` |"));
  for (const section& s : sections()) EXPECT_THAT(page, HasSubstr("\n## " + s.path + "\n"));
}

}  // namespace
}  // namespace weft::experiment
