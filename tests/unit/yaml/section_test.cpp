// SPDX-License-Identifier: Apache-2.0
/// The YAML reader by itself: documents, sections, and errors with their places.
#include "weft/yaml/section.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;

/// The errors of \p text after \p use has read it as a section with keys `name`, `size`, `list` and `deep`.
std::string message_of(const std::string& text, const std::function<void(const yaml_section&)>& use) {
  yaml_errors errors("f");
  if (const auto root = parse_yaml(text, errors))
    use(yaml_section(errors, *root, "", {"name", "size", "list", "deep"}, "thing"));
  std::string all;
  for (const diagnostic& d : errors.found()) all += d.place + ": " + d.message + "\n";
  return all;
}

std::string message_of(const std::string& text) {
  return message_of(text, [](const yaml_section&) {});
}

TEST(unit_yaml, accepts_one_well_formed_document) {
  EXPECT_EQ(message_of("name: a"), "");
  EXPECT_EQ(message_of("name: [a"), "f:1:1: YAML syntax: end of sequence flow not found\n");
  EXPECT_EQ(message_of("name: a\n---\nname: b\n"),
            "f:2:1: YAML syntax: a second document begins here; expected one document\n");
  EXPECT_EQ(message_of("size: 1\n\tname: a\n").substr(0, 5), "f:2:1");
  EXPECT_EQ(message_of("size:\n\tname: a\n"),
            "f:2:6: YAML syntax: illegal map value; indent with spaces, because YAML does not allow tabs for it\n");
}

TEST(unit_yaml, skips_byte_order_mark) {
  std::string name;
  const auto read = [&name](const yaml_section& s) { name = s.text("name"); };
  EXPECT_EQ(message_of("\xef\xbb\xbfname: a", read), "");
  EXPECT_EQ(name, "a");
  EXPECT_EQ(message_of("\xef\xbb\xbf{\"name\": \"b\"}", read), "");
  EXPECT_EQ(name, "b");
}

TEST(unit_yaml, rejects_nesting_deeper_than_100) {
  const auto nested = [](std::size_t deep) {
    return "name: " + std::string(deep - 1, '[') + std::string(deep - 1, ']');  // in a map
  };
  EXPECT_EQ(message_of(nested(100)), "");
  for (const std::size_t deep : {101, 600, 100'000})
    EXPECT_EQ(message_of(nested(deep)),
              "f:1:106: YAML syntax: lists and maps are nested more than 100 deep; nest them less\n");
  std::string blocks = "name:";
  for (unsigned i = 0; i < 100'000; ++i) blocks += " -";
  EXPECT_NE(message_of(blocks), "");
}

/// One document has ten lines that expand to 10^9 values; others have fewer aliases of longer lists.
TEST(unit_yaml, rejects_aliases_that_repeat_over_a_million_values) {
  std::string laughs = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (unsigned i = 1; i < 9; ++i) {
    laughs += fmt::format("a{0}: &a{0} [*a{1}", i, i - 1);
    for (unsigned k = 1; k < 10; ++k) laughs += fmt::format(", *a{}", i - 1);
    laughs += "]\n";
  }
  const std::string fault =
      "YAML syntax: aliases repeat more than 1,000,000 values; write shorter lists, or files "
      "without aliases\n";
  EXPECT_THAT(message_of(laughs), EndsWith(fault));
  std::string lists = "name: &a [1";
  for (unsigned i = 1; i < 2'000; ++i) lists += ", 1";
  lists += "]\nlist: [*a";
  for (unsigned i = 1; i < 400; ++i) lists += ", *a";
  EXPECT_EQ(message_of(lists + "]\n"), "") << "800,400 values";
  for (unsigned i = 0; i < 200; ++i) lists += ", *a";
  EXPECT_THAT(message_of(lists + "]\n"), EndsWith(fault));
  EXPECT_THAT(
      message_of("name: &a '" + std::string(2'000'000, 'x') + "'\nlist: [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"),
      EndsWith(fault))
      << "long texts count, too";
}

TEST(unit_yaml, rejects_an_alias_inside_its_own_anchor) {
  EXPECT_EQ(message_of("name: &a [1, *a]\n"),
            "f:1:14: YAML syntax: the alias is part of the value that it refers to; write the value out\n");
}

TEST(unit_yaml, messages_quote_long_texts_shortened_on_one_line) {
  const std::string name(1'000'000, 'x'), begin(100, 'x');
  EXPECT_EQ(message_of("? " + name + "\n: 1\n"),
            "f:1:3: unknown key '" + begin + "… (1,000,000 bytes)'; expected one of name, size, list, deep\n");
  EXPECT_EQ(message_of("size: " + name + "\n", [](const yaml_section& s) { s.number("size", 1, 2, 1); }),
            "f:1:7: size: expected a whole number from 1 to 2, got '" + begin + "… (1,000,000 bytes)'\n");
  EXPECT_THAT(message_of("size: \"\\\x01\"\n"), ::testing::HasSubstr("a control character (byte 0x01), expected text"));
  EXPECT_EQ(message_of("size: \"a\\nb\\tc\"\n", [](const yaml_section& s) { s.number("size", 1, 2, 1); }),
            "f:1:7: size: expected a whole number from 1 to 2, got 'a\\x0ab\\x09c'\n");
}

TEST(unit_yaml, rejects_control_characters) {
  using namespace std::string_literals;
  for (const std::string& text : {"name: a\nsize: \x01\n"s, "name: a\nsize: \0\n"s, "name: a\nsize: \x1b[1m\n"s})
    EXPECT_THAT(message_of(text),
                ::testing::MatchesRegex("f:2:7: YAML syntax: a control character .byte 0x.*, expected "
                                        "text; write it as .*\n"))
        << text;
  EXPECT_EQ(message_of("name: 'a'\r\nsize: \t3\nlist: []\n", [](const yaml_section&) {}), "");
}

TEST(unit_yaml, rejects_tags) {
  for (const char* const tagged : {"name: a\nsize: !!int 3\n", "name: a\nsize: !include size.yaml\n",
                                   "name: a\nsize: !list [1]\n", "name: a\nsize: !!map {}\n"})
    EXPECT_THAT(message_of(tagged), ::testing::MatchesRegex("f:2:7: YAML syntax: the tag '.*' has no meaning in Weft's "
                                                            "files; leave it out\n"))
        << tagged;
  EXPECT_EQ(message_of("name: 'a'\nsize: \"3\"\nlist: []\n", [](const yaml_section&) {}), "");
}

TEST(unit_yaml, an_empty_document_is_valid_and_has_no_content) {
  yaml_errors errors("f");
  for (const char* const text : {"", "# a comment\n", "---\n"}) {
    const auto root = parse_yaml(text, errors);
    ASSERT_TRUE(root) << text;
    EXPECT_TRUE(is_nothing(*root)) << text;
  }
  EXPECT_FALSE(errors.any());
}

TEST(unit_yaml, rejects_unknown_and_repeated_keys) {
  EXPECT_EQ(message_of("nmae: a\n"), "f:1:1: unknown key 'nmae'; did you mean 'name'?\n");
  EXPECT_EQ(message_of("colour: red\n"), "f:1:1: unknown key 'colour'; expected one of name, size, list, deep\n");
  EXPECT_EQ(message_of("size: 1\nsize: 2\n"), "f:2:1: key 'size' is given twice; give it once\n");
  EXPECT_EQ(message_of("{[a]: 3}"), "f:1:2: expected the name of a key, got a list\n");
  EXPECT_EQ(message_of("- a\n"), "f:1:1: thing: expected a map with name, size, list, deep, got a list\n");
}

TEST(unit_yaml, expands_aliases_but_not_merge_keys) {
  EXPECT_EQ(message_of("list: &a [1, 2]\ndeep: *a\n",
                       [](const yaml_section& s) { EXPECT_THAT(s.numbers("deep", 9), ElementsAre(1, 2)); }),
            "");
  EXPECT_EQ(message_of("deep: &a {size: 1}\n<<: *a\n"),
            "f:2:1: unknown key '<<'; expected one of name, size, list, deep\n");
}

TEST(unit_yaml, rejects_lists_longer_than_the_limit_of_their_path) {
  const auto first_message = [](const std::string& text) {
    yaml_errors errors("f");
    const bool is_read = parse_yaml(text, errors, [](const std::string& path) {
                           return path == "deep.list" ? std::optional<std::size_t>(3) : std::nullopt;
                         }).has_value();
    return errors.any() ? errors.found().front().place + ": " + errors.found().front().message : is_read ? "read" : "";
  };
  EXPECT_EQ(first_message("list: [1, 2, 3, 4]\ndeep: {name: a, list: [1, 2, 3]}\n"), "read");
  const std::string fault = "deep.list: expected at most 3 elements, got 4; remove duplicates";
  EXPECT_EQ(first_message("name: a\ndeep:\n  list: [1, 2, 3, 4]\n"), "f:3:9: " + fault);
  EXPECT_EQ(first_message("deep:\n  list:\n  - [1]\n  - [1, 2, 3, 4]\n"), "f:4:5: " + fault);
  EXPECT_EQ(first_message("deep: {size: {list: [1, 2, 3, 4]}, list: [{list: [1, 2, 3, 4]}, 2]}"), "read");
}

TEST(unit_yaml, keeps_only_the_first_of_many_errors) {
  yaml_errors errors("f");
  for (unsigned i = 0; i < 1000; ++i) errors.add({}, std::to_string(i));
  EXPECT_EQ(errors.found().size(), 100u);
  try {
    errors.throw_if_any();
    FAIL();
  } catch (const input_error& e) {
    ASSERT_EQ(e.found().size(), 51u);
    EXPECT_EQ(e.found().back().message, "an error here and 949 later errors are not shown");
  }
}

TEST(unit_yaml, reader_hints_precede_or_follow_spelling_suggestions) {
  yaml_errors errors("f");
  known_keys keys;
  keys.names = {"name", "size"};
  keys.first = [](const std::string& name) { return name == "siez" ? "; first" : ""; };
  keys.last = [](const std::string& name) { return name == "far" || name == "nam" ? "; last" : ""; };
  for (const char* const name : {"siez", "nam", "far", "other"}) add_unknown_key(errors, {}, name, "s", keys);
  std::vector<std::string> messages;
  for (const diagnostic& d : errors.found()) messages.push_back(d.message);
  EXPECT_THAT(messages,
              ElementsAre("unknown key 'siez' in s; first", "unknown key 'nam' in s; did you mean 'name'?",
                          "unknown key 'far' in s; last", "unknown key 'other' in s; expected one of name, size"));
}

TEST(unit_yaml, reports_values_of_the_wrong_type_with_their_place) {
  const auto size = [](const yaml_section& s) { s.number("size", 1, 9, 5); };
  EXPECT_EQ(message_of("size: 9\n", size), "");
  for (const char* const bad : {"0", "10", "-1", "1.5", "'3'", "three", "[3]", "0x3"})
    EXPECT_EQ(message_of("name: a\nsize: " + std::string(bad) + "\n", size).substr(0, 54),
              "f:2:7: size: expected a whole number from 1 to 9, got ")
        << bad;
  EXPECT_EQ(message_of("size: '3'\n", size),
            "f:1:7: size: expected a whole number from 1 to 9, got '3'; a value in quotes is a text, so leave the "
            "quotes out\n");
  EXPECT_EQ(message_of("size: 'true'\n", [](const yaml_section& s) { s.boolean("size", true); }),
            "f:1:7: size: expected true or false, got 'true'; a value in quotes is a text, so leave the quotes out\n");
  EXPECT_EQ(message_of("list: {}\n", [](const yaml_section& s) { s.numbers("list", 9); }),
            "f:1:7: list: expected a list of whole numbers, got an empty map\n");
  EXPECT_EQ(message_of("size:\nname: a\n", [](const yaml_section& s) { s.boolean("size", true); }),
            "f:1:1: size: expected true or false, got nothing\n")
      << "the position of a missing value is that of its key";
  EXPECT_EQ(message_of("name: ''\n", [](const yaml_section& s) { s.text("name"); }),
            "f:1:7: name: expected a text, got ''\n");
  EXPECT_EQ(message_of("name: rde\n",
                       [](const yaml_section& s) {
                         s.choice("name", {"red", "blue"});
                       }),
            "f:1:7: name: expected one of red, blue, got 'rde'; did you mean 'red'?\n");
  EXPECT_EQ(message_of("size: 1\n", [](const yaml_section& s) { s.need("name"); }),
            "f:1:1: thing: 'name' is missing\n");
  EXPECT_EQ(message_of("list: [1, b, 3]\n", [](const yaml_section& s) { s.numbers("list", 9); }),
            "f:1:11: list[1]: expected a whole number from 0 to 9, got 'b'\n");
  EXPECT_EQ(message_of("list: {a: 1}\n", [](const yaml_section& s) { s.numbers("list", 9); }),
            "f:1:7: list: expected a list of whole numbers, got a map\n");
}

TEST(unit_yaml, throws_all_errors_together_with_their_places) {
  yaml_errors errors("f");
  errors.throw_if_any();
  errors.add({}, "one");
  errors.read_value("--set a=b");
  parse_yaml("[", errors);
  try {
    errors.throw_if_any();
    FAIL() << "nothing was thrown";
  } catch (const input_error& e) {
    ASSERT_EQ(e.found().size(), 2U);
    EXPECT_EQ(std::string(e.what()).substr(0, 55), "f:1:1: error: one\n--set a=b: error: YAML syntax: end of");
  }
}

}  // namespace
}  // namespace weft
