// SPDX-License-Identifier: Apache-2.0
/// Hostile names in every format, with the expected text written by hand.
#include "weft/core/escape.h"

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(unit_core_escape, replaces_invalid_utf8) {
  EXPECT_EQ(valid_utf8("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  const std::string replaced = "\xef\xbf\xbd";
  EXPECT_EQ(valid_utf8("caf\xe9"), "caf" + replaced);
  EXPECT_EQ(valid_utf8("\xc0\xaf"), replaced + replaced) << "longer than necessary";
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), replaced + replaced + replaced) << "a surrogate";
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), replaced + replaced + replaced + replaced) << "beyond U+10FFFF";
  EXPECT_EQ(valid_utf8("\xe2\x82"), replaced + replaced) << "cut off";
}

TEST(unit_core_escape, escapes_any_text_for_xml) {
  EXPECT_EQ(xml_text("</title><script>alert(1)</script>"), "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  EXPECT_EQ(xml_text("a & \"b\" ]]> 'c'"), "a &amp; &quot;b&quot; ]]&gt; 'c'");
  EXPECT_EQ(xml_text(std::string("\0\x1b[31m\x7f", 7)), "\\x00\\x1b[31m\\x7f") << "characters that XML does not allow";
  EXPECT_EQ(xml_text("\xff \xef\xbf\xbe"), "\xef\xbf\xbd \xef\xbf\xbd");
  EXPECT_EQ(xml_text("a\n\tb\r"), "a\n\tb&#13;");
  EXPECT_EQ(xml_attribute("a\n\tb\r\""), "a&#10;&#9;b&#13;&quot;");
}

TEST(unit_core_escape, keeps_comments_on_one_line) {
  EXPECT_EQ(comment_text("a\nassign x = 1; //\r"), "a\\x0aassign x = 1; //\\x0d");
  EXPECT_EQ(comment_text("a\\"), "a\\x5c") << "a backslash at the end of a line could join the next one";
  EXPECT_EQ(comment_text("\xff`"), "\xef\xbf\xbd`");
}

TEST(unit_core_escape, words_survive_the_shell_unchanged) {
  EXPECT_EQ(shell_word("results/a_b-1.sqlite"), "results/a_b-1.sqlite");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a\nb"), "$'a\\x0ab'");
  for (const std::string& word : {std::string("it's"), std::string("$(touch x) `y` \"z\" \\"),
                                  std::string("a'\n#b\\\t"), std::string("!*?~{a,b}"), std::string("\x1b[0m'")}) {
    EXPECT_EQ(shell_word(word).find('\n'), std::string::npos) << "it may stand in a comment";
    std::FILE* const out = popen(("bash <<'END'\nprintf %s " + shell_word(word) + "\nEND\n").c_str(), "r");
    ASSERT_NE(out, nullptr);
    std::string got;
    for (int c = 0; (c = std::fgetc(out)) != EOF;) got += static_cast<char>(c);
    pclose(out);
    EXPECT_EQ(got, word);
  }
}

TEST(unit_core_escape, neutralizes_formulas_in_csv) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
  EXPECT_EQ(csv_field("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
  EXPECT_EQ(csv_field("=HYPERLINK(\"http://x\",1)"), "\"'=HYPERLINK(\"\"http://x\"\",1)\"");
  for (const char* const number : {"-5", "-0.25", "1e-3", "-inf"}) EXPECT_EQ(csv_field(number), number);
  EXPECT_EQ(csv_field(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(csv_field("caf\xe9"), "caf\xef\xbf\xbd");
  for (const std::string& text :
       {std::string("=1+1"), std::string("@SUM(A1)"), std::string("+x"), std::string("-x"), std::string("\t=1"),
        std::string("'=1"), std::string("''-x"), std::string("'quoted'"), std::string("'"), std::string("-5")})
    EXPECT_EQ(plain_csv_field(csv_field(text)), text);
}

TEST(unit_core_escape, quotes_text_for_gnuplot) {
  EXPECT_EQ(gnuplot_text("a \"b\" 'c' `d`\\n\n"), "'a \"b\" ''c'' `d`\\n '");
  EXPECT_EQ(gnuplot_text("@m {/Symbol a} \\"), "'@m {/Symbol a} \\'");
  EXPECT_EQ(gnuplot_text(std::string("a\0b\x1b", 4)), "'a b '");
  EXPECT_EQ(gnuplot_text("\xff"), "'\xef\xbf\xbd'");
}

}  // namespace
}  // namespace weft
